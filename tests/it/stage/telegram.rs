//! The Telegram adapter before the strict server.
//!
//! Every other person has a name after `@` and has opened the private chat with the bot. The
//! others are named by links, and what they are told waits in envelopes, which they open at once.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use caravanserai::command_menus;
use caravanserai_bot::service::TimeSource;
use caravanserai_games::ids::{ChatId, MessageId, PersonId};
use caravanserai_i18n::I18n;
use caravanserai_platform_shared::PlatformServices;
use caravanserai_store::Store;
use caravanserai_telegram::{MiniApp, TelegramPlatform, TelegramSettings};
use serde_json::Value;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

use super::host::{Host, Posted, RecordingPlatform};
use super::{DONE, LOOK_MS, ReceivedContent, Stage, VisibleMessage, shown};
use crate::fake_telegram::{self, FakeTelegram, Person, Spot, TOKEN};

/// What the data of buttons that open envelopes begins with.
const ENVELOPE: &str = "w.";

/// A group on Telegram.
pub struct TelegramStage {
    /// The server.
    pub tg: FakeTelegram,
    /// The bot.
    pub host: Host,
    app: Option<MiniApp>,
    picture_chat: Option<String>,
    /// The group and topic everything happens in.
    pub spot: Spot,
    /// Everybody by the name of the script.
    pub people: HashMap<String, Person>,
    /// Names after `@`, with it, of those who have one.
    usernames: HashMap<String, String>,
    /// The last suggestions to each person while typing.
    offered: HashMap<String, Vec<Value>>,
    basic: bool,
    topics: HashMap<String, Spot>,
    adapter: Option<Adapter>,
    posted: Posted,
    told: HashMap<String, Vec<VisibleMessage>>,
    /// The messages that were already recorded or opened.
    known: HashSet<String>,
    /// Who wrote a message of the group.
    wrote: HashMap<i64, String>,
    changes: watch::Receiver<u64>,
}

