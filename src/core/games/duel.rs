//! How players of a game are measured against each other.

use super::pack::Pack;
use crate::rules::{Rules, Token, Viewer};

/// What is said for the seat on turn, if anything is.
pub type Script<R> = fn(&R) -> Option<<R as Rules>::Action>;

/// What a game brings along for matches between computers.
pub struct Duel<R: Rules> {
    /// How many moves are drawn at random before the players begin, so that games differ. 0 where
    /// chance sees to that.
    pub opening: u16,
    /// Whether those who sit opposite each other play together.
    pub partners: fn(&R) -> bool,
    /// Whether a round is measured by itself, and not only a whole game: it ends where the chart
    /// goes on, or with the second outcome of chance.
    pub rounds: bool,
    /// What is counted besides who has won.
    pub measures: &'static [Measure<R::View>],
    /// What is said for the seat on turn where only the rest of a round is to be measured; `None`
    /// once the players decide.
    pub script: Option<Script<R>>,
}

impl<R: Rules> Duel<R> {
    /// A game of every man for himself in which nothing but winning counts.
    pub const fn plain(opening: u16) -> Self {
        Self { opening, partners: |_| false, rounds: false, measures: &[], script: None }
    }
}

/// Something that is counted besides who has won.
pub struct Measure<V> {
    /// What is counted, such as `card points over 81`.
    pub name: &'static str,
    /// By seat, from what everybody sees after the game or round.
    pub by_seat: fn(&V) -> Vec<i32>,
}

/// What an arena needs to know of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dueling {
    /// [`Duel::opening`].
    pub opening: u16,
    /// [`Duel::rounds`].
    pub rounds: bool,
    /// Whether there is a [`Duel::script`].
    pub script: bool,
}

/// A value of a [`Measure`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// What is counted.
    pub name: &'static str,
    /// By seat.
    pub by_seat: Vec<i32>,
}

pub(super) fn dueling<R: Rules>(pack: &Pack<R>) -> Dueling {
    let Duel { opening, rounds, script, .. } = &pack.duel;
    Dueling { opening: *opening, rounds: *rounds, script: script.is_some() }
}

pub(super) fn measured<R: Rules>(pack: &Pack<R>, rules: &R) -> Vec<Measured> {
    let view = rules.view(Viewer::Public);
    let value = |it: &Measure<R::View>| Measured { name: it.name, by_seat: (it.by_seat)(&view) };
    pack.duel.measures.iter().map(value).collect()
}

pub(super) fn scripted<R: Rules>(pack: &Pack<R>, rules: &R) -> Option<String> {
    Some((pack.duel.script?)(rules)?.write())
}
