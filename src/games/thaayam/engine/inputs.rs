//! Converts a position to the inputs of the evaluation: the place of every piece from the point of
//! view of the seat that throws next, the expected hits, and the house rules.
//!
//! The four paths over the board are equal when turned by quarters, so seats are mapped to *slots*:
//! slot 0 throws next, the palace of slot `n` is `n` quarters further counter-clockwise. Slots of
//! empty seats are empty, and so are those of seats that are done while the others play on.

use super::odds::{ODDS, Reach};
use crate::rules::Seat;
use crate::thaayam::board::{FORTRESS, HAND, OFF, SAFE};
use crate::thaayam::options::{EarlyThrowRule, ThaayamOptions};
use crate::thaayam::position::{ThaayamPosition, square_of};

/// Rows of one slot: 1 to 4 pieces in hand, in the fortress, off; a piece on each step; the number
/// of further pieces there; progress; whether the seat may go inside where that needs a kill.
const SLOT: usize = 4 + 4 + 4 + 24 + 24 + 2;
const IN_HAND: usize = 0;
const HOME: usize = 4;
const BORNE_OFF: usize = 8;
const ON: usize = 12;
const MORE: usize = 36;
const PROGRESS: usize = 60;
const OPENED: usize = 61;
/// The expected kills of each slot against each other slot in a turn.
const RISKS: usize = 4 * SLOT;
/// Whether slots 1 to 3 are occupied.
const TAKEN: usize = RISKS + 16;
const RULES: usize = TAKEN + 3;
/// Number of rows.
pub const ROWS: usize = RULES + 14;

/// The most inputs that are not 0.
const MAX: usize = 4 * (4 + 4 + 2) + 12 + 3 + 14;

/// The inputs that are not 0.
pub struct Inputs {
    list: [(u16, f32); MAX],
    len: usize,
    /// The seat of each slot.
    pub seats: [Option<Seat>; 4],
}

impl Inputs {
    /// The inputs of a position in which this seat throws next.
    pub fn from_position(position: &ThaayamPosition, next: Seat) -> Self {
        let mut inputs = Self { list: [(0, 0.0); MAX], len: 0, seats: slots(position, next) };
        for slot in 0..4 {
            if let Some(seat) = inputs.seats[slot] {
                inputs.add_pieces(position, slot, seat);
                if slot > 0 {
                    inputs.add(TAKEN + slot - 1, 1.0);
                }
            }
        }
        inputs.add_risks(position);
        inputs.add_rules(position.options());
        inputs
    }

    /// Rows and values.
    pub fn as_slice(&self) -> &[(u16, f32)] {
        &self.list[..self.len]
    }

    fn add(&mut self, row: usize, value: f32) {
        self.list[self.len] = (row as u16, value);
        self.len += 1;
    }

    fn add_pieces(&mut self, position: &ThaayamPosition, slot: usize, seat: Seat) {
        let base = slot * SLOT;
        let pieces = usize::from(position.options().pieces);
        let steps = &position.side(seat).steps()[..pieces.min(4)];
        let mut progress = 0.0;
        for same in steps.chunk_by(|a, b| a == b) {
            let step = same[0];
            let count = same.len();
            progress += f32::from(step - HAND) * count as f32;
            match step {
                HAND => self.add(base + IN_HAND + count - 1, 1.0),
                FORTRESS => self.add(base + HOME + count - 1, 1.0),
                OFF => self.add(base + BORNE_OFF + count - 1, 1.0),
                on => {
                    let on = usize::from(on.unsigned_abs());
                    self.add(base + ON + on, 1.0);
                    if count > 1 {
                        self.add(base + MORE + on, count as f32 - 1.0);
                    }
                }
            }
        }
        self.add(base + PROGRESS, progress / 50.0);
        if position.options().kill_to_go_in && position.may_go_in(seat) {
            self.add(base + OPENED, 1.0);
        }
    }

    fn add_risks(&mut self, position: &ThaayamPosition) {
        let odds = &*ODDS;
        let reach_by_slot =
            self.seats.map(|seat| seat.map(|seat| Reach::from_position(position, seat)));
        for slot in 0..4 {
            let Some(seat) = self.seats[slot] else { continue };
            let path = position.colour(seat).path();
            let mut risks = [0.0f32; 4];
            for step in position.side(seat).steps() {
                let Some(square) = square_of(path, *step) else { continue };
                if SAFE >> square & 1 == 1 {
                    continue;
                }
                for (by, hunter) in self.seats.iter().zip(&reach_by_slot).enumerate() {
                    if let (Some(other), Some(hunter)) = hunter
                        && !position.are_together(*other, seat)
                    {
                        risks[by] += hunter.chance(odds, square) * f32::from(*step - HAND) / 25.0;
                    }
                }
            }
            for (by, risk) in risks.into_iter().enumerate().filter(|(_, risk)| *risk > 0.0) {
                self.add(RISKS + by * 4 + slot, risk);
            }
        }
    }

    fn add_rules(&mut self, options: &ThaayamOptions) {
        let lost = options.early_throws;
        let differs = [
            options.pieces == 3,
            options.pieces == 2,
            options.pieces <= 1,
            options.ends_in_fortress,
            !options.exact,
            options.kills_at_the_end,
            lost == EarlyThrowRule::DroppedIfNoneOnTrack,
            lost == EarlyThrowRule::NeverDropped,
            options.must_use_most,
            options.kill_again,
            options.kill_to_go_in,
            !options.same_turn_bear_off,
            options.clockwise,
            options.block_on_path,
        ];
        for (row, _) in differs.into_iter().enumerate().filter(|(_, it)| *it) {
            self.add(RULES + row, 1.0);
        }
    }
}

/// The seat of each slot, starting with the seat that throws next.
fn slots(position: &ThaayamPosition, next: Seat) -> [Option<Seat>; 4] {
    let first = position.colour(next).index();
    let mut slots = [None; 4];
    let partners = position.options().partners;
    for seat in (0..position.seats()).map(Seat) {
        if partners || seat == next || !position.is_done(seat) {
            slots[(position.colour(seat).index() + 4 - first) % 4] = Some(seat);
        }
    }
    slots
}
