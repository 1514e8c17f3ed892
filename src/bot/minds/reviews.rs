//! Reviews: asked for after a game, thought about behind all moves, then posted.
//!
//! What was asked stands in the outbox, so a review comes even after a crash. A sender passes
//! over it until the review is stored; whoever made it wakes the sender. What takes longer than a
//! glance says meanwhile how far it has come.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use super::pool::{Players, Urgency};
use super::study::{Effort, Study};
use super::{Minds, drawn_names, names};
use crate::ledger::aside::Input;
use crate::ledger::rows::{parse, put};
use crate::ledger::{Failure, keys};
use caravanserai_games::ids::PlaceId;
use caravanserai_games::ids::TableId;
use caravanserai_games::scene::{Area, Scene};
use caravanserai_games::words::Arg;
use caravanserai_games::{StandingLine, chances};
use caravanserai_i18n::Lang;
use caravanserai_store::Space;
use caravanserai_table::fold::Table;
use caravanserai_table::review::{self, Moment};

/// Reviews that may wait for their making; more are refused kindly.
const WAITING_MAX: usize = 8;

/// Decisions that are gone through in one go before others have their turn.
const AT_ONCE: usize = 4;

/// How long each review that was asked for before takes about, in seconds.
const TYPICAL_S: u64 = 5;

/// A review that takes longer says how far it has come, after this time and then as often, in
/// milliseconds.
const TOLD_EVERY_MS: u64 = 2_000;

/// How long a process may take for a review besides thinking, in milliseconds.
const CLAIMED_MS: u64 = 30_000;

/// How long it is waited before looking again whether another process has made a review.
const LOOK: Duration = Duration::from_secs(1);

/// What came of a review, as it is stored.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Review {
    /// The moves that changed most.
    pub moments: Vec<Told>,
    /// By decision, by side, in hundredths.
    chances: Vec<Vec<i32>>,
}

/// One of the moves that changed most, as it is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Told {
    /// How many steps the game had.
    pub step: u32,
    /// The number of the move or turn as people see it; 0 in reviews of before it was kept.
    #[serde(default)]
    pub number: u32,
    /// Whose move it was.
    pub seat: u8,
    /// What was played.
    pub played: Arg,
    /// What would have been better.
    pub better: Arg,
    /// What would have been better and what could follow, as logs spell it; empty in reviews of
    /// before it was kept.
    #[serde(default)]
    pub line: Vec<String>,
    /// Who could answer what.
    #[serde(default)]
    pub answer: Option<(u8, Arg)>,
    /// How likely that side was to win, in thousandths.
    pub before: u16,
    /// How likely it was afterwards.
    pub after: u16,
}

impl From<Moment> for Told {
    fn from(it: Moment) -> Self {
        let Moment { step, number, seat, played, better, line, answer, before, after } = it;
        Told { step, number, seat, played, better, line, answer, before, after }
    }
}

impl Told {
    /// The number of the move or turn as people see it.
    pub fn shown_number(&self) -> i64 {
        i64::from(if self.number > 0 { self.number } else { self.step + 1 })
    }
}

/// How far a review is.
#[derive(Clone, Debug)]
pub enum Progress {
    /// It is made.
    Made(Review),
    /// It is being made; how much of it, in hundredths, once people should be told.
    Making(Option<u8>),
}

/// A review that is waited for.
#[derive(Default)]
struct Waiting {
    places: Vec<PlaceId>,
    /// How much of it is made, in hundredths, once people should be told.
    told: Option<u8>,
    /// The same, told or not.
    made: u8,
}

/// The reviews that are being made.
pub(super) struct Reviews {
    /// With the places that wait for them.
    waiting: Arc<Mutex<HashMap<TableId, Waiting>>>,
    /// One is made at a time.
    turn: Semaphore,
    /// How long the thinking for one takes at most.
    longest: Duration,
}

