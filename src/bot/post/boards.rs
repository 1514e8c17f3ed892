//! The standing message of a table, and the call that tells somebody that they are waited for.

use std::collections::BTreeSet;

use super::Post;
use super::message::Message;
use super::sender::count_call;
use crate::ledger::profiles::{PlaceProfile, Reader};
use crate::ledger::rows::{BoardState, BoardTask, CallTask};
use crate::ledger::{Entered, Failure};
use caravanserai_games::ids::{MessageId, PersonId, PlaceId};
use caravanserai_games::words::{Arg, Rich, Span, Text};
use caravanserai_protocol::note::Note;
use caravanserai_protocol::present::{self, Sight, Sole};
use caravanserai_protocol::{Outgoing, Platform, SendError};
use caravanserai_store::Commit;
use caravanserai_table::fold::Table;

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
    /// How the table is shown here.
    fn shown(&self, table: &Table, page: u8) -> Note {
        let (means, lively) = (self.post.means(self.place), self.post.is_brake(self.place));
        let doors = self.post.doors(&table.id.0);
        let alone = table.spot(self.place).is_some_and(|it| it.reader.is_some());
        let window = self.platform.window(self.place, alone, Some(&table.id.0));
        let window = window.as_ref();
        let door = self.platform.private_door(&table.id.0);
        let sole = self.only().map(|_| Sole { page, door: door.as_deref() });
        let place = self.place;
        let sight = Sight { place, means, lively, doors: &doors, window, sole };
        let mut note = present::board_at(table, sight);
        // Who is on turn stays the last line.
        let last = note.texts.len().saturating_sub(1);
        if let Some(text) = self.unshown(table) {
            note.texts.insert(last, text);
        }
        note
    }

    /// The one message that this place consists of, if it does.
    pub(super) fn only(&self) -> Option<MessageId> {
        self.platform.only_message(self.place)
    }

    /// What stands where the table does not stand any more.
    pub(super) async fn parting(&self, table: &Table) -> Result<Message, Failure> {
        self.letter(&present::parting(table), table, String::new()).await
    }

    /// A call is being made.
    pub(super) fn count(&self) {
        let per_minute = self.platform.calls_per_minute(self.place);
        let now_ms = self.post.ledger.clock().monotonic_ms();
        self.post.budgets.note(self.place.chat(), per_minute, now_ms);
    }

    /// Makes the board show this table: in place, or anew at the bottom when it is wanted there
    /// (`task.down`), when talk has carried it away, or when it is no more.
    pub(super) async fn board(
        self,
        table: &Table,
        task: BoardTask,
        state: &mut BoardState,
    ) -> Sent {
        self.platform.catch_up(self.place).await;
        let only = self.only();
        if only.is_some() && table.next.is_some() {
            // The next table stands there now.
            return Ok(Ok(()));
        }
        if !self.post.may_see(table, self.place) {
            return self.close_board(table, state).await;
        }
        state.closed = false;
        let note = self.shown(table, task.page);
        let message = self.letter(&note, table, nonce(table, state)).await?;
        let awaited = table.turn().filter(|it| table.played_by(*it).is_none());
        let awaited = awaited.and_then(|seat| table.occupant(seat));
        let waits_for = match awaited.filter(|it| !it.is_computer()) {
            Some(awaited) => {
                let platform = self.place.platform();
                Some(self.post.ledger.account_on(&awaited.person, platform).await?)
            }
            None => None,
        };
        let message = message.map(|it| Outgoing {
            loud: it.loud && !self.profile.quiet,
            answers: task.asked,
            waits_for,
            ..it
        });
        self.end_call(table, state).await;
        if !self.is_ours().await? {
            return Ok(Err(elsewhere()));
        }
        let Some(standing) = state.message.clone().or_else(|| only.clone()) else {
            return Ok(self.post_board(table, message, state, None).await);
        };
        let below = self.platform.buried(self.place, &standing);
        let near = !task.down && !state.moving && below < self.post.ledger.limits().buried;
        if near || only.is_some() {
            self.count();
            match self.edit(&standing, &message).await {
                Ok(()) => {
                    self.is_shown(table, &standing, &message, state);
                    state.message = Some(standing);
                    return Ok(Ok(()));
                }
                Err(SendError::MessageGone) => {}
                // What cannot be edited into this may still be posted, where anything can. A place
                // that is one message would be told to be no more.
                Err(SendError::Refused(why)) if only.is_none() => {
                    tracing::warn!(place = %self.place.0, why, "an edit was refused");
                }
                Err(error) => return Ok(Err(error)),
            }
        }
        let message = message.map(|it| Outgoing { loud: false, ..it });
        self.anew(table, message, state, standing).await
    }

    /// Replaces the board, once, by a note that people here may not look on any more.
    async fn close_board(&self, table: &Table, state: &mut BoardState) -> Sent {
        self.end_call(table, state).await;
        state.shown = table.version;
        if std::mem::replace(&mut state.closed, true) {
            return Ok(Ok(()));
        }
        let standing = state.message.clone().or_else(|| self.only());
        let Some(standing) = standing else { return Ok(Ok(())) };
        if !self.is_ours().await? {
            return Ok(Err(elsewhere()));
        }
        let message = self.letter(&present::not_public(table), table, String::new()).await?;
        self.count();
        Ok(match self.edit(&standing, &message).await {
            Err(SendError::Refused(why)) if self.only().is_none() => {
                tracing::warn!(place = %self.place.0, why, "an edit was refused");
                self.delete_board(&standing, state).await
            }
            Err(SendError::MessageGone | SendError::Refused(_)) => Ok(()),
            other => other,
        })
    }

    /// Deletes a board that cannot be edited and that people here may not see any more.
    async fn delete_board(
        &self,
        standing: &MessageId,
        state: &mut BoardState,
    ) -> Result<(), SendError> {
        self.count();
        match self.platform.delete(self.place, standing).await {
            Ok(()) | Err(SendError::MessageGone) => {
                state.message = None;
                Ok(())
            }
            Err(error @ (SendError::Wait(_) | SendError::Temporary(_))) => {
                state.closed = false;
                Err(error)
            }
            // Nothing else can be done there.
            Err(_) => Ok(()),
        }
    }

    /// Posts the board anew further down. That it is on its way is kept before.
    async fn anew(
        &self,
        table: &Table,
        message: Message,
        state: &mut BoardState,
        standing: MessageId,
    ) -> Sent {
        if !self.is_ours().await? {
            return Ok(Err(elsewhere()));
        }
        if !state.moving {
            let before = state.clone();
            state.posts += 1;
            state.moving = true;
            let noted = self.post.kept(self.place, table, &before, state);
            let expect = vec![before.unchanged(&table.id, self.place)];
            let commit = Commit { expect, ..Commit::of(noted) };
            if self.post.ledger.commit(commit).await? == Entered::Conflict {
                return Ok(Err(elsewhere()));
            }
            state.stored = state.put(&table.id, self.place).value;
        }
        let nonce = nonce(table, state);
        let message = message.map(|it| Outgoing { nonce, ..it });
        Ok(self.post_board(table, message, state, Some(standing)).await)
    }

    /// Whether this process still has the chat for itself. A call that hung, or a picture that took
    /// long, may have lasted longer than that: another process has shown what is newer since, and
    /// nothing older may come after it.
    async fn is_ours(&self) -> Result<bool, Failure> {
        self.post.has_chat(self.place, self.platform).await
    }

    /// Takes away the call that the last move answered.
    async fn end_call(&self, table: &Table, state: &mut BoardState) {
        if let Some(call) = state.call.take_if(|_| state.called != table.version) {
            self.count();
            // A call that cannot be taken away does no harm.
            self.platform.delete(self.place, &call).await.ok();
        }
    }

    /// Posts the board. Whoever comes after a crash, or after an answer that was lost, posts it
    /// once more under the same nonce: see [`Platform::post`]. Where no copy is known the first one
    /// may stay above it: a press on it counts as under the live one, or is answered.
    async fn post_board(
        &self,
        table: &Table,
        message: Message,
        state: &mut BoardState,
        old: Option<MessageId>,
    ) -> Result<(), SendError> {
        let id = self.posted(&message).await?;
        if let Some(old) = old.filter(|old| *old != id)
            && self.take_away(&old, message.clone()).await.is_err()
        {
            state.left.push(old);
        }
        self.is_shown(table, &id, &message, state);
        state.message = Some(id);
        state.moving = false;
        Ok(())
    }

    /// Posts a message. Where the platform refuses this very one its picture may be the reason:
    /// then it is posted in words, so that people can go on.
    pub(super) async fn posted(&self, message: &Message) -> Result<MessageId, SendError> {
        self.count();
        let posted = self.post(message).await;
        let Err(SendError::Refused(why)) = &posted else { return posted };
        let Some(in_words) = message.in_words() else { return posted };
        tracing::warn!(place = %self.place.0, why, "a picture or file was refused");
        count_call(self.platform, &posted);
        self.count();
        self.post(&in_words).await
    }

    /// Takes an older board away, or its buttons where it may not be deleted or is to stay.
    ///
    /// # Errors
    /// Only when it is worth another try.
    async fn take_away(&self, old: &MessageId, instead: Message) -> Result<(), SendError> {
        self.count();
        if !self.profile.keeps_boards {
            match self.platform.delete(self.place, old).await {
                Ok(()) | Err(SendError::MessageGone) => return Ok(()),
                Err(error @ (SendError::Wait(_) | SendError::Temporary(_))) => return Err(error),
                Err(_) => {}
            }
        }
        // It stays in the chat without buttons; a press on it would be answered anyway.
        let bare = instead.map(|it| Outgoing { buttons: Vec::new(), ..it });
        match self.edit(old, &bare).await {
            Err(error @ (SendError::Wait(_) | SendError::Temporary(_))) => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Takes older boards away that could not be taken away when the newer one was posted.
    pub(super) async fn removal(&self, table: &Table, old: &[MessageId]) -> Sent {
        let note = self.shown(table, 0);
        let instead = self.letter(&note, table, String::new()).await?;
        let stands = self.post.live_board(table, self.place).await?;
        for old in old.iter().filter(|it| stands.as_ref() != Some(it)) {
            if let Err(error) = self.take_away(old, instead.clone()).await {
                return Ok(Err(error));
            }
        }
        Ok(Ok(()))
    }

    /// The board shows this table now, with these buttons.
    fn is_shown(&self, table: &Table, id: &MessageId, message: &Message, state: &mut BoardState) {
        state.shown = table.version;
        let now_ms = self.post.ledger.clock().monotonic_ms();
        let name = format!("{} {}", self.place.0, id.0);
        self.post.keyboards.show(&name, message.buttons(), now_ms);
        for ms in self.post.unseen.shown(&table.id, self.place, table.version, now_ms) {
            metrics::histogram!("caravanserai_press_seen_seconds",
                "platform" => self.platform.name())
            .record(ms as f64 / 1_000.0);
        }
    }

    /// Calls the one who is waited for, unless the table has gone on.
    pub(super) async fn call(self, table: &Table, task: CallTask, state: &mut BoardState) -> Sent {
        let Some(text) = task.text.filter(|_| task.version == table.version) else {
            return Ok(Ok(()));
        };
        if self.profile.quiet || self.only().is_some() {
            return Ok(Ok(()));
        }
        let Some(text) = self.post.wanted_call(table, text, task.purpose).await? else {
            return Ok(Ok(()));
        };
        if let Some(call) = state.call.take() {
            self.count();
            self.platform.delete(self.place, &call).await.ok();
        }
        if !self.is_ours().await? {
            return Ok(Err(elsewhere()));
        }
        let reply_to = state.message.clone();
        let note = Note { texts: vec![text], loud: true, reply_to, ..Note::default() };
        let nonce = format!("call {} {} {}", table.id.0, table.version, state.calls);
        let message = self.letter(&note, table, nonce).await?;
        Ok(self.posted(&message).await.map(|id| {
            state.call = Some(id);
            state.called = table.version;
            state.calls += 1;
        }))
    }

    /// Nothing can be shown here: whoever waits to see what they did is told alone that it counts,
    /// and what the bot would have to be allowed.
    pub(super) async fn in_vain(&self, lacking: Vec<Arg>) -> Result<(), Failure> {
        let text = Text::new("answer-not-shown").with("rights", Arg::Names(lacking));
        self.tell_alone(self.post.unseen.in_vain(self.place, None), text).await
    }

    /// The board of this table was refused, also in words: whoever waits to see what they did is
    /// told alone that it counts.
    pub(super) async fn board_refused(&self, table: &Table) -> Result<(), Failure> {
        let waiting = self.post.unseen.in_vain(self.place, Some(&table.id));
        self.tell_alone(waiting, Text::new("answer-board-refused")).await
    }

    async fn tell_alone(&self, people: BTreeSet<PersonId>, text: Text) -> Result<(), Failure> {
        let note = Note::brief(text);
        for person in people {
            let reader = self.post.ledger.person(&person).await?.reads(self.profile);
            let nonce = format!("vain {}", person.0);
            let message = self.post.letters.private_message(&note, &reader, nonce, None).await?;
            let slot = format!("vain {}", self.place.chat());
            // Where they cannot be reached alone, their next press tells them.
            self.platform.whisper(self.place, &person, &slot, &message).await.ok();
        }
        Ok(())
    }

    async fn letter(&self, note: &Note, table: &Table, nonce: String) -> Result<Message, Failure> {
        let mut reader = self.profile.reads();
        reader.words |= self.only().is_some();
        let (letters, spot) = (&self.post.letters, table.spot(self.place));
        let Some(only) = spot.and_then(|it| it.reader) else {
            let message = letters.outgoing(note, &reader, nonce, Some(table)).await?;
            return Ok(self.addressed(message).await?.into());
        };
        let person = self.post.ledger.person(only).await?.reads(self.profile);
        let lang = if table.is_solo() { reader.lang } else { person.lang };
        let reader = Reader { lang, ..person };
        let message = letters.private_message(note, &reader, nonce, Some(table)).await?;
        let accounts = self.accounts(message.text()).await?;
        Ok(Message::Private(message.map(|it| addressed(it, &accounts))))
    }

    /// The same with everybody who is named by the account that they have here.
    pub(super) async fn addressed(&self, message: Outgoing) -> Result<Outgoing, Failure> {
        let accounts = self.accounts(&message.text).await?;
        Ok(addressed(message, &accounts))
    }

    /// The accounts that people who are mentioned have on this platform, in order.
    async fn accounts(&self, text: &Rich) -> Result<Vec<PersonId>, Failure> {
        let platform = self.place.platform();
        let mut accounts = Vec::new();
        for span in &text.0 {
            let Span::Mention { person, .. } = span else { continue };
            let known = PersonId(person.clone());
            accounts.push(self.post.ledger.account_on(&known, platform).await?);
        }
        Ok(accounts)
    }
}

/// A message that mentions people by these accounts.
fn addressed(mut message: Outgoing, accounts: &[PersonId]) -> Outgoing {
    let mentions = message.text.0.iter_mut().filter_map(|span| match span {
        Span::Mention { person, .. } => Some(person),
        Span::Plain(_) | Span::Bold(_) | Span::Code(_) | Span::Time { .. } => None,
    });
    mentions.zip(accounts).for_each(|(person, account)| person.clone_from(&account.0));
    message
}

/// Another process speaks there by now.
fn elsewhere() -> SendError {
    SendError::Temporary("another process has the chat".to_owned())
}

fn nonce(table: &Table, state: &BoardState) -> String {
    format!("board {} {}", table.id.0, state.posts)
}
