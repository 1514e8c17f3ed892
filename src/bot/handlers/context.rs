//! Loads and holds the data that a handler needs to answer an update.

use super::external_query::{ExternalQuery, QueryResults};
use super::request_error::RequestError;
use super::table_limits::SeatMark;
use crate::admin::OperatorSwitches;
use crate::commands::action::{Request, TableRef};
use crate::repository::chat_settings::{self, ChatSettings};
use crate::repository::pending_updates::UPDATE_WAIT_MAX_MS;
use crate::repository::profiles::{
    ChatProfile, DisplayPrefs, LinkedAccounts, PersonProfile, person_reads, update_chat_profile,
    update_person_profile,
};
use crate::repository::row_update::{StoredRow, TypedRowKey};
use crate::repository::stored_rows::{
    StoredAnswer, missing_rights, parse_json_or_default, put_json,
};
use crate::repository::{Failure, Repository, keys};
use caravanserai_games::ids::{ChatId, MessageId, PersonId, TableId};
use caravanserai_games::text::{Arg, Text};
use caravanserai_i18n::Lang;
use caravanserai_protocol::view::View;
use caravanserai_protocol::{Person, PersonKind, Update, UpdateKind};
use caravanserai_store::{Put, Space, StoreQuery};
use caravanserai_table::EventMeta;
use caravanserai_table::command::Actor;
use caravanserai_table::people::qualify_username;
use caravanserai_table::state::Table;

/// The result of a handler: views for the person who sent the update.
pub type HandlerResult = Result<Vec<View>, RequestError>;

/// A short text reply.
pub(crate) fn brief_views(key: &'static str) -> Vec<View> {
    vec![View::brief(Text::new(key))]
}

/// One update with its sender and chat, and the rows that were read for it in one round trip.
pub struct RequestContext<'a> {
    /// The update; its sender is the person behind the account.
    pub(crate) update: &'a Update,
    /// The account that sent it.
    pub(crate) account: PersonId,
    pub(crate) person: PersonProfile,
    /// The linked accounts of the person, as read from the store.
    pub(crate) links: StoredRow<LinkedAccounts>,
    /// The effective settings of the chat.
    pub(crate) chat_settings: ChatSettings,
    /// The current time, in milliseconds since 1970.
    pub(crate) now_ms: u64,
    /// When the update was received, in milliseconds since 1970; not later than `now_ms`.
    pub(crate) received_ms: u64,
    /// When handling started, by the monotonic clock, in milliseconds.
    pub(crate) started_ms: u64,
    /// The profiles that the update changes and that are not stored yet.
    pub(crate) profile_changes: ProfileChanges,
    /// Rows to store with the decision.
    pub(crate) extra_rows: Vec<Put>,
    /// The rows of people whose tables were counted.
    pub(crate) seat_marks: Vec<SeatMark>,
    /// The clock that was chosen for a table here; it becomes the default of the chat.
    pub(crate) chosen_clock: Option<String>,
    /// The stored answer, if the update was handled before.
    pub(crate) stored_answer: Option<StoredAnswer>,
    /// The permissions that the bot lacked here, if it could not write until now.
    pub(crate) missing_permissions: Option<Vec<Arg>>,
    /// Whether nothing could be sent to this chat until now.
    pub(crate) was_unreachable: bool,
    /// The table of the message that the update replies to.
    pub(crate) answered_table: Option<TableId>,
    /// Whether a deletion of the person is requested.
    pub(crate) has_deletion_request: bool,
    /// The switches that operators have set for the whole bot.
    pub(crate) operator_switches: OperatorSwitches,
    /// Whether others see a neutral name of the person here.
    pub(crate) has_hidden_name: bool,
    /// The person whose vacation has ended by this update; their other tables are updated after the
    /// commit.
    pub(crate) returned_person: Option<PersonId>,
    /// The results of external queries.
    pub(crate) query_results: QueryResults,
    /// Whether a table has refused the request.
    pub(crate) is_refused: bool,
    /// The external query that must run before the update can be answered.
    pub(crate) pending_query: Option<ExternalQuery>,
}

