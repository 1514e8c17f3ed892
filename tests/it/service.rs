//! Behaviour that scripts cannot express: the same update twice, failing platforms, chats that
//! move.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use futures::FutureExt;

use caravanserai_bot::repository::keys;
use caravanserai_games::ids::{ChatId, MessageId};
use caravanserai_protocol::{Departure, PersonKind, SendError, UpdateHandler, UpdateKind};
use caravanserai_store::Space;
use caravanserai_store::faulty::{Fault, FaultyStore};
use caravanserai_store::memory::MemoryStore;

use crate::stage::memory::{MemoryStage, text};
use crate::stage::{DONE, LOOK_MS, Stage, VisibleMessage, play};

async fn stage() -> MemoryStage {
    MemoryStage::new(Arc::new(MemoryStore::default())).await
}

/// A game in which Ann is to move.
async fn playing() -> MemoryStage {
    let mut stage = stage().await;
    stage.send_group_message("Ann", "/togyz @Bek me").await;
    press(&mut stage, "Bek", "Accept").await;
    stage.service.wait_until_idle().await;
    stage
}

async fn press(stage: &mut MemoryStage, who: &str, label: &str) {
    let (message, press) = button(stage, who, label).await;
    stage.press_button(who, &message, &press).await;
}

async fn button(stage: &mut MemoryStage, who: &str, label: &str) -> (VisibleMessage, String) {
    let seen = stage.visible_messages(who).await;
    stage.pass_ms(LOOK_MS).await;
    seen.into_iter()
        .rev()
        .find_map(|it| {
            let press = it.buttons.iter().find(|(l, _)| l.starts_with(label))?.1.clone();
            Some((it, press))
        })
        .unwrap_or_else(|| panic!("no button {label}"))
}

async fn told(stage: &mut MemoryStage, who: &str) -> String {
    let told = stage.private_replies(who).await.into_iter().rev().find(|it| it.id != DONE);
    told.map(|it| it.text).unwrap_or_default()
}

async fn lines(stage: &MemoryStage) -> Vec<String> {
    let rows = stage.store.scan(Space::Head, "", None, 10).await.unwrap();
    stage.store.read_log(&rows[0].0, 0).await.unwrap()
}

#[tokio::test]
async fn the_same_update_twice_acts_once_and_answers_the_same() {
    let mut stage = playing().await;
    let (message, press) = button(&mut stage, "Ann", "7").await;
    let body = UpdateKind::Press { callback_data: press, message: Some(MessageId(message.id)) };
    let update = stage.update("Ann", false, body);
    let first = stage.hear(update.clone()).await;
    let log = lines(&stage).await;
    let second = stage.hear(update).await;
    assert_eq!(first, second);
    assert_eq!(lines(&stage).await, log);
}

#[tokio::test]
async fn a_duplicate_move_is_made_once_with_the_same_reply() {
    let mut stage = playing().await;
    let body = UpdateKind::Text {
        text: "/move 7".into(),
        mentions: vec![],
        reply_to: None,
        is_addressed: false,
    };
    let update = stage.update("Ann", false, body);
    let service = stage.service.clone();
    let heard = || service.handle(update.clone());
    let (a, b, c) = tokio::join!(heard(), heard(), heard());
    assert!(a[0].purpose.is_ack() && a == b && b == c, "{b:?} {c:?}");
    let moves = lines(&stage).await.iter().filter(|it| it.contains(" step ")).count();
    assert_eq!(moves, 1);
}

#[tokio::test]
async fn a_request_while_the_bot_stops_is_answered_and_delivered_again() {
    let mut stage = playing().await;
    let body = UpdateKind::Text {
        text: "/games".into(),
        mentions: vec![],
        reply_to: None,
        is_addressed: false,
    };
    let update = stage.update("Ann", false, body);
    stage.service.stop().await.expect("it stops");
    let refused = stage.service.handle_deferrable(update).await;
    let text = refused.replies[0].message.text().to_plain();
    assert!(text.contains("restarting") && text.contains("in a minute"), "{text}");
    assert!(!refused.ack.is_confirmed());
}

#[tokio::test]
async fn one_press_on_resign_delivered_twice_is_not_two() {
    let mut stage = playing().await;
    for (who, pit) in [("Ann", "7"), ("Bek", "7")] {
        stage.send_group_message(who, &format!("/move {pit}")).await;
    }
    let (message, resign) = button(&mut stage, "Ann", "🏳 Resign").await;
    let body =
        UpdateKind::Press { callback_data: resign.clone(), message: Some(MessageId(message.id)) };
    let update = stage.update("Ann", false, body.clone());
    let first = stage.hear(update.clone()).await;
    assert_eq!(stage.hear(update).await, first);
    assert!(!lines(&stage).await.iter().any(|it| it.contains(" over ")));
    let double_tap = stage.update("Ann", false, body.clone());
    assert_eq!(stage.hear(double_tap).await[0].message.text(), first[0].message.text());
    stage.clock.pass_ms(1_000);
    let second = stage.update("Ann", false, body);
    stage.hear(second).await;
    assert!(lines(&stage).await.iter().any(|it| it.contains(" over ")));
}

