//! Notation of moves.

use super::super::position::{Sown, TogyzkumalakPhase, TogyzkumalakPosition};
use super::notation_errors::MoveFault;

/// A move as a record states it. Only the pit is needed, the rest can be checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NotatedMove {
    /// Marked as the extra move of atsyrau with `+`.
    pub extra: bool,
    /// The side that moves, 0 or 1, if the form names it (`g1d2`).
    pub side: Option<u8>,
    /// The pit sown from, 0 to 8.
    pub from: u8,
    /// The pit of the last stone, 0 to 8 from its owner's left.
    pub to: Option<u8>,
    /// The side of the last stone, if the form names it.
    pub to_side: Option<u8>,
    /// Marked as making a tuzdyk.
    pub tuzdyk: bool,
    /// The number in brackets: the mover's kazan afterwards, or the mover's gain.
    pub count: Option<u16>,
}

impl NotatedMove {
    /// Reads `7`, `76`, `36X`, `76(10)`, `+67`, `g1d2`; a tuzdyk mark may be a Cyrillic letter, and
    /// marks of praise or doubt (`!`, `?`) are ignored.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim_end_matches(['!', '?', ',', ';', '.']);
        Self::read_letters(text).or_else(|| Self::read_digits(text))
    }

    fn read_digits(text: &str) -> Option<Self> {
        let mut written = NotatedMove::default();
        let mut rest = text;
        if let Some(after) = rest.strip_prefix('+') {
            written.extra = true;
            rest = after;
        }
        let mut pit = || {
            let digit = rest.chars().next().filter(|c| ('1'..='9').contains(c))?;
            rest = &rest[1..];
            Some(digit as u8 - b'1')
        };
        written.from = pit()?;
        written.to = pit();
        if let Some(after) = rest.strip_prefix(['x', 'X', 'х', 'Х']) {
            written.tuzdyk = true;
            rest = after;
        }
        if let Some(inside) = rest.strip_prefix('(') {
            let number = inside.strip_suffix(')')?;
            if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            written.count = Some(number.parse().ok()?);
            rest = "";
        }
        rest.is_empty().then_some(written)
    }

    /// The letters of PlayStrategy: `a1` to `i1` are the first player's pits 1 to 9, `i2` to
    /// `a2` the second's.
    fn read_letters(text: &str) -> Option<Self> {
        let [from, from_row, to, to_row] = <[u8; 4]>::try_from(text.as_bytes()).ok()?;
        let (side, from) = read_square(from, from_row)?;
        let (to_side, to) = read_square(to, to_row)?;
        Some(NotatedMove {
            side: Some(side),
            from,
            to: Some(to),
            to_side: Some(to_side),
            ..NotatedMove::default()
        })
    }

    /// The first claim that is wrong, given the real effect of the move and the kazans after it.
    pub fn contradiction(&self, sown: &Sown, after: &TogyzkumalakPosition) -> Option<MoveFault> {
        if self.side.is_some_and(|side| side != sown.side) {
            return Some(MoveFault::OtherTurn { side: sown.side });
        }
        if let Some(stated) = self.to.filter(|to| *to != sown.to) {
            return Some(MoveFault::OtherPit { sown: *sown, said: stated });
        }
        if self.to_side.is_some_and(|side| side != sown.to_side) {
            return Some(MoveFault::OtherSide { from: sown.from });
        }
        if self.tuzdyk && !sown.tuzdyk {
            return Some(MoveFault::NoTuzdyk { pit: sown.to });
        }
        if self.extra && !sown.extra {
            return Some(MoveFault::NotExtra);
        }
        let stated = self.count?;
        let kazan = after.kazans()[usize::from(sown.side & 1)];
        let before_collecting = kazan - sown.collected;
        let own_through = sown.through[usize::from(sown.side & 1)];
        let possible =
            [kazan, before_collecting, sown.captured, sown.captured + own_through, sown.collected];
        if possible.iter().any(|count| u16::from(*count) == stated) {
            return None;
        }
        Some(MoveFault::OtherCount { kazan, gained: sown.captured, said: stated })
    }
}

fn read_square(letter: u8, row: u8) -> Option<(u8, u8)> {
    let column = letter.to_ascii_lowercase().checked_sub(b'a').filter(|c| *c < 9)?;
    match row {
        b'1' => Some((0, column)),
        b'2' => Some((1, 8 - column)),
        _ => None,
    }
}

/// `76`, `36X`, `+67`: the move in digits, without counts.
pub fn write_digits(sown: &Sown) -> String {
    let extra = if sown.extra { "+" } else { "" };
    let tuzdyk = if sown.tuzdyk { "X" } else { "" };
    format!("{extra}{}{}{tuzdyk}", sown.from + 1, sown.to + 1)
}

/// `76(10)`, `36X`: the move with the mover's kazan after a capture, as PlayOK writes it.
pub fn write_counted(sown: &Sown, after: &TogyzkumalakPosition) -> String {
    let mut text = write_digits(sown);
    if sown.captured > 0 && !sown.tuzdyk {
        let kazan = after.kazans()[usize::from(sown.side & 1)] - sown.collected;
        text.push_str(&format!("({kazan})"));
    }
    text
}

/// `g1d2`: the move in PlayStrategy's letters.
pub fn write_letters(sown: &Sown) -> String {
    let square = |side: u8, pit: u8| {
        let column = if side == 0 { pit } else { 8 - pit };
        format!("{}{}", char::from(b'a' + column), side + 1)
    };
    square(sown.side, sown.from) + &square(sown.to_side, sown.to)
}

/// Plays a written move if it is legal and claims nothing wrong.
///
/// # Errors
/// The fault of the move; the position has not changed.
pub fn play_written(
    position: &mut TogyzkumalakPosition,
    written: &NotatedMove,
) -> Result<Sown, MoveFault> {
    if position.is_over() {
        return Err(MoveFault::GameIsOver);
    }
    let pit = written.from;
    if position.moves() >> pit & 1 == 0 {
        let extra = position.phase() == TogyzkumalakPhase::Extra;
        return Err(MoveFault::EmptyPit { side: position.side(), extra, pit });
    }
    let mut next = *position;
    let sown = next.play(pit);
    match written.contradiction(&sown, &next) {
        Some(untrue) => Err(untrue),
        None => {
            *position = next;
            Ok(sown)
        }
    }
}
