//! What one update gets: which table is meant, what is asked of it, what is answered.
//!
//! Start reading at [`Desk::answer`]. What is asked of a table goes on in [`at_table`].

mod afterwards;
mod again;
mod appearance;
mod at_table;
mod awaiting;
mod chatter;
mod confirming;
mod friends;
mod guests;
mod help;
mod hint;
mod linking;
mod lists;
mod meeting;
mod opening;
mod own_hand;
mod pace;
mod places;
mod promise;
mod questions;
mod rematch;
mod seats;
mod settings;
mod state;
mod unkept;
mod unsaved;
mod vacation;
mod visit;
mod which_table;

use std::sync::Arc;

use crate::ledger::aside::Input;
use crate::ledger::changes::Slot;
use crate::ledger::profiles::{PersonProfile, PlaceProfile, Reader, hear_place};
use crate::ledger::rows::{Answered, cut, parse, put};
use crate::ledger::{Deed, Entered, Failure, Ledger, keys};
use crate::minds::Minds;
use crate::post::{Letters, Post, SLIDING_MS};
use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind, TableId};
use caravanserai_games::rules::Seat;
use caravanserai_games::words::{Arg, Text};
use caravanserai_i18n::{Lang, vocabulary};
use caravanserai_protocol::note::Note;
use caravanserai_protocol::press::{Ask, TablePress};
use caravanserai_protocol::request::{self, Request, Which};
use caravanserai_protocol::{Body, Heard, Person, PersonKind, Update, clocks, hands};
use caravanserai_store::{Commit, Expect, Space};
use caravanserai_table::command::Command;
use caravanserai_table::fold::Table;
use help::misread;
use questions::{Findings, Question};
use visit::{Begun, News, Notes, Visit, brief};

/// Answers updates.
pub struct Desk {
    ledger: Arc<Ledger>,
    minds: Arc<Minds>,
    post: Arc<Post>,
    letters: Arc<Letters>,
    hints: hint::Hints,
    pace: pace::Pace,
    /// Codes of tables are not to be found by trying.
    codes: pace::Pace,
    unkept: unkept::Unkept,
    /// Counts answers that nothing can be saved.
    unsaved: unsaved::Unsaved,
}

/// Of so many requests one may be for a table that is somewhere else.
const CODES: u32 = 24;

/// Whether words in answer to a board are an attempt to move: people also talk about the game. In a
/// group only what is understood, or looks like a move that was mistyped, gets an answer.
fn is_attempt(table: &Table, update: &Update) -> bool {
    let Body::Text { text, .. } = &update.body else { return true };
    let text = request::words(text);
    let Some(seat) = table.seats_of(&update.person.id).next() else { return false };
    let understood =
        table.game.as_deref().is_some_and(|it| it.guess(Seat(seat), text, vocabulary()).is_some());
    let short = text.split_whitespace().count() <= 3 && text.chars().count() <= 24;
    let alone = update.place.kind == PlaceKind::Private;
    understood || (short && (alone || looks_like_move(text)))
}

/// Whether a text may be a move that was mistyped. Smileys, scores and questions have digits too:
/// `<3`, `8)`, `+1`, `7?`.
fn looks_like_move(text: &str) -> bool {
    let is_sign = |it: char| it.is_alphanumeric() || is_of_moves(it);
    let text = text.trim().trim_end_matches(['.', '!']);
    text.starts_with(is_sign) && text.ends_with(is_sign) && text.contains(is_of_moves)
}

/// Whether moves of any game are written with this character: a number, or a suit of cards.
fn is_of_moves(sign: char) -> bool {
    sign.is_numeric() || matches!(sign, '♠'..='♧')
}

fn is_command(body: &Body) -> bool {
    matches!(body, Body::Text { text, .. } if text.trim_start().starts_with('/'))
}

