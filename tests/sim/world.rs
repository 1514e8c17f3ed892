//! What all parts of a simulated world share: time, weather, the journal and the first promise
//! that was broken.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use futures::FutureExt;
use sha2::{Digest, Sha256};

use super::Wanted;
use super::between::Between;
use super::chance::Chance;
use super::chats::Chats;
use super::crowds;
use super::disk::Disk;
use super::goings::Goings;
use super::hurried::Settings;
use super::lives::Life;
use super::time::Time;
use super::truth::Truth;
use super::vanishing::Vanished;
use super::ways::Ways;
use super::weather::{Trouble, Weather};
use caravanserai_bot::repository::keys;
use caravanserai_bot::repository::profiles::PersonProfile;
use caravanserai_bot::service::clock::TimeSource;
use caravanserai_games::ids::{PersonId, PlaceId};
use caravanserai_i18n::I18n;
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Append, Commit, Put, Space, Store};
use caravanserai_table::event::LogLine;

/// When every world begins: 2026-11-21 at noon, in milliseconds since 1970.
const BEGINNING_MS: u64 = 1_795_262_400_000;

/// By how many millionths the clock on the wall goes too fast or too slow at most.
const DRIFT_MAX: u64 = 300;

/// How long it may take until the bot has noted the time of a clock that was turned, in
/// milliseconds.
const NOTED_MS: u64 = 60_000;

/// How many milliseconds the clocks of two machines that share a store may be apart.
pub const APART_MS: u64 = 400;

/// How many of the last lines of the journal are kept for a report.
const LAST: usize = 60;

/// What a store does not do for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outage {
    /// Its disk is full: nothing is written.
    Full,
    /// It cannot be reached: nothing is answered either.
    Away,
    /// It takes every question and answers none until it is well again.
    Hung,
}

/// When it is, or was, so.
#[derive(Clone, Copy)]
struct Out {
    outage: Outage,
    /// By the steady clock.
    from_ms: u64,
    until_ms: u64,
    /// When it began, by the clock on the wall.
    wall_ms: u64,
}

/// Who sent an update.
#[derive(Clone, Debug)]
pub struct Sender {
    /// Who.
    pub person: PersonId,
    /// From where.
    pub place: PlaceId,
    /// Whether they ran the group at that moment.
    pub admin: bool,
}

/// How often a store may be asked while no time passes.
const ASKED_MAX: u64 = 20_000;

/// The number of an update: updates of all platforms are counted together.
pub fn number(id: &str) -> Option<u64> {
    id.rsplit('/').next()?.parse().ok()
}

/// How many updates are remembered with their senders.
const SENT: usize = 20_000;

/// A promise that was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// At which step.
    pub step: u64,
    /// After how many simulated milliseconds.
    pub at_ms: u64,
    /// What was promised, and what was seen instead.
    pub what: String,
    /// The last lines of the journal.
    pub last: Vec<String>,
}

struct Journal {
    hash: Sha256,
    last: VecDeque<String>,
    trace: bool,
    counts: BTreeMap<&'static str, u64>,
}

