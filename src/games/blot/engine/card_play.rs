//! Choosing a card: worlds drawn by what is public, each played out or solved with every card.
//!
//! Perfect information Monte Carlo (Levy 1989; Ginsberg 2001). Long, Sturtevant, Buro and Furtak
//! (2010, "Understanding the success of perfect information Monte Carlo sampling in game tree
//! search") show why it does well in games of tricks, where leaves agree and cards soon tell
//! themselves. Early, rounds are played out by rules of thumb; with few cards left they are solved.

use super::super::card::{Card, Trump};
use super::super::tricks::Tricks;
use super::super::view::{BlotView, OwnHand};
use super::packed::Packing;
use super::playouts::{PlayoutOutcome, Run};
use super::solver::Solver;
use super::stakes::{Outside, Stakes, outcome_of};
use super::worlds::{KnownCards, Worlds, careless};
use crate::search::{SeededRng, ThinkBudget};

/// What is aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Card points of the own side.
    Cards,
    /// The result of the round, and of the match.
    Result,
}

/// How hard a card is thought about.
#[derive(Clone, Copy, Debug)]
pub struct CardEffort {
    /// What is aimed at.
    pub aim: Aim,
    /// Whether what the others showed by their cards and calls is taken into account.
    pub infers: bool,
    /// Worlds that are played out.
    pub playouts: usize,
    /// Worlds that are solved, by cards in the own hand; nothing where rounds are played out.
    pub solved: [usize; 9],
    /// So many worlds are drawn for each one that is used, the likelier by the calls.
    pub choice: usize,
}

/// What one card promises, summed over worlds.
#[derive(Clone, Copy, Debug)]
pub struct CardValue {
    /// The card.
    pub card: Card,
    /// What is maximised.
    pub worth: f64,
    /// Match points of the round, own less theirs.
    pub points: f64,
    /// Chances of the own side to win the match.
    pub chance: f64,
}

/// What all cards promise.
#[derive(Clone, Debug, Default)]
pub struct CardValues {
    /// By card.
    pub all: Vec<CardValue>,
    /// Worlds looked at.
    pub worlds: usize,
    /// Playouts, or positions that were solved and looked at for that.
    pub nodes: u64,
}

impl CardValues {
    /// The best of them; of equals the first.
    pub fn best(&self) -> Option<&CardValue> {
        let better = |a: &&CardValue, b: &&CardValue| a.worth.total_cmp(&b.worth);
        self.all.iter().rev().max_by(better)
    }
}

/// Which card? The seat on turn sees this and may put one of these, at least one.
#[derive(Clone, Copy)]
pub struct CardQuestion<'a> {
    /// What it sees.
    pub view: &'a BlotView,
    /// Its hand.
    pub own: &'a OwnHand,
    /// What it chooses among.
    pub cards: &'a [Card],
    /// How long it may think.
    pub budget: &'a ThinkBudget<'a>,
}

/// What calls and totals tell a player of cards.
pub struct CardEvidence<'a> {
    /// How well hands as dealt explain the calls; only ratios mean anything.
    pub weight: &'a dyn Fn(&[u32; 4]) -> f32,
    /// The chance of side 0 to win the match after a round with these points.
    pub chance: &'a dyn Fn([u16; 2]) -> f64,
    /// Match points that a whole match is worth, so that chances can be counted in points.
    pub whole: f64,
}

/// The tools of the trade, kept from question to question.
pub struct CardTools {
    /// For the late tricks.
    pub solver: Solver,
    packings: [Packing; 5],
}

impl Default for CardTools {
    fn default() -> Self {
        Self { solver: Solver::default(), packings: Packing::all() }
    }
}

/// A decision in the making.
struct CardDecision<'a> {
    stakes: Stakes<'a>,
    known: &'a KnownCards,
    start: Tricks,
    side: usize,
    effort: &'a CardEffort,
    sense: &'a CardEvidence<'a>,
}

/// What a card point is worth beside the result, in match points: the spare that makes a
/// contract safe against worlds that were not drawn, and the choice where nothing else differs.
const SPARE: f64 = 0.02;

/// To draw a world takes as long as to look at so many positions.
const WORLD: u64 = 20;