impl Desk {
    /// An open desk.
    pub fn new(
        ledger: Arc<Ledger>,
        minds: Arc<Minds>,
        post: Arc<Post>,
        letters: Arc<Letters>,
    ) -> Arc<Self> {
        let per_minute = ledger.limits().requests_per_minute;
        let pace = pace::Pace::new(per_minute, ledger.clock().clone());
        let codes = pace::Pace::new(per_minute / CODES, ledger.clock().clone());
        let (hints, unkept, unsaved) = Default::default();
        Arc::new(Desk { ledger, minds, post, letters, hints, pace, codes, unkept, unsaved })
    }

    /// Handles an update and answers the person who caused it. It waits for no engine and no
    /// network: an answer that needs them comes later.
    pub async fn answer(self: &Arc<Self>, update: &Update) -> Heard {
        self.answer_with(update, Findings::default()).await
    }

    /// Handles an update with the findings of earlier attempts.
    async fn answer_with(self: &Arc<Self>, update: &Update, findings: Findings) -> Heard {
        let mut hearer = Hearer {
            reader: stranger(update),
            person: update.person.id.clone(),
            findings: findings.clone(),
            question: None,
        };
        let input = Input::Update(update.id.clone(), named_table(update));
        let done = self.ledger.guarded(&input, self.acted(update, None, &mut hearer)).await;
        if let (Ok(Ok(_)), Some(question)) = (&done, hearer.question.take()) {
            // No clock waits for an engine or a network.
            let arrival = update.arrival.handled();
            let update = Update { arrival, ..update.clone() };
            return Heard::later(self.clone().later(update, findings, question));
        }
        let kept = !matches!(done, Ok(Err(Failure::Store(_))));
        let notes = match done {
            Ok(Ok(notes)) => notes,
            Ok(Err(failure)) => match failure {
                Failure::Damaged(..) => {
                    tracing::error!(update = %update.id, %failure, "failed to act on an update");
                    brief("refuse-table-damaged")
                }
                Failure::Store(_) => {
                    self.unsaved.count(&failure, self.ledger.clock().monotonic_ms());
                    brief("refuse-unsaved")
                }
            },
            Err(_) => brief("refuse-table-damaged"),
        };
        let told = self.letters.whispers(&update.id, &hearer.reader, notes).await;
        told.iter().for_each(|it| self.post.shows_alone(&hearer.person, it));
        Heard::now(told, kept)
    }

    /// Says that nothing is done any more: what comes now is for the next process.
    pub async fn closed(&self, update: &Update) -> Heard {
        let (reader, notes) = (stranger(update), brief("refuse-trouble"));
        Heard::now(self.letters.whispers(&update.id, &reader, notes).await, false)
    }

    /// Answers an update while the store is unavailable.
    pub async fn unsaved(&self, update: &Update) -> Heard {
        self.count_silence();
        let told = match update.body {
            Body::Text { .. } | Body::Press { .. } => {
                let (reader, notes) = (stranger(update), brief("refuse-unsaved"));
                self.letters.whispers(&update.id, &reader, notes).await
            }
            // No person waits for an answer.
            Body::Added
            | Body::Removed
            | Body::Deleted
            | Body::Moved { .. }
            | Body::Left { .. }
            | Body::Came { .. } => Vec::new(),
        };
        Heard::now(told, false)
    }

    fn count_silence(&self) {
        let silent_ms = self.ledger.store_silent_ms();
        let why = format!("the store has not answered for {silent_ms} ms");
        self.unsaved.count(&why, self.ledger.clock().monotonic_ms());
    }

