//! Runs the processes of a simulated world: one, two or three on one store, killed at any await.

use std::collections::BTreeMap;
use std::future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use super::Sim;
use super::chance::Chance;
use super::chats::{
    PLATFORM_KINDS, PlatformKind, ReceivedPrivateMessage, SimPlatform, SimulatedReader,
};
use super::concurrent_requests;
use super::crowds;
use super::deletions::Deletions;
use super::fault_rates::SimFeature;
use super::secrets::{self, Rights};
use super::store::SimStore;
use super::world::{APART_MS, Sender, World, WorldClock};
use caravanserai_bot::service::{BotLimits, Service, ServiceDeps, TimeSource};
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_protocol::{EphemeralReply, Update, UpdateHandler, UpdateKind};
use caravanserai_store::Store;

/// The poll interval for deadlines in a world over many days: nearly all of its events would be
/// polls, and nothing there depends on them.
const AGED_LOOK_MS: u64 = 60_000;

/// The number of attempts to start a process that fails to start, for example because its database
/// is not reachable.
const STARTS: u32 = 1_000;

/// The delay before the next attempt, in milliseconds.
const STARTED_AGAIN_MS: u64 = 5_000;

/// Per thousand steps: a process is paused.
const STILL_PER_1000: u64 = 20;

/// The longest pause, in milliseconds: longer than the lease of a chat.
const STILL_MS: u64 = 90_000;

/// The longest time until a button press is answered while the store hangs, in milliseconds.
const ANSWERED_MS: u64 = 3_000;

/// One run of a process.
pub struct ProcessRun {
    /// Its number in the world.
    pub number: u64,
    world: Arc<World>,
    killed: AtomicBool,
    /// Its pauses, by the steady clock: begin and end.
    stills: Mutex<Vec<(u64, u64)>>,
}

impl ProcessRun {
    /// Returns at once while the process runs, later if it is paused, and never after it was
    /// killed, so that it does nothing more.
    pub async fn goes_on(&self) {
        let until_ms = || self.stills.lock().last().map_or(0, |it| it.1);
        while let Some(ms) = until_ms().checked_sub(self.world.steady_ms()).filter(|it| *it > 0) {
            self.world.time.sleep(ms).await;
        }
        if self.is_killed() {
            future::pending::<()>().await;
        }
    }

    fn new(number: u64, world: Arc<World>) -> Self {
        ProcessRun { number, world, killed: AtomicBool::new(false), stills: Mutex::default() }
    }

    /// Pauses it for this many milliseconds, or longer if it is already paused.
    fn stand_still(&self, ms: u64) {
        let now_ms = self.world.steady_ms();
        let mut stills = self.stills.lock();
        let until_ms = stills.last().map_or(0, |it| it.1).max(now_ms + ms);
        if let Some(last) = stills.last_mut() {
            last.1 = now_ms.min(last.1);
        }
        stills.push((now_ms, until_ms));
    }

    /// The time that it has run since this moment of the steady clock, in milliseconds, without its
    /// pauses.
    fn ran_since(&self, began_ms: u64) -> u64 {
        let now_ms = self.world.steady_ms();
        let paused = |(from_ms, until_ms): &(u64, u64)| {
            until_ms.min(&now_ms).saturating_sub(*from_ms.max(&began_ms))
        };
        let paused_ms: u64 = self.stills.lock().iter().map(paused).sum();
        (now_ms - began_ms).saturating_sub(paused_ms)
    }

    /// An independent stream of random numbers in the world of this seed.
    pub fn chance(&self, seed: u64, name: &str) -> Chance {
        Chance::new(seed ^ self.number.rotate_left(32), name)
    }

    fn is_killed(&self) -> bool {
        self.killed.load(Ordering::Relaxed)
    }
}

/// A running process.
pub struct Process {
    pub(super) process_run: Arc<ProcessRun>,
    pub(super) service: Service,
}

impl Sim {
    /// Starts one more process.
    pub(super) async fn start_process(&mut self) -> anyhow::Result<()> {
        for tries in 1.. {
            let world = &self.world;
            world.begin_era();
            let number = world.lives.fetch_add(1, Ordering::Relaxed);
            world.note(|| format!("process {number} starts"));
            let process_run = Arc::new(ProcessRun::new(number, world.clone()));
            let service = self.service(&process_run);
            match service.start().await {
                Ok(()) => {
                    self.processes.push(Process { process_run, service });
                    break;
                }
                Err(failure) if tries > STARTS => return Err(failure),
                // A supervisor starts it again.
                Err(failure) => {
                    world.note(|| format!("process {number} did not start: {failure}"));
                    world.count("starts without a store");
                    process_run.killed.store(true, Ordering::Relaxed);
                    world.time.sleep(STARTED_AGAIN_MS).await;
                }
            }
        }
        Ok(())
    }

