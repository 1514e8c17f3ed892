//! The answer to an update, and the part of it that comes later.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::EphemeralReply;

/// The answer to an update.
#[derive(Debug)]
pub struct HandleOutcome {
    /// What to tell the person who acted.
    pub replies: Vec<EphemeralReply>,
    /// Whether the update may be confirmed. If not, nothing of it is stored, and the platform has
    /// to deliver it again.
    pub can_ack: bool,
    /// The rest of the answer, where it needs an engine or a network: nothing is decided before.
    /// An adapter that handles updates in order starts the next one before it waits for this, and
    /// confirms the update only when this is done or stored somewhere.
    pub deferred: Option<DeferredOutcome>,
}

impl HandleOutcome {
    /// The whole answer.
    pub fn ready(told: Vec<EphemeralReply>, kept: bool) -> Self {
        HandleOutcome { replies: told, can_ack: kept, deferred: None }
    }

    /// The answer comes later.
    pub fn defer(later: DeferredOutcome) -> Self {
        HandleOutcome { replies: Vec::new(), can_ack: true, deferred: Some(later) }
    }

    /// Waits for the whole answer.
    pub async fn complete(mut self) -> Self {
        while let Some(later) = self.deferred.take() {
            let rest = later.await;
            self.replies.extend(rest.replies);
            self.can_ack &= rest.can_ack;
            self.deferred = rest.deferred;
        }
        self
    }
}

/// The rest of an answer. It does nothing until it is awaited.
pub struct DeferredOutcome(Pin<Box<dyn Future<Output = HandleOutcome> + Send>>);

impl DeferredOutcome {
    /// The answer that this future returns.
    pub fn new(rest: impl Future<Output = HandleOutcome> + Send + 'static) -> Self {
        DeferredOutcome(Box::pin(rest))
    }
}

impl Future for DeferredOutcome {
    type Output = HandleOutcome;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<HandleOutcome> {
        self.0.as_mut().poll(context)
    }
}

impl fmt::Debug for DeferredOutcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Later")
    }
}
