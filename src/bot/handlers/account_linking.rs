//! One person with accounts on several platforms: a code from one is given on the other.
//!
//! The account that asks for the code stays the person; the one that gives it counts as that
//! person from then on, at every table. A code lives ten minutes and works once. Whoever gives one
//! is told whose it is and asked back, for it could be somebody else's; whoever asked for it is
//! told where it was used.

use serde::{Deserialize, Serialize};

use super::Handlers;
use super::context::{HandlerResult, RequestContext, brief_note};
use crate::commands::link::AccountLinking;
use crate::parsing::words::LINK_CODE_LENGTH;
use crate::repository::profiles::{LinkedAccounts, PersonProfile};
use crate::repository::stored_rows::{note_put, put_json, remove_row};
use crate::repository::{CommitOutcome, Failure, TableChange, TableGuard, keys};
use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind, TableId};
use caravanserai_games::text::{Arg, Text};
use caravanserai_i18n::has_message_key;
use caravanserai_protocol::ButtonTone;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_store::{Commit, Expect, Put, Space};
use caravanserai_table::event::Event;
use caravanserai_table::{Decision, Table, apply_external_event, locations};

/// How long a code lives, in milliseconds.
const LINK_CODE_TTL_MS: u64 = 10 * 60_000;

/// How often linking is tried when one of its rows changes at the same time.
const LINK_TRIES: usize = 4;

/// What a code stands for.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct LinkCode {
    /// The person.
    person: PersonId,
    /// What people see of them.
    name: String,
    /// Where they are told that it was used, if nobody else reads there.
    place: Option<PlaceId>,
    /// Until when it lives, in milliseconds since 1970.
    until_ms: u64,
    /// The account that has given it: nobody who reads along can use it then.
    given_by: Option<PersonId>,
}

/// A code that was found, and the row it stands in.
struct OfferedLinkCode {
    code: LinkCode,
    key: String,
    row: Vec<u8>,
}

impl Handlers {
    pub(crate) async fn handle_linking(
        &self,
        visit: &mut RequestContext<'_>,
        wish: AccountLinking,
    ) -> HandlerResult {
        match wish {
            AccountLinking::Code => self.create_link_code(visit).await,
            AccountLinking::With { code, sure } => {
                if !self.code_limiter.allow_request(&visit.account) {
                    return Ok(brief_note("refuse-too-fast"));
                }
                self.redeem_link_code(visit, &code, sure).await
            }
            AccountLinking::Apart => {
                for _ in 0..LINK_TRIES {
                    if let Some(notes) = self.unlink_accounts(visit).await? {
                        return Ok(notes);
                    }
                }
                Ok(brief_note("refuse-busy"))
            }
        }
    }

    /// Uses a code: links the accounts, or asks for confirmation first.
    async fn redeem_link_code(
        &self,
        visit: &mut RequestContext<'_>,
        code: &str,
        sure: bool,
    ) -> HandlerResult {
        for _ in 0..LINK_TRIES {
            let given = match self.find_link_code(visit, code).await? {
                Ok(given) => given,
                Err(refusal) => return Ok(vec![View::brief(refusal)]),
            };
            if !sure {
                return self.confirm_link(visit, given, code).await;
            }
            if let Some(notes) = self.link_accounts(visit, given).await? {
                return Ok(notes);
            }
        }
        Ok(brief_note("refuse-busy"))
    }

