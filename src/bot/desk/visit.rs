//! What is known while one update is answered.

use super::questions::{Findings, Question};
use crate::ledger::arrivals::WAITED_MAX_MS;
use crate::ledger::changes::{Slot, Stored};
use crate::ledger::inherited::{self, PlaceSettings};
use crate::ledger::profiles::{
    Links, PersonProfile, PlaceProfile, Reader, hear_person, hear_place, person_rows,
};
use crate::ledger::rows::{Answered, parse, put, rights};
use crate::ledger::{Failure, Ledger, keys};
use caravanserai_games::ids::{MessageId, PersonId, PlaceId, TableId};
use caravanserai_games::words::{Arg, Text};
use caravanserai_protocol::note::Note;
use caravanserai_protocol::request::{Request, Which};
use caravanserai_protocol::{Body, Person, Update};
use caravanserai_store::{Put, Read, Space};
use caravanserai_table::Stamp;
use caravanserai_table::command::Actor;
use caravanserai_table::fold::Table;
use caravanserai_table::people::qualified;

/// What a part of the desk decides: notes for the person who asked.
pub(super) type Notes = Result<Vec<Note>, Failure>;

/// A few words.
pub(super) fn brief(key: &'static str) -> Vec<Note> {
    vec![Note::brief(Text::new(key))]
}

/// One update, who asks and where, and what was read with it in one round trip.
pub(super) struct Visit<'a> {
    /// Said by the person behind the account.
    pub(super) update: &'a Update,
    /// The account by which they spoke.
    pub(super) account: PersonId,
    pub(super) person: PersonProfile,
    /// Which accounts are this person, as it was read.
    pub(super) links: Stored<Links>,
    pub(super) place: PlaceSettings,
    /// Milliseconds since 1970.
    pub(super) now_ms: u64,
    /// When the update was received, in milliseconds since 1970; not later than now.
    pub(super) received_ms: u64,
    /// When it was heard, by the clock that never jumps.
    pub(super) began_ms: u64,
    /// What the update says about the person and the place and is not stored yet.
    pub(super) news: News,
    /// Rows to store with the decision.
    pub(super) learned: Vec<Put>,
    /// The clock that was chosen for a table here, to be the default of the next ones.
    pub(super) clock: Option<String>,
    /// What it was answered when it came before.
    pub(super) answered: Option<Answered>,
    /// What the bot was not allowed here until now, if it could not write.
    pub(super) lacked: Option<Vec<Arg>>,
    /// Whether nothing could be sent to this chat until now.
    pub(super) was_gone: bool,
    /// The table of the message that it answers.
    pub(super) answers: Option<TableId>,
    /// The person whose vacation has ended by this update and whose other tables do not know it.
    pub(super) came_home: Option<PersonId>,
    /// The answers of engines and networks.
    pub(super) findings: Findings,
    /// The question for them that has to be answered first.
    pub(super) question: Option<Question>,
}

/// What an update says and is not stored yet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct News {
    /// Of the person.
    pub(super) person: bool,
    /// Of the place.
    pub(super) place: bool,
}

/// How a visit begins.
#[allow(clippy::large_enum_variant, reason = "it is taken apart at once")]
pub(super) enum Begun<'a> {
    /// By whoever spoke.
    Visit(Visit<'a>),
    /// By the person behind the account that spoke, and what is new about the account.
    Behind(PersonId, News),
}

/// The rows that every visit reads, those of its parents excepted.
fn rows_of_visit(update: &Update, request: Option<&Request>) -> Vec<Read> {
    let place = &update.place.id;
    let mut reads = person_rows(&update.person.id).to_vec();
    reads.extend([
        Read::value(Space::Place, place.chat()),
        Read::value(Space::Seen, &*update.id),
        Read::value(Space::Meta, keys::mute(place)),
    ]);
    if let Some(Request::Table { which: Which::Message(message), .. }) = request {
        reads.push(Read::value(Space::Message, keys::message(place, message)));
    }
    reads
}

