//! Read-only state of tables for clients such as the web page.

use std::sync::Arc;

use super::analysis_lines::AnalysisLines;
use super::table_index::tables_of;
use crate::commands::action::TableAction;
use crate::commands::review::RequestReview;
use crate::delivery::{Delivery, MessageRenderer};
use crate::repository::chat_settings::ChatSettings;
use crate::repository::profiles::{DisplayPrefs, PersonProfile};
use crate::repository::{Failure, Repository};
use crate::results::queries::HistoryFilter;
use crate::results::row_formats::HistoryEntry;
use crate::settings::{Setting, SettingScope, own_setting_callback_data};
use crate::views::{board_view, result_views};
use crate::workers::label_text;
use caravanserai_games::GameId;
use caravanserai_games::ids::{ChatId, PersonId, TableId};
use caravanserai_games::text::Text;
use caravanserai_i18n::Lang;
use caravanserai_protocol::{
    Attachment, Chat, FinishedGame, FinishedGames, FinishedGamesQuery, FinishedOutcome,
    FinishedRating, OwnSetting, OwnSettingValue, OwnSettings, OwnTable, OwnTables, Person,
    PictureLayout, StateQuery, TableStateView, ViewerPage, ViewerPageState,
};
use caravanserai_results::GameOutcome;
use caravanserai_table::command::Actor;
use caravanserai_table::state::Table;

/// The number of finished games on a page.
const GAMES_PER_PAGE: usize = 10;

/// Reads the state of tables for clients.
pub(crate) struct ClientQueryHandler {
    pub(super) repository: Arc<Repository>,
    delivery: Arc<Delivery>,
    pub(super) message_renderer: Arc<MessageRenderer>,
    pub(super) analysis_lines: AnalysisLines,
}

impl ClientQueryHandler {
    pub(crate) fn new(
        repository: Arc<Repository>,
        delivery: Arc<Delivery>,
        message_renderer: Arc<MessageRenderer>,
    ) -> Self {
        Self { repository, delivery, message_renderer, analysis_lines: AnalysisLines::new() }
    }

