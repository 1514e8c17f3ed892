//! `caravanserai results rebuild`: computes ratings, lists and histories again.

use std::sync::Arc;

use super::admin::ask_running_bot;
use super::existing::open_existing;
use crate::config::Config;
use crate::event_format::refuse_newer_events;
use caravanserai_bot::repository::{BotLimits, Repository, SystemClock};
use caravanserai_bot::results::projector::ResultProjector;
use caravanserai_bot::results::row_formats;
use caravanserai_store::Space;
use caravanserai_store::sled::SledOptions;
use caravanserai_store::store_address::StoreAddress;

/// Has the bot that runs on a data folder compute everything again, in the background; without one,
/// and in a database, does it itself, see [`rebuild_results`].
///
/// # Errors
/// When the bot does not answer, or as [`rebuild_results`].
pub async fn rebuild_results_or_ask_bot(config: &Config) -> anyhow::Result<String> {
    if config.store.folder().is_some()
        && let Some(answer) = ask_running_bot(config, "results rebuild").await?
    {
        return Ok(answer);
    }
    rebuild_results(&config.store).await
}

/// Collects the results of all finished games from their logs and records, and computes everything
/// again from them. If it is interrupted, the bot goes on with it when it starts.
///
/// A database may be used by running bots meanwhile: people see the old values until the new ones
/// replace them. With a data folder, the bot must not run.
///
/// # Errors
/// When there is no store in the folder, another process has it, the store is not the one that the
/// folder names or is of a newer program, or the store fails.
pub async fn rebuild_results(address: &StoreAddress) -> anyhow::Result<String> {
    let store = open_existing(address, address.folder(), SledOptions::default()).await?.store;
    refuse_newer_events(store.as_ref()).await?;
    let clock = Arc::new(SystemClock);
    // Nothing is opened here that would need chance.
    let no_chance = Box::new(|bytes: &mut [u8]| bytes.fill(0));
    let repository =
        Arc::new(Repository::new(store.clone(), clock, no_chance, BotLimits::default()));
    let projector = ResultProjector::new(repository.clone());
    projector.rebuild_all().await?;
    let results = repository.count_rows(Space::Result, "").await?;
    let records = repository.count_rows(Space::Rating, row_formats::RECORDS_PREFIX).await?;
    store.close().await?;
    Ok(format!("{results} results were read, {records} records were computed"))
}
