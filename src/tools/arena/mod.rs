//! `caravanserai-tools arena`: plays computer players against each other and measures them.
//!
//! Games come in *units*: all games from one start, with the seats exchanged, so that the luck of
//! the start, the dice or the deal goes to both sides. In Togyzkumalak a unit is a random opening
//! played with both colours; in Thaayam a stream of dice, with the first player alone on every seat
//! in turn and the second player on all others (with partners: on both pairs); in Blot a deal,
//! played twice with the pairs exchanged. Confidence intervals are taken between units
//! ([`statistics`]).
//!
//! All randomness derives from the seed, the number of the unit and the seat, never from the
//! thread: the same command gives the same result with any number of threads, unless players have a
//! time limit. Players forget everything before each game. Values that depend on the machine
//! (times) are reported apart from the result.

pub mod game_runner;
mod level_play_quality;
mod level_ratings;
mod level_table;
mod opening_study;
mod report;
pub mod sequential_test;
pub mod statistics;

pub use report::share_text;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use anyhow::{Context, bail, ensure};

use super::records::find_game;
use super::solve;
use crate::args::ArenaArgs;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::{GameId, SeatLimits};
use game_runner::{
    ArenaEffort, ArenaEntrant, ArenaGameResult, ArenaPlayers, ArenaSetup, DecisionLimit, GameExtent,
};
use sequential_test::{SequentialTest, TestDecision, UNITS_PER_LOOK};
use statistics::MeanEstimate;

/// The output of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArenaReport {
    /// The result: the same on every machine, for players without a time limit.
    pub result: String,
    /// Times, which depend on the machine.
    pub times: String,
}

/// The progress of a match.
#[derive(Clone, Copy, Debug)]
pub struct ArenaProgress<'a> {
    /// Units played.
    pub played: u64,
    /// All units.
    pub total: u64,
    /// The current match.
    pub label: &'a str,
    /// Share of the first player so far.
    pub share: f64,
}

/// Runs the match, the table or the ratings of a command. `report_progress` receives the progress.
///
/// # Errors
/// One sentence about the invalid argument, or about the first game that failed.
pub fn run_arena(
    args: &ArenaArgs,
    report_progress: &mut dyn FnMut(&ArenaProgress<'_>),
) -> anyhow::Result<ArenaReport> {
    let threads = thread_count(args.threads)?;
    ensure!(args.games > 0, "--games is at least 1");
    if args.ratings {
        return level_ratings::run_ratings(args, threads, report_progress);
    }
    if args.play_quality {
        return level_play_quality::run_play_quality(args, report_progress);
    }
    if args.openings {
        return opening_study::run_opening_study(args, threads, report_progress);
    }
    let setup = parse_setup(args)?;
    if args.table {
        return level_table::run_table(&setup, args, threads, report_progress);
    }
    let named = |name: &Option<String>, option: &str| {
        let text = name.as_deref().with_context(|| format!("{option} PLAYER is missing"))?;
        parse_entrant(setup.game, text)
    };
    let entrants = [named(&args.a, "--a")?, named(&args.b, "--b")?];
    let length = MatchLength { games: args.games, test: args.sprt };
    let score = play_match(&setup, &entrants, length, threads, report_progress)?;
    Ok(report::build_report(&setup, &entrants, &score))
}

fn parse_setup(args: &ArenaArgs) -> anyhow::Result<ArenaSetup> {
    let game = find_game(&args.game)?;
    let info = game.info();
    let dueling = game.duel_info();
    let most = if args.table { info.seats.fewest } else { info.seats.most };
    let seats = args.seats.unwrap_or(most);
    let options = args.options.clone().unwrap_or_else(|| info.default_options());
    let partners = match game.start_match(&options, seats) {
        Ok(start) => start.has_partners(),
        Err(_) if game.start_match(&options, info.seats.most).is_err() => {
            bail!("there are no house rules {options} in {}", info.code)
        }
        Err(_) => {
            let SeatLimits { fewest, most } = info.seats;
            bail!(
                "{} is played on {fewest} to {most} seats, by these rules not on {seats}",
                info.code
            )
        }
    };
    ensure!(
        !args.table || game_runner::games_per_unit(seats, partners) == 2,
        "a table compares two sides: take --seats 2"
    );
    let extent = match (args.contract, args.whole) {
        (true, true) => bail!("--contract is of one round, --match of all"),
        (true, false) if !dueling.script => bail!("there are no contracts in {}", info.code),
        (true, false) => GameExtent::Contract,
        (false, false) if dueling.rounds => GameExtent::Round,
        (false, _) => GameExtent::Whole,
    };
    let plies = args.plies.unwrap_or(dueling.opening);
    ensure!(plies == 0 || dueling.opening > 0, "chance makes games of {} differ", info.code);
    Ok(ArenaSetup { game, options, seats, plies, extent, seed: args.seed })
}

/// The number of threads: by default that of the cores.
pub(super) fn thread_count(threads: Option<usize>) -> anyhow::Result<usize> {
    let threads =
        threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get));
    ensure!(threads > 0, "--threads is at least 1");
    Ok(threads)
}

