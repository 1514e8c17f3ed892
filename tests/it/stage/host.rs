//! What the stages with a real adapter share: the service, its time, and what went through it.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, Weak};

use async_trait::async_trait;
use caravanserai_bot::service::Service;
use caravanserai_bot::service::clock::Clock;
use caravanserai_games::ids::{MessageId, PersonId, PlaceId, TableId};
use caravanserai_protocol::guests::{Guests, Unproven, Vouched};
use caravanserai_protocol::note::Note;
use caravanserai_protocol::{
    Arrival, Door, HandPriority, Heard, Later, Listener, Look, Looking, Offered, Outgoing, Person,
    Place, Platform, PrivateMessage, SendError, Update, Whisper, Window,
};
use caravanserai_store::{Store, StoreError, StoreLayer};
use tokio::sync::watch;

use super::clock::TestClock;
use super::memory::service;

/// The bot behind an adapter.
pub struct Host {
    /// Time.
    pub clock: Arc<TestClock>,
    /// What the bot keeps.
    pub store: Arc<dyn Store>,
    /// The bot.
    pub service: Service,
    /// What it heard.
    pub ears: Arc<Ears>,
    seed: u64,
    started: bool,
}

impl Host {
    /// A bot on this store that speaks over no platform yet.
    pub fn new(store: Arc<dyn Store>, seed: u64) -> Self {
        let store: Arc<dyn Store> = Arc::new(Lasting(store));
        let clock = Arc::new(TestClock::new());
        let service = service(store.clone(), clock.clone(), seed);
        let ears = Ears::new(service.clone());
        Self { clock, store, service, ears, seed, started: false }
    }

    /// The same bot, for another platform.
    pub fn beside(&self) -> Self {
        let (clock, store) = (self.clock.clone(), self.store.clone());
        let (service, ears) = (self.service.clone(), self.ears.clone());
        Self { clock, store, service, ears, seed: self.seed, started: self.started }
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
        // Whoever still sleeps by the old clock sleeps for ever.
        self.clock = Arc::new(TestClock::at(self.clock.now_ms()));
        self.service = service(self.store.clone(), self.clock.clone(), self.seed);
        self.ears = Ears::new(self.service.clone());
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
                let settled = self.service.settled();
                tokio::pin!(settled);
                futures::poll!(settled.as_mut()).is_ready()
            };
            // One sleeper watches the deadlines; every other is somebody who wants to speak.
            match (settled, ahead.len(), ahead.iter().min()) {
                (true, 1.., _) => return,
                (false, 2.., Some(first)) => pass(first - now),
                _ => {
                    tokio::select! {
                        _ = sleepers.changed() => {}
                        () = self.service.settled(), if !settled => {}
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
            let idle = waiting && sleepers.len() == self.service.working() + 1;
            match sleepers.iter().min().filter(|_| idle) {
                Some(_) if now >= until_ms => return,
                Some(first) => pass(until_ms.min(*first) - now),
                None => tokio::task::yield_now().await,
            }
        }
    }
}

/// Listens for the bot and writes down which updates it has heard, and how many private answers
/// it gave to each.
pub struct Ears {
    service: Service,
    heard: watch::Sender<HashMap<String, usize>>,
    me: Weak<Ears>,
}

impl Ears {
    fn new(service: Service) -> Arc<Self> {
        Arc::new_cyclic(|me| Self { service, heard: watch::Sender::default(), me: me.clone() })
    }

    fn note(&self, update: &str, heard: &Heard) {
        self.heard.send_modify(|it| {
            // What a press has done is told by the board itself where there is no passing note.
            let told = heard.told.iter().filter(|it| !it.passing).count();
            it.insert(update.to_owned(), told);
        });
    }

    /// Waits until this update was heard; tells how many private answers it got.
    pub async fn heard(&self, update: &str) -> usize {
        let mut heard = self.heard.subscribe();
        let heard = heard.wait_for(|it| it.contains_key(update)).await.expect("the stage lives");
        heard[update]
    }

    /// Waits until an update whose id begins so was heard.
    pub async fn heard_beginning(&self, id: &str) {
        let mut heard = self.heard.subscribe();
        let there = |it: &String| it.starts_with(id);
        heard.wait_for(|it| it.keys().any(there)).await.expect("the stage lives");
    }
}

#[async_trait]
impl Listener for Ears {
    async fn offers(&self, person: &Person, typed: &str) -> Vec<Offered> {
        self.service.offers(person, typed).await
    }

    async fn summoned(&self, person: &Person, words: &str) -> Option<Offered> {
        self.service.summoned(person, words).await
    }

    async fn state(
        &self,
        place: &Place,
        person: &Person,
        table: &TableId,
        looking: Looking,
    ) -> Option<String> {
        self.service.state(place, person, table, looking).await
    }

    async fn show(&self, place: &Place, person: &Person, look: Look) -> Option<String> {
        self.service.show(place, person, look).await
    }

    fn drawings(&self, sheet: &str) -> Option<String> {
        self.service.drawings(sheet)
    }

    async fn own_tables(&self, place: &Place, person: &Person) -> Option<String> {
        self.service.own_tables(place, person).await
    }

    fn guests(&self) -> Option<Arc<dyn Guests>> {
        self.service.guests()
    }

    async fn say_again(&self, place: &Place, person: &Person, note: Note) -> Option<Whisper> {
        self.service.say_again(place, person, note).await
    }

