//! Simulates people over weeks and months: slow games, vacations, settings, leaving groups and
//! coming back, blocking the bot, one person with two accounts.

use super::Sim;
use super::fault_rates::SimFeature;
use super::people::{Act, said};
use caravanserai_games::ids::ChatKind;
use caravanserai_protocol::{Departure, UpdateKind};

/// The texts that people type, with their frequencies, as in `people::TYPED`.
const TYPED: &[(&str, u64)] = &[
    ("/togyz 1 day", 16),
    ("/togyz 3 days", 12),
    ("/togyz 7 days", 8),
    ("/togyz no clock", 3),
    ("/{1} 1 day", 6),
    ("/{1} 3 days", 4),
    ("/{2} 1 day", 6),
    ("/{2} 7 days", 3),
    ("/join", 30),
    ("/begin", 12),
    ("/vacation 1", 8),
    ("/vacation 3", 10),
    ("/vacation 7", 8),
    ("/vacation 30", 4),
    ("/vacation off", 8),
    ("/vacation", 2),
    ("/settings", 2),
    ("/nudge", 10),
    ("/claim", 4),
    ("/return", 6),
    ("/pause", 4),
    ("/resume", 4),
    ("/accept", 10),
    ("/games", 4),
    ("/board", 4),
];

/// Callback data of the settings for calls.
const SETTLED: &[&str] = &[
    "=.m.calls.usual",
    "=.m.calls.seldom",
    "=.m.calls.never",
    "=.m.night.none",
    "=.m.night.22-7",
    "=.m.night.0-9",
    "=.m.night.21-6",
    "=.m.zone.+5",
    "=.m.zone.+5:30",
    "=.m.zone.-8",
    "=.m.vacation.3",
    "=.m.vacation.14",
    "=.m.vacation.off",
];

impl Sim {
    /// The mean time between two steps in a world over many days, in milliseconds; 0 in other
    /// worlds.
    pub(super) fn pace_ms(&self) -> u64 {
        self.wanted.days * 86_400_000 / self.wanted.steps.max(1)
    }

    /// Sometimes lets hours or days pass, so that the world reaches its number of days.
    pub(super) async fn maybe_skip_time(&mut self) {
        let often = 300;
        let ms = self.pace_ms() * 1_000 / often;
        if ms > 0 && self.chance.happens(often) {
            self.world.time.sleep(self.chance.between(0, ms * 2)).await;
            // Platforms do not redeliver updates that are hours old.
            self.heard.clear();
        }
    }

    /// A person follows one of these habits.
    pub(super) fn habit(&mut self) {
        match self.chance.below(100) {
            0..58 => {
                let Some(sim_person) = self.chance.pick(&self.sim_people) else { return };
                let Some(chat) = self.chance.pick(&sim_person.chats).cloned() else { return };
                let body = said(TYPED, &self.world.chats.lock(), sim_person, &self.chance);
                let person = sim_person.person.clone();
                let late_ms = self.chance.between(0, 300);
                self.send_update(Act { person, chat, body }, late_ms);
            }
            58..80 => self.change_call_settings(),
            80..92 => self.leave_or_come(),
            92..97 => self.block(),
            _ if self.world.happens(SimFeature::Linked) => self.link(),
            _ => {}
        }
    }

    /// A person changes their settings for calls.
    fn change_call_settings(&mut self) {
        let Some(sim_person) = self.chance.pick(&self.sim_people) else { return };
        let Some(chat) = sim_person.chats.last().cloned() else { return };
        let Some(press) = self.chance.pick(SETTLED).map(|it| (*it).to_owned()) else { return };
        let person = sim_person.person.clone();
        let late_ms = self.chance.between(0, 300);
        self.send_update(
            Act { person, chat, body: UpdateKind::Press { callback_data: press, message: None } },
            late_ms,
        );
    }

    /// A person leaves a group, or comes back to one.
    fn leave_or_come(&mut self) {
        let n = self.chance.below(self.sim_people.len() as u64) as usize;
        let Some(sim_person) = self.sim_people.get_mut(n) else { return };
        let person = sim_person.person.clone();
        let id = person.id.clone();
        let groups = sim_person.chats.iter().filter(|it| it.kind == ChatKind::Group).count();
        let (chat, body, what) = if let Some(chat) = sim_person.left.pop() {
            sim_person.chats.insert(0, chat.clone());
            (chat, UpdateKind::MembersJoined { who: vec![id] }, "people who came back to a group")
        } else if groups > 0 {
            let chat = sim_person.chats.remove(0);
            sim_person.left.push(chat.clone());
            (
                chat,
                UpdateKind::MemberLeft { who: id, how: Departure::Left },
                "people who left a group",
            )
        } else {
            return;
        };
        self.world.count(what);
        let late_ms = self.chance.between(0, 300);
        self.send_update(Act { person, chat, body }, late_ms);
    }

    /// A person blocks the bot, or unblocks it.
    fn block(&mut self) {
        let Some(sim_person) = self.chance.pick(&self.sim_people).cloned() else { return };
        if let Some(chat) = sim_person.private().cloned() {
            self.world.count("people who blocked or unblocked the bot");
            self.shut_or_open(&sim_person, chat);
        }
    }
}
