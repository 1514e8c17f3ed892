//! Replays and reviews, posted once they are made.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::boards::Sending;
use super::message::Message;
use super::sender::Sent;
use super::{AGAIN_MS, Post};
use crate::ledger::rows::{cut, parse, put};
use crate::ledger::{Failure, keys};
use crate::minds::{Review, Told};
use caravanserai_games::ids::{MessageId, PlaceId, TableId};
use caravanserai_games::words::{Arg, Text};
use caravanserai_protocol::note::{Key, Note, Picture};
use caravanserai_protocol::press::{Ask, TablePress};
use caravanserai_protocol::{Attachment, Look, Outgoing, SendError, present};
use caravanserai_store::{Put, Space};
use caravanserai_table::fold::{Phase, Table};
use caravanserai_table::review::percent;

/// The entry that has a replay posted.
pub fn replay_entry(place: &PlaceId, table: &TableId) -> String {
    format!("{} r {} replay", place.0, table.0)
}

/// So many numbers of moves stand side by side.
const KEYS_IN_A_ROW: usize = 4;

/// The entry that has a review posted.
pub fn review_entry(place: &PlaceId, table: &TableId) -> String {
    format!("{} v {} review", place.0, table.0)
}

/// What stands in a place while a review is made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Reviewing {
    /// The message that says how far it is.
    message: Option<MessageId>,
    /// How far that says it is, in hundredths.
    made: u8,
}

/// How much more of a review has to be made until it is said again, in hundredths: an edit is
/// dear in a group.
const MORE: u8 = 30;

/// How long it is known that somebody waits for a review, in milliseconds.
const REVIEWING_MS: u64 = 24 * 3_600_000;

impl Post {
    /// What a place is to be told of a review that is so far; nothing where little is new, or where
    /// boards come late already.
    pub(super) async fn to_tell(
        &self,
        place: &PlaceId,
        table: &TableId,
        made: Option<u8>,
    ) -> Result<Option<Reviewing>, Failure> {
        let Some(made) = made.filter(|_| !self.is_brake(place)) else { return Ok(None) };
        let stands = self.reviewing(place, table).await?;
        let is_new = stands.message.is_none() || made >= stands.made.saturating_add(MORE);
        Ok(is_new.then_some(Reviewing { made, ..stands }))
    }

    async fn reviewing(&self, place: &PlaceId, table: &TableId) -> Result<Reviewing, Failure> {
        Ok(parse(self.ledger.value(Space::Meta, &keys::reviewing(place, table)).await?))
    }

    /// The row that says when something was shown in a place.
    fn shown(&self, key: String) -> Put {
        let now_ms = self.ledger.now_ms();
        put(Space::Meta, key, &now_ms).until(now_ms + AGAIN_MS)
    }
}