/// The profiles that an update changes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ProfileChanges {
    /// The profile of the person.
    pub(crate) person: bool,
    /// The profile of the chat.
    pub(crate) chat: bool,
}

/// The result of loading a context.
#[allow(clippy::large_enum_variant, reason = "the value is matched right after it is made")]
pub(crate) enum ContextOutcome<'a> {
    /// The context is complete.
    Ready(RequestContext<'a>),
    /// The account is linked to this person, so the context has to be loaded for them. Also which
    /// profiles of the account changed.
    Linked(PersonId, ProfileChanges),
    /// The name of the person is hidden here, so the context has to be loaded with this name. Also
    /// which profiles of the account changed.
    Renamed(String, ProfileChanges),
}

/// The rows that are read for every update, except those of parent chats, in the order of
/// [`ContextRows`].
fn context_reads(update: &Update, request: Option<&Request>) -> Vec<StoreQuery> {
    let chat = &update.chat.id;
    let mut reads = person_reads(&update.person.id).to_vec();
    reads.extend([
        StoreQuery::value_of(Space::ChatProfile, chat.without_topic()),
        StoreQuery::value_of(Space::Seen, &*update.id),
        StoreQuery::value_of(Space::Meta, keys::send_forbidden(chat)),
        StoreQuery::value_of(Space::Meta, keys::deletion_request(&update.person.id)),
        StoreQuery::value_of(Space::Meta, keys::OPERATOR_SWITCHES),
        StoreQuery::value_of(Space::Meta, keys::HIDDEN_NAMES),
    ]);
    if let Some(Request::Table { table: TableRef::Message(message), .. }) = request {
        reads.push(StoreQuery::value_of(Space::Message, keys::message(chat, message)));
    }
    reads
}

/// The values of [`context_reads`].
struct ContextRows {
    person: Option<Vec<u8>>,
    links: Option<Vec<u8>>,
    chat: Option<Vec<u8>>,
    answer: Option<Vec<u8>>,
    send_forbidden: Option<Vec<u8>>,
    deletion_request: Option<Vec<u8>>,
    operator_switches: Option<Vec<u8>>,
    hidden_names: Option<Vec<u8>>,
    /// The table of the message; absent without a request about a message.
    message: Option<Vec<u8>>,
}

impl ContextRows {
    /// Names the values, which have the order of the reads.
    fn from_values(values: Vec<Option<Vec<u8>>>) -> Self {
        let mut values = values.into_iter();
        let mut next = || values.next().flatten();
        ContextRows {
            person: next(),
            links: next(),
            chat: next(),
            answer: next(),
            send_forbidden: next(),
            deletion_request: next(),
            operator_switches: next(),
            hidden_names: next(),
            message: next(),
        }
    }
}

/// The name that is shown instead of the sender's own in this chat; `None` if it is not hidden.
async fn shown_name(
    repository: &Repository,
    update: &Update,
    names_version: Option<Vec<u8>>,
) -> Result<Option<String>, Failure> {
    let hidden = repository.hidden_names_at(names_version).await?;
    let shown = hidden.shown_name(update.chat.id.without_topic(), &update.person.id);
    Ok(shown.map(str::to_owned))
}

/// The effect of an update on the reachability of its chat.
struct Reachability {
    /// The chat could not be reached until now.
    was_unreachable: bool,
    /// The update does not prove that the bot may write in the chat.
    proves_nothing: bool,
}

async fn reachability(
    repository: &Repository,
    update: &Update,
    profile: &ChatProfile,
) -> Result<Reachability, Failure> {
    if !profile.is_unreachable || update.is_by_guest() {
        return Ok(Reachability { was_unreachable: false, proves_nothing: update.is_by_guest() });
    }
    let is_newer = repository.membership_reports().newer_than_reports(update).await?.is_some();
    Ok(Reachability { was_unreachable: is_newer, proves_nothing: !is_newer })
}

