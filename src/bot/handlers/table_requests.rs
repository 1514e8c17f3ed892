//! What is asked of one table: hold it, decide, commit, wake the senders.

use std::sync::Arc;

use super::Handlers;
use super::context::{HandlerResult, RequestContext, brief_note};
use super::resolve_table::TableResolution;
use crate::commands::action::{TableAccess, TableAction, TableRef, TableRequest};
use crate::repository::stored_rows::BoardTask;
use crate::repository::{CommitOutcome, Failure, TableChange, TableGuard, keys};
use crate::views::ack::{ack_view, posting_ack_views};
use crate::views::{board_view, hand_views, lobby_view};
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::{PictureRef, View};
use caravanserai_store::{Commit, Put, Space};
use caravanserai_table::command::Command;
use caravanserai_table::event::Event;
use caravanserai_table::state::{Table, TablePhase};
use caravanserai_table::{self as table, Decision, Refusal};

/// How often a command is decided anew when somebody else was first.
const DECIDE_TRIES: usize = 3;

/// What the actor is told of what was decided.
type ReplyBuilder<'a> = dyn Fn(&Decision) -> Vec<View> + Sync + 'a;

impl Handlers {
    pub(crate) async fn handle_table_request(
        &self,
        visit: &mut RequestContext<'_>,
        table: TableRef,
        action: Arc<dyn TableAction>,
        is_typed: bool,
    ) -> HandlerResult {
        let id = match self.resolve_table(visit, table, &action).await? {
            TableResolution::Table(id) => id,
            TableResolution::Answer(notes) => return Ok(notes),
        };
        if self.repository.is_quarantined(&id) {
            return Ok(brief_note("refuse-table-damaged"));
        }
        let brings = action.access() == TableAccess::AnyoneWithCode;
        let first = visit.query_results.is_empty();
        if brings && first && !self.code_limiter.allow_request(&visit.update.person.id) {
            return Ok(brief_note("refuse-too-fast"));
        }
        let Some(mut held) = self.repository.lock_table(&id).await? else {
            let text = Text::new("refuse-unknown-table").with("table", id.0);
            return Ok(vec![View::brief(text)]);
        };
        if action.command().is_some() {
            self.resolve_person_at_ended_table(visit, &mut held).await?;
        }
        // Whoever knows its code may bring a table to where they are, but for those of one person.
        let anywhere = brings && !held.table().is_solo();
        if !anywhere && !concerns_person(held.table(), visit) {
            let text = Text::new("refuse-unknown-table").with("table", id.0);
            return Ok(vec![View::brief(text)]);
        }
        let must_see = !anywhere && action.access() != TableAccess::ShownHere;
        if must_see && !self.can_see_here(held.table(), visit) {
            return Ok(vec![board_view::closed_to_spectators_view(held.table())]);
        }
        action.run(TableRequest { handlers: self, context: visit, guard: held, is_typed }).await
    }

    /// Replaces an account by the person that it belongs to now, at a table that ended before the
    /// accounts were linked: such a table still names the account.
    async fn resolve_person_at_ended_table(
        &self,
        visit: &RequestContext<'_>,
        held: &mut TableGuard,
    ) -> Result<(), Failure> {
        let (table, person) = (held.table().clone(), visit.update.person.id.clone());
        let played =
            |it: &&PersonId| has_seat(&table, it) && table.can_merge_account_now(it, &person);
        let account = visit.person.accounts.iter().find(played);
        let Some(account) = account.filter(|_| !table.is_open()).cloned() else { return Ok(()) };
        let same = Event::AccountsMerged { account, person };
        let decision = table::apply_external_event(&table, same, visit.event_meta())
            .map_err(|why| Failure::Damaged(table.id.clone(), why))?;
        let deed = TableChange { guard: held, decision, answered_seat: None };
        if self.repository.commit_changes(vec![deed], Commit::default()).await?
            == CommitOutcome::Conflict
        {
            // The table changed meanwhile: the person has to press again.
            self.repository.reload_table(held).await?;
        }
        Ok(())
    }

