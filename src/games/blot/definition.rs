//! The definition of Blot for tables, records and matches between computers.

use super::engine::learn::BlotLearnSettings;
use super::options::CHOICES;
use super::record::{self, BlotRecordStep};
use super::view::BlotStage;
use super::{Blot, BlotAction, BlotFact, BlotOptions, BlotView, Summary, Trick};
use super::{
    advice, benchmark, caption, course, duel, engine, hand_scene, panel, revealed_deal, scene,
    seat_notation, sheet, statistics,
};
use crate::arena::{DuelDefinition, DuelMeasure};
use crate::records::{GameError, PositionFormat};
use crate::rules::{Node, RecordError, Rules, Seat};
use crate::scene::Scene;
use crate::text::Arg;
use crate::{
    ArenaFunctions, ButtonPanel, Course, FramePace, GameDefinition, GameId, GameInfo, Learning,
    RecordHeading, RecordedMatch, SeatLimits,
};
use crate::{
    ChartLine, ChartSample, InfoSheet, RecordFunctions, StepSound, Switch, TableFunctions,
    no_paths, no_sketch,
};

/// Data for lobbies and menus.
pub static INFO: GameInfo = GameInfo {
    code: "blot",
    command: "blot",
    seats: SeatLimits::exactly(4),
    switches: &SWITCHES,
    revision: Blot::REVISION,
    has_chance: true,
    hidden: true,
    partners: true,
    reviewer: "master",
};

static SWITCHES: [Switch; CHOICES.len()] = switches();

const fn switches() -> [Switch; CHOICES.len()] {
    let mut switches = [Switch { name: "", values: &[] }; CHOICES.len()];
    let mut at = 0;
    while at < CHOICES.len() {
        switches[at] = Switch { name: CHOICES[at].0, values: CHOICES[at].1 };
        at += 1;
    }
    switches
}

/// The definition of Blot.
pub static DEFINITION: GameDefinition<Blot> = GameDefinition {
    info: &INFO,
    table: TableFunctions {
        scene: picture,
        caption: caption::caption,
        describe_action: caption::done,
        board_text: caption::text_board,
        sketch: no_sketch,
        explain_refusal: caption::refuse,
        refusal_key: caption::reason,
        label,
        panel: buttons,
        spots: hand_scene::spots,
        paths: no_paths,
        preview: caption::would,
        hand: panel::hand,
        has_partners: |_| true,
        turn_number: |_| None,
        move_number: Blot::move_number,
        place: |_, _| None,
        upright: None,
        round_points: caption::round_points,
        last_round: caption::last_round,
        sheets: &[
            InfoSheet { name: "score", text: sheet::score },
            InfoSheet { name: "last", text: sheet::last },
            InfoSheet { name: "bids", text: sheet::bids },
        ],
        reveal_deal: revealed_deal::reveal_deal,
    },
    arena: ArenaFunctions {
        player: engine::player,
        opponents: engine::PLAYERS,
        nodes_per_second: 400_000,
        ratings: include_str!("computer_ratings.txt"),
        play_quality: include_str!("play_quality.txt"),
        learning: Learning { amounts, learn },
        solving: None,
        duel: DuelDefinition {
            opening: 0,
            single_rounds: true,
            measures: &[
                DuelMeasure {
                    name: "match points more than the others",
                    by_seat: duel::match_points,
                },
                DuelMeasure { name: benchmark::CARD_POINTS, by_seat: duel::card_points },
            ],
            script: Some(duel::auction),
        },
        benchmark: Some(benchmark::BENCHMARK),
    },
    record: RecordFunctions {
        position_format: PositionFormat::View(seen),
        position: seat_notation::write,
        write_record,
        read_record: read,
        print_record: print,
        count_moves: None,
        replay_frames: frames,
        chart_sample,
        ends_chart_step: |fact| matches!(fact, BlotFact::Scored(_)),
        ends_deal: |fact| matches!(fact, BlotFact::Scored(_) | BlotFact::ThrownIn),
        sound: |fact| match fact {
            BlotFact::Dealt { .. } => Some(StepSound::Deal),
            BlotFact::Took(_) => Some(StepSound::Capture),
            BlotFact::Put { .. } | BlotFact::Called { .. } => Some(StepSound::Step),
            _ => None,
        },
        check_invariants: Blot::check_invariants,
    },
    statistics: statistics::STATISTICS,
    course: Course {
        pages: course::PAGES,
        parts: course::PARTS,
        seats: 4,
        page: course::page,
        answer_area: scene::answer_area,
        reaches_goal: |_, _| None,
        advice: advice::advice,
    },
    setup: None,
};

