//! Simulates the platforms: the messages in their chats, and the calls that they refuse or limit.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use async_trait::async_trait;

use super::chance::Chance;
use super::fault_injection::Call;
use super::fault_rates::SimFeature;
use super::inline_challenges::{only, private_chat_link};
use super::processes::ProcessRun;
use super::refused_messages::RefusedMessages;
use super::secrets::{self, Rights};
use super::world::World;
use caravanserai_games::ids::{ChatId, MessageId, PersonId};
use caravanserai_protocol::{
    Capabilities, EphemeralMessages, InlineBoards, InviteLink, InviteLinks, MessageLookup,
    OutgoingMessage, Platform, PrivateChats, PrivateMessage, PublicGroups, SendError, SingleReader,
};
use caravanserai_table::state::Table;

/// The number of stored messages of a chat; older ones can no longer be edited.
const MESSAGES_MAX: usize = 60;

/// The number of stored private messages of a person.
const PRIVATE_MESSAGES_MAX: usize = 12;

/// The error of a call that was made although it failed.
const LOST: &str = "made to lose the answer";

/// A kind of platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlatformKind {
    /// The prefix of its ids.
    pub name: &'static str,
    /// The call limit per minute that the adapter reports for a group.
    pub per_minute: u32,
    /// The number of calls that the platform really accepts in a group within a minute.
    pub accepted_per_minute: usize,
    /// Whether a second copy of a message is recognised by its nonce.
    pub deduplicates_by_nonce: bool,
    /// Whether private answers have buttons of their own.
    pub buttons: bool,
    /// Whether unconfirmed updates are delivered again after a restart.
    pub redelivers_updates: bool,
    /// Whether the bot learns of a deleted group or topic.
    pub reports_deletions: bool,
    /// Whether people can send inline results in chats where the bot is not a member, and open the
    /// private chat by a link.
    pub has_inline_mode: bool,
}

impl PlatformKind {
    /// The platform with this prefix.
    pub fn named(platform: &str) -> Option<Self> {
        PLATFORM_KINDS.into_iter().find(|it| it.name == platform)
    }
}

/// The platforms: similar to Telegram, Discord and the built-in chat.
pub const PLATFORM_KINDS: [PlatformKind; 3] = [
    PlatformKind {
        name: "tg",
        per_minute: 15,
        accepted_per_minute: 20,
        deduplicates_by_nonce: false,
        buttons: false,
        redelivers_updates: true,
        reports_deletions: false,
        has_inline_mode: true,
    },
    PlatformKind {
        name: "dc",
        per_minute: 60,
        accepted_per_minute: 300,
        deduplicates_by_nonce: true,
        buttons: true,
        redelivers_updates: false,
        reports_deletions: true,
        has_inline_mode: false,
    },
    PlatformKind {
        name: "web",
        per_minute: 60_000,
        accepted_per_minute: 1_000_000,
        deduplicates_by_nonce: true,
        buttons: true,
        redelivers_updates: true,
        reports_deletions: false,
        has_inline_mode: false,
    },
];

/// A message of the bot or, without a nonce, of a person.
#[derive(Clone, Debug)]
pub struct ChatMessage {
    /// Its number.
    pub id: u64,
    /// The nonce it was posted with.
    pub posted: String,
    /// The content.
    pub message: OutgoingMessage,
}

/// A private answer to one person.
#[derive(Clone, Debug)]
pub struct ReceivedPrivateMessage {
    /// The slot in which it replaces the earlier answer.
    pub slot: Option<String>,
    /// The chat where the person acted.
    pub chat: ChatId,
    /// The content.
    pub message: OutgoingMessage,
}

