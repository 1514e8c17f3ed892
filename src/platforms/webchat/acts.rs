//! What people do, told to the bot: exactly once, even if the process dies in between.
//!
//! A message and the note that the bot has yet to hear it are kept together. The note goes when
//! the bot has answered. Whatever is repeated (by a client that got no answer, or at the next
//! start) carries the same update id, and the bot acts once for each.

use std::sync::{Arc, Weak};
use std::time::Duration;

use super::{
    Web,
    model::{Act, Member, Named, Pending, Room},
    now_ms,
    refusal::Refusal,
    view,
};
use caravanserai_games::ids::{MessageId, PersonId, PlaceKind};
use caravanserai_protocol::{
    Arrival, Body, Departure, Listener, Mention, Outgoing, Parents, Person, PersonKind, Place,
    SendError, Update, Whisper,
};

/// Tells the bot and gives its whispers, those that stay with their message number. Runs to its
/// end even if whoever asked has gone.
pub async fn hear(
    web: &Arc<Web>,
    listener: &Arc<dyn Listener>,
    pending: Pending,
    arrival: Arrival,
) -> Result<Vec<view::Whispered>, Refusal> {
    let (web, listener) = (Arc::clone(web), Arc::clone(listener));
    let task = tokio::spawn(async move {
        let Some(mut update) = update(&web, &pending) else { return Vec::new() };
        update.arrival = arrival;
        let whispers = listener.hear(update).await;
        let told = whisper_all(&web, &pending, whispers).await;
        let id = pending.id.clone();
        // What is not noted now is heard again and answered the same.
        web.change_lazily(move |state| state.heard(&id));
        told
    });
    task.await.map_err(|e| {
        tracing::error!(error = %e, "the bot failed while hearing an update");
        Refusal::Bot
    })
}

/// How often it is looked for what the bot did not hear, and how old that must be: until then
/// another process may be at it.
const AGAIN: Duration = Duration::from_secs(30);

/// At the start, and now and then: whatever the bot had not confirmed, in this process or in one
/// that has gone.
pub async fn hear_pending(web: Weak<Web>, listener: Arc<dyn Listener>) {
    let mut older_than = 0;
    loop {
        let Some(chat) = web.upgrade() else { return };
        if chat.ready().await.is_ok() {
            let before = now_ms().saturating_sub(older_than);
            let state = chat.state();
            let waiting = state.pending.values().filter(|it| it.since_ms <= before);
            for pending in waiting.cloned().collect::<Vec<Pending>>() {
                let id = pending.id.clone();
                if hear(&chat, &listener, pending, Arrival::default()).await.is_err() {
                    tracing::warn!(update = id, "an update of the chat could not be heard");
                }
            }
            older_than = u64::try_from(AGAIN.as_millis()).unwrap_or(u64::MAX);
        }
        drop(chat);
        tokio::time::sleep(AGAIN).await;
    }
}

/// The place as the bot knows it.
pub fn place(room: &Room, member: &Member) -> Place {
    let private = room.private();
    Place {
        id: room.place_id(),
        kind: if private { PlaceKind::Private } else { PlaceKind::Group },
        title: if private { member.name.clone() } else { room.name.clone() },
        locale: member.locale.clone().filter(|_| private),
        parents: Parents::default(),
    }
}

/// The person as the bot knows them.
pub fn person(room: &Room, member: &Member) -> Person {
    Person {
        id: PersonId(format!("web:{}", member.id)),
        name: member.name.clone(),
        username: None,
        locale: member.locale.clone(),
        kind: PersonKind::Human,
        admin: room.admin() == Some(member.id.as_str()),
    }
}

