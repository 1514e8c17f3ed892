//! Handles updates: parses the request, resolves its table, runs it and builds the reply.
//!
//! Start reading at [`Handlers::answer`]. Requests about a table continue in `table_requests`.

mod account_linking;
mod confirmation;
pub(crate) mod context;
mod external_query;
mod guests;
pub(crate) mod help;
mod hint;
mod inline_challenges;
mod invitations;
mod membership;
mod membership_retries;
mod notify_me;
mod open_table;
mod private_board;
pub(crate) mod private_hand;
mod private_text;
mod rematch;
mod reopen_reply;
mod replay_requests;
mod request_limiter;
mod resolve_table;
mod seat_limit;
mod seed_promise;
mod settings;
mod suggestions;
mod table_index;
mod table_locations;
pub(crate) mod table_requests;
mod table_state;
mod unsaved_counter;
mod update_committer;
mod vacation;

use std::sync::Arc;

use crate::commands::action::{Request, TableRef};
use crate::delivery::{Delivery, MISCLICK_WINDOW_MS, MessageRenderer};
use crate::parsing::parse_request;
use crate::parsing::words::truncate_message;
use crate::repository::profiles::{ChatProfile, DisplayPrefs, PersonProfile};
use crate::repository::quarantine::GuardedInput;
use crate::repository::{Failure, Repository};
use crate::views::hand_views;
use crate::workers::Workers;
use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind};
use caravanserai_games::rules::Seat;
use caravanserai_games::text::Text;
use caravanserai_i18n::{Lang, vocabulary};
use caravanserai_protocol::view::View;
use caravanserai_protocol::{Ack, HandleOutcome, Person, PersonKind, Update, UpdateKind};
use caravanserai_store::Commit;
use caravanserai_table::command::Command;
use caravanserai_table::state::Table;
use context::{ContextOutcome, brief_views};
pub use context::{HandlerResult, RequestContext};
use external_query::{ExternalQuery, QueryResults};
use membership::MembershipRecorder;
use table_index::refresh_boards;
use update_committer::UpdateCommitter;

/// Answers updates.
pub struct Handlers {
    repository: Arc<Repository>,
    workers: Arc<Workers>,
    delivery: Arc<Delivery>,
    message_renderer: Arc<MessageRenderer>,
    committer: Arc<UpdateCommitter>,
    hints: hint::PendingHints,
    request_limiter: request_limiter::RequestLimiter,
    /// Limits requests about tables of other chats, so that table codes cannot be guessed.
    code_limiter: request_limiter::RequestLimiter,
    membership: MembershipRecorder,
    membership_retries: membership_retries::MembershipRetryQueue,
    /// Counts replies that nothing can be saved.
    unsaved_counter: unsaved_counter::UnsavedCounter,
}

/// The share of requests that may be about a table of another chat: one in this number.
const FOREIGN_TABLE_SHARE: u32 = 24;

/// Whether a text reply to a board is an attempt to move, because people also talk about the game.
/// In a group only a text that is understood or looks like a mistyped move gets an answer.
fn is_attempt(table: &Table, update: &Update) -> bool {
    let UpdateKind::Text { text, .. } = &update.kind else { return true };
    let text = truncate_message(text);
    let Some(seat) = table.seats_of(&update.person.id).next() else { return false };
    let understood = table
        .game
        .as_deref()
        .is_some_and(|it| it.parse_move(Seat(seat), text, vocabulary()).is_some());
    let short = text.split_whitespace().count() <= 3 && text.chars().count() <= 24;
    let is_private = update.chat.kind == PlaceKind::Private;
    understood || (short && (is_private || looks_like_move(text)))
}

/// Whether a text may be a mistyped move. Smileys, scores and questions have digits too: `<3`,
/// `8)`, `+1`, `7?`.
fn looks_like_move(text: &str) -> bool {
    let is_sign = |it: char| it.is_alphanumeric() || is_move_character(it);
    let text = text.trim().trim_end_matches(['.', '!']);
    text.starts_with(is_sign) && text.ends_with(is_sign) && text.contains(is_move_character)
}

/// Whether any game writes moves with this character: a digit or a card suit.
fn is_move_character(sign: char) -> bool {
    sign.is_numeric() || matches!(sign, '♠'..='♧')
}

fn is_command(body: &UpdateKind) -> bool {
    match body {
        UpdateKind::Text { text, .. } => text.trim_start().starts_with('/'),
        UpdateKind::Command { .. } => true,
        _ => false,
    }
}

