//! Answers the questions of clients, such as the page, about tables, games and settings.

use async_trait::async_trait;

use super::{Service, log_failure_as_none, log_failure_as_unavailable};
use crate::handlers::RequestError;
use crate::repository::Failure;
use caravanserai_games::ids::TableId;
use caravanserai_protocol::{
    AnalysisBoard, AnalysisQuery, AnalysisRefusal, Attachment, Chat, ClientQueries, FinishedGames,
    FinishedGamesQuery, Leaderboard, LeaderboardQuery, OwnSettings, OwnTables, Person,
    PersonStatistics, PictureLayout, PositionEvaluation, StateQuery, TableStateView, Unavailable,
    ViewerPage, ViewerPageState,
};

#[async_trait]
impl ClientQueries for Service {
    async fn table_state(
        &self,
        chat: &Chat,
        person: &Person,
        table: &TableId,
        query: StateQuery,
    ) -> Result<Option<TableStateView>, Unavailable> {
        let state =
            self.modules().handlers.client_queries.table_state(chat, person, table, query).await;
        log_failure_as_unavailable("read a table", state)
    }

    async fn viewer_page(
        &self,
        chat: &Chat,
        person: &Person,
        page: ViewerPage,
        layout: PictureLayout,
    ) -> Result<Option<ViewerPageState>, Unavailable> {
        let states = &self.modules().handlers.client_queries;
        let shown = states.load_viewer_page(chat, person, page, layout).await;
        log_failure_as_unavailable("read a page", shown)
    }

    async fn analysis_board(
        &self,
        chat: &Chat,
        person: &Person,
        query: AnalysisQuery,
    ) -> Option<Result<AnalysisBoard, AnalysisRefusal>> {
        let board = self.modules().handlers.client_queries.analysis_board(chat, person, query);
        log_failure_as_none("show a position", separate_refusal(board.await))
    }

    async fn evaluate_position(
        &self,
        chat: &Chat,
        person: &Person,
        query: AnalysisQuery,
    ) -> Option<Result<PositionEvaluation, AnalysisRefusal>> {
        let found = self.modules().handlers.client_queries.evaluate_position(chat, person, query);
        log_failure_as_none("evaluate a position", separate_refusal(found.await))
    }

    async fn own_tables(&self, chat: &Chat, person: &Person) -> Option<OwnTables> {
        let found = self.modules().handlers.client_queries.own_tables(chat, person).await;
        log_failure_as_none("list the tables of a person", found)
    }

    async fn own_settings(&self, chat: &Chat, person: &Person) -> Option<OwnSettings> {
        let found = self.modules().handlers.client_queries.own_settings(chat, person).await;
        log_failure_as_none("read the settings of a person", found)
    }

    async fn finished_games(
        &self,
        chat: &Chat,
        person: &Person,
        query: FinishedGamesQuery,
    ) -> Option<FinishedGames> {
        let found =
            self.modules().handlers.client_queries.finished_games(chat, person, query).await;
        log_failure_as_none("read finished games", found)
    }

    async fn leaderboard(
        &self,
        chat: &Chat,
        person: &Person,
        query: LeaderboardQuery,
    ) -> Option<Leaderboard> {
        let found = self.modules().handlers.client_queries.leaderboard(chat, person, &query).await;
        log_failure_as_none("read a rating list", found)
    }

    async fn person_statistics(
        &self,
        chat: &Chat,
        person: &Person,
        of: &Person,
    ) -> Option<PersonStatistics> {
        let found =
            self.modules().handlers.client_queries.person_statistics(chat, person, of).await;
        log_failure_as_none("read statistics", found).flatten()
    }

    async fn game_record(&self, person: &Person, table: &TableId) -> Option<Attachment> {
        let found = self.modules().handlers.client_queries.game_record(person, table).await;
        log_failure_as_none("read a record", found).flatten()
    }

    fn sprite_sheet(&self, sheet: &str) -> Option<String> {
        self.modules().message_renderer.sprite_sheet(sheet)
    }
}

/// The refusal of a result apart from failures.
fn separate_refusal<T, R>(result: Result<T, RequestError<R>>) -> Result<Result<T, R>, Failure> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(error) => error.refusal().map(Err),
    }
}
