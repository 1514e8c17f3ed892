//! Runs one game between two players, or all games of a unit.

use std::time::Duration;

use anyhow::Context;

use crate::solve;
use crate::stopwatch::Stopwatch;
use caravanserai_games::rules::{Node, Seat};
use caravanserai_games::search::{PlayerEvaluation, SeededRng, ThinkBudget};
use caravanserai_games::{Computer, EngineQuestion, GameId, Match};

/// A game that has not ended after this many steps is broken.
pub(super) const STEPS_MAX: usize = 200_000;

/// A player as named on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArenaEntrant {
    /// The name of a level or of a test opponent, or `solved:FILE`.
    pub name: String,
    /// The limit of each decision.
    pub limit: DecisionLimit,
}

/// The limit of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionLimit {
    /// The fixed effort of the player.
    OfLevel,
    /// A time in milliseconds.
    Time(u32),
    /// Positions, within the effort of the player: the same on every machine.
    Positions(u64),
}

/// How far a game is played, and how its contract is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameExtent {
    /// To its end.
    Whole,
    /// One round.
    Round,
    /// One round with a given contract.
    Contract,
}

/// The parameters shared by all games of a match.
#[derive(Clone, Debug)]
pub struct ArenaSetup {
    /// The game.
    pub game: GameId,
    /// The token of the house rules.
    pub options: String,
    /// The number of seats.
    pub seats: u8,
    /// Random moves at the beginning.
    pub plies: u16,
    /// How far to play.
    pub extent: GameExtent,
    /// The seed of all randomness.
    pub seed: u64,
}

/// The cost of a player's decisions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArenaEffort {
    /// Decisions with a choice.
    pub decisions: u64,
    /// Positions or playouts searched.
    pub nodes: u64,
    /// Total thinking time.
    pub time: Duration,
    /// The longest decision.
    pub longest: Duration,
}

impl ArenaEffort {
    /// Adds the effort of other decisions.
    pub fn add(&mut self, other: &ArenaEffort) {
        self.decisions += other.decisions;
        self.nodes += other.nodes;
        self.time += other.time;
        self.longest = self.longest.max(other.longest);
    }
}

/// The result of a game for the first player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ArenaGameResult {
    /// 1 for a win, 0 for a loss, between them for a share.
    pub share: f64,
    /// The measures of the game, in their order.
    pub gains: Vec<f64>,
    /// The effort of each player.
    pub effort: [ArenaEffort; 2],
}

/// The players that one thread reuses, so that large tables are built once: as many instances of
/// each player as it has seats.
pub struct ArenaPlayers {
    game: GameId,
    entrants: [ArenaEntrant; 2],
    objects: [Vec<Box<dyn Computer>>; 2],
}

impl ArenaPlayers {
    /// No instances yet; the names were checked earlier.
    pub fn new(game: GameId, entrants: [ArenaEntrant; 2]) -> Self {
        Self { game, entrants, objects: [Vec::new(), Vec::new()] }
    }

    /// Assigns a player and one of its instances to each seat, and makes them forget earlier games.
    fn seat_players(&mut self, first: &[bool]) -> Result<Vec<(usize, usize)>, String> {
        let mut taken = [0, 0];
        let mut places = Vec::new();
        for is_first in first {
            let who = usize::from(!is_first);
            if self.objects[who].len() == taken[who] {
                let name = &self.entrants[who].name;
                let made = make_computer(self.game, name)?;
                self.objects[who].push(made);
            }
            places.push((who, taken[who]));
            taken[who] += 1;
        }
        self.objects.iter_mut().flatten().for_each(|it| it.forget());
        Ok(places)
    }
}

pub(super) fn make_computer(game: GameId, name: &str) -> Result<Box<dyn Computer>, String> {
    match solve::solved_player(game, name) {
        Some(solved) => solved.map_err(|why| format!("{why:#}")),
        None => game.computer(name).ok_or(format!("there is no player {name}")),
    }
}

/// Derives a separate seed for each purpose.
pub fn derive_seed(parts: &[u64]) -> u64 {
    parts.iter().fold(0, |mixed, part| SeededRng::new(mixed ^ part).bits())
}

const SEED_FOR_OPENING: u64 = 1;
const SEED_FOR_CHANCE: u64 = 2;
const SEED_FOR_PLAYERS: u64 = 3;

/// The number of games per unit: the number of ways to exchange the seats.
pub fn games_per_unit(seats: u8, partners: bool) -> u8 {
    if partners { 2 } else { seats }
}

