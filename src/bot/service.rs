//! The bot itself: the rooms put together, with one door for platforms.
//!
//! A press comes in through [`Listener::hear`] and goes to the [`desk`](crate::desk), which asks
//! the pure core what follows and has it written into the [`ledger`](crate::ledger). Once it is
//! durable, the [`post`](crate::post) shows it, the [`minds`](crate::minds) think about it and the
//! [`clockwork`](crate::clockwork) keeps its time. Nothing here knows a particular platform.

use std::sync::Arc;

use async_trait::async_trait;

use crate::clockwork::Clockwork;
use crate::desk::Desk;
use crate::ledger::tasks::Tasks;
use crate::ledger::{Aftermath, Changed, Failure, Ledger};
use crate::minds::Minds;
use crate::post::{Letters, Post};
use caravanserai_games::ids::{PlaceId, TableId};
use caravanserai_i18n::I18n;
use caravanserai_protocol::guests::{Entrance, Guest, Guests, Proof, Unproven};
use caravanserai_protocol::note::Note;
use caravanserai_protocol::{
    Arrival, HandPriority, Heard, Listener, Look, Looking, Offered, Person, Place, Platform,
    Update, Whisper,
};
use caravanserai_render::Renderer;
use caravanserai_store::Store;

pub use crate::ledger::{Clock, DAY_MS, Limits, Randomness, SystemClock};

/// Time, as older callers name it.
pub mod clock {
    pub use crate::ledger::{Clock, SystemClock};
}

/// How long an update is handled before the first check whether the store answers, in milliseconds.
const PATIENCE_MS: u64 = 1_500;
/// The time between later checks, in milliseconds.
const LOOK_MS: u64 = 250;
/// How long a store has not answered when it counts as silent, in milliseconds.
const SILENT_MS: u64 = 1_000;

/// The bot itself, shared by all platforms. Cheap to clone.
#[derive(Clone)]
pub struct Service {
    hall: Arc<Hall>,
}

/// The rooms, and what passes between them.
struct Hall {
    ledger: Arc<Ledger>,
    desk: Arc<Desk>,
    post: Arc<Post>,
    letters: Arc<Letters>,
    minds: Arc<Minds>,
    clockwork: Arc<Clockwork>,
    tasks: Tasks,
}

/// What a service is made of.
pub struct Parts {
    /// Where everything is kept.
    pub store: Arc<dyn Store>,
    /// All languages.
    pub i18n: Arc<I18n>,
    /// Draws pictures.
    pub renderer: Arc<Renderer>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Random bytes.
    pub randomness: Randomness,
    /// Limits.
    pub limits: Limits,
}

impl Service {
    /// A service without platforms.
    pub fn new(parts: Parts) -> Self {
        let Parts { store, i18n, renderer, clock, randomness, limits } = parts;
        let tasks = Tasks::new();
        let ledger = Arc::new(Ledger::new(store, clock, randomness, limits));
        let minds = Minds::new(ledger.clone(), i18n.clone(), renderer.clone(), tasks.clone());
        let letters = Letters::new(ledger.clone(), minds.clone(), i18n, renderer);
        let post = Post::new(ledger.clone(), minds.clone(), letters.clone(), tasks.clone());
        let clockwork = Clockwork::new(ledger.clone(), minds.clone(), post.clone(), tasks.clone());
        let desk = Desk::new(ledger.clone(), minds.clone(), post.clone(), letters.clone());
        let hall = Arc::new(Hall { ledger, desk, post, letters, minds, clockwork, tasks });
        let aftermath: Arc<dyn Aftermath> = hall.clone();
        hall.ledger.follow(Arc::downgrade(&aftermath));
        Service { hall }
    }

    /// Lets a platform be spoken to.
    pub fn add_platform(&self, platform: Arc<dyn Platform>) {
        self.hall.post.add_platform(platform);
    }

    /// Takes up what an earlier run left: messages to send, deadlines. Call it once, after the
    /// platforms were added.
    ///
    /// # Errors
    /// With a sentence when the store cannot be read.
    pub async fn start(&self) -> anyhow::Result<()> {
        let Hall { desk, post, clockwork, tasks, .. } = &*self.hall;
        clockwork.begin().await;
        let (listening, ticking) = (post.clone(), clockwork.clone());
        let trying = desk.clone();
        tasks.reside_until_stop(async move { trying.catch_up().await });
        tasks.reside(async move { listening.listen().await });
        tasks.reside(async move { ticking.run().await });
        Ok(post.resume("").await?)
    }

