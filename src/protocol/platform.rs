//! Defines the traits between platform adapters and the bot, and the messages that they exchange.

use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::Update;
use super::capabilities::Capabilities;
use super::guest_service::{AuthError, GuestService, VerifiedUser};
use super::handle_outcome::HandleOutcome;
use super::private_message::{PrivateMessage, ProvenReader};
use super::update_arrival::Arrival;
use super::view::View;
use super::viewer_page::ViewerPage;
use caravanserai_games::ids::{MessageId, PersonId, PlaceId, PlaceKind, TableId};
use caravanserai_games::text::{Arg, RichText};

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
    /// Whether devices may play a sound. Boards are silent, a call to the player to move is not.
    pub loud: bool,
    /// The message that it replies to, if that still exists.
    pub reply_to: Option<MessageId>,
    /// The id of the update that causes it, if a person waits for the reply: a platform may send
    /// the message as the direct answer to that update.
    pub answers_update: Option<String>,
    /// The player to move, if the message is a board: platforms that can notify the player outside
    /// the visible board do.
    pub awaited_person: Option<PersonId>,
    /// The table whose board or hand this is, for platforms that draw it themselves, see
    /// [`UpdateHandler::table_state_json`].
    pub table: Option<TableId>,
    /// The page it shows, for platforms that can show it on a board of their own, see
    /// [`UpdateHandler::viewer_page_json`].
    pub viewer_page: Option<ViewerPage>,
    /// Equal for retries of the same message: a platform that can refuse a second copy uses it.
    pub nonce: String,
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
    pub press: String,
    /// The colour of the button where the platform supports it. Never the only signal.
    pub tone: ButtonTone,
    /// Instead of a press, starts a message to the bot with these words;
    /// [`UpdateHandler::inline_results`] answers while the user types it (Telegram's inline mode).
    /// Platforms without such a feature omit the button.
    pub begins: Option<String>,
    /// Instead of a press, opens a link or an app. Platforms without such a feature omit the
    /// button.
    pub opens: Option<AppLink>,
}

/// A target that a button opens outside of the chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AppLink {
    /// An address, opened in a browser or where the platform opens links.
    Link(String),
    /// An address that the platform opens in its own app, where it reports who the user is.
    App(String),
    /// A launch that the platform makes itself as the answer to a press, see
    /// [`EphemeralReply::launches_app`].
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
    /// is then all there is of that chat, see [`Platform::only_message`].
    pub buttons: Vec<Vec<Button>>,
}

/// An address that leads to a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InviteLink {
    /// Whether the address brings the table to a group instead of leading to it.
    pub adds_to_group: bool,
    /// The address.
    pub url: String,
}

/// The appearance of a button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandPriority {
    /// The player is to move.
    ToMove,
    /// Another player is to move.
    Waiting,
}

/// A reply that only the person who acted sees, sent at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EphemeralReply {
    /// The message.
    pub message: PrivateMessage,
    /// Whether a platform may show it as a toast or alert (at most 200 characters) when it answers
    /// a press; otherwise it needs a message of its own.
    pub brief: bool,
    /// Whether it only acknowledges the update, and the board will show the same. As a toast for
    /// one press it is useful at once, before any picture. Adapters omit it where it would stay, or
    /// where the new board is itself the answer.
    pub is_ack: bool,
    /// Whether the requested content is being posted publicly, which may itself be the answer, see
    /// [`OutgoingMessage::answers_update`].
    pub is_being_posted: bool,
    /// Whether the answer is that the platform opens the board in a window of its own.
    pub launches_app: bool,
    /// The slot, if the reply belongs to those that replace each other: the hand at a table.
    pub slot: Option<String>,
    /// Whether it contains secrets of this person, see [`EphemeralReply::is_secret`].
    pub secret: bool,
    /// The view from which the reply was rendered. Content that waits to be opened is stored in
    /// this form, see [`UpdateHandler::rerender`].
    pub view: Option<Box<View>>,
}

