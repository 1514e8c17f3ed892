//! Computes shares, confidence intervals and Elo ratings.
//!
//! Means are taken over *units*: all games from one start, with the seats exchanged. Games of one
//! unit depend on each other, so the spread is taken between units, never between games.

/// Two-sided 95 % of the normal distribution.
const NORMAL_95: f64 = 1.959_964;

/// A mean with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanEstimate {
    /// The mean.
    pub value: f64,
    /// Its standard error; 0 for a single value.
    pub error: f64,
    /// The number of values.
    pub count: usize,
}

impl MeanEstimate {
    /// The mean of independent values.
    pub fn from_values(values: &[f64]) -> Self {
        let count = values.len();
        let n = count.max(1) as f64;
        let value = values.iter().sum::<f64>() / n;
        let spread: f64 = values.iter().map(|it| (it - value).powi(2)).sum();
        let error = if count > 1 { (spread / (n - 1.0) / n).sqrt() } else { 0.0 };
        Self { value, error, count }
    }

    /// The 95 % confidence interval of a mean of shares between 0 and 1. If all shares are equal
    /// (all or nothing won, every opening shared), there is no spread to estimate from; the
    /// interval is then Wilson's (1927).
    pub fn confidence_interval(&self) -> (f64, f64) {
        let Self { value, error, count } = *self;
        let around = |middle: f64, half: f64| ((middle - half).max(0.0), (middle + half).min(1.0));
        if error > 0.0 {
            return around(value, NORMAL_95 * error);
        }
        let n = count.max(1) as f64;
        let value = value.clamp(0.0, 1.0);
        let middle =
            (value + NORMAL_95 * NORMAL_95 / (2.0 * n)) / (1.0 + NORMAL_95 * NORMAL_95 / n);
        let spread = value * (1.0 - value) / n + NORMAL_95 * NORMAL_95 / (4.0 * n * n);
        around(middle, NORMAL_95 / (1.0 + NORMAL_95 * NORMAL_95 / n) * spread.sqrt())
    }
}

/// The Elo difference at which one side wins this share against this many equal opponents: with one
/// opponent the usual logistic curve, with more that of Plackett and Luce. Infinite at the ends.
pub fn elo_difference(share: f64, others: usize) -> f64 {
    400.0 * (share * others as f64 / (1.0 - share)).log10()
}

/// The share of a side that is this much better than one opponent.
pub fn share_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

/// A pairing of two players and its result.
#[derive(Clone, Copy, Debug)]
pub struct ArenaPairing {
    /// Indexes into the list of players.
    pub players: [usize; 2],
    /// The share of the first, over units.
    pub share: MeanEstimate,
    /// The number of games.
    pub games: usize,
    /// The number of seats of the second player in a game where the first has one; 1 for two sides.
    pub others: usize,
}

/// The Elo of every player with its standard error, the first player fixed at 0: the maximum of the
/// likelihood of Bradley and Terry (1952). With more than two seats it is that of Plackett and
/// Luce for the winner alone, the model by which such games are rated: the game ends with the first
/// place, so the others have no order.
///
/// Errors are those of the sandwich estimate, from the spread between units; see `counted_share`
/// for pairings in which one player won all games.
pub fn estimate_ratings(players: usize, pairings: &[ArenaPairing]) -> Vec<MeanEstimate> {
    let share = |it: &ArenaPairing| counted_share(pairings, it);
    let mut logits = vec![0.0; players];
    let mut curve = Matrix::zero(players);
    let mut spread = Matrix::zero(players);
    for _ in 0..100 {
        curve = Matrix::zero(players);
        spread = Matrix::zero(players);
        let mut slope = vec![0.0; players];
        for it in pairings {
            let [a, b] = it.players;
            let games = it.games as f64;
            let share = share(it);
            let chance = winning_chance(logits[a] - logits[b], it.others);
            let surprise = games * (share.value - chance);
            slope[a] += surprise;
            slope[b] -= surprise;
            curve.add_comparison(it.players, games * chance * (1.0 - chance));
            spread.add_comparison(it.players, (games * share.error).powi(2));
        }
        let step = curve.inverse_without_first().times(&slope);
        // Newton's step, limited in length far from the maximum.
        let longest = step.iter().fold(1.0f64, |longest, it| longest.max(it.abs()));
        logits.iter_mut().zip(&step).for_each(|(logit, step)| *logit += step / longest);
        if step.iter().all(|it| it.abs() < 1e-10) {
            break;
        }
    }
    let inverse = curve.inverse_without_first();
    let errors = inverse.product(&spread).product(&inverse);
    let scale = 400.0 / std::f64::consts::LN_10;
    let games = |player: usize| -> usize {
        pairings.iter().filter(|it| it.players.contains(&player)).map(|it| it.games).sum()
    };
    let rating = |player: usize| MeanEstimate {
        value: scale * logits[player],
        error: scale * errors.rows[player][player].max(0.0).sqrt(),
        count: games(player),
    };
    (0..players).map(rating).collect()
}

