//! Stores the position of all pieces between turns (S8), and the colours of the seats.

use super::board::{Colour, FORTRESS, HAND, INSIDE, OFF, SAFE, square_name};
use super::illegal::ThaayamIllegal;
use super::options::ThaayamOptions;
use crate::rules::Seat;

/// The pieces of one player as step numbers, sorted: alike pieces, so equal sides are equal
/// positions. A player has 23,755 of them. With fewer than four pieces the missing ones count as
/// borne off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerPieces([i8; 4]);

impl PlayerPieces {
    /// This number of pieces, all in hand.
    pub fn in_hand(pieces: u8) -> Self {
        let mut steps = [OFF; 4];
        steps[..usize::from(pieces.min(4))].fill(HAND);
        Self(steps)
    }

    /// Sorts these steps; `None` when one is not a step, or one is off before all are home (S12).
    /// At most four; the missing ones count as borne off.
    pub fn new(steps: &[i8]) -> Option<Self> {
        let known = steps.iter().all(|step| (HAND..=OFF).contains(step));
        let too_early = steps.contains(&OFF) && steps.iter().any(|step| *step < FORTRESS);
        if !known || too_early || steps.len() > 4 {
            return None;
        }
        let mut all = [OFF; 4];
        all[..steps.len()].copy_from_slice(steps);
        all.sort_unstable();
        Some(Self(all))
    }

    /// Sorted steps.
    pub fn steps(&self) -> &[i8; 4] {
        &self.0
    }

    /// The number of pieces on a step.
    pub fn count(&self, step: i8) -> u8 {
        self.0.iter().map(|it| u8::from(*it == step)).sum()
    }

    /// Whether no piece is on the board: all that are not off are in hand.
    pub fn is_in_hand(&self) -> bool {
        self.0.iter().all(|step| matches!(*step, HAND | OFF)) && self.0[0] == HAND
    }

    /// Whether every piece is in the fortress or already off (the final stage).
    pub fn is_home(&self) -> bool {
        self.0[0] >= FORTRESS
    }

    /// Whether every piece is borne off.
    pub fn is_off(&self) -> bool {
        self.0[0] == OFF
    }

    /// The same with a piece moved from one step to another.
    #[must_use]
    pub(super) fn moved(mut self, from: i8, to: i8) -> Self {
        // The last of the equal ones, so that only later ones can be smaller than it.
        let at = self.0.iter().rposition(|it| *it == from).unwrap_or(3);
        self.0[at] = to;
        self.sort();
        self
    }

    fn sort(&mut self) {
        let steps = &mut self.0;
        for (a, b) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
            if steps[a] > steps[b] {
                steps.swap(a, b);
            }
        }
    }

    /// Sends the pieces on these squares back to the hand; returns their number.
    fn kill(&mut self, path: &[u8; 25], squares: u32) -> u8 {
        let mut killed = 0;
        for step in &mut self.0 {
            if let Some(square) = square_of(path, *step)
                && squares >> square & 1 == 1
            {
                *step = HAND;
                killed += 1;
            }
        }
        if killed > 0 {
            self.sort();
        }
        killed
    }

    /// Four letters: `-` hand, `a` to `x` steps 0 to 23, `F` fortress, `O` off.
    pub fn write(&self) -> String {
        self.0.iter().map(|step| letter(*step)).collect()
    }

    /// Reads the letters that [`PlayerPieces::write`] writes; fewer than four for fewer pieces.
    pub fn read(text: &str) -> Option<Self> {
        let steps: Option<Vec<i8>> = text.chars().map(step_of_letter).collect();
        let steps = steps?;
        steps.is_sorted().then(|| Self::new(&steps)).flatten()
    }
}

/// The last step before the inner track.
const LAST_OUTSIDE: i8 = INSIDE - 1;

/// The square of a piece on the board.
pub fn square_of(path: &[u8; 25], step: i8) -> Option<u8> {
    path.get(usize::try_from(step).ok()?).copied()
}

/// The letter of a step in written positions.
pub(super) fn letter(step: i8) -> char {
    match step {
        HAND => '-',
        FORTRESS => 'F',
        OFF => 'O',
        _ => char::from(b'a' + step.unsigned_abs()),
    }
}

