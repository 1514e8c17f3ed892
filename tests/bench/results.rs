//! Ratings with many results: how quickly all are computed, and how quickly people get their lists.
//!
//! `RESULTS=1000000 cargo bench --bench results` measures with a million; the default is 100,000.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use caravanserai_bot::repository::{BotLimits, Failure, Repository, SystemClock};
use caravanserai_bot::results::projector::ResultProjector;
use caravanserai_bot::results::stored_results::result_key;
use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_results::{GameResult, RatingScope, SeatResult};
use caravanserai_store::sled::SledStore;
use caravanserai_store::{Commit, Put, Space, Store};

/// 1 January 2026.
const YEAR_MS: u64 = 1_767_225_600_000;
/// The number of people for each hundred results.
const PEOPLE_PER_HUNDRED: u64 = 2;
/// The number of people in a chat.
const PEOPLE_PER_CHAT: u64 = 8;
/// The number of times that each list is read.
const READS: u64 = 2_000;

fn main() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(measure())
}

async fn measure() -> anyhow::Result<()> {
    let count: u64 = std::env::var("RESULTS").map_or(Ok(100_000), |it| it.parse())?;
    let people = (count / 100 * PEOPLE_PER_HUNDRED).max(PEOPLE_PER_CHAT);
    let folder = tempfile::tempdir()?;
    let store: Arc<dyn Store> = Arc::new(SledStore::open(&folder.path().join("data"))?);
    for first in (0..count).step_by(1_000) {
        let puts = (first..count.min(first + 1_000)).map(|n| {
            let result = game(n, count, people);
            Put::new(Space::Result, result_key(&result), result.encode())
        });
        store.commit(Commit::from_puts(puts.collect())).await?;
    }
    let chance = Box::new(|bytes: &mut [u8]| bytes.fill(7));
    let repository = Arc::new(Repository::new(
        store.clone(),
        Arc::new(SystemClock),
        chance,
        BotLimits::default(),
    ));
    println!("{count} results of {people} people");
    for name in ["from an empty list of ratings", "again"] {
        let started = Instant::now();
        ResultProjector::new(repository.clone()).rebuild_all().await?;
        let took = started.elapsed();
        println!(
            "computed {name} in {:.1} s, {:.0} games/s, memory at most {} MiB",
            took.as_secs_f64(),
            count as f64 / took.as_secs_f64(),
            peak_memory_mib()
        );
    }
    let person = |n: u64| PersonId(format!("web:{}", n * 7_919 % people));
    let results = repository.results();
    let mut times = Vec::new();
    for n in 0..READS {
        let scope = match n % 2 {
            0 => RatingScope::OVERALL,
            _ => RatingScope::of_chat(&chat(n * 7_919 % people)),
        };
        times.push(timed(results.lists(&scope, "", 10)).await?);
    }
    report("/top", times);
    let mut times = Vec::new();
    for n in 0..READS {
        times.push(timed(results.records(&RatingScope::OVERALL, &person(n))).await?);
    }
    report("/me", times);
    let mut times = Vec::new();
    for n in 0..READS {
        times.push(timed(results.history(&person(n), n as usize % 5, 8)).await?);
    }
    report("/history", times);
    store.close().await?;
    Ok(())
}

/// The most memory that this process has used so far; 0 where the system does not tell.
fn peak_memory_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    let kib = line.and_then(|it| it.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or_default() / 1024
}

async fn timed<T>(work: impl Future<Output = Result<T, Failure>>) -> anyhow::Result<Duration> {
    let started = Instant::now();
    work.await?;
    Ok(started.elapsed())
}

fn report(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() * percent / 100).min(times.len() - 1)];
    let ms = |it: Duration| it.as_secs_f64() * 1_000.0;
    println!("{name}: p50 {:.2} ms, p99 {:.2} ms", ms(at(50)), ms(at(99)));
}

fn chat(person: u64) -> String {
    format!("web:room{}", person / PEOPLE_PER_CHAT)
}

/// A game of two people of one chat, spread evenly over a year.
fn game(n: u64, count: u64, people: u64) -> GameResult {
    let mixed = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1) >> 33;
    let first = mixed % people;
    let group = first / PEOPLE_PER_CHAT * PEOPLE_PER_CHAT;
    let other =
        group + (first - group + 1 + mixed / people % (PEOPLE_PER_CHAT - 1)) % PEOPLE_PER_CHAT;
    let seat = |person: u64, score: i32| SeatResult {
        person: PersonId(format!("web:{person}")),
        name: format!("Player {person}"),
        is_computer: false,
        level: None,
        score,
        counts: BTreeMap::new(),
        known_since_ms: Some(1),
        is_absent: false,
    };
    let ended_ms = YEAR_MS + n * (365 * 86_400_000 / count);
    GameResult {
        table: TableId(format!("t{n:07}")),
        game: "togyzkumalak".to_owned(),
        options: "-".to_owned(),
        started_ms: ended_ms - 1_200_000,
        ended_ms,
        chat: chat(first),
        clock: "none".to_owned(),
        end_reason: "played".to_owned(),
        seat_at_fault: None,
        seats: vec![seat(first, 90), seat(other, (mixed % 3) as i32 * 45)],
        partners: false,
        rounds: Vec::new(),
        steps: 100,
        opening: "1 2 3 4 5 6 7 8 9".to_owned(),
        leavers: Vec::new(),
        casual: Vec::new(),
        pair_limit: None,
    }
}
