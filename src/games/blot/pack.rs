//! Blot for tables.

use super::engine::learn::Settings;
use super::options::CHOICES;
use super::record::{self, Step};
use super::view::Stage;
use super::{Action, Blot, Fact, Options, Summary, Trick, View};
use super::{
    advice, caption, duel, engine, hand, laid, lesson, panel, scene, seat_notation, sheet,
};
use crate::arena::{Duel, Measure};
use crate::rules::{Node, RecordError, Rules, Seat};
use crate::scene::Scene;
use crate::study::{Cause, Given};
use crate::words::Arg;
use crate::{Arena, Course, GameId, Heading, Info, Learning, Pace, Pack, Panel, Recorded};
use crate::{Sheet, Sound, Standing, StandingLine, Study, Switch, Table, no_sketch};

/// What lobbies and menus need to know.
pub static INFO: Info = Info {
    code: "blot",
    command: "blot",
    seats: (4, 4),
    switches: &SWITCHES,
    revision: Blot::REVISION,
    hidden: true,
    partners: true,
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

/// The game with those who show it and tell of it.
pub static PACK: Pack<Blot> = Pack {
    info: &INFO,
    table: Table {
        scene: picture,
        caption: caption::caption,
        done: caption::done,
        board_text: caption::text_board,
        sketch: no_sketch,
        refuse: caption::refuse,
        reason: caption::reason,
        label,
        panel: buttons,
        spots: hand::spots,
        would: caption::would,
        hand: panel::hand,
        partners: |_| true,
        number: |_| None,
        sheets: &[
            Sheet { name: "score", text: sheet::score },
            Sheet { name: "last", text: sheet::last },
            Sheet { name: "bids", text: sheet::bids },
        ],
        lay_open: laid::lay_open,
    },
    arena: Arena {
        player: engine::player,
        opponents: engine::PLAYERS,
        a_second: 400_000,
        learning: Learning { amounts, learn },
        duel: Duel {
            opening: 0,
            rounds: true,
            measures: &[
                Measure { name: "match points more than the others", by_seat: duel::match_points },
                Measure { name: "card points over 81", by_seat: duel::card_points },
            ],
            script: Some(duel::auction),
        },
    },
    study: Study {
        given: Given::View(seen),
        position: seat_notation::write,
        record: written,
        read,
        print,
        count: None,
        frames,
        standing,
        counts: |fact| matches!(fact, Fact::Scored(_)),
        lays_open: |fact| matches!(fact, Fact::Scored(_) | Fact::ThrownIn),
        sound: |fact| match fact {
            Fact::Dealt { .. } => Some(Sound::Deal),
            Fact::Took(_) => Some(Sound::Capture),
            Fact::Put { .. } | Fact::Called { .. } => Some(Sound::Step),
            _ => None,
        },
        missing: Blot::missing,
    },
    course: Course {
        pages: lesson::PAGES,
        parts: lesson::PARTS,
        page: lesson::page,
        touched: scene::touched,
        advice: advice::advice,
    },
};

/// Its name in the list of games.
pub const ID: GameId = GameId::of(&PACK);

fn print(text: &str, options: Option<&Options>) -> Result<String, RecordError<Cause>> {
    record::replay_text(text, options.copied()).map_err(RecordError::of_any_game)
}

fn seen(options: &Options, text: &str, moves: &[&str]) -> Result<(View, Vec<Action>, Seat), Cause> {
    let (view, actions) = seat_notation::read(options, text, moves)?;
    let seat = view.own.as_ref().map_or(Seat(0), |own| own.seat);
    Ok((view, actions, seat))
}

fn amounts() -> Vec<(&'static str, u64)> {
    let Settings { deals, worlds, auctions, lessons, rounds, .. } = Settings::shipped(0);
    let names = ["deals", "worlds", "auctions", "lessons", "rounds"];
    names.into_iter().zip([deals, worlds, auctions, lessons, rounds].map(|it| it as u64)).collect()
}

fn learn(seed: u64, amounts: &[u64], say: &mut dyn FnMut(&str)) -> Vec<u8> {
    let count = |it: &u64| usize::try_from(*it).unwrap_or(usize::MAX);
    let [deals, worlds, auctions, lessons, rounds] =
        amounts.iter().map(count).collect::<Vec<_>>()[..]
    else {
        return Vec::new();
    };
    engine::learn::learn(&Settings { seed, deals, worlds, auctions, lessons, rounds }, say)
}

/// A replay shows the end of each auction, every trick with all four cards, and what each round
/// brought. To a player it shows each own decision instead of the tricks.
fn frames(view: &View, facts: &[Fact]) -> Vec<(View, Pace)> {
    let mut frames = Vec::new();
    let scored = facts.iter().find_map(|fact| match fact {
        Fact::Scored(summary) => Some(summary),
        _ => None,
    });
    for fact in facts {
        match fact {
            Fact::Took(trick) if view.own.is_none() => {
                frames.push((with_trick(view, trick, scored), Pace::Slow));
            }
            Fact::Decided(_) | Fact::Scored(_) | Fact::ThrownIn => {
                frames.push((view.clone(), Pace::Slow));
            }
            Fact::Took(_)
            | Fact::Dealt { .. }
            | Fact::Called { .. }
            | Fact::Announced { .. }
            | Fact::Shown { .. }
            | Fact::Put { .. }
            | Fact::Blot { .. }
            | Fact::Won { .. } => {}
        }
    }
    let own_turn = view.own.as_ref().is_some_and(|own| view.turn == Some(own.seat));
    if frames.is_empty() && own_turn {
        frames.push((view.clone(), Pace::Move));
    }
    frames
}

/// The table with a trick that was just taken away. After the last one of a round, its score
/// already stands in the view: here it is not yet written down.
fn with_trick(view: &View, trick: &Trick, scored: Option<&Summary>) -> View {
    let seats = (0..4).map(|n| Seat((trick.leader + n) & 3));
    let mut view = View {
        stage: Stage::Play,
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
fn standing(view: &View) -> Standing {
    let line = |(side, (mark, ink)): (u8, (&'static str, &'static str))| {
        let value = i32::from(view.totals[usize::from(side)]);
        StandingLine { seats: vec![side, side + 2], mark, ink, value }
    };
    let goal = Some(i32::from(view.options.house().target));
    Standing { lines: (0..).zip(scene::SIDES).map(line).collect(), goal }
}

fn read(text: &str, options: Option<&Options>) -> Result<Recorded<Blot>, RecordError<Cause>> {
    let read = record::read(text, options.copied()).map_err(RecordError::of_any_game)?;
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
    let step = |step: Step| match step {
        Step::Act(seat, action) => crate::Step::Act(seat, action),
        Step::Chance(deal) => crate::Step::Chance(deal),
    };
    let steps = read.steps.into_iter().map(step).collect();
    Ok(Recorded { start, names: names.to_vec(), steps, result })
}

/// The table for everybody; for a seat, its hand, in which the others sit around it.
fn picture(view: &View, names: &[String], result: Option<&[i32]>, below: Seat) -> Scene {
    match view.own {
        Some(_) => hand::scene(view, names),
        None => scene::scene_seen_from(view, names, result, below),
    }
}

fn label(_view: &View, action: &Action) -> Arg {
    caption::label(action)
}

fn buttons(_view: &View, actions: &[Action], page: u8) -> Panel<Action> {
    let (rows, pages) = panel::panel(actions, page);
    Panel { rows, pages }
}

fn written(heading: &Heading, options: &Options, _: u8, steps: &[crate::Step<Blot>]) -> String {
    let steps: Vec<Step> = steps
        .iter()
        .map(|step| match step {
            crate::Step::Act(seat, action) => Step::Act(*seat, *action),
            crate::Step::Chance(deal) => Step::Chance(*deal),
        })
        .collect();
    let headers: record::Headers =
        &[("Game", "Blot"), ("Site", &heading.site), ("Date", &heading.date)];
    let names: Vec<&str> = heading.names.iter().map(String::as_str).collect();
    record::write(headers, &names, options, &steps, heading.result.as_deref())
}
