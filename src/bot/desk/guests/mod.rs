//! People of a platform who see a table on the page as themselves: how they are let in, and what
//! they see and do there.
//!
//! A *pass* is a code that was given to somebody in private; it lives five minutes and works once.
//! Whoever has signed in is known by the *mark* of a token that only their browser has. Both stand
//! in the store, so that any process can answer. See
//! [`Guests`](caravanserai_protocol::guests::Guests).

mod seeing;

use serde::{Deserialize, Serialize};

use super::Desk;
use super::at_table::concerns;
use super::questions::Question;
use super::visit::{Notes, Visit, brief};
use crate::ledger::changes::{Slot, Small};
use crate::ledger::profiles::{PersonProfile, PlaceProfile, person_rows};
use crate::ledger::rows::{cut, parse, put};
use crate::ledger::{Entered, Failure, keys};
use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind, TableId};
use caravanserai_games::words::Text;
use caravanserai_protocol::guests::{Entrance, Guest, Proof, Unproven, Vouched};
use caravanserai_protocol::hands::Means;
use caravanserai_protocol::note::{Key, Note};
use caravanserai_protocol::press::{Ask, TablePress};
use caravanserai_protocol::request::page_word;
use caravanserai_protocol::{Person, PersonKind, Window};
use caravanserai_store::{Commit, Expect, Read, Space};
use caravanserai_table::fold::Table;

/// How long a pass is: nobody finds one by trying while it lives (27^20 are 95 bits).
const PASS_LENGTH: usize = 20;
/// How long a pass lives, in milliseconds.
const PASS_MS: u64 = 5 * 60_000;
/// How long somebody stays signed in who came with a pass: a browser of their own.
const BROWSER_MS: u64 = 30 * 24 * 3_600_000;
/// The same for a window of a platform, which says each time anew who looks.
const WINDOW_MS: u64 = 12 * 3_600_000;
/// How long it counts that somebody was where a table stands: they may have left since.
const PLACE_MS: u64 = 12 * 3_600_000;
/// How long a window that a platform opens may take to ask for its table.
const LAUNCH_MS: u64 = 10 * 60_000;

/// What a pass stands for.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Pass {
    account: PersonId,
    table: Option<String>,
    /// Where they were when they asked for it, if the table stands there.
    place: Option<PlaceId>,
    until_ms: u64,
}

/// Somebody who is signed in.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Session {
    account: PersonId,
    places: Vec<PlaceId>,
    /// Until when the places count.
    places_until_ms: u64,
    until_ms: u64,
    /// How often the account had been signed out everywhere before.
    round: u64,
}

/// What a window that a platform opens is to show.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Launch {
    table: Option<String>,
    place: PlaceId,
}

/// Somebody who has proved who they are.
struct Proved {
    account: PersonId,
    table: Option<String>,
    places: Vec<PlaceId>,
    key: Option<String>,
    lasts_ms: u64,
    /// What must still be so, and what is written with it.
    commit: Commit,
}

/// The chats of an account's platform that show a table to all members.
fn open_places(table: &Table, account: &PersonId) -> Vec<PlaceId> {
    let open = table.spots().filter(|it| it.reader.is_none()).map(|it| it.place);
    open.filter(|it| it.platform() == account.platform()).cloned().collect()
}

/// A chat that shows the table and of which the person is a member.
///
/// # Errors
/// The question that their platform has to answer first.
fn stands_where(table: &Table, visit: &Visit<'_>) -> Result<Option<PlaceId>, Question> {
    if let Some(here) = table.spot(&visit.update.place.id) {
        return Ok(Some(here.place.clone()));
    }
    let places = open_places(table, &visit.account);
    if places.is_empty() {
        return Ok(None);
    }
    let found = visit.findings.member(&visit.account).cloned();
    // The table may have been taken away from there meanwhile.
    let still = |it: Option<PlaceId>| it.filter(|it| places.contains(it));
    found.map(still).ok_or_else(|| Question::Member(visit.account.clone(), places.clone()))
}

