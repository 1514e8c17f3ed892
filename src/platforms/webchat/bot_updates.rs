//! What people do, told to the bot: exactly once, even if the process dies in between.
//!
//! A message and the note that the bot has yet to hear it are kept together. The note goes when
//! the bot has answered. Whatever is repeated (by a client that got no answer, or at the next
//! start) carries the same update id, and the bot acts once for each.

use std::sync::{Arc, Weak};
use std::time::Duration;

use super::{
    Webchat,
    model::{MentionedPerson, PendingBotAction, PendingBotUpdate, WebchatMember, WebchatRoom},
    now_ms,
    refusal::WebchatRefusal,
    view,
};
use caravanserai_games::ids::{MessageId, PersonId, PlaceKind};
use caravanserai_protocol::{
    Arrival, Chat, Departure, EphemeralReply, Mention, OutgoingMessage, ParentChats, Person,
    PersonKind, SendError, Update, UpdateHandler, UpdateKind,
};

/// Tells the bot and gives its whispers, those that stay with their message number. Runs to its
/// end even if whoever asked has gone.
pub async fn deliver_to_bot(
    web: &Arc<Webchat>,
    listener: &Arc<dyn UpdateHandler>,
    pending: PendingBotUpdate,
    arrival: Arrival,
) -> Result<Vec<view::ReplyJson>, WebchatRefusal> {
    let (web, listener) = (Arc::clone(web), Arc::clone(listener));
    let task = tokio::spawn(async move {
        let Some(mut update) = pending_to_update(&web, &pending) else { return Vec::new() };
        update.arrival = arrival;
        let whispers = listener.handle(update).await;
        let told = deliver_replies(&web, &pending, whispers).await;
        let id = pending.id.clone();
        // What is not noted now is heard again and answered the same.
        web.change_in_background(move |state| state.remove_pending(&id));
        told
    });
    task.await.map_err(|e| {
        tracing::error!(error = %e, "the bot failed while hearing an update");
        WebchatRefusal::BotFailed
    })
}

/// How often it is looked for what the bot did not hear, and how old that must be: until then
/// another process may be at it.
const RETRY_PENDING_AFTER: Duration = Duration::from_secs(30);

/// At the start, and now and then: whatever the bot had not confirmed, in this process or in one
/// that has gone.
pub async fn retry_pending(web: Weak<Webchat>, listener: Arc<dyn UpdateHandler>) {
    let mut older_than = 0;
    loop {
        let Some(chat) = web.upgrade() else { return };
        if chat.wait_until_loaded().await.is_ok() {
            let before = now_ms().saturating_sub(older_than);
            let state = chat.state();
            let waiting = state.pending.values().filter(|it| it.since_ms <= before);
            for pending in waiting.cloned().collect::<Vec<PendingBotUpdate>>() {
                let id = pending.id.clone();
                if deliver_to_bot(&chat, &listener, pending, Arrival::default()).await.is_err() {
                    tracing::warn!(update = id, "an update of the chat could not be heard");
                }
            }
            older_than = u64::try_from(RETRY_PENDING_AFTER.as_millis()).unwrap_or(u64::MAX);
        }
        drop(chat);
        tokio::time::sleep(RETRY_PENDING_AFTER).await;
    }
}

/// The place as the bot knows it.
pub fn place_of_room(room: &WebchatRoom, member: &WebchatMember) -> Chat {
    let private = room.is_private();
    Chat {
        id: room.place_id(),
        kind: if private { PlaceKind::Private } else { PlaceKind::Group },
        title: if private { member.name.clone() } else { room.name.clone() },
        locale: member.locale.clone().filter(|_| private),
        parents: ParentChats::default(),
    }
}

/// The person as the bot knows them.
pub fn person_of_member(room: &WebchatRoom, member: &WebchatMember) -> Person {
    Person {
        id: PersonId(format!("web:{}", member.id)),
        name: member.name.clone(),
        username: None,
        locale: member.locale.clone(),
        kind: PersonKind::Human,
        admin: room.admin() == Some(member.id.as_str()),
    }
}

