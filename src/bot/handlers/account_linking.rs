//! Links accounts on several platforms to one person: a code from one account is entered from the
//! other.
//!
//! The account that requests the code remains the person. The account that enters it counts as that
//! person from then on, at every table. A code is valid for ten minutes and works once. Before the
//! accounts are linked, the account that enters the code is shown whose code it is and has to
//! confirm. The account that requested the code is told where it was used.
//!
//! A rated game with other people ends under the account with which it began: an account that plays
//! one does not enter a code. Otherwise its player could hand a loss to another account. It may
//! give a code, because then its seats stay as they are. The same rules apply to an account that
//! gave up its seat in such a game, and so has lost it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::context::{HandlerResult, RequestContext, brief_views};
use super::request_error::RequestError;
use super::request_limiter::RequestLimiter;
use super::table_index::lock_tables_naming_account;
use super::update_committer::UpdateCommitter;
use crate::commands::link::AccountLinking;
use crate::parsing::words::LINK_CODE_LENGTH;
use crate::personal_data::deletion_requests::DeletionRequests;
use crate::repository::outbox_entry::OutboxEntry;
use crate::repository::profiles::{LinkTimes, LinkedAccounts, PersonProfile};
use crate::repository::stored_rows::{put_json, remove_row};
use crate::repository::{
    CommitOutcome, Failure, MINUTE_MS, Repository, TableChange, TableGuard, keys,
};
use caravanserai_games::ids::{ChatId, ChatKind, PersonId, TableId};
use caravanserai_games::text::{Arg, Text};
use caravanserai_i18n::has_message_key;
use caravanserai_protocol::ButtonTone;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_store::{Commit, Expect, Put, Space};
use caravanserai_table::event::Event;
use caravanserai_table::{Decision, Table, apply_external_event, chat_commands};

/// The lifetime of a code, in milliseconds.
const LINK_CODE_TTL_MS: u64 = 10 * MINUTE_MS;

/// The attempts to link accounts when one of the rows changes concurrently.
const LINK_TRIES: usize = 4;

/// The stored row of a code.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct LinkCode {
    /// The person who requested it.
    person: PersonId,
    /// Their name.
    name: String,
    /// The private chat that is notified when the code is used, if it was requested in private.
    #[serde(rename = "place")]
    chat: Option<ChatId>,
    /// When it expires, in milliseconds since 1970.
    until_ms: u64,
    /// The account that has entered it; after that no other account can use it.
    given_by: Option<PersonId>,
}

/// A code that was found, and its row.
struct StoredLinkCode {
    code: LinkCode,
    key: String,
    row: Vec<u8>,
}

/// Links accounts to one person and separates them again.
pub(crate) struct AccountLinker {
    repository: Arc<Repository>,
    committer: Arc<UpdateCommitter>,
    code_limiter: Arc<RequestLimiter>,
}

impl AccountLinker {
    pub(crate) fn new(
        repository: Arc<Repository>,
        committer: Arc<UpdateCommitter>,
        code_limiter: Arc<RequestLimiter>,
    ) -> Self {
        Self { repository, committer, code_limiter }
    }

    /// Handles a request to link or to separate accounts.
    pub(crate) async fn handle_linking(
        &self,
        context: &mut RequestContext<'_>,
        request: AccountLinking,
    ) -> HandlerResult {
        match request {
            AccountLinking::Code => self.create_link_code(context).await,
            AccountLinking::With { code, sure } => {
                if !self.code_limiter.allow_request(&context.account) {
                    return Ok(brief_views("refuse-too-fast"));
                }
                self.redeem_link_code(context, &code, sure).await
            }
            AccountLinking::Apart => {
                for _ in 0..LINK_TRIES {
                    if let Some(views) = self.unlink_accounts(context).await? {
                        return Ok(views);
                    }
                }
                Ok(brief_views("refuse-busy"))
            }
        }
    }

