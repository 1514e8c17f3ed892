//! One person with accounts on several platforms: a code from one is given on the other.
//!
//! The account that asks for the code stays the person; the one that gives it counts as that
//! person from then on, at every table. A code lives ten minutes and works once. Whoever gives one
//! is told whose it is and asked back, for it could be somebody else's; whoever asked for it is
//! told where it was used.

use serde::{Deserialize, Serialize};

use super::Desk;
use super::visit::{Notes, Visit, brief};
use crate::chat::Tone;
use crate::chat::note::{Key, Note};
use crate::chat::request::{LINK_LENGTH, Linking};
use crate::i18n::is_said;
use crate::ids::{PersonId, PlaceId, PlaceKind, TableId};
use crate::ledger::profiles::{Links, PersonProfile};
use crate::ledger::rows::{cut, note_put, put};
use crate::ledger::{Deed, Entered, Failure, Held, keys};
use crate::store::{Commit, Expect, Put, Space};
use crate::table::event::Event;
use crate::table::{Decision, Table, happening, places};
use crate::words::{Arg, Text};

/// How long a code lives, in milliseconds.
const CODE_MS: u64 = 10 * 60_000;

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
                match self.given(visit, &code).await? {
                    Ok(given) if sure => self.link(visit, given).await,
                    Ok(given) => self.ask_back(visit, given, &code).await,
                    Err(refusal) => Ok(vec![Note::brief(refusal)]),
                }
            }
            Linking::Apart => self.unlink(visit).await,
        }
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
        let mut puts = Vec::new();
        let last = keys::linking_of(&person.id);
        if let Some(before) = self.ledger.value(Space::Meta, &last).await? {
            let before = String::from_utf8_lossy(&before).into_owned();
            puts.push(cut(Space::Meta, keys::linking(&before)));
        }
        puts.push(put(Space::Meta, keys::linking(&word), &code).until(until_ms));
        puts.push(Put::new(Space::Meta, last, word.clone()).until(until_ms));
        self.ledger.keep(puts).await?;
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

    /// Makes the account of whoever asks one with the person who was given the code.
    async fn link(&self, visit: &mut Visit<'_>, given: Given) -> Notes {
        let Given { code, key, row } = given;
        let account = visit.update.person.id.clone();
        let (own, own_links) = self.ledger.person_and_links(&account).await?;
        let (mut main, main_links) = self.ledger.person_and_links(&code.person).await?;
        if let Some(refusal) = refused(&account, &own, &code.person, &main) {
            return Ok(vec![Note::brief(refusal)]);
        }
        let mut tables = self.held_where_named(&account).await?;
        if let Some(both) = tables.iter().find(|it| !it.table().can_become(&account, &code.person))
        {
            let text = Text::new("refuse-link-table").with("table", &*both.id().0);
            return Ok(vec![Note::brief(text)]);
        }
        main.accounts.push(account.clone());
        // Whoever links accounts is there, and has the days of one person. The account keeps its
        // own: it may be parted again.
        visit.person.come_home(visit.now_ms);
        main.come_home(visit.now_ms);
        main.share_vacations(&visit.person);
        visit.person.main = Some(code.person.clone());
        let expect = vec![
            Expect::equal(Space::Meta, key.clone(), row),
            links_are(&account, own_links),
            links_are(&code.person, main_links),
        ];
        let mut puts = vec![cut(Space::Meta, key)];
        puts.extend(with_links(&account, &visit.person));
        puts.extend(with_links(&code.person, &main));
        puts.extend(code.place.as_ref().map(|place| told_elsewhere(visit, place)));
        let event = Event::Same { account, person: code.person.clone() };
        let decisions = self.same_everywhere(visit, &tables, &event)?;
        let deed = |(held, decision)| Deed { held, decision, answered: None };
        let deeds = tables.iter_mut().zip(decisions).map(deed).collect();
        let notes = vec![Note::lasting(vec![
            Text::new("answer-linked")
                .with("name", code.name)
                .with("platform", named(&code.person)),
        ])];
        // It is all in the rows that are written now.
        visit.learned.clear();
        let commit = Commit { expect, ..Commit::of(puts) };
        match self.enter(visit, deeds, commit, &notes).await? {
            Entered::Done => {
                visit.came_home = Some(code.person);
                Ok(notes)
            }
            Entered::Conflict => self.done_before(visit).await,
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
    /// nothing of them is shown in the private chats of the others.
    async fn unlink(&self, visit: &mut Visit<'_>) -> Notes {
        let main = visit.update.person.id.clone();
        if visit.person.accounts.is_empty() && visit.account == main {
            return Ok(brief("refuse-not-linked"));
        }
        let (gone, stay) = match visit.account == main {
            true => (visit.person.accounts.clone(), Vec::new()),
            false => {
                let others = visit.person.accounts.iter().filter(|it| **it != visit.account);
                (vec![visit.account.clone()], others.cloned().collect())
            }
        };
        let (now, links) = self.ledger.person_and_links(&main).await?;
        if now.links() != visit.person.links() {
            return Ok(brief("refuse-busy"));
        }
        let mut expect = vec![links_are(&main, links)];
        let mut puts = Vec::new();
        for account in &gone {
            let (profile, links) = self.ledger.person_and_links(account).await?;
            expect.push(links_are(account, links));
            let mut parted = PersonProfile { main: None, ..profile };
            // The days that the person has taken are taken for each of their accounts.
            parted.share_vacations(&visit.person);
            puts.extend(with_links(account, &parted));
        }
        visit.person.accounts = stay;
        puts.extend(with_links(&main, &visit.person));
        visit.learned.clear();
        let mut tables = self.held_where_named(&main).await?;
        let parted = |held: &Held| places::parted(held.table(), &main, &gone, visit.stamp());
        let decided: Vec<_> = tables.iter().map(parted).collect();
        let deeds = tables.iter_mut().zip(decided);
        let deeds = deeds
            .filter_map(|(held, decision)| Some(Deed { held, decision: decision?, answered: None }))
            .collect();
        let notes = vec![Note::lasting(vec![Text::new("answer-unlinked")])];
        let commit = Commit { expect, ..Commit::of(puts) };
        match self.enter(visit, deeds, commit, &notes).await? {
            Entered::Done => Ok(notes),
            Entered::Conflict => self.done_before(visit).await,
        }
    }

    /// What is said when something came between.
    async fn done_before(&self, visit: &Visit<'_>) -> Notes {
        let answered = self.answered(visit.update).await?;
        Ok(answered.map_or_else(|| brief("refuse-busy"), |it| it.notes))
    }
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

/// What must still be so of somebody's links.
fn links_are(person: &PersonId, row: Option<Vec<u8>>) -> Expect {
    let key = keys::links(person);
    match row {
        Some(row) => Expect::equal(Space::Person, key, row),
        None => Expect::absent(Space::Person, key),
    }
}

/// A profile and its links, to be written.
fn with_links(person: &PersonId, profile: &PersonProfile) -> [Put; 2] {
    [
        put(Space::Person, person.0.clone(), profile),
        put(Space::Person, keys::links(person), &profile.links()),
    ]
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
