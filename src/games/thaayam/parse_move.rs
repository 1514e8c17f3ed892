//! Reads typed throws, plays, `done` and `undo`.
//!
//! A text is a move only if all of it is. Accepted are tokens (`4:e3`), labels of buttons ("4
//! e3→e5", "1 ↵c1"), "4 e3", "e3 4", "e3 e5", a square or a throw alone where only one play fits
//! it, and these words of the languages, whole phrases in list `word`:
//!
//! - `throw`, `done`, `undo`, `enter` and `bear` mean that alone;
//! - `done_label` means `done` behind the sign of that button only, because people also say it of
//!   other things;
//! - `in` and `off` do so beside a throw ("1 in"), and so do the names of throws of list `throw`
//!   beside a square or one of these;
//! - `lead` may be the first word ("move e3 4"), `beside` anywhere where a square is named.
//!
//! Squares may be typed with Cyrillic letters.

use super::action::{PiecePlace, ThaayamAction, read_throw};
use super::board::{CENTRE, FORTRESS, HAND, read_square};
use super::position::{ThaayamPosition, square_of};
use crate::rules::{Seat, Token};
use crate::vocabulary::{TypedStatement, WordLists};

/// Longer texts are talk, not moves.
const CHARS_MAX: usize = 40;

/// The signs on buttons, and those of them that only decorate.
const SIGNS: &str = "🎲✓↩↵↑→⚔";
const DECORATION: [&str; 4] = ["🎲", "✓", "↩", "⚔"];

/// The meaning of a text.
#[derive(Default)]
struct ParsedPlay {
    throw: Option<u8>,
    squares: Vec<u8>,
    enter: bool,
    off: bool,
    /// Words that have to be beside these, because a word also has another meaning.
    needs: Vec<WordNeed>,
}

/// Another word that has to be beside a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WordNeed {
    Throw,
    Square,
    /// A square, or that a piece enters or is borne off.
    Way,
}

/// Reads a typed text of this seat with these legal actions and words. The result need not be
/// legal.
pub fn parse_move(
    position: &ThaayamPosition,
    legal: &[ThaayamAction],
    seat: Seat,
    (text, known): (&str, &WordLists),
) -> Option<ThaayamAction> {
    if text.chars().count() > CHARS_MAX {
        return None;
    }
    if let Some(action) = ThaayamAction::read(text.trim()) {
        return Some(action);
    }
    let statement = TypedStatement::parse(text, SIGNS)?;
    let words: Vec<String> = statement.words.iter().flat_map(|it| split_squares(it)).collect();
    if let [sign] = words.as_slice()
        && sign == "🎲"
    {
        return Some(ThaayamAction::Throw);
    }
    let is_label = words.first().is_some_and(|it| it == "✓");
    let words: Vec<String> =
        words.into_iter().filter(|it| !DECORATION.contains(&it.as_str())).collect();
    let all = words.join(" ");
    let is = |meaning: &str| known.has_meaning("word", meaning, &all);
    if is("throw") {
        return Some(ThaayamAction::Throw);
    }
    // Nobody can take it back, and people also write “Done!” when they are glad.
    if !statement.is_loud && (is("done") || (is_label && is("done_label"))) {
        return Some(ThaayamAction::Done);
    }
    if is("undo") {
        return Some(ThaayamAction::Undo);
    }
    play(position, legal, seat, &parse_play(&words, known)?)
}

/// Squares with a hyphen between them, each for itself: "c1-e3".
fn split_squares(word: &str) -> Vec<String> {
    match word.split_once('-') {
        Some((from, to)) if square(from).is_some() && square(to).is_some() => {
            vec![from.to_owned(), to.to_owned()]
        }
        _ => vec![word.to_owned()],
    }
}

