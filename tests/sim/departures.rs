//! Checks that a person who left a chat has left the tables that they reached only through it and
//! has no seat in its lobbies, and that a person who came back is not away.

use std::collections::{BTreeMap, BTreeSet};

use futures::FutureExt;

use super::log_checks::TrackedTable;
use super::world::{World, number};
use caravanserai_games::ids::{ChatKind, PersonId};
use caravanserai_protocol::{Update, UpdateKind};
use caravanserai_store::{Space, Store};
use caravanserai_table::clock::ClockEvent;
use caravanserai_table::event::{Event, LogLine};
use caravanserai_table::state::{Table, TablePhase};

/// A table and a person at it.
pub type At = (String, PersonId);

/// The expected state of a person at a table from now on, unless they act there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExpectedPresence {
    /// They left during a game.
    Left,
    /// They left before the game began.
    NoSeat,
    /// They came back.
    Here,
}

/// An update about a person who left or came, while the bot handles it.
pub struct MembershipChange {
    update: String,
    account: PersonId,
    /// The member that it reports, and the chat.
    member: Option<PersonId>,
    chat: String,
    who: PersonId,
    came: bool,
    began_ms: u64,
    /// The number of store failures before.
    troubles: u64,
    /// Tables that they played from there.
    tables: BTreeSet<String>,
}

/// An update that is being handled.
struct PendingUpdate {
    account: PersonId,
    chat: String,
    process: u64,
    /// Whether no other update about them in this chat is handled at the same time.
    is_alone: bool,
}

/// The state of people who left or came.
#[derive(Default)]
pub struct MembershipChecks {
    /// Updates that are being handled.
    under_way: BTreeMap<String, PendingUpdate>,
    /// Handled updates: another delivery changes nothing.
    done: BTreeSet<String>,
    /// By account (`None`: the bot itself) and chat: the number of the newest update about them.
    newest: BTreeMap<(Option<PersonId>, String), u64>,
    /// By private chat: the number of the newest update from it.
    spoke: BTreeMap<String, u64>,
    meant: BTreeMap<At, (ExpectedPresence, u64)>,
    /// The last time at which a person acted at a table or got a seat.
    acted_ms: BTreeMap<At, u64>,
    /// The last time at which a person was late there or left.
    missed_ms: BTreeMap<At, u64>,
}

/// The account that leaves or comes by this update, and whether it comes.
fn membership_change(update: &Update) -> Option<(&PersonId, bool)> {
    match &update.kind {
        UpdateKind::MemberLeft { who, .. } => Some((who, false)),
        UpdateKind::MembersJoined { who } => who.first().map(|it| (it, true)),
        // A person has blocked the bot.
        UpdateKind::BotRemoved if update.chat.kind == ChatKind::Private => {
            Some((&update.person.id, false))
        }
        UpdateKind::BotRemoved | UpdateKind::BotAdded | UpdateKind::ChatDeleted => None,
        UpdateKind::Text { .. }
        | UpdateKind::Command { .. }
        | UpdateKind::Press { .. }
        | UpdateKind::ChatMoved { .. } => None,
    }
}

/// The member whose presence an update reports; `None` inside is the bot itself.
fn member(update: &Update) -> Option<Option<PersonId>> {
    match &update.kind {
        UpdateKind::MemberLeft { who, .. } => Some(Some(who.clone())),
        UpdateKind::MembersJoined { who } => Some(who.first().cloned()),
        UpdateKind::BotRemoved | UpdateKind::BotAdded => Some(None),
        UpdateKind::ChatDeleted
        | UpdateKind::Text { .. }
        | UpdateKind::Command { .. }
        | UpdateKind::Press { .. }
        | UpdateKind::ChatMoved { .. } => None,
    }
}

