//! Several processes share one Discord bot: one continues what another has begun.

use caravanserai::kv_store::StoreKeyValues;
use caravanserai_discord::PublicKey;
use caravanserai_platform_shared::health_reporter::HealthReporter;
use caravanserai_protocol::PlatformHealth;
use caravanserai_store::memory::MemoryStore;

use super::*;
use crate::fake_discord::signed::Signing;

/// One process of several.
struct Process {
    discord: DiscordPlatform,
    script: Arc<Script>,
    state: HealthReporter,
    stop: oneshot::Sender<()>,
    running: JoinHandle<Result<(), DiscordStartError>>,
}

/// Processes on one store.
struct Town {
    dc: FakeDiscord,
    clock: Arc<FakeClock>,
    store: Arc<MemoryStore>,
}

impl Town {
    async fn new() -> Town {
        let (dc, clock) = (FakeDiscord::start().await, Arc::new(FakeClock::default()));
        clock.set(dc.now_ms());
        Town { dc, clock, store: Arc::default() }
    }

    async fn process(&self, name: &str) -> Process {
        let notebook = Arc::new(StoreKeyValues::new(self.store.clone(), name));
        let state = HealthReporter::new("dc");
        let shared = PlatformServices { store: notebook, reporter: state.clone() };
        let (token, url) = (self.dc.token(), self.dc.api_url());
        let settings = DiscordSettings {
            shared,
            ..settings(&self.clock, token, url, Duration::from_secs(60))
        };
        let discord = DiscordPlatform::connect(settings).await.expect("it starts");
        discord.register_commands(&menu()).await.expect("the menu is fine");
        let script = Script::new();
        let (stop, stopped) = oneshot::channel();
        let (runner, listener) = (discord.clone(), script.clone());
        let running = tokio::spawn(async move {
            let stop = async {
                let _ = stopped.await;
            };
            runner.run(listener, stop).await
        });
        Process { discord, script, state, stop, running }
    }
}

impl Process {
    async fn serves(&self) {
        let mut state = self.state.subscribe();
        let serving = state.wait_for(|it| it.health == PlatformHealth::Serving);
        tokio::time::timeout(Duration::from_secs(20), serving).await.unwrap().unwrap();
    }

    async fn heard(&self, count: usize) {
        let mut heard = self.script.heard.subscribe();
        let enough = heard.wait_for(|it| it.len() >= count);
        tokio::time::timeout(Duration::from_secs(20), enough).await.unwrap().unwrap();
    }

