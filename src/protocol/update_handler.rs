//! Defines what platform adapters call for every event they receive.
//!
//! [`UpdateHandler`] has one required method. Everything else that an adapter may ask is an
//! optional trait, reached by a method of [`UpdateHandler`] that returns `None` unless the handler
//! overrides it.

use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;

use super::analysis::{
    AnalysisBoard, AnalysisQuery, AnalysisRefusal, PictureLayout, PositionEvaluation,
};
use super::finished_games::{FinishedGames, FinishedGamesQuery};
use super::guest_service::GuestService;
use super::handle_outcome::{Ack, HandleOutcome};
use super::leaderboard::{Leaderboard, LeaderboardQuery};
use super::outgoing_message::{Attachment, EphemeralReply, HandPriority, InlineResult};
use super::own_settings::OwnSettings;
use super::person_statistics::PersonStatistics;
use super::table_state::{OwnTables, TableStateView};
use super::update::{Chat, Person, Update, UpdateKind};
use super::update_arrival::Arrival;
use super::view::View;
use super::viewer_page::ViewerPage;
use super::viewer_page_state::ViewerPageState;
use caravanserai_games::ids::{ChatId, ChatKind, MessageId, PersonId, TableId};

/// The interface that adapters call for every event they receive.
///
/// # Examples
///
/// A handler that answers each text privately:
///
/// ```
/// use async_trait::async_trait;
/// use caravanserai_games::ids::{PersonId, ChatId, ChatKind};
/// use caravanserai_games::text::RichText;
/// use caravanserai_protocol::{
///     Ack, Arrival, Chat, EphemeralReply, OutgoingMessage, Person, PersonKind, ReplyForm, Update,
///     UpdateHandler, UpdateKind,
/// };
///
/// struct Echo;
///
/// #[async_trait]
/// impl UpdateHandler for Echo {
///     async fn handle(&self, update: Update) -> Vec<EphemeralReply> {
///         let UpdateKind::Text { text, .. } = update.kind else { return Vec::new() };
///         let message = OutgoingMessage { text: RichText::plain(text), ..Default::default() };
///         let (message, form) = (message.into(), ReplyForm::Toast);
///         vec![EphemeralReply { message, form, ..Default::default() }]
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let update = Update {
///     id: "mem/1".to_owned(),
///     chat: Chat {
///         id: ChatId("mem:1".to_owned()),
///         kind: ChatKind::Group,
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
///         is_addressed: false,
///     },
///     arrival: Arrival::default(),
/// };
/// let outcome = Echo.handle_deferrable(update).await.complete().await;
/// assert_eq!(outcome.ack, Ack::Confirm);
/// assert_eq!(outcome.replies[0].message.text().to_plain(), "/help");
/// // No optional trait is there, so clients cannot ask for the state of tables.
/// assert!(Echo.client_queries().is_none());
/// # }
/// ```
#[async_trait]
pub trait UpdateHandler: Send + Sync + 'static {
    /// Handles an update. When this returns, all decisions are durable, and the replies are for the
    /// person who acted only, to be sent at once. Public answers come through
    /// [`Platform`](super::Platform) later. A second call with the same update acts no second time
    /// and gives the same answer. The call waits for engines and networks if the answer needs them.
    async fn handle(&self, update: Update) -> Vec<EphemeralReply>;

    /// Handles an update of a platform that redelivers an update until it is confirmed, or that
    /// handles updates in order. The call waits for no engine and no network, see
    /// [`HandleOutcome::deferred`].
    async fn handle_deferrable(&self, update: Update) -> HandleOutcome {
        HandleOutcome::ready(self.handle(update).await, Ack::Confirm)
    }

    /// Handles an update about members or chats, for which nobody waits and which the platform does
    /// not deliver again. Returns whether its result is stored. If it is not, the handler tries it
    /// again while the process runs.
    async fn handle_report(&self, update: Update) -> Ack {
        self.handle(update).await;
        Ack::Confirm
    }

    /// Records the arrival of an update that has just reached the adapter; the adapter stores the
    /// result in the update. [`Arrival::default`] says that the moment is not known.
    fn record_arrival(&self) -> Arrival {
        Arrival::default()
    }

    /// Whether the answer to this depends on whether the sender is an admin of the chat, see
    /// [`Person::admin`]. Platforms that have to ask who is an admin ask only then, so that other
    /// updates do not wait for it. Asking when it is not needed only takes longer.
    fn needs_admin(&self, _kind: &UpdateKind, _chat: ChatKind) -> bool {
        true
    }

    /// Whether nobody else should read this text, without mentions, of a message in a group.
    /// Platforms that can hide messages deliver it and show it to nobody.
    fn is_confidential(&self, _text: &str) -> bool {
        false
    }

    /// Suggestions for arguments of commands.
    fn argument_suggestions(&self) -> Option<&dyn ArgumentSuggestions> {
        None
    }

    /// Answers to messages that begin in chats where the bot is not a member.
    fn inline_queries(&self) -> Option<&dyn InlineQueries> {
        None
    }

    /// Rendering of stored replies.
    fn reply_renderer(&self) -> Option<&dyn ReplyRenderer> {
        None
    }

    /// The state of tables, for clients that draw boards themselves.
    fn client_queries(&self) -> Option<&dyn ClientQueries> {
        None
    }

    /// The service for guests signed in on the web page.
    fn guest_service(&self) -> Option<Arc<dyn GuestService>> {
        None
    }

    /// Reports of messages that an adapter sends by itself.
    fn delivery_reports(&self) -> Option<&dyn DeliveryReports> {
        None
    }

    /// Reports about chats and people for which nobody waits.
    fn chat_reports(&self) -> Option<&dyn ChatReports> {
        None
    }
}

