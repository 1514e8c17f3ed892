//! `/learn`: the lessons of a game.

use super::action::{ActionFuture, ChatAction, Request};
use super::argument;
use super::input::CommandInput;
use super::registry::{ButtonCode, CommandFile};
use super::spec::CommandSpec;
use crate::handlers::{Handlers, RequestContext, help};
use crate::parsing::command_lookup::find_named_game;
use crate::views::course_views::WrongAnswers;
use caravanserai_games::GameId;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            arguments: vec![argument::GAME],
            in_short_menu: true,
            is_answered_privately: true,
            ..CommandSpec::new(NAME, parse)
        }]
    },
    buttons: &[ButtonCode::Chat("q", decode_button)],
    ..CommandFile::EMPTY
};

/// The name of the command.
pub(crate) const NAME: &str = "learn";

fn parse(input: &CommandInput<'_>) -> Request {
    match find_named_game(input.words) {
        None if !input.words.is_empty() => Request::chat(ChooseLesson),
        game => Request::chat(ShowLesson::for_game(game)),
    }
}

fn decode_button(rest: &str) -> Option<Request> {
    let mut parts = rest.split('.');
    let lesson = match (parts.next(), parts.next()) {
        (Some(""), None) => ShowLesson::for_game(None),
        (Some(game), Some(page)) => ShowLesson {
            game: Some(GameId::from_code(game)?),
            page: Some(page.to_owned()),
            answer: parts.next().map(str::to_owned),
            wrong: parts.next().and_then(WrongAnswers::decode).unwrap_or_default(),
        },
        _ => return None,
    };
    Some(Request::chat(lesson))
}

/// Shows a page of the lessons of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShowLesson {
    /// The game; `None` for the game of the table, or for the choice if there are several.
    pub game: Option<GameId>,
    /// The name of the page; `None` for the first page.
    pub page: Option<String>,
    /// The answer or the move that the reader tried on the page.
    pub answer: Option<String>,
    /// The answers that were wrong before.
    pub wrong: WrongAnswers,
}

impl ShowLesson {
    /// The first page of this game.
    pub(crate) fn for_game(game: Option<GameId>) -> Self {
        Self { game, page: None, answer: None, wrong: WrongAnswers::default() }
    }
}

impl ChatAction for ShowLesson {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            handlers
                .help
                .lesson_views(
                    context,
                    self.game,
                    self.page.as_deref(),
                    self.answer.as_deref(),
                    self.wrong,
                )
                .await
        })
    }
}

/// Shows the choice of lessons, if an unknown game was named.
#[derive(Clone, Copy, Debug)]
pub struct ChooseLesson;

impl ChatAction for ChooseLesson {
    fn run<'a>(
        &'a self,
        _handlers: &'a Handlers,
        _context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move { Ok(vec![help::choose_rules_view()]) })
    }
}
