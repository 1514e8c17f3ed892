//! What goes wrong in a simulated world, and how often.

use super::chance::Chance;
use super::world::World;

/// What can be left out of a world, to see whether a failure needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Trouble {
    /// Commits that meet a conflict that is none.
    Conflict,
    /// Commits that fail.
    Fail,
    /// Commits that are written and seem to fail.
    AnswerLost,
    /// Reads that fail.
    ReadFails,
    /// Minutes in which a disk is full or a database cannot be reached.
    Outage,
    /// Minutes in which a store takes questions and answers none.
    Hung,
    /// A store that takes its time.
    SlowStore,
    /// Calls to platforms that fail.
    CallFails,
    /// Calls that are made and seem to fail.
    CallLost,
    /// Calls that have to wait without a reason.
    ToldToWait,
    /// Calls that hang.
    Hang,
    /// Clocks that are turned.
    Clock,
    /// Chats that are closed and opened again.
    Closed,
    /// Groups that live on under another id.
    Moved,
    /// Topics, groups and accounts that are no more.
    Vanished,
    /// Processes that stand still.
    Still,
    /// Processes that are killed.
    Kill,
    /// Platforms that take a message with a known nonce for a copy.
    Copies,
    /// The same game chosen twice from one message.
    ChosenTwice,
    /// People with two accounts.
    Linked,
    /// People who settle things among themselves at their tables.
    Dealings,
    /// People who only look, and play in browsers.
    Looks,
    /// Edits and pictures that a platform takes for wrong.
    Refused,
    /// People who pose something where the bot is no member.
    Posed,
    /// People who send two requests at the same moment.
    Hurried,
    /// People who leave, return, block, abort and link to gain something.
    Advantage,
    /// Worlds with few codes for tables, small caches and people with many seats.
    Crowded,
}

/// How much goes wrong at present, each out of a thousand calls.
#[derive(Clone, Copy, Debug, Default)]
pub struct Weather {
    /// A commit meets a conflict that is none.
    pub conflict: u64,
    /// A commit fails before anything is written.
    pub fail: u64,
    /// A commit is written and the answer lost.
    pub answer_lost: u64,
    /// An edit or a picture is taken for wrong.
    pub refused: u64,
    /// A read fails.
    pub read_fails: u64,
    /// The store takes its time.
    pub slow_store: u64,
    /// A call to a platform fails and nothing was done.
    pub call_fails: u64,
    /// A call is done and the answer lost.
    pub call_lost: u64,
    /// A platform asks to wait without a reason.
    pub told_to_wait: u64,
    /// A call hangs and fails in the end.
    pub hang: u64,
}

impl Weather {
    /// How it is for the next while: often quiet, sometimes bad in some ways, rarely in all.
    /// What is left out draws its number all the same, so that the world stays much as it is.
    pub fn draw(chance: &Chance, world: &World) -> Self {
        let rate = |trouble: Trouble, often: u64, most: u64| {
            let rate = if chance.happens(often) { chance.between(1, most) } else { 0 };
            if world.happens(trouble) { rate } else { 0 }
        };
        Weather {
            conflict: rate(Trouble::Conflict, 300, 60),
            fail: rate(Trouble::Fail, 200, 80),
            answer_lost: rate(Trouble::AnswerLost, 200, 60),
            refused: 0,
            read_fails: 0,
            slow_store: rate(Trouble::SlowStore, 400, 400),
            call_fails: rate(Trouble::CallFails, 250, 200),
            call_lost: rate(Trouble::CallLost, 250, 100),
            told_to_wait: rate(Trouble::ToldToWait, 200, 60),
            hang: rate(Trouble::Hang, 150, 30),
        }
    }
}
