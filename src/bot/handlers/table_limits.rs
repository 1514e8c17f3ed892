//! Limits how many tables are open in a chat, and at how many a person may sit.
//!
//! Concurrent requests would each count the tables before the others are open. So each person has a
//! row that is read before the tables are counted, and that is changed by every commit that gives
//! them a seat: of two such commits one fails, and its request counts again.

use std::sync::Arc;

use super::context::RequestContext;
use crate::repository::{DAY_MS, Failure, Repository, TableChange, keys};
use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind, TableId};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::View;
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
    place: &'a PlaceId,
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

    /// The refusal if a decision gives a new seat to a person who has seats at too many open
    /// tables. `before`: the table before the decision.
    pub(crate) async fn seat_limit_refusal(
        &self,
        context: &mut RequestContext<'_>,
        before: &Table,
        decision: &Decision,
    ) -> Result<Option<Text>, Failure> {
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
        self.people_limit_refusal(context, &new_players).await
    }

    /// The refusal if one of these people, given with their names, has seats at too many open
    /// tables. Tables of linked accounts count for the person.
    pub(crate) async fn people_limit_refusal(
        &self,
        context: &mut RequestContext<'_>,
        people: &[(&PersonId, &str)],
    ) -> Result<Option<Text>, Failure> {
        if people.is_empty() {
            return Ok(None);
        }
        let most = self.repository.limits().tables_per_person;
        let mark_query = |(person, _): &(&PersonId, &str)| {
            StoreQuery::value_of(Space::Meta, keys::seat_mark(person))
        };
        let reads: Vec<StoreQuery> = people.iter().map(mark_query).collect();
        let marks = self.repository.read_many(&reads).await?;
        for ((person, name), row) in people.iter().zip(marks) {
            let (person, name, row) = ((*person).clone(), (*name).to_owned(), row.value()?);
            context.seat_marks.retain(|it| it.person != person);
            context.seat_marks.push(SeatMark { person, name, row });
        }
        let tables_query = |(person, _): &(&PersonId, &str)| {
            StoreQuery::scan(Space::PersonTable, format!("{} ", person.0), most)
        };
        let reads: Vec<StoreQuery> = people.iter().map(tables_query).collect();
        let found = self.repository.read_many(&reads).await?;
        for ((person, name), found) in people.iter().zip(found) {
            if found.rows()?.len() < most {
                continue;
            }
            let text = match **person == context.update.person.id {
                true => Text::new("refuse-too-many-tables"),
                false => Text::new("refuse-too-many-tables-of").with("name", *name),
            };
            return Ok(Some(text.with("count", most as i64)));
        }
        Ok(None)
    }

    /// Counts again after another request came first; the refusal if a limit is reached now.
    pub(crate) async fn repeated_limit_refusal(
        &self,
        context: &mut RequestContext<'_>,
    ) -> Result<Option<Vec<View>>, Failure> {
        let update = context.update;
        let own = &update.person.id;
        let counted: Vec<SeatMark> = std::mem::take(&mut context.seat_marks);
        if counted.iter().any(|it| it.person == *own)
            && let Some(views) = self.table_limit_refusal(context).await?
        {
            return Ok(Some(views));
        }
        let others = counted.iter().filter(|it| it.person != *own);
        let others: Vec<(&PersonId, &str)> = others.map(|it| (&it.person, &*it.name)).collect();
        let refusal = self.people_limit_refusal(context, &others).await?;
        Ok(refusal.map(|it| vec![View::brief(it)]))
    }

    /// The refusal if no more tables may be opened.
    pub(crate) async fn table_limit_refusal(
        &self,
        context: &mut RequestContext<'_>,
    ) -> Result<Option<Vec<View>>, Failure> {
        let person = &context.update.person.id;
        if let Some(text) = self.people_limit_refusal(context, &[(person, "")]).await? {
            return Ok(Some(vec![View::brief(text)]));
        }
        self.place_limit_refusal(context).await
    }

    /// The refusal if no more tables may be opened or shown in this chat.
    pub(crate) async fn place_limit_refusal(
        &self,
        context: &RequestContext<'_>,
    ) -> Result<Option<Vec<View>>, Failure> {
        let chat = &context.update.chat;
        let (place, is_shared) = (&chat.id, chat.kind == PlaceKind::Group);
        let spot = TableSpot { place, is_shared, person: &context.update.person.id };
        let limit = self.reached_table_limit(spot, context.now_ms).await?;
        Ok(limit.map(|(key, count)| limit_views(key, count)))
    }

    /// The refusal if the home of a table takes no rematch of this opener, whom it names if another
    /// person reads it.
    pub(crate) async fn rematch_limit_refusal(
        &self,
        context: &RequestContext<'_>,
        old: &Table,
        opener: &PersonId,
    ) -> Result<Option<Vec<View>>, Failure> {
        let (place, is_shared) = (old.chats.home(), old.chats.is_in_group());
        let spot = TableSpot { place, is_shared, person: opener };
        let limit = self.reached_table_limit(spot, context.now_ms).await?;
        Ok(limit.map(|(key, count)| match key {
            FULL_OPENER if *opener != context.update.person.id => {
                let mut seats = old.seating.seats_of(opener);
                let occupant = seats.next().and_then(|it| old.seating.occupant(it));
                let name = occupant.map_or("", |it| &*it.name);
                let text = Text::new("refuse-too-many-own-of").with("name", name);
                vec![View::brief(text.with("count", count as i64))]
            }
            _ => limit_views(key, count),
        }))
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
        let prefix = format!("{} ", spot.place.0);
        let here =
            self.repository.read_rows(Space::PlaceTable, &prefix, TABLES_PER_PLACE_MAX).await?;
        if here.len() < limits.tables_per_opener.min(limits.tables_per_place) {
            return Ok(None);
        }
        if here.len() >= TABLES_PER_PLACE_MAX {
            return Ok(Some((FULL_CHAT, here.len())));
        }
        let (all, own) = self.count_open_tables(&here, spot, now_ms).await?;
        Ok(if spot.is_shared && own >= limits.tables_per_opener {
            Some((FULL_OPENER, own))
        } else if all >= limits.tables_per_place {
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
        TableSpot { place, person, .. }: TableSpot<'_>,
        now_ms: u64,
    ) -> Result<(usize, usize), Failure> {
        let (mut all, mut own) = (0, 0);
        for (key, _) in rows {
            let id = TableId(keys::last_part(key).to_owned());
            // Nobody can finish a table that cannot be read.
            let Some(lines) = self.repository.load_readable_log(&id).await? else { continue };
            let Ok(table) = Table::from_log(&id, &lines) else { continue };
            if !table.is_quiet(now_ms) {
                all += 1;
                let mut attached = table.chats.attached.iter().filter(|it| it.chat == *place);
                let is_own =
                    table.setup.opener == *person || attached.any(|it| it.attached_by == *person);
                own += usize::from(is_own);
            }
        }
        Ok((all, own))
    }
}

fn limit_views(key: &'static str, count: usize) -> Vec<View> {
    vec![View::brief(Text::new(key).with("count", count as i64))]
}
