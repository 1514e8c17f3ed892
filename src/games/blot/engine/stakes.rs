//! What the end of a round is worth: the game's own score of it, never card points alone.

use super::super::auction::Contract;
use super::super::card::Trump;
use super::super::melds::{Melds, counting_team};
use super::super::options::House;
use super::super::round::blots;
use super::super::score::{RoundResult, score};
use super::super::view::BlotView;
use super::playouts::PlayoutOutcome;
use super::solver::{ALL, NONE, SWEEP};

/// Combinations and blot-reblots of both sides in one world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outside {
    /// Combinations that count.
    pub melds: [u8; 2],
    /// Blot-reblots.
    pub blot: [u8; 2],
}

/// What everybody sees of the stakes of a round.
#[derive(Clone, Debug)]
pub struct Stakes<'a> {
    view: &'a BlotView,
    house: House,
    /// What is played.
    pub contract: Contract,
    /// Who is first in turn among equal combinations.
    first: u8,
}

impl<'a> Stakes<'a> {
    /// Of a round whose contract is settled.
    pub fn new(view: &'a BlotView, contract: Contract) -> Self {
        let house = view.options.house();
        let leader = view.dealer.map_or(0, |dealer| (dealer.0 + 1) & 3);
        let second = view.tricks.first().map_or(leader, |trick| trick.winner);
        let first = if house.tie_trick2 { second } else { leader };
        Self { view, house, contract, first }
    }

    /// The house rules.
    pub fn house(&self) -> &House {
        &self.house
    }

    fn trump(&self) -> Trump {
        self.contract.bid.trump
    }

    /// What these hands, as they were dealt, bring besides cards.
    pub fn outside(&self, dealt: &[u32; 4]) -> Outside {
        let mut outside = Outside { melds: [0; 2], blot: blots(dealt, self.trump()) };
        let settled = self.view.tricks.len() >= 2;
        match self.view.counting {
            Some((team, points)) => outside.melds[usize::from(team & 1)] = points,
            None if settled => {}
            None => outside.melds = self.melds(dealt),
        }
        outside
    }

    /// The combinations that will count: those of everybody who has announced them, shown them
    /// and still can.
    fn melds(&self, dealt: &[u32; 4]) -> [u8; 2] {
        let trump = self.trump();
        let put = |seat: usize| self.view.cards_left[seat] < 8;
        let put_two = |seat: usize| self.view.cards_left[seat] < 7;
        let held = [0, 1, 2, 3].map(|seat| {
            let told = &self.view.told[seat];
            let kept_back = put(seat) && told.kinds.is_empty();
            let not_shown = put_two(seat) && told.melds.is_empty();
            if self.house.manual_melds && (kept_back || not_shown) {
                return Melds::default();
            }
            let best = Melds::best(dealt[seat], trump, &self.house);
            let same = told.melds.is_empty() || best.iter().eq(told.melds.iter().copied());
            if same { best } else { Melds::other(dealt[seat], trump, &self.house) }
        });
        let mut points = [0; 2];
        if let Some(team) = counting_team(held.each_ref(), self.first, trump) {
            let value = |seat: usize| held[seat].value(trump, &self.house);
            points[team] = value(team) + value(team + 2);
        }
        points
    }

    /// Points of both sides for the match, as the score sheet will have them.
    pub fn points(&self, outcome: &PlayoutOutcome, outside: &Outside) -> [u16; 2] {
        let played = RoundResult {
            contract: self.contract,
            cards: outcome.points.map(|it| u16::try_from(it).unwrap_or(0)),
            tricks: outcome.taken,
            melds: outside.melds,
            blot: outside.blot,
        };
        score(&played, &self.house).map_or([0; 2], |score| score.points)
    }
}

/// The end of a round of which the solver says that side 0 has so much.
pub fn outcome_of(value: i16) -> PlayoutOutcome {
    match value {
        SWEEP => PlayoutOutcome { points: [ALL, 0], taken: [8, 0] },
        NONE => PlayoutOutcome { points: [0, ALL], taken: [0, 8] },
        _ => PlayoutOutcome { points: [value, ALL - value], taken: [1, 7] },
    }
}
