//! Assembles the bot from its modules, and gives platforms one entry point.
//!
//! A press arrives at [`UpdateHandler::handle`] and goes to the [`handlers`](crate::handlers). They
//! ask the pure core for a decision and write it to the [`repository`](crate::repository). Once it
//! is durable, the [`delivery`](crate::delivery) shows it, the [`workers`](crate::workers) compute
//! the moves of computers, and the [`scheduler`](crate::scheduler) processes its deadlines. This
//! module must not know any particular platform.

use std::sync::Arc;

use async_trait::async_trait;

use crate::admin::{AdminActor, AdminReply, OperatorSettings, parse_admin_command};
use crate::delivery::account_stores::AccountStoreOpener;
use crate::delivery::{Delivery, MessageRenderer};
use crate::handlers::{Handlers, RequestError};
use crate::parsing::request_parser;
use crate::repository::background_tasks::BackgroundTasks;
use crate::repository::quarantine::catch_panic;
use crate::repository::{ChangeListener, ChangedTable, DeletedAccount, Failure, Repository};
use crate::results::private_warnings::PrivateWarnings;
use crate::results::projector::ResultProjector;
use crate::scheduler::{PeriodicWorkers, Scheduler};
use crate::workers::{BoardTiming, Workers};
use caravanserai_games::ids::{ChatId, ChatKind, MessageId, PersonId, TableId};
use caravanserai_i18n::I18n;
use caravanserai_protocol::guest_service::{
    AuthError, Guest, GuestService, SignInOutcome, SignInProof,
};
use caravanserai_protocol::view::View;
use caravanserai_protocol::{
    Ack, AdapterMessageTask, AnalysisBoard, AnalysisQuery, AnalysisRefusal, ArgumentSuggestion,
    ArgumentSuggestions, Arrival, Attachment, Chat, ChatReports, ClientQueries, DeliveryReports,
    EphemeralReply, FinishedGames, FinishedGamesQuery, HandPriority, HandleOutcome, InlineQueries,
    InlineResult, Leaderboard, LeaderboardQuery, OwnSettings, OwnTables, Person, PersonStatistics,
    PictureLayout, Platform, PositionEvaluation, ReplyRenderer, StateQuery, TableStateView,
    Unavailable, Update, UpdateHandler, UpdateKind, ViewerPage, ViewerPageState,
};
use caravanserai_render::Renderer;
use caravanserai_store::Store;

pub use crate::repository::{BotLimits, DAY_MS, Randomness, SystemClock, TimeSource};

/// How long an update is handled before the first check whether the store replies, in milliseconds.
const STORE_CHECK_AFTER_MS: u64 = 1_500;
/// The time between later checks, in milliseconds.
const STORE_CHECK_INTERVAL_MS: u64 = 250;
/// How long a store has not answered when it counts as silent, in milliseconds.
const STORE_SILENT_AFTER_MS: u64 = 1_000;

/// The bot, shared by all platforms. Cheap to clone.
#[derive(Clone)]
pub struct Service {
    inner: Arc<dyn ModuleAccess>,
}

/// Gives access to the modules without their types: otherwise the compiler would prove again for
/// each async function with a service that all modules are `Send` and `Sync`.
trait ModuleAccess: Send + Sync {
    fn modules(&self) -> &ServiceInner;
}

impl ModuleAccess for ServiceInner {
    fn modules(&self) -> &ServiceInner {
        self
    }
}

/// The modules of the bot, and the values that they share.
struct ServiceInner {
    repository: Arc<Repository>,
    handlers: Arc<Handlers>,
    delivery: Arc<Delivery>,
    message_renderer: Arc<MessageRenderer>,
    workers: Arc<Workers>,
    scheduler: Arc<Scheduler>,
    projector: Arc<ResultProjector>,
    private_warnings: Arc<PrivateWarnings>,
    periodic: PeriodicWorkers,
    tasks: BackgroundTasks,
}

