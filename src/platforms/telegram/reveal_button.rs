//! Hides a private reply behind a public button that only one person can use.
//!
//! The button shares the call limit of the chat with the boards. While few calls are left, it is
//! posted after the boards that wait, with all replies to its reader until then.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use serde_json::{Map, Value};
use teloxide::payloads::DeleteMessage;
use teloxide::types::ChatId as TelegramChatId;

use super::TelegramTextsFor;
use super::bot_api::{BotApi, TelegramCallError};
use super::chat_state::ChatState;
use super::handler_reports::HandlerReports;
use super::parse_update::{ParsedUpdate, UpdateAuthor, UpdateOrigin};
use super::private_delivery::PrivateDelivery;
use super::send::{MessageSender, TelegramSentMessage, TelegramTarget, is_topic_gone, to_chat_id};
use super::storage::{REPLIES_MAX, ReplyAddressee, TelegramStorage};
use caravanserai_games::ids::MessageId;
use caravanserai_games::text::{RichSpan, RichText};
use caravanserai_platform_shared::stored_reply::StoredReply;
use caravanserai_protocol::{
    Button, ButtonTone, EphemeralReply, OutgoingMessage, SendError, UpdateHandler, UpdateKind,
};

/// The prefix of the callback data of reveal buttons; no other button may use it.
pub(super) const REVEAL_PREFIX: &str = "w.";

/// How often a button is tried that Telegram refuses because of too many calls.
const TRIES_MAX: u32 = 5;

/// The fate of replies whose button was to be posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ButtonOutcome {
    /// They wait behind a button.
    Delivered,
    /// Telegram accepts no call now, so the button can be posted later.
    RateLimited,
    Failed,
}

/// Builds the public text above the button. It is a link to the reader that names nobody: the name
/// may be hidden in this chat.
fn reveal_text(words: String, reader: UpdateAuthor) -> RichText {
    match reader {
        UpdateAuthor::Person(person) => {
            RichText(vec![RichSpan::Mention { person: format!("tg:{person}"), name: words }])
        }
        UpdateAuthor::SomeAdmin | UpdateAuthor::Nobody => RichText::plain(words),
    }
}

/// The public buttons behind which private replies wait.
pub(super) struct RevealButtons {
    pub(super) api: BotApi,
    pub(super) sender: Arc<MessageSender>,
    pub(super) storage: TelegramStorage,
    pub(super) chats: Arc<ChatState>,
    pub(super) handler: Arc<HandlerReports>,
    pub(super) words: TelegramTextsFor,
    pub(super) numbers: ReplyNumbers,
    pub(super) waiting: WaitingReplies,
    pub(super) posts: PostLocks,
}

/// The number of [`PostLocks`].
const POST_LOCKS: u64 = 64;

/// Locks that all readers share: a reader has one button under way at a time. The second of two
/// replies at the same moment goes behind the button of the first.
pub(super) struct PostLocks(Vec<tokio::sync::Mutex<()>>);

impl Default for PostLocks {
    fn default() -> Self {
        PostLocks((0..POST_LOCKS).map(|_| tokio::sync::Mutex::default()).collect())
    }
}

impl PostLocks {
    /// Waits until no button for this reader is under way.
    async fn lock(&self, addressee: &ReplyAddressee) -> tokio::sync::MutexGuard<'_, ()> {
        let mut hasher = DefaultHasher::new();
        addressee.hash(&mut hasher);
        let number = usize::try_from(hasher.finish() % POST_LOCKS).unwrap_or_default();
        self.0[number].lock().await
    }
}

/// The replies whose button waits for the boards of its chat, by their addressee.
#[derive(Default)]
pub(super) struct WaitingReplies(Mutex<HashMap<ReplyAddressee, Vec<StoredReply>>>);

