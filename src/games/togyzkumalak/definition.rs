//! The definition of Togyzkumalak for tables, records and matches between computers.

use super::engine::learn::TogyzkumalakLearnSettings;
use super::notation::reader::StatedResult;
use super::notation::{self, read_games, read_position, replay, write_position};
use super::notation::{Form, TogyzkumalakHeaders, TogyzkumalakRecordFault};
use super::rules::TogyzkumalakFact;
use super::{Sow, Togyzkumalak, TogyzkumalakEnd, TogyzkumalakPosition, TogyzkumalakView, Variant};
use super::{
    advice, caption, course, engine, record_commands, scene, setup, statistics, text_board, upright,
};
use crate::arena::DuelDefinition;
use crate::benchmark::{self, Benchmark, PositionPlan};
use crate::records::{GameError, PositionFormat};
use crate::rules::{Node, RecordError, Rules, Seat};
use crate::search::{ComputerLevel, ThinkBudget};
use crate::text::Arg;
use crate::{
    ArenaFunctions, ChartSample, Course, FramePace, GameDefinition, GameId, GameInfo, Learning,
    RecordHeading, RecordedMatch, SeatLimits,
};
use crate::{
    ChartLine, GameStep, RecordFunctions, StepSound, Switch, TableFunctions, UprightLayout,
    no_hand, no_paths, no_revealed_deal, no_round_points, no_rounds, panel_in_rows,
};

/// Data for lobbies and menus.
pub static INFO: GameInfo = GameInfo {
    code: "togyzkumalak",
    command: "togyz",
    seats: SeatLimits::exactly(2),
    switches: &[Switch { name: "ending", values: &["seed", "short"] }],
    revision: Togyzkumalak::REVISION,
    has_chance: false,
    hidden: false,
    partners: false,
    reviewer: engine::REVIEWER,
};

/// The definition of Togyzkumalak.
pub static DEFINITION: GameDefinition<Togyzkumalak> = GameDefinition {
    info: &INFO,
    table: TableFunctions {
        scene,
        caption: caption::caption,
        describe_action: caption::done,
        board_text: caption::text_board,
        sketch: text_board::sketch,
        explain_refusal: caption::refuse,
        refusal_key: caption::reason,
        label,
        panel: panel_in_rows,
        spots: scene::spots,
        paths: no_paths,
        preview: caption::would,
        hand: no_hand,
        has_partners: |_| false,
        turn_number: |_| None,
        move_number: |_| None,
        place: |_, _| None,
        upright: Some(UprightLayout { scene: upright::upright_scene, area: upright::upright_area }),
        round_points: no_round_points,
        last_round: no_rounds,
        sheets: &[],
        reveal_deal: no_revealed_deal,
    },
    arena: ArenaFunctions {
        player: engine::player,
        opponents: engine::PLAYERS,
        nodes_per_second: 3_000_000,
        ratings: include_str!("computer_ratings.txt"),
        play_quality: "",
        learning: Learning { amounts, learn },
        solving: None,
        duel: DuelDefinition::without_measures(6),
        benchmark: Some(BENCHMARK),
    },
    record: RecordFunctions {
        position_format: PositionFormat::Position(placed),
        position,
        write_record,
        read_record: read,
        print_record: print,
        count_moves: Some(|options, position, depth| {
            record_commands::perft(position, depth, *options).map_err(GameError::from)
        }),
        replay_frames: frames,
        chart_sample,
        ends_chart_step: |fact| matches!(fact, TogyzkumalakFact::Sown { .. }),
        ends_deal: |_| false,
        sound: |fact| match fact {
            TogyzkumalakFact::Captured { .. } | TogyzkumalakFact::Tuzdyk { .. } => {
                Some(StepSound::Capture)
            }
            TogyzkumalakFact::Sown { .. } => Some(StepSound::Step),
            _ => None,
        },
        check_invariants,
    },
    statistics: statistics::STATISTICS,
    course: Course {
        pages: course::PAGES,
        parts: &[],
        seats: 2,
        page: course::page,
        answer_area: scene::answer_area,
        reaches_goal: course::reaches_goal,
        advice: advice::advice,
    },
    setup: Some(setup::SETUP),
};

/// Checks that all stones are on the board or in the kazans, and that tuzdyks are in possible pits.
fn check_invariants(game: &Togyzkumalak) -> Option<String> {
    let it = game.position();
    let again = TogyzkumalakPosition::new(
        it.pits(),
        it.kazans(),
        it.tuzdyks(),
        it.side(),
        false,
        it.variant(),
    );
    again.err().map(|error| error.to_string())
}

