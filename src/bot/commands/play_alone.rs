//! The button to play alone: the choice of a computer.

use super::action::{ActionFuture, ChatAction, Request};
use super::registry::{ButtonCode, CommandFile};
use crate::handlers::{Handlers, RequestContext};
use caravanserai_games::GameId;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    buttons: &[ButtonCode::Chat("1", |rest| {
        (!rest.contains('.')).then(|| Request::chat(PlayAlone { game: GameId::from_code(rest) }))
    })],
    ..CommandFile::EMPTY
};

/// Shows the computers for a game.
#[derive(Clone, Debug)]
pub struct PlayAlone {
    /// The game, if it was chosen.
    pub game: Option<GameId>,
}

impl ChatAction for PlayAlone {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move { Ok(vec![handlers.help.play_alone_view(context, self.game)]) })
    }
}
