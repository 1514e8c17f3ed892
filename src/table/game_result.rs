//! Decides whether a game counts for ratings, and extracts the result of a finished game.
//!
//! Whether a game counts follows from what its players can see before it starts: who plays, whether
//! hints are given, and what its opener chose. During the game it changes only by what all players
//! agree to, and by what a player does at their own expense.
//!
//! Games of one person against computers count where the levels have a fixed rating. That they
//! count was not so in earlier versions, and it is stated before the game; so an event before the
//! start records it.
//!
//! A game that a player aborts alone, or that is aborted because a player has let their time run
//! out, has a result without an outcome if the game counted: who does that too often plays without
//! ratings for a while. So has a game that could not go on because its only message was deleted.
//! Such a pause is recorded when the person takes a seat or the game starts, so that everybody
//! knows of it before the game.
//!
//! At tables of three or four single players a person who gives up their seat has lost, and the
//! game goes on counting for the others: otherwise one person could take their points by leaving.
//! That was not so in earlier versions either, so the start of the game records it. In other games
//! that count a seat changes its player only with the consent of the others, also while its player
//! is away. Coming back without their consent undoes no loss.
//!
//! How many games of a pair count on a day is decided when a game starts: otherwise players could
//! end those last that they lose. The start records that, too.
//!
//! Computers do not object. So nothing that the person does alone undoes a loss: after hints and
//! takebacks only a loss counts, nobody can come in while the person is behind, and who never
//! returns to the game has lost. Where several people play with computers, they could agree to what
//! the computers would not; so these games do not count.

use std::collections::BTreeSet;

use super::command::Actor;
use super::consent::{can_others_agree, seats_yet_to_agree};
use super::decide::{DecideResult, Decision, decide_one, loss_event, require_opener};
use super::decision_builder::{DecisionBuilder, EventMeta};
use super::event::{DEFAULT_LEVEL, EndReason, Event};
use super::lobby_commands::require_lobby;
use super::people::SeatNewcomer;
use super::presence::Departure;
use super::review::JudgedSpan;
use super::state::{Table, TablePhase};
use caravanserai_games::GameCounts;
use caravanserai_games::chart::ChartLine;
use caravanserai_games::ids::{PersonId, PlaceKind, is_single_message};
use caravanserai_games::rules::Seat;
use caravanserai_games::search::ComputerLevel;
use caravanserai_results::game_result::{MESSAGE_LOST_CODE, OPENING_STEPS};
use caravanserai_results::{
    CasualReason, GameResult, Leaver, PairLimit, SeatResult, displayed_computer_rating,
};

/// What a table remembers to decide whether its game counts for ratings.
#[derive(Clone, Debug, Default)]
pub struct RatingFacts {
    /// Whether it counts, if the opener chose that.
    pub rated_setting: Option<bool>,
    /// Whether computers do not keep it from counting, see [`Event::ComputersRated`].
    pub(super) are_computers_rated: bool,
    /// Whether leaving costs only the person who leaves, see [`Event::Started`].
    do_leavers_lose: bool,
    /// The limit for the games of a pair, if it was decided when the game started, see
    /// [`Event::Started`].
    pair_limit: Option<PairLimit>,
    /// Whether moves were taken back.
    pub(super) has_takebacks: bool,
    /// Whether the table was closed because its only message was deleted.
    pub(super) has_ended_with_message: bool,
    /// The seats that have changed their players during the game.
    substituted: Vec<u8>,
    /// Whether one of them changed its player in a way that keeps the game from counting.
    is_casual_by_substitute: bool,
    /// The people who gave up their seats during the game without the consent of the others.
    leavers: Vec<Leaver>,
    /// The people whose games here do not count, see [`Event::RatingBlocked`].
    blocked: Vec<PersonId>,
    /// The people whose games do not count until a time, in milliseconds since 1970, see
    /// [`Event::RatingPaused`].
    paused: Vec<(PersonId, u64)>,
}

/// A player whose games do not count for ratings for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PausedPlayer<'t> {
    /// Their displayed name.
    pub name: &'t str,
    /// The end of the pause, in milliseconds since 1970.
    pub until_ms: u64,
}

/// Whose fault it is that a game ended without an outcome.
enum EndFault {
    /// That of the player of this seat.
    Seat(u8),
    /// Nobody knows: its only message was deleted, and a player could not be reached otherwise. Any
    /// of them may have done it to undo a loss.
    LostMessage,
}

impl RatingFacts {
    /// Applies an event that keeps games of a person from counting, or the start of the game.
    pub(super) fn apply(&mut self, event: &Event) {
        match event {
            Event::Started { leavers_lose, pair_limit, .. } => {
                self.do_leavers_lose = *leavers_lose;
                self.pair_limit = *pair_limit;
            }
            Event::RatingBlocked { person } => self.block(person),
            Event::RatingPaused { person, until_ms } => self.pause(person, *until_ms),
            _ => {}
        }
    }

    /// Records that games of this person do not count here.
    fn block(&mut self, person: &PersonId) {
        if !self.blocked.contains(person) {
            self.blocked.push(person.clone());
        }
    }

    /// Records that a computer plays for a player who had no choice. From then on the game does not
    /// count: nobody gains by keeping others out.
    pub(super) fn record_excused_substitute(&mut self, seat: u8) {
        self.is_casual_by_substitute = true;
        if !self.substituted.contains(&seat) {
            self.substituted.push(seat);
        }
    }

