//! Writes records of games as files.

use std::sync::Arc;

use super::MessageRenderer;
use crate::repository::Failure;
use caravanserai_games::ids::TableId;
use caravanserai_protocol::Attachment;
use caravanserai_table::state::Table;
use caravanserai_table::verify::LOG_MARK;
use caravanserai_table::{fair_random, misplaced_lines};

impl MessageRenderer {
    /// The record of a finished game as a file: its moves in the usual notation, and its log, which
    /// reveals the seed.
    pub(crate) async fn record_file(&self, id: &TableId) -> Result<Option<Attachment>, Failure> {
        let Some(table) = self.repository.load_table(id).await? else { return Ok(None) };
        let lines = self.repository.shown_log_lines(&table).await?;
        let Some(text) = record_text(&table, &lines) else { return Ok(None) };
        let name = format!("{}-{}.txt", table.game_id().info().code, id.0);
        Ok(Some(Attachment::document(name, Arc::new(text.into_bytes()))))
    }
}

fn record_text(table: &Table, lines: &[String]) -> Option<String> {
    if table.setup.is_outdated() && !table.is_open() {
        // A game that the current rules cannot read is recorded by its log only.
        return Some(format!("% table {}\n{}", table.id.0, log_section(table, lines)));
    }
    let mut text = table.write_record()?;
    for note in table.record_notes() {
        text.push_str(&format!("\n% {note}"));
    }
    text.push_str(&format!("\n% table {}\n{}", table.id.0, log_section(table, lines)));
    Some(text)
}

/// The section of a record with the log of the table.
fn log_section(table: &Table, lines: &[String]) -> String {
    let mut text =
        format!("% commitment {}\n{LOG_MARK}\n", fair_random::hash_seed(&table.setup.seed));
    for line in misplaced_lines::published_log(lines) {
        text.push_str(&format!("% {line}\n"));
    }
    text
}
