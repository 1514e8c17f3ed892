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
        if let LogsRead::Complete(logs) = self.try_read_logs(&ids).await? {
            return Ok(ids.into_iter().zip(logs).collect());
        }
        let mut readable = Vec::with_capacity(ids.len());
        for id in ids {
            match self.try_read_logs(slice::from_ref(&id)).await? {
                LogsRead::Complete(logs) => {
                    readable.extend(logs.into_iter().map(|lines| (id.clone(), lines)));
                }
                LogsRead::Damaged(why) => report(&id, &why),
            }
        }
        Ok(readable)
    }

    /// Reads these logs at once.
    async fn try_read_logs(&self, ids: &[TableId]) -> Result<LogsRead, Failure> {
        let queries: Vec<StoreQuery> = ids.iter().map(|it| StoreQuery::log(&*it.0, 0)).collect();
        match catch_panic(self.read_many(&queries)).await {
            Some(Ok(answers)) => {
                let logs: Result<Vec<_>, _> = answers.into_iter().map(StoreAnswer::lines).collect();
                Ok(LogsRead::Complete(logs?))
            }
            Some(Err(Failure::Store(StoreError::Damaged(why)))) => Ok(LogsRead::Damaged(why)),
            Some(Err(failure)) => Err(failure),
            None => Ok(LogsRead::Damaged(PANICKED.to_owned())),
        }
    }
}

/// The result of reading several logs at once.
enum LogsRead {
    /// The lines of each log.
    Complete(Vec<Vec<String>>),
    /// Why one of them cannot be read.
    Damaged(String),
}

/// Logs that a pass over all tables leaves out a log. The table is reported when it is used.
pub fn log_skipped_log(id: &TableId, why: &str) {
    tracing::error!(table = id.0, why, "skipped a log that cannot be read");
}
