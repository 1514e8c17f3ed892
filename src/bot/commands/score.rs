//! `/score`: show the score sheet.

use super::argument;
use super::registry::CommandFile;
use super::sheet::ShowSheet;
use super::spec::{CommandSpec, MenuGroup};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Analysis),
            arguments: vec![argument::TABLE],
            in_short_menu: true,
            is_answered_privately: true,
            ..CommandSpec::new("score", |input| {
                input.about_table_without_words(ShowSheet("score".to_owned()))
            })
        }]
    },
    ..CommandFile::EMPTY
};
