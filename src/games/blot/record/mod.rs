//! Records of whole matches as a text that people can read, and back.
//!
//! ```text
//! [Game "Blot"]
//! [Date "2026.11.21"]
//! [A "Ann"]
//! [B "Bob"]
//! [C "Cyril"]
//! [D "Dora"]
//! [Options "target=101"]
//! [Result "A+C 104:23"]
//!
//! Deal 1, dealer D
//! A: 9C 10C AC 8D JH 9H KH QH
//! B: 7C 8C KC 9D JD 7S QS AH
//! C: JC QC 10D AD 8S KS 7H 10H
//! D: 7D QD KD 9S 10S JS AS 8H
//! Auction: A 9h, B pass, C 12h, D kuansh, A pass, C pass
//! 1. A JH, B AH, C 7H, D 8H: A takes 31
//! Score: C 12h kuansh made; cards 141:21, combinations 0:0, blot 2:0; 42:0, total 42:0
//! ```
//!
//! First come the headers: the players by seat, A and C against B and D, and the token of the house
//! rules. Then comes every deal: the dealer, the hands, the auction, eight tricks in the order of
//! play, each with its winner and points, and the score, A and C first. Cards are rank and suit (C
//! khach, D kyap, H sirt, S gharr), bids number and suit (`b` boy, `k` after it kaput). With
//! combinations by hand, `announce`, `announce2` or `show` is before the card with which it was
//! done. `Score: thrown in` follows four passes. A deal that was not finished names only its
//! dealer: `Deal 7, dealer C: not finished`. Lines that begin with `#` or `%` are ignored.
//!
//! A reader replays everything and checks each line.

mod reader;
mod writer;

use super::action::{BlotAction, Deal};
use super::notation_errors::{BlotRecordError, BlotRecordFault};
use super::options::BlotOptions;
use super::round::BlotFact;
use super::rules::Blot;
use crate::rules::{Rules, Seat, Token};

pub use reader::{ReadBlotRecord, read};
use writer::score_line;
pub use writer::write;

/// A step of a match's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlotRecordStep {
    /// An action of a seat.
    Act(Seat, BlotAction),
    /// Cards were dealt.
    Chance(Deal),
}

/// The headers of a record: names and values.
pub type BlotHeaders<'a> = &'a [(&'a str, &'a str)];

/// The letter of a seat.
pub fn letter(seat: Seat) -> char {
    ['A', 'B', 'C', 'D'][seat.index() & 3]
}

/// Replays a record and prints the result of each deal and the state of the match.
///
/// # Errors
/// As [`read`].
pub fn replay_text(text: &str, options: Option<BlotOptions>) -> Result<String, BlotRecordError> {
    let read = read(text, options)?;
    if read.steps.is_empty() {
        return Err(BlotRecordError { line: 1, kind: BlotRecordFault::NoDeal });
    }
    let mut game = Blot::start(&read.options, 4).expect("a record is read for four players");
    let mut printed = format!("options {}\n", read.options.write());
    let mut deals = 0;
    for step in &read.steps {
        let mut facts = Vec::new();
        let applied = match step {
            BlotRecordStep::Act(seat, action) => game.apply_action(*seat, action, &mut facts),
            BlotRecordStep::Chance(deal) => game.apply_chance(deal, &mut facts),
        };
        applied.expect("the reader has played these steps");
        for fact in facts {
            match fact {
                BlotFact::Dealt { .. } => deals += 1,
                BlotFact::ThrownIn => printed.push_str(&format!("{deals:>3} thrown in\n")),
                BlotFact::Scored(summary) => {
                    printed.push_str(&format!("{deals:>3} {}", score_line(&summary)));
                }
                _ => {}
            }
        }
    }
    let [first, second] = game.totals();
    let ending = match game.winner() {
        Some(0) => format!("A+C win {first}:{second}"),
        Some(_) => format!("B+D win {second}:{first}"),
        None => format!("not finished, {first}:{second}"),
    };
    printed.push_str(&ending);
    printed.push('\n');
    Ok(printed)
}
