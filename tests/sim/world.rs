//! Stores what all parts of a simulated world share: time, fault rates, the journal and the first
//! broken invariant.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use async_trait::async_trait;
use futures::FutureExt;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use super::SimOptions;
use super::access_routes::AccessRouteChecks;
use super::chance::Chance;
use super::chats::Chats;
use super::concurrent_requests::Settings;
use super::crowds;
use super::deletions::Deletions;
use super::departures::MembershipChecks;
use super::disk::Disk;
use super::fault_injection::FaultInjection;
use super::fault_rates::{SimFeature, TroubleRates};
use super::log_checks::LogChecks;
use super::processes::ProcessRun;
use super::time::Time;
use caravanserai_bot::repository::keys;
use caravanserai_bot::repository::profiles::PersonProfile;
use caravanserai_bot::service::TimeSource;
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_i18n::I18n;
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Append, Commit, Put, Space, Store};
use caravanserai_table::event::LogLine;

/// The start time of every world: 2026-11-21 at noon, in milliseconds since 1970.
const BEGINNING_MS: u64 = 1_795_262_400_000;

/// The largest drift of the wall clock, in parts per million.
const DRIFT_MAX: u64 = 300;

/// The longest time until the bot has noted the time of a changed clock, in milliseconds.
const NOTED_MS: u64 = 60_000;

/// The largest difference between the clocks of two machines that share a store, in milliseconds.
pub const APART_MS: u64 = 400;

/// The number of journal lines in a report.
const LAST: usize = 60;

/// A kind of outage of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outage {
    /// Its disk is full: writes fail.
    Full,
    /// It cannot be reached: reads fail, too.
    Away,
    /// It accepts requests and answers none until the outage ends.
    Hung,
}

/// The present or last outage.
#[derive(Clone, Copy)]
struct Out {
    outage: Outage,
    /// By the steady clock.
    from_ms: u64,
    until_ms: u64,
    /// Its begin by the wall clock.
    wall_ms: u64,
}

/// The sender of an update.
#[derive(Clone, Debug)]
pub struct Sender {
    /// The person.
    pub person: PersonId,
    /// The chat.
    pub chat: ChatId,
    /// Whether they were an administrator of the group at that moment.
    pub admin: bool,
}

/// The updates of administrators that may still change what holds for a whole chat.
#[derive(Default)]
pub struct AdminUpdates {
    /// The chats of updates that are being handled, by the id of the update.
    handled: BTreeMap<String, String>,
    /// The chats of updates that were answered while the store failed: their changes may follow.
    pending: Vec<String>,
}

impl AdminUpdates {
    /// Notes that the bot begins to handle an update of an administrator.
    pub fn begins(&mut self, id: &str, chat: &ChatId) {
        self.handled.insert(id.to_owned(), chat.without_topic().to_owned());
    }

    /// Notes that an update was answered; `store_failed` if the store failed meanwhile.
    pub fn ends(&mut self, id: &str, store_failed: bool) {
        let chat = self.handled.remove(id);
        self.pending.extend(chat.filter(|_| store_failed));
    }

    /// Whether an administrator wants a change in this chat; an answered update changes it once.
    pub fn may_change(&mut self, chat: &str) -> bool {
        if self.handled.values().any(|it| it == chat) {
            return true;
        }
        let at = self.pending.iter().position(|it| it == chat);
        at.map(|at| self.pending.swap_remove(at)).is_some()
    }
}

/// The most requests to the store without a change of time.
const ASKED_MAX: u64 = 20_000;

/// The number of an update: updates of all platforms are counted together.
pub fn number(id: &str) -> Option<u64> {
    id.rsplit('/').next()?.parse().ok()
}

/// The number of updates whose senders are stored.
const SENT: usize = 20_000;