impl Reviews {
    pub(super) fn new(longest_ms: u64) -> Self {
        let longest = Duration::from_millis(longest_ms);
        Reviews { waiting: Arc::default(), turn: Semaphore::new(1), longest }
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<TableId, Waiting>> {
        self.waiting.lock().expect("nothing panics while holding this lock")
    }

    /// The making of a review, if somebody has to begin; else the place is told with the others.
    fn begin(&self, table: &TableId, place: &PlaceId) -> Option<Making> {
        let mut waiting = self.waiting();
        let begins = !waiting.contains_key(table);
        let places = &mut waiting.entry(table.clone()).or_default().places;
        if !places.contains(place) {
            places.push(place.clone());
        }
        let (waiting, table) = (self.waiting.clone(), table.clone());
        begins.then(|| Making { waiting, table })
    }

    /// So much of a review is made, in hundredths.
    fn is_at(&self, table: &TableId, made: u8) {
        if let Some(waiting) = self.waiting().get_mut(table) {
            waiting.made = made;
        }
    }

    /// People should be told now how far a review is: those who wait for it.
    fn tell(&self, table: &TableId) -> Vec<PlaceId> {
        let mut waiting = self.waiting();
        let Some(own) = waiting.get_mut(table) else { return Vec::new() };
        own.told = Some(own.made);
        own.places.clone()
    }

    /// In about how many seconds a review of so many decisions comes.
    fn seconds(&self, turns: usize) -> u64 {
        let longest = self.longest.as_secs().max(1);
        let own = (Effort::ms(turns) / 1_000 + 1).min(longest);
        own + self.waiting().len() as u64 * TYPICAL_S.min(longest)
    }
}

/// The name under which one process makes a review.
fn claim(table: &TableId) -> String {
    format!("review {}", table.0)
}

/// A review that is being made until this is dropped.
struct Making {
    waiting: Arc<Mutex<HashMap<TableId, Waiting>>>,
    table: TableId,
}

impl Making {
    /// It is made: the places that wait for it.
    fn places(&self) -> Vec<PlaceId> {
        let waiting = self.waiting.lock();
        waiting.ok().and_then(|mut it| it.remove(&self.table)).unwrap_or_default().places
    }
}

impl Drop for Making {
    fn drop(&mut self) {
        self.places();
    }
}

impl Minds {
    /// In about how many seconds a review of so many decisions comes; `None` when so many wait
    /// that it would take too long.
    pub fn review_comes_in(&self, turns: usize) -> Option<u64> {
        let waiting = self.reviews.waiting().len();
        (waiting < WAITING_MAX).then(|| self.reviews.seconds(turns))
    }

    /// The review of a table, if it was made.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn stored_review(&self, table: &TableId) -> Result<Option<Review>, Failure> {
        let stored = self.ledger.value(Space::Meta, &keys::review(table)).await?;
        Ok(stored.map(|it| parse(Some(it))))
    }

