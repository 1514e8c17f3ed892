//! `/top`: the rating lists of a chat, of all chats, or of this month.

use super::action::{ActionFuture, ChatAction, Request};
use super::argument;
use super::input::CommandInput;
use super::registry::{ButtonCode, CommandFile};
use super::spec::CommandSpec;
use crate::handlers::{Handlers, RequestContext};
use crate::parsing::command_lookup::find_named_game;
use crate::results::row_formats::LeaderboardEntry;
use crate::views::result_views::{self, ListReader, SeasonPages};
use caravanserai_games::GameId;
use caravanserai_games::ids::ChatKind;
use caravanserai_protocol::view::{PictureRef, View};
use caravanserai_results::{RatingList, RatingScope, Season};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            arguments: vec![argument::GAME],
            in_short_menu: true,
            ..CommandSpec::new("top", parse)
        }]
    },
    buttons: &[ButtonCode::Chat(TOP_CODE, decode_button)],
    ..CommandFile::EMPTY
};

/// The code of the buttons that show lists.
const TOP_CODE: &str = "tp";

/// The most places of a list that are shown.
pub const PLACES_SHOWN: usize = 10;

/// The most places that are shown below a picture: platforms limit the text there.
const PICTURED_PLACES_MAX: usize = 12;

fn parse(input: &CommandInput<'_>) -> Request {
    let scope = match input.chat_kind {
        ChatKind::Group => ListScope::Chat,
        ChatKind::Private => ListScope::Everywhere,
    };
    match find_named_game(input.words) {
        None if !input.words.is_empty() => input.refuse_words(&input.trailing_words()),
        game => Request::chat(ShowTop { scope, game }),
    }
}

fn decode_button(rest: &str) -> Option<Request> {
    let (scope, game) = rest.split_once('.')?;
    let scope = ListScope::parse(scope)?;
    let game = match game {
        "" => None,
        code => Some(GameId::from_code(code)?),
    };
    Some(Request::chat(ShowTop { scope, game }))
}

/// The games that a list counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListScope {
    /// Those of the chat.
    Chat,
    /// Those of all chats.
    Everywhere,
    /// Those of one month, in the chat if it is a group; `None` for this month.
    Season(Option<Season>),
}

/// The code of [`ListScope::Season`], before the month.
const SEASON_CODE: &str = "m";

impl ListScope {
    fn code(self) -> String {
        match self {
            ListScope::Chat => "c".to_owned(),
            ListScope::Everywhere => "a".to_owned(),
            ListScope::Season(None) => SEASON_CODE.to_owned(),
            ListScope::Season(Some(season)) => format!("{SEASON_CODE}{season}"),
        }
    }

    fn parse(code: &str) -> Option<ListScope> {
        match code {
            "c" => Some(ListScope::Chat),
            "a" => Some(ListScope::Everywhere),
            SEASON_CODE => Some(ListScope::Season(None)),
            code => {
                let season = Season::parse(code.strip_prefix(SEASON_CODE)?)?;
                Some(ListScope::Season(Some(season)))
            }
        }
    }
}

/// Shows rating lists.
#[derive(Clone, Copy, Debug)]
pub struct ShowTop {
    /// The games that they count.
    pub scope: ListScope,
    /// The game; `None` for all games.
    pub game: Option<GameId>,
}

impl ShowTop {
    /// The callback data of the button that shows these lists.
    pub fn callback_data(self) -> String {
        let game = self.game.map_or("", |it| it.info().code);
        format!("{TOP_CODE}.{}.{game}", self.scope.code())
    }

    /// The picture of these lists: that of the one with the most places. `None` if the lists do not
    /// fit below a picture.
    fn picture(
        self,
        scope: &RatingScope,
        lists: &[(RatingList, Vec<LeaderboardEntry>)],
    ) -> Option<PictureRef> {
        let shown: Vec<_> = lists.iter().filter(|it| self.is_about(&it.0)).collect();
        let (list, _) = shown.iter().rev().max_by_key(|it| it.1.len())?;
        let places: usize = shown.iter().map(|it| it.1.len()).sum();
        (places <= PICTURED_PLACES_MAX)
            .then(|| PictureRef::Ranking { scope: scope.code(), list: list.code() })
    }

    /// Whether it shows this list.
    pub fn is_about(self, list: &RatingList) -> bool {
        self.game.is_none_or(|it| it.info().code == list.game())
    }
}

impl ChatAction for ShowTop {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            let chat = &context.update.chat;
            let is_group = chat.kind == ChatKind::Group;
            let results = handlers.repository.results();
            let here = match self.scope {
                ListScope::Everywhere => RatingScope::OVERALL,
                ListScope::Season(_) if !is_group => RatingScope::OVERALL,
                ListScope::Chat | ListScope::Season(_) => {
                    RatingScope::of_chat(chat.id.without_topic())
                }
            };
            let (scope, seasons) = match self.scope {
                ListScope::Season(season) => {
                    let current = Season::at(context.now_ms);
                    let seasons = results.seasons(&here).await?;
                    let pages = SeasonPages::new(season.unwrap_or(current), current, &seasons);
                    (here.in_season(pages.shown), Some(pages))
                }
                ListScope::Chat | ListScope::Everywhere => (here, None),
            };
            let lists = results.lists(&scope, chat.id.without_topic(), PLACES_SHOWN).await?;
            let own = &context.update.person.id;
            let mut own_places = Vec::new();
            for (list, places) in lists.iter().filter(|(list, _)| self.is_about(list)) {
                // Only a list that is full goes on below the shown places.
                if places.len() == PLACES_SHOWN && places.iter().all(|it| it.person != *own) {
                    let place = results
                        .leaderboard_entry(&scope, chat.id.without_topic(), list, own)
                        .await?;
                    own_places.extend(place.map(|it| (list.clone(), it)));
                }
            }
            let reader = ListReader { person: own, places: &own_places, is_group };
            let view = result_views::lists_view(*self, seasons, &lists, reader);
            // The picture of all chats does not know which names this chat hides.
            let hidden = handlers.repository.hidden_names().await?;
            let is_shown = scope.chat.is_some() || !hidden.has_any_in(chat.id.without_topic());
            let picture = self.picture(&scope, &lists).filter(|_| is_shown);
            Ok(vec![View { picture, ..view }])
        })
    }
}
