//! The only writer of this process. It takes the changes that wait together, tries them on a copy
//! of the state, and puts the copy in place when the store has it: what anybody sees is durable.
//!
//! Several processes may have chats in one store. Each commit expects the number of the last one;
//! whoever comes second takes in what the others did and tries its changes on that.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Weak;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use super::{
    Web, now_ms,
    refusal::Refusal,
    state::{MARK, Mark, Op, State, feed_key, feed_of},
};
use caravanserai_store::{Change, Commit, Expect, Put, Read, Space, StoreError, next_change};

/// Changes that may wait.
pub const WAITING_MAX: usize = 4_096;
/// At most so many changes are kept together.
const GROUP_MAX: usize = 256;
/// How often a change is tried again after another process was first.
const TRIES_MAX: usize = 50;
/// How long a commit stays known to the other processes; who is further behind loads everything.
const FEED_MS: u64 = 10 * 60 * 1_000;
/// What a commit tells the other processes.
const TOPIC: &str = "web";
/// More rows than there can be, and still a number that every database takes.
const ALL: usize = i32::MAX as usize;
/// How long to wait before a store that failed is asked again, at first and at most.
const AGAIN: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(15));

/// Something for the writer.
pub enum Job {
    /// A change.
    Change(Box<dyn Task>),
    /// Take in what other processes did, then answer.
    Refresh(oneshot::Sender<()>),
}

/// A change that can be tried more than once.
pub trait Task: Send {
    /// Tries it; false if it is refused and must leave nothing.
    fn attempt(&mut self, state: &mut State) -> bool;
    /// Tells whoever waits: it is kept as it was tried last, or it is not.
    fn finish(self: Box<Self>, kept: Result<(), Refusal>);
}

/// A change given by a function.
pub struct Trial<F, T> {
    /// The change.
    pub change: F,
    /// What came of it last.
    pub came: Option<Result<T, Refusal>>,
    /// Who waits.
    pub done: oneshot::Sender<Result<T, Refusal>>,
}

impl<F, T> Task for Trial<F, T>
where
    F: FnMut(&mut State) -> Result<T, Refusal> + Send,
    T: Send,
{
    fn attempt(&mut self, state: &mut State) -> bool {
        // A change that breaks is refused; it must not take the others with it.
        let came = catch_unwind(AssertUnwindSafe(|| (self.change)(state)));
        let came = came.unwrap_or(Err(Refusal::Bot));
        let fine = came.is_ok();
        self.came = Some(came);
        fine
    }

    fn finish(self: Box<Self>, kept: Result<(), Refusal>) {
        let came = self.came.unwrap_or(Err(Refusal::Disk));
        // Who does not wait any more needs no answer.
        let _ = self.done.send(kept.and(came));
    }
}

/// Loads the chat, then writes until the chat is gone.
pub async fn write_all(web: Weak<Web>, mut jobs: mpsc::Receiver<Job>) {
    let mut pause = AGAIN.0;
    loop {
        let Some(web) = web.upgrade() else { return };
        match load(&web).await {
            Ok(()) => break,
            Err(why) => web.failed(&why),
        }
        drop(web);
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(AGAIN.1);
    }
    while let Some(first) = jobs.recv().await {
        let Some(web) = web.upgrade() else { return };
        let (mut tasks, mut refreshes) = (Vec::new(), Vec::new());
        let mut next = Some(first);
        while let Some(job) = next {
            match job {
                Job::Change(task) => tasks.push(task),
                Job::Refresh(done) => refreshes.push(done),
            }
            next = if tasks.len() < GROUP_MAX { jobs.try_recv().ok() } else { None };
        }
        if !refreshes.is_empty()
            && let Err(why) = refresh(&web).await
        {
            web.failed(&why);
        }
        // Whoever has gone meanwhile did not wait.
        for done in refreshes {
            let _ = done.send(());
        }
        if !tasks.is_empty() {
            write(&web, tasks).await;
        }
    }
}

/// Takes in what other processes tell, until the chat or the store is gone.
pub async fn follow(web: Weak<Web>) {
    let Some(mut changes) = web.upgrade().map(|it| it.store.changes()) else { return };
    while let Some(change) = next_change(&mut changes).await {
        let Some(web) = web.upgrade() else { return };
        let new = match change {
            Change::Everything => true,
            Change::Topic(topic) => {
                let version = topic.strip_prefix(TOPIC).and_then(|it| it.trim().parse().ok());
                version.is_some_and(|it: u64| it > web.state().version)
            }
        };
        if new {
            web.refresh().await;
        }
    }
}

/// Tries a group of changes until the store has them or it is hopeless.
async fn write(web: &Web, mut tasks: Vec<Box<dyn Task>>) {
    let mut fresh = false;
    for _ in 0..TRIES_MAX {
        let base = web.state();
        let Attempt { draft, ops, woken, idle } = attempt(&base, &mut tasks);
        // What is refused or changes nothing is decided by no commit: another process may have
        // written what it was about, such as the message to be edited.
        if idle && !fresh {
            if let Err(why) = refresh(web).await {
                web.failed(&why);
                break;
            }
            fresh = true;
            if web.state().version != base.version {
                continue;
            }
        }
        if ops.is_empty() {
            return finish(tasks, Ok(()));
        }
        match web.store.commit(commit_of(&base, &draft, ops)).await {
            Ok(()) => {
                web.publish(draft, &woken);
                return finish(tasks, Ok(()));
            }
            Err(StoreError::Conflict) => {
                if let Err(why) = refresh(web).await {
                    web.failed(&why);
                    break;
                }
            }
            // It may be kept all the same: then the next one conflicts, and takes it in.
            Err(why @ StoreError::Failed(_)) => {
                web.failed(&why);
                break;
            }
        }
    }
    finish(tasks, Err(Refusal::Disk));
}

