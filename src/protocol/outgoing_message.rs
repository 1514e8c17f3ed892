//! Defines the messages that the bot hands to a platform, and the reasons why one is not sent.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::private_message::PrivateMessage;
use super::table_state::PhaseName;
use super::view::View;
use super::viewer_page::ViewerPage;
use caravanserai_games::ids::{ChatId, MessageId, PersonId, TableId};
use caravanserai_games::text::RichText;

/// A message ready to be sent: translated into one language, with its pictures drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutgoingMessage {
    /// The text. With a picture it is the caption, at most 1,000 characters.
    pub text: RichText,
    /// A picture above the text.
    pub image: Option<Image>,
    /// An attached file, for records and replays.
    pub file: Option<Attachment>,
    /// Rows of buttons, at most five rows of five.
    pub buttons: Vec<Vec<Button>>,
    /// Whether devices may play a sound.
    pub notification: Notification,
    /// The message that it replies to, if that still exists.
    pub reply_to: Option<MessageId>,
    /// The id of the update that causes it, if a person waits for the reply: a platform may send
    /// the message as the direct answer to that update.
    pub answers_update: Option<String>,
    /// The person for whom the table waits, if the message is a board: the player to move, or one
    /// who is asked for a rematch. Platforms that can notify them outside the visible board do.
    pub awaited_person: Option<PersonId>,
    /// The table on the board, if the message is a board and the platform lists tables itself, see
    /// [`shows_table_list`](super::Capabilities::shows_table_list).
    pub board: Option<BoardSummary>,
    /// The table whose board or hand this is, for platforms that draw it themselves, see
    /// [`table_state`](super::ClientQueries::table_state).
    pub table: Option<TableId>,
    /// The page it shows, for platforms that can show it on a board of their own, see
    /// [`viewer_page`](super::ClientQueries::viewer_page).
    pub viewer_page: Option<ViewerPage>,
    /// Equal for retries of the same message: a platform that can refuse a second copy uses it.
    pub nonce: String,
}

/// What a board shows, for platforms that list the tables of a chat themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BoardSummary {
    /// The code of the game.
    pub game: String,
    /// The phase of the table.
    pub phase: PhaseName,
    /// The accounts on this platform of people who play there; others are left out.
    pub players: Vec<PersonId>,
    /// The displayed names of all players, in the order of the seats.
    pub names: Vec<String>,
    /// The number of seats that are still open.
    pub open_seats: u8,
    /// The accounts on this platform of people who are asked to play and have not answered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub invited: Vec<PersonId>,
    /// Before the start: the callback data with which people accept and decline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub answers: Option<InvitationAnswers>,
}

/// The callback data with which people answer an invitation to a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct InvitationAnswers {
    /// Takes a seat, also without an invitation.
    pub accept: String,
    /// Declines.
    pub decline: String,
}

/// Whether devices may play a sound when a message arrives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notification {
    /// They may not, as for a board.
    #[default]
    Silent,
    /// They may, as for a call to the player to move.
    Audible,
}

impl Notification {
    /// Returns the notification of a message that may be [`Notification::Audible`] if this holds.
    pub fn audible_if(audible: bool) -> Self {
        if audible { Notification::Audible } else { Notification::Silent }
    }

    /// Whether devices may play a sound.
    pub fn is_audible(self) -> bool {
        self == Notification::Audible
    }
}

/// A PNG picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The encoded bytes.
    pub png: Arc<Vec<u8>>,
    /// The alternative text, for platforms that have one (Discord: 1,024 characters).
    pub alt: String,
}

/// A file attachment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// The file name, in ASCII.
    pub name: String,
    /// The contents.
    pub bytes: Arc<Vec<u8>>,
    /// The alternative text of an animation (GIF), to be shown as such; `None` for other files.
    pub animation: Option<String>,
}