/// The dependencies of a service.
pub struct ServiceDeps {
    /// The store of all data.
    pub store: Arc<dyn Store>,
    /// The texts of all languages.
    pub i18n: Arc<I18n>,
    /// Renders pictures.
    pub renderer: Arc<Renderer>,
    /// The source of the current time.
    pub clock: Arc<dyn TimeSource>,
    /// The source of random bytes.
    pub randomness: Randomness,
    /// The limits and retention times.
    pub limits: BotLimits,
    /// Where players reach the person who runs the bot: an address, a link or a name.
    pub contact: Option<String>,
    /// The operators, and what the bot shows them about the store.
    pub operator_settings: OperatorSettings,
}

impl Service {
    fn modules(&self) -> &ServiceInner {
        self.inner.modules()
    }

    /// Creates a service without platforms.
    pub fn new(parts: ServiceDeps) -> Self {
        let ServiceDeps {
            store,
            i18n,
            renderer,
            clock,
            randomness,
            limits,
            contact,
            operator_settings,
        } = parts;
        let tasks = BackgroundTasks::new();
        let repository = Arc::new(Repository::new(store, clock, randomness, limits));
        let workers =
            Workers::new(repository.clone(), i18n.clone(), renderer.clone(), tasks.clone());
        let message_renderer =
            MessageRenderer::new(repository.clone(), workers.clone(), i18n, renderer);
        let delivery = Delivery::new(
            repository.clone(),
            workers.clone(),
            message_renderer.clone(),
            tasks.clone(),
        );
        let projector = Arc::new(ResultProjector::new(repository.clone()));
        let private_warnings =
            PrivateWarnings::new(repository.clone(), delivery.clone(), projector.clone());
        let periodic = PeriodicWorkers::new(&repository, &delivery, &projector);
        let scheduler = Scheduler::new(
            repository.clone(),
            workers.clone(),
            delivery.clone(),
            projector.clone(),
            periodic.clone(),
            tasks.clone(),
        );
        let handlers = Handlers::new(
            repository.clone(),
            workers.clone(),
            delivery.clone(),
            message_renderer.clone(),
            contact,
            operator_settings,
        );
        let inner = Arc::new(ServiceInner {
            repository,
            handlers,
            delivery,
            message_renderer,
            workers,
            scheduler,
            projector,
            private_warnings: Arc::new(private_warnings),
            periodic,
            tasks,
        });
        let listener: Arc<dyn ChangeListener> = inner.clone();
        inner.repository.subscribe(Arc::downgrade(&listener));
        Service { inner }
    }

    /// Makes people of this platform guests as long as they have no history, also while the
    /// platform is not added, or runs in another process only.
    pub fn add_guest_platform(&self, name: &str) {
        self.modules().repository.add_guest_platform(name);
    }

    /// Lets the data that a platform stores itself be exported and deleted while the platform is
    /// not added: people may delete an account there at any time.
    pub fn add_account_store(&self, platform: &'static str, open: AccountStoreOpener) {
        self.modules().message_renderer.add_account_store(platform, open);
    }

    /// Adds a platform that messages can be sent to.
    pub fn add_platform(&self, platform: Arc<dyn Platform>) {
        if platform.capabilities().has_guests {
            self.add_guest_platform(platform.name());
        }
        self.modules().delivery.add_platform(platform);
    }

    /// Resumes the work of an earlier run: unsent messages and deadlines. Call it once, after the
    /// platforms were added.
    ///
    /// # Errors
    /// With a message when the store cannot be read.
    pub async fn start(&self) -> anyhow::Result<()> {
        let ServiceInner { delivery, scheduler, .. } = self.modules();
        scheduler.refund_initial_downtime().await;
        self.start_services();
        Ok(delivery.resume_sending("").await?)
    }

