//! Discord events become updates for the handler and are answered in time.

use caravanserai::logs::DEPENDENCY_FILTER;

use super::*;

#[tokio::test]
async fn a_slash_command_keeps_its_options_and_leaves_nothing_behind() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann").locale("ru"), scene.dc.user("bob").global_name("Bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    ann.member(&channel, Some("Анна"), may::USUAL | may::MANAGE_GUILD);
    scene.dc.guild_locale(&channel, "tr");
    let given = [("note", "first move"), ("friend", bob.id.as_str()), ("variant", "seed")];
    let id = ann.slash(&channel, "togyz", &given);
    let heard = scene.heard(1).await;
    assert_eq!(heard[0].id, format!("dc/{id}"));
    assert_eq!(heard[0].chat.id, chat(&channel));
    assert_eq!(heard[0].chat.kind, ChatKind::Group);
    assert_eq!(heard[0].chat.title, "games");
    assert_eq!(heard[0].chat.locale.as_deref(), Some("tr"));
    let person = &heard[0].person;
    assert_eq!((person.name.as_str(), person.admin), ("Анна", true));
    assert_eq!(person.locale.as_deref(), Some("ru"));
    assert_eq!(person.id, PersonId(format!("dc:{}", ann.id)));
    let UpdateKind::Command { name, options } = &heard[0].kind else { panic!("{heard:?}") };
    let values: Vec<(&str, &OptionValue)> =
        options.iter().map(|it| (it.name.as_str(), &it.value)).collect();
    let text = |it: &str| OptionValue::Text(it.to_owned());
    let [variant, (friend, OptionValue::Person(Mention::Known(person))), note] = values[..] else {
        panic!("{values:?}");
    };
    assert_eq!((name.as_str(), friend), ("togyz", "friend"), "in the order of the menu");
    assert_eq!((variant, note), (("variant", &text("seed")), ("note", &text("first move"))));
    assert_eq!(person.name, "Bob");
    assert_eq!(person.id, PersonId(format!("dc:{}", bob.id)));
    assert_eq!(scene.dc.answered(id).await, 5);
    scene
        .dc
        .wait_until("the answer is taken back", |dc| !dc.calls_to("DELETE", "").is_empty())
        .await;
    assert!(scene.dc.visible_to(&ann, &channel).is_empty());
    scene.end();
}

#[tokio::test]
async fn a_typed_message_of_an_admin_is_heard_as_that_of_an_admin() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    ann.member(&channel, None, may::USUAL | may::MANAGE_GUILD);
    let call = format!("<@{}> hidename rude", scene.dc.bot_id());
    for (who, is_admin) in [(&ann, true), (&bob, false)] {
        let before = scene.script.heard.borrow().len();
        who.say(&channel, &call, None);
        let heard = scene.heard(before + 1).await;
        assert_eq!(heard[before].person.id, PersonId(format!("dc:{}", who.id)));
        assert_eq!(heard[before].person.admin, is_admin);
    }
    scene.end();
}

#[tokio::test]
async fn a_subcommand_is_heard_as_its_command() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob").global_name("Bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    let kick = [("table", "abcdefg"), ("friend", bob.id.as_str())];
    for (name, given, heard) in [
        ("table draw", &[][..], "/draw"),
        ("table draw", &[("table", "abcdefg")][..], "/draw abcdefg"),
        ("table kick", &kick[..], "/kick @Bob abcdefg"),
        ("settings overview", &[][..], "/settings"),
        ("settings theme", &[][..], "/theme"),
    ] {
        let before = scene.script.heard.borrow().len();
        ann.slash(&channel, name, given);
        let all = scene.heard(before + 1).await;
        assert_eq!(command_of(&all[before]), heard, "{name}");
    }
    scene.end();
}

