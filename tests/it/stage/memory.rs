//! The simplest platform: a list of messages. It fails on purpose when told to.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use caravanserai_bot::admin::OperatorSettings;
use caravanserai_bot::service::{BotLimits, Randomness, Service, ServiceDeps};
use caravanserai_games::ids::{ChatId, ChatKind, MessageId, PersonId, TableId};
use caravanserai_i18n::I18n;
use caravanserai_protocol::{
    Arrival, Capabilities, Chat, Departure, EphemeralMessages, EphemeralReply, InlineBoards,
    Mention, MessageLookup, OutgoingMessage, ParentChats, Person, PersonKind, Platform,
    PrivateChats, PrivateMessage, PublicGroups, SendError, SingleReader, Update, UpdateHandler,
    UpdateKind,
};
use caravanserai_render::Renderer;
use caravanserai_store::{Space, Store};
use caravanserai_table::Table;
use parking_lot::Mutex;
use tokio::sync::watch;

use super::clock::TestClock;
use super::{DONE, LOOK_MS, ReceivedContent, Stage, VisibleMessage, shown};

/// A platform that is a list of messages.
pub struct MemoryPlatform {
    state: Mutex<State>,
    changed: watch::Sender<u64>,
    /// Whether what is posted or edited stands, and no answer comes.
    hangs: watch::Sender<bool>,
}

/// A private reply.
struct PrivateReply {
    slot: Option<String>,
    message: OutgoingMessage,
    /// Whether another one has replaced it.
    replaced: bool,
}

