//! Decides whether a game counts for ratings.
//!
//! Whether a game counts follows from what its players can see before it starts: who plays, whether
//! hints are given, and what its opener chose. During the game it changes only by what all players
//! agree to, and by what a player does at their own expense.
//!
//! Games of one person against computers count where the levels have a fixed rating. Earlier
//! versions did not rate these games, so an event before the start records that this one is rated.
//!
//! A person who ends too many games without an outcome plays unrated for a while, and so does a
//! person who has deleted or unlinked an account. That is recorded when they take a seat before the
//! start or the game starts, so that everybody knows of it before the game. Only players who play
//! from the start matter: otherwise a second account could undo a loss by taking a seat, and a
//! player could make a game count for the others by leaving.
//!
//! How many games of a pair count on a day is decided when a game starts, so that players cannot
//! choose the order in which games end. The start records that, too.
//!
//! Computers do not object, so nothing that the person does alone may undo a loss: after hints and
//! takebacks only a loss counts, nobody can come in while the person is behind, and a person who
//! never returns to the game has lost. Several people who play with computers could agree to
//! actions at the expense of the computers, so their games do not count.

use super::command::Actor;
use super::decide::{DecideResult, Decision, decide_one, loss_event, require_opener};
use super::decision_builder::{DecisionBuilder, EventMeta};
use super::event::{EndReason, Event};
use super::game_result::whole_seconds;
use super::lobby_commands::require_lobby;
use super::state::{Table, TablePhase};
use caravanserai_games::chart::ChartLine;
use caravanserai_games::ids::PersonId;
use caravanserai_games::search::ComputerLevel;
use caravanserai_results::{CasualReason, Leaver, PairLimit, displayed_computer_rating};

/// The facts of a table that decide whether its game counts for ratings.
#[derive(Clone, Debug, Default)]
pub struct RatingFacts {
    /// Whether it counts, if the opener chose that.
    pub rated_setting: Option<bool>,
    /// Whether computers do not keep it from counting, see [`Event::ComputersRated`].
    pub(super) are_computers_rated: bool,
    /// Whether leaving costs only the person who leaves, see [`Event::Started`].
    pub(super) do_leavers_lose: bool,
    /// The limit for the games of a pair, if it was decided when the game started, see
    /// [`Event::Started`].
    pub(super) pair_limit: Option<PairLimit>,
    /// Whether moves were taken back.
    pub(super) has_takebacks: bool,
    /// Whether the table was closed because its only message was deleted.
    pub(super) has_ended_with_message: bool,
    /// The seats that have changed their players during the game.
    pub(super) substituted: Vec<u8>,
    /// Whether one of them changed its player in a way that keeps the game from counting.
    pub(super) is_casual_by_substitute: bool,
    /// The people who gave up their seats during the game without the consent of the others.
    pub(super) leavers: Vec<Leaver>,
    /// The people whose games here do not count, see [`Event::RatingBlocked`].
    blocked: Vec<PersonId>,
    /// The people whose games do not count until a time, in milliseconds since 1970, see
    /// [`Event::RatingPaused`].
    paused: Vec<(PersonId, u64)>,
    /// Whether the game began with one of the first, see [`Self::blocked`].
    has_begun_with_blocked: bool,
    /// The displayed name of the player with the longest pause among those with whom the game
    /// began, and its end in milliseconds since 1970.
    pause_at_start: Option<(String, u64)>,
}

/// A player whose games do not count for ratings for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PausedPlayer<'t> {
    /// Their displayed name.
    pub name: &'t str,
    /// The end of the pause, in milliseconds since 1970.
    pub until_ms: u64,
}

impl RatingFacts {
    /// Records how leaving counts, and the limit for the games of a pair, when the game starts.
    pub(super) fn start(&mut self, event: &Event) {
        if let Event::Started { leavers_lose, pair_limit, .. } = event {
            self.do_leavers_lose = *leavers_lose;
            self.pair_limit = *pair_limit;
        }
    }

    /// Records that games of this person do not count here.
    pub(super) fn block(&mut self, person: &PersonId) {
        if !self.blocked.contains(person) {
            self.blocked.push(person.clone());
        }
    }

    /// Records that a computer plays for a player who had no choice. From then on the game does not
    /// count: nobody gains by keeping others out.
    pub(super) fn record_excused_substitute(&mut self, seat: u8) {
        self.is_casual_by_substitute = true;
        if !self.substituted.contains(&seat) {
            self.substituted.push(seat);
        }
    }

