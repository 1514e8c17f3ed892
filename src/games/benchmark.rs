//! Benchmarks in which other programs can take part: entries as plain text, one a line.
//!
//! An entry is a position with one decision, or a deal of which the card play remains. A game has
//! entries of one kind. The committed file of a game is what [`Benchmark::write`] writes: entry N
//! depends only on its number, so the first entries can be checked alone. Lines that begin with
//! `#` are comments.
//!
//! `deploy/benchmark.md` explains the files and the rules to people.

use crate::rules::{Entropy, Node, Seat, Viewer};
use crate::search::{ComputerLevel, SeededRng, ThinkBudget};
use crate::{Computer, GameId, Match};

/// The benchmark of a game.
#[derive(Clone, Copy, Debug)]
pub struct Benchmark {
    /// The committed file.
    pub file: &'static str,
    /// Writes a file with this number of entries: the same on every machine.
    pub write: fn(u32) -> String,
    /// Reads a line; `None` if it is no entry.
    pub read: fn(&str) -> Option<BenchmarkEntry>,
}

/// One entry, ready to be played.
pub struct BenchmarkEntry {
    /// Its number, from 1.
    pub number: u32,
    /// The match at the first decision.
    pub start: Box<dyn Match>,
    /// Its task.
    pub task: BenchmarkTask,
}

/// The task of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BenchmarkTask {
    /// One decision.
    Decision {
        /// The chance to win after each action, in thousandths, by the token of the action.
        values: Vec<(String, u16)>,
    },
    /// The rest of a round, played twice with the sides exchanged.
    Round {
        /// The name of the [`DuelMeasure`](crate::arena::DuelMeasure) that counts.
        measure: &'static str,
    },
}

impl Benchmark {
    /// Reads all entries of the committed file.
    ///
    /// # Errors
    /// The number of the line that is wrong, counted from 1.
    pub fn entries(&self) -> Result<Vec<BenchmarkEntry>, usize> {
        let lines = self.file.lines().zip(1..).filter(|it| !it.0.starts_with('#'));
        lines.map(|(line, number)| (self.read)(line).ok_or(number)).collect()
    }
}

/// How the test positions of a game are found and valued.
#[derive(Clone, Copy)]
pub struct PositionPlan {
    /// The player that values actions.
    pub player: ComputerLevel,
    /// Its budget for each action.
    pub budget: ThinkBudget<'static>,
    /// The budget in words, for the file.
    pub budget_text: &'static str,
}

/// Distinguishes the random numbers of benchmarks from those of other uses.
const SEED: u64 = 0x6265_6e63_686d_6172;
/// The player whose games the positions are taken from: it plays as people do who play often.
const GAMES_OF: ComputerLevel = ComputerLevel::Medium;
/// The least and the largest number of steps before a position.
const STEPS: (u32, u32) = (4, 64);
/// At most this number of further steps until a position can be written.
const FURTHER_STEPS: usize = 40;
/// More outcomes of chance and moves without a choice than this between a position and its decision
/// would be hard to read.
const STEPS_TO_DECISION: usize = 3;
/// More actions would be hard to read.
const ACTIONS_MAX: usize = 12;
/// The chance to win after the best action, in thousandths: the game is not yet decided.
const UNDECIDED: std::ops::RangeInclusive<u16> = 100..=900;
/// The least difference of the best and the worst action, in thousandths.
const DIFFERENCE_MIN: u16 = 50;

/// Writes test positions with their heading.
pub fn write_positions(game: GameId, plan: &PositionPlan, count: u32) -> String {
    let info = game.info();
    let mut text = format!(
        "# Test positions of {code}, written by\n\
         # caravanserai-tools benchmark {code} --first {count}\n\
         # House rules {options}; {seats} seats. Fields are separated by tabs: number, position,\n\
         # moves from there to the decision (or -), best action, its value, all actions with\n\
         # their values. A value is the chance to win in thousandths, by {player} with\n\
         # {budget} for each action.\n",
        code = info.code,
        options = info.default_options(),
        seats = info.seats.fewest,
        player = plan.player.code(),
        budget = plan.budget_text,
    );
    let mut finder = PositionFinder::new(game, plan);
    for number in 1..=count {
        let line = finder.find(number).expect("every game comes to such a position");
        text.push_str(&format!("{number}\t{line}\n"));
    }
    text
}

