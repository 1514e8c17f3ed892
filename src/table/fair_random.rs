//! Draws provably fair chance: a seed is committed to before a game and revealed after it.
//!
//! The commitment is the SHA-256 of the 32 bytes of the seed. Draw `i` (from 0) of log line `n`
//! of table `t` takes the HMAC-SHA256 of the text `t/n/i/p` under the key seed, where `p` lists
//! the people at the table in order of sitting down, joined by commas: for each the id, a space,
//! and the id of the update by which they sat down. The first 8 bytes, read big endian, give a
//! number below `m` by their remainder; values of the last incomplete round are thrown away and
//! the next `i` is taken, so every outcome is equally likely. Anyone can check this with
//! standard tools; `caravanserai verify FILE` does it for a whole log.
//!
//! The people are those who had seats when the game started (in a lobby: those who have seats at
//! that moment). A person who takes over a seat later changes neither the seed nor that list, so
//! they cannot influence later draws: the numbers of each log line were fixed before. Computers
//! draw from the same stream, with the line of their own step, and no chance event uses such a
//! line. Their thinking time depends on the machine, so their play is not recomputed.
//!
//! A rematch and a challenge start with one press, so the commitment is shown before that press:
//! with the offer of the rematch, or in the challenge. The code of the table is fixed with it. The
//! log of the new table repeats the commitment (`promise`), that of the old one names both; see
//! [`super::seed_commitment`]. A game that starts with the press that opens its table, alone with
//! computers, has no moment before: its commitment is shown at once, and `verify` reports that
//! nobody could see it earlier.
//!
//! This proves that the draws follow from a seed that was fixed when its hash was shown, and from
//! ids that the platforms gave to the presses of those who joined, which nobody could know then. It
//! does not exclude that an operator who also controls the ids of those presses (both players'
//! accounts, or the platform itself) tries several. The log shows every id that was used.

use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};

use caravanserai_games::ids::TableId;
use caravanserai_games::rules::Entropy;

/// Returns the commitment to a seed, in hexadecimal digits.
pub fn hash_seed(seed: &[u8; 32]) -> String {
    hex::encode(Sha256::digest(seed))
}

/// The stream of draws that belongs to one line of one log.
pub struct FairDraw<'a> {
    seed: &'a [u8; 32],
    prefix: String,
    people: String,
    drawn_count: u64,
}

impl<'a> FairDraw<'a> {
    /// Creates the draws of log line `line` of this table with these people.
    pub fn new(seed: &'a [u8; 32], table: &TableId, line: u64, people: &[String]) -> Self {
        let people = people.join(",");
        FairDraw { seed, prefix: format!("{}/{line}", table.0), people, drawn_count: 0 }
    }

    fn next_number(&mut self) -> u64 {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.seed).expect("any key length is allowed");
        mac.update(format!("{}/{}/{}", self.prefix, self.drawn_count, self.people).as_bytes());
        self.drawn_count += 1;
        let bytes = mac.finalize().into_bytes();
        u64::from_be_bytes(bytes[..8].try_into().expect("the digest has 32 bytes"))
    }
}

impl Entropy for FairDraw<'_> {
    fn below(&mut self, n: u32) -> u32 {
        let n = u64::from(n.max(1));
        let fair = u64::MAX - u64::MAX % n;
        loop {
            let value = self.next_number();
            if value < fair {
                return (value % n) as u32;
            }
        }
    }
}

/// Returns a random order of `n` occupants, all orders equally likely (Fisher and Yates).
pub fn shuffle_occupants(n: u8, entropy: &mut dyn Entropy) -> Vec<u8> {
    let mut order: Vec<u8> = (0..n).collect();
    for at in (1..order.len()).rev() {
        let with = entropy.below(at as u32 + 1) as usize;
        order.swap(at, with);
    }
    order
}
