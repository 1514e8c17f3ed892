//! Chooses a card: draws worlds that agree with everything public, and plays out or solves each of
//! them with every legal card.
//!
//! Perfect information Monte Carlo (Levy 1989; Ginsberg 2001). Long, Sturtevant, Buro and Furtak
//! (2010, "Understanding the success of perfect information Monte Carlo sampling in game tree
//! search") show why it works well in trick-taking games, where leaf values are correlated and
//! hidden cards are soon revealed. Early in a round worlds are played out by rules of thumb or by
//! the card policy; with few cards left they are solved. Solving takes all seats for players who
//! see all hands, playing out takes them for players who play by habit: a player may use the mean
//! of both.

use super::super::card::{Card, Trump};
use super::super::tricks::Tricks;
use super::super::view::{BlotView, OwnHand};
use super::card_policy::CardPolicy;
use super::packed::Packing;
use super::play_inference::PlayInference;
use super::playouts::{PackedRound, PlayoutOutcome};
use super::policy_playouts::PolicyPlayouts;
use super::sampled_hands::{KnownCards, Worlds, careless};
use super::solver::Solver;
use super::stakes::{Outside, Stakes, outcome_of};
use crate::search::{SeededRng, ThinkBudget};

/// The value that a player maximises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Card points of the own side.
    Cards,
    /// The result of the round, and of the match.
    Result,
}

/// How the values of the cards in one world are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorldMethod {
    /// All seats go on by rules of thumb.
    Thumb,
    /// All seats go on by the card policy, and the last tricks are solved.
    Policy,
    /// The rest of the round is solved.
    Solved,
}

/// A part of the effort for one card.
#[derive(Clone, Copy, Debug)]
pub struct EffortPart {
    /// How the values are found.
    pub method: WorldMethod,
    /// Number of worlds.
    pub worlds: usize,
    /// The share of the time of a decision that is over when this part ends.
    pub until: f64,
    /// The weight of the mean of this part; those of all parts sum to 1.
    pub weight: f64,
}

/// The parts of an effort by number of cards in the own hand.
pub type EffortParts = [&'static [EffortPart]; 9];

/// The effort for one card.
#[derive(Clone, Copy, Debug)]
pub struct CardEffort {
    /// The value that the player maximises.
    pub aim: Aim,
    /// Whether the cards and calls of the others are used to infer their hands.
    pub infers: bool,
    /// Number of worlds that are played out.
    pub playouts: usize,
    /// Number of worlds that are solved, by number of cards in the own hand; 0 where rounds are
    /// played out.
    pub solved: [usize; 9],
    /// The parts of the effort; where there are none, `playouts` and `solved` are used.
    pub parts: &'static EffortParts,
    /// Number of worlds that are drawn for each one that is used; those that are likely by the
    /// calls and cards of their owners are kept.
    pub choice: usize,
    /// The most worlds that are selected at once.
    pub batch: usize,
    /// The trust in what the cards of the others say about their hands: 0 for none, 1 to take them
    /// for players of the card policy.
    pub trust: f32,
    /// Whether calls are evidence about hands.
    pub calls: bool,
}

/// The values of one card, summed over worlds.
#[derive(Clone, Copy, Debug)]
pub struct CardValue {
    /// The card.
    pub card: Card,
    /// The value that is maximised.
    pub worth: f64,
    /// Match points of the round: own minus theirs.
    pub points: f64,
    /// Chance of the own side to win the match.
    pub chance: f64,
}

/// The values of all cards.
#[derive(Clone, Debug, Default)]
pub struct CardValues {
    /// By card.
    pub all: Vec<CardValue>,
    /// Number of worlds.
    pub worlds: usize,
    /// Number of playouts, or of positions that the solver searched.
    pub nodes: u64,
}

impl CardValues {
    fn new(cards: &[Card], nodes: u64) -> CardValues {
        let none = |card: &Card| CardValue { card: *card, worth: 0.0, points: 0.0, chance: 0.0 };
        CardValues { all: cards.iter().map(none).collect(), worlds: 0, nodes }
    }

    /// The weighted mean of several parts, as sums over the worlds of all parts.
    fn blend(parts: &[(f64, CardValues)]) -> CardValues {
        let Some((_, last)) = parts.last() else { return CardValues::default() };
        let cards: Vec<Card> = last.all.iter().map(|it| it.card).collect();
        let mut blend = CardValues::new(&cards, last.nodes);
        blend.worlds = parts.iter().map(|(_, it)| it.worlds).sum();
        for (weight, part) in parts {
            let scale = weight * blend.worlds as f64 / part.worlds.max(1) as f64;
            for (sum, it) in blend.all.iter_mut().zip(&part.all) {
                sum.worth += scale * it.worth;
                sum.points += scale * it.points;
                sum.chance += scale * it.chance;
            }
        }
        blend
    }

    /// The best card; of equal ones the first.
    pub fn best(&self) -> Option<&CardValue> {
        let better = |a: &&CardValue, b: &&CardValue| a.worth.total_cmp(&b.worth);
        self.all.iter().rev().max_by(better)
    }
}

/// The question which card the seat to move plays.
#[derive(Clone, Copy)]
pub struct CardQuestion<'a> {
    /// Its view.
    pub view: &'a BlotView,
    /// Its hand.
    pub own: &'a OwnHand,
    /// The cards to choose from, at least one.
    pub cards: &'a [Card],
    /// The thinking budget.
    pub budget: &'a ThinkBudget<'a>,
}

