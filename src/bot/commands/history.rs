//! `/history`: the finished games of the person, also those of one game, against one friend, or
//! with one result.
//!
//! Games against a friend are those of the chat where they are asked for: games of other chats may
//! show which account of another platform belongs to the same person.

use super::action::{ActionFuture, ChatAction, Request};
use super::argument::{self, ArgumentKind, CommandArgument};
use super::input::CommandInput;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::{Handlers, RequestContext};
use crate::parsing::command_lookup::find_named_game;
use crate::parsing::trailing_words::TrailingWords;
use crate::parsing::words::lookup_word;
use crate::repository::Failure;
use crate::results::queries::{HistoryFilter, HistoryPage};
use crate::settings;
use crate::views::result_views;
use caravanserai_games::GameId;
use caravanserai_games::ids::{ChatKind, PersonId};
use caravanserai_games::text::Text;
use caravanserai_protocol::Mention;
use caravanserai_protocol::view::View;
use caravanserai_results::GameOutcome;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Analysis),
            arguments: vec![argument::GAME, argument::FRIEND, RESULTS],
            is_answered_privately: true,
            ..CommandSpec::new("history", parse)
        }]
    },
    buttons: &[ButtonCode::Chat(HISTORY_CODE, decode_button)],
    ..CommandFile::EMPTY
};

/// The code of the buttons that show a page of the games.
const HISTORY_CODE: &str = "hi";

/// The argument that chooses games by their result.
const RESULTS: CommandArgument =
    argument::optional("results", ArgumentKind::Choice(&["won", "lost", "rated", "casual"]));

/// The number of games on a page.
const GAMES_PER_PAGE: usize = 8;

/// The most pages that can be turned to.
const PAGES_MAX: usize = 250;

fn parse(input: &CommandInput<'_>) -> Request {
    let filter = match input.trailing_words_without_mentions() {
        TrailingWords::Nothing => Some(HistoryFilter::default()),
        TrailingWords::Words(words) => parse_filter(&words),
        TrailingWords::No => None,
    };
    match (filter, input.mentions) {
        (None, _) | (_, [_, _, ..]) => input.refuse_words(&input.trailing_words()),
        (Some(filter), mentions) => {
            Request::chat(FindHistory { filter, opponent: mentions.first().cloned() })
        }
    }
}

/// The games that these words mean; `None` if they name neither a game nor results, or results that
/// no game has at the same time.
fn parse_filter(words: &str) -> Option<HistoryFilter> {
    let mut filter = HistoryFilter { game: find_named_game(words), ..HistoryFilter::default() };
    for meaning in words.split_whitespace().filter_map(|it| lookup_word("results", it)) {
        let fits = match meaning {
            "rated" => *filter.is_rated.get_or_insert(true),
            "casual" => !*filter.is_rated.get_or_insert(false),
            "won" => *filter.outcome.get_or_insert(GameOutcome::Win) == GameOutcome::Win,
            "lost" => *filter.outcome.get_or_insert(GameOutcome::Loss) == GameOutcome::Loss,
            _ => true,
        };
        if !fits {
            return None;
        }
    }
    (!filter.is_empty()).then_some(filter)
}

/// Shows the games of the person, of one game, with one result or against one friend in this group.
#[derive(Clone, Debug)]
pub struct FindHistory {
    /// The games to show, apart from the opponent.
    pub filter: HistoryFilter,
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
                None => ShowHistory { page: 0, filter: self.filter.clone() },
                Some(_) if context.update.chat.kind == ChatKind::Private => {
                    return Ok(vec![View::brief(Text::new("refuse-history-private"))]);
                }
                Some(friend) => {
                    let (person, _) = handlers.mentions.find_person(context, friend).await?;
                    let game = self.filter.game;
                    let mut shown = ShowHistory::against(handlers, context, game, &person).await?;
                    shown.filter.is_rated = self.filter.is_rated;
                    shown.filter.outcome = self.filter.outcome;
                    shown
                }
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
    /// The games to show. The opponent is named by one of their accounts; the chat is the one that
    /// the button names, and counts only where a button is pressed in a private chat.
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
        let filter =
            HistoryFilter { game, ..HistoryFilter::against(opponent, here.without_topic()) };
        Ok(ShowHistory { page: 0, filter })
    }

    /// The callback data of the button that shows this page. It names the chat, because the page
    /// may be read in private, unless the name does not fit or has characters that buttons cannot
    /// carry.
    pub fn callback_data(&self) -> String {
        let HistoryFilter { game, opponent, chat, is_rated, outcome } = &self.filter;
        if self.filter.is_empty() {
            return format!("{HISTORY_CODE}.{}", self.page);
        }
        let page = format!("{}{}", self.page, result_letters(*is_rated, *outcome));
        let game = game.map_or("", |it| it.info().code);
        let opponent = opponent.as_ref().map_or("", |it| &it.0);
        if let Some(chat) = chat {
            let with_chat = format!("{HISTORY_CODE}.{page}.{game}@{chat}.{opponent}");
            if settings::can_name_chat(&with_chat, chat) {
                return with_chat;
            }
        }
        format!("{HISTORY_CODE}.{page}.{game}.{opponent}")
    }

    /// The next page with older games; `None` after the last page that can be turned to.
    #[must_use]
    pub fn older(&self) -> Option<Self> {
        let page = self.page + 1;
        (page < PAGES_MAX).then(|| self.at_page(page))
    }

    /// The same games on another page.
    #[must_use]
    pub fn at_page(&self, page: usize) -> Self {
        ShowHistory { page, filter: self.filter.clone() }
    }
}