    /// The review of a table to be posted in a place; if it is not there, it is on its way.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn review(&self, place: &PlaceId, table: &TableId) -> Result<Progress, Failure> {
        if let Some(made) = self.stored_review(table).await? {
            return Ok(Progress::Made(made));
        }
        if let Some(minds) = self.me.upgrade()
            && let Some(making) = self.reviews.begin(table, place)
        {
            self.tasks.spawn(async move { minds.make_review(making).await });
        }
        let told = self.reviews.waiting().get(table).and_then(|it| it.told);
        Ok(Progress::Making(told))
    }

    /// Tells again and again how far a review is.
    async fn tell_of(&self, table: &TableId) {
        loop {
            self.ledger.clock().sleep_ms(TOLD_EVERY_MS).await;
            self.reviews.tell(table).iter().for_each(|place| self.ledger.wake(place));
        }
    }

    async fn make_review(&self, making: Making) {
        let stop = Arc::new(AtomicBool::new(false));
        let input = Input::Review(making.table.clone());
        let made = tokio::select! {
            biased;
            made = self.ledger.guarded(&input, self.claimed_review(&making.table, &stop)) => made,
            () = self.tell_of(&making.table) => return,
            // The entry stays in the outbox; the review is made after the next start.
            () = self.tasks.stopping() => {
                stop.store(true, Ordering::Relaxed);
                // Another process need not wait until the time has run out.
                let (lease, own) = (claim(&making.table), self.ledger.replica());
                self.ledger.store().release(&lease, own).await.ok();
                return;
            }
        };
        let review = match made {
            Ok(Ok(review)) => review,
            Ok(Err(failure)) => {
                tracing::error!(table = making.table.0, %failure, "a review could not be made");
                Some(Review::default())
            }
            Err(_) => Some(Review::default()),
        };
        if let Some(review) = review {
            let until_ms = self.ledger.now_ms() + self.ledger.limits().reviews_ms;
            let row = put(Space::Meta, keys::review(&making.table), &review).until(until_ms);
            if let Err(failure) = self.ledger.keep(vec![row]).await {
                tracing::error!(table = making.table.0, %failure, "a review could not be kept");
            }
        }
        for place in making.places() {
            self.ledger.wake(&place);
        }
    }

    /// Makes a review, unless another process makes it: then it is waited for, and `None`.
    async fn claimed_review(
        &self,
        table: &TableId,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<Review>, Failure> {
        let (lease, own) = (claim(table), self.ledger.replica());
        let for_ms = 2 * self.reviews.longest.as_millis() as u64 + CLAIMED_MS;
        while !self.ledger.store().lease(&lease, own, for_ms).await? {
            if self.stored_review(table).await?.is_some() {
                return Ok(None);
            }
            tokio::time::sleep(LOOK).await;
        }
        self.reviewed(table, stop).await.map(Some)
    }

    /// Thinks about a game: first about everything for a moment, then about what looks bad.
    async fn reviewed(&self, id: &TableId, stop: &Arc<AtomicBool>) -> Result<Review, Failure> {
        let Ok(_turn) = self.reviews.turn.acquire().await else { return Ok(Review::default()) };
        let Some(table) = self.ledger.look(id).await? else { return Ok(Review::default()) };
        let turns = review::turns(&table);
        let Some(study) = Study::new(table.game_id(), turns) else { return Ok(Review::default()) };
        let study = Arc::new(Mutex::new(study));
        let think = self.go_through(&table, &study, stop);
        tokio::pin!(think);
        tokio::select! {
            biased;
            () = &mut think => {}
            // Real time: what people wait at most, on however slow a machine.
            () = tokio::time::sleep(self.reviews.longest) => {
                stop.store(true, Ordering::Relaxed);
                think.await;
            }
        }
        // A player that broke leaves what was found before.
        let study = study.lock().unwrap_or_else(PoisonError::into_inner);
        let (turns, verdicts) = study.found();
        let moments = review::moments(&table, turns, verdicts);
        let chances = review::chances(&table, &sides(&table), turns, verdicts);
        Ok(Review { moments: moments.into_iter().map(Told::from).collect(), chances })
    }

    /// Goes through a game, a few decisions at a time.
    async fn go_through(&self, table: &Table, study: &Arc<Mutex<Study>>, stop: &Arc<AtomicBool>) {
        loop {
            let (study, stop) = (study.clone(), stop.clone());
            let some = move |_: &mut Players| {
                let mut study = study.lock().unwrap_or_else(PoisonError::into_inner);
                let goes_on = (0..AT_ONCE).all(|_| study.go_on(&stop));
                goes_on.then(|| study.made())
            };
            let made = self.pool.think(table.home(), Urgency::Study, some).await;
            let Ok(Some(made)) = made else { return };
            self.reviews.is_at(&table.id, made);
        }
    }

    /// How likely each side was to win, as a picture and in words, and where the numbers of the
    /// moments are on it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn review_chart(
        &self,
        table: &Table,
        lang: Lang,
    ) -> Result<Option<(Scene, String, Vec<Area>)>, Failure> {
        let Some(review) = self.stored_review(&table.id).await? else { return Ok(None) };
        let Some(game) = table.game.as_deref() else { return Ok(None) };
        let names = names(&self.i18n, table, lang);
        let drawn = drawn_names(self.renderer.fonts(), &self.i18n, table, lang);
        let mark = |it: &Told| {
            let at = usize::try_from(review::shown_at(table, it.step)).unwrap_or(usize::MAX);
            (at, it.seat)
        };
        let marks: Vec<(usize, u8)> = review.moments.iter().map(mark).collect();
        let (scene, lines, badges) = chances(game.standing(), &drawn, &review.chances, &marks);
        let line = |line: &StandingLine| {
            let names = line.seats.iter().filter_map(|seat| names.get(usize::from(*seat)).cloned());
            format!("{} {} %", names.collect::<Vec<_>>().join(" · "), line.value)
        };
        let words: Vec<String> = lines.iter().map(line).collect();
        Ok(Some((scene, words.join("\n"), badges)))
    }
}

/// The seats of each side, as the chart of the game has them.
fn sides(table: &Table) -> Vec<Vec<u8>> {
    let standing = table.game.as_deref().map(|it| it.standing());
    standing.map(|it| it.lines.into_iter().map(|line| line.seats).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_is_made_once_for_all_who_wait() {
        let reviews = Reviews::new(15_000);
        let table = TableId("7k3fx".into());
        let place = |name: &str| PlaceId(format!("web:{name}"));
        let making = reviews.begin(&table, &place("a")).expect("nobody makes it yet");
        assert!(reviews.begin(&table, &place("b")).is_none());
        assert!(reviews.begin(&table, &place("b")).is_none());
        assert_eq!(making.places(), [place("a"), place("b")]);
        drop(making);
        assert!(reviews.begin(&table, &place("c")).is_some(), "whoever breaks off is no loss");
    }

    #[test]
    fn nobody_is_told_to_wait_longer_than_it_takes() {
        let reviews = Reviews::new(15_000);
        assert_eq!(reviews.seconds(94), 4);
        assert_eq!(reviews.seconds(30_000), 15);
        let _making = reviews.begin(&TableId("7k3fx".into()), &PlaceId("web:a".into()));
        assert_eq!(reviews.seconds(94), 9);
    }
}
