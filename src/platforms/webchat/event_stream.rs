//! Streams live updates to one person as server-sent events.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures::{Stream, StreamExt};
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::Instant;

use super::{
    Webchat,
    answers::{EmptyAnswer, PresenceEvent, ReadyEvent, json_text},
    refusal::WebchatRefusal,
    state::WebchatState,
    stream_hub::{LiveEvent, RECENTLY_SEEN, StreamInbox},
    view,
};

/// The most events that are prepared at a time.
const EVENTS_PER_STEP: usize = 100;
/// How long a woken stream pauses before its next look: a single change is sent at once, and
/// changes in quick succession are sent together.
const WAKE_PAUSE: Duration = Duration::from_millis(25);

/// An open stream.
struct EventStream {
    web: Arc<Webchat>,
    person: String,
    /// The secret at the start: a stream ends when its person has another one.
    secret: String,
    /// All changes up to this one are queued.
    shown: u64,
    ready: StartupPhase,
    queue: VecDeque<Event>,
    closing: watch::Receiver<bool>,
    seat: Option<OnlineGuard>,
    woken: Instant,
}

/// The start-up phase of a stream.
#[derive(Clone, Copy, PartialEq)]
enum StartupPhase {
    Not,
    Told { last: bool },
}

/// Counts the person as online until this is dropped.
struct OnlineGuard {
    web: Arc<Webchat>,
    person: String,
    inbox: Arc<StreamInbox>,
}

/// Opens a stream. `after` is the last change that the client has seen; without it only new changes
/// are sent. With `once` the stream ends when the client is up to date.
pub async fn open_stream(
    web: &Arc<Webchat>,
    person: String,
    after: Option<u64>,
    once: bool,
) -> Result<Sse<impl Stream<Item = Result<Event, axum::Error>> + use<>>, WebchatRefusal> {
    if after.is_some_and(|after| after > web.state().seq) {
        // The client may have seen that change at another process of this chat.
        web.refresh().await;
    }
    // A single look does not announce that the person comes and goes.
    let seat = (!once).then(|| OnlineGuard::enter(web, &person));
    if once && web.hub.note_seen(&person) {
        announce_presence(web, &person, true);
        tokio::spawn(announce_end_of_looks(Arc::downgrade(web), person.clone()));
    }
    let state = web.state();
    let newest = state.seq;
    let secret = state.people.get(&person).map(|it| it.secret.clone());
    let mut queue = VecDeque::new();
    if after.is_some_and(|after| after > newest) {
        queue.push_back(sse_event("reset", &EmptyAnswer {})?);
    }
    let reader = EventStream {
        web: Arc::clone(web),
        person,
        secret: secret.ok_or(WebchatRefusal::UnknownToken)?,
        shown: after.filter(|it| *it <= newest).unwrap_or(newest),
        ready: StartupPhase::Not,
        queue,
        closing: web.closing.subscribe(),
        seat,
        woken: Instant::now(),
    };
    let stream = futures::stream::unfold(reader, move |mut reader| async move {
        let event = reader.next(once).await?;
        Some((Ok(event), reader))
    });
    // The compression layer polls once more after the end.
    let stream = stream.fuse();
    let beat = KeepAlive::new().interval(Duration::from_secs(15));
    Ok(Sse::new(stream).keep_alive(beat))
}

impl EventStream {
    async fn next(&mut self, once: bool) -> Option<Event> {
        loop {
            if let Some(event) = self.queue.pop_front() {
                return Some(event);
            }
            if *self.closing.borrow() {
                return None;
            }
            if self.is_replaced() {
                self.ready = StartupPhase::Told { last: true };
                return sse_event("crowded", &EmptyAnswer {}).ok();
            }
            self.queue_changes()?;
            if !self.queue.is_empty() {
                continue;
            }
            match self.ready {
                StartupPhase::Not => {
                    self.ready = StartupPhase::Told { last: once };
                    if !once {
                        self.queue_rooms();
                    }
                    return sse_event("ready", &ReadyEvent { seq: self.shown }).ok();
                }
                StartupPhase::Told { last: true } => return None,
                StartupPhase::Told { last: false } => {}
            }
            let inbox = Arc::clone(&self.seat.as_ref()?.inbox);
            let rested = self.woken + WAKE_PAUSE;
            let news = async {
                inbox.news.notified().await;
                tokio::time::sleep_until(rested).await;
            };
            tokio::select! {
                () = news => self.woken = Instant::now(),
                _ = self.closing.changed() => return None,
            }
            let passing = inbox.take_live_events().into_iter();
            self.queue.extend(passing.map(|it| Event::default().event(it.event).data(&it.data)));
        }
    }

