//! Ratings, statistics and histories, computed from the results of finished games.
//!
//! The commit that ends a game also stores its [`GameResult`] ([`stored_results`]), so no result
//! is lost and no fault in this module can stop a game from ending. The [`projector`] then folds
//! the results, in the order in which the games ended, into the rows that people look at: records
//! with ratings, lists and histories. All of these can be discarded and computed again.
//!
//! Start reading at [`ResultProjector::project_pending`](projector::ResultProjector).
//!
//! [`GameResult`]: caravanserai_results::GameResult

mod collector;
mod current_ids;
mod fold;
pub mod play_details;
pub mod private_warnings;
pub mod progress;
mod projection_state;
pub mod projector;
pub mod queries;
mod rebuild;
mod rebuild_tasks;
mod record_cache;
mod row_builder;
pub mod row_formats;
pub mod stored_results;
pub mod unrated_games;
mod week_games;
