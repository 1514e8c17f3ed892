//! The Discord adapter against a Discord of our own.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use caravanserai::chat::{
    Body, Button, Image, Listener, Mention, MessageId, Outgoing, Person, PersonId, Place, PlaceId,
    PlaceKind, Platform, SendError, Tone, Update, Whisper,
};
use caravanserai::platform::discord::{
    Discord, Localized, MenuCommand, MenuOption, OptionKind, Settings, StartError, Texts,
};
use caravanserai::words::{Rich, Span};
use tokio::sync::{Semaphore, oneshot, watch};
use tokio::task::JoinHandle;

use crate::fake_discord::{Actor, Channel, Failure, FakeDiscord, Seen, flag, may};

/// Answers what the test lays out, in order, and writes down what it heard.
struct Script {
    heard: watch::Sender<Vec<Update>>,
    answers: Mutex<VecDeque<Vec<Whisper>>>,
    /// Each answer takes one permit: a test can hold answers back.
    gate: Semaphore,
}

#[async_trait::async_trait]
impl Listener for Script {
    async fn hear(&self, update: Update) -> Vec<Whisper> {
        self.heard.send_modify(|it| it.push(update));
        self.gate.acquire().await.expect("the gate stays").forget();
        self.answers.lock().expect("no panic").pop_front().unwrap_or_default()
    }

    async fn suggest(
        &self,
        place: &Place,
        person: &Person,
        command: &str,
        typed: &str,
    ) -> Vec<(String, String)> {
        let shown = format!("{command} {typed} {} {}", person.name, place.kind == PlaceKind::Group);
        vec![(shown, typed.to_owned()), ("x".repeat(130), "long".to_owned())]
    }
}

/// A running bot.
struct Bot {
    dc: FakeDiscord,
    discord: Discord,
    script: Arc<Script>,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<Result<(), StartError>>,
}

fn settings(dc: &Arc<FakeClock>, token: String, url: String, watchdog: Duration) -> Settings {
    let missing = Localized::plain("I need more rights").and("ru", "Мне нужно больше прав");
    let clock = Arc::clone(dc);
    Settings {
        api_url: Some(url),
        watchdog,
        clock: Arc::new(move || clock.now()),
        ..Settings::new(token, Texts { missing_permissions: missing })
    }
}

/// The time of the fake, set by hand together with it.
#[derive(Default)]
struct FakeClock(std::sync::atomic::AtomicU64);

impl FakeClock {
    fn now(&self) -> u64 {
        self.0.load(std::sync::atomic::Ordering::SeqCst)
    }

    fn set(&self, ms: u64) {
        self.0.store(ms, std::sync::atomic::Ordering::SeqCst);
    }
}

fn menu() -> Vec<MenuCommand> {
    let option = |name: &str, kind, required| MenuOption {
        name: Localized::plain(name),
        description: Localized::plain("what it is"),
        kind,
        required,
    };
    let seed = ("seed".to_owned(), Localized::plain("Seed").and("ru", "Из семян"));
    let short = ("short".to_owned(), Localized::plain("Short"));
    let togyz = MenuCommand {
        name: Localized::plain("togyz")
            .and("ru", "тогуз")
            .and("kk", "тоғыз")
            .and("uk", "Два слова"),
        description: Localized::plain("Opens a table").and("ru", "Открывает стол"),
        options: vec![
            option("variant", OptionKind::Choice(vec![seed, short]), false),
            option("friend", OptionKind::User, false),
            option("note", OptionKind::Text, false),
        ],
        posts: true,
    };
    let play = MenuCommand {
        name: Localized::plain("move"),
        description: Localized::plain("Moves"),
        options: vec![option("pit", OptionKind::Text, true)],
        posts: false,
    };
    vec![togyz, play]
}

struct Scene {
    bot: Bot,
    clock: Arc<FakeClock>,
}

impl std::ops::Deref for Scene {
    type Target = Bot;

    fn deref(&self) -> &Bot {
        &self.bot
    }
}

impl Scene {
    async fn set() -> Scene {
        Scene::with_watchdog(Duration::from_secs(60)).await
    }

