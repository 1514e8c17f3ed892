//! `/confirm`: choose whether moves need a second press.

use async_trait::async_trait;

use super::action::{ChatAction, Request};
use super::argument;
use super::registry::CommandFile;
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::{HandlerResult, Handlers, RequestContext};
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

#[async_trait]
impl ChatAction for ShowMoveConfirmation {
    async fn run(&self, _handlers: &Handlers, context: &mut RequestContext<'_>) -> HandlerResult {
        Ok(vec![replies::move_confirmation_view(context.person.confirm)])
    }
}