/// Reads a line of a file of test positions.
pub fn read_position(game: GameId, line: &str) -> Option<BenchmarkEntry> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [number, position, steps, _, _, values] = fields[..] else { return None };
    let info = game.info();
    let start = game.match_from_position(&info.default_options(), info.seats.fewest, position);
    let mut start = start.ok()?;
    for step in steps.split(' ').filter(|it| *it != "-") {
        match start.node() {
            Node::Chance => start.apply_chance(step).ok()?,
            Node::Act(seat) => start.apply_action(seat, step).ok()?,
            Node::Over(_) => return None,
        }
    }
    let words: Vec<&str> = values.split(' ').collect();
    let value =
        |pair: &[&str]| Some((pair.first()?.to_string(), pair.get(1)?.parse::<u16>().ok()?));
    let values: Vec<(String, u16)> = words.chunks(2).map(value).collect::<Option<_>>()?;
    let Node::Act(seat) = start.node() else { return None };
    let legal = start.engine_question(seat)?.tokens();
    if !legal.iter().eq(values.iter().map(|it| &it.0)) {
        return None;
    }
    Some(BenchmarkEntry {
        number: number.parse().ok()?,
        start,
        task: BenchmarkTask::Decision { values },
    })
}

/// Finds test positions in games between computer players.
struct PositionFinder<'a> {
    game: GameId,
    plan: &'a PositionPlan,
    /// The players of the games, by seat.
    players: Vec<Box<dyn Computer>>,
    judge: Box<dyn Computer>,
}

impl<'a> PositionFinder<'a> {
    fn new(game: GameId, plan: &'a PositionPlan) -> Self {
        let computer = |level: ComputerLevel| {
            game.computer(level.code()).expect("every game has a player for each level")
        };
        let players = (0..game.info().seats.fewest).map(|_| computer(GAMES_OF)).collect();
        Self { game, plan, players, judge: computer(plan.player) }
    }

    /// The fields after the number of this entry.
    fn find(&mut self, number: u32) -> Option<String> {
        const ATTEMPTS_MAX: u64 = 1_000;
        let seed = |attempt: u64| SEED ^ u64::from(number) << 20 ^ attempt;
        (0..ATTEMPTS_MAX).find_map(|attempt| self.attempt(&mut SeededRng::new(seed(attempt))))
    }

    fn attempt(&mut self, rng: &mut SeededRng) -> Option<String> {
        let position = self.play_to_position(rng)?;
        let info = self.game.info();
        let start =
            self.game.match_from_position(&info.default_options(), info.seats.fewest, &position);
        let (start, seat, steps) = advance_to_decision(start.ok()?, rng)?;
        let values = self.values(&*start, seat, rng)?;
        let worst = values.iter().map(|it| it.1).min()?;
        // Of equal actions the first one.
        let (best, value) = values.iter().rev().max_by_key(|it| it.1)?;
        if !UNDECIDED.contains(value) || value - worst < DIFFERENCE_MIN {
            return None;
        }
        let steps = if steps.is_empty() { "-".to_owned() } else { steps.join(" ") };
        let all: Vec<String> = values.iter().map(|(token, it)| format!("{token} {it}")).collect();
        Some(format!("{position}\t{steps}\t{best}\t{value}\t{}", all.join(" ")))
    }

    /// Plays a game for a random number of steps, and on until its position can be written.
    fn play_to_position(&mut self, rng: &mut SeededRng) -> Option<String> {
        let info = self.game.info();
        let mut game = self.game.start_match(&info.default_options(), info.seats.fewest).ok()?;
        self.players.iter_mut().for_each(|it| it.forget());
        let random = usize::from(self.game.duel_info().opening);
        let steps = (STEPS.0 + rng.below(STEPS.1 - STEPS.0 + 1)) as usize;
        for step in 0..steps + FURTHER_STEPS {
            if step >= steps
                && let Some(text) = game.position_text(Viewer::Public)
            {
                return Some(text);
            }
            match game.node() {
                Node::Over(_) => return None,
                Node::Chance => {
                    let token = game.draw_chance(rng);
                    game.apply_chance(&token).ok()?;
                }
                Node::Act(seat) => {
                    let token = self.choose(&*game, seat, step < random, rng)?;
                    game.apply_action(seat, &token).ok()?;
                }
            }
        }
        None
    }

    fn choose(
        &mut self,
        game: &dyn Match,
        seat: Seat,
        random: bool,
        rng: &mut SeededRng,
    ) -> Option<String> {
        if let Some(token) = game.forced_action() {
            return Some(token);
        }
        let question = game.engine_question(seat)?;
        if random {
            let mut tokens = question.tokens();
            let at = rng.below(u32::try_from(tokens.len()).ok()?) as usize;
            return Some(tokens.swap_remove(at));
        }
        let player = self.players.get_mut(seat.index())?;
        Some(player.think(&question, &ThinkBudget::OF_LEVEL, rng, &mut |_| {})?.action)
    }

