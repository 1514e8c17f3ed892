//! Folds the events of a log into the state of a table. The log is authoritative; the table is
//! derived from it.

use super::chat_state::TableChats;
pub use super::chat_state::{AttachedChat, Location};
use super::clock::{ClockState, LOST_BOARD_CAUSE};
use super::event::{EndReason, Event, LogLine, PlayerOffer, StepLogLine, TableSetup};
use super::guest_marks::GuestMarks;
use super::hints::Hints;
use super::invitations::Invitations;
use super::lobby_agreements::LobbyAgreements;
use super::misplaced_lines::MisplacedLines;
use super::move_history::{FEW_DECISIONS, MoveHistory};
use super::offer_state::Proposer;
use super::offer_state::{Offers, SilentWait};
pub use super::people::{Invitee, Occupant, SeatNewcomer};
use super::rated_games::RatingFacts;
use super::seating::Seating;
use super::seed_commitment::SeedCommitments;
use super::steps::TableStep;
use super::table_times::TableTimes;
use caravanserai_games::ids::TableId;
use caravanserai_games::{GameRefusal, Match, MatchInputError};

/// The state of a table, derived from its log.
pub struct Table {
    /// The table's code.
    pub id: TableId,
    /// The settings with which it opened, kept up to date before the start. Its home may have
    /// changed since, see [`TableChats::home`].
    pub setup: TableSetup,
    /// The number of log lines; commits compare it to detect concurrent changes.
    pub version: u64,
    /// The number of the log line that last changed the rules, the clock, the substitute, or
    /// whether the game counts and gives hints; 0 if none did.
    pub settings_version: u64,
    /// Its players.
    pub seating: Seating,
    /// The settings before the start to which its players have agreed.
    pub(super) lobby_agreements: LobbyAgreements,
    /// The invitations to it.
    pub invitations: Invitations,
    /// The phase of the table's life.
    pub phase: TablePhase,
    /// The game; `None` before the start and where the table is
    /// [outdated](TableSetup::is_outdated).
    pub game: Option<Box<dyn Match>>,
    /// The steps of the game, and the positions that they made.
    pub history: MoveHistory,
    /// The offers that need the consent of other players.
    pub offers: Offers,
    /// The times of its opening, its start and its last event.
    pub times: TableTimes,
    /// The commitments to seeds that were shown here.
    pub commitments: SeedCommitments,
    /// The table where the same people continued, until they offer another rematch because that
    /// table was closed without a result.
    pub next_table: Option<TableId>,
    /// The chats that show it.
    pub chats: TableChats,
    /// The hints: whether they are given, and who received any.
    pub hints: Hints,
    /// The facts that decide whether the game counts for ratings.
    pub rating_facts: RatingFacts,
    /// The players who are guests.
    pub(super) guests: GuestMarks,
    /// The time control and the state of the clocks.
    pub clocks: ClockState,
    /// The last lines of the log, if they belong to another table and were not moved yet.
    pub misplaced: Option<MisplacedLines>,
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

impl Table {
    /// Whether the game has ended with a result.
    pub fn is_over(&self) -> bool {
        matches!(self.phase, TablePhase::Over { .. })
    }