/// The step that [`letter`] writes so.
pub(super) fn step_of_letter(letter: char) -> Option<i8> {
    match letter {
        '-' => Some(HAND),
        'F' => Some(FORTRESS),
        'O' => Some(OFF),
        'a'..='x' => i8::try_from(u32::from(letter) - u32::from('a')).ok(),
        _ => None,
    }
}

/// All pieces, and the other state that the rules keep between turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThaayamPosition {
    sides: [PlayerPieces; 4],
    seats: u8,
    /// Seats that may go inside, as bits; matters only where a kill is needed for that (A19).
    killers: u8,
    options: ThaayamOptions,
}

/// The colours in playing order for this number of seats (S9, A27, A28), counter-clockwise.
fn colours(seats: u8) -> &'static [Colour] {
    match seats {
        2 => &[Colour::White, Colour::Red],
        3 => &[Colour::White, Colour::Black, Colour::Red],
        _ => &Colour::ALL,
    }
}

impl ThaayamPosition {
    /// Everything in hand.
    ///
    /// # Errors
    /// When this number of seats cannot play, or not with these options.
    pub fn start(options: ThaayamOptions, seats: u8) -> Result<Self, ThaayamIllegal> {
        if !(2..=4).contains(&seats) {
            return Err(ThaayamIllegal::NotTwoToFourSeats);
        }
        if options.partners && seats != 4 {
            return Err(ThaayamIllegal::PartnersAreFour);
        }
        let sides = [PlayerPieces::in_hand(options.pieces); 4];
        Ok(Self { sides, seats, killers: 0, options })
    }

    /// The house rules.
    pub fn options(&self) -> &ThaayamOptions {
        &self.options
    }

    /// The number of seats.
    pub fn seats(&self) -> u8 {
        self.seats
    }

    /// The colour of a seat.
    pub fn colour(&self, seat: Seat) -> Colour {
        let colours = colours(self.seats);
        let n = colours.len();
        let at = seat.index() % n;
        colours[if self.options.clockwise { (n - at) % n } else { at }]
    }

    /// The seat of a colour, if a player has it.
    pub fn seat_of(&self, colour: Colour) -> Option<Seat> {
        (0..self.seats).map(Seat).find(|seat| self.colour(*seat) == colour)
    }

    /// The pieces of a seat.
    pub fn side(&self, seat: Seat) -> &PlayerPieces {
        &self.sides[seat.index() % 4]
    }

    /// The same with other pieces of one seat.
    #[must_use]
    pub fn with_side(mut self, seat: Seat, side: PlayerPieces) -> Self {
        self.sides[seat.index() % 4] = side;
        self
    }

    /// The same after this seat has killed a piece.
    #[must_use]
    pub fn with_killer(mut self, seat: Seat) -> Self {
        self.killers |= 1 << (seat.0 % 4);
        self
    }

    /// Whether two seats do not kill each other's pieces.
    pub fn are_together(&self, one: Seat, other: Seat) -> bool {
        one == other || (self.options.partners && one.0 % 2 == other.0 % 2)
    }

    /// The squares outside palaces and fortress with enemies of a seat, as a set.
    pub fn enemies(&self, seat: Seat) -> u32 {
        let mut squares = 0u32;
        for other in (0..self.seats).map(Seat) {
            if self.are_together(seat, other) {
                continue;
            }
            let path = self.colour(other).path();
            for step in self.side(other).steps() {
                if let Some(square) = square_of(path, *step) {
                    squares |= 1 << square;
                }
            }
        }
        squares & !SAFE
    }

    /// Kills the enemies of a seat on these squares; returns the number for each seat.
    pub(super) fn kill(&mut self, seat: Seat, squares: u32) -> [u8; 4] {
        let mut killed = [0; 4];
        if squares == 0 {
            return killed;
        }
        for other in (0..self.seats).map(Seat) {
            if !self.are_together(seat, other) {
                let path = self.colour(other).path();
                killed[other.index()] = self.sides[other.index()].kill(path, squares);
            }
        }
        self.killers |= 1 << seat.0;
        killed
    }

    /// Whether a seat may go on to the inner track.
    pub fn may_go_in(&self, seat: Seat) -> bool {
        !self.options.kill_to_go_in || self.killers >> seat.0 & 1 == 1
    }