/// The messages in all chats of all platforms.
pub struct Chats {
    chance: Chance,
    /// The refusals of messages.
    pub(super) refusing: RefusedMessages,
    /// By chat, oldest first.
    pub chats: BTreeMap<ChatId, VecDeque<ChatMessage>>,
    /// The newest chats that are a single message, see [`only`].
    pub posed: VecDeque<ChatId>,
    /// The people who sent these messages, and all earlier ones.
    pub posers: BTreeMap<ChatId, PersonId>,
    /// By person, oldest first.
    pub told: BTreeMap<PersonId, VecDeque<ReceivedPrivateMessage>>,
    /// Chats where the bot may not write.
    pub closed: BTreeSet<String>,
    /// When the bot was last allowed again to write in a chat, by the wall clock.
    pub opened_ms: BTreeMap<String, u64>,
    /// Chats with a new id.
    pub moved: BTreeMap<String, ChatId>,
    /// Deleted topics, chats and private chats.
    pub vanished: BTreeSet<ChatId>,
    /// Boards that a person deleted: chat and table, with the version of the table then.
    pub bare: BTreeMap<(ChatId, String), u64>,
    /// Nonces of messages that may be there twice, because the answer to the post was lost.
    pub doubled: BTreeSet<String>,
    /// Messages that the bot failed to delete.
    pub left: BTreeSet<u64>,
    /// The times of the calls to each chat during the last minute.
    calls: BTreeMap<String, VecDeque<u64>>,
    next: u64,
}

impl Chats {
    /// Chats without messages.
    pub fn new(seed: u64) -> Self {
        Chats {
            chance: Chance::new(seed, "chats"),
            refusing: RefusedMessages::new(seed),
            chats: BTreeMap::new(),
            posed: VecDeque::new(),
            posers: BTreeMap::new(),
            told: BTreeMap::new(),
            closed: BTreeSet::new(),
            moved: BTreeMap::new(),
            vanished: BTreeSet::new(),
            opened_ms: BTreeMap::new(),
            bare: BTreeMap::new(),
            doubled: BTreeSet::new(),
            left: BTreeSet::new(),
            calls: BTreeMap::new(),
            next: 0,
        }
    }

    /// Puts a message at the bottom of a chat.
    pub fn put(&mut self, chat: &ChatId, message: OutgoingMessage) -> u64 {
        self.next += 1;
        let shown_message = self.chats.entry(chat.clone()).or_default();
        let posted = message.nonce.clone();
        shown_message.push_back(ChatMessage { id: self.next, posted, message });
        if shown_message.len() > MESSAGES_MAX {
            // Messages of people are removed first: those of the bot can always be edited.
            let talk = shown_message.iter().position(|it| it.message.nonce.is_empty());
            shown_message.remove(talk.unwrap_or_default());
        }
        self.next
    }

    /// Makes a new chat that consists of this message.
    pub fn new_only(&mut self, kind: &PlatformKind, message: OutgoingMessage) -> ChatId {
        let chat = ChatId(format!("{}:~{}", kind.name, self.next + 1));
        self.put(&chat, message);
        chat
    }

    /// Shows a private answer to a person; it replaces the one in the same slot.
    pub fn tell(&mut self, person: &PersonId, private: ReceivedPrivateMessage) {
        let private_messages = self.told.entry(person.clone()).or_default();
        private_messages.retain(|it| it.slot.is_none() || it.slot != private.slot);
        private_messages.push_back(private);
        if private_messages.len() > PRIVATE_MESSAGES_MAX {
            private_messages.pop_front();
        }
    }

    /// The board of a table in a chat: the newest message that is or was its board, if it still
    /// shows the table. Older boards may stay in a chat that keeps them.
    pub fn board(&self, chat: &ChatId, table: &str) -> Option<&ChatMessage> {
        let begins = format!("board {table} ");
        let all = self.chats.get(chat)?;
        let is_shown = |it: &ChatMessage| it.message.nonce.starts_with(&begins);
        let newest = all.iter().rev().find(|it| is_shown(it) || it.posted.starts_with(&begins));
        newest.filter(|it| is_shown(it))
    }

    /// A board of a table that people in a chat must not see once the players have closed the table
    /// to them: the current one, or an older one that still has buttons.
    pub fn visible_board(&self, chat: &ChatId, table: &str) -> Option<u64> {
        let begins = format!("board {table} ");
        let mut older = self.chats.get(chat)?.iter().filter(|it| self.is_live(it, &begins));
        self.board(chat, table).or_else(|| older.next()).map(|it| it.id)
    }

