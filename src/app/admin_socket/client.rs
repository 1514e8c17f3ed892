//! Connects a command to a running bot: the client of the admin socket.

use std::io::ErrorKind;
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::time::timeout;

use super::{
    AdminRequest, BotMessage, REQUEST_BYTES_MAX, StoreKind, encode, read_message, socket_path,
};
use crate::config::Config;
use crate::logs::print_stderr;
use crate::store_commands::DamagedTable;
use caravanserai_store::private_socket;

/// How long the bot may be silent. It sends something every few seconds while a command runs.
const SILENCE_MAX: Duration = Duration::from_secs(30);

/// The longest message of the bot, in bytes.
const MESSAGE_BYTES_MAX: usize = 1024 * 1024;

/// A running bot that accepts one request.
pub struct BotConnection {
    stream: BufReader<UnixStream>,
}

/// Connects to the bot that runs on the data folder of these settings. `None` if none does, or
/// one with a store of another kind, which these settings do not mean. With a database, `None` also
/// if the bot does not answer: the database can be used without it.
///
/// # Errors
/// When a bot with a store in the folder does not answer.
pub async fn connect(config: &Config) -> anyhow::Result<Option<BotConnection>> {
    let path = socket_path(&config.data_dir);
    let tried = greet(config).await;
    let tried = tried.with_context(|| format!("the bot does not answer at {}", path.display()));
    match (tried, StoreKind::of(&config.store)) {
        (Err(error), StoreKind::Database) => {
            print_stderr(format_args!("{error:#}; the database is used without it"));
            Ok(None)
        }
        (tried, StoreKind::Folder | StoreKind::Database) => tried,
    }
}

/// Connects and reads the first message.
async fn greet(config: &Config) -> anyhow::Result<Option<BotConnection>> {
    let stream = match private_socket::connect(&socket_path(&config.data_dir)).await {
        Ok(Some(stream)) => stream,
        Ok(None) => return Ok(None),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            bail!("only the user that runs the bot can use its socket");
        }
        Err(error) => return Err(error.into()),
    };
    let mut bot = BotConnection { stream: BufReader::new(stream) };
    match bot.next_message().await? {
        BotMessage::Hello { store, .. } => {
            Ok((store == StoreKind::of(&config.store)).then_some(bot))
        }
        BotMessage::Failed(why) => bail!(why),
        BotMessage::Working
        | BotMessage::Line(_)
        | BotMessage::Damage(_)
        | BotMessage::LogLine(_)
        | BotMessage::Record(_)
        | BotMessage::Done => bail!("it is of another version"),
    }
}

/// The answer of the bot to a request.
#[derive(Default)]
struct AdminAnswer {
    /// Lines for the operator.
    lines: Vec<String>,
    /// The rest of the table that was asked for.
    damaged: DamagedTable,
}

impl BotConnection {
    /// Has the bot run these words as those behind `/admin`, and returns the lines of the answer.
    ///
    /// # Errors
    /// When the bot refuses the command or it fails, or the bot ends before it has answered.
    pub async fn run_admin(self, words: &str) -> anyhow::Result<Vec<String>> {
        Ok(self.exchange(&AdminRequest::Admin(words.to_owned())).await?.lines)
    }

    /// Reads the rest of an unreadable table.
    ///
    /// # Errors
    /// When the table is readable or does not exist, or the bot does not answer.
    pub(crate) async fn read_damaged(self, table: &str) -> anyhow::Result<DamagedTable> {
        Ok(self.exchange(&AdminRequest::ReadDamaged(table.to_owned())).await?.damaged)
    }

    /// Has the bot remove an unreadable table whose log has so many lines. Returns what it says.
    ///
    /// # Errors
    /// When the table has changed, or the bot does not answer.
    pub(crate) async fn remove_damaged(self, table: &str, lines: usize) -> anyhow::Result<String> {
        let request = AdminRequest::RemoveDamaged { table: table.to_owned(), lines };
        Ok(self.exchange(&request).await?.lines.join("\n"))
    }

    /// Sends a request and returns the answer.
    async fn exchange(mut self, request: &AdminRequest) -> anyhow::Result<AdminAnswer> {
        let text = encode(request);
        if text.len() > REQUEST_BYTES_MAX {
            bail!("the command is longer than {REQUEST_BYTES_MAX} bytes");
        }
        // A bot that has refused the request already says why.
        let sent = self.stream.get_mut().write_all(text.as_bytes()).await;
        let mut answer = AdminAnswer::default();
        loop {
            let message = match self.next_message().await {
                Ok(message) => message,
                Err(error) => {
                    sent?;
                    return Err(error.context(
                        "the bot has not finished its answer; `caravanserai admin log` shows \
                         whether the command took effect",
                    ));
                }
            };
            match message {
                BotMessage::Line(line) => answer.lines.push(line),
                BotMessage::Damage(why) => answer.damaged.why = why,
                BotMessage::LogLine(line) => answer.damaged.lines.push(line),
                BotMessage::Record(digits) => answer.damaged.record = Some(hex::decode(digits)?),
                BotMessage::Hello { .. } | BotMessage::Working => {}
                BotMessage::Done => return Ok(answer),
                BotMessage::Failed(why) => bail!(why),
            }
        }
    }

    /// The next message, which must not take long.
    async fn next_message(&mut self) -> anyhow::Result<BotMessage> {
        let read = timeout(SILENCE_MAX, read_message(&mut self.stream, MESSAGE_BYTES_MAX)).await;
        let seconds = SILENCE_MAX.as_secs();
        Ok(read.with_context(|| format!("it was silent for {seconds} seconds"))??)
    }
}
