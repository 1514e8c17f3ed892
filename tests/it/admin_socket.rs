//! Commands at the command line beside the running bot: the real program on a folder, and the
//! socket with clients that are slow, huge, gone or meant for another bot.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Output;
use std::sync::Arc;

use async_trait::async_trait;
use caravanserai::admin_socket::{
    AdminServer, CLIENTS_MAX, REQUEST_BYTES_MAX, REQUEST_TIMEOUT_MS, StoreKind, connect,
    socket_path,
};
use caravanserai::component_supervisor::ComponentError;
use caravanserai::config::Config;
use caravanserai::shutdown::{ShutdownTrigger, shutdown_pair};
use caravanserai_bot::service::{Service, TimeSource};
use caravanserai_store::backup;
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::store_address::StoreAddress;
use caravanserai_store::{Append, Commit, Put, Space, Store, StoreError, StoreLayer};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use crate::archive::{Played, game};
use crate::kill::program::{Program, program, sit_down};
use crate::stage::clock::TestClock;
use crate::stage::memory::service;

/// Waits until a bot listens at the socket of this data folder.
async fn listening(data: &Path) {
    while UnixStream::connect(socket_path(data)).await.is_err() {
        tokio::task::yield_now().await;
    }
}

/// Runs the program with these words, on the folder of a bot.
fn run(folder: &Path, words: &[&str]) -> Output {
    run_at(folder, &folder.join("data"), words)
}

fn run_at(folder: &Path, data: &Path, words: &[&str]) -> Output {
    program(folder).env("DATA_DIR", data).args(words).output().unwrap()
}

/// The output of a run that succeeds.
fn answer(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The one sentence of a run that fails.
fn failure(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(said.starts_with("caravanserai: ") && said.lines().count() == 1, "{said}");
    assert!(output.stdout.is_empty(), "{output:?}");
    said
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_running_bot_takes_commands_and_its_store_does_without_it() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let admin = |words: &[&str]| run(folder.path(), &[&["admin"][..], words].concat());
    let bot = Program::start(folder.path());
    listening(&data).await;
    let socket = fs::metadata(socket_path(&data)).unwrap();
    assert_eq!(socket.mode() & 0o777, 0o600);
    let (people, table) = sit_down(&bot, "Bek").await;
    let status = answer(&admin(&["status"]));
    assert!(status.contains(", up 0 d 0 h") && status.contains("updates in progress"), "{status}");
    let frozen = answer(&admin(&["freeze", &table]));
    assert!(frozen.contains("is frozen: nobody can act"), "{frozen}");
    let is_shown = |messages: &[Value]| {
        let mut texts = messages.iter().map(Value::to_string);
        texts.find(|it| it.contains("has stopped this table for now"))
    };
    people[1].until(is_shown).await;
    // As in a chat: only the running bot knows which rooms there are.
    let unknown = failure(&admin(&["ban", "chat", "web:nowhere"]));
    assert!(unknown.contains("there is no chat web:nowhere, so nothing is banned"), "{unknown}");
    assert!(failure(&admin(&["dance"])).contains("there is no “dance”; “help” lists the"));
    assert!(answer(&admin(&[])).contains("freeze CODE, unfreeze CODE"));
    let rebuilt = answer(&run(folder.path(), &["results", "rebuild"]));
    assert!(rebuilt.contains("the running bot begins within a minute"), "{rebuilt}");
    let (ended, log) = bot.stop().await;
    assert_eq!(ended.code(), Some(0), "{log}");
    let by = format!("command line, user {}", socket.uid());
    assert!(log.contains("admin command") && log.contains(&by), "{log}");
    assert!(!socket_path(&data).exists());

    let status = answer(&admin(&["status"]));
    assert!(status.contains("tables: 1 open") && !status.contains(", up "), "{status}");
    assert!(answer(&admin(&["unfreeze", &table])).contains("goes on"));
    let log = answer(&admin(&["log"]));
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 3, "{log}");
    assert!(lines[0].ends_with(&format!("command line: unfreeze {table}")), "{log}");
    assert!(lines[1].ends_with(&format!("{by}: results rebuild")), "{log}");
    assert!(lines[2].ends_with(&format!("{by}: freeze {table}")), "{log}");
}