    /// Records that games of this person do not count until a time, in milliseconds since 1970.
    fn pause(&mut self, person: &PersonId, until_ms: u64) {
        self.paused.retain(|it| it.0 != *person);
        self.paused.push((person.clone(), until_ms));
    }

    /// Removes what keeps games of this person from counting.
    fn forget(&mut self, person: &PersonId) {
        self.blocked.retain(|it| it != person);
        self.paused.retain(|it| it.0 != *person);
    }

    /// The end of the recorded pause of a person, in milliseconds since 1970.
    fn pause_until_ms(&self, person: &PersonId) -> Option<u64> {
        self.paused.iter().find(|it| it.0 == *person).map(|it| it.1)
    }
}

impl Table {
    /// Why the game at this table does not count for ratings, as far as it is known now; empty if
    /// it counts.
    pub fn casual_reasons(&self) -> Vec<CasualReason> {
        self.casual_reasons_after(self.has_sole_player_lost())
    }

    /// Whether one person plays against computers, and a loss counts for ratings.
    pub fn would_count_as_loss_to_computers(&self) -> bool {
        self.seating.sole_player().is_some() && self.casual_reasons_after(true).is_empty()
    }

    /// Whether a person who plays against computers is behind, and a loss counts for ratings: the
    /// game must not become casual then.
    pub fn is_losing_to_computers(&self) -> bool {
        let Some(person) = self.seating.sole_player() else { return false };
        let Some(game) = self.game.as_deref() else { return false };
        let own: Vec<u8> = self.seating.seats_of(person).collect();
        let lines = game.chart_sample().lines;
        let is_own = |it: &&ChartLine| it.seats.iter().any(|seat| own.contains(seat));
        let best = |is_side: bool| {
            lines.iter().filter(|it| is_own(it) == is_side).map(|it| it.value).max()
        };
        best(true) < best(false) && self.would_count_as_loss_to_computers()
    }

