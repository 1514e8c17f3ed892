//! What is asked of one table: hold it, decide, commit, wake the senders.

use super::hands::{hands_to_show, viewer};
use super::hear::{Heard, Notes, say};
use super::outbox::{BoardTask, call_put, hand_put};
use super::tables::{Held, advanced};
use super::which::Meant;
use super::{Failure, Inner, keys, settings};
use crate::chat::Body;
use crate::chat::note::Note;
use crate::chat::press::Ask;
use crate::chat::request::Which;
use crate::chat::{hands, levels, lobby, offers, panels, present};
use crate::i18n::vocabulary;
use crate::ids::MessageId;
use crate::rules::Seat;
use crate::store::{Append, Commit, Put, Space};
use crate::table::command::{Choice, Command};
use crate::table::event::{Event, Line};
use crate::table::fold::{Phase, Table};
use crate::table::{self, Decision, Refusal};
use crate::words::Text;

/// How often a command is decided anew when somebody else was first.
const TRIES: usize = 3;

impl Inner {
    pub(super) async fn on_table(
        &self,
        heard: &mut Heard<'_>,
        which: Which,
        ask: Ask,
        typed: bool,
    ) -> Notes {
        let id = match self.which(heard, which, &ask).await? {
            Meant::Table(id) => id,
            Meant::Answer(notes) => return Ok(notes),
        };
        if self.broken.lock().expect("nothing panics while holding this lock").contains(&id) {
            return Ok(say("refuse-table-damaged"));
        }
        let Some(held) = self.hold(&id).await? else {
            let text = Text::new("refuse-unknown-table").with("table", id.0);
            return Ok(vec![Note::brief(text)]);
        };
        if !concerns(held.table(), heard) {
            let text = Text::new("refuse-unknown-table").with("table", id.0);
            return Ok(vec![Note::brief(text)]);
        }
        self.on_held(heard, held, ask, typed).await
    }

    async fn on_held(&self, heard: &mut Heard<'_>, held: Held, ask: Ask, typed: bool) -> Notes {
        match ask {
            Ask::Board => self.bring_down(heard, held).await,
            Ask::Text => Ok(self.own_text(heard, held.table(), viewer(held.table(), heard))),
            Ask::View => Ok(self.own_view(heard, held.table())),
            Ask::Record => Ok(record(held.table())),
            Ask::Replay => self.ask_replay(heard, held).await,
            Ask::Chart => Ok(self.chart_of(held.table())),
            Ask::Options { page } => Ok(vec![panels::options(held.table(), page)]),
            Ask::Set { page, setting } => {
                let command = Command::Vary(setting);
                self.arrange(heard, held, command, |it| panels::options(it, page)).await
            }
            Ask::More { page } => Ok(self.more(heard, held.table(), page)),
            Ask::Menu => {
                let person = self.person(&heard.update.person.id).await?;
                Ok(vec![panels::menu(held.table(), person.confirm)])
            }
            Ask::Hint => self.hint(heard, held).await,
            Ask::Review => self.ask_review(heard, held).await,
            Ask::Moment { n } => self.moment(heard, held.table(), n).await,
            Ask::Levels => Ok(vec![levels::levels(held.table())]),
            Ask::Level { place, level } => {
                let command = match place {
                    Some(place) => Command::Relevel { place, level },
                    None => Command::AddComputer(level),
                };
                self.arrange(heard, held, command, levels::levels).await
            }
            Ask::Guests => Ok(vec![lobby::guests(held.table())]),
            Ask::StandIns => Ok(vec![offers::stand_ins(held.table(), &heard.update.person.id)]),
            Ask::Named { deed, who } => {
                let meant = self.concerning(heard, held.table(), deed, &who).await?;
                self.attempt(heard, held, meant, typed).await
            }
            Ask::Sheet(name) => {
                let sheet = panels::sheet(held.table(), &name, viewer(held.table(), heard));
                Ok(sheet.map_or_else(|| say("refuse-no-sheet"), |it| vec![it]))
            }
            Ask::Hand => Ok(self.own_hand(heard, held.table())),
            Ask::Slot { position, n } => {
                let meant = self.slot_play(heard, held.table(), position, n);
                self.attempt(heard, held, meant, typed).await
            }
            Ask::Do(command) => {
                let meant = meant(held.table(), command, typed);
                self.attempt(heard, held, meant, typed).await
            }
        }
    }