#[tokio::test]
async fn commands_of_an_earlier_menu_are_still_understood() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    // Another process of an earlier version registers its commands, all at the top level.
    let before = settings(&scene.clock, scene.dc.token(), scene.dc.api_url(), Duration::ZERO);
    let before = DiscordPlatform::connect(before).await.expect("it starts");
    let scope = vec![menu_option("scope", OptionKind::Text, false)];
    let flat = [menu_command("draw", vec![]), menu_command("settings", scope)];
    let flat = flat.map(DiscordMenuEntry::Command);
    assert!(before.register_commands(&flat).await.expect("the menu is fine"));
    ann.slash(&channel, "draw", &[]);
    assert_eq!(command_of(&scene.heard(1).await[0]), "/draw");
    ann.slash(&channel, "settings", &[("scope", "me")]);
    assert_eq!(command_of(&scene.heard(2).await[1]), "/settings me");
    // A subcommand that this version does not know has its own name.
    let newer = [menu_group("table", vec![menu_command("swap", vec![])])];
    assert!(before.register_commands(&newer).await.expect("the menu is fine"));
    ann.slash(&channel, "table swap", &[]);
    assert_eq!(command_of(&scene.heard(3).await[2]), "/swap");
    scene.end();
}

#[tokio::test]
async fn a_place_names_the_channel_of_a_thread_and_the_server() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let server = ChatId(format!("dc:server-{}", scene.dc.guild_id(&channel).expect("a guild")));
    scene.will_answer(&[]);
    ann.slash(&channel, "togyz", &[]);
    let parents = scene.heard(1).await[0].chat.parents.clone();
    assert_eq!((parents.channel, parents.server.as_ref()), (None, Some(&server)));
    // The message arrives before the gateway describes the thread: Discord is asked once.
    scene.dc.hold_events();
    let thread = scene.dc.thread(&channel, "evening");
    let call = format!("<@{}> hello", scene.dc.bot_id());
    ann.say(&thread, &call, None);
    scene.dc.release_reversed();
    scene.heard(2).await;
    ann.say(&thread, &call, None);
    ann.slash(&thread, "togyz", &[]);
    for update in &scene.heard(4).await[1..] {
        assert_eq!(update.chat.id, chat(&thread));
        let parents = &update.chat.parents;
        assert_eq!(parents.channel, Some(chat(&channel)));
        assert_eq!(parents.server.as_ref(), Some(&server));
    }
    assert!(scene.dc.calls_to("GET", &format!("/channels/{}", thread.id)).len() <= 1);
    let direct = scene.dc.dm(&ann);
    ann.slash(&direct, "togyz", &[]);
    assert!(scene.heard(5).await[4].chat.parents.is_empty());
    scene.end();
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
    scene.end();
}

#[tokio::test]
async fn a_slow_answer_delays_no_later_request_of_the_person() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    scene.will_answer(&["at once"]);
    scene.will_answer(&["after a while"]);
    let slow = ann.slash(&channel, "move", &[("pit", "slow")]);
    let quick = ann.slash(&channel, "move", &[("pit", "3")]);
    assert_eq!(scene.dc.answered(quick).await, 4);
    let heard = scene.heard(1).await;
    assert_eq!(command_of(&heard[0]), "/move 3");
    scene.script.thought.add_permits(1);
    assert_eq!(scene.dc.answered(slow).await, 4);
    let seen = scene.sees(&ann, &channel, 2).await;
    let texts: Vec<_> = seen.iter().map(|it| it.content.as_str()).collect();
    assert!(texts.contains(&"at once") && texts.contains(&"after a while"), "{texts:?}");
    scene.end();
}

#[tokio::test]
async fn a_private_card_turns_its_page_in_place() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    for page in ["page 1", "page 2"] {
        let card = EphemeralReply { message: board(page).into(), ..EphemeralReply::default() };
        scene.script.answers.lock().push_back(vec![card]);
    }
    ann.slash(&channel, "move", &[("pit", "3")]);
    let card = scene.sees(&ann, &channel, 1).await[0].id.clone();
    let press = ann.press(&channel, &card, "p.1");
    assert_eq!(scene.dc.answered(press).await, 7);
    let seen = scene.dc.visible_to(&ann, &channel);
    let seen: Vec<_> = seen.iter().map(|it| (it.content.as_str(), it.ephemeral)).collect();
    assert_eq!(seen, [("page 2", true)]);
    scene.end();
}

