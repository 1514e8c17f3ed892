//! What is decided and not yet said: one sender for each place, newest board wins.
//!
//! An entry is removed only after the platform took the message, so a crash in between says it
//! again: an edit shows the same, and a post carries a nonce for platforms that know copies.

use serde::{Deserialize, Serialize};

use super::settings::{cut, parse, put};
use super::{Failure, Inner, keys};
use crate::chat::note::Note;
use crate::chat::{MessageId, Outgoing, PlaceId, Platform, SendError, present};
use crate::store::{Commit, Put, Space};
use crate::table::event::TableId;
use crate::table::fold::Table;
use crate::words::Text;

/// At most so many entries are looked at together.
const PAGE: usize = 100;

/// How long a failed call waits before it is tried again: doubled each time, in milliseconds.
const BACK_OFF_MS: u64 = 1_000;
const BACK_OFF_MAX_MS: u64 = 5 * 60_000;

/// After so many failures in a row a place is left alone until something is heard from it.
const FAILURES: u32 = 12;

/// The standing message of a table has to show what is now.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct BoardTask {
    /// Whether it is wanted at the bottom of the chat.
    pub(super) down: bool,
}

/// Somebody has to be called.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct CallTask {
    text: Option<Text>,
    version: u64,
}

/// The messages of a table in a place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct BoardState {
    /// The standing message.
    pub(super) message: Option<MessageId>,
    /// The table's version it shows.
    pub(super) shown: u64,
    /// How often it was posted anew: part of the nonce.
    pub(super) posts: u32,
    /// The message that calls somebody, taken away once they act.
    pub(super) call: Option<MessageId>,
    /// The table's version when they were called.
    pub(super) called: u64,
}

impl BoardTask {
    /// The entry, stored with what makes it necessary. The version is part of the key, so that
    /// an entry that came while an older one was being sent is not lost with it.
    pub(super) fn put(self, table: &Table) -> Put {
        let place = table.place();
        let down = if self.down { "down" } else { "show" };
        let key = format!("{} b {} {:016x} {down}", place.0, table.id.0, table.version);
        put(Space::Outbox, key, &self)
    }
}

/// The entry that calls somebody.
pub(super) fn call_put(table: &Table, text: Text) -> Put {
    let key = format!("{} c {} {:016x}", table.place().0, table.id.0, table.version);
    put(Space::Outbox, key, &CallTask { text: Some(text), version: table.version })
}

/// Entries of one table and kind in one place.
struct Work {
    table: TableId,
    kind: Kind,
    entries: Vec<String>,
    down: bool,
    call: CallTask,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Board,
    Call,
}

/// What a sender does next.
enum Next {
    /// Go on with the next entry.
    On,
    /// Wait so many milliseconds first.
    Wait(u64),
    /// It failed for now.
    Failed,
    /// Nothing can be said here.
    Stop,
}

impl Inner {
    /// Takes up what was not sent yet to places whose ids begin so: after a start everywhere,
    /// later in a chat with all its topics.
    pub(super) async fn resume_senders(&self, places: &str) -> Result<(), Failure> {
        let mut after: Option<String> = None;
        loop {
            let rows = self.store.scan(Space::Outbox, places, after.as_deref(), PAGE).await?;
            let Some((last, _)) = rows.last() else { return Ok(()) };
            after = Some(last.clone());
            for (key, _) in &rows {
                let place = key.split(' ').next().unwrap_or_default();
                self.wake(&PlaceId(place.to_owned()));
            }
        }
    }

    /// Makes sure a sender works for this place.
    pub(super) fn wake(&self, place: &PlaceId) {
        let mut senders = self.senders.lock().expect("nothing panics while holding this lock");
        if let Some(more) = senders.get_mut(place) {
            *more = true;
            return;
        }
        let Some(inner) = self.me.upgrade() else { return };
        senders.insert(place.clone(), false);
        self.begin_work();
        let place = place.clone();
        tokio::spawn(async move {
            inner.send_all(&place).await;
            inner.end_work();
        });
    }

    /// Whether the sender of this place may end; if something was added meanwhile, it may not.
    fn may_end(&self, place: &PlaceId) -> bool {
        let mut senders = self.senders.lock().expect("nothing panics while holding this lock");
        match senders.get_mut(place) {
            Some(more) if *more => {
                *more = false;
                false
            }
            Some(_) | None => {
                senders.remove(place);
                true
            }
        }
    }

    async fn send_all(&self, place: &PlaceId) {
        let Some(platform) = self.platform(place) else {
            // The platform is switched off in this run; its entries wait for another.
            self.senders.lock().expect("nothing panics while holding this lock").remove(place);
            return;
        };
        let mut failures = 0;
        loop {
            let next = match self.send_next(place, platform.as_ref()).await {
                Ok(Some(next)) => next,
                Ok(None) if self.may_end(place) => return,
                Ok(None) => continue,
                Err(failure) => {
                    tracing::error!(place = %place.0, %failure, "could not send");
                    Next::Failed
                }
            };
            let wait_ms = match next {
                Next::On => {
                    failures = 0;
                    0
                }
                Next::Wait(ms) => ms,
                Next::Failed => {
                    failures += 1;
                    (BACK_OFF_MS << failures.min(16)).min(BACK_OFF_MAX_MS)
                }
                Next::Stop => 0,
            };
            let give_up = matches!(next, Next::Stop) || failures > FAILURES;
            if give_up || !self.wait(wait_ms).await {
                self.senders.lock().expect("nothing panics while holding this lock").remove(place);
                return;
            }
        }
    }