/// How calls and totals are weighted in card play.
pub struct CardEvidence<'a> {
    /// How likely a player plays each card.
    pub policy: &'a CardPolicy,
    /// How well hands as dealt agree with the calls; only ratios have a meaning.
    pub weight: &'a dyn Fn(&[u32; 4]) -> f32,
    /// The chance of side 0 to win the match after a round with these points.
    pub chance: &'a dyn Fn([u16; 2]) -> f64,
    /// The value of a whole match in match points, to convert chances to points.
    pub whole: f64,
}

/// Solver and tables that are kept between questions.
pub struct CardTools {
    /// The solver for the last tricks.
    pub solver: Solver,
    packings: [Packing; 5],
}

impl Default for CardTools {
    fn default() -> Self {
        Self { solver: Solver::default(), packings: Packing::all() }
    }
}

/// The data of one decision.
struct CardDecision<'a> {
    stakes: Stakes<'a>,
    known: &'a KnownCards,
    start: Tricks,
    side: usize,
    effort: &'a CardEffort,
    sense: &'a CardEvidence<'a>,
    plays: PlayInference<'a>,
}

/// The weight of a card point beside the result, in match points: a reserve against worlds that
/// were not drawn, and the tie-breaker.
const SPARE: f64 = 0.02;

/// The cost of drawing a world, in positions.
const WORLD: u64 = 20;

impl CardTools {
    /// Computes the values of these cards for the seat to move.
    pub fn card_values(
        &mut self,
        question: &CardQuestion<'_>,
        effort: &CardEffort,
        sense: &CardEvidence<'_>,
        rng: &mut SeededRng,
    ) -> CardValues {
        let CardQuestion { view, own, cards, budget } = *question;
        let Some(contract) = view.contract else { return CardValues::default() };
        let known = KnownCards::new(view, own);
        let packing = &Packing::new(contract.bid.trump);
        let decision = CardDecision {
            plays: PlayInference::new(view, known.seat, sense.policy, packing),
            stakes: Stakes::new(view, contract),
            known: &known,
            start: replayed(view, &known),
            side: BlotView::team(own.seat),
            effort,
            sense,
        };
        let worlds = Worlds::new(known.clone(), rng);
        let mut nodes = 0;
        let mut parts = Vec::new();
        for part in effort.parts(own.cards.count_ones() as usize) {
            let share = &budget.share(part.until);
            let mut values = CardValues::new(cards, nodes);
            self.evaluate(&decision, &part, &worlds, share, rng, &mut values);
            nodes = values.nodes;
            parts.push((part.weight, values));
        }
        CardValues::blend(&parts)
    }

    /// Adds the values of one part of the effort.
    fn evaluate(
        &mut self,
        decision: &CardDecision<'_>,
        part: &EffortPart,
        worlds: &Worlds,
        budget: &ThinkBudget<'_>,
        rng: &mut SeededRng,
        values: &mut CardValues,
    ) {
        let cards = values.all.len();
        let count = part.count(cards, budget);
        let batch = decision.effort.batch;
        let mut left = count;
        loop {
            for world in decision.draw(worlds, left.min(batch), rng) {
                match part.method {
                    WorldMethod::Thumb => self.play_out(decision, &world, values),
                    WorldMethod::Policy => self.play_by_policy(decision, &world, values),
                    WorldMethod::Solved => self.solve(decision, &world, values),
                }
                if budget.is_spent(values.nodes) {
                    return;
                }
            }
            left = left.saturating_sub(batch);
            // A single card needs no more time.
            if left == 0 && (!budget.goes_on() || cards == 1) {
                return;
            }
            left = if left == 0 { count } else { left };
        }
    }

    fn solve(&mut self, decision: &CardDecision<'_>, world: &[u32; 4], values: &mut CardValues) {
        let tricks = decision.start.with_hands(*world);
        solve_rests(&mut self.solver, decision, world, values, |card| {
            let mut after = tricks;
            after.play(card);
            after
        });
    }

