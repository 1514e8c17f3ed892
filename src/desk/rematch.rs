//! Playing again: the next table for the same people.

use super::Desk;
use super::visit::Visit;
use crate::chat::note::Note;
use crate::ledger::rows::cut;
use crate::ledger::{Deed, Entered, Failure, Held, keys};
use crate::store::{Commit, Space};
use crate::table::clock::{Control, Timed, Timing};
use crate::table::event::{Begin, Event, Setup};
use crate::table::{self, Occupant, Table};

impl Desk {
    /// Opens the next table for the same people with sides exchanged, and closes the circle at
    /// the old one, in one commit. `None` on conflict.
    pub(super) async fn rematch(
        &self,
        visit: &mut Visit<'_>,
        held: &mut Held,
        notes: Vec<Note>,
    ) -> Result<Option<Vec<Note>>, Failure> {
        let old = held.table().clone();
        let promised = self.promised(&old).await?;
        let mut plan = self.exchanged(&old);
        if let Some(promised) = &promised {
            plan.0.seed = promised.seed;
            plan.1.insert(0, promised.event(Some(&old.id)));
        }
        let id = promised.map_or_else(|| self.code(), |it| it.table);
        let opened = self.opened(visit, &id, plan)?;
        let stamp = visit.stamp();
        let closed = table::happening(&old, Event::Next { table: id.clone() }, stamp)
            .map_err(|why| Failure::Damaged(old.id.clone(), why))?;
        let mut held_new = self.ledger.hold_new(&id).await;
        let deeds = vec![
            Deed { held: &mut held_new, decision: opened, answered: None },
            Deed { held, decision: closed, answered: None },
        ];
        let commit = Commit::of(vec![cut(Space::Meta, keys::promise(&old.id))]);
        let entered = self.enter(visit, deeds, commit, &notes).await?;
        Ok((entered == Entered::Done).then_some(notes))
    }

    /// How the next table is set up, what happens there first, and that it has begun by that.
    fn exchanged(&self, old: &Table) -> (Setup, Vec<Event>, bool) {
        let seats = old.setup.seats;
        // Two exchange sides. Among more, whoever came second begins, and all sit as before.
        let order: Vec<u8> = match seats {
            2 => vec![1, 0],
            _ => (0..seats).map(|seat| (seat + 1) % seats).collect(),
        };
        let all: Vec<_> = order.iter().filter_map(|&seat| old.occupant(seat)).collect();
        let opener = all.iter().find(|it| !it.is_computer());
        let setup = Setup {
            format: Setup::format_of(old.setup.coached),
            revision: old.game_id().info().revision,
            begin: Begin::Opener,
            seed: self.seed(),
            opener: opener.map_or_else(|| old.setup.opener.clone(), |it| it.person.clone()),
            place: old.home().clone(),
            ..old.setup.clone()
        };
        let seated = |it: &&Occupant| {
            let (person, name) = (it.person.clone(), it.name.clone());
            Event::Seated { person, name }
        };
        let mut then: Vec<Event> = all.iter().map(seated).collect();
        then.extend(old.hints.map(|hints| Event::Ruled { hints }));
        let Timing { control, helper, .. } = old.timing;
        let control = Some(control).filter(|it| *it != Control::Free);
        then.extend(control.map(|it| Event::Time(Timed::Settled(it))));
        then.extend(helper.map(|it| Event::Time(Timed::Helper(it))));
        then.extend(old.brought());
        then.push(Event::Started { order: (0..seats).collect() });
        (setup, then, false)
    }
}
