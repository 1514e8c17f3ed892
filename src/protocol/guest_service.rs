//! People of a platform who have signed in on the page, to play there as themselves.
//!
//! A *guest* is somebody for whom a platform vouches: it gave them a code in private, or its own
//! client says who they are. They see and do at a table what they may where it stands, and
//! nothing else.

use async_trait::async_trait;

use super::platform::{EphemeralReply, StateQuery};
use super::update::Person;
use super::viewer_page::ViewerPage;
use caravanserai_games::ids::{PersonId, PlaceId, TableId};

/// What somebody shows to prove who they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignInProof {
    /// A code that they were given in private.
    Code(String),
    /// What the client of a platform says of them.
    Client {
        /// The platform: the prefix of its ids.
        platform: String,
        /// As the client gave it: Telegram's `initData`, Discord's OAuth code.
        data: String,
        /// Which window of several people it is, where the platform has such.
        instance: Option<String>,
    },
}

/// Somebody for whom a platform vouches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedUser {
    /// Who.
    pub person: Person,
    /// The code of the table that they came for.
    pub table: Option<String>,
    /// Where they are, as far as the platform says so.
    pub chats: Vec<PlaceId>,
    /// What their client wants to have in return (Discord's access token).
    pub platform_token: Option<String>,
}

/// Why somebody is not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AuthError {
    /// Nobody gave this, or it was used, or changed on the way.
    #[error("this is not known: ask for a new link")]
    Forged,
    /// It was good once.
    #[error("this is too old: open it again")]
    Expired,
    /// The platform does not answer, or is not served here.
    #[error("this cannot be checked at the moment: try again later")]
    Unreachable,
}

/// Somebody who is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guest {
    /// The account by which they are known, as updates describe it.
    pub account: Person,
    /// The person behind the account.
    pub person: PersonId,
    /// Where the platform said that they are.
    pub chats: Vec<PlaceId>,
    /// The code of the language they read.
    pub lang: String,
    /// How pictures look to them.
    pub theme: String,
}

/// How somebody was let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInOutcome {
    /// Who.
    pub guest: Guest,
    /// For how long, in milliseconds.
    pub lifetime_ms: u64,
    /// The code of the table that they came for.
    pub table: Option<String>,
    /// See [`VerifiedUser::platform_token`].
    pub platform_token: Option<String>,
}

/// What the page asks for those who have signed in. A *mark* is what is kept of their token: the
/// token itself is known to them alone.
#[async_trait]
pub trait GuestService: Send + Sync + 'static {
    /// Lets somebody in, who is known by this mark from then on.
    ///
    /// # Errors
    /// Why not. Nothing has changed.
    async fn sign_in(&self, proof: &SignInProof, mark: &str) -> Result<SignInOutcome, AuthError>;

    /// Who is known by this mark.
    async fn find_guest(&self, mark: &str) -> Option<Guest>;

    /// Nobody is known by this mark any more.
    async fn sign_out(&self, mark: &str);

    /// What they may know of a table, as [`super::Listener::state`].
    async fn guest_table_json(
        &self,
        guest: &Guest,
        table: &TableId,
        looking: StateQuery,
    ) -> Option<String>;

    /// What they may know of a game step by step or of its review, as [`super::Listener::show`].
    async fn guest_page_json(&self, guest: &Guest, look: ViewerPage) -> Option<String>;

    /// Their open tables, as [`super::Listener::own_tables_json`].
    async fn guest_tables_json(&self, guest: &Guest) -> Option<String>;

    /// A press at a table, once for each key. `None` if it is none that a guest can make there.
    async fn press_button(
        &self,
        guest: &Guest,
        table: &TableId,
        press: &str,
        key: &str,
    ) -> Option<Vec<EphemeralReply>>;

    /// Waits until a table has changed since that change, and tells the newest one. `None` if it
    /// is not theirs to see any more.
    async fn wait_for_change(
        &self,
        guest: &Guest,
        table: &TableId,
        since: Option<u64>,
    ) -> Option<u64>;
}