/// Plays all games of a unit: same opening, same outcomes of chance as far as the games are alike,
/// the first player on every seat in turn (with partners on both pairs of seats).
///
/// # Errors
/// A sentence about the first game that failed, with its seats.
pub fn play_unit(
    setup: &ArenaSetup,
    unit: u64,
    players: &mut ArenaPlayers,
) -> Result<Vec<ArenaGameResult>, String> {
    let seed = derive_seed(&[setup.seed, unit]);
    let (start, partners) = random_opening(setup, seed)?;
    let rotations = games_per_unit(setup.seats, partners);
    let game = |turn: u8| {
        let is_first = |seat: u8| if partners { seat % 2 == turn } else { seat == turn };
        let first: Vec<bool> = (0..setup.seats).map(is_first).collect();
        let mut running = ArenaGameRun {
            setup,
            seed,
            game: start.clone_box(),
            first: &first,
            chances: 0,
            played: ArenaGameResult::default(),
        };
        let number = unit * u64::from(rotations) + u64::from(turn) + 1;
        running.play(players).map_err(|why| format!("game {number}: {why}"))?;
        Ok(running.played)
    };
    (0..rotations).map(game).collect()
}

fn random_opening(setup: &ArenaSetup, seed: u64) -> Result<(Box<dyn Match>, bool), String> {
    let mut game =
        setup.game.start_match(&setup.options, setup.seats).map_err(|it| it.to_string())?;
    let partners = game.has_partners();
    let mut rng = SeededRng::new(derive_seed(&[seed, SEED_FOR_OPENING]));
    for _ in 0..setup.plies {
        match game.node() {
            Node::Act(seat) => {
                let question = game.engine_question(seat).ok_or("no seat is on turn")?;
                let tokens = question.tokens();
                let at = caravanserai_games::rules::Entropy::below(&mut rng, tokens.len() as u32);
                game.apply_action(seat, &tokens[at as usize]).map_err(|it| it.to_string())?;
            }
            Node::Chance => {
                let token = game.draw_chance(&mut rng);
                game.apply_chance(&token).map_err(|it| it.to_string())?;
            }
            Node::Over(_) => break,
        }
    }
    Ok((game, partners))
}

struct ArenaGameRun<'a> {
    setup: &'a ArenaSetup,
    seed: u64,
    game: Box<dyn Match>,
    /// Whether the first player has the seat, by seat.
    first: &'a [bool],
    chances: u64,
    played: ArenaGameResult,
}

impl ArenaGameRun<'_> {
    fn play(&mut self, players: &mut ArenaPlayers) -> Result<(), String> {
        let places = players.seat_players(self.first)?;
        let rng_of_seat =
            |seat: u64| SeededRng::new(derive_seed(&[self.seed, SEED_FOR_PLAYERS, seat]));
        let mut rngs: Vec<SeededRng> = (0..).map(rng_of_seat).take(self.first.len()).collect();
        let by_round = self.setup.extent != GameExtent::Whole;
        for _ in 0..STEPS_MAX {
            match self.game.node() {
                Node::Over(scores) => {
                    self.record_score(Some(&scores));
                    return Ok(());
                }
                Node::Chance if by_round && self.chances > 0 => {
                    self.record_score(None);
                    return Ok(());
                }
                Node::Chance => {
                    let mut dice =
                        SeededRng::new(derive_seed(&[self.seed, SEED_FOR_CHANCE, self.chances]));
                    let token = self.game.draw_chance(&mut dice);
                    self.chances += 1;
                    self.game.apply_chance(&token).map_err(|it| it.to_string())?;
                }
                Node::Act(seat) => {
                    let (who, object) = places[seat.index()];
                    let player = players.objects[who][object].as_mut();
                    let limit = players.entrants[who].limit;
                    let token = self.decide(seat, player, limit, &mut rngs[seat.index()])?;
                    let wrong = |it: caravanserai_games::GameRefusal| {
                        let name = &players.entrants[who].name;
                        format!("{name} played {token}, which is refused: {it}")
                    };
                    self.game.apply_action(seat, &token).map_err(wrong)?;
                }
            }
        }
        Err(format!("it did not end within {STEPS_MAX} steps"))
    }

    fn decide(
        &mut self,
        seat: Seat,
        player: &mut dyn Computer,
        limit: DecisionLimit,
        rng: &mut SeededRng,
    ) -> Result<String, String> {
        let contract = self.setup.extent == GameExtent::Contract;
        let by_itself = || contract.then(|| self.game.scripted_action()).flatten();
        if let Some(token) = self.game.forced_action().or_else(by_itself) {
            return Ok(token);
        }
        let question = self.game.engine_question(seat).ok_or("no seat is on turn")?;
        let mut tokens = question.tokens();
        if tokens.len() == 1 {
            return Ok(tokens.remove(0));
        }
        let watch = Stopwatch::start();
        let evaluation = think(player, &question, limit, watch, rng)?;
        let time = watch.elapsed();
        let who = usize::from(!self.first[seat.index()]);
        let nodes = evaluation.nodes;
        self.played.effort[who].add(&ArenaEffort { decisions: 1, nodes, time, longest: time });
        Ok(evaluation.action)
    }

    /// Records the result. A round that is not a whole game is won by the side that gained by the
    /// first measure.
    fn record_score(&mut self, scores: Option<&[i32]>) {
        // One seat of the first player is enough: its partner has the same result.
        let seat = self.first.iter().position(|it| *it).unwrap_or(0);
        let of_seat = |by_seat: &[i32]| f64::from(by_seat.get(seat).copied().unwrap_or(0));
        let measured = self.game.measured_values();
        self.played.gains = measured.iter().map(|it| of_seat(&it.by_seat)).collect();
        let by_round = self.setup.extent != GameExtent::Whole;
        self.played.share = match (scores.filter(|_| !by_round), self.played.gains.first()) {
            (Some(scores), _) => share_of_first(scores, self.first),
            (None, Some(gain)) if *gain > 0.0 => 1.0,
            (None, Some(gain)) if *gain < 0.0 => 0.0,
            (None, _) => 0.5,
        };
    }
}