fn update(web: &Web, pending: &Pending) -> Option<Update> {
    let state = web.state();
    let room = &state.places.get(&pending.room)?.room;
    let member = state.people.get(&pending.person)?;
    let id = |number: u64| MessageId(number.to_string());
    let body = match &pending.act {
        Act::Say { text, named, reply_to } => {
            let mention = |it: &Named| match it {
                Named::Known(id) => {
                    state.people.get(id).map(|member| Mention::Known(person(room, member)))
                }
                Named::Unknown(name) => Some(Mention::Username(name.clone())),
            };
            let mentions = named.iter().filter_map(mention).collect();
            Body::Text { text: text.clone(), mentions, reply_to: reply_to.map(id) }
        }
        Act::Press { press, message } => {
            Body::Press { press: press.clone(), message: message.map(id) }
        }
        Act::Added => Body::Added,
        Act::Removed => Body::Removed,
        Act::Left { who } => {
            let by_self = *who == pending.person;
            let how = if by_self { Departure::Left } else { Departure::Removed };
            Body::Left { who: PersonId(format!("web:{who}")), how }
        }
        Act::Came => Body::Came { who: vec![PersonId(format!("web:{}", pending.person))] },
    };
    let (place, person) = (place(room, member), person(room, member));
    let (id, arrival) = (pending.id.clone(), Arrival::default());
    Some(Update { id, place, person, body, arrival })
}

/// Brief words that answer a press are only returned; everything else becomes a message that
/// only this person sees, once for each update.
async fn whisper_all(web: &Web, pending: &Pending, whispers: Vec<Whisper>) -> Vec<view::Whispered> {
    let mut told = Vec::new();
    let is_press = matches!(pending.act, Act::Press { .. });
    // What was typed is answered by the board.
    let whispers = whispers.into_iter().filter(|it| is_press || !it.passing);
    let mut in_passing = false;
    for (n, mut whisper) in whispers.enumerate() {
        let passing = whisper.brief && whisper.message.is_bare();
        let mut id = None;
        if !(passing && is_press) {
            if passing && whisper.slot.is_none() {
                // What is said in passing has one place: ten mistakes are not ten cards.
                whisper.slot = Some(IN_PASSING.to_owned());
                in_passing = true;
            }
            let nonce = format!("{}#{n}", pending.id);
            let asked = match &pending.act {
                Act::Say { .. } => asked(web, pending).map(|it| MessageId(it.to_string())),
                Act::Press { .. } | Act::Added | Act::Removed | Act::Left { .. } | Act::Came => {
                    None
                }
            };
            whisper.message = whisper.message.map(|it| Outgoing {
                nonce,
                reply_to: it.reply_to.clone().or(asked),
                ..it
            });
            match keep(web, pending, n, &whisper).await {
                Ok(number) => id = Some(number),
                Err(why) => tracing::warn!(%why, "a private answer was not kept"),
            }
        }
        told.push(view::Whispered::new(&whisper, id));
    }
    if !in_passing {
        // They have gone on: what was said in passing before is read.
        web.take_away(&pending.room, &pending.person, IN_PASSING);
    }
    told
}

/// The slot of what is said in passing to somebody who has typed.
const IN_PASSING: &str = "in passing";

/// Keeps a private answer. A card of buttons that answers a press on another such card takes its
/// place, so that pages turn instead of piling up.
async fn keep(web: &Web, pending: &Pending, n: usize, whisper: &Whisper) -> Result<u64, SendError> {
    let (room, person, message) = (&pending.room, &pending.person, &whisper.message);
    if let Some(slot) = &whisper.slot {
        let pressed = match &pending.act {
            Act::Press { message, .. } => *message,
            Act::Say { .. } | Act::Added | Act::Removed | Act::Left { .. } | Act::Came => None,
        };
        return web.hold(room, person, slot, pressed, message).await;
    }
    if let (0, false, Act::Press { message: Some(pressed), .. }) =
        (n, message.buttons().is_empty(), &pending.act)
        && let Some(id) = web.turn(room, person, *pressed, message).await?
    {
        return Ok(id);
    }
    web.say_privately(room, person, message).await
}

/// The message that made the bot answer.
fn asked(web: &Web, pending: &Pending) -> Option<u64> {
    let key = pending.id.rsplit('/').next()?;
    web.state().places.get(&pending.room)?.by_key(&pending.person, key)
}
