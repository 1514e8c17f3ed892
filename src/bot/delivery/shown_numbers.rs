//! Remembers which card each number under a board plays, in the order that each person was last
//! shown.
//!
//! The numbers under a board are the same for all players, and each means a chat in the presser's
//! own hand. The order of a hand changes: trumps come first once there is a contract, and each
//! played card moves the others up. A number therefore plays a card only if the presser was shown
//! exactly this order with numbers; otherwise they are shown it first.
//!
//! The orders are kept in memory, and after a restart they are shown once more. Processes that
//! share a store keep them there instead, because any of them may get the next press.

use std::collections::HashMap;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::{Delivery, MISCLICK_WINDOW_MS};
use crate::repository::stored_rows::{parse_json_or_default, put_json};
use crate::repository::{DAY_MS, Failure, HOUR_MS, keys};
use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_results::hash_texts;
use caravanserai_store::Space;

/// The number of hands in memory from which on old ones are dropped.
const HANDS_REMEMBERED_MAX: usize = 4_096;
const HAND_TTL_MS: u64 = HOUR_MS;

/// How long a stored order is kept, in milliseconds.
const ORDER_TTL_MS: u64 = 7 * DAY_MS;

/// The tokens of a hand in the order of their numbers, and when they were shown.
struct NumberedHand {
    cards: Vec<String>,
    at_ms: u64,
}

/// The numbered hands that people were shown last, by the monotonic clock.
#[derive(Default)]
pub(super) struct ShownNumbers {
    hands: Mutex<HashMap<(TableId, PersonId), NumberedHand>>,
}

impl ShownNumbers {
    /// Records that a person is shown their cards in this order.
    pub(super) fn record_shown(
        &self,
        person: &PersonId,
        table: &TableId,
        cards: Vec<String>,
        now_ms: u64,
    ) {
        let key = (table.clone(), person.clone());
        let mut hands = self.hands.lock();
        // Showing the same order again does not restart the time to read it.
        if hands.get(&key).is_some_and(|it| it.cards == cards) {
            return;
        }
        if hands.len() >= HANDS_REMEMBERED_MAX && !hands.contains_key(&key) {
            hands.retain(|_, it| now_ms < it.at_ms + HAND_TTL_MS);
            if hands.len() >= HANDS_REMEMBERED_MAX {
                hands.clear();
            }
        }
        hands.insert(key, NumberedHand { cards, at_ms: now_ms });
    }

    /// Whether this order is the one that the person was shown last, long enough ago to have read
    /// it: the second tap of a double tap plays nothing.
    pub(super) fn were_shown(
        &self,
        person: &PersonId,
        table: &TableId,
        cards: &[String],
        now_ms: u64,
    ) -> bool {
        let hands = self.hands.lock();
        let shown = hands.get(&(table.clone(), person.clone()));
        shown.is_some_and(|it| it.cards == cards && now_ms >= it.at_ms + MISCLICK_WINDOW_MS)
    }
}

/// The row of the order that a person was shown last at a table.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct StoredOrder {
    /// A hash of the tokens in their order.
    cards: u64,
    /// When it was first shown, in milliseconds since 1970.
    at_ms: u64,
}

/// The hash of the tokens of a hand in the order of their numbers.
fn hash_cards(cards: &[String]) -> u64 {
    hash_texts(cards.iter().map(String::as_str))
}

impl Delivery {
    /// Records that a person is shown their cards at a table with the numbers that play them. If
    /// that cannot be stored, they are shown them once more when they press a number.
    pub async fn record_shown_numbers(
        &self,
        person: &PersonId,
        table: &TableId,
        cards: Vec<String>,
    ) {
        if !self.repository.store().is_shared() {
            let now_ms = self.repository.time_source().monotonic_ms();
            return self.shown_numbers.record_shown(person, table, cards, now_ms);
        }
        if let Err(failure) = self.store_order(person, table, &cards).await {
            tracing::warn!(table = %table.0, %failure, "failed to store the numbers of a hand");
        }
    }

    /// Whether this is the order in which a person was last shown their numbered cards, by any
    /// process.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn has_shown_numbers(
        &self,
        person: &PersonId,
        table: &TableId,
        cards: &[String],
    ) -> Result<bool, Failure> {
        if !self.repository.store().is_shared() {
            let now_ms = self.repository.time_source().monotonic_ms();
            return Ok(self.shown_numbers.were_shown(person, table, cards, now_ms));
        }
        let order = self.stored_order(person, table).await?;
        let is_read = self.repository.now_ms() >= order.at_ms + MISCLICK_WINDOW_MS;
        Ok(order.cards == hash_cards(cards) && is_read)
    }

    async fn stored_order(
        &self,
        person: &PersonId,
        table: &TableId,
    ) -> Result<StoredOrder, Failure> {
        let key = keys::shown_numbers(table, person);
        Ok(parse_json_or_default(self.repository.read_value(Space::Meta, &key).await?))
    }

    async fn store_order(
        &self,
        person: &PersonId,
        table: &TableId,
        cards: &[String],
    ) -> Result<(), Failure> {
        let cards = hash_cards(cards);
        // Showing the same order again does not restart the time to read it.
        if self.stored_order(person, table).await?.cards == cards {
            return Ok(());
        }
        let at_ms = self.repository.now_ms();
        let order = StoredOrder { cards, at_ms };
        let row = put_json(Space::Meta, keys::shown_numbers(table, person), &order);
        self.repository.put_all(vec![row.expires_at(at_ms + ORDER_TTL_MS)]).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(tokens: &[&str]) -> Vec<String> {
        tokens.iter().map(|it| (*it).to_owned()).collect()
    }

    #[test]
    fn numbers_are_known_in_the_order_that_was_shown_last() {
        let numbers = ShownNumbers::default();
        let ann = PersonId("mem:Ann".into());
        let bek = PersonId("mem:Bek".into());
        let table = TableId("7k3fx".into());
        let bidding = cards(&["10S", "KH"]);
        let trumps = cards(&["KH", "10S"]);
        assert!(!numbers.were_shown(&ann, &table, &bidding, 9_000), "nothing was shown");
        numbers.record_shown(&ann, &table, bidding.clone(), 10_000);
        assert!(
            !numbers.were_shown(&ann, &table, &bidding, 10_200),
            "the time to read was too short"
        );
        assert!(numbers.were_shown(&ann, &table, &bidding, 10_500));
        assert!(!numbers.were_shown(&bek, &table, &bidding, 10_500));
        assert!(!numbers.were_shown(&ann, &TableId("other".into()), &bidding, 10_500));
        assert!(!numbers.were_shown(&ann, &table, &trumps, 10_500), "the order has changed");
        numbers.record_shown(&ann, &table, trumps.clone(), 11_000);
        assert!(!numbers.were_shown(&ann, &table, &bidding, 12_000));
        numbers.record_shown(&ann, &table, trumps.clone(), 11_400);
        assert!(numbers.were_shown(&ann, &table, &trumps, 11_500), "the order has not changed");
        numbers.record_shown(&ann, &table, trumps[..1].to_vec(), 12_000);
        assert!(!numbers.were_shown(&ann, &table, &trumps[..1], 12_100));
    }

    #[test]
    fn memory_is_limited() {
        let numbers = ShownNumbers::default();
        for n in 0..2 * HANDS_REMEMBERED_MAX {
            let person = PersonId(format!("mem:{n}"));
            numbers.record_shown(&person, &TableId("7k3fx".into()), cards(&["KH"]), 1);
        }
        assert!(numbers.hands.lock().len() <= HANDS_REMEMBERED_MAX);
    }
}
