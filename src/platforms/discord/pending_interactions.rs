//! Lets the board itself be the first response to an interaction: the code that edits or posts the
//! board takes a pending interaction, so that a press is answered with its result in one request.
//!
//! Interactions that are not taken in time are answered in another way. If the process dies in
//! between, the outbox still has the board, and it is edited without the interaction.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::watch;

use super::interaction_responses::{InteractionRef, TokenAudience};

/// How long a post waits for the answers of commands whose tokens it may need.
const ANSWERS_WAIT: Duration = Duration::from_secs(5);

/// The message that an interaction waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum AwaitedMessage {
    /// An edit of the message whose button was pressed.
    Edit(u64),
    /// The message that this update causes.
    Post(String),
}

/// The state of a pending interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PendingOutcome {
    /// Still waiting.
    Pending,
    /// The board is being sent as the response.
    Taken,
    /// The board was the response.
    Answered,
    /// The board is not the response and will not be.
    Abandoned,
}

struct PendingEntry {
    number: u64,
    awaits: AwaitedMessage,
    interaction: PendingInteraction,
    outcome: watch::Sender<PendingOutcome>,
}

/// An interaction that can be answered with a board.
#[derive(Clone, Debug)]
pub(super) struct PendingInteraction {
    pub id: u64,
    pub token: String,
    pub user: u64,
    pub channel: u64,
    pub audience: TokenAudience,
}

impl From<&InteractionRef<'_>> for PendingInteraction {
    fn from(interaction: &InteractionRef<'_>) -> Self {
        let InteractionRef { id, token, user, channel, audience } = *interaction;
        PendingInteraction { id, token: token.to_owned(), user, channel, audience }
    }
}

/// All interactions that wait for a board.
#[derive(Default)]
pub(super) struct PendingInteractions {
    entries: Mutex<(u64, Vec<PendingEntry>)>,
}

/// One waiting interaction; it stops waiting when this is dropped.
pub(super) struct PendingWait {
    waiting: Arc<PendingInteractions>,
    number: u64,
    outcome: watch::Receiver<PendingOutcome>,
}

/// A taken interaction; dropping it means that it was not answered.
pub(super) struct TakenInteraction {
    waiting: Arc<PendingInteractions>,
    awaits: AwaitedMessage,
    pub interaction: PendingInteraction,
    outcome: watch::Sender<PendingOutcome>,
    answered: bool,
}

impl PendingInteractions {
    /// Lets a press wait for an edit of the message whose button was pressed.
    pub fn wait_for_edit(
        self: &Arc<Self>,
        interaction: &InteractionRef<'_>,
        message: u64,
    ) -> PendingWait {
        self.add(interaction, AwaitedMessage::Edit(message))
    }

    /// Lets a command wait for the message that this update causes.
    pub fn wait_for_post(
        self: &Arc<Self>,
        interaction: &InteractionRef<'_>,
        update: &str,
    ) -> PendingWait {
        self.add(interaction, AwaitedMessage::Post(update.to_owned()))
    }

    fn add(
        self: &Arc<Self>,
        interaction: &InteractionRef<'_>,
        awaits: AwaitedMessage,
    ) -> PendingWait {
        let (sender, outcome) = watch::channel(PendingOutcome::Pending);
        let interaction = PendingInteraction::from(interaction);
        let mut entries = self.entries.lock();
        entries.0 += 1;
        let number = entries.0;
        entries.1.push(PendingEntry { number, awaits, interaction, outcome: sender });
        PendingWait { waiting: Arc::clone(self), number, outcome }
    }

    /// Takes an interaction that an edit of this message can answer: the one that waits longest.
    pub fn take_for_edit(self: &Arc<Self>, message: u64) -> Option<TakenInteraction> {
        self.take(&AwaitedMessage::Edit(message))
    }

    /// Takes the interaction that can be answered with the message that this update causes.
    pub fn take_for_post(self: &Arc<Self>, update: &str) -> Option<TakenInteraction> {
        self.take(&AwaitedMessage::Post(update.to_owned()))
    }

    fn take(self: &Arc<Self>, awaits: &AwaitedMessage) -> Option<TakenInteraction> {
        let mut entries = self.entries.lock();
        let at = entries.1.iter().position(|it| it.awaits == *awaits)?;
        let PendingEntry { awaits, interaction, outcome, .. } = entries.1.remove(at);
        drop(entries);
        outcome.send_replace(PendingOutcome::Taken);
        let waiting = Arc::clone(self);
        Some(TakenInteraction { waiting, awaits, interaction, outcome, answered: false })
    }

    /// Ends the wait for this message: it shows the newest board, or was deleted.
    pub fn release_edit_waiters(&self, message: u64) {
        self.abandon(&AwaitedMessage::Edit(message));
    }

