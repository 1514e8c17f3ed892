//! The themes that are part of the program: what is in `templates/art`.
//!
//! `theme.toml` of `wood` says for which sizes each drawing is made and where it goes on its sheet.
//! Files in `parts` are no drawings: others borrow shapes from them by
//! `<use href="parts/cards.svg#H"/>`.

use super::theme::Files;

/// Lists the drawings of a theme once by name; a test compares the list with the folder.
macro_rules! theme {
    ($theme:literal: $($name:literal)*) => {
        Files {
            name: $theme,
            colours: include_str!(concat!("../../templates/art/", $theme, "/theme.toml")),
            drawings: &[$((
                $name,
                include_str!(concat!("../../templates/art/", $theme, "/", $name, ".svg")),
            )),*],
        }
    };
}

/// All of them, the default first.
pub const THEMES: &[Files<'static>] = &[
    theme!("wood":
    "badge-gain"
    "blot-dealer"
    "blot-hand"
    "blot-table"
    "blot-trick"
    "blot-turn"
    "card-10C"
    "card-10D"
    "card-10H"
    "card-10S"
    "card-7C"
    "card-7D"
    "card-7H"
    "card-7S"
    "card-8C"
    "card-8D"
    "card-8H"
    "card-8S"
    "card-9C"
    "card-9D"
    "card-9H"
    "card-9S"
    "card-AC"
    "card-AD"
    "card-AH"
    "card-AS"
    "card-JC"
    "card-JD"
    "card-JH"
    "card-JS"
    "card-KC"
    "card-KD"
    "card-KH"
    "card-KS"
    "card-QC"
    "card-QD"
    "card-QH"
    "card-QS"
    "card-back"
    "card-dim"
    "card-slot"
    "draw"
    "laurel"
    "parts/cards"
    "plate"
    "plate-turn"
    "plate-won"
    "stone"
    "stone-small"
    "suit-C"
    "suit-D"
    "suit-H"
    "suit-N"
    "suit-S"
    "thaayam-badge"
    "thaayam-board"
    "thaayam-die-black"
    "thaayam-die-white"
    "thaayam-fortress"
    "thaayam-from"
    "thaayam-hit"
    "thaayam-home"
    "thaayam-in-hand"
    "thaayam-palace-0"
    "thaayam-palace-1"
    "thaayam-palace-2"
    "thaayam-palace-3"
    "thaayam-piece-0"
    "thaayam-piece-1"
    "thaayam-piece-2"
    "thaayam-piece-3"
    "thaayam-seat"
    "thaayam-seat-turn"
    "thaayam-spent"
    "thaayam-throw"
    "thaayam-throw-ready"
    "thaayam-to"
    "togyz-board"
    "togyz-from"
    "togyz-kazan"
    "togyz-mark-0"
    "togyz-mark-1"
    "togyz-pit"
    "togyz-row-turn"
    "togyz-to"
    "togyz-tuzdyk-0"
    "togyz-tuzdyk-1"
    "turn-pointer"
    "veil"
    ),
    theme!("night":
    "card-dim"
    ),
];
