//! Describes how far results are read and ratings are computed.

use super::projection_state::LoadedState;
use super::queries::ResultQueries;
use super::row_formats::{self, RebuildStep};
use crate::repository::Failure;
use caravanserai_games::ids::PersonId;
use caravanserai_store::Space;

/// The number of hexadecimal digits of a time at the beginning of the key of a result.
const TIME_DIGITS: usize = 16;

/// How far results are read and ratings are computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultProgress {
    /// The work that is in progress.
    pub work: ResultWork,
    /// The number of results that are not in the ratings yet.
    pub waiting: usize,
    /// The number of requests for new ratings, because accounts or chats have changed.
    pub requests: usize,
}

/// The work on results that is in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultWork {
    /// Only new results are added.
    None,
    /// Results are read from the logs and records of tables.
    Reading {
        /// Whether the tables with logs are done, so that those with records follow.
        in_records: bool,
        /// The last table; empty at the beginning.
        after: String,
        /// Whether everything is computed again afterwards.
        computes_again: bool,
    },
    /// Ratings are computed again.
    Computing {
        /// From the results of this time on, in milliseconds since 1970.
        from_ms: u64,
        /// The end of the last game that is in them, in milliseconds since 1970.
        at_ms: u64,
    },
}

impl ResultWork {
    /// Whether everything is computed again.
    pub(super) fn is_rebuild_of_all(&self) -> bool {
        match self {
            ResultWork::None => false,
            ResultWork::Reading { computes_again, .. } => *computes_again,
            ResultWork::Computing { from_ms, .. } => *from_ms == 0,
        }
    }
}

impl ResultQueries<'_> {
    /// Whether everything is computed again, or the games of this person will be: their history may
    /// lack games until then.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn is_listing_again(self, person: &PersonId) -> Result<bool, Failure> {
        let work = self.progress().await?.work;
        let is_computing = matches!(work, ResultWork::Computing { .. });
        if is_computing || work.is_rebuild_of_all() {
            return Ok(true);
        }
        for account in self.repository.profiles().accounts_of(person).await? {
            if self.requested_ms(&account).await?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// How far results are read and ratings are computed.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn progress(self) -> Result<ResultProgress, Failure> {
        let state = LoadedState::load(self.repository).await?.state;
        let computing = state.rebuild.map(|it| {
            let (RebuildStep::Requested { after } | RebuildStep::Underway { after }) = it;
            let at_ms = after.get(..TIME_DIGITS).and_then(|it| u64::from_str_radix(it, 16).ok());
            let from_ms = state.rewound_to_ms;
            ResultWork::Computing { from_ms, at_ms: at_ms.unwrap_or(from_ms) }
        });
        let work = match computing {
            Some(work) => work,
            None => self.reading().await?.unwrap_or(ResultWork::None),
        };
        let waiting = self.repository.count_rows(Space::Meta, row_formats::PENDING_PREFIX).await?;
        let requests =
            self.repository.count_rows(Space::Meta, row_formats::RECOMPUTE_PREFIX).await?;
        Ok(ResultProgress { work, waiting, requests })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_is_computed_again_is_not_everything() {
        let computing = |from_ms| ResultWork::Computing { from_ms, at_ms: 5 };
        assert!(computing(0).is_rebuild_of_all());
        assert!(!computing(1).is_rebuild_of_all());
        assert!(!ResultWork::None.is_rebuild_of_all());
    }
}
