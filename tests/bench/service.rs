//! The whole path of a move on the default store: heard, decided, committed with everything that
//! makes it survive a power cut, shown. Run with `cargo bench --bench service`; three minutes.
//!
//! Floors, with 1,000 tables in play on two cores: 5,000 committed moves a second; at 500 moves
//! a second, 99 % committed within 10 ms after they were received; at 80 a second, which is what
//! the platforms allow at most, 99 % of boards sent within 60 ms. The platform answers at once,
//! so "shown" is when its request would leave; the board's picture is drawn before that.
//!
//! Then 10,000 tables in play beside 100,000 finished ones: a process of its own starts within 3 s
//! and holds less than 250 MB, also when people have moved at many of them.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use caravanserai::chat::{
    Body, Listener, Outgoing, Person, PersonKind, Place, Platform, SendError, Update,
};
use caravanserai::games::Match;
use caravanserai::games::togyzkumalak;
use caravanserai::i18n::I18n;
use caravanserai::ids::{MessageId, PersonId, PlaceId, PlaceKind};
use caravanserai::render::Renderer;
use caravanserai::rules::{Node, Seat};
use caravanserai::service::clock::SystemClock;
use caravanserai::service::{Limits, Parts, Service};
use caravanserai::store::sled::SledStore;
use caravanserai::store::{Commit, Put, Space, Store};
use caravanserai::table::archive;
use tokio::task::JoinSet;

const TABLES: usize = 1000;
const MEASURE: Duration = Duration::from_secs(10);
/// Shorter, so that the games do not end.
const MEASURE_RATE: Duration = Duration::from_millis(1500);
const FLOOR_COMMITS_A_SECOND: f64 = 5000.0;
const FLOOR_P99: Duration = Duration::from_millis(10);
const FLOOR_SENT_P99: Duration = Duration::from_millis(60);

/// A crowd: tables in play, and finished ones.
const CROWD: usize = 10_000;
const FINISHED: usize = 100_000;
const FLOOR_START: Duration = Duration::from_secs(3);
const FLOOR_MB: u64 = 250;
/// Names the folder that a process of its own is to serve.
const CROWD_FOLDER: &str = "CARAVANSERAI_BENCH_CROWD";

fn main() -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism()?;
    println!("{cores} cores, {TABLES} tables");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    if let Some(folder) = std::env::var_os(CROWD_FOLDER) {
        return runtime.block_on(crowd_served(Path::new(&folder)));
    }
    runtime.block_on(async {
        println!("-- nothing is shown: heard, decided, committed");
        let (mute, silent_p99, _) = measured(false).await?;
        println!("-- boards are drawn and shown");
        let (_, p99, sent_p99) = measured(true).await?;
        let met = mute >= FLOOR_COMMITS_A_SECOND && p99.max(silent_p99) < FLOOR_P99;
        println!("-- {CROWD} tables in play, {FINISHED} finished");
        let crowd = crowd().await?;
        anyhow::ensure!(met && sent_p99 < FLOOR_SENT_P99 && crowd, "a floor was missed");
        Ok(())
    })
}

/// Best rate of commits, the time within which 99 % were committed at 500 a second, and the one
/// within which 99 % were sent at 80 a second.
async fn measured(shown: bool) -> anyhow::Result<(f64, Duration, Duration)> {
    let hall = Hall::open(shown).await?;
    let mut tables = hall.seated(TABLES).await?;
    let (_, sent_p99) = hall.open_loop(&mut tables, 80).await?;
    let (p99, _) = hall.open_loop(&mut tables, 500).await?;
    hall.service.settled().await;
    let mut best = 0.0_f64;
    for writers in [16, 64, 256] {
        best = best.max(hall.closed_loop(&mut tables, writers).await?);
    }
    hall.service.stop().await?;
    Ok((best, p99, sent_p99))
}

