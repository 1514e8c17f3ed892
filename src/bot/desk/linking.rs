//! One person with accounts on several platforms: a code from one is given on the other.
//!
//! The account that asks for the code stays the person; the one that gives it counts as that
//! person from then on, at every table. A code lives ten minutes and works once. Whoever gives one
//! is told whose it is and asked back, for it could be somebody else's; whoever asked for it is
//! told where it was used.

use serde::{Deserialize, Serialize};

use super::Desk;
use super::visit::{Notes, Visit, brief};
use crate::ledger::profiles::{Links, PersonProfile};
use crate::ledger::rows::{cut, note_put, put};
use crate::ledger::{Deed, Entered, Failure, Held, keys};
use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind, TableId};
use caravanserai_games::words::{Arg, Text};
use caravanserai_i18n::is_said;
use caravanserai_protocol::Tone;
use caravanserai_protocol::note::{Key, Note};
use caravanserai_protocol::request::{LINK_LENGTH, Linking};
use caravanserai_store::{Commit, Expect, Put, Space};
use caravanserai_table::event::Event;
use caravanserai_table::{Decision, Table, happening, places};

/// How long a code lives, in milliseconds.
const CODE_MS: u64 = 10 * 60_000;

/// How often linking is tried when one of its rows changes at the same time.
const TRIES: usize = 4;

/// What a code stands for.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Code {
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
struct Given {
    code: Code,
    key: String,
    row: Vec<u8>,
}

impl Desk {
    pub(super) async fn linking(&self, visit: &mut Visit<'_>, wish: Linking) -> Notes {
        match wish {
            Linking::Code => self.link_code(visit).await,
            Linking::With { code, sure } => {
                if !self.codes.allows(&visit.account) {
                    return Ok(brief("refuse-too-fast"));
                }
                self.use_code(visit, &code, sure).await
            }
            Linking::Apart => {
                for _ in 0..TRIES {
                    if let Some(notes) = self.unlink(visit).await? {
                        return Ok(notes);
                    }
                }
                Ok(brief("refuse-busy"))
            }
        }
    }

    /// Uses a code: links the accounts, or asks for confirmation first.
    async fn use_code(&self, visit: &mut Visit<'_>, code: &str, sure: bool) -> Notes {
        for _ in 0..TRIES {
            let given = match self.given(visit, code).await? {
                Ok(given) => given,
                Err(refusal) => return Ok(vec![Note::brief(refusal)]),
            };
            if !sure {
                return self.ask_back(visit, given, code).await;
            }
            if let Some(notes) = self.link(visit, given).await? {
                return Ok(notes);
            }
        }
        Ok(brief("refuse-busy"))
    }

    /// Gives a new code; an older one of the same person is of no use any more.
    async fn link_code(&self, visit: &mut Visit<'_>) -> Notes {
        let person = &visit.update.person;
        let word = self.ledger.word(LINK_LENGTH);
        let alone = visit.update.place.kind == PlaceKind::Private;
        let place = alone.then(|| visit.update.place.id.clone());
        let until_ms = visit.now_ms + CODE_MS;
        let (id, name) = (person.id.clone(), person.name.clone());
        let code = Code { person: id, name, place, until_ms, given_by: None };
        let last = keys::linking_of(&person.id);
        let before = self.ledger.value(Space::Meta, &last).await?;
        let mut puts = vec![
            put(Space::Meta, keys::linking(&word), &code).until(until_ms),
            Put::new(Space::Meta, last.clone(), word.clone()).until(until_ms),
        ];
        if let Some(before) = &before {
            let before = String::from_utf8_lossy(before);
            puts.push(cut(Space::Meta, keys::linking(&before)));
        }
        // Of two codes that are given at once only one counts.
        let expect = vec![Expect { space: Space::Meta, key: last, value: before }];
        if self.ledger.commit(Commit { expect, ..Commit::of(puts) }).await? == Entered::Conflict {
            return Ok(brief("refuse-busy"));
        }
        let spelled = format!("{}-{}", &word[..LINK_LENGTH / 2], &word[LINK_LENGTH / 2..]);
        let mut texts = vec![
            Text::new("answer-link").with("code", spelled),
            Text::new("answer-link-secret").with("minutes", (CODE_MS / 60_000) as i64),
        ];
        texts.extend(linked(&visit.person));
        Ok(vec![Note { secret: true, ..Note::lasting(texts) }])
    }

