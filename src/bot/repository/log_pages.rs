//! Reads the logs of many tables at once, for work that passes over all tables. A log that cannot
//! be read keeps no other from being read.

use super::quarantine::catch_panic;
use super::{Failure, Repository};
use caravanserai_games::ids::TableId;
use caravanserai_store::{StoreError, StoreQuery};

/// Why a log is not read that makes the code panic.
const PANICKED: &str = "a bug: the code panicked";

/// A table with the lines of its log, or why they cannot be read.
pub type LogRead = (TableId, Result<Vec<String>, String>);

impl Repository {
    /// Reads the logs of these tables in one round trip. If one is damaged, or makes the code
    /// panic, they are read one by one.
    ///
    /// # Errors
    /// When the store fails in another way: then all of them have to be read again.
    pub async fn read_logs(&self, ids: Vec<TableId>) -> Result<Vec<LogRead>, Failure> {
        let log = |it: &TableId| StoreQuery::log(&*it.0, 0);
        let queries: Vec<StoreQuery> = ids.iter().map(log).collect();
        let mut logs = Vec::with_capacity(ids.len());
        match catch_panic(self.read_many(&queries)).await {
            Some(Ok(answers)) => {
                for (id, answer) in ids.into_iter().zip(answers) {
                    logs.push((id, Ok(answer.lines()?)));
                }
                return Ok(logs);
            }
            Some(Err(Failure::Store(StoreError::Damaged(_)))) | None => {}
            Some(Err(failure)) => return Err(failure),
        }
        for (id, query) in ids.into_iter().zip(queries) {
            match catch_panic(self.read_many(&[query])).await {
                Some(Ok(answers)) => {
                    for answer in answers {
                        logs.push((id.clone(), Ok(answer.lines()?)));
                    }
                }
                Some(Err(Failure::Store(StoreError::Damaged(why)))) => logs.push((id, Err(why))),
                Some(Err(failure)) => return Err(failure),
                None => logs.push((id, Err(PANICKED.to_owned()))),
            }
        }
        Ok(logs)
    }

    /// The logs of these tables that can be read. The others are logged, and reported when they are
    /// used.
    ///
    /// # Errors
    /// As [`Self::read_logs`].
    pub async fn read_readable_logs(
        &self,
        ids: Vec<TableId>,
    ) -> Result<Vec<(TableId, Vec<String>)>, Failure> {
        let readable = |(id, read): LogRead| match read {
            Ok(lines) => Some((id, lines)),
            Err(why) => {
                tracing::error!(table = id.0, why, "skipped a log that cannot be read");
                None
            }
        };
        Ok(self.read_logs(ids).await?.into_iter().filter_map(readable).collect())
    }
}
