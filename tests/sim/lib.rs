//! Runs a simulated world that tries to break every invariant of the bot: `caravanserai-sim --seed
//! 7 --steps 10000`.
//!
//! A seed determines the world completely: chats on three platforms, people with habits, a failing
//! disk and failing networks, changed clocks, and processes that are killed between any two steps.
//! Only the bot is real: the service, its tables and its texts run unchanged, on one thread and on
//! a clock that jumps to the next sleeper.
//!
//! Invariants are checked after each commit and each message, and whenever the world has come to
//! rest, without knowledge of the service's internals: `log_checks` reads the logs, `screens`
//! compares screens with them, `secrets` follows hidden cards. A broken invariant ends the run; the
//! same seed reproduces it.

mod access_routes;
mod accounts;
mod advantage;
mod agreements;
mod chance;
mod chats;
mod clock_time;
mod concurrent_requests;
mod consents;
mod crowds;
mod deletions;
mod departures;
mod disk;
mod fault_injection;
mod fault_rates;
mod habits;
mod inline_challenges;
mod log_checks;
mod log_leaks;
mod people;
mod processes;
mod refused_messages;
mod rows;
mod screens;
mod secrets;
mod store;
mod time;
mod viewers;
mod waiting_times;
mod world;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::sync::Arc;

use anyhow::Context;

use accounts::LinkInProgress;
use caravanserai_games::ids::{ChatId, MessageId};
use caravanserai_i18n::I18n;
use caravanserai_protocol::{Arrival, Chat, OutgoingMessage, Update, UpdateKind};
use caravanserai_render::Renderer;
use chance::Chance;
pub use fault_injection::{Call, FaultInjection, NoFaults};
pub use fault_rates::SimFeature;
use fault_rates::TroubleRates;
use people::{Act, SimPerson};
use processes::Process;
use viewers::ViewerSessions;
pub use world::Failure;
use world::{Outage, World};

/// The longest time until the world comes to rest, in simulated milliseconds.
pub const REST_MS: u64 = 20 * 60_000;

/// The interval between two checks whether it is at rest, in simulated milliseconds.
const LOOK_MS: u64 = 5_000;

/// The mean number of steps between two rests.
const STEPS_TO_REST: u64 = 60;

/// Per thousand steps: habits of people in a world over many days.
const HABITS_PER_1000: u64 = 250;

/// Per thousand steps: a topic, a group or an account is deleted.
const DELETIONS_PER_1000: u64 = 4;

/// Per thousand steps: people agree on something at a table.
const DEALS_PER_1000: u64 = 150;

/// Per thousand steps: a person links two accounts or unlinks them.
const LINKED_PER_1000: u64 = 5;

/// Per thousand changes of the fault rates: the store has an outage.
const OUTAGES_PER_1000: u64 = 80;

/// The longest outage of the store, in milliseconds.
const OUTAGE_MS: u64 = 600_000;

/// The number of recent updates that may be delivered again.
const REMEMBERED: usize = 64;

/// The options of a run.
#[derive(Clone, Debug)]
pub struct SimOptions {
    /// The seed.
    pub seed: u64,
    /// The number of steps.
    pub steps: u64,
    /// The number of simulated days, at least.
    pub days: u64,
    /// The number of processes that share the store; 0 lets the seed choose one to three.
    pub replicas: u64,
    /// Features that are switched off.
    pub without: Vec<SimFeature>,
    /// Whether the journal is printed while it is written.
    pub trace: bool,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The seed.
    pub seed: u64,
    /// The number of steps.
    pub steps: u64,
    /// The simulated time, in milliseconds.
    pub passed_ms: u64,
    /// The SHA-256 of the journal.
    pub journal: String,
    /// Counters by name.
    pub counts: BTreeMap<&'static str, u64>,
    /// The first broken invariant, if any.
    pub failure: Option<Failure>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let days = self.passed_ms as f64 / 86_400_000.0;
        writeln!(f, "seed {}: {} steps, {days:.1} simulated days", self.seed, self.steps)?;
        for (what, count) in &self.counts {
            writeln!(f, "{count:>9} {what}")?;
        }
        writeln!(f, "journal {}", self.journal)?;
        match &self.failure {
            None => writeln!(f, "no invariant was broken"),
            Some(Failure { step, at_ms, what, last }) => {
                for line in last {
                    writeln!(f, "  {line}")?;
                }
                writeln!(f, "BROKEN at step {step}, after {at_ms} ms: {what}")
            }
        }
    }
}

