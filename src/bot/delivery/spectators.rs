//! Counts the spectators of a table, as far as its platforms know them.

use std::collections::BTreeSet;

use super::Delivery;
use crate::repository::Failure;
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_protocol::SpectatorCount;
use caravanserai_table::state::{Location, Table, TablePhase};

impl Delivery {
    /// The current spectators of a table: on platforms that report viewers of a board, the viewers
    /// who do not play; on others people who watch in private, and the chats in which it is shown.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn count_spectators(&self, table: &Table) -> Result<SpectatorCount, Failure> {
        let mut people: BTreeSet<PersonId> = BTreeSet::new();
        let mut chats = 0;
        for location in table.chats.locations() {
            match self.known_spectators(&location, table).await {
                Some(spectators) => people.extend(spectators),
                None if location.chat != table.chats.home() => chats += 1,
                None => {}
            }
        }
        let platforms: BTreeSet<String> =
            people.iter().map(|it| it.platform().to_owned()).collect();
        for player in table.seating.people() {
            people.remove(player);
            for platform in &platforms {
                // A player with another account on this platform is not a spectator.
                people.remove(
                    &self.repository.profiles().account_on_platform(player, platform).await?,
                );
            }
        }
        Ok(SpectatorCount { people: people.len() as u32, chats })
    }

    /// People who are known to view a table in one of its chats.
    async fn known_spectators(
        &self,
        location: &Location<'_>,
        table: &Table,
    ) -> Option<Vec<PersonId>> {
        if let Some(reader) = location.reader {
            return Some(vec![reader.clone()]);
        }
        self.platform(location.chat)?.spectator_lookup()?.spectators(location.chat, &table.id).await
    }

    /// Whether anybody who knows its code may watch a table: as its players have set it, else
    /// whether it was opened in a chat that everybody may enter.
    pub fn is_public(&self, table: &Table) -> bool {
        let by_home = || table.chats.is_in_group() && self.is_open(table.chats.home());
        table.chats.is_public.unwrap_or_else(by_home)
    }

    /// Whether people may see the board of a table in one of its chats now. It is checked at every
    /// view, because a table may stop being public, and a lobby becomes a game. An aborted game
    /// still has a board.
    pub fn can_see(&self, table: &Table, chat: &ChatId) -> bool {
        let has_begun = match table.phase {
            TablePhase::Lobby => false,
            TablePhase::Playing | TablePhase::Over { .. } => true,
            TablePhase::Closed { .. } => table.game.is_some(),
        };
        !has_begun || table.is_player_chat(chat) || self.is_public(table)
    }

    fn is_open(&self, chat: &ChatId) -> bool {
        self.platform(chat)
            .is_some_and(|it| it.public_groups().is_some_and(|it| it.is_public_group(chat)))
    }
}
