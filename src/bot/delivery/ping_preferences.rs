//! Applies people's settings to pings (notifications that mention a player), for each kind of ping,
//! at the time of the ping.

use super::Delivery;
use crate::repository::Failure;
use crate::repository::stored_rows::{Deadline, DeadlineKind, PingKind, PingPurpose, PingedTurn};
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::{Arg, Text};
use caravanserai_games::time_units::MINUTE_MS;
use caravanserai_table::deadline;
use caravanserai_table::state::Table;

/// When a person wants a ping.
enum PingTime {
    /// Now.
    Now,
    /// From this time on, in milliseconds since 1970.
    From(u64),
    /// Never, or they had it before it was deferred.
    Never,
}

/// The argument of a ping with the names of the people who are pinged.
const PINGED_NAMES_ARG: &str = "name";

impl Delivery {
    /// Returns the ping for the people who want it now, and did not get it before it was deferred;
    /// `None` if there are none. If some of them have quiet hours, the ping is repeated for them
    /// when these are over.
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
                PingTime::Now => wanted.push(name),
                PingTime::From(from_ms) => {
                    defer_until_ms = Some(defer_until_ms.map_or(from_ms, |it| it.min(from_ms)))
                }
                PingTime::Never => {}
            }
        }
        let is_pinged = !wanted.is_empty();
        *names = wanted;
        if purpose.kind == PingKind::Invitation {
            // Of pings at the same time only one would be sent.
            defer_until_ms = defer_until_ms.map(|it| it + MINUTE_MS);
        }
        if let Some(at_ms) = defer_until_ms.filter(|it| is_before_deadline(table, *it)) {
            let deferred_ms = Some(now_ms);
            let purpose = PingPurpose { deferred: true, deferred_ms, ..purpose };
            self.defer_ping(table, purpose, at_ms).await?;
        }
        Ok(is_pinged.then_some(text))
    }

    /// When a person wants such a ping.
    async fn ping_time(
        &self,
        table: &Table,
        account: PersonId,
        purpose: PingPurpose,
        now_ms: u64,
    ) -> Result<PingTime, Failure> {
        let person = self.repository.profiles().resolve_person(&account).await?;
        let profile = self.repository.profiles().load_person(&person).await?;
        if table.allows_vacation() && profile.vacation_until(now_ms).is_some() {
            return Ok(PingTime::Never);
        }
        let wanted_at = |at_ms| profile.wanted_ping_time(table, purpose, at_ms);
        let had_it = |before_ms| wanted_at(before_ms).is_some_and(|from_ms| from_ms <= before_ms);
        Ok(match wanted_at(now_ms) {
            _ if purpose.deferred_ms.is_some_and(had_it) => PingTime::Never,
            Some(from_ms) if from_ms > now_ms => PingTime::From(from_ms),
            Some(_) => PingTime::Now,
            None => PingTime::Never,
        })
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
        let due = Deadline { version: table.version, kind, purpose, turn, ..Deadline::default() };
        self.repository.put_all(vec![due.put(at_ms, &table.id)]).await
    }
}

/// Whether this time is before the clock runs out or the lobby closes.
fn is_before_deadline(table: &Table, at_ms: u64) -> bool {
    deadline(table).is_none_or(|it| at_ms < it)
}
