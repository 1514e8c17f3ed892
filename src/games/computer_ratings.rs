//! Reads and writes the fixed ratings of computer players: the file `computer_ratings.txt` of each
//! game.
//!
//! Each line has the words list, level, rating, interval and games:
//!
//! - The *list* is the end of the code of a rating list: `2`, `pairs` or `3+`.
//! - The *rating* is in displayed points. The level [`ANCHOR_LEVEL`] has those of a newcomer,
//!   [`ANCHOR_POINTS`]; all others follow from games of the levels among each other.
//! - The *interval* is the half of the 95 % interval of the distance to that level.
//! - The *games* are those that this level has played in the list.
//!
//! Lines that begin with `#` are comments. `caravanserai-tools arena GAME --ratings` writes the
//! file.

use std::fmt::Write as _;

use crate::search::ComputerLevel;

/// The level that has the rating of a newcomer in all lists.
pub const ANCHOR_LEVEL: ComputerLevel = ComputerLevel::Medium;
/// Its rating, in displayed points.
pub const ANCHOR_POINTS: i32 = 1500;

/// The fixed rating of one level in one list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelRating {
    /// The end of the code of the list, such as `2`.
    pub list: String,
    /// The level.
    pub level: ComputerLevel,
    /// The rating in displayed points.
    pub points: i32,
    /// Half of the 95 % interval of the distance to [`ANCHOR_LEVEL`], in points.
    pub interval: u32,
    /// The games that the level has played in this list.
    pub games: u32,
}

impl LevelRating {
    /// Reads one line of a file; `None` if it is none.
    fn read(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [list, level, points, interval, games] = words[..] else { return None };
        Some(LevelRating {
            list: list.to_owned(),
            level: ComputerLevel::read(level)?,
            points: points.parse().ok()?,
            interval: interval.parse().ok()?,
            games: games.parse().ok()?,
        })
    }
}

/// Reads a file. Comments and lines that cannot be read are left out.
pub fn read_ratings(text: &str) -> impl Iterator<Item = LevelRating> {
    text.lines().filter(|it| !it.starts_with('#')).filter_map(LevelRating::read)
}

/// Writes a file with the command that measures these ratings.
pub fn write_ratings(ratings: &[LevelRating], command: &str) -> String {
    let mut text = String::new();
    let anchor = ANCHOR_LEVEL.code();
    let points = ANCHOR_POINTS;
    let _ = writeln!(text, "# Fixed ratings of the computer players, written by");
    let _ = writeln!(text, "# {command}");
    let _ = writeln!(text, "# By standard rules; {anchor} has the {points} points of a newcomer.");
    let _ = writeln!(text, "# list, level, rating, half of the 95 % interval, games");
    for LevelRating { list, level, points, interval, games } in ratings {
        let _ = writeln!(text, "{list} {} {points} {interval} {games}", level.code());
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::GameId;

    #[test]
    fn a_written_file_can_be_read() {
        let rating = |level, points| LevelRating {
            list: "3+".to_owned(),
            level,
            points,
            interval: 12,
            games: 800,
        };
        let all = [rating(ComputerLevel::Easy, 1390), rating(ComputerLevel::Master, 1720)];
        let text = write_ratings(&all, "some command");
        assert_eq!(read_ratings(&text).collect::<Vec<_>>(), all);
        assert!(text.contains("\n# some command\n"));
    }

    #[test]
    fn lines_that_are_none_have_no_rating() {
        for line in ["", "2", "2 genius 1500 0 0", "2 easy many 0 0", "2 easy 1400 0 0 0"] {
            assert_eq!(read_ratings(line).count(), 0, "{line}");
        }
    }

    #[test]
    fn every_line_of_the_files_of_all_games_is_a_rating_of_a_level() {
        for game in GameId::all() {
            let text = game.computer_ratings();
            let lines = text.lines().filter(|it| !it.starts_with('#')).count();
            let ratings: Vec<LevelRating> = read_ratings(text).collect();
            assert_eq!(ratings.len(), lines, "{game:?}");
            let names: BTreeSet<_> = ratings.iter().map(|it| (&it.list, it.level)).collect();
            assert_eq!(names.len(), lines, "{game:?} has a level twice");
        }
    }

    #[test]
    fn ratings_rise_with_the_level_and_medium_is_the_anchor() {
        for game in GameId::all() {
            let ratings: Vec<LevelRating> = read_ratings(game.computer_ratings()).collect();
            let lists: BTreeSet<&String> = ratings.iter().map(|it| &it.list).collect();
            for list in lists {
                let of = |level| ratings.iter().find(|it| it.list == *list && it.level == level);
                let points: Vec<i32> =
                    ComputerLevel::ALL.map(|it| of(it).expect("all levels").points).to_vec();
                assert!(points.is_sorted_by(|a, b| a < b), "{game:?} {list}: {points:?}");
                assert_eq!(of(ANCHOR_LEVEL).unwrap().points, ANCHOR_POINTS, "{game:?} {list}");
            }
        }
    }
}