/// Runs a world with a bot in it.
///
/// # Errors
/// When the bot cannot be set up.
pub fn run(
    wanted: &SimOptions,
    fault_injection: Arc<dyn FaultInjection>,
) -> anyhow::Result<Report> {
    let i18n = Arc::new(I18n::new());
    let renderer = Renderer::embedded().context("failed to read the art")?.with_sketches();
    let world = Arc::new(World::new(wanted, i18n, fault_injection));
    let drawn = Chance::new(wanted.seed, "replicas").between(1, 3);
    let mut sim = Sim {
        sim_people: people::everybody(&world.chance),
        chance: Chance::new(wanted.seed, "steps"),
        rarely: Chance::new(wanted.seed, "rarely"),
        sociable: Chance::new(wanted.seed, "sociable"),
        account_linking: None,
        curious: Chance::new(wanted.seed, "curious"),
        viewer_sessions: ViewerSessions::default(),
        entered: BTreeSet::new(),
        elsewhere: Chance::new(wanted.seed, "elsewhere"),
        stills: Chance::new(wanted.seed, "stills"),
        hurried: Chance::new(wanted.seed, "hurried"),
        trying: Chance::new(wanted.seed, "trying"),
        replicas: if wanted.replicas == 0 { drawn } else { wanted.replicas },
        wanted: wanted.clone(),
        renderer: Arc::new(renderer),
        heard: VecDeque::new(),
        unconfirmed: Arc::default(),
        told: Arc::default(),
        chosen: BTreeSet::new(),
        updates: 0,
        processes: Vec::new(),
        world,
    };
    sim.world.at_most("processes on one store", sim.replicas);
    let world = sim.world.clone();
    log_leaks::by(&world, || sim.eras())?;
    let world = &sim.world;
    Ok(Report {
        seed: wanted.seed,
        steps: world.step(),
        passed_ms: world.steady_ms(),
        journal: world.journal_hash(),
        counts: world.counts(),
        failure: world.failure(),
    })
}

/// Updates that were delivered and not confirmed, with the number of the process.
type Unconfirmed = Arc<parking_lot::Mutex<BTreeMap<String, (Update, u64)>>>;

/// Private answers by update.
type RepliesByUpdate = Arc<parking_lot::Mutex<BTreeSet<(String, String)>>>;

struct Sim {
    world: Arc<World>,
    chance: Chance,
    /// For troubles that were added later, so that the other random numbers of a world stay the
    /// same.
    rarely: Chance,
    /// For agreements at tables and links of accounts.
    sociable: Chance,
    /// The link of two accounts that is in progress.
    account_linking: Option<LinkInProgress>,
    /// For people who only look.
    curious: Chance,
    /// Their browsers and notes.
    viewer_sessions: ViewerSessions,
    /// Sign-in links that were used in a browser.
    entered: BTreeSet<String>,
    /// For messages in chats where the bot is not a member.
    elsewhere: Chance,
    /// For processes that are paused.
    stills: Chance,
    /// For people who send several requests at once.
    hurried: Chance,
    /// For people who try to gain an advantage.
    trying: Chance,
    wanted: SimOptions,
    replicas: u64,
    renderer: Arc<Renderer>,
    sim_people: Vec<SimPerson>,
    /// Recently delivered updates.
    heard: VecDeque<Update>,
    unconfirmed: Unconfirmed,
    told: RepliesByUpdate,
    /// Messages in which a game was chosen.
    chosen: BTreeSet<MessageId>,
    updates: u64,
    /// The running processes.
    processes: Vec<Process>,
}

