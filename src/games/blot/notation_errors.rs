//! Errors in records, and in the written knowledge of a seat.

use std::fmt;

use super::card::Card;
use super::illegal::BlotIllegal;
use super::record::letter;
use crate::rules::Seat;

/// An error in a line of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlotRecordFault {
    /// The record has no deal.
    NoDeal,
    /// The line is not a name with a value.
    NoHeader,
    /// The game has no such house rules.
    Options(String),
    /// The record, or the deal before this line, ends in the middle.
    NotWhole,
    /// The match is over before this line.
    MatchIsOver,
    /// The number of a deal or a trick is wrong.
    OtherNumber {
        /// The written number.
        said: String,
        /// The right number.
        expected: usize,
    },
    /// The match had another result: this one.
    OtherResult(String),
    /// Another event happened: this one.
    OtherLine(String),
    /// The dealer is missing.
    NoDealer,
    /// The line is no part of a record.
    UnknownLine,
    /// A malformed card.
    NoCard(String),
    /// A hand comes before its deal.
    NoDealYet,
    /// Another seat has to deal.
    OtherDealer(Seat),
    /// The deal does not have four hands of eight cards.
    NotFourHands,
    /// The seat of an action is missing.
    Nobody,
    /// An unknown action.
    Unknown(String),
    /// The rules refuse the action.
    Refused {
        /// The seat.
        seat: Seat,
        /// The written action.
        word: String,
        /// The reason.
        why: BlotIllegal,
    },
}

impl fmt::Display for BlotRecordFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BlotRecordFault::NoDeal => write!(f, "the record has no deal"),
            BlotRecordFault::NoHeader => write!(f, "this is not a header"),
            BlotRecordFault::Options(text) => write!(f, "unknown options {text}"),
            BlotRecordFault::NotWhole => write!(f, "the last deal is not complete"),
            BlotRecordFault::MatchIsOver => write!(f, "the match is already over"),
            BlotRecordFault::OtherNumber { said, expected } => {
                write!(f, "the number is {expected} here, not {said}")
            }
            BlotRecordFault::OtherResult(result) => write!(f, "the result is {result}"),
            BlotRecordFault::OtherLine(line) => write!(f, "this line should be: {line}"),
            BlotRecordFault::NoDealer => write!(f, "the dealer is missing"),
            BlotRecordFault::UnknownLine => write!(f, "unknown line"),
            BlotRecordFault::NoCard(word) => write!(f, "{word} is not a card"),
            BlotRecordFault::NoDealYet => write!(f, "the deal of this hand is missing"),
            BlotRecordFault::OtherDealer(seat) => write!(f, "{} does not deal now", letter(*seat)),
            BlotRecordFault::NotFourHands => write!(f, "these are not four hands of eight cards"),
            BlotRecordFault::Nobody => write!(f, "the seat is missing"),
            BlotRecordFault::Unknown(word) => write!(f, "unknown action {word}"),
            BlotRecordFault::Refused { seat, word, why } => {
                write!(f, "{} cannot {word}: {why}", letter(*seat))
            }
        }
    }
}

impl std::error::Error for BlotRecordFault {}

/// An error in a record with its line.
pub type BlotRecordError = crate::rules::RecordError<BlotRecordFault>;

/// An error in the written knowledge of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViewFault {
    /// An unknown word.
    UnknownWord(String),
    /// The seat is missing.
    NoSeat,
    /// The dealer is missing.
    NoDealer,
    /// The hand does not have eight cards.
    NoHand,
    /// Malformed points of two sides.
    NoTotals,
    /// Malformed combinations by seat.
    NoCombinations,
    /// No seat can make this call then.
    NotSayable(String),
    /// The auction is over before this call.
    SaidTooLate(String),
    /// An unknown action.
    UnknownMove(String),
    /// A card before the end of the auction.
    AuctionIsOpen,
    /// A card without a contract.
    NoContract,
    /// A card occurs twice.
    PutTwice(Card),
    /// The rules refuse this card.
    NotPlayable {
        /// The seat.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// The hand contradicts the played cards.
    OtherHand,
    /// A player would have too many cards.
    TooManyPut,
    /// The announced combination is not in the hand.
    NotHeld,
    /// Another seat is to move.
    OtherTurn(Seat),
    /// The round is over, so no seat is to move.
    RoundIsOver,
}

impl fmt::Display for ViewFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ViewFault::UnknownWord(word) => {
                write!(f, "{word}: a view is given by seat=, dealer=, hand=, totals=, told=, shown")
            }
            ViewFault::NoSeat => write!(f, "seat= is the seat of the view, 1 to 4"),
            ViewFault::NoDealer => write!(f, "dealer= is the seat of the dealer, 1 to 4"),
            ViewFault::NoHand => write!(
                f,
                "hand= lists the eight cards that were dealt to the seat, such as 7C,10C,JH"
            ),
            ViewFault::NoTotals => write!(f, "totals= are two numbers such as 120:95"),
            ViewFault::NoCombinations => {
                write!(f, "told= and shown= are such as 2:terz+fifty,4:four and 2:terz-KH")
            }
            ViewFault::NotSayable(token) => write!(f, "{token} cannot be said then"),
            ViewFault::SaidTooLate(token) => write!(f, "{token} comes after the first card"),
            ViewFault::UnknownMove(token) => write!(f, "{token} is no call and no card"),
            ViewFault::AuctionIsOpen => write!(f, "cards are put before the auction is over"),
            ViewFault::NoContract => write!(f, "cards are put, but there is no contract"),
            ViewFault::PutTwice(card) => write!(f, "{} is put twice", card.write()),
            ViewFault::NotPlayable { seat, card } => {
                write!(f, "seat {} could not put {}", seat.0 + 1, card.write())
            }
            ViewFault::OtherHand => {
                write!(f, "a card of the hand is put by another, or one put is not in the hand")
            }
            ViewFault::TooManyPut => write!(f, "a seat has played more than eight cards"),
            ViewFault::NotHeld => write!(f, "the hand does not have the combination in told="),
            ViewFault::OtherTurn(seat) => write!(f, "it is the turn of seat {}", seat.0 + 1),
            ViewFault::RoundIsOver => write!(f, "the round is over"),
        }
    }
}

impl std::error::Error for ViewFault {}
