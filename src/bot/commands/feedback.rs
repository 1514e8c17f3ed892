//! `/feedback`: where players report faults and ideas.

use async_trait::async_trait;

use super::action::ChatAction;
use super::registry::CommandFile;
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::{HandlerResult, Handlers, RequestContext};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::View;

/// What this file adds.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Settings),
            is_answered_privately: true,
            ..CommandSpec::new("feedback", |input| input.without_words(ShowFeedback))
        }]
    },
    ..CommandFile::EMPTY
};

/// Shows the contact of the person who runs the bot, or names the person who added it.
#[derive(Clone, Copy, Debug)]
pub struct ShowFeedback;

#[async_trait]
impl ChatAction for ShowFeedback {
    async fn run(&self, handlers: &Handlers, _context: &mut RequestContext<'_>) -> HandlerResult {
        let contact = handlers.contact_text("answer-feedback-contact");
        let text = contact.unwrap_or_else(|| Text::new("answer-feedback"));
        Ok(vec![View::persistent(vec![text])])
    }
}
