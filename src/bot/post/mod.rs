//! What goes out: one sender for each place that has something to be told, under the budget of its
//! chat.
//!
//! What is decided and not yet said stands in the outbox, see [`outbox`]; [`sender`] takes it from
//! there, [`boards`] and [`hands`] say it, [`letters`] puts it into words and pictures.

mod boards;
mod budget;
mod credit;
mod films;
mod hands;
mod keyboards;
mod leases;
mod letters;
mod lists;
mod looking;
mod message;
mod numbers;
mod onlookers;
mod outbox;
mod pacing;
mod record;
mod seen;
mod sender;
mod state;
mod unshown;
mod wishes;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, RwLock, Weak};

use crate::ledger::rows::BoardState;
use crate::ledger::tasks::Tasks;
use crate::ledger::{Failure, Ledger, keys};
use crate::minds::Minds;
use caravanserai_games::ids::{MessageId, PersonId, PlaceId, TableId};
use caravanserai_protocol::guests::{Unproven, Vouched};
use caravanserai_protocol::hands::Means;
use caravanserai_protocol::{Door, HandPriority, Manners, Platform, SendError, Whisper, Window};
use caravanserai_store::{Change, Space, next_change};
use caravanserai_table::fold::Table;
use outbox::Lane;
use tokio::sync::Notify;

pub use films::{moment_texts, replay_entry, review_entry, review_note};
pub use keyboards::SLIDING_MS;
pub use letters::Letters;
pub use record::LOG_MARK;

/// How long the same replay or review is not posted twice in a place, in milliseconds.
pub const AGAIN_MS: u64 = 10 * 60_000;

/// So many calls a minute a place stands where computers are shown turn by turn.
const FOLLOWED: u32 = 50;

/// At most so many entries are looked at together.
const PAGE: usize = 200;

/// Sends to all platforms.
pub struct Post {
    /// This very value, for tasks that outlive a call.
    me: Weak<Post>,
    ledger: Arc<Ledger>,
    minds: Arc<Minds>,
    letters: Arc<Letters>,
    tasks: Tasks,
    platforms: RwLock<HashMap<&'static str, Arc<dyn Platform>>>,
    /// Places with a sender at work, by what it sends.
    senders: Mutex<HashMap<(PlaceId, Lane), Awake>>,
    keyboards: keyboards::Keyboards,
    numbers: numbers::ShownNumbers,
    unseen: seen::Unseen,
    unshown: unshown::UnshownHands,
    budgets: budget::Budgets,
    /// The chats that this process has for itself, and until when by its own clock.
    leases: Mutex<HashMap<String, u64>>,
    alive: Mutex<leases::Alive>,
    /// Places of chats that another process has for itself: looked at again later.
    taken: Mutex<BTreeSet<PlaceId>>,
}

/// A sender at work.
#[derive(Default)]
struct Awake {
    /// Whether something was added meanwhile.
    more: bool,
    /// Rings when something is.
    bell: Arc<Notify>,
}

impl Post {
    /// Nothing is sent yet.
    pub fn new(
        ledger: Arc<Ledger>,
        minds: Arc<Minds>,
        letters: Arc<Letters>,
        tasks: Tasks,
    ) -> Arc<Self> {
        Arc::new_cyclic(|me| Post {
            me: me.clone(),
            ledger,
            minds,
            letters,
            tasks,
            platforms: RwLock::default(),
            senders: Mutex::default(),
            budgets: budget::Budgets::default(),
            keyboards: keyboards::Keyboards::new(),
            numbers: numbers::ShownNumbers::default(),
            unseen: seen::Unseen::default(),
            unshown: unshown::UnshownHands::default(),
            leases: Mutex::default(),
            alive: Mutex::default(),
            taken: Mutex::default(),
        })
    }

    /// Lets a platform be spoken to.
    pub fn add_platform(&self, platform: Arc<dyn Platform>) {
        let mut platforms = self.platforms.write().expect("nothing panics with this lock");
        platforms.insert(platform.name(), platform);
    }

    /// The platform of a place, if it is there.
    pub fn platform(&self, place: &PlaceId) -> Option<Arc<dyn Platform>> {
        let platforms = self.platforms.read().expect("nothing panics while holding this lock");
        platforms.get(place.platform()).cloned()
    }

    /// How many calls a minute a place stands, and what the clock shows that never jumps.
    fn stands(&self, place: &PlaceId) -> Option<(u32, u64)> {
        let per_minute = self.platform(place)?.calls_per_minute(place);
        Some((per_minute, self.ledger.clock().monotonic_ms()))
    }

    /// The adapter made a call in this place by itself: it uses up the budget of its chat.
    pub fn note_call(&self, place: &PlaceId) {
        if let Some((per_minute, now_ms)) = self.stands(place) {
            self.budgets.note_beside(place.chat(), per_minute, now_ms);
        }
    }

