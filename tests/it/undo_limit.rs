//! What a person does again and again has an end, because each time makes the log longer.

use caravanserai_games::rules::Seat;
use caravanserai_table::command::{MoveChoice, OfferAnswer, OfferKind};
use caravanserai_table::{Command, Event, EventMeta, Table, TimeControl, apply_external_event};

use crate::clocks::{START_MS, does, game, happens, plays_token};

fn tokens(table: &Table) -> Vec<String> {
    let seat = table.seat_to_move().map(Seat).unwrap();
    table.game.as_ref().unwrap().choices(seat).into_iter().map(|it| it.token).collect()
}

/// A game before a move that can be undone: its seat and its token.
fn before_undo() -> (Table, u8, String) {
    let mut table = game("thaayam", 2, TimeControl::Unlimited);
    for now_ms in (START_MS..).take(1_000) {
        let seat = table.seat_to_move().unwrap();
        let token = tokens(&table).into_iter().find(|it| it != "undo").unwrap();
        let next = plays_token(&table, seat, &token, now_ms);
        let is_first = !tokens(&table).contains(&"undo".to_owned());
        if is_first
            && next.seat_to_move() == Some(seat)
            && tokens(&next).contains(&"undo".to_owned())
        {
            return (table, seat, token);
        }
        table = next;
    }
    panic!("no move can be undone");
}

#[test]
fn moves_of_a_turn_are_undone_only_so_often() {
    let (before, seat, token) = before_undo();
    let now_ms = START_MS + 10_000;
    let mut table = plays_token(&before, seat, &token, now_ms);
    let mut undone = 0;
    while tokens(&table).contains(&"undo".to_owned()) {
        table = plays_token(&table, seat, "undo", now_ms);
        table = plays_token(&table, seat, &token, now_ms);
        undone += 1;
        assert!(undone < 100, "it goes on and on");
    }
    assert!(undone >= 20, "a player may look at several ways: {undone}");
    let choice = MoveChoice::Token("undo".to_owned());
    let undo = Command::Move { position: None, choice };
    assert_eq!(does(&table, seat, now_ms, &undo).err().as_deref(), Some("refuse-undone-often"));
    // A log that an earlier program wrote may have more of them.
    let step = Event::Stepped { seat, token: "undo".to_owned() };
    let meta = EventMeta::received_now(now_ms, "mem/0");
    let lines = apply_external_event(&table, step, meta).unwrap().lines;
    assert_eq!(happens(&table, &lines).history.steps.len(), table.history.steps.len() + 1);
}

#[test]
fn settings_are_changed_only_so_often_before_the_next_move() {
    let mut table = game("togyzkumalak", 2, TimeControl::Unlimited);
    let now_ms = START_MS + 10_000;
    let mut changes = 0;
    let refused = loop {
        match does(&table, 0, now_ms, &Command::SetPublic(changes % 2 == 0)) {
            Ok(next) => table = next,
            Err(key) => break key,
        }
        changes += 1;
        assert!(changes < 5_000, "it goes on and on");
    };
    assert_eq!(refused, "refuse-changed-often");
    assert!(changes >= 500, "people may change their minds: {changes}");
    let seat = table.seat_to_move().unwrap();
    let token = tokens(&table).remove(0);
    let next = plays_token(&table, seat, &token, now_ms);
    assert!(does(&next, 0, now_ms, &Command::SetPublic(true)).is_ok(), "the next move allows it");
    assert!(does(&table, 0, now_ms, &Command::Resign).is_ok(), "a game can always be ended");
}

/// Who pauses a game that they lose keeps nobody in the pause by changing something very often.
#[test]
fn a_paused_game_is_resumed_after_many_changes() {
    let now_ms = START_MS + 10_000;
    let mut table = game("togyzkumalak", 2, TimeControl::PerGame { bank: 300, increment: 5 });
    table = does(&table, 0, now_ms, &Command::Offer(OfferKind::Pause)).unwrap();
    let yes = Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept };
    table = does(&table, 1, now_ms, &yes).unwrap();
    while let Ok(next) =
        does(&table, 0, now_ms, &Command::SetPublic(table.version.is_multiple_of(2)))
    {
        table = next;
    }
    assert!(does(&table, 1, now_ms, &Command::Offer(OfferKind::Resume)).is_ok());
}
