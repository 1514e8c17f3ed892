//! Shared code of stages with a real adapter: the service, its clock, and a record of updates.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Weak};

use async_trait::async_trait;
use caravanserai_bot::service::Service;
use caravanserai_bot::service::TimeSource;
use caravanserai_games::ids::{ChatId, ChatKind, MessageId, PersonId};
use caravanserai_protocol::guest_service::GuestService;
use caravanserai_protocol::{
    Ack, AppWindows, ArgumentSuggestions, Arrival, Capabilities, ChatLookup, ChatReports,
    ClientQueries, DeferredOutcome, DeliveryReports, EphemeralMessages, EphemeralReply,
    HandleOutcome, InlineBoards, InlineQueries, InviteLinks, MemberLookup, MessageLookup,
    OutgoingMessage, PermissionLookup, Platform, PrivateChats, PublicGroups, ReplyRenderer,
    SendError, SpectatorLookup, Update, UpdateHandler, UpdateKind,
};
use caravanserai_store::{Store, StoreError, StoreLayer};
use parking_lot::Mutex;
use tokio::sync::watch;

use super::clock::TestClock;
use super::memory::{counted, limits, service, service_for_hosts};

/// The bot behind an adapter.
pub struct Host {
    /// Time.
    pub clock: Arc<TestClock>,
    /// What the bot keeps.
    pub store: Arc<dyn Store>,
    /// The bot.
    pub service: Service,
    /// Records its updates.
    pub handler: Arc<RecordingHandler>,
    /// The people who run it.
    pub hosts: Vec<PersonId>,
    seed: u64,
    started: bool,
}

impl Host {
    /// A bot on this store that speaks over no platform yet.
    pub fn new(store: Arc<dyn Store>, seed: u64) -> Self {
        let store: Arc<dyn Store> = Arc::new(UnclosedStore(store));
        let clock = Arc::new(TestClock::new());
        let service = service(store.clone(), clock.clone(), seed);
        let handler = RecordingHandler::new(service.clone());
        Self { clock, store, service, handler, hosts: Vec::new(), seed, started: false }
    }

    /// The same bot, for another platform.
    pub fn beside(&self) -> Self {
        let (clock, store) = (self.clock.clone(), self.store.clone());
        let (service, handler) = (self.service.clone(), self.handler.clone());
        let (hosts, seed, started) = (self.hosts.clone(), self.seed, self.started);
        Self { clock, store, service, handler, hosts, seed, started }
    }

    /// The bot takes up its work, or learns that it speaks over one platform more.
    pub async fn start(&mut self) {
        if std::mem::replace(&mut self.started, true) {
            self.service.resume().await.unwrap();
        } else {
            self.service.start().await.unwrap();
        }
    }

    /// Ends this bot in an orderly way and makes the next one, which speaks over no platform yet.
    pub async fn renew(&mut self) {
        self.service.stop().await.unwrap();
        self.seed += 1_000;
        // A task that still sleeps by the old clock never wakes.
        self.clock = Arc::new(TestClock::at(self.clock.now_ms()));
        self.service = service_for_hosts(
            self.store.clone(),
            self.clock.clone(),
            counted(self.seed),
            limits(),
            self.hosts.clone(),
        );
        self.handler = RecordingHandler::new(self.service.clone());
        self.started = false;
    }

    /// Waits until the bot has nothing to do but to watch its deadlines. When all it does is to
    /// wait for its turn to speak, `pass` lets so many milliseconds pass.
    pub async fn quiet(&self, pass: impl Fn(u64)) {
        let mut sleepers = self.clock.sleepers();
        loop {
            let now = self.clock.now_ms();
            let ahead: Vec<u64> =
                sleepers.borrow_and_update().iter().copied().filter(|it| *it > now).collect();
            let settled = {
                let settled = self.service.wait_until_idle();
                tokio::pin!(settled);
                futures::poll!(settled.as_mut()).is_ready()
            };
            // One sleeper watches the deadlines; every other waits to send a message.
            match (settled, ahead.len(), ahead.iter().min()) {
                (true, 1.., _) => return,
                (false, 2.., Some(first)) => pass(first - now),
                _ => {
                    tokio::select! {
                        _ = sleepers.changed() => {}
                        () = self.service.wait_until_idle(), if !settled => {}
                    }
                }
            }
        }
    }

    /// Lets time pass until a moment, from one sleeper to the next. What each of them wakes up for
    /// is done before time goes on.
    pub async fn run_until(&self, until_ms: u64, pass: impl Fn(u64)) {
        loop {
            let now = self.clock.now_ms();
            let sleepers = self.clock.sleepers().borrow().clone();
            let waiting = sleepers.iter().all(|it| *it > now);
            // One sleeper watches the deadlines; every other is a task that waits for its turn.
            let idle = waiting && sleepers.len() == self.service.running_task_count() + 1;
            match sleepers.iter().min().filter(|_| idle) {
                Some(_) if now >= until_ms => return,
                Some(first) => pass(until_ms.min(*first) - now),
                None => tokio::task::yield_now().await,
            }
        }
    }
}

/// Passes updates to the bot and records how many private replies each of them got.
pub struct RecordingHandler {
    service: Service,
    heard: watch::Sender<HashMap<String, usize>>,
    me: Weak<RecordingHandler>,
}

impl RecordingHandler {
    fn new(service: Service) -> Arc<Self> {
        Arc::new_cyclic(|me| Self { service, heard: watch::Sender::default(), me: me.clone() })
    }

    fn note(&self, update: &str, heard: &HandleOutcome) {
        self.heard.send_modify(|it| {
            // Where there is no acknowledgement, the board shows the effect of a press.
            let told = heard.replies.iter().filter(|it| !it.purpose.is_ack()).count();
            it.insert(update.to_owned(), told);
        });
    }