    /// Looks again at what waits to be sent, for a platform that was added after the start.
    ///
    /// # Errors
    /// With a sentence when the store cannot be read.
    pub async fn resume(&self) -> anyhow::Result<()> {
        Ok(self.hall.post.resume("").await?)
    }

    /// Finishes what is being sent and closes the store. New updates are answered kindly but do
    /// nothing.
    ///
    /// # Errors
    /// With a sentence when the store cannot be closed.
    pub async fn stop(&self) -> anyhow::Result<()> {
        self.hall.tasks.stop();
        self.hall.tasks.ended().await;
        self.hall.post.let_go().await;
        self.hall.ledger.store().close().await?;
        Ok(())
    }

    /// Waits until nothing is left to send, as far as this process knows. For tests.
    #[doc(hidden)]
    pub async fn settled(&self) {
        self.hall.tasks.settled().await;
    }

    /// The number of running tasks, including those that wait for their turn to send. For tests.
    #[doc(hidden)]
    pub fn working(&self) -> usize {
        self.hall.tasks.count()
    }

    /// Ends as if the process were killed, with what it held for itself given back as it would be
    /// after a while. For tests.
    #[doc(hidden)]
    pub async fn kill(&self) {
        self.hall.tasks.stop();
        self.hall.post.let_go().await;
    }

    /// Who thinks. For tests.
    #[cfg(test)]
    pub(crate) fn minds(&self) -> &Minds {
        &self.hall.minds
    }
}

impl Aftermath for Hall {
    fn changed(&self, changed: Changed) {
        let Changed { table, thinks, patient } = changed;
        let waited_for = self.minds.think(&table, self.post.follows(&table)) && thinks && patient;
        if !waited_for {
            table.places().for_each(|place| self.post.wake(place));
        }
        self.clockwork.wind();
    }

    fn wake(&self, place: &PlaceId) {
        self.post.wake(place);
    }

    fn wake_chat(&self, chat: &str) {
        self.post.resume_chat(chat);
    }
}

impl Service {
    /// Answers an update and measures how long that takes. If the bot stops or the store does not
    /// answer, the answer says so.
    async fn timed(
        &self,
        update: &Update,
        answered: impl Future<Output = Heard> + Send + 'static,
    ) -> Heard {
        let Hall { ledger, desk, tasks, .. } = &*self.hall;
        let platform = update.place.id.platform().to_owned();
        metrics::counter!("caravanserai_updates_total", "platform" => platform).increment(1);
        if tasks.is_stopping() {
            return desk.closed(update).await;
        }
        let started_ms = ledger.clock().monotonic_ms();
        let heard = match self.unless_silent(answered).await {
            Some(heard) => heard,
            None => desk.unsaved(update).await,
        };
        let took_ms = ledger.clock().monotonic_ms().saturating_sub(started_ms);
        metrics::histogram!("caravanserai_decided_seconds").record(took_ms as f64 / 1000.0);
        heard
    }

    /// Waits for some work. `None` if the store has not answered for a while: the work then goes on
    /// in a task of its own, because what it asked the store may still be written.
    async fn unless_silent<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let Hall { ledger, tasks, .. } = &*self.hall;
        let (mut work, mut look_ms) = (Box::pin(work), PATIENCE_MS);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return Some(done),
                () = ledger.clock().sleep_ms(look_ms) => look_ms = LOOK_MS,
            }
            if ledger.store_silent_ms() >= SILENT_MS {
                tasks.spawn(async move {
                    work.await;
                });
                return None;
            }
        }
    }
}

#[async_trait]
impl Listener for Service {
    async fn hear(&self, update: Update) -> Vec<Whisper> {
        let (desk, asked) = (self.hall.desk.clone(), update.clone());
        let answered = async move { desk.answer_in_turn(&asked).await };
        let heard = self.timed(&update, answered).await;
        // Deadlines do not wait for the rest of the answer.
        drop(update);
        heard.complete().await.told
    }

    async fn hear_for_good(&self, update: Update) -> Heard {
        let (desk, asked) = (self.hall.desk.clone(), update.clone());
        self.timed(&update, async move { desk.answer(&asked).await }).await
    }

    fn arrival(&self) -> Arrival {
        let ledger = &self.hall.ledger;
        ledger.arrivals().note(ledger.clock().monotonic_ms())
    }

    async fn suggest(
        &self,
        place: &Place,
        person: &Person,
        command: &str,
        typed: &str,
    ) -> Vec<(String, String)> {
        let desk = &self.hall.desk;
        desk.suggestions(place, person, command, typed).await.unwrap_or_default()
    }

    async fn offers(&self, person: &Person, typed: &str) -> Vec<Offered> {
        self.hall.desk.offered(person, typed).await.unwrap_or_default()
    }

