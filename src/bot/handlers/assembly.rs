//! Assembles the handlers: creates each part with its dependencies.

use std::sync::Arc;

use super::Handlers;
use super::account_linking::AccountLinker;
use super::block_list::BlockListHandler;
use super::client_queries::ClientQueryHandler;
use super::confirmation::MoveConfirmations;
use super::deleted_boards::DeletedBoards;
use super::external_query::QueryRunner;
use super::guests::{GuestSessions, GuestTables, PageLinks};
use super::help::HelpPages;
use super::hint::HintHandler;
use super::inline_challenges::InlineChallenges;
use super::membership::MembershipRecorder;
use super::mention_resolver::MentionResolver;
use super::name_hider::NameHider;
use super::notify_me::GameSubscriptions;
use super::open_table::TableOpener;
use super::private_hand::PrivateHands;
use super::refusal_replies::RefusalReplies;
use super::rematch::RematchOpener;
use super::replay_requests::ReplayRequests;
use super::request_checks::RequestChecker;
use super::request_limiter::RequestLimiter;
use super::reserved_tables::ReservedTables;
use super::resolve_table::TableResolver;
use super::settings::SettingsHandler;
use super::stored_reply_renderer::StoredReplyRenderer;
use super::suggestions::ArgumentSuggester;
use super::table_limits::TableLimits;
use super::table_locations::TableLocations;
use super::table_requests::CommandRunner;
use super::update_committer::UpdateCommitter;
use super::vacation::VacationPlanner;
use crate::admin::{OperatorCommands, OperatorSettings};
use crate::delivery::{Delivery, MessageRenderer};
use crate::repository::Repository;
use crate::workers::Workers;

/// The share of requests that may be about a table of another chat: one in this number.
const FOREIGN_TABLE_SHARE: u32 = 24;

/// How often a minute buttons move the board of one table; half of it may come at once.
const BOARD_MOVES_PER_MINUTE: u32 = 6;

/// The parts that open tables and run commands there; other parts depend on them.
struct TableParts {
    reserved_tables: Arc<ReservedTables>,
    limits: Arc<TableLimits>,
    mentions: Arc<MentionResolver>,
    subscriptions: Arc<GameSubscriptions>,
    page_links: Arc<PageLinks>,
    hands: Arc<PrivateHands>,
    refusals: Arc<RefusalReplies>,
    command_runner: Arc<CommandRunner>,
    opener: Arc<TableOpener>,
}

impl TableParts {
    /// Creates the parts with these dependencies.
    fn new(
        repository: &Arc<Repository>,
        delivery: &Arc<Delivery>,
        committer: &Arc<UpdateCommitter>,
    ) -> Self {
        let reserved_tables = Arc::new(ReservedTables::new(repository.clone()));
        let limits = Arc::new(TableLimits::new(repository.clone()));
        let mentions = Arc::new(MentionResolver::new(repository.clone(), delivery.clone()));
        let subscriptions = Arc::new(GameSubscriptions::new(repository.clone()));
        let page_links = Arc::new(PageLinks::new(repository.clone(), delivery.clone()));
        let hands =
            Arc::new(PrivateHands::new(delivery.clone(), committer.clone(), page_links.clone()));
        let refusals = Arc::new(RefusalReplies::new(
            repository.clone(),
            delivery.clone(),
            committer.clone(),
            hands.clone(),
        ));
        let command_runner = Arc::new(CommandRunner::new(
            repository.clone(),
            committer.clone(),
            reserved_tables.clone(),
            limits.clone(),
            hands.clone(),
            RematchOpener::new(repository.clone(), committer.clone(), reserved_tables.clone()),
            refusals.clone(),
        ));
        let opener = Arc::new(TableOpener::new(
            repository.clone(),
            delivery.clone(),
            committer.clone(),
            reserved_tables.clone(),
            limits.clone(),
            mentions.clone(),
            subscriptions.clone(),
        ));
        Self {
            reserved_tables,
            limits,
            mentions,
            subscriptions,
            page_links,
            hands,
            refusals,
            command_runner,
            opener,
        }
    }

    /// The part for challenges.
    fn challenges(
        &self,
        repository: &Arc<Repository>,
        message_renderer: &Arc<MessageRenderer>,
        request_limiter: &Arc<RequestLimiter>,
    ) -> InlineChallenges {
        InlineChallenges::new(
            repository.clone(),
            message_renderer.clone(),
            request_limiter.clone(),
            self.reserved_tables.clone(),
            self.limits.clone(),
            self.opener.clone(),
            self.command_runner.clone(),
        )
    }

