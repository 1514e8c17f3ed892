//! Handles updates: parses the request, resolves its table, runs it and builds the reply.
//!
//! Start reading at [`Handlers::answer`], which calls `load_and_handle`, `handle_with_context` and
//! `run_request`, in this order. Requests about a table continue in `table_requests`.
//! Everything else is done by parts, a file each, which know the repository, the delivery and other
//! parts, but not the handlers; `assembly` creates them.

mod account_linking;
mod admin;
mod analysis_board;
mod analysis_lines;
mod assembly;
mod block_list;
mod challenge_word;
mod client_queries;
mod confirmation;
pub(crate) mod context;
mod deleted_boards;
mod external_query;
mod guests;
pub(crate) mod help;
mod hint;
mod inline_challenges;
mod membership;
mod membership_retries;
mod mention_resolver;
mod name_hider;
mod notify_me;
mod open_table;
pub(crate) mod private_board;
pub(crate) mod private_hand;
mod private_text;
mod rating_pages;
mod refusal_replies;
mod rematch;
pub(crate) mod replay_requests;
mod request_checks;
pub(crate) mod request_error;
mod request_limiter;
mod reserved_tables;
mod resolve_table;
pub(crate) mod settings;
mod stored_reply_renderer;
mod suggestions;
mod table_index;
mod table_limits;
mod table_locations;
pub(crate) mod table_requests;
mod unaided_games;
mod unsaved_log_throttle;
mod update_committer;
mod vacation;

use std::sync::Arc;

use crate::admin::{BanEffect, OperatorCommands};
use crate::commands::action::Request;
use crate::delivery::{Delivery, MessageRenderer};
use crate::parsing::{parse_request, parse_unknown_command};
use crate::personal_data::deletion_requests::DeletionRequests;
use crate::repository::profiles::{ChatProfile, DisplayPrefs, PersonProfile};
use crate::repository::quarantine::QuarantineInput;
use crate::repository::{Failure, Repository};
use crate::views::hand_views;
use account_linking::AccountLinker;
use block_list::BlockListHandler;
use caravanserai_games::ids::{ChatId, ChatKind, MessageId, PersonId};
use caravanserai_games::text::{Arg, Text};
use caravanserai_i18n::Lang;
use caravanserai_protocol::view::View;
use caravanserai_protocol::{Ack, HandleOutcome, Person, RequestStatus, Update, UpdateKind};
use client_queries::ClientQueryHandler;
use confirmation::MoveConfirmations;
use context::{ContextOutcome, brief_views};
pub use context::{HandlerResult, RequestContext};
use deleted_boards::DeletedBoards;
use external_query::{ExternalQuery, QueryResults, QueryRunner};
use guests::{GuestSessions, GuestTables, PageLinks};
use help::HelpPages;
use hint::HintHandler;
use inline_challenges::InlineChallenges;
use membership::MembershipRecorder;
use mention_resolver::MentionResolver;
use name_hider::NameHider;
use notify_me::GameSubscriptions;
use open_table::TableOpener;
use private_hand::PrivateHands;
use refusal_replies::RefusalReplies;
use replay_requests::ReplayRequests;
use request_checks::{Precheck, RequestChecker};
pub use request_error::RequestError;
use request_limiter::RequestLimiter;
use resolve_table::TableResolver;
use settings::SettingsHandler;
use stored_reply_renderer::StoredReplyRenderer;
use suggestions::ArgumentSuggester;
use table_index::{open_tables, refresh_boards};
use table_locations::TableLocations;
use table_requests::CommandRunner;
use update_committer::UpdateCommitter;

/// The prefix of the keys of texts that refuse a request. Games have keys of their own.
const REFUSAL_PREFIX: &str = "refuse-";