    async fn with_watchdog(watchdog: Duration) -> Scene {
        let dc = FakeDiscord::start().await;
        let clock = Arc::new(FakeClock::default());
        clock.set(dc.now_ms());
        let settings = settings(&clock, dc.token(), dc.api_url(), watchdog);
        let discord = Discord::connect(settings).await.expect("it starts");
        discord.register(&menu()).await.expect("the menu is fine");
        let script = Arc::new(Script {
            heard: watch::channel(Vec::new()).0,
            answers: Mutex::default(),
            gate: Semaphore::new(1000),
        });
        let (stop, stopped) = oneshot::channel();
        let listener: Arc<dyn Listener> = script.clone();
        let runner = discord.clone();
        let running = tokio::spawn(async move {
            let stop = async {
                let _ = stopped.await;
            };
            runner.run(listener, stop).await
        });
        dc.connected().await;
        let stop = Some(stop);
        Scene { bot: Bot { dc, discord, script, stop, running }, clock }
    }

    fn advance(&self, time: Duration) {
        self.dc.advance(time);
        self.clock.set(self.dc.now_ms());
    }

    /// Stops the bot and looks whether it kept to the rules.
    async fn end(self) {
        let violations = self.dc.violations();
        assert!(violations.is_empty(), "{violations:#?}");
        let mut bot = self.bot;
        let _ = bot.stop.take().expect("it is stopped once").send(());
        bot.running.await.expect("no panic").expect("it ends well");
    }
}

impl Bot {
    /// Waits until so many updates were heard.
    async fn heard(&self, count: usize) -> Vec<Update> {
        let mut heard = self.script.heard.subscribe();
        let enough = heard.wait_for(|it| it.len() >= count);
        let heard = tokio::time::timeout(Duration::from_secs(20), enough).await;
        heard.expect("waited in vain for an update").expect("the script stays").clone()
    }

    fn will_answer(&self, whispers: &[&str]) {
        let message = |text: &&str| Whisper { message: saying(text), brief: true };
        let whispers = whispers.iter().map(message).collect();
        self.script.answers.lock().expect("no panic").push_back(whispers);
    }

    async fn sees(&self, who: &Actor, where_: &Channel, count: usize) -> Vec<Seen> {
        let what = format!("{count} messages");
        self.dc.wait_until(&what, |dc| dc.visible_to(who, where_).len() >= count).await;
        self.dc.visible_to(who, where_)
    }
}

fn place(channel: &Channel) -> PlaceId {
    PlaceId(format!("dc:{}", channel.id))
}

fn saying(text: &str) -> Outgoing {
    Outgoing { text: Rich::plain(text), ..Outgoing::default() }
}

fn board(text: &str) -> Outgoing {
    let button = |label: &str, press: &str, tone| Button {
        label: label.to_owned(),
        press: press.to_owned(),
        tone,
    };
    let image = Image { png: Arc::new(b"a picture".to_vec()), alt: "Nine stones each".to_owned() };
    Outgoing {
        image: Some(image),
        buttons: vec![
            vec![button("1", "p.1", Tone::Plain), button("2", "p.2", Tone::Good)],
            vec![button("Resign", "r", Tone::Danger)],
        ],
        ..saying(text)
    }
}

fn text_of(update: &Update) -> (&str, Vec<&Person>) {
    let Body::Text { text, mentions, .. } = &update.body else {
        panic!("not words: {update:?}");
    };
    let known = mentions.iter().map(|it| match it {
        Mention::Known(person) => person,
        Mention::Username(name) => panic!("only a name: {name}"),
    });
    (text, known.collect())
}

