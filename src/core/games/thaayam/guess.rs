//! What people type when they mean a throw, a play, done or undo.
//!
//! Understood: tokens (`4:e3`), labels of buttons ("4 e3→e5", "1 ↵c1"), "4 e3", "e3 4", "e3 e5",
//! a square or a throw alone where only one play fits it, "enter", "1 in", "off", and words for
//! throw, done and undo: list `word` of the languages, where a star stands for any ending; list
//! `throw` has the names of throws. Squares may be typed with Cyrillic letters.

use super::action::{Action, Piece, read_throw};
use super::board::{CENTRE, FORTRESS, HAND, read_square};
use super::position::{Position, square_of};
use crate::input::{Words, in_word};
use crate::rules::{Seat, Token};

/// Texts longer than this are talk.
const CHARS_MAX: usize = 40;

/// What a text is about.
#[derive(Default)]
struct Said {
    throw: Option<u8>,
    squares: Vec<u8>,
    enter: bool,
    off: bool,
}

/// Understands a text of this seat, whose legal actions these are, by these words. What comes of it
/// need not be legal.
pub fn guess(
    position: &Position,
    legal: &[Action],
    seat: Seat,
    (text, known): (&str, &Words),
) -> Option<Action> {
    if text.chars().count() > CHARS_MAX {
        return None;
    }
    if let Some(action) = Action::read(text.trim()) {
        return Some(action);
    }
    let plain = text.to_lowercase();
    let words = words(&plain);
    let is_all = |meaning: &str| {
        let is = |word: &String| means(known, meaning, word);
        words.iter().any(is) && words.iter().all(|it| is(it) || means(known, "filler", it))
    };
    if is_all("throw") {
        return Some(Action::Throw);
    }
    if is_all("done") {
        return Some(Action::Done);
    }
    if is_all("undo") {
        return Some(Action::Undo);
    }
    play(position, legal, seat, &said(&words, known)?)
}

/// Runs of letters and digits, and the few signs that mean something.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut joined = false;
    for c in text.chars() {
        if in_word(c) {
            match words.last_mut() {
                Some(word) if joined => word.push(c),
                _ => words.push(c.into()),
            }
            joined = true;
        } else {
            joined = false;
            if "↵↑🎲✓✔✅↩".contains(c) {
                words.push(c.into());
            }
        }
    }
    words
}

fn said(words: &[String], known: &Words) -> Option<Said> {
    let mut said = Said::default();
    for word in words {
        let named = || known.exactly("throw", word).and_then(read_throw);
        if let Some(throw) = read_throw(word).or_else(named) {
            if said.throw.replace(throw).is_some() {
                return None;
            }
        } else if let Some(square) = square(word) {
            said.squares.push(square);
        } else if means(known, "enter", word) {
            said.enter = true;
        } else if means(known, "off", word) {
            said.off = true;
        } else if !means(known, "filler", word) {
            return None;
        }
    }
    (!(said.enter && said.off) && said.squares.len() <= 2).then_some(said)
}

/// A square, in letters that look or sound like those of the board.
fn square(word: &str) -> Option<u8> {
    let latin = word.chars().map(|c| match c {
        'а' => 'a',
        'б' | 'в' => 'b',
        'с' | 'ц' => 'c',
        'д' => 'd',
        'е' => 'e',
        c => c,
    });
    read_square(&latin.collect::<String>())
}