    /// The points by seat of a game that did not end by its rules.
    pub fn early_end_scores(&self) -> Option<&[i32]> {
        match &self.phase {
            TablePhase::Over { scores, reason } if *reason != EndReason::PlayedOut => Some(scores),
            TablePhase::Over { .. }
            | TablePhase::Lobby
            | TablePhase::Playing
            | TablePhase::Closed { .. } => None,
        }
    }

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
            settings_version: 0,
            seating: Seating::default(),
            lobby_agreements: LobbyAgreements::default(),
            invitations: Invitations::default(),
            phase: TablePhase::Lobby,
            game: None,
            history: MoveHistory::default(),
            offers: Offers::default(),
            times: TableTimes::of_new_table(line.at_ms),
            commitments: SeedCommitments::default(),
            next_table: None,
            chats: TableChats::of_new_table(setup),
            hints: Hints::default(),
            rating_facts: RatingFacts::default(),
            guests: GuestMarks::default(),
            clocks: ClockState::default(),
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
        self.times.last_event_ms = line.at_ms;
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
            | Event::SeatChanged { .. }
            | Event::SeatCountSet { .. }
            | Event::KeptOpen
            | Event::InviteesReminded
            | Event::HouseRulesSet { .. }
            | Event::FirstMoverSet { .. }
            | Event::HintsSet { .. }
            | Event::RatedSet { .. }
            | Event::ComputersRated
            | Event::DeclineExplained { .. } => self.apply_lobby_event(line),
            Event::RatingBlocked { .. } | Event::RatingPaused { .. } => {
                self.apply_unrated_player(&line.event)
            }
            Event::GuestSeated { person } => self.guests.record(person, &self.seating, &self.phase),
            Event::HintGiven { seat } => {
                self.hints.record(self.history.position, self.history.steps.len(), *seat);
                self.seating.record_action(*seat, line.at_ms);
            }
            Event::ConditionalMovesSet { seat, plan } => {
                self.history.planned_answers.set(*seat, plan)
            }
            Event::Started { order, .. } => self.start_game(order, line)?,
            Event::OfferMade { .. }
            | Event::OfferAgreed { .. }
            | Event::SubstituteProposed { .. }
            | Event::SubstituteAgreed { .. }
            | Event::SeatReplaced { .. }
            | Event::OfferDeclined { .. } => self.apply_consent(line),
            Event::MovesTakenBack { steps } => self.take_back_steps(*steps, line)?,
            Event::GameOver { scores, reason } => {
                self.end_game(TablePhase::Over { scores: scores.clone(), reason: *reason }, line);
            }
            Event::TableClosed { reason } => {
                self.end_game(TablePhase::Closed { reason: *reason }, line);
            }
            Event::ChatMoved { .. }
            | Event::Attached(_)
            | Event::Detached { .. }
            | Event::PublicSet { .. }
            | Event::PlayerChatChanged { .. } => self.apply_location_event(line),
            Event::AccountsMerged { account, person } => self.merge_account(account, person),
            Event::Clock(timed) => self.apply_clock_event(timed, line),
            Event::SeedCommitted(commitment) => self.commitments.record(commitment, &self.phase),
            Event::ContinuedAt { table } => {
                self.next_table = Some(table.clone());
                self.offers.end();
            }
            Event::MisplacedLinesMoved(_) => self.misplaced = None,
        }
        Ok(())
    }

    fn end_game(&mut self, phase: TablePhase, line: &LogLine) {
        self.phase = phase;
        // A record of a finished game has no times that go back, so neither has a result.
        self.times.ended_ms = Some(line.at_ms.max(self.times.started_ms));
        self.offers.end();
        self.rating_facts.has_ended_with_message = line.cause == LOST_BOARD_CAUSE;
    }

    /// Forgets the next table with the commitment to its seed: it came to nothing, and the same
    /// people want to continue at another one.
    pub(super) fn forget_next_table(&mut self) {
        if self.next_table.take().is_some() {
            self.commitments.next = None;
        }
    }

    /// Applies an event that concerns the consent of other players.
    fn apply_consent(&mut self, line: &LogLine) {
        match &line.event {
            Event::OfferMade { seat, offer } => {
                self.seating.record_action(*seat, line.at_ms);
                self.offers.make(Proposer::Seat(*seat), *offer, line);
                if *offer == PlayerOffer::Rematch {
                    self.forget_next_table();
                }
            }
            Event::OfferAgreed { seat } => {
                self.seating.record_action(*seat, line.at_ms);
                self.offers.agreed_seats.push(*seat);
            }
            Event::SubstituteProposed { seat, by, person, username, name } => {
                by.iter().for_each(|by| self.seating.record_action(*by, line.at_ms));
                let person = person.clone();
                let username = username.clone();
                let invitee = Invitee { person, username, name: name.clone() };
                self.offers.propose_newcomer(*seat, *by, invitee, line);
            }
            Event::SubstituteAgreed { person, name } => {
                self.offers.agree_as_newcomer(person, name);
            }
            Event::SeatReplaced { seat, person, name } => {
                self.record_substitute(*seat, person);
                // The conditional moves of a player are not those of the next one.
                self.history.planned_answers.set(*seat, &Vec::new());
                self.seating.replace(*seat, (person, name), &line.cause, line.at_ms);
                self.clocks.clear_absence(*seat);
                self.clocks.pass_clock(*seat, line.at_ms, self.current_turn());
                self.offers.end();
            }
            Event::OfferDeclined { seat } => {
                if !self.offers.is_request_withdrawn() {
                    self.seating.record_action(*seat, line.at_ms);
                }
                self.offers.decline(*seat, &line.cause);
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
        self.times.last_event_ms = line.at_ms;
        self.play_step(Some(line.seat), line.token, line.number, line.at_ms)
            .map_err(|illegal| format!("line {}: {illegal}", line.number))
    }

    /// Applies the next line if the rules allow its step; otherwise the caller must discard the
    /// table.
    pub(super) fn try_apply_step(&mut self, line: &LogLine) -> Result<(), GameRefusal> {
        let Event::Stepped { seat, token } = &line.event else {
            return Err(GameRefusal::from(MatchInputError::NotNow));
        };
        if self.phase != TablePhase::Playing || line.number != self.version {
            return Err(GameRefusal::from(MatchInputError::NotNow));
        }
        self.version += 1;
        self.times.last_event_ms = line.at_ms;
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
        let has_seat = |it: EndReason| it.seat_at_fault().unwrap_or_default() < seats;
        let (in_time, sound) = match event {
            Event::Stepped { .. } | Event::ChanceDrawn { .. } => (playing, true),
            Event::MovesTakenBack { steps } => {
                (playing, *steps as usize <= self.history.steps.len())
            }
            Event::Opened(_) => (false, true),
            Event::Invited { .. }
            | Event::Seated { .. }
            | Event::Left { .. }
            | Event::InviteeIdentified { .. }
            | Event::InvitationEnded { .. }
            | Event::Kicked { .. }
            | Event::ComputerRemoved { .. }
            | Event::SeatChanged { .. }
            | Event::SeatCountSet { .. }
            | Event::KeptOpen
            | Event::InviteesReminded
            | Event::HouseRulesSet { .. }
            | Event::FirstMoverSet { .. }
            | Event::HintsSet { .. }
            | Event::RatedSet { .. }
            | Event::ComputersRated
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
            Event::SubstituteAgreed { .. } => (playing, self.offers.newcomer.is_some()),
            Event::SeatReplaced { seat, .. }
            | Event::HintGiven { seat }
            | Event::ConditionalMovesSet { seat, .. } => (playing, *seat < seats),
            Event::GameOver { scores, reason } => {
                (playing, scores.len() == usize::from(seats) && has_seat(*reason))
            }
            Event::TableClosed { reason } => (self.is_open(), has_seat(*reason)),
            Event::Clock(timed) => timed.fits(&self.phase, seats),
            Event::Attached(_) | Event::PublicSet { .. } => {
                (self.is_open(), self.chats.can_apply(event))
            }
            Event::ChatMoved { .. } | Event::Detached { .. } | Event::PlayerChatChanged { .. } => {
                (true, self.chats.can_apply(event))
            }
            Event::RatingBlocked { .. }
            | Event::RatingPaused { .. }
            | Event::GuestSeated { .. } => (self.is_open(), true),
            Event::ContinuedAt { .. } | Event::MisplacedLinesMoved(_) => (true, true),
            Event::SeedCommitted(commitment) => {
                (self.phase != TablePhase::Playing, commitment.is_valid())
            }
            Event::AccountsMerged { account, person } => {
                (true, self.seating.can_merge_account(account, person))
            }
            Event::DeclineExplained { .. } => {
                let declined = TablePhase::Closed { reason: EndReason::Declined };
                (self.phase == TablePhase::Lobby || self.phase == declined, true)
            }
        };
        check_fit(in_time, sound)
    }

    fn start_game(&mut self, order: &[u8], line: &LogLine) -> Result<(), String> {
        self.rating_facts.start(&line.event);
        self.seating.assign_seats(order, self.setup.seats)?;
        self.guests.start(&self.seating);
        self.game = if self.setup.is_outdated() { None } else { Some(self.initial_game()?) };
        self.phase = TablePhase::Playing;
        self.lobby_agreements.clear();
        self.times.started_ms = line.at_ms;
        self.record_unrated_players();
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
        let offer_stays = self.offers.outlasts_step(seat, decided);
        if let Some(seat) = seat.filter(|it| self.is_planned_step(*it, token)) {
            self.clocks.planned_turn = Some((seat, self.history.steps.len()));
        }
        if let Some(seat) = seat.filter(|_| self.clocks.is_anyone_absent()) {
            self.record_step_player(seat, !is_forced(self.game.as_deref(), token));
        }
        if !self.setup.is_outdated() {
            let game = self.game.as_mut().ok_or(MatchInputError::NotNow)?;
            TableStep { seat, token }.apply_to(&mut **game)?;
        }
        self.history.steps.push(seat, token);
        if seat.is_none() {
            self.seating.forget_former_players();
        }
        if !offer_stays {
            self.offers.end();
        }
        if let Some(seat) = seat {
            self.seating.record_action(seat, at_ms);
        }
        if decided {
            self.history.decision_count += 1;
            self.seating.last_replacement = None;
        }
        self.record_position(number);
        if self.offers.seat_to_replace().is_some_and(|it| self.seat_to_move() == Some(it)) {
            // Silence counts while the game waits for the player.
            self.offers.silent_wait = SilentWait::starting_at(at_ms);
        }
        Ok(())
    }

    /// Whether a person decides this step: it is neither a computer's step nor the only possible
    /// one, which the table plays by itself. Computed only while the count is needed, because it
    /// costs time in a long log.
    fn is_decision(&self, seat: Option<u8>, token: &str) -> bool {
        let wanted = self.history.has_few_decisions()
            || self.seating.last_replacement.is_some()
            || self.offers.seat_to_replace().is_some();
        wanted
            && seat.is_some_and(|seat| self.computer_level_of(seat).is_none())
            && !is_forced(self.game.as_deref(), token)
    }

    /// Whether a conditional move of this seat makes this step: its turn has begun and passes while
    /// the clock of the turn before still runs.
    fn is_planned_step(&self, seat: u8, token: &str) -> bool {
        self.clocks.running.is_some_and(|it| it.turn.0 != seat)
            && self.timed_turn().is_some_and(|it| it.0 == seat)
            && !is_forced(self.game.as_deref(), token)
    }

    fn take_back_steps(&mut self, steps: u32, line: &LogLine) -> Result<(), String> {
        let before = self.current_turn();
        self.rating_facts.has_takebacks = true;
        self.history.take_back(steps as usize);
        self.clocks.substitute_steps.retain(|it| *it < steps);
        if self.setup.is_outdated() {
            self.offers.end();
            self.record_position(line.number);
            return Ok(());
        }
        let mut game = self.initial_game()?;
        let mut decision_count = 0;
        for step @ TableStep { seat, token } in self.history.steps.iter() {
            let person = seat.is_some_and(|seat| !self.seating.is_computer(seat));
            if decision_count < FEW_DECISIONS
                && person
                && game.forced_action().as_deref() != Some(token)
            {
                decision_count += 1;
            }
            step.apply_to(&mut *game)
                .map_err(|illegal| format!("line {}: {illegal}", line.number))?;
        }
        self.game = Some(game);
        self.history.decision_count = decision_count;
        self.offers.end();
        self.record_position(line.number);
        self.clocks.restore(before, self.current_turn(), self.history.steps.len());
        Ok(())
    }

    fn record_position(&mut self, line: u64) {
        self.offers.forget_declined();
        self.history.record_position(line);
    }

    /// Returns an independent copy, to see the effect of lines before they are committed.
    pub fn duplicate(&self) -> Table {
        Table {
            id: self.id.clone(),
            setup: self.setup.clone(),
            version: self.version,
            settings_version: self.settings_version,
            seating: self.seating.clone(),
            lobby_agreements: self.lobby_agreements.clone(),
            invitations: self.invitations.clone(),
            phase: self.phase.clone(),
            game: self.game.as_ref().map(|it| it.clone_box()),
            history: self.history.clone(),
            offers: self.offers.clone(),
            times: self.times,
            commitments: self.commitments.clone(),
            next_table: self.next_table.clone(),
            chats: self.chats.clone(),
            hints: self.hints.clone(),
            rating_facts: self.rating_facts.clone(),
            guests: self.guests.clone(),
            clocks: self.clocks.clone(),
            misplaced: self.misplaced,
        }
    }
}

/// The description of an event that comes at a wrong time or does not fit the table.
fn check_fit(in_time: bool, sound: bool) -> Result<(), String> {
    match (in_time, sound) {
        (true, true) => Ok(()),
        (false, _) => Err(MatchInputError::NotNow.to_string()),
        (true, false) => Err("its numbers do not fit this table".to_owned()),
    }
}

/// Whether the table plays this step by itself because it is the only possible one.
fn is_forced(game: Option<&dyn Match>, token: &str) -> bool {
    game.is_some_and(|it| it.forced_action().as_deref() == Some(token))
}

impl std::fmt::Debug for Table {
    /// Formats the table without secrets that a reader of the program's log may not see.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Table { id, setup, version, phase, .. } = self;
        write!(f, "Table({} {setup:?} version {version} {phase:?})", id.0)
    }
}
