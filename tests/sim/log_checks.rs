//! Follows the committed logs independently of the bot and checks every commit.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use futures::FutureExt;

use super::clock_time::ClockTimes;
use super::consents::Consents;
use super::waiting_times::WaitingTimes;
use super::world::{APART_MS, Sender, World};
use super::{access_routes, chats, inline_challenges, secrets};
use caravanserai_bot::repository::outbox_key::{OutboxKey, OutboxSubject};
use caravanserai_bot::repository::profiles::ChatProfile;
use caravanserai_bot::repository::stored_rows::parse_json_or_default;
use caravanserai_games::ids::{ChatId, ChatKind, PersonId, TableId};
use caravanserai_store::{Append, Commit, Expect, Put, Space, Store, StoreAnswer, StoreQuery};
use caravanserai_table::clock::ClockEvent;
use caravanserai_table::event::{EndReason, Event, LogLine, computer_level};
use caravanserai_table::state::{AttachedChat, Table, TablePhase};
use caravanserai_table::{archive, deadline, fair_random, verify};

/// The number of updates that are stored as handled.
const ACTED: usize = 100_000;

/// A table according to its log, with the state of the checks.
pub struct TrackedTable {
    /// The present state.
    pub table: Table,
    /// The hidden information that each person may know.
    pub known: secrets::CardKnowledge,
    /// The checks of clocks and calls.
    pub waiting_times: WaitingTimes,
    /// By attached chat: when the table was attached to it, by the time in the log.
    pub attached_ms: BTreeMap<ChatId, u64>,
    /// The checks of the time left.
    clock_times: ClockTimes,
    consents: Consents,
}

impl TrackedTable {
    fn new(table: Table) -> Self {
        let consents = Consents::of(&table);
        TrackedTable {
            table,
            known: secrets::CardKnowledge::default(),
            waiting_times: WaitingTimes::default(),
            attached_ms: BTreeMap::new(),
            clock_times: ClockTimes::default(),
            consents,
        }
    }

    /// Called before a line is applied; notes when the table is attached to a new chat. A line
    /// that only lets people play or watch in a chat of the table changes nothing.
    fn notes_chat(&mut self, line: &LogLine) {
        if let Event::Attached(to) = &line.event
            && self.table.chats.location_in(&to.chat).is_none()
        {
            self.attached_ms.insert(to.chat.clone(), line.at_ms);
        }
    }
}

/// All tables, as the observer knows them.
#[derive(Default)]
pub struct LogChecks {
    /// Tables by code: open ones, and those that ended since the last rest.
    pub tables: BTreeMap<String, TrackedTable>,
    /// Tables that changed since the last rest.
    pub touched: BTreeSet<String>,
    /// By update: the number of the commit that it caused.
    acted: HashMap<String, u64>,
    commits: u64,
}

impl LogChecks {
    /// Checks a commit; returns the violations.
    pub fn committed(&mut self, world: &World, commit: &Commit) -> Vec<String> {
        self.commits += 1;
        if self.acted.len() > ACTED {
            let from = self.commits.saturating_sub(ACTED as u64 / 2);
            self.acted.retain(|_, at| *at >= from);
        }
        let mut wrong = Vec::new();
        for append in commit.appends.iter().filter(|it| !it.lines.is_empty()) {
            if let Err(what) = self.appended(world, commit, append) {
                wrong.push(format!("table {}: {what}", append.table));
            }
        }
        for rewrite in &commit.rewrites {
            // A deletion has replaced a person without a seat, and nothing else.
            if let Some(tracked) = self.tables.get_mut(&rewrite.table) {
                match Table::from_log(&tracked.table.id, &rewrite.lines) {
                    Ok(table) => tracked.table = table,
                    Err(what) => wrong.push(format!("table {}: {what}", rewrite.table)),
                }
            }
        }
        // A call that moves with its chat to another id is not a new call.
        let of = |put: &Put| put.key.split_once(' ').map(|it| it.1.to_owned());
        let moved =
            |put: &&Put| commit.puts.iter().any(|it| it.value.is_none() && of(it) == of(put));
        let new = commit.puts.iter().filter(|it| it.value.is_none() || !moved(it));
        wrong.extend(new.filter_map(|it| self.calls(world, it).err()));
        wrong
    }

