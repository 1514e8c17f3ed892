//! Vacations: what somebody settles for all their slow tables at once, and how it ends.

use super::Handlers;
use super::context::{HandlerResult, RequestContext, brief_note};
use crate::repository::row_update::TypedRowKey;
use crate::repository::{CommitOutcome, Failure, TableChange, TableGuard};
use crate::settings;
use crate::settings::{SettingScope, SettingsOwner};
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::View;
use caravanserai_store::Commit;
use caravanserai_table::event::Event;
use caravanserai_table::{ClockEvent, Decision, Table, apply_external_event, vacation};

/// How often it is tried again when others act at the same tables.
const VACATION_TRIES: usize = 4;

impl Handlers {
    /// Whether somebody is on vacation, how many days they have, and what they may choose.
    pub(crate) fn vacation_note(visit: &RequestContext<'_>, paged: bool) -> View {
        let now = match visit.person.vacation_until(visit.now_ms) {
            Some(until_ms) => Text::new("answer-vacation").with("day", Arg::day(until_ms)),
            None => Text::new("answer-vacation-none"),
        };
        let whose = SettingsOwner { scope: SettingScope::Person, chat: &visit.update.chat.id };
        let left = visit.person.vacation_days_left(visit.now_ms);
        settings::vacation_view(whose, now, left, paged)
    }

    /// Somebody goes on vacation for so many days, or is back: all their tables know it in one
    /// commit. `None`: they have not so many days left.
    pub(crate) async fn set_vacation(
        &self,
        visit: &mut RequestContext<'_>,
        days: Option<u32>,
        told: impl Fn(&RequestContext<'_>) -> View + Sync,
    ) -> HandlerResult {
        let (own, now_ms) = (visit.update.person.id.clone(), visit.now_ms);
        for _ in 0..VACATION_TRIES {
            let stored = self.repository.read_row(TypedRowKey::person(&own)).await?;
            let mut profile = stored.value().clone();
            let until_ms = match days {
                None => {
                    profile.end_vacation(now_ms);
                    None
                }
                Some(days) => match profile.start_vacation(days, now_ms) {
                    Some(until_ms) => Some(until_ms),
                    None => {
                        visit.set_person(profile);
                        return Ok(vec![not_enough_days_note(visit)]);
                    }
                },
            };
            let mut commit = Commit::default();
            stored.set(&profile, &mut commit);
            visit.set_person(profile);
            let notes = vec![told(visit)];
            let mut tables = self.lock_tables_of_account(&own).await?;
            let mut deeds = Vec::new();
            for held in &mut tables {
                if let Some(decision) = vacation_decision(visit, held, &own, until_ms)? {
                    deeds.push(TableChange { guard: held, decision, answered_seat: None });
                }
            }
            if self.commit_changes(visit, deeds, commit, &notes).await? == CommitOutcome::Committed
            {
                drop(tables);
                self.record_vacation_at_new_tables(&own, until_ms).await;
                return Ok(notes);
            }
            if let Some(answered) = self.stored_answer(visit.update).await? {
                return Ok(answered.notes);
            }
        }
        Ok(brief_note("refuse-busy"))
    }

    /// Notes a vacation at tables where the person got a seat during the commit: those seats were
    /// decided by the old profile. Tables where this fails learn it at their next turn.
    async fn record_vacation_at_new_tables(&self, own: &PersonId, until_ms: Option<u64>) {
        let noted = match until_ms {
            Some(until_ms) => self.repository.start_vacation_at_tables(own, until_ms).await,
            None => self.repository.end_vacation_at_tables(own).await,
        };
        if let Err(failure) = noted {
            tracing::error!(person = own.0, %failure, "failed to note a vacation at all tables");
        }
    }
}

/// What is noted at one of their tables.
fn vacation_decision(
    visit: &RequestContext<'_>,
    held: &TableGuard,
    own: &PersonId,
    until_ms: Option<u64>,
) -> Result<Option<Decision>, Failure> {
    let table = held.table();
    let event = match until_ms {
        Some(until_ms) => vacation::vacation_start_event(table, own, until_ms),
        None => vacation::vacation_end_event(table, own),
    };
    let stamp = visit.event_meta();
    let decided = event.map(|event| apply_external_event(table, event, stamp)).transpose();
    decided.map_err(|why| Failure::Damaged(table.id.clone(), why))
}

/// They have not so many days.
fn not_enough_days_note(visit: &RequestContext<'_>) -> View {
    let left = i64::from(visit.person.vacation_days_left(visit.now_ms));
    let most = i64::from(settings::VACATION_DAYS_MAX);
    View::brief(Text::new("refuse-vacation-days").with("left", left).with("most", most))
}

/// Whether somebody shows by this that they are back: they play, or sit down to play with others
/// who need only look in now and then.
pub(crate) fn ends_vacation(decision: &Decision, own: &PersonId) -> bool {
    let table: &Table = &decision.table;
    let plays = |seat: u8| table.seats_of(own).any(|it| it == seat);
    let there = |it: &Event| match it {
        Event::Clock(ClockEvent::VacationEnded { person }) => person == own,
        Event::Seated { person, .. } | Event::SeatReplaced { person, .. } => person == own,
        Event::Stepped { seat, .. } | Event::OfferAgreed { seat } => plays(*seat),
        _ => false,
    };
    table.allows_vacation() && decision.events().any(there)
}
