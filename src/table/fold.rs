//! Events in, table out. The log is the truth; a table is only its reading.

use super::clock::Timing;
use super::consent::Silence;
use super::event::{Event, Line, Offer, Reason, Setup, StepLine};
use super::separate::Misplaced;
use super::steps::{Step, Steps};
use caravanserai_games::ids::{PersonId, PlaceId, TableId};
use caravanserai_games::{Match, Refused, Unasked};

use super::people::Why;
pub use super::people::{Invited, Newcomer, Occupant};
pub use super::places::{Attached, Spot};
use super::plans::Plan;
use super::presence::Ways;
use super::promise::Promise;

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
    /// The friends who were asked to play, also when they have come.
    pub invited: Vec<Invited>,
    /// Those who were asked and do not come.
    pub excused: Vec<Invited>,
    /// What they said why, by name.
    pub explained: Vec<(String, Why)>,
    /// Whom the opener sent away: they do not come back by themselves.
    pub kicked: Vec<PersonId>,
    /// Where the table is in its life.
    pub phase: Phase,
    /// Whether the rules of its game have changed since it opened: then its log is kept as a
    /// record, and nothing in it is interpreted.
    pub outdated: bool,
    /// The game; `None` before the start, and where it is outdated.
    pub game: Option<Box<dyn Match>>,
    /// `order[seat]` is the chair; empty before the start.
    pub order: Vec<u8>,
    /// Steps that count, taken-back ones removed.
    pub steps: Steps,
    /// What stands to be answered, and the seat it came from.
    pub offer: Option<(u8, Offer)>,
    /// Seats that have agreed to it.
    pub agreed: Vec<u8>,
    /// When it was made, in milliseconds since 1970.
    pub offered_ms: u64,
    /// How long whoever may object to it has not, where it is to replace them.
    pub(super) silence: Silence,
    /// Who is to take over a seat, while that is offered.
    pub newcomer: Option<Newcomer>,
    /// The last change of a seat, until somebody acts: which seat, and who played it before.
    pub replaced: Option<(u8, Occupant)>,
    /// The log line that made the present position: buttons carry it, stale presses differ.
    pub position: u64,
    /// When each chair last did something, in milliseconds since 1970.
    pub acted_ms: Vec<u64>,
    /// When the table opened and when the game began.
    pub opened_ms: u64,
    /// When the game began, else when the table opened.
    pub started_ms: u64,
    /// When anything happened last, in milliseconds since 1970.
    pub last_ms: u64,
    /// When those who were asked were called last; 0 if never.
    pub reminded_ms: u64,
    /// The promise of its seed that was shown before it began.
    pub promised: Option<Promise>,
    /// The promise of the next table of the same people.
    pub promises: Option<Promise>,
    /// The table where the same people went on.
    pub next: Option<TableId>,
    /// Where it stands besides its home, in the order it was brought there.
    pub attached: Vec<Attached>,
    /// Whether anybody who knows its code may look on, if its people have settled that.
    pub public: Option<bool>,
    /// The only one who reads its home, if a private chat has become that.
    pub(super) home_reader: Option<PersonId>,
    /// From where people acted last, as far as it is not where they are looked for anyway.
    pub(super) came: Vec<(PersonId, PlaceId)>,
    /// The ways of people to this table, see [`super::presence`].
    pub(super) ways: Ways,
    /// Offers that were turned down in the present position: they are not made again there.
    pub turned_down: Vec<(u8, Offer)>,
    /// Whether hints are given, if that was settled; see [`Table::gives_hints`].
    pub hints: Option<bool>,
    /// How much time people have, and what they made of it.
    pub timing: Timing,
    /// By seat: how many hints it was given, and the position of the last one.
    pub(super) hinted: Vec<(u32, u64)>,
    /// What seats have settled for the next move of another, see [`super::plans`].
    pub(super) plans: Vec<(u8, Plan)>,
    /// For each line that made a position: how many steps it had.
    pub(super) positions: Vec<(u64, u32)>,
    /// How many steps people decided, counted as far as [`FEW_DECISIONS`] at least.
    pub(super) decided: u32,
    /// What those who sat there at the start add to chance, see [`Table::entropy`].
    pub(super) founders: Vec<String>,
    /// The last lines of the log, if they belong to another table.
    pub(super) misplaced: Option<Misplaced>,
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

