//! How a log spells why a table ended.

use super::event::Reason;
use super::spelling::Words;

/// Reasons that say all by themselves, and their spelling.
const PLAIN_REASONS: [(Reason, &str); 8] = [
    (Reason::Played, "played"),
    (Reason::Agreed, "agreed"),
    (Reason::Aborted, "aborted"),
    (Reason::Declined, "declined"),
    (Reason::Cancelled, "cancelled"),
    (Reason::Expired, "expired"),
    (Reason::Vanished, "vanished"),
    (Reason::Outdated, "outdated"),
];

impl Reason {
    pub(super) fn write(self) -> String {
        if let Reason::Resigned(seat) = self {
            return format!("resigned {seat}");
        }
        let plain = PLAIN_REASONS.iter().find(|(it, _)| *it == self);
        plain.map(|(_, word)| (*word).to_owned()).expect("all other reasons are plain")
    }

    pub(super) fn read(words: &mut Words<'_>) -> Option<Reason> {
        match words.next()? {
            "resigned" => Some(Reason::Resigned(words.number()?)),
            word => PLAIN_REASONS.iter().find(|(_, it)| *it == word).map(|(it, _)| *it),
        }
    }
}
