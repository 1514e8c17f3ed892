//! Simulates people who try to gain an advantage: they leave and return, block the bot, abort a
//! game after a throw, claim victory over a person who has just left, link and unlink their
//! accounts around a vacation, propose a rematch and leave.

use super::Sim;
use super::people::{Act, SimPerson, words};
use caravanserai_bot::commands::{ExecuteCommand, TableAction};
use caravanserai_games::ids::{ChatKind, MessageId};
use caravanserai_protocol::{Chat, Departure, UpdateKind};
use caravanserai_table::command::OfferKind;
use caravanserai_table::state::{Table, TablePhase};
use caravanserai_table::{Command, TimeControl};

/// Per thousand steps: a person tries to gain an advantage.
pub const TRIED_PER_1000: u64 = 40;

/// A seated person and a chat where they see the table.
struct Seated {
    sim_person: usize,
    chat: Chat,
    code: String,
}

impl Sim {
    /// A person tries to gain an advantage.
    pub(super) fn try_advantage(&mut self) {
        self.world.count("attempts to gain an advantage");
        match self.trying.below(6) {
            0 | 1 => self.leave_and_return(),
            2 => self.block_and_unblock(),
            3 => self.abort_after_chance(),
            4 => self.claim_at_once(),
            _ => self.offer_and_leave(),
        }
    }

    /// A person in a matching seat, and a chat where they see the table.
    fn seated(&self, matches: impl Fn(&Table, u8) -> bool) -> Option<Seated> {
        let log_checks = self.world.log_checks.lock();
        let tables = log_checks.tables.values().map(|it| &it.table);
        let mut all = Vec::new();
        for table in tables.filter(|it| it.seating.people_seats().len() > 1) {
            for seat in table.seating.people_seats().into_iter().filter(|it| matches(table, *it)) {
                let Some(occupant) = table.seating.occupant(seat) else { continue };
                let own = |it: &(usize, &SimPerson)| {
                    self.world.behind(&it.1.person.id) == occupant.person
                };
                for (n, sim_person) in self.sim_people.iter().enumerate().filter(own) {
                    let chats = sim_person
                        .chats
                        .iter()
                        .filter(|it| table.chats.location_in(&it.id).is_some());
                    let code = &table.id.0;
                    all.extend(chats.map(|it| Seated {
                        sim_person: n,
                        chat: it.clone(),
                        code: code.clone(),
                    }));
                }
            }
        }
        let n = self.trying.below(all.len() as u64) as usize;
        (!all.is_empty()).then(|| all.swap_remove(n))
    }

    /// The player to move, whose time runs, leaves the group and comes back a moment later.
    fn leave_and_return(&mut self) {
        let is_timed = |table: &Table, seat: u8| {
            let own = table.seat_to_move() == Some(seat) || table.is_late(seat);
            table.phase == TablePhase::Playing
                && own
                && table.clocks.control != TimeControl::Unlimited
        };
        let Some(Seated { sim_person, chat, .. }) = self.seated(is_timed) else { return };
        let (person, id) = (self.sim_people[sim_person].person.clone(), chat.id.clone());
        if chat.kind == ChatKind::Private {
            return self.block_for_a_while(sim_person, &chat);
        }
        let late_ms = self.trying.between(0, 300);
        let away_ms = self.trying.between(5, 4_000);
        self.world.note(|| format!("{} leaves {} and returns", person.id.0, id.0));
        let who = person.id.clone();
        let left = Act {
            person: person.clone(),
            chat: chat.clone(),
            body: UpdateKind::MemberLeft { who, how: Departure::Left },
        };
        self.send_update(left, late_ms);
        let who = vec![person.id.clone()];
        self.send_update(
            Act { person, chat, body: UpdateKind::MembersJoined { who } },
            late_ms + away_ms,
        );
    }

    /// A person who plays in a group and in private blocks the bot in private, and unblocks it.
    fn block_and_unblock(&mut self) {
        let plays = |table: &Table, _: u8| table.phase == TablePhase::Playing;
        let Some(Seated { sim_person, code, .. }) = self.seated(plays) else { return };
        let Some(private) = self.sim_people[sim_person].private().cloned() else { return };
        let person = self.sim_people[sim_person].person.clone();
        let late_ms = self.trying.between(0, 300);
        if self.trying.happens(500) {
            let body = words(&format!("/private {code}"));
            self.send_update(Act { person, chat: private.clone(), body }, late_ms);
        }
        self.block_for_a_while(sim_person, &private);
    }

    /// A person blocks the bot in their private chat, for a while or permanently.
    fn block_for_a_while(&mut self, sim_person: usize, private: &Chat) {
        let sim_person = self.sim_people[sim_person].clone();
        if self.world.chats.lock().closed.contains(private.id.without_topic()) {
            return;
        }
        self.shut_or_open(&sim_person, private.clone());
        if self.trying.happens(500) {
            self.shut_or_open(&sim_person, private.clone());
        }
    }

    /// A person presses a button on the board of a table.
    fn press_at(&mut self, at: &Seated, command: Command, late_ms: u64) {
        let table = caravanserai_games::ids::TableId(at.code.clone());
        let board = self.world.chats.lock().board(&at.chat.id, &at.code).map(|it| it.id);
        let Some(board) = board else { return };
        let action: &dyn TableAction = &ExecuteCommand(command);
        let press = action.callback_data(&table);
        let message = Some(MessageId(board.to_string()));
        let person = self.sim_people[at.sim_person].person.clone();
        let chat = at.chat.clone();
        self.send_update(
            Act { person, chat, body: UpdateKind::Press { callback_data: press, message } },
            late_ms,
        );
    }

    /// A person aborts a game in which chance has already given an outcome.
    fn abort_after_chance(&mut self) {
        let has_chance = |table: &Table, _: u8| {
            table.phase == TablePhase::Playing
                && table.history.steps.iter().any(|it| it.seat.is_none())
        };
        let Some(at) = self.seated(has_chance) else { return };
        let late_ms = self.trying.between(0, 300);
        self.press_at(&at, Command::Abort, late_ms);
    }

    /// A person claims victory while the opponent is to move or has just left.
    fn claim_at_once(&mut self) {
        let waits = |table: &Table, seat: u8| {
            table.phase == TablePhase::Playing
                && table.setup.is_claimable()
                && table.seat_to_move() != Some(seat)
        };
        let Some(at) = self.seated(waits) else { return };
        let late_ms = self.trying.between(0, 3_000);
        self.press_at(&at, Command::ClaimVictory, late_ms);
    }

    /// A person proposes a rematch and leaves the group.
    fn offer_and_leave(&mut self) {
        let is_over = |table: &Table, _: u8| table.is_over();
        let Some(at) = self.seated(is_over) else { return };
        self.press_at(&at, Command::Offer(OfferKind::Rematch), 0);
        if at.chat.kind == ChatKind::Private || self.sim_people[at.sim_person].chats.len() < 2 {
            return;
        }
        let person = self.sim_people[at.sim_person].person.clone();
        let who = person.id.clone();
        let sim_person = &mut self.sim_people[at.sim_person];
        sim_person.chats.retain(|it| it.id != at.chat.id);
        sim_person.left.push(at.chat.clone());
        let late_ms = 400 + self.trying.between(0, 300);
        self.send_update(
            Act {
                person,
                chat: at.chat,
                body: UpdateKind::MemberLeft { who, how: Departure::Left },
            },
            late_ms,
        );
    }
}
