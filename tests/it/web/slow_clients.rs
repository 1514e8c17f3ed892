//! Clients that do not read from their connections, and how they affect others. The figures are
//! printed when `RUN_SLOW_TESTS` is set; otherwise a small crowd shows that all are served.

use std::io::BufRead;
use std::time::{Duration, Instant};

use caravanserai_webchat::connections::ConnectionLimits;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::*;

/// How many read nothing, how many write, and how often each does.
struct Crowd {
    deaf: usize,
    chatters: usize,
    words: usize,
    pause: Duration,
}

/// Opens a stream that nobody reads.
async fn deaf(of: &Someone) -> TcpStream {
    let mut stream = TcpStream::connect(of.base.trim_start_matches("http://")).await.unwrap();
    let head = format!(
        "GET /api/events?after=0 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\r\n",
        of.token
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

/// How long each word took, in order of length, and how many of them somebody who reads was told.
async fn chatter(crowd: &Crowd) -> (Vec<Duration>, usize) {
    let folder = TempDir::new().unwrap();
    let often = (1_000_000, 1);
    let limits = WebchatLimits {
        arrive_rate: often,
        arrive_daily_rate: often,
        say_rate: often,
        say_in_room_rate: often,
        read_rate: often,
        messages: 10_000,
        ..WebchatLimits::default()
    };
    let served = Served::start(folder.path(), limits).await;
    let reader = Someone::enter(&served, "Reader").await;
    let mut people = Vec::new();
    for n in 0..crowd.chatters {
        people.push(Someone::enter(&served, &format!("Chatter {n}")).await);
    }
    let mut unread = Vec::new();
    for n in 0..crowd.deaf {
        unread.push(deaf(&people[n % people.len()]).await);
    }
    let mut stream = reader.try_get("events").await;
    let all = crowd.chatters * crowd.words;
    let hear = async {
        let mut told = String::new();
        while told.matches("event: message").count() < all {
            told.push_str(&String::from_utf8_lossy(&stream.chunk().await.unwrap().unwrap()));
        }
        told.matches("event: message").count()
    };
    let talk = people.iter().enumerate().map(|(who, person)| async move {
        let mut took = Vec::new();
        for n in 0..crowd.words {
            let begun = Instant::now();
            person.say(&format!("word {n} of {who}"), &format!("k{n}")).await;
            took.push(begun.elapsed());
            tokio::time::sleep(crowd.pause.saturating_sub(begun.elapsed())).await;
        }
        took
    });
    let (took, heard) = futures::join!(futures::future::join_all(talk), hear);
    let mut took: Vec<Duration> = took.into_iter().flatten().collect();
    took.sort_unstable();
    (took, heard)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_who_read_nothing_keep_nobody_waiting() {
    let small = Crowd { deaf: 24, chatters: 4, words: 5, pause: Duration::ZERO };
    assert_eq!(chatter(&small).await.1, 20, "everybody who reads gets everything");
    if std::env::var_os("RUN_SLOW_TESTS").is_none() {
        return;
    }
    for deaf in [0, 320] {
        let crowd = Crowd { deaf, chatters: 40, words: 20, pause: Duration::from_secs(1) };
        let (took, _) = chatter(&crowd).await;
        let at = |share: usize| took[(took.len() - 1) * share / 100].as_secs_f64() * 1_000.0;
        let (p50, p99) = (at(50), at(99));
        println!("{deaf} unread streams, 40 chatters: p50 {p50:.1} ms, p99 {p99:.1} ms");
    }
}

const SERVED: &str = "CARAVANSERAI_CROWD_SERVED";
/// Streams of strangers that nobody reads, and connections that never finish their first line.
const STRANGERS: usize = 10_000;
const DAWDLERS: usize = 500;

/// Does nothing unless [`ten_thousand_strangers_keep_nobody_waiting`] runs it as a process of its
/// own: a process has only so many open files.
#[test]
fn the_chat_of_the_strangers_is_served() {
    if std::env::var_os(SERVED).is_none() {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime
        .block_on(async {
            let folder = TempDir::new().unwrap();
            let often = (1_000_000, 1);
            let door =
                ConnectionLimits { connections: 2 * STRANGERS, ..ConnectionLimits::default() };
            let limits = WebchatLimits {
                arrive_rate: often,
                arrive_daily_rate: often,
                say_rate: often,
                say_in_room_rate: often,
                read_rate: often,
                connections: door,
                ..limits()
            };
            let served = Served::start(folder.path(), limits).await;
            println!("serving {}", served.base);
            // Until the process that started this has ended.
            tokio::task::spawn_blocking(|| std::io::stdin().read_line(&mut String::new())).await
        })
        .unwrap()
        .unwrap();
}

fn limits() -> WebchatLimits {
    WebchatLimits { streams: STRANGERS, messages: 10_000, ..WebchatLimits::default() }
}

/// Begins a request, and never ends its first line.
async fn dawdler(of: &Someone) -> TcpStream {
    let mut stream = TcpStream::connect(of.base.trim_start_matches("http://")).await.unwrap();
    stream.write_all(b"GET /api/ev").await.unwrap();
    stream
}

/// How long words took that people said in turn, one each 25 ms.
async fn turns(people: &[Someone], words: usize) -> Vec<Duration> {
    let mut took = Vec::new();
    for n in 0..words {
        let begun = Instant::now();
        people[n % people.len()].say(&format!("word {n}"), &format!("t{n}")).await;
        took.push(begun.elapsed());
        tokio::time::sleep(Duration::from_millis(25).saturating_sub(begun.elapsed())).await;
    }
    took.sort_unstable();
    took
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_strangers_keep_nobody_waiting() {
    let slow = std::env::var_os("RUN_SLOW_TESTS").is_some();
    let (all, some, words) = if slow { (STRANGERS, DAWDLERS, 400) } else { (100, 20, 40) };
    let mut child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--nocapture", "web::slow_clients::the_chat_of_the_strangers_is_served"])
        .env(SERVED, "1")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = std::io::BufReader::new(child.stdout.take().unwrap()).lines();
    let base = lines.find_map(|it| it.unwrap().split_once("serving ").map(|it| it.1.to_owned()));
    let base = base.unwrap();
    let mut people = Vec::new();
    for n in 0..40 {
        let one = Someone::arrive_at(&base, &format!("Chatter {n}")).await;
        one.post("rooms", json!({ "name": "lobby" })).await;
        people.push(one);
    }
    let stranger = Someone::arrive_at(&base, "Stranger").await;
    stranger.post("rooms", json!({ "name": "elsewhere" })).await;
    let mut held = Vec::new();
    for (streams, dawdlers) in [(0, 0), (all, 0), (all, some)] {
        while held.len() < streams {
            held.push(deaf(&stranger).await);
        }
        for _ in 0..dawdlers {
            held.push(dawdler(&stranger).await);
        }
        let took = turns(&people, words).await;
        let at = |share: usize| took[(took.len() - 1) * share / 100].as_secs_f64() * 1_000.0;
        println!(
            "{streams} streams of strangers, {dawdlers} dawdlers: p50 {:.1} ms, p99 {:.1} ms",
            at(50),
            at(99)
        );
    }
    child.kill().unwrap();
    child.wait().unwrap();
}
