//! Computes the chance to win the match from a score, which is the real value of a round.
//!
//! The table has the chance of the side that calls first in the next round, by the points that both
//! sides still need. It was computed backwards from the end of the match, with the results of
//! rounds that the program bid with itself. The chances of both sides add up to one, so only one is
//! stored. Matches to 101 or 151 points use the end of the table for 301.

use super::super::options::House;
use super::super::score::winner;
use super::super::view::BlotView;
use super::auction::model::Model;

/// Number of points between two lines of the table.
pub const STEP: usize = 5;
/// Number of lines of the table: 1 to 301 points needed.
pub const LINES: usize = 61;
/// The most points needed.
pub const MOST: usize = 301;
/// The value of the whole match in match points: near the start of a match, one point of a round
/// changes the chance by about 1 / 240.
pub const POINTS: f32 = 240.0;

/// The chance of the side that calls first, by the points that it and the other side need.
#[derive(Clone, Debug, PartialEq)]
pub struct Equity {
    chances: Vec<f32>,
}

/// Match points of a round: of the side that called first and of the other.
pub type RoundPoints = [u16; 2];

impl Equity {
    /// Computes the table from results of rounds and their probabilities; `0:0` is a round without
    /// a contract.
    pub fn new(results: &[(RoundPoints, f32)]) -> Self {
        let redealt: f32 = results.iter().filter(|it| it.0 == [0, 0]).map(|it| it.1).sum();
        let mut full = vec![0.5f32; (MOST + 1) * (MOST + 1)];
        let at = |a: usize, b: usize| a * (MOST + 1) + b;
        for sum in 2..=2 * MOST {
            let from = sum.saturating_sub(MOST).max(1);
            for a in from..=sum / 2 {
                let b = sum - a;
                let played = |needs: [usize; 2]| -> f32 {
                    let scored = results.iter().filter(|it| it.0 != [0, 0]);
                    let chance = |result: &RoundPoints| after(&full, needs, *result);
                    scored.map(|(result, share)| share * chance(result)).sum()
                };
                let first = played([a, b]);
                let second = played([b, a]);
                // A redeal swaps the sides: E = first + redealt (1 - E').
                let solve = |own: f32, other: f32| {
                    (own + redealt * (1.0 - other - redealt)) / (1.0 - redealt * redealt)
                };
                let own = solve(first, second);
                let other = solve(second, first);
                full[at(a, b)] = own;
                full[at(b, a)] = other;
            }
        }
        let line = |n: usize| 1 + STEP * n;
        let cells = (0..LINES).flat_map(|a| (0..LINES).map(move |b| (a, b)));
        Self { chances: cells.map(|(a, b)| full[at(line(a), line(b))]).collect() }
    }

    /// Writes the table as bytes, sixteen bits for each chance.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        for chance in &self.chances {
            bytes.extend(((chance * 65535.0).round() as u16).to_le_bytes());
        }
    }

    /// Reads what [`Equity::write`] writes.
    pub fn read_from(bytes: &mut &[u8]) -> Option<Self> {
        let (own, rest) = bytes.split_at_checked(2 * LINES * LINES)?;
        *bytes = rest;
        let chance = |pair: &[u8]| f32::from(u16::from_le_bytes([pair[0], pair[1]])) / 65535.0;
        Some(Self { chances: own.chunks_exact(2).map(chance).collect() })
    }

    /// The chance of the side that calls first, while both sides still need points.
    fn first(&self, needs: [f32; 2]) -> f32 {
        let place = needs.map(|need| {
            let place = ((need - 1.0) / STEP as f32).clamp(0.0, (LINES - 1) as f32);
            let line = (place as usize).min(LINES - 2);
            (line, place - line as f32)
        });
        let [(a, to_a), (b, to_b)] = place;
        let at = |a: usize, b: usize| self.chances[a * LINES + b];
        let low = at(a, b) * (1.0 - to_b) + at(a, b + 1) * to_b;
        let high = at(a + 1, b) * (1.0 - to_b) + at(a + 1, b + 1) * to_b;
        low * (1.0 - to_a) + high * to_a
    }

    /// The chance of side 0 with these totals, before a round in which the side `first_caller`
    /// calls first.
    pub fn chance(&self, totals: [u16; 2], first_caller: usize, house: &House) -> f32 {
        let needs = totals.map(|total| f32::from(house.target) - f32::from(total));
        // The match goes on over the target only with equal totals.
        let needs = if needs[0] <= 0.0 && needs[1] <= 0.0 { [1.0, 1.0] } else { needs };
        match first_caller {
            0 => self.first(needs),
            _ => 1.0 - self.first([needs[1], needs[0]]),
        }
    }

    /// The chance of side 0 after a round with these points, bid by the side `bidders`.
    pub fn after(
        &self,
        match_: &MatchState,
        points: [u16; 2],
        bidders: usize,
        house: &House,
    ) -> f32 {
        let totals = [0, 1].map(|side| match_.totals[side] + points[side]);
        match winner(totals, bidders, house) {
            Some(0) => 1.0,
            Some(_) => 0.0,
            None => self.chance(totals, match_.next, house),
        }
    }
}

impl MatchState {
    /// The state of the match in this view.
    pub fn from_view(view: &BlotView) -> Self {
        let dealer = view.dealer.map_or(0, |seat| seat.0);
        Self { totals: view.totals, next: usize::from(dealer & 1) }
    }

    /// The value of a scored round for a side: its chance to win the match afterwards, times
    /// [`POINTS`], so that early in a match differences are about match points.
    pub fn worth(&self, points: [u16; 2], bidders: usize, side: usize, house: &House) -> f32 {
        let chance = Model::shipped().equity.after(self, points, bidders, house);
        POINTS * if side == 0 { chance } else { 1.0 - chance }
    }
}

/// The state of a match during a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchState {
    /// Points of both sides before the round.
    pub totals: [u16; 2],
    /// The side that calls first in the next round.
    pub next: usize,
}

fn after(full: &[f32], needs: [usize; 2], result: RoundPoints) -> f32 {
    let left = [0, 1].map(|side| needs[side] as i32 - i32::from(result[side]));
    match (left[0] <= 0, left[1] <= 0) {
        (true, true) if left[0] == left[1] => 0.5,
        (true, true) => f32::from(u8::from(left[0] < left[1])),
        (true, false) => 1.0,
        (false, true) => 0.0,
        (false, false) => 1.0 - full[left[1] as usize * (MOST + 1) + left[0] as usize],
    }
}
