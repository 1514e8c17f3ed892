//! Thaayam for tables.

use super::board::{FORTRESS, OFF};
use super::engine::learn::Learn;
use super::fact::Fact;
use super::options::SWITCHES as NAMES;
use super::record::{self, Headers};
use super::{
    Action, Options, Position, Thaayam, View, advice, caption, engine, in_words, lesson,
    position_notation, scene, sketch,
};
use crate::arena::Duel;
use crate::rules::{RecordError, Rules, Seat};
use crate::study::{Cause, Given};
use crate::{Arena, Course, GameId, Heading, Info, Learning, Pace, Pack, Panel, Recorded, Sheet};
use crate::{Sound, Standing, StandingLine, Step, Study, Switch, Table, no_deals, no_hand};

/// What lobbies and menus need to know.
pub static INFO: Info = Info {
    code: "thaayam",
    command: "thaayam",
    seats: (2, 4),
    switches: &SWITCHES,
    revision: Thaayam::REVISION,
    hidden: false,
    partners: false,
};

static SWITCHES: [Switch; NAMES.len()] = switches();

const fn switches() -> [Switch; NAMES.len()] {
    let mut all = [Switch { name: "", values: &[] }; NAMES.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = Switch { name: NAMES[at].0, values: NAMES[at].1 };
        at += 1;
    }
    all
}

