//! Deletes topics, groups and accounts, and checks the consequences: once the bot knows, no
//! table is shown there any more, and no table waits for the deleted account.

use std::collections::BTreeMap;

use super::Sim;
use super::chats::PlatformKind;
use super::departures::At;
use super::people::{Act, SimPerson, replacement_for};
use super::world::World;
use caravanserai_games::ids::{ChatId, ChatKind, PersonId};
use caravanserai_protocol::{Chat, Departure, Update, UpdateKind};
use caravanserai_table::state::{Table, TablePhase};

/// An update about a deleted chat, while the bot handles it.
pub struct PendingDeletion {
    chat: ChatId,
    told: StateAtDeletion,
}

/// The state when the bot learned that a chat was deleted.
struct StateAtDeletion {
    at_ms: u64,
    /// The number of store failures before.
    troubles: u64,
    /// Tables in a private chat, with its player.
    played: Vec<At>,
}

/// The deleted chats of which the bot has learned.
#[derive(Default)]
pub struct Deletions(BTreeMap<ChatId, StateAtDeletion>);

impl Deletions {
    /// Called before a process handles an update; returns the deleted chat to check, if it is
    /// about one.
    pub fn begins(world: &World, update: &Update) -> Option<PendingDeletion> {
        let is_deletion = matches!(update.kind, UpdateKind::ChatDeleted);
        let chat = &update.chat.id;
        is_deletion.then(|| PendingDeletion { chat: chat.clone(), told: state_of(world, chat) })
    }

    /// Called after the bot has handled an update.
    pub fn ended(&mut self, vanishing: PendingDeletion) {
        self.0.insert(vanishing.chat, vanishing.told);
    }

    /// Forgets everything when a process is killed, because it may not have acted.
    pub fn killed(&mut self) {
        self.0.clear();
    }

    /// Called when the answer to a call tells the bot that a chat is deleted.
    pub fn answered(&mut self, world: &World, chat: &ChatId) {
        if !self.0.contains_key(chat) {
            self.0.insert(chat.clone(), state_of(world, chat));
        }
    }

    /// A table that is still shown in a deleted chat, or waits for a deleted account.
    pub fn wrong(&mut self, world: &World) -> Option<String> {
        // After a store failure nothing may have changed: the next call reports it again.
        self.0.retain(|_, told| told.troubles == world.store_troubles());
        let (log_checks, membership_checks) =
            (world.log_checks.lock(), world.membership_checks.lock());
        let open = || log_checks.tables.values().map(|it| &it.table).filter(|it| it.is_open());
        self.0.iter().find_map(|(chat, told)| {
            if let Some(table) = open().find(|it| it.chats.location_in(chat).is_some()) {
                return Some(format!(
                    "table {} stands in {}, which is no more",
                    table.id.0, chat.0
                ));
            }
            let mut played = told.played.iter();
            played.find_map(|at @ (id, who)| {
                let table = &log_checks.tables.get(id)?.table;
                let from_there = table.chat_of(who)?.platform() == chat.platform();
                // A person may have a second account and play on with it.
                let is_here = membership_checks.has_acted(at, told.at_ms);
                (from_there && !is_here && is_waited_for(table, who))
                    .then(|| format!("table {id} waits for {}, whose account is no more", who.0))
            })
        })
    }
}

fn state_of(world: &World, chat: &ChatId) -> StateAtDeletion {
    let log_checks = world.log_checks.lock();
    let open = log_checks.tables.iter().filter(|(_, told)| told.table.is_open());
    let played = open.filter_map(|(id, told)| {
        let reader = told.table.chats.location_in(chat)?.reader?;
        Some((id.clone(), reader.clone()))
    });
    StateAtDeletion {
        at_ms: world.steady_ms(),
        troubles: world.store_troubles(),
        played: played.collect(),
    }
}

