//! Runs a step of one deletion so that its failure does not keep other deletions from going on.

use crate::repository::Failure;
use crate::repository::quarantine::catch_panic;

/// Runs a step. If it fails or panics, logs that data was not deleted, and returns `None`. `whose`:
/// such as "of a person".
pub(super) async fn run_isolated<T>(
    whose: &str,
    step: impl Future<Output = Result<T, Failure>>,
) -> Option<T> {
    match catch_panic(step).await {
        Some(Ok(done)) => Some(done),
        Some(Err(failure)) => {
            tracing::error!(%failure, "failed to delete the data {whose}");
            None
        }
        None => {
            tracing::error!("failed to delete the data {whose}: the code panicked");
            None
        }
    }
}