#[tokio::test]
async fn a_slow_decision_is_acknowledged_first_and_told_afterwards() {
    let scene = Scene::with_watchdog(Duration::ZERO).await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let id = scene.discord.post(&chat(&channel), &board("move 1")).await.expect("posted");
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
    scene.end();
}

#[tokio::test]
async fn nothing_takes_the_place_of_an_answer_that_is_still_due() {
    let scene = Scene::with_watchdog(Duration::ZERO).await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    scene.script.gate.forget_permits(1000);
    scene.will_answer(&["pit 3 is empty"]);
    let slash = ann.slash(&channel, "move", &[("pit", "3")]);
    assert_eq!(scene.dc.answered(slash).await, 5);
    let (here, person) = (chat(&channel), PersonId(format!("dc:{}", ann.id)));
    let hand = board("your hand").into();
    let tell = || scene.discord.show_ephemeral(&here, &person, "hand", &hand);
    assert_eq!(tell().await, Err(SendError::NotAllowed), "no token yet");
    scene.script.gate.add_permits(1);
    soon("a private word", async || tell().await.is_ok()).await;
    let seen = scene.dc.visible_to(&ann, &channel);
    let texts: Vec<_> = seen.iter().map(|it| (it.content.as_str(), it.ephemeral)).collect();
    assert_eq!(texts, [("pit 3 is empty", true), ("your hand", true)]);
    scene.end();
}

#[tokio::test]
async fn typed_arguments_are_completed() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann").global_name("Ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let offers = ann.autocomplete(&channel, "move", "pit", "ta").await;
    assert_eq!(offers[0], ("move ta Ann true".to_owned(), "ta".to_owned()));
    assert_eq!(offers[1].0.chars().count(), 100);
    let offers = ann.autocomplete(&channel, "table draw", "table", "ab").await;
    assert_eq!(offers[0], ("draw ab Ann true".to_owned(), "ab".to_owned()));
    scene.end();
}

#[tokio::test]
async fn events_missed_during_a_disconnect_arrive_once() {
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
    let mut texts: Vec<_> = heard.iter().map(command_of).collect();
    texts.sort();
    assert_eq!(texts, ["/move 1", "/move 2", "/move 3"]);
    assert_eq!(scene.dc.sessions(), 1, "resumed, not begun again");
    scene.end();
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
    heard.sort_by_key(|it| it.chat.kind == ChatKind::Private);
    assert_eq!((&heard[0].chat.id, heard[0].chat.title.as_str()), (&chat(&thread), "talk"));
    assert_eq!((&heard[1].chat.id, heard[1].chat.kind), (&chat(&direct), ChatKind::Private));
    let link = |at: &Channel, id: &str| {
        scene
            .discord
            .message_link(&chat(at), &MessageId(id.to_owned()))
            .expect("the place is known")
    };
    let guild = scene.dc.guild_id(&thread).expect("a guild");
    assert_eq!(link(&thread, "5"), format!("https://discord.com/channels/{guild}/{}/5", thread.id));
    assert_eq!(link(&direct, "5"), format!("https://discord.com/channels/@me/{}/5", direct.id));
    assert!(
        scene.discord.message_link(&ChatId("dc:77".to_owned()), &MessageId("5".into())).is_none()
    );
    for at in [&thread, &direct] {
        scene.discord.post(&chat(at), &board("move 1")).await.expect("posted");
        assert_eq!(scene.dc.visible_to(&ann, at).last().expect("seen").content, "move 1");
    }
    scene.end();
}

