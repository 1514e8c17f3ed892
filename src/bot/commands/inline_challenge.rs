//! Buttons of messages that people post through the bot in chats where it is not a member: a
//! challenge to a game, or a table to watch. The bot receives nothing but presses from these chats,
//! so the callback data must be complete.

use super::action::{ActionFuture, ChatAction, Request};
use super::registry::{ButtonCode, CommandFile};
use crate::handlers::{Handlers, RequestContext};
use crate::parsing::inline_query::split_usernames;
use crate::parsing::new_table::{NewTable, NewTableWords, parse_new_table};
use crate::settings::CALLBACK_DATA_MAX;
use caravanserai_games::GameId;
use caravanserai_games::ids::TableId;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    buttons: &[
        ButtonCode::Chat(ACCEPT_CODE, |rest| {
            let mut parts = rest.split('.');
            let game = GameId::from_code(parts.next()?)?;
            let code = parts.next()?;
            let words = parts.next().unwrap_or_default().replace('+', " ");
            let (words, friends) = split_usernames(&words);
            match parse_new_table(game, &words, &friends) {
                NewTableWords::Table(wanted) => {
                    Some(Request::chat(AcceptChallenge { wanted, code: code.to_owned() }))
                }
                _ => None,
            }
        }),
        ButtonCode::Chat(SHARE_CODE, |rest| {
            let mut parts = rest.split('.');
            let table = TableId(parts.next()?.to_owned());
            let code = parts.next()?.to_owned();
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
/// The callback data of the button that accepts a challenge. `code` identifies the challenger.
/// Friends are named by their usernames.
/// `None` if the options of the table do not fit into a button.
pub fn challenge_callback_data(wanted: &NewTable, code: &str) -> Option<String> {
    let words = words_of_table(wanted);
    let suffix = if words.is_empty() { words } else { format!(".{words}") };
    let data = format!("{ACCEPT_CODE}.{}.{code}{suffix}", wanted.game.info().code);
    (data.len() <= CALLBACK_DATA_MAX).then_some(data)
}

/// The terms of a challenge: everything about the table that its button says.
pub(crate) fn challenge_terms(wanted: &NewTable) -> String {
    format!("{}.{}", wanted.game.info().code, words_of_table(wanted))
}

/// The friends and the options of a table, as a button says them.
fn words_of_table(wanted: &NewTable) -> String {
    let friends = wanted.usernames().map(|it| format!("@{it}"));
    friends.chain(wanted.to_words()).collect::<Vec<_>>().join("+")
}

/// The terms of a shared table: everything that its button says.
pub(crate) fn share_terms(table: &TableId, is_watch_only: bool) -> String {
    share_callback_data(table, "", is_watch_only)
}

/// The callback data of the button that shows a table in the message of the button. `code`
/// identifies the person who shared it, and proves that they did.
pub fn share_callback_data(table: &TableId, code: &str, is_watch_only: bool) -> String {
    let suffix = if is_watch_only { ".watch" } else { "" };
    format!("{SHARE_CODE}.{}.{code}{suffix}", table.0)
}

/// Opens a table with the person who posted a challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptChallenge {
    /// The table that the challenger wants.
    pub wanted: NewTable,
    /// The code that identifies the challenger.
    pub code: String,
}

impl ChatAction for AcceptChallenge {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            handlers.challenges.accept_challenge(context, &self.wanted, &self.code).await
        })
    }
}

/// Shows a table in the message through which a player shared it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShowSharedTable {
    /// The table.
    pub table: TableId,
    /// The code that identifies the person who shared it, and proves that they did.
    pub code: String,
    /// Whether people there can only watch.
    pub is_watch_only: bool,
}

impl ChatAction for ShowSharedTable {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            let Self { table, code, is_watch_only } = self;
            handlers.challenges.accept_shared_table(context, table, code, *is_watch_only).await
        })
    }
}
