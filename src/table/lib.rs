//! Implements the table: one game session from its opening to its result, as a fold over its event
//! log.
//!
//! Everything here is pure: it needs no clock, no store and no platform. Start reading at
//! [`event`], then [`state`] and [`decide`](mod@decide).

mod abandoned;
pub mod absent_players;
pub mod archive;
pub mod clock;
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
pub mod hints;
pub mod lobby_commands;
mod lobby_state;
pub mod locations;
mod log_words;
pub mod misplaced_lines;
pub mod people;
pub mod presence;
pub mod review;
pub mod seed_commitment;
pub mod state;
pub mod steps;
pub mod vacation;
pub mod verify;

pub use caravanserai_games::ids::TableId;
pub use clock::{ClockEvent, TimeControl};
pub use command::{Actor, Command};
pub use decide::{Decision, Refusal, deadline, decide, tick};
pub use decision_builder::{EventMeta, apply_external_event, apply_external_events, open_table};
pub use event::{EndReason, Event, EventCause, FirstMover, LogLine, PlayerOffer, TableSetup};
pub use locations::{ATTACHED_CHATS_MAX, AttachedChat, Location};
pub use people::{DeclineReason, Invitee, Occupant, SeatNewcomer};
pub use state::{Table, TablePhase};
