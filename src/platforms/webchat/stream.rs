//! Live updates of one person as server-sent events.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use axum::response::sse::{Event, KeepAlive, Sse};
use futures::{Stream, StreamExt};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::Instant;

use super::{
    Web,
    hub::{Inbox, Live},
    refusal::Refusal,
    state::State,
    view,
};

/// At most so many events are prepared at a time.
const STEP_MAX: usize = 100;
/// A stream that was woken just now rests so long before it looks again: what many say at once
/// is told together, and a single word at once.
const BREATH: Duration = Duration::from_millis(25);

/// An open stream.
struct Reader {
    web: Arc<Web>,
    person: String,
    /// Whoever has got another secret since is not told anything more here.
    secret: String,
    /// Everything up to this change has been queued.
    shown: u64,
    ready: Ready,
    queue: VecDeque<Event>,
    closing: watch::Receiver<bool>,
    seat: Option<Seat>,
    woken: Instant,
}

/// How far the beginning of a stream has come.
#[derive(Clone, Copy, PartialEq)]
enum Ready {
    Not,
    Told { last: bool },
}

/// Counts as being here for as long as it lives.
struct Seat {
    web: Arc<Web>,
    person: String,
    inbox: Arc<Inbox>,
}

/// Opens a stream. `after` is the last change the client has seen; without it only what is new
/// is sent. With `once` the stream ends when all is told.
pub async fn open(
    web: &Arc<Web>,
    person: String,
    after: Option<u64>,
    once: bool,
) -> Result<Sse<impl Stream<Item = Result<Event, axum::Error>> + use<>>, Refusal> {
    if after.is_some_and(|after| after > web.state().seq) {
        // They may have seen it at another process of this chat.
        web.refresh().await;
    }
    // Whoever only looks in is not counted as coming and going each time.
    let seat = if once { None } else { Some(Seat::take(web, &person)?) };
    if once && web.hub.looked_in(&person) {
        tell_presence(web, &person, true);
    }
    let state = web.state();
    let newest = state.seq;
    let secret = state.people.get(&person).map(|it| it.secret.clone());
    let mut queue = VecDeque::new();
    if after.is_some_and(|after| after > newest) {
        queue.push_back(event("reset", &json!({}))?);
    }
    let reader = Reader {
        web: Arc::clone(web),
        person,
        secret: secret.ok_or(Refusal::Stranger)?,
        shown: after.filter(|it| *it <= newest).unwrap_or(newest),
        ready: Ready::Not,
        queue,
        closing: web.closing.subscribe(),
        seat,
        woken: Instant::now(),
    };
    let stream = futures::stream::unfold(reader, move |mut reader| async move {
        let event = reader.next(once).await?;
        Some((Ok(event), reader))
    });
    // Whoever compresses it asks once more when it has ended.
    let stream = stream.fuse();
    let beat = KeepAlive::new().interval(Duration::from_secs(15));
    Ok(Sse::new(stream).keep_alive(beat))
}

impl Reader {
    async fn next(&mut self, once: bool) -> Option<Event> {
        loop {
            if let Some(event) = self.queue.pop_front() {
                return Some(event);
            }
            if *self.closing.borrow() {
                return None;
            }
            self.fill()?;
            if !self.queue.is_empty() {
                continue;
            }
            match self.ready {
                Ready::Not => {
                    self.ready = Ready::Told { last: once };
                    if !once {
                        self.queue_rooms();
                    }
                    return event("ready", &json!({ "seq": self.shown })).ok();
                }
                Ready::Told { last: true } => return None,
                Ready::Told { last: false } => {}
            }
            let inbox = Arc::clone(&self.seat.as_ref()?.inbox);
            let rested = self.woken + BREATH;
            let news = async {
                inbox.news.notified().await;
                tokio::time::sleep_until(rested).await;
            };
            tokio::select! {
                () = news => self.woken = Instant::now(),
                _ = self.closing.changed() => return None,
            }
            let passing = inbox.passing().into_iter();
            self.queue.extend(passing.map(|it| Event::default().event(it.event).data(&it.data)));
        }
    }

    /// Queues what has changed since, oldest change first. `None` if the person is gone.
    fn fill(&mut self) -> Option<()> {
        let state = self.web.state();
        let member = state.people.get(&self.person).filter(|it| it.secret == self.secret)?;
        let until = state.seq;
        if until <= self.shown {
            return Some(());
        }
        let new = self.shown + 1..=until;
        let mut found: Vec<(u64, &str, String)> = Vec::new();
        if new.contains(&member.changed) {
            found.push((member.changed, "me", view::me(member, member.changed).to_string()));
        }
        for place in member.rooms.iter().filter_map(|room| state.places.get(room)) {
            let name = place.room.name.as_str();
            if new.contains(&place.room.changed) {
                let room = view::room(&self.web, &state, place, &self.person);
                found.push((place.room.changed, "room", room.to_string()));
            }
            for id in place.order.range(new.clone()).map(|(_, id)| id) {
                let Some(kept) = place.messages.get(id) else { continue };
                if kept.message.visible_to(&self.person) {
                    found.push((kept.message.changed, "message", kept.told(name).to_owned()));
                }
            }
        }
        found.sort_by_key(|(changed, _, _)| *changed);
        let cut = found.len() > STEP_MAX;
        found.truncate(STEP_MAX);
        self.shown = found.last().filter(|_| cut).map_or(until, |(changed, _, _)| *changed);
        let told = found.into_iter().map(|(changed, name, data)| {
            Event::default().event(name).id(changed.to_string()).data(data)
        });
        self.queue.extend(told);
        Some(())
    }

    /// Who came or went while the stream was being opened was told to nobody: the rooms are told
    /// again as they are now.
    fn queue_rooms(&mut self) {
        let state: Arc<State> = self.web.state();
        let Some(member) = state.people.get(&self.person) else { return };
        for place in member.rooms.iter().filter_map(|room| state.places.get(room)) {
            let room = view::room(&self.web, &state, place, &self.person);
            self.queue.extend(event("room", &room));
        }
    }
}

impl Seat {
    fn take(web: &Arc<Web>, person: &str) -> Result<Self, Refusal> {
        let most = web.settings.limits.streams;
        let (inbox, was_away) = web.hub.open(person, most).ok_or(Refusal::Wait(5_000))?;
        if was_away {
            tell_presence(web, person, true);
        }
        Ok(Self { web: Arc::clone(web), person: person.to_owned(), inbox })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        if self.web.hub.close(&self.person, &self.inbox) {
            self.web.eyes.have_moved();
            tell_presence(&self.web, &self.person, false);
        }
    }
}

/// Tells the rooms of a person that they came or went.
fn tell_presence(web: &Web, person: &str, online: bool) {
    let rooms = web.state().people.get(person).map(|it| it.rooms.clone()).unwrap_or_default();
    for room in rooms.into_iter().filter(|it| !it.starts_with('@')) {
        let who = format!("web:{person}");
        let data = json!({ "room": room, "person": who, "online": online }).to_string();
        web.tell(&room, person, Live { event: "presence", data });
    }
}

fn event(name: &str, value: &Value) -> Result<Event, Refusal> {
    Event::default().event(name).json_data(value).map_err(|_| Refusal::Bad("event"))
}
