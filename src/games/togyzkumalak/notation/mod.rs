//! Notation of positions, moves and whole records.
//!
//! Four forms of record are read and written: the federation's (`76`, `36x`, a diagram every ten
//! moves), PlayOK's (headers, `76(10)`, `{zero}`), PlayStrategy's (`g1d2`) and plain pits. A
//! record claims more than the moves (landing pits, kazans, diagrams, the result); the reader
//! keeps every claim with its line and [`replay()`] checks each against the rules. A record ends
//! where a game at a table ends, also with the third occurrence of a position; moves after the end
//! are refused.

pub mod moves;
pub mod notation_errors;
pub mod position;
pub mod reader;
pub mod replay;
pub mod writer;

pub use moves::NotatedMove;
pub use notation_errors::{
    MoveFault, TogyzkumalakPositionFault, TogyzkumalakRecordError, TogyzkumalakRecordFault,
};
pub use position::{read_position, write_position};
pub use reader::{Form, ParsedGame, read_games};
pub use replay::{ReplayedTogyzkumalakRecord, replay};
pub use writer::{TogyzkumalakHeaders, write_record};