/// A broken invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The step.
    pub step: u64,
    /// The simulated time, in milliseconds.
    pub at_ms: u64,
    /// A description of the violation.
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
    /// The random numbers of pictures, texts and people.
    pub chance: Chance,
    /// The disk.
    pub disk: Disk,
    /// The expected content of the disk: everything that was acknowledged.
    pub meant: MemoryStore,
    /// The senders of updates, as the platforms know them.
    pub sent: Mutex<BTreeMap<u64, Sender>>,
    /// The updates of administrators that may still change what holds for a whole chat.
    pub admins: Mutex<AdminUpdates>,
    /// The chats with all messages.
    pub chats: Mutex<Chats>,
    /// The tables, read from the committed logs.
    pub log_checks: Mutex<LogChecks>,
    /// People who left chats or came back.
    pub membership_checks: Mutex<MembershipChecks>,
    /// The chats that people can reach, and since when.
    pub access_routes: Mutex<AccessRouteChecks>,
    /// The settings of people and chats.
    pub settings: Mutex<Settings>,
    /// Deleted chats of which the bot has learned.
    pub vanished: Mutex<Deletions>,
    /// Features that are switched off.
    without: Vec<SimFeature>,
    /// Whether the world runs over many days; clocks are then checked less often.
    pub gets_old: bool,
    /// Whether the world has few table codes, small caches and a person at very many tables.
    pub crowded: bool,
    /// The faults that a test has planted.
    pub fault_injection: Arc<dyn FaultInjection>,
    /// The texts of all languages, for the checks.
    pub i18n: Arc<I18n>,
    fault_rates: Mutex<TroubleRates>,
    /// The present or last outage of the store.
    outage: Mutex<Option<Out>>,
    /// The steady clock.
    pub time: Time,
    /// The offset of the wall clock, in milliseconds.
    off_ms: AtomicI64,
    /// The time of its last change by the steady clock; 0 if it was never changed.
    turned_ms: AtomicU64,
    /// The drift of the wall clock, in parts per million.
    drift: i64,
    journal: Mutex<Journal>,
    broken: Mutex<Option<Failure>>,
    /// The time at which a person last changed their own settings.
    settled: Mutex<BTreeMap<PersonId, u64>>,
    /// Leases: owner and end by name.
    leases: Mutex<BTreeMap<String, (String, u64)>>,
    step: AtomicU64,
    /// Number of store failures.
    troubles: AtomicU64,
    /// Number of store requests at this moment.
    asked: AtomicU64,
    asked_ms: AtomicU64,
    /// Number of processes so far, and the start time of the last one.
    pub lives: AtomicU64,
    started_ms: AtomicU64,
    /// When processes were paused, by the wall clock: begin and end.
    pauses: Mutex<Vec<(u64, u64)>>,
}

impl World {
    /// The world of a seed before the first step.
    pub fn new(
        wanted: &SimOptions,
        i18n: Arc<I18n>,
        fault_injection: Arc<dyn FaultInjection>,
    ) -> Self {
        let SimOptions { seed, trace, .. } = *wanted;
        World {
            chance: Chance::new(seed, "world"),
            disk: Disk::default(),
            meant: MemoryStore::new(),
            sent: Mutex::default(),
            admins: Mutex::default(),
            chats: Mutex::new(Chats::new(seed)),
            log_checks: Mutex::default(),
            membership_checks: Mutex::default(),
            access_routes: Mutex::default(),
            settings: Mutex::default(),
            vanished: Mutex::default(),
            without: wanted.without.clone(),
            gets_old: wanted.days > 0,
            crowded: crowds::is_crowded(wanted),
            fault_injection,
            i18n,
            fault_rates: Mutex::default(),
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
            pauses: Mutex::default(),
        }
    }

    /// Notes that a process is paused from now on, for this many milliseconds.
    pub fn note_pause(&self, ms: u64) {
        let now_ms = self.wall_ms();
        self.pauses.lock().push((now_ms, now_ms + ms));
    }

    /// The time between two moments of the wall clock in which no process was paused, in
    /// milliseconds: who is paused may be the one that owns a chat.
    pub fn ran_ms(&self, from_ms: u64, until_ms: u64) -> u64 {
        let paused = |(begin_ms, end_ms): &(u64, u64)| {
            until_ms.min(*end_ms).saturating_sub(from_ms.max(*begin_ms))
        };
        let paused_ms: u64 = self.pauses.lock().iter().map(paused).sum();
        until_ms.saturating_sub(from_ms).saturating_sub(paused_ms)
    }

    /// Whether this feature is switched on.
    pub fn happens(&self, feature: SimFeature) -> bool {
        !self.without.contains(&feature)
    }

