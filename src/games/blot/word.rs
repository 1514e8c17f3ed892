//! What words for bids and cards mean. The words are lists `word`, `letter` and `number` of the
//! languages. A single letter of list `letter` means a card or a suit only in capitals, or beside a
//! digit or the sign of a suit.

use super::card::{Suit, Trump, rank};
use crate::input::Words;

/// What a word means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// A number: of a bid or of a card.
    Number(u8),
    /// A suit, or boy.
    Trump(Trump),
    /// A court card or a card by its name.
    Rank(u8),
    /// All tricks.
    Kaput,
    /// Nothing to say.
    Pass,
    /// Doubt.
    Kuansh,
    /// Sharpening.
    Sur,
    /// Combinations are announced.
    Announce,
    /// Combinations are shown.
    Show,
    /// Says nothing by itself.
    Filler,
}

/// What the languages call a meaning in their list `word`.
fn named(name: &str) -> Option<Word> {
    Some(match name {
        "clubs" => Word::Trump(Trump::Suit(Suit::Clubs)),
        "diamonds" => Word::Trump(Trump::Suit(Suit::Diamonds)),
        "hearts" => Word::Trump(Trump::Suit(Suit::Hearts)),
        "spades" => Word::Trump(Trump::Suit(Suit::Spades)),
        "boy" => Word::Trump(Trump::Boy),
        "seven" => Word::Rank(rank::SEVEN),
        "eight" => Word::Rank(rank::EIGHT),
        "nine" => Word::Rank(rank::NINE),
        "ten" => Word::Rank(rank::TEN),
        "jack" => Word::Rank(rank::JACK),
        "queen" => Word::Rank(rank::QUEEN),
        "king" => Word::Rank(rank::KING),
        "ace" => Word::Rank(rank::ACE),
        "kaput" => Word::Kaput,
        "pass" => Word::Pass,
        "kuansh" => Word::Kuansh,
        "sur" => Word::Sur,
        "announce" => Word::Announce,
        "show" => Word::Show,
        "filler" => Word::Filler,
        _ => return None,
    })
}

/// The meaning of a word in small letters.
pub fn meaning(word: &str, words: &Words) -> Option<Word> {
    if word.bytes().all(|it| it.is_ascii_digit()) {
        return word.parse().ok().map(Word::Number);
    }
    if let Some(number) = words.exactly("number", word) {
        return number.parse().ok().map(Word::Number);
    }
    named(words.exactly("word", word)?)
}

/// The meaning of a single letter, in small letters.
pub fn letter(letter: char, words: &Words) -> Option<Word> {
    let mut bytes = [0; 4];
    named(words.exactly("letter", letter.encode_utf8(&mut bytes))?)
}
