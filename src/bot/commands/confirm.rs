//! `/confirm`: choose whether moves need a second press.

use super::action::{ActionFuture, ChatAction, Request};
use super::argument;
use super::registry::CommandFile;
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::{Handlers, RequestContext};
use crate::settings::{Setting, replies};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Settings),
            arguments: vec![argument::SWITCH],
            is_answered_privately: true,
            ..CommandSpec::understood("confirm", |input| {
                input.switch_or(Setting::MOVE_CONFIRMATION, ("twice", "once"), || {
                    Request::chat(ShowMoveConfirmation)
                })
            })
        }]
    },
    ..CommandFile::EMPTY
};

/// Shows whether moves of the person need a second press.
#[derive(Clone, Copy, Debug)]
pub struct ShowMoveConfirmation;

impl ChatAction for ShowMoveConfirmation {
    fn run<'a>(
        &'a self,
        _handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(
            async move { Ok(vec![replies::move_confirmation_view(context.person.confirms_moves)]) },
        )
    }
}
