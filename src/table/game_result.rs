//! Extracts the result of a finished game.
//!
//! A rated game that a player aborts alone, or that is aborted because a player let their time run
//! out, has a result without an outcome: a person who causes that too often plays unrated for a
//! while. A rated game that could not go on because its only message was deleted has such a result,
//! too.

use super::event::EndReason;
use super::presence::Departure;
use super::review::JudgedSpan;
use super::state::{Table, TablePhase};
use caravanserai_games::GameCounts;
use caravanserai_games::ids::is_single_message;
use caravanserai_games::rules::Seat;
use caravanserai_results::game_result::{MESSAGE_LOST_CODE, OPENING_STEPS};
use caravanserai_results::{CasualReason, GameResult, Leaver, SeatResult};

/// The player at fault for the end of a game without an outcome.
enum EndFault {
    /// That of the player of this seat.
    Seat(u8),
    /// Nobody knows: its only message was deleted, and a player could not be reached otherwise. Any
    /// of them may have done it to undo a loss.
    LostMessage,
}
impl Table {
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

    /// The player at fault for an end without an outcome; `None` if nobody is.
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

    /// The person who gave up this seat first, without the consent of the others: the only one of
    /// its leavers who can be rated.
    pub fn first_leaver(&self, seat: u8) -> Option<&Leaver> {
        self.rating_facts.leavers.iter().find(|it| it.seat == seat)
    }

    /// The chat that the result of the game belongs to: the one in which it was opened, also if
    /// that chat has lost its board. Empty for a game in private or in a single message.
    pub fn result_chat(&self) -> &str {
        match self.chats.origin_group() {
            Some(chat) if !is_single_message(&self.setup.chat.0) => chat.without_topic(),
            Some(_) | None => "",
        }
    }

    /// Counts the actions of each player alone in the steps so far.
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
        let mut all = 0;
        let mut by_computer = 0;
        for (at, _) in (0..).zip(self.history.steps.iter()).filter(|it| it.1.seat == Some(seat)) {
            all += 1;
            by_computer += u32::from(self.clocks.substitute_steps.contains(&at));
        }
        by_computer > 0 && (self.is_away(seat) || 3 * by_computer >= all)
    }
}

/// Records of finished games keep times in whole seconds, and a result must be the same from both.
pub(super) fn whole_seconds(ms: u64) -> u64 {
    ms / 1_000 * 1_000
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::test_rated_tables::{missed, race, then};

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
}
