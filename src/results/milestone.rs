//! Finds the milestones of a game, which get a kind line under its result.
//!
//! A milestone follows from the records before and after the game. In a group only the games of
//! that group count, so that nothing about other chats becomes known there.

use serde::{Deserialize, Serialize};

use crate::game_result::{GameOutcome, GameResult, Leaver};
use crate::rate::{RatedResult, RecordChange};
use crate::rating_scope::RatingScope;

/// The fewest losses in a row against an opponent after which a win is a milestone.
pub const LOSSES_MIN: u32 = 3;

/// A streak of so many wins, and each multiple of it, is a milestone.
pub const STREAK_STEP: i32 = 5;

/// A positive fact about the winner of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Milestone {
    /// A win after so many losses in a row against the same opponent, at a table for two.
    WinAfterLosses {
        /// The seat of the opponent.
        opponent: u8,
        /// The losses.
        losses: u32,
    },
    /// The first win in the list.
    FirstWin,
    /// A rating higher than every certain one before.
    BestRating(i32),
    /// So many wins in a row.
    Streak(u32),
}

/// A milestone, and who has reached it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SeatMilestone {
    /// The milestone that was reached.
    pub milestone: Milestone,
    /// The seat of the person.
    pub seat: u8,
}

impl RatedResult {
    /// The milestone of a game: that of the winner whose milestone comes first in the order of
    /// [`Milestone`]. `None` for an ordinary game.
    pub fn milestone(&self, result: &GameResult) -> Option<SeatMilestone> {
        let scope = RatingScope::shown_in(&result.chat);
        let reached = |change: &RecordChange| {
            let seat = change.seat;
            let has_won = result.outcome_in_record(usize::from(seat)) == GameOutcome::Win;
            let has_won = has_won && !result.seats[usize::from(seat)].is_absent;
            let milestone = has_won.then(|| milestone_of(change))??;
            Some(SeatMilestone { milestone, seat })
        };
        let own = self.changes.iter().filter(|it| it.scope == scope && it.is_of_player(result));
        own.filter_map(reached).min()
    }
}

impl RecordChange {
    /// Whether this is the change of a player of the game who still has an account, and not of
    /// a person who gave up a seat.
    pub(crate) fn is_of_player(&self, result: &GameResult) -> bool {
        let player = result.seats.get(usize::from(self.seat));
        let is_seated = player.is_some_and(|it| it.person == self.person);
        is_seated && !result.has_left(&self.person) && !self.person.is_deleted()
    }

    /// Whether this is the change of a person who gave up this seat and still has an account.
    pub(crate) fn is_of_leaver(&self, result: &GameResult) -> bool {
        let is_it = |it: &Leaver| it.seat == self.seat && it.person == self.person;
        result.leavers.iter().any(is_it) && !self.person.is_deleted()
    }
}

