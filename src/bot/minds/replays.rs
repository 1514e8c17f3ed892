//! Replays: asked for by a press, drawn one at a time beside everything else, then posted.
//!
//! What was asked stands in the outbox, so a replay is posted even after a crash. A sender passes
//! over it until it is drawn; the drawing wakes the sender.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex};

use tokio::sync::Semaphore;

use super::{Minds, drawn_names, names};
use crate::ledger::Failure;
use crate::ledger::aside::Input;
use crate::ledger::profiles::Reader;
use caravanserai_games::ids::PlaceId;
use caravanserai_games::ids::TableId;
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::scene::Scene;
use caravanserai_games::{Replay, StandingLine, shorter};
use caravanserai_i18n::Lang;
use caravanserai_render::film_width;
use caravanserai_table::event::Reason;
use caravanserai_table::fold::{Phase, Table};

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

    /// This one, if it is drawn. If not, the place is told when it is; `true` in the second value
    /// if somebody has to begin.
    fn film(&self, wanted: &Wanted, place: &PlaceId) -> (Film, bool) {
        match self.all().entry(wanted.clone()) {
            Entry::Occupied(mut it) => match it.get_mut() {
                State::Drawn(file, _) => (Film::Drawn(file.clone()), false),
                State::Waiting(places) => {
                    if !places.contains(place) {
                        places.push(place.clone());
                    }
                    (Film::Drawing, false)
                }
            },
            Entry::Vacant(it) => {
                it.insert(State::Waiting(vec![place.clone()]));
                (Film::Drawing, true)
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

/// A replay, if it is drawn.
pub enum Film {
    /// It is on its way; the place is woken when it is there.
    Drawing,
    /// The file; none when there is nothing to show or drawing failed.
    Drawn(Option<Arc<Vec<u8>>>),
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

impl Minds {
    /// Whether so many replays wait that one more would wait too long.
    pub fn replays_are_busy(&self) -> bool {
        self.replays.is_busy()
    }

    /// What a chart of the score shows, and the same in words.
    pub async fn chart(&self, table: &Table, lang: Lang) -> Option<(Scene, String)> {
        let names = names(&self.i18n, table, lang);
        let standing = table.game.as_deref()?.standing();
        let line = |line: &StandingLine| {
            let names = line.seats.iter().filter_map(|seat| names.get(usize::from(*seat)).cloned());
            format!("{} {}", names.collect::<Vec<_>>().join(" · "), line.value)
        };
        let words: Vec<String> = standing.lines.iter().map(line).collect();
        let replay = replay(table, drawn_names(self.renderer.fonts(), &self.i18n, table, lang))?;
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

    /// The replay of a table for those who read it in a place; if it is not there, it is on its
    /// way.
    pub fn film(&self, place: &PlaceId, table: &TableId, reader: &Reader) -> Film {
        let wanted = (table.clone(), reader.clone());
        let (film, begin) = self.replays.film(&wanted, place);
        if begin && let Some(minds) = self.me.upgrade() {
            self.tasks.spawn(async move { minds.draw_replay(wanted).await });
        }
        film
    }

    async fn draw_replay(&self, wanted: Wanted) {
        let input = Input::Replay(wanted.0.clone());
        let drawn = tokio::select! {
            biased;
            drawn = self.ledger.guarded(&input, self.drawn_replay(&wanted)) => drawn,
            // The entry stays in the outbox; it is drawn after the next start.
            () = self.tasks.stopping() => return,
        };
        let file = match drawn {
            Ok(Ok(file)) => file.map(Arc::new),
            Ok(Err(failure)) => {
                tracing::error!(table = wanted.0.0, %failure, "a replay could not be drawn");
                None
            }
            Err(_) => None,
        };
        for place in self.replays.keep(wanted, file, self.ledger.clock().monotonic_ms()) {
            self.ledger.wake(&place);
        }
    }

    async fn drawn_replay(&self, wanted: &Wanted) -> Result<Option<Vec<u8>>, Failure> {
        let Ok(_turn) = self.replays.turn.acquire().await else { return Ok(None) };
        let Some(table) = self.ledger.look(&wanted.0).await? else { return Ok(None) };
        let names = drawn_names(self.renderer.fonts(), &self.i18n, &table, wanted.1.lang);
        let replay = replay(&table, names);
        drop(table);
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::profiles::PlaceProfile;

    fn reader(lang: Lang) -> Reader {
        let place = PlaceProfile { lang: Some(lang), ..PlaceProfile::default() };
        place.reads()
    }

    fn wanted(table: &str) -> Wanted {
        (TableId(table.into()), reader(Lang::default()))
    }

    fn place(name: &str) -> PlaceId {
        PlaceId(format!("web:{name}"))
    }

    /// Whether it is drawn, and whether somebody has to begin.
    fn state(replays: &Replays, wanted: &Wanted, name: &str) -> (bool, bool) {
        let (film, begin) = replays.film(wanted, &place(name));
        (matches!(film, Film::Drawn(_)), begin)
    }

    #[test]
    fn a_replay_is_drawn_once_for_all_who_wait() {
        let replays = Replays::new();
        let one = wanted("7k3fx");
        assert_eq!(state(&replays, &one, "a"), (false, true));
        assert_eq!(state(&replays, &one, "b"), (false, false));
        assert_eq!(state(&replays, &one, "b"), (false, false));
        assert_eq!(replays.keep(one.clone(), None, 1), [place("a"), place("b")]);
        assert_eq!(state(&replays, &one, "c"), (true, false));
        assert_eq!(state(&replays, &(one.0, reader(Lang::all()[3])), "c"), (false, true));
    }

    #[test]
    fn only_so_many_wait_and_only_so_many_are_kept() {
        let replays = Replays::new();
        for n in 0..WAITING_MAX {
            assert!(!replays.is_busy());
            state(&replays, &wanted(&n.to_string()), "a");
        }
        assert!(replays.is_busy());
        for n in 0..WAITING_MAX {
            replays.keep(wanted(&n.to_string()), None, n as u64);
        }
        assert!(!replays.is_busy());
        assert_eq!(replays.all().len(), KEPT);
        let newest = wanted(&(WAITING_MAX - 1).to_string());
        assert!(state(&replays, &newest, "a").0);
        assert!(!state(&replays, &wanted("0"), "a").0);
    }
}
