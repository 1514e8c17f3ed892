//! Shows the positions that a person analyses on a board of their own, and evaluates them unless
//! the person is playing a game of this kind that counts.

use super::client_queries::{ClientQueryHandler, StateViewer};
use super::request_error::RequestError;
use super::unaided_games::{game_runs_text, unaided_table};
use caravanserai_games::ids::TableId;
use caravanserai_games::text::Text;
use caravanserai_i18n::Lang;
use caravanserai_protocol::{
    AnalysisBoard, AnalysisQuery, AnalysisRefusal, Chat, Person, PositionEvaluation,
};

impl ClientQueryHandler {
    /// The position of a query with what can be done there.
    ///
    /// # Errors
    /// When there is no such position, or the store cannot be read.
    pub(crate) async fn analysis_board(
        &self,
        chat: &Chat,
        account: &Person,
        query: AnalysisQuery,
    ) -> Result<AnalysisBoard, RequestError<AnalysisRefusal>> {
        let StateViewer { person, display_prefs: reader, .. } =
            self.load_viewer(chat, account).await?;
        let lang = reader.lang;
        let board = self.analysis_lines.run(&self.message_renderer, &person, move |it, stop| {
            it.analysis_board(&query, &reader, stop)
        });
        let board = board.await.unwrap_or_else(|| Err(AnalysisRefusal(self.busy_text(lang))));
        board.map_err(RequestError::Refused)
    }

    /// The evaluation of the position of a query.
    ///
    /// # Errors
    /// When there is no such position, or the store cannot be read.
    pub(crate) async fn evaluate_position(
        &self,
        chat: &Chat,
        account: &Person,
        query: AnalysisQuery,
    ) -> Result<PositionEvaluation, RequestError<AnalysisRefusal>> {
        let StateViewer { person, display_prefs: reader, .. } =
            self.load_viewer(chat, account).await?;
        let lang = reader.lang;
        let i18n = self.message_renderer.i18n();
        let without = |why: String, busy: bool| {
            Ok(PositionEvaluation { why: Some(why), busy, ..PositionEvaluation::default() })
        };
        let busy = || without(self.busy_text(lang), true);
        let asked = query.clone();
        let line = self.analysis_lines.run(&self.message_renderer, &person, move |it, stop| {
            it.analysed_line(&asked, lang, stop)
        });
        let line = match line.await {
            Some(Ok(line)) => line,
            Some(Err(refusal)) => return Err(RequestError::Refused(refusal)),
            None => return busy(),
        };
        let game_runs = |table: TableId| {
            without(i18n.translate_plain(lang, &game_runs_text(line.game, &table)), false)
        };
        if let Some(table) = unaided_table(&self.repository, &person, line.game, None).await? {
            return game_runs(table);
        }
        let position = line.position.clone_box();
        let workers = self.message_renderer.workers();
        let evaluated = workers.evaluate_position(&chat.id, &person, line.game, position).await;
        let Ok(evaluated) = evaluated else { return busy() };
        // A game may have begun meanwhile.
        if let Some(table) = unaided_table(&self.repository, &person, line.game, None).await? {
            return game_runs(table);
        }
        let chance = evaluated.chance;
        let position = line.position;
        let lines = self.analysis_lines.run(&self.message_renderer, &person, move |it, _| {
            it.evaluated_actions(&query, &*position, &evaluated.actions, &reader)
        });
        let Some(lines) = lines.await else { return busy() };
        Ok(PositionEvaluation { chance, lines, why: None, busy: false })
    }

    fn busy_text(&self, lang: Lang) -> String {
        self.message_renderer.i18n().translate_plain(lang, &Text::new("refuse-busy"))
    }
}