struct Adapter {
    telegram: Arc<TelegramPlatform>,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl TelegramStage {
    /// A bot on this store; the group will be a supergroup.
    pub async fn new(store: Arc<dyn Store>) -> Self {
        Self::with(Host::new(store, 1), false, None).await
    }

    /// The same with a page that is shown inside of Telegram.
    pub async fn with_app(store: Arc<dyn Store>, app: MiniApp) -> Self {
        Self::with(Host::new(store, 1), false, Some(app)).await
    }

    /// The same with a basic group.
    pub async fn basic(store: Arc<dyn Store>) -> Self {
        Self::with(Host::new(store, 1), true, None).await
    }

    async fn with(host: Host, basic: bool, app: Option<MiniApp>) -> Self {
        let tg = FakeTelegram::start().await;
        let changes = tg.changes();
        let mut stage = Self {
            tg,
            host,
            app,
            picture_chat: None,
            spot: Spot { chat: 0, thread: None },
            people: HashMap::new(),
            usernames: HashMap::new(),
            offered: HashMap::new(),
            basic,
            topics: HashMap::new(),
            adapter: None,
            posted: Posted::default(),
            told: HashMap::new(),
            known: HashSet::new(),
            wrote: HashMap::new(),
            changes,
        };
        stage.begin().await;
        stage
    }

    /// Starts the bot again with a channel for the pictures of messages sent via inline mode.
    pub async fn use_picture_chat(&mut self) -> i64 {
        let chat = self.tg.channel("Pictures", &[]);
        self.picture_chat = Some(chat.to_string());
        self.restart().await;
        chat
    }

    /// Connects the adapter as the program does.
    async fn begin(&mut self) {
        let i18n = Arc::new(I18n::new());
        let settings = TelegramSettings {
            token: TOKEN.to_owned(),
            api_url: self.tg.url(),
            press_patience: Duration::from_secs(20),
            texts_for: command_menus::phrasebook(&i18n),
            shared: PlatformServices::for_single_process("tg"),
            app: self.app.clone(),
            picture_chat: self.picture_chat.clone(),
        };
        let telegram = TelegramPlatform::connect(settings).await.unwrap();
        telegram.set_menus(&command_menus::telegram_menus(&i18n, true)).await.unwrap();
        self.host.service.add_platform(RecordingPlatform::new(telegram.clone(), &self.posted));
        self.host.start().await;
        let (stop, stopped) = oneshot::channel();
        let poll = telegram.clone().poll(self.host.handler.clone(), async {
            let _dropped = stopped.await;
        });
        let task = tokio::spawn(async move { poll.await.unwrap() });
        self.adapter = Some(Adapter { telegram, stop, task });
    }

    async fn end(&mut self) {
        let adapter = self.adapter.take().expect("it was begun");
        adapter.stop.send(()).unwrap();
        adapter.task.await.unwrap();
    }

    fn person(&mut self, name: &str, username: Option<&str>) -> Person {
        let person = self.tg.user(shown(name));
        let person = match username {
            Some(username) => {
                self.usernames.insert(name.to_owned(), format!("@{username}"));
                person.username(username)
            }
            None => person,
        };
        self.people.insert(name.to_owned(), person.clone());
        person
    }

    /// The first person of the script.
    pub fn first(&self) -> &Person {
        self.people.values().min_by_key(|it| it.id).expect("somebody is there")
    }

    /// Waits until everything that happened was heard and answered, and all is said. Time passes
    /// only while the bot waits for its turn to speak.
    pub async fn quiet(&mut self) {
        loop {
            self.changes.borrow_and_update();
            self.hears_all().await;
            self.host.quiet(|ms| self.pass(ms)).await;
            if !self.open_envelopes().await {
                break;
            }
        }
        self.gather();
    }

    /// Waits until everything that happened was heard and answered.
    async fn hears_all(&self) {
        self.tg.wait_until("all to be heard", |tg| tg.waiting().is_empty()).await;
        if let Some(adapter) = &self.adapter {
            adapter.telegram.drain().await;
        }
    }

    /// Lets time pass until a moment, without waiting until everything is sent.
    pub async fn run_until(&self, until_ms: u64) {
        self.hears_all().await;
        self.host.run_until(until_ms, |ms| self.pass(ms)).await;
    }

    /// The time of the bot, in milliseconds.
    pub fn now_ms(&self) -> u64 {
        self.host.clock.now_ms()
    }

    fn pass(&self, ms: u64) {
        self.tg.advance(ms);
        self.host.clock.pass_ms(ms);
    }

    /// Everybody opens the letters that wait for them; whether there were any.
    async fn open_envelopes(&mut self) -> bool {
        let messages = self.tg.messages(self.spot.chat);
        let mut any = false;
        for message in messages.into_iter().filter(|it| it.from_bot) {
            let button = message.buttons.iter().flatten().find(|it| it.1.starts_with(ENVELOPE));
            let Some((_, data)) = button else { continue };
            let Some(who) = self.reader(&message) else { continue };
            if !self.known.insert(format!("envelope {data}")) {
                continue;
            }
            any = true;
            let person = self.people[&who].clone();
            let pressed = person.press_stale(self.spot.chat, message.id, data).await;
            self.note(&who, &pressed.text);
        }
        any
    }

    /// Whom a letter is for: who is named on it, or who wrote what it answers.
    fn reader(&self, message: &fake_telegram::VisibleMessage) -> Option<String> {
        let named = message.entities.iter().find_map(|it| it["user"]["id"].as_i64());
        let named = named.and_then(|id| self.people.iter().find(|(_, it)| it.id == id));
        let writer = message.reply_to.and_then(|it| self.wrote.get(&it));
        named.map(|(name, _)| name).or(writer).cloned()
    }

    fn note(&mut self, who: &str, text: &str) {
        if !text.is_empty() {
            let id = if text.starts_with(DONE) { DONE } else { "note" };
            let note = VisibleMessage {
                id: id.into(),
                text: text.to_owned(),
                ..VisibleMessage::default()
            };
            self.told.entry(who.to_owned()).or_default().push(note);
        }
    }

    /// All new private replies to one person since the last look.
    fn gather(&mut self) {
        for (name, person) in self.people.clone() {
            for message in person.sees(person.id) {
                if message.from_bot && !self.is_posted(person.id, message.id) {
                    let id = format!("p{}", message.id);
                    self.tell_once(&name, person.id, id, &message);
                }
            }
            if self.spot.chat != 0 {
                for message in person.sees(self.spot.chat) {
                    if let (true, Some(id)) = (message.from_bot, message.ephemeral) {
                        self.tell_once(&name, person.id, format!("e{id}"), &message);
                    }
                }
            }
        }
    }

    fn tell_once(
        &mut self,
        who: &str,
        whose: i64,
        id: String,
        message: &fake_telegram::VisibleMessage,
    ) {
        if self.known.insert(format!("{whose} {id} {}", message.edited)) {
            self.told.entry(who.to_owned()).or_default().push(seen(id, message));
        }
    }

    fn is_posted(&self, chat: i64, message: i64) -> bool {
        let chat_id = ChatId(format!("tg:{chat}"));
        let message = MessageId(message.to_string());
        self.posted.lock().contains(&(chat_id, message))
    }

    /// Writes words with `@Name` in them, at most one of them of somebody without such a name on
    /// Telegram.
    fn write(&mut self, who: &str, spot: Spot, text: &str, reply_to: Option<i64>) {
        let person = &self.people[who];
        let known = |word: &str| word.strip_prefix('@').and_then(|it| self.usernames.get(it));
        let words: Vec<&str> =
            text.split(' ').map(|it| known(it).map_or(it, String::as_str)).collect();
        let text = &*words.join(" ");
        let named = text.split(' ').find_map(|it| it.strip_prefix('@'));
        let named = named.and_then(|it| Some((it, self.people.get(it)?)));
        let id = match (named, reply_to) {
            (_, Some(message)) => person.reply(spot, message, text),
            (None, None) => person.say(spot, text),
            (Some((name, friend)), None) => {
                let (before, after) = text.split_once(&format!("@{name}")).expect("it is in there");
                person.say_naming(spot, before, friend, after)
            }
        };
        if spot.chat == self.spot.chat {
            self.wrote.insert(id, who.to_owned());
        }
    }
}

fn seen(id: String, message: &fake_telegram::VisibleMessage) -> VisibleMessage {
    VisibleMessage {
        id,
        text: message.text.clone(),
        buttons: message.buttons.iter().flatten().cloned().collect(),
        picture: message.media == Some("photo"),
    }
}

#[async_trait]
impl Stage for TelegramStage {
    fn name(&self) -> &'static str {
        "telegram"
    }

