//! Names the limits for the rated games of a pair of opponents on a day.

use serde::{Deserialize, Serialize};

use crate::casual_reason::CasualReason;

/// The limit for the games of a pair that is reached. It is decided when a game starts: otherwise
/// players could choose which of their games are rated by the order in which they end them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PairLimit {
    /// None is: the game is rated, however many others end before it.
    #[serde(rename = "none")]
    NotReached,
    /// That of the chat: the game is casual.
    #[serde(rename = "chat")]
    InChat,
    /// That of all chats together: the game counts only for the lists of its chat.
    #[serde(rename = "all")]
    Everywhere,
}

impl PairLimit {
    /// All limits.
    pub const ALL: [PairLimit; 3] =
        [PairLimit::NotReached, PairLimit::InChat, PairLimit::Everywhere];

    /// The stable code, for logs and stored results.
    pub fn code(self) -> &'static str {
        match self {
            PairLimit::NotReached => "none",
            PairLimit::InChat => "chat",
            PairLimit::Everywhere => "all",
        }
    }

    /// Parses a code.
    pub fn parse(code: &str) -> Option<PairLimit> {
        Self::ALL.into_iter().find(|it| it.code() == code)
    }

    /// Why a game with this limit is not rated, or not in all lists.
    pub fn reasons(self) -> &'static [CasualReason] {
        match self {
            PairLimit::NotReached => &[],
            PairLimit::InChat => &[CasualReason::PairLimit],
            PairLimit::Everywhere => &[CasualReason::PairLimitEverywhere],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_name_of_a_limit_is_its_code() {
        for limit in PairLimit::ALL {
            assert_eq!(PairLimit::parse(limit.code()), Some(limit));
            let json = serde_json::to_string(&limit).unwrap();
            assert_eq!(json, format!("\"{}\"", limit.code()));
        }
        assert_eq!(PairLimit::parse(""), None);
    }
}
