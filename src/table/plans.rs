//! Moves that are settled before it is the turn: "if they play this, I play that". Nobody else
//! knows of them before they are made. They hold for the next move of the other side only.

use super::command::Actor;
use super::decide::{Decided, Refusal, in_play, no, one, seat_of};
use super::event::Event;
use super::fold::Table;
use super::steps::Step;
use caravanserai_games::rules::Seat;
use caravanserai_games::words::Text;
use caravanserai_i18n::vocabulary;

/// What a seat plays if the other plays something: tokens of both.
pub type Plan = Vec<(String, String)>;

/// So many answers may be settled at once.
const ANSWERS: usize = 9;

/// Somebody settles what they play next, in words: `3 7, 5 2`; none: nothing any more.
pub(super) fn foresee(table: &Table, actor: &Actor, words: &str) -> Decided {
    let game = in_play(table)?;
    let seat = seat_of(table, actor)?;
    let turn = table.turn().ok_or_else(|| no("refuse-plan-turn"))?;
    let info = table.game_id().info();
    if info.seats.1 != 2 || info.hidden {
        return Err(no("refuse-plan-game"));
    }
    if turn == seat || table.is_computer(turn) {
        return Err(no("refuse-plan-turn"));
    }
    let mut plan = Plan::new();
    let pairs = words.split([',', ';']).map(str::trim).filter(|it| !it.is_empty());
    for pair in pairs.take(ANSWERS) {
        let mut words = pair.split_whitespace().filter(|it| it.chars().any(char::is_alphanumeric));
        let (Some(theirs), Some(own)) = (words.next(), words.next()) else {
            return Err(no("refuse-plan-words"));
        };
        let what = |typed: &str| Refusal {
            text: Text::new("refuse-plan-move").with("typed", typed),
            stale: false,
        };
        let guessed = game.guess(Seat(turn), theirs, vocabulary());
        let theirs = guessed.ok_or_else(|| what(theirs))?;
        let mut then = game.copy();
        let step = Step { seat: Some(turn), token: &theirs };
        step.play(&mut *then).map_err(|_| what(&theirs))?;
        let own = then.guess(Seat(seat), own, vocabulary()).ok_or_else(|| what(own))?;
        // What is understood need not be legal.
        let mut after = then.copy();
        let step = Step { seat: Some(seat), token: &own };
        if let Err(illegal) = step.play(&mut *after) {
            return Err(Refusal { text: then.refuse(Seat(seat), &own, illegal), stale: false });
        }
        plan.retain(|(it, _)| *it != theirs);
        plan.push((theirs, own));
    }
    one(table, actor, Event::Foreseen { seat, plan })
}

/// Whether somebody can play this now.
pub(super) fn is_legal(table: &Table, seat: u8, token: &str) -> bool {
    let Some(mut game) = table.game.as_deref().map(|it| it.copy()) else { return false };
    Step { seat: Some(seat), token }.play(&mut *game).is_ok()
}

impl Table {
    /// What a seat has settled for the next move of the other.
    pub fn plan_of(&self, seat: u8) -> &[(String, String)] {
        self.plans.iter().find(|(it, _)| *it == seat).map_or(&[], |(_, plan)| plan)
    }

    /// What somebody has settled to answer to this step of another seat: who, and what.
    pub(super) fn foreseen(&self, by: u8, token: &str) -> Option<(u8, String)> {
        let others = self.plans.iter().filter(|(seat, _)| *seat != by);
        let answer = |(seat, plan): &(u8, Plan)| {
            let (_, own) = plan.iter().find(|(theirs, _)| theirs == token)?;
            Some((*seat, own.clone()))
        };
        others.into_iter().find_map(answer)
    }

    pub(super) fn plan(&mut self, seat: u8, plan: &Plan) {
        self.plans.retain(|(it, _)| *it != seat);
        if !plan.is_empty() {
            self.plans.push((seat, plan.clone()));
        }
    }
}
