//! Implements the table: one game session from its opening to its result, as a fold over its event
//! log.
//!
//! Everything here is pure: it needs no clock, no store and no platform. Start reading at
//! [`event`], then [`state`] and [`decide`](mod@decide).

mod abandoned;
pub mod absent_players;
mod access_routes;
pub mod account_deletion;
pub mod archive;
pub mod chat_commands;
pub mod chat_state;
pub mod clock;
mod clock_state;
pub mod command;
pub mod computer_moves;
pub mod conditional_moves;
pub mod consent;
pub mod decide;
pub mod decision_builder;
pub mod event;
mod event_codec;
pub mod fair_random;
pub mod finished_deals;
pub mod game_result;
pub mod guest_marks;
pub mod hidden_name_replacement;
pub mod hints;
pub mod identity_replacement;
pub mod invitations;
mod leavers;
mod lobby_agreements;
pub mod lobby_commands;
mod lobby_state;
mod log_words;
pub mod misplaced_lines;
pub mod move_history;
pub mod objections;
mod offer_commands;
pub mod offer_state;
pub mod operator_actions;
mod pause_commands;
pub mod people;
pub mod presence;
pub mod rated_games;
mod record;
pub mod rematch;
pub mod review;
pub mod seat_encounters;
pub mod seat_replacement;
pub mod seating;
pub mod seed_commitment;
pub mod state;
pub mod steps;
pub mod table_setup;
pub mod table_times;
#[cfg(test)]
mod test_rated_tables;
pub mod vacation;
pub mod verify;
mod victory_claims;

pub use caravanserai_games::ids::TableId;
pub use chat_commands::ATTACHED_CHATS_MAX;
pub use chat_state::{AttachedChat, Location, TableChats};
pub use clock::{ClockEvent, TimeControl};
pub use command::{Actor, Command};
pub use decide::{Decision, Refusal, deadline, decide, decide_another_rematch, tick};
pub use decision_builder::{
    EventMeta, apply_external_event, apply_external_events, open_table, postpone_decision,
};
pub use event::{EndReason, Event, EventCause, FirstMover, LogLine, PlayerOffer};
pub use hints::Hints;
pub use invitations::Invitations;
pub use move_history::MoveHistory;
pub use offer_state::{Offers, PendingOffer, Proposer};
pub use people::{DeclineReason, Invitee, Occupant, SeatNewcomer};
pub use seating::Seating;
pub use seed_commitment::{SeedCommitment, SeedCommitments};
pub use state::{Table, TablePhase};
pub use table_setup::TableSetup;
pub use table_times::TableTimes;
