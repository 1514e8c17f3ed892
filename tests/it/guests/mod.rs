//! People of Telegram and Discord who sign in on the page: who is let in, what they see and do
//! there, and what they do not.

mod activity;
mod browsers;
mod mini_app;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Space, Store};
use caravanserai_table::{Table, TableId};
use caravanserai_telegram::MiniApp;
use caravanserai_webchat::PublicPage;
use reqwest::{Client, StatusCode, header};
use serde_json::{Value, json};

use crate::outages::{FailingStore, FailureKind};
use crate::stage::play;
use crate::stage::telegram::TelegramStage;
use crate::stage::web::WebStage;

/// The public address.
pub const PAGE: &str = "https://play.example.org";

/// A page at that address.
pub fn page() -> PublicPage {
    let frames = vec!["https://web.telegram.org", "https://discord.com"];
    PublicPage { url: PAGE.to_owned(), frames, ..PublicPage::default() }
}

/// The newest code of a kind in the store.
pub async fn newest(store: &Arc<dyn Store>, kind: &str) -> String {
    let rows = store.scan(Space::Meta, kind, None, 100).await.unwrap();
    rows.last().expect(kind).0.strip_prefix(kind).unwrap().to_owned()
}

/// The code of a sign-in link that nobody has used yet.
async fn unused_code(store: &Arc<dyn Store>) -> String {
    let rows = store.scan(Space::Meta, "pass ", None, 100).await.unwrap();
    let unused = rows.iter().find(|(_, row)| !String::from_utf8_lossy(row).contains("\"used\""));
    unused.expect("a link").0.strip_prefix("pass ").unwrap().to_owned()
}

/// The one table.
pub async fn table(store: &Arc<dyn Store>) -> Table {
    let heads = store.scan(Space::Head, "", None, 1).await.unwrap();
    let id = TableId(heads[0].0.clone());
    Table::from_log(&id, &store.read_log(&id.0, 0).await.unwrap()).unwrap()
}

/// A person at the page.
#[derive(Clone)]
pub struct Visitor {
    client: Client,
    base: String,
    /// A header that says who they are.
    pass: Option<(header::HeaderName, String)>,
}

impl Visitor {
    /// Nobody yet.
    pub fn at(base: &str) -> Self {
        let client = Client::builder().no_proxy().build().unwrap();
        Self { client, base: base.to_owned(), pass: None }
    }

    fn with_pass(&self, request: reqwest::RequestBuilder) -> reqwest::RequestBuilder {
        match &self.pass {
            Some((name, value)) => request.header(name, value),
            None => request,
        }
    }

    pub async fn ask(&self, path: &str) -> reqwest::Response {
        let request = self.client.get(format!("{}{path}", self.base));
        self.with_pass(request).send().await.unwrap()
    }

    /// How many bytes something has on the wire.
    pub async fn weight(&self, path: &str) -> usize {
        let request = self.client.get(format!("{}{path}", self.base));
        let request = self.with_pass(request.header(header::ACCEPT_ENCODING, "gzip"));
        request.send().await.unwrap().bytes().await.unwrap().len()
    }

    pub async fn get(&self, path: &str) -> (StatusCode, Value) {
        let answer = self.ask(path).await;
        (answer.status(), answer.json().await.unwrap_or_default())
    }

    pub async fn post(&self, path: &str, body: Value) -> (StatusCode, Value) {
        let request = self.client.post(format!("{}{path}", self.base)).json(&body);
        let answer = self.with_pass(request).send().await.unwrap();
        (answer.status(), answer.json().await.unwrap_or_default())
    }

    /// Signs in with a code; returns the answer and the cookie.
    pub async fn enter(&mut self, code: &str) -> (Value, String) {
        let request = self.client.post(format!("{}/api/guest", self.base));
        let answer = request.json(&json!({ "code": code })).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        let set = answer.headers()[header::SET_COOKIE].to_str().unwrap().to_owned();
        let cookie = set.split(';').next().unwrap().to_owned();
        self.pass = Some((header::COOKIE, cookie));
        (answer.json().await.unwrap(), set)
    }

