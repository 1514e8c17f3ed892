//! The themes that are part of the program: every folder of `templates/art`, found when it is
//! built.
//!
//! `theme.toml` of `wood` says for which sizes each drawing is made and where it goes on its sheet.
//! Files in `parts` are no drawings: others borrow shapes from them by
//! `<use href="parts/cards.svg#H"/>`.

use super::theme::ThemeFiles;

/// All of them, the default first.
pub const THEMES: &[ThemeFiles<'static>] = include!(concat!(env!("OUT_DIR"), "/themes.rs"));
