//! The program as a supervised process: logs that cannot be written, signals, readiness.

use std::os::unix::net::UnixDatagram;
use std::process::{Child, ExitStatus, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use super::program::program;

/// More than the longest end may take.
const PATIENCE: Duration = Duration::from_secs(20);

struct Served {
    child: Child,
    health: String,
    _folder: TempDir,
}

impl Served {
    /// Starts the built-in chat with this for its log, and waits until it is well.
    async fn start(stderr: Stdio, more: &[(&str, &str)]) -> Served {
        let folder = TempDir::new().unwrap();
        let port = free_port();
        let child = program(folder.path())
            .env("DATA_DIR", folder.path().join("data"))
            .env("WEB_LISTEN", format!("127.0.0.1:{port}"))
            .env("LOG", "debug")
            .envs(more.iter().copied())
            .stderr(stderr)
            .spawn()
            .unwrap();
        let health = format!("http://127.0.0.1:{port}/healthz");
        let mut served = Served { child, health, _folder: folder };
        served.is_well().await;
        served
    }

    async fn is_well(&mut self) {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let well = async {
            loop {
                let ended = self.child.try_wait().unwrap();
                assert_eq!(ended, None, "it ended at its start");
                match client.get(&self.health).send().await {
                    Ok(answer) if answer.status().is_success() => return,
                    Ok(_) | Err(_) => tokio::task::yield_now().await,
                }
            }
        };
        tokio::time::timeout(PATIENCE, well).await.expect("it is well");
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let told = std::process::Command::new("kill").args(["-s", name, &id]).status().unwrap();
        assert!(told.success());
    }

    async fn ended(mut self) -> ExitStatus {
        let (waits, end) = tokio::sync::oneshot::channel();
        let id = self.child.id();
        std::thread::spawn(move || waits.send(self.child.wait().unwrap()));
        match tokio::time::timeout(PATIENCE, end).await {
            Ok(ended) => ended.unwrap(),
            Err(_) => panic!("process {id} did not end"),
        }
    }
}

fn free_port() -> u16 {
    let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    socket.local_addr().unwrap().port()
}

/// A log that cannot be written never matters.
#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_behind_the_log_stops_nothing() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut served = Served::start(full.into(), &[]).await;
    served.is_well().await;
    served.signal("TERM");
    assert_eq!(served.ended().await.code(), Some(0));
}

/// Nobody reads the pipe, and it fills up.
#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_nobody_reads_stops_nothing() {
    let mut served = Served::start(Stdio::piped(), &[("LOG", "trace")]).await;
    for _ in 0..200 {
        served.is_well().await;
    }
    served.signal("TERM");
    assert_eq!(served.ended().await.code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminal_that_goes_away_ends_it_in_an_orderly_way() {
    let served = Served::start(Stdio::null(), &[]).await;
    served.signal("HUP");
    assert_eq!(served.ended().await.code(), Some(0));
}

/// A dump would hold tokens, keys and seeds.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn the_memory_of_the_bot_is_in_no_core_dump() {
    let served = Served::start(Stdio::null(), &[]).await;
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", served.child.id())).unwrap();
    let core = limits.lines().find_map(|it| it.strip_prefix("Max core file size")).unwrap();
    let words: Vec<&str> = core.split_whitespace().collect();
    assert_eq!(words[..2], ["0", "0"], "{core}");
    served.signal("TERM");
    assert_eq!(served.ended().await.code(), Some(0));
}

/// As systemd asks for it: when it is ready, that it is alive, and that it ends.
#[tokio::test(flavor = "multi_thread")]
async fn a_supervisor_gets_readiness_and_watchdog_messages() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let name = path.to_str().unwrap();
    let served = Served::start(Stdio::null(), &[("NOTIFY_SOCKET", name)]).await;
    let mut heard = String::new();
    let mut hear = |what: &str| {
        let mut bytes = [0; 4096];
        while !heard.contains(what) {
            let length = socket.recv(&mut bytes).unwrap();
            heard.push_str(&String::from_utf8_lossy(&bytes[..length]));
            heard.push('\n');
        }
        heard.clone()
    };
    // A store may take longer to open than the time limit for a start.
    let heard = hear("EXTEND_TIMEOUT_USEC=");
    assert!(!heard.contains("READY=1"), "{heard}");
    hear("READY=1");
    hear("WATCHDOG=1");
    served.signal("TERM");
    hear("STOPPING=1");
    assert_eq!(served.ended().await.code(), Some(0));
}
