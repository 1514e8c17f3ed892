//! Records events from outside at tables: members who leave or return, vacations, linked accounts
//! and chats that cannot be reached.

use super::membership::LatestReport;
use super::quarantine::catch_panic;
use super::unit_of_work::TableChange;
use super::{CommitOutcome, Failure, Repository, keys};
use crate::admin::bans::{is_known_chat_banned, is_person_banned};
use caravanserai_games::ids::{ChatId, PersonId, TableId};
use caravanserai_store::Space;
use caravanserai_table::account_deletion::{LeavingPerson, departure_event};
use caravanserai_table::event::Event;
use caravanserai_table::presence::{self, Departure, EventsWithCause};
use caravanserai_table::{
    self as table, EventMeta, Table, TablePhase, chat_commands, lobby_commands, rematch, vacation,
};

/// The cause of events by which an account becomes another person's.
pub const LINKING_CAUSE: &str = "linked";

/// The cause of events by which a person leaves whose account is deleted.
const DELETION_CAUSE: &str = "deleted";

/// The most events by which a person leaves a table for good: one for each way in which the table
/// may wait for them.
const DEPARTURE_EVENTS_MAX: usize = 8;

/// The attempts to write an outside event while people act at the same moment.
pub(super) const OUTSIDE_EVENT_TRIES: usize = 3;

/// Records events from elsewhere at tables.
#[derive(Clone, Copy)]
pub struct ExternalEvents<'a> {
    repository: &'a Repository,
}

impl Repository {
    /// Records events from elsewhere at tables.
    pub fn external_events(&self) -> ExternalEvents<'_> {
        ExternalEvents { repository: self }
    }
}

