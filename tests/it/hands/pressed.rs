//! Cards that may not be played, hands of two tables at once, and words that tell a hand.

use caravanserai_bot::views::{board_view, panel_views};
use caravanserai_games::rules::Viewer;
use caravanserai_protocol::{EphemeralReply, Update, UpdateHandler, UpdateKind};

use super::*;
use crate::dead_process::{TwoProcesses, start_two_processes};
use crate::stage::LOOK_MS;

/// What a rule says of a card that may not be played, by a part of each.
const RULES: [&str; 5] = [
    "you must follow suit",
    "you must play one",
    "you must beat",
    "you must cut with a trump",
    "the trump must beat",
];

/// A card in a person's hand that may not be played now, while others may.
async fn forbidden(stage: &mut dyn Stage, who: &str) -> Option<(VisibleMessage, String)> {
    let held = stage.private_messages(who).await;
    let hand = held.into_iter().rev().find(|it| it.text.starts_with(HAND) && card(it).is_some())?;
    let is_card = |label: &str| label.ends_with(['♣', '♦', '♥', '♠']);
    let (_, press) = hand.buttons.iter().find(|(label, press)| {
        let marked = hand.text.contains(&format!("{label}✓"));
        is_card(label) && press.starts_with("p.") && !marked
    })?;
    let press = press.clone();
    Some((hand, press))
}

/// Everything that each of the others could read so far.
async fn others_read(stage: &mut dyn Stage, but: &str) -> BTreeMap<String, BTreeSet<String>> {
    let all = stage.received_content_by_person().await.into_iter().filter(|(who, _)| who != but);
    all.map(|(who, all)| (who, all.into_iter().flat_map(|it| it.words).collect())).collect()
}

/// Plays until the player to move holds such a card; they press it in their own hand.
async fn a_forbidden_card_is_refused(stage: &mut dyn Stage) {
    play("seated", SEATED, stage).await;
    let (bidder, _) = turn(stage).await.expect("a player bids first");
    play("bid", &format!("{bidder} presses 8♣"), stage).await;
    for _ in 0..100 {
        let (who, board) = turn(stage).await.expect("a player is on turn");
        if let Some(ask) = board.buttons.iter().find(|(label, _)| label.contains("My hand")) {
            stage.press_button(who, &board, &ask.1).await;
        }
        let Some((hand, press)) = forbidden(stage, who).await else {
            act(stage, false).await;
            continue;
        };
        let (told, others) =
            (stage.private_replies(who).await.len(), others_read(stage, who).await);
        stage.press_button(who, &hand, &press).await;
        let said: Vec<String> = stage
            .private_replies(who)
            .await
            .split_off(told)
            .into_iter()
            .map(|it| it.text)
            .collect();
        let named = said.iter().any(|it| RULES.iter().any(|rule| it.contains(rule)));
        assert!(named, "{}: {press} of {hand:#?} is answered with {said:?}", stage.name());
        assert_eq!(
            others_read(stage, who).await,
            others,
            "{}: only {who} gets the reply",
            stage.name()
        );
        assert_eq!(turn(stage).await, Some((who, board)), "nothing was played");
        let held = stage.private_messages(who).await;
        assert!(held.iter().any(|it| card(it).is_some()), "{}: {held:#?}", stage.name());
        return;
    }
    panic!("{}: every card may be played", stage.name());
}

/// The tables whose hands a person sees now.
async fn held_of(stage: &mut dyn Stage, who: &str) -> Vec<String> {
    let held = stage.private_messages(who).await.into_iter().filter(|it| it.text.starts_with(HAND));
    let table = |it: VisibleMessage| {
        let press = it.buttons.into_iter().find(|(_, press)| press.starts_with("p."))?.1;
        press.split('.').nth(1).map(str::to_owned)
    };
    let mut tables: Vec<String> = held.filter_map(table).collect();
    tables.sort();
    tables
}

/// The same four play at two tables: each has two hands, and one does not take the other's chat.
async fn two_hands_stand_at_once(stage: &mut dyn Stage) {
    play("seated", SEATED, stage).await;
    play("seated again", SEATED, stage).await;
    let boards: Vec<VisibleMessage> =
        stage.visible_messages("Ann").await.into_iter().filter(VisibleMessage::is_board).collect();
    let mut tables = Vec::new();
    for board in &boards {
        let hand = |callback_data: &str| callback_data.strip_prefix("i.").map(str::to_owned);
        tables.extend(board.buttons.iter().find_map(|(_, press)| hand(press)));
    }
    tables.sort();
    assert_eq!(tables.len(), 2, "{}", stage.name());
    for _ in 0..2 {
        // Where much is said in a minute, passing notes have to do.
        stage.pass_ms(200_000).await;
        for who in NAMES {
            for board in &boards {
                let ask = board.buttons.iter().find(|(_, press)| press.starts_with("i."));
                stage.press_button(who, board, &ask.expect("it leads to the hand").1).await;
            }
            assert_eq!(held_of(stage, who).await, tables, "{}: {who}", stage.name());
        }
    }
    nobody_saw_another_hand(stage).await;
}

