//! How well people played in finished games.

use async_trait::async_trait;
use serde_json::json;

use super::super::export::{ExportSource, PersonalExport};
use super::super::part::{DeletionJob, KeyFamily, PageEnd, PersonalDataPart};
use crate::repository::{Failure, keys};
use caravanserai_store::Space;

/// The most judged games that are read at once.
const GAMES_PER_READ: usize = 200;

/// What the decisions of each seat have cost, by table. The rows name seats, not people, so they
/// are about nobody once the game is without its player.
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
                let seats = judged.into_iter().flat_map(|it| it.seats);
                for own in seats.filter(|it| it.seat == entry.seat) {
                    let item = json!({
                        "table": entry.table,
                        "game": entry.game,
                        "ended_ms": entry.ended_ms,
                        "seat": own.seat,
                        "rounds": own.rounds,
                        "decisions": own.decisions,
                        "cost": own.cost,
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
