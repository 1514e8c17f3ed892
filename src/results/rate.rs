//! Applies one result to the records of its players: the step of the fold that computes ratings.
//!
//! Results are applied in the order of [`GameResult::order_key`]: by end, then by table. A late
//! result therefore means computing again from its place on.
//!
//! - A rated result changes ratings, counts and streaks.
//! - A casual result changes counts and streaks; the rating stays exactly as it is.
//! - An aborted result counts for nobody. Only the person who aborted it has it among their recent
//!   games, for the abuse checks; where nobody knows who ended the game, all players have it there.
//! - A person at several seats has no change from that game.
//! - A guest has a change like everybody; the caller drops it if the guest cannot come back.
//! - A player who was absent while a computer played for them loses points, but wins none.
//! - A new account that wins a very short game is not rated; the others are.
//! - Computers have fixed ratings and no records. Where one plays, on whichever side, the changes
//!   of all people are halved.
//! - Where three or more single players compete, people who gave up their seats are rated with the
//!   others, below all who stayed; among them, those who left first are last. A later player of
//!   such a seat is not rated, even if they give it up, too. In other games a person who gave up
//!   their seat has lost, and for the others the game is casual.
//! - A person who gave up a seat and took another one has only the loss of the seat that they left.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use caravanserai_games::ids::PersonId;

use crate::abuse_checks::{
    AbuseKind, AbuseWarning, PlayPause, WarningLevel, abuse_reasons, has_bad_endings,
    is_everywhere_limit_reached, is_pair_limit_reached, new_account_winners, pause_after,
    short_game_warning,
};
use crate::casual_reason::CasualReason;
use crate::game_ratings::next_ratings;
use crate::game_result::GameResult;
use crate::leaver_ratings::leaver_changes;
use crate::player_record::{BestRating, PlayerRecord};
use crate::rating::Rating;
use crate::rating_list::{RatingList, RatingSystem};
use crate::rating_scope::RatingScope;

/// The records of the players of a result in one scope, before it. They may be shared: a record is
/// copied only when it is changed while it is used elsewhere.
#[derive(Clone, Debug)]
pub struct ScopeRecords {
    /// The scope.
    pub scope: RatingScope,
    /// The record of each seat; `None` for newcomers and computers.
    pub by_seat: Vec<Option<Arc<PlayerRecord>>>,
    /// The record of each of [`GameResult::leavers`]; `None` for newcomers.
    pub leavers: Vec<Option<Arc<PlayerRecord>>>,
}

impl ScopeRecords {
    /// The records with those of the people who gave up their seats at these seats.
    pub(crate) fn with_leavers_seated(&self, result: &GameResult) -> ScopeRecords {
        let mut by_seat = self.by_seat.clone();
        by_seat.resize(result.seats.len(), None);
        for (at, leaver) in result.leavers.iter().enumerate() {
            let record = by_seat.get_mut(usize::from(leaver.seat));
            if let Some(record) = record.filter(|_| result.is_first_of_seat(at)) {
                *record = self.leavers.get(at).cloned().flatten();
            }
        }
        ScopeRecords { scope: self.scope.clone(), by_seat, leavers: Vec::new() }
    }
}

/// The consequences of one result.
#[derive(Clone, Debug)]
pub struct RatedResult {
    /// The list; `None` if no list fits, and then there are no changes.
    pub list: Option<RatingList>,
    /// Why the result is not rated among the games of all chats, in the order of
    /// [`CasualReason`]; empty if it is rated.
    pub reasons: Vec<CasualReason>,
    /// The changed records, by scope and seat.
    pub changes: Vec<RecordChange>,
    /// Warnings, at most one of each kind for a seat.
    pub warnings: Vec<AbuseWarning>,
}

/// The change of one record.
#[derive(Clone, Debug)]
pub struct RecordChange {
    /// The scope of the record.
    pub scope: RatingScope,
    /// The seat of the person.
    pub seat: u8,
    /// The person.
    pub person: PersonId,
    /// The needed part of the record before the game.
    pub before: RecordBefore,
    /// The record after the game.
    pub after: Arc<PlayerRecord>,
    /// The change of the displayed rating in points; for newcomers from that of a newcomer.
    pub rating_change: i32,
    /// Why the rating was not computed, in the order of [`CasualReason`]; empty if it was. In one
    /// game some players may be rated and others not: those who left, those who took over, and new
    /// accounts that won.
    pub casual: Vec<CasualReason>,
    /// Whether the game is among the recent ones of the record, for the abuse checks.
    pub is_watched: bool,
}

/// The part of a record before a result that is compared with the record after it; empty for
/// newcomers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecordBefore {
    /// Number of rated games.
    pub rated_games: u32,
    /// The best rating that was not provisional.
    pub best: Option<BestRating>,
    /// Number of achievements.
    pub achievements: usize,
    /// Losses in a row against the opponent, at a table for two.
    pub losses_in_a_row: u32,
    /// The last pause because of bad endings.
    pub pause: Option<PlayPause>,
    /// Whether many of the recent games ended badly, see [`has_bad_endings`].
    pub has_bad_endings: bool,
}

