//! Vacations: start and end of a vacation at all slow tables of a person.

use std::sync::Arc;

use super::context::{HandlerResult, RequestContext, brief_views};
use super::table_index::lock_tables_of_account;
use super::update_committer::UpdateCommitter;
use crate::repository::row_update::TypedRowKey;
use crate::repository::{CommitOutcome, Failure, Repository, TableChange, TableGuard};
use crate::settings;
use crate::settings::{SettingScope, SettingsOwner, SettingsReply};
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::View;
use caravanserai_store::Commit;
use caravanserai_table::event::Event;
use caravanserai_table::{ClockEvent, Decision, Table, apply_external_event, vacation};

/// The attempts to commit when others act at the same tables.
const VACATION_TRIES: usize = 4;

/// Starts and ends vacations.
pub(crate) struct VacationPlanner {
    repository: Arc<Repository>,
    committer: Arc<UpdateCommitter>,
}

impl VacationPlanner {
    pub(crate) fn new(repository: Arc<Repository>, committer: Arc<UpdateCommitter>) -> Self {
        Self { repository, committer }
    }

    /// Starts a vacation of this many days, or ends it with `None`; all tables of the person change
    /// in one commit. Refuses if they have not enough days left.
    pub(crate) async fn set_vacation(
        &self,
        context: &mut RequestContext<'_>,
        days: Option<u32>,
        build_view: impl Fn(&RequestContext<'_>) -> View + Sync,
    ) -> HandlerResult {
        let person_id = context.update.person.id.clone();
        let now_ms = context.now_ms;
        for _ in 0..VACATION_TRIES {
            let stored = self.repository.read_row(TypedRowKey::person(&person_id)).await?;
            let mut profile = stored.value().clone();
            let until_ms = match days {
                None => {
                    profile.end_vacation(now_ms);
                    None
                }
                Some(days) => match profile.start_vacation(days, now_ms) {
                    Some(until_ms) => Some(until_ms),
                    None => {
                        context.set_person(profile);
                        return Ok(vec![not_enough_days_view(context)]);
                    }
                },
            };
            let mut commit = Commit::default();
            stored.set(&profile, &mut commit);
            context.set_person(profile);
            let views = vec![build_view(context)];
            let mut tables = lock_tables_of_account(&self.repository, &person_id).await?;
            let mut changes = Vec::new();
            for guard in &mut tables {
                if let Some(decision) = vacation_decision(context, guard, &person_id, until_ms)? {
                    changes.push(TableChange::new(guard, decision));
                }
            }
            if self.committer.commit_changes(context, changes, commit, &views).await?
                == CommitOutcome::Committed
            {
                drop(tables);
                self.record_vacation_at_new_tables(&person_id, until_ms).await;
                return Ok(views);
            }
            if let Some(stored) = self.committer.stored_answer(context.update).await? {
                return Ok(stored.replies);
            }
        }
        Ok(brief_views("refuse-busy"))
    }

    /// Records a vacation at tables where the person got a seat during the commit: those seats were
    /// decided by the old profile. Tables where this fails are updated at their next turn.
    async fn record_vacation_at_new_tables(&self, person_id: &PersonId, until_ms: Option<u64>) {
        let result = match until_ms {
            Some(until_ms) => {
                self.repository
                    .external_events()
                    .start_vacation_at_tables(person_id, until_ms)
                    .await
            }
            None => self.repository.external_events().end_vacation_at_tables(person_id).await,
        };
        if let Err(failure) = result {
            tracing::error!(person = person_id.0, %failure, "failed to record a vacation");
        }
    }
}

/// The vacation of a person, their remaining days, and the lengths to choose from.
pub(crate) fn vacation_status_view(context: &RequestContext<'_>, reply: SettingsReply) -> View {
    let now = match context.person.vacation_until(context.now_ms) {
        Some(until_ms) => Text::new("answer-vacation").with("day", Arg::day(until_ms)),
        None => Text::new("answer-vacation-none"),
    };
    vacation_page(context, now, reply)
}

/// The vacation page of the sender under this text.
pub(crate) fn vacation_page(context: &RequestContext<'_>, now: Text, reply: SettingsReply) -> View {
    let owner = SettingsOwner { scope: SettingScope::Person, chat: &context.update.chat.id };
    let left = context.person.vacation_days_left(context.now_ms);
    settings::vacation_view(owner, now, left, reply)
}

/// The decision that records a vacation at one table, if it changes there.
fn vacation_decision(
    context: &RequestContext<'_>,
    guard: &TableGuard,
    person_id: &PersonId,
    until_ms: Option<u64>,
) -> Result<Option<Decision>, Failure> {
    let table = guard.table();
    let event = match until_ms {
        Some(until_ms) => vacation::vacation_start_event(table, person_id, until_ms),
        None => vacation::vacation_end_event(table, person_id),
    };
    let meta = context.event_meta();
    let decision = event.map(|event| apply_external_event(table, event, meta)).transpose();
    decision.map_err(|why| Failure::Damaged(table.id.clone(), why))
}

/// Refuses a vacation because too few days are left.
fn not_enough_days_view(context: &RequestContext<'_>) -> View {
    let left = i64::from(context.person.vacation_days_left(context.now_ms));
    let most = i64::from(settings::VACATION_DAYS_MAX);
    View::brief(Text::new("refuse-vacation-days").with("left", left).with("most", most))
}

/// Whether a decision shows that a person is back: they act at a table, or take a seat at a table
/// where others play slowly.
pub(crate) fn ends_vacation(decision: &Decision, person_id: &PersonId) -> bool {
    let table: &Table = &decision.table;
    let plays = |seat: u8| table.seating.has_seat(person_id, seat);
    let shows_return = |it: &Event| match it {
        Event::Clock(ClockEvent::VacationEnded { person }) => person == person_id,
        Event::Seated { person, .. } | Event::SeatReplaced { person, .. } => person == person_id,
        Event::Stepped { seat, .. } | Event::OfferAgreed { seat } => plays(*seat),
        _ => false,
    };
    table.allows_vacation() && decision.events().any(shows_return)
}
