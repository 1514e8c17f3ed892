//! Posts and edits the board message of a table, and the ping that mentions the player to move.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::send_worker::count_call;
use super::table_message::TableMessage;
use super::{Delivery, only_message};
use crate::client_state::phase_name;
use crate::repository::outbox_entry::{
    BoardTask, OutboxEntry, OutboxMessage, PingTask, WaitingViewer,
};
use crate::repository::outbox_key::OutboxKey;
use crate::repository::profiles::{ChatProfile, DisplayPrefs};
use crate::repository::stored_rows::{BoardState, PingKind, PingedTurn};
use crate::repository::{CommitOutcome, Failure};
use crate::results::row_formats::GameRatings;
use crate::views::board_view;
use crate::views::board_view::{BoardContext, InlineBoard};
use crate::views::lobby_view;
use crate::views::pending_offers::{self, offer_deadline_line};
use caravanserai_games::ids::{ChatId, ChatKind, MessageId, PersonId};
use caravanserai_games::text::{Arg, RichSpan, RichText, Text};
use caravanserai_protocol::view::View;
use caravanserai_protocol::{
    BoardSummary, Notification, OutgoingMessage, Platform, PrivateMessage, SendError,
};
use caravanserai_store::{Commit, Space};
use caravanserai_table::consent::seats_yet_to_agree;
use caravanserai_table::state::{Table, TablePhase};

/// The context of one sender: its chat or topic, platform and whole chat.
#[derive(Clone, Copy)]
pub(super) struct SendContext<'a> {
    pub(super) delivery: &'a Delivery,
    pub(super) platform: &'a dyn Platform,
    pub(super) chat: &'a ChatId,
    /// The stored profile of its chat.
    pub(super) profile: &'a ChatProfile,
    /// Whether the chat forbade the bot to write when it last tried.
    pub(super) was_forbidden: bool,
}

/// The answer of a platform to a call, unless the store failed. What a call changed in the state of
/// a board is stored whatever the answer is.
pub(super) type CallResult<T = ()> = Result<Result<T, SendError>, Failure>;