impl Desk {
    /// The way to a board in a browser, of the table that is meant here.
    pub(super) async fn page_of(&self, visit: &mut Visit<'_>, table: Option<TableId>) -> Notes {
        let Some(id) = table else {
            let table = self.table_here(visit).await?;
            return self.on_the_page(visit, table.as_deref()).await;
        };
        let found = self.ledger.look(&id).await?;
        match found.filter(|it| !it.is_solo() || concerns(it, visit)) {
            Some(table) => self.on_the_page(visit, Some(&table)).await,
            None => Ok(vec![Note::brief(Text::new("refuse-unknown-table").with("table", id.0))]),
        }
    }

    /// The way to the board in a browser, for whoever asks: in private, or the way there.
    pub(super) async fn on_the_page(&self, visit: &mut Visit<'_>, table: Option<&Table>) -> Notes {
        let Some(page) = self.post.page() else { return Ok(brief("refuse-no-page")) };
        let here = &visit.update.place;
        if self.post.is_page(&here.id) || visit.update.is_by_guest() {
            return Ok(brief("refuse-page-here"));
        }
        let id = table.map(|it| &it.id);
        if here.kind == PlaceKind::Group && self.post.means(&here.id) == Means::Slots {
            // What is answered here is not for an address that lets somebody in.
            return Ok(vec![self.to_private(&here.id, id)]);
        }
        let place = match table.map(|it| stands_where(it, visit)) {
            None => None,
            Some(Ok(place)) => place,
            Some(Err(question)) => return visit.ask(question),
        };
        let code = self.ledger.word(PASS_LENGTH);
        let until_ms = visit.now_ms + PASS_MS;
        let account = visit.account.clone();
        let pass = Pass { account, table: id.map(|it| it.0.clone()), place, until_ms };
        let row = put(Space::Meta, keys::pass(&code), &pass).until(until_ms);
        self.ledger.keep(vec![row]).await?;
        let link = Window::Link(format!("{page}/board#in={code}"));
        let mut keys = vec![vec![Key::opening(Text::new("button-page"), link)]];
        let alone = here.kind == PlaceKind::Private;
        let code = id.map(|it| it.0.as_str());
        keys.extend(self.window_key(&here.id, alone, code).map(|it| vec![it]));
        let minutes = (PASS_MS / 60_000) as i64;
        let text = Text::new("answer-page").with("minutes", minutes);
        Ok(vec![Note { keys, secret: true, ..Note::lasting(vec![text]) }])
    }

    /// The buttons that open the board outside of the chat, for whoever asks.
    pub(super) fn ways_out(&self, visit: &Visit<'_>, table: &Table) -> Vec<Key> {
        let here = &visit.update.place;
        if visit.update.is_by_guest() || self.post.is_page(&here.id) || self.post.page().is_none() {
            return Vec::new();
        }
        let alone = here.kind == PlaceKind::Private;
        let press = TablePress { table: table.id.clone(), ask: Ask::Page }.write();
        let mut keys = vec![Key::new(Text::new("button-page"), press)];
        keys.extend(self.window_key(&here.id, alone, Some(&table.id.0)));
        keys
    }

    /// The button that opens the board of a table in a window of the platform.
    fn window_key(&self, place: &PlaceId, alone: bool, code: Option<&str>) -> Option<Key> {
        let label = || Text::new("button-open-board");
        match self.post.window(place, alone, code)? {
            Window::Launch => {
                let table = TableId(code?.to_owned());
                Some(Key::new(label(), TablePress { table, ask: Ask::Launch }.write()))
            }
            window => Some(Key::opening(label(), window)),
        }
    }

    /// The way to the private chat, where the way to the page is told.
    fn to_private(&self, place: &PlaceId, table: Option<&TableId>) -> Note {
        match self.post.private_door(place, &page_word(table)) {
            Some(door) => {
                let text = Text::new("answer-page-private-link").with("link", door);
                Note::lasting(vec![text])
            }
            None => Note::brief(Text::new("answer-page-private")),
        }
    }