    /// Acts on an update; `account` is by which it was said if `update` names the person behind
    /// it.
    async fn acted(
        &self,
        update: &Update,
        account: Option<&PersonId>,
        hearer: &mut Hearer,
    ) -> Notes {
        if self.came_or_went(update).await? {
            return Ok(Vec::new());
        }
        let place = &update.place.id;
        let request = request::read(&update.body, update.place.kind);
        if request.is_none() && !matches!(update.body, Body::Added) {
            return Ok(Vec::new());
        }
        let begun = Visit::begin(&self.ledger, update, account, request.as_ref()).await?;
        let mut visit = match begun {
            Begun::Visit(visit) => visit,
            Begun::Behind(id, news) => {
                if news.person {
                    self.ledger.keep_person(&update.person).await?;
                }
                let person = Person { id, ..update.person.clone() };
                let by_them = Update { person, ..update.clone() };
                let account = Some(&update.person.id);
                return Box::pin(self.acted(&by_them, account, hearer)).await;
            }
        };
        hearer.reader = visit.reader();
        hearer.person = update.person.id.clone();
        visit.findings = std::mem::take(&mut hearer.findings);
        let mut notes = Vec::new();
        if request.is_none() {
            self.keep_news(&mut visit).await?;
        }
        let is_new = matches!(update.body, Body::Added) && !visit.was_gone;
        if is_new && update.place.kind == PlaceKind::Group && self.post.manners(place).greets {
            self.greet(&mut visit).await?;
        }
        if let Some(request) = request {
            notes = match self.welcome(&mut visit, &request).await? {
                Welcome::Answer(notes) => return Ok(notes),
                Welcome::In => {
                    self.keep_news(&mut visit).await?;
                    self.requested(&mut visit, request).await?
                }
            };
            hearer.reader = visit.reader();
            if visit.question.is_some() {
                hearer.question = visit.question.take();
                return Ok(Vec::new());
            }
            if !notes.is_empty()
                && let Some(answered) = self.answered(update).await?
            {
                // The same update was acted on while this one waited for the table: what is told
                // now would be about its own deed.
                notes = answered.notes;
            }
        }
        self.back_again(&mut visit, &mut notes).await?;
        self.keep_afterwards(&mut visit).await;
        Ok(notes)
    }

    /// Stores what the update says about the person and the place.
    async fn keep_news(&self, visit: &mut Visit<'_>) -> Result<(), Failure> {
        let News { person, place } = std::mem::take(&mut visit.news);
        if person && visit.account == visit.update.person.id {
            self.ledger.keep_person(&visit.update.person).await?;
        }
        if place {
            let speaker = visit.person.lang.or(visit.person.guess);
            let here = &visit.update.place;
            let heard = |it: &mut PlaceProfile| hear_place(it, here, speaker);
            visit.place.set_own(self.ledger.change(Slot::place(&here.id), heard).await?);
        }
        Ok(())
    }

    /// Ends the vacation of a person who does what only present players do: the commit also changes
    /// their profile.
    async fn end_vacation(
        &self,
        visit: &mut Visit<'_>,
        commit: &mut Commit,
    ) -> Result<(), Failure> {
        let own = &visit.update.person.id;
        if visit.person.vacation(visit.now_ms).is_none() && visit.came_home.is_none() {
            return Ok(());
        }
        let stored = self.ledger.stored(Slot::person(own)).await?;
        let mut profile = stored.value().clone();
        profile.come_home(visit.now_ms);
        stored.set(&profile, commit);
        visit.came_home = Some(own.clone());
        visit.person_is(profile);
        Ok(())
    }

    /// Stores in profiles what follows from a committed action. A failure here does not undo it.
    async fn keep_afterwards(&self, visit: &mut Visit<'_>) {
        if let Some(clock) = visit.clock.take() {
            let chosen = |it: &mut PlaceProfile| it.clock = Some(clock.clone());
            let kept = self.ledger.change(Slot::place(&visit.update.place.id), chosen).await;
            if let Err(failure) = kept {
                tracing::error!(%failure, "could not keep the clock of a chat");
            }
        }
        if let Some(person) = visit.came_home.take() {
            // Tables where this fails learn it with the person's next move there.
            if let Err(failure) = self.ledger.came_home(&person).await {
                let person = person.0;
                tracing::error!(person, %failure, "could not note that a person is back");
            }
        }
    }