/// A simulated world. It outlives the processes in it.
pub struct World {
    /// How pictures, words and people are drawn by lot.
    pub chance: Chance,
    /// What is on disk.
    pub disk: Disk,
    /// What should be there: everything that was acknowledged.
    pub meant: MemoryStore,
    /// Who sent which update, as the platforms know it.
    pub sent: Mutex<BTreeMap<u64, Sender>>,
    /// Updates of those who run a chat that are being answered, and the chat.
    pub admins: Mutex<BTreeMap<String, String>>,
    /// What people see.
    pub chats: Mutex<Chats>,
    /// What really happened, read from what was committed.
    pub truth: Mutex<Truth>,
    /// Who went from chats and came back.
    pub goings: Mutex<Goings>,
    /// Who can reach which chats, and since when.
    pub ways: Mutex<Ways>,
    /// What people and chats have set.
    pub settings: Mutex<Settings>,
    /// Which places are no more, as far as the bot was told.
    pub vanished: Mutex<Vanished>,
    /// What does not happen here.
    without: Vec<Trouble>,
    /// Whether it is a world that gets old, where clocks are looked at less often.
    pub gets_old: bool,
    /// Whether codes are few here, caches small, and one person sits at very many tables.
    pub crowded: bool,
    /// What a test has planted.
    pub between: Arc<dyn Between>,
    /// All languages, for those who check.
    pub i18n: Arc<I18n>,
    weather: Mutex<Weather>,
    /// What the store does not do, or did not last.
    outage: Mutex<Option<Out>>,
    /// The clock that only goes on.
    pub time: Time,
    /// How far the clock on the wall is off, in milliseconds.
    off_ms: AtomicI64,
    /// When it was turned last, by the clock that never jumps; 0 if it never was.
    turned_ms: AtomicU64,
    /// By how many millionths it goes too fast.
    drift: i64,
    journal: Mutex<Journal>,
    broken: Mutex<Option<Failure>>,
    /// When somebody settled something for themselves last.
    settled: Mutex<BTreeMap<PersonId, u64>>,
    /// Who holds which name until when.
    leases: Mutex<BTreeMap<String, (String, u64)>>,
    step: AtomicU64,
    /// How often the store has failed.
    troubles: AtomicU64,
    /// How often the store was asked at this moment.
    asked: AtomicU64,
    asked_ms: AtomicU64,
    /// How often a process was killed and when that was last.
    pub lives: AtomicU64,
    started_ms: AtomicU64,
}

