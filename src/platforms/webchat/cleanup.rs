//! Cleans up regularly, so that no data grows without limit.

use std::sync::{Arc, Weak};
use std::time::Duration;

use super::{Webchat, now_ms};

/// How often the cleanup runs.
const CLEANUP_EVERY: Duration = Duration::from_secs(60);
/// Every how many runs the disk is checked, too.
const BLOBS_EVERY_N: u32 = 10;
/// The lease of the cleanup: of several processes only its holder runs it.
const LEASE: &str = "web upkeep";

/// Removes expired messages and people, idle rate limits and unused images, until the chat is
/// dropped.
pub async fn run_cleanup(web: Weak<Webchat>) {
    let owner = process_id();
    for turn in 1_u32.. {
        tokio::time::sleep(CLEANUP_EVERY).await;
        let Some(web) = web.upgrade() else { return };
        web.rates.remove_idle();
        if !web.health().loaded {
            continue;
        }
        let for_ms = u64::try_from(CLEANUP_EVERY.as_millis()).unwrap_or(u64::MAX).saturating_mul(2);
        // If the store does not answer now, the next run tries again.
        if !web.store.try_lease(LEASE, &owner, for_ms).await.unwrap_or(false) {
            continue;
        }
        let limits = web.settings.limits.clone();
        web.change_in_background(move |state| state.remove_expired(now_ms(), &limits));
        if turn % BLOBS_EVERY_N == 0 {
            remove_unused_blobs(&web).await;
        }
    }
}

async fn remove_unused_blobs(web: &Arc<Webchat>) {
    let files = Arc::clone(&web.files);
    let state = web.state();
    let most = web.settings.limits.all_bytes;
    let swept = tokio::task::spawn_blocking(move || {
        files.remove_unused(most, &|hash| state.is_blob_shown(hash))
    })
    .await;
    match swept {
        Ok(Ok(0)) | Err(_) => {}
        Ok(Ok(count)) => tracing::warn!(
            count,
            "deleted images and files that messages show, because all together are larger than \
             WEB_FILES_MB"
        ),
        Ok(Err(why)) => tracing::warn!(%why, "failed to delete unused files of the chat"),
    }
}

/// Creates a name that no other process has.
pub fn process_id() -> String {
    let mut bytes = [0; 8];
    // Without random bytes the process id has to be enough.
    let _ = getrandom::fill(&mut bytes);
    format!("{} {}", std::process::id(), hex::encode(bytes))
}