    fn play_by_policy(
        &mut self,
        decision: &CardDecision<'_>,
        world: &[u32; 4],
        values: &mut CardValues,
    ) {
        let tricks = decision.start.with_hands(*world);
        let packing = &self.packings[Packing::number(tricks.trump())];
        let playouts = PolicyPlayouts { policy: decision.sense.policy, packing };
        let public = decision.plays.public();
        solve_rests(&mut self.solver, decision, world, values, |card| {
            playouts.play(&tricks, public, card)
        });
    }

    fn play_out(&mut self, decision: &CardDecision<'_>, world: &[u32; 4], values: &mut CardValues) {
        let tricks = decision.start.with_hands(*world);
        let outside = decision.stakes.outside(&decision.known.dealt(world));
        let packing = &self.packings[Packing::number(tricks.trump())];
        let run = PackedRound::new(&tricks, decision.stakes.contract.team(), packing);
        for card_value in &mut values.all {
            let mut run = run;
            run.put(u32::from(packing.card(card_value.card)), packing);
            decision.add(card_value, &run.finish(packing), &outside);
        }
        values.nodes += WORLD + values.all.len() as u64;
        values.worlds += 1;
    }
}

/// Adds the values of one world: for each card that of the solved rest of the round. `rest` is the
/// round after the card, and after what is played on before the rest is solved.
fn solve_rests(
    solver: &mut Solver,
    decision: &CardDecision<'_>,
    world: &[u32; 4],
    values: &mut CardValues,
    rest: impl Fn(Card) -> Tricks,
) {
    let outside = decision.stakes.outside(&decision.known.dealt(world));
    let before = solver.nodes();
    let mut guess = None;
    for card_value in &mut values.all {
        let value = solver.value_near(&rest(card_value.card), true, guess);
        guess = Some(value);
        decision.add(card_value, &outcome_of(value), &outside);
    }
    values.nodes += WORLD + solver.nodes() - before + values.all.len() as u64;
    values.worlds += 1;
}

impl CardEffort {
    /// The parts of the effort with this number of cards in the own hand.
    fn parts(&self, hand: usize) -> Vec<EffortPart> {
        let hand = hand.min(8);
        if !self.parts[hand].is_empty() {
            return self.parts[hand].to_vec();
        }
        let (method, worlds) = match self.solved[hand] {
            0 => (WorldMethod::Thumb, self.playouts),
            worlds => (WorldMethod::Solved, worlds),
        };
        vec![EffortPart { method, worlds, until: 1.0, weight: 1.0 }]
    }
}

impl EffortPart {
    /// The number of worlds for a choice between this many cards.
    fn count(&self, cards: usize, budget: &ThinkBudget<'_>) -> usize {
        // A single card needs little effort.
        let count = if cards == 1 { self.worlds.div_ceil(8) } else { self.worlds };
        let most = budget.nodes_max() / (WORLD + cards as u64);
        count.min(usize::try_from(most).unwrap_or(usize::MAX)).max(1)
    }
}

impl CardDecision<'_> {
    fn draw(&self, worlds: &Worlds, count: usize, rng: &mut SeededRng) -> Vec<[u32; 4]> {
        if !self.effort.infers {
            return (0..count).map(|_| careless(self.known, rng)).collect();
        }
        let weight = |dealt: &[u32; 4]| {
            let calls = if self.effort.calls { (self.sense.weight)(dealt) } else { 1.0 };
            if self.effort.trust <= 0.0 {
                return f64::from(calls);
            }
            f64::from(calls) * f64::from(self.effort.trust * self.plays.log_weight(dealt)).exp()
        };
        worlds.weighted(count, self.effort.choice, weight, rng)
    }

    /// Adds one result of the round to the values of a card.
    fn add(&self, card_value: &mut CardValue, outcome: &PlayoutOutcome, outside: &Outside) {
        let cards = f64::from(outcome.points[self.side]);
        match self.effort.aim {
            Aim::Cards => card_value.worth += cards,
            Aim::Result => {
                let points = self.stakes.points(outcome, outside);
                let first = (self.sense.chance)(points);
                let chance = if self.side == 0 { first } else { 1.0 - first };
                card_value.chance += chance;
                card_value.points +=
                    f64::from(points[self.side]) - f64::from(points[1 - self.side]);
                card_value.worth += self.sense.whole * chance + SPARE * cards;
            }
        }
    }
}

/// The round so far; only the hand of the own seat is right in it.
fn replayed(view: &BlotView, known: &KnownCards) -> Tricks {
    let trump = view.contract.map_or(Trump::Boy, |it| it.bid.trump);
    let leader = view.dealer.map_or(0, |dealer| (dealer.0 + 1) & 3);
    let mut hands = known.played;
    hands[known.seat] |= known.own;
    let mut tricks = Tricks::new(hands, trump, leader, view.options.house().undertrump);
    for card in view.tricks.iter().flat_map(|trick| trick.cards) {
        tricks.play(card);
    }
    for (_, card) in &view.table {
        tricks.play(*card);
    }
    tricks
}
