//! Several real programs on one database, behind a proxy that knows which of them live.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::time::{Duration, sleep};

use crate::fake_discord::FakeDiscord;
use crate::fake_discord::signed::Signing;
use crate::fake_telegram::{FakeTelegram, TOKEN};
use crate::kill::program::Program;

/// How many programs serve.
pub const REPLICAS: usize = 3;
/// How far the clocks of the platforms go at a time.
const TICK: Duration = Duration::from_millis(50);

/// Where one program is reached.
#[derive(Clone)]
struct Address {
    /// Its own port.
    port: u16,
    /// Its page.
    page: String,
}

/// Whatever the platforms post goes to each living program in turn, as a proxy does it: the next
/// one is asked if one cannot be reached or is not ready.
#[derive(Clone, Default)]
pub struct Front {
    living: Arc<Mutex<Vec<Address>>>,
    turn: Arc<AtomicUsize>,
}

impl Front {
    fn in_turn(&self) -> Vec<Address> {
        let mut living = self.living.lock().clone();
        let turn = self.turn.fetch_add(1, Ordering::Relaxed);
        let count = living.len().max(1);
        living.rotate_left(turn % count);
        living
    }

    /// The page of one program that lives.
    pub fn page(&self) -> String {
        self.in_turn().first().expect("some program lives").page.clone()
    }
}

async fn forward(
    State(front): State<Front>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let client = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build().unwrap();
    for Address { port, .. } in front.in_turn() {
        let url = format!("http://127.0.0.1:{port}{}", uri.path());
        let mut request = client.post(url).body(body.clone());
        for (name, value) in &headers {
            if name.as_str().starts_with("x-") || name == "content-type" {
                request = request.header(name, value);
            }
        }
        match request.send().await {
            Err(error) if error.is_connect() => {}
            Err(_) => return StatusCode::BAD_GATEWAY.into_response(),
            Ok(answer) if answer.status() == StatusCode::SERVICE_UNAVAILABLE => {}
            Ok(answer) => {
                let status = answer.status();
                return (status, answer.bytes().await.unwrap_or_default()).into_response();
            }
        }
    }
    StatusCode::SERVICE_UNAVAILABLE.into_response()
}

/// The programs and the platforms they serve.
pub struct ReplicaSet {
    pub tg: FakeTelegram,
    pub dc: Arc<FakeDiscord>,
    pub front: Front,
    programs: Vec<Program>,
    settings: Vec<(&'static str, String)>,
    folder: TempDir,
    /// What killed programs had logged.
    pub logs: Vec<String>,
}

impl ReplicaSet {
    /// Starts everything on this database.
    pub async fn start(store: &str) -> ReplicaSet {
        let (tg, dc) = (FakeTelegram::start().await, Arc::new(FakeDiscord::start().await));
        let (front, socket) = (Front::default(), TcpListener::bind("127.0.0.1:0").await.unwrap());
        let door = format!("http://{}", socket.local_addr().unwrap());
        let router = Router::new().fallback(forward).with_state(front.clone());
        tokio::spawn(async move { axum::serve(socket, router).await.unwrap() });
        let signing = Signing::new(&format!("{door}/discord"), 7);
        dc.post_interactions(&signing);
        let settings = vec![
            ("STORE", store.to_owned()),
            ("WEB", "on".to_owned()),
            ("TELEGRAM_TOKEN", TOKEN.to_owned()),
            ("TELEGRAM_API_URL", tg.url()),
            ("TELEGRAM_WEBHOOK_URL", format!("{door}/telegram")),
            ("TELEGRAM_WEBHOOK_SECRET", "pushed".to_owned()),
            ("DISCORD_TOKEN", dc.token()),
            ("DISCORD_API_URL", dc.api_url()),
            ("DISCORD_INTERACTIONS", "http".to_owned()),
            ("DISCORD_PUBLIC_KEY", signing.public_key()),
        ];
        let (folder, logs) = (TempDir::new().unwrap(), Vec::new());
        let mut replica_set =
            ReplicaSet { tg, dc, front, programs: Vec::new(), settings, folder, logs };
        for _ in 0..REPLICAS {
            replica_set.add().await;
        }
        replica_set.keep_time();
        replica_set
    }

    /// The clocks of the platforms go with ours.
    fn keep_time(&self) {
        let (tg, dc) = (self.tg.clone(), Arc::downgrade(&self.dc));
        tokio::spawn(async move {
            while let Some(dc) = dc.upgrade() {
                tg.advance(TICK.as_millis() as u64);
                dc.advance(TICK);
                drop(dc);
                sleep(TICK).await;
            }
        });
    }

    /// One more program.
    async fn add(&mut self) {
        let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = socket.local_addr().unwrap().port();
        drop(socket);
        let mut settings = self.settings.clone();
        settings.push(("HTTP_LISTEN", format!("127.0.0.1:{port}")));
        let folder: &Path = self.folder.path();
        let program = tokio::task::block_in_place(|| Program::start_with(folder, &settings));
        let page = program.base.clone();
        self.front.living.lock().push(Address { port, page });
        self.programs.push(program);
    }

    /// SIGKILL for the oldest program, and another one in its place.
    pub async fn replace_one(&mut self) {
        // The proxy does not notice it at once.
        let killed = self.programs.remove(0);
        let log = tokio::task::block_in_place(|| killed.kill());
        self.logs.push(log);
        sleep(Duration::from_millis(20)).await;
        self.front.living.lock().remove(0);
        self.add().await;
    }

    /// Tells what the programs complained of.
    fn complain(&mut self) {
        let living = self.programs.drain(..).map(Program::kill);
        for (n, log) in self.logs.drain(..).chain(living).enumerate() {
            let bad = log.lines().filter(|it| it.contains(" WARN ") || it.contains(" ERROR "));
            bad.for_each(|line| eprintln!("program {n}: {line}"));
        }
    }

    /// Ends all programs; what they had logged.
    pub async fn end(mut self) -> Vec<String> {
        for program in self.programs.drain(..) {
            let (ended, log) = program.stop().await;
            assert_eq!(ended.code(), Some(0), "{log}");
            self.logs.push(log);
        }
        std::mem::take(&mut self.logs)
    }
}

impl Drop for ReplicaSet {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.complain();
        }
    }
}
