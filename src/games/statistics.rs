//! Counts what the players do in a game, for statistics and achievements.

use std::collections::BTreeMap;

use super::GameDefinition;
use super::table_match::{GameRefusal, MatchInputError, TypedMatch};
use crate::rules::{Rules, Seat, Token};
use crate::text::Arg;

/// The actions of the players of one game, counted by seat and name of the count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameCounts {
    by_seat: Vec<BTreeMap<&'static str, i32>>,
}

impl GameCounts {
    /// Nothing was done yet at a table of so many seats.
    pub fn new(seats: u8) -> Self {
        GameCounts { by_seat: vec![BTreeMap::new(); usize::from(seats)] }
    }

    /// Adds to a count of a seat.
    pub fn add(&mut self, seat: Seat, name: &'static str, number: i32) {
        self.change(seat, name, |it| it.saturating_add(number));
    }

    /// Makes a count of a seat at least so high.
    pub fn raise(&mut self, seat: Seat, name: &'static str, number: i32) {
        self.change(seat, name, |it| it.max(number));
    }

    /// Forgets all counts of a seat.
    pub fn clear(&mut self, seat: Seat) {
        if let Some(counts) = self.by_seat.get_mut(seat.index()) {
            counts.clear();
        }
    }

    /// A count of a seat; 0 if there was nothing to count.
    pub fn get(&self, seat: Seat, name: &str) -> i32 {
        self.of_seat(seat).and_then(|it| it.get(name)).copied().unwrap_or_default()
    }

    /// All counts of a seat that are not 0; `None` for a seat that the game does not have.
    pub fn of_seat(&self, seat: Seat) -> Option<&BTreeMap<&'static str, i32>> {
        self.by_seat.get(seat.index())
    }

    fn change(&mut self, seat: Seat, name: &'static str, change: impl Fn(i32) -> i32) {
        let Some(counts) = self.by_seat.get_mut(seat.index()) else { return };
        match change(counts.get(name).copied().unwrap_or_default()) {
            0 => counts.remove(name),
            changed => counts.insert(name, changed),
        };
    }
}

/// Looks up a count by its name; 0 if there was nothing to count.
pub type CountLookup<'a> = &'a dyn Fn(&str) -> i64;

/// Something worth reaching once, because it teaches a rule or a plan. Its texts are
/// `<game>-achieved-<code>` and `<game>-achieved-<code>-rule`.
#[derive(Clone, Copy)]
pub struct Achievement {
    /// Its name in rows and keys of texts.
    pub code: &'static str,
    /// Whether a player has reached it in a game, by their counts and whether they have won.
    pub is_reached: fn(counts: CountLookup<'_>, has_won: bool) -> bool,
}

/// One of several ways to play, such as a first move.
#[derive(Clone, Copy, Debug)]
pub struct PlayChoice {
    /// The count that says how often a player chose it.
    pub count: &'static str,
    /// The count that says how often it went well; `None` if that is whether the player won the
    /// game.
    pub success: Option<&'static str>,
}

/// Ways to play among which players choose again and again. Statistics show those that a player
/// chose most often, and how often they went well. Its texts are `<game>-favourites-<code>` for all
/// of them (`$ways`) and `<game>-favourite-<code>` for each (`$way`, `$count`, `$good`).
#[derive(Clone, Copy)]
pub struct PlayChoiceGroup {
    /// Its name in keys of texts.
    pub code: &'static str,
    /// The ways to play.
    pub choices: &'static [PlayChoice],
    /// How a way is shown.
    pub label: fn(&PlayChoice) -> Arg,
}

/// The counts and achievements of a game.
pub struct StatisticsFunctions<R: Rules> {
    /// Counts what happened in a whole game with so many seats, from its facts in order.
    pub count: fn(facts: &[R::Fact], seats: u8) -> GameCounts,
    /// Whether this fact takes back the last decision of a seat.
    pub takes_back: fn(&R::Fact) -> bool,
    /// The names of the counts that statistics add up and show, in this order. Their texts are
    /// `<game>-count-<name>`.
    pub totals: &'static [&'static str],
    /// The achievements, the easiest first.
    pub achievements: &'static [Achievement],
    /// The ways to play that statistics compare.
    pub play_choices: &'static [PlayChoiceGroup],
}

impl<R: Rules> StatisticsFunctions<R> {
    /// For games that count nothing.
    pub const NONE: Self = StatisticsFunctions {
        count: |_, seats| GameCounts::new(seats),
        takes_back: |_| false,
        totals: &[],
        achievements: &[],
        play_choices: &[],
    };
}

/// The statistics of a game, independent of its typed rules.
pub trait StatisticsGame {
    /// The names of the counts that statistics show, in this order.
    fn totals(&self) -> &'static [&'static str];
    /// The achievements, the easiest first.
    fn achievements(&self) -> &'static [Achievement];
    /// The ways to play that statistics compare.
    fn play_choices(&self) -> &'static [PlayChoiceGroup];
}

/// A running game from which statistics are made.
pub trait StatisticsMatch {
    /// Whether the last step took back the decision before it.
    fn takes_back_decision(&self) -> bool;
    /// Counts what happens in these further steps, each a seat and its token; `None` is chance.
    ///
    /// # Errors
    /// At the first step that is not possible.
    fn count_steps(
        &self,
        steps: &mut dyn Iterator<Item = (Option<Seat>, &str)>,
    ) -> Result<GameCounts, GameRefusal>;
}

impl<R: Rules> StatisticsGame for GameDefinition<R> {
    fn totals(&self) -> &'static [&'static str] {
        self.statistics.totals
    }

    fn achievements(&self) -> &'static [Achievement] {
        self.statistics.achievements
    }

    fn play_choices(&self) -> &'static [PlayChoiceGroup] {
        self.statistics.play_choices
    }
}

impl<R: Rules> StatisticsMatch for TypedMatch<R> {
    fn takes_back_decision(&self) -> bool {
        self.facts.iter().any(self.definition.statistics.takes_back)
    }

    fn count_steps(
        &self,
        steps: &mut dyn Iterator<Item = (Option<Seat>, &str)>,
    ) -> Result<GameCounts, GameRefusal> {
        let mut rules = self.rules.clone();
        let mut facts = Vec::new();
        for (seat, token) in steps {
            let applied = match seat {
                Some(seat) => {
                    let action = R::Action::read(token).ok_or(MatchInputError::NoSuchToken)?;
                    rules.apply_action(seat, &action, &mut facts)
                }
                None => {
                    let outcome = R::Chance::read(token).ok_or(MatchInputError::NoSuchToken)?;
                    rules.apply_chance(&outcome, &mut facts)
                }
            };
            applied.map_err(|it| self.definition.game_refusal(it))?;
        }
        Ok((self.definition.statistics.count)(&facts, self.seats))
    }
}
