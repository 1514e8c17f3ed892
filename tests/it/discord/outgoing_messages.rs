//! Outgoing messages become Discord requests, and failures are reported with their reason.

use caravanserai_protocol::Attachment;
use caravanserai_store::memory::MemoryStore;

use super::*;
use crate::stage::discord::DiscordStage;
use crate::stage::{Stage, play};

#[tokio::test]
async fn a_press_is_acknowledged_and_its_board_changes_over_its_token() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let here = chat(&channel);
    let id = scene.discord.post(&here, &board("move 1")).await.expect("posted");
    let press = ann.press(&channel, &id.0, "p.2");
    let heard = scene.heard(1).await;
    let UpdateKind::Press { callback_data: carried, message } = &heard[0].kind else {
        panic!("{heard:?}")
    };
    assert_eq!((carried.as_str(), message.as_ref()), ("p.2", Some(&id)));
    assert_eq!(scene.dc.answered(press).await, 6);
    // The answer is noted a moment after Discord has it: edit until the token is known.
    let mut edits = 0;
    soon("an edit over the token", async || {
        edits += 1;
        scene.discord.edit(&here, &id, &board("move 2")).await.expect("edited");
        !scene.dc.calls_to("PATCH", "/webhooks/").is_empty()
    })
    .await;
    let seen = &scene.dc.visible_to(&ann, &channel)[0];
    assert_eq!((seen.content.as_str(), seen.edits), ("move 2", edits));

    scene.advance(Duration::from_secs(16 * 60));
    scene.discord.edit(&here, &id, &board("move 3")).await.expect("edited without the token");
    let calls = scene.dc.calls();
    let last = calls.last().expect("calls were made");
    assert!(last.path.ends_with(&format!("/channels/{}/messages/{}", channel.id, id.0)));
    assert_eq!(scene.dc.visible_to(&ann, &channel)[0].content, "move 3");
    scene.end();
}

#[tokio::test]
async fn a_token_that_died_early_does_not_stop_the_board() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let here = chat(&channel);
    let id = scene.discord.post(&here, &board("move 1")).await.expect("posted");
    let press = ann.press(&channel, &id.0, "p.2");
    scene.dc.answered(press).await;
    // Only Discord's clock moves: the adapter still believes in the token.
    scene.dc.advance(Duration::from_secs(16 * 60));
    soon("an edit over the token", async || {
        scene.discord.edit(&here, &id, &board("move 2")).await.expect("edited");
        !scene.dc.calls_to("PATCH", "/webhooks/").is_empty()
    })
    .await;
    assert_eq!(scene.dc.calls_to("PATCH", "/webhooks/")[0].code, 10015);
    assert_eq!(scene.dc.visible_to(&ann, &channel)[0].content, "move 2");
    scene.discord.edit(&here, &id, &board("move 3")).await.expect("edited");
    assert_eq!(scene.dc.calls_to("PATCH", "/webhooks/").len(), 1, "it is not tried again");
    scene.end();
}

#[tokio::test]
async fn commands_are_registered_only_when_they_changed() {
    let scene = Scene::set().await;
    assert!(!scene.discord.register_commands(&menu()).await.expect("the same"));
    assert_eq!(scene.dc.calls_to("PUT", "/commands").len(), 1);
    let commands = scene.dc.commands();
    let declared = commands.iter().find(|it| it["name"] == "togyz").expect("registered");
    assert_eq!(declared["name_localizations"], serde_json::json!({"ru": "тогуз"}));
    assert_eq!(declared["options"][0]["choices"][0]["name_localizations"]["ru"], "Из семян");

    let table = commands.iter().find(|it| it["name"] == "table").expect("registered");
    assert_eq!((&table["type"], &table["options"][2]["type"]), (&1.into(), &1.into()));
    assert_eq!(table["options"][2]["name_localizations"]["ru"], "ничья");

    let mut changed = menu();
    let description = LocalizedText::same_for_all("Opens another table");
    changed[0] = DiscordMenuEntry::Command(DiscordMenuCommand { description, ..togyz() });
    assert!(scene.discord.register_commands(&changed).await.expect("changed"));
    assert_eq!(scene.dc.commands()[0]["description"], "Opens another table");
    scene.end();
}