    /// Asks whether both accounts are theirs. From now on nobody else can use the code.
    async fn ask_back(&self, visit: &Visit<'_>, given: Given, word: &str) -> Notes {
        let Given { code, key, row } = given;
        let asked = asked_back(&code, word);
        let until_ms = code.until_ms;
        let claimed = Code { given_by: Some(visit.account.clone()), ..code };
        let commit = Commit {
            expect: vec![Expect::equal(Space::Meta, key.clone(), row)],
            ..Commit::of(vec![put(Space::Meta, key, &claimed).until(until_ms)])
        };
        Ok(match self.ledger.commit(commit).await? {
            Entered::Done => vec![asked],
            Entered::Conflict => brief("refuse-link-code"),
        })
    }

    /// What a code stands for, if this account may give it.
    async fn given(&self, visit: &Visit<'_>, code: &str) -> Result<Result<Given, Text>, Failure> {
        let key = keys::linking(code);
        let row = self.ledger.value(Space::Meta, &key).await?;
        let read = |row: &Vec<u8>| serde_json::from_slice::<Code>(row).ok();
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
        let main = self.ledger.person(&code.person).await?;
        if let Some(refusal) = refused(own, &visit.person, &code.person, &main) {
            return Ok(Err(refusal));
        }
        Ok(Ok(Given { code, key, row }))
    }

    /// Links the account of the sender with the person who received the code. `None` on conflict:
    /// nothing has changed then.
    async fn link(
        &self,
        visit: &mut Visit<'_>,
        given: Given,
    ) -> Result<Option<Vec<Note>>, Failure> {
        let Given { code, key, row } = given;
        let account = visit.update.person.id.clone();
        let (own_row, own_links, own) = self.ledger.stored_person(&account).await?;
        let (main_row, main_links, mut main) = self.ledger.stored_person(&code.person).await?;
        if let Some(refusal) = refused(&account, &own, &code.person, &main) {
            return Ok(Some(vec![Note::brief(refusal)]));
        }
        let mut tables = self.held_where_named(&account).await?;
        if let Some(both) = tables.iter().find(|it| !it.table().may_become(&account, &code.person))
        {
            let text = Text::new("refuse-link-table").with("table", &*both.id().0);
            return Ok(Some(vec![Note::brief(text)]));
        }
        main.accounts.push(account.clone());
        // Linking ends a vacation, and linked accounts share the days of one person. The account
        // keeps its own days, because it may be unlinked again.
        let mut own = own;
        own.come_home(visit.now_ms);
        main.come_home(visit.now_ms);
        main.share_vacations(&own);
        own.main = Some(code.person.clone());
        let expect = vec![Expect::equal(Space::Meta, key.clone(), row)];
        let mut puts = vec![cut(Space::Meta, key)];
        puts.extend(code.place.as_ref().map(|place| told_elsewhere(visit, place)));
        let mut commit = Commit { expect, ..Commit::of(puts) };
        own_row.set(&own, &mut commit);
        own_links.set(&own.links(), &mut commit);
        main_row.set(&main, &mut commit);
        main_links.set(&main.links(), &mut commit);
        let event = Event::Same { account: account.clone(), person: code.person.clone() };
        let decisions = self.same_everywhere(visit, &tables, &event)?;
        let deed = |(held, decision)| Deed { held, decision, answered: None };
        let deeds = tables.iter_mut().zip(decisions).map(deed).collect();
        let notes = vec![Note::lasting(vec![
            Text::new("answer-linked")
                .with("name", code.name)
                .with("platform", named(&code.person)),
        ])];
        match self.enter(visit, deeds, commit, &notes).await? {
            Entered::Done => {
                visit.person = own;
                drop(tables);
                // A seat may have been taken by the account since its tables were read.
                if let Err(failure) = self.ledger.same_person(&account, &code.person).await {
                    tracing::error!(%failure, "could not note at all tables that accounts are one");
                }
                visit.came_home = Some(code.person);
                Ok(Some(notes))
            }
            Entered::Conflict => self.earlier_answer(visit).await,
        }
    }

    /// All open tables at which an account sits.
    pub(super) async fn held_by(&self, account: &PersonId) -> Result<Vec<Held>, Failure> {
        self.held(self.tables_of(account).await?).await
    }

    /// The same, and those at which it is somebody without sitting there.
    async fn held_where_named(&self, account: &PersonId) -> Result<Vec<Held>, Failure> {
        let mut ids = self.tables_of(account).await?;
        ids.extend(self.tables_that_name(account).await?);
        self.held(ids).await
    }

    /// These tables, held in the order of their codes: two who do this at once do not wait for
    /// each other.
    async fn held(&self, mut ids: Vec<TableId>) -> Result<Vec<Held>, Failure> {
        ids.sort_unstable();
        ids.dedup();
        let mut tables = Vec::with_capacity(ids.len());
        for id in ids {
            if self.ledger.is_set_aside(&id) {
                continue;
            }
            tables.extend(self.ledger.hold(&id).await?.filter(|it| it.table().is_open()));
        }
        Ok(tables)
    }

