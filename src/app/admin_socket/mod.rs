//! Lets commands at the command line reach the bot that runs on the same data folder: one process
//! owns a store in a folder.
//!
//! The bot listens at `admin.sock` in its data folder ([`AdminServer`]), whose owner alone may
//! connect; the command is the [`BotConnection`]. Both write messages of one line, in JSON:
//!
//! ```text
//! bot      {"hello":{"version":"0.2.0","store":"folder"}}
//! command  {"admin":"freeze 7k3fxab"}
//! bot      "working"        every few seconds, while the command runs
//! bot      {"line":"table 7k3fxab is frozen: nobody can act, no clock runs"}
//! bot      "done"           or {"failed":"there is no “dance”; “help” lists the commands"}
//! ```
//!
//! If a connection ends before `done` or `failed`, it is unknown whether the command had an effect.
//! A command whose client has gone is run to its end.

mod client;
mod server;

use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

use caravanserai_store::store_address::StoreAddress;

pub use client::{BotConnection, connect};
pub use server::AdminServer;

/// The longest request, in bytes. The words of a command are about a thousand characters.
pub const REQUEST_BYTES_MAX: usize = 64 * 1024;

/// The time for a client to send its request, in milliseconds.
pub const REQUEST_TIMEOUT_MS: u64 = 5_000;

/// The clients that are served at the same time; further ones wait.
pub const CLIENTS_MAX: usize = 8;

/// Where the socket of a data folder is.
pub fn socket_path(data_dir: &Path) -> PathBuf {
    data_dir.join("admin.sock")
}

/// A message of the bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum BotMessage {
    /// The first message: the bot accepts a request.
    Hello {
        /// The version of the program.
        version: String,
        /// The store that it uses.
        store: StoreKind,
    },
    /// The request is being processed.
    Working,
    /// A line of the answer.
    Line(String),
    /// Why a table is unreadable.
    Damage(String),
    /// A line of the log of that table.
    LogLine(String),
    /// The record of that table, in hexadecimal digits.
    Record(String),
    /// The answer is complete: the command ends with exit code 0.
    Done,
    /// Why the command was refused or has failed: it ends with exit code 1.
    Failed(String),
}

/// A message of the command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum AdminRequest {
    /// Run these words as those behind `/admin`.
    Admin(String),
    /// Read the rest of an unreadable table.
    ReadDamaged(String),
    /// Remove an unreadable table.
    RemoveDamaged {
        /// Its code.
        table: String,
        /// The number of lines of its log that the client has read.
        lines: usize,
    },
}

/// The kind of a store: settings with another one do not mean this bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoreKind {
    /// In the data folder.
    Folder,
    /// A database.
    Database,
}

impl StoreKind {
    /// The kind of the store at this address.
    pub fn of(address: &StoreAddress) -> Self {
        if address.folder().is_some() { Self::Folder } else { Self::Database }
    }
}

/// A message as a line.
fn encode(message: &impl Serialize) -> String {
    let mut line = serde_json::to_string(message).expect("these messages can be written as JSON");
    line.push('\n');
    line
}

/// Why no message was read.
#[derive(Debug, thiserror::Error)]
enum MessageReadError {
    /// The other side has closed the connection.
    #[error("the connection was closed")]
    Closed,
    /// The message is longer than allowed.
    #[error("the message is too long")]
    TooLong,
    /// It is no message of this protocol.
    #[error("the message is not understood")]
    Invalid,
    /// The connection failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads a message of at most so many bytes.
async fn read_message<T: DeserializeOwned>(
    reader: &mut (impl AsyncBufRead + Unpin),
    bytes_max: usize,
) -> Result<T, MessageReadError> {
    let mut line = Vec::new();
    let mut limited = reader.take(bytes_max as u64);
    let read = limited.read_until(b'\n', &mut line).await?;
    match line.last() {
        Some(b'\n') => serde_json::from_slice(&line).map_err(|_| MessageReadError::Invalid),
        Some(_) if read >= bytes_max => Err(MessageReadError::TooLong),
        Some(_) | None => Err(MessageReadError::Closed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn messages_are_read_as_they_were_written() {
        let request = AdminRequest::Admin("message Good\nevening".to_owned());
        let messages = [
            BotMessage::Hello { version: "1".to_owned(), store: StoreKind::Folder },
            BotMessage::Working,
            BotMessage::Line("a\n“b”".to_owned()),
            BotMessage::Done,
            BotMessage::Failed(String::new()),
        ];
        let mut text = encode(&request);
        text.extend(messages.iter().map(encode));
        assert_eq!(text.lines().count(), 6, "{text}");
        let mut reader = text.as_bytes();
        let read: AdminRequest = read_message(&mut reader, 100).await.unwrap();
        assert_eq!(read, request);
        for message in messages {
            let read: BotMessage = read_message(&mut reader, 100).await.unwrap();
            assert_eq!(read, message);
        }
        let end = read_message::<BotMessage>(&mut reader, 100).await;
        assert!(matches!(end, Err(MessageReadError::Closed)), "{end:?}");
    }

    #[tokio::test]
    async fn other_input_is_refused() {
        let long = format!("{{\"admin\":\"{}\"}}\n", "x".repeat(100));
        for (text, why) in [
            ("status\n", "not understood"),
            ("\n", "not understood"),
            ("{\"admin\":7}\n", "not understood"),
            ("\u{0}\u{1}\n", "not understood"),
            ("{\"admin\":\"status\"}", "closed"),
            ("", "closed"),
            (long.as_str(), "too long"),
        ] {
            let read = read_message::<AdminRequest>(&mut text.as_bytes(), 100).await;
            let said = read.unwrap_err().to_string();
            assert!(said.contains(why), "{text}: {said}");
        }
    }
}