#[tokio::test]
async fn a_slash_command_is_words_with_people_and_leaves_nothing_behind() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann").locale("ru"), scene.dc.user("bob").global_name("Bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    ann.member(&channel, Some("Анна"), may::USUAL | may::MANAGE_GUILD);
    scene.dc.guild_locale(&channel, "tr");
    let given = [("note", "first move"), ("friend", bob.id.as_str()), ("variant", "seed")];
    let id = ann.slash(&channel, "togyz", &given);
    let heard = scene.heard(1).await;
    assert_eq!(heard[0].id, format!("dc/{id}"));
    assert_eq!(heard[0].place.id, place(&channel));
    assert_eq!(heard[0].place.kind, PlaceKind::Group);
    assert_eq!(heard[0].place.title, "games");
    assert_eq!(heard[0].place.locale.as_deref(), Some("tr"));
    let person = &heard[0].person;
    assert_eq!((person.name.as_str(), person.admin), ("Анна", true));
    assert_eq!(person.locale.as_deref(), Some("ru"));
    assert_eq!(person.id, PersonId(format!("dc:{}", ann.id)));
    let (text, people) = text_of(&heard[0]);
    assert_eq!(text, "/togyz seed first move");
    assert_eq!(people[0].name, "Bob");
    assert_eq!(people[0].id, PersonId(format!("dc:{}", bob.id)));
    assert_eq!(scene.dc.answered(id).await, 5);
    scene
        .dc
        .wait_until("the answer is taken back", |dc| !dc.calls_to("DELETE", "").is_empty())
        .await;
    assert!(scene.dc.visible_to(&ann, &channel).is_empty());
    scene.end().await;
}

#[tokio::test]
async fn private_answers_are_seen_by_the_one_who_acted() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    scene.will_answer(&["pit 3 is empty", "try 5"]);
    let id = ann.slash(&channel, "move", &[("pit", "3")]);
    let seen = scene.sees(&ann, &channel, 2).await;
    assert_eq!(scene.dc.answered(id).await, 4);
    let texts: Vec<_> = seen.iter().map(|it| (it.content.as_str(), it.ephemeral)).collect();
    assert_eq!(texts, [("pit 3 is empty", true), ("try 5", true)]);
    assert!(scene.dc.visible_to(&bob, &channel).is_empty());
    scene.end().await;
}

#[tokio::test]
async fn a_press_is_acknowledged_and_its_board_changes_over_its_token() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let here = place(&channel);
    let id = scene.discord.post(&here, &board("move 1")).await.expect("posted");
    let press = ann.press(&channel, &id.0, "p.2");
    let heard = scene.heard(1).await;
    let Body::Press { press: carried, message } = &heard[0].body else { panic!("{heard:?}") };
    assert_eq!((carried.as_str(), message.as_ref()), ("p.2", Some(&id)));
    assert_eq!(scene.dc.answered(press).await, 6);
    // The answer is noted a moment after Discord has it: edit until the token is known.
    let mut edits = 1;
    scene.discord.edit(&here, &id, &board("move 2")).await.expect("edited");
    while scene.dc.calls_to("PATCH", "/webhooks/").is_empty() {
        edits += 1;
        scene.discord.edit(&here, &id, &board("move 2")).await.expect("edited");
        tokio::task::yield_now().await;
    }
    let seen = &scene.dc.visible_to(&ann, &channel)[0];
    assert_eq!((seen.content.as_str(), seen.edits), ("move 2", edits));

    scene.advance(Duration::from_secs(16 * 60));
    scene.discord.edit(&here, &id, &board("move 3")).await.expect("edited without the token");
    let calls = scene.dc.calls();
    let last = calls.last().expect("calls were made");
    assert!(last.path.ends_with(&format!("/channels/{}/messages/{}", channel.id, id.0)));
    assert_eq!(scene.dc.visible_to(&ann, &channel)[0].content, "move 3");
    scene.end().await;
}

#[tokio::test]
async fn a_token_that_died_early_does_not_stop_the_board() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let here = place(&channel);
    let id = scene.discord.post(&here, &board("move 1")).await.expect("posted");
    let press = ann.press(&channel, &id.0, "p.2");
    scene.dc.answered(press).await;
    // Only Discord's clock moves: the adapter still believes in the token.
    scene.dc.advance(Duration::from_secs(16 * 60));
    while scene.dc.calls_to("PATCH", "/webhooks/").is_empty() {
        scene.discord.edit(&here, &id, &board("move 2")).await.expect("edited");
        tokio::task::yield_now().await;
    }
    assert_eq!(scene.dc.calls_to("PATCH", "/webhooks/")[0].code, 10015);
    assert_eq!(scene.dc.visible_to(&ann, &channel)[0].content, "move 2");
    scene.discord.edit(&here, &id, &board("move 3")).await.expect("edited");
    assert_eq!(scene.dc.calls_to("PATCH", "/webhooks/").len(), 1, "it is not tried again");
    scene.end().await;
}

