//! Two servers on one store: the same rooms for everybody; and a failing store.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use caravanserai_games::ids::TableId;
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Store, StoreAnswer, StoreChange, StoreError, StoreLayer, StoreQuery};
use caravanserai_webchat::Webchat;
use tokio::sync::broadcast;

use super::*;
use crate::stage::web::HOST;
use crate::web_bot::settings;

/// Starts a process that serves the chat of this store and folder with this bot.
async fn start(store: &Arc<dyn Store>, folder: &TempDir, bot: &Arc<Bot>) -> Served {
    let (store, bot) = (Arc::clone(store), Arc::clone(bot));
    Served::start_on(store, settings(folder.path()), bot, "127.0.0.1:0").await
}

/// Two processes' worth of chat on one store and one folder of pictures.
async fn two() -> (TempDir, Served, Served) {
    let folder = TempDir::new().unwrap();
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let [one, two] = [Arc::new(Bot::default()), Arc::new(Bot::default())];
    let one = start(&store, &folder, &one).await;
    let two = start(&store, &folder, &two).await;
    (folder, one, two)
}

#[tokio::test]
async fn two_processes_serve_the_same_rooms() {
    let (_folder, one, two) = two().await;
    let ann = Someone::enter(&one, "Ann").await;
    let bob = Someone::enter(&two, "Bob").await;
    let ann_there = Someone {
        client: ann.client.clone(),
        base: two.base.clone(),
        token: ann.token.clone(),
        id: ann.id.clone(),
    };
    let mut stream = ann_there.try_get("events").await;
    // Everything that both say at once is in one order for both.
    let words = (0..8).map(|n| {
        let (ann, bob) = (&ann, &bob);
        async move {
            ann.say(&format!("ann {n}"), &format!("a{n}")).await;
            bob.say(&format!("bob {n}"), &format!("b{n}")).await;
        }
    });
    futures::future::join_all(words).await;
    bob.say("/togyz", "last").await;
    let mut told = String::new();
    while !told.contains("/togyz") || !told.contains("ann 7") {
        told.push_str(&String::from_utf8_lossy(&stream.chunk().await.unwrap().unwrap()));
    }
    // A person who has seen the end at one process sees it at the other.
    let seq = bob.get("me").await["seq"].as_u64().unwrap();
    let caught_up = ann.events(seq).await;
    assert!(caught_up.iter().all(|(_, name, _)| name != "reset"));
    let (here, there) = (ann.texts().await, bob.texts().await);
    assert_eq!(here.len(), 18);
    assert_eq!(here, there);
    // A picture posted by one process is shown by the other.
    let board = ann.messages("lobby").await.pop().unwrap();
    let source = board["image"]["src"].as_str().unwrap().trim_start_matches("/api/").to_owned();
    assert_eq!(ann.try_get(&source).await.status(), StatusCode::OK);
    // The same deed at both acts once.
    let body = json!({ "text": "once", "key": "same" });
    let (first, second) = futures::join!(
        ann.post("rooms/lobby/messages", body.clone()),
        ann_there.post("rooms/lobby/messages", body)
    );
    assert_eq!(first["id"], second["id"]);
}

/// A shared store that announces no change to its process, and can be out of reach for it.
struct Lagging {
    store: Arc<dyn Store>,
    is_away: AtomicBool,
}

#[async_trait]
impl StoreLayer for Lagging {
    fn inner(&self) -> &dyn Store {
        &*self.store
    }

    async fn read(&self, reads: &[StoreQuery]) -> Result<Vec<StoreAnswer>, StoreError> {
        match self.is_away.load(Ordering::Relaxed) {
            true => Err(StoreError::Failed("out of reach".to_owned())),
            false => self.store.read(reads).await,
        }
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn subscribe_changes(&self) -> broadcast::Receiver<StoreChange> {
        broadcast::channel(1).1
    }
}

#[tokio::test]
async fn a_process_that_lags_behind_knows_a_new_token_or_says_try_later() {
    let folder = TempDir::new().unwrap();
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let one = start(&store, &folder, &Arc::default()).await;
    let lagging = Arc::new(Lagging { store, is_away: AtomicBool::new(false) });
    let there: Arc<dyn Store> = Arc::<Lagging>::clone(&lagging);
    let two = start(&there, &folder, &Arc::default()).await;
    let at_two = |token: &str| Someone {
        client: Client::builder().no_proxy().build().unwrap(),
        base: two.base.clone(),
        token: token.to_owned(),
        id: String::new(),
    };
    // It is loaded; what happens from now on it does not hear.
    assert_eq!(at_two("unknown").try_get("me").await.status(), StatusCode::UNAUTHORIZED);
    let ann = Someone::arrive(&one, "Ann").await;
    assert_eq!(at_two(&ann.token).get("me").await["name"], "Ann");
    let token = "cd".repeat(32);
    ann.post("me/token", json!({ "token": token })).await;
    lagging.is_away.store(true, Ordering::Relaxed);
    let unclear = at_two(&token).try_get("me").await;
    assert_eq!(unclear.status(), StatusCode::SERVICE_UNAVAILABLE);
    lagging.is_away.store(false, Ordering::Relaxed);
    assert_eq!(at_two(&token).get("me").await["name"], "Ann");
    assert_eq!(at_two(&ann.token).try_get("me").await.status(), StatusCode::UNAUTHORIZED);
}

/// A shared store that can be out of reach for one process, and counts the reads that failed.
struct Unsteady {
    store: Arc<dyn Store>,
    is_away: AtomicBool,
    failed_reads: AtomicUsize,
}

#[async_trait]
impl StoreLayer for Unsteady {
    fn inner(&self) -> &dyn Store {
        &*self.store
    }

