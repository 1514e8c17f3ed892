//! Runs the only writer of this process. It collects waiting changes, tries them on a copy of the
//! state, and publishes the copy after the store has committed it: everything that people see is
//! durable.
//!
//! Several processes may share one chat in one store. Each commit expects the number of the last
//! one; on a conflict the writer loads the changes of the others and tries its changes again on
//! top.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Weak;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBuilder};
use tokio::sync::{mpsc, oneshot};

use super::{
    Webchat, now_ms,
    refusal::WebchatRefusal,
    state::{MARK, WebchatRowChange, WebchatState, WebchatVersion, feed_key, feed_row},
};
use caravanserai_games::time_units::MINUTE_MS;
use caravanserai_store::{
    Commit, Expect, Put, Space, StoreChange, StoreError, StoreQuery, next_change,
};

/// The most changes that may wait.
pub const WAITING_MAX: usize = 4_096;
/// The most changes in one commit.
const CHANGES_PER_COMMIT: usize = 256;
/// How often a change is tried again after another process committed first.
const TRIES_MAX: usize = 50;
/// How long a commit stays listed for the other processes; a process further behind loads
/// everything.
const FEED_MS: u64 = 10 * MINUTE_MS;
/// The longest list of changed keys that is stored, in bytes: below what a store accepts.
const FEED_BYTES_MAX: usize = 64 * 1024;
/// The topic on which commits are announced to other processes.
const TOPIC: &str = "web";
/// More rows than there can be, and still a number that every database accepts.
pub(super) const SCAN_LIMIT: usize = i32::MAX as usize;
/// Pauses before a store that failed is tried again: 125 to 250 milliseconds first, 7.5 to 15
/// seconds at last.
const STORE_RETRY_PAUSES: ExponentialBuilder = ExponentialBuilder::new()
    .with_min_delay(Duration::from_millis(125))
    .with_max_delay(Duration::from_millis(7_500))
    .without_max_times()
    .with_jitter();

/// A job for the writer.
pub enum WebchatWriterJob {
    /// Apply a change.
    Change(Box<dyn WebchatChange>),
    /// Load the changes of other processes, then answer whether that worked.
    Refresh(oneshot::Sender<bool>),
}

/// A change that can be tried several times.
pub trait WebchatChange: Send {
    /// Tries the change; returns false if it is refused, and then it must not alter the state.
    fn attempt(&mut self, state: &mut WebchatState) -> bool;
    /// Reports the result to the caller: the last attempt was committed, or nothing was.
    fn finish(self: Box<Self>, kept: Result<(), WebchatRefusal>);
}

/// A change by a function.
pub struct WebchatChangeFn<F, T> {
    /// The function.
    pub change: F,
    /// The result of the last attempt.
    pub result: Option<Result<T, WebchatRefusal>>,
    /// The channel to the caller.
    pub reply: oneshot::Sender<Result<T, WebchatRefusal>>,
}

impl<F, T> WebchatChange for WebchatChangeFn<F, T>
where
    F: FnMut(&mut WebchatState) -> Result<T, WebchatRefusal> + Send,
    T: Send,
{
    fn attempt(&mut self, state: &mut WebchatState) -> bool {
        // A change that panics is refused; it must not affect the others.
        let came = catch_unwind(AssertUnwindSafe(|| (self.change)(state)));
        let came = came.unwrap_or(Err(WebchatRefusal::BotFailed));
        let fine = came.is_ok();
        self.result = Some(came);
        fine
    }

    fn finish(self: Box<Self>, kept: Result<(), WebchatRefusal>) {
        let came = self.result.unwrap_or(Err(WebchatRefusal::StoreUnavailable));
        // A caller that no longer waits needs no answer.
        let _ = self.reply.send(kept.and(came));
    }
}

