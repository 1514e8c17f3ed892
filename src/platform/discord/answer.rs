//! Answers to interactions: one within three seconds, more for a quarter of an hour.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::hear::Ear;
use super::rest::{CallError, File};
use super::{Inner, say};
use crate::chat::{Outgoing, Whisper};

/// First answer: a message.
pub(super) const ANSWER_MESSAGE: u8 = 4;
/// First answer: a message will come.
pub(super) const ANSWER_LATER: u8 = 5;
/// First answer: the message of the button will change, or nothing happens.
pub(super) const ANSWER_QUIETLY: u8 = 6;
/// First answer: the message of the button becomes this.
const ANSWER_TURN: u8 = 7;
/// First answer: offers for what is being typed.
pub(super) const ANSWER_OFFERS: u8 = 8;

/// How long a private answer is held back when Discord asks to wait.
const PATIENCE_MS: u64 = 10_000;

/// What is needed to answer one interaction.
pub(super) struct Asked<'a> {
    pub id: u64,
    pub token: &'a str,
    pub user: u64,
    pub channel: u64,
}

impl Ear {
    /// Gives the first answer; whether the token may be used from now on.
    pub async fn first(&self, asked: &Asked<'_>, kind: u8, data: Value) -> bool {
        self.first_with(asked, kind, data, &[]).await
    }

    async fn first_with(&self, asked: &Asked<'_>, kind: u8, data: Value, files: &[File]) -> bool {
        let inner = &self.inner;
        let give = || inner.first_answer(asked.id, asked.token, kind, data.clone(), files);
        let answered = match give().await {
            // Three seconds leave no time for more than one other try.
            Err(CallError::Network(_) | CallError::Refused { status: 500.., .. }) => give().await,
            answered => answered,
        };
        match answered {
            // 40060: it was answered already, by an earlier try whose answer was lost.
            Ok(()) | Err(CallError::Refused { code: 40060, .. }) => {
                let now = inner.now_ms();
                if kind != ANSWER_OFFERS {
                    inner.memory().person_acted(asked.user, asked.channel, asked.token, now);
                }
                true
            }
            Err(error) => {
                tracing::warn!(interaction = asked.id, kind, %error, "a first answer failed");
                false
            }
        }
    }

    /// Answers a press with nothing to see; its message can be edited over the token then.
    pub async fn quietly(&self, asked: &Asked<'_>, message: u64) {
        if self.first(asked, ANSWER_QUIETLY, Value::Null).await {
            let now = self.inner.now_ms();
            self.inner.memory().board_pressed(message, asked.token, now);
        }
    }

    /// The first whisper is the answer, the others follow it.
    pub async fn tell(&self, asked: &Asked<'_>, whispers: Vec<Whisper>) {
        let Some((first, others)) = whispers.split_first() else { return };
        let (data, files) = say::whisper(&first.message);
        if self.first_with(asked, ANSWER_MESSAGE, data, &files).await {
            self.follow(asked, others).await;
        }
    }

    /// The first whisper takes the place of the private message whose button was pressed.
    pub async fn turn(&self, asked: &Asked<'_>, whispers: Vec<Whisper>) {
        let Some((first, others)) = whispers.split_first() else { return };
        let (data, files) = say::edit(&first.message);
        if self.first_with(asked, ANSWER_TURN, data, &files).await {
            self.follow(asked, others).await;
        }
    }

    pub async fn follow(&self, asked: &Asked<'_>, whispers: &[Whisper]) {
        for whisper in whispers {
            let mut done = self.inner.follow_up(asked.token, &whisper.message).await;
            if let Err(CallError::Wait(ms @ ..=PATIENCE_MS)) = done {
                tokio::time::sleep(Duration::from_millis(ms)).await;
                done = self.inner.follow_up(asked.token, &whisper.message).await;
            }
            if let Err(error) = done {
                tracing::warn!(interaction = asked.id, %error, "a private answer failed");
            }
        }
    }

    /// The answer that was promised: the first whisper takes its place.
    pub async fn tell_late(&self, asked: &Asked<'_>, whispers: Vec<Whisper>) {
        let Some((first, others)) = whispers.split_first() else {
            self.take_back(asked).await;
            return;
        };
        let (body, files) = say::edit(&first.message);
        let path = self.original(asked);
        let done = self.inner.rest.call(Method::PATCH, &path, Some(&body), &files).await;
        if let Err(error) = done {
            tracing::warn!(interaction = asked.id, %error, "a late answer failed");
        }
        self.follow(asked, others).await;
    }

    pub async fn take_back(&self, asked: &Asked<'_>) {
        let path = self.original(asked);
        let done = self.inner.rest.call(Method::DELETE, &path, None, &[]).await;
        if let Err(error) = done {
            tracing::debug!(interaction = asked.id, %error, "an answer was not taken back");
        }
    }

    fn original(&self, asked: &Asked<'_>) -> String {
        format!("/webhooks/{}/{}/messages/@original", self.inner.app, asked.token)
    }
}

impl Inner {
    /// Says something only to the one whose interaction this token is from.
    pub async fn follow_up(&self, token: &str, message: &Outgoing) -> Result<(), CallError> {
        let (body, files) = say::whisper(message);
        let path = format!("/webhooks/{}/{token}", self.app);
        self.rest.call(Method::POST, &path, Some(&body), &files).await.map(|_| ())
    }

    /// Gives the first answer to an interaction.
    async fn first_answer(
        &self,
        interaction: u64,
        token: &str,
        kind: u8,
        data: Value,
        files: &[File],
    ) -> Result<(), CallError> {
        let mut body = json!({"type": kind});
        if !data.is_null() {
            body["data"] = data;
        }
        let path = format!("/interactions/{interaction}/{token}/callback");
        self.rest.call(Method::POST, &path, Some(&body), files).await.map(|_| ())
    }
}
