//! Runs the real program as a child process, and people who use it over its JSON interface.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

/// The built program with nothing of our own environment, in a folder without settings.
pub fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_caravanserai"));
    command.env_clear().current_dir(folder).stdin(Stdio::null());
    command
}

/// A running bot. It dies with this value, also when a test fails.
pub struct Program {
    child: Child,
    /// Where its page is.
    pub base: String,
    /// Where its host's port is, if it has one.
    pub host: String,
    log: Option<JoinHandle<String>>,
}

impl Program {
    /// Starts it on its folder and a free port, and waits until it serves.
    pub fn start(folder: &Path) -> Self {
        Self::start_with(folder, &[])
    }

    /// The same with more settings.
    pub fn start_with(folder: &Path, settings: &[(&str, String)]) -> Self {
        let mut command = program(folder);
        command.env("DATA_DIR", folder.join("data"));
        command.env("WEB_LISTEN", "127.0.0.1:0").env("LOG", "info");
        command.envs(settings.iter().map(|(name, value)| (name, value)));
        Self::served(command, String::new())
    }

    /// Starts it on this data folder with a host's port. A file that may not become longer is an
    /// error for it like any other, and not its end.
    pub fn start_at(data: &Path) -> Self {
        Self::start_at_with(data, &[])
    }

    /// The same with more in its environment.
    pub fn start_at_with(data: &Path, more: &[(&str, &str)]) -> Self {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let host = port.local_addr().unwrap().to_string();
        drop(port);
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' XFSZ; exec \"$0\"", env!("CARGO_BIN_EXE_caravanserai")]);
        command.env_clear().current_dir(std::env::temp_dir()).stdin(Stdio::null());
        command.env("DATA_DIR", data).env("HTTP_LISTEN", &host);
        command.env("WEB_LISTEN", "127.0.0.1:0").env("LOG", "info").envs(more.iter().copied());
        Self::served(command, format!("http://{host}"))
    }

    fn served(mut command: Command, host: String) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let stderr = child.stderr.take().unwrap();
        let (found, address) = mpsc::channel();
        let log = std::thread::spawn(move || read_log(stderr, &found));
        let Ok(base) = address.recv() else {
            child.wait().unwrap();
            panic!("it did not start:\n{}", log.join().unwrap());
        };
        Program { child, base, host, log: Some(log) }
    }

    /// SIGKILL: no chance to say goodbye. Gives what it had logged.
    pub fn kill(mut self) -> String {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.log.take().unwrap().join().unwrap()
    }

    /// SIGTERM; gives how it ended and what it had logged.
    ///
    /// # Panics
    /// When it takes longer than the 10 seconds it may take.
    pub async fn stop(mut self) -> (ExitStatus, String) {
        self.stopped(Duration::from_secs(10)).await
    }

    /// The same, when it may take so long.
    pub async fn stopped(&mut self, time: Duration) -> (ExitStatus, String) {
        let id = self.id().to_string();
        let told = Command::new("sh").args(["-c", "kill -TERM \"$0\"", &id]).status().unwrap();
        assert!(told.success());
        self.ended(time).await
    }

    /// Waits until it has ended by itself.
    pub async fn ended(&mut self, time: Duration) -> (ExitStatus, String) {
        let log = self.log.take().unwrap();
        // The log ends when the process does.
        let ended = tokio::task::spawn_blocking(move || log.join().unwrap());
        let log = tokio::time::timeout(time, ended).await;
        let log = log.expect("it ends in time").unwrap();
        (self.child.wait().unwrap(), log)
    }

    /// Whether it has ended.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn read_log(stderr: impl Read, found: &mpsc::Sender<String>) -> String {
    let mut log = String::new();
    for line in BufReader::new(stderr).lines() {
        let Ok(line) = line else { break };
        if let Some((_, base)) = line.split_once("the group chat is at ") {
            // The receiver may be gone.
            found.send(base.trim().to_owned()).ok();
        }
        log.push_str(&line);
        log.push('\n');
    }
    log
}

/// A person in the lobby, with a script.
#[derive(Clone)]
pub struct Someone {
    client: Client,
    base: String,
    token: String,
    /// `web:` and their id.
    pub id: String,
}

impl Someone {
    /// Arrives and enters the lobby.
    pub async fn enter(bot: &Program, name: &str) -> Self {
        Self::enter_at(&bot.base, name).await
    }

    /// The same at an address.
    pub async fn enter_at(base: &str, name: &str) -> Self {
        let client = Client::builder().no_proxy().build().unwrap();
        let url = format!("{base}/api/people");
        let body = json!({ "name": name, "locale": "en" });
        let made = client.post(url).json(&body).send().await.unwrap();
        let made: Value = made.json().await.unwrap();
        let text = |key: &str| made[key].as_str().unwrap().to_owned();
        let it = Someone { client, base: base.to_owned(), token: text("token"), id: text("id") };
        it.ask("rooms", &json!({ "name": "lobby" })).await.unwrap();
        it
    }

