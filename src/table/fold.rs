//! Events in, table out. The log is the truth; a table is only its reading.

use super::event::{Begin, Event, Line, Offer, Reason, Setup, StepLine, TableId};
use super::steps::{Step, Steps};
use crate::chat::{PersonId, PlaceId, PlaceKind};
use crate::games::{GameId, Match};
use crate::rules::{Node, Seat};

/// A table as its log tells it.
pub struct Table {
    /// Its code.
    pub id: TableId,
    /// What was settled when it opened, kept up to date before the start.
    pub setup: Setup,
    /// How many lines the log has: the number that guards commits.
    pub version: u64,
    /// Who sat down, in that order. A person may hold two chairs only in a private place.
    pub chairs: Vec<Occupant>,
    /// The friend who may take the free seat, if one was asked.
    pub invited: Option<Invited>,
    /// Where the table is in its life.
    pub phase: Phase,
    /// The game; `None` before the start.
    pub game: Option<Box<dyn Match>>,
    /// `order[seat]` is the chair; empty before the start.
    pub order: Vec<u8>,
    /// Steps that count, taken-back ones removed.
    pub steps: Steps,
    /// What stands to be answered.
    pub offer: Option<(u8, Offer)>,
    /// The log line that made the present position: buttons carry it, stale presses differ.
    pub position: u64,
    /// When each chair last did something, in milliseconds since 1970.
    pub acted_ms: Vec<u64>,
    /// When the table opened and when the game began.
    pub opened_ms: u64,
    /// When the game began, else when the table opened.
    pub started_ms: u64,
    /// The table where the same people went on.
    pub next: Option<TableId>,
    /// Offers that were turned down in the present position: they are not made again there.
    pub turned_down: Vec<(u8, Offer)>,
    /// For each line that made a position: how many steps it had.
    positions: Vec<(u64, u32)>,
}

/// Somebody at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occupant {
    /// Who.
    pub person: PersonId,
    /// Their name when they sat down.
    pub name: String,
    /// The update by which they sat down: their platform chose its id, so the host could not
    /// know it when the seed was drawn.
    pub cause: String,
}

/// A friend who was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invited {
    /// Known when the platform said who it is.
    pub person: Option<PersonId>,
    /// Else they are known by the name after `@`.
    pub username: Option<String>,
    /// What people see.
    pub name: String,
}

/// Where a table is in its life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Waiting for people.
    Lobby,
    /// Being played.
    Playing,
    /// Played to a result.
    Over {
        /// Points by seat.
        scores: Vec<i32>,
        /// Why.
        reason: Reason,
    },
    /// Given up without a result.
    Closed {
        /// Why.
        reason: Reason,
    },
}

/// What is wrong with an event that its table's phase does not allow.
const TOO_EARLY_OR_LATE: &str = "this cannot happen at this time of a table's life";

impl Table {
    /// Reads a whole log.
    ///
    /// # Errors
    /// With a sentence when a line is damaged or does not follow from those before it.
    pub fn fold(id: &TableId, lines: &[String]) -> Result<Table, String> {
        let mut lines = lines.iter();
        let first = lines.next().ok_or("an empty log")?;
        let mut table = Table::opened(id, &Line::read(first)?)?;
        for line in lines {
            match StepLine::read(line) {
                Some(step) => table.apply_step(&step)?,
                None => table.apply(&Line::read(line)?)?,
            }
        }
        Ok(table)
    }

    /// The table after its first line.
    ///
    /// # Errors
    /// When the line does not open a table or the game's rules have changed since.
    pub fn opened(id: &TableId, line: &Line) -> Result<Table, String> {
        let Event::Opened(setup) = &line.event else {
            return Err("a log must open a table".into());
        };
        if setup.revision != setup.game.info().revision {
            return Err(format!(
                "this log is of revision {} of the rules of {} and this program has revision {}",
                setup.revision,
                setup.game.info().code,
                setup.game.info().revision
            ));
        }
        Ok(Table {
            id: id.clone(),
            setup: (**setup).clone(),
            version: 1,
            chairs: Vec::new(),
            invited: None,
            phase: Phase::Lobby,
            game: None,
            order: Vec::new(),
            steps: Steps::default(),
            offer: None,
            position: 0,
            acted_ms: Vec::new(),
            opened_ms: line.at_ms,
            started_ms: line.at_ms,
            next: None,
            turned_down: Vec::new(),
            positions: Vec::new(),
        })
    }

