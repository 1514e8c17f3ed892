//! `togyzkumalak_perft.json`: counts of move sequences and single rules.

use caravanserai_games::rules::Token;
use caravanserai_games::togyzkumalak::notation::moves::{NotatedMove, play_written, write_digits};
use caravanserai_games::togyzkumalak::{
    Sown, TogyzkumalakPhase, TogyzkumalakPosition, Variant,
    notation::{read_position, write_position},
};
use serde_json::Value;

use super::Tally;

/// Sequences longer than this are counted only up to here.
const LEAVES_MAX: u64 = if cfg!(debug_assertions) { 4_000_000 } else { 300_000_000 };

/// Checks the whole file.
pub fn check(file: &Value, tally: &mut Tally) {
    for position in list(file, "positions") {
        check_position(position, tally);
    }
    for case in list(file, "cases") {
        check_case(case, tally);
    }
}

fn check_position(entry: &Value, tally: &mut Tally) {
    let id = text(entry, "id");
    tally.count("positions");
    if let Some(moves) = entry.get("moves").and_then(Value::as_array) {
        check_path(entry, moves, id);
        tally.count("paths to positions");
    }
    for (name, counts) in object(entry, "perft") {
        let position = place(entry, variant(name));
        for (depth, count) in (1..).zip(counts.as_array().expect("a list of counts")) {
            let count = count.as_u64().expect("a count");
            assert_eq!(position.perft(depth), count, "{id}: {name} at depth {depth}");
            tally.count("perft counts");
        }
    }
    if let Some(deeper) = entry.get("perft_deeper") {
        for (depth, count) in deeper.as_object().expect("counts by depth") {
            let count = count.as_u64().expect("a count");
            if count > LEAVES_MAX {
                continue;
            }
            let depth = depth.parse().expect("a depth");
            let counted = place(entry, Variant::Seed).perft(depth);
            assert_eq!(counted, count, "{id} at depth {depth}");
            tally.count("deeper perft counts");
        }
    }
    if entry.get("depth4").is_some() {
        for (name, breakdown) in object(entry, "depth4") {
            let mut found = Breakdown::default();
            found.add(&place(entry, variant(name)), 4);
            found.check(breakdown, &format!("{id}: {name}"));
            tally.count("breakdowns at depth 4");
        }
    }
}

/// The moves that led to a position from the start do lead there.
fn check_path(entry: &Value, moves: &[Value], id: &str) {
    let mut position = TogyzkumalakPosition::start(Variant::Seed);
    for written in moves {
        play(&mut position, written).unwrap_or_else(|wrong| panic!("{id}: {wrong}"));
    }
    let plies = u16::try_from(moves.len()).expect("not so many moves");
    assert_eq!(write_position(&position, plies), text(entry, "position"), "{id}");
}

/// What the moves of the last ply do; a tuzdyk is a capture of three as well.
#[derive(Default)]
struct Breakdown {
    captures: u64,
    captured_stones: u64,
    tuzdyks: u64,
    wins_majority: u64,
    ends_atsyrau: u64,
    extra_moves: u64,
}

impl Breakdown {
    fn add(&mut self, position: &TogyzkumalakPosition, depth: u32) {
        for pit in position.each_move() {
            let mut next = *position;
            let sown = next.play(pit);
            if depth > 1 {
                self.add(&next, depth - 1);
                continue;
            }
            self.captures += u64::from(sown.captured > 0);
            self.captured_stones += u64::from(sown.captured);
            self.tuzdyks += u64::from(sown.tuzdyk);
            self.wins_majority += u64::from(next.phase() == TogyzkumalakPhase::Majority);
            self.ends_atsyrau += u64::from(next.phase() == TogyzkumalakPhase::Atsyrau);
            self.extra_moves += u64::from(sown.extra);
        }
    }

    fn check(&self, stated: &Value, id: &str) {
        let found = [
            ("captures", self.captures),
            ("captured_stones", self.captured_stones),
            ("tuzdyks", self.tuzdyks),
            ("wins_majority", self.wins_majority),
            ("ends_atsyrau", self.ends_atsyrau),
            ("extra_moves", self.extra_moves),
        ];
        for (name, count) in stated.as_object().expect("counts by name") {
            let count = count.as_u64().expect("a count");
            let of_ours = found.iter().find(|(of_ours, _)| of_ours == name);
            let (_, ours) = of_ours.unwrap_or_else(|| panic!("{id}: what is {name}?"));
            assert_eq!(*ours, count, "{id}: {name}");
        }
    }
}

