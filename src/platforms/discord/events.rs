//! What the gateway tells, as updates; and the first answers Discord wants within three seconds.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use serenity::all::{
    CommandInteraction, ComponentInteraction, Context, Event, Interaction, Message, MessageFlags,
    PartialChannel, Permissions, RawEventHandler,
};
use tokio::time::Sleep;

use super::activity::ENTRY_POINT;
use super::answers::{ANSWER_LATER, ANSWER_LAUNCH, ANSWER_OFFERS, Asked, Turning, id_of};
use super::envelope::ENVELOPE;
use super::memory::Home;
use super::rest::CallError;
use super::slots::Standing;
use super::translate::{
    Conversation, FILES, lacking, person, place, spelled, thread_of, writer, written,
};
use super::{Inner, MenuCommand, RIGHTS, spelling};
use caravanserai_games::ids::{MessageId, PersonId, PlaceId};
use caravanserai_games::words::Rich;
use caravanserai_protocol::{
    Arrival, Body, Departure, Listener, Outgoing, Parents, Person, PersonKind, Place, Update,
    Whisper,
};

/// How long offers may be looked for.
const OFFERS_IN: Duration = Duration::from_millis(2_500);

/// Hears the gateway.
pub(super) struct Ear {
    pub inner: Arc<Inner>,
    pub listener: Arc<dyn Listener>,
}

#[serenity::async_trait]
impl RawEventHandler for Ear {
    async fn raw_event(&self, _: Context, event: Event) {
        let _busy = self.inner.busy();
        match event {
            Event::Ready(_) | Event::Resumed(_) => self.inner.connected_well(),
            Event::InteractionCreate(event) => self.interaction(event.interaction).await,
            Event::MessageCreate(event) => self.message(event.message).await,
            Event::MessageDelete(event) => {
                let (channel, message) = (event.channel_id.get(), event.message_id.get());
                self.inner.memory().deleted(channel, message);
            }
            Event::GuildCreate(event) => {
                let guild = event.guild;
                let mut memory = self.inner.memory();
                for channel in guild.channels.values().chain(&guild.threads) {
                    memory.remember_channel(guild.id, channel);
                }
            }
            Event::ChannelCreate(event) => {
                self.inner.memory().remember_channel(event.channel.guild_id, &event.channel);
            }
            Event::ThreadCreate(event) => {
                self.inner.memory().remember_channel(event.thread.guild_id, &event.thread);
            }
            Event::ThreadListSync(event) => {
                let mut memory = self.inner.memory();
                event.threads.iter().for_each(|it| memory.remember_channel(event.guild_id, it));
            }
            Event::GuildDelete(event) if !event.guild.unavailable => {
                let guild = event.guild.id.get();
                let channels = self.inner.memory().channels_of(guild);
                for channel in channels {
                    self.gone(channel, Body::Removed).await;
                }
            }
            // Whether anything stood there is not known here after a restart.
            Event::ChannelDelete(event) => self.gone(event.channel.id.get(), Body::Deleted).await,
            Event::ThreadDelete(event) => self.gone(event.thread.id.get(), Body::Deleted).await,
            // Every bot is told of bans; that somebody left or came, only those that asked for it.
            Event::GuildBanAdd(event) => {
                let how = Some(Departure::Removed);
                self.member(event.guild_id.get(), event.user.id.get(), how).await;
            }
            Event::GuildMemberRemove(event) => {
                let how = Some(Departure::Left);
                self.member(event.guild_id.get(), event.user.id.get(), how).await;
            }
            Event::GuildMemberAdd(event) => {
                self.member(event.member.guild_id.get(), event.member.user.id.get(), None).await;
            }
            Event::Unknown(event) if event.kind == "INTERACTION_CREATE" => {
                // The client library drops events whose form it does not know.
                tracing::error!("an interaction could not be read: it goes unanswered");
            }
            _ => {}
        }
    }
}

impl Ear {
    /// Hears what somebody did with a command or a button, once.
    pub async fn interaction(&self, interaction: Interaction) {
        if !self.inner.memory().first_time(interaction.id().get()) {
            return;
        }
        let arrival = self.listener.arrival();
        match interaction {
            Interaction::Command(command) => self.command(&command, arrival).await,
            Interaction::Component(press) => self.press(&press, arrival).await,
            Interaction::Autocomplete(typing) => self.offer(&typing).await,
            _ => {}
        }
    }