    fn same_everywhere(
        &self,
        visit: &Visit<'_>,
        tables: &[Held],
        event: &Event,
    ) -> Result<Vec<Decision>, Failure> {
        let at = |table: &Table| {
            happening(table, event.clone(), visit.stamp())
                .map_err(|why| Failure::Damaged(table.id.clone(), why))
        };
        tables.iter().map(|it| at(it.table())).collect()
    }

    /// Each account is a person of its own again. Seats stay with the person who had the code, and
    /// nothing of them is shown in the private chats of the others. `None` on conflict: nothing has
    /// happened then.
    async fn unlink(&self, visit: &mut Visit<'_>) -> Result<Option<Vec<Note>>, Failure> {
        let main = visit.update.person.id.clone();
        let (row, links, now) = self.ledger.stored_person(&main).await?;
        let is_main = visit.account == main;
        if now.accounts.is_empty() || !(is_main || now.accounts.contains(&visit.account)) {
            return Ok(Some(brief("refuse-not-linked")));
        }
        let (gone, stay) = match is_main {
            true => (now.accounts.clone(), Vec::new()),
            false => now.accounts.iter().cloned().partition(|it| *it == visit.account),
        };
        let mut commit = Commit::default();
        for account in &gone {
            let (row, links, profile) = self.ledger.stored_person(account).await?;
            let mut parted = PersonProfile { main: None, ..profile };
            // The days that the person has taken are taken for each of their accounts.
            parted.share_vacations(&now);
            row.set(&parted, &mut commit);
            links.set(&parted.links(), &mut commit);
        }
        let apart = PersonProfile { accounts: stay, ..now };
        row.set(&apart, &mut commit);
        links.set(&apart.links(), &mut commit);
        let mut tables = self.held_where_named(&main).await?;
        let parted = |held: &Held| places::parted(held.table(), &main, &gone, visit.stamp());
        let decided: Vec<_> = tables.iter().map(parted).collect();
        let deeds = tables.iter_mut().zip(decided);
        let deeds = deeds
            .filter_map(|(held, decision)| Some(Deed { held, decision: decision?, answered: None }))
            .collect();
        let notes = vec![Note::lasting(vec![Text::new("answer-unlinked")])];
        match self.enter(visit, deeds, commit, &notes).await? {
            Entered::Done => {
                visit.person = apart;
                Ok(Some(notes))
            }
            Entered::Conflict => self.earlier_answer(visit).await,
        }
    }

    /// The answer of an earlier attempt to handle this update.
    async fn earlier_answer(&self, visit: &Visit<'_>) -> Result<Option<Vec<Note>>, Failure> {
        Ok(self.answered(visit.update).await?.map(|it| it.notes))
    }
}

/// Whether a decision gives an account a seat, an invitation or a place at a table.
pub(super) fn names_people(decision: &Decision) -> bool {
    let names = |it: &Event| {
        matches!(
            it,
            Event::Opened(_)
                | Event::Seated { .. }
                | Event::Met { .. }
                | Event::Proposed { .. }
                | Event::Welcomed { .. }
                | Event::Replaced { .. }
                | Event::Attached(_)
        )
    };
    decision.events().any(names)
}

/// Why an account cannot become one with this person.
fn refused(
    account: &PersonId,
    own: &PersonProfile,
    person: &PersonId,
    main: &PersonProfile,
) -> Option<Text> {
    if own.links() != Links::default() {
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
fn named(person: &PersonId) -> Arg {
    let key = format!("mark-{}", person.platform());
    if is_said(&key) { Text::new(key).into() } else { Arg::Plain(person.platform().to_owned()) }
}

/// On which other platforms somebody is the same person.
fn linked(person: &PersonProfile) -> Option<Text> {
    let all: Vec<Arg> = person.accounts.iter().map(named).collect();
    (!all.is_empty()).then(|| Text::new("answer-link-now").with("platforms", Arg::Names(all)))
}

/// Whose code it is, before anything is done.
fn asked_back(code: &Code, word: &str) -> Note {
    let text = Text::new("answer-link-sure")
        .with("name", code.name.as_str())
        .with("platform", named(&code.person));
    let yes = Key::new(Text::new("button-link"), format!("0.{word}")).tone(Tone::Danger);
    Note { keys: vec![vec![yes]], secret: true, ..Note::lasting(vec![text]) }
}

/// Who asked for the code is told where it was used.
fn told_elsewhere(visit: &Visit<'_>, place: &PlaceId) -> Put {
    let person = &visit.update.person;
    let text = Text::new("answer-link-used")
        .with("name", person.name.as_str())
        .with("platform", named(&person.id));
    note_put(place, &visit.update.id, Note::lasting(vec![text]))
}
