//! Rematches: opens the next table for the same people.

use std::sync::Arc;

use super::context::{RequestContext, brief_views};
use super::open_table::{TablePlan, opening_decision};
use super::reserved_tables::{ReservedTables, new_seed, use_reserved_seed};
use super::update_committer::UpdateCommitter;
use crate::repository::stored_rows::remove_row;
use crate::repository::{CommitOutcome, Failure, Repository, TableChange, TableGuard, keys};
use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_games::text::Text;
use caravanserai_protocol::Person;
use caravanserai_protocol::view::View;
use caravanserai_store::{Commit, Space};
use caravanserai_table::clock::{ClockEvent, ClockState, TimeControl};
use caravanserai_table::event::{Event, FirstMover, TableSetup};
use caravanserai_table::rematch::starts_rematch;
use caravanserai_table::{self as table, Occupant, Table, TablePhase};

/// Opens the next table for the same people.
pub(crate) struct RematchOpener {
    repository: Arc<Repository>,
    committer: Arc<UpdateCommitter>,
    reserved_tables: Arc<ReservedTables>,
}

impl RematchOpener {
    pub(crate) fn new(
        repository: Arc<Repository>,
        committer: Arc<UpdateCommitter>,
        reserved_tables: Arc<ReservedTables>,
    ) -> Self {
        Self { repository, committer, reserved_tables }
    }

    /// Opens the next table for the same people with sides exchanged, and links the old table to
    /// it, in one commit. The game begins at once unless the offer is old or a player is absent:
    /// then the others are invited. Returns `None` on conflict.
    pub(crate) async fn open_rematch(
        &self,
        context: &mut RequestContext<'_>,
        guard: &mut TableGuard,
        mut views: Vec<View>,
    ) -> Result<Option<Vec<View>>, Failure> {
        let old = guard.table().clone();
        let mut reserved = self.reserved_tables.load_reserved_table(&old).await?;
        let Some(mut new_guard) = self.reserved_tables.lock_reserved_table(&mut reserved) else {
            return Ok(Some(brief_views("refuse-busy")));
        };
        let starts = starts_rematch(&old, context.now_ms);
        let plan = match starts {
            true => self.rematch_plan(&old),
            false => self.rematch_lobby_plan(&old, &context.update.person),
        };
        let plan = use_reserved_seed(plan, reserved.as_ref(), Some(&old.id));
        let id = new_guard.id().clone();
        if !starts {
            views = vec![View::brief(Text::new("answer-rematch-invites").with("table", &*id.0))];
        }
        let opened = opening_decision(context, &id, plan)?;
        let meta = context.event_meta();
        let closed =
            table::apply_external_event(&old, Event::ContinuedAt { table: id.clone() }, meta)
                .map_err(|why| Failure::Damaged(old.id.clone(), why))?;
        let changes =
            vec![TableChange::new(&mut new_guard, opened), TableChange::new(guard, closed)];
        let commit =
            Commit::from_puts(vec![remove_row(Space::Meta, keys::reserved_table(&old.id))]);
        let outcome = self.committer.commit_changes(context, changes, commit, &views).await?;
        Ok((outcome == CommitOutcome::Committed).then_some(views))
    }

    /// Whether the table of a rematch was closed without a result, or does not exist any more. It
    /// is read without a lock, because the caller holds the one of the table before it.
    pub(crate) async fn has_come_to_nothing(&self, next: &TableId) -> Result<bool, Failure> {
        // Of a table that cannot be read nobody knows how the game goes on.
        let Some(lines) = self.repository.load_readable_log(next).await? else { return Ok(false) };
        let is_closed = |it: Table| matches!(it.phase, TablePhase::Closed { .. });
        Ok(lines.is_empty() || Table::from_log(next, &lines).is_ok_and(is_closed))
    }