impl Sim {
    /// Runs the processes until the end, through all restarts.
    fn eras(&mut self) -> anyhow::Result<()> {
        loop {
            let world = self.world.clone();
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .on_thread_park(move || world.time.jump())
                .build()
                .context("failed to start the runtime")?;
            let ended = runtime.block_on(self.era())?;
            self.processes.clear();
            // Tasks that are still running end here, at any await.
            drop(runtime);
            if ended || self.world.failure().is_some() {
                return Ok(());
            }
        }
    }

    /// Runs until all processes are killed (`false`) or all steps are made (`true`).
    async fn era(&mut self) -> anyhow::Result<bool> {
        let world = self.world.clone();
        for _ in 0..self.replicas {
            self.start_process().await?;
        }
        self.deliver_again(None);
        let lives_steps = 400 / self.replicas;
        let mut until = world.step() + self.chance.between(40, lives_steps);
        let mut rest = world.step() + self.chance.between(1, STEPS_TO_REST);
        while world.step() < self.wanted.steps && world.failure().is_none() {
            world.next_step();
            self.note_access_routes();
            self.step();
            self.look_around();
            self.meet_elsewhere();
            self.stand_still();
            self.pass().await;
            self.maybe_skip_time().await;
            let wrong = world.membership_checks.lock().wrong(&world);
            wrong.into_iter().for_each(|what| world.report_violation(what));
            if world.step() >= rest {
                self.rest().await;
                rest = world.step() + self.chance.between(STEPS_TO_REST / 2, STEPS_TO_REST * 3 / 2);
            }
            if world.step() >= until && self.may_die() {
                self.world.time.sleep(self.chance.between(0, 400)).await;
                if self.all_die() {
                    self.kill_all();
                    return Ok(false);
                }
                self.kill_one();
                until = world.step() + self.chance.between(10, lives_steps);
            }
            let is_short = (self.processes.len() as u64) < self.replicas;
            if is_short && self.chance.happens(100) {
                self.start_process().await?;
            }
        }
        self.rest().await;
        Ok(true)
    }

    /// Makes one step.
    fn step(&mut self) {
        let world = self.world.clone();
        let happens = |it| world.happens(it);
        if self.chance.happens(25) {
            let mut fault_rates = TroubleRates::draw(&self.chance, &self.world);
            if self.rarely.happens(200) && self.world.happens(SimFeature::ReadFails) {
                fault_rates.read_fails = self.rarely.between(1, 30);
            }
            if self.world.happens(SimFeature::Refused) && self.elsewhere.happens(400) {
                fault_rates.refused = self.elsewhere.between(1, 300);
            }
            if self.rarely.happens(OUTAGES_PER_1000) && self.world.happens(SimFeature::Outage) {
                let all = [Outage::Full, Outage::Away, Outage::Hung];
                let kinds = if happens(SimFeature::Hung) { &all[..] } else { &all[..2] };
                let outage = *self.rarely.pick(kinds).unwrap_or(&Outage::Full);
                self.world.begin_outage(outage, self.rarely.between(1_000, OUTAGE_MS));
            }
            self.world.note(|| format!("fault rates {fault_rates:?}"));
            self.world.set_fault_rates(fault_rates);
        }
        if self.goes_on_linking() {
            return;
        }
        if self.wanted.days > 0 && self.chance.happens(HABITS_PER_1000) {
            return self.habit();
        }
        if happens(SimFeature::Deleted) && self.rarely.happens(DELETIONS_PER_1000) {
            return self.vanish();
        }
        if happens(SimFeature::Linked) && self.sociable.happens(LINKED_PER_1000) {
            return self.link();
        }
        if world.crowded && self.trying.happens(crowds::CROWDED_PER_1000) {
            return self.crowd();
        }
        if happens(SimFeature::Advantage) && self.trying.happens(advantage::TRIED_PER_1000) {
            return self.try_advantage();
        }
        if happens(SimFeature::ConcurrentRequests)
            && self.hurried.happens(concurrent_requests::HURRIED_PER_1000)
        {
            return self.hurry();
        }
        if happens(SimFeature::Agreements) && self.sociable.happens(DEALS_PER_1000) {
            return self.deal();
        }
        match self.chance.below(1000) {
            0..40 => self.repeat(),
            40..70 => self.chatter(),
            70..74 => self.rename(),
            74..80 => self.take_board(),
            80..86 if happens(SimFeature::Clock) => self.turn_clock(),
            86..90 if happens(SimFeature::Closed) => self.close_chat(),
            90..93 if happens(SimFeature::Moved) => self.move_chat(),
            _ => self.act(),
        }
    }