/// The letters behind the number of a page that say which results are shown.
fn result_letters(is_rated: Option<bool>, outcome: Option<GameOutcome>) -> String {
    let rated = is_rated.map(|it| if it { 'r' } else { 'c' });
    let outcome = outcome.map(|it| match it {
        GameOutcome::Win => 'w',
        GameOutcome::Draw => 'd',
        GameOutcome::Loss => 'l',
    });
    rated.into_iter().chain(outcome).collect()
}

/// Parses the letters that [`result_letters`] has written; `None` for other letters.
fn parse_result_letters(letters: &str) -> Option<(Option<bool>, Option<GameOutcome>)> {
    let mut is_rated = None;
    let mut outcome = None;
    for letter in letters.chars() {
        match letter {
            'r' | 'c' => is_rated = Some(letter == 'r'),
            'w' => outcome = Some(GameOutcome::Win),
            'd' => outcome = Some(GameOutcome::Draw),
            'l' => outcome = Some(GameOutcome::Loss),
            _ => return None,
        }
    }
    Some((is_rated, outcome))
}

fn decode_button(rest: &str) -> Option<Request> {
    let mut parts = rest.splitn(3, '.');
    let page = parts.next()?;
    let end = page.find(|it: char| !it.is_ascii_digit()).unwrap_or(page.len());
    let (page, letters) = page.split_at(end);
    let page: usize = page.parse().ok()?;
    let (is_rated, outcome) = parse_result_letters(letters)?;
    let filter = match (parts.next(), parts.next()) {
        (None, None) => HistoryFilter::default(),
        (Some(game), Some(opponent)) => {
            let (game, chat) = game.split_once('@').unwrap_or((game, ""));
            HistoryFilter {
                game: if game.is_empty() { None } else { Some(GameId::from_code(game)?) },
                opponent: (!opponent.is_empty()).then(|| PersonId(opponent.to_owned())),
                chat: (!chat.is_empty()).then(|| chat.to_owned()),
                is_rated,
                outcome,
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
                if found.entries.is_empty() && results.is_listing_again(own).await? {
                    return Ok(vec![View::brief(Text::new("answer-history-again"))]);
                }
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
                        Err(query) => return Err(context.suspend_for_query(query)),
                    };
                    let profiles = handlers.repository.profiles();
                    (Some(profiles.resolve_person(account).await?), Some(chat))
                }
            };
            let filter = HistoryFilter { opponent, chat, ..self.filter.clone() };
            let (games, has_older) = results.filter_latest(own, &filter).await?;
            if games.is_empty() {
                let key = match results.is_listing_again(own).await? {
                    true => "answer-history-again",
                    false if filter.is_about_opponent_alone() && !has_older => {
                        "answer-history-none-here"
                    }
                    false => "answer-history-no-match",
                };
                let mut view = View::brief(Text::new(key));
                view.texts.extend(has_older.then(result_views::latest_games_text));
                return Ok(vec![view]);
            }
            let first = (self.page * GAMES_PER_PAGE).min(games.len());
            let end = (first + GAMES_PER_PAGE).min(games.len());
            let has_more = end < games.len();
            let entries = games[first..end].to_vec();
            let found = HistoryPage { entries, has_more, ..HistoryPage::default() };
            let found = results.mark_removed(found).await?;
            let opponent = filter.opponent.as_ref();
            let mut view = result_views::filtered_history_view(self, opponent, &found, &games);
            view.texts.extend(has_older.then(result_views::latest_games_text));
            Ok(vec![view])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A button that its decoder refuses would be answered as too old.
    #[test]
    fn every_page_that_is_offered_can_be_turned_to() {
        let last = ShowHistory { page: PAGES_MAX - 2, ..ShowHistory::default() }.older();
        let last = last.expect("it can be turned to");
        let pressed = last.callback_data();
        assert!(decode_button(pressed.split_once('.').expect("a code and a page").1).is_some());
        assert!(last.older().is_none());
    }

    #[test]
    fn words_name_a_game_and_results() {
        let parse = |words: &str| parse_filter(words).map(|it| (it.is_rated, it.outcome));
        assert_eq!(parse("won"), Some((None, Some(GameOutcome::Win))));
        assert_eq!(parse("Rated lost"), Some((Some(true), Some(GameOutcome::Loss))));
        assert_eq!(parse("casual casual"), Some((Some(false), None)));
        for wrong in ["won lost", "rated casual", "moon"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn buttons_carry_the_results() {
        for is_rated in [None, Some(true), Some(false)] {
            for outcome in [None, Some(GameOutcome::Win), Some(GameOutcome::Loss)] {
                let letters = result_letters(is_rated, outcome);
                assert_eq!(parse_result_letters(&letters), Some((is_rated, outcome)));
            }
        }
        assert_eq!(parse_result_letters("x"), None);
    }
}