#[derive(Default)]
struct State {
    chats: HashMap<ChatId, Vec<(u64, OutgoingMessage)>>,
    next: u64,
    failures: VecDeque<SendError>,
    /// The same for taking messages away.
    undeletable: VecDeque<SendError>,
    /// How many answers to edits are lost.
    lost: usize,
    /// The private replies to each person, oldest first.
    told: HashMap<PersonId, Vec<PrivateReply>>,
    /// People to whom the bot may not write in private.
    strangers: Vec<PersonId>,
    /// Whether nothing may be posted or edited in groups.
    mutes: bool,
    /// Whether messages in groups cannot be edited now.
    refuses_edits: bool,
    /// The number of calls a minute that each chat allows, if it is limited.
    call_limit: Option<u32>,
    /// All messages, with the reader of a private one.
    reached: Vec<(Option<PersonId>, OutgoingMessage)>,
    /// Kind of call, chat and message.
    calls: Vec<(&'static str, ChatId, String)>,
}

impl MemoryPlatform {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::default(),
            changed: watch::Sender::new(0),
            hangs: watch::Sender::new(false),
        })
    }

    /// Switches whether posts and edits take effect without an answer; `false` answers all.
    pub fn set_hanging(&self, hangs: bool) {
        self.hangs.send_replace(hangs);
    }

    /// Waits until so many calls of a kind were made.
    pub async fn wait_for_calls(&self, kind: &str, times: usize) {
        let made = || self.calls().iter().filter(|it| it.0 == kind).count() >= times;
        self.changed.subscribe().wait_for(|_| made()).await.expect("the platform is there");
    }

    /// The last message of a chat once more, as another process posts it.
    pub fn duplicate_last_message(&self, chat: &ChatId) -> MessageId {
        let mut state = self.state.lock();
        state.next += 1;
        let id = state.next;
        let all = state.chats.entry(chat.clone()).or_default();
        let last = all.last().expect("something stands there").1.clone();
        all.push((id, last));
        MessageId(id.to_string())
    }

    /// The next attempts to take a message away fail like this, one each.
    pub fn fail_deleting_with(&self, failures: impl IntoIterator<Item = SendError>) {
        self.state.lock().undeletable.extend(failures);
    }

    /// The next edit is made, and its answer is lost.
    pub fn lose_an_answer(&self) {
        self.state.lock().lost += 1;
    }

    /// The next calls fail like this, one each.
    pub fn fail_with(&self, failures: impl IntoIterator<Item = SendError>) {
        self.state.lock().failures.extend(failures);
    }

    /// Forbids the bot to post and edit in groups, or allows it again.
    pub fn set_muted(&self, mutes: bool) {
        self.state.lock().mutes = mutes;
    }

    /// Lets no message in groups be edited until a person acts, as far as the bot can tell.
    pub fn refuse_edits(&self) {
        self.state.lock().refuses_edits = true;
    }

    /// Forbids the bot to write to this person in private.
    pub fn forbid_private_messages(&self, person: PersonId) {
        self.state.lock().strangers.push(person);
    }

    /// Lets the bot write to this person in private again.
    pub fn permit_private_messages(&self, person: &PersonId) {
        self.state.lock().strangers.retain(|it| it != person);
    }

    /// Limits the calls a minute in each chat.
    pub fn set_call_limit(&self, per_minute: u32) {
        self.state.lock().call_limit = Some(per_minute);
    }

    /// Every call made so far.
    pub fn calls(&self) -> Vec<(&'static str, ChatId, String)> {
        self.state.lock().calls.clone()
    }

    /// Posts a message of another person in a chat.
    pub fn chatter(&self, chat: &ChatId) {
        let mut state = self.state.lock();
        state.next += 1;
        let id = state.next;
        state.chats.entry(chat.clone()).or_default().push((id, OutgoingMessage::default()));
    }

    /// The messages in a chat.
    pub fn messages(&self, chat: &ChatId) -> Vec<VisibleMessage> {
        let state = self.state.lock();
        let messages = state.chats.get(chat).map(Vec::as_slice).unwrap_or_default();
        messages.iter().map(|(id, message)| seen(&id.to_string(), message)).collect()
    }

    /// Adds a private reply, which replaces the one in the same slot.
    fn tell(&self, person: &PersonId, slot: Option<&str>, message: &OutgoingMessage) {
        let mut state = self.state.lock();
        state.reached.push((Some(person.clone()), message.clone()));
        let told = state.told.entry(person.clone()).or_default();
        let slot = slot.map(str::to_owned);
        for old in told.iter_mut().filter(|it| slot.is_some() && it.slot == slot) {
            old.replaced = true;
        }
        told.push(PrivateReply { slot, message: message.clone(), replaced: false });
        drop(state);
        self.changed.send_modify(|it| *it += 1);
    }

    /// The private replies to a person: all, or only those that are still visible.
    fn private_replies(&self, person: &PersonId, standing: bool) -> Vec<VisibleMessage> {
        let state = self.state.lock();
        let told = state.told.get(person).map(Vec::as_slice).unwrap_or_default();
        let told = told.iter().filter(|it| !(standing && it.replaced));
        let told = told.filter(|it| !(standing && it.slot.as_deref() == Some(DONE)));
        let kind = |it: &PrivateReply| if it.slot.as_deref() == Some(DONE) { DONE } else { "told" };
        told.map(|it| seen(kind(it), &it.message)).collect()
    }

    fn call(
        &self,
        kind: &'static str,
        chat: &ChatId,
        what: &str,
        act: impl FnOnce(&mut State) -> Result<(), SendError>,
    ) -> Result<(), SendError> {
        let mut state = self.state.lock();
        state.calls.push((kind, chat.clone(), what.to_owned()));
        let is_mute = state.mutes && reader(chat).is_none() && ["post", "edit"].contains(&kind);
        let is_kept = state.refuses_edits && reader(chat).is_none() && kind == "edit";
        let result = match state.failures.pop_front() {
            Some(failure) => Err(failure),
            None if is_mute => Err(SendError::NotAllowed),
            None if is_kept => Err(SendError::NotNow),
            None => act(&mut state),
        };
        drop(state);
        self.changed.send_modify(|it| *it += 1);
        result
    }
}