#[tokio::test]
async fn a_forbidden_card_is_refused_on_every_platform() {
    let mut stage = MemoryStage::new(store()).await;
    people(&mut stage).await;
    a_forbidden_card_is_refused(&mut stage).await;
    let mut stage = WebStage::new(store()).await;
    people(&mut stage).await;
    a_forbidden_card_is_refused(&mut stage).await;
    #[cfg(feature = "discord")]
    {
        let mut stage = crate::stage::discord::DiscordStage::new(store()).await;
        people(&mut stage).await;
        a_forbidden_card_is_refused(&mut stage).await;
    }
    #[cfg(feature = "telegram")]
    {
        let mut stage = crate::stage::telegram::TelegramStage::new(store()).await;
        people(&mut stage).await;
        a_forbidden_card_is_refused(&mut stage).await;
    }
}

#[tokio::test]
async fn two_hands_stand_at_once_on_every_platform() {
    let mut stage = MemoryStage::new(store()).await;
    people(&mut stage).await;
    two_hands_stand_at_once(&mut stage).await;
    let mut stage = WebStage::new(store()).await;
    people(&mut stage).await;
    two_hands_stand_at_once(&mut stage).await;
    #[cfg(feature = "discord")]
    {
        let mut stage = crate::stage::discord::DiscordStage::new(store()).await;
        people(&mut stage).await;
        two_hands_stand_at_once(&mut stage).await;
    }
    #[cfg(feature = "telegram")]
    {
        let mut stage = crate::stage::telegram::TelegramStage::new(store()).await;
        people(&mut stage).await;
        two_hands_stand_at_once(&mut stage).await;
    }
}

#[tokio::test]
async fn the_text_of_a_hand_is_shown_only_to_its_player() {
    let store = store();
    let mut stage = MemoryStage::new(store.clone()).await;
    people(&mut stage).await;
    play("seated", SEATED, &mut stage).await;
    let board = stage
        .visible_messages("Ann")
        .await
        .into_iter()
        .rev()
        .find(VisibleMessage::is_board)
        .unwrap();
    let press = board.buttons.iter().find_map(|(_, it)| it.strip_prefix("i."));
    let id = TableId(press.expect("the hand of this table").to_owned());
    let table = Table::from_log(&id, &store.read_log(&id.0, 0).await.unwrap()).unwrap();
    for (viewer, secret) in [(Viewer::Seat(Seat(0)), true), (Viewer::Public, false)] {
        assert_eq!(board_view::board_text_view(&table, viewer).secret, secret);
        for name in table.game.as_deref().unwrap().sheets() {
            assert_eq!(
                panel_views::sheet_view(&table, name, viewer).unwrap().secret,
                secret,
                "{name}"
            );
        }
    }
}