    /// Gives a new code; an older one of the same person is of no use any more.
    async fn create_link_code(&self, visit: &mut RequestContext<'_>) -> HandlerResult {
        let person = &visit.update.person;
        let word = self.repository.random_letters(LINK_CODE_LENGTH);
        let alone = visit.update.chat.kind == PlaceKind::Private;
        let place = alone.then(|| visit.update.chat.id.clone());
        let until_ms = visit.now_ms + LINK_CODE_TTL_MS;
        let (id, name) = (person.id.clone(), person.name.clone());
        let code = LinkCode { person: id, name, place, until_ms, given_by: None };
        let last = keys::last_link_code(&person.id);
        let before = self.repository.read_value(Space::Meta, &last).await?;
        let mut puts = vec![
            put_json(Space::Meta, keys::link_code(&word), &code).expires_at(until_ms),
            Put::new(Space::Meta, last.clone(), word.clone()).expires_at(until_ms),
        ];
        if let Some(before) = &before {
            let before = String::from_utf8_lossy(before);
            puts.push(remove_row(Space::Meta, keys::link_code(&before)));
        }
        // Of two codes that are given at once only one counts.
        let expect = vec![Expect { space: Space::Meta, key: last, value: before }];
        if self.repository.commit_rows(Commit { expect, ..Commit::from_puts(puts) }).await?
            == CommitOutcome::Conflict
        {
            return Ok(brief_note("refuse-busy"));
        }
        let spelled =
            format!("{}-{}", &word[..LINK_CODE_LENGTH / 2], &word[LINK_CODE_LENGTH / 2..]);
        let mut texts = vec![
            Text::new("answer-link").with("code", spelled),
            Text::new("answer-link-secret").with("minutes", (LINK_CODE_TTL_MS / 60_000) as i64),
        ];
        texts.extend(linked_platforms_text(&visit.person));
        Ok(vec![View { secret: true, ..View::persistent(texts) }])
    }

    /// Asks whether both accounts are theirs. From now on nobody else can use the code.
    async fn confirm_link(
        &self,
        visit: &RequestContext<'_>,
        given: OfferedLinkCode,
        word: &str,
    ) -> HandlerResult {
        let OfferedLinkCode { code, key, row } = given;
        let asked = confirm_link_note(&code, word);
        let until_ms = code.until_ms;
        let claimed = LinkCode { given_by: Some(visit.account.clone()), ..code };
        let commit = Commit {
            expect: vec![Expect::equals(Space::Meta, key.clone(), row)],
            ..Commit::from_puts(vec![put_json(Space::Meta, key, &claimed).expires_at(until_ms)])
        };
        Ok(match self.repository.commit_rows(commit).await? {
            CommitOutcome::Committed => vec![asked],
            CommitOutcome::Conflict => brief_note("refuse-link-code"),
        })
    }

    /// What a code stands for, if this account may give it.
    async fn find_link_code(
        &self,
        visit: &RequestContext<'_>,
        code: &str,
    ) -> Result<Result<OfferedLinkCode, Text>, Failure> {
        let key = keys::link_code(code);
        let row = self.repository.read_value(Space::Meta, &key).await?;
        let read = |row: &Vec<u8>| serde_json::from_slice::<LinkCode>(row).ok();
        let Some((row, code)) = row.and_then(|row| Some((row.clone(), read(&row)?))) else {
            return Ok(Err(Text::new("refuse-link-code")));
        };
        let own = &visit.update.person.id;
        if code.given_by.as_ref().is_some_and(|it| *it != visit.account) {
            return Ok(Err(Text::new("refuse-link-code")));
        }
        if code.person == *own {
            return Ok(Err(Text::new("refuse-link-self")));
        }
        if visit.account != *own {
            return Ok(Err(Text::new("refuse-link-already")));
        }
        let main = self.repository.load_person(&code.person).await?;
        if let Some(refusal) = link_refusal(own, &visit.person, &code.person, &main) {
            return Ok(Err(refusal));
        }
        Ok(Ok(OfferedLinkCode { code, key, row }))
    }