/// Parses `strong`, `strong:100` (milliseconds), `strong:4000n` (positions) or `solved:FILE`.
fn parse_entrant(game: GameId, text: &str) -> anyhow::Result<ArenaEntrant> {
    if let Some(player) = solve::solved_player(game, text) {
        player?;
        return Ok(ArenaEntrant { name: text.to_owned(), limit: DecisionLimit::OfLevel });
    }
    let (name, limit) = match text.split_once(':') {
        Some((name, limit)) => match parse_limit(limit) {
            Some(limit) => (name, limit),
            None => bail!(
                "{text}: expected a number of milliseconds after the \
                 colon, or of positions and an n"
            ),
        },
        None => (text, DecisionLimit::OfLevel),
    };
    check_player_name(game, name)?;
    Ok(ArenaEntrant { name: name.to_owned(), limit })
}

fn parse_limit(text: &str) -> Option<DecisionLimit> {
    let limit = match text.strip_suffix('n') {
        Some(count) => DecisionLimit::Positions(count.parse().ok().filter(|it| *it > 0)?),
        None => DecisionLimit::Time(text.parse().ok().filter(|it| *it > 0)?),
    };
    Some(limit)
}

/// Checks that a player exists.
///
/// # Errors
/// One sentence that lists the existing players.
pub fn check_player_name(game: GameId, name: &str) -> anyhow::Result<()> {
    if game.computer(name).is_none() {
        let levels = ComputerLevel::ALL.iter().map(|it| it.code());
        let all: Vec<&str> = levels.chain(game.opponents().iter().copied()).collect();
        bail!("there is no player {name} of {}; there is {}", game.info().code, all.join(", "));
    }
    Ok(())
}