/// The share of a pairing that counts for ratings. If one player won all games, no rating is high
/// enough for it. Half a game is then counted the other way, with the error of single games, but
/// only in the pairings that one of the two has played most often: half a game in each pairing of
/// players far apart would draw them together.
fn counted_share(pairings: &[ArenaPairing], it: &ArenaPairing) -> MeanEstimate {
    let is_most_often = |player: &usize| {
        let of_player = pairings.iter().filter(|it| it.players.contains(player));
        of_player.map(|it| it.games).max() == Some(it.games)
    };
    let half = 0.5 / it.games.max(1) as f64;
    let value = it.share.value.clamp(half, 1.0 - half);
    if value == it.share.value || !it.players.iter().any(is_most_often) {
        return it.share;
    }
    let error = (value * (1.0 - value) / it.games.max(1) as f64).sqrt();
    MeanEstimate { value, error, ..it.share }
}

/// The chance that a player who is this much above each of so many equal others wins against all.
fn winning_chance(logit: f64, others: usize) -> f64 {
    let odds = logit.exp();
    odds / (odds + others as f64)
}

/// A small square matrix.
struct Matrix {
    rows: Vec<Vec<f64>>,
}

impl Matrix {
    fn zero(size: usize) -> Self {
        Self { rows: vec![vec![0.0; size]; size] }
    }

    /// Adds the comparison of two players.
    fn add_comparison(&mut self, [a, b]: [usize; 2], weight: f64) {
        self.rows[a][a] += weight;
        self.rows[b][b] += weight;
        self.rows[a][b] -= weight;
        self.rows[b][a] -= weight;
    }

    fn times(&self, vector: &[f64]) -> Vec<f64> {
        let row = |row: &Vec<f64>| row.iter().zip(vector).map(|(a, b)| a * b).sum();
        self.rows.iter().map(row).collect()
    }

    fn product(&self, other: &Matrix) -> Matrix {
        let size = self.rows.len();
        let mut product = Matrix::zero(size);
        for (row, own) in product.rows.iter_mut().zip(&self.rows) {
            for (factor, others) in own.iter().zip(&other.rows) {
                row.iter_mut().zip(others).for_each(|(sum, it)| *sum += factor * it);
            }
        }
        product
    }

    /// The inverse without the first row and column (0 there), by Gauss-Jordan elimination. Rows of
    /// players without games stay 0.
    fn inverse_without_first(&self) -> Matrix {
        let size = self.rows.len();
        let mut left = self.rows.clone();
        let mut inverse = Matrix::zero(size);
        for at in 1..size {
            inverse.rows[at][at] = 1.0;
        }
        for at in 1..size {
            let pivot = left[at][at];
            if pivot.abs() < 1e-12 {
                inverse.rows[at].fill(0.0);
                continue;
            }
            let scale = |row: &mut Vec<f64>| row.iter_mut().for_each(|it| *it /= pivot);
            scale(&mut left[at]);
            scale(&mut inverse.rows[at]);
            for other in (1..size).filter(|it| *it != at) {
                let factor = left[other][at];
                subtract_row(&mut left, other, at, factor);
                subtract_row(&mut inverse.rows, other, at, factor);
            }
        }
        inverse
    }
}

