//! Reads typed moves: a text that names a pit.
//!
//! A text is a move only if all of it is. Accepted are the pit (`7`, `#7`, `７`, `7️⃣`), a move in
//! the notation of records (`76`, `76x`, `+67`, `76(10)`, `g1d2`), the label of a button (`7
//! (12)`), and these words of the languages:
//!
//! - list `name`: the traditional names, which mean the pit alone ("qandyqaqpan"), and list
//!   `common_name`: those that are everyday words, too; they need a word for a pit or for a move
//!   ("pit art");
//! - list `ordinal`: words that mean nothing but a pit where a move is asked for ("the seventh");
//! - list `nth`: ordinals that people also say of other things ("first"); they need a word for a
//!   pit, as do the numbers of list `number` ("pit seven").
//!
//! List `word` has the words that may be beside them: `pit`, `house` and `of` for a pit, where
//! `house` is no pit beside a number ("бир үй" is a house) and `of` is one beside an ordinal only
//! ("2 лунки" is a count); `lead` before them ("move 7"), `verb` anywhere, `from` only where a pit
//! is named; `ending` and `short` behind the hyphen of a digit ("7-я", "7-й"), where `short` needs
//! a word for a pit.
//!
//! Of two digits the first is the pit; the second, where the last stone falls, follows from the
//! rules and is a check. When it is wrong, the text is no move and the player is asked, because a
//! player alone cannot take a sowing back.

use super::notation::NotatedMove;
use super::position::TogyzkumalakPosition;
use super::rules::Sow;
use crate::rules::Seat;
use crate::vocabulary::{TypedStatement, WordLists, normalize_char};

/// Longer texts are talk, not moves.
const CHARS_MAX: usize = 40;

/// More words than a move has.
const WORDS_MAX: usize = 6;

/// Reads a typed move of this seat. The pit need not be legal to sow from.
pub fn parse_move(
    position: &TogyzkumalakPosition,
    seat: Seat,
    text: &str,
    words: &WordLists,
) -> Option<Sow> {
    if text.chars().count() > CHARS_MAX {
        return None;
    }
    let text: String = text.trim().chars().filter_map(normalize_char).collect();
    let text = match text.strip_prefix(['#', '№']) {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => rest,
        _ => &text,
    };
    by_notation(position, seat, text).or_else(|| by_words(text, words))
}

fn by_notation(position: &TogyzkumalakPosition, seat: Seat, text: &str) -> Option<Sow> {
    let text = text.strip_suffix('.').unwrap_or_else(|| text.trim_end_matches('!'));
    if text.ends_with(['!', '?', ',', ';', '.']) {
        return None;
    }
    let written = NotatedMove::read(&without_stones(text).to_lowercase())?;
    // A plus before a single digit is agreement ("+1").
    let is_other = written.side.is_some_and(|side| side != seat.0);
    if is_other || (written.extra && written.to.is_none()) {
        return None;
    }
    match written.to {
        // For a pit that cannot be sown, its own refusal says more.
        Some(to) if can_sow(position, seat, written.from) => {
            lands(position, seat, written.from, to).then_some(Sow(written.from))
        }
        Some(_) | None => Some(Sow(written.from)),
    }
}

/// The label of a button without the stones in its pit: "7 (12)".
fn without_stones(text: &str) -> &str {
    let is_count = |it: &str| {
        let digits = it.strip_suffix(')').unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit())
    };
    match text.split_once(" (") {
        Some((pit, stones)) if is_count(stones) => pit,
        _ => text,
    }
}

fn can_sow(position: &TogyzkumalakPosition, seat: Seat, from: u8) -> bool {
    seat.0 == position.side() && position.moves() >> from & 1 == 1
}

/// Whether this seat can sow from a pit so that the last stone falls into a pit of that number.
fn lands(position: &TogyzkumalakPosition, seat: Seat, from: u8, to: u8) -> bool {
    can_sow(position, seat, from) && { *position }.play(from).to == to
}

/// The meaning of a word or two.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PitPart {
    /// The pit with this index, and how it is named.
    Named(u8, PitNaming),
    Pit,
    House,
    Of,
    Lead,
    Verb,
    From,
}

