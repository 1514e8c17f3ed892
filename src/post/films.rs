//! Replays and reviews, posted once they are made.

use std::sync::Arc;

use super::boards::Sending;
use super::sender::Sent;
use super::{AGAIN_MS, Post};
use crate::chat::note::{Key, Note, Picture};
use crate::chat::press::{Ask, TablePress};
use crate::chat::{Attachment, Outgoing, present};
use crate::ids::{PlaceId, TableId};
use crate::ledger::rows::put;
use crate::ledger::{Failure, keys};
use crate::minds::{Review, Told};
use crate::store::{Put, Space};
use crate::table::fold::{Phase, Table};
use crate::table::review::percent;
use crate::words::{Arg, Text};

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

impl Post {
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
            return Ok((Ok(()), Vec::new()));
        };
        let note = caption(&table);
        let nonce = format!("replay {} {}", id.0, ledger.now_ms() / AGAIN_MS);
        let reader = self.profile.reads();
        let mut message = self.post.letters.outgoing(&note, &reader, nonce, None).await?;
        let name = format!("{}-{}.gif", table.game_id().info().code, id.0);
        let alt = Some(message.text.to_plain());
        message.file = Some(Attachment { name, bytes, animation: alt });
        self.count();
        let message = Outgoing { loud: false, ..message };
        let sent = self.platform.post(self.place, &message).await;
        Ok((sent.map(drop), vec![self.post.shown(keys::replay(self.place, id))]))
    }

    /// Posts a review that is made.
    pub(super) async fn review(self, id: &TableId, review: &Review) -> Result<Sent, Failure> {
        let ledger = &self.post.ledger;
        let Some(table) = ledger.look(id).await? else { return Ok((Ok(()), Vec::new())) };
        let note = review_note(&table, review);
        let nonce = format!("review {} {}", id.0, ledger.now_ms() / AGAIN_MS);
        let reader = self.profile.reads();
        let message = self.post.letters.outgoing(&note, &reader, nonce, Some(&table)).await?;
        self.count();
        let message = Outgoing { loud: false, ..message };
        let sent = self.platform.post(self.place, &message).await;
        Ok((sent.map(drop), vec![self.post.shown(keys::reviewed(self.place, id))]))
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