    /// Sets up the bot like the real one.
    fn service(&self, process_run: &Arc<ProcessRun>) -> Service {
        let (world, process_run) = (self.world.clone(), process_run.clone());
        let store: Arc<dyn Store> =
            Arc::new(SimStore::new(world.clone(), self.wanted.seed, process_run.clone()));
        let own = |name| process_run.chance(self.wanted.seed, name);
        // Each machine has its own clock.
        let apart_ms = if self.replicas > 1 { APART_MS } else { 0 };
        let ahead_ms = own("clock").between(0, apart_ms) as i64 - apart_ms as i64 / 2;
        let clock: Arc<dyn TimeSource> = Arc::new(WorldClock {
            world: world.clone(),
            process_run: process_run.clone(),
            ahead_ms,
        });
        let drawn = own("bot");
        let usual = BotLimits::default();
        let look_ms = if self.wanted.days > 0 { AGED_LOOK_MS } else { usual.deadline_poll_ms };
        let limits = BotLimits {
            deadline_poll_ms: look_ms,
            thinking_threads: 0,
            review_think_max_ms: 125,
            judging_ms: 0,
            ..usual
        };
        let crowded = world.crowded;
        let service = Service::new(ServiceDeps {
            store,
            i18n: world.i18n.clone(),
            renderer: self.renderer.clone(),
            clock,
            randomness: Box::new(move |bytes| crowds::draw(&drawn, crowded, bytes)),
            limits: crowds::limits(crowded, limits),
            contact: None,
            operator_settings: Default::default(),
        });
        for kind in PLATFORM_KINDS {
            let (world, process_run) = (world.clone(), process_run.clone());
            service.add_platform(Arc::new(SimPlatform { kind, world, process_run }));
        }
        service
    }

    /// Pauses a process, as when its machine is suspended or has no processor time; others go on.
    pub(super) fn stand_still(&self) {
        if !self.world.happens(SimFeature::Paused) || !self.stills.happens(STILL_PER_1000) {
            return;
        }
        let Some(Process { process_run, .. }) = self.stills.pick(&self.processes) else { return };
        let ms = self.stills.between(1_000, STILL_MS);
        process_run.stand_still(ms);
        self.world.note_pause(ms);
        self.world.note(|| format!("process {} is paused for {ms} ms", process_run.number));
        self.world.count("pauses of a process");
    }

    /// Kills one of several processes at any await; the others go on.
    pub(super) fn kill_one(&mut self) {
        let n = self.chance.below(self.processes.len() as u64) as usize;
        let Process { process_run, .. } = self.processes.swap_remove(n);
        process_run.killed.store(true, Ordering::Relaxed);
        self.world.note(|| format!("process {} is killed, others continue", process_run.number));
        self.world.count("kills of one of several processes");
        self.world.killed(Some(process_run.number));
        self.deliver_again(Some(process_run.number));
    }

    /// Kills all processes; commits that the disk did not keep are lost.
    pub(super) fn kill_all(&mut self) {
        let away_ms = self.chance.between(200, 120_000);
        self.world.note(|| format!("all processes are killed for {away_ms} ms"));
        self.world.count("kills");
        self.world.killed(None);
        self.processes.clear();
        self.world.time.pass(away_ms);
        self.world.disk.forget(self.world.fault_injection.forgotten());
    }

    /// Delivers unconfirmed updates of one process, or of all, again where the platform does so.
    pub(super) fn deliver_again(&mut self, by: Option<u64>) {
        let mut left = self.unconfirmed.lock();
        let all = std::mem::take(&mut *left);
        let (due, others) =
            all.into_iter().partition(|(_, (_, number))| by.is_none_or(|it| it == *number));
        *left = others;
        drop(left);
        let due: BTreeMap<String, (Update, u64)> = due;
        for (update, _) in due.into_values() {
            let kind = PlatformKind::named(update.chat.id.platform());
            if kind.is_some_and(|it| it.redelivers_updates) {
                let late_ms = self.chance.between(0, 2_000);
                self.deliver(update, late_ms);
            }
        }
    }