/// What was in the way of a socket when the bot started need not last.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backups_are_served_once_their_socket_can_be_created() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let in_the_way = backup::socket_path(&data);
    fs::create_dir_all(&in_the_way).unwrap();
    let bot = Program::start(folder.path());
    listening(&data).await;
    let file = folder.path().join("file.backup");
    let back_up = || run(folder.path(), &["backup", file.to_str().unwrap()]);
    assert_eq!(back_up().status.code(), Some(1));
    fs::remove_dir(&in_the_way).unwrap();
    while backup::connect(&data).await.ok().flatten().is_none() {
        tokio::task::yield_now().await;
    }
    assert_eq!(back_up().status.code(), Some(0));
    bot.kill();
}

/// A script must not take for done what the bot refused or only asked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_command_fails_with_and_without_a_running_bot() {
    let folder = TempDir::new().unwrap();
    let admin = |words: &[&str]| run(folder.path(), &[&["admin"], words].concat());
    let bot = Program::start(folder.path());
    listening(&folder.path().join("data")).await;
    let (_people, table) = sit_down(&bot, "Bek").await;
    let refuses = || {
        for command in ["table", "freeze", "unfreeze", "repair"] {
            let said = failure(&admin(&[command, "abcd9zz"]));
            assert!(said.contains("there is no table abcd9zz"), "{command}: {said}");
        }
        assert!(failure(&admin(&["close", "abcd9zz", "yes"])).contains("there is no table"));
        let said = failure(&admin(&["unban", "person", "telegram:8"]));
        assert!(said.contains("person tg:8 is not banned"), "{said}");
        // The question shows the table above it.
        let asked = admin(&["close", &table]);
        let said = String::from_utf8_lossy(&asked.stderr);
        assert!(asked.status.code() == Some(1) && asked.stdout.is_empty(), "{asked:?}");
        assert!(said.contains(&format!("or write: close {table} yes")), "{said}");
    };
    refuses();
    assert!(answer(&admin(&["freeze", &table])).contains("is frozen: nobody can act"));
    assert!(answer(&admin(&["freeze", &table])).contains("is frozen already"));
    let (ended, log) = bot.stop().await;
    assert_eq!(ended.code(), Some(0), "{log}");
    refuses();
    assert!(answer(&admin(&["close", &table, "yes"])).contains("is closed; nobody has lost"));
    let finished = failure(&admin(&["freeze", &table]));
    assert!(finished.contains(&format!("table {table} has ended already")), "{finished}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_socket_of_a_killed_bot_is_in_nobodys_way() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let status = || answer(&run(folder.path(), &["admin", "status"]));
    let bot = Program::start(folder.path());
    listening(&data).await;
    // A second one ends, and leaves the socket of the first.
    let mut second = program(folder.path());
    second.env("DATA_DIR", &data).env("WEB_LISTEN", "127.0.0.1:0").env("LOG", "error");
    assert!(failure(&second.output().unwrap()).contains("is in use by another process"));
    assert!(status().contains(", up 0 d"));
    bot.kill();
    assert!(socket_path(&data).exists());
    assert!(!status().contains(", up "));
    let bot = Program::start(folder.path());
    listening(&data).await;
    assert!(status().contains(", up 0 d"));
    bot.kill();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_cannot_be_read_is_removed_beside_the_running_bot() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let store = StoreAddress::Folder(data.clone()).open().await.unwrap();
    let lines = Played::new(game("togyzkumalak"), 2, 1).played_out().lines;
    let torn = [&lines[..2], &lines[3..5]].concat();
    for (table, lines) in [("good1", lines), ("bad22", torn.clone())] {
        let puts = vec![Put::new(Space::Head, table, "togyzkumalak")];
        let appends = vec![Append::new(table, 0, lines)];
        store.commit(Commit { appends, ..Commit::from_puts(puts) }).await.unwrap();
    }
    store.close().await.unwrap();
    drop(store);
    let bot = Program::start(folder.path());
    listening(&data).await;
    let close = |table, file| run(folder.path(), &["store", "close-table", table, "--log", file]);
    let described = answer(&run(folder.path(), &["admin", "table", "bad22"]));
    assert!(described.contains("`caravanserai store close-table` keeps"), "{described}");
    assert!(failure(&close("good1", "log")).contains("table good1 can be read"));
    assert!(failure(&close("none9", "log")).contains("there is no table none9"));
    let file = folder.path().join("log");
    assert!(!file.exists());
    let closed = answer(&close("bad22", "log"));
    assert!(closed.contains("is taken away with ") && closed.contains("4 lines are in log"));
    assert_eq!(fs::read_to_string(&file).unwrap().lines().collect::<Vec<_>>(), torn);
    assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o600);
    let left = failure(&run(folder.path(), &["admin", "table", "bad22"]));
    assert!(left.contains("there is no table bad22"), "{left}");
    assert!(failure(&close("bad22", "other")).contains("there is no table bad22"));
    bot.kill();
}

