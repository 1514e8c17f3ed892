//! What people ask of a table.

use super::event::{Begin, Offer};
use crate::chat::PersonId;

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// Who.
    pub person: PersonId,
    /// What people see of them.
    pub name: String,
    /// The name after `@`, without it.
    pub username: Option<String>,
    /// Whether they keep order in the place they speak from.
    pub admin: bool,
    /// The update by which they ask.
    pub cause: String,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Sit down; for an invited friend: accept.
    Join,
    /// Decline an invitation.
    Refuse,
    /// Stand up before the start.
    Leave,
    /// Take the table away before the start.
    Cancel,
    /// Change one house rule: `pieces=2`, or a value alone where it says enough.
    Vary(String),
    /// Settle who begins.
    Order(Begin),
    /// Make a move.
    Play {
        /// The position it was chosen in; `None` means now.
        position: Option<u64>,
        /// What to play.
        choice: Choice,
    },
    /// Give up the game.
    Resign,
    /// Offer something, or accept the same offer of the other side.
    Propose(Proposal),
    /// Answer what the other side offers.
    Answer {
        /// The offer that was seen; `None` means whatever stands.
        offer: Option<Offer>,
        /// Yes or no.
        accept: bool,
    },
    /// Give up the table before the second move.
    Abort,
}

/// How a move was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// By a button: canonical.
    Token(String),
    /// By a person's words.
    Typed(String),
}

/// What a player proposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// To call it a draw.
    Draw,
    /// To take back one's own last move.
    TakeBack,
    /// To play again with sides exchanged.
    Rematch,
}