    /// Lets some time pass.
    async fn pass(&self) {
        let ms = match self.chance.below(100) {
            0..60 => self.chance.between(50, 1_500),
            60..95 => self.chance.between(500, 6_000),
            95..99 => self.chance.between(10_000, 200_000),
            _ => self.chance.between(200_000, 4_000_000),
        };
        self.world.time.sleep(ms).await;
    }

    /// A person acts; more often the player to move than others.
    fn act(&mut self) {
        let act = if self.chance.happens(700) { self.on_turn() } else { None };
        let act = act.or_else(|| {
            let sim_person = self.chance.pick(&self.sim_people)?;
            people::anything(&self.world.chats.lock(), sim_person, &self.chance)
        });
        let Some(act) = act.filter(|it| self.is_new_choice(it)) else { return };
        let twice = self.sim_people.iter().find(|it| it.person.id == act.person.id);
        let twice = twice.is_some_and(|it| self.chance.happens(it.impatience));
        let late_ms = self.chance.between(0, 300);
        self.send_update(act.clone(), late_ms);
        if twice && matches!(act.body, UpdateKind::Press { .. }) && self.is_new_choice(&act) {
            let later_ms = late_ms + self.chance.between(0, 400);
            self.send_update(act, later_ms);
        }
    }

    /// A person does this; the update reaches a process after `late_ms` milliseconds.
    fn send_update(&mut self, act: Act, late_ms: u64) {
        let update = self.update(act);
        self.deliver(update, late_ms);
    }

    /// Whether no game was chosen in this message before.
    fn is_new_choice(&mut self, act: &Act) -> bool {
        match &act.body {
            UpdateKind::Press { callback_data: press, message: Some(message) }
                if press.starts_with("o.") =>
            {
                self.world.happens(SimFeature::ChosenTwice) || self.chosen.insert(message.clone())
            }
            UpdateKind::Press { .. }
            | UpdateKind::Text { .. }
            | UpdateKind::Command { .. }
            | UpdateKind::BotAdded
            | UpdateKind::BotRemoved
            | UpdateKind::MemberLeft { .. }
            | UpdateKind::MembersJoined { .. }
            | UpdateKind::ChatDeleted
            | UpdateKind::ChatMoved { .. } => true,
        }
    }

    /// A move by the player to move at a random table.
    fn on_turn(&self) -> Option<Act> {
        let log_checks = self.world.log_checks.lock();
        let open: Vec<_> =
            log_checks.tables.values().filter(|it| it.table.seat_to_move().is_some()).collect();
        let table = &self.chance.pick(&open)?.table;
        let occupant = table.seating.occupant(table.seat_to_move()?)?;
        let own = |it: &&SimPerson| self.world.behind(&it.person.id) == occupant.person;
        let sim_people: Vec<&SimPerson> = self.sim_people.iter().filter(own).collect();
        let sim_person = match sim_people.as_slice() {
            [sim_person] => *sim_person,
            all => self.chance.pick(all).copied()?,
        };
        let shared: Vec<&ChatId> =
            table.chats.ids().filter(|it| sim_person.at(it).is_some()).collect();
        let chat = self.chance.pick(&shared)?;
        people::turn(&self.world.chats.lock(), sim_person, chat, &table.id.0, &self.chance)
    }

