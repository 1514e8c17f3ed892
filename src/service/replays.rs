//! Replays: asked for by a press, drawn one at a time beside everything else, then posted.
//!
//! What was asked stands in the outbox, so a replay is posted even after a crash. A sender passes
//! over it until it is drawn; the drawing wakes the sender.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex};

use tokio::sync::Semaphore;

use super::boards::Sending;
use super::hear::{Heard, Notes, say};
use super::once::AGAIN_MS;
use super::settings::{Reader, put};
use super::tables::Held;
use super::{Failure, Inner, keys};
use crate::chat::note::{Note, Picture};
use crate::chat::{Attachment, Outgoing, SendError, present};
use crate::games::{Replay, StandingLine, shorter};
use crate::i18n::Lang;
use crate::ids::PlaceId;
use crate::ids::TableId;
use crate::render::film_width;
use crate::rules::{Seat, Viewer};
use crate::scene::Scene;
use crate::store::{Put, Space};
use crate::table::event::Reason;
use crate::table::fold::{Phase, Table};
use crate::words::{Arg, Text};

/// Replays that may wait for their drawing; more are refused kindly.
const WAITING_MAX: usize = 8;

/// Finished replays that are kept in memory, up to 3 MB each.
const KEPT: usize = 6;

/// A replay for those who read it: names of computers are words, and it has a theme.
type Wanted = (TableId, Reader);

/// The replays that are being drawn or were drawn lately.
pub(super) struct Replays {
    all: Mutex<HashMap<Wanted, State>>,
    /// One is drawn at a time.
    turn: Semaphore,
}

enum State {
    /// It is not drawn yet; these places wait for it.
    Waiting(Vec<PlaceId>),
    /// The file; none when there is nothing to show or drawing failed.
    Drawn(Option<Arc<Vec<u8>>>, u64),
}

impl Replays {
    pub(super) fn new() -> Self {
        Replays { all: Mutex::default(), turn: Semaphore::new(1) }
    }

    fn all(&self) -> std::sync::MutexGuard<'_, HashMap<Wanted, State>> {
        self.all.lock().expect("nothing panics while holding this lock")
    }

    /// Whether so many wait that one more would wait too long.
    fn is_busy(&self) -> bool {
        let waits = |it: &&State| matches!(it, State::Waiting(_));
        self.all().values().filter(waits).count() >= WAITING_MAX
    }

    /// Whether this one is drawn. If not, the place is told when it is; `true` in the second value
    /// if somebody has to begin.
    fn is_drawn(&self, wanted: &Wanted, place: &PlaceId) -> (bool, bool) {
        match self.all().entry(wanted.clone()) {
            Entry::Occupied(mut it) => match it.get_mut() {
                State::Drawn(..) => (true, false),
                State::Waiting(places) => {
                    if !places.contains(place) {
                        places.push(place.clone());
                    }
                    (false, false)
                }
            },
            Entry::Vacant(it) => {
                it.insert(State::Waiting(vec![place.clone()]));
                (false, true)
            }
        }
    }

    /// Keeps what was drawn and tells who waits for it.
    fn keep(&self, wanted: Wanted, file: Option<Arc<Vec<u8>>>, now_ms: u64) -> Vec<PlaceId> {
        let mut all = self.all();
        let before = all.insert(wanted, State::Drawn(file, now_ms));
        let age = |state: &State| match state {
            State::Waiting(_) => None,
            State::Drawn(_, at_ms) => Some(*at_ms),
        };
        while all.values().filter_map(age).count() > KEPT {
            let oldest = all.iter().filter_map(|(key, it)| Some((age(it)?, key.clone())));
            let Some((_, key)) = oldest.min_by_key(|(at_ms, _)| *at_ms) else { break };
            all.remove(&key);
        }
        match before {
            Some(State::Waiting(places)) => places,
            Some(State::Drawn(..)) | None => Vec::new(),
        }
    }
}

/// The entry that has a replay posted.
fn replay_put(place: &PlaceId, table: &Table) -> Put {
    put(Space::Outbox, entry(place, &table.id), &())
}

fn entry(place: &PlaceId, table: &TableId) -> String {
    format!("{} r {} replay", place.0, table.0)
}

/// A game with everything that was done in it. `None` before the start.
fn replay(table: &Table, names: Vec<String>) -> Option<Replay> {
    let game = table.game_id();
    let seats = table.setup.seats;
    table.game.as_ref()?;
    let start = game.open(&table.setup.options, seats).ok()?;
    let result = match &table.phase {
        Phase::Over { scores, reason } if *reason != Reason::Played => Some(scores.clone()),
        Phase::Over { .. } | Phase::Lobby | Phase::Playing | Phase::Closed { .. } => None,
    };
    let steps = table.steps.iter().map(|it| (it.seat.map(Seat), it.token.to_owned())).collect();
    Some(Replay { start, names, result, steps })
}

