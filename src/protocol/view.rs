//! A message as keys of texts and references to pictures, before it has a language or bytes.

use serde::{Deserialize, Serialize};

use super::{AppLink, ButtonTone};
use caravanserai_games::ids::MessageId;
use caravanserai_games::text::{Arg, Text};

/// A message before it is said in a language and drawn. Stored in the outbox as JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct View {
    /// Lines.
    pub texts: Vec<Text>,
    /// The picture above them.
    pub picture: Option<PictureRef>,
    /// The record of this table as a file.
    pub record_of: Option<String>,
    /// Rows of buttons.
    pub keys: Vec<Vec<ButtonSpec>>,
    /// Whether it may be shown as a passing note.
    pub brief: bool,
    /// Whether it only says what a press has done, which the board shows as well, see
    /// [`super::EphemeralReply::is_ack`].
    pub passing: bool,
    /// Whether what was asked for is being posted, see [`super::EphemeralReply::is_being_posted`].
    pub posts: bool,
    /// Whether the platform opens the board, see [`super::EphemeralReply::launches_app`].
    pub launches: bool,
    /// Whether devices may sound.
    pub loud: bool,
    /// The message it answers.
    pub reply_to: Option<MessageId>,
    /// What it is, if it is one of those that replace each other, see
    /// [`super::EphemeralReply::slot`].
    pub slot: Option<String>,
    /// Whether it tells what only this reader may know, see
    /// [`super::EphemeralReply::is_secret`].
    pub secret: bool,
    /// Whether it is the hand of the player to move.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub to_move: bool,
}

/// A picture by reference; drawn when it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PictureRef {
    /// What one seat of a table sees. Only private messages to that person have it.
    Hand {
        /// Table code.
        table: String,
        /// Whose.
        seat: u8,
    },
    /// The board of a table as everybody may see it, with the side of a seat below if the reader
    /// wants that. Only private messages have it.
    View {
        /// Table code.
        table: String,
        /// Whose side.
        seat: u8,
    },
    /// The board of a table as everybody may see it.
    Board {
        /// Table code.
        table: String,
    },
    /// All hands of a deal that is over.
    Deal {
        /// Table code.
        table: String,
        /// Which, from 1.
        n: u8,
    },
    /// The score of a table's game so far.
    Chart {
        /// Table code.
        table: String,
    },
    /// How likely each side of a finished game was to win, move by move.
    Review {
        /// Table code.
        table: String,
    },
    /// A finished game as it was before a move, as the seat saw it that was to move.
    Moment {
        /// Table code.
        table: String,
        /// How many steps it had.
        step: u32,
        /// Whose move it was.
        seat: u8,
    },
    /// What the themes look like, two side by side as their buttons are.
    Themes {
        /// Code of the game that is shown.
        game: String,
    },
    /// A teaching picture.
    Lesson {
        /// Code of the game.
        game: String,
        /// Name of the page.
        #[serde(default)]
        page: String,
        /// The move that was tried there.
        #[serde(default)]
        tried: Option<String>,
    },
}

/// A button before its label is said in a language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ButtonSpec {
    /// What it says.
    pub label: Arg,
    /// What a press carries.
    pub press: String,
    /// How it looks.
    pub tone: ButtonTone,
    /// Instead of a press, see [`super::Button::begins`].
    #[serde(default)]
    pub begins: Option<String>,
    /// Instead of a press, see [`super::Button::opens`].
    #[serde(default)]
    pub opens: Option<AppLink>,
}

impl View {
    /// Words alone, short enough for a toast.
    pub fn brief(text: Text) -> Self {
        View { texts: vec![text], brief: true, ..View::default() }
    }

    /// Words that stay until they are dismissed.
    pub fn persistent(texts: Vec<Text>) -> Self {
        View { texts, ..View::default() }
    }
}

impl ButtonSpec {
    /// An ordinary button.
    pub fn new(label: impl Into<Arg>, press: impl Into<String>) -> Self {
        ButtonSpec {
            label: label.into(),
            press: press.into(),
            tone: ButtonTone::Plain,
            begins: None,
            opens: None,
        }
    }

    /// A button that opens something outside of the chat.
    pub fn with_link(label: impl Into<Arg>, window: AppLink) -> Self {
        ButtonSpec { opens: Some(window), ..ButtonSpec::new(label, "") }
    }

    /// The same button in another tone.
    #[must_use]
    pub fn with_tone(mut self, tone: ButtonTone) -> Self {
        self.tone = tone;
        self
    }
}
