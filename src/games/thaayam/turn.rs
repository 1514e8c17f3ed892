//! One series of throws while a player uses it for their pieces (S10 to S18).
//!
//! Meanwhile no other player moves, so a turn consists of the mover's own pieces, the squares on
//! which enemies were hit, and the throws that are left. [`ThaayamTurn`] is small and cheap to
//! copy.

use super::board::{FORTRESS, HAND, INSIDE, OFF};
use super::options::EarlyThrowRule;
use super::position::{PlayerPieces, ThaayamPosition, square_of};
use crate::rules::Seat;

/// The most throws of one series that count. A longer one has a chance of 1e-27.
pub const SERIES_MAX: usize = 63;

/// One use of one throw: by the piece on this step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThrowUse {
    /// Points: 1, 2, 3, 4 or 8.
    pub throw: u8,
    /// The piece's step: −1 in hand (enter), 24 in the fortress (bear off).
    pub from: i8,
}

/// The throws that are left, by value: the order of a series does not matter once the lost ones are
/// dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ThrowsLeft([u8; KINDS]);

/// Values of throws in the order in which they are tried: the largest first.
pub const THROWS: [u8; KINDS] = [8, 4, 3, 2, 1];
const KINDS: usize = 5;

impl ThrowsLeft {
    /// Counts throws.
    pub fn from_throws(throws: &[u8]) -> Self {
        let mut left = Self::default();
        for throw in throws {
            left.0[kind(*throw)] += 1;
        }
        left
    }

    /// The number of throws.
    pub fn count(&self) -> u8 {
        self.0.iter().sum()
    }

    /// The number of throws of this value.
    pub fn of_value(&self, throw: u8) -> u8 {
        self.0[kind(throw)]
    }
}

fn kind(throw: u8) -> usize {
    match throw {
        8 => 0,
        4 => 1,
        3 => 2,
        2 => 3,
        _ => 4,
    }
}

/// The possible plays, without an allocation.
#[derive(Clone, Copy, Debug)]
pub struct Plays {
    list: [ThrowUse; 4 * KINDS],
    len: usize,
}

impl Plays {
    /// Largest throw first, then the rearmost piece.
    pub fn as_slice(&self) -> &[ThrowUse] {
        &self.list[..self.len]
    }
}

/// A turn in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThaayamTurn {
    seat: Seat,
    path: &'static [u8; 25],
    /// Squares with enemies that can be hit, as of the beginning of the turn.
    enemies: u32,
    rules: TurnRules,
    pub(super) at: TurnPoint,
}

/// The house rules and circumstances that matter within a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a rule of its own")]
struct TurnRules {
    exact: bool,
    kills_at_the_end: bool,
    ends_in_fortress: bool,
    must_use_most: bool,
    may_go_in: bool,
    may_bear_off: bool,
    block_on_path: bool,
}

/// The state that changes within a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TurnPoint {
    pub own: PlayerPieces,
    /// Squares on which enemies were killed.
    pub hits: u32,
    pub left: ThrowsLeft,
}

/// Whether throws of this seat before the first 1 are dropped (S11).
pub fn loses_early_throws(position: &ThaayamPosition, seat: Seat) -> bool {
    let on_board = |step: &i8| match position.options().early_throws {
        EarlyThrowRule::DroppedIfAllInHand => *step > HAND && *step < OFF,
        EarlyThrowRule::DroppedIfNoneOnTrack => *step > HAND && *step < FORTRESS,
        EarlyThrowRule::NeverDropped => true,
    };
    !position.side(seat).steps().iter().any(on_board)
}

/// The number of throws at the beginning of a series that are dropped (S11).
pub fn lost_throw_count(position: &ThaayamPosition, seat: Seat, throws: &[u8]) -> usize {
    if !loses_early_throws(position, seat) {
        return 0;
    }
    throws.iter().position(|throw| *throw == 1).unwrap_or(throws.len())
}

impl ThaayamTurn {
    /// Begins the turn of a series; throws before the first 1 may be lost.
    pub fn new(position: &ThaayamPosition, seat: Seat, throws: &[u8]) -> Self {
        let options = position.options();
        let own = *position.side(seat);
        let usable = &throws[lost_throw_count(position, seat, throws)..];
        let rules = TurnRules {
            exact: options.exact,
            kills_at_the_end: options.kills_at_the_end,
            ends_in_fortress: options.ends_in_fortress,
            must_use_most: options.must_use_most,
            may_go_in: position.may_go_in(seat),
            may_bear_off: options.same_turn_bear_off || own.is_home(),
            block_on_path: options.block_on_path,
        };
        let path = position.colour(seat).path();
        let enemies = position.enemies(seat);
        Self {
            seat,
            path,
            enemies,
            rules,
            at: TurnPoint { own, hits: 0, left: ThrowsLeft::from_throws(usable) },
        }
    }

    /// The same, but nothing may be borne off.
    #[must_use]
    pub(super) fn without_off(&self) -> Self {
        Self { rules: TurnRules { may_bear_off: false, ..self.rules }, ..*self }
    }

    /// The seat whose turn it is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The mover's current pieces.
    pub fn own(&self) -> &PlayerPieces {
        &self.at.own
    }

    /// Throws that are left.
    pub fn left(&self) -> &ThrowsLeft {
        &self.at.left
    }

