//! Describes one finished game: the fact from which ratings and statistics are computed.

use std::borrow::Cow;
use std::collections::BTreeMap;

use caravanserai_games::ids::{PersonId, TableId};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::casual_reason::CasualReason;
use crate::pair_limit::PairLimit;
use crate::text_hash::hash_texts;

/// End reason of a game in which one side resigned.
const RESIGNED_CODE: &str = "resigned";
/// End reasons by which one side gives up a game that could have continued.
const FORFEIT_CODES: [&str; 2] = [RESIGNED_CODE, "late"];
/// End reason of a game lost on time.
const TIME_CODE: &str = "late";
/// End reason of a game that was aborted because a player had let their time run out.
const ABSENT_CODE: &str = "absent";
/// End reason of a game that could not go on because its only message was deleted, nobody knows by
/// whom.
pub const MESSAGE_LOST_CODE: &str = "message-lost";
/// Number of steps that [`GameResult::opening`] contains.
pub const OPENING_STEPS: usize = 20;

/// One finished game. Stored as JSON: unknown fields are ignored, so that older versions read the
/// rows of newer ones, and missing optional fields have defaults.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// The table.
    pub table: TableId,
    /// The code of the game.
    pub game: String,
    /// The options of the game as one token.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub options: String,
    /// When play began, in milliseconds since 1970.
    #[serde(rename = "started")]
    pub started_ms: u64,
    /// When the game ended, in milliseconds since 1970.
    #[serde(rename = "ended")]
    pub ended_ms: u64,
    /// The chat in which the table was opened; empty for a game in private or in a single message.
    /// Results of earlier programs name the message.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub chat: String,
    /// The time control as a token; empty without a clock.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub clock: String,
    /// The code of the reason for the end, for example `resigned` or `late`.
    #[serde(rename = "end", default, skip_serializing_if = "String::is_empty")]
    pub end_reason: String,
    /// The seat that resigned, ran out of time or aborted the game.
    #[serde(rename = "fault", default, skip_serializing_if = "Option::is_none")]
    pub seat_at_fault: Option<u8>,
    /// The seats in order.
    pub seats: Vec<SeatResult>,
    /// Whether seats 0 and 2 play against seats 1 and 3.
    #[serde(default, skip_serializing_if = "is_false")]
    pub partners: bool,
    /// The points of each finished round by seat; empty for games without rounds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<Vec<i32>>,
    /// Number of steps played.
    #[serde(default)]
    pub steps: u32,
    /// The first [`OPENING_STEPS`] steps, joined by spaces.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub opening: String,
    /// The people who gave up their seats during the game without the consent of the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leavers: Vec<Leaver>,
    /// Why the game is not rated, as far as the table itself knows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub casual: Vec<CasualReason>,
    /// The limit for the games of a pair that was reached when the game started; absent if that was
    /// not decided then.
    #[serde(rename = "pairlimit", default, skip_serializing_if = "Option::is_none")]
    pub pair_limit: Option<PairLimit>,
}

/// One seat of a finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatResult {
    /// The player. Linked accounts are already replaced by the one person they belong to.
    pub person: PersonId,
    /// The displayed name during the game.
    #[serde(default)]
    pub name: String,
    /// Whether a computer played.
    #[serde(rename = "computer", default, skip_serializing_if = "is_false")]
    pub is_computer: bool,
    /// The level of the computer as a token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// The final score: the highest wins, equal scores share. Where a game was resigned or lost on
    /// time, the losing side has less than its opponents.
    pub score: i32,
    /// The actions of the seat, counted by name; counts of 0 are left out.
    #[serde(rename = "did", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<String, u32>,
    /// When this account was first seen, in milliseconds since 1970, if it is known.
    #[serde(rename = "since", default, skip_serializing_if = "Option::is_none")]
    pub known_since_ms: Option<u64>,
    /// Whether the player was absent, and a computer played a large part of the game for them, or
    /// its end. They win no points.
    #[serde(rename = "absent", default, skip_serializing_if = "is_false")]
    pub is_absent: bool,
}

