//! Loads the progress of the projection, and builds the commits that change it.

use super::row_formats::{self, ProjectionState, RebuildStep};
use crate::repository::stored_rows::{parse_json_or_default, put_json};
use crate::repository::{Failure, Repository};
use caravanserai_store::{Commit, Expect, Put, Space};

/// The stored state, and the row that it was decoded from.
pub(super) struct LoadedState {
    row: Option<Vec<u8>>,
    pub(super) state: ProjectionState,
}

impl LoadedState {
    pub(super) async fn load(repository: &Repository) -> Result<Self, Failure> {
        let row = repository.read_value(Space::Meta, row_formats::PROJECTION_STATE).await?;
        Ok(LoadedState { state: parse_json_or_default(row.clone()), row })
    }

    /// A commit that succeeds only while the state is as it was loaded.
    pub(super) fn commit(&self, puts: Vec<Put>, next: ProjectionState) -> Commit {
        self.commit_and_continue(puts, next).0
    }

    /// The same, and the state as it is stored if the commit succeeds.
    pub(super) fn commit_and_continue(
        &self,
        mut puts: Vec<Put>,
        next: ProjectionState,
    ) -> (Commit, LoadedState) {
        let key = row_formats::PROJECTION_STATE.to_owned();
        let expect = vec![Expect { space: Space::Meta, key: key.clone(), value: self.row.clone() }];
        let state = ProjectionState { commits: self.state.commits + 1, ..next };
        let put = put_json(Space::Meta, key, &state);
        let stored = LoadedState { row: put.value.clone(), state };
        puts.push(put);
        (Commit { expect, ..Commit::from_puts(puts) }, stored)
    }

    /// Requests a rebuild of everything from this time on, in milliseconds since 1970. It compares
    /// every row of histories if some may have been removed.
    pub(super) fn rewound(&self, to_ms: u64, compares_histories: bool) -> Commit {
        let state = &self.state;
        // A rebuild that is not finished goes on from the earlier of both times.
        let from_ms = match state.rebuild {
            Some(_) => to_ms.min(state.rewound_to_ms),
            None => to_ms,
        };
        tracing::info!(from_ms, "computing ratings again");
        let rebuild = Some(RebuildStep::Requested { after: format!("{from_ms:016x}") });
        let epoch = state.epoch + 1;
        let compares_histories = compares_histories || state.compares_histories;
        let next = ProjectionState {
            epoch,
            rewound_to_ms: from_ms,
            rebuild,
            compares_histories,
            ..state.clone()
        };
        self.commit(Vec::new(), next)
    }
}