    /// Words said to the bot alone: a move at the one table where they mean something now.
    pub(super) async fn chatter(&self, heard: &mut Heard<'_>, words: String) -> Notes {
        let person = heard.update.person.id.clone();
        let mut meant = Vec::new();
        for id in self.tables_of(&person).await? {
            let Ok(Some(held)) = self.hold(&id).await else { continue };
            let table = held.table();
            let own = table.turn().filter(|turn| table.seats_of(&person).any(|it| it == *turn));
            let game = table.game.as_deref();
            if own.and_then(|seat| game?.guess(Seat(seat), &words, vocabulary())).is_some() {
                meant.push(id);
            }
        }
        let [id] = meant.as_slice() else { return Ok(say("refuse-chatter")) };
        let choice = Choice::Typed(words);
        let ask = Ask::Do(Command::Play { position: None, choice });
        Box::pin(self.on_table(heard, Which::Id(id.clone()), ask, true)).await
    }

    /// Does what was understood, after asking back where that is wanted, or tells why not.
    async fn attempt(
        &self,
        heard: &mut Heard<'_>,
        held: Held,
        meant: Result<Command, Refusal>,
        typed: bool,
    ) -> Notes {
        match meant {
            Ok(command) => {
                if !typed && let Some(asked) = self.asks_back(heard, held.table(), &command).await?
                {
                    return Ok(vec![asked]);
                }
                self.command(heard, held, command, &|it, _| acknowledged(it, typed)).await
            }
            Err(refusal) => self.refused(heard, held, refusal).await,
        }
    }

    /// Changes something in the lobby from a page and shows the page again, unless the game began
    /// thereby.
    async fn arrange(
        &self,
        heard: &mut Heard<'_>,
        held: Held,
        command: Command,
        page: impl Fn(&Table) -> Note + Sync,
    ) -> Notes {
        let after = |next: &Table| (next.phase == Phase::Lobby).then(|| page(next));
        self.command(heard, held, command, &|decision, next| {
            acknowledged(decision, false).into_iter().chain(after(next)).collect()
        })
        .await
    }

    async fn bring_down(&self, heard: &mut Heard<'_>, held: Held) -> Notes {
        let task = BoardTask { down: true };
        let commit = Commit { puts: vec![task.put(held.table())], ..Commit::default() };
        let place = held.table().place().clone();
        let notes = if place == heard.update.place.id {
            Vec::new()
        } else {
            vec![Note { texts: vec![Text::new("answer-board-down")], ..shown(held.table()) }]
        };
        self.commit_heard(heard, commit, &notes).await?;
        drop(held);
        self.wake(&place);
        Ok(notes)
    }

    async fn command(
        &self,
        heard: &mut Heard<'_>,
        mut held: Held,
        command: Command,
        told: &(dyn Fn(&Decision, &Table) -> Vec<Note> + Sync),
    ) -> Notes {
        let actor = heard.actor();
        let id = held.table().id.clone();
        for _ in 0..TRIES {
            let decision = match table::decide(held.table(), &actor, &command) {
                Ok(decision) => decision,
                Err(refusal) => return self.refused(heard, held, refusal).await,
            };
            if decision.rematch {
                let notes = told(&decision, held.table());
                if self.rematch(heard, &mut held, &notes).await?.is_some() {
                    return Ok(notes);
                }
            } else if let Some(notes) = self
                .record_events(heard, &mut held, &decision.events, &|next| told(&decision, next))
                .await?
            {
                return Ok(notes);
            }
            // Conflict: either this very update was acted on before, or the table changed.
            if let Some(answered) = self.answered(heard.update).await? {
                return Ok(answered.notes);
            }
            held.forget();
            match self.hold(&id).await? {
                Some(again) => held = again,
                None => return Ok(say("refuse-trouble")),
            }
        }
        Ok(say("refuse-busy"))
    }

