//! Reviews: asked for after a game, thought about behind all moves, then posted.
//!
//! What was asked stands in the outbox, so a review comes even after a crash. A sender passes
//! over it until the review is stored; whoever made it wakes the sender.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use super::boards::Sending;
use super::hear::{Heard, Notes, say};
use super::hints::is_sure;
use super::once::AGAIN_MS;
use super::pool::{Players, Urgency};
use super::settings::{parse, put};
use super::tables::Held;
use super::{Failure, Inner, keys};
use crate::chat::note::{Key, Note, Picture};
use crate::chat::press::{Ask, TablePress};
use crate::chat::{Outgoing, SendError, present};
use crate::games::{Asked, GameId, StandingLine, chances};
use crate::i18n::Lang;
use crate::ids::PlaceId;
use crate::ids::TableId;
use crate::scene::Scene;
use crate::search::{Budget, Level, Numbers};
use crate::store::{Commit, Put, Space};
use crate::table::fold::Table;
use crate::table::review::{self, Moment, Turn, Verdict, percent};
use crate::words::{Arg, Text};

/// Reviews that may wait for their making; more are refused kindly.
const WAITING_MAX: usize = 8;

/// Who looks through the whole game, and who looks again where it seems to have turned.
const QUICK: Level = Level::Medium;
const DEEP: Level = Level::Master;

/// Decisions that are looked at in one go before others have their turn.
const AT_ONCE: usize = 12;

/// Decisions that are looked at again.
const SUSPICIOUS: usize = 12;

/// Decisions of which about one second goes by, for the announcement.
const A_SECOND: usize = 20;

/// What came of a review, as it is stored.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Review {
    moments: Vec<Told>,
    /// By decision, by side, in hundredths.
    chances: Vec<Vec<i32>>,
}

/// One of the moves that changed most, as it is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Told {
    step: u32,
    seat: u8,
    played: Arg,
    better: Arg,
    before: u16,
    after: u16,
}

impl From<Moment> for Told {
    fn from(it: Moment) -> Self {
        let Moment { step, seat, played, better, before, after } = it;
        Told { step, seat, played, better, before, after }
    }
}

/// The reviews that are being made.
pub(super) struct Reviews {
    /// With the places that wait for them.
    waiting: Mutex<HashMap<TableId, Vec<PlaceId>>>,
    /// One is made at a time.
    turn: Semaphore,
    /// How long the thinking for one takes at most.
    longest: Duration,
}

