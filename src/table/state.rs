//! Folds the events of a log into the state of a table. The log is authoritative; the table is
//! derived from it.

use super::clock::ClockState;
use super::consent::SilentWait;
use super::event::{EndReason, Event, LogLine, PlayerOffer, StepLogLine, TableSetup};
use super::misplaced_lines::MisplacedLines;
use super::steps::{Steps, TableStep};
use caravanserai_games::ids::{PersonId, PlaceId, TableId};
use caravanserai_games::{GameRefusal, Match, MatchInputError};

use super::conditional_moves::ConditionalMoves;
pub use super::locations::{AttachedChat, Location};
use super::people::DeclineReason;
pub use super::people::{Invitee, Occupant, SeatNewcomer};
use super::presence::AccessRoutes;
use super::seed_commitment::SeedCommitment;

/// The state of a table, derived from its log.
pub struct Table {
    /// The table's code.
    pub id: TableId,
    /// The settings with which it opened, kept up to date before the start.
    pub setup: TableSetup,
    /// The number of log lines; commits compare it to detect concurrent changes.
    pub version: u64,
    /// The players in the order of sitting down. A person may have two chairs only in a private
    /// chat.
    pub chairs: Vec<Occupant>,
    /// The friends who were invited, including those who have come.
    pub invited: Vec<Invitee>,
    /// The invitees who declined or whose invitation ended.
    pub declined_invitees: Vec<Invitee>,
    /// The reasons that invitees gave for declining, by name.
    pub decline_reasons: Vec<(String, DeclineReason)>,
    /// The people whom the opener removed: they cannot come back by themselves.
    pub kicked: Vec<PersonId>,
    /// The phase of the table's life.
    pub phase: TablePhase,
    /// Whether the rules of its game have changed since it opened: its log is then kept as a
    /// record, and nothing in it is interpreted.
    pub is_outdated: bool,
    /// The game; `None` before the start and where the table is outdated.
    pub game: Option<Box<dyn Match>>,
    /// `order[seat]` is the chair; empty before the start.
    pub order: Vec<u8>,
    /// The valid steps, without those that were taken back.
    pub steps: Steps,
    /// The pending offer, and the seat that made it.
    pub offer: Option<(u8, PlayerOffer)>,
    /// The seats that have agreed to it.
    pub agreed_seats: Vec<u8>,
    /// The time at which it was made, in milliseconds since 1970.
    pub offered_ms: u64,
    /// How long the player who may object to being replaced has been silent.
    pub(super) silent_wait: SilentWait,
    /// The proposed newcomer for a seat, while that offer is pending.
    pub newcomer: Option<SeatNewcomer>,
    /// The last replacement, until a player acts: the seat, and its previous player.
    pub last_replacement: Option<(u8, Occupant)>,
    /// The number of the log line that made the present position. Buttons carry it, so a stale
    /// press has another number.
    pub position: u64,
    /// The time of each chair's last action, in milliseconds since 1970.
    pub last_action_ms: Vec<u64>,
    /// The time at which the table opened, in milliseconds since 1970.
    pub opened_ms: u64,
    /// The time at which the game started, or else the table opened, in milliseconds since 1970.
    pub started_ms: u64,
    /// The time of the last event, in milliseconds since 1970.
    pub last_event_ms: u64,
    /// The time at which invitees were last reminded, in milliseconds since 1970; 0 if never.
    pub last_reminder_ms: u64,
    /// The commitment to its seed that was shown before it started.
    pub seed_commitment: Option<SeedCommitment>,
    /// The commitment for the next table of the same people.
    pub next_seed_commitment: Option<SeedCommitment>,
    /// The table where the same people continued.
    pub next_table: Option<TableId>,
    /// The chats besides its home, in the order in which they were attached.
    pub attached_chats: Vec<AttachedChat>,
    /// Whether everybody who knows the code may watch, if the players have set that.
    pub is_public: Option<bool>,
    /// The single reader of its home chat, if a private chat has become the home.
    pub(super) home_reader: Option<PersonId>,
    /// The chats from which people last acted, where these differ from the chats in which the bot
    /// looks for them by default.
    pub(super) last_chats: Vec<(PersonId, PlaceId)>,
    /// The access routes of people to this table, see [`super::presence`].
    pub(super) access_routes: AccessRoutes,
    /// The offers that were declined in the present position: they cannot be made again there.
    pub declined_offers: Vec<(u8, PlayerOffer)>,
    /// Whether hints are given, if that was set; see [`Table::gives_hints`].
    pub hints_setting: Option<bool>,
    /// The time control and the state of the clocks.
    pub clocks: ClockState,
    /// By seat: the number of hints it received, and the position of the last one.
    pub(super) hint_counts: Vec<(u32, u64)>,
    /// The conditional moves that seats have set, see [`super::conditional_moves`].
    pub(super) conditional_moves: Vec<(u8, ConditionalMoves)>,
    /// For each line that made a position: its number, and the number of steps in that position.
    pub(super) positions: Vec<(u64, u32)>,
    /// The number of steps that people decided, counted up to [`FEW_DECISIONS`] at least.
    pub(super) decision_count: u32,
    /// The entropy from the people seated at the start, see [`Table::people_entropy`].
    pub(super) starting_entropy: Vec<String>,
    /// The last lines of the log, if they belong to another table.
    pub(super) misplaced: Option<MisplacedLines>,
}

