//! Playing again: the next table for the same people.

use super::Desk;
use super::opening::Plan;
use super::promise::with_promise;
use super::visit::{Visit, brief};
use crate::ledger::rows::cut;
use crate::ledger::{Deed, Entered, Failure, Held, keys};
use caravanserai_games::ids::PersonId;
use caravanserai_games::words::Text;
use caravanserai_protocol::Person;
use caravanserai_protocol::note::Note;
use caravanserai_store::{Commit, Space};
use caravanserai_table::clock::{Control, Timed, Timing};
use caravanserai_table::event::{Begin, Event, Setup};
use caravanserai_table::{self as table, Occupant, Table, consent};

impl Desk {
    /// Opens the next table for the same people with sides exchanged, and closes the circle at
    /// the old one, in one commit. The game begins at once unless the offer is old or a player is
    /// absent: then the others are invited. `None` on conflict.
    pub(super) async fn rematch(
        &self,
        visit: &mut Visit<'_>,
        held: &mut Held,
        mut notes: Vec<Note>,
    ) -> Result<Option<Vec<Note>>, Failure> {
        let old = held.table().clone();
        let mut promised = self.promised(&old).await?;
        let Some(mut held_new) = self.hold_promised(&mut promised) else {
            return Ok(Some(brief("refuse-busy")));
        };
        let starts = consent::starts_rematch(&old, visit.now_ms);
        let plan = match starts {
            true => self.exchanged(&old),
            false => self.lobby_again(&old, &visit.update.person),
        };
        let plan = with_promise(plan, promised.as_ref(), Some(&old.id));
        let id = held_new.id().clone();
        if !starts {
            notes = vec![Note::brief(Text::new("answer-rematch-anew").with("table", &*id.0))];
        }
        let opened = self.opened(visit, &id, plan)?;
        let stamp = visit.stamp();
        let closed = table::happening(&old, Event::Next { table: id.clone() }, stamp)
            .map_err(|why| Failure::Damaged(old.id.clone(), why))?;
        let deeds = vec![
            Deed { held: &mut held_new, decision: opened, answered: None },
            Deed { held, decision: closed, answered: None },
        ];
        let commit = Commit::of(vec![cut(Space::Meta, keys::promise(&old.id))]);
        let entered = self.enter(visit, deeds, commit, &notes).await?;
        Ok((entered == Entered::Done).then_some(notes))
    }

    /// How the next table is set up, what happens there first, and that it has begun by that.
    fn exchanged(&self, old: &Table) -> Plan {
        let all = sitting(old);
        let opener = all.iter().find(|it| !it.is_computer());
        let opener = opener.map_or_else(|| old.setup.opener.clone(), |it| it.person.clone());
        let setup = self.set_up_again(old, opener, Begin::Opener);
        let seated = |it: &&Occupant| {
            let (person, name) = (it.person.clone(), it.name.clone());
            Event::Seated { person, name }
        };
        let mut then: Vec<Event> = all.iter().map(seated).collect();
        then.extend(settled(old));
        then.push(Event::Started { order: (0..old.setup.seats).collect() });
        (setup, then, false)
    }

    /// The same as a lobby: this person and the computers have seats, the others are invited.
    fn lobby_again(&self, old: &Table, own: &Person) -> Plan {
        let all = sitting(old);
        let begin = match all.first() {
            Some(first) if old.setup.seats == 2 && first.person == own.id => Begin::Opener,
            Some(_) if old.setup.seats == 2 => Begin::Friend,
            Some(_) | None => Begin::Lot,
        };
        let setup = self.set_up_again(old, own.id.clone(), begin);
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
        then.extend(settled(old));
        (setup, then, false)
    }

    fn set_up_again(&self, old: &Table, opener: PersonId, begin: Begin) -> Setup {
        Setup {
            format: Setup::format_of(old.setup.coached),
            revision: old.game_id().info().revision,
            begin,
            seed: self.seed(),
            opener,
            place: old.home().clone(),
            ..old.setup.clone()
        }
    }
}

/// The players of the next table in the order of their seats: two exchange sides, among more the
/// second one begins.
fn sitting(old: &Table) -> Vec<&Occupant> {
    let seats = old.setup.seats;
    (1..=seats).filter_map(|seat| old.occupant(seat % seats)).collect()
}

/// The agreed settings and the places of a table, which the next one takes over.
fn settled(old: &Table) -> Vec<Event> {
    let mut then: Vec<Event> = Vec::new();
    then.extend(old.hints.map(|hints| Event::Ruled { hints }));
    let Timing { control, helper, .. } = old.timing;
    let control = Some(control).filter(|it| *it != Control::Free);
    then.extend(control.map(|it| Event::Time(Timed::Settled(it))));
    then.extend(helper.map(|it| Event::Time(Timed::Helper(it))));
    then.extend(old.brought());
    then
}