/// Answers updates. Each of its parts does one job with the dependencies that it names.
pub struct Handlers {
    pub(crate) repository: Arc<Repository>,
    delivery: Arc<Delivery>,
    message_renderer: Arc<MessageRenderer>,
    // Before a request runs.
    membership: MembershipRecorder,
    membership_retries: membership_retries::MembershipRetryQueue,
    request_checker: RequestChecker,
    pub(crate) resolver: TableResolver,
    /// Limits requests about tables of other chats, so that table codes cannot be guessed.
    code_limiter: Arc<RequestLimiter>,
    /// Limits how often buttons move the board of a table to the bottom of its chat.
    pub(crate) board_limiter: Arc<RequestLimiter>,
    queries: QueryRunner,
    deleted_boards: DeletedBoards,
    // Requests about a table.
    pub(crate) command_runner: Arc<CommandRunner>,
    pub(crate) confirmations: MoveConfirmations,
    pub(crate) hands: Arc<PrivateHands>,
    pub(crate) hints: HintHandler,
    pub(crate) locations: TableLocations,
    pub(crate) mentions: Arc<MentionResolver>,
    pub(crate) refusals: Arc<RefusalReplies>,
    pub(crate) replays: ReplayRequests,
    // Requests about a person or a chat.
    pub(crate) block_lists: BlockListHandler,
    pub(crate) challenges: InlineChallenges,
    pub(crate) help: HelpPages,
    pub(crate) linker: AccountLinker,
    pub(crate) name_hider: NameHider,
    pub(crate) opener: Arc<TableOpener>,
    pub(crate) settings: SettingsHandler,
    pub(crate) subscriptions: Arc<GameSubscriptions>,
    pub(crate) suggester: ArgumentSuggester,
    // Requests of operators.
    pub(crate) operator_commands: OperatorCommands,
    // Clients, such as the web page.
    pub(crate) guest_sessions: GuestSessions,
    pub(crate) guest_tables: GuestTables,
    pub(crate) page_links: Arc<PageLinks>,
    pub(crate) stored_replies: StoredReplyRenderer,
    pub(crate) client_queries: Arc<ClientQueryHandler>,
    // After a request has run.
    committer: Arc<UpdateCommitter>,
    /// Counts replies that nothing can be saved.
    unsaved_log_throttle: unsaved_log_throttle::UnsavedLogThrottle,
    /// Where players reach the person who runs the bot.
    contact: Option<String>,
}

impl Handlers {
    /// The address of the web page that shows boards, if there is one.
    pub(crate) fn page_url(&self) -> Option<String> {
        self.delivery.page_url()
    }

    /// A text that names the contact of the person who runs the bot, if it is set.
    pub(crate) fn contact_text(&self, key: &'static str) -> Option<Text> {
        let contact = self.contact.clone()?;
        Some(Text::new(key).with("contact", Arg::Plain(contact)))
    }

    /// Handles an update and answers its sender. It does not wait for engines or platforms: an
    /// answer that needs them is deferred.
    pub async fn answer(self: &Arc<Self>, update: &Update) -> HandleOutcome {
        self.answer_with_results(update, QueryResults::default()).await
    }

