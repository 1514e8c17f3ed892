//! `caravanserai-tools solve`: solves the positions of a game exactly and writes them to a file.
//!
//! The work is deterministic: the same amounts give the same file, with any number of threads and
//! however often it was interrupted. Every few minutes the state is stored beside the file
//! (`FILE.checkpoint`), by writing another file and renaming it, so that a kill at any moment
//! leaves a complete one. The same command goes on from there.

mod solved_file;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use caravanserai_games::solving::{RowWorker, SolvingState, ValueIteration, error_bound};
use caravanserai_games::{Computer, GameId};

use super::learn::set_amount;
use super::records::find_game;
use super::stopwatch::Stopwatch;
use crate::args::SolveArgs;
use solved_file::{
    SolvedHeader, open_solved, read_checkpoint, read_solved, write_checkpoint, write_solved,
};

/// The name of the player that uses a file, before a colon.
pub const SOLVED: &str = "solved";

/// Interval between lines about the progress of a sweep.
const REPORT_INTERVAL: Duration = Duration::from_secs(60);

/// The continuation of a run after a batch of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveStep {
    /// Go on.
    GoOn,
    /// Stop at once, as if the process had been killed.
    Stop,
}

/// Solves and writes the file. `say` receives progress; `after_batch` is asked after every batch of
/// rows, once its checkpoint (if it was time for one) is stored. The result is a closing sentence.
///
/// # Errors
/// One sentence about the invalid argument, or why a file cannot be read or written.
pub fn run_solving(
    args: &SolveArgs,
    say: &mut dyn FnMut(&str),
    after_batch: &mut dyn FnMut() -> SolveStep,
) -> anyhow::Result<String> {
    let game = find_game(&args.game)?;
    let code = game.info().code;
    let info = game.solving().with_context(|| format!("{code} cannot be solved"))?;
    let mut amounts = info.amounts;
    for set in &args.amounts {
        set_amount(&mut amounts, set)?;
    }
    let values: Vec<u64> = amounts.iter().map(|it| it.1).collect();
    let iteration = game.prepare_solving(&values).map_err(|why| anyhow!(why))?;
    let header = SolvedHeader { game, amounts, size: iteration.size() };
    let threads = super::arena::thread_count(args.threads)?;
    let path = args.file.as_path();
    if path.exists() {
        open_solved(game, path)?.0.check_same(&header, path)?;
    } else {
        let mut run = SolveRun { args, header: &header, iteration: &*iteration, threads };
        let Some(state) = run.solve(say, after_batch)? else {
            bail!("stopped; the same command goes on from the last checkpoint");
        };
        if args.bound {
            write_checkpoint(&header, &state, &checkpoint_path(path))?;
            let line = run.bound(&state, say);
            say(&line);
        }
        write_solved(&header, &state.values, path)?;
        let _ = std::fs::remove_file(checkpoint_path(path));
    }
    let (_, table) = open_solved(game, path)?;
    if let Some(line) = iteration.value_of_game(&table) {
        say(&line);
    }
    if args.compare {
        iteration.compare_players(&table).iter().for_each(|line| say(line));
    }
    Ok(format!("{} values are in {}", header.size * header.size, path.display()))
}

/// Where the state is stored until the file is complete.
pub fn checkpoint_path(file: &Path) -> PathBuf {
    file.with_added_extension("checkpoint")
}

/// Makes the player `solved:FILE` of a game; `None` for other names.
///
/// # Errors
/// Why the file cannot be used.
pub fn solved_player(game: GameId, name: &str) -> Option<anyhow::Result<Box<dyn Computer>>> {
    let file = name.strip_prefix(SOLVED)?.strip_prefix(':')?;
    let open = || {
        let (_, table) = open_solved(game, Path::new(file))?;
        game.solved_computer(table).map_err(|why| anyhow!("{file}: {why}"))
    };
    Some(open())
}

struct SolveRun<'a> {
    args: &'a SolveArgs,
    header: &'a SolvedHeader,
    iteration: &'a dyn ValueIteration,
    threads: usize,
}