    /// Checks a stored call, or notes that a person changed their settings.
    fn calls(&mut self, world: &World, put: &Put) -> Result<(), String> {
        if put.space == Space::Person {
            world.settles(PersonId(put.key.clone()));
        }
        let is_entry = put.space == Space::Outbox && put.value.is_some();
        let key = OutboxKey::parse(&put.key).filter(|_| is_entry);
        let called = key.and_then(|it| match it.subject() {
            OutboxSubject::Ping(table) => self.tables.get_mut(&table.0),
            _ => None,
        });
        match called {
            Some(TrackedTable { table, waiting_times, .. }) => {
                waiting_times.called(world, table, put)
            }
            None => Ok(()),
        }
    }

    /// Checks a posted message if it is a call; returns the violation.
    pub fn said(&self, world: &World, nonce: &str) -> Option<String> {
        let mut words = nonce.split(' ');
        let (kind, table, version) = (words.next()?, words.next()?, words.next()?);
        let tracked = self.tables.get(table).filter(|_| kind == "call")?;
        let version: u64 = version.parse().ok()?;
        tracked.waiting_times.said(world, &tracked.table, version).err()
    }

    /// Checks whether the cause of a commit may make it; returns the violation.
    pub fn is_allowed(&self, world: &World, commit: &Commit) -> Option<String> {
        let mut causes = commit.expect.iter().filter(|it| it.space == Space::Seen);
        if let Some(cause) = causes.find(|it| world.sender(&it.key).is_none()) {
            return Some(format!("{} was acted on, and nobody sent it", cause.key));
        }
        if let Some(put) = commit.puts.iter().find(|it| is_written_blindly(commit, it)) {
            return Some(format!(
                "{:?} {} is written without comparing its old value",
                put.space, put.key
            ));
        }
        let profiles = commit.puts.iter().filter(|it| it.space == Space::ChatProfile);
        for put in profiles.filter(|it| it.value.is_some() && !it.key.contains('@')) {
            let before = world.disk.store.get(put.space, &put.key).now_or_never()?.ok()?;
            // A damaged row has no settings: the next write starts with defaults.
            let chosen = |value: Option<&Vec<u8>>| {
                let profile: ChatProfile = serde_json::from_slice(value?).ok()?;
                Some((profile.lang, profile.theme))
            };
            let after = chosen(put.value.as_ref());
            let changes =
                after.is_some() && chosen(before.as_ref()).is_some_and(|it| Some(it) != after);
            if changes && !world.admins.lock().may_change(&put.key) {
                return Some(format!("nobody who may choose for everybody in {}", put.key));
            }
        }
        None
    }

    fn appended(&mut self, world: &World, commit: &Commit, append: &Append) -> Result<(), String> {
        world.note(|| format!("log {} {} {:?}", append.table, append.expect, append.lines));
        let old = restored_lines(commit, append)?;
        let new = append.lines.strip_prefix(&*old).ok_or("a log came back as another")?;
        let lines: Result<Vec<LogLine>, String> = new.iter().map(|it| LogLine::parse(it)).collect();
        let lines = lines?;
        let tracked = self.tracked_table(world, append, &old)?;
        let first = usize::from(append.expect == 0 && old.is_empty());
        for line in &lines {
            is_in_time(&tracked.table, line, world.wall_ms())?;
        }
        let clock_events = lines.iter().filter_map(|it| match &it.event {
            Event::Clock(event) => Some(event),
            _ => None,
        });
        clock_events.filter_map(counter_of).for_each(|it| world.count(it));
        is_by_its_cause(world, &tracked.table, &lines)?;
        for line in lines.iter().skip(first) {
            world.membership_checks.lock().comes(world, &tracked.table, line);
            tracked.waiting_times.comes(world, &tracked.table, line)?;
            tracked.consents.comes(world, &tracked.table, line)?;
            access_routes::comes(world, &tracked.table, line)?;
            let turn = tracked.table.current_turn();
            tracked.notes_chat(line);
            tracked.table.apply(line)?;
            tracked.waiting_times.came(turn, &tracked.table);
            tracked.clock_times.came(&tracked.table, line)?;
            if let Some(missing) =
                tracked.table.game.as_deref().and_then(|game| game.check_invariants())
            {
                return Err(format!("it does not add up: {missing}"));
            }
            tracked.known.learn(&tracked.table);
            world.fault_injection.holds(&tracked.table)?;
        }
        tracked.known.learn(&tracked.table);
        let over = tracked.table.phase != TablePhase::Lobby && !tracked.table.is_open();
        if over {
            world.count("finished tables");
        }
        self.touched.insert(append.table.clone());
        let causes: BTreeSet<&str> = lines.iter().map(|it| it.cause.as_str()).collect();
        for cause in causes.into_iter().filter(|it| it.contains('/')) {
            match self.acted.insert(cause.to_owned(), self.commits) {
                Some(at) if at != self.commits => {
                    return Err(format!("the update {cause} acted twice"));
                }
                Some(_) | None => {}
            }
        }
        Ok(())
    }

