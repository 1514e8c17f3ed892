//! Runs the commands that arrive at the admin socket.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;

use tokio::io::{AsyncBufRead, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::OwnedWriteHalf;
use tokio::task::JoinSet;

use super::{
    AdminRequest, BotMessage, CLIENTS_MAX, REQUEST_BYTES_MAX, REQUEST_TIMEOUT_MS, StoreKind,
    encode, read_message, socket_path,
};
use crate::component_supervisor::ComponentError;
use crate::shutdown::Shutdown;
use crate::store_commands::{DamagedTable, read_damaged, remove_damaged};
use caravanserai_bot::admin::AdminActor;
use caravanserai_bot::service::{Service, TimeSource};
use caravanserai_store::Store;
use caravanserai_store::private_socket::PrivateSocket;

/// The file whose lock shows that a process listens at the socket. With a database, several bots
/// may have one data folder.
const LOCK_FILE: &str = "admin.lock";

/// The time between two messages to a client that waits, in milliseconds.
const WORKING_INTERVAL_MS: u64 = 5_000;

/// The time for a client to take an answer, in milliseconds.
const ANSWER_TIMEOUT_MS: u64 = 10_000;

/// Runs the commands that arrive at the socket of a data folder.
pub struct AdminServer {
    /// The data folder.
    pub data_dir: PathBuf,
    /// The kind of the bot's store.
    pub store_kind: StoreKind,
    /// The store.
    pub store: Arc<dyn Store>,
    /// The bot.
    pub service: Service,
    /// The source of time.
    pub time_source: Arc<dyn TimeSource>,
    /// Signals when to stop.
    pub stop: Shutdown,
}

/// The writing half of a client's connection.
struct ClientWriter {
    half: OwnedWriteHalf,
    time_source: Arc<dyn TimeSource>,
}

impl AdminServer {
    /// Serves clients until the stop. The commands that are running then are finished.
    ///
    /// # Errors
    /// When the socket cannot be created, or another process listens there.
    pub async fn serve(self: Arc<Self>) -> Result<(), ComponentError> {
        let _lock = self.lock_folder()?;
        let path = socket_path(&self.data_dir);
        let socket = PrivateSocket::bind(&path).map_err(|error| {
            let why = format!("commands at the command line do not reach this bot: {error}");
            ComponentError::of_socket(&path, why)
        })?;
        tracing::info!(socket = %path.display(), "commands at the command line reach this bot");
        let mut clients = JoinSet::new();
        loop {
            while clients.try_join_next().is_some() {}
            let is_full = clients.len() >= CLIENTS_MAX;
            let stream = tokio::select! {
                biased;
                () = self.stop.wait() => break,
                _ = clients.join_next(), if is_full => continue,
                stream = socket.accept(), if !is_full => stream,
            };
            let server = Arc::clone(&self);
            clients.spawn(async move { server.serve_client(stream).await });
        }
        drop(socket);
        while clients.join_next().await.is_some() {}
        Ok(())
    }

    /// Locks the folder for this process; the lock ends with the file, or with the process.
    fn lock_folder(&self) -> Result<File, ComponentError> {
        let path = self.data_dir.join(LOCK_FILE);
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true).mode(0o600);
        let failed = |error| {
            let path = path.display();
            ComponentError::Transient(format!("{path} cannot be locked: {error}"))
        };
        let file = options.open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(ComponentError::Transient(format!(
                "another bot takes the commands at the command line of {}",
                self.data_dir.display()
            ))),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    /// Runs the one request of a client.
    async fn serve_client(&self, stream: UnixStream) {
        let user = stream.peer_cred().ok().map(|it| it.uid());
        let (reader, half) = stream.into_split();
        let mut writer = ClientWriter { half, time_source: self.time_source.clone() };
        let version = env!("CARGO_PKG_VERSION").to_owned();
        writer.send(&[BotMessage::Hello { version, store: self.store_kind }]).await;
        let messages = match self.read_request(BufReader::new(reader)).await {
            Ok(request) => self.run_request(request, user, &mut writer).await,
            Err(why) => vec![BotMessage::Failed(why)],
        };
        writer.send(&messages).await;
    }

    /// The request of a client, or why there is none.
    async fn read_request(
        &self,
        mut reader: impl AsyncBufRead + Unpin,
    ) -> Result<AdminRequest, String> {
        let read = tokio::select! {
            biased;
            read = read_message(&mut reader, REQUEST_BYTES_MAX) => read,
            () = self.stop.wait() => return Err("the bot is stopping".to_owned()),
            () = self.time_source.sleep_ms(REQUEST_TIMEOUT_MS) => {
                return Err("no command has arrived in time".to_owned());
            }
        };
        read.map_err(|error| format!("no command could be read: {error}"))
    }

    /// Runs a request to its end, also if the client goes meanwhile.
    async fn run_request(
        &self,
        request: AdminRequest,
        user: Option<u32>,
        writer: &mut ClientWriter,
    ) -> Vec<BotMessage> {
        let actor = user.map_or_else(AdminActor::command_line, AdminActor::system_user);
        let mut running = pin!(self.answer(request, actor));
        let answer = loop {
            tokio::select! {
                biased;
                answer = &mut running => break answer,
                () = self.time_source.sleep_ms(WORKING_INTERVAL_MS) => writer.send_working(),
            }
        };
        match answer {
            Ok(mut messages) => {
                messages.push(BotMessage::Done);
                messages
            }
            Err(why) => vec![BotMessage::Failed(why)],
        }
    }

    async fn answer(
        &self,
        request: AdminRequest,
        actor: AdminActor,
    ) -> Result<Vec<BotMessage>, String> {
        let in_one_sentence = |error: anyhow::Error| format!("{error:#}");
        match request {
            AdminRequest::Admin(words) => {
                let reply = self.service.run_admin_words(&words, actor).await?;
                if !reply.is_done() {
                    return Err(reply.lines.join("\n"));
                }
                Ok(reply.lines.into_iter().map(BotMessage::Line).collect())
            }
            AdminRequest::ReadDamaged(table) => {
                let found = read_damaged(&*self.store, &table).await.map_err(in_one_sentence)?;
                Ok(damage_messages(found))
            }
            AdminRequest::RemoveDamaged { table, lines } => {
                let by = actor.name;
                tracing::info!(by, table, "removing an unreadable table");
                let removed = remove_damaged(&*self.store, &table, lines).await;
                Ok(vec![BotMessage::Line(removed.map_err(in_one_sentence)?)])
            }
        }
    }
}

/// The rest of an unreadable table for a client.
fn damage_messages(found: DamagedTable) -> Vec<BotMessage> {
    let DamagedTable { why, lines, record } = found;
    let mut messages = vec![BotMessage::Damage(why)];
    messages.extend(lines.into_iter().map(BotMessage::LogLine));
    messages.extend(record.map(|it| BotMessage::Record(hex::encode(it))));
    messages
}

impl ClientWriter {
    /// Sends messages to a client that takes them in time.
    async fn send(&mut self, messages: &[BotMessage]) {
        let text: String = messages.iter().map(encode).collect();
        let sent = tokio::select! {
            biased;
            sent = self.half.write_all(text.as_bytes()) => sent.map_err(|it| it.to_string()),
            () = self.time_source.sleep_ms(ANSWER_TIMEOUT_MS) => {
                Err("it was not taken in time".to_owned())
            }
        };
        if let Err(why) = sent {
            tracing::info!(why, "failed to answer at the command line");
        }
    }

    /// Tells a client that it has to wait. Never waits for the client: the command must go on.
    fn send_working(&self) {
        // One that reads nothing misses it.
        let _ = self.half.try_write(encode(&BotMessage::Working).as_bytes());
    }
}