    /// The chance to win after each action; `None` if there are too many.
    fn values(
        &mut self,
        game: &dyn Match,
        seat: Seat,
        rng: &mut SeededRng,
    ) -> Option<Vec<(String, u16)>> {
        let question = game.engine_question(seat)?;
        let tokens = question.tokens();
        if tokens.len() > ACTIONS_MAX {
            return None;
        }
        let mut values = Vec::new();
        for token in tokens {
            let only = question.restricted_to(&[&token])?;
            self.judge.forget();
            let evaluation = self.judge.think(&only, &self.plan.budget, rng, &mut |_| {})?;
            values.push((token, evaluation.chance));
        }
        Some(values)
    }
}

/// Draws outcomes of chance and makes moves without a choice until a seat has a choice: the match,
/// the seat and the steps. `None` if that takes too many steps.
fn advance_to_decision(
    mut game: Box<dyn Match>,
    rng: &mut SeededRng,
) -> Option<(Box<dyn Match>, Seat, Vec<String>)> {
    let mut steps = Vec::new();
    while steps.len() <= STEPS_TO_DECISION {
        let token = match game.node() {
            Node::Over(_) => return None,
            Node::Chance => {
                let token = game.draw_chance(rng);
                game.apply_chance(&token).ok()?;
                token
            }
            Node::Act(seat) => {
                let token = match game.forced_action() {
                    Some(token) => token,
                    None => {
                        let mut tokens = game.engine_question(seat)?.tokens();
                        if tokens.len() > 1 {
                            return Some((game, seat, steps));
                        }
                        tokens.pop()?
                    }
                };
                game.apply_action(seat, &token).ok()?;
                token
            }
        };
        steps.push(token);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of entries that are written again: a few, because the rest takes minutes.
    const CHECKED: usize = 4;

    fn benchmarks() -> impl Iterator<Item = (GameId, Benchmark)> {
        GameId::all().iter().filter_map(|game| Some((*game, game.benchmark()?)))
    }

    fn entry_lines(text: &str) -> impl Iterator<Item = &str> {
        text.lines().filter(|it| !it.starts_with('#'))
    }

    #[test]
    fn the_committed_files_are_what_the_command_writes() {
        for (game, benchmark) in benchmarks() {
            let written = (benchmark.write)(u32::try_from(CHECKED).unwrap());
            let committed = entry_lines(benchmark.file).take(CHECKED);
            assert_eq!(
                entry_lines(&written).collect::<Vec<_>>(),
                committed.collect::<Vec<_>>(),
                "{game:?}"
            );
            let heading = |text: &str| text.lines().next().map(str::to_owned);
            assert_eq!(heading(&written), heading(benchmark.file), "{game:?}");
        }
    }

    #[test]
    fn every_entry_can_be_played() {
        let mut kinds = [0, 0];
        for (game, benchmark) in benchmarks() {
            let entries = benchmark.entries().unwrap_or_else(|it| panic!("{game:?}: line {it}"));
            let numbers: Vec<u32> = entries.iter().map(|it| it.number).collect();
            assert_eq!(numbers, (1..=entries.len() as u32).collect::<Vec<_>>(), "{game:?}");
            for BenchmarkEntry { number, start, task } in &entries {
                let Node::Act(seat) = start.node() else { panic!("{game:?} {number}") };
                let legal = start.engine_question(seat).unwrap().tokens();
                match task {
                    BenchmarkTask::Decision { values } => {
                        kinds[0] += 1;
                        let valued: Vec<&String> = values.iter().map(|it| &it.0).collect();
                        assert_eq!(valued, legal.iter().collect::<Vec<_>>(), "{game:?} {number}");
                    }
                    BenchmarkTask::Round { measure } => {
                        kinds[1] += 1;
                        let names = start.measured_values();
                        assert!(names.iter().any(|it| it.name == *measure), "{game:?} {number}");
                    }
                }
            }
        }
        assert_eq!(kinds, [200, 1_000]);
    }

    #[test]
    fn the_stated_best_action_has_the_highest_value() {
        for (game, benchmark) in benchmarks() {
            for (line, entry) in entry_lines(benchmark.file).zip(benchmark.entries().unwrap()) {
                let BenchmarkTask::Decision { values } = entry.task else { continue };
                let fields: Vec<&str> = line.split('\t').collect();
                let best = values.iter().map(|it| it.1).max();
                assert_eq!(fields[4].parse::<u16>().ok(), best, "{game:?} {line}");
                let stated = values.iter().find(|it| it.0 == fields[3]).map(|it| it.1);
                assert_eq!(stated, best, "{game:?} {line}");
            }
        }
    }

    #[test]
    fn lines_that_are_no_entries_are_refused() {
        for (game, benchmark) in benchmarks() {
            let line = entry_lines(benchmark.file).next().unwrap();
            assert!((benchmark.read)(line).is_some(), "{game:?}");
            for wrong in ["", "1", &line[..line.len() / 2], &line.replace('\t', " ")] {
                assert!((benchmark.read)(wrong).is_none(), "{game:?}: {wrong}");
            }
        }
    }
}
