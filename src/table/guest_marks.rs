//! Remembers which players are guests: people with an account that anybody can get, and without a
//! history. Games that begin with a guest do not count for ratings.
//!
//! Only players who play from the start matter. A guest who takes a seat later does not make the
//! game casual: otherwise a second account could undo a loss. Linking a guest's account before the
//! start ends the mark; after the start nothing changes any more.

use super::decision_builder::{Decision, DecisionBuilder, EventMeta};
use super::event::Event;
use super::seating::Seating;
use super::state::{Table, TablePhase};
use caravanserai_games::ids::PersonId;

/// The guests at a table.
#[derive(Clone, Debug, Default)]
pub struct GuestMarks {
    /// Those who are seated before the start.
    people: Vec<PersonId>,
    /// Whether the game began with one.
    has_begun_with_guest: bool,
}

impl GuestMarks {
    /// Records a guest, before the start or with it.
    pub(super) fn record(&mut self, person: &PersonId, seating: &Seating, phase: &TablePhase) {
        if *phase != TablePhase::Lobby {
            self.has_begun_with_guest |= seating.is_seated(person);
        } else if !self.people.contains(person) {
            self.people.push(person.clone());
        }
    }

    /// Records who plays when the game starts.
    pub(super) fn start(&mut self, seating: &Seating) {
        self.has_begun_with_guest = self.has_seated(seating);
    }

    /// Forgets a guest whose account was linked before the start.
    pub(super) fn merge_account(&mut self, account: &PersonId, person: &PersonId) {
        self.forget(account);
        self.forget(person);
    }

    /// Forgets a person who gives up a seat before the start: it is decided again when they take
    /// one.
    pub(super) fn forget(&mut self, person: &PersonId) {
        self.people.retain(|it| it != person);
    }

    fn has_seated(&self, seating: &Seating) -> bool {
        self.people.iter().any(|it| seating.is_seated(it))
    }
}

impl Table {
    /// Whether a guest keeps the game from counting for ratings.
    pub(super) fn has_guest(&self) -> bool {
        match self.phase {
            TablePhase::Lobby => self.guests.has_seated(&self.seating),
            TablePhase::Playing | TablePhase::Over { .. } | TablePhase::Closed { .. } => {
                self.guests.has_begun_with_guest
            }
        }
    }
}

/// Adds to the decision that seats them before the start, or starts the game, that these people are
/// guests. A person whose account this decision links with another is not a guest.
pub fn add_guests(decision: Decision, people: impl IntoIterator<Item = PersonId>) -> Decision {
    let Some(meta) = EventMeta::of_last_line(&decision) else { return decision };
    let merged = |person: &PersonId| {
        let is_it = |event: &Event| {
            let Event::AccountsMerged { person: merged, .. } = event else { return false };
            merged == person
        };
        decision.lines.iter().any(|it| is_it(&it.event))
    };
    let people: Vec<PersonId> = people.into_iter().filter(|it| !merged(it)).collect();
    let mut draft = DecisionBuilder::continue_from(decision, meta);
    for person in people {
        if draft.table.is_open() && !draft.table.guests.people.contains(&person) {
            draft.add(Event::GuestSeated { person });
        }
    }
    draft.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision_builder::{apply_external_events, open_table};
    use crate::event::{LogLine, TableSetup};
    use caravanserai_games::GameId;
    use caravanserai_games::ids::TableId;
    use caravanserai_results::CasualReason;

    fn person(id: &str) -> PersonId {
        PersonId(id.to_owned())
    }

    fn sits(id: &str) -> Event {
        Event::Seated { person: person(id), name: id.to_owned() }
    }

    fn guest(id: &str) -> Event {
        Event::GuestSeated { person: person(id) }
    }

    /// A table of a person, who waits for another one.
    fn lobby() -> Table {
        let setup = TableSetup::for_test(GameId::all()[0], 2, person("tg:1"));
        let meta = EventMeta::received_now(1_000, "tg/1");
        let id = TableId("7k3fx".to_owned());
        open_table(&id, setup, vec![sits("tg:1")], false, meta).expect("it fits").table
    }

    fn then(table: &Table, events: Vec<Event>) -> Table {
        let meta = EventMeta::received_now(2_000, "tg/2");
        apply_external_events(table, events, meta).expect("they follow").table
    }

    fn start() -> Event {
        Event::Started { order: vec![0, 1], leavers_lose: false, pair_limit: None }
    }

    #[test]
    fn a_game_that_begins_with_a_guest_does_not_count() {
        let waits = then(&lobby(), vec![sits("web:2"), guest("web:2")]);
        assert_eq!(waits.casual_reasons(), [CasualReason::Guest], "the lobby says so");
        let plays = then(&waits, vec![start()]);
        assert_eq!(plays.casual_reasons(), [CasualReason::Guest]);
        // The game began with the same decision that seated them.
        let at_once = then(&lobby(), vec![sits("web:2"), start(), guest("web:2")]);
        assert_eq!(at_once.casual_reasons(), [CasualReason::Guest]);
        let left = then(&waits, vec![Event::Left { person: person("web:2") }]);
        assert_eq!(left.casual_reasons(), []);
    }

    #[test]
    fn the_log_names_a_guest() {
        let text = "3 5 c guest web:2";
        let event = guest("web:2");
        let line = LogLine { number: 3, at_ms: 5, cause: "c".to_owned(), event };
        assert_eq!(line.encode(), text);
        assert_eq!(LogLine::parse(text), Ok(line));
    }

    #[test]
    fn a_guest_who_comes_later_changes_nothing() {
        let plays = then(&lobby(), vec![sits("tg:2"), start()]);
        assert_eq!(then(&plays, vec![guest("web:9")]).casual_reasons(), []);
    }

    #[test]
    fn a_linked_account_is_no_guest_if_it_was_linked_before_the_start() {
        let link = || Event::AccountsMerged { account: person("web:2"), person: person("tg:2") };
        let waits = then(&lobby(), vec![sits("web:2"), guest("web:2")]);
        assert_eq!(then(&waits, vec![link()]).casual_reasons(), []);
        let plays = then(&waits, vec![start(), link()]);
        assert_eq!(plays.casual_reasons(), [CasualReason::Guest]);
    }
}