    /// Stores the sender of an update.
    pub fn sends(&self, id: &str, sender: Sender) {
        let mut sent = self.sent.lock();
        if sent.len() == SENT {
            sent.pop_first();
        }
        if let Some(number) = number(id) {
            sent.insert(number, sender);
        }
    }

    /// The sender of this update.
    pub fn sender(&self, id: &str) -> Option<Sender> {
        self.sent.lock().get(&number(id)?).cloned()
    }

    /// Checks that an acknowledged commit is on disk, and adds it to the expected content.
    pub async fn acknowledged(&self, commit: Commit) {
        if let Some(what) = self.lost(&commit).await {
            self.report_violation(format!("{what} was acknowledged and is not on disk"));
        }
        let Commit { appends, puts, drops, .. } = commit;
        let mut all = Commit { puts, drops, ..Commit::default() };
        for Append { table, lines, .. } in appends.into_iter().filter(|it| !it.lines.is_empty()) {
            let expect = self.meant.log_length(&table).await.unwrap_or_default();
            all.appends.push(Append { table, expect, lines });
        }
        if let Err(error) = self.meant.commit(all).await {
            self.report_violation(format!("a commit cannot be: {error}"));
        }
    }

    /// The part of a commit that is not on disk just after it was acknowledged.
    async fn lost(&self, commit: &Commit) -> Option<String> {
        for Append { table, expect, lines } in &commit.appends {
            let on_disk = self.disk.store.read_log(table, *expect).await.unwrap_or_default();
            if !lines.is_empty() && on_disk != *lines {
                return Some(format!("{lines:?} of table {table}"));
            }
        }
        let last: BTreeMap<_, _> = commit.puts.iter().map(|it| ((it.space, &it.key), it)).collect();
        let now_ms = self.fault_injection.wall_ms(self.wall_ms());
        // A row that is already expired when it is written, because the clock was changed, is not
        // there.
        let is_alive = |it: &&Put| it.expires_ms.is_none_or(|until_ms| until_ms > now_ms);
        for put in last.into_values().filter(is_alive) {
            let on_disk = self.disk.store.get(put.space, &put.key).await.unwrap_or_default();
            if on_disk != put.value {
                return Some(format!("{:?} {:?}", put.space, put.key));
            }
        }
        None
    }

    /// Counts a request to the store; returns whether there are too many without a change of time.
    pub fn spins(&self) -> bool {
        let now_ms = self.steady_ms();
        let at_ms = self.asked_ms.swap(now_ms, Ordering::Relaxed);
        if at_ms != now_ms {
            self.asked.store(0, Ordering::Relaxed);
        }
        let spins = self.asked.fetch_add(1, Ordering::Relaxed) > ASKED_MAX;
        if spins && self.failure().is_none() {
            self.report_violation(format!(
                "the store was asked {ASKED_MAX} times at the same moment"
            ));
        }
        spins
    }

    /// Counts a failure of the store, real or pretended.
    pub fn store_fails(&self, what: &'static str) {
        self.troubles.fetch_add(1, Ordering::Relaxed);
        self.count(what);
        self.chats.lock().may_repeat();
    }

    /// Counts a request that waits for a hung store.
    pub fn store_hangs(&self) {
        self.troubles.fetch_add(1, Ordering::Relaxed);
        self.chats.lock().may_repeat();
    }

    /// The number of store failures.
    pub fn store_troubles(&self) -> u64 {
        self.troubles.load(Ordering::Relaxed)
    }

    /// Whether there were store failures after this number.
    pub fn store_failed_since(&self, troubles: u64) -> bool {
        self.store_troubles() != troubles
    }

    /// Tells all checks that a process was killed, or all (`None`).
    pub fn killed(&self, process: Option<u64>) {
        self.membership_checks.lock().killed(process);
        self.vanished.lock().killed();
        self.settings.lock().killed();
        self.chats.lock().may_repeat();
    }

    /// Notes that a process starts.
    pub fn begin_era(&self) {
        self.started_ms.store(self.steady_ms(), Ordering::Relaxed);
    }

    /// The time since the last start of a process, in milliseconds.
    pub fn up_ms(&self) -> u64 {
        self.steady_ms() - self.started_ms.load(Ordering::Relaxed)
    }

    /// Milliseconds since the world began, by the steady clock.
    pub fn steady_ms(&self) -> u64 {
        self.time.now_ms()
    }