impl Attachment {
    /// Creates an attachment that is kept or opened elsewhere, not shown as an animation.
    pub fn document(name: String, bytes: Arc<Vec<u8>>) -> Self {
        Attachment { name, bytes, animation: None }
    }
}

/// A button.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Button {
    /// The label: at most 80 characters; a few are better.
    pub label: String,
    /// The callback data that a press carries: at most 64 bytes of ASCII.
    #[serde(rename = "press")]
    pub callback_data: String,
    /// The colour of the button where the platform supports it. Never the only signal.
    pub tone: ButtonTone,
    /// Instead of a press, starts a message to the bot with these words;
    /// [`inline_results`](super::InlineQueries::inline_results) answers while the user types it
    /// (Telegram's inline mode).
    /// Platforms without such a feature omit the button.
    #[serde(rename = "begins")]
    pub inline_query: Option<String>,
    /// Instead of a press, opens a link or an app. Platforms without such a feature omit the
    /// button.
    #[serde(rename = "opens")]
    pub link: Option<AppLink>,
}

/// A target that a button opens outside of the chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AppLink {
    /// An address, opened in a browser or where the platform opens links.
    Link(String),
    /// An address that the platform opens in its own app, where it reports who the user is.
    App(String),
    /// A launch that the platform makes itself as the answer to a press, see
    /// [`ReplyPurpose::AppLaunch`].
    Launch,
}

/// A choice shown while a user types a message to the bot; only that user sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineResult {
    /// The displayed title.
    pub title: String,
    /// A longer description, in smaller type.
    pub description: String,
    /// The text that choosing it sends to the chat.
    pub message: String,
    /// Buttons under the sent message. A press acts even where the bot is not a member. The message
    /// is then all there is of that chat, see
    /// [`only_message`](super::InlineBoards::only_message).
    pub buttons: Vec<Vec<Button>>,
}

/// An address that leads to a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InviteLink {
    /// The effect of opening it.
    pub target: InviteTarget,
    /// The address.
    pub url: String,
}

/// The effect of opening an [`InviteLink`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InviteTarget {
    /// It leads a person to the table.
    Table,
    /// It shows the table in a group.
    Group,
}

/// The appearance of a button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
// Rows have the names of the variants, the JSON interface has [`ButtonTone::name`].
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename_all = "lowercase"))]
pub enum ButtonTone {
    /// An ordinary choice.
    #[default]
    Plain,
    /// The main action: join, accept.
    Good,
    /// An action that is hard to take back: resign.
    Danger,
}

impl ButtonTone {
    /// Returns the machine-readable name.
    pub fn name(self) -> &'static str {
        match self {
            ButtonTone::Plain => "plain",
            ButtonTone::Good => "good",
            ButtonTone::Danger => "danger",
        }
    }
}

/// The urgency with which a player needs to see their hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HandPriority {
    /// The player is to move.
    ToMove,
    /// Another player is to move.
    #[default]
    Waiting,
}

impl HandPriority {
    /// Returns [`HandPriority::ToMove`] for the hand of the player to move.
    pub fn to_move_if(is_to_move: bool) -> Self {
        if is_to_move { HandPriority::ToMove } else { HandPriority::Waiting }
    }

    /// Whether the player is to move.
    pub fn is_to_move(self) -> bool {
        self == HandPriority::ToMove
    }
}

/// The form in which a platform may show a private reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReplyForm {
    /// A message of its own.
    #[default]
    Message,
    /// A toast or alert (at most 200 characters), if it answers a press.
    Toast,
}

impl ReplyForm {
    /// Returns [`ReplyForm::Toast`] for a brief reply.
    pub fn toast_if(is_brief: bool) -> Self {
        if is_brief { ReplyForm::Toast } else { ReplyForm::Message }
    }

    /// Whether a platform may show the reply as a toast.
    pub fn is_toast(self) -> bool {
        self == ReplyForm::Toast
    }
}