/// A person who gave up their seat during a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leaver {
    /// The seat that they had.
    pub seat: u8,
    /// The person.
    pub person: PersonId,
    /// Their displayed name.
    #[serde(default)]
    pub name: String,
    /// The number of rounds that were finished before they left; 0 in results of earlier programs.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rounds: u32,
    /// The number of steps that were played before they left; `None` in results of earlier
    /// programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u32>,
    /// Why the game was not rated before they left.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub casual: Vec<CasualReason>,
}

impl Leaver {
    /// A person about whom nothing else is known.
    pub fn new(seat: u8, person: PersonId) -> Self {
        Leaver { seat, person, name: String::new(), rounds: 0, steps: None, casual: Vec::new() }
    }
}

/// How a game ended for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameOutcome {
    /// The side won.
    #[serde(rename = "w")]
    Win,
    /// The sides share the result.
    #[serde(rename = "d")]
    Draw,
    /// The side lost.
    #[serde(rename = "l")]
    Loss,
}

/// Why a stored result cannot be used.
#[derive(Debug, Error)]
pub enum ResultError {
    /// The text is not JSON, or a required field is missing.
    #[error("a stored result is not readable: {0}")]
    Json(#[from] serde_json::Error),
    /// A round has not exactly one number for each seat.
    #[error("round {round} of a stored result has {found} numbers for {seats} seats")]
    RoundLength {
        /// The number of the round, from 1.
        round: usize,
        /// How many numbers it has.
        found: usize,
        /// How many seats the game has.
        seats: usize,
    },
    /// Partners need four seats.
    #[error("a stored result has partners at {0} seats")]
    PartnerSeats(usize),
    /// More seats than can be numbered.
    #[error("a stored result has {0} seats")]
    TooManySeats(usize),
}

impl GameResult {
    /// Reads a stored result.
    ///
    /// # Errors
    ///
    /// [`ResultError`] if the text is not JSON of this form or contradicts itself.
    pub fn parse(json: &[u8]) -> Result<Self, ResultError> {
        let result: Self = serde_json::from_slice(json)?;
        result.check()?;
        Ok(result)
    }

    /// The text to store. Equal results have equal texts.
    pub fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a result has no map with keys that are not text")
    }

    /// The result with the people who are deleted in the stored result of the same game: the log of
    /// a game may still name them.
    #[must_use]
    pub fn with_deleted_people_of(mut self, stored: Option<&GameResult>) -> Self {
        let Some(stored) = stored else { return self };
        for (seat, earlier) in self.seats.iter_mut().zip(&stored.seats) {
            if earlier.person.is_deleted() {
                seat.person.clone_from(&earlier.person);
                seat.name.clone_from(&earlier.name);
            }
        }
        // Results of earlier programs may list others, so that seats are compared.
        for (at, earlier) in stored.leavers.iter().enumerate() {
            let of_seat = |it: &&Leaver| it.seat == earlier.seat;
            let number = stored.leavers[..at].iter().filter(of_seat).count();
            let mut same_seat = self.leavers.iter_mut().filter(|it| it.seat == earlier.seat);
            if let Some(leaver) = same_seat.nth(number).filter(|_| earlier.person.is_deleted()) {
                leaver.person.clone_from(&earlier.person);
                leaver.name.clone_from(&earlier.name);
            }
        }
        self
    }

    fn check(&self) -> Result<(), ResultError> {
        let seats = self.seats.len();
        if u8::try_from(seats).is_err() {
            return Err(ResultError::TooManySeats(seats));
        }
        if self.partners && seats != 4 {
            return Err(ResultError::PartnerSeats(seats));
        }
        match self.rounds.iter().position(|it| it.len() != seats) {
            Some(at) => {
                let found = self.rounds[at].len();
                Err(ResultError::RoundLength { round: at + 1, found, seats })
            }
            None => Ok(()),
        }
    }

