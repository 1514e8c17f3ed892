//! From a press to the board that everybody sees, on servers that stand in for Telegram and
//! Discord, with the limits of Telegram on. Run with `cargo bench --bench liveliness`; four
//! minutes.
//!
//! Aimed at on two cores: on Discord, right after a start, with one table in a channel and with
//! four, half of the boards within 250 ms and 95 % within 600 ms; on Telegram the first fifteen
//! acts of a minute within 500 ms, and steady play at three seconds a move within 3.5 s.
#![allow(
    clippy::unwrap_used,
    dead_code,
    unused_imports,
    reason = "the servers are those of the tests"
)]

#[path = "../fake_discord/mod.rs"]
mod fake_discord;
#[path = "../fake_telegram/mod.rs"]
mod fake_telegram;

use std::sync::Arc;
use std::time::{Duration, Instant};

use caravanserai::host::menus;
use caravanserai::i18n::I18n;
use caravanserai::platform::discord::{self, Discord};
use caravanserai::platform::shared::Shared;
use caravanserai::platform::telegram::{self, Telegram};
use caravanserai::render::Renderer;
use caravanserai::service::clock::SystemClock;
use caravanserai::service::{Limits, Parts, Service};
use caravanserai::store::memory::MemoryStore;
use fake_discord::{Actor, Channel, FakeDiscord};
use fake_telegram::{FakeTelegram, Person, TOKEN};

/// How long people look at a board before they press.
const LOOK: Duration = Duration::from_millis(600);

fn main() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let met = runtime.block_on(async {
        let one = on_discord(1, 30).await?;
        let four = on_discord(4, 30).await?;
        let (burst, steady) = on_telegram().await?;
        anyhow::Ok(one & four & burst & steady)
    })?;
    anyhow::ensure!(met, "a floor was missed");
    Ok(())
}

fn service() -> anyhow::Result<Service> {
    Ok(Service::new(Parts {
        store: Arc::new(MemoryStore::new()),
        i18n: Arc::new(I18n::new()),
        renderer: Arc::new(Renderer::embedded()?),
        clock: Arc::new(SystemClock),
        randomness: Box::new(|bytes| getrandom::fill(bytes).expect("random bytes")),
        limits: Limits { requests_per_minute: 0, ..Limits::default() },
    }))
}

/// Prints the times; whether half of them and 95 % are within these.
fn report(what: &str, mut times: Vec<Duration>, half: Duration, most: Duration) -> bool {
    times.sort();
    let at = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)];
    let (p50, p95, max) = (at(50), at(95), at(100));
    println!("{what}: {} acts, p50 {p50:.1?}, p95 {p95:.1?}, max {max:.1?}", times.len());
    p50 <= half && p95 <= most
}

/// The first move that these buttons offer.
fn offered(buttons: &[Vec<(String, String)>]) -> Option<String> {
    buttons.iter().flatten().find(|it| it.1.starts_with("p.")).map(|it| it.1.clone())
}

/// So many tables in one channel, each with two people who move as soon as they have looked.
async fn on_discord(tables: usize, moves: usize) -> anyhow::Result<bool> {
    let dc = Arc::new(FakeDiscord::start().await);
    let people: Vec<Actor> = (0..2 * tables).map(|n| dc.user(&format!("user{n}"))).collect();
    let channel = dc.channel("family", &people.iter().collect::<Vec<_>>());
    let settings = discord::Settings {
        api_url: Some(dc.api_url()),
        clock: dc.clock(),
        ..discord::Settings::new(dc.token(), discord::Texts::default())
    };
    let adapter = Discord::connect(settings).await?;
    adapter.register(&menus::discord::menu(&I18n::new())).await?;
    let service = service()?;
    service.add_platform(Arc::new(adapter.clone()));
    service.start().await?;
    let (running, ears) = (adapter.clone(), Arc::new(service.clone()));
    let task = tokio::spawn(async move { running.run(ears, std::future::pending()).await });
    dc.connected().await;
    let mut games = tokio::task::JoinSet::new();
    for pair in people.chunks(2) {
        let (dc, channel, pair) = (dc.clone(), channel.clone(), pair.to_vec());
        let board = discord_seated(&dc, &channel, &pair).await;
        games.spawn(async move { discord_game(&dc, &channel, &pair, &board, moves).await });
    }
    let times = games.join_all().await.into_iter().flatten().collect();
    task.abort();
    service.stop().await?;
    let what = format!("Discord, {tables} in a channel");
    Ok(report(&what, times, Duration::from_millis(250), Duration::from_millis(600)))
}

/// Two people sit down; the message of their board.
async fn discord_seated(dc: &FakeDiscord, channel: &Channel, pair: &[Actor]) -> String {
    let known = dc.visible_to(&pair[0], channel).len();
    let opened = pair[0].slash(channel, "togyz", &[]);
    dc.answered(opened).await;
    let mut board = None;
    dc.wait_until("a lobby", |dc| {
        let seen = dc.visible_to(&pair[0], channel);
        board = seen.get(known).map(|it| it.id.clone());
        board.is_some()
    })
    .await;
    let board = board.expect("it was waited for");
    let lobby = dc.visible_to(&pair[1], channel).into_iter().find(|it| it.id == board);
    let buttons = lobby.expect("it stands").buttons;
    let join = buttons.iter().flatten().find(|it| it.1.starts_with("j.")).expect("a seat");
    dc.answered(pair[1].press_stale(channel, &board, &join.1)).await;
    board
}

