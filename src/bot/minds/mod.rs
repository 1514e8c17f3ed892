//! What takes a while: computers at tables, hints, reviews, replays. Thought about on threads of
//! their own, committed like everything else.
//!
//! Start reading at [`Minds::think`] in `thinking`.

mod names;
mod pool;
mod replays;
mod reviews;
pub mod study;
mod thinking;

use std::sync::{Arc, Weak};

use crate::ledger::Ledger;
use crate::ledger::tasks::Tasks;
use caravanserai_i18n::I18n;
use caravanserai_render::Renderer;

pub use names::{drawn_names, label, names};
pub use pool::{NoThought, Players, Urgency};
pub use replays::Film;
pub use reviews::{Progress, Review, Told};
pub use thinking::is_sure;

/// Thinks for all tables of this process.
pub struct Minds {
    /// This very value, for tasks that outlive a call.
    me: Weak<Minds>,
    ledger: Arc<Ledger>,
    i18n: Arc<I18n>,
    renderer: Arc<Renderer>,
    tasks: Tasks,
    pool: Arc<pool::Pool>,
    thoughts: thinking::Thoughts,
    replays: replays::Replays,
    reviews: reviews::Reviews,
}

impl Minds {
    /// Nobody thinks yet.
    pub fn new(
        ledger: Arc<Ledger>,
        i18n: Arc<I18n>,
        renderer: Arc<Renderer>,
        tasks: Tasks,
    ) -> Arc<Self> {
        let pool = Arc::new(pool::Pool::new(ledger.limits().thinking_threads));
        let reviews = reviews::Reviews::new(ledger.limits().review_ms);
        let (thoughts, replays) = (thinking::Thoughts::default(), replays::Replays::new());
        Arc::new_cyclic(|me| Minds {
            me: me.clone(),
            ledger,
            i18n,
            renderer,
            tasks,
            pool,
            thoughts,
            replays,
            reviews,
        })
    }
}