#[tokio::test]
async fn a_slow_decision_is_acknowledged_first_and_told_afterwards() {
    let scene = Scene::with_watchdog(Duration::ZERO).await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let id = scene.discord.post(&place(&channel), &board("move 1")).await.expect("posted");
    scene.script.gate.forget_permits(1000);

    scene.will_answer(&["that board is from move 1"]);
    let press = ann.press(&channel, &id.0, "p.1");
    assert_eq!(scene.dc.answered(press).await, 6, "nothing is decided yet");
    scene.script.gate.add_permits(1);
    let seen = scene.sees(&ann, &channel, 2).await;
    assert!(seen[1].ephemeral && seen[1].content == "that board is from move 1");

    scene.will_answer(&["pit 3 is empty", "try 5"]);
    let slash = ann.slash(&channel, "move", &[("pit", "3")]);
    assert_eq!(scene.dc.answered(slash).await, 5);
    assert!(scene.dc.visible_to(&ann, &channel)[2].loading);
    scene.script.gate.add_permits(1);
    let seen = scene.sees(&ann, &channel, 4).await;
    assert_eq!(seen[2].content, "pit 3 is empty");
    assert!(seen[2].ephemeral && !seen[2].loading && seen[3].ephemeral);

    let quiet = ann.slash(&channel, "move", &[("pit", "4")]);
    scene.dc.answered(quiet).await;
    scene.script.gate.add_permits(1);
    let gone = |dc: &FakeDiscord| dc.visible_to(&ann, &channel).len() == 4;
    scene.dc.wait_until("the promise is taken back", gone).await;
    scene.end().await;
}

#[tokio::test]
async fn what_is_typed_is_completed() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann").global_name("Ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let offers = ann.autocomplete(&channel, "move", "pit", "ta").await;
    assert_eq!(offers[0], ("move ta Ann true".to_owned(), "ta".to_owned()));
    assert_eq!(offers[1].0.chars().count(), 100);
    scene.end().await;
}

#[tokio::test]
async fn commands_are_registered_only_when_they_changed() {
    let scene = Scene::set().await;
    assert!(!scene.discord.register(&menu()).await.expect("the same"));
    assert_eq!(scene.dc.calls_to("PUT", "/commands").len(), 1);
    let commands = scene.dc.commands();
    let togyz = commands.iter().find(|it| it["name"] == "togyz").expect("registered");
    assert_eq!(togyz["name_localizations"], serde_json::json!({"ru": "тогуз"}));
    assert_eq!(togyz["options"][0]["choices"][0]["name_localizations"]["ru"], "Из семян");

    let mut changed = menu();
    changed[0].description = Localized::plain("Opens another table");
    assert!(scene.discord.register(&changed).await.expect("changed"));
    assert_eq!(scene.dc.commands()[0]["description"], "Opens another table");
    scene.end().await;
}

#[tokio::test]
async fn a_board_has_alternative_words_buttons_and_no_sound() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    let here = place(&channel);
    let mut message = board("move 1");
    message.image.as_mut().expect("a picture").alt = "stone ".repeat(300);
    let first = scene.discord.post(&here, &message).await.expect("posted");
    let seen = &scene.dc.visible_to(&ann, &channel)[0];
    let words = seen.files[0].description.as_deref().expect("alternative words");
    assert_eq!(words.chars().count(), 1024);
    assert_eq!((seen.files[0].name.as_str(), seen.files[0].bytes.as_slice()), {
        ("board.png", b"a picture".as_slice())
    });
    let labels: Vec<usize> = seen.buttons.iter().map(Vec::len).collect();
    assert_eq!((labels, seen.buttons[1][0].1.as_str()), (vec![2, 1], "r"));
    assert!(seen.silent && seen.pinged.is_empty());

    let mention = |who: &Actor| Span::Mention {
        person: format!("dc:{}", who.id),
        name: "whoever".to_owned(),
    };
    let call = Outgoing {
        text: Rich(vec![mention(&bob), Span::Plain(", your turn".to_owned())]),
        loud: true,
        reply_to: Some(first.clone()),
        ..Outgoing::default()
    };
    scene.discord.post(&here, &call).await.expect("posted");
    let seen = scene.dc.visible_to(&bob, &channel);
    assert_eq!(
        (seen[1].text.as_str(), &seen[1].pinged),
        ("@bob, your turn", &vec![bob.id.clone()])
    );
    assert!(!seen[1].silent && seen[1].answers == Some(first.0.clone()));

    let quiet = Outgoing { loud: false, ..call };
    scene.dc.delete(&first.0);
    scene.discord.post(&here, &quiet).await.expect("posted though what it answers is gone");
    let seen = scene.dc.visible_to(&bob, &channel);
    assert!(seen[1].silent && seen[1].pinged.is_empty() && seen[1].answers.is_none());

    scene
        .discord
        .edit(&here, &MessageId(seen[1].id.clone()), &saying("over"))
        .await
        .expect("edited");
    assert!(scene.dc.visible_to(&bob, &channel)[1].files.is_empty());
    scene.end().await;
}

