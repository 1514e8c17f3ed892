//! Hands when calls fail or come late: what is shown then, and where.

use std::time::Duration;

use caravanserai::chat::SendError;

use super::hands::{patient, scene};
use crate::fake_telegram::{Fault, Seen, Standing};

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
    it.bot.telegram.settle().await;
    let held: Vec<String> = it.private(&it.ann).into_iter().map(|it| it.text).collect();
    assert_eq!(held, if reachable { vec!["Ann: secret 1"] } else { Vec::new() });
    // The button of the board still leads to it, and then it stands in the group only.
    it.ann.press(it.chat, it.board, "My hand").await;
    it.bot.telegram.settle().await;
    assert_eq!(it.held(&it.ann).text, "Ann: secret 2");
    assert_eq!(it.private(&it.ann).len(), 0);
    it.end().await;
}

#[tokio::test]
async fn a_hand_that_fails_after_its_press_was_answered_comes_in_private() {
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
    it.tg.fail_next(1, Some("answerCallbackQuery"), Fault::Server(500));
    it.ann.press_only(it.chat, it.board, "My hand");
    it.bot.script.heard(2).await;
    it.bot.telegram.settle().await;
    let held = it.private(&it.ann);
    assert_eq!((held.len(), held[0].text.as_str()), (1, "Ann: secret 1"));
    it.end().await;
}

#[tokio::test]
async fn a_hand_that_is_asked_for_in_words_takes_the_place_of_the_older_one() {
    let it = scene(|_| {}).await;
    it.tg.set_standing(it.chat, Standing::Admin);
    for n in 1..=3 {
        it.types(&it.ann, "/hand", n).await;
        assert_eq!(it.held(&it.ann).text, format!("Ann: secret {n}"));
    }
    it.asks(&it.ann).await;
    assert_eq!(it.held(&it.ann).text, "Ann: secret 4");
    it.end().await;
}

#[tokio::test]
async fn a_number_that_is_given_again_belongs_to_the_newer_hand() {
    let it = scene(|_| {}).await;
    it.asks(&it.ann).await;
    it.tg.lose_ephemerals(it.chat);
    it.ann.press(it.chat, it.board, "Other hand").await;
    it.bot.telegram.settle().await;
    let other: Seen = it.held(&it.ann);
    assert_eq!((other.ephemeral, other.text.as_str()), (Some(1), "Ann: secret 2"));
    assert_eq!(it.whispers(&it.ann, "Ann", 9).await, Err(SendError::NotAllowed));
    assert_eq!(it.held(&it.ann).text, "Ann: secret 2", "the other hand stays as it is");
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
    it.bot.telegram.settle().await;
    assert_eq!(it.held(&it.ann).text, "secret page");
    assert_eq!(it.whispers(&it.ann, "Ann", 9).await, Err(SendError::NotAllowed));
    assert_eq!(it.held(&it.ann).text, "secret page");
    it.end().await;
}
