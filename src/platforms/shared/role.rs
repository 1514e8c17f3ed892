//! Something that one process does at a time: fetching updates, being a shard of the gateway.

use std::future::Future;
use std::time::Duration;

use super::notes::Notes;
use super::state::Reporter;

/// How long a role is held without being renewed: so long nobody does it when its process dies.
const HELD: Duration = Duration::from_secs(30);
/// How often it is renewed.
const RENEWED: Duration = Duration::from_secs(8);
/// How often it is tried to get it.
const TRIED: Duration = Duration::from_secs(1);

/// A role by its name.
#[derive(Clone)]
pub struct Role {
    notes: Notes,
    name: String,
}

impl Role {
    /// A role that is held by at most one process.
    pub fn new(notes: &Notes, name: impl Into<String>) -> Self {
        Role { notes: notes.clone(), name: name.into() }
    }

    /// Waits until this process has the role. While another one has it, the platform is served.
    pub async fn held(&self, state: &Reporter) {
        while !self.taken().await {
            state.serving();
            tokio::time::sleep(TRIED).await;
        }
    }

    /// Does something as long as this process has the role; `None` if it lost it before the end.
    pub async fn during<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::pin!(work);
        let mut misses = 0;
        loop {
            tokio::select! {
                done = &mut work => return Some(done),
                () = tokio::time::sleep(RENEWED) => {}
            }
            // One question without an answer is no loss: the role is held for longer than that.
            misses = if self.taken().await { 0 } else { misses + 1 };
            if misses == 2 {
                return None;
            }
        }
    }

    /// Takes or renews the role.
    pub async fn taken(&self) -> bool {
        let for_ms = u64::try_from(HELD.as_millis()).unwrap_or(u64::MAX);
        let taken = self.notes.book().lease(&self.name, for_ms).await;
        taken.unwrap_or_else(|error| {
            tracing::warn!(role = self.name, %error, "it is not known who has a role");
            false
        })
    }

    /// Lets another process have the role at once.
    pub async fn given_up(&self) {
        if let Err(error) = self.notes.book().release(&self.name).await {
            tracing::debug!(role = self.name, %error, "a role is given up by waiting");
        }
    }
}