impl EphemeralReply {
    /// The urgency with which the reader needs the reply.
    pub fn priority(&self) -> HandPriority {
        match self.view.as_ref().is_some_and(|it| it.to_move) {
            true => HandPriority::ToMove,
            false => HandPriority::Waiting,
        }
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
    /// The chat has another id now.
    #[error("the chat moved to {}", .0.0)]
    ChatMoved(PlaceId),
    /// A temporary failure, such as a network error or HTTP 5xx: a retry may succeed.
    #[error("temporary failure: {0}")]
    Temporary(String),
    /// A permanent failure: the platform refuses this very message.
    #[error("refused by the platform: {0}")]
    Refused(String),
}

/// A chat platform as the bot service sees it.
///
/// The implementation must not retry by itself: the service owns retries, order and rate limits.
/// The service has at most one call in flight for each chat.
///
/// # Examples
///
/// A platform that keeps its messages in memory:
///
/// ```
/// use std::sync::Mutex;
///
/// use async_trait::async_trait;
/// use caravanserai_games::ids::{MessageId, PersonId, PlaceId};
/// use caravanserai_games::text::RichText;
/// use caravanserai_protocol::{OutgoingMessage, Platform, PrivateMessage, SendError};
///
/// #[derive(Default)]
/// struct Memory(Mutex<Vec<Option<String>>>);
///
/// #[async_trait]
/// impl Platform for Memory {
///     fn name(&self) -> &'static str {
///         "mem"
///     }
///
///     fn call_limit_per_minute(&self, _: &PlaceId) -> u32 {
///         60
///     }
///
///     async fn post(
///         &self,
///         _: &PlaceId,
///         message: &OutgoingMessage,
///     ) -> Result<MessageId, SendError> {
///         let mut messages = self.0.lock().expect("no panic while it is locked");
///         messages.push(Some(message.text.to_plain()));
///         Ok(MessageId((messages.len() - 1).to_string()))
///     }
///
///     async fn edit(
///         &self,
///         _: &PlaceId,
///         id: &MessageId,
///         message: &OutgoingMessage,
///     ) -> Result<(), SendError> {
///         let mut messages = self.0.lock().expect("no panic while it is locked");
///         let at = id.0.parse::<usize>().ok();
///         match at.and_then(|at| messages.get_mut(at)?.as_mut()) {
///             Some(text) => Ok(*text = message.text.to_plain()),
///             None => Err(SendError::MessageGone),
///         }
///     }
///
///     async fn delete(&self, _: &PlaceId, id: &MessageId) -> Result<(), SendError> {
///         let mut messages = self.0.lock().expect("no panic while it is locked");
///         if let Some(text) = id.0.parse::<usize>().ok().and_then(|at| messages.get_mut(at)) {
///             *text = None;
///         }
///         Ok(())
///     }
///
///     async fn show_ephemeral(
///         &self,
///         _: &PlaceId,
///         _: &PersonId,
///         _: &str,
///         _: &PrivateMessage,
///     ) -> Result<(), SendError> {
///         Err(SendError::NotAllowed)
///     }
///
///     fn messages_below(&self, _: &PlaceId, _: &MessageId) -> u32 {
///         0
///     }
///
///     fn message_link(&self, _: &PlaceId, _: &MessageId) -> Option<String> {
///         None
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), SendError> {
/// let (platform, place) = (Memory::default(), PlaceId("mem:1".to_owned()));
/// let board = OutgoingMessage { text: RichText::plain("a board"), ..Default::default() };
/// let id = platform.post(&place, &board).await?;
/// platform.edit(&place, &id, &board).await?;
/// platform.delete(&place, &id).await?;
/// assert_eq!(platform.edit(&place, &id, &board).await, Err(SendError::MessageGone));
/// // This platform proves of no chat that only one person reads it.
/// let hand = PrivateMessage::from(board);
/// assert_eq!(platform.post_private(&place, &hand).await, Err(SendError::NotAllowed));
/// # Ok(())
/// # }
/// ```
#[async_trait]
pub trait Platform: Send + Sync + 'static {
    /// The prefix of the platform's ids: `tg`, `dc`, `web`.
    fn name(&self) -> &'static str;

    /// The number of calls a minute that the platform allows in this chat; the service stays below.
    fn call_limit_per_minute(&self, place: &PlaceId) -> u32;

    /// The permissions that the bot lacks in a chat where a call was refused, named as in the
    /// platform's own settings, as far as they are known.
    fn missing_permissions(&self, _place: &PlaceId) -> Vec<Arg> {
        Vec::new()
    }

    /// Posts a message and returns its id. A platform that recognises a repeated nonce posts no
    /// copy: it updates the message that an earlier process posted but failed to record before it
    /// died.
    async fn post(
        &self,
        place: &PlaceId,
        message: &OutgoingMessage,
    ) -> Result<MessageId, SendError>;

    /// Replaces the content of an existing message. Showing the same content again is success.
    async fn edit(
        &self,
        place: &PlaceId,
        id: &MessageId,
        message: &OutgoingMessage,
    ) -> Result<(), SendError>;

    /// Deletes a message. Deleting a message that is already gone is success.
    async fn delete(&self, place: &PlaceId, id: &MessageId) -> Result<(), SendError>;

    /// Whether a press in this chat can be answered with a private message that has a picture and
    /// buttons of its own, as far as is known now. Where it cannot, a toast names the cards, and
    /// numbered buttons under the board play them.
    fn has_ephemeral_buttons(&self, _place: &PlaceId) -> bool {
        true
    }

    /// Shows a message to one person, unseen by the others in the chat, outside the direct answer
    /// to an update. Where the platform can, it replaces the ephemeral message or answer that this
    /// person last received under the same slot.
    ///
    /// # Errors
    /// [`SendError::NotAllowed`] when this platform has no way to reach them privately now.
    async fn show_ephemeral(
        &self,
        place: &PlaceId,
        person: &PersonId,
        slot: &str,
        message: &PrivateMessage,
    ) -> Result<(), SendError>;

    /// Whether the message of this slot already shows a person the same picture and buttons, so that
    /// [`Platform::show_ephemeral`] would waste a call.
    async fn is_shown(
        &self,
        _place: &PlaceId,
        _person: &PersonId,
        _slot: &str,
        _message: &PrivateMessage,
    ) -> bool {
        false
    }

    /// Returns the single reader of a chat, if the platform has proven that nobody else reads it. A
    /// chat for which this cannot be known counts as read by several people.
    ///
    /// # Errors
    /// When the platform does not report it now.
    async fn sole_reader(&self, _place: &PlaceId) -> Result<Option<PersonId>, SendError> {
        Ok(None)
    }

    /// Posts a private message in a chat that has the platform's proof of a single reader.
    /// Otherwise like [`Platform::post`].
    ///
    /// # Errors
    /// [`SendError::NotAllowed`] for any other place.
    async fn post_private(
        &self,
        place: &PlaceId,
        message: &PrivateMessage,
    ) -> Result<MessageId, SendError> {
        let reader = ProvenReader::of(self.sole_reader(place).await?)?;
        self.post(place, message.for_reader(&reader)).await
    }

    /// Edits a message in a chat with a single reader. Otherwise like [`Platform::edit`].
    ///
    /// # Errors
    /// [`SendError::NotAllowed`] for any other place.
    async fn edit_private(
        &self,
        place: &PlaceId,
        id: &MessageId,
        message: &PrivateMessage,
    ) -> Result<(), SendError> {
        let reader = ProvenReader::of(self.sole_reader(place).await?)?;
        self.edit(place, id, message.for_reader(&reader)).await
    }

    /// Reads the state of a chat that other processes have shared: how many messages follow its
    /// messages, how hands can be shown, how a message is linked. The service calls it before it
    /// shows anything in the chat.
    async fn refresh_chat_state(&self, _place: &PlaceId) {}

    /// Returns the number of messages posted in this chat after the given one, as far as is known.
    fn messages_below(&self, place: &PlaceId, id: &MessageId) -> u32;

    /// Returns the only message of a chat that consists of one message. Nothing else can be posted
    /// in such a chat, and the message shows text only.
    fn only_message(&self, _place: &PlaceId) -> Option<MessageId> {
        None
    }

    /// Returns an address that opens this message, if the platform has such addresses.
    fn message_link(&self, place: &PlaceId, id: &MessageId) -> Option<String>;

    /// Returns the private chat between the bot and a person, if the person allows it.
    ///
    /// # Errors
    /// [`SendError::NotAllowed`] when the person has to begin that chat first,
    /// [`SendError::Refused`] where the platform has no private chats.
    async fn private_chat(&self, _person: &PersonId) -> Result<PlaceId, SendError> {
        Err(SendError::Refused("there are no private chats".to_owned()))
    }

    /// Returns an address with which a person begins a private chat with the bot and passes on the
    /// code of the table to play there, if the platform has such addresses.
    fn private_chat_link(&self, _code: &str) -> Option<String> {
        None
    }

    /// Whether a person is an admin of a chat. The bot asks where [`super::Person::admin`] is false
    /// because the platform did not report it, see [`UpdateHandler::needs_admin`].
    async fn is_chat_admin(&self, _place: &PlaceId, _person: &PersonId) -> bool {
        false
    }

    /// Whether the platform has proven that this is a group with the bot as a member: games there
    /// are public until their players close them. Games in any other chat are closed.
    fn is_public_group(&self, _place: &PlaceId) -> bool {
        false
    }

    /// Returns the spectators who look at the board of a table in a chat now, each at least once,
    /// in all processes together; `None` on platforms that do not know this.
    async fn spectators(&self, _place: &PlaceId, _table: &TableId) -> Option<Vec<PersonId>> {
        None
    }

    /// Returns the addresses that lead to the table with this code or bring it to a group.
    fn invite_links(&self, _code: &str) -> Vec<InviteLink> {
        Vec::new()
    }

    /// Returns a link that opens the board of the table with this code outside of the chat, where
    /// the platform identifies each user, if the platform has such links.
    fn board_link(&self, _place: &PlaceId, _alone: bool, _code: Option<&str>) -> Option<AppLink> {
        None
    }

    /// Returns the public address of the web page on which boards are played, if this platform has
    /// one.
    fn page_url(&self) -> Option<String> {
        None
    }

    /// Identifies a person by the data of the platform's client, see
    /// [`SignInProof::Client`](super::guest_service::SignInProof::Client).
    ///
    /// # Errors
    /// When the data is not valid, or cannot be checked.
    async fn verify_user(
        &self,
        _data: &str,
        _instance: Option<&str>,
    ) -> Result<VerifiedUser, AuthError> {
        Err(AuthError::Unreachable)
    }

    /// Whether the platform reports that a person is a member of a chat.
    async fn is_member(&self, _place: &PlaceId, _person: &PersonId) -> bool {
        false
    }

    /// Returns the properties of the platform that affect texts for its users.
    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }
}