#[tokio::test]
async fn mentions_of_commands_name_the_group_and_its_id() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let commands = scene.dc.commands();
    let id = |name: &str| {
        let found = commands.iter().find(|it| it["name"] == name).expect("registered");
        found["id"].as_str().expect("an id").to_owned()
    };
    let style = scene.discord.capabilities().command_style;
    for (command, mention) in [
        ("togyz", format!("</togyz:{}>", id("togyz"))),
        ("draw", format!("</table draw:{}>", id("table"))),
        ("settings", format!("</settings overview:{}>", id("settings"))),
    ] {
        assert_eq!(style.command_mention(command).as_ref(), Some(&mention));
        let text = format!("To play: {mention}");
        scene.discord.post(&chat(&channel), &saying(&text)).await.expect("posted");
        assert_eq!(scene.dc.visible_to(&ann, &channel).last().expect("seen").content, text);
    }
    assert_eq!(style.command_mention("table"), None, "it cannot be used by itself");
    let spans = [
        RichSpan::Plain("Offer a draw: /draw, or ".to_owned()),
        RichSpan::Code("/draw abcde".to_owned()),
    ];
    let message = OutgoingMessage { text: RichText(spans.to_vec()), ..OutgoingMessage::default() };
    scene.discord.post(&chat(&channel), &message).await.expect("posted");
    let seen = scene.dc.visible_to(&ann, &channel).last().expect("seen").clone();
    let wanted = format!("Offer a draw: </table draw:{}>, or `/draw abcde`", id("table"));
    assert_eq!(seen.content, wanted);
    assert_eq!(seen.text, "Offer a draw: /table draw, or /draw abcde");
    for fake in ["</table draw it:7>", "</table Draw:7>", "</ draw:7>", "</table :7>"] {
        scene.discord.post(&chat(&channel), &saying(fake)).await.expect("posted");
        let seen = scene.dc.visible_to(&ann, &channel).last().expect("seen").content.clone();
        assert_eq!(seen, format!("\\{fake}"));
    }
    scene.end();
}

#[tokio::test]
async fn a_board_has_alternative_words_buttons_and_no_sound() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    let here = chat(&channel);
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

    let mention = |who: &Actor| RichSpan::Mention {
        person: format!("dc:{}", who.id),
        name: "whoever".to_owned(),
    };
    let call = OutgoingMessage {
        text: RichText(vec![mention(&bob), RichSpan::Plain(", your turn".to_owned())]),
        notification: Notification::Audible,
        reply_to: Some(first.clone()),
        ..OutgoingMessage::default()
    };
    scene.discord.post(&here, &call).await.expect("posted");
    let seen = scene.dc.visible_to(&bob, &channel);
    assert_eq!(
        (seen[1].text.as_str(), &seen[1].pinged),
        ("@bob, your turn", &vec![bob.id.clone()])
    );
    assert!(!seen[1].silent && seen[1].answers == Some(first.0.clone()));

    let quiet = OutgoingMessage { notification: Notification::Silent, ..call };
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
    scene.end();
}

#[tokio::test]
async fn names_and_words_are_never_markup() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let plain = "*_x_* ~~y~~ `z` ||s|| [a](b) <#1> @everyone \\\n# big\n> said\n- item\n2. second";
    let text = RichText(vec![
        RichSpan::Plain(plain.to_owned()),
        RichSpan::Bold(" **b** ".to_owned()),
        RichSpan::Code("c`d".to_owned()),
        RichSpan::Plain(" https://example.org/a_b".to_owned()),
        RichSpan::Mention { person: "tg:7".to_owned(), name: "T_g".to_owned() },
    ]);
    let message =
        OutgoingMessage { text, notification: Notification::Audible, ..OutgoingMessage::default() };
    scene.discord.post(&chat(&channel), &message).await.expect("posted");
    let seen = &scene.dc.visible_to(&ann, &channel)[0];
    let expected = [
        r"\*\_x\_\* \~\~y\~\~ \`z\` \|\|s\|\| \[a](b) \<#1> \@everyone \\",
        r"\# big",
        r"\> said",
        r"\- item",
        r"2\. second **\*\*b\*\*** `` c`d `` https://example.org/a_bT\_g",
    ];
    assert_eq!(seen.content.lines().collect::<Vec<_>>(), expected);
    assert!(seen.pinged.is_empty());

    for name in
        [r"\_(ツ)_/", "||**Ann**||", "<@1> <@!2> <:a:3>", "- 1. # >>> x", "`a` ``b``", "Әлия_ #1"]
    {
        let id = scene.discord.post(&chat(&channel), &saying(name)).await.expect("posted");
        let seen = scene.dc.visible_to(&ann, &channel);
        let read = seen.iter().find(|it| it.id == id.0).expect("it is there");
        assert_eq!(read.text, name, "written as {}", read.content);
    }

    let long = saying(&"*".repeat(1999));
    scene.discord.post(&chat(&channel), &long).await.expect("cut to what Discord takes");
    let seen = scene.dc.visible_to(&ann, &channel);
    let seen = seen.last().expect("it is there");
    assert!(seen.content.ends_with('…') && seen.content.chars().count() <= 2000);
    scene.end();
}

