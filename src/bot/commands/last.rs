//! `/last`: show what was played last.

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
            is_answered_privately: true,
            ..CommandSpec::understood("last", |input| {
                input.about_table_without_words(ShowSheet("last".to_owned()))
            })
        }]
    },
    ..CommandFile::EMPTY
};