    /// Starts the services that run until the bot stops. After a panic they start again.
    fn start_services(&self) {
        let ServiceInner {
            repository,
            handlers,
            delivery,
            scheduler,
            projector,
            private_warnings,
            periodic,
            tasks,
            ..
        } = self.modules();
        let clock = repository.time_source();
        tasks.supervise_until_stop("membership retries", clock, handlers, |it| async move {
            it.retry_waiting_updates().await;
        });
        tasks.supervise_service("notices of other processes", clock, delivery, |it| async move {
            it.watch_store_changes().await;
        });
        tasks.supervise_service("scheduler", clock, scheduler, |it| async move { it.run().await });
        tasks.supervise_service("notices of waiting updates", clock, scheduler, |it| async move {
            it.announce_pending_updates().await;
        });
        tasks.supervise_until_stop("ratings", clock, projector, |it| async move {
            it.run().await;
        });
        let warnings = "warnings of the abuse checks";
        tasks.supervise_until_stop(warnings, clock, private_warnings, |it| async move {
            it.run().await;
        });
        periodic.start(tasks, clock);
    }

    /// Resumes sending, for a platform that was added after the start.
    ///
    /// # Errors
    /// With a message when the store cannot be read.
    pub async fn resume(&self) -> anyhow::Result<()> {
        Ok(self.modules().delivery.resume_sending("").await?)
    }

    /// The accounts whose deletion has begun in the last 90 days, for a list outside of the store.
    ///
    /// # Errors
    /// With a message when the store fails.
    pub async fn deleted_accounts(&self) -> anyhow::Result<Vec<DeletedAccount>> {
        Ok(self.modules().repository.deleted_accounts().await?)
    }

    /// Runs the words of an operator at the command line of this machine, as those behind `/admin`
    /// in a private chat.
    ///
    /// # Errors
    /// In one sentence, when the words are no command or the command fails.
    pub async fn run_admin_words(
        &self,
        words: &str,
        actor: AdminActor,
    ) -> Result<AdminReply, String> {
        let ServiceInner { handlers, tasks, .. } = self.modules();
        if tasks.is_stopping() {
            return Err("the bot is stopping; try again when it has ended or started".to_owned());
        }
        let command = parse_admin_command(words)?;
        let handlers = handlers.clone();
        let running = async move { catch_panic(handlers.answer_operator(command, &actor)).await };
        let why = match self.run_unless_store_silent(running).await {
            Some(Some(Ok(reply))) => return Ok(reply),
            Some(Some(Err(failure))) => failure.to_string(),
            Some(None) => "the command failed because of a bug; the log of the bot has it".into(),
            None => "the store does not answer; the command may take effect later, `admin log` \
                     shows whether it has"
                .into(),
        };
        tracing::warn!(why, "failed to run an admin command");
        Err(why)
    }

    /// Finishes messages that are being sent and closes the store. New updates get a reply but have
    /// no effect.
    ///
    /// # Errors
    /// With a message when the store cannot be closed.
    pub async fn stop(&self) -> anyhow::Result<()> {
        self.modules().tasks.stop();
        self.modules().tasks.wait_until_finished().await;
        self.modules().delivery.release_leases().await;
        self.modules().repository.store().close().await?;
        Ok(())
    }

    /// Waits until nothing is left to send, as far as this process knows. For tests.
    #[doc(hidden)]
    pub async fn wait_until_idle(&self) {
        self.modules().tasks.wait_until_idle().await;
    }

    /// The number of running tasks, including those that wait for their turn to send. For tests.
    #[doc(hidden)]
    pub fn running_task_count(&self) -> usize {
        self.modules().tasks.count()
    }

    /// Ends as if the process were killed, and releases its leases as their expiry would. For
    /// tests.
    #[doc(hidden)]
    pub async fn kill_for_test(&self) {
        self.modules().tasks.stop();
        self.modules().delivery.release_leases().await;
    }

    /// The workers. For tests.
    #[cfg(test)]
    pub(crate) fn workers(&self) -> &Workers {
        &self.modules().workers
    }
}

impl ChangeListener for ServiceInner {
    fn handle_table_change(&self, changed: ChangedTable) {
        let ChangedTable { table, computer_thinks, board_waits } = changed;
        let can_follow = self.delivery.can_follow_turns(&table);
        let timing = self.workers.start_thinking(&table, can_follow);
        if timing == BoardTiming::Now || !computer_thinks || !board_waits {
            table.chats.ids().for_each(|chat| self.delivery.wake_senders(chat));
        }
        self.scheduler.notify();
        if !table.is_open() {
            self.projector.notify();
        }
        if table.is_over() && table.game_id().judges_play() {
            self.workers.start_judging();
        }
    }

