//! What the service asks for: posts, edits, private words.

use std::borrow::Cow;

use async_trait::async_trait;
use reqwest::Method;
use serde_json::{Value, json};

use super::Inner;
use super::answers::{ANSWER_MESSAGE, ANSWER_TURN};
use super::memory::Home;
use super::readers::DirectChannel;
use super::rest::{CallError, File};
use super::slots::Standing;
use super::translate::FILES;
use super::waiting::Interaction;
use super::{Discord, spelling, translate};
use caravanserai_games::ids::{MessageId, PersonId, PlaceId};
use caravanserai_games::words::{Arg, Rich};
use caravanserai_protocol::guests::{Unproven, Vouched};
use caravanserai_protocol::{
    Commands, Manners, Outgoing, Platform, PrivateMessage, SendError, Whisper, Window,
    without_media,
};

/// The channel of a place of ours.
fn channel_of(place: &PlaceId) -> Result<u64, SendError> {
    let channel = translate::channel(place).map(|(channel, _)| channel);
    channel.ok_or_else(|| SendError::Refused(format!("no Discord channel: {}", place.0)))
}

/// Whether the bot is no member there: all it says goes over what people have pressed or asked
/// within a quarter of an hour.
fn is_guest(place: &PlaceId) -> bool {
    translate::channel(place).is_some_and(|(_, guest)| guest)
}

/// What the buttons of a message carry.
fn presses(message: &Value) -> Vec<&str> {
    let rows = message["components"].as_array().into_iter().flatten();
    let keys = rows.flat_map(|row| row["components"].as_array().into_iter().flatten());
    keys.filter_map(|key| key["custom_id"].as_str()).collect()
}

impl Discord {
    /// Makes the private message that stands in a slot show this instead; false when there is
    /// none that can be changed.
    async fn renewed(
        &self,
        user: u64,
        slot: &str,
        message: &PrivateMessage,
    ) -> Result<bool, SendError> {
        let old = self.inner.slot(user, slot).await;
        let Some(old) = old else { return Ok(false) };
        match self.inner.renew(&old, message).await {
            Ok(()) => Ok(true),
            Err(error @ (CallError::Wait(_) | CallError::Network(_)))
            | Err(error @ CallError::Refused { status: 500.., .. }) => Err(error.into_send_error()),
            Err(error) => {
                tracing::debug!(%error, "a private message cannot be changed any more");
                self.inner.forget_slot(user, slot).await;
                Ok(false)
            }
        }
    }

    /// Answers a press under this message with what the message becomes; false if no press waits,
    /// or Discord did not take it.
    async fn edit_as_answer(&self, number: u64, body: &Value, files: &[File]) -> bool {
        let inner = &self.inner;
        let Some(taken) = inner.waiting.for_edit(number) else { return false };
        let Interaction { id, token, user, channel } = taken.interaction.clone();
        match inner.first_answer(id, &token, ANSWER_TURN, body.clone(), files).await {
            Ok(_) => {
                taken.answered();
                inner.person_acted(user, channel, &token, Some(number)).await;
                true
            }
            Err(error) => {
                tracing::debug!(interaction = id, %error, "a press is not answered by the board");
                false
            }
        }
    }

    /// Posts where the bot is no member: over what somebody pressed or asked there last.
    async fn post_as_guest(
        &self,
        channel: u64,
        message: &Outgoing,
    ) -> Result<MessageId, SendError> {
        let inner = &self.inner;
        let unheard = || SendError::Refused("nobody has pressed anything there lately".to_owned());
        let token = inner.channel_token(channel).await.ok_or_else(unheard)?;
        let (body, files) = spelling::answer(message);
        let path = format!("/webhooks/{}/{token}", inner.app);
        let said = inner.rest.call(Method::POST, &path, Some(&body), &files).await;
        let said = said.map_err(|error| match error.into_send_error() {
            // The token is dead, or has said as much as it may.
            SendError::MessageGone | SendError::NotAllowed => unheard(),
            error => error,
        })?;
        let number = said["id"].as_str().and_then(|it| it.parse::<u64>().ok());
        let number = number.ok_or_else(unheard)?;
        inner.memory().posted(channel, number);
        Ok(MessageId(number.to_string()))
    }

