//! Matches between computers: who plays, what begins them, what is measured.

use super::computer::{self, Computer, EngineQuestion};
use super::definition::{GameDefinition, Learning};
use super::table_match::TypedMatch;
use crate::rules::{Rules, Seat, Token, Viewer};

/// What is asked of a game where computers play it.
pub trait ArenaGame {
    /// A computer player of this game: a level by its code, or one of [`ArenaGame::opponents`].
    fn computer(&self, name: &str) -> Option<Box<dyn Computer>>;
    /// What the players besides the levels are called: those that strength is measured by. `N`
    /// stands for a number.
    fn opponents(&self) -> &'static [&'static str];
    /// So many positions the strongest level looks at in about a second on one ordinary core.
    fn nodes_per_second(&self) -> u64;
    /// How what the players of this game have learned is made anew.
    fn learning(&self) -> Learning;
    /// How matches between computers are played in this game.
    fn duel_info(&self) -> DuelInfo;
}

/// What is asked of a game that computers play.
pub trait ArenaMatch {
    /// What a computer player on this seat is asked now: what the seat may know and do. `None` when
    /// the seat has nothing to do.
    fn engine_question(&self, seat: Seat) -> Option<EngineQuestion>;
    /// What is measured in matches between computers besides who has won, as it stands now.
    fn measured_values(&self) -> Vec<MeasuredValue>;
    /// The token that is played for the seat on turn where only the rest of a round is measured.
    fn scripted_action(&self) -> Option<String>;
}

/// What is said for the seat on turn, if anything is.
pub type ScriptedActionFn<R> = fn(&R) -> Option<<R as Rules>::Action>;

/// What a game brings along for matches between computers.
pub struct DuelDefinition<R: Rules> {
    /// How many moves are drawn at random before the players begin, so that games differ. 0 where
    /// chance sees to that.
    pub opening: u16,
    /// Whether a round is measured by itself, and not only a whole game: it ends where the chart
    /// goes on, or with the second outcome of chance.
    pub single_rounds: bool,
    /// What is counted besides who has won.
    pub measures: &'static [DuelMeasure<R::View>],
    /// What is said for the seat on turn where only the rest of a round is to be measured; `None`
    /// once the players decide.
    pub script: Option<ScriptedActionFn<R>>,
}

impl<R: Rules> DuelDefinition<R> {
    /// Whole games, in which nothing but winning counts.
    pub const fn without_measures(opening: u16) -> Self {
        Self { opening, single_rounds: false, measures: &[], script: None }
    }
}

/// Something that is counted besides who has won.
pub struct DuelMeasure<V> {
    /// What is counted, such as `card points over 81`.
    pub name: &'static str,
    /// By seat, from what everybody sees after the game or round.
    pub by_seat: fn(&V) -> Vec<i32>,
}

/// What an arena needs to know of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DuelInfo {
    /// [`DuelDefinition::opening`].
    pub opening: u16,
    /// [`DuelDefinition::single_rounds`].
    pub rounds: bool,
    /// Whether there is a [`DuelDefinition::script_of`].
    pub script: bool,
}

/// A value of a [`DuelMeasure`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredValue {
    /// What is counted.
    pub name: &'static str,
    /// By seat.
    pub by_seat: Vec<i32>,
}

impl<R: Rules> ArenaGame for GameDefinition<R> {
    fn computer(&self, name: &str) -> Option<Box<dyn Computer>> {
        Some(computer::into_computer((self.arena.player)(name)?))
    }

    fn opponents(&self) -> &'static [&'static str] {
        self.arena.opponents
    }

    fn nodes_per_second(&self) -> u64 {
        self.arena.nodes_per_second
    }

    fn learning(&self) -> Learning {
        self.arena.learning
    }

    fn duel_info(&self) -> DuelInfo {
        let DuelDefinition { opening, single_rounds: rounds, script, .. } = &self.arena.duel;
        DuelInfo { opening: *opening, rounds: *rounds, script: script.is_some() }
    }
}

impl<R: Rules> ArenaMatch for TypedMatch<R> {
    fn engine_question(&self, seat: Seat) -> Option<EngineQuestion> {
        computer::question_of(&self.rules, seat)
    }

    fn measured_values(&self) -> Vec<MeasuredValue> {
        let view = self.rules.view(Viewer::Public);
        let value = |it: &DuelMeasure<R::View>| MeasuredValue {
            name: it.name,
            by_seat: (it.by_seat)(&view),
        };
        self.pack.arena.duel.measures.iter().map(value).collect()
    }

    fn scripted_action(&self) -> Option<String> {
        Some((self.pack.arena.duel.script?)(&self.rules)?.write())
    }
}