    /// Milliseconds since 1970 by the wall clock.
    pub fn wall_ms(&self) -> u64 {
        let steady_ms = self.steady_ms();
        let drifted_ms = steady_ms as i64 * self.drift / 1_000_000;
        (BEGINNING_MS + steady_ms).saturating_add_signed(self.clock_is_off_ms() + drifted_ms)
    }

    /// Changes the wall clock by this many milliseconds.
    pub fn turn_clock(&self, by_ms: i64) {
        self.turned_ms.store(self.steady_ms(), Ordering::Relaxed);
        self.off_ms.fetch_add(by_ms, Ordering::Relaxed);
    }

    /// Whether the wall clock was changed in the last so many milliseconds.
    pub fn clock_was_turned_within(&self, ms: u64) -> bool {
        let at_ms = self.turned_ms.load(Ordering::Relaxed);
        at_ms > 0 && self.steady_ms() - at_ms < ms
    }

    /// The offset of the wall clock.
    pub fn clock_is_off_ms(&self) -> i64 {
        self.off_ms.load(Ordering::Relaxed)
    }

    /// Takes a lease for an owner by the steady clock; `false` if another one has it.
    pub fn lease(&self, name: String, owner: &str, for_ms: u64) -> bool {
        let now_ms = self.steady_ms();
        let mut leases = self.leases.lock();
        leases.retain(|_, (_, until_ms)| *until_ms > now_ms);
        match leases.get(&name) {
            Some((other, _)) if other != owner => false,
            Some(_) | None => {
                leases.insert(name, (owner.to_owned(), now_ms + for_ms));
                true
            }
        }
    }

    /// The owner of a lease.
    pub fn holder(&self, name: &str) -> Option<String> {
        let now_ms = self.steady_ms();
        let leases = self.leases.lock();
        let lease = leases.get(name).filter(|(_, until_ms)| *until_ms > now_ms);
        lease.map(|(owner, _)| owner.clone())
    }

    /// The person behind an account.
    pub fn behind(&self, account: &PersonId) -> PersonId {
        let row = |key: &str| {
            let row = self.disk.store.get(Space::Person, key).now_or_never();
            row.and_then(Result::ok).flatten()
        };
        let profile =
            PersonProfile::decode_rows(row(&account.0), row(&keys::linked_accounts(account)));
        profile.main.unwrap_or_else(|| account.clone())
    }

    /// The person who caused a line of a log, if any.
    pub fn causer(&self, line: &LogLine) -> Option<PersonId> {
        self.sender(&line.cause).map(|it| self.behind(&it.person))
    }

    /// Notes that a person changed their own settings.
    pub fn settles(&self, person: PersonId) {
        self.settled.lock().insert(person, self.steady_ms());
    }

    /// Whether a person did so within this time.
    pub fn settled_lately(&self, person: &PersonId, within_ms: u64) -> bool {
        let at_ms = self.settled.lock().get(person).copied();
        at_ms.is_some_and(|it| self.steady_ms() < it + within_ms)
    }

    /// The present rates of troubles.
    pub fn fault_rates(&self) -> TroubleRates {
        *self.fault_rates.lock()
    }

    /// Sets the rates of troubles.
    pub fn set_fault_rates(&self, fault_rates: TroubleRates) {
        *self.fault_rates.lock() = fault_rates;
    }

    /// Begins an outage of the store of this duration, in milliseconds.
    pub fn begin_outage(&self, outage: Outage, ms: u64) {
        self.note(|| format!("the store is {outage:?} for {ms} ms"));
        self.count("outages of the store");
        let (from_ms, wall_ms) = (self.steady_ms(), self.wall_ms());
        *self.outage.lock() = Some(Out { outage, from_ms, until_ms: from_ms + ms, wall_ms });
    }

    /// Ends the outage.
    pub fn end_outage(&self) {
        if let Some(out) = self.outage.lock().as_mut() {
            out.until_ms = out.until_ms.min(self.steady_ms());
        }
    }

    /// The last outage, unless the wall clock was changed since it began, or so shortly before that
    /// the bot had not yet noted the new time.
    fn measured(&self) -> Option<Out> {
        let turned_ms = self.turned_ms.load(Ordering::Relaxed);
        self.outage.lock().filter(|out| turned_ms == 0 || turned_ms + NOTED_MS <= out.from_ms)
    }