impl<'a> Visit<'a> {
    /// Reads everything about an update that can be known before it is looked at closely.
    /// `account`: by which it was said, if that is known not to be the person's own.
    pub(super) async fn begin(
        ledger: &Ledger,
        update: &'a Update,
        account: Option<&PersonId>,
        request: Option<&Request>,
    ) -> Result<Begun<'a>, Failure> {
        let began_ms = ledger.clock().monotonic_ms();
        let mut reads = rows_of_visit(update, request);
        let rows_of_visit = reads.len();
        reads.extend(inherited::reads_of(&update.place.parents));
        let found = ledger.read(&reads).await?.into_iter().map(|it| it.value());
        let mut found = found.collect::<Result<Vec<_>, _>>()?;
        let rows_of_parents = found.split_off(rows_of_visit);
        let mut found = found.into_iter();
        let mut next = || found.next().flatten();
        let (row, links) = (next(), next());
        let mut person = PersonProfile::read(row, links.clone());
        let links = Stored::read(Slot::links(&update.person.id), links);
        let mut profile: PlaceProfile = parse(next());
        let (answered, mute, answers) = (next(), next(), next());
        let (was_gone, says_nothing) = match profile.gone && !update.is_by_guest() {
            true if ledger.since_reports(update).await?.is_none() => (false, true),
            is_back => (is_back, update.is_by_guest()),
        };
        let mut news = News::default();
        if account.is_none() {
            let known = person.clone();
            hear_person(&mut person, &update.person);
            news.person = person != known;
        }
        // Nobody is behind a person, whatever their row says.
        if let Some(main) = person.main.take_if(|_| account.is_none()) {
            return Ok(Begun::Behind(main, news));
        }
        // A press on the page proves nothing about the chat, not even that the bot may write there;
        // nor does what was sent before the bot was removed.
        if !says_nothing {
            let known = profile.clone();
            hear_place(&mut profile, &update.place, person.lang.or(person.guess));
            news.place = profile != known;
        }
        // An update may name fewer parents than the stored profile.
        let are_read = profile.parents == update.place.parents;
        let read = are_read.then_some(rows_of_parents);
        let settings = ledger.inherited_from(profile, read).await?;
        let now_ms = ledger.now_ms();
        let came_ms = update.arrival.at_ms().unwrap_or(began_ms);
        let waited_ms = ledger.clock().monotonic_ms().saturating_sub(came_ms);
        Ok(Begun::Visit(Visit {
            update,
            account: account.unwrap_or(&update.person.id).clone(),
            person,
            links,
            place: settings,
            now_ms,
            received_ms: now_ms.saturating_sub(waited_ms.min(WAITED_MAX_MS)),
            began_ms,
            news,
            learned: Vec::new(),
            clock: None,
            answered: answered.map(|it| parse(Some(it))),
            lacked: mute.map(|it| rights(parse(Some(it)))),
            was_gone,
            answers: answers.map(|it| TableId(String::from_utf8_lossy(&it).into_owned())),
            came_home: None,
            findings: Findings::default(),
            question: None,
        }))
    }

    /// Who asks, as tables know them.
    pub(super) fn actor(&self) -> Actor {
        let Person { id, name, username, admin, .. } = &self.update.person;
        Actor {
            place: self.update.place.id.clone(),
            person: id.clone(),
            name: name.clone(),
            username: username.as_ref().map(|it| self.named(it)),
            admin: *admin || self.place.all_order,
            cause: self.update.id.clone(),
            now_ms: self.now_ms,
            received_ms: self.received_ms,
        }
    }

    /// The name of the account by which they speak, as tables compare it.
    pub(super) fn named(&self, username: &str) -> String {
        qualified(username, self.account.platform(), self.update.person.id.platform())
    }

    /// What is done for them now.
    pub(super) fn stamp(&self) -> Stamp {
        Stamp::at(self.now_ms, self.update.id.clone())
    }

    /// Replaces the profile of the person by the one that was stored.
    pub(super) fn person_is(&mut self, profile: PersonProfile) {
        let Links { main, accounts } = self.person.links();
        self.person = PersonProfile { main, accounts, ..profile };
    }

    /// How to show this person something.
    pub(super) fn reader(&self) -> Reader {
        self.person.reads(&self.place)
    }

    /// Where a table stands that is spoken of here: here if it does, else at home.
    pub(super) fn place_of<'t>(&self, table: &'t Table) -> &'t PlaceId {
        let here = table.spot(&self.update.place.id).map(|it| it.place);
        here.unwrap_or_else(|| table.home())
    }

    /// Whether a table stands here.
    pub(super) fn is_at(&self, table: &Table) -> bool {
        table.spot(&self.update.place.id).is_some()
    }

    pub(super) fn is_press(&self) -> bool {
        matches!(self.update.body, Body::Press { .. })
    }

    /// The message whose button was pressed, if the platform says.
    pub(super) fn pressed(&self) -> Option<&MessageId> {
        match &self.update.body {
            Body::Press { message, .. } => message.as_ref(),
            Body::Text { .. }
            | Body::Added
            | Body::Removed
            | Body::Left { .. }
            | Body::Came { .. }
            | Body::Deleted
            | Body::Moved { .. } => None,
        }
    }

    /// Marks the update as seen with the answer it got, in the same commit as what it did.
    pub(super) fn seen(&self, notes: &[Note], for_ms: u64) -> Put {
        let answered = Answered { at_ms: self.now_ms, notes: notes.to_vec() };
        put(Space::Seen, self.update.id.clone(), &answered).until(self.now_ms + for_ms)
    }
}
