//! Delivers messages to one person only.
//!
//! The ways, in this order: the answer to a button press; an edit of the private message under
//! which the button is; an ephemeral message (Bot API 10.2 and later); the private chat; an alert
//! as the answer to a press; and for plain texts a reveal button in the group. Replies to presses
//! that have a slot, such as hands, go only by ephemeral message or alert. A message that cannot be
//! delivered privately is not delivered.

use std::future::Future;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Map, Value, json};
use teloxide::payloads::{AnswerCallbackQuery, AnswerCallbackQuerySetters, DeleteMessage};
use teloxide::types::{CallbackQueryId, ChatId};

use super::TelegramPlatform;
use super::bot_api::TelegramCallError;
use super::markup::{CALLBACK_TEXT_MAX, truncate_utf16, utf16_len};
use super::parse_update::{UpdateAuthor, UpdateOrigin};
use super::private_readers::{EphemeralReceiver, TelegramPrivateChat};
use super::replaceable_messages::TelegramMessageHandle;
use super::send::{TelegramSentMessage, TelegramTarget, parse_place, place_id, send_error};
use caravanserai_games::ids::{PersonId, PlaceId};
use caravanserai_platform_shared::backoff::Backoff;
use caravanserai_protocol::{EphemeralReply, OutgoingMessage, PrivateMessage, SendError};

/// Longer notes, in UTF-16 units, become alerts that the person closes: a toast disappears too fast
/// to read.
const TOAST_MAX: usize = 60;
/// How long a decision waits for the list of admins.
const ADMINS_TIMEOUT: Duration = Duration::from_millis(1500);
/// How often an answer to a press is sent until the server accepts it.
const CALLBACK_ANSWER_TRIES: u32 = 4;
/// The pause before the second try.
const CALLBACK_ANSWER_PAUSE: Duration = Duration::from_millis(250);
/// The longest pause between tries: Telegram accepts an answer for about 15 seconds.
const CALLBACK_ANSWER_PAUSE_MAX: Duration = Duration::from_secs(4);
/// The longest wait in seconds that Telegram may ask for before a private reply is given up.
const RETRY_WAIT_MAX_S: u64 = 10;
/// Whether the server supports ephemeral messages.
pub(super) mod ephemeral {
    /// Not known yet.
    pub(crate) const UNKNOWN: u8 = 0;
    /// Supported.
    pub(crate) const YES: u8 = 1;
    /// Not supported: never try again.
    pub(crate) const NO: u8 = 2;
}

impl TelegramPlatform {
    /// Finds out whether the server supports ephemeral messages, without sending any: a server that
    /// ignores unknown fields would show the private text to everybody. Returns whether the server
    /// has just confirmed it.
    pub(super) async fn probe_ephemerals(&self) -> bool {
        let me = self.me.user.id.0;
        let mut fields = Map::new();
        fields.insert("chat_id".to_owned(), json!(me));
        fields.insert("receiver_user_id".to_owned(), json!(me));
        fields.insert("ephemeral_message_id".to_owned(), json!(1));
        let answer = self.api.call_method::<bool>("deleteEphemeralMessage", fields).await;
        let found = match answer.map_err(|error| error.code()) {
            Ok(_) | Err(Some(400 | 403)) => ephemeral::YES,
            Err(Some(404)) => ephemeral::NO,
            Err(_) => return false,
        };
        self.ephemerals.store(found, Ordering::Relaxed);
        found == ephemeral::YES
    }

    /// Whether to try an ephemeral message. Before a secret the server is asked each time: it may
    /// have been replaced by an older one, and a secret that was public for a moment is lost.
    async fn supports_ephemerals(&self, secret: bool) -> bool {
        match self.ephemerals.load(Ordering::Relaxed) {
            ephemeral::NO => false,
            ephemeral::YES if !secret => true,
            _ => self.probe_ephemerals().await,
        }
    }

    /// Whether a person is an admin of a group; false if that is unknown.
    pub(super) async fn is_admin(&self, chat: i64, person: i64) -> bool {
        if let Some(known) = self.cached_admin(chat, person).await {
            return known;
        }
        let fields = [("chat_id".to_owned(), json!(chat))].into_iter().collect();
        let call = self.api.call_method::<Vec<Value>>("getChatAdministrators", fields);
        let asked = tokio::time::timeout(ADMINS_TIMEOUT, call).await;
        let late = || TelegramCallError::Network("no answer in time".to_owned());
        match asked.unwrap_or_else(|_| Err(late())) {
            Ok(admins) => {
                let admins = admins.iter().filter_map(|it| it["user"]["id"].as_i64());
                let admins: Vec<i64> = admins.collect();
                let found = admins.contains(&person);
                self.store_admins(chat, &admins).await;
                found
            }
            Err(error) => {
                tracing::debug!(chat, %error, "failed to read the admins");
                self.store_admins(chat, &[]).await;
                false
            }
        }
    }

