//! Decides who loses when a player gives up a seat.
//!
//! At tables of three or four single players a person who gives up their seat has lost, and the
//! game stays rated for the others: otherwise one person could take their points by leaving.
//! Earlier versions had no such rule, so the start of the game records it. It also records that the
//! rules for computers that play for absent players are in force, with any number of players.
//!
//! In other rated games a seat changes its player only with the consent of the others, even while
//! its player is away. A player who comes back without their consent has still lost.

use std::collections::BTreeSet;

use super::consent::{can_others_agree, seats_yet_to_agree};
use super::event::DEFAULT_LEVEL;
use super::offer_state::PendingOffer;
use super::people::SeatNewcomer;
use super::state::{Table, TablePhase};
use caravanserai_games::ids::PersonId;
use caravanserai_games::search::ComputerLevel;
use caravanserai_results::Leaver;

impl Table {
    /// Whether players lose what a computer does for them while they are absent, and, with more
    /// than two seats, only the person who leaves loses, if the game starts now. With computers
    /// among several people no game counts, and where a win can be claimed no computer plays for
    /// absent players.
    pub(super) fn would_leavers_lose(&self) -> bool {
        let are_several = self.seating.people_seats().len() > 1;
        let may_be_missed = self.setup.seats > 2 || !self.setup.is_claimable();
        may_be_missed && are_several && !self.has_computers() && !self.setup.coached
    }

    /// Whether the game goes on counting for the others when a player gives up their seat without
    /// their consent.
    pub(super) fn goes_on_without_leavers(&self) -> bool {
        let is_race = self.setup.seats > 2 && !self.setup.has_partners();
        self.rating_facts.do_leavers_lose && is_race
    }

    /// Whether the seat of a player who is away may be taken without the consent of the others:
    /// they lose nothing by it, because the game does not count, or goes on counting for them.
    pub fn may_take_absent_seats(&self) -> bool {
        self.goes_on_without_leavers() || !self.casual_reasons().is_empty()
    }

    /// The level of the computer that plays for absent players. In a game that counts it is not
    /// stronger than a usual player: nobody gains by a partner or a friend who does not play.
    pub(super) fn substitute_level(&self) -> ComputerLevel {
        let level = self.clocks.effective_substitute_level();
        let counts = self.rating_facts.do_leavers_lose && self.casual_reasons().is_empty();
        if counts { level.min(DEFAULT_LEVEL) } else { level }
    }

    /// Records that the player of this seat is replaced. Who leaves without the consent of the
    /// others has lost, unless the game was casual before or they had no choice.
    pub(super) fn record_substitute(&mut self, seat: u8, newcomer: &PersonId) {
        let is_agreed = self.is_exchange_agreed(seat, newcomer);
        let is_excused = is_agreed || self.involuntary_departure(seat).is_some();
        let left = self.seating.occupant(seat).filter(|it| !is_excused && !it.is_computer());
        let rounds = self.game.as_ref().map_or(0, |it| it.round_points().len());
        let leaver = left.map(|it| Leaver {
            seat,
            person: it.person.clone(),
            name: it.name.clone(),
            rounds: u32::try_from(rounds).unwrap_or(u32::MAX),
            steps: u32::try_from(self.history.steps.len()).ok(),
            casual: self.casual_reasons_after(self.seating.sole_player().is_some()),
        });
        let goes_on = self.goes_on_without_leavers();
        let facts = &mut self.rating_facts;
        facts.leavers.extend(leaver);
        if is_agreed {
            // The others agree that this player comes back.
            facts.leavers.retain(|it| it.seat != seat || it.person != *newcomer);
        }
        facts.substituted.push(seat);
        // The next player of a seat that was given up may come without consent, too.
        let is_left = facts.leavers.iter().any(|it| it.seat == seat);
        let counts = goes_on && is_left && !is_excused;
        facts.is_casual_by_substitute |= !counts;
    }

    /// Whether the others have agreed that this newcomer gets the seat. The last player who agrees
    /// acts with the same event.
    fn is_exchange_agreed(&self, seat: u8, newcomer: &PersonId) -> bool {
        let is_meant =
            |it: &SeatNewcomer| it.has_agreed && it.invitee.person.as_ref() == Some(newcomer);
        let is_offered = self.offers.seat_to_replace() == Some(seat)
            && self.offers.newcomer.as_ref().is_some_and(is_meant)
            && seats_yet_to_agree(self).len() <= 1;
        let by = self.offers.pending.and_then(PendingOffer::proposer_seat);
        let is_own_wish = by == Some(seat) || self.offers.agreed_seats.contains(&seat);
        // Where the game goes on counting, a player who is away has given up the seat.
        let is_given_up = self.goes_on_without_leavers() && self.is_away(seat) && !is_own_wish;
        is_offered && !is_given_up && can_others_agree(self, seat)
    }