    /// Whether newer streams of the person have replaced this one, and the client was not told yet.
    fn is_replaced(&self) -> bool {
        let is_over = self.ready == StartupPhase::Told { last: true };
        !is_over && self.seat.as_ref().is_some_and(|it| it.inbox.is_replaced())
    }

    /// Queues the changes since the last call, oldest first. `None` if the person is gone.
    fn queue_changes(&mut self) -> Option<()> {
        let state = self.web.state();
        let member = state.people.get(&self.person).filter(|it| it.secret == self.secret)?;
        let until = state.seq;
        if until <= self.shown {
            return Some(());
        }
        let new = self.shown + 1..=until;
        let mut found: Vec<(u64, &str, String)> = Vec::new();
        if new.contains(&member.changed) {
            let me = json_text(&view::own_person(member, member.changed));
            found.push((member.changed, "me", me));
        }
        for room_data in member.rooms.iter().filter_map(|room| state.rooms.get(room)) {
            let name = room_data.room.name.as_str();
            if new.contains(&room_data.room.changed) {
                let room = view::room_view(&self.web, &state, room_data, &self.person);
                found.push((room_data.room.changed, "room", json_text(&room)));
            }
            for id in room_data.order.range(new.clone()).map(|(_, id)| id) {
                let Some(kept) = room_data.messages.get(id) else { continue };
                if kept.message.visible_to(&self.person) {
                    found.push((kept.message.changed, "message", kept.event_json(name).to_owned()));
                }
            }
        }
        found.sort_by_key(|(changed, _, _)| *changed);
        let cut = found.len() > EVENTS_PER_STEP;
        found.truncate(EVENTS_PER_STEP);
        self.shown = found.last().filter(|_| cut).map_or(until, |(changed, _, _)| *changed);
        let told = found.into_iter().map(|(changed, name, data)| {
            Event::default().event(name).id(changed.to_string()).data(data)
        });
        self.queue.extend(told);
        Some(())
    }

    /// Queues the current state of the rooms: changes of presence while the stream was being opened
    /// were not sent to it.
    fn queue_rooms(&mut self) {
        let state: Arc<WebchatState> = self.web.state();
        let Some(member) = state.people.get(&self.person) else { return };
        for room_data in member.rooms.iter().filter_map(|room| state.rooms.get(room)) {
            let room = view::room_view(&self.web, &state, room_data, &self.person);
            self.queue.extend(sse_event("room", &room));
        }
    }
}

impl OnlineGuard {
    fn enter(web: &Arc<Webchat>, person: &str) -> Self {
        let (inbox, was_away) = web.hub.open(person, web.settings.limits.streams);
        if was_away {
            announce_presence(web, person, true);
        }
        Self { web: Arc::clone(web), person: person.to_owned(), inbox }
    }
}

impl Drop for OnlineGuard {
    fn drop(&mut self) {
        if self.web.hub.close(&self.person, &self.inbox) {
            self.web.viewer_row.mark_changed();
            announce_presence(&self.web, &self.person, false);
        }
    }
}

/// Announces in the rooms of a person that they are online or offline.
fn announce_presence(web: &Webchat, person: &str, online: bool) {
    let rooms = web.state().people.get(person).map(|it| it.rooms.clone()).unwrap_or_default();
    for room in rooms.into_iter().filter(|it| !it.starts_with('@')) {
        let about = PresenceEvent { online, person: format!("web:{person}"), room: room.clone() };
        let data = json_text(&about);
        web.send_live_event(&room, person, LiveEvent { event: "presence", data });
    }
}

/// Waits until a person without a stream has not looked for some time, and announces that they are
/// offline.
async fn announce_end_of_looks(web: Weak<Webchat>, person: String) {
    loop {
        tokio::time::sleep(RECENTLY_SEEN).await;
        let Some(web) = web.upgrade() else { return };
        if !web.hub.is_online(&person) {
            web.viewer_row.mark_changed();
            return announce_presence(&web, &person, false);
        }
    }
}

fn sse_event(name: &str, value: &impl Serialize) -> Result<Event, WebchatRefusal> {
    Event::default().event(name).json_data(value).map_err(|_| WebchatRefusal::BadRequest("event"))
}
