//! `caravanserai-tools month`: plays a month of a group of eight people and writes what the bot
//! shows of it.
//!
//! The [`group`] says who plays how, the [`calendar`] plans the games, and the [`players`] play
//! them at real tables with computer players of fixed effort. Each result goes into the [`chat`],
//! where the bot rates it and answers questions; the [`document`] consists of these answers and of
//! the [`figures`]. All randomness follows from the seed, so the same command writes the same
//! bytes.

pub mod calendar;
pub mod chat;
pub mod document;
pub mod figures;
pub mod group;
pub mod players;

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, ensure};
use caravanserai_render::Renderer;
use caravanserai_table::TableId;

use crate::args::MonthArgs;
use calendar::plan_month;
use chat::MonthChat;
use document::MonthDocument;
use figures::MonthFigures;
use players::MonthPlayers;

/// The most games of a month.
const GAMES_MAX: u32 = 20_000;

/// The number of games in the short month whose figures are at the end of each document, so that a
/// test can tell in seconds whether a document is up to date.
pub const CHECKED_GAMES: u32 = 40;

/// A file of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonthFile {
    /// Its name in the folder.
    pub name: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// A month that was played.
struct PlayedMonth {
    document: MonthDocument,
    figures: MonthFigures,
}

/// Plays the month and returns the files of its document. `report_progress` receives the number of
/// played games and of all games.
///
/// # Errors
/// One sentence about an argument, or about the first game that failed.
pub fn run_month(
    args: &MonthArgs,
    renderer: Renderer,
    report_progress: &mut dyn FnMut(u32, u32),
) -> anyhow::Result<Vec<MonthFile>> {
    let games = args.games;
    ensure!((1..=GAMES_MAX).contains(&games), "--games is from 1 to {GAMES_MAX}, not {games}");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let seed = args.seed;
        let renderer = Arc::new(renderer);
        let played = play_month(games, seed, renderer.clone(), report_progress).await?;
        let section = match games == CHECKED_GAMES {
            true => document::check_section(&played.document, &played.figures),
            false => {
                let short = play_month(CHECKED_GAMES, seed, renderer, &mut |_, _| {}).await?;
                document::check_section(&short.document, &short.figures)
            }
        };
        let MonthDocument { text, pictures } = played.document;
        let bytes = format!("{text}{section}").trim_end().to_owned() + "\n";
        let page = MonthFile { name: document::DOCUMENT_NAME, bytes: bytes.into_bytes() };
        Ok(std::iter::once(page).chain(pictures).collect())
    })
}

/// Writes files into a folder, which is created if it does not exist.
///
/// # Errors
/// With the name of the file that cannot be written.
pub fn write_files(folder: &Path, files: &[MonthFile]) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create {}", folder.display()))?;
    for file in files {
        let path = folder.join(file.name);
        std::fs::write(&path, &file.bytes)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

async fn play_month(
    games: u32,
    seed: u64,
    renderer: Arc<Renderer>,
    report_progress: &mut dyn FnMut(u32, u32),
) -> anyhow::Result<PlayedMonth> {
    let mut chat = MonthChat::new(renderer);
    let mut players = MonthPlayers::new(seed);
    let (mut tables, mut resigned): (Vec<TableId>, u32) = (Vec::new(), 0);
    for series in plan_month(games, seed) {
        let number = u32::try_from(tables.len())?;
        for table in players.play_series(&series, number)? {
            chat.store_result(&table).await?;
            let result = table.game_result().context("a finished game has no result")?;
            resigned += u32::from(result.is_forfeit());
            tables.push(table.id);
            report_progress(u32::try_from(tables.len())?, games);
        }
    }
    chat.project_results().await?;
    let figures = MonthFigures::read(&chat, &tables, resigned).await?;
    let document = document::write_document(seed, &mut chat, &figures).await?;
    chat.close().await?;
    Ok(PlayedMonth { document, figures })
}