fn pending_to_update(web: &Webchat, pending: &PendingBotUpdate) -> Option<Update> {
    let state = web.state();
    let room = &state.places.get(&pending.room)?.room;
    let member = state.people.get(&pending.person)?;
    let id = |number: u64| MessageId(number.to_string());
    let body = match &pending.act {
        PendingBotAction::Say { text, named, reply_to } => {
            let mention = |it: &MentionedPerson| match it {
                MentionedPerson::Known(id) => state
                    .people
                    .get(id)
                    .map(|member| Mention::Known(person_of_member(room, member))),
                MentionedPerson::Unknown(name) => Some(Mention::Username(name.clone())),
            };
            let mentions = named.iter().filter_map(mention).collect();
            UpdateKind::Text { text: text.clone(), mentions, reply_to: reply_to.map(id) }
        }
        PendingBotAction::Press { press, message } => {
            UpdateKind::Press { callback_data: press.clone(), message: message.map(id) }
        }
        PendingBotAction::Added => UpdateKind::BotAdded,
        PendingBotAction::Removed => UpdateKind::BotRemoved,
        PendingBotAction::Left { who } => {
            let by_self = *who == pending.person;
            let how = if by_self { Departure::Left } else { Departure::Removed };
            UpdateKind::MemberLeft { who: PersonId(format!("web:{who}")), how }
        }
        PendingBotAction::Came => {
            UpdateKind::MembersJoined { who: vec![PersonId(format!("web:{}", pending.person))] }
        }
    };
    let (place, person) = (place_of_room(room, member), person_of_member(room, member));
    let (id, arrival) = (pending.id.clone(), Arrival::default());
    Some(Update { id, chat: place, person, kind: body, arrival })
}

/// Brief words that answer a press are only returned; everything else becomes a message that
/// only this person sees, once for each update.
async fn deliver_replies(
    web: &Webchat,
    pending: &PendingBotUpdate,
    whispers: Vec<EphemeralReply>,
) -> Vec<view::ReplyJson> {
    let mut told = Vec::new();
    let is_press = matches!(pending.act, PendingBotAction::Press { .. });
    // What was typed is answered by the board.
    let whispers = whispers.into_iter().filter(|it| is_press || !it.is_ack);
    let mut in_passing = false;
    for (n, mut whisper) in whispers.enumerate() {
        let passing = whisper.brief && whisper.message.is_text_only();
        let mut id = None;
        if !(passing && is_press) {
            if passing && whisper.slot.is_none() {
                // What is said in passing has one place: ten mistakes are not ten cards.
                whisper.slot = Some(TRANSIENT_SLOT.to_owned());
                in_passing = true;
            }
            let nonce = format!("{}#{n}", pending.id);
            let asked = match &pending.act {
                PendingBotAction::Say { .. } => {
                    triggering_message(web, pending).map(|it| MessageId(it.to_string()))
                }
                PendingBotAction::Press { .. }
                | PendingBotAction::Added
                | PendingBotAction::Removed
                | PendingBotAction::Left { .. }
                | PendingBotAction::Came => None,
            };
            whisper.message = whisper.message.map(|it| OutgoingMessage {
                nonce,
                reply_to: it.reply_to.clone().or(asked),
                ..it
            });
            match store_reply(web, pending, n, &whisper).await {
                Ok(number) => id = Some(number),
                Err(why) => tracing::warn!(%why, "a private answer was not kept"),
            }
        }
        told.push(view::ReplyJson::new(&whisper, id));
    }
    if !in_passing {
        // They have gone on: what was said in passing before is read.
        web.remove_from_slot(&pending.room, &pending.person, TRANSIENT_SLOT);
    }
    told
}

/// The slot of what is said in passing to somebody who has typed.
const TRANSIENT_SLOT: &str = "in passing";

/// Keeps a private answer. A card of buttons that answers a press on another such card takes its
/// place, so that pages turn instead of piling up.
async fn store_reply(
    web: &Webchat,
    pending: &PendingBotUpdate,
    n: usize,
    whisper: &EphemeralReply,
) -> Result<u64, SendError> {
    let (room, person, message) = (&pending.room, &pending.person, &whisper.message);
    if let Some(slot) = &whisper.slot {
        let pressed = match &pending.act {
            PendingBotAction::Press { message, .. } => *message,
            PendingBotAction::Say { .. }
            | PendingBotAction::Added
            | PendingBotAction::Removed
            | PendingBotAction::Left { .. }
            | PendingBotAction::Came => None,
        };
        return web.show_in_slot(room, person, slot, pressed, message).await;
    }
    if let (0, false, PendingBotAction::Press { message: Some(pressed), .. }) =
        (n, message.buttons().is_empty(), &pending.act)
        && let Some(id) = web.replace_with_answer(room, person, *pressed, message).await?
    {
        return Ok(id);
    }
    web.post_private(room, person, message).await
}

/// The message that made the bot answer.
fn triggering_message(web: &Webchat, pending: &PendingBotUpdate) -> Option<u64> {
    let key = pending.id.rsplit('/').next()?;
    web.state().places.get(&pending.room)?.by_key(&pending.person, key)
}
