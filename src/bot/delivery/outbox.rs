//! Reads and removes outbox entries: messages that are decided but not sent yet. An entry is stored
//! with the change that makes it necessary and removed only after the platform has accepted the
//! message. After a crash in between the message is sent again: an edit shows the same content, and
//! a post carries a nonce for platforms that detect duplicates.

use std::collections::BTreeMap;

use super::replay_posts::ReviewStatusMessage;
use super::{Delivery, OUTBOX_PAGE};
use crate::repository::profiles::ChatProfile;
use crate::repository::stored_rows::{BoardTask, CallTask, parse_json_or_default, remove_row};
use crate::repository::{Failure, keys};
use crate::workers::{GameReview, ReplayStatus, ReviewStatus};
use caravanserai_games::ids::{MessageId, PersonId, PlaceId, TableId};
use caravanserai_protocol::Platform;
use caravanserai_protocol::view::View;
use caravanserai_store::{Put, Space, StoreQuery, StoreRow};

/// One message to send, with all entries that it completes.
pub(super) struct OutboxWork {
    /// The turn that it belongs to: `<kind> <table or update>`.
    pub(super) name: String,
    pub(super) entries: Vec<String>,
    pub(super) task: OutboxTask,
}

/// Two kinds of messages that are sent independently in a place: a board does not wait for a hand,
/// nor a hand for a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SendLane {
    /// Messages for everybody in the place.
    Everybody,
    /// Hands of players.
    Hands,
}

impl SendLane {
    /// The other lane, which may share the limit of calls.
    pub(super) fn other(self) -> Self {
        match self {
            Self::Everybody => Self::Hands,
            Self::Hands => Self::Everybody,
        }
    }

    /// Whether entries of this turn are sent in this lane.
    fn accepts(self, turn: &str) -> bool {
        turn.starts_with("h ") == (self == SendLane::Hands)
    }
}

/// The content of a message to send.
pub(super) enum OutboxTask {
    Board(TableId, BoardTask),
    Removal(TableId, Vec<MessageId>),
    Hand(TableId, u8),
    Call(TableId, CallTask),
    Replay(TableId, Option<std::sync::Arc<Vec<u8>>>),
    Review(TableId, GameReview),
    Progress(TableId, ReviewStatusMessage),
    List(PersonId),
    Note(Option<Box<View>>),
}

/// The next work for a place.
pub(super) enum NextWork {
    /// Nothing is left to send, or the content is still being made.
    Idle,
    /// Entries wait, but the bot may not write there at the moment.
    Muted,
    /// Entries wait, but another process has the lease of the chat.
    LeasedElsewhere,
    /// The waiting entries are not urgent, and few calls are left.
    NotUrgent,
    /// A message to send, with the profile of its chat.
    Work(Box<OutboxWork>, Box<ChatProfile>),
}

/// The waiting entries by turn.
type OutboxTurns = BTreeMap<String, Vec<StoreRow>>;