#[tokio::test]
async fn the_same_command_to_open_a_table_opens_one() {
    let mut stage = stage().await;
    let body = UpdateKind::Text {
        text: "/togyz".into(),
        mentions: vec![],
        reply_to: None,
        is_addressed: false,
    };
    let update = stage.update("Ann", false, body);
    let service = stage.service.clone();
    let (a, b, c) = tokio::join!(
        service.handle(update.clone()),
        service.handle(update.clone()),
        service.handle(update.clone())
    );
    assert!(a[0].purpose.is_ack() && a == b && b == c, "{b:?} {c:?}");
    assert_eq!(stage.store.scan(Space::Head, "", None, 10).await.unwrap().len(), 1);
}

#[tokio::test]
async fn the_first_of_two_concurrent_presses_counts() {
    let mut stage = playing().await;
    let (message, seven) = button(&mut stage, "Ann", "7").await;
    let (_, eight) = button(&mut stage, "Ann", "8").await;
    let id = Some(MessageId(message.id));
    let one =
        stage.update("Ann", false, UpdateKind::Press { callback_data: seven, message: id.clone() });
    let two = stage.update("Ann", false, UpdateKind::Press { callback_data: eight, message: id });
    let service = stage.service.clone();
    let (first, second) = tokio::join!(service.handle(one), service.handle(two));
    assert!(first[0].purpose.is_ack());
    assert!(second[0].message.text().to_plain().contains("That board is from the start"));
    let moves = lines(&stage).await.iter().filter(|it| it.contains(" step ")).count();
    assert_eq!(moves, 1);
}

#[tokio::test]
async fn a_rate_limited_board_shows_the_newest_state_later() {
    let mut stage = playing().await;
    let board = stage.visible_messages("Ann").await[0].clone();
    stage.platform.fail_with([SendError::RateLimited(5_000)]);
    for (who, pit) in [("Ann", "7"), ("Bek", "7"), ("Ann", "1")] {
        stage.send_group_message(who, &format!("/move {pit}")).await;
    }
    let edits = |stage: &MemoryStage| {
        stage.platform.calls().iter().filter(|(kind, ..)| *kind == "edit").count()
    };
    let before = edits(&stage);
    assert_eq!(stage.platform.messages(&stage.group)[0], board);
    stage.patience(5_000).await;
    let mut messages = stage.platform.messages(&stage.group);
    messages.retain(VisibleMessage::is_board);
    assert_eq!(messages.len(), 1);
    assert_ne!(messages[0], board);
    assert!(messages[0].buttons.iter().any(|(_, press)| press.contains(".7.")), "{messages:?}");
    assert!(edits(&stage) - before <= 2, "states in between were shown as well");
}

/// After a restart many chats wait for the budget that all of them share.
#[tokio::test]
async fn calls_that_the_adapter_does_not_make_use_up_no_limit_of_a_chat() {
    const UNMADE: usize = 10;
    let mut stage = stage().await;
    stage.platform.set_call_limit(18);
    stage.send_group_message("Ann", "/togyz @Bek me").await;
    press(&mut stage, "Bek", "Accept").await;
    stage.service.wait_until_idle().await;
    stage.platform.fail_with(vec![SendError::OverBudget(290); UNMADE]);
    stage.send_group_message("Ann", "/move 7").await;
    stage.patience(5).await;
    let boards = stage.platform.messages(&stage.group);
    assert!(boards.iter().any(|it| it.text.contains("Bek is to move")), "{boards:?}");
    let key = keys::call_history(stage.group.without_topic());
    let history = stage.store.get(Space::Meta, &key).await.unwrap().expect("calls were counted");
    let history: serde_json::Value = serde_json::from_slice(&history).unwrap();
    let counted = history["ages_ms"].as_array().expect("the ages of the calls").len();
    let calls = stage.platform.calls().into_iter().filter(|it| it.1 == stage.group);
    assert_eq!(counted, calls.count() - UNMADE, "{history}");
}

#[tokio::test]
async fn a_platform_that_fails_for_a_while_loses_nothing() {
    let mut stage = stage().await;
    stage.platform.fail_with((0..4).map(|n| SendError::Temporary(format!("5xx {n}"))));
    stage.send_group_message("Ann", "/togyz").await;
    stage.patience(60_000).await;
    assert_eq!(stage.platform.messages(&stage.group).len(), 1);
}