    /// Opens the board in a window of the platform, of the table that is played here.
    pub(super) async fn launch_here(&self, visit: &mut Visit<'_>) -> Notes {
        let table = self.table_here(visit).await?;
        self.launch(visit, table.as_deref()).await
    }

    /// Opens the board in a window of the platform, or shows another way.
    pub(super) async fn launch(&self, visit: &mut Visit<'_>, table: Option<&Table>) -> Notes {
        let here = &visit.update.place;
        let code = table.map(|it| it.id.0.as_str());
        let window = self.post.window(&here.id, here.kind == PlaceKind::Private, code);
        if window != Some(Window::Launch) {
            return self.on_the_page(visit, table).await;
        }
        let launch = Launch { table: code.map(str::to_owned), place: here.id.clone() };
        let key = keys::launched(&visit.account);
        let row = put(Space::Meta, key, &launch).until(visit.now_ms + LAUNCH_MS);
        self.ledger.keep(vec![row]).await?;
        Ok(vec![Note { launches: true, ..Note::brief(Text::new("answer-launched")) }])
    }

    /// The table that is played here: the person's own first.
    async fn table_here(
        &self,
        visit: &Visit<'_>,
    ) -> Result<Option<std::sync::Arc<Table>>, Failure> {
        let person = &visit.update.person.id;
        let (mut own, mut any) = (None, None);
        let mut ids = self.open_tables(&visit.update.place.id).await?;
        if visit.update.place.kind == PlaceKind::Private {
            ids.extend(self.tables_of(person).await?);
        }
        for id in ids {
            let Ok(Some(table)) = self.ledger.look(&id).await else { continue };
            let turn = table.turn().filter(|turn| table.seats_of(person).any(|it| it == *turn));
            if turn.is_some() {
                return Ok(Some(table));
            }
            let slot = if table.seats_of(person).next().is_some() { &mut own } else { &mut any };
            slot.get_or_insert(table);
        }
        Ok(own.or(any))
    }

    /// Nobody is signed in as this person any more, by none of their accounts.
    pub(super) async fn page_off(&self, visit: &Visit<'_>) -> Notes {
        let own = std::iter::once(&visit.update.person.id);
        for account in own.chain(&visit.person.accounts) {
            let rounds: Slot<Small<u64>> = Slot::small(keys::guests_of(account));
            let next = |it: &mut Small<u64>| it.0 = Some(it.0.unwrap_or_default() + 1);
            self.ledger.change(rounds, next).await?;
        }
        Ok(brief("answer-page-off"))
    }

