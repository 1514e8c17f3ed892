//! Private words behind a public button that only one person can open, like a letter.

use serde_json::{Map, Value};
use teloxide::payloads::DeleteMessage;
use teloxide::types::ChatId;

use super::rows::LETTERS_MAX;
use super::send::Target;
use super::updates::{Author, Origin, Read};
use super::{NAME, Telegram, Words};
use caravanserai_games::ids::MessageId;
use caravanserai_games::words::{Rich, Span};
use caravanserai_platform_shared::kept::Kept;
use caravanserai_protocol::{Body, Button, Listener, Outgoing, Tone, Whisper};

/// Presses with this prefix open envelopes; nothing else may use it.
pub(super) const ENVELOPE: &str = "w.";

/// The public text of an envelope, which names its reader.
fn cover(words: &Words, origin: &Origin) -> Rich {
    let Author::Person(person) = origin.author else { return Rich::plain(words.envelope.clone()) };
    let Some((before, after)) = words.addressed.split_once(NAME) else {
        return Rich::plain(words.addressed.clone());
    };
    let name = Span::Mention { person: format!("tg:{person}"), name: origin.name.clone() };
    let plain = |it: &str| Span::Plain(it.to_owned());
    let spans = [plain(before), name, plain(after)];
    Rich(spans.into_iter().filter(|it| !it.text().is_empty()).collect())
}

impl Telegram {
    /// Leaves a public button that only the one who acted can open; what an anonymous admin
    /// asked, any admin may read, and what a channel asked, everybody: no secret is theirs.
    pub(super) async fn envelope(&self, origin: &Origin, whisper: Whisper) -> bool {
        let person = matches!(origin.author, Author::Person(_));
        let secret = whisper.is_secret() || (origin.author == Author::Nobody && !whisper.brief);
        let nowhere = origin.private || origin.is_nowhere();
        if nowhere || (secret && !person) || whisper.message.text().is_empty() {
            return false;
        }
        let sender = (origin.chat, origin.thread, origin.author);
        // Whoever asks again gets all answers where they asked last.
        let kept = Kept::of(&whisper);
        let old = self.waiting_envelope(&sender).await;
        let earlier = match &old {
            Some((number, _)) => self.sealed(number).await,
            None => None,
        };
        let mut inside = earlier.map(|it| it.inside).unwrap_or_default();
        if inside.contains(&kept) {
            // The envelope contains the same answer already.
            return true;
        }
        inside.push(kept.clone());
        let number = self.envelope_number();
        let words = (self.words)(origin.locale.as_deref());
        let text = cover(&words, origin);
        let press = format!("{ENVELOPE}{number}");
        let label = match inside.len().min(LETTERS_MAX) {
            1 => words.open,
            several => format!("{} ({several})", words.open),
        };
        let cover = Outgoing {
            text,
            buttons: vec![vec![Button { label, press, tone: Tone::Plain, ..Button::default() }]],
            reply_to: origin.message.map(|it| MessageId(it.to_string())),
            ..Outgoing::default()
        };
        let here = Target { chat: origin.chat, thread: origin.thread };
        self.seal(&number, &sender, inside).await;
        self.called(origin.chat);
        match self.transmit(here, &cover, Map::new()).await {
            Ok(sent) => {
                self.memory().saw(origin.chat, origin.thread, sent.message_id);
                self.envelope_waits(&number, &sender, sent.message_id).await;
                if let Some((number, message)) = old {
                    self.unseal(&number).await;
                    self.take_away(origin.chat, message).await;
                }
                true
            }
            Err(error) => {
                tracing::debug!(chat = origin.chat, %error, "no envelope was sent");
                self.unseal(&number).await;
                if let Some((earlier, _)) = old {
                    return self.reseal(&earlier, &kept).await;
                }
                false
            }
        }
    }

    /// Somebody presses the button of an envelope.
    pub(super) async fn open(&self, listener: &dyn Listener, read: Read) {
        let Read { update, origin, .. } = read;
        let Body::Press { press, .. } = &update.body else { return };
        let query = origin.query.clone().unwrap_or_default();
        let number = press.strip_prefix(ENVELOPE).unwrap_or_default();
        let words = (self.words)(origin.locale.as_deref());
        if !origin.is_genuine {
            // The message is not an envelope of the bot: nothing is opened or deleted.
            self.answer(&query, &words.expired, false).await;
            return;
        }
        let sealed = match self.sealed(number).await {
            Some(sealed) if !self.may_read(&origin, sealed.reader).await => {
                self.answer(&query, &words.not_yours, false).await;
                return;
            }
            Some(_) => self.unseal(number).await,
            None => None,
        };
        let mut whispers = Vec::new();
        for kept in sealed.into_iter().flat_map(|it| it.inside) {
            whispers.extend(kept.open(listener, &update.place, &update.person).await);
        }
        match whispers.is_empty() {
            false => self.tell(origin.clone(), whispers, false).await,
            true => drop(self.answer(&query, &words.expired, false).await),
        }
        if let Some(message) = origin.message {
            self.take_away(origin.chat, message).await;
        }
    }

    /// Takes away an envelope with nothing inside.
    async fn take_away(&self, chat: i64, message: i32) {
        let call = DeleteMessage::new(ChatId(chat), teloxide::types::MessageId(message));
        self.called(chat);
        if let Err(error) = self.api.call::<Value>(&call).await {
            tracing::debug!(chat, %error, "an empty envelope stays");
        }
    }

    async fn may_read(&self, origin: &Origin, reader: Author) -> bool {
        match (reader, origin.author) {
            (Author::Nobody, _) => true,
            (Author::SomeAdmin, Author::Person(person)) => self.is_admin(origin.chat, person).await,
            (reader, presser) => reader == presser,
        }
    }
}