    /// Applies the next line.
    ///
    /// # Errors
    /// When the line does not follow; the table must then be thrown away.
    pub fn apply(&mut self, line: &Line) -> Result<(), String> {
        self.follows(line.number)?;
        self.fits(&line.event).map_err(|why| format!("line {}: {why}", line.number))?;
        self.version += 1;
        match &line.event {
            Event::Stepped { seat, token } => {
                self.step(Some(*seat), token, line.number, line.at_ms)?
            }
            Event::Settled { token } => self.step(None, token, line.number, line.at_ms)?,
            // `fits` has refused it.
            Event::Opened(_) => {}
            Event::Invited { person, username, name } => {
                let (person, username) = (person.clone(), username.clone());
                self.invited = Some(Invited { person, username, name: name.clone() });
            }
            Event::Seated { person, name } => {
                let (person, name) = (person.clone(), name.clone());
                self.chairs.push(Occupant { person, name, cause: line.cause.clone() });
                self.acted_ms.push(line.at_ms);
            }
            Event::Left { person } => {
                if let Some(chair) = self.chairs.iter().position(|it| it.person == *person) {
                    self.chairs.remove(chair);
                    self.acted_ms.remove(chair);
                }
            }
            Event::Varied { options } => self.setup.options.clone_from(options),
            Event::Ordered { begin } => self.setup.begin = *begin,
            Event::Started { order } => self.start(order, line)?,
            Event::Offered { seat, offer } => {
                self.touch(*seat, line.at_ms);
                self.offer = Some((*seat, *offer));
            }
            Event::Declined { seat } => {
                self.touch(*seat, line.at_ms);
                self.turned_down.extend(self.offer.take());
            }
            Event::Back { steps } => self.back(*steps, line)?,
            Event::Over { scores, reason } => {
                self.offer = None;
                self.phase = Phase::Over { scores: scores.clone(), reason: *reason };
            }
            Event::Closed { reason } => {
                self.offer = None;
                self.phase = Phase::Closed { reason: *reason };
            }
            Event::Moved { place } => self.setup.place = place.clone(),
            Event::Next { table } => {
                self.offer = None;
                self.next = Some(table.clone());
            }
        }
        Ok(())
    }

    /// The same as [`Table::apply`] for the commonest event.
    fn apply_step(&mut self, line: &StepLine<'_>) -> Result<(), String> {
        self.follows(line.number)?;
        if self.phase != Phase::Playing {
            return Err(format!("line {}: {TOO_EARLY_OR_LATE}", line.number));
        }
        self.version += 1;
        self.step(Some(line.seat), line.token, line.number, line.at_ms)
    }

    fn follows(&self, number: u64) -> Result<(), String> {
        if number == self.version {
            return Ok(());
        }
        Err(format!("line {number} where {} should stand", self.version))
    }