/// Loads the chat, then commits changes until the chat is dropped.
pub async fn run_writer(web: Weak<Webchat>, mut jobs: mpsc::Receiver<WebchatWriterJob>) {
    let mut pauses = STORE_RETRY_PAUSES.build();
    loop {
        let Some(web) = web.upgrade() else { return };
        match load(&web).await {
            Ok(()) => break,
            Err(why) => web.note_store_failure(&why),
        }
        drop(web);
        tokio::time::sleep(pauses.next().expect("the number of pauses is not limited")).await;
    }
    while let Some(first) = jobs.recv().await {
        let Some(web) = web.upgrade() else { return };
        let mut tasks = Vec::new();
        let mut refreshes = Vec::new();
        let mut next = Some(first);
        while let Some(job) = next {
            match job {
                WebchatWriterJob::Change(task) => tasks.push(task),
                WebchatWriterJob::Refresh(done) => refreshes.push(done),
            }
            next = if tasks.len() < CHANGES_PER_COMMIT { jobs.try_recv().ok() } else { None };
        }
        let mut is_fresh = true;
        if !refreshes.is_empty()
            && let Err(why) = refresh(&web).await
        {
            is_fresh = false;
            web.note_store_failure(&why);
        }
        // A caller that no longer waits needs no answer.
        for done in refreshes {
            let _ = done.send(is_fresh);
        }
        if !tasks.is_empty() {
            commit_changes(&web, tasks).await;
        }
    }
}

/// Loads changes that other processes announce, until the chat or the store is dropped.
pub async fn follow_other_processes(chat: Weak<Webchat>) {
    let Some(mut changes) = chat.upgrade().map(|it| it.store.subscribe_changes()) else { return };
    while let Some(change) = next_change(&mut changes).await {
        let Some(web) = chat.upgrade() else { return };
        let new = match change {
            StoreChange::All => true,
            StoreChange::Topic(topic) => {
                let version = topic.strip_prefix(TOPIC).and_then(|it| it.trim().parse().ok());
                version.is_some_and(|it: u64| it > web.state().version)
            }
        };
        drop(web);
        if new && !refresh_until_done(&chat).await {
            return;
        }
        apply_pending_bans(&chat).await;
    }
}

/// Bans the addresses of people whom the operator has banned at another process, if they are known
/// here.
async fn apply_pending_bans(chat: &Weak<Webchat>) {
    let Some(web) = chat.upgrade() else { return };
    let state = web.state();
    let address = |it: &String| Some((it.clone(), web.client_address_of(it)?.0));
    let known: Vec<(String, String)> = state.pending_bans.keys().filter_map(address).collect();
    for (person, address) in known {
        let change = move |state: &mut WebchatState| {
            state.apply_pending_ban(&person, &address);
            Ok(())
        };
        // The next change of the chat repeats it.
        if let Err(refusal) = web.change(change).await {
            tracing::warn!(?refusal, "failed to ban the address of a banned person");
        }
    }
}

/// Loads the changes of other processes, again and again while the store cannot be read: nothing
/// may announce them once more. Returns false when the chat was dropped.
async fn refresh_until_done(chat: &Weak<Webchat>) -> bool {
    let mut pauses = STORE_RETRY_PAUSES.build();
    loop {
        let Some(web) = chat.upgrade() else { return false };
        if web.refresh().await {
            return true;
        }
        drop(web);
        tokio::time::sleep(pauses.next().expect("the number of pauses is not limited")).await;
    }
}