impl Sending<'_> {
    /// Posts a replay that is drawn.
    pub(super) async fn replay(
        self,
        id: &TableId,
        file: Option<Arc<Vec<u8>>>,
    ) -> Result<Sent, Failure> {
        let ledger = &self.post.ledger;
        let (Some(bytes), Some(table)) = (file, ledger.look(id).await?) else {
            return Ok(Sent::nothing());
        };
        let note = caption(&table);
        let nonce = format!("replay {} {}", id.0, ledger.now_ms() / AGAIN_MS);
        let reader = self.profile.reads();
        let mut message = self.post.letters.outgoing(&note, &reader, nonce, None).await?;
        let name = format!("{}-{}.gif", table.game_id().info().code, id.0);
        let alt = Some(message.text.to_plain());
        message.file = Some(Attachment { name, bytes, animation: alt });
        message.look = Some(Look::replay(id.clone()));
        let message = Outgoing { loud: false, ..message };
        let sent = self.posted(&message.into()).await;
        Ok(Sent::with(sent.map(drop), vec![self.post.shown(keys::replay(self.place, id))]))
    }

    /// Says how far a review is.
    pub(super) async fn progress(self, id: &TableId, told: &Reviewing) -> Result<Sent, Failure> {
        let ledger = &self.post.ledger;
        let Some(table) = ledger.look(id).await? else { return Ok(Sent::nothing()) };
        let game = Text::new(format!("game-{}", table.game_id().info().code));
        let text = Text::new("answer-review-progress").with("game", game);
        let note = Note { texts: vec![text.with("made", told.made)], ..Note::default() };
        let nonce = format!("reviewing {} {}", id.0, ledger.now_ms() / AGAIN_MS);
        let message = self.post.letters.outgoing(&note, &self.profile.reads(), nonce, None).await?;
        let stands = match self.said_in(told.message.as_ref(), &message.into()).await {
            Ok(id) => Reviewing { message: Some(id), made: told.made },
            Err(error) => return Ok(Sent::just(Err(error))),
        };
        let until_ms = ledger.now_ms() + REVIEWING_MS;
        let row = put(Space::Meta, keys::reviewing(self.place, id), &stands).until(until_ms);
        Ok(Sent::with(Ok(()), vec![row]))
    }

    /// Says something in this message, if it still stands, else in a new one.
    async fn said_in(
        &self,
        message: Option<&MessageId>,
        saying: &Message,
    ) -> Result<MessageId, SendError> {
        if let Some(id) = message {
            self.count();
            match self.edit(id, saying).await {
                Err(SendError::MessageGone | SendError::Refused(_)) => {}
                edited => return edited.map(|()| id.clone()),
            }
        }
        self.posted(saying).await
    }

    /// Posts a review that is made, in place of what said how far it was.
    pub(super) async fn review(self, id: &TableId, review: &Review) -> Result<Sent, Failure> {
        let ledger = &self.post.ledger;
        let Some(table) = ledger.look(id).await? else { return Ok(Sent::nothing()) };
        let note = review_note(&table, review);
        let nonce = format!("review {} {}", id.0, ledger.now_ms() / AGAIN_MS);
        let reader = self.profile.reads();
        let message = self.post.letters.outgoing(&note, &reader, nonce, Some(&table)).await?;
        let message = Outgoing { loud: false, ..message };
        let stands = self.post.reviewing(self.place, id).await?.message;
        let sent = self.said_in(stands.as_ref(), &message.into()).await;
        let shown = self.post.shown(keys::reviewed(self.place, id));
        let gone = stands.map(|_| cut(Space::Meta, keys::reviewing(self.place, id)));
        Ok(Sent::with(sent.map(drop), gone.into_iter().chain([shown]).collect()))
    }
}

/// What stands below a replay: which game, who played, how it ended.
fn caption(table: &Table) -> Note {
    let title = Text::new("answer-replay-title")
        .with("game", Text::new(format!("game-{}", table.game_id().info().code)))
        .with("table", table.id.0.as_str())
        .with("names", Arg::Names(table.called()));
    let mut texts = vec![title];
    if let Phase::Over { scores, reason } = &table.phase {
        texts.push(present::result(table, scores, *reason));
    }
    let texts = texts.into_iter().map(|it| present::seated(table, it)).collect();
    Note { texts, ..Note::default() }
}

/// What is said of one of the moves of a review; seats are still to be named.
pub fn moment_texts(it: &Told) -> Vec<Text> {
    let mut texts = vec![
        Text::new("answer-moment")
            .with("move", it.shown_number())
            .with("name", Arg::Seat(it.seat))
            .with("played", it.played.clone())
            .with("better", it.better.clone()),
        Text::new("answer-moment-chance")
            .with("before", percent(it.before))
            .with("after", percent(it.after)),
    ];
    if let Some((seat, answer)) = &it.answer {
        let answered = Text::new("answer-moment-answer").with("name", Arg::Seat(*seat));
        texts.push(answered.with("answer", answer.clone()));
    }
    texts
}

/// The review as everybody in the place reads it.
pub fn review_note(table: &Table, review: &Review) -> Note {
    let game = Text::new(format!("game-{}", table.game_id().info().code));
    let title = Text::new("answer-review-title").with("game", game);
    let mut texts = vec![title.with("table", table.id.0.as_str())];
    let line = |(n, it): (i64, &Told)| {
        Text::new("answer-review-line")
            .with("n", n)
            .with("move", it.shown_number())
            .with("name", Arg::Seat(it.seat))
            .with("played", it.played.clone())
            .with("better", it.better.clone())
            .with("before", percent(it.before))
            .with("after", percent(it.after))
    };
    texts.extend((1..).zip(&review.moments).map(line));
    if review.moments.is_empty() {
        texts.push(Text::new("answer-review-none"));
    }
    texts.push(Text::new("answer-review-chart"));
    let key = |n: u8| {
        let press = TablePress { table: table.id.clone(), ask: Ask::Moment { n } }.write();
        Key::new(Arg::Plain(n.to_string()), press)
    };
    let keys: Vec<Key> = (1..=review.moments.len() as u8).map(key).collect();
    let keys = keys.chunks(KEYS_IN_A_ROW).map(<[Key]>::to_vec).collect();
    let picture = Some(Picture::Review { table: table.id.0.clone() });
    present::named(table, Note { texts, picture, keys, ..Note::default() })
}
