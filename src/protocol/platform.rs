//! What every platform can do, and what it is told to say.

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

/// A message ready to be sent: one language, bytes drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutgoingMessage {
    /// What it says. With a picture it is the caption, at most 1,000 characters.
    pub text: RichText,
    /// A picture above the words.
    pub image: Option<Image>,
    /// A file, for records and replays.
    pub file: Option<Attachment>,
    /// Rows of buttons, at most five rows of five.
    pub buttons: Vec<Vec<Button>>,
    /// Whether people's devices may sound. Boards are silent, a call to the one on turn is not.
    pub loud: bool,
    /// The message it answers, if that still exists.
    pub reply_to: Option<MessageId>,
    /// The update that it comes of, if somebody waits for it: a platform may give it as the answer
    /// to that.
    pub answers_update: Option<String>,
    /// Who is waited for at the board that this is: platforms that can show it where the board is
    /// not seen do.
    pub awaited_person: Option<PersonId>,
    /// The table whose board or hand this is, for platforms that draw it themselves, see
    /// [`UpdateHandler::table_state_json`].
    pub table: Option<TableId>,
    /// What it shows that such platforms can show on a board of their own, see
    /// [`UpdateHandler::viewer_page_json`].
    pub viewer_page: Option<ViewerPage>,
    /// The same for the same saying: a platform that can refuse a second copy uses it.
    pub nonce: String,
}

/// A PNG picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Encoded bytes.
    pub png: Arc<Vec<u8>>,
    /// The same in words, for platforms with alternative texts (Discord: 1,024 characters).
    pub alt: String,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// ASCII file name.
    pub name: String,
    /// Contents.
    pub bytes: Arc<Vec<u8>>,
    /// If it is a moving picture (GIF), to be shown as such: the same in words.
    pub animation: Option<String>,
}

impl Attachment {
    /// A file to be kept or opened elsewhere.
    pub fn document(name: String, bytes: Arc<Vec<u8>>) -> Self {
        Attachment { name, bytes, animation: None }
    }
}

/// A button.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Button {
    /// At most 80 characters; a few are better.
    pub label: String,
    /// What a press carries: at most 64 bytes of ASCII.
    pub press: String,
    /// How it looks where the platform can colour it. Never the only signal.
    pub tone: ButtonTone,
    /// Instead of a press: begins a message to the bot with these words, to which
    /// [`UpdateHandler::inline_results`] answers while it is typed (Telegram's inline mode). Left out by
    /// platforms that have nothing like it.
    pub begins: Option<String>,
    /// Instead of a press: opens something. Left out by platforms that have nothing like it.
    pub opens: Option<AppLink>,
}

/// What is opened outside of the chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AppLink {
    /// An address, in a browser or wherever the platform opens it.
    Link(String),
    /// An address, inside the platform's own program, which tells there who looks.
    App(String),
    /// What the platform opens by itself as the answer to a press, see [`EphemeralReply::launches_app`].
    Launch,
}

/// Something to choose while a message to the bot is being typed; seen only by whoever types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineResult {
    /// What they see.
    pub title: String,
    /// More about it, smaller.
    pub description: String,
    /// What they then say in the chat.
    pub message: String,
    /// Buttons under that: whoever presses one acts, also where the bot is no member. Then the
    /// message is all there is of that place, see [`Platform::inline_place_message`].
    pub buttons: Vec<Vec<Button>>,
}

/// An address by which people come to a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InviteLink {
    /// Whether it brings the table to a group instead.
    pub adds_to_group: bool,
    /// The address.
    pub url: String,
}

/// How a button looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ButtonTone {
    /// An ordinary choice.
    #[default]
    Plain,
    /// The main thing to do: join, accept.
    Good,
    /// Hard to take back: resign.
    Danger,
}

impl ButtonTone {
    /// The name for programs.
    pub fn name(self) -> &'static str {
        match self {
            ButtonTone::Plain => "plain",
            ButtonTone::Good => "good",
            ButtonTone::Danger => "danger",
        }
    }
}

/// How urgently a player needs to see their hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandPriority {
    /// It is their move.
    ToMove,
    /// Others move.
    Waiting,
}

