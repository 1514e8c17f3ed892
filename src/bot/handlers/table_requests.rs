//! Handles requests about one table: locks it, decides, commits and wakes the senders.

use std::sync::Arc;

use super::Handlers;
use super::context::{HandlerResult, RequestContext, brief_views};
use super::open_table::{ensure_may_open_table_in, ensure_not_draining, remember_clock};
use super::private_hand::PrivateHands;
use super::refusal_replies::RefusalReplies;
use super::rematch::{RematchOpener, rematch_opener};
use super::request_error::RequestError;
use super::reserved_tables::ReservedTables;
use super::resolve_table::TableResolution;
use super::table_limits::TableLimits;
use super::update_committer::UpdateCommitter;
use crate::commands::action::{RequestOrigin, TableAccess, TableAction, TableRef, TableRequest};
use crate::repository::outbox_entry::{BoardTask, OutboxEntry};
use crate::repository::{
    CommitOutcome, Failure, LINKING_CAUSE, Repository, TableChange, TableGuard,
};
use crate::views::conditional_moves::conditional_move_list;
use crate::views::press_feedback::{feedback_view, posting_feedback_views};
use crate::views::{board_view, lobby_view};
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::Text;
use caravanserai_protocol::view::{PictureRef, View};
use caravanserai_store::Commit;
use caravanserai_table::command::{Actor, Command, OfferKind};
use caravanserai_table::event::{Event, PlayerOffer};
use caravanserai_table::state::{Table, TablePhase};
use caravanserai_table::{self as table, Decision, EventMeta, Refusal};

/// The attempts to decide a command when the table changes concurrently.
const DECIDE_TRIES: usize = 3;

/// Builds the replies to a decision.
type ReplyBuilder<'a> = dyn Fn(&Decision) -> Vec<View> + Sync + 'a;

impl Handlers {
    pub(crate) async fn handle_table_request(
        &self,
        context: &mut RequestContext<'_>,
        table: TableRef,
        action: Arc<dyn TableAction>,
        origin: RequestOrigin,
    ) -> HandlerResult {
        let id = match self.resolver.resolve_table(context, table, &action).await? {
            TableResolution::Table(id) => id,
            TableResolution::Answer(views) => return Ok(views),
        };
        if self.repository.is_quarantined(&id) {
            return Ok(brief_views("refuse-table-damaged"));
        }
        let is_by_code = action.access() == TableAccess::AnyoneWithCode;
        let first = context.query_results.is_empty();
        if is_by_code && first && !self.code_limiter.allow_request(&context.update.person.id) {
            return Ok(brief_views("refuse-too-fast"));
        }
        let Some(mut guard) = self.repository.lock_table(&id).await? else {
            let removal = self.repository.kept_games().removal_text(&id).await?;
            let unknown = || Text::new("refuse-unknown-table").with("table", id.0);
            return Ok(vec![View::brief(removal.unwrap_or_else(unknown))]);
        };
        if action.command().is_some() {
            self.resolve_person_at_ended_table(context, &mut guard).await?;
        }
        // Anybody who knows the code may show a table in their chat, except tables of one person.
        let is_accessible = is_by_code && !guard.table().is_solo();
        if !is_accessible && !concerns_person(guard.table(), context) {
            let text = Text::new("refuse-unknown-table").with("table", id.0);
            return Ok(vec![View::brief(text)]);
        }
        let must_see = !is_accessible && action.access() != TableAccess::ShownHere;
        if must_see && !self.can_see_here(guard.table(), context) {
            return Ok(vec![board_view::closed_to_spectators_view(guard.table())]);
        }
        action.run(TableRequest { handlers: self, context, guard, origin }).await
    }

    /// Replaces an account by the person that it belongs to now, at a table that ended before the
    /// accounts were linked: such a table still names the account.
    async fn resolve_person_at_ended_table(
        &self,
        context: &RequestContext<'_>,
        guard: &mut TableGuard,
    ) -> Result<(), Failure> {
        let table = guard.table().clone();
        let person = context.update.person.id.clone();
        let is_linked_player = |it: &&PersonId| {
            table.seating.is_seated(it) && table.can_merge_account_now(it, &person)
        };
        let account = context.person.accounts.iter().find(is_linked_player);
        let Some(account) = account.filter(|_| !table.is_open()).cloned() else { return Ok(()) };
        let event = Event::AccountsMerged { account, person };
        // The update itself acts later: its id must not be known at the table before that.
        let meta = EventMeta::received_now(context.now_ms, LINKING_CAUSE);
        let decision = table::apply_external_event(&table, event, meta)
            .map_err(|why| Failure::Damaged(table.id.clone(), why))?;
        let change = TableChange::new(guard, decision);
        if self.repository.commit_changes(vec![change], Commit::default()).await?
            == CommitOutcome::Conflict
        {
            // The table changed concurrently: the person has to press again.
            self.repository.reload_table(guard).await?;
        }
        Ok(())
    }