    /// Links the account of the sender with the person who received the code. `None` on conflict:
    /// nothing has changed then.
    async fn link_accounts(
        &self,
        visit: &mut RequestContext<'_>,
        given: OfferedLinkCode,
    ) -> Result<Option<Vec<View>>, Failure> {
        let OfferedLinkCode { code, key, row } = given;
        let account = visit.update.person.id.clone();
        let (own_row, own_links, own) = self.repository.load_stored_person(&account).await?;
        let (main_row, main_links, mut main) =
            self.repository.load_stored_person(&code.person).await?;
        if let Some(refusal) = link_refusal(&account, &own, &code.person, &main) {
            return Ok(Some(vec![View::brief(refusal)]));
        }
        let mut tables = self.lock_tables_naming_account(&account).await?;
        if let Some(both) =
            tables.iter().find(|it| !it.table().can_merge_account_now(&account, &code.person))
        {
            let text = Text::new("refuse-link-table").with("table", &*both.id().0);
            return Ok(Some(vec![View::brief(text)]));
        }
        main.accounts.push(account.clone());
        // Linking ends a vacation, and linked accounts share the days of one person. The account
        // keeps its own days, because it may be unlinked again.
        let mut own = own;
        own.end_vacation(visit.now_ms);
        main.end_vacation(visit.now_ms);
        main.merge_vacations(&own);
        own.main = Some(code.person.clone());
        let expect = vec![Expect::equals(Space::Meta, key.clone(), row)];
        let mut puts = vec![remove_row(Space::Meta, key)];
        puts.extend(code.place.as_ref().map(|place| link_notification(visit, place)));
        let mut commit = Commit { expect, ..Commit::from_puts(puts) };
        own_row.set(&own, &mut commit);
        own_links.set(&own.linked_accounts(), &mut commit);
        main_row.set(&main, &mut commit);
        main_links.set(&main.linked_accounts(), &mut commit);
        let event = Event::AccountsMerged { account: account.clone(), person: code.person.clone() };
        let decisions = self.merge_decisions(visit, &tables, &event)?;
        let deed = |(held, decision)| TableChange { guard: held, decision, answered_seat: None };
        let deeds = tables.iter_mut().zip(decisions).map(deed).collect();
        let notes = vec![View::persistent(vec![
            Text::new("answer-linked")
                .with("name", code.name)
                .with("platform", platform_name(&code.person)),
        ])];
        match self.commit_changes(visit, deeds, commit, &notes).await? {
            CommitOutcome::Committed => {
                visit.person = own;
                drop(tables);
                // A seat may have been taken by the account since its tables were read.
                if let Err(failure) =
                    self.repository.merge_account_at_tables(&account, &code.person).await
                {
                    tracing::error!(%failure, "could not note at all tables that accounts are one");
                }
                visit.returned_person = Some(code.person);
                Ok(Some(notes))
            }
            CommitOutcome::Conflict => self.stored_answer_notes(visit).await,
        }
    }

    /// All open tables at which an account sits.
    pub(crate) async fn lock_tables_of_account(
        &self,
        account: &PersonId,
    ) -> Result<Vec<TableGuard>, Failure> {
        self.lock_tables(self.tables_of(account).await?).await
    }

    /// The same, and those at which it is somebody without sitting there.
    async fn lock_tables_naming_account(
        &self,
        account: &PersonId,
    ) -> Result<Vec<TableGuard>, Failure> {
        let mut ids = self.tables_of(account).await?;
        ids.extend(self.tables_naming(account).await?);
        self.lock_tables(ids).await
    }

    /// These tables, held in the order of their codes: two who do this at once do not wait for
    /// each other.
    async fn lock_tables(&self, mut ids: Vec<TableId>) -> Result<Vec<TableGuard>, Failure> {
        ids.sort_unstable();
        ids.dedup();
        let mut tables = Vec::with_capacity(ids.len());
        for id in ids {
            if self.repository.is_quarantined(&id) {
                continue;
            }
            tables.extend(self.repository.lock_table(&id).await?.filter(|it| it.table().is_open()));
        }
        Ok(tables)
    }

    fn merge_decisions(
        &self,
        visit: &RequestContext<'_>,
        tables: &[TableGuard],
        event: &Event,
    ) -> Result<Vec<Decision>, Failure> {
        let at = |table: &Table| {
            apply_external_event(table, event.clone(), visit.event_meta())
                .map_err(|why| Failure::Damaged(table.id.clone(), why))
        };
        tables.iter().map(|it| at(it.table())).collect()
    }

