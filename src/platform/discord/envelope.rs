//! Answers to typed words in a guild: only a press lets Discord show something to one person, so
//! they wait behind a public button, like a letter in an envelope.

use reqwest::Method;
use serenity::all::{ComponentInteraction, Message};

use super::answers::Asked;
use super::events::Ear;
use super::spelling;
use crate::chat::{Button, Outgoing, Tone, Whisper};
use crate::ids::MessageId;
use crate::words::Rich;

/// Presses with this prefix open envelopes; nothing else may use it.
pub(super) const ENVELOPE: &str = "w.";

impl Ear {
    /// Leaves a small silent answer with a button that only the author of a message can open.
    pub async fn leave_envelope(&self, answered: &Message, inside: Vec<Whisper>) {
        let (channel, number) = (answered.channel_id.get(), answered.id.get());
        let (reader, now) = (answered.author.id.get(), self.inner.now_ms());
        let Some(inside) = self.inner.memory().reseal(reader, channel, inside, now) else { return };
        let locale = self.inner.memory().locale_of(reader);
        let texts = &self.inner.settings.texts;
        let label = texts.open.in_locale(&locale).to_owned();
        let press = format!("{ENVELOPE}{number}");
        let cover = Outgoing {
            text: Rich::plain(texts.envelope.in_locale(&locale)),
            buttons: vec![vec![Button { label, press, tone: Tone::Plain, ..Button::default() }]],
            reply_to: Some(MessageId(number.to_string())),
            ..Outgoing::default()
        };
        self.inner.memory().seal(number, reader, channel, inside, now);
        let (body, files) = spelling::posting(&cover);
        let path = format!("/channels/{channel}/messages");
        if let Err(error) = self.inner.rest.call(Method::POST, &path, Some(&body), &files).await {
            tracing::warn!(channel, %error, "a private answer reached nobody");
            self.inner.memory().unseal(number);
        }
    }

    /// Somebody presses the button of an envelope.
    pub async fn open_envelope(&self, asked: &Asked<'_>, press: &ComponentInteraction) {
        let number = press.data.custom_id.strip_prefix(ENVELOPE).and_then(|it| it.parse().ok());
        let number: u64 = number.unwrap_or_default();
        let now = self.inner.now_ms();
        let sealed = {
            let memory = self.inner.memory();
            memory.envelope(number, now).map(|it| (it.reader, it.inside.clone()))
        };
        let texts = &self.inner.settings.texts;
        let plain = |words: &str| Outgoing { text: Rich::plain(words), ..Outgoing::default() };
        let brief = |message| Whisper { message, brief: true, ..Whisper::default() };
        let inside = match sealed {
            Some((reader, _)) if reader != asked.user => {
                let words = brief(plain(texts.not_yours.in_locale(&press.locale)));
                return self.tell(asked, vec![words]).await;
            }
            Some((_, inside)) => inside,
            None => vec![brief(plain(texts.expired.in_locale(&press.locale)))],
        };
        self.inner.memory().unseal(number);
        self.tell(asked, inside).await;
        let (channel, cover) = (asked.channel, press.message.id.get());
        let path = format!("/channels/{channel}/messages/{cover}");
        match self.inner.rest.call(Method::DELETE, &path, None, &[]).await {
            Ok(_) => self.inner.memory().deleted(channel, cover),
            Err(error) => tracing::debug!(channel, %error, "an opened envelope stays"),
        }
    }
}