/// Fills a folder and has another process serve it; whether it did well.
async fn crowd() -> anyhow::Result<bool> {
    let hall = Hall::open(false).await?;
    hall.seated(CROWD).await?;
    let played = hall.store.log(&hall.store.scan(Space::Head, "", None, 1).await?[0].0, 0).await?;
    let record = archive::pack(&played);
    for first in (0..FINISHED).step_by(500) {
        let id = |n: usize| format!("{n:06}");
        let rows = (first..first + 500).map(|n| Put::new(Space::Archive, id(n), record.clone()));
        hall.store.commit(Commit::of(rows.collect())).await?;
    }
    hall.service.stop().await?;
    let Hall { service, store, folder, .. } = hall;
    drop((service, store));
    let mut served = std::process::Command::new(std::env::current_exe()?);
    Ok(served.env(CROWD_FOLDER, folder.path()).status()?.success())
}

/// Starts on the folder of a crowd, and lets people move.
async fn crowd_served(folder: &Path) -> anyhow::Result<()> {
    let start = Instant::now();
    let (service, store) = bot(folder)?;
    service.start().await?;
    let started = start.elapsed();
    let held_mb = resident_mb();
    let tables = store.scan(Space::PlaceTable, "", None, CROWD).await?;
    let mut times = Vec::new();
    for (key, _) in tables.iter().take(CROWD / 2) {
        let (place, code) = key.rsplit_once(' ').unwrap_or_default();
        let group = place.trim_start_matches("mem:-100").parse()?;
        let press = format!("p.{code}.3.7");
        let since = Instant::now();
        service.hear(update(group, 0, Body::Press { press, message: None })).await;
        times.push(since.elapsed());
    }
    service.settled().await;
    let played_mb = resident_mb();
    println!("started in {started:?}, {held_mb} MB resident");
    println!("after a move at {} tables: {played_mb} MB; {}", times.len(), quantiles(&mut times));
    service.stop().await?;
    let met = started < FLOOR_START && held_mb.max(played_mb) < FLOOR_MB;
    anyhow::ensure!(met, "a floor was missed");
    Ok(())
}

/// What this process holds in memory, in megabytes; 0 where the system does not tell.
fn resident_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"));
    let kb = line.and_then(|it| it.split_whitespace().next()?.parse::<u64>().ok());
    kb.unwrap_or_default() / 1024
}

fn bot(folder: &Path) -> anyhow::Result<(Service, Arc<SledStore>)> {
    let store = Arc::new(SledStore::open(&folder.join("store"))?);
    let service = Service::new(Parts {
        store: store.clone(),
        i18n: Arc::new(I18n::new()),
        renderer: Arc::new(Renderer::embedded()?),
        clock: Arc::new(SystemClock),
        randomness: Box::new(|bytes| getrandom::fill(bytes).expect("random bytes")),
        limits: Limits { requests_per_minute: 0, ..Limits::default() },
    });
    Ok((service, store))
}

/// A platform that is always at once done, and knows who waits for which board.
#[derive(Default)]
struct Instantly {
    calls: AtomicU64,
    waiting: Mutex<HashMap<PlaceId, Instant>>,
    times: Mutex<Vec<Duration>>,
}

impl Instantly {
    fn called(&self, place: &PlaceId) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        if let Some(since) = self.waiting.lock().expect("no panic").remove(place) {
            self.times.lock().expect("no panic").push(since.elapsed());
        }
    }
}

#[async_trait]
impl Platform for Instantly {
    fn name(&self) -> &'static str {
        "mem"
    }

    fn calls_per_minute(&self, _: &PlaceId) -> u32 {
        u32::MAX
    }

    async fn post(&self, place: &PlaceId, _: &Outgoing) -> Result<MessageId, SendError> {
        self.called(place);
        Ok(MessageId(self.calls.load(Ordering::Relaxed).to_string()))
    }

    async fn edit(&self, place: &PlaceId, _: &MessageId, _: &Outgoing) -> Result<(), SendError> {
        self.called(place);
        Ok(())
    }

    async fn delete(&self, _: &PlaceId, _: &MessageId) -> Result<(), SendError> {
        Ok(())
    }

    async fn whisper(
        &self,
        _: &PlaceId,
        _: &PersonId,
        _: &str,
        _: &Outgoing,
    ) -> Result<(), SendError> {
        Err(SendError::NotAllowed)
    }

    fn buried(&self, _: &PlaceId, _: &MessageId) -> u32 {
        0
    }

    fn link(&self, _: &PlaceId, _: &MessageId) -> Option<String> {
        None
    }
}