    /// Whether a person has a seat, or gave one up in a game that is over: both may read its
    /// record. During the game a player who left sees what everybody sees.
    pub fn has_played(&self, person: &PersonId) -> bool {
        let mut leavers = self.rating_facts.leavers.iter();
        let is_over = self.is_over();
        self.seating.is_seated(person) || is_over && leavers.any(|it| it.person == *person)
    }

    /// Makes an account count as this person.
    pub(super) fn merge_leaver(&mut self, account: &PersonId, person: &PersonId) {
        let leavers = self.rating_facts.leavers.iter_mut();
        leavers.filter(|it| it.person == *account).for_each(|it| it.person.clone_from(person));
        let plays = |it: &PersonId| self.phase != TablePhase::Lobby && self.seating.is_seated(it);
        // Once the game has begun, what was known of its player stays. What is known of the other
        // account must neither make the game casual nor let it count.
        let sources = match (plays(account), plays(person)) {
            (true, false) => vec![account],
            (false, true) => vec![person],
            (true, true) | (false, false) => vec![account, person],
        };
        let is_blocked = sources.iter().any(|it| self.is_rating_blocked(it));
        let paused = sources.iter().filter_map(|it| self.rating_facts.pause_until_ms(it)).max();
        self.rating_facts.forget(person);
        if is_blocked {
            self.rating_facts.block(person);
        }
        if let Some(until_ms) = paused {
            self.rating_facts.pause(person, until_ms);
        }
    }

    /// Whether a person plays a game here that counts for ratings as it is, or that would count if
    /// they lost it; or whether they gave up their seat in it, and its end counts as their loss.
    pub fn is_in_rated_game(&self, person: &PersonId) -> bool {
        let plays_rated = || {
            self.seating.is_seated(person)
                && (self.casual_reasons().is_empty() || self.would_count_as_loss_to_computers())
        };
        self.phase == TablePhase::Playing
            && self.game.is_some()
            && (plays_rated() || self.has_lost_by_leaving(person))
    }

    /// Whether a person gave up their seat and did not come back with the consent of the others, in
    /// a game that counts as their loss once it is over.
    pub fn has_lost_by_leaving(&self, person: &PersonId) -> bool {
        self.rating_facts.leavers.iter().any(|it| it.person == *person && it.casual.is_empty())
    }

