//! Delivers messages to one person only.
//!
//! The ways, in this order: the answer to a button press; an edit of the private message under
//! which the button is; an ephemeral message (Bot API 10.2 and later); the private chat; an alert
//! as the answer to a press; and for plain texts a reveal button in the group. Replies to presses
//! that have a slot, such as hands, go only by ephemeral message or alert. A message that cannot be
//! delivered privately is not delivered.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use super::chat_members::ChatMembers;
use super::ephemeral_sender::{EphemeralSender, Undelivered};
use super::handler_reports::HandlerReports;
use super::markup::{CALLBACK_TEXT_MAX, utf16_len};
use super::parse_update::{UpdateAuthor, UpdateOrigin};
use super::press_answers::PressAnswers;
use super::private_chats::PrivateChatSender;
use super::private_readers::TelegramPrivateChat;
use super::replaceable_messages::{ReplaceableMessages, TelegramMessageHandle};
use super::reveal_button::RevealButtons;
use super::send::{TelegramTarget, parse_chat_id, send_error};
use super::storage::TelegramStorage;
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_protocol::{EphemeralReply, PrivateMessage, SendError};

/// Delivers messages to one person.
pub(super) struct PrivateDelivery {
    pub(super) storage: TelegramStorage,
    pub(super) handler: Arc<HandlerReports>,
    pub(super) members: ChatMembers,
    pub(super) press_answers: PressAnswers,
    pub(super) private_chats: PrivateChatSender,
    pub(super) ephemerals: EphemeralSender,
    pub(super) replaceable: ReplaceableMessages,
    pub(super) reveal_buttons: Arc<RevealButtons>,
    /// How long a press waits for a message before it gets an empty answer.
    pub(super) patience: Duration,
}

impl PrivateDelivery {
    /// Delivers the replies of a decision to the person who acted. `answered`: whether the press
    /// already has its answer.
    pub(super) async fn deliver_replies(
        &self,
        origin: UpdateOrigin,
        replies: Vec<EphemeralReply>,
        answered: bool,
    ) {
        self.deliver_or_report(origin, replies, answered, None).await;
    }

    /// Delivers hidden replies to the person who pressed their button. Returns those that only a
    /// further press can show; `None` if some did not arrive whole for a reason that will pass:
    /// then `trouble` asks to press again.
    pub(super) async fn deliver_hidden_replies(
        &self,
        origin: UpdateOrigin,
        replies: Vec<EphemeralReply>,
        trouble: String,
    ) -> Option<Vec<EphemeralReply>> {
        let delivered = self.deliver_or_report(origin, replies, false, Some(trouble)).await;
        delivered.is_complete.then_some(delivered.unshown)
    }

    /// Delivers replies. `trouble`: the text for those that can only be delivered later, if they
    /// can be asked for again.
    async fn deliver_or_report(
        &self,
        origin: UpdateOrigin,
        replies: Vec<EphemeralReply>,
        answered: bool,
        trouble: Option<String>,
    ) -> DeliveredReplies {
        let delivered = DeliveredReplies { is_complete: true, unshown: Vec::new() };
        let Some(query) = origin.query.clone() else {
            for reply in replies.into_iter().filter(|it| !it.purpose.is_ack()) {
                let delivered = self.deliver_to_one(&origin, &reply, None).await.is_ok();
                if !delivered && !self.reveal_buttons.post(&origin, reply).await {
                    tracing::warn!(chat = origin.chat, "failed to deliver a private reply");
                }
            }
            return delivered;
        };
        let inside = origin.inside;
        let mut press = PressAnswer { query, answered, inside, trouble, delivered };
        let PressNote { text: mut note, done, rest } = match answered {
            true => PressNote::already_answered(replies),
            false => PressNote::from_replies(replies),
        };
        let (secret, rest): (Vec<_>, Vec<_>) = rest.into_iter().partition(|it| it.slot.is_some());
        let seen = origin.private
            || press.inside.is_some()
            || self.ephemerals.can_show_buttons(origin.chat);
        if done && (secret.is_empty() || seen) {
            // The acknowledgement goes out before anything that needs messages of its own.
            press.answered = true;
            let query = press.query.clone();
            let delivery = self.deliver_remaining(&origin, press, String::new(), secret, rest);
            return tokio::join!(self.press_answers.answer_with_toast(&query, &note), delivery).1;
        }
        if done && !secret.is_empty() {
            // The alert has room for only one of them.
            note.clear();
        }
        self.deliver_remaining(&origin, press, note, secret, rest).await
    }