    /// The same as [`Table::casual_reasons`]; `is_lost`: whether a person who plays alone against
    /// computers has lost.
    fn casual_reasons_after(&self, is_lost: bool) -> Vec<CasualReason> {
        let facts = &self.rating_facts;
        let occupants = &self.seating.occupants;
        let plays_twice = || {
            let is_twin =
                |at: usize| occupants[..at].iter().any(|it| it.person == occupants[at].person);
            (0..occupants.len()).any(|at| !occupants[at].is_computer() && is_twin(at))
        };
        let is_blocked = occupants.iter().any(|it| facts.blocked.contains(&it.person));
        let has_unrated = self.has_unrated_computer();
        let is_among_people = self.has_computers() && self.seating.people_seats().len() > 1;
        // Only those who play alone are given hints without the setting.
        let has_hints = self.hints.hinted_seats().next().is_some() && !has_unrated && !is_lost;
        let is_own_loss = is_lost && !has_unrated;
        let is_limited = facts.pair_limit == Some(PairLimit::InChat);
        // Elsewhere such a game counts for the lists of its chat.
        let is_limited_everywhere =
            facts.pair_limit == Some(PairLimit::Everywhere) && self.result_chat().is_empty();
        let found = [
            (facts.rated_setting == Some(false), CasualReason::Chosen),
            (self.setup.coached, CasualReason::Coached),
            (plays_twice(), CasualReason::SamePerson),
            (self.has_guest(), CasualReason::Guest),
            (has_unrated && !is_among_people, CasualReason::ComputerUnrated),
            (is_among_people, CasualReason::SeveralPeople),
            (self.hints.setting == Some(true) || has_hints, CasualReason::Hints),
            (facts.has_takebacks && !is_own_loss, CasualReason::Takeback),
            (facts.is_casual_by_substitute, CasualReason::Substitute),
            (is_blocked, CasualReason::DeletedAccount),
            (self.paused_player().is_some(), CasualReason::RatingPause),
            (is_limited, CasualReason::PairLimit),
            (is_limited_everywhere, CasualReason::PairLimitEverywhere),
        ];
        found.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason).collect()
    }

    /// The player because of whose pause the game does not count: that of the longest pause which
    /// lasts when the game starts, or at present in a lobby.
    pub fn paused_player(&self) -> Option<PausedPlayer<'_>> {
        let at_ms = match self.phase {
            TablePhase::Lobby => self.times.last_event_ms,
            TablePhase::Playing | TablePhase::Over { .. } | TablePhase::Closed { .. } => {
                self.times.started_ms
            }
        };
        // A record of a finished game has whole seconds.
        let lasts = |it: &PausedPlayer<'_>| whole_seconds(at_ms) < it.until_ms;
        let paused = self.seating.occupants.iter().filter_map(|it| {
            let until_ms = self.rating_facts.pause_until_ms(&it.person)?;
            Some(PausedPlayer { name: &it.name, until_ms })
        });
        paused.filter(lasts).max_by_key(|it| it.until_ms)
    }

    /// The parts of the game that say how well people play: decisions that they made themselves. Of
    /// a seat that has changed its player there is none, and nothing of a lesson. What follows a
    /// hint does not count; what came before does, so that nobody keeps bad rounds out with a hint
    /// at their end, or by giving up.
    pub fn judged_spans(&self) -> Vec<JudgedSpan> {
        let shared = self.seats_with_several_players();
        let at_fault = match &self.phase {
            TablePhase::Over { reason, .. } => reason.seat_at_fault(),
            TablePhase::Lobby | TablePhase::Playing | TablePhase::Closed { .. } => None,
        };
        let is_own = |seat: &u8| {
            let is_person = self.seating.occupant(*seat).is_some_and(|it| !it.is_computer());
            is_person && !self.setup.coached && !shared.contains(seat)
        };
        let span = |seat: u8| {
            let hint = self.hints.first_step(seat);
            JudgedSpan {
                seat,
                end: hint.unwrap_or(u32::MAX),
                has_unfinished: hint.is_some() || at_fault == Some(seat),
            }
        };
        (0..self.setup.seats).filter(is_own).map(span).collect()
    }

    /// The seats that have changed their players, or whose player a computer has replaced for some
    /// steps.
    pub fn seats_with_several_players(&self) -> BTreeSet<u8> {
        let by_computer = self.substitute_steps().into_iter().map(|(seat, _)| seat);
        by_computer.chain(self.rating_facts.substituted.iter().copied()).collect()
    }

    /// The levels of the computers that play from the start. A computer that came during the game
    /// is a substitute.
    fn computer_levels(&self) -> impl Iterator<Item = ComputerLevel> {
        let came = |occupant: u8| {
            let seat = self.seating.order.iter().position(|it| *it == occupant);
            seat.is_some_and(|it| self.rating_facts.substituted.contains(&(it as u8)))
        };
        let occupants = (0..).zip(&self.seating.occupants);
        occupants.filter(move |(occupant, _)| !came(*occupant)).filter_map(|(_, it)| it.level())
    }

    /// Whether a computer plays whose level has no fixed rating here, or with which the game does
    /// not count because it began before computers had ratings.
    fn has_unrated_computer(&self) -> bool {
        let was_stated = self.phase == TablePhase::Lobby || self.rating_facts.are_computers_rated;
        self.computer_levels().any(|it| !was_stated || self.computer_rating(it).is_none())
    }

    /// The displayed rating of computers of this level at this table, if they have one by its rules
    /// and with its number of seats.
    pub fn computer_rating(&self, level: ComputerLevel) -> Option<i32> {
        let setup = &self.setup;
        let seats = (setup.seats, setup.has_partners());
        displayed_computer_rating(setup.game, &setup.options, seats, level)
    }

    /// Whether the game counts half: it is rated, and computers play.
    pub fn counts_half(&self) -> bool {
        self.has_computers() && self.casual_reasons().is_empty()
    }

    /// Whether a person who plays alone against computers has lost.
    fn has_sole_player_lost(&self) -> bool {
        let TablePhase::Over { scores, .. } = &self.phase else { return false };
        let Some(person) = self.seating.sole_player() else { return false };
        let mut own = self.seating.seats_of(person).map(usize::from);
        own.any(|it| scores.get(it) < scores.iter().max())
    }

    /// Whether computers play from the start.
    pub fn has_computers(&self) -> bool {
        self.computer_levels().next().is_some()
    }

    /// The event before the start that states that computers do not keep the game from counting.
    pub(super) fn computers_rated_event(&self) -> Option<Event> {
        let is_alone = self.seating.sole_player().is_some();
        // In a lesson nobody expects that the game counts.
        let are_rated = is_alone && !self.setup.coached && !self.has_unrated_computer();
        are_rated.then_some(Event::ComputersRated)
    }

    /// Whether leaving will cost only the person who leaves, if the game starts now. With computers
    /// among several people no game counts.
    pub(super) fn would_leavers_lose(&self) -> bool {
        let are_several = self.seating.people_seats().len() > 1;
        self.setup.seats > 2 && are_several && !self.has_computers() && !self.setup.coached
    }

    /// Whether the game goes on counting for the others when a player gives up their seat without
    /// their consent.
    pub(super) fn goes_on_without_leavers(&self) -> bool {
        self.rating_facts.do_leavers_lose && !self.setup.has_partners()
    }

    /// Whether the seat of a player who is away may be taken without the consent of the others:
    /// they lose nothing by it, because the game does not count, or goes on counting for them.
    pub fn may_take_absent_seats(&self) -> bool {
        self.goes_on_without_leavers() || !self.casual_reasons().is_empty()
    }

    /// The limit for the games of a pair, if it was decided when the game started.
    pub fn pair_limit(&self) -> Option<PairLimit> {
        self.rating_facts.pair_limit
    }

    /// The pairs of people who play against each other, if the game counts for ratings.
    pub fn rated_pairs(&self) -> Vec<(&PersonId, &PersonId)> {
        let mut pairs = Vec::new();
        if !self.casual_reasons().is_empty() {
            return pairs;
        }
        let seats = self.seating.people_seats();
        for (at, &one) in seats.iter().enumerate() {
            for &other in seats[at + 1..].iter().filter(|it| !self.setup.are_partners(one, **it)) {
                let players = self.seating.occupant(one).zip(self.seating.occupant(other));
                pairs.extend(players.map(|(one, other)| (&one.person, &other.person)));
            }
        }
        pairs
    }

    /// Whether the game is one of those that are limited for a pair: it counts, as far as the table
    /// knows, and has or may get an outcome.
    pub fn uses_pair_limit(&self) -> bool {
        match self.phase {
            TablePhase::Playing | TablePhase::Over { .. } => self.casual_reasons().is_empty(),
            TablePhase::Lobby | TablePhase::Closed { .. } => false,
        }
    }

    /// The event that ends a game to which nobody returns. If it is the turn of a person who plays
    /// against computers, and a loss counts, it is lost: otherwise games that go badly would be
    /// left alone.
    pub(super) fn abandonment_event(&self) -> Event {
        let counts = self.would_count_as_loss_to_computers();
        match self.seat_to_move().filter(|seat| counts && !self.seating.is_computer(*seat)) {
            Some(seat) => loss_event(self, seat, EndReason::LostOnTime(seat)),
            None => Event::TableClosed { reason: EndReason::Abandoned },
        }
    }

    /// The result of a finished game; `None` while it is played, and if it ended without a result.
    /// A rated game that a player ended alone has a result without an outcome.
    pub fn game_result(&self) -> Option<GameResult> {
        let (scores, reason) = match &self.phase {
            TablePhase::Over { scores, reason } => (scores, reason),
            TablePhase::Closed { reason } => return self.aborted_result(*reason),
            TablePhase::Lobby | TablePhase::Playing => return None,
        };
        let game = self.game.as_ref()?;
        let counts = self.count_steps();
        let seat_result = |(seat, score): (u8, &i32)| self.seat_result(seat, *score, &counts);
        let seats = (0..).zip(scores).filter_map(seat_result).collect();
        let opening = self.history.steps.iter().take(OPENING_STEPS).map(|it| it.token);
        Some(GameResult {
            rounds: self.counting_rounds(game.round_points()),
            opening: opening.collect::<Vec<_>>().join(" "),
            leavers: self.rating_facts.leavers.clone(),
            casual: self.casual_reasons(),
            ..self.result_frame(*reason, seats)?
        })
    }

    /// The part of a result that does not depend on what was played.
    fn result_frame(&self, reason: EndReason, seats: Vec<SeatResult>) -> Option<GameResult> {
        Some(GameResult {
            table: self.id.clone(),
            game: self.game_id().info().code.to_owned(),
            options: self.setup.options.clone(),
            started_ms: whole_seconds(self.times.started_ms),
            ended_ms: whole_seconds(self.times.ended_ms?),
            chat: self.result_chat().to_owned(),
            clock: self.clocks.control.encode(),
            end_reason: reason.word().to_owned(),
            seat_at_fault: reason.seat_at_fault(),
            seats,
            partners: self.setup.has_partners(),
            rounds: Vec::new(),
            steps: u32::try_from(self.history.steps.len()).unwrap_or(u32::MAX),
            opening: String::new(),
            leavers: Vec::new(),
            casual: Vec::new(),
            pair_limit: self.rating_facts.pair_limit,
        })
    }

    /// The result of a rated game of several people that one of them ended without an outcome: by
    /// aborting it, or by letting their time run out. It says nothing about who played better.
    fn aborted_result(&self, reason: EndReason) -> Option<GameResult> {
        let fault = self.fault_of_end(reason)?;
        let is_person = match fault {
            EndFault::Seat(seat) => !self.seating.is_computer(seat),
            EndFault::LostMessage => true,
        };
        let was_rated = self.game.is_some() && self.casual_reasons().is_empty();
        if !is_person || !was_rated || self.seating.people_seats().len() < 2 {
            return None;
        }
        let counts = GameCounts::default();
        let seats = (0..self.setup.seats).filter_map(|it| self.seat_result(it, 0, &counts));
        let frame = self.result_frame(reason, seats.collect())?;
        let aborted = GameResult { casual: vec![CasualReason::Aborted], ..frame };
        Some(match fault {
            EndFault::Seat(_) => aborted,
            EndFault::LostMessage => GameResult {
                end_reason: MESSAGE_LOST_CODE.to_owned(),
                seat_at_fault: None,
                ..aborted
            },
        })
    }

    /// Whose fault it is that the game ended without an outcome; `None` if it is nobody's.
    fn fault_of_end(&self, reason: EndReason) -> Option<EndFault> {
        let has_lost_message =
            |seat: u8| self.claimed_departure(seat) == Some(Departure::LostMessage);
        match reason {
            EndReason::AbsentPlayer(seat) if has_lost_message(seat) => Some(EndFault::LostMessage),
            EndReason::Abandoned if (0..self.setup.seats).any(has_lost_message) => {
                Some(EndFault::LostMessage)
            }
            EndReason::ChatGone if self.rating_facts.has_ended_with_message => {
                Some(EndFault::LostMessage)
            }
            EndReason::AbortedBy(seat) | EndReason::AbsentPlayer(seat) => {
                // Who had no choice about leaving could not play.
                let how = self.claimed_departure(seat);
                (!how.is_some_and(Departure::is_involuntary)).then_some(EndFault::Seat(seat))
            }
            _ => None,
        }
    }

    /// The rounds that count, each with its points by seat. Where only a loss counts, those that
    /// were not lost do not: they may have been won with hints.
    fn counting_rounds(&self, mut rounds: Vec<Vec<i32>>) -> Vec<Vec<i32>> {
        let only_loss_counts =
            self.casual_reasons().is_empty() && !self.casual_reasons_after(false).is_empty();
        let own = self.seating.sole_player().and_then(|it| self.seating.seats_of(it).next());
        if let Some(own) = own.filter(|_| only_loss_counts) {
            let is_own = |seat: u8| seat == own || self.setup.are_partners(seat, own);
            let points = |round: &[i32], side: bool| -> i32 {
                (0..).zip(round).filter(|it| is_own(it.0) == side).map(|it| *it.1).sum()
            };
            rounds.retain(|it| points(it, true) < points(it, false));
        }
        rounds
    }

    /// The chat that the result of the game belongs to; empty for a game in private or in a single
    /// message.
    pub fn result_chat(&self) -> &str {
        match self.setup.kind {
            PlaceKind::Group if !is_single_message(&self.setup.chat.0) => self.chats.home().chat(),
            PlaceKind::Group | PlaceKind::Private => "",
        }
    }

    /// What each player alone did in the steps so far.
    fn count_steps(&self) -> GameCounts {
        let start = self.game_id().start_match(&self.setup.options, self.setup.seats);
        let mut steps = self.history.steps.iter().map(|it| (it.seat.map(Seat), it.token));
        let counts = start.and_then(|it| it.count_steps(&mut steps));
        // A log whose steps are not possible has made no table.
        let mut counts = counts.unwrap_or_default();
        // What several people have done, or a computer for an absent player, belongs to nobody.
        for seat in self.seats_with_several_players() {
            counts.clear(Seat(seat));
        }
        counts
    }

    fn seat_result(&self, seat: u8, score: i32, counts: &GameCounts) -> Option<SeatResult> {
        let player = self.seating.occupant(seat)?;
        let counts = counts.of_seat(Seat(seat)).into_iter().flatten();
        let count = |(name, number): (&&'static str, &i32)| {
            Some(((*name).to_owned(), u32::try_from(*number).ok()?))
        };
        Some(SeatResult {
            person: player.person.clone(),
            name: player.name.clone(),
            is_computer: player.is_computer(),
            level: player.level().map(|it| it.code().to_owned()),
            score,
            counts: counts.filter_map(count).collect(),
            known_since_ms: None,
            is_absent: self.was_absent(seat),
        })
    }

    /// Whether the player of this seat was absent while a computer played for them: at the end, or
    /// for a third of their steps. In games that began before this mattered nobody was.
    fn was_absent(&self, seat: u8) -> bool {
        if !self.rating_facts.do_leavers_lose {
            return false;
        }
        let (mut all, mut by_computer) = (0, 0);
        for (at, _) in (0..).zip(self.history.steps.iter()).filter(|it| it.1.seat == Some(seat)) {
            all += 1;
            by_computer += u32::from(self.clocks.substitute_steps.contains(&at));
        }
        by_computer > 0 && (self.is_away(seat) || 3 * by_computer >= all)
    }

    /// The level of the computer that plays for absent players. In a game that counts it is not
    /// stronger than a usual player: nobody gains by a partner or a friend who does not play.
    pub(super) fn substitute_level(&self) -> ComputerLevel {
        let level = self.clocks.effective_substitute_level();
        let counts = self.rating_facts.do_leavers_lose && self.casual_reasons().is_empty();
        if counts { level.min(DEFAULT_LEVEL) } else { level }
    }

    /// Records that the player of this seat is replaced. Who leaves without the consent of the
    /// others has lost, unless the game was casual before or they had no choice.
    pub(super) fn record_substitute(&mut self, seat: u8, newcomer: &PersonId) {
        let is_agreed = self.is_exchange_agreed(seat, newcomer);
        let is_excused = is_agreed || self.involuntary_departure(seat).is_some();
        let left = self.seating.occupant(seat).filter(|it| !is_excused && !it.is_computer());
        let rounds = self.game.as_ref().map_or(0, |it| it.round_points().len());
        let leaver = left.map(|it| Leaver {
            seat,
            person: it.person.clone(),
            name: it.name.clone(),
            rounds: u32::try_from(rounds).unwrap_or(u32::MAX),
            casual: self.casual_reasons_after(self.seating.sole_player().is_some()),
        });
        let goes_on = self.goes_on_without_leavers();
        let facts = &mut self.rating_facts;
        facts.leavers.extend(leaver);
        if is_agreed {
            // The others agree that this player comes back.
            facts.leavers.retain(|it| it.seat != seat || it.person != *newcomer);
        }
        facts.substituted.push(seat);
        // The next player of a seat that was given up may come without consent, too.
        let is_left = facts.leavers.iter().any(|it| it.seat == seat);
        let counts = goes_on && is_left && !is_excused;
        facts.is_casual_by_substitute |= !counts;
    }

    /// Whether the others have agreed that this newcomer gets the seat. The last player who agrees
    /// acts with the same event.
    fn is_exchange_agreed(&self, seat: u8, newcomer: &PersonId) -> bool {
        let is_meant =
            |it: &SeatNewcomer| it.has_agreed && it.invitee.person.as_ref() == Some(newcomer);
        let is_offered = self.offers.seat_to_replace() == Some(seat)
            && self.offers.newcomer.as_ref().is_some_and(is_meant)
            && seats_yet_to_agree(self).len() <= 1;
        let by = self.offers.pending.and_then(|(by, _)| self.offers.proposer_seat(by));
        let is_own_wish = by == Some(seat) || self.offers.agreed_seats.contains(&seat);
        // Where the game goes on counting, a player who is away has given up the seat.
        let is_given_up = self.goes_on_without_leavers() && self.is_away(seat) && !is_own_wish;
        is_offered && !is_given_up && can_others_agree(self, seat)
    }

    /// Whether a person has a seat, or gave one up in a game that is over: both may read its
    /// record. During the game a player who left sees what everybody sees.
    pub fn has_played(&self, person: &PersonId) -> bool {
        let mut leavers = self.rating_facts.leavers.iter();
        let is_over = self.is_over();
        self.seating.seats_of(person).next().is_some()
            || is_over && leavers.any(|it| it.person == *person)
    }

    /// Makes an account count as this person.
    pub(super) fn merge_leaver(&mut self, account: &PersonId, person: &PersonId) {
        let leavers = self.rating_facts.leavers.iter_mut();
        leavers.filter(|it| it.person == *account).for_each(|it| it.person.clone_from(person));
        let plays = |it: &PersonId| self.phase != TablePhase::Lobby && self.seating.is_seated(it);
        // Once the game has begun, what was known of its player stays. What is known of the other
        // account must neither make the game casual nor let it count.
        let sources = match (plays(account), plays(person)) {
            (true, false) => vec![account],
            (false, true) => vec![person],
            (true, true) | (false, false) => vec![account, person],
        };
        let is_blocked = sources.iter().any(|it| self.is_rating_blocked(it));
        let paused = sources.iter().filter_map(|it| self.rating_facts.pause_until_ms(it)).max();
        self.rating_facts.forget(person);
        if is_blocked {
            self.rating_facts.block(person);
        }
        if let Some(until_ms) = paused {
            self.rating_facts.pause(person, until_ms);
        }
    }

    /// Whether a person plays a game here that counts for ratings as it is, or that would count if
    /// they lost it; or whether they gave up their seat in it, and its end counts as their loss.
    pub fn is_in_rated_game(&self, person: &PersonId) -> bool {
        let plays_rated = || {
            self.seating.is_seated(person)
                && (self.casual_reasons().is_empty() || self.would_count_as_loss_to_computers())
        };
        self.phase == TablePhase::Playing
            && self.game.is_some()
            && (plays_rated() || self.has_lost_by_leaving(person))
    }

    /// Whether a person gave up their seat and did not come back with the consent of the others, in
    /// a game that counts as their loss once it is over.
    pub fn has_lost_by_leaving(&self, person: &PersonId) -> bool {
        self.rating_facts.leavers.iter().any(|it| it.person == *person && it.casual.is_empty())
    }

    /// Whether games of this person do not count here, because they deleted their account.
    pub fn is_rating_blocked(&self, person: &PersonId) -> bool {
        self.rating_facts.blocked.contains(person)
    }
}

