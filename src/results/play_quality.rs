//! Measures how well people play, independent of dice and deals.
//!
//! An engine judges each decision by what its seat could know, and computes how much of the chance
//! to win it has cost. The play quality of a person is the mean cost of their decisions in a round:
//! the less, the better. Results say little about play where luck decides most rounds.

use serde::{Deserialize, Serialize};

use crate::luck::ResultShare;

/// Two-sided 95 % of the normal distribution.
pub(crate) const NORMAL_95: f64 = 1.959_964;

/// How a game was played. Stored as JSON, without ids and names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedGame {
    /// The seats whose players are judged.
    pub seats: Vec<JudgedSeat>,
    /// How much of the result came from luck, by side; empty where not all decisions of all sides
    /// are judged, or there is no luck. Rows of earlier programs have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<ResultShare>,
}

/// The decisions of a seat in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedSeat {
    /// The seat.
    pub seat: u8,
    /// The number of rounds in which they were judged; a game without rounds is one.
    pub rounds: u32,
    /// The number of judged decisions.
    pub decisions: u32,
    /// Their cost together, in thousandths of the chance to win.
    pub cost: u32,
}

/// How well a person has played in several games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayQuality {
    /// The number of judged rounds, and what the decisions have cost in them, by game.
    games: Vec<(u32, u32)>,
}

/// The mean cost of the decisions in a round, in hundredths of a percent of the chance to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundCost {
    /// The mean of all rounds.
    pub mean: u32,
    /// Half of its 95 % interval.
    pub interval: u32,
}

impl PlayQuality {
    /// Adds a game that the person has played on this seat; nothing if the seat was not judged.
    pub fn add(&mut self, game: &JudgedGame, seat: u8) {
        let judged = game.seats.iter().filter(|it| it.seat == seat && it.rounds > 0);
        self.games.extend(judged.map(|it| (it.rounds, it.cost)));
    }

    /// Whether nothing was judged.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The number of judged rounds.
    pub fn rounds(&self) -> u32 {
        self.games.iter().map(|(rounds, _)| rounds).sum()
    }

    /// The mean cost of a round and its interval, from the spread between games; `None` for fewer
    /// than two games.
    pub fn round_cost(&self) -> Option<RoundCost> {
        if self.games.len() < 2 {
            return None;
        }
        // Thousandths as hundredths of a percent.
        let games =
            self.games.iter().map(|(rounds, cost)| (f64::from(*rounds), 10.0 * f64::from(*cost)));
        let (rounds, cost) = games.clone().fold((0.0, 0.0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
        let mean = cost / rounds;
        let spread: f64 = games.map(|(rounds, cost)| (cost - mean * rounds).powi(2)).sum();
        let count = self.games.len() as f64;
        let error = (spread * count / (count - 1.0)).sqrt() / rounds;
        Some(RoundCost { mean: mean.round() as u32, interval: (NORMAL_95 * error).ceil() as u32 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(rounds: u32, cost: u32) -> JudgedGame {
        let seat = |seat, cost| JudgedSeat { seat, rounds, decisions: 20, cost };
        let seats = vec![seat(1, cost), seat(3, 999)];
        JudgedGame { seats, ..JudgedGame::default() }
    }

    #[test]
    fn the_cost_of_a_round_is_the_mean_of_all_rounds() {
        let mut quality = PlayQuality::default();
        quality.add(&game(3, 61), 1);
        assert_eq!((quality.rounds(), quality.round_cost()), (3, None));
        quality.add(&game(1, 40), 1);
        quality.add(&game(9, 40), 2);
        quality.add(&game(0, 0), 1);
        // 101 thousandths in four rounds: 2.525 % each.
        assert_eq!(quality.rounds(), 4);
        assert_eq!(quality.round_cost().map(|it| it.mean), Some(253));
    }

    #[test]
    fn the_interval_follows_from_the_spread_between_games() {
        let mut quality = PlayQuality::default();
        quality.add(&game(2, 80), 1);
        quality.add(&game(6, 120), 1);
        // 250 a round: the games differ by 300 from that, both ways.
        let interval = (1.96 * (2.0 * 180_000.0_f64).sqrt() / 8.0).ceil() as u32;
        assert_eq!(quality.round_cost(), Some(RoundCost { mean: 250, interval }));
    }
}