#[tokio::test]
async fn a_failing_store_repeats_no_message() {
    let failed = Arc::new(AtomicU32::new(0));
    let count = failed.clone();
    let store = FaultyStore::with_chooser(MemoryStore::default(), move |commit| {
        let was_said = commit.puts.iter().any(|it| it.space == Space::Board);
        match was_said && count.load(Ordering::Relaxed) < 12 {
            true => {
                count.fetch_add(1, Ordering::Relaxed);
                Fault::Fail
            }
            false => Fault::None,
        }
    });
    let mut stage = MemoryStage::new(Arc::new(store)).await;
    stage.send_group_message("Ann", "/togyz").await;
    // Drawing the first board takes real time, and the simulated clock must not pass meanwhile.
    while stage.platform.messages(&stage.group).is_empty() {
        stage.wait_for_change().await;
    }
    // In steps after which the bot gets its turn: its leases end if the clock runs ahead of it.
    while failed.load(Ordering::Relaxed) < 12
        || stage.service.wait_until_idle().now_or_never().is_none()
    {
        stage.ticks(1_000).await;
    }
    assert_eq!(failed.load(Ordering::Relaxed), 12);
    let posts = stage.platform.calls().iter().filter(|(kind, ..)| *kind == "post").count();
    assert_eq!(posts, 1);
    // The board is known: the next state is shown in it.
    press(&mut stage, "Bek", "Join").await;
    stage.service.wait_until_idle().await;
    assert_eq!(stage.platform.messages(&stage.group).len(), 1);
    let edits = stage.platform.calls().iter().filter(|(kind, ..)| *kind == "edit").count();
    assert!(edits > 0, "it was not shown who has joined");
}

#[tokio::test]
async fn a_place_without_the_bot_is_left_alone_until_it_speaks_again() {
    let mut stage = playing().await;
    stage.platform.fail_with([SendError::NotAllowed]);
    stage.send_group_message("Ann", "/move 7").await;
    stage.service.wait_until_idle().await;
    let calls = stage.platform.calls().len();
    stage.restart().await;
    stage.service.wait_until_idle().await;
    assert_eq!(stage.platform.calls().len(), calls, "it was tried again unasked");
    stage.send_group_message("Bek", "/board").await;
    let seen = stage.visible_messages("Bek").await;
    assert!(seen.iter().any(VisibleMessage::is_board));
    press(&mut stage, "Bek", "7").await;
    assert_eq!(lines(&stage).await.iter().filter(|it| it.contains(" step ")).count(), 2);
}

#[tokio::test]
async fn a_removed_bot_keeps_its_tables() {
    let mut stage = playing().await;
    let update = stage.update("Ann", false, UpdateKind::BotRemoved);
    stage.hear(update).await;
    stage.send_group_message("Ann", "/move 7").await;
    stage.service.wait_until_idle().await;
    assert_eq!(lines(&stage).await.iter().filter(|it| it.contains(" step ")).count(), 1);
}

#[tokio::test]
async fn a_removal_that_is_delivered_again_does_not_undo_the_return() {
    let mut stage = playing().await;
    let removed = stage.update("Ann", false, UpdateKind::BotRemoved);
    stage.hear(removed.clone()).await;
    stage.send_group_message("Ann", "/help").await;
    stage.hear(removed).await;
    assert!(!is_gone(&stage).await);
}

/// Whether the bot takes the group for closed.
async fn is_gone(stage: &MemoryStage) -> bool {
    stage.service.wait_until_idle().await;
    let rows = stage.store.scan(Space::ChatProfile, &stage.group.0, None, 1).await.unwrap();
    let profile: serde_json::Value = serde_json::from_slice(&rows[0].1).unwrap();
    profile["gone"].as_bool().unwrap()
}

#[tokio::test]
async fn a_delayed_update_does_not_undo_a_newer_removal_or_return() {
    let mut stage = playing().await;
    let said = stage.update("Ann", false, text("/help"));
    let removed = stage.update("Ann", false, UpdateKind::BotRemoved);
    stage.hear(removed).await;
    stage.hear(said).await;
    assert!(is_gone(&stage).await, "it was sent before the removal");
    let removed = stage.update("Ann", false, UpdateKind::BotRemoved);
    let added = stage.update("Ann", false, UpdateKind::BotAdded);
    stage.hear(added).await;
    stage.hear(removed).await;
    assert!(!is_gone(&stage).await, "the bot was added after the removal");
}