#[tokio::test]
async fn failed_calls_give_a_reason() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let (here, discord) = (chat(&channel), &scene.discord);
    let id = discord.post(&here, &board("move 1")).await.expect("posted");
    let fail = |status| Failure::Answer { method: "", path: "/channels/", status };
    scene.dc.fail(fail(502));
    let error = discord.post(&here, &saying("x")).await.expect_err("a failure on purpose");
    assert!(matches!(error, SendError::Temporary(_)), "{error:?}");
    scene.dc.fail(fail(401));
    let error = discord.post(&here, &saying("x")).await.expect_err("a failure on purpose");
    assert!(matches!(error, SendError::Temporary(_)), "{error:?}");
    // The proxy of Discord blocks the bot for some time: that says nothing about the channel.
    scene.dc.fail(Failure::Refuse { method: "POST", path: "/channels/", code: 40333 });
    let error = discord.post(&here, &saying("x")).await.expect_err("a failure on purpose");
    assert!(matches!(error, SendError::Temporary(_)), "{error:?}");
    scene.dc.fail(Failure::TooMany { method: "POST", path: "/channels/", wait_ms: 1500 });
    assert_eq!(discord.post(&here, &saying("x")).await, Err(SendError::RateLimited(1500)));
    let before = scene.dc.calls().len();
    assert_eq!(discord.post(&here, &saying("x")).await, Err(SendError::RateLimited(1500)));
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
    assert!(matches!(heard[0].kind, UpdateKind::BotRemoved) && heard[0].chat.id == here);
    scene.dc.delete_channel(&channel);
    assert_eq!(discord.post(&here, &saying("x")).await, Err(SendError::ChatGone));
    let elsewhere = ChatId("tg:5".to_owned());
    let error = discord.post(&elsewhere, &saying("x")).await.expect_err("not of this platform");
    assert!(matches!(error, SendError::Refused(_)), "{error:?}");
    scene.end();
}

/// Where the bot is no member it can edit a board only for a while after a press.
#[tokio::test]
async fn a_board_that_nobody_has_pressed_lately_cannot_be_shown_now() {
    let scene = Scene::set().await;
    let abroad = ChatId("dc:~77".to_owned());
    let before = scene.dc.calls().len();
    let edited = scene.discord.edit(&abroad, &MessageId("78".to_owned()), &board("x")).await;
    assert_eq!(edited, Err(SendError::NotNow));
    assert_eq!(scene.dc.calls().len(), before, "Discord is not asked");
    scene.end();
}

#[tokio::test]
async fn a_board_whose_acknowledgement_was_lost_is_not_posted_twice() {
    let mut stage = DiscordStage::new(Arc::new(MemoryStore::default())).await;
    play("come", "people Ann Bek", &mut stage).await;
    let (method, path) = ("POST", "/interactions/");
    let losses = [Failure::CutAfter { method, path }, Failure::CutBefore { method, path }];
    for (tables, lost) in (1..).zip(losses) {
        stage.dc.fail(lost);
        play("open", "Ann says /togyz\nAnn has buttons Join", &mut stage).await;
        let seen = stage.visible_messages("Ann").await;
        let boards = seen.iter().filter(|it| it.buttons.iter().any(|(label, _)| label == "Join"));
        assert_eq!(boards.count(), tables, "{seen:?}");
    }
}