    /// The duration of the last outage, in milliseconds, if this moment of the wall clock was in it
    /// and the clock was not changed since.
    pub fn out_at(&self, wall_ms: u64) -> Option<u64> {
        let out = self.measured()?;
        let (since_ms, all_ms) = (wall_ms.checked_sub(out.wall_ms)?, out.until_ms - out.from_ms);
        (since_ms < all_ms).then_some(all_ms)
    }

    /// The part of the last outage between two moments of the wall clock, in milliseconds, if the
    /// clock was not changed since.
    pub fn out_between(&self, from_ms: u64, to_ms: u64) -> Option<u64> {
        let out = self.measured()?;
        let end_ms = out.wall_ms + (out.until_ms - out.from_ms);
        end_ms.min(to_ms).checked_sub(out.wall_ms.max(from_ms))
    }

    /// Whether the store has hung without interruption since this moment of the steady clock.
    pub fn hung_since(&self, since_ms: u64) -> bool {
        let hangs = |it: &Out| it.outage == Outage::Hung && it.from_ms <= since_ms;
        self.outage().is_some() && self.outage.lock().as_ref().is_some_and(hangs)
    }

    /// The present outage.
    pub fn outage(&self) -> Option<Outage> {
        let lasts = |it: &Out| it.until_ms > self.steady_ms();
        self.outage.lock().filter(lasts).map(|it| it.outage)
    }

    /// The number of the present step.
    pub fn step(&self) -> u64 {
        self.step.load(Ordering::Relaxed)
    }

    /// Begins the next step.
    pub fn next_step(&self) {
        self.step.fetch_add(1, Ordering::Relaxed);
    }

    /// Writes a line into the journal.
    pub fn note(&self, line: impl FnOnce() -> String) {
        let line = format!("{} {:>9} {}", self.step(), self.steady_ms(), line());
        let mut journal = self.journal.lock();
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

    /// Increments a counter of the report.
    pub fn count(&self, what: &'static str) {
        *self.journal.lock().counts.entry(what).or_default() += 1;
    }

    /// Updates a maximum of the report.
    pub fn at_most(&self, what: &'static str, n: u64) {
        let mut journal = self.journal.lock();
        let most = journal.counts.entry(what).or_default();
        *most = n.max(*most);
    }

    /// The counters.
    pub fn counts(&self) -> BTreeMap<&'static str, u64> {
        self.journal.lock().counts.clone()
    }

    /// The hash of the journal so far.
    pub fn journal_hash(&self) -> String {
        hex::encode(self.journal.lock().hash.clone().finalize())
    }

    /// Records a broken invariant. Only the first one is kept.
    pub fn report_violation(&self, what: String) {
        self.note(|| format!("BROKEN {what}"));
        let last = self.journal.lock().last.iter().cloned().collect();
        let failure = Failure { step: self.step(), at_ms: self.steady_ms(), what, last };
        self.broken.lock().get_or_insert(failure);
    }

    /// The first broken invariant.
    pub fn failure(&self) -> Option<Failure> {
        self.broken.lock().clone()
    }
}

/// The clock of a simulated process.
pub struct WorldClock {
    /// The world.
    pub world: Arc<World>,
    /// The process.
    pub process_run: Arc<ProcessRun>,
    /// The offset of its wall clock to that of the world, in milliseconds.
    pub ahead_ms: i64,
}

/// The drift of the wall clock of a world, in parts per million; 0 in half of the worlds.
fn drift(seed: u64) -> i64 {
    let chance = Chance::new(seed, "drift");
    if chance.happens(500) { chance.between(0, 2 * DRIFT_MAX) as i64 - DRIFT_MAX as i64 } else { 0 }
}

#[async_trait]
impl TimeSource for WorldClock {
    fn now_ms(&self) -> u64 {
        let own_ms = self.world.wall_ms().saturating_add_signed(self.ahead_ms);
        self.world.fault_injection.wall_ms(own_ms)
    }

    fn monotonic_ms(&self) -> u64 {
        self.world.fault_injection.steady_ms(self.world.steady_ms(), self.world.wall_ms())
    }

    async fn sleep_ms(&self, ms: u64) {
        self.world.time.sleep(ms).await;
        self.process_run.goes_on().await;
    }
}
