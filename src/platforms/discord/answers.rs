//! Answers to interactions: one within three seconds, more for a quarter of an hour.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::events::Ear;
use super::rest::{CallError, File};
use super::slots::Standing;
use super::{Inner, spelling};
use caravanserai_protocol::{SingleReader, Whisper};

/// First answer: a message.
pub(super) const ANSWER_MESSAGE: u8 = 4;
/// First answer: a message will come.
pub(super) const ANSWER_LATER: u8 = 5;
/// First answer: the message of the button will change, or nothing happens.
pub(super) const ANSWER_QUIETLY: u8 = 6;
/// First answer: the message of the button becomes this.
pub(super) const ANSWER_TURN: u8 = 7;
/// First answer: offers for what is being typed.
pub(super) const ANSWER_OFFERS: u8 = 8;
/// First answer: the Activity opens.
pub(super) const ANSWER_LAUNCH: u8 = 12;

/// How long a first answer is held back when Discord asks to wait: it wants one in three seconds.
const FIRST_PATIENCE_MS: u64 = 1_500;

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
        let taken = self.first_with(asked, kind, data, &[]).await.is_some();
        if taken && kind != ANSWER_OFFERS {
            self.inner.person_acted(asked.user, asked.channel, asked.token, None).await;
        }
        taken
    }

    /// The same with files; what Discord says about the answer, `None` if it was not taken.
    async fn first_with(
        &self,
        asked: &Asked<'_>,
        kind: u8,
        data: Value,
        files: &[File],
    ) -> Option<Value> {
        let inner = &self.inner;
        let give = || inner.first_answer(asked.id, asked.token, kind, data.clone(), files);
        let answered = match give().await {
            // Three seconds leave no time for more than one other try.
            Err(CallError::Network(_) | CallError::Refused { status: 500.., .. }) => give().await,
            Err(CallError::Wait(ms @ ..=FIRST_PATIENCE_MS)) => {
                tokio::time::sleep(Duration::from_millis(ms)).await;
                give().await
            }
            answered => answered,
        };
        let said = match answered {
            Ok(said) => said,
            // It was answered already, by an earlier try whose answer was lost.
            Err(CallError::Refused { code: 40060, .. }) => Value::Null,
            Err(error) => {
                tracing::warn!(interaction = asked.id, kind, %error, "a first answer failed");
                return None;
            }
        };
        Some(said)
    }

    /// Answers a press with nothing to see; its message can be edited over the token then.
    pub async fn quietly(&self, asked: &Asked<'_>, message: u64) {
        if self.first_with(asked, ANSWER_QUIETLY, Value::Null, &[]).await.is_some() {
            let Asked { user, channel, token, .. } = *asked;
            self.inner.person_acted(user, channel, token, Some(message)).await;
        }
    }

    /// The first whisper is the answer, the others follow it.
    pub async fn tell(&self, asked: &Asked<'_>, whispers: Vec<Whisper>) {
        let Some((first, others)) = whispers.split_first() else { return };
        let (data, files) = spelling::whisper(&first.message);
        let Some(said) = self.first_with(asked, ANSWER_MESSAGE, data, &files).await else { return };
        self.inner.person_acted(asked.user, asked.channel, asked.token, None).await;
        let id = said["interaction"]["response_message_id"].as_str();
        self.original_is(asked, first, id.and_then(|it| it.parse().ok())).await;
        self.follow(asked, others).await;
    }

    /// One whisper takes the place of the private message whose button was pressed.
    pub async fn turn(&self, asked: &Asked<'_>, mut whispers: Vec<Whisper>, turning: Turning) {
        let first = whispers.remove(turning.whisper);
        let (data, files) = spelling::edit(first.message.for_reader(&turning));
        if self.first_with(asked, ANSWER_TURN, data, &files).await.is_some() {
            self.inner.person_acted(asked.user, asked.channel, asked.token, None).await;
            self.original_is(asked, &first, Some(turning.message)).await;
            self.follow(asked, &whispers).await;
        }
    }

    /// The same after the press was answered quietly.
    pub async fn turn_late(&self, asked: &Asked<'_>, mut whispers: Vec<Whisper>, turning: Turning) {
        let first = whispers.remove(turning.whisper);
        match self.put_late(asked, &first).await {
            Ok(()) => self.follow(asked, &whispers).await,
            Err(error) => {
                tracing::debug!(interaction = asked.id, %error, "a private message stays");
                whispers.insert(turning.whisper, first);
                self.follow(asked, &whispers).await;
            }
        }
    }

    pub async fn follow(&self, asked: &Asked<'_>, whispers: &[Whisper]) {
        for whisper in whispers {
            let told = || self.inner.follow_up(asked.user, asked.token, whisper);
            let mut done = told().await;
            if let Err(CallError::Wait(ms @ ..=PATIENCE_MS)) = done {
                tokio::time::sleep(Duration::from_millis(ms)).await;
                done = told().await;
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
        if let Err(error) = self.put_late(asked, first).await {
            tracing::warn!(interaction = asked.id, %error, "a late answer failed");
        }
        self.follow(asked, others).await;
    }

    async fn put_late(&self, asked: &Asked<'_>, whisper: &Whisper) -> Result<(), CallError> {
        let now = Standing::answer(asked.token, None);
        let (body, files) = spelling::edit(whisper.message.for_reader(&now));
        let path = self.original(asked);
        let said = self.inner.rest.call(Method::PATCH, &path, Some(&body), &files).await?;
        self.original_is(asked, whisper, id_of(&said)).await;
        Ok(())
    }

    /// The answer to this interaction is that whisper now.
    async fn original_is(&self, asked: &Asked<'_>, whisper: &Whisper, message: Option<u64>) {
        let now = Standing::answer(asked.token, message);
        self.inner.stands(asked.user, whisper.slot.as_deref(), now).await;
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
    pub async fn follow_up(
        &self,
        user: u64,
        token: &str,
        whisper: &Whisper,
    ) -> Result<(), CallError> {
        let (body, files) = spelling::whisper(&whisper.message);
        let path = format!("/webhooks/{}/{token}", self.app);
        let said = self.rest.call(Method::POST, &path, Some(&body), &files).await?;
        if let Some(id) = id_of(&said) {
            let now = Standing::follow_up(token, id);
            self.stands(user, whisper.slot.as_deref(), now).await;
        }
        Ok(())
    }

    /// Gives the first answer to an interaction; Discord tells which message came of it.
    pub async fn first_answer(
        &self,
        interaction: u64,
        token: &str,
        kind: u8,
        data: Value,
        files: &[File],
    ) -> Result<Value, CallError> {
        let mut body = json!({"type": kind});
        if !data.is_null() {
            body["data"] = data;
        }
        // Only of a message it matters which one it is.
        let asks = if kind == ANSWER_MESSAGE { "?with_response=true" } else { "" };
        let path = format!("/interactions/{interaction}/{token}/callback{asks}");
        self.rest.call(Method::POST, &path, Some(&body), files).await
    }
}

/// Which whisper takes the place of which private message. Made only for a press under a message
/// that the presser alone sees.
#[derive(Clone, Copy)]
pub(super) struct Turning {
    /// The number of the message.
    pub message: u64,
    /// The place in the list of whispers.
    pub whisper: usize,
}

impl SingleReader for Turning {}

/// The number of a message as Discord describes it.
pub(super) fn id_of(message: &Value) -> Option<u64> {
    message["id"].as_str()?.parse().ok()
}
