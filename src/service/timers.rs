//! Deadlines: stored with what causes them, met after a restart as well.

use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use serde::{Deserialize, Serialize};

use super::hands::hands_to_show;
use super::outbox::{BoardTask, call_put};
use super::settings::{cut, parse, put};
use super::table_ask::{listed, newcomers_hands};
use super::tables::{Held, advanced};
use super::{Failure, Inner, keys, thinkers};
use crate::chat::{offers, present};
use crate::ids::TableId;
use crate::store::{Append, Commit, Put, Space, StoreError};
use crate::table::event::{Event, Line};
use crate::table::fold::{Phase, Table};
use crate::table::{computers, deadline, lobby, tick};

/// At least so often the list is looked at, whatever happens, in milliseconds.
const LOOK_MS: u64 = 60_000;

/// How often what was seen is cleared of what is too old, in milliseconds.
const SWEEP_MS: u64 = 3_600_000;

/// How often places are tried again that could not be told something, in milliseconds.
const RESUME_MS: u64 = 5 * 60_000;

/// At most so many rows are read at once.
const PAGE: usize = 200;

/// What is due.
#[derive(Default, Serialize, Deserialize)]
struct Due {
    /// Only while the table has not gone on.
    version: u64,
    /// What is to be done.
    #[serde(default)]
    kind: Kind,
}

/// What a deadline is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Kind {
    /// To call whoever is waited for.
    #[default]
    Call,
    /// To tell the opener that the table closes soon.
    Closing,
    /// To see what the time alone has decided.
    Tick,
    /// To ask a computer again that has not answered.
    Think,
}

impl Inner {
    /// What is to be done later: call somebody whose turn it is and who does not look, close a
    /// table that nobody begins, go on without somebody who does not answer.
    pub(super) fn due_call(&self, table: &Table, now_ms: u64) -> Vec<Put> {
        let due = |at: u64, kind: Kind| {
            let due = Due { version: table.version, kind };
            put(Space::Due, keys::due(at.max(now_ms), &table.id), &due)
        };
        let mut puts = Vec::new();
        if let Some(at) = deadline(table) {
            puts.push(due(at, Kind::Tick));
            let told = (table.phase == Phase::Lobby).then(|| at - lobby::TOLD_BEFORE_MS);
            puts.extend(told.map(|at| due(at, Kind::Closing)));
        }
        if computers::waited_for(table).is_some() {
            puts.push(due(now_ms + thinkers::AGAIN_MS, Kind::Think));
        }
        if let Some((seat, _)) = present::call(table) {
            let acted = table.acted_ms.get(usize::from(table.chair_of(seat))).copied();
            puts.push(due(acted.unwrap_or(now_ms) + self.limits.call_after_ms, Kind::Call));
        }
        puts
    }

    /// Meets deadlines until the service stops.
    pub(super) async fn run_timers(&self) {
        let mut due = self.due.subscribe();
        let mut stopping = self.stopping.subscribe();
        let mut swept_ms = 0;
        let mut resumed_ms = self.clock.now_ms();
        while !self.is_stopping() {
            due.mark_unchanged();
            let now = self.clock.now_ms();
            if now.saturating_sub(swept_ms) >= SWEEP_MS {
                swept_ms = now;
                if let Err(failure) = self.sweep(now).await {
                    tracing::error!(%failure, "could not sweep what was seen");
                }
            }
            if now.saturating_sub(resumed_ms) >= RESUME_MS {
                resumed_ms = now;
                if let Err(failure) = self.resume_senders("").await {
                    tracing::error!(%failure, "could not look at what is not sent yet");
                }
            }
            let met = AssertUnwindSafe(self.meet(now)).catch_unwind().await;
            let wait = match met.unwrap_or_else(|_| {
                tracing::error!("a bug: meeting a deadline panicked");
                Ok(None)
            }) {
                Ok(next) => next.map_or(LOOK_MS, |at| at.saturating_sub(now).min(LOOK_MS)),
                Err(failure) => {
                    tracing::error!(%failure, "could not meet deadlines");
                    LOOK_MS
                }
            };
            tokio::select! {
                () = self.clock.sleep_ms(wait) => {}
                _ = due.changed() => {}
                _ = stopping.changed() => {}
            }
        }
    }