    /// The part for the people whom a person has blocked.
    fn block_lists(
        &self,
        repository: &Arc<Repository>,
        delivery: &Arc<Delivery>,
        committer: &Arc<UpdateCommitter>,
    ) -> BlockListHandler {
        BlockListHandler::new(
            repository.clone(),
            delivery.clone(),
            committer.clone(),
            self.mentions.clone(),
        )
    }

    /// The part for hints.
    fn hints(&self, repository: &Arc<Repository>, committer: &Arc<UpdateCommitter>) -> HintHandler {
        HintHandler::new(
            repository.clone(),
            committer.clone(),
            self.command_runner.clone(),
            self.refusals.clone(),
        )
    }

    /// The part that shows tables elsewhere.
    fn locations(&self, delivery: &Arc<Delivery>) -> TableLocations {
        TableLocations::new(delivery.clone(), self.limits.clone(), self.command_runner.clone())
    }
}

impl Handlers {
    /// Creates handlers with these dependencies.
    pub fn new(
        repository: Arc<Repository>,
        workers: Arc<Workers>,
        delivery: Arc<Delivery>,
        message_renderer: Arc<MessageRenderer>,
        contact: Option<String>,
        operator_settings: OperatorSettings,
    ) -> Arc<Self> {
        let per_minute = repository.limits().requests_per_minute;
        let limiter = |it| Arc::new(RequestLimiter::new(it, repository.time_source().clone()));
        let request_limiter = limiter(per_minute);
        let code_limiter = limiter(per_minute / FOREIGN_TABLE_SHARE);
        let board_limiter = limiter(per_minute.min(BOARD_MOVES_PER_MINUTE));
        let committer = Arc::new(UpdateCommitter::new(repository.clone()));
        let tables = TableParts::new(&repository, &delivery, &committer);
        let client_queries = Arc::new(ClientQueryHandler::new(
            repository.clone(),
            delivery.clone(),
            message_renderer.clone(),
        ));
        let vacations = VacationPlanner::new(repository.clone(), committer.clone());
        Arc::new(Handlers {
            membership: MembershipRecorder::new(
                repository.clone(),
                committer.clone(),
                delivery.clone(),
            ),
            membership_retries: Default::default(),
            request_checker: RequestChecker::new(
                repository.clone(),
                delivery.clone(),
                committer.clone(),
                request_limiter.clone(),
            ),
            resolver: TableResolver::new(repository.clone()),
            queries: QueryRunner::new(workers.clone(), delivery.clone()),
            deleted_boards: DeletedBoards::new(repository.clone(), delivery.clone()),
            confirmations: MoveConfirmations::new(repository.clone()),
            block_lists: tables.block_lists(&repository, &delivery, &committer),
            hints: tables.hints(&repository, &committer),
            locations: tables.locations(&delivery),
            replays: ReplayRequests::new(repository.clone(), workers, committer.clone()),
            challenges: tables.challenges(&repository, &message_renderer, &request_limiter),
            help: HelpPages::new(repository.clone(), delivery.clone(), committer.clone()),
            linker: AccountLinker::new(repository.clone(), committer.clone(), code_limiter.clone()),
            name_hider: NameHider::new(repository.clone(), tables.mentions.clone()),
            settings: SettingsHandler::new(repository.clone(), vacations),
            suggester: ArgumentSuggester::new(repository.clone(), message_renderer.clone()),
            guest_sessions: GuestSessions::new(repository.clone(), delivery.clone()),
            guest_tables: GuestTables::new(
                repository.clone(),
                delivery.clone(),
                client_queries.clone(),
            ),
            stored_replies: StoredReplyRenderer::new(
                repository.clone(),
                delivery.clone(),
                message_renderer.clone(),
            ),
            client_queries,
            operator_commands: OperatorCommands::new(repository.clone(), operator_settings),
            command_runner: tables.command_runner,
            hands: tables.hands,
            mentions: tables.mentions,
            opener: tables.opener,
            page_links: tables.page_links,
            refusals: tables.refusals,
            subscriptions: tables.subscriptions,
            unsaved_log_throttle: Default::default(),
            code_limiter,
            board_limiter,
            committer,
            repository,
            delivery,
            message_renderer,
            contact,
        })
    }
}
