//! Blot for tables.

use super::options::CHOICES;
use super::record::{self, Step};
use super::{Action, Blot, Options, View, caption, hand, panel, player, scene, sheet};
use crate::games::{self, Heading, Info, Pack, Panel, Sheet, Switch};
use crate::rules::{Entropy, Rules, Seat};
use crate::scene::Scene;
use crate::words::Arg;

/// What lobbies and menus need to know.
pub static INFO: Info = Info {
    code: "blot",
    command: "blot",
    seats: (4, 4),
    switches: &SWITCHES,
    lessons: super::lesson::LESSONS,
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
    scene: picture,
    caption: caption::caption,
    board_text: caption::text_board,
    refuse: caption::refuse,
    label,
    panel: buttons,
    hand: panel::hand,
    simple,
    sheets: &[
        Sheet { name: "score", text: sheet::score },
        Sheet { name: "last", text: sheet::last },
        Sheet { name: "bids", text: sheet::bids },
    ],
    record: written,
};

/// The table for everybody; for a seat, its hand, in which the others sit around it.
fn picture(view: &View, names: &[String], result: Option<&[i32]>, _below: Seat) -> Scene {
    match view.own {
        Some(_) => hand::scene(view, names),
        None => scene::scene(view, names, result),
    }
}

fn label(_view: &View, action: &Action) -> Arg {
    caption::label(action)
}

fn buttons(_view: &View, actions: &[Action], page: u8) -> Panel<Action> {
    let (rows, pages) = panel::panel(actions, page);
    Panel { rows, pages }
}

fn simple(view: &View, actions: &[Action], entropy: &mut dyn Entropy) -> Action {
    player::choose(view, actions, entropy)
}

fn written(heading: &Heading, options: &Options, _: u8, steps: &[games::Step<Blot>]) -> String {
    let steps: Vec<Step> = steps
        .iter()
        .map(|step| match step {
            games::Step::Act(seat, action) => Step::Act(*seat, *action),
            games::Step::Chance(deal) => Step::Chance(*deal),
        })
        .collect();
    let headers: record::Headers =
        &[("Game", "Blot"), ("Site", &heading.site), ("Date", &heading.date)];
    let names: Vec<&str> = heading.names.iter().map(String::as_str).collect();
    record::write(headers, &names, options, &steps, heading.result.as_deref())
}
