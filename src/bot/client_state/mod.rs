//! Builds what a client, such as the page, reads as JSON: the state of a table, its lobby, a
//! replay, an analysed position. `state.md` describes the state of a table.

mod analysis;
mod lobby;
mod replay;
mod table;

pub(crate) use table::phase_name;
