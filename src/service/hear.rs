//! One update, from the platform to what the person is told.

use std::panic::AssertUnwindSafe;

use async_trait::async_trait;
use futures::FutureExt;
use serde::{Deserialize, Serialize};

use super::open::Wanted;
use super::settings::{PersonMemory, PlaceMemory, cut, heard_person, heard_place, parse, put};
use super::table_ask::pressed;
use super::{Failure, Inner, Service, keys};
use crate::chat::note::Note;
use crate::chat::press::Ask;
use crate::chat::request::{self, Request, Which};
use crate::chat::{Body, Listener, Offered, Person, PersonKind, Place, Update, Whisper};
use crate::i18n::{Lang, vocabulary};
use crate::ids::PlaceId;
use crate::ids::TableId;
use crate::rules::Seat;
use crate::store::{Commit, Expect, Put, Space, StoreError};
use crate::table::command::{Actor, Command};
use crate::table::fold::Table;
use crate::words::{Arg, Text};

/// What is known while one update is handled.
pub(super) struct Heard<'a> {
    pub(super) update: &'a Update,
    pub(super) person: PersonMemory,
    pub(super) place: PlaceMemory,
    /// Milliseconds since 1970.
    pub(super) now_ms: u64,
    /// What was learned of the person and the place, to be stored with whatever is decided.
    pub(super) learned: Vec<Put>,
}

impl Heard<'_> {
    pub(super) fn actor(&self) -> Actor {
        let Person { id, name, username, admin, .. } = &self.update.person;
        Actor {
            person: id.clone(),
            name: name.clone(),
            username: username.clone(),
            admin: *admin,
            cause: self.update.id.clone(),
            now_ms: self.now_ms,
        }
    }

    pub(super) fn is_press(&self) -> bool {
        matches!(self.update.body, Body::Press { .. })
    }
}

/// The answer an update got: given again when the update comes again.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Answered {
    pub(super) at_ms: u64,
    pub(super) notes: Vec<Note>,
}

/// What a part of the service decides: notes for the person who asked.
pub(super) type Notes = Result<Vec<Note>, Failure>;

pub(super) fn say(key: &'static str) -> Vec<Note> {
    vec![Note::brief(Text::new(key))]
}

/// Whether words in answer to a board are an attempt to move: people also talk about the game.
fn is_attempt(table: &Table, update: &Update) -> bool {
    let Body::Text { text, .. } = &update.body else { return true };
    let Some(seat) = table.seats_of(&update.person.id).next() else { return false };
    let understood =
        table.game.as_deref().is_some_and(|it| it.guess(Seat(seat), text, vocabulary()).is_some());
    let short = text.split_whitespace().count() <= 3 && text.chars().count() <= 24;
    understood || short
}

fn is_command(body: &Body) -> bool {
    matches!(body, Body::Text { text, .. } if text.trim_start().starts_with('/'))
}

#[async_trait]
impl Listener for Service {
    async fn hear(&self, update: Update) -> Vec<Whisper> {
        let inner = &self.inner;
        let platform = update.place.id.platform().to_owned();
        metrics::counter!("caravanserai_updates_total", "platform" => platform).increment(1);
        let started_ms = inner.clock.now_ms();
        if inner.is_stopping() {
            return inner.whispers(&update, say("refuse-trouble")).await;
        }
        let notes = match AssertUnwindSafe(inner.hear(&update)).catch_unwind().await {
            Ok(Ok(notes)) => notes,
            Ok(Err(failure)) => {
                tracing::error!(update = %update.id, %failure, "could not act on an update");
                match failure {
                    Failure::Damaged(..) => say("refuse-table-damaged"),
                    Failure::Store(_) => say("refuse-trouble"),
                }
            }
            Err(_) => {
                tracing::error!(update = %update.id, "a bug: handling an update panicked");
                inner.set_aside(&update);
                say("refuse-table-damaged")
            }
        };
        let took_ms = inner.clock.now_ms().saturating_sub(started_ms);
        metrics::histogram!("caravanserai_decided_seconds").record(took_ms as f64 / 1000.0);
        inner.whispers(&update, notes).await
    }