    /// Whether a person is a member of a group; false if that is unknown.
    pub(super) async fn is_chat_member(&self, chat: i64, person: i64) -> bool {
        let fields = [("chat_id".to_owned(), json!(chat)), ("user_id".to_owned(), json!(person))];
        let call = self.api.call_method::<Value>("getChatMember", fields.into_iter().collect());
        let Ok(Ok(member)) = tokio::time::timeout(ADMINS_TIMEOUT, call).await else {
            return false;
        };
        match member["status"].as_str() {
            Some("creator" | "administrator" | "member") => true,
            Some("restricted") => member["is_member"] == true,
            _ => false,
        }
    }

    /// Delivers the replies of a decision to the person who acted. `answered`: whether the press
    /// already has its answer.
    pub(super) async fn deliver_replies(
        &self,
        origin: UpdateOrigin,
        replies: Vec<EphemeralReply>,
        answered: bool,
    ) {
        let Some(query) = origin.query.clone() else {
            for reply in replies.into_iter().filter(|it| !it.is_ack) {
                let delivered = self.deliver_to_one(&origin, &reply, None).await;
                if !delivered && !self.post_reveal_button(&origin, reply).await {
                    tracing::warn!(chat = origin.chat, "failed to deliver a private reply");
                }
            }
            return;
        };
        let mut press = PressAnswer { query, answered, inside: origin.inside };
        let PressNote { text: mut note, done, rest } = match answered {
            true => PressNote::already_answered(replies),
            false => PressNote::from_replies(replies),
        };
        let (secret, rest): (Vec<_>, Vec<_>) = rest.into_iter().partition(|it| it.slot.is_some());
        let seen = origin.private || press.inside.is_some() || self.can_show_buttons(origin.chat);
        if done && (secret.is_empty() || seen) {
            // The acknowledgement goes out before anything that needs messages of its own.
            press.answered = true;
            let query = press.query.clone();
            let delivery = self.deliver_remaining(&origin, press, String::new(), secret, rest);
            tokio::join!(self.answer_with_toast(&query, &note), delivery);
            return;
        }
        if done && !secret.is_empty() {
            // The alert has room for only one of them.
            note.clear();
        }
        self.deliver_remaining(&origin, press, note, secret, rest).await;
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
    ) {
        let mut unseen = Vec::new();
        for reply in secret {
            let inside = press.inside.take();
            let showing = self.show_in_slot(origin, &reply, inside);
            if !self.answer_press_while(&mut press, showing).await {
                // An alert is the next way: a reply with a slot is for nobody else.
                let reply = self.with_card_numbers(origin, reply).await;
                let gap = if note.is_empty() { "" } else { "\n" };
                note.push_str(gap);
                note.push_str(&reply.message.text().to_plain());
                unseen.push(reply);
            }
        }
        if !press.answered && (!note.is_empty() || rest.is_empty()) {
            press.answered = true;
            if self.answer_press(&press.query, &note, !unseen.is_empty()).await {
                unseen.clear();
            }
        }
        for reply in unseen {
            self.show_in_slot_fallback(origin, &reply).await;
        }
        for reply in rest {
            self.deliver_press_reply(origin, &mut press, reply).await;
        }
        if !press.answered {
            self.answer_press(&press.query, "", false).await;
        }
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
        if self.answer_press_while(press, delivery).await {
            return;
        }
        if !press.answered {
            press.answered = true;
            self.answer_press(&press.query, &reply.message.text().to_plain(), false).await;
        } else if !self.post_reveal_button(origin, reply).await {
            tracing::warn!(chat = origin.chat, "failed to deliver a private reply");
        }
    }

    /// Delivers a reply; answers the press in time if the delivery takes longer.
    async fn answer_press_while(
        &self,
        press: &mut PressAnswer,
        delivery: impl Future<Output = bool>,
    ) -> bool {
        tokio::pin!(delivery);
        tokio::select! {
            delivered = &mut delivery => delivered,
            () = tokio::time::sleep(self.patience), if !press.answered => {
                press.answered = true;
                tokio::join!(delivery, self.answer_press(&press.query, "", false)).0
            }
        }
    }

