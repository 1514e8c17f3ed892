//! Who and what has come, gone or moved, while nothing could be kept: nobody presses again for
//! that, and not every platform tells it again.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::{Mutex, MutexGuard, Notify};

use super::Desk;
use caravanserai_protocol::{Body, Heard, Update};

/// How many such updates are remembered; then the oldest is forgotten.
const REMEMBERED: usize = 10_000;

/// How soon it is tried again for the first time, and at the latest, in milliseconds.
const AGAIN_MS: (u64, u64) = (2_000, 60_000);

/// What is still to be acted on, oldest first.
#[derive(Default)]
pub struct Unkept {
    waiting: Mutex<VecDeque<Update>>,
    /// Something was added.
    added: Notify,
}

/// Whether this tells of places and people, and nobody waits for an answer.
fn tells_of_places(update: &Update) -> bool {
    match update.body {
        Body::Added
        | Body::Removed
        | Body::Deleted
        | Body::Moved { .. }
        | Body::Left { .. }
        | Body::Came { .. } => true,
        Body::Text { .. } | Body::Press { .. } => false,
    }
}

impl Desk {
    /// Acts on an update; where it tells of places and people, after all of that kind that waits,
    /// and later if nothing can be kept now.
    pub async fn answer_in_turn(self: &Arc<Self>, update: &Update) -> Heard {
        if !tells_of_places(update) {
            return self.answer(update).await;
        }
        let mut heard = Heard::now(Vec::new(), false);
        let mut waiting = self.unkept.waiting.lock().await;
        if waiting.is_empty() {
            drop(waiting);
            heard = self.answer(update).await;
            waiting = self.unkept.waiting.lock().await;
        } else if self.act_on(&mut waiting).await {
            heard = self.answer(update).await;
        }
        if !heard.kept {
            if waiting.len() == REMEMBERED {
                let lost = waiting.pop_front().map(|it| it.id);
                tracing::error!(update = lost, "too much has happened while nothing could be kept");
            }
            waiting.push_back(update.clone());
            self.unkept.added.notify_one();
            // Nobody is to try again.
            heard.told.clear();
        }
        heard
    }

    /// Tries again what waits, ever more rarely, for as long as the bot runs.
    pub async fn catch_up(self: &Arc<Self>) {
        loop {
            self.unkept.added.notified().await;
            let mut wait_ms = AGAIN_MS.0;
            self.ledger.clock().sleep_ms(wait_ms).await;
            while !self.act_on(&mut self.unkept.waiting.lock().await).await {
                wait_ms = (wait_ms * 2).min(AGAIN_MS.1);
                self.ledger.clock().sleep_ms(wait_ms).await;
            }
        }
    }

    /// Acts on what waits, in its order; whether nothing waits any more.
    async fn act_on(self: &Arc<Self>, waiting: &mut MutexGuard<'_, VecDeque<Update>>) -> bool {
        while let Some(first) = waiting.front() {
            if !self.answer(first).await.kept {
                return false;
            }
            waiting.pop_front();
        }
        true
    }
}