    async fn suggest(
        &self,
        place: &Place,
        person: &Person,
        command: &str,
        typed: &str,
    ) -> Vec<(String, String)> {
        self.inner.suggestions(place, person, command, typed).await.unwrap_or_default()
    }

    async fn offers(&self, person: &Person, typed: &str) -> Vec<Offered> {
        self.inner.offered(person, typed).await.unwrap_or_default()
    }

    fn called(&self, place: &PlaceId) {
        let Some(platform) = self.inner.platform(place) else { return };
        let per_minute = platform.calls_per_minute(place);
        self.inner.paces.note_beside(place.chat(), per_minute, self.inner.clock.now_ms());
    }

    async fn means_changed(&self, place: &PlaceId) {
        if let Err(failure) = self.inner.means_changed(place).await {
            tracing::error!(place = %place.0, %failure, "boards do not get other buttons");
        }
    }
}

impl Inner {
    async fn hear(&self, update: &Update) -> Notes {
        match &update.body {
            Body::Moved { to } => {
                self.move_place(&update.place.id, to).await?;
                return Ok(Vec::new());
            }
            Body::Removed => {
                self.place_gone(&update.place.id).await?;
                return Ok(Vec::new());
            }
            Body::Text { .. } | Body::Press { .. } | Body::Added => {}
        }
        let Some(request) = request::read(&update.body, update.place.kind) else {
            return self.added(update).await;
        };
        if !self.is_meant(update, &request).await? {
            return Ok(Vec::new());
        }
        if let Some(answered) = self.answered(update).await? {
            return Ok(answered.notes);
        }
        match update.person.kind {
            PersonKind::Human => {}
            PersonKind::Anonymous => return Ok(say("refuse-anonymous")),
            PersonKind::Bot => return Ok(say("refuse-bot")),
        }
        let mut heard = self.heard(update).await?;
        let mut notes = self.answer(&mut heard, request).await?;
        if !notes.is_empty()
            && let Some(answered) = self.answered(update).await?
        {
            // The same update was acted on while this one waited for the table: what is told
            // now would be about its own deed.
            notes = answered.notes;
        }
        if self.unmute(&update.place.id).await? {
            notes.push(Note::brief(Text::new("answer-cannot-write")));
        }
        if !heard.learned.is_empty() {
            // Nothing was committed on the way: what was learned goes by itself.
            self.learn(std::mem::take(&mut heard.learned)).await?;
        }
        Ok(notes)
    }

    /// Whether words that answer a message answer one of ours: people talk to each other too.
    async fn is_meant(&self, update: &Update, request: &Request) -> Result<bool, Failure> {
        let Request::Table { which: Which::Message(message), ask, .. } = request else {
            return Ok(true);
        };
        if !matches!(ask, Ask::Do(Command::Play { .. })) || is_command(&update.body) {
            return Ok(true);
        }
        let key = keys::message(&update.place.id, message);
        let Some(id) = self.store.get(Space::Message, &key).await? else { return Ok(false) };
        let id = TableId(String::from_utf8_lossy(&id).into_owned());
        let Ok(Some(held)) = self.hold(&id).await else { return Ok(true) };
        Ok(is_attempt(held.table(), update))
    }

    /// Lets a place be spoken to again that did not let the bot write; whether it was one.
    async fn unmute(&self, place: &PlaceId) -> Result<bool, Failure> {
        let key = keys::mute(place);
        if self.store.get(Space::Meta, &key).await?.is_none() {
            return Ok(false);
        }
        self.learn(vec![cut(Space::Meta, key)]).await?;
        self.wake(place);
        Ok(true)
    }

    pub(super) async fn answered(&self, update: &Update) -> Result<Option<Answered>, Failure> {
        let seen = self.store.get(Space::Seen, &update.id).await?;
        Ok(seen.map(|bytes| parse(Some(bytes))))
    }