    /// Delivers an update to one of the processes after a delay; private answers go back to the
    /// sender.
    pub(super) fn deliver(&self, update: Update, late_ms: u64) {
        let Some(Process { process_run, service }) = self.chance.pick(&self.processes) else {
            return;
        };
        let (world, service, process_run) =
            (self.world.clone(), service.clone(), process_run.clone());
        let (unconfirmed, answers) = (self.unconfirmed.clone(), self.told.clone());
        let (viewer_sessions, sent) = (self.viewer_sessions.clone(), update.clone());
        let sender = Sender {
            person: update.person.id.clone(),
            chat: update.chat.id.clone(),
            admin: update.person.admin,
        };
        world.sends(&update.id, sender);
        unconfirmed.lock().insert(update.id.clone(), (update.clone(), process_run.number));
        tokio::spawn(async move {
            world.time.sleep(late_ms).await;
            process_run.goes_on().await;
            let (id, chat) = (update.id.clone(), update.chat.id.clone());
            let person = update.person.id.clone();
            world.note(|| format!("hear {id} {} {} {:?}", person.0, chat.0, update.kind));
            world.count("updates");
            if update.person.admin {
                world.admins.lock().begins(&id, &chat);
            }
            let change = world.membership_checks.lock().begins(&world, &update, process_run.number);
            let vanishing = Deletions::begins(&world, &update);
            let setting = concurrent_requests::begins(&world, &update);
            let (left, troubles) = (leaver(&update), world.store_troubles());
            let (began_ms, presses) =
                (world.steady_ms(), matches!(update.kind, UpdateKind::Press { .. }));
            let mut delivered = update;
            world.fault_injection.update(&mut delivered);
            let whispers = service.handle(delivered).await;
            if presses && world.hung_since(began_ms) {
                is_answered_in_time(&world, &id, process_run.ran_since(began_ms));
            }
            process_run.goes_on().await;
            match left {
                Some(who) if !world.store_failed_since(troubles) => {
                    world.access_routes.lock().told_of_leaving(&who, &chat);
                }
                Some(_) => {}
                None => world.access_routes.lock().heard_from(&person, &chat),
            }
            setting.into_iter().for_each(|it| world.settings.lock().ended(&world, it));
            change.into_iter().for_each(|it| world.membership_checks.lock().ended(&world, it));
            vanishing.into_iter().for_each(|it| world.vanished.lock().ended(it));
            world.admins.lock().ends(&id, world.store_failed_since(troubles));
            unconfirmed.lock().remove(&id);
            for whisper in whispers {
                viewer_sessions.keep(&sent, whisper.view.as_deref());
                let listener = world
                    .fault_injection
                    .listener(&person, whisper.message.for_reader(&SimulatedReader));
                if listener != person {
                    world.report_violation(format!(
                        "what {} caused by {id} was sent to {}: {:?}",
                        person.0,
                        listener.0,
                        whisper.message.text().to_plain()
                    ));
                }
                let is_new = answers.lock().insert((id.clone(), whisper.message.text().to_plain()));
                show_private_reply(&world, &id, &listener, &chat, whisper, is_new);
            }
        });
    }

    /// Whether all processes are killed now, rather than one of several.
    pub(super) fn all_die(&self) -> bool {
        self.processes.len() == 1 || self.chance.happens(250)
    }

    /// Whether processes are killed in this world.
    pub(super) fn may_die(&self) -> bool {
        self.world.happens(SimFeature::Kill)
    }
}

/// The account that has left a chat, as this update says.
fn leaver(update: &Update) -> Option<PersonId> {
    match &update.kind {
        UpdateKind::MemberLeft { who, .. } => Some(who.clone()),
        _ => None,
    }
}

/// Checks the time until a press was answered while the store hung, without the pauses of the
/// process.
fn is_answered_in_time(world: &World, id: &str, took_ms: u64) {
    world.count("presses answered while the store hung");
    if took_ms > ANSWERED_MS {
        world.report_violation(format!(
            "the press {id} was answered after {took_ms} ms by a hung store"
        ));
    }
}

/// Shows a private answer to a person.
pub fn show_private_reply(
    world: &World,
    id: &str,
    person: &PersonId,
    chat: &ChatId,
    whisper: EphemeralReply,
    is_new: bool,
) {
    world.note(|| format!("tell {id} {}: {:?}", person.0, whisper.message.text().to_plain()));
    world.count("private replies");
    let message = whisper.message.for_reader(&SimulatedReader).clone();
    let mut seen = message.clone();
    if !is_new {
        // They already know a repeated answer, even if the cards were dealt again since.
        (seen.text, seen.buttons) = Default::default();
    }
    secrets::check_no_leak(world, Some(person), &Rights::default(), &seen);
    let private = ReceivedPrivateMessage { slot: whisper.slot, chat: chat.clone(), message };
    world.chats.lock().tell(person, private);
}