/// The only one who reads a private chat.
fn reader(chat: &ChatId) -> Option<PersonId> {
    chat.0.strip_prefix("mem:@").map(|name| PersonId(format!("mem:{name}")))
}

/// Whether a chat is a message that a person has posted where the bot is no member.
fn is_inline(chat: &ChatId) -> bool {
    chat.0.starts_with("mem:~")
}

/// The number of the only message of such a chat.
const ONLY_MESSAGE: u64 = 1;

/// The content of a message that its readers see.
pub fn reached(message: &OutgoingMessage) -> ReceivedContent {
    let mut words = vec![message.text.to_plain()];
    for button in message.buttons.iter().flatten() {
        words.extend([button.label.clone(), button.callback_data.clone()]);
        words.extend(button.inline_query.clone());
    }
    words.extend(message.image.iter().map(|it| it.alt.clone()));
    words.extend(message.file.iter().map(|it| it.name.clone()));
    let picture = message.image.iter().map(|it| it.png.to_vec());
    let file = message.file.iter().map(|it| it.bytes.to_vec());
    ReceivedContent { words, media: picture.chain(file).collect() }
}

fn seen(id: &str, message: &OutgoingMessage) -> VisibleMessage {
    let buttons = message.buttons.iter().flatten();
    VisibleMessage {
        id: id.to_owned(),
        text: message.text.to_plain(),
        buttons: buttons.map(|it| (it.label.clone(), it.callback_data.clone())).collect(),
        picture: message.image.is_some(),
    }
}

/// Reads private messages for the one person they are meant for.
pub struct PrivateReader;

impl SingleReader for PrivateReader {}

#[async_trait]
impl Platform for MemoryPlatform {
    fn name(&self) -> &'static str {
        "mem"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    fn call_limit_per_minute(&self, _: &ChatId) -> u32 {
        self.state.lock().call_limit.unwrap_or(1_000_000)
    }

    async fn post(&self, chat: &ChatId, message: &OutgoingMessage) -> Result<MessageId, SendError> {
        let mut id = 0;
        self.call("post", chat, &message.text.to_plain(), |state| {
            state.next += 1;
            id = state.next;
            state.chats.entry(chat.clone()).or_default().push((id, message.clone()));
            state.reached.push((reader(chat), message.clone()));
            Ok(())
        })?;
        self.hangs.subscribe().wait_for(|hangs| !hangs).await.expect("the platform is there");
        Ok(MessageId(id.to_string()))
    }

    async fn edit(
        &self,
        chat: &ChatId,
        id: &MessageId,
        message: &OutgoingMessage,
    ) -> Result<(), SendError> {
        self.call("edit", chat, &message.text.to_plain(), |state| {
            state.reached.push((reader(chat), message.clone()));
            let messages = state.chats.entry(chat.clone()).or_default();
            if is_inline(chat) && messages.is_empty() {
                messages.push((ONLY_MESSAGE, OutgoingMessage::default()));
            }
            match messages.iter_mut().find(|(it, _)| it.to_string() == id.0) {
                Some((_, standing)) => *standing = message.clone(),
                None => return Err(SendError::MessageGone),
            }
            Ok(())
        })?;
        self.hangs.subscribe().wait_for(|hangs| !hangs).await.expect("the platform is there");
        let mut state = self.state.lock();
        if state.lost > 0 {
            state.lost -= 1;
            return Err(SendError::Temporary("the answer was lost".into()));
        }
        Ok(())
    }

    async fn delete(&self, chat: &ChatId, id: &MessageId) -> Result<(), SendError> {
        self.call("delete", chat, &id.0, |state| {
            if let Some(failure) = state.undeletable.pop_front() {
                return Err(failure);
            }
            let messages = state.chats.entry(chat.clone()).or_default();
            messages.retain(|(it, _)| it.to_string() != id.0);
            Ok(())
        })
    }

    fn ephemeral_messages(&self) -> Option<&dyn EphemeralMessages> {
        Some(self)
    }

    fn private_chats(&self) -> Option<&dyn PrivateChats> {
        Some(self)
    }

