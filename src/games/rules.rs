//! The `Rules` trait: a game is a pure value with legal actions, explicit chance and a view for
//! each viewer.
//!
//! This module knows nothing of any particular game, of chats, time or randomness. A game
//! implements [`Rules`]; search, tests and the table are generic over it.

use std::error::Error;
use std::fmt::{self, Debug, Display};

use crate::vocabulary::WordLists;

/// A seat at the table, counted from 0 in playing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index into lists of seats.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The viewer of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// A person who plays on this seat.
    Seat(Seat),
    /// Any other viewer, the group included.
    Public,
}

/// The next input that a game needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A decision of this seat.
    Act(Seat),
    /// A throw or a deal: the service draws it, never the rules.
    Chance,
    /// None, the game is over: one score for each seat. The highest wins, equal scores share.
    Over(Vec<i32>),
}

/// The reason why rules refuse a step: one value for each reason. Its `Display` is plain English
/// for logs and tools; the display code of the game makes texts for players from it.
pub trait IllegalReason: Error + Copy + Eq + Send + Sync + 'static {
    /// All reasons.
    const ALL: &'static [Self];
}

/// Defines the [`IllegalReason`]s of a game: each is a name and a plain English sentence without
/// the full stop.
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

/// An error in a record and its place. Each game has its own kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordError<K> {
    /// The line, counted from 1.
    pub line: usize,
    /// The kind of error.
    pub kind: K,
}

impl<K: Display> Display for RecordError<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.kind)
    }
}

impl<K: Debug + Display> Error for RecordError<K> {}

impl<K> RecordError<K> {
    /// Makes an error at this line.
    pub fn at(line: usize) -> impl Fn(K) -> Self {
        move |kind| RecordError { line, kind }
    }
}

/// A source of random numbers, passed as an argument. Tests pass a script of numbers.
pub trait Entropy {
    /// A number in `0..n`, each equally likely. `n` is at least 1.
    fn below(&mut self, n: u32) -> u32;
}

/// One canonical spelling of a value: stored in the log, put into buttons, typed, tested. At most
/// 16 bytes of ASCII without white space for actions.
pub trait Token: Sized {
    /// The canonical spelling.
    fn write(&self) -> String;
    /// Reads exactly the spelling that [`Token::write`] writes; `None` for anything else.
    fn read(text: &str) -> Option<Self>;
}

/// The rules of one game.
///
/// Order of facts: the rules push what happened in the order it happened. Facts are public.
///
/// # Examples
///
/// ```
/// use caravanserai_games::rules::{Node, Rules, Seat, Token, Viewer};
/// use caravanserai_games::togyzkumalak::{Sow, Togyzkumalak};
///
/// let mut game = Togyzkumalak::start(&Default::default(), 2)?;
/// assert_eq!(game.node(), Node::Act(Seat(0)));
/// assert_eq!(game.actions(Seat(0)).len(), 9);
///
/// let seventh_pit = Sow::read("7").expect("pits are numbered from 1 to 9");
/// let mut facts = Vec::new();
/// game.apply_action(Seat(0), &seventh_pit, &mut facts)?;
/// assert_eq!(game.node(), Node::Act(Seat(1)));
/// assert_eq!(game.view(Viewer::Public).turn, Some(Seat(1)));
///
/// // A refused action changes nothing.
/// let before = game.clone();
/// assert!(game.apply_action(Seat(0), &seventh_pit, &mut facts).is_err());
/// assert_eq!(game, before);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Rules: Clone + Eq + Debug + Send + Sync + 'static {
    /// Variant and house rules, chosen when a table is opened.
    type Options: Token + Clone + Default + Debug;
    /// A decision of a seat.
    type Action: Token + Clone + Eq + Debug + Send + Sync + 'static;
    /// An outcome of dice or of a shuffle.
    type Chance: Token + Clone + Eq + Debug;
    /// All that one viewer may know, built up from nothing so that it cannot leak.
    type View: Clone + Eq + Debug + Send + Sync + 'static;
    /// An event of a step; public, never a secret.
    type Fact: Clone + Eq + Debug + Send + Sync;
    /// The reason why an action is not legal.
    type Illegal: IllegalReason;

    /// Increases whenever an old log would play out differently.
    const REVISION: u16;

    /// The position before the first action.
    ///
    /// # Errors
    /// When these options cannot be played with this number of seats.
    fn start(options: &Self::Options, seats: u8) -> Result<Self, Self::Illegal>;
    /// The next input that the game needs.
    fn node(&self) -> Node;
    /// The legal actions of this seat, sorted by token. Never empty for the seat to move; for
    /// another seat only when it may really act out of turn. A log may have further ones that are
    /// not offered any more.
    fn actions(&self, seat: Seat) -> Vec<Self::Action>;
    /// The action that the table plays automatically for the seat to move, because it decides
    /// nothing: the only legal one, or the next part of it. No player presses a button for it.
    fn forced_action(&self) -> Option<Self::Action> {
        None
    }
    /// Plays an action and pushes its facts to `facts`.
    ///
    /// # Errors
    /// When the action is not legal; the state and `facts` are then unchanged.
    fn apply_action(
        &mut self,
        seat: Seat,
        action: &Self::Action,
        facts: &mut Vec<Self::Fact>,
    ) -> Result<(), Self::Illegal>;
    /// Draws an outcome without applying it. Only at [`Node::Chance`].
    fn draw_chance(&self, entropy: &mut dyn Entropy) -> Self::Chance;
    /// Applies an outcome of chance and pushes its facts to `facts`.
    ///
    /// # Errors
    /// When the game does not wait for chance or the outcome cannot arise; nothing has changed.
    fn apply_chance(
        &mut self,
        outcome: &Self::Chance,
        facts: &mut Vec<Self::Fact>,
    ) -> Result<(), Self::Illegal>;
    /// Whether the last outcome of chance is still hidden from all players.
    fn is_chance_hidden(&self) -> bool {
        false
    }
    /// The view of this viewer.
    fn view(&self, viewer: Viewer) -> Self::View;
    /// Reads typed text ("5", "the fifth") in this state. The result need not be legal: a refusal
    /// of an understood action is the better answer. `words` are the typed words of this game, in
    /// all languages.
    fn parse_move(&self, _seat: Seat, text: &str, _words: &WordLists) -> Option<Self::Action> {
        Self::Action::read(text)
    }
}