/// The purpose of a private reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReplyPurpose {
    /// It contains what was asked for.
    #[default]
    Answer,
    /// It only acknowledges the update, and the board will show the same. As a toast for one press
    /// it is useful at once, before any picture. Adapters omit it where it would stay, or where the
    /// new board is itself the answer.
    Acknowledgement,
    /// It acknowledges that the requested content is being posted publicly, which may itself be the
    /// answer, see [`OutgoingMessage::answers_update`].
    BeingPosted,
    /// The platform opens the board in a window of its own, which is the answer.
    AppLaunch,
}

impl ReplyPurpose {
    /// Whether the reply only acknowledges the update.
    pub fn is_ack(self) -> bool {
        matches!(self, ReplyPurpose::Acknowledgement | ReplyPurpose::BeingPosted)
    }

    /// Whether the requested content is being posted publicly.
    pub fn is_being_posted(self) -> bool {
        self == ReplyPurpose::BeingPosted
    }

    /// Whether the platform opens the board in a window of its own.
    pub fn launches_app(self) -> bool {
        self == ReplyPurpose::AppLaunch
    }
}

/// A reply that only the person who acted sees, sent at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EphemeralReply {
    /// The message.
    pub message: PrivateMessage,
    /// The form in which a platform may show it.
    pub form: ReplyForm,
    /// Its purpose.
    pub purpose: ReplyPurpose,
    /// The slot, if the reply belongs to those that replace each other: the hand at a table.
    pub slot: Option<String>,
    /// Whether it contains secrets of this person, see [`EphemeralReply::is_secret`].
    pub secret: bool,
    /// The view from which the reply was rendered. Content that waits to be opened is stored in
    /// this form, see [`rerender`](super::ReplyRenderer::rerender).
    pub view: Option<Box<View>>,
}

impl EphemeralReply {
    /// The urgency with which the reader needs the reply.
    pub fn priority(&self) -> HandPriority {
        self.view.as_ref().map(|it| it.priority).unwrap_or_default()
    }

    /// Whether nobody else may see it, not even for a moment: a hand, or text that reveals one.
    pub fn is_secret(&self) -> bool {
        self.secret || self.slot.is_some()
    }
}

/// The reason why a message was not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// Too many calls: retry after this many milliseconds, not before.
    #[error("rate limited: retry after {0} ms")]
    RateLimited(u64),
    /// The adapter's own budget of calls to all chats is used up, and it made no call: retry after
    /// this many milliseconds.
    #[error("over the budget of all chats: retry after {0} ms")]
    OverBudget(u64),
    /// The message to edit or delete no longer exists, or can no longer be edited.
    #[error("the message is gone")]
    MessageGone,
    /// The message cannot be sent now, and a retry helps only after a person has acted in the chat.
    /// Readers see no change.
    #[error("the message cannot be shown in this chat now")]
    NotNow,
    /// The bot is no longer in this chat, or may not write there.
    #[error("not allowed in this chat")]
    NotAllowed,
    /// The chat is deleted permanently: a channel, thread, group or account.
    #[error("the chat is deleted")]
    ChatGone,
    /// The chat has another id now, or it is a topic that takes no more messages, and this is its
    /// chat.
    #[error("the chat moved to {}", .0.0)]
    ChatMoved(ChatId),
    /// A temporary failure, such as a network error or HTTP 5xx: a retry may succeed.
    #[error("temporary failure: {0}")]
    Temporary(String),
    /// A permanent failure: the platform refuses this very message.
    #[error("refused by the platform: {0}")]
    Refused(String),
}

impl SendError {
    /// Whether the same call may succeed later without a change in the chat.
    pub fn is_transient(&self) -> bool {
        match self {
            SendError::RateLimited(_) | SendError::OverBudget(_) | SendError::Temporary(_) => true,
            SendError::MessageGone
            | SendError::NotNow
            | SendError::NotAllowed
            | SendError::ChatGone
            | SendError::ChatMoved(_)
            | SendError::Refused(_) => false,
        }
    }
}