    /// Whether a person may see a table from the chat where they are: players may from everywhere.
    fn can_see_here(&self, table: &Table, visit: &RequestContext<'_>) -> bool {
        let chat = visit.update.chat.id.chat();
        let mut here = table.chats().filter(|it| it.chat() == chat);
        is_opener_or_player(table, visit) || here.any(|it| self.delivery.can_see(table, it))
    }

    /// Does what was understood, after asking back where that is wanted, or tells why not.
    pub(crate) async fn execute_or_refuse(
        &self,
        visit: &mut RequestContext<'_>,
        held: TableGuard,
        meant: Result<Command, Refusal>,
        typed: bool,
    ) -> HandlerResult {
        match meant {
            Ok(command) => {
                if let Some(asked) =
                    self.confirmation_note(visit, held.table(), &command, typed).await?
                {
                    return Ok(vec![asked]);
                }
                let declines = command == Command::DeclineInvitation;
                let foresees = matches!(command, Command::SetConditionalMoves(_));
                let own = visit.update.person.id.clone();
                let told = |it: &Decision| {
                    let why = declines.then(|| lobby_view::decline_reason_view(&it.table));
                    let plan = foresees.then(|| conditional_move_note(&it.table, &own));
                    acknowledgement_notes(it, typed).into_iter().chain(why).chain(plan).collect()
                };
                self.execute_command(visit, held, command, &told).await
            }
            Err(refusal) => self.refusal_notes(visit, held, refusal).await,
        }
    }

    /// Changes something in the lobby from a page and shows the page again, unless the game began
    /// thereby.
    pub(crate) async fn change_lobby(
        &self,
        visit: &mut RequestContext<'_>,
        held: TableGuard,
        command: Command,
        page: impl Fn(&Table) -> View + Sync,
    ) -> HandlerResult {
        let after = |next: &Table| (next.phase == TablePhase::Lobby).then(|| page(next));
        self.execute_command(visit, held, command, &|decision| {
            acknowledgement_notes(decision, false)
                .into_iter()
                .chain(after(&decision.table))
                .collect()
        })
        .await
    }

    pub(crate) async fn repost_board(
        &self,
        visit: &mut RequestContext<'_>,
        held: TableGuard,
    ) -> HandlerResult {
        let task = BoardTask { down: true, asked: Some(visit.update.id.clone()), page: 0 };
        let place = visit.table_place(held.table());
        let commit = Commit::from_puts(vec![task.put(held.table(), place)]);
        let notes = if visit.is_table_here(held.table()) {
            posting_ack_views("done-below")
        } else {
            vec![View {
                texts: vec![Text::new("answer-board-down")],
                ..board_picture_note(held.table())
            }]
        };
        drop(held);
        let _ = self.commit_changes(visit, Vec::new(), commit, &notes).await?;
        Ok(notes)
    }

    pub(crate) async fn execute_command(
        &self,
        visit: &mut RequestContext<'_>,
        mut held: TableGuard,
        command: Command,
        told: &ReplyBuilder<'_>,
    ) -> HandlerResult {
        let actor = visit.actor();
        for _ in 0..DECIDE_TRIES {
            let decision = match table::decide(held.table(), &actor, &command) {
                Ok(decision) => decision,
                Err(refusal) => return self.refusal_notes(visit, held, refusal).await,
            };
            if let Some(text) = self.seat_limit_refusal(visit, held.table(), &decision).await? {
                let refusal = Refusal { text, is_stale: false };
                return self.refusal_notes(visit, held, refusal).await;
            }
            let entered = if decision.opens_rematch {
                self.open_rematch(visit, &mut held, told(&decision)).await?
            } else {
                self.commit_decision(visit, &mut held, decision, told).await?
            };
            // Conflict: either this very update was acted on before, or the table changed.
            match entered {
                Some(notes) => return Ok(notes),
                None => match self.stored_answer(visit.update).await? {
                    Some(answered) => return Ok(answered.notes),
                    None if self.repository.reload_table(&mut held).await? => {}
                    None => return Ok(brief_note("refuse-trouble")),
                },
            }
        }
        Ok(brief_note("refuse-busy"))
    }

