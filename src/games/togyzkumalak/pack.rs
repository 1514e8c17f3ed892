//! Togyzkumalak for tables.

use super::rules::{Sow, Togyzkumalak};
use crate::games::{Info, Pack};
use crate::rules::{Rules, Token};
use crate::words::Text;

/// What lobbies and menus need to know.
pub static INFO: Info = Info {
    code: "togyzkumalak",
    command: "togyz",
    seats: (2, 2),
    variants: &["seed", "short"],
    lessons: 5,
    revision: Togyzkumalak::REVISION,
};

/// The game with those who show it and tell of it.
pub static PACK: Pack<Togyzkumalak> = Pack {
    scene,
    caption: |_| vec![Text::new("x")],
    board_text: |_| vec![Text::new("x")],
    refuse: |_, _, _, i| Text::new(i.0),
    label: |_, a: &Sow| a.write(),
    record: |_, _, _| String::new(),
};

fn scene(view: &super::View, names: &[String]) -> crate::scene::Scene {
    let name = |seat: usize| names.get(seat).map_or("", String::as_str);
    super::scene::scene(view, [name(0), name(1)])
}