    /// Notes who and what has come, gone or moved; whether the update said nothing else. Each
    /// update is noted once: when it is delivered again, what it says may no longer be so.
    async fn came_or_went(&self, update: &Update) -> Result<bool, Failure> {
        let place = &update.place.id;
        let is_known = match &update.body {
            Body::Text { .. } | Body::Press { .. } => return Ok(false),
            Body::Added => {
                self.ledger.report_member(update, None).await?;
                return Ok(false);
            }
            _ if self.answered(update).await?.is_some() => return Ok(true),
            Body::Moved { to } => self.ledger.move_place(place, to).await.map(|()| true)?,
            Body::Removed => {
                if let Some(newest) = self.ledger.report_member(update, None).await? {
                    self.ledger.place_gone(place, &newest).await?;
                }
                true
            }
            Body::Deleted => self.ledger.place_deleted(place).await.map(|()| true)?,
            Body::Left { who, .. } => self.went(update, std::slice::from_ref(who)).await?,
            Body::Came { who } => self.went(update, who).await?,
        };
        // A person who never wrote to the bot is at no table.
        if is_known {
            let now_ms = self.ledger.now_ms();
            let answered = Answered { at_ms: now_ms, notes: vec![] };
            let done = put(Space::Seen, update.id.clone(), &answered);
            self.ledger.keep(vec![done.until(now_ms + self.ledger.limits().seen_ms)]).await?;
        }
        Ok(true)
    }

    /// Notes at their tables that these people have left a place or returned to it; whether the bot
    /// knows any of them.
    async fn went(&self, update: &Update, who: &[PersonId]) -> Result<bool, Failure> {
        let place = &update.place.id;
        let mut is_known = false;
        for who in who {
            if self.ledger.value(Space::Person, &who.0).await?.is_none() {
                continue;
            }
            is_known = true;
            let newest = self.ledger.report_member(update, Some(who)).await?;
            let Some(newest) = newest else { continue };
            match &update.body {
                Body::Left { how, .. } => {
                    self.ledger.person_left(place, who, *how, &newest).await?;
                }
                _ => self.ledger.person_came(place, who, &newest).await?,
            }
        }
        Ok(is_known)
    }

    /// Whether an update is to be acted on at all.
    async fn welcome(&self, visit: &mut Visit<'_>, request: &Request) -> Result<Welcome, Failure> {
        if !self.is_meant(visit, request).await? {
            return Ok(Welcome::Answer(Vec::new()));
        }
        if let Some(answered) = visit.answered.take() {
            return Ok(Welcome::Answer(answered.notes));
        }
        if !visit.findings.is_empty() {
            // The first attempt has been let in.
            return Ok(Welcome::In);
        }
        let person = &visit.update.person;
        Ok(match person.kind {
            PersonKind::Anonymous => Welcome::Answer(brief("refuse-anonymous")),
            PersonKind::Bot => Welcome::Answer(brief("refuse-bot")),
            PersonKind::Human if !self.pace.allows(&person.id) => {
                Welcome::Answer(brief("refuse-too-fast"))
            }
            PersonKind::Human if self.slid(visit).await => {
                let notes = brief("refuse-slid");
                // Given again it must not act after all.
                let _ = self.enter(visit, Vec::new(), Commit::default(), &notes).await?;
                Welcome::Answer(notes)
            }
            PersonKind::Human => Welcome::In,
        })
    }

    /// Whether a button has just slid under the finger that presses it. What another process has
    /// shown is not known here: then whoever has just acted cannot have seen yet what came of it.
    async fn slid(&self, visit: &Visit<'_>) -> bool {
        let Body::Press { press, message: Some(message) } = &visit.update.body else {
            return false;
        };
        let Some(TablePress { table, ask }) = TablePress::read(press) else { return false };
        let (person, place) = (&visit.update.person.id, &visit.update.place.id);
        let slot = hands::slot_of(&table);
        if let Some(slid) = self.post.slid(person, (place, message), &slot, press) {
            return slid;
        }
        let Ask::Do(_) = ask else { return false };
        let now_ms = self.ledger.now_ms();
        self.ledger.look(&table).await.ok().flatten().is_some_and(|table| {
            table.acted_ms_of(person).is_some_and(|at| (at..at + SLIDING_MS).contains(&now_ms))
        })
    }

