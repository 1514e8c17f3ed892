//! Commits the effects of an update, and stores what follows from them in profiles.

use std::sync::Arc;

use super::context::{ProfileChanges, RequestContext};
use super::table_limits::require_counted_seats;
use super::{account_linking, vacation};
use crate::repository::outbox_entry::WaitingViewer;
use crate::repository::profiles::{ChatProfile, update_chat_profile};
use crate::repository::row_update::TypedRowKey;
use crate::repository::stored_rows::{StoredAnswer, parse_json_or_default, remove_row};
use crate::repository::{CommitOutcome, Failure, Repository, TableChange, WaitingInChat, keys};
use caravanserai_games::ids::{ChatId, ChatKind};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::Update;
use caravanserai_protocol::view::View;
use caravanserai_store::{Commit, Expect, Space};
use caravanserai_table::state::Table;

/// Commits the effects of updates, each at most once.
pub(crate) struct UpdateCommitter {
    repository: Arc<Repository>,
}

impl UpdateCommitter {
    pub(crate) fn new(repository: Arc<Repository>) -> Self {
        Self { repository }
    }

    /// Commits the effects of an update. Returns [`CommitOutcome::Conflict`] if the update was
    /// handled before or a table changed concurrently.
    pub(crate) async fn commit_changes(
        &self,
        context: &mut RequestContext<'_>,
        mut changes: Vec<TableChange<'_>>,
        mut commit: Commit,
        views: &[View],
    ) -> Result<CommitOutcome, Failure> {
        let id = context.update.id.clone();
        if changes.iter().any(|it| vacation::ends_vacation(&it.decision, &context.update.person.id))
        {
            self.end_vacation(context, &mut commit).await?;
        }
        for change in &mut changes {
            change.waiting = Some(self.waiting_viewer(context, &change.decision.table));
        }
        let after = changes.iter().map(|it| &it.decision.table);
        let chats: Vec<ChatId> = after.flat_map(|it| it.chats.ids()).cloned().collect();
        commit.expect.push(Expect::absent(Space::Seen, id));
        if changes.iter().any(|it| account_linking::names_people(&it.decision)) {
            // An account that is linked concurrently must not take a seat under its own name.
            context.links.require_unchanged(&mut commit);
        }
        require_counted_seats(context, &changes, &mut commit);
        commit.puts.push(context.answer_put(views, self.repository.limits().seen_ttl_ms));
        commit.puts.extend(context.extra_rows.iter().cloned());
        let outcome = match self.repository.commit_changes(changes, commit).await {
            Ok(outcome) => outcome,
            Err(refused @ (Failure::SeatBlocked(_) | Failure::ChatBeingDeleted)) => {
                return Err(refused);
            }
            Err(failure) => {
                // The stored answer shows whether the commit succeeded despite the error.
                if self.stored_answer(context.update).await.ok().flatten().is_none() {
                    return Err(failure);
                }
                chats.iter().for_each(|chat| self.repository.schedule_send(chat));
                CommitOutcome::Committed
            }
        };
        if outcome == CommitOutcome::Committed {
            metrics::counter!("caravanserai_commits_total").increment(1);
            context.extra_rows.clear();
        }
        Ok(outcome)
    }

    /// Stores the answer to a request whose effects were refused by a commit, so that a redelivery
    /// of typed text, which would refer to another state, has no effect. The rows that follow from
    /// the refused decision are not stored.
    pub(crate) async fn store_refusal(
        &self,
        context: &mut RequestContext<'_>,
        views: &[View],
    ) -> Result<(), Failure> {
        (context.chosen_clock, context.returned_person) = (None, None);
        if !context.is_press() {
            let _ = self.commit_changes(context, Vec::new(), Commit::default(), views).await?;
        }
        Ok(())
    }

    /// The sender as a person who waits to see a change of this table.
    fn waiting_viewer(&self, context: &RequestContext<'_>, table: &Table) -> WaitingInChat {
        let person = &context.update.person.id;
        let occupant = table.seating.people_seated().find(|it| it.person == *person);
        let lobby_seat = occupant.map(|it| it.lobby_seat);
        let waited_ms =
            self.repository.time_source().monotonic_ms().saturating_sub(context.started_ms);
        let since_ms = self.repository.now_ms().saturating_sub(waited_ms);
        let viewer = WaitingViewer { lobby_seat, since_ms };
        WaitingInChat { chat: context.table_chat(table).clone(), viewer }
    }