/// A game as those who play it remember it.
struct Seated {
    group: usize,
    code: String,
    game: Box<dyn Match>,
    moves: u64,
    random: u64,
}

impl Seated {
    /// The next move as the press of a button; `None` when the game is over.
    fn press(&mut self) -> Option<Update> {
        let Node::Act(Seat(seat)) = self.game.node() else { return None };
        let choices = self.game.choices(Seat(seat));
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let token = &choices[(self.random >> 33) as usize % choices.len()].token;
        // Open, sit, sit and start are the lines before the first move.
        let press = format!("p.{}.{}.{token}", self.code, 3 + self.moves);
        self.game.act(Seat(seat), token).expect("it is a choice");
        self.moves += 1;
        Some(update(self.group, usize::from(seat), Body::Press { press, message: None }))
    }
}

fn group(n: usize) -> PlaceId {
    PlaceId(format!("mem:-100{n:06}"))
}

fn update(group_number: usize, who: usize, body: Body) -> Update {
    static UPDATES: AtomicU64 = AtomicU64::new(0);
    let n = UPDATES.fetch_add(1, Ordering::Relaxed);
    let (id, name) = (PersonId(format!("mem:{group_number}{who}")), ["Ann", "Айгүл"][who]);
    let person = Person {
        id,
        name: name.into(),
        username: Some(format!("user{group_number}x{who}")),
        locale: Some("en".into()),
        kind: PersonKind::Human,
        admin: false,
    };
    let title = format!("Family {group_number}");
    let place = Place { id: group(group_number), kind: PlaceKind::Group, title, locale: None };
    Update { id: format!("mem/{n}"), place, person, body }
}

/// A bot, and what it needs.
struct Hall {
    service: Service,
    store: Arc<SledStore>,
    platform: Arc<Instantly>,
    shown: bool,
    folder: tempfile::TempDir,
}

impl Hall {
    async fn open(shown: bool) -> anyhow::Result<Hall> {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
        let (service, store) = bot(folder.path())?;
        let platform = Arc::new(Instantly::default());
        if shown {
            service.add_platform(platform.clone());
        }
        service.start().await?;
        Ok(Hall { service, store, platform, shown, folder })
    }

    /// Two people at a table in each group.
    async fn seated(&self, count: usize) -> anyhow::Result<Vec<Seated>> {
        let mut tables = Vec::new();
        for n in 0..count {
            let words =
                |text: &str| Body::Text { text: text.into(), mentions: Vec::new(), reply_to: None };
            self.service.hear(update(n, 0, words("/togyz me"))).await;
            self.service.hear(update(n, 1, words("/join"))).await;
            let prefix = format!("{} ", group(n).0);
            let found = self.store.scan(Space::PlaceTable, &prefix, None, 2).await?;
            anyhow::ensure!(found.len() == 1, "one table is open in each group");
            let code = found[0].0[prefix.len()..].to_owned();
            let game = togyzkumalak::ID.open("seed", 2).expect("two seats");
            tables.push(Seated { group: n, code, game, moves: 0, random: n as u64 });
        }
        self.service.settled().await;
        Ok(tables)
    }

