//! Telling something to one person only.
//!
//! In this order: a note after a press; an ephemeral message (Bot API 10.2 and later); the private
//! chat; an alert after a press; and for words an envelope: a public button that only this person
//! can open. What cannot be told privately is not told.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Map, Value, json};
use teloxide::payloads::{AnswerCallbackQuery, AnswerCallbackQuerySetters, DeleteMessage};
use teloxide::types::{CallbackQueryId, ChatId};

use super::Telegram;
use super::hear::{Author, Origin};
use super::markup::{NOTE_MAX, shorten, utf16};
use super::raw::CallError;
use super::send::{Target, send_error, target};
use crate::chat::{Button, MessageId, Outgoing, PersonId, PlaceId, SendError, Tone, Whisper};
use crate::words::{Rich, Span};

/// Notes longer than this stay until they are closed by hand: a toast goes too fast to read.
const TOAST_MAX: usize = 60;
/// How long a decision waits for the list of admins.
const ADMINS_PATIENCE: Duration = Duration::from_millis(1500);
/// Longest wait that Telegram may ask for before a private answer is given up.
const INSIST_SECS: u64 = 10;
/// Presses with this prefix open envelopes; nothing else may use it.
pub(super) const ENVELOPE: &str = "w.";

/// Whether the server knows ephemeral messages.
mod ephemeral {
    /// Not found out yet.
    pub(super) const UNKNOWN: u8 = 0;
    /// It does.
    pub(super) const YES: u8 = 1;
    /// It does not: never try again.
    pub(super) const NO: u8 = 2;
}

impl Telegram {
    /// Finds out whether the server knows ephemeral messages, without sending any: a server that
    /// ignores what it does not know would show the private words to everybody.
    pub(super) async fn probe_ephemerals(&self) {
        let me = self.me.user.id.0;
        let mut fields = Map::new();
        fields.insert("chat_id".to_owned(), json!(me));
        fields.insert("receiver_user_id".to_owned(), json!(me));
        fields.insert("ephemeral_message_id".to_owned(), json!(1));
        let answer = self.api.named::<bool>("deleteEphemeralMessage", fields).await;
        let found = match answer.map_err(|error| error.code()) {
            Ok(_) | Err(Some(400 | 403)) => ephemeral::YES,
            Err(Some(404)) => ephemeral::NO,
            Err(_) => ephemeral::UNKNOWN,
        };
        self.ephemerals.store(found, Ordering::Relaxed);
    }

    async fn knows_ephemerals(&self) -> bool {
        if self.ephemerals.load(Ordering::Relaxed) == ephemeral::UNKNOWN {
            self.probe_ephemerals().await;
        }
        self.ephemerals.load(Ordering::Relaxed) == ephemeral::YES
    }

    /// Whether somebody is an admin of a group; not knowing counts as no.
    pub(super) async fn is_admin(&self, chat: i64, person: i64) -> bool {
        if let Some(known) = self.memory().is_admin(chat, person) {
            return known;
        }
        let fields = [("chat_id".to_owned(), json!(chat))].into_iter().collect();
        let call = self.api.named::<Vec<Value>>("getChatAdministrators", fields);
        let asked = tokio::time::timeout(ADMINS_PATIENCE, call).await;
        let late = || CallError::Network("no answer in time".to_owned());
        match asked.unwrap_or_else(|_| Err(late())) {
            Ok(admins) => {
                let admins = admins.iter().filter_map(|it| it["user"]["id"].as_i64());
                let admins: Vec<i64> = admins.collect();
                let found = admins.contains(&person);
                self.memory().keep_admins(chat, admins);
                found
            }
            Err(error) => {
                tracing::debug!(chat, %error, "the admins are not known");
                self.memory().no_admins(chat);
                false
            }
        }
    }

    /// Tells what a decision says to the one who acted. `answered` says that their press got its
    /// answer already.
    pub(super) async fn tell(&self, origin: Origin, whispers: Vec<Whisper>, mut answered: bool) {
        let Some(query) = origin.query.clone() else {
            for whisper in whispers {
                let told = self.deliver(&origin, &whisper.message).await;
                if !told && !self.envelope(&origin, whisper).await {
                    tracing::warn!(chat = origin.chat, "a private answer reached nobody");
                }
            }
            return;
        };
        let (note, rest) = if answered { (String::new(), whispers) } else { note_of(whispers) };
        if !answered && (!note.is_empty() || rest.is_empty()) {
            self.answer(&query, &note).await;
            answered = true;
        }
        for whisper in rest {
            self.tell_presser(&origin, &query, whisper, &mut answered).await;
        }
        if !answered {
            self.answer(&query, "").await;
        }
    }

