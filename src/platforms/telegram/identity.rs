//! Describes the bot's own account, as the server reports it.

use serde_json::Value;
use teloxide::types::{Me, UserId};

/// The account of the bot.
pub(super) struct BotIdentity {
    me: Me,
    receives_mentions: bool,
}

impl BotIdentity {
    /// Reads the answer to `getMe`.
    ///
    /// # Errors
    /// When it describes no bot.
    pub(super) fn parse(me: Value) -> Result<Self, serde_json::Error> {
        // teloxide does not know this field yet.
        let receives_mentions = me["supports_guest_queries"] == true;
        Ok(Self { me: serde_json::from_value(me)?, receives_mentions })
    }

    /// Returns the id as Telegram's types have it.
    pub(super) fn user_id(&self) -> UserId {
        self.me.user.id
    }

    /// Returns the id as chats have it.
    pub(super) fn id(&self) -> i64 {
        i64::try_from(self.me.user.id.0).unwrap_or_default()
    }

    /// Returns the name after `@`, if the bot has one.
    pub(super) fn username(&self) -> Option<&str> {
        self.me.user.username.as_deref()
    }

    /// Whether users can type inline queries.
    pub(super) fn supports_inline_queries(&self) -> bool {
        self.me.supports_inline_queries
    }

    /// Whether the bot receives mentions in chats in which it is no member.
    pub(super) fn receives_mentions(&self) -> bool {
        self.receives_mentions
    }
}
