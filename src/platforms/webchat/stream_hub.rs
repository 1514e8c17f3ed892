//! Tracks the open streams of each person, and wakes them.
//!
//! A stream has no queue of events. It is woken, reads the state, and sends everything newer than
//! it has sent; a slow reader gets only the newest form. Transient events (a person is typing) wait
//! in a short list whose oldest entry is dropped.
//!
//! A person has a limited number of streams. A new one beyond the limit ends the oldest one,
//! because streams of lost connections count until the system gives them up.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::viewers::ViewedBoard;

/// How long a person without a stream counts as online after a request.
pub const RECENTLY_SEEN: Duration = Duration::from_secs(10);
/// Above this many recorded viewers, those who are offline are forgotten.
const VIEWERS_MAX: usize = 4_096;
/// The most transient events that wait for one stream.
const LIVE_EVENTS_MAX: usize = 32;

/// A transient event, which is never stored.
#[derive(Debug)]
pub struct LiveEvent {
    /// The name of the event in the stream.
    pub event: &'static str,
    /// The data as JSON.
    pub data: String,
}

/// The inbox of one stream.
#[derive(Debug, Default)]
pub struct StreamInbox {
    /// Wakes the stream.
    pub news: Notify,
    passing: Mutex<VecDeque<Arc<LiveEvent>>>,
    replaced: AtomicBool,
}

/// All open streams.
#[derive(Debug, Default)]
pub struct StreamHub {
    streams: Mutex<HashMap<String, Vec<Arc<StreamInbox>>>>,
    looks: Mutex<HashMap<String, Instant>>,
    /// By person: the room and the table of the board they requested last.
    viewed: Mutex<HashMap<String, (String, String)>>,
}

impl StreamInbox {
    /// Takes the transient events since the last call.
    pub fn take_live_events(&self) -> VecDeque<Arc<LiveEvent>> {
        std::mem::take(&mut *self.passing.lock())
    }

    /// Whether newer streams of the same person have replaced this one: it has to end.
    pub fn is_replaced(&self) -> bool {
        self.replaced.load(Ordering::Relaxed)
    }

    fn replace(&self) {
        self.replaced.store(true, Ordering::Relaxed);
        self.news.notify_one();
    }
}

impl StreamHub {
    /// Opens a stream for a person, and ends their oldest one if they have `most`. Also returns
    /// whether they were offline.
    pub fn open(&self, person: &str, most: usize) -> (Arc<StreamInbox>, bool) {
        let was_away = !self.is_online(person);
        let mut streams = self.streams.lock();
        let mine = streams.entry(person.to_owned()).or_default();
        if mine.len() >= most.max(1) {
            mine.remove(0).replace();
        }
        let inbox = Arc::new(StreamInbox::default());
        mine.push(Arc::clone(&inbox));
        (inbox, was_away)
    }

    /// Closes a stream; returns whether it was the last of this person, who is offline then until
    /// their next request. One that was replaced is not.
    pub fn close(&self, person: &str, inbox: &Arc<StreamInbox>) -> bool {
        let mut streams = self.streams.lock();
        let Some(mine) = streams.get_mut(person) else { return false };
        mine.retain(|it| !Arc::ptr_eq(it, inbox));
        let last = mine.is_empty();
        if last {
            streams.remove(person);
            self.looks.lock().remove(person);
        }
        last
    }

    /// Whether a person has an open stream, or made a request recently.
    pub fn is_online(&self, person: &str) -> bool {
        let lately = self.looks.lock().get(person).is_some_and(|it| it.elapsed() < RECENTLY_SEEN);
        lately || self.streams.lock().contains_key(person)
    }

    /// Records which board a person looks at: a page requests it whenever it shows it or the board
    /// has changed. Returns whether they looked at another one before.
    pub fn note_viewed_board(&self, person: &str, room: &str, table: &str) -> bool {
        let mut viewed = self.viewed.lock();
        if viewed.len() >= VIEWERS_MAX {
            viewed.retain(|person, _| self.is_online(person));
        }
        let now = (room.to_owned(), table.to_owned());
        viewed.insert(person.to_owned(), now.clone()) != Some(now)
    }

    /// Returns all online people with the boards they look at.
    pub fn viewed_boards(&self) -> BTreeSet<ViewedBoard> {
        let viewed = self.viewed.lock();
        let here = viewed.iter().filter(|(person, _)| self.is_online(person));
        let look = |(person, (room, table)): (&String, &(String, String))| {
            let person = person.clone();
            let room = room.clone();
            let table = table.clone();
            ViewedBoard { person, room, table }
        };
        here.map(look).collect()
    }

    /// Returns all people with an open stream.
    pub fn people_with_streams(&self) -> Vec<String> {
        self.streams.lock().keys().cloned().collect()
    }

    /// Returns the number of open streams.
    pub fn stream_count(&self) -> usize {
        self.streams.lock().values().map(Vec::len).sum()
    }

    /// Records a request of a person without a stream. Returns whether they were offline before.
    pub fn note_seen(&self, person: &str) -> bool {
        let was_away = !self.is_online(person);
        let mut looks = self.looks.lock();
        looks.retain(|_, at| at.elapsed() < RECENTLY_SEEN);
        looks.insert(person.to_owned(), Instant::now());
        was_away
    }

    /// Wakes the streams of these people.
    pub fn wake(&self, people: &BTreeSet<String>) {
        let streams = self.streams.lock();
        for inbox in people.iter().filter_map(|it| streams.get(it)).flatten() {
            inbox.news.notify_one();
        }
    }

    /// Sends a transient event to these people.
    pub fn send_live_event<'a>(&self, people: impl Iterator<Item = &'a String>, live: LiveEvent) {
        let live = Arc::new(live);
        let streams = self.streams.lock();
        for inbox in people.filter_map(|it| streams.get(it)).flatten() {
            let mut passing = inbox.passing.lock();
            if passing.len() >= LIVE_EVENTS_MAX {
                passing.pop_front();
            }
            passing.push_back(Arc::clone(&live));
            inbox.news.notify_one();
        }
    }
}
