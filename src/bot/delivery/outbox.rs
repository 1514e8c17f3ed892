//! Reads and removes outbox entries: messages that are decided but not sent yet. An entry is stored
//! with the change that makes it necessary and removed only after the platform has accepted the
//! message. After a crash in between the message is sent again: an edit shows the same content, and
//! a post carries a nonce for platforms that detect duplicates.

use std::collections::BTreeMap;

use super::forbidden_chat_pause::SendPause;
use super::replay_posts::ReviewStatusMessage;
use super::{Delivery, OUTBOX_PAGE};
use crate::repository::outbox_entry::{BoardTask, OutboxEntry, OutboxMessage, PingTask};
use crate::repository::outbox_key::{OutboxKey, OutboxSubject};
use crate::repository::profiles::ChatProfile;
use crate::repository::quarantine::catch_panic;
use crate::repository::stored_rows::{parse_json_or_default, remove_row};
use crate::repository::{CommitOutcome, Failure, keys};
use crate::workers::{GameReview, ReplayStatus, ReviewStatus};
use caravanserai_games::ids::{ChatId, MessageId, PersonId, TableId};
use caravanserai_protocol::Platform;
use caravanserai_protocol::view::View;
use caravanserai_store::{Commit, Expect, Space, StoreQuery, StoreRow};

/// One message to send, with all entries that it is about.
pub(super) struct OutboxWork {
    pub(super) subject: OutboxSubject,
    /// The rows of these entries, as they were read.
    pub(super) entries: Vec<StoreRow>,
    pub(super) task: OutboxTask,
}

/// The independent send queues of a chat: a board does not wait for a hand, nor a hand for a
/// board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SendLane {
    /// Messages that everybody in the chat sees.
    Public,
    /// Hands of players.
    Hands,
}

impl SendLane {
    /// The other lane, which may share the limit of calls.
    pub(super) fn other(self) -> Self {
        match self {
            Self::Public => Self::Hands,
            Self::Hands => Self::Public,
        }
    }

    /// Whether entries of this subject are sent in this lane.
    fn accepts(self, subject: &OutboxSubject) -> bool {
        matches!(subject, OutboxSubject::Hand(..)) == (self == SendLane::Hands)
    }
}

/// The content of a message to send.
pub(super) enum OutboxTask {
    Board(TableId, BoardTask),
    Removal(TableId, Vec<MessageId>),
    Hand(TableId, u8),
    Ping(TableId, PingTask),
    Replay(TableId, Option<std::sync::Arc<Vec<u8>>>),
    Review(TableId, GameReview),
    Progress(TableId, ReviewStatusMessage),
    TableList(PersonId),
    Post(String, Box<View>),
}

impl OutboxTask {
    /// Whether its entries are completed when it is sent.
    pub(super) fn completes_entries(&self) -> bool {
        // After the progress, the review itself is still to be posted.
        !matches!(self, OutboxTask::Progress(..))
    }
}

/// The next work for a chat.
pub(super) enum NextWork {
    /// Nothing is left to send, or the content is still being made.
    Idle,
    /// Entries wait, but the bot cannot reach the chat.
    SendForbidden,
    /// Entries wait, but the chat forbade the bot to write, and the pause after that lasts.
    Paused(SendPause),
    /// Entries wait, but another process has the lease of the chat.
    LeasedElsewhere,
    /// The waiting entries are not urgent, and few calls are left.
    NotUrgent,
    /// The entry with this key cannot be read.
    Unreadable(String),
    /// A message to send, with the profile of its chat, and whether the chat forbade the bot to
    /// write when it last tried.
    Work(Box<OutboxWork>, Box<ChatProfile>, bool),
}

/// An entry that waits, with its row.
type WaitingEntry = (StoreRow, OutboxEntry);

/// The waiting entries by subject.
type EntriesBySubject = BTreeMap<OutboxSubject, Vec<WaitingEntry>>;

/// The rows of a chat, decoded.
struct ReadRows {
    /// The entries of one lane.
    subjects: EntriesBySubject,
    /// Whether entries of the other lane wait, too.
    has_other_lane: bool,
    /// The key of the first row that is no entry.
    unreadable: Option<String>,
}

