//! Applies the settings of people to calls, for every kind of call when it is made.

use super::Post;
use crate::ledger::Failure;
use crate::ledger::rows::{CallKind, CallPurpose, Due, DueKind};
use caravanserai_games::ids::PersonId;
use caravanserai_games::words::{Arg, Text};
use caravanserai_table::deadline;
use caravanserai_table::fold::Table;

/// The argument of a call with the names of the people who are called.
const CALLED: &str = "name";

impl Post {
    /// The call for the people who want it now; `None` if there are none. If some of them have
    /// quiet hours, the call is repeated when these are over.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn wanted_call(
        &self,
        table: &Table,
        mut text: Text,
        purpose: CallPurpose,
    ) -> Result<Option<Text>, Failure> {
        let named = text.args.iter_mut().find(|(name, _)| name.as_ref() == CALLED);
        let Some((_, Arg::Names(names))) = named else { return Ok(Some(text)) };
        let now_ms = self.ledger.now_ms();
        let (mut wanted, mut later_ms) = (Vec::new(), None::<u64>);
        for name in std::mem::take(names) {
            let Arg::Mention { person, .. } = &name else {
                // The account behind the name is not known.
                wanted.push(name);
                continue;
            };
            match self.call_from(table, PersonId(person.clone()), purpose.kind, now_ms).await? {
                Some(from_ms) if from_ms <= now_ms => wanted.push(name),
                Some(from_ms) => later_ms = Some(later_ms.map_or(from_ms, |it| it.min(from_ms))),
                None => {}
            }
        }
        let is_called = !wanted.is_empty();
        *names = wanted;
        if let Some(at_ms) = later_ms.filter(|it| !purpose.deferred && is_in_time(table, *it)) {
            self.defer_call(table, purpose, at_ms).await?;
        }
        Ok(is_called.then_some(text))
    }

    /// From when on a person wants such a call, in milliseconds since 1970; `None`: never.
    async fn call_from(
        &self,
        table: &Table,
        account: PersonId,
        kind: CallKind,
        now_ms: u64,
    ) -> Result<Option<u64>, Failure> {
        let person = self.ledger.behind(&account).await?;
        let profile = self.ledger.person(&person).await?;
        if table.is_leisurely() && profile.vacation(now_ms).is_some() {
            return Ok(None);
        }
        Ok(profile.wants_call(table, kind, now_ms))
    }

    async fn defer_call(
        &self,
        table: &Table,
        purpose: CallPurpose,
        at_ms: u64,
    ) -> Result<(), Failure> {
        let kind = match purpose.kind {
            CallKind::Closing => DueKind::Closing,
            CallKind::Waiting | CallKind::Nudge | CallKind::Invitation => DueKind::Call,
        };
        let purpose = CallPurpose { deferred: true, ..purpose };
        let due = Due { version: table.version, kind, purpose };
        self.ledger.keep(vec![due.put(at_ms, &table.id)]).await
    }
}

/// Whether a call at this time comes before the clock runs out or the lobby closes.
fn is_in_time(table: &Table, at_ms: u64) -> bool {
    deadline(table).is_none_or(|it| at_ms < it)
}