    /// Whether words that answer a message answer one of ours: people talk to each other too.
    async fn is_meant(&self, visit: &Visit<'_>, request: &Request) -> Result<bool, Failure> {
        let Request::Table { which: Which::Message(_), ask, .. } = request else {
            return Ok(true);
        };
        if !matches!(ask, Ask::Do(Command::Play { .. })) || is_command(&visit.update.body) {
            return Ok(true);
        }
        let Some(id) = &visit.answers else { return Ok(false) };
        let Ok(Some(table)) = self.ledger.look(id).await else { return Ok(true) };
        Ok(is_attempt(&table, visit.update))
    }

    /// What was learned is kept if nothing was committed on the way; a place that could not be
    /// spoken to can be again.
    async fn back_again(
        &self,
        visit: &mut Visit<'_>,
        notes: &mut Vec<Note>,
    ) -> Result<(), Failure> {
        let place = &visit.update.place.id;
        let mut puts = std::mem::take(&mut visit.learned);
        let was_mute = visit.lacked.is_some();
        if let Some(rights) = visit.lacked.take() {
            let rights = Arg::Names(rights);
            notes.push(Note::brief(Text::new("answer-lacked-rights").with("rights", rights)));
            puts.push(cut(Space::Meta, keys::mute(place)));
        }
        self.ledger.keep(puts).await?;
        if visit.was_gone {
            self.ledger.wake_chat(place.chat());
            if visit.update.place.kind == PlaceKind::Private
                && let Some(newest) = self.ledger.since_reports(visit.update).await?
            {
                self.ledger.person_came(place, &visit.update.person.id, &newest).await?;
            }
        }
        if was_mute {
            self.ledger.wake(place);
        }
        Ok(())
    }

    async fn answered(&self, update: &Update) -> Result<Option<Answered>, Failure> {
        let seen = self.ledger.value(Space::Seen, &update.id).await?;
        Ok(seen.map(|bytes| parse(Some(bytes))))
    }

    async fn requested(&self, visit: &mut Visit<'_>, request: Request) -> Notes {
        match request {
            Request::Table { which, ask, typed } => self.on_table(visit, which, ask, typed).await,
            Request::Open(wanted) => self.open(visit, wanted).await,
            Request::Play => self.choice_of_games(visit).await,
            Request::Games => self.games_of(visit).await,
            Request::Await { game } => self.await_game(visit, game).await,
            Request::Alone { game } => Ok(vec![self.alone(visit, game)]),
            Request::UnclearClock => Ok(vec![clocks::refusal()]),
            Request::Misread { game, word, near } => Ok(vec![misread(game, word, near)]),
            Request::Start => self.start(visit).await,
            Request::Help { page: 0 } => Ok(vec![self.welcome_note(visit)]),
            Request::Help { page } => Ok(vec![self.help(visit, page)]),
            Request::Rules { game, page, answer } => {
                self.course(visit, game, page.as_deref(), answer.as_deref()).await
            }
            Request::Settings { wish, paged, chat } => {
                self.settings(visit, wish, paged, chat).await
            }
            Request::Meet { wanted, code } => self.meet(visit, &wanted, &code).await,
            Request::Shared { table, code, watches } => {
                self.shared(visit, &table, &code, watches).await
            }
            Request::Link(wish) => self.linking(visit, wish).await,
            Request::Page(table) => self.page_of(visit, table).await,
            Request::PageOff => self.page_off(visit).await,
            Request::Launch => self.launch_here(visit).await,
            Request::Confirm => Ok(vec![Self::confirming(visit)]),
            Request::Unknown { name, near } => Ok(vec![Note::brief(match near {
                Some(near) => {
                    Text::new("refuse-unknown-command-near").with("name", name).with("near", near)
                }
                None => Text::new("refuse-unknown-command").with("name", name),
            })]),
            Request::Lessons => Ok(vec![help::which_rules()]),
            Request::Unsure { command, words } => {
                let text = Text::new("refuse-words-behind").with("command", command);
                Ok(vec![Note::brief(text.with("words", words))])
            }
            Request::Disarm => self.disarm(visit).await,
            Request::OldButton => Ok(brief("refuse-old-button")),
            Request::Chatter(words) => self.chatter(visit, words).await,
        }
    }

