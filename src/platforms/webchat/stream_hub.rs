//! Who is here: the open streams of each person, and what wakes them.
//!
//! A stream holds no queue of what happened. It is woken, looks at the state, and tells what is
//! newer than what it has told; a reader who is slow is told the newest form only. What passes
//! (somebody is typing) waits in a short list of which the oldest goes.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::viewers::ViewedBoard;

/// For so long somebody who only looks in counts as being here.
const RECENTLY_SEEN: Duration = Duration::from_secs(10);
/// When so many people are known to look at something, those who have left are forgotten.
const VIEWERS_MAX: usize = 4_096;
/// So much that passes may wait for one stream.
const LIVE_EVENTS_MAX: usize = 32;

/// Something of the moment, never remembered.
#[derive(Debug)]
pub struct LiveEvent {
    /// What it is called in the stream.
    pub event: &'static str,
    /// JSON.
    pub data: String,
}

/// What waits for one stream.
#[derive(Debug, Default)]
pub struct StreamInbox {
    /// Wakes the stream.
    pub news: Notify,
    passing: Mutex<VecDeque<Arc<LiveEvent>>>,
}

/// All open streams.
#[derive(Debug, Default)]
pub struct StreamHub {
    streams: Mutex<HashMap<String, Vec<Arc<StreamInbox>>>>,
    looks: Mutex<HashMap<String, Instant>>,
    /// The room whose board somebody asked for last, and the table.
    eyes: Mutex<HashMap<String, (String, String)>>,
}

impl StreamInbox {
    /// What has passed since the last call.
    pub fn take_live_events(&self) -> VecDeque<Arc<LiveEvent>> {
        std::mem::take(&mut *lock(&self.passing))
    }
}

impl StreamHub {
    /// Opens a stream for somebody who has less than `most`; tells whether they were away.
    pub fn open(&self, person: &str, most: usize) -> Option<(Arc<StreamInbox>, bool)> {
        let was_away = !self.is_online(person);
        let mut streams = lock(&self.streams);
        let mine = streams.entry(person.to_owned()).or_default();
        if mine.len() >= most {
            return None;
        }
        let inbox = Arc::new(StreamInbox::default());
        mine.push(Arc::clone(&inbox));
        Some((inbox, was_away))
    }

    /// Closes a stream; tells whether it was the last of this person.
    pub fn close(&self, person: &str, inbox: &Arc<StreamInbox>) -> bool {
        let mut streams = lock(&self.streams);
        let Some(mine) = streams.get_mut(person) else { return true };
        mine.retain(|it| !Arc::ptr_eq(it, inbox));
        let last = mine.is_empty();
        if last {
            streams.remove(person);
        }
        last
    }

    /// Whether somebody has a stream open, or has looked in lately.
    pub fn is_online(&self, person: &str) -> bool {
        let lately = lock(&self.looks).get(person).is_some_and(|it| it.elapsed() < RECENTLY_SEEN);
        lately || lock(&self.streams).contains_key(person)
    }

    /// Notes which board somebody looks at: a page asks for it whenever it shows it or something
    /// has changed there. Whether they looked at another one before.
    pub fn note_viewed_board(&self, person: &str, room: &str, table: &str) -> bool {
        let mut eyes = lock(&self.eyes);
        if eyes.len() >= VIEWERS_MAX {
            eyes.retain(|person, _| self.is_online(person));
        }
        let now = (room.to_owned(), table.to_owned());
        eyes.insert(person.to_owned(), now.clone()) != Some(now)
    }

    /// Everybody who is here and looks at a board.
    pub fn viewed_boards(&self) -> BTreeSet<ViewedBoard> {
        let eyes = lock(&self.eyes);
        let here = eyes.iter().filter(|(person, _)| self.is_online(person));
        let look = |(person, (room, table)): (&String, &(String, String))| {
            let (person, room, table) = (person.clone(), room.clone(), table.clone());
            ViewedBoard { person, room, table }
        };
        here.map(look).collect()
    }

    /// How many streams are open.
    pub fn stream_count(&self) -> usize {
        lock(&self.streams).values().map(Vec::len).sum()
    }

    /// Notes that somebody without a stream looked in. True if they were away before.
    pub fn note_seen(&self, person: &str) -> bool {
        let was_away = !self.is_online(person);
        let mut looks = lock(&self.looks);
        looks.retain(|_, at| at.elapsed() < RECENTLY_SEEN);
        looks.insert(person.to_owned(), Instant::now());
        was_away
    }

    /// Wakes the streams of these people.
    pub fn wake(&self, people: &BTreeSet<String>) {
        let streams = lock(&self.streams);
        for inbox in people.iter().filter_map(|it| streams.get(it)).flatten() {
            inbox.news.notify_one();
        }
    }

    /// Tells these people something of the moment.
    pub fn send_live_event<'a>(&self, people: impl Iterator<Item = &'a String>, live: LiveEvent) {
        let live = Arc::new(live);
        let streams = lock(&self.streams);
        for inbox in people.filter_map(|it| streams.get(it)).flatten() {
            let mut passing = lock(&inbox.passing);
            if passing.len() >= LIVE_EVENTS_MAX {
                passing.pop_front();
            }
            passing.push_back(Arc::clone(&live));
            inbox.news.notify_one();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
