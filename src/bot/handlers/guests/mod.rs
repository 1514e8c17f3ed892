//! Guests: people of a platform who see a table on the web page as themselves. Handles their
//! sign-in, their views and their actions.
//!
//! A *pass* is a code that a person gets in private; it is valid for five minutes and works once. A
//! signed-in guest is identified by the *mark* of a token that only their browser has. Both are
//! stored, so that any process can answer. See
//! [`GuestService`](caravanserai_protocol::guest_service::GuestService).

mod guest_views;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Handlers;
use super::context::{HandlerResult, RequestContext, brief_views};
use super::external_query::ExternalQuery;
use super::table_index::{open_tables, tables_of};
use super::table_requests::concerns_person;
use crate::commands::action::TableCallback;
use crate::commands::launch::LaunchWindow;
use crate::commands::web::OpenPage;
use crate::parsing::words::page_start_word;
use crate::repository::profiles::{ChatProfile, PersonProfile, person_reads};
use crate::repository::row_update::{OptionalRow, TypedRowKey};
use crate::repository::stored_rows::{parse_json_or_default, put_json, remove_row};
use crate::repository::{CommitOutcome, Failure, keys};
use crate::views::board_view;
use crate::views::hand_views::HandDelivery;
use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind, TableId};
use caravanserai_games::text::Text;
use caravanserai_protocol::guest_service::{
    AuthError, Guest, SignInOutcome, SignInProof, VerifiedUser,
};
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_protocol::{AppLink, Chat, Person, PersonKind};
use caravanserai_store::{Commit, Expect, Space, StoreQuery};
use caravanserai_table::state::Table;

/// The length of a pass: too long to be guessed during its lifetime (27^20 are 95 bits).
const PASS_LENGTH: usize = 20;
/// The lifetime of a pass, in milliseconds.
const PASS_TTL_MS: u64 = 5 * 60_000;
/// The lifetime of a session that began with a pass, in milliseconds.
const BROWSER_SESSION_MS: u64 = 30 * 24 * 3_600_000;
/// The lifetime of a session in a window of a platform, which identifies the user at each start, in
/// milliseconds.
const WINDOW_SESSION_MS: u64 = 12 * 3_600_000;
/// How long proof that a person is in a chat is valid, in milliseconds: they may have left since.
const PLACE_PROOF_TTL_MS: u64 = 12 * 3_600_000;
/// How long a window that a platform opens may take to ask for its table, in milliseconds.
const LAUNCH_TTL_MS: u64 = 10 * 60_000;

/// The stored row of a pass.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SignInPass {
    account: PersonId,
    table: Option<String>,
    /// The chat in which they requested it, if the table is shown there.
    place: Option<PlaceId>,
    until_ms: u64,
}

/// The stored session of a signed-in guest.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct GuestSession {
    account: PersonId,
    places: Vec<PlaceId>,
    /// Until when the chats are valid, in milliseconds since 1970.
    places_until_ms: u64,
    until_ms: u64,
    /// How often the account had been signed out everywhere before.
    round: u64,
}

/// The table and the chat for a window that a platform opens.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct WindowLaunch {
    table: Option<String>,
    place: PlaceId,
}

/// A person whose identity is proven.
struct ProvenSignIn {
    account: PersonId,
    table: Option<String>,
    places: Vec<PlaceId>,
    key: Option<String>,
    lasts_ms: u64,
    /// The conditions and writes of the sign-in.
    commit: Commit,
}

/// The chats of an account's platform that show a table to all members.
fn open_member_chats(table: &Table, account: &PersonId) -> Vec<PlaceId> {
    let open = table.locations().filter(|it| it.reader.is_none()).map(|it| it.chat);
    open.filter(|it| it.platform() == account.platform()).cloned().collect()
}

/// A chat that shows the table and of which the person is a member.
///
/// # Errors
/// The external query that their platform has to answer first.
fn find_membership_chat(
    table: &Table,
    context: &RequestContext<'_>,
) -> Result<Option<PlaceId>, ExternalQuery> {
    if let Some(here) = table.location_in(&context.update.chat.id) {
        return Ok(Some(here.chat.clone()));
    }
    let places = open_member_chats(table, &context.account);
    if places.is_empty() {
        return Ok(None);
    }
    let found = context.query_results.member_place(&context.account).cloned();
    // The table may have been removed from the chat meanwhile.
    let is_still_shown = |it: Option<PlaceId>| it.filter(|it| places.contains(it));
    found
        .map(is_still_shown)
        .ok_or_else(|| ExternalQuery::Member(context.account.clone(), places.clone()))
}

