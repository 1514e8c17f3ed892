//! Tells in which games players have to find their moves themselves. While a person plays one, the
//! engine helps them in no other game of its kind that decides nothing.

use super::table_index::tables_of;
use crate::repository::{Failure, Repository};
use crate::views::result_views;
use caravanserai_games::GameId;
use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_games::text::Text;
use caravanserai_table::state::{Table, TablePhase};

/// Finds a game of this kind that a person plays now against other people, or one against computers
/// that counts for ratings: an evaluation would be a hint that nobody sees. Returns its table,
/// which is another one than `here`. The caller holds no lock on a table.
pub(super) async fn unaided_table(
    repository: &Repository,
    person: &PersonId,
    game: GameId,
    here: Option<&TableId>,
) -> Result<Option<TableId>, Failure> {
    for id in tables_of(repository, person).await? {
        if Some(&id) == here {
            continue;
        }
        match repository.load_table(&id).await {
            Ok(Some(table)) if table.game_id() == game && is_played_unaided(&table) => {
                return Ok(Some(id));
            }
            // Nobody can play on at a table that cannot be read.
            Ok(_) | Err(Failure::Damaged(..)) => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(None)
}

/// Whether the players of a table have to find their moves themselves now.
fn is_played_unaided(table: &Table) -> bool {
    table.phase == TablePhase::Playing && !is_practice(table)
}

/// Whether a game decides nothing: one person plays alone, and it does not count for ratings.
pub(super) fn is_practice(table: &Table) -> bool {
    is_for_one_person(table) && !table.casual_reasons().is_empty()
}

/// Whether one person plays alone, maybe against computers.
pub(super) fn is_for_one_person(table: &Table) -> bool {
    table.seating.people_seats().len() <= 1 || table.is_solo()
}

/// The refusal of an evaluation or a hint while a person plays such a game.
pub(super) fn game_runs_text(game: GameId, table: &TableId) -> Text {
    let text = Text::new("analysis-game-runs").with("table", table.0.as_str());
    text.with("game", result_views::game_text(game.info().code))
}
