//! `/unlink`: be a separate person for each account again.

use super::link::{AccountLinking, LinkAccounts};
use super::registry::CommandFile;
use super::spec::{CommandSpec, MenuGroup};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Account),
            is_answered_privately: true,
            ..CommandSpec::understood("unlink", |input| {
                input.without_words(LinkAccounts(AccountLinking::Apart))
            })
        }]
    },
    ..CommandFile::EMPTY
};