/// Reads the rows of an update's sender and chat, and those of the parents of the chat, at the same
/// moment.
async fn read_context_rows(
    repository: &Repository,
    update: &Update,
    request: Option<&Request>,
) -> Result<(ContextRows, Vec<Option<Vec<u8>>>), Failure> {
    let mut reads = context_reads(update, request);
    let context_row_count = reads.len();
    reads.extend(chat_settings::parent_reads(&update.chat.parents));
    let found = repository.read_many(&reads).await?.into_iter().map(|it| it.value());
    let mut found = found.collect::<Result<Vec<_>, _>>()?;
    let parent_rows = found.split_off(context_row_count);
    Ok((ContextRows::from_values(found), parent_rows))
}

impl<'a> RequestContext<'a> {
    /// Reads everything that can be known about an update before its request is examined.
    /// `account`: the account that sent it, if it is known to be linked to another person, or has a
    /// hidden name.
    pub(crate) async fn load(
        repository: &Repository,
        update: &'a Update,
        account: Option<&PersonId>,
        request: Option<&Request>,
    ) -> Result<ContextOutcome<'a>, Failure> {
        let start_ms = repository.time_source().monotonic_ms();
        let (rows, parent_rows) = read_context_rows(repository, update, request).await?;
        let mut person = PersonProfile::decode_rows(rows.person, rows.links.clone());
        let links = StoredRow::read(TypedRowKey::links(&update.person.id), rows.links);
        let mut profile: ChatProfile = parse_json_or_default(rows.chat);
        let Reachability { was_unreachable, proves_nothing } =
            reachability(repository, update, &profile).await?;
        let mut changes = ProfileChanges::default();
        if account.is_none() {
            let known = person.clone();
            update_person_profile(&mut person, &update.person, repository.now_ms());
            // Some platforms report changes of a chat in the name of the bot.
            changes.person = person != known && update.person.kind != PersonKind::Bot;
        }
        // A person is never linked further, even if their row says so.
        if let Some(main) = person.main.take_if(|_| account.is_none()) {
            return Ok(ContextOutcome::Linked(main, changes));
        }
        let shown = shown_name(repository, update, rows.hidden_names).await?;
        if let Some(name) = shown.clone().filter(|it| *it != update.person.name) {
            return Ok(ContextOutcome::Renamed(name, changes));
        }
        // A press on the web page proves nothing about the chat, not even that the bot may write
        // there; nor does an update that was sent before the bot was removed.
        if !proves_nothing {
            let known = profile.clone();
            let account = account.unwrap_or(&update.person.id);
            let speaker_lang = person.lang.or(person.detected_lang);
            update_chat_profile(&mut profile, update, account, speaker_lang);
            changes.chat = profile != known;
        }
        // An update may name fewer parents than the stored profile.
        let are_read = profile.parents == update.chat.parents;
        let parent_read = are_read.then_some(parent_rows);
        let chat_settings =
            repository.profiles().resolve_settings_with(profile, parent_read).await?;
        let now_ms = repository.now_ms();
        let arrived_ms = update.arrival.at_ms().unwrap_or(start_ms);
        let waited_ms = repository.time_source().monotonic_ms().saturating_sub(arrived_ms);
        Ok(ContextOutcome::Ready(RequestContext {
            update,
            account: account.unwrap_or(&update.person.id).clone(),
            person,
            links,
            chat_settings,
            now_ms,
            received_ms: now_ms.saturating_sub(waited_ms.min(UPDATE_WAIT_MAX_MS)),
            started_ms: start_ms,
            profile_changes: changes,
            extra_rows: Vec::new(),
            seat_marks: Vec::new(),
            chosen_clock: None,
            stored_answer: rows.answer.map(|it| parse_json_or_default(Some(it))),
            missing_permissions: rows
                .send_forbidden
                .map(|it| missing_rights(parse_json_or_default(Some(it)))),
            was_unreachable,
            answered_table: rows
                .message
                .map(|it| TableId(String::from_utf8_lossy(&it).into_owned())),
            has_deletion_request: rows.deletion_request.is_some(),
            operator_switches: parse_json_or_default(rows.operator_switches),
            has_hidden_name: shown.is_some(),
            returned_person: None,
            query_results: QueryResults::default(),
            is_refused: false,
            pending_query: None,
        }))
    }

    /// The language of the sender, if they chose one or their client names one.
    pub(crate) fn speaker_lang(&self) -> Option<Lang> {
        self.person.lang.or(self.person.detected_lang)
    }

    /// The sender, as tables know them.
    pub(crate) fn actor(&self) -> Actor {
        let Person { id, name, username, admin, .. } = &self.update.person;
        Actor {
            chat: self.update.chat.id.clone(),
            person: id.clone(),
            name: name.clone(),
            username: username.as_ref().map(|it| self.account_name(it)),
            is_admin: *admin || self.chat_settings.anyone_may_close_tables,
            is_chat_admin: *admin,
            cause: self.update.id.clone(),
            now_ms: self.now_ms,
            received_ms: self.received_ms,
        }
    }

    /// The account name of the sender in the form in which tables compare names.
    pub(crate) fn account_name(&self, username: &str) -> String {
        qualify_username(username, self.account.platform(), self.update.person.id.platform())
    }

    /// The metadata of events that the update causes now.
    pub(crate) fn event_meta(&self) -> EventMeta {
        EventMeta::received_now(self.now_ms, self.update.id.clone())
    }

    /// Replaces the profile of the person by the stored one.
    pub(crate) fn set_person(&mut self, profile: PersonProfile) {
        let LinkedAccounts { main, accounts, link_times } = self.person.linked_accounts();
        self.person = PersonProfile { main, accounts, link_times, ..profile };
    }

    /// How to show content to this person.
    pub(crate) fn display_prefs(&self) -> DisplayPrefs {
        self.person.display_prefs(&self.chat_settings)
    }

    /// The chat in which a table is shown: this one, else its home.
    pub(crate) fn table_chat<'t>(&self, table: &'t Table) -> &'t ChatId {
        let location = table.chats.location_in(&self.update.chat.id).map(|it| it.chat);
        location.unwrap_or_else(|| table.chats.home())
    }

    /// Whether a table is shown in this chat.
    pub(crate) fn is_table_here(&self, table: &Table) -> bool {
        table.chats.location_in(&self.update.chat.id).is_some()
    }

    pub(crate) fn is_press(&self) -> bool {
        matches!(self.update.kind, UpdateKind::Press { .. })
    }

    /// The message whose button was pressed, if the platform provides it.
    pub(crate) fn pressed_message(&self) -> Option<&MessageId> {
        match &self.update.kind {
            UpdateKind::Press { message, .. } => message.as_ref(),
            UpdateKind::Text { .. }
            | UpdateKind::Command { .. }
            | UpdateKind::BotAdded
            | UpdateKind::BotRemoved
            | UpdateKind::MemberLeft { .. }
            | UpdateKind::MembersJoined { .. }
            | UpdateKind::ChatDeleted
            | UpdateKind::ChatMoved { .. } => None,
        }
    }

    /// Whether the pressed button belongs to a board that everybody sees.
    pub(crate) async fn is_board_button_press(
        &self,
        repository: &Repository,
    ) -> Result<bool, Failure> {
        let Some(message) = self.pressed_message() else { return Ok(false) };
        let key = keys::message(&self.update.chat.id, message);
        Ok(repository.read_value(Space::Message, &key).await?.is_some())
    }

    /// The row that marks the update as handled and stores its answer, in the same commit as its
    /// effects.
    pub(crate) fn answer_put(&self, views: &[View], for_ms: u64) -> Put {
        let stored_answer = StoredAnswer { at_ms: self.now_ms, replies: views.to_vec() };
        put_json(Space::Seen, self.update.id.clone(), &stored_answer)
            .expires_at(self.now_ms + for_ms)
    }
}