    /// Whether an event can follow here at all; what the game says to it comes later.
    fn fits(&self, event: &Event) -> Result<(), &'static str> {
        let seats = self.setup.seats;
        let (in_time, sound) = match event {
            Event::Stepped { .. } | Event::Settled { .. } => (self.phase == Phase::Playing, true),
            Event::Back { steps } => {
                (self.phase == Phase::Playing, *steps as usize <= self.steps.len())
            }
            Event::Opened(_) => (false, true),
            Event::Seated { .. } => {
                (self.phase == Phase::Lobby, self.chairs.len() < usize::from(seats))
            }
            Event::Invited { .. }
            | Event::Left { .. }
            | Event::Varied { .. }
            | Event::Ordered { .. }
            | Event::Started { .. } => (self.phase == Phase::Lobby, true),
            // A rematch is offered and declined after the end.
            Event::Offered { seat, .. } | Event::Declined { seat } => {
                (matches!(self.phase, Phase::Playing | Phase::Over { .. }), *seat < seats)
            }
            Event::Over { scores, reason } => {
                let who = if let Reason::Resigned(seat) = reason { *seat } else { 0 };
                (self.phase == Phase::Playing, scores.len() == usize::from(seats) && who < seats)
            }
            Event::Closed { .. } => (self.is_open(), true),
            Event::Moved { .. } | Event::Next { .. } => (true, true),
        };
        match (in_time, sound) {
            (true, true) => Ok(()),
            (false, _) => Err(TOO_EARLY_OR_LATE),
            (true, false) => Err("its numbers do not fit this table"),
        }
    }

    fn start(&mut self, order: &[u8], line: &Line) -> Result<(), String> {
        let sits = |chair: u8| order.contains(&chair);
        let full = self.chairs.len() == usize::from(self.setup.seats);
        if !full || order.len() != self.chairs.len() || !(0..self.setup.seats).all(sits) {
            return Err("the order does not fit the chairs".into());
        }
        self.order = order.to_vec();
        self.game = Some(self.fresh()?);
        self.phase = Phase::Playing;
        self.started_ms = line.at_ms;
        self.reached(line.number);
        Ok(())
    }

    fn fresh(&self) -> Result<Box<dyn Match>, String> {
        let Setup { game, options, seats, .. } = &self.setup;
        game.open(options, *seats).map_err(|illegal| format!("cannot start: {}", illegal.0))
    }

    fn step(
        &mut self,
        seat: Option<u8>,
        token: &str,
        number: u64,
        at_ms: u64,
    ) -> Result<(), String> {
        let game = self.game.as_mut().ok_or("a step before the start")?;
        match seat {
            Some(seat) => game.act(Seat(seat), token),
            None => game.settle(token),
        }
        .map_err(|illegal| format!("line {number}: {}", illegal.0))?;
        self.steps.push(seat, token);
        if let Some(seat) = seat {
            self.touch(seat, at_ms);
        }
        // An offer stands until the game moves on.
        self.offer = None;
        self.reached(number);
        Ok(())
    }

    fn back(&mut self, steps: u32, line: &Line) -> Result<(), String> {
        let mut game = self.fresh()?;
        self.steps.truncate(steps as usize);
        for Step { seat, token } in self.steps.iter() {
            match seat {
                Some(seat) => game.act(Seat(seat), token),
                None => game.settle(token),
            }
            .map_err(|illegal| format!("line {}: {}", line.number, illegal.0))?;
        }
        self.game = Some(game);
        self.offer = None;
        self.reached(line.number);
        Ok(())
    }

    fn reached(&mut self, line: u64) {
        self.position = line;
        self.turned_down.clear();
        self.positions.push((line, self.steps.len() as u32));
    }

    fn touch(&mut self, seat: u8, at_ms: u64) {
        let chair = self.chair_of(seat);
        if let Some(acted) = self.acted_ms.get_mut(usize::from(chair)) {
            *acted = at_ms;
        }
    }

    /// An independent copy: to see what lines would lead to before they are committed.
    pub fn copy(&self) -> Table {
        Table {
            id: self.id.clone(),
            setup: self.setup.clone(),
            version: self.version,
            chairs: self.chairs.clone(),
            invited: self.invited.clone(),
            phase: self.phase.clone(),
            game: self.game.as_ref().map(|it| it.copy()),
            order: self.order.clone(),
            steps: self.steps.clone(),
            offer: self.offer,
            position: self.position,
            acted_ms: self.acted_ms.clone(),
            opened_ms: self.opened_ms,
            started_ms: self.started_ms,
            next: self.next.clone(),
            turned_down: self.turned_down.clone(),
            positions: self.positions.clone(),
        }
    }

    /// How many steps the position had that log line `line` made.
    pub fn steps_at(&self, line: u64) -> Option<u32> {
        let at = self.positions.binary_search_by_key(&line, |(line, _)| *line).ok()?;
        Some(self.positions[at].1)
    }

    /// The chair that plays this seat; before the start they are the same.
    pub fn chair_of(&self, seat: u8) -> u8 {
        self.order.get(usize::from(seat)).copied().unwrap_or(seat)
    }

    fn occupant_at(&self, chair: u8) -> Option<&Occupant> {
        self.chairs.get(usize::from(chair))
    }

    /// Who plays this seat.
    pub fn occupant(&self, seat: u8) -> Option<&Occupant> {
        self.occupant_at(self.chair_of(seat))
    }

    /// The seats of a person, in order.
    pub fn seats_of<'a>(&'a self, person: &'a PersonId) -> impl Iterator<Item = u8> + 'a {
        (0..self.chairs.len() as u8)
            .filter(move |&seat| self.occupant(seat).is_some_and(|it| it.person == *person))
    }

    /// Whose decision the game waits for.
    pub fn turn(&self) -> Option<u8> {
        if self.phase != Phase::Playing {
            return None;
        }
        match self.game.as_ref()?.node() {
            Node::Act(seat) => Some(seat.0),
            Node::Chance | Node::Over(_) => None,
        }
    }

    /// Whether people can still do something here besides a rematch.
    pub fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Lobby | Phase::Playing)
    }

    /// The game at this table.
    pub fn game_id(&self) -> GameId {
        self.setup.game
    }

    /// The conversation it stands in.
    pub fn place(&self) -> &PlaceId {
        &self.setup.place
    }

    /// Whether one person plays all sides: alone with the bot.
    pub fn is_solo(&self) -> bool {
        self.setup.kind == PlaceKind::Private
    }

    /// What the people at the table add to its chance: who they are and by which update they sat
    /// down, in that order.
    pub fn entropy(&self) -> Vec<String> {
        self.chairs.iter().map(|it| format!("{} {}", it.person.0, it.cause)).collect()
    }

    /// Names by seat; people with the same name are numbered.
    pub fn names(&self) -> Vec<String> {
        let plain: Vec<&str> = (0..self.chairs.len() as u8)
            .filter_map(|seat| self.occupant(seat))
            .map(|it| it.name.as_str())
            .collect();
        let mut names = Vec::with_capacity(plain.len());
        for (seat, name) in plain.iter().enumerate() {
            let twins = plain.iter().filter(|it| *it == name).count();
            let before = plain[..seat].iter().filter(|it| *it == name).count();
            names.push(if twins > 1 { format!("{name} ({})", before + 1) } else { (*name).into() });
        }
        names
    }

    /// The people at the table in the order of sitting down.
    pub fn people(&self) -> Vec<&PersonId> {
        self.chairs.iter().map(|it| &it.person).collect()
    }

    /// Who begins as the lobby shows it.
    pub fn begin(&self) -> Begin {
        self.setup.begin
    }
}
