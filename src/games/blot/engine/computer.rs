//! The players by name: five levels, and opponents to measure them against.

use super::super::action::Action;
use super::super::auction::Call;
use super::super::card::Card;
use super::super::rules::Blot;
use super::super::view::Own;
use super::auction;
use super::auction::listen::Listener;
use super::auction::model::Model;
use super::count;
use super::equity::{Match, POINTS};
use super::play::{Aim, Asked, Effort, Promises, Sense, Workshop};
use super::thumb::{self, Memory};
use crate::rules::Entropy;
use crate::search::{Level, Numbers, Player, Question, Thought};

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Level(Level),
    Random,
    Greedy,
    Playouts(usize),
    /// The cards of the highest level for card points, after the calls of `greedy`.
    Cards,
}

/// A computer player of Blot.
pub struct Computer {
    kind: Kind,
    workshop: Workshop,
}

/// How a player finds its card.
enum Way {
    Thumb(Memory),
    Worlds(Effort),
}

/// The highest level.
const MASTER: Effort = Effort {
    aim: Aim::Result,
    infers: true,
    playouts: 400,
    solved: [0, 200, 200, 200, 200, 200, 120, 0, 0],
    choice: 4,
};

/// No tricks are solved.
const PLAYED_OUT: [usize; 9] = [0; 9];

impl Kind {
    fn read(name: &str) -> Option<Kind> {
        if let Some(level) = Level::read(name) {
            return Some(Kind::Level(level));
        }
        match name {
            "random" => Some(Kind::Random),
            "greedy" => Some(Kind::Greedy),
            "cards" => Some(Kind::Cards),
            _ => {
                let worlds = name.strip_prefix("playouts-")?.parse().ok()?;
                (1..=100_000).contains(&worlds).then_some(Kind::Playouts(worlds))
            }
        }
    }

    fn way(self) -> Way {
        let plain = |playouts: usize| Effort {
            aim: Aim::Cards,
            infers: false,
            playouts,
            solved: PLAYED_OUT,
            choice: 1,
        };
        match self {
            Kind::Level(Level::Beginner) => Way::Thumb(Memory::Table),
            Kind::Level(Level::Easy) => Way::Thumb(Memory::Trick),
            Kind::Level(Level::Medium) => Way::Worlds(Effort { aim: Aim::Result, ..plain(8) }),
            Kind::Level(Level::Strong) => Way::Worlds(Effort {
                aim: Aim::Result,
                infers: true,
                playouts: 60,
                solved: [0, 20, 20, 20, 20, 0, 0, 0, 0],
                choice: 1,
            }),
            Kind::Level(Level::Master) => Way::Worlds(MASTER),
            Kind::Cards => Way::Worlds(Effort { aim: Aim::Cards, choice: 1, ..MASTER }),
            Kind::Random | Kind::Greedy => Way::Thumb(Memory::All),
            Kind::Playouts(worlds) => Way::Worlds(plain(worlds)),
        }
    }
}

impl Computer {
    /// The player of this name.
    pub fn new(name: &str) -> Option<Self> {
        Some(Self { kind: Kind::read(name)?, workshop: Workshop::default() })
    }

    fn say(
        &self,
        question: &Question<'_, Blot>,
        own: &Own,
        numbers: &mut Numbers,
    ) -> Thought<Action> {
        let Question { view, actions, budget } = question;
        match self.kind {
            Kind::Level(level) => auction::call(view, own, actions, level, budget, numbers),
            Kind::Random => sure(any(actions, numbers)),
            Kind::Greedy | Kind::Playouts(_) | Kind::Cards => {
                let calls = [count::call(view, own, actions), Call::Pass].map(Action::Call);
                let call = calls.into_iter().find(|call| actions.contains(call));
                sure(call.unwrap_or(actions[0]))
            }
        }
    }

    /// Announces and shows whenever it can, but for those who forget.
    fn speak(&self, own: &Own, actions: &[Action], numbers: &mut Numbers) -> Option<Action> {
        let forgets = self.kind == Kind::Level(Level::Beginner) && numbers.below(4) == 0;
        let speak = own.meld_actions.iter().copied().find(|it| actions.contains(it))?;
        (!forgets || actions.len() == 1).then_some(speak)
    }