    /// The table of these lines before they are applied; the first line of all opens it. `old` are
    /// the lines that are restored from its record.
    fn tracked_table(
        &mut self,
        world: &World,
        append: &Append,
        old: &[String],
    ) -> Result<&mut TrackedTable, String> {
        let id = TableId(append.table.clone());
        if !old.is_empty() {
            let table = Table::from_log(&id, old)?;
            self.tables.insert(id.0.clone(), TrackedTable::new(table));
            world.count("restored logs");
        } else if append.expect == 0 {
            let first = append.lines.first().ok_or("nothing was appended")?;
            let table = Table::from_opening(&id, &LogLine::parse(first)?)?;
            self.tables.insert(id.0.clone(), TrackedTable::new(table));
            world.count("tables opened");
        } else if !self.tables.contains_key(&id.0) {
            let log = lines_on_disk(world, &id)?;
            let before = log.get(..append.expect as usize).ok_or("the log is too short")?;
            let table = Table::from_log(&id, before)?;
            self.tables.insert(id.0.clone(), TrackedTable::new(table));
        }
        let tracked = self.tables.get_mut(&id.0).ok_or("the table is away")?;
        if tracked.table.version != append.expect && append.expect != 0 {
            let (next, last) = (append.expect, tracked.table.version);
            return Err(format!("line {next} was written, and {last} lines were acknowledged"));
        }
        Ok(tracked)
    }

    /// Removes finished tables after a rest; verifies the chance of those that were played.
    pub fn look_away(&mut self, world: &World) -> Vec<String> {
        let ended: Vec<String> = self
            .tables
            .iter()
            .filter(|(_, tracked)| !tracked.table.is_open())
            .map(|(id, _)| id.clone())
            .collect();
        let mut wrong = Vec::new();
        for id in ended {
            if let Some(tracked) = self.tables.remove(&id)
                && tracked.table.is_over()
                && let Err(what) = is_fair(world, &tracked.table)
            {
                wrong.push(format!("table {id}: {what}"));
            }
        }
        self.touched.clear();
        wrong
    }
}

/// Whether a shared row is written without comparing its old value.
fn is_written_blindly(commit: &Commit, put: &Put) -> bool {
    let is_expected = |it: &Expect| (it.space, &it.key) == (put.space, &put.key);
    // The owner of a name is written without reading.
    let is_name = put.space == Space::Person && put.key.starts_with('@');
    let is_profile = matches!(put.space, Space::Person | Space::ChatProfile) && !is_name;
    // Planted damage is written without reading, too.
    let is_readable =
        put.value.as_ref().is_none_or(|it| serde_json::from_slice::<serde_json::Value>(it).is_ok());
    is_profile && is_readable && !commit.expect.iter().any(is_expected)
}

/// The lines of a record that this commit restores to a log.
fn restored_lines(commit: &Commit, append: &Append) -> Result<Vec<String>, String> {
    let is_record = |it: &&Expect| it.space == Space::Archive && it.key == append.table;
    let record = commit.expect.iter().find(is_record).and_then(|it| it.value.as_ref());
    record.map_or(Ok(Vec::new()), |it| archive::unpack(it))
}

