//! Simulates agreements at tables: players and rules, breaks, draws, takebacks, substitutes,
//! rematches.

use super::Sim;
use super::chance::Chance;
use super::people::{Act, SimPerson};
use caravanserai_bot::commands::substitute::computer_newcomer;
use caravanserai_bot::commands::{ExecuteCommand, TableAction};
use caravanserai_games::ids::{MessageId, PersonId};
use caravanserai_games::search::ComputerLevel;
use caravanserai_protocol::{Mention, UpdateKind};
use caravanserai_table::command::{KickTarget, OfferAnswer, OfferKind};
use caravanserai_table::people::{DeclineReason, qualify_username};
use caravanserai_table::{Actor, Command, FirstMover, Table, TablePhase, TimeControl, decide};

/// Per thousand: a person chooses a table with an open offer.
const ASKED_PER_1000: u64 = 600;

/// Per thousand: the person is a player of the table.
const SEATED_PER_1000: u64 = 850;

/// Per thousand: a command is tried although it is not possible.
const WRONG_PER_1000: u64 = 100;

/// The number of commands that are considered.
const IDEAS: usize = 8;

/// A command that a person wants to give at a table.
enum Wish {
    /// By a button.
    Press(Command),
    /// By a reply to the board, perhaps with a mention of a friend.
    Words(String, Option<String>),
}

impl Sim {
    /// A person makes or answers an offer at a table.
    pub(super) fn deal(&mut self) {
        let Some(act) = self.choose_dealing() else { return };
        let late_ms = self.sociable.between(0, 300);
        self.send_update(act, late_ms);
    }

    fn choose_dealing(&self) -> Option<Act> {
        let log_checks = self.world.log_checks.lock();
        let chance = &self.sociable;
        let all: Vec<&Table> = log_checks.tables.values().map(|it| &it.table).collect();
        let with_offer: Vec<&Table> =
            all.iter().copied().filter(|it| it.offers.pending.is_some()).collect();
        let from = if chance.happens(ASKED_PER_1000) && !with_offer.is_empty() {
            &with_offer
        } else {
            &all
        };
        let table = *chance.pick(from)?;
        let (sim_person, person) = self.person_at(table)?;
        let chats: Vec<_> =
            sim_person.chats.iter().filter(|it| table.chats.ids().any(|at| *at == it.id)).collect();
        let chat = *chance.pick(&chats)?;
        let (own, near) = (sim_person.person.username.as_deref(), person.platform());
        let username = own.map(|it| qualify_username(it, sim_person.person.id.platform(), near));
        let actor = Actor {
            person,
            name: sim_person.person.name.clone(),
            username,
            chat: chat.id.clone(),
            is_admin: sim_person.person.admin,
            is_chat_admin: sim_person.person.admin,
            cause: String::new(),
            now_ms: self.world.wall_ms(),
            received_ms: self.world.wall_ms(),
        };
        let wishes = wishes(table, chance);
        let is_possible = |wish: &Wish| match wish {
            Wish::Press(command) => {
                chance.happens(WRONG_PER_1000) || decide(table, &actor, command).is_ok()
            }
            Wish::Words(..) => true,
        };
        let wish = (0..IDEAS).find_map(|_| chance.pick(&wishes).filter(|it| is_possible(it)))?;
        let chats = self.world.chats.lock();
        let board = MessageId(chats.board(&chat.id, &table.id.0)?.id.to_string());
        let body = match wish {
            Wish::Press(command) => {
                let action: &dyn TableAction = &ExecuteCommand(command.clone());
                let callback_data = action.callback_data(&table.id);
                UpdateKind::Press { callback_data, message: Some(board) }
            }
            Wish::Words(text, friend) => {
                let mentions = friend.iter().cloned().map(Mention::Username).collect();
                UpdateKind::Text {
                    text: text.clone(),
                    mentions,
                    reply_to: Some(board),
                    is_addressed: false,
                }
            }
        };
        Some(Act { person: sim_person.person.clone(), chat: chat.clone(), body })
    }

    /// A person who sees this table, most often a player.
    fn person_at(&self, table: &Table) -> Option<(&SimPerson, PersonId)> {
        let sees =
            |it: &&SimPerson| it.chats.iter().any(|own| table.chats.ids().any(|at| *at == own.id));
        let all: Vec<&SimPerson> = self.sim_people.iter().filter(sees).collect();
        let people = table.seating.people();
        let sits = |it: &&SimPerson| people.contains(&&self.world.behind(&it.person.id));
        let seated: Vec<&SimPerson> = all.iter().copied().filter(sits).collect();
        let seated_only = self.sociable.happens(SEATED_PER_1000) && !seated.is_empty();
        let sim_person = *self.sociable.pick(if seated_only { &seated } else { &all })?;
        Some((sim_person, self.world.behind(&sim_person.person.id)))
    }
}