    /// Records that games of this person do not count until a time, in milliseconds since 1970.
    pub(super) fn pause(&mut self, person: &PersonId, until_ms: u64) {
        self.paused.retain(|it| it.0 != *person);
        self.paused.push((person.clone(), until_ms));
    }

    /// Removes what keeps games of this person from counting.
    pub(super) fn forget(&mut self, person: &PersonId) {
        self.blocked.retain(|it| it != person);
        self.paused.retain(|it| it.0 != *person);
    }

    /// The end of the recorded pause of a person, in milliseconds since 1970.
    pub(super) fn pause_until_ms(&self, person: &PersonId) -> Option<u64> {
        self.paused.iter().find(|it| it.0 == *person).map(|it| it.1)
    }
}

impl Table {
    /// Why the game at this table does not count for ratings, as far as it is known now; empty if
    /// it counts.
    pub fn casual_reasons(&self) -> Vec<CasualReason> {
        self.casual_reasons_after(self.has_sole_player_lost())
    }

    /// Whether one person plays against computers, and a loss counts for ratings.
    pub fn would_count_as_loss_to_computers(&self) -> bool {
        self.seating.sole_player().is_some() && self.casual_reasons_after(true).is_empty()
    }

    /// Whether a person who plays against computers is behind, and a loss counts for ratings: the
    /// game must not become casual then.
    pub fn is_losing_to_computers(&self) -> bool {
        let Some(person) = self.seating.sole_player() else { return false };
        let Some(game) = self.game.as_deref() else { return false };
        let own: Vec<u8> = self.seating.seats_of(person).collect();
        let lines = game.chart_sample().lines;
        let is_own = |it: &&ChartLine| it.seats.iter().any(|seat| own.contains(seat));
        let best = |is_side: bool| {
            lines.iter().filter(|it| is_own(it) == is_side).map(|it| it.value).max()
        };
        best(true) < best(false) && self.would_count_as_loss_to_computers()
    }