    /// Answers a press: empty, with a toast, or with an alert for longer texts. Returns whether the
    /// server accepted it.
    pub(super) async fn answer_press(&self, query: &str, note: &str, alert: bool) -> bool {
        self.answer_press_with_retries(query, note, alert || utf16_len(note) > TOAST_MAX).await
    }

    /// Answers a press with a toast even if the text is long: the board says the same.
    async fn answer_with_toast(&self, query: &str, note: &str) -> bool {
        self.answer_press_with_retries(query, note, false).await
    }

    /// Answers a press and retries lost answers: the button spins until one arrives, and a second
    /// answer does no harm.
    async fn answer_press_with_retries(&self, query: &str, note: &str, alert: bool) -> bool {
        let mut call = AnswerCallbackQuery::new(CallbackQueryId(query.to_owned()));
        if !note.is_empty() {
            call = call.text(truncate_utf16(note, CALLBACK_TEXT_MAX)).show_alert(alert);
        }
        let mut pauses = Backoff::new(CALLBACK_ANSWER_PAUSE, CALLBACK_ANSWER_PAUSE_MAX);
        for tries_left in (0..CALLBACK_ANSWER_TRIES).rev() {
            let Err(error) = self.api.call::<bool>(&call).await else { return true };
            let pause = match &error {
                TelegramCallError::Api { retry_after: Some(secs), .. } => {
                    Duration::from_secs(*secs)
                }
                _ => pauses.next_pause(),
            };
            if tries_left == 0 || !error.is_transient() || pause > CALLBACK_ANSWER_PAUSE_MAX {
                tracing::debug!(%error, "failed to answer a press");
                break;
            }
            tokio::time::sleep(pause).await;
        }
        false
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
        let older = self.slot_message(person, slot).await;
        if let Some(now) = self.replace_pressed_message(inside, message).await {
            self.store_private_message(Some(slot), now).await;
            self.delete_replaced(older, now).await;
            return true;
        }
        let now = match origin.private_chat() {
            Some(chat) => {
                let sent = self.send_with_retries((chat, origin.thread), message).await.ok();
                let ids = (origin.chat, person);
                sent.and_then(|it| {
                    TelegramMessageHandle::from_sent(ids, message.for_reader(&chat), &it)
                })
            }
            None => self.answer_with_ephemeral(origin, person, reply).await,
        };
        let Some(now) = now else { return false };
        self.store_new_private_message(Some(slot), now).await;
        self.delete_replaced(inside.into_iter().chain(older), now).await;
        true
    }