/// Sets before the start whether the game counts for ratings.
pub(super) fn set_rated(table: &Table, actor: &Actor, rated: bool) -> DecideResult {
    require_lobby(table)?;
    require_opener(table, actor)?;
    decide_one(table, actor, Event::RatedSet { rated })
}

/// Adds to the decision that seats them that games of these people do not count for ratings here.
pub fn add_rating_blocks(
    decision: Decision,
    people: impl IntoIterator<Item = PersonId>,
) -> Decision {
    let Some(meta) = EventMeta::of_last_line(&decision) else { return decision };
    let mut draft = DecisionBuilder::continue_from(decision, meta);
    for person in people {
        if draft.table.is_open() && !draft.table.is_rating_blocked(&person) {
            draft.add(Event::RatingBlocked { person });
        }
    }
    draft.finish()
}

/// Adds to a decision that games of these people do not count until a time, in milliseconds since
/// 1970.
pub fn add_rating_pauses(
    decision: Decision,
    people: impl IntoIterator<Item = (PersonId, u64)>,
) -> Decision {
    let Some(meta) = EventMeta::of_last_line(&decision) else { return decision };
    let mut draft = DecisionBuilder::continue_from(decision, meta);
    for (person, until_ms) in people {
        let known_ms = draft.table.rating_facts.pause_until_ms(&person);
        if draft.table.is_open() && known_ms.is_none_or(|it| it < until_ms) {
            draft.add(Event::RatingPaused { person, until_ms });
        }
    }
    draft.finish()
}

