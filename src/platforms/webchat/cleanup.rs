//! Cleans up regularly, so that no data grows without limit.

use std::sync::{Arc, Weak};
use std::time::Duration;

use super::{Webchat, now_ms};

/// How often the cleanup runs.
const CLEANUP_EVERY: Duration = Duration::from_secs(60);
/// Every how many runs the disk is checked, too.
const BLOBS_EVERY_N: u32 = 10;
/// The most people whose presence one run records.
const SIGHTINGS_MAX: usize = 500;
/// The lease of the cleanup: of several processes only its holder runs it.
const LEASE: &str = "web upkeep";

/// Removes expired messages and people, idle rate limits and unused images, and records who is
/// online, until the chat is dropped.
pub async fn run_cleanup(web: Weak<Webchat>) {
    let owner = process_id();
    for turn in 1_u32.. {
        tokio::time::sleep(CLEANUP_EVERY).await;
        let Some(web) = web.upgrade() else { return };
        web.rates.remove_idle();
        if !web.health().loaded {
            continue;
        }
        note_online_people(&web, now_ms());
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

/// Records the presence of people whose pages are open without requests: other processes do not see
/// their streams.
fn note_online_people(web: &Webchat, now_ms: u64) {
    let state = web.state();
    let people = web.hub.people_with_streams().into_iter();
    let due = people.filter(|it| state.is_sighting_due(it, now_ms));
    let due: Vec<String> = due.take(SIGHTINGS_MAX).collect();
    if !due.is_empty() {
        web.change_in_background(move |state| {
            due.iter().for_each(|it| state.note_seen(it, now_ms))
        });
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::WebchatSettings;
    use crate::model::{WebchatLimits, WebchatMember};
    use caravanserai_games::time_units::HOUR_MS;
    use caravanserai_store::memory::MemoryStore;

    #[tokio::test]
    async fn a_person_whose_page_is_open_is_seen_without_requests() {
        let web = Webchat::start_writer(WebchatSettings::default(), Arc::new(MemoryStore::new()));
        web.wait_until_loaded().await.unwrap();
        for id in ["open", "away"] {
            let (id, secret) = (id.to_owned(), format!("secret of {id}"));
            let person = WebchatMember { id, secret, ..WebchatMember::default() };
            let limits = WebchatLimits::default();
            let add =
                web.change(move |state| state.add_person(person.clone(), &limits, &|_| false));
            add.await.unwrap();
        }
        let _stream = web.hub.open("open", 1);
        note_online_people(&web, 5 * HOUR_MS);
        // This change waits for that one.
        web.change(|_| Ok(())).await.unwrap();
        let seen_ms = |id: &str| web.state().people.get(id).unwrap().seen_ms;
        assert_eq!([seen_ms("open"), seen_ms("away")], [5 * HOUR_MS, 0]);
    }
}
