//! What people do, told to the bot: exactly once, even if the process dies in between.
//!
//! A message and the note that the bot has yet to hear it are kept together. The note goes when
//! the bot has answered. Whatever is repeated (by a client that got no answer, or at the next
//! start) carries the same update id, and the bot acts once for each.

use std::sync::Arc;

use super::{
    Web,
    model::{Act, Member, Named, Pending, Room},
    refusal::Refusal,
    view,
};
use crate::chat::{Body, Listener, Mention, Person, PersonKind, Place, SendError, Update, Whisper};
use crate::ids::{MessageId, PersonId, PlaceKind};

/// Tells the bot and gives its whispers, those that stay with their message number. Runs to its
/// end even if whoever asked has gone.
pub async fn hear(
    web: &Arc<Web>,
    listener: &Arc<dyn Listener>,
    pending: Pending,
) -> Result<Vec<view::Whispered>, Refusal> {
    let (web, listener) = (Arc::clone(web), Arc::clone(listener));
    let task = tokio::spawn(async move {
        let Some(update) = update(&web, &pending) else { return Vec::new() };
        let whispers = listener.hear(update).await;
        let told = whisper_all(&web, &pending, whispers).await;
        web.change_lazily(|state| state.heard(&pending.id));
        told
    });
    task.await.map_err(|e| {
        tracing::error!(error = %e, "the bot failed while hearing an update");
        Refusal::Bot
    })
}

/// At the start: whatever the bot had not confirmed.
pub async fn hear_pending(web: Arc<Web>, listener: Arc<dyn Listener>) {
    let waiting: Vec<Pending> = web.state().pending.values().cloned().collect();
    for pending in waiting {
        let id = pending.id.clone();
        if hear(&web, &listener, pending).await.is_err() {
            tracing::warn!(update = id, "an update of the last run could not be heard");
        }
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
            Body::Press { press: press.clone(), message: Some(id(*message)) }
        }
        Act::Added => Body::Added,
        Act::Removed => Body::Removed,
    };
    let (place, person) = (place(room, member), person(room, member));
    Some(Update { id: pending.id.clone(), place, person, body })
}

/// Brief words that answer a press are only returned; everything else becomes a message that
/// only this person sees, once for each update.
async fn whisper_all(web: &Web, pending: &Pending, whispers: Vec<Whisper>) -> Vec<view::Whispered> {
    let mut told = Vec::new();
    for (n, mut whisper) in whispers.into_iter().enumerate() {
        let message = &whisper.message;
        let bare = message.image.is_none() && message.file.is_none();
        let passing = whisper.brief && bare && message.buttons.is_empty();
        let mut id = None;
        if !(passing && matches!(pending.act, Act::Press { .. })) {
            whisper.message.nonce = format!("{}#{n}", pending.id);
            if whisper.message.reply_to.is_none()
                && let (Act::Say { .. }, Some(asked)) = (&pending.act, asked(web, pending))
            {
                whisper.message.reply_to = Some(MessageId(asked.to_string()));
            }
            match keep(web, pending, n, &whisper).await {
                Ok(number) => id = Some(number),
                Err(why) => tracing::warn!(%why, "a private answer was not kept"),
            }
        }
        told.push(view::Whispered::new(&whisper, id));
    }
    told
}

/// Keeps a private answer. A card of buttons that answers a press on another such card takes its
/// place, so that pages turn instead of piling up.
async fn keep(web: &Web, pending: &Pending, n: usize, whisper: &Whisper) -> Result<u64, SendError> {
    let (room, person, message) = (&pending.room, &pending.person, &whisper.message);
    if let Some(slot) = &whisper.slot {
        let pressed = match &pending.act {
            Act::Press { message, .. } => Some(*message),
            Act::Say { .. } | Act::Added | Act::Removed => None,
        };
        return web.hold(room, person, slot, pressed, message).await;
    }
    if let (0, false, Act::Press { message: pressed, .. }) =
        (n, message.buttons.is_empty(), &pending.act)
        && let Some(id) = web.turn(room, person, *pressed, message).await?
    {
        return Ok(id);
    }
    web.say(room, Some(person), message).await
}

/// The message that made the bot answer.
fn asked(web: &Web, pending: &Pending) -> Option<u64> {
    let key = pending.id.rsplit('/').next()?;
    web.state().places.get(&pending.room)?.by_key(&pending.person, key)
}
