//! Serves the guests of other platforms on the page.

use async_trait::async_trait;

use super::{Service, log_failure_as_none, log_failure_as_unavailable};
use crate::handlers::RequestError;
use crate::repository::Failure;
use caravanserai_games::ids::TableId;
use caravanserai_protocol::guest_service::{
    AuthError, Guest, GuestService, SignInMarks, SignInOutcome, SignInProof,
};
use caravanserai_protocol::{
    EphemeralReply, OwnTables, PictureLayout, StateQuery, TableStateView, Unavailable,
    UpdateHandler, ViewerPage, ViewerPageState,
};

#[async_trait]
impl GuestService for Service {
    async fn sign_in(
        &self,
        proof: &SignInProof,
        marks: SignInMarks<'_>,
    ) -> Result<SignInOutcome, AuthError> {
        match self.modules().handlers.guest_sessions.sign_in(proof, marks).await {
            Ok(entered) => Ok(entered),
            Err(RequestError::Refused(error)) => Err(error),
            Err(RequestError::Failed(failure)) => {
                tracing::error!(%failure, "failed to sign a guest in");
                Err(AuthError::Unreachable)
            }
        }
    }

    async fn find_guest(&self, mark: &str) -> Result<Option<Guest>, Unavailable> {
        let found = self.modules().handlers.guest_sessions.find_guest(mark).await;
        log_failure_as_unavailable("find a guest", found)
    }

    async fn sign_out(&self, mark: &str) -> Result<(), Unavailable> {
        let ended = self.modules().handlers.guest_sessions.sign_out(mark).await;
        log_failure_as_none("sign a guest out", ended).ok_or(Unavailable)
    }

    async fn guest_table(
        &self,
        guest: &Guest,
        table: &TableId,
        query: StateQuery,
    ) -> Result<Option<TableStateView>, Unavailable> {
        let state = self.modules().handlers.guest_tables.guest_state(guest, table, query).await;
        log_failure_as_unavailable("show a table to a guest", state)
    }

    async fn guest_page(
        &self,
        guest: &Guest,
        page: ViewerPage,
        layout: PictureLayout,
    ) -> Result<Option<ViewerPageState>, Unavailable> {
        let shown = self.modules().handlers.guest_tables.guest_view(guest, page, layout).await;
        log_failure_as_unavailable("show a page to a guest", shown)
    }

    async fn guest_tables(&self, guest: &Guest) -> Option<OwnTables> {
        let found = self.modules().handlers.guest_tables.guest_tables(guest).await;
        log_failure_as_none("list the tables of a guest", found)
    }

    async fn press_button(
        &self,
        guest: &Guest,
        table: &TableId,
        callback_data: &str,
        key: &str,
    ) -> Option<Vec<EphemeralReply>> {
        if self.modules().tasks.is_stopping() {
            return None;
        }
        let (handlers, guest_copy, arrival) =
            (self.modules().handlers.clone(), guest.clone(), self.record_arrival());
        let (table, callback_data, press_key) =
            (table.clone(), callback_data.to_owned(), key.to_owned());
        let pressed = async move {
            handlers.guest_press(&guest_copy, &table, &callback_data, &press_key, arrival).await
        };
        match self.run_unless_store_silent(pressed).await {
            Some(Err(Failure::Store(_))) | None => {
                Some(self.modules().handlers.answer_guest_unsaved(guest, key).await)
            }
            Some(pressed) => log_failure_as_none("handle a press of a guest", pressed).flatten(),
        }
    }

    async fn wait_for_change(
        &self,
        guest: &Guest,
        table: &TableId,
        since: Option<u64>,
    ) -> Result<Option<u64>, Unavailable> {
        let guest_tables = &self.modules().handlers.guest_tables;
        let version = guest_tables.wait_for_guest_change(guest, table, since).await;
        log_failure_as_unavailable("wait for a change at the table of a guest", version)
    }
}
