//! Simulates people who send several requests at the same moment, and checks that no update is
//! lost.
//!
//! A setting of a person or a chat that was seen on disk must keep its value until a person changes
//! it, even if other settings are changed at the same time.

use std::collections::BTreeMap;

use futures::FutureExt;

use super::Sim;
use super::people::{Act, SimPerson, words};
use super::world::World;
use caravanserai_bot::repository::keys;
use caravanserai_bot::repository::profiles::{ChatProfile, PersonProfile};
use caravanserai_bot::repository::stored_rows::parse_json_or_default;
use caravanserai_bot::settings::Setting;
use caravanserai_games::ids::{ChatId, ChatKind, PersonId};
use caravanserai_protocol::{Update, UpdateKind};
use caravanserai_store::{Space, Store};

/// Per thousand steps: a person sends several requests at the same moment.
pub const HURRIED_PER_1000: u64 = 20;

/// Settings of a person that only their buttons change.
const OF_PERSON: [Setting; 3] = [Setting::CALL_TIMING, Setting::QUIET_HOURS, Setting::TIME_ZONE];

/// Settings of a chat that only their buttons change.
const OF_CHAT: [Setting; 4] =
    [Setting::HINTS, Setting::TABLE_REMOVERS, Setting::QUIET_CHAT, Setting::OLD_BOARDS];

/// One setting of an account or a chat.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// An account, or a chat.
    owner: Owner,
    row: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Account(PersonId),
    Chat(String),
}

/// A setting that is being changed.
pub struct PendingSetting {
    cell: Cell,
    value: String,
    troubles: u64,
}

/// The expected values of settings.
#[derive(Default)]
pub struct Settings {
    /// By setting: the number of requests that change it now, and whether there were several at
    /// once.
    under_way: BTreeMap<Cell, (u32, bool)>,
    expected: BTreeMap<Cell, String>,
}

/// The setting that a button changes, if it is checked here.
fn setting(update: &Update) -> Option<(Cell, String)> {
    let UpdateKind::Press { callback_data: press, .. } = &update.kind else { return None };
    let mut parts = press.strip_prefix("=.")?.splitn(3, '.');
    let (whose, row, value) = (parts.next()?, Setting::from_code(parts.next()?)?, parts.next()?);
    let owner = match whose {
        "m" if OF_PERSON.contains(&row) => Owner::Account(update.person.id.clone()),
        "c" if OF_CHAT.contains(&row) => Owner::Chat(update.chat.id.without_topic().to_owned()),
        _ => return None,
    };
    Some((Cell { owner, row: row.code() }, value.to_owned()))
}

impl Settings {
    /// Called before a process handles an update.
    pub fn begins(&mut self, world: &World, update: &Update) -> Option<PendingSetting> {
        if let UpdateKind::Text { text, .. } = &update.kind
            && text.starts_with('/')
        {
            let account = Owner::Account(update.person.id.clone());
            let chat = Owner::Chat(update.chat.id.without_topic().to_owned());
            self.expected.retain(|cell, _| cell.owner != account && cell.owner != chat);
        }
        if let UpdateKind::ChatMoved { .. } = &update.kind {
            // Its settings are those of the new chat now; the old one may get a row of its own.
            let moved = Owner::Chat(update.chat.id.without_topic().to_owned());
            self.expected.retain(|cell, _| cell.owner != moved);
        }
        let (cell, value) = setting(update)?;
        let (count, several) = self.under_way.entry(cell.clone()).or_default();
        *count += 1;
        *several |= *count > 1;
        self.expected.remove(&cell);
        Some(PendingSetting { cell, value, troubles: world.store_troubles() })
    }

    /// Called after the bot has handled an update.
    pub fn ended(&mut self, world: &World, setting: PendingSetting) {
        let PendingSetting { cell, value, troubles } = setting;
        let Some((count, several)) = self.under_way.get_mut(&cell) else { return };
        *count -= 1;
        let was_alone = !*several;
        if *count == 0 {
            self.under_way.remove(&cell);
        }
        // A change that was refused or not written does not count.
        let is_set = value_on_disk(world, &cell).is_some_and(|it| it == value);
        if was_alone && is_set && world.store_troubles() == troubles {
            world.count("watched settings");
            self.expected.insert(cell, value);
        }
    }