impl Handlers {
    /// Creates handlers with these dependencies.
    pub fn new(
        repository: Arc<Repository>,
        workers: Arc<Workers>,
        delivery: Arc<Delivery>,
        message_renderer: Arc<MessageRenderer>,
    ) -> Arc<Self> {
        let per_minute = repository.limits().requests_per_minute;
        let request_limiter =
            request_limiter::RequestLimiter::new(per_minute, repository.time_source().clone());
        let code_limiter = request_limiter::RequestLimiter::new(
            per_minute / FOREIGN_TABLE_SHARE,
            repository.time_source().clone(),
        );
        let committer = Arc::new(UpdateCommitter::new(repository.clone(), delivery.clone()));
        let membership = MembershipRecorder::new(repository.clone(), committer.clone());
        let (hints, membership_retries, unsaved_counter) = Default::default();
        Arc::new(Handlers {
            repository,
            workers,
            delivery,
            message_renderer,
            committer,
            hints,
            request_limiter,
            code_limiter,
            membership,
            membership_retries,
            unsaved_counter,
        })
    }

    /// The address of the web page that shows boards, if there is one.
    pub(crate) fn page_url(&self) -> Option<String> {
        self.delivery.page_url()
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
        };
        let request = parse_request(&update.kind, update.chat.kind);
        let named_table = request.as_ref().and_then(Request::named_table).cloned();
        let input = GuardedInput::Update(update.id.clone(), named_table);
        let dispatched = self.dispatch(update, None, request.as_ref(), &mut reply_context);
        let result = self.repository.run_guarded(&input, dispatched).await;
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
        let is_stored = !matches!(result, Ok(Err(Failure::Store(_))));
        let views = match result {
            Ok(Ok(views)) => views,
            Ok(Err(failure)) => match failure {
                Failure::Damaged(..) => {
                    tracing::error!(update = %update.id, %failure, "failed to act on an update");
                    brief_views("refuse-table-damaged")
                }
                Failure::Store(_) => {
                    self.unsaved_counter
                        .count_answer(&failure, self.repository.time_source().monotonic_ms());
                    brief_views("refuse-unsaved")
                }
            },
            Err(_) => brief_views("refuse-table-damaged"),
        };
        let replies = self
            .message_renderer
            .ephemeral_replies(&update.id, &reply_context.display_prefs, views)
            .await;
        replies
            .iter()
            .for_each(|it| self.delivery.record_private_keyboard(&reply_context.person, it));
        HandleOutcome::ready(replies, Ack::confirm_if(is_stored))
    }

    /// Refuses an update because the bot stops.
    pub async fn refuse_while_stopping(&self, update: &Update) -> HandleOutcome {
        let (reader, views) = (unknown_person_display_prefs(update), brief_views("refuse-trouble"));
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
                let (reader, views) =
                    (unknown_person_display_prefs(update), brief_views("refuse-unsaved"));
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
        self.unsaved_counter.count_answer(&why, self.repository.time_source().monotonic_ms());
    }

    /// Handles an update. `account` is the account that sent it if `update` names the person behind
    /// it.
    async fn dispatch(
        &self,
        update: &Update,
        account: Option<&PersonId>,
        request: Option<&Request>,
        reply_context: &mut ReplyContext,
    ) -> HandlerResult {
        if self.membership.handle_membership(update).await? {
            return Ok(Vec::new());
        }
        let place = &update.chat.id;
        if request.is_none() && !matches!(update.kind, UpdateKind::BotAdded) {
            return Ok(Vec::new());
        }
        let loaded = RequestContext::load(&self.repository, update, account, request).await?;
        let mut context = match loaded {
            ContextOutcome::Ready(context) => context,
            ContextOutcome::Linked(id, news) => {
                if news.person {
                    self.repository.store_person(&update.person).await?;
                }
                let person = Person { id, ..update.person.clone() };
                let person_update = Update { person, ..update.clone() };
                let account = Some(&update.person.id);
                return Box::pin(self.dispatch(&person_update, account, request, reply_context))
                    .await;
            }
        };
        reply_context.display_prefs = context.display_prefs();
        reply_context.person = update.person.id.clone();
        context.query_results = std::mem::take(&mut reply_context.query_results);
        let mut views = Vec::new();
        if request.is_none() {
            self.committer.store_profile_news(&mut context).await?;
        }
        let is_new = matches!(update.kind, UpdateKind::BotAdded) && !context.was_unreachable;
        if is_new
            && update.chat.kind == PlaceKind::Group
            && self.delivery.capabilities(place).greets_groups
        {
            self.greet_group(&mut context).await?;
        }
        if let Some(request) = request {
            views = match self.precheck(&mut context, request).await? {
                Precheck::Reply(views) => return Ok(views),
                Precheck::Proceed => {
                    self.committer.store_profile_news(&mut context).await?;
                    self.run_request(&mut context, request.clone()).await?
                }
            };
            reply_context.display_prefs = context.display_prefs();
            if context.pending_query.is_some() {
                reply_context.query = context.pending_query.take();
                return Ok(Vec::new());
            }
            if !views.is_empty()
                && let Some(stored) = self.committer.stored_answer(update).await?
            {
                // Another delivery of the same update was handled while this one waited for the
                // table: a new answer would describe the effects of the first one.
                views = stored.notes;
            }
        }
        self.committer.store_remaining_rows(&mut context, &mut views).await?;
        self.committer.store_profile_effects(&mut context).await;
        Ok(views)
    }

    /// Checks whether an update is to be handled at all.
    async fn precheck(
        &self,
        context: &mut RequestContext<'_>,
        request: &Request,
    ) -> Result<Precheck, Failure> {
        if !self.is_reply_to_bot(context, request).await? {
            return Ok(Precheck::Reply(Vec::new()));
        }
        if let Some(stored) = context.stored_answer.take() {
            return Ok(Precheck::Reply(stored.notes));
        }
        if !context.query_results.is_empty() {
            // The first attempt has passed the checks.
            return Ok(Precheck::Proceed);
        }
        let person = &context.update.person;
        Ok(match person.kind {
            PersonKind::Anonymous => Precheck::Reply(brief_views("refuse-anonymous")),
            PersonKind::Bot => Precheck::Reply(brief_views("refuse-bot")),
            PersonKind::Human if !self.request_limiter.allow_request(&person.id) => {
                Precheck::Reply(brief_views("refuse-too-fast"))
            }
            PersonKind::Human if self.is_misclick(context, request).await => {
                let views = brief_views("refuse-slid");
                // A redelivery must not have an effect either.
                let _ = self
                    .committer
                    .commit_changes(context, Vec::new(), Commit::default(), &views)
                    .await?;
                Precheck::Reply(views)
            }
            PersonKind::Human => Precheck::Proceed,
        })
    }

    /// Whether a button has just moved under the finger that presses it. This process does not know
    /// what another process has shown: then a person who acted a moment ago cannot have seen the
    /// new board yet.
    async fn is_misclick(&self, context: &RequestContext<'_>, request: &Request) -> bool {
        let UpdateKind::Press { callback_data: press, message: Some(message) } =
            &context.update.kind
        else {
            return false;
        };
        let Request::Table { table: TableRef::Id(table), action, .. } = request else {
            return false;
        };
        let (person, place) = (&context.update.person.id, &context.update.chat.id);
        let slot = hand_views::hand_slot_of_id(table);
        if let Some(has_moved) = self.delivery.is_misclick(person, (place, message), &slot, press) {
            return has_moved;
        }
        if action.command().is_none() {
            return false;
        }
        let now_ms = self.repository.now_ms();
        self.repository.load_table(table).await.ok().flatten().is_some_and(|table| {
            table
                .last_action_ms_of(person)
                .is_some_and(|at| (at..at + MISCLICK_WINDOW_MS).contains(&now_ms))
        })
    }

    /// Whether a text that replies to a message is for the bot, because people talk to each other
    /// too.
    async fn is_reply_to_bot(
        &self,
        context: &RequestContext<'_>,
        request: &Request,
    ) -> Result<bool, Failure> {
        let Request::Table { table: TableRef::Message(_), action, .. } = request else {
            return Ok(true);
        };
        let is_move = matches!(action.command(), Some(Command::Play { .. }));
        if !is_move || is_command(&context.update.kind) {
            return Ok(true);
        }
        let Some(id) = &context.answered_table else { return Ok(false) };
        let Ok(Some(table)) = self.repository.load_table(id).await else { return Ok(true) };
        Ok(is_attempt(&table, context.update))
    }

    async fn run_request(
        &self,
        context: &mut RequestContext<'_>,
        request: Request,
    ) -> HandlerResult {
        match request {
            Request::Table { table, action, is_typed } => {
                self.handle_table_request(context, table, action, is_typed).await
            }
            Request::Chat(action) => action.run(self, context).await,
        }
    }

    /// Updates the buttons of boards with hands after the way to show hands in this chat changed.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn refresh_hand_boards(&self, place: &PlaceId) -> Result<(), Failure> {
        let boards =
            refresh_boards(&self.repository, place, crate::views::hand_views::has_hands).await?;
        self.repository.put_all(boards).await
    }
}

/// The reader of the replies, and the state of deferred queries.
struct ReplyContext {
    display_prefs: DisplayPrefs,
    person: PersonId,
    /// The results of earlier queries for the update.
    query_results: QueryResults,
    /// The query that must be answered first.
    query: Option<ExternalQuery>,
}

/// The result of the checks before a request runs.
enum Precheck {
    /// The request may run.
    Proceed,
    /// The request does not run; these are the replies.
    Reply(Vec<View>),
}

/// How to show content to a person whose profile is not known.
fn unknown_person_display_prefs(update: &Update) -> DisplayPrefs {
    let guess = update.person.locale.as_deref().and_then(Lang::from_locale);
    PersonProfile { guess, ..PersonProfile::default() }.display_prefs(&ChatProfile::default())
}