#[tokio::test]
async fn a_group_that_becomes_a_supergroup_takes_its_tables_along() {
    let mut stage = playing().await;
    let old = stage.group.clone();
    let new = ChatId("mem:supergroup".into());
    let update = stage.update("Ann", false, UpdateKind::ChatMoved { to: new.clone() });
    stage.hear(update.clone()).await;
    stage.hear(update).await;
    stage.group = new.clone();
    stage.service.wait_until_idle().await;
    assert_eq!(stage.platform.messages(&new).iter().filter(|it| it.is_board()).count(), 1);
    stage.send_group_message("Ann", "/move 7").await;
    assert_eq!(lines(&stage).await.iter().filter(|it| it.contains(" step ")).count(), 1);
    let left = stage.store.scan(Space::ChatTable, &old.0, None, 10).await.unwrap();
    assert!(left.is_empty());
}

#[tokio::test]
async fn a_group_keeps_its_settings_if_the_new_chat_is_heard_before_the_move() {
    let mut stage = playing().await;
    let_only_admins_open_tables(&mut stage).await;
    let old = stage.group.clone();
    let new = ChatId("mem:supergroup".into());
    stage.group = new.clone();
    let joined = stage.update("Ann", false, UpdateKind::BotAdded);
    stage.hear(joined).await;
    // A setting that is changed there before the move is heard stays as it is.
    let quiet = "
        Ann says /settings chat
        Ann presses 🔕 Quiet mode
        Ann presses on
        Ann has private buttons 🔕 Quiet mode: on
    ";
    play("quiet", quiet, &mut stage).await;
    stage.group = old.clone();
    let moved = stage.update("Ann", false, UpdateKind::ChatMoved { to: new.clone() });
    stage.hear(moved).await;
    stage.group = new;
    let after = "
        Bek says /togyz
        Bek gets reply only admins open tables
        Ann says /settings chat
        Ann has private buttons 🚪 Who may open tables: admins | 🔕 Quiet mode: on
    ";
    play("after", after, &mut stage).await;
    let left = stage.store.scan(Space::ChatProfile, &old.0, None, 10).await.unwrap();
    assert!(left.is_empty(), "the profile of the old id is removed");
}

#[tokio::test]
async fn a_move_signalled_only_by_an_error_is_followed() {
    let mut stage = playing().await;
    let new = ChatId("mem:supergroup".into());
    stage.platform.fail_with([SendError::ChatMoved(new.clone())]);
    stage.send_group_message("Ann", "/move 7").await;
    stage.service.wait_until_idle().await;
    assert_eq!(stage.platform.messages(&new).len(), 1);
}

#[tokio::test]
async fn nobody_plays_from_behind_a_channel() {
    let mut stage = stage().await;
    let body = UpdateKind::Text {
        text: "/togyz".into(),
        mentions: vec![],
        reply_to: None,
        is_addressed: false,
    };
    let mut update = stage.update("Group", false, body);
    update.person.kind = PersonKind::Anonymous;
    let whispers = stage.hear(update).await;
    assert!(whispers[0].message.text().to_plain().contains("write as yourself"));
    assert!(stage.store.scan(Space::Head, "", None, 10).await.unwrap().is_empty());
}

#[tokio::test]
async fn people_with_the_same_name_are_told_apart() {
    let mut stage = stage().await;
    stage.send_group_message("Ann", "/togyz me").await;
    let (message, press) = button(&mut stage, "Ann", "Join").await;
    let body = UpdateKind::Press { callback_data: press, message: Some(MessageId(message.id)) };
    let mut update = stage.update("Ann", false, body);
    update.person.id.0 = "mem:another Ann".replace(' ', "-");
    stage.hear(update).await;
    let seen = stage.visible_messages("Ann").await;
    assert!(seen.iter().any(|it| it.text.contains("Ann (1)")), "{seen:?}");
    assert!(seen.iter().any(|it| it.text.contains("Ann (2)")), "{seen:?}");
}

#[tokio::test]
async fn a_friend_is_known_by_their_name_after_the_at_sign() {
    let mut stage = stage().await;
    stage.send_group_message("Ann", "/togyz @bek").await;
    press(&mut stage, "Cyd", "Accept").await;
    assert!(told(&mut stage, "Cyd").await.contains("@bek"));
    press(&mut stage, "Bek", "Accept").await;
    assert_eq!(told(&mut stage, "Bek").await, "");
}

#[tokio::test]
async fn a_buried_board_is_posted_again_and_the_old_one_removed() {
    let mut stage = playing().await;
    let first = stage.visible_messages("Ann").await[0].id.clone();
    for _ in 0..11 {
        stage.platform.chatter(&stage.group.clone());
    }
    stage.send_group_message("Ann", "/move 7").await;
    stage.service.wait_until_idle().await;
    assert!(stage.platform.messages(&stage.group).iter().any(|it| it.id == first));
    stage.platform.chatter(&stage.group.clone());
    stage.send_group_message("Bek", "/move 7").await;
    stage.service.wait_until_idle().await;
    let messages = stage.platform.messages(&stage.group);
    assert!(!messages.iter().any(|it| it.id == first), "the old board is still there");
    assert!(messages.last().unwrap().is_board());
}