/// Adds to a decision that starts a game which limit for the games of a pair is reached.
pub fn state_pair_limit(mut decision: Decision, limit: PairLimit) -> Decision {
    for line in &mut decision.lines {
        if let Event::Started { pair_limit, .. } = &mut line.event {
            *pair_limit = Some(limit);
            decision.table.rating_facts.pair_limit = Some(limit);
        }
    }
    decision
}

/// Records of finished games keep times in whole seconds, and a result must be the same from both.
fn whole_seconds(ms: u64) -> u64 {
    ms / 1_000 * 1_000
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ClockEvent;
    use crate::decision_builder::{apply_external_events, open_table};
    use crate::event::{LogLine, TableSetup, computer_id};
    use caravanserai_games::GameId;
    use caravanserai_games::ids::TableId;

    fn person(id: &str) -> PersonId {
        PersonId(id.to_owned())
    }

    /// A table of two people of Telegram.
    fn table(is_started: bool) -> Table {
        let game = GameId::all()[0];
        let setup = TableSetup::for_test(game, 2, person("tg:1"));
        let sits = |id: &str| Event::Seated { person: person(id), name: id.to_owned() };
        let mut then = vec![sits("tg:1")];
        then.extend(is_started.then(|| sits("tg:2")));
        let meta = EventMeta::received_now(1_000, "tg/1");
        let id = TableId("7k3fx".to_owned());
        open_table(&id, setup, then, is_started, meta).expect("it fits").table
    }

    fn then(table: &Table, events: Vec<Event>) -> Table {
        let meta = EventMeta::received_now(2_000, "tg/2");
        apply_external_events(table, events, meta).expect("they follow").table
    }

    /// The table after an account whose games do not count was linked with this person.
    fn linked(table: &Table, account: &str, with: &str) -> Table {
        let unrated = person("dc:3");
        let (account, with) = (person(account), person(with));
        let events = vec![
            Event::RatingBlocked { person: unrated.clone() },
            Event::RatingPaused { person: unrated, until_ms: u64::MAX },
            Event::AccountsMerged { account, person: with },
        ];
        then(table, events)
    }

    /// A game of three people, who play alone. Earlier programs did not state how leaving counts.
    fn race(states_leaving: bool) -> Table {
        let is_race = |it: &&GameId| !it.info().partners && it.info().seats.1 > 2;
        let game = *GameId::all().iter().find(is_race).expect("a game for three");
        let setup = TableSetup::for_test(game, 3, person("tg:1"));
        let sits = |id: &str| Event::Seated { person: person(id), name: id.to_owned() };
        let all = ["tg:1", "tg:2", "tg:3"].map(sits).to_vec();
        let meta = EventMeta::received_now(1_000, "tg/1");
        let id = TableId("7k3fx".to_owned());
        let table = open_table(&id, setup, all, states_leaving, meta).expect("it fits").table;
        let start = Event::Started { order: vec![0, 1, 2], leavers_lose: false, pair_limit: None };
        if states_leaving { table } else { then(&table, vec![start]) }
    }

    /// This person, or a computer, gets the seat of another.
    fn replaced(seat: u8, newcomer: &PersonId) -> Event {
        Event::SeatReplaced { seat, person: newcomer.clone(), name: String::new() }
    }

    #[test]
    fn leaving_costs_only_the_people_who_leave() {
        let computer = computer_id(DEFAULT_LEVEL);
        let mut table = race(true);
        assert_eq!(table.casual_reasons(), []);
        for seat in [2, 1] {
            table = then(&table, vec![replaced(seat, &computer)]);
            assert_eq!(table.casual_reasons(), [], "seat {seat}");
        }
        let leavers = &table.rating_facts.leavers;
        let found: Vec<_> = leavers.iter().map(|it| (it.seat, it.casual.len())).collect();
        assert_eq!(found, [(2, 0), (1, 0)]);
        // The seat of an absent player may be taken without consent, also by a friend of theirs.
        let taken = then(&race(true), vec![replaced(1, &person("tg:4"))]);
        assert_eq!(taken.casual_reasons(), []);
        assert_eq!(taken.rating_facts.leavers.len(), 1);
        assert!(race(true).may_take_absent_seats());
        assert!(!race(false).may_take_absent_seats(), "it would not count any more");
    }

    #[test]
    fn a_player_who_returns_without_consent_has_lost() {
        let [leaver, friend] = [person("tg:2"), person("tg:4")];
        let seat = race(true).seating.seats_of(&leaver).next().expect("they have a seat");
        let taken = then(&race(true), vec![replaced(seat, &friend), replaced(seat, &leaver)]);
        assert_eq!(taken.casual_reasons(), []);
        let lost: Vec<_> = taken.rating_facts.leavers.iter().map(|it| &it.person).collect();
        assert_eq!(lost, [&leaver, &friend]);
        // With the consent of the others it is their game again, which does not count any more.
        let taken = then(&race(true), vec![replaced(seat, &friend)]);
        let by = (0..3).find(|it| *it != seat);
        let mut events = vec![Event::SubstituteProposed {
            seat,
            by,
            person: Some(leaver.clone()),
            username: None,
            name: String::new(),
        }];
        events.push(Event::SubstituteAgreed { person: leaver.clone(), name: String::new() });
        let others = (0..3).filter(|it| Some(*it) != by);
        events.extend(others.map(|seat| Event::OfferAgreed { seat }));
        events.push(replaced(seat, &leaver));
        let back = then(&taken, events);
        assert_eq!(back.casual_reasons(), [CasualReason::Substitute]);
        assert!(!back.has_lost_by_leaving(&leaver));
    }

    /// The table after this seat has missed three turns. The rules say who moves.
    fn missed(table: &Table, seat: u8) -> Table {
        let late = || Event::Clock(ClockEvent::TimeRanOut { seat });
        then(table, vec![late(), late(), late()])
    }

    #[test]
    fn a_substitute_is_of_a_limited_level_where_the_game_counts() {
        let level = |mut table: Table, level: ComputerLevel| {
            table.clocks.substitute_level = Some(level);
            missed(&table, 1).computer_level_of(1)
        };
        let [weak, strong] = [ComputerLevel::Beginner, ComputerLevel::Master];
        assert_eq!(level(race(true), weak), Some(weak));
        assert_eq!(level(race(true), strong), Some(DEFAULT_LEVEL));
        assert_eq!(level(race(false), strong), Some(strong), "it began earlier");
        let casual = then(&race(true), vec![Event::RatingBlocked { person: person("tg:2") }]);
        assert_eq!(level(casual, strong), Some(strong));
    }

    #[test]
    fn a_player_is_absent_for_whom_a_computer_plays_at_the_end_or_often() {
        let mut table = race(true);
        let seat = table.seat_to_move().expect("the game has begun");
        assert!(!table.was_absent(seat), "nobody has played for them");
        // A computer plays the first step of a late turn.
        table = missed(&table, seat);
        let token = table.game.as_ref().expect("a game").choices(Seat(seat))[0].token.clone();
        table = then(&table, vec![Event::Stepped { seat, token }]);
        assert!(table.was_absent(seat));
        assert!((0..3).filter(|it| *it != seat).all(|it| !table.was_absent(it)));
        table.rating_facts.do_leavers_lose = false;
        assert!(!table.was_absent(seat), "it began earlier");
    }

    #[test]
    fn the_line_of_a_start_states_how_the_game_counts() {
        let (free, here) = (Some(PairLimit::NotReached), Some(PairLimit::InChat));
        let everywhere = Some(PairLimit::Everywhere);
        let cases = [
            (false, None, "3 5 c start 0,2,1"),
            (true, None, "3 5 c start 0,2,1 leavers-lose"),
            (false, free, "3 5 c start 0,2,1 pair-limit=none"),
            (true, here, "3 5 c start 0,2,1 leavers-lose pair-limit=chat"),
            (false, everywhere, "3 5 c start 0,2,1 pair-limit=all"),
        ];
        for (leavers_lose, pair_limit, text) in cases {
            let event = Event::Started { order: vec![0, 2, 1], leavers_lose, pair_limit };
            let line = LogLine { number: 3, at_ms: 5, cause: "c".to_owned(), event };
            assert_eq!(line.encode(), text);
            assert_eq!(LogLine::parse(text), Ok(line));
        }
        for end in ["other", "pair-limit=", "pair-limit=all leavers-lose", "pair-limit=all pair"] {
            assert!(LogLine::parse(&format!("3 5 c start 0,2,1 {end}")).is_err(), "{end}");
        }
    }

    #[test]
    fn a_limit_of_a_pair_is_decided_at_the_start() {
        let game = GameId::all()[0];
        let started = |limit: PairLimit, kind: PlaceKind| {
            let setup = TableSetup { kind, ..TableSetup::for_test(game, 2, person("tg:1")) };
            let sits = |id: &str| Event::Seated { person: person(id), name: id.to_owned() };
            let meta = EventMeta::received_now(1_000, "tg/1");
            let id = TableId("7k3fx".to_owned());
            let both = vec![sits("tg:1"), sits("tg:2")];
            let opened = open_table(&id, setup, both, true, meta).expect("it fits");
            assert_eq!(opened.table.rated_pairs().len(), 1);
            let decision = state_pair_limit(opened, limit);
            let lines: Vec<String> = decision.lines.iter().map(LogLine::encode).collect();
            let read = Table::from_log(&id, &lines).expect("a log");
            assert_eq!(read.casual_reasons(), decision.table.casual_reasons());
            assert_eq!(read.pair_limit(), Some(limit));
            assert_eq!(read.uses_pair_limit(), read.casual_reasons().is_empty());
            read.casual_reasons()
        };
        assert_eq!(started(PairLimit::NotReached, PlaceKind::Group), []);
        assert_eq!(started(PairLimit::InChat, PlaceKind::Group), [CasualReason::PairLimit]);
        assert_eq!(started(PairLimit::Everywhere, PlaceKind::Group), []);
        let alone = started(PairLimit::Everywhere, PlaceKind::Private);
        assert_eq!(alone, [CasualReason::PairLimitEverywhere]);
    }

    #[test]
    fn leaving_makes_a_game_casual_that_began_earlier() {
        let left = then(&race(false), vec![replaced(2, &computer_id(DEFAULT_LEVEL))]);
        assert_eq!(left.casual_reasons(), [CasualReason::Substitute]);
        assert_eq!(left.rating_facts.leavers.len(), 1);
    }

    #[test]
    fn linking_never_makes_a_game_casual_that_has_begun() {
        let table = table(true);
        assert_eq!(table.casual_reasons(), []);
        for (account, with) in [("dc:3", "tg:1"), ("tg:1", "dc:3")] {
            let linked = linked(&table, account, with);
            assert_eq!(linked.casual_reasons(), [], "{account} with {with}");
        }
    }

    #[test]
    fn linking_makes_a_game_casual_that_has_not_begun() {
        let lobby = table(false);
        for (account, with) in [("dc:3", "tg:1"), ("tg:1", "dc:3")] {
            let reasons = linked(&lobby, account, with).casual_reasons();
            let expected = [CasualReason::DeletedAccount, CasualReason::RatingPause];
            assert_eq!(reasons, expected, "{account} with {with}");
        }
    }

    #[test]
    fn only_players_of_a_game_that_counts_are_in_a_rated_game() {
        let lobby = table(false);
        assert!(!lobby.is_in_rated_game(&person("tg:1")), "it has not begun");
        let table = table(true);
        assert!(table.is_in_rated_game(&person("tg:1")));
        assert!(table.is_in_rated_game(&person("tg:2")));
        assert!(!table.is_in_rated_game(&person("dc:3")));
        let casual = then(&table, vec![Event::RatingBlocked { person: person("tg:2") }]);
        assert!(!casual.is_in_rated_game(&person("tg:1")));
    }

    /// Otherwise the loss of a player who left could be left to another account: by linking, or by
    /// giving it the seat for a while.
    #[test]
    fn a_player_who_left_is_in_the_rated_game_until_it_is_over() {
        let table = table(true);
        let who = table.seating.occupant(0).expect("the game has begun").person.clone();
        let replaced = |table: &Table, by: &PersonId| {
            let newcomer = Event::SeatReplaced { seat: 0, person: by.clone(), name: by.0.clone() };
            then(table, vec![newcomer])
        };
        let left = replaced(&table, &person("tg:3"));
        assert!(left.is_in_rated_game(&who));
        assert!(!left.is_in_rated_game(&person("tg:3")), "the game is casual by now");
        assert!(replaced(&left, &who).is_in_rated_game(&who), "nobody agreed to their return");
        let casual = then(&table, vec![Event::RatingBlocked { person: who.clone() }]);
        assert!(!replaced(&casual, &person("tg:3")).is_in_rated_game(&who));
        let closed = Event::TableClosed { reason: EndReason::Aborted };
        assert!(!then(&left, vec![closed]).is_in_rated_game(&who));
    }
}