impl ReadRows {
    fn decode(rows: Vec<StoreRow>, lane: SendLane) -> Self {
        let mut read =
            ReadRows { subjects: EntriesBySubject::new(), has_other_lane: false, unreadable: None };
        for row in rows {
            match OutboxEntry::decode(&row.0, row.1.clone()) {
                Some(entry) if lane.accepts(entry.key().subject()) => {
                    let subject = entry.key().subject().clone();
                    read.subjects.entry(subject).or_default().push((row, entry));
                }
                Some(_) => read.has_other_lane = true,
                None => read.unreadable = read.unreadable.or(Some(row.0)),
            }
        }
        read
    }
}

impl Delivery {
    /// The next work for this chat. Tables take turns: the one after `last` comes first, so that a
    /// fast game does not delay the others. A waiting board comes between any two other messages.
    pub(super) async fn next_work(
        &self,
        chat: &ChatId,
        platform: &dyn Platform,
        lane: SendLane,
        last: Option<&OutboxSubject>,
    ) -> Result<NextWork, Failure> {
        let reads = [
            StoreQuery::scan(Space::Outbox, OutboxKey::chat_prefix(chat), OUTBOX_PAGE),
            StoreQuery::value_of(Space::Meta, keys::send_forbidden(chat)),
            StoreQuery::value_of(Space::Meta, keys::forbidden_chat_pause(chat)),
            StoreQuery::value_of(Space::ChatProfile, chat.without_topic()),
        ];
        let mut found = self.repository.read_many(&reads).await?.into_iter();
        let mut next = || found.next().expect("the store answers each query");
        let rows = next().rows()?;
        let forbidden = next().value()?.is_some();
        let pause = next().value()?;
        let profile = next().value()?;
        let own_profile: ChatProfile = parse_json_or_default(profile);
        if !rows.is_empty() && own_profile.is_unreachable {
            return Ok(NextWork::SendForbidden);
        }
        // Checked before a message is rendered, so that only one process makes expensive content.
        if !rows.is_empty() && !self.acquire_chat(chat, platform).await? {
            return Ok(NextWork::LeasedElsewhere);
        }
        // An update from the chat removes the mark, which ends the pause.
        let (was_forbidden, pause) = (forbidden || pause.is_some(), SendPause::decode(pause));
        if !rows.is_empty() && forbidden && pause.remaining_ms(self.repository.now_ms()) > 0 {
            return Ok(NextWork::Paused(pause));
        }
        let profile = if rows.is_empty() {
            own_profile
        } else {
            self.repository.profiles().resolve_settings(own_profile).await?.resolved()
        };
        let ReadRows { subjects, has_other_lane, unreadable } =
            self.sendable_subjects(chat, lane, rows).await?;
        if lane == SendLane::Public {
            if has_other_lane {
                self.wake_lane(chat, SendLane::Hands);
            }
            if let Some(key) = unreadable {
                return Ok(NextWork::Unreadable(key));
            }
        }
        let has_waiting = lane == SendLane::Hands && !subjects.is_empty();
        Ok(match self.first_ready_work(chat, &profile, subjects, last).await? {
            Some(work) => NextWork::Work(Box::new(work), Box::new(profile), was_forbidden),
            None if has_waiting => NextWork::NotUrgent,
            None => NextWork::Idle,
        })
    }

    /// Decodes the first rows of a chat, without messages of unreadable tables: only those
    /// wait. While a full page leaves nothing to send, the next one is read.
    async fn sendable_subjects(
        &self,
        chat: &ChatId,
        lane: SendLane,
        mut rows: Vec<StoreRow>,
    ) -> Result<ReadRows, Failure> {
        let prefix = OutboxKey::chat_prefix(chat);
        let mut has_other_lane = false;
        loop {
            let is_full = rows.len() >= OUTBOX_PAGE;
            let last = rows.last().filter(|_| is_full).map(|(key, _)| key.clone());
            let mut read = ReadRows::decode(rows, lane);
            let waits = |it: &TableId| self.repository.waits_for_log(it);
            read.subjects.retain(|subject, _| !subject.table().is_some_and(waits));
            has_other_lane |= read.has_other_lane;
            let has_found = !read.subjects.is_empty() || read.unreadable.is_some();
            let Some(last) = last.filter(|_| !has_found) else {
                return Ok(ReadRows { has_other_lane, ..read });
            };
            let next = self.repository.read_rows_after(Space::Outbox, &prefix, &last, OUTBOX_PAGE);
            rows = next.await?;
        }
    }