    /// Handles an update with the query results of earlier attempts.
    async fn answer_with_results(
        self: &Arc<Self>,
        update: &Update,
        query_results: QueryResults,
    ) -> HandleOutcome {
        let mut reply_context = ReplyContext {
            display_prefs: unknown_person_display_prefs(update),
            person: update.person.id.clone(),
            query_results: query_results.clone(),
            query: None,
            is_refused: false,
        };
        let request = parse_request(&update.kind, update.chat.kind).or_else(|| {
            let is_only_bot = self.delivery.capabilities(&update.chat.id).is_only_bot;
            is_only_bot.then(|| parse_unknown_command(&update.kind)).flatten()
        });
        let named_table = request.as_ref().and_then(Request::named_table).cloned();
        let input = QuarantineInput::Update(update.id.clone(), named_table);
        let dispatched = self.load_and_handle(update, None, request.as_ref(), &mut reply_context);
        let result = self.repository.run_isolated(&input, dispatched).await;
        if let (Ok(Ok(_)), Some(query)) = (&result, reply_context.query.take()) {
            // Clocks do not wait for an engine or a network.
            let arrival = update.arrival.untracked();
            let update = Update { arrival, ..update.clone() };
            return HandleOutcome::defer(self.clone().resume_after_query(
                update,
                query_results,
                query,
            ));
        }
        let is_stored = !matches!(result, Ok(Err(RequestError::Failed(Failure::Store(_)))));
        let views = match result {
            Ok(Ok(views)) => views,
            Ok(Err(RequestError::Refused(views))) => views,
            Ok(Err(RequestError::Failed(failure))) => self.failure_views(update, &failure),
            Err(_) => brief_views("refuse-table-damaged"),
        };
        let replies = self
            .message_renderer
            .ephemeral_replies(&update.id, &reply_context.display_prefs, views)
            .await;
        replies
            .iter()
            .for_each(|it| self.delivery.record_private_keyboard(&reply_context.person, it));
        let status = match request {
            None => RequestStatus::Absent,
            Some(_) if reply_context.is_refused => RequestStatus::Refused,
            Some(_) => RequestStatus::Done,
        };
        HandleOutcome::ready(replies, Ack::confirm_if(is_stored)).with_request(status)
    }

    /// Logs why an update could not be handled, and returns the reply.
    fn failure_views(&self, update: &Update, failure: &Failure) -> Vec<View> {
        match failure {
            Failure::Damaged(..) => {
                tracing::error!(update = %update.id, %failure, "failed to handle an update");
                brief_views("refuse-table-damaged")
            }
            Failure::Store(_) => {
                self.unsaved_log_throttle
                    .count_answer(failure, self.repository.time_source().monotonic_ms());
                brief_views("refuse-unsaved")
            }
            Failure::SeatBlocked(_) => brief_views("refuse-block-seat"),
            Failure::ChatBeingDeleted => brief_views("refuse-chat-deleting"),
        }
    }

    /// Refuses an update because the bot stops. Some platforms deliver it again after the restart,
    /// and then it counts; the reply is true on all of them.
    pub async fn refuse_while_stopping(&self, update: &Update) -> HandleOutcome {
        let reader = unknown_person_display_prefs(update);
        let views = brief_views("refuse-restarting");
        HandleOutcome::ready(
            self.message_renderer.ephemeral_replies(&update.id, &reader, views).await,
            Ack::Redeliver,
        )
    }

    /// Answers an update while the store is unavailable.
    pub async fn refuse_unsaved(&self, update: &Update) -> HandleOutcome {
        self.count_ignored_update();
        let replies = match update.kind {
            UpdateKind::Text { .. } | UpdateKind::Command { .. } | UpdateKind::Press { .. } => {
                let reader = unknown_person_display_prefs(update);
                let views = brief_views("refuse-unsaved");
                self.message_renderer.ephemeral_replies(&update.id, &reader, views).await
            }
            // Nobody waits for an answer.
            UpdateKind::BotAdded
            | UpdateKind::BotRemoved
            | UpdateKind::ChatDeleted
            | UpdateKind::ChatMoved { .. }
            | UpdateKind::MemberLeft { .. }
            | UpdateKind::MembersJoined { .. } => Vec::new(),
        };
        HandleOutcome::ready(replies, Ack::Redeliver)
    }

    fn count_ignored_update(&self) {
        let silent_ms = self.repository.store_silent_ms();
        let why = format!("the store has not answered for {silent_ms} ms");
        self.unsaved_log_throttle.count_answer(&why, self.repository.time_source().monotonic_ms());
    }