async fn discord_game(
    dc: &FakeDiscord,
    channel: &Channel,
    pair: &[Actor],
    board: &str,
    moves: usize,
) -> Vec<Duration> {
    let look = |dc: &FakeDiscord| {
        let seen = dc.visible_to(&pair[0], channel).into_iter().find(|it| it.id == board)?;
        offered(&seen.buttons).map(|press| (seen.edits, press, seen.text))
    };
    let mut times = Vec::new();
    let mut who = 0;
    while times.len() < moves {
        let mut seen = None;
        dc.wait_until("a board in play", |dc| {
            seen = look(dc);
            seen.is_some()
        })
        .await;
        let (edits, press, _) = seen.expect("it was waited for");
        tokio::time::sleep(LOOK).await;
        let began = Instant::now();
        dc.answered(pair[who].press_stale(channel, board, &press)).await;
        let newer = |dc: &FakeDiscord| look(dc).is_none_or(|(now, ..)| now > edits);
        let waited = tokio::time::timeout(LOOK, dc.wait_until("the move", newer)).await;
        // Who begins is drawn by lot: the other one tries.
        who = 1 - who;
        if waited.is_ok() {
            times.push(began.elapsed());
        }
        if look(dc).is_none() {
            break;
        }
    }
    times
}

/// Fifteen acts in a minute, then steady play.
async fn on_telegram() -> anyhow::Result<(bool, bool)> {
    let tg = FakeTelegram::start().await;
    let people = [tg.user("Ann"), tg.user("Bek")];
    let chat = tg.supergroup("Family", &people.iter().collect::<Vec<_>>());
    let i18n = Arc::new(I18n::new());
    let settings = telegram::Settings {
        token: TOKEN.to_owned(),
        api_url: tg.url(),
        press_patience: Duration::from_secs(2),
        words: menus::phrasebook(&i18n),
        shared: Shared::alone("tg"),
    };
    let adapter = Telegram::connect(settings).await?;
    let service = service()?;
    service.add_platform(adapter.clone());
    service.start().await?;
    let (polling, ears) = (adapter.clone(), Arc::new(service.clone()));
    let poll = tokio::spawn(async move { polling.poll(ears, std::future::pending()).await });
    tg.limit_rates();
    let hand = tg.clone();
    let time = tokio::spawn(async move {
        // The server's minutes are as long as ours.
        let mut ticks = tokio::time::interval(Duration::from_millis(20));
        loop {
            ticks.tick().await;
            hand.advance(20);
        }
    });
    people[0].say(chat, "/togyz");
    let joins = |it: &fake_telegram::Seen| {
        it.buttons.iter().flatten().any(|button| button.1.starts_with("j."))
    };
    let lobby = people[1].awaits(chat, "a lobby", joins).await;
    let join = lobby.buttons.iter().flatten().find(|it| it.1.starts_with("j.")).expect("a seat");
    people[1].press_stale(chat, lobby.id, &join.1).await;
    tokio::time::sleep(Duration::from_secs(61)).await;
    let quick = telegram_game(&tg, chat, &people, 15, Duration::from_secs(1)).await;
    let half = Duration::from_millis(500);
    let burst = report("Telegram, the first fifteen of a minute", quick, half, half);
    // Whoever has just been quicker than the server allows pays for it; this is about who is not.
    tokio::time::sleep(Duration::from_secs(61)).await;
    let slow = telegram_game(&tg, chat, &people, 20, Duration::from_secs(3)).await;
    let most = Duration::from_millis(3_500);
    let steady = report("Telegram, a move each three seconds", slow, most, most);
    poll.abort();
    time.abort();
    service.stop().await?;
    Ok((burst, steady))
}

async fn telegram_game(
    tg: &FakeTelegram,
    chat: i64,
    people: &[Person; 2],
    moves: usize,
    each: Duration,
) -> Vec<Duration> {
    let look = || {
        let seen = people[0].sees(chat).into_iter().rev().find(|it| it.media.is_some())?;
        Some((seen.edited, seen.id, offered(&seen.buttons)?))
    };
    let mut times = Vec::new();
    let mut who = 0;
    while times.len() < moves {
        let Some((edited, board, press)) = look() else { break };
        let began = Instant::now();
        let told = people[who].press_stale(chat, board, &press).await;
        who = 1 - who;
        if !told.text.starts_with('✓') {
            continue;
        }
        tg.wait_until("the move", |_| look().is_none_or(|(now, ..)| now != edited)).await;
        times.push(began.elapsed());
        tokio::time::sleep(each.saturating_sub(began.elapsed())).await;
    }
    times
}
