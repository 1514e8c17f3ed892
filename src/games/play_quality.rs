//! Reads and writes what the decisions of computer players cost: the file `play_quality.txt` of
//! each game in which play is judged.
//!
//! Each line has the words level, cost, interval and rounds:
//!
//! - The *cost* is the part of the chance to win that the decisions of one seat cost in a round, in
//!   hundredths of a percent, as the engine judges them by what the seat could know.
//! - The *interval* is the half of its 95 % interval.
//! - The *rounds* are those that seats of this level have played.
//!
//! Lines that begin with `#` are comments. `caravanserai-tools arena GAME --play-quality` writes
//! the file.

use std::fmt::Write as _;

use crate::search::ComputerLevel;

/// The cost of the decisions of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelPlayQuality {
    /// The level.
    pub level: ComputerLevel,
    /// The cost of the decisions of one seat in a round, in hundredths of a percent of the chance
    /// to win.
    pub cost: u32,
    /// Half of its 95 % interval.
    pub interval: u32,
    /// The rounds that seats of this level have played.
    pub rounds: u32,
}

impl LevelPlayQuality {
    /// Reads one line of a file; `None` if it is none.
    fn read(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [level, cost, interval, rounds] = words[..] else { return None };
        Some(LevelPlayQuality {
            level: ComputerLevel::read(level)?,
            cost: cost.parse().ok()?,
            interval: interval.parse().ok()?,
            rounds: rounds.parse().ok()?,
        })
    }
}

/// Reads a file. Comments and lines that cannot be read are left out.
pub fn read_play_quality(text: &str) -> impl Iterator<Item = LevelPlayQuality> {
    text.lines().filter(|it| !it.starts_with('#')).filter_map(LevelPlayQuality::read)
}

/// Writes a file with the command that measures it.
pub fn write_play_quality(levels: &[LevelPlayQuality], command: &str) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "# What the decisions of computer players cost, written by");
    let _ = writeln!(text, "# {command}");
    let _ = writeln!(text, "# By standard rules, all seats at the same level.");
    let _ = writeln!(text, "# level, cost of a round, half of the 95 % interval, rounds");
    for LevelPlayQuality { level, cost, interval, rounds } in levels {
        let _ = writeln!(text, "{} {cost} {interval} {rounds}", level.code());
    }
    text
}

/// The levels, the weakest first as in the file, with which this cost and half of its 95 % interval
/// agree: the difference is not larger than both intervals together explain.
pub fn levels_with_cost(
    levels: &[LevelPlayQuality],
    cost: u32,
    interval: u32,
) -> &[LevelPlayQuality] {
    let agrees = |it: &LevelPlayQuality| {
        let own = f64::from(it.interval);
        let other = f64::from(interval);
        f64::from(it.cost.abs_diff(cost)) <= own.hypot(other)
    };
    let first = levels.iter().position(agrees).unwrap_or(levels.len());
    let end = levels.iter().rposition(agrees).map_or(first, |it| it + 1);
    &levels[first..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameId;

    #[test]
    fn written_play_quality_is_read_again() {
        let level = |level, cost| LevelPlayQuality { level, cost, interval: 9, rounds: 400 };
        let all = [level(ComputerLevel::Easy, 410), level(ComputerLevel::Master, 120)];
        let text = write_play_quality(&all, "a command");
        assert_eq!(read_play_quality(&text).collect::<Vec<_>>(), all);
        assert_eq!(levels_with_cost(&all, 405, 0), &all[..1]);
        assert_eq!(levels_with_cost(&all, 300, 50), &[]);
        assert_eq!(levels_with_cost(&all, 250, 200), &all);
        assert_eq!(levels_with_cost(&[], 250, 200), &[]);
    }

    #[test]
    fn a_stronger_level_makes_cheaper_decisions() {
        for game in GameId::all().iter().filter(|it| it.judges_play()) {
            let levels: Vec<_> = read_play_quality(game.play_quality()).collect();
            let found: Vec<ComputerLevel> = levels.iter().map(|it| it.level).collect();
            assert_eq!(found, ComputerLevel::ALL);
            assert!(levels.is_sorted_by(|one, next| one.cost > next.cost), "{levels:?}");
        }
    }
}
