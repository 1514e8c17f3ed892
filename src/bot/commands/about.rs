//! `/about`: describe the bot, and where to report what is missing.

use super::action::{ActionFuture, ChatAction};
use super::registry::CommandFile;
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::{Handlers, RequestContext};
use caravanserai_games::GameId;
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::View;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Settings),
            is_answered_privately: true,
            ..CommandSpec::new("about", |input| input.without_words(ShowAbout))
        }]
    },
    ..CommandFile::EMPTY
};

/// Shows name, version and games.
#[derive(Clone, Copy, Debug)]
pub struct ShowAbout;

impl ChatAction for ShowAbout {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        _context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            let name = |it: &GameId| Arg::from(it.info().name_text());
            let games = GameId::all().iter().map(name).collect();
            let text = Text::new("answer-about").with("version", env!("CARGO_PKG_VERSION"));
            let mut texts = vec![text.with("games", Arg::Names(games))];
            texts.extend(handlers.contact_text("answer-contact"));
            Ok(vec![View::persistent(texts)])
        })
    }
}