/// The tables in this chat of a person who came to it; of a person who left it, those that they
/// reach only through it. A person has not left the lobbies in which they sat down later.
fn tables_from(
    tables: &BTreeMap<String, TrackedTable>,
    who: &PersonId,
    (update, came): (&Update, bool),
) -> BTreeSet<String> {
    let chat = update.chat.id.without_topic();
    let only_way = |table: &Table| {
        let mut access_routes = table.open_chats(who).peekable();
        access_routes.peek().is_some() && access_routes.all(|it| it.without_topic() == chat)
    };
    let has_joined_since = |table: &Table| {
        let mut occupants = table.seating.occupants.iter();
        table.phase == TablePhase::Lobby
            && matches!(update.kind, UpdateKind::MemberLeft { .. })
            && occupants.any(|it| it.person == *who && update.is_before(&it.joining_update))
    };
    let counts = |table: &Table| match came {
        true => table.chats.is_in_chat(chat),
        false => only_way(table) && !has_joined_since(table),
    };
    let sits = |table: &Table| table.seating.is_seated(who);
    let meant = tables.iter().filter(|(_, tracked)| sits(&tracked.table) && counts(&tracked.table));
    meant.map(|(id, _)| id.clone()).collect()
}

fn is_since(times: &BTreeMap<At, u64>, at: &At, since_ms: u64) -> bool {
    times.get(at).is_some_and(|it| *it >= since_ms)
}

impl MembershipChecks {
    /// Called before a process handles an update; returns what to check afterwards, if the update
    /// is about a member.
    pub fn begins(
        &mut self,
        world: &World,
        update: &Update,
        process: u64,
    ) -> Option<MembershipChange> {
        let number = number(&update.id).unwrap_or_default();
        self.speaks(world, update, number);
        if let Some(member) = member(update) {
            let at = (member, update.chat.id.without_topic().to_owned());
            let newest = self.newest.entry(at).or_default();
            // A delayed update has no effect after a newer one.
            if number < *newest {
                return None;
            }
            *newest = number;
        }
        let (account, came) = membership_change(update)?;
        if self.done.contains(&update.id) {
            return None;
        }
        let (chat, account) = (update.chat.id.without_topic().to_owned(), account.clone());
        // Updates about the same person at the same time may be handled in any order.
        let mut is_alone = true;
        for other in self.under_way.values_mut() {
            if (&other.account, &other.chat) == (&account, &chat) {
                (is_alone, other.is_alone) = (false, false);
            }
        }
        let running =
            PendingUpdate { account: account.clone(), chat: chat.clone(), process, is_alone };
        self.under_way.insert(update.id.clone(), running);
        let who = world.behind(&account);
        // Until it is handled, the earlier expectation does not count.
        let tables = tables_from(&world.log_checks.lock().tables, &who, (update, came));
        for table in &tables {
            self.meant.remove(&(table.clone(), who.clone()));
        }
        Some(MembershipChange {
            update: update.id.clone(),
            account,
            member: member(update).flatten(),
            chat,
            who,
            came,
            began_ms: world.steady_ms(),
            troubles: world.store_troubles(),
            tables,
        })
    }

    /// A person who does something in their private chat, or takes the bot back there, can act
    /// there again, unless they did it before they sent the bot away.
    fn speaks(&mut self, world: &World, update: &Update, number: u64) {
        let is_back = matches!(
            update.kind,
            UpdateKind::BotAdded | UpdateKind::Text { .. } | UpdateKind::Press { .. }
        );
        if !is_back || update.chat.kind != ChatKind::Private {
            return;
        }
        let chat = update.chat.id.without_topic();
        let spoke = self.spoke.entry(chat.to_owned()).or_default();
        *spoke = number.max(*spoke);
        if self.newest.get(&(None, chat.to_owned())).is_some_and(|it| number < *it) {
            return;
        }
        let who = world.behind(&update.person.id);
        let log_checks = world.log_checks.lock();
        let is_here = |id: &String| {
            log_checks.tables.get(id).is_some_and(|it| it.table.chats.is_in_chat(chat))
        };
        self.meant
            .retain(|at, it| it.0 != ExpectedPresence::Left || at.1 != who || !is_here(&at.0));
    }

    /// Whether a newer update about the same account and chat arrived while the bot handled this
    /// one. The result of both depends on which was written first.
    fn is_outdated(&self, membership_change: &MembershipChange) -> bool {
        let Some(own) = number(&membership_change.update) else { return false };
        let reports =
            self.newest.get(&(membership_change.member.clone(), membership_change.chat.clone()));
        let spoke =
            self.spoke.get(&membership_change.chat).filter(|_| membership_change.member.is_none());
        reports.into_iter().chain(spoke).any(|newer| own < *newer)
    }

