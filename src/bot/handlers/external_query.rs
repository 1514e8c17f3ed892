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
use caravanserai_games::ids::{ChatId, ChatKind, PersonId, TableId};
use caravanserai_games::search::{ComputerLevel, PlayerEvaluation, SeededRng, ThinkBudget};
use caravanserai_games::{EngineQuestion, GameId};
use caravanserai_protocol::{DeferredOutcome, SendError, Update};

/// A query that must be answered before an update can be handled.
pub(crate) enum ExternalQuery {
    /// The move that the strongest engine would play.
    Engine(Box<EngineQuery>),
    /// The private chat of this account.
    PrivateChatId(PersonId),
    /// The first of these chats that this account is a member of.
    Member(PersonId, Vec<ChatId>),
    /// Whether this account is an admin of this chat.
    IsAdmin(PersonId, ChatId),
}

/// A position for an engine.
pub(crate) struct EngineQuery {
    /// The chat where it is played; chats take turns in the engine queue.
    pub(crate) chat: ChatId,
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
    PrivateChatId(PersonId, Result<ChatId, SendError>),
    Member(PersonId, Option<ChatId>),
    IsAdmin(PersonId, ChatId, bool),
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

    pub(crate) fn private_chat_id(&self, account: &PersonId) -> Option<&Result<ChatId, SendError>> {
        self.0.iter().find_map(|it| match it {
            QueryResult::PrivateChatId(owner, found) if owner == account => Some(found),
            _ => None,
        })
    }

    pub(crate) fn member_chat(&self, account: &PersonId) -> Option<&Option<ChatId>> {
        self.0.iter().find_map(|it| match it {
            QueryResult::Member(owner, found) if owner == account => Some(found),
            _ => None,
        })
    }

    pub(crate) fn is_admin(&self, account: &PersonId, chat_id: &ChatId) -> Option<bool> {
        self.0.iter().find_map(|it| match it {
            QueryResult::IsAdmin(owner, chat, found) if owner == account && chat == chat_id => {
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
        if here.kind == ChatKind::Group {
            return Ok(Some(here.id.without_topic().to_owned()));
        }
        let named = named.map(|it| ChatId(it.to_owned()));
        let Some(chat) = named.filter(|it| it.platform() == self.account.platform()) else {
            return Ok(None);
        };
        match self.query_results.member_chat(&self.account) {
            Some(found) => Ok(found.as_ref().map(|it| it.without_topic().to_owned())),
            None => Err(ExternalQuery::Member(self.account.clone(), vec![chat])),
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
            ExternalQuery::PrivateChatId(account) => {
                let chat = self.delivery.private_chat_id(&account).await;
                QueryResult::PrivateChatId(account, chat)
            }
            ExternalQuery::Member(account, chats) => {
                let found = find_membership(&self.delivery, &chats, &account).await;
                QueryResult::Member(account, found)
            }
            ExternalQuery::IsAdmin(account, chat) => {
                let found = self.delivery.is_admin(&chat, &account).await;
                QueryResult::IsAdmin(account, chat, found)
            }
        }
    }

    async fn run_engine_query(&self, wanted: EngineQuery) -> EngineResult {
        let EngineQuery {
            chat,
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
        let evaluated = self.workers.run_engine(&chat, ThinkPriority::Move, stop, think).await;
        let evaluation = evaluated.ok().flatten();
        EngineResult { table, position, evaluation, _waiting: hint_guard }
    }
}

/// The first of these chats that an account is a member of, according to the platform.
pub(crate) async fn find_membership(
    delivery: &Delivery,
    chats: &[ChatId],
    account: &PersonId,
) -> Option<ChatId> {
    for chat in chats {
        if delivery.is_member(chat, account).await {
            return Some(chat.clone());
        }
    }
    None
}
