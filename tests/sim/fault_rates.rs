//! Defines the troubles of a simulated world and draws their rates.

use super::chance::Chance;
use super::world::World;

/// A feature of the simulation, which can be switched off to find out whether a failure needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum SimFeature {
    /// Commits that fail with a false conflict.
    Conflict,
    /// Commits that fail.
    Fail,
    /// Commits that are written and report a failure.
    AnswerLost,
    /// Reads that fail.
    ReadFails,
    /// Outages: a full disk or a database that cannot be reached.
    Outage,
    /// Outages in which the store accepts requests and answers none.
    Hung,
    /// A slow store.
    SlowStore,
    /// Calls to platforms that fail.
    CallFails,
    /// Calls that are made and report a failure.
    CallLost,
    /// Rate limits without a reason.
    RateLimited,
    /// Calls that hang.
    Hang,
    /// Changes of the wall clock.
    Clock,
    /// Chats that remove the bot and add it again.
    Closed,
    /// Groups that get another id.
    Moved,
    /// Deleted topics, groups and accounts.
    Deleted,
    /// Paused processes.
    Paused,
    /// Processes that are killed.
    Kill,
    /// Platforms that recognise copies of a message by its nonce.
    Copies,
    /// A game that is chosen twice in one message.
    ChosenTwice,
    /// People with two linked accounts.
    Linked,
    /// People who make and answer offers at tables.
    Agreements,
    /// People who only look, and play in browsers.
    Viewers,
    /// Edits and pictures that a platform refuses.
    Refused,
    /// People who send inline results where the bot is not a member.
    InlineChallenges,
    /// People who send two requests at the same moment.
    ConcurrentRequests,
    /// People who leave, return, block, abort and link to gain an advantage.
    Advantage,
    /// Worlds with few codes for tables, small caches and people with many seats.
    Crowded,
}

/// The rates of troubles, each per thousand calls.
#[derive(Clone, Copy, Debug, Default)]
pub struct TroubleRates {
    /// A commit fails with a false conflict.
    pub conflict: u64,
    /// A commit fails before anything is written.
    pub fail: u64,
    /// A commit is written and its answer is lost.
    pub answer_lost: u64,
    /// An edit or a picture is refused.
    pub refused: u64,
    /// A read fails.
    pub read_fails: u64,
    /// The store is slow.
    pub slow_store: u64,
    /// A call to a platform fails and has no effect.
    pub call_fails: u64,
    /// A call has its effect and the answer is lost.
    pub call_lost: u64,
    /// A platform reports a rate limit without a reason.
    pub told_to_wait: u64,
    /// A call hangs and fails in the end.
    pub hang: u64,
}

impl TroubleRates {
    /// Draws the rates for the next time: often calm, sometimes bad in some respects, rarely in
    /// all. Troubles that are switched off still draw their numbers, so that the rest of the world
    /// stays the same.
    pub fn draw(chance: &Chance, world: &World) -> Self {
        let rate = |feature: SimFeature, often: u64, most: u64| {
            let rate = if chance.happens(often) { chance.between(1, most) } else { 0 };
            if world.happens(feature) { rate } else { 0 }
        };
        TroubleRates {
            conflict: rate(SimFeature::Conflict, 300, 60),
            fail: rate(SimFeature::Fail, 200, 80),
            answer_lost: rate(SimFeature::AnswerLost, 200, 60),
            refused: 0,
            read_fails: 0,
            slow_store: rate(SimFeature::SlowStore, 400, 400),
            call_fails: rate(SimFeature::CallFails, 250, 200),
            call_lost: rate(SimFeature::CallLost, 250, 100),
            told_to_wait: rate(SimFeature::RateLimited, 200, 60),
            hang: rate(SimFeature::Hang, 150, 30),
        }
    }
}
