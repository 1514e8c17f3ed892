//! Computes ratings and personal records from the results of finished games.
//!
//! Everything here is a projection: a [`GameResult`] is a fact, and [`rate_result`] folds it into
//! the [`PlayerRecord`]s of its players. Folding the same results in the order of
//! [`GameResult::order_key`] gives the same records, bit for bit: ratings are rounded to a fixed
//! step after each game and stored as whole numbers.
//!
//! The crate knows no particular game, no store, no time and no randomness. Which game has which
//! rating list follows from the seats of the result ([`RatingList::for_result`]).
//!
//! Start reading at [`rate`], then [`abuse_checks`].

pub mod abuse_checks;
pub mod achievements;
pub mod best_win;
pub mod casual_reason;
pub mod choice_counts;
pub mod computer_rating;
pub mod digest;
mod fixed_point;
mod game_ratings;
pub mod game_result;
pub mod gaussian;
pub mod glicko;
mod leaver_ratings;
pub mod luck;
pub mod milestone;
pub mod pair_limit;
pub mod plackett_luce;
pub mod play_quality;
pub mod player_record;
pub mod rate;
pub mod rated_game;
pub mod rating;
pub mod rating_list;
pub mod rating_scope;
pub mod season;
#[cfg(test)]
mod test_data;
mod text_hash;
pub mod weng_lin;

pub use self::abuse_checks::{AbuseKind, AbuseWarning, PlayPause, WarningLevel};
pub use self::achievements::{Achieved, SeatAchievement};
pub use self::best_win::BestWin;
pub use self::casual_reason::CasualReason;
pub use self::choice_counts::{ChoiceStatistics, StoredChoiceCount};
pub use self::computer_rating::{
    computer_points_per_logit, computer_rating, computer_rating_in, displayed_computer_rating,
};
pub use self::digest::{CloseGame, WeekDigest, WeekGain, WeekGame, WeekMilestone};
pub use self::game_result::{GameOutcome, GameResult, Leaver, ResultError, SeatResult};
pub use self::gaussian::GaussianRating;
pub use self::glicko::GlickoRating;
pub use self::luck::{LuckSum, ResultShare, final_chances, result_shares};
pub use self::milestone::{Milestone, SeatMilestone};
pub use self::pair_limit::PairLimit;
pub use self::play_quality::{JudgedGame, JudgedSeat, PlayQuality, RoundCost};
pub use self::player_record::{BestRating, Ending, PlayerRecord, RecentGame};
pub use self::rate::{RatedResult, RecordBefore, RecordChange, ScopeRecords, rate_result};
pub use self::rated_game::{RatedGame, RatedPlayer};
pub use self::rating::Rating;
pub use self::rating_list::{RatingList, RatingSystem};
pub use self::rating_scope::RatingScope;
pub use self::season::Season;
pub use self::text_hash::hash_texts;
