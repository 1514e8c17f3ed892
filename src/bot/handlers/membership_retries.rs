//! Who and what has come, gone or moved, while nothing could be kept: nobody presses again for
//! that, and not every platform tells it again.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::{Mutex, MutexGuard, Notify};

use super::Handlers;
use caravanserai_protocol::{HandleOutcome, Update, UpdateKind};

/// How many such updates are remembered; then the oldest is forgotten.
const QUEUE_MAX: usize = 10_000;

/// How soon it is tried again for the first time, and at the latest, in milliseconds.
const RETRY_DELAY_MS: (u64, u64) = (2_000, 60_000);

/// What is still to be acted on, oldest first.
#[derive(Default)]
pub struct MembershipRetryQueue {
    waiting: Mutex<VecDeque<Update>>,
    /// Something was added.
    added: Notify,
}

/// Whether this tells of places and people, and nobody waits for an answer.
fn is_membership_update(update: &Update) -> bool {
    match update.kind {
        UpdateKind::BotAdded
        | UpdateKind::BotRemoved
        | UpdateKind::ChatDeleted
        | UpdateKind::ChatMoved { .. }
        | UpdateKind::MemberLeft { .. }
        | UpdateKind::MembersJoined { .. } => true,
        UpdateKind::Text { .. } | UpdateKind::Command { .. } | UpdateKind::Press { .. } => false,
    }
}

impl Handlers {
    /// Acts on an update; where it tells of places and people, after all of that kind that waits,
    /// and later if nothing can be kept now.
    pub async fn answer_in_order(self: &Arc<Self>, update: &Update) -> HandleOutcome {
        if !is_membership_update(update) {
            return self.answer(update).await;
        }
        let mut heard = HandleOutcome::ready(Vec::new(), false);
        let mut waiting = self.membership_retries.waiting.lock().await;
        if waiting.is_empty() {
            drop(waiting);
            heard = self.answer(update).await;
            waiting = self.membership_retries.waiting.lock().await;
        } else if self.retry_in_order(&mut waiting).await {
            heard = self.answer(update).await;
        }
        if !heard.can_ack {
            if waiting.len() == QUEUE_MAX {
                let lost = waiting.pop_front().map(|it| it.id);
                tracing::error!(update = lost, "too much has happened while nothing could be kept");
            }
            waiting.push_back(update.clone());
            self.membership_retries.added.notify_one();
            // Nobody is to try again.
            heard.replies.clear();
        }
        heard
    }

    /// Tries again what waits, ever more rarely, for as long as the bot runs.
    pub async fn retry_waiting_updates(self: &Arc<Self>) {
        loop {
            self.membership_retries.added.notified().await;
            let mut wait_ms = RETRY_DELAY_MS.0;
            self.repository.time_source().sleep_ms(wait_ms).await;
            while !self.retry_in_order(&mut self.membership_retries.waiting.lock().await).await {
                wait_ms = (wait_ms * 2).min(RETRY_DELAY_MS.1);
                self.repository.time_source().sleep_ms(wait_ms).await;
            }
        }
    }

    /// Acts on what waits, in its order; whether nothing waits any more.
    async fn retry_in_order(
        self: &Arc<Self>,
        waiting: &mut MutexGuard<'_, VecDeque<Update>>,
    ) -> bool {
        while let Some(first) = waiting.front() {
            if !self.answer(first).await.can_ack {
                return false;
            }
            waiting.pop_front();
        }
        true
    }
}