impl RecordBefore {
    /// That of the person at this seat.
    fn new(record: &PlayerRecord, result: &GameResult, seat: usize) -> Self {
        RecordBefore {
            rated_games: record.rated_games,
            best: record.best,
            achievements: record.achieved.len(),
            losses_in_a_row: record.losses_in_a_row(result, seat),
            pause: record.pause,
            has_bad_endings: has_bad_endings(record),
        }
    }
}

impl RatedResult {
    /// Whether ratings were computed.
    pub fn is_rated(&self) -> bool {
        self.reasons.is_empty()
    }

    /// Why ratings were not computed in this scope; empty if they were.
    /// [`CasualReason::PairLimitEverywhere`] alone leaves the lists of the chat.
    fn reasons_in(&self, scope: &RatingScope) -> Vec<CasualReason> {
        reasons_in_scope(self.reasons.iter().copied(), scope)
    }
}

/// Applies a result to the records of its players in all its scopes. `computer_rating` gives the
/// fixed rating of a computer level in this list, or `None` if it has none.
///
/// All scopes have the same reasons: abuse checks read the record with the most games of each
/// person, which is the one of [`RatingScope::OVERALL`] where it is given. Only the limit for the
/// games of a pair in all chats is no reason for the lists of one chat.
///
/// Takes the records that change out of the seats of `scopes`, and leaves the others there.
pub fn rate_result(
    result: &GameResult,
    scopes: &mut [ScopeRecords],
    computer_rating: &dyn Fn(&str) -> Option<Rating>,
) -> RatedResult {
    let list = RatingList::for_result(result);
    let (players, player_scopes) = rated_players(result, scopes);
    let computers = computer_ratings(&players, list.as_ref(), computer_rating);
    let reasons = casual_reasons(&players, &player_scopes, list.as_ref(), &computers);
    let new_winners = new_account_winners(&players, &fullest_records(&players, &player_scopes));
    let mut rated =
        RatedResult { list: list.clone(), reasons, changes: Vec::new(), warnings: Vec::new() };
    let Some(list) = list else { return rated };
    let ratings_in = |of_players: &ScopeRecords| {
        rated.reasons_in(&of_players.scope).is_empty().then(|| {
            let before = ratings_before(&players, of_players, list.system(), &computers);
            let after = next_ratings(&players, list.system(), &before);
            (before, after)
        })
    };
    let ratings: Vec<Option<(Vec<Rating>, Vec<Rating>)>> =
        player_scopes.iter().map(ratings_in).collect();
    drop(player_scopes);
    let of_leavers = leaver_changes(result, scopes, &list, computer_rating);
    for (records, ratings) in scopes.iter_mut().zip(ratings) {
        let reasons = rated.reasons_in(&records.scope);
        for seat in (0..result.seats.len()).filter(|it| !result.has_left(&result.seats[*it].person))
        {
            // Why this player is not rated in a game that is rated for the others.
            let own_reason = match result.was_given_up(seat) {
                true => Some(CasualReason::Substitute),
                false => new_winners.contains(&seat).then_some(CasualReason::NewAccount),
            };
            let ratings = ratings.as_ref().filter(|_| own_reason.is_none());
            let rating = match ratings {
                Some((_, after)) => Ok(after[seat]),
                None if reasons.is_empty() => Err(own_reason.into_iter().collect()),
                None => Err(reasons.clone()),
            };
            let seen = result.as_seen_from(seat);
            let change = record_change(&seen, records, seat, rating, list.system());
            let Some(mut change) = change else { continue };
            if let Some((before, _)) = ratings.filter(|_| records.scope.season.is_none()) {
                Arc::make_mut(&mut change.after).add_best_win(result, seat, before);
            }
            rated.changes.push(change);
        }
    }
    rated.changes.extend(of_leavers);
    rated.warnings = warnings(result, &rated.changes);
    rated
}

/// The result and the records of those among whom it is rated: of seats that were given up, the
/// people who left.
fn rated_players<'r>(
    result: &'r GameResult,
    scopes: &'r [ScopeRecords],
) -> (Cow<'r, GameResult>, Cow<'r, [ScopeRecords]>) {
    if !result.counts_with_leavers() {
        return (Cow::Borrowed(result), Cow::Borrowed(scopes));
    }
    let scopes: Vec<ScopeRecords> =
        scopes.iter().map(|it| it.with_leavers_seated(result)).collect();
    (Cow::Owned(result.with_leavers_seated()), Cow::Owned(scopes))
}

/// The reasons that keep a result from the lists of this scope: games beyond the limit of all chats
/// count for the lists of their chat.
pub(crate) fn reasons_in_scope(
    reasons: impl Iterator<Item = CasualReason>,
    scope: &RatingScope,
) -> Vec<CasualReason> {
    let is_of_chat = scope.chat.is_some();
    reasons.filter(|it| !it.spares_lists_of_chat() || !is_of_chat).collect()
}