/// What only the person who acted is told, at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EphemeralReply {
    /// What to say.
    pub message: PrivateMessage,
    /// Whether it may be shown as a passing note (a toast or alert of at most 200 characters)
    /// when it answers a press; else it needs a message of its own.
    pub brief: bool,
    /// Whether it only says what the update has done, and the board will show the same: as a
    /// passing note of one press it is welcome at once, before any picture. Where it would stay,
    /// or where the new board is itself the answer, it is left out.
    pub is_ack: bool,
    /// Whether what was asked for is being posted for everybody, which may itself be the answer,
    /// see [`OutgoingMessage::answers_update`].
    pub is_being_posted: bool,
    /// Whether the answer is that the platform opens the board in a window of its own.
    pub launches_app: bool,
    /// What it is, if it is one of those that replace each other: the hand at a table.
    pub slot: Option<String>,
    /// Whether it tells what only this person may know, see [`EphemeralReply::is_for_viewer_only`].
    pub secret: bool,
    /// What it was before it was said and drawn: what waits to be opened is kept as this, see
    /// [`UpdateHandler::rerender`].
    pub view: Option<Box<View>>,
}

impl EphemeralReply {
    /// How urgently the reader needs it.
    pub fn priority(&self) -> HandPriority {
        match self.view.as_ref().is_some_and(|it| it.to_move) {
            true => HandPriority::ToMove,
            false => HandPriority::Waiting,
        }
    }

    /// Whether nobody else may see it, not even for a moment: a hand, or words that tell one.
    pub fn is_secret(&self) -> bool {
        self.secret || self.slot.is_some()
    }
}

/// Why something was not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// Too many calls: not before so many milliseconds.
    #[error("told to wait {0} ms")]
    RateLimited(u64),
    /// The message to edit or delete is no more, or cannot be edited any longer.
    #[error("the message is gone")]
    MessageGone,
    /// The message cannot be sent now, and a retry helps only after a person has acted there.
    /// Nothing has changed for readers.
    #[error("it cannot be shown there now")]
    NotNow,
    /// The bot is not in this place any more or may not write there.
    #[error("not allowed there")]
    NotAllowed,
    /// The place is no more, for good: a deleted channel, thread or group, a deleted account.
    #[error("the place is no more")]
    ChatGone,
    /// The place has another id now.
    #[error("the place moved to {}", .0.0)]
    ChatMoved(PlaceId),
    /// It may work later: network, 5xx.
    #[error("failed for now: {0}")]
    Temporary(String),
    /// It will never work: the platform refuses this very message.
    #[error("refused: {0}")]
    Refused(String),
}