    /// How long the place has to be left alone, if at all.
    fn must_wait_ms(&self, place: &PlaceId, platform: &dyn Platform) -> Option<u64> {
        let per_minute = platform.calls_per_minute(place);
        self.paces.wait_ms(place.chat(), per_minute, self.clock.now_ms())
    }

    /// Waits, unless the service stops meanwhile: then `false`.
    async fn wait(&self, ms: u64) -> bool {
        if ms > 0 {
            let mut stopping = self.stopping.subscribe();
            tokio::select! {
                () = self.clock.sleep_ms(ms) => {}
                _ = stopping.wait_for(|it| *it) => return false,
            }
        }
        true
    }

    /// Sends one thing; `None` when nothing is left.
    async fn send_next(
        &self,
        place: &PlaceId,
        platform: &dyn Platform,
    ) -> Result<Option<Next>, Failure> {
        let Some(work) = self.first_work(place).await? else { return Ok(None) };
        if self.place(place).await?.gone {
            return Ok(Some(Next::Stop));
        }
        if let Some(ms) = self.must_wait_ms(place, platform) {
            return Ok(Some(Next::Wait(ms)));
        }
        let (table, version) = match self.hold(&work.table).await {
            // The table may have gone to another place with its entries; these are leftovers.
            Ok(Some(held)) if held.table().place() == place => {
                (Some(held.table().copy()), held.table().version)
            }
            Ok(_) | Err(Failure::Damaged(..)) => (None, 0),
            Err(failure) => return Err(failure),
        };
        let Some(table) = table else {
            self.settle(work.entries, Vec::new()).await?;
            return Ok(Some(Next::On));
        };
        let key = keys::board(&table.id, place);
        let mut state: BoardState = parse(self.store.get(Space::Board, &key).await?);
        let sending = Sending { inner: self, platform, place };
        let sent = match work.kind {
            Kind::Board => self.send_board(sending, &table, work.down, &mut state).await?,
            Kind::Call => self.send_call(sending, &table, work.call, &mut state).await?,
        };
        metrics::counter!("caravanserai_sends_total",
            "platform" => platform.name(), "result" => outcome(&sent))
        .increment(1);
        tracing::debug!(place = %place.0, table = %table.id.0, version, result = outcome(&sent));
        self.sent(place, &table, work.entries, state, sent).await.map(Some)
    }

    /// What came of a call, and what is next.
    async fn sent(
        &self,
        place: &PlaceId,
        table: &Table,
        entries: Vec<String>,
        state: BoardState,
        sent: Result<(), SendError>,
    ) -> Result<Next, Failure> {
        match sent {
            Ok(()) => {
                let mut puts = vec![put(Space::Board, keys::board(&table.id, place), &state)];
                for message in state.message.iter().chain(&state.call) {
                    let value = Some(table.id.0.clone().into_bytes());
                    let key = keys::message(place, message);
                    puts.push(Put { space: Space::Message, key, value });
                }
                self.settle(entries, puts).await?;
                Ok(Next::On)
            }
            Err(SendError::Wait(ms)) => Ok(Next::Wait(ms)),
            Err(SendError::Temporary(why)) => {
                tracing::warn!(place = %place.0, why, "a call failed, it will be tried again");
                Ok(Next::Failed)
            }
            Err(SendError::NotAllowed) => {
                tracing::info!(place = %place.0, "not allowed to write there");
                self.place_gone(place).await?;
                Ok(Next::Stop)
            }
            Err(SendError::Moved(to)) => {
                self.move_place(place, &to).await?;
                Ok(Next::On)
            }
            // A message that vanished while it was being edited is posted anew by `send_board`.
            Err(SendError::MessageGone) => Ok(Next::Failed),
            Err(SendError::Refused(why)) => {
                tracing::error!(place = %place.0, table = %table.id.0, why, "message refused");
                self.settle(entries, Vec::new()).await?;
                Ok(Next::On)
            }
        }
    }

    async fn settle(&self, entries: Vec<String>, mut puts: Vec<Put>) -> Result<(), Failure> {
        puts.extend(entries.into_iter().map(|key| cut(Space::Outbox, key)));
        Ok(self.store.commit(Commit { puts, ..Commit::default() }).await?)
    }

