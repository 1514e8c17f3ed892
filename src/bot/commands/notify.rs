//! `/notify`: be notified once when another person wants to play here.

use super::action::{ActionFuture, ChatAction, Request};
use super::argument;
use super::input::CommandInput;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::{Handlers, RequestContext};
use crate::parsing::command_lookup::find_named_game;
use crate::parsing::trailing_words::TrailingWords;
use caravanserai_games::GameId;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Settings),
            arguments: vec![argument::GAME],
            in_private: false,
            is_answered_privately: true,
            ..CommandSpec::new("notify", parse)
        }]
    },
    buttons: &[ButtonCode::Chat("9", |rest| {
        let game = Some(GameId::from_code(rest)?);
        Some(Request::chat(ToggleNotification { game }))
    })],
    ..CommandFile::EMPTY
};

fn parse(input: &CommandInput<'_>) -> Request {
    match input.trailing_words_without_mentions() {
        TrailingWords::Nothing => Request::chat(ToggleNotification { game: None }),
        TrailingWords::Words(game) if find_named_game(&game).is_some() && !game.contains(' ') => {
            Request::chat(ToggleNotification { game: find_named_game(&game) })
        }
        words => input.refuse_words(&words),
    }
}

/// Turns notifications of the person about new tables of a game on or off.
#[derive(Clone, Debug)]
pub struct ToggleNotification {
    /// The game; `None` to ask which one.
    pub game: Option<GameId>,
}

impl ChatAction for ToggleNotification {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            handlers.subscriptions.toggle_game_subscription(context, self.game).await
        })
    }
}
