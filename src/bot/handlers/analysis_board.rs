//! Positions that a person analyses on a board of their own: shown to everybody, evaluated unless
//! the person plays a game of this kind that counts.

use super::table_index::tables_of;
use super::table_state::TableStateReader;
use crate::repository::Failure;
use crate::views::result_views;
use caravanserai_games::GameId;
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::Text;
use caravanserai_protocol::{
    AnalysisBoard, AnalysisQuery, AnalysisRefusal, Chat, Person, PositionEvaluation,
};
use caravanserai_table::state::{Table, TablePhase};

impl TableStateReader {
    /// The position of a query with what can be done there.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn analysis_board(
        &self,
        place: &Chat,
        account: &Person,
        query: &AnalysisQuery,
    ) -> Result<Result<AnalysisBoard, AnalysisRefusal>, Failure> {
        let viewer = self.load_viewer(place, account).await?;
        Ok(self.message_renderer.analysis_board(query, &viewer.display_prefs))
    }

    /// The evaluation of the position of a query.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn evaluate_position(
        &self,
        place: &Chat,
        account: &Person,
        query: &AnalysisQuery,
    ) -> Result<Result<PositionEvaluation, AnalysisRefusal>, Failure> {
        let viewer = self.load_viewer(place, account).await?;
        let reader = &viewer.display_prefs;
        let line = match self.message_renderer.analysed_line(query, reader.lang) {
            Ok(line) => line,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let i18n = self.message_renderer.i18n();
        let without = |why: Text, busy: bool| {
            let why = Some(i18n.translate_plain(reader.lang, &why));
            Ok(Ok(PositionEvaluation { why, busy, ..PositionEvaluation::default() }))
        };
        if self.plays_counting_game(&viewer.person, line.game).await? {
            return without(game_runs(line.game), false);
        }
        let position = line.position.clone_box();
        let workers = self.message_renderer.workers();
        let rated = workers.rate_position(&place.id, &viewer.person, line.game, position).await;
        let Ok(rated) = rated else { return without(Text::new("refuse-busy"), true) };
        // A game may have begun meanwhile.
        if self.plays_counting_game(&viewer.person, line.game).await? {
            return without(game_runs(line.game), false);
        }
        let (chance, position) = (rated.chance, &*line.position);
        let lines =
            self.message_renderer.evaluated_actions(query, position, &rated.actions, reader);
        Ok(Ok(PositionEvaluation { chance, lines, why: None, busy: false }))
    }

    /// Whether a person plays a game of this kind now against other people, or one against
    /// computers that counts for ratings: an evaluation would be a hint that nobody sees.
    async fn plays_counting_game(&self, person: &PersonId, game: GameId) -> Result<bool, Failure> {
        for id in tables_of(&self.repository, person).await? {
            match self.repository.load_table(&id).await {
                Ok(Some(table)) if table.game_id() == game && needs_own_thoughts(&table) => {
                    return Ok(true);
                }
                // Nobody can play on at a table that cannot be read.
                Ok(_) | Err(Failure::Damaged(..)) => {}
                Err(failure) => return Err(failure),
            }
        }
        Ok(false)
    }
}

fn game_runs(game: GameId) -> Text {
    Text::new("analysis-game-runs").with("game", result_views::game_text(game.info().code))
}

/// Whether the players of a table have to find their moves themselves.
fn needs_own_thoughts(table: &Table) -> bool {
    let is_among_people = table.seating.people_seats().len() > 1 && !table.is_solo();
    let is_playing = matches!(table.phase, TablePhase::Playing);
    is_playing && (is_among_people || table.casual_reasons().is_empty())
}