    async fn command(&self, command: &CommandInteraction, arrival: Arrival) {
        let asked = Asked {
            id: command.id.get(),
            token: &command.token,
            user: command.user.id.get(),
            channel: command.channel_id.get(),
        };
        let guild = command.guild_id.map(|it| it.get());
        let (owners, context) = (&command.authorizing_integration_owners, command.context);
        let told = Conversation::of(guild, asked.user, owners, context);
        let (at, channel) =
            (self.conversation(told, asked.channel).await, command.channel.as_ref());
        let place = self.place_of(&asked, at, channel, command.guild_locale.as_deref());
        self.known(&asked, told, &command.locale);
        let declared = self.declared(&command.data.name);
        let posts = declared.as_ref().is_none_or(|it| it.posts);
        let lacking = self.lacks(&asked, at, (channel, command.app_permissions));
        // Without pictures a board is told in words.
        let posts = posts && command.data.name != ENTRY_POINT;
        if posts && lacking.iter().any(|it| *it != FILES) {
            return self.may_not_post(&asked, &command.locale, &lacking).await;
        }
        let (text, mentions) = spelled(command, declared.as_ref());
        let update = Update {
            id: format!("dc/{}", command.id),
            place,
            person: person(&command.user, command.member.as_deref(), Some(&command.locale)),
            body: Body::Text { text, mentions, reply_to: None },
            arrival,
        };
        let mut waiting = self.inner.waiting.command(&asked, &update.id);
        let hearing = self.in_turn(&asked, update);
        let late = tokio::time::sleep(self.inner.settings.watchdog);
        tokio::pin!(hearing, late);
        let early = before(late.as_mut(), hearing.as_mut()).await;
        if early.as_deref().is_some_and(launches) {
            self.first(&asked, ANSWER_LAUNCH, Value::Null).await;
            return;
        }
        if early.as_ref().is_some_and(|it| it.iter().any(|it| it.posts)) {
            // What it opened is the answer.
            before(late.as_mut(), pin!(waiting.answered())).await;
        }
        if waiting.given_up().await {
            let whispers = match early {
                Some(whispers) => whispers,
                None => hearing.await,
            };
            return self.follow(&asked, &besides(whispers)).await;
        }
        match early {
            Some(whispers) => self.tell_or_nothing(&asked, whispers).await,
            None => {
                let told =
                    self.first(&asked, ANSWER_LATER, json!({"flags": spelling::EPHEMERAL})).await;
                let whispers = hearing.await;
                if told {
                    self.tell_late(&asked, shown(whispers)).await;
                }
            }
        }
    }

    /// Somebody did something in a channel, in this language.
    fn known(&self, asked: &Asked<'_>, told: Option<Conversation>, locale: &str) {
        let mut memory = self.inner.memory();
        if let Some(told) = told {
            memory.home_is(asked.channel, told.home());
        }
        memory.speaks(asked.user, locale);
    }

    /// The place of an interaction.
    fn place_of(
        &self,
        asked: &Asked<'_>,
        at: Conversation,
        about: Option<&PartialChannel>,
        locale: Option<&str>,
    ) -> Place {
        place(at, (asked.channel, self.thread(asked.channel, about)), about, locale)
    }

    /// The channel that this one is a thread of: as the interaction describes it, else as the
    /// gateway did.
    fn thread(&self, channel: u64, about: Option<&PartialChannel>) -> Option<u64> {
        let mut memory = self.inner.memory();
        let Some(about) = about else { return memory.thread_of(channel).flatten() };
        let parent = thread_of(about);
        memory.set_thread(channel, parent);
        parent
    }