impl SolveRun<'_> {
    /// Sweeps until the values are settled; `None` when it was stopped before.
    fn solve(
        &mut self,
        say: &mut dyn FnMut(&str),
        after_batch: &mut dyn FnMut() -> SolveStep,
    ) -> anyhow::Result<Option<SolvingState>> {
        let checkpoint = checkpoint_path(&self.args.file);
        let mut state = match checkpoint.exists() {
            true => read_checkpoint(self.header, &checkpoint)?,
            false => self.first_state()?,
        };
        say(&self.opening(&state));
        // An unwritable place must fail before hours of work.
        write_checkpoint(self.header, &state, &checkpoint)?;
        let tolerance = self.args.tolerance.max(self.iteration.least_change());
        let interval = Duration::from_secs(60 * self.args.checkpoint_minutes);
        let mut progress = SolveProgress::new(state.sweeps, tolerance);
        let mut stored = Stopwatch::start();
        let mut workers = self.workers();
        while state.last_change > tolerance
            && self.args.sweeps.is_none_or(|most| state.sweeps < most)
        {
            let is_sweep_over = state.advance(self.iteration, &mut workers);
            if let Some(line) = progress.line(&state, self.header.size, is_sweep_over) {
                say(&line);
            }
            if stored.elapsed() >= interval {
                write_checkpoint(self.header, &state, &checkpoint)?;
                stored = Stopwatch::start();
            }
            if after_batch() == SolveStep::Stop {
                return Ok(None);
            }
        }
        Ok(Some(state))
    }

    /// The state before the first sweep: the values of another file where one is named.
    fn first_state(&self) -> anyhow::Result<SolvingState> {
        let first = SolvingState::new(self.iteration);
        let Some(from) = &self.args.from else { return Ok(first) };
        let (header, values) = read_solved(self.header.game, from)?;
        let size = self.header.size;
        ensure!(header.size == size, "{} has {} rows, not {size}", from.display(), header.size);
        Ok(SolvingState { values, ..first })
    }

    fn workers(&self) -> Vec<Box<dyn RowWorker + '_>> {
        (0..self.threads).map(|_| self.iteration.worker()).collect()
    }

    /// The line before the first sweep: the solved amounts, and the memory that they need.
    fn opening(&self, state: &SolvingState) -> String {
        let size = self.header.size;
        let megabytes = |bytes: usize| bytes as f64 / 1e6;
        format!(
            "{}: {}; {} positions, {:.0} MB of values and up to {:.0} MB for each of {} threads; \
             a throw beyond the counted ones has a chance of {:.1e} a turn; from sweep {}",
            self.header.game.info().code,
            self.header.amounts_text(),
            size * size,
            megabytes(size * size * size_of::<f32>()),
            megabytes(self.iteration.worker_bytes()),
            self.threads,
            self.iteration.neglected(),
            state.sweeps + 1
        )
    }

    /// Computes the bound of the error from the longest possible games.
    fn bound(&self, state: &SolvingState, say: &mut dyn FnMut(&str)) -> String {
        let longest = self.iteration.longest();
        let mut turns = SolvingState::new(&*longest);
        let mut workers: Vec<_> = (0..self.threads).map(|_| longest.worker()).collect();
        say("computing the longest games");
        while turns.last_change > 0.01 {
            turns.advance(&*longest, &mut workers);
        }
        let most = turns.values.iter().copied().fold(0.0, f32::max);
        let bound = error_bound(self.iteration, state, &turns).unwrap_or(1.0);
        format!(
            "no position lasts more than {most:.1} turns on average; all errors are at most \
             {bound:.1e}"
        )
    }
}

/// Reports sweeps and estimates the remaining time.
struct SolveProgress {
    first_sweep: u32,
    tolerance: f32,
    all: Stopwatch,
    sweep: Stopwatch,
    reported: Stopwatch,
    before: f32,
    /// The mean factor by which the change falls in a sweep.
    factor: f64,
}

impl SolveProgress {
    fn new(first_sweep: u32, tolerance: f32) -> Self {
        let all = Stopwatch::start();
        let sweep = Stopwatch::start();
        let reported = Stopwatch::start();
        Self { first_sweep, tolerance, all, sweep, reported, before: 1.0, factor: 1.0 }
    }