/// After so many decisions of people a game is not called off any more.
pub(super) const FEW_DECISIONS: u32 = 2;

impl Table {
    /// Reads a whole log.
    ///
    /// # Errors
    /// With a sentence when a line is damaged or does not follow from those before it.
    pub fn fold(id: &TableId, lines: &[String]) -> Result<Table, String> {
        let mut lines = lines.iter();
        let first = lines.next().ok_or("an empty log")?;
        let mut table = Table::opened(id, &Line::read(first)?)?;
        lines.try_for_each(|it| table.read_on(it))?;
        Ok(table)
    }

    /// The table after its first line.
    ///
    /// # Errors
    /// When the line does not open a table, or its rules are of a newer program.
    pub fn opened(id: &TableId, line: &Line) -> Result<Table, String> {
        let Event::Opened(setup) = &line.event else {
            return Err("a log must open a table".into());
        };
        if setup.revision > setup.game.info().revision {
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
            invited: Vec::new(),
            excused: Vec::new(),
            explained: Vec::new(),
            kicked: Vec::new(),
            phase: Phase::Lobby,
            outdated: setup.revision < setup.game.info().revision,
            game: None,
            order: Vec::new(),
            steps: Steps::default(),
            offer: None,
            agreed: Vec::new(),
            offered_ms: 0,
            silence: Silence::default(),
            newcomer: None,
            replaced: None,
            position: 0,
            acted_ms: Vec::new(),
            opened_ms: line.at_ms,
            started_ms: line.at_ms,
            last_ms: line.at_ms,
            reminded_ms: 0,
            promised: None,
            promises: None,
            next: None,
            attached: Vec::new(),
            public: None,
            home_reader: None,
            came: Vec::new(),
            ways: Ways::default(),
            turned_down: Vec::new(),
            hints: None,
            timing: Timing::default(),
            hinted: Vec::new(),
            plans: Vec::new(),
            positions: Vec::new(),
            decided: 0,
            founders: Vec::new(),
            misplaced: None,
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
        self.last_ms = line.at_ms;
        let illegal = |it: Refused| format!("line {}: {it}", line.number);
        match &line.event {
            Event::Stepped { seat, token } => {
                self.step(Some(*seat), token, line.number, line.at_ms).map_err(illegal)?
            }
            Event::Settled { token } => {
                self.step(None, token, line.number, line.at_ms).map_err(illegal)?
            }
            // `fits` has refused it.
            Event::Opened(_) => {}
            Event::Invited { .. }
            | Event::Seated { .. }
            | Event::Left { .. }
            | Event::Met { .. }
            | Event::Excused { .. }
            | Event::Kicked { .. }
            | Event::Dismissed { .. }
            | Event::Shifted { .. }
            | Event::Sized { .. }
            | Event::Extended
            | Event::Reminded
            | Event::Varied { .. }
            | Event::Ordered { .. }
            | Event::Ruled { .. } => self.gather(line),
            Event::Explained { name, why } => self.explained.push((name.clone(), *why)),
            Event::Hinted { seat } => self.hint(*seat, line.at_ms),
            Event::Foreseen { seat, plan } => self.plan(*seat, plan),
            Event::Started { order } => self.start(order, line)?,
            Event::Offered { .. }
            | Event::Agreed { .. }
            | Event::Proposed { .. }
            | Event::Welcomed { .. }
            | Event::Replaced { .. }
            | Event::Declined { .. } => self.consent(line),
            Event::Back { steps } => self.back(*steps, line)?,
            Event::Over { scores, reason } => {
                self.end(Phase::Over { scores: scores.clone(), reason: *reason });
            }
            Event::Closed { reason } => self.end(Phase::Closed { reason: *reason }),
            Event::Moved { .. }
            | Event::Attached(_)
            | Event::Detached { .. }
            | Event::Public { .. }
            | Event::Came { .. } => self.placed(line),
            Event::Same { account, person } => self.becomes(account, person),
            Event::Time(timed) => self.timed(timed, line),
            Event::Promised(promise) => self.promise(promise),
            Event::Next { table } => {
                self.next = Some(table.clone());
                self.end_offer();
            }
            Event::Parted(_) => self.misplaced = None,
        }
        Ok(())
    }

    fn end(&mut self, phase: Phase) {
        self.phase = phase;
        self.end_offer();
    }

    /// Applies an event about what needs the consent of others.
    fn consent(&mut self, line: &Line) {
        match &line.event {
            Event::Offered { seat, offer } => {
                self.touch(*seat, line.at_ms);
                self.offer(*seat, *offer, line.at_ms);
            }
            Event::Agreed { seat } => {
                self.touch(*seat, line.at_ms);
                self.agreed.push(*seat);
            }
            Event::Proposed { seat, by, person, username, name } => {
                by.iter().for_each(|by| self.touch(*by, line.at_ms));
                self.offer(by.unwrap_or(*seat), Offer::Replace { seat: *seat }, line.at_ms);
                let (person, username) = (person.clone(), username.clone());
                let who = Invited { person, username, name: name.clone() };
                let asked = by.is_none();
                let agreed = asked || who.is_computer();
                self.newcomer = Some(Newcomer { who, asked, agreed });
            }
            Event::Welcomed { person, name } => {
                if let Some(newcomer) = &mut self.newcomer {
                    newcomer.who.person = Some(person.clone());
                    newcomer.who.name.clone_from(name);
                    newcomer.agreed = true;
                }
            }
            Event::Replaced { seat, person, name } => self.replace(*seat, person, name, line),
            Event::Declined { seat } => {
                self.touch(*seat, line.at_ms);
                self.turned_down.extend(self.offer);
                self.end_offer();
            }
            _ => {}
        }
    }

    /// The same as [`Table::apply`] for the commonest event.
    pub(super) fn apply_step(&mut self, line: &StepLine<'_>) -> Result<(), String> {
        self.follows(line.number)?;
        if self.phase != Phase::Playing {
            return Err(format!("line {}: {}", line.number, Unasked::NotNow));
        }
        self.version += 1;
        self.last_ms = line.at_ms;
        self.step(Some(line.seat), line.token, line.number, line.at_ms)
            .map_err(|illegal| format!("line {}: {illegal}", line.number))
    }

    /// Applies the next line, a step that the rules may refuse; then the table must be thrown
    /// away.
    pub(super) fn apply_legal(&mut self, line: &Line) -> Result<(), Refused> {
        let Event::Stepped { seat, token } = &line.event else {
            return Err(Refused::from(Unasked::NotNow));
        };
        if self.phase != Phase::Playing || line.number != self.version {
            return Err(Refused::from(Unasked::NotNow));
        }
        self.version += 1;
        self.last_ms = line.at_ms;
        self.step(Some(*seat), token, line.number, line.at_ms)
    }

    fn follows(&self, number: u64) -> Result<(), String> {
        if number == self.version {
            return Ok(());
        }
        Err(format!("line {number} where {} should stand", self.version))
    }

    /// Whether an event can follow here at all; what the game says to it comes later.
    fn fits(&self, event: &Event) -> Result<(), String> {
        let seats = self.setup.seats;
        let playing = self.phase == Phase::Playing;
        let (in_time, sound) = match event {
            Event::Stepped { .. } | Event::Settled { .. } => (playing, true),
            Event::Back { steps } => (playing, *steps as usize <= self.steps.len()),
            Event::Opened(_) => (false, true),
            Event::Invited { .. }
            | Event::Seated { .. }
            | Event::Left { .. }
            | Event::Met { .. }
            | Event::Excused { .. }
            | Event::Kicked { .. }
            | Event::Dismissed { .. }
            | Event::Shifted { .. }
            | Event::Sized { .. }
            | Event::Extended
            | Event::Reminded
            | Event::Varied { .. }
            | Event::Ordered { .. }
            | Event::Ruled { .. }
            | Event::Started { .. } => (self.phase == Phase::Lobby, self.can_gather(event)),
            // A rematch is offered and declined after the end.
            Event::Offered { seat, .. } | Event::Declined { seat } | Event::Agreed { seat } => {
                (matches!(self.phase, Phase::Playing | Phase::Over { .. }), *seat < seats)
            }
            Event::Proposed { seat, by, .. } => {
                (playing, *seat < seats && by.is_none_or(|it| it < seats))
            }
            Event::Welcomed { .. } => (playing, self.newcomer.is_some()),
            Event::Replaced { seat, .. }
            | Event::Hinted { seat }
            | Event::Foreseen { seat, .. } => (playing, *seat < seats),
            Event::Over { scores, reason } => {
                (playing, scores.len() == usize::from(seats) && reason.seat() < seats)
            }
            Event::Closed { reason } => (self.is_open(), reason.seat() < seats),
            Event::Time(timed) => self.can_be_timed(timed),
            Event::Attached(_) | Event::Public { .. } => {
                (self.is_open(), self.can_be_placed(event))
            }
            Event::Moved { .. } | Event::Detached { .. } | Event::Came { .. } => {
                (true, self.can_be_placed(event))
            }
            Event::Next { .. } | Event::Parted(_) => (true, true),
            Event::Promised(promise) => (self.phase != Phase::Playing, promise.is_sound()),
            Event::Same { account, person } => (true, self.can_become(account, person)),
            Event::Explained { .. } => {
                let declined = Phase::Closed { reason: Reason::Declined };
                (self.phase == Phase::Lobby || self.phase == declined, true)
            }
        };
        match (in_time, sound) {
            (true, true) => Ok(()),
            (false, _) => Err(Unasked::NotNow.to_string()),
            (true, false) => Err("its numbers do not fit this table".to_owned()),
        }
    }

    fn start(&mut self, order: &[u8], line: &Line) -> Result<(), String> {
        let sits = |chair: u8| order.contains(&chair);
        let full = self.chairs.len() == usize::from(self.setup.seats);
        if !full || order.len() != self.chairs.len() || !(0..self.setup.seats).all(sits) {
            return Err("the order does not fit the chairs".into());
        }
        self.founders = self.entropy();
        self.order = order.to_vec();
        self.game = if self.outdated { None } else { Some(self.fresh()?) };
        self.phase = Phase::Playing;
        self.started_ms = line.at_ms;
        self.reached(line.number);
        Ok(())
    }

    /// The game as it was at the start.
    pub(super) fn fresh(&self) -> Result<Box<dyn Match>, String> {
        let Setup { game, options, seats, .. } = &self.setup;
        game.open(options, *seats).map_err(|illegal| format!("cannot start: {illegal}"))
    }

    fn step(
        &mut self,
        seat: Option<u8>,
        token: &str,
        number: u64,
        at_ms: u64,
    ) -> Result<(), Refused> {
        let decided = self.is_decision(seat, token);
        let stays = match (self.offer, seat) {
            // Whoever is to be replaced and plays is there after all.
            (Some((by, Offer::Replace { seat: other })), Some(seat)) => {
                let asked = self.newcomer.as_ref().is_some_and(|it| it.asked);
                seat != other || (by == seat && !asked) || !decided
            }
            (Some((_, Offer::Replace { .. })), None) => true,
            // Any other offer stands until the game moves on.
            _ => false,
        };
        if let Some(seat) = seat.filter(|_| self.is_anybody_late()) {
            self.note_player(seat, !self.is_forced(token));
        }
        if !self.outdated {
            let game = self.game.as_mut().ok_or(Unasked::NotNow)?;
            Step { seat, token }.play(&mut **game)?;
        }
        self.steps.push(seat, token);
        if !stays {
            self.end_offer();
        }
        if let Some(seat) = seat {
            self.touch(seat, at_ms);
        }
        if decided {
            self.decided += 1;
            self.replaced = None;
        }
        self.reached(number);
        Ok(())
    }

    /// Whether a person decides this step: not a computer, and not the table because nothing else
    /// is possible. Asked only while somebody wants to know: it costs time in a long log.
    fn is_decision(&self, seat: Option<u8>, token: &str) -> bool {
        let wanted = self.decided < FEW_DECISIONS
            || self.replaced.is_some()
            || matches!(self.offer, Some((_, Offer::Replace { .. })));
        wanted && seat.is_some_and(|seat| self.played_by(seat).is_none()) && !self.is_forced(token)
    }

    /// Whether the table plays this step by itself, for nothing else is possible.
    fn is_forced(&self, token: &str) -> bool {
        self.game.as_ref().is_some_and(|it| it.forced().as_deref() == Some(token))
    }

    fn offer(&mut self, seat: u8, offer: Offer, at_ms: u64) {
        self.end_offer();
        self.offer = Some((seat, offer));
        self.offered_ms = at_ms;
        self.silence = Silence::since(at_ms);
    }

    pub(super) fn end_offer(&mut self) {
        self.offer = None;
        self.agreed.clear();
        self.newcomer = None;
    }

    fn replace(&mut self, seat: u8, person: &PersonId, name: &str, line: &Line) {
        let chair = usize::from(self.chair_of(seat));
        if let (Some(occupant), Some(acted)) =
            (self.chairs.get_mut(chair), self.acted_ms.get_mut(chair))
        {
            let (person, name, cause) = (person.clone(), name.to_owned(), line.cause.clone());
            let new = Occupant { person, name, cause, place: occupant.place };
            self.replaced = Some((seat, std::mem::replace(occupant, new)));
            *acted = line.at_ms;
        }
        self.take_over_seat(seat, line.at_ms);
        self.end_offer();
    }

    fn back(&mut self, steps: u32, line: &Line) -> Result<(), String> {
        self.steps.truncate(steps as usize);
        self.timing.stood_in.retain(|it| *it < steps);
        self.decided = 0;
        if self.outdated {
            self.end_offer();
            self.reached(line.number);
            return Ok(());
        }
        let mut game = self.fresh()?;
        for step @ Step { seat, token } in self.steps.iter() {
            let person = seat.is_some_and(|seat| !self.is_computer(seat));
            if self.decided < FEW_DECISIONS && person && game.forced().as_deref() != Some(token) {
                self.decided += 1;
            }
            step.play(&mut *game).map_err(|illegal| format!("line {}: {illegal}", line.number))?;
        }
        self.game = Some(game);
        self.end_offer();
        self.reached(line.number);
        self.take_back_clocks();
        Ok(())
    }

    fn reached(&mut self, line: u64) {
        self.position = line;
        self.turned_down.clear();
        self.plans.clear();
        self.positions.push((line, self.steps.len() as u32));
    }

    pub(super) fn touch(&mut self, seat: u8, at_ms: u64) {
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
            excused: self.excused.clone(),
            explained: self.explained.clone(),
            kicked: self.kicked.clone(),
            phase: self.phase.clone(),
            outdated: self.outdated,
            game: self.game.as_ref().map(|it| it.copy()),
            order: self.order.clone(),
            steps: self.steps.clone(),
            offer: self.offer,
            agreed: self.agreed.clone(),
            offered_ms: self.offered_ms,
            silence: self.silence,
            newcomer: self.newcomer.clone(),
            replaced: self.replaced.clone(),
            position: self.position,
            acted_ms: self.acted_ms.clone(),
            opened_ms: self.opened_ms,
            started_ms: self.started_ms,
            last_ms: self.last_ms,
            reminded_ms: self.reminded_ms,
            promised: self.promised.clone(),
            promises: self.promises.clone(),
            next: self.next.clone(),
            attached: self.attached.clone(),
            public: self.public,
            home_reader: self.home_reader.clone(),
            came: self.came.clone(),
            ways: self.ways.clone(),
            turned_down: self.turned_down.clone(),
            hints: self.hints,
            timing: self.timing.clone(),
            hinted: self.hinted.clone(),
            plans: self.plans.clone(),
            positions: self.positions.clone(),
            decided: self.decided,
            founders: self.founders.clone(),
            misplaced: self.misplaced,
        }
    }
}

impl std::fmt::Debug for Table {
    /// Without what nobody may know who reads a log of the program.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Table { id, setup, version, phase, .. } = self;
        write!(f, "Table({} {setup:?} version {version} {phase:?})", id.0)
    }
}