/// The game with those who show it and tell of it.
pub static PACK: Pack<Thaayam> = Pack {
    info: &INFO,
    table: Table {
        scene: scene::scene_seen_from,
        caption: caption::caption,
        done: caption::done,
        board_text: caption::board_text,
        sketch: sketch::sketch,
        refuse: caption::refuse,
        reason: caption::reason,
        label: in_words::label,
        panel,
        spots: scene::spots,
        would: caption::would,
        hand: no_hand,
        partners: |game| game.position().options().partners,
        number: |game| Some(game.number()),
        sheets: &[
            Sheet { name: "turns", text: caption::turns },
            Sheet { name: "odds", text: caption::odds },
        ],
        lay_open: no_deals,
    },
    arena: Arena {
        player: engine::player,
        opponents: engine::PLAYERS,
        a_second: 1_000_000,
        learning: Learning { amounts, learn },
        duel: Duel::plain(0),
    },
    study: Study {
        given: Given::Position(|options, seats, text| {
            position_notation::read(options, seats, text).map_err(Cause::from)
        }),
        position: position_notation::write,
        record: written,
        read,
        print,
        count: None,
        frames,
        standing,
        counts: |fact| matches!(fact, Fact::Passed { .. } | Fact::Finished { .. }),
        lays_open: |_| false,
        sound: |fact| match fact {
            Fact::Thrown { .. } => Some(Sound::Deal),
            Fact::KilledAtEnd { .. } => Some(Sound::Capture),
            Fact::Played { play, .. } if play.killed != [0; 4] => Some(Sound::Capture),
            Fact::Played { .. } => Some(Sound::Step),
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

/// Every seat has its pieces, and none is off before all are home.
fn missing(game: &Thaayam) -> Option<String> {
    let now = game.position_now();
    let again = Position::read(*now.options(), &now.write());
    let seats = (0..now.seats()).map(Seat);
    let whole = |seat| again.is_some_and(|again| again.side(seat) == now.side(seat));
    let mut lost = seats.filter(|seat| !whole(*seat));
    lost.next().map(|seat| format!("the pieces of seat {} are {}", seat.0 + 1, now.write()))
}

/// Its name in the list of games.
pub const ID: GameId = GameId::of(&PACK);

fn print(text: &str, options: Option<&Options>) -> Result<String, RecordError<Cause>> {
    record::replay_text(text, options).map_err(RecordError::of_any_game)
}

/// A replay shows every series of throws when it is played; those that played themselves and
/// killed nobody in passing.
fn frames(view: &View, facts: &[Fact]) -> Vec<(View, Pace)> {
    let over = facts.iter().any(|it| matches!(it, Fact::Passed { .. } | Fact::Finished { .. }));
    let Some(told) = view.told.last().filter(|told| over && told.ended) else { return Vec::new() };
    let decided = view.decided_last == told.number;
    let calm = told.killed() == [0; 4] && told.place.is_none();
    let pace = if decided || !calm { Pace::Move } else { Pace::Quick };
    // The ways of earlier turns were shown before.
    vec![(View { told: vec![told.clone()], decided: told.number, ..view.clone() }, pace)]
}

/// How many squares the pieces of a seat have gone on their way home; the goal is all of it.
fn standing(view: &View) -> Standing {
    let options = view.position.options();
    let end = if options.ends_in_fortress { FORTRESS } else { OFF };
    let gone = |seat: Seat| -> i32 {
        let pieces = view.position.side(seat).steps().iter().take(usize::from(options.pieces));
        pieces.map(|step| i32::from((*step).min(end)) + 1).sum()
    };
    let line = |seat: Seat| {
        let (mark, ink) = scene::LINES[view.colour(seat).index()];
        StandingLine { seats: vec![seat.0], mark, ink, value: gone(seat) }
    };
    let goal = i32::from(options.pieces) * (i32::from(end) + 1);
    Standing { lines: view.seats().map(line).collect(), goal: Some(goal) }
}

fn read(text: &str, options: Option<&Options>) -> Result<Recorded<Thaayam>, RecordError<Cause>> {
    let read = record::read_as(text, options).map_err(RecordError::of_any_game)?;
    let position = read.game.position();
    let start = Thaayam::start(position.options(), position.seats());
    let start = start.expect("what was read has begun");
    let step = |step: record::Step| match step {
        record::Step::Act(seat, action) => Step::Act(seat, action),
        record::Step::Chance(series) => Step::Chance(series),
    };
    let result = read.scores();
    let record::Replayed { names, steps, .. } = read;
    Ok(Recorded { start, names, steps: steps.into_iter().map(step).collect(), result })
}

fn amounts() -> Vec<(&'static str, u64)> {
    let names = ["games_of_two", "games_of_three", "games_of_four", "games_of_pairs"];
    let more = ["more_of_two", "more_of_three", "more_of_four", "more_of_pairs"];
    let Learn { games, more: again, .. } = Learn::default();
    names.into_iter().chain(more).zip(games.into_iter().chain(again).map(u64::from)).collect()
}

fn learn(seed: u64, amounts: &[u64], say: &mut dyn FnMut(&str)) -> Vec<u8> {
    let count = |n: usize| amounts.get(n).map_or(0, |it| u32::try_from(*it).unwrap_or(u32::MAX));
    let (games, more) = ([0, 1, 2, 3].map(count), [4, 5, 6, 7].map(count));
    engine::learn::learn(&Learn { seed, games, more }, say)
}

/// Whole results, two in a row, on the first page where there are few; single plays otherwise
/// and on the second page, a row for each throw.
fn panel(_view: &View, actions: &[Action], page: u8) -> Panel<Action> {
    let of = |wanted: fn(&Action) -> bool| -> Vec<Action> {
        actions.iter().copied().filter(wanted).collect()
    };
    let wholes = of(|it| matches!(it, Action::Whole(_)));
    let plays = of(|it| matches!(it, Action::Use { .. }));
    let rest = of(|it| matches!(it, Action::Throw | Action::Done));
    let undo = of(|it| matches!(it, Action::Undo));
    let mut rows: Vec<Vec<Action>> = if wholes.is_empty() || page > 0 {
        let same = |a: &Action, b: &Action| throw_of(a) == throw_of(b);
        plays.chunk_by(same).map(<[Action]>::to_vec).collect()
    } else {
        let wide = if wholes.len() > 6 { 3 } else { 2 };
        wholes.chunks(wide).map(<[Action]>::to_vec).collect()
    };
    if !rest.is_empty() {
        rows.push(rest);
    }
    let is_full = plays.is_empty() || rows.len() > 3;
    match rows.last_mut() {
        Some(row) if is_full => row.extend(undo),
        _ if undo.is_empty() => {}
        _ => rows.push(undo),
    }
    Panel { rows, pages: if wholes.is_empty() { 1 } else { 2 } }
}

fn throw_of(action: &Action) -> Option<u8> {
    match action {
        Action::Use { throw, .. } => Some(*throw),
        Action::Throw | Action::Whole(_) | Action::Undo | Action::Done => None,
    }
}

fn written(heading: &Heading, options: &Options, seats: u8, steps: &[Step<Thaayam>]) -> String {
    let step = |step: &Step<Thaayam>| match step {
        Step::Act(seat, action) => record::Step::Act(*seat, *action),
        Step::Chance(series) => record::Step::Chance(series.clone()),
    };
    let steps: Vec<record::Step> = steps.iter().map(step).collect();
    let names = (0..usize::from(seats)).map(|at| heading.names.get(at).map_or("?", String::as_str));
    let names: Vec<&str> = names.collect();
    let headers: Headers = &[("Game", "Thaayam"), ("Site", &heading.site), ("Date", &heading.date)];
    record::write(headers, &names, options, &steps, heading.result.as_deref())
}