    /// Uses a code: links the accounts, or asks for confirmation first.
    async fn redeem_link_code(
        &self,
        context: &mut RequestContext<'_>,
        code: &str,
        sure: bool,
    ) -> HandlerResult {
        for _ in 0..LINK_TRIES {
            let offered = self.find_link_code(context, code).await?;
            if !sure {
                let account = &context.update.person.id;
                let tables = lock_tables_naming_account(&self.repository, account).await?;
                if let Some(refusal) = rated_game_refusal(&tables, account) {
                    return Ok(vec![refusal]);
                }
                drop(tables);
                return self.confirm_link(context, offered, code).await;
            }
            if let Some(views) = self.link_accounts(context, offered).await? {
                return Ok(views);
            }
        }
        Ok(brief_views("refuse-busy"))
    }

    /// Creates a code and invalidates an older one of the same person.
    async fn create_link_code(&self, context: &mut RequestContext<'_>) -> HandlerResult {
        let person = &context.update.person;
        let code_text = self.repository.random_letters(LINK_CODE_LENGTH);
        let is_private = context.update.chat.kind == ChatKind::Private;
        let chat = is_private.then(|| context.update.chat.id.clone());
        let until_ms = context.now_ms + LINK_CODE_TTL_MS;
        let id = person.id.clone();
        let name = person.name.clone();
        let code = LinkCode { person: id, name, chat, until_ms, given_by: None };
        let last = keys::last_link_code(&person.id);
        let before = self.repository.read_value(Space::Meta, &last).await?;
        let mut puts = vec![
            put_json(Space::Meta, keys::link_code(&code_text), &code).expires_at(until_ms),
            Put::new(Space::Meta, last.clone(), code_text.clone()).expires_at(until_ms),
        ];
        if let Some(before) = &before {
            let before = String::from_utf8_lossy(before);
            puts.push(remove_row(Space::Meta, keys::link_code(&before)));
        }
        // Of two concurrent requests only one gets a valid code.
        let expect = vec![Expect { space: Space::Meta, key: last, value: before }];
        if self.repository.commit_rows(Commit { expect, ..Commit::from_puts(puts) }).await?
            == CommitOutcome::Conflict
        {
            return Ok(brief_views("refuse-busy"));
        }
        let formatted_code = format!(
            "{}-{}",
            &code_text[..LINK_CODE_LENGTH / 2],
            &code_text[LINK_CODE_LENGTH / 2..]
        );
        let mut texts = vec![
            Text::new("answer-link").with("code", formatted_code),
            Text::new("answer-link-secret").with("minutes", (LINK_CODE_TTL_MS / MINUTE_MS) as i64),
        ];
        texts.extend(linked_platforms_text(&context.person));
        Ok(vec![View { secret: true, ..View::persistent(texts) }])
    }

    /// Asks whether both accounts belong to the same person. From then on no other account can use
    /// the code.
    async fn confirm_link(
        &self,
        context: &RequestContext<'_>,
        offered: StoredLinkCode,
        code_text: &str,
    ) -> HandlerResult {
        let StoredLinkCode { code, key, row } = offered;
        let confirmation = confirm_link_view(&code, code_text);
        let until_ms = code.until_ms;
        let claimed = LinkCode { given_by: Some(context.account.clone()), ..code };
        let commit = Commit {
            expect: vec![Expect::equals(Space::Meta, key.clone(), row)],
            ..Commit::from_puts(vec![put_json(Space::Meta, key, &claimed).expires_at(until_ms)])
        };
        Ok(match self.repository.commit_rows(commit).await? {
            CommitOutcome::Committed => vec![confirmation],
            CommitOutcome::Conflict => brief_views("refuse-link-code"),
        })
    }

    /// The stored code, if this account may enter it.
    async fn find_link_code(
        &self,
        context: &RequestContext<'_>,
        code: &str,
    ) -> Result<StoredLinkCode, RequestError<Text>> {
        let refuse = |key| Err(RequestError::Refused(Text::new(key)));
        let key = keys::link_code(code);
        let row = self.repository.read_value(Space::Meta, &key).await?;
        let read = |row: &Vec<u8>| serde_json::from_slice::<LinkCode>(row).ok();
        let Some((row, code)) = row.and_then(|row| Some((row.clone(), read(&row)?))) else {
            return refuse("refuse-link-code");
        };
        let sender = &context.update.person.id;
        if code.given_by.as_ref().is_some_and(|it| *it != context.account) {
            return refuse("refuse-link-code");
        }
        if code.person == *sender {
            return refuse("refuse-link-self");
        }
        if context.account != *sender {
            return refuse("refuse-link-already");
        }
        let main = self.repository.profiles().load_person(&code.person).await?;
        if let Some(refusal) = link_refusal(sender, &context.person, &code.person, &main) {
            return Err(RequestError::Refused(refusal));
        }
        Ok(StoredLinkCode { code, key, row })
    }

