//! The answer to an update, and the part of it that comes later.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::EphemeralReply;

/// The answer to an update.
#[derive(Debug)]
pub struct HandleOutcome {
    /// The replies to the person who acted.
    pub replies: Vec<EphemeralReply>,
    /// Whether the update may be confirmed.
    pub ack: Ack,
    /// The fate of the request in it.
    pub request: RequestStatus,
    /// The rest of the answer, where it needs an engine or a network: nothing is decided before.
    /// An adapter that handles updates in order starts the next one before it waits for this, and
    /// confirms the update only when this is done or stored somewhere.
    pub deferred: Option<DeferredOutcome>,
}

/// The fate of the request in an update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RequestStatus {
    /// It was carried out, or may have been.
    #[default]
    Done,
    /// It was refused, and nothing has changed.
    Refused,
    /// There is no request for the bot in the update.
    Absent,
}

/// Whether an update may be confirmed to the platform that delivered it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ack {
    /// It is handled; the platform does not deliver it again.
    Confirm,
    /// Nothing of it is stored; the platform has to deliver it again.
    Redeliver,
}

impl Ack {
    /// Returns [`Ack::Confirm`] if what the update caused is stored.
    pub fn confirm_if(stored: bool) -> Self {
        if stored { Ack::Confirm } else { Ack::Redeliver }
    }

    /// Whether the update may be confirmed.
    pub fn is_confirmed(self) -> bool {
        self == Ack::Confirm
    }

    /// The ack of an answer with another part.
    fn and(self, rest: Ack) -> Self {
        Ack::confirm_if(self.is_confirmed() && rest.is_confirmed())
    }
}

impl HandleOutcome {
    /// The whole answer.
    pub fn ready(replies: Vec<EphemeralReply>, ack: Ack) -> Self {
        HandleOutcome { replies, ack, request: RequestStatus::default(), deferred: None }
    }

    /// The same with the fate of the request.
    #[must_use]
    pub fn with_request(self, request: RequestStatus) -> Self {
        HandleOutcome { request, ..self }
    }

    /// The answer comes later.
    pub fn defer(later: DeferredOutcome) -> Self {
        HandleOutcome { deferred: Some(later), ..HandleOutcome::ready(Vec::new(), Ack::Confirm) }
    }

    /// Waits for the whole answer.
    pub async fn complete(mut self) -> Self {
        while let Some(later) = self.deferred.take() {
            let rest = later.await;
            self.replies.extend(rest.replies);
            self.ack = self.ack.and(rest.ack);
            self.request = rest.request;
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
