//! Applies people's settings to pings (notifications that mention a player), for each kind of ping,
//! at the time of the ping.

use super::Delivery;
use crate::repository::Failure;
use crate::repository::stored_rows::{Deadline, DeadlineKind, PingKind, PingPurpose, PingedTurn};
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::{Arg, Text};
use caravanserai_table::deadline;
use caravanserai_table::state::Table;

/// The argument of a ping with the names of the people who are pinged.
const PINGED_NAMES_ARG: &str = "name";

impl Delivery {
    /// Returns the ping for the people who want it now; `None` if there are none. If some of them
    /// have quiet hours, the ping is repeated when these are over.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn filter_ping(
        &self,
        table: &Table,
        mut text: Text,
        purpose: PingPurpose,
    ) -> Result<Option<Text>, Failure> {
        let names_arg = text.args.iter_mut().find(|(name, _)| name.as_ref() == PINGED_NAMES_ARG);
        let Some((_, Arg::Names(names))) = names_arg else { return Ok(Some(text)) };
        let now_ms = self.repository.now_ms();
        let mut wanted = Vec::new();
        let mut defer_until_ms = None::<u64>;
        for name in std::mem::take(names) {
            let Arg::Mention { person, .. } = &name else {
                // The account behind the name is not known.
                wanted.push(name);
                continue;
            };
            match self.ping_time(table, PersonId(person.clone()), purpose, now_ms).await? {
                Some(from_ms) if from_ms <= now_ms => wanted.push(name),
                Some(from_ms) => {
                    defer_until_ms = Some(defer_until_ms.map_or(from_ms, |it| it.min(from_ms)))
                }
                None => {}
            }
        }
        let is_pinged = !wanted.is_empty();
        *names = wanted;
        if let Some(at_ms) =
            defer_until_ms.filter(|it| !purpose.deferred && is_before_deadline(table, *it))
        {
            self.defer_ping(table, purpose, at_ms).await?;
        }
        Ok(is_pinged.then_some(text))
    }

    /// The time from which a person wants such a ping, in milliseconds since 1970; `None` if never.
    async fn ping_time(
        &self,
        table: &Table,
        account: PersonId,
        purpose: PingPurpose,
        now_ms: u64,
    ) -> Result<Option<u64>, Failure> {
        let person = self.repository.profiles().resolve_person(&account).await?;
        let profile = self.repository.profiles().load_person(&person).await?;
        if table.allows_vacation() && profile.vacation_until(now_ms).is_some() {
            return Ok(None);
        }
        Ok(profile.wanted_ping_time(table, purpose, now_ms))
    }

    async fn defer_ping(
        &self,
        table: &Table,
        purpose: PingPurpose,
        at_ms: u64,
    ) -> Result<(), Failure> {
        let kind = match purpose.kind {
            PingKind::Closing => DeadlineKind::Closing,
            PingKind::Waiting | PingKind::Nudge | PingKind::Invitation => DeadlineKind::Ping,
        };
        let turn = match purpose.kind {
            PingKind::Waiting | PingKind::Nudge => PingedTurn::of(table, purpose),
            PingKind::Closing | PingKind::Invitation => None,
        };
        let purpose = PingPurpose { deferred: true, ..purpose };
        let due = Deadline { version: table.version, kind, purpose, turn, ..Deadline::default() };
        self.repository.put_all(vec![due.put(at_ms, &table.id)]).await
    }
}

/// Whether this time is before the clock runs out or the lobby closes.
fn is_before_deadline(table: &Table, at_ms: u64) -> bool {
    deadline(table).is_none_or(|it| at_ms < it)
}
