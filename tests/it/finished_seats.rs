//! A player who has a place keeps it while the others play on for theirs.

use caravanserai_bot::views::hint_view::hint_view;
use caravanserai_games::GameId;
use caravanserai_games::ids::TableId;
use caravanserai_games::rules::Seat;
use caravanserai_games::search::PlayerEvaluation;
use caravanserai_table::{
    Command, Event, EventMeta, Invitee, Table, TablePhase, TableSetup, open_table,
};

use crate::clocks::{START_MS, does, person, plays_token};

/// A game of three people for the places.
fn opened() -> Table {
    let setup = crate::setup(GameId::from_code("thaayam").unwrap(), 3, person(0));
    let setup = TableSetup { options: "pieces=2,play_on=yes".to_owned(), ..setup };
    let sits = |n: u8| Event::Seated { person: person(n), name: format!("P{n}") };
    let meta = EventMeta::received_now(START_MS, "mem/0");
    let then = (0..3).map(sits).collect();
    open_table(&TableId("7k3fx".into()), setup, then, true, meta).unwrap().table
}

/// The same when a seat has the first place, and that seat.
fn with_first_place() -> (Table, u8) {
    let mut table = opened();
    for (n, now_ms) in (0..20_000_usize).zip(START_MS..) {
        if let Some(seat) = (0..3).find(|it| table.finishing_rank(*it).is_some()) {
            return (table, seat);
        }
        let seat = table.seat_to_move().expect("nobody has won yet");
        let choices = table.game.as_ref().unwrap().choices(Seat(seat));
        let tokens: Vec<_> =
            choices.iter().map(|it| &it.token).filter(|it| *it != "undo").collect();
        table = plays_token(&table, seat, tokens[n * 7_919 % tokens.len()], now_ms);
    }
    panic!("nobody has finished");
}

#[test]
fn a_player_who_has_finished_keeps_the_place() {
    let (table, winner) = with_first_place();
    let (others, now_ms) = ((0..3).filter(|it| *it != winner), START_MS + 30_000);
    assert_eq!((table.phase.clone(), table.finishing_rank(winner)), (TablePhase::Playing, Some(1)));
    let refusal = |n: u8, command: &Command| does(&table, n, now_ms, command).err();
    let newcomer = Invitee { person: Some(person(7)), username: None, name: "P7".to_owned() };
    let replaced = |seat| Command::ProposeSubstitute { seat, newcomer: newcomer.clone() };
    for command in [Command::Resign, Command::Leave, replaced(None), replaced(Some(winner))] {
        assert_eq!(refusal(winner, &command).as_deref(), Some("refuse-own-place"));
    }
    let asks = Command::TakeOver { seat: Some(winner) };
    assert_eq!(refusal(7, &asks).as_deref(), Some("refuse-seat-finished"));
    for other in others {
        let refused = refusal(other, &replaced(Some(winner)));
        assert_eq!(refused.as_deref(), Some("refuse-seat-finished"));
        // The winner might be away, and then nobody would ask for their consent.
        assert_eq!(refusal(other, &Command::Abort).as_deref(), Some("refuse-abort-place"));
        let leave = refusal(other, &Command::Leave);
        assert_eq!(leave.as_deref(), Some("refuse-leave-in-play"), "they still play");
        let resigned = does(&table, other, now_ms, &Command::Resign).unwrap();
        assert_eq!(resigned.finishing_rank(winner).filter(|_| resigned.is_open()), Some(1));
    }
}

#[test]
fn a_hint_says_no_chance_to_win_once_another_has_won() {
    let key = |table: &Table| {
        let seat = table.seat_to_move().unwrap();
        let action = table.game.as_ref().unwrap().choices(Seat(seat))[0].token.clone();
        let line = vec![action.clone()];
        let evaluation =
            PlayerEvaluation { action, score: 0, chance: 620, depth: 0, nodes: 400, line };
        hint_view(table, seat, &evaluation).texts[0].key.to_string()
    };
    let (table, winner) = with_first_place();
    let beginning = opened();
    assert_eq!(key(&beginning), "answer-hint");
    assert!(table.seat_to_move() != Some(winner), "the others play on");
    assert_eq!(key(&table), "answer-hint-sure");
}