    fn schedule_send(&self, chat: &ChatId) {
        self.delivery.wake_senders(chat);
    }

    fn schedule_chat_send(&self, chat: &str) {
        self.delivery.resume_chat(chat);
    }
}

impl Service {
    /// Handles an update and measures how long that takes. If the bot stops or the store does not
    /// reply, the reply says so.
    async fn answer_with_timeout(
        &self,
        update: &Update,
        handling: impl Future<Output = HandleOutcome> + Send + 'static,
    ) -> HandleOutcome {
        let ServiceInner { repository, handlers, tasks, .. } = self.modules();
        let platform = update.chat.id.platform().to_owned();
        metrics::counter!("caravanserai_updates_total", "platform" => platform).increment(1);
        if tasks.is_stopping() {
            return handlers.refuse_while_stopping(update).await;
        }
        let started_ms = repository.time_source().monotonic_ms();
        let outcome = match self.run_unless_store_silent(handling).await {
            Some(outcome) => outcome,
            None => handlers.refuse_unsaved(update).await,
        };
        let took_ms = repository.time_source().monotonic_ms().saturating_sub(started_ms);
        metrics::histogram!("caravanserai_update_handling_seconds").record(took_ms as f64 / 1000.0);
        outcome
    }

    /// Handles an update of a platform that does not redeliver it, with the whole answer.
    async fn handle_once(&self, update: Update) -> HandleOutcome {
        let (handlers, update_copy) = (self.modules().handlers.clone(), update.clone());
        let handling = async move { handlers.answer_in_order(&update_copy).await };
        let outcome = self.answer_with_timeout(&update, handling).await;
        // The update is dropped early, because deadlines must not wait for the rest of the reply.
        drop(update);
        outcome.complete().await
    }

    /// Waits for a piece of work. Returns `None` if the store has not replied for a while: the work
    /// then continues in a separate task, because its writes may still succeed.
    async fn run_unless_store_silent<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let ServiceInner { repository, tasks, .. } = self.modules();
        let (mut work, mut check_ms) = (Box::pin(work), STORE_CHECK_AFTER_MS);
        loop {
            tokio::select! {
                biased;
                result = &mut work => return Some(result),
                () = repository.time_source().sleep_ms(check_ms) => {
                    check_ms = STORE_CHECK_INTERVAL_MS;
                }
            }
            if repository.store_silent_ms() >= STORE_SILENT_AFTER_MS {
                tasks.spawn(async move {
                    work.await;
                });
                return None;
            }
        }
    }
}

#[async_trait]
impl UpdateHandler for Service {
    async fn handle(&self, update: Update) -> Vec<EphemeralReply> {
        self.handle_once(update).await.replies
    }

    async fn handle_report(&self, update: Update) -> Ack {
        self.handle_once(update).await.ack
    }

    async fn handle_deferrable(&self, update: Update) -> HandleOutcome {
        let (handlers, update_copy) = (self.modules().handlers.clone(), update.clone());
        self.answer_with_timeout(&update, async move { handlers.answer(&update_copy).await }).await
    }

    fn record_arrival(&self) -> Arrival {
        let repository = &self.modules().repository;
        repository.pending_updates().register(repository.time_source().monotonic_ms())
    }

    fn needs_admin(&self, kind: &UpdateKind, chat: ChatKind) -> bool {
        request_parser::needs_admin(kind, chat)
    }

    fn is_confidential(&self, text: &str) -> bool {
        request_parser::is_confidential(text)
    }

    fn argument_suggestions(&self) -> Option<&dyn ArgumentSuggestions> {
        Some(self)
    }

    fn inline_queries(&self) -> Option<&dyn InlineQueries> {
        Some(self)
    }

    fn reply_renderer(&self) -> Option<&dyn ReplyRenderer> {
        Some(self)
    }