#[tokio::test]
async fn more_rows_of_buttons_than_discord_shows_are_joined() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let button = |n: usize| Button {
        label: n.to_string(),
        callback_data: format!("p.{n}"),
        ..<_>::default()
    };
    let all: Vec<Button> = (1..=11).map(button).collect();
    let buttons = all.chunks(2).map(<[Button]>::to_vec).collect();
    let message = OutgoingMessage { buttons, ..saying("six rows") };
    scene.discord.post(&chat(&channel), &message).await.expect("posted");
    let rows = scene.dc.visible_to(&ann, &channel)[0].buttons.clone();
    let lengths: Vec<usize> = rows.iter().map(Vec::len).collect();
    assert_eq!(lengths, [3, 3, 3, 2]);
    let labels: Vec<String> = rows.concat().into_iter().map(|(label, _)| label).collect();
    assert_eq!(labels, all.iter().map(|it| it.label.clone()).collect::<Vec<_>>());
    scene.end();
}

#[tokio::test]
async fn a_used_up_bucket_is_waited_for_without_asking() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    scene.dc.limit(2, Duration::from_secs(5));
    let here = chat(&channel);
    for _ in 0..2 {
        scene.discord.post(&here, &saying("x")).await.expect("posted");
    }
    assert_eq!(scene.discord.post(&here, &saying("x")).await, Err(SendError::RateLimited(5000)));
    assert_eq!(scene.dc.calls_to("POST", "/messages").len(), 2);
    scene.advance(Duration::from_secs(5));
    scene.discord.post(&here, &saying("x")).await.expect("posted");
    scene.end();
}

#[tokio::test]
async fn a_post_whose_answer_was_lost_is_not_repeated() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let message =
        OutgoingMessage { nonce: "a very long nonce of the outbox 7".to_owned(), ..board("x") };
    scene.dc.fail(Failure::CutAfter { method: "POST", path: "/messages" });
    let lost = scene.discord.post(&chat(&channel), &message).await.expect_err("no answer");
    assert!(matches!(&lost, SendError::Temporary(why) if !why.contains("http")), "{lost:?}");
    let id = scene.discord.post(&chat(&channel), &message).await.expect("found again");
    let seen = scene.dc.visible_to(&ann, &channel);
    assert_eq!((seen.len(), &seen[0].id), (1, &id.0));
    // By then there may be more to say than when the first copy was posted.
    let mut newer = OutgoingMessage { text: RichText::plain("y"), ..message };
    newer.buttons[0].pop();
    let same = scene.discord.post(&chat(&channel), &newer).await.expect("found again");
    let seen = scene.dc.visible_to(&ann, &channel);
    assert_eq!((seen.len(), &seen[0].id, same), (1, &id.0, id.clone()));
    assert_eq!((seen[0].content.as_str(), seen[0].buttons[0].len()), ("y", 1));
    scene.end();
}

#[tokio::test]
async fn boards_know_how_deep_they_are_buried() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let here = chat(&channel);
    let id = scene.discord.post(&here, &board("move 1")).await.expect("posted");
    assert_eq!(scene.discord.messages_below(&here, &id), 0);
    let said: Vec<String> = (0..3).map(|_| ann.say(&channel, "talk", None)).collect();
    soon("three messages below", async || scene.discord.messages_below(&here, &id) == 3).await;
    scene.dc.delete(&said[0]);
    soon("two messages below", async || scene.discord.messages_below(&here, &id) == 2).await;
    scene.end();
}

#[tokio::test]
async fn messages_that_others_delete_are_reported() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let here = chat(&channel);
    let mut boards = Vec::new();
    for n in 0..4 {
        boards.push(scene.discord.post(&here, &board(&n.to_string())).await.expect("posted"));
    }
    scene.discord.delete(&here, &boards[0]).await.expect("deleted by the bot");
    scene.dc.delete(&boards[1].0);
    scene.dc.purge(&channel, &[&boards[2].0, &boards[3].0]);
    let mut deleted = scene.script.deleted.subscribe();
    let all = deleted.wait_for(|it| it.len() >= 3);
    let all = tokio::time::timeout(Duration::from_secs(20), all).await.expect("in time");
    let mut all = all.expect("the script stays").clone();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(all, boards[1..]);
    scene.end();
}