impl ExternalEvents<'_> {
    /// Closes the access through this chat to its tables for a person who left it. If they have no
    /// other access, they have left the table, and in lobbies their seat becomes free, unless they
    /// took it after they left: then they have returned, and only the report of that is late. A
    /// rematch that they offered or agreed to is withdrawn.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn record_departure(
        &self,
        chat: &ChatId,
        account: &PersonId,
        how: Departure,
        newest: &LatestReport,
    ) -> Result<(), Failure> {
        let person = self.repository.profiles().resolve_person(account).await?;
        let close_access = |table: &Table| {
            let has_joined_since = table.phase == TablePhase::Lobby
                && table
                    .seating
                    .occupants
                    .iter()
                    .any(|it| it.person == person && newest.is_before(&it.joining_update));
            if has_joined_since {
                return None;
            }
            presence::close_route(table, &person, chat.without_topic(), how)
        };
        self.apply_at_tables_of(&person, &close_access, Some(newest)).await?;
        match self.repository.read_value(Space::Person, &account.0).await? {
            Some(_) => {
                self.withdraw_rematches(chat, &person, newest).await?;
                if person != *account {
                    // Finished games keep the account that was linked later.
                    self.withdraw_rematches(chat, account, newest).await?;
                }
                Ok(())
            }
            // A person who never wrote to the bot has offered nothing.
            None => Ok(()),
        }
    }

    /// Opens the access through this chat to its tables for a person who has returned to it. For a
    /// banned person, and in a banned chat, it stays closed.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn record_return(
        &self,
        chat: &ChatId,
        account: &PersonId,
        newest: &LatestReport,
    ) -> Result<(), Failure> {
        let person = self.repository.profiles().resolve_person(account).await?;
        let accounts = self.repository.profiles().accounts_of(&person).await?;
        let is_banned = is_person_banned(self.repository, accounts.iter().chain([account])).await?
            || is_known_chat_banned(self.repository, chat).await?;
        if is_banned {
            return Ok(());
        }
        let open_access =
            |table: &Table| presence::open_route(table, &person, chat.without_topic());
        self.apply_at_tables_of(&person, &open_access, Some(newest)).await.map(drop)
    }

    /// Withdraws the rematches that a person wants at finished tables of a chat which they leave.
    async fn withdraw_rematches(
        &self,
        chat: &ChatId,
        person: &PersonId,
        newest: &LatestReport,
    ) -> Result<(), Failure> {
        let withdraw = |table: &Table| {
            table.chats.ids().find(|it| it.without_topic() == chat.without_topic())?;
            let declined = rematch::withdraw_rematch(table, person)?;
            Some(EventsWithCause { events: vec![declined], cause: "left".to_owned() })
        };
        self.apply_at_wanted_rematches(person, &withdraw, Some(newest)).await
    }

    /// Applies an outside event at the finished tables whose rematch a person has offered or agreed
    /// to.
    async fn apply_at_wanted_rematches(
        &self,
        person: &PersonId,
        event_for: &(dyn Fn(&Table) -> Option<EventsWithCause> + Sync),
        newest: Option<&LatestReport>,
    ) -> Result<(), Failure> {
        let prefix = keys::wanted_rematches_prefix(person);
        for (key, _) in self.repository.read_all_rows(Space::Meta, &prefix).await? {
            let id = TableId(keys::last_part(&key).to_owned());
            match self.apply_outside_event(&id, event_for, newest).await {
                Err(failure @ Failure::Store(_)) => return Err(failure),
                Err(failure) => {
                    tracing::error!(table = id.0, %failure, "failed to withdraw a rematch")
                }
                Ok(_) => {}
            }
        }
        Ok(())
    }

    /// Closes all access on a platform for a person whose account there was deleted.
    pub(super) async fn record_account_deletion(
        &self,
        chat: &ChatId,
        person: &PersonId,
    ) -> Result<(), Failure> {
        let close_access =
            |table: &Table| presence::close_route(table, person, chat.platform(), Departure::Left);
        self.apply_at_tables_of(person, &close_access, None).await.map(drop)
    }

    /// Makes a person leave an open table for good, because their account is deleted. The others
    /// play on, as after any departure; a game with computers only ends without a result. Nobody
    /// waits for a person without a seat any more.
    ///
    /// # Errors
    /// When the store fails, or the log cannot be read.
    pub async fn leave_for_good(
        &self,
        id: &TableId,
        leaving: LeavingPerson<'_>,
    ) -> Result<(), Failure> {
        let leave = |table: &Table| {
            let events = vec![departure_event(table, leaving)?];
            Some(EventsWithCause { events, cause: DELETION_CAUSE.to_owned() })
        };
        for _ in 0..DEPARTURE_EVENTS_MAX {
            if !self.apply_to_open_table(id, &leave, None).await? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Records at a table the departure of people who played only from this chat, which cannot be
    /// reached.
    pub(super) async fn record_cut_off_players(
        &self,
        table: &TableId,
        at: &ChatId,
        how: Departure,
        newest: Option<&LatestReport>,
    ) {
        let depart =
            |table: &Table| presence::record_unreachable_people(table, at.without_topic(), how);
        if let Err(failure) = self.apply_to_open_table(table, &depart, newest).await {
            tracing::error!(table = table.0, %failure, "failed to record departures");
        }
    }

    /// Records at a table that people who reach it only in this chat are cut off, because the
    /// board of the turn cannot be shown there; `shown` is the version that is shown.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn record_unshown_board(
        &self,
        table: &TableId,
        chat: &ChatId,
        shown: u64,
    ) -> Result<(), Failure> {
        let depart = |table: &Table| presence::record_unshown_board(table, chat, shown);
        self.apply_or_log(table, &depart, "departures").await
    }

    /// Detaches a table that is in other chats, too, from a chat that cannot be reached. `how`:
    /// the way in which people who played only from there have lost it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn detach_unreachable_chat(
        &self,
        table: &TableId,
        at: &ChatId,
        how: Departure,
        newest: Option<&LatestReport>,
    ) -> Result<(), Failure> {
        let detach = |table: &Table| {
            table.chats.location_in(at)?;
            Some(EventsWithCause {
                events: vec![chat_commands::chat_gone_event(table, at)?],
                cause: "gone".to_owned(),
            })
        };
        if let Err(failure) = self.apply_to_open_table(table, &detach, newest).await {
            tracing::error!(table = table.0, %failure, "failed to detach a table from a chat");
        }
        self.record_cut_off_players(table, at, how, newest).await;
        Ok(())
    }

    /// Records the vacation of a person at every table where they play.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn start_vacation_at_tables(
        &self,
        person: &PersonId,
        until_ms: u64,
    ) -> Result<(), Failure> {
        let start_vacation = |table: &Table| {
            let events = vec![vacation::vacation_start_event(table, person, until_ms)?];
            Some(EventsWithCause { events, cause: "away".to_owned() })
        };
        self.apply_at_tables_of(person, &start_vacation, None).await.map(drop)
    }

    /// Records at every table of a person that their vacation has ended.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn end_vacation_at_tables(&self, person: &PersonId) -> Result<(), Failure> {
        let end_vacation = |table: &Table| {
            let events = vec![vacation::vacation_end_event(table, person)?];
            Some(EventsWithCause { events, cause: "home".to_owned() })
        };
        self.apply_at_tables_of(person, &end_vacation, None).await.map(drop)
    }

    /// Ends the invitations to tables where one of two people has a seat and the other is invited,
    /// because the first has blocked the second. Returns whether there were any. `cause`: the id of
    /// the update, so that records show the same line as for any invitation that ends.
    ///
    /// # Errors
    /// When the store fails. A later call ends the rest.
    pub async fn end_blocked_invitations(
        &self,
        blocker: &PersonId,
        blocked: &PersonId,
        cause: &str,
    ) -> Result<bool, Failure> {
        let profiles = self.repository.profiles();
        let own_name = profiles.load_person(blocker).await?.username;
        let other_name = profiles.load_person(blocked).await?.username;
        let end_invitation = |table: &Table| {
            let own = (blocker, own_name.as_deref());
            let other = (blocked, other_name.as_deref());
            let event = lobby_commands::blocked_invitation_event(table, own, other)?;
            Some(EventsWithCause { events: vec![event], cause: cause.to_owned() })
        };
        let own = self.apply_at_tables_of(blocker, &end_invitation, None).await?;
        Ok(self.apply_at_tables_of(blocked, &end_invitation, None).await? || own)
    }

    /// Withdraws the rematches that one of two people has offered or agreed to where both have
    /// played, because the first has blocked the second. `cause`: the id of the update.
    ///
    /// # Errors
    /// When the store fails. What was not withdrawn then is withdrawn by another call.
    pub async fn withdraw_blocked_rematches(
        &self,
        blocker: &PersonId,
        blocked: &PersonId,
        cause: &str,
    ) -> Result<(), Failure> {
        // Finished games keep the account that was linked later.
        let profiles = self.repository.profiles();
        let blocker = profiles.accounts_of(blocker).await?;
        let blocked = profiles.accounts_of(blocked).await?;
        let withdraw = |table: &Table| {
            let event = rematch::blocked_rematch_event(table, &blocker, &blocked)?;
            Some(EventsWithCause { events: vec![event], cause: cause.to_owned() })
        };
        for person in blocker.iter().chain(&blocked) {
            self.apply_at_wanted_rematches(person, &withdraw, None).await?;
        }
        Ok(())
    }

    /// Makes an account count as this person at every table where the account has a seat or is
    /// named, including seats taken since the linking. If the person already has a seat, the
    /// account leaves its own.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn merge_account_at_tables(
        &self,
        account: &PersonId,
        person: &PersonId,
    ) -> Result<(), Failure> {
        let merge = |table: &Table| {
            let account = account.clone();
            let person = person.clone();
            let event = match table.can_merge_account_now(&account, &person) {
                true => Event::AccountsMerged { account, person },
                false => presence::leave_seat_event(table, &account)?,
            };
            Some(EventsWithCause { events: vec![event], cause: LINKING_CAUSE.to_owned() })
        };
        self.apply_at_tables_of(account, &merge, None).await?;
        self.apply_at_tables_of(&PersonId(keys::named_prefix(account)), &merge, None)
            .await
            .map(drop)
    }

    /// Moves a table, open or over, from a topic that takes no more messages to the chat of the
    /// topic.
    pub(super) async fn leave_topic(
        &self,
        id: &TableId,
        topic: &ChatId,
        chat: &ChatId,
    ) -> Result<(), Failure> {
        let leave = |table: &Table| {
            let events = chat_commands::leave_topic_events(table, topic, chat);
            (!events.is_empty()).then(|| EventsWithCause { events, cause: "moved".to_owned() })
        };
        self.apply_outside_event(id, &leave, None).await.map(drop)
    }

    /// Applies an outside event at the open tables of a person. A failure at one table does not
    /// affect the others. Returns whether any table has changed.
    async fn apply_at_tables_of(
        &self,
        person: &PersonId,
        event_for: &(dyn Fn(&Table) -> Option<EventsWithCause> + Sync),
        newest: Option<&LatestReport>,
    ) -> Result<bool, Failure> {
        let prefix = format!("{} ", person.0);
        let mut failed = Ok(());
        let mut has_changed = false;
        for (key, _) in self.repository.read_all_rows(Space::PersonTable, &prefix).await? {
            let table = TableId(keys::last_part(&key).to_owned());
            match self.apply_to_open_table(&table, event_for, newest).await {
                Ok(changed) => has_changed |= changed,
                // The event may be repeated and is recorded then.
                Err(failure @ Failure::Store(_)) => failed = Err(failure),
                Err(failure) => {
                    tracing::error!(table = table.0, %failure, "failed to record an event");
                }
            }
        }
        failed.map(|()| has_changed)
    }

    /// Applies an outside event to a table, while it is still in this chat.
    pub(super) async fn apply_while_in_chat(
        &self,
        id: &TableId,
        at: &ChatId,
        event_for: &(dyn Fn(&Table) -> Option<Event> + Sync),
        cause: &str,
    ) -> Result<(), Failure> {
        let in_chat = |table: &Table| {
            table.chats.location_in(at)?;
            Some(EventsWithCause { events: vec![event_for(table)?], cause: cause.to_owned() })
        };
        self.apply_to_open_table(id, &in_chat, None).await.map(drop)
    }

    /// Applies an outside event to an open table, and returns whether it was written.
    pub(super) async fn apply_to_open_table(
        &self,
        id: &TableId,
        event_for: &(dyn Fn(&Table) -> Option<EventsWithCause> + Sync),
        newest: Option<&LatestReport>,
    ) -> Result<bool, Failure> {
        let while_open = |table: &Table| event_for(table).filter(|_| table.is_open());
        self.apply_outside_event(id, &while_open, newest).await
    }

    /// Applies an outside event to an open table. A damaged one is only logged: it must not keep
    /// others from theirs. `what`: what the event records.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn apply_or_log(
        &self,
        id: &TableId,
        event_for: &(dyn Fn(&Table) -> Option<EventsWithCause> + Sync),
        what: &'static str,
    ) -> Result<(), Failure> {
        match catch_panic(self.apply_to_open_table(id, event_for, None)).await {
            Some(Err(failure @ Failure::Store(_))) => return Err(failure),
            Some(Err(failure)) => {
                tracing::error!(table = id.0, %failure, "failed to record {what}")
            }
            None => tracing::error!(table = id.0, "failed to record {what}: the code panicked"),
            Some(Ok(_)) => {}
        }
        Ok(())
    }

    /// Writes an outside event to a table, open or over, and returns whether it was written.
    /// Nothing is written after a newer report about the same member.
    async fn apply_outside_event(
        &self,
        id: &TableId,
        event_for: &(dyn Fn(&Table) -> Option<EventsWithCause> + Sync),
        newest: Option<&LatestReport>,
    ) -> Result<bool, Failure> {
        for _ in 0..OUTSIDE_EVENT_TRIES {
            let Some(mut guard) = self.repository.lock_table(id).await? else { return Ok(false) };
            let Some(events_with_cause) = event_for(guard.table()) else { return Ok(false) };
            let EventsWithCause { events, cause } = events_with_cause;
            let meta = EventMeta::received_now(self.repository.now_ms(), cause);
            let decision = table::apply_external_events(guard.table(), events, meta)
                .map_err(|why| Failure::Damaged(id.clone(), why))?;
            let change = TableChange::new(&mut guard, decision);
            // A concurrent action came first: the next attempt reads the table again.
            if self
                .repository
                .commit_changes(vec![change], LatestReport::guarded_commit(newest))
                .await?
                == CommitOutcome::Committed
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