impl Reviews {
    pub(super) fn new(longest_ms: u64) -> Self {
        let longest = Duration::from_millis(longest_ms);
        Reviews { waiting: Mutex::default(), turn: Semaphore::new(1), longest }
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, HashMap<TableId, Vec<PlaceId>>> {
        self.waiting.lock().expect("nothing panics while holding this lock")
    }

    /// Whether somebody has to begin; else the place is told with the others.
    fn begin(&self, table: &TableId, place: &PlaceId) -> bool {
        let mut waiting = self.waiting();
        let begins = !waiting.contains_key(table);
        let places = waiting.entry(table.clone()).or_default();
        if !places.contains(place) {
            places.push(place.clone());
        }
        begins
    }

    fn end(&self, table: &TableId) -> Vec<PlaceId> {
        self.waiting().remove(table).unwrap_or_default()
    }

    /// In about how many seconds a review of so many decisions comes.
    fn seconds(&self, turns: usize) -> u64 {
        let longest = self.longest.as_secs().max(1);
        let own = (2 + turns / A_SECOND) as u64;
        longest * self.waiting().len() as u64 + own.min(longest)
    }
}

/// The entry that has a review posted.
fn review_put(place: &PlaceId, table: &Table) -> Put {
    put(Space::Outbox, entry(place, &table.id), &())
}

fn entry(place: &PlaceId, table: &TableId) -> String {
    format!("{} v {} review", place.0, table.0)
}

/// What this level thinks of a decision; `None` when it need not think about it.
fn judged(
    players: &mut Players,
    game: GameId,
    level: Level,
    turn: &Turn,
    budget: &Budget<'_>,
) -> Option<Verdict> {
    let player = players.of(game, level)?;
    let mut of = |asked: &Asked| {
        let mut numbers = Numbers::new(u64::from(turn.step));
        player.think(asked, budget, &mut numbers, &mut |_| {})
    };
    let free = of(&turn.asked)?;
    if is_sure(&free) {
        return None;
    }
    if free.action == turn.played {
        return Some(Verdict { best: free.action, before: free.chance, after: free.chance });
    }
    let after = of(&turn.asked.among(&[&turn.played])?)?.chance;
    let before = of(&turn.asked.among(&[&free.action])?)?.chance;
    Some(Verdict { best: free.action, before, after })
}

impl Inner {
    /// Somebody wants to know where the game turned.
    pub(super) async fn ask_review(&self, heard: &mut Heard<'_>, held: Held) -> Notes {
        let table = held.table();
        let turns = if review::can_be(table) { review::turns(table).len() } else { 0 };
        if turns < review::TURNS_MIN {
            return Ok(say("refuse-no-review"));
        }
        let place = heard.update.place.id.clone();
        let soon = (&*entry(&place, &table.id), "answer-review-soon");
        let above = (&*keys::reviewed(&place, &table.id), "answer-review-above");
        if let Some(notes) = self.asked_again(heard, soon, above).await? {
            return Ok(notes);
        }
        if self.reviews.waiting().len() >= WAITING_MAX {
            return Ok(say("refuse-review-busy"));
        }
        let seconds = self.reviews.seconds(turns);
        let notes = vec![Note::brief(Text::new("answer-review").with("seconds", seconds as i64))];
        let entry = review_put(&place, table);
        self.post_once(heard, held, entry, notes).await
    }

    async fn stored_review(&self, table: &TableId) -> Result<Option<Review>, Failure> {
        let stored = self.store.get(Space::Meta, &keys::review(table)).await?;
        Ok(stored.map(|it| parse(Some(it))))
    }

    /// Whether a review is there to be posted; if not, it is on its way.
    pub(super) async fn review_is_made(
        &self,
        place: &PlaceId,
        table: &TableId,
    ) -> Result<bool, Failure> {
        if self.store.get(Space::Meta, &keys::review(table)).await?.is_some() {
            return Ok(true);
        }
        let Some(inner) = self.me.upgrade() else { return Ok(false) };
        if self.reviews.begin(table, place) {
            self.begin_work();
            let table = table.clone();
            tokio::spawn(async move {
                inner.make_review(&table).await;
                inner.end_work();
            });
        }
        Ok(false)
    }

    async fn make_review(&self, table: &TableId) {
        let mut stopping = self.stopping.subscribe();
        let stop = Arc::new(AtomicBool::new(false));
        let made = tokio::select! {
            made = self.reviewed(table, &stop) => made,
            // The entry stays in the outbox; the review is made after the next start.
            _ = stopping.wait_for(|it| *it) => {
                stop.store(true, Ordering::Relaxed);
                self.reviews.end(table);
                return;
            }
        };
        let review = made.unwrap_or_else(|failure| {
            tracing::error!(table = table.0, %failure, "a review could not be made");
            Review::default()
        });
        let puts = vec![put(Space::Meta, keys::review(table), &review)];
        if let Err(error) = self.store.commit(Commit { puts, ..Commit::default() }).await {
            tracing::error!(table = table.0, %error, "a review could not be kept");
        }
        for place in self.reviews.end(table) {
            self.wake(&place);
        }
    }

