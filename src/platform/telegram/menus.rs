//! The lists of commands that apps show, by scope and language.

use teloxide::payloads::{
    GetMyCommands, GetMyCommandsSetters, SetMyCommands, SetMyCommandsSetters,
};
use teloxide::types::{BotCommand, BotCommandScope};

use super::markup::shorten;
use super::{Telegram, TelegramError};

/// Most commands in a menu.
const COMMANDS_MAX: usize = 100;
/// Longest description in UTF-16 units.
const DESCRIPTION_MAX: usize = 256;

/// A command as apps offer it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MenuCommand {
    /// 1-32 small Latin letters, digits and underscores; no slash.
    pub name: String,
    /// What it does, by two-letter language code; the empty code is for everybody else.
    pub descriptions: Vec<(String, String)>,
    /// Whether it is offered in groups.
    pub in_groups: bool,
    /// Whether it is offered in private chats.
    pub in_private: bool,
}

impl Telegram {
    /// Sets the menus, each only if it is not so already.
    ///
    /// # Errors
    /// The first call that fails.
    pub async fn set_menus(&self, commands: &[MenuCommand]) -> Result<(), TelegramError> {
        let mut languages: Vec<&str> = commands
            .iter()
            .flat_map(|it| &it.descriptions)
            .map(|(language, _)| language.as_str())
            .collect();
        languages.sort_unstable();
        languages.dedup();
        for language in languages {
            for scope in [BotCommandScope::AllGroupChats, BotCommandScope::AllPrivateChats] {
                let menu = menu(commands, &scope, language);
                self.set_menu(scope, language, menu).await?;
            }
        }
        Ok(())
    }

    async fn set_menu(
        &self,
        scope: BotCommandScope,
        language: &str,
        menu: Vec<BotCommand>,
    ) -> Result<(), TelegramError> {
        let get = GetMyCommands::new().scope(scope.clone()).language_code(language);
        let now: Vec<BotCommand> = self
            .api
            .call(&get)
            .await
            .map_err(|error| TelegramError::from_call("getMyCommands", error))?;
        if now == menu {
            return Ok(());
        }
        let set = SetMyCommands::new(menu).scope(scope).language_code(language);
        self.api
            .call::<bool>(&set)
            .await
            .map(drop)
            .map_err(|error| TelegramError::from_call("setMyCommands", error))
    }
}

fn menu(commands: &[MenuCommand], scope: &BotCommandScope, language: &str) -> Vec<BotCommand> {
    let offered = |it: &&MenuCommand| match scope {
        BotCommandScope::AllGroupChats => it.in_groups,
        _ => it.in_private,
    };
    let described = |it: &MenuCommand| {
        let by = |code: &str| it.descriptions.iter().find(|(language, _)| language == code);
        let (_, words) = by(language).or_else(|| by(""))?;
        Some(BotCommand::new(it.name.clone(), shorten(words, DESCRIPTION_MAX)))
    };
    commands.iter().filter(offered).filter_map(described).take(COMMANDS_MAX).collect()
}