    /// The same as [`Table::casual_reasons`]; `is_lost`: whether a person who plays alone against
    /// computers has lost.
    pub(super) fn casual_reasons_after(&self, is_lost: bool) -> Vec<CasualReason> {
        let facts = &self.rating_facts;
        let occupants = &self.seating.occupants;
        let plays_twice = || {
            let is_twin =
                |at: usize| occupants[..at].iter().any(|it| it.person == occupants[at].person);
            (0..occupants.len()).any(|at| !occupants[at].is_computer() && is_twin(at))
        };
        let has_unrated = self.has_unrated_computer();
        let is_among_people = self.has_computers() && self.seating.people_seats().len() > 1;
        // Only those who play alone are given hints without the setting.
        let has_hints = self.hints.hinted_seats().next().is_some() && !has_unrated && !is_lost;
        let is_own_loss = is_lost && !has_unrated;
        let is_limited = facts.pair_limit == Some(PairLimit::InChat);
        // Elsewhere such a game counts for the lists of its chat.
        let is_limited_everywhere =
            facts.pair_limit == Some(PairLimit::Everywhere) && self.result_chat().is_empty();
        let found = [
            (facts.rated_setting == Some(false), CasualReason::Chosen),
            (self.setup.coached, CasualReason::Coached),
            (plays_twice(), CasualReason::SamePerson),
            (self.has_guest(), CasualReason::Guest),
            (has_unrated && !is_among_people, CasualReason::ComputerUnrated),
            (is_among_people, CasualReason::SeveralPeople),
            (self.hints.setting == Some(true) || has_hints, CasualReason::Hints),
            (facts.has_takebacks && !is_own_loss, CasualReason::Takeback),
            (facts.is_casual_by_substitute, CasualReason::Substitute),
            (self.has_blocked_player(), CasualReason::DeletedAccount),
            (self.paused_player().is_some(), CasualReason::RatingPause),
            (is_limited, CasualReason::PairLimit),
            (is_limited_everywhere, CasualReason::PairLimitEverywhere),
        ];
        found.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason).collect()
    }

    /// The player because of whose pause the game does not count: that of the longest pause which
    /// lasts when the game starts, or at present in a lobby.
    pub fn paused_player(&self) -> Option<PausedPlayer<'_>> {
        match self.phase {
            TablePhase::Lobby => self.longest_pause(self.times.last_event_ms),
            TablePhase::Playing | TablePhase::Over { .. } | TablePhase::Closed { .. } => {
                let (name, until_ms) = self.rating_facts.pause_at_start.as_ref()?;
                Some(PausedPlayer { name, until_ms: *until_ms })
            }
        }
    }

    /// Whether the game does not count because a player has deleted an account.
    fn has_blocked_player(&self) -> bool {
        match self.phase {
            TablePhase::Lobby => self.is_blocked_player_seated(),
            TablePhase::Playing | TablePhase::Over { .. } | TablePhase::Closed { .. } => {
                self.rating_facts.has_begun_with_blocked
            }
        }
    }

    /// Records that games of a person do not count, and whether this game is one of them.
    pub(super) fn apply_unrated_player(&mut self, event: &Event) {
        match event {
            Event::RatingBlocked { person } => self.rating_facts.block(person),
            Event::RatingPaused { person, until_ms } => self.rating_facts.pause(person, *until_ms),
            _ => {}
        }
        // The event may follow the start in the same decision.
        if self.phase != TablePhase::Lobby {
            self.record_unrated_players();
        }
    }

    /// Records which of the seated players keep the game from counting. A game
    /// does not begin to count when one of them leaves.
    pub(super) fn record_unrated_players(&mut self) {
        let pause = self.longest_pause(self.times.started_ms);
        let pause = pause.map(|it| (it.name.to_owned(), it.until_ms));
        let is_blocked = self.is_blocked_player_seated();
        self.rating_facts.has_begun_with_blocked |= is_blocked;
        if pause.is_some() {
            self.rating_facts.pause_at_start = pause;
        }
    }

    fn is_blocked_player_seated(&self) -> bool {
        let occupants = &self.seating.occupants;
        occupants.iter().any(|it| self.rating_facts.blocked.contains(&it.person))
    }

    /// The seated player with the longest pause that lasts at this time, in milliseconds since
    /// 1970.
    fn longest_pause(&self, at_ms: u64) -> Option<PausedPlayer<'_>> {
        // A record of a finished game has whole seconds.
        let lasts = |it: &PausedPlayer<'_>| whole_seconds(at_ms) < it.until_ms;
        let paused = self.seating.occupants.iter().filter_map(|it| {
            let until_ms = self.rating_facts.pause_until_ms(&it.person)?;
            Some(PausedPlayer { name: &it.name, until_ms })
        });
        paused.filter(lasts).max_by_key(|it| it.until_ms)
    }

    /// The levels of the computers that play from the start. A computer that came during the game
    /// is a substitute.
    fn computer_levels(&self) -> impl Iterator<Item = ComputerLevel> {
        let came = |occupant: u8| {
            let seat = self.seating.order.iter().position(|it| *it == occupant);
            seat.is_some_and(|it| self.rating_facts.substituted.contains(&(it as u8)))
        };
        let occupants = (0..).zip(&self.seating.occupants);
        occupants.filter(move |(occupant, _)| !came(*occupant)).filter_map(|(_, it)| it.level())
    }

    /// Whether a computer plays whose level has no fixed rating here, or with which the game does
    /// not count because it began before computers had ratings.
    fn has_unrated_computer(&self) -> bool {
        let was_stated = self.phase == TablePhase::Lobby || self.rating_facts.are_computers_rated;
        self.computer_levels().any(|it| !was_stated || self.computer_rating(it).is_none())
    }

    /// The displayed rating of computers of this level at this table, if they have one by its rules
    /// and with its number of seats.
    pub fn computer_rating(&self, level: ComputerLevel) -> Option<i32> {
        let setup = &self.setup;
        let seats = (setup.seats, setup.has_partners());
        displayed_computer_rating(setup.game, &setup.options, seats, level)
    }

    /// Whether the game counts half: it is rated, and computers play.
    pub fn counts_half(&self) -> bool {
        self.has_computers() && self.casual_reasons().is_empty()
    }

    /// Whether a person who plays alone against computers has lost.
    fn has_sole_player_lost(&self) -> bool {
        let TablePhase::Over { scores, .. } = &self.phase else { return false };
        let Some(person) = self.seating.sole_player() else { return false };
        let mut own = self.seating.seats_of(person).map(usize::from);
        own.any(|it| scores.get(it) < scores.iter().max())
    }

    /// Whether computers play from the start.
    pub fn has_computers(&self) -> bool {
        self.computer_levels().next().is_some()
    }

    /// The event before the start that states that computers do not keep the game from counting.
    pub(super) fn computers_rated_event(&self) -> Option<Event> {
        let is_alone = self.seating.sole_player().is_some();
        // In a lesson nobody expects that the game counts.
        let are_rated = is_alone && !self.setup.coached && !self.has_unrated_computer();
        are_rated.then_some(Event::ComputersRated)
    }

    /// The limit for the games of a pair, if it was decided when the game started.
    pub fn pair_limit(&self) -> Option<PairLimit> {
        self.rating_facts.pair_limit
    }

    /// The pairs of people who play against each other, if the game counts for ratings.
    pub fn rated_pairs(&self) -> Vec<(&PersonId, &PersonId)> {
        let mut pairs = Vec::new();
        if !self.casual_reasons().is_empty() {
            return pairs;
        }
        let seats = self.seating.people_seats();
        for (at, &one) in seats.iter().enumerate() {
            for &other in seats[at + 1..].iter().filter(|it| !self.setup.are_partners(one, **it)) {
                let players = self.seating.occupant(one).zip(self.seating.occupant(other));
                pairs.extend(players.map(|(one, other)| (&one.person, &other.person)));
            }
        }
        pairs
    }

    /// Whether the game is one of those that are limited for a pair: it counts, as far as the table
    /// knows, and has or may get an outcome.
    pub fn uses_pair_limit(&self) -> bool {
        match self.phase {
            TablePhase::Playing | TablePhase::Over { .. } => self.casual_reasons().is_empty(),
            TablePhase::Lobby | TablePhase::Closed { .. } => false,
        }
    }

    /// Whether games of this person do not count here, because they deleted their account.
    pub fn is_rating_blocked(&self, person: &PersonId) -> bool {
        self.rating_facts.blocked.contains(person)
    }

    /// The event that ends a game to which nobody returns. If it is the turn of a person who plays
    /// against computers, and a loss counts, it is lost: otherwise games that go badly would be
    /// left alone.
    pub(super) fn abandonment_event(&self) -> Event {
        let counts = self.would_count_as_loss_to_computers();
        match self.seat_to_move().filter(|seat| counts && !self.seating.is_computer(*seat)) {
            Some(seat) => loss_event(self, seat, EndReason::LostOnTime(seat)),
            None => Event::TableClosed { reason: EndReason::Abandoned },
        }
    }
}