    fn message_lookup(&self) -> Option<&dyn MessageLookup> {
        Some(self)
    }

    fn public_groups(&self) -> Option<&dyn PublicGroups> {
        Some(self)
    }

    fn inline_boards(&self) -> Option<&dyn InlineBoards> {
        Some(self)
    }
}

#[async_trait]
impl EphemeralMessages for MemoryPlatform {
    fn has_ephemeral_buttons(&self, _: &ChatId) -> bool {
        true
    }

    async fn show_ephemeral(
        &self,
        chat: &ChatId,
        person: &PersonId,
        slot: &str,
        message: &PrivateMessage,
    ) -> Result<(), SendError> {
        self.call("whisper", chat, &message.text().to_plain(), |_| Ok(()))?;
        self.tell(person, Some(slot), message.for_reader(&PrivateReader));
        Ok(())
    }
}

#[async_trait]
impl PrivateChats for MemoryPlatform {
    async fn sole_reader(&self, chat: &ChatId) -> Result<Option<PersonId>, SendError> {
        Ok(reader(chat))
    }

    async fn private_chat(&self, person: &PersonId) -> Result<ChatId, SendError> {
        let name = person.0.strip_prefix("mem:").ok_or(SendError::NotAllowed)?;
        let strange = self.state.lock().strangers.contains(person);
        if strange { Err(SendError::NotAllowed) } else { Ok(ChatId(format!("mem:@{name}"))) }
    }

    fn derived_private_chat(&self, person: &PersonId) -> Option<ChatId> {
        person.0.strip_prefix("mem:").map(|it| ChatId(format!("mem:@{it}")))
    }
}

#[async_trait]
impl MessageLookup for MemoryPlatform {
    async fn refresh_chat_state(&self, _: &ChatId) {}

    fn messages_below(&self, chat: &ChatId, id: &MessageId) -> u32 {
        let state = self.state.lock();
        let messages = state.chats.get(chat).map(Vec::as_slice).unwrap_or_default();
        messages.iter().rev().take_while(|(it, _)| it.to_string() != id.0).count() as u32
    }

    fn message_link(&self, chat: &ChatId, id: &MessageId) -> Option<String> {
        Some(format!("mem://{}/{}", chat.0, id.0))
    }
}

impl PublicGroups for MemoryPlatform {
    fn is_public_group(&self, chat: &ChatId) -> bool {
        reader(chat).is_none()
    }
}

impl InlineBoards for MemoryPlatform {
    fn only_message(&self, chat: &ChatId) -> Option<MessageId> {
        is_inline(chat).then(|| MessageId(ONLY_MESSAGE.to_string()))
    }
}

/// A group of people round the memory platform.
pub struct MemoryStage {
    /// The platform, to look at and to make fail.
    pub platform: Arc<MemoryPlatform>,
    /// Time.
    pub clock: Arc<TestClock>,
    /// The bot.
    pub service: Service,
    /// What it keeps.
    pub store: Arc<dyn Store>,
    /// The group.
    pub group: ChatId,
    /// Its hosts.
    pub hosts: Vec<PersonId>,
    locales: HashMap<String, String>,
    /// Everybody who has done something.
    names: Vec<String>,
    updates: u64,
}

/// A bot on this store with this clock. Randomness counts up from `seed`. Computers answer at once.
pub fn service(store: Arc<dyn Store>, clock: Arc<TestClock>, seed: u64) -> Service {
    calm_service(store, clock, seed, 0)
}

/// The same where computers that are followed turn by turn rest so many milliseconds.
fn calm_service(store: Arc<dyn Store>, clock: Arc<TestClock>, seed: u64, calm_ms: u64) -> Service {
    let limits = BotLimits { computer_pause_ms: calm_ms, ..limits() };
    service_with(store, clock, counted(seed), limits)
}

