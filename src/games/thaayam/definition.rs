//! The definition of Thaayam for tables, records and matches between computers.

use super::board::{FORTRESS, OFF};
use super::engine::learn::ThaayamLearnSettings;
use super::fact::ThaayamFact;
use super::options::SWITCHES as NAMES;
use super::record::{self, ThaayamHeaders};
use super::{
    Thaayam, ThaayamAction, ThaayamOptions, ThaayamPosition, ThaayamView, advice, caption, course,
    engine, position_notation, scene, setup, statistics, text_board, upright_scene, wording,
};
use crate::arena::DuelDefinition;
use crate::benchmark::{self, Benchmark, PositionPlan};
use crate::records::{GameError, PositionFormat};
use crate::rules::{RecordError, Rules, Seat};
use crate::search::{ComputerLevel, ThinkBudget};
use crate::solving::Solving;
use crate::{
    ArenaFunctions, ButtonPanel, Course, FramePace, GameDefinition, GameId, GameInfo, InfoSheet,
    Learning, RecordHeading, RecordedMatch, SeatLimits,
};
use crate::{
    ChartLine, ChartSample, GameStep, RecordFunctions, StepSound, Switch, TableFunctions,
    UprightLayout, no_hand, no_revealed_deal, no_round_points, no_rounds,
};

