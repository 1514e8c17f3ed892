//! The list of somebody's tables, those that wait for them first. In their private chat one message
//! of it stands, and is kept true as long as it may be looked at.

use std::cmp::Reverse;

use super::Post;
use super::boards::Sending;
use super::sender::Sent;
use crate::ledger::rows::{cut, parse, put};
use crate::ledger::{DAY_MS, Failure, keys};
use caravanserai_games::ids::{PersonId, PlaceId, TableId};
use caravanserai_games::words::{Arg, Text};
use caravanserai_protocol::note::{Key, Note};
use caravanserai_protocol::press::{Ask, TablePress};
use caravanserai_protocol::request::GAMES;
use caravanserai_protocol::{SendError, present};
use caravanserai_store::{Put, Read, Space};
use caravanserai_table::fold::{Spot, Table};

/// What makes one list take the place of another.
const SLOT: &str = "games";

/// How many tables a list names, and how many of them have a button.
const LISTED: usize = 15;
const BUTTONS: usize = 4;

/// How long a list is kept true after somebody has asked for it, in milliseconds.
const KEPT_MS: u64 = 3 * DAY_MS;

impl Post {
    /// The tables of somebody as they are listed in a place; `alone` if nobody else reads there.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn list(
        &self,
        person: &PersonId,
        place: &PlaceId,
        alone: bool,
    ) -> Result<Note, Failure> {
        let slot = alone.then(|| SLOT.to_owned());
        let again = Key::new(Text::new("button-refresh"), GAMES);
        let rows = self.ledger.all_rows(Space::PersonTable, &format!("{} ", person.0)).await?;
        let mut tables = Vec::new();
        for (key, _) in rows {
            let id = TableId(keys::tail(&key).to_owned());
            let Ok(Some(table)) = self.ledger.look(&id).await else { continue };
            let yours = table.turn().is_some_and(|it| table.seats_of(person).any(|own| own == it));
            tables.push((!yours, Reverse(table.last_ms), table));
        }
        tables.sort_by_key(|it| (it.0, it.1));
        if tables.is_empty() {
            let texts = vec![Text::new("games-none")];
            let keys = if alone { vec![vec![again]] } else { Vec::new() };
            return Ok(Note { texts, keys, slot, brief: !alone, ..Note::default() });
        }
        let mut texts = vec![Text::new("games-title")];
        let mut keys = Vec::new();
        for (_, _, table) in tables.iter().take(LISTED) {
            let line = self.watching(table).await?.behind(present::line(table, person));
            texts.push(match self.opens_board(table, place, person).await? {
                Some(link) => Text::new("list-linked").with("line", line).with("link", link),
                None => line,
            });
            if table.spot(place).is_some() && keys.len() < BUTTONS {
                let press = TablePress { table: table.id.clone(), ask: Ask::Board }.write();
                keys.push(vec![Key::new(Arg::Plain(format!("⬇ {}", table.id.0)), press)]);
            }
        }
        if tables.len() > LISTED {
            let more = (tables.len() - LISTED) as i64;
            texts.push(Text::new("games-more").with("count", more));
        }
        if alone {
            keys.push(vec![again]);
        }
        Ok(Note { texts, keys, slot, ..Note::default() })
    }

    /// An address that opens a board of this table for somebody: here if it stands here, else
    /// where they play, else wherever a platform has one.
    async fn opens_board(
        &self,
        table: &Table,
        here: &PlaceId,
        person: &PersonId,
    ) -> Result<Option<String>, Failure> {
        let reads = |it: &Spot<'_>| it.reader.is_none_or(|reader| reader == person);
        let own = table.spot(here).map(|it| it.place).or_else(|| table.place_of(person));
        let others = table.spots().filter(reads).map(|it| it.place);
        for place in own.into_iter().chain(others) {
            // An address of the page says nothing where one is not on it.
            let is_whole =
                |link: &String| !link.starts_with('/') || here.platform() == place.platform();
            if let Some(link) = self.link(table, place).await?.filter(is_whole) {
                return Ok(Some(link));
            }
        }
        Ok(None)
    }

    /// The row that says where somebody's list stands, unless their platform shows one anyway.
    pub fn list_stands(&self, person: &PersonId, place: &PlaceId) -> Option<Put> {
        if self.manners(place).lists_tables {
            return None;
        }
        let until_ms = self.ledger.now_ms() + KEPT_MS;
        Some(put(Space::Meta, keys::list_of(person), &place.0).until(until_ms))
    }

    /// The entries that make the lists anew of those who play at a table.
    pub(super) async fn lists_anew(&self, table: &Table) -> Result<Vec<Put>, Failure> {
        let people = table.people();
        let reads: Vec<Read> =
            people.iter().map(|it| Read::value(Space::Meta, keys::list_of(it))).collect();
        let mut puts = Vec::new();
        for (person, found) in people.iter().zip(self.ledger.read(&reads).await?) {
            let place: Option<String> = parse(found.value()?);
            let entry = |place| put(Space::Outbox, format!("{place} g {}", person.0), &());
            puts.extend(place.map(entry));
        }
        Ok(puts)
    }

    /// The places that these entries make lists anew in.
    pub(super) fn listed_in(puts: &[Put]) -> Vec<PlaceId> {
        let entries = puts.iter().filter(|it| it.space == Space::Outbox);
        let lists = entries.filter_map(|it| it.key.split_once(" g "));
        lists.map(|(place, _)| PlaceId(place.to_owned())).collect()
    }
}

impl Sending<'_> {
    /// Makes somebody's list show what is now.
    pub(super) async fn list(self, person: &PersonId) -> Result<Sent, Failure> {
        let Sending { post, place, .. } = self;
        let note = post.list(person, place, true).await?;
        let reader = post.ledger.person(person).await?.reads(self.profile);
        let nonce = format!("list {}", person.0);
        let message = post.letters.private_message(&note, &reader, nonce, None).await?;
        let account = post.ledger.account_on(person, place.platform()).await?;
        self.count();
        Ok(match self.platform.whisper(place, &account, SLOT, &message).await {
            Ok(()) => Sent::nothing(),
            Err(error @ (SendError::Wait(_) | SendError::Temporary(_))) => Sent::just(Err(error)),
            // It is not to be seen there any more.
            Err(_) => Sent::with(Ok(()), vec![cut(Space::Meta, keys::list_of(person))]),
        })
    }
}
