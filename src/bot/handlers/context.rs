//! What is known while one update is answered.

use super::external_query::{ExternalQuery, QueryResults};
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
use caravanserai_games::ids::{MessageId, PersonId, PlaceId, TableId};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::View;
use caravanserai_protocol::{Person, Update, UpdateKind};
use caravanserai_store::{Put, Space, StoreQuery};
use caravanserai_table::EventMeta;
use caravanserai_table::command::Actor;
use caravanserai_table::people::qualify_username;
use caravanserai_table::state::Table;

/// What a part of the desk decides: notes for the person who asked.
pub type HandlerResult = Result<Vec<View>, Failure>;

/// A few words.
pub(crate) fn brief_note(key: &'static str) -> Vec<View> {
    vec![View::brief(Text::new(key))]
}

/// One update, who asks and where, and what was read with it in one round trip.
pub struct RequestContext<'a> {
    /// Said by the person behind the account.
    pub(crate) update: &'a Update,
    /// The account by which they spoke.
    pub(crate) account: PersonId,
    pub(crate) person: PersonProfile,
    /// Which accounts are this person, as it was read.
    pub(crate) links: StoredRow<LinkedAccounts>,
    pub(crate) place: ChatSettings,
    /// Milliseconds since 1970.
    pub(crate) now_ms: u64,
    /// When the update was received, in milliseconds since 1970; not later than now.
    pub(crate) received_ms: u64,
    /// When it was heard, by the clock that never jumps.
    pub(crate) started_ms: u64,
    /// What the update says about the person and the place and is not stored yet.
    pub(crate) profile_news: ProfileNews,
    /// Rows to store with the decision.
    pub(crate) extra_rows: Vec<Put>,
    /// The clock that was chosen for a table here, to be the default of the next ones.
    pub(crate) chosen_clock: Option<String>,
    /// What it was answered when it came before.
    pub(crate) stored_answer: Option<StoredAnswer>,
    /// What the bot was not allowed here until now, if it could not write.
    pub(crate) missing_permissions: Option<Vec<Arg>>,
    /// Whether nothing could be sent to this chat until now.
    pub(crate) was_unreachable: bool,
    /// The table of the message that it answers.
    pub(crate) answered_table: Option<TableId>,
    /// The person whose vacation has ended by this update and whose other tables do not know it.
    pub(crate) returned_person: Option<PersonId>,
    /// The answers of engines and networks.
    pub(crate) query_results: QueryResults,
    /// The question for them that has to be answered first.
    pub(crate) pending_query: Option<ExternalQuery>,
}

/// What an update says and is not stored yet.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ProfileNews {
    /// Of the person.
    pub(crate) person: bool,
    /// Of the place.
    pub(crate) place: bool,
}

/// How a visit begins.
#[allow(clippy::large_enum_variant, reason = "it is taken apart at once")]
pub(crate) enum ContextOutcome<'a> {
    /// By whoever spoke.
    Ready(RequestContext<'a>),
    /// By the person behind the account that spoke, and what is new about the account.
    Linked(PersonId, ProfileNews),
}

/// The rows that every visit reads, those of its parents excepted.
fn context_reads(update: &Update, request: Option<&Request>) -> Vec<StoreQuery> {
    let place = &update.chat.id;
    let mut reads = person_reads(&update.person.id).to_vec();
    reads.extend([
        StoreQuery::value_of(Space::Place, place.chat()),
        StoreQuery::value_of(Space::Seen, &*update.id),
        StoreQuery::value_of(Space::Meta, keys::muted(place)),
    ]);
    if let Some(Request::Table { table: TableRef::Message(message), .. }) = request {
        reads.push(StoreQuery::value_of(Space::Message, keys::message(place, message)));
    }
    reads
}