#[tokio::test]
async fn words_are_read_only_where_discord_shows_them_to_every_bot() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    let direct = scene.dc.dm(&ann);
    assert_eq!(scene.dc.intents() & (1 << 1 | 1 << 8 | 1 << 15), 0, "no privileged intent");
    let id = scene.discord.post(&chat(&channel), &board("move 1")).await.expect("posted");
    ann.say(&channel, "a secret", None);
    let call = format!("<@{}> play with {} please", scene.dc.bot_id(), bob.mention());
    ann.say(&channel, &call, None);
    let heard = scene.heard(1).await;
    let (text, people) = text_of(&heard[0]);
    assert_eq!((text, people[0].name.as_str()), ("play with please", "bob"));
    ann.say(&channel, "7", Some(&id.0));
    let heard = scene.heard(2).await;
    assert!(matches!(&heard[1].kind,
        UpdateKind::Text { text, reply_to, .. } if text == "7" && reply_to.as_ref() == Some(&id)));
    scene.will_answer(&["only you and I read this"]);
    ann.say(&direct, "/help", None);
    let seen = scene.sees(&ann, &direct, 2).await;
    assert_eq!(seen[1].content, "only you and I read this");
    assert_eq!(scene.heard(3).await.len(), 3, "the secret was not heard");
    scene.end();
}

#[tokio::test]
async fn without_post_permissions_only_the_sender_is_informed() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann").locale("ru");
    let channel = scene.dc.channel("games", &[&ann]);
    scene.dc.bot_may(&channel, may::USUAL & !may::SEND_MESSAGES);
    ann.slash(&channel, "togyz", &[]);
    let seen = scene.sees(&ann, &channel, 1).await;
    assert!(seen[0].ephemeral && seen[0].content == "Мне нужно больше прав: Send Messages");
    let thread = scene.dc.thread(&channel, "talk");
    scene.dc.bot_may(&thread, may::USUAL & !may::SEND_IN_THREADS);
    ann.slash(&thread, "togyz", &[]);
    let seen = scene.sees(&ann, &thread, 1).await;
    assert_eq!(seen[0].content, "Мне нужно больше прав: Send Messages in Threads");
    ann.slash(&thread, "table board", &[]);
    scene.sees(&ann, &thread, 2).await;
    ann.slash(&channel, "move", &[("pit", "1")]);
    let heard = scene.heard(1).await;
    assert_eq!(command_of(&heard[0]), "/move 1", "a command that posts nothing is heard");
    ann.slash(&channel, "table draw", &[]);
    assert_eq!(command_of(&scene.heard(2).await[1]), "/draw", "a subcommand too");
    scene.end();
}

#[tokio::test]
async fn a_wrong_token_stops_the_start_and_is_not_printed() {
    let dc = FakeDiscord::start().await;
    let clock = Arc::new(FakeClock::default());
    for wrong in ["very.secret.token", "with a\nnew line"] {
        let settings = settings(&clock, wrong.to_owned(), dc.api_url(), Duration::ZERO);
        let error = DiscordPlatform::connect(settings).await.err().expect("it does not start");
        assert_eq!(error, DiscordStartError::BadToken);
        assert!(!error.to_string().contains("secret"));
    }
}

#[tokio::test]
async fn an_answer_that_was_lost_is_given_again() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    for lost in [
        Failure::CutBefore { method: "POST", path: "/interactions/" },
        Failure::CutAfter { method: "POST", path: "/interactions/" },
        Failure::Answer { method: "POST", path: "/interactions/", status: 503 },
    ] {
        let before = scene.dc.visible_to(&ann, &channel).len();
        scene.dc.fail(lost);
        scene.will_answer(&["one", "two"]);
        ann.slash(&channel, "move", &[("pit", "1")]);
        let seen = scene.sees(&ann, &channel, before + 2).await;
        assert_eq!((seen[before].text.as_str(), seen[before + 1].text.as_str()), ("one", "two"));
    }
    scene.end();
}