    async fn read(&self, reads: &[StoreQuery]) -> Result<Vec<StoreAnswer>, StoreError> {
        if self.is_away.load(Ordering::Relaxed) {
            self.failed_reads.fetch_add(1, Ordering::Relaxed);
            return Err(StoreError::Failed("out of reach".to_owned()));
        }
        self.store.read(reads).await
    }
}

#[tokio::test]
async fn a_process_shows_a_message_whose_announcement_came_while_it_could_not_read() {
    let folder = TempDir::new().unwrap();
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let one = start(&store, &folder, &Arc::default()).await;
    let (is_away, failed_reads) = Default::default();
    let unsteady = Arc::new(Unsteady { store, is_away, failed_reads });
    let there: Arc<dyn Store> = Arc::<Unsteady>::clone(&unsteady);
    let two = start(&there, &folder, &Arc::default()).await;
    let ann = Someone::enter(&one, "Ann").await;
    let bob = Someone::enter(&two, "Bob").await;
    let mut stream = bob.try_get("events").await;
    unsteady.is_away.store(true, Ordering::Relaxed);
    ann.say("Is anybody here?", "k1").await;
    while unsteady.failed_reads.load(Ordering::Relaxed) == 0 {
        tokio::task::yield_now().await;
    }
    unsteady.is_away.store(false, Ordering::Relaxed);
    let mut told = String::new();
    while !told.contains("Is anybody here?") {
        told.push_str(&String::from_utf8_lossy(&stream.chunk().await.unwrap().unwrap()));
    }
}

/// The operator's request arrives at a process that has never seen the person.
#[tokio::test]
async fn the_operator_bans_a_person_of_another_process() {
    let folder = TempDir::new().unwrap();
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let behind = || caravanserai_webchat::WebchatSettings {
        proxies: caravanserai_webchat::TrustedProxies::parse("127.0.0.1").unwrap(),
        ..settings(folder.path())
    };
    let serve = async || {
        Served::start_on(Arc::clone(&store), behind(), Arc::default(), "127.0.0.1:0").await
    };
    let (one, two) = (serve().await, serve().await);
    // Each request comes from her address.
    let ask = async |at: &Served, name: Option<&str>| {
        let client = Client::builder().no_proxy().build().unwrap();
        let request = match name {
            Some(name) => {
                client.post(format!("{}/api/people", at.base)).json(&json!({ "name": name }))
            }
            None => client.get(format!("{}/api/me", at.base)),
        };
        let answer = request.header("x-forwarded-for", "192.0.2.66").send().await.unwrap();
        answer.json::<Value>().await.unwrap()
    };
    let eve = ask(&two, Some("Eve")).await;
    let ban = json!({ "person": eve["id"] });
    let (status, banned) = manage::host(&one, HOST, "/ban", Some(ban)).await;
    assert_eq!((status, &banned["address"]), (202, &Value::Null));
    for at in [&one, &two] {
        let refused = async {
            while ask(at, None).await["error"] != "banned" {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), refused).await.expect("she is banned");
        assert_eq!(ask(at, Some("Eve")).await["error"], "banned");
    }
    let (_, list) = manage::host(&one, HOST, "", None).await;
    assert_eq!(list["bans"][0]["address"], "192.0.2.66");
}

#[tokio::test]
async fn spectators_are_counted_over_all_processes() {
    let (_folder, one, two) = two().await;
    let ann = Someone::enter(&one, "Ann").await;
    let bob = Someone::enter(&two, "Bob").await;
    let (ann_here, bob_here) = (ann.try_get("events").await, bob.try_get("events").await);
    let (table, room) = (TableId("7k3fx".into()), lobby(&one));
    for who in [&ann, &bob] {
        who.try_get(&format!("rooms/lobby/tables/{}", table.0)).await;
    }
    let looking = async |at: &Served| at.web.spectators(&room, &table).await.unwrap();
    let until = async |at: &Served, count: usize| {
        let seen = async {
            while looking(at).await.len() != count {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), seen).await.expect("they are counted");
    };
    until(&one, 2).await;
    until(&two, 2).await;
    // A person who closes the page is no spectator any more.
    drop(bob_here);
    until(&one, 1).await;
    assert_eq!(looking(&one).await, [PersonId(ann.id.clone())]);
    // A process that ends takes its own along.
    one.web.close();
    until(&two, 0).await;
    drop(ann_here);
}

#[tokio::test]
async fn updates_of_a_killed_process_reach_another() {
    let folder = TempDir::new().unwrap();
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let dying = Arc::new(Bot::default());
    let one = start(&store, &folder, &dying).await;
    let ann = Someone::enter(&one, "Ann").await;
    *dying.dead.lock() = true;
    let body = json!({ "text": "/say alive", "key": "k1" });
    let (status, _) = ann.try_post("rooms/lobby/messages", body).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    let other = Arc::new(Bot::default());
    let two = start(&store, &folder, &other).await;
    let ann = ann.at(&two);
    let start = ann.get("me").await["seq"].as_u64().unwrap();
    let mut stream = ann.try_get(&format!("events?after={}", start.saturating_sub(1))).await;
    let mut told = String::new();
    while !told.contains("alive\"") || ann.texts().await.len() < 2 {
        told.push_str(&String::from_utf8_lossy(&stream.chunk().await.unwrap().unwrap()));
    }
    assert_eq!(ann.texts().await, ["/say alive", "alive"]);
}

#[tokio::test]
async fn a_room_with_a_reused_name_is_a_new_chat_at_all_processes() {
    let (_folder, one, two) = two().await;
    let ann = Someone::enter(&one, "Ann").await;
    let bob = Someone::enter(&two, "Bob").await;
    let first = lobby(&one);
    assert_eq!(lobby(&two), first);
    manage::close_lobby(&one).await;
    // Both open it at once: it is one room, and another than before.
    let (ann_there, body) = (ann.at(&two), json!({ "name": "lobby" }));
    let cem = Someone::arrive(&one, "Cem").await;
    futures::join!(ann_there.post("rooms", body.clone()), cem.post("rooms", body));
    ann_there.say("/say here", "k1").await;
    cem.say("/say there", "k1").await;
    assert_eq!(ann_there.get("rooms/lobby").await["people"].as_array().unwrap().len(), 2);
    assert_eq!(lobby(&one), lobby(&two));
    assert_ne!(lobby(&one), first);
    for at in [&one, &two] {
        assert_eq!(at.web.post(&first, &say("late")).await, Err(SendError::NotAllowed));
    }
    assert_eq!(bob.try_get("rooms/lobby").await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn messages_of_a_deleted_room_do_not_reach_its_successor() {
    let folder = TempDir::new().unwrap();
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let dying = Arc::new(Bot::default());
    let one = start(&store, &folder, &dying).await;
    let ann = Someone::enter(&one, "Ann").await;
    ann.post("rooms", json!({ "name": "@" })).await;
    *dying.dead.lock() = true;
    for (room, key) in [("lobby", "k1"), ("@", "k2")] {
        let body = json!({ "text": format!("/say in {room}"), "key": key });
        let (status, _) = ann.try_post(&format!("rooms/{room}/messages"), body).await;
        assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    }
    manage::close_lobby(&one).await;
    // The new room is stored; the process dies before the bot hears of it.
    let bob = Someone::arrive(&one, "Bob").await;
    let (status, _) = bob.try_post("rooms", json!({ "name": "lobby" })).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    let two = start(&store, &folder, &Arc::default()).await;
    let (ann, bob) = (ann.at(&two), bob.at(&two));
    while ann.messages("@").await.len() < 2 {
        tokio::task::yield_now().await;
    }
    while !two.bot.calls.lock().iter().any(|it| matches!(it.kind, UpdateKind::BotAdded)) {
        tokio::task::yield_now().await;
    }
    assert_eq!(bob.texts().await, [""; 0]);
    let heard = format!("{:?}", two.bot.calls.lock());
    assert!(heard.contains("in @") && !heard.contains("in lobby"), "{heard}");
}

#[tokio::test]
async fn a_chat_whose_store_fails_is_there_and_says_so() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    store.close().await.unwrap();
    let folder = TempDir::new().unwrap();
    let web = Webchat::open(settings(folder.path()), store);
    assert!(!web.health().loaded);
    // The page is served; requests that need the store are refused, and the bot has to wait.
    let refused = web.post(&ChatId("web:lobby".into()), &say("hello")).await;
    assert!(matches!(refused, Err(SendError::Temporary(_))), "{refused:?}");
    assert!(web.health().trouble.is_some());
}
