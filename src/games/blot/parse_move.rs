//! Reads typed bids and cards.
//!
//! A text is a bid or a card only if all of it is. Accepted are bids in both word orders ("12
//! hearts", "hearts 12", "12♥", "12h", "սիրտ 12", "12 հատ սիրտ", "черви 12", "boy 9", "25 hearts
//! kaput"), the words of the auction, and cards ("J♥", "JH", "10s", "jack of hearts", "валет
//! черви", "10 пик"). Single letters count only in capitals ("JH", because "Ah" and "as" are words)
//! or directly beside a digit or the sign of a suit. A text that could be a bid or a card ("10
//! spades") is the one that the game waits for. A text with an unknown word is talk.

use super::action::BlotAction;
use super::auction::{AuctionCall, Bid};
use super::bid_words::{BlotWord, letter, meaning};
use super::card::{Card, Trump, rank};
use super::rules::Blot;
use crate::vocabulary::{TypedStatement, WordLists, normalize_case, normalize_char};

/// The signs of suits.
const SIGNS: &str = "♣♧♦♢♥♡♠♤";

/// Texts longer than this are talk.
const CHARS_MAX: usize = 40;

/// The smallest number of a bid or of a card.
const LEAST: u8 = 7;

/// More words than a bid or a card has.
const WORDS_MAX: usize = 8;

/// Reads a typed text of a seat with these words. The result need not be legal.
pub fn parse_move(game: &Blot, text: &str, known: &WordLists) -> Option<BlotAction> {
    if text.chars().count() > CHARS_MAX {
        return None;
    }
    let bidding = game.round().is_some_and(|round| round.play().is_none());
    let words = words(text, known)?;
    let words: Vec<BlotWord> = words.into_iter().filter(|it| *it != BlotWord::Filler).collect();
    let words = join_numbers(words);
    match words[..] {
        [BlotWord::Pass] => Some(BlotAction::Call(AuctionCall::Pass)),
        [BlotWord::Kuansh] => Some(BlotAction::Call(AuctionCall::Kuansh)),
        [BlotWord::Sur] => Some(BlotAction::Call(AuctionCall::Sur)),
        [BlotWord::Announce] => Some(BlotAction::Announce),
        [BlotWord::Show] => Some(BlotAction::Show),
        _ if bidding => bid(&words).or_else(|| card(&words)),
        _ => card(&words).or_else(|| bid(&words)),
    }
}

/// A number, a suit or boy, and perhaps kaput, in any order.
fn bid(words: &[BlotWord]) -> Option<BlotAction> {
    let mut x = None;
    let mut trump = None;
    let mut kaput = false;
    for word in words {
        let first = match word {
            BlotWord::Number(number) => x.replace(*number).is_none(),
            BlotWord::Trump(it) => trump.replace(*it).is_none(),
            BlotWord::Kaput => !std::mem::replace(&mut kaput, true),
            _ => false,
        };
        if !first {
            return None;
        }
    }
    // “Two hearts” is never a bid.
    let x = x.filter(|it| *it >= LEAST)?;
    Some(BlotAction::Call(AuctionCall::Bid(Bid { x, trump: trump?, kaput })))
}

/// A rank and a suit, in any order.
fn card(words: &[BlotWord]) -> Option<BlotAction> {
    let [first, second] = words else { return None };
    let rank_of = |word: &BlotWord| match word {
        BlotWord::Rank(rank) => Some(*rank),
        BlotWord::Number(number @ 7..=10) => Some(rank::SEVEN + number - 7),
        _ => None,
    };
    let suit_of = |word: &BlotWord| match word {
        BlotWord::Trump(Trump::Suit(suit)) => Some(*suit),
        _ => None,
    };
    let either = |a, b| Some((rank_of(a)?, suit_of(b)?));
    let (rank, suit) = either(first, second).or_else(|| either(second, first))?;
    Some(BlotAction::Card(Card::new(suit, rank)))
}