    /// Signs in with a code and the key of a window; returns the status and the cookie.
    async fn enter_with(&self, body: Value) -> (StatusCode, String) {
        let request = self.client.post(format!("{}/api/guest", self.base)).json(&body);
        let answer = self.with_pass(request).send().await.unwrap();
        let set = answer.headers().get(header::SET_COOKIE).map(|it| it.to_str().unwrap());
        let cookie = set.and_then(|it| it.split(';').next()).unwrap_or_default();
        (answer.status(), cookie.to_owned())
    }

    /// Signs in from a window of a platform; returns the answer.
    pub async fn open(&mut self, proof: Value) -> Value {
        let (status, told) = self.post("/api/guest", proof).await;
        assert_eq!(status, StatusCode::OK, "{told}");
        let token = told["token"].as_str().unwrap();
        self.pass = Some((header::AUTHORIZATION, format!("Bearer {token}")));
        told
    }

    /// What they may know of a table.
    pub async fn state(&self, table: &str) -> (StatusCode, Value) {
        self.get(&format!("/api/guest/tables/{table}?drawn=1")).await
    }

    /// Presses something at a table.
    pub async fn press(&self, table: &str, press: &str, key: &str) -> (StatusCode, Value) {
        let body = json!({ "press": press, "key": key });
        self.post(&format!("/api/guest/tables/{table}/press"), body).await
    }
}

/// A bot on Telegram with a public page.
pub struct World {
    pub tg: TelegramStage,
    pub web: WebStage,
    pub store: Arc<dyn Store>,
}

impl World {
    pub async fn new(people: &str) -> Self {
        Self::with(people, page()).await
    }

    pub async fn with(people: &str, page: PublicPage) -> Self {
        Self::on(people, page, Arc::new(MemoryStore::default())).await
    }

    /// The same on this store.
    pub async fn on(people: &str, page: PublicPage, store: Arc<dyn Store>) -> Self {
        let app = MiniApp::new(PAGE.to_owned(), Some("board".to_owned()));
        let mut tg = TelegramStage::with_app(store.clone(), app).await;
        let web = WebStage::public(tg.host.beside(), page).await;
        play("tg", &format!("people {people}"), &mut tg).await;
        World { tg, web, store }
    }

    pub async fn on_telegram(&mut self, script: &str) {
        let heads = self.store.scan(Space::Head, "", None, 1).await.unwrap();
        let code = heads.first().map(|it| it.0.clone()).unwrap_or_default();
        play("on Telegram", &script.replace("{table}", &code), &mut self.tg).await;
    }

    pub fn visitor(&self) -> Visitor {
        Visitor::at(self.web.address())
    }

    /// A person requests their link in private and opens it.
    pub async fn enters(&mut self, who: &str) -> Visitor {
        self.enters_in(who, "works once").await
    }

    /// The same, where the link comes with other words.
    pub async fn enters_in(&mut self, who: &str, words: &str) -> Visitor {
        self.on_telegram(&format!(
            "{who} writes privately /web {{table}}\n{who} gets reply {words}"
        ))
        .await;
        let mut visitor = self.visitor();
        visitor.enter(&newest(&self.store, "pass ").await).await;
        visitor
    }
}

const GAME: &str = "Ann says /togyz @Bek me\nBek presses Accept\nAnn has buttons 1 | 9";

