//! What somebody's program or page wants to know of tables, without anything being done.

use serde_json::json;

use super::Desk;
use crate::chat::{Looking, Person, Place, present};
use crate::i18n::Lang;
use crate::ids::TableId;
use crate::ledger::Failure;
use crate::ledger::profiles::Reader;

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
        let reader = self.reader(place, person).await?;
        let asked = (looking, self.post.watching(&table).await?);
        let state = self.letters.state(&table, &place.id, &person.id, &reader, asked);
        Ok(state.and_then(|it| serde_json::to_string(&it).ok()))
    }

    /// The open tables of a person, everywhere, those that wait for them first, as JSON.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn own_tables(&self, place: &Place, person: &Person) -> Result<String, Failure> {
        let reader = self.reader(place, person).await?;
        let mut all = Vec::new();
        for id in self.tables_of(&person.id).await? {
            let Ok(Some(table)) = self.ledger.look(&id).await else { continue };
            let own = |turn: u8| table.seats_of(&person.id).any(|it| it == turn);
            let yours = table.turn().is_some_and(own);
            let at = table.place_of(&person.id).unwrap_or(table.home());
            let link = self.post.link(&table, at).await?;
            let says = self.letters.i18n().plain(reader.lang, &present::line(&table, &person.id));
            let game = table.game_id().info().code;
            let one = json!({
                "table": id.0, "game": game, "your_turn": yours, "says": says, "link": link,
            });
            all.push((!yours, std::cmp::Reverse(table.last_ms), one));
        }
        all.sort_by_key(|it| (it.0, it.1));
        let all: Vec<_> = all.into_iter().map(|it| it.2).collect();
        Ok(json!({ "tables": all }).to_string())
    }

    /// How something is shown to somebody who only looks.
    async fn reader(&self, place: &Place, person: &Person) -> Result<Reader, Failure> {
        let (mut known, chat) = self.ledger.profiles(&person.id, &place.id).await?;
        known.guess = person.locale.as_deref().and_then(Lang::of_locale).or(known.guess);
        Ok(known.reads(&chat))
    }
}
