//! Checks, from the logs alone, that nothing happens at a table without the consent of the players
//! who must agree.

use std::collections::BTreeSet;

use super::world::World;
use caravanserai_games::ids::PersonId;
use caravanserai_table::event::{EndReason, Event, LogLine, computer_level};
use caravanserai_table::state::Table;
use caravanserai_table::{ClockEvent, PlayerOffer};

const DAY_MS: u64 = 86_400_000;

/// The people who have agreed to the open offer of one table.
#[derive(Default)]
pub struct Consents {
    said: BTreeSet<PersonId>,
}

impl Consents {
    /// The consents of a table that was loaded.
    pub fn of(table: &Table) -> Self {
        let Some(pending) = table.offers.pending else { return Self::default() };
        let newcomer = table.offers.newcomer.as_ref();
        let seats = table.offers.agreed_seats.iter().copied().chain(pending.proposer_seat());
        let seated = seats.filter_map(|seat| Some(table.seating.occupant(seat)?.person.clone()));
        let newcomer_agreed =
            newcomer.filter(|it| it.has_agreed).and_then(|it| it.invitee.person.clone());
        Consents { said: seated.chain(newcomer_agreed).collect() }
    }

    /// Checks a line before it is applied to this table.
    ///
    /// # Errors
    /// When a person who must agree did not.
    pub fn comes(&mut self, world: &World, table: &Table, line: &LogLine) -> Result<(), String> {
        let sender = world.causer(line);
        let sits = |seat: u8| table.seating.occupant(seat).map(|it| it.person.clone());
        match &line.event {
            Event::OfferMade { seat, .. } => self.said = sits(*seat).into_iter().collect(),
            Event::SubstituteProposed { by, .. } => {
                self.said = by.and_then(sits).into_iter().chain(sender).collect();
            }
            Event::OfferAgreed { seat } => {
                let is_own = sender.is_some() && sits(*seat) == sender;
                if !is_own {
                    return Err(format!("{sender:?} agreed for seat {seat}"));
                }
                self.said.extend(sender);
            }
            Event::SubstituteAgreed { person, .. } => {
                if sender.as_ref() != Some(person) {
                    return Err(format!("{sender:?} said yes for {}", person.0));
                }
                self.said.insert(person.clone());
            }
            Event::OfferDeclined { seat } => {
                if !self.may_decline(table, line, sender.as_ref(), *seat) {
                    return Err(format!("{sender:?} declined at seat {seat}"));
                }
                self.said.clear();
            }
            Event::GameOver { reason: EndReason::DrawAgreed, .. } => {
                self.check_all(world, table, sender, "a draw")?
            }
            Event::TableClosed { reason: EndReason::Aborted | EndReason::AbortedBy(_) }
                if table.seating.people_seats().len() > 1 && table.has_shown_chance() =>
            {
                self.check_undoing(world, table, sender, "calling off what chance has brought")?;
            }
            Event::Clock(ClockEvent::Paused) => self.check_all(world, table, sender, "a pause")?,
            Event::Clock(ClockEvent::Resumed) if lasts_a_day(table, line) => {}
            Event::Clock(ClockEvent::Resumed) => {
                self.check_all(world, table, sender, "going on")?
            }
            Event::MovesTakenBack { .. } => {
                self.check_undoing(world, table, sender, "taking back")?
            }
            Event::ContinuedAt { .. } => self.check_all(world, table, sender, "another game")?,
            Event::GameOver { reason: EndReason::Resigned(seat), .. } => {
                let others = table.seating.people_seats().into_iter();
                let partners = others.filter(|it| table.setup.are_partners(*it, *seat));
                self.check_seats(world, table, sender, partners.collect(), "giving up")?;
            }
            Event::AccountsMerged { account, person } if self.said.remove(account) => {
                self.said.insert(person.clone());
            }
            Event::SeatReplaced { seat, person, .. } => {
                self.check_replacement(world, table, sender, *seat, person)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether this line, caused by this person, may decline the pending offer.
    fn may_decline(
        &self,
        table: &Table,
        line: &LogLine,
        sender: Option<&PersonId>,
        seat: u8,
    ) -> bool {
        let declining = table.seating.occupant(seat).map(|it| &it.person);
        // The offer of a person who leaves is withdrawn.
        let has_left = line.cause == "left" && declining.is_some_and(|it| self.said.contains(it));
        let newcomer = table.offers.newcomer.as_ref();
        let is_open_invitation = newcomer.is_some_and(|it| it.invitee.person.is_none());
        let invited = newcomer.and_then(|it| it.invitee.person.as_ref());
        let is_asked =
            table.seating.people().into_iter().chain(invited).any(|it| Some(it) == sender);
        // The offer of a player who is away ends when another person takes their seat.
        let is_taken = table.offers.pending_kind().is_some_and(|it| {
            matches!(it, PlayerOffer::Replace { seat } if table.is_away(seat)
                && table.may_take_absent_seats())
        });
        has_left || is_taken || is_open_invitation || is_asked
    }

    /// Checks the replacement of a player by an accepted offer; absent players need not agree.
    fn check_replacement(
        &mut self,
        world: &World,
        table: &Table,
        sender: Option<PersonId>,
        seat: u8,
        person: &PersonId,
    ) -> Result<(), String> {
        let is_offered = table.offers.pending_kind() == Some(PlayerOffer::Replace { seat });
        let newcomer = table.offers.newcomer.as_ref().and_then(|it| it.invitee.person.as_ref());
        if !is_offered || newcomer != Some(person) || table.is_away(seat) {
            return Ok(());
        }
        let is_computer = computer_level(person).is_some();
        if !is_computer && !self.said.contains(person) && sender.as_ref() != Some(person) {
            return Err(format!("{} plays on, and did not say yes", person.0));
        }
        let others = table.seating.people_seats().into_iter().filter(|it| *it != seat).collect();
        self.check_seats(world, table, sender, others, "a seat that passes on")
    }

    /// Checks what keeps a game from counting: a player of each side must be present.
    fn check_undoing(
        &mut self,
        world: &World,
        table: &Table,
        sender: Option<PersonId>,
        what: &'static str,
    ) -> Result<(), String> {
        check_sides(table, what)?;
        self.check_all(world, table, sender, what)
    }

    fn check_all(
        &mut self,
        world: &World,
        table: &Table,
        sender: Option<PersonId>,
        what: &'static str,
    ) -> Result<(), String> {
        self.check_seats(world, table, sender, table.seating.people_seats(), what)
    }

    /// Checks that all present players of these seats have agreed.
    fn check_seats(
        &mut self,
        world: &World,
        table: &Table,
        sender: Option<PersonId>,
        mut seats: Vec<u8>,
        what: &'static str,
    ) -> Result<(), String> {
        seats.retain(|it| !table.is_open() || !table.is_away(*it));
        let mut people =
            seats.into_iter().filter_map(|it| Some(&table.seating.occupant(it)?.person));
        let missing = people.find(|it| !self.said.contains(*it) && Some(*it) != sender.as_ref());
        if let Some(missing) = missing {
            return Err(format!("{what} without the word of {}", missing.0));
        }
        world.count("decisions with the consent of all");
        self.said.clear();
        Ok(())
    }
}

/// Checks that a game that counts is not undone while a side is away: its consent is not required,
/// but nobody else may take a win from it.
fn check_sides(table: &Table, what: &str) -> Result<(), String> {
    if !table.casual_reasons().is_empty() {
        return Ok(());
    }
    let seats = table.seating.people_seats();
    let is_of_side = |seat: u8, it: u8| it == seat || table.setup.are_partners(it, seat);
    let has_present =
        |seat: u8| seats.iter().any(|it| is_of_side(seat, *it) && !table.is_away(*it));
    match seats.iter().find(|it| !has_present(**it)) {
        Some(seat) => Err(format!("{what} while the side of seat {seat} is away")),
        None => Ok(()),
    }
}

/// Whether the pause that this line ends has lasted so long that each player alone may end it.
fn lasts_a_day(table: &Table, line: &LogLine) -> bool {
    table.clocks.paused_since_ms().is_some_and(|it| line.at_ms >= it + DAY_MS)
}