    /// Each account is a person of its own again. Seats stay with the person who had the code, and
    /// nothing of them is shown in the private chats of the others. `None` on conflict: nothing has
    /// happened then.
    async fn unlink_accounts(
        &self,
        visit: &mut RequestContext<'_>,
    ) -> Result<Option<Vec<View>>, Failure> {
        let main = visit.update.person.id.clone();
        let (row, links, now) = self.repository.load_stored_person(&main).await?;
        let is_main = visit.account == main;
        if now.accounts.is_empty() || !(is_main || now.accounts.contains(&visit.account)) {
            return Ok(Some(brief_note("refuse-not-linked")));
        }
        let (gone, stay) = match is_main {
            true => (now.accounts.clone(), Vec::new()),
            false => now.accounts.iter().cloned().partition(|it| *it == visit.account),
        };
        let mut commit = Commit::default();
        for account in &gone {
            let (row, links, profile) = self.repository.load_stored_person(account).await?;
            let mut parted = PersonProfile { main: None, ..profile };
            // The days that the person has taken are taken for each of their accounts.
            parted.merge_vacations(&now);
            row.set(&parted, &mut commit);
            links.set(&parted.linked_accounts(), &mut commit);
        }
        let apart = PersonProfile { accounts: stay, ..now };
        row.set(&apart, &mut commit);
        links.set(&apart.linked_accounts(), &mut commit);
        let mut tables = self.lock_tables_naming_account(&main).await?;
        let parted = |held: &TableGuard| {
            locations::detach_unlinked_accounts(held.table(), &main, &gone, visit.event_meta())
        };
        let decided: Vec<_> = tables.iter().map(parted).collect();
        let deeds = tables.iter_mut().zip(decided);
        let deeds = deeds
            .filter_map(|(held, decision)| {
                Some(TableChange { guard: held, decision: decision?, answered_seat: None })
            })
            .collect();
        let notes = vec![View::persistent(vec![Text::new("answer-unlinked")])];
        match self.commit_changes(visit, deeds, commit, &notes).await? {
            CommitOutcome::Committed => {
                visit.person = apart;
                Ok(Some(notes))
            }
            CommitOutcome::Conflict => self.stored_answer_notes(visit).await,
        }
    }

    /// The answer of an earlier attempt to handle this update.
    async fn stored_answer_notes(
        &self,
        visit: &RequestContext<'_>,
    ) -> Result<Option<Vec<View>>, Failure> {
        Ok(self.stored_answer(visit.update).await?.map(|it| it.notes))
    }
}

/// Whether a decision gives an account a seat, an invitation or a place at a table.
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

/// Why an account cannot become one with this person.
fn link_refusal(
    account: &PersonId,
    own: &PersonProfile,
    person: &PersonId,
    main: &PersonProfile,
) -> Option<Text> {
    if own.linked_accounts() != LinkedAccounts::default() {
        return Some(Text::new("refuse-link-already"));
    }
    if main.main.is_some() {
        // Whoever was given the code is somebody else themselves by now.
        return Some(Text::new("refuse-link-code"));
    }
    let here = |it: &PersonId| it.platform() == account.platform();
    let both = here(person) || main.accounts.iter().any(here);
    both.then(|| Text::new("refuse-link-platform"))
}

/// What a platform is called.
fn platform_name(person: &PersonId) -> Arg {
    let key = format!("mark-{}", person.platform());
    if has_message_key(&key) {
        Text::new(key).into()
    } else {
        Arg::Plain(person.platform().to_owned())
    }
}

/// On which other platforms somebody is the same person.
fn linked_platforms_text(person: &PersonProfile) -> Option<Text> {
    let all: Vec<Arg> = person.accounts.iter().map(platform_name).collect();
    (!all.is_empty()).then(|| Text::new("answer-link-now").with("platforms", Arg::Names(all)))
}

/// Whose code it is, before anything is done.
fn confirm_link_note(code: &LinkCode, word: &str) -> View {
    let text = Text::new("answer-link-sure")
        .with("name", code.name.as_str())
        .with("platform", platform_name(&code.person));
    let yes = ButtonSpec::new(Text::new("button-link"), format!("0.{word}"))
        .with_tone(ButtonTone::Danger);
    View { keys: vec![vec![yes]], secret: true, ..View::persistent(vec![text]) }
}

/// Who asked for the code is told where it was used.
fn link_notification(visit: &RequestContext<'_>, place: &PlaceId) -> Put {
    let person = &visit.update.person;
    let text = Text::new("answer-link-used")
        .with("name", person.name.as_str())
        .with("platform", platform_name(&person.id));
    note_put(place, &visit.update.id, View::persistent(vec![text]))
}