    fn abandon(&self, awaits: &AwaitedMessage) {
        for entry in self.entries.lock().1.iter().filter(|it| it.awaits == *awaits) {
            entry.outcome.send_replace(PendingOutcome::Abandoned);
        }
    }

    fn remove(&self, number: u64) {
        self.entries.lock().1.retain(|it| it.number != number);
    }
}

impl PendingWait {
    /// Waits until the board was the response or will not be; returns whether it was.
    pub async fn wait_answered(&mut self) -> bool {
        let ended = |it: &PendingOutcome| {
            matches!(it, PendingOutcome::Answered | PendingOutcome::Abandoned)
        };
        let outcome = self.outcome.wait_for(ended).await;
        outcome.is_ok_and(|it| *it == PendingOutcome::Answered)
    }

    /// Stops waiting; returns whether the board was the response after all.
    pub async fn give_up(mut self) -> bool {
        self.waiting.remove(self.number);
        let now = *self.outcome.borrow();
        match now {
            PendingOutcome::Pending | PendingOutcome::Abandoned => false,
            PendingOutcome::Answered => true,
            PendingOutcome::Taken => self.wait_answered().await,
        }
    }
}

impl Drop for PendingWait {
    fn drop(&mut self) {
        self.waiting.remove(self.number);
    }
}

impl TakenInteraction {
    /// Marks the board as the response. Other presses under the same message stop waiting: they see
    /// the new board, too.
    pub fn mark_answered(mut self) {
        self.answered = true;
        self.outcome.send_replace(PendingOutcome::Answered);
        self.waiting.abandon(&self.awaits);
    }
}

impl Drop for TakenInteraction {
    fn drop(&mut self) {
        if !self.answered {
            self.outcome.send_replace(PendingOutcome::Abandoned);
        }
    }
}

/// Counts by channel the commands whose deferred answers have no content yet.
#[derive(Default)]
pub(super) struct DeferredAnswers {
    channels: watch::Sender<HashMap<u64, usize>>,
}

/// A command whose deferred answer has no content yet, until this is dropped.
pub(super) struct DeferredAnswer<'a> {
    answers: &'a DeferredAnswers,
    channel: u64,
}

impl DeferredAnswers {
    /// Counts a command in this channel.
    pub fn begin(&self, channel: u64) -> DeferredAnswer<'_> {
        self.channels.send_modify(|it| *it.entry(channel).or_default() += 1);
        DeferredAnswer { answers: self, channel }
    }

    /// Waits until all commands in this channel have their answers; returns false if that takes too
    /// long.
    pub async fn wait_complete(&self, channel: u64) -> bool {
        let mut channels = self.channels.subscribe();
        let complete = channels.wait_for(|it| !it.contains_key(&channel));
        tokio::time::timeout(ANSWERS_WAIT, complete).await.is_ok()
    }
}

impl Drop for DeferredAnswer<'_> {
    fn drop(&mut self) {
        self.answers.channels.send_modify(|it| {
            let left = it.remove(&self.channel).map_or(0, |it| it.saturating_sub(1));
            if left > 0 {
                it.insert(self.channel, left);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interaction(id: u64) -> InteractionRef<'static> {
        InteractionRef { id, token: "t", user: 1, channel: 2, audience: TokenAudience::Channel }
    }

    #[tokio::test]
    async fn the_board_answers_one_press_and_the_others_need_not_wait() {
        let waiting = Arc::new(PendingInteractions::default());
        let first = waiting.wait_for_edit(&interaction(1), 9);
        let mut second = waiting.wait_for_edit(&interaction(2), 9);
        let _elsewhere = waiting.wait_for_edit(&interaction(3), 8);
        let taken = waiting.take_for_edit(9).expect("two wait");
        assert_eq!(taken.interaction.id, 1);
        taken.mark_answered();
        assert!(first.give_up().await);
        assert!(!second.wait_answered().await, "it sees the board as well");
        drop(second);
        assert!(waiting.take_for_edit(9).is_none());
        assert!(waiting.take_for_edit(8).is_some());
    }

    #[tokio::test]
    async fn giving_up_waits_for_a_response_in_progress() {
        let waiting = Arc::new(PendingInteractions::default());
        let press = waiting.wait_for_edit(&interaction(1), 9);
        let taken = waiting.take_for_edit(9).expect("one waits");
        let given_up = tokio::spawn(press.give_up());
        drop(taken);
        assert!(!given_up.await.expect("it ends"), "the call failed");
        let command = waiting.wait_for_post(&interaction(4), "dc/4");
        assert!(waiting.take_for_post("dc/5").is_none());
        assert!(waiting.take_for_post("dc/4").is_some());
        drop(command);
    }
}