#[tokio::test]
async fn private_answers_are_tried_again_after_a_moment() {
    let scene = Scene::with_watchdog(Duration::ZERO).await;
    let ann = scene.dc.user("ann");
    let (channel, direct) = (scene.dc.channel("games", &[&ann]), scene.dc.dm(&ann));
    let (method, path) = ("POST", "/channels/");
    scene.dc.fail(Failure::Answer { method, path, status: 502 });
    scene.will_answer(&["the rules"]);
    ann.say(&direct, "/rules", None);
    assert_eq!(scene.sees(&ann, &direct, 2).await[1].content, "the rules");
    // An answer whose acknowledgement was lost comes once.
    scene.dc.fail(Failure::CutAfter { method: "POST", path: "/channels/" });
    scene.will_answer(&["the rules"]);
    ann.say(&direct, "/rules", None);
    scene.sees(&ann, &direct, 4).await;
    scene.discord.drain().await;
    assert_eq!(scene.dc.visible_to(&ann, &direct).len(), 4);
    // So do buttons that reveal an answer, and answers of slow commands.
    scene.dc.fail(Failure::Answer { method: "POST", path: "/channels/", status: 502 });
    scene.will_answer(&["pit 3 is empty"]);
    ann.say(&channel, &format!("<@{}> 3", scene.dc.bot_id()), None);
    assert_eq!(scene.sees(&ann, &channel, 2).await[1].content, "a letter");
    scene.script.gate.forget_permits(2000);
    let slow = ann.slash(&channel, "move", &[("pit", "3")]);
    assert_eq!(scene.dc.answered(slow).await, 5);
    scene.dc.fail(Failure::Answer { method: "PATCH", path: "/webhooks/", status: 502 });
    scene.will_answer(&["pit 3 is empty"]);
    scene.script.gate.add_permits(1);
    let answered = |dc: &FakeDiscord| {
        let seen = dc.visible_to(&ann, &channel);
        seen.iter().any(|it| !it.loading && it.content == "pit 3 is empty")
    };
    scene.dc.wait_until("the answer", answered).await;
    scene.end();
}

#[tokio::test]
async fn a_gateway_that_is_gone_is_sought_until_the_stop() {
    let scene = Scene::set().await;
    // It does not connect more often than Discord allows, either.
    scene.dc.starts_left(0);
    scene.dc.fail(Failure::Answer { method: "GET", path: "/gateway/bot", status: 503 });
    let (stop, stopped) = oneshot::channel::<()>();
    let (runner, listener) = (scene.discord.clone(), scene.script.clone());
    let second = tokio::spawn(async move {
        let stop = async {
            let _ = stopped.await;
        };
        runner.run(listener, stop).await
    });
    let asked = |dc: &FakeDiscord| dc.calls_to("GET", "/gateway/bot").len() == 2;
    scene.dc.wait_until("a call that fails", asked).await;
    let again = |dc: &FakeDiscord| dc.calls_to("GET", "/gateway/bot").len() == 3;
    scene.dc.wait_until("another call", again).await;
    stop.send(()).expect("it still tries");
    assert_eq!(second.await.expect("no panic"), Ok(()));
    assert_eq!(scene.dc.sessions(), 1);
    scene.end();
}

#[tokio::test]
async fn an_answer_that_comes_too_late_does_no_harm() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    scene.script.gate.forget_permits(1000);
    scene.will_answer(&["too late"]);
    let late = ann.slash(&channel, "move", &[("pit", "1")]);
    scene.heard(1).await;
    scene.advance(Duration::from_secs(4));
    scene.script.gate.add_permits(2);
    let refused = |dc: &FakeDiscord| dc.calls().iter().any(|it| it.code == 10062);
    scene.dc.wait_until("a refused answer", refused).await;
    assert_eq!(scene.dc.answer_of(late), None);
    let next = ann.slash(&channel, "move", &[("pit", "2")]);
    assert_eq!(scene.dc.answered(next).await, 5);
    scene.end();
}