    /// Delivers the replies to a press besides its acknowledgement: `note` is the text that fits
    /// into the answer, the replies in `secret` have a slot.
    async fn deliver_remaining(
        &self,
        origin: &UpdateOrigin,
        mut press: PressAnswer,
        mut note: String,
        secret: Vec<EphemeralReply>,
        rest: Vec<EphemeralReply>,
    ) -> DeliveredReplies {
        let mut unseen = Vec::new();
        let has_notes = !note.is_empty();
        for reply in secret {
            let inside = press.inside.take();
            let showing = self.show_in_slot(origin, &reply, inside);
            if !self.answer_press_while(&mut press, showing).await {
                // An alert is the next way: a reply with a slot is for nobody else.
                let reply = self.handler.with_card_numbers(origin, reply).await;
                let gap = if note.is_empty() { "" } else { "\n" };
                note.push_str(gap);
                note.push_str(&reply.message.text().to_plain());
                unseen.push(reply);
            }
        }
        if !press.answered && (!note.is_empty() || rest.is_empty()) {
            press.answered = true;
            match self.press_answers.answer(&press.query, &note, !unseen.is_empty()).await {
                true => unseen.clear(),
                false => press.delivered.is_complete &= !has_notes,
            }
        } else {
            // The answer was given before.
            press.delivered.is_complete &= !has_notes;
        }
        for reply in unseen {
            let shown = self.show_in_slot_fallback(origin, &reply).await;
            press.delivered.is_complete &= shown != Err(Undelivered::ForNow);
        }
        for reply in rest {
            self.deliver_press_reply(origin, &mut press, reply).await;
        }
        if !press.answered {
            self.press_answers.answer(&press.query, "", false).await;
        }
        press.delivered
    }

    /// Delivers a private reply to a press that is more than a note.
    async fn deliver_press_reply(
        &self,
        origin: &UpdateOrigin,
        press: &mut PressAnswer,
        reply: EphemeralReply,
    ) {
        // A message with buttons is edited into the next one, like pages.
        let page = !reply.message.buttons().is_empty();
        let inside = if page { press.inside.take() } else { None };
        let delivery = self.deliver_to_one(origin, &reply, inside);
        let Err(reason) = self.answer_press_while(press, delivery).await else { return };
        if press.trouble.is_some() && press.answered && reason == Undelivered::Refused {
            // The answer of the next press has room for it.
            press.delivered.unshown.push(reply);
        } else if press.trouble.is_some() {
            self.answer_hidden_undelivered(press, &reply, reason).await;
        } else if !press.answered {
            press.answered = true;
            self.press_answers.answer(&press.query, &reply.message.text().to_plain(), false).await;
        } else if !self.reveal_buttons.post(origin, reply).await {
            tracing::warn!(chat = origin.chat, "failed to deliver a private reply");
        }
    }

    /// Shows a hidden reply that could not be sent as an alert, which cuts long texts. If it does
    /// not fit, and may be sent later, the person is asked to press again.
    async fn answer_hidden_undelivered(
        &self,
        press: &mut PressAnswer,
        reply: &EphemeralReply,
        reason: Undelivered,
    ) {
        let text = reply.message.text().to_plain();
        let is_whole = reply.message.is_text_only() && utf16_len(&text) <= CALLBACK_TEXT_MAX;
        let note = match &press.trouble {
            Some(trouble) if reason == Undelivered::ForNow && !is_whole => trouble,
            _ => &text,
        };
        let is_final = note == &text;
        let is_shown = !press.answered && {
            press.answered = true;
            self.press_answers.answer(&press.query, note, false).await
        };
        press.delivered.is_complete &= is_shown && is_final;
    }

    /// Delivers a reply; answers the press in time if the delivery takes longer.
    async fn answer_press_while<T>(
        &self,
        press: &mut PressAnswer,
        delivery: impl Future<Output = T>,
    ) -> T {
        tokio::pin!(delivery);
        tokio::select! {
            delivered = &mut delivery => delivered,
            () = tokio::time::sleep(self.patience), if !press.answered => {
                press.answered = true;
                tokio::join!(delivery, self.press_answers.answer(&press.query, "", false)).0
            }
        }
    }