    /// Whether a person may see a table from their chat: players may from everywhere.
    fn can_see_here(&self, table: &Table, context: &RequestContext<'_>) -> bool {
        let chat = context.update.chat.id.without_topic();
        let mut here = table.chats.ids().filter(|it| it.without_topic() == chat);
        is_opener_or_player(table, context) || here.any(|it| self.delivery.can_see(table, it))
    }

    /// Executes a command, after asking for confirmation if necessary, or refuses it.
    pub(crate) async fn execute_or_refuse(
        &self,
        context: &mut RequestContext<'_>,
        guard: TableGuard,
        command: Result<Command, Refusal>,
        origin: RequestOrigin,
    ) -> HandlerResult {
        match command {
            Ok(command) => {
                if let Some(question) = self
                    .confirmations
                    .confirmation_view(context, guard.table(), &command, origin)
                    .await?
                {
                    return Ok(vec![question]);
                }
                let is_decline = command == Command::DeclineInvitation;
                let is_plan = matches!(command, Command::SetConditionalMoves(_));
                let person_id = context.update.person.id.clone();
                let build_replies = |it: &Decision| {
                    let reason_view =
                        is_decline.then(|| lobby_view::decline_reason_view(&it.table));
                    let plan_view = is_plan.then(|| conditional_moves_view(&it.table, &person_id));
                    extra_reply_views(it, origin)
                        .into_iter()
                        .chain(reason_view)
                        .chain(plan_view)
                        .collect()
                };
                self.command_runner.execute_command(context, guard, command, &build_replies).await
            }
            Err(refusal) => self.refusals.refusal_views(context, guard, refusal).await,
        }
    }
}

/// Runs commands at tables and commits what they change.
pub(crate) struct CommandRunner {
    repository: Arc<Repository>,
    committer: Arc<UpdateCommitter>,
    reserved_tables: Arc<ReservedTables>,
    limits: Arc<TableLimits>,
    hands: Arc<PrivateHands>,
    rematches: RematchOpener,
    refusals: Arc<RefusalReplies>,
}

impl CommandRunner {
    pub(crate) fn new(
        repository: Arc<Repository>,
        committer: Arc<UpdateCommitter>,
        reserved_tables: Arc<ReservedTables>,
        limits: Arc<TableLimits>,
        hands: Arc<PrivateHands>,
        rematches: RematchOpener,
        refusals: Arc<RefusalReplies>,
    ) -> Self {
        Self { repository, committer, reserved_tables, limits, hands, rematches, refusals }
    }

    /// Changes a setting of the lobby from a page and shows the page again, unless the change
    /// started the game.
    pub(crate) async fn change_lobby(
        &self,
        context: &mut RequestContext<'_>,
        guard: TableGuard,
        command: Command,
        page: impl Fn(&Table) -> View + Sync,
    ) -> HandlerResult {
        let after = |next: &Table| (next.phase == TablePhase::Lobby).then(|| page(next));
        self.execute_command(context, guard, command, &|decision| {
            extra_reply_views(decision, RequestOrigin::Pressed)
                .into_iter()
                .chain(after(&decision.table))
                .collect()
        })
        .await
    }

    /// Posts the board of a table again. In a chat where it is not shown, only its players have it
    /// posted where it is: others, whom that chat may have removed, see it.
    pub(crate) async fn repost_board(
        &self,
        context: &mut RequestContext<'_>,
        guard: TableGuard,
    ) -> HandlerResult {
        let task = BoardTask {
            to_bottom: true,
            requested_by: Some(context.update.id.clone()),
            ..BoardTask::default()
        };
        let table = guard.table();
        let is_here = context.is_table_here(table);
        let plays = table.is_open() && table.seating.is_seated(&context.update.person.id);
        let chat = context.table_chat(table);
        let entry = (is_here || plays).then(|| OutboxEntry::board(chat, table, task).encode());
        let commit = Commit::from_puts(entry.into_iter().collect());
        let views = if is_here {
            posting_feedback_views("done-below")
        } else {
            vec![View {
                texts: vec![Text::new("answer-board-resent")],
                ..board_picture_view(table)
            }]
        };
        drop(guard);
        let _ = self.committer.commit_changes(context, Vec::new(), commit, &views).await?;
        Ok(views)
    }

