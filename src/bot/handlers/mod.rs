//! What one update gets: which table is meant, what is asked of it, what is answered.
//!
//! Start reading at [`Handlers::answer`]. What is asked of a table goes on in [`table_requests`].

mod account_linking;
mod confirmation;
pub(crate) mod context;
mod external_query;
mod guests;
pub(crate) mod help;
mod hint;
mod inline_challenges;
mod invitations;
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
mod table_locations;
pub(crate) mod table_requests;
mod table_state;
mod unsaved_counter;
mod vacation;

use std::sync::Arc;

use crate::commands::action::{Request, TableRef};
use crate::delivery::{Delivery, MISCLICK_WINDOW_MS, MessageRenderer};
use crate::parsing::parse_request;
use crate::parsing::words::truncate_message;
use crate::repository::profiles::{ChatProfile, DisplayPrefs, PersonProfile, update_chat_profile};
use crate::repository::quarantine::GuardedInput;
use crate::repository::row_update::TypedRowKey;
use crate::repository::stored_rows::{StoredAnswer, parse_json_or_default, put_json, remove_row};
use crate::repository::{CommitOutcome, Failure, Repository, TableChange, keys};
use crate::views::hand_views;
use crate::workers::Workers;
use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind, TableId};
use caravanserai_games::rules::Seat;
use caravanserai_games::text::{Arg, Text};
use caravanserai_i18n::{Lang, vocabulary};
use caravanserai_protocol::view::View;
use caravanserai_protocol::{HandleOutcome, Person, PersonKind, Update, UpdateKind};
use caravanserai_store::{Commit, Expect, Space};
use caravanserai_table::command::Command;
use caravanserai_table::state::Table;
use context::{ContextOutcome, ProfileNews, brief_note};
pub use context::{HandlerResult, RequestContext};
use external_query::{ExternalQuery, QueryResults};

/// Answers updates.
pub struct Handlers {
    repository: Arc<Repository>,
    workers: Arc<Workers>,
    delivery: Arc<Delivery>,
    message_renderer: Arc<MessageRenderer>,
    hints: hint::PendingHints,
    request_limiter: request_limiter::RequestLimiter,
    /// Codes of tables are not to be found by trying.
    code_limiter: request_limiter::RequestLimiter,
    membership_retries: membership_retries::MembershipRetryQueue,
    /// Counts answers that nothing can be saved.
    unsaved_counter: unsaved_counter::UnsavedCounter,
}

/// Of so many requests one may be for a table that is somewhere else.
const FOREIGN_TABLE_SHARE: u32 = 24;

/// Whether words in answer to a board are an attempt to move: people also talk about the game. In a
/// group only what is understood, or looks like a move that was mistyped, gets an answer.
fn is_attempt(table: &Table, update: &Update) -> bool {
    let UpdateKind::Text { text, .. } = &update.kind else { return true };
    let text = truncate_message(text);
    let Some(seat) = table.seats_of(&update.person.id).next() else { return false };
    let understood = table
        .game
        .as_deref()
        .is_some_and(|it| it.parse_move(Seat(seat), text, vocabulary()).is_some());
    let short = text.split_whitespace().count() <= 3 && text.chars().count() <= 24;
    let alone = update.chat.kind == PlaceKind::Private;
    understood || (short && (alone || looks_like_move(text)))
}

/// Whether a text may be a move that was mistyped. Smileys, scores and questions have digits too:
/// `<3`, `8)`, `+1`, `7?`.
fn looks_like_move(text: &str) -> bool {
    let is_sign = |it: char| it.is_alphanumeric() || is_move_character(it);
    let text = text.trim().trim_end_matches(['.', '!']);
    text.starts_with(is_sign) && text.ends_with(is_sign) && text.contains(is_move_character)
}

