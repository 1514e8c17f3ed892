//! Games against computers that count for ratings: who plays alone must not gain by giving up, and
//! must not lose without a fault of their own.

use caravanserai_bot::views::result_views::rated_line;
use caravanserai_games::GameId;
use caravanserai_games::ids::TableId;
use caravanserai_games::rules::Seat;
use caravanserai_games::search::ComputerLevel;
use caravanserai_results::CasualReason;
use caravanserai_table::command::{MoveChoice, OfferAnswer};
use caravanserai_table::event::computer_id;
use caravanserai_table::{
    Command, Event, EventMeta, Invitee, Table, apply_external_event, open_table,
};

use crate::clocks::{START_MS, computer_plays, does, happens, person};

/// A game of so many people; computers of medium level have the other seats.
fn game(code: &str, seats: u8, people: u8) -> Table {
    let game = GameId::from_code(code).unwrap();
    let setup = crate::setup(game, seats, person(0));
    let human = |n: u8| Event::Seated { person: person(n), name: format!("P{n}") };
    let computer =
        || Event::Seated { person: computer_id(ComputerLevel::Medium), name: String::new() };
    let events = (0..seats).map(|n| if n < people { human(n) } else { computer() }).collect();
    let meta = EventMeta::received_now(START_MS, "mem/0");
    open_table(&TableId("7k3fx22".into()), setup, events, true, meta).unwrap().table
}

fn then(table: &Table, event: Event) -> Table {
    let meta = EventMeta::received_now(START_MS, "mem/1");
    happens(table, &apply_external_event(table, event, meta).unwrap().lines)
}

/// The person plays anything until this holds.
fn played_until(mut table: Table, is_enough: impl Fn(&Table) -> bool) -> Table {
    while !is_enough(&table) {
        let seat = table.seat_to_move().unwrap();
        if table.seating.is_computer(seat) {
            table = computer_plays(&table, START_MS);
            continue;
        }
        let choices = table.game.as_ref().unwrap().choices(Seat(seat));
        let choice = MoveChoice::Token(choices[0].token.clone());
        let command = Command::Move { position: Some(table.history.position), choice };
        table = does(&table, 0, START_MS, &command).unwrap();
    }
    table
}

fn lost(table: &Table) -> Table {
    does(table, 0, START_MS, &Command::Resign).unwrap()
}

/// Otherwise one could win deals with hints and resign in the last one, or ask for one hint in a
/// match that is lost anyway.
#[test]
fn after_a_hint_only_the_deals_that_were_lost_count() {
    let rounds = |table: &Table| table.game.as_ref().unwrap().round_points();
    let own = |table: &Table| usize::from(table.seating.seats_of(&person(0)).next().unwrap() % 2);
    let is_lost = |round: &Vec<i32>, own: usize| {
        round[own] + round[own + 2] < round[1 - own] + round[3 - own]
    };
    let has_both = |table: &Table| {
        let lost: Vec<bool> = rounds(table).iter().map(|it| is_lost(it, own(table))).collect();
        lost.contains(&true) && lost.contains(&false)
    };
    let table = played_until(game("blot", 4, 1), has_both);
    let honest = lost(&table).game_result().unwrap();
    assert_eq!((honest.casual.len(), honest.rounds), (0, rounds(&table)));
    let hinted = lost(&then(&table, Event::HintGiven { seat: 0 })).game_result().unwrap();
    let expected = rounds(&table).into_iter().filter(|it| is_lost(it, own(&table)));
    assert_eq!((hinted.casual.len(), hinted.rounds), (0, expected.collect()));
}

/// A friend may come, but not to save the player from a loss.
#[test]
fn nobody_takes_a_seat_while_the_player_is_losing_to_computers() {
    let bek = Invitee { person: Some(person(9)), username: None, name: "P9".to_owned() };
    let wish = |seat| Command::ProposeSubstitute { seat: Some(seat), newcomer: bek.clone() };
    let begun = game("thaayam", 2, 1);
    let own = begun.seating.seats_of(&person(0)).next().unwrap();
    let asked = does(&begun, 0, START_MS, &wish(1 - own)).unwrap();
    let came = does(
        &asked,
        9,
        START_MS,
        &Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept },
    );
    let came = came.unwrap();
    assert_eq!(came.casual_reasons(), [CasualReason::Substitute]);
    assert!(came.game_result().is_none() && came.seating.people().len() == 2);
    // The friend waits with the answer until the game goes badly.
    let behind = played_until(asked, Table::is_losing_to_computers);
    let late = does(
        &behind,
        9,
        START_MS,
        &Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept },
    );
    assert_eq!(late.unwrap_err(), "refuse-substitute-rated");
    for seat in [own, 1 - own] {
        let behind = played_until(begun.duplicate(), Table::is_losing_to_computers);
        assert_eq!(does(&behind, 0, START_MS, &wish(seat)).unwrap_err(), "refuse-substitute-rated");
    }
}

/// A hand that was seen cannot be exchanged for a better one.
#[test]
fn a_seen_hand_or_throw_prevents_aborting() {
    let refusal = |table: &Table| does(table, 0, START_MS, &Command::Abort).unwrap_err();
    assert_eq!(refusal(&game("blot", 4, 1)), "refuse-abort-rated");
    let thrown = played_until(game("thaayam", 2, 1), |it| it.history.steps.len() > 1);
    assert_eq!(refusal(&thrown), "refuse-abort-rated");
    assert!(does(&game("togyzkumalak", 2, 1), 0, START_MS, &Command::Abort).is_ok());
}

/// Computers would not object to what the people agree to.
#[test]
fn a_game_of_several_people_with_a_computer_does_not_count() {
    for people in 2..4 {
        for code in ["blot", "thaayam"] {
            let table = game(code, 4, people);
            assert_eq!(table.casual_reasons(), [CasualReason::SeveralPeople]);
            // The line also says what to do for a rated game.
            assert_eq!(rated_line(&table).key, "lobby-casual-several-people");
        }
    }
    assert_eq!(game("blot", 4, 4).casual_reasons(), []);
    assert!(game("blot", 4, 1).counts_half());
}
