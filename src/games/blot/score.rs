//! The score of a round, and the winner of the match (rules R25 to R27, R32, R50, R51, R55 to R59).

use super::auction::{Contract, ContractLevel};
use super::card::Trump;
use super::options::{House, Rounding};

/// All values that the score of a round depends on, by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RoundResult {
    /// The contract.
    pub contract: Contract,
    /// Card points, the last ten included: together 162.
    pub cards: [u16; 2],
    /// Tricks: together 8.
    pub tricks: [u8; 2],
    /// Counting combinations.
    pub melds: [u8; 2],
    /// Blot-reblots.
    pub blot: [u8; 2],
}

/// The score of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RoundScore {
    /// Whether the bid was made.
    pub made: bool,
    /// Card points divided by ten; 25 for kaput.
    pub units: [u16; 2],
    /// The points that both sides get for the match.
    pub points: [u16; 2],
}

/// The score of a round; `None` for impossible card points or tricks.
pub fn score(played: &RoundResult, house: &House) -> Option<RoundScore> {
    let RoundResult { contract, cards, tricks, melds, blot } = *played;
    let swept = [0, 1].map(|side| tricks[side] == 8);
    let nothing = [0, 1].into_iter().any(|side| tricks[side] == 0 && cards[side] > 0);
    if cards[0] + cards[1] != 162 || tricks[0] + tricks[1] != 8 || nothing {
        return None;
    }
    let us = contract.team();
    let them = 1 - us;
    let units = units(cards, swept, us, house.rounding);
    let outside = [0, 1].map(|side| u16::from(melds[side]) + u16::from(blot[side]));
    let x = u16::from(contract.bid.x);
    let reached = if house.made_rounded {
        units[us] + outside[us] >= x
    } else {
        let raw = if swept[us] { 250 } else { cards[us] };
        raw + 10 * outside[us] >= 10 * x
    };
    let made =
        reached && (swept[us] || !contract.bid.kaput) && !(house.no_trick_fails && tricks[us] == 0);
    let stake = stake(&contract, house);
    let mut points = [0; 2];
    if made && contract.level == ContractLevel::Plain {
        points[us] = stake + units[us] + outside[us];
        points[them] = units[them] + outside[them];
    } else {
        let (winner, loser) = if made { (us, them) } else { (them, us) };
        let keeps = match contract.level {
            ContractLevel::Plain => house.fail_keeps_blot,
            ContractLevel::Kuansh | ContractLevel::Sur => house.kuansh_keeps_blot,
        };
        let kept = if keeps { u16::from(blot[loser]) } else { 0 };
        let base = if swept[winner] { house.fail_base_kaput } else { 16 };
        points[winner] = stake + base + outside[0] + outside[1] - kept;
        points[loser] = kept;
    }
    Some(RoundScore { made, units, points })
}

/// The points for the bid: its number, twice after kuansh, four times after sur (rules R55, R58,
/// R59; in boy decision D17).
pub fn stake(contract: &Contract, house: &House) -> u16 {
    let multiplier = match contract.bid.trump {
        Trump::Boy => house.boy_multiplier,
        Trump::Suit(_) => [1, 2, 4],
    };
    u16::from(contract.bid.x) * multiplier[contract.level as usize]
}

/// Card points divided by ten (decision D13); 25 and nothing after kaput.
fn units(cards: [u16; 2], swept: [bool; 2], us: usize, rounding: Rounding) -> [u16; 2] {
    let them = 1 - us;
    if let Some(side) = swept.iter().position(|it| *it) {
        let mut units = [0; 2];
        units[side] = 25;
        return units;
    }
    // Six and more goes up.
    let up = |side: usize| (cards[side] + 4) / 10;
    let sixteen = |side: usize| {
        let mut units = [16 - up(side); 2];
        units[side] = up(side);
        units
    };
    match rounding {
        Rounding::Defender6Up => sixteen(them),
        Rounding::Bidder6Up => sixteen(us),
        Rounding::Lower6Up => sixteen(if cards[us] < cards[them] { us } else { them }),
        Rounding::Independent => [up(0), up(1)],
        Rounding::Floor => [cards[0] / 10, cards[1] / 10],
    }
}

/// The side that has won with these totals after a round that `bidders` had bid (decisions D28,
/// D32, D33).
pub fn winner(totals: [u16; 2], bidders: usize, house: &House) -> Option<usize> {
    let reached = totals.map(|total| total >= house.target);
    match reached {
        [false, false] => None,
        [true, false] => Some(0),
        [false, true] => Some(1),
        [true, true] if house.both_reach_bidder => Some(bidders),
        [true, true] if totals[0] == totals[1] => None,
        [true, true] => Some(usize::from(totals[1] > totals[0])),
    }
}
