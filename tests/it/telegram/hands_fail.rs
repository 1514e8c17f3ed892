//! Hands when calls fail or arrive late: what is shown then, and where.

use std::time::Duration;

use caravanserai_games::ids::ChatId;
use caravanserai_protocol::{EphemeralMessages, SendError};

use super::hands::{patient, scene};
use crate::fake_telegram::{FakeTelegram, Fault, Standing, VisibleMessage};

/// A press that was answered before the hand was on its way, and then the hand fails.
async fn late_and_failing(reachable: bool) {
    let it = patient(Duration::from_millis(1), |_| {}).await;
    if reachable {
        it.ann.say(it.ann.id, "/start");
        it.bot.script.heard(1).await;
    }
    it.tg.hold(Some("sendPhoto"));
    assert_eq!(it.ann.press(it.chat, it.board, "My hand").await.text, "");
    it.tg.wait_until("the photo at the door", |tg| tg.at_door() == 1).await;
    it.tg.fail_next(1, Some("sendPhoto"), Fault::Server(500));
    it.tg.hold(None);
    it.bot.telegram.drain().await;
    let held: Vec<String> = it.private(&it.ann).into_iter().map(|it| it.text).collect();
    assert_eq!(held, if reachable { vec!["Ann: secret 1"] } else { Vec::new() });
    // The button of the board still leads to it, and then it is in the group only.
    it.ann.press(it.chat, it.board, "My hand").await;
    it.bot.telegram.drain().await;
    assert_eq!(it.private_message(&it.ann).text, "Ann: secret 2");
    assert_eq!(it.private(&it.ann).len(), 0);
    it.end().await;
}

#[tokio::test]
async fn a_hand_that_fails_after_the_answer_is_sent_privately() {
    late_and_failing(true).await;
}

#[tokio::test]
async fn a_hand_that_reaches_nobody_can_be_asked_for_again() {
    late_and_failing(false).await;
}

#[tokio::test]
async fn an_alert_that_fails_too_leads_to_the_private_chat() {
    let it = scene(|_| {}).await;
    it.ann.say(it.ann.id, "/start");
    it.bot.script.heard(1).await;
    it.tg.fail_next(1, Some("sendPhoto"), Fault::TooMany(60));
    it.tg.fail_next(4, Some("answerCallbackQuery"), Fault::Server(500));
    it.ann.press_only(it.chat, it.board, "My hand");
    it.bot.script.heard(2).await;
    it.bot.telegram.drain().await;
    let held = it.private(&it.ann);
    assert_eq!((held.len(), held[0].text.as_str()), (1, "Ann: secret 1"));
    it.end().await;
}

#[tokio::test]
async fn a_hand_requested_by_text_replaces_the_older_one() {
    let it = scene(|_| {}).await;
    it.tg.set_standing(it.chat, Standing::Admin);
    for n in 1..=3 {
        it.types(&it.ann, "/hand", n).await;
        assert_eq!(it.private_message(&it.ann).text, format!("Ann: secret {n}"));
    }
    it.asks(&it.ann).await;
    assert_eq!(it.private_message(&it.ann).text, "Ann: secret 4");
    it.end().await;
}

#[tokio::test]
async fn a_number_that_is_given_again_belongs_to_the_newer_hand() {
    let it = scene(|_| {}).await;
    it.asks(&it.ann).await;
    it.tg.lose_ephemerals(it.chat);
    it.ann.press(it.chat, it.board, "Other hand").await;
    it.bot.telegram.drain().await;
    let other: VisibleMessage = it.private_message(&it.ann);
    assert_eq!((other.ephemeral, other.text.as_str()), (Some(1), "Ann: secret 2"));
    assert_eq!(it.send_private_message(&it.ann, "Ann", 9).await, Err(SendError::NotAllowed));
    assert_eq!(it.private_message(&it.ann).text, "Ann: secret 2", "the other hand stays as it is");
    // Nor does it go with the hand that had its number.
    it.asks(&it.ann).await;
    let seen = it.ann.sees(it.chat);
    let hands: Vec<_> = seen.iter().filter_map(|it| it.ephemeral).collect();
    assert_eq!(hands, [1, 2]);
    it.end().await;
}

#[tokio::test]
async fn a_number_that_is_given_again_to_a_page_is_no_hand_any_more() {
    let it = scene(|_| {}).await;
    it.asks(&it.ann).await;
    it.tg.lose_ephemerals(it.chat);
    it.ann.press(it.chat, it.board, "More").await;
    it.bot.telegram.drain().await;
    assert_eq!(it.private_message(&it.ann).text, "secret page");
    assert_eq!(it.send_private_message(&it.ann, "Ann", 9).await, Err(SendError::NotAllowed));
    assert_eq!(it.private_message(&it.ann).text, "secret page");
    it.end().await;
}

