//! How well people played in finished games.

use async_trait::async_trait;
use serde_json::json;

use super::super::export::{ExportSource, PersonalExport};
use super::super::part::{DeletionJob, KeyFamily, PageEnd, PersonalDataPart};
use crate::repository::{Failure, keys};
use caravanserai_results::{JudgedGame, ResultShare};
use caravanserai_store::Space;

/// The most judged games that are read at once.
const GAMES_PER_READ: usize = 200;

/// The cost of the decisions of each seat, and the luck of each side, by table. The rows name
/// seats, not people, so they identify nobody once the player is removed from the game.
pub(super) struct JudgedGames;

#[async_trait]
impl PersonalDataPart for JudgedGames {
    fn families(&self) -> &'static [KeyFamily] {
        const FAMILIES: &[KeyFamily] = &[KeyFamily::prefix(Space::Meta, keys::PLAY_QUALITY_PREFIX)];
        FAMILIES
    }

    fn about(&self) -> &'static str {
        "answer-data-play"
    }

    async fn export(
        &self,
        source: &ExportSource<'_>,
        export: &mut PersonalExport,
    ) -> Result<(), Failure> {
        for games in source.history.chunks(GAMES_PER_READ) {
            let judged = source.repository.results().judged_games(games).await?;
            for (entry, judged) in games.iter().zip(judged) {
                // The numbers of the other seats belong to the other players.
                let JudgedGame { seats, shares } = judged.unwrap_or_default();
                let is_own = |it: &&ResultShare| it.seats.contains(&entry.seat);
                let luck = shares.iter().find(is_own).map(|it| it.luck);
                for own in seats.iter().filter(|it| it.seat == entry.seat) {
                    let item = json!({
                        "table": entry.table,
                        "game": entry.game,
                        "ended_ms": entry.ended_ms,
                        "seat": own.seat,
                        "rounds": own.rounds,
                        "decisions": own.decisions,
                        "cost": own.cost,
                        "luck": luck,
                    });
                    export.add("play_quality", item);
                }
            }
        }
        Ok(())
    }

    async fn delete_page(&self, _job: &DeletionJob<'_>, _after: &str) -> Result<PageEnd, Failure> {
        Ok(PageEnd::Done)
    }
}
