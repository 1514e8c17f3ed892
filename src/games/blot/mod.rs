//! Armenian Blot, "bazar blot": four players in two pairs, 32 cards, an auction, 301 points.
//!
//! Start with [`card`] and [`tricks`]: the bare cards and the trump duties, fit for search.
//! [`auction`], [`melds`] and [`score`] are the other parts of a round, [`round`] puts them
//! together, [`rules`] makes a match of rounds and builds a [`view`] for each viewer. [`options`]
//! are the house rules, [`action`] the tokens, [`parse_move`] reads typed text, [`record`] writes
//! and reads whole matches. [`wording`], [`caption`], [`sheet`], [`scene`], [`hand_scene`] and
//! [`course`] display it, [`engine`] has the computer players.
//!
//! # How the rules were chosen
//!
//! Rule numbers R1 to R60 follow the Armenian rule text sentence by sentence. Where it is silent or
//! can be read in two ways, the decisions are these; names in brackets are switches of [`options`]
//! for other ways to play:
//!
//! - D1, D2: bids run from 8 (`min_bid`) to 84, the most that can be made (`max_bid`).
//! - D3: a later bid is higher by one at least; suits and boy are not ranked (`suit_rank`:
//!   clubs, diamonds, hearts, spades, boy; a higher suit may be bid with the same number).
//! - D4: three passes after a bid end the auction (`last_word`: the bidder may then raise his
//!   bid once more, in any suit).
//! - D5: four passes throw the cards in, the next player deals (`redeal_dealer`).
//! - D6: a pass is not final (`pass_final`). D7: a partner may be overbid.
//! - D8: the player to call may kuansh a bid of the other side (`kuansh_any_time`: also out of
//!   turn). That ends the bidding (`bid_after_kuansh`); the bidding side's players, in turn order
//!   from the kuansh, may each sur or pass (`sur_by`: the bidder alone).
//! - D9, D10: kaput may be bid from 25 (`kaput_min`); after it every bid is a kaput and higher in
//!   number (`kaput_sticky`).
//! - D11: "if x > y" is a misprint; a bid is made when at least as much was taken. D12: compared
//!   before dividing by ten (`made_test`).
//! - D13: both sides' card points in tens are 16 together, a six of the defenders goes up
//!   (`rounding`).
//! - D14, D15: combinations and blot-reblot add to a side's points; a side that goes under keeps
//!   nothing (`fail_keep`, `kuansh_keep`).
//! - D16: 25 replaces 16 when the winners of a failed or doubted round took every trick
//!   (`fail_base_kaput`). D19: kaput counts 25 even if it was not bid.
//! - D17: boy is scored as a suit (`boy_multiplier` 2, 3 with kuansh, 5 with sur).
//! - D18: bidders without a trick may make their bid by combinations (`no_trick_fails`).
//! - D20: a run of eight is a hundred and a terz (`long_runs`), six and seven are one hundred.
//! - D21: of intersecting combinations the dearest are announced (`meld_choice`).
//! - D22: equal combinations: first in turn at the first trick (`tie_turn`).
//! - D23: combinations are announced with the first card and shown with the second automatically
//!   (`manual_melds`: by hand; a player who does not announce or show loses them). R49, "if a
//!   player forgets to show, the opponents may show theirs the next time", means the next card by
//!   hand: a player who has not shown with the second card may do so with the third, as long as an
//!   opponent has announced and not shown either. Only the side whose combinations count shows
//!   them, because R42 leaves the other nothing to prove (`show_melds`). Bluffing (announcing a
//!   combination that one does not hold) is left out: no source gives its penalty.
//! - D24: blot-reblot needs both cards in one hand and is counted by itself. D25: a four and a run
//!   share no card.
//! - D26: no player must undertrump (`undertrump`); trump led must be beaten even over the partner.
//! - D27: illegal actions are refused; there are no penalties.
//! - D28: both sides over the target: the higher wins, equal ones play on (`both_reach`).
//! - D29: the first dealer is drawn by lot, in the token of the first deal.
//! - D30: a kuansh gives its winners the fixed sum and the others nothing.
//! - D31: combination values as in the text, in boy too (`four_values`).
//! - D32, D33: 301 points (`target`); both sides' points of a round are added at once.
//! - D34: talking and signals are left to custom.

pub mod action;
pub mod advice;
pub mod auction;
mod benchmark;
mod bid_words;
pub mod caption;
pub mod card;
pub mod course;
mod definition;
pub mod duel;
pub mod engine;
pub mod hand_scene;
mod illegal;
pub mod melds;
pub mod notation_errors;
pub mod options;
pub mod panel;
pub mod parse_move;
pub mod record;
mod revealed_deal;
pub mod round;
pub mod rules;
pub mod scene;
pub mod score;
pub mod seat_notation;
pub mod sheet;
mod statistics;
pub mod tricks;
pub mod view;
pub mod wording;

pub use action::{BlotAction, Deal};
pub use auction::{AuctionCall, Bid, Contract, ContractLevel};
pub use card::{Card, Suit, Trump};
pub use definition::{DEFINITION, ID, INFO};
pub use illegal::BlotIllegal;
pub use options::{BlotOptions, House};
pub use round::{BlotFact, Round, Summary};
pub use rules::Blot;
pub use tricks::{Trick, Tricks};
pub use view::BlotView;