    /// Marks the last messages as possible duplicates: after a kill or a failed commit they may be
    /// posted again.
    pub fn may_repeat(&mut self) {
        let last = self.chats.values().flat_map(|all| all.iter().rev().take(8));
        let nonces: Vec<String> = last.map(|it| it.posted.clone()).collect();
        self.doubled.extend(nonces);
    }

    /// Whether the bot may write there and the chat still has this id.
    pub fn is_open(&self, chat: &ChatId) -> bool {
        let elsewhere = self.closed.contains(chat.without_topic())
            || self.moved.contains_key(chat.without_topic());
        !elsewhere && !self.has_vanished(chat)
    }

    /// Whether the topic or its whole chat is deleted.
    pub fn has_vanished(&self, chat: &ChatId) -> bool {
        self.vanished.iter().any(|it| it == chat || it.0 == chat.without_topic())
    }

    /// Whether a message shows a table, by the beginning of its nonce, with buttons, and nothing
    /// explains that it is still there.
    fn is_live(&self, shown: &ChatMessage, begins: &str) -> bool {
        shown.message.nonce.starts_with(begins)
            && !shown.message.buttons.is_empty()
            && !self.doubled.contains(&shown.posted)
            && !self.left.contains(&shown.id)
    }

    /// Two boards of one table in a chat that both have buttons, without a reason.
    pub fn two_boards(&self, chat: &ChatId, table: &str) -> Option<(u64, u64)> {
        let begins = format!("board {table} ");
        let mut live = self.chats.get(chat)?.iter().filter(|it| self.is_live(it, &begins));
        Some((live.next()?.id, live.next()?.id))
    }

    /// A board with buttons in a chat where the table is no longer shown, without a reason.
    pub fn left_behind(&self, table: &Table) -> Option<(&ChatId, u64)> {
        let begins = format!("board {} ", table.id.0);
        let is_left = |chat: &ChatId| table.chats.location_in(chat).is_none() && self.is_open(chat);
        let mut all = self.chats.iter().filter(|(chat, _)| is_left(chat));
        all.find_map(|(chat, all)| {
            let live = all.iter().find(|it| self.is_live(it, &begins));
            live.map(|it| (chat, it.id))
        })
    }

    /// The codes of tables with a board.
    pub fn codes(&self) -> BTreeSet<&str> {
        let nonces = self.chats.values().flatten().map(|it| it.message.nonce.as_str());
        nonces.filter_map(|it| it.strip_prefix("board ")?.split(' ').next()).collect()
    }

    /// A nonce of the bot that occurs twice in a chat, without a reason.
    pub fn said_twice(&self, chat: &ChatId) -> Option<&str> {
        let mut seen = BTreeSet::new();
        let own = self.chats.get(chat)?.iter().map(|it| it.posted.as_str());
        own.filter(|it| !it.is_empty() && !self.doubled.contains(*it)).find(|it| !seen.insert(*it))
    }

    /// Counts a call; returns the time to wait when the limit of the chat is reached.
    fn spend(&mut self, chat: &str, accepted_per_minute: usize, now_ms: u64) -> Option<u64> {
        let calls = self.calls.entry(chat.to_owned()).or_default();
        while calls.front().is_some_and(|at| at + 60_000 <= now_ms) {
            calls.pop_front();
        }
        if calls.len() >= accepted_per_minute {
            return calls.front().map(|at| (at + 60_000).saturating_sub(now_ms).max(1_000));
        }
        calls.push_back(now_ms);
        None
    }

    /// Deletes a message.
    pub fn delete(&mut self, chat: &ChatId, id: u64) {
        if let Some(all) = self.chats.get_mut(chat) {
            all.retain(|it| it.id != id);
        }
    }
}

/// The proof that a message has a single reader; the simulation checks it separately.
pub struct SimulatedReader;

impl SingleReader for SimulatedReader {}