impl Handlers {
    /// Sends the link to the page of a named table, or of the current table of the chat.
    pub(crate) async fn handle_page_command(
        &self,
        context: &mut RequestContext<'_>,
        table: Option<TableId>,
    ) -> HandlerResult {
        let Some(id) = table else {
            let table = self.current_table(context).await?;
            return self.send_page_link(context, table.as_deref()).await;
        };
        let found = self.repository.load_table(&id).await?;
        match found.filter(|it| !it.is_solo() || concerns_person(it, context)) {
            Some(table) => self.send_page_link(context, Some(&table)).await,
            None => Ok(vec![View::brief(Text::new("refuse-unknown-table").with("table", id.0))]),
        }
    }

    /// Sends the link to the page in private, or explains how to get it.
    pub(crate) async fn send_page_link(
        &self,
        context: &mut RequestContext<'_>,
        table: Option<&Table>,
    ) -> HandlerResult {
        let Some(page) = self.delivery.page_url() else { return Ok(brief_views("refuse-no-page")) };
        let here = &context.update.chat;
        if self.delivery.is_page(&here.id) || context.update.is_by_guest() {
            return Ok(brief_views("refuse-page-here"));
        }
        let id = table.map(|it| &it.id);
        if here.kind == PlaceKind::Group
            && self.delivery.hand_delivery(&here.id) == HandDelivery::NumberedButtons
        {
            // Replies in this chat are not private enough for a sign-in link.
            return Ok(vec![self.go_to_private_view(&here.id, id)]);
        }
        let place = match table.map(|it| find_membership_chat(it, context)) {
            None => None,
            Some(Ok(place)) => place,
            Some(Err(query)) => return context.suspend_for_query(query),
        };
        let code = self.repository.random_letters(PASS_LENGTH);
        let until_ms = context.now_ms + PASS_TTL_MS;
        let account = context.account.clone();
        let pass = SignInPass { account, table: id.map(|it| it.0.clone()), place, until_ms };
        let row = put_json(Space::Meta, keys::sign_in_pass(&code), &pass).expires_at(until_ms);
        self.repository.put_all(vec![row]).await?;
        let link = AppLink::Link(format!("{page}/board#in={code}"));
        let mut keys = vec![vec![ButtonSpec::with_link(Text::new("button-page"), link)]];
        let code = id.map(|it| it.0.as_str());
        keys.extend(self.window_button(here, code).map(|it| vec![it]));
        let minutes = (PASS_TTL_MS / 60_000) as i64;
        let text = Text::new("answer-page").with("minutes", minutes);
        Ok(vec![View { keys, secret: true, ..View::persistent(vec![text]) }])
    }

    /// The buttons that open the board outside of the chat.
    pub(crate) fn open_board_buttons(
        &self,
        context: &RequestContext<'_>,
        table: &Table,
    ) -> Vec<ButtonSpec> {
        let here = &context.update.chat;
        if context.update.is_by_guest()
            || self.delivery.is_page(&here.id)
            || self.delivery.page_url().is_none()
        {
            return Vec::new();
        }
        let press = board_view::table_callback_data(table, &OpenPage);
        let mut keys = vec![ButtonSpec::new(Text::new("button-page"), press)];
        keys.extend(self.window_button(here, Some(&table.id.0)));
        keys
    }

    /// The button that opens the board of a table in a window of the platform.
    fn window_button(&self, here: &Chat, code: Option<&str>) -> Option<ButtonSpec> {
        let label = || Text::new("button-open-board");
        match self.delivery.app_link(&here.id, here.kind, code)? {
            AppLink::Launch => {
                let table = TableId(code?.to_owned());
                Some(ButtonSpec::new(
                    label(),
                    TableCallback { table, action: Arc::new(LaunchWindow) }.encode(),
                ))
            }
            window => Some(ButtonSpec::with_link(label(), window)),
        }
    }

    /// Explains how to get to the private chat, where the link to the page is sent.
    fn go_to_private_view(&self, place: &PlaceId, table: Option<&TableId>) -> View {
        match self.delivery.private_invite_link(place, &page_start_word(table)) {
            Some(link) => {
                let text = Text::new("answer-page-private-link").with("link", link);
                View::persistent(vec![text])
            }
            None => View::brief(Text::new("answer-page-private")),
        }
    }

