//! Signed interactions that Discord posts to the bot's HTTP endpoint.

use caravanserai_discord::PublicKey;

use super::*;
use crate::fake_discord::signed::{Signing, now};

/// A bot without a gateway that listens at an address.
struct Posted {
    dc: FakeDiscord,
    discord: DiscordPlatform,
    script: Arc<Script>,
    signing: Signing,
}

async fn posted() -> Posted {
    let dc = FakeDiscord::start().await;
    let clock = Arc::new(FakeClock::default());
    clock.set(dc.now_ms());
    let settings = settings(&clock, dc.token(), dc.api_url(), Duration::from_secs(60));
    let discord = DiscordPlatform::connect(settings).await.expect("it starts");
    discord.register_commands(&menu()).await.expect("the menu is fine");
    let script = Script::new();
    let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/discord", socket.local_addr().expect("an address"));
    let signing = Signing::new(&url, 7);
    let key = PublicKey::parse(&signing.public_key()).expect("a key");
    let router = discord.interaction_routes(script.clone(), "/discord", key);
    tokio::spawn(async move { axum::serve(socket, router).await });
    dc.post_interactions(&signing);
    Posted { dc, discord, script, signing }
}

impl Posted {
    async fn heard(&self, count: usize) -> Vec<Update> {
        let mut heard = self.script.heard.subscribe();
        let enough = heard.wait_for(|it| it.len() >= count);
        let heard = tokio::time::timeout(Duration::from_secs(20), enough).await;
        heard.expect("waited in vain for an update").expect("the script stays").clone()
    }
}

#[tokio::test]
async fn the_same_commands_and_presses_come_by_post() {
    let it = posted().await;
    let ann = it.dc.user("ann");
    let channel = it.dc.channel("games", &[&ann]);
    let here = chat(&channel);
    let id = it.discord.post(&here, &board("Ann to move")).await.expect("it is posted");
    let answer = EphemeralReply {
        message: saying("moved").into(),
        form: ReplyForm::Toast,
        ..EphemeralReply::default()
    };
    it.script.answers.lock().push_back(vec![answer]);
    ann.slash(&channel, "move", &[("pit", "7")]);
    let heard = it.heard(1).await;
    assert_eq!(command_of(&heard[0]), "/move 7");
    it.dc.wait_until("the answer", |dc| dc.visible_to(&ann, &channel).len() == 2).await;
    let pressed = ann.press(&channel, &id.0, "p.1");
    let heard = it.heard(2).await;
    assert!(
        matches!(&heard[1].kind, UpdateKind::Press { callback_data: press, .. } if press == "p.1")
    );
    assert_eq!(it.dc.answered(pressed).await, 6);
    it.discord.drain().await;
    // The press lets its board be edited without the channel's limit, as at the gateway.
    it.discord.edit(&here, &id, &board("Bob to move")).await.expect("it is edited");
    assert_eq!(it.signing.statuses(), [202, 202]);
    assert_eq!(it.dc.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn pings_are_answered_and_invalid_signatures_refused() {
    let it = posted().await;
    let ping = r#"{"type":1}"#.to_owned();
    assert_eq!(it.signing.post(ping.clone()).await, (200, ping.clone()));
    let forger = Signing::new("http://127.0.0.1:1", 8);
    let mut refused = vec![
        forger.headers(now(), &ping).to_vec(),
        it.signing.headers(now(), r#"{"type":2}"#).to_vec(),
        it.signing.headers(now() - 3_600, &ping).to_vec(),
        it.signing.headers(now() + 3_600, &ping).to_vec(),
        Vec::new(),
    ];
    let right = it.signing.headers(now(), &ping);
    for signature in ["", "zz", &"é".repeat(64), &right[0].1[1..], &"0".repeat(128)] {
        refused.push(vec![("X-Signature-Ed25519", signature.to_owned()), right[1].clone()]);
    }
    refused.push(vec![right[0].clone(), ("X-Signature-Timestamp", "now".to_owned())]);
    for headers in refused {
        // A header that is no ASCII is bytes to HTTP.
        let (status, said) = it.signing.post_with(&headers, ping.clone()).await;
        assert_eq!((status, said.as_str()), (401, ""), "{headers:?}");
    }
    assert_eq!(it.signing.post("no JSON".to_owned()).await.0, 400);
    assert_eq!(it.signing.post(" ".repeat(300 << 10)).await.0, 413);
    assert!(it.script.heard.borrow().is_empty());
}

#[test]
fn a_public_key_has_64_digits() {
    let right = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
    assert!(PublicKey::parse(right).is_ok());
    for wrong in ["", "d75a", &right[1..], &right.replace('d', "g")] {
        let error = PublicKey::parse(wrong).err().expect("no key").to_string();
        assert!(error.contains("DISCORD_PUBLIC_KEY"), "{error}");
    }
}

#[tokio::test]
async fn a_reveal_button_of_one_process_is_opened_at_another() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    scene.will_answer(&["pit 3 is empty"]);
    let me = scene.dc.bot_id();
    ann.say(&channel, &format!("<@{me}> 3"), None);
    let cover = scene.sees(&ann, &channel, 2).await.pop().expect("the envelope");
    assert_eq!(cover.content, "a letter");
    let shared = PlatformServices {
        store: scene.book.clone(),
        ..PlatformServices::for_single_process("dc")
    };
    let (token, url) = (scene.dc.token(), scene.dc.api_url());
    let settings = settings(&scene.clock, token, url, Duration::from_secs(60));
    let other =
        DiscordPlatform::connect(DiscordSettings { shared, ..settings }).await.expect("it starts");
    let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/discord", socket.local_addr().expect("an address"));
    let signing = Signing::new(&url, 9);
    let key = PublicKey::parse(&signing.public_key()).expect("a key");
    let router = other.interaction_routes(scene.script.clone(), "/discord", key);
    tokio::spawn(async move { axum::serve(socket, router).await });
    scene.dc.post_interactions(&signing);
    ann.press_label(&channel, "open");
    scene
        .dc
        .wait_until("the answer", |dc| {
            dc.visible_to(&ann, &channel).iter().any(|it| it.content == "pit 3 is empty")
        })
        .await;
    other.drain().await;
    scene.end();
}

#[tokio::test]
async fn a_deleted_channel_is_reported_as_deleted() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    scene.dc.delete_channel(&channel);
    let heard = scene.heard(1).await;
    assert!(matches!(heard[0].kind, UpdateKind::ChatDeleted), "{heard:?}");
    assert_eq!(heard[0].chat.id, chat(&channel));
    scene.end();
}

#[tokio::test]
async fn a_deleted_thread_is_reported_with_its_channel() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let thread = scene.dc.thread(&channel, "evening");
    scene.dc.delete_channel(&thread);
    let heard = scene.heard(1).await;
    assert!(matches!(heard[0].kind, UpdateKind::ChatDeleted), "{heard:?}");
    assert_eq!(heard[0].chat.id, chat(&thread));
    assert_eq!(heard[0].chat.parents.channel, Some(chat(&channel)));
    scene.end();
}

#[tokio::test]
async fn a_person_banned_from_a_server_has_left_its_channels() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    scene.dc.ban(&channel, &bob);
    let heard = scene.heard(1).await;
    let who = PersonId(format!("dc:{}", bob.id));
    assert!(
        matches!(&heard[0].kind, UpdateKind::MemberLeft { who: it, .. } if *it == who),
        "{heard:?}"
    );
    assert_eq!(heard[0].chat.id, chat(&channel));
    scene.end();
}
