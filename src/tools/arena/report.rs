//! Formats the results of an arena.

use std::fmt::Write as _;

use super::game_runner::{ArenaEffort, ArenaEntrant, ArenaSetup, GameExtent};
use super::sequential_test::{ERROR_RATE, SequentialTest, TestDecision, decision_bound};
use super::statistics::{MeanEstimate, elo_difference};
use super::{ArenaReport, MatchScore, entrant_label};

/// Formats the result of a match, and its times.
pub fn build_report(
    setup: &ArenaSetup,
    entrants: &[ArenaEntrant; 2],
    score: &MatchScore,
) -> ArenaReport {
    let names = entrant_names(entrants);
    let mut result = heading(setup, &names, score);
    let [won, shared, lost] = score.games;
    let _ = writeln!(result, "{}: won {won}, drawn {shared}, lost {lost}", names[0]);
    let others = score.rotations.max(2) - 1;
    let _ = writeln!(
        result,
        "score {}, {}",
        share_text(&score.share),
        elo_interval_text(&score.share, others)
    );
    if let Some((test, decision)) = &score.test {
        result.push_str(&test_text(test, *decision, &score.share));
    }
    if others > 1 {
        let _ = writeln!(result, "even would be {:.1} %", 100.0 / score.rotations as f64);
    }
    for (name, gain) in &score.gains {
        let MeanEstimate { value, error, .. } = gain;
        let _ = writeln!(result, "{name}: {value:+.2} (standard error {error:.2})");
    }
    for (name, effort) in names.iter().zip(&score.effort) {
        let ArenaEffort { decisions, nodes, .. } = effort;
        let each = *nodes as f64 / (*decisions).max(1) as f64;
        let _ = writeln!(result, "{name}: {decisions} decisions, {each:.0} nodes each");
    }
    result.push_str("games with errors: 0\n");
    ArenaReport { result, times: times_text(&names, &score.effort) }
}

fn entrant_names(entrants: &[ArenaEntrant; 2]) -> [String; 2] {
    let [first, second] = entrants.each_ref().map(entrant_label);
    if first == second {
        return [format!("{first} (a)"), format!("{second} (b)")];
    }
    [first, second]
}

fn heading(setup: &ArenaSetup, names: &[String; 2], score: &MatchScore) -> String {
    let ArenaSetup { game, options, seats, plies, extent, seed } = setup;
    let units = score.share.count;
    let games = score.games.iter().sum::<usize>();
    let [first, second] = names;
    let unit = match extent {
        GameExtent::Whole if *plies > 0 => format!("{units} openings of {plies} random moves"),
        GameExtent::Whole if game.info().hidden => format!("{units} streams of deals"),
        GameExtent::Whole => format!("{units} streams of dice"),
        GameExtent::Round => format!("{units} deals"),
        GameExtent::Contract => format!("{units} deals with the contract given"),
    };
    let kind = match extent {
        GameExtent::Whole => "games",
        GameExtent::Round | GameExtent::Contract => "rounds",
    };
    let against = if score.rotations > 2 {
        format!("one {first} against {} of {second}", score.rotations - 1)
    } else {
        format!("{first} against {second}")
    };
    let code = game.info().code;
    format!("{code} ({options}), {seats} seats: {against}\n{games} {kind} of {unit}, seed {seed}\n")
}

/// `SPRT of Elo 0 and 50 (5 % errors): 50 accepted, log-likelihood ratio 3.01 (bounds ±2.94)`.
fn test_text(test: &SequentialTest, decision: TestDecision, share: &MeanEstimate) -> String {
    let SequentialTest { low, high } = test;
    let decided = match decision {
        TestDecision::High => format!("{high} accepted"),
        TestDecision::Low => format!("{low} accepted"),
        TestDecision::Open => "not decided".to_owned(),
    };
    // Avoids a negative zero.
    let ratio = (test.log_likelihood_ratio(share) * 100.0).round() / 100.0 + 0.0;
    let bound = decision_bound();
    let errors = 100.0 * ERROR_RATE;
    format!(
        "SPRT of Elo {low} and {high} ({errors:.0} % errors): {decided}, \
         log-likelihood ratio {ratio:.2} (bounds ±{bound:.2})\n"
    )
}

/// `84.0 % (95 %: 80.1 to 87.9)`.
pub fn share_text(share: &MeanEstimate) -> String {
    let (low, high) = share.confidence_interval();
    let [value, low, high] = [share.value, low, high].map(|it| 100.0 * it);
    format!("{value:.1} % (95 %: {low:.1} to {high:.1})")
}

fn elo_interval_text(share: &MeanEstimate, others: usize) -> String {
    let (low, high) = share.confidence_interval();
    let [value, low, high] =
        [share.value, low, high].map(|it| elo_text(elo_difference(it, others)));
    format!("Elo {value} (95 %: {low} to {high})")
}

/// Formats an Elo difference; it is unknown at the ends of the scale.
fn elo_text(elo: f64) -> String {
    if elo.is_infinite() {
        return if elo > 0.0 { "+∞" } else { "-∞" }.to_owned();
    }
    // Avoids a negative zero.
    let whole = elo.round() + 0.0;
    if whole == 0.0 { "0".to_owned() } else { format!("{whole:+.0}") }
}

/// Formats times by player: the mean of a decision, the longest, nodes per second.
pub fn times_text(names: &[String], efforts: &[ArenaEffort]) -> String {
    let mut text = String::new();
    for (name, effort) in names.iter().zip(efforts) {
        let ArenaEffort { decisions, nodes, time, longest } = effort;
        let seconds = time.as_secs_f64();
        let mean = 1000.0 * seconds / (*decisions).max(1) as f64;
        let speed = if seconds > 0.0 { *nodes as f64 / seconds } else { 0.0 };
        let longest = 1000.0 * longest.as_secs_f64();
        let _ = writeln!(
            text,
            "{name}: {mean:.3} ms a decision, longest {longest:.1} ms, {speed:.0} nodes/s"
        );
    }
    text
}
