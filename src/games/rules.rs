//! What a game is: a pure value with legal actions, explicit chance and a view for each viewer.
//!
//! This module knows nothing of any particular game, of chats, time or randomness. A game
//! implements [`Rules`]; search, tests and the table are generic over it.

use std::error::Error;
use std::fmt::{self, Debug, Display};

use crate::vocabulary::WordLists;

/// A place at the table, counted from 0 in playing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index into lists of seats.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Who looks at a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// A person who plays on this seat.
    Seat(Seat),
    /// Everybody else, the group included.
    Public,
}

/// What the game waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A decision of this seat.
    Act(Seat),
    /// A throw, a deal: drawn by the service, never by the rules.
    Chance,
    /// Nothing more: one score for each seat, the highest has won, equal scores share.
    Over(Vec<i32>),
}

/// Why rules refuse a step: one value for each reason. As an error it says so in plain English, for
/// logs and tools; what people read is made of it where the game is shown.
pub trait IllegalReason: Error + Copy + Eq + Send + Sync + 'static {
    /// Every reason there is.
    const ALL: &'static [Self];
}

/// Makes the [`IllegalReason`]s of a game: each is a name and a plain English sentence without its point.
#[macro_export]
macro_rules! reasons {
    ($(#[$about:meta])* pub enum $name:ident { $($reason:ident = $sentence:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $(#[doc = $sentence] $reason,)+
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(match self {
                    $($name::$reason => $sentence,)+
                })
            }
        }

        impl ::std::error::Error for $name {}

        impl $crate::rules::IllegalReason for $name {
            const ALL: &'static [Self] = &[$($name::$reason,)+];
        }
    };
}

pub use reasons;

/// What is wrong with a record, and where. Each game says with its own values what can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordError<K> {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub kind: K,
}

impl<K: Display> Display for RecordError<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.kind)
    }
}

impl<K: Debug + Display> Error for RecordError<K> {}

impl<K> RecordError<K> {
    /// At this line.
    pub fn at(line: usize) -> impl Fn(K) -> Self {
        move |kind| RecordError { line, kind }
    }
}

/// Randomness, handed in. Tests hand in a script of numbers.
pub trait Entropy {
    /// A number in `0..n`, each equally likely. `n` is at least 1.
    fn below(&mut self, n: u32) -> u32;
}

/// One canonical spelling of a value: stored in the log, put into buttons, typed, tested.
/// At most 16 bytes of ASCII without white space for actions.
pub trait Token: Sized {
    /// The canonical spelling.
    fn write(&self) -> String;
    /// Reads exactly what [`InvalidToken::write`] writes; `None` for anything else.
    fn read(text: &str) -> Option<Self>;
}

/// The rules of one game.
///
/// Order of facts: the rules push what happened in the order it happened. Facts are public.
pub trait Rules: Clone + Eq + Debug + Send + Sync + 'static {
    /// Variant and house rules, chosen when a table is opened.
    type Options: Token + Clone + Default + Debug;
    /// What a seat decides.
    type Action: Token + Clone + Eq + Debug + Send + Sync + 'static;
    /// What dice or a shuffle gave.
    type Chance: Token + Clone + Eq + Debug;
    /// All that one viewer may know, built from nothing upwards.
    type View: Clone + Eq + Debug + Send + Sync + 'static;
    /// What happened; public, never a secret.
    type Fact: Clone + Eq + Debug + Send + Sync;
    /// Why something is not possible.
    type Illegal: IllegalReason;

    /// Goes up when an old log would play out differently.
    const REVISION: u16;

    /// The position before the first action.
    ///
    /// # Errors
    /// When these options cannot be played with so many seats.
    fn start(options: &Self::Options, seats: u8) -> Result<Self, Self::Illegal>;
    /// What the game waits for.
    fn node(&self) -> Node;
    /// What this seat may do, sorted by token. Never empty for the seat on turn; for another only
    /// when it may really act out of turn.
    fn actions(&self, seat: Seat) -> Vec<Self::Action>;
    /// What the table plays by itself for the seat on turn, because nothing is decided by it: the
    /// only thing possible, or the next part of it. Nobody presses a button for that.
    fn forced_action(&self) -> Option<Self::Action> {
        None
    }
    /// Plays an action and pushes what happened to `facts`.
    ///
    /// # Errors
    /// When the action is not legal; the state and `facts` are then unchanged.
    fn apply_action(
        &mut self,
        seat: Seat,
        action: &Self::Action,
        facts: &mut Vec<Self::Fact>,
    ) -> Result<(), Self::Illegal>;
    /// Draws an outcome without applying it. Only at [`SearchNode::Chance`].
    fn draw_chance(&self, entropy: &mut dyn Entropy) -> Self::Chance;
    /// Applies an outcome of chance and pushes what happened to `facts`.
    ///
    /// # Errors
    /// When the game does not wait for chance or the outcome cannot arise; nothing has changed.
    fn apply_chance(
        &mut self,
        outcome: &Self::Chance,
        facts: &mut Vec<Self::Fact>,
    ) -> Result<(), Self::Illegal>;
    /// What this viewer may know.
    fn view(&self, viewer: Viewer) -> Self::View;
    /// Reads what a person typed ("5", "the fifth") against this state. The result need not be
    /// legal: the refusal of an understood action is the better answer. `words` are those that mean
    /// something in this game, in all languages.
    fn parse_move(&self, _seat: Seat, text: &str, _words: &WordLists) -> Option<Self::Action> {
        Self::Action::read(text)
    }
}
