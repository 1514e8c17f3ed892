//! Lists the built-in themes: every folder of `templates/art`, found at build time.
//!
//! `theme.toml` of `wood` documents the sizes of each drawing and its use on a canvas. Files in
//! `parts` are not drawings: drawings borrow shapes from them with `<use
//! href="parts/cards.svg#H"/>`.

use super::theme::ThemeFiles;

/// All built-in themes, the default first.
pub const THEMES: &[ThemeFiles<'static>] = include!(concat!(env!("OUT_DIR"), "/themes.rs"));