/// The way in which a pit is named.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PitNaming {
    /// By a digit alone.
    Digit,
    /// By a digit with a word for a pit behind the hyphen.
    Whole,
    /// By a word with no other meaning.
    Alone,
    /// By a name that needs a word for a pit or for a move.
    Common,
    /// By an ordinal that needs a word for a pit.
    Nth,
    /// By a number word.
    Number,
}

fn by_words(text: &str, known: &WordLists) -> Option<Sow> {
    let statement = TypedStatement::parse(text, "")?;
    let parts = parts(&statement.words, known)?;
    let mut named = None;
    for (at, part) in parts.iter().enumerate() {
        let is_repeated = parts[..at].contains(part);
        match part {
            PitPart::Named(..) if named.is_some() => return None,
            PitPart::Named(pit, how) => named = Some((*pit, *how)),
            PitPart::Lead if at > 0 => return None,
            _ if is_repeated && *part != PitPart::From => return None,
            _ => {}
        }
    }
    let (pit, how) = named?;
    let has = |part: PitPart| parts.contains(&part);
    let acts = has(PitPart::Lead) || has(PitPart::Verb);
    let fits = match how {
        PitNaming::Digit | PitNaming::Whole if has(PitPart::House) => false,
        PitNaming::Digit | PitNaming::Whole | PitNaming::Number if has(PitPart::Of) => false,
        PitNaming::Digit => has(PitPart::Pit) || !has(PitPart::From),
        PitNaming::Whole => !has(PitPart::Pit),
        // People also write “First!” when they are the first to answer.
        PitNaming::Alone => has(PitPart::Pit) || has(PitPart::House) || acts || !statement.is_loud,
        PitNaming::Common => has(PitPart::Pit) || has(PitPart::House) || acts,
        PitNaming::Nth => has(PitPart::Pit) || has(PitPart::House) || has(PitPart::Of),
        PitNaming::Number => has(PitPart::Pit),
    };
    fits.then_some(Sow(pit))
}

/// The meanings of the words, trying two together first; `None` when one is not known.
fn parts(words: &[String], known: &WordLists) -> Option<Vec<PitPart>> {
    let mut parts = Vec::new();
    let mut left = words;
    while let [first, rest @ ..] = left {
        let pair = rest.first().map(|second| format!("{first} {second}"));
        let (part, used) = match pair.and_then(|it| part(&it, known)) {
            Some(part) => (part, 2),
            None => (part(first, known)?, 1),
        };
        parts.push(part);
        left = &left[used..];
    }
    (parts.len() <= WORDS_MAX).then_some(parts)
}

fn part(word: &str, known: &WordLists) -> Option<PitPart> {
    let tail = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if tail.len() < word.len() {
        let pit = digit(&word[..word.len() - tail.len()])?;
        return counted(pit, tail.strip_prefix('-').unwrap_or(tail), known);
    }
    for (list, how) in [
        ("name", PitNaming::Alone),
        ("common_name", PitNaming::Common),
        ("ordinal", PitNaming::Alone),
        ("nth", PitNaming::Nth),
        ("number", PitNaming::Number),
    ] {
        if let Some(pit) = known.exact_meaning(list, word).and_then(digit) {
            return Some(PitPart::Named(pit, how));
        }
    }
    [
        ("pit", PitPart::Pit),
        ("house", PitPart::House),
        ("of", PitPart::Of),
        ("lead", PitPart::Lead),
        ("verb", PitPart::Verb),
        ("from", PitPart::From),
    ]
    .into_iter()
    .find_map(|(meaning, part)| known.has_meaning("word", meaning, word).then_some(part))
}

/// A digit with the text directly behind it: "7", "7-я", "7-отау".
fn counted(pit: u8, tail: &str, known: &WordLists) -> Option<PitPart> {
    let is = |meaning: &str| known.has_meaning("word", meaning, tail);
    let how = match tail {
        "" => PitNaming::Digit,
        _ if is("pit") || is("house") => PitNaming::Whole,
        // People are called the first, too.
        _ if is("ending") && pit > 0 => PitNaming::Alone,
        _ if is("ending") || is("short") => PitNaming::Nth,
        _ => return None,
    };
    Some(PitPart::Named(pit, how))
}

