//! Sets the lists of commands that apps show, by scope and language.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use teloxide::types::BotCommandScope;

use super::TelegramError;
use super::bot_api::BotApi;
use super::ephemeral_support::EphemeralSupport;
use super::markup::truncate_utf16;

/// The most commands in a menu.
const COMMANDS_MAX: usize = 100;
/// Longest description in UTF-16 units.
const DESCRIPTION_MAX: usize = 256;

/// A command as apps list it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TelegramMenuCommand {
    /// 1-32 small Latin letters, digits and underscores; no slash.
    pub name: String,
    /// Descriptions by two-letter language code; the empty code is for all other languages.
    pub descriptions: Vec<(String, String)>,
    /// Whether the command is listed in groups.
    pub in_groups: bool,
    /// Whether the command is listed in private chats.
    pub in_private: bool,
    /// Whether the reply is only for the sender: where the server supports it, nobody else sees the
    /// command either, and the private reply comes at once.
    pub is_ephemeral: bool,
}

/// Sets the menus of the bot.
pub(super) struct CommandMenus {
    pub(super) api: BotApi,
    pub(super) ephemerals: Arc<EphemeralSupport>,
}

impl CommandMenus {
    /// Sets the menus; skips those that are up to date.
    ///
    /// # Errors
    /// The first call that fails.
    pub(super) async fn set_all(
        &self,
        commands: &[TelegramMenuCommand],
    ) -> Result<(), TelegramError> {
        let mut languages: Vec<&str> = commands
            .iter()
            .flat_map(|it| &it.descriptions)
            .map(|(language, _)| language.as_str())
            .collect();
        languages.sort_unstable();
        languages.dedup();
        let knows = self.ephemerals.is_confirmed();
        for language in languages {
            for scope in [BotCommandScope::AllGroupChats, BotCommandScope::AllPrivateChats] {
                let menu = menu_json(commands, &scope, language, knows);
                self.set_menu(scope, language, menu).await?;
            }
        }
        Ok(())
    }

    /// Sets one menu; marks commands that only the bot sees if the server supports that.
    async fn set_menu(
        &self,
        scope: BotCommandScope,
        language: &str,
        menu: Vec<Value>,
    ) -> Result<(), TelegramError> {
        let mut fields = Map::new();
        fields.insert("scope".to_owned(), json!(scope));
        if !language.is_empty() {
            fields.insert("language_code".to_owned(), json!(language));
        }
        let now: Vec<Value> = self
            .api
            .call_method("getMyCommands", fields.clone())
            .await
            .map_err(|error| TelegramError::from_call("getMyCommands", error))?;
        if is_same_menu(&now, &menu) {
            return Ok(());
        }
        fields.insert("commands".to_owned(), Value::Array(menu));
        self.api
            .call_method::<bool>("setMyCommands", fields)
            .await
            .map(drop)
            .map_err(|error| TelegramError::from_call("setMyCommands", error))
    }
}

/// Whether the server's menu equals ours; a field that is left out counts as false.
fn is_same_menu(now: &[Value], menu: &[Value]) -> bool {
    let key = |it: &Value| {
        let of = |name: &str| it[name].as_str().unwrap_or_default().to_owned();
        (of("command"), of("description"), it["is_ephemeral"] == true)
    };
    now.iter().map(key).eq(menu.iter().map(key))
}

fn menu_json(
    commands: &[TelegramMenuCommand],
    scope: &BotCommandScope,
    language: &str,
    knows_ephemerals: bool,
) -> Vec<Value> {
    let in_groups = matches!(scope, BotCommandScope::AllGroupChats);
    let offered = |it: &&TelegramMenuCommand| if in_groups { it.in_groups } else { it.in_private };
    let described = |it: &TelegramMenuCommand| {
        let by = |code: &str| it.descriptions.iter().find(|(language, _)| language == code);
        let (_, words) = by(language).or_else(|| by(""))?;
        let words = truncate_utf16(words, DESCRIPTION_MAX);
        let mut command = json!({ "command": it.name, "description": words });
        // In a private chat no other member could see it.
        if in_groups && knows_ephemerals && it.is_ephemeral {
            command["is_ephemeral"] = json!(true);
        }
        Some(command)
    };
    commands.iter().filter(offered).filter_map(described).take(COMMANDS_MAX).collect()
}