    /// Whether a piece of a seat is on the inner track or in the fortress although the seat may not
    /// go there.
    pub(super) fn is_inside_too_early(&self, seat: Seat) -> bool {
        let is_inside = |step: &i8| (INSIDE..OFF).contains(step);
        !self.may_go_in(seat) && self.side(seat).steps().iter().any(is_inside)
    }

    /// Whether these house rules count kills, and the seat has killed.
    pub fn has_killed(&self, seat: Seat) -> bool {
        self.options.kill_to_go_in && self.may_go_in(seat)
    }

    /// Opens the inner track to all players when none could ever move again, which the need of a
    /// kill can lead to: all of them wait before the inner track. Returns whether that was so.
    pub(super) fn open_if_stuck(&mut self) -> bool {
        // Missing pieces count as borne off; no player has some off and some before the inner
        // track.
        let waits = |step: &i8| matches!(*step, LAST_OUTSIDE | OFF);
        let stuck = |seat: Seat| {
            let waiting = !self.may_go_in(seat) && self.side(seat).steps().iter().all(waits);
            self.is_done(seat) || waiting
        };
        let all = (0..self.seats).map(Seat);
        if !self.options.kill_to_go_in || !all.clone().all(stuck) {
            return false;
        }
        self.killers = u8::MAX;
        true
    }

    /// Whether a seat has finished: all pieces off, or all in the fortress where that is enough.
    pub fn is_done(&self, seat: Seat) -> bool {
        let side = self.side(seat);
        if self.options.ends_in_fortress { side.is_home() } else { side.is_off() }
    }

    /// One group of letters a seat in playing order, `/` between, see [`PlayerPieces::write`].
    pub fn write(&self) -> String {
        let pieces = usize::from(self.options.pieces);
        let sides = (0..self.seats).map(|seat| {
            let mut side = self.side(Seat(seat)).write();
            side.truncate(pieces);
            side
        });
        sides.collect::<Vec<_>>().join("/")
    }

    /// Reads the text that [`ThaayamPosition::write`] writes. It does not include the seats that
    /// have killed.
    pub fn read(options: ThaayamOptions, text: &str) -> Option<Self> {
        let groups: Vec<&str> = text.split('/').collect();
        let mut position = Self::start(options, u8::try_from(groups.len()).ok()?).ok()?;
        for (side, group) in position.sides.iter_mut().zip(groups) {
            if group.len() != usize::from(options.pieces) {
                return None;
            }
            *side = PlayerPieces::read(group)?;
        }
        Some(position)
    }

    /// The place of a seat's piece in records: `hand`, `e3`, `off`.
    pub fn place_name(&self, seat: Seat, step: i8) -> String {
        match square_of(self.colour(seat).path(), step) {
            Some(square) => square_name(square),
            None if step == HAND => "hand".to_owned(),
            None => "off".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_has_23_755_positions() {
        let mut count = 0;
        for a in HAND..=OFF {
            for b in a..=OFF {
                for c in b..=OFF {
                    for d in c..=OFF {
                        let Some(side) = PlayerPieces::new(&[d, b, c, a]) else { continue };
                        assert_eq!(side.steps(), &[a, b, c, d]);
                        assert_eq!(PlayerPieces::read(&side.write()), Some(side));
                        count += 1;
                    }
                }
            }
        }
        assert_eq!(count, 23_755);
    }

    #[test]
    fn seats_go_counter_clockwise_by_default() {
        let order = |clockwise, seats| {
            let options = ThaayamOptions { clockwise, ..ThaayamOptions::default() };
            let position = ThaayamPosition::start(options, seats).unwrap();
            (0..seats).map(|seat| position.colour(Seat(seat)).name()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(order(false, 4), "WHITE BLACK RED BLUE");
        assert_eq!(order(true, 4), "WHITE BLUE RED BLACK");
        assert_eq!(order(false, 3), "WHITE BLACK RED");
        assert_eq!(order(true, 3), "WHITE RED BLACK");
        assert_eq!(order(false, 2), "WHITE RED");
        assert_eq!(order(true, 2), "WHITE RED");
        let partners = ThaayamOptions { partners: true, ..ThaayamOptions::default() };
        assert_eq!(ThaayamPosition::start(partners, 3), Err(ThaayamIllegal::PartnersAreFour));
        assert_eq!(ThaayamPosition::start(partners, 5), Err(ThaayamIllegal::NotTwoToFourSeats));
    }
}