#[tokio::test]
async fn an_old_board_that_cannot_be_taken_away_yet_goes_later() {
    let mut stage = playing().await;
    let first = stage.visible_messages("Ann").await[0].id.clone();
    for _ in 0..12 {
        stage.platform.chatter(&stage.group.clone());
    }
    stage.platform.fail_deleting_with((0..3).map(|n| SendError::Temporary(format!("5xx {n}"))));
    stage.send_group_message("Ann", "/move 7").await;
    stage.patience(60_000).await;
    let messages = stage.platform.messages(&stage.group);
    assert!(!messages.iter().any(|it| it.id == first), "the old board is still there");
    assert_eq!(messages.iter().filter(|it| it.is_board()).count(), 1);
}

#[tokio::test]
async fn one_move_is_one_call() {
    let mut stage = playing().await;
    let before = stage.platform.calls().len();
    stage.send_group_message("Ann", "/move 7").await;
    stage.service.wait_until_idle().await;
    let calls = stage.platform.calls();
    assert_eq!(calls.len() - before, 1, "{:?}", &calls[before..]);
    assert_eq!(calls[before].0, "edit");
}

#[tokio::test]
async fn too_many_tables_are_refused_kindly() {
    let mut stage = stage().await;
    let opened = async |stage: &MemoryStage| {
        stage.store.scan(Space::Head, "", None, 100).await.unwrap().len()
    };
    // One person does not crowd out the others.
    for _ in 0..10 {
        stage.send_group_message("Ann", "/togyz").await;
    }
    assert!(told(&mut stage, "Ann").await.contains("have opened or shown 6 tables here"));
    assert_eq!(opened(&stage).await, 6);
    for n in 0..20 {
        stage.send_group_message(["Bek", "Cyd", "Dan"][n % 3], "/togyz").await;
    }
    assert!(told(&mut stage, "Cyd").await.contains("too many open tables here (20)"));
    assert_eq!(opened(&stage).await, 20);
}

#[tokio::test]
async fn one_person_does_not_fill_a_group_with_tables_of_other_chats() {
    let mut stage = stage().await;
    let group = stage.group.clone();
    for n in 0..7 {
        stage.group = ChatId(format!("mem:far{n}"));
        stage.send_group_message("Dan", "/togyz").await;
    }
    stage.group = group.clone();
    for (table, _) in stage.tables().await {
        stage.send_group_message("Cyd", &format!("/bring {}", table.id.0)).await;
    }
    assert!(told(&mut stage, "Cyd").await.contains("have opened or shown 6 tables here"));
    let tables = stage.tables().await;
    assert_eq!(tables.iter().filter(|it| it.0.chats.location_in(&group).is_some()).count(), 6);
}

/// Ann is an admin of the group.
async fn let_only_admins_open_tables(stage: &mut MemoryStage) {
    let settings = "people Ann
        Ann says /settings chat
        Ann presses 🚪 Who may open tables
        Ann presses admins
        Ann has private buttons 🚪 Who may open tables: admins";
    play("settings", settings, stage).await;
}

#[tokio::test]
async fn a_rematch_keeps_to_the_rules_of_its_home_about_opening_tables() {
    let mut stage = stage().await;
    let over = "people Ann Bek Cyd
        Cyd says /togyz @Bek me
        Bek presses Accept
        Bek says /private
        Cyd says /resign
        Cyd says /resign
        everyone sees Cyd resigned";
    play("is over", over, &mut stage).await;
    let_only_admins_open_tables(&mut stage).await;
    play("offer", "people Cyd\nCyd says /rematch\nCyd gets reply only admins open", &mut stage)
        .await;
    let (table, _) = stage.newest_table().await;
    // The private board of Bek has the same home.
    stage.send_private_message("Bek", &format!("/rematch {}", table.id.0)).await;
    assert!(told(&mut stage, "Bek").await.contains("only admins open tables"));
    assert_eq!(stage.tables().await.len(), 1);
}

#[tokio::test]
async fn a_player_accepts_the_rematch_of_an_admin_where_only_admins_open_tables() {
    let mut stage = stage().await;
    let over = "people Ann Bek
        Ann says /togyz @Bek me
        Bek presses Accept
        Bek says /resign
        Bek says /resign
        everyone sees Bek resigned";
    play("is over", over, &mut stage).await;
    let_only_admins_open_tables(&mut stage).await;
    let rematch = "people Ann Bek
        Bek says /rematch
        Bek gets reply only admins open
        Ann says /rematch
        everyone sees Ann wants to play again
        Bek presses Accept";
    play("begins", rematch, &mut stage).await;
    assert_eq!(stage.tables().await.len(), 2);
}