/// Limits for tests: requests are not counted, since people in tests act in no time at all.
pub fn limits() -> BotLimits {
    BotLimits {
        review_think_max_ms: 10_000,
        requests_per_minute: 0,
        computer_pause_ms: 0,
        ..BotLimits::default()
    }
}

/// A message without mentions that answers nothing.
pub fn text(text: &str) -> UpdateKind {
    UpdateKind::Text { text: text.into(), mentions: vec![], reply_to: None, is_addressed: false }
}

/// Randomness that counts up.
pub fn counted(seed: u64) -> Randomness {
    let drawn = AtomicU64::new(seed);
    Box::new(move |bytes| {
        use sha2::Digest;
        for chunk in bytes.chunks_mut(32) {
            let n = drawn.fetch_add(1, Ordering::Relaxed);
            chunk.copy_from_slice(&sha2::Sha256::digest(n.to_be_bytes())[..chunk.len()]);
        }
    })
}

/// A bot on this store with this clock, randomness and limits.
pub fn service_with(
    store: Arc<dyn Store>,
    clock: Arc<TestClock>,
    randomness: Randomness,
    limits: BotLimits,
) -> Service {
    service_for_hosts(store, clock, randomness, limits, Vec::new())
}

/// The same with these hosts.
pub fn service_for_hosts(
    store: Arc<dyn Store>,
    clock: Arc<TestClock>,
    randomness: Randomness,
    limits: BotLimits,
    hosts: Vec<PersonId>,
) -> Service {
    let (i18n, renderer) = (Arc::new(I18n::new()), renderer());
    Service::new(ServiceDeps {
        store,
        i18n,
        renderer,
        clock,
        randomness,
        limits,
        contact: None,
        operator_settings: OperatorSettings { operators: hosts, is_encrypted: false },
    })
}

/// One renderer for all tests: reading the art once is enough.
pub fn renderer() -> Arc<Renderer> {
    static RENDERER: std::sync::OnceLock<Arc<Renderer>> = std::sync::OnceLock::new();
    RENDERER.get_or_init(|| Arc::new(Renderer::embedded().unwrap())).clone()
}

impl MemoryStage {
    /// Lets time pass, step by step, until nothing is left to think, draw and send.
    pub async fn patience(&self, step_ms: u64) {
        let settled = self.service.wait_until_idle();
        tokio::pin!(settled);
        loop {
            // Pictures are drawn on other threads: this gives them a turn.
            let turn = async {
                for _ in 0..20 {
                    tokio::task::spawn_blocking(|| ()).await.expect("nothing panics there");
                }
            };
            tokio::select! {
                () = &mut settled => return,
                () = turn => self.clock.pass_ms(step_ms),
            }
        }
    }

    /// A bot on this store.
    pub async fn new(store: Arc<dyn Store>) -> Self {
        Self::calm(store, 0).await
    }

    /// A bot on this store whose computers rest so many milliseconds where they are followed.
    pub async fn calm(store: Arc<dyn Store>, calm_ms: u64) -> Self {
        let platform = MemoryPlatform::new();
        let clock = Arc::new(TestClock::new());
        let service = calm_service(store.clone(), clock.clone(), 1, calm_ms);
        service.add_platform(platform.clone());
        service.start().await.unwrap();
        let group = ChatId("mem:group".into());
        let (locales, names) = Default::default();
        let hosts = Vec::new();
        Self { platform, clock, service, store, group, hosts, locales, names, updates: 0 }
    }

    /// Kills the bot and starts another one with this randomness and these limits.
    pub async fn restart_with(&mut self, randomness: Randomness, limits: BotLimits) {
        self.service.kill_for_test().await;
        let (store, clock) = (self.store.clone(), self.clock.clone());
        self.service = service_for_hosts(store, clock, randomness, limits, self.hosts.clone());
        self.service.add_platform(self.platform.clone());
        self.service.start().await.unwrap();
    }