/// Sets before the start whether the game counts for ratings.
pub(super) fn set_rated(table: &Table, actor: &Actor, rated: bool) -> DecideResult {
    require_lobby(table)?;
    require_opener(table, actor)?;
    decide_one(table, actor, Event::RatedSet { rated })
}

/// Adds to the decision that seats them that games of these people do not count for ratings here.
pub fn add_rating_blocks(
    decision: Decision,
    people: impl IntoIterator<Item = PersonId>,
) -> Decision {
    let Some(meta) = EventMeta::of_last_line(&decision) else { return decision };
    let mut draft = DecisionBuilder::continue_from(decision, meta);
    for person in people {
        if draft.table.is_open() && !draft.table.is_rating_blocked(&person) {
            draft.add(Event::RatingBlocked { person });
        }
    }
    draft.finish()
}

/// Adds to a decision that games of these people do not count until a time, in milliseconds since
/// 1970.
pub fn add_rating_pauses(
    decision: Decision,
    people: impl IntoIterator<Item = (PersonId, u64)>,
) -> Decision {
    let Some(meta) = EventMeta::of_last_line(&decision) else { return decision };
    let mut draft = DecisionBuilder::continue_from(decision, meta);
    for (person, until_ms) in people {
        let known_ms = draft.table.rating_facts.pause_until_ms(&person);
        if draft.table.is_open() && known_ms.is_none_or(|it| it < until_ms) {
            draft.add(Event::RatingPaused { person, until_ms });
        }
    }
    draft.finish()
}