    /// The result as this leaver made it: their side has lost, at the time of the end. `None` if
    /// they have no such seat. Among single players the others who left have their seats, too.
    /// Partners have resigned after the rounds that were finished before.
    pub fn as_lost_by(&self, leaver: &Leaver) -> Option<GameResult> {
        let seat = usize::from(leaver.seat);
        let score = self.leaver_score(leaver)?;
        let mut lost = match self.is_race() {
            true => self.with_leavers_seated(),
            false => self.clone(),
        };
        for ally in (0..self.seats.len()).filter(|it| self.are_allies(seat, *it)) {
            lost.seats[ally].score = score;
        }
        // They may have sat down elsewhere since.
        for other in lost.seats.iter_mut().filter(|it| it.person == leaver.person) {
            other.person = PersonId(String::new());
        }
        lost.seats.get_mut(seat)?.give_back_to(leaver, score);
        lost.casual.clone_from(&leaver.casual);
        lost.steps = leaver.steps.unwrap_or(lost.steps);
        // That is the fault of a later player of the seat.
        lost.seat_at_fault = None;
        if self.partners {
            lost.rounds.truncate(usize::try_from(leaver.rounds).unwrap_or(usize::MAX));
            RESIGNED_CODE.clone_into(&mut lost.end_reason);
        } else {
            lost.rounds.clear();
        }
        lost.leavers.clear();
        Some(lost)
    }

    /// The result with the people who gave up their seats at these seats again. Each seat belongs
    /// to the first of them: a later player of it is not rated there.
    pub(crate) fn with_leavers_seated(&self) -> GameResult {
        let mut seated = self.clone();
        for leaver in self.first_leavers() {
            let score = self.leaver_score(leaver);
            let player = seated.seats.get_mut(usize::from(leaver.seat));
            if let (Some(player), Some(score)) = (player, score) {
                player.give_back_to(leaver, score);
            }
        }
        seated.leavers.clear();
        seated
    }

    /// The first leaver of each seat, in the order in which they left.
    fn first_leavers(&self) -> impl DoubleEndedIterator<Item = &Leaver> {
        let leavers = self.leavers.iter().enumerate();
        leavers.filter(|(at, _)| self.is_first_of_seat(*at)).map(|(_, it)| it)
    }

    /// The person who gave up this seat first: the only one of its leavers who can be rated.
    pub fn first_leaver(&self, seat: u8) -> Option<&Leaver> {
        self.leavers.iter().find(|it| it.seat == seat)
    }

    /// Whether nobody had given up the seat of this one of the leavers before.
    pub(crate) fn is_first_of_seat(&self, leaver: usize) -> bool {
        let seat = self.leavers[leaver].seat;
        self.leavers[..leaver].iter().all(|it| it.seat != seat)
    }

    /// Whether this one of the leavers is the one that counts for its person. A person who gave up
    /// several seats has lost once: at the first of those that nobody had given up before.
    pub(crate) fn counts_for_leaver(&self, leaver: usize) -> bool {
        let person = &self.leavers[leaver].person;
        let mut own = (0..self.leavers.len()).filter(|it| self.leavers[*it].person == *person);
        let counted = own.clone().find(|it| self.is_first_of_seat(*it)).or_else(|| own.next());
        counted == Some(leaver)
    }

    /// The score of a person who gave up their seat: below all who stayed, and below all who left
    /// other seats later.
    fn leaver_score(&self, leaver: &Leaver) -> Option<i32> {
        let least = self.seats.iter().map(|it| it.score).min()?;
        let later = self.first_leavers().rev().position(|it| it.seat == leaver.seat).unwrap_or(0);
        let below = i32::try_from(later).unwrap_or(i32::MAX).saturating_add(1);
        Some(least.saturating_sub(below))
    }

    /// Whether three or more single players compete.
    pub(crate) fn is_race(&self) -> bool {
        self.seats.len() > 2 && !self.partners
    }

    /// Whether those who gave up their seats are rated together with the others. In other games a
    /// seat that was given up keeps the game from being rated for the others.
    pub(crate) fn counts_with_leavers(&self) -> bool {
        let is_casual = self.casual.contains(&CasualReason::Substitute);
        self.is_race() && !self.leavers.is_empty() && !is_casual
    }

    /// Whether the player of this seat has given it up in a game that is rated all the same. Who
    /// plays there at the end is not rated.
    pub(crate) fn was_given_up(&self, seat: usize) -> bool {
        self.counts_with_leavers() && self.leavers.iter().any(|it| usize::from(it.seat) == seat)
    }

    /// Whether this person has given up a seat, even if they came back to it or took another one.
    pub(crate) fn has_left(&self, person: &PersonId) -> bool {
        self.leavers.iter().any(|it| it.person == *person)
    }