    /// All tables with their logs, the oldest first.
    pub async fn tables(&self) -> Vec<(Table, Vec<String>)> {
        let mut tables = Vec::new();
        for (id, _) in self.store.scan(Space::Head, "", None, 10_000).await.unwrap() {
            let log = self.store.read_log(&id, 0).await.unwrap();
            tables.push((Table::from_log(&TableId(id), &log).unwrap(), log));
        }
        tables.sort_by_key(|(table, _)| table.times.opened_ms);
        tables
    }

    /// The table that was opened last, with its log.
    pub async fn newest_table(&self) -> (Table, Vec<String>) {
        self.tables().await.pop().expect("a table is open")
    }

    /// Lets so many milliseconds pass, and tasks that slept do what they woke up for.
    pub async fn ticks(&mut self, ms: u64) {
        self.clock.pass_ms(ms);
        for _ in 0..1_000 {
            tokio::task::yield_now().await;
        }
    }

    /// A person as the platform describes them.
    pub fn person(&self, name: &str) -> Person {
        Person {
            id: PersonId(format!("mem:{name}")),
            name: shown(name).to_owned(),
            username: Some(name.to_lowercase()),
            locale: self.locales.get(name).cloned(),
            kind: PersonKind::Human,
            admin: name == "Ann",
        }
    }

    /// The group, or the private chat of a person.
    pub fn group_or_private(&self, private: Option<&str>) -> Chat {
        match private {
            None => Chat {
                id: self.group.clone(),
                kind: ChatKind::Group,
                title: "Family".into(),
                locale: None,
                parents: ParentChats::default(),
            },
            Some(name) => Chat {
                id: ChatId(format!("mem:@{name}")),
                kind: ChatKind::Private,
                title: String::new(),
                locale: None,
                parents: ParentChats::default(),
            },
        }
    }

    /// The next update of this person.
    pub fn update(&mut self, who: &str, private: bool, body: UpdateKind) -> Update {
        self.updates += 1;
        let chat = self.group_or_private(private.then_some(who));
        let (id, person) = (format!("mem/{}", self.updates), self.person(who));
        Update { id, chat, person, kind: body, arrival: Arrival::default() }
    }

    /// A press of this person on a message that was posted where the bot is no member.
    pub fn press_inline(&mut self, who: &str, message: &str, press: &str) -> Update {
        let only = MessageId(ONLY_MESSAGE.to_string());
        let body = UpdateKind::Press { callback_data: press.to_owned(), message: Some(only) };
        let mut update = self.update(who, false, body);
        update.chat.id = ChatId(format!("mem:~{message}"));
        update
    }

    /// Lets the bot hear an update and keeps what it tells the person; gives what is more than a
    /// passing note of what was done.
    pub async fn hear(&mut self, update: Update) -> Vec<EphemeralReply> {
        let person = update.person.id.clone();
        let whispers = self.service.handle(update).await;
        for whisper in &whispers {
            let slot = whisper.slot.as_deref().or(whisper.purpose.is_ack().then_some(DONE));
            self.platform.tell(&person, slot, whisper.message.for_reader(&PrivateReader));
        }
        whispers.into_iter().filter(|it| !it.purpose.is_ack()).collect()
    }

    fn text(&self, text: &str, reply_to: Option<MessageId>) -> UpdateKind {
        let mut mentions = Vec::new();
        let mut words = Vec::new();
        for word in text.split(' ') {
            match word.strip_prefix('@') {
                Some(name) if name.starts_with(char::is_uppercase) => {
                    mentions.push(Mention::Known(self.person(name)));
                }
                Some(name) => mentions.push(Mention::Username(name.to_owned())),
                None => words.push(word),
            }
        }
        UpdateKind::Text { text: words.join(" "), mentions, reply_to, is_addressed: false }
    }
}