/// The longest path of a socket has about a hundred bytes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_data_folder_with_a_path_that_is_too_long_for_a_socket_is_named() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("long".repeat(30));
    let bot = Program::start_with(folder.path(), &[("DATA_DIR", data.display().to_string())]);
    let said = failure(&run_at(folder.path(), &data, &["admin", "status"]));
    assert!(said.contains("the path is too long: choose a shorter DATA_DIR"), "{said}");
    assert!(said.contains("write /admin to it in a private chat"), "{said}");
    let log = bot.kill();
    assert!(log.contains("is longer than a Unix socket may have"), "{log}");
    let checked = run_at(folder.path(), &data, &["doctor"]);
    let findings = String::from_utf8_lossy(&checked.stdout);
    assert!(findings.contains("choose a shorter DATA_DIR"), "{findings}");
    let backup = run_at(folder.path(), &data, &["backup", "copy"]);
    assert!(backup.status.success() && folder.path().join("copy").exists(), "{backup:?}");
    let status = answer(&run_at(folder.path(), &data, &["admin", "status"]));
    assert!(status.contains("tables: 0 open"), "{status}");
}

/// A store in which commits that write certain rows wait until they are let through.
struct HoldingStore {
    store: MemoryStore,
    /// The keys of those rows begin so.
    key: &'static str,
    held: Semaphore,
    let_through: Semaphore,
}

impl HoldingStore {
    fn new(key: &'static str) -> Arc<Self> {
        let (held, let_through) = (Semaphore::new(0), Semaphore::new(0));
        Arc::new(Self { store: MemoryStore::new(), key, held, let_through })
    }

    /// Waits until one more commit is held.
    async fn holds(&self) {
        self.held.acquire().await.unwrap().forget();
    }

    fn let_one_through(&self) {
        self.let_through.add_permits(1);
    }
}

#[async_trait]
impl StoreLayer for HoldingStore {
    fn inner(&self) -> &dyn Store {
        &self.store
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        if commit.puts.iter().any(|it| it.key.starts_with(self.key)) {
            self.held.add_permits(1);
            self.let_through.acquire().await.unwrap().forget();
        }
        self.store.commit(commit).await
    }
}

/// A bot in this process that listens at the socket of a folder.
struct Listener {
    folder: TempDir,
    clock: Arc<TestClock>,
    service: Service,
    store: Arc<dyn Store>,
    trigger: ShutdownTrigger,
    serving: JoinHandle<Result<(), ComponentError>>,
}

impl Listener {
    async fn new(store: Arc<dyn Store>) -> Self {
        let (folder, clock) = (TempDir::new().unwrap(), Arc::new(TestClock::new()));
        let service = service(store.clone(), clock.clone(), 1);
        let (trigger, stop) = shutdown_pair();
        let server = AdminServer {
            data_dir: folder.path().to_owned(),
            store_kind: StoreKind::Folder,
            store: store.clone(),
            service: service.clone(),
            time_source: clock.clone(),
            stop,
        };
        let serving = tokio::spawn(Arc::new(server).serve());
        listening(folder.path()).await;
        Self { folder, clock, service, store, trigger, serving }
    }

    /// The settings of a command that means this bot.
    fn config(&self) -> Config {
        let data = self.folder.path().display().to_string();
        let pairs = [("DATA_DIR".to_owned(), data)];
        Config::load(&pairs.into(), None, self.folder.path()).unwrap()
    }

    /// Runs a command as the command line does.
    async fn admin(&self, words: &str) -> Result<String, String> {
        run_admin(&self.config(), words).await
    }