    fn put(
        &mut self,
        question: &Question<'_, Blot>,
        own: &Own,
        numbers: &mut Numbers,
    ) -> Thought<Action> {
        let Question { view, actions, .. } = question;
        if let Some(speak) = self.speak(own, actions, numbers) {
            return sure(speak);
        }
        let cards = cards(actions);
        if cards.is_empty() || self.kind == Kind::Random {
            return sure(any(actions, numbers));
        }
        match self.kind.way() {
            Way::Thumb(memory) => {
                let card = thumb::card(view, own, memory, numbers);
                let action = card.filter(|card| cards.contains(card)).unwrap_or(cards[0]);
                sure(Action::Card(action))
            }
            Way::Worlds(effort) => self.by_worlds(question, own, &cards, &effort, numbers),
        }
    }

    fn by_worlds(
        &mut self,
        question: &Question<'_, Blot>,
        own: &Own,
        cards: &[Card],
        effort: &Effort,
        numbers: &mut Numbers,
    ) -> Thought<Action> {
        let view = question.view;
        let model = Model::shipped();
        let house = view.options.house();
        let dealer = view.dealer.map_or(0, |dealer| dealer.0);
        let calls = view.calls.iter().map(|(seat, call)| (seat.0, *call));
        let listener = Listener::new(model, dealer, calls, &house);
        let others = (1..4).map(|n| (own.seat.0 + n) & 3);
        let speakers: Vec<u8> = others.filter(|seat| listener.has_spoken(*seat)).collect();
        let weight = |dealt: &[u32; 4]| {
            let each = speakers.iter().map(|seat| (*seat, dealt[usize::from(*seat)]));
            each.map(|(seat, hand)| listener.weight(seat, hand)).product()
        };
        let now = Match { totals: view.totals, next: usize::from(dealer & 1) };
        let bidders = view.contract.map_or(0, |it| it.team());
        let chance = |points| f64::from(model.equity.after(&now, points, bidders, &house));
        let sense = Sense { weight: &weight, chance: &chance, whole: f64::from(POINTS) };
        let asked = Asked { view, own, cards, budget: question.budget };
        let promises = self.workshop.promises(&asked, effort, &sense, numbers);
        thought(&promises, effort, cards)
    }
}

/// What is thought after looking at worlds.
fn thought(promises: &Promises, effort: &Effort, cards: &[Card]) -> Thought<Action> {
    let Some(best) = promises.best() else { return sure(Action::Card(cards[0])) };
    let worlds = promises.worlds.max(1) as f64;
    let result = effort.aim == Aim::Result;
    let score = if result { best.points } else { best.worth };
    Thought {
        action: Action::Card(best.card),
        score: (100.0 * score / worlds).round() as i32,
        chance: if result { (1000.0 * best.chance / worlds).round() as u16 } else { 500 },
        depth: 0,
        nodes: promises.nodes,
        line: vec![Action::Card(best.card)],
    }
}

fn cards(actions: &[Action]) -> Vec<Card> {
    let card = |action: &Action| match action {
        Action::Card(card) => Some(*card),
        Action::Call(_) | Action::Announce | Action::AnnounceOther | Action::Show => None,
    };
    actions.iter().filter_map(card).collect()
}

fn any(actions: &[Action], numbers: &mut Numbers) -> Action {
    actions[numbers.below(u32::try_from(actions.len()).unwrap_or(1)) as usize]
}

/// An action without a thought behind it.
fn sure(action: Action) -> Thought<Action> {
    Thought { action, score: 0, chance: 500, depth: 0, nodes: 1, line: vec![action] }
}

impl Player<Blot> for Computer {
    fn think(
        &mut self,
        question: &Question<'_, Blot>,
        entropy: &mut dyn Entropy,
        tell: &mut dyn FnMut(&Thought<Action>),
    ) -> Thought<Action> {
        let mut numbers = Numbers::from_entropy(entropy);
        let thought = match &question.view.own {
            Some(own) if question.view.is_play() => self.put(question, own, &mut numbers),
            Some(own) => self.say(question, own, &mut numbers),
            None => sure(question.actions[0]),
        };
        tell(&thought);
        thought
    }

    fn forget(&mut self) {
        self.workshop.solver.forget();
    }
}