impl SendContext<'_> {
    /// The view of the table in this chat.
    fn board_view(&self, table: &Table, page: u8, ratings: Option<&GameRatings>) -> View {
        let hand_delivery = self.delivery.hand_delivery(self.chat);
        let is_busy = self.delivery.are_boards_delayed(self.chat);
        let invite_links = self.delivery.invite_links(&table.id.0);
        let kind = match table.chats.location_in(self.chat) {
            Some(location) if location.reader.is_some() => ChatKind::Private,
            Some(_) | None => ChatKind::Group,
        };
        let windows = self.platform.app_windows();
        let app_link = windows.and_then(|it| it.board_link(self.chat, kind, Some(&table.id.0)));
        let app_link = app_link.as_ref();
        let links = self.platform.invite_links();
        let private_chat_url = links.and_then(|it| it.private_chat_link(&table.id.0));
        let inline_board = self.single_message().map(|_| InlineBoard {
            page,
            private_chat_url: private_chat_url.as_deref(),
            can_show_picture: !self.is_text_only(),
        });
        let chat = self.chat;
        let context = BoardContext {
            chat,
            hand_delivery,
            is_busy,
            invite_links: &invite_links,
            app_link,
            inline_board,
            ratings,
        };
        let mut view = board_view::board_view(table, context);
        // The last line names the player to move, so the text goes before it.
        let last = view.texts.len().saturating_sub(1);
        if let Some(text) = self.failed_hands_text(table) {
            view.texts.insert(last, text);
        }
        view
    }

    /// The only message of this chat, if the chat consists of a single message.
    pub(super) fn single_message(&self) -> Option<MessageId> {
        only_message(self.platform, self.chat)
    }

    /// Whether this chat consists of a single message that shows no pictures now.
    fn is_text_only(&self) -> bool {
        let boards = self.platform.inline_boards();
        boards.is_some_and(|it| it.only_message(self.chat).is_some() && !it.can_show_pictures())
    }

    /// The notification of a message in this chat, which may want none.
    pub(super) fn chat_notification(&self, wanted: Notification) -> Notification {
        if self.profile.is_silent { Notification::Silent } else { wanted }
    }

    /// Shows a message to one person in this chat.
    ///
    /// # Errors
    /// As [`show_ephemeral`](caravanserai_protocol::EphemeralMessages::show_ephemeral).
    pub(super) async fn show_ephemeral(
        &self,
        person: &PersonId,
        slot: &str,
        message: &PrivateMessage,
    ) -> Result<(), SendError> {
        let messages = self.platform.ephemeral_messages().ok_or(SendError::NotAllowed)?;
        let shown = messages.show_ephemeral(self.chat, person, slot, message).await;
        self.record_answer(&shown);
        shown
    }

    /// Whether the message of this slot already shows a person this content, see
    /// [`is_shown`](caravanserai_protocol::EphemeralMessages::is_shown).
    pub(super) async fn is_shown(
        &self,
        person: &PersonId,
        slot: &str,
        message: &PrivateMessage,
    ) -> bool {
        match self.platform.ephemeral_messages() {
            Some(it) => it.is_shown(self.chat, person, slot, message).await,
            None => false,
        }
    }

    /// The message that replaces the board of a table that has left this chat.
    pub(super) async fn detached_board_message(
        &self,
        table: &Table,
    ) -> Result<TableMessage, Failure> {
        let nonce = format!("detached {}", table.id.0);
        self.render_message(&board_view::detached_view(table), table, nonce).await
    }

    /// Shows the board, see [`SendContext::show_board`], and measures how long people have waited
    /// for it. If it is refused, also as text, tells them privately that their actions count.
    pub(super) async fn update_board(
        self,
        table: &Table,
        task: BoardTask,
        state: &mut BoardState,
    ) -> CallResult {
        let waiting = task.waiting.clone();
        let sent = self.show_board(table, task, state).await?;
        let is_shown =
            state.message.is_some() && state.shown_version == table.version && !state.is_hidden;
        match sent {
            Ok(()) if is_shown => self.record_latencies(&waiting),
            Err(SendError::Refused(_)) => {
                let text = Text::new("answer-board-refused");
                self.notify_privately(people_at(table, &waiting), text).await?;
            }
            Ok(()) | Err(_) => {}
        }
        Ok(sent)
    }

    fn record_latencies(&self, waiting: &[WaitingViewer]) {
        let now_ms = self.delivery.repository.now_ms();
        for it in waiting {
            metrics::histogram!("caravanserai_press_to_board_seconds",
                "platform" => self.platform.name())
            .record(now_ms.saturating_sub(it.since_ms) as f64 / 1_000.0);
        }
    }

    /// Makes the board show this table: by an edit, or by a new post at the bottom if that is
    /// requested (`task.down`), if other messages have moved the board up too far, or if it no
    /// longer exists.
    async fn show_board(
        self,
        table: &Table,
        task: BoardTask,
        state: &mut BoardState,
    ) -> CallResult {
        let messages = self.platform.message_lookup();
        if let Some(messages) = messages {
            messages.refresh_chat_state(self.chat).await;
        }
        let only = self.single_message();
        if only.is_some() && table.next_table.is_some() {
            // The next table is shown there now.
            return Ok(Ok(()));
        }
        let is_unseen = only.is_none() && state.message.is_none();
        if is_unseen && matches!(table.phase, TablePhase::Closed { .. }) {
            // It was cancelled before anybody here saw it.
            state.shown_version = table.version;
            return Ok(Ok(()));
        }
        if !self.delivery.can_see(table, self.chat) {
            return self.close_board(table, state).await;
        }
        state.is_hidden = false;
        let ratings = self.delivery.repository.results().shown_ratings(table).await?;
        let view = self.board_view(table, task.page, ratings.as_ref());
        let message = self.render_message(&view, table, board_nonce(table, state)).await?;
        let awaited_account = match awaited_seat(table).and_then(|it| table.seating.occupant(it)) {
            Some(player) if !player.is_computer() => Some(self.account_here(&player.person).await?),
            Some(_) | None => None,
        };
        let board = match self.platform.capabilities().shows_table_list {
            true => Some(self.board_summary(table).await?),
            false => None,
        };
        let message = message.map_content(|it| OutgoingMessage {
            notification: self.chat_notification(it.notification),
            answers_update: task.requested_by,
            awaited_person: awaited_account,
            board,
            table: Some(table.id.clone()),
            ..it
        });
        self.remove_answered_ping(table, state).await;
        if !self.has_lease().await? {
            return Ok(Err(lost_lease_error()));
        }
        let Some(current) = state.message.clone().or_else(|| only.clone()) else {
            return Ok(self.post_board(table, message, state, None).await);
        };
        let below = messages.map_or(0, |it| it.messages_below(self.chat, &current));
        let is_near = !task.to_bottom
            && !state.is_post_in_progress
            && below < self.delivery.repository.limits().other_messages_below_max;
        if is_near || only.is_some() {
            match self.edit_message(&current, &message).await {
                Ok(()) => {
                    self.mark_shown(table, &current, &message, state);
                    state.message = Some(current);
                    return Ok(Ok(()));
                }
                // Nothing can be posted instead of the only message.
                Err(SendError::MessageGone) if only.is_none() => {}
                // Content that an edit cannot show may still be posted, if posts are possible. A
                // chat with a single message would be reported as gone.
                Err(SendError::Refused(why)) if only.is_none() => {
                    tracing::warn!(chat = %self.chat.0, why, "edit rejected, reposting");
                }
                Err(error) => return Ok(Err(error)),
            }
        }
        let message =
            message.map_content(|it| OutgoingMessage { notification: Notification::Silent, ..it });
        self.repost_board(table, message, state, current).await
    }

    /// The summary of the board, for platforms that list the tables of a chat.
    async fn board_summary(&self, table: &Table) -> Result<BoardSummary, Failure> {
        let mut players = Vec::new();
        for player in table.seating.people() {
            let account = self.account_here(player).await?;
            // Names from other platforms must not appear here.
            players.extend((account.platform() == self.chat.platform()).then_some(account));
        }
        let mut invited = Vec::new();
        if table.phase == TablePhase::Lobby {
            for person in table.awaited_invitees().filter_map(|(_, it)| it.person.as_ref()) {
                let account = self.account_here(person).await?;
                invited.extend((account.platform() == self.chat.platform()).then_some(account));
            }
        }
        let reader = self.profile.display_prefs();
        let renderer = &self.delivery.message_renderer;
        Ok(BoardSummary {
            answers: (table.phase == TablePhase::Lobby)
                .then(|| lobby_view::invitation_answers(table)),
            invited,
            game: table.game_id().info().code.to_owned(),
            phase: phase_name(&table.phase),
            players,
            names: renderer.seated_names(table, reader.lang),
            open_seats: table.open_seat_count(),
        })
    }

    /// The account of a person on the platform of this chat.
    pub(super) async fn account_here(&self, person: &PersonId) -> Result<PersonId, Failure> {
        let profiles = self.delivery.repository.profiles();
        profiles.account_on_platform(person, self.chat.platform()).await
    }

    /// Replaces the board, once, by a message that people here may no longer watch.
    async fn close_board(&self, table: &Table, state: &mut BoardState) -> CallResult {
        self.remove_answered_ping(table, state).await;
        state.shown_version = table.version;
        if std::mem::replace(&mut state.is_hidden, true) {
            return Ok(Ok(()));
        }
        let current = state.message.clone().or_else(|| self.single_message());
        let Some(current) = current else { return Ok(Ok(())) };
        if !self.has_lease().await? {
            return Ok(Err(lost_lease_error()));
        }
        let message = self
            .render_message(&board_view::closed_to_spectators_view(table), table, String::new())
            .await?;
        Ok(match self.edit_message(&current, &message).await {
            Err(SendError::Refused(why)) if self.single_message().is_none() => {
                tracing::warn!(chat = %self.chat.0, why, "edit rejected, deleting board");
                self.delete_board(&current, state).await
            }
            // It may be there, with a picture that an edit cannot remove.
            Err(SendError::MessageGone) if self.single_message().is_none() => {
                self.delete_board(&current, state).await
            }
            Err(SendError::MessageGone | SendError::Refused(_)) => Ok(()),
            other => other,
        })
    }

    /// Deletes a board that cannot be edited and that people here may not see any more.
    async fn delete_board(
        &self,
        current: &MessageId,
        state: &mut BoardState,
    ) -> Result<(), SendError> {
        match self.delete_message(current).await {
            Ok(()) | Err(SendError::MessageGone) => {
                state.message = None;
                Ok(())
            }
            Err(error) if error.is_transient() => {
                state.is_hidden = false;
                Err(error)
            }
            // No other call can help in this case.
            Err(_) => Ok(()),
        }
    }

    /// Posts the board again at the bottom. The attempt is stored before the call.
    async fn repost_board(
        &self,
        table: &Table,
        message: TableMessage,
        state: &mut BoardState,
        current: MessageId,
    ) -> CallResult {
        if !self.has_lease().await? {
            return Ok(Err(lost_lease_error()));
        }
        if !state.is_post_in_progress {
            let before = state.clone();
            state.posts += 1;
            state.is_post_in_progress = true;
            let state_puts = self.delivery.board_state_puts(self.chat, table, &before, state);
            let expect = vec![before.expect_unchanged(&table.id, self.chat)];
            let commit = Commit { expect, ..Commit::from_puts(state_puts) };
            if self.delivery.repository.commit_rows(commit).await? == CommitOutcome::Conflict {
                return Ok(Err(lost_lease_error()));
            }
            state.stored = state.put(&table.id, self.chat).value;
        }
        let nonce = board_nonce(table, state);
        let message = message.map_content(|it| OutgoingMessage { nonce, ..it });
        Ok(self.post_board(table, message, state, Some(current)).await)
    }

    /// Whether this process still has the lease of the chat. A call that hung, or a picture that
    /// took long to draw, may have outlasted the lease: another process may have shown a newer
    /// state since, and no older state may follow it.
    async fn has_lease(&self) -> Result<bool, Failure> {
        self.delivery.acquire_chat(self.chat, self.platform).await
    }

    /// Deletes the ping that the last move answered.
    async fn remove_answered_ping(&self, table: &Table, state: &mut BoardState) {
        if let Some(ping) = state.ping.take_if(|_| state.pinged_version != table.version) {
            // A ping that cannot be deleted does no harm.
            self.delete_message(&ping).await.ok();
        }
    }

    /// Posts the board. After a crash, or after a lost reply, it is posted once more under the same
    /// nonce: see [`Platform::post`]. If the platform does not detect duplicates, the first one may
    /// stay above it: a press on it counts as on the live one, or gets a reply.
    async fn post_board(
        &self,
        table: &Table,
        message: TableMessage,
        state: &mut BoardState,
        old: Option<MessageId>,
    ) -> Result<(), SendError> {
        let id = self.post_with_text_fallback(&message).await?;
        if let Some(old) = old.filter(|old| *old != id)
            && self.retire_message(&old, message.clone()).await.is_err()
        {
            state.unremoved_messages.push(old);
        }
        self.mark_shown(table, &id, &message, state);
        state.message = Some(id);
        state.is_post_in_progress = false;
        Ok(())
    }

    /// Posts a message. If the platform refuses it, its picture may be the reason: then it is
    /// posted as text only, so that people can continue.
    pub(super) async fn post_with_text_fallback(
        &self,
        message: &TableMessage,
    ) -> Result<MessageId, SendError> {
        let posted = self.post_message(message).await;
        let Err(SendError::Refused(why)) = &posted else { return posted };
        let Some(text_only) = message.without_attachments() else { return posted };
        tracing::warn!(chat = %self.chat.0, why, "a picture or file was refused");
        count_call(self.platform, &posted);
        self.post_message(&text_only).await
    }

    /// Deletes an older board, or removes its buttons if it cannot be deleted or should stay.
    ///
    /// # Errors
    /// When a retry makes sense, or the chat is gone or has another id, which concerns its tables.
    async fn retire_message(
        &self,
        old: &MessageId,
        replacement: TableMessage,
    ) -> Result<(), SendError> {
        if !self.profile.keeps_boards {
            match self.delete_message(old).await {
                Ok(()) | Err(SendError::MessageGone) => return Ok(()),
                Err(error) if self.is_topic_gone(&error) => return Ok(()),
                Err(error) if concerns_chat_or_retry(&error) => return Err(error),
                Err(_) => {}
            }
        }
        // It stays in the chat without buttons; a press on it would get a reply anyway.
        let without_buttons =
            replacement.map_content(|it| OutgoingMessage { buttons: Vec::new(), ..it });
        match self.edit_message(old, &without_buttons).await {
            // It may be there, with a picture that an edit cannot replace.
            Err(SendError::MessageGone) if self.profile.keeps_boards => {
                match self.delete_message(old).await {
                    Err(error) if concerns_chat_or_retry(&error) => Err(error),
                    Ok(()) | Err(_) => Ok(()),
                }
            }
            Err(error) if self.is_topic_gone(&error) => Ok(()),
            Err(error) if concerns_chat_or_retry(&error) => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Whether a call failed because the topic of this chat is gone. Messages about what is left
    /// there stay when its tables move to the chat, so such a call must not be repeated.
    pub(super) fn is_topic_gone(&self, error: &SendError) -> bool {
        let SendError::ChatMoved(to) = error else { return false };
        self.chat != to && self.chat.without_topic() == to.0
    }

    /// Removes older boards that could not be removed when the newer one was posted. What stays of
    /// them shows the table as the newer one does: where people may not watch, it says so.
    pub(super) async fn remove_old_boards(&self, table: &Table, old: &[MessageId]) -> CallResult {
        let view = match self.delivery.can_see(table, self.chat) {
            true => self.board_view(table, 0, None),
            false => board_view::closed_to_spectators_view(table),
        };
        let replacement = self.render_message(&view, table, String::new()).await?;
        let live_board = self.delivery.live_board(table, self.chat).await?;
        for old in old.iter().filter(|it| live_board.as_ref() != Some(it)) {
            if let Err(error) = self.retire_message(old, replacement.clone()).await {
                return Ok(Err(error));
            }
        }
        Ok(Ok(()))
    }

    /// Records that the board shows this table now, with these buttons.
    fn mark_shown(
        &self,
        table: &Table,
        id: &MessageId,
        message: &TableMessage,
        state: &mut BoardState,
    ) {
        state.shown_version = table.version;
        let now_ms = self.delivery.repository.time_source().monotonic_ms();
        let name = format!("{} {}", self.chat.0, id.0);
        self.delivery.misclick_guard.set_keyboard(&name, message.buttons(), now_ms);
    }

    /// The text of a ping; `None` if the table has advanced since it was requested.
    fn current_ping_text(&self, table: &Table, task: &PingTask) -> Option<Text> {
        let is_invitation = task.purpose.kind == PingKind::Invitation;
        if is_invitation && task.version != table.version {
            // Some of them may have answered.
            let texts = match table.phase {
                TablePhase::Lobby => pending_offers::invitation_reminder_texts(table),
                TablePhase::Playing | TablePhase::Over { .. } | TablePhase::Closed { .. } => {
                    Vec::new()
                }
            };
            return texts.into_iter().find(|(chat, _)| chat == self.chat).map(|(_, text)| text);
        }
        let is_current = match task.turn {
            Some(turn) => PingedTurn::of(table, task.purpose) == Some(turn),
            None => task.version == table.version,
        };
        task.text.clone().filter(|_| is_current)
    }

    /// Pings the player to move, unless the table has advanced.
    pub(super) async fn send_ping(
        self,
        table: &Table,
        task: PingTask,
        state: &mut BoardState,
    ) -> CallResult {
        let Some(text) = self.current_ping_text(table, &task) else { return Ok(Ok(())) };
        if self.profile.is_silent || self.single_message().is_some() {
            return Ok(Ok(()));
        }
        let purpose = task.purpose;
        let Some(text) = self.delivery.filter_ping(table, text, purpose).await? else {
            return Ok(Ok(()));
        };
        let is_about_offer = purpose.kind == PingKind::Waiting && !purpose.is_turn_reminder;
        let deadline = offer_deadline_line(table).filter(|_| is_about_offer);
        if let Some(ping) = state.ping.take() {
            self.delete_message(&ping).await.ok();
        }
        if !self.has_lease().await? {
            return Ok(Err(lost_lease_error()));
        }
        let reply_to = state.message.clone();
        let notification = Notification::Audible;
        let texts = [text].into_iter().chain(deadline).collect();
        let view = View { texts, notification, reply_to, ..View::default() };
        let nonce = format!("call {} {} {}", table.id.0, table.version, state.ping_count);
        let message = self.render_message(&view, table, nonce).await?;
        Ok(self.post_with_text_fallback(&message).await.map(|id| {
            state.ping = Some(id);
            state.pinged_version = table.version;
            state.ping_count += 1;
        }))
    }

    /// Handles a chat where nothing can be shown: tells people who have acted since `since_ms`, in
    /// milliseconds since 1970, and wait to see it, privately that it counts, and which permissions
    /// the bot lacks.
    pub(super) async fn notify_undeliverable(
        &self,
        lacking: Vec<Arg>,
        since_ms: u64,
    ) -> Result<(), Failure> {
        let repository = &self.delivery.repository;
        let mut people = BTreeSet::new();
        let prefix = OutboxKey::chat_prefix(self.chat);
        for (key, value) in repository.read_all_rows(Space::Outbox, &prefix).await? {
            let entry = OutboxEntry::decode(&key, value).map(OutboxEntry::into_message);
            let Some(OutboxMessage::Board(id, mut task)) = entry else { continue };
            task.waiting.retain(|it| it.since_ms > since_ms);
            if task.waiting.is_empty() {
                continue;
            }
            match repository.load_table(&id).await {
                Ok(Some(table)) => people.extend(people_at(&table, &task.waiting)),
                Err(failure @ Failure::Store(_)) => return Err(failure),
                // A table that cannot be read is reported when it is used.
                Ok(None) | Err(_) => {}
            }
        }
        let text = Text::new("answer-not-shown").with("rights", Arg::Names(lacking));
        self.notify_privately(people, text).await
    }

    async fn notify_privately(
        &self,
        people: BTreeSet<PersonId>,
        text: Text,
    ) -> Result<(), Failure> {
        let view = View::brief(text);
        for person in people {
            let reader = self
                .delivery
                .repository
                .profiles()
                .load_person(&person)
                .await?
                .display_prefs(self.profile);
            let nonce = format!("vain {}", person.0);
            let message =
                self.delivery.message_renderer.render_private(&view, &reader, nonce, None).await?;
            let slot = format!("vain {}", self.chat.without_topic());
            let account = self.account_here(&person).await?;
            // If they cannot be reached privately, their next press tells them.
            self.show_ephemeral(&account, &slot, &message).await.ok();
        }
        Ok(())
    }

    async fn render_message(
        &self,
        view: &View,
        table: &Table,
        nonce: String,
    ) -> Result<TableMessage, Failure> {
        let mut reader = self.profile.display_prefs();
        reader.text_boards |= self.is_text_only();
        let renderer = &self.delivery.message_renderer;
        let location = table.chats.location_in(self.chat);
        let Some(only) = location.and_then(|it| it.reader) else {
            let mut view = Cow::Borrowed(view);
            let permissions = self.platform.permission_lookup();
            if !reader.text_boards
                && let Some(right) =
                    permissions.and_then(|it| it.missing_picture_permission(self.chat))
            {
                reader.text_boards = true;
                view.to_mut().texts.push(Text::new("answer-in-words").with("right", right));
            }
            let message = renderer.render_outgoing(&view, &reader, nonce, Some(table)).await?;
            return Ok(self.address_mentions(message).await?.into());
        };
        let person = self
            .delivery
            .repository
            .profiles()
            .load_person(only)
            .await?
            .display_prefs(self.profile);
        let lang = if table.is_solo() { reader.lang } else { person.lang };
        let reader = DisplayPrefs { lang, ..person };
        let message = renderer.render_private(view, &reader, nonce, Some(table)).await?;
        let accounts = self.mentioned_accounts(message.text()).await?;
        Ok(TableMessage::Private(message.map(|it| replace_mentions(it, &accounts))))
    }

    /// Replaces mentioned people by the accounts that they have on this platform.
    pub(super) async fn address_mentions(
        &self,
        message: OutgoingMessage,
    ) -> Result<OutgoingMessage, Failure> {
        let accounts = self.mentioned_accounts(&message.text).await?;
        Ok(replace_mentions(message, &accounts))
    }

    /// The accounts that people who are mentioned have on this platform, in order.
    async fn mentioned_accounts(&self, text: &RichText) -> Result<Vec<PersonId>, Failure> {
        let mut accounts = Vec::new();
        for span in &text.0 {
            let RichSpan::Mention { person, .. } = span else { continue };
            accounts.push(self.account_here(&PersonId(person.clone())).await?);
        }
        Ok(accounts)
    }
}

/// A message that mentions people by these accounts.
fn replace_mentions(mut message: OutgoingMessage, accounts: &[PersonId]) -> OutgoingMessage {
    let mentions = message.text.0.iter_mut().filter_map(|span| match span {
        RichSpan::Mention { person, .. } => Some(person),
        RichSpan::Plain(_) | RichSpan::Bold(_) | RichSpan::Code(_) | RichSpan::Time { .. } => None,
    });
    mentions.zip(accounts).for_each(|(person, account)| person.clone_from(&account.0));
    message
}

/// The people at a table among those who wait.
fn people_at(table: &Table, waiting: &[WaitingViewer]) -> BTreeSet<PersonId> {
    let waits = |seat: u8| waiting.iter().any(|it| it.lobby_seat == Some(seat));
    let players = table.seating.people_seated().filter(|it| waits(it.lobby_seat));
    players.map(|it| it.person.clone()).collect()
}

/// The seat whose player the table waits for: the one to move, or after the game the first one who
/// has not answered the offer of a rematch.
fn awaited_seat(table: &Table) -> Option<u8> {
    match table.is_open() {
        true => table.seat_to_move().filter(|it| table.computer_level_of(*it).is_none()),
        false => seats_yet_to_agree(table).first().copied(),
    }
}

/// The error if another process has the lease by now.
fn lost_lease_error() -> SendError {
    SendError::Temporary("another process has the lease of the chat".to_owned())
}

fn board_nonce(table: &Table, state: &BoardState) -> String {
    format!("board {} {}", table.id.0, state.posts)
}

/// Whether a failed call says something about the chat, or may succeed later.
fn concerns_chat_or_retry(error: &SendError) -> bool {
    error.is_transient() || matches!(error, SendError::ChatGone | SendError::ChatMoved(_))
}
