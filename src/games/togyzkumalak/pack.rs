//! Togyzkumalak for tables.

use super::engine::learn::Learn;
use super::notation::reader::Outcome;
use super::notation::{Form, Headers, RecordFault};
use super::notation::{read_games, read_position, replay, write_position, write_record};
use super::rules::Fact;
use super::{End, Position, Sow, Togyzkumalak, Variant, View};
use super::{advice, caption, engine, lesson, record, scene, sketch};
use crate::arena::Duel;
use crate::rules::{Node, RecordError, Rules, Seat};
use crate::study::{Cause, Given};
use crate::words::Arg;
use crate::{Arena, Course, GameId, Heading, Info, Learning, Pace, Pack, Recorded, Standing};
use crate::{Sound, StandingLine, Step, Study, Switch, Table, in_rows, no_deals, no_hand};

/// What lobbies and menus need to know.
pub static INFO: Info = Info {
    code: "togyzkumalak",
    command: "togyz",
    seats: (2, 2),
    switches: &[Switch { name: "ending", values: &["seed", "short"] }],
    revision: Togyzkumalak::REVISION,
    hidden: false,
    partners: false,
};

/// The game with those who show it and tell of it.
pub static PACK: Pack<Togyzkumalak> = Pack {
    info: &INFO,
    table: Table {
        scene,
        caption: caption::caption,
        done: caption::done,
        board_text: caption::text_board,
        sketch: sketch::sketch,
        refuse: caption::refuse,
        reason: caption::reason,
        label,
        panel: in_rows,
        spots: scene::spots,
        would: caption::would,
        hand: no_hand,
        partners: |_| false,
        number: |_| None,
        sheets: &[],
        lay_open: no_deals,
    },
    arena: Arena {
        player: engine::player,
        opponents: engine::PLAYERS,
        a_second: 3_000_000,
        learning: Learning { amounts, learn },
        duel: Duel::plain(6),
    },
    study: Study {
        given: Given::Position(placed),
        position,
        record: written,
        read,
        print,
        count: Some(|options, position, depth| {
            record::perft(position, depth, *options).map_err(Cause::from)
        }),
        frames,
        standing,
        counts: |fact| matches!(fact, Fact::Sown { .. }),
        lays_open: |_| false,
        sound: |fact| match fact {
            Fact::Captured { .. } | Fact::Tuzdyk { .. } => Some(Sound::Capture),
            Fact::Sown { .. } => Some(Sound::Step),
            _ => None,
        },
        missing,
    },
    course: Course {
        pages: lesson::PAGES,
        parts: &[],
        page: lesson::page,
        touched: scene::touched,
        advice: advice::advice,
    },
};

/// All stones are on the board or in the kazans, and tuzdyks are where they can be.
fn missing(game: &Togyzkumalak) -> Option<String> {
    let it = game.position();
    let again = Position::new(it.pits(), it.kazans(), it.tuzdyks(), it.side(), false, it.variant());
    again.err().map(|error| error.to_string())
}

fn position(view: &View) -> Option<String> {
    let position = Position::try_from(view).ok()?;
    Some(write_position(&position, view.plies))
}

/// Its name in the list of games.
pub const ID: GameId = GameId::of(&PACK);

fn print(text: &str, options: Option<&Variant>) -> Result<String, RecordError<Cause>> {
    record::replay_text(text, options.copied()).map_err(RecordError::of_any_game)
}

/// A replay shows every move.
fn frames(view: &View, facts: &[Fact]) -> Vec<(View, Pace)> {
    let sown = facts.iter().any(|it| matches!(it, Fact::Sown { .. }));
    sown.then(|| (view.clone(), Pace::Move)).into_iter().collect()
}

/// Stones in the kazans; more than half of all wins (rule R13).
fn standing(view: &View) -> Standing {
    let sides = [("togyz-mark-0", "line-3"), ("togyz-mark-1", "line-2")];
    let line = |(seat, (mark, ink)): (u8, (&'static str, &'static str))| {
        let value = i32::from(view.kazans[usize::from(seat)]);
        StandingLine { seats: vec![seat], mark, ink, value }
    };
    Standing { lines: (0..).zip(sides).map(line).collect(), goal: Some(82) }
}

/// The first game of a record in any form that is known.
fn read(
    text: &str,
    options: Option<&Variant>,
) -> Result<Recorded<Togyzkumalak>, RecordError<Cause>> {
    let games = read_games(text).map_err(RecordError::of_any_game)?;
    let none = RecordError { line: 1, kind: RecordFault::NoGame };
    let game = games.first().ok_or_else(|| none.of_any_game())?;
    let replayed = replay(game, options.copied()).map_err(RecordError::of_any_game)?;
    let name = |header: &str| game.header(header).unwrap_or_default().to_owned();
    let won = |first: i32, second: i32| Some(vec![first, second]);
    let result = match replayed.stated.filter(|_| !replayed.last().is_over()) {
        None | Some(Outcome::Open) => None,
        Some(Outcome::First) => won(1, 0),
        Some(Outcome::Second) => won(0, 1),
        Some(Outcome::Draw) => won(0, 0),
        Some(Outcome::Score(first, second)) => won(first.into(), second.into()),
    };
    let step =
        |(sown, _): &(super::position::Sown, Position)| Step::Act(Seat(sown.side), Sow(sown.from));
    Ok(Recorded {
        start: Togyzkumalak::from_position(replayed.start),
        names: vec![name("White"), name("Black")],
        steps: replayed.moves.iter().map(step).collect(),
        result,
    })
}