    /// Squares on which enemies were killed so far.
    pub fn hits(&self) -> u32 {
        self.at.hits
    }

    /// Whether this play is possible; ignores the duty to use as many throws as possible (A8).
    pub fn is_legal(&self, play: ThrowUse) -> bool {
        THROWS.contains(&play.throw)
            && self.at.left.of_value(play.throw) > 0
            && self.at.own.count(play.from) > 0
            && self.target(play).is_some()
    }

    /// Whether the inner track is closed to the mover: a kill is needed first (A19).
    pub fn is_shut(&self) -> bool {
        !self.opened(&self.at)
    }

    fn opened(&self, at: &TurnPoint) -> bool {
        self.rules.may_go_in || (at.hits != 0 && !self.rules.kills_at_the_end)
    }

    /// The step to which a play leads, if there is such a piece and such a throw.
    pub fn target(&self, play: ThrowUse) -> Option<i8> {
        self.target_at(&self.at, play)
    }

    pub(super) fn target_at(&self, at: &TurnPoint, play: ThrowUse) -> Option<i8> {
        let rules = &self.rules;
        let throw = i8::try_from(play.throw).ok()?;
        match play.from {
            HAND => (throw == 1).then_some(0),
            FORTRESS => {
                let may = throw == 1 && rules.may_bear_off && !rules.ends_in_fortress;
                (may && at.own.is_home()).then_some(OFF)
            }
            OFF => None,
            from => {
                let to = from + throw;
                if to > FORTRESS && rules.exact {
                    return None;
                }
                let to = to.min(FORTRESS);
                if from < INSIDE && to >= INSIDE && !self.opened(at) {
                    return None;
                }
                (!rules.block_on_path || self.is_free(at, from, to)).then_some(to)
            }
        }
    }

    /// Whether no enemy is between two steps.
    fn is_free(&self, at: &TurnPoint, from: i8, to: i8) -> bool {
        let enemies = self.enemies & !at.hits;
        let between = (from + 1..to).filter_map(|step| square_of(self.path, step));
        between.into_iter().all(|square| enemies >> square & 1 == 0)
    }

    /// All plays that S12 allows.
    pub(super) fn plays_at(&self, at: &TurnPoint) -> Plays {
        let mut plays = Plays { list: [ThrowUse { throw: 0, from: 0 }; 4 * KINDS], len: 0 };
        for (throw, left) in THROWS.into_iter().zip(at.left.0) {
            if left == 0 {
                continue;
            }
            let mut before = None;
            for from in *at.own.steps() {
                let play = ThrowUse { throw, from };
                if before != Some(from) && self.target_at(at, play).is_some() {
                    plays.list[plays.len] = play;
                    plays.len += 1;
                }
                before = Some(from);
            }
        }
        plays
    }

    /// The legal plays of the mover; none when the turn is over.
    pub fn plays(&self) -> Plays {
        let mut plays = self.plays_at(&self.at);
        if self.rules.must_use_most && plays.len > 1 {
            let most = self.max_usable_throws();
            let mut count = 0;
            for n in 0..plays.len {
                let play = plays.list[n];
                if self.after(play).is_some_and(|after| after.max_usable_throws() + 1 == most) {
                    plays.list[count] = play;
                    count += 1;
                }
            }
            plays.len = count;
        }
        plays
    }

    /// The turn after a play, if it is possible.
    pub fn after(&self, play: ThrowUse) -> Option<ThaayamTurn> {
        let at = self.at_after(&self.at, play)?;
        Some(ThaayamTurn { at, ..*self })
    }

    pub(super) fn at_after(&self, at: &TurnPoint, play: ThrowUse) -> Option<TurnPoint> {
        let to = self.target_at(at, play)?;
        let mut next = *at;
        next.own = at.own.moved(play.from, to);
        next.left.0[kind(play.throw)] -= 1;
        if !self.rules.kills_at_the_end {
            next.hits |= self.enemies_on(to);
        }
        Some(next)
    }

    /// The square of this step as a set, if enemies stood there when the turn began.
    fn enemies_on(&self, step: i8) -> u32 {
        square_of(self.path, step).map_or(0, |square| self.enemies & 1 << square)
    }

    /// The squares that have been hit if the turn ends here.
    pub(super) fn hits_at(&self, at: &TurnPoint) -> u32 {
        if self.rules.kills_at_the_end {
            at.own.steps().iter().fold(0, |hits, step| hits | self.enemies_on(*step))
        } else {
            at.hits
        }
    }

    /// Whether the mover has finished or the game is won.
    pub fn is_done(&self) -> bool {
        self.is_done_at(&self.at)
    }

    pub(super) fn is_done_at(&self, at: &TurnPoint) -> bool {
        if self.rules.ends_in_fortress { at.own.is_home() } else { at.own.is_off() }
    }

    pub(super) fn must_use_most(&self) -> bool {
        self.rules.must_use_most
    }

    /// The position if the turn ends here, and the number of killed pieces of each seat.
    pub fn end(&self, mut position: ThaayamPosition) -> (ThaayamPosition, [u8; 4]) {
        position = position.with_side(self.seat, self.at.own);
        let killed = position.kill(self.seat, self.hits_at(&self.at));
        (position, killed)
    }
}