/// A value that a user may choose for an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentSuggestion {
    /// The displayed text.
    pub label: String,
    /// The text that choosing it sends.
    pub value: String,
}

/// Suggests values for arguments of commands.
#[async_trait]
pub trait ArgumentSuggestions: Send + Sync {
    /// Suggests values for an argument while a user types it. At most 25.
    async fn suggest_arguments(
        &self,
        chat: &Chat,
        person: &Person,
        command: &str,
        typed: &str,
    ) -> Vec<ArgumentSuggestion>;
}

/// Answers messages that begin in chats where the bot is not a member. The chat is not known.
#[async_trait]
pub trait InlineQueries: Send + Sync {
    /// Returns choices for a user who types a message to the bot that begins with these words, see
    /// [`Button::inline_query`](super::Button::inline_query). At most 50.
    async fn inline_results(&self, person: &Person, typed: &str) -> Vec<InlineResult>;

    /// Returns the one message that answers a user who mentions the bot with these words.
    async fn mention_reply(&self, person: &Person, words: &str) -> Option<InlineResult>;
}

/// Renders stored replies for their readers, from the present state.
#[async_trait]
pub trait ReplyRenderer: Send + Sync {
    /// Renders a stored [`EphemeralReply::view`] for its reader again; `None` if the reader may no
    /// longer see it.
    async fn rerender(&self, chat: &Chat, person: &Person, view: View) -> Option<EphemeralReply>;

    /// Renders a hand as a toast, where [`EphemeralReply::view`] was made for a message with
    /// buttons; `None` for any other view, or if the reader may no longer see it.
    async fn render_brief(
        &self,
        chat: &Chat,
        person: &Person,
        view: View,
    ) -> Option<EphemeralReply>;
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
    pub picture: PictureRequest,
}

/// Whether the reply to a [`StateQuery`] includes a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PictureRequest {
    /// No picture is drawn.
    #[default]
    Omit,
    /// The board and the hand are drawn.
    Draw,
    /// The same for an upright screen, if the game has a layout for it.
    DrawUpright,
}

impl PictureRequest {
    /// Requests a picture if this holds.
    pub fn draw_if(draw: bool) -> Self {
        if draw { PictureRequest::Draw } else { PictureRequest::Omit }
    }
}

/// The requested data cannot be read at the moment, for example because the store does not answer.
/// The same request may succeed later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this cannot be read at the moment")]
pub struct Unavailable;

/// Returns the state of tables, for clients that draw boards themselves. Reading has no side
/// effects.
#[async_trait]
pub trait ClientQueries: Send + Sync {
    /// Returns the state of a table as a person in this chat may see it; `None` if they may see
    /// none.
    ///
    /// # Errors
    /// When it cannot be read now.
    async fn table_state(
        &self,
        chat: &Chat,
        person: &Person,
        table: &TableId,
        query: StateQuery,
    ) -> Result<Option<TableStateView>, Unavailable>;

    /// Returns a viewer page as a person in this chat may see it; `None` if they may see none.
    /// The boards of replays and lessons have this layout; those of reviews are always wide.
    ///
    /// # Errors
    /// When it cannot be read now.
    async fn viewer_page(
        &self,
        chat: &Chat,
        person: &Person,
        page: ViewerPage,
        layout: PictureLayout,
    ) -> Result<Option<ViewerPageState>, Unavailable>;

    /// Returns all open tables of a person, those that wait for the person first, in the language
    /// that the person reads in this chat; `None` if they cannot be read now.
    async fn own_tables(&self, chat: &Chat, person: &Person) -> Option<OwnTables>;

    /// Returns the settings of a person, in the language that they read in this chat; `None` if
    /// they cannot be read now.
    async fn own_settings(&self, chat: &Chat, person: &Person) -> Option<OwnSettings>;

