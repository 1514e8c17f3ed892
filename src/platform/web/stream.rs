//! Live updates of one person as server-sent events.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use axum::response::sse::{Event, KeepAlive, Sse};
use futures::Stream;
use serde_json::{Value, json};
use tokio::sync::{broadcast, watch};

use super::{Live, Web, refusal::Refusal, view};

/// At most so many events are prepared at a time.
const STEP_MAX: usize = 100;

/// An open stream.
struct Reader {
    web: Arc<Web>,
    person: String,
    /// Everything up to this change has been queued.
    shown: u64,
    ready: Ready,
    queue: VecDeque<Event>,
    durable: watch::Receiver<u64>,
    live: broadcast::Receiver<Live>,
    closing: watch::Receiver<bool>,
    _seat: Seat,
}

/// How far the beginning of a stream has come.
#[derive(Clone, Copy, PartialEq)]
enum Ready {
    Not,
    Told { last: bool },
}

/// Counts the open streams of a person for as long as it lives.
struct Seat {
    web: Arc<Web>,
    person: String,
}

/// Opens a stream. `after` is the last change the client has seen; without it only what is new
/// is sent. With `once` the stream ends when all is told.
pub fn open(
    web: &Arc<Web>,
    person: String,
    after: Option<u64>,
    once: bool,
) -> Result<Sse<impl Stream<Item = Result<Event, axum::Error>> + use<>>, Refusal> {
    let seat = Seat::take(web, &person)?;
    let durable = web.durable.clone();
    let newest = web.state().seq;
    let mut queue = VecDeque::new();
    if after.is_some_and(|after| after > newest) {
        queue.push_back(event("reset", &json!({}))?);
    }
    let reader = Reader {
        web: Arc::clone(web),
        person,
        shown: after.filter(|it| *it <= newest).unwrap_or(newest),
        ready: Ready::Not,
        queue,
        durable,
        live: web.live.subscribe(),
        closing: web.closing.subscribe(),
        _seat: seat,
    };
    let stream = futures::stream::unfold(reader, move |mut reader| async move {
        let event = reader.next(once).await?;
        Some((Ok(event), reader))
    });
    let beat = KeepAlive::new().interval(Duration::from_secs(15));
    Ok(Sse::new(stream).keep_alive(beat))
}

impl Reader {
    async fn next(&mut self, once: bool) -> Option<Event> {
        loop {
            if let Some(event) = self.queue.pop_front() {
                return Some(event);
            }
            if *self.closing.borrow() || !self.fill()? {
                return None;
            }
            if !self.queue.is_empty() {
                continue;
            }
            match self.ready {
                Ready::Not => {
                    self.ready = Ready::Told { last: once };
                    return event("ready", &json!({ "seq": self.shown })).ok();
                }
                Ready::Told { last: true } => return None,
                Ready::Told { last: false } => {}
            }
            tokio::select! {
                changed = self.durable.changed() => changed.ok()?,
                live = self.live.recv() => match live {
                    Ok(live) => self.queue.extend(self.passing(&live)),
                    Err(broadcast::error::RecvError::Lagged(_)) => {}
                    Err(broadcast::error::RecvError::Closed) => return None,
                },
                _ = self.closing.changed() => return None,
            }
        }
    }

    /// Queues what has changed since, oldest change first. False if the person is gone.
    fn fill(&mut self) -> Option<bool> {
        let state = self.web.state();
        let until = *self.durable.borrow_and_update();
        let Some(member) = state.people.get(&self.person) else { return Some(false) };
        if until <= self.shown {
            return Some(true);
        }
        let new = self.shown + 1..=until;
        let mut found: Vec<(u64, &str, Value)> = Vec::new();
        if new.contains(&member.changed) {
            found.push((member.changed, "me", view::me(member, member.changed)));
        }
        for place in member.rooms.iter().filter_map(|room| state.places.get(room)) {
            let name = place.room.name.as_str();
            if new.contains(&place.room.changed) {
                let room = view::room(&self.web, &state, place, &self.person);
                found.push((place.room.changed, "room", room));
            }
            for id in place.order.range(new.clone()).map(|(_, id)| id) {
                let Some(message) = place.messages.get(id) else { continue };
                if message.visible_to(&self.person) {
                    found.push((message.changed, "message", view::message(name, message)));
                }
            }
        }
        found.sort_by_key(|(changed, _, _)| *changed);
        let cut = found.len() > STEP_MAX;
        found.truncate(STEP_MAX);
        self.shown = found.last().filter(|_| cut).map_or(until, |(changed, _, _)| *changed);
        for (changed, name, value) in found {
            self.queue.push_back(event(name, &value).ok()?.id(changed.to_string()));
        }
        Some(true)
    }

    /// Something of the moment, if it is in one of this person's rooms and not by themselves.
    fn passing(&self, live: &Live) -> Option<Event> {
        let state = self.web.state();
        let member = state.people.get(&self.person)?;
        let mine = live.from != self.person && member.rooms.contains(&live.room);
        let name = live.event;
        mine.then(|| Event::default().event(name).data(&live.data))
    }
}

impl Seat {
    fn take(web: &Arc<Web>, person: &str) -> Result<Self, Refusal> {
        let mut streams = web.streams();
        let count = streams.entry(person.to_owned()).or_default();
        if *count >= web.settings.limits.streams {
            return Err(Refusal::Wait(5_000));
        }
        *count += 1;
        let first = *count == 1;
        drop(streams);
        let seat = Self { web: Arc::clone(web), person: person.to_owned() };
        if first {
            seat.tell(true);
        }
        Ok(seat)
    }

    fn tell(&self, online: bool) {
        let rooms = match self.web.state().people.get(&self.person) {
            Some(member) => member.rooms.clone(),
            None => return,
        };
        for room in rooms.into_iter().filter(|it| !it.starts_with('@')) {
            let person = format!("web:{}", self.person);
            let data = json!({ "room": room, "person": person, "online": online }).to_string();
            self.web.tell(Live { room, from: self.person.clone(), event: "presence", data });
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut streams = self.web.streams();
        let Some(count) = streams.get_mut(&self.person) else { return };
        *count -= 1;
        let last = *count == 0;
        if last {
            streams.remove(&self.person);
        }
        drop(streams);
        if last {
            self.tell(false);
        }
    }
}

fn event(name: &str, value: &Value) -> Result<Event, Refusal> {
    Event::default().event(name).json_data(value).map_err(|_| Refusal::Bad("event"))
}
