//! Tells how well people play, whatever dice and deals give them.
//!
//! An engine judges each decision by what its seat could know, and tells which part of the chance
//! to win it has cost. The play quality of a person is the mean cost of their decisions in a round:
//! the less, the better. Results say little about play where luck decides most rounds.

use serde::{Deserialize, Serialize};

/// How a game was played. Stored as JSON, without ids and names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedGame {
    /// The number of finished rounds; 1 in a game without rounds. What happens in a round that does
    /// not end is not judged.
    pub rounds: u32,
    /// The seats whose players are judged.
    pub seats: Vec<JudgedSeat>,
}

/// The decisions of a seat in the finished rounds of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedSeat {
    /// The seat.
    pub seat: u8,
    /// The number of judged decisions.
    pub decisions: u32,
    /// What they have cost together, in thousandths of the chance to win.
    pub cost: u32,
}

/// How well a person has played in several games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayQuality {
    /// The number of judged games.
    pub games: u32,
    /// The number of finished rounds in them.
    pub rounds: u32,
    /// What the decisions have cost together, in thousandths of the chance to win.
    cost: u32,
}

impl PlayQuality {
    /// Adds a game that the person has played on this seat; nothing if the seat was not judged.
    pub fn add(&mut self, game: &JudgedGame, seat: u8) {
        let Some(judged) = game.seats.iter().find(|it| it.seat == seat) else { return };
        self.games += 1;
        self.rounds += game.rounds;
        self.cost += judged.cost;
    }

    /// The mean cost of the decisions in a round, in hundredths of a percent of the chance to win;
    /// `None` without rounds.
    pub fn cost_of_round(&self) -> Option<u32> {
        (self.rounds > 0).then(|| (10 * self.cost + self.rounds / 2) / self.rounds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cost_of_a_round_is_the_mean_of_all_rounds() {
        let seat = |seat, cost| JudgedSeat { seat, decisions: 20, cost };
        let game = |rounds, cost| JudgedGame { rounds, seats: vec![seat(1, cost), seat(3, 999)] };
        let mut quality = PlayQuality::default();
        assert_eq!(quality.cost_of_round(), None);
        quality.add(&game(3, 61), 1);
        quality.add(&game(1, 40), 1);
        quality.add(&game(9, 40), 2);
        // 101 thousandths in four rounds: 2.525 % each.
        assert_eq!((quality.games, quality.rounds), (2, 4));
        assert_eq!(quality.cost_of_round(), Some(253));
    }
}