    /// The seats that have changed their players, or whose player a computer has replaced for some
    /// steps.
    pub fn seats_with_several_players(&self) -> BTreeSet<u8> {
        let by_computer = self.substitute_steps().into_iter().map(|(seat, _)| seat);
        by_computer.chain(self.rating_facts.substituted.iter().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{EndReason, Event, computer_id};
    use crate::test_rated_tables::{missed, person, race, race_of, replaced, table, then};
    use caravanserai_games::rules::Seat;
    use caravanserai_results::CasualReason;

    #[test]
    fn leaving_costs_only_the_people_who_leave() {
        let computer = computer_id(DEFAULT_LEVEL);
        let mut table = race(true);
        assert_eq!(table.casual_reasons(), []);
        for seat in [2, 1] {
            table = then(&table, vec![replaced(seat, &computer)]);
            assert_eq!(table.casual_reasons(), [], "seat {seat}");
        }
        let leavers = &table.rating_facts.leavers;
        let found: Vec<_> = leavers.iter().map(|it| (it.seat, it.casual.len())).collect();
        assert_eq!(found, [(2, 0), (1, 0)]);
        // The seat of an absent player may be taken without consent, also by a friend of theirs.
        let taken = then(&race(true), vec![replaced(1, &person("tg:4"))]);
        assert_eq!(taken.casual_reasons(), []);
        assert_eq!(taken.rating_facts.leavers.len(), 1);
        assert!(race(true).may_take_absent_seats());
        assert!(!race(false).may_take_absent_seats(), "it would not count any more");
    }

    #[test]
    fn a_player_who_returns_without_consent_has_lost() {
        let [leaver, friend] = [person("tg:2"), person("tg:4")];
        let seat = race(true).seating.seats_of(&leaver).next().expect("they have a seat");
        let taken = then(&race(true), vec![replaced(seat, &friend), replaced(seat, &leaver)]);
        assert_eq!(taken.casual_reasons(), []);
        let lost: Vec<_> = taken.rating_facts.leavers.iter().map(|it| &it.person).collect();
        assert_eq!(lost, [&leaver, &friend]);
        // With the consent of the others it is their game again, which does not count any more.
        let taken = then(&race(true), vec![replaced(seat, &friend)]);
        let by = (0..3).find(|it| *it != seat);
        let mut events = vec![Event::SubstituteProposed {
            seat,
            by,
            person: Some(leaver.clone()),
            username: None,
            name: String::new(),
        }];
        events.push(Event::SubstituteAgreed { person: leaver.clone(), name: String::new() });
        let others = (0..3).filter(|it| Some(*it) != by);
        events.extend(others.map(|seat| Event::OfferAgreed { seat }));
        events.push(replaced(seat, &leaver));
        let back = then(&taken, events);
        assert_eq!(back.casual_reasons(), [CasualReason::Substitute]);
        assert!(!back.has_lost_by_leaving(&leaver));
    }

    #[test]
    fn a_substitute_is_of_a_limited_level_where_the_game_counts() {
        let level = |mut table: Table, level: ComputerLevel| {
            table.clocks.substitute_level = Some(level);
            missed(&table, 1).computer_level_of(1)
        };
        let [weak, strong] = [ComputerLevel::Beginner, ComputerLevel::Master];
        assert_eq!(level(race(true), weak), Some(weak));
        assert_eq!(level(race(true), strong), Some(DEFAULT_LEVEL));
        assert_eq!(level(race(false), strong), Some(strong), "it began earlier");
        let casual = then(&race(true), vec![Event::RatingBlocked { person: person("tg:2") }]);
        assert_eq!(level(casual, strong), Some(strong));
    }

    #[test]
    fn a_computer_wins_no_points_for_an_absent_player_of_two() {
        let mut table = race_of(&["tg:1", "tg:2"], true);
        table.clocks.substitute_level = Some(ComputerLevel::Master);
        let seat = table.seat_to_move().expect("the game has begun");
        let table = missed(&table, seat);
        assert_eq!(table.computer_level_of(seat), Some(DEFAULT_LEVEL));
        let token = table.game.as_ref().expect("a game").choices(Seat(seat))[0].token.clone();
        let mut table = then(&table, vec![Event::Stepped { seat, token }]);
        table.clocks.substitute_level = None;
        let over = Event::GameOver { scores: vec![1, 0], reason: EndReason::PlayedOut };
        let result = then(&table, vec![over]).game_result().expect("it is over");
        assert!(result.seats[usize::from(seat)].is_absent);
        // Among two, leaving still makes the game casual.
        let left = then(&table, vec![replaced(seat, &person("tg:9"))]);
        assert_eq!(left.casual_reasons(), [CasualReason::Substitute]);
    }

    #[test]
    fn leaving_makes_a_game_casual_that_began_earlier() {
        let left = then(&race(false), vec![replaced(2, &computer_id(DEFAULT_LEVEL))]);
        assert_eq!(left.casual_reasons(), [CasualReason::Substitute]);
        let steps: Vec<_> = left.rating_facts.leavers.iter().map(|it| it.steps).collect();
        assert_eq!(steps, [u32::try_from(left.history.steps.len()).ok()]);
    }

    #[test]
    fn only_players_of_a_game_that_counts_are_in_a_rated_game() {
        let lobby = table(false);
        assert!(!lobby.is_in_rated_game(&person("tg:1")), "it has not begun");
        let table = table(true);
        assert!(table.is_in_rated_game(&person("tg:1")));
        assert!(table.is_in_rated_game(&person("tg:2")));
        assert!(!table.is_in_rated_game(&person("dc:3")));
        let casual = then(&table, vec![Event::RatingBlocked { person: person("tg:2") }]);
        assert!(!casual.is_in_rated_game(&person("tg:1")));
    }

    /// Otherwise the loss of a player who left could be left to another account: by linking, or by
    /// giving it the seat for a while.
    #[test]
    fn a_player_who_left_is_in_the_rated_game_until_it_is_over() {
        let table = table(true);
        let who = table.seating.occupant(0).expect("the game has begun").person.clone();
        let replaced = |table: &Table, by: &PersonId| {
            let newcomer = Event::SeatReplaced { seat: 0, person: by.clone(), name: by.0.clone() };
            then(table, vec![newcomer])
        };
        let left = replaced(&table, &person("tg:3"));
        assert!(left.is_in_rated_game(&who));
        assert!(!left.is_in_rated_game(&person("tg:3")), "the game is casual by now");
        assert!(replaced(&left, &who).is_in_rated_game(&who), "nobody agreed to their return");
        let casual = then(&table, vec![Event::RatingBlocked { person: who.clone() }]);
        assert!(!replaced(&casual, &person("tg:3")).is_in_rated_game(&who));
        let closed = Event::TableClosed { reason: EndReason::Aborted };
        assert!(!then(&left, vec![closed]).is_in_rated_game(&who));
    }
}
