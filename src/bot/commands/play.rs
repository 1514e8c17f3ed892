//! `/play`: choose a game, or a computer to play alone.

use super::action::{ActionFuture, ChatAction, Request};
use super::input::CommandInput;
use super::play_alone::{PlayAlone, SoloGameOptions};
use super::registry::CommandFile;
use super::spec::CommandSpec;
use crate::handlers::{Handlers, RequestContext};
use crate::parsing::new_table::is_computer_word;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || vec![CommandSpec { in_short_menu: true, ..CommandSpec::new("play", parse) }],
    ..CommandFile::EMPTY
};

fn parse(input: &CommandInput<'_>) -> Request {
    if input.words.split_whitespace().any(is_computer_word) {
        return Request::chat(PlayAlone { game: None, solo_options: SoloGameOptions::default() });
    }
    Request::chat(ChooseGame)
}

/// Posts the choice of games.
#[derive(Clone, Copy, Debug)]
pub struct ChooseGame;

impl ChatAction for ChooseGame {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move { handlers.help.post_game_choice(context).await })
    }
}