/// The limits for the games of pairs that are reached: those that were decided when the game
/// started, or by the records before its end. A record counts the games that were rated in its
/// scope.
pub(crate) fn pair_limits(result: &GameResult, scopes: &[ScopeRecords]) -> Vec<CasualReason> {
    if let Some(limit) = result.pair_limit {
        return limit.reasons().to_vec();
    }
    let is_reached = scopes.iter().any(|it| is_pair_limit_reached(result, &it.by_seat));
    let mut of_all_chats = scopes.iter().filter(|it| it.scope.chat.is_none());
    let is_everywhere = of_all_chats.any(|it| is_everywhere_limit_reached(result, &it.by_seat));
    let limits =
        [(is_reached, CasualReason::PairLimit), (is_everywhere, CasualReason::PairLimitEverywhere)];
    limits.into_iter().filter(|(holds, _)| *holds).map(|(_, limit)| limit).collect()
}

/// The fixed ratings of the computers by seat, as far as they are known and fit the list.
pub(crate) fn computer_ratings(
    result: &GameResult,
    list: Option<&RatingList>,
    computer_rating: &dyn Fn(&str) -> Option<Rating>,
) -> Vec<Option<Rating>> {
    let fixed = |level: &str| {
        let system = list?.system();
        computer_rating(level).filter(|it| it.fits(system))
    };
    let seats = result.seats.iter();
    seats.map(|it| fixed(it.level.as_deref().filter(|_| it.is_computer)?)).collect()
}

/// All reasons why the result is not rated, sorted.
fn casual_reasons(
    result: &GameResult,
    scopes: &[ScopeRecords],
    list: Option<&RatingList>,
    computers: &[Option<Rating>],
) -> Vec<CasualReason> {
    let mut reasons: BTreeSet<CasualReason> = result.casual.iter().copied().collect();
    if list.is_none() {
        reasons.insert(CasualReason::NoList);
    }
    let mut seats = result.seats.iter().zip(computers);
    if seats.any(|(seat, rating)| seat.is_computer && rating.is_none()) {
        reasons.insert(CasualReason::ComputerUnrated);
    }
    if (0..result.seats.len()).any(|it| has_several_seats(result, it)) {
        reasons.insert(CasualReason::SamePerson);
    }
    reasons.extend(abuse_reasons(result, &fullest_records(result, scopes)));
    reasons.extend(pair_limits(result, scopes));
    reasons.into_iter().collect()
}

/// The record with the most games of each seat.
fn fullest_records<'r>(
    result: &GameResult,
    scopes: &'r [ScopeRecords],
) -> Vec<Option<&'r PlayerRecord>> {
    let fullest = |seat: usize| {
        let records = scopes.iter().filter_map(|it| it.by_seat.get(seat)?.as_deref());
        records.max_by_key(|it| it.games)
    };
    (0..result.seats.len()).map(fullest).collect()
}

fn has_several_seats(result: &GameResult, seat: usize) -> bool {
    let own = &result.seats[seat];
    let same = result.seats.iter().filter(|it| !it.is_computer && it.person == own.person);
    !own.is_computer && same.count() > 1
}

/// The ratings of all seats at the end of the game, before it counts.
pub(crate) fn ratings_before(
    result: &GameResult,
    records: &ScopeRecords,
    system: RatingSystem,
    computers: &[Option<Rating>],
) -> Vec<Rating> {
    let person = |seat: usize| {
        let rating = records.by_seat.get(seat)?.as_ref()?.rating_at(result.ended_ms);
        Some(rating).filter(|it| it.fits(system))
    };
    let rating = |seat: usize| computers[seat].or_else(|| person(seat));
    let seats = 0..result.seats.len();
    seats.map(|it| rating(it).unwrap_or_else(|| Rating::newcomer(system))).collect()
}

/// The change of the record of this seat, which is taken; `None` if it has none. `rating`: the
/// rating after the game, or why it stays as it is.
pub(crate) fn record_change(
    result: &GameResult,
    records: &mut ScopeRecords,
    seat: usize,
    rating: Result<Rating, Vec<CasualReason>>,
    system: RatingSystem,
) -> Option<RecordChange> {
    let number = u8::try_from(seat).ok()?;
    let player = &result.seats[seat];
    if player.is_computer || has_several_seats(result, seat) {
        return None;
    }
    let is_at_fault = result.seat_at_fault == Some(number) || result.is_message_lost();
    if result.is_aborted() && !is_at_fault {
        return None;
    }
    let (rating, casual) = match rating {
        Ok(rating) => (Some(rating), Vec::new()),
        Err(casual) => (None, casual),
    };
    let taken = records.by_seat.get_mut(seat).and_then(Option::take);
    let mut after = taken.unwrap_or_else(|| Arc::new(PlayerRecord::new(system)));
    let record = Arc::make_mut(&mut after);
    // The abuse checks do not see casual games: these cause no second pause by an earlier game.
    let is_watched = rating.is_some() || result.is_aborted();
    let before = RecordBefore::new(record, result, seat);
    let displayed = record.displayed_rating();
    if result.is_aborted() {
        record.add_abort(result, seat);
    } else {
        record.add_game(result, seat, rating);
        if records.scope.season.is_none() {
            record.add_statistics(result, seat);
        }
    }
    if is_watched {
        record.pause = pause_after(record).or(record.pause);
    }
    Some(RecordChange {
        scope: records.scope.clone(),
        seat: number,
        person: player.person.clone(),
        rating_change: record.displayed_rating() - displayed,
        before,
        after,
        casual,
        is_watched,
    })
}

