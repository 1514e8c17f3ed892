//! Tells how much of a result came from luck and how much from play.
//!
//! The chance to win of a side begins at an equal share and ends at 1 or 0. The changes in between
//! are added up: the decisions that were worse than the best one, as an engine judges them by what
//! the seat could know, and everything else, which is luck: dice, the deal, and cards that lay
//! better or worse than could be expected. In backgammon the same sums are known as luck analysis.
//!
//! The sums are estimates: each verdict is one.

use serde::{Deserialize, Serialize};

use crate::play_quality::NORMAL_95;

/// All chances together, in thousandths.
const CERTAIN: i32 = 1000;

/// How a side came to its result, in thousandths of the chance to win:
/// `start - own_mistakes + others_mistakes + luck = result`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultShare {
    /// The seats of the side.
    pub seats: Vec<u8>,
    /// The chance before the first step.
    pub start: i32,
    /// The loss by the side's own decisions.
    pub own_mistakes: i32,
    /// The gain by decisions of others: where there are several others, an equal share of what each
    /// has lost.
    pub others_mistakes: i32,
    /// The gain by luck, or the loss if it is negative.
    pub luck: i32,
    /// The chance at the end: 1000 for the winner.
    pub result: i32,
}

/// The luck of a person in several games, in thousandths of won games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LuckSum {
    /// The number of games.
    pub games: u32,
    /// The games won, where winners who share a game have a part of it each.
    pub won: i64,
    /// The gain by luck in all games together, or the loss if it is negative.
    pub luck: i64,
    /// The sum of the squares of what luck was in each game.
    squares: i64,
}

impl LuckSum {
    /// Adds a game that the person has played on this seat; nothing if its luck is not known.
    pub fn add(&mut self, game: &[ResultShare], seat: u8) {
        let Some(own) = game.iter().find(|it| it.seats.contains(&seat)) else { return };
        let luck = i64::from(own.luck);
        self.games += 1;
        self.won += i64::from(own.result);
        self.luck += luck;
        self.squares += luck * luck;
    }

    /// How far from zero the sum stays in 19 of 20 such series of games: fair luck is zero on
    /// average, and that of one game says nothing about the next.
    pub fn usual_limit(&self) -> i64 {
        (NORMAL_95 * (self.squares as f64).sqrt()).round() as i64
    }
}

/// How each side came to its result. `sides`: the seats of each side; `mistakes`: what each side
/// has lost by its own decisions, in thousandths; `scores`: the final scores by seat, the highest
/// wins.
pub fn result_shares(sides: &[Vec<u8>], mistakes: &[i32], scores: &[i32]) -> Vec<ResultShare> {
    let results = final_chances(sides, scores);
    let others = i32::try_from(sides.len()).unwrap_or(i32::MAX).saturating_sub(1);
    let all: i32 = mistakes.iter().sum();
    let share = |((seats, own_mistakes), result): ((&Vec<u8>, &i32), &i32)| {
        let start = CERTAIN / (others + 1);
        let others_mistakes = (all - own_mistakes) / others.max(1);
        let luck = result - start + own_mistakes - others_mistakes;
        ResultShare {
            seats: seats.clone(),
            start,
            own_mistakes: *own_mistakes,
            others_mistakes,
            luck,
            result: *result,
        }
    };
    sides.iter().zip(mistakes).zip(&results).map(share).collect()
}

/// The chance of each side at the end, in thousandths: winners share it. `sides`: the seats of each
/// side; `scores`: the final scores by seat, the highest wins.
pub fn final_chances(sides: &[Vec<u8>], scores: &[i32]) -> Vec<i32> {
    let best = scores.iter().max();
    let has_won = |side: &Vec<u8>| side.iter().any(|it| scores.get(usize::from(*it)) == best);
    let winners = sides.iter().filter(|it| has_won(it)).count().max(1) as i32;
    sides.iter().map(|it| if has_won(it) { CERTAIN / winners } else { 0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_luck_of_two_sides_adds_up_to_zero() {
        let sides = [vec![0, 2], vec![1, 3]];
        let shares = result_shares(&sides, &[40, 120], &[31, 20, 31, 20]);
        assert_eq!([shares[0].result, shares[1].result], [1000, 0]);
        let parts = |it: &ResultShare| (it.own_mistakes, it.others_mistakes, it.luck);
        assert_eq!(parts(&shares[0]), (40, 120, 420));
        assert_eq!(parts(&shares[1]), (120, 40, -420));
    }

    #[test]
    fn luck_adds_up_over_games() {
        let sides = [vec![0, 2], vec![1, 3]];
        let mut sum = LuckSum::default();
        sum.add(&result_shares(&sides, &[40, 120], &[31, 20, 31, 20]), 2);
        sum.add(&result_shares(&sides, &[80, 60], &[31, 20, 31, 20]), 1);
        sum.add(&[], 1);
        // 42 hundredths for the winners of the first game, 52 against the losers of the second.
        assert_eq!((sum.games, sum.won, sum.luck), (2, 1000, 420 - 520));
        assert_eq!(sum.usual_limit(), (1.96 * 420.0_f64.hypot(520.0)).round() as i64);
        assert_eq!(LuckSum::default().usual_limit(), 0);
    }

    #[test]
    fn the_parts_of_a_result_add_up() {
        let sides: Vec<Vec<u8>> = (0..3).map(|it| vec![it]).collect();
        let shares = result_shares(&sides, &[10, 20, 33], &[5, 9, 9]);
        assert_eq!(shares.iter().map(|it| it.result).collect::<Vec<_>>(), [0, 500, 500]);
        for it in shares {
            let sum = it.start - it.own_mistakes + it.others_mistakes + it.luck;
            assert_eq!(sum, it.result);
        }
    }
}
