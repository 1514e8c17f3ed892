//! Connects Telegram to the service: groups, topics and private chats through the Bot API.
//!
//! Must not know games, tables or the store: it turns Bot API updates into [`Update`]s for an
//! [`UpdateHandler`], and the messages of the service into calls. Start reading at
//! [`TelegramPlatform`].
//!
//! Receiving: `update_source` polls or serves the webhook, `update_dispatcher` handles one update,
//! `deferred_updates` stores what needs an engine or a network, `author_queues` keeps the order,
//! `parse_update` reads updates, `corrections` reads edited messages, `inline` answers inline
//! queries and mentions, `init_data` verifies who opens the Mini App. Sending: `platform` is what
//! the service sees, `send` posts and edits, `private_delivery` reaches one person
//! (`private_readers` lists the ways, `press_answers`, `ephemeral_sender` and `private_chats` are
//! the ways, `replaceable_messages` replaces older messages, `reveal_button` hides a reply behind a
//! button), `picture_chat` uploads pictures for messages sent via inline mode, `handler_reports`
//! informs the handler, `rights` finds missing rights, `command_menus` sets the command lists,
//! `profile_texts` the descriptions of the bot. State: `chat_state` knows chats, `storage` the rows
//! that processes share. `bot_api` is the only code that makes HTTP calls.
//!
//! Each part has its dependencies as fields; `TelegramPlatform::assemble` puts them together.
//!
//! [`UpdateHandler`]: caravanserai_protocol::UpdateHandler
//! [`Update`]: caravanserai_protocol::Update

mod author_queues;
mod bot_api;
mod chat_members;
mod chat_state;
mod command_menus;
mod corrections;
mod deferred_updates;
mod ephemeral_sender;
mod ephemeral_support;
mod handler_reports;
mod identity;
mod init_data;
mod inline;
mod markup;
mod parse_update;
mod picture_chat;
mod platform;
mod press_answers;
mod private_chats;
mod private_delivery;
mod private_readers;
mod profile_texts;
mod replaceable_messages;
mod reveal_button;
mod rights;
mod send;
mod storage;
mod telegram_cache;
mod update_dispatcher;
mod update_source;

use std::sync::Arc;
use std::sync::atomic::AtomicI32;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use serde_json::Value;
use teloxide::payloads::GetMe;

pub use self::command_menus::TelegramMenuCommand;
pub use self::profile_texts::TelegramProfileTexts;

use self::author_queues::UpdateOrder;
use self::bot_api::{BotApi, TelegramCallError};
use self::chat_members::ChatMembers;
use self::chat_state::ChatState;
use self::command_menus::CommandMenus;
use self::corrections::Corrections;
use self::deferred_updates::DeferredUpdates;
use self::ephemeral_sender::EphemeralSender;
use self::ephemeral_support::EphemeralSupport;
use self::handler_reports::HandlerReports;
use self::identity::BotIdentity;
use self::inline::InlineAnswers;
use self::parse_update::UpdateParser;
use self::picture_chat::PictureChat;
use self::press_answers::PressAnswers;
use self::private_chats::PrivateChatSender;
use self::private_delivery::PrivateDelivery;
use self::replaceable_messages::{EditLocks, ReplaceableMessages};
use self::reveal_button::{PostLocks, ReplyNumbers, RevealButtons, WaitingReplies};
use self::send::MessageSender;
use self::storage::{RepliedUpdates, TelegramStorage};
use self::update_dispatcher::UpdateDispatcher;
use self::update_source::{FailedAttempts, UpdateSource};
use caravanserai_platform_shared::PlatformServices;
use caravanserai_platform_shared::platform_rows::PlatformRows;
use caravanserai_platform_shared::task_limit::TaskLimit;
use caravanserai_protocol::UpdateHandler;

/// The server of Telegram itself; `TELEGRAM_API_URL` replaces it.
pub const API_URL: &str = "https://api.telegram.org";

/// The settings of the adapter.
#[derive(Clone)]
pub struct TelegramSettings {
    /// The token from BotFather.
    pub token: String,
    /// The Bot API server, without a slash at the end.
    pub api_url: String,
    /// How long a button press may wait for a decision before it is answered with an empty answer;
    /// Telegram shows a spinner until then. Two seconds are a good value.
    pub press_patience: Duration,
    /// The few texts that the adapter sends by itself.
    pub texts_for: TelegramTextsFor,
    /// Rows that all processes share, and the health report.
    pub shared: PlatformServices,
    /// The Mini App that shows boards inside Telegram, if there is one.
    pub app: Option<MiniApp>,
    /// The chat in which the bot posts the pictures that messages sent via inline mode show: its
    /// id, or its public name with `@`. Without it the boards in such messages are texts.
    pub picture_chat: Option<String>,
}

/// A page that Telegram shows inside itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MiniApp {
    /// Its public address, without a slash at the end.
    pub page: String,
    /// The short name by which groups link to the page, if it has one.
    pub short_name: Option<String>,
    /// The public key with which Telegram signs the data of the person who opens the page; the
    /// token is the other secret in that check.
    pub key: [u8; 32],
}