/// Nothing that is locked here can be left half done.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl World {
    /// The world of a seed before anything happened.
    pub fn new(wanted: &Wanted, i18n: Arc<I18n>, between: Arc<dyn Between>) -> Self {
        let Wanted { seed, trace, .. } = *wanted;
        World {
            chance: Chance::new(seed, "world"),
            disk: Disk::default(),
            meant: MemoryStore::new(),
            sent: Mutex::default(),
            admins: Mutex::default(),
            chats: Mutex::new(Chats::new(seed)),
            truth: Mutex::default(),
            goings: Mutex::default(),
            ways: Mutex::default(),
            settings: Mutex::default(),
            vanished: Mutex::default(),
            without: wanted.without.clone(),
            gets_old: wanted.days > 0,
            crowded: crowds::is_crowded(wanted),
            between,
            i18n,
            weather: Mutex::default(),
            outage: Mutex::default(),
            time: Time::default(),
            off_ms: AtomicI64::new(0),
            turned_ms: AtomicU64::new(0),
            drift: drift(seed),
            journal: Mutex::new(Journal {
                hash: Sha256::new(),
                last: VecDeque::new(),
                trace,
                counts: BTreeMap::new(),
            }),
            broken: Mutex::default(),
            settled: Mutex::default(),
            leases: Mutex::default(),
            step: AtomicU64::new(0),
            troubles: AtomicU64::new(0),
            asked: AtomicU64::new(0),
            asked_ms: AtomicU64::new(0),
            lives: AtomicU64::new(0),
            started_ms: AtomicU64::new(0),
        }
    }

    /// Whether this may happen here.
    pub fn happens(&self, trouble: Trouble) -> bool {
        !self.without.contains(&trouble)
    }

    /// Somebody sends an update.
    pub fn sends(&self, id: &str, sender: Sender) {
        let mut sent = lock(&self.sent);
        if sent.len() == SENT {
            sent.pop_first();
        }
        if let Some(number) = number(id) {
            sent.insert(number, sender);
        }
    }

    /// Who sent this update.
    pub fn sender(&self, id: &str) -> Option<Sender> {
        lock(&self.sent).get(&number(id)?).cloned()
    }

    /// A commit was acknowledged: from now on it has to be on disk.
    pub async fn acknowledged(&self, commit: Commit) {
        if let Some(what) = self.lost(&commit).await {
            self.broke(format!("{what} was acknowledged and is not on disk"));
        }
        let Commit { appends, puts, drops, .. } = commit;
        let mut all = Commit { puts, drops, ..Commit::default() };
        for Append { table, lines, .. } in appends.into_iter().filter(|it| !it.lines.is_empty()) {
            let expect = self.meant.log_length(&table).await.unwrap_or_default();
            all.appends.push(Append { table, expect, lines });
        }
        if let Err(error) = self.meant.commit(all).await {
            self.broke(format!("a commit cannot be: {error}"));
        }
    }

    /// What of a commit is not on disk just after it was acknowledged.
    async fn lost(&self, commit: &Commit) -> Option<String> {
        for Append { table, expect, lines } in &commit.appends {
            let on_disk = self.disk.store.read_log(table, *expect).await.unwrap_or_default();
            if !lines.is_empty() && on_disk != *lines {
                return Some(format!("{lines:?} of table {table}"));
            }
        }
        let last: BTreeMap<_, _> = commit.puts.iter().map(|it| ((it.space, &it.key), it)).collect();
        let now_ms = self.between.wall_ms(self.wall_ms());
        // What is over when it is written, for somebody turned the clock, is not there.
        let lives = |it: &&Put| it.expires_ms.is_none_or(|until_ms| until_ms > now_ms);
        for put in last.into_values().filter(lives) {
            let on_disk = self.disk.store.get(put.space, &put.key).await.unwrap_or_default();
            if on_disk != put.value {
                return Some(format!("{:?} {:?}", put.space, put.key));
            }
        }
        None
    }

    /// Somebody asks the store for something; whether this goes on and on while no time passes.
    pub fn spins(&self) -> bool {
        let now_ms = self.steady_ms();
        let at_ms = self.asked_ms.swap(now_ms, Ordering::Relaxed);
        if at_ms != now_ms {
            self.asked.store(0, Ordering::Relaxed);
        }
        let spins = self.asked.fetch_add(1, Ordering::Relaxed) > ASKED_MAX;
        if spins && self.failure().is_none() {
            self.broke(format!("the store was asked {ASKED_MAX} times at the same moment"));
        }
        spins
    }

    /// The store fails, or seems to.
    pub fn store_fails(&self, what: &'static str) {
        self.troubles.fetch_add(1, Ordering::Relaxed);
        self.count(what);
        lock(&self.chats).may_repeat();
    }

    /// A question waits for a store that hangs.
    pub fn store_hangs(&self) {
        self.troubles.fetch_add(1, Ordering::Relaxed);
        lock(&self.chats).may_repeat();
    }

    /// How often it has.
    pub fn store_troubles(&self) -> u64 {
        self.troubles.load(Ordering::Relaxed)
    }

    /// Whether it has failed since it had failed so often.
    pub fn store_failed_since(&self, troubles: u64) -> bool {
        self.store_troubles() != troubles
    }

    /// A process was killed, or all were.
    pub fn killed(&self, process: Option<u64>) {
        lock(&self.goings).killed(process);
        lock(&self.vanished).killed();
        lock(&self.settings).killed();
        lock(&self.chats).may_repeat();
    }

    /// A process starts.
    pub fn begin_era(&self) {
        self.started_ms.store(self.steady_ms(), Ordering::Relaxed);
    }

    /// For how long the present process has run, in milliseconds.
    pub fn up_ms(&self) -> u64 {
        self.steady_ms() - self.started_ms.load(Ordering::Relaxed)
    }

    /// Milliseconds since the world began, on a clock that nobody turns.
    pub fn steady_ms(&self) -> u64 {
        self.time.now_ms()
    }

    /// Milliseconds since 1970 by the clock on the wall.
    pub fn wall_ms(&self) -> u64 {
        let steady_ms = self.steady_ms();
        let drifted_ms = steady_ms as i64 * self.drift / 1_000_000;
        (BEGINNING_MS + steady_ms).saturating_add_signed(self.clock_is_off_ms() + drifted_ms)
    }

    /// Somebody turns the clock on the wall by so much.
    pub fn turn_clock(&self, by_ms: i64) {
        self.turned_ms.store(self.steady_ms(), Ordering::Relaxed);
        self.off_ms.fetch_add(by_ms, Ordering::Relaxed);
    }

    /// How far the clock on the wall is off.
    pub fn clock_is_off_ms(&self) -> i64 {
        self.off_ms.load(Ordering::Relaxed)
    }

    /// Holds a name for an owner, by the clock that nobody turns; `false` if another holds it.
    pub fn lease(&self, name: String, owner: &str, for_ms: u64) -> bool {
        let now_ms = self.steady_ms();
        let mut leases = lock(&self.leases);
        leases.retain(|_, (_, until_ms)| *until_ms > now_ms);
        match leases.get(&name) {
            Some((other, _)) if other != owner => false,
            Some(_) | None => {
                leases.insert(name, (owner.to_owned(), now_ms + for_ms));
                true
            }
        }
    }

    /// Who holds a name.
    pub fn holder(&self, name: &str) -> Option<String> {
        let now_ms = self.steady_ms();
        let leases = lock(&self.leases);
        let held = leases.get(name).filter(|(_, until_ms)| *until_ms > now_ms);
        held.map(|(owner, _)| owner.clone())
    }

    /// Who is behind an account.
    pub fn behind(&self, account: &PersonId) -> PersonId {
        let row = |key: &str| {
            let row = self.disk.store.get(Space::Person, key).now_or_never();
            row.and_then(Result::ok).flatten()
        };
        let profile =
            PersonProfile::decode_rows(row(&account.0), row(&keys::linked_accounts(account)));
        profile.main.unwrap_or_else(|| account.clone())
    }

    /// Who caused a line of a log, if it was somebody.
    pub fn causer(&self, line: &LogLine) -> Option<PersonId> {
        self.sender(&line.cause).map(|it| self.behind(&it.person))
    }

    /// Somebody settles something for themselves.
    pub fn settles(&self, person: PersonId) {
        lock(&self.settled).insert(person, self.steady_ms());
    }

    /// Whether somebody did so within this time.
    pub fn settled_lately(&self, person: &PersonId, within_ms: u64) -> bool {
        let at_ms = lock(&self.settled).get(person).copied();
        at_ms.is_some_and(|it| self.steady_ms() < it + within_ms)
    }

    /// How much goes wrong at present.
    pub fn weather(&self) -> Weather {
        *lock(&self.weather)
    }

    /// From now on so much goes wrong.
    pub fn set_weather(&self, weather: Weather) {
        *lock(&self.weather) = weather;
    }

    /// For so many milliseconds from now the store does not do this.
    pub fn begin_outage(&self, outage: Outage, ms: u64) {
        self.note(|| format!("the store is {outage:?} for {ms} ms"));
        self.count("outages of the store");
        let (from_ms, wall_ms) = (self.steady_ms(), self.wall_ms());
        *lock(&self.outage) = Some(Out { outage, from_ms, until_ms: from_ms + ms, wall_ms });
    }

    /// The disk has room again, the database is there.
    pub fn end_outage(&self) {
        if let Some(out) = lock(&self.outage).as_mut() {
            out.until_ms = out.until_ms.min(self.steady_ms());
        }
    }

    /// The last outage, unless the clock on the wall was turned since it began, or so shortly
    /// before that the bot had noted nothing by the new time.
    fn measured(&self) -> Option<Out> {
        let turned_ms = self.turned_ms.load(Ordering::Relaxed);
        lock(&self.outage).filter(|out| turned_ms == 0 || turned_ms + NOTED_MS <= out.from_ms)
    }

    /// For how long nothing could be kept when the clock on the wall, which nobody has turned
    /// since, showed this moment of the last outage, in milliseconds.
    pub fn out_at(&self, wall_ms: u64) -> Option<u64> {
        let out = self.measured()?;
        let (since_ms, all_ms) = (wall_ms.checked_sub(out.wall_ms)?, out.until_ms - out.from_ms);
        (since_ms < all_ms).then_some(all_ms)
    }

    /// How much of the time between two moments of the clock on the wall, which nobody has turned
    /// since, the last outage took, in milliseconds.
    pub fn out_between(&self, from_ms: u64, to_ms: u64) -> Option<u64> {
        let out = self.measured()?;
        let end_ms = out.wall_ms + (out.until_ms - out.from_ms);
        end_ms.min(to_ms).checked_sub(out.wall_ms.max(from_ms))
    }

    /// Whether the store has hung without a break since this moment of the steady clock.
    pub fn hung_since(&self, since_ms: u64) -> bool {
        let hangs = |it: &Out| it.outage == Outage::Hung && it.from_ms <= since_ms;
        self.outage().is_some() && lock(&self.outage).as_ref().is_some_and(hangs)
    }

    /// What the store does not do at present.
    pub fn outage(&self) -> Option<Outage> {
        let lasts = |it: &Out| it.until_ms > self.steady_ms();
        lock(&self.outage).filter(lasts).map(|it| it.outage)
    }

    /// The number of the present step.
    pub fn step(&self) -> u64 {
        self.step.load(Ordering::Relaxed)
    }

    /// The next step begins.
    pub fn next_step(&self) {
        self.step.fetch_add(1, Ordering::Relaxed);
    }

    /// Writes a line into the journal.
    pub fn note(&self, line: impl FnOnce() -> String) {
        let line = format!("{} {:>9} {}", self.step(), self.steady_ms(), line());
        let mut journal = lock(&self.journal);
        journal.hash.update(line.as_bytes());
        journal.hash.update(b"\n");
        if journal.trace {
            eprintln!("{line}");
        }
        if journal.last.len() == LAST {
            journal.last.pop_front();
        }
        journal.last.push_back(line);
    }

    /// Counts something for the report.
    pub fn count(&self, what: &'static str) {
        *lock(&self.journal).counts.entry(what).or_default() += 1;
    }

    /// Remembers the largest of something for the report.
    pub fn at_most(&self, what: &'static str, n: u64) {
        let mut journal = lock(&self.journal);
        let most = journal.counts.entry(what).or_default();
        *most = n.max(*most);
    }

    /// What was counted.
    pub fn counts(&self) -> BTreeMap<&'static str, u64> {
        lock(&self.journal).counts.clone()
    }

    /// The hash of the journal so far.
    pub fn journal_hash(&self) -> String {
        let hash = lock(&self.journal).hash.clone().finalize();
        hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// A promise was broken. Only the first one counts.
    pub fn broke(&self, what: String) {
        self.note(|| format!("BROKEN {what}"));
        let last = lock(&self.journal).last.iter().cloned().collect();
        let failure = Failure { step: self.step(), at_ms: self.steady_ms(), what, last };
        lock(&self.broken).get_or_insert(failure);
    }

    /// The first promise that was broken.
    pub fn failure(&self) -> Option<Failure> {
        lock(&self.broken).clone()
    }
}

/// The clock that a process of the world goes by.
pub struct WorldClock {
    /// Where.
    pub world: Arc<World>,
    /// Whose.
    pub life: Arc<Life>,
    /// How far its clock on the wall is ahead of that of the world, in milliseconds.
    pub ahead_ms: i64,
}

/// How fast the clock on the wall of a world goes: in half of them not as the steady one.
fn drift(seed: u64) -> i64 {
    let chance = Chance::new(seed, "drift");
    if chance.happens(500) { chance.between(0, 2 * DRIFT_MAX) as i64 - DRIFT_MAX as i64 } else { 0 }
}

#[async_trait]
impl TimeSource for WorldClock {
    fn now_ms(&self) -> u64 {
        let own_ms = self.world.wall_ms().saturating_add_signed(self.ahead_ms);
        self.world.between.wall_ms(own_ms)
    }

    fn monotonic_ms(&self) -> u64 {
        self.world.between.steady_ms(self.world.steady_ms(), self.world.wall_ms())
    }

    async fn sleep_ms(&self, ms: u64) {
        self.world.time.sleep(ms).await;
        self.life.goes_on().await;
    }
}