impl<'a> RequestContext<'a> {
    /// Reads everything about an update that can be known before it is looked at closely.
    /// `account`: by which it was said, if that is known not to be the person's own.
    pub(crate) async fn load(
        ledger: &Repository,
        update: &'a Update,
        account: Option<&PersonId>,
        request: Option<&Request>,
    ) -> Result<ContextOutcome<'a>, Failure> {
        let began_ms = ledger.time_source().monotonic_ms();
        let mut reads = context_reads(update, request);
        let rows_of_visit = reads.len();
        reads.extend(chat_settings::parent_reads(&update.chat.parents));
        let found = ledger.read_many(&reads).await?.into_iter().map(|it| it.value());
        let mut found = found.collect::<Result<Vec<_>, _>>()?;
        let rows_of_parents = found.split_off(rows_of_visit);
        let mut found = found.into_iter();
        let mut next = || found.next().flatten();
        let (row, links) = (next(), next());
        let mut person = PersonProfile::decode_rows(row, links.clone());
        let links = StoredRow::read(TypedRowKey::links(&update.person.id), links);
        let mut profile: ChatProfile = parse_json_or_default(next());
        let (answered, mute, answers) = (next(), next(), next());
        let (was_gone, says_nothing) = match profile.gone && !update.is_by_guest() {
            true if ledger.newer_than_reports(update).await?.is_none() => (false, true),
            is_back => (is_back, update.is_by_guest()),
        };
        let mut news = ProfileNews::default();
        if account.is_none() {
            let known = person.clone();
            update_person_profile(&mut person, &update.person);
            news.person = person != known;
        }
        // Nobody is behind a person, whatever their row says.
        if let Some(main) = person.main.take_if(|_| account.is_none()) {
            return Ok(ContextOutcome::Linked(main, news));
        }
        // A press on the page proves nothing about the chat, not even that the bot may write there;
        // nor does what was sent before the bot was removed.
        if !says_nothing {
            let known = profile.clone();
            update_chat_profile(&mut profile, &update.chat, person.lang.or(person.guess));
            news.place = profile != known;
        }
        // An update may name fewer parents than the stored profile.
        let are_read = profile.parents == update.chat.parents;
        let read = are_read.then_some(rows_of_parents);
        let settings = ledger.resolve_settings_with(profile, read).await?;
        let now_ms = ledger.now_ms();
        let came_ms = update.arrival.at_ms().unwrap_or(began_ms);
        let waited_ms = ledger.time_source().monotonic_ms().saturating_sub(came_ms);
        Ok(ContextOutcome::Ready(RequestContext {
            update,
            account: account.unwrap_or(&update.person.id).clone(),
            person,
            links,
            place: settings,
            now_ms,
            received_ms: now_ms.saturating_sub(waited_ms.min(UPDATE_WAIT_MAX_MS)),
            started_ms: began_ms,
            profile_news: news,
            extra_rows: Vec::new(),
            chosen_clock: None,
            stored_answer: answered.map(|it| parse_json_or_default(Some(it))),
            missing_permissions: mute.map(|it| missing_rights(parse_json_or_default(Some(it)))),
            was_unreachable: was_gone,
            answered_table: answers.map(|it| TableId(String::from_utf8_lossy(&it).into_owned())),
            returned_person: None,
            query_results: QueryResults::default(),
            pending_query: None,
        }))
    }

    /// Who asks, as tables know them.
    pub(crate) fn actor(&self) -> Actor {
        let Person { id, name, username, admin, .. } = &self.update.person;
        Actor {
            chat: self.update.chat.id.clone(),
            person: id.clone(),
            name: name.clone(),
            username: username.as_ref().map(|it| self.account_name(it)),
            is_admin: *admin || self.place.all_order,
            cause: self.update.id.clone(),
            now_ms: self.now_ms,
            received_ms: self.received_ms,
        }
    }

    /// The name of the account by which they speak, as tables compare it.
    pub(crate) fn account_name(&self, username: &str) -> String {
        qualify_username(username, self.account.platform(), self.update.person.id.platform())
    }

    /// What is done for them now.
    pub(crate) fn event_meta(&self) -> EventMeta {
        EventMeta::received_now(self.now_ms, self.update.id.clone())
    }

    /// Replaces the profile of the person by the one that was stored.
    pub(crate) fn set_person(&mut self, profile: PersonProfile) {
        let LinkedAccounts { main, accounts } = self.person.linked_accounts();
        self.person = PersonProfile { main, accounts, ..profile };
    }

    /// How to show this person something.
    pub(crate) fn display_prefs(&self) -> DisplayPrefs {
        self.person.display_prefs(&self.place)
    }

    /// Where a table stands that is spoken of here: here if it does, else at home.
    pub(crate) fn table_place<'t>(&self, table: &'t Table) -> &'t PlaceId {
        let here = table.location_in(&self.update.chat.id).map(|it| it.chat);
        here.unwrap_or_else(|| table.home())
    }

    /// Whether a table stands here.
    pub(crate) fn is_table_here(&self, table: &Table) -> bool {
        table.location_in(&self.update.chat.id).is_some()
    }

    pub(crate) fn is_press(&self) -> bool {
        matches!(self.update.kind, UpdateKind::Press { .. })
    }

    /// The message whose button was pressed, if the platform says.
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

    /// Marks the update as seen with the answer it got, in the same commit as what it did.
    pub(crate) fn answer_put(&self, notes: &[View], for_ms: u64) -> Put {
        let answered = StoredAnswer { at_ms: self.now_ms, notes: notes.to_vec() };
        put_json(Space::Seen, self.update.id.clone(), &answered).expires_at(self.now_ms + for_ms)
    }
}