    /// Commits events of one table and gives what the actor is told, `told` of the table as it is
    /// then. `None` on conflict; nothing
    /// has happened then.
    pub(super) async fn record_events(
        &self,
        heard: &mut Heard<'_>,
        held: &mut Held,
        events: &[Event],
        told: &(dyn Fn(&Table) -> Vec<Note> + Sync),
    ) -> Result<Option<Vec<Note>>, Failure> {
        let lines = self.lines(heard, held.table().version, events);
        let next = advanced(held.table(), &lines)?;
        let mut notes = told(&next);
        let hinted = matches!(events, [Event::Hinted { .. }]);
        let hand = if hinted { None } else { self.hand_after(heard, held, &next).await? };
        let answered = hand.as_ref().map(|(seat, _)| *seat);
        notes.extend(hand.map(|(_, note)| note));
        let mut puts = listed(held.table(), &next);
        puts.push(BoardTask { down: false }.put(&next));
        puts.extend(hands_to_show(held.table(), &next, events, answered));
        puts.extend(newcomers_hands(&next, events));
        puts.extend(called_at_once(&next, events));
        puts.extend(self.due_call(&next, heard.now_ms));
        let append = Append {
            table: held.table().id.0.clone(),
            expect: held.table().version,
            lines: lines.iter().map(Line::write).collect(),
        };
        let commit = Commit { appends: vec![append], puts, ..Commit::default() };
        if self.commit_heard(heard, commit, &notes).await?.is_none() {
            return Ok(None);
        }
        let place = next.place().clone();
        let thinks = self.think(&next);
        held.replace(next);
        self.wake_unless(thinks, &place);
        self.due.send_modify(|it| *it += 1);
        Ok(Some(notes))
    }

    /// Events as the next lines of a log of `version` lines.
    pub(super) fn lines(&self, heard: &Heard<'_>, version: u64, events: &[Event]) -> Vec<Line> {
        let cause = &heard.update.id;
        (version..)
            .zip(events)
            .map(|(number, event)| Line {
                number,
                at_ms: heard.now_ms,
                cause: cause.clone(),
                event: event.clone(),
            })
            .collect()
    }

    /// What shows the presser of an old button how things stand: the board, brought down if they
    /// looked at a board further up, and for a button of their own hand the hand.
    async fn shown_anew(&self, heard: &Heard<'_>, table: &Table) -> Result<Vec<Put>, Failure> {
        let Some(message) = pressed(heard) else {
            return Ok(vec![BoardTask { down: false }.put(table)]);
        };
        let key = keys::message(&heard.update.place.id, message);
        let is_board = self.store.get(Space::Message, &key).await?.is_some();
        let live = self.live_board(table).await?;
        let down = is_board && live.is_some_and(|live| live != *message);
        let mut puts = vec![BoardTask { down }.put(table)];
        if !is_board && hands::are_dealt(table) && !table.is_solo() {
            let own = table.seats_of(&heard.update.person.id);
            puts.extend(own.map(|seat| hand_put(table, seat)));
        }
        Ok(puts)
    }

    /// Tells why not. Who looked at an old board gets the current one.
    pub(super) async fn refused(
        &self,
        heard: &mut Heard<'_>,
        held: Held,
        refusal: Refusal,
    ) -> Notes {
        let text = present::seated(held.table(), refusal.text);
        let notes = vec![Note::brief(text)];
        if !heard.is_press() {
            // Words mean "now": said again later by the platform they must not act after all.
            self.commit_heard(heard, Commit::default(), &notes).await?;
        }
        if refusal.stale && heard.is_press() {
            let puts = self.shown_anew(heard, held.table()).await?;
            let place = held.table().place().clone();
            self.commit_heard(heard, Commit { puts, ..Commit::default() }, &notes).await?;
            drop(held);
            self.wake(&place);
        }
        Ok(notes)
    }
}

/// The message whose button was pressed, if the platform says.
pub(super) fn pressed<'a>(heard: &'a Heard<'_>) -> Option<&'a MessageId> {
    match &heard.update.body {
        Body::Press { message, .. } => message.as_ref(),
        Body::Text { .. } | Body::Added | Body::Removed | Body::Moved { .. } => None,
    }
}

/// Whether a table is any business of this person: it stands where they speak, or they play.
fn concerns(table: &Table, heard: &Heard<'_>) -> bool {
    let person = &heard.update.person.id;
    table.place().chat() == heard.update.place.id.chat()
        || table.setup.opener == *person
        || table.seats_of(person).next().is_some()
}

/// The board as a picture for one person.
fn shown(table: &Table) -> Note {
    Note { picture: Some(present::picture(table)), ..Note::default() }
}

