//! The stored result of a rated game, shown with the game, without the records of its players.

use caravanserai_games::ids::PersonId;

use crate::abuse_checks::AbuseWarning;
use crate::achievements::SeatAchievement;
use crate::casual_reason::CasualReason;
use crate::game_result::GameResult;
use crate::milestone::SeatMilestone;
use crate::rate::{RatedResult, RecordChange};
use crate::rating_list::RatingList;
use crate::rating_scope::RatingScope;

/// The consequences of a result that do not depend on other results any more.
#[derive(Clone, Debug)]
pub struct RatedGame {
    /// As [`RatedResult::list`].
    pub list: Option<RatingList>,
    /// As [`RatedResult::reasons`].
    pub reasons: Vec<CasualReason>,
    /// As [`RatedResult::warnings`].
    pub warnings: Vec<AbuseWarning>,
    /// What players have achieved for the first time.
    pub achievements: Vec<SeatAchievement>,
    /// The milestone of the game.
    pub milestone: Option<SeatMilestone>,
    /// What the game means for each person whose record changes, among the games of all chats.
    pub players: Vec<RatedPlayer>,
}

/// What a game means for a person, among the games of all chats.
#[derive(Clone, Debug)]
pub struct RatedPlayer {
    /// The seat of the person.
    pub seat: u8,
    /// The person.
    pub person: PersonId,
    /// The displayed rating after the game.
    pub rating: i32,
    /// As [`RecordChange::rating_change`].
    pub rating_change: i32,
    /// Whether the rating after the game is uncertain.
    pub is_provisional: bool,
    /// As [`RecordChange::casual`].
    pub casual: Vec<CasualReason>,
}

impl RatedGame {
    /// Whether ratings were computed.
    pub fn is_rated(&self) -> bool {
        self.reasons.is_empty()
    }

    /// Why the result is not rated for all players, or not for a new player who won.
    pub fn all_reasons(&self) -> Vec<CasualReason> {
        let is_won_by_new = self.players.iter().any(RatedPlayer::is_new_winner);
        let of_winner = is_won_by_new.then_some(CasualReason::NewAccount);
        self.reasons.iter().copied().chain(of_winner).collect()
    }
}

impl RatedPlayer {
    fn new(result: &GameResult, change: &RecordChange) -> Self {
        RatedPlayer {
            seat: change.seat,
            person: change.person.clone(),
            rating: change.after.displayed_rating(),
            rating_change: change.rating_change,
            is_provisional: change.after.is_provisional(result.ended_ms),
            casual: change.casual.clone(),
        }
    }

    /// Whether the game is rated for the others alone, because a new player won it very quickly.
    pub fn is_new_winner(&self) -> bool {
        self.casual == [CasualReason::NewAccount]
    }
}

impl RatedResult {
    /// Separates what is stored and told about the game from the changed records.
    pub fn into_game(self, result: &GameResult) -> (RatedGame, Vec<RecordChange>) {
        let overall = self.changes.iter().filter(|it| it.scope == RatingScope::OVERALL);
        let players = overall.map(|it| RatedPlayer::new(result, it)).collect();
        let is_shown = !result.is_aborted();
        let game = RatedGame {
            achievements: if is_shown { self.achievements(result) } else { Vec::new() },
            milestone: is_shown.then(|| self.milestone(result)).flatten(),
            players,
            list: self.list,
            reasons: self.reasons,
            warnings: self.warnings,
        };
        (game, self.changes)
    }
}
