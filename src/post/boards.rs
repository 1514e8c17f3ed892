//! The standing message of a table, and the call that tells somebody that they are waited for.

use super::Post;
use crate::chat::hands::Means;
use crate::chat::note::Note;
use crate::chat::{Outgoing, Platform, SendError, present};
use crate::ids::{MessageId, PlaceId};
use crate::ledger::Failure;
use crate::ledger::profiles::{PlaceProfile, Reader};
use crate::ledger::rows::{BoardState, CallTask};
use crate::table::fold::Table;

/// One sender's means.
#[derive(Clone, Copy)]
pub(super) struct Sending<'a> {
    pub(super) post: &'a Post,
    pub(super) platform: &'a dyn Platform,
    pub(super) place: &'a PlaceId,
    /// What is remembered of its chat.
    pub(super) profile: &'a PlaceProfile,
}

type Sent = Result<Result<(), SendError>, Failure>;

impl Sending<'_> {
    /// How hands can be shown here.
    fn means(&self) -> Means {
        if self.platform.whispers_buttons(self.place) { Means::Buttons } else { Means::Slots }
    }

    /// A call is being made.
    pub(super) fn count(&self) {
        let per_minute = self.platform.calls_per_minute(self.place);
        let now_ms = self.post.ledger.clock().monotonic_ms();
        self.post.budgets.note(self.place.chat(), per_minute, now_ms);
    }

    /// Makes the board show this table: in place, or anew at the bottom when it is wanted there
    /// (`down`), when talk has carried it away, or when it is no more.
    pub(super) async fn board(self, table: &Table, down: bool, state: &mut BoardState) -> Sent {
        let note = present::board(table, self.means());
        let mut message = self.letter(&note, table, nonce(table, state)).await?;
        self.end_call(table, state).await;
        let Some(standing) = state.message.clone() else {
            return self.post_board(table, message, state, None).await;
        };
        let below = self.platform.buried(self.place, &standing);
        if !down && below < self.post.ledger.limits().buried {
            self.count();
            match self.platform.edit(self.place, &standing, &message).await {
                Ok(()) => {
                    state.shown = table.version;
                    return Ok(Ok(()));
                }
                Err(SendError::MessageGone) => {}
                // What cannot be edited into this may still be posted.
                Err(SendError::Refused(why)) => {
                    tracing::warn!(place = %self.place.0, why, "an edit was refused");
                }
                Err(error) => return Ok(Err(error)),
            }
        }
        message.loud = false;
        if !state.posting {
            state.posts += 1;
        }
        message.nonce = nonce(table, state);
        self.post_board(table, message, state, Some(standing)).await
    }

    /// Takes away the call that the last move answered.
    async fn end_call(&self, table: &Table, state: &mut BoardState) {
        if let Some(call) = state.call.take_if(|_| state.called != table.version) {
            self.count();
            // A call that cannot be taken away does no harm.
            self.platform.delete(self.place, &call).await.ok();
        }
    }

    /// Posts the board. That it is being posted is kept first: whoever comes after a crash, or
    /// after an answer that was lost, does not know whether the message stands already with an
    /// older position. A platform that knows copies gives that message; it is then made new.
    async fn post_board(
        &self,
        table: &Table,
        message: Outgoing,
        state: &mut BoardState,
        old: Option<MessageId>,
    ) -> Sent {
        let again = std::mem::replace(&mut state.posting, true);
        if !again {
            self.post.ledger.keep(vec![self.post.board_row(self.place, table, state)]).await?;
        }
        self.count();
        let id = match self.platform.post(self.place, &message).await {
            Ok(id) => id,
            Err(SendError::Temporary(why)) => return Ok(Err(SendError::Temporary(why))),
            Err(surely_not_posted) => {
                state.posting = again;
                self.post.ledger.keep(vec![self.post.board_row(self.place, table, state)]).await?;
                return Ok(Err(surely_not_posted));
            }
        };
        let mut shown = Ok(());
        if again {
            self.count();
            shown = self.platform.edit(self.place, &id, &message).await;
        }
        if let Some(old) = old.filter(|old| *old != id) {
            self.count();
            if self.platform.delete(self.place, &old).await.is_err() {
                // It stays in the chat without buttons; a press on it would be answered anyway.
                let bare = Outgoing { buttons: Vec::new(), ..message };
                self.platform.edit(self.place, &old, &bare).await.ok();
            }
        }
        state.message = Some(id);
        state.posting = false;
        if shown.is_err() {
            // It stands there, whatever it shows: it is edited next time, not posted once more.
            self.post.ledger.keep(vec![self.post.board_row(self.place, table, state)]).await?;
            return Ok(shown);
        }
        state.shown = table.version;
        Ok(Ok(()))
    }

    /// Calls the one who is waited for, unless the table has gone on.
    pub(super) async fn call(self, table: &Table, task: CallTask, state: &mut BoardState) -> Sent {
        let Some(text) = task.text.filter(|_| task.version == table.version) else {
            return Ok(Ok(()));
        };
        if let Some(call) = state.call.take() {
            self.count();
            self.platform.delete(self.place, &call).await.ok();
        }
        let reply_to = state.message.clone();
        let note = Note { texts: vec![text], loud: true, reply_to, ..Note::default() };
        let nonce = format!("call {} {}", table.id.0, table.version);
        let message = self.letter(&note, table, nonce).await?;
        self.count();
        let posted = self.platform.post(self.place, &message).await;
        Ok(posted.map(|id| {
            state.call = Some(id);
            state.called = table.version;
        }))
    }

    async fn letter(&self, note: &Note, table: &Table, nonce: String) -> Result<Outgoing, Failure> {
        let mut reader = self.profile.reads();
        if table.is_solo() {
            // Only one person ever reads it.
            let person = self.post.ledger.person(&table.setup.opener).await?;
            reader = Reader { lang: reader.lang, ..person.reads(self.profile) };
        }
        self.post.letters.outgoing(note, &reader, nonce, Some(table)).await
    }
}

fn nonce(table: &Table, state: &BoardState) -> String {
    format!("board {} {}", table.id.0, state.posts)
}
