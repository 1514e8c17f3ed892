//! `caravanserai-tools benchmark`: writes the entries of a game's benchmark, answers them with one
//! of our players, and scores a file of answers.
//!
//! An answer is a line: in a game of positions the number of the entry and an action; in a game of
//! deals the number, the seats that the program had (1 for seats 1 and 3, 2 for the others), and
//! all cards in the order in which they were played. Lines that begin with `#` are comments.
//!
//! Cards are replayed by the rules of the game, so the score does not depend on what a program says
//! about itself. Confidence intervals are taken between entries; both rounds of a deal are one.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, bail, ensure};

use crate::arena::check_player_name;
use crate::arena::game_runner::{decide_by_level, derive_seed};
use crate::arena::statistics::MeanEstimate;
use crate::args::BenchmarkArgs;
use crate::records::{find_game, read_record};
use caravanserai_games::benchmark::{BenchmarkEntry, BenchmarkTask};
use caravanserai_games::rules::Node;
use caravanserai_games::search::SeededRng;
use caravanserai_games::{Computer, GameId, GameRefusal, Match};

/// The opponent in rounds, unless another is named.
const OPPONENT: &str = "master";

/// Runs the command: returns entries, answers or a score.
///
/// # Errors
/// One sentence about the invalid argument, or about the first answer that is wrong.
pub fn run_benchmark(args: &BenchmarkArgs) -> anyhow::Result<String> {
    let game = find_game(&args.game)?;
    let benchmark = game
        .benchmark()
        .with_context(|| format!("there is no benchmark of {}", game.info().code))?;
    let mut entries = benchmark
        .entries()
        .map_err(|line| anyhow::anyhow!("line {line} of the benchmark is wrong"))?;
    let committed = u32::try_from(entries.len()).unwrap_or(u32::MAX);
    let first = args.first.unwrap_or(committed);
    if args.player.is_none() && args.score.is_none() {
        return Ok((benchmark.write)(first));
    }
    ensure!((1..=committed).contains(&first), "--first is a number from 1 to {committed}");
    entries.truncate(usize::try_from(first).unwrap_or(usize::MAX));
    match (&args.player, &args.score) {
        (_, Some(file)) => score_answers(&entries, &read_record(file)?),
        (player, None) => {
            let player = player.as_deref().unwrap_or(OPPONENT);
            let against = args.against.as_deref().unwrap_or(OPPONENT);
            write_answers(game, &entries, [player, against])
        }
    }
}

/// The two sides of a round: who has it, by the remainder of the seat.
const SIDES: [usize; 2] = [0, 1];

/// Lets one of our players answer all entries.
fn write_answers(
    game: GameId,
    entries: &[BenchmarkEntry],
    names: [&str; 2],
) -> anyhow::Result<String> {
    let mut text = format!("# Answers of {}", names[0]);
    if entries.iter().any(|it| matches!(it.task, BenchmarkTask::Round { .. })) {
        let _ = write!(text, " against {}", names[1]);
    }
    text.push('\n');
    let mut players = Vec::new();
    for _ in 0..game.info().seats.most {
        players.push([seat_player(game, names[0])?, seat_player(game, names[1])?]);
    }
    for BenchmarkEntry { number, start, task } in entries {
        match task {
            BenchmarkTask::Decision { .. } => {
                let Node::Act(seat) = start.node() else { bail!("entry {number} has no decision") };
                let mut rng = SeededRng::new(derive_seed(&[u64::from(*number)]));
                let player = players[seat.index()][0].as_mut();
                player.forget();
                let action = decide_by_level(&**start, seat, player, &mut rng)?;
                let _ = writeln!(text, "{number} {action}");
            }
            BenchmarkTask::Round { .. } => {
                for side in SIDES {
                    let cards = play_round(start.clone_box(), side, *number, &mut players)?;
                    let _ = writeln!(text, "{number} {} {}", side + 1, cards.join(" "));
                }
            }
        }
    }
    Ok(text)
}

fn seat_player(game: GameId, name: &str) -> anyhow::Result<Box<dyn Computer>> {
    check_player_name(game, name)?;
    game.computer(name).context("there is no such player")
}