/// The meanings of the words of a play, trying two together first; `None` when one is not known.
fn parse_play(words: &[String], known: &WordLists) -> Option<ParsedPlay> {
    let mut play = ParsedPlay::default();
    let mut remaining = words;
    while let [first, rest @ ..] = remaining {
        let pair = rest.first().map(|second| format!("{first} {second}"));
        let is_first = remaining.len() == words.len();
        let used = match pair {
            Some(pair) if play.add(&pair, is_first, known) => 2,
            _ if play.add(first, is_first, known) => 1,
            _ => return None,
        };
        remaining = &remaining[used..];
    }
    let has_square = !play.squares.is_empty();
    let has = |need: &WordNeed| match need {
        WordNeed::Throw => play.throw.is_some(),
        WordNeed::Square => has_square,
        WordNeed::Way => has_square || play.enter || play.off,
    };
    let is_enough = !(play.enter && play.off) && play.squares.len() <= 2;
    let is_enough = is_enough && play.needs.iter().all(has);
    is_enough.then_some(play)
}

impl ParsedPlay {
    /// Adds the meaning of a word or two; whether they are known.
    fn add(&mut self, word: &str, is_first: bool, known: &WordLists) -> bool {
        let is = |meaning: &str| known.has_meaning("word", meaning, word);
        let named = || known.exact_meaning("throw", word).and_then(read_throw);
        if let Some(throw) = read_throw(word) {
            return self.throw.replace(throw).is_none();
        }
        if let Some(throw) = named() {
            self.needs.push(WordNeed::Way);
            return self.throw.replace(throw).is_none();
        }
        if let Some(square) = square(word) {
            self.squares.push(square);
        } else if word == "↵" || is("enter") {
            self.enter = true;
        } else if word == "↑" || is("bear") {
            self.off = true;
        } else if is("in") {
            self.enter = true;
            self.needs.push(WordNeed::Throw);
        } else if is("off") {
            self.off = true;
            self.needs.push(WordNeed::Throw);
        } else if word == "→" || is("beside") {
            self.needs.push(WordNeed::Square);
        } else {
            return is_first && is("lead");
        }
        true
    }
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

fn play(
    position: &ThaayamPosition,
    legal: &[ThaayamAction],
    seat: Seat,
    play: &ParsedPlay,
) -> Option<ThaayamAction> {
    let colour = position.colour(seat);
    let throw = play.throw.unwrap_or(1);
    if play.enter || play.off {
        let (piece, at) = match play.enter {
            true => (PiecePlace::Hand, square_of(colour.path(), 0)),
            false => (PiecePlace::Home, Some(CENTRE)),
        };
        let is_there = play.squares.iter().all(|it| Some(*it) == at);
        return is_there.then_some(ThaayamAction::Use { throw, piece });
    }
    // From and perhaps to: the throw follows where it was not typed.
    let lands = |throw: u8, piece: PiecePlace, to: u8| {
        let from = piece.step(colour)?;
        let to_step = match from {
            HAND => 0,
            _ => (from + i8::try_from(throw).ok()?).min(FORTRESS),
        };
        Some(square_of(colour.path(), to_step) == Some(to))
    };
    let piece_on =
        |square: u8| if square == CENTRE { PiecePlace::Home } else { PiecePlace::On(square) };
    let fits = |action: &ThaayamAction| {
        let ThaayamAction::Use { throw, piece } = *action else { return false };
        let from_fits = play.squares.first().is_none_or(|from| piece == piece_on(*from));
        let to_fits = play.squares.get(1).is_none_or(|to| lands(throw, piece, *to) == Some(true));
        play.throw.is_none_or(|typed| typed == throw) && from_fits && to_fits
    };
    if play.throw.is_none() && play.squares.is_empty() {
        return None;
    }
    let mut fitting = legal.iter().filter(|action| fits(action));
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Some(*only),
        (Some(_), Some(_)) => None,
        // Nothing is legal: builds the intended action as far as it is known. It must not be
        // another one, which may be legal.
        (None, _) => match (play.throw, play.squares.as_slice()) {
            (Some(throw), [from]) => Some(ThaayamAction::Use { throw, piece: piece_on(*from) }),
            (Some(throw), [from, to]) if lands(throw, piece_on(*from), *to) == Some(true) => {
                Some(ThaayamAction::Use { throw, piece: piece_on(*from) })
            }
            (Some(_) | None, _) => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use crate::thaayam::{Series, Thaayam, ThaayamOptions};

    fn game(state: &str, series: &str) -> Thaayam {
        let position = ThaayamPosition::read(ThaayamOptions::default(), state).unwrap();
        let mut game = Thaayam::from_position(position, Seat(0));
        game.apply_chance(&Series::read(series).unwrap(), &mut Vec::new()).unwrap();
        game
    }

    fn means(game: &Thaayam, text: &str) -> String {
        let words = crate::vocabulary::load_all_words("thaayam");
        game.parse_move(Seat(0), text, &words).map_or("?".to_owned(), |action| action.write())
    }

    #[test]
    fn plays_are_understood_in_any_order_and_spelling() {
        let mut game = game("--ag/---d", "142");
        for text in [
            "throw",
            "Roll!",
            "бросаю",
            "лақтыру",
            "նետել",
            "roll the dice",
            "ыргытуу",
            "உருட்டு",
            "🎲",
        ] {
            assert_eq!(means(&game, text), "throw", "{text}");
        }
        game.apply_action(Seat(0), &ThaayamAction::Throw, &mut Vec::new()).unwrap();
        for text in ["4 c1", "வெள்ளை c1→e3", "c1 4", "4 c1→e3", "c1 e3", "C1-E3", "с1 4", "4:c1"]
        {
            assert_eq!(means(&game, text), "4:c1", "{text}");
        }
        // A move to another square is not the move that is legal.
        for text in ["4 c1 e5", "4 e5 c1", "4 e3 c1"] {
            assert_eq!(means(&game, text), "?", "{text}");
        }
        for text in ["enter", "1 in", "1 ↵c1", "தாயம் ↵c1", "ввести", "кіргізу", "մտնել"]
        {
            assert_eq!(means(&game, text), "1:in", "{text}");
        }
        assert_eq!(means(&game, "киргизүү"), "1:in");
        for text in ["done", "✓ Done", "готово", "аяқтау", "✓ Болды", "Պատրաստ է"]
        {
            assert_eq!(means(&game, text), "done", "{text}");
        }
        for text in ["undo", "назад", "артқа", "հետ"] {
            assert_eq!(means(&game, text), "undo", "{text}");
        }
        assert_eq!(means(&game, "8 c1"), "8:c1", "the refusal says that there is no 8");
    }

    #[test]
    fn talk_is_not_a_play() {
        let mut game = game("--ag/---d", "142");
        game.apply_action(Seat(0), &ThaayamAction::Throw, &mut Vec::new()).unwrap();
        for text in [
            "4",
            "c1",
            "hello",
            "",
            "4 4 c1",
            "one c1 piece of cake",
            "!?",
            "ok",
            "all",
            "конец",
            "все",
            "всё",
            "тастама",
            "лақтырма",
            "қойма",
            "қойшы",
            "қол",
            "ыргытпа",
            "готов",
            "бросил",
            "in",
            "off",
            "hand",
            "✅",
            "done?",
            "Done!",
            "Готово!",
            "болды",
            "Болды!",
            "болду",
            "4?",
            ":3",
            "<3",
            "4 no",
            "дайын",
            "с 4",
        ] {
            assert_eq!(means(&game, text), "?", "{text}");
        }
    }

    #[test]
    fn a_square_or_a_throw_alone_is_enough_where_only_one_play_fits() {
        let mut game = game("gFFF/---d", "142");
        game.apply_action(Seat(0), &ThaayamAction::Throw, &mut Vec::new()).unwrap();
        assert_eq!(means(&game, "4"), "4:e5");
        assert_eq!(means(&game, "e5"), "?", "the throw is missing");
        for text in ["1 off", "bear off", "1 c3↑"] {
            assert_eq!(means(&game, text), "1:off", "{text}");
        }
        assert_eq!(means(&game, "வெள்ளை"), "?", "a colour is not a throw");
    }
}