    fn client_queries(&self) -> Option<&dyn ClientQueries> {
        Some(self)
    }

    fn guest_service(&self) -> Option<Arc<dyn GuestService>> {
        Some(Arc::new(self.clone()))
    }

    fn delivery_reports(&self) -> Option<&dyn DeliveryReports> {
        Some(self)
    }

    fn chat_reports(&self) -> Option<&dyn ChatReports> {
        Some(self)
    }
}

#[async_trait]
impl ArgumentSuggestions for Service {
    async fn suggest_arguments(
        &self,
        chat: &Chat,
        person: &Person,
        command: &str,
        typed: &str,
    ) -> Vec<ArgumentSuggestion> {
        let suggester = &self.modules().handlers.suggester;
        let found = suggester.suggestions(chat, person, command, typed).await;
        let found = log_failure_as_none("suggest arguments", found).unwrap_or_default();
        found.into_iter().map(|(label, value)| ArgumentSuggestion { label, value }).collect()
    }
}

#[async_trait]
impl InlineQueries for Service {
    async fn inline_results(&self, person: &Person, typed: &str) -> Vec<InlineResult> {
        let handlers = &self.modules().handlers;
        if log_failure_as_none("look for a ban", handlers.is_banned(person).await).unwrap_or(true) {
            return Vec::new();
        }
        let found = handlers.challenges.inline_results(person, typed).await;
        log_failure_as_none("answer an inline query", found).unwrap_or_default()
    }

    async fn mention_reply(&self, person: &Person, words: &str) -> Option<InlineResult> {
        let handlers = &self.modules().handlers;
        if log_failure_as_none("look for a ban", handlers.is_banned(person).await).unwrap_or(true) {
            return None;
        }
        let reply = handlers.challenges.mention_reply(person, words).await;
        log_failure_as_none("answer a mention", reply).flatten()
    }
}

#[async_trait]
impl ReplyRenderer for Service {
    async fn rerender(&self, chat: &Chat, person: &Person, view: View) -> Option<EphemeralReply> {
        self.modules().handlers.stored_replies.rerender_reply(chat, person, view).await
    }

    async fn render_brief(
        &self,
        chat: &Chat,
        person: &Person,
        view: View,
    ) -> Option<EphemeralReply> {
        self.modules().handlers.stored_replies.render_numbered_hand(chat, person, view).await
    }
}

#[async_trait]
impl ClientQueries for Service {
    async fn table_state(
        &self,
        chat: &Chat,
        person: &Person,
        table: &TableId,
        query: StateQuery,
    ) -> Result<Option<TableStateView>, Unavailable> {
        let state =
            self.modules().handlers.client_queries.table_state(chat, person, table, query).await;
        log_failure_as_unavailable("read a table", state)
    }

    async fn viewer_page(
        &self,
        chat: &Chat,
        person: &Person,
        page: ViewerPage,
        layout: PictureLayout,
    ) -> Result<Option<ViewerPageState>, Unavailable> {
        let states = &self.modules().handlers.client_queries;
        let shown = states.load_viewer_page(chat, person, page, layout).await;
        log_failure_as_unavailable("read a page", shown)
    }

    async fn analysis_board(
        &self,
        chat: &Chat,
        person: &Person,
        query: AnalysisQuery,
    ) -> Option<Result<AnalysisBoard, AnalysisRefusal>> {
        let board = self.modules().handlers.client_queries.analysis_board(chat, person, query);
        log_failure_as_none("show a position", separate_refusal(board.await))
    }

    async fn evaluate_position(
        &self,
        chat: &Chat,
        person: &Person,
        query: AnalysisQuery,
    ) -> Option<Result<PositionEvaluation, AnalysisRefusal>> {
        let found = self.modules().handlers.client_queries.evaluate_position(chat, person, query);
        log_failure_as_none("evaluate a position", separate_refusal(found.await))
    }

    async fn own_tables(&self, chat: &Chat, person: &Person) -> Option<OwnTables> {
        let found = self.modules().handlers.client_queries.own_tables(chat, person).await;
        log_failure_as_none("list the tables of a person", found)
    }