/// Its handle in the list of games.
pub const ID: GameId = GameId::of(&DEFINITION);

fn print(text: &str, options: Option<&BlotOptions>) -> Result<String, RecordError<GameError>> {
    record::replay_text(text, options.copied()).map_err(RecordError::into_game_error)
}

fn seen(
    options: &BlotOptions,
    text: &str,
    moves: &[&str],
) -> Result<(BlotView, Vec<BlotAction>, Seat), GameError> {
    let (view, actions) = seat_notation::read(options, text, moves)?;
    let seat = view.own.as_ref().map_or(Seat(0), |own| own.seat);
    Ok((view, actions, seat))
}

fn amounts() -> Vec<(&'static str, u64)> {
    let BlotLearnSettings { deals, worlds, auctions, lessons, rounds, card_deals, .. } =
        BlotLearnSettings::shipped(0);
    let names = ["deals", "worlds", "auctions", "lessons", "rounds", "card_deals"];
    let amounts = [deals, worlds, auctions, lessons, rounds, card_deals];
    names.into_iter().zip(amounts.map(|it| it as u64)).collect()
}

fn learn(seed: u64, amounts: &[u64], report: &mut dyn FnMut(&str)) -> Vec<u8> {
    let count = |it: &u64| usize::try_from(*it).unwrap_or(usize::MAX);
    let [deals, worlds, auctions, lessons, rounds, card_deals] =
        amounts.iter().map(count).collect::<Vec<_>>()[..]
    else {
        return Vec::new();
    };
    engine::learn::learn(
        &BlotLearnSettings { seed, deals, worlds, auctions, lessons, rounds, card_deals },
        report,
    )
}

/// Shows in a replay the end of each auction, every trick with all four cards, and the result of
/// each round. A player sees each own decision instead of the tricks.
fn frames(view: &BlotView, facts: &[BlotFact]) -> Vec<(BlotView, FramePace)> {
    let mut frames = Vec::new();
    let scored = facts.iter().find_map(|fact| match fact {
        BlotFact::Scored(summary) => Some(summary),
        _ => None,
    });
    for fact in facts {
        match fact {
            BlotFact::Took(trick) if view.own.is_none() => {
                frames.push((with_trick(view, trick, scored), FramePace::Slow));
            }
            BlotFact::Decided(_) | BlotFact::Scored(_) | BlotFact::ThrownIn => {
                frames.push((view.clone(), FramePace::Slow));
            }
            BlotFact::Took(_)
            | BlotFact::Dealt { .. }
            | BlotFact::Called { .. }
            | BlotFact::Announced { .. }
            | BlotFact::Shown { .. }
            | BlotFact::Put { .. }
            | BlotFact::Blot { .. }
            | BlotFact::Won { .. } => {}
        }
    }
    let own_turn = view.own.as_ref().is_some_and(|own| view.turn == Some(own.seat));
    if frames.is_empty() && own_turn {
        frames.push((view.clone(), FramePace::Move));
    }
    frames
}

