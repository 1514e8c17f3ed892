//! Handles conditional moves, planned before a seat's turn: "if they play this, I play that". Other
//! players cannot see them before they are made. They apply to the next move of the other side
//! only.

use super::command::Actor;
use super::decide::{DecideResult, Refusal, decide_one, game_in_play, refuse, seat_of};
use super::event::Event;
use super::state::Table;
use super::steps::TableStep;
use caravanserai_games::rules::Seat;
use caravanserai_games::text::Text;
use caravanserai_i18n::vocabulary;

/// Pairs of the other seat's move and the planned answer, as tokens.
pub type ConditionalMoves = Vec<(String, String)>;

/// The maximum number of planned answers.
const CONDITIONAL_MOVES_MAX: usize = 9;

/// Sets the actor's conditional moves from typed text: `3 7, 5 2`. An empty text removes them.
pub(super) fn set_conditional_moves(table: &Table, actor: &Actor, words: &str) -> DecideResult {
    let game = game_in_play(table)?;
    let seat = seat_of(table, actor)?;
    let turn = table.seat_to_move().ok_or_else(|| refuse("refuse-plan-turn"))?;
    let info = table.game_id().info();
    if info.seats.most != 2 || info.hidden {
        return Err(refuse("refuse-plan-game"));
    }
    if turn == seat || table.seating.is_computer(turn) {
        return Err(refuse("refuse-plan-turn"));
    }
    let mut plan = ConditionalMoves::new();
    let pairs = words.split([',', ';']).map(str::trim).filter(|it| !it.is_empty());
    for pair in pairs.take(CONDITIONAL_MOVES_MAX) {
        let mut words = pair.split_whitespace().filter(|it| it.chars().any(char::is_alphanumeric));
        let (Some(theirs), Some(own)) = (words.next(), words.next()) else {
            return Err(refuse("refuse-plan-words"));
        };
        let what = |typed: &str| Refusal::new(Text::new("refuse-plan-move").with("typed", typed));
        let guessed = game.parse_move(Seat(turn), theirs, vocabulary());
        let theirs = guessed.ok_or_else(|| what(theirs))?;
        let mut then = game.clone_box();
        let step = TableStep { seat: Some(turn), token: &theirs };
        step.apply_to(&mut *then).map_err(|_| what(&theirs))?;
        let own = then.parse_move(Seat(seat), own, vocabulary()).ok_or_else(|| what(own))?;
        // An understood move may still be illegal.
        let mut after = then.clone_box();
        let step = TableStep { seat: Some(seat), token: &own };
        if let Err(illegal) = step.apply_to(&mut *after) {
            return Err(Refusal::new(then.explain_refusal(Seat(seat), &own, illegal)));
        }
        plan.retain(|(it, _)| *it != theirs);
        plan.push((theirs, own));
    }
    decide_one(table, actor, Event::ConditionalMovesSet { seat, plan })
}

/// Whether a seat can play this move now.
pub(super) fn is_legal(table: &Table, seat: u8, token: &str) -> bool {
    let Some(mut game) = table.game.as_deref().map(|it| it.clone_box()) else { return false };
    TableStep { seat: Some(seat), token }.apply_to(&mut *game).is_ok()
}

/// The conditional moves that seats have set for the next move of the other side.
#[derive(Clone, Debug, Default)]
pub struct PlannedAnswers {
    by_seat: Vec<(u8, ConditionalMoves)>,
}

impl PlannedAnswers {
    /// The conditional moves of a seat.
    pub fn of_seat(&self, seat: u8) -> &[(String, String)] {
        self.by_seat.iter().find(|(it, _)| *it == seat).map_or(&[], |(_, plan)| plan)
    }

    /// Returns the seat and the answer planned for this step of another seat.
    pub(super) fn answer_to(&self, by: u8, token: &str) -> Option<(u8, String)> {
        let others = self.by_seat.iter().filter(|(seat, _)| *seat != by);
        let answer = |(seat, plan): &(u8, ConditionalMoves)| {
            let (_, own) = plan.iter().find(|(theirs, _)| theirs == token)?;
            Some((*seat, own.clone()))
        };
        others.into_iter().find_map(answer)
    }

    /// Replaces the conditional moves of a seat.
    pub(super) fn set(&mut self, seat: u8, plan: &ConditionalMoves) {
        self.by_seat.retain(|(it, _)| *it != seat);
        if !plan.is_empty() {
            self.by_seat.push((seat, plan.clone()));
        }
    }
}
