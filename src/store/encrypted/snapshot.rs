//! Snapshots of an encrypted store, decrypted.

use std::sync::Arc;

use async_trait::async_trait;

use super::ValueCodec;
use crate::{Snapshot, StoreError, StoredItem};

/// Opens the items of another snapshot.
pub(super) struct OpenedSnapshot {
    inner: Box<dyn Snapshot>,
    codec: Arc<ValueCodec>,
}

impl OpenedSnapshot {
    pub(super) fn new(inner: Box<dyn Snapshot>, codec: Arc<ValueCodec>) -> Self {
        Self { inner, codec }
    }
}

#[async_trait]
impl Snapshot for OpenedSnapshot {
    async fn next_items(&mut self) -> Result<Vec<StoredItem>, StoreError> {
        loop {
            let items = self.inner.next_items().await?;
            let is_end = items.is_empty();
            let decrypted = items.into_iter().filter_map(|item| self.codec.decrypt_item(item));
            let decrypted: Vec<StoredItem> = decrypted.collect();
            // Only the end of the snapshot may look like its end.
            if is_end || !decrypted.is_empty() {
                return Ok(decrypted);
            }
        }
    }
}