/// Asks a player for a decision within its limit.
pub(super) fn think(
    player: &mut dyn Computer,
    question: &EngineQuestion,
    limit: DecisionLimit,
    watch: Stopwatch,
    rng: &mut SeededRng,
) -> Result<PlayerEvaluation<String>, String> {
    let clock = || watch.elapsed_ms();
    let budget = match limit {
        DecisionLimit::OfLevel => ThinkBudget::OF_LEVEL,
        DecisionLimit::Time(ms) => ThinkBudget::time(&clock, ms),
        DecisionLimit::Positions(count) => ThinkBudget::OF_LEVEL.nodes(count),
    };
    let evaluation = player.think(question, &budget, rng, &mut |_| {});
    evaluation.ok_or_else(|| "the player is one of another game".to_owned())
}

/// Lets a player decide with the effort of its level.
///
/// # Errors
/// When no seat is on turn, or the player is one of another game.
pub fn decide_by_level(
    game: &dyn Match,
    seat: Seat,
    player: &mut dyn Computer,
    rng: &mut SeededRng,
) -> anyhow::Result<String> {
    let question = game.engine_question(seat).context("no seat is on turn")?;
    let evaluation = player.think(&question, &ThinkBudget::OF_LEVEL, rng, &mut |_| {});
    Ok(evaluation.context("the player is one of another game")?.action)
}

/// Where a game is counted in won, drawn, lost games, by the first player's share.
pub(super) fn outcome_index(share: f64) -> usize {
    match share {
        it if it >= 1.0 => 0,
        it if it <= 0.0 => 2,
        _ => 1,
    }
}

/// The first player's share of the winning seats.
pub(super) fn share_of_first(scores: &[i32], first: &[bool]) -> f64 {
    let best = scores.iter().max().copied().unwrap_or_default();
    let won: Vec<bool> =
        first.iter().zip(scores).filter(|it| *it.1 == best).map(|it| *it.0).collect();
    won.iter().filter(|it| **it).count() as f64 / won.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winners_share() {
        assert_eq!(share_of_first(&[88, 10], &[true, false]), 1.0);
        assert_eq!(share_of_first(&[81, 81], &[false, true]), 0.5);
        assert_eq!(share_of_first(&[0, 1, 0, 1], &[true, false, true, false]), 0.0);
        assert_eq!(share_of_first(&[1, 0, 1, 0], &[true, false, true, false]), 1.0);
    }

    #[test]
    fn seeds_of_different_purposes_differ() {
        let seeds = [
            derive_seed(&[1, 2]),
            derive_seed(&[2, 1]),
            derive_seed(&[1, 3]),
            derive_seed(&[1]),
            derive_seed(&[1, 2, 0]),
        ];
        for (n, seed) in seeds.iter().enumerate() {
            assert!(!seeds[..n].contains(seed));
        }
    }
}