    /// Opens the board of the current table in a window of the platform.
    pub(crate) async fn launch_current_table(
        &self,
        context: &mut RequestContext<'_>,
    ) -> HandlerResult {
        let table = self.current_table(context).await?;
        self.launch_window(context, table.as_deref()).await
    }

    /// Opens the board in a window of the platform, or shows another way.
    pub(crate) async fn launch_window(
        &self,
        context: &mut RequestContext<'_>,
        table: Option<&Table>,
    ) -> HandlerResult {
        let here = &context.update.chat;
        let code = table.map(|it| it.id.0.as_str());
        let window = self.delivery.app_link(&here.id, here.kind, code);
        if window != Some(AppLink::Launch) {
            return self.send_page_link(context, table).await;
        }
        let launch = WindowLaunch { table: code.map(str::to_owned), place: here.id.clone() };
        let key = keys::window_launch(&context.account);
        let row = put_json(Space::Meta, key, &launch).expires_at(context.now_ms + LAUNCH_TTL_MS);
        self.repository.put_all(vec![row]).await?;
        Ok(vec![View { launches: true, ..View::brief(Text::new("answer-launched")) }])
    }

    /// The current table of a chat: a table where it is the person's turn, else one where they
    /// play, else any.
    async fn current_table(
        &self,
        context: &RequestContext<'_>,
    ) -> Result<Option<std::sync::Arc<Table>>, Failure> {
        let person = &context.update.person.id;
        let (mut own_table, mut any_table) = (None, None);
        let mut ids = open_tables(&self.repository, &context.update.chat.id).await?;
        if context.update.chat.kind == PlaceKind::Private {
            ids.extend(tables_of(&self.repository, person).await?);
        }
        for id in ids {
            let Ok(Some(table)) = self.repository.load_table(&id).await else { continue };
            let turn =
                table.seat_to_move().filter(|turn| table.seats_of(person).any(|it| it == *turn));
            if turn.is_some() {
                return Ok(Some(table));
            }
            let slot = if table.seats_of(person).next().is_some() {
                &mut own_table
            } else {
                &mut any_table
            };
            slot.get_or_insert(table);
        }
        Ok(own_table.or(any_table))
    }

    /// Ends all sessions of the person, for all their accounts.
    pub(crate) async fn sign_out_everywhere(&self, context: &RequestContext<'_>) -> HandlerResult {
        let person_ids = std::iter::once(&context.update.person.id);
        for account in person_ids.chain(&context.person.accounts) {
            let rounds: TypedRowKey<OptionalRow<u64>> =
                TypedRowKey::optional_row(keys::sign_out_count(account));
            let next = |it: &mut OptionalRow<u64>| it.0 = Some(it.0.unwrap_or_default() + 1);
            self.repository.update_row(rounds, next).await?;
        }
        Ok(brief_views("answer-page-off"))
    }