#[tokio::test]
async fn a_signed_in_player_plays_in_the_browser() {
    let mut world = World::new("Ann Bek").await;
    world.on_telegram(GAME).await;
    let id = table(&world.store).await.id.0;
    let ann = world.enters("Ann").await;
    assert_eq!(ann.get("/api/guest").await.1["name"], "Ann");
    let (_, tables) = ann.get("/api/guest/tables").await;
    assert_eq!(tables["tables"][0]["table"], *id);
    let (_, state) = ann.state(&id).await;
    assert_eq!((&state["you"], &state["turn"]), (&json!(0), &json!(0)));
    assert!(state["picture"]["board"]["items"].as_array().unwrap().len() > 60);
    let press = state["actions"][6]["press"].as_str().unwrap();
    for _ in 0..2 {
        // A request that is repeated acts once and is answered the same.
        let (status, told) = ann.press(&id, press, "k1").await;
        assert_eq!((status, &told["whispers"][0]["passing"]), (StatusCode::OK, &json!(true)));
    }
    assert_eq!(table(&world.store).await.history.steps.len(), 1);
    world.on_telegram("Bek sees Bek is to move\nBek has buttons 1 | 9\nBek presses 3").await;
    let (_, state) = ann.state(&id).await;
    assert_eq!((&state["turn"], &state["moment"]), (&json!(0), &json!(state["moment"])));
    assert_eq!(state["last"][0]["seat"], 1);
    // Other requests are answered on a card, with its buttons and pictures.
    let (_, told) = ann.press(&id, &format!("M.{id}"), "k2").await;
    let menu = &told["whispers"][0];
    assert!(menu["buttons"].as_array().unwrap().len() > 1 && menu["brief"] == false, "{menu}");
    let (_, told) = ann.press(&id, &format!("I.{id}"), "k3").await;
    assert!(told["whispers"][0]["image"]["png"].as_str().unwrap().starts_with("iVBOR"));
}

#[tokio::test]
async fn a_link_lets_in_one_browser_once_and_only_for_a_while() {
    let mut world = World::new("Ann Bek").await;
    world.on_telegram(GAME).await;
    world.on_telegram("Ann writes privately /web\nAnn gets reply works once").await;
    let code = newest(&world.store, "pass ").await;
    assert_eq!(code.len(), 20);
    let mut ann = world.visitor();
    let (told, cookie) = ann.enter(&code).await;
    assert_eq!(told["table"], *table(&world.store).await.id.0);
    for part in ["__Host-guest=", "; HttpOnly", "; SameSite=Strict", "; Secure", "; Path=/;"] {
        assert!(cookie.contains(part), "{part} is missing in {cookie}");
    }
    assert!(told["token"].is_null(), "no script can read it");
    let thief = world.visitor();
    let again = thief.post("/api/guest", json!({ "code": code })).await;
    assert_eq!((again.0, &again.1["error"]), (StatusCode::FORBIDDEN, &json!("unknown")));
    assert_eq!(thief.get("/api/guest").await.0, StatusCode::UNAUTHORIZED);
    // Nobody opened this one in time.
    world.on_telegram("Ann writes privately /web\nAnn gets reply works once").await;
    let late = newest(&world.store, "pass ").await;
    world.tg.host.clock.pass_ms(5 * 60_000 + 1);
    assert_eq!(thief.post("/api/guest", json!({ "code": late })).await.0, StatusCode::FORBIDDEN);
    // A browser stays signed in for thirty days.
    assert_eq!(ann.get("/api/guest").await.0, StatusCode::OK);
    world.tg.host.clock.pass_ms(30 * 24 * 3_600_000);
    assert_eq!(ann.get("/api/guest").await.0, StatusCode::UNAUTHORIZED);
}

/// The answer to a sign-in may be lost, and a page may be reloaded before it was shown.
#[tokio::test]
async fn the_window_that_used_a_link_may_use_it_again_until_it_signs_out() {
    let mut world = World::new("Ann Bek").await;
    world.on_telegram(GAME).await;
    world.on_telegram("Ann writes privately /web\nAnn gets reply works once").await;
    let code = newest(&world.store, "pass ").await;
    let body = |window: &str| json!({ "code": code, "window": window });
    let (status, cookie) = world.visitor().enter_with(body("her window")).await;
    assert_eq!(status, StatusCode::OK);
    let mut lost = world.visitor();
    lost.pass = Some((header::COOKIE, cookie));
    let eve = world.visitor();
    for copy in [json!({ "code": code }), body("another window")] {
        assert_eq!(eve.post("/api/guest", copy).await.0, StatusCode::FORBIDDEN);
    }
    let mut ann = world.visitor();
    for _ in 0..3 {
        let (status, cookie) = ann.enter_with(body("her window")).await;
        assert_eq!(status, StatusCode::OK);
        ann.pass = Some((header::COOKIE, cookie));
    }
    assert_eq!(ann.get("/api/guest").await.0, StatusCode::OK);
    // The sessions whose answers were lost do not add up.
    assert_eq!(lost.get("/api/guest").await.0, StatusCode::UNAUTHORIZED);
    assert!(world.store.scan(Space::Meta, "guest ", None, 100).await.unwrap().len() <= 2);
    // Who signs out at a shared device is not signed in again by the link.
    assert_eq!(ann.post("/api/guest/out", json!({})).await.0, StatusCode::OK);
    assert_eq!(ann.enter_with(body("her window")).await.0, StatusCode::FORBIDDEN);
}