    /// Shows a reply with a slot to the person who pressed: as an edit of the private message under
    /// which they pressed, else as a new message. Deletes older messages of the slot. Does not use
    /// the private chat of a person who plays in a group: they would not look there.
    async fn show_in_slot(
        &self,
        origin: &UpdateOrigin,
        reply: &EphemeralReply,
        inside: Option<TelegramMessageHandle>,
    ) -> bool {
        let (UpdateAuthor::Person(person), Some(slot)) = (origin.author, reply.slot.as_deref())
        else {
            return false;
        };
        let message = &reply.message;
        let older = self.storage.slot_message(person, slot).await;
        if let Some(now) = self.replace_pressed_message(inside, message).await {
            self.storage.store_private_message(Some(slot), now).await;
            self.replaceable.delete_replaced(older, now).await;
            return true;
        }
        let now = match origin.private_chat() {
            Some(chat) => {
                let sent =
                    self.private_chats.send_with_retries(chat, origin.thread, message).await.ok();
                let ids = (origin.chat, person);
                sent.and_then(|it| {
                    TelegramMessageHandle::from_sent(ids, message.for_reader(&chat), &it)
                })
            }
            None => self.ephemerals.answer(origin, person, reply).await.ok(),
        };
        let Some(now) = now else { return false };
        self.storage.store_new_private_message(Some(slot), now).await;
        self.replaceable.delete_replaced(inside.into_iter().chain(older), now).await;
        true
    }

    /// Sends a reply with a slot to the private chat: the last way when the press already has its
    /// answer. If that fails, too, the button of the board remains and can be pressed again.
    async fn show_in_slot_fallback(
        &self,
        origin: &UpdateOrigin,
        reply: &EphemeralReply,
    ) -> Result<(), Undelivered> {
        let (UpdateAuthor::Person(person), Some(slot)) = (origin.author, reply.slot.as_deref())
        else {
            return Err(Undelivered::Refused);
        };
        let older = self.storage.slot_message(person, slot).await;
        match self.private_chats.send_to_person(person, &reply.message).await {
            Ok(now) => {
                self.storage.store_new_private_message(Some(slot), now).await;
                self.replaceable.delete_replaced(older, now).await;
                Ok(())
            }
            Err(error) => {
                tracing::warn!(chat = origin.chat, %error, "failed to show a hand");
                Err(Undelivered::from_error(&error))
            }
        }
    }

    /// Edits the private message under which a button was pressed, if there is one.
    async fn replace_pressed_message(
        &self,
        inside: Option<TelegramMessageHandle>,
        message: &PrivateMessage,
    ) -> Option<TelegramMessageHandle> {
        let inside = inside?;
        // Before the call, so that nobody makes another one meanwhile.
        self.handler.report_private_call(inside.chat());
        match self.replaceable.replace(inside, message).await {
            Ok(now) => Some(now),
            Err(error) => {
                tracing::debug!(%error, "failed to replace a private message");
                None
            }
        }
    }

    /// Shows a message to one person only, by any way but a public button.
    ///
    /// # Errors
    /// Why it was not delivered.
    async fn deliver_to_one(
        &self,
        origin: &UpdateOrigin,
        reply: &EphemeralReply,
        inside: Option<TelegramMessageHandle>,
    ) -> Result<(), Undelivered> {
        let message = &reply.message;
        let slot = reply.slot.as_deref();
        if let Some(now) = self.replace_pressed_message(inside, message).await {
            self.storage.store_private_message(slot, now).await;
            return Ok(());
        }
        let older = match (origin.author, slot) {
            (UpdateAuthor::Person(person), Some(slot)) => {
                self.storage.slot_message(person, slot).await
            }
            _ => None,
        };
        let now = match (origin.private_chat(), origin.author) {
            (Some(chat), _) => {
                let sending = self.private_chats.send_with_retries(chat, origin.thread, message);
                let sent = sending.await.map_err(|error| Undelivered::from_error(&error))?;
                let ids = (origin.chat, chat.person());
                TelegramMessageHandle::from_sent(ids, message.for_reader(&chat), &sent)
                    .ok_or(Undelivered::Refused)
            }
            (None, UpdateAuthor::Person(person)) => {
                match self.ephemerals.answer(origin, person, reply).await {
                    Ok(now) => Ok(now),
                    Err(reason) => {
                        let sent = self.private_chats.send_to_person(person, message).await;
                        sent.map_err(|error| match reason {
                            Undelivered::ForNow => reason,
                            Undelivered::Refused => Undelivered::from_error(&error),
                        })
                    }
                }
            }
            (None, UpdateAuthor::SomeAdmin | UpdateAuthor::Nobody) => Err(Undelivered::Refused),
        }?;
        self.storage.store_new_private_message(slot, now).await;
        self.replaceable.delete_replaced(older, now).await;
        Ok(())
    }

