//! `/link`: play as one person with accounts on several platforms.

use super::action::{ActionFuture, ChatAction, Request};
use super::argument;
use super::argument::ArgumentKind;
use super::input::CommandInput;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup, Suggestions};
use crate::handlers::{Handlers, RequestContext};
use crate::parsing::words::parse_link_code;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Account),
            arguments: vec![argument::optional("code", ArgumentKind::Suggested)],
            is_answered_privately: true,
            suggestions: Suggestions::None,
            ..CommandSpec::understood("link", parse)
        }]
    },
    buttons: &[ButtonCode::Chat("0", |rest| {
        let code = parse_link_code(rest)?;
        Some(Request::chat(LinkAccounts(AccountLinking::With { code, sure: true })))
    })],
    ..CommandFile::EMPTY
};

/// A code from another account, or the wish for one.
pub(super) fn parse(input: &CommandInput<'_>) -> Request {
    Request::chat(LinkAccounts(match input.words {
        "" => AccountLinking::Code,
        words => {
            // Other words count as an unknown code.
            let code = parse_link_code(words).unwrap_or_default();
            AccountLinking::With { code, sure: false }
        }
    }))
}

/// A request to link or separate accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountLinking {
    /// Get a code to enter from another account.
    Code,
    /// Become the person who received this code.
    With {
        /// The code, in lowercase.
        code: String,
        /// Whether the person has confirmed it.
        sure: bool,
    },
    /// Be a separate person for each account again.
    Apart,
}

/// Links or separates accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkAccounts(pub AccountLinking);

impl ChatAction for LinkAccounts {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move { handlers.linker.handle_linking(context, self.0.clone()).await })
    }
}