    /// Links the account of the sender with the person who received the code. Returns `None` on
    /// conflict: then nothing has changed.
    async fn link_accounts(
        &self,
        context: &mut RequestContext<'_>,
        offered: StoredLinkCode,
    ) -> Result<Option<Vec<View>>, Failure> {
        let StoredLinkCode { code, key, row } = offered;
        let account = context.update.person.id.clone();
        let (account_row, account_links, account_profile) =
            self.repository.profiles().load_stored_person(&account).await?;
        let (main_row, main_links, mut main) =
            self.repository.profiles().load_stored_person(&code.person).await?;
        if let Some(refusal) = link_refusal(&account, &account_profile, &code.person, &main) {
            return Ok(Some(vec![View::brief(refusal)]));
        }
        let mut commit = Commit::from_puts(vec![remove_row(Space::Meta, key.clone())]);
        commit.expect.push(Expect::equals(Space::Meta, key, row));
        let both = [&account, &code.person];
        if let Some(refusal) = self.deletion_refusal(&both, &mut commit).await? {
            return Ok(Some(vec![View::brief(refusal)]));
        }
        main.accounts.push(account.clone());
        let all: Vec<PersonId> =
            std::iter::once(&code.person).chain(&main.accounts).cloned().collect();
        if !self.repository.share_hidden_names(&all, &mut commit).await? {
            return Ok(Some(brief_views("refuse-link-hidden")));
        }
        self.require_no_new_seat(&account, &mut commit).await?;
        let mut tables = lock_tables_naming_account(&self.repository, &account).await?;
        if let Some(refusal) = table_refusal(&tables, &account, &code.person) {
            return Ok(Some(vec![refusal]));
        }
        // Linking ends a vacation, and linked accounts share the days of one person. The account
        // keeps its own days, because it may be unlinked again.
        let mut account_profile = account_profile;
        account_profile.end_vacation(context.now_ms);
        main.end_vacation(context.now_ms);
        main.merge_vacations(&account_profile);
        account_profile.main = Some(code.person.clone());
        commit.puts.extend(code.chat.as_ref().map(|chat| link_notification(context, chat)));
        account_profile.link_times =
            self.request_ratings_of_link(both, context.now_ms, &mut commit).await?;
        if let Some(ended) = self.repository.block_ended_by_link(&code.person, &account).await? {
            commit.puts.push(ended.removal);
            account_profile.link_times.linked_ms = ended.linked_ms;
        }
        account_row.set(&account_profile, &mut commit);
        account_links.set(&account_profile.linked_accounts(), &mut commit);
        main_row.set(&main, &mut commit);
        main_links.set(&main.linked_accounts(), &mut commit);
        let event = Event::AccountsMerged { account: account.clone(), person: code.person.clone() };
        let decisions = merge_decisions(context, &tables, &event)?;
        let change = |(guard, decision)| TableChange::new(guard, decision);
        let changes = tables.iter_mut().zip(decisions).map(change).collect();
        let views = vec![View::persistent(vec![
            Text::new("answer-linked")
                .with("name", code.name)
                .with("platform", platform_name(&code.person)),
        ])];
        match self.committer.commit_changes(context, changes, commit, &views).await? {
            CommitOutcome::Committed => {
                context.person = account_profile;
                drop(tables);
                self.merge_at_remaining_tables(&account, &code.person).await;
                context.returned_person = Some(code.person);
                Ok(Some(views))
            }
            CommitOutcome::Conflict => self.stored_answer_views(context).await,
        }
    }