/// A platform as the service sees it.
///
/// The implementation must not retry by itself: the service owns retries, order and budget.
/// One call for one place is in flight at a time.
#[async_trait]
pub trait Platform: Send + Sync + 'static {
    /// The prefix of its ids: `tg`, `dc`, `web`.
    fn name(&self) -> &'static str;

    /// How many calls a minute this place stands; the service stays below.
    fn call_limit_per_minute(&self, place: &PlaceId) -> u32;

    /// What the bot would need to be allowed in a place that refused something: names of rights as
    /// the platform's own settings have them, as far as is known.
    fn missing_permissions(&self, _place: &PlaceId) -> Vec<Arg> {
        Vec::new()
    }

    /// Posts a message and tells its id. A platform that knows a nonce again posts no copy: the
    /// message that stands already, posted by somebody who died before that was noted, shows this
    /// then.
    async fn post(
        &self,
        place: &PlaceId,
        message: &OutgoingMessage,
    ) -> Result<MessageId, SendError>;

    /// Makes a standing message show this instead. Showing the same again is success.
    async fn edit(
        &self,
        place: &PlaceId,
        id: &MessageId,
        message: &OutgoingMessage,
    ) -> Result<(), SendError>;

    /// Takes a message away. One that is gone already is success.
    async fn delete(&self, place: &PlaceId, id: &MessageId) -> Result<(), SendError>;

    /// Whether a press in this place can be answered with a private message that has a picture and
    /// buttons of its own, as far as is known now. Where it cannot, cards are named in a passing
    /// note and played by numbered buttons under the board.
    fn has_ephemeral_buttons(&self, _place: &PlaceId) -> bool {
        true
    }

    /// Says something to one person only, so that nobody else in the place sees it, outside the
    /// direct answer to what they did. Where the platform can, it takes the place of what was
    /// whispered to them under the same slot before, as a whisper or as an answer.
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

    /// The one person who reads a place, if the platform has proven that nobody else does. A place
    /// for which this cannot be known counts as read by several.
    ///
    /// # Errors
    /// When the platform does not say it now.
    async fn sole_reader(&self, _place: &PlaceId) -> Result<Option<PersonId>, SendError> {
        Ok(None)
    }

    /// Posts what one person may read, in a place of which the platform has proven that nobody else
    /// reads it. Otherwise like [`Platform::post`].
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

    /// Makes a message of such a place show this instead. Otherwise like [`Platform::edit`].
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

    /// Learns what other processes know of a place: how deep its messages are buried, how hands
    /// can be shown, how a message is linked. Called before something is shown there.
    async fn refresh_chat_state(&self, _place: &PlaceId) {}

    /// How many messages were posted in this place after that one, as far as is known.
    fn messages_below(&self, place: &PlaceId, id: &MessageId) -> u32;

    /// The one message that a place consists of, if it is such a place: nothing can be posted
    /// there beside it, and it shows words only.
    fn only_message(&self, _place: &PlaceId) -> Option<MessageId> {
        None
    }

    /// An address that opens this message, if the platform has such.
    fn message_link(&self, place: &PlaceId, id: &MessageId) -> Option<String>;

    /// The place where the bot speaks with somebody alone, if they let it.
    ///
    /// # Errors
    /// [`SendError::NotAllowed`] when they have to begin that chat first, [`SendError::Refused`]
    /// where there is nothing like it.
    async fn private_chat(&self, _person: &PersonId) -> Result<PlaceId, SendError> {
        Err(SendError::Refused("there are no private chats".to_owned()))
    }

    /// An address by which somebody begins their private chat with the bot, with the code of a
    /// table that they want to play there, if there is one.
    fn private_chat_link(&self, _code: &str) -> Option<String> {
        None
    }

    /// Whether somebody keeps order in a place, asked where [`super::Person::is_admin`] was not said:
    /// see [`UpdateHandler::needs_admin`].
    async fn is_chat_admin(&self, _place: &PlaceId, _person: &PersonId) -> bool {
        false
    }

    /// Whether the platform has proven that this is a group of which the bot is a member: its games
    /// are public until its players close them. Any other place is closed.
    fn is_public_group(&self, _place: &PlaceId) -> bool {
        false
    }

    /// Who looks at the board of a table in a place just now, each at least once, whichever
    /// process they are connected to; `None` on platforms that are not told.
    async fn spectators(&self, _place: &PlaceId, _table: &TableId) -> Option<Vec<PersonId>> {
        None
    }

    /// The addresses by which anybody comes to the table of this code, or brings it to a group.
    fn invite_links(&self, _code: &str) -> Vec<InviteLink> {
        Vec::new()
    }

    /// How the board of the table of this code is opened from a place, outside of the chat but by
    /// whoever looks as themselves, if the platform has such a way.
    fn board_link(&self, _place: &PlaceId, _alone: bool, _code: Option<&str>) -> Option<AppLink> {
        None
    }

    /// The public address of a page on which boards are played, if this platform is one that has
    /// it.
    fn page_url(&self) -> Option<String> {
        None
    }

    /// Who somebody is by what the platform's client says of them, see
    /// [`SignInProof::Client`](super::guest_service::SignInProof::Client).
    ///
    /// # Errors
    /// When that is not so, or cannot be known.
    async fn verify_user(
        &self,
        _data: &str,
        _instance: Option<&str>,
    ) -> Result<VerifiedUser, AuthError> {
        Err(AuthError::Unreachable)
    }

    /// Whether the platform says that somebody is in a place.
    async fn is_member(&self, _place: &PlaceId, _person: &PersonId) -> bool {
        false
    }

    /// How people there are spoken with.
    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }
}

/// What is asked of a table besides its state.
#[derive(Clone, Copy, Debug, Default)]
pub struct StateQuery {
    /// The moment that was seen before: what happened since is told.
    pub since: Option<u64>,
    /// Which page of rows of buttons, from 0. What is neither on it nor on the picture is then left
    /// out.
    pub page: Option<u8>,
    /// Whether the board is to be drawn.
    pub with_board: bool,
}