    /// The work of the first subject whose content is ready.
    async fn first_ready_work(
        &self,
        chat: &ChatId,
        profile: &ChatProfile,
        subjects: EntriesBySubject,
        last: Option<&OutboxSubject>,
    ) -> Result<Option<OutboxWork>, Failure> {
        let mut ordered = rotate_subjects(subjects, last);
        self.prioritize_hands(chat, &mut ordered).await?;
        for (subject, waiting) in ordered {
            let (entries, waiting): (_, Vec<OutboxEntry>) = waiting.into_iter().unzip();
            let messages = waiting.into_iter().map(OutboxEntry::into_message);
            let Some(message) = messages.reduce(OutboxMessage::merge) else { continue };
            let Some(task) = self.ready_task(chat, profile, message).await? else { continue };
            return Ok(Some(OutboxWork { subject, entries, task }));
        }
        Ok(None)
    }

    /// The task of a message; `None` while its content is being made. While a review is pending, a
    /// status message shows its progress.
    async fn ready_task(
        &self,
        chat: &ChatId,
        profile: &ChatProfile,
        message: OutboxMessage,
    ) -> Result<Option<OutboxTask>, Failure> {
        Ok(Some(match message {
            OutboxMessage::Board(table, task) => OutboxTask::Board(table, task),
            OutboxMessage::Ping(table, task) => OutboxTask::Ping(table, task),
            OutboxMessage::TableList(person) => OutboxTask::TableList(person),
            OutboxMessage::Hand(table, seat) => OutboxTask::Hand(table, seat),
            OutboxMessage::Post(update, view) => OutboxTask::Post(update, view),
            OutboxMessage::Removal(table, old) => OutboxTask::Removal(table, old),
            OutboxMessage::Replay(table) => {
                match self.workers.replay_status(chat, &table, &profile.display_prefs()) {
                    ReplayStatus::Drawing => return Ok(None),
                    ReplayStatus::Drawn(file) => OutboxTask::Replay(table, file),
                }
            }
            OutboxMessage::Review(table) => match self.workers.review_status(chat, &table).await? {
                ReviewStatus::Ready(review) => OutboxTask::Review(table, review),
                ReviewStatus::InProgress(progress) => {
                    let status = self.review_status_update(chat, &table, progress).await?;
                    return Ok(status.map(|it| OutboxTask::Progress(table, it)));
                }
            },
        }))
    }

    /// Moves hands of players to move to the front. Other hands are sent only while enough calls
    /// are left, because the board shows what these players wait for.
    async fn prioritize_hands(
        &self,
        chat: &ChatId,
        subjects: &mut Vec<(OutboxSubject, Vec<WaitingEntry>)>,
    ) -> Result<(), Failure> {
        let mut by_urgency = Vec::with_capacity(subjects.len());
        for (subject, entries) in std::mem::take(subjects) {
            let is_urgent = match &subject {
                OutboxSubject::Hand(table, seat) => self.is_urgent_hand(table, *seat).await?,
                _ => true,
            };
            by_urgency.push((is_urgent, (subject, entries)));
        }
        let has_spare_calls = self.has_spare_calls(chat);
        by_urgency.retain(|(is_urgent, _)| *is_urgent || has_spare_calls);
        by_urgency.sort_by_key(|(is_urgent, _)| !is_urgent);
        *subjects = by_urgency.into_iter().map(|(_, subject)| subject).collect();
        Ok(())
    }

    /// Whether a player waits for their hand. One of a table that cannot be read counts as urgent:
    /// the attempt to send it keeps back only this hand.
    async fn is_urgent_hand(&self, table: &TableId, seat: u8) -> Result<bool, Failure> {
        match catch_panic(self.repository.load_table(table)).await {
            Some(Ok(table)) => {
                Ok(table.is_none_or(|it| it.seat_to_move() == Some(seat) || !it.is_open()))
            }
            Some(Err(failure @ Failure::Store(_))) => Err(failure),
            Some(Err(_)) | None => Ok(true),
        }
    }

