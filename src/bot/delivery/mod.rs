//! Sends messages to all platforms, within the call limit of each chat.
//!
//! Messages that are decided but not sent yet wait in the `outbox`. A `send_worker` per chat
//! takes them from there, `board_message` and `hand_message` send them, and
//! `message_renderer` renders views as text and pictures.
//!
//! Start reading at `send_worker`.

pub mod account_stores;
mod adapter_messages;
mod board_message;
mod chat_calls;
mod chat_lease;
mod circuit_breaker;
mod clock_refund;
mod failed_hands;
mod forbidden_chat_pause;
mod hand_message;
mod lost_board;
mod message_renderer;
mod misclick_guard;
mod outbox;
mod ping_preferences;
mod rate_limits;
mod record_file;
mod replay_posts;
mod send_permits;
mod send_worker;
mod shown_numbers;
mod spectators;
mod table_list;
mod table_message;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::{Mutex, RwLock};

use crate::repository::background_tasks::BackgroundTasks;
use crate::repository::outbox_key::OutboxKey;
use crate::repository::stored_rows::BoardState;
use crate::repository::{Failure, MINUTE_MS, Repository, keys};
use crate::views::hand_views::HandDelivery;
use crate::workers::Workers;
use account_stores::AccountStores;
use caravanserai_games::ids::{ChatId, ChatKind, MessageId, PersonId};
use caravanserai_protocol::guest_service::{AuthError, VerifiedUser};
use caravanserai_protocol::{
    AppLink, Capabilities, ChatLookup, EphemeralReply, HandPriority, InviteLink, Platform,
    SendError,
};
use caravanserai_store::{Space, StoreChange, next_change};
use caravanserai_table::state::Table;
use outbox::SendLane;
use tokio::sync::Notify;

pub use forbidden_chat_pause::find_paused_chats;
pub use message_renderer::MessageRenderer;
pub use misclick_guard::MISCLICK_WINDOW_MS;

/// The minimum time between two posts of the same replay or review in a chat, in milliseconds.
pub const REPOST_INTERVAL_MS: u64 = 10 * MINUTE_MS;

/// The call limit per minute that a chat needs so that the moves of computers are shown turn by
/// turn.
const CALLS_FOR_TURN_BY_TURN: u32 = 50;

/// The most outbox entries that are read at once.
const OUTBOX_PAGE: usize = 200;

/// Sends messages to all platforms.
pub struct Delivery {
    /// A reference to this value, for tasks that outlive a call.
    weak_self: Weak<Delivery>,
    repository: Arc<Repository>,
    workers: Arc<Workers>,
    message_renderer: Arc<MessageRenderer>,
    tasks: BackgroundTasks,
    /// The connected platforms by name.
    platforms: Arc<RwLock<HashMap<&'static str, Arc<dyn Platform>>>>,
    /// The active sender of each chat and lane.
    senders: Mutex<HashMap<(ChatId, SendLane), ActiveSender>>,
    send_permits: send_permits::SendPermits,
    misclick_guard: misclick_guard::MisclickGuard,
    shown_numbers: shown_numbers::ShownNumbers,
    failed_hands: failed_hands::FailedHands,
    rate_limits: rate_limits::ChatRateLimits,
    circuit_breaker: circuit_breaker::CircuitBreaker,
    /// The leased chats of this process with the end of each lease, in milliseconds of the
    /// monotonic clock.
    leases: Mutex<BTreeMap<String, u64>>,
    heartbeat: Mutex<chat_lease::HeartbeatState>,
    /// Places of chats that another process has leased; they are retried later.
    chats_leased_elsewhere: Mutex<BTreeSet<ChatId>>,
    /// Places that forbade the bot to write, with their pauses; they are retried after these.
    paused_chats: Mutex<BTreeMap<ChatId, forbidden_chat_pause::SendPause>>,
    /// Whether entries of other processes may have been missed, because the outbox could not be
    /// read.
    has_missed_entries: AtomicBool,
}

/// An active sender.
#[derive(Default)]
struct ActiveSender {
    /// Whether an entry was added while the sender was working.
    has_more: bool,
    /// Notified when an entry is added.
    added: Arc<Notify>,
}

