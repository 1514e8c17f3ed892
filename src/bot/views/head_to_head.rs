//! The games between two people, as a chart.

use super::rating_curve::{INKS, side_mark};
use crate::results::row_formats::HistoryEntry;
use caravanserai_games::chart::{ChartLine, ChartSample};
use caravanserai_games::ids::PersonId;
use caravanserai_results::{GameOutcome, RatingList, RatingSystem};

/// The fewest games of which there is a chart.
const GAMES_MIN: usize = 2;

/// How many games a person has won and lost against another one, game by game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadToHeadCurve {
    /// The name of the person and that of the other one, as they were in their last game.
    pub names: [String; 2],
    /// The lines, with the numbers of today.
    pub sample: ChartSample,
    /// The games won and lost before the first game, and after each.
    pub values: Vec<Vec<i32>>,
}

impl HeadToHeadCurve {
    /// The chart of games of a person with this opponent, the latest first; `None` if there are
    /// few.
    pub fn of_games(games: &[HistoryEntry], opponent: &PersonId) -> Option<Self> {
        let last = games.first().filter(|_| games.len() >= GAMES_MIN)?;
        let own = last.players.get(usize::from(last.seat))?.name.clone();
        let other = last.opponents().find(|it| it.person == *opponent)?.name.clone();
        let mut score = vec![0, 0];
        let mut values = vec![score.clone()];
        for game in games.iter().rev() {
            match game.outcome {
                GameOutcome::Win => score[0] += 1,
                GameOutcome::Loss if has_won(game, opponent) => score[1] += 1,
                GameOutcome::Loss | GameOutcome::Draw => {}
            }
            values.push(score.clone());
        }
        let marks = [side_mark(&last.game, 0)?, side_mark(&last.game, 1)?];
        let lines = (0..).zip(marks.into_iter().zip(INKS)).zip(score);
        let line = |((n, (mark, ink)), value)| ChartLine { seats: vec![n], mark, ink, value };
        let sample = ChartSample { lines: lines.map(line).collect(), goal: None };
        Some(HeadToHeadCurve { names: [own, other], sample, values })
    }
}

/// Whether this opponent has won a game that the person has lost. In a race another one may have.
pub(super) fn has_won(game: &HistoryEntry, opponent: &PersonId) -> bool {
    let is_race =
        RatingList::parse(&game.list).is_some_and(|it| it.system() == RatingSystem::PlackettLuce);
    let best = game.players.iter().map(|it| it.score).max();
    let mut own = game.players.iter().filter(|it| it.person == *opponent);
    !is_race || own.any(|it| Some(it.score) == best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::row_formats::{HistoryPlayer, RatingChange};
    use crate::views::result_views::ResultCounts;
    use caravanserai_games::GameId;
    use caravanserai_games::ids::TableId;

    fn game(outcome: GameOutcome, seat: u8) -> HistoryEntry {
        let player = |person: &str| HistoryPlayer {
            person: PersonId(person.into()),
            name: person.to_uppercase(),
            level: None,
            score: 0,
        };
        let mut players = vec![player("ann"), player("bek")];
        players.rotate_left(usize::from(seat));
        HistoryEntry {
            table: TableId("7k3fx".into()),
            game: GameId::all()[0].info().code.into(),
            list: format!("{}.2", GameId::all()[0].info().code),
            ended_ms: 0,
            chat: String::new(),
            seat,
            outcome,
            players,
            rating: RatingChange::default(),
            casual: Vec::new(),
            options: String::new(),
            clock: String::new(),
        }
    }

    #[test]
    fn both_lines_rise_with_the_games_of_their_side() {
        let win = GameOutcome::Win;
        let draw = GameOutcome::Draw;
        let loss = GameOutcome::Loss;
        let latest_first = [game(win, 1), game(draw, 0), game(loss, 0), game(win, 0)];
        let bek = PersonId("bek".into());
        let curve = HeadToHeadCurve::of_games(&latest_first, &bek).expect("four games");
        assert_eq!(curve.values, [[0, 0], [1, 0], [1, 1], [1, 1], [2, 1]]);
        assert_eq!(
            (curve.names, curve.sample.values()),
            (["ANN".into(), "BEK".into()], vec![2, 1])
        );
        assert_eq!(HeadToHeadCurve::of_games(&latest_first[..1], &bek), None);
    }

    #[test]
    fn a_race_that_another_one_wins_is_a_win_of_neither() {
        let race = |winner: usize| {
            let mut race = game(GameOutcome::Loss, 0);
            race.list = format!("{}.3+", race.game);
            race.players
                .push(HistoryPlayer { person: PersonId("cyd".into()), ..race.players[1].clone() });
            race.players[winner].score = 1;
            race
        };
        let bek = PersonId("bek".into());
        let races = [race(2), race(1)];
        let curve = HeadToHeadCurve::of_games(&races, &bek).expect("two games");
        assert_eq!(curve.values, [[0, 0], [0, 1], [0, 1]]);
        let counts = ResultCounts::against(&races, &bek);
        assert_eq!((counts.won, counts.drawn, counts.lost), (0, 0, 1));
    }
}