#[async_trait]
impl Stage for MemoryStage {
    fn name(&self) -> &'static str {
        "mem"
    }

    async fn people(&mut self, names: &[String]) {
        self.names = names.to_vec();
    }

    async fn set_locale(&mut self, who: &str, locale: &str) {
        self.locales.insert(who.to_owned(), locale.to_owned());
    }

    async fn enter_topic(&mut self, topic: &str) {
        self.group = ChatId(format!("{}/{topic}", self.group.without_topic()));
    }

    async fn send_group_message(&mut self, who: &str, text: &str) {
        let body = self.text(text, None);
        let update = self.update(who, false, body);
        self.hear(update).await;
    }

    async fn send_private_message(&mut self, who: &str, text: &str) {
        let body = self.text(text, None);
        let update = self.update(who, true, body);
        self.hear(update).await;
    }

    async fn reply_to_message(&mut self, who: &str, message: &VisibleMessage, text: &str) {
        let body = self.text(text, Some(MessageId(message.id.clone())));
        let update = self.update(who, false, body);
        self.hear(update).await;
    }

    async fn press_button(&mut self, who: &str, message: &VisibleMessage, press: &str) {
        self.pass_ms(LOOK_MS).await;
        let message_id = message.id.clone();
        let message = (message.id != "told").then(|| MessageId(message.id.clone()));
        let body = UpdateKind::Press { callback_data: press.to_owned(), message };
        let private = self.platform.messages(&self.group_or_private(Some(who)).id);
        let is_private = private.iter().any(|it| it.id == message_id);
        let update = self.update(who, is_private, body);
        self.hear(update).await;
    }

    async fn visible_messages(&mut self, who: &str) -> Vec<VisibleMessage> {
        self.service.wait_until_idle().await;
        let mut seen = self.platform.messages(&self.group);
        seen.extend(self.platform.messages(&self.group_or_private(Some(who)).id));
        seen
    }

    async fn private_replies(&mut self, who: &str) -> Vec<VisibleMessage> {
        self.service.wait_until_idle().await;
        self.platform.private_replies(&self.person(who).id, false)
    }

    async fn private_messages(&mut self, who: &str) -> Vec<VisibleMessage> {
        self.service.wait_until_idle().await;
        self.platform.private_replies(&self.person(who).id, true)
    }

    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    async fn received_content(&mut self, who: &str) -> Vec<ReceivedContent> {
        self.service.wait_until_idle().await;
        let person = self.person(who).id;
        let state = self.platform.state.lock();
        let own = |to: &Option<PersonId>| to.as_ref().is_none_or(|it| *it == person);
        let all = state.reached.iter().filter(|(to, _)| own(to));
        all.map(|(_, message)| reached(message)).collect()
    }

    async fn wait_for_change(&mut self) {
        self.platform.changed.subscribe().changed().await.ok();
    }

    fn account(&self, who: &str) -> String {
        self.person(who).id.0
    }

    fn chat(&self) -> String {
        self.group.without_topic().to_owned()
    }

    async fn make_operator(&mut self, who: &str) {
        self.hosts.push(self.person(who).id);
        self.restart().await;
    }

    async fn restart(&mut self) {
        // Like a process that is killed, it never says goodbye.
        self.restart_with(counted(1_000 + self.updates), limits()).await;
    }

    async fn remove_bot(&mut self) {
        let update = self.update("Ann", false, UpdateKind::BotRemoved);
        self.hear(update).await;
    }

    async fn leave_group(&mut self, who: &str) {
        let who = self.person(who).id;
        let update =
            self.update("Ann", false, UpdateKind::MemberLeft { who, how: Departure::Left });
        self.hear(update).await;
    }

    async fn add_bot(&mut self) {
        let update = self.update("Ann", false, UpdateKind::BotAdded);
        self.hear(update).await;
    }

    async fn delete_message(&mut self, message: &VisibleMessage) {
        let chat = self.group.clone();
        let id = MessageId(message.id.clone());
        self.platform.delete(&chat, &id).await.unwrap();
    }

    async fn pass_ms(&mut self, ms: u64) {
        self.clock.pass_ms(ms);
    }

    async fn complaints(&mut self) -> Vec<String> {
        Vec::new()
    }
}
