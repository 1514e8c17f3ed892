//! Counts contracts and swept rounds, for statistics and achievements.

use super::card::{Suit, Trump};
use super::{Blot, BlotFact};
use crate::rules::Seat;
use crate::statistics::{
    Achievement, GameCounts, PlayChoice, PlayChoiceGroup, StatisticsFunctions,
};
use crate::text::{Arg, Text};

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

/// The contracts by their trump, in the order of [`Trump::ALL`]: those bid and those made.
const TRUMPS: [PlayChoice; 5] = [
    PlayChoice { count: "bids-c", success: Some("made-c") },
    PlayChoice { count: "bids-d", success: Some("made-d") },
    PlayChoice { count: "bids-h", success: Some("made-h") },
    PlayChoice { count: "bids-s", success: Some("made-s") },
    PlayChoice { count: "bids-b", success: Some("made-b") },
];

/// The contracts of this trump.
fn contracts(trump: Trump) -> PlayChoice {
    match trump {
        Trump::Suit(Suit::Clubs) => TRUMPS[0],
        Trump::Suit(Suit::Diamonds) => TRUMPS[1],
        Trump::Suit(Suit::Hearts) => TRUMPS[2],
        Trump::Suit(Suit::Spades) => TRUMPS[3],
        Trump::Boy => TRUMPS[4],
    }
}

/// The sign of the suit, or boy.
fn trump_label(it: &PlayChoice) -> Arg {
    let is_it = |trump: &Trump| contracts(*trump).count == it.count;
    match Trump::ALL.into_iter().find(is_it).and_then(Trump::suit) {
        Some(suit) => Arg::Plain(suit.sign().to_owned()),
        None => Text::new("blot-trump-boy").into(),
    }
}

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
    play_choices: &[PlayChoiceGroup { code: "trump", choices: &TRUMPS, label: trump_label }],
};

fn count(facts: &[BlotFact], seats: u8) -> GameCounts {
    let mut counts = GameCounts::new(seats);
    for fact in facts {
        let BlotFact::Scored(round) = fact else { continue };
        let contract = &round.played.contract;
        let bidder = Seat(contract.seat);
        let of_trump = contracts(contract.bid.trump);
        counts.add(bidder, BIDS, 1);
        counts.add(bidder, of_trump.count, 1);
        if round.score.made {
            counts.add(bidder, MADE, 1);
            if let Some(made) = of_trump.success {
                counts.add(bidder, made, 1);
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_trump_has_counts_and_a_label_of_its_own() {
        for (trump, choice) in Trump::ALL.into_iter().zip(&TRUMPS) {
            assert_eq!(contracts(trump).count, choice.count);
            assert!(choice.count.ends_with(trump.letter()), "{trump:?}");
            assert!(choice.success.is_some_and(|it| it.ends_with(trump.letter())), "{trump:?}");
        }
        let labels: Vec<Arg> = TRUMPS.iter().map(trump_label).collect();
        assert_eq!(labels[2], Arg::Plain("♥".to_owned()));
        assert_eq!(labels[4], Arg::from(Text::new("blot-trump-boy")));
    }
}