/// A group in which hands cannot be shown for a while: cards are played by numbers meanwhile.
#[cfg(feature = "telegram")]
#[tokio::test]
async fn failed_hands_give_the_board_numbers() {
    use crate::fake_telegram::Fault;
    let mut stage = crate::stage::telegram::TelegramStage::new(store()).await;
    people(&mut stage).await;
    play("seated", SEATED, &mut stage).await;
    let (bidder, _) = turn(&mut stage).await.expect("a player bids first");
    play("bid", &format!("{bidder} presses 8♣"), &mut stage).await;
    for _ in 0..3 {
        let (who, _) = turn(&mut stage).await.unwrap();
        play("pass", &format!("{who} presses pass"), &mut stage).await;
    }
    let (who, board) = turn(&mut stage).await.unwrap();
    assert!(!board.buttons.iter().any(|(label, _)| label == "1"), "{board:#?}");
    for _ in 1..=2 {
        stage.tg.fail_next(1, Some("sendPhoto"), Fault::TooMany(60));
        play("asks", &format!("{who} presses My hand\n{who} gets reply {HAND}"), &mut stage).await;
        let said = stage.private_replies(who).await.pop().unwrap();
        assert!(said.text.contains("1) "), "the first time too: {said:?}");
    }
    let number = stage.private_replies(who).await.pop().and_then(|it| number(&it)).unwrap();
    play("plays", &format!("{who} has buttons 1 | 2 | 8\n{who} presses {number}"), &mut stage)
        .await;
    assert_ne!(turn(&mut stage).await.unwrap().0, who, "a card was played");
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

/// The card with this number in a hand that was described in text.
fn numbered(note: &VisibleMessage, number: &str) -> String {
    let cards = note.text.lines().next().unwrap().strip_prefix(HAND).expect("a hand");
    let cards = cards.split('.').next().unwrap();
    let all = cards.split(", ").map(str::trim);
    let card = all.filter_map(|it| it.split_once(") ")).find(|(n, _)| *n == number);
    card.expect("a numbered hand").1.trim_end_matches('✓').to_owned()
}

/// The picture of a hand is from the auction, and the numbers are from the play, where trumps come
/// first.
#[cfg(feature = "telegram")]
#[tokio::test]
async fn a_number_plays_only_the_card_that_was_shown_with_it() {
    use crate::fake_telegram::Fault;
    let store = store();
    let mut stage = crate::stage::telegram::TelegramStage::new(store.clone()).await;
    people(&mut stage).await;
    play("seated", SEATED, &mut stage).await;
    let (bidder, board) = turn(&mut stage).await.expect("a player bids first");
    let id = TableId(board.buttons.iter().find_map(|it| it.1.strip_prefix("i.")).unwrap().into());
    for who in NAMES {
        play("asked", &format!("{who} presses My hand\n{who} gets picture {HAND}"), &mut stage)
            .await;
    }
    play("bid", &format!("{bidder} presses 8♣"), &mut stage).await;
    for _ in 0..3 {
        let (who, _) = turn(&mut stage).await.unwrap();
        play("pass", &format!("{who} presses pass"), &mut stage).await;
    }
    let steps = async || {
        let table = Table::from_log(&id, &store.read_log(&id.0, 0).await.unwrap()).unwrap();
        let last = table.history.steps.iter().last().map(|it| it.token.to_owned());
        (table.history.steps.len(), last.unwrap_or_default())
    };
    let (who, _) = turn(&mut stage).await.unwrap();
    let other = NAMES.into_iter().find(|it| *it != who).unwrap();
    stage.tg.fail_next(1, Some("sendPhoto"), Fault::Server(500));
    play("numbers", &format!("{other} presses My hand\n{who} has buttons 1 | 8"), &mut stage).await;
    let before = steps().await.0;
    // Cards of the old picture may begin with the same sign.
    let slot = async |stage: &mut crate::stage::telegram::TelegramStage, label: &str| {
        let (_, board) = turn(stage).await.unwrap();
        let (_, press) = board.buttons.iter().find(|it| it.0 == label).expect("a number").clone();
        stage.press_button(who, &board, &press).await;
    };
    slot(&mut stage, "1").await;
    assert_eq!(steps().await.0, before, "{who} was not told which card that is");
    let hand = stage.private_replies(who).await.pop().unwrap();
    let n = number(&hand).expect("a card may be played");
    let card = numbered(&hand, &n);
    slot(&mut stage, &n).await;
    let (after, token) = steps().await;
    assert_eq!(after, before + 1);
    assert!(spellings(&token).contains(&card), "{n} of {hand:?} played {token}");
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

/// A press of this button by the player to move.
fn press_of_turn(stage: &mut MemoryStage, table: &Table, press: &str) -> Update {
    let seat = table.seat_to_move().expect("the deal goes on");
    let player = &table.seating.occupant(seat).expect("a person plays").person;
    let who = player.0.strip_prefix("mem:").expect("a player of this stage").to_owned();
    let kind = UpdateKind::Press { callback_data: press.to_owned(), message: None };
    stage.update(&who, false, kind)
}

/// Presses arrive at any process. A number that one process has shown plays its card at another.
#[tokio::test]
async fn a_number_that_one_process_has_shown_plays_at_another() {
    let TwoProcesses { mut stage, other, .. } = start_two_processes().await;
    stage.send_group_message("Ann", "/blot").await;
    for who in ["Bek", "Cyd", "Dan"] {
        stage.send_group_message(who, "/join").await;
    }
    stage.send_group_message("Ann", "/begin").await;
    let (table, n, card) = loop {
        let (table, _) = stage.newest_table().await;
        let seat = Seat(table.seat_to_move().expect("the deal goes on"));
        let game = table.game.as_deref().unwrap();
        let hand = game.hand(seat);
        if let Some(at) = hand.iter().position(|it| it.legal) {
            let card = hand[at].choice.token.clone();
            break (table, at + 1, card);
        }
        // The first player bids, the others pass.
        let choices = game.choices(seat);
        let has_bid = table.history.steps.iter().any(|it| it.seat.is_some());
        let pass = choices.iter().find(|it| it.token == "pass").filter(|_| has_bid);
        let choice = pass.or_else(|| choices.iter().find(|it| it.token != "pass")).unwrap();
        let press = format!("p.{}.{}.{}", table.id.0, table.history.position, choice.token);
        stage.pass_ms(LOOK_MS).await;
        let update = press_of_turn(&mut stage, &table, &press);
        stage.hear(update).await;
    };
    let before = table.history.steps.len();
    let press = format!("z.{}.{}.{n}", table.id.0, table.history.position);
    stage.pass_ms(LOOK_MS).await;
    let update = press_of_turn(&mut stage, &table, &press);
    let shown = stage.hear(update).await;
    let says_hand = |it: &EphemeralReply| it.message.text().to_plain().contains(HAND);
    assert!(shown.iter().any(says_hand), "the order was not shown yet: {shown:?}");
    assert_eq!(stage.newest_table().await.0.history.steps.len(), before);

    stage.pass_ms(LOOK_MS).await;
    let update = press_of_turn(&mut stage, &table, &press);
    let replies = other.handle(update).await;
    let (played, _) = stage.newest_table().await;
    assert_eq!(played.history.steps.len(), before + 1, "{replies:?}");
    assert_eq!(played.history.steps.iter().last().map(|it| it.token), Some(card.as_str()));
}