#[tokio::test]
async fn channels_are_known_before_anybody_acts_in_them() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let thread = scene.dc.thread(&channel, "talk");
    let message = MessageId("5".to_owned());
    for at in [&channel, &thread] {
        let known = async || scene.discord.message_link(&chat(at), &message).is_some();
        soon("an address of a message", known).await;
    }
    scene.end();
}

#[tokio::test]
async fn events_that_come_in_another_order_are_all_heard() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    let board = scene.discord.post(&chat(&channel), &board("move 1")).await.expect("posted");
    scene.dc.hold_events();
    let first = ann.press(&channel, &board.0, "p.1");
    let second = bob.slash(&channel, "move", &[("pit", "2")]);
    let third = ann.press(&channel, &board.0, "p.2");
    scene.dc.release_reversed();
    for interaction in [first, second, third] {
        scene.dc.answered(interaction).await;
    }
    let mut heard: Vec<String> = scene.heard(3).await.into_iter().map(|it| it.id).collect();
    heard.sort();
    assert_eq!(heard, [first, second, third].map(|it| format!("dc/{it}")));
    scene.end();
}

#[tokio::test]
async fn a_typed_message_waits_for_the_earlier_ones_of_its_author() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    let call = |words: &str| format!("<@{}> {words}", scene.dc.bot_id());
    scene.script.gate.forget_permits(1000);
    ann.say(&channel, &call("3"), None);
    scene.heard(1).await;
    ann.say(&channel, &call("7"), None);
    bob.say(&channel, &call("5"), None);
    let texts =
        |heard: &[Update]| heard.iter().map(|it| text_of(it).0.to_owned()).collect::<Vec<_>>();
    assert_eq!(texts(&scene.heard(2).await), ["3", "5"], "other people do not wait");
    scene.script.gate.add_permits(3);
    assert_eq!(texts(&scene.heard(3).await), ["3", "5", "7"]);
    scene.end();
}

#[tokio::test]
async fn a_stop_says_goodbye() {
    let scene = Scene::set().await;
    assert!(scene.dc.is_connected());
    scene.stop().await;
}

/// Where a test's log goes.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A line that the test logs itself.
const OWN_LINE: &str = "everything is logged here";

#[tokio::test]
async fn the_token_is_in_no_log_however_much_is_logged() {
    let log = Log::default();
    let writer = log.clone();
    let filter = format!("trace,{DEPENDENCY_FILTER}");
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::new(filter))
        .with_writer(move || writer.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    // Other tests that log at the same time may have switched off the lines of the adapter.
    tracing::trace!("{OWN_LINE}");
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let path = Failure::CutBefore { method: "POST", path: "/interactions/" };
    scene.dc.fail(path);
    ann.slash(&channel, "move", &[("pit", "1")]);
    scene.dc.wait_until("a call", |dc| !dc.calls_to("POST", "/interactions/").is_empty()).await;
    let _ = scene.discord.post(&chat(&channel), &board("x")).await;
    scene.dc.fail(Failure::Answer { method: "", path: "/channels/", status: 401 });
    let _ = scene.discord.post(&chat(&channel), &board("x")).await;
    let text = String::from_utf8(log.0.lock().clone()).expect("it is text");
    assert!(text.contains(OWN_LINE), "nothing is logged");
    assert!(!text.contains(&scene.dc.token()), "{text}");
    scene.end();
}

#[tokio::test]
async fn a_reply_gets_a_new_reveal_button_after_a_deletion() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let id = scene.discord.post(&chat(&channel), &board("move 1")).await.expect("posted");
    scene.will_answer(&["pit 3 is empty"]);
    ann.say(&channel, "3", Some(&id.0));
    let cover = scene.sees(&ann, &channel, 3).await[2].clone();
    scene.discord.drain().await;
    scene.dc.delete(&cover.id);
    let gone = MessageId(cover.id.clone());
    let mut deleted = scene.script.deleted.subscribe();
    deleted.wait_for(|it| it.contains(&gone)).await.expect("the deletion is reported");
    scene.will_answer(&["pit 3 is empty"]);
    let typed = ann.say(&channel, "3", Some(&id.0));
    let again = scene.sees(&ann, &channel, 4).await[3].clone();
    assert_eq!(again.buttons, [[("open".to_owned(), format!("w.{typed}"))]]);
    scene.end();
}