    async fn own_settings(&self, chat: &Chat, person: &Person) -> Option<OwnSettings> {
        let found = self.modules().handlers.client_queries.own_settings(chat, person).await;
        log_failure_as_none("read the settings of a person", found)
    }

    async fn finished_games(
        &self,
        chat: &Chat,
        person: &Person,
        query: FinishedGamesQuery,
    ) -> Option<FinishedGames> {
        let found =
            self.modules().handlers.client_queries.finished_games(chat, person, query).await;
        log_failure_as_none("read finished games", found)
    }

    async fn leaderboard(
        &self,
        chat: &Chat,
        person: &Person,
        query: LeaderboardQuery,
    ) -> Option<Leaderboard> {
        let found = self.modules().handlers.client_queries.leaderboard(chat, person, &query).await;
        log_failure_as_none("read a rating list", found)
    }

    async fn person_statistics(
        &self,
        chat: &Chat,
        person: &Person,
        of: &Person,
    ) -> Option<PersonStatistics> {
        let found =
            self.modules().handlers.client_queries.person_statistics(chat, person, of).await;
        log_failure_as_none("read statistics", found).flatten()
    }

    async fn game_record(&self, person: &Person, table: &TableId) -> Option<Attachment> {
        let found = self.modules().handlers.client_queries.game_record(person, table).await;
        log_failure_as_none("read a record", found).flatten()
    }

    fn sprite_sheet(&self, sheet: &str) -> Option<String> {
        self.modules().message_renderer.sprite_sheet(sheet)
    }
}

#[async_trait]
impl DeliveryReports for Service {
    fn record_call(&self, chat: &ChatId) {
        self.modules().delivery.record_call(chat);
    }

    fn apply_retry_after(&self, chat: &ChatId, wait_ms: u64) {
        self.modules().delivery.apply_retry_after(chat, wait_ms);
    }

    fn record_ephemeral_call(&self, chat: &ChatId) {
        self.modules().delivery.record_ephemeral_call(chat);
    }

    fn has_hand_budget(&self, chat: &ChatId, priority: HandPriority) -> bool {
        self.modules().delivery.has_hand_budget(chat, priority)
    }

    fn has_message_budget(&self, chat: &ChatId) -> bool {
        self.modules().delivery.has_message_budget(chat)
    }

    fn run_after_boards(&self, chat: &ChatId, task: AdapterMessageTask) {
        self.modules().delivery.run_after_boards(chat, task);
    }

    fn are_hands_limited(&self, chat: &ChatId) -> bool {
        self.modules().delivery.are_hands_limited(chat)
    }

    async fn capabilities_changed(&self, chat: &ChatId) {
        if let Err(failure) = self.modules().handlers.refresh_hand_boards(chat).await {
            tracing::error!(chat = %chat.0, %failure, "failed to refresh keyboards");
        }
    }
}

#[async_trait]
impl ChatReports for Service {
    async fn may_be_known(&self, person: &PersonId) -> bool {
        let known = self.modules().handlers.is_known_person(person).await;
        log_failure_as_none("look for a person", known).unwrap_or(true)
    }

    async fn chats_with_tables(&self, chats: Vec<ChatId>) -> Result<Vec<ChatId>, Unavailable> {
        let found = self.modules().handlers.chats_with_tables(chats).await;
        log_failure_as_none("list the tables of chats", found).ok_or(Unavailable)
    }

    async fn report_deleted_messages(&self, chat: &ChatId, deleted: &[MessageId]) {
        let restored = self.modules().handlers.restore_boards(chat, deleted).await;
        log_failure_as_none("post a deleted board again", restored);
    }

    async fn report_changed_rights(&self, chat: &ChatId) {
        let ended = self.modules().delivery.end_pauses(chat).await;
        log_failure_as_none("try a chat again whose rights changed", ended);
    }
}

/// Logs a failure as "failed to `what`"; the person then gets an empty or a "not found" reply.
fn log_failure_as_none<T>(what: &str, result: Result<T, Failure>) -> Option<T> {
    result.map_err(|failure| tracing::error!(%failure, "failed to {what}")).ok()
}