    /// Returns a page of the finished games of a person, in the language that they read in this
    /// chat; `None` if they cannot be read now.
    async fn finished_games(
        &self,
        chat: &Chat,
        person: &Person,
        query: FinishedGamesQuery,
    ) -> Option<FinishedGames>;

    /// Returns a page of a rating list as a person in this chat may see it; `None` if it cannot be
    /// read now.
    async fn leaderboard(
        &self,
        chat: &Chat,
        person: &Person,
        query: LeaderboardQuery,
    ) -> Option<Leaderboard>;

    /// Returns the statistics of `of` as a person in this chat may see them: one's own of all
    /// chats, those of others in a group that both share. `None` for others in a private chat, and
    /// if they cannot be read now. The caller checks that the other one is in the group.
    async fn person_statistics(
        &self,
        chat: &Chat,
        person: &Person,
        of: &Person,
    ) -> Option<PersonStatistics>;

    /// Returns the record of a finished game in which this person has a seat; `None` for every
    /// other table.
    async fn game_record(&self, person: &Person, table: &TableId) -> Option<Attachment>;

    /// Returns a position that a person analyses, with the actions that are possible there, in the
    /// language that they read in this chat; `None` if it cannot be made now.
    async fn analysis_board(
        &self,
        chat: &Chat,
        person: &Person,
        query: AnalysisQuery,
    ) -> Option<Result<AnalysisBoard, AnalysisRefusal>>;

    /// Evaluates a position that a person analyses; `None` if it cannot be done now. The same
    /// position always gets the same evaluation. A person who plays a game of this kind that counts
    /// gets none until it is over.
    async fn evaluate_position(
        &self,
        chat: &Chat,
        person: &Person,
        query: AnalysisQuery,
    ) -> Option<Result<PositionEvaluation, AnalysisRefusal>>;

    /// Returns a sheet of the drawings that pictures in [`ClientQueries::table_state`] use, as SVG,
    /// by the name of the sheet. The content under a name never changes.
    fn sprite_sheet(&self, sheet: &str) -> Option<String>;
}

/// Sends a public message of an adapter, see [`DeliveryReports::run_after_boards`].
pub type AdapterMessageTask = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Accounts for messages that an adapter sends outside of the outbox, to answer a person at once.
#[async_trait]
pub trait DeliveryReports: Send + Sync {
    /// Counts a call that the adapter made in this chat by itself: it counts towards
    /// [`Platform::call_limit_per_minute`](super::Platform::call_limit_per_minute).
    fn record_call(&self, chat: &ChatId);

    /// Reports that the platform refuses such calls in this chat for `wait_ms` milliseconds.
    fn apply_retry_after(&self, chat: &ChatId, wait_ms: u64);

    /// Counts such a call that showed a message to one person only.
    fn record_ephemeral_call(&self, chat: &ChatId);

    /// Whether the call limit leaves room to show a hand to a player who asks for it in this chat
    /// now; if not, the adapter shows a toast.
    fn has_hand_budget(&self, chat: &ChatId, priority: HandPriority) -> bool;

    /// Whether so many calls are left in this chat that a public message of the adapter delays no
    /// board.
    fn has_message_budget(&self, chat: &ChatId) -> bool;

    /// Runs a task that sends such a message once no board of this chat waits and the limit allows
    /// it: some seconds later at the latest, unless the platform still refuses calls. The call does
    /// not wait for it.
    fn run_after_boards(&self, chat: &ChatId, task: AdapterMessageTask);

    /// Whether the call limit has recently kept players to move from seeing their hands in this
    /// chat: for a while, numbered buttons under the board play the cards.
    fn are_hands_limited(&self, chat: &ChatId) -> bool;

    /// Reports that [`has_ephemeral_buttons`](super::EphemeralMessages::has_ephemeral_buttons) has
    /// changed for this chat: boards there may need other buttons.
    async fn capabilities_changed(&self, chat: &ChatId);
}

/// Receives events that need no reply, and tells adapters which of them they can skip.
#[async_trait]
pub trait ChatReports: Send + Sync {
    /// Returns `false` if the bot has certainly never met this person; their joins and leaves need
    /// not be reported.
    async fn may_be_known(&self, person: &PersonId) -> bool;

    /// Returns those of these chats that have open tables. When the bot is back in many chats at
    /// once, [`UpdateKind::BotAdded`] matters only in these.
    ///
    /// # Errors
    /// When that cannot be read now.
    async fn chats_with_tables(&self, chats: Vec<ChatId>) -> Result<Vec<ChatId>, Unavailable>;

    /// Reports messages in a chat that others than the bot have deleted. Boards among them are
    /// posted again.
    async fn report_deleted_messages(&self, chat: &ChatId, deleted: &[MessageId]);

    /// Reports that the rights of the bot in a chat have changed, and that it may write there.
    /// Messages that it was not allowed to send there, or in a topic, are tried again at once.
    async fn report_changed_rights(&self, chat: &ChatId);
}