    /// Called after the bot has handled an update.
    pub fn ended(&mut self, world: &World, membership_change: MembershipChange) {
        let is_outdated = self.is_outdated(&membership_change);
        let MembershipChange {
            update, account, who, came, began_ms, troubles, tables: before, ..
        } = membership_change;
        let is_alone = self.under_way.remove(&update).is_some_and(|it| it.is_alone);
        let row = world.disk.store.get(Space::Person, &account.0).now_or_never();
        if matches!(row, Some(Ok(Some(_)))) {
            self.done.insert(update);
        }
        if !is_alone
            || is_outdated
            || world.store_troubles() != troubles
            || world.behind(&account) != who
        {
            return;
        }
        let log_checks = world.log_checks.lock();
        for id in before {
            let Some(table) = log_checks.tables.get(&id).map(|it| &it.table) else { continue };
            let meant = match table.phase {
                _ if came => ExpectedPresence::Here,
                TablePhase::Lobby => ExpectedPresence::NoSeat,
                TablePhase::Playing if table.seating.people_seats().len() > 1 => {
                    ExpectedPresence::Left
                }
                TablePhase::Playing | TablePhase::Over { .. } | TablePhase::Closed { .. } => {
                    continue;
                }
            };
            self.meant.insert((id, who.clone()), (meant, began_ms));
        }
    }

    /// Forgets the updates in progress of a killed process, or of all.
    pub fn killed(&mut self, process: Option<u64>) {
        self.under_way.retain(|_, it| process.is_some_and(|number| it.process != number));
    }

    /// Called before a line is applied to a table.
    pub fn comes(&mut self, world: &World, table: &Table, line: &LogLine) {
        let at = |who: &PersonId| (table.id.0.clone(), who.clone());
        let now_ms = world.steady_ms();
        if line.cause.contains('/')
            && let Some(sender) = world.sender(&line.cause)
        {
            self.acted_ms.insert(at(&world.behind(&sender.person)), now_ms);
        }
        match &line.event {
            Event::Clock(ClockEvent::PersonLeft { person }) => {
                self.missed_ms.insert(at(person), now_ms);
            }
            Event::Clock(ClockEvent::TimeRanOut { seat }) => {
                if let Some(occupant) = table.seating.occupant(*seat) {
                    self.missed_ms.insert(at(&occupant.person), now_ms);
                }
            }
            // The last person to agree may not be the one who gets the seat.
            Event::SeatReplaced { person, .. } => {
                self.acted_ms.insert(at(person), now_ms);
            }
            _ => {}
        }
    }

    /// Whether a person acted at a table since then, or got a seat there.
    pub fn has_acted(&self, at: &At, since_ms: u64) -> bool {
        is_since(&self.acted_ms, at, since_ms)
    }

    /// A person who should be away and is not, or the other way round.
    pub fn wrong(&mut self, world: &World) -> Option<String> {
        let log_checks = world.log_checks.lock();
        let tables = &log_checks.tables;
        let is_open = |it: &At| tables.get(&it.0).is_some_and(|tracked| tracked.table.is_open());
        self.meant.retain(|at, _| is_open(at));
        self.acted_ms.retain(|at, _| is_open(at));
        self.missed_ms.retain(|at, _| is_open(at));
        self.meant.iter().find_map(|(at, (meant, since_ms))| {
            if self.has_acted(at, *since_ms) {
                return None;
            }
            let (table, who) = (&tables.get(&at.0)?.table, &at.1);
            let is_gone = |seat| table.is_away(seat) || table.departure_of(seat).is_some();
            let is_away = table.seating.seats_of(who).any(is_gone);
            let plays =
                table.phase == TablePhase::Playing && table.seating.people_seats().len() > 1;
            let sits = table.seating.is_seated(who);
            let what = match meant {
                ExpectedPresence::Left if plays && sits && !is_away => {
                    "has left, and nothing says so"
                }
                ExpectedPresence::NoSeat if sits => {
                    "has left, and has a seat of a game that had not begun"
                }
                ExpectedPresence::Here if is_away && !is_since(&self.missed_ms, at, *since_ms) => {
                    "has come back, and is still away"
                }
                ExpectedPresence::Left | ExpectedPresence::NoSeat | ExpectedPresence::Here => {
                    return None;
                }
            };
            Some(format!("table {}: {} {what}", at.0, who.0))
        })
    }
}