/// Possible commands at such a table; likely ones are repeated.
fn wishes(table: &Table, chance: &Chance) -> Vec<Wish> {
    match table.phase {
        TablePhase::Lobby => before(table, chance),
        TablePhase::Playing => during(table, chance),
        TablePhase::Over { .. } => after(),
        TablePhase::Closed { .. } => Vec::new(),
    }
}

fn pick_one<T: Clone>(all: &[T], chance: &Chance) -> T {
    chance.pick(all).expect("the list is not empty").clone()
}

/// A random seat.
fn any_seat(table: &Table, chance: &Chance) -> u8 {
    chance.below(u64::from(table.setup.seats)) as u8
}

fn level(chance: &Chance) -> ComputerLevel {
    pick_one(&[ComputerLevel::Beginner, ComputerLevel::Easy], chance)
}

fn repeated(times: usize, command: Command) -> impl Iterator<Item = Wish> {
    std::iter::repeat_n(command, times).map(Wish::Press)
}

fn before(table: &Table, chance: &Chance) -> Vec<Wish> {
    let (version, seat) = (table.version, any_seat(table, chance));
    let once = [
        Command::DeclineInvitation,
        Command::ExplainDecline(pick_one(&DeclineReason::ALL, chance)),
        Command::Leave,
        Command::Kick(KickTarget::Seat { version, seat }),
        Command::Kick(KickTarget::Friend { version, n: 0 }),
        Command::AddComputer(level(chance)),
        Command::ChangeComputerLevel { seat, level: level(chance) },
        Command::RemoveComputer,
        Command::SetSeatCount(chance.between(2, 4) as u8),
        Command::KeepOpen,
        Command::RemindInvited,
        Command::Cancel,
        Command::SetFirstMover(pick_one(&FirstMover::ALL, chance)),
        Command::SetHints(chance.happens(500)),
        Command::SetTimeControl(pick_one(&TimeControl::PRESETS, chance)),
        Command::SetSubstituteLevel(level(chance)),
        Command::SetPublic(chance.happens(500)),
        Command::Sit { seat },
    ];
    let all = once.into_iter().map(Wish::Press);
    all.chain(repeated(6, Command::Join)).chain(repeated(6, Command::Start)).collect()
}

fn during(table: &Table, chance: &Chance) -> Vec<Wish> {
    let offer = table.offers.shown();
    let seat = any_seat(table, chance);
    let friend = format!("person{}", chance.below(super::people::PEOPLE));
    let once = [
        Command::Offer(OfferKind::Draw),
        Command::Offer(OfferKind::Pause),
        Command::Offer(OfferKind::Takeback),
        Command::Resign,
        Command::Abort,
        Command::Nudge,
        Command::SetPublic(chance.happens(500)),
        Command::AnswerOffer { offer, answer: OfferAnswer::Decline },
        Command::ProposeSubstitute { seat: Some(seat), newcomer: computer_newcomer(level(chance)) },
    ];
    let typed = [
        Wish::Words(format!("/substitute @{friend}"), Some(friend)),
        Wish::Words("/substitute".to_owned(), None),
        Wish::Words(format!("/if {} {}", chance.between(1, 9), chance.between(1, 9)), None),
    ];
    once.into_iter()
        .map(Wish::Press)
        .chain(typed)
        .chain(repeated(3, Command::Offer(OfferKind::Resume)))
        .chain(repeated(3, Command::ClaimVictory))
        .chain(repeated(3, Command::Return))
        .chain(repeated(2, Command::TakeOver { seat: Some(seat) }))
        .chain(repeated(
            if offer.is_some() { 12 } else { 0 },
            Command::AnswerOffer { offer, answer: OfferAnswer::Accept },
        ))
        .collect()
}

fn after() -> Vec<Wish> {
    let yes = Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept };
    let no = Command::AnswerOffer { offer: None, answer: OfferAnswer::Decline };
    repeated(3, Command::Offer(OfferKind::Rematch))
        .chain(repeated(3, yes))
        .chain(repeated(1, no))
        .collect()
}