    /// Thinks about a game: first about everything for a moment, then about what looks bad.
    async fn reviewed(&self, id: &TableId, stop: &Arc<AtomicBool>) -> Result<Review, Failure> {
        let Ok(_turn) = self.reviews.turn.acquire().await else { return Ok(Review::default()) };
        let Some(held) = self.hold(id).await? else { return Ok(Review::default()) };
        let table = held.table().copy();
        drop(held);
        let turns = Arc::new(review::turns(&table));
        let think = self.judge_all(table.place(), table.game_id(), &turns, stop);
        tokio::pin!(think);
        let verdicts = tokio::select! {
            verdicts = &mut think => verdicts,
            // Real time: what people wait.
            () = tokio::time::sleep(self.reviews.longest) => {
                stop.store(true, Ordering::Relaxed);
                think.await
            }
        };
        let moments = review::moments(&table, &turns, &verdicts);
        let chances = review::chances(&table, &sides(&table), &turns, &verdicts);
        Ok(Review { moments: moments.into_iter().map(Told::from).collect(), chances })
    }

    async fn judge_all(
        &self,
        place: &PlaceId,
        game: GameId,
        turns: &Arc<Vec<Turn>>,
        stop: &Arc<AtomicBool>,
    ) -> Vec<Option<Verdict>> {
        let mut verdicts: Vec<Option<Verdict>> = Vec::with_capacity(turns.len());
        let all: Vec<usize> = (0..turns.len()).collect();
        for some in all.chunks(AT_ONCE) {
            verdicts.extend(self.judge(place, game, QUICK, turns, some.to_vec(), stop).await);
        }
        let fall = |n: &usize| verdicts[*n].as_ref().map_or(0, Verdict::fall);
        let mut suspicious = all;
        suspicious.sort_by_key(|n| (std::cmp::Reverse(fall(n)), *n));
        for (rank, n) in suspicious.into_iter().enumerate() {
            let deep = if rank < SUSPICIOUS && !stop.load(Ordering::Relaxed) {
                self.judge(place, game, DEEP, turns, vec![n], stop).await.pop().flatten()
            } else {
                None
            };
            match (deep, &mut verdicts[n]) {
                (Some(deep), verdict) => *verdict = Some(deep),
                // What nobody has looked at twice is not named.
                (None, Some(quick)) => quick.after = quick.before,
                (None, None) => {}
            }
        }
        verdicts
    }

    /// What this level thinks of some decisions.
    async fn judge(
        &self,
        place: &PlaceId,
        game: GameId,
        level: Level,
        turns: &Arc<Vec<Turn>>,
        which: Vec<usize>,
        stop: &Arc<AtomicBool>,
    ) -> Vec<Option<Verdict>> {
        let count = which.len();
        let (turns, stop) = (turns.clone(), stop.clone());
        let think = move |players: &mut Players| -> Vec<Option<Verdict>> {
            let budget = Budget::OF_LEVEL.until(&stop);
            which.iter().map(|n| judged(players, game, level, &turns[*n], &budget)).collect()
        };
        let thought = self.thinkers.pool.think(place, Urgency::Study, think).await;
        thought.unwrap_or_else(|_| vec![None; count])
    }

    /// How likely each side was to win, as a picture and in words.
    pub(super) async fn review_chart(
        &self,
        table: &Table,
        lang: Lang,
    ) -> Result<Option<(Scene, String)>, Failure> {
        let Some(review) = self.stored_review(&table.id).await? else { return Ok(None) };
        let Some(game) = table.game.as_deref() else { return Ok(None) };
        let names = self.names(table, lang);
        let (scene, lines) = chances(game.standing(), &names, &review.chances);
        let line = |line: &StandingLine| {
            let names = line.seats.iter().filter_map(|seat| names.get(usize::from(*seat)).cloned());
            format!("{} {} %", names.collect::<Vec<_>>().join(" · "), line.value)
        };
        let words: Vec<String> = lines.iter().map(line).collect();
        Ok(Some((scene, words.join("\n"))))
    }

    /// Posts a review that is made. What comes back with the result is stored on success.
    pub(super) async fn send_review(
        &self,
        sending: Sending<'_>,
        id: &TableId,
    ) -> Result<(Result<(), SendError>, Vec<Put>), Failure> {
        let place = sending.place;
        let reader = self.place(place).await?.reads();
        let (Some(review), Some(held)) = (self.stored_review(id).await?, self.hold(id).await?)
        else {
            return Ok((Ok(()), Vec::new()));
        };
        let table = held.table().copy();
        drop(held);
        let note = told(&table, &review);
        let nonce = format!("review {} {}", id.0, self.clock.now_ms() / AGAIN_MS);
        let message = self.outgoing(&note, &reader, nonce, Some(&table)).await?;
        sending.count();
        let sent = sending.platform.post(place, &Outgoing { loud: false, ..message }).await;
        let shown = put(Space::Meta, keys::reviewed(place, id), &self.clock.now_ms());
        Ok((sent.map(drop), vec![shown]))
    }