fn check_case(case: &Value, tally: &mut Tally) {
    let id = text(case, "id");
    tally.count("rule cases");
    for (name, after) in object(case, "after") {
        let variants = if name == "all" { Variant::ALL.to_vec() } else { vec![variant(name)] };
        for variant in variants {
            check_after(case, after, variant, &format!("{id}: {}", variant.write()));
            tally.count("rule cases by variant");
        }
    }
}

fn check_after(case: &Value, after: &Value, variant: Variant, id: &str) {
    let mut position = place(case, variant);
    let plies_before = text(case, "position").rsplit(' ').next().expect("plies").parse::<u16>();
    let mut plies = plies_before.expect("a number of plies");
    let moves = list(case, "moves");
    let illegal = after.get("illegal").is_some_and(|illegal| illegal == true);
    let mut texts = Vec::new();
    let mut last: Option<Sown> = None;
    for (index, written) in moves.iter().enumerate() {
        match play(&mut position, written) {
            Ok(sown) => {
                texts.push(write_digits(&sown).trim_start_matches('+').to_owned());
                last = Some(sown);
                plies += 1;
            }
            Err(_) if illegal && index + 1 == moves.len() => return,
            Err(wrong) => panic!("{id}: {written} is refused: {wrong}"),
        }
    }
    assert!(!illegal, "{id}: the last move must be refused");
    for (field, stated) in after.as_object().expect("what holds afterwards") {
        match field.as_str() {
            "position" => assert_eq!(*stated, write_position(&position, plies), "{id}"),
            "text" => assert_eq!(*stated, serde_json::json!(texts), "{id}"),
            "illegal" | "note" => {}
            "result" => check_result(stated, &position, last.as_ref(), id),
            other => panic!("{id}: what is {other}?"),
        }
    }
}

fn check_result(stated: &Value, position: &TogyzkumalakPosition, last: Option<&Sown>, id: &str) {
    let reason = match position.phase() {
        TogyzkumalakPhase::Turn | TogyzkumalakPhase::Extra => {
            assert!(stated.is_null(), "{id}: the game must be over");
            return;
        }
        TogyzkumalakPhase::Majority => "majority",
        TogyzkumalakPhase::Atsyrau => "atsyrau",
    };
    let score = position.kazans();
    let winner = match score[0].cmp(&score[1]) {
        std::cmp::Ordering::Greater => "first",
        std::cmp::Ordering::Less => "second",
        std::cmp::Ordering::Equal => "draw",
    };
    for (field, stated) in stated.as_object().expect("the game must go on") {
        match field.as_str() {
            "winner" => assert_eq!(stated, winner, "{id}"),
            "reason" => assert_eq!(stated, reason, "{id}"),
            "score" => assert_eq!(*stated, serde_json::json!(score), "{id}"),
            "collected" => {
                assert_eq!(*stated, last.map_or(0, |sown| sown.collected), "{id}");
            }
            other => panic!("{id}: what is {other}?"),
        }
    }
}

fn play(position: &mut TogyzkumalakPosition, written: &Value) -> Result<Sown, String> {
    let written = written.as_str().expect("a move");
    let written = NotatedMove::read(written).unwrap_or_else(|| panic!("{written} is no move"));
    play_written(position, &written).map_err(|why| why.to_string())
}

fn place(entry: &Value, variant: Variant) -> TogyzkumalakPosition {
    let text = text(entry, "position");
    read_position(text, variant).unwrap_or_else(|wrong| panic!("{text}: {wrong}")).0
}

fn variant(name: &str) -> Variant {
    Variant::read(name).unwrap_or_else(|| panic!("what is the variant {name}?"))
}

fn text<'a>(entry: &'a Value, field: &str) -> &'a str {
    entry[field].as_str().unwrap_or_else(|| panic!("no text {field} in {entry}"))
}

fn list<'a>(entry: &'a Value, field: &str) -> &'a [Value] {
    entry[field].as_array().unwrap_or_else(|| panic!("no list {field} in {entry}"))
}

fn object<'a>(entry: &'a Value, field: &str) -> &'a serde_json::Map<String, Value> {
    entry[field].as_object().unwrap_or_else(|| panic!("no object {field} in {entry}"))
}