    /// The result as it counts for the player of this seat, if they have not left: among those who
    /// are rated. The next player of a seat that was given up has played against those who were
    /// seated at the end.
    pub(crate) fn as_seen_from(&self, seat: usize) -> Cow<'_, GameResult> {
        match self.counts_with_leavers() && !self.was_given_up(seat) {
            true => Cow::Owned(self.with_leavers_seated()),
            false => Cow::Borrowed(self),
        }
    }

    /// The result of the game for the person who played at this seat at its end, as it counts in
    /// their record.
    pub fn outcome_in_record(&self, seat: usize) -> GameOutcome {
        self.as_seen_from(seat).outcome(seat)
    }

    /// The seats as they are in the history of the player of this seat. Among others it names the
    /// people who gave up their seats in a game that is rated all the same, because the points came
    /// from them. `leaver`: the person, if they gave up the seat.
    pub fn seats_in_history(&self, seat: usize, leaver: Option<&Leaver>) -> Vec<SeatResult> {
        let lost = leaver.and_then(|it| self.as_lost_by(it));
        let seen = lost.map_or_else(|| self.as_seen_from(seat), Cow::Owned);
        let mut seats = seen.into_owned().seats;
        // Another seat of a person who left has no person among those who are rated.
        for (seen, player) in seats.iter_mut().zip(&self.seats) {
            if seen.person.0.is_empty() {
                seen.person.clone_from(&player.person);
            }
        }
        seats
    }

    /// The order in which results are rated.
    pub fn order_key(&self) -> (u64, &TableId) {
        (self.ended_ms, &self.table)
    }

    /// Whether one side gave up: by resigning, or by running out of time.
    pub fn is_forfeit(&self) -> bool {
        FORFEIT_CODES.contains(&self.end_reason.as_str())
    }

    /// Whether the game was lost on time.
    pub fn is_lost_on_time(&self) -> bool {
        self.end_reason == TIME_CODE
    }

    /// Whether the player at fault had let their time run out, and the game was lost or aborted
    /// for that.
    pub fn has_run_out_of_time(&self) -> bool {
        self.is_lost_on_time() || self.end_reason == ABSENT_CODE
    }

    /// Whether the game ended without a result.
    pub fn is_aborted(&self) -> bool {
        self.casual.contains(&CasualReason::Aborted)
    }

    /// Whether nobody knows who ended the game: its only message was deleted.
    pub fn is_message_lost(&self) -> bool {
        self.end_reason == MESSAGE_LOST_CODE
    }

    /// How long the game took, in milliseconds.
    pub fn duration_ms(&self) -> u64 {
        self.ended_ms.saturating_sub(self.started_ms)
    }

    /// Whether two seats play on the same side. A seat is on its own side.
    pub fn are_allies(&self, one: usize, other: usize) -> bool {
        one == other || (self.partners && one % 2 == other % 2)
    }

    /// The players against whom this seat plays, in seat order.
    pub fn opponents(&self, seat: usize) -> impl Iterator<Item = &SeatResult> {
        let all = self.seats.iter().enumerate();
        all.filter(move |(it, _)| !self.are_allies(seat, *it)).map(|(_, it)| it)
    }

    /// The people against whom the player of this seat is rated.
    pub(crate) fn rated_opponents(&self, seat: usize) -> impl Iterator<Item = &PersonId> {
        let is_opponent = move |it: &usize| !self.are_allies(seat, *it);
        let stay = (0..self.seats.len()).filter(is_opponent);
        let stay = stay.filter(move |it| !self.was_given_up(*it));
        let people = stay.map(move |it| &self.seats[it]).filter(|it| !it.is_computer);
        let left = self.first_leavers().filter(move |it| is_opponent(&usize::from(it.seat)));
        people.map(|it| &it.person).chain(left.map(|it| &it.person))
    }

    /// The result of the game for the side of this seat. With several sides the best one wins, all
    /// others lose; sides that share the best score all win, unless everybody has it: a draw.
    pub fn outcome(&self, seat: usize) -> GameOutcome {
        let own = self.side_score(seat);
        let others: Vec<i64> = (0..self.seats.len())
            .filter(|it| !self.are_allies(seat, *it))
            .map(|it| self.side_score(it))
            .collect();
        if others.iter().all(|it| *it == own) {
            GameOutcome::Draw
        } else if others.iter().any(|it| *it > own) {
            GameOutcome::Loss
        } else {
            GameOutcome::Win
        }
    }

    fn side_score(&self, seat: usize) -> i64 {
        let allies = self.seats.iter().enumerate().filter(|it| self.are_allies(seat, it.0));
        allies.map(|(_, it)| i64::from(it.score)).sum()
    }

    /// A number for comparing the opponents of a seat: the same people and computers have the same
    /// number at whichever seats.
    pub fn opponents_hash(&self, seat: usize) -> u64 {
        let mut ids: Vec<&str> = self.opponents(seat).map(|it| it.person.0.as_str()).collect();
        ids.sort_unstable();
        hash_texts(ids)
    }
}