    /// Sends a message to one person without a request from them: as an edit of the message in its
    /// slot, else as an ephemeral message, else in their private chat.
    pub(super) async fn send_unasked(
        &self,
        chat: &ChatId,
        person: &PersonId,
        slot: &str,
        message: &PrivateMessage,
    ) -> Result<(), SendError> {
        let here = parse_chat_id(chat).ok_or(SendError::NotAllowed)?;
        let person: i64 = person
            .0
            .strip_prefix("tg:")
            .and_then(|it| it.parse().ok())
            .filter(|it| *it > 0)
            .ok_or(SendError::NotAllowed)?;
        let old = self.storage.slot_message(person, slot).await;
        if let Some(old) = old {
            match self.replaceable.replace(old, message).await {
                Ok(now) => {
                    self.storage.store_private_message(Some(slot), now).await;
                    return Ok(());
                }
                Err(error) if error.is_transient() => return Err(error),
                Err(_) => {
                    // The service counts one call for the new message; the failed edit is one more.
                    self.handler.report_private_call(old.chat());
                    self.storage.forget_slot(person, slot).await;
                }
            }
        }
        let now = self.send_unasked_new(here, person, message).await?;
        self.storage.store_new_private_message(Some(slot), now).await;
        self.replaceable.delete_replaced(old, now).await;
        Ok(())
    }

    /// Whether the message of this slot shows a person the picture and the buttons of this one.
    pub(super) async fn is_slot_current(
        &self,
        person: &PersonId,
        slot: &str,
        message: &PrivateMessage,
    ) -> bool {
        let Some(person) = person.0.strip_prefix("tg:").and_then(|it| it.parse().ok()) else {
            return false;
        };
        self.storage.slot_message(person, slot).await.is_some_and(|it| it.has_content_of(message))
    }

    async fn send_unasked_new(
        &self,
        here: TelegramTarget,
        person: i64,
        message: &PrivateMessage,
    ) -> Result<TelegramMessageHandle, SendError> {
        if let Some(chat) =
            TelegramPrivateChat::from_chat_id(here.chat).filter(|it| it.person() == person)
        {
            let sent = self.private_chats.send((chat, here.thread), message).await;
            let sent = sent.map_err(|error| send_error(error, here))?;
            return TelegramMessageHandle::from_sent(
                (person, person),
                message.for_reader(&chat),
                &sent,
            )
            .ok_or(SendError::NotAllowed);
        }
        let origin = UpdateOrigin::for_unasked_message(here, person);
        match self.ephemerals.send(&origin, person, message, true).await {
            Ok(Some(now)) => return Ok(now),
            Err(error) if error.is_transient() => return Err(send_error(error, here)),
            Ok(None) | Err(_) => {}
        }
        let there = TelegramTarget { chat: person, thread: None };
        let sent = self.private_chats.send_to_person(person, message).await;
        sent.map_err(|error| match send_error(error, there) {
            // Private chats do not move; the error cannot refer to the group.
            SendError::ChatMoved(_) => SendError::NotAllowed,
            other => other,
        })
    }
}

/// A press that is being answered.
struct PressAnswer {
    query: String,
    answered: bool,
    /// The private message under which the button was pressed, until it is replaced.
    inside: Option<TelegramMessageHandle>,
    /// The answer if a reply cannot be delivered now, but after another press: it is hidden behind
    /// a button that stays.
    trouble: Option<String>,
    delivered: DeliveredReplies,
}

/// How the replies to a press were delivered.
struct DeliveredReplies {
    /// Whether all arrived whole, apart from those that never can.
    is_complete: bool,
    /// Hidden replies that only the answer of a further press can show.
    unshown: Vec<EphemeralReply>,
}

/// The replies to a press, split into the text for its answer and replies that need messages of
/// their own.
struct PressNote {
    /// The text that fits into the answer.
    text: String,
    /// Whether the text is only the acknowledgement.
    done: bool,
    rest: Vec<EphemeralReply>,
}

impl PressNote {
    /// Splits replies to a press that already has its answer.
    fn already_answered(replies: Vec<EphemeralReply>) -> Self {
        let rest = replies.into_iter().filter(|it| !it.purpose.is_ack()).collect();
        PressNote { text: String::new(), done: false, rest }
    }

    fn from_replies(replies: Vec<EphemeralReply>) -> Self {
        let mut note = String::new();
        let mut done = true;
        let mut rest = Vec::new();
        for reply in replies {
            let bare = reply.message.is_text_only();
            let text = reply.message.text().to_plain();
            let gap = if note.is_empty() { "" } else { "\n" };
            let fits = utf16_len(&note) + gap.len() + utf16_len(&text) <= CALLBACK_TEXT_MAX;
            if reply.purpose.is_ack() && note.is_empty() {
                note = text;
            } else if reply.form.is_toast() && bare && fits {
                note.push_str(gap);
                note.push_str(&text);
                done = false;
            } else {
                rest.push(reply);
            }
        }
        PressNote { done: done && !note.is_empty(), text: note, rest }
    }
}
