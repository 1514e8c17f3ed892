//! What those who have signed in on the page see of tables, and what they do there.

use std::sync::Arc;

use super::Desk;
use crate::ledger::Failure;
use caravanserai_games::ids::{PlaceId, PlaceKind, TableId};
use caravanserai_i18n::Lang;
use caravanserai_protocol::guests::Guest;
use caravanserai_protocol::press::TablePress;
use caravanserai_protocol::{
    Arrival, Body, Look, Looking, Parents, Person, Place, Update, Whisper,
};
use caravanserai_store::{Change, next_change};
use caravanserai_table::fold::{Spot, Table};

/// How presses begin that are of no table and may be made anywhere: pages of a course, the second
/// press for cards, the pace of computers.
const HARMLESS: [&str; 3] = ["q.", "Q.", "y."];

/// The place in which somebody sees a table: where they play it, where the platform said that they
/// are, or their own private chat with the bot. `None` if it is not theirs to see.
fn stands_at(table: &Table, guest: &Guest) -> Option<Place> {
    let person = &guest.person;
    let readable = |it: &Spot<'_>| it.reader.is_none_or(|reader| reader == person);
    let plays = table.seats_of(person).next().is_some() || table.setup.opener == *person;
    let own = || table.place_of(person).and_then(|it| table.spot(it));
    let vouched = || table.spots().find(|it| readable(it) && guest.places.contains(it.place));
    let alone = || table.spots().find(|it| it.reader == Some(person));
    let spot = if plays { own().filter(readable) } else { None };
    let spot = spot.or_else(vouched).or_else(alone)?;
    Some(Place {
        id: spot.place.clone(),
        kind: if spot.reader.is_some() { PlaceKind::Private } else { PlaceKind::Group },
        title: String::new(),
        locale: None,
        parents: Parents::default(),
    })
}

impl Desk {
    /// The same, if they may look there now.
    fn seen_at(&self, table: &Table, guest: &Guest) -> Option<Place> {
        stands_at(table, guest).filter(|it| self.may_look(table, &it.id, &guest.person))
    }

    /// What a guest may know of a table, as JSON.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn guest_state(
        &self,
        guest: &Guest,
        table: &TableId,
        looking: Looking,
    ) -> Result<Option<String>, Failure> {
        let Some(table) = self.ledger.look(table).await? else { return Ok(None) };
        let Some(place) = self.seen_at(&table, guest) else { return Ok(None) };
        self.state_of(&table, &place, &guest.account, looking).await
    }

    /// What a guest may know of a game step by step, or of its review, as JSON.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn guest_show(&self, guest: &Guest, look: Look) -> Result<Option<String>, Failure> {
        let (Look::Replay { table, .. } | Look::Review { table, .. }) = &look else {
            return Ok(None);
        };
        let Some(table) = self.ledger.look(table).await? else { return Ok(None) };
        let Some(place) = self.seen_at(&table, guest) else { return Ok(None) };
        self.show(&place, &guest.account, look).await
    }

    /// The open tables of a guest, as JSON.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn guest_tables(&self, guest: &Guest) -> Result<String, Failure> {
        let lang = Lang::of_locale(&guest.lang).unwrap_or_default();
        self.tables_as_json(&guest.person, lang).await
    }

    /// Does what a guest presses at a table. `None` if it is none that they can press there.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn guest_press(
        self: &Arc<Self>,
        guest: &Guest,
        table: &TableId,
        (press, key): (&str, &str),
        arrival: Arrival,
    ) -> Result<Option<Vec<Whisper>>, Failure> {
        let of_table = TablePress::read(press).is_some_and(|it| it.table == *table);
        if !of_table && !HARMLESS.iter().any(|it| press.starts_with(it)) {
            return Ok(None);
        }
        let Some(table) = self.ledger.look(table).await? else { return Ok(None) };
        let Some(place) = self.seen_at(&table, guest) else { return Ok(None) };
        let update = Update {
            id: Update::id_of_guest(&guest.account.id, key),
            place,
            person: guest.account.clone(),
            body: Body::Press { press: press.to_owned(), message: None },
            arrival,
        };
        let heard = self.answer(&update).await;
        drop(update);
        Ok(Some(heard.complete().await.told))
    }

    /// Answers a press of a guest while the store is unavailable.
    pub async fn guest_unsaved(&self, guest: &Guest, key: &str) -> Vec<Whisper> {
        let person = Person { locale: Some(guest.lang.clone()), ..guest.account.clone() };
        let place = Place {
            id: PlaceId(person.id.0.clone()),
            kind: PlaceKind::Private,
            title: String::new(),
            locale: None,
            parents: Parents::default(),
        };
        let id = Update::id_of_guest(&person.id, key);
        let body = Body::Press { press: String::new(), message: None };
        let arrival = Arrival::default();
        self.unsaved(&Update { id, place, person, body, arrival }).await.told
    }

    /// Waits until a table has changed since then, and tells its newest change.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn guest_changed(
        &self,
        guest: &Guest,
        id: &TableId,
        since: Option<u64>,
    ) -> Result<Option<u64>, Failure> {
        // Whoever listens before looking misses nothing.
        let mut changes = self.ledger.store().changes();
        loop {
            let Some(table) = self.ledger.look(id).await? else { return Ok(None) };
            if self.seen_at(&table, guest).is_none() {
                return Ok(None);
            }
            if since != Some(table.version) {
                return Ok(Some(table.version));
            }
            let stands = |topic: &str| {
                let place = topic.strip_prefix("place ").and_then(|it| it.split(' ').next());
                place.is_some_and(|it| table.places().any(|own| own.0 == it))
            };
            loop {
                match next_change(&mut changes).await {
                    Some(Change::Topic(topic)) if !stands(&topic) => {}
                    Some(Change::Topic(_) | Change::Everything) => break,
                    None => return Ok(None),
                }
            }
        }
    }
}
