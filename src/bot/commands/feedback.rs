//! `/feedback`: where players report faults and ideas.

use super::action::{ActionFuture, ChatAction};
use super::registry::CommandFile;
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::{Handlers, RequestContext};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::View;

/// The commands and buttons of this file.
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

impl ChatAction for ShowFeedback {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        _context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            let contact = handlers.contact_text("answer-feedback-contact");
            let text = contact.unwrap_or_else(|| Text::new("answer-feedback"));
            Ok(vec![View::persistent(vec![text])])
        })
    }
}
