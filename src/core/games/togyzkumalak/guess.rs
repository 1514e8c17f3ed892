//! What people type when they mean a pit.
//!
//! Understood: the pit (`7`, `#7`, `７`, `7️⃣`, "pit 7"), a move as records write it (`76`, `76x`,
//! `+67`, `76(10)`, `g1d2`), and words for the pit with the traditional names ("seventh",
//! "qandyqaqpan"): list `pit` of the languages, where a star stands for several endings of
//! `ending` in list `word`; `filler` there says nothing by itself.
//!
//! Of two digits the first is the pit; the second, where the last stone falls, follows from the
//! rules and is a check. When it is wrong, nothing is guessed: whoever wrote it is asked, for what
//! was sown cannot be taken back alone.

use super::notation::Written;
use super::position::Position;
use super::rules::Sow;
use crate::input::{Words, in_word};
use crate::rules::Seat;

/// Texts longer than this are talk, not moves.
const CHARS_MAX: usize = 40;

/// Understands a typed move of this seat. The pit need not be one that can be sown.
pub fn guess(position: &Position, seat: Seat, text: &str, words: &Words) -> Option<Sow> {
    if text.chars().count() > CHARS_MAX {
        return None;
    }
    // A button's label holds the stones behind a dot.
    // The label of a button, typed: "7 (12)".
    let text = plain(text.split_once(" (").map_or(text, |(pit, _)| pit));
    by_notation(position, seat, &text).or_else(|| by_words(position, seat, &text, words))
}

fn by_notation(position: &Position, seat: Seat, text: &str) -> Option<Sow> {
    let written = Written::read(text)?;
    if written.side.is_some_and(|side| side != seat.0) {
        return None;
    }
    match written.to {
        // Of a pit that cannot be sown its own refusal says more.
        Some(to) if can_sow(position, seat, written.from) => {
            lands(position, seat, written.from, to).then_some(Sow(written.from))
        }
        Some(_) | None => Some(Sow(written.from)),
    }
}

fn can_sow(position: &Position, seat: Seat, from: u8) -> bool {
    seat.0 == position.side() && position.moves() >> from & 1 == 1
}

/// Whether this seat can sow from a pit so that the last stone falls into a pit of that number.
fn lands(position: &Position, seat: Seat, from: u8, to: u8) -> bool {
    can_sow(position, seat, from) && { *position }.play(from).to == to
}

fn by_words(position: &Position, seat: Seat, text: &str, known: &Words) -> Option<Sow> {
    let words: Vec<&str> = text.split(|c: char| !in_word(c)).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    if let Some(pit) = pit_of(&words.join(" "), known) {
        return Some(pit);
    }
    if let [Some(from), Some(to)] = words.iter().map(|word| digit(word)).collect::<Vec<_>>()[..] {
        return lands(position, seat, from, to).then_some(Sow(from));
    }
    let mut found = None;
    let mut at = 0;
    while at < words.len() {
        let pair = words.get(at..at + 2).map(|pair| pair.join(" "));
        let named = pair.as_deref().and_then(|it| pit_of(it, known)).map(|pit| (pit, 2));
        let named = named.or_else(|| pit_of(words[at], known).map(|pit| (pit, 1)));
        let (pit, len) = match named {
            Some(named) => named,
            None if is_filler(words[at], known) => {
                at += 1;
                continue;
            }
            None => return None,
        };
        if found.is_some_and(|before| before != pit) {
            return None;
        }
        found = Some(pit);
        at += len;
    }
    found
}

/// The pit that a word, a digit, or digits with letters behind them ("7th", "7րդ") mean.
fn pit_of(word: &str, words: &Words) -> Option<Sow> {
    let letters = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if let Some(pit) = digit(&word[..word.len() - letters.len()]) {
        let known = letters.is_empty() || is_filler(letters, words);
        return known.then_some(Sow(pit));
    }
    let pit: u8 = words.meaning("pit", |known| matches(known, word, words))?.parse().ok()?;
    (1..=9).contains(&pit).then(|| Sow(pit - 1))
}

/// Whether a word means nothing more: "pit", "please".
fn is_filler(word: &str, words: &Words) -> bool {
    words.means("word", "filler", |known| matches(known, word, words))
}

fn digit(word: &str) -> Option<u8> {
    match word.as_bytes() {
        [digit @ b'1'..=b'9'] => Some(digit - b'1'),
        _ => None,
    }
}

/// Whether an entry of the table, perhaps a stem, is this word.
fn matches(known: &str, word: &str, words: &Words) -> bool {
    match known.strip_suffix('*') {
        None => known == word,
        Some(stem) => word
            .strip_prefix(stem)
            .is_some_and(|rest| is_ending(rest, 3, words.of("word", "ending"))),
    }
}

/// Whether this is made of so many endings at most.
fn is_ending(rest: &str, endings_max: u8, endings: &[String]) -> bool {
    let follows = |ending: &String| {
        let after = rest.strip_prefix(ending.as_str());
        endings_max > 0 && after.is_some_and(|after| is_ending(after, endings_max - 1, endings))
    };
    rest.is_empty() || endings.iter().any(follows)
}