fn record(table: &Table) -> Vec<Note> {
    if !matches!(table.phase, Phase::Over { .. }) {
        return say("refuse-no-record");
    }
    let texts = vec![Text::new("answer-record").with("table", table.id.0.as_str())];
    vec![Note { texts, record_of: Some(table.id.0.clone()), ..Note::default() }]
}

/// What a general yes or no means at this table: before the start it answers the invitation.
///
/// # Errors
/// When it comes too late to mean anything.
fn meant(table: &Table, command: Command, typed: bool) -> Result<Command, Refusal> {
    Ok(match command {
        Command::Answer { offer: None, accept } if table.phase == Phase::Lobby => {
            if accept {
                Command::Join
            } else {
                Command::Refuse
            }
        }
        // Two pressed for the last seat. Asking for a seat in play is another button.
        Command::Join if table.phase == Phase::Playing && !typed => {
            let text = Text::new("refuse-already-started");
            return Err(Refusal { text, stale: true });
        }
        other => other,
    })
}

/// What is said besides the board. A move needs no words: everybody sees it.
fn acknowledged(decision: &Decision, typed: bool) -> Vec<Note> {
    match decision.events.as_slice() {
        [Event::Offered { .. } | Event::Proposed { .. }] if !typed => say("answer-offered"),
        [Event::Agreed { .. } | Event::Welcomed { .. }] if !typed => say("answer-agreed"),
        [Event::Reminded] => say("answer-reminded"),
        [Event::Extended] => say("answer-extended"),
        [Event::Declined { .. }] if !typed => say("answer-declined"),
        _ => Vec::new(),
    }
}

/// Whoever took over a seat is shown its hand from now on.
pub(super) fn newcomers_hands(next: &Table, events: &[Event]) -> Vec<Put> {
    let hand = |event: &Event| match event {
        Event::Replaced { seat, .. } if !next.is_computer(*seat) => Some(hand_put(next, *seat)),
        _ => None,
    };
    let shown = hands::are_dealt(next) && !next.is_solo();
    events.iter().filter_map(hand).filter(|_| shown).collect()
}

/// Whoever is to be called at once.
fn called_at_once(next: &Table, events: &[Event]) -> Option<Put> {
    events.contains(&Event::Reminded).then(|| call_put(next, offers::reminder(next)))
}

/// What changes in the lists of open and of last tables, and in the head.
pub(super) fn listed(before: &Table, after: &Table) -> Vec<Put> {
    let mut puts = index_change(&index_of(before), &index_of(after));
    puts.push(head(after));
    if let Phase::Over { .. } = after.phase {
        let (place, people) = (after.place(), after.people());
        let own = people.into_iter().map(|person| keys::last_table_of(place, person));
        for key in own.chain([keys::last_table(place)]) {
            puts.push(Put::new(Space::Meta, key, after.id.0.clone()));
        }
    }
    puts
}

/// Where an open table is listed.
pub(super) fn index_of(table: &Table) -> Vec<(Space, String)> {
    if !table.is_open() {
        return Vec::new();
    }
    let mut keys = vec![(Space::PlaceTable, keys::place_table(table.place(), &table.id))];
    for person in table.people() {
        let key = (Space::PersonTable, keys::person_table(person, &table.id));
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

/// The puts that lead from one list of places to another.
pub(super) fn index_change(before: &[(Space, String)], after: &[(Space, String)]) -> Vec<Put> {
    let gone = before.iter().filter(|it| !after.contains(it));
    let new = after.iter().filter(|it| !before.contains(it));
    gone.map(|(space, key)| settings::cut(*space, key.clone()))
        .chain(new.map(|(space, key)| Put::new(*space, key.clone(), Vec::new())))
        .collect()
}

/// What lists need without reading the log.
#[derive(serde::Serialize)]
struct Head<'a> {
    version: u64,
    format: u16,
    game: &'a str,
    revision: u16,
    place: &'a str,
    open: bool,
    seats: Vec<&'a str>,
    turn: Option<u8>,
}

pub(super) fn head(table: &Table) -> Put {
    let head = Head {
        version: table.version,
        format: table.setup.format,
        game: table.game_id().info().code,
        revision: table.setup.revision,
        place: &table.place().0,
        open: table.is_open(),
        seats: table.people().iter().map(|it| it.0.as_str()).collect(),
        turn: table.turn(),
    };
    settings::put(Space::Head, table.id.0.clone(), &head)
}
