//! What is done now and then, so that nothing grows for ever.

use std::sync::{Arc, Weak};
use std::time::Duration;

use super::{Webchat, now_ms};

/// How often it is looked for.
const CLEANUP_EVERY: Duration = Duration::from_secs(60);
/// Every so many times the disk is looked at too.
const BLOBS_EVERY_N: u32 = 10;
/// Of several processes one does it: whoever holds this.
const LEASE: &str = "web upkeep";

/// Ages messages and people, forgets old rates, sweeps pictures, until the chat is gone.
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
        // A store that cannot be asked now is asked again the next time.
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
    let (files, state) = (Arc::clone(&web.files), web.state());
    let most = web.settings.limits.all_bytes;
    let swept = tokio::task::spawn_blocking(move || {
        files.remove_unused(most, &|hash| state.is_blob_shown(hash))
    })
    .await;
    if let Ok(Err(why)) = swept {
        tracing::warn!(%why, "old pictures of the chat could not be swept away");
    }
}

/// A name that no other process has.
pub fn process_id() -> String {
    let mut bytes = [0; 8];
    // Without randomness the number of the process has to do.
    let _ = getrandom::fill(&mut bytes);
    format!("{} {}", std::process::id(), super::platform::to_hex(&bytes))
}