    async fn say_in_passing(&self, place: &Place, person: &Person, note: Note) -> Option<Whisper> {
        self.service.say_in_passing(place, person, note).await
    }

    fn called(&self, place: &PlaceId) {
        self.service.called(place);
    }

    fn whispered(&self, place: &PlaceId) {
        self.service.whispered(place);
    }

    fn has_room(&self, place: &PlaceId, priority: HandPriority) -> bool {
        self.service.has_room(place, priority)
    }

    fn is_crowded(&self, place: &PlaceId) -> bool {
        self.service.is_crowded(place)
    }

    async fn means_changed(&self, place: &PlaceId) {
        self.service.means_changed(place).await;
    }

    fn arrival(&self) -> Arrival {
        self.service.arrival()
    }

    async fn hear(&self, update: Update) -> Vec<Whisper> {
        self.hear_for_good(update).await.complete().await.told
    }

    async fn hear_for_good(&self, update: Update) -> Heard {
        let id = update.id.clone();
        let heard = self.service.hear_for_good(update).await;
        if heard.later.is_none() {
            self.note(&id, &heard);
            return heard;
        }
        let me = self.me.upgrade().expect("the stage lives");
        Heard::later(Later::new(async move {
            let heard = heard.complete().await;
            me.note(&id, &heard);
            heard
        }))
    }

    async fn suggest(
        &self,
        place: &Place,
        person: &Person,
        command: &str,
        typed: &str,
    ) -> Vec<(String, String)> {
        self.service.suggest(place, person, command, typed).await
    }
}

/// The messages that were posted for everybody in a place: what else the bot says is for one
/// person.
pub type Posted = Arc<Mutex<HashSet<(PlaceId, MessageId)>>>;

/// An adapter whose posts are written down.
pub struct Noting {
    inner: Arc<dyn Platform>,
    posted: Posted,
}

impl Noting {
    /// Writes the posts of this adapter into that list.
    pub fn new(inner: Arc<dyn Platform>, posted: &Posted) -> Arc<Self> {
        Arc::new(Self { inner, posted: posted.clone() })
    }
}

#[async_trait]
impl Platform for Noting {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn calls_per_minute(&self, place: &PlaceId) -> u32 {
        self.inner.calls_per_minute(place)
    }

    async fn post(&self, place: &PlaceId, message: &Outgoing) -> Result<MessageId, SendError> {
        let id = self.inner.post(place, message).await?;
        self.posted.lock().unwrap().insert((place.clone(), id.clone()));
        Ok(id)
    }

    async fn edit(
        &self,
        place: &PlaceId,
        id: &MessageId,
        message: &Outgoing,
    ) -> Result<(), SendError> {
        self.inner.edit(place, id, message).await
    }

    async fn delete(&self, place: &PlaceId, id: &MessageId) -> Result<(), SendError> {
        self.inner.delete(place, id).await
    }

    fn whispers_buttons(&self, place: &PlaceId) -> bool {
        self.inner.whispers_buttons(place)
    }

    async fn whisper(
        &self,
        place: &PlaceId,
        person: &PersonId,
        slot: &str,
        message: &PrivateMessage,
    ) -> Result<(), SendError> {
        self.inner.whisper(place, person, slot, message).await
    }

    async fn sole_reader(&self, place: &PlaceId) -> Result<Option<PersonId>, SendError> {
        self.inner.sole_reader(place).await
    }

    async fn private_place(&self, person: &PersonId) -> Result<PlaceId, SendError> {
        self.inner.private_place(person).await
    }

    fn private_door(&self, code: &str) -> Option<String> {
        self.inner.private_door(code)
    }

    async fn catch_up(&self, place: &PlaceId) {
        self.inner.catch_up(place).await;
    }

    fn buried(&self, place: &PlaceId, id: &MessageId) -> u32 {
        self.inner.buried(place, id)
    }

    fn link(&self, place: &PlaceId, id: &MessageId) -> Option<String> {
        self.inner.link(place, id)
    }

    fn is_open(&self, place: &PlaceId) -> bool {
        self.inner.is_open(place)
    }

    fn only_message(&self, place: &PlaceId) -> Option<MessageId> {
        self.inner.only_message(place)
    }

    fn doors(&self, code: &str) -> Vec<Door> {
        self.inner.doors(code)
    }

    fn window(&self, place: &PlaceId, alone: bool, code: Option<&str>) -> Option<Window> {
        self.inner.window(place, alone, code)
    }

    fn page(&self) -> Option<String> {
        self.inner.page()
    }

    async fn vouch(&self, data: &str, instance: Option<&str>) -> Result<Vouched, Unproven> {
        self.inner.vouch(data, instance).await
    }

    async fn is_member(&self, place: &PlaceId, person: &PersonId) -> bool {
        self.inner.is_member(place, person).await
    }

    async fn keeps_order(&self, place: &PlaceId, person: &PersonId) -> bool {
        self.inner.keeps_order(place, person).await
    }
}

/// A store that outlives the bot that closes it.
struct Lasting(Arc<dyn Store>);

#[async_trait]
impl StoreLayer for Lasting {
    fn inner(&self) -> &dyn Store {
        &*self.0
    }

    async fn close(&self) -> Result<(), StoreError> {
        Ok(())
    }
}
