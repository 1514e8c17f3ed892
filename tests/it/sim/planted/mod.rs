//! Plants faults into simulated worlds: each must be found by a check of the invariant that it
//! breaks.
//!
//! `RUN_SLOW_TESTS=1` tries each fault in three worlds rather than in the first that shows it.

mod advantage;
mod clock;
mod disk;
mod outgoing;
mod screens;
mod waiting_times;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_protocol::{OutgoingMessage, Update};
use caravanserai_sim::{Call, FaultInjection, Report, SimFeature, SimOptions, run};
use caravanserai_store::{Commit, Put, Space, StoreRow};

/// In how many worlds a fault has to show itself at the latest; most do in the first.
const SEEDS: u64 = 60;

/// Within how many steps of one of them.
const STEPS: u64 = 400;

type Hook<T> = Option<Box<dyn Fn(&mut T) + Send + Sync>>;
type OnCall = Box<dyn Fn(&str, &ChatId, &mut OutgoingMessage) -> Call + Send + Sync>;
type OnTold = Box<dyn Fn(&PersonId, &OutgoingMessage) -> PersonId + Send + Sync>;
type OnLook = Box<dyn Fn(&PersonId) -> PersonId + Send + Sync>;
type OnClock = Box<dyn Fn(u64, u64) -> u64 + Send + Sync>;

/// What a fault changes; everything else passes as it is.
#[derive(Default)]
pub struct Planted {
    pub commit: Hook<Commit>,
    /// What the disk writes; without anything in it, nothing is written.
    pub written: Hook<Option<Commit>>,
    pub forgotten: usize,
    pub lease: Option<bool>,
    pub claims_nothing: bool,
    pub never_sweeps: bool,
    pub call: Option<OnCall>,
    pub listener: Option<OnTold>,
    pub looker: Option<OnLook>,
    pub update: Hook<Update>,
    pub wall: Option<Box<dyn Fn(u64) -> u64 + Send + Sync>>,
    pub steady: Option<OnClock>,
    pub wider: u32,
}

impl FaultInjection for Planted {
    fn commit(&self, mut commit: Commit) -> Commit {
        self.commit.iter().for_each(|it| it(&mut commit));
        commit
    }

    fn written(&self, commit: Commit) -> Option<Commit> {
        let mut written = Some(commit);
        self.written.iter().for_each(|it| it(&mut written));
        written
    }

    fn forgotten(&self) -> usize {
        self.forgotten
    }

    fn lease(&self, _name: &str) -> Option<bool> {
        self.lease
    }

    fn claimed(&self, _space: Space, rows: &mut Vec<StoreRow>) {
        if self.claims_nothing {
            rows.clear();
        }
    }

    fn sweeps(&self) -> bool {
        !self.never_sweeps
    }

    fn call(&self, kind: &str, chat: &ChatId, message: &mut OutgoingMessage) -> Call {
        self.call.as_ref().map_or(Call::Made, |it| it(kind, chat, message))
    }

    fn listener(&self, person: &PersonId, message: &OutgoingMessage) -> PersonId {
        self.listener.as_ref().map_or_else(|| person.clone(), |it| it(person, message))
    }

    fn looker(&self, person: &PersonId) -> PersonId {
        self.looker.as_ref().map_or_else(|| person.clone(), |it| it(person))
    }

    fn update(&self, update: &mut Update) {
        self.update.iter().for_each(|it| it(update));
    }

    fn wall_ms(&self, ms: u64) -> u64 {
        self.wall.as_ref().map_or(ms, |it| it(ms))
    }

    fn steady_ms(&self, ms: u64, wall_ms: u64) -> u64 {
        self.steady.as_ref().map_or(ms, |it| it(ms, wall_ms))
    }

    fn per_minute(&self, calls: u32) -> u32 {
        calls * self.wider.max(1)
    }
}

/// A fault.
pub struct Fault {
    /// What is wrong.
    pub name: &'static str,
    /// Words of the promises by which it may be found.
    pub found_by: &'static [&'static str],
    /// How many processes share the store.
    pub replicas: u64,
    /// How old its worlds get, in days: in those people play slow games.
    pub days: u64,
    /// What does not happen there: busier people hide some faults.
    pub without: Vec<SimFeature>,
    /// The first world in which it is looked for: some need what happens rarely.
    pub from: u64,
    /// Plants it.
    pub plant: fn() -> Planted,
}

impl Fault {
    pub fn new(
        name: &'static str,
        found_by: &'static [&'static str],
        plant: fn() -> Planted,
    ) -> Self {
        let without = vec![
            SimFeature::Viewers,
            SimFeature::InlineChallenges,
            SimFeature::Refused,
            SimFeature::Paused,
        ];
        Fault { name, found_by, replicas: 1, days: 0, without, from: 1, plant }
    }

    /// The same, looked for from this world on.
    pub fn from(self, world: u64) -> Self {
        Fault { from: world, ..self }
    }
}

