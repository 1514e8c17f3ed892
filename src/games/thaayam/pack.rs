//! Thaayam for tables.

use super::options::SWITCHES as NAMES;
use super::record::{self, Headers};
use super::{Action, Options, Thaayam, View, caption, scene, simple, tell};
use crate::games::{Heading, Info, Pack, Panel, Sheet, Step, Switch, no_hand};
use crate::rules::Rules;

/// What lobbies and menus need to know.
pub static INFO: Info = Info {
    code: "thaayam",
    command: "thaayam",
    seats: (2, 4),
    switches: &SWITCHES,
    lessons: super::lesson::LESSONS,
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
    scene: scene::scene_seen_from,
    caption: caption::caption,
    board_text: caption::board_text,
    refuse: caption::refuse,
    label: tell::label,
    panel,
    hand: no_hand,
    simple: simple::choose,
    sheets: &[
        Sheet { name: "turns", text: caption::turns },
        Sheet { name: "odds", text: caption::odds },
    ],
    record,
};

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

fn record(heading: &Heading, options: &Options, seats: u8, steps: &[Step<Thaayam>]) -> String {
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