/// The lines of a table on disk: its log, or its record.
fn lines_on_disk(world: &World, id: &TableId) -> Result<Vec<String>, String> {
    let reads = [StoreQuery::log(&*id.0, 0), StoreQuery::value_of(Space::Archive, &*id.0)];
    let found = world.disk.store.read(&reads).now_or_never().ok_or("the disk is away")?;
    match found.map_err(|it| it.to_string())?.as_slice() {
        [StoreAnswer::Lines(lines), StoreAnswer::Value(Some(record))] if lines.is_empty() => {
            archive::unpack(record)
        }
        [StoreAnswer::Lines(lines), _] => Ok(lines.clone()),
        _ => Err("the disk answers something else".to_owned()),
    }
}

/// Checks that a deadline was not handled before its time.
fn is_in_time(table: &Table, line: &LogLine, wall_ms: u64) -> Result<(), String> {
    if line.cause == "timer" && line.number == table.version {
        let due = deadline(table).ok_or("a deadline fired that there was not")?;
        // Clocks of several machines differ.
        if due > line.at_ms || due > wall_ms + APART_MS {
            return Err(format!("a deadline of {due} fired at {}", line.at_ms.max(wall_ms)));
        }
    }
    // A late turn stays late when the player comes back.
    if let Event::Clock(ClockEvent::TimeRanOut { seat }) = &line.event
        && !table.is_late(*seat)
    {
        let running = table.running_clock().filter(|it| it.turn.0 == *seat);
        let until_ms = running.ok_or("a clock that did not run has run out")?.until_ms;
        if line.at_ms < until_ms {
            return Err(format!("a clock ran out at {} and not at {until_ms}", line.at_ms));
        }
    }
    Ok(())
}

/// The counter of a clock event, if it has one.
fn counter_of(event: &ClockEvent) -> Option<&'static str> {
    match event {
        ClockEvent::TimeRanOut { .. } => Some("late turns"),
        ClockEvent::Refunded { .. } => Some("refunds of time"),
        ClockEvent::PersonLeft { .. } => Some("people who left"),
        ClockEvent::PersonReturned { .. } => Some("people who came back"),
        ClockEvent::Nudged { .. } => Some("nudges"),
        ClockEvent::Paused => Some("pauses"),
        ClockEvent::VacationStarted { .. } => Some("vacations noted at tables"),
        ClockEvent::VacationEnded { .. } => Some("vacations ended at tables"),
        ClockEvent::ControlSet(_)
        | ClockEvent::SubstituteLevelSet(_)
        | ClockEvent::WholeTurnsTimed
        | ClockEvent::ClocksChanged(_)
        | ClockEvent::Resumed
        | ClockEvent::Frozen
        | ClockEvent::Unfrozen => None,
    }
}

/// Checks that a person sat down themselves, or at a table that was opened with them.
fn is_seated_by(
    world: &World,
    lines: &[LogLine],
    line: &LogLine,
    by: &PersonId,
) -> Result<(), String> {
    let opens = lines.first().is_some_and(|it| it.number == 0);
    match &line.event {
        Event::Opened(_) => inline_challenges::is_opened_by(world, lines, by),
        Event::Seated { person, .. }
            if !opens && computer_level(person).is_none() && person != by =>
        {
            Err(format!("{} was seated by {}", person.0, by.0))
        }
        _ => Ok(()),
    }
}

/// Checks that a person who attaches a table to a chat has the right to. `opens`: with its first
/// event.
fn is_attached_by(
    world: &World,
    table: &Table,
    to: &AttachedChat,
    person: &PersonId,
    opens: bool,
) -> Result<(), String> {
    let AttachedChat { chat, kind, attached_by: by, .. } = to;
    let alone = *kind == ChatKind::Private;
    let reader = chats::reader(chat).map(|it| world.behind(&it));
    // The next game of the same players is shown in the same chats.
    let poser = inline_challenges::poser(world, chat);
    let known = table.chats.attached.iter().find(|it| it.chat == *chat && !alone);
    if known.is_some_and(|it| it.attached_by != *by) {
        return Err(format!("{} took over {} from others", person.0, chat.0));
    }
    let is_kept = known.is_some();
    let foreign = by != person && poser.as_ref() != Some(by) && !opens && !is_kept;
    if foreign || (alone && reader.as_ref() != Some(by)) {
        return Err(format!("{} opened a private chat of others", person.0));
    }
    world.count(if alone { "tables played in private" } else { "tables shown in other chats" });
    Ok(())
}