/// Plays a round, the first player on this side; returns the actions in their order.
fn play_round(
    mut game: Box<dyn Match>,
    side: usize,
    number: u32,
    players: &mut [[Box<dyn Computer>; 2]],
) -> anyhow::Result<Vec<String>> {
    players.iter_mut().flatten().for_each(|it| it.forget());
    let rng_of_seat = |seat: u64| SeededRng::new(derive_seed(&[u64::from(number), seat]));
    let mut rngs: Vec<SeededRng> = (1..).map(rng_of_seat).take(players.len()).collect();
    let mut actions = Vec::new();
    while let Node::Act(seat) = game.node() {
        let who = usize::from(seat.index() % 2 != side);
        let player = players[seat.index()][who].as_mut();
        let token = match game.forced_action() {
            Some(token) => token,
            None => decide_by_level(&*game, seat, player, &mut rngs[seat.index()])?,
        };
        game.apply_action(seat, &token).map_err(|it| anyhow::anyhow!(it))?;
        actions.push(token);
    }
    Ok(actions)
}

/// The answers by entry and side; the side is 0 for decisions.
type Answers<'a> = BTreeMap<(u32, usize), Vec<&'a str>>;

fn score_answers(entries: &[BenchmarkEntry], text: &str) -> anyhow::Result<String> {
    let mut answers = Answers::new();
    for (line, number) in text.lines().zip(1..) {
        let mut words = line.split_whitespace().filter(|_| !line.starts_with('#'));
        let Some(first) = words.next() else { continue };
        let entry = first.parse().ok().and_then(|it: u32| entries.iter().find(|e| e.number == it));
        let entry = entry.with_context(|| format!("line {number}: there is no entry {first}"))?;
        let side = match entry.task {
            BenchmarkTask::Decision { .. } => 0,
            BenchmarkTask::Round { .. } => match words.next() {
                Some("1") => 0,
                Some("2") => 1,
                _ => bail!("line {number}: the second word is 1 or 2, the seats of the program"),
            },
        };
        let known = answers.insert((entry.number, side), words.collect());
        ensure!(known.is_none(), "line {number}: entry {first} is answered twice");
    }
    let is_rounds = entries.iter().any(|it| matches!(it.task, BenchmarkTask::Round { .. }));
    if is_rounds { score_rounds(entries, &answers) } else { score_decisions(entries, &answers) }
}

/// The answer to an entry.
fn answer<'a>(answers: &'a Answers<'_>, number: u32, side: usize) -> anyhow::Result<&'a [&'a str]> {
    let found = answers.get(&(number, side)).map(Vec::as_slice);
    found.with_context(|| format!("entry {number} has no answer for seat {}", side + 1))
}

fn score_decisions(entries: &[BenchmarkEntry], answers: &Answers<'_>) -> anyhow::Result<String> {
    let mut losses = Vec::new();
    let mut hits = Vec::new();
    for BenchmarkEntry { number, task, .. } in entries {
        let BenchmarkTask::Decision { values } = task else { continue };
        let [action] = answer(answers, *number, 0)? else {
            bail!("entry {number}: the answer is one action");
        };
        let value = values.iter().find(|it| it.0 == *action).map(|it| it.1);
        let value = value.with_context(|| format!("entry {number}: {action} is not legal"))?;
        let best = values.iter().map(|it| it.1).max().unwrap_or(value);
        losses.push(f64::from(best - value));
        hits.push(f64::from(u8::from(best == value)));
    }
    let losses = MeanEstimate::from_values(&losses);
    let hits = MeanEstimate::from_values(&hits);
    Ok(format!(
        "{} positions\nbest action chosen: {}\nchance to win lost: {} thousandths a decision\n",
        entries.len(),
        crate::arena::share_text(&hits),
        mean_text(&losses)
    ))
}

fn score_rounds(entries: &[BenchmarkEntry], answers: &Answers<'_>) -> anyhow::Result<String> {
    let mut gains = Vec::new();
    let mut name = "";
    for BenchmarkEntry { number, start, task } in entries {
        let BenchmarkTask::Round { measure } = task else { continue };
        name = measure;
        let mut both = 0.0;
        for side in SIDES {
            let actions = answer(answers, *number, side)?;
            both += round_gain(start.clone_box(), side, actions, measure)
                .with_context(|| format!("entry {number}, seat {}", side + 1))?;
        }
        gains.push(both / SIDES.len() as f64);
    }
    let mean = MeanEstimate::from_values(&gains);
    Ok(format!(
        "{} deals, each played twice with the sides exchanged\n{name}: {} a round\n",
        entries.len(),
        mean_text(&mean)
    ))
}

