//! What takes a while and is then posted once in a place: replays and reviews.
//!
//! Each has a row in the outbox until it is posted, and a row that says when it was shown.

use super::hear::{Heard, Notes, say};
use super::tables::Held;
use super::{Failure, Inner};
use crate::chat::note::Note;
use crate::store::{Commit, Put, Space};

/// How long a place is shown the same thing only once, in milliseconds.
pub(super) const AGAIN_MS: u64 = 10 * 60_000;

impl Inner {
    /// What somebody is told who asks again: `soon` while it waits to be posted, `above` when it
    /// was posted a moment ago. `entry` is its row in the outbox, `shown` the other.
    pub(super) async fn asked_again(
        &self,
        heard: &Heard<'_>,
        (entry, soon): (&str, &'static str),
        (shown, above): (&str, &'static str),
    ) -> Result<Option<Vec<Note>>, Failure> {
        if self.store.get(Space::Outbox, entry).await?.is_some() {
            return Ok(Some(say(soon)));
        }
        let shown_ms: u64 = super::settings::parse(self.store.get(Space::Meta, shown).await?);
        let is_above = heard.now_ms < shown_ms.saturating_add(AGAIN_MS);
        Ok(is_above.then(|| say(above)))
    }

    /// Has it posted here by this entry of the outbox.
    pub(super) async fn post_once(
        &self,
        heard: &mut Heard<'_>,
        held: Held,
        entry: Put,
        notes: Vec<Note>,
    ) -> Notes {
        drop(held);
        self.commit_heard(heard, Commit { puts: vec![entry], ..Commit::default() }, &notes).await?;
        self.wake(&heard.update.place.id);
        Ok(notes)
    }
}