    /// Meets every deadline up to now; tells when the next one is.
    async fn meet(&self, now_ms: u64) -> Result<Option<u64>, Failure> {
        // Each move wakes this, and nearly always nothing is due: one row tells.
        let mut page = 1;
        loop {
            let rows = self.store.scan(Space::Due, "", None, page).await?;
            let full = rows.len() == page;
            page = PAGE;
            for (key, value) in rows {
                match keys::read_due(&key) {
                    Some((at, _)) if at > now_ms => return Ok(Some(at)),
                    Some((_, table)) => self.meet_one(&key, &table, parse(Some(value))).await?,
                    None => self.drop_due(&key).await?,
                }
            }
            if !full {
                return Ok(None);
            }
        }
    }

    async fn drop_due(&self, key: &str) -> Result<(), Failure> {
        let puts = vec![cut(Space::Due, key.to_owned())];
        Ok(self.store.commit(Commit { puts, ..Commit::default() }).await?)
    }

    async fn meet_one(&self, key: &str, id: &TableId, due: Due) -> Result<(), Failure> {
        let held = match self.hold(id).await {
            Ok(Some(held)) if held.table().version == due.version => held,
            Ok(_) | Err(Failure::Damaged(..)) => return self.drop_due(key).await,
            Err(failure) => return Err(failure),
        };
        let mut puts = vec![cut(Space::Due, key.to_owned())];
        let table = held.table();
        let text = match due.kind {
            Kind::Call => present::call(table).map(|(_, text)| text),
            Kind::Closing => offers::closing(table),
            Kind::Tick => {
                let events = tick(table, self.clock.now_ms()).events;
                return self.happened(held, events, puts, "timer").await;
            }
            Kind::Think => {
                puts.extend(self.due_call(table, self.clock.now_ms()));
                self.think(table);
                None
            }
        };
        puts.extend(text.map(|text| call_put(table, text)));
        let place = table.place().clone();
        drop(held);
        self.store.commit(Commit { puts, ..Commit::default() }).await?;
        self.wake(&place);
        Ok(())
    }

    /// Commits what the time alone, or a computer, has decided at a table.
    pub(super) async fn happened(
        &self,
        mut held: Held,
        events: Vec<Event>,
        mut puts: Vec<Put>,
        cause: &str,
    ) -> Result<(), Failure> {
        let (table, now_ms) = (held.table(), self.clock.now_ms());
        let line = |(number, event): (u64, Event)| Line {
            number,
            at_ms: now_ms,
            cause: cause.to_owned(),
            event,
        };
        let lines: Vec<Line> = (table.version..).zip(events.clone()).map(line).collect();
        let next = advanced(table, &lines)?;
        let mut appends = Vec::new();
        if !lines.is_empty() {
            puts.extend(listed(table, &next));
            puts.push(BoardTask { down: false }.put(&next));
            puts.extend(hands_to_show(held.table(), &next, &events, None));
            puts.extend(newcomers_hands(&next, &events));
            let (table, expect) = (table.id.0.clone(), table.version);
            appends.push(Append { table, expect, lines: lines.iter().map(Line::write).collect() });
            puts.extend(self.due_call(&next, now_ms));
        }
        let place = next.place().clone();
        let mut thinks = false;
        match self.store.commit(Commit { appends, puts, ..Commit::default() }).await {
            Ok(()) => {
                thinks = self.think(&next);
                held.replace(next);
            }
            // Somebody acted at this very moment: it is looked at again with what is now.
            Err(StoreError::Conflict) => held.forget(),
            Err(error) => return Err(error.into()),
        }
        // Where one computer after another plays, people see something in between.
        self.wake_unless(thinks && cause != thinkers::CAUSE, &place);
        self.due.send_modify(|it| *it += 1);
        Ok(())
    }

    /// Forgets updates that no platform sends again.
    async fn sweep(&self, now_ms: u64) -> Result<(), Failure> {
        let mut after: Option<String> = None;
        loop {
            let rows = self.store.scan(Space::Seen, "", after.as_deref(), PAGE).await?;
            let Some((last, _)) = rows.last() else { return Ok(()) };
            after = Some(last.clone());
            let mut puts = Vec::new();
            for (key, value) in rows {
                let answered: super::hear::Answered = parse(Some(value));
                if answered.at_ms + self.limits.seen_ms < now_ms {
                    puts.push(cut(Space::Seen, key));
                }
            }
            if !puts.is_empty() {
                self.store.commit(Commit { puts, ..Commit::default() }).await?;
            }
        }
    }
}
