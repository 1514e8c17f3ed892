//! A table: one game session from the first word to the result, as a fold of its log.
//!
//! Pure: no clock, no store, no platform. Start reading at [`event`], then [`fold`], [`decide`].

mod abandoned;
pub mod absence;
pub mod archive;
pub mod clock;
pub mod command;
pub mod computers;
pub mod consent;
pub mod deals;
pub mod decide;
pub mod event;
pub mod fair;
pub mod fold;
mod gather;
pub mod hints;
pub mod lobby;
pub mod people;
pub mod places;
pub mod plans;
pub mod presence;
pub mod promise;
pub mod review;
pub mod run;
pub mod separate;
mod spelling;
pub mod steps;
pub mod vacation;
pub mod verify;
mod written;

pub use caravanserai_games::ids::TableId;
pub use clock::{Control, Timed};
pub use command::{Actor, Command};
pub use decide::{Decision, Refusal, deadline, decide, tick};
pub use event::{Begin, Cause, Event, Line, Offer, Reason, Setup};
pub use fold::{Phase, Table};
pub use people::{Invited, Newcomer, Occupant, Why};
pub use places::{Attached, PLACES_MAX, Spot};
pub use run::{Stamp, happening, happenings, opening};
