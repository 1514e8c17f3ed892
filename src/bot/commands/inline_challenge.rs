//! Buttons of messages that people post through the bot in chats where it is no member: a challenge
//! to a game, or a table to watch. The bot hears of nothing but presses there, so everything is in
//! the button.

use async_trait::async_trait;

use super::action::{ChatAction, Request};
use super::registry::{ButtonCode, CommandFile};
use crate::handlers::{HandlerResult, Handlers, RequestContext};
use crate::parsing::new_table::{NewTable, NewTableWords, parse_new_table};
use caravanserai_games::GameId;
use caravanserai_games::ids::TableId;

/// What this file adds.
pub(super) const FILE: CommandFile = CommandFile {
    buttons: &[
        ButtonCode::Chat(ACCEPT_CODE, |rest| {
            let mut parts = rest.split('.');
            let (game, code) = (GameId::from_code(parts.next()?)?, parts.next()?);
            let words = parts.next().unwrap_or_default().replace('+', " ");
            match parse_new_table(game, &words, &[]) {
                NewTableWords::Table(wanted) => {
                    Some(Request::chat(AcceptChallenge { wanted, code: code.to_owned() }))
                }
                _ => None,
            }
        }),
        ButtonCode::Chat(SHARE_CODE, |rest| {
            let mut parts = rest.split('.');
            let (table, code) = (TableId(parts.next()?.to_owned()), parts.next()?.to_owned());
            let is_watch_only = parts.next() == Some("watch");
            Some(Request::chat(ShowSharedTable { table, code, is_watch_only }))
        }),
    ],
    ..CommandFile::EMPTY
};

/// The code of the button that accepts a challenge.
const ACCEPT_CODE: &str = "!";
/// The code of the button that shows a shared table.
const SHARE_CODE: &str = "&";
/// The most bytes that a button can carry.
const CALLBACK_DATA_MAX: usize = 64;

/// The callback data of the button that accepts a challenge. `code` stands for the challenger.
/// `None` if the wishes for the table do not fit into a button.
pub fn challenge_callback_data(wanted: &NewTable, code: &str) -> Option<String> {
    let words = wanted.to_words().join("+");
    let how = if words.is_empty() { words } else { format!(".{words}") };
    let data = format!("{ACCEPT_CODE}.{}.{code}{how}", wanted.game.info().code);
    (data.len() <= CALLBACK_DATA_MAX).then_some(data)
}

/// The callback data of the button that shows a table in the message under which it is pressed.
/// `code` stands for whoever has shared it.
pub fn share_callback_data(table: &TableId, code: &str, is_watch_only: bool) -> String {
    let how = if is_watch_only { ".watch" } else { "" };
    format!("{SHARE_CODE}.{}.{code}{how}", table.0)
}

/// Plays somebody who has posted a challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptChallenge {
    /// The table that the challenger wants.
    pub wanted: NewTable,
    /// The code that stands for the challenger.
    pub code: String,
}

#[async_trait]
impl ChatAction for AcceptChallenge {
    async fn run(&self, handlers: &Handlers, context: &mut RequestContext<'_>) -> HandlerResult {
        handlers.accept_challenge(context, &self.wanted, &self.code).await
    }
}

/// Shows a table in the message by which a player has shared it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShowSharedTable {
    /// The table.
    pub table: TableId,
    /// The code that stands for whoever has shared it.
    pub code: String,
    /// Whether people there can only watch.
    pub is_watch_only: bool,
}

#[async_trait]
impl ChatAction for ShowSharedTable {
    async fn run(&self, handlers: &Handlers, context: &mut RequestContext<'_>) -> HandlerResult {
        let Self { table, code, is_watch_only } = self;
        handlers.accept_shared_table(context, table, code, *is_watch_only).await
    }
}