    /// Waits until this update was handled; returns the number of its private replies.
    pub async fn heard(&self, update: &str) -> usize {
        let mut heard = self.heard.subscribe();
        let heard = heard.wait_for(|it| it.contains_key(update)).await.expect("the stage lives");
        heard[update]
    }

    /// Waits until an update whose id begins so was handled.
    pub async fn heard_beginning(&self, id: &str) {
        let mut heard = self.heard.subscribe();
        let there = |it: &String| it.starts_with(id);
        heard.wait_for(|it| it.keys().any(there)).await.expect("the stage lives");
    }
}

#[async_trait]
impl UpdateHandler for RecordingHandler {
    async fn handle(&self, update: Update) -> Vec<EphemeralReply> {
        self.handle_deferrable(update).await.complete().await.replies
    }

    async fn handle_deferrable(&self, update: Update) -> HandleOutcome {
        let id = update.id.clone();
        let heard = self.service.handle_deferrable(update).await;
        if heard.deferred.is_none() {
            self.note(&id, &heard);
            return heard;
        }
        let me = self.me.upgrade().expect("the stage lives");
        HandleOutcome::defer(DeferredOutcome::new(async move {
            let heard = heard.complete().await;
            me.note(&id, &heard);
            heard
        }))
    }

    async fn handle_report(&self, update: Update) -> Ack {
        let id = update.id.clone();
        let ack = self.service.handle_report(update).await;
        self.note(&id, &HandleOutcome::ready(Vec::new(), ack));
        ack
    }

    fn record_arrival(&self) -> Arrival {
        self.service.record_arrival()
    }

    fn needs_admin(&self, kind: &UpdateKind, chat: ChatKind) -> bool {
        self.service.needs_admin(kind, chat)
    }

    fn argument_suggestions(&self) -> Option<&dyn ArgumentSuggestions> {
        self.service.argument_suggestions()
    }

    fn inline_queries(&self) -> Option<&dyn InlineQueries> {
        self.service.inline_queries()
    }

    fn reply_renderer(&self) -> Option<&dyn ReplyRenderer> {
        self.service.reply_renderer()
    }

    fn client_queries(&self) -> Option<&dyn ClientQueries> {
        self.service.client_queries()
    }

    fn guest_service(&self) -> Option<Arc<dyn GuestService>> {
        self.service.guest_service()
    }

    fn delivery_reports(&self) -> Option<&dyn DeliveryReports> {
        self.service.delivery_reports()
    }

    fn chat_reports(&self) -> Option<&dyn ChatReports> {
        self.service.chat_reports()
    }
}

/// The public messages of each chat: all others are for one person.
pub type Posted = Arc<Mutex<HashSet<(ChatId, MessageId)>>>;

/// Records the posts of an adapter.
pub struct RecordingPlatform {
    inner: Arc<dyn Platform>,
    posted: Posted,
}

impl RecordingPlatform {
    /// Records the posts of this adapter in that list.
    pub fn new(inner: Arc<dyn Platform>, posted: &Posted) -> Arc<Self> {
        Arc::new(Self { inner, posted: posted.clone() })
    }
}

#[async_trait]
impl Platform for RecordingPlatform {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    fn call_limit_per_minute(&self, chat: &ChatId) -> u32 {
        self.inner.call_limit_per_minute(chat)
    }

    fn find_chat(&self, id: &ChatId) -> ChatLookup {
        self.inner.find_chat(id)
    }

    async fn post(&self, chat: &ChatId, message: &OutgoingMessage) -> Result<MessageId, SendError> {
        let id = self.inner.post(chat, message).await?;
        self.posted.lock().insert((chat.clone(), id.clone()));
        Ok(id)
    }

    async fn edit(
        &self,
        chat: &ChatId,
        id: &MessageId,
        message: &OutgoingMessage,
    ) -> Result<(), SendError> {
        self.inner.edit(chat, id, message).await
    }

    async fn delete(&self, chat: &ChatId, id: &MessageId) -> Result<(), SendError> {
        self.inner.delete(chat, id).await
    }

    fn ephemeral_messages(&self) -> Option<&dyn EphemeralMessages> {
        self.inner.ephemeral_messages()
    }

    fn private_chats(&self) -> Option<&dyn PrivateChats> {
        self.inner.private_chats()
    }

    fn message_lookup(&self) -> Option<&dyn MessageLookup> {
        self.inner.message_lookup()
    }

    fn member_lookup(&self) -> Option<&dyn MemberLookup> {
        self.inner.member_lookup()
    }

    fn permission_lookup(&self) -> Option<&dyn PermissionLookup> {
        self.inner.permission_lookup()
    }

    fn public_groups(&self) -> Option<&dyn PublicGroups> {
        self.inner.public_groups()
    }

    fn inline_boards(&self) -> Option<&dyn InlineBoards> {
        self.inner.inline_boards()
    }

    fn spectator_lookup(&self) -> Option<&dyn SpectatorLookup> {
        self.inner.spectator_lookup()
    }

    fn invite_links(&self) -> Option<&dyn InviteLinks> {
        self.inner.invite_links()
    }

    fn app_windows(&self) -> Option<&dyn AppWindows> {
        self.inner.app_windows()
    }
}

/// A store that outlives the bot that closes it.
struct UnclosedStore(Arc<dyn Store>);

#[async_trait]
impl StoreLayer for UnclosedStore {
    fn inner(&self) -> &dyn Store {
        &*self.0
    }

    async fn close(&self) -> Result<(), StoreError> {
        Ok(())
    }
}