    /// Moves at fixed times, whether or not earlier ones are done. Each is timed from the moment
    /// it should have come in: within what time 99 % were committed, and shown.
    async fn open_loop(
        &self,
        tables: &mut [Seated],
        offered: u64,
    ) -> anyhow::Result<(Duration, Duration)> {
        self.platform.times.lock().expect("no panic").clear();
        let start = Instant::now();
        let mut tasks = JoinSet::new();
        for n in 0.. {
            let due = start + Duration::from_nanos(n * 1_000_000_000 / offered);
            if due > start + MEASURE {
                break;
            }
            let table = &mut tables[n as usize % TABLES];
            let Some(update) = table.press() else { continue };
            tokio::time::sleep_until(due.into()).await;
            if self.shown {
                let waiting = &self.platform.waiting;
                waiting.lock().expect("no panic").insert(update.place.id.clone(), due);
            }
            let service = self.service.clone();
            tasks.spawn(async move {
                let told = service.hear(update).await;
                let refused = told.iter().filter(|it| !it.passing).count();
                (due.elapsed(), refused)
            });
        }
        let mut times = Vec::new();
        while let Some(done) = tasks.join_next().await {
            let (time, refused) = done?;
            anyhow::ensure!(refused == 0, "a move was refused");
            times.push(time);
        }
        println!("{offered} moves/s offered ({})", load());
        println!("  received to committed: {}", quantiles(&mut times));
        if self.shown {
            self.service.settled().await;
            let mut sent = std::mem::take(&mut *self.platform.times.lock().expect("no panic"));
            println!("  received to request sent: {}", quantiles(&mut sent));
            return Ok((p99(&times), p99(&sent)));
        }
        Ok((p99(&times), Duration::ZERO))
    }

    /// As many moves as so many chats manage that each wait for the last move before the next.
    async fn closed_loop(&self, tables: &mut Vec<Seated>, writers: usize) -> anyhow::Result<f64> {
        let mut shares: Vec<Vec<Seated>> = (0..writers).map(|_| Vec::new()).collect();
        for (n, table) in tables.drain(..).enumerate() {
            shares[n % writers].push(table);
        }
        let calls = self.platform.calls.load(Ordering::Relaxed);
        let start = Instant::now();
        let mut tasks = JoinSet::new();
        for mut share in shares {
            let service = self.service.clone();
            tasks.spawn(async move {
                let mut times = Vec::new();
                'measure: loop {
                    let mut any = false;
                    for table in &mut share {
                        if start.elapsed() > MEASURE_RATE {
                            break 'measure;
                        }
                        let Some(update) = table.press() else { continue };
                        let sent = Instant::now();
                        let told = service.hear(update).await;
                        anyhow::ensure!(told.iter().all(|it| it.passing), "a refusal");
                        times.push(sent.elapsed());
                        any = true;
                    }
                    anyhow::ensure!(any, "all games are over");
                }
                Ok((share, times))
            });
        }
        let mut times = Vec::new();
        while let Some(done) = tasks.join_next().await {
            let (share, taken) = done??;
            tables.extend(share);
            times.extend(taken);
        }
        let seconds = start.elapsed().as_secs_f64();
        let rate = times.len() as f64 / seconds;
        let calls = (self.platform.calls.load(Ordering::Relaxed) - calls) as f64 / seconds;
        println!(
            "{writers} chats at once: {rate:.0} moves/s committed, {calls:.0} boards/s shown \
             ({})\n  {}",
            load(),
            quantiles(&mut times)
        );
        self.service.settled().await;
        Ok(rate)
    }
}

/// What else the machine is doing, as far as the system tells.
fn load() -> String {
    let told = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    format!("load {}", told.split(' ').next().unwrap_or("unknown"))
}

/// Of sorted times.
fn p99(times: &[Duration]) -> Duration {
    times.get(times.len() * 99 / 100).copied().unwrap_or_default()
}

fn quantiles(times: &mut [Duration]) -> String {
    times.sort();
    let Some(last) = times.len().checked_sub(1) else { return "nothing".into() };
    let at = |part: usize| times[(times.len() * part / 1000).min(last)];
    format!("p50 {:?}, p99 {:?}, p99.9 {:?}, max {:?}", at(500), at(990), at(999), at(1000))
}
