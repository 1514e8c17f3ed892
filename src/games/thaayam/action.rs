//! Actions of a player and outcomes of the dice, with their tokens.

use super::board::{Colour, FORTRESS, HAND, OFF, read_square, square_name};
use super::outcomes::TurnOutcome;
use super::position::{PlayerPieces, square_of};
use super::turn::{SERIES_MAX, ThrowUse};
use crate::rules::{Entropy, Token};

/// An action of the seat to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ThaayamAction {
    /// Lift the cup: show the throws. Token `throw`.
    Throw,
    /// Use one throw. Tokens `1:in` (enter), `4:e3` (the piece on e3 moves), `1:off` (bear off).
    Use {
        /// Points of the throw.
        throw: u8,
        /// The piece.
        piece: PiecePlace,
    },
    /// Use all throws at once so that the turn ends like this. Token `=` and the squares of the
    /// own pieces from the rearmost on (`--` hand, `**` off), `x` and the squares of the kills:
    /// `=--e5c3c3xd4`.
    Whole(WholeTurn),
    /// Take back the last decision of this turn. Token `undo`.
    Undo,
    /// Nothing more to play: pass the dice on. Token `done`.
    Done,
}

/// A piece by its place; pieces of a colour are interchangeable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PiecePlace {
    /// One in hand.
    Hand,
    /// One on this square, see [`super::board`].
    On(u8),
    /// One in the fortress, to be borne off.
    Home,
}

impl PiecePlace {
    /// The step of this piece of a colour.
    pub fn step(self, colour: Colour) -> Option<i8> {
        match self {
            PiecePlace::Hand => Some(HAND),
            PiecePlace::Home => Some(FORTRESS),
            PiecePlace::On(square) => colour.step_of(square),
        }
    }

    /// The piece that a play of a colour moves.
    pub fn of_play(colour: Colour, play: ThrowUse) -> Self {
        match square_of(colour.path(), play.from) {
            Some(_) if play.from == FORTRESS => PiecePlace::Home,
            Some(square) => PiecePlace::On(square),
            None => PiecePlace::Hand,
        }
    }
}

/// The squares of the own pieces when the turn ends, and those of the kills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WholeTurn {
    /// Squares from the rearmost piece on.
    places: [EndPlace; 4],
    /// The number of pieces.
    pieces: u8,
    /// Squares of kills as a set, three at most.
    pub hits: u32,
}

/// The place of one piece at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum EndPlace {
    Hand,
    On(u8),
    Off,
}

impl WholeTurn {
    /// The most kills that fit into a token.
    pub const HITS_MAX: u32 = 3;

    /// The end of a turn as an action, with this number of pieces for each player.
    pub fn new(colour: Colour, outcome: &TurnOutcome, pieces: u8) -> Option<Self> {
        let place = |step: i8| match square_of(colour.path(), step) {
            Some(square) => EndPlace::On(square),
            None if step == HAND => EndPlace::Hand,
            None => EndPlace::Off,
        };
        let fits = outcome.hits.count_ones() <= Self::HITS_MAX;
        let places = outcome.own.steps().map(place);
        fits.then_some(Self { places, pieces, hits: outcome.hits })
    }

    /// The end of such a turn for a colour.
    pub fn outcome(&self, colour: Colour) -> Option<TurnOutcome> {
        let step = |place: &EndPlace| match place {
            EndPlace::Hand => Some(HAND),
            EndPlace::On(square) => colour.step_of(*square),
            EndPlace::Off => Some(OFF),
        };
        let steps: Option<Vec<i8>> =
            self.places[..usize::from(self.pieces)].iter().map(step).collect();
        Some(TurnOutcome { own: PlayerPieces::new(&steps?)?, hits: self.hits })
    }
}

/// The squares of a set, ascending.
pub fn squares_of(set: u32) -> impl Iterator<Item = u8> {
    (0..25).filter(move |square| set >> square & 1 == 1)
}

impl Token for ThaayamAction {
    fn write(&self) -> String {
        match self {
            ThaayamAction::Throw => "throw".to_owned(),
            ThaayamAction::Undo => "undo".to_owned(),
            ThaayamAction::Done => "done".to_owned(),
            ThaayamAction::Use { throw, piece } => match piece {
                PiecePlace::Hand => format!("{throw}:in"),
                PiecePlace::On(square) => format!("{throw}:{}", square_name(*square)),
                PiecePlace::Home => format!("{throw}:off"),
            },
            ThaayamAction::Whole(whole) => whole.write(),
        }
    }

    fn read(text: &str) -> Option<Self> {
        match text {
            "throw" => return Some(ThaayamAction::Throw),
            "undo" => return Some(ThaayamAction::Undo),
            "done" => return Some(ThaayamAction::Done),
            _ => {}
        }
        if let Some(rest) = text.strip_prefix('=') {
            return WholeTurn::read(rest).map(ThaayamAction::Whole);
        }
        let (throw, piece) = text.split_once(':')?;
        let throw = read_throw(throw)?;
        let piece = match piece {
            "in" => PiecePlace::Hand,
            "off" => PiecePlace::Home,
            _ => PiecePlace::On(read_square(piece)?),
        };
        Some(ThaayamAction::Use { throw, piece })
    }
}