#[tokio::test]
async fn rematches_count_as_tables_of_their_openers() {
    let mut stage = stage().await;
    let over = "people Ann Bek
        Ann says /togyz @Bek me
        Bek presses Accept
        Ann says /resign
        Ann says /resign
        everyone sees Ann resigned";
    play("is over", over, &mut stage).await;
    for _ in 0..6 {
        stage.send_group_message("Bek", "/togyz").await;
    }
    // Bek begins the rematch, so it would be another table of Bek.
    let refused = "people Ann Bek
        Ann says /rematch
        everyone sees Ann wants to play again
        Bek presses Accept
        Bek gets reply have opened or shown 6 tables here
        Ann presses Decline
        Bek says /rematch
        everyone sees Bek wants to play again
        Ann presses Accept
        Ann gets reply Bek has opened or shown 6 tables here";
    play("is refused", refused, &mut stage).await;
    assert_eq!(stage.tables().await.len(), 7);
}

/// The record of a game that one of its players has resigned.
async fn resigned_record() -> String {
    let mut stage = stage().await;
    stage.send_group_message("Ann", "/togyz @Bek").await;
    press(&mut stage, "Bek", "Accept").await;
    stage.send_group_message("Ann", "/resign").await;
    stage.send_group_message("Ann", "/resign").await;
    let (message, press) = button(&mut stage, "Bek", "📄").await;
    let body = UpdateKind::Press { callback_data: press, message: Some(MessageId(message.id)) };
    let update = stage.update("Bek", false, body);
    let whispers = stage.hear(update).await;
    let file = whispers[0].message.file().expect("a record file");
    String::from_utf8(file.bytes.to_vec()).unwrap()
}

#[tokio::test]
async fn the_record_of_a_game_proves_its_lot() {
    let text = resigned_record().await;
    let report = caravanserai_table::verify::verify_record(&text).unwrap().text;
    assert!(report.contains("the lot is"), "{report}");
    assert!(report.ends_with("everything agrees\n"));
    let order = if text.contains(" start 0,1") {
        ("start 0,1", "start 1,0")
    } else {
        ("start 1,0", "start 0,1")
    };
    let forged = text.replace(order.0, order.1);
    let refused = |forged: &str| caravanserai_table::verify::verify_record(forged).unwrap_err();
    assert!(refused(&forged).contains("the lot is"));
    // What people read is compared with the log, too.
    assert!(report.contains("its moves and its result are those of the log"), "{report}");
    let result = text.lines().find(|it| it.starts_with("[Result ")).unwrap();
    let other = if result.contains("1-0") { "[Result \"0-1\"]" } else { "[Result \"1-0\"]" };
    let told = refused(&text.replace(result, other));
    assert!(told.contains("line") && told.contains("by the log it is"), "{told}");
    let (readable, log) = text.split_once("% table").unwrap();
    let cut = readable.lines().filter(|it| it.starts_with('['));
    let cut: String = cut.flat_map(|it| [it, "\n"]).collect();
    let told = refused(&format!("{cut}% table{log}"));
    assert!(told.contains("the record ends before"), "{told}");
}

#[tokio::test]
async fn no_line_of_a_record_can_be_changed() {
    let verify = caravanserai_table::verify::verify_record;
    let text = resigned_record().await;
    assert!(verify(&text).unwrap().is_complete);
    let lines: Vec<&str> = text.lines().collect();
    let refuses = |forged: &[&str]| {
        let told = verify(&(forged.join("\n") + "\n"));
        assert!(told.is_err(), "{told:?} of {forged:#?}");
    };
    let is_read = |line: &str| !line.starts_with("% ") && !line.is_empty();
    for (n, line) in lines.iter().enumerate().filter(|it| is_read(it.1)) {
        let (before, after) = (&lines[..n], &lines[n + 1..]);
        refuses(&[before, after].concat());
        refuses(&[before, &[*line, *line], after].concat());
        let other = line.replacen('"', "\"other ", 1);
        let other = if other == *line { format!("{line} 1-0") } else { other };
        refuses(&[before, &[other.as_str()], after].concat());
        // Behind the log nobody compares it.
        refuses(&[before, after, &[*line]].concat());
    }
    // The players have exchanged their names, and the loser has won.
    let (first, second) = ("[White \"", "[Black \"");
    let name = |head: &str| lines.iter().find_map(|it| it.strip_prefix(head)).unwrap();
    let (white, black) = (name(first), name(second));
    let exchanged = text.replace(&format!("{first}{white}"), &format!("{first}{black}"));
    let exchanged = exchanged.replace(&format!("{second}{black}"), &format!("{second}{white}"));
    refuses(&exchanged.lines().collect::<Vec<_>>());
    // The log itself says that who resigned has won, or the other player did it.
    let (is, was) = if text.contains(" over 0,1 ") { ("0,1", "1,0") } else { ("1,0", "0,1") };
    let forged = text.replace(&format!(" over {is} "), &format!(" over {was} "));
    let log: Vec<&str> = forged.lines().filter(|it| it.starts_with("% ")).collect();
    refuses(&log);
    // Without its readable part, a record proves only the log.
    let log: Vec<&str> = text.lines().filter(|it| it.starts_with("% ")).collect();
    let report = verify(&(log.join("\n") + "\n")).unwrap();
    assert!(!report.is_complete, "{report:?}");
    assert!(report.text.ends_with("agrees; not checked: the record\n"), "{report:?}");
    assert!(report.text.contains("no readable part"), "{report:?}");
    // Without its last lines a log shows no result.
    let end = log.iter().position(|it| it.contains(" over ")).unwrap();
    for lines in [end, end - 1] {
        let report = verify(&(log[..lines].join("\n") + "\n")).unwrap();
        assert!(
            !report.is_complete && report.text.contains("not checked: the result"),
            "{report:?}"
        );
    }
}

