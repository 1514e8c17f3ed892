//! Results and random numbers for tests.

use std::collections::BTreeMap;

use caravanserai_games::GameId;
use caravanserai_games::ids::{PersonId, TableId};
pub(crate) use caravanserai_games::time_units::MINUTE_MS;

use crate::game_result::{GameResult, SeatResult};
use crate::gaussian::GaussianRating;
use crate::glicko::GlickoRating;
use crate::rate::{RatedResult, ScopeRecords, rate_result};
use crate::rating::Rating;
use crate::rating_scope::RatingScope;

/// When the games of tests begin: 25 November 2026.
pub(crate) const START_MS: u64 = 1_795_600_000_000;

/// A game of half an hour and 100 steps with these people and scores.
pub(crate) fn game(seats: &[(&str, i32)]) -> GameResult {
    let seat = |(person, score): &(&str, i32)| SeatResult {
        person: PersonId((*person).to_owned()),
        name: (*person).to_uppercase(),
        is_computer: false,
        level: None,
        score: *score,
        counts: BTreeMap::new(),
        known_since_ms: Some(1),
        is_absent: false,
    };
    GameResult {
        table: TableId("abc1234".to_owned()),
        game: "togyz".to_owned(),
        options: String::new(),
        started_ms: START_MS,
        ended_ms: START_MS + 30 * MINUTE_MS,
        chat: "tg:-5".to_owned(),
        clock: String::new(),
        end_reason: "done".to_owned(),
        seat_at_fault: None,
        seats: seats.iter().map(seat).collect(),
        partners: false,
        rounds: Vec::new(),
        steps: 100,
        opening: "1 2 3".to_owned(),
        leavers: Vec::new(),
        casual: Vec::new(),
        pair_limit: None,
    }
}

/// Gives this seat to a computer.
pub(crate) fn seat_computer(result: &mut GameResult, seat: usize, level: &str) {
    result.seats[seat].person = PersonId(format!("computer:{level}"));
    result.seats[seat].is_computer = true;
    result.seats[seat].level = Some(level.to_owned());
}

/// Repeatable random numbers (SplitMix64).
pub(crate) struct TestRandom(pub(crate) u64);

impl TestRandom {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A game of partners with the scores of both pairs.
pub fn partners(scores: [i32; 2]) -> GameResult {
    let [one, other] = scores;
    let mut result = game(&[("a", one), ("b", other), ("c", one), ("d", other)]);
    let of_partners = GameId::all().iter().map(|it| it.info()).find(|it| it.partners);
    result.game = of_partners.expect("one is for partners").code.to_owned();
    result.partners = true;
    result
}

/// No computer has a fixed rating.
pub(crate) fn no_computer(_level: &str) -> Option<Rating> {
    None
}

/// The fixed rating of *strong* in lists for two.
pub(crate) fn glicko_computer(level: &str) -> Option<Rating> {
    let rating = GlickoRating { rating: 1800.0, deviation: 60.0, volatility: 0.06 };
    (level == "strong").then_some(Rating::Glicko(rating))
}

/// The fixed rating of every computer in other lists.
pub(crate) fn gaussian_computer(_level: &str) -> Option<Rating> {
    Some(Rating::Gaussian(GaussianRating { mu: 27.0, sigma: 2.0 }))
}

/// The records of a game of newcomers in one scope.
pub(crate) fn newcomers() -> [ScopeRecords; 1] {
    [ScopeRecords { scope: RatingScope::OVERALL, by_seat: Vec::new(), leavers: Vec::new() }]
}

/// Rates a game of newcomers.
pub(crate) fn rate_newcomers(result: &GameResult) -> RatedResult {
    rate_result(result, &mut newcomers(), &no_computer)
}

/// The changes of displayed ratings, in the order of the changed records.
pub(crate) fn changes(rated: &RatedResult) -> Vec<i32> {
    rated.changes.iter().map(|it| it.rating_change).collect()
}
