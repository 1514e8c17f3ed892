//! Runs slow work for tables: computer moves, hints, reviews, replays, and judging how well games
//! were played. Engines run on threads of their own; their moves are committed like any other
//! change.
//!
//! Start reading at [`Workers::start_thinking`] in `bot_moves`.

mod analysis_jobs;
mod bot_moves;
mod engine_pool;
pub mod game_analysis;
mod labels;
pub mod play_judging;
mod position_evaluation;
mod replay_jobs;
mod stop_on_drop;

use std::sync::{Arc, Weak};

use crate::repository::Repository;
use crate::repository::background_tasks::BackgroundTasks;
use caravanserai_i18n::I18n;
use caravanserai_render::Renderer;

pub use analysis_jobs::{GameReview, ReviewStatus, ReviewedMove};
pub use bot_moves::is_certain;
pub use engine_pool::{EngineCache, ThinkError, ThinkPriority};
pub use labels::{drawable_names, drawable_player_names, label_text, player_names};
pub use position_evaluation::{ActionChance, EvaluatedPosition, EvaluationBusy};
pub use replay_jobs::ReplayStatus;
pub use stop_on_drop::StopOnDrop;

/// Runs engines and other slow work for all tables of this process.
pub struct Workers {
    /// A reference to this value, for tasks that outlive a call.
    weak_self: Weak<Workers>,
    repository: Arc<Repository>,
    i18n: Arc<I18n>,
    renderer: Arc<Renderer>,
    tasks: BackgroundTasks,
    pool: Arc<engine_pool::EnginePool>,
    active_thoughts: bot_moves::ActiveThoughts,
    replay_jobs: replay_jobs::ReplayJobs,
    analysis_jobs: analysis_jobs::AnalysisJobs,
    judging: play_judging::JudgingSlot,
    position_evaluations: position_evaluation::PositionEvaluations,
}

impl Workers {
    /// Creates workers without any running work.
    pub fn new(
        repository: Arc<Repository>,
        i18n: Arc<I18n>,
        renderer: Arc<Renderer>,
        tasks: BackgroundTasks,
    ) -> Arc<Self> {
        let pool = Arc::new(engine_pool::EnginePool::new(repository.limits().thinking_threads));
        let analysis_jobs =
            analysis_jobs::AnalysisJobs::new(repository.limits().review_think_max_ms);
        let (active_thoughts, replay_jobs) =
            (bot_moves::ActiveThoughts::default(), replay_jobs::ReplayJobs::new());
        Arc::new_cyclic(|me| Workers {
            weak_self: me.clone(),
            repository,
            i18n,
            renderer,
            tasks,
            pool,
            active_thoughts,
            replay_jobs,
            analysis_jobs,
            judging: play_judging::JudgingSlot::default(),
            position_evaluations: position_evaluation::PositionEvaluations::default(),
        })
    }
}
