//! Counts contracts and swept rounds, for statistics and achievements.

use super::{Blot, BlotFact};
use crate::rules::Seat;
use crate::statistics::{Achievement, GameCounts, StatisticsFunctions};

/// Contracts that the player has bid.
const BIDS: &str = "bids";
/// Those of them that were made.
const MADE: &str = "made";
/// Rounds in which the side has taken all tricks.
const KAPUTS: &str = "kaputs";
/// Contracts of the other side that failed.
const STOPPED: &str = "stopped";
/// Tricks in a round.
const ALL_TRICKS: u8 = 8;

/// The counts and achievements.
pub(super) const STATISTICS: StatisticsFunctions<Blot> = StatisticsFunctions {
    count,
    takes_back: |_| false,
    totals: &[BIDS, MADE, STOPPED, KAPUTS],
    achievements: &[
        Achievement { code: "contract", is_reached: |counts, _| counts(MADE) > 0 },
        Achievement { code: "stopped", is_reached: |counts, _| counts(STOPPED) > 0 },
        Achievement { code: "kaput", is_reached: |counts, _| counts(KAPUTS) > 0 },
    ],
};

fn count(facts: &[BlotFact], seats: u8) -> GameCounts {
    let mut counts = GameCounts::new(seats);
    for fact in facts {
        let BlotFact::Scored(round) = fact else { continue };
        let contract = &round.played.contract;
        let bidder = Seat(contract.seat);
        counts.add(bidder, BIDS, 1);
        if round.score.made {
            counts.add(bidder, MADE, 1);
        }
        for seat in (0..seats).map(Seat) {
            let side = seat.index() & 1;
            if round.played.tricks[side] == ALL_TRICKS {
                counts.add(seat, KAPUTS, 1);
            }
            if side != contract.team() && !round.score.made {
                counts.add(seat, STOPPED, 1);
            }
        }
    }
    counts
}
