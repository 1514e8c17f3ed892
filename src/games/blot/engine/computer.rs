//! Creates the players by name: five levels, and opponents to measure them against.

use super::super::action::BlotAction;
use super::super::auction::AuctionCall;
use super::super::card::Card;
use super::super::rules::Blot;
use super::super::view::OwnHand;
use super::auction;
use super::auction::call_inference::CallListener;
use super::auction::model::Model;
use super::card_play::{
    Aim, CardEffort, CardEvidence, CardQuestion, CardTools, CardValue, CardValues, EffortPart,
    EffortParts, WorldMethod,
};
use super::count;
use super::heuristics::{self, PlayerMemory};
use super::match_equity::{MatchState, POINTS};
use crate::rules::Entropy;
use crate::search::{ComputerLevel, Player, PlayerEvaluation, PlayerQuestion, SeededRng};

/// The kind of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlotPlayerKind {
    Level(ComputerLevel),
    Random,
    Greedy,
    Playouts(usize),
    /// Card play for card points alone, with the calls of `greedy`.
    Cards,
    /// The highest level and `cards` as they were on 27 November 2026.
    EarlierMaster,
    EarlierCards,
}

/// A computer player of Blot.
pub struct BlotComputer {
    kind: BlotPlayerKind,
    workshop: CardTools,
}

/// How a player chooses its card.
enum CardChoice {
    Thumb(PlayerMemory),
    Worlds(CardEffort),
}

/// A part of the effort.
const fn part(method: WorldMethod, worlds: usize, until: f64, weight: f64) -> EffortPart {
    EffortPart { method, worlds, until, weight }
}

/// The parts of the effort of `cards`.
const CARDS_PARTS: EffortParts = {
    let mut parts = NO_PARTS;
    parts[6] = &[part(WorldMethod::Policy, 200, 0.4, 0.5), part(WorldMethod::Solved, 60, 1.0, 0.5)];
    parts[7] = &[part(WorldMethod::Policy, 300, 0.7, 0.7), part(WorldMethod::Thumb, 400, 1.0, 0.3)];
    parts[8] = &[part(WorldMethod::Policy, 300, 1.0, 1.0)];
    parts
};

/// One method for each number of cards.
const NO_PARTS: EffortParts = [&[]; 9];

/// The highest level.
const MASTER: CardEffort = CardEffort {
    aim: Aim::Result,
    infers: true,
    playouts: 400,
    solved: [0, 200, 200, 200, 200, 200, 120, 0, 0],
    parts: &NO_PARTS,
    choice: 8,
    batch: 32,
    trust: 0.7,
    calls: true,
};

/// The card play of the highest level for card points; the card policy plays worlds on.
const CARDS: CardEffort =
    CardEffort { aim: Aim::Cards, parts: &CARDS_PARTS, calls: false, ..MASTER };

/// The highest level of 27 November 2026, which did not weigh hands by the cards of their owners.
const MASTER_2026_11: CardEffort =
    CardEffort { batch: usize::MAX, choice: 4, trust: 0.0, ..MASTER };

/// No tricks are solved: every world is played out.
const PLAYED_OUT: [usize; 9] = [0; 9];

impl BlotPlayerKind {
    fn read(name: &str) -> Option<BlotPlayerKind> {
        if let Some(level) = ComputerLevel::read(name) {
            return Some(BlotPlayerKind::Level(level));
        }
        match name {
            "random" => Some(BlotPlayerKind::Random),
            "greedy" => Some(BlotPlayerKind::Greedy),
            "cards" => Some(BlotPlayerKind::Cards),
            "cards-2026-11" => Some(BlotPlayerKind::EarlierCards),
            "master-2026-11" => Some(BlotPlayerKind::EarlierMaster),
            _ => {
                let worlds = name.strip_prefix("playouts-")?.parse().ok()?;
                (1..=100_000).contains(&worlds).then_some(BlotPlayerKind::Playouts(worlds))
            }
        }
    }