/// Tries a group of changes until the store has committed them or the group fails.
async fn commit_changes(web: &Webchat, mut tasks: Vec<Box<dyn WebchatChange>>) {
    let mut fresh = false;
    for _ in 0..TRIES_MAX {
        let base = web.state();
        let WebchatChangeAttempt { draft, ops, woken, idle } = try_changes(&base, &mut tasks);
        // A refusal, or a change without effect, must not depend on an old state: another process
        // may have written the item it needs, such as the message to be edited.
        if idle && !fresh {
            if let Err(why) = refresh(web).await {
                web.note_store_failure(&why);
                break;
            }
            fresh = true;
            if web.state().version != base.version {
                continue;
            }
        }
        if ops.is_empty() {
            return finish_changes(tasks, Ok(()));
        }
        match web.store.commit(commit_of(&base, &draft, ops)).await {
            Ok(()) => {
                web.publish_state(draft, &woken);
                return finish_changes(tasks, Ok(()));
            }
            Err(StoreError::Conflict) => {
                if let Err(why) = refresh(web).await {
                    web.note_store_failure(&why);
                    break;
                }
            }
            // The commit may have succeeded all the same: then the next one conflicts, and loads
            // it.
            Err(why @ (StoreError::Failed(_) | StoreError::Damaged(_))) => {
                web.note_store_failure(&why);
                break;
            }
        }
    }
    finish_changes(tasks, Err(WebchatRefusal::StoreUnavailable));
}

/// The result of trying a group of changes.
struct WebchatChangeAttempt {
    draft: WebchatState,
    ops: Vec<WebchatRowChange>,
    woken: BTreeSet<String>,
    /// Whether any of them was refused or changed nothing.
    idle: bool,
}

fn try_changes(base: &WebchatState, tasks: &mut [Box<dyn WebchatChange>]) -> WebchatChangeAttempt {
    let mut draft = base.clone();
    let mut ops = Vec::new();
    let mut woken = BTreeSet::new();
    let mut idle = false;
    for task in tasks {
        let before = draft.clone();
        if task.attempt(&mut draft) {
            let mut own = draft.take_row_changes();
            idle |= own.is_empty();
            ops.append(&mut own);
            woken.append(&mut draft.take_woken());
        } else {
            idle = true;
            draft = before;
        }
    }
    draft.version += u64::from(!ops.is_empty());
    WebchatChangeAttempt { draft, ops, woken, idle }
}

fn finish_changes(tasks: Vec<Box<dyn WebchatChange>>, kept: Result<(), WebchatRefusal>) {
    tasks.into_iter().for_each(|task| task.finish(kept.clone()));
}

fn commit_of(base: &WebchatState, draft: &WebchatState, ops: Vec<WebchatRowChange>) -> Commit {
    let mark = |state: &WebchatState| {
        let mark = WebchatVersion { version: state.version, seq: state.seq };
        serde_json::to_vec(&mark).expect("plain data serializes to JSON")
    };
    let expect = match base.version {
        0 => Expect::absent(Space::Webchat, MARK),
        _ => Expect::equals(Space::Webchat, MARK, mark(base)),
    };
    let mut puts = vec![Put::new(Space::Webchat, MARK, mark(draft))];
    let feed = feed_row(&ops);
    // Without its row, other processes load everything.
    if feed.len() <= FEED_BYTES_MAX {
        let feed = Put::new(Space::Webchat, feed_key(draft.version), feed);
        puts.push(feed.expires_at(now_ms().saturating_add(FEED_MS)));
    }
    // Only the last form of each row has to be written.
    let last: BTreeMap<String, Option<Vec<u8>>> = ops.into_iter().collect();
    puts.extend(last.into_iter().map(|(key, value)| match value {
        Some(value) => Put::new(Space::Webchat, key, value),
        None => Put::remove(Space::Webchat, key),
    }));
    let tell = vec![format!("{TOPIC} {}", draft.version)];
    Commit { expect: vec![expect], puts, topics: tell, ..Commit::default() }
}

/// Loads everything.
async fn load(web: &Webchat) -> Result<(), StoreError> {
    let mut reads = vec![StoreQuery::value_of(Space::Webchat, MARK)];
    // Rooms come before the messages in them.
    reads.extend(
        ["p/", "r/", "m/", "q/", "b/", "w/"]
            .map(|it| StoreQuery::scan(Space::Webchat, it, SCAN_LIMIT)),
    );
    let mut found = web.store.read(&reads).await?.into_iter();
    let mark = parse_version(found.next().and_then(|it| it.value().transpose()).transpose()?)?;
    let mut state = WebchatState::from_version(mark);
    for rows in found {
        for (key, value) in rows.rows()? {
            state.apply_row(&key, Some(&value));
        }
    }
    let woken = state.take_woken();
    web.publish_state(state, &woken);
    Ok(())
}