/// Options of a request for the state of a table.
#[derive(Clone, Copy, Debug, Default)]
pub struct StateQuery {
    /// The version that the client already has: the reply includes the events since then.
    pub since: Option<u64>,
    /// The page of button rows, from 0. The reply omits content that is neither on that page nor on
    /// the picture.
    pub page: Option<u8>,
    /// Whether to draw the board.
    pub with_board: bool,
}

/// The interface that adapters call for every event they receive.
///
/// # Examples
///
/// A handler that answers each text privately:
///
/// ```
/// use async_trait::async_trait;
/// use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind};
/// use caravanserai_games::text::RichText;
/// use caravanserai_protocol::{
///     Arrival, Chat, EphemeralReply, OutgoingMessage, Person, PersonKind, Update, UpdateHandler,
///     UpdateKind,
/// };
///
/// struct Echo;
///
/// #[async_trait]
/// impl UpdateHandler for Echo {
///     async fn handle(&self, update: Update) -> Vec<EphemeralReply> {
///         let UpdateKind::Text { text, .. } = update.kind else { return Vec::new() };
///         let message = OutgoingMessage { text: RichText::plain(text), ..Default::default() };
///         vec![EphemeralReply { message: message.into(), brief: true, ..Default::default() }]
///     }
///
///     async fn suggest_arguments(
///         &self,
///         _: &Chat,
///         _: &Person,
///         _: &str,
///         _: &str,
///     ) -> Vec<(String, String)> {
///         Vec::new()
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let update = Update {
///     id: "mem/1".to_owned(),
///     chat: Chat {
///         id: PlaceId("mem:1".to_owned()),
///         kind: PlaceKind::Group,
///         title: "Friends".to_owned(),
///         locale: None,
///         parents: Default::default(),
///     },
///     person: Person {
///         id: PersonId("mem:ann".to_owned()),
///         name: "Ann".to_owned(),
///         username: None,
///         locale: None,
///         kind: PersonKind::Human,
///         admin: false,
///     },
///     kind: UpdateKind::Text {
///         text: "/help".to_owned(),
///         mentions: Vec::new(),
///         reply_to: None,
///     },
///     arrival: Arrival::default(),
/// };
/// let outcome = Echo.handle_acked(update).await.complete().await;
/// assert!(outcome.can_ack);
/// assert_eq!(outcome.replies[0].message.text().to_plain(), "/help");
/// # }
/// ```
#[async_trait]
pub trait UpdateHandler: Send + Sync + 'static {
    /// Handles an update. When this returns, all decisions are durable, and the replies are for the
    /// person who acted only, to be sent at once. Public answers come through [`Platform`] later. A
    /// second call with the same update acts no second time and gives the same answer. The call
    /// waits for engines and networks if the answer needs them.
    async fn handle(&self, update: Update) -> Vec<EphemeralReply>;

    /// Handles an update of a platform that redelivers an update until it is confirmed, or that
    /// handles updates in order. The call waits for no engine and no network, see
    /// [`HandleOutcome::later`].
    async fn handle_acked(&self, update: Update) -> HandleOutcome {
        HandleOutcome::ready(self.handle(update).await, true)
    }

    /// Records the arrival of an update that has just reached the adapter; the adapter stores the
    /// result in the update.
    fn record_arrival(&self) -> Arrival {
        Arrival::default()
    }

    /// Suggests values for an argument while a user types it, as pairs of displayed text and sent
    /// text. At most 25.
    async fn suggest_arguments(
        &self,
        place: &super::Chat,
        person: &super::Person,
        command: &str,
        typed: &str,
    ) -> Vec<(String, String)>;

    /// Returns choices for a user who types a message to the bot that begins with these words, see
    /// [`Button::begins`]. The chat is not known. At most 50.
    async fn inline_results(&self, _person: &super::Person, _typed: &str) -> Vec<InlineResult> {
        Vec::new()
    }

    /// Returns the one message that answers a user who mentions the bot with these words in a chat
    /// where it is not a member. Like in [`UpdateHandler::inline_results`], the chat is not known.
    async fn mention_reply(&self, _person: &super::Person, _words: &str) -> Option<InlineResult> {
        None
    }

    /// Renders a stored [`EphemeralReply::view`] for its reader again, from the present state;
    /// `None` if the reader may no longer see it.
    async fn rerender(
        &self,
        _place: &super::Chat,
        _person: &super::Person,
        _note: View,
    ) -> Option<EphemeralReply> {
        None
    }

    /// Renders a hand as a toast, where [`EphemeralReply::view`] was made for a message with
    /// buttons; `None` for any other view, or if the reader may no longer see it.
    async fn render_brief(
        &self,
        _place: &super::Chat,
        _person: &super::Person,
        _note: View,
    ) -> Option<EphemeralReply> {
        None
    }

    /// Returns the state of a table as a person in this chat may see it, as JSON (see
    /// `src/bot/delivery/state.md`); `None` if they may see none. Reading has no side effects.
    async fn table_state_json(
        &self,
        _place: &super::Chat,
        _person: &super::Person,
        _table: &TableId,
        _looking: StateQuery,
    ) -> Option<String> {
        None
    }

    /// Returns a viewer page as a person in this chat may see it, as JSON (see
    /// `src/bot/delivery/state.md`); `None` if they may see none. Reading has no side effects.
    async fn viewer_page_json(
        &self,
        _place: &super::Chat,
        _person: &super::Person,
        _look: ViewerPage,
    ) -> Option<String> {
        None
    }

    /// Returns all open tables of a person as JSON, those that wait for the person first, in the
    /// language that the person reads in this chat.
    async fn own_tables_json(
        &self,
        _place: &super::Chat,
        _person: &super::Person,
    ) -> Option<String> {
        None
    }

    /// Returns a sheet of the drawings that pictures in [`UpdateHandler::table_state_json`] use, as
    /// SVG, by the name of the sheet. The content under a name never changes.
    fn sprite_sheet(&self, _sheet: &str) -> Option<String> {
        None
    }

    /// Returns the service for guests signed in on the web page, if it is available.
    fn guest_service(&self) -> Option<Arc<dyn GuestService>> {
        None
    }

    /// Counts a call that the adapter made in this chat by itself, to answer a person at once: it
    /// counts towards [`Platform::call_limit_per_minute`].
    fn count_call(&self, _place: &PlaceId) {}

    /// Counts such a call that showed a message to one person only.
    fn count_ephemeral_call(&self, _place: &PlaceId) {}

    /// Whether [`Platform::call_limit_per_minute`] leaves room to show a hand to a player who asks
    /// for it in this chat now; if not, the adapter shows a toast.
    fn has_call_budget(&self, _place: &PlaceId, _priority: HandPriority) -> bool {
        true
    }

    /// Whether the call limit has recently kept players to move from seeing their hands in this
    /// chat: for a while, numbered buttons under the board play the cards.
    fn is_rate_limited(&self, _place: &PlaceId) -> bool {
        false
    }

    /// Whether the answer to this depends on whether the sender is an admin of the chat, see
    /// [`super::Person::is_admin`]. Platforms that have to ask who is an admin ask only then, so
    /// that other updates do not wait for it.
    fn needs_admin(&self, _kind: &super::UpdateKind, _chat: PlaceKind) -> bool {
        true
    }

    /// Reports that [`Platform::has_ephemeral_buttons`] has changed for this chat: boards there may
    /// need other buttons.
    async fn capabilities_changed(&self, _place: &PlaceId) {}
}
