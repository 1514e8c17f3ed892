//! Finds the best game that a person has won: the one against the strongest opponents.

use caravanserai_games::ids::TableId;
use serde::{Deserialize, Serialize};

use crate::game_result::{GameOutcome, GameResult};
use crate::player_record::PlayerRecord;
use crate::rating::Rating;

/// The best rated game that a person has won. The names of the opponents are in the history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BestWin {
    /// The table of the game.
    #[serde(rename = "g")]
    pub table: TableId,
    /// The end of the game, in milliseconds since 1970.
    #[serde(rename = "t")]
    pub at_ms: u64,
    /// The displayed rating that the opponents had before the game, on average.
    #[serde(rename = "r")]
    pub rating: i32,
    /// Whether one of these ratings was uncertain.
    #[serde(rename = "p", default, skip_serializing_if = "crate::game_result::is_false")]
    pub is_provisional: bool,
}

impl BestWin {
    /// A win against certain ratings is better than one against uncertain ones, which may be much
    /// too high.
    fn order(&self) -> (bool, i32) {
        (!self.is_provisional, self.rating)
    }
}

impl PlayerRecord {
    /// Keeps this rated game as the best one that the player of the seat has won, if it is better
    /// than those before. `before`: the ratings by seat before the game. A game that was lost on
    /// time is no such win, nor one against a player who was absent or gave up their seat.
    pub(crate) fn add_best_win(&mut self, result: &GameResult, seat: usize, before: &[Rating]) {
        let was_played = result.leavers.is_empty()
            && !result.is_lost_on_time()
            && result.seats.iter().all(|it| !it.is_absent);
        if !was_played || result.outcome(seat) != GameOutcome::Win {
            return;
        }
        let opponents = (0..before.len()).filter(|it| !result.are_allies(seat, *it));
        let opponents: Vec<Rating> = opponents.map(|it| before[it]).collect();
        if opponents.is_empty() {
            return;
        }
        let mean = opponents.iter().map(|it| it.points()).sum::<f64>() / opponents.len() as f64;
        let win = BestWin {
            table: result.table.clone(),
            at_ms: result.ended_ms,
            rating: mean.round() as i32,
            is_provisional: opponents.iter().any(|it| it.is_provisional()),
        };
        if self.best_win.as_ref().is_none_or(|it| win.order() > it.order()) {
            self.best_win = Some(win);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glicko::GlickoRating;
    use crate::rating_list::RatingSystem;
    use crate::test_data::{game, partners};

    fn rating(rating: f64, deviation: f64) -> Rating {
        Rating::Glicko(GlickoRating { rating, deviation, volatility: 0.06 })
    }

    fn record() -> PlayerRecord {
        PlayerRecord::new(RatingSystem::Glicko2)
    }

    #[test]
    fn the_first_win_against_the_highest_certain_rating_is_the_best() {
        let mut record = record();
        let mut result = game(&[("a", 1), ("b", 0)]);
        let mut bests = Vec::new();
        for (points, deviation) in
            [(1900.0, 200.0), (1500.0, 60.0), (1700.0, 60.0), (1700.0, 50.0), (2400.0, 300.0)]
        {
            result.table = TableId(format!("{points}-{deviation}"));
            record.add_best_win(&result, 0, &[rating(1500.0, 60.0), rating(points, deviation)]);
            bests.push(record.best_win.as_ref().map(|it| it.table.0.clone()).unwrap());
        }
        assert_eq!(bests, ["1900-200", "1500-60", "1700-60", "1700-60", "1700-60"]);
        assert_eq!(record.best_win.unwrap().rating, 1700);
    }

    #[test]
    fn what_the_opponent_did_not_play_is_no_best_win() {
        let before = [rating(1500.0, 60.0), rating(1800.0, 60.0)];
        let best = |result: &GameResult| {
            let mut record = record();
            record.add_best_win(result, 0, &before);
            record.best_win
        };
        let won = game(&[("a", 1), ("b", 0)]);
        assert!(best(&won).is_some());
        assert_eq!(best(&game(&[("a", 1), ("b", 1)])), None, "a draw");
        assert_eq!(best(&game(&[("a", 0), ("b", 1)])), None, "a loss");
        let mut late = won.clone();
        late.end_reason = "late".to_owned();
        assert_eq!(best(&late), None);
        let mut absent = won.clone();
        absent.seats[1].is_absent = true;
        assert_eq!(best(&absent), None);
    }

    #[test]
    fn the_opponents_of_partners_have_the_mean_of_their_ratings() {
        let mut record = record();
        let before = [1500.0, 1600.0, 1900.0, 1701.0].map(|it| rating(it, 60.0));
        record.add_best_win(&partners([3, 1]), 2, &before);
        assert_eq!(record.best_win.map(|it| it.rating), Some(1651));
    }
}
