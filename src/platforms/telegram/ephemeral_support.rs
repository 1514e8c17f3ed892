//! Finds out whether the server supports ephemeral messages (Bot API 10.2 and later).

use std::sync::atomic::{AtomicU8, Ordering};

use serde_json::{Map, json};

use super::bot_api::BotApi;

/// Not known yet.
const UNKNOWN: u8 = 0;
/// The server supports them.
const YES: u8 = 1;
/// Not supported: never try again.
const NO: u8 = 2;

/// Whether the server supports ephemeral messages, as far as is known.
pub(super) struct EphemeralSupport {
    api: BotApi,
    /// The id of the bot.
    bot: i64,
    state: AtomicU8,
}

impl EphemeralSupport {
    /// Knows nothing yet.
    pub(super) fn new(api: BotApi, bot: i64) -> Self {
        Self { api, bot, state: AtomicU8::new(UNKNOWN) }
    }

    /// Whether the server is known to support them.
    pub(super) fn is_confirmed(&self) -> bool {
        self.state.load(Ordering::Relaxed) == YES
    }

    /// Whether the server is known not to support them.
    pub(super) fn is_ruled_out(&self) -> bool {
        self.state.load(Ordering::Relaxed) == NO
    }

    /// Never tries them again.
    pub(super) fn rule_out(&self) {
        self.state.store(NO, Ordering::Relaxed);
    }

    /// Asks the server, without sending any message: a server that ignores unknown fields would
    /// show the private text to everybody. Returns whether the server has just confirmed it.
    pub(super) async fn probe(&self) -> bool {
        let mut fields = Map::new();
        fields.insert("chat_id".to_owned(), json!(self.bot));
        fields.insert("receiver_user_id".to_owned(), json!(self.bot));
        fields.insert("ephemeral_message_id".to_owned(), json!(1));
        let answer = self.api.call_method::<bool>("deleteEphemeralMessage", fields).await;
        let found = match answer.map_err(|error| error.code()) {
            Ok(_) | Err(Some(400 | 403)) => YES,
            Err(Some(404)) => NO,
            Err(_) => return false,
        };
        self.state.store(found, Ordering::Relaxed);
        found == YES
    }

    /// Whether to try an ephemeral message. Before a secret the server is asked each time: it may
    /// have been replaced by an older one, and a secret that was public for a moment is lost.
    pub(super) async fn can_try(&self, secret: bool) -> bool {
        match self.state.load(Ordering::Relaxed) {
            NO => false,
            YES if !secret => true,
            _ => self.probe().await,
        }
    }
}