    /// Posts what one person may read in their direct channel.
    async fn post_direct(
        &self,
        direct: DirectChannel,
        message: &PrivateMessage,
    ) -> Result<MessageId, SendError> {
        let place = PlaceId(format!("dc:{}", direct.channel()));
        self.post(&place, message.for_reader(&direct)).await
    }

    /// A message as it may stand in a channel: in words where files are known to be forbidden.
    fn fitting<'a>(&self, channel: u64, message: &'a Outgoing) -> Cow<'a, Outgoing> {
        let has_media = message.image.is_some() || message.file.is_some();
        if has_media && self.inner.memory().lacking(channel).contains(&FILES) {
            return Cow::Owned(without_media(message));
        }
        Cow::Borrowed(message)
    }

    /// Posts a message as the answer to the command that it comes of, if that waits here.
    async fn post_as_answer(&self, channel: u64, message: &Outgoing) -> Option<MessageId> {
        let inner = &self.inner;
        let taken = inner.waiting.for_post(message.answers.as_deref()?)?;
        let Interaction { id, token, user, channel: asked_in } = taken.interaction.clone();
        if asked_in != channel {
            return None;
        }
        let (body, files) = spelling::answer(message);
        match inner.first_answer(id, &token, ANSWER_MESSAGE, body, &files).await {
            Ok(said) => {
                let number = said["interaction"]["response_message_id"].as_str();
                let number: Option<u64> = number.and_then(|it| it.parse().ok());
                taken.answered();
                inner.person_acted(user, channel, &token, number).await;
                inner.memory().posted(channel, number?);
                number.map(|it| MessageId(it.to_string()))
            }
            Err(error) => {
                tracing::debug!(interaction = id, %error, "a command is not answered by a post");
                None
            }
        }
    }
}

/// Whether something was refused that had files, so that words may do.
fn is_barred(answer: &Result<Value, CallError>, files: &[File]) -> bool {
    !files.is_empty()
        && answer.as_ref().is_err_and(|it| matches!(it, CallError::Refused { code: 50013, .. }))
}