/// Logs a failure as "failed to `what`". One of the store may pass, so it is not the same as if
/// there were nothing to read; a damaged table is.
fn log_failure_as_unavailable<T>(
    what: &str,
    result: Result<Option<T>, Failure>,
) -> Result<Option<T>, Unavailable> {
    result.or_else(|failure| {
        tracing::error!(%failure, "failed to {what}");
        match failure {
            Failure::Store(_) => Err(Unavailable),
            _ => Ok(None),
        }
    })
}

/// The refusal of a result apart from failures.
fn separate_refusal<T, R>(result: Result<T, RequestError<R>>) -> Result<Result<T, R>, Failure> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(error) => error.refusal().map(Err),
    }
}

#[async_trait]
impl GuestService for Service {
    async fn sign_in(&self, proof: &SignInProof, mark: &str) -> Result<SignInOutcome, AuthError> {
        match self.modules().handlers.guest_sessions.sign_in(proof, mark).await {
            Ok(entered) => Ok(entered),
            Err(RequestError::Refused(error)) => Err(error),
            Err(RequestError::Failed(failure)) => {
                tracing::error!(%failure, "failed to sign a guest in");
                Err(AuthError::Unreachable)
            }
        }
    }

    async fn find_guest(&self, mark: &str) -> Result<Option<Guest>, Unavailable> {
        let found = self.modules().handlers.guest_sessions.find_guest(mark).await;
        log_failure_as_unavailable("find a guest", found)
    }

    async fn sign_out(&self, mark: &str) -> Result<(), Unavailable> {
        let ended = self.modules().handlers.guest_sessions.sign_out(mark).await;
        log_failure_as_none("sign a guest out", ended).ok_or(Unavailable)
    }

    async fn guest_table(
        &self,
        guest: &Guest,
        table: &TableId,
        query: StateQuery,
    ) -> Result<Option<TableStateView>, Unavailable> {
        let state = self.modules().handlers.guest_tables.guest_state(guest, table, query).await;
        log_failure_as_unavailable("show a table to a guest", state)
    }

    async fn guest_page(
        &self,
        guest: &Guest,
        page: ViewerPage,
        layout: PictureLayout,
    ) -> Result<Option<ViewerPageState>, Unavailable> {
        let shown = self.modules().handlers.guest_tables.guest_view(guest, page, layout).await;
        log_failure_as_unavailable("show a page to a guest", shown)
    }

    async fn guest_tables(&self, guest: &Guest) -> Option<OwnTables> {
        let found = self.modules().handlers.guest_tables.guest_tables(guest).await;
        log_failure_as_none("list the tables of a guest", found)
    }

    async fn press_button(
        &self,
        guest: &Guest,
        table: &TableId,
        callback_data: &str,
        key: &str,
    ) -> Option<Vec<EphemeralReply>> {
        if self.modules().tasks.is_stopping() {
            return None;
        }
        let (handlers, guest_copy, arrival) =
            (self.modules().handlers.clone(), guest.clone(), self.record_arrival());
        let (table, callback_data, press_key) =
            (table.clone(), callback_data.to_owned(), key.to_owned());
        let pressed = async move {
            handlers.guest_press(&guest_copy, &table, (&callback_data, &press_key), arrival).await
        };
        match self.run_unless_store_silent(pressed).await {
            Some(Err(Failure::Store(_))) | None => {
                Some(self.modules().handlers.answer_guest_unsaved(guest, key).await)
            }
            Some(pressed) => log_failure_as_none("handle a press of a guest", pressed).flatten(),
        }
    }

    async fn wait_for_change(
        &self,
        guest: &Guest,
        table: &TableId,
        since: Option<u64>,
    ) -> Result<Option<u64>, Unavailable> {
        let guest_tables = &self.modules().handlers.guest_tables;
        let version = guest_tables.wait_for_guest_change(guest, table, since).await;
        log_failure_as_unavailable("wait for a change at the table of a guest", version)
    }
}