    /// Loads the context of an update and handles it. `account` is the account that sent it if
    /// `update` names the person behind it.
    async fn load_and_handle(
        &self,
        update: &Update,
        account: Option<&PersonId>,
        request: Option<&Request>,
        reply_context: &mut ReplyContext,
    ) -> HandlerResult {
        if self.membership.handle_membership(update).await? {
            return Ok(Vec::new());
        }
        if request.is_none() && !matches!(update.kind, UpdateKind::BotAdded) {
            return Ok(Vec::new());
        }
        let loaded = RequestContext::load(&self.repository, update, account, request).await?;
        let (person, news) = match loaded {
            ContextOutcome::Ready(context) => {
                return self.handle_with_context(context, request, reply_context).await;
            }
            ContextOutcome::Linked(id, news) => (Person { id, ..update.person.clone() }, news),
            ContextOutcome::Renamed(name, news) => (Person { name, ..update.person.clone() }, news),
        };
        if news.person {
            self.repository.profiles().store_person(&update.person).await?;
        }
        let account = account.unwrap_or(&update.person.id);
        self.load_and_handle_as(update, person, account, request, reply_context).await
    }

    /// Handles an update whose context is complete.
    async fn handle_with_context(
        &self,
        mut context: RequestContext<'_>,
        request: Option<&Request>,
        reply_context: &mut ReplyContext,
    ) -> HandlerResult {
        let update = context.update;
        let chat = &update.chat.id;
        reply_context.display_prefs = context.display_prefs();
        self.ensure_may_act(&context, request).await?;
        reply_context.person = update.person.id.clone();
        self.reopen_chat(&context).await?;
        context.query_results = std::mem::take(&mut reply_context.query_results);
        let mut views = Vec::new();
        if request.is_none() {
            self.committer.store_profile_changes(&mut context).await?;
        }
        let is_new = matches!(update.kind, UpdateKind::BotAdded) && !context.was_unreachable;
        if is_new
            && update.chat.kind == ChatKind::Group
            && self.delivery.capabilities(chat).greets_groups
        {
            self.help.greet_group(&mut context).await?;
        }
        if let Some(request) = request {
            views = match self.request_checker.precheck(&mut context, request).await? {
                Precheck::Reply(views) => {
                    reply_context.is_refused = are_refusals(&views);
                    return Ok(views);
                }
                Precheck::Proceed => {
                    self.committer.store_profile_changes(&mut context).await?;
                    match self.run_request(&mut context, request.clone()).await {
                        Ok(views) => views,
                        Err(error) => error.refusal()?,
                    }
                }
            };
            reply_context.display_prefs = context.display_prefs();
            if context.pending_query.is_some() {
                reply_context.query = context.pending_query.take();
                return Ok(Vec::new());
            }
            let mut is_refused = context.is_refused;
            if !views.is_empty()
                && let Some(stored) = self.committer.stored_answer(update).await?
            {
                // Another delivery of the same update was handled while this one waited for the
                // table: a new answer would describe the effects of the first one.
                views = stored.replies;
                is_refused = false;
            }
            reply_context.is_refused = is_refused || are_refusals(&views);
        }
        self.name_hider.add_notice(&context, &mut views).await?;
        self.committer.store_remaining_rows(&mut context, &mut views).await?;
        self.committer.store_profile_effects(&mut context).await;
        Ok(views)
    }

    /// Lets the people of a group play on who were cut off while the bot could not reach it.
    async fn reopen_chat(&self, context: &RequestContext<'_>) -> Result<(), Failure> {
        let chat = &context.update.chat;
        if context.was_unreachable && chat.kind == ChatKind::Group {
            // Before the mark of the chat is removed, so that a repetition does it again.
            self.repository.chats().reopen_chat(&chat.id).await?;
        }
        Ok(())
    }

    /// Handles an update of this account as one of a person with another id or another name.
    async fn load_and_handle_as(
        &self,
        update: &Update,
        person: Person,
        account: &PersonId,
        request: Option<&Request>,
        reply_context: &mut ReplyContext,
    ) -> HandlerResult {
        let update = Update { person, ..update.clone() };
        Box::pin(self.load_and_handle(&update, Some(account), request, reply_context)).await
    }