impl Inner {
    pub(super) fn names(&self, table: &Table, lang: Lang) -> Vec<String> {
        table.called().iter().map(|it| self.label(lang, it)).collect()
    }

    /// Somebody wants to see the whole game again.
    pub(super) async fn ask_replay(&self, heard: &mut Heard<'_>, held: Held) -> Notes {
        let table = held.table();
        if !matches!(table.phase, Phase::Over { .. }) {
            return Ok(say("refuse-no-replay"));
        }
        let place = heard.update.place.id.clone();
        let soon = (&*entry(&place, &table.id), "answer-replay-soon");
        let above = (&*keys::replay(&place, &table.id), "answer-replay-above");
        if let Some(notes) = self.asked_again(heard, soon, above).await? {
            return Ok(notes);
        }
        if self.replays.is_busy() {
            return Ok(say("refuse-replay-busy"));
        }
        let entry = replay_put(&place, table);
        self.post_once(heard, held, entry, say("answer-replay")).await
    }

    /// The score over the game: of one with secrets only when it is over.
    pub(super) fn chart_of(&self, table: &Table) -> Vec<Note> {
        match table.phase {
            Phase::Over { .. } => {}
            Phase::Playing if !table.game_id().info().hidden => {}
            Phase::Playing => return say("refuse-chart-later"),
            Phase::Lobby | Phase::Closed { .. } => return say("refuse-no-chart"),
        }
        let code = table.game_id().info().code;
        let texts = vec![Text::new(format!("chart-{code}")).with("table", table.id.0.as_str())];
        let picture = Some(Picture::Chart { table: table.id.0.clone() });
        vec![Note { texts, picture, ..Note::default() }]
    }

    /// What a chart shows, and the same in words.
    pub(super) async fn chart(&self, table: &Table, lang: Lang) -> Option<(Scene, String)> {
        let names = self.names(table, lang);
        let standing = table.game.as_deref()?.standing();
        let line = |line: &StandingLine| {
            let names = line.seats.iter().filter_map(|seat| names.get(usize::from(*seat)).cloned());
            format!("{} {}", names.collect::<Vec<_>>().join(" · "), line.value)
        };
        let words: Vec<String> = standing.lines.iter().map(line).collect();
        let replay = replay(table, names)?;
        match self.renderer.aside(move || replay.chart()).await {
            Ok(Ok(scene)) => Some((scene, words.join("\n"))),
            Ok(Err(error)) => {
                tracing::error!(table = table.id.0, %error, "a chart could not be drawn");
                None
            }
            Err(error) => {
                tracing::error!(table = table.id.0, %error, "a bug: a chart panicked");
                None
            }
        }
    }

    /// Whether a replay is there to be posted; if not, it is on its way.
    pub(super) async fn replay_is_drawn(
        &self,
        place: &PlaceId,
        table: &TableId,
    ) -> Result<bool, Failure> {
        let wanted = (table.clone(), self.place(place).await?.reads());
        let Some(inner) = self.me.upgrade() else { return Ok(false) };
        let (drawn, begin) = self.replays.is_drawn(&wanted, place);
        if begin {
            self.begin_work();
            tokio::spawn(async move {
                inner.draw_replay(wanted).await;
                inner.end_work();
            });
        }
        Ok(drawn)
    }

    async fn draw_replay(&self, wanted: Wanted) {
        let mut stopping = self.stopping.subscribe();
        let drawn = tokio::select! {
            drawn = self.drawn_replay(&wanted) => drawn,
            // The entry stays in the outbox; it is drawn after the next start.
            _ = stopping.wait_for(|it| *it) => return,
        };
        let file = drawn.unwrap_or_else(|failure| {
            tracing::error!(table = wanted.0.0, %failure, "a replay could not be drawn");
            None
        });
        for place in self.replays.keep(wanted, file.map(Arc::new), self.clock.now_ms()) {
            self.wake(&place);
        }
    }

