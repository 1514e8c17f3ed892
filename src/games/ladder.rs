//! Rejects a weaker engine: few games with fixed seeds and no time limit, so that a test gives the
//! same result on every machine.
//!
//! Each game states its ladder in the tests of its `engine` folder: by how much each level beats
//! the one below it, with figures of longer matches. A ladder is proven by engines that are made
//! weaker on purpose ([`Blundering`], [`Restricted`]) and that must be rejected.
//!
//! As in an arena, games come in units with the seats exchanged, and the standard error is taken
//! between units: random openings played with both colours, streams of dice, deals. A unit counts
//! the mean share of the first player, or in games of rounds its mean gain by the first measure.

use crate::rules::{Entropy, Node, Seat};
use crate::search::{PlayerEvaluation, SeededRng, ThinkBudget};
use crate::{Computer, EngineQuestion, GameId, Match};

/// A step of a ladder: the first player against the second.
pub(crate) struct LadderStep<'a> {
    pub game: GameId,
    /// Makes the first player; called once for each seat.
    pub first: &'a dyn Fn() -> Box<dyn Computer>,
    /// Makes the second player.
    pub second: &'a dyn Fn() -> Box<dyn Computer>,
    /// Starts, each played with the seats exchanged.
    pub units: u64,
}

/// The result of a rung for the first player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LadderStepResult {
    pub mean: f64,
    /// Its standard error, between units.
    pub error: f64,
}

impl LadderStepResult {
    /// Whether the first player is better than this with a confidence of 95 % (two-sided).
    pub fn is_above(&self, margin: f64) -> bool {
        self.mean - 1.96 * self.error > margin
    }

    /// Whether the result agrees with this figure of a longer match or is better: it is at most
    /// three standard errors below. So a correct engine whose random numbers change is rejected
    /// once in a thousand times.
    pub fn agrees_with(&self, figure: f64) -> bool {
        self.mean + 3.0 * self.error >= figure
    }
}

/// Makes the player with this name.
pub(crate) fn named(game: GameId, name: &'static str) -> impl Fn() -> Box<dyn Computer> {
    move || game.computer(name).expect("the level exists")
}

/// A planted weaker engine: one decision in this many is a random action.
pub(crate) struct Blundering {
    pub player: Box<dyn Computer>,
    pub one_in: u32,
}

/// A planted weaker engine: it searches at most this many positions.
pub(crate) struct Restricted {
    pub player: Box<dyn Computer>,
    pub nodes: u64,
}

impl Computer for Blundering {
    fn think(
        &mut self,
        question: &EngineQuestion,
        budget: &ThinkBudget<'_>,
        entropy: &mut dyn Entropy,
        report: &mut dyn FnMut(&PlayerEvaluation<String>),
    ) -> Option<PlayerEvaluation<String>> {
        let mut evaluation = self.player.think(question, budget, entropy, report)?;
        if entropy.below(self.one_in) == 0 {
            let mut tokens = question.tokens();
            evaluation.action = tokens.swap_remove(entropy.below(tokens.len() as u32) as usize);
        }
        Some(evaluation)
    }

    fn action_chances(
        &mut self,
        question: &EngineQuestion,
        budget: &ThinkBudget<'_>,
        entropy: &mut dyn Entropy,
    ) -> Vec<(String, u16)> {
        self.player.action_chances(question, budget, entropy)
    }

    fn forget(&mut self) {
        self.player.forget();
    }
}

impl Computer for Restricted {
    fn think(
        &mut self,
        question: &EngineQuestion,
        budget: &ThinkBudget<'_>,
        entropy: &mut dyn Entropy,
        report: &mut dyn FnMut(&PlayerEvaluation<String>),
    ) -> Option<PlayerEvaluation<String>> {
        self.player.think(question, &budget.nodes(self.nodes), entropy, report)
    }

    fn action_chances(
        &mut self,
        question: &EngineQuestion,
        budget: &ThinkBudget<'_>,
        entropy: &mut dyn Entropy,
    ) -> Vec<(String, u16)> {
        self.player.action_chances(question, &budget.nodes(self.nodes), entropy)
    }