    /// Makes the next update.
    fn update(&mut self, act: Act) -> Update {
        self.updates += 1;
        let Act { person, chat, body } = act;
        let id = format!("{}/{}", chat.id.platform(), self.updates);
        let update = Update { id, chat, person, kind: body, arrival: Arrival::default() };
        if self.heard.len() == REMEMBERED {
            self.heard.pop_front();
        }
        self.heard.push_back(update.clone());
        update
    }

    /// Delivers an update again.
    fn repeat(&mut self) {
        let (older, newer) = self.heard.as_slices();
        let all = if newer.is_empty() { older } else { newer };
        if let Some(update) = self.chance.pick(all).cloned() {
            let late_ms = self.chance.between(0, 5_000);
            self.world.count("updates delivered again");
            self.deliver(update, late_ms);
        }
    }

    /// People write messages to each other.
    fn chatter(&self) {
        let Some(sim_person) = self.chance.pick(&self.sim_people) else { return };
        let Some(chat) = self.chance.pick(&sim_person.chats) else { return };
        let mut chats = self.world.chats.lock();
        for _ in 0..self.chance.between(1, 15) {
            chats.put(&chat.id, OutgoingMessage::default());
        }
    }

    fn rename(&mut self) {
        const NAMES: [&str; 4] = ["Ann", "Zoë", "name with <b> and 7#", "عمر"];
        let n = self.chance.below(self.sim_people.len() as u64) as usize;
        let name = self.chance.pick(&NAMES).map_or("Ann", |it| it);
        if let Some(sim_person) = self.sim_people.get_mut(n) {
            sim_person.person.name = name.to_owned();
            sim_person.person.admin = self.chance.happens(200);
        }
    }

    /// A person deletes a board.
    fn take_board(&self) {
        let log_checks = self.world.log_checks.lock();
        let open: Vec<_> = log_checks.tables.values().filter(|it| it.table.is_open()).collect();
        let Some(tracked) = self.chance.pick(&open) else { return };
        let chat_ids: Vec<&ChatId> = tracked.table.chats.ids().collect();
        let Some(chat) = self.chance.pick(&chat_ids).copied() else { return };
        let id = &tracked.table.id.0;
        let mut chats = self.world.chats.lock();
        let Some(board) = chats.board(chat, id).map(|it| it.id) else { return };
        match inline_challenges::only(chat) {
            Some(_) => chats.take_back(chat),
            None => {
                chats.delete(chat, board);
                chats.bare.insert((chat.clone(), id.clone()), tracked.table.version);
            }
        }
        self.world.note(|| format!("the board {board} of table {id} is deleted"));
    }

    /// Changes the wall clock, or corrects it.
    fn turn_clock(&self) {
        let off_ms = self.world.clock_is_off_ms();
        let by_ms = if off_ms == 0 && self.chance.happens(500) {
            self.chance.between(1_000, 3_600_000) as i64
        } else {
            -off_ms
        };
        self.world.note(|| format!("the clock is stepped by {by_ms} ms"));
        self.world.turn_clock(by_ms);
    }

    /// Removes the bot from a chat, or adds it again.
    fn close_chat(&mut self) {
        let Some(sim_person) = self.chance.pick(&self.sim_people).cloned() else { return };
        let Some(chat) = self.chance.pick(&sim_person.chats).cloned() else { return };
        self.shut_or_open(&sim_person, chat);
    }