    /// A private answer to a press that is more than a note. While it is on its way the press
    /// does not wait longer than it may.
    async fn tell_presser(
        &self,
        origin: &Origin,
        query: &str,
        whisper: Whisper,
        answered: &mut bool,
    ) {
        let told = {
            let delivery = self.deliver(origin, &whisper.message);
            tokio::pin!(delivery);
            tokio::select! {
                told = &mut delivery => told,
                () = tokio::time::sleep(self.patience), if !*answered => {
                    *answered = true;
                    tokio::join!(delivery, self.answer(query, "")).0
                }
            }
        };
        if told {
            return;
        }
        if !*answered {
            *answered = true;
            self.answer(query, &whisper.message.text.to_plain()).await;
        } else if !self.envelope(origin, whisper).await {
            tracing::warn!(chat = origin.chat, "a private answer reached nobody");
        }
    }

    /// Answers a press: with nothing, a toast, or for longer words an alert.
    pub(super) async fn answer(&self, query: &str, note: &str) {
        let mut call = AnswerCallbackQuery::new(CallbackQueryId(query.to_owned()));
        if !note.is_empty() {
            call = call.text(shorten(note, NOTE_MAX)).show_alert(utf16(note) > TOAST_MAX);
        }
        if let Err(error) = self.api.call::<bool>(&call).await {
            tracing::debug!(%error, "a press was not answered");
        }
    }

    /// Shows a message to one person only, if there is any way but a public button.
    async fn deliver(&self, origin: &Origin, message: &Outgoing) -> bool {
        if origin.private {
            let here = Target { chat: origin.chat, thread: origin.thread };
            return self.insist(here, message).await.is_ok();
        }
        let Author::Person(person) = origin.author else { return false };
        if self.ephemeral(origin, person, message).await {
            return true;
        }
        self.privately(person, message).await.is_ok()
    }

    /// Sends an answer that can go no other way and that no outbox repeats: what failed without
    /// being done is tried once more.
    async fn insist(&self, here: Target, message: &Outgoing) -> Result<(), CallError> {
        let first = self.transmit(here, message, Map::new()).await;
        let pause_secs = match &first {
            Err(CallError::Api { retry_after: Some(secs), .. }) if *secs <= INSIST_SECS => *secs,
            Err(CallError::Busy(_)) => 1,
            Err(CallError::Api { code: 500.., .. }) => 0,
            _ => return first.map(drop),
        };
        tokio::time::sleep(Duration::from_secs(pause_secs)).await;
        self.transmit(here, message, Map::new()).await.map(drop)
    }

    /// Sends into the private chat with somebody.
    async fn privately(&self, person: i64, message: &Outgoing) -> Result<(), CallError> {
        let known = self.memory().is_unreachable(person);
        if known {
            let text = "the person is known not to be reachable".to_owned();
            return Err(CallError::Api { code: 403, text, retry_after: None, migrate_to: None });
        }
        // A message of the group is nothing that can be answered in the private chat.
        let message = Outgoing { reply_to: None, ..message.clone() };
        let there = Target { chat: person, thread: None };
        let sent = self.transmit(there, &message, Map::new()).await;
        if let Err(error) = &sent
            && (error.code() == Some(403) || error.says("chat not found"))
        {
            self.memory().reachable(person, false);
        }
        sent.map(drop)
    }

    /// Sends a message that only one member of the group sees. Any bot may do so as an answer to
    /// a press or to a command that only it saw; an admin at any time.
    async fn ephemeral(&self, origin: &Origin, person: i64, message: &Outgoing) -> bool {
        if !self.knows_ephemerals().await {
            return false;
        }
        let mut receiver = json!({ "receiver_user_id": person });
        let mut extra = Map::new();
        // Twice the same: a server of 10.2 knows only the bare fields and ignores the object of
        // 10.3, which would make the message public.
        extra.insert("receiver_user_id".to_owned(), json!(person));
        if let Some(query) = &origin.query {
            receiver["callback_query_id"] = json!(query);
            extra.insert("callback_query_id".to_owned(), json!(query));
        } else if let Some(id) = origin.ephemeral {
            let parameters = json!({ "ephemeral_message_id": id });
            extra.insert("reply_parameters".to_owned(), parameters);
        } else if !self.is_admin(origin.chat, self.own_id()).await {
            return false;
        }
        extra.insert("ephemeral_message_parameters".to_owned(), receiver);
        let here = Target { chat: origin.chat, thread: origin.thread };
        let message = match origin.ephemeral {
            Some(_) => Outgoing { reply_to: None, ..message.clone() },
            None => message.clone(),
        };
        match self.transmit(here, &message, extra).await {
            Ok(sent) if sent.ephemeral_message_id.is_some() => true,
            Ok(sent) => {
                // The server did not understand and has shown it to everybody.
                self.ephemerals.store(ephemeral::NO, Ordering::Relaxed);
                let id = teloxide::types::MessageId(sent.message_id);
                let call = DeleteMessage::new(ChatId(origin.chat), id);
                if let Err(error) = self.api.call::<bool>(&call).await {
                    tracing::error!(chat = origin.chat, %error, "a private answer is public");
                }
                false
            }
            Err(error) => {
                tracing::debug!(chat = origin.chat, %error, "no ephemeral message was sent");
                false
            }
        }
    }