    fn forget(&mut self) {
        self.player.forget();
    }
}

/// A game that has not ended after this many steps is broken.
const STEPS_MAX: usize = 20_000;

impl LadderStep<'_> {
    /// Plays all units.
    pub fn play(&self) -> LadderStepResult {
        let info = self.game.info();
        let seats = usize::from(info.seats.fewest);
        let mut players: Vec<[Box<dyn Computer>; 2]> =
            (0..seats).map(|_| [(self.first)(), (self.second)()]).collect();
        let results: Vec<f64> =
            (0..self.units).map(|unit| self.play_unit(unit, &mut players)).collect();
        let n = results.len() as f64;
        let mean = results.iter().sum::<f64>() / n;
        let spread: f64 = results.iter().map(|it| (it - mean).powi(2)).sum();
        LadderStepResult { mean, error: (spread / (n - 1.0) / n).sqrt() }
    }

    /// Both games from one start, with the sides exchanged.
    fn play_unit(&self, unit: u64, players: &mut [[Box<dyn Computer>; 2]]) -> f64 {
        let info = self.game.info();
        let start = self.game.start_match(&info.default_options(), info.seats.fewest);
        let mut start = start.expect("the standard rules are played by the fewest seats");
        let mut opening = SeededRng::new(unit ^ 1_u64 << 40);
        for _ in 0..self.game.duel_info().opening {
            let Node::Act(seat) = start.node() else { break };
            let mut tokens = start.engine_question(seat).expect("a seat is to move").tokens();
            let token = tokens.swap_remove(opening.below(tokens.len() as u32) as usize);
            start.apply_action(seat, &token).expect("a legal action");
        }
        let sides = [0, 1].map(|side| self.play_game(start.clone_box(), unit, side, players));
        (sides[0] + sides[1]) / 2.0
    }

    /// One game; the first player has the seats with this remainder.
    fn play_game(
        &self,
        mut game: Box<dyn Match>,
        unit: u64,
        side: usize,
        players: &mut [[Box<dyn Computer>; 2]],
    ) -> f64 {
        players.iter_mut().flatten().for_each(|it| it.forget());
        let by_rounds = self.game.duel_info().rounds;
        let mut chances = 0_u64;
        let mut rngs: Vec<SeededRng> =
            (1..=players.len() as u64).map(|seat| SeededRng::new(unit ^ seat << 48)).collect();
        for _ in 0..STEPS_MAX {
            match game.node() {
                Node::Over(scores) if !by_rounds => return share(&scores, side),
                Node::Chance if by_rounds && chances > 0 => break,
                Node::Over(_) => break,
                Node::Chance => {
                    let mut dice = SeededRng::new(unit ^ 1_u64 << 56 ^ chances << 24);
                    chances += 1;
                    let token = game.draw_chance(&mut dice);
                    game.apply_chance(&token).expect("what was drawn can happen");
                }
                Node::Act(seat) => {
                    let who = usize::from(seat.index() % 2 != side);
                    let player = players[seat.index()][who].as_mut();
                    let token = decide(&*game, seat, player, &mut rngs[seat.index()]);
                    game.apply_action(seat, &token).expect("players choose legal actions");
                }
            }
        }
        let measured = game.measured_values();
        f64::from(measured.first().expect("the game did not end").by_seat[side])
    }
}

fn decide(game: &dyn Match, seat: Seat, player: &mut dyn Computer, rng: &mut SeededRng) -> String {
    if let Some(token) = game.forced_action() {
        return token;
    }
    let question = game.engine_question(seat).expect("a seat is to move");
    let mut tokens = question.tokens();
    if tokens.len() == 1 {
        return tokens.remove(0);
    }
    let evaluation = player.think(&question, &ThinkBudget::OF_LEVEL, rng, &mut |_| {});
    evaluation.expect("the player is one of this game").action
}

fn share(scores: &[i32], side: usize) -> f64 {
    match scores[side].cmp(&scores[1 - side]) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    }
}
