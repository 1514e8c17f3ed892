//! `/history`: the finished games of the person, also those of one game or against one friend.
//!
//! Games against a friend are those of the chat where they are asked for: games of other chats may
//! show which account of another platform belongs to the same person.

use super::action::{ActionFuture, ChatAction, Request};
use super::argument;
use super::input::CommandInput;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::{Handlers, RequestContext};
use crate::parsing::command_lookup::find_named_game;
use crate::parsing::trailing_words::TrailingWords;
use crate::repository::Failure;
use crate::results::queries::{HistoryFilter, HistoryPage};
use crate::settings;
use crate::views::result_views;
use caravanserai_games::GameId;
use caravanserai_games::ids::{PersonId, PlaceKind};
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

/// Shows the games of the person, of one game or against one friend in this group.
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
            let shown = match &self.opponent {
                None => {
                    let filter = HistoryFilter { game: self.game, ..HistoryFilter::default() };
                    ShowHistory { page: 0, filter }
                }
                Some(_) if context.update.chat.kind == PlaceKind::Private => {
                    return Ok(vec![View::brief(Text::new("refuse-history-private"))]);
                }
                Some(friend) => match handlers.mentions.find_person(context, friend).await? {
                    Ok((person, _)) => {
                        ShowHistory::against(handlers, context, self.game, &person).await?
                    }
                    Err(refusal) => return Ok(vec![View::brief(refusal)]),
                },
            };
            shown.run(handlers, context).await
        })
    }
}

/// Shows a page of the person's finished games.
#[derive(Clone, Debug, Default)]
pub struct ShowHistory {
    /// The page, from 0: the latest games.
    pub page: usize,
    /// Which games. The opponent is an account of them; the chat is the one that the button names,
    /// and counts only where a button is pressed in a private chat.
    pub filter: HistoryFilter,
}

impl ShowHistory {
    /// The first page of the reader's games against this person in this group. Its buttons carry
    /// the account of the person on this platform: clients can read what a button carries.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(super) async fn against(
        handlers: &Handlers,
        context: &RequestContext<'_>,
        game: Option<GameId>,
        person: &PersonId,
    ) -> Result<Self, Failure> {
        let here = &context.update.chat.id;
        let profiles = handlers.repository.profiles();
        let opponent = profiles.account_on_platform(person, here.platform()).await?;
        let filter = HistoryFilter { game, ..HistoryFilter::against(opponent, here.chat()) };
        Ok(ShowHistory { page: 0, filter })
    }

    /// The callback data of the button that shows this page. It names the chat, because the page
    /// may be read in private, unless the name does not fit or has characters that buttons cannot
    /// carry.
    pub fn callback_data(&self) -> String {
        let HistoryFilter { game, opponent, chat } = &self.filter;
        if self.filter.is_empty() {
            return format!("{HISTORY_CODE}.{}", self.page);
        }
        let game = game.map_or("", |it| it.info().code);
        let opponent = opponent.as_ref().map_or("", |it| &it.0);
        if let Some(chat) = chat {
            let with_chat = format!("{HISTORY_CODE}.{}.{game}@{chat}.{opponent}", self.page);
            if settings::can_name_chat(&with_chat, chat) {
                return with_chat;
            }
        }
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
        (Some(game), Some(opponent)) => {
            let (game, chat) = game.split_once('@').unwrap_or((game, ""));
            HistoryFilter {
                game: if game.is_empty() { None } else { Some(GameId::from_code(game)?) },
                opponent: (!opponent.is_empty()).then(|| PersonId(opponent.to_owned())),
                chat: (!chat.is_empty()).then(|| chat.to_owned()),
            }
        }
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
                let found = results.mark_removed(found).await?;
                return Ok(vec![result_views::history_view(self, &found)]);
            }
            let (opponent, chat) = match &self.filter.opponent {
                None => (None, None),
                // Otherwise presses could find out which account elsewhere is whose.
                Some(account) if account.platform() != context.update.chat.id.platform() => {
                    return Ok(vec![View::brief(Text::new("refuse-old-button"))]);
                }
                Some(account) => {
                    let chat = match context.chat_of_shared_games(self.filter.chat.as_deref()) {
                        Ok(Some(chat)) => chat,
                        Ok(None) => {
                            return Ok(vec![View::brief(Text::new("refuse-history-private"))]);
                        }
                        Err(query) => return context.suspend_for_query(query),
                    };
                    let profiles = handlers.repository.profiles();
                    (Some(profiles.resolve_person(account).await?), Some(chat))
                }
            };
            let filter = HistoryFilter { game: self.filter.game, opponent, chat };
            let games = results.filtered_history(own, &filter).await?;
            if games.is_empty() {
                let key = match filter.opponent {
                    Some(_) => "answer-history-none-here",
                    None => "answer-history-no-match",
                };
                return Ok(vec![View::brief(Text::new(key))]);
            }
            let first = (self.page * GAMES_PER_PAGE).min(games.len());
            let end = (first + GAMES_PER_PAGE).min(games.len());
            let has_more = end < games.len();
            let entries = games[first..end].to_vec();
            let found = HistoryPage { entries, has_more, ..HistoryPage::default() };
            let found = results.mark_removed(found).await?;
            let opponent = filter.opponent.as_ref();
            Ok(vec![result_views::filtered_history_view(self, opponent, &found, &games)])
        })
    }
}