    async fn end(self) {
        self.stop.send(()).unwrap();
        self.running.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn one_process_is_at_the_gateway_and_another_takes_its_place() {
    let town = Town::new().await;
    let one = town.process("one").await;
    town.dc.connected().await;
    let other = town.process("other").await;
    // It has seen that the shard is taken.
    other.serves().await;
    assert_eq!(town.dc.sessions(), 1);
    let ann = town.dc.user("ann");
    let channel = town.dc.channel("games", &[&ann]);
    ann.slash(&channel, "togyz", &[]);
    one.heard(1).await;
    one.end().await;
    town.dc.wait_until("the other one", |dc| dc.sessions() == 2 && dc.is_connected()).await;
    ann.slash(&channel, "togyz", &[]);
    other.heard(1).await;
    assert_eq!(other.script.heard.borrow().len(), 1, "what one has heard the other does not");
    other.end().await;
}

#[tokio::test]
async fn a_removal_while_no_process_runs_is_reported_at_the_start() {
    let town = Town::new().await;
    let one = town.process("one").await;
    town.dc.connected().await;
    let ann = town.dc.user("ann");
    let (channel, kept) = (town.dc.channel("games", &[&ann]), town.dc.channel("talk", &[&ann]));
    for (at, count) in [(&channel, 1), (&kept, 2)] {
        ann.slash(at, "togyz", &[]);
        one.heard(count).await;
    }
    one.discord.drain().await;
    one.end().await;
    town.dc.remove_bot(&channel);
    let other = town.process("other").await;
    other.heard(1).await;
    other.discord.drain().await;
    let heard = other.script.heard.borrow().clone();
    assert!(matches!(heard[0].kind, UpdateKind::BotRemoved), "{heard:?}");
    assert_eq!((heard.len(), &heard[0].chat.id), (1, &chat(&channel)));
    other.end().await;
    // It was reported, so the next process does not report it again.
    let last = town.process("last").await;
    last.serves().await;
    ann.slash(&kept, "togyz", &[]);
    last.heard(1).await;
    last.discord.drain().await;
    assert_eq!(last.script.heard.borrow().len(), 1);
    last.end().await;
}

#[tokio::test]
async fn a_posting_process_knows_messages_below_its_board() {
    let town = Town::new().await;
    let gateway = town.process("one").await;
    town.dc.connected().await;
    let posts = town.process("other").await;
    posts.serves().await;
    let ann = town.dc.user("ann");
    let channel = town.dc.channel("games", &[&ann]);
    let (here, dm) = (chat(&channel), chat(&town.dc.dm(&ann)));
    let id = posts.discord.post(&here, &board("Ann to move")).await.unwrap();
    for _ in 0..8 {
        ann.say(&channel, "how are you?", None);
    }
    soon("all that was said", async || {
        posts.discord.refresh_chat_state(&here).await;
        posts.discord.messages_below(&here, &id) == 8
    })
    .await;
    let guild = town.dc.guild_id(&channel).unwrap();
    let link = posts.discord.message_link(&here, &id).unwrap();
    assert_eq!(link, format!("https://discord.com/channels/{guild}/{}/{}", channel.id, id.0));
    // Nobody else reads a direct channel: a hand may be posted there.
    let person = PersonId(format!("dc:{}", ann.id));
    posts
        .discord
        .show_ephemeral(&dm, &person, "hand t1", &board("your hand").into())
        .await
        .unwrap();
    gateway.end().await;
    posts.end().await;
    assert_eq!(town.dc.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn an_unopened_answer_is_opened_by_another_process() {
    let town = Town::new().await;
    let one = town.process("one").await;
    town.dc.connected().await;
    let (ann, bob) = (town.dc.user("ann"), town.dc.user("bob"));
    let channel = town.dc.channel("games", &[&ann, &bob]);
    let id = one.discord.post(&chat(&channel), &board("move 1")).await.unwrap();
    let message = saying("pit 3 is empty");
    let answer = EphemeralReply {
        message: message.into(),
        form: ReplyForm::Toast,
        ..EphemeralReply::default()
    };
    one.script.answers.lock().push_back(vec![answer]);
    let typed = ann.say(&channel, "3", Some(&id.0));
    town.dc.wait_until("a cover", |dc| dc.visible_to(&bob, &channel).len() == 3).await;
    one.end().await;
    let cover = town.dc.visible_to(&bob, &channel)[2].id.clone();
    let other = town.process("other").await;
    let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let signing = Signing::new(&format!("http://{}/d", socket.local_addr().unwrap()), 7);
    let key = PublicKey::parse(&signing.public_key()).unwrap();
    let router = other.discord.interaction_routes(other.script.clone(), "/d", key);
    tokio::spawn(async move { axum::serve(socket, router).await });
    town.dc.post_interactions(&signing);
    ann.press(&channel, &cover, &format!("w.{typed}"));
    let told = |dc: &FakeDiscord| {
        dc.visible_to(&ann, &channel).iter().any(|it| it.ephemeral && it.text == "pit 3 is empty")
    };
    town.dc.wait_until("the answer", told).await;
    other.end().await;
}

#[tokio::test]
async fn the_next_process_reports_that_people_can_act_again() {
    let town = Town::new().await;
    let one = town.process("one").await;
    town.dc.connected().await;
    let (ann, bob) = (town.dc.user("ann"), town.dc.user("bob"));
    let channel = town.dc.channel("games", &[&ann, &bob]);
    let thread = town.dc.thread(&channel, "evening");
    town.dc.times_out(&channel, &bob, Duration::from_secs(600));
    town.dc.lock_thread(&thread, true);
    // He is in timeout in the channel and in the thread.
    one.heard(3).await;
    one.end().await;
    town.dc.lock_thread_unseen(&thread, false);
    town.dc.ends_timeout(&channel, &bob);
    let other = town.process("other").await;
    other.heard(3).await;
    let heard = other.script.heard.borrow().clone();
    let came = heard.iter().filter(|it| matches!(it.kind, UpdateKind::MembersJoined { .. }));
    assert_eq!(came.count(), 2, "{heard:?}");
    let back = heard.iter().find(|it| matches!(it.kind, UpdateKind::BotAdded)).expect("unlocked");
    assert_eq!(back.chat.id, chat(&thread));
    other.end().await;
}
