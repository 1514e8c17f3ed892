//! Writes a finished game as a record: its headers and its moves in the usual notation.

use super::event::EndReason;
use super::state::{Table, TablePhase};
use caravanserai_games::RecordHeading;
use caravanserai_games::rules::Seat;
use caravanserai_results::season::record_date;

/// The chat that records name.
const RECORD_SITE: &str = "Caravanserai";

impl Table {
    /// The record of a finished game; `None` before its end, and where the current rules cannot
    /// read it.
    pub fn write_record(&self) -> Option<String> {
        let TablePhase::Over { scores, reason } = &self.phase else { return None };
        let heading = RecordHeading {
            names: self.record_names(),
            date: record_date(self.times.started_ms),
            site: RECORD_SITE.to_owned(),
            result: (*reason != EndReason::PlayedOut).then(|| scores.clone()),
        };
        let steps: Vec<_> =
            self.history.steps.iter().map(|it| (it.seat.map(Seat), it.token)).collect();
        Some(self.game.as_deref()?.write_record(&heading, &self.setup.options, &steps))
    }

    /// Notes on the moves of a record, one line each: who was given hints, and which steps a
    /// computer played for an absent player.
    pub fn record_notes(&self) -> Vec<String> {
        let names = self.record_names();
        let hinted = self
            .hints
            .hinted_seats()
            .filter_map(|(seat, count)| Some(format!("{} {count}", names.get(usize::from(seat))?)));
        let hinted: Vec<String> = hinted.collect();
        let hints = (!hinted.is_empty()).then(|| format!("hints {}", hinted.join(", ")));
        let substituted = self.named_substitute_steps().into_iter();
        let substituted =
            substituted.map(|(name, steps)| format!("computer for {name}: steps {steps}"));
        hints.into_iter().chain(substituted).collect()
    }

    /// The name of each absent player, and the steps that a computer played for them.
    pub(super) fn named_substitute_steps(&self) -> Vec<(String, String)> {
        let names = self.record_names();
        let named = |(seat, steps): (u8, Vec<u32>)| {
            let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
            (names.get(usize::from(seat)).cloned().unwrap_or_default(), steps.join(" "))
        };
        self.substitute_steps().into_iter().map(named).collect()
    }
}