    /// Forgets the changes in progress when all processes are killed.
    pub fn killed(&mut self) {
        self.under_way.clear();
    }

    /// A setting that lost its last value.
    pub fn wrong(&mut self, world: &World) -> Option<String> {
        self.expected.retain(|cell, _| value_on_disk(world, cell).is_some());
        self.expected.iter().find_map(|(Cell { owner, row }, value)| {
            let found = value_on_disk(world, &Cell { owner: owner.clone(), row })?;
            (found != *value).then(|| {
                format!("the setting {row} of {owner:?} was {value:?} and became {found:?}")
            })
        })
    }
}

/// The value of a setting on disk; `None` where it is not defined: the account is linked to others,
/// or the row does not exist.
fn value_on_disk(world: &World, cell: &Cell) -> Option<String> {
    let get = |space, key: &str| {
        let row = world.disk.store.get(space, key).now_or_never();
        row.and_then(Result::ok).flatten()
    };
    let row = Setting::from_code(cell.row)?;
    match &cell.owner {
        Owner::Account(account) => {
            let profile = PersonProfile::decode_rows(
                Some(get(Space::Person, &account.0)?),
                get(Space::Person, &keys::linked_accounts(account)),
            );
            let is_one = profile.main.is_none() && profile.accounts.is_empty();
            is_one.then(|| profile.setting_value(row, &ChatProfile::default()))?
        }
        Owner::Chat(chat) => {
            let profile: ChatProfile = parse_json_or_default(Some(get(Space::ChatProfile, chat)?));
            profile.setting_value(row, &ChatId(chat.clone()))
        }
    }
}

impl Sim {
    /// A person sends two or three requests at the same moment.
    pub(super) fn hurry(&mut self) {
        let Some(sim_person) = self.hurried.pick(&self.sim_people).cloned() else { return };
        let rows = if sim_person.person.admin { &OF_CHAT[..] } else { &OF_PERSON[..] };
        let whose = if sim_person.person.admin { "c" } else { "m" };
        let kind = if sim_person.person.admin { ChatKind::Group } else { ChatKind::Private };
        let Some(chat) = sim_person.chats.iter().find(|it| it.kind == kind).cloned() else {
            return;
        };
        let mut remaining = rows.to_vec();
        let late_ms = self.hurried.between(0, 300);
        for _ in 0..self.hurried.between(2, 3) {
            let n = self.hurried.below(remaining.len() as u64) as usize;
            let row = remaining.swap_remove(n);
            let Some(value) = self.hurried.pick(&row.values()).copied() else { continue };
            let press = format!("=.{whose}.{}.{value}", row.code());
            let body = UpdateKind::Press { callback_data: press, message: None };
            self.send_update(
                Act { person: sim_person.person.clone(), chat: chat.clone(), body },
                late_ms,
            );
        }
        if self.hurried.happens(300) {
            self.hurry_elsewhere(&sim_person, late_ms);
        }
        self.world.count("concurrent requests of one person");
    }

    /// The same person sends a request that is stored in another way, at the same moment.
    fn hurry_elsewhere(&mut self, sim_person: &SimPerson, late_ms: u64) {
        const TYPED: [&str; 4] = ["/vacation 3", "/togyz 1 day", "/join", "/notify"];
        let Some(chat) = self.hurried.pick(&sim_person.chats).cloned() else { return };
        let text = self.hurried.pick(&TYPED).copied().unwrap_or("/join");
        self.send_update(
            Act { person: sim_person.person.clone(), chat, body: words(text) },
            late_ms,
        );
    }
}

/// The setting to check while a process handles an update, if any.
pub fn begins(world: &World, update: &Update) -> Option<PendingSetting> {
    world.settings.lock().begins(world, update)
}