/// What an adapter calls with everything it hears.
#[async_trait]
pub trait UpdateHandler: Send + Sync + 'static {
    /// Acts on an update. When this returns, whatever was decided is durable, and what comes
    /// back is to be told to the person who acted, and to nobody else, at once. Public answers
    /// come through [`Platform`] later. Calling it twice with one update acts once and answers
    /// the same. It waits for engines and networks if the answer needs them.
    async fn handle(&self, update: Update) -> Vec<EphemeralReply>;

    /// The same for a platform that gives an update again until it is confirmed, or that handles
    /// updates in an order. It waits for no engine and no network: see [`HandleOutcome::later`].
    async fn handle_acked(&self, update: Update) -> HandleOutcome {
        HandleOutcome::ready(self.handle(update).await, true)
    }

    /// The arrival of an update that has reached the adapter now; the adapter stores it in the
    /// update.
    fn record_arrival(&self) -> Arrival {
        Arrival::default()
    }

    /// Offers for the argument somebody is typing: (what people see, what is sent). At most 25.
    async fn suggest_arguments(
        &self,
        place: &super::Chat,
        person: &super::Person,
        command: &str,
        typed: &str,
    ) -> Vec<(String, String)>;

    /// What somebody may choose who types a message to the bot beginning so, see
    /// [`ButtonState::begins`]. The place is not known. At most 50.
    async fn inline_results(&self, _person: &super::Person, _typed: &str) -> Vec<InlineResult> {
        Vec::new()
    }

    /// The one message by which the bot answers somebody who names it, with these words, where it
    /// is no member. Like [`UpdateHandler::inline_results`], the place is not known.
    async fn mention_reply(&self, _person: &super::Person, _words: &str) -> Option<InlineResult> {
        None
    }

    /// Says a kept [`EphemeralReply::view`] again to the one it was for, as things stand now; `None` if
    /// it is not theirs to see any more.
    async fn rerender(
        &self,
        _place: &super::Chat,
        _person: &super::Person,
        _note: View,
    ) -> Option<EphemeralReply> {
        None
    }

    /// Says a hand as it is told in a passing note, where [`EphemeralReply::view`] was made for a message
    /// with buttons; `None` for anything else, or if it is not theirs to see any more.
    async fn render_brief(
        &self,
        _place: &super::Chat,
        _person: &super::Person,
        _note: View,
    ) -> Option<EphemeralReply> {
        None
    }

    /// What a person may know of a table in this place, as JSON (see
    /// `src/bot/delivery/state.md`); `None` if there is none for them. Nothing is done by looking.
    async fn table_state_json(
        &self,
        _place: &super::Chat,
        _person: &super::Person,
        _table: &TableId,
        _looking: StateQuery,
    ) -> Option<String> {
        None
    }

    /// What a person in this place may know of something to look at, as JSON (see
    /// `src/bot/delivery/state.md`); `None` if there is none for them. Nothing is done by looking.
    async fn viewer_page_json(
        &self,
        _place: &super::Chat,
        _person: &super::Person,
        _look: ViewerPage,
    ) -> Option<String> {
        None
    }

    /// The open tables of a person, everywhere, those that wait for them first, as JSON; in the
    /// language that they read in this place.
    async fn own_tables_json(
        &self,
        _place: &super::Chat,
        _person: &super::Person,
    ) -> Option<String> {
        None
    }

    /// The drawings that a picture in [`UpdateHandler::table_state_json`] is made of, as SVG, by the name of their
    /// sheet. What has a name never changes.
    fn sprite_sheet(&self, _sheet: &str) -> Option<String> {
        None
    }

    /// What is asked for those who have signed in on the page, if that is possible.
    fn guest_service(&self) -> Option<Arc<dyn GuestService>> {
        None
    }

    /// The adapter made a call in this place by itself, to answer somebody at once: it uses up
    /// what [`Platform::call_limit_per_minute`] allows.
    fn count_call(&self, _place: &PlaceId) {}

    /// The same for a call that showed something to one person alone.
    fn count_ephemeral_call(&self, _place: &PlaceId) {}

    /// Whether [`Platform::call_limit_per_minute`] leaves room to show a hand to a player who asks for
    /// it in this place now; if not, the adapter shows a passing note.
    fn has_call_budget(&self, _place: &PlaceId, _priority: HandPriority) -> bool {
        true
    }

    /// Whether the call limit has recently kept players to move from seeing their hands in this
    /// place: cards are played by numbers under the board for a while.
    fn is_rate_limited(&self, _place: &PlaceId) -> bool {
        false
    }

    /// Whether the answer to this depends on whether the sender is an admin of the chat, see
    /// [`super::Person::is_admin`]. Platforms that have to ask who is an admin ask only then, so
    /// that other updates do not wait for it.
    fn needs_admin(&self, _kind: &super::UpdateKind, _chat: PlaceKind) -> bool {
        true
    }

    /// What [`Platform::has_ephemeral_buttons`] tells of this place has changed: boards there may need
    /// other buttons.
    async fn capabilities_changed(&self, _place: &PlaceId) {}
}