    fn card_choice(self) -> CardChoice {
        let plain = |playouts: usize| CardEffort {
            aim: Aim::Cards,
            infers: false,
            playouts,
            solved: PLAYED_OUT,
            parts: &NO_PARTS,
            choice: 1,
            batch: usize::MAX,
            trust: 0.0,
            calls: true,
        };
        match self {
            BlotPlayerKind::Level(ComputerLevel::Beginner) => {
                CardChoice::Thumb(PlayerMemory::Table)
            }
            BlotPlayerKind::Level(ComputerLevel::Easy) => CardChoice::Thumb(PlayerMemory::Trick),
            BlotPlayerKind::Level(ComputerLevel::Medium) => {
                CardChoice::Worlds(CardEffort { aim: Aim::Result, ..plain(8) })
            }
            BlotPlayerKind::Level(ComputerLevel::Strong) => CardChoice::Worlds(CardEffort {
                aim: Aim::Result,
                infers: true,
                solved: [0, 20, 20, 20, 20, 0, 0, 0, 0],
                ..plain(60)
            }),
            BlotPlayerKind::Level(ComputerLevel::Master) => CardChoice::Worlds(MASTER),
            BlotPlayerKind::EarlierMaster => CardChoice::Worlds(MASTER_2026_11),
            BlotPlayerKind::EarlierCards => {
                CardChoice::Worlds(CardEffort { aim: Aim::Cards, choice: 1, ..MASTER_2026_11 })
            }
            BlotPlayerKind::Cards => CardChoice::Worlds(CARDS),
            BlotPlayerKind::Random | BlotPlayerKind::Greedy => CardChoice::Thumb(PlayerMemory::All),
            BlotPlayerKind::Playouts(worlds) => CardChoice::Worlds(plain(worlds)),
        }
    }
}

impl BlotComputer {
    /// The player with this name.
    pub fn new(name: &str) -> Option<Self> {
        Some(Self { kind: BlotPlayerKind::read(name)?, workshop: CardTools::default() })
    }

    fn choose_call(
        &self,
        question: &PlayerQuestion<'_, Blot>,
        own: &OwnHand,
        rng: &mut SeededRng,
    ) -> PlayerEvaluation<BlotAction> {
        let PlayerQuestion { view, actions, budget } = question;
        match self.kind {
            BlotPlayerKind::EarlierMaster => {
                auction::call(view, own, actions, ComputerLevel::Master, budget, rng)
            }
            BlotPlayerKind::Level(level) => auction::call(view, own, actions, level, budget, rng),
            BlotPlayerKind::Random => without_search(random_action(actions, rng)),
            BlotPlayerKind::Greedy
            | BlotPlayerKind::Playouts(_)
            | BlotPlayerKind::EarlierCards
            | BlotPlayerKind::Cards => {
                let calls =
                    [count::call(view, own, actions), AuctionCall::Pass].map(BlotAction::Call);
                let call = calls.into_iter().find(|call| actions.contains(call));
                without_search(call.unwrap_or(actions[0]))
            }
        }
    }

    /// Announces and shows combinations whenever it can; beginners sometimes forget.
    fn meld_action(
        &self,
        own: &OwnHand,
        actions: &[BlotAction],
        rng: &mut SeededRng,
    ) -> Option<BlotAction> {
        let forgets =
            self.kind == BlotPlayerKind::Level(ComputerLevel::Beginner) && rng.below(4) == 0;
        let action = own.meld_actions.iter().copied().find(|it| actions.contains(it))?;
        (!forgets || actions.len() == 1).then_some(action)
    }

    fn choose_card_or_meld(
        &mut self,
        question: &PlayerQuestion<'_, Blot>,
        own: &OwnHand,
        rng: &mut SeededRng,
    ) -> PlayerEvaluation<BlotAction> {
        let PlayerQuestion { view, actions, .. } = question;
        if let Some(action) = self.meld_action(own, actions, rng) {
            return without_search(action);
        }
        let cards = cards(actions);
        if cards.is_empty() || self.kind == BlotPlayerKind::Random {
            return without_search(random_action(actions, rng));
        }
        match self.kind.card_choice() {
            CardChoice::Thumb(memory) => {
                let card = heuristics::card(view, own, memory, rng);
                let action = card.filter(|card| cards.contains(card)).unwrap_or(cards[0]);
                without_search(BlotAction::Card(action))
            }
            CardChoice::Worlds(effort) => {
                let values = self.card_values(question, own, &cards, &effort, rng);
                evaluation_of(&values, &effort, &cards)
            }
        }
    }