    /// What the bot may not do where somebody acted, and remembers it.
    fn lacks(
        &self,
        asked: &Asked<'_>,
        at: Conversation,
        (channel, allowed): (Option<&PartialChannel>, Option<Permissions>),
    ) -> Vec<&'static str> {
        if !matches!(at, Conversation::Server(_)) {
            // Answers elsewhere go over the interaction, which needs no rights.
            return Vec::new();
        }
        let lacking = lacking(channel, allowed);
        self.inner.memory().lacks(asked.channel, lacking.clone());
        lacking
    }

    async fn may_not_post(&self, asked: &Asked<'_>, locale: &str, lacking: &[&str]) {
        let words = self.inner.settings.texts.missing_permissions.in_locale(locale);
        let words = words.replace(RIGHTS, &lacking.join(", "));
        let message = Outgoing { text: Rich::plain(words), ..Outgoing::default() }.into();
        self.tell(asked, vec![Whisper { message, brief: true, ..Whisper::default() }]).await;
    }

    /// Every command wants an answer; one without anything to tell is taken back as soon as it is
    /// answered.
    async fn tell_or_nothing(&self, asked: &Asked<'_>, whispers: Vec<Whisper>) {
        if !whispers.is_empty() {
            self.tell(asked, shown(whispers)).await;
        } else if self.first(asked, ANSWER_LATER, json!({"flags": spelling::EPHEMERAL})).await {
            self.take_back(asked).await;
        }
    }

    /// Tells what came of a press after it was answered with a promise.
    async fn tell_after(
        &self,
        asked: &Asked<'_>,
        press: &ComponentInteraction,
        whispers: Vec<Whisper>,
    ) {
        match turning(press, &whispers) {
            Some(turning) => self.turn_late(asked, whispers, turning).await,
            None => self.follow(asked, &whispers).await,
        }
    }

    async fn press(&self, press: &ComponentInteraction, arrival: Arrival) {
        let asked = Asked {
            id: press.id.get(),
            token: &press.token,
            user: press.user.id.get(),
            channel: press.channel_id.get(),
        };
        let guild = press.guild_id.map(|it| it.get());
        let (owners, context) = (&press.authorizing_integration_owners, press.context);
        let told = Conversation::of(guild, asked.user, owners, context);
        let (at, channel) = (self.conversation(told, asked.channel).await, press.channel.as_ref());
        let place = self.place_of(&asked, at, channel, press.guild_locale.as_deref());
        self.known(&asked, told, &press.locale);
        self.lacks(&asked, at, (channel, press.app_permissions));
        if press.data.custom_id.starts_with(ENVELOPE) {
            return self.open_envelope(&asked, press, &place).await;
        }
        let update = Update {
            id: format!("dc/{}", press.id),
            place,
            person: person(&press.user, press.member.as_ref(), Some(&press.locale)),
            body: Body::Press {
                press: press.data.custom_id.clone(),
                message: Some(MessageId(press.message.id.to_string())),
            },
            arrival,
        };
        let message = press.message.id.get();
        let mut waiting = self.inner.waiting.press(&asked, message);
        let hearing = self.in_turn(&asked, update);
        let late = tokio::time::sleep(self.inner.settings.watchdog);
        tokio::pin!(hearing, late);
        let early = before(late.as_mut(), hearing.as_mut()).await;
        let Some(whispers) = early else {
            if !waiting.given_up().await {
                self.quietly(&asked, message).await;
            }
            return self.tell_after(&asked, press, besides(hearing.await)).await;
        };
        if launches(&whispers) {
            self.first(&asked, ANSWER_LAUNCH, Value::Null).await;
            return;
        }
        let changed = whispers.iter().any(|it| it.passing);
        let rest = match is_private(press) {
            // The private message tells what was done if nothing else takes its place.
            true => shown(whispers),
            false => besides(whispers),
        };
        if changed && rest.is_empty() {
            // The new board is the answer.
            before(late.as_mut(), pin!(waiting.answered())).await;
        }
        if waiting.given_up().await {
            return self.follow(&asked, &rest).await;
        }
        match turning(press, &rest) {
            _ if rest.is_empty() => self.quietly(&asked, message).await,
            Some(turning) => self.turn(&asked, rest, turning).await,
            None => self.tell(&asked, rest).await,
        }
    }

    /// Hears what somebody did after everything they did here before.
    async fn in_turn(&self, asked: &Asked<'_>, update: Update) -> Vec<Whisper> {
        let turn = self.inner.turns.arrived(asked.user, asked.channel, asked.id);
        turn.comes().await;
        let heard = self.listener.hear_for_good(update).await;
        // Later updates of the same user do not wait for engines and networks.
        drop(turn);
        heard.complete().await.told
    }

    async fn offer(&self, typing: &CommandInteraction) {
        let (guild, user) = (typing.guild_id.map(|it| it.get()), typing.user.id.get());
        let (owners, context) = (&typing.authorizing_integration_owners, typing.context);
        let told = Conversation::of(guild, user, owners, context);
        let number = typing.channel_id.get();
        let at = self.conversation(told, number).await;
        let channel = typing.channel.as_ref();
        let spot = (number, self.thread(number, channel));
        let place = place(at, spot, channel, typing.guild_locale.as_deref());
        let person = person(&typing.user, typing.member.as_deref(), Some(&typing.locale));
        let Some(focused) = typing.data.autocomplete() else { return };
        let found = self.listener.suggest(&place, &person, &typing.data.name, focused.value);
        // Late offers are worth nothing, and an answer must come.
        let found = tokio::time::timeout(OFFERS_IN, found).await;
        let choices: Vec<Value> = found
            .unwrap_or_default()
            .iter()
            .filter(|(shown, sent)| !shown.is_empty() && sent.chars().count() <= 100)
            .take(25)
            .map(|(shown, sent)| json!({"name": spelling::cut(shown, 100), "value": sent}))
            .collect();
        let asked = Asked {
            id: typing.id.get(),
            token: &typing.token,
            user: typing.user.id.get(),
            channel: typing.channel_id.get(),
        };
        self.first(&asked, ANSWER_OFFERS, json!({"choices": choices})).await;
    }

    /// Words that Discord shows to every bot: in direct messages, and where the bot is named or
    /// answered.
    async fn message(&self, message: Message) {
        let (channel, me) = (message.channel_id.get(), self.inner.me);
        let arrival = self.listener.arrival();
        self.inner.memory().posted(channel, message.id.get());
        let own = message.author.id.get() == me || message.webhook_id.is_some();
        if !own {
            self.inner.talk.heard(&channel.to_string(), message.id.get().cast_signed()).await;
        }
        if own || message.author.bot || message.content.is_empty() {
            return;
        }
        let fresh = self.inner.memory().first_time(message.id.get());
        if !fresh {
            return;
        }
        let told = message.guild_id.map(|it| Conversation::Server(it.get()));
        if let Some(at) = told {
            self.inner.memory().home_is(channel, at.home());
        }
        let (at, user) = (self.conversation(told, channel).await, message.author.id.get());
        let private = at == Conversation::Direct(user);
        let parent = match at {
            Conversation::Server(_) => self.inner.thread_of(channel).await,
            Conversation::ForeignServer(_) | Conversation::Direct(_) | Conversation::Among => None,
        };
        let update = Update {
            id: format!("dc/{}", message.id),
            place: place(at, (channel, parent), None, None),
            person: writer(&message),
            body: written(&message, me),
            arrival,
        };
        let place = update.place.id.clone();
        let mut untold = Vec::new();
        for whisper in besides(self.listener.hear(update).await) {
            let done = match private {
                true => self.answer_privately(&place, &message, &whisper).await,
                false => self.answer_over_token(user, channel, &whisper).await,
            };
            if let Err(error) = done {
                tracing::debug!(place = place.0, %error, "a private answer was not delivered");
                untold.push(whisper);
            }
        }
        if !private && !untold.is_empty() {
            self.leave_envelope(&message, untold).await;
        }
    }

    /// In a direct channel everything is private.
    async fn answer_privately(
        &self,
        place: &PlaceId,
        answered: &Message,
        whisper: &Whisper,
    ) -> Result<(), CallError> {
        let direct = self.inner.direct_channel(place).await.ok().flatten();
        let unproven = || CallError::Network("it is not known who reads the channel".into());
        let direct = direct.ok_or_else(unproven)?;
        let message = Outgoing {
            reply_to: Some(MessageId(answered.id.to_string())),
            ..whisper.message.for_reader(&direct).clone()
        };
        let (body, files) = spelling::posting(&message);
        let path = format!("/channels/{}/messages", direct.channel());
        let said = self.inner.rest.call(Method::POST, &path, Some(&body), &files).await?;
        if let Some(id) = id_of(&said) {
            let (user, now) = (answered.author.id.get(), Standing::direct(direct, id));
            self.inner.stands(user, whisper.slot.as_deref(), now).await;
        }
        Ok(())
    }

    async fn answer_over_token(
        &self,
        user: u64,
        channel: u64,
        whisper: &Whisper,
    ) -> Result<(), CallError> {
        match self.inner.token_of(user, channel).await {
            Some(token) => self.inner.follow_up(user, &token, whisper).await,
            None => Err(CallError::Network("the author has not pressed anything lately".into())),
        }
    }

    /// A user has left a server (`left` says how) or joined it: reported for all its channels.
    async fn member(&self, guild: u64, user: u64, left: Option<Departure>) {
        let who = PersonId(format!("dc:{user}"));
        let body = match left {
            None => Body::Came { who: vec![who] },
            Some(how) => Body::Left { who, how },
        };
        let channels = self.inner.memory().channels_of(guild);
        for channel in channels {
            self.gone(channel, body.clone()).await;
        }
    }

    /// A channel is no more, the bot may not be there, or somebody else is not.
    async fn gone(&self, channel: u64, body: Body) {
        let me = Person {
            id: PersonId(format!("dc:{}", self.inner.me)),
            name: "Discord".to_owned(),
            username: None,
            locale: None,
            kind: PersonKind::Bot,
            admin: false,
        };
        let update = Update {
            // No number: these ids tell nothing of their order.
            id: format!("dc/gone/{channel}/x{}", self.inner.unique()),
            place: Place {
                parents: Parents::default(),
                ..place(Conversation::Server(0), (channel, None), None, None)
            },
            person: me,
            body,
            arrival: Arrival::default(),
        };
        self.listener.hear(update).await;
    }

    fn declared(&self, name: &str) -> Option<MenuCommand> {
        let menu = self.inner.menu.lock().expect("nothing panics under this lock");
        menu.iter().find(|it| it.name.default == name).cloned()
    }

    /// The kind of conversation of a channel. Discord is asked if the event does not tell it; an
    /// unknown channel counts as read by others.
    async fn conversation(&self, told: Option<Conversation>, channel: u64) -> Conversation {
        if let Some(told) = told {
            return told;
        }
        match self.inner.home(channel).await {
            Ok(Home::Guild(guild)) => Conversation::Server(guild),
            Ok(Home::Direct(user)) => Conversation::Direct(user),
            Ok(Home::Among) | Err(_) => Conversation::Among,
        }
    }
}