/// The warnings that these changes cause, at most one of each kind for a person: the strictest. The
/// record of all games decides; the others would repeat its warnings later.
fn warnings(result: &GameResult, changes: &[RecordChange]) -> Vec<AbuseWarning> {
    let mut found: BTreeMap<(u8, AbuseKind, &PersonId), WarningLevel> = BTreeMap::new();
    let is_overall = |it: &&RecordChange| it.scope == RatingScope::OVERALL;
    let is_warned =
        |it: &&RecordChange| it.is_watched && (it.is_of_player(result) || it.is_of_leaver(result));
    for change in changes.iter().filter(is_overall).filter(is_warned) {
        let mut add = |kind: AbuseKind, level: WarningLevel| {
            let strictest = found.entry((change.seat, kind, &change.person)).or_insert(level);
            *strictest = level.max(*strictest);
        };
        let against_people = result.opponents(change.seat.into()).any(|it| !it.is_computer);
        if let Some((kind, level)) = short_game_warning(&change.after)
            && (against_people || kind != AbuseKind::Boosting)
        {
            add(kind, level);
        }
        let old_pause = change.before.pause;
        if let Some(pause) = change.after.pause.filter(|it| old_pause != Some(*it)) {
            add(AbuseKind::BadEndings, WarningLevel::Pause(pause.until_ms));
        } else if has_bad_endings(&change.after) && !change.before.has_bad_endings {
            add(AbuseKind::BadEndings, WarningLevel::Warning);
        }
    }
    let warning = |((seat, kind, person), level): ((u8, AbuseKind, &PersonId), WarningLevel)| {
        AbuseWarning { seat, person: person.clone(), kind, level }
    };
    found.into_iter().map(warning).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_result::{GameOutcome, MESSAGE_LOST_CODE};
    use crate::gaussian::{GaussianRating, MIN_SIGMA, START_MU};
    use crate::glicko::{GameWeight, GlickoRating};
    use crate::pair_limit::PairLimit;
    use crate::plackett_luce::rate_race;
    use crate::player_record::Ending;
    use crate::test_data::{
        MINUTE_MS, START_MS, TestRandom, changes, game, gaussian_computer, glicko_computer,
        newcomers, no_computer, partners, rate_newcomers, seat_computer,
    };
    use crate::weng_lin::rate_round;
    use caravanserai_games::time_units::DAY_MS;

    #[test]
    fn a_rated_game_moves_both_players_in_both_scopes() {
        let mut scopes = [RatingScope::OVERALL, RatingScope::of_chat("tg:-5")]
            .map(|scope| ScopeRecords { scope, by_seat: vec![None, None], leavers: Vec::new() });
        let rated = rate_result(&game(&[("a", 1), ("b", 0)]), &mut scopes, &no_computer);
        assert!(rated.is_rated() && rated.warnings.is_empty());
        assert_eq!(rated.list.as_ref().unwrap().code(), "togyz.2");
        assert_eq!(rated.changes.len(), 4);
        let [won, lost, ..] = changes(&rated)[..] else { panic!("four changes") };
        assert_eq!(won, -lost);
        assert!(won > 100);
        let record = &rated.changes[3].after;
        assert_eq!((record.games, record.losses, record.rated_games), (1, 1, 1));
        assert_eq!(rated.changes[3].scope, RatingScope::of_chat("tg:-5"));
    }

    #[test]
    fn a_casual_game_counts_but_leaves_the_rating_untouched() {
        let mut result = game(&[("a", 1), ("b", 0)]);
        result.casual = vec![CasualReason::Takeback, CasualReason::Hints];
        let rated = rate_newcomers(&result);
        assert_eq!(rated.reasons, [CasualReason::Hints, CasualReason::Takeback]);
        assert_eq!(changes(&rated), [0, 0]);
        let record = &rated.changes[0].after;
        assert_eq!(record.rating, Rating::newcomer(RatingSystem::Glicko2));
        assert_eq!((record.games, record.wins, record.rated_games), (1, 1, 0));
    }

    #[test]
    fn an_aborted_game_counts_for_nobody_and_is_remembered_of_who_aborted_it() {
        let mut result = game(&[("a", 0), ("b", 0)]);
        result.casual = vec![CasualReason::Aborted];
        assert!(rate_newcomers(&result).changes.is_empty());
        result.seat_at_fault = Some(1);
        let rated = rate_newcomers(&result);
        let [change] = &rated.changes[..] else { panic!("one change") };
        assert_eq!((change.seat, change.after.games, change.after.recent.len()), (1, 0, 1));
    }

    /// A person who does that again and again is noticed; the others meet different people.
    #[test]
    fn a_game_whose_message_was_deleted_is_remembered_of_all_its_players() {
        let mut result = game(&[("a", 0), ("b", 0)]);
        result.casual = vec![CasualReason::Aborted];
        result.end_reason = MESSAGE_LOST_CODE.to_owned();
        let rated = rate_newcomers(&result);
        let known = |it: &RecordChange| (it.seat, it.after.games, it.after.recent.len());
        assert_eq!(rated.changes.iter().map(known).collect::<Vec<_>>(), [(0, 0, 1), (1, 0, 1)]);
    }

    #[test]
    fn a_computer_of_unknown_rating_makes_a_game_casual() {
        let mut result = game(&[("a", 1), ("b", 0)]);
        seat_computer(&mut result, 1, "easy");
        let rated = rate_result(&result, &mut newcomers(), &glicko_computer);
        assert_eq!(rated.reasons, [CasualReason::ComputerUnrated]);
        seat_computer(&mut result, 1, "strong");
        let rated = rate_result(&result, &mut newcomers(), &gaussian_computer);
        assert_eq!(rated.reasons, [CasualReason::ComputerUnrated]);
        assert_eq!(rated.changes.len(), 1);
    }

    #[test]
    fn a_game_with_a_computer_counts_half_and_only_for_the_person() {
        let mut result = game(&[("a", 1), ("b", 0)]);
        seat_computer(&mut result, 1, "strong");
        let rated = rate_result(&result, &mut newcomers(), &glicko_computer);
        let Some(Rating::Glicko(computer)) = glicko_computer("strong") else { panic!("glicko") };
        let full = GlickoRating::NEW.after_game(computer, GameOutcome::Win, GameWeight::Full);
        let half = ((full.rating - 1500.0) / 2.0).round() as i32;
        assert_eq!(changes(&rated), [half]);
        let mut bots = result.clone();
        seat_computer(&mut bots, 0, "strong");
        assert!(rate_result(&bots, &mut newcomers(), &glicko_computer).changes.is_empty());
    }

    #[test]
    fn a_limit_that_was_decided_at_the_start_is_independent_of_the_games_that_ended() {
        let mut record = PlayerRecord::new(RatingSystem::Glicko2);
        let mut result = game(&[("a", 1), ("b", 0)]);
        let rating = record.rating;
        (0..12).for_each(|_| record.add_game(&result, 0, Some(rating)));
        let reasons = |result: &GameResult, record: Option<&PlayerRecord>| {
            let mut scopes = [RatingScope::OVERALL, RatingScope::of_chat("tg:-5")].map(|scope| {
                let by_seat = vec![record.cloned().map(Arc::new), None];
                ScopeRecords { scope, by_seat, leavers: Vec::new() }
            });
            rate_result(result, &mut scopes, &no_computer).reasons
        };
        assert!(!reasons(&result, Some(&record)).is_empty(), "it began in an earlier version");
        for limit in PairLimit::ALL {
            result.pair_limit = Some(limit);
            for record in [None, Some(&record)] {
                assert_eq!(reasons(&result, record), limit.reasons(), "{limit:?}");
            }
        }
    }

    /// The warnings about the endings of the games of the first player, who lost these on time.
    fn ending_warnings(lost: impl IntoIterator<Item = bool>) -> Vec<Option<WarningLevel>> {
        let mut record: Option<Arc<PlayerRecord>> = None;
        let mut ended_ms = START_MS;
        let mut play = |is_lost: bool| {
            let mut result = game(&[("a", i32::from(!is_lost)), ("b", i32::from(is_lost))]);
            ended_ms += DAY_MS;
            result.ended_ms = ended_ms;
            if is_lost {
                result.end_reason = "late".to_owned();
                result.seat_at_fault = Some(0);
            }
            let by_seat = vec![record.take(), None];
            let scope = RatingScope::OVERALL;
            let mut scopes = [ScopeRecords { scope, by_seat, leavers: Vec::new() }];
            let rated = rate_result(&result, &mut scopes, &no_computer);
            record = rated.changes.first().map(|it| it.after.clone());
            rated.warnings.first().map(|it| it.level)
        };
        lost.into_iter().map(&mut play).collect()
    }

    /// However many games a person has played, one game more is enough to know better.
    #[test]
    fn everybody_is_warned_once_before_their_first_pause() {
        for fair in 0..12 {
            let games = std::iter::repeat_n(false, fair).chain(std::iter::repeat_n(true, 6));
            let found: Vec<WarningLevel> = ending_warnings(games).into_iter().flatten().collect();
            assert_eq!(found[0], WarningLevel::Warning, "after {fair} fair games");
            assert!(matches!(found[1], WarningLevel::Pause(_)), "after {fair} fair games");
        }
    }

    #[test]
    fn a_person_who_has_improved_is_warned_again() {
        let lost = [true, true, true, false, false, false, false, false, false, false, true, true];
        let found = ending_warnings(lost);
        let warned = |it: &usize| found[*it] == Some(WarningLevel::Warning);
        assert_eq!((0..lost.len()).filter(warned).collect::<Vec<_>>(), [2, 10]);
        assert!(matches!(found[11], Some(WarningLevel::Pause(_))), "who has not improved pauses");
        assert_eq!(found.iter().flatten().count(), 3);
    }

    /// A game against a computer, or a casual one, after a warning or a pause says nothing new.
    #[test]
    fn a_casual_game_repeats_no_warning_and_no_pause() {
        for aborted in [3, 6] {
            let mut record = PlayerRecord::new(RatingSystem::Glicko2);
            let mut result = game(&[("a", 1), ("b", 0)]);
            (0..aborted).for_each(|_| record.add_abort(&result, 0));
            record.pause = pause_after(&record);
            result.casual = vec![CasualReason::Chosen];
            let by_seat = vec![Some(Arc::new(record.clone())), None];
            let scope = RatingScope::OVERALL;
            let mut scopes = [ScopeRecords { scope, by_seat, leavers: Vec::new() }];
            let rated = rate_result(&result, &mut scopes, &no_computer);
            assert_eq!(rated.warnings, []);
            assert_eq!(rated.changes[0].after.pause, record.pause);
        }
    }

    #[test]
    fn a_player_who_was_absent_loses_points_but_wins_none() {
        let played = rate_newcomers(&game(&[("a", 3), ("b", 2), ("c", 1)]));
        let [won, _, lost] = changes(&played)[..] else { panic!("three changes") };
        assert!(won > 0 && lost < 0);
        let mut result = game(&[("a", 3), ("b", 2), ("c", 1)]);
        result.seats[0].is_absent = true;
        let absent = rate_newcomers(&result);
        assert!(absent.is_rated());
        assert_eq!(changes(&absent)[0], 0);
        assert_eq!(changes(&absent)[1..], changes(&played)[1..]);
        let record = &absent.changes[0].after;
        assert_eq!((record.wins, record.rated_games), (1, 1));
        assert_eq!(record.recent[0].ending, Ending::TimedOut);
        result.seats[0].score = 0;
        assert!(changes(&rate_newcomers(&result))[0] < 0);
        // A casual game is no reason for a warning.
        result.casual = vec![CasualReason::Chosen];
        let casual = rate_newcomers(&result);
        assert!(casual.changes[0].after.recent.is_empty());
    }

    /// Otherwise the loser could choose that the game does not count, by a quick end.
    #[test]
    fn a_quick_win_of_a_new_account_counts_for_the_others_alone() {
        for mut result in [game(&[("a", 1), ("b", 0)]), game(&[("a", 3), ("b", 2), ("c", 1)])] {
            let usual = changes(&rate_newcomers(&result));
            result.seats[0].known_since_ms = Some(result.started_ms);
            result.steps = 3;
            let rated = rate_newcomers(&result);
            assert!(rated.is_rated());
            assert_eq!(changes(&rated)[0], 0);
            assert_eq!(changes(&rated)[1..], usual[1..]);
            let [won, lost] = [0, 1].map(|it| &rated.changes[it]);
            assert_eq!(won.casual, [CasualReason::NewAccount]);
            assert_eq!((won.after.wins, won.after.rated_games), (1, 0));
            assert!(lost.casual.is_empty() && lost.after.rated_games == 1);
            // A loss of a new account counts.
            result.seats[0].score = -1;
            let rated = rate_newcomers(&result);
            assert!(rated.changes.iter().all(|it| it.casual.is_empty()));
        }
    }

    #[test]
    fn a_person_who_plays_against_themself_has_no_change() {
        let rated = rate_newcomers(&game(&[("a", 1), ("a", 0)]));
        assert_eq!(rated.reasons, [CasualReason::SamePerson]);
        assert!(rated.changes.is_empty());
        let rated = rate_newcomers(&game(&[("a", 1), ("a", 0), ("b", 0)]));
        assert_eq!(rated.changes.len(), 1);
    }

    #[test]
    fn a_result_without_a_list_changes_nothing() {
        let rated = rate_newcomers(&game(&[("a", 1)]));
        assert_eq!(rated.reasons, [CasualReason::NoList]);
        assert!(rated.changes.is_empty() && rated.list.is_none());
    }

    #[test]
    fn partners_are_rated_by_rounds_and_not_by_the_game() {
        let mut result = partners([10, 0]);
        result.rounds = vec![vec![1, 5, 1, 5], vec![1, 5, 1, 5], vec![90, 0, 90, 0]];
        let rated = rate_newcomers(&result);
        let found = changes(&rated);
        assert!(found[0] < 0 && found[1] > 0, "{found:?}");
        assert_eq!((found[0], found[1]), (found[2], found[3]));
        assert_eq!((rated.changes[0].after.wins, rated.changes[0].after.rated_games), (1, 1));
    }

    #[test]
    fn a_race_moves_players_by_their_places() {
        let rated = rate_newcomers(&game(&[("a", 0), ("b", 3), ("c", 1), ("d", 2)]));
        let found = changes(&rated);
        assert!(found[1] > found[3] && found[3] > found[2] && found[2] > found[0], "{found:?}");
        // Mu 27.795 of the reference is 84 points above that of a newcomer.
        assert_eq!(found[1], 84);
    }

    #[test]
    fn a_computer_among_partners_or_in_a_race_halves_all_changes() {
        let new = GaussianRating::newcomer();
        let Some(Rating::Gaussian(bot)) = gaussian_computer("") else { panic!("gaussian") };
        let race = rate_race(&[new, bot, new], &[3, 2, 1])[0];
        let ([round, _], _) = rate_round([new, new], [bot, new], GameOutcome::Win);
        let cases = [(game(&[("a", 3), ("b", 2), ("c", 1)]), race), (partners([1, 0]), round)];
        for (mut result, full) in cases {
            seat_computer(&mut result, 1, "strong");
            let rated = rate_result(&result, &mut newcomers(), &gaussian_computer);
            assert!(rated.is_rated());
            assert_eq!(rated.changes.len(), result.seats.len() - 1);
            let Rating::Gaussian(after) = rated.changes[0].after.rating else { panic!("gaussian") };
            assert!((after.mu - (new.mu + full.mu) / 2.0).abs() < 1e-8);
            assert!((after.sigma - (new.sigma + full.sigma) / 2.0).abs() < 1e-8);
        }
    }

    #[test]
    fn a_thousand_rounds_leave_ratings_certain_but_able_to_move() {
        let mut by_seat = vec![None; 4];
        let mut result = partners([1, 0]);
        result.rounds = (0..100).map(|it| vec![it % 2, 1 - it % 2, it % 2, 1 - it % 2]).collect();
        for _ in 0..10 {
            let mut scopes =
                [ScopeRecords { scope: RatingScope::OVERALL, by_seat, leavers: Vec::new() }];
            let rated = rate_result(&result, &mut scopes, &no_computer);
            by_seat = rated.changes.into_iter().map(|it| Some(it.after)).collect();
        }
        for record in by_seat {
            let Some(Rating::Gaussian(rating)) = record.map(|it| it.rating) else {
                panic!("a rating")
            };
            assert!((rating.mu - START_MU).abs() < 3.0, "{rating:?}");
            assert!(rating.sigma >= MIN_SIGMA && rating.sigma < 2.0, "{rating:?}");
        }
    }

    #[test]
    fn guards_apply_in_all_scopes_alike() {
        let scopes = || {
            [RatingScope::OVERALL, RatingScope::of_chat("tg:-6")].map(|scope| ScopeRecords {
                scope,
                by_seat: vec![None, None],
                leavers: Vec::new(),
            })
        };
        let mut scopes = scopes();
        let mut result = game(&[("a", 1), ("b", 0)]);
        for number in 0..7 {
            result.ended_ms += MINUTE_MS;
            let rated = rate_result(&result, &mut scopes[..], &no_computer);
            assert_eq!(rated.is_rated(), number < 5);
            for change in rated.changes {
                let records = if change.scope == RatingScope::OVERALL { 0 } else { 1 };
                scopes[records].by_seat[usize::from(change.seat)] = Some(change.after);
            }
            // The records of the chat were lost: the others decide.
            scopes[1].by_seat = vec![None, None];
        }
    }

    /// Rates games of "a" and "b" one after the other, each in the chat of this name. Returns for
    /// each game the reasons, and in how many records it is rated: among all games and in the chat.
    fn rate_in_chats(chats: &[&str]) -> Vec<(Vec<CasualReason>, [usize; 2])> {
        let mut records: BTreeMap<(RatingScope, String), Arc<PlayerRecord>> = BTreeMap::new();
        let mut result = game(&[("a", 1), ("b", 0)]);
        let mut rate = |chat: &&str| {
            result.ended_ms += 1_000;
            result.chat = (*chat).to_owned();
            let by_seat = |scope: &RatingScope| {
                ["a", "b"].map(|it| records.get(&(scope.clone(), it.to_owned())).cloned()).to_vec()
            };
            let mut scopes: Vec<ScopeRecords> = RatingScope::all_of(chat, result.ended_ms)
                .into_iter()
                .map(|scope| ScopeRecords { by_seat: by_seat(&scope), scope, leavers: Vec::new() })
                .collect();
            let rated = rate_result(&result, &mut scopes, &no_computer);
            let mut rated_in = [0, 0];
            for change in rated.changes {
                let is_chat = usize::from(change.scope.chat.is_some());
                let before = change.before.rated_games;
                rated_in[is_chat] += usize::from(change.after.rated_games > before);
                records.insert((change.scope, change.person.0), change.after);
            }
            (rated.reasons, rated_in)
        };
        chats.iter().map(&mut rate).collect()
    }

    #[test]
    fn a_pair_that_changes_rooms_has_ten_rated_games_a_day_in_all_of_them() {
        let mut chats = vec!["web:one"; 5];
        chats.extend(["web:two"; 6]);
        chats.extend(["web:three"; 6]);
        chats.push("");
        let found = rate_in_chats(&chats);
        let everywhere = CasualReason::PairLimitEverywhere;
        for (n, (reasons, rated_in)) in found.iter().enumerate() {
            // Both players, for good and for the month.
            let (expected, moves) = match n {
                0..10 => (vec![], [4, 4]),
                10 => (vec![CasualReason::PairLimit, everywhere], [0, 0]),
                // The lists of the third room have a limit of their own.
                11..16 => (vec![everywhere], [0, 4]),
                16 => (vec![CasualReason::PairLimit, everywhere], [0, 0]),
                _ => (vec![everywhere], [0, 0]),
            };
            assert_eq!((reasons, *rated_in), (&expected, moves), "game {n}");
        }
    }

    #[test]
    fn ten_games_aborted_in_a_row_earn_a_word_and_then_a_pause() {
        let mut record: Option<Arc<PlayerRecord>> = None;
        let mut result = game(&[("a", 0), ("b", 0)]);
        result.casual = vec![CasualReason::Aborted];
        result.seat_at_fault = Some(0);
        let mut levels = Vec::new();
        for _ in 0..6 {
            result.ended_ms += MINUTE_MS;
            let by_seat = vec![record.take(), None];
            let mut scopes =
                [ScopeRecords { scope: RatingScope::OVERALL, by_seat, leavers: Vec::new() }];
            let rated = rate_result(&result, &mut scopes, &no_computer);
            levels.extend(rated.warnings.iter().map(|it| (it.seat, it.kind, it.level)));
            record = rated.changes.into_iter().next().map(|it| it.after);
        }
        let until_ms = result.ended_ms + 10 * MINUTE_MS;
        let kind = AbuseKind::BadEndings;
        assert_eq!(
            levels,
            [(0, kind, WarningLevel::Warning), (0, kind, WarningLevel::Pause(until_ms))]
        );
        let record = record.unwrap();
        assert_eq!((record.games, record.last_ms), (0, result.ended_ms));
    }

    #[test]
    fn short_losses_are_reported_and_still_rated() {
        let mut records: Vec<Option<Arc<PlayerRecord>>> = vec![None, None];
        let mut result = game(&[("a", 1), ("b", 0)]);
        result.steps = 6;
        let mut levels = Vec::new();
        for _ in 0..4 {
            result.ended_ms += MINUTE_MS;
            let by_seat = records.clone();
            let mut scopes =
                [ScopeRecords { scope: RatingScope::OVERALL, by_seat, leavers: Vec::new() }];
            let rated = rate_result(&result, &mut scopes, &no_computer);
            assert!(rated.is_rated());
            levels.push(rated.warnings.clone());
            records = rated.changes.into_iter().map(|it| Some(it.after)).collect();
        }
        let warning = |seat: u8, kind, level| {
            let person = result.seats[usize::from(seat)].person.clone();
            AbuseWarning { seat, person, kind, level }
        };
        assert!(levels[..2].iter().all(Vec::is_empty));
        for (found, level) in levels[2..].iter().zip([WarningLevel::Warning, WarningLevel::Report])
        {
            let expected =
                [warning(0, AbuseKind::Boosting, level), warning(1, AbuseKind::Sandbagging, level)];
            assert_eq!(found[..], expected);
        }
    }

    /// Random games of six people; their records are kept as they are, or as stored text.
    fn fold_random_games(stores_text: bool) -> BTreeMap<String, Arc<PlayerRecord>> {
        let mut random = TestRandom(11);
        let mut records: BTreeMap<String, Arc<PlayerRecord>> = BTreeMap::new();
        let mut ended_ms = game(&[]).ended_ms;
        for _ in 0..500 {
            let first = random.below(6);
            let people = [first, (first + 1 + random.below(5)) % 6].map(|it| format!("tg:{it}"));
            let mut result = game(&[(&people[0], random.below(3) as i32), (&people[1], 1)]);
            ended_ms += random.below(600) * MINUTE_MS;
            result.ended_ms = ended_ms;
            let by_seat = people.iter().map(|it| records.get(it).cloned()).collect();
            let mut scopes =
                [ScopeRecords { scope: RatingScope::OVERALL, by_seat, leavers: Vec::new() }];
            for change in rate_result(&result, &mut scopes, &no_computer).changes {
                let mut after = change.after;
                if stores_text {
                    let json = serde_json::to_string(&*after).unwrap();
                    after = Arc::new(serde_json::from_str(&json).unwrap());
                }
                records.insert(change.person.0, after);
            }
        }
        records
    }

    #[test]
    fn a_fold_through_stored_records_is_equal_bit_for_bit() {
        let kept = fold_random_games(false);
        assert_eq!(kept, fold_random_games(true));
        assert!(kept.values().any(|it| !it.rating.is_provisional()));
    }
}
