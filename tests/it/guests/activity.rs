//! The Activity: the identity of people who open a board inside Discord.

use serde_json::json;

use super::*;
use crate::fake_discord::oauth::CLIENT_SECRET;
use crate::fake_discord::{Actor, Failure};
use crate::stage::discord::DiscordStage;
use crate::stage::host::Host;

/// A bot on Discord with an Activity.
struct Discord {
    dc: DiscordStage,
    web: WebStage,
    store: Arc<dyn Store>,
}

/// The answer that opens the Activity.
const LAUNCH: Option<u64> = Some(12);

impl Discord {
    async fn new(secret: &str) -> Self {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
        let mut dc = DiscordStage::with_activity(Host::new(store.clone(), 1), secret).await;
        let web = WebStage::public(dc.host.beside(), page()).await;
        play("dc", &format!("people Ann Bek Cyd\n{GAME}"), &mut dc).await;
        Self { dc, web, store }
    }

    fn actor(&self, who: &str) -> Actor {
        self.dc.people[who].clone()
    }

    /// The proof of identity of a person's client.
    fn proof(&self, who: &str) -> Value {
        json!({ "platform": "dc", "data": self.dc.dc.grants(&self.actor(who)) })
    }

    fn visitor(&self) -> Visitor {
        Visitor::at(self.web.address())
    }

    /// Waits for the answer to an interaction.
    async fn answer_of(&mut self, asked: u64) -> Option<u64> {
        for _ in 0..20_000 {
            self.dc.quiet().await;
            if let Some(answer) = self.dc.dc.answer_of(asked) {
                return Some(answer);
            }
            tokio::task::spawn_blocking(|| ()).await.unwrap();
        }
        None
    }
}

#[tokio::test]
async fn a_button_opens_the_board_as_an_activity() {
    let mut world = Discord::new(CLIENT_SECRET).await;
    let id = table(&world.store).await.id.0;
    let channel = world.dc.channel.clone().unwrap();
    let pressed = world.actor("Ann").press_label(&channel, "▦ Open the board");
    assert_eq!(world.answer_of(pressed).await, LAUNCH);
    let mut ann = world.visitor();
    let told = ann.open(world.proof("Ann")).await;
    assert_eq!((&told["name"], &told["table"]), (&json!("Ann"), &json!(id)));
    assert!(told["key"].as_str().unwrap().starts_with("token"), "her client wants it");
    let (_, state) = ann.state(&id).await;
    let press = state["actions"][6]["press"].as_str().unwrap();
    assert_eq!(ann.press(&id, press, "k1").await.0, StatusCode::OK);
    play("dc", "Bek sees Bek is to move", &mut world.dc).await;
    // The command that Discord shows with every Activity does the same.
    let given = world.actor("Cyd").slash(&channel, "launch", &[]);
    assert_eq!(world.answer_of(given).await, LAUNCH);
    let mut cyd = world.visitor();
    assert_eq!(cyd.open(world.proof("Cyd")).await["table"], *id);
    let (status, state) = cyd.state(&id).await;
    assert_eq!((status, &state["you"]), (StatusCode::OK, &Value::Null), "Cyd looks on");
    assert!(world.dc.dc.violations().is_empty(), "{:?}", world.dc.dc.violations());
}

#[tokio::test]
async fn activity_participants_come_from_discord() {
    let world = Discord::new(CLIENT_SECRET).await;
    let id = table(&world.store).await.id.0;
    let channel = world.dc.channel.clone().unwrap();
    let (ann, cyd) = (world.actor("Ann"), world.actor("Cyd"));
    let mut alone = world.visitor();
    alone.open(world.proof("Cyd")).await;
    assert_eq!(alone.state(&id).await.0, StatusCode::NOT_FOUND, "he only says so");
    let theirs = world.dc.dc.opens_window(&channel, &[&ann]);
    for (window, status) in [
        (theirs, StatusCode::NOT_FOUND),
        ("../../users/@me".to_owned(), StatusCode::NOT_FOUND),
        (world.dc.dc.opens_window(&channel, &[&ann, &cyd]), StatusCode::OK),
    ] {
        let mut visitor = world.visitor();
        let mut proof = world.proof("Cyd");
        proof["instance"] = json!(window);
        visitor.open(proof).await;
        assert_eq!(visitor.state(&id).await.0, status, "{window}");
    }
}

#[tokio::test]
async fn old_used_and_forged_codes_open_nothing() {
    let world = Discord::new(CLIENT_SECRET).await;
    let visitor = world.visitor();
    let refused = async |proof: &Value| {
        let (status, told) = visitor.post("/api/guest", proof.clone()).await;
        (status, told["error"].as_str().unwrap_or_default().to_owned())
    };
    let unknown = (StatusCode::FORBIDDEN, "unknown".to_owned());
    let (used, late) = (world.proof("Ann"), world.proof("Ann"));
    assert_eq!(refused(&used).await.0, StatusCode::OK);
    assert_eq!(refused(&used).await, unknown);
    world.dc.dc.advance(std::time::Duration::from_secs(61));
    assert_eq!(refused(&late).await, unknown);
    assert_eq!(refused(&json!({ "platform": "dc", "data": "made-up" })).await, unknown);
    // The host has copied the secret of another application: its users are not at fault.
    let wrong = Discord::new("another-secret").await;
    let (status, _) = wrong.visitor().post("/api/guest", wrong.proof("Ann")).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
}

/// Anybody can make up codes, so their number must not bring Discord to refuse real ones.
#[tokio::test]
async fn made_up_codes_are_not_all_passed_on_to_discord() {
    let world = Discord::new(CLIENT_SECRET).await;
    let exchanges = || world.dc.dc.calls_to("POST", "/oauth2/token").len();
    let made_up = json!({ "platform": "dc", "data": "made-up" });
    let eve = world.visitor();
    let (method, path) = ("POST", "/oauth2/token");
    world.dc.dc.fail(Failure::TooMany { method, path, wait_ms: 5_000 });
    for _ in 0..3 {
        let (status, _) = eve.post("/api/guest", made_up.clone()).await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "Discord asked to wait");
    }
    assert_eq!(exchanges(), 1);
    world.dc.dc.advance(std::time::Duration::from_secs(6));
    let mut ann = world.visitor();
    ann.open(world.proof("Ann")).await;
    assert_eq!(exchanges(), 2);
    let mut statuses = Vec::new();
    for _ in 0..160 {
        statuses.push(eve.post("/api/guest", made_up.clone()).await.0);
    }
    assert_eq!(statuses[0], StatusCode::FORBIDDEN);
    assert_eq!(statuses[159], StatusCode::TOO_MANY_REQUESTS);
    assert!(exchanges() < 160, "{} codes were tried", exchanges());
}
