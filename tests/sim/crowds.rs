//! Simulates crowded worlds: few table codes, so that the same one is drawn often; caches of a few
//! tables; one person who sits at more tables than any list shows.

use super::Sim;
use super::SimOptions;
use super::chance::Chance;
use super::fault_rates::SimFeature;
use super::people::{Act, said, words};
use caravanserai_bot::service::BotLimits;
use caravanserai_games::ids::ChatKind;

/// Per thousand worlds: crowded ones.
const CROWDED: u64 = 300;

/// Per thousand steps: the busy person sits down once more.
pub const CROWDED_PER_1000: u64 = 120;

/// The number of tables in memory in a crowded world.
const IN_MEMORY: usize = 4;

/// The limit of tables for a person and a chat in a crowded world.
const TABLES: usize = 90;

/// The number of different letters in codes of a crowded world.
const LETTERS: u64 = 3;

/// The texts that the busy person types, with their frequencies.
const TYPED: &[(&str, u64)] = &[
    ("/togyz 3 days", 10),
    ("/togyz 7 days", 10),
    ("/{1} 1 day computer beginner", 4),
    ("/togyz no clock", 6),
    ("/join", 20),
    ("/vacation 3", 2),
    ("/vacation off", 2),
    ("/games", 1),
];

/// Whether the world of these options is crowded.
pub fn is_crowded(wanted: &SimOptions) -> bool {
    let happens = !wanted.without.contains(&SimFeature::Crowded);
    happens && Chance::new(wanted.seed, "crowded").happens(CROWDED)
}

/// Random bytes for the bot. It draws codes letter by letter; in a crowded world each letter is one
/// of three.
pub fn draw(chance: &Chance, crowded: bool, bytes: &mut [u8]) {
    match bytes {
        [byte] if crowded => *byte = chance.below(LETTERS) as u8,
        bytes => bytes.fill_with(|| chance.bits() as u8),
    }
}

/// The limits of the bot.
pub fn limits(crowded: bool, usual: BotLimits) -> BotLimits {
    if !crowded {
        return usual;
    }
    BotLimits {
        tables_in_memory: IN_MEMORY,
        tables_per_chat: TABLES,
        tables_per_person: TABLES,
        ..usual
    }
}

impl Sim {
    /// The busy person opens a table or sits down at one, or a friend joins.
    pub(super) fn crowd(&mut self) {
        let busy = self.sim_people.iter().position(|it| it.person.id.platform() == "tg");
        let Some(n) = busy else { return };
        let joins = self.trying.happens(400);
        let n = if joins { self.trying.below(self.sim_people.len() as u64) as usize } else { n };
        let Some(sim_person) = self.sim_people.get(n).cloned() else { return };
        let groups: Vec<_> =
            sim_person.chats.iter().filter(|it| it.kind == ChatKind::Group).collect();
        let Some(chat) = self.trying.pick(&groups).copied().cloned() else { return };
        let body = if joins {
            words("/join")
        } else {
            said(TYPED, &self.world.chats.lock(), &sim_person, &self.trying)
        };
        let late_ms = self.trying.between(0, 300);
        self.send_update(Act { person: sim_person.person, chat, body }, late_ms);
    }
}