    fn card_values(
        &mut self,
        question: &PlayerQuestion<'_, Blot>,
        own: &OwnHand,
        cards: &[Card],
        effort: &CardEffort,
        rng: &mut SeededRng,
    ) -> CardValues {
        let view = question.view;
        let model = Model::shipped();
        let house = view.options.house();
        let dealer = view.dealer.map_or(0, |dealer| dealer.0);
        let calls = view.calls.iter().map(|(seat, call)| (seat.0, *call));
        let listener = CallListener::new(model, dealer, calls, &house);
        let others = (1..4).map(|n| (own.seat.0 + n) & 3);
        let speakers: Vec<u8> = others.filter(|seat| listener.has_spoken(*seat)).collect();
        let weight = |dealt: &[u32; 4]| {
            let each = speakers.iter().map(|seat| (*seat, dealt[usize::from(*seat)]));
            each.map(|(seat, hand)| listener.weight(seat, hand)).product()
        };
        let now = MatchState { totals: view.totals, next: usize::from(dealer & 1) };
        let bidders = view.contract.map_or(0, |it| it.team());
        let chance = |points| f64::from(model.equity.after(&now, points, bidders, &house));
        let sense = CardEvidence {
            policy: &model.cards,
            weight: &weight,
            chance: &chance,
            whole: f64::from(POINTS),
        };
        let card_question = CardQuestion { view, own, cards, budget: question.budget };
        self.workshop.card_values(&card_question, effort, &sense, rng)
    }
}

/// The evaluation that follows from the values of all cards.
fn evaluation_of(
    values: &CardValues,
    effort: &CardEffort,
    cards: &[Card],
) -> PlayerEvaluation<BlotAction> {
    let Some(best) = values.best() else { return without_search(BlotAction::Card(cards[0])) };
    let worlds = values.worlds.max(1) as f64;
    let result = effort.aim == Aim::Result;
    let score = if result { best.points } else { best.worth };
    PlayerEvaluation {
        action: BlotAction::Card(best.card),
        score: (100.0 * score / worlds).round() as i32,
        chance: if result { (1000.0 * best.chance / worlds).round() as u16 } else { 500 },
        depth: 0,
        nodes: values.nodes,
        line: vec![BlotAction::Card(best.card)],
    }
}

fn cards(actions: &[BlotAction]) -> Vec<Card> {
    let card = |action: &BlotAction| match action {
        BlotAction::Card(card) => Some(*card),
        BlotAction::Call(_)
        | BlotAction::Announce
        | BlotAction::AnnounceOther
        | BlotAction::Show => None,
    };
    actions.iter().filter_map(card).collect()
}

fn random_action(actions: &[BlotAction], rng: &mut SeededRng) -> BlotAction {
    actions[rng.below(u32::try_from(actions.len()).unwrap_or(1)) as usize]
}

/// Wraps an action that was chosen without search.
fn without_search(action: BlotAction) -> PlayerEvaluation<BlotAction> {
    PlayerEvaluation { action, score: 0, chance: 500, depth: 0, nodes: 1, line: vec![action] }
}

impl Player<Blot> for BlotComputer {
    fn think(
        &mut self,
        question: &PlayerQuestion<'_, Blot>,
        entropy: &mut dyn Entropy,
        report: &mut dyn FnMut(&PlayerEvaluation<BlotAction>),
    ) -> PlayerEvaluation<BlotAction> {
        let mut rng = SeededRng::from_entropy(entropy);
        let evaluation = match &question.view.own {
            Some(own) if question.view.is_play() => {
                self.choose_card_or_meld(question, own, &mut rng)
            }
            Some(own) => self.choose_call(question, own, &mut rng),
            None => without_search(question.actions[0]),
        };
        report(&evaluation);
        evaluation
    }

    /// The chances after all cards; none for calls and combinations.
    fn action_chances(
        &mut self,
        question: &PlayerQuestion<'_, Blot>,
        entropy: &mut dyn Entropy,
    ) -> Vec<(BlotAction, u16)> {
        let cards = cards(question.actions);
        let choice = self.kind.card_choice();
        let own = question.view.own.as_ref().filter(|_| question.view.is_play());
        let (Some(own), CardChoice::Worlds(effort)) = (own, choice) else { return Vec::new() };
        if effort.aim != Aim::Result || cards.len() < question.actions.len() {
            return Vec::new();
        }
        let mut rng = SeededRng::from_entropy(entropy);
        let values = self.card_values(question, own, &cards, &effort, &mut rng);
        let worlds = values.worlds.max(1) as f64;
        let chance = |it: &CardValue| (1000.0 * it.chance / worlds).round() as u16;
        values.all.iter().map(|it| (BlotAction::Card(it.card), chance(it))).collect()
    }

    fn forget(&mut self) {
        self.workshop.solver.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::super::learn::cards::play_deal;
    use super::*;

    #[test]
    fn the_upper_levels_play_all_cards_of_a_round_and_again_the_same() {
        for name in ["master", "cards", "cards-2026-11"] {
            for seed in 0..3 {
                let play = || play_deal(name, 500, &mut SeededRng::new(seed));
                let cards = play().map(|it| it.cards);
                assert_eq!(cards.as_ref().map(Vec::len), Some(32), "{name}");
                assert_eq!(play().map(|it| it.cards), cards, "{name}");
            }
        }
    }
}