    async fn drawn_replay(&self, wanted: &Wanted) -> Result<Option<Vec<u8>>, Failure> {
        let Ok(_turn) = self.replays.turn.acquire().await else { return Ok(None) };
        let Some(held) = self.hold(&wanted.0).await? else { return Ok(None) };
        let replay = replay(held.table(), self.names(held.table(), wanted.1.lang));
        drop(held);
        let Some(replay) = replay else { return Ok(None) };
        let stills = self.renderer.aside(move || replay.stills(Viewer::Public)).await;
        let stills = match stills {
            Ok(Ok(stills)) => shorter(stills),
            Ok(Err(error)) => return Err(Failure::Damaged(wanted.0.clone(), error.to_string())),
            Err(error) => return Err(Failure::Damaged(wanted.0.clone(), error.to_string())),
        };
        let Some(first) = stills.first() else { return Ok(None) };
        let width = film_width(&first.scene, stills.len());
        Ok(self.renderer.animate_async(stills, wanted.1.theme.clone(), width).await)
    }

    /// Posts a replay that is drawn. What comes back with the result is stored on success.
    pub(super) async fn send_replay(
        &self,
        sending: Sending<'_>,
        table: &TableId,
    ) -> Result<(Result<(), SendError>, Vec<Put>), Failure> {
        let place = sending.place;
        let reader = self.place(place).await?.reads();
        let file = match self.replays.all().get(&(table.clone(), reader.clone())) {
            Some(State::Drawn(file, _)) => file.clone(),
            // Another language or theme was chosen meanwhile, or it had to make room: it is drawn
            // anew.
            Some(State::Waiting(_)) | None => return Ok((Err(SendError::Wait(0)), Vec::new())),
        };
        let (Some(bytes), Some(held)) = (file, self.hold(table).await?) else {
            return Ok((Ok(()), Vec::new()));
        };
        let note = caption(held.table());
        let code = held.table().game_id().info().code;
        drop(held);
        let nonce = format!("replay {} {}", table.0, self.clock.now_ms() / AGAIN_MS);
        let mut message = self.outgoing(&note, &reader, nonce, None).await?;
        let name = format!("{code}-{}.gif", table.0);
        let alt = Some(message.text.to_plain());
        message.file = Some(Attachment { name, bytes, animation: alt });
        sending.count();
        let sent = sending.platform.post(place, &Outgoing { loud: false, ..message }).await;
        let shown = put(Space::Meta, keys::replay(place, table), &self.clock.now_ms());
        Ok((sent.map(drop), vec![shown]))
    }
}

/// What stands below a replay: which game, who played, how it ended.
fn caption(table: &Table) -> Note {
    let title = Text::new("answer-replay-title")
        .with("game", Text::new(format!("game-{}", table.game_id().info().code)))
        .with("table", table.id.0.as_str())
        .with("names", Arg::List(table.called()));
    let mut texts = vec![title];
    if let Phase::Over { scores, reason } = &table.phase {
        texts.push(present::result(table, scores, *reason));
    }
    let texts = texts.into_iter().map(|it| present::seated(table, it)).collect();
    Note { texts, ..Note::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::settings::{PlaceMemory, Reader};

    fn reader(lang: Lang) -> Reader {
        let place = PlaceMemory { lang: Some(lang), ..PlaceMemory::default() };
        place.reads()
    }

    fn wanted(table: &str) -> Wanted {
        (TableId(table.into()), reader(Lang::En))
    }

    fn place(name: &str) -> PlaceId {
        PlaceId(format!("web:{name}"))
    }

    #[test]
    fn a_replay_is_drawn_once_for_all_who_wait() {
        let replays = Replays::new();
        let one = wanted("7k3fx");
        assert_eq!(replays.is_drawn(&one, &place("a")), (false, true));
        assert_eq!(replays.is_drawn(&one, &place("b")), (false, false));
        assert_eq!(replays.is_drawn(&one, &place("b")), (false, false));
        assert_eq!(replays.keep(one.clone(), None, 1), [place("a"), place("b")]);
        assert_eq!(replays.is_drawn(&one, &place("c")), (true, false));
        assert_eq!(replays.is_drawn(&(one.0, reader(Lang::Hy)), &place("c")), (false, true));
    }

    #[test]
    fn only_so_many_wait_and_only_so_many_are_kept() {
        let replays = Replays::new();
        for n in 0..WAITING_MAX {
            assert!(!replays.is_busy());
            replays.is_drawn(&wanted(&n.to_string()), &place("a"));
        }
        assert!(replays.is_busy());
        for n in 0..WAITING_MAX {
            replays.keep(wanted(&n.to_string()), None, n as u64);
        }
        assert!(!replays.is_busy());
        assert_eq!(replays.all().len(), KEPT);
        let newest = wanted(&(WAITING_MAX - 1).to_string());
        assert!(replays.is_drawn(&newest, &place("a")).0);
        assert!(!replays.is_drawn(&wanted("0"), &place("a")).0);
    }
}