    /// Lets somebody in, who is known by this mark from then on.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn sign_in(
        &self,
        proof: &Proof,
        mark: &str,
    ) -> Result<Result<Entrance, Unproven>, Failure> {
        let proved = match proof {
            Proof::Code(code) => self.proved_by_pass(code).await?,
            Proof::Client { platform, data, instance } => {
                match self.post.vouch(platform, data, instance.as_deref()).await {
                    Ok(vouched) => Ok(self.proved_by_client(vouched).await?),
                    Err(unproven) => Err(unproven),
                }
            }
        };
        let Proved { account, table, places, key, lasts_ms, mut commit } = match proved {
            Ok(proved) => proved,
            Err(unproven) => return Ok(Err(unproven)),
        };
        let now_ms = self.ledger.now_ms();
        let round = self.ledger.value(Space::Meta, &keys::guests_of(&account)).await?;
        let session = Session {
            account,
            places,
            places_until_ms: now_ms + PLACE_MS,
            until_ms: now_ms + lasts_ms,
            round: parse(round),
        };
        commit.puts.push(put(Space::Meta, keys::guest(mark), &session).until(session.until_ms));
        if self.ledger.commit(commit).await? == Entered::Conflict {
            // Somebody was quicker with the same pass.
            return Ok(Err(Unproven::Forged));
        }
        let guest = self.guest(mark).await?;
        Ok(guest.map(|guest| Entrance { guest, lasts_ms, table, key }).ok_or(Unproven::Old))
    }

    async fn proved_by_pass(&self, code: &str) -> Result<Result<Proved, Unproven>, Failure> {
        let key = keys::pass(code);
        let Some(row) = self.ledger.value(Space::Meta, &key).await? else {
            return Ok(Err(Unproven::Forged));
        };
        let Ok(pass) = serde_json::from_slice::<Pass>(&row) else {
            return Ok(Err(Unproven::Forged));
        };
        if pass.until_ms <= self.ledger.now_ms() {
            return Ok(Err(Unproven::Old));
        }
        let commit = Commit {
            expect: vec![Expect::equal(Space::Meta, key.clone(), row)],
            ..Commit::of(vec![cut(Space::Meta, key)])
        };
        Ok(Ok(Proved {
            account: pass.account,
            table: pass.table,
            places: pass.place.into_iter().collect(),
            key: None,
            lasts_ms: BROWSER_MS,
            commit,
        }))
    }

    /// Somebody for whom a platform vouches comes for the table that they, or what they have
    /// pressed last, say.
    async fn proved_by_client(&self, vouched: Vouched) -> Result<Proved, Failure> {
        let Vouched { person, mut table, mut places, key } = vouched;
        let launched = self.ledger.value(Space::Meta, &keys::launched(&person.id)).await?;
        let launched = launched.and_then(|it| serde_json::from_slice::<Launch>(&it).ok());
        if let Some(launch) = launched {
            table = table.or(launch.table);
            places.push(launch.place);
        }
        let id = table.clone().map(|it| TableId(it.to_lowercase()));
        if let Some(id) = id
            && let Ok(Some(table)) = self.ledger.look(&id).await
        {
            places.extend(self.member_of(&open_places(&table, &person.id), &person.id).await);
        }
        self.ledger.keep_person(&person).await?;
        let commit = Commit::default();
        Ok(Proved { account: person.id, table, places, key, lasts_ms: WINDOW_MS, commit })
    }

    /// Who is known by this mark.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn guest(&self, mark: &str) -> Result<Option<Guest>, Failure> {
        let row = self.ledger.value(Space::Meta, &keys::guest(mark)).await?;
        let session = row.and_then(|it| serde_json::from_slice::<Session>(&it).ok());
        let now_ms = self.ledger.now_ms();
        let Some(session) = session.filter(|it| now_ms < it.until_ms) else { return Ok(None) };
        let account = session.account;
        let mut reads = vec![Read::value(Space::Meta, keys::guests_of(&account))];
        reads.extend(person_rows(&account));
        let mut found = self.ledger.read(&reads).await?.into_iter();
        let mut next = || found.next().map_or(Ok(None), |it| it.value());
        let round: u64 = parse(next()?);
        if round != session.round {
            return Ok(None);
        }
        let own = PersonProfile::read(next()?, next()?);
        let person = own.main.clone().unwrap_or_else(|| account.clone());
        let main =
            if person == account { own.clone() } else { self.ledger.person(&person).await? };
        let reader = main.reads(&PlaceProfile::default());
        let name = if own.name.is_empty() { account.0.clone() } else { own.name };
        Ok(Some(Guest {
            account: Person {
                id: account,
                name,
                username: own.username,
                locale: None,
                kind: PersonKind::Human,
                admin: false,
            },
            person,
            places: if now_ms < session.places_until_ms { session.places } else { Vec::new() },
            lang: reader.lang.code().to_owned(),
            theme: reader.theme,
        }))
    }

    /// Nobody is known by this mark any more.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn sign_out(&self, mark: &str) -> Result<(), Failure> {
        self.ledger.keep(vec![cut(Space::Meta, keys::guest(mark))]).await
    }
}