#[async_trait]
impl Platform for Discord {
    fn name(&self) -> &'static str {
        "dc"
    }

    fn calls_per_minute(&self, _place: &PlaceId) -> u32 {
        // The answers tell when a bucket is used up, and calls over the tokens of interactions do
        // not count at all: there is nothing to pace here.
        u32::MAX
    }

    fn lacking(&self, place: &PlaceId) -> Vec<Arg> {
        let Ok(channel) = channel_of(place) else { return Vec::new() };
        self.inner.memory().lacking(channel).into_iter().map(Arg::from).collect()
    }

    async fn post(&self, place: &PlaceId, message: &Outgoing) -> Result<MessageId, SendError> {
        let channel = channel_of(place)?;
        let fitting = self.fitting(channel, message);
        let message = &*fitting;
        if let Some(id) = self.post_as_answer(channel, message).await {
            return Ok(id);
        }
        if is_guest(place) {
            return self.post_as_guest(channel, message).await;
        }
        let path = format!("/channels/{channel}/messages");
        let (mut body, files) = spelling::posting(message);
        let mut answer = self.inner.rest.call(Method::POST, &path, Some(&body), &files).await;
        if is_barred(&answer, &files) {
            body = spelling::posting(&without_media(message)).0;
            answer = self.inner.rest.call(Method::POST, &path, Some(&body), &[]).await;
        }
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                return Err(match self.inner.refused(channel, error).await {
                    // What stands in the way of an edit, such as a locked thread, is not gone here.
                    SendError::MessageGone => SendError::NotAllowed,
                    error => error,
                });
            }
        };
        let id = answer["id"].as_str().and_then(|it| it.parse::<u64>().ok());
        let id = id.ok_or_else(|| SendError::Temporary("an answer without an id".to_owned()))?;
        self.inner.memory().posted(channel, id);
        if !message.buttons.is_empty() {
            self.inner.talk.begins(&channel.to_string()).await;
        }
        let id = MessageId(id.to_string());
        // Discord refuses a second copy and gives the first, which somebody posted who died before
        // it was noted: it may have gone on since.
        if presses(&answer) != presses(&body) {
            self.edit(place, &id, message).await?;
        }
        Ok(id)
    }

    async fn edit(
        &self,
        place: &PlaceId,
        id: &MessageId,
        message: &Outgoing,
    ) -> Result<(), SendError> {
        let channel = channel_of(place)?;
        let number = spelling::number(id).ok_or(SendError::MessageGone)?;
        let fitting = self.fitting(channel, message);
        let message = &*fitting;
        let (body, files) = spelling::edit(message);
        let inner = &self.inner;
        if self.edit_as_answer(number, &body, &files).await {
            return Ok(());
        }
        // A press that was just acknowledged allows to edit its message without using up the
        // bucket of the channel.
        let token = inner.board_token(number).await;
        if let Some(token) = token {
            let path = format!("/webhooks/{}/{token}/messages/@original", inner.app);
            match inner.rest.call(Method::PATCH, &path, Some(&body), &files).await {
                Ok(_) => {
                    inner.waiting.shown(number);
                    return Ok(());
                }
                Err(error) if error.token_is_dead() => inner.forget_board(number).await,
                Err(error @ (CallError::Network(_) | CallError::Refused { status: 500.., .. })) => {
                    return Err(error.into_send_error());
                }
                Err(error) => tracing::debug!(%error, "an edit over a token failed"),
            }
        }
        if is_guest(place) {
            // Nobody has pressed for long: the next press, which is of an old board, shows it.
            inner.waiting.shown(number);
            return Err(SendError::NotNow);
        }
        let path = format!("/channels/{channel}/messages/{number}");
        let mut done = inner.rest.call(Method::PATCH, &path, Some(&body), &files).await;
        if is_barred(&done, &files) {
            let (body, _) = spelling::edit(&without_media(message));
            done = inner.rest.call(Method::PATCH, &path, Some(&body), &[]).await;
        }
        inner.waiting.shown(number);
        match done {
            Ok(_) => Ok(()),
            Err(error) => Err(inner.refused(channel, error).await),
        }
    }

    async fn delete(&self, place: &PlaceId, id: &MessageId) -> Result<(), SendError> {
        let channel = channel_of(place)?;
        let Some(number) = spelling::number(id) else { return Ok(()) };
        self.inner.waiting.shown(number);
        if is_guest(place) {
            // At least its buttons can go.
            return Err(SendError::NotAllowed);
        }
        let path = format!("/channels/{channel}/messages/{number}");
        let done = self.inner.rest.call(Method::DELETE, &path, None, &[]).await;
        match done.map_err(CallError::into_send_error) {
            Ok(_) | Err(SendError::MessageGone) => {
                self.inner.memory().deleted(channel, number);
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    async fn whisper(
        &self,
        place: &PlaceId,
        person: &PersonId,
        slot: &str,
        message: &PrivateMessage,
    ) -> Result<(), SendError> {
        let channel = channel_of(place)?;
        let user = spelling::user(person).ok_or(SendError::NotAllowed)?;
        if self.renewed(user, slot, message).await? {
            return Ok(());
        }
        let Some(token) = self.inner.token_of(user, channel).await else {
            // Without a token only their own direct channel is private.
            let direct = self.inner.direct_channel(place).await?;
            let direct = direct.filter(|it| it.reader() == user).ok_or(SendError::NotAllowed)?;
            let posted = self.post_direct(direct, message).await?;
            if let Some(id) = spelling::number(&posted) {
                self.inner.stands(user, Some(slot), Standing::direct(direct, id)).await;
            }
            return Ok(());
        };
        let message = message.clone();
        let whisper = Whisper { message, slot: Some(slot.to_owned()), ..Whisper::default() };
        match self.inner.follow_up(user, &token, &whisper).await {
            Ok(()) => Ok(()),
            Err(error) if error.token_is_dead() => {
                self.inner.forget_person(user, channel).await;
                Err(SendError::NotAllowed)
            }
            Err(error) => Err(error.into_send_error()),
        }
    }

    async fn sole_reader(&self, place: &PlaceId) -> Result<Option<PersonId>, SendError> {
        let direct = self.inner.direct_channel(place).await?;
        Ok(direct.map(|it| PersonId(format!("dc:{}", it.reader()))))
    }

    async fn catch_up(&self, place: &PlaceId) {
        let Ok(channel) = channel_of(place) else { return };
        // A failure does no harm here.
        self.inner.home(channel).await.ok();
        let said = self.inner.talk.known(&channel.to_string()).await;
        let mut memory = self.inner.memory();
        said.into_iter().for_each(|it| memory.posted(channel, it.cast_unsigned()));
    }

    fn buried(&self, place: &PlaceId, id: &MessageId) -> u32 {
        match (channel_of(place), spelling::number(id)) {
            (Ok(channel), Some(message)) => self.inner.memory().below(channel, message),
            _ => 0,
        }
    }

    async fn private_place(&self, person: &PersonId) -> Result<PlaceId, SendError> {
        let user = spelling::user(person).ok_or(SendError::NotAllowed)?;
        let rest = &self.inner.rest;
        let body = json!({ "recipient_id": user.to_string() });
        let opened = rest.call(Method::POST, "/users/@me/channels", Some(&body), &[]).await;
        let opened = opened.map_err(CallError::into_send_error)?;
        let channel = opened["id"].as_str().and_then(|it| it.parse::<u64>().ok());
        let channel =
            channel.ok_or_else(|| SendError::Temporary("an answer without an id".to_owned()))?;
        // The channel can always be opened; only a message shows whether messages reach the person.
        let locale = self.inner.memory().locale_of(user);
        let text = Rich::plain(self.inner.settings.texts.private.in_locale(&locale));
        let (body, files) = spelling::posting(&Outgoing { text, ..Outgoing::default() });
        let path = format!("/channels/{channel}/messages");
        let said = rest.call(Method::POST, &path, Some(&body), &files).await;
        match said.map_err(CallError::into_send_error) {
            Err(SendError::MessageGone | SendError::Refused(_)) => Err(SendError::NotAllowed),
            Err(error) => Err(error),
            Ok(_) => {
                self.inner.memory().home_is(channel, Home::Direct(user));
                Ok(PlaceId(format!("dc:{channel}")))
            }
        }
    }

    /// The channels of a server that has installed the bot, which the gateway names at the start.
    /// Any other channel, also one that is not known, counts as closed.
    fn is_open(&self, place: &PlaceId) -> bool {
        let Some((channel, false)) = translate::channel(place) else { return false };
        let home = self.inner.memory().home_of(channel);
        matches!(home, Some(Home::Guild(_)))
    }

    fn window(&self, _place: &PlaceId, _alone: bool, _code: Option<&str>) -> Option<Window> {
        self.inner.activity.then_some(Window::Launch)
    }

    async fn vouch(&self, data: &str, instance: Option<&str>) -> Result<Vouched, Unproven> {
        self.inner.vouch(data, instance).await
    }

    fn manners(&self) -> Manners {
        let called = self.inner.called.lock().expect("nothing panics under this lock");
        Manners {
            invitation: Some(Discord::invitation(self)),
            commands: Commands::Chosen(called.clone()),
            ..Manners::default()
        }
    }

    fn link(&self, place: &PlaceId, id: &MessageId) -> Option<String> {
        let channel = channel_of(place).ok()?;
        let message = spelling::number(id)?;
        let home = match self.inner.memory().home_of(channel)? {
            Home::Guild(guild) => guild.to_string(),
            Home::Direct(_) | Home::Among => "@me".to_owned(),
        };
        Some(format!("https://discord.com/channels/{home}/{channel}/{message}"))
    }
}

impl Inner {
    /// What the refusal of a message means for its channel. A direct one is no more when whoever
    /// reads it is no more.
    async fn refused(&self, channel: u64, error: CallError) -> SendError {
        if error.person_is_gone() && matches!(self.home(channel).await, Ok(Home::Direct(_))) {
            return SendError::PlaceGone;
        }
        error.into_send_error()
    }
}