    /// A line at the end of a sweep, and sometimes within a long one.
    fn line(&mut self, state: &SolvingState, rows: usize, is_sweep_over: bool) -> Option<String> {
        let seconds = self.sweep.elapsed().as_secs_f64();
        if !is_sweep_over {
            if self.reported.elapsed() < REPORT_INTERVAL {
                return None;
            }
            self.reported = Stopwatch::start();
            let share = 100.0 * state.updated as f64 / rows as f64;
            return Some(format!("sweep {}: {share:.0} %, {seconds:.0} s", state.sweeps + 1));
        }
        let change = f64::from(state.last_change);
        let factor = (change / f64::from(self.before)).clamp(1e-3, 0.99);
        self.factor = if self.factor < 1.0 { (self.factor * factor).sqrt() } else { factor };
        self.before = state.last_change;
        let sweeps = ((f64::from(self.tolerance) / change).ln() / self.factor.ln()).max(0.0);
        let done = f64::from(state.sweeps - self.first_sweep).max(1.0);
        let left = sweeps.ceil() * self.all.elapsed().as_secs_f64() / done;
        (self.sweep, self.reported) = (Stopwatch::start(), Stopwatch::start());
        Some(format!(
            "sweep {}: largest change {change:.1e}, {seconds:.1} s; about {left:.0} s left",
            state.sweeps
        ))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use super::*;
    use crate::args::{ToolsCli, ToolsCommand};
    use caravanserai_games::GameId;
    use clap::Parser;
    use tempfile::TempDir;

    fn args(line: &str) -> SolveArgs {
        let words = ["caravanserai-tools", "solve"].into_iter().chain(line.split_whitespace());
        match ToolsCli::try_parse_from(words).unwrap().command {
            ToolsCommand::Solve(args) => args,
            _ => panic!("{line}"),
        }
    }

    /// The game that can be solved.
    fn code() -> &'static str {
        let solvable = GameId::all().iter().find(|game| game.solving().is_some());
        solvable.unwrap().info().code
    }

    /// A command for a table that is solved within a second.
    fn small(file: &Path, more: &str) -> SolveArgs {
        args(&format!(
            "{} --file {} --tolerance 1e-3 --set pieces=2 --set away=2 --set ones=3 --set others=2 \
             {more}",
            code(),
            file.display()
        ))
    }

    fn solve(args: &SolveArgs) -> anyhow::Result<String> {
        run_solving(args, &mut |_| {}, &mut || SolveStep::GoOn)
    }

