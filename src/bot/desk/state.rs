//! What somebody's program or page wants to know of tables, without anything being done.

use serde::Serialize;
use serde_json::json;

use super::Desk;
use crate::ledger::Failure;
use crate::ledger::profiles::Reader;
use caravanserai_games::ids::{PersonId, PlaceId, TableId};
use caravanserai_i18n::Lang;
use caravanserai_protocol::{Look, Looking, Person, Place, present};
use caravanserai_table::fold::Table;

impl Desk {
    /// What somebody may know of a table that stands in a place, as JSON; `None` if there is none
    /// for them.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn state(
        &self,
        place: &Place,
        person: &Person,
        table: &TableId,
        looking: Looking,
    ) -> Result<Option<String>, Failure> {
        let Some(table) = self.ledger.look(table).await? else { return Ok(None) };
        self.state_of(&table, place, person, looking).await
    }

    /// The same of a table that is known.
    pub(super) async fn state_of(
        &self,
        table: &Table,
        place: &Place,
        person: &Person,
        looking: Looking,
    ) -> Result<Option<String>, Failure> {
        let Viewer { person, reader, twice } = self.viewer(place, person).await?;
        if !self.may_look(table, &place.id, &person) {
            return Ok(None);
        }
        let asked = (looking, self.post.watching(table).await?);
        let state = self.letters.state(table, &place.id, &person, &reader, asked);
        Ok(written(state.map(|it| it.asking(twice))))
    }

    /// What somebody in a place may know of something to be looked at, as JSON; `None` if there is
    /// none for them.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn show(
        &self,
        place: &Place,
        person: &Person,
        look: Look,
    ) -> Result<Option<String>, Failure> {
        let Viewer { person, reader, .. } = self.viewer(place, person).await?;
        match look {
            Look::Replay { table, from, seat } => {
                let Some(table) = self.ledger.look(&table).await? else { return Ok(None) };
                if !self.may_look(&table, &place.id, &person) {
                    return Ok(None);
                }
                let (at, who) = (place.id.clone(), person);
                let posts = !self.post.is_sole(&at);
                let made = self.letters.aside(move |letters| {
                    let replay = letters.replay(&table, &at, &who, &reader, (from, seat));
                    written(replay.map(|it| if posts { it } else { it.without_film() }))
                });
                Ok(made.await.flatten())
            }
            Look::Review { table, .. } => {
                let Some(table) = self.ledger.look(&table).await? else { return Ok(None) };
                if !self.may_look(&table, &place.id, &person) {
                    return Ok(None);
                }
                Ok(written(self.letters.review(&table, &place.id, &person, &reader).await?))
            }
            Look::Lesson { game, page, tried } => {
                Ok(written(self.letters.lesson(&game, &page, tried.as_deref(), &reader)))
            }
        }
    }

    /// Whether a person may see a table in one of its places now.
    pub(super) fn may_look(&self, table: &Table, place: &PlaceId, person: &PersonId) -> bool {
        table.seats_of(person).next().is_some() || self.post.may_see(table, place)
    }

    /// The open tables of a person, everywhere, those that wait for them first, as JSON.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn own_tables(&self, place: &Place, person: &Person) -> Result<String, Failure> {
        let Viewer { person, reader, .. } = self.viewer(place, person).await?;
        self.tables_as_json(&person, reader.lang).await
    }

    /// The open tables of a person, told in a language.
    pub(super) async fn tables_as_json(
        &self,
        person: &PersonId,
        lang: Lang,
    ) -> Result<String, Failure> {
        let mut all = Vec::new();
        for id in self.tables_of(person).await? {
            let Ok(Some(table)) = self.ledger.look(&id).await else { continue };
            let own = |turn: u8| table.seats_of(person).any(|it| it == turn);
            let yours = table.turn().is_some_and(own);
            let at = table.place_of(person).unwrap_or(table.home());
            let link = self.post.link(&table, at).await?;
            let says = self.letters.i18n().plain(lang, &present::line(&table, person));
            let game = table.game_id().info().code;
            let one = json!({
                "table": id.0, "game": game, "your_turn": yours, "says": says, "link": link,
            });
            all.push((!yours, std::cmp::Reverse(table.last_ms), one));
        }
        all.sort_by_key(|it| (it.0, it.1));
        let shown = self.ledger.limits().tables_per_person;
        let all: Vec<_> = all.into_iter().take(shown).map(|it| it.2).collect();
        Ok(json!({ "tables": all }).to_string())
    }

    /// Who is behind an account that only looks, and how something is shown to them.
    async fn viewer(&self, place: &Place, account: &Person) -> Result<Viewer, Failure> {
        let (mut known, chat) = self.ledger.profiles(&account.id, &place.id).await?;
        let mut person = account.id.clone();
        if let Some(main) = known.main.take() {
            known = self.ledger.person(&main).await?;
            person = main;
        }
        known.guess = account.locale.as_deref().and_then(Lang::of_locale).or(known.guess);
        Ok(Viewer { person, reader: known.reads(&chat), twice: known.confirm })
    }
}

/// Somebody who looks.
struct Viewer {
    person: PersonId,
    reader: Reader,
    /// Whether they want to be asked twice.
    twice: bool,
}

fn written<T: Serialize>(told: Option<T>) -> Option<String> {
    told.and_then(|it| serde_json::to_string(&it).ok())
}