/// A person opens the boards of two tables from the chat, each in a tab of the same browser.
#[tokio::test]
async fn a_second_link_in_the_same_browser_keeps_the_first_tab_signed_in() {
    let mut world = World::new("Ann Bek").await;
    world.on_telegram(GAME).await;
    let id = table(&world.store).await.id.0;
    let first = world.enters("Ann").await;
    let mut stream = first.ask(&format!("/api/guest/tables/{id}/events")).await;
    assert_eq!(stream.status(), StatusCode::OK);
    for _ in 0..2 {
        world.on_telegram("Ann writes privately /web\nAnn gets reply works once").await;
        let body = json!({ "code": unused_code(&world.store).await, "window": "second" });
        // The answer may be lost, and the request repeated.
        for _ in 0..3 {
            let (status, cookie) = first.enter_with(body.clone()).await;
            assert_eq!(status, StatusCode::OK);
            assert_eq!(first.pass, Some((header::COOKIE, cookie)));
        }
    }
    let sessions = world.store.scan(Space::Meta, "guest ", None, 100).await.unwrap();
    assert_eq!(sessions.len(), 1, "one browser has one session");
    let told = stream.chunk().await.unwrap().expect("it goes on");
    assert!(String::from_utf8_lossy(&told).contains("event: table"));
    // Another person at this browser replaces the first one.
    world.on_telegram("Bek writes privately /web\nBek gets reply works once").await;
    let body = json!({ "code": unused_code(&world.store).await, "window": "third" });
    let (status, cookie) = first.enter_with(body).await;
    assert_eq!(status, StatusCode::OK);
    assert_ne!(first.pass, Some((header::COOKIE, cookie)));
    assert_eq!(first.get("/api/guest").await.0, StatusCode::UNAUTHORIZED);
}

