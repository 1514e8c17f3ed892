//! Parses typed text and button presses into [`crate::commands::Request`].
//!
//! [`request_parser`] is the entry. It finds the command ([`command_lookup`]) or the button and
//! passes the rest to the command's file in [`crate::commands`].

pub mod command_lookup;
pub mod inline_query;
pub mod new_table;
pub mod phrases;
pub mod request_parser;
pub mod trailing_words;
pub mod words;

pub use new_table::NewTable;
pub(crate) use request_parser::looks_like_move;
pub use request_parser::{parse_request, parse_unknown_command};