    /// The refusal if one of these people will be deleted: what was asked for all their accounts
    /// must stay clear. Adds to the commit the conditions that this does not change.
    async fn deletion_refusal(
        &self,
        people: &[&PersonId],
        commit: &mut Commit,
    ) -> Result<Option<Text>, Failure> {
        for person in people {
            let key = keys::deletion_request(person);
            if self.repository.read_value(Space::Meta, &key).await?.is_some() {
                return Ok(Some(Text::new("refuse-link-deleting")));
            }
            commit.expect.push(Expect::absent(Space::Meta, key));
        }
        Ok(None)
    }

    /// Adds to a commit the condition that the account gets no seat from now on: its tables are
    /// read after this.
    async fn require_no_new_seat(
        &self,
        account: &PersonId,
        commit: &mut Commit,
    ) -> Result<(), Failure> {
        let key = keys::seat_mark(account);
        let value = self.repository.read_value(Space::Meta, &key).await?;
        commit.expect.push(Expect { space: Space::Meta, key, value });
        Ok(())
    }

    /// Requests new ratings for the games of an account and the person with whom it is linked now,
    /// and returns the times of the link.
    async fn request_ratings_of_link(
        &self,
        [account, person]: [&PersonId; 2],
        now_ms: u64,
        commit: &mut Commit,
    ) -> Result<LinkTimes, Failure> {
        let results = self.repository.results();
        let first_game_ms = results.first_game_ms(&[account, person]).await?;
        if let Some(from_ms) = first_game_ms {
            commit.puts.extend(results.recompute_puts(account, from_ms).await?);
        }
        Ok(LinkTimes { linked_ms: now_ms, first_game_ms: first_game_ms.unwrap_or(now_ms) })
    }

    /// Merges a linked account at tables where another person has given it a seat at the same
    /// moment.
    async fn merge_at_remaining_tables(&self, account: &PersonId, person: &PersonId) {
        let events = self.repository.external_events();
        if let Err(failure) = events.merge_account_at_tables(account, person).await {
            tracing::error!(%failure, "failed to merge linked accounts at all tables");
        }
    }

    /// Makes each account a separate person again. Seats stay with the person who requested the
    /// code, and the private chats of the other accounts no longer show the tables. Returns `None`
    /// on conflict: then nothing has changed.
    async fn unlink_accounts(
        &self,
        context: &mut RequestContext<'_>,
    ) -> Result<Option<Vec<View>>, Failure> {
        let main_id = context.update.person.id.clone();
        let (row, links, profile_now) =
            self.repository.profiles().load_stored_person(&main_id).await?;
        let is_main = context.account == main_id;
        if profile_now.accounts.is_empty()
            || !(is_main || profile_now.accounts.contains(&context.account))
        {
            return Ok(Some(brief_views("refuse-not-linked")));
        }
        let (removed, remaining) = match is_main {
            true => (profile_now.accounts.clone(), Vec::new()),
            false => profile_now.accounts.iter().cloned().partition(|it| *it == context.account),
        };
        let mut commit = Commit::default();
        if let Some(refusal) = self.deletion_refusal(&[&main_id], &mut commit).await? {
            return Ok(Some(vec![View::brief(refusal)]));
        }
        let profiles = self.repository.profiles();
        if !is_main && profile_now.is_gone && profiles.are_all_gone(&remaining).await? {
            // Seats, ratings and games would stay with nobody who can act.
            let refusal = Text::new("refuse-unlink-gone").with("platform", platform_name(&main_id));
            return Ok(Some(vec![View::persistent(vec![refusal])]));
        }
        let results = self.repository.results();
        // Games between accounts of one person are in no record, so the first may be earlier.
        let mut from_ms = results.first_game_ms(&[&main_id]).await?.unwrap_or(context.now_ms);
        let mut linked = Vec::new();
        for account in &removed {
            let LinkTimes { linked_ms, first_game_ms: first_ms } =
                self.separate_account(account, &profile_now, &mut commit).await?;
            linked.push((account, linked_ms));
            from_ms = from_ms.min(first_ms);
        }
        commit.puts.extend(results.recompute_puts(&main_id, from_ms).await?);
        let main_profile = PersonProfile { accounts: remaining, ..profile_now };
        row.set(&main_profile, &mut commit);
        links.set(&main_profile.linked_accounts(), &mut commit);
        let mut tables = lock_tables_naming_account(&self.repository, &main_id).await?;
        let detach = |guard: &TableGuard| {
            chat_commands::detach_unlinked_accounts(
                guard.table(),
                &main_id,
                &removed,
                context.event_meta(),
            )
        };
        let decisions: Vec<_> = tables.iter().map(detach).collect();
        if let Some(table) = rated_game_handed_over(&tables, &decisions, &main_id) {
            let refusal = Text::new("refuse-unlink-rated").with("table", &*table.0);
            return Ok(Some(vec![View::persistent(vec![refusal])]));
        }
        let blocks = self.unlinked_block_puts(&main_id, &linked, &tables).await?;
        let views = vec![View::persistent(unlinked_texts(&blocks))];
        commit.puts.extend(blocks);
        let changes = tables.iter_mut().zip(decisions);
        let changes = changes
            .filter_map(|(guard, decision)| Some(TableChange::new(guard, decision?)))
            .collect();
        match self.committer.commit_changes(context, changes, commit, &views).await? {
            CommitOutcome::Committed => {
                context.person = main_profile;
                Ok(Some(views))
            }
            CommitOutcome::Conflict => self.stored_answer_views(context).await,
        }
    }