    /// A person removes the bot from a chat, or adds it again.
    fn shut_or_open(&mut self, sim_person: &SimPerson, chat_id: Chat) {
        let mut chats = self.world.chats.lock();
        let chat = chat_id.id.without_topic().to_owned();
        let back = chats.closed.remove(&chat);
        if back {
            chats.opened_ms.insert(chat.clone(), self.world.wall_ms());
        } else {
            chats.closed.insert(chat.clone());
        }
        drop(chats);
        self.world.note(|| format!("{chat} is {}", if back { "open again" } else { "closed" }));
        // Sometimes the platform sends no update.
        if back || self.chance.happens(700) {
            let body = if back { UpdateKind::BotAdded } else { UpdateKind::BotRemoved };
            let (person, at) = (sim_person.person.clone(), chat_id.clone());
            self.send_update(Act { person, chat: at, body }, 10);
        }
        if back {
            // A person writes to the bot that was added again.
            let (person, body) = (sim_person.person.clone(), people::words("/help"));
            self.send_update(Act { person, chat: chat_id, body }, 500);
        }
    }

    /// A group gets another id.
    fn move_chat(&mut self) {
        let Some(sim_person) = self.chance.pick(&self.sim_people).cloned() else { return };
        let Some(chat) = sim_person.chats.first().cloned() else { return };
        if chat.id.0.contains('/')
            || self.world.chats.lock().closed.contains(chat.id.without_topic())
        {
            return;
        }
        self.updates += 1;
        let to = ChatId(format!("{}:-{}", chat.id.platform(), 1_000 + self.updates));
        self.world.note(|| format!("{} becomes {}", chat.id.0, to.0));
        let mut chats = self.world.chats.lock();
        // Messages have other numbers there, which the bot does not know.
        chats.chats.remove(&chat.id);
        chats.moved.insert(chat.id.without_topic().to_owned(), to.clone());
        drop(chats);
        let (person, at, body) =
            (sim_person.person, chat.clone(), UpdateKind::ChatMoved { to: to.clone() });
        self.send_update(Act { person, chat: at, body }, 10);
        self.rename_chats(|at| (*at == chat.id).then(|| to.clone()));
    }

    /// Changes the ids of some chats of all people.
    fn rename_chats(&mut self, new: impl Fn(&ChatId) -> Option<ChatId>) {
        for at in self.sim_people.iter_mut().flat_map(|it| it.chats.iter_mut().chain(&mut it.left))
        {
            if let Some(id) = new(&at.id) {
                at.id = id;
            }
        }
    }

    /// Waits without troubles until the world is at rest; then every screen must show the state of
    /// the log.
    async fn rest(&mut self) {
        let world = self.world.clone();
        let fault_rates = world.fault_rates();
        world.set_fault_rates(TroubleRates::default());
        world.end_outage();
        let from_ms = world.steady_ms();
        loop {
            self.world.time.sleep(LOOK_MS).await;
            let took_ms = world.steady_ms() - from_ms;
            let check_vanished = || world.vanished.lock().wrong(&world);
            let check_ways = || access_routes::wrong(&world);
            let wrong = screens::unsettled(&world).or_else(|| rows::wrong(&world));
            match wrong.or_else(check_vanished).or_else(check_ways) {
                None => {
                    world.count("rests");
                    world.at_most("most seconds until all screens were right", took_ms / 1000);
                    break;
                }
                Some(what) if took_ms > REST_MS => {
                    return world
                        .report_violation(format!("after {} s of rest: {what}", took_ms / 1000));
                }
                Some(_) => {}
            }
            if world.failure().is_some() {
                return;
            }
        }
        self.everybody_sees().await;
        let wrong = world.settings.lock().wrong(&world);
        wrong.into_iter().for_each(|what| world.report_violation(what));
        let wrong = world.log_checks.lock().look_away(&world);
        wrong.into_iter().for_each(|what| world.report_violation(what));
        world.set_fault_rates(fault_rates);
    }
}