impl WaitingReplies {
    /// Adds a reply to those that wait already; false if none do.
    fn append(&self, addressee: &ReplyAddressee, reply: &StoredReply) -> bool {
        let mut waiting = self.0.lock();
        let Some(replies) = waiting.get_mut(addressee) else { return false };
        if !replies.contains(reply) {
            // One more than are shown, so that the label says that there were more.
            if replies.len() > REPLIES_MAX {
                replies.remove(0);
            }
            replies.push(reply.clone());
        }
        true
    }

    /// Adds a reply; returns whether it is the first one, so that the button has to be posted.
    fn add(&self, addressee: ReplyAddressee, reply: StoredReply) -> bool {
        match self.0.lock().entry(addressee) {
            Entry::Vacant(entry) => {
                entry.insert(vec![reply]);
                true
            }
            Entry::Occupied(mut entry) => {
                entry.get_mut().push(reply);
                false
            }
        }
    }

    fn take(&self, addressee: &ReplyAddressee) -> Vec<StoredReply> {
        self.0.lock().remove(addressee).unwrap_or_default()
    }

    /// Lets replies wait again, before those that have come since they were taken. Returns whether
    /// none have, so that the button has to be posted.
    fn return_taken(&self, addressee: ReplyAddressee, mut replies: Vec<StoredReply>) -> bool {
        let mut waiting = self.0.lock();
        let later = waiting.remove(&addressee);
        let is_alone = later.is_none();
        replies.extend(later.into_iter().flatten());
        waiting.insert(addressee, replies);
        is_alone
    }
}

/// Makes the numbers of hidden replies: they cannot be guessed, and no two processes make the same
/// number.
#[derive(Default)]
pub(super) struct ReplyNumbers {
    secret: RandomState,
    next: AtomicU64,
}

impl ReplyNumbers {
    fn next(&self) -> String {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        format!("{:x}", self.secret.hash_one(number))
    }
}

impl RevealButtons {
    /// Posts a public button that only the person who acted can use. The reply to an anonymous
    /// admin is readable for every admin, and the reply to a channel for everybody; neither gets
    /// secrets. Returns false if the reply cannot be delivered in this way.
    pub(super) async fn post(
        self: &Arc<Self>,
        origin: &UpdateOrigin,
        reply: EphemeralReply,
    ) -> bool {
        let person = matches!(origin.author, UpdateAuthor::Person(_));
        let secret =
            reply.is_secret() || (origin.author == UpdateAuthor::Nobody && !reply.form.is_toast());
        let nowhere = origin.private || origin.is_chat_unknown();
        if nowhere || (secret && !person) || reply.message.text().is_empty() {
            return false;
        }
        let sender = (origin.chat, origin.thread, origin.author);
        let kept = StoredReply::from_reply(&reply);
        if self.waiting.append(&sender, &kept) {
            return true;
        }
        if self.handler.has_message_budget(origin.chat) {
            match self.post_button(origin, vec![kept.clone()]).await {
                ButtonOutcome::Delivered => return true,
                ButtonOutcome::Failed => return false,
                ButtonOutcome::RateLimited => {}
            }
        }
        if self.waiting.add(sender, kept) {
            self.post_later(origin.clone(), 1);
        }
        true
    }

    /// Posts the button of all replies that wait, once that delays no board.
    fn post_later(self: &Arc<Self>, origin: UpdateOrigin, tries: u32) {
        let me = Arc::clone(self);
        let chat = origin.chat;
        let post = async move {
            let sender = (origin.chat, origin.thread, origin.author);
            let replies = me.waiting.take(&sender);
            match me.post_button(&origin, replies.clone()).await {
                ButtonOutcome::Delivered => {}
                ButtonOutcome::RateLimited if tries < TRIES_MAX => {
                    if me.waiting.return_taken(sender, replies) {
                        me.post_later(origin, tries + 1);
                    }
                }
                ButtonOutcome::RateLimited | ButtonOutcome::Failed => {
                    tracing::warn!(chat, "failed to deliver a private reply");
                }
            }
        };
        self.handler.run_after_boards(chat, Box::pin(post));
    }