    /// Writes what an update did. [`Entered::Conflict`] when it turns out that it was done before,
    /// or that a table changed meanwhile.
    async fn enter(
        &self,
        visit: &mut Visit<'_>,
        deeds: Vec<Deed<'_>>,
        mut commit: Commit,
        notes: &[Note],
    ) -> Result<Entered, Failure> {
        let id = visit.update.id.clone();
        if deeds.iter().any(|it| vacation::shows_up(&it.decision, &visit.update.person.id)) {
            self.end_vacation(visit, &mut commit).await?;
        }
        let after = deeds.iter().map(|it| &it.decision.next);
        let tables: Vec<(PlaceId, TableId, u64)> = after
            .clone()
            .map(|it| (visit.place_of(it).clone(), it.id.clone(), it.version))
            .collect();
        let places: Vec<PlaceId> = after.flat_map(Table::places).cloned().collect();
        commit.expect.push(Expect::absent(Space::Seen, id));
        if deeds.iter().any(|it| linking::names_people(&it.decision)) {
            // An account that is linked meanwhile must not sit down under its own name.
            visit.links.require(&mut commit);
        }
        commit.puts.push(visit.seen(notes, self.ledger.limits().seen_ms));
        commit.puts.extend(visit.learned.iter().cloned());
        let entered = match self.ledger.enter(deeds, commit).await {
            Ok(entered) => entered,
            Err(failure) => {
                // Whether it happened all the same is seen by what it would have written.
                if self.answered(visit.update).await.ok().flatten().is_none() {
                    return Err(failure);
                }
                places.iter().for_each(|place| self.ledger.wake(place));
                Entered::Done
            }
        };
        if entered == Entered::Done {
            // Somebody waits to see it.
            for (place, table, version) in &tables {
                let person = &visit.update.person.id;
                self.post.done(person, (table, place), *version, visit.began_ms);
            }
            metrics::counter!("caravanserai_commits_total").increment(1);
            visit.learned.clear();
        }
        Ok(entered)
    }

    /// Hands are shown in another way in this place from now on: the boards of tables with hands
    /// get the buttons for it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn means_changed(&self, place: &PlaceId) -> Result<(), Failure> {
        let anew = self.boards_anew(place, caravanserai_protocol::hands::are_dealt).await?;
        self.ledger.keep(anew).await
    }
}

/// Who is told what came of an update, and how they read it.
struct Hearer {
    reader: Reader,
    person: PersonId,
    /// The findings for the update.
    findings: Findings,
    /// The question whose answer it needs first.
    question: Option<Question>,
}

/// Whether an update is to be acted on.
enum Welcome {
    /// It is.
    In,
    /// This is all it gets.
    Answer(Vec<Note>),
}

/// The table that an update names, before anything is read.
fn named_table(update: &Update) -> Option<TableId> {
    match request::read(&update.body, update.place.kind) {
        Some(Request::Table { which: Which::Id(table), .. }) => Some(table),
        Some(_) | None => None,
    }
}

/// How to show something to somebody of whom nothing is known.
fn stranger(update: &Update) -> Reader {
    let guess = update.person.locale.as_deref().and_then(Lang::of_locale);
    PersonProfile { guess, ..PersonProfile::default() }.reads(&PlaceProfile::default())
}
