//! A game at a table: the cup, undo, automatic plays, facts, the end.

use super::action::{PiecePlace, Series, ThaayamAction, WholeTurn};
use super::fact::ThaayamFact;
use super::illegal::ThaayamIllegal;
use super::options::ThaayamOptions;
use super::parse_move;
use super::position::ThaayamPosition;
use super::refusal;
use super::turn::{ThaayamTurn, ThrowUse, lost_throw_count};
use super::turn_history::{PlayedThrow, RECENT_TURNS_MAX, TurnRecord};
use super::view::{ThaayamView, ThaayamViewStage as ViewStage};
use crate::rules::{Entropy, Node, Rules, Seat, Token, Viewer};
use crate::vocabulary::WordLists;

/// The most distinct ends of a turn that are offered as whole results.
pub const WHOLES_MAX: usize = 8;

/// The most undos of one series of throws that are offered: each is a step of the log.
const UNDONE_MAX: u32 = 40;

/// A game in progress or finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thaayam {
    /// The position before this series.
    position: ThaayamPosition,
    stage: ThaayamStage,
    seat: Seat,
    number: u32,
    /// Whether this is a further series of the same turn.
    is_further_series: bool,
    /// Whether all pieces of this seat were home when its turn began.
    home_at_start: bool,
    recent_turns: Vec<TurnRecord>,
    /// The turn in which each seat last threw or decided; it has seen all events until then.
    last_action_turns: [u32; 4],
    /// The seat that last had a choice, and its turn.
    last_chooser: Seat,
    last_choice_turn: u32,
    places: Vec<Seat>,
    /// The undos in this series.
    undo_count: u32,
    /// The legal actions of the seat to move, sorted, and those that the table plays automatically.
    legal: Vec<ThaayamAction>,
    forced: Option<ThaayamAction>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ThaayamStage {
    Throwing,
    Cup(Series),
    Sharing { turn: ThaayamTurn, back: Vec<UndoPoint> },
    Over,
}

/// The state to which undo returns: the turn before a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UndoPoint {
    turn: ThaayamTurn,
    plays: usize,
}

impl Thaayam {
    /// A game that begins with a position and this seat to move.
    pub fn from_position(position: ThaayamPosition, seat: Seat) -> Self {
        Self {
            position,
            stage: ThaayamStage::Throwing,
            seat,
            number: 1,
            is_further_series: false,
            home_at_start: position.side(seat).is_home(),
            recent_turns: Vec::new(),
            last_action_turns: [1; 4],
            last_chooser: seat,
            last_choice_turn: 1,
            places: Vec::new(),
            undo_count: 0,
            legal: Vec::new(),
            forced: None,
        }
    }

    /// All pieces before this series of throws.
    pub fn position(&self) -> &ThaayamPosition {
        &self.position
    }

    /// All pieces now, those moved and killed in this turn included.
    pub fn position_now(&self) -> ThaayamPosition {
        let ThaayamStage::Sharing { turn, .. } = &self.stage else { return self.position };
        let mut position = self.position.with_side(self.seat, *turn.own());
        position.kill(self.seat, turn.hits());
        position
    }

    /// The number of the current turn, from 1.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The last turns, at most [`RECENT_TURNS_MAX`].
    pub fn recent_turns(&self) -> &[TurnRecord] {
        &self.recent_turns
    }

    /// The seats that have finished, in order; with partners the pair that has won.
    pub fn places(&self) -> &[Seat] {
        &self.places
    }

    /// The place that a seat has got, from 1, where the others play on for theirs.
    pub(super) fn place_of(&self, seat: Seat) -> Option<u8> {
        let options = self.position.options();
        let place = self.places.iter().position(|it| *it == seat)? + 1;
        let counts = options.play_on && !options.partners;
        counts.then(|| u8::try_from(place).unwrap_or(u8::MAX))
    }

    fn refuse(&self, seat: Seat, action: &ThaayamAction) -> Option<ThaayamIllegal> {
        if seat == self.seat && self.legal.contains(action) {
            return None;
        }
        Some(if matches!(self.stage, ThaayamStage::Over) {
            ThaayamIllegal::GameIsOver
        } else if seat != self.seat {
            ThaayamIllegal::NotYourTurn
        } else {
            refusal::why(&self.position, self.recent_turns.last(), &self.stage, action)
        })
    }

