//! The lists of commands that apps show, by scope and language.

use std::sync::atomic::Ordering;

use serde_json::{Map, Value, json};
use teloxide::types::BotCommandScope;

use super::markup::truncate_utf16;
use super::private_delivery::ephemeral;
use super::{TelegramError, TelegramPlatform};

/// Most commands in a menu.
const COMMANDS_MAX: usize = 100;
/// Longest description in UTF-16 units.
const DESCRIPTION_MAX: usize = 256;

/// A command as apps offer it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TelegramMenuCommand {
    /// 1-32 small Latin letters, digits and underscores; no slash.
    pub name: String,
    /// What it does, by two-letter language code; the empty code is for everybody else.
    pub descriptions: Vec<(String, String)>,
    /// Whether it is offered in groups.
    pub in_groups: bool,
    /// Whether it is offered in private chats.
    pub in_private: bool,
    /// Whether its answer is for whoever gives it alone: where the server can, nobody else sees
    /// the command either, and it is answered privately at once.
    pub is_ephemeral: bool,
}

impl TelegramPlatform {
    /// Sets the menus, each only if it is not so already.
    ///
    /// # Errors
    /// The first call that fails.
    pub async fn set_menus(&self, commands: &[TelegramMenuCommand]) -> Result<(), TelegramError> {
        let mut languages: Vec<&str> = commands
            .iter()
            .flat_map(|it| &it.descriptions)
            .map(|(language, _)| language.as_str())
            .collect();
        languages.sort_unstable();
        languages.dedup();
        let knows = self.ephemerals.load(Ordering::Relaxed) == ephemeral::YES;
        for language in languages {
            for scope in [BotCommandScope::AllGroupChats, BotCommandScope::AllPrivateChats] {
                let menu = menu_json(commands, &scope, language, knows);
                self.set_menu(scope, language, menu).await?;
            }
        }
        Ok(())
    }

    /// Sets one menu, with the marks of commands that only the bot sees if the server knows them.
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

/// Whether a server tells what it was told; one that leaves out what is false tells the same.
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
        // In a private chat there is nobody to hide it from.
        if in_groups && knows_ephemerals && it.is_ephemeral {
            command["is_ephemeral"] = json!(true);
        }
        Some(command)
    };
    commands.iter().filter(offered).filter_map(described).take(COMMANDS_MAX).collect()
}