impl Delivery {
    /// The next work for this place. Tables take turns: the one after `last` comes first, so that a
    /// fast game does not delay the others. A waiting board comes between any two other messages.
    pub(super) async fn next_work(
        &self,
        place: &PlaceId,
        platform: &dyn Platform,
        lane: SendLane,
        last: &str,
    ) -> Result<NextWork, Failure> {
        let prefix = format!("{} ", place.0);
        let reads = [
            StoreQuery::scan(Space::Outbox, &*prefix, OUTBOX_PAGE),
            StoreQuery::value_of(Space::Meta, keys::muted(place)),
            StoreQuery::value_of(Space::Place, place.chat()),
        ];
        let mut found = self.repository.read_many(&reads).await?.into_iter();
        let mut next = || found.next().expect("the store answers each query");
        let (rows, muted, profile) = (next().rows()?, next().value()?, next().value()?);
        let own_profile: ChatProfile = parse_json_or_default(profile);
        if !rows.is_empty() && (muted.is_some() || own_profile.gone) {
            return Ok(NextWork::Muted);
        }
        // Checked before a message is rendered, so that only one process makes expensive content.
        if !rows.is_empty() && !self.acquire_chat(place, platform).await? {
            return Ok(NextWork::LeasedElsewhere);
        }
        let profile = if rows.is_empty() {
            own_profile
        } else {
            self.repository.profiles().resolve_settings(own_profile).await?.resolved()
        };
        let (mut turns, mut has_other_lane) = (OutboxTurns::new(), false);
        for (key, value) in rows {
            let turn = turn_key(&key[prefix.len()..]);
            if lane.accepts(&turn) {
                turns.entry(turn).or_default().push((key, value));
            } else if lane == SendLane::Everybody {
                has_other_lane = true;
            }
        }
        if has_other_lane {
            self.wake_lane(place, SendLane::Hands);
        }
        let has_waiting = lane == SendLane::Hands && !turns.is_empty();
        Ok(match self.first_ready_work(place, &profile, turns, last).await? {
            Some(work) => NextWork::Work(Box::new(work), Box::new(profile)),
            None if has_waiting => NextWork::NotUrgent,
            None => NextWork::Idle,
        })
    }

    /// The work of the first turn whose content is ready.
    async fn first_ready_work(
        &self,
        place: &PlaceId,
        profile: &ChatProfile,
        turns: OutboxTurns,
        last: &str,
    ) -> Result<Option<OutboxWork>, Failure> {
        let mut ordered = rotate_turns(turns, last);
        self.prioritize_hands(place, &mut ordered).await?;
        for (name, rows) in ordered {
            let task = match name.split_once(' ').unwrap_or((&name, "")) {
                ("r", table) => {
                    let table = TableId(table.to_owned());
                    match self.workers.replay_status(place, &table, &profile.display_prefs()) {
                        ReplayStatus::Drawing => continue,
                        ReplayStatus::Drawn(file) => OutboxTask::Replay(table, file),
                    }
                }
                ("v", table) => {
                    let table = TableId(table.to_owned());
                    match self.workers.review_status(place, &table).await? {
                        ReviewStatus::Ready(review) => OutboxTask::Review(table, review),
                        ReviewStatus::InProgress(progress) => match self
                            .review_status_update(place, &table, progress)
                            .await?
                        {
                            // While a replay or review is pending, a status message shows its
                            // progress.
                            Some(message) => {
                                let task = OutboxTask::Progress(table, message);
                                return Ok(Some(OutboxWork { name, entries: Vec::new(), task }));
                            }
                            None => continue,
                        },
                    }
                }
                (kind, target) => parse_task(kind, target, &rows),
            };
            let entries = rows.into_iter().map(|(key, _)| key).collect();
            return Ok(Some(OutboxWork { name, entries, task }));
        }
        Ok(None)
    }

    /// Moves hands of players to move to the front. Other hands are sent only while enough calls
    /// are left, because the board shows what these players wait for.
    async fn prioritize_hands(
        &self,
        place: &PlaceId,
        turns: &mut Vec<(String, Vec<StoreRow>)>,
    ) -> Result<(), Failure> {
        let mut by_urgency = Vec::with_capacity(turns.len());
        for (name, rows) in std::mem::take(turns) {
            let is_urgent = match name.strip_prefix("h ").and_then(|it| it.split_once(':')) {
                None => true,
                Some((table, seat)) => {
                    let table = self.repository.load_table(&TableId(table.to_owned())).await?;
                    table.is_none_or(|it| {
                        it.seat_to_move().is_some_and(|turn| turn.to_string() == seat)
                            || !it.is_open()
                    })
                }
            };
            by_urgency.push((is_urgent, (name, rows)));
        }
        let has_spare_calls = self.has_spare_calls(place);
        by_urgency.retain(|(is_urgent, _)| *is_urgent || has_spare_calls);
        by_urgency.sort_by_key(|(is_urgent, _)| !is_urgent);
        *turns = by_urgency.into_iter().map(|(_, turn)| turn).collect();
        Ok(())
    }