/// The index of the pit of a digit.
fn digit(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [digit @ b'1'..=b'9'] => Some(digit - b'1'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::togyzkumalak::Variant;
    use std::sync::OnceLock;

    static WORDS: OnceLock<WordLists> = OnceLock::new();

    /// The pit that the first player's text names at the start, counted from 1; 0 for none.
    fn pit(text: &str) -> u8 {
        let position = TogyzkumalakPosition::start(Variant::Seed);
        let words = WORDS.get_or_init(|| crate::vocabulary::load_all_words("togyzkumalak"));
        parse_move(&position, Seat(0), text, words).map_or(0, |sow| sow.0 + 1)
    }

    #[test]
    fn digits_and_notation_mean_their_pit() {
        let texts = [
            "7",
            " 7 ",
            "7.",
            "7!",
            "#7",
            "№7",
            "７",
            "7️⃣",
            "⑦",
            "76",
            "76x",
            "76X",
            "76х",
            "+76",
            "76(10)",
            "g1d2",
            "pit 7",
            "Pit 7!",
            "7th",
            "7 (9)",
            "move 7",
            "pit number 7",
        ];
        for text in texts {
            assert_eq!(pit(text), 7, "{text}");
        }
    }

    #[test]
    #[allow(clippy::too_many_lines, reason = "a list of words")]
    fn words_of_all_languages_mean_their_pit() {
        let sevens = [
            "the seventh",
            "The seventh pit",
            "seventh pit",
            "pit seven",
            "from pit seven",
            "play 7",
            "седьмая",
            "Седьмую",
            "седьмая лунка",
            "из седьмой лунки",
            "лунка семь",
            "лунка 7",
            "ход 7",
            "хожу 7",
            "7-я",
            "7-я лунка",
            "из 7-й лунки",
            "жетінші",
            "ЖЕТІНШІ",
            "жетінші отаудан",
            "жеті отау",
            "7-отау",
            "отау 7",
            "7отау",
            "7-ші",
            "7 жүремін",
            "յոթերորդ",
            "յոթերորդը",
            "Յոթերորդ փոս",
            "7-րդ",
            "7րդ",
            "թիվ 7 փոսը",
            "qandyqaqpan",
            "қандықақпан",
            "Қанды қақпан",
            "жетинчи",
            "жетинчи үйдөн",
            "7-үй",
            "7-уй",
            "жетинчи уй",
            "ஏழாம் குழி",
            "குழி 7",
            "7-ஆம் குழி",
        ];
        for text in sevens {
            assert_eq!(pit(text), 7, "{text}");
        }
        let in_order: [[&str; 9]; 7] = [
            [
                "the first",
                "the second",
                "the third",
                "the fourth",
                "the fifth",
                "the sixth",
                "the seventh",
                "the eighth",
                "the ninth",
            ],
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
                "бірінші отау",
                "екінші отау",
                "үшінші",
                "төртінші",
                "бесінші",
                "алтыншы",
                "жетінші",
                "сегізінші",
                "тоғызыншы",
            ],
            [
                "առաջին փոս",
                "երկրորդ փոսը",
                "երրորդ",
                "չորրորդ",
                "հինգերորդ",
                "վեցերորդ",
                "յոթերորդ",
                "ութերորդ",
                "իններորդ",
            ],
            [
                "pit art",
                "tekturmas",
                "at otpes",
                "atsyratar",
                "play bel",
                "belbasar",
                "qandyqaqpan",
                "kokmoiyn",
                "mangdai",
            ],
            [
                "арт отау",
                "тектұрмас",
                "ат өтпес",
                "атсыратар",
                "бел отау",
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
            "<3",
            ":3",
            "8)",
            "+1",
            "7?",
            "7 no",
            "no, 7",
            "3-2",
            "7:6",
            "one",
            "first",
            "first!",
            "the first!",
            "I go first",
            "second please",
            "no one",
            "Я первый!",
            "первая!",
            "один дома",
            "уши",
            "үшін",
            "бірге",
            "жетім",
            "бирге",
            "бир үй",
            "үч эле үй",
            "с 7",
            "2 лунки",
            "две лунки",
            "7 жүрме",
            "7 үй",
            "art",
            "Арт!",
            "бел",
            "бель",
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
        assert_eq!(pit("65"), 6, "a legal move");
    }
}