impl MiniApp {
    /// Describes the page at this address, with Telegram's own signing key.
    pub fn new(page: String, short_name: Option<String>) -> Self {
        Self { page, short_name, key: init_data::PUBLIC_KEY }
    }
}

/// Returns the adapter's own texts in the language of a locale.
pub type TelegramTextsFor = Arc<dyn Fn(Option<&str>) -> TelegramTexts + Send + Sync>;

/// The texts that the adapter sends by itself. A private text that can only be shown after a button
/// press is hidden behind a button in the group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TelegramTexts {
    /// The public text above the button.
    pub envelope: String,
    /// The label of the button that shows the text.
    pub open: String,
    /// Shown to another person who presses the button.
    pub not_yours: String,
    /// Shown when the text is no longer stored.
    pub expired: String,
    /// Shown when the text could not be delivered now; another press may deliver it.
    pub trouble: String,
    /// Offered to a person who types an inline query and has nothing to choose; leads to the
    /// private chat.
    pub nothing: String,
}

/// Why the adapter could not start or had to stop.
#[derive(Debug, thiserror::Error)]
pub enum TelegramError {
    /// The server does not accept the token.
    #[error("telegram refuses TELEGRAM_TOKEN: copy the token again from @BotFather")]
    InvalidToken,
    /// The server cannot be reached or does not answer as a Bot API server does.
    #[error("the Telegram Bot API server does not answer: {0}")]
    Unreachable(String),
    /// The server refuses a call that the start needs.
    #[error("telegram refuses {call}: {text}")]
    Refused {
        /// The method of the call.
        call: &'static str,
        /// The server's description.
        text: String,
    },
}

impl TelegramError {
    fn from_call(call: &'static str, error: TelegramCallError) -> Self {
        match error {
            TelegramCallError::Api { code: 401, .. } => TelegramError::InvalidToken,
            TelegramCallError::Api { code: 404, .. } if call == "getMe" => {
                TelegramError::InvalidToken
            }
            TelegramCallError::Api { code: 429 | 500.., text, .. } => {
                TelegramError::Unreachable(text)
            }
            TelegramCallError::Api { text, .. } => TelegramError::Refused { call, text },
            TelegramCallError::RateLimited(_) => TelegramError::Unreachable(error.to_string()),
            TelegramCallError::Network(text) => TelegramError::Unreachable(text),
        }
    }
}

/// Returns the time in milliseconds since 1970.
fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The bot on Telegram: the implementation of [`Platform`](caravanserai_protocol::Platform).
pub struct TelegramPlatform {
    identity: Arc<BotIdentity>,
    token: String,
    app: Option<MiniApp>,
    chats: Arc<ChatState>,
    members: ChatMembers,
    sender: Arc<MessageSender>,
    delivery: Arc<PrivateDelivery>,
    source: Arc<UpdateSource>,
    menus: CommandMenus,
}

impl TelegramPlatform {
    /// Asks the server who the bot is.
    ///
    /// # Errors
    /// A wrong token, or no Bot API server at that address.
    pub async fn connect(settings: TelegramSettings) -> Result<Arc<Self>, TelegramError> {
        let usable = |c: char| c.is_ascii_alphanumeric() || c == ':' || c == '_' || c == '-';
        if settings.token.is_empty() || !settings.token.chars().all(usable) {
            return Err(TelegramError::InvalidToken);
        }
        let api = BotApi::new(&settings.api_url, &settings.token)
            .map_err(|error| TelegramError::Unreachable(error.without_url().to_string()))?;
        let wrong = |error| TelegramError::from_call("getMe", error);
        let me: Value = api.call(&GetMe::new()).await.map_err(wrong)?;
        let identity = BotIdentity::parse(me).map_err(|error| {
            wrong(TelegramCallError::Network(format!("unexpected answer: {error}")))
        })?;
        let support = Arc::new(EphemeralSupport::new(api.clone(), identity.id()));
        support.probe().await;
        Ok(Arc::new(Self::assemble(settings, api, Arc::new(identity), support)))
    }

