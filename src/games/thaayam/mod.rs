//! Thaayam: two to four players, a board of 5 by 5 squares, four dice.
//!
//! Start with [`board`] (squares and ways), [`position`] (the places of all pieces) and [`turn`]
//! (the use of a series of throws); [`outcomes`] lists all distinct ends of a turn. [`rules`] makes
//! a game of it: the cup, undo, automatic turns, facts, the end. [`action`] has the tokens,
//! [`parse_move`] reads typed text, [`record`] writes and reads whole games. [`wording`],
//! [`caption`], [`scene`] and [`course`] display it, [`engine`] has its computer players.
//!
//! # How the rules were chosen
//!
//! Rule numbers T1 to T5 and R1 to R8 are those of the old text, S1 to S18 of its exact
//! specification in the project's rule notes. Where the text is silent or can be read in more
//! than one way (`name` is the switch of [`ThaayamOptions`] that chooses otherwise):
//!
//! - A1: the board has 5 by 5 squares, the way 24 steps over all of them.
//! - A2: the turn passes counter-clockwise, as the pieces go first (`clockwise`).
//! - A3: the seats decide which player begins; the first seat's edge is tiny.
//! - A4: all throws of a turn come first, then they are used.
//! - A5: a piece lands, and kills, with every single throw (`capture=final`: only where it
//!   is at the end of the turn).
//! - A6: throws before the first 1 are lost only when all pieces are in hand, the fortress
//!   counting as the board (`lost_before_one=track`: when none is on the track; `never`).
//! - A7: the fortress needs an exact count (`exact=no`: more is enough).
//! - A8: everything playable must be played, but the order is free even when it wastes a later
//!   throw (`obligation=max`: as many throws as possible must be used; a way to win is always
//!   allowed, because the remaining throws are void then).
//! - A9: a throw is neither split, nor are two added for entering.
//! - A10: no piece is borne off before all own pieces are in the fortress.
//! - A11: a 1 thrown earlier in the turn in which the last piece arrives may bear off
//!   (`same_turn_bear_off=no`: only in turns that begin with all pieces there).
//! - A12: each 1 of the final stage bears off one piece.
//! - A13: a 1 enters, moves or bears off, as the player likes.
//! - A14: all four palaces shelter all players, those of empty seats too.
//! - A15: the inner track has no refuges.
//! - A16: nothing blocks (`block_on_path=yes`: enemies outside palaces cannot be passed).
//! - A17: own pieces are never killed.
//! - A18: a kill gives nothing more (`kill_again=yes`: a turn with a kill is followed by another
//!   series of the same player).
//! - A19: no kill is needed to go inside (`kill_to_go_in=yes`: the first step inside needs one;
//!   should that leave all players waiting before the inner track, it is opened to all).
//! - A20: there are no twins. Bell's rule in its retold form leaves open how twins take odd throws,
//!   how they part, enter the fortress and are borne off, so there is no switch for it.
//! - A21: equal throws in a row are nothing special.
//! - A22: a turn has no end but 2 or 3. From the 63rd throw on only that last one counts; the
//!   chance of so long a turn is below 1e-26.
//! - A23: entering is possible however many foreign pieces stand on the palace.
//! - A24: several landings of a turn can kill pieces of several players.
//! - A25: throws left when the last piece is off are void.
//! - A26: the first one ends the game (`play_on=yes`: the others play on for the places and those
//!   who have finished are passed over).
//! - A27: two players are WHITE and RED, who face each other. A28: three are WHITE, BLACK, RED.
//! - A29: all players play alone (`partners=yes`: of four, those facing each other do not kill
//!   each other, and win when all their pieces are off).
//! - A30: a player who can play must.
//! - A31: the last throw of a turn counts as points too.
//! - A32: dice are fair coins.
//! - A33: nothing else ends a game; it always can go on.
//! - A34: the table decides what happens when a player leaves.
//!
//! Further switches, for shorter games: `pieces` (1 to 4 a player) and `finish=fortress` (all
//! pieces in the fortress win). `throw=auto` leaves out the cup.

pub mod action;
pub mod advice;
pub mod board;
pub mod caption;
pub mod course;
mod definition;
pub mod engine;
pub mod fact;
mod illegal;
pub mod notation_errors;
pub mod options;
pub mod outcomes;
pub mod parse_move;
pub mod position;
pub mod position_notation;
pub mod record;
mod refusal;
pub mod rules;
pub mod scene;
mod setup;
mod statistics;
mod text_board;
pub mod turn;
pub mod turn_history;
mod upright_scene;
pub mod view;
pub mod wording;

pub use action::{PiecePlace, Series, ThaayamAction, WholeTurn};
pub use board::Colour;
pub use definition::{DEFINITION, ID, INFO};
pub use fact::ThaayamFact;
pub use illegal::ThaayamIllegal;
pub use options::{EarlyThrowRule, ThaayamOptions};
pub use outcomes::TurnOutcome;
pub use position::{PlayerPieces, ThaayamPosition};
pub use rules::Thaayam;
pub use turn::{ThaayamTurn, ThrowUse};
pub use view::ThaayamView;