/// A platform as one process knows it.
pub struct SimPlatform {
    /// The platform.
    pub kind: PlatformKind,
    /// The world.
    pub world: Arc<World>,
    /// The process.
    pub process_run: Arc<ProcessRun>,
}

impl SimPlatform {
    /// Makes a call with the delays and failures of the present fault rates.
    async fn call<T>(
        &self,
        what: &'static str,
        chat: &ChatId,
        words: String,
        act: impl FnOnce(&mut Chats) -> Result<T, SendError> + Send,
    ) -> Result<T, SendError> {
        let fault_rates = self.world.fault_rates();
        let (ms, fails, waits, hangs, loses_answer) = {
            let chats = self.world.chats.lock();
            let chance = &chats.chance;
            (
                chance.between(20, 300),
                chance.happens(fault_rates.call_fails),
                chance.happens(fault_rates.told_to_wait),
                chance.happens(fault_rates.hang),
                chance.happens(fault_rates.call_lost),
            )
        };
        self.world.time.sleep(ms).await;
        self.process_run.goes_on().await;
        self.world.count("calls");
        if hangs {
            self.world.time.sleep(30_000).await;
            self.process_run.goes_on().await;
            return Err(SendError::Temporary("made to hang".into()));
        }
        if fails {
            return Err(SendError::Temporary("made to fail".into()));
        }
        if waits {
            return Err(SendError::RateLimited(ms * 20));
        }
        let now_ms = self.world.steady_ms();
        let done = self.call_if_allowed(what, chat, now_ms, act);
        self.world.note(|| {
            let result = done.as_ref().map_or_else(ToString::to_string, |_| "ok".to_owned());
            format!("{what} {} {result} {words}", chat.0)
        });
        self.world.time.sleep(ms / 4).await;
        self.process_run.goes_on().await;
        if loses_answer && done.is_ok() {
            self.world.count("lost responses of platforms");
            return Err(SendError::Temporary(LOST.into()));
        }
        done
    }

    /// Makes a call if the platform allows it.
    fn call_if_allowed<T>(
        &self,
        what: &str,
        chat: &ChatId,
        now_ms: u64,
        act: impl FnOnce(&mut Chats) -> Result<T, SendError>,
    ) -> Result<T, SendError> {
        let is_private = what == "whisper";
        let mut chats = self.world.chats.lock();
        let is_gone = match only(chat) {
            // Whether the message still exists shows when it is edited.
            Some(_) => what == "post",
            None => chats.has_vanished(chat),
        };
        if is_gone {
            let shown_message = chats.chats.get(chat).filter(|_| only(chat).is_some());
            let exists = shown_message.is_some_and(|it| !it.is_empty());
            drop(chats);
            if exists {
                let only = &chat.0;
                self.world.report_violation(format!(
                    "something was posted beside the only message of {only}"
                ));
            }
            if !is_private {
                self.world.vanished.lock().answered(&self.world, chat);
            }
            return Err(SendError::ChatGone);
        }
        if chats.closed.contains(chat.without_topic()) {
            return Err(SendError::NotAllowed);
        }
        if let Some(to) = chats.moved.get(chat.without_topic()) {
            return Err(SendError::ChatMoved(to.clone()));
        }
        // Private answers are counted separately.
        let counted = format!("{}{}", chat.without_topic(), if is_private { " alone" } else { "" });
        if let Some(ms) = chats.spend(&counted, self.kind.accepted_per_minute, now_ms) {
            drop(chats);
            self.world.count("limits of a platform reached");
            // A process does not know the calls before its start, and learns the age of those of
            // other processes from the wall clock.
            if self.world.up_ms() > 120_000 && !self.world.clock_was_turned_within(60_000) {
                let accepted = self.kind.accepted_per_minute;
                self.world.report_violation(format!(
                    "{} was called more than {accepted} times a minute",
                    chat.0
                ));
            }
            return Err(SendError::RateLimited(ms));
        }
        act(&mut chats)
    }