fn position(view: &TogyzkumalakView) -> Option<String> {
    let position = TogyzkumalakPosition::try_from(view).ok()?;
    Some(write_position(&position, view.plies))
}

/// Its handle in the list of games.
pub const ID: GameId = GameId::of(&DEFINITION);

/// Test positions for other programs.
const BENCHMARK: Benchmark = Benchmark {
    file: include_str!("benchmark.txt"),
    write: |count| {
        let plan = PositionPlan {
            player: ComputerLevel::Master,
            budget: ThinkBudget::OF_LEVEL.nodes(30_000),
            budget_text: "30,000 positions",
        };
        benchmark::write_positions(ID, &plan, count)
    },
    read: |line| benchmark::read_position(ID, line),
};

fn print(text: &str, options: Option<&Variant>) -> Result<String, RecordError<GameError>> {
    record_commands::replay_text(text, options.copied()).map_err(RecordError::into_game_error)
}

/// Shows every move in a replay.
fn frames(
    view: &TogyzkumalakView,
    facts: &[TogyzkumalakFact],
) -> Vec<(TogyzkumalakView, FramePace)> {
    let sown = facts.iter().any(|it| matches!(it, TogyzkumalakFact::Sown { .. }));
    sown.then(|| (view.clone(), FramePace::Move)).into_iter().collect()
}

/// The stones in the kazans for the chart; more than half of all wins (rule R13).
fn chart_sample(view: &TogyzkumalakView) -> ChartSample {
    let sides = [("togyz-mark-0", "line-3"), ("togyz-mark-1", "line-2")];
    let line = |(seat, (mark, ink)): (u8, (&'static str, &'static str))| {
        let value = i32::from(view.kazans[usize::from(seat)]);
        ChartLine { seats: vec![seat], mark, ink, value }
    };
    ChartSample { lines: (0..).zip(sides).map(line).collect(), goal: Some(82) }
}

/// Reads the first game of a record in any known form.
fn read(
    text: &str,
    options: Option<&Variant>,
) -> Result<RecordedMatch<Togyzkumalak>, RecordError<GameError>> {
    let games = read_games(text).map_err(RecordError::into_game_error)?;
    let none = RecordError { line: 1, kind: TogyzkumalakRecordFault::NoGame };
    let game = games.first().ok_or_else(|| none.into_game_error())?;
    let replayed = replay(game, options.copied()).map_err(RecordError::into_game_error)?;
    let name = |header: &str| game.header(header).unwrap_or_default().to_owned();
    let won = |first: i32, second: i32| Some(vec![first, second]);
    let result = match replayed.stated.filter(|_| replayed.game.end().is_none()) {
        None | Some(StatedResult::Open) => None,
        Some(StatedResult::First) => won(1, 0),
        Some(StatedResult::Second) => won(0, 1),
        Some(StatedResult::Draw) => won(0, 0),
        Some(StatedResult::Score(first, second)) => won(first.into(), second.into()),
    };
    let step = |(sown, _): &(super::position::Sown, TogyzkumalakPosition)| {
        GameStep::Act(Seat(sown.side), Sow(sown.from))
    };
    Ok(RecordedMatch {
        start: Togyzkumalak::from_position(replayed.start),
        names: vec![name("White"), name("Black")],
        steps: replayed.moves.iter().map(step).collect(),
        result,
    })
}

fn placed(options: &Variant, _: u8, text: &str) -> Result<Togyzkumalak, GameError> {
    let (position, _) = read_position(text, *options)?;
    Ok(Togyzkumalak::from_position(position))
}

fn amounts() -> Vec<(&'static str, u64)> {
    let TogyzkumalakLearnSettings {
        generations,
        games,
        nodes,
        deep_generations,
        deep_games,
        deep_nodes,
        passes,
        trust,
        memory,
        threads,
        ..
    } = TogyzkumalakLearnSettings::STANDARD;
    vec![
        ("generations", generations.into()),
        ("games", games.into()),
        ("nodes", nodes),
        ("deep_generations", deep_generations.into()),
        ("deep_games", deep_games.into()),
        ("deep_nodes", deep_nodes),
        ("passes", passes.into()),
        ("trust", trust.into()),
        ("memory", memory as u64),
        ("threads", threads as u64),
    ]
}

