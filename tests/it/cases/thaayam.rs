//! `thaayam_games.jsonl`: whole games; `thaayam_counts.json`: all ends of single turns.

use std::collections::HashSet;

use caravanserai_games::rules::{Node, Rules, Seat};
use caravanserai_games::thaayam::{
    Colour, PiecePlace, Series, Thaayam, ThaayamAction, ThaayamOptions, ThaayamPosition,
    ThaayamTurn, ThrowUse, TurnOutcome, record,
};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::Tally;

/// Turns with more ends than this are not checked for a way to each of them.
const ROUTES_MAX: usize = 40;

/// Every tenth game is also written as a record and read back.
const RECORDED: u64 = 10;

/// Replays every game through the rules, turn by turn, and through its record.
pub fn check_games(file: &Value, tally: &mut Tally) {
    for game in file.as_array().expect("a game on each line") {
        check_game(game, tally);
        tally.count("whole games");
    }
}

fn check_game(entry: &Value, tally: &mut Tally) {
    let id = format!("game {}", entry["game"]);
    let seats = entry["seats"].as_array().expect("seats");
    let options = ThaayamOptions::default();
    let seats_len = u8::try_from(seats.len()).expect("a few");
    let mut game = Thaayam::start(&options, seats_len).expect("a game for so many");
    for (seat, colour) in (0..).zip(seats) {
        assert_eq!(game.position().colour(Seat(seat)).name(), colour.as_str().unwrap(), "{id}");
    }
    let mut steps = Vec::new();
    let turns = entry["turns"].as_array().expect("turns");
    for (number, turn) in (1..).zip(turns) {
        check_turn(&mut game, turn, &mut steps, &format!("{id}, turn {number}"));
        tally.count("turns");
    }
    assert_eq!(entry["n"], turns.len(), "{id}");
    let winner = colour(&entry["winner"]);
    assert_eq!(game.places(), [seat_of(game.position(), winner)], "{id}");
    assert!(matches!(game.node(), Node::Over(_)), "{id}");
    if entry["game"].as_u64().is_some_and(|number| number % RECORDED == 0) {
        check_record(entry, &game, &steps, &id);
        tally.count("records written and read");
    }
}

fn check_record(entry: &Value, game: &Thaayam, steps: &[record::ThaayamRecordStep], id: &str) {
    let names = &["A", "B", "C", "D"][..usize::from(game.position().seats())];
    let options = game.position().options();
    let text = record::write(&[], names, options, steps, None);
    let read = record::read(&text).unwrap_or_else(|wrong| panic!("{id}: {wrong}"));
    assert_eq!(entry["n"], read.turns.len(), "{id}");
    assert_eq!(read.game.position(), game.position(), "{id}");
    assert_eq!(read.result.as_deref(), entry["winner"].as_str(), "{id}");
}

fn check_turn(
    game: &mut Thaayam,
    turn: &Value,
    steps: &mut Vec<record::ThaayamRecordStep>,
    id: &str,
) {
    let mover = colour(&turn["p"]);
    let series = Series::new(&numbers(&turn["th"])).expect("a series");
    let facts = &mut Vec::new();
    game.apply_chance(&series, facts).unwrap_or_else(|wrong| panic!("{id}: {wrong:?}"));
    steps.push(record::ThaayamRecordStep::Chance(series));
    let Node::Act(seat) = game.node() else { panic!("{id}: nobody is on turn") };
    assert_eq!(game.position().colour(seat), mover, "{id}");
    let plays = turn["mv"].as_array().expect("plays").iter().map(|play| {
        let play = ThrowUse {
            throw: u8::try_from(play[0].as_u64().unwrap()).unwrap(),
            from: i8::try_from(play[1].as_i64().unwrap()).unwrap(),
        };
        ThaayamAction::Use { throw: play.throw, piece: PiecePlace::of_play(mover, play) }
    });
    for action in [ThaayamAction::Throw].into_iter().chain(plays) {
        let legal = game.actions(seat);
        game.apply_action(seat, &action, facts)
            .unwrap_or_else(|wrong| panic!("{id}: {action:?} {wrong:?} of {legal:?}"));
        steps.push(record::ThaayamRecordStep::Act(seat, action));
    }
    if !game.recent_turns().last().unwrap().ended {
        game.apply_action(seat, &ThaayamAction::Done, facts)
            .unwrap_or_else(|_| panic!("{id}: more can be played"));
        steps.push(record::ThaayamRecordStep::Act(seat, ThaayamAction::Done));
    }
    assert_eq!(game.position().write(), turn["st"].as_str().unwrap(), "{id}");
    let killed = game.recent_turns().last().unwrap().killed();
    for colour in Colour::ALL {
        let ours = game.position().seat_of(colour).map_or(0, |seat| killed[seat.index()]);
        let theirs = turn["k"].get(colour.name()).and_then(Value::as_u64).unwrap_or(0);
        assert_eq!(u64::from(ours), theirs, "{id}: killed pieces of {}", colour.name());
    }
}