    /// Adds to a commit that an account of this person is a separate person again. Returns the
    /// times of the link.
    async fn separate_account(
        &self,
        account: &PersonId,
        main: &PersonProfile,
        commit: &mut Commit,
    ) -> Result<LinkTimes, Failure> {
        let (row, links, profile) = self.repository.profiles().load_stored_person(account).await?;
        if profile.is_gone {
            // Nobody can act as it to ask for that.
            DeletionRequests::new(&self.repository).add_report(account, commit).await?;
        }
        let times = profile.link_times;
        let link_times = LinkTimes::default();
        let mut unlinked = PersonProfile { main: None, link_times, ..profile };
        // The vacation days that the person has used count for each of their accounts.
        unlinked.merge_vacations(main);
        row.set(&unlinked, commit);
        links.set(&unlinked.linked_accounts(), commit);
        Ok(times)
    }

    /// The rows that block ratings for those of the unlinked accounts, each with the time when it
    /// was linked, whose person has played for ratings since, or does so now: these games stay with
    /// the main account.
    async fn unlinked_block_puts(
        &self,
        main_id: &PersonId,
        unlinked: &[(&PersonId, u64)],
        tables: &[TableGuard],
    ) -> Result<Vec<Put>, Failure> {
        let is_playing = tables.iter().any(|it| it.table().is_in_rated_game(main_id));
        let last_ms = self.repository.results().last_rated_game_ms(main_id).await?;
        let has_played = |linked_ms: u64| is_playing || last_ms.is_some_and(|it| it > linked_ms);
        let blocked = unlinked.iter().filter(|it| has_played(it.1)).copied();
        self.repository.unlinked_block_puts(main_id, blocked).await
    }

    /// The answer of an earlier attempt to handle this update.
    async fn stored_answer_views(
        &self,
        context: &RequestContext<'_>,
    ) -> Result<Option<Vec<View>>, Failure> {
        Ok(self.committer.stored_answer(context.update).await?.map(|it| it.replies))
    }
}

/// Says that accounts are no longer linked, and which games do not count, if these rows block
/// ratings.
fn unlinked_texts(blocks: &[Put]) -> Vec<Text> {
    let until_ms = blocks.iter().filter_map(|it| it.expires_ms).max();
    let unrated =
        until_ms.map(|it| Text::new("answer-unlinked-unrated").with("time", Arg::time(it)));
    [Text::new("answer-unlinked")].into_iter().chain(unrated).collect()
}

/// The decisions that merge an account into a person at these tables.
fn merge_decisions(
    context: &RequestContext<'_>,
    tables: &[TableGuard],
    event: &Event,
) -> Result<Vec<Decision>, Failure> {
    let at = |table: &Table| {
        apply_external_event(table, event.clone(), context.event_meta())
            .map_err(|why| Failure::Damaged(table.id.clone(), why))
    };
    tables.iter().map(|it| at(it.table())).collect()
}