    /// The file of the small table, solved once for all tests.
    fn solved_bytes() -> &'static [u8] {
        static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
        BYTES.get_or_init(|| {
            let folder = TempDir::new().unwrap();
            let file = folder.path().join("file");
            solve(&small(&file, "--threads 1")).unwrap();
            std::fs::read(&file).unwrap()
        })
    }

    #[test]
    fn a_killed_run_goes_on_to_the_same_file() {
        let folder = TempDir::new().unwrap();
        let killed = folder.path().join("killed");
        // Killed after thirty batches, each time with another number of threads.
        let mut runs = 0;
        while !killed.exists() {
            runs += 1;
            let line = format!("--checkpoint-minutes 0 --threads {}", 1 + runs % 3);
            let mut batches = 0;
            let mut after_batch = || {
                batches += 1;
                if batches == 30 { SolveStep::Stop } else { SolveStep::GoOn }
            };
            let _ = run_solving(&small(&killed, &line), &mut |_| {}, &mut after_batch);
            assert!(runs < 1_000);
        }
        assert!(runs > 5, "{runs}");
        assert!(std::fs::read(&killed).unwrap() == solved_bytes());
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            1,
            "nothing else is left there"
        );
    }

    #[test]
    fn the_value_of_the_game_is_printed() {
        let folder = TempDir::new().unwrap();
        let args =
            small(&folder.path().join("file"), "--set pieces=1 --set away=1 --bound --compare");
        let mut lines = Vec::new();
        run_solving(&args, &mut |line| lines.push(line.to_owned()), &mut || SolveStep::GoOn)
            .unwrap();
        for part in
            ["729 positions", "all errors are at most", "who begins wins 5", "master chooses"]
        {
            assert!(lines.iter().any(|line| line.contains(part)), "{part}: {lines:?}");
        }
    }

    #[test]
    fn a_file_can_be_the_start_of_another() {
        let folder = TempDir::new().unwrap();
        let coarse = folder.path().join("coarse");
        let fine = folder.path().join("fine");
        std::fs::write(&coarse, solved_bytes()).unwrap();
        let mut sweeps = 0;
        let args = small(&fine, &format!("--set ones=4 --from {}", coarse.display()));
        let mut say = |line: &str| sweeps += usize::from(line.contains("largest change"));
        run_solving(&args, &mut say, &mut || SolveStep::GoOn).unwrap();
        assert!((1..15).contains(&sweeps), "{sweeps}");
        let args = small(&folder.path().join("x"), "--set pieces=3 --set away=1");
        let args = SolveArgs { from: Some(coarse), ..args };
        assert!(format!("{:#}", solve(&args).unwrap_err()).contains("has 353 rows"));
    }

    #[test]
    fn a_checkpoint_that_is_older_than_the_kill_is_enough() {
        let folder = TempDir::new().unwrap();
        let killed = folder.path().join("killed");
        // With the usual interval, only the checkpoint of the beginning is there.
        let mut batches = 0;
        let mut after_batch = || {
            batches += 1;
            if batches == 40 { SolveStep::Stop } else { SolveStep::GoOn }
        };
        run_solving(&small(&killed, ""), &mut |_| {}, &mut after_batch).unwrap_err();
        assert!(checkpoint_path(&killed).exists() && !killed.exists());
        // A file that a kill left incomplete does not matter.
        std::fs::write(checkpoint_path(&killed).with_added_extension("partial"), "half").unwrap();
        solve(&small(&killed, "")).unwrap();
        assert!(std::fs::read(&killed).unwrap() == solved_bytes());
    }

    #[test]
    fn mistakes_are_answered_with_a_sentence() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("file");
        let refused = |args: &SolveArgs| format!("{:#}", solve(args).unwrap_err());
        assert!(refused(&args("chess --file x")).contains("there is no game chess"));
        let unsolvable = GameId::all().iter().find(|game| game.solving().is_none()).unwrap();
        let answer = refused(&args(&format!("{} --file x", unsolvable.info().code)));
        assert!(answer.contains("cannot be solved"), "{answer}");
        let answer = refused(&small(&file, "--set luck=3"));
        assert!(answer.contains("there is no luck to set; there is pieces"), "{answer}");
        assert!(refused(&small(&file, "--set pieces=9")).contains("pieces is from 1 to 4"));
        assert!(refused(&small(Path::new("no/such/place"), "")).contains("cannot write"));
        // A solved table is not solved again; another table does not overwrite it.
        std::fs::write(&file, solved_bytes()).unwrap();
        assert!(solve(&small(&file, "")).unwrap().contains("124609 values are in"));
        assert!(refused(&small(&file, "--set pieces=1 --set away=1")).contains("is a solution of"));
        // A flipped bit is found.
        let mut damaged = solved_bytes().to_vec();
        *damaged.last_mut().unwrap() ^= 1;
        std::fs::write(&file, damaged).unwrap();
        assert!(refused(&small(&file, "")).contains("is damaged"));
        let game = *GameId::all().iter().find(|game| game.solving().is_some()).unwrap();
        let player = solved_player(game, &format!("solved:{}", file.display())).unwrap();
        assert!(player.is_err());
        assert!(solved_player(game, "master").is_none());
    }

    #[test]
    fn the_solved_player_plays_in_the_arena() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, solved_bytes()).unwrap();
        let line = format!(
            "caravanserai-tools arena {} --a solved:{} --b beginner --seats 2 --options pieces=2 \
             --games 200",
            code(),
            file.display()
        );
        let ToolsCommand::Arena(args) = ToolsCli::try_parse_from(line.split(' ')).unwrap().command
        else {
            panic!("{line}");
        };
        let report = crate::arena::run_arena(&args, &mut |_| {}).unwrap();
        assert!(report.result.contains("games with errors: 0"), "{}", report.result);
    }
}