impl SeatResult {
    /// Gives the seat back to the person who gave it up.
    fn give_back_to(&mut self, leaver: &Leaver, score: i32) {
        self.person.clone_from(&leaver.person);
        self.name.clone_from(&leaver.name);
        (self.is_computer, self.level, self.known_since_ms) = (false, None, None);
        (self.is_absent, self.score) = (false, score);
        self.counts.clear();
    }
}

impl GameOutcome {
    /// Points as rating systems count them: 1, one half, 0.
    pub fn points(self) -> f64 {
        match self {
            GameOutcome::Win => 1.0,
            GameOutcome::Draw => 0.5,
            GameOutcome::Loss => 0.0,
        }
    }

    /// The result of the other side.
    pub fn reversed(self) -> Self {
        match self {
            GameOutcome::Win => GameOutcome::Loss,
            GameOutcome::Draw => GameOutcome::Draw,
            GameOutcome::Loss => GameOutcome::Win,
        }
    }

    /// The result of a side that has `own` points against one that has `other`.
    pub fn of_scores(own: i64, other: i64) -> Self {
        match own.cmp(&other) {
            std::cmp::Ordering::Greater => GameOutcome::Win,
            std::cmp::Ordering::Equal => GameOutcome::Draw,
            std::cmp::Ordering::Less => GameOutcome::Loss,
        }
    }
}