/// Whether it is time again: each `n`th time.
pub fn every(n: u64) -> impl Fn() -> bool + Send + Sync {
    let count = AtomicU64::new(0);
    move || count.fetch_add(1, Ordering::Relaxed) % n == n - 1
}

/// A fault that leaves out certain rows of commits.
pub fn without(loses: impl Fn(&Put) -> bool + Send + Sync + 'static) -> Planted {
    let commit = move |commit: &mut Commit| commit.puts.retain(|it| !loses(it));
    Planted { commit: Some(Box::new(commit)), ..Planted::default() }
}

/// A world with this between it and the bot.
fn world(seed: u64, planted: Planted, fault: &Fault) -> Report {
    let wanted = SimOptions {
        seed,
        steps: STEPS,
        days: fault.days,
        replicas: fault.replicas,
        without: fault.without.clone(),
        trace: std::env::var_os("TRACE").is_some(),
    };
    run(&wanted, Arc::new(planted)).unwrap()
}

/// In how many worlds another promise may notice a fault first: a fault often breaks several.
const NOTICED_OTHERWISE_MAX: usize = 4;

/// Looks for a fault in worlds from this one on; the row of the table, or why it is wrong.
fn hunt(fault: &Fault, first: u64) -> Result<String, String> {
    let mut noticed_otherwise = Vec::new();
    for seed in first..first + SEEDS {
        let Some(failure) = world(seed, (fault.plant)(), fault).failure else {
            continue;
        };
        let Some(by) = fault.found_by.iter().find(|it| failure.what.contains(**it)) else {
            let last = failure.last.iter().rev().take(6).rev();
            let last: Vec<String> = last.map(|it| it.chars().take(300).collect()).collect();
            noticed_otherwise.push(format!("{}\n{}", failure.what, last.join("\n")));
            if noticed_otherwise.len() > NOTICED_OTHERWISE_MAX {
                return Err(format!("{}: {}", fault.name, noticed_otherwise.join("\n")));
            }
            continue;
        };
        let name = fault.name;
        return Ok(format!("| {name} | {by} | {seed} | {} |", failure.step));
    }
    let otherwise = noticed_otherwise.join("\n");
    Err(format!("{}: not found in {SEEDS} worlds of {STEPS} steps\n{otherwise}", fault.name))
}

/// Looks for all faults of a kind and prints the table.
fn find_all(faults: Vec<Fault>) {
    let mut wrong = Vec::new();
    let slow = std::env::var_os("RUN_SLOW_TESTS").is_some();
    println!("| fault | found by | world | step |\n| --- | --- | --- | --- |");
    assert!(faults.len() > 3);
    for fault in faults {
        for first in if slow { vec![fault.from, 101, 201] } else { vec![fault.from] } {
            match hunt(&fault, first) {
                Ok(row) => println!("{row}"),
                Err(why) => wrong.push(why),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn checks_find_planted_disk_faults() {
    find_all(disk::faults());
}

#[test]
fn checks_find_planted_clock_faults() {
    find_all(clock::faults());
}

#[test]
fn checks_find_planted_faults_of_slow_games() {
    find_all(waiting_times::faults());
}

#[test]
fn checks_find_planted_outgoing_faults() {
    find_all(outgoing::faults());
}

#[test]
fn checks_find_planted_screen_and_identity_faults() {
    find_all(screens::faults());
}

#[test]
fn checks_find_planted_unfair_advantages() {
    find_all(advantage::faults());
}

#[test]
fn unreadable_rows_do_not_stop_play() {
    for (space, key) in [
        (Space::Outbox, "tg:-100 b 7k3fx 0000000000000001 show"),
        (Space::Outbox, "tg:-100 n \u{1}"),
        (Space::Due, "0000000000000001 7k3fx tick"),
        (Space::Due, "nonsense"),
        (Space::ChatProfile, "tg:-100"),
        (Space::Person, "tg:1"),
        (Space::Meta, "budget tg:-100"),
    ] {
        let poison = every(150);
        let commit = move |commit: &mut Commit| {
            if poison() {
                let row = Put::new(space, key, b"{\xff\0 nonsense".to_vec());
                commit.puts.push(row);
            }
        };
        let planted = Planted { commit: Some(Box::new(commit)), ..Planted::default() };
        let report = world(5, planted, &Fault::new("", &[], Planted::default));
        // Where the row held settings, these are lost with it: another promise notes that.
        let is_lost = |what: &str| what.starts_with("the setting ");
        let failure = report.failure.as_ref().filter(|it| !is_lost(&it.what));
        assert_eq!(failure, None, "{space:?} {key}: {report}");
    }
}
