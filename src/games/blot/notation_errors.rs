//! What can be wrong with records, and with what a seat is said to know.

use std::fmt;

use super::card::Card;
use super::illegal::BlotIllegal;
use super::record::letter;
use crate::rules::Seat;

/// What is wrong with a line of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlotRecordFault {
    /// There is nothing to play in it.
    NoDeal,
    /// This is not a name with a value.
    NoHeader,
    /// There are no such house rules.
    Options,
    /// It ends in the middle of a deal.
    NotWhole,
    /// The match ended otherwise: so.
    OtherResult(String),
    /// Something else happened: this.
    OtherLine(String),
    /// Nobody is named who deals.
    NoDealer,
    /// This is no part of a record.
    UnknownLine,
    /// This is no card.
    NoCard(String),
    /// A hand comes before its deal.
    NoDealYet,
    /// It is not the turn of this seat to deal.
    OtherDealer(Seat),
    /// The cards are not dealt out as they should be.
    NotFourHands,
    /// Nobody is named who does something.
    Nobody,
    /// Nothing is done or said so.
    Unknown(String),
    /// The rules do not allow it.
    Refused {
        /// Who.
        seat: Seat,
        /// What was said.
        word: String,
        /// Why not.
        why: BlotIllegal,
    },
}

impl fmt::Display for BlotRecordFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BlotRecordFault::NoDeal => write!(f, "there is no deal in this"),
            BlotRecordFault::NoHeader => write!(f, "this is not a header"),
            BlotRecordFault::Options => write!(f, "these options are not known"),
            BlotRecordFault::NotWhole => write!(f, "the last deal is not whole"),
            BlotRecordFault::OtherResult(result) => write!(f, "the result is {result}"),
            BlotRecordFault::OtherLine(line) => write!(f, "here should stand: {line}"),
            BlotRecordFault::NoDealer => write!(f, "who is the dealer?"),
            BlotRecordFault::UnknownLine => write!(f, "this line says nothing known"),
            BlotRecordFault::NoCard(word) => write!(f, "{word} is no card"),
            BlotRecordFault::NoDealYet => write!(f, "whose deal is this?"),
            BlotRecordFault::OtherDealer(seat) => write!(f, "{} does not deal now", letter(*seat)),
            BlotRecordFault::NotFourHands => write!(f, "these are not four hands of eight cards"),
            BlotRecordFault::Nobody => write!(f, "who?"),
            BlotRecordFault::Unknown(word) => write!(f, "what is {word}?"),
            BlotRecordFault::Refused { seat, word, why } => {
                write!(f, "{} cannot {word}: {why}", letter(*seat))
            }
        }
    }
}

impl std::error::Error for BlotRecordFault {}

/// The line of a record that is wrong.
pub type BlotRecordError = crate::rules::RecordError<BlotRecordFault>;

/// What is wrong with what a seat is said to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViewFault {
    /// This says nothing that is known.
    UnknownWord(String),
    /// Nobody looks.
    NoSeat,
    /// Nobody has dealt.
    NoDealer,
    /// These are not eight cards.
    NoHand,
    /// These are not the points of two sides.
    NoTotals,
    /// These are not combinations by seat.
    NoCombinations,
    /// Nobody can say this then.
    NotSayable(String),
    /// The auction is over by then.
    SaidTooLate(String),
    /// Nothing is done or said so.
    UnknownMove(String),
    /// Cards come after the auction.
    AuctionIsOpen,
    /// Nobody plays without a contract.
    NoContract,
    /// Every card is there once.
    PutTwice(Card),
    /// The rules did not allow this card.
    NotPlayable {
        /// Who.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// The hand and what was put do not go together.
    OtherHand,
    /// Nobody has so many cards.
    TooManyPut,
    /// Nobody can announce what is not in the hand.
    NotHeld,
    /// Another seat is asked.
    OtherTurn(Seat),
    /// Nobody is asked.
    RoundIsOver,
}

impl fmt::Display for ViewFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ViewFault::UnknownWord(word) => {
                write!(f, "{word}: a view is given by seat=, dealer=, hand=, totals=, told=, shown")
            }
            ViewFault::NoSeat => write!(f, "seat= says who looks, 1 to 4"),
            ViewFault::NoDealer => write!(f, "dealer= says who dealt, 1 to 4"),
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
            ViewFault::TooManyPut => write!(f, "somebody has put more than eight cards"),
            ViewFault::NotHeld => write!(f, "told= is not what the seat holds"),
            ViewFault::OtherTurn(seat) => write!(f, "it is the turn of seat {}", seat.0 + 1),
            ViewFault::RoundIsOver => write!(f, "nothing is left to decide in this round"),
        }
    }
}

impl std::error::Error for ViewFault {}