/// Adds to a decision that starts a game which limit for the games of a pair is reached.
pub fn state_pair_limit(mut decision: Decision, limit: PairLimit) -> Decision {
    for line in &mut decision.lines {
        if let Event::Started { pair_limit, .. } = &mut line.event {
            *pair_limit = Some(limit);
            decision.table.rating_facts.pair_limit = Some(limit);
        }
    }
    decision
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision_builder::open_table;
    use crate::event::{LogLine, TableSetup};
    use crate::test_rated_tables::{linked, person, race, replaced, table, then};
    use caravanserai_games::GameId;
    use caravanserai_games::ids::{ChatKind, TableId};

    #[test]
    fn the_line_of_a_start_states_how_the_game_counts() {
        let free = Some(PairLimit::NotReached);
        let here = Some(PairLimit::InChat);
        let everywhere = Some(PairLimit::Everywhere);
        let cases = [
            (false, None, "3 5 c start 0,2,1"),
            (true, None, "3 5 c start 0,2,1 leavers-lose"),
            (false, free, "3 5 c start 0,2,1 pair-limit=none"),
            (true, here, "3 5 c start 0,2,1 leavers-lose pair-limit=chat"),
            (false, everywhere, "3 5 c start 0,2,1 pair-limit=all"),
        ];
        for (leavers_lose, pair_limit, text) in cases {
            let event = Event::Started { order: vec![0, 2, 1], leavers_lose, pair_limit };
            let line = LogLine { number: 3, at_ms: 5, cause: "c".to_owned(), event };
            assert_eq!(line.encode(), text);
            assert_eq!(LogLine::parse(text), Ok(line));
        }
        for end in ["other", "pair-limit=", "pair-limit=all leavers-lose", "pair-limit=all pair"] {
            assert!(LogLine::parse(&format!("3 5 c start 0,2,1 {end}")).is_err(), "{end}");
        }
    }

    #[test]
    fn a_limit_of_a_pair_is_decided_at_the_start() {
        let game = GameId::all()[0];
        let started = |limit: PairLimit, kind: ChatKind| {
            let setup = TableSetup { kind, ..TableSetup::for_test(game, 2, person("tg:1")) };
            let sits = |id: &str| Event::Seated { person: person(id), name: id.to_owned() };
            let meta = EventMeta::received_now(1_000, "tg/1");
            let id = TableId("7k3fx".to_owned());
            let both = vec![sits("tg:1"), sits("tg:2")];
            let opened = open_table(&id, setup, both, true, meta).expect("it fits");
            assert_eq!(opened.table.rated_pairs().len(), 1);
            let decision = state_pair_limit(opened, limit);
            let lines: Vec<String> = decision.lines.iter().map(LogLine::encode).collect();
            let read = Table::from_log(&id, &lines).expect("a log");
            assert_eq!(read.casual_reasons(), decision.table.casual_reasons());
            assert_eq!(read.pair_limit(), Some(limit));
            assert_eq!(read.uses_pair_limit(), read.casual_reasons().is_empty());
            read.casual_reasons()
        };
        assert_eq!(started(PairLimit::NotReached, ChatKind::Group), []);
        assert_eq!(started(PairLimit::InChat, ChatKind::Group), [CasualReason::PairLimit]);
        assert_eq!(started(PairLimit::Everywhere, ChatKind::Group), []);
        let alone = started(PairLimit::Everywhere, ChatKind::Private);
        assert_eq!(alone, [CasualReason::PairLimitEverywhere]);
    }

    #[test]
    fn linking_never_makes_a_game_casual_that_has_begun() {
        let table = table(true);
        assert_eq!(table.casual_reasons(), []);
        for (account, with) in [("dc:3", "tg:1"), ("tg:1", "dc:3")] {
            let linked = linked(&table, account, with);
            assert_eq!(linked.casual_reasons(), [], "{account} with {with}");
        }
    }

    /// Otherwise a player could make a game count for the others by leaving it.
    #[test]
    fn a_game_does_not_begin_to_count_when_an_unrated_player_leaves() {
        let marks = [
            (Event::RatingBlocked { person: person("tg:2") }, CasualReason::DeletedAccount),
            (
                Event::RatingPaused { person: person("tg:2"), until_ms: u64::MAX },
                CasualReason::RatingPause,
            ),
        ];
        for (mark, reason) in marks {
            let plays = then(&race(true), vec![mark]);
            assert_eq!(plays.casual_reasons(), [reason]);
            let seat = plays.seating.seats_of(&person("tg:2")).next().expect("a seat");
            let left = then(&plays, vec![replaced(seat, &person("tg:9"))]);
            assert!(left.casual_reasons().contains(&reason));
            let named = left.paused_player().map(|it| it.name.to_owned());
            assert_eq!(named.is_some(), reason == CasualReason::RatingPause);
        }
    }

    #[test]
    fn linking_makes_a_game_casual_that_has_not_begun() {
        let lobby = table(false);
        for (account, with) in [("dc:3", "tg:1"), ("tg:1", "dc:3")] {
            let reasons = linked(&lobby, account, with).casual_reasons();
            let expected = [CasualReason::DeletedAccount, CasualReason::RatingPause];
            assert_eq!(reasons, expected, "{account} with {with}");
        }
    }
}