#[tokio::test]
async fn names_and_words_are_never_markup() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let plain = "*_x_* ~~y~~ `z` ||s|| [a](b) <#1> @everyone \\\n# big\n> said\n- item\n2. second";
    let text = Rich(vec![
        Span::Plain(plain.to_owned()),
        Span::Bold(" **b** ".to_owned()),
        Span::Code("c`d".to_owned()),
        Span::Plain(" https://example.org/a_b".to_owned()),
        Span::Mention { person: "tg:7".to_owned(), name: "T_g".to_owned() },
    ]);
    let message = Outgoing { text, loud: true, ..Outgoing::default() };
    scene.discord.post(&place(&channel), &message).await.expect("posted");
    let seen = &scene.dc.visible_to(&ann, &channel)[0];
    let expected = "\\*\\_x\\_\\* \\~\\~y\\~\\~ \\`z\\` \\|\\|s\\|\\| \\[a](b) \\<#1> \\@everyone \\\\\n\
        \\# big\n\\> said\n\\- item\n2\\. second** \\*\\*b\\*\\* **`` c`d `` \
        https://example.org/a_bT\\_g";
    assert_eq!(seen.content, expected);
    assert!(seen.pinged.is_empty());

    let long = saying(&"*".repeat(1999));
    scene.discord.post(&place(&channel), &long).await.expect("cut to what Discord takes");
    let seen = &scene.dc.visible_to(&ann, &channel)[1];
    assert!(seen.content.ends_with('…') && seen.content.chars().count() <= 2000);
    scene.end().await;
}

#[tokio::test]
async fn what_cannot_be_done_says_why() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let (here, discord) = (place(&channel), &scene.discord);
    let id = discord.post(&here, &board("move 1")).await.expect("posted");
    let fail = |status| Failure::Answer { method: "", path: "/channels/", status };
    scene.dc.fail(fail(502));
    let error = discord.post(&here, &saying("x")).await.expect_err("a failure on purpose");
    assert!(matches!(error, SendError::Temporary(_)), "{error:?}");
    scene.dc.fail(fail(401));
    let error = discord.post(&here, &saying("x")).await.expect_err("a failure on purpose");
    assert!(matches!(error, SendError::Temporary(_)), "{error:?}");
    scene.dc.fail(Failure::TooMany { method: "POST", path: "/channels/", wait_ms: 1500 });
    assert_eq!(discord.post(&here, &saying("x")).await, Err(SendError::Wait(1500)));
    let before = scene.dc.calls().len();
    assert_eq!(discord.post(&here, &saying("x")).await, Err(SendError::Wait(1500)));
    assert_eq!(scene.dc.calls().len(), before, "Discord is not asked before the time is over");
    scene.advance(Duration::from_millis(1500));
    discord.post(&here, &saying("x")).await.expect("the time is over");

    scene.dc.delete(&id.0);
    assert_eq!(discord.edit(&here, &id, &board("x")).await, Err(SendError::MessageGone));
    assert_eq!(discord.delete(&here, &id).await, Ok(()));
    scene.dc.bot_may(&channel, may::VIEW_CHANNEL);
    assert_eq!(discord.post(&here, &saying("x")).await, Err(SendError::NotAllowed));
    scene.dc.remove_bot(&channel);
    assert_eq!(discord.post(&here, &saying("x")).await, Err(SendError::NotAllowed));
    let heard = scene.heard(1).await;
    assert!(matches!(heard[0].body, Body::Removed) && heard[0].place.id == here);
    scene.dc.delete_channel(&channel);
    assert_eq!(discord.post(&here, &saying("x")).await, Err(SendError::NotAllowed));
    let elsewhere = PlaceId("tg:5".to_owned());
    let error = discord.post(&elsewhere, &saying("x")).await.expect_err("not of this platform");
    assert!(matches!(error, SendError::Refused(_)), "{error:?}");
    scene.end().await;
}