#[tokio::test]
async fn a_failed_hand_switches_to_numbered_cards_for_a_while() {
    let it = scene(|_| {}).await;
    let other = ChatId(format!("tg:{}", it.tg.supergroup("Friends", &[&it.ann])));
    it.tg.fail_next(1, Some("sendPhoto"), Fault::TooMany(60));
    assert!(it.asks(&it.ann).await.alert);
    assert!(!it.bot.telegram.has_ephemeral_buttons(&it.chat()));
    assert!(it.bot.telegram.has_ephemeral_buttons(&other), "other groups have their hands");
    // It is tried again each time, and said once.
    assert_eq!(it.asks(&it.ann).await.text, "");
    it.tg.fail_next(1, Some("sendPhoto"), Fault::Server(502));
    assert!(it.asks(&it.bob).await.alert);
    assert_eq!(*it.bot.script.means.lock(), [it.chat().0]);
    it.end().await;
}

#[tokio::test]
async fn a_person_who_lets_the_bot_write_is_tried_again() {
    let it = scene(|_| {}).await;
    assert_eq!(it.send_private_message(&it.ann, "Ann", 1).await, Err(SendError::NotAllowed));
    it.ann.grants_writing(&it.tg);
    it.tg.wait_until("the grant is read", |tg| tg.waiting().is_empty()).await;
    it.send_private_message(&it.ann, "Ann", 2).await.unwrap();
    assert_eq!(it.private(&it.ann).len(), 1);
    it.end().await;
}

#[tokio::test]
async fn calls_that_answer_presses_are_reported() {
    let it = scene(|_| {}).await;
    let reported = |it: &super::hands::Scene| {
        let called = std::mem::take(&mut *it.bot.script.called.lock());
        assert!(called.iter().all(|chat| *chat == it.chat().0), "{called:?}");
        called.len()
    };
    it.asks(&it.ann).await;
    assert_eq!(reported(&it), 1, "a hand");
    it.press_button(&it.ann, "J♥").await;
    assert_eq!(reported(&it), 1, "an edit");
    it.asks(&it.ann).await;
    assert_eq!(reported(&it), 1, "a hand; that the old one goes is no message");
    it.send_private_message(&it.ann, "Ann", 9).await.unwrap();
    assert_eq!(reported(&it), 0, "what the service does it counts itself");
    it.ann.press(it.chat, it.board, "Text").await;
    it.bot.telegram.drain().await;
    assert_eq!(reported(&it), 1, "words");
    it.end().await;
}

#[tokio::test]
async fn words_that_tell_a_hand_are_never_shown_to_the_group() {
    let it = scene(|_| {}).await;
    it.asks(&it.ann).await;
    it.tg.old();
    let sent = it.tg.calls_of("sendMessage").len();
    let pressed = it.ann.press(it.chat, it.board, "Text").await;
    assert_eq!(pressed.text, "Ann: secret words");
    let to_ann = it.tg.calls_of("sendMessage").split_off(sent);
    assert!(to_ann.iter().all(|call| call.params["chat_id"] == it.ann.id), "{to_ann:#?}");
    assert_eq!(it.tg.calls_of("deleteMessage").len(), 0, "it was never public");
    it.end().await;
}

#[tokio::test]
async fn words_that_tell_a_hand_wait_for_one_person_only() {
    let it = scene(FakeTelegram::old).await;
    it.tg.promote(it.chat, &it.bob);
    it.types(&it.ann, "/text", 1).await;
    let letter = |it: &VisibleMessage| it.text.contains("letter");
    let envelope = it.ann.awaits(it.chat, "an envelope", letter).await;
    let other = it.bob.press(it.chat, envelope.id, "-:open").await;
    assert_eq!(other.text, "-:not yours", "no admin may open it either");
    assert_eq!(it.ann.press(it.chat, envelope.id, "-:open").await.text, "Ann: secret words");
    let gone = |tg: &FakeTelegram| tg.messages(it.chat).len() == 1;
    it.tg.wait_until("no envelope", gone).await;
    // An anonymous admin can be any admin: no secrets are sent.
    let id = it.bob.say_anonymously(it.chat, "/text");
    it.bot.script.heard(2).await;
    it.bot.telegram.drain().await;
    it.bob.deletes(it.chat, id);
    it.end().await;
}