/// For `skip_serializing_if`.
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// For `skip_serializing_if`.
pub(crate) fn is_false(value: &bool) -> bool {
    !value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_data::game;

    #[test]
    fn a_result_comes_back_as_it_was_stored() {
        let mut result = game(&[("tg:1", 91), ("tg:2", 71)]);
        result.casual = vec![CasualReason::Hints, CasualReason::Takeback];
        result.seat_at_fault = Some(1);
        result.rounds = vec![vec![4, 2], vec![0, 0]];
        result.seats[1].level = Some("strong".to_owned());
        result.pair_limit = Some(PairLimit::Everywhere);
        let person = PersonId("tg:3".to_owned());
        result.leavers.push(Leaver { rounds: 1, steps: Some(7), ..Leaver::new(0, person) });
        assert_eq!(GameResult::parse(&result.encode()).unwrap(), result);
    }

    #[test]
    fn a_seat_belongs_to_the_first_of_its_leavers() {
        let mut result = game(&[("a", 4), ("b", 2), ("computer:strong", 0)]);
        result.leavers = [(2, "p"), (1, "x"), (2, "n"), (1, "x")]
            .map(|(seat, person)| Leaver::new(seat, PersonId(person.to_owned())))
            .to_vec();
        let seated = |it: &GameResult| -> Vec<(String, i32)> {
            it.seats.iter().map(|it| (it.person.0.clone(), it.score)).collect()
        };
        let with_last =
            |last: &str| [("a", 4), ("x", -1), (last, -2)].map(|it| (it.0.to_owned(), it.1));
        assert_eq!(seated(&result.with_leavers_seated()), with_last("p"));
        let lost = result.leavers.iter().filter_map(|it| result.as_lost_by(it));
        let lost: Vec<Vec<(String, i32)>> = lost.map(|it| seated(&it)).collect();
        assert_eq!(lost, ["p", "p", "n", "p"].map(with_last));
        let counted: Vec<usize> = (0..4).filter(|it| result.counts_for_leaver(*it)).collect();
        assert_eq!(counted, [0, 1, 2]);
        let opponents: Vec<&str> = result.rated_opponents(0).map(|it| it.0.as_str()).collect();
        assert_eq!(opponents, ["p", "x"]);
    }

    #[test]
    fn people_who_are_deleted_in_a_stored_result_stay_so() {
        let fresh = game(&[("tg:1", 91), ("tg:2", 71)]);
        assert_eq!(fresh.clone().with_deleted_people_of(None), fresh);
        let mut stored = fresh.clone();
        stored.seats[1].person = PersonId::deleted("abc");
        stored.seats[1].name = "Deleted".to_owned();
        stored.seats[0].name = "An earlier name".to_owned();
        let merged = fresh.clone().with_deleted_people_of(Some(&stored));
        assert_eq!(merged.seats[0], fresh.seats[0]);
        assert_eq!(merged.seats[1], stored.seats[1]);
    }

    #[test]
    fn the_stored_text_is_stable() {
        let json = r#"{"table":"abc1234","game":"togyz","started":1,"ended":2,"chat":"tg:-5",
            "end":"resigned","fault":1,"seats":[{"person":"tg:1","name":"Ana","score":1},
            {"person":"computer:easy","name":"Easy","computer":true,"level":"easy","score":0}],
            "steps":7,"opening":"1 2","casual":["chosen"]}"#;
        let compact: String = json.lines().map(str::trim_start).collect();
        let result = GameResult::parse(json.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(result.encode()).unwrap(), compact);
    }

    #[test]
    fn unknown_fields_are_ignored_and_optional_ones_have_defaults() {
        let json = r#"{"table":"a","game":"g","started":1,"ended":2,"later":{"x":[1]},
            "seats":[{"person":"tg:1","score":3,"shoe":44}]}"#;
        let result = GameResult::parse(json.as_bytes()).unwrap();
        assert_eq!((result.steps, result.partners, result.chat.as_str()), (0, false, ""));
        assert!(!result.seats[0].is_computer);
    }

    #[test]
    fn a_result_that_contradicts_itself_is_refused() {
        let mut result = game(&[("tg:1", 1), ("tg:2", 0)]);
        result.rounds = vec![vec![1, 2], vec![1]];
        let error = GameResult::parse(&result.encode()).unwrap_err();
        assert!(matches!(error, ResultError::RoundLength { round: 2, found: 1, seats: 2 }));
        result.rounds.clear();
        result.partners = true;
        let error = GameResult::parse(&result.encode()).unwrap_err();
        assert!(matches!(error, ResultError::PartnerSeats(2)));
        assert!(GameResult::parse(b"[]").is_err());
    }

    #[test]
    fn partners_win_together() {
        let mut result = game(&[("a", 5), ("b", 0), ("c", 5), ("d", 0)]);
        result.partners = true;
        assert_eq!(result.outcome(0), GameOutcome::Win);
        assert_eq!(result.outcome(2), GameOutcome::Win);
        assert_eq!(result.outcome(1), GameOutcome::Loss);
        let opponents: Vec<&str> = result.opponents(0).map(|it| it.person.0.as_str()).collect();
        assert_eq!(opponents, ["b", "d"]);
    }

    #[test]
    fn among_several_the_best_score_wins_and_all_equal_is_a_draw() {
        let result = game(&[("a", 2), ("b", 2), ("c", 1)]);
        let outcomes: Vec<_> = (0..3).map(|it| result.outcome(it)).collect();
        assert_eq!(outcomes, [GameOutcome::Win, GameOutcome::Win, GameOutcome::Loss]);
        let result = game(&[("a", 2), ("b", 2)]);
        assert_eq!(result.outcome(1), GameOutcome::Draw);
    }

    #[test]
    fn results_are_ordered_by_end_and_then_by_table() {
        let mut first = game(&[("a", 1), ("b", 0)]);
        let mut second = first.clone();
        second.table = TableId("zzz".to_owned());
        assert!(first.order_key() < second.order_key());
        first.ended_ms += 1;
        assert!(first.order_key() > second.order_key());
    }

    #[test]
    fn the_same_opponents_have_the_same_number_at_all_seats() {
        let one = game(&[("a", 1), ("b", 0), ("c", 0)]);
        let other = game(&[("c", 1), ("a", 0), ("b", 0)]);
        assert_eq!(one.opponents_hash(0), other.opponents_hash(1));
        assert_ne!(one.opponents_hash(0), one.opponents_hash(1));
    }
}