#[tokio::test]
async fn a_used_up_bucket_is_waited_for_without_asking() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    scene.dc.limit(2, Duration::from_secs(5));
    let here = place(&channel);
    for _ in 0..2 {
        scene.discord.post(&here, &saying("x")).await.expect("posted");
    }
    assert_eq!(scene.discord.post(&here, &saying("x")).await, Err(SendError::Wait(5000)));
    assert_eq!(scene.dc.calls_to("POST", "/messages").len(), 2);
    scene.advance(Duration::from_secs(5));
    scene.discord.post(&here, &saying("x")).await.expect("posted");
    scene.end().await;
}

#[tokio::test]
async fn a_post_whose_answer_was_lost_is_not_repeated() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let message = Outgoing { nonce: "a very long nonce of the outbox 7".to_owned(), ..board("x") };
    scene.dc.fail(Failure::CutAfter { method: "POST", path: "/messages" });
    let lost = scene.discord.post(&place(&channel), &message).await.expect_err("no answer");
    assert!(matches!(&lost, SendError::Temporary(why) if !why.contains("http")), "{lost:?}");
    let id = scene.discord.post(&place(&channel), &message).await.expect("found again");
    let seen = scene.dc.visible_to(&ann, &channel);
    assert_eq!((seen.len(), &seen[0].id), (1, &id.0));
    scene.end().await;
}

#[tokio::test]
async fn what_was_missed_while_the_line_was_cut_arrives_once() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    scene.dc.duplicates(true);
    ann.slash(&channel, "move", &[("pit", "1")]);
    scene.heard(1).await;
    scene.dc.cut_gateway();
    let missed = ann.slash(&channel, "move", &[("pit", "2")]);
    scene.dc.resumed(1).await;
    assert_eq!(scene.dc.answered(missed).await, 5);
    let last = ann.slash(&channel, "move", &[("pit", "3")]);
    scene.dc.answered(last).await;
    let heard = scene.heard(3).await;
    let mut texts: Vec<_> = heard.iter().map(|it| text_of(it).0.to_owned()).collect();
    texts.sort();
    assert_eq!(texts, ["/move 1", "/move 2", "/move 3"]);
    assert_eq!(scene.dc.sessions(), 1, "resumed, not begun anew");
    scene.end().await;
}

#[tokio::test]
async fn threads_and_direct_channels_are_places_of_their_own() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let (thread, direct) = (scene.dc.thread(&channel, "talk"), scene.dc.dm(&ann));
    for at in [&thread, &direct] {
        ann.slash(at, "togyz", &[]);
    }
    let mut heard = scene.heard(2).await;
    heard.sort_by_key(|it| it.place.kind == PlaceKind::Private);
    assert_eq!((&heard[0].place.id, heard[0].place.title.as_str()), (&place(&thread), "talk"));
    assert_eq!((&heard[1].place.id, heard[1].place.kind), (&place(&direct), PlaceKind::Private));
    let link = |at: &Channel, id: &str| {
        scene.discord.link(&place(at), &MessageId(id.to_owned())).expect("the place is known")
    };
    let guild = scene.dc.guild_id(&thread).expect("a guild");
    assert_eq!(link(&thread, "5"), format!("https://discord.com/channels/{guild}/{}/5", thread.id));
    assert_eq!(link(&direct, "5"), format!("https://discord.com/channels/@me/{}/5", direct.id));
    assert!(scene.discord.link(&PlaceId("dc:77".to_owned()), &MessageId("5".into())).is_none());
    for at in [&thread, &direct] {
        scene.discord.post(&place(at), &board("move 1")).await.expect("posted");
        assert_eq!(scene.dc.visible_to(&ann, at).last().expect("seen").content, "move 1");
    }
    scene.end().await;
}

