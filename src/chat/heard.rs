//! What came of an update, and the part of the answer that comes later.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::Whisper;

/// What came of an update.
#[derive(Debug)]
pub struct Heard {
    /// What whoever acted is told.
    pub told: Vec<Whisper>,
    /// Whether it may be confirmed. If not, nothing of it is kept, and it is to come again.
    pub kept: bool,
    /// The rest of the answer, where it needs an engine or a network: nothing is decided before.
    /// Whoever hears updates in an order lets the next one go on before waiting for this, and
    /// confirms the update only when it is done or kept somewhere.
    pub later: Option<Later>,
}

impl Heard {
    /// The whole answer.
    pub fn now(told: Vec<Whisper>, kept: bool) -> Self {
        Heard { told, kept, later: None }
    }

    /// The answer comes later.
    pub fn later(later: Later) -> Self {
        Heard { told: Vec::new(), kept: true, later: Some(later) }
    }

    /// Waits for the whole answer.
    pub async fn complete(mut self) -> Self {
        while let Some(later) = self.later.take() {
            let rest = later.await;
            self.told.extend(rest.told);
            self.kept &= rest.kept;
            self.later = rest.later;
        }
        self
    }
}

/// The rest of an answer. Nothing happens unless it is awaited.
pub struct Later(Pin<Box<dyn Future<Output = Heard> + Send>>);

impl Later {
    /// What this future gives.
    pub fn new(rest: impl Future<Output = Heard> + Send + 'static) -> Self {
        Later(Box::pin(rest))
    }
}

impl Future for Later {
    type Output = Heard;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Heard> {
        self.0.as_mut().poll(context)
    }
}

impl fmt::Debug for Later {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Later")
    }
}
