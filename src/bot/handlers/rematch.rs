//! Playing again: the next table for the same people.

use super::Handlers;
use super::context::{RequestContext, brief_note};
use super::open_table::OpeningPlan;
use super::seed_promise::apply_promise;
use crate::repository::stored_rows::remove_row;
use crate::repository::{CommitOutcome, Failure, TableChange, TableGuard, keys};
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::Text;
use caravanserai_protocol::Person;
use caravanserai_protocol::view::View;
use caravanserai_store::{Commit, Space};
use caravanserai_table::clock::{ClockEvent, ClockState, TimeControl};
use caravanserai_table::event::{Event, FirstMover, TableSetup};
use caravanserai_table::{self as table, Occupant, Table, consent};

impl Handlers {
    /// Opens the next table for the same people with sides exchanged, and closes the circle at
    /// the old one, in one commit. The game begins at once unless the offer is old or a player is
    /// absent: then the others are invited. `None` on conflict.
    pub(crate) async fn open_rematch(
        &self,
        visit: &mut RequestContext<'_>,
        held: &mut TableGuard,
        mut notes: Vec<View>,
    ) -> Result<Option<Vec<View>>, Failure> {
        let old = held.table().clone();
        let mut promised = self.load_promised_table(&old).await?;
        let Some(mut held_new) = self.lock_promised_table(&mut promised) else {
            return Ok(Some(brief_note("refuse-busy")));
        };
        let starts = consent::starts_rematch(&old, visit.now_ms);
        let plan = match starts {
            true => self.rematch_plan(&old),
            false => self.rematch_lobby_plan(&old, &visit.update.person),
        };
        let plan = apply_promise(plan, promised.as_ref(), Some(&old.id));
        let id = held_new.id().clone();
        if !starts {
            notes = vec![View::brief(Text::new("answer-rematch-anew").with("table", &*id.0))];
        }
        let opened = self.opening_decision(visit, &id, plan)?;
        let stamp = visit.event_meta();
        let closed =
            table::apply_external_event(&old, Event::ContinuedAt { table: id.clone() }, stamp)
                .map_err(|why| Failure::Damaged(old.id.clone(), why))?;
        let deeds = vec![
            TableChange { guard: &mut held_new, decision: opened, answered_seat: None },
            TableChange { guard: held, decision: closed, answered_seat: None },
        ];
        let commit =
            Commit::from_puts(vec![remove_row(Space::Meta, keys::promised_table(&old.id))]);
        let entered = self.commit_changes(visit, deeds, commit, &notes).await?;
        Ok((entered == CommitOutcome::Committed).then_some(notes))
    }

    /// How the next table is set up, what happens there first, and that it has begun by that.
    fn rematch_plan(&self, old: &Table) -> OpeningPlan {
        let all = rematch_players(old);
        let opener = all.iter().find(|it| !it.is_computer());
        let opener = opener.map_or_else(|| old.setup.opener.clone(), |it| it.person.clone());
        let setup = self.rematch_setup(old, opener, FirstMover::Opener);
        let seated = |it: &&Occupant| {
            let (person, name) = (it.person.clone(), it.name.clone());
            Event::Seated { person, name }
        };
        let mut then: Vec<Event> = all.iter().map(seated).collect();
        then.extend(carried_over_events(old));
        then.push(Event::Started { order: (0..old.setup.seats).collect() });
        (setup, then, false)
    }

    /// The same as a lobby: this person and the computers have seats, the others are invited.
    fn rematch_lobby_plan(&self, old: &Table, own: &Person) -> OpeningPlan {
        let all = rematch_players(old);
        let begin = match all.first() {
            Some(first) if old.setup.seats == 2 && first.person == own.id => FirstMover::Opener,
            Some(_) if old.setup.seats == 2 => FirstMover::Friend,
            Some(_) | None => FirstMover::Lot,
        };
        let setup = self.rematch_setup(old, own.id.clone(), begin);
        let mut then = vec![Event::Seated { person: own.id.clone(), name: own.name.clone() }];
        let (computers, people): (Vec<&Occupant>, Vec<&Occupant>) =
            all.into_iter().partition(|it| it.is_computer());
        then.extend(
            computers
                .into_iter()
                .map(|it| Event::Seated { person: it.person.clone(), name: it.name.clone() }),
        );
        let others = people.into_iter().filter(|it| it.person != own.id);
        then.extend(others.map(|it| Event::Invited {
            person: Some(it.person.clone()),
            username: None,
            name: it.name.clone(),
        }));
        then.extend(carried_over_events(old));
        (setup, then, false)
    }

    fn rematch_setup(&self, old: &Table, opener: PersonId, begin: FirstMover) -> TableSetup {
        TableSetup {
            format: TableSetup::required_format(old.setup.coached),
            revision: old.game_id().info().revision,
            begin,
            seed: self.new_seed(),
            opener,
            chat: old.home().clone(),
            ..old.setup.clone()
        }
    }
}

/// The players of the next table in the order of their seats: two exchange sides, among more the
/// second one begins.
fn rematch_players(old: &Table) -> Vec<&Occupant> {
    let seats = old.setup.seats;
    (1..=seats).filter_map(|seat| old.occupant(seat % seats)).collect()
}

/// The agreed settings and the places of a table, which the next one takes over.
fn carried_over_events(old: &Table) -> Vec<Event> {
    let mut then: Vec<Event> = Vec::new();
    then.extend(old.hints_setting.map(|hints| Event::HintsSet { hints }));
    let ClockState { control, substitute_level: helper, .. } = old.clocks;
    let control = Some(control).filter(|it| *it != TimeControl::Unlimited);
    then.extend(control.map(|it| Event::Clock(ClockEvent::ControlSet(it))));
    then.extend(helper.map(|it| Event::Clock(ClockEvent::SubstituteLevelSet(it))));
    then.extend(old.attach_events());
    then
}