    /// Opens the dice.
    fn open(&mut self, series: &Series, facts: &mut Vec<ThaayamFact>) {
        let seat = self.seat;
        let throws = series.throws().to_vec();
        let dropped = lost_throw_count(&self.position, seat, &throws);
        let lost = u8::try_from(dropped).unwrap_or(u8::MAX);
        let turn = ThaayamTurn::new(&self.position, seat, &throws);
        facts.push(ThaayamFact::Thrown { seat, throws: throws.clone(), lost });
        if self.recent_turns.len() == RECENT_TURNS_MAX {
            self.recent_turns.remove(0);
        }
        self.recent_turns.push(TurnRecord {
            number: self.number,
            seat,
            is_further_series: self.is_further_series,
            throws,
            lost,
            plays: Vec::new(),
            killed_at_end: [0; 4],
            ended: false,
            place: None,
            opened: false,
        });
        self.stage = ThaayamStage::Sharing { turn, back: Vec::new() };
        self.undo_count = 0;
    }

    /// Plays these throws in order; `is_chosen` if a player chose them.
    fn play(&mut self, plays: &[ThrowUse], is_chosen: bool, facts: &mut Vec<ThaayamFact>) {
        let (ThaayamStage::Sharing { turn, back }, Some(record)) =
            (&mut self.stage, self.recent_turns.last_mut())
        else {
            return;
        };
        if is_chosen {
            back.push(UndoPoint { turn: *turn, plays: record.plays.len() });
        }
        for play in plays {
            let (Some(to), Some(after)) = (turn.target(*play), turn.after(*play)) else { return };
            let new_hits = after.hits() & !turn.hits();
            let killed = { self.position }.kill(self.seat, new_hits);
            let played = PlayedThrow { throw: play.throw, from: play.from, to, killed };
            record.plays.push(played);
            facts.push(ThaayamFact::Played { seat: self.seat, play: played });
            *turn = after;
        }
        if turn.is_done() {
            self.end_series(facts);
        }
    }

    fn undo(&mut self, facts: &mut Vec<ThaayamFact>) {
        let (ThaayamStage::Sharing { turn, back }, Some(record)) =
            (&mut self.stage, self.recent_turns.last_mut())
        else {
            return;
        };
        if let Some(before) = back.pop() {
            self.undo_count = self.undo_count.saturating_add(1);
            *turn = before.turn;
            let throws = record.plays.drain(before.plays..).count();
            let throws = u8::try_from(throws).unwrap_or(u8::MAX);
            facts.push(ThaayamFact::Undone { seat: self.seat, throws });
        }
    }

    /// Ends the series: the mover has played all that can be played, or is done.
    fn end_series(&mut self, facts: &mut Vec<ThaayamFact>) {
        let ThaayamStage::Sharing { turn, .. } = self.stage.clone() else { return };
        let seat = self.seat;
        let (position, killed) = turn.end(self.position);
        self.position = position;
        let at_end = self.position.options().kills_at_the_end;
        if let Some(record) = self.recent_turns.last_mut() {
            record.ended = true;
            if at_end {
                record.killed_at_end = killed;
            }
        }
        let has_killed = killed.iter().any(|it| *it > 0);
        if at_end && has_killed {
            facts.push(ThaayamFact::KilledAtEnd { seat, killed });
        }
        if turn.is_done() {
            self.finish(facts);
        } else {
            facts.push(ThaayamFact::Passed { seat, unused: turn.left().count() });
            self.is_further_series = self.position.options().kill_again && has_killed;
            if self.is_further_series {
                facts.push(ThaayamFact::Again { seat });
                self.stage = ThaayamStage::Throwing;
            } else {
                self.pass_on(facts);
            }
        }
    }

    /// Finishes a player whose pieces are all home.
    fn finish(&mut self, facts: &mut Vec<ThaayamFact>) {
        let seat = self.seat;
        let options = *self.position.options();
        self.places.push(seat);
        let place = u8::try_from(self.places.len()).unwrap_or(u8::MAX);
        if let Some(record) = self.recent_turns.last_mut() {
            record.place = Some(place);
        }
        facts.push(ThaayamFact::Finished { seat, place });
        let over = if options.partners {
            let partner = Seat((seat.0 + 2) % 4);
            self.places.contains(&partner)
        } else {
            !options.play_on || place + 1 >= self.position.seats()
        };
        if over {
            self.stage = ThaayamStage::Over;
            let together = |it: &Seat| self.position.are_together(*it, seat);
            if options.partners {
                self.places.retain(together);
                self.places.sort_unstable();
            }
            let winners = if options.partners { &self.places[..] } else { &self.places[..1] };
            facts.push(ThaayamFact::Ended { winners: winners.to_vec() });
        } else {
            self.is_further_series = false;
            self.pass_on(facts);
        }
    }