/// Whether the answer is that the Activity opens.
fn launches(whispers: &[Whisper]) -> bool {
    whispers.iter().any(|it| it.launches)
}

/// What comes of this, if it comes before it is too late.
async fn before<T>(late: Pin<&mut Sleep>, work: Pin<&mut impl Future<Output = T>>) -> Option<T> {
    tokio::select! {
        biased;
        done = work => Some(done),
        () = late => None,
    }
}

/// Which whisper takes the place of the private message whose button was pressed: a hand, or a
/// card of buttons, as a page is turned.
fn turning(press: &ComponentInteraction, whispers: &[Whisper]) -> Option<Turning> {
    let hand = whispers.iter().position(|it| it.slot.is_some());
    let page = || whispers.iter().position(|it| !it.message.buttons().is_empty() || it.passing);
    let whisper = hand.or_else(page).filter(|_| is_private(press))?;
    Some(Turning { message: press.message.id.get(), whisper })
}

/// Whether a button was pressed under a message that only the presser sees.
fn is_private(press: &ComponentInteraction) -> bool {
    press.message.flags.is_some_and(|it| it.contains(MessageFlags::EPHEMERAL))
}

/// What is told besides what was done, which the board shows.
fn besides(mut whispers: Vec<Whisper>) -> Vec<Whisper> {
    whispers.retain(|it| !it.passing);
    whispers
}

/// What is told where no board is the answer: what was done only if that is all.
fn shown(mut whispers: Vec<Whisper>) -> Vec<Whisper> {
    if whispers.iter().any(|it| !it.passing) {
        whispers.retain(|it| !it.passing);
    }
    whispers
}