impl Delivery {
    /// Creates a delivery without platforms; nothing is sent yet.
    pub fn new(
        repository: Arc<Repository>,
        workers: Arc<Workers>,
        message_renderer: Arc<MessageRenderer>,
        tasks: BackgroundTasks,
    ) -> Arc<Self> {
        let platforms = message_renderer.platforms.clone();
        Arc::new_cyclic(|me| Delivery {
            weak_self: me.clone(),
            repository,
            workers,
            message_renderer,
            tasks,
            platforms,
            senders: Mutex::default(),
            send_permits: send_permits::SendPermits::default(),
            rate_limits: rate_limits::ChatRateLimits::default(),
            circuit_breaker: circuit_breaker::CircuitBreaker::default(),
            misclick_guard: misclick_guard::MisclickGuard::new(),
            shown_numbers: shown_numbers::ShownNumbers::default(),
            failed_hands: failed_hands::FailedHands::default(),
            leases: Mutex::default(),
            heartbeat: Mutex::default(),
            chats_leased_elsewhere: Mutex::default(),
            paused_chats: Mutex::default(),
            has_missed_entries: AtomicBool::new(false),
        })
    }

    /// Adds a platform that messages can be sent to.
    pub fn add_platform(&self, platform: Arc<dyn Platform>) {
        let mut platforms = self.platforms.write();
        platforms.insert(platform.name(), platform);
    }

    /// The platform of a chat, if it is connected.
    pub fn platform(&self, chat: &ChatId) -> Option<Arc<dyn Platform>> {
        let platforms = self.platforms.read();
        platforms.get(chat.platform()).cloned()
    }

    /// The call limit of a chat per minute, and the monotonic time in milliseconds.
    fn rate_limit(&self, chat: &ChatId) -> Option<(u32, u64)> {
        let per_minute = self.platform(chat)?.call_limit_per_minute(chat);
        Some((per_minute, self.repository.time_source().monotonic_ms()))
    }

    /// Counts a call that an adapter made in this chat by itself against the limit of the chat with
    /// its topics.
    pub fn record_call(&self, chat: &ChatId) {
        if let Some((per_minute, now_ms)) = self.rate_limit(chat) {
            self.rate_limits.record_unqueued_call(chat.without_topic(), per_minute, now_ms);
        }
    }

    /// Records the buttons of a message that a person is shown privately in reply to their action.
    pub fn record_private_keyboard(&self, person: &PersonId, reply: &EphemeralReply) {
        let Some(slot) = &reply.slot else { return };
        self.failed_hands.clear_failure(slot, person);
        let now_ms = self.repository.time_source().monotonic_ms();
        self.misclick_guard.set_keyboard(
            &format!("{slot} {}", person.0),
            reply.message.buttons(),
            now_ms,
        );
    }

    /// Whether a person pressed this button because it has just moved under their finger: under a
    /// board, or in the private message of that slot. `None` if this process has not shown the
    /// button.
    pub fn is_misclick(
        &self,
        person: &PersonId,
        (chat, message): (&ChatId, &MessageId),
        slot: &str,
        callback_data: &str,
    ) -> Option<bool> {
        let now_ms = self.repository.time_source().monotonic_ms();
        let names = [format!("{} {}", chat.0, message.0), format!("{slot} {}", person.0)];
        let is_misclick =
            |name: &String| self.misclick_guard.is_misclick(name, &person.0, callback_data, now_ms);
        names.iter().find_map(is_misclick)
    }

    /// Counts a message that an adapter has shown to one person privately.
    pub fn record_ephemeral_call(&self, chat: &ChatId) {
        if let Some((per_minute, now_ms)) = self.rate_limit(chat) {
            self.rate_limits.record_ephemeral_call(chat.without_topic(), per_minute, now_ms);
        }
    }

    /// Whether a player who requests their hand in this chat can be shown it now.
    pub fn has_hand_budget(&self, chat: &ChatId, priority: HandPriority) -> bool {
        self.rate_limit(chat).is_none_or(|(per_minute, now_ms)| {
            self.rate_limits.has_hand_budget(chat.without_topic(), per_minute, now_ms, priority)
        })
    }

    /// Whether enough calls are left in this chat for the hands of players who are not to move.
    pub fn has_spare_calls(&self, chat: &ChatId) -> bool {
        self.rate_limit(chat).is_none_or(|(per_minute, now_ms)| {
            self.rate_limits.has_spare_calls(chat.without_topic(), per_minute, now_ms)
        })
    }

    /// Whether hands could not be shown in this chat recently, so that cards are played by
    /// numbers.
    pub fn are_hands_limited(&self, chat: &ChatId) -> bool {
        self.rate_limit(chat).is_some_and(|(per_minute, now_ms)| {
            self.rate_limits.are_hands_limited(chat.without_topic(), per_minute, now_ms)
        })
    }

    /// Whether the call limit delays boards in this chat.
    fn are_boards_delayed(&self, chat: &ChatId) -> bool {
        self.rate_limit(chat).is_some_and(|(per_minute, now_ms)| {
            self.rate_limits.are_boards_delayed(chat.without_topic(), per_minute, now_ms)
        })
    }

