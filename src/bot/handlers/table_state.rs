//! What somebody's program or page wants to know of tables, without anything being done.

use serde::Serialize;
use serde_json::json;

use super::Handlers;
use crate::repository::Failure;
use crate::repository::profiles::DisplayPrefs;
use crate::views::board_view;
use caravanserai_games::ids::{PersonId, PlaceId, TableId};
use caravanserai_i18n::Lang;
use caravanserai_protocol::{Chat, Person, StateQuery, ViewerPage};
use caravanserai_table::state::Table;

impl Handlers {
    /// What somebody may know of a table that stands in a place, as JSON; `None` if there is none
    /// for them.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn table_state(
        &self,
        place: &Chat,
        person: &Person,
        table: &TableId,
        looking: StateQuery,
    ) -> Result<Option<String>, Failure> {
        let Some(table) = self.repository.load_table(table).await? else { return Ok(None) };
        self.state_of_table(&table, place, person, looking).await
    }

    /// The same of a table that is known.
    pub(crate) async fn state_of_table(
        &self,
        table: &Table,
        place: &Chat,
        person: &Person,
        looking: StateQuery,
    ) -> Result<Option<String>, Failure> {
        let StateViewer { person, display_prefs: reader, confirms_moves: twice } =
            self.load_viewer(place, person).await?;
        if !self.can_look(table, &place.id, &person) {
            return Ok(None);
        }
        let asked = (looking, self.delivery.count_spectators(table).await?);
        let state = self.message_renderer.table_state(table, &place.id, &person, &reader, asked);
        Ok(to_json_string(state.map(|it| it.with_confirmation(twice))))
    }

    /// What somebody in a place may know of something to be looked at, as JSON; `None` if there is
    /// none for them.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn look_view(
        &self,
        place: &Chat,
        person: &Person,
        look: ViewerPage,
    ) -> Result<Option<String>, Failure> {
        let StateViewer { person, display_prefs: reader, .. } =
            self.load_viewer(place, person).await?;
        match look {
            ViewerPage::Replay { table, from, seat } => {
                let Some(table) = self.repository.load_table(&table).await? else {
                    return Ok(None);
                };
                if !self.can_look(&table, &place.id, &person) {
                    return Ok(None);
                }
                let (at, who) = (place.id.clone(), person);
                let posts = !self.delivery.is_sole(&at);
                let made = self.message_renderer.run_blocking(move |letters| {
                    let replay = letters.replay_state(&table, &at, &who, &reader, (from, seat));
                    to_json_string(
                        replay.map(|it| if posts { it } else { it.without_replay_post() }),
                    )
                });
                Ok(made.await.flatten())
            }
            ViewerPage::Review { table, .. } => {
                let Some(table) = self.repository.load_table(&table).await? else {
                    return Ok(None);
                };
                if !self.can_look(&table, &place.id, &person) {
                    return Ok(None);
                }
                Ok(to_json_string(
                    self.message_renderer.review_state(&table, &place.id, &person, &reader).await?,
                ))
            }
            ViewerPage::Lesson { game, page, tried } => Ok(to_json_string(
                self.message_renderer.lesson_state(&game, &page, tried.as_deref(), &reader),
            )),
        }
    }

    /// Whether a person may see a table in one of its places now.
    pub(crate) fn can_look(&self, table: &Table, place: &PlaceId, person: &PersonId) -> bool {
        table.seats_of(person).next().is_some() || self.delivery.can_see(table, place)
    }

    /// The open tables of a person, everywhere, those that wait for them first, as JSON.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn own_tables_json(&self, place: &Chat, person: &Person) -> Result<String, Failure> {
        let StateViewer { person, display_prefs: reader, .. } =
            self.load_viewer(place, person).await?;
        self.tables_json(&person, reader.lang).await
    }

    /// The open tables of a person, told in a language.
    pub(crate) async fn tables_json(
        &self,
        person: &PersonId,
        lang: Lang,
    ) -> Result<String, Failure> {
        let mut all = Vec::new();
        for id in self.tables_of(person).await? {
            let Ok(Some(table)) = self.repository.load_table(&id).await else { continue };
            let own = |turn: u8| table.seats_of(person).any(|it| it == turn);
            let yours = table.seat_to_move().is_some_and(own);
            let at = table.chat_of(person).unwrap_or(table.home());
            let link = self.delivery.board_url(&table, at).await?;
            let says = self
                .message_renderer
                .i18n()
                .translate_plain(lang, &board_view::table_line(&table, person));
            let game = table.game_id().info().code;
            let one = json!({
                "table": id.0, "game": game, "your_turn": yours, "says": says, "link": link,
            });
            all.push((!yours, std::cmp::Reverse(table.last_event_ms), one));
        }
        all.sort_by_key(|it| (it.0, it.1));
        let shown = self.repository.limits().tables_per_person;
        let all: Vec<_> = all.into_iter().take(shown).map(|it| it.2).collect();
        Ok(json!({ "tables": all }).to_string())
    }

    /// Who is behind an account that only looks, and how something is shown to them.
    async fn load_viewer(&self, place: &Chat, account: &Person) -> Result<StateViewer, Failure> {
        let (mut known, chat) = self.repository.load_profiles(&account.id, &place.id).await?;
        let mut person = account.id.clone();
        if let Some(main) = known.main.take() {
            known = self.repository.load_person(&main).await?;
            person = main;
        }
        known.guess = account.locale.as_deref().and_then(Lang::from_locale).or(known.guess);
        Ok(StateViewer {
            person,
            display_prefs: known.display_prefs(&chat),
            confirms_moves: known.confirm,
        })
    }
}

/// Somebody who looks.
struct StateViewer {
    person: PersonId,
    display_prefs: DisplayPrefs,
    /// Whether they want to be asked twice.
    confirms_moves: bool,
}

fn to_json_string<T: Serialize>(told: Option<T>) -> Option<String> {
    told.and_then(|it| serde_json::to_string(&it).ok())
}