/// Data for lobbies and menus.
pub static INFO: GameInfo = GameInfo {
    code: "thaayam",
    command: "thaayam",
    seats: SeatLimits { fewest: 2, most: 4 },
    switches: &SWITCHES,
    revision: Thaayam::REVISION,
    has_chance: true,
    hidden: false,
    partners: false,
    reviewer: "master",
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

/// The definition of Thaayam.
pub static DEFINITION: GameDefinition<Thaayam> = GameDefinition {
    info: &INFO,
    table: TableFunctions {
        scene: scene::scene_seen_from,
        caption: caption::caption,
        describe_action: caption::describe_action,
        board_text: caption::board_text,
        sketch: text_board::sketch,
        explain_refusal: caption::explain_refusal,
        refusal_key: caption::refusal_key,
        label: wording::label,
        panel,
        spots: scene::spots,
        paths: scene::paths,
        preview: caption::preview,
        hand: no_hand,
        has_partners: |game| game.position().options().partners,
        turn_number: |game| Some(game.number()),
        move_number: |_| None,
        place: Thaayam::place_of,
        upright: Some(UprightLayout {
            scene: upright_scene::upright_scene,
            area: upright_scene::upright_area,
        }),
        round_points: no_round_points,
        last_round: no_rounds,
        sheets: &[
            InfoSheet { name: "turns", text: caption::turns },
            InfoSheet { name: "odds", text: caption::odds },
        ],
        reveal_deal: no_revealed_deal,
    },
    arena: ArenaFunctions {
        player: engine::player,
        opponents: engine::PLAYERS,
        nodes_per_second: 1_000_000,
        ratings: include_str!("computer_ratings.txt"),
        play_quality: "",
        learning: Learning { amounts, learn },
        solving: Some(Solving {
            amounts: engine::solver::amounts,
            prepare: engine::solver::prepare,
            player: engine::solved_player,
        }),
        duel: DuelDefinition::without_measures(0),
        benchmark: Some(BENCHMARK),
    },
    record: RecordFunctions {
        position_format: PositionFormat::Position(|options, seats, text| {
            position_notation::read(options, seats, text).map_err(GameError::from)
        }),
        position: position_notation::write,
        write_record,
        read_record: read,
        print_record: print,
        count_moves: None,
        replay_frames: frames,
        chart_sample,
        ends_chart_step: |fact| {
            matches!(fact, ThaayamFact::Passed { .. } | ThaayamFact::Finished { .. })
        },
        ends_deal: |_| false,
        sound: |fact| match fact {
            ThaayamFact::Thrown { .. } => Some(StepSound::Deal),
            ThaayamFact::KilledAtEnd { .. } => Some(StepSound::Capture),
            ThaayamFact::Played { play, .. } if play.killed != [0; 4] => Some(StepSound::Capture),
            ThaayamFact::Played { .. } => Some(StepSound::Step),
            _ => None,
        },
        check_invariants,
    },
    statistics: statistics::STATISTICS,
    course: Course {
        pages: course::PAGES,
        parts: &[],
        seats: 4,
        page: course::page,
        answer_area: scene::answer_area,
        reaches_goal: course::reaches_goal,
        advice: advice::advice,
    },
    setup: Some(setup::SETUP),
};

/// Checks that every seat has its pieces, and that none is off before all are home.
fn check_invariants(game: &Thaayam) -> Option<String> {
    let now = game.position_now();
    let again = ThaayamPosition::read(*now.options(), &now.write());
    let seats = (0..now.seats()).map(Seat);
    let is_valid = |seat| again.is_some_and(|again| again.side(seat) == now.side(seat));
    let mut invalid = seats.filter(|seat| !is_valid(*seat));
    invalid.next().map(|seat| format!("the pieces of seat {} are {}", seat.0 + 1, now.write()))
}

/// Its handle in the list of games.
pub const ID: GameId = GameId::of(&DEFINITION);

/// Test positions for other programs. Every action is valued over one further series of throws: a
/// deeper search would stop earlier after actions that leave one end of the turn.
const BENCHMARK: Benchmark = Benchmark {
    file: include_str!("benchmark.txt"),
    write: |count| {
        let plan = PositionPlan {
            player: ComputerLevel::Master,
            budget: ThinkBudget::OF_LEVEL.depth(2),
            budget_text: "a lookahead over the next series of throws",
        };
        benchmark::write_positions(ID, &plan, count)
    },
    read: |line| benchmark::read_position(ID, line),
};

fn print(text: &str, options: Option<&ThaayamOptions>) -> Result<String, RecordError<GameError>> {
    record::replay_text(text, options).map_err(RecordError::into_game_error)
}

/// Shows in a replay every series of throws when it is used; briefly those that were played
/// automatically and killed nothing.
fn frames(view: &ThaayamView, facts: &[ThaayamFact]) -> Vec<(ThaayamView, FramePace)> {
    let over = facts
        .iter()
        .any(|it| matches!(it, ThaayamFact::Passed { .. } | ThaayamFact::Finished { .. }));
    let Some(record) = view.recent_turns.last().filter(|record| over && record.ended) else {
        return Vec::new();
    };
    let decided = view.decided_last == record.number;
    let killed_nothing = record.killed() == [0; 4] && record.place.is_none();
    let pace = if decided || !killed_nothing { FramePace::Move } else { FramePace::Quick };
    // Earlier frames showed the ways of earlier turns.
    vec![(
        ThaayamView {
            recent_turns: vec![record.clone()],
            last_decision_turn: record.number,
            ..view.clone()
        },
        pace,
    )]
}

/// The squares that the pieces of a seat have moved towards home; the goal is the whole path.
fn chart_sample(view: &ThaayamView) -> ChartSample {
    let options = view.position.options();
    let end = if options.ends_in_fortress { FORTRESS } else { OFF };
    let progress = |seat: Seat| -> i32 {
        let pieces = view.position.side(seat).steps().iter().take(usize::from(options.pieces));
        pieces.map(|step| i32::from((*step).min(end)) + 1).sum()
    };
    let line = |seat: Seat| {
        let (mark, ink) = scene::LINES[view.colour(seat).index()];
        ChartLine { seats: vec![seat.0], mark, ink, value: progress(seat) }
    };
    let goal = i32::from(options.pieces) * (i32::from(end) + 1);
    ChartSample { lines: view.seats().map(line).collect(), goal: Some(goal) }
}

fn read(
    text: &str,
    options: Option<&ThaayamOptions>,
) -> Result<RecordedMatch<Thaayam>, RecordError<GameError>> {
    let read = record::read_as(text, options).map_err(RecordError::into_game_error)?;
    let position = read.game.position();
    let start = Thaayam::start(position.options(), position.seats());
    let start = start.expect("what was read has begun");
    let step = |step: record::ThaayamRecordStep| match step {
        record::ThaayamRecordStep::Act(seat, action) => GameStep::Act(seat, action),
        record::ThaayamRecordStep::Chance(series) => GameStep::Chance(series),
    };
    let result = read.scores();
    let record::ReplayedThaayamRecord { names, steps, .. } = read;
    Ok(RecordedMatch { start, names, steps: steps.into_iter().map(step).collect(), result })
}

fn amounts() -> Vec<(&'static str, u64)> {
    let names = ["games_of_two", "games_of_three", "games_of_four", "games_of_pairs"];
    let more = ["more_of_two", "more_of_three", "more_of_four", "more_of_pairs"];
    let ThaayamLearnSettings { games, more: again, .. } = ThaayamLearnSettings::default();
    names.into_iter().chain(more).zip(games.into_iter().chain(again).map(u64::from)).collect()
}

fn learn(seed: u64, amounts: &[u64], report: &mut dyn FnMut(&str)) -> Vec<u8> {
    let count = |n: usize| amounts.get(n).map_or(0, |it| u32::try_from(*it).unwrap_or(u32::MAX));
    let games = [0, 1, 2, 3].map(count);
    let more = [4, 5, 6, 7].map(count);
    engine::learn::learn(&ThaayamLearnSettings { seed, games, more }, report)
}

/// Whole results, two in a row, on the first page if there are few; otherwise, and on the second
/// page, single plays with a row for each throw.
fn panel(_view: &ThaayamView, actions: &[ThaayamAction], page: u8) -> ButtonPanel<ThaayamAction> {
    let of = |wanted: fn(&ThaayamAction) -> bool| -> Vec<ThaayamAction> {
        actions.iter().copied().filter(wanted).collect()
    };
    let wholes = of(|it| matches!(it, ThaayamAction::Whole(_)));
    let plays = of(|it| matches!(it, ThaayamAction::Use { .. }));
    let rest = of(|it| matches!(it, ThaayamAction::Throw | ThaayamAction::Done));
    let undo = of(|it| matches!(it, ThaayamAction::Undo));
    let mut rows: Vec<Vec<ThaayamAction>> = if wholes.is_empty() || page > 0 {
        let same = |a: &ThaayamAction, b: &ThaayamAction| throw_of(a) == throw_of(b);
        plays.chunk_by(same).map(<[ThaayamAction]>::to_vec).collect()
    } else {
        let wide = if wholes.len() > 6 { 3 } else { 2 };
        wholes.chunks(wide).map(<[ThaayamAction]>::to_vec).collect()
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
    ButtonPanel { rows, pages: if wholes.is_empty() { 1 } else { 2 } }
}

fn throw_of(action: &ThaayamAction) -> Option<u8> {
    match action {
        ThaayamAction::Use { throw, .. } => Some(*throw),
        ThaayamAction::Throw
        | ThaayamAction::Whole(_)
        | ThaayamAction::Undo
        | ThaayamAction::Done => None,
    }
}

fn write_record(
    heading: &RecordHeading,
    options: &ThaayamOptions,
    seats: u8,
    steps: &[GameStep<Thaayam>],
) -> String {
    let step = |step: &GameStep<Thaayam>| match step {
        GameStep::Act(seat, action) => record::ThaayamRecordStep::Act(*seat, *action),
        GameStep::Chance(series) => record::ThaayamRecordStep::Chance(series.clone()),
    };
    let steps: Vec<record::ThaayamRecordStep> = steps.iter().map(step).collect();
    let names = (0..usize::from(seats)).map(|at| heading.names.get(at).map_or("?", String::as_str));
    let names: Vec<&str> = names.collect();
    let headers: ThaayamHeaders =
        &[("Game", "Thaayam"), ("Site", &heading.site), ("Date", &heading.date)];
    record::write(headers, &names, options, &steps, heading.result.as_deref())
}