    /// Somebody's deed in this place led to this version of a table; it was heard at that time of
    /// the clock that never jumps.
    pub fn done(&self, person: &PersonId, at: (&TableId, &PlaceId), version: u64, since_ms: u64) {
        self.unseen.done(person, at, version, since_ms);
    }

    /// A message with these buttons is shown to somebody alone in answer to what they did.
    pub fn shows_alone(&self, person: &PersonId, whisper: &Whisper) {
        let Some(slot) = &whisper.slot else { return };
        self.unshown.shown(slot, person);
        let now_ms = self.ledger.clock().monotonic_ms();
        self.keyboards.show(&format!("{slot} {}", person.0), whisper.message.buttons(), now_ms);
    }

    /// Whether somebody presses this because it has just slid under their finger: under a board,
    /// or in what they were shown under that slot. `None` if this process has not shown it.
    pub fn slid(
        &self,
        person: &PersonId,
        (place, message): (&PlaceId, &MessageId),
        slot: &str,
        press: &str,
    ) -> Option<bool> {
        let now_ms = self.ledger.clock().monotonic_ms();
        let names = [format!("{} {}", place.0, message.0), format!("{slot} {}", person.0)];
        let slid = |name: &String| self.keyboards.slid(name, &person.0, press, now_ms);
        names.iter().find_map(slid)
    }

    /// A person is shown their cards at a table with the numbers that play them.
    pub fn show_numbers(&self, person: &PersonId, table: &TableId, cards: Vec<String>) {
        self.numbers.show(person, table, cards, self.ledger.clock().monotonic_ms());
    }

    /// Whether this is the order in which a person was last shown their numbered cards.
    pub fn has_shown_numbers(&self, person: &PersonId, table: &TableId, cards: &[String]) -> bool {
        self.numbers.are_known(person, table, cards, self.ledger.clock().monotonic_ms())
    }

    /// The adapter has shown something to one person alone.
    pub fn note_hand(&self, place: &PlaceId) {
        if let Some((per_minute, now_ms)) = self.stands(place) {
            self.budgets.note_hand(place.chat(), per_minute, now_ms);
        }
    }

    /// Whether a player who asks for their hand in this place can be shown it now.
    pub fn has_room(&self, place: &PlaceId, priority: HandPriority) -> bool {
        self.stands(place).is_none_or(|(per_minute, now_ms)| {
            self.budgets.has_room(place.chat(), per_minute, now_ms, priority)
        })
    }

    /// Whether the call limit of this place leaves room for hands of players who are not to move.
    pub fn has_plenty(&self, place: &PlaceId) -> bool {
        self.stands(place).is_none_or(|(per_minute, now_ms)| {
            self.budgets.is_plenty(place.chat(), per_minute, now_ms)
        })
    }

    /// Whether hands could not be shown in this place recently, so that cards are played by
    /// numbers.
    pub fn is_crowded(&self, place: &PlaceId) -> bool {
        self.stands(place).is_some_and(|(per_minute, now_ms)| {
            self.budgets.is_crowded(place.chat(), per_minute, now_ms)
        })
    }

    /// Whether boards come later there than they could.
    fn is_brake(&self, place: &PlaceId) -> bool {
        self.stands(place).is_some_and(|(per_minute, now_ms)| {
            self.budgets.is_brake(place.chat(), per_minute, now_ms)
        })
    }

    /// Whether every place of a table stands it that computers are shown turn by turn; where it
    /// does not, one edit tells all.
    pub fn follows(&self, table: &Table) -> bool {
        let stands = |place: &PlaceId| self.stands(place).is_none_or(|(most, _)| most >= FOLLOWED);
        table.places().all(stands)
    }

    /// How hands can be shown in a place.
    pub fn means(&self, place: &PlaceId) -> Means {
        let buttons = self.platform(place).is_none_or(|it| it.whispers_buttons(place));
        if buttons { Means::Buttons } else { Means::Slots }
    }

    /// Whether a place is one message, with nothing beside it.
    pub fn is_sole(&self, place: &PlaceId) -> bool {
        self.platform(place).is_some_and(|it| it.only_message(place).is_some())
    }

