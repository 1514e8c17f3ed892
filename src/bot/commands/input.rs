//! The words behind a typed command, and the common ways to parse them.

use std::sync::Arc;

use super::action::{ChatAction, Request, RequestOrigin, TableAction, TableRef};
use super::refusals::{CancelConfirmations, RefuseWords};
use super::spec::CommandSpec;
use crate::parsing::trailing_words::{TrailingWords, parse_switch_words};
use crate::parsing::words::quote;
use crate::settings::{Setting, SettingScope, SettingsRequest};
use caravanserai_games::ids::ChatKind;
use caravanserai_protocol::{CommandOption, Mention, OptionValue};

/// A typed command with the words behind it.
#[derive(Debug)]
pub struct CommandInput<'a> {
    /// The command.
    pub spec: &'static CommandSpec,
    /// The words behind it.
    pub words: &'a str,
    /// The people who are mentioned in the words.
    pub mentions: &'a [Mention],
    /// The options of a command that the platform has parsed. A typed command has none: its
    /// arguments are words.
    pub options: &'a [CommandOption],
    /// The kind of the chat.
    pub chat_kind: ChatKind,
    /// The table that is meant: the one named by its code, the one of the message that is replied
    /// to, or the person's own.
    pub table: TableRef,
}

impl CommandInput<'_> {
    /// A request about the table that is meant.
    pub fn about_table(&self, action: impl TableAction) -> Request {
        Request::Table {
            table: self.table.clone(),
            action: Arc::new(action),
            origin: RequestOrigin::Typed,
        }
    }

    /// A request about a table for a command without arguments. "No" cancels pending confirmations.
    pub fn about_table_without_words(&self, action: impl TableAction) -> Request {
        match self.trailing_words() {
            TrailingWords::Nothing => self.about_table(action),
            words => self.refuse_words(&words),
        }
    }

    /// As [`Self::about_table_without_words`], for commands where a trailing "no" declines
    /// something.
    pub fn about_table_or_no(&self, action: impl TableAction, no: impl TableAction) -> Request {
        match self.trailing_words() {
            TrailingWords::Nothing => self.about_table(action),
            TrailingWords::No => self.about_table(no),
            words @ TrailingWords::Words(_) => self.refuse_words(&words),
        }
    }

    /// The text of an option that the platform has parsed.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find_map(|it| match &it.value {
            OptionValue::Text(text) if it.name == name => Some(text.as_str()),
            OptionValue::Text(_) | OptionValue::Person(_) => None,
        })
    }

    /// A request that is not about a table, for a command that takes no words.
    pub fn without_words(&self, action: impl ChatAction) -> Request {
        match self.trailing_words() {
            TrailingWords::Nothing => Request::chat(action),
            words => self.refuse_words(&words),
        }
    }

    /// The words behind the command, including the names of mentioned people.
    pub fn trailing_words(&self) -> TrailingWords {
        TrailingWords::parse(self.words, self.mentions)
    }

    /// The words behind the command, without mentioned people.
    pub fn trailing_words_without_mentions(&self) -> TrailingWords {
        TrailingWords::parse(self.words, &[])
    }

    /// The answer to words that the command does not accept.
    pub fn refuse_words(&self, words: &TrailingWords) -> Request {
        match words {
            TrailingWords::Nothing | TrailingWords::No => Request::chat(CancelConfirmations),
            TrailingWords::Words(words) => {
                Request::chat(RefuseWords { command: self.spec.name, words: quote(words) })
            }
        }
    }

    /// Sets a switch of the person for "on" or "off", calls `act` if no words follow, and else
    /// shows the choice of values.
    pub fn switch_or(
        &self,
        setting: Setting,
        (on, off): (&'static str, &'static str),
        act: impl FnOnce() -> Request,
    ) -> Request {
        let scope = SettingScope::Person;
        Request::settings(match parse_switch_words(self.words) {
            Ok(Some(is_on)) => SettingsRequest::set(scope, setting, if is_on { on } else { off }),
            Ok(None) => return act(),
            Err(_) => SettingsRequest::Choices(scope, setting),
        })
    }
}