fn learn(seed: u64, amounts: &[u64], report: &mut dyn FnMut(&str)) -> Vec<u8> {
    let [
        generations,
        games,
        nodes,
        deep_generations,
        deep_games,
        deep_nodes,
        passes,
        trust,
        memory,
        threads,
    ] = *amounts
    else {
        return Vec::new();
    };
    let number = |it: u64| u32::try_from(it).unwrap_or(u32::MAX);
    let count = |it: u64| usize::try_from(it).unwrap_or(usize::MAX);
    let settings = TogyzkumalakLearnSettings {
        seed,
        generations: number(generations),
        games: number(games),
        nodes,
        deep_generations: number(deep_generations),
        deep_games: number(deep_games),
        deep_nodes,
        passes: number(passes),
        trust: number(trust),
        memory: count(memory),
        threads: count(threads).max(1),
    };
    engine::learn::learn(&settings, None, report, &mut |_| {})
}

fn label(view: &TogyzkumalakView, action: &Sow) -> Arg {
    Arg::Plain(caption::label(view, action))
}

fn scene(
    view: &TogyzkumalakView,
    names: &[String],
    result: Option<&[i32]>,
    bottom_seat: Seat,
) -> crate::scene::Scene {
    let name = |seat: usize| names.get(seat).map_or("", String::as_str);
    let ended = match result.and_then(outcome_of) {
        None | Some(StatedResult::Open | StatedResult::Score(..)) => None,
        Some(StatedResult::First) => Some(scene::SceneOutcome::Won(Seat(0))),
        Some(StatedResult::Second) => Some(scene::SceneOutcome::Won(Seat(1))),
        Some(StatedResult::Draw) => Some(scene::SceneOutcome::Drawn),
    };
    scene::scene_seen_from(view, [name(0), name(1)], ended, bottom_seat)
}

/// Writes the record in the form of online servers: headers, moves, kazans after captures.
fn write_record(
    heading: &RecordHeading,
    options: &Variant,
    _: u8,
    steps: &[GameStep<Togyzkumalak>],
) -> String {
    let sow = |step: &GameStep<Togyzkumalak>| match step {
        GameStep::Act(_, sow) => *sow,
        GameStep::Chance(never) => match *never {},
    };
    let actions: &[Sow] = &steps.iter().map(sow).collect::<Vec<_>>();
    let name = |seat: usize| heading.names.get(seat).map_or("?", String::as_str);
    let headers: &TogyzkumalakHeaders = &[
        ("Event", "Togyzkumalak"),
        ("Site", &heading.site),
        ("Date", &heading.date),
        ("White", name(0)),
        ("Black", name(1)),
    ];
    let start = TogyzkumalakPosition::start(*options);
    let outcome = heading.result.as_deref().and_then(outcome_of);
    let outcome = outcome.or_else(|| repeated(*options, actions).then_some(StatedResult::Draw));
    let legal =
        |moves: &[Sow]| notation::write_record(Form::PlayOk, headers, &start, moves, outcome);
    // A log holds only legal moves; at any other move the record ends.
    legal(actions).or_else(|wrong| legal(&actions[..wrong - 1])).unwrap_or_default()
}

fn outcome_of(scores: &[i32]) -> Option<StatedResult> {
    let [first, second] = *scores else { return None };
    Some(match first.cmp(&second) {
        std::cmp::Ordering::Greater => StatedResult::First,
        std::cmp::Ordering::Less => StatedResult::Second,
        std::cmp::Ordering::Equal => StatedResult::Draw,
    })
}

/// Whether these moves end in a draw by repetition, which the board alone does not show.
fn repeated(options: Variant, actions: &[Sow]) -> bool {
    let mut game = Togyzkumalak::from_position(TogyzkumalakPosition::start(options));
    let mut facts = Vec::new();
    for action in actions {
        let Node::Act(seat) = game.node() else { break };
        facts.clear();
        if game.apply_action(seat, action, &mut facts).is_err() {
            break;
        }
    }
    game.end() == Some(TogyzkumalakEnd::Repetition)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extra_stone_violates_the_invariants() {
        let mut position = TogyzkumalakPosition::start(Variant::Seed);
        assert_eq!(check_invariants(&Togyzkumalak::from_position(position)), None);
        position.kazans[0] += 1;
        let violation =
            check_invariants(&Togyzkumalak::from_position(position)).unwrap_or_default();
        assert!(violation.contains("163 stones"), "{violation}");
    }
}