    /// Runs a command at a table, and commits and answers it.
    pub(crate) async fn execute_command(
        &self,
        context: &mut RequestContext<'_>,
        mut guard: TableGuard,
        command: Command,
        build_replies: &ReplyBuilder<'_>,
    ) -> HandlerResult {
        let actor = context.actor();
        for _ in 0..DECIDE_TRIES {
            let decision = match self.decide(guard.table(), &actor, &command).await {
                Ok(decision) => decision,
                Err(error) => {
                    let refusal = error.refusal()?;
                    return self.refusals.refusal_views(context, guard, refusal).await;
                }
            };
            if begins_game(guard.table(), &decision) {
                ensure_not_draining(context)?;
            }
            self.ensure_rematch_allowed(context, guard.table(), &decision).await?;
            let limits = &self.limits;
            if let Err(error) =
                limits.ensure_seats_below_limit(context, guard.table(), &decision).await
            {
                let refusal = Refusal::new(error.refusal()?);
                return self.refusals.refusal_views(context, guard, refusal).await;
            }
            let outcome = if decision.opens_rematch {
                self.rematches.open_rematch(context, &mut guard, build_replies(&decision)).await?
            } else {
                self.commit_decision(context, &mut guard, decision, build_replies).await?
            };
            // Conflict: either this update was handled before, or the table changed.
            match outcome {
                Some(views) => return Ok(views),
                None => match self.committer.stored_answer(context.update).await? {
                    Some(stored) => return Ok(stored.replies),
                    None if self.repository.reload_table(&mut guard).await? => {}
                    None => return Ok(brief_views("refuse-trouble")),
                },
            }
        }
        Ok(brief_views("refuse-busy"))
    }

    /// Checks for a decision about a rematch that this person may open a table in the home of a
    /// table, where the rematch is opened, and that it takes a further one. A person who agrees to
    /// an offer need not be allowed to open tables.
    async fn ensure_rematch_allowed(
        &self,
        context: &mut RequestContext<'_>,
        old: &Table,
        decision: &Decision,
    ) -> Result<(), RequestError> {
        let is_offer =
            |it: &Event| matches!(it, Event::OfferMade { offer: PlayerOffer::Rematch, .. });
        let is_offered = old.offers.pending_kind() == Some(PlayerOffer::Rematch);
        let is_first = !is_offered && (decision.opens_rematch || decision.events().any(is_offer));
        if is_first && old.chats.is_in_group() {
            let home = old.chats.home();
            let settings = match home.without_topic() == context.update.chat.id.without_topic() {
                true => context.chat_settings.clone(),
                false => self.repository.profiles().load_chat_settings(home).await?,
            };
            ensure_may_open_table_in(context, home, &settings)?;
        }
        if !decision.opens_rematch {
            return Ok(());
        }
        let opener = rematch_opener(old, &context.update.person.id, context.now_ms);
        self.limits.ensure_rematch_fits(context, old, &opener).await
    }

    /// Decides a command. A rematch may be offered again if the last one came to nothing.
    async fn decide(
        &self,
        table: &Table,
        actor: &Actor,
        command: &Command,
    ) -> Result<Decision, RequestError<Refusal>> {
        let decided = if *command == Command::Offer(OfferKind::Rematch)
            && let Some(next) = &table.next_table
            && self.rematches.has_come_to_nothing(next).await?
        {
            table::decide_another_rematch(table, actor)
        } else {
            table::decide(table, actor, command)
        };
        decided.map_err(RequestError::Refused)
    }

