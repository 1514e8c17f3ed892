//! Delivers people's actions to the bot: with exactly one effect, even if the process dies.
//!
//! A message and its pending update for the bot are stored together. The pending update is removed
//! when the bot has answered. Every repetition (by a client without a response, or at the next
//! start) has the same update id, and the bot acts once per id.

use std::sync::{Arc, Weak};
use std::time::Duration;

use super::{
    Webchat,
    answers::ReplyView,
    model::{MentionedPerson, PendingBotAction, PendingBotUpdate, WebchatMember, WebchatRoom},
    now_ms,
    refusal::WebchatRefusal,
    view,
};
use caravanserai_games::ids::{ChatKind, MessageId, PersonId};
use caravanserai_protocol::{
    Arrival, Chat, Departure, EphemeralReply, Mention, OutgoingMessage, ParentChats, Person,
    PersonKind, ReplyPurpose, SendError, Update, UpdateHandler, UpdateKind,
};

/// Delivers an update to the bot and returns its private replies, those that stay with their
/// message id. Runs to its end even if the client has disconnected.
pub async fn deliver_to_bot(
    web: &Arc<Webchat>,
    handler: &Arc<dyn UpdateHandler>,
    pending: PendingBotUpdate,
    arrival: Arrival,
) -> Result<Vec<ReplyView>, WebchatRefusal> {
    let web = Arc::clone(web);
    let handler = Arc::clone(handler);
    let task = tokio::spawn(async move {
        let Some(mut update) = pending_to_update(&web, &pending) else { return Vec::new() };
        update.arrival = arrival;
        let replies = handler.handle(update).await;
        let took_part = pending.act.is_request() && !is_refused(&replies);
        let shown = deliver_replies(&web, &pending, replies).await;
        let id = pending.id;
        let person = pending.person;
        // If this is lost, the update is delivered again and answered the same.
        web.change_in_background(move |state| {
            state.remove_pending(&id);
            if took_part {
                state.note_took_part(&person);
            }
        });
        shown
    });
    task.await.map_err(|e| {
        tracing::error!(error = %e, "the bot failed to handle an update");
        WebchatRefusal::BotFailed
    })
}

/// Whether the bot has done nothing for the person who acted: it only says briefly why.
fn is_refused(replies: &[EphemeralReply]) -> bool {
    let is_brief = |it: &EphemeralReply| it.form.is_toast() && it.message.is_text_only();
    replies.iter().any(|it| is_brief(it) && it.purpose == ReplyPurpose::Answer)
}

/// How often to look for updates that the bot has not handled, and how old these must be: before,
/// another process may be handling them.
const RETRY_PENDING_AFTER: Duration = Duration::from_secs(30);

/// Delivers updates that the bot has not confirmed, of this process or of one that has died: at the
/// start and regularly.
pub async fn retry_pending(web: Weak<Webchat>, handler: Arc<dyn UpdateHandler>) {
    let mut older_than = 0;
    loop {
        let Some(chat) = web.upgrade() else { return };
        if chat.wait_until_loaded().await.is_ok() {
            let before = now_ms().saturating_sub(older_than);
            deliver_waiting(&chat, &handler, |it| it.since_ms <= before).await;
            older_than = u64::try_from(RETRY_PENDING_AFTER.as_millis()).unwrap_or(u64::MAX);
        }
        drop(chat);
        tokio::time::sleep(RETRY_PENDING_AFTER).await;
    }
}

/// Delivers the updates that wait and for which `is_meant` holds. Updates that the bot cannot
/// handle now are delivered again later.
pub async fn deliver_waiting(
    web: &Arc<Webchat>,
    handler: &Arc<dyn UpdateHandler>,
    is_meant: impl Fn(&PendingBotUpdate) -> bool,
) {
    let state = web.state();
    let waiting = state.pending.values().filter(|it| is_meant(it));
    let mut waiting: Vec<PendingBotUpdate> = waiting.cloned().collect();
    // The updates are sent in their order: a person who left may have come back since.
    waiting.sort_by(|a, b| (a.since_ms, &a.id).cmp(&(b.since_ms, &b.id)));
    for pending in waiting {
        let id = pending.id.clone();
        if deliver_to_bot(web, handler, pending, Arrival::default()).await.is_err() {
            tracing::warn!(update = id, "failed to deliver an update of the chat");
        }
    }
}

/// Converts a room to the bot's chat.
pub fn chat_from_room(room: &WebchatRoom, member: &WebchatMember) -> Chat {
    let private = room.is_private();
    Chat {
        id: room.chat_id(),
        kind: if private { ChatKind::Private } else { ChatKind::Group },
        title: if private { member.name.clone() } else { room.name.clone() },
        locale: member.locale.clone().filter(|_| private),
        parents: ParentChats::default(),
    }
}

/// Converts a member to the bot's person.
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