/// Whether a decision gives an account a seat, an invitation or a chat at a table.
pub(crate) fn names_people(decision: &Decision) -> bool {
    let names = |it: &Event| {
        matches!(
            it,
            Event::Opened(_)
                | Event::Seated { .. }
                | Event::InviteeIdentified { .. }
                | Event::SubstituteProposed { .. }
                | Event::SubstituteAgreed { .. }
                | Event::SeatReplaced { .. }
                | Event::Attached(_)
        )
    };
    decision.events().any(names)
}

/// The refusal if one of these tables, which name an account, does not let it become this person.
fn table_refusal(tables: &[TableGuard], account: &PersonId, person: &PersonId) -> Option<View> {
    let cannot_merge = |it: &&TableGuard| !it.table().can_merge_account_now(account, person);
    let Some(blocking) = tables.iter().find(cannot_merge) else {
        return rated_game_refusal(tables, account);
    };
    Some(View::brief(Text::new("refuse-link-table").with("table", &*blocking.id().0)))
}

/// The refusal if an account plays a rated game at one of these tables, or has left one there.
fn rated_game_refusal(tables: &[TableGuard], account: &PersonId) -> Option<View> {
    let rated = tables.iter().find(|it| it.table().is_in_rated_game(account))?;
    let key = match rated.table().has_lost_by_leaving(account) {
        true => "refuse-link-left",
        false => "refuse-link-rated",
    };
    let text = Text::new(key).with("table", &*rated.id().0);
    Some(View { secret: true, ..View::persistent(vec![text]) })
}

/// The reason why an account cannot be linked with this person.
fn link_refusal(
    account: &PersonId,
    account_profile: &PersonProfile,
    person: &PersonId,
    main: &PersonProfile,
) -> Option<Text> {
    if account_profile.linked_accounts() != LinkedAccounts::default() {
        return Some(Text::new("refuse-link-already"));
    }
    if main.main.is_some() {
        // The person who received the code is an account of another person by now.
        return Some(Text::new("refuse-link-code"));
    }
    let is_same_platform = |it: &PersonId| it.platform() == account.platform();
    let is_duplicate = is_same_platform(person) || main.accounts.iter().any(is_same_platform);
    is_duplicate.then(|| Text::new("refuse-link-platform"))
}

/// The name of a platform.
fn platform_name(person: &PersonId) -> Arg {
    let key = format!("mark-{}", person.platform());
    if has_message_key(&key) {
        Text::new(key).into()
    } else {
        Arg::Plain(person.platform().to_owned())
    }
}

/// The list of the other platforms on which the person is linked.
fn linked_platforms_text(person: &PersonProfile) -> Option<Text> {
    let all: Vec<Arg> = person.accounts.iter().map(platform_name).collect();
    (!all.is_empty()).then(|| Text::new("answer-link-now").with("platforms", Arg::Names(all)))
}

/// Asks for confirmation and shows whose code it is.
fn confirm_link_view(code: &LinkCode, code_text: &str) -> View {
    let text = Text::new("answer-link-sure")
        .with("name", code.name.as_str())
        .with("platform", platform_name(&code.person));
    let yes = ButtonSpec::new(Text::new("button-link"), format!("0.{code_text}"))
        .with_tone(ButtonTone::Danger);
    View { button_rows: vec![vec![yes]], secret: true, ..View::persistent(vec![text]) }
}

/// Tells the person who requested the code where it was used.
fn link_notification(context: &RequestContext<'_>, chat: &ChatId) -> Put {
    let person = &context.update.person;
    let text = Text::new("answer-link-used")
        .with("name", person.name.as_str())
        .with("platform", platform_name(&person.id));
    let view = View::persistent(vec![text]);
    OutboxEntry::post(chat, &context.update.id, view).encode()
}

/// The table of a rated game whose seat would pass from this person to another account: a loss
/// would count for that account.
fn rated_game_handed_over(
    tables: &[TableGuard],
    decisions: &[Option<Decision>],
    person: &PersonId,
) -> Option<TableId> {
    let passes_seat =
        |it: &Decision| it.events().any(|event| matches!(event, Event::AccountsMerged { .. }));
    let mut rated = tables.iter().zip(decisions).filter(|(guard, decision)| {
        decision.as_ref().is_some_and(passes_seat) && guard.table().is_in_rated_game(person)
    });
    rated.next().map(|(guard, _)| guard.id().clone())
}
