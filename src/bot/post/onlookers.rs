//! How many look on at a table, as far as its platforms know.

use std::collections::BTreeSet;

use super::Post;
use crate::ledger::Failure;
use caravanserai_games::ids::{PersonId, PlaceId};
use caravanserai_protocol::Watching;
use caravanserai_table::fold::{Phase, Spot, Table};

impl Post {
    /// Who looks on at a table now: on platforms that know who looks at a board those who do not
    /// play, elsewhere whoever watches alone, and the chats to which it was brought.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn watching(&self, table: &Table) -> Result<Watching, Failure> {
        let mut people: BTreeSet<PersonId> = BTreeSet::new();
        let mut places = 0;
        for spot in table.spots() {
            match self.onlookers(&spot, table).await {
                Some(there) => people.extend(there),
                None if spot.place != table.home() => places += 1,
                None => {}
            }
        }
        let platforms: BTreeSet<String> =
            people.iter().map(|it| it.platform().to_owned()).collect();
        for player in table.people() {
            people.remove(player);
            for platform in &platforms {
                // Whoever plays by another account does not look on.
                people.remove(&self.ledger.account_on(player, platform).await?);
            }
        }
        Ok(Watching { people: people.len() as u32, places })
    }

    /// Those who are known to look at a table in one of its places.
    async fn onlookers(&self, spot: &Spot<'_>, table: &Table) -> Option<Vec<PersonId>> {
        if let Some(reader) = spot.reader {
            return Some(vec![reader.clone()]);
        }
        self.platform(spot.place)?.onlookers(spot.place, &table.id).await
    }

    /// Whether anybody who knows its code may look on at a table: as its people have settled it,
    /// else where it was opened in a chat that everybody may enter.
    pub fn is_public(&self, table: &Table) -> bool {
        let by_home = || table.is_among_others() && self.is_open(table.home());
        table.public.unwrap_or_else(by_home)
    }

    /// Whether people may see the board of a table in one of its places now. Checked at every look,
    /// because a table may stop being public, and a lobby becomes a game. A game that was called
    /// off still has a board.
    pub fn may_see(&self, table: &Table, place: &PlaceId) -> bool {
        let begun = match table.phase {
            Phase::Lobby => false,
            Phase::Playing | Phase::Over { .. } => true,
            Phase::Closed { .. } => table.game.is_some(),
        };
        !begun || table.is_of_players(place) || self.is_public(table)
    }

    fn is_open(&self, place: &PlaceId) -> bool {
        self.platform(place).is_some_and(|it| it.is_open(place))
    }
}