/// Enumerates the ends of every turn, under the variants that the file names.
pub fn check_counts(file: &Value, tally: &mut Tally) {
    for case in file.as_array().expect("a list of cases") {
        let id = format!("case {} ({})", case["id"], case["note"]);
        check_count(case, &id, tally);
        tally.count("turns enumerated");
        for (name, options) in variants() {
            let Some(count) = case.get(name).and_then(Value::as_u64) else { continue };
            let (turn, _) = turn_of(case, options);
            let ours = turn.outcomes(usize::MAX).len();
            assert_eq!(ours as u64, count, "{id}: {name}");
            tally.count(name);
        }
    }
}

fn variants() -> [(&'static str, ThaayamOptions); 3] {
    let standard = ThaayamOptions::default();
    [
        ("count_if_max_throws", ThaayamOptions { must_use_most: true, ..standard }),
        ("count_if_final_capture", ThaayamOptions { kills_at_the_end: true, ..standard }),
        ("count_if_not_exact", ThaayamOptions { exact: false, ..standard }),
    ]
}

fn check_count(case: &Value, id: &str, tally: &mut Tally) {
    let (turn, position) = turn_of(case, ThaayamOptions::default());
    let mut usable = numbers(&case["usable"]);
    assert_eq!(usize::from(turn.left().count()), usable.len(), "{id}");
    usable.dedup();
    assert!(usable.iter().all(|throw| turn.left().of_value(*throw) > 0), "{id}");
    let outcomes = turn.outcomes(usize::MAX);
    assert_eq!(case["count"], outcomes.len(), "{id}");
    let texts = outcomes.iter().map(|it| it.applied(&position, turn.seat()).write());
    let mut texts: Vec<String> = texts.collect();
    // Ways are looked for one by one, so only where they are few.
    for outcome in outcomes.iter().filter(|_| outcomes.len() <= ROUTES_MAX) {
        let route = turn.route(outcome).unwrap_or_else(|| panic!("{id}: no way to {outcome:?}"));
        let end = route.iter().fold(turn, |turn, play| turn.after(*play).unwrap());
        assert_eq!(TurnOutcome { own: *end.own(), hits: end.hits() }, *outcome, "{id}");
    }
    texts.sort();
    let digest = hex::encode(Sha256::digest(texts.join("\n")));
    assert_eq!(case["sha256"], digest, "{id}");
    tally.count("hashes of results");
    if let Some(results) = case.get("results").and_then(Value::as_array) {
        assert_eq!(*results, texts, "{id}");
        tally.count("lists of results");
    }
    let mut seen = HashSet::new();
    let (mut fewest, mut most) = (u8::MAX, 0);
    used(&turn, 0, &mut seen, &mut |used| {
        fewest = fewest.min(used);
        most = most.max(used);
    });
    assert_eq!(case["throws_used_min"], fewest, "{id}");
    assert_eq!(case["throws_used_max"], most, "{id}");
}

/// How many throws are used, for every way to play on; written once more, by plain recursion.
fn used(turn: &ThaayamTurn, so_far: u8, seen: &mut HashSet<String>, found: &mut impl FnMut(u8)) {
    let plays = turn.plays();
    if plays.as_slice().is_empty() || turn.is_done() {
        found(so_far);
    }
    for play in plays.as_slice().iter().filter(|_| !turn.is_done()) {
        let after = turn.after(*play).unwrap();
        if seen.insert(format!("{:?} {:?} {}", after.own(), after.left(), after.hits())) {
            used(&after, so_far + 1, seen, found);
        }
    }
}

fn turn_of(case: &Value, options: ThaayamOptions) -> (ThaayamTurn, ThaayamPosition) {
    let text = case["state"].as_str().expect("a state");
    let position =
        ThaayamPosition::read(options, text).unwrap_or_else(|| panic!("{text}: no state"));
    for (seat, name) in (0..).zip(case["seats"].as_array().expect("seats")) {
        assert_eq!(position.colour(Seat(seat)), colour(name));
    }
    let seat = seat_of(&position, colour(&case["to_move"]));
    (ThaayamTurn::new(&position, seat, &numbers(&case["throws"])), position)
}

fn seat_of(position: &ThaayamPosition, colour: Colour) -> Seat {
    position.seat_of(colour).expect("somebody plays with it")
}

fn colour(name: &Value) -> Colour {
    Colour::read(name.as_str().expect("a name")).expect("a colour")
}

fn numbers(list: &Value) -> Vec<u8> {
    let numbers = list.as_array().expect("a list").iter();
    numbers.map(|it| u8::try_from(it.as_u64().expect("a number")).expect("small")).collect()
}