    async fn client(&self) -> RawClient {
        let stream = UnixStream::connect(socket_path(self.folder.path())).await.unwrap();
        RawClient(BufReader::new(stream))
    }

    /// Waits until something sleeps for so long, and lets that time pass.
    async fn pass(&self, ms: u64) {
        let until = self.clock.now_ms() + ms;
        self.clock.sleepers().wait_for(|all| all.contains(&until)).await.unwrap();
        self.clock.pass_ms(ms);
    }
}

async fn run_admin(config: &Config, words: &str) -> Result<String, String> {
    let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    let ran = caravanserai::store_commands::run_admin(config, &words).await;
    ran.map_err(|it| format!("{it:#}"))
}

/// A client that writes what it wants.
struct RawClient(BufReader<UnixStream>);

impl RawClient {
    async fn write(&mut self, bytes: &[u8]) {
        self.0.get_mut().write_all(bytes).await.unwrap();
    }

    async fn ask(&mut self, words: &str) {
        self.write(format!("{}\n", json!({ "admin": words })).as_bytes()).await;
    }

    /// The next message.
    async fn read(&mut self) -> Value {
        let mut line = String::new();
        self.0.read_line(&mut line).await.unwrap();
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?}"))
    }

    /// The reason for which it is let go.
    async fn refusal(&mut self) -> String {
        assert_eq!(self.read().await["hello"]["store"], "folder");
        self.read().await["failed"].as_str().unwrap().to_owned()
    }
}