#[tokio::test]
async fn words_are_read_only_where_discord_shows_them_to_every_bot() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    let direct = scene.dc.dm(&ann);
    assert_eq!(scene.dc.intents() & (1 << 1 | 1 << 8 | 1 << 15), 0, "no privileged intent");
    let id = scene.discord.post(&place(&channel), &board("move 1")).await.expect("posted");
    ann.say(&channel, "a secret", None);
    let call = format!("<@{}> play with {} please", scene.dc.bot_id(), bob.mention());
    ann.say(&channel, &call, None);
    let heard = scene.heard(1).await;
    let (text, people) = text_of(&heard[0]);
    assert_eq!((text, people[0].name.as_str()), ("play with please", "bob"));
    ann.say(&channel, "7", Some(&id.0));
    let heard = scene.heard(2).await;
    assert!(matches!(&heard[1].body,
        Body::Text { text, reply_to, .. } if text == "7" && reply_to.as_ref() == Some(&id)));
    scene.will_answer(&["only you and I read this"]);
    ann.say(&direct, "/help", None);
    let seen = scene.sees(&ann, &direct, 2).await;
    assert_eq!(seen[1].content, "only you and I read this");
    assert_eq!(scene.heard(3).await.len(), 3, "the secret was not heard");
    scene.end().await;
}

#[tokio::test]
async fn boards_know_how_deep_they_are_buried() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let here = place(&channel);
    let id = scene.discord.post(&here, &board("move 1")).await.expect("posted");
    assert_eq!(scene.discord.buried(&here, &id), 0);
    let said: Vec<String> = (0..3).map(|_| ann.say(&channel, "talk", None)).collect();
    // A slash command after the talk: events of one session are read in order, yet handled
    // side by side, so the counter is asked until it has all.
    while scene.discord.buried(&here, &id) < 3 {
        tokio::task::yield_now().await;
    }
    scene.dc.delete(&said[0]);
    while scene.discord.buried(&here, &id) != 2 {
        tokio::task::yield_now().await;
    }
    scene.end().await;
}

#[tokio::test]
async fn a_person_who_acted_lately_can_be_told_privately() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    let (here, person) = (place(&channel), PersonId(format!("dc:{}", ann.id)));
    let hand = board("your hand");
    let tell = || scene.discord.whisper(&here, &person, &hand);
    assert_eq!(tell().await, Err(SendError::NotAllowed), "no token yet");
    scene.will_answer(&["hello"]);
    ann.slash(&channel, "move", &[("pit", "1")]);
    scene.sees(&ann, &channel, 1).await;
    while tell().await.is_err() {
        tokio::task::yield_now().await;
    }
    let seen = scene.dc.visible_to(&ann, &channel);
    assert!(seen[1].ephemeral && seen[1].content == "your hand" && seen[1].files.len() == 1);
    assert!(scene.dc.visible_to(&bob, &channel).is_empty());
    scene.advance(Duration::from_secs(15 * 60));
    assert_eq!(tell().await, Err(SendError::NotAllowed));
    scene.end().await;
}

#[tokio::test]
async fn without_the_rights_to_post_the_bot_says_so_to_the_one_who_asked() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann").locale("ru");
    let channel = scene.dc.channel("games", &[&ann]);
    scene.dc.bot_may(&channel, may::VIEW_CHANNEL | may::SEND_MESSAGES);
    ann.slash(&channel, "togyz", &[]);
    let seen = scene.sees(&ann, &channel, 1).await;
    assert!(seen[0].ephemeral && seen[0].content == "Мне нужно больше прав");
    ann.slash(&channel, "move", &[("pit", "1")]);
    let heard = scene.heard(1).await;
    assert_eq!(text_of(&heard[0]).0, "/move 1", "a command that posts nothing is heard");
    scene.end().await;
}

#[tokio::test]
async fn a_wrong_token_stops_the_start_with_a_sentence_that_does_not_hold_it() {
    let dc = FakeDiscord::start().await;
    let clock = Arc::new(FakeClock::default());
    for wrong in ["very.secret.token", "with a\nnew line"] {
        let settings = settings(&clock, wrong.to_owned(), dc.api_url(), Duration::ZERO);
        let error = Discord::connect(settings).await.err().expect("it does not start");
        assert_eq!(error, StartError::BadToken);
        assert!(!error.to_string().contains("secret"));
    }
    assert_eq!(flag::EPHEMERAL, 64);
}
