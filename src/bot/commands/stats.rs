//! `/me` and `/stats`: ratings and statistics of a person.

use super::action::{ActionFuture, ChatAction, Request};
use super::argument;
use super::details::ShowDetails;
use super::history::ShowHistory;
use super::input::CommandInput;
use super::registry::CommandFile;
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::{HandlerResult, Handlers, RequestContext};
use crate::parsing::trailing_words::TrailingWords;
use crate::results::queries::HistoryFilter;
use crate::settings::Setting;
use crate::views::result_views::{self, ResultCounts, Statistics};
use caravanserai_games::ids::{ChatKind, PersonId};
use caravanserai_games::text::Text;
use caravanserai_protocol::Mention;
use caravanserai_protocol::view::{PictureRef, View};
use caravanserai_results::RatingScope;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![
            CommandSpec {
                in_short_menu: true,
                is_answered_privately: true,
                ..CommandSpec::new("me", |input| input.without_words(ShowStatistics { of: None }))
            },
            CommandSpec {
                menu_group: Some(MenuGroup::Analysis),
                arguments: vec![argument::FRIEND],
                is_answered_privately: true,
                ..CommandSpec::new("stats", parse)
            },
        ]
    },
    ..CommandFile::EMPTY
};

/// The number of last games under the statistics.
const LAST_GAMES: usize = 5;

fn parse(input: &CommandInput<'_>) -> Request {
    match (input.trailing_words_without_mentions(), input.mentions) {
        (TrailingWords::Nothing, []) => Request::chat(ShowStatistics { of: None }),
        (TrailingWords::Nothing, [friend]) => {
            Request::chat(ShowStatistics { of: Some(friend.clone()) })
        }
        _ => input.refuse_words(&input.trailing_words()),
    }
}

/// Shows the statistics of a person: one's own of all chats, those of others in this chat.
#[derive(Clone, Debug)]
pub struct ShowStatistics {
    /// The person; `None` for the sender.
    pub of: Option<Mention>,
}

impl ChatAction for ShowStatistics {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            let own = context.update.person.id.clone();
            let Some(friend) = &self.of else {
                return own_statistics(handlers, context, &own).await;
            };
            let (person, name) = handlers.mentions.find_person(context, friend).await?;
            if person == own {
                return own_statistics(handlers, context, &own).await;
            }
            // Statistics of other people are limited to a chat that both share.
            if context.update.chat.kind == ChatKind::Private {
                return Ok(vec![View::brief(Text::new("refuse-stats-private"))]);
            }
            let chat = context.update.chat.id.without_topic();
            let scope = RatingScope::of_chat(chat);
            let results = handlers.repository.results();
            let records = results.played_records(&scope, &person).await?;
            let filter = HistoryFilter::against(person.clone(), chat);
            let (games, has_older_games) = results.filter_latest(&own, &filter).await?;
            let shown = Statistics {
                name: &name,
                is_own: false,
                now_ms: context.now_ms,
                records: &records,
                play: &results.play_quality(&person, &scope, &records).await?,
                shows_achievements: false,
                against_reader: ResultCounts::against(&games, &person),
                has_older_games,
                games: ShowHistory::against(handlers, context, None, &person).await?,
                details: ShowDetails::for_person_in_chat(handlers, context, &person).await?,
                last: &[],
            };
            let picture = PictureRef::HeadToHead {
                person: own.0.clone(),
                opponent: person.0,
                chat: chat.to_owned(),
            };
            Ok(vec![View { picture: Some(picture), ..result_views::statistics_view(&shown) }])
        })
    }
}

async fn own_statistics(
    handlers: &Handlers,
    context: &RequestContext<'_>,
    own: &PersonId,
) -> HandlerResult {
    let results = handlers.repository.results();
    let records = results.played_records(&RatingScope::OVERALL, own).await?;
    let last = results.history(own, 0, LAST_GAMES).await?.entries;
    let shown = Statistics {
        name: &context.update.person.name,
        is_own: true,
        now_ms: context.now_ms,
        records: &records,
        play: &results.play_quality(own, &RatingScope::OVERALL, &records).await?,
        shows_achievements: Setting::shows_achievements(&context.person),
        against_reader: ResultCounts::default(),
        has_older_games: false,
        games: ShowHistory::default(),
        details: ShowDetails::default(),
        last: &last,
    };
    let picture = Some(PictureRef::Ratings { person: own.0.clone() });
    Ok(vec![View { picture, ..result_views::statistics_view(&shown) }])
}
