//! Readers who take nothing off their connections, and what the others feel of it. The figures
//! are printed when `RUN_SLOW_TESTS` is set; otherwise a small crowd shows that all are served.

use std::time::{Duration, Instant};

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
    let limits = Limits {
        arrive: often,
        say: often,
        say_here: often,
        ask: often,
        messages: 10_000,
        ..Limits::default()
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
    assert_eq!(chatter(&small).await.1, 20, "everybody who reads is told everything");
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