    /// Whether the call limits of all chats of a table allow each move of a computer to be shown
    /// separately; otherwise one edit shows all of them.
    pub fn can_follow_turns(&self, table: &Table) -> bool {
        let is_fast_enough = |chat: &ChatId| {
            self.rate_limit(chat).is_none_or(|(most, _)| most >= CALLS_FOR_TURN_BY_TURN)
        };
        table.chats.ids().all(is_fast_enough)
    }

    /// How hands can be shown in a chat.
    pub fn hand_delivery(&self, chat: &ChatId) -> HandDelivery {
        let buttons = self.platform(chat).is_none_or(|it| {
            it.ephemeral_messages().is_none_or(|it| it.has_ephemeral_buttons(chat))
        });
        if buttons { HandDelivery::Buttons } else { HandDelivery::NumberedButtons }
    }

    /// Whether a chat has a single message and no other messages beside it.
    pub fn is_single_message_chat(&self, chat: &ChatId) -> bool {
        self.platform(chat).is_some_and(|it| only_message(&*it, chat).is_some())
    }

    /// The live board message of a table in a chat.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn live_board(
        &self,
        table: &Table,
        chat: &ChatId,
    ) -> Result<Option<MessageId>, Failure> {
        Ok(self.board_state(table, chat).await?.message)
    }

    /// The messages of a table in a chat.
    async fn board_state(&self, table: &Table, chat: &ChatId) -> Result<BoardState, Failure> {
        let key = keys::board(&table.id, chat);
        Ok(BoardState::decode(self.repository.read_value(Space::Board, &key).await?))
    }

    /// A link that opens the board of this table in a chat.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn board_url(&self, table: &Table, chat: &ChatId) -> Result<Option<String>, Failure> {
        let Some(message) = self.live_board(table, chat).await? else { return Ok(None) };
        let Some(platform) = self.platform(chat) else { return Ok(None) };
        let Some(messages) = platform.message_lookup() else { return Ok(None) };
        messages.refresh_chat_state(chat).await;
        Ok(messages.message_link(chat, &message))
    }

    /// A person's private chat with the bot.
    ///
    /// # Errors
    /// As [`private_chat`](caravanserai_protocol::PrivateChats::private_chat);
    /// [`SendError::Refused`] where the platform has no private chats.
    pub async fn private_chat_id(&self, person: &PersonId) -> Result<ChatId, SendError> {
        let platform = self.platform(&ChatId(person.0.clone()));
        let not_connected = || SendError::Temporary("the platform is not connected".to_owned());
        let platform = platform.ok_or_else(not_connected)?;
        let no_private_chats = || SendError::Refused("there are no private chats".to_owned());
        platform.private_chats().ok_or_else(no_private_chats)?.private_chat(person).await
    }

    /// The private chat with a person, if its id follows from that of the person.
    pub fn derived_private_chat(&self, person: &PersonId) -> Option<ChatId> {
        let platform = self.platform(&ChatId(person.0.clone()))?;
        platform.private_chats()?.derived_private_chat(person)
    }

    /// The data that platforms themselves store about people.
    pub fn account_stores(&self) -> AccountStores {
        self.message_renderer.account_stores()
    }

    /// Links on all platforms that lead people to the table with this code.
    pub fn invite_links(&self, code: &str) -> Vec<InviteLink> {
        let platforms = self.platforms.read();
        let mut by_name: Vec<_> = platforms.iter().collect();
        by_name.sort_unstable_by_key(|(name, _)| **name);
        let links = by_name.into_iter().filter_map(|(_, platform)| platform.invite_links());
        links.flat_map(|it| it.table_links(code)).collect()
    }

    /// Whether the platform reports a person as an administrator of a chat.
    pub async fn is_admin(&self, chat: &ChatId, person: &PersonId) -> bool {
        let platform = self.platform(chat);
        match platform.as_ref().and_then(|it| it.member_lookup()) {
            Some(members) => members.is_chat_admin(chat, person).await,
            None => false,
        }
    }

    /// A link that starts a private chat with the bot, with the code of a table.
    pub fn private_invite_link(&self, chat: &ChatId, code: &str) -> Option<String> {
        self.platform(chat)?.invite_links()?.private_chat_link(code)
    }

    /// The public address of the web page for boards, if there is one.
    pub fn page_url(&self) -> Option<String> {
        let platforms = self.platforms.read();
        platforms.values().find_map(|it| it.capabilities().page_url)
    }

    /// Whether a chat is on that web page itself.
    pub fn is_page(&self, chat: &ChatId) -> bool {
        self.capabilities(chat).page_url.is_some()
    }

    /// The link that opens the board of a table outside of a chat.
    pub fn app_link(&self, chat: &ChatId, kind: ChatKind, code: Option<&str>) -> Option<AppLink> {
        self.platform(chat)?.app_windows()?.board_link(chat, kind, code)
    }

    /// Verifies a user by the data that the client of a platform sent.
    ///
    /// # Errors
    /// As [`verify_user`](caravanserai_protocol::AppWindows::verify_user); also when the platform
    /// is not connected or has no windows.
    pub async fn verify_user(
        &self,
        platform: &str,
        data: &str,
        instance: Option<&str>,
    ) -> Result<VerifiedUser, AuthError> {
        let platform = {
            let all = self.platforms.read();
            all.get(platform).cloned()
        };
        let platform = platform.ok_or(AuthError::Unreachable)?;
        let windows = platform.app_windows().ok_or(AuthError::Unreachable)?;
        windows.verify_user(data, instance).await
    }

    /// Whether the platform reports a person as a member of a chat.
    pub async fn is_member(&self, chat: &ChatId, person: &PersonId) -> bool {
        let platform = self.platform(chat);
        match platform.as_ref().and_then(|it| it.member_lookup()) {
            Some(members) => members.is_member(chat, person).await,
            None => false,
        }
    }

    /// Finds the chat that an operator means by this id.
    pub fn find_chat(&self, id: &ChatId) -> ChatLookup {
        self.platform(id).map_or(ChatLookup::Unsupported, |it| it.find_chat(id))
    }

    /// The capabilities of the platform of a chat; the defaults if it is not connected.
    pub fn capabilities(&self, chat: &ChatId) -> Capabilities {
        self.platform(chat).map(|it| it.capabilities()).unwrap_or_default()
    }

    /// Wakes the senders of all chats with unsent entries whose ids begin with `chats`: all
    /// chats after a start, later a chat with all its topics.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn resume_sending(&self, chats: &str) -> Result<(), Failure> {
        let mut after: Option<String> = None;
        loop {
            let store = self.repository.store();
            let rows = store.scan(Space::Outbox, chats, after.as_deref(), OUTBOX_PAGE).await?;
            let Some((last, _)) = rows.last() else { return Ok(()) };
            after = Some(last.clone());
            for (key, _) in &rows {
                self.wake_senders(&OutboxKey::chat_of(key));
            }
        }
    }

    /// Resumes sending to a chat that can be reached again.
    pub fn resume_chat(&self, chat: &str) {
        let Some(delivery) = self.weak_self.upgrade() else { return };
        let chat = chat.to_owned();
        self.tasks.spawn(async move {
            if let Err(failure) = delivery.resume_sending(&chat).await {
                tracing::error!(chat, %failure, "failed to resume sending");
            }
        });
    }

    /// Wakes senders when another process has written to the outbox, until the bot stops.
    pub async fn watch_store_changes(&self) {
        let mut changes = self.repository.store().subscribe_changes();
        loop {
            let change = tokio::select! {
                biased;
                () = self.tasks.wait_for_stop() => return,
                change = next_change(&mut changes) => change,
            };
            match change {
                Some(StoreChange::Topic(topic)) => self.handle_store_change(&topic),
                Some(StoreChange::All) => {
                    self.resume_sending_or_retry().await;
                }
                None => return,
            }
        }
    }

    /// Wakes the senders of all chats with entries. If the outbox cannot be read, the scheduler
    /// repeats it soon.
    pub(crate) async fn resume_sending_or_retry(&self) {
        self.has_missed_entries.store(false, Ordering::Relaxed);
        if let Err(failure) = self.resume_sending("").await {
            tracing::error!(%failure, "failed to resume sending");
            self.has_missed_entries.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the senders have to be woken once more.
    pub(crate) fn has_missed_entries(&self) -> bool {
        self.has_missed_entries.load(Ordering::Relaxed)
    }

    fn handle_store_change(&self, topic: &str) {
        let mut words = topic.split(' ');
        let kind = words.next();
        let chat = words.next();
        let replica = words.next();
        let (Some("place"), Some(chat), Some(replica)) = (kind, chat, replica) else { return };
        let chat = ChatId(chat.to_owned());
        // Senders are woken with the result of a commit, but some commits are made after they
        // seemed to fail.
        if replica != self.repository.replica() || self.repository.take_uncertain_chat(&chat) {
            self.wake_senders(&chat);
        }
    }
}

/// The only message of a chat, if the chat consists of a single message.
fn only_message(platform: &dyn Platform, chat: &ChatId) -> Option<MessageId> {
    platform.inline_boards()?.only_message(chat)
}
