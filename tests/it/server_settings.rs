//! Settings of a Discord server: what its channels and threads inherit, and who may change them.

use std::sync::Arc;

use caravanserai_games::ids::ChatId;
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Commit, Put, Space};

use crate::fake_discord::{Channel, may};
use crate::stage::discord::DiscordStage;
use crate::stage::{Stage, VisibleMessage, play};

const OPENED_BY: &str = "🚪 Who may open tables";
const MESSAGES: &str = "📣 Messages from the person who runs this bot";

/// A server where Ann may change settings and Bek may not.
async fn server() -> DiscordStage {
    let mut stage = DiscordStage::new(Arc::new(MemoryStore::default())).await;
    play("people", "people Ann Bek", &mut stage).await;
    stage
}

/// The newest private message of a person in the present channel.
async fn newest(stage: &mut DiscordStage, who: &str) -> VisibleMessage {
    stage.private_messages(who).await.pop().unwrap()
}

/// The button of a row on the page of the chat, or of its server.
async fn row(stage: &mut DiscordStage, scope: &str, name: &str) -> String {
    stage.send_group_message("Ann", &format!("/settings {scope}")).await;
    let page = newest(stage, "Ann").await;
    let mut labels = page.buttons.iter().map(|(label, _)| label.clone());
    labels.find(|it| it.starts_with(name)).unwrap_or_else(|| panic!("no {name}: {page:?}"))
}

/// The answer to Bek, who asks for a table; nothing if it is opened.
async fn refusal(stage: &mut DiscordStage) -> Option<String> {
    let before = stage.private_replies("Bek").await.len();
    stage.send_group_message("Bek", "/togyz").await;
    let held = stage.private_messages("Bek").await;
    let told = stage.private_replies("Bek").await;
    told.get(before..)?.last().or(held.last()).map(|it| it.text.clone())
}

async fn has_board(stage: &mut DiscordStage, here: &Channel) -> bool {
    stage.channel = Some(here.clone());
    stage.visible_messages("Bek").await.iter().any(|it| it.text.contains("is waiting"))
}

async fn press(stage: &mut DiscordStage, who: &str, press: &str) -> String {
    let page = newest(stage, who).await;
    stage.press_button(who, &page, press).await;
    newest(stage, who).await.text
}

#[tokio::test]
async fn words_in_a_thread_open_no_table_where_the_channel_wants_none() {
    let mut stage = server().await;
    let general = stage.channel.clone().unwrap();
    row(&mut stage, "chat", OPENED_BY).await;
    press(&mut stage, "Ann", "=.s").await;
    let page = newest(&mut stage, "Ann").await;
    assert_eq!(page.press(OPENED_BY), "=.s.opens");
    press(&mut stage, "Ann", "=.c.opens.nobody").await;
    // The message comes before anything is known of the thread.
    stage.dc.hold_events();
    let thread = stage.dc.thread(&general, "Evening");
    let words = format!("<@{}> /togyz", stage.dc.bot_id());
    let said = stage.people["Bek"].say(&thread, &words, None);
    stage.dc.release_reversed();
    stage.host.handler.heard(&format!("dc/{said}")).await;
    stage.quiet().await;
    assert!(!has_board(&mut stage, &thread).await);
    // Another channel of the server is free to open tables, until the server says otherwise.
    let garden = stage.dc.channel_beside(&general, "garden");
    stage.channel = Some(garden.clone());
    row(&mut stage, "server", OPENED_BY).await;
    press(&mut stage, "Ann", "=.s.opens.nobody").await;
    assert!(row(&mut stage, "chat", OPENED_BY).await.ends_with("nobody (from the server)"));
    stage.send_group_message("Bek", "/togyz").await;
    assert!(newest(&mut stage, "Bek").await.text.contains("Games are turned off here"));
    assert!(!has_board(&mut stage, &garden).await);
    press(&mut stage, "Ann", "=.c.opens.all").await;
    stage.send_group_message("Bek", "/togyz").await;
    assert!(has_board(&mut stage, &garden).await);
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_row_of_an_earlier_version_overrides_the_server() {
    let mut stage = server().await;
    let general = stage.channel.clone().unwrap();
    let row_of_before = r#"{"lang":null,"guess":"en","title":"family","group":true,"gone":false,
        "theme":null,"hints":null,"rules":{},"opens":"admins","all_order":false,"quiet":false,
        "keeps_boards":false,"only":[],"clock":null}"#;
    let put = Put::new(Space::ChatProfile, format!("dc:{}", general.id), row_of_before);
    stage.host.store.commit(Commit { puts: vec![put], ..Commit::default() }).await.unwrap();
    row(&mut stage, "server", OPENED_BY).await;
    press(&mut stage, "Ann", "=.s.opens.nobody").await;
    press(&mut stage, "Ann", "=.s.quiet.on").await;
    assert_eq!(row(&mut stage, "chat", OPENED_BY).await, format!("{OPENED_BY}: admins"));
    let quiet = row(&mut stage, "chat", "🔕 Quiet mode").await;
    assert!(quiet.ends_with("on (from the server)"), "{quiet}");
    assert!(refusal(&mut stage).await.unwrap().contains("only admins open tables"));
    press(&mut stage, "Ann", "=.c.opens.inherit").await;
    assert!(refusal(&mut stage).await.unwrap().contains("Games are turned off here"));
}