    /// Checks a message that a person, or everybody in a chat, now sees; `rights` are those when
    /// it was sent.
    fn check_secrets(&self, reader: Option<&PersonId>, rights: &Rights, message: &OutgoingMessage) {
        secrets::check_no_leak(&self.world, reader, rights, message);
    }

    fn rights(&self, reader: Option<&PersonId>) -> Rights {
        match reader {
            Some(person) => Rights::of(&self.world, person),
            None => Rights::of_everybody(&self.world),
        }
    }
}

/// The only reader of a private chat.
pub fn reader(chat: &ChatId) -> Option<PersonId> {
    let (platform, rest) = chat.0.split_once(':')?;
    Some(PersonId(format!("{platform}:{}", rest.strip_prefix('@')?)))
}

/// A short form of a message for the journal.
fn short(message: &OutgoingMessage) -> String {
    let text = message.text.to_plain();
    let line: String = text.replace('\n', " / ").chars().take(160).collect();
    let buttons: Vec<&str> =
        message.buttons.iter().flatten().map(|it| it.callback_data.as_str()).collect();
    format!("{} | {line} | {}", message.nonce, buttons.join(" "))
}

#[async_trait]
impl Platform for SimPlatform {
    fn name(&self) -> &'static str {
        self.kind.name
    }

    fn capabilities(&self) -> Capabilities {
        let is_page = self.kind.name == "web" && self.world.happens(SimFeature::Viewers);
        let page_url = is_page.then(|| "https://play.example.org".to_owned());
        Capabilities { page_url, ..Capabilities::default() }
    }

    fn call_limit_per_minute(&self, _chat: &ChatId) -> u32 {
        self.world.fault_injection.per_minute(self.kind.per_minute)
    }

    async fn post(&self, chat: &ChatId, message: &OutgoingMessage) -> Result<MessageId, SendError> {
        let mut message = message.clone();
        let rights = self.rights(reader(chat).as_ref());
        let planted = self.world.fault_injection.call("post", chat, &mut message);
        if planted == Call::Pretended {
            return Ok(MessageId("0".to_owned()));
        }
        let knows_nonce = self.kind.deduplicates_by_nonce && self.world.happens(SimFeature::Copies);
        let id = self
            .call("post", chat, short(&message), |chats| {
                self.refuses_post(chats, &message)?;
                let knows_nonce = knows_nonce && !message.nonce.is_empty();
                let all = chats.chats.get_mut(chat).filter(|_| knows_nonce).into_iter().flatten();
                let mut copies = all.filter(|it| it.posted == message.nonce);
                let copy = copies.next().map(|it| {
                    it.message = message.clone();
                    it.id
                });
                if planted == Call::Doubled {
                    chats.put(chat, message.clone());
                }
                Ok(copy.unwrap_or_else(|| chats.put(chat, message.clone())))
            })
            .await;
        let lost = matches!(&id, Err(SendError::Temporary(why)) if why == LOST);
        if lost {
            self.world.chats.lock().doubled.insert(message.nonce.clone());
        }
        let id = id?;
        let late_call = self.world.log_checks.lock().said(&self.world, &message.nonce);
        late_call.into_iter().for_each(|what| self.world.report_violation(what));
        self.check_secrets(reader(chat).as_ref(), &rights, &message);
        Ok(MessageId(id.to_string()))
    }

    async fn edit(
        &self,
        chat: &ChatId,
        id: &MessageId,
        message: &OutgoingMessage,
    ) -> Result<(), SendError> {
        let mut message = message.clone();
        let rights = self.rights(reader(chat).as_ref());
        if self.world.fault_injection.call("edit", chat, &mut message) == Call::Pretended {
            return Ok(());
        }
        self.call("edit", chat, format!("#{} {}", id.0, short(&message)), |chats| {
            self.refuses_edit(chats, chat, id, &message)?;
            let all = chats.chats.entry(chat.clone()).or_default();
            match all.iter_mut().find(|it| it.id.to_string() == id.0) {
                Some(shown_message) => shown_message.message = message.clone(),
                None => return Err(SendError::MessageGone),
            }
            Ok(())
        })
        .await?;
        self.check_secrets(reader(chat).as_ref(), &rights, &message);
        Ok(())
    }

    async fn delete(&self, chat: &ChatId, id: &MessageId) -> Result<(), SendError> {
        let planted =
            self.world.fault_injection.call("delete", chat, &mut OutgoingMessage::default());
        if planted == Call::Pretended {
            return Ok(());
        }
        let number = id.0.parse().unwrap_or_default();
        let done = self
            .call("delete", chat, format!("#{number}"), |chats| {
                // Only its sender can delete the only message of a chat.
                if only(chat).is_none() {
                    chats.delete(chat, number);
                }
                Ok(())
            })
            .await;
        if done.is_err() {
            self.world.chats.lock().left.insert(number);
        }
        done
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

    fn invite_links(&self) -> Option<&dyn InviteLinks> {
        Some(self)
    }
}

