//! The Discord adapter before a Discord of our own.
//!
//! Commands of the bot's menu are given as slash commands or subcommands, with people and choices
//! as options; whatever the menu does not take is written in a message that names the bot.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use caravanserai::command_menus;
use caravanserai_bot::commands;
use caravanserai_bot::commands::ArgumentKind;
use caravanserai_discord::{DiscordPlatform, DiscordSettings, DiscordTexts, PublicKey};
use caravanserai_games::ids::{ChatId, MessageId, PersonId};
use caravanserai_i18n::I18n;
use caravanserai_i18n::Lang;
use caravanserai_store::Store;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

use super::host::{Host, Posted, RecordingPlatform};
use super::{DONE, LOOK_MS, ReceivedContent, Stage, VisibleMessage, shown};
use crate::fake_discord::signed::Signing;
use crate::fake_discord::{self, Actor, Channel, FakeDiscord, may};

/// Locales of Discord's clients that the scripts use.
const LOCALES: [&str; 2] = ["en-US", "ru"];

/// How the data of a press begins that opens a private message left in a channel.
const ENVELOPE: &str = "w.";

/// A channel on Discord.
pub struct DiscordStage {
    /// The server.
    pub dc: FakeDiscord,
    /// The bot.
    pub host: Host,
    secret: Option<String>,
    /// The channel or thread everything happens in.
    pub channel: Option<Channel>,
    /// Everybody by the name of the script.
    pub people: HashMap<String, Actor>,
    main: Option<Channel>,
    threads: HashMap<String, Channel>,
    adapter: Option<Adapter>,
    /// Whether commands and presses are posted to the bot instead of told at the gateway.
    by_post: bool,
    posted: Posted,
    told: HashMap<String, Vec<VisibleMessage>>,
    known: HashMap<String, String>,
    changes: watch::Receiver<u64>,
}

struct Adapter {
    discord: DiscordPlatform,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
    /// Where interactions are posted.
    door: Option<JoinHandle<()>>,
}