/// A second link does not prove again that its person is in the chat of the first table.
#[tokio::test]
async fn a_second_link_leaves_a_spectator_the_table_of_the_first_tab() {
    let mut world = World::new("Ann Bek Cyd").await;
    world.on_telegram(GAME).await;
    let id = table(&world.store).await.id.0;
    let cyd = world.enters("Cyd").await;
    world.tg.host.clock.pass_ms(11 * 3_600_000);
    for window in ["second", "third"] {
        world.on_telegram("Cyd writes privately /web\nCyd gets reply works once").await;
        let body = json!({ "code": unused_code(&world.store).await, "window": window });
        assert_eq!(cyd.enter_with(body).await.0, StatusCode::OK);
        assert_eq!(cyd.state(&id).await.0, StatusCode::OK, "{window}");
    }
    world.tg.host.clock.pass_ms(2 * 3_600_000);
    assert_eq!(cyd.state(&id).await.0, StatusCode::NOT_FOUND);
    assert_eq!(cyd.get("/api/guest").await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_used_link_is_valid_in_its_window_for_five_minutes() {
    let mut world = World::new("Ann Bek").await;
    world.on_telegram(GAME).await;
    world.on_telegram("Ann writes privately /web\nAnn gets reply works once").await;
    let code = newest(&world.store, "pass ").await;
    let body = json!({ "code": code, "window": "her window" });
    assert_eq!(world.visitor().enter_with(body.clone()).await.0, StatusCode::OK);
    world.tg.host.clock.pass_ms(5 * 60_000 + 1);
    assert_eq!(world.visitor().enter_with(body).await.0, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn codes_are_not_found_by_trying() {
    let world = World::new("Ann Bek").await;
    let eve = world.visitor();
    let mut answers = Vec::new();
    for n in 0..12 {
        let code = format!("{n:0>20}");
        answers.push(eve.post("/api/guest", json!({ "code": code })).await.0);
    }
    assert_eq!(answers[0], StatusCode::FORBIDDEN);
    assert_eq!(answers[11], StatusCode::TOO_MANY_REQUESTS);
    let wrong = [json!({}), json!({ "code": "" }), json!({ "platform": "tg" })];
    for body in wrong {
        assert_eq!(eve.post("/api/guest", body.clone()).await.0, StatusCode::BAD_REQUEST, "{body}");
    }
    let long = json!({ "platform": "tg", "data": "x".repeat(9_000) });
    assert_eq!(eve.post("/api/guest", long).await.0, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn made_up_tokens_do_not_have_the_store_read_without_end() {
    let mut world = World::new("Ann Bek").await;
    world.on_telegram(GAME).await;
    let ann = world.enters("Ann").await;
    assert_eq!(ann.get("/api/guest").await.0, StatusCode::OK);
    let eve = |n: u32| {
        let token = (header::AUTHORIZATION, format!("Bearer made-up-{n}"));
        Visitor { pass: Some(token), ..world.visitor() }
    };
    let mut statuses = Vec::new();
    for n in 0..160 {
        statuses.push(eve(n).get("/api/guest").await.0);
    }
    assert_eq!(statuses[0], StatusCode::UNAUTHORIZED);
    assert_eq!(statuses[159], StatusCode::TOO_MANY_REQUESTS);
    let after = eve(161).post("/api/guest/out", json!({})).await.0;
    assert_eq!(after, StatusCode::TOO_MANY_REQUESTS);
    // People who are signed in at the same address stay so.
    assert_eq!(ann.get("/api/guest").await.0, StatusCode::OK);
    let bek = world.enters("Bek").await;
    assert_eq!(bek.get("/api/guest").await.0, StatusCode::OK);
}

#[tokio::test]
async fn signing_out_here_or_everywhere_ends_access() {
    let mut world = World::new("Ann Bek").await;
    world.on_telegram(GAME).await;
    let (here, there) = (world.enters("Ann").await, world.enters("Ann").await);
    let bek = world.enters("Bek").await;
    let id = table(&world.store).await.id.0;
    assert_eq!(here.post("/api/guest/out", json!({})).await.0, StatusCode::OK);
    assert_eq!(here.state(&id).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(there.state(&id).await.0, StatusCode::OK);
    world.on_telegram("Ann writes privately /web\nAnn gets reply works once").await;
    let unused = newest(&world.store, "pass ").await;
    world.on_telegram("Ann writes privately /web off\nAnn gets reply signed out").await;
    let late = world.visitor().post("/api/guest", json!({ "code": unused })).await;
    assert_eq!(late.0, StatusCode::FORBIDDEN, "a link from before");
    assert_eq!(there.state(&id).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(there.press(&id, &format!("r.{id}"), "k").await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(bek.state(&id).await.0, StatusCode::OK);
    let ann = world.enters("Ann").await;
    assert_eq!(ann.state(&id).await.0, StatusCode::OK, "the next link works");
}

#[tokio::test]
async fn a_guest_sees_their_own_hand_and_nobody_elses() {
    let mut world = World::new("Ann Bek Cyd Dan Eve").await;
    let four = "Ann says /blot\nBek presses Join\nCyd presses Join\nDan presses Join\n\
                Ann presses ▶ Start\nAnn sees or more, or pass";
    world.on_telegram(four).await;
    let id = table(&world.store).await.id.0;
    let mut hands = Vec::new();
    for who in ["Ann", "Bek", "Cyd", "Dan"] {
        let (_, state) = world.enters(who).await.state(&id).await;
        assert!(!state["hand"].as_array().unwrap().is_empty(), "{who}");
        let mine = |it: &&Value| it["you"] == true;
        assert_eq!(state["seats"].as_array().unwrap().iter().filter(mine).count(), 1);
        hands.push((state["hand"].to_string(), state.to_string()));
    }
    for (n, (hand, _)) in hands.iter().enumerate() {
        let others = hands.iter().enumerate().filter(|(m, _)| *m != n);
        assert!(others.map(|it| &it.1.1).all(|state| !state.contains(hand)), "hand {n}");
    }
    // Eve reads along in the group: she sees what all see there.
    let eve = world.enters("Eve").await;
    let (status, seen) = eve.state(&id).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(
        (&seen["you"], &seen["hand"], &seen["actions"]),
        (&Value::Null, &json!([]), &json!([]))
    );
    assert!(hands.iter().all(|(hand, _)| !seen.to_string().contains(hand)));
    assert!(seen["picture"]["hand"].is_null());
}

#[tokio::test]
async fn a_guest_looks_back_and_has_the_film_posted_in_the_chat() {
    let mut world = World::new("Ann Bek Eve").await;
    world.on_telegram(GAME).await;
    let id = table(&world.store).await.id.0;
    let ann = world.enters("Ann").await;
    let replay = format!("/api/guest/tables/{id}/replay");
    let (status, told) = ann.get(&replay).await;
    assert_eq!((status, &told["film"]), (StatusCode::OK, &Value::Null), "it is not over");
    world.on_telegram("Ann presses 7\nBek presses 7\nBek says /resign\nBek says /resign").await;
    let (_, told) = ann.get(&replay).await;
    assert_eq!((&told["phase"], &told["steps"]), (&json!("over"), &json!(2)));
    assert_eq!(told["stood"].as_array().unwrap().len(), 3);
    let (_, said) = ann.press(&id, told["film"].as_str().unwrap(), "f1").await;
    let said = said["whispers"][0]["text"].to_string();
    assert!(said.contains("Drawing the replay"), "{said}");
    world.on_telegram("Bek sees 🎬 Togyzkumalak").await;
    // It is theirs to see alone.
    assert_eq!(world.visitor().get(&replay).await.0, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_known_state_is_answered_with_changes_only() {
    let mut world = World::new("Ann Bek").await;
    world.on_telegram(GAME).await;
    let id = table(&world.store).await.id.0;
    let ann = world.enters("Ann").await;
    let path = format!("/api/guest/tables/{id}?drawn=1");
    let first = ann.ask(&path).await;
    let tag = first.headers()["etag"].to_str().unwrap().trim_matches('"').to_owned();
    let whole = first.text().await.unwrap();
    let (status, told) = ann.get(&format!("{path}&known={tag}")).await;
    assert_eq!((status, &told["known"]), (StatusCode::OK, &json!(tag)));
    assert!(told["patch"].is_array() && told.to_string().len() < whole.len() / 4);
    // The data of another person is useless.
    let bek = world.enters("Bek").await;
    let (_, told) = bek.get(&format!("{path}&known={tag}")).await;
    assert_eq!((&told["table"], &told["patch"]), (&json!(id), &Value::Null));
}

#[tokio::test]
async fn a_table_is_visible_only_to_its_players_and_chats() {
    let mut world = World::new("Ann Bek Cyd").await;
    world.on_telegram(GAME).await;
    let id = table(&world.store).await.id.0;
    let cyd = world.enters("Cyd").await;
    assert_eq!(cyd.state(&id).await.0, StatusCode::OK, "Cyd is in the group");
    // Twelve hours later nobody vouches for that any more; players go on.
    let ann = world.enters("Ann").await;
    world.tg.host.clock.pass_ms(13 * 3_600_000);
    assert_eq!(cyd.state(&id).await.0, StatusCode::NOT_FOUND);
    assert_eq!(ann.state(&id).await.0, StatusCode::OK);
    // People who are not in the group get a link, but not to that table.
    world.on_telegram("Cyd leaves the group").await;
    let cyd = world.enters("Cyd").await;
    assert_eq!(cyd.get("/api/guest").await.0, StatusCode::OK);
    assert_eq!(cyd.state(&id).await.0, StatusCode::NOT_FOUND);
    assert_eq!(cyd.press(&id, &format!("p.{id}.2.7"), "k").await.0, StatusCode::NOT_FOUND);
    assert_eq!(cyd.state("zzzz9").await.0, StatusCode::NOT_FOUND);
    // At a table only its own buttons work, and pages of the course.
    for press in ["o.togyz", "S.ru", "r.zzzz9", "0.bcdfghjkmn", "?.1"] {
        assert_eq!(ann.press(&id, press, "k1").await.0, StatusCode::NOT_FOUND, "{press}");
    }
    assert_eq!(ann.press(&id, "q.togyzkumalak.0", "k2").await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_guest_reads_in_their_language_theme_and_from_their_side() {
    let mut world = World::new("Ann Bek").await;
    world.on_telegram(GAME).await;
    let id = table(&world.store).await.id.0;
    world.on_telegram("Bek writes privately /language ru\nBek writes privately /theme night").await;
    let (ann, bek) =
        (world.enters_in("Ann", "works once").await, world.enters_in("Bek", "/web off").await);
    let (_, me) = bek.get("/api/guest").await;
    assert_eq!((&me["lang"], &me["theme"]), (&json!("ru"), &json!("night")));
    let (_, his) = bek.state(&id).await;
    let (_, hers) = ann.state(&id).await;
    let russian = |it: char| ('а'..='я').contains(&it);
    assert!(his["says"].to_string().contains(russian), "{}", his["says"]);
    assert_ne!(his["picture"]["board"]["ground"], hers["picture"]["board"]["ground"]);
    assert_ne!(his["picture"]["board"]["items"], hers["picture"]["board"]["items"]);
}

#[tokio::test]
async fn table_events_are_streamed_at_once() {
    let mut world = World::new("Ann Bek").await;
    world.on_telegram(GAME).await;
    let id = table(&world.store).await.id.0;
    let bek = world.enters("Bek").await;
    let mut stream = bek.ask(&format!("/api/guest/tables/{id}/events")).await;
    assert_eq!(stream.status(), StatusCode::OK);
    let mut told = String::new();
    let mut reads = async |count: usize| {
        while told.matches("event: table").count() < count {
            let more = stream.chunk().await.unwrap().expect("it goes on");
            told.push_str(&String::from_utf8_lossy(&more));
        }
    };
    reads(1).await;
    world.on_telegram("Ann presses 7\nBek sees Bek is to move").await;
    reads(2).await;
    let foreign = bek.ask("/api/guest/tables/zzzz9/events").await;
    assert!(foreign.text().await.unwrap().contains("event: gone"));
}

#[tokio::test]
async fn a_guest_stays_signed_in_while_the_store_does_not_answer() {
    let fails = Arc::new(AtomicBool::new(false));
    let mut world =
        World::on("Ann Bek", page(), Arc::new(FailingStore::new(FailureKind::Reads, &fails))).await;
    world.on_telegram(GAME).await;
    let id = table(&world.store).await.id.0;
    let bek = world.enters("Bek").await;
    let mut stream = bek.ask(&format!("/api/guest/tables/{id}/events")).await;
    let first = stream.chunk().await.unwrap().expect("the table as it is");
    assert!(String::from_utf8_lossy(&first).contains("event: table"));
    fails.store(true, Ordering::SeqCst);
    assert_eq!(bek.state(&id).await.0, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(bek.get("/api/guest").await.0, StatusCode::SERVICE_UNAVAILABLE);
    fails.store(false, Ordering::SeqCst);
    assert_eq!(bek.state(&id).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_sign_out_that_fails_is_no_success() {
    let fails = Arc::new(AtomicBool::new(false));
    let mut world =
        World::on("Ann Bek", page(), Arc::new(FailingStore::new(FailureKind::Commits, &fails)))
            .await;
    world.on_telegram(GAME).await;
    let bek = world.enters("Bek").await;
    fails.store(true, Ordering::SeqCst);
    let refused = bek.post("/api/guest/out", json!({})).await.0;
    fails.store(false, Ordering::SeqCst);
    assert_eq!(refused, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(bek.get("/api/guest").await.0, StatusCode::OK);
    assert_eq!(bek.post("/api/guest/out", json!({})).await.0, StatusCode::OK);
    assert_eq!(bek.post("/api/guest/out", json!({})).await.0, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn boards_offer_the_ways_out_of_the_chat() {
    let mut world = World::new("Ann Bek").await;
    world.on_telegram(GAME).await;
    world.on_telegram("Ann has buttons ▦ Open the board").await;
    world
        .on_telegram("Ann presses ⋯\nAnn has private buttons 🌐 In the browser | ▦ Open the board")
        .await;
    world.on_telegram("Ann presses 🌐\nAnn gets reply works once").await;
    assert_eq!(newest(&world.store, "pass ").await.len(), 20);
    // A challenge by link can be opened on the page by anybody.
    world
        .on_telegram(
            "Bek writes privately /togyz link\nBek sees https://play.example.org/#/@?play=",
        )
        .await;
}

#[tokio::test]
async fn without_ephemeral_messages_a_link_to_the_private_chat_is_shown() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let app = MiniApp::new(PAGE.to_owned(), None);
    let mut tg = TelegramStage::with_app(store.clone(), app).await;
    // A server that knows no messages for one person alone.
    tg.tg.old();
    play("old", "people Ann Bek\nrestart", &mut tg).await;
    let _web = WebStage::public(tg.host.beside(), page()).await;
    let asks = format!("{GAME}\nAnn has no button ▦\nAnn says /web\nAnn gets reply ?start=web_");
    play("asks", &asks, &mut tg).await;
    assert!(store.scan(Space::Meta, "pass ", None, 1).await.unwrap().is_empty());
    let id = table(&store).await.id.0;
    let begins = format!("Ann writes privately /start web_{id}\nAnn gets reply works once");
    play("begins", &begins, &mut tg).await;
    assert!(!store.scan(Space::Meta, "pass ", None, 1).await.unwrap().is_empty());
}

#[tokio::test]
async fn without_a_public_address_there_is_nothing_of_all_this() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let mut tg = TelegramStage::new(store.clone()).await;
    let web = WebStage::on(tg.host.beside()).await;
    let script = format!(
        "people Ann Bek\n{GAME}\nAnn has no button ▦\nAnn writes privately /web\n\
                          Ann gets reply can’t be opened in a browser"
    );
    play("tg", &script, &mut tg).await;
    play("menu", "Ann presses ⋯\nAnn has no private button 🌐", &mut tg).await;
    let eve = Visitor::at(web.address());
    for path in ["/api/guest", "/api/guest/tables"] {
        assert_eq!(eve.get(path).await.0, StatusCode::NOT_FOUND, "{path}");
    }
    let code = json!({ "code": "bcdfghjkmnpqrstvwxz2" });
    assert_eq!(eve.post("/api/guest", code).await.0, StatusCode::NOT_FOUND);
    let framed = eve.ask("/board").await;
    assert_eq!(framed.headers()["x-frame-options"], "DENY");
}

#[tokio::test]
async fn only_boards_may_be_embedded_and_only_by_platforms() {
    let world = World::new("Ann Bek").await;
    let eve = world.visitor();
    let policy = async |path: &str| {
        let answer = eve.ask(path).await;
        let policy = answer.headers()["content-security-policy"].to_str().unwrap().to_owned();
        (policy, answer.headers().get("x-frame-options").is_some())
    };
    let ancestors = "frame-ancestors https://web.telegram.org https://discord.com";
    for path in ["/board", "/?frame_id=1&instance_id=i"] {
        let (policy, denied) = policy(path).await;
        assert!(policy.ends_with(ancestors) && !denied, "{path}: {policy}");
    }
    for path in ["/", "/api", "/api/guest"] {
        let (policy, denied) = policy(path).await;
        assert!(policy.ends_with("frame-ancestors 'none'") && denied, "{path}: {policy}");
    }
    let shown = eve.ask("/?frame_id=1").await.text().await.unwrap();
    assert!(
        shown.contains("guest.js")
            && !eve.ask("/").await.text().await.unwrap().contains("guest.js")
    );
}
