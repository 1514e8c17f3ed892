//! Limits how many tables are open in a chat, and at how many a person may sit.
//!
//! Concurrent requests would each count the tables before the others are open. So each person has a
//! row that is read before the tables are counted, and that is changed by every commit that gives
//! them a seat: of two such commits one fails, and its request counts again.

use std::sync::Arc;

use super::context::RequestContext;
use super::request_error::RequestError;
use crate::repository::{DAY_MS, Failure, Repository, TableChange, keys};
use caravanserai_games::ids::{ChatId, ChatKind, PersonId, TableId};
use caravanserai_games::text::Text;
use caravanserai_store::{Commit, Expect, Put, Space, StoreQuery, StoreRow};
use caravanserai_table::{Decision, Table};

/// How long the row of a person is kept after they got a seat, in milliseconds.
const SEAT_MARK_TTL_MS: u64 = DAY_MS;

/// The most open tables in one chat, including abandoned ones.
const TABLES_PER_PLACE_MAX: usize = 200;

/// The refusal where the limit of all tables of a chat is reached.
const FULL_CHAT: &str = "refuse-too-many-tables-here";
/// The refusal where the sender has opened or shown too many tables.
const FULL_OPENER: &str = "refuse-too-many-own-here";

/// A chat in which a person wants to open or to show a table.
#[derive(Clone, Copy)]
struct TableSpot<'a> {
    chat: &'a ChatId,
    /// Whether other people read the chat: there one person must leave room for them.
    is_shared: bool,
    person: &'a PersonId,
}

/// The row of a person as it was before their tables were counted.
#[derive(Clone, Debug)]
pub(crate) struct SeatMark {
    person: PersonId,
    name: String,
    row: Option<Vec<u8>>,
}