    /// Checks that the account of the sender is not being deleted, and that neither they nor the
    /// chat are banned.
    async fn ensure_may_act(
        &self,
        context: &RequestContext<'_>,
        request: Option<&Request>,
    ) -> Result<(), RequestError> {
        if context.has_deletion_request {
            // An account that acts was not deleted on its platform.
            let person = &context.update.person.id;
            let requests = DeletionRequests::new(&self.repository);
            requests.cancel_report(person).await?;
            if request.is_some() && requests.is_running(person).await? {
                return Err(RequestError::refuse(Text::new("refuse-account-deleting")));
            }
        }
        match self.ban_effect(context, request).await? {
            BanEffect::None => Ok(()),
            BanEffect::Refuse => Err(RequestError::refuse(Text::new("refuse-banned"))),
            BanEffect::Ignore => Err(RequestError::Refused(Vec::new())),
        }
    }

    async fn run_request(
        &self,
        context: &mut RequestContext<'_>,
        request: Request,
    ) -> HandlerResult {
        let result = match request {
            Request::Table { table, action, origin } => {
                self.handle_table_request(context, table, action, origin).await
            }
            Request::Chat(action) => action.run(self, context).await,
        };
        match result {
            Err(RequestError::Failed(Failure::SeatBlocked(blocks))) => {
                self.block_lists.refusal_views(context, &blocks).await
            }
            Err(RequestError::Failed(Failure::ChatBeingDeleted)) => {
                let views = brief_views("refuse-chat-deleting");
                self.committer.store_refusal(context, &views).await?;
                Ok(views)
            }
            result => result,
        }
    }

    /// Lists the tables of the sender, in all chats.
    pub(crate) async fn list_own_tables(&self, context: &mut RequestContext<'_>) -> HandlerResult {
        let chat = &context.update.chat.id;
        let person = &context.update.person.id;
        let is_private = context.update.chat.kind == ChatKind::Private;
        let list = self.delivery.table_list_view(person, chat, is_private).await?;
        if is_private {
            context.extra_rows.extend(self.delivery.table_list_put(person, chat));
        }
        Ok(vec![list])
    }

    /// Updates the buttons of boards with hands after the way to show hands in this chat changed.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn refresh_hand_boards(&self, chat: &ChatId) -> Result<(), Failure> {
        let boards = refresh_boards(&self.repository, chat, hand_views::has_hands).await?;
        self.repository.put_all(boards).await
    }

    /// Those of these chats that have open tables.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn chats_with_tables(&self, chats: Vec<ChatId>) -> Result<Vec<ChatId>, Failure> {
        let mut found = Vec::new();
        for chat in chats {
            if !open_tables(&self.repository, &chat).await?.is_empty() {
                found.push(chat);
            }
        }
        Ok(found)
    }

    /// Posts boards again that are among these deleted messages of a chat.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn restore_boards(
        &self,
        chat: &ChatId,
        deleted: &[MessageId],
    ) -> Result<(), Failure> {
        self.deleted_boards.restore_boards(chat, deleted).await
    }

    /// Whether this person has ever used the bot.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn is_known_person(&self, person: &PersonId) -> Result<bool, Failure> {
        self.membership.is_known_person(person).await
    }
}

/// Whether the answer to a request consists of refusals.
fn are_refusals(views: &[View]) -> bool {
    let is_refusal =
        |it: &View| it.texts.first().is_some_and(|text| text.key.starts_with(REFUSAL_PREFIX));
    !views.is_empty() && views.iter().all(is_refusal)
}

/// The reader of the replies, and the state of deferred queries.
struct ReplyContext {
    display_prefs: DisplayPrefs,
    person: PersonId,
    /// Whether the request was refused.
    is_refused: bool,
    /// The results of earlier queries for the update.
    query_results: QueryResults,
    /// The query that must be answered first.
    query: Option<ExternalQuery>,
}

/// How to show content to a person whose profile is not known.
fn unknown_person_display_prefs(update: &Update) -> DisplayPrefs {
    let detected_lang = update.person.locale.as_deref().and_then(Lang::from_locale);
    PersonProfile { detected_lang, ..PersonProfile::default() }
        .display_prefs(&ChatProfile::default())
}