    /// Leaves a public button that only the one who acted can open; what an anonymous admin
    /// asked, any admin may read, and what a channel asked, everybody: no secret is theirs.
    async fn envelope(&self, origin: &Origin, whisper: Whisper) -> bool {
        let secret = origin.author == Author::Nobody && !whisper.brief;
        if origin.private || secret || whisper.message.text.is_empty() {
            return false;
        }
        let sender = (origin.chat, origin.thread, origin.author);
        let Some(whisper) = self.memory().reseal(sender, whisper) else { return true };
        let number = self.envelope_number();
        let words = (self.words)(origin.locale.as_deref());
        let mut text = Rich::plain(words.envelope);
        if let (Some(_), Author::Person(person)) = (&origin.query, origin.author) {
            let person = format!("tg:{person}");
            text.0.push(Span::Plain(" ".to_owned()));
            text.0.push(Span::Mention { person, name: origin.name.clone() });
        }
        let press = format!("{ENVELOPE}{number}");
        let cover = Outgoing {
            text,
            buttons: vec![vec![Button {
                label: words.open,
                press,
                tone: Tone::Plain,
                ..Button::default()
            }]],
            reply_to: origin.message.map(|it| MessageId(it.to_string())),
            ..Outgoing::default()
        };
        let here = Target { chat: origin.chat, thread: origin.thread };
        self.memory().seal(number, sender, whisper);
        match self.transmit(here, &cover, Map::new()).await {
            Ok(sent) => {
                self.memory().saw(origin.chat, origin.thread, sent.message_id);
                true
            }
            Err(error) => {
                tracing::debug!(chat = origin.chat, %error, "no envelope was sent");
                self.memory().unseal(number);
                false
            }
        }
    }

    /// Somebody presses the button of an envelope.
    pub(super) async fn open(&self, origin: Origin, press: &str) {
        let query = origin.query.clone().unwrap_or_default();
        let number = press.strip_prefix(ENVELOPE).and_then(|it| it.parse().ok());
        let number: u64 = number.unwrap_or_default();
        let sealed = self.memory().envelope(number).map(|it| (it.reader, it.whisper.clone()));
        let inside = match sealed {
            None => None,
            Some((reader, whisper)) if self.may_read(&origin, reader).await => {
                self.memory().unseal(number);
                Some(Some(whisper))
            }
            Some(_) => Some(None),
        };
        let words = (self.words)(origin.locale.as_deref());
        match inside {
            Some(None) => return self.answer(&query, &words.not_yours).await,
            Some(Some(whisper)) => self.tell(origin.clone(), vec![whisper], false).await,
            None => self.answer(&query, &words.expired).await,
        }
        if let Some(message) = origin.message {
            let id = teloxide::types::MessageId(message);
            let call = DeleteMessage::new(ChatId(origin.chat), id);
            if let Err(error) = self.api.call::<Value>(&call).await {
                tracing::debug!(chat = origin.chat, %error, "an opened envelope stays");
            }
        }
    }

    async fn may_read(&self, origin: &Origin, reader: Author) -> bool {
        match (reader, origin.author) {
            (Author::Nobody, _) => true,
            (Author::SomeAdmin, Author::Person(person)) => self.is_admin(origin.chat, person).await,
            (reader, presser) => reader == presser,
        }
    }

    pub(super) async fn whisper_to(
        &self,
        place: &PlaceId,
        person: &PersonId,
        message: &Outgoing,
    ) -> Result<(), SendError> {
        let here = target(place).ok_or(SendError::NotAllowed)?;
        let person: i64 = person
            .0
            .strip_prefix("tg:")
            .and_then(|it| it.parse().ok())
            .filter(|it| *it > 0)
            .ok_or(SendError::NotAllowed)?;
        let origin = Origin {
            chat: here.chat,
            thread: here.thread,
            private: here.chat == person,
            author: Author::Person(person),
            name: String::new(),
            locale: None,
            message: None,
            ephemeral: None,
            query: None,
        };
        if origin.private {
            let sent = self.transmit(here, message, Map::new()).await;
            return sent.map(drop).map_err(|error| send_error(error, here));
        }
        if self.ephemeral(&origin, person, message).await {
            return Ok(());
        }
        let there = Target { chat: person, thread: None };
        let sent = self.privately(person, message).await;
        sent.map_err(|error| match send_error(error, there) {
            // Not their group moved, but nothing like that happens to private chats.
            SendError::Moved(_) => SendError::NotAllowed,
            other => other,
        })
    }
}

/// The words that fit into the answer of a press, and what needs messages of its own.
fn note_of(whispers: Vec<Whisper>) -> (String, Vec<Whisper>) {
    let mut note = String::new();
    let mut rest = Vec::new();
    for whisper in whispers {
        let message = &whisper.message;
        let bare = message.image.is_none() && message.file.is_none() && message.buttons.is_empty();
        let text = message.text.to_plain();
        let gap = if note.is_empty() { "" } else { "\n" };
        let fits = utf16(&note) + gap.len() + utf16(&text) <= NOTE_MAX;
        if whisper.brief && bare && fits {
            note.push_str(gap);
            note.push_str(&text);
        } else {
            rest.push(whisper);
        }
    }
    (note, rest)
}