    /// Creates the parts of the adapter, each with the parts that it uses.
    fn assemble(
        settings: TelegramSettings,
        api: BotApi,
        identity: Arc<BotIdentity>,
        support: Arc<EphemeralSupport>,
    ) -> Self {
        let rows = PlatformRows::new(settings.shared.store);
        let storage = TelegramStorage::new(rows.clone());
        let chats = Arc::new(ChatState::new(storage.clone()));
        let reply_tasks = Arc::new(TaskLimit::default());
        let parts = SharedParts {
            members: ChatMembers::new(api.clone(), storage.clone()),
            handler: Arc::new(HandlerReports::new(reply_tasks.clone())),
            sender: Arc::new(MessageSender {
                api: api.clone(),
                chats: chats.clone(),
                identity: identity.clone(),
                picture_chat: settings.picture_chat.map(|it| PictureChat::new(api.clone(), it)),
            }),
            api,
            identity,
            storage,
            chats,
            support,
        };
        let words = settings.texts_for;
        let delivery = Arc::new(parts.private_delivery(words.clone(), settings.press_patience));
        let dispatcher = Arc::new(UpdateDispatcher {
            identity: parts.identity.clone(),
            parser: UpdateParser {
                identity: parts.identity.clone(),
                chats: parts.chats.clone(),
                storage: parts.storage.clone(),
                handler: parts.handler.clone(),
            },
            members: parts.members.clone(),
            inline: InlineAnswers { api: parts.api.clone(), words },
            delivery: delivery.clone(),
            order: UpdateOrder::default(),
            corrections: Corrections::new(parts.storage.clone()),
            replied: RepliedUpdates::new(parts.storage),
            reply_tasks,
            inline_tasks: TaskLimit::default(),
        });
        let bot = parts.identity.id();
        let source = Arc::new(UpdateSource {
            api: parts.api.clone(),
            identity: parts.identity.clone(),
            handler: parts.handler,
            deferred: Arc::new(DeferredUpdates::new(dispatcher.clone(), rows.clone(), bot)),
            dispatcher,
            rows,
            health: settings.shared.reporter,
            confirmed_to: AtomicI32::new(0),
            webhook_attempts: FailedAttempts::default(),
        });
        Self {
            identity: parts.identity,
            token: settings.token,
            app: settings.app,
            chats: parts.chats,
            members: parts.members,
            sender: parts.sender,
            delivery,
            source,
            menus: CommandMenus { api: parts.api, ephemerals: parts.support },
        }
    }

    /// The name of the bot after `@`.
    pub fn username(&self) -> &str {
        self.identity.username().unwrap_or_default()
    }

    /// Sets the menus; skips those that are up to date.
    ///
    /// # Errors
    /// The first call that fails.
    pub async fn set_menus(&self, commands: &[TelegramMenuCommand]) -> Result<(), TelegramError> {
        self.menus.set_all(commands).await
    }

    /// Sets the descriptions that people see before they use the bot; skips those that are up to
    /// date.
    ///
    /// # Errors
    /// The first call that fails.
    pub async fn set_profile_texts(
        &self,
        texts: &[TelegramProfileTexts],
    ) -> Result<(), TelegramError> {
        profile_texts::set_profile_texts(&self.menus.api, texts).await
    }

    /// Fetches updates until `stop` is ready, then waits for the work under way.
    ///
    /// # Errors
    /// None at present.
    pub async fn poll(
        self: Arc<Self>,
        handler: Arc<dyn UpdateHandler>,
        stop: impl Future<Output = ()> + Send,
    ) -> Result<(), TelegramError> {
        self.source.clone().poll(handler, stop).await
    }

    /// Asks the server to deliver updates to this address, which
    /// [`TelegramPlatform::webhook_routes`] serves.
    ///
    /// # Errors
    /// An invalid address, or a refusal by the server.
    pub async fn set_webhook(&self, url: &str, secret: &str) -> Result<(), TelegramError> {
        self.source.set_webhook(url, secret).await
    }

    /// Builds the route `path` for the HTTP server of the process. Without the right secret it
    /// answers 401; it answers 200 only after the handler has committed the update or it is
    /// deferred, else Telegram repeats it.
    pub fn webhook_routes(
        self: Arc<Self>,
        handler: Arc<dyn UpdateHandler>,
        path: &str,
        secret: &str,
    ) -> Router {
        self.source.clone().webhook_routes(handler, path, secret)
    }

    /// Waits until every private reply under way was sent, at most five seconds. Called before the
    /// process ends.
    pub async fn drain(&self) {
        self.source.drain().await;
    }
}

/// The parts that several others use.
struct SharedParts {
    api: BotApi,
    identity: Arc<BotIdentity>,
    storage: TelegramStorage,
    chats: Arc<ChatState>,
    members: ChatMembers,
    handler: Arc<HandlerReports>,
    sender: Arc<MessageSender>,
    support: Arc<EphemeralSupport>,
}

impl SharedParts {
    /// Creates the part that delivers messages to one person.
    fn private_delivery(&self, words: TelegramTextsFor, patience: Duration) -> PrivateDelivery {
        let (api, sender, chats) = (&self.api, &self.sender, &self.chats);
        PrivateDelivery {
            storage: self.storage.clone(),
            handler: self.handler.clone(),
            members: self.members.clone(),
            press_answers: PressAnswers::new(api.clone()),
            private_chats: PrivateChatSender::new(api.clone(), sender.clone(), chats.clone()),
            ephemerals: EphemeralSender {
                api: api.clone(),
                bot: self.identity.id(),
                sender: sender.clone(),
                chats: chats.clone(),
                members: self.members.clone(),
                support: self.support.clone(),
                handler: self.handler.clone(),
            },
            replaceable: ReplaceableMessages {
                api: api.clone(),
                sender: sender.clone(),
                support: self.support.clone(),
                edits: EditLocks::default(),
            },
            reveal_buttons: Arc::new(RevealButtons {
                api: api.clone(),
                sender: sender.clone(),
                storage: self.storage.clone(),
                chats: chats.clone(),
                handler: self.handler.clone(),
                words,
                numbers: ReplyNumbers::default(),
                waiting: WaitingReplies::default(),
                posts: PostLocks::default(),
            }),
            patience,
        }
    }
}