/// An update about a person or a room that does not exist any more.
fn update_about_deleted(pending: &PendingBotUpdate, room: &str, kind: UpdateKind) -> Update {
    let person = Person {
        id: PersonId(format!("web:{}", pending.person)),
        name: String::new(),
        username: None,
        locale: None,
        kind: PersonKind::Human,
        admin: false,
    };
    let is_private = room.starts_with('@');
    let chat = Chat {
        id: pending.chat_id(),
        kind: if is_private { ChatKind::Private } else { ChatKind::Group },
        title: if is_private { String::new() } else { room.to_owned() },
        locale: None,
        parents: ParentChats::default(),
    };
    Update { id: pending.id.clone(), chat, person, kind, arrival: Arrival::default() }
}

fn pending_to_update(web: &Webchat, pending: &PendingBotUpdate) -> Option<Update> {
    if let PendingBotAction::Closed = pending.act {
        return Some(update_about_deleted(pending, &pending.room, UpdateKind::ChatDeleted));
    }
    let state = web.state();
    let room = &state.room_at(&pending.chat_id())?.room;
    let Some(member) = state.people.get(&pending.person) else {
        let PendingBotAction::Left { who } = &pending.act else { return None };
        let kind = departure_kind(pending, who);
        return Some(update_about_deleted(pending, &room.name, kind));
    };
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
            UpdateKind::Text {
                text: text.clone(),
                mentions,
                reply_to: reply_to.map(id),
                is_addressed: false,
            }
        }
        PendingBotAction::Press { callback_data, message } => {
            UpdateKind::Press { callback_data: callback_data.clone(), message: message.map(id) }
        }
        PendingBotAction::Added => UpdateKind::BotAdded,
        PendingBotAction::Removed => UpdateKind::BotRemoved,
        PendingBotAction::Left { who } => departure_kind(pending, who),
        PendingBotAction::Came => {
            UpdateKind::MembersJoined { who: vec![PersonId(format!("web:{}", pending.person))] }
        }
        PendingBotAction::Closed => UpdateKind::ChatDeleted,
    };
    let chat = chat_from_room(room, member);
    let person = person_of_member(room, member);
    let id = pending.id.clone();
    let arrival = Arrival::default();
    Some(Update { id, chat, person, kind: body, arrival })
}

fn departure_kind(pending: &PendingBotUpdate, who: &str) -> UpdateKind {
    let how = if who == pending.person { Departure::Left } else { Departure::Removed };
    UpdateKind::MemberLeft { who: PersonId(format!("web:{who}")), how }
}

/// Delivers private replies: brief replies to a press are only returned; all others become a
/// message that only this person sees, once per update.
async fn deliver_replies(
    web: &Webchat,
    pending: &PendingBotUpdate,
    replies: Vec<EphemeralReply>,
) -> Vec<ReplyView> {
    let mut shown = Vec::new();
    let is_press = matches!(pending.act, PendingBotAction::Press { .. });
    // The board is the answer to typed text.
    let replies = replies.into_iter().filter(|it| is_press || !it.purpose.is_ack());
    let mut in_passing = false;
    for (n, mut reply) in replies.enumerate() {
        let passing = reply.form.is_toast() && reply.message.is_text_only();
        let mut id = None;
        if !(passing && is_press) {
            if passing && reply.slot.is_none() {
                // Transient replies share one slot: ten mistakes do not leave ten messages.
                reply.slot = Some(TRANSIENT_SLOT.to_owned());
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
                | PendingBotAction::Came
                | PendingBotAction::Closed => None,
            };
            reply.message = reply.message.map(|it| OutgoingMessage {
                nonce,
                reply_to: it.reply_to.clone().or(asked),
                ..it
            });
            match store_reply(web, pending, n, &reply).await {
                Ok(number) => id = Some(number),
                Err(why) => tracing::warn!(%why, "failed to store a private reply"),
            }
        }
        shown.push(view::reply_view(&reply, id));
    }
    if !in_passing {
        // The person has gone on and has read the earlier transient reply.
        web.remove_from_slot(&pending.chat_id(), &pending.person, TRANSIENT_SLOT);
    }
    shown
}

/// The slot of transient replies to a person who has typed.
const TRANSIENT_SLOT: &str = "in passing";

/// Stores a private reply. A reply with buttons to a press on such a message replaces that message,
/// so that pages turn instead of piling up.
async fn store_reply(
    web: &Webchat,
    pending: &PendingBotUpdate,
    n: usize,
    reply: &EphemeralReply,
) -> Result<u64, SendError> {
    let room = &pending.chat_id();
    let person = &pending.person;
    let message = &reply.message;
    if let Some(slot) = &reply.slot {
        let pressed = match &pending.act {
            PendingBotAction::Press { message, .. } => *message,
            PendingBotAction::Say { .. }
            | PendingBotAction::Added
            | PendingBotAction::Removed
            | PendingBotAction::Left { .. }
            | PendingBotAction::Came
            | PendingBotAction::Closed => None,
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

/// Returns the id of the message that caused the bot's reply.
fn triggering_message(web: &Webchat, pending: &PendingBotUpdate) -> Option<u64> {
    let key = pending.id.rsplit('/').next()?;
    web.state().room_at(&pending.chat_id())?.by_key(&pending.person, key)
}
