//! `/unlink`: be a separate person for each account again.

use super::action::Request;
use super::link::{AccountLinking, LinkAccounts};
use super::registry::CommandFile;
use super::spec::CommandSpec;
use crate::parsing::trailing_words::TrailingWords;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            is_answered_privately: true,
            ..CommandSpec::understood("unlink", |input| match input.trailing_words_without_mentions() {
                TrailingWords::Nothing => Request::chat(LinkAccounts(AccountLinking::Apart)),
                words => input.refuse_words(&words),
            })
        }]
    },
    ..CommandFile::EMPTY
};