/// Checks that the acting person sent the update and has the right to act.
fn is_by_its_cause(world: &World, table: &Table, lines: &[LogLine]) -> Result<(), String> {
    let mut before = "";
    let opens = lines.first().is_some_and(|it| it.number == 0);
    for line in lines.iter().filter(|it| it.cause.contains('/')) {
        let cause = line.cause.as_str();
        let Some(sender) = world.sender(cause) else {
            return Err(format!("{cause} was acted on, and nobody sent it"));
        };
        let person = &world.behind(&sender.person);
        is_seated_by(world, lines, line, person)?;
        match &line.event {
            // The consequences of a step may be at another seat.
            Event::Stepped { seat, .. } | Event::OfferMade { seat, .. }
                if before != cause
                    && table.seating.occupant(*seat).is_none_or(|it| it.person != *person) =>
            {
                return Err(format!("{} acted for seat {seat}, which is another's", person.0));
            }
            Event::GameOver { reason: EndReason::Aborted | EndReason::Cancelled, .. }
            | Event::TableClosed {
                reason: EndReason::Aborted | EndReason::AbortedBy(_) | EndReason::Cancelled,
            } => {
                let is_own =
                    table.seating.people().contains(&person) || table.setup.opener == *person;
                // A chat may allow everybody to close lobbies.
                let is_manager = match table.phase {
                    TablePhase::Lobby => may_manage(world, &sender, table.chats.home()),
                    _ => {
                        sender.admin
                            && sender.chat.without_topic() == table.chats.home().without_topic()
                    }
                };
                if !is_own && !is_manager {
                    return Err(format!("{} took away the table of others", person.0));
                }
            }
            Event::Attached(to) => is_attached_by(world, table, to, person, opens)?,
            Event::AccountsMerged { .. } => world.count("accounts merged at tables"),
            Event::Detached { chat } => {
                let attached = table.chats.attached.iter().find(|it| it.chat == *chat);
                let is_own = attached.is_some_and(|it| it.attached_by == *person);
                let is_manager = may_manage(world, &sender, chat);
                // An account that was unlinked no longer sees tables of the other.
                let is_reader = table.chats.location_in(chat).and_then(|it| it.reader)
                    == Some(person)
                    || chats::reader(chat).as_ref() == Some(&sender.person);
                if !is_own && !is_reader && !is_manager && table.setup.opener != *person {
                    return Err(format!("{} took a table from {}", person.0, chat.0));
                }
                world.count("tables removed from chats");
            }
            Event::PlayerChatChanged { person: who, chat }
                if !opens && (who != person || *chat != sender.chat) =>
            {
                return Err(format!("{} is said to be in {}", who.0, chat.0));
            }
            _ => {}
        }
        before = cause;
    }
    Ok(())
}

/// Whether a person may remove a table of others from this chat: administrators may, and everybody
/// if the chat is set so.
fn may_manage(world: &World, sender: &Sender, chat: &ChatId) -> bool {
    let row = world.disk.store.get(Space::ChatProfile, chat.without_topic()).now_or_never();
    let profile: ChatProfile = parse_json_or_default(row.and_then(Result::ok).flatten());
    sender.chat.without_topic() == chat.without_topic()
        && (sender.admin || profile.anyone_may_close_tables)
}

/// Checks that all chance of a finished table can be verified from its record.
fn is_fair(world: &World, table: &Table) -> Result<(), String> {
    let log = lines_on_disk(world, &table.id)?;
    let mut text = format!(
        "% table {}\n% commitment {}\n% log\n",
        table.id.0,
        fair_random::hash_seed(&table.setup.seed)
    );
    for line in &log {
        text.push_str(&format!("% {line}\n"));
    }
    verify::verify_record(&text).map(drop)?;
    world.count("games verified");
    let parsed = log.iter().filter_map(|it| LogLine::parse(it).ok());
    let draws = parsed.filter(|it| matches!(it.event, Event::ChanceDrawn { .. })).count();
    world.at_most("most throws and deals of a game", draws as u64);
    Ok(())
}
