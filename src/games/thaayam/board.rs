//! The board of 5 by 5 squares and the four ways over it (S1 to S7). Plain tables.
//!
//! Squares are numbered `(rank - 1) * 5 + file` with `a` = 0, so c1 is 2 and c3 is 12.

/// A set of pieces by its owner's palace (T2, S2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// At the bottom, palace c1.
    White,
    /// On the right, palace e3.
    Black,
    /// At the top, palace c5.
    Red,
    /// On the left, palace a3.
    Blue,
}

impl Colour {
    /// Counter-clockwise round the table from the bottom (S9).
    pub const ALL: [Colour; 4] = [Colour::White, Colour::Black, Colour::Red, Colour::Blue];

    /// Counted counter-clockwise from the bottom.
    pub fn index(self) -> usize {
        match self {
            Colour::White => 0,
            Colour::Black => 1,
            Colour::Red => 2,
            Colour::Blue => 3,
        }
    }

    /// The name in records.
    pub fn name(self) -> &'static str {
        ["WHITE", "BLACK", "RED", "BLUE"][self.index()]
    }

    /// Reads the name that [`Colour::name`] gives.
    pub fn read(name: &str) -> Option<Colour> {
        Self::ALL.into_iter().find(|colour| colour.name() == name)
    }

    /// The squares of this colour's way, by step.
    pub fn path(self) -> &'static [u8; 25] {
        &PATHS[self.index()]
    }

    /// The step of this colour's pieces on a square: every way visits all squares.
    pub fn step_of(self, square: u8) -> Option<i8> {
        let step = self.path().iter().position(|on| *on == square)?;
        i8::try_from(step).ok()
    }
}

/// Step of a piece that is not on the board: not yet entered, or killed (S8).
pub const HAND: i8 = -1;
/// The first step on the inner track.
pub const INSIDE: i8 = 16;
/// The step of the fortress.
pub const FORTRESS: i8 = 24;
/// Step of a piece that was borne off.
pub const OFF: i8 = 25;

/// The square of the fortress.
pub const CENTRE: u8 = 12;
/// The palaces by colour (S2).
pub const PALACES: [u8; 4] = [2, 14, 22, 10];
/// Palaces and fortress, where no piece is killed (S7), as a set of squares.
pub const SAFE: u32 = 1 << 2 | 1 << 14 | 1 << 22 | 1 << 10 | 1 << CENTRE;

const OUTER: [u8; 16] = [2, 3, 4, 9, 14, 19, 24, 23, 22, 21, 20, 15, 10, 5, 0, 1];
const INNER: [u8; 8] = [6, 11, 16, 17, 18, 13, 8, 7];

/// The four ways by the closed form S6.
const PATHS: [[u8; 25]; 4] = [path(0), path(1), path(2), path(3)];

const fn path(colour: usize) -> [u8; 25] {
    let mut path = [CENTRE; 25];
    let mut step = 0;
    while step < 16 {
        path[step] = OUTER[(step + 4 * colour) % 16];
        step += 1;
    }
    while step < 24 {
        path[step] = INNER[(step - 16 + 8 - 2 * colour) % 8];
        step += 1;
    }
    path
}

/// The displayed name of a square: `e3`.
pub fn square_name(square: u8) -> String {
    let file = char::from(b'a' + square % 5);
    format!("{file}{}", square / 5 + 1)
}

/// Reads a name of a square.
pub fn read_square(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [file @ b'a'..=b'e', rank @ b'1'..=b'5'] => Some((rank - b'1') * 5 + (file - b'a')),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of S4, as written there.
    const WAYS: [&str; 4] = [
        "c1 d1 e1 e2 e3 e4 e5 d5 c5 b5 a5 a4 a3 a2 a1 b1 b2 b3 b4 c4 d4 d3 d2 c2 c3",
        "e3 e4 e5 d5 c5 b5 a5 a4 a3 a2 a1 b1 c1 d1 e1 e2 d2 c2 b2 b3 b4 c4 d4 d3 c3",
        "c5 b5 a5 a4 a3 a2 a1 b1 c1 d1 e1 e2 e3 e4 e5 d5 d4 d3 d2 c2 b2 b3 b4 c4 c3",
        "a3 a2 a1 b1 c1 d1 e1 e2 e3 e4 e5 d5 c5 b5 a5 a4 b4 c4 d4 d3 d2 c2 b2 b3 c3",
    ];

    #[test]
    fn the_ways_are_those_of_the_table() {
        for (colour, way) in Colour::ALL.into_iter().zip(WAYS) {
            let names: Vec<String> = colour.path().iter().map(|it| square_name(*it)).collect();
            assert_eq!(names.join(" "), way);
        }
    }

    #[test]
    fn every_way_visits_all_squares_by_side_neighbours() {
        for colour in Colour::ALL {
            let path = colour.path();
            let all = path.iter().fold(0u32, |all, square| all | 1 << square);
            assert_eq!(all, (1 << 25) - 1);
            for pair in path.windows(2) {
                let [(x, y), (u, v)] = [pair[0], pair[1]].map(|it| (it % 5, it / 5));
                assert_eq!(x.abs_diff(u) + y.abs_diff(v), 1);
            }
        }
    }

    #[test]
    fn safe_steps_are_the_same_for_all_colours() {
        for colour in Colour::ALL {
            let safe = |step: &usize| SAFE >> colour.path()[*step] & 1 == 1;
            assert_eq!((0..25).filter(safe).collect::<Vec<_>>(), [0, 4, 8, 12, 24]);
        }
    }

    #[test]
    fn names_of_squares_read_back() {
        for square in 0..25 {
            assert_eq!(read_square(&square_name(square)), Some(square));
        }
        assert_eq!(read_square("f1"), None);
        assert_eq!(read_square("a6"), None);
    }
}
