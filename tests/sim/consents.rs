//! Whether nothing happens at a table that needs the word of others without their word, reckoned
//! from the logs alone.

use std::collections::BTreeSet;

use super::world::World;
use caravanserai_games::ids::PersonId;
use caravanserai_table::event::{EndReason, Event, LogLine, computer_level};
use caravanserai_table::state::Table;
use caravanserai_table::{ClockEvent, PlayerOffer};

/// Who has said yes to what stands to be answered at one table.
#[derive(Default)]
pub struct Consents {
    said: BTreeSet<PersonId>,
}

impl Consents {
    /// At a table as it is found.
    pub fn of(table: &Table) -> Self {
        let Some((by, _)) = table.offer else { return Self::default() };
        let newcomer = table.newcomer.as_ref();
        let seats = table
            .agreed_seats
            .iter()
            .chain(newcomer.is_none_or(|it| !it.asked_themselves).then_some(&by));
        let sit = seats.filter_map(|seat| Some(table.occupant(*seat)?.person.clone()));
        let comes = newcomer.filter(|it| it.has_agreed).and_then(|it| it.invitee.person.clone());
        Consents { said: sit.chain(comes).collect() }
    }

    /// A line comes to this table, as it is before it.
    ///
    /// # Errors
    /// With a sentence when somebody did not agree who had to.
    pub fn comes(&mut self, world: &World, table: &Table, line: &LogLine) -> Result<(), String> {
        let sender = world.causer(line);
        let sits = |seat: u8| table.occupant(seat).map(|it| it.person.clone());
        match &line.event {
            Event::OfferMade { seat, .. } => self.said = sits(*seat).into_iter().collect(),
            Event::SubstituteProposed { by, .. } => {
                self.said = by.and_then(sits).into_iter().chain(sender).collect();
            }
            Event::OfferAgreed { seat } => {
                let own = sender.is_some() && sits(*seat) == sender;
                if !own {
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
                // The offer of a person who leaves is withdrawn.
                let left =
                    line.cause == "left" && sits(*seat).is_some_and(|it| self.said.contains(&it));
                let newcomer = table.newcomer.as_ref().and_then(|it| it.invitee.person.clone());
                let mut may = table.people().into_iter().cloned().chain(newcomer);
                let asked = table.newcomer.as_ref().is_some_and(|it| it.invitee.person.is_none());
                if !left && !asked && !may.any(|it| Some(&it) == sender.as_ref()) {
                    return Err(format!("{sender:?} declined at seat {seat}"));
                }
                self.said.clear();
            }
            Event::GameOver { reason: EndReason::Agreed, .. } => {
                self.all(world, table, sender, "a draw")?
            }
            Event::TableClosed { reason: EndReason::Aborted }
                if table.people_seats().len() > 1 && table.has_shown_chance() =>
            {
                self.all(world, table, sender, "calling off what chance has brought")?;
            }
            Event::Clock(ClockEvent::Paused) => self.all(world, table, sender, "a pause")?,
            Event::Clock(ClockEvent::Resumed) => self.all(world, table, sender, "going on")?,
            Event::MovesTakenBack { .. } => self.all(world, table, sender, "taking back")?,
            Event::ContinuedAt { .. } => self.all(world, table, sender, "another game")?,
            Event::GameOver { reason: EndReason::Resigned(seat), .. } => {
                let others = table.people_seats().into_iter();
                let partners = others.filter(|it| table.are_partners(*it, *seat));
                self.these(world, table, sender, partners.collect(), "giving up")?;
            }
            Event::AccountsMerged { account, person } if self.said.remove(account) => {
                self.said.insert(person.clone());
            }
            Event::SeatReplaced { seat, person, .. } => {
                self.replaced(world, table, sender, *seat, person)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Somebody takes over a seat, as was offered; nobody is asked for the seat of somebody absent.
    fn replaced(
        &mut self,
        world: &World,
        table: &Table,
        sender: Option<PersonId>,
        seat: u8,
        person: &PersonId,
    ) -> Result<(), String> {
        let is_offered = table.offer.is_some_and(|it| it.1 == PlayerOffer::Replace { seat });
        let newcomer = table.newcomer.as_ref().and_then(|it| it.invitee.person.as_ref());
        if !is_offered || newcomer != Some(person) || table.is_away(seat) {
            return Ok(());
        }
        let is_computer = computer_level(person).is_some();
        if !is_computer && !self.said.contains(person) && sender.as_ref() != Some(person) {
            return Err(format!("{} plays on, and did not say yes", person.0));
        }
        let others = table.people_seats().into_iter().filter(|it| *it != seat).collect();
        self.these(world, table, sender, others, "a seat that passes on")
    }

    fn all(
        &mut self,
        world: &World,
        table: &Table,
        sender: Option<PersonId>,
        what: &'static str,
    ) -> Result<(), String> {
        self.these(world, table, sender, table.people_seats(), what)
    }

    /// Those at these seats who are there have said yes.
    fn these(
        &mut self,
        world: &World,
        table: &Table,
        sender: Option<PersonId>,
        mut seats: Vec<u8>,
        what: &'static str,
    ) -> Result<(), String> {
        seats.retain(|it| !table.is_open() || !table.is_away(*it));
        let mut people = seats.into_iter().filter_map(|it| Some(&table.occupant(it)?.person));
        let silent = people.find(|it| !self.said.contains(*it) && Some(*it) != sender.as_ref());
        if let Some(silent) = silent {
            return Err(format!("{what} without the word of {}", silent.0));
        }
        world.count("times that all agreed");
        self.said.clear();
        Ok(())
    }
}