/// The table with a trick that was just taken away. After the last trick of a round the view
/// already has its score; here it is not yet on the sheet.
fn with_trick(view: &BlotView, trick: &Trick, scored: Option<&Summary>) -> BlotView {
    let seats = (0..4).map(|n| Seat((trick.leader + n) & 3));
    let mut view = BlotView {
        stage: BlotStage::Play,
        table: seats.zip(trick.cards).collect(),
        holding: Some(Seat(trick.winner)),
        turn: None,
        ..view.clone()
    };
    if let Some(Summary { played, score, totals }) = scored {
        view.contract = Some(played.contract);
        view.taken = played.tricks;
        view.totals = [0, 1].map(|side| totals[side] - score.points[side]);
        view.dealer = view.dealer.map(|next| Seat((next.0 + 3) & 3));
    }
    view
}

/// Points of both sides in the match.
fn chart_sample(view: &BlotView) -> ChartSample {
    let line = |(side, (mark, ink)): (u8, (&'static str, &'static str))| {
        let value = i32::from(view.totals[usize::from(side)]);
        ChartLine { seats: vec![side, side + 2], mark, ink, value }
    };
    let goal = Some(i32::from(view.options.house().target));
    ChartSample { lines: (0..).zip(scene::SIDES).map(line).collect(), goal }
}

fn read(
    text: &str,
    options: Option<&BlotOptions>,
) -> Result<RecordedMatch<Blot>, RecordError<GameError>> {
    let read = record::read(text, options.copied()).map_err(RecordError::into_game_error)?;
    let header = |name: &str| read.headers.iter().find(|it| it.0 == name).map(|it| it.1.clone());
    let names = ["A", "B", "C", "D"].map(|name| header(name).unwrap_or_default());
    let stated = header("Result").unwrap_or_default();
    let result = match (read.game.node(), stated.split(' ').next()) {
        (Node::Over(_), _) => None,
        (_, Some("A+C")) => Some(vec![1, 0, 1, 0]),
        (_, Some("B+D")) => Some(vec![0, 1, 0, 1]),
        (_, Some("=")) => Some(vec![0; 4]),
        _ => None,
    };
    let start = Blot::start(&read.options, 4).expect("what was read is played by four");
    let step = |step: BlotRecordStep| match step {
        BlotRecordStep::Act(seat, action) => crate::GameStep::Act(seat, action),
        BlotRecordStep::Chance(deal) => crate::GameStep::Chance(deal),
    };
    let steps = read.steps.into_iter().map(step).collect();
    Ok(RecordedMatch { start, names: names.to_vec(), steps, result })
}

/// The public table, or the hand of a seat with the others around it.
fn picture(view: &BlotView, names: &[String], result: Option<&[i32]>, bottom_seat: Seat) -> Scene {
    match view.own {
        Some(_) => hand_scene::scene(view, names),
        None => scene::scene_seen_from(view, names, result, bottom_seat),
    }
}

fn label(_view: &BlotView, action: &BlotAction) -> Arg {
    caption::label(action)
}

fn buttons(_view: &BlotView, actions: &[BlotAction], page: u8) -> ButtonPanel<BlotAction> {
    let (rows, pages) = panel::panel(actions, page);
    ButtonPanel { rows, pages }
}

fn write_record(
    heading: &RecordHeading,
    options: &BlotOptions,
    _: u8,
    steps: &[crate::GameStep<Blot>],
) -> String {
    let steps: Vec<BlotRecordStep> = steps
        .iter()
        .map(|step| match step {
            crate::GameStep::Act(seat, action) => BlotRecordStep::Act(*seat, *action),
            crate::GameStep::Chance(deal) => BlotRecordStep::Chance(*deal),
        })
        .collect();
    let headers: record::BlotHeaders =
        &[("Game", "Blot"), ("Site", &heading.site), ("Date", &heading.date)];
    let names: Vec<&str> = heading.names.iter().map(String::as_str).collect();
    record::write(headers, &names, options, &steps, heading.result.as_deref())
}