#[tokio::test]
async fn a_seed_stays_secret_until_the_game_is_over() {
    let mut stage = playing().await;
    let first = lines(&stage).await[0].clone();
    let seed = first.split(' ').find(|it| it.len() == 64).expect("the seed").to_owned();
    stage.send_group_message("Ann", "/record").await;
    for who in ["Ann", "Bek"] {
        stage.send_group_message(who, "/text").await;
        let mut all = stage.visible_messages(who).await;
        all.extend(stage.private_replies(who).await);
        assert!(all.iter().all(|it| !it.text.contains(&seed)));
    }
}

#[tokio::test]
async fn talk_between_people_gets_no_answer() {
    let mut stage = playing().await;
    let group = stage.group.clone();
    stage.platform.chatter(&group);
    let theirs = stage.platform.messages(&group).last().unwrap().clone();
    stage.reply_to_message("Bek", &theirs, "7 o'clock is fine").await;
    let body = UpdateKind::Text {
        text: "quite so".into(),
        mentions: vec![],
        reply_to: Some(MessageId(theirs.id)),
        is_addressed: false,
    };
    let mut update = stage.update("Group", false, body);
    update.person.kind = PersonKind::Anonymous;
    assert!(stage.hear(update).await.is_empty());
    assert_eq!(told(&mut stage, "Bek").await, "");
}

/// A stage whose disk is full whenever the second says so.
async fn filling() -> (MemoryStage, Arc<AtomicBool>) {
    let full = Arc::new(AtomicBool::new(false));
    let is_full = full.clone();
    let store = FaultyStore::with_chooser(MemoryStore::default(), move |_| {
        if is_full.load(Ordering::Relaxed) { Fault::Fail } else { Fault::None }
    });
    (MemoryStage::new(Arc::new(store)).await, full)
}

#[tokio::test]
async fn membership_changes_during_an_outage_are_applied_afterwards() {
    let (mut stage, full) = filling().await;
    stage.send_group_message("Ann", "/togyz @Bek me").await;
    press(&mut stage, "Bek", "Accept").await;
    stage.service.wait_until_idle().await;
    let who = stage.person("Bek").id;
    let away = async |stage: &MemoryStage| lines(stage).await.join("\n").contains(" gone mem:Bek");
    full.store(true, Ordering::Relaxed);
    let left = stage.update(
        "Bek",
        false,
        UpdateKind::MemberLeft { who: who.clone(), how: Departure::Left },
    );
    assert!(stage.hear(left).await.is_empty());
    stage.ticks(2_000).await;
    assert!(!away(&stage).await);
    full.store(false, Ordering::Relaxed);
    stage.ticks(4_000).await;
    assert!(away(&stage).await, "{:?}", lines(&stage).await);
    // Updates are handled in the order of their arrival.
    full.store(true, Ordering::Relaxed);
    for body in [
        UpdateKind::MembersJoined { who: vec![who.clone()] },
        UpdateKind::MemberLeft { who: who.clone(), how: Departure::Left },
    ] {
        let update = stage.update("Bek", false, body);
        stage.hear(update).await;
    }
    full.store(false, Ordering::Relaxed);
    let came = stage.update("Bek", false, UpdateKind::MembersJoined { who: vec![who] });
    stage.hear(came).await;
    let log = lines(&stage).await;
    let told: Vec<&str> = log.iter().rev().take(3).map(String::as_str).collect();
    let is = |n: usize, what: &str| told[n].contains(what);
    assert!(is(0, " return ") && is(1, " gone ") && is(2, " return "), "{log:?}");
}