    async fn summoned(&self, person: &Person, words: &str) -> Option<Offered> {
        self.hall.desk.summoned(person, words).await.ok().flatten()
    }

    async fn say_again(&self, place: &Place, person: &Person, note: Note) -> Option<Whisper> {
        self.hall.desk.say_again(place, person, note).await
    }

    async fn say_in_passing(&self, place: &Place, person: &Person, note: Note) -> Option<Whisper> {
        self.hall.desk.say_in_passing(place, person, note).await
    }

    async fn state(
        &self,
        place: &Place,
        person: &Person,
        table: &TableId,
        looking: Looking,
    ) -> Option<String> {
        let state = self.hall.desk.state(place, person, table, looking).await;
        let told = |failure| tracing::error!(%failure, "a table could not be looked at");
        state.map_err(told).ok().flatten()
    }

    async fn show(&self, place: &Place, person: &Person, look: Look) -> Option<String> {
        let shown = self.hall.desk.show(place, person, look).await;
        let told = |failure| tracing::error!(%failure, "something could not be looked at");
        shown.map_err(told).ok().flatten()
    }

    async fn own_tables(&self, place: &Place, person: &Person) -> Option<String> {
        self.hall.desk.own_tables(place, person).await.ok()
    }

    fn guests(&self) -> Option<Arc<dyn Guests>> {
        Some(Arc::new(self.clone()))
    }

    fn drawings(&self, sheet: &str) -> Option<String> {
        self.hall.letters.drawings(sheet)
    }

    fn called(&self, place: &PlaceId) {
        self.hall.post.note_call(place);
    }

    fn whispered(&self, place: &PlaceId) {
        self.hall.post.note_hand(place);
    }

    fn has_room(&self, place: &PlaceId, priority: HandPriority) -> bool {
        self.hall.post.has_room(place, priority)
    }

    fn is_crowded(&self, place: &PlaceId) -> bool {
        self.hall.post.is_crowded(place)
    }

    async fn means_changed(&self, place: &PlaceId) {
        if let Err(failure) = self.hall.desk.means_changed(place).await {
            tracing::error!(place = %place.0, %failure, "boards do not get other buttons");
        }
    }
}

/// What failed is noted: whoever looks is told that there is nothing for them.
fn looked<T>(found: Result<Option<T>, Failure>) -> Option<T> {
    let told = |failure| tracing::error!(%failure, "a guest of the page could not be answered");
    found.map_err(told).ok().flatten()
}

#[async_trait]
impl Guests for Service {
    async fn sign_in(&self, proof: &Proof, mark: &str) -> Result<Entrance, Unproven> {
        match self.hall.desk.sign_in(proof, mark).await {
            Ok(entered) => entered,
            Err(failure) => {
                tracing::error!(%failure, "somebody could not sign in");
                Err(Unproven::Unreachable)
            }
        }
    }

    async fn guest(&self, mark: &str) -> Option<Guest> {
        looked(self.hall.desk.guest(mark).await)
    }

    async fn sign_out(&self, mark: &str) {
        looked(self.hall.desk.sign_out(mark).await.map(Some));
    }

    async fn sees(&self, guest: &Guest, table: &TableId, looking: Looking) -> Option<String> {
        looked(self.hall.desk.guest_state(guest, table, looking).await)
    }

    async fn shows(&self, guest: &Guest, look: Look) -> Option<String> {
        looked(self.hall.desk.guest_show(guest, look).await)
    }

    async fn tables(&self, guest: &Guest) -> Option<String> {
        looked(self.hall.desk.guest_tables(guest).await.map(Some))
    }

    async fn press(
        &self,
        guest: &Guest,
        table: &TableId,
        press: &str,
        key: &str,
    ) -> Option<Vec<Whisper>> {
        if self.hall.tasks.is_stopping() {
            return None;
        }
        let (desk, asked, arrival) = (self.hall.desk.clone(), guest.clone(), self.arrival());
        let (table, press, by) = (table.clone(), press.to_owned(), key.to_owned());
        let pressed = async move { desk.guest_press(&asked, &table, (&press, &by), arrival).await };
        match self.unless_silent(pressed).await {
            Some(Err(Failure::Store(_))) | None => {
                Some(self.hall.desk.guest_unsaved(guest, key).await)
            }
            Some(pressed) => looked(pressed),
        }
    }

    async fn changed(&self, guest: &Guest, table: &TableId, since: Option<u64>) -> Option<u64> {
        looked(self.hall.desk.guest_changed(guest, table, since).await)
    }
}