/// The phase of a table's life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TablePhase {
    /// The table waits for people.
    Lobby,
    /// The game is being played.
    Playing,
    /// The game ended with a result.
    Over {
        /// The points by seat.
        scores: Vec<i32>,
        /// The reason.
        reason: EndReason,
    },
    /// The table was closed without a result.
    Closed {
        /// The reason.
        reason: EndReason,
    },
}

/// A game with this many decisions by people can no longer be called off early.
pub(super) const FEW_DECISIONS: u32 = 2;

impl Table {
    /// Builds a table from a whole log.
    ///
    /// # Errors
    /// Returns a description when a line is damaged or does not follow from the lines before it.
    pub fn from_log(id: &TableId, lines: &[String]) -> Result<Table, String> {
        let mut lines = lines.iter();
        let first = lines.next().ok_or("an empty log")?;
        let mut table = Table::from_opening(id, &LogLine::parse(first)?)?;
        lines.try_for_each(|it| table.apply_stored_line(it))?;
        Ok(table)
    }

    /// Builds a table from its first line.
    ///
    /// # Errors
    /// When the line does not open a table, or its rules are of a newer program.
    pub fn from_opening(id: &TableId, line: &LogLine) -> Result<Table, String> {
        let Event::Opened(setup) = &line.event else {
            return Err("the first line of a log must open a table".into());
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
            declined_invitees: Vec::new(),
            decline_reasons: Vec::new(),
            kicked: Vec::new(),
            phase: TablePhase::Lobby,
            is_outdated: setup.revision < setup.game.info().revision,
            game: None,
            order: Vec::new(),
            steps: Steps::default(),
            offer: None,
            agreed_seats: Vec::new(),
            offered_ms: 0,
            silent_wait: SilentWait::default(),
            newcomer: None,
            last_replacement: None,
            position: 0,
            last_action_ms: Vec::new(),
            opened_ms: line.at_ms,
            started_ms: line.at_ms,
            last_event_ms: line.at_ms,
            last_reminder_ms: 0,
            seed_commitment: None,
            next_seed_commitment: None,
            next_table: None,
            attached_chats: Vec::new(),
            is_public: None,
            home_reader: None,
            last_chats: Vec::new(),
            access_routes: AccessRoutes::default(),
            declined_offers: Vec::new(),
            hints_setting: None,
            clocks: ClockState::default(),
            hint_counts: Vec::new(),
            conditional_moves: Vec::new(),
            positions: Vec::new(),
            decision_count: 0,
            starting_entropy: Vec::new(),
            misplaced: None,
        })
    }

    /// Applies the next line.
    ///
    /// # Errors
    /// When the line does not follow; the caller must then discard the table.
    pub fn apply(&mut self, line: &LogLine) -> Result<(), String> {
        self.check_line_number(line.number)?;
        self.check_event(&line.event).map_err(|why| format!("line {}: {why}", line.number))?;
        self.version += 1;
        self.last_event_ms = line.at_ms;
        let illegal = |it: GameRefusal| format!("line {}: {it}", line.number);
        match &line.event {
            Event::Stepped { seat, token } => {
                self.play_step(Some(*seat), token, line.number, line.at_ms).map_err(illegal)?
            }
            Event::ChanceDrawn { token } => {
                self.play_step(None, token, line.number, line.at_ms).map_err(illegal)?
            }
            // `check_event` has refused it.
            Event::Opened(_) => {}
            Event::Invited { .. }
            | Event::Seated { .. }
            | Event::Left { .. }
            | Event::InviteeIdentified { .. }
            | Event::InvitationEnded { .. }
            | Event::Kicked { .. }
            | Event::ComputerRemoved { .. }
            | Event::PlaceChanged { .. }
            | Event::SeatCountSet { .. }
            | Event::KeptOpen
            | Event::InviteesReminded
            | Event::HouseRulesSet { .. }
            | Event::FirstMoverSet { .. }
            | Event::HintsSet { .. } => self.apply_lobby_event(line),
            Event::DeclineExplained { name, why } => {
                self.decline_reasons.push((name.clone(), *why))
            }
            Event::HintGiven { seat } => self.record_hint(*seat, line.at_ms),
            Event::ConditionalMovesSet { seat, plan } => self.apply_conditional_moves(*seat, plan),
            Event::Started { order } => self.start_game(order, line)?,
            Event::OfferMade { .. }
            | Event::OfferAgreed { .. }
            | Event::SubstituteProposed { .. }
            | Event::SubstituteAgreed { .. }
            | Event::SeatReplaced { .. }
            | Event::OfferDeclined { .. } => self.apply_consent(line),
            Event::MovesTakenBack { steps } => self.take_back_steps(*steps, line)?,
            Event::GameOver { scores, reason } => {
                self.end_game(TablePhase::Over { scores: scores.clone(), reason: *reason });
            }
            Event::TableClosed { reason } => self.end_game(TablePhase::Closed { reason: *reason }),
            Event::ChatMoved { .. }
            | Event::Attached(_)
            | Event::Detached { .. }
            | Event::PublicSet { .. }
            | Event::PlayerChatChanged { .. } => self.apply_location_event(line),
            Event::AccountsMerged { account, person } => self.merge_account(account, person),
            Event::Clock(timed) => self.apply_clock_event(timed, line),
            Event::SeedCommitted(promise) => self.apply_seed_commitment(promise),
            Event::ContinuedAt { table } => {
                self.next_table = Some(table.clone());
                self.end_offer();
            }
            Event::MisplacedLinesMoved(_) => self.misplaced = None,
        }
        Ok(())
    }

    fn end_game(&mut self, phase: TablePhase) {
        self.phase = phase;
        self.end_offer();
    }

    /// Applies an event that concerns the consent of other players.
    fn apply_consent(&mut self, line: &LogLine) {
        match &line.event {
            Event::OfferMade { seat, offer } => {
                self.record_action(*seat, line.at_ms);
                self.make_offer(*seat, *offer, line.at_ms);
            }
            Event::OfferAgreed { seat } => {
                self.record_action(*seat, line.at_ms);
                self.agreed_seats.push(*seat);
            }
            Event::SubstituteProposed { seat, by, person, username, name } => {
                by.iter().for_each(|by| self.record_action(*by, line.at_ms));
                self.make_offer(
                    by.unwrap_or(*seat),
                    PlayerOffer::Replace { seat: *seat },
                    line.at_ms,
                );
                let (person, username) = (person.clone(), username.clone());
                let who = Invitee { person, username, name: name.clone() };
                let asked_themselves = by.is_none();
                let agreed = asked_themselves || who.is_computer();
                self.newcomer =
                    Some(SeatNewcomer { invitee: who, asked_themselves, has_agreed: agreed });
            }
            Event::SubstituteAgreed { person, name } => {
                if let Some(newcomer) = &mut self.newcomer {
                    newcomer.invitee.person = Some(person.clone());
                    newcomer.invitee.name.clone_from(name);
                    newcomer.has_agreed = true;
                }
            }
            Event::SeatReplaced { seat, person, name } => {
                self.replace_player(*seat, person, name, line)
            }
            Event::OfferDeclined { seat } => {
                self.record_action(*seat, line.at_ms);
                self.declined_offers.extend(self.offer);
                self.end_offer();
            }
            _ => {}
        }
    }

    /// Applies a step line. Does the same as [`Table::apply`] for the most common event.
    pub(super) fn apply_step(&mut self, line: &StepLogLine<'_>) -> Result<(), String> {
        self.check_line_number(line.number)?;
        if self.phase != TablePhase::Playing {
            return Err(format!("line {}: {}", line.number, MatchInputError::NotNow));
        }
        self.version += 1;
        self.last_event_ms = line.at_ms;
        self.play_step(Some(line.seat), line.token, line.number, line.at_ms)
            .map_err(|illegal| format!("line {}: {illegal}", line.number))
    }

    /// Applies the next line, a step that the rules may refuse; the caller must then discard the
    /// table.
    pub(super) fn apply_legal(&mut self, line: &LogLine) -> Result<(), GameRefusal> {
        let Event::Stepped { seat, token } = &line.event else {
            return Err(GameRefusal::from(MatchInputError::NotNow));
        };
        if self.phase != TablePhase::Playing || line.number != self.version {
            return Err(GameRefusal::from(MatchInputError::NotNow));
        }
        self.version += 1;
        self.last_event_ms = line.at_ms;
        self.play_step(Some(*seat), token, line.number, line.at_ms)
    }

    fn check_line_number(&self, number: u64) -> Result<(), String> {
        if number == self.version {
            return Ok(());
        }
        Err(format!("line {number} where {} should stand", self.version))
    }

    /// Whether an event can follow at all; the game checks the event afterwards.
    fn check_event(&self, event: &Event) -> Result<(), String> {
        let seats = self.setup.seats;
        let playing = self.phase == TablePhase::Playing;
        let (in_time, sound) = match event {
            Event::Stepped { .. } | Event::ChanceDrawn { .. } => (playing, true),
            Event::MovesTakenBack { steps } => (playing, *steps as usize <= self.steps.len()),
            Event::Opened(_) => (false, true),
            Event::Invited { .. }
            | Event::Seated { .. }
            | Event::Left { .. }
            | Event::InviteeIdentified { .. }
            | Event::InvitationEnded { .. }
            | Event::Kicked { .. }
            | Event::ComputerRemoved { .. }
            | Event::PlaceChanged { .. }
            | Event::SeatCountSet { .. }
            | Event::KeptOpen
            | Event::InviteesReminded
            | Event::HouseRulesSet { .. }
            | Event::FirstMoverSet { .. }
            | Event::HintsSet { .. }
            | Event::Started { .. } => {
                (self.phase == TablePhase::Lobby, self.can_apply_lobby_event(event))
            }
            // Players offer and decline a rematch after the end.
            Event::OfferMade { seat, .. }
            | Event::OfferDeclined { seat }
            | Event::OfferAgreed { seat } => {
                (matches!(self.phase, TablePhase::Playing | TablePhase::Over { .. }), *seat < seats)
            }
            Event::SubstituteProposed { seat, by, .. } => {
                (playing, *seat < seats && by.is_none_or(|it| it < seats))
            }
            Event::SubstituteAgreed { .. } => (playing, self.newcomer.is_some()),
            Event::SeatReplaced { seat, .. }
            | Event::HintGiven { seat }
            | Event::ConditionalMovesSet { seat, .. } => (playing, *seat < seats),
            Event::GameOver { scores, reason } => {
                (playing, scores.len() == usize::from(seats) && reason.affected_seat() < seats)
            }
            Event::TableClosed { reason } => (self.is_open(), reason.affected_seat() < seats),
            Event::Clock(timed) => self.can_apply_clock_event(timed),
            Event::Attached(_) | Event::PublicSet { .. } => {
                (self.is_open(), self.can_apply_location_event(event))
            }
            Event::ChatMoved { .. } | Event::Detached { .. } | Event::PlayerChatChanged { .. } => {
                (true, self.can_apply_location_event(event))
            }
            Event::ContinuedAt { .. } | Event::MisplacedLinesMoved(_) => (true, true),
            Event::SeedCommitted(promise) => {
                (self.phase != TablePhase::Playing, promise.is_valid())
            }
            Event::AccountsMerged { account, person } => {
                (true, self.can_merge_account(account, person))
            }
            Event::DeclineExplained { .. } => {
                let declined = TablePhase::Closed { reason: EndReason::Declined };
                (self.phase == TablePhase::Lobby || self.phase == declined, true)
            }
        };
        match (in_time, sound) {
            (true, true) => Ok(()),
            (false, _) => Err(MatchInputError::NotNow.to_string()),
            (true, false) => Err("its numbers do not fit this table".to_owned()),
        }
    }

    fn start_game(&mut self, order: &[u8], line: &LogLine) -> Result<(), String> {
        let sits = |chair: u8| order.contains(&chair);
        let full = self.chairs.len() == usize::from(self.setup.seats);
        if !full || order.len() != self.chairs.len() || !(0..self.setup.seats).all(sits) {
            return Err("the order does not fit the chairs".into());
        }
        self.starting_entropy = self.people_entropy();
        self.order = order.to_vec();
        self.game = if self.is_outdated { None } else { Some(self.initial_game()?) };
        self.phase = TablePhase::Playing;
        self.started_ms = line.at_ms;
        self.record_position(line.number);
        Ok(())
    }

    /// The game as it was at the start.
    pub(super) fn initial_game(&self) -> Result<Box<dyn Match>, String> {
        let TableSetup { game, options, seats, .. } = &self.setup;
        game.start_match(options, *seats).map_err(|illegal| format!("cannot start: {illegal}"))
    }

    fn play_step(
        &mut self,
        seat: Option<u8>,
        token: &str,
        number: u64,
        at_ms: u64,
    ) -> Result<(), GameRefusal> {
        let decided = self.is_decision(seat, token);
        let stays = match (self.offer, seat) {
            // A player who is to be replaced and makes a move is present after all.
            (Some((by, PlayerOffer::Replace { seat: other })), Some(seat)) => {
                let asked_themselves = self.newcomer.as_ref().is_some_and(|it| it.asked_themselves);
                seat != other || (by == seat && !asked_themselves) || !decided
            }
            (Some((_, PlayerOffer::Replace { .. })), None) => true,
            // Any other offer is pending until the game moves on.
            _ => false,
        };
        if let Some(seat) = seat.filter(|_| self.is_anyone_absent()) {
            self.record_step_player(seat, !self.is_forced(token));
        }
        if !self.is_outdated {
            let game = self.game.as_mut().ok_or(MatchInputError::NotNow)?;
            TableStep { seat, token }.apply_to(&mut **game)?;
        }
        self.steps.push(seat, token);
        if !stays {
            self.end_offer();
        }
        if let Some(seat) = seat {
            self.record_action(seat, at_ms);
        }
        if decided {
            self.decision_count += 1;
            self.last_replacement = None;
        }
        self.record_position(number);
        Ok(())
    }

    /// Whether a person decides this step: it is neither a computer's step nor the only possible
    /// one, which the table plays by itself. Computed only while the count is needed, because it
    /// costs time in a long log.
    fn is_decision(&self, seat: Option<u8>, token: &str) -> bool {
        let wanted = self.decision_count < FEW_DECISIONS
            || self.last_replacement.is_some()
            || matches!(self.offer, Some((_, PlayerOffer::Replace { .. })));
        wanted
            && seat.is_some_and(|seat| self.computer_level_of(seat).is_none())
            && !self.is_forced(token)
    }

    /// Whether the table plays this step by itself because it is the only possible one.
    fn is_forced(&self, token: &str) -> bool {
        self.game.as_ref().is_some_and(|it| it.forced_action().as_deref() == Some(token))
    }

    fn make_offer(&mut self, seat: u8, offer: PlayerOffer, at_ms: u64) {
        self.end_offer();
        self.offer = Some((seat, offer));
        self.offered_ms = at_ms;
        self.silent_wait = SilentWait::starting_at(at_ms);
    }

    pub(super) fn end_offer(&mut self) {
        self.offer = None;
        self.agreed_seats.clear();
        self.newcomer = None;
    }

    fn replace_player(&mut self, seat: u8, person: &PersonId, name: &str, line: &LogLine) {
        let chair = usize::from(self.chair_of(seat));
        if let (Some(occupant), Some(acted)) =
            (self.chairs.get_mut(chair), self.last_action_ms.get_mut(chair))
        {
            let (person, name, cause) = (person.clone(), name.to_owned(), line.cause.clone());
            let new = Occupant { person, name, joining_update: cause, place: occupant.place };
            self.last_replacement = Some((seat, std::mem::replace(occupant, new)));
            *acted = line.at_ms;
        }
        self.reset_absence(seat, line.at_ms);
        self.end_offer();
    }

    fn take_back_steps(&mut self, steps: u32, line: &LogLine) -> Result<(), String> {
        self.steps.truncate(steps as usize);
        self.clocks.substitute_steps.retain(|it| *it < steps);
        self.decision_count = 0;
        if self.is_outdated {
            self.end_offer();
            self.record_position(line.number);
            return Ok(());
        }
        let mut game = self.initial_game()?;
        for step @ TableStep { seat, token } in self.steps.iter() {
            let person = seat.is_some_and(|seat| !self.is_computer(seat));
            if self.decision_count < FEW_DECISIONS
                && person
                && game.forced_action().as_deref() != Some(token)
            {
                self.decision_count += 1;
            }
            step.apply_to(&mut *game)
                .map_err(|illegal| format!("line {}: {illegal}", line.number))?;
        }
        self.game = Some(game);
        self.end_offer();
        self.record_position(line.number);
        self.restore_clocks();
        Ok(())
    }

    fn record_position(&mut self, line: u64) {
        self.position = line;
        self.declined_offers.clear();
        self.conditional_moves.clear();
        self.positions.push((line, self.steps.len() as u32));
    }

    pub(super) fn record_action(&mut self, seat: u8, at_ms: u64) {
        let chair = self.chair_of(seat);
        if let Some(acted) = self.last_action_ms.get_mut(usize::from(chair)) {
            *acted = at_ms;
        }
    }

    /// Returns an independent copy, to see the effect of lines before they are committed.
    pub fn duplicate(&self) -> Table {
        Table {
            id: self.id.clone(),
            setup: self.setup.clone(),
            version: self.version,
            chairs: self.chairs.clone(),
            invited: self.invited.clone(),
            declined_invitees: self.declined_invitees.clone(),
            decline_reasons: self.decline_reasons.clone(),
            kicked: self.kicked.clone(),
            phase: self.phase.clone(),
            is_outdated: self.is_outdated,
            game: self.game.as_ref().map(|it| it.clone_box()),
            order: self.order.clone(),
            steps: self.steps.clone(),
            offer: self.offer,
            agreed_seats: self.agreed_seats.clone(),
            offered_ms: self.offered_ms,
            silent_wait: self.silent_wait,
            newcomer: self.newcomer.clone(),
            last_replacement: self.last_replacement.clone(),
            position: self.position,
            last_action_ms: self.last_action_ms.clone(),
            opened_ms: self.opened_ms,
            started_ms: self.started_ms,
            last_event_ms: self.last_event_ms,
            last_reminder_ms: self.last_reminder_ms,
            seed_commitment: self.seed_commitment.clone(),
            next_seed_commitment: self.next_seed_commitment.clone(),
            next_table: self.next_table.clone(),
            attached_chats: self.attached_chats.clone(),
            is_public: self.is_public,
            home_reader: self.home_reader.clone(),
            last_chats: self.last_chats.clone(),
            access_routes: self.access_routes.clone(),
            declined_offers: self.declined_offers.clone(),
            hints_setting: self.hints_setting,
            clocks: self.clocks.clone(),
            hint_counts: self.hint_counts.clone(),
            conditional_moves: self.conditional_moves.clone(),
            positions: self.positions.clone(),
            decision_count: self.decision_count,
            starting_entropy: self.starting_entropy.clone(),
            misplaced: self.misplaced,
        }
    }
}

impl std::fmt::Debug for Table {
    /// Formats the table without secrets that a reader of the program's log may not see.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Table { id, setup, version, phase, .. } = self;
        write!(f, "Table({} {setup:?} version {version} {phase:?})", id.0)
    }
}