    /// Whether nothing may be borne off in this series although all pieces are home: the last one
    /// came home in an earlier series of the turn (A11).
    fn must_not_bear_off(&self) -> bool {
        let may = self.position.options().same_turn_bear_off || self.home_at_start;
        let is_sharing = matches!(self.stage, ThaayamStage::Sharing { .. });
        is_sharing && !may && self.position.side(self.seat).is_home()
    }

    fn pass_on(&mut self, facts: &mut Vec<ThaayamFact>) {
        self.number += 1;
        self.stage = ThaayamStage::Throwing;
        // At least one player is not done, or the game would be over.
        for _ in 0..self.position.seats() {
            self.seat = Seat((self.seat.0 + 1) % self.position.seats());
            if !self.position.is_done(self.seat) {
                break;
            }
        }
        self.home_at_start = self.position.side(self.seat).is_home();
        if self.position.open_if_stuck() {
            facts.push(ThaayamFact::Opened);
            if let Some(record) = self.recent_turns.last_mut() {
                record.opened = true;
            }
        }
    }

    /// Computes the legal actions, and those that need no decision.
    fn update_legal_actions(&mut self) {
        self.legal.clear();
        self.forced = None;
        match &self.stage {
            ThaayamStage::Throwing | ThaayamStage::Over => {}
            // A player always opens their own dice, even where these leave no choice.
            ThaayamStage::Cup(_) => self.legal.push(ThaayamAction::Throw),
            ThaayamStage::Sharing { turn, back } => {
                let (legal, forced) = choices(&self.position, turn, back.is_empty());
                self.legal = legal;
                self.forced = forced;
            }
        }
        if self.must_not_bear_off() && !self.legal.contains(&ThaayamAction::Done) {
            self.legal.push(ThaayamAction::Done);
        }
        self.legal.sort_by_cached_key(Token::write);
    }

    fn scores(&self) -> Vec<i32> {
        let seats = self.position.seats();
        let score = |seat: Seat| match self.place_of(seat) {
            Some(place) => i32::from(seats.saturating_sub(place)),
            None => i32::from(self.places.contains(&seat)),
        };
        (0..seats).map(Seat).map(score).collect()
    }
}

/// The legal actions while throws are used, and those that need no decision.
fn choices(
    position: &ThaayamPosition,
    turn: &ThaayamTurn,
    nothing_decided: bool,
) -> (Vec<ThaayamAction>, Option<ThaayamAction>) {
    let colour = position.colour(turn.seat());
    let mut legal = Vec::new();
    let mut forced = None;
    if !nothing_decided {
        legal.push(ThaayamAction::Undo);
    }
    let plays = turn.plays();
    let plays = plays.as_slice();
    let as_action = |play: &ThrowUse| ThaayamAction::Use {
        throw: play.throw,
        piece: PiecePlace::of_play(colour, *play),
    };
    legal.extend(plays.iter().map(as_action));
    let Some(first) = plays.first() else {
        legal.push(ThaayamAction::Done);
        return (legal, nothing_decided.then_some(ThaayamAction::Done));
    };
    let outcomes = turn.outcomes(WHOLES_MAX);
    let goes_on =
        |play: &ThrowUse| turn.after(*play).is_some_and(|it| !it.plays().as_slice().is_empty());
    if outcomes.len() == 1 {
        forced = Some(as_action(first));
    } else if outcomes.len() <= WHOLES_MAX && plays.iter().any(goes_on) {
        let pieces = position.options().pieces;
        let wholes = outcomes.iter().filter_map(|it| WholeTurn::new(colour, it, pieces));
        legal.extend(wholes.map(ThaayamAction::Whole));
    }
    (legal, forced)
}

impl Rules for Thaayam {
    type Options = ThaayamOptions;
    type Action = ThaayamAction;
    type Chance = Series;
    type View = ThaayamView;
    type Fact = ThaayamFact;
    type Illegal = ThaayamIllegal;

    const REVISION: u16 = 1;

    fn start(options: &ThaayamOptions, seats: u8) -> Result<Self, ThaayamIllegal> {
        Ok(Self::from_position(ThaayamPosition::start(*options, seats)?, Seat(0)))
    }

    fn node(&self) -> Node {
        match self.stage {
            ThaayamStage::Throwing => Node::Chance,
            ThaayamStage::Cup(_) | ThaayamStage::Sharing { .. } => Node::Act(self.seat),
            ThaayamStage::Over => Node::Over(self.scores()),
        }
    }

