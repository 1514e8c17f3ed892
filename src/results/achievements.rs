//! Adds up the counts of a person's games, and keeps their achievements.
//!
//! The games define what is counted and what can be achieved; see
//! [`caravanserai_games::statistics`].

use caravanserai_games::GameId;
use caravanserai_games::ids::TableId;
use serde::{Deserialize, Serialize};

use crate::game_result::{GameOutcome, GameResult};
use crate::player_record::PlayerRecord;
use crate::rate::{RatedResult, RecordChange};
use crate::rating_scope::RatingScope;

/// The first time that a person has achieved something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Achieved {
    /// The code of the achievement in its game.
    #[serde(rename = "c")]
    pub code: String,
    /// The table of the game.
    #[serde(rename = "g")]
    pub table: TableId,
    /// The end of that game, in milliseconds since 1970.
    #[serde(rename = "t")]
    pub at_ms: u64,
}

/// Something that a player has achieved for the first time in a game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SeatAchievement {
    /// The seat of the player.
    pub seat: u8,
    /// The code of the achievement in its game.
    pub code: String,
}

impl PlayerRecord {
    /// Adds the counts of a seat, the ways to play that its player chose, and what they have
    /// achieved for the first time. Results have no counts for a seat with several players, and an
    /// absent player achieves nothing.
    pub fn add_statistics(&mut self, result: &GameResult, seat: usize) {
        let Some(game) = GameId::from_code(&result.game) else { return };
        if result.seats[seat].is_absent {
            return;
        }
        let counts = &result.seats[seat].counts;
        for total in game.totals() {
            let number = counts.get(*total).copied().unwrap_or_default();
            if number > 0 {
                *self.totals.entry((*total).to_owned()).or_default() += u64::from(number);
            }
        }
        let lookup = |name: &str| counts.get(name).map_or(0, |it| i64::from(*it));
        let has_won = result.outcome(seat) == GameOutcome::Win;
        self.add_choices(result, seat, has_won);
        for achievement in game.achievements() {
            let is_new = self.achieved.iter().all(|it| it.code != achievement.code);
            if is_new && (achievement.is_reached)(&lookup, has_won) {
                self.achieved.push(Achieved {
                    code: achievement.code.to_owned(),
                    table: result.table.clone(),
                    at_ms: result.ended_ms,
                });
            }
        }
    }
}

impl RatedResult {
    /// The achievements that players have reached for the first time by a game: in a group, for the
    /// first time there, so that nothing about other chats becomes known.
    pub fn achievements(&self, result: &GameResult) -> Vec<SeatAchievement> {
        let scope = RatingScope::shown_in(&result.chat);
        let own = self.changes.iter().filter(|it| it.scope == scope && it.is_of_player(result));
        let new = |change: &RecordChange| {
            let seat = change.seat;
            let reached = change.after.achieved.iter().skip(change.before.achievements);
            reached.map(|it| SeatAchievement { seat, code: it.code.clone() }).collect::<Vec<_>>()
        };
        own.flat_map(new).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating_list::RatingSystem;
    use crate::test_data::game;

    /// A game of two, by the counts of the first seat.
    fn with_counts(scores: [i32; 2], counts: &[(&str, u32)]) -> GameResult {
        let mut result = game(&[("a", scores[0]), ("b", scores[1])]);
        result.game = GameId::all()[0].info().code.to_owned();
        let own = counts.iter().map(|(name, number)| ((*name).to_owned(), *number));
        result.seats[0].counts = own.collect();
        result
    }

    fn record_of(games: &[GameResult]) -> PlayerRecord {
        let mut record = PlayerRecord::new(RatingSystem::Glicko2);
        games.iter().for_each(|it| record.add_statistics(it, 0));
        record
    }

    fn codes(record: &PlayerRecord) -> Vec<&str> {
        record.achieved.iter().map(|it| it.code.as_str()).collect()
    }

    #[test]
    fn the_first_game_with_an_achievement_is_kept() {
        let first = with_counts([90, 72], &[("captured", 90), ("tuzdyks", 1)]);
        let mut second = first.clone();
        second.ended_ms += 1;
        let record = record_of(&[first.clone(), second]);
        assert_eq!(codes(&record), ["tuzdyk"]);
        assert_eq!(record.achieved[0].at_ms, first.ended_ms);
        assert_eq!(record.totals["captured"], 180);
        assert_eq!(record.totals["tuzdyks"], 2);
    }

    #[test]
    fn a_comeback_needs_a_win() {
        let lost = with_counts([70, 92], &[("behind", 30)]);
        assert!(codes(&record_of(&[lost])).is_empty());
        let won = with_counts([92, 70], &[("behind", 30)]);
        assert_eq!(codes(&record_of(&[won])), ["comeback"]);
    }
}
