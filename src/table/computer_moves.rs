//! Lets computer players move: the question that a computer gets, and the events of its answer.
//!
//! A computer gets an [`EngineQuestion`] from the view of its seat: it does not know hidden
//! information of other seats. Thinking takes time, so it is not part of a decision: the service
//! runs the engine elsewhere and returns with an answer for the position in question.

use super::decision_builder::{self, Decision, DecisionBuilder, EventMeta};
use super::state::{Table, TablePhase};
use caravanserai_games::EngineQuestion;
use caravanserai_games::rules::Node;
use caravanserai_games::search::{ComputerLevel, PlayerEvaluation, SeededRng, ThinkBudget};

/// The answer of an engine; `None` if it is no player of this game.
pub type EngineAnswer = Option<PlayerEvaluation<String>>;

/// A callback that returns a computer's choice for a question at a given level. The numbers seed
/// its mistakes and playouts.
pub type ThinkFn<'a> =
    dyn FnMut(ComputerLevel, &EngineQuestion, &mut SeededRng) -> EngineAnswer + 'a;

/// The maximum number of steps that are played in one go, so that people see intermediate
/// positions.
const STEPS_MAX: usize = 200;

/// The number of turns that computers play before people see them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComputerPace {
    /// One turn of one seat: people can follow each turn.
    TurnByTurn,
    /// All turns until a person is to move.
    UntilPerson,
}

/// Whether computers play several turns in one go here, if the people want that and the chat can
/// show it: while one person plays against them, and before any person has acted.
pub fn can_pace_computers(table: &Table) -> bool {
    let nobody_acted =
        table.history.decision_count == 0 && !table.seating.people_seats().is_empty();
    computer_to_move(table).is_some() && (table.seating.sole_player().is_some() || nobody_acted)
}

/// The computer for which the game waits: its level and its question.
pub fn computer_to_move(table: &Table) -> Option<(ComputerLevel, EngineQuestion)> {
    if table.phase != TablePhase::Playing || table.is_frozen() {
        return None;
    }
    let game = table.game.as_deref()?;
    let Node::Act(seat) = game.node() else { return None };
    let level = table.computer_level_of(seat.0)?;
    Some((level, game.engine_question(seat)?))
}

/// Lets computers play at this pace until a person is to move or `budget` is used up. Returns
/// `None` when the game does not wait for a computer, or when the computation was stopped before
/// the first answer.
///
/// # Errors
/// When an answer does not follow from the table: a bug of a computer player.
pub fn play_computers(
    table: &Table,
    think: &mut ThinkFn<'_>,
    (budget, pace): (&ThinkBudget<'_>, ComputerPace),
    meta: EventMeta,
) -> Result<Decision, String> {
    let mut draft = DecisionBuilder::new(table, meta);
    let mut first = None;
    while let Some((level, asked)) = computer_to_move(&draft.table) {
        if pace == ComputerPace::TurnByTurn && *first.get_or_insert(asked.seat()) != asked.seat() {
            break;
        }
        let mut rng = SeededRng::from_entropy(&mut decision_builder::next_draw(&draft.table));
        let token = match asked.tokens().as_slice() {
            [only] => only.clone(),
            _ => match think(level, &asked, &mut rng) {
                Some(evaluation) => evaluation.action,
                None => return Err(format!("there is no {} for this game", level.code())),
            },
        };
        draft.play(asked.seat().0, token).map_err(|it| it.to_string())?;
        draft.try_advance()?;
        if draft.len() >= STEPS_MAX || budget.is_over() {
            break;
        }
    }
    Ok(draft.finish())
}