    /// The stored answer to an update that was handled before.
    pub(crate) async fn stored_answer(
        &self,
        update: &Update,
    ) -> Result<Option<StoredAnswer>, Failure> {
        let seen = self.repository.read_value(Space::Seen, &update.id).await?;
        Ok(seen.map(|bytes| parse_json_or_default(Some(bytes))))
    }

    /// Ends the vacation of a person who acts at a table: the commit also changes their profile.
    async fn end_vacation(
        &self,
        context: &mut RequestContext<'_>,
        commit: &mut Commit,
    ) -> Result<(), Failure> {
        let person = &context.update.person.id;
        if context.person.vacation_until(context.now_ms).is_none()
            && context.returned_person.is_none()
        {
            return Ok(());
        }
        let stored = self.repository.read_row(TypedRowKey::person(person)).await?;
        let mut profile = stored.value().clone();
        profile.end_vacation(context.now_ms);
        stored.set(&profile, commit);
        context.returned_person = Some(person.clone());
        context.set_person(profile);
        Ok(())
    }

    /// Stores the profile changes that the update contains.
    pub(crate) async fn store_profile_changes(
        &self,
        context: &mut RequestContext<'_>,
    ) -> Result<(), Failure> {
        let ProfileChanges { person, chat } = std::mem::take(&mut context.profile_changes);
        if person && context.account == context.update.person.id {
            self.repository.profiles().store_person(&context.update.person).await?;
        }
        if chat {
            let speaker_lang = context.speaker_lang();
            let here = &context.update.chat;
            let update_profile = |it: &mut ChatProfile| {
                update_chat_profile(it, context.update, &context.account, speaker_lang)
            };
            context.chat_settings.set_own(
                self.repository.update_row(TypedRowKey::chat(&here.id), update_profile).await?,
            );
        }
        Ok(())
    }

    /// Stores in profiles the effects of a committed action. A failure here does not undo it.
    pub(crate) async fn store_profile_effects(&self, context: &mut RequestContext<'_>) {
        if let Some(clock) = context.chosen_clock.take() {
            let chosen = |it: &mut ChatProfile| it.clock = Some(clock.clone());
            let result = self
                .repository
                .update_row(TypedRowKey::chat(&context.update.chat.id), chosen)
                .await;
            if let Err(failure) = result {
                tracing::error!(%failure, "failed to store the clock of a chat");
            }
        }
        if let Some(person) = context.returned_person.take() {
            // Tables where this fails are updated by the person's next move there.
            if let Err(failure) =
                self.repository.external_events().end_vacation_at_tables(&person).await
            {
                let person = person.0;
                tracing::error!(person, %failure, "failed to end a vacation at all tables");
            }
        }
    }

    /// Stores the rows that no commit has stored, and marks a chat that could not be written to as
    /// reachable.
    pub(crate) async fn store_remaining_rows(
        &self,
        context: &mut RequestContext<'_>,
        views: &mut Vec<View>,
    ) -> Result<(), Failure> {
        let chat = &context.update.chat.id;
        let mut puts = std::mem::take(&mut context.extra_rows);
        let was_muted = context.missing_permissions.is_some();
        if let Some(rights) = context.missing_permissions.take() {
            let rights = Arg::Names(rights);
            views.push(View::brief(Text::new("answer-lacked-rights").with("rights", rights)));
            puts.push(remove_row(Space::Meta, keys::send_forbidden(chat)));
        }
        self.repository.put_all(puts).await?;
        if context.was_unreachable {
            self.repository.schedule_chat_send(chat.without_topic());
            if context.update.chat.kind == ChatKind::Private
                && let Some(newest) =
                    self.repository.membership_reports().newer_than_reports(context.update).await?
            {
                self.repository
                    .external_events()
                    .record_return(chat, &context.update.person.id, &newest)
                    .await?;
            }
        }
        if was_muted {
            self.repository.schedule_send(chat);
        }
        Ok(())
    }
}