/// Loads the changes of other processes since the last commit.
async fn refresh(web: &Webchat) -> Result<(), StoreError> {
    let state = web.state();
    let feed = StoreQuery::Scan {
        space: Space::Webchat,
        prefix: "f/".to_owned(),
        after: Some(feed_key(state.version)),
        limit: SCAN_LIMIT,
    };
    let mut found = web.store.read(&[StoreQuery::value_of(Space::Webchat, MARK), feed]).await?;
    let feed = found.pop().map_or(Ok(Vec::new()), |it| it.rows())?;
    let mark = parse_version(found.pop().map_or(Ok(None), |it| it.value())?)?;
    if mark.version == state.version {
        return Ok(());
    }
    let missing = (state.version + 1..=mark.version).map(feed_key);
    if mark.version < state.version || !missing.eq(feed.iter().map(|(key, _)| key.clone())) {
        return load(web).await;
    }
    let mut keys: Vec<String> = Vec::new();
    for (_, value) in &feed {
        let more: Vec<String> = serde_json::from_slice(value).map_err(damaged_row_error)?;
        keys.extend(more.into_iter().filter(|it| !keys.contains(it)).collect::<Vec<_>>());
    }
    // Rooms come before the messages in them. A row may be newer than the version row: then it is
    // loaded again later, and no commit on top of it is accepted until then.
    keys.sort_by_key(|key| !key.starts_with("r/"));
    let reads: Vec<StoreQuery> =
        keys.iter().map(|key| StoreQuery::value_of(Space::Webchat, key)).collect();
    let values = web.store.read(&reads).await?;
    let mut next = WebchatState::clone(&state);
    for (key, value) in keys.iter().zip(values) {
        next.apply_row(key, value.value()?.as_deref());
    }
    (next.version, next.seq) = (mark.version, mark.seq);
    let woken = next.take_woken();
    web.publish_state(next, &woken);
    Ok(())
}

fn parse_version(value: Option<Vec<u8>>) -> Result<WebchatVersion, StoreError> {
    value.map_or(Ok(WebchatVersion::default()), |it| {
        serde_json::from_slice(&it).map_err(damaged_row_error)
    })
}

fn damaged_row_error(e: serde_json::Error) -> StoreError {
    StoreError::Failed(format!("a row of the chat is damaged: {e}"))
}

/// Submits a change to the writer and returns its result.
pub async fn submit<T: Send + 'static>(
    web: &Webchat,
    change: impl FnMut(&mut WebchatState) -> Result<T, WebchatRefusal> + Send + 'static,
) -> Result<T, WebchatRefusal> {
    web.wait_until_loaded().await?;
    let (done, came) = oneshot::channel();
    let job =
        WebchatWriterJob::Change(Box::new(WebchatChangeFn { change, result: None, reply: done }));
    web.jobs.send(job).await.map_err(|_| WebchatRefusal::StoreUnavailable)?;
    came.await.map_err(|_| WebchatRefusal::StoreUnavailable)?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_that_deletes_a_large_room_fits_the_store() {
        let base = WebchatState::default();
        let room = "\u{10330}".repeat(40);
        let ops = |count: usize| -> Vec<WebchatRowChange> {
            (0..count).map(|id| (format!("m/{room}/{id:016x}"), None)).collect()
        };
        let rows = |commit: &Commit| commit.puts.len();
        let small = commit_of(&base, &base, ops(200));
        assert_eq!(rows(&small), 202, "the number of the version, and the list of keys");
        let large = commit_of(&base, &base, ops(5_000));
        assert_eq!(rows(&large), 5_001, "other processes load everything");
        let values = large.puts.iter().filter_map(|it| it.value.as_ref());
        assert!(values.map(Vec::len).all(|it| it <= FEED_BYTES_MAX));
    }
}