/// Adds the conditions of the people who get a seat by these changes, as far as their tables were
/// counted: none of them has got another seat since.
pub(crate) fn require_counted_seats(
    context: &RequestContext<'_>,
    changes: &[TableChange<'_>],
    commit: &mut Commit,
) {
    let seated: Vec<PersonId> = changes.iter().flat_map(TableChange::newly_seated).collect();
    for mark in context.seat_marks.iter().filter(|it| seated.contains(&it.person)) {
        let key = keys::seat_mark(&mark.person);
        let value = mark.row.clone();
        commit.expect.push(Expect { space: Space::Meta, key: key.clone(), value });
        let put = Put::new(Space::Meta, key, context.update.id.clone());
        commit.puts.push(put.expires_at(context.now_ms + SEAT_MARK_TTL_MS));
    }
}

/// Limits how many tables are open in a chat and for a person.
pub(crate) struct TableLimits {
    repository: Arc<Repository>,
}

impl TableLimits {
    pub(crate) fn new(repository: Arc<Repository>) -> Self {
        Self { repository }
    }

    /// Checks that a decision gives no new seat to a person who has seats at too many open tables.
    /// `before`: the table before the decision.
    ///
    /// # Errors
    /// When it does.
    pub(crate) async fn ensure_seats_below_limit(
        &self,
        context: &mut RequestContext<'_>,
        before: &Table,
        decision: &Decision,
    ) -> Result<(), RequestError<Text>> {
        let next = &decision.table;
        // A rematch seats all players at a new table.
        let was_seated = |person: &PersonId| {
            !decision.opens_rematch && before.seating.people().contains(&person)
        };
        let mut new_players = Vec::new();
        for seat in 0..next.setup.seats {
            let Some(occupant) = next.seating.occupant(seat).filter(|it| !it.is_computer()) else {
                continue;
            };
            if !was_seated(&occupant.person) {
                new_players.push((&occupant.person, &*occupant.name));
            }
        }
        self.ensure_people_below_limit(context, &new_players).await
    }

    /// Checks that none of these people, given with their names, has seats at too many open tables.
    /// Tables of linked accounts count for the person.
    ///
    /// # Errors
    /// When one of them has.
    pub(crate) async fn ensure_people_below_limit(
        &self,
        context: &mut RequestContext<'_>,
        people: &[(&PersonId, &str)],
    ) -> Result<(), RequestError<Text>> {
        if people.is_empty() {
            return Ok(());
        }
        let most = self.repository.limits().tables_per_person;
        let mark_query = |(person, _): &(&PersonId, &str)| {
            StoreQuery::value_of(Space::Meta, keys::seat_mark(person))
        };
        let reads: Vec<StoreQuery> = people.iter().map(mark_query).collect();
        let marks = self.repository.read_many(&reads).await?;
        for ((person, name), row) in people.iter().zip(marks) {
            let person = (*person).clone();
            let name = (*name).to_owned();
            let row = row.value().map_err(Failure::from)?;
            context.seat_marks.retain(|it| it.person != person);
            context.seat_marks.push(SeatMark { person, name, row });
        }
        let tables_query = |(person, _): &(&PersonId, &str)| {
            StoreQuery::scan(Space::PersonTable, format!("{} ", person.0), most)
        };
        let reads: Vec<StoreQuery> = people.iter().map(tables_query).collect();
        let found = self.repository.read_many(&reads).await?;
        for ((person, name), found) in people.iter().zip(found) {
            if found.rows().map_err(Failure::from)?.len() < most {
                continue;
            }
            let text = match **person == context.update.person.id {
                true => Text::new("refuse-too-many-tables"),
                false => Text::new("refuse-too-many-tables-of").with("name", *name),
            };
            return Err(RequestError::Refused(text.with("count", most as i64)));
        }
        Ok(())
    }

    /// Counts again after another request came first.
    ///
    /// # Errors
    /// When a limit is reached now.
    pub(crate) async fn recheck_limits(
        &self,
        context: &mut RequestContext<'_>,
    ) -> Result<(), RequestError> {
        let update = context.update;
        let own = &update.person.id;
        let counted: Vec<SeatMark> = std::mem::take(&mut context.seat_marks);
        if counted.iter().any(|it| it.person == *own) {
            self.ensure_more_tables_allowed(context).await?;
        }
        let others = counted.iter().filter(|it| it.person != *own);
        let others: Vec<(&PersonId, &str)> = others.map(|it| (&it.person, &*it.name)).collect();
        Ok(self.ensure_people_below_limit(context, &others).await?)
    }

    /// Checks that the sender and this chat may have more open tables.
    ///
    /// # Errors
    /// When a limit is reached.
    pub(crate) async fn ensure_more_tables_allowed(
        &self,
        context: &mut RequestContext<'_>,
    ) -> Result<(), RequestError> {
        let person = &context.update.person.id;
        self.ensure_people_below_limit(context, &[(person, "")]).await?;
        self.ensure_chat_has_space(context).await
    }

    /// Checks that more tables may be opened or shown in this chat.
    ///
    /// # Errors
    /// When a limit is reached.
    pub(crate) async fn ensure_chat_has_space(
        &self,
        context: &RequestContext<'_>,
    ) -> Result<(), RequestError> {
        let chat = &context.update.chat;
        let chat_id = &chat.id;
        let is_shared = chat.kind == ChatKind::Group;
        let spot = TableSpot { chat: chat_id, is_shared, person: &context.update.person.id };
        match self.reached_table_limit(spot, context.now_ms).await? {
            Some((key, count)) => Err(limit_refusal(key, count)),
            None => Ok(()),
        }
    }

    /// Checks that the home of a table takes a rematch of this opener, whom the refusal names if
    /// another person reads it.
    ///
    /// # Errors
    /// When a limit is reached.
    pub(crate) async fn ensure_rematch_fits(
        &self,
        context: &RequestContext<'_>,
        old: &Table,
        opener: &PersonId,
    ) -> Result<(), RequestError> {
        let chat = old.chats.home();
        let is_shared = old.chats.is_in_group();
        let spot = TableSpot { chat, is_shared, person: opener };
        let limit = self.reached_table_limit(spot, context.now_ms).await?;
        let Some((key, count)) = limit else { return Ok(()) };
        Err(match key {
            FULL_OPENER if *opener != context.update.person.id => {
                let mut seats = old.seating.seats_of(opener);
                let occupant = seats.next().and_then(|it| old.seating.occupant(it));
                let name = occupant.map_or("", |it| &*it.name);
                let text = Text::new("refuse-too-many-own-of").with("name", name);
                RequestError::refuse(text.with("count", count as i64))
            }
            _ => limit_refusal(key, count),
        })
    }

    /// The limit of a chat that is reached, and the number of open tables: all tables, or those
    /// that one person opened or showed there, so that one person cannot use up the limit of a
    /// chat. Abandoned games do not count.
    async fn reached_table_limit(
        &self,
        spot: TableSpot<'_>,
        now_ms: u64,
    ) -> Result<Option<(&'static str, usize)>, Failure> {
        let limits = self.repository.limits();
        let prefix = format!("{} ", spot.chat.0);
        let here =
            self.repository.read_rows(Space::ChatTable, &prefix, TABLES_PER_PLACE_MAX).await?;
        if here.len() < limits.tables_per_opener.min(limits.tables_per_chat) {
            return Ok(None);
        }
        if here.len() >= TABLES_PER_PLACE_MAX {
            return Ok(Some((FULL_CHAT, here.len())));
        }
        let (all, own) = self.count_open_tables(&here, spot, now_ms).await?;
        Ok(if spot.is_shared && own >= limits.tables_per_opener {
            Some((FULL_OPENER, own))
        } else if all >= limits.tables_per_chat {
            Some((FULL_CHAT, all))
        } else {
            None
        })
    }

    /// The number of these tables that count towards the limits, and how many of them the person
    /// has opened or showed there. Tables are read without a lock, because the caller may hold one.
    async fn count_open_tables(
        &self,
        rows: &[StoreRow],
        TableSpot { chat, person, .. }: TableSpot<'_>,
        now_ms: u64,
    ) -> Result<(usize, usize), Failure> {
        let mut all = 0;
        let mut own = 0;
        for (key, _) in rows {
            let id = TableId(keys::last_part(key).to_owned());
            // Nobody can finish a table that cannot be read.
            let Some(lines) = self.repository.load_readable_log(&id).await? else { continue };
            let Ok(table) = Table::from_log(&id, &lines) else { continue };
            if !table.is_quiet(now_ms) {
                all += 1;
                let mut attached = table.chats.attached.iter().filter(|it| it.chat == *chat);
                let is_own =
                    table.setup.opener == *person || attached.any(|it| it.attached_by == *person);
                own += usize::from(is_own);
            }
        }
        Ok((all, own))
    }
}

fn limit_refusal(key: &'static str, count: usize) -> RequestError {
    RequestError::refuse(Text::new(key).with("count", count as i64))
}