#[tokio::test]
async fn a_thread_inherits_language_and_theme_of_its_channel() {
    let mut stage = server().await;
    row(&mut stage, "chat", OPENED_BY).await;
    press(&mut stage, "Ann", "=.c.language.ru").await;
    press(&mut stage, "Ann", "=.c.theme.night").await;
    stage.enter_topic("Evening").await;
    stage.send_group_message("Ann", "/togyz @Bek").await;
    let thread = stage.channel.clone().unwrap();
    let bek = stage.people["Bek"].clone();
    let picture = |stage: &DiscordStage| {
        let seen = stage.dc.visible_to(&bek, &thread);
        let mut boards = seen.into_iter().filter(|it| !it.ephemeral && !it.files.is_empty());
        boards.next_back().unwrap().files[0].bytes.clone()
    };
    play("accept", "Bek presses Принять\nBek sees Ходит", &mut stage).await;
    let inherited = picture(&stage);
    row(&mut stage, "chat", "🎨").await;
    press(&mut stage, "Ann", "=.c.theme.night").await;
    stage.quiet().await;
    assert!(picture(&stage) == inherited, "the look of the channel is night");
    press(&mut stage, "Ann", "=.c.theme.wood").await;
    stage.quiet().await;
    assert!(picture(&stage) != inherited);
}

#[tokio::test]
async fn settings_are_changed_only_in_a_server_that_one_may_administer() {
    let mut stage = server().await;
    let general = stage.channel.clone().unwrap();
    let bek = stage.people["Bek"].clone();
    // Without the permission, from every page.
    stage.send_group_message("Bek", "/settings server").await;
    for forged in ["=.s.opens.nobody", "=.s.rules.togyzkumalak.0.-", "=.c.opens.nobody"] {
        let told = press(&mut stage, "Bek", forged).await;
        assert!(told.contains("Only admins"), "{forged}: {told}");
    }
    // With the right in another server and not in this one.
    let other = stage.dc.channel("other", &[&bek]);
    bek.member(&other, None, may::USUAL | may::MANAGE_GUILD);
    let here = ChatId(format!("dc:{}", general.id));
    let server = format!("dc:server-{}", stage.dc.guild_id(&general).unwrap());
    stage.channel = Some(other.clone());
    stage.send_group_message("Bek", "/settings server").await;
    press(&mut stage, "Bek", "=.s.opens.nobody").await;
    press(&mut stage, "Bek", &format!("=.c@{}.quiet.on", here.0)).await;
    press(&mut stage, "Bek", &format!("=.c@{server}.hints.on")).await;
    let own = newest(&mut stage, "Bek").await;
    assert!(own.press(OPENED_BY).contains("opens"), "{own:?}");
    // In private the chat of a button is asked about, and Bek is no admin there.
    stage.send_private_message("Bek", "/settings").await;
    let held = stage.private_messages("Bek").await;
    let page = held.into_iter().find(|it| it.text.contains("Your settings")).unwrap();
    let forged = [&here.0, &server].map(|it| format!("=.c@{it}.opens.nobody"));
    let answers = ["Only admins", "Only admins", "too old"];
    for (press, answer) in
        forged.iter().map(String::as_str).chain(["=.s.opens.nobody"]).zip(answers)
    {
        stage.press_button("Bek", &page, press).await;
        let told = stage.private_replies("Bek").await.pop().unwrap().text;
        assert!(told.contains(answer), "{press}: {told}");
    }
    stage.channel = Some(general.clone());
    for scope in ["server", "chat"] {
        let label = row(&mut stage, scope, OPENED_BY).await;
        assert_eq!(label, format!("{OPENED_BY}: everybody"), "{scope}");
        assert!(row(&mut stage, scope, "🔕 Quiet mode").await.ends_with(": off"));
        assert!(row(&mut stage, scope, "💡 Hints").await.ends_with(": only against computers"));
    }
    stage.channel = Some(other);
    let page = {
        stage.send_group_message("Bek", "/settings server").await;
        newest(&mut stage, "Bek").await
    };
    let labels: Vec<&String> = page.buttons.iter().map(|(label, _)| label).collect();
    assert!(labels.contains(&&format!("{OPENED_BY}: nobody")), "Bek has changed that: {labels:?}");
}

#[tokio::test]
async fn a_server_that_allows_messages_gets_one_where_people_played_last() {
    let mut stage = server().await;
    play("operator", "Ann runs the bot", &mut stage).await;
    let general = stage.channel.clone().unwrap();
    let garden = stage.dc.channel_beside(&general, "garden");
    row(&mut stage, "server", MESSAGES).await;
    press(&mut stage, "Ann", "=.s.news.on").await;
    stage.enter_topic("Evening").await;
    assert!(row(&mut stage, "chat", MESSAGES).await.ends_with("on (from the server)"));
    stage.channel = Some(garden.clone());
    assert!(row(&mut stage, "chat", MESSAGES).await.ends_with("on (from the server)"));
    let played = Put::new(Space::Meta, format!("played dc:{}", garden.id), "20000");
    stage.host.store.commit(Commit::from_puts(vec![played])).await.unwrap();
    let message = "
        Ann writes privately /admin message Hello
        Ann gets reply the message goes to 1 chats
        Bek sees From the person who runs this bot: Hello";
    play("message", message, &mut stage).await;
    for elsewhere in [Some("Evening"), None] {
        match elsewhere {
            Some(thread) => stage.enter_topic(thread).await,
            None => stage.channel = Some(general.clone()),
        }
        play("elsewhere", "Bek sees no From the person", &mut stage).await;
    }
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}