    /// Writes what was decided at a table and gives what the actor is told. `None` on conflict;
    /// nothing has happened then.
    pub(crate) async fn commit_decision(
        &self,
        visit: &mut RequestContext<'_>,
        held: &mut TableGuard,
        decision: Decision,
        told: &ReplyBuilder<'_>,
    ) -> Result<Option<Vec<View>>, Failure> {
        self.remember_clock(visit, &decision);
        let mut notes = told(&decision);
        if !notes.iter().any(|it| it.brief) {
            let done = ack_view(held.table(), &decision, &visit.update.person.id);
            notes.splice(0..0, done);
        }
        let hinted = acted_events(&decision).all(|it| matches!(it, Event::HintGiven { .. }));
        let hand = match hinted {
            true => None,
            false => self.hand_after_move(visit, held, &decision.table).await?,
        };
        let answered = hand.as_ref().map(|(seat, _)| *seat);
        notes.extend(hand.map(|(_, note)| note));
        let (decision, secret) = self.add_promise(decision);
        let deed = TableChange { guard: held, decision, answered_seat: answered };
        let commit = Commit::from_puts(secret.into_iter().collect());
        let entered = self.commit_changes(visit, vec![deed], commit, &notes).await?;
        Ok((entered == CommitOutcome::Committed).then_some(notes))
    }

    /// Whether the button that was pressed stands under a board that all see.
    pub(crate) async fn is_board_button_press(
        &self,
        visit: &RequestContext<'_>,
    ) -> Result<bool, Failure> {
        let Some(message) = visit.pressed_message() else { return Ok(false) };
        let key = keys::message(&visit.update.chat.id, message);
        Ok(self.repository.read_value(Space::Message, &key).await?.is_some())
    }

    /// What shows the presser of an old button how things stand: the board, brought down if they
    /// looked at a board further up, and for a button of their own hand the hand.
    async fn refresh_stale_view(
        &self,
        visit: &RequestContext<'_>,
        table: &Table,
    ) -> Result<Vec<Put>, Failure> {
        let place = visit.table_place(table);
        let Some(message) = visit.pressed_message() else {
            return Ok(vec![BoardTask::default().put(table, place)]);
        };
        let is_board = self.is_board_button_press(visit).await?;
        let live = self.delivery.live_board(table, place).await?;
        let down = is_board && live.is_some_and(|live| live != *message);
        Ok(vec![BoardTask { down, ..BoardTask::default() }.put(table, place)])
    }

    /// The current hand of a player who pressed an old button under it, to replace it; `None` where
    /// the board itself shows the hand.
    async fn current_hand(
        &self,
        visit: &RequestContext<'_>,
        table: &Table,
    ) -> Result<Option<View>, Failure> {
        let place = visit.table_place(table);
        let alone = table.location_in(place).is_none_or(|it| it.reader.is_some());
        let elsewhere = visit.update.is_by_guest() || self.delivery.is_sole(place) || alone;
        if elsewhere || !hand_views::has_hands(table) || self.is_board_button_press(visit).await? {
            return Ok(None);
        }
        Ok(self.own_hand_notes(visit, table).pop().filter(|it| it.slot.is_some()))
    }

    /// Tells why not. Who looked at an old board gets the current one.
    pub(crate) async fn refusal_notes(
        &self,
        visit: &mut RequestContext<'_>,
        held: TableGuard,
        refusal: Refusal,
    ) -> HandlerResult {
        let secret = reveals_hand(held.table(), &refusal);
        let text = board_view::insert_player_names(held.table(), refusal.text);
        let mut notes = vec![View { secret, ..View::brief(text) }];
        if refusal.is_stale && visit.is_press() {
            notes.extend(self.current_hand(visit, held.table()).await?);
        }
        if !visit.is_press() {
            // Words mean "now": said again later by the platform they must not act after all.
            let _ = self.commit_changes(visit, Vec::new(), Commit::default(), &notes).await?;
        }
        if refusal.is_stale && visit.is_press() {
            let puts = self.refresh_stale_view(visit, held.table()).await?;
            drop(held);
            let _ = self.commit_changes(visit, Vec::new(), Commit::from_puts(puts), &notes).await?;
        }
        Ok(notes)
    }
}