/// What came of a group of changes.
struct Attempt {
    draft: State,
    ops: Vec<Op>,
    woken: BTreeSet<String>,
    /// Whether any of them was refused or changed nothing.
    idle: bool,
}

fn attempt(base: &State, tasks: &mut [Box<dyn Task>]) -> Attempt {
    let mut draft = base.clone();
    let (mut ops, mut woken, mut idle) = (Vec::new(), BTreeSet::new(), false);
    for task in tasks {
        let before = draft.clone();
        if task.attempt(&mut draft) {
            let mut own = draft.take_ops();
            idle |= own.is_empty();
            ops.append(&mut own);
            woken.append(&mut draft.take_woken());
        } else {
            idle = true;
            draft = before;
        }
    }
    draft.version += u64::from(!ops.is_empty());
    Attempt { draft, ops, woken, idle }
}

fn finish(tasks: Vec<Box<dyn Task>>, kept: Result<(), Refusal>) {
    tasks.into_iter().for_each(|task| task.finish(kept.clone()));
}

fn commit_of(base: &State, draft: &State, ops: Vec<Op>) -> Commit {
    let mark = |state: &State| {
        let mark = Mark { version: state.version, seq: state.seq };
        serde_json::to_vec(&mark).expect("plain data becomes JSON")
    };
    let expect = match base.version {
        0 => Expect::absent(Space::Chat, MARK),
        _ => Expect::equal(Space::Chat, MARK, mark(base)),
    };
    let feed = Put::new(Space::Chat, feed_key(draft.version), feed_of(&ops));
    let mut puts = vec![
        Put::new(Space::Chat, MARK, mark(draft)),
        feed.until(now_ms().saturating_add(FEED_MS)),
    ];
    // Only the last form of each row is worth writing.
    let last: BTreeMap<String, Option<Vec<u8>>> = ops.into_iter().collect();
    puts.extend(last.into_iter().map(|(key, value)| match value {
        Some(value) => Put::new(Space::Chat, key, value),
        None => Put::remove(Space::Chat, key),
    }));
    let tell = vec![format!("{TOPIC} {}", draft.version)];
    Commit { expect: vec![expect], puts, tell, ..Commit::default() }
}

/// Reads everything.
async fn load(web: &Web) -> Result<(), StoreError> {
    let mut reads = vec![Read::value(Space::Chat, MARK)];
    // Rooms before the messages that stand in them.
    reads.extend(["p/", "r/", "m/", "q/", "b/"].map(|it| Read::scan(Space::Chat, it, ALL)));
    let mut found = web.store.read(&reads).await?.into_iter();
    let mark = mark_of(found.next().and_then(|it| it.value().transpose()).transpose()?)?;
    let mut state = State::at(mark);
    for rows in found {
        for (key, value) in rows.rows()? {
            state.apply(&key, Some(&value));
        }
    }
    let woken = state.take_woken();
    web.publish(state, &woken);
    Ok(())
}

/// Takes in what other processes did since.
async fn refresh(web: &Web) -> Result<(), StoreError> {
    let state = web.state();
    let feed = Read::Scan {
        space: Space::Chat,
        prefix: "f/".to_owned(),
        after: Some(feed_key(state.version)),
        limit: ALL,
    };
    let mut found = web.store.read(&[Read::value(Space::Chat, MARK), feed]).await?;
    let feed = found.pop().map_or(Ok(Vec::new()), |it| it.rows())?;
    let mark = mark_of(found.pop().map_or(Ok(None), |it| it.value())?)?;
    if mark.version == state.version {
        return Ok(());
    }
    let missing = (state.version + 1..=mark.version).map(feed_key);
    if mark.version < state.version || !missing.eq(feed.iter().map(|(key, _)| key.clone())) {
        return load(web).await;
    }
    let mut keys: Vec<String> = Vec::new();
    for (_, value) in &feed {
        let more: Vec<String> = serde_json::from_slice(value).map_err(damaged)?;
        keys.extend(more.into_iter().filter(|it| !keys.contains(it)).collect::<Vec<_>>());
    }
    // Rooms before the messages that stand in them. A row may be newer than the mark: then it is
    // taken in again later, and no commit that builds on it now is accepted.
    keys.sort_by_key(|key| !key.starts_with("r/"));
    let reads: Vec<Read> = keys.iter().map(|key| Read::value(Space::Chat, key)).collect();
    let values = web.store.read(&reads).await?;
    let mut next = State::clone(&state);
    for (key, value) in keys.iter().zip(values) {
        next.apply(key, value.value()?.as_deref());
    }
    (next.version, next.seq) = (mark.version, mark.seq);
    let woken = next.take_woken();
    web.publish(next, &woken);
    Ok(())
}

fn mark_of(value: Option<Vec<u8>>) -> Result<Mark, StoreError> {
    value.map_or(Ok(Mark::default()), |it| serde_json::from_slice(&it).map_err(damaged))
}

fn damaged(e: serde_json::Error) -> StoreError {
    StoreError::Failed(format!("a row of the chat is damaged: {e}"))
}

/// Asks the writer, and gives what came of it.
pub async fn ask<T: Send + 'static>(
    web: &Web,
    change: impl FnMut(&mut State) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    web.ready().await?;
    let (done, came) = oneshot::channel();
    let job = Job::Change(Box::new(Trial { change, came: None, done }));
    web.jobs.send(job).await.map_err(|_| Refusal::Disk)?;
    came.await.map_err(|_| Refusal::Disk)?
}