    /// The same person at a bot that was started again: nothing of the old connection is left.
    pub fn at(&mut self, bot: &Program) {
        self.at_address(&bot.base);
    }

    /// The same person at another address of the bot.
    pub fn at_address(&mut self, base: &str) {
        self.client = Client::builder().no_proxy().build().unwrap();
        base.clone_into(&mut self.base);
    }

    /// Asks for something to be done. `None` if no answer came.
    pub async fn ask(&self, path: &str, body: &Value) -> Option<Value> {
        let (status, body) = self.try_ask(path, body).await?;
        assert_eq!(status, StatusCode::OK, "{path}: {body}");
        Some(body)
    }

    /// The same where it may be refused.
    pub async fn try_ask(&self, path: &str, body: &Value) -> Option<(StatusCode, Value)> {
        let url = format!("{}/api/{path}", self.base);
        let sent = self.client.post(url).bearer_auth(&self.token).json(body).send().await;
        let answer = sent.ok()?;
        let status = answer.status();
        Some((status, answer.json().await.ok()?))
    }

    /// The messages of the lobby, if they can be seen now.
    pub async fn try_lobby(&self) -> Option<Vec<Value>> {
        let url = format!("{}/api/rooms/lobby", self.base);
        let answer = self.client.get(url).bearer_auth(&self.token).send().await.ok()?;
        let room: Value = answer.error_for_status().ok()?.json().await.ok()?;
        room["messages"].as_array().cloned()
    }

    /// A request that changes nothing; it may fail.
    pub async fn look(&self) -> bool {
        self.client.get(format!("{}/healthz", self.base)).send().await.is_ok()
    }

    /// Looks for as long as people need before they press: what has just slid under a finger is
    /// not taken.
    pub async fn look_at_the_board(&self) {
        let since = std::time::Instant::now();
        while since.elapsed() < Duration::from_millis(600) {
            self.look().await;
        }
    }

    /// What this person sees in the lobby, and how far it goes.
    pub async fn lobby(&self) -> (Vec<Value>, u64) {
        let url = format!("{}/api/rooms/lobby", self.base);
        let answer = self.client.get(url).bearer_auth(&self.token).send().await.unwrap();
        let room: Value = answer.error_for_status().unwrap().json().await.unwrap();
        (room["messages"].as_array().unwrap().clone(), room["seq"].as_u64().unwrap())
    }

    /// Opens the event stream after a change.
    pub async fn events(&self, after: u64) -> reqwest::Response {
        let url = format!("{}/api/events?after={after}", self.base);
        let answer = self.client.get(url).bearer_auth(&self.token).send().await.unwrap();
        answer.error_for_status().unwrap()
    }

    /// Waits until the messages of the lobby give something.
    pub async fn until<T>(&self, find: impl Fn(&[Value]) -> Option<T>) -> T {
        let found = async {
            loop {
                let (messages, seq) = self.lobby().await;
                if let Some(found) = find(&messages) {
                    return found;
                }
                let mut events = self.events(seq).await;
                let mut news = String::new();
                while !news.contains("event: message") && !news.contains("event:message") {
                    let piece = events.chunk().await.unwrap().expect("the stream goes on");
                    news.push_str(&String::from_utf8_lossy(&piece));
                }
            }
        };
        match tokio::time::timeout(Duration::from_secs(20), found).await {
            Ok(found) => found,
            Err(_) => panic!("it never came; the lobby has {:#?}", self.lobby().await.0),
        }
    }
}

/// Ann and another one at a table of Togyzkumalak in the lobby, where Ann begins; with the code of
/// the table. Its board stands.
pub async fn sit_down(bot: &Program, other: &str) -> ([Someone; 2], String) {
    let people = [Someone::enter(bot, "Ann").await, Someone::enter(bot, other).await];
    let words = json!({ "text": "/togyz me", "key": "open" });
    people[0].ask("rooms/lobby/messages", &words).await.unwrap();
    let join = people[1].until(|it| with_button(it, "j.").pop()).await;
    let press = json!({ "message": join.0, "press": join.1[0], "key": "join" });
    people[1].ask("rooms/lobby/press", &press).await.unwrap();
    let table = join.1[0].split('.').nth(1).unwrap().to_owned();
    people[0].until(|it| with_button(it, &format!("p.{table}.")).pop()).await;
    (people, table)
}

/// The messages of the bot that carry a button whose press begins like this, with those presses.
pub fn with_button(messages: &[Value], begin: &str) -> Vec<(u64, Vec<String>)> {
    let presses = |it: &Value| -> Vec<String> {
        let rows = it["buttons"].as_array().into_iter().flatten();
        let all = rows.flat_map(|row| row.as_array().unwrap());
        let all = all.map(|key| key["press"].as_str().unwrap().to_owned());
        all.filter(|it| it.starts_with(begin)).collect()
    };
    let found = messages.iter().map(|it| (it["id"].as_u64().unwrap(), presses(it)));
    found.filter(|(_, presses)| !presses.is_empty()).collect()
}
