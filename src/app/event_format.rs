//! Refuses a store that a newer program writes to: its logs may have events that this program
//! cannot read.
//!
//! A row has the number of the newest events. A program raises it before it writes its first event.
//! A program with a smaller number ends with one sentence: when it starts, and in a rolling update
//! within seconds. A store without the row is of an earlier version.

use caravanserai_bot::repository::keys;
use caravanserai_store::{Commit, Expect, OpenError, Put, Space, Store, StoreError};
use caravanserai_table::event::EVENTS_FORMAT;

/// Refuses a store of a newer program, else notes the events of this one in it.
///
/// # Errors
/// When a newer program writes to the store, or the store fails.
pub async fn note_event_format(store: &dyn Store) -> Result<(), OpenError> {
    loop {
        let found = read_format(store).await?;
        if known_format(found.as_deref())? == Some(EVENTS_FORMAT) {
            return Ok(());
        }
        let expect = Expect { space: Space::Meta, key: keys::EVENT_FORMAT.into(), value: found };
        let row = Put::new(Space::Meta, keys::EVENT_FORMAT, EVENTS_FORMAT.to_string());
        match store.commit(Commit { expect: vec![expect], ..Commit::from_puts(vec![row]) }).await {
            Ok(()) => return Ok(()),
            // Another process was faster.
            Err(StoreError::Conflict) => {}
            Err(error) => return Err(OpenError::retryable(error)),
        }
    }
}

/// Refuses a store of a newer program. Changes nothing.
///
/// # Errors
/// When a newer program writes to the store, or the store cannot be read.
pub async fn refuse_newer_events(store: &dyn Store) -> Result<(), OpenError> {
    known_format(read_format(store).await?.as_deref()).map(drop)
}

async fn read_format(store: &dyn Store) -> Result<Option<Vec<u8>>, OpenError> {
    store.get(Space::Meta, keys::EVENT_FORMAT).await.map_err(OpenError::retryable)
}

/// The number in the row, if there is one and this program reads its events.
fn known_format(row: Option<&[u8]>) -> Result<Option<u32>, OpenError> {
    let Some(row) = row else { return Ok(None) };
    let found = String::from_utf8_lossy(row);
    match found.parse::<u32>() {
        Ok(number) if number <= EVENTS_FORMAT => Ok(Some(number)),
        Ok(_) | Err(_) => Err(OpenError::Permanent(StoreError::Failed(format!(
            "a newer program writes to this store (events of format {found}, this program reads \
             them up to {EVENTS_FORMAT}): install the newer program, or restore the backup that \
             was made before the upgrade"
        )))),
    }
}

#[cfg(test)]
mod tests {
    use caravanserai_store::memory::MemoryStore;

    use super::*;

    async fn store_with(format: &str) -> MemoryStore {
        let store = MemoryStore::new();
        let row = Put::new(Space::Meta, keys::EVENT_FORMAT, format);
        store.commit(Commit::from_puts(vec![row])).await.unwrap();
        store
    }

    #[tokio::test]
    async fn the_number_is_raised_and_never_lowered() {
        for store in [MemoryStore::new(), store_with("0").await] {
            for _ in 0..2 {
                note_event_format(&store).await.unwrap();
            }
            refuse_newer_events(&store).await.unwrap();
            let row = store.get(Space::Meta, keys::EVENT_FORMAT).await.unwrap().unwrap();
            assert_eq!(row, EVENTS_FORMAT.to_string().into_bytes());
        }
        let newer = (EVENTS_FORMAT + 1).to_string();
        for format in [newer.as_str(), "of the future"] {
            let store = store_with(format).await;
            for refused in [note_event_format(&store).await, refuse_newer_events(&store).await] {
                let refused = refused.unwrap_err();
                assert!(matches!(refused, OpenError::Permanent(_)));
                assert!(refused.to_string().contains("install the newer program"), "{refused}");
            }
            let row = store.get(Space::Meta, keys::EVENT_FORMAT).await.unwrap().unwrap();
            assert_eq!(row, format.as_bytes());
        }
    }
}