    async fn people(&mut self, names: &[String]) {
        for (n, name) in names.iter().enumerate() {
            let username = format!("{}_{n}", shown(name).to_lowercase());
            let has_more = n % 2 == 0;
            let person = self.person(name, has_more.then_some(&username));
            if has_more {
                person.say(person.id, "/start");
            }
        }
        let members: Vec<&Person> = names.iter().map(|it| &self.people[it]).collect();
        let chat = match self.basic {
            true => self.tg.group("Family", &members),
            false => self.tg.supergroup("Family", &members),
        };
        self.spot = chat.into();
        self.tg.promote(chat, members[0]);
        self.quiet().await;
        // The greeting that everybody gets is not part of the conversation.
        self.told.clear();
    }

    async fn set_locale(&mut self, who: &str, locale: &str) {
        let person = self.people[who].clone().lang(locale);
        self.people.insert(who.to_owned(), person);
    }

    async fn enter_topic(&mut self, topic: &str) {
        let known = self.topics.get(topic).copied();
        self.spot = known.unwrap_or_else(|| self.tg.topic(self.spot.chat, self.first(), topic));
        self.topics.insert(topic.to_owned(), self.spot);
        self.quiet().await;
    }

    async fn send_group_message(&mut self, who: &str, text: &str) {
        self.write(who, self.spot, text, None);
        self.quiet().await;
    }

    async fn send_private_message(&mut self, who: &str, text: &str) {
        let private = self.people[who].id;
        self.write(who, private.into(), text, None);
        self.quiet().await;
    }

    async fn reply_to_message(&mut self, who: &str, message: &VisibleMessage, text: &str) {
        self.write(who, self.spot, text, Some(message.id.parse().unwrap()));
        self.quiet().await;
    }