    /// The standing message of a table in a place.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn live_board(
        &self,
        table: &Table,
        place: &PlaceId,
    ) -> Result<Option<MessageId>, Failure> {
        Ok(self.board_state(table, place).await?.message)
    }

    /// The messages of a table in a place.
    async fn board_state(&self, table: &Table, place: &PlaceId) -> Result<BoardState, Failure> {
        let key = keys::board(&table.id, place);
        Ok(BoardState::read(self.ledger.value(Space::Board, &key).await?))
    }

    /// An address that opens the board of this table in a place.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn link(&self, table: &Table, place: &PlaceId) -> Result<Option<String>, Failure> {
        let Some(message) = self.live_board(table, place).await? else { return Ok(None) };
        let Some(platform) = self.platform(place) else { return Ok(None) };
        platform.catch_up(place).await;
        Ok(platform.link(place, &message))
    }

    /// The place where the bot speaks with somebody alone.
    ///
    /// # Errors
    /// As [`Platform::private_place`].
    pub async fn private_place(&self, person: &PersonId) -> Result<PlaceId, SendError> {
        let platform = self.platform(&PlaceId(person.0.clone()));
        let none = || SendError::Temporary("the platform is not there".to_owned());
        platform.ok_or_else(none)?.private_place(person).await
    }

    /// The addresses on all platforms by which people come to the table of this code.
    pub fn doors(&self, code: &str) -> Vec<Door> {
        let platforms = self.platforms.read().expect("nothing panics while holding this lock");
        let mut named: Vec<_> = platforms.iter().collect();
        named.sort_unstable_by_key(|(name, _)| **name);
        named.into_iter().flat_map(|(_, platform)| platform.doors(code)).collect()
    }

    /// Whether the platform says that somebody keeps order in a place.
    pub async fn keeps_order(&self, place: &PlaceId, person: &PersonId) -> bool {
        match self.platform(place) {
            Some(platform) => platform.keeps_order(place, person).await,
            None => false,
        }
    }

    /// An address by which somebody begins their private chat with the bot, with the code of a
    /// table.
    pub fn private_door(&self, place: &PlaceId, code: &str) -> Option<String> {
        self.platform(place)?.private_door(code)
    }

    /// The public address of the page on which boards are played, if there is one.
    pub fn page(&self) -> Option<String> {
        let platforms = self.platforms.read().expect("nothing panics while holding this lock");
        platforms.values().find_map(|it| it.page())
    }

    /// Whether a place is on that page already.
    pub fn is_page(&self, place: &PlaceId) -> bool {
        self.platform(place).is_some_and(|it| it.page().is_some())
    }

    /// How the board of a table is opened from a place, outside of the chat.
    pub fn window(&self, place: &PlaceId, alone: bool, code: Option<&str>) -> Option<Window> {
        self.platform(place)?.window(place, alone, code)
    }

    /// Who somebody is by what the client of a platform says of them.
    ///
    /// # Errors
    /// As [`Platform::vouch`]; also when the platform is not there.
    pub async fn vouch(
        &self,
        platform: &str,
        data: &str,
        instance: Option<&str>,
    ) -> Result<Vouched, Unproven> {
        let platform = {
            let all = self.platforms.read().expect("nothing panics while holding this lock");
            all.get(platform).cloned()
        };
        platform.ok_or(Unproven::Unreachable)?.vouch(data, instance).await
    }

    /// Whether the platform says that somebody is in a place.
    pub async fn is_member(&self, place: &PlaceId, person: &PersonId) -> bool {
        match self.platform(place) {
            Some(platform) => platform.is_member(place, person).await,
            None => false,
        }
    }

    /// How people there are spoken with.
    pub fn manners(&self, place: &PlaceId) -> Manners {
        self.platform(place).map(|it| it.manners()).unwrap_or_default()
    }

    /// Takes up what was not sent yet to places whose ids begin so: after a start everywhere,
    /// later in a chat with all its topics.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn resume(&self, places: &str) -> Result<(), Failure> {
        let mut after: Option<String> = None;
        loop {
            let store = self.ledger.store();
            let rows = store.scan(Space::Outbox, places, after.as_deref(), PAGE).await?;
            let Some((last, _)) = rows.last() else { return Ok(()) };
            after = Some(last.clone());
            for (key, _) in &rows {
                let place = key.split(' ').next().unwrap_or_default();
                self.wake(&PlaceId(place.to_owned()));
            }
        }
    }

    /// Takes up what waits in a chat that can be spoken to again.
    pub fn resume_chat(&self, chat: &str) {
        let Some(post) = self.me.upgrade() else { return };
        let chat = chat.to_owned();
        self.tasks.spawn(async move {
            if let Err(failure) = post.resume(&chat).await {
                tracing::error!(chat, %failure, "could not look at what is not sent yet");
            }
        });
    }

    /// Hears of what other processes have written, until the bot stops.
    pub async fn listen(&self) {
        let mut changes = self.ledger.store().changes();
        loop {
            let change = tokio::select! {
                biased;
                () = self.tasks.stopping() => return,
                change = next_change(&mut changes) => change,
            };
            match change {
                Some(Change::Topic(topic)) => self.noticed(&topic),
                Some(Change::Everything) => {
                    if let Err(failure) = self.resume("").await {
                        tracing::error!(%failure, "could not look at what is not sent yet");
                    }
                }
                None => return,
            }
        }
    }

    fn noticed(&self, topic: &str) {
        let mut words = topic.split(' ');
        let (kind, place, teller) = (words.next(), words.next(), words.next());
        if let (Some("place"), Some(place), Some(teller)) = (kind, place, teller)
            && teller != self.ledger.replica()
        {
            self.wake(&PlaceId(place.to_owned()));
        }
    }
}