#[async_trait]
impl EphemeralMessages for SimPlatform {
    fn has_ephemeral_buttons(&self, _chat: &ChatId) -> bool {
        self.kind.buttons
    }

    async fn show_ephemeral(
        &self,
        chat: &ChatId,
        person: &PersonId,
        slot: &str,
        message: &PrivateMessage,
    ) -> Result<(), SendError> {
        let mut message = message.for_reader(&SimulatedReader).clone();
        if self.world.fault_injection.call("whisper", chat, &mut message) == Call::Pretended {
            return Ok(());
        }
        let person = &self.world.fault_injection.listener(person, &message);
        let rights = self.rights(Some(person));
        let private = ReceivedPrivateMessage {
            slot: Some(slot.to_owned()),
            chat: chat.clone(),
            message: message.clone(),
        };
        self.call("whisper", chat, format!("{} {}", person.0, short(&message)), |chats| {
            chats.tell(person, private);
            Ok(())
        })
        .await?;
        self.check_secrets(Some(person), &rights, &message);
        Ok(())
    }
}

#[async_trait]
impl PrivateChats for SimPlatform {
    async fn sole_reader(&self, chat: &ChatId) -> Result<Option<PersonId>, SendError> {
        Ok(reader(chat))
    }

    async fn private_chat(&self, person: &PersonId) -> Result<ChatId, SendError> {
        let (platform, n) = person.0.split_once(':').ok_or(SendError::NotAllowed)?;
        let chat = ChatId(format!("{platform}:@{n}"));
        let chats = self.world.chats.lock();
        if chats.has_vanished(&chat) {
            return Err(SendError::ChatGone);
        }
        let closed = chats.closed.contains(chat.without_topic());
        if closed || platform != self.kind.name { Err(SendError::NotAllowed) } else { Ok(chat) }
    }
}

#[async_trait]
impl MessageLookup for SimPlatform {
    async fn refresh_chat_state(&self, _: &ChatId) {}

    fn messages_below(&self, chat: &ChatId, id: &MessageId) -> u32 {
        let chats = self.world.chats.lock();
        let Some(all) = chats.chats.get(chat) else { return 0 };
        all.iter().rev().take_while(|it| it.id.to_string() != id.0).count() as u32
    }

    fn message_link(&self, chat: &ChatId, id: &MessageId) -> Option<String> {
        only(chat).is_none().then(|| format!("sim://{}/{}", chat.0, id.0))
    }
}

impl PublicGroups for SimPlatform {
    fn is_public_group(&self, chat: &ChatId) -> bool {
        only(chat).is_none() && reader(chat).is_none()
    }
}

impl InlineBoards for SimPlatform {
    fn only_message(&self, chat: &ChatId) -> Option<MessageId> {
        only(chat).map(|id| MessageId(id.to_string()))
    }
}

impl InviteLinks for SimPlatform {
    fn table_links(&self, _code: &str) -> Vec<InviteLink> {
        Vec::new()
    }

    fn private_chat_link(&self, code: &str) -> Option<String> {
        private_chat_link(self.kind.name, code)
            .filter(|_| self.world.happens(SimFeature::InlineChallenges))
    }
}