/// Whether moves of any game are written with this character: a number, or a suit of cards.
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
    /// An open desk.
    pub fn new(
        ledger: Arc<Repository>,
        minds: Arc<Workers>,
        post: Arc<Delivery>,
        letters: Arc<MessageRenderer>,
    ) -> Arc<Self> {
        let per_minute = ledger.limits().requests_per_minute;
        let pace = request_limiter::RequestLimiter::new(per_minute, ledger.time_source().clone());
        let codes = request_limiter::RequestLimiter::new(
            per_minute / FOREIGN_TABLE_SHARE,
            ledger.time_source().clone(),
        );
        let (hints, unkept, unsaved) = Default::default();
        Arc::new(Handlers {
            repository: ledger,
            workers: minds,
            delivery: post,
            message_renderer: letters,
            hints,
            request_limiter: pace,
            code_limiter: codes,
            membership_retries: unkept,
            unsaved_counter: unsaved,
        })
    }

    /// The address of the web page that shows boards, if there is one.
    pub(crate) fn page_url(&self) -> Option<String> {
        self.delivery.page_url()
    }

    /// Handles an update and answers the person who caused it. It waits for no engine and no
    /// network: an answer that needs them comes later.
    pub async fn answer(self: &Arc<Self>, update: &Update) -> HandleOutcome {
        self.answer_with_results(update, QueryResults::default()).await
    }

    /// Handles an update with the findings of earlier attempts.
    async fn answer_with_results(
        self: &Arc<Self>,
        update: &Update,
        findings: QueryResults,
    ) -> HandleOutcome {
        let mut hearer = ReplyContext {
            display_prefs: stranger_display_prefs(update),
            person: update.person.id.clone(),
            findings: findings.clone(),
            question: None,
        };
        let request = parse_request(&update.kind, update.chat.kind);
        let named_table = request.as_ref().and_then(Request::named_table).cloned();
        let input = GuardedInput::Update(update.id.clone(), named_table);
        let dispatched = self.dispatch(update, None, request.as_ref(), &mut hearer);
        let done = self.repository.run_guarded(&input, dispatched).await;
        if let (Ok(Ok(_)), Some(question)) = (&done, hearer.question.take()) {
            // No clock waits for an engine or a network.
            let arrival = update.arrival.untracked();
            let update = Update { arrival, ..update.clone() };
            return HandleOutcome::defer(
                self.clone().resume_after_query(update, findings, question),
            );
        }
        let kept = !matches!(done, Ok(Err(Failure::Store(_))));
        let notes = match done {
            Ok(Ok(notes)) => notes,
            Ok(Err(failure)) => match failure {
                Failure::Damaged(..) => {
                    tracing::error!(update = %update.id, %failure, "failed to act on an update");
                    brief_note("refuse-table-damaged")
                }
                Failure::Store(_) => {
                    self.unsaved_counter
                        .count_answer(&failure, self.repository.time_source().monotonic_ms());
                    brief_note("refuse-unsaved")
                }
            },
            Err(_) => brief_note("refuse-table-damaged"),
        };
        let told =
            self.message_renderer.ephemeral_replies(&update.id, &hearer.display_prefs, notes).await;
        told.iter().for_each(|it| self.delivery.record_private_keyboard(&hearer.person, it));
        HandleOutcome::ready(told, kept)
    }

    /// Says that nothing is done any more: what comes now is for the next process.
    pub async fn refuse_while_stopping(&self, update: &Update) -> HandleOutcome {
        let (reader, notes) = (stranger_display_prefs(update), brief_note("refuse-trouble"));
        HandleOutcome::ready(
            self.message_renderer.ephemeral_replies(&update.id, &reader, notes).await,
            false,
        )
    }

    /// Answers an update while the store is unavailable.
    pub async fn refuse_unsaved(&self, update: &Update) -> HandleOutcome {
        self.count_ignored_update();
        let told = match update.kind {
            UpdateKind::Text { .. } | UpdateKind::Command { .. } | UpdateKind::Press { .. } => {
                let (reader, notes) =
                    (stranger_display_prefs(update), brief_note("refuse-unsaved"));
                self.message_renderer.ephemeral_replies(&update.id, &reader, notes).await
            }
            // No person waits for an answer.
            UpdateKind::BotAdded
            | UpdateKind::BotRemoved
            | UpdateKind::ChatDeleted
            | UpdateKind::ChatMoved { .. }
            | UpdateKind::MemberLeft { .. }
            | UpdateKind::MembersJoined { .. } => Vec::new(),
        };
        HandleOutcome::ready(told, false)
    }

    fn count_ignored_update(&self) {
        let silent_ms = self.repository.store_silent_ms();
        let why = format!("the store has not answered for {silent_ms} ms");
        self.unsaved_counter.count_answer(&why, self.repository.time_source().monotonic_ms());
    }

    /// Acts on an update; `account` is by which it was said if `update` names the person behind
    /// it.
    async fn dispatch(
        &self,
        update: &Update,
        account: Option<&PersonId>,
        request: Option<&Request>,
        hearer: &mut ReplyContext,
    ) -> HandlerResult {
        if self.handle_membership(update).await? {
            return Ok(Vec::new());
        }
        let place = &update.chat.id;
        if request.is_none() && !matches!(update.kind, UpdateKind::BotAdded) {
            return Ok(Vec::new());
        }
        let begun = RequestContext::load(&self.repository, update, account, request).await?;
        let mut visit = match begun {
            ContextOutcome::Ready(visit) => visit,
            ContextOutcome::Linked(id, news) => {
                if news.person {
                    self.repository.store_person(&update.person).await?;
                }
                let person = Person { id, ..update.person.clone() };
                let by_them = Update { person, ..update.clone() };
                let account = Some(&update.person.id);
                return Box::pin(self.dispatch(&by_them, account, request, hearer)).await;
            }
        };
        hearer.display_prefs = visit.display_prefs();
        hearer.person = update.person.id.clone();
        visit.query_results = std::mem::take(&mut hearer.findings);
        let mut notes = Vec::new();
        if request.is_none() {
            self.store_profile_news(&mut visit).await?;
        }
        let is_new = matches!(update.kind, UpdateKind::BotAdded) && !visit.was_unreachable;
        if is_new
            && update.chat.kind == PlaceKind::Group
            && self.delivery.capabilities(place).greets_groups
        {
            self.greet_group(&mut visit).await?;
        }
        if let Some(request) = request {
            notes = match self.precheck(&mut visit, request).await? {
                Precheck::Reply(notes) => return Ok(notes),
                Precheck::Proceed => {
                    self.store_profile_news(&mut visit).await?;
                    self.run_request(&mut visit, request.clone()).await?
                }
            };
            hearer.display_prefs = visit.display_prefs();
            if visit.pending_query.is_some() {
                hearer.question = visit.pending_query.take();
                return Ok(Vec::new());
            }
            if !notes.is_empty()
                && let Some(answered) = self.stored_answer(update).await?
            {
                // The same update was acted on while this one waited for the table: what is told
                // now would be about its own deed.
                notes = answered.notes;
            }
        }
        self.flush_learned(&mut visit, &mut notes).await?;
        self.store_profile_effects(&mut visit).await;
        Ok(notes)
    }

    /// Stores what the update says about the person and the place.
    async fn store_profile_news(&self, visit: &mut RequestContext<'_>) -> Result<(), Failure> {
        let ProfileNews { person, place } = std::mem::take(&mut visit.profile_news);
        if person && visit.account == visit.update.person.id {
            self.repository.store_person(&visit.update.person).await?;
        }
        if place {
            let speaker = visit.person.lang.or(visit.person.guess);
            let here = &visit.update.chat;
            let heard = |it: &mut ChatProfile| update_chat_profile(it, here, speaker);
            visit
                .place
                .set_own(self.repository.update_row(TypedRowKey::place(&here.id), heard).await?);
        }
        Ok(())
    }

    /// Ends the vacation of a person who does what only present players do: the commit also changes
    /// their profile.
    async fn end_vacation(
        &self,
        visit: &mut RequestContext<'_>,
        commit: &mut Commit,
    ) -> Result<(), Failure> {
        let own = &visit.update.person.id;
        if visit.person.vacation_until(visit.now_ms).is_none() && visit.returned_person.is_none() {
            return Ok(());
        }
        let stored = self.repository.read_row(TypedRowKey::person(own)).await?;
        let mut profile = stored.value().clone();
        profile.end_vacation(visit.now_ms);
        stored.set(&profile, commit);
        visit.returned_person = Some(own.clone());
        visit.set_person(profile);
        Ok(())
    }

    /// Stores in profiles what follows from a committed action. A failure here does not undo it.
    async fn store_profile_effects(&self, visit: &mut RequestContext<'_>) {
        if let Some(clock) = visit.chosen_clock.take() {
            let chosen = |it: &mut ChatProfile| it.clock = Some(clock.clone());
            let kept =
                self.repository.update_row(TypedRowKey::place(&visit.update.chat.id), chosen).await;
            if let Err(failure) = kept {
                tracing::error!(%failure, "could not keep the clock of a chat");
            }
        }
        if let Some(person) = visit.returned_person.take() {
            // Tables where this fails learn it with the person's next move there.
            if let Err(failure) = self.repository.end_vacation_at_tables(&person).await {
                let person = person.0;
                tracing::error!(person, %failure, "could not note that a person is back");
            }
        }
    }

    /// Notes who and what has come, gone or moved; whether the update said nothing else. Each
    /// update is noted once: when it is delivered again, what it says may no longer be so.
    async fn handle_membership(&self, update: &Update) -> Result<bool, Failure> {
        let place = &update.chat.id;
        let is_known = match &update.kind {
            UpdateKind::Text { .. } | UpdateKind::Command { .. } | UpdateKind::Press { .. } => {
                return Ok(false);
            }
            UpdateKind::BotAdded => {
                self.repository.record_report(update, None).await?;
                return Ok(false);
            }
            _ if self.stored_answer(update).await?.is_some() => return Ok(true),
            UpdateKind::ChatMoved { to } => {
                self.repository.move_place(place, to).await.map(|()| true)?
            }
            UpdateKind::BotRemoved => {
                if let Some(newest) = self.repository.record_report(update, None).await? {
                    self.repository.mark_place_unreachable(place, &newest).await?;
                }
                true
            }
            UpdateKind::ChatDeleted => self.repository.delete_place(place).await.map(|()| true)?,
            UpdateKind::MemberLeft { who, .. } => {
                self.note_people_moved(update, std::slice::from_ref(who)).await?
            }
            UpdateKind::MembersJoined { who } => self.note_people_moved(update, who).await?,
        };
        // A person who never wrote to the bot is at no table.
        if is_known {
            let now_ms = self.repository.now_ms();
            let answered = StoredAnswer { at_ms: now_ms, notes: vec![] };
            let done = put_json(Space::Seen, update.id.clone(), &answered);
            self.repository
                .put_all(vec![done.expires_at(now_ms + self.repository.limits().seen_ttl_ms)])
                .await?;
        }
        Ok(true)
    }

    /// Notes at their tables that these people have left a place or returned to it; whether the bot
    /// knows any of them.
    async fn note_people_moved(&self, update: &Update, who: &[PersonId]) -> Result<bool, Failure> {
        let place = &update.chat.id;
        let mut is_known = false;
        for who in who {
            if self.repository.read_value(Space::Person, &who.0).await?.is_none() {
                continue;
            }
            is_known = true;
            let newest = self.repository.record_report(update, Some(who)).await?;
            let Some(newest) = newest else { continue };
            match &update.kind {
                UpdateKind::MemberLeft { how, .. } => {
                    self.repository.record_departure(place, who, *how, &newest).await?;
                }
                _ => self.repository.record_return(place, who, &newest).await?,
            }
        }
        Ok(is_known)
    }

    /// Whether an update is to be acted on at all.
    async fn precheck(
        &self,
        visit: &mut RequestContext<'_>,
        request: &Request,
    ) -> Result<Precheck, Failure> {
        if !self.is_reply_to_bot(visit, request).await? {
            return Ok(Precheck::Reply(Vec::new()));
        }
        if let Some(answered) = visit.stored_answer.take() {
            return Ok(Precheck::Reply(answered.notes));
        }
        if !visit.query_results.is_empty() {
            // The first attempt has been let in.
            return Ok(Precheck::Proceed);
        }
        let person = &visit.update.person;
        Ok(match person.kind {
            PersonKind::Anonymous => Precheck::Reply(brief_note("refuse-anonymous")),
            PersonKind::Bot => Precheck::Reply(brief_note("refuse-bot")),
            PersonKind::Human if !self.request_limiter.allow_request(&person.id) => {
                Precheck::Reply(brief_note("refuse-too-fast"))
            }
            PersonKind::Human if self.is_misclick(visit, request).await => {
                let notes = brief_note("refuse-slid");
                // Given again it must not act after all.
                let _ = self.commit_changes(visit, Vec::new(), Commit::default(), &notes).await?;
                Precheck::Reply(notes)
            }
            PersonKind::Human => Precheck::Proceed,
        })
    }

    /// Whether a button has just slid under the finger that presses it. What another process has
    /// shown is not known here: then whoever has just acted cannot have seen yet what came of it.
    async fn is_misclick(&self, visit: &RequestContext<'_>, request: &Request) -> bool {
        let UpdateKind::Press { callback_data: press, message: Some(message) } = &visit.update.kind
        else {
            return false;
        };
        let Request::Table { table: TableRef::Id(table), action, .. } = request else {
            return false;
        };
        let (person, place) = (&visit.update.person.id, &visit.update.chat.id);
        let slot = hand_views::hand_slot_of_id(table);
        if let Some(slid) = self.delivery.is_misclick(person, (place, message), &slot, press) {
            return slid;
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

    /// Whether words that answer a message answer one of ours: people talk to each other too.
    async fn is_reply_to_bot(
        &self,
        visit: &RequestContext<'_>,
        request: &Request,
    ) -> Result<bool, Failure> {
        let Request::Table { table: TableRef::Message(_), action, .. } = request else {
            return Ok(true);
        };
        let is_move = matches!(action.command(), Some(Command::Play { .. }));
        if !is_move || is_command(&visit.update.kind) {
            return Ok(true);
        }
        let Some(id) = &visit.answered_table else { return Ok(false) };
        let Ok(Some(table)) = self.repository.load_table(id).await else { return Ok(true) };
        Ok(is_attempt(&table, visit.update))
    }

    /// What was learned is kept if nothing was committed on the way; a place that could not be
    /// spoken to can be again.
    async fn flush_learned(
        &self,
        visit: &mut RequestContext<'_>,
        notes: &mut Vec<View>,
    ) -> Result<(), Failure> {
        let place = &visit.update.chat.id;
        let mut puts = std::mem::take(&mut visit.extra_rows);
        let was_mute = visit.missing_permissions.is_some();
        if let Some(rights) = visit.missing_permissions.take() {
            let rights = Arg::Names(rights);
            notes.push(View::brief(Text::new("answer-lacked-rights").with("rights", rights)));
            puts.push(remove_row(Space::Meta, keys::muted(place)));
        }
        self.repository.put_all(puts).await?;
        if visit.was_unreachable {
            self.repository.schedule_chat_send(place.chat());
            if visit.update.chat.kind == PlaceKind::Private
                && let Some(newest) = self.repository.newer_than_reports(visit.update).await?
            {
                self.repository.record_return(place, &visit.update.person.id, &newest).await?;
            }
        }
        if was_mute {
            self.repository.schedule_send(place);
        }
        Ok(())
    }

    async fn stored_answer(&self, update: &Update) -> Result<Option<StoredAnswer>, Failure> {
        let seen = self.repository.read_value(Space::Seen, &update.id).await?;
        Ok(seen.map(|bytes| parse_json_or_default(Some(bytes))))
    }

    async fn run_request(&self, visit: &mut RequestContext<'_>, request: Request) -> HandlerResult {
        match request {
            Request::Table { table, action, is_typed } => {
                self.handle_table_request(visit, table, action, is_typed).await
            }
            Request::Chat(action) => action.run(self, visit).await,
        }
    }

    /// Writes what an update did. [`CommitOutcome::Conflict`] when it turns out that it was done
    /// before,
    /// or that a table changed meanwhile.
    async fn commit_changes(
        &self,
        visit: &mut RequestContext<'_>,
        deeds: Vec<TableChange<'_>>,
        mut commit: Commit,
        notes: &[View],
    ) -> Result<CommitOutcome, Failure> {
        let id = visit.update.id.clone();
        if deeds.iter().any(|it| vacation::ends_vacation(&it.decision, &visit.update.person.id)) {
            self.end_vacation(visit, &mut commit).await?;
        }
        let after = deeds.iter().map(|it| &it.decision.table);
        let tables: Vec<(PlaceId, TableId, u64)> = after
            .clone()
            .map(|it| (visit.table_place(it).clone(), it.id.clone(), it.version))
            .collect();
        let places: Vec<PlaceId> = after.flat_map(Table::chats).cloned().collect();
        commit.expect.push(Expect::absent(Space::Seen, id));
        if deeds.iter().any(|it| account_linking::names_people(&it.decision)) {
            // An account that is linked meanwhile must not sit down under its own name.
            visit.links.require_unchanged(&mut commit);
        }
        commit.puts.push(visit.answer_put(notes, self.repository.limits().seen_ttl_ms));
        commit.puts.extend(visit.extra_rows.iter().cloned());
        let entered = match self.repository.commit_changes(deeds, commit).await {
            Ok(entered) => entered,
            Err(failure) => {
                // Whether it happened all the same is seen by what it would have written.
                if self.stored_answer(visit.update).await.ok().flatten().is_none() {
                    return Err(failure);
                }
                places.iter().for_each(|place| self.repository.schedule_send(place));
                CommitOutcome::Committed
            }
        };
        if entered == CommitOutcome::Committed {
            // Somebody waits to see it.
            for (place, table, version) in &tables {
                let person = &visit.update.person.id;
                self.delivery.record_change(person, (table, place), *version, visit.started_ms);
            }
            metrics::counter!("caravanserai_commits_total").increment(1);
            visit.extra_rows.clear();
        }
        Ok(entered)
    }

    /// Updates the buttons of boards with hands after the way to show hands in this chat changed.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn refresh_hand_boards(&self, place: &PlaceId) -> Result<(), Failure> {
        let boards = self.refresh_boards(place, crate::views::hand_views::has_hands).await?;
        self.repository.put_all(boards).await
    }
}

/// Who is told what came of an update, and how they read it.
struct ReplyContext {
    display_prefs: DisplayPrefs,
    person: PersonId,
    /// The findings for the update.
    findings: QueryResults,
    /// The question whose answer it needs first.
    question: Option<ExternalQuery>,
}

/// Whether an update is to be acted on.
enum Precheck {
    /// It is.
    Proceed,
    /// This is all it gets.
    Reply(Vec<View>),
}

/// How to show something to somebody of whom nothing is known.
fn stranger_display_prefs(update: &Update) -> DisplayPrefs {
    let guess = update.person.locale.as_deref().and_then(Lang::from_locale);
    PersonProfile { guess, ..PersonProfile::default() }.display_prefs(&ChatProfile::default())
}