    /// The plan of a rematch that has already begun.
    fn rematch_plan(&self, old: &Table) -> TablePlan {
        let players = rematch_players(old);
        let setup = self.rematch_setup(old, opener_at_once(old), FirstMover::Opener);
        let seated = |it: &&Occupant| {
            let person = it.person.clone();
            let name = it.name.clone();
            Event::Seated { person, name }
        };
        let mut events: Vec<Event> = players.iter().map(seated).collect();
        events.extend(carried_over_events(old));
        let order = (0..old.setup.seats).collect();
        // Opening the table adds how leaving counts.
        events.push(Event::Started { order, leavers_lose: false, pair_limit: None });
        TablePlan { setup, first_events: events, starts_at_once: false }
    }

    /// The plan of a rematch as a lobby: this person and the computers have seats, the others are
    /// invited.
    fn rematch_lobby_plan(&self, old: &Table, person: &Person) -> TablePlan {
        let players = rematch_players(old);
        let begin = match players.first() {
            Some(first) if old.setup.seats == 2 && first.person == person.id => FirstMover::Opener,
            Some(_) if old.setup.seats == 2 => FirstMover::Friend,
            Some(_) | None => FirstMover::Lot,
        };
        let setup = self.rematch_setup(old, person.id.clone(), begin);
        let mut events =
            vec![Event::Seated { person: person.id.clone(), name: person.name.clone() }];
        let (computers, people): (Vec<&Occupant>, Vec<&Occupant>) =
            players.into_iter().partition(|it| it.is_computer());
        events.extend(
            computers
                .into_iter()
                .map(|it| Event::Seated { person: it.person.clone(), name: it.name.clone() }),
        );
        let others = people.into_iter().filter(|it| it.person != person.id);
        events.extend(others.map(|it| Event::Invited {
            person: Some(it.person.clone()),
            username: None,
            name: it.name.clone(),
        }));
        events.extend(carried_over_events(old));
        TablePlan { setup, first_events: events, starts_at_once: false }
    }

    fn rematch_setup(&self, old: &Table, opener: PersonId, begin: FirstMover) -> TableSetup {
        TableSetup {
            format: TableSetup::required_format(old.setup.coached),
            revision: old.game_id().info().revision,
            begin,
            seed: new_seed(&self.repository),
            opener,
            chat: old.chats.home().clone(),
            ..old.setup.clone()
        }
    }
}

/// The person who counts as the opener of a rematch that begins at once.
fn opener_at_once(old: &Table) -> PersonId {
    let first = rematch_players(old).into_iter().find(|it| !it.is_computer());
    first.map_or_else(|| old.setup.opener.clone(), |it| it.person.clone())
}

/// The person who counts as the opener of the next table if this person accepts the rematch now.
pub(crate) fn rematch_opener(old: &Table, person: &PersonId, now_ms: u64) -> PersonId {
    match starts_rematch(old, now_ms) {
        true => opener_at_once(old),
        false => person.clone(),
    }
}

/// The players of the next table in the order of their seats: two players exchange sides; with more
/// players the second one begins.
fn rematch_players(old: &Table) -> Vec<&Occupant> {
    let seats = old.setup.seats;
    (1..=seats).filter_map(|seat| old.seating.occupant(seat % seats)).collect()
}

/// The events that carry over the agreed settings and the chats of a table to the next one.
fn carried_over_events(old: &Table) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::new();
    events.extend(old.hints.setting.map(|hints| Event::HintsSet { hints }));
    let rated = old.rating_facts.rated_setting;
    events.extend(rated.map(|rated| Event::RatedSet { rated }));
    let ClockState { control, substitute_level, .. } = old.clocks;
    let control = Some(control).filter(|it| *it != TimeControl::Unlimited);
    events.extend(control.map(|it| Event::Clock(ClockEvent::ControlSet(it))));
    events.extend(substitute_level.map(|it| Event::Clock(ClockEvent::SubstituteLevelSet(it))));
    events.extend(old.chats.attach_events());
    events
}