fn play(position: &Position, legal: &[Action], seat: Seat, said: &Said) -> Option<Action> {
    let colour = position.colour(seat);
    if said.enter {
        return Some(Action::Use { throw: said.throw.unwrap_or(1), piece: Piece::Hand });
    }
    if said.off {
        return Some(Action::Use { throw: said.throw.unwrap_or(1), piece: Piece::Home });
    }
    // From and perhaps where to: the throw follows where it was not said.
    let lands = |throw: u8, piece: Piece, to: u8| {
        let from = piece.step(colour)?;
        let to_step = match from {
            HAND => 0,
            _ => (from + i8::try_from(throw).ok()?).min(FORTRESS),
        };
        Some(square_of(colour.path(), to_step) == Some(to))
    };
    let piece_on = |square: u8| if square == CENTRE { Piece::Home } else { Piece::On(square) };
    let fits = |action: &Action| {
        let Action::Use { throw, piece } = *action else { return false };
        let from_fits = said.squares.first().is_none_or(|from| piece == piece_on(*from));
        let to_fits = said.squares.get(1).is_none_or(|to| lands(throw, piece, *to) == Some(true));
        said.throw.is_none_or(|said| said == throw) && from_fits && to_fits
    };
    if said.throw.is_none() && said.squares.is_empty() {
        return None;
    }
    let mut fitting = legal.iter().filter(|action| fits(action));
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Some(*only),
        (Some(_), Some(_)) => None,
        // Nothing legal: say what was meant as well as it is known.
        (None, _) => match (said.throw, said.squares.first()) {
            (Some(throw), Some(from)) => Some(Action::Use { throw, piece: piece_on(*from) }),
            (Some(_) | None, _) => None,
        },
    }
}

/// Whether a word has a meaning; `*` stands for any ending.
fn means(words: &Words, meaning: &str, word: &str) -> bool {
    words.means("word", meaning, |known| match known.strip_suffix('*') {
        Some(stem) => word.starts_with(stem),
        None => known == word,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::thaayam::{Options, Series, Thaayam};
    use crate::rules::Rules;

    fn game(state: &str, series: &str) -> Thaayam {
        let position = Position::read(Options::default(), state).unwrap();
        let mut game = Thaayam::from_position(position, Seat(0));
        game.settle(&Series::read(series).unwrap(), &mut Vec::new()).unwrap();
        game
    }

    fn means(game: &Thaayam, text: &str) -> String {
        let words = crate::input::of_all_languages("thaayam");
        game.guess(Seat(0), text, &words).map_or("?".to_owned(), |action| action.write())
    }

    #[test]
    fn plays_are_understood_in_any_order_and_spelling() {
        let mut game = game("--ag/---d", "142");
        for text in
            ["throw", "Roll!", "бросаю", "лақтыру", "նետել", "roll the dice", "ыргытуу", "உருட்டு"]
        {
            assert_eq!(means(&game, text), "throw", "{text}");
        }
        game.act(Seat(0), &Action::Throw, &mut Vec::new()).unwrap();
        for text in
            ["4 c1", "வெள்ளை c1→e3", "c1 4", "4 c1→e3", "c1 e3", "C1-E3", "с1 4", "4:c1", "с 4 c1"]
        {
            assert_eq!(means(&game, text), "4:c1", "{text}");
        }
        for text in ["enter", "1 in", "1 ↵c1", "தாயம் ↵c1", "ввести", "кіргізу", "մտնել"]
        {
            assert_eq!(means(&game, text), "1:in", "{text}");
        }
        assert_eq!(means(&game, "киргизүү"), "1:in");
        for text in ["done", "готово", "болды", "վերջ"] {
            assert_eq!(means(&game, text), "done", "{text}");
        }
        for text in ["undo", "назад", "артқа", "հետ"] {
            assert_eq!(means(&game, text), "undo", "{text}");
        }
        assert_eq!(means(&game, "8 c1"), "8:c1", "the refusal says that there is no 8");
        for text in ["4", "c1", "hello", "", "4 4 c1", "one c1 piece of cake", "!?"] {
            assert_eq!(means(&game, text), "?", "{text}");
        }
    }

    #[test]
    fn a_square_or_a_throw_alone_is_enough_where_only_one_play_fits() {
        let mut game = game("gFFF/---d", "142");
        game.act(Seat(0), &Action::Throw, &mut Vec::new()).unwrap();
        assert_eq!(means(&game, "4"), "4:e5");
        assert_eq!(means(&game, "e5"), "?", "with which throw?");
        assert_eq!(means(&game, "off"), "1:off");
    }
}
