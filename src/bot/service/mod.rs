//! Assembles the bot from its modules, and gives platforms one entry point.
//!
//! A press arrives at [`handle`](caravanserai_protocol::UpdateHandler::handle) and goes to the
//! [`handlers`](crate::handlers). They ask the pure core for a decision and write it to the
//! [`repository`](crate::repository). Once it is durable, the [`delivery`](crate::delivery) shows
//! it, the [`workers`](crate::workers) compute the moves of computers, and the
//! [`scheduler`](crate::scheduler) processes its deadlines. This
//! module must not know any particular platform.

mod client_queries;
mod guests;
mod reports;
mod update_handler;

use std::sync::Arc;

use crate::admin::{AdminActor, AdminReply, OperatorSettings, parse_admin_command};
use crate::delivery::account_stores::AccountStoreOpener;
use crate::delivery::{Delivery, MessageRenderer};
use crate::handlers::Handlers;
use crate::repository::background_tasks::BackgroundTasks;
use crate::repository::quarantine::catch_panic;
use crate::repository::{ChangeListener, ChangedTable, DeletedAccount, Failure, Repository};
use crate::results::private_warnings::PrivateWarnings;
use crate::results::projector::ResultProjector;
use crate::scheduler::{PeriodicWorkers, Scheduler};
use crate::workers::{BoardTiming, Workers};
use caravanserai_games::ids::ChatId;
use caravanserai_i18n::I18n;
use caravanserai_protocol::{Platform, Unavailable};
use caravanserai_render::Renderer;
use caravanserai_store::Store;

pub use crate::repository::{BotLimits, DAY_MS, Randomness, SystemClock, TimeSource};

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
