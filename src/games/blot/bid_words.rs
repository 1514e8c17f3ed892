//! The meanings of words for bids and cards. The words are lists `word`, `letter` and `number` of
//! the languages. A single letter of list `letter` means a card or a suit only in capitals, or
//! beside a digit or the sign of a suit.

use super::card::{Suit, Trump, rank};
use crate::vocabulary::WordLists;

/// The meaning of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlotWord {
    /// A number: of a bid or of a card.
    Number(u8),
    /// A number that is written as a word, which may be a part of one.
    NumberWord(u8),
    /// A suit, or boy.
    Trump(Trump),
    /// A court card or a card by its name.
    Rank(u8),
    /// All tricks.
    Kaput,
    /// A pass.
    Pass,
    /// A kuansh.
    Kuansh,
    /// A sur.
    Sur,
    /// Combinations are announced.
    Announce,
    /// Combinations are shown.
    Show,
    /// A word without a meaning of its own.
    Filler,
}

/// The meaning of a key in list `word`.
fn named(name: &str) -> Option<BlotWord> {
    Some(match name {
        "clubs" => BlotWord::Trump(Trump::Suit(Suit::Clubs)),
        "diamonds" => BlotWord::Trump(Trump::Suit(Suit::Diamonds)),
        "hearts" => BlotWord::Trump(Trump::Suit(Suit::Hearts)),
        "spades" => BlotWord::Trump(Trump::Suit(Suit::Spades)),
        "boy" => BlotWord::Trump(Trump::Boy),
        "seven" => BlotWord::Rank(rank::SEVEN),
        "eight" => BlotWord::Rank(rank::EIGHT),
        "nine" => BlotWord::Rank(rank::NINE),
        "ten" => BlotWord::Rank(rank::TEN),
        "jack" => BlotWord::Rank(rank::JACK),
        "queen" => BlotWord::Rank(rank::QUEEN),
        "king" => BlotWord::Rank(rank::KING),
        "ace" => BlotWord::Rank(rank::ACE),
        "kaput" => BlotWord::Kaput,
        "pass" => BlotWord::Pass,
        "kuansh" => BlotWord::Kuansh,
        "sur" => BlotWord::Sur,
        "announce" => BlotWord::Announce,
        "show" => BlotWord::Show,
        "filler" => BlotWord::Filler,
        _ => return None,
    })
}

/// The meaning of a word in small letters.
pub fn meaning(word: &str, words: &WordLists) -> Option<BlotWord> {
    if word.bytes().all(|it| it.is_ascii_digit()) {
        return word.parse().ok().map(BlotWord::Number);
    }
    if let Some(number) = words.exact_meaning("number", word) {
        return number.parse().ok().map(BlotWord::NumberWord);
    }
    named(words.exact_meaning("word", word)?)
}

/// The meaning of a single letter, in small letters.
pub fn letter(letter: char, words: &WordLists) -> Option<BlotWord> {
    let mut bytes = [0; 4];
    named(words.exact_meaning("letter", letter.encode_utf8(&mut bytes))?)
}