    /// Sends a reply with a slot to the private chat: the last way when the press already has its
    /// answer. If that fails, too, the button of the board remains and can be pressed again.
    async fn show_in_slot_fallback(&self, origin: &UpdateOrigin, reply: &EphemeralReply) {
        let (UpdateAuthor::Person(person), Some(slot)) = (origin.author, reply.slot.as_deref())
        else {
            return;
        };
        let older = self.slot_message(person, slot).await;
        match self.send_to_private_chat(person, &reply.message).await {
            Ok(now) => {
                self.store_new_private_message(Some(slot), now).await;
                self.delete_replaced(older, now).await;
            }
            Err(error) => {
                tracing::warn!(chat = origin.chat, %error, "failed to show a hand");
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
        self.report_private_call(inside.chat());
        match self.replace_private_message(inside, message).await {
            Ok(now) => Some(now),
            Err(error) => {
                tracing::debug!(%error, "failed to replace a private message");
                None
            }
        }
    }

    /// Shows a message to one person only, by any way but a public button.
    async fn deliver_to_one(
        &self,
        origin: &UpdateOrigin,
        reply: &EphemeralReply,
        inside: Option<TelegramMessageHandle>,
    ) -> bool {
        let (message, slot) = (&reply.message, reply.slot.as_deref());
        if let Some(now) = self.replace_pressed_message(inside, message).await {
            self.store_private_message(slot, now).await;
            return true;
        }
        let older = match (origin.author, slot) {
            (UpdateAuthor::Person(person), Some(slot)) => self.slot_message(person, slot).await,
            _ => None,
        };
        let now = match (origin.private_chat(), origin.author) {
            (Some(chat), _) => {
                let sent = self.send_with_retries((chat, origin.thread), message).await.ok();
                sent.and_then(|it| {
                    let ids = (origin.chat, chat.person());
                    TelegramMessageHandle::from_sent(ids, message.for_reader(&chat), &it)
                })
            }
            (None, UpdateAuthor::Person(person)) => {
                match self.answer_with_ephemeral(origin, person, reply).await {
                    Some(now) => Some(now),
                    None => self.send_to_private_chat(person, message).await.ok(),
                }
            }
            (None, UpdateAuthor::SomeAdmin | UpdateAuthor::Nobody) => None,
        };
        let Some(now) = now else { return false };
        self.store_new_private_message(slot, now).await;
        self.delete_replaced(older, now).await;
        true
    }

    /// Sends a reply that has no other way and that no outbox repeats: retries once if the failed
    /// call had no effect.
    async fn send_with_retries(
        &self,
        (chat, thread): (TelegramPrivateChat, Option<i32>),
        message: &PrivateMessage,
    ) -> Result<TelegramSentMessage, TelegramCallError> {
        let here = TelegramTarget { thread, ..chat.target() };
        let message = message.for_reader(&chat);
        let first = self.send_message(here, message, Map::new()).await;
        let pause_secs = match &first {
            Err(TelegramCallError::Api { retry_after: Some(secs), .. })
                if *secs <= RETRY_WAIT_MAX_S =>
            {
                *secs
            }
            Err(TelegramCallError::RateLimited(_)) => 1,
            Err(TelegramCallError::Api { code: 500.., .. }) => 0,
            _ => return first,
        };
        tokio::time::sleep(Duration::from_secs(pause_secs)).await;
        self.send_message(here, message, Map::new()).await
    }

    /// Sends a message into the private chat with a person.
    async fn send_to_private_chat(
        &self,
        person: i64,
        message: &PrivateMessage,
    ) -> Result<TelegramMessageHandle, TelegramCallError> {
        let refused = |text: &str| TelegramCallError::Api {
            code: 403,
            text: text.to_owned(),
            retry_after: None,
            migrate_to: None,
        };
        let known = self.lock_memory().is_unreachable(person);
        if known {
            return Err(refused("the person is known not to be reachable"));
        }
        let chat =
            TelegramPrivateChat::of(person).ok_or_else(|| refused("it is no private chat"))?;
        // A message in the private chat cannot reply to a message of the group.
        let message = OutgoingMessage { reply_to: None, ..message.for_reader(&chat).clone() };
        let sent = self.send_message(chat.target(), &message, Map::new()).await;
        if let Err(error) = &sent
            && (error.code() == Some(403) || error.description_contains("chat not found"))
        {
            self.lock_memory().set_reachable(person, false);
        }
        TelegramMessageHandle::from_sent((person, person), &message, &sent?)
            .ok_or_else(|| refused("it is no private chat"))
    }

    /// Sends a message that only one member of the group sees. Any bot may do so in reply to a
    /// press or to a command that only it saw; an admin at any time. `None` if that is not possible
    /// now.
    ///
    /// # Errors
    /// A temporary failure, or a refusal by the server.
    pub(super) async fn send_ephemeral(
        &self,
        origin: &UpdateOrigin,
        person: i64,
        message: &PrivateMessage,
        secret: bool,
    ) -> Result<Option<TelegramMessageHandle>, TelegramCallError> {
        if self.ephemerals.load(Ordering::Relaxed) == ephemeral::NO || origin.is_chat_unknown() {
            return Ok(None);
        }
        let way = EphemeralReceiver::new(person);
        let mut receiver = json!({ "receiver_user_id": way.person() });
        let mut extra = Map::new();
        // The receiver is sent in two forms: a server of version 10.2 knows only the bare fields
        // and ignores the object of 10.3, which would make the message public.
        extra.insert("receiver_user_id".to_owned(), json!(way.person()));
        if let Some(query) = &origin.query {
            receiver["callback_query_id"] = json!(query);
            extra.insert("callback_query_id".to_owned(), json!(query));
        } else if let Some(id) = origin.ephemeral {
            let parameters = json!({ "ephemeral_message_id": id });
            extra.insert("reply_parameters".to_owned(), parameters);
        } else if !self.is_admin(origin.chat, self.own_id()).await {
            return Ok(None);
        }
        if !self.supports_ephemerals(secret).await {
            return Ok(None);
        }
        extra.insert("ephemeral_message_parameters".to_owned(), receiver);
        let here = TelegramTarget { chat: origin.chat, thread: origin.thread };
        let message = message.for_reader(&way);
        let message = match origin.ephemeral {
            Some(_) => OutgoingMessage { reply_to: None, ..message.clone() },
            None => message.clone(),
        };
        match self.send_message(here, &message, extra).await {
            Ok(sent) => {
                match TelegramMessageHandle::from_sent((origin.chat, person), &message, &sent) {
                    Some(now) => Ok(Some(now)),
                    None => {
                        self.delete_leaked_message(origin.chat, &sent).await;
                        Ok(None)
                    }
                }
            }
            Err(error) => {
                tracing::debug!(chat = origin.chat, %error, "failed to send an ephemeral message");
                Err(error)
            }
        }
    }

    /// Deletes a message that the server has shown to everybody because it does not understand
    /// private messages, and stops using them.
    async fn delete_leaked_message(&self, chat: i64, sent: &TelegramSentMessage) {
        self.ephemerals.store(ephemeral::NO, Ordering::Relaxed);
        let id = teloxide::types::MessageId(sent.message_id);
        if let Err(error) = self.api.call::<bool>(&DeleteMessage::new(ChatId(chat), id)).await {
            tracing::error!(chat, %error, "failed to delete a private reply that became public");
        }
    }

    /// Sends a message to one person without a request from them: as an edit of the message in its
    /// slot, else as an ephemeral message, else in their private chat.
    pub(super) async fn send_unasked(
        &self,
        place: &PlaceId,
        person: &PersonId,
        slot: &str,
        message: &PrivateMessage,
    ) -> Result<(), SendError> {
        let here = parse_place(place).ok_or(SendError::NotAllowed)?;
        let person: i64 = person
            .0
            .strip_prefix("tg:")
            .and_then(|it| it.parse().ok())
            .filter(|it| *it > 0)
            .ok_or(SendError::NotAllowed)?;
        let old = self.slot_message(person, slot).await;
        if let Some(old) = old {
            match self.replace_private_message(old, message).await {
                Ok(now) => {
                    self.store_private_message(Some(slot), now).await;
                    return Ok(());
                }
                Err(error @ (SendError::RateLimited(_) | SendError::Temporary(_))) => {
                    return Err(error);
                }
                Err(_) => {
                    // The service counts one call for the new message; the failed edit is one more.
                    self.report_private_call(old.chat());
                    self.forget_slot(person, slot).await;
                }
            }
        }
        let now = self.send_unasked_new(here, person, message).await?;
        self.store_new_private_message(Some(slot), now).await;
        self.delete_replaced(old, now).await;
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
        self.slot_message(person, slot).await.is_some_and(|it| it.has_content_of(message))
    }

    /// Returns the private chat with a person if they let the bot write there. Asks by a chat
    /// action, which shows no message.
    pub(super) async fn open_private_chat(&self, person: i64) -> Result<PlaceId, SendError> {
        let there = TelegramTarget { chat: person, thread: None };
        let fields = [("chat_id", json!(person)), ("action", json!("typing"))];
        let fields = fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
        match self.api.call_method::<bool>("sendChatAction", fields).await {
            Ok(_) => Ok(place_id(person, None)),
            Err(error) => Err(match send_error(error, there) {
                // A person unknown to the bot has not begun the chat.
                SendError::MessageGone | SendError::Refused(_) => SendError::NotAllowed,
                other => other,
            }),
        }
    }

    async fn send_unasked_new(
        &self,
        here: TelegramTarget,
        person: i64,
        message: &PrivateMessage,
    ) -> Result<TelegramMessageHandle, SendError> {
        if let Some(chat) = TelegramPrivateChat::of(here.chat).filter(|it| it.person() == person) {
            let sent = self.send_message(here, message.for_reader(&chat), Map::new()).await;
            let sent = sent.map_err(|error| send_error(error, here))?;
            return TelegramMessageHandle::from_sent(
                (person, person),
                message.for_reader(&chat),
                &sent,
            )
            .ok_or(SendError::NotAllowed);
        }
        let origin = UpdateOrigin::for_unasked_message(here, person);
        match self.send_ephemeral(&origin, person, message, true).await {
            Ok(Some(now)) => return Ok(now),
            Err(error) if error.is_transient() => return Err(send_error(error, here)),
            Ok(None) | Err(_) => {}
        }
        let there = TelegramTarget { chat: person, thread: None };
        let sent = self.send_to_private_chat(person, message).await;
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
        let rest = replies.into_iter().filter(|it| !it.is_ack).collect();
        PressNote { text: String::new(), done: false, rest }
    }

    fn from_replies(replies: Vec<EphemeralReply>) -> Self {
        let (mut note, mut done) = (String::new(), true);
        let mut rest = Vec::new();
        for reply in replies {
            let bare = reply.message.is_text_only();
            let text = reply.message.text().to_plain();
            let gap = if note.is_empty() { "" } else { "\n" };
            let fits = utf16_len(&note) + gap.len() + utf16_len(&text) <= CALLBACK_TEXT_MAX;
            if reply.is_ack && note.is_empty() {
                note = text;
            } else if reply.brief && bare && fits {
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