fn milestone_of(change: &RecordChange) -> Option<Milestone> {
    let before = change.before;
    let after = &*change.after;
    let losses = before.losses_in_a_row;
    if losses >= LOSSES_MIN {
        return Some(Milestone::WinAfterLosses { opponent: 1 - change.seat.min(1), losses });
    }
    if after.wins == 1 {
        return Some(Milestone::FirstWin);
    }
    let best = after.best.map(|it| it.displayed);
    let earlier = before.best;
    if let (Some(best), Some(earlier)) = (best, earlier)
        && best > earlier.displayed
    {
        return Some(Milestone::BestRating(best));
    }
    let streak = u32::try_from(after.streak).ok()?;
    (after.streak % STREAK_STEP == 0).then_some(Milestone::Streak(streak))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::casual_reason::CasualReason;
    use crate::player_record::PlayerRecord;
    use crate::rate::{ScopeRecords, rate_result};
    use crate::test_data::{MINUTE_MS, game, seat_computer};

    /// The milestones of these games, one after the other; all of them count in all scopes.
    fn milestones(games: &[GameResult]) -> Vec<Option<Milestone>> {
        let mut records: Vec<(RatingScope, String, Arc<PlayerRecord>)> = Vec::new();
        let mut found = Vec::new();
        for (n, game) in (1..).zip(games) {
            let mut game = game.clone();
            game.ended_ms += n * 60 * MINUTE_MS;
            let mut scopes: Vec<ScopeRecords> = RatingScope::all_of(&game.chat, game.ended_ms)
                .into_iter()
                .map(|scope| {
                    let record = |person: &str| {
                        let is_it = |(of, name, _): &&(RatingScope, String, Arc<PlayerRecord>)| {
                            *of == scope && name == person
                        };
                        records.iter().find(is_it).map(|it| it.2.clone())
                    };
                    let by_seat = game.seats.iter().map(|it| record(&it.person.0)).collect();
                    ScopeRecords { scope, by_seat, leavers: Vec::new() }
                })
                .collect();
            let rated = rate_result(&game, &mut scopes, &|_| None);
            found.push(rated.milestone(&game).map(|it| it.milestone));
            for change in rated.changes {
                records.retain(|it| it.0 != change.scope || it.1 != change.person.0);
                records.push((change.scope, change.person.0, change.after));
            }
        }
        found
    }

    fn in_chat(chat: &str, game: GameResult) -> GameResult {
        GameResult { chat: chat.to_owned(), ..game }
    }

    #[test]
    fn the_first_win_is_a_milestone_for_both() {
        let games = [game(&[("a", 2), ("b", 0)]), game(&[("a", 0), ("b", 2)])];
        assert_eq!(milestones(&games), [Some(Milestone::FirstWin); 2]);
        assert_eq!(milestones(&[game(&[("a", 1), ("b", 1)])]), [None]);
    }

    #[test]
    fn a_win_after_losses_counts_those_of_the_same_chat_in_a_row() {
        let won = game(&[("a", 2), ("b", 0)]);
        let lost = game(&[("a", 0), ("b", 2)]);
        let mut games = vec![won.clone(), lost.clone(), lost.clone(), lost.clone()];
        games.push(in_chat("tg:-7", lost.clone()));
        games.push(won.clone());
        games.push(lost);
        games.push(won);
        let milestones = milestones(&games);
        let expected = Milestone::WinAfterLosses { opponent: 1, losses: 3 };
        assert_eq!(milestones[5], Some(expected));
        assert_eq!(milestones[7], None, "one loss is no milestone");
        // The first win of all is one, too, but the losses tell more.
        assert_eq!(self::milestones(&games[1..6])[4], Some(expected));
    }

    #[test]
    fn losses_against_a_computer_count_by_its_level() {
        let with_level = |scores: [i32; 2], level: &str| {
            let mut result = game(&[("a", scores[0]), ("", scores[1])]);
            seat_computer(&mut result, 1, level);
            result.casual = vec![CasualReason::ComputerUnrated];
            result
        };
        let mut games = vec![with_level([1, 0], "beginner")];
        games.extend(vec![with_level([0, 1], "hard"); 4]);
        games.push(with_level([1, 0], "beginner"));
        games.push(with_level([1, 0], "hard"));
        let expected = Milestone::WinAfterLosses { opponent: 1, losses: 4 };
        assert_eq!(milestones(&games)[5..], [None, Some(expected)]);
    }

    #[test]
    fn every_fifth_win_in_a_row_is_a_milestone() {
        // Against ever new opponents, so that none of these games is guarded.
        let games: Vec<GameResult> =
            (0..10).map(|n| game(&[("a", 2), (&format!("b{n}"), 0)])).collect();
        let found = milestones(&games);
        assert_eq!(found[4], Some(Milestone::Streak(5)));
    }

    #[test]
    fn a_person_who_was_deleted_has_no_milestone() {
        let deleted = caravanserai_games::ids::PersonId::deleted("abcdefgh");
        assert_eq!(milestones(&[game(&[(&deleted.0, 2), ("b", 0)])]), [None]);
    }
}