    /// Posts a button with these replies. It replaces an earlier one of the same reader and
    /// contains the earlier replies, too.
    async fn post_button(&self, origin: &UpdateOrigin, replies: Vec<StoredReply>) -> ButtonOutcome {
        let sender = (origin.chat, origin.thread, origin.author);
        let _post = self.posts.lock(&sender).await;
        let mut old = self.storage.open_reveal_message(&sender).await;
        let earlier = match &old {
            Some((number, _)) => self.storage.load_hidden_replies(number).await,
            None => None,
        };
        let mut inside = earlier.map(|it| it.inside).unwrap_or_default();
        let new: Vec<_> = replies.into_iter().filter(|it| !inside.contains(it)).collect();
        if new.is_empty()
            && let Some((number, message)) = old.take()
            && self.is_button_there(origin, message, &number, inside.len()).await
        {
            // It already contains the same replies.
            return ButtonOutcome::Delivered;
        }
        inside.extend(new.iter().cloned());
        let number = self.numbers.next();
        let button = self.button_message(origin, &number, inside.len());
        self.storage.store_hidden_replies(&number, &sender, inside).await;
        match self.send_button(origin, &button).await {
            Ok((here, sent)) => {
                self.chats.lock().add_message(here.chat, here.thread, sent.message_id);
                self.storage.store_reveal_message(&number, &sender, sent.message_id).await;
                if let Some((number, message)) = old {
                    self.storage.take_hidden_replies(&number).await;
                    self.delete(origin.chat, message).await;
                }
                ButtonOutcome::Delivered
            }
            Err(error) => {
                tracing::debug!(chat = origin.chat, %error, "failed to post a reveal button");
                self.storage.take_hidden_replies(&number).await;
                let mut are_kept = old.is_some();
                if let Some((earlier, _)) = &old {
                    for reply in &new {
                        are_kept &= self.storage.append_hidden_reply(earlier, reply).await;
                    }
                }
                match error.rate_limit_ms() {
                    _ if are_kept => ButtonOutcome::Delivered,
                    Some(wait_ms) => {
                        self.handler.report_rate_limit(origin.chat, wait_ms);
                        ButtonOutcome::RateLimited
                    }
                    None => ButtonOutcome::Failed,
                }
            }
        }
    }

    /// Whether a button was not deleted. Telegram reports no deletions, but refuses to edit a
    /// message that is gone.
    async fn is_button_there(
        &self,
        origin: &UpdateOrigin,
        message: i32,
        number: &str,
        count: usize,
    ) -> bool {
        let button = self.button_message(origin, number, count);
        let id = MessageId(message.to_string());
        let edited = self.sender.edit_at(&to_chat_id(origin.chat, None), &id, &button).await;
        if !matches!(edited, Err(SendError::OverBudget(_))) {
            self.handler.report_call(origin.chat);
        }
        !matches!(edited, Err(SendError::MessageGone))
    }

    /// Sends a button to where the person acted. If the topic is gone, they find it in the chat of
    /// the topic: it mentions them. Returns also where it was sent.
    async fn send_button(
        &self,
        origin: &UpdateOrigin,
        button: &OutgoingMessage,
    ) -> Result<(TelegramTarget, TelegramSentMessage), TelegramCallError> {
        let here = TelegramTarget { chat: origin.chat, thread: origin.thread };
        match self.send_counted(here, button).await {
            Err(error) if here.thread.is_some() && is_topic_gone(&error) => {
                let chat = TelegramTarget { thread: None, ..here };
                self.send_counted(chat, button).await.map(|it| (chat, it))
            }
            sent => sent.map(|it| (here, it)),
        }
    }

    /// Sends a message, which counts towards the limit of the chat.
    async fn send_counted(
        &self,
        target: TelegramTarget,
        message: &OutgoingMessage,
    ) -> Result<TelegramSentMessage, TelegramCallError> {
        // Before the call, so that nobody makes another one meanwhile.
        self.handler.report_call(target.chat);
        self.sender.send_message(target, message, Map::new()).await
    }

