//! Runs queries to engines and platforms that an answer depends on.
//!
//! During a query no table is locked, and other updates of the chat do not wait. An attempt that
//! needs a result ends with an [`ExternalQuery`]. The update is then handled from the start with
//! the [`QueryResults`], and everything else is read again.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::Handlers;
use super::context::RequestContext;
use super::hint::HintGuard;
use super::request_error::RequestError;
use crate::delivery::Delivery;
use crate::workers::{EngineCache, ThinkPriority, Workers};
use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind, TableId};
use caravanserai_games::search::{ComputerLevel, PlayerEvaluation, SeededRng, ThinkBudget};
use caravanserai_games::{EngineQuestion, GameId};
use caravanserai_protocol::{DeferredOutcome, SendError, Update};

/// A query that must be answered before an update can be handled.
pub(crate) enum ExternalQuery {
    /// The move that the strongest engine would play.
    Engine(Box<EngineQuery>),
    /// The private chat of this account.
    PrivatePlace(PersonId),
    /// The first of these chats that this account is a member of.
    Member(PersonId, Vec<PlaceId>),
    /// Whether this account is an admin of this chat.
    IsAdmin(PersonId, PlaceId),
}

/// A position for an engine.
pub(crate) struct EngineQuery {
    /// The chat where it is played; chats take turns in the engine queue.
    pub(crate) place: PlaceId,
    pub(crate) table: TableId,
    pub(crate) position: u64,
    pub(crate) game: GameId,
    pub(crate) engine_request: EngineQuestion,
    pub(crate) guard: HintGuard,
}

/// The result of an [`ExternalQuery`].
#[derive(Clone)]
pub(crate) enum QueryResult {
    Engine(Arc<EngineResult>),
    PrivatePlace(PersonId, Result<PlaceId, SendError>),
    Member(PersonId, Option<PlaceId>),
    IsAdmin(PersonId, PlaceId, bool),
}

/// The result of an engine for a position.
pub(crate) struct EngineResult {
    pub(crate) table: TableId,
    pub(crate) position: u64,
    /// `None` if the queue is full or the engine panicked.
    pub(crate) evaluation: Option<PlayerEvaluation<String>>,
    /// Prevents other hints for this person until the answer is given.
    _waiting: HintGuard,
}

/// The results of the queries of an update.
#[derive(Clone, Default)]
pub(crate) struct QueryResults(Vec<QueryResult>);

impl QueryResults {
    /// Whether this is the first attempt.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn engine_result(&self) -> Option<&EngineResult> {
        self.0.iter().find_map(|it| match it {
            QueryResult::Engine(it) => Some(&**it),
            _ => None,
        })
    }

    pub(crate) fn private_place(&self, account: &PersonId) -> Option<&Result<PlaceId, SendError>> {
        self.0.iter().find_map(|it| match it {
            QueryResult::PrivatePlace(owner, found) if owner == account => Some(found),
            _ => None,
        })
    }

    pub(crate) fn member_place(&self, account: &PersonId) -> Option<&Option<PlaceId>> {
        self.0.iter().find_map(|it| match it {
            QueryResult::Member(owner, found) if owner == account => Some(found),
            _ => None,
        })
    }

    pub(crate) fn is_admin(&self, account: &PersonId, place: &PlaceId) -> Option<bool> {
        self.0.iter().find_map(|it| match it {
            QueryResult::IsAdmin(owner, chat, found) if owner == account && chat == place => {
                Some(*found)
            }
            _ => None,
        })
    }
}

impl RequestContext<'_> {
    /// The chat, without its topic, whose games against another person the answer may show: this
    /// group; in a private chat the one that a button names, if the account is a member of it.
    /// `None` if there is no such chat.
    ///
    /// # Errors
    /// The query that must run first.
    pub(crate) fn chat_of_shared_games(
        &self,
        named: Option<&str>,
    ) -> Result<Option<String>, ExternalQuery> {
        let here = &self.update.chat;
        if here.kind == PlaceKind::Group {
            return Ok(Some(here.id.chat().to_owned()));
        }
        let named = named.map(|it| PlaceId(it.to_owned()));
        let Some(place) = named.filter(|it| it.platform() == self.account.platform()) else {
            return Ok(None);
        };
        match self.query_results.member_place(&self.account) {
            Some(found) => Ok(found.as_ref().map(|it| it.chat().to_owned())),
            None => Err(ExternalQuery::Member(self.account.clone(), vec![place])),
        }
    }

    /// Ends this attempt: the update is handled again when the query has a result.
    pub(crate) fn suspend_for_query(&mut self, query: ExternalQuery) -> RequestError {
        self.pending_query = Some(query);
        RequestError::Refused(Vec::new())
    }
}

impl Handlers {
    /// Runs the query and handles the update from the start.
    pub(crate) fn resume_after_query(
        self: Arc<Self>,
        update: Update,
        results: QueryResults,
        query: ExternalQuery,
    ) -> DeferredOutcome {
        DeferredOutcome::new(async move {
            let QueryResults(mut results) = results;
            results.push(self.queries.run_query(query).await);
            self.answer_with_results(&update, QueryResults(results)).await
        })
    }
}

/// Runs queries to engines and platforms.
pub(crate) struct QueryRunner {
    workers: Arc<Workers>,
    delivery: Arc<Delivery>,
}

impl QueryRunner {
    pub(crate) fn new(workers: Arc<Workers>, delivery: Arc<Delivery>) -> Self {
        Self { workers, delivery }
    }

    /// Runs a query and returns its result.
    pub(crate) async fn run_query(&self, query: ExternalQuery) -> QueryResult {
        match query {
            ExternalQuery::Engine(wanted) => {
                QueryResult::Engine(Arc::new(self.run_engine_query(*wanted).await))
            }
            ExternalQuery::PrivatePlace(account) => {
                let place = self.delivery.private_place(&account).await;
                QueryResult::PrivatePlace(account, place)
            }
            ExternalQuery::Member(account, places) => {
                let found = find_membership(&self.delivery, &places, &account).await;
                QueryResult::Member(account, found)
            }
            ExternalQuery::IsAdmin(account, place) => {
                let found = self.delivery.is_admin(&place, &account).await;
                QueryResult::IsAdmin(account, place, found)
            }
        }
    }

    async fn run_engine_query(&self, wanted: EngineQuery) -> EngineResult {
        let EngineQuery {
            place,
            table,
            position,
            game,
            engine_request: question,
            guard: hint_guard,
        } = wanted;
        let think = move |engines: &mut EngineCache, budget: &ThinkBudget<'_>| {
            // The seed makes the hint the same for the same position.
            let mut random = SeededRng::new(position);
            engines.engine(game, ComputerLevel::Master)?.think(
                &question,
                budget,
                &mut random,
                &mut |_| {},
            )
        };
        let stop = Arc::new(AtomicBool::new(false));
        let evaluated = self.workers.run_engine(&place, ThinkPriority::Move, stop, think).await;
        let evaluation = evaluated.ok().flatten();
        EngineResult { table, position, evaluation, _waiting: hint_guard }
    }
}

/// The first of these chats that an account is a member of, according to the platform.
pub(crate) async fn find_membership(
    delivery: &Delivery,
    places: &[PlaceId],
    account: &PersonId,
) -> Option<PlaceId> {
    for place in places {
        if delivery.is_member(place, account).await {
            return Some(place.clone());
        }
    }
    None
}