    /// The first table that has something to say in this place, with all entries of one kind.
    async fn first_work(&self, place: &PlaceId) -> Result<Option<Work>, Failure> {
        let prefix = format!("{} ", place.0);
        let rows = self.store.scan(Space::Outbox, &prefix, None, PAGE).await?;
        let mut work: Option<Work> = None;
        for (key, value) in rows {
            let mut parts = key[prefix.len()..].split(' ');
            let kind = if parts.next() == Some("b") { Kind::Board } else { Kind::Call };
            let table = TableId(parts.next().unwrap_or_default().to_owned());
            let work = work.get_or_insert_with(|| Work {
                table: table.clone(),
                kind,
                entries: Vec::new(),
                down: false,
                call: CallTask::default(),
            });
            if work.table != table || work.kind != kind {
                continue;
            }
            match kind {
                Kind::Board => work.down |= parse::<BoardTask>(Some(value)).down,
                Kind::Call => work.call = parse(Some(value)),
            }
            work.entries.push(key);
        }
        Ok(work)
    }

    async fn send_board(
        &self,
        sending: Sending<'_>,
        table: &Table,
        down: bool,
        state: &mut BoardState,
    ) -> Result<Result<(), SendError>, Failure> {
        let Sending { platform, place, .. } = sending;
        let note = present::board(table);
        let mut message = self.board_message(place, &note, table, state).await?;
        if let Some(call) = state.call.take_if(|_| state.called != table.version) {
            sending.count();
            // A call that cannot be taken away does no harm.
            platform.delete(place, &call).await.ok();
        }
        sending.count();
        let Some(standing) = state.message.clone() else {
            return Ok(self.post_board(sending, table, message, state, None).await);
        };
        let below = platform.buried(place, &standing);
        let anew = below >= self.limits.buried || (down && below > 0);
        if !anew {
            match platform.edit(place, &standing, &message).await {
                Ok(()) => {
                    state.shown = table.version;
                    return Ok(Ok(()));
                }
                Err(SendError::MessageGone) => {}
                Err(error) => return Ok(Err(error)),
            }
        }
        message.loud = false;
        state.posts += 1;
        message.nonce = nonce(table, state);
        let old = anew.then_some(standing);
        Ok(self.post_board(sending, table, message, state, old).await)
    }

    async fn post_board(
        &self,
        sending: Sending<'_>,
        table: &Table,
        message: Outgoing,
        state: &mut BoardState,
        old: Option<MessageId>,
    ) -> Result<(), SendError> {
        let id = sending.platform.post(sending.place, &message).await?;
        if let Some(old) = old {
            sending.count();
            if sending.platform.delete(sending.place, &old).await.is_err() {
                // It stays in the chat without buttons; a press on it would be answered anyway.
                let bare = Outgoing { buttons: Vec::new(), ..message };
                sending.platform.edit(sending.place, &old, &bare).await.ok();
            }
        }
        state.message = Some(id);
        state.shown = table.version;
        Ok(())
    }

    async fn board_message(
        &self,
        place: &PlaceId,
        note: &Note,
        table: &Table,
        state: &BoardState,
    ) -> Result<Outgoing, Failure> {
        let lang = self.place(place).await?.speaks();
        self.outgoing(note, lang, nonce(table, state)).await
    }

    async fn send_call(
        &self,
        sending: Sending<'_>,
        table: &Table,
        task: CallTask,
        state: &mut BoardState,
    ) -> Result<Result<(), SendError>, Failure> {
        let Some(text) = task.text.filter(|_| task.version == table.version) else {
            return Ok(Ok(()));
        };
        let Sending { platform, place, .. } = sending;
        if let Some(call) = state.call.take() {
            sending.count();
            platform.delete(place, &call).await.ok();
        }
        let note = Note {
            texts: vec![text],
            loud: true,
            reply_to: state.message.clone(),
            ..Note::default()
        };
        let lang = self.place(place).await?.speaks();
        let nonce = format!("call {} {}", table.id.0, table.version);
        let message = self.outgoing(&note, lang, nonce).await?;
        sending.count();
        match platform.post(place, &message).await {
            Ok(id) => {
                state.call = Some(id);
                state.called = table.version;
                Ok(Ok(()))
            }
            Err(error) => Ok(Err(error)),
        }
    }
}

/// One sender's means.
#[derive(Clone, Copy)]
struct Sending<'a> {
    inner: &'a Inner,
    platform: &'a dyn Platform,
    place: &'a PlaceId,
}

impl Sending<'_> {
    /// A call is being made.
    fn count(&self) {
        let per_minute = self.platform.calls_per_minute(self.place);
        self.inner.paces.note(self.place.chat(), per_minute, self.inner.clock.now_ms());
    }
}

fn nonce(table: &Table, state: &BoardState) -> String {
    format!("board {} {}", table.id.0, state.posts)
}

fn outcome(sent: &Result<(), SendError>) -> &'static str {
    match sent {
        Ok(()) => "sent",
        Err(SendError::Wait(_)) => "wait",
        Err(SendError::MessageGone) => "gone",
        Err(SendError::NotAllowed) => "not allowed",
        Err(SendError::Moved(_)) => "moved",
        Err(SendError::Temporary(_)) => "failed",
        Err(SendError::Refused(_)) => "refused",
    }
}
