//! Reads the logs of many tables at once, for work that passes over all tables. A log that cannot
//! be read keeps no other from being read.

use std::slice;

use super::quarantine::catch_panic;
use super::{Failure, Repository};
use caravanserai_games::ids::TableId;
use caravanserai_store::{StoreAnswer, StoreError, StoreQuery};

/// Why a log is not read that makes the code panic.
pub const PANICKED: &str = "a bug: the code panicked";

impl Repository {
    /// Reads the logs of these tables in one round trip. If one is damaged, or makes the code
    /// panic, they are read one by one: `report` gets each table whose log cannot be read, with the
    /// reason, and the others are returned.
    ///
    /// # Errors
    /// When the store fails in another way: then all of them have to be read again.
    pub async fn read_readable_logs(
        &self,
        ids: Vec<TableId>,
        report: impl Fn(&TableId, &str),
    ) -> Result<Vec<(TableId, Vec<String>)>, Failure> {
        if let Ok(logs) = self.try_read_logs(&ids).await? {
            return Ok(ids.into_iter().zip(logs).collect());
        }
        let mut readable = Vec::with_capacity(ids.len());
        for id in ids {
            match self.try_read_logs(slice::from_ref(&id)).await? {
                Ok(logs) => readable.extend(logs.into_iter().map(|lines| (id.clone(), lines))),
                Err(why) => report(&id, &why),
            }
        }
        Ok(readable)
    }

    /// The lines of these logs, or why one of them cannot be read.
    async fn try_read_logs(
        &self,
        ids: &[TableId],
    ) -> Result<Result<Vec<Vec<String>>, String>, Failure> {
        let queries: Vec<StoreQuery> = ids.iter().map(|it| StoreQuery::log(&*it.0, 0)).collect();
        match catch_panic(self.read_many(&queries)).await {
            Some(Ok(answers)) => {
                let logs: Result<Vec<_>, _> = answers.into_iter().map(StoreAnswer::lines).collect();
                Ok(Ok(logs?))
            }
            Some(Err(Failure::Store(StoreError::Damaged(why)))) => Ok(Err(why)),
            Some(Err(failure)) => Err(failure),
            None => Ok(Err(PANICKED.to_owned())),
        }
    }
}

/// Logs that a pass over all tables leaves out a log. The table is reported when it is used.
pub fn log_skipped_log(id: &TableId, why: &str) {
    tracing::error!(table = id.0, why, "skipped a log that cannot be read");
}