    /// Applies a commit that also removes these entries, whose messages are sent. Entries that were
    /// written again since they were read stay and leave the list: they are new requests.
    pub(super) async fn commit_and_remove(
        &self,
        commit: &Commit,
        entries: &mut Vec<StoreRow>,
    ) -> Result<CommitOutcome, Failure> {
        loop {
            let mut with_removal = commit.clone();
            for (key, value) in entries.iter() {
                with_removal.expect.push(Expect::equals(Space::Outbox, &**key, &**value));
                with_removal.puts.push(remove_row(Space::Outbox, key.clone()));
            }
            let outcome = self.repository.commit_rows(with_removal).await?;
            if outcome == CommitOutcome::Committed {
                return Ok(outcome);
            }
            let unchanged = self.unchanged_entries(entries).await?;
            if unchanged.len() == entries.len() {
                return Ok(outcome);
            }
            *entries = unchanged;
        }
    }

    /// Those of these entries whose rows are still as they were read.
    async fn unchanged_entries(&self, entries: &[StoreRow]) -> Result<Vec<StoreRow>, Failure> {
        let reads = entries.iter().map(|(key, _)| StoreQuery::value_of(Space::Outbox, &**key));
        let found = self.repository.read_many(&reads.collect::<Vec<_>>()).await?;
        let mut unchanged = Vec::new();
        for (row, found) in entries.iter().zip(found) {
            if found.value()?.as_ref() == Some(&row.1) {
                unchanged.push(row.clone());
            }
        }
        Ok(unchanged)
    }
}

/// All subjects, starting after the last one. A board comes first, unless the last subject was a
/// board: then another kind comes first, if one waits.
fn rotate_subjects(
    mut subjects: EntriesBySubject,
    last: Option<&OutboxSubject>,
) -> Vec<(OutboxSubject, Vec<WaitingEntry>)> {
    let mut ordered = Vec::with_capacity(subjects.len());
    if let Some(last) = last {
        let later = subjects.split_off(last);
        let (same, next): (Vec<_>, Vec<_>) =
            later.into_iter().partition(|(subject, _)| subject == last);
        ordered.extend(next);
        subjects.extend(same);
    }
    ordered.extend(subjects);
    let was_board = last.is_some_and(is_board);
    ordered.sort_by_key(|(subject, _)| is_board(subject) == was_board);
    ordered
}

fn is_board(subject: &OutboxSubject) -> bool {
    matches!(subject, OutboxSubject::Board(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chat() -> ChatId {
        ChatId("tg:-100".into())
    }

    fn board(table: &str) -> OutboxSubject {
        OutboxSubject::Board(TableId(table.into()))
    }

    fn hand(seat: u8) -> OutboxSubject {
        OutboxSubject::Hand(TableId("t1".into()), seat)
    }

    fn order(all: &[OutboxSubject], last: Option<&OutboxSubject>) -> Vec<OutboxSubject> {
        let subjects = all.iter().map(|it| (it.clone(), Vec::new())).collect();
        rotate_subjects(subjects, last).into_iter().map(|(subject, _)| subject).collect()
    }

    #[test]
    fn a_board_comes_first_and_then_every_other_time() {
        let all = [board("t1"), board("t2"), hand(0), hand(1)];
        assert_eq!(order(&all, None), all);
        assert_eq!(order(&all, Some(&board("t1")))[0], hand(0));
        assert_eq!(order(&all, Some(&hand(0)))[0], board("t1"));
        assert_eq!(
            order(&[board("t1"), board("t2")], Some(&board("t1"))),
            [board("t2"), board("t1")]
        );
        assert_eq!(order(&[board("t1")], Some(&board("t1"))), [board("t1")]);
    }

    #[test]
    fn rows_that_are_no_entries_are_found_and_keep_the_others() {
        let table = &TableId("t1".into());
        let rows = || -> Vec<StoreRow> {
            let keys = [
                "tg:-100 b t1".to_owned(),
                OutboxKey::hand(&chat(), table, 0, 1).encode(),
                OutboxKey::post(&chat(), "tg/1/2").encode(),
                OutboxKey::replay(&chat(), table).encode(),
            ];
            keys.into_iter().map(|key| (key, b"nonsense".to_vec())).collect()
        };
        let read = ReadRows::decode(rows(), SendLane::Public);
        assert_eq!(read.unreadable.as_deref(), Some("tg:-100 b t1"));
        assert!(read.has_other_lane);
        let subjects: Vec<_> = read.subjects.into_keys().collect();
        assert_eq!(subjects, [OutboxSubject::Replay(table.clone())]);
        let read = ReadRows::decode(rows(), SendLane::Hands);
        assert_eq!(read.subjects.into_keys().collect::<Vec<_>>(), [hand(0)]);
    }
}
