//! Answers to typed words in a guild: only a press lets Discord show something to one person, so
//! they wait behind a public button, like a letter in an envelope.

use reqwest::Method;
use serenity::all::{ActionRowComponent, ButtonKind, ComponentInteraction, Message};

use super::answers::Asked;
use super::events::Ear;
use super::menu::Localized;
use super::spelling;
use super::translate::person;
use caravanserai_games::ids::MessageId;
use caravanserai_games::words::Rich;
use caravanserai_platform_shared::kept::Kept;
use caravanserai_protocol::{Button, Outgoing, Place, Tone, Whisper};

/// Presses with this prefix open envelopes; nothing else may use it.
pub(super) const ENVELOPE: &str = "w.";

impl Ear {
    /// Leaves a small silent answer with a button that only the author of a message can open.
    pub async fn leave_envelope(&self, answered: &Message, inside: Vec<Whisper>) {
        let (channel, number) = (answered.channel_id.get(), answered.id.get());
        let reader = answered.author.id.get();
        let inside: Vec<Kept> = inside.iter().map(Kept::of).collect();
        if self.inner.reseal(reader, channel, &inside).await {
            return;
        }
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
        self.inner.seal(number, reader, channel, inside).await;
        let (body, files) = spelling::posting(&cover);
        let path = format!("/channels/{channel}/messages");
        if let Err(error) = self.inner.rest.call(Method::POST, &path, Some(&body), &files).await {
            tracing::warn!(channel, %error, "a private answer reached nobody");
            self.inner.unseal(number).await;
        }
    }

    /// Somebody presses the button of an envelope.
    pub async fn open_envelope(
        &self,
        asked: &Asked<'_>,
        press: &ComponentInteraction,
        place: &Place,
    ) {
        let number = press.data.custom_id.strip_prefix(ENVELOPE).and_then(|it| it.parse().ok());
        let number: u64 = number.unwrap_or_default();
        let texts = &self.inner.settings.texts;
        let brief = |words: &Localized| {
            let text = Rich::plain(words.in_locale(&press.locale));
            let message = Outgoing { text, ..Outgoing::default() }.into();
            vec![Whisper { message, brief: true, ..Whisper::default() }]
        };
        if !has_button(press) {
            // The message is not an envelope of the bot: nothing is opened or deleted.
            return self.tell(asked, brief(&texts.expired)).await;
        }
        let sealed = match self.inner.sealed(number).await {
            Some(sealed) if sealed.reader != asked.user => {
                return self.tell(asked, brief(&texts.not_yours)).await;
            }
            Some(_) => self.inner.unseal(number).await,
            None => None,
        };
        let reader = person(&press.user, press.member.as_ref(), Some(&press.locale));
        let mut inside = Vec::new();
        for kept in sealed.into_iter().flat_map(|it| it.inside) {
            inside.extend(kept.open(&*self.listener, place, &reader).await);
        }
        if inside.is_empty() {
            inside = brief(&texts.expired);
        }
        self.tell(asked, inside).await;
        let (channel, cover) = (asked.channel, press.message.id.get());
        let path = format!("/channels/{channel}/messages/{cover}");
        match self.inner.rest.call(Method::DELETE, &path, None, &[]).await {
            Ok(_) => self.inner.memory().deleted(channel, cover),
            Err(error) => tracing::debug!(channel, %error, "an opened envelope stays"),
        }
    }
}

/// Whether the pressed message has the button, as Discord describes the message: the data of a
/// press may be forged.
fn has_button(press: &ComponentInteraction) -> bool {
    let parts = press.message.components.iter().flat_map(|row| &row.components);
    let buttons = parts.filter_map(|it| match it {
        ActionRowComponent::Button(button) => Some(&button.data),
        _ => None,
    });
    let carried = buttons.filter_map(|it| match it {
        ButtonKind::NonLink { custom_id, .. } => Some(custom_id),
        ButtonKind::Link { .. } | ButtonKind::Premium { .. } => None,
    });
    carried.into_iter().any(|it| *it == press.data.custom_id)
}