    /// Builds the public message with the button that reveals the replies with this number.
    fn button_message(&self, origin: &UpdateOrigin, number: &str, count: usize) -> OutgoingMessage {
        let words = (self.words)(origin.locale.as_deref());
        let text = reveal_text(words.envelope, origin.author);
        let label = match count {
            1 => words.open,
            // The oldest ones are dropped.
            many if many > REPLIES_MAX => format!("{} ({REPLIES_MAX}+)", words.open),
            several => format!("{} ({several})", words.open),
        };
        let callback_data = format!("{REVEAL_PREFIX}{number}");
        let button = Button { label, callback_data, tone: ButtonTone::Plain, ..Button::default() };
        OutgoingMessage {
            text,
            buttons: vec![vec![button]],
            reply_to: origin.message.map(|it| MessageId(it.to_string())),
            ..OutgoingMessage::default()
        }
    }

    /// Deletes a reveal button without replies.
    async fn delete(&self, chat: i64, message: i32) {
        let call = DeleteMessage::new(TelegramChatId(chat), teloxide::types::MessageId(message));
        self.handler.report_call(chat);
        if let Err(error) = self.api.call::<Value>(&call).await {
            tracing::debug!(chat, %error, "failed to delete a reveal button");
        }
    }
}

impl PrivateDelivery {
    /// Handles a press on a reveal button.
    pub(super) async fn reveal_replies(&self, handler: &dyn UpdateHandler, read: ParsedUpdate) {
        let ParsedUpdate { update, origin, .. } = read;
        let UpdateKind::Press { callback_data, .. } = &update.kind else { return };
        let query = origin.query.clone().unwrap_or_default();
        let number = callback_data.strip_prefix(REVEAL_PREFIX).unwrap_or_default();
        let words = (self.reveal_buttons.words)(origin.locale.as_deref());
        if !origin.is_genuine {
            // The message is not a reveal button of the bot: nothing is opened or deleted.
            self.press_answers.answer(&query, &words.expired, false).await;
            return;
        }
        let hidden = self.storage.load_hidden_replies(number).await;
        let reader = hidden.map_or(origin.author, |it| it.reader);
        if !self.may_read(&origin, reader).await {
            self.press_answers.answer(&query, &words.not_yours, false).await;
            return;
        }
        // A second press waits, and finds that the replies were shown.
        let opening = self.reveal_buttons.posts.lock(&(origin.chat, origin.thread, reader)).await;
        let hidden = self.storage.load_hidden_replies(number).await;
        let inside = hidden.map(|it| it.inside).unwrap_or_default();
        let render =
            |stored| StoredReply::render_valid(stored, handler, &update.chat, &update.person);
        let replies = render(inside.clone()).await;
        let delivered = match replies.is_empty() {
            false => self.deliver_hidden_replies(origin.clone(), replies, words.trouble).await,
            true => {
                self.press_answers.answer(&query, &words.expired, false).await;
                Some(Vec::new())
            }
        };
        let Some(unshown) = delivered else { return };
        let left = self.storage.take_hidden_replies(number).await;
        if let Some(message) = origin.message {
            self.reveal_buttons.delete(origin.chat, message).await;
        }
        drop(opening);
        // Replies that another process has added meanwhile may need a new button, which waits for
        // the end of this press.
        if let Some(hidden) = left {
            let added = hidden.inside.into_iter().filter(|it| !inside.contains(it)).collect();
            self.deliver_replies(origin.clone(), render(added).await, true).await;
        }
        for reply in unshown {
            if !self.reveal_buttons.post(&origin, reply).await {
                tracing::warn!(chat = origin.chat, "failed to deliver a private reply");
            }
        }
    }

    async fn may_read(&self, origin: &UpdateOrigin, reader: UpdateAuthor) -> bool {
        match (reader, origin.author) {
            (UpdateAuthor::Nobody, _) => true,
            (UpdateAuthor::SomeAdmin, UpdateAuthor::Person(person)) => {
                self.members.is_admin(origin.chat, person).await
            }
            (reader, presser) => reader == presser,
        }
    }
}