/// Lower case, ordinary digits, no marks that only decorate.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.trim().chars().flat_map(char::to_lowercase) {
        match c {
            '\u{fe0f}' | '\u{20e3}' | '\u{200d}' | '\u{200b}' => {}
            '０'..='９' => plain.push(char::from(b'0' + (c as u32 - '０' as u32) as u8)),
            '①'..='⑨' => plain.push(char::from(b'1' + (c as u32 - '①' as u32) as u8)),
            'ё' => plain.push('е'),
            '#' | '№' | '"' | '«' | '»' => {}
            c => plain.push(c),
        }
    }
    plain.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::togyzkumalak::Variant;
    use std::sync::OnceLock;

    static WORDS: OnceLock<Words> = OnceLock::new();

    /// What the first player's text means at the start, counted from 1; 0 for nothing.
    fn pit(text: &str) -> u8 {
        let position = Position::start(Variant::Seed);
        let words = WORDS.get_or_init(|| crate::input::of_all_languages("togyzkumalak"));
        guess(&position, Seat(0), text, words).map_or(0, |sow| sow.0 + 1)
    }

    #[test]
    fn digits_and_notation_mean_their_pit() {
        let texts = [
            "7", " 7 ", "7.", "7!", "#7", "№7", "７", "7️⃣", "⑦", "(7)", "76", "76x", "76X", "76х",
            "+76", "76(10)", "7-6", "7 6", "g1d2", "pit 7", "Pit 7!", "7th", "7 (9)", "move 7",
            "no. 7",
        ];
        for text in texts {
            assert_eq!(pit(text), 7, "{text}");
        }
    }

    #[test]
    #[allow(clippy::too_many_lines, reason = "a list of words")]
    fn words_of_all_languages_mean_their_pit() {
        let sevens = [
            "seven",
            "Seventh",
            "the seventh",
            "from pit seven",
            "семь",
            "седьмая",
            "Седьмую",
            "из седьмой",
            "седьмая лунка",
            "лунка 7",
            "7-я лунка",
            "жеті",
            "жетінші",
            "ЖЕТІНШІ",
            "жетінші отаудан",
            "жетіншіден",
            "7-отау",
            "отау 7",
            "7отау",
            "7-ші",
            "յոթ",
            "յոթերորդ",
            "յոթերորդը",
            "Յոթերորդ փոս",
            "7-րդ",
            "7րդ",
            "qandyqaqpan",
            "қандықақпан",
            "Қанды қақпан",
            "жети",
            "жетинчи",
            "жетинчи үйдөн",
            "7-үй",
            "7-уй",
            "жетинчи уй",
            "ஏழு",
            "ஏழாம் குழி",
            "குழி 7",
            "7-ஆம் குழி",
        ];
        for text in sevens {
            assert_eq!(pit(text), 7, "{text}");
        }
        let in_order: [[&str; 9]; 10] = [
            ["бир", "эки", "үч", "төрт", "беш", "алты", "жети", "сегиз", "тогуз"],
            ["ஒன்று", "இரண்டு", "மூன்று", "நான்கு", "ஐந்து", "ஆறு", "ஏழு", "எட்டு", "ஒன்பது"],
            ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"],
            ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"],
            [
                "первая",
                "вторая",
                "третья",
                "четвёртая",
                "пятая",
                "шестая",
                "седьмая",
                "восьмая",
                "девятая",
            ],
            [
                "первую",
                "вторую",
                "третью",
                "четвертую",
                "пятую",
                "шестую",
                "седьмую",
                "восьмую",
                "девятую",
            ],
            [
                "бірінші",
                "екінші",
                "үшінші",
                "төртінші",
                "бесінші",
                "алтыншы",
                "жетінші",
                "сегізінші",
                "тоғызыншы",
            ],
            [
                "առաջին",
                "երկրորդ",
                "երրորդ",
                "չորրորդ",
                "հինգերորդ",
                "վեցերորդ",
                "յոթերորդ",
                "ութերորդ",
                "իններորդ",
            ],
            [
                "art",
                "tekturmas",
                "at otpes",
                "atsyratar",
                "bel",
                "belbasar",
                "qandyqaqpan",
                "kokmoiyn",
                "mangdai",
            ],
            [
                "арт",
                "тектұрмас",
                "ат өтпес",
                "атсыратар",
                "бел",
                "белбасар",
                "қандықақпан",
                "көкмойын",
                "маңдай",
            ],
        ];
        for row in in_order {
            for (number, text) in (1..).zip(row) {
                assert_eq!(pit(text), number, "{text}");
            }
        }
    }

    #[test]
    fn talk_is_not_a_move() {
        let talk = [
            "",
            "0",
            "10",
            "100",
            "7 and 8",
            "one or two",
            "hello",
            "первый раз",
            "вторник",
            "бірақ",
            "спасибо",
            "семья",
            "a",
            "i",
            "first of all",
            "7 8",
            "76 66",
            "-",
            "?!",
        ];
        for text in talk {
            assert_eq!(pit(text), 0, "{text}");
        }
        assert_eq!(pit(&"7 ".repeat(1000)), 0);
    }

    #[test]
    fn a_wrong_landing_digit_is_no_move() {
        for text in ["75", "99", "29", "15", "67", "75x"] {
            assert_eq!(pit(text), 0, "{text}");
        }
        assert_eq!(pit("65"), 6, "a true move");
    }
}