/// The result of a match for the first player.
#[derive(Clone, Debug)]
struct MatchScore {
    /// Mean share, over units.
    share: MeanEstimate,
    /// Games won, shared and lost.
    games: [usize; 3],
    /// Mean gain by measure, over units.
    gains: Vec<(&'static str, MeanEstimate)>,
    /// Games per unit.
    rotations: usize,
    effort: [ArenaEffort; 2],
    /// The test that could end the match, with its decision.
    test: Option<(SequentialTest, TestDecision)>,
}

/// How long a match lasts.
#[derive(Clone, Copy, Debug)]
struct MatchLength {
    /// The least number of games, in whole units; with a test the most.
    games: u64,
    /// The test that ends the match once it has decided.
    test: Option<SequentialTest>,
}

impl MatchLength {
    fn of_games(games: u64) -> Self {
        MatchLength { games, test: None }
    }
}

/// Plays a match, in whole units.
fn play_match(
    setup: &ArenaSetup,
    entrants: &[ArenaEntrant; 2],
    length: MatchLength,
    threads: usize,
    report_progress: &mut dyn FnMut(&ArenaProgress<'_>),
) -> anyhow::Result<MatchScore> {
    let game =
        setup.game.start_match(&setup.options, setup.seats).map_err(|it| anyhow::anyhow!(it))?;
    let rotations = game_runner::games_per_unit(setup.seats, game.has_partners());
    let units = length.games.div_ceil(u64::from(rotations));
    let names: Vec<&'static str> = game.measured_values().iter().map(|it| it.name).collect();
    let sum = |played: &[_]| sum_units(played, &names, usize::from(rotations));
    let Some(test) = length.test else {
        return Ok(sum(&play_units(setup, entrants, 0..units, threads, report_progress)?));
    };
    ensure!(rotations == 2, "--sprt compares two sides: take --seats 2");
    let mut played = Vec::new();
    loop {
        // Looks are at fixed numbers of units, so that they do not depend on the threads.
        let first = played.len() as u64;
        let next = first..units.min(first + UNITS_PER_LOOK);
        let mut report = |it: &ArenaProgress<'_>| {
            report_progress(&ArenaProgress { played: first + it.played, total: units, ..*it });
        };
        played.extend(play_units(setup, entrants, next, threads, &mut report)?);
        let score = sum(&played);
        let decision = test.decision(&score.share);
        if decision != TestDecision::Open || played.len() as u64 >= units {
            return Ok(MatchScore { test: Some((test, decision)), ..score });
        }
    }
}

fn play_units(
    setup: &ArenaSetup,
    entrants: &[ArenaEntrant; 2],
    units: Range<u64>,
    threads: usize,
    report_progress: &mut dyn FnMut(&ArenaProgress<'_>),
) -> anyhow::Result<Vec<Vec<ArenaGameResult>>> {
    let what = format!("{} against {}", entrant_label(&entrants[0]), entrant_label(&entrants[1]));
    let worker = || {
        let mut players = ArenaPlayers::new(setup.game, entrants.clone());
        move |unit| game_runner::play_unit(setup, units.start + unit, &mut players)
    };
    let total = units.end - units.start;
    let mut sum = 0.0;
    run_units(total, threads, &worker, &mut |done, games| {
        sum += games.iter().map(|it| it.share).sum::<f64>() / games.len().max(1) as f64;
        let share = sum / done as f64;
        report_progress(&ArenaProgress { played: done, total, label: &what, share });
    })
}

/// Does numbered units of work, each on the next free thread, and returns their results in order.
/// `worker` is called once on each thread; `report_progress` receives the number of units done and
/// each result.
///
/// # Errors
/// The error of the first unit that failed, by number.
fn run_units<T: Send, W: FnMut(u64) -> Result<T, String>>(
    units: u64,
    threads: usize,
    worker: &(dyn Fn() -> W + Sync),
    report_progress: &mut dyn FnMut(u64, &T),
) -> anyhow::Result<Vec<T>> {
    let next = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            let next = &next;
            let stop = &stop;
            scope.spawn(move || {
                let mut work = worker();
                while !stop.load(Ordering::Relaxed) {
                    let unit = next.fetch_add(1, Ordering::Relaxed);
                    if unit >= units || sender.send((unit, work(unit))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut finished: BTreeMap<u64, T> = BTreeMap::new();
        let mut trouble: Option<(u64, String)> = None;
        for (unit, it) in results {
            match it {
                Ok(result) => {
                    report_progress(finished.len() as u64 + 1, &result);
                    finished.insert(unit, result);
                }
                Err(why) => {
                    stop.store(true, Ordering::Relaxed);
                    // Keep the error of the first unit, whichever thread was quicker.
                    if trouble.as_ref().is_none_or(|it| unit < it.0) {
                        trouble = Some((unit, why));
                    }
                }
            }
        }
        match trouble {
            Some((_, why)) => bail!(why),
            None => Ok(finished.into_values().collect()),
        }
    })
}

fn sum_units(
    units: &[Vec<ArenaGameResult>],
    names: &[&'static str],
    rotations: usize,
) -> MatchScore {
    let over_units = |of: &dyn Fn(&ArenaGameResult) -> f64| {
        let unit =
            |games: &Vec<ArenaGameResult>| games.iter().map(of).sum::<f64>() / games.len() as f64;
        MeanEstimate::from_values(&units.iter().map(unit).collect::<Vec<f64>>())
    };
    let gain = |(n, name): (usize, &&'static str)| {
        (*name, over_units(&|it| it.gains.get(n).copied().unwrap_or(0.0)))
    };
    let mut effort = [ArenaEffort::default(); 2];
    let mut games = [0; 3];
    for it in units.iter().flatten() {
        effort.iter_mut().zip(&it.effort).for_each(|(sum, it)| sum.add(it));
        games[game_runner::outcome_index(it.share)] += 1;
    }
    MatchScore {
        share: over_units(&|it| it.share),
        games,
        gains: names.iter().enumerate().map(gain).collect(),
        rotations,
        effort,
        test: None,
    }
}

/// `strong`, `strong at 100 ms` or `strong at 4000 positions`.
fn entrant_label(entrant: &ArenaEntrant) -> String {
    match entrant.limit {
        DecisionLimit::OfLevel => entrant.name.clone(),
        DecisionLimit::Time(ms) => format!("{} at {ms} ms", entrant.name),
        DecisionLimit::Positions(count) => format!("{} at {count} positions", entrant.name),
    }
}
