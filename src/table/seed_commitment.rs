//! Commits to the seed of a game before it starts: its hash is shown before the press that starts
//! it.
//!
//! A lobby has its table and seed before the other players join. A rematch and a challenge start
//! with one press, so their seed and the code of the table, which chance depends on too, are fixed
//! when the rematch is offered or the challenge is sent. The log of the next table repeats the hash
//! that was shown; the log of the old one names both.

use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::decision_builder::{Decision, DecisionBuilder, EventMeta};
use super::event::{Event, PlayerOffer};
use super::fair_random::hash_seed;
use super::state::TablePhase;
use caravanserai_games::ids::TableId;

/// A hash that was shown before a game started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedCommitment {
    /// At the table where it was shown: the next table. At the next table: the table where it was
    /// shown; `None` for a challenge.
    pub table: Option<TableId>,
    /// The SHA-256 of the seed, in hexadecimal digits.
    pub hash: String,
}

/// The length of such a hash, in hexadecimal digits.
const HASH_DIGITS: usize = 64;

impl SeedCommitment {
    /// Returns the commitment to this seed.
    pub fn new(table: Option<TableId>, seed: &[u8; 32]) -> Self {
        SeedCommitment { table, hash: hash_seed(seed) }
    }

    pub(super) fn is_valid(&self) -> bool {
        self.hash.len() == HASH_DIGITS && self.hash.bytes().all(|it| it.is_ascii_hexdigit())
    }
}

/// The commitments that a table has shown.
#[derive(Clone, Debug, Default)]
pub struct SeedCommitments {
    /// The commitment to its own seed that was shown before it started.
    pub own: Option<SeedCommitment>,
    /// The commitment for the next table of the same people.
    pub next: Option<SeedCommitment>,
}

impl SeedCommitments {
    /// Records a commitment of this phase: in a lobby it is for this table, later for the next one.
    pub(super) fn record(&mut self, commitment: &SeedCommitment, phase: &TablePhase) {
        let shown = match phase {
            TablePhase::Lobby => &mut self.own,
            TablePhase::Playing | TablePhase::Over { .. } | TablePhase::Closed { .. } => {
                &mut self.next
            }
        };
        *shown = Some(commitment.clone());
    }
}

/// An endless stream of bytes derived from a secret and a word: block `i` is the HMAC-SHA256 of
/// the text `word/i` under the secret.
pub struct DerivedBytes<'a> {
    secret: &'a [u8; 32],
    word: &'a str,
    block: u64,
}

impl<'a> DerivedBytes<'a> {
    /// Creates the stream from its first block on.
    pub fn new(secret: &'a [u8; 32], word: &'a str) -> Self {
        DerivedBytes { secret, word, block: 0 }
    }

    /// Fills `bytes` with the next blocks. The rest of the last block is skipped.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(32) {
            let mut mac =
                Hmac::<Sha256>::new_from_slice(self.secret).expect("any key length is allowed");
            mac.update(format!("{}/{}", self.word, self.block).as_bytes());
            self.block += 1;
            let block = mac.finalize().into_bytes();
            chunk.copy_from_slice(&block[..chunk.len()]);
        }
    }
}

/// Whether a decision has to commit to the next table, because it offers a rematch.
pub fn needs_next_commitment(decision: &Decision) -> bool {
    let offers = |it: &Event| matches!(it, Event::OfferMade { offer: PlayerOffer::Rematch, .. });
    decision.table.commitments.next.is_none() && decision.events().any(offers)
}

/// Adds the commitment for the next table to a decision.
pub fn add_next_commitment(decision: Decision, next: TableId, seed: &[u8; 32]) -> Decision {
    let Some(meta) = EventMeta::of_last_line(&decision) else { return decision };
    let mut draft = DecisionBuilder::continue_from(decision, meta);
    draft.add(Event::SeedCommitted(SeedCommitment::new(Some(next), seed)));
    draft.finish()
}