    async fn heard<'a>(&self, update: &'a Update) -> Result<Heard<'a>, Failure> {
        let mut person = self.person(&update.person.id).await?;
        let mut place = self.place(&update.place.id).await?;
        let was_gone = place.gone;
        let mut learned = heard_person(&mut person, &update.person);
        learned.extend(heard_place(&mut place, &update.place, person.lang.or(person.guess)));
        if was_gone {
            // Whatever waited for this chat may be sent again, once it is kept that it is back.
            self.learn(std::mem::take(&mut learned)).await?;
            self.resume_senders(update.place.id.chat()).await?;
        }
        Ok(Heard { update, person, place, now_ms: self.clock.now_ms(), learned })
    }

    async fn learn(&self, puts: Vec<Put>) -> Result<(), Failure> {
        Ok(self.store.commit(Commit { puts, ..Commit::default() }).await?)
    }

    async fn added(&self, update: &Update) -> Notes {
        if !matches!(update.body, Body::Added) {
            return Ok(Vec::new());
        }
        let heard = self.heard(update).await?;
        self.learn(heard.learned).await?;
        Ok(Vec::new())
    }

    async fn answer(&self, heard: &mut Heard<'_>, request: Request) -> Notes {
        match request {
            Request::Table { which, ask, typed } => self.on_table(heard, which, ask, typed).await,
            Request::Open { game, options, begin, seats, computers, hints, friends, adopt } => {
                let adopted = pressed(heard).filter(|_| adopt).cloned();
                let wanted = Wanted { game, options, begin, seats, computers, hints, adopted };
                self.open(heard, wanted, &friends).await
            }
            Request::Play => self.choice_of_games(heard).await,
            Request::Games => self.games_of(heard).await,
            Request::Help => Ok(self.help(heard)),
            Request::Rules { game, page } => Ok(self.rules(game, page)),
            Request::Language { foreign: true, .. } => {
                let known = Lang::all().iter().map(|it| Arg::from(it.own_name())).collect();
                let text = Text::new("refuse-language").with("languages", Arg::List(known));
                Ok(vec![Note::brief(text)])
            }
            Request::Language { lang, scope, .. } => self.language(heard, lang, scope).await,
            Request::Confirm(on) => self.confirm(heard, on).await,
            Request::Looks(looks) => self.looks(heard, looks).await,
            Request::Unknown { name, near } => Ok(vec![Note::brief(match near {
                Some(near) => {
                    Text::new("refuse-unknown-command-near").with("name", name).with("near", near)
                }
                None => Text::new("refuse-unknown-command").with("name", name),
            })]),
            Request::OldButton => Ok(say("refuse-old-button")),
            Request::Chatter(words) => self.chatter(heard, words).await,
        }
    }

    /// Marks an update as seen with the answer it got, in the same commit as what it did.
    pub(super) fn seen(&self, heard: &Heard<'_>, notes: &[Note]) -> Put {
        let answered = Answered { at_ms: heard.now_ms, notes: notes.to_vec() };
        put(Space::Seen, heard.update.id.clone(), &answered)
    }

    /// Commits what an update did. `None` when it turns out that it was done before, or that the
    /// table changed meanwhile.
    pub(super) async fn commit_heard(
        &self,
        heard: &mut Heard<'_>,
        mut commit: Commit,
        notes: &[Note],
    ) -> Result<Option<()>, Failure> {
        commit.expect.push(Expect::absent(Space::Seen, heard.update.id.clone()));
        commit.puts.push(self.seen(heard, notes));
        commit.puts.extend(heard.learned.iter().cloned());
        match self.store.commit(commit).await {
            Ok(()) => {
                metrics::counter!("caravanserai_commits_total").increment(1);
                heard.learned.clear();
                Ok(Some(()))
            }
            Err(StoreError::Conflict) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// After a panic: the table of this update is not touched again in this run.
    fn set_aside(&self, update: &Update) {
        if let Some(Request::Table { which: Which::Id(table), .. }) =
            request::read(&update.body, update.place.kind)
        {
            let mut broken = self.broken.lock().expect("nothing panics while holding this lock");
            broken.insert(table);
        }
    }
}
