//! `/help`: describe what the bot can do.

use super::action::{ActionFuture, ChatAction, Request};
use super::registry::{ButtonCode, CommandFile};
use super::spec::CommandSpec;
use crate::handlers::{Handlers, RequestContext};
use crate::parsing::words::lookup_word;

/// The name of the command.
pub(crate) const NAME: &str = "help";

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            in_short_menu: true,
            is_answered_privately: true,
            ..CommandSpec::new(NAME, |input| {
                let mut words = input.words.split_whitespace();
                let is_all = words.any(|it| lookup_word("help", it) == Some("all"));
                Request::chat(ShowHelp { page: u8::from(is_all) })
            })
        }]
    },
    buttons: &[ButtonCode::Chat("?", |rest| {
        Some(Request::chat(ShowHelp { page: rest.parse().ok()? }))
    })],
    ..CommandFile::EMPTY
};

/// Shows a description of the bot.
#[derive(Clone, Copy, Debug)]
pub struct ShowHelp {
    /// The page of the list of all commands, from 1; 0 for the short answer.
    pub page: u8,
}

impl ChatAction for ShowHelp {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            Ok(vec![match self.page {
                0 => handlers.help.welcome_view(context),
                page => handlers.help.help_view(context, page),
            }])
        })
    }
}
