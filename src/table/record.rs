//! Writes a finished game as a record: its headers and its moves in the usual notation.

use super::event::EndReason;
use super::state::{Table, TablePhase};
use caravanserai_games::RecordHeading;
use caravanserai_games::rules::Seat;

impl Table {
    /// The record of a finished game; `None` before its end, and where the current rules cannot
    /// read it. `date` and `site` are for its headers.
    pub fn write_record(&self, date: String, site: String) -> Option<String> {
        let TablePhase::Over { scores, reason } = &self.phase else { return None };
        let heading = RecordHeading {
            names: self.record_names(),
            date,
            site,
            result: (*reason != EndReason::PlayedOut).then(|| scores.clone()),
        };
        let steps: Vec<_> =
            self.history.steps.iter().map(|it| (it.seat.map(Seat), it.token)).collect();
        Some(self.game.as_deref()?.write_record(&heading, &self.setup.options, &steps))
    }
}