    /// Commits a decision at a table and returns the replies. Returns `None` on conflict: then
    /// nothing has changed.
    pub(crate) async fn commit_decision(
        &self,
        context: &mut RequestContext<'_>,
        guard: &mut TableGuard,
        decision: Decision,
        build_replies: &ReplyBuilder<'_>,
    ) -> Result<Option<Vec<View>>, Failure> {
        remember_clock(context, &decision);
        let mut views = build_replies(&decision);
        if !views.iter().any(|it| it.form.is_toast()) {
            let ack = feedback_view(guard.table(), &decision, &context.update.person.id);
            views.splice(0..0, ack);
        }
        let is_hint = acted_events(&decision).all(|it| matches!(it, Event::HintGiven { .. }));
        let hand = match is_hint {
            true => None,
            false => self.hands.hand_after_move(context, guard, &decision.table).await?,
        };
        let answered_seat = hand.as_ref().map(|(seat, _)| *seat);
        views.extend(hand.map(|(_, view)| view));
        let (decision, reserved_row) = self.reserved_tables.reserve_next_table(decision);
        let change = TableChange { guard, decision, answered_seat, waiting: None };
        let commit = Commit::from_puts(reserved_row.into_iter().collect());
        let outcome = self.committer.commit_changes(context, vec![change], commit, &views).await?;
        Ok((outcome == CommitOutcome::Committed).then_some(views))
    }
}

/// Whether a decision begins a game: here or, as a rematch, at another table.
fn begins_game(before: &Table, decision: &Decision) -> bool {
    let starts = before.phase == TablePhase::Lobby && decision.table.phase == TablePhase::Playing;
    starts || decision.opens_rematch
}

/// The conditional moves of a person, for them alone.
pub(crate) fn conditional_moves_view(table: &Table, person: &PersonId) -> View {
    let seat = table.seating.seats_of(person).next();
    let text = match seat.and_then(|it| conditional_move_list(table, it)) {
        None => Text::new("answer-plan-none"),
        Some(plan) => Text::new("answer-plan").with("plan", plan),
    };
    View { secret: true, ..View::persistent(vec![text]) }
}

/// The events of a decision, without those that only record the chat of a player.
fn acted_events(decision: &Decision) -> impl Iterator<Item = &Event> {
    decision.events().filter(|it| !matches!(it, Event::PlayerChatChanged { .. }))
}

/// Whether a table concerns a person: it is shown in their chat, or they play.
pub(crate) fn concerns_person(table: &Table, context: &RequestContext<'_>) -> bool {
    table.chats.is_in_chat(context.update.chat.id.without_topic())
        || is_opener_or_player(table, context)
}

/// Whether a person has opened a table or has played there with one of their accounts.
fn is_opener_or_player(table: &Table, context: &RequestContext<'_>) -> bool {
    let person = &context.update.person.id;
    table.setup.opener == *person
        || table.has_played(person)
        || context.person.accounts.iter().any(|it| table.has_played(it))
}

/// The board as a picture for a chat where it is not shown; hidden parts only for a person who
/// plays alone.
fn board_picture_view(table: &Table) -> View {
    let solo_picture =
        table.is_solo().then(|| board_view::board_picture(table, table.chats.home()));
    let picture = solo_picture.unwrap_or_else(|| PictureRef::Board { table: table.id.0.clone() });
    View { picture: Some(picture), ..View::default() }
}

pub(crate) fn record_views(table: &Table) -> Vec<View> {
    if !table.is_over() && !table.setup.is_outdated() {
        return brief_views("refuse-no-record");
    }
    let texts = vec![Text::new("answer-record").with("table", table.id.0.as_str())];
    vec![View { texts, record_of: Some(table.id.0.clone()), ..View::default() }]
}

/// The replies besides the board and besides the acknowledgement of [`feedback_view`].
fn extra_reply_views(decision: &Decision, origin: RequestOrigin) -> Vec<View> {
    match acted_events(decision).collect::<Vec<_>>().as_slice() {
        [Event::OfferMade { .. } | Event::SubstituteProposed { .. }]
            if origin == RequestOrigin::Pressed =>
        {
            brief_views("answer-offered")
        }
        [Event::OfferAgreed { .. } | Event::SubstituteAgreed { .. }]
            if origin == RequestOrigin::Pressed =>
        {
            brief_views("answer-agreed")
        }
        [Event::InviteesReminded] => brief_views("answer-reminded"),
        [Event::KeptOpen] => brief_views("answer-extended"),
        [.., Event::OfferDeclined { .. }] if origin == RequestOrigin::Pressed => {
            brief_views("answer-declined")
        }
        [Event::DeclineExplained { .. }] => brief_views("answer-explained"),
        _ => Vec::new(),
    }
}