/// Otherwise one damaged row would stop all reports about members until the bot is restarted.
#[tokio::test]
async fn a_chat_that_cannot_be_saved_holds_up_no_reports_of_others() {
    let (fails, failures) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
    let (does_fail, count) = (fails.clone(), failures.clone());
    let store = FaultyStore::with_chooser(MemoryStore::default(), move |commit| {
        let is_other = commit.puts.iter().any(|it| it.key.contains("mem:-other"));
        match is_other && does_fail.load(Ordering::Relaxed) {
            true => {
                count.fetch_add(1, Ordering::Relaxed);
                Fault::Fail
            }
            false => Fault::None,
        }
    });
    let mut stage = MemoryStage::new(Arc::new(store)).await;
    let other = ChatId("mem:-other".to_owned());
    let group = std::mem::replace(&mut stage.group, other.clone());
    stage.send_group_message("Cyd", "/togyz").await;
    stage.group = group;
    stage.send_group_message("Ann", "/togyz @Bek me").await;
    press(&mut stage, "Bek", "Accept").await;
    stage.service.wait_until_idle().await;
    fails.store(true, Ordering::Relaxed);
    let mut removed = stage.update("Cyd", false, UpdateKind::BotRemoved);
    removed.chat.id = other;
    stage.hear(removed).await;
    let first = failures.load(Ordering::Relaxed);
    for _ in 0..4 {
        stage.ticks(2_000).await;
    }
    let all = failures.load(Ordering::Relaxed);
    assert!(first > 0 && all > first, "it is tried again: {first} {all}");
    let who = stage.person("Bek").id;
    let left = stage.update("Bek", false, UpdateKind::MemberLeft { who, how: Departure::Left });
    stage.hear(left).await;
    let log = lines(&stage).await.join("\n");
    assert!(log.contains(" gone mem:Bek"), "{log}");
}

/// Nobody could object for longer than they have to.
#[tokio::test]
async fn an_outage_of_the_store_extends_the_time_to_object() {
    for agreed in [true, false] {
        let (mut stage, full) = filling().await;
        stage.send_group_message("Ann", "/togyz @Bek me 3 min").await;
        press(&mut stage, "Bek", "Accept").await;
        stage.send_group_message("Ann", "/move 7").await;
        stage.send_group_message("Ann", "/substitute @Bek @Eva").await;
        if agreed {
            press(&mut stage, "Eva", "Accept").await;
        }
        stage.service.wait_until_idle().await;
        full.store(true, Ordering::Relaxed);
        for _ in 0..90 {
            stage.ticks(10_000).await;
        }
        full.store(false, Ordering::Relaxed);
        stage.ticks(10_000).await;
        if !agreed {
            press(&mut stage, "Eva", "Accept").await;
        }
        let seats = async |stage: &MemoryStage| lines(stage).await.join("\n");
        assert!(!seats(&stage).await.contains(" replace"), "{}", seats(&stage).await);
        for _ in 0..70 {
            stage.ticks(10_000).await;
        }
        assert!(seats(&stage).await.contains(" replace"), "{}", seats(&stage).await);
    }
}

/// The disk is full for a while, and for longer than a move may take.
#[tokio::test]
async fn the_time_in_which_nothing_can_be_kept_is_nobody_s() {
    let (mut stage, full) = filling().await;
    stage.send_group_message("Ann", "/togyz @Bek me 1 min").await;
    press(&mut stage, "Bek", "Accept").await;
    stage.send_group_message("Ann", "/move 7").await;
    full.store(true, Ordering::Relaxed);
    for _ in 0..30 {
        stage.ticks(10_000).await;
    }
    let body = UpdateKind::Text {
        text: "/move 5".into(),
        mentions: vec![],
        reply_to: None,
        is_addressed: false,
    };
    let update = stage.update("Bek", false, body);
    let refused = stage.hear(update).await;
    assert_eq!(refused.len(), 1, "they are told that it is not done: {refused:?}");
    full.store(false, Ordering::Relaxed);
    stage.ticks(10_000).await;
    let log = lines(&stage).await.join("\n");
    assert!(!log.contains(" late "), "{log}");
    stage.send_group_message("Bek", "/move 5").await;
    let log = lines(&stage).await.join("\n");
    assert!(log.contains("step 1 5"), "{log}");
    // The next clock runs as always, but for what it took until its board was seen again.
    for _ in 0..9 {
        stage.ticks(10_000).await;
    }
    let log = lines(&stage).await.join("\n");
    assert!(log.contains(" late "), "{log}");
}
