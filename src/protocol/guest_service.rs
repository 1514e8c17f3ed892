//! Signs platform users in on the web page, so that they play there under their own account.
//!
//! A *guest* is a person whose identity a platform confirms: the platform gave them a code in
//! private, or its own client reports who they are. A guest sees and does at a table what they may
//! see and do in the chats of that table, and nothing else.

use async_trait::async_trait;

use super::analysis::PictureLayout;
use super::outgoing_message::EphemeralReply;
use super::table_state::{OwnTables, TableStateView};
use super::update::Person;
use super::update_handler::{StateQuery, Unavailable};
use super::viewer_page::ViewerPage;
use super::viewer_page_state::ViewerPageState;
use caravanserai_games::ids::{ChatId, PersonId, TableId};

/// Evidence of identity that a person presents to sign in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignInProof {
    /// A code that the person received in private.
    Code {
        /// The code.
        code: String,
        /// The mark of a key that only the browser's window knows: it may present the same code
        /// again while the code is valid, for example if the answer was lost.
        window: Option<String>,
    },
    /// Data about the person from the platform's own client.
    Client {
        /// The platform: the prefix of its ids.
        platform: String,
        /// The data as the client gave it: Telegram's `initData`, Discord's OAuth code.
        data: String,
        /// The id of a window shared by several people, where the platform has shared windows.
        instance: Option<String>,
        /// The mark of a key that only the client's window knows: it may present the same data
        /// again, for example after a reload.
        window: Option<String>,
    },
}

/// A person whose identity a platform confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedUser {
    /// The confirmed person.
    pub person: Person,
    /// The code of the table that they opened the page for.
    pub table: Option<String>,
    /// The chats in which they are, as far as the platform reports them.
    pub chats: Vec<ChatId>,
    /// The token that their client expects in return (Discord's access token).
    pub platform_token: Option<String>,
    /// The data that proved this, if it stays valid after its first use.
    pub reusable_proof: Option<ReusableProof>,
}

/// Data of a platform's client that proves an identity for some time, however often it is
/// presented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReusableProof {
    /// The id of the data: the same for every form in which it can be presented.
    pub id: String,
    /// How long the data stays valid, in milliseconds.
    pub valid_ms: u64,
}

/// The reason why a sign-in is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AuthError {
    /// The proof was never issued, was used before by another client, or was changed in transit.
    #[error("this is not known: open the page again from your chat")]
    Forged,
    /// The proof was valid but has expired.
    #[error("this is too old: open it again")]
    Expired,
    /// The platform does not answer, or this process does not serve it.
    #[error("this cannot be checked at the moment: try again later")]
    Unreachable,
}

/// A person who is signed in on the web page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guest {
    /// The account they signed in with, as updates describe it.
    pub account: Person,
    /// The person to whom the account belongs.
    pub person: PersonId,
    /// The chats in which the platform reported them.
    pub chats: Vec<ChatId>,
    /// The code of the language they read.
    pub lang: String,
    /// The theme in which pictures are drawn for them.
    pub theme: String,
}

/// The marks between which a sign-in chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignInMarks<'a> {
    /// The mark of a new token.
    pub new: &'a str,
    /// The mark of the token that the browser has already, if any. A sign-in of the same account
    /// with a code continues that session: it serves other tabs, too.
    pub current: Option<&'a str>,
}

/// The result of a successful sign-in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInOutcome {
    /// Whether the current session of the browser continues, and the new mark is unused.
    pub is_continued: bool,
    /// The signed-in guest.
    pub guest: Guest,
    /// The lifetime of the sign-in, in milliseconds.
    pub lifetime_ms: u64,
    /// The code of the table that they opened the page for.
    pub table: Option<String>,
    /// See [`VerifiedUser::platform_token`].
    pub platform_token: Option<String>,
}

/// The requests of the web page on behalf of signed-in guests. A *mark* is the stored form of a
/// guest's token; the token itself is known only to the guest.
#[async_trait]
pub trait GuestService: Send + Sync + 'static {
    /// Signs a person in and stores the guest under one of these marks.
    ///
    /// # Errors
    /// The reason for the refusal. Nothing has changed.
    async fn sign_in(
        &self,
        proof: &SignInProof,
        marks: SignInMarks<'_>,
    ) -> Result<SignInOutcome, AuthError>;

    /// Returns the guest with this mark; `None` if nobody is signed in with it.
    ///
    /// # Errors
    /// When this cannot be read now.
    async fn find_guest(&self, mark: &str) -> Result<Option<Guest>, Unavailable>;

    /// Signs out the guest with this mark.
    ///
    /// # Errors
    /// When this cannot be stored now. The guest may still be signed in.
    async fn sign_out(&self, mark: &str) -> Result<(), Unavailable>;

    /// Returns the state of a table as this guest may see it, see
    /// [`super::ClientQueries::table_state`].
    ///
    /// # Errors
    /// When it cannot be read now.
    async fn guest_table(
        &self,
        guest: &Guest,
        table: &TableId,
        query: StateQuery,
    ) -> Result<Option<TableStateView>, Unavailable>;

    /// Returns a page of a replay or analysis as this guest may see it, see
    /// [`super::ClientQueries::viewer_page`].
    ///
    /// # Errors
    /// When it cannot be read now.
    async fn guest_page(
        &self,
        guest: &Guest,
        page: ViewerPage,
        layout: PictureLayout,
    ) -> Result<Option<ViewerPageState>, Unavailable>;

    /// Returns the guest's open tables, see [`super::ClientQueries::own_tables`].
    async fn guest_tables(&self, guest: &Guest) -> Option<OwnTables>;

    /// Presses a button at a table, once for each key. Returns `None` if the guest cannot press
    /// that button there.
    async fn press_button(
        &self,
        guest: &Guest,
        table: &TableId,
        callback_data: &str,
        key: &str,
    ) -> Option<Vec<EphemeralReply>>;

    /// Waits until a table has changed since the given change, and returns the newest change.
    /// Returns `None` once the guest may no longer see the table.
    ///
    /// # Errors
    /// When this cannot be read now.
    async fn wait_for_change(
        &self,
        guest: &Guest,
        table: &TableId,
        since: Option<u64>,
    ) -> Result<Option<u64>, Unavailable>;
}
