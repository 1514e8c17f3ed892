//! `/privacy`: what the bot keeps about people.

use super::action::{ActionFuture, ChatAction};
use super::registry::CommandFile;
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::{Handlers, RequestContext};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::View;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Account),
            is_answered_privately: true,
            ..CommandSpec::new("privacy", |input| input.without_words(ShowPrivacy))
        }]
    },
    ..CommandFile::EMPTY
};

/// Shows what is kept, and where the whole text is if there is a page.
#[derive(Clone, Copy, Debug)]
pub struct ShowPrivacy;

impl ChatAction for ShowPrivacy {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        _context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            let mut texts = vec![Text::new("answer-privacy")];
            texts.extend(handlers.contact_text("answer-contact"));
            texts.extend(handlers.page_url().map(|page| {
                let link = format!("{}/privacy", page.trim_end_matches('/'));
                Text::new("answer-privacy-page").with("link", Arg::Plain(link))
            }));
            Ok(vec![View::persistent(texts)])
        })
    }
}
