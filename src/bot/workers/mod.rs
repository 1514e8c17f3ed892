//! Runs slow work for tables: computer moves, hints, reviews, replays, and judging how well games
//! were played. Engines run on threads of their own; their moves are committed like any other
//! change.
//!
//! Start reading at [`Workers::start_thinking`] in `bot_moves`. Four modules evaluate play, each
//! for another purpose:
//!
//! | module | for |
//! |---|---|
//! | `review_jobs` | reviews of finished games, `/review` |
//! | `game_analysis` | the searches of all decisions of a game, from which a review is made |
//! | `position_evaluation` | the evaluation of one position while a person analyses on the page |
//! | `play_judging` | how well people play, in the statistics of `/me` |

mod bot_moves;
mod engine_pool;
pub mod game_analysis;
mod labels;
pub mod play_judging;
mod position_evaluation;
mod replay_jobs;
mod review_jobs;
mod stop_on_drop;

use std::sync::{Arc, Weak};

use crate::repository::Repository;
use crate::repository::background_tasks::BackgroundTasks;
use caravanserai_i18n::I18n;
use caravanserai_render::Renderer;

pub use bot_moves::{BoardTiming, is_certain};
pub use engine_pool::{EngineCache, ThinkError, ThinkPriority};
pub use labels::{drawable_names, drawable_player_names, label_text, player_names};
pub use position_evaluation::{ActionChance, EvaluatedPosition, EvaluationBusy};
pub use replay_jobs::ReplayStatus;
pub use review_jobs::{GameReview, ReviewStatus, ReviewedMove};
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
    running_searches: bot_moves::RunningSearches,
    replay_jobs: replay_jobs::ReplayJobs,
    review_jobs: review_jobs::ReviewJobs,
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
        let review_jobs = review_jobs::ReviewJobs::new(repository.limits().review_think_max_ms);
        let running_searches = bot_moves::RunningSearches::default();
        let replay_jobs = replay_jobs::ReplayJobs::new();
        Arc::new_cyclic(|me| Workers {
            weak_self: me.clone(),
            repository,
            i18n,
            renderer,
            tasks,
            pool,
            running_searches,
            replay_jobs,
            review_jobs,
            judging: play_judging::JudgingSlot::default(),
            position_evaluations: position_evaluation::PositionEvaluations::default(),
        })
    }
}
