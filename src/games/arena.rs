//! Matches between computers: the players, the openings and the measured values of a game.

use super::benchmark::Benchmark;
use super::computer::{self, Computer, EngineQuestion};
use super::definition::{GameDefinition, Learning};
use super::table_match::TypedMatch;
use crate::rules::{Rules, Seat, Token, Viewer};
use crate::solving::{SolvedTable, SolvingInfo, ValueIteration};

/// A game whose computer players can be started, taught and measured.
pub trait ArenaGame {
    /// A computer player of this game: a level by its code, or one of [`ArenaGame::opponents`].
    fn computer(&self, name: &str) -> Option<Box<dyn Computer>>;
    /// Names of the players besides the levels: the test opponents that strength is measured by.
    /// `N` is a number.
    fn opponents(&self) -> &'static [&'static str];
    /// Number of positions that the strongest level searches in about a second on one ordinary
    /// core.
    fn nodes_per_second(&self) -> u64;
    /// The fixed ratings of the levels in the form of
    /// [`computer_ratings`](crate::computer_ratings); empty if none were measured.
    fn computer_ratings(&self) -> &'static str;
    /// The cost of the decisions of each level, in the form of
    /// [`play_quality`](crate::play_quality); empty where play is not judged.
    fn play_quality(&self) -> &'static str;
    /// Whether the decisions of people are judged after each game.
    fn judges_play(&self) -> bool {
        !self.play_quality().is_empty()
    }
    /// The procedure that reproduces the learned file of this game's players.
    fn learning(&self) -> Learning;
    /// The positions that are solved exactly, chosen by amounts with names; `None` for games with
    /// too many positions.
    fn solving(&self) -> Option<SolvingInfo>;
    /// Prepares to solve the positions of these amounts.
    ///
    /// # Errors
    /// A sentence about a wrong amount.
    fn prepare_solving(&self, amounts: &[u64]) -> Result<Box<dyn ValueIteration>, String>;
    /// A computer player that plays by a solved table of this game.
    ///
    /// # Errors
    /// A sentence about a table of another kind.
    fn solved_computer(&self, table: SolvedTable) -> Result<Box<dyn Computer>, String>;
    /// The rules for matches between computers in this game.
    fn duel_info(&self) -> DuelInfo;
    /// The benchmark for other programs, if there is one.
    fn benchmark(&self) -> Option<Benchmark>;
}

/// A running game as matches between computers use it.
pub trait ArenaMatch {
    /// The question for a computer player on this seat: what the seat may know and do. `None` when
    /// the seat has nothing to do.
    fn engine_question(&self, seat: Seat) -> Option<EngineQuestion>;
    /// The current values that matches between computers measure besides the winner.
    fn measured_values(&self) -> Vec<MeasuredValue>;
    /// The token of the scripted action of the seat to move, where only the rest of a round is
    /// measured.
    fn scripted_action(&self) -> Option<String>;
}

/// Gives the scripted action of the seat to move, if there is one.
pub type ScriptedActionFn<R> = fn(&R) -> Option<<R as Rules>::Action>;

/// The opening, length and measures of a game in matches between computers.
pub struct DuelDefinition<R: Rules> {
    /// Number of random moves before the players begin, so that games differ. 0 where chance makes
    /// games differ.
    pub opening: u16,
    /// Whether a single round can be measured instead of a whole game. A round ends where the chart
    /// goes on, or with the second outcome of chance.
    pub single_rounds: bool,
    /// Measured values besides the winner.
    pub measures: &'static [DuelMeasure<R::View>],
    /// The scripted action of the seat to move where only the rest of a round is measured; `None`
    /// once the players decide.
    pub script: Option<ScriptedActionFn<R>>,
}

impl<R: Rules> DuelDefinition<R> {
    /// Measures whole games by their winner alone.
    pub const fn without_measures(opening: u16) -> Self {
        Self { opening, single_rounds: false, measures: &[], script: None }
    }
}

/// A value that is measured besides the winner.
pub struct DuelMeasure<V> {
    /// Its name, such as `card points over 81`.
    pub name: &'static str,
    /// Its values by seat, computed from the public view after the game or round.
    pub by_seat: fn(&V) -> Vec<i32>,
}

/// The parts of a [`DuelDefinition`] that an arena needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DuelInfo {
    /// [`DuelDefinition::opening`].
    pub opening: u16,
    /// [`DuelDefinition::single_rounds`].
    pub rounds: bool,
    /// Whether there is a [`DuelDefinition::script`].
    pub script: bool,
}

/// One measured value of a [`DuelMeasure`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredValue {
    /// The name of the measure.
    pub name: &'static str,
    /// The values by seat.
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

    fn computer_ratings(&self) -> &'static str {
        self.arena.ratings
    }

    fn play_quality(&self) -> &'static str {
        self.arena.play_quality
    }

    fn learning(&self) -> Learning {
        self.arena.learning
    }

    fn solving(&self) -> Option<SolvingInfo> {
        let solving = self.arena.solving.as_ref()?;
        Some(SolvingInfo { amounts: (solving.amounts)() })
    }

    fn prepare_solving(&self, amounts: &[u64]) -> Result<Box<dyn ValueIteration>, String> {
        let solving = self.arena.solving.as_ref().ok_or_else(cannot_be_solved)?;
        (solving.prepare)(amounts)
    }

    fn solved_computer(&self, table: SolvedTable) -> Result<Box<dyn Computer>, String> {
        let solving = self.arena.solving.as_ref().ok_or_else(cannot_be_solved)?;
        Ok(computer::into_computer((solving.player)(table)?))
    }

    fn duel_info(&self) -> DuelInfo {
        let DuelDefinition { opening, single_rounds: rounds, script, .. } = &self.arena.duel;
        DuelInfo { opening: *opening, rounds: *rounds, script: script.is_some() }
    }

    fn benchmark(&self) -> Option<Benchmark> {
        self.arena.benchmark
    }
}

fn cannot_be_solved() -> String {
    "this game has too many positions to be solved".to_owned()
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
        self.definition.arena.duel.measures.iter().map(value).collect()
    }

    fn scripted_action(&self) -> Option<String> {
        Some((self.definition.arena.duel.script?)(&self.rules)?.write())
    }
}