/// What somebody has settled for the next move of the other side, for nobody else.
pub(crate) fn conditional_move_note(table: &Table, person: &PersonId) -> View {
    let plan =
        table.seats_of(person).next().map(|it| table.conditional_moves_of(it)).unwrap_or_default();
    let pair = |(theirs, own): &(String, String)| {
        let text = Text::new("plan-pair").with("theirs", theirs.as_str());
        Arg::from(text.with("own", own.as_str()))
    };
    let text = match plan {
        [] => Text::new("answer-plan-none"),
        plan => Text::new("answer-plan").with("plan", Arg::List(plan.iter().map(pair).collect())),
    };
    View { secret: true, ..View::persistent(vec![text]) }
}

/// Whether a refusal reveals the hand of a player: which cards they may play, or what the rules
/// demand of these cards.
fn reveals_hand(table: &Table, refusal: &Refusal) -> bool {
    let info = table.game_id().info();
    let key = refusal.text.key.as_ref();
    let of_game = key.strip_prefix(info.code).is_some_and(|it| it.starts_with('-'));
    info.hidden && (of_game || key == "refuse-what-move")
}

/// What was done, without that somebody is somewhere else now.
fn acted_events(decision: &Decision) -> impl Iterator<Item = &Event> {
    decision.events().filter(|it| !matches!(it, Event::PlayerChatChanged { .. }))
}

/// Whether a table is any business of this person: it stands where they speak, or they play.
pub(crate) fn concerns_person(table: &Table, visit: &RequestContext<'_>) -> bool {
    table.is_in_chat(visit.update.chat.id.chat()) || is_opener_or_player(table, visit)
}

/// Whether a person has opened a table or sits there by one of their accounts.
fn is_opener_or_player(table: &Table, visit: &RequestContext<'_>) -> bool {
    let person = &visit.update.person.id;
    table.setup.opener == *person
        || has_seat(table, person)
        || visit.person.accounts.iter().any(|it| has_seat(table, it))
}

fn has_seat(table: &Table, person: &PersonId) -> bool {
    table.seats_of(person).next().is_some()
}

/// The board as a picture for somebody who is where it does not stand: of what lies hidden only
/// what is theirs alone, for they play alone.
fn board_picture_note(table: &Table) -> View {
    let own = table.is_solo().then(|| board_view::board_picture(table, table.home()));
    let picture = own.unwrap_or_else(|| PictureRef::Board { table: table.id.0.clone() });
    View { picture: Some(picture), ..View::default() }
}

pub(crate) fn record_notes(table: &Table) -> Vec<View> {
    if !matches!(table.phase, TablePhase::Over { .. }) && !table.is_outdated {
        return brief_note("refuse-no-record");
    }
    let texts = vec![Text::new("answer-record").with("table", table.id.0.as_str())];
    vec![View { texts, record_of: Some(table.id.0.clone()), ..View::default() }]
}

/// What is said besides the board and besides what was [`done`].
fn acknowledgement_notes(decision: &Decision, typed: bool) -> Vec<View> {
    match acted_events(decision).collect::<Vec<_>>().as_slice() {
        [Event::OfferMade { .. } | Event::SubstituteProposed { .. }] if !typed => {
            brief_note("answer-offered")
        }
        [Event::OfferAgreed { .. } | Event::SubstituteAgreed { .. }] if !typed => {
            brief_note("answer-agreed")
        }
        [Event::InviteesReminded] => brief_note("answer-reminded"),
        [Event::KeptOpen] => brief_note("answer-extended"),
        [Event::OfferDeclined { .. }] if !typed => brief_note("answer-declined"),
        [Event::DeclineExplained { .. }] => brief_note("answer-explained"),
        _ => Vec::new(),
    }
}