    /// The state of a table that is shown in a chat for a person; `None` if they may not see it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn table_state(
        &self,
        chat: &Chat,
        person: &Person,
        table: &TableId,
        query: StateQuery,
    ) -> Result<Option<TableStateView>, Failure> {
        let Some(table) = self.repository.load_table(table).await? else { return Ok(None) };
        self.state_of_table(&table, chat, person, query).await
    }

    /// The state of a loaded table.
    pub(crate) async fn state_of_table(
        &self,
        table: &Table,
        chat: &Chat,
        account: &Person,
        query: StateQuery,
    ) -> Result<Option<TableStateView>, Failure> {
        let StateViewer { person, display_prefs: reader, confirms_moves } =
            self.load_viewer(chat, account).await?;
        if !can_view(&self.delivery, table, &chat.id, &person) {
            return Ok(None);
        }
        let request = (query, self.delivery.count_spectators(table).await?);
        let now_ms = self.repository.now_ms();
        let viewer = Actor {
            person,
            name: account.name.clone(),
            username: account.username.clone(),
            chat: chat.id.clone(),
            is_admin: account.admin,
            is_chat_admin: account.admin,
            cause: String::new(),
            now_ms,
            received_ms: now_ms,
        };
        let ratings = self.repository.results().shown_ratings(table).await?;
        let state =
            self.message_renderer.table_state(table, &viewer, &reader, request, ratings.as_ref());
        Ok(state.map(|it| it.with_confirmation(confirms_moves)))
    }

    /// A page for a viewer (a replay, a review or a lesson), that of a replay or a lesson with its
    /// boards in this layout; `None` if the person may not see it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn load_viewer_page(
        &self,
        chat: &Chat,
        person: &Person,
        page: ViewerPage,
        layout: PictureLayout,
    ) -> Result<Option<ViewerPageState>, Failure> {
        let StateViewer { person, display_prefs: reader, .. } =
            self.load_viewer(chat, person).await?;
        match page {
            ViewerPage::Replay { table, from, seat } => {
                let Some(table) = self.repository.load_table(&table).await? else {
                    return Ok(None);
                };
                if !can_view(&self.delivery, &table, &chat.id, &person) {
                    return Ok(None);
                }
                let can_post = !self.delivery.is_single_message_chat(&chat.id);
                let chat_id = viewing_chat(&table, &chat.id, &person);
                let person_id = person;
                let state = self.message_renderer.run_blocking(move |message_renderer| {
                    let replay = message_renderer.replay_state(
                        &table,
                        (&chat_id, &person_id),
                        (&reader, layout),
                        (from, seat),
                    );
                    replay.map(|it| if can_post { it } else { it.without_replay_post() })
                });
                Ok(state.await.flatten().map(ViewerPageState::Replay))
            }
            ViewerPage::Review { table, .. } => {
                let Some(table) = self.repository.load_table(&table).await? else {
                    return Ok(None);
                };
                if !can_view(&self.delivery, &table, &chat.id, &person) {
                    return Ok(None);
                }
                let shown_in = viewing_chat(&table, &chat.id, &person);
                let review =
                    self.message_renderer.review_state(&table, &shown_in, &person, &reader).await?;
                Ok(review.map(ViewerPageState::Review))
            }
            ViewerPage::Lesson { game, page, tried } => {
                let viewer = (&reader, layout);
                let lesson =
                    self.message_renderer.lesson_state(&game, &page, tried.as_deref(), viewer);
                Ok(lesson.map(ViewerPageState::Lesson))
            }
        }
    }

    /// The open tables of a person in all chats; those that wait for them first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn own_tables(
        &self,
        chat: &Chat,
        person: &Person,
    ) -> Result<OwnTables, Failure> {
        let StateViewer { person, display_prefs: reader, .. } =
            self.load_viewer(chat, person).await?;
        self.describe_own_tables(&person, reader.lang).await
    }

    /// The open tables of a person in a language.
    pub(crate) async fn describe_own_tables(
        &self,
        person: &PersonId,
        lang: Lang,
    ) -> Result<OwnTables, Failure> {
        let mut entries = Vec::new();
        for id in tables_of(&self.repository, person).await? {
            let Ok(Some(table)) = self.repository.load_table(&id).await else { continue };
            let is_own_seat = |turn: u8| table.seating.has_seat(person, turn);
            let is_your_turn = table.seat_to_move().is_some_and(is_own_seat);
            let at = table.chat_of(person).unwrap_or(table.chats.home());
            let link = self.delivery.board_url(&table, at).await?;
            let line = self
                .message_renderer
                .i18n()
                .translate_plain(lang, &board_view::table_line(&table, person));
            let game = table.game_id().info().code;
            let entry = OwnTable { game, link, says: line, table: id.0, your_turn: is_your_turn };
            entries.push((!is_your_turn, std::cmp::Reverse(table.times.last_event_ms), entry));
        }
        entries.sort_by_key(|it| (it.0, it.1));
        let shown = self.repository.limits().tables_per_person;
        Ok(OwnTables { tables: entries.into_iter().take(shown).map(|it| it.2).collect() })
    }

    /// A page of the finished games of a person.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn finished_games(
        &self,
        chat: &Chat,
        account: &Person,
        query: FinishedGamesQuery,
    ) -> Result<FinishedGames, Failure> {
        let StateViewer { person, display_prefs, .. } = self.load_viewer(chat, account).await?;
        let game = match query.game.as_deref().map(GameId::from_code) {
            // Nobody has played a game that does not exist.
            Some(None) => return Ok(FinishedGames { games: Vec::new(), next: None }),
            game => game.flatten(),
        };
        let opponent = match &query.opponent {
            Some(account) => Some(self.repository.profiles().resolve_person(account).await?),
            None => None,
        };
        let chat_id = query.chat.as_ref().map(|it| it.without_topic().to_owned());
        let filter = HistoryFilter { game, opponent, chat: chat_id, ..HistoryFilter::default() };
        let results = self.repository.results();
        let after = query.after.as_deref();
        let found = results.search_history(&person, &filter, after, GAMES_PER_PAGE).await?;
        let tables: Vec<&TableId> = found.entries.iter().map(|it| &it.table).collect();
        let removed = self.repository.kept_games().removal_texts(&tables).await?;
        let games = found.entries.iter().zip(removed);
        let games = games.map(|(it, removal)| self.describe_game(it, removal, display_prefs.lang));
        Ok(FinishedGames { games: games.collect(), next: found.next })
    }

    /// A game of a history in a language. `removal`: why it is gone, if it was removed.
    fn describe_game(
        &self,
        entry: &HistoryEntry,
        removal: Option<Text>,
        lang: Lang,
    ) -> FinishedGame {
        let i18n = self.message_renderer.i18n();
        let opponents = result_views::opponents(entry);
        let reason = entry.casual.first();
        let review: &dyn TableAction = &RequestReview;
        let rating = FinishedRating {
            before: entry.rating.before,
            after: entry.rating.after,
            provisional: entry.rating.is_provisional,
        };
        FinishedGame {
            table: entry.table.clone(),
            game: entry.game.clone(),
            opponents: opponents.iter().map(|it| label_text(i18n, lang, it)).collect(),
            outcome: match entry.outcome {
                GameOutcome::Win => FinishedOutcome::Won,
                GameOutcome::Draw => FinishedOutcome::Drawn,
                GameOutcome::Loss => FinishedOutcome::Lost,
            },
            ended_ms: entry.ended_ms,
            rating: reason.is_none().then_some(rating),
            casual: reason.map(|it| i18n.translate_plain(lang, &result_views::casual_text(*it))),
            review: review.callback_data(&entry.table),
            removed: removal.map(|it| i18n.translate_plain(lang, &it)),
            chat: Some(ChatId(entry.chat.clone())).filter(|it| !it.0.is_empty()),
        }
    }

    /// The record of a finished game that this person played, to its end or until they left it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn game_record(
        &self,
        account: &Person,
        id: &TableId,
    ) -> Result<Option<Attachment>, Failure> {
        let person = self.repository.profiles().resolve_person(&account.id).await?;
        let Some(table) = self.repository.load_table(id).await? else { return Ok(None) };
        if !table.has_played(&person) || !table.is_over() {
            return Ok(None);
        }
        self.message_renderer.record_file(id).await
    }

    /// The settings of a person, without those that have pages of their own.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn own_settings(
        &self,
        chat: &Chat,
        account: &Person,
    ) -> Result<OwnSettings, Failure> {
        let (_, profile, chat_profile) = self.load_profiles(chat, account).await?;
        let i18n = self.message_renderer.i18n();
        let lang = profile.display_prefs(&chat_profile).lang;
        let describe = |setting: &Setting| {
            let value = |value: &'static str| OwnSettingValue {
                value,
                label: label_text(i18n, lang, &setting.value_label(value)),
                callback_data: own_setting_callback_data(*setting, value),
            };
            OwnSetting {
                code: setting.code(),
                label: i18n.translate_plain(lang, &setting.label()),
                value: profile.setting_value(*setting, &chat_profile),
                values: setting.values().into_iter().map(value).collect(),
            }
        };
        let settings = Setting::of_scope(SettingScope::Person).iter();
        let settings = settings.filter(|it| **it != Setting::VACATION).map(describe);
        Ok(OwnSettings { settings: settings.filter(|it| !it.values.is_empty()).collect() })
    }

    /// The person behind an account that only watches, and how to show content to them.
    pub(super) async fn load_viewer(
        &self,
        chat: &Chat,
        account: &Person,
    ) -> Result<StateViewer, Failure> {
        let (person, profile, chat_profile) = self.load_profiles(chat, account).await?;
        Ok(StateViewer {
            person,
            display_prefs: profile.display_prefs(&chat_profile),
            confirms_moves: profile.confirms_moves,
        })
    }

    /// The person behind an account, with their profile and that of a chat.
    async fn load_profiles(
        &self,
        chat: &Chat,
        account: &Person,
    ) -> Result<(PersonId, PersonProfile, ChatSettings), Failure> {
        let profiles = self.repository.profiles();
        let (profile, chat_profile) = profiles.load_profiles(&account.id, &chat.id).await?;
        let (person, mut profile) = profiles.load_main(&account.id, profile).await?;
        profile.detected_lang =
            account.locale.as_deref().and_then(Lang::from_locale).or(profile.detected_lang);
        Ok((person, profile, chat_profile))
    }
}

/// Whether a person may see a table in one of its chats now.
pub(crate) fn can_view(
    delivery: &Delivery,
    table: &Table,
    chat: &ChatId,
    person: &PersonId,
) -> bool {
    table.has_played(person) || delivery.can_see(table, chat)
}

/// The chat as part of which a person looks back at a game: the one where they ask; if a finished
/// game of theirs is not shown there, the one where they played it.
fn viewing_chat(table: &Table, chat: &ChatId, person: &PersonId) -> ChatId {
    let is_own = table.has_played(person);
    let is_over = table.is_over();
    match table.chats.location_in(chat) {
        None if is_own && is_over => table.chat_of(person).unwrap_or(chat).clone(),
        _ => chat.clone(),
    }
}

/// A person who watches a table.
pub(super) struct StateViewer {
    pub(super) person: PersonId,
    pub(super) display_prefs: DisplayPrefs,
    /// Whether their moves need a second press.
    confirms_moves: bool,
}
