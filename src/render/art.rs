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
    "togyz-board"
)];