    /// One of the moves of a review, for whoever asks.
    pub(super) async fn moment(&self, _heard: &Heard<'_>, table: &Table, n: u8) -> Notes {
        let review = self.stored_review(&table.id).await?.filter(|_| review::can_be(table));
        let at = usize::from(n).wrapping_sub(1);
        let Some(it) = review.and_then(|it| it.moments.get(at).cloned()) else {
            return Ok(say("refuse-review-gone"));
        };
        let texts = vec![
            Text::new("answer-moment")
                .with("move", i64::from(it.step) + 1)
                .with("name", Arg::Seat(it.seat))
                .with("played", it.played)
                .with("better", it.better),
            Text::new("answer-moment-chance")
                .with("before", percent(it.before))
                .with("after", percent(it.after)),
        ];
        let (step, seat) = (it.step, it.seat);
        let picture = Some(Picture::Moment { table: table.id.0.clone(), step, seat });
        Ok(vec![present::named(table, Note { texts, picture, ..Note::default() })])
    }
}

/// The seats of each side, as the chart of the game has them.
fn sides(table: &Table) -> Vec<Vec<u8>> {
    let standing = table.game.as_deref().map(|it| it.standing());
    standing.map(|it| it.lines.into_iter().map(|line| line.seats).collect()).unwrap_or_default()
}

/// The review as everybody in the place reads it.
fn told(table: &Table, review: &Review) -> Note {
    let game = Text::new(format!("game-{}", table.game_id().info().code));
    let title = Text::new("answer-review-title").with("game", game);
    let mut texts = vec![title.with("table", table.id.0.as_str())];
    let line = |(n, it): (i64, &Told)| {
        Text::new("answer-review-line")
            .with("n", n)
            .with("move", i64::from(it.step) + 1)
            .with("name", Arg::Seat(it.seat))
            .with("played", it.played.clone())
            .with("better", it.better.clone())
            .with("before", percent(it.before))
            .with("after", percent(it.after))
    };
    texts.extend((1..).zip(&review.moments).map(line));
    if review.moments.is_empty() {
        texts.push(Text::new("answer-review-none"));
    }
    texts.push(Text::new("answer-review-chart"));
    let key = |n: u8| {
        let press = TablePress { table: table.id.clone(), ask: Ask::Moment { n } }.write();
        Key::new(Arg::Plain(n.to_string()), press)
    };
    let keys: Vec<Key> = (1..=review.moments.len() as u8).map(key).collect();
    let keys = if keys.is_empty() { Vec::new() } else { vec![keys] };
    let picture = Some(Picture::Review { table: table.id.0.clone() });
    present::named(table, Note { texts, picture, keys, ..Note::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_is_made_once_for_all_who_wait() {
        let reviews = Reviews::new(15_000);
        let table = TableId("7k3fx".into());
        let place = |name: &str| PlaceId(format!("web:{name}"));
        assert!(reviews.begin(&table, &place("a")));
        assert!(!reviews.begin(&table, &place("b")));
        assert!(!reviews.begin(&table, &place("b")));
        assert_eq!(reviews.end(&table), [place("a"), place("b")]);
        assert!(reviews.begin(&table, &place("c")));
    }

    #[test]
    fn nobody_is_told_to_wait_longer_than_it_takes() {
        let reviews = Reviews::new(15_000);
        assert_eq!(reviews.seconds(30), 3);
        assert_eq!(reviews.seconds(3_000), 15);
        reviews.begin(&TableId("7k3fx".into()), &PlaceId("web:a".into()));
        assert_eq!(reviews.seconds(30), 18);
    }
}
