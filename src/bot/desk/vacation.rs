//! Vacations: what somebody settles for all their slow tables at once, and how it ends.

use super::Desk;
use super::visit::{Notes, Visit, brief};
use crate::ledger::changes::Slot;
use crate::ledger::{Deed, Entered, Failure, Held};
use caravanserai_games::ids::PersonId;
use caravanserai_games::words::{Arg, Text};
use caravanserai_protocol::note::Note;
use caravanserai_protocol::request::Scope;
use caravanserai_protocol::settings::{self, For};
use caravanserai_store::Commit;
use caravanserai_table::event::Event;
use caravanserai_table::{Decision, Table, Timed, happening, vacation};

/// How often it is tried again when others act at the same tables.
const TRIES: usize = 4;

impl Desk {
    /// Whether somebody is on vacation, how many days they have, and what they may choose.
    pub(super) fn vacation_note(visit: &Visit<'_>, paged: bool) -> Note {
        let now = match visit.person.vacation(visit.now_ms) {
            Some(until_ms) => Text::new("answer-vacation").with("day", Arg::day(until_ms)),
            None => Text::new("answer-vacation-none"),
        };
        let whose = For { scope: Scope::Person, here: &visit.update.place.id };
        let left = visit.person.vacation_left(visit.now_ms);
        settings::vacation(whose, now, left, paged)
    }

    /// Somebody goes on vacation for so many days, or is back: all their tables know it in one
    /// commit. `None`: they have not so many days left.
    pub(super) async fn settle_vacation(
        &self,
        visit: &mut Visit<'_>,
        days: Option<u32>,
        told: impl Fn(&Visit<'_>) -> Note + Sync,
    ) -> Notes {
        let (own, now_ms) = (visit.update.person.id.clone(), visit.now_ms);
        for _ in 0..TRIES {
            let stored = self.ledger.stored(Slot::person(&own)).await?;
            let mut profile = stored.value().clone();
            let until_ms = match days {
                None => {
                    profile.come_home(now_ms);
                    None
                }
                Some(days) => match profile.go_away(days, now_ms) {
                    Some(until_ms) => Some(until_ms),
                    None => {
                        visit.person_is(profile);
                        return Ok(vec![too_long(visit)]);
                    }
                },
            };
            let mut commit = Commit::default();
            stored.set(&profile, &mut commit);
            visit.person_is(profile);
            let notes = vec![told(visit)];
            let mut tables = self.held_by(&own).await?;
            let mut deeds = Vec::new();
            for held in &mut tables {
                if let Some(decision) = noted(visit, held, &own, until_ms)? {
                    deeds.push(Deed { held, decision, answered: None });
                }
            }
            if self.enter(visit, deeds, commit, &notes).await? == Entered::Done {
                drop(tables);
                self.note_at_new_tables(&own, until_ms).await;
                return Ok(notes);
            }
            if let Some(answered) = self.answered(visit.update).await? {
                return Ok(answered.notes);
            }
        }
        Ok(brief("refuse-busy"))
    }

    /// Notes a vacation at tables where the person got a seat during the commit: those seats were
    /// decided by the old profile. Tables where this fails learn it at their next turn.
    async fn note_at_new_tables(&self, own: &PersonId, until_ms: Option<u64>) {
        let noted = match until_ms {
            Some(until_ms) => self.ledger.went_away(own, until_ms).await,
            None => self.ledger.came_home(own).await,
        };
        if let Err(failure) = noted {
            tracing::error!(person = own.0, %failure, "failed to note a vacation at all tables");
        }
    }
}

/// What is noted at one of their tables.
fn noted(
    visit: &Visit<'_>,
    held: &Held,
    own: &PersonId,
    until_ms: Option<u64>,
) -> Result<Option<Decision>, Failure> {
    let table = held.table();
    let event = match until_ms {
        Some(until_ms) => vacation::begins(table, own, until_ms),
        None => vacation::ends(table, own),
    };
    let stamp = visit.stamp();
    let decided = event.map(|event| happening(table, event, stamp)).transpose();
    decided.map_err(|why| Failure::Damaged(table.id.clone(), why))
}

/// They have not so many days.
fn too_long(visit: &Visit<'_>) -> Note {
    let left = i64::from(visit.person.vacation_left(visit.now_ms));
    let most = i64::from(settings::VACATION_DAYS);
    Note::brief(Text::new("refuse-vacation-days").with("left", left).with("most", most))
}

/// Whether somebody shows by this that they are back: they play, or sit down to play with others
/// who need only look in now and then.
pub(super) fn shows_up(decision: &Decision, own: &PersonId) -> bool {
    let table: &Table = &decision.next;
    let plays = |seat: u8| table.seats_of(own).any(|it| it == seat);
    let there = |it: &Event| match it {
        Event::Time(Timed::Home { person }) => person == own,
        Event::Seated { person, .. } | Event::Replaced { person, .. } => person == own,
        Event::Stepped { seat, .. } | Event::Agreed { seat } => plays(*seat),
        _ => false,
    };
    table.is_leisurely() && decision.events().any(there)
}