/// Subtracts a multiple of one row from another.
fn subtract_row(rows: &mut [Vec<f64>], from: usize, row: usize, factor: f64) {
    let taken = rows[row].clone();
    rows[from].iter_mut().zip(taken).for_each(|(it, taken)| *it -= factor * taken);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-3, "{a} is not {b}");
    }

    #[test]
    fn a_mean_has_the_error_of_independent_units() {
        let mean = MeanEstimate::from_values(&[1.0, 0.0, 0.5, 0.5]);
        close(mean.value, 0.5);
        // Variance of the sample 1/6, of the mean 1/24.
        close(mean.error, (1.0f64 / 24.0).sqrt());
        close(mean.confidence_interval().0, 0.5 - 1.96 * (1.0f64 / 24.0).sqrt());
        assert_eq!(MeanEstimate::from_values(&[]).value, 0.0);
    }

    #[test]
    fn equal_values_still_have_a_confidence_interval() {
        let (low, high) = MeanEstimate::from_values(&[0.5; 4]).confidence_interval();
        close(low, 0.15);
        close(high, 0.85);
        let (low, high) = MeanEstimate::from_values(&[1.0; 100]).confidence_interval();
        close(low, 0.963);
        close(high, 1.0);
        close(MeanEstimate::from_values(&[0.0; 100]).confidence_interval().1, 0.037);
    }

    #[test]
    fn elo_has_its_known_values() {
        close(elo_difference(0.5, 1), 0.0);
        close(elo_difference(10.0 / 11.0, 1), 400.0);
        close(elo_difference(0.64, 1), 99.951);
        close(elo_difference(0.25, 3), 0.0);
        assert_eq!(elo_difference(1.0, 1), f64::INFINITY);
        assert_eq!(elo_difference(0.0, 3), f64::NEG_INFINITY);
        close(share_of_elo(elo_difference(0.64, 1)), 0.64);
    }

    fn pairing(players: [usize; 2], value: f64, error: f64) -> ArenaPairing {
        let share = MeanEstimate { value, error, count: 50 };
        ArenaPairing { players, share, games: 100, others: 1 }
    }

    #[test]
    fn two_players_are_as_far_apart_as_their_score_says() {
        let all = estimate_ratings(2, &[pairing([0, 1], 1.0 / 11.0, 0.02)]);
        close(all[0].value, 0.0);
        close(all[1].value, 400.0);
        // The slope of Elo at this share times the error of the share.
        let slope = 400.0 / std::f64::consts::LN_10 / (10.0 / 121.0);
        close(all[1].error, 0.02 * slope);
        close(all[0].error, 0.0);
    }

    #[test]
    fn shares_of_true_ratings_give_these_ratings_back() {
        let truth = [0.0, 150.0, 420.0, 500.0];
        let share =
            |a: usize, b: usize| 1.0 / (1.0 + f64::powf(10.0, (truth[b] - truth[a]) / 400.0));
        let pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        let all: Vec<_> = pairs.map(|[a, b]| pairing([a, b], share(a, b), 0.03)).to_vec();
        for (rating, truth) in estimate_ratings(4, &all).iter().zip(truth) {
            close(rating.value, truth);
        }
    }

    #[test]
    fn a_race_of_one_against_three_is_even_with_a_quarter() {
        let race = |players, share| ArenaPairing { others: 3, ..pairing(players, share, 0.02) };
        let even = estimate_ratings(2, &[race([0, 1], 0.25), race([1, 0], 0.25)]);
        close(even[1].value, 0.0);
        // At odds of 2 to 1 against each of the others, see `computer_rating` of the results.
        let weaker = estimate_ratings(2, &[race([0, 1], 0.4)]);
        close(weaker[1].value, -400.0 * f64::log10(2.0));
    }

    #[test]
    fn games_against_much_weaker_players_do_not_lower_a_rating() {
        let few = |players| ArenaPairing { games: 25, ..pairing(players, 0.0, 0.0) };
        let neighbours = [pairing([0, 1], 0.02, 0.014), pairing([1, 2], 0.02, 0.014)];
        let alone = estimate_ratings(3, &neighbours);
        let with_few = estimate_ratings(3, &[neighbours[0], neighbours[1], few([0, 2])]);
        assert!(with_few[2].value >= alone[2].value);
        assert!(with_few[2].value < alone[2].value + 5.0);
    }

    #[test]
    fn winning_every_game_gives_a_finite_rating() {
        let all = estimate_ratings(3, &[pairing([0, 1], 0.0, 0.0), pairing([1, 2], 0.0, 0.0)]);
        close(all[1].value, elo_difference(0.995, 1));
        close(all[2].value, 2.0 * elo_difference(0.995, 1));
        assert!(estimate_ratings(2, &[]).iter().all(|it| it.value == 0.0));
    }
}