/// Joins number words that form one number: "twenty five", "он екі". Two numbers in digits, as in
/// "10 8 hearts", are none.
fn join_numbers(words: Vec<BlotWord>) -> Vec<BlotWord> {
    let mut joined: Vec<BlotWord> = Vec::with_capacity(words.len());
    for word in words {
        match (joined.last_mut(), word) {
            (Some(BlotWord::NumberWord(tens)), BlotWord::NumberWord(ones @ 1..=9))
                if matches!(*tens, 10 | 20 | 30) =>
            {
                *tens += ones;
            }
            _ => joined.push(word),
        }
    }
    let whole = |word: BlotWord| match word {
        BlotWord::NumberWord(number) => BlotWord::Number(number),
        other => other,
    };
    joined.into_iter().map(whole).collect()
}

/// The meanings of all words; `None` when one is not known.
fn words(text: &str, known: &WordLists) -> Option<Vec<BlotWord>> {
    let statement = TypedStatement::parse(text, SIGNS)?;
    let text: String = text.chars().filter_map(normalize_char).collect();
    let text = text.trim_end_matches(['!', '.', '։']);
    let chunks: Vec<Vec<&str>> = text.split_whitespace().map(pieces).collect();
    let mut all = Vec::new();
    let mut at = 0;
    while at < chunks.len() {
        let pair = match &chunks[at..] {
            [first, second, ..] => {
                meaning(&normalize_case(&format!("{} {}", first.concat(), second.concat())), known)
            }
            _ => None,
        };
        match pair {
            Some(word) => {
                all.push(word);
                at += 2;
            }
            None => {
                all.extend(chunk(&chunks, at, statement.is_loud, known)?);
                at += 1;
            }
        }
    }
    (!all.is_empty() && all.len() <= WORDS_MAX).then_some(all)
}

/// The meanings of the text between two spaces.
fn chunk(
    chunks: &[Vec<&str>],
    at: usize,
    is_loud: bool,
    known: &WordLists,
) -> Option<Vec<BlotWord>> {
    let pieces = &chunks[at];
    let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
    let by_sign = beside.filter_map(|it| chunks.get(it)).any(|it| it.iter().all(|it| is_sign(it)));
    let mut all = Vec::new();
    for piece in pieces {
        let small = normalize_case(piece);
        if let Some(word) = meaning(&small, known) {
            all.push(word);
            continue;
        }
        let has_sign = pieces.iter().any(|it| is_sign(it));
        let has_digit = pieces.iter().any(|it| it.starts_with(|c: char| c.is_ascii_digit()));
        let is_capital = piece.chars().all(char::is_uppercase);
        // “12ч” is twelve o’clock, “the 90s” are years, and “12h” is how the program writes a bid.
        let is_written = has_digit && chunks.len() == 1 && (piece.is_ascii() || is_capital);
        let counts = has_sign || is_written;
        let letters: Vec<char> = small.chars().collect();
        match letters[..] {
            [only] if counts || (is_capital && by_sign) => all.push(letter(only, known)?),
            [suit, 'k'] if counts => all.extend([letter(suit, known)?, BlotWord::Kaput]),
            // “AH!” and “HA” are exclamations.
            [first, second] if pieces.len() == 1 && is_capital && !is_loud => {
                let card = [letter(first, known)?, letter(second, known)?];
                let [BlotWord::Rank(_), BlotWord::Trump(_)] = card else { return None };
                all.extend(card);
            }
            _ => return None,
        }
    }
    Some(all)
}

fn is_sign(piece: &str) -> bool {
    piece.starts_with(|c: char| SIGNS.contains(c))
}

/// Splits into words, numbers and signs of suits.
fn pieces(chunk: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        '0'..='9' => 0,
        c if SIGNS.contains(c) => 1,
        _ => 2,
    };
    let mut pieces = Vec::new();
    let mut rest = chunk;
    while let Some(first) = rest.chars().next() {
        let own = kind(first);
        let is_end = |(at, c): &(usize, char)| *at > 0 && (own == 1 || kind(*c) != own);
        let end = rest.char_indices().find(is_end).map_or(rest.len(), |(at, _)| at);
        pieces.push(&rest[..end]);
        rest = &rest[end..];
    }
    pieces
}
