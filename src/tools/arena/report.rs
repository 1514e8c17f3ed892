//! What an arena writes.

use std::fmt::Write as _;

use super::maths::{Mean, elo};
use super::play::{Effort, Entrant, Extent, Setup};
use super::{Outcome, Score, label};

/// The result of a match, and its times.
pub fn outcome(setup: &Setup, entrants: &[Entrant; 2], score: &Score) -> Outcome {
    let names = names(entrants);
    let mut result = heading(setup, &names, score);
    let [won, shared, lost] = score.games;
    let _ = writeln!(result, "{}: won {won}, drawn {shared}, lost {lost}", names[0]);
    let others = score.rotations.max(2) - 1;
    let _ = writeln!(result, "score {}, {}", share(&score.share), elos(&score.share, others));
    if others > 1 {
        let _ = writeln!(result, "even would be {:.1} %", 100.0 / score.rotations as f64);
    }
    for (name, gain) in &score.gains {
        let Mean { value, error, .. } = gain;
        let _ = writeln!(result, "{name}: {value:+.2} (standard error {error:.2})");
    }
    for (name, effort) in names.iter().zip(&score.effort) {
        let Effort { decisions, nodes, .. } = effort;
        let each = *nodes as f64 / (*decisions).max(1) as f64;
        let _ = writeln!(result, "{name}: {decisions} decisions, {each:.0} nodes each");
    }
    result.push_str("games with errors: 0\n");
    Outcome { result, times: times(&names, &score.effort) }
}

fn names(entrants: &[Entrant; 2]) -> [String; 2] {
    let [first, second] = entrants.each_ref().map(label);
    if first == second {
        return [format!("{first} (a)"), format!("{second} (b)")];
    }
    [first, second]
}

fn heading(setup: &Setup, names: &[String; 2], score: &Score) -> String {
    let Setup { game, options, seats, plies, extent, seed } = setup;
    let (units, games) = (score.share.count, score.games.iter().sum::<usize>());
    let [first, second] = names;
    let unit = match extent {
        Extent::Whole if *plies > 0 => format!("{units} openings of {plies} random moves"),
        Extent::Whole if game.info().hidden => format!("{units} streams of deals"),
        Extent::Whole => format!("{units} streams of dice"),
        Extent::Round => format!("{units} deals"),
        Extent::Contract => format!("{units} deals with the contract given"),
    };
    let kind = match extent {
        Extent::Whole => "games",
        Extent::Round | Extent::Contract => "rounds",
    };
    let against = if score.rotations > 2 {
        format!("one {first} against {} of {second}", score.rotations - 1)
    } else {
        format!("{first} against {second}")
    };
    let code = game.info().code;
    format!("{code} ({options}), {seats} seats: {against}\n{games} {kind} of {unit}, seed {seed}\n")
}

/// `84.0 % (95 %: 80.1 to 87.9)`.
pub fn share(share: &Mean) -> String {
    let (low, high) = share.interval();
    let [value, low, high] = [share.value, low, high].map(|it| 100.0 * it);
    format!("{value:.1} % (95 %: {low:.1} to {high:.1})")
}

fn elos(share: &Mean, others: usize) -> String {
    let (low, high) = share.interval();
    let [value, low, high] = [share.value, low, high].map(|it| elo_text(elo(it, others)));
    format!("Elo {value} (95 %: {low} to {high})")
}

/// A difference as people write it; at the ends of the scale nobody knows it.
fn elo_text(elo: f64) -> String {
    if elo.is_infinite() {
        return if elo > 0.0 { "+∞" } else { "-∞" }.to_owned();
    }
    // A zero has no sign.
    let whole = elo.round() + 0.0;
    if whole == 0.0 { "0".to_owned() } else { format!("{whole:+.0}") }
}

/// Times by player: the mean of a decision, the longest, nodes in a second.
pub fn times(names: &[String], efforts: &[Effort]) -> String {
    let mut text = String::new();
    for (name, effort) in names.iter().zip(efforts) {
        let Effort { decisions, nodes, time, longest } = effort;
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
