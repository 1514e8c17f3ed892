//! The themes that are part of the program: what is in `templates/art`.

use super::theme::Embedded;

/// Lists the drawings of a theme once by name; a test compares the list with the folder.
macro_rules! theme {
    ($theme:literal: $($name:literal)*) => {
        Embedded {
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
pub const THEMES: &[Embedded] = &[theme!("wood":
    "badge-gain"
    "draw"
    "laurel"
    "plate"
    "plate-turn"
    "plate-won"
    "stone"
    "stone-small"
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
)];