impl CardTools {
    /// What these cards promise to the seat on turn.
    pub fn card_values(
        &mut self,
        asked: &CardQuestion<'_>,
        effort: &CardEffort,
        sense: &CardEvidence<'_>,
        numbers: &mut SeededRng,
    ) -> CardValues {
        let CardQuestion { view, own, cards, budget } = *asked;
        let Some(contract) = view.contract else { return CardValues::default() };
        let known = KnownCards::new(view, own);
        let desk = CardDecision {
            stakes: Stakes::new(view, contract),
            known: &known,
            start: replayed(view, &known),
            side: BlotView::team(own.seat),
            effort,
            sense,
        };
        let hand = own.cards.count_ones() as usize;
        let solved = effort.solved[hand.min(8)];
        let wanted = if solved > 0 { solved } else { effort.playouts };
        // What cannot be chosen needs no care.
        let wanted = if cards.len() == 1 { wanted.div_ceil(8) } else { wanted };
        let most = budget.nodes_max() / (WORLD + cards.len() as u64);
        let wanted = wanted.min(usize::try_from(most).unwrap_or(usize::MAX)).max(1);
        let mut promises = CardValues {
            all: cards
                .iter()
                .map(|card| CardValue { card: *card, worth: 0.0, points: 0.0, chance: 0.0 })
                .collect(),
            worlds: 0,
            nodes: 0,
        };
        loop {
            let worlds = desk.worlds(wanted, numbers);
            for world in worlds {
                if solved > 0 {
                    self.solve(&desk, &world, &mut promises);
                } else {
                    self.play_out(&desk, &world, &mut promises);
                }
                if budget.is_spent(promises.nodes) {
                    return promises;
                }
            }
            // What cannot be chosen needs no more time either.
            if !budget.goes_on() || cards.len() == 1 {
                return promises;
            }
        }
    }

    fn solve(&mut self, desk: &CardDecision<'_>, world: &[u32; 4], promises: &mut CardValues) {
        let tricks = desk.start.with_hands(*world);
        let outside = desk.stakes.outside(&desk.known.dealt(world));
        let before = self.solver.nodes();
        let mut guess = None;
        for promise in &mut promises.all {
            let mut after = tricks;
            after.play(promise.card);
            let value = self.solver.value_near(&after, true, guess);
            guess = Some(value);
            desk.add(promise, &outcome_of(value), &outside);
        }
        promises.nodes += WORLD + self.solver.nodes() - before + promises.all.len() as u64;
        promises.worlds += 1;
    }

    fn play_out(&mut self, desk: &CardDecision<'_>, world: &[u32; 4], promises: &mut CardValues) {
        let tricks = desk.start.with_hands(*world);
        let outside = desk.stakes.outside(&desk.known.dealt(world));
        let packing = &self.packings[Packing::number(tricks.trump())];
        let run = Run::new(&tricks, desk.stakes.contract.team(), packing);
        for promise in &mut promises.all {
            let mut run = run;
            run.put(u32::from(packing.card(promise.card)), packing);
            desk.add(promise, &run.finish(packing), &outside);
        }
        promises.nodes += WORLD + promises.all.len() as u64;
        promises.worlds += 1;
    }
}

impl CardDecision<'_> {
    fn worlds(&self, count: usize, numbers: &mut SeededRng) -> Vec<[u32; 4]> {
        if !self.effort.infers {
            return (0..count).map(|_| careless(self.known, numbers)).collect();
        }
        let worlds = Worlds::new(self.known.clone(), numbers);
        worlds.weighted(count, self.effort.choice, |dealt| (self.sense.weight)(dealt), numbers)
    }

    /// Counts one end of the round for a card.
    fn add(&self, promise: &mut CardValue, outcome: &PlayoutOutcome, outside: &Outside) {
        let cards = f64::from(outcome.points[self.side]);
        match self.effort.aim {
            Aim::Cards => promise.worth += cards,
            Aim::Result => {
                let points = self.stakes.points(outcome, outside);
                let first = (self.sense.chance)(points);
                let chance = if self.side == 0 { first } else { 1.0 - first };
                promise.chance += chance;
                promise.points += f64::from(points[self.side]) - f64::from(points[1 - self.side]);
                promise.worth += self.sense.whole * chance + SPARE * cards;
            }
        }
    }
}

/// The round up to now; only the hand of the one who looks is right in it.
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
