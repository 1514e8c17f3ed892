//! Scores the end of a round by the rules of the game, never by card points alone.

use super::super::auction::Contract;
use super::super::card::Trump;
use super::super::melds::{Melds, counting_team};
use super::super::options::House;
use super::super::round::blots;
use super::super::score::{RoundResult, score};
use super::super::view::{AnnouncedMelds, BlotView, may_show_late};
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

/// The public data that the score of a round depends on.
#[derive(Clone, Debug)]
pub struct Stakes<'a> {
    view: &'a BlotView,
    house: House,
    /// The contract.
    pub contract: Contract,
    /// The seat that is first in turn among equal combinations.
    first: u8,
}

impl<'a> Stakes<'a> {
    /// The stakes of a round with a contract.
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

    /// The points of these hands, as they were dealt, besides cards.
    pub fn outside(&self, dealt: &[u32; 4]) -> Outside {
        let mut outside = Outside { melds: [0; 2], blot: blots(dealt, self.trump()) };
        let settled = self.view.tricks.len() >= usize::from(self.house.last_showing_card());
        match self.view.counting {
            Some((team, points)) => outside.melds[usize::from(team & 1)] = points,
            None if settled => {}
            None => outside.melds = self.melds(dealt),
        }
        outside
    }

    /// The points of the combinations that will count: those that were announced and shown, or
    /// still can be.
    fn melds(&self, dealt: &[u32; 4]) -> [u8; 2] {
        let trump = self.trump();
        let has_played = |seat: usize| self.view.cards_left[seat] < 8;
        let owed = self.view.announced_melds.each_ref().map(AnnouncedMelds::is_owed);
        let is_too_late = |seat: usize| match self.view.cards_left[seat] {
            7.. => false,
            6 => !may_show_late(owed, seat),
            _ => true,
        };
        let melds = [0, 1, 2, 3].map(|seat| {
            let announced = &self.view.announced_melds[seat];
            let not_announced = has_played(seat) && announced.kinds.is_empty();
            let not_shown = is_too_late(seat) && announced.melds.is_empty();
            if self.house.manual_melds && (not_announced || not_shown) {
                return Melds::default();
            }
            let best = Melds::best(dealt[seat], trump, &self.house);
            let is_same =
                announced.melds.is_empty() || best.iter().eq(announced.melds.iter().copied());
            if is_same { best } else { Melds::other(dealt[seat], trump, &self.house) }
        });
        let mut points = [0; 2];
        if let Some(team) = counting_team(melds.each_ref(), self.first, trump) {
            let value = |seat: usize| melds[seat].value(trump, &self.house);
            points[team] = value(team) + value(team + 2);
        }
        points
    }

    /// Match points of both sides, as on the score sheet.
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

/// The result of a round in which the solver gives side 0 this value.
pub fn outcome_of(value: i16) -> PlayoutOutcome {
    match value {
        SWEEP => PlayoutOutcome { points: [ALL, 0], taken: [8, 0] },
        NONE => PlayoutOutcome { points: [0, ALL], taken: [0, 8] },
        _ => PlayoutOutcome { points: [value, ALL - value], taken: [1, 7] },
    }
}
