//! Asks engines and networks what an answer depends on.
//!
//! No table is held and no other update of the chat waits meanwhile: an attempt that needs such an
//! answer ends with a [`ExternalQuery`]. The update is then handled from the start with the
//! [`QueryResults`], and everything else is read again.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::Handlers;
use super::context::{HandlerResult, RequestContext};
use super::hint::HintGuard;
use crate::workers::{EngineCache, ThinkPriority};
use caravanserai_games::ids::{PersonId, PlaceId, TableId};
use caravanserai_games::search::{ComputerLevel, SeededRng, ThinkBudget, Thought};
use caravanserai_games::{EngineQuestion, GameId};
use caravanserai_protocol::{DeferredOutcome, SendError, Update};

/// What an attempt to answer an update needs to know.
pub(crate) enum ExternalQuery {
    /// The move that the strongest engine would play.
    Thought(Box<EngineQuery>),
    /// The private chat of this account.
    PrivatePlace(PersonId),
    /// Which of these places this account is a member of.
    Member(PersonId, Vec<PlaceId>),
    /// Whether this account is an admin of this place.
    IsAdmin(PersonId, PlaceId),
}

/// A position to think about.
pub(crate) struct EngineQuery {
    /// Where it is played: places take turns.
    pub(crate) place: PlaceId,
    pub(crate) table: TableId,
    pub(crate) position: u64,
    pub(crate) game: GameId,
    pub(crate) engine_request: EngineQuestion,
    pub(crate) guard: HintGuard,
}

/// The answer to a [`ExternalQuery`].
#[derive(Clone)]
pub(crate) enum QueryResult {
    Thought(Arc<EngineResult>),
    PrivatePlace(PersonId, Result<PlaceId, SendError>),
    Member(PersonId, Option<PlaceId>),
    IsAdmin(PersonId, PlaceId, bool),
}

/// The result of thinking about a position.
pub(crate) struct EngineResult {
    pub(crate) table: TableId,
    pub(crate) position: u64,
    /// `None` if too much waits already, or the player panicked.
    pub(crate) thought: Option<Thought<String>>,
    /// Keeps other hints for this person from starting until the answer is given.
    _waiting: HintGuard,
}

/// The answers to the questions of an update.
#[derive(Clone, Default)]
pub(crate) struct QueryResults(Vec<QueryResult>);

impl QueryResults {
    /// Whether this is the first attempt.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn engine_result(&self) -> Option<&EngineResult> {
        self.0.iter().find_map(|it| match it {
            QueryResult::Thought(it) => Some(&**it),
            _ => None,
        })
    }

    pub(crate) fn private_place(&self, account: &PersonId) -> Option<&Result<PlaceId, SendError>> {
        self.0.iter().find_map(|it| match it {
            QueryResult::PrivatePlace(of, found) if of == account => Some(found),
            _ => None,
        })
    }

    pub(crate) fn member_place(&self, account: &PersonId) -> Option<&Option<PlaceId>> {
        self.0.iter().find_map(|it| match it {
            QueryResult::Member(of, found) if of == account => Some(found),
            _ => None,
        })
    }

    pub(crate) fn is_admin(&self, account: &PersonId, place: &PlaceId) -> Option<bool> {
        self.0.iter().find_map(|it| match it {
            QueryResult::IsAdmin(of, at, found) if of == account && at == place => Some(*found),
            _ => None,
        })
    }
}

impl RequestContext<'_> {
    /// Ends this attempt: the update is handled again once the question is answered.
    pub(crate) fn suspend_for_query(&mut self, question: ExternalQuery) -> HandlerResult {
        self.pending_query = Some(question);
        Ok(Vec::new())
    }
}

impl Handlers {
    /// The rest of an answer: answers the question and handles the update from the start.
    pub(crate) fn resume_after_query(
        self: Arc<Self>,
        update: Update,
        findings: QueryResults,
        question: ExternalQuery,
    ) -> DeferredOutcome {
        DeferredOutcome::new(async move {
            let QueryResults(mut found) = findings;
            found.push(self.run_query(question).await);
            self.answer_with_results(&update, QueryResults(found)).await
        })
    }

    async fn run_query(&self, question: ExternalQuery) -> QueryResult {
        match question {
            ExternalQuery::Thought(wanted) => {
                QueryResult::Thought(Arc::new(self.run_engine_query(*wanted).await))
            }
            ExternalQuery::PrivatePlace(account) => {
                let place = self.delivery.private_place(&account).await;
                QueryResult::PrivatePlace(account, place)
            }
            ExternalQuery::Member(account, places) => {
                let found = self.find_membership(&places, &account).await;
                QueryResult::Member(account, found)
            }
            ExternalQuery::IsAdmin(account, place) => {
                let found = self.delivery.is_admin(&place, &account).await;
                QueryResult::IsAdmin(account, place, found)
            }
        }
    }

    async fn run_engine_query(&self, wanted: EngineQuery) -> EngineResult {
        let EngineQuery { place, table, position, game, engine_request: asked, guard: waiting } =
            wanted;
        let think = move |players: &mut EngineCache, budget: &ThinkBudget<'_>| {
            // The same position gives the same hint.
            let mut numbers = SeededRng::new(position);
            players.engine(game, ComputerLevel::Master)?.think(
                &asked,
                budget,
                &mut numbers,
                &mut |_| {},
            )
        };
        let stop = Arc::new(AtomicBool::new(false));
        let thought = self.workers.run_engine(&place, ThinkPriority::Move, stop, think).await;
        let thought = thought.ok().flatten();
        EngineResult { table, position, thought, _waiting: waiting }
    }

    /// The first of these places of which an account is a member, by its platform.
    pub(crate) async fn find_membership(
        &self,
        places: &[PlaceId],
        account: &PersonId,
    ) -> Option<PlaceId> {
        for place in places {
            if self.delivery.is_member(place, account).await {
                return Some(place.clone());
            }
        }
        None
    }
}
