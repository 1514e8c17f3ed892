//! `/history`: the finished games of the person, also those of one game or against one friend.

use super::action::{ActionFuture, ChatAction, Request};
use super::argument;
use super::input::CommandInput;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::{Handlers, RequestContext};
use crate::parsing::command_lookup::find_named_game;
use crate::parsing::trailing_words::TrailingWords;
use crate::results::queries::{HistoryFilter, HistoryPage};
use crate::views::result_views;
use caravanserai_games::GameId;
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::Text;
use caravanserai_protocol::Mention;
use caravanserai_protocol::view::View;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Analysis),
            arguments: vec![argument::GAME, argument::FRIEND],
            is_answered_privately: true,
            ..CommandSpec::new("history", parse)
        }]
    },
    buttons: &[ButtonCode::Chat(HISTORY_CODE, decode_button)],
    ..CommandFile::EMPTY
};

/// The code of the buttons that show a page of the games.
const HISTORY_CODE: &str = "hi";

/// The number of games on a page.
const GAMES_PER_PAGE: usize = 8;

/// The most pages that can be turned to.
const PAGES_MAX: usize = 250;

fn parse(input: &CommandInput<'_>) -> Request {
    let words = input.trailing_words_without_mentions();
    let game = match &words {
        TrailingWords::Nothing => None,
        TrailingWords::Words(words) => find_named_game(words),
        TrailingWords::No => return input.refuse_words(&input.trailing_words()),
    };
    match (words, game, input.mentions) {
        (TrailingWords::Words(_), None, _) | (_, _, [_, _, ..]) => {
            input.refuse_words(&input.trailing_words())
        }
        (_, game, mentions) => {
            Request::chat(FindHistory { game, opponent: mentions.first().cloned() })
        }
    }
}

/// Shows the games of the person, of one game or against one friend.
#[derive(Clone, Debug)]
pub struct FindHistory {
    /// The game; `None` for all games.
    pub game: Option<GameId>,
    /// The friend; `None` for all opponents.
    pub opponent: Option<Mention>,
}

impl ChatAction for FindHistory {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            let opponent = match &self.opponent {
                None => None,
                Some(friend) => match handlers.mentions.find_person(context, friend).await? {
                    Ok((person, _)) => Some(person),
                    Err(refusal) => return Ok(vec![View::brief(refusal)]),
                },
            };
            let filter = HistoryFilter { game: self.game, opponent, chat: None };
            ShowHistory { page: 0, filter }.run(handlers, context).await
        })
    }
}

/// Shows a page of the person's finished games.
#[derive(Clone, Debug, Default)]
pub struct ShowHistory {
    /// The page, from 0: the latest games.
    pub page: usize,
    /// Which games.
    pub filter: HistoryFilter,
}

impl ShowHistory {
    /// The callback data of the button that shows this page.
    pub fn callback_data(&self) -> String {
        let HistoryFilter { game, opponent, chat: _ } = &self.filter;
        if self.filter.is_empty() {
            return format!("{HISTORY_CODE}.{}", self.page);
        }
        let game = game.map_or("", |it| it.info().code);
        let opponent = opponent.as_ref().map_or("", |it| &it.0);
        format!("{HISTORY_CODE}.{}.{game}.{opponent}", self.page)
    }

    /// The same games on another page.
    #[must_use]
    pub fn at_page(&self, page: usize) -> Self {
        ShowHistory { page, filter: self.filter.clone() }
    }
}

fn decode_button(rest: &str) -> Option<Request> {
    let mut parts = rest.splitn(3, '.');
    let page: usize = parts.next()?.parse().ok()?;
    let filter = match (parts.next(), parts.next()) {
        (None, None) => HistoryFilter::default(),
        (Some(game), Some(opponent)) => HistoryFilter {
            game: if game.is_empty() { None } else { Some(GameId::from_code(game)?) },
            opponent: (!opponent.is_empty()).then(|| PersonId(opponent.to_owned())),
            chat: None,
        },
        _ => return None,
    };
    (page < PAGES_MAX).then(|| Request::chat(ShowHistory { page, filter }))
}

impl ChatAction for ShowHistory {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            let own = &context.update.person.id;
            let results = handlers.repository.results();
            if self.filter.is_empty() {
                let found = results.history(own, self.page, GAMES_PER_PAGE).await?;
                return Ok(vec![result_views::history_view(self, &found)]);
            }
            let games = results.filtered_history(own, &self.filter).await?;
            if games.is_empty() {
                return Ok(vec![View::brief(Text::new("answer-history-no-match"))]);
            }
            let first = (self.page * GAMES_PER_PAGE).min(games.len());
            let end = (first + GAMES_PER_PAGE).min(games.len());
            let found =
                HistoryPage { entries: games[first..end].to_vec(), has_more: end < games.len() };
            Ok(vec![result_views::filtered_history_view(self, &found, &games)])
        })
    }
}
