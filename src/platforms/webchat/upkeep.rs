//! What is done now and then, so that nothing grows for ever.

use std::sync::{Arc, Weak};
use std::time::Duration;

use super::{Web, now_ms};

/// How often it is looked for.
const EVERY: Duration = Duration::from_secs(60);
/// Every so many times the disk is looked at too.
const DISK: u32 = 10;
/// Of several processes one does it: whoever holds this.
const LEASE: &str = "web upkeep";

/// Ages messages and people, forgets old rates, sweeps pictures, until the chat is gone.
pub async fn look_after(web: Weak<Web>) {
    let owner = owner();
    for turn in 1_u32.. {
        tokio::time::sleep(EVERY).await;
        let Some(web) = web.upgrade() else { return };
        web.rates.tidy();
        if !web.standing().loaded {
            continue;
        }
        let for_ms = u64::try_from(EVERY.as_millis()).unwrap_or(u64::MAX).saturating_mul(2);
        // A store that cannot be asked now is asked again the next time.
        if !web.store.lease(LEASE, &owner, for_ms).await.unwrap_or(false) {
            continue;
        }
        let limits = web.settings.limits.clone();
        web.change_lazily(move |state| state.age(now_ms(), &limits));
        if turn % DISK == 0 {
            sweep(&web).await;
        }
    }
}

async fn sweep(web: &Arc<Web>) {
    let (files, state) = (Arc::clone(&web.files), web.state());
    let most = web.settings.limits.all_bytes;
    let swept =
        tokio::task::spawn_blocking(move || files.sweep(most, &|hash| state.shows(hash))).await;
    if let Ok(Err(why)) = swept {
        tracing::warn!(%why, "old pictures of the chat could not be swept away");
    }
}

/// A name that no other process has.
pub fn owner() -> String {
    let mut bytes = [0; 8];
    // Without randomness the number of the process has to do.
    let _ = getrandom::fill(&mut bytes);
    format!("{} {}", std::process::id(), super::bot::hex(&bytes))
}