impl WholeTurn {
    fn write(&self) -> String {
        let mut text = "=".to_owned();
        for place in &self.places[..usize::from(self.pieces)] {
            match place {
                EndPlace::Hand => text.push_str("--"),
                EndPlace::On(square) => text.push_str(&square_name(*square)),
                EndPlace::Off => text.push_str("**"),
            }
        }
        if self.hits != 0 {
            text.push('x');
            squares_of(self.hits).for_each(|square| text.push_str(&square_name(square)));
        }
        text
    }

    fn read(text: &str) -> Option<Self> {
        let (places, hits) = match text.split_once('x') {
            Some((_, "")) => return None,
            Some((places, hits)) => (places, read_hits(hits)?),
            None => (text, 0),
        };
        let pieces = u8::try_from(places.len() / 2).ok().filter(|it| (1..=4).contains(it))?;
        let mut all = [EndPlace::Off; 4];
        let mut rest = places;
        for place in &mut all[..usize::from(pieces)] {
            let (name, after) = rest.split_at_checked(2)?;
            *place = match name {
                "--" => EndPlace::Hand,
                "**" => EndPlace::Off,
                _ => EndPlace::On(read_square(name)?),
            };
            rest = after;
        }
        rest.is_empty().then_some(Self { places: all, pieces, hits })
    }
}

/// Squares in ascending order, three at most.
fn read_hits(text: &str) -> Option<u32> {
    let mut hits = 0u32;
    let mut rest = text;
    while !rest.is_empty() {
        let (name, after) = rest.split_at_checked(2)?;
        let square = read_square(name)?;
        if hits >> square != 0 {
            return None;
        }
        hits |= 1 << square;
        rest = after;
    }
    (hits.count_ones() <= WholeTurn::HITS_MAX).then_some(hits)
}

/// A value that four dice can give (T5).
pub fn read_throw(text: &str) -> Option<u8> {
    match text {
        "1" => Some(1),
        "2" => Some(2),
        "3" => Some(3),
        "4" => Some(4),
        "8" => Some(8),
        _ => None,
    }
}

/// A whole series of throws: any number of 1, 4, 8, then one 2 or 3 (S10). Token: its digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Series(Vec<u8>);

impl Series {
    /// Checks throws.
    pub fn new(throws: &[u8]) -> Option<Self> {
        let (last, before) = throws.split_last()?;
        let is_series = matches!(last, 2 | 3) && before.iter().all(|it| matches!(it, 1 | 4 | 8));
        (is_series && throws.len() <= SERIES_MAX).then(|| Self(throws.to_vec()))
    }

    /// Throws the four dice until 2 or 3 comes.
    pub fn draw(entropy: &mut dyn Entropy) -> Self {
        let mut throws = Vec::new();
        loop {
            let throw = draw_throw(entropy);
            if matches!(throw, 2 | 3) {
                throws.push(throw);
                return Self(throws);
            }
            // After this number only the throw that ends the series is kept, see `SERIES_MAX`.
            if throws.len() < SERIES_MAX - 1 {
                throws.push(throw);
            }
        }
    }

    /// The throws in their order.
    pub fn throws(&self) -> &[u8] {
        &self.0
    }
}

/// One throw of four dice, each with three white and three black faces (T3, T5).
pub fn draw_throw(entropy: &mut dyn Entropy) -> u8 {
    match entropy.below(16).count_ones() {
        0 => 8,
        1 => 1,
        2 => 2,
        3 => 3,
        _ => 4,
    }
}

impl Token for Series {
    fn write(&self) -> String {
        self.0.iter().map(|throw| char::from(b'0' + throw)).collect()
    }

    fn read(text: &str) -> Option<Self> {
        let digits = text.bytes().map(|it| it.checked_sub(b'0'));
        Self::new(&digits.collect::<Option<Vec<u8>>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_read_back_in_one_spelling_only() {
        let tokens = ["throw", "undo", "done", "1:in", "8:e3", "1:off", "=--e5c3**xd4", "=a1"];
        for token in tokens {
            assert_eq!(ThaayamAction::read(token).map(|it| it.write()).as_deref(), Some(token));
        }
        let wrong = ["", "in:1", "5:a1", "4:f1", "=", "=--x", "=a1xd4d4", "=a1xd4a1", "4"];
        for token in wrong {
            assert_eq!(ThaayamAction::read(token), None, "{token}");
        }
        for series in ["2", "14812", "13"] {
            assert_eq!(Series::read(series).map(|it| it.write()).as_deref(), Some(series));
        }
        assert!(["", "1", "22", "52", "12 "].iter().all(|it| Series::read(it).is_none()));
    }
}
