//! Lists the reasons why a game is not rated.

use serde::{Deserialize, Serialize};

/// Why a game is casual. Its code is the key of the sentence that tells the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum CasualReason {
    /// The lobby chose a casual game.
    #[serde(rename = "chosen")]
    Chosen,
    /// Hints were allowed, or a player had one.
    #[serde(rename = "hints")]
    Hints,
    /// The players agreed to take moves back.
    #[serde(rename = "takeback")]
    Takeback,
    /// A seat changed its player during the game.
    #[serde(rename = "substitute")]
    Substitute,
    /// The game began with a guest: a person of a public page who has no history yet.
    #[serde(rename = "guest")]
    Guest,
    /// A computer has no known rating in this list.
    #[serde(rename = "unknown-computer")]
    ComputerUnrated,
    /// Several people play, and a computer, which would object to nothing that they agree to.
    #[serde(rename = "several-people")]
    SeveralPeople,
    /// The bot explained the game to a beginner.
    #[serde(rename = "coached")]
    Coached,
    /// One person had several seats.
    #[serde(rename = "same-person")]
    SamePerson,
    /// The game ended without a result. It is not counted at all.
    #[serde(rename = "aborted")]
    Aborted,
    /// The game was too short to say anything.
    #[serde(rename = "too-short")]
    TooShort,
    /// The table has no rating list, for example because only one seat played.
    #[serde(rename = "no-list")]
    NoList,
    /// The players had enough rated games against each other in this chat today: each pair of
    /// opponents.
    #[serde(rename = "pair-limit")]
    PairLimit,
    /// The players had enough rated games against each other in all chats together today: the game
    /// counts only for the lists of its chat.
    #[serde(rename = "pair-limit-everywhere")]
    PairLimitEverywhere,
    /// A new account won a very short game.
    #[serde(rename = "new-account")]
    NewAccount,
    /// The game repeats the opening and the result of a recent game with the same computer.
    #[serde(rename = "farming")]
    Farming,
    /// A player deleted their account and came back within 90 days.
    #[serde(rename = "deleted-account")]
    DeletedAccount,
    /// A player is paused from rated games, because too many games were aborted or lost on
    /// time.
    #[serde(rename = "rating-pause")]
    RatingPause,
    /// A reason that a later version of the program wrote.
    #[serde(rename = "other", other)]
    Other,
}

impl CasualReason {
    /// All reasons, in the order of their explanations in the manual.
    pub const ALL: [CasualReason; 19] = [
        CasualReason::Chosen,
        CasualReason::Hints,
        CasualReason::Takeback,
        CasualReason::Substitute,
        CasualReason::Guest,
        CasualReason::ComputerUnrated,
        CasualReason::SeveralPeople,
        CasualReason::Coached,
        CasualReason::SamePerson,
        CasualReason::Aborted,
        CasualReason::TooShort,
        CasualReason::NoList,
        CasualReason::PairLimit,
        CasualReason::PairLimitEverywhere,
        CasualReason::NewAccount,
        CasualReason::Farming,
        CasualReason::DeletedAccount,
        CasualReason::RatingPause,
        CasualReason::Other,
    ];

    /// Whether a game counts for the lists of its chat in spite of this reason, if it has no other.
    pub fn spares_lists_of_chat(self) -> bool {
        self == CasualReason::PairLimitEverywhere
    }

    /// The stable code, for message keys and stored results.
    pub fn code(self) -> &'static str {
        match self {
            CasualReason::Chosen => "chosen",
            CasualReason::Hints => "hints",
            CasualReason::Takeback => "takeback",
            CasualReason::Substitute => "substitute",
            CasualReason::Guest => "guest",
            CasualReason::ComputerUnrated => "unknown-computer",
            CasualReason::SeveralPeople => "several-people",
            CasualReason::Coached => "coached",
            CasualReason::SamePerson => "same-person",
            CasualReason::Aborted => "aborted",
            CasualReason::TooShort => "too-short",
            CasualReason::NoList => "no-list",
            CasualReason::PairLimit => "pair-limit",
            CasualReason::PairLimitEverywhere => "pair-limit-everywhere",
            CasualReason::NewAccount => "new-account",
            CasualReason::Farming => "farming",
            CasualReason::DeletedAccount => "deleted-account",
            CasualReason::RatingPause => "rating-pause",
            CasualReason::Other => "other",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_name_of_a_reason_is_its_code() {
        for reason in CasualReason::ALL {
            let json = serde_json::to_string(&reason).unwrap();
            assert_eq!(json, format!("\"{}\"", reason.code()));
            assert_eq!(serde_json::from_str::<CasualReason>(&json).unwrap(), reason);
        }
    }

    #[test]
    fn an_unknown_reason_keeps_a_game_casual() {
        let reason: CasualReason = serde_json::from_str("\"moon\"").unwrap();
        assert_eq!(reason, CasualReason::Other);
    }
}