    /// Signs a person in, who is identified by this mark from then on.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn sign_in(
        &self,
        proof: &SignInProof,
        mark: &str,
    ) -> Result<Result<SignInOutcome, AuthError>, Failure> {
        let proven = match proof {
            SignInProof::Code(code) => self.verify_pass(code).await?,
            SignInProof::Client { platform, data, instance } => {
                match self.delivery.verify_user(platform, data, instance.as_deref()).await {
                    Ok(user) => Ok(self.verify_client(user).await?),
                    Err(error) => Err(error),
                }
            }
        };
        let ProvenSignIn { account, table, places, key, lasts_ms, mut commit } = match proven {
            Ok(proven) => proven,
            Err(error) => return Ok(Err(error)),
        };
        let now_ms = self.repository.now_ms();
        let round =
            self.repository.read_value(Space::Meta, &keys::sign_out_count(&account)).await?;
        let session = GuestSession {
            account,
            places,
            places_until_ms: now_ms + PLACE_PROOF_TTL_MS,
            until_ms: now_ms + lasts_ms,
            round: parse_json_or_default(round),
        };
        commit.puts.push(
            put_json(Space::Meta, keys::guest_session(mark), &session).expires_at(session.until_ms),
        );
        if self.repository.commit_rows(commit).await? == CommitOutcome::Conflict {
            // Another sign-in has used the same pass.
            return Ok(Err(AuthError::Forged));
        }
        let guest = self.find_guest(mark).await?;
        Ok(guest
            .map(|guest| SignInOutcome { guest, lifetime_ms: lasts_ms, table, platform_token: key })
            .ok_or(AuthError::Expired))
    }

    async fn verify_pass(&self, code: &str) -> Result<Result<ProvenSignIn, AuthError>, Failure> {
        let key = keys::sign_in_pass(code);
        let Some(row) = self.repository.read_value(Space::Meta, &key).await? else {
            return Ok(Err(AuthError::Forged));
        };
        let Ok(pass) = serde_json::from_slice::<SignInPass>(&row) else {
            return Ok(Err(AuthError::Forged));
        };
        if pass.until_ms <= self.repository.now_ms() {
            return Ok(Err(AuthError::Expired));
        }
        let commit = Commit {
            expect: vec![Expect::equals(Space::Meta, key.clone(), row)],
            ..Commit::from_puts(vec![remove_row(Space::Meta, key)])
        };
        Ok(Ok(ProvenSignIn {
            account: pass.account,
            table: pass.table,
            places: pass.place.into_iter().collect(),
            key: None,
            lasts_ms: BROWSER_SESSION_MS,
            commit,
        }))
    }

    /// Handles a user that a platform has verified. The table is named by them or by the launch
    /// button that they pressed last.
    async fn verify_client(&self, user: VerifiedUser) -> Result<ProvenSignIn, Failure> {
        let VerifiedUser { person, mut table, chats: mut places, platform_token: key } = user;
        let launched =
            self.repository.read_value(Space::Meta, &keys::window_launch(&person.id)).await?;
        let launched = launched.and_then(|it| serde_json::from_slice::<WindowLaunch>(&it).ok());
        if let Some(launch) = launched {
            table = table.or(launch.table);
            places.push(launch.place);
        }
        let id = table.clone().map(|it| TableId(it.to_lowercase()));
        if let Some(id) = id
            && let Ok(Some(table)) = self.repository.load_table(&id).await
        {
            places.extend(
                self.find_membership(&open_member_chats(&table, &person.id), &person.id).await,
            );
        }
        self.repository.store_person(&person).await?;
        let commit = Commit::default();
        Ok(ProvenSignIn {
            account: person.id,
            table,
            places,
            key,
            lasts_ms: WINDOW_SESSION_MS,
            commit,
        })
    }

    /// The guest who is identified by this mark.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn find_guest(&self, mark: &str) -> Result<Option<Guest>, Failure> {
        let row = self.repository.read_value(Space::Meta, &keys::guest_session(mark)).await?;
        let session = row.and_then(|it| serde_json::from_slice::<GuestSession>(&it).ok());
        let now_ms = self.repository.now_ms();
        let Some(session) = session.filter(|it| now_ms < it.until_ms) else { return Ok(None) };
        let account = session.account;
        let mut reads = vec![StoreQuery::value_of(Space::Meta, keys::sign_out_count(&account))];
        reads.extend(person_reads(&account));
        let mut found = self.repository.read_many(&reads).await?.into_iter();
        let mut next = || found.next().map_or(Ok(None), |it| it.value());
        let round: u64 = parse_json_or_default(next()?);
        if round != session.round {
            return Ok(None);
        }
        let account_profile = PersonProfile::decode_rows(next()?, next()?);
        let person = account_profile.main.clone().unwrap_or_else(|| account.clone());
        let main = if person == account {
            account_profile.clone()
        } else {
            self.repository.load_person(&person).await?
        };
        let reader = main.display_prefs(&ChatProfile::default());
        let name =
            if account_profile.name.is_empty() { account.0.clone() } else { account_profile.name };
        Ok(Some(Guest {
            account: Person {
                id: account,
                name,
                username: account_profile.username,
                locale: None,
                kind: PersonKind::Human,
                admin: false,
            },
            person,
            chats: if now_ms < session.places_until_ms { session.places } else { Vec::new() },
            lang: reader.lang.code().to_owned(),
            theme: reader.theme,
        }))
    }

    /// Ends the session of this mark.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn sign_out(&self, mark: &str) -> Result<(), Failure> {
        self.repository.put_all(vec![remove_row(Space::Meta, keys::guest_session(mark))]).await
    }
}
