//! Measures what the decisions of all levels cost, with which the play of people is compared.
//!
//! In each game all seats are of one level, by standard rules and with the effort that levels have
//! at tables. The decisions are judged as the bot judges those of people.

use std::sync::atomic::AtomicBool;

use super::game_runner::{STEPS_MAX, decide_by_level, derive_seed};
use super::{ArenaProgress, ArenaReport};
use crate::args::ArenaArgs;
use crate::records::find_game;
use anyhow::{Context, anyhow, bail, ensure};
use caravanserai_bot::repository::BotLimits;
use caravanserai_bot::workers::game_analysis::judge_decision;
use caravanserai_bot::workers::play_judging::judging_nodes;
use caravanserai_games::play_quality::{LevelPlayQuality, write_play_quality};
use caravanserai_games::rules::Node;
use caravanserai_games::search::{ComputerLevel, SeededRng};
use caravanserai_games::{Computer, GameId, Match};
use caravanserai_results::{JudgedGame, JudgedSeat, PlayQuality};
use caravanserai_table::review::{self, JudgedSpan};

/// Lets all levels play and prints the file with what their decisions cost.
pub fn run_play_quality(
    args: &ArenaArgs,
    report_progress: &mut dyn FnMut(&ArenaProgress<'_>),
) -> anyhow::Result<ArenaReport> {
    let game = find_game(&args.game)?;
    ensure!(game.judges_play(), "play is not judged in {}", game.info().code);
    let mut levels = Vec::new();
    for level in ComputerLevel::ALL {
        let mut judged = Vec::new();
        for number in 0..args.games {
            judged.push(play_and_judge(game, level, derive_seed(&[args.seed, number]))?);
            let played = number + 1;
            let label = level.code();
            report_progress(&ArenaProgress { played, total: args.games, label, share: 0.5 });
        }
        levels.push(level_cost(level, &judged)?);
    }
    let code = game.info().code;
    let command = format!(
        "caravanserai-tools arena {code} --play-quality --games {} --seed {}",
        args.games, args.seed
    );
    Ok(ArenaReport { result: write_play_quality(&levels, &command), times: String::new() })
}

/// Plays one game, all seats at this level, and judges the decisions of all seats.
fn play_and_judge(game: GameId, level: ComputerLevel, seed: u64) -> anyhow::Result<JudgedGame> {
    let info = game.info();
    let start =
        game.start_match(&info.default_options(), info.seats.most).map_err(|it| anyhow!(it))?;
    let computer = |name: &str| game.computer(name).context("a level has no player");
    let seats: Vec<u8> = (0..info.seats.most).collect();
    let players = seats.iter().map(|_| computer(level.code()));
    let mut players: Vec<_> = players.collect::<anyhow::Result<_>>()?;
    let steps = play(start.clone_box(), &mut players, seed)?;
    let steps: Vec<_> = steps.iter().map(|(seat, token)| (*seat, token.as_str())).collect();
    let turns = review::decisions(start.clone_box(), steps.iter().copied());
    let mut judge = computer(ComputerLevel::Master.code())?;
    let nodes = judging_nodes(game, BotLimits::default().judging_ms);
    let stop = AtomicBool::new(false);
    let verdicts: Vec<_> =
        turns.iter().map(|it| judge_decision(&mut *judge, it, nodes, &stop)).collect();
    let spans: Vec<JudgedSpan> = seats.into_iter().map(JudgedSpan::whole_game).collect();
    Ok(review::judged_game(&*start, &steps, &turns, &verdicts, &spans))
}

/// Plays a game to its end. Returns its steps.
fn play(
    mut game: Box<dyn Match>,
    players: &mut [Box<dyn Computer>],
    seed: u64,
) -> anyhow::Result<Vec<(Option<u8>, String)>> {
    let mut rng = SeededRng::new(seed);
    let mut steps = Vec::new();
    while steps.len() < STEPS_MAX {
        match game.node() {
            Node::Over(_) => return Ok(steps),
            Node::Chance => {
                let token = game.draw_chance(&mut rng);
                game.apply_chance(&token).map_err(|it| anyhow!(it))?;
                steps.push((None, token));
            }
            Node::Act(seat) => {
                let token = match game.forced_action() {
                    Some(token) => token,
                    None => decide_by_level(&*game, seat, &mut *players[seat.index()], &mut rng)?,
                };
                game.apply_action(seat, &token).map_err(|it| anyhow!(it))?;
                steps.push((Some(seat.0), token));
            }
        }
    }
    bail!("a game did not end within {STEPS_MAX} steps")
}

/// The mean cost of a round of all seats, and its interval.
fn level_cost(level: ComputerLevel, games: &[JudgedGame]) -> anyhow::Result<LevelPlayQuality> {
    let mut quality = PlayQuality::default();
    for game in games {
        // The costs of the seats of one game depend on each other.
        let all = game.seats.iter().fold(JudgedSeat::default(), |sum, it| JudgedSeat {
            rounds: sum.rounds + it.rounds,
            cost: sum.cost + it.cost,
            ..sum
        });
        quality.add(&JudgedGame { seats: vec![all], ..JudgedGame::default() }, all.seat);
    }
    let cost = quality.round_cost().context("--games is at least 2")?;
    Ok(LevelPlayQuality {
        level,
        cost: cost.mean,
        interval: cost.interval,
        rounds: quality.rounds(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cost_is_the_mean_of_all_rounds_of_all_seats() {
        let game = |rounds, costs: [u32; 2]| {
            let seat = |(seat, cost)| JudgedSeat { seat, rounds, decisions: 9, cost };
            let seats = (0..).zip(costs).map(seat).collect();
            JudgedGame { seats, ..JudgedGame::default() }
        };
        let games = [game(1, [30, 50]), game(3, [60, 60])];
        let found = level_cost(ComputerLevel::Easy, &games).unwrap();
        // 200 thousandths in eight rounds of a seat.
        assert_eq!((found.cost, found.rounds), (250, 8));
        assert!(level_cost(ComputerLevel::Easy, &games[..1]).is_err());
    }
}