#[tokio::test]
async fn a_person_who_acted_lately_can_be_told_privately() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    let (here, person) = (chat(&channel), PersonId(format!("dc:{}", ann.id)));
    let hand = board("your hand").into();
    let tell = || scene.discord.show_ephemeral(&here, &person, "hand", &hand);
    assert_eq!(tell().await, Err(SendError::NotAllowed), "no token yet");
    scene.will_answer(&["hello"]);
    ann.slash(&channel, "move", &[("pit", "1")]);
    scene.sees(&ann, &channel, 1).await;
    soon("a private word", async || tell().await.is_ok()).await;
    let seen = scene.dc.visible_to(&ann, &channel);
    assert!(seen[1].ephemeral && seen[1].content == "your hand" && seen[1].files.len() == 1);
    assert!(scene.dc.visible_to(&bob, &channel).is_empty());
    scene.advance(Duration::from_secs(15 * 60));
    assert_eq!(tell().await, Err(SendError::NotAllowed));
    scene.end();
}

#[tokio::test]
async fn a_direct_channel_is_private_by_itself() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let direct = scene.dc.dm(&ann);
    ann.say(&direct, "hello", None);
    scene.heard(1).await;
    let person = PersonId(format!("dc:{}", ann.id));
    scene
        .discord
        .show_ephemeral(&chat(&direct), &person, "hand", &board("your hand").into())
        .await
        .expect("said");
    assert_eq!(scene.dc.visible_to(&ann, &direct)[1].text, "your hand");
    assert!(scene.discord.server_invite_url().starts_with("https://discord.com/oauth2/authorize?"));
    scene.end();
}

#[tokio::test]
async fn a_replay_plays_in_the_chat_and_has_alternative_text() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let file = Attachment {
        name: "game.gif".to_owned(),
        bytes: Arc::new(b"GIF89a".to_vec()),
        animation: Some("how it went".to_owned()),
    };
    let replay = OutgoingMessage { image: None, file: Some(file), ..board("The replay") };
    scene.discord.post(&chat(&channel), &replay).await.expect("posted");
    let seen = &scene.dc.visible_to(&ann, &channel)[0];
    assert_eq!((seen.files[0].name.as_str(), seen.files[0].kind.as_str()), {
        ("game.gif", "image/gif")
    });
    assert_eq!(seen.files[0].description.as_deref(), Some("how it went"));
    scene.end();
}

#[tokio::test]
async fn a_ping_arrives_where_the_bot_may_not_read_older_messages() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    scene.dc.bot_may(&channel, may::USUAL & !may::READ_HISTORY);
    let here = chat(&channel);
    let id = scene.discord.post(&here, &board("move 1")).await.expect("posted");
    let ping = OutgoingMessage { reply_to: Some(id.clone()), ..saying("your turn") };
    scene.discord.post(&here, &ping).await.expect("posted without the reference");
    let seen = scene.dc.visible_to(&ann, &channel);
    assert_eq!((seen[1].content.as_str(), seen[1].answers.as_ref()), ("your turn", None));
    // Files are forbidden, too: both are left out.
    scene.dc.bot_may(&channel, may::USUAL & !may::READ_HISTORY & !may::ATTACH_FILES);
    let answer = OutgoingMessage { reply_to: Some(id), ..board("move 2") };
    scene.discord.post(&here, &answer).await.expect("posted as text");
    let seen = scene.dc.visible_to(&ann, &channel);
    assert!(seen[2].content.starts_with("move 2") && seen[2].files.is_empty(), "{:?}", seen[2]);
    scene.end();
}

#[tokio::test]
async fn a_board_is_text_where_files_are_forbidden() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    scene.dc.bot_may(&channel, may::USUAL & !may::ATTACH_FILES);
    let here = chat(&channel);
    let id = scene.discord.post(&here, &board("move 1")).await.expect("posted in words");
    let alt = board("move 1").image.expect("a picture").alt;
    let seen = &scene.dc.visible_to(&ann, &channel)[0];
    assert!(seen.files.is_empty(), "{:?}", seen.files);
    assert_eq!(seen.content, format!("move 1\n\n{alt}"));
    // Each interaction tells what is allowed.
    ann.press(&channel, &id.0, "p.2");
    scene.heard(1).await;
    assert_eq!(scene.discord.missing_permissions(&here), ["Attach Files".into()]);
    scene.discord.edit(&here, &id, &board("move 2")).await.expect("edited in words");
    let seen = &scene.dc.visible_to(&ann, &channel)[0];
    assert_eq!((seen.files.len(), seen.content.as_str()), (0, &*format!("move 2\n\n{alt}")));
    scene.end();
}