/// The value of a measure for a side after these actions, which end the round.
fn round_gain(
    mut game: Box<dyn Match>,
    side: usize,
    actions: &[&str],
    measure: &str,
) -> anyhow::Result<f64> {
    for action in actions {
        let Node::Act(seat) = game.node() else { bail!("{action} follows the last card") };
        let refused = |it: GameRefusal| anyhow::anyhow!("{action} is refused: {it}");
        game.apply_action(seat, action).map_err(refused)?;
    }
    if let Node::Act(seat) = game.node() {
        bail!("the round is not over: seat {} is to move", seat.0 + 1);
    }
    let measured = game.measured_values();
    let value = measured.iter().find(|it| it.name == measure).context("the measure is missing")?;
    Ok(f64::from(value.by_seat.get(side).copied().unwrap_or_default()))
}

/// `+1.23 (95 %: +0.40 to +2.06)`.
fn mean_text(mean: &MeanEstimate) -> String {
    let half = 1.96 * mean.error;
    let [value, low, high] = [mean.value, mean.value - half, mean.value + half];
    format!("{value:+.2} (95 %: {low:+.2} to {high:+.2})")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn benchmark_args(game: GameId, first: u32) -> BenchmarkArgs {
        BenchmarkArgs {
            game: game.info().code.to_owned(),
            first: Some(first),
            player: None,
            against: None,
            score: None,
        }
    }

    fn score(game: GameId, first: u32, answers: &str) -> anyhow::Result<String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), answers).unwrap();
        let score = Some(file.path().to_owned());
        run_benchmark(&BenchmarkArgs { score, ..benchmark_args(game, first) })
    }

    fn answered(game: GameId, first: u32, player: &str, against: &str) -> String {
        let args = BenchmarkArgs {
            player: Some(player.to_owned()),
            against: Some(against.to_owned()),
            ..benchmark_args(game, first)
        };
        run_benchmark(&args).unwrap()
    }

    fn games() -> impl Iterator<Item = GameId> {
        GameId::all().iter().copied().filter(|it| it.benchmark().is_some())
    }

    #[test]
    fn answers_of_our_players_are_scored() {
        for game in games() {
            let answers = answered(game, 3, "easy", "beginner");
            assert_eq!(answers, answered(game, 3, "easy", "beginner"), "{game:?}");
            let score = score(game, 3, &answers).unwrap();
            assert!(score.starts_with("3 "), "{score}");
        }
    }

    #[test]
    fn a_player_gains_nothing_against_itself() {
        for game in games() {
            let score = score(game, 2, &answered(game, 2, "easy", "easy")).unwrap();
            if score.contains("deals") {
                assert!(score.contains(": +0.00 (95 %: +0.00 to +0.00) a round"), "{score}");
            }
        }
    }

    #[test]
    fn the_best_actions_lose_nothing() {
        for game in games() {
            let text = run_benchmark(&benchmark_args(game, 2)).unwrap();
            let entries = text.lines().filter(|it| !it.starts_with('#'));
            let fields: Vec<Vec<&str>> = entries.map(|it| it.split('\t').collect()).collect();
            if fields[0].len() == 6 {
                let best: Vec<String> =
                    fields.iter().map(|it| format!("{} {}\n", it[0], it[3])).collect();
                let score = score(game, 2, &best.concat()).unwrap();
                assert!(score.contains("chance to win lost: +0.00"), "{score}");
                assert!(score.contains("best action chosen: 100.0 %"), "{score}");
            }
        }
    }

    #[test]
    fn wrong_answers_are_refused_with_their_place() {
        for game in games() {
            let answers = answered(game, 2, "easy", "easy");
            let lines: Vec<&str> = answers.lines().collect();
            let last = lines[lines.len() - 1];
            let without_last = lines[..lines.len() - 1].join("\n");
            let refused = |text: &str| format!("{:#}", score(game, 2, text).unwrap_err());
            assert!(refused(&without_last).contains("entry 2 has no answer"), "{game:?}");
            assert!(refused(&format!("{answers}{last}")).contains("answered twice"), "{game:?}");
            assert!(refused("9 x").contains("line 1: there is no entry 9"), "{game:?}");
            let (start, _) = last.rsplit_once(' ').unwrap();
            let wrong = format!("{without_last}\n{start} nothing");
            let answer = refused(&wrong);
            assert!(answer.starts_with("entry 2"), "{game:?}: {answer}");
        }
    }
}
