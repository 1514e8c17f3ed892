//! The answer to an update, and the part of it that comes later.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::Whisper;

/// The answer to an update.
#[derive(Debug)]
pub struct Heard {
    /// What to tell the person who acted.
    pub told: Vec<Whisper>,
    /// Whether the update may be confirmed. If not, nothing of it is stored, and the platform has
    /// to deliver it again.
    pub kept: bool,
    /// The rest of the answer, where it needs an engine or a network: nothing is decided before.
    /// An adapter that handles updates in order starts the next one before it waits for this, and
    /// confirms the update only when this is done or stored somewhere.
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

/// The rest of an answer. It does nothing until it is awaited.
pub struct Later(Pin<Box<dyn Future<Output = Heard> + Send>>);

impl Later {
    /// The answer that this future returns.
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
