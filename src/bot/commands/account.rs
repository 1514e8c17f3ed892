//! `/account`: link the accounts of one person on several platforms, or unlink them.

use super::action::{ActionFuture, ChatAction, Request};
use super::argument;
use super::argument::ArgumentKind;
use super::input::CommandInput;
use super::link;
use super::link::{AccountLinking, LinkAccounts};
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup, Suggestions};
use crate::handlers::{Handlers, RequestContext};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::{ButtonSpec, View};

/// What this file adds.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Account),
            arguments: vec![argument::optional("code", ArgumentKind::Suggested)],
            is_answered_privately: true,
            suggestions: Suggestions::None,
            ..CommandSpec::new("account", parse)
        }]
    },
    buttons: &[ButtonCode::Chat("ac", |rest| match rest {
        "link" => Some(Request::chat(LinkAccounts(AccountLinking::Code))),
        "unlink" => Some(Request::chat(LinkAccounts(AccountLinking::Apart))),
        _ => None,
    })],
    ..CommandFile::EMPTY
};

fn parse(input: &CommandInput<'_>) -> Request {
    match input.words {
        "" => Request::chat(ShowAccount),
        _ => link::parse(input),
    }
}

/// Shows what the person can do with their accounts.
#[derive(Clone, Copy, Debug)]
pub struct ShowAccount;

impl ChatAction for ShowAccount {
    fn run<'a>(
        &'a self,
        _handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            let link = ButtonSpec::new(Text::new("button-link-start"), "ac.link");
            let unlink = ButtonSpec::new(Text::new("button-unlink"), "ac.unlink");
            let is_linked = !context.person.accounts.is_empty();
            let mut keys = vec![vec![link]];
            keys.extend(is_linked.then(|| vec![unlink]));
            Ok(vec![View { texts: vec![Text::new("answer-account")], keys, ..View::default() }])
        })
    }
}
