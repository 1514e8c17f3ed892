//! What people type when they mean a bid or a card.
//!
//! Understood: bids in both word orders ("12 hearts", "hearts 12", "12♥", "12h", "սիրտ 12",
//! "12 հատ սիրտ", "черви 12", "boy 9", "25 hearts kaput"), the words of the auction, and cards
//! ("J♥", "jh", "10s", "jack of hearts", "валет черви", "10 пик"). What could be a bid as well as
//! a card ("10 spades") is what the game waits for. A text with a word that is not known is talk.

use super::action::Action;
use super::auction::{Bid, Call};
use super::card::{Card, Trump, rank};
use super::rules::Blot;
use super::word::{Word, meaning};
use crate::input::{Words, in_word};
use crate::rules::Token;

/// Texts longer than this are talk.
const CHARS_MAX: usize = 40;

/// Understands what a seat typed, by these words. It need not be legal.
pub fn guess(game: &Blot, text: &str, known: &Words) -> Option<Action> {
    if text.chars().count() > CHARS_MAX {
        return None;
    }
    let bidding = game.round().is_some_and(|round| round.play().is_none());
    let words = words(text, known)?;
    let said: Vec<Word> = words.into_iter().filter(|it| *it != Word::Filler).collect();
    let said = joined(said);
    match said[..] {
        [Word::Pass] => Some(Action::Call(Call::Pass)),
        [Word::Kuansh] => Some(Action::Call(Call::Kuansh)),
        [Word::Sur] => Some(Action::Call(Call::Sur)),
        [Word::Announce] => Some(Action::Announce),
        [Word::Show] => Some(Action::Show),
        _ if bidding => bid(&said).or_else(|| card(&said)),
        _ => card(&said).or_else(|| bid(&said)),
    }
}

/// A number, a suit or boy, and perhaps kaput, in any order.
fn bid(said: &[Word]) -> Option<Action> {
    let (mut x, mut trump, mut kaput) = (None, None, false);
    for word in said {
        let first = match word {
            Word::Number(number) => x.replace(*number).is_none(),
            Word::Trump(it) => trump.replace(*it).is_none(),
            Word::Kaput => !std::mem::replace(&mut kaput, true),
            _ => false,
        };
        if !first {
            return None;
        }
    }
    Some(Action::Call(Call::Bid(Bid { x: x?, trump: trump?, kaput })))
}

/// A rank and a suit, in any order.
fn card(said: &[Word]) -> Option<Action> {
    let [first, second] = said else { return None };
    let rank_of = |word: &Word| match word {
        Word::Rank(rank) => Some(*rank),
        Word::Number(number @ 7..=10) => Some(rank::SEVEN + number - 7),
        _ => None,
    };
    let suit_of = |word: &Word| match word {
        Word::Trump(Trump::Suit(suit)) => Some(*suit),
        _ => None,
    };
    let either = |a, b| Some((rank_of(a)?, suit_of(b)?));
    let (rank, suit) = either(first, second).or_else(|| either(second, first))?;
    Some(Action::Card(Card::new(suit, rank)))
}

/// Number words that stand for one number together: "twenty five", "он екі".
fn joined(said: Vec<Word>) -> Vec<Word> {
    let mut joined: Vec<Word> = Vec::with_capacity(said.len());
    for word in said {
        match (joined.last_mut(), word) {
            (Some(Word::Number(tens)), Word::Number(ones @ 1..=9))
                if matches!(*tens, 10 | 20 | 30) =>
            {
                *tens += ones;
            }
            _ => joined.push(word),
        }
    }
    joined
}

/// The meanings of all words; `None` when one is not known.
fn words(text: &str, known: &Words) -> Option<Vec<Word>> {
    let mut all = Vec::new();
    for word in pieces(text) {
        match meaning(&word, known) {
            Some(meaning) => all.push(meaning),
            None => all.extend(short(&word, known)?),
        }
    }
    (!all.is_empty() && all.len() <= 8).then_some(all)
}

/// `jh`, `вч` and such: a court card and a suit by a letter each; `hk` of `25hk`.
fn short(word: &str, known: &Words) -> Option<[Word; 2]> {
    let mut letters = word.chars();
    let (first, second) = (letters.next()?, letters.next()?);
    if letters.next().is_some() {
        return None;
    }
    let second = match (second, Bid::read(&format!("25{word}"))) {
        ('k', Some(_)) => Word::Kaput,
        _ => meaning(second.encode_utf8(&mut [0; 4]), known)?,
    };
    Some([meaning(first.encode_utf8(&mut [0; 4]), known)?, second])
}

/// Words, numbers and signs of suits, each for itself, in small letters.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut kind = None;
    for c in text.chars().flat_map(char::to_lowercase) {
        let c = if c == 'ё' { 'е' } else { c };
        let now = match c {
            '\u{fe0f}' | '\u{fe0e}' | '\u{200d}' => continue,
            '0'..='9' => Some(0),
            '♣' | '♧' | '♦' | '♢' | '♥' | '♡' | '♠' | '♤' => Some(1),
            c if in_word(c) => Some(2),
            _ => None,
        };
        match (now, pieces.last_mut()) {
            (Some(_), Some(piece)) if now == kind && now != Some(1) => piece.push(c),
            (Some(_), _) => pieces.push(c.to_string()),
            (None, _) => {}
        }
        kind = now;
    }
    pieces
}