    fn actions(&self, seat: Seat) -> Vec<ThaayamAction> {
        if seat != self.seat {
            return Vec::new();
        }
        // Logs of earlier programs may have more undos than are offered now, and pieces that were
        // borne off too early.
        let is_offered = |it: &ThaayamAction| match it {
            ThaayamAction::Undo => self.undo_count < UNDONE_MAX,
            ThaayamAction::Use { .. } | ThaayamAction::Whole(_) => !self.must_not_bear_off(),
            ThaayamAction::Throw | ThaayamAction::Done => true,
        };
        self.legal.iter().copied().filter(is_offered).collect()
    }

    /// The parts of the only result; passes the dice on after a turn without a choice.
    fn forced_action(&self) -> Option<ThaayamAction> {
        if self.must_not_bear_off() { Some(ThaayamAction::Done) } else { self.forced }
    }

    fn apply_action(
        &mut self,
        seat: Seat,
        action: &ThaayamAction,
        facts: &mut Vec<ThaayamFact>,
    ) -> Result<(), ThaayamIllegal> {
        if let Some(illegal) = self.refuse(seat, action) {
            return Err(illegal);
        }
        let is_chosen = ![self.forced, self.forced_action()].contains(&Some(*action));
        if is_chosen {
            self.last_action_turns[seat.index() & 3] = self.number;
        }
        if is_chosen && *action != ThaayamAction::Throw {
            (self.last_chooser, self.last_choice_turn) = (seat, self.number);
        }
        match action {
            ThaayamAction::Throw => {
                if let ThaayamStage::Cup(series) = self.stage.clone() {
                    self.open(&series, facts);
                }
            }
            ThaayamAction::Use { throw, piece } => {
                if let Some(from) = piece.step(self.position.colour(seat)) {
                    self.play(&[ThrowUse { throw: *throw, from }], is_chosen, facts);
                }
            }
            ThaayamAction::Whole(whole) => {
                let outcome = whole.outcome(self.position.colour(seat));
                let route = match (&self.stage, outcome) {
                    (ThaayamStage::Sharing { turn, .. }, Some(outcome)) => turn.route(&outcome),
                    _ => None,
                };
                self.play(&route.unwrap_or_default(), is_chosen, facts);
            }
            ThaayamAction::Undo => self.undo(facts),
            ThaayamAction::Done => self.end_series(facts),
        }
        self.update_legal_actions();
        Ok(())
    }

    fn draw_chance(&self, entropy: &mut dyn Entropy) -> Series {
        Series::draw(entropy)
    }

    fn apply_chance(
        &mut self,
        outcome: &Series,
        facts: &mut Vec<ThaayamFact>,
    ) -> Result<(), ThaayamIllegal> {
        if !matches!(self.stage, ThaayamStage::Throwing) {
            return Err(ThaayamIllegal::WrongStage);
        }
        if self.position.options().throws_by_itself {
            self.open(outcome, facts);
        } else {
            self.stage = ThaayamStage::Cup(outcome.clone());
        }
        self.update_legal_actions();
        Ok(())
    }

    fn is_chance_hidden(&self) -> bool {
        matches!(self.stage, ThaayamStage::Cup(_))
    }

    fn view(&self, _viewer: Viewer) -> ThaayamView {
        let (stage, can_undo) = match &self.stage {
            ThaayamStage::Throwing => (ViewStage::Throwing, false),
            ThaayamStage::Cup(_) => (ViewStage::Cup, false),
            ThaayamStage::Sharing { turn, back } => {
                let turn = if self.must_not_bear_off() { turn.without_off() } else { *turn };
                (ViewStage::Sharing(turn), !back.is_empty() && self.undo_count < UNDONE_MAX)
            }
            ThaayamStage::Over => (ViewStage::Over, false),
        };
        let asked = if stage == ViewStage::Over { self.last_chooser } else { self.seat };
        ThaayamView {
            position: self.position_now(),
            turn: (stage != ViewStage::Over).then_some(self.seat),
            number: self.number,
            stage,
            can_undo,
            recent_turns: self.recent_turns.clone(),
            last_decision_turn: self.last_action_turns[asked.index() & 3],
            decided_last: self.last_choice_turn,
            places: self.places.clone(),
        }
    }

    fn parse_move(&self, seat: Seat, text: &str, words: &WordLists) -> Option<ThaayamAction> {
        parse_move::parse_move(&self.position, self.actions(seat).as_slice(), seat, (text, words))
    }
}