    async fn press_button(&mut self, who: &str, message: &VisibleMessage, press: &str) {
        self.pass_ms(LOOK_MS).await;
        let person = self.people[who].clone();
        let chat = self.spot.chat;
        let pressed = match (message.id.strip_prefix('p'), message.id.strip_prefix('e')) {
            (Some(id), _) => person.press_stale(person.id, id.parse().unwrap(), press).await,
            (_, Some(id)) => person.press_ephemeral(chat, id.parse().unwrap(), press).await,
            (None, None) => person.press_stale(chat, message.id.parse().unwrap(), press).await,
        };
        self.note(who, &pressed.text);
        self.quiet().await;
    }

    async fn visible_messages(&mut self, who: &str) -> Vec<VisibleMessage> {
        self.quiet().await;
        let person = &self.people[who];
        let in_group = person.sees(self.spot.chat).into_iter();
        let here = in_group.filter(|it| it.ephemeral.is_none() && it.thread == self.spot.thread);
        let mut all: Vec<VisibleMessage> = here.map(|it| seen(it.id.to_string(), &it)).collect();
        let in_private = person.sees(person.id).into_iter();
        let posted = in_private.filter(|it| self.is_posted(person.id, it.id));
        all.extend(posted.map(|it| seen(format!("p{}", it.id), &it)));
        all
    }

    async fn private_replies(&mut self, who: &str) -> Vec<VisibleMessage> {
        self.quiet().await;
        self.told.get(who).cloned().unwrap_or_default()
    }

    async fn private_messages(&mut self, who: &str) -> Vec<VisibleMessage> {
        self.quiet().await;
        let person = &self.people[who];
        let in_private = person.sees(person.id).into_iter();
        let in_private = in_private.filter(|it| it.from_bot && !self.is_posted(person.id, it.id));
        let mut all: Vec<VisibleMessage> =
            in_private.map(|it| seen(format!("p{}", it.id), &it)).collect();
        for message in person.sees(self.spot.chat).iter().filter(|it| it.from_bot) {
            all.extend(message.ephemeral.map(|id| seen(format!("e{id}"), message)));
        }
        all
    }

    async fn inline_suggestions(&mut self, who: &str, words: &str) -> Vec<String> {
        let offered = self.people[who].inline(words).await;
        let title = |it: &Value| it["title"].as_str().unwrap_or_default().to_owned();
        let titles = offered.iter().map(title).collect();
        self.offered.insert(who.to_owned(), offered);
        titles
    }

    async fn choose_suggestion(&mut self, who: &str, title: &str) -> bool {
        let offered = self.offered.get(who).into_iter().flatten();
        let Some(chosen) = offered.into_iter().find(|it| it["title"] == title).cloned() else {
            return false;
        };
        self.people[who].choose(self.spot, &chosen);
        self.quiet().await;
        true
    }

    fn names(&self) -> Vec<String> {
        self.people.keys().cloned().collect()
    }

    async fn received_content(&mut self, who: &str) -> Vec<ReceivedContent> {
        self.quiet().await;
        let reached = self.tg.reached(&self.people[who]).into_iter();
        reached
            .map(|it| ReceivedContent { words: it.words, media: it.media.into_iter().collect() })
            .collect()
    }

    async fn wait_for_change(&mut self) {
        self.changes.changed().await.unwrap();
    }

    fn account(&self, who: &str) -> String {
        format!("tg:{}", self.people[who].id)
    }

    fn chat(&self) -> String {
        format!("tg:{}", self.spot.chat)
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
        self.tg.kick_bot(self.spot.chat, self.first());
        self.quiet().await;
    }

    async fn leave_group(&mut self, who: &str) {
        self.tg.leaves(self.spot.chat, &self.people[who]);
        self.quiet().await;
    }

    async fn add_bot(&mut self) {
        self.tg.add_bot(self.spot.chat, self.first());
        self.quiet().await;
    }

    async fn delete_message(&mut self, message: &VisibleMessage) {
        self.first().deletes(self.spot.chat, message.id.parse().unwrap());
    }

    async fn pass_ms(&mut self, ms: u64) {
        self.pass(ms);
    }

    async fn complaints(&mut self) -> Vec<String> {
        self.quiet().await;
        self.tg.violations()
    }
}