#[tokio::test]
async fn a_typed_message_gets_a_reveal_button_for_its_author() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob").locale("ru"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    let id = scene.discord.post(&chat(&channel), &board("move 1")).await.expect("posted");
    scene.will_answer(&["pit 3 is empty", "try 5"]);
    let typed = ann.say(&channel, "3", Some(&id.0));
    let seen = scene.sees(&bob, &channel, 3).await;
    let cover = seen[2].clone();
    assert_eq!((cover.content.as_str(), cover.silent), ("a letter", true));
    assert_eq!(cover.buttons, [[("open".to_owned(), format!("w.{typed}"))]]);
    assert_eq!((cover.answers.as_deref(), cover.pinged.len()), (Some(typed.as_str()), 0));
    scene.will_answer(&["it is not your turn"]);
    ann.say(&channel, "4", Some(&id.0));
    scene.heard(2).await;
    scene.discord.drain().await;

    let wrong = bob.press(&channel, &cover.id, &cover.buttons[0][0].1);
    assert_eq!(scene.dc.answered(wrong).await, 4);
    let seen = scene.sees(&bob, &channel, 5).await;
    assert!(seen.iter().any(|it| it.ephemeral && it.content == "не вам"), "{seen:#?}");
    let right = ann.press(&channel, &cover.id, &cover.buttons[0][0].1);
    assert_eq!(scene.dc.answered(right).await, 4);
    let opened =
        |dc: &FakeDiscord| dc.visible_to(&bob, &channel).iter().all(|it| it.id != cover.id);
    scene.dc.wait_until("the envelope is gone", opened).await;
    scene.discord.drain().await;
    let seen = scene.dc.visible_to(&ann, &channel);
    let private: Vec<_> = seen.iter().filter(|it| it.ephemeral).map(|it| &it.content).collect();
    let all = ["pit 3 is empty", "try 5", "it is not your turn"];
    assert_eq!(private, all, "one envelope with all answers");
    assert_eq!(scene.heard(2).await.len(), 2, "envelopes are no business of the service");
    let late = ann.press_stale(&channel, &id.0, "w.77");
    assert_eq!(scene.dc.answered(late).await, 4);
    // The answer is hers, but the message is the board and not its cover.
    let forged = ann.press_stale(&channel, &id.0, &cover.buttons[0][0].1);
    assert_eq!(scene.dc.answered(forged).await, 4);
    scene.discord.drain().await;
    assert!(scene.dc.visible_to(&bob, &channel).iter().any(|it| it.id == id.0), "the board stays");
    scene
        .dc
        .wait_until("it says that the answer is gone", |dc| {
            dc.visible_to(&ann, &channel).iter().any(|it| it.content == "expired")
        })
        .await;
    scene.end();
}