/// How a line of a script is given to the bot.
enum Given {
    Slash { name: String, options: Vec<(&'static str, String)> },
    Words(String),
}

impl DiscordStage {
    /// A bot on this store that hears everything over the gateway.
    pub async fn new(store: Arc<dyn Store>) -> Self {
        Self::heard(Host::new(store, 1), false, None).await
    }

    /// The same with an Activity, by this secret.
    pub async fn with_activity(host: Host, secret: &str) -> Self {
        Self::heard(host, false, Some(secret.to_owned())).await
    }

    /// On the bot of another stage.
    pub async fn on(host: Host) -> Self {
        Self::heard(host, false, None).await
    }

    /// A bot on this store to which commands and presses are posted.
    pub async fn by_post(store: Arc<dyn Store>) -> Self {
        Self::heard(Host::new(store, 1), true, None).await
    }

    async fn heard(host: Host, by_post: bool, secret: Option<String>) -> Self {
        let dc = FakeDiscord::start().await;
        dc.tells_members(true);
        let changes = dc.changes();
        let mut stage = Self {
            dc,
            host,
            secret,
            channel: None,
            people: HashMap::new(),
            main: None,
            threads: HashMap::new(),
            adapter: None,
            by_post,
            posted: Posted::default(),
            told: HashMap::new(),
            known: HashMap::new(),
            changes,
        };
        stage.begin().await;
        stage
    }

    /// Connects the adapter as the program does.
    async fn begin(&mut self) {
        let i18n = I18n::new();
        let texts = DiscordTexts {
            missing_permissions: command_menus::discord::missing_rights_text(&i18n),
            external_apps: command_menus::discord::localized_text(&i18n, "refuse-external-apps"),
            thread_locked: command_menus::discord::localized_text(&i18n, "refuse-thread-locked"),
            unreadable_reply: command_menus::discord::localized_text(
                &i18n,
                "refuse-reply-unreadable",
            ),
            envelope: command_menus::discord::localized_text(&i18n, "answer-no-private"),
            open: command_menus::discord::localized_text(&i18n, "button-show"),
            not_yours: command_menus::discord::localized_text(&i18n, "refuse-not-your-answer"),
            expired: command_menus::discord::localized_text(&i18n, "refuse-answer-gone"),
            trouble: command_menus::discord::localized_text(&i18n, "refuse-trouble"),
            private: command_menus::discord::localized_text(&i18n, "answer-private-opened"),
        };
        let settings = DiscordSettings {
            api_url: Some(self.dc.api_url()),
            watchdog: Duration::from_secs(20),
            clock: self.dc.clock(),
            client_secret: self.secret.clone(),
            members: true,
            ..DiscordSettings::new(self.dc.token(), texts)
        };
        let discord = DiscordPlatform::connect(settings).await.unwrap();
        discord
            .register_commands(&command_menus::discord::discord_menu(&i18n, true))
            .await
            .unwrap();
        let recording = RecordingPlatform::new(Arc::new(discord.clone()), &self.posted);
        self.host.service.add_platform(recording);
        self.host.start().await;
        let (stop, stopped) = oneshot::channel();
        let handler = self.host.handler.clone();
        let running = discord.clone();
        let task = tokio::spawn(async move {
            let stopped = async {
                let _dropped = stopped.await;
            };
            running.run(handler, stopped).await.unwrap();
        });
        self.dc.connected().await;
        let door = if self.by_post { Some(self.open_door(&discord).await) } else { None };
        self.adapter = Some(Adapter { discord, stop, task, door });
    }

    /// Has interactions posted to this adapter from now on.
    async fn open_door(&self, discord: &DiscordPlatform) -> JoinHandle<()> {
        let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let signing = Signing::new(&format!("http://{}/discord", socket.local_addr().unwrap()), 7);
        let key = PublicKey::parse(&signing.public_key()).unwrap();
        let router = discord.interaction_routes(self.host.handler.clone(), "/discord", key);
        self.dc.post_interactions(&signing);
        tokio::spawn(async move { axum::serve(socket, router).await.unwrap() })
    }

    async fn end(&mut self) {
        let adapter = self.adapter.take().expect("it was begun");
        if let Some(door) = adapter.door {
            door.abort();
        }
        adapter.stop.send(()).unwrap();
        adapter.task.await.unwrap();
        self.dc.wait_until("the line is closed", |dc| !dc.is_connected()).await;
    }

    /// From now on everything happens in a channel of a guild that has not installed the bot, or
    /// in a conversation that no bot can be in.
    pub fn abroad(&mut self, in_guild: bool) {
        let people: Vec<&Actor> = self.people.values().collect();
        let channel = match in_guild {
            true => self.dc.foreign_channel("abroad", &people),
            false => self.dc.among(&people),
        };
        self.threads.insert(format!("abroad {in_guild}"), channel.clone());
        self.channel = Some(channel);
    }

    /// Waits until all is said. Time passes only while the bot waits for its turn to speak.
    pub async fn quiet(&mut self) {
        self.changes.borrow_and_update();
        if let Some(adapter) = &self.adapter {
            adapter.discord.drain().await;
        }
        self.host.quiet(|ms| self.pass(ms)).await;
        self.gather();
    }

    fn pass(&self, ms: u64) {
        self.dc.advance(Duration::from_millis(ms));
        self.host.clock.pass_ms(ms);
    }

    fn here(&self) -> Channel {
        self.channel.clone().expect("people are there")
    }

    /// All new private replies to one person since the last look.
    fn gather(&mut self) {
        let Some(main) = self.main.clone() else { return };
        let channels: Vec<Channel> =
            std::iter::once(main).chain(self.threads.values().cloned()).collect();
        for (name, person) in self.people.clone() {
            let told = channels.iter().flat_map(|it| self.dc.visible_to(&person, it));
            let mut told: Vec<_> = told.filter(|it| it.ephemeral && !it.loading).collect();
            let dm = self.dc.dm(&person);
            let private = self.dc.visible_to(&person, &dm).into_iter();
            told.extend(private.filter(|it| {
                it.author == "caravanserai" && !it.loading && !self.is_posted(&dm, &it.id)
            }));
            for message in told {
                let now = format!("{} {}", message.edits, message.text);
                let before = self.known.insert(message.id.clone(), now.clone());
                if before.is_none_or(|it| it != now) {
                    self.told.entry(name.clone()).or_default().push(seen(&message));
                }
            }
        }
    }

    fn is_posted(&self, channel: &Channel, message: &str) -> bool {
        let chat = ChatId(format!("dc:{}", channel.id));
        let message = MessageId(message.to_owned());
        self.posted.lock().contains(&(chat, message))
    }

    /// The private replies that a person sees now, and whether one is awaited.
    fn answers(&self, who: &str, channel: &Channel) -> (HashSet<String>, bool) {
        let seen = self.dc.visible_to(&self.people[who], channel);
        let told = seen.iter().filter(|it| it.ephemeral && !it.loading);
        let told = told.map(|it| format!("{} {} {}", it.id, it.edits, it.text)).collect();
        (told, seen.iter().any(|it| it.loading))
    }

    /// Waits until an interaction got all its answers.
    async fn answered(
        &mut self,
        who: &str,
        channel: &Channel,
        before: &HashSet<String>,
        interaction: u64,
    ) {
        self.dc.answered(interaction).await;
        let more = self.host.handler.heard(&format!("dc/{interaction}")).await;
        let told = |_: &FakeDiscord| {
            let (now, loading) = self.answers(who, channel);
            now.difference(before).count() >= more && !loading
        };
        self.dc.wait_until("all answers", told).await;
        self.quiet().await;
    }

    /// How a person sends this text to the bot.
    fn given(&self, text: &str) -> Given {
        self.slash(text).unwrap_or_else(|| {
            let words: Vec<String> = text.split(' ').map(|it| self.named(it)).collect();
            Given::Words(words.join(" "))
        })
    }

    fn named(&self, word: &str) -> String {
        let person = word.strip_prefix('@').and_then(|it| self.people.get(it));
        person.map_or_else(|| word.to_owned(), Actor::mention)
    }

    fn slash(&self, text: &str) -> Option<Given> {
        let mut words = text.strip_prefix('/')?.split(' ');
        let spec =
            commands::find_command(words.next()?).filter(|it| it.in_groups || it.in_private)?;
        let mut options: Vec<(&'static str, String)> = Vec::new();
        for word in words {
            let person = word.strip_prefix('@').and_then(|it| self.people.get(it));
            let fits = |kind: ArgumentKind| match kind {
                ArgumentKind::Person => person.is_some(),
                ArgumentKind::Choice(all) => all.contains(&word),
                ArgumentKind::Suggested => person.is_none(),
                ArgumentKind::Game => {
                    commands::find_command(word).is_some_and(|it| it.game.is_some())
                }
                ArgumentKind::Language => Lang::from_locale(word).is_some(),
            };
            // A clock is named by its own option; all other words go into the one for house rules.
            let mut open = spec.arguments.iter().filter(|it| it.name != "clock");
            let argument = open.find(|it| fits(it.kind))?;
            let value = person.map_or_else(|| word.to_owned(), |it| it.id.clone());
            match options.iter_mut().find(|(name, _)| *name == argument.name) {
                Some((_, earlier)) if argument.kind == ArgumentKind::Suggested => {
                    *earlier = format!("{earlier} {value}");
                }
                Some(_) => return None,
                None => options.push((argument.name, value)),
            }
        }
        let lacks = |name: &str| !options.iter().any(|(it, _)| *it == name);
        let complete = !spec.arguments.iter().any(|it| it.required && lacks(it.name));
        let name = match spec.menu_group {
            Some(group) => format!("{} {}", group.name(), spec.subcommand_name()),
            None => spec.name.to_owned(),
        };
        complete.then_some(Given::Slash { name, options })
    }

    async fn give(&mut self, who: &str, channel: &Channel, text: &str) {
        let person = self.people[who].clone();
        let (before, _) = self.answers(who, channel);
        match self.given(text) {
            Given::Slash { name, options } => {
                let options: Vec<_> = options.iter().map(|(n, v)| (*n, v.as_str())).collect();
                let interaction = person.slash(channel, &name, &options);
                self.answered(who, channel, &before, interaction).await;
            }
            Given::Words(words) => {
                let private = Some(&channel.id) != self.channel.as_ref().map(|it| &it.id);
                let call = format!("<@{}> ", self.dc.bot_id());
                let for_bot = private || words.starts_with('/');
                let call = if for_bot && !private { call } else { String::new() };
                let id = person.say(channel, &format!("{call}{words}"), None);
                if for_bot {
                    self.host.handler.heard(&format!("dc/{id}")).await;
                }
                self.quiet().await;
            }
        }
    }

    fn channel_of(&self, who: &str, message: &VisibleMessage) -> Channel {
        let dm = self.dc.dm(&self.people[who]);
        let private = self.dc.visible_to(&self.people[who], &dm);
        if private.iter().any(|it| it.id == message.id) { dm } else { self.here() }
    }
}

fn seen(message: &fake_discord::VisibleMessage) -> VisibleMessage {
    VisibleMessage {
        id: if message.text.starts_with(DONE) { DONE.into() } else { message.id.clone() },
        // People are called by `@Name` here.
        text: message.text.replace('@', ""),
        buttons: message.buttons.iter().flatten().cloned().collect(),
        picture: message.files.iter().any(|it| it.kind.starts_with("image/")),
    }
}

#[async_trait]
impl Stage for DiscordStage {
    fn name(&self) -> &'static str {
        "discord"
    }

    async fn people(&mut self, names: &[String]) {
        for (n, name) in names.iter().enumerate() {
            let account = format!("{}{n}", shown(name).to_lowercase());
            let person = self.dc.user(&account).global_name(shown(name));
            self.people.insert(name.clone(), person);
        }
        let members: Vec<&Actor> = names.iter().map(|it| &self.people[it]).collect();
        let channel = self.dc.channel("family", &members);
        members[0].member(&channel, None, may::USUAL | may::MANAGE_GUILD);
        (self.main, self.channel) = (Some(channel.clone()), Some(channel));
    }

    async fn set_locale(&mut self, who: &str, locale: &str) {
        if LOCALES.contains(&locale) {
            let person = self.people[who].clone().locale(locale);
            self.people.insert(who.to_owned(), person);
        }
    }

    async fn enter_topic(&mut self, topic: &str) {
        let main = self.main.as_ref().expect("people are there");
        let dc = &self.dc;
        let thread = self.threads.entry(topic.to_owned());
        self.channel = Some(thread.or_insert_with(|| dc.thread(main, topic)).clone());
    }

    async fn send_group_message(&mut self, who: &str, text: &str) {
        let here = self.here();
        self.give(who, &here, text).await;
    }

    async fn send_private_message(&mut self, who: &str, text: &str) {
        let dm = self.dc.dm(&self.people[who]);
        self.give(who, &dm, text).await;
    }

    async fn reply_to_message(&mut self, who: &str, message: &VisibleMessage, text: &str) {
        let channel = self.channel_of(who, message);
        let id = self.people[who].say(&channel, text, Some(&message.id));
        self.host.handler.heard(&format!("dc/{id}")).await;
        self.quiet().await;
    }

    async fn press_button(&mut self, who: &str, message: &VisibleMessage, press: &str) {
        self.pass_ms(LOOK_MS).await;
        let channel = self.channel_of(who, message);
        let (before, _) = self.answers(who, &channel);
        let interaction = self.people[who].press_stale(&channel, &message.id, press);
        if press.starts_with(ENVELOPE) {
            // The platform answers it itself: the bot does not hear of it.
            self.dc.answered(interaction).await;
            return self.quiet().await;
        }
        self.answered(who, &channel, &before, interaction).await;
    }

    async fn visible_messages(&mut self, who: &str) -> Vec<VisibleMessage> {
        self.quiet().await;
        let person = &self.people[who];
        let all = self.dc.visible_to(person, &self.here()).into_iter();
        let mut all: Vec<VisibleMessage> =
            all.filter(|it| !it.ephemeral).map(|it| seen(&it)).collect();
        let dm = self.dc.dm(person);
        let private = self.dc.visible_to(person, &dm).into_iter();
        all.extend(private.filter(|it| self.is_posted(&dm, &it.id)).map(|it| seen(&it)));
        all
    }

    async fn private_replies(&mut self, who: &str) -> Vec<VisibleMessage> {
        self.quiet().await;
        self.told.get(who).cloned().unwrap_or_default()
    }

    async fn private_messages(&mut self, who: &str) -> Vec<VisibleMessage> {
        self.quiet().await;
        let person = &self.people[who];
        let dm = self.dc.dm(person);
        let in_private = self.dc.visible_to(person, &dm).into_iter();
        let in_private = in_private.filter(|it| {
            it.author == "caravanserai" && !it.loading && !self.is_posted(&dm, &it.id)
        });
        let mut all: Vec<VisibleMessage> = in_private.map(|it| seen(&it)).collect();
        let here = self.dc.visible_to(person, &self.here()).into_iter();
        all.extend(here.filter(|it| it.ephemeral && !it.loading).map(|it| seen(&it)));
        all
    }

    fn names(&self) -> Vec<String> {
        self.people.keys().cloned().collect()
    }

    async fn received_content(&mut self, who: &str) -> Vec<ReceivedContent> {
        self.quiet().await;
        let reached = self.dc.reached(&self.people[who]).into_iter();
        reached.map(|it| ReceivedContent { words: it.words, media: it.media }).collect()
    }

    async fn wait_for_change(&mut self) {
        self.changes.changed().await.unwrap();
    }

    fn account(&self, who: &str) -> String {
        format!("dc:{}", self.people[who].id)
    }

    fn chat(&self) -> String {
        format!("dc:{}", self.here().id)
    }

    async fn make_operator(&mut self, who: &str) {
        let account = self.account(who);
        self.host.hosts.push(PersonId(account));
        self.restart().await;
    }

    async fn restart(&mut self) {
        self.quiet().await;
        self.end().await;
        self.host.renew().await;
        self.begin().await;
    }

    async fn remove_bot(&mut self) {
        let here = self.here();
        self.dc.remove_bot(&here);
        self.host.handler.heard_beginning(&format!("dc/gone/{}/", here.id)).await;
        self.quiet().await;
    }

    async fn leave_group(&mut self, who: &str) {
        let here = self.here();
        self.dc.leaves(&here, &self.people[who]);
        self.host.handler.heard_beginning(&format!("dc/gone/{}/", here.id)).await;
        self.quiet().await;
    }

    async fn add_bot(&mut self) {
        let here = self.here();
        self.dc.return_bot(&here);
        // Only where a table waits.
        self.host.handler.heard_beginning(&format!("dc/back/{}/", here.id)).await;
        self.quiet().await;
    }

    async fn delete_message(&mut self, message: &VisibleMessage) {
        self.dc.delete(&message.id);
    }

    async fn pass_ms(&mut self, ms: u64) {
        self.pass(ms);
    }

    async fn complaints(&mut self) -> Vec<String> {
        self.quiet().await;
        self.dc.violations()
    }
}
