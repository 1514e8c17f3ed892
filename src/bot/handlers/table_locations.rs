//! Shows one table in several chats: adds it to another chat or to a private chat, and removes it
//! again.

use std::sync::Arc;

use super::context::{HandlerResult, RequestContext, brief_views};
use super::external_query::ExternalQuery;
use super::open_table::ensure_may_open_table;
use super::request_error::RequestError;
use super::table_limits::TableLimits;
use super::table_requests::CommandRunner;
use crate::delivery::Delivery;
use crate::repository::TableGuard;
use crate::views::board_view;
use crate::views::board_view::BoardContext;
use crate::views::lobby_view;
use crate::views::press_feedback::posting_feedback_views;
use caravanserai_games::ids::{ChatId, ChatKind};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::View;
use caravanserai_protocol::{ReplyForm, SendError};
use caravanserai_table::command::Command;
use caravanserai_table::state::{AttachedChat, Table, TablePhase};

/// Shows tables in further chats and removes them again.
pub(crate) struct TableLocations {
    delivery: Arc<Delivery>,
    limits: Arc<TableLimits>,
    command_runner: Arc<CommandRunner>,
}

impl TableLocations {
    pub(crate) fn new(
        delivery: Arc<Delivery>,
        limits: Arc<TableLimits>,
        command_runner: Arc<CommandRunner>,
    ) -> Self {
        Self { delivery, limits, command_runner }
    }

    /// Shows a table in the chat of the sender too. Anybody who knows the code of a table that was
    /// opened in a group may show it elsewhere, because the platforms of its players do not know
    /// each other's members.
    pub(crate) async fn attach_table(
        &self,
        context: &mut RequestContext<'_>,
        guard: TableGuard,
        is_watch_only: bool,
    ) -> HandlerResult {
        let chat = context.update.chat.id.clone();
        ensure_may_open_table(context)?;
        self.ensure_may_see(context, guard.table())?;
        if guard.table().chats.location_in(&chat).is_none() {
            self.limits.ensure_chat_has_space(context).await?;
        }
        let kind = context.update.chat.kind;
        let person = context.update.person.id.clone();
        let views = match kind {
            ChatKind::Group => posting_feedback_views("done-shown-here"),
            ChatKind::Private if is_watch_only => brief_views("answer-watching"),
            ChatKind::Private => brief_views("answer-shown-here"),
        };
        let attached_chat = AttachedChat { chat, kind, attached_by: person, is_watch_only };
        self.command_runner
            .execute_command(context, guard, Command::Attach(attached_chat), &|_| views.clone())
            .await
    }

    /// Checks that the sender may see a table: there are some that only players and invited people
    /// may see. A person who comes to a table in the lobby was given its code to play.
    fn ensure_may_see(
        &self,
        context: &RequestContext<'_>,
        table: &Table,
    ) -> Result<(), RequestError> {
        let is_player = table.seating.is_seated(&context.update.person.id);
        if is_player || self.delivery.can_see(table, &context.update.chat.id) {
            return Ok(());
        }
        let form = ReplyForm::Toast;
        let view = View { form, ..board_view::closed_to_spectators_view(table) };
        Err(RequestError::Refused(vec![view]))
    }

    /// Shows a table to one of its players in their private chat with the bot.
    pub(crate) async fn play_in_private(
        &self,
        context: &mut RequestContext<'_>,
        guard: TableGuard,
    ) -> HandlerResult {
        let person = context.update.person.id.clone();
        let is_player = guard.table().seating.is_seated(&person);
        if context.update.chat.kind == ChatKind::Private {
            if is_player && guard.table().is_over() {
                // The group may have no space for the final board.
                let chat = &context.update.chat.id;
                let board_context = BoardContext::plain(chat, self.delivery.hand_delivery(chat));
                return Ok(vec![board_view::board_view(guard.table(), board_context)]);
            }
            let is_watch_only = !is_player && guard.table().phase != TablePhase::Lobby;
            return self.attach_table(context, guard, is_watch_only).await;
        }
        if !is_player {
            let code = guard.table().id.0.as_str();
            let text = Text::new("refuse-private-seat").with("table", code);
            return Ok(vec![View::brief(text)]);
        }
        let is_shown_privately = |table: &Table| {
            table.chats.locations().any(|it| it.reader == Some(&person) && !it.is_watch_only)
        };
        if is_shown_privately(guard.table()) {
            return Ok(brief_views("refuse-already-private"));
        }
        let chat = match context.query_results.private_chat_id(&context.account).cloned() {
            None => {
                let query = ExternalQuery::PrivateChatId(context.account.clone());
                return Err(context.suspend_for_query(query));
            }
            Some(Ok(chat)) => chat,
            Some(Err(SendError::Refused(_))) => return Ok(brief_views("refuse-private-none")),
            Some(Err(SendError::NotAllowed | SendError::ChatGone)) => {
                return Ok(vec![
                    self.start_private_chat_view(&guard.id().0, &context.update.chat.id),
                ]);
            }
            Some(Err(error)) => {
                tracing::warn!(%error, "failed to open a private chat");
                return Ok(brief_views("refuse-trouble"));
            }
        };
        let attached_chat = AttachedChat {
            chat,
            kind: ChatKind::Private,
            attached_by: person,
            is_watch_only: false,
        };
        self.command_runner
            .execute_command(context, guard, Command::Attach(attached_chat), &|_| {
                brief_views("answer-private")
            })
            .await
    }

    /// Explains how to start a private chat with the bot.
    fn start_private_chat_view(&self, code: &str, chat: &ChatId) -> View {
        let text = match self.delivery.private_invite_link(chat, code) {
            Some(link) => Text::new("refuse-private-closed-link").with("link", link),
            None => Text::new("refuse-private-closed"),
        };
        View::persistent(vec![text.with("table", code)])
    }

    /// The links and the code through which others can join a table before the start.
    pub(crate) fn invite_links_view(&self, table: &Table) -> View {
        if table.phase != TablePhase::Lobby || table.is_solo() {
            return View::brief(Text::new("refuse-none-waiting"));
        }
        let links = self.delivery.invite_links(&table.id.0);
        let title = Text::new("answer-invite").with("table", &*table.id.0);
        View::persistent(
            [title].into_iter().chain(lobby_view::invite_link_lines(table, &links)).collect(),
        )
    }

    /// Removes a table from the chat of the sender.
    pub(crate) async fn detach_table(
        &self,
        context: &mut RequestContext<'_>,
        guard: TableGuard,
    ) -> HandlerResult {
        let chat = context.update.chat.id.clone();
        self.command_runner
            .execute_command(context, guard, Command::Detach(chat), &|_| {
                brief_views("answer-stopped")
            })
            .await
    }
}