#[tokio::test]
async fn a_reply_without_a_mention_is_explained_once_a_day() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    let id = scene.discord.post(&chat(&channel), &board("move 1")).await.expect("posted");
    ann.reply_without_mention(&channel, "3", &id.0);
    let cover = scene.sees(&ann, &channel, 3).await[2].clone();
    assert_eq!((cover.content.as_str(), cover.silent), ("a letter", true));
    scene.discord.drain().await;
    ann.press(&channel, &cover.id, &cover.buttons[0][0].1);
    let is_told = |dc: &FakeDiscord| {
        dc.visible_to(&ann, &channel).iter().any(|it| it.content == "switch the mention on")
    };
    scene.dc.wait_until("the reason", is_told).await;
    // It is not said again, nor about what people write to each other.
    scene.discord.drain().await;
    let count = scene.dc.visible_to(&ann, &channel).len();
    let own = ann.reply_without_mention(&channel, "4", &id.0);
    bob.reply_without_mention(&channel, "nice", &own);
    ann.say(&channel, "3", Some(&id.0));
    assert_eq!(text_of(&scene.heard(1).await[0]).0, "3");
    scene.discord.drain().await;
    assert_eq!(scene.dc.visible_to(&ann, &channel).len(), count + 3);
    scene.advance(Duration::from_secs(86_400));
    ann.reply_without_mention(&channel, "5", &id.0);
    scene.sees(&ann, &channel, count + 5).await;
    scene.end();
}

#[tokio::test]
async fn a_hidden_reply_that_did_not_arrive_can_be_opened_again() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    scene.will_answer(&["pit 3 is empty", "try 5"]);
    ann.say(&channel, &format!("<@{}> 3", scene.dc.bot_id()), None);
    let cover = scene.sees(&ann, &channel, 2).await[1].clone();
    let button = cover.buttons[0][0].1.clone();
    let whispers = || -> Vec<String> {
        let seen = scene.dc.visible_to(&ann, &channel).into_iter();
        seen.filter(|it| it.ephemeral).map(|it| it.content).collect()
    };
    // The answer is lost, and its repetition.
    let (method, path) = ("POST", "/interactions/");
    (0..2).for_each(|_| scene.dc.fail(Failure::Answer { method, path, status: 503 }));
    ann.press(&channel, &cover.id, &button);
    scene.dc.wait_until("two tries", |dc| dc.calls_to(method, path).len() == 2).await;
    scene.discord.drain().await;
    assert_eq!(whispers(), [""; 0]);
    // Then only the first reply arrives.
    scene.dc.fail(Failure::Answer { method, path: "/webhooks/", status: 401 });
    ann.press(&channel, &cover.id, &button);
    let is_told =
        |dc: &FakeDiscord| dc.visible_to(&ann, &channel).iter().any(|it| it.content == "try again");
    scene.dc.wait_until("the reason", is_told).await;
    scene.discord.drain().await;
    assert_eq!(whispers(), ["pit 3 is empty", "try again"]);
    ann.press(&channel, &cover.id, &button);
    let opened =
        |dc: &FakeDiscord| dc.visible_to(&ann, &channel).iter().all(|it| it.id != cover.id);
    scene.dc.wait_until("the envelope is gone", opened).await;
    assert_eq!(whispers()[2..], ["pit 3 is empty", "try 5"]);
    scene.end();
}

#[tokio::test]
async fn a_typed_message_is_answered_where_the_bot_may_not_read_older_messages() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    scene.dc.bot_may(&channel, may::USUAL & !may::READ_HISTORY);
    scene.will_answer(&["pit 3 is empty"]);
    ann.say(&channel, &format!("<@{}> 3", scene.dc.bot_id()), None);
    let seen = scene.sees(&ann, &channel, 2).await;
    assert_eq!((seen[1].content.as_str(), seen[1].answers.as_ref()), ("a letter", None));
    scene.end();
}

#[tokio::test]
async fn the_last_press_before_the_end_is_answered() {
    let mut scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let id = scene.discord.post(&chat(&channel), &board("move 1")).await.expect("posted");
    scene.script.gate.forget_permits(1000);
    let press = ann.press(&channel, &id.0, "p.1");
    scene.heard(1).await;
    scene.bot.stop.take().expect("once").send(()).expect("it still runs");
    scene.dc.wait_until("the line is closed", |dc| !dc.is_connected()).await;
    scene.script.gate.add_permits(1);
    let ended = (&mut scene.bot.running).await.expect("no panic");
    assert_eq!(ended, Ok(()));
    assert_eq!(scene.dc.answer_of(press), Some(6));
    scene.end();
}