#[tokio::test]
async fn garbage_huge_lines_and_slow_clients_are_let_go() {
    let listener = Listener::new(Arc::new(MemoryStore::new())).await;
    let huge = vec![b'x'; REQUEST_BYTES_MAX];
    let long = format!("{{\"admin\":\"message {}\"}}\n", "x".repeat(REQUEST_BYTES_MAX));
    for (bytes, why) in [
        (&b"GET / HTTP/1.1\r\n"[..], "the message is not understood"),
        (&b"\xff\xfe\x00\n"[..], "the message is not understood"),
        (&b"{\"admin\":[\"status\"]}\n"[..], "the message is not understood"),
        (huge.as_slice(), "the message is too long"),
        (long.as_bytes(), "the message is too long"),
    ] {
        let mut client = listener.client().await;
        client.write(bytes).await;
        let said = client.refusal().await;
        assert!(said.starts_with("no command could be read") && said.contains(why), "{said}");
    }
    let too_long = format!("message {}", "x".repeat(REQUEST_BYTES_MAX));
    let said = listener.admin(&too_long).await.unwrap_err();
    assert!(said.contains("the command is longer than"), "{said}");
    // Some write nothing, and others have to wait meanwhile.
    let mut idle = Vec::new();
    for _ in 0..CLIENTS_MAX {
        let mut client = listener.client().await;
        client.write(b"{\"admin\":").await;
        idle.push(client);
    }
    for client in &mut idle {
        assert_eq!(client.read().await["hello"]["store"], "folder");
    }
    let mut waiting = listener.client().await;
    waiting.ask("status").await;
    for _ in 0..500 {
        tokio::task::yield_now().await;
    }
    let early = waiting.0.get_mut().try_read(&mut [0; 8]);
    assert_eq!(early.unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
    listener.pass(REQUEST_TIMEOUT_MS).await;
    for client in &mut idle {
        assert_eq!(client.read().await, json!({ "failed": "no command has arrived in time" }));
    }
    assert_eq!(waiting.read().await["hello"]["store"], "folder");
    let line = waiting.read().await;
    assert!(line["line"].as_str().unwrap().starts_with("caravanserai "), "{line}");
}

#[tokio::test]
async fn a_bot_that_stops_finishes_its_commands_and_takes_no_more() {
    let store = HoldingStore::new("audit ");
    let mut listener = Listener::new(store.clone()).await;
    let config = listener.config();
    let draining = tokio::spawn(async move { run_admin(&config, "drain").await });
    store.holds().await;
    let mut idle = listener.client().await;
    assert_eq!(idle.read().await["hello"]["store"], "folder");
    listener.trigger.request_stop();
    assert_eq!(idle.read().await, json!({ "failed": "the bot is stopping" }));
    while socket_path(listener.folder.path()).exists() {
        tokio::task::yield_now().await;
    }
    assert!(connect(&listener.config()).await.unwrap().is_none());
    store.let_one_through();
    let said = draining.await.unwrap().unwrap();
    assert!(said.contains("no new games begin from now on"), "{said}");
    (&mut listener.serving).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_bot_that_dies_leaves_it_open_whether_the_command_took_effect() {
    let store = HoldingStore::new("audit ");
    let listener = Listener::new(store.clone()).await;
    let config = listener.config();
    let draining = tokio::spawn(async move { run_admin(&config, "drain").await });
    store.holds().await;
    listener.serving.abort();
    let said = draining.await.unwrap().unwrap_err();
    assert!(said.contains("the bot has not finished its answer"), "{said}");
    assert!(said.contains("`caravanserai admin log` shows whether"), "{said}");
}

#[tokio::test]
async fn a_command_is_run_to_its_end_when_its_client_has_gone() {
    let store = HoldingStore::new("audit ");
    let listener = Listener::new(store.clone()).await;
    let mut client = listener.client().await;
    client.ask("drain").await;
    store.holds().await;
    drop(client);
    store.let_one_through();
    while !listener.admin("status").await.unwrap().contains("drain: on") {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_store_that_does_not_answer_keeps_no_command_waiting() {
    let store = HoldingStore::new("audit ");
    let listener = Listener::new(store.clone()).await;
    let mut client = listener.client().await;
    client.ask("drain").await;
    store.holds().await;
    // The bot asks after one and a half seconds for the first time.
    listener.pass(1_500).await;
    let said = client.refusal().await;
    assert!(said.contains("the store does not answer; the command may take effect"), "{said}");
    store.let_one_through();
    listener.service.wait_until_idle().await;
    assert!(listener.admin("status").await.unwrap().contains("drain: on"));
}

/// Each page of chats takes almost a second.
#[tokio::test]
async fn a_long_command_tells_its_client_to_wait() {
    const CHATS: usize = 2_000;
    let store = HoldingStore::new("host-message");
    let allows = r#"{"values":{"news":"on"}}"#;
    let row = |n: usize| Put::new(Space::ChatProfile, format!("mem:chat{n}"), allows);
    store.store.commit(Commit::from_puts((0..CHATS).map(row).collect())).await.unwrap();
    let listener = Listener::new(store.clone()).await;
    let mut client = listener.client().await;
    client.ask("message Good\nevening").await;
    assert_eq!(client.read().await["hello"]["store"], "folder");
    let mut reading = tokio::spawn(async move {
        let mut messages = Vec::new();
        while messages.last() != Some(&json!("done")) {
            messages.push(client.read().await);
        }
        messages
    });
    let messages = loop {
        tokio::select! {
            messages = &mut reading => break messages.unwrap(),
            () = store.holds() => {
                listener.clock.pass_ms(900);
                store.let_one_through();
            }
        }
    };
    assert_eq!(messages[0], "working", "{messages:?}");
    let answer = &messages[messages.len() - 2..];
    assert_eq!(answer, [json!({ "line": "the message goes to 2000 chats" }), json!("done")]);
    let log = listener.admin("log").await.unwrap();
    assert!(log.contains("message Good\nevening"), "{log}");
}

/// With a database, several bots may have one data folder.
#[tokio::test]
async fn of_two_bots_on_a_folder_one_listens_and_the_other_follows_it() {
    let mut first = Listener::new(Arc::new(MemoryStore::new())).await;
    let (_trigger, stop) = shutdown_pair();
    let server = Arc::new(AdminServer {
        data_dir: first.folder.path().to_owned(),
        store_kind: StoreKind::Database,
        store: first.store.clone(),
        service: first.service.clone(),
        time_source: first.clock.clone(),
        stop,
    });
    let refused = Arc::clone(&server).serve().await.unwrap_err();
    assert!(refused.to_string().contains("another bot takes the commands"), "{refused}");
    assert!(first.admin("status").await.unwrap().contains("updates in progress"));
    first.trigger.request_stop();
    (&mut first.serving).await.unwrap().unwrap();
    let second = tokio::spawn(server.serve());
    listening(first.folder.path()).await;
    // Its store is another one than that of the settings.
    assert!(connect(&first.config()).await.unwrap().is_none());
    second.abort();
}