    /// Removes entries and stores the resulting rows.
    pub(super) async fn complete_entries(
        &self,
        entries: Vec<String>,
        mut puts: Vec<Put>,
    ) -> Result<(), Failure> {
        puts.extend(removal_puts(entries));
        self.repository.put_all(puts).await
    }
}

/// Puts that remove entries whose messages are sent.
pub(super) fn removal_puts(entries: Vec<String>) -> impl Iterator<Item = Put> {
    entries.into_iter().map(|key| remove_row(Space::Outbox, key))
}

/// Parses the entries of one turn.
fn parse_task(kind: &str, target: &str, rows: &[StoreRow]) -> OutboxTask {
    let newest = rows.last().map(|(_, value)| value.clone());
    match kind {
        "b" => {
            let task = |(_, it): &StoreRow| parse_json_or_default::<BoardTask>(Some(it.clone()));
            let down = rows.iter().any(|row| task(row).down);
            let asked = rows.iter().rev().find_map(|row| task(row).asked);
            let page = rows.last().map_or(0, |row| task(row).page);
            OutboxTask::Board(TableId(target.to_owned()), BoardTask { down, asked, page })
        }
        "x" => {
            let message = |(_, it): &StoreRow| MessageId(parse_json_or_default(Some(it.clone())));
            OutboxTask::Removal(TableId(target.to_owned()), rows.iter().map(message).collect())
        }
        "h" => {
            let (table, seat) = target.split_once(':').unwrap_or((target, ""));
            // An entry that cannot be parsed matches no seat and is dropped.
            OutboxTask::Hand(TableId(table.to_owned()), seat.parse().unwrap_or(u8::MAX))
        }
        "g" => OutboxTask::List(PersonId(target.to_owned())),
        "c" => OutboxTask::Call(TableId(target.to_owned()), parse_json_or_default(newest)),
        _ => OutboxTask::Note(parse_json_or_default(newest)),
    }
}

/// All turns, starting after the last one. A board comes first, unless the last turn was a board:
/// then another kind comes first, if one waits.
fn rotate_turns(mut turns: OutboxTurns, last: &str) -> Vec<(String, Vec<StoreRow>)> {
    let mut later: Vec<(String, Vec<StoreRow>)> = turns.split_off(last).into_iter().collect();
    if later.first().is_some_and(|(name, _)| name == last) {
        let last_turn = later.remove(0);
        turns.insert(last_turn.0, last_turn.1);
    }
    later.extend(turns);
    let was_board = is_board_entry(last);
    later.sort_by_key(|(name, _)| is_board_entry(name) == was_board);
    later
}

fn is_board_entry(name: &str) -> bool {
    name.starts_with("b ")
}

/// The kind and the table, or the kind and the update. Entries with the same key are sent together.
fn turn_key(key: &str) -> String {
    let mut parts = key.split(' ');
    format!("{} {}", parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(all: &[&str], last: &str) -> Vec<String> {
        let turns = all.iter().map(|it| ((*it).to_owned(), Vec::new())).collect();
        rotate_turns(turns, last).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn a_board_comes_first_and_then_every_other_time() {
        let all = ["b t1", "b t2", "h t1:0", "h t1:1"];
        assert_eq!(names(&all, ""), ["b t1", "b t2", "h t1:0", "h t1:1"]);
        assert_eq!(names(&all, "b t1")[0], "h t1:0");
        assert_eq!(names(&all, "h t1:0")[0], "b t1");
        assert_eq!(names(&["b t1", "b t2"], "b t1"), ["b t2", "b t1"]);
        assert_eq!(names(&["b t1"], "b t1"), ["b t1"]);
    }
}