fn placed(options: &Variant, _: u8, text: &str) -> Result<Togyzkumalak, Cause> {
    let (position, _) = read_position(text, *options)?;
    Ok(Togyzkumalak::from_position(position))
}

fn amounts() -> Vec<(&'static str, u64)> {
    let Learn { generations, games, nodes, passes, trust, memory, threads, .. } = Learn::STANDARD;
    vec![
        ("generations", generations.into()),
        ("games", games.into()),
        ("nodes", nodes),
        ("passes", passes.into()),
        ("trust", trust.into()),
        ("memory", memory as u64),
        ("threads", threads as u64),
    ]
}

fn learn(seed: u64, amounts: &[u64], say: &mut dyn FnMut(&str)) -> Vec<u8> {
    let [generations, games, nodes, passes, trust, memory, threads] = *amounts else {
        return Vec::new();
    };
    let number = |it: u64| u32::try_from(it).unwrap_or(u32::MAX);
    let count = |it: u64| usize::try_from(it).unwrap_or(usize::MAX);
    let settings = Learn {
        seed,
        generations: number(generations),
        games: number(games),
        nodes,
        passes: number(passes),
        trust: number(trust),
        memory: count(memory),
        threads: count(threads).max(1),
    };
    engine::learn::learn(&settings, None, say, &mut |_| {})
}

fn label(view: &View, action: &Sow) -> Arg {
    Arg::Plain(caption::label(view, action))
}

fn scene(
    view: &View,
    names: &[String],
    result: Option<&[i32]>,
    below: Seat,
) -> crate::scene::Scene {
    let name = |seat: usize| names.get(seat).map_or("", String::as_str);
    let ended = match result.and_then(outcome_of) {
        None | Some(Outcome::Open | Outcome::Score(..)) => None,
        Some(Outcome::First) => Some(scene::Outcome::Won(Seat(0))),
        Some(Outcome::Second) => Some(scene::Outcome::Won(Seat(1))),
        Some(Outcome::Draw) => Some(scene::Outcome::Drawn),
    };
    scene::scene_seen_from(view, [name(0), name(1)], ended, below)
}

/// The record that online servers exchange: headers, moves, kazans after captures.
fn written(heading: &Heading, options: &Variant, _: u8, steps: &[Step<Togyzkumalak>]) -> String {
    let sow = |step: &Step<Togyzkumalak>| match step {
        Step::Act(_, sow) => *sow,
        Step::Chance(never) => match *never {},
    };
    let actions: &[Sow] = &steps.iter().map(sow).collect::<Vec<_>>();
    let name = |seat: usize| heading.names.get(seat).map_or("?", String::as_str);
    let headers: &Headers = &[
        ("Event", "Togyzkumalak"),
        ("Site", &heading.site),
        ("Date", &heading.date),
        ("White", name(0)),
        ("Black", name(1)),
    ];
    let start = Position::start(*options);
    let outcome = heading.result.as_deref().and_then(outcome_of);
    let outcome = outcome.or_else(|| repeated(*options, actions).then_some(Outcome::Draw));
    let legal = |moves: &[Sow]| write_record(Form::PlayOk, headers, &start, moves, outcome);
    // A log holds only legal moves; should one not be, the record ends before it.
    legal(actions).or_else(|wrong| legal(&actions[..wrong - 1])).unwrap_or_default()
}

fn outcome_of(scores: &[i32]) -> Option<Outcome> {
    let [first, second] = *scores else { return None };
    Some(match first.cmp(&second) {
        std::cmp::Ordering::Greater => Outcome::First,
        std::cmp::Ordering::Less => Outcome::Second,
        std::cmp::Ordering::Equal => Outcome::Draw,
    })
}

/// Whether these moves end in a draw by repetition, which the board alone does not show.
fn repeated(options: Variant, actions: &[Sow]) -> bool {
    let mut game = Togyzkumalak::from_position(Position::start(options));
    let mut facts = Vec::new();
    for action in actions {
        let Node::Act(seat) = game.node() else { break };
        facts.clear();
        if game.act(seat, action, &mut facts).is_err() {
            break;
        }
    }
    game.end() == Some(End::Repetition)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stone_too_many_is_missed() {
        let mut position = Position::start(Variant::Seed);
        assert_eq!(missing(&Togyzkumalak::from_position(position)), None);
        position.kazans[0] += 1;
        let told = missing(&Togyzkumalak::from_position(position)).unwrap_or_default();
        assert!(told.contains("163 stones"), "{told}");
    }
}