/// Whether a table waits for a person, or keeps a seat for them.
fn is_waited_for(table: &Table, who: &PersonId) -> bool {
    let mut seats = table.seating.seats_of(who);
    let is_here = |seat| !table.is_away(seat) && table.departure_of(seat).is_none();
    match table.phase {
        TablePhase::Lobby => seats.next().is_some(),
        TablePhase::Playing => table.seating.people_seats().len() > 1 && seats.any(is_here),
        TablePhase::Over { .. } | TablePhase::Closed { .. } => false,
    }
}

impl Sim {
    /// Deletes a topic, a group or an account, and adds a new one.
    pub(super) fn vanish(&mut self) {
        let n = self.chance.below(self.sim_people.len() as u64) as usize;
        let Some(sim_person) = self.sim_people.get(n).cloned() else { return };
        let is =
            |kind, topic: bool| move |it: &&Chat| it.kind == kind && it.id.0.contains('/') == topic;
        match self.chance.below(3) {
            0 => {
                let Some(chat) = sim_person.chats.iter().find(is(ChatKind::Group, true)) else {
                    return;
                };
                self.world.count("deleted topics");
                self.delete(&sim_person, chat, chat.id.clone());
            }
            1 => {
                let groups: Vec<&Chat> =
                    sim_person.chats.iter().filter(|it| it.kind == ChatKind::Group).collect();
                let Some(chat) = self.chance.pick(&groups).copied() else { return };
                self.world.count("deleted groups");
                self.delete(&sim_person, chat, ChatId(chat.id.without_topic().to_owned()));
            }
            _ => self.delete_account(n),
        }
    }

    /// Deletes a chat with its topics; people use a new one.
    fn delete(&mut self, sim_person: &SimPerson, chat: &Chat, deleted: ChatId) {
        self.updates += 1;
        let platform = deleted.platform().to_owned();
        let number = self.updates;
        let renamed = |at: &ChatId| -> Option<ChatId> {
            if *at == deleted && at.0.contains('/') {
                return Some(ChatId(format!("{}/{number}", at.without_topic())));
            }
            let topic = at.0.split_once('/').map_or(String::new(), |it| format!("/{}", it.1));
            (at.without_topic() == deleted.0)
                .then(|| ChatId(format!("{platform}:-{}{topic}", 1_000 + number)))
        };
        self.world.note(|| format!("{} is deleted", deleted.0));
        let mut chats = self.world.chats.lock();
        chats.vanished.insert(deleted.clone());
        chats.chats.retain(|at, _| *at != deleted && at.without_topic() != deleted.0);
        let is_closed = chats.closed.contains(deleted.without_topic());
        drop(chats);
        self.rename_chats(renamed);
        // Not every platform reports it, and none to a bot that was removed.
        if PlatformKind::named(&platform).is_some_and(|it| it.reports_deletions) && !is_closed {
            let chat = Chat { id: deleted, ..chat.clone() };
            let person = sim_person.person.clone();
            let update = self.update(Act { person, chat, body: UpdateKind::ChatDeleted });
            self.deliver(update, 10);
        }
    }

    /// A person deletes their account; a new person joins the same groups.
    fn delete_account(&mut self, n: usize) {
        self.updates += 1;
        let number = self.updates;
        let Some(sim_person) = self.sim_people.get_mut(n) else { return };
        let Some(private) = sim_person.private().map(|it| it.id.clone()) else { return };
        let deleted = std::mem::replace(sim_person, replacement_for(sim_person, number));
        self.world.count("deleted accounts");
        self.world.note(|| format!("the account {} is deleted", deleted.person.id.0));
        let mut chats = self.world.chats.lock();
        chats.chats.remove(&private);
        chats.told.remove(&deleted.person.id);
        chats.vanished.insert(private);
        drop(chats);
        let who = deleted.person.id.clone();
        for chat in deleted.chats.iter().filter(|it| it.kind == ChatKind::Group) {
            // Not every platform reports it.
            if self.chance.happens(500) {
                let (person, chat) = (deleted.person.clone(), chat.clone());
                self.send_update(
                    Act {
                        person,
                        chat,
                        body: UpdateKind::MemberLeft { who: who.clone(), how: Departure::Left },
                    },
                    10,
                );
            }
        }
    }
}
