//! Links to the web page, and buttons that open a board in a window of the platform.

use std::sync::Arc;

use super::{
    LAUNCH_TTL_MS, PASS_LENGTH, PASS_TTL_MS, SignInPass, WindowLaunch, open_member_chats,
    read_sign_out_count,
};
use crate::commands::action::TableCallback;
use crate::commands::launch::LaunchWindow;
use crate::commands::web::OpenPage;
use crate::delivery::Delivery;
use crate::handlers::context::{HandlerResult, RequestContext, brief_views};
use crate::handlers::external_query::ExternalQuery;
use crate::handlers::table_index::{open_tables, tables_of};
use crate::handlers::table_requests::concerns_person;
use crate::parsing::words::page_start_word;
use crate::repository::stored_rows::put_json;
use crate::repository::{Failure, MINUTE_MS, Repository, keys};
use crate::views::board_view;
use crate::views::hand_views::HandDelivery;
use caravanserai_games::ids::{ChatId, ChatKind, TableId};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_protocol::{AppLink, Chat, ReplyPurpose};
use caravanserai_store::Space;
use caravanserai_table::state::Table;

/// A chat that shows the table and of which the person is a member.
///
/// # Errors
/// The external query that their platform has to answer first.
fn find_membership_chat(
    table: &Table,
    context: &RequestContext<'_>,
) -> Result<Option<ChatId>, ExternalQuery> {
    if let Some(here) = table.chats.location_in(&context.update.chat.id) {
        return Ok(Some(here.chat.clone()));
    }
    let chats = open_member_chats(table, &context.account);
    if chats.is_empty() {
        return Ok(None);
    }
    let found = context.query_results.member_chat(&context.account).cloned();
    // The table may have been removed from the chat meanwhile.
    let is_still_shown = |it: Option<ChatId>| it.filter(|it| chats.contains(it));
    found
        .map(is_still_shown)
        .ok_or_else(|| ExternalQuery::Member(context.account.clone(), chats.clone()))
}

/// Gives people links and buttons that open boards outside of the chat.
pub(crate) struct PageLinks {
    repository: Arc<Repository>,
    delivery: Arc<Delivery>,
}

impl PageLinks {
    pub(crate) fn new(repository: Arc<Repository>, delivery: Arc<Delivery>) -> Self {
        Self { repository, delivery }
    }

    /// Sends the link to the page of a named table, or of the current table of the chat.
    pub(crate) async fn handle_page_command(
        &self,
        context: &mut RequestContext<'_>,
        table: Option<TableId>,
    ) -> HandlerResult {
        let Some(id) = table else {
            let table = self.current_table(context).await?;
            return self.send_page_link(context, table.as_deref()).await;
        };
        let found = self.repository.load_table(&id).await?;
        match found.filter(|it| !it.is_solo() || concerns_person(it, context)) {
            Some(table) => self.send_page_link(context, Some(&table)).await,
            None => Ok(vec![View::brief(Text::new("refuse-unknown-table").with("table", id.0))]),
        }
    }

    /// Sends the link to the page in private, or explains how to get it.
    pub(crate) async fn send_page_link(
        &self,
        context: &mut RequestContext<'_>,
        table: Option<&Table>,
    ) -> HandlerResult {
        let Some(page) = self.delivery.page_url() else { return Ok(brief_views("refuse-no-page")) };
        let here = &context.update.chat;
        if self.delivery.is_page(&here.id) || context.update.is_by_guest() {
            return Ok(brief_views("refuse-page-here"));
        }
        let id = table.map(|it| &it.id);
        if here.kind == ChatKind::Group
            && self.delivery.hand_delivery(&here.id) == HandDelivery::NumberedButtons
        {
            // Replies in this chat are not private enough for a sign-in link.
            return Ok(vec![self.go_to_private_view(&here.id, id)]);
        }
        let chat = match table.map(|it| find_membership_chat(it, context)) {
            None => None,
            Some(Ok(chat)) => chat,
            Some(Err(query)) => return Err(context.suspend_for_query(query)),
        };
        let code = self.repository.random_letters(PASS_LENGTH);
        let until_ms = context.now_ms + PASS_TTL_MS;
        let account = context.account.clone();
        let round = read_sign_out_count(&self.repository, &account).await?;
        let table = id.map(|it| it.0.clone());
        let pass = SignInPass { account, table, chat, until_ms, round, used: None };
        let row = put_json(Space::Meta, keys::sign_in_pass(&code), &pass).expires_at(until_ms);
        self.repository.put_all(vec![row]).await?;
        let link = AppLink::Link(format!("{page}/board#in={code}"));
        let mut keys = vec![vec![ButtonSpec::with_link(Text::new("button-page"), link)]];
        let code = id.map(|it| it.0.as_str());
        keys.extend(self.window_button(here, code).map(|it| vec![it]));
        let minutes = (PASS_TTL_MS / MINUTE_MS) as i64;
        let text = Text::new("answer-page").with("minutes", minutes);
        Ok(vec![View { button_rows: keys, secret: true, ..View::persistent(vec![text]) }])
    }

    /// The buttons that open the board outside of the chat.
    pub(crate) fn open_board_buttons(
        &self,
        context: &RequestContext<'_>,
        table: &Table,
    ) -> Vec<ButtonSpec> {
        let here = &context.update.chat;
        if context.update.is_by_guest()
            || self.delivery.is_page(&here.id)
            || self.delivery.page_url().is_none()
        {
            return Vec::new();
        }
        let callback_data = board_view::table_callback_data(table, &OpenPage);
        let mut keys = vec![ButtonSpec::new(Text::new("button-page"), callback_data)];
        keys.extend(self.window_button(here, Some(&table.id.0)));
        keys
    }

    /// The button that opens the board of a table in a window of the platform.
    fn window_button(&self, here: &Chat, code: Option<&str>) -> Option<ButtonSpec> {
        let label = || Text::new("button-open-board");
        match self.delivery.app_link(&here.id, here.kind, code)? {
            AppLink::Launch => {
                let table = TableId(code?.to_owned());
                Some(ButtonSpec::new(
                    label(),
                    TableCallback { table, action: Arc::new(LaunchWindow) }.encode(),
                ))
            }
            window => Some(ButtonSpec::with_link(label(), window)),
        }
    }

    /// Explains how to get to the private chat, where the link to the page is sent.
    fn go_to_private_view(&self, chat: &ChatId, table: Option<&TableId>) -> View {
        match self.delivery.private_invite_link(chat, &page_start_word(table)) {
            Some(link) => {
                let text = Text::new("answer-page-private-link").with("link", link);
                View::persistent(vec![text])
            }
            None => View::brief(Text::new("answer-page-private")),
        }
    }

    /// Opens the board of the current table in a window of the platform.
    pub(crate) async fn launch_current_table(
        &self,
        context: &mut RequestContext<'_>,
    ) -> HandlerResult {
        let table = self.current_table(context).await?;
        self.launch_window(context, table.as_deref()).await
    }

    /// Opens the board in a window of the platform, or shows another way.
    pub(crate) async fn launch_window(
        &self,
        context: &mut RequestContext<'_>,
        table: Option<&Table>,
    ) -> HandlerResult {
        let here = &context.update.chat;
        let code = table.map(|it| it.id.0.as_str());
        let window = self.delivery.app_link(&here.id, here.kind, code);
        if window != Some(AppLink::Launch) {
            return self.send_page_link(context, table).await;
        }
        let launch = WindowLaunch { table: code.map(str::to_owned), chat: here.id.clone() };
        let key = keys::window_launch(&context.account);
        let row = put_json(Space::Meta, key, &launch).expires_at(context.now_ms + LAUNCH_TTL_MS);
        self.repository.put_all(vec![row]).await?;
        let purpose = ReplyPurpose::AppLaunch;
        Ok(vec![View { purpose, ..View::brief(Text::new("answer-launched")) }])
    }

    /// The current table of a chat: a table where it is the person's turn, else one where they
    /// play, else any.
    async fn current_table(
        &self,
        context: &RequestContext<'_>,
    ) -> Result<Option<Arc<Table>>, Failure> {
        let person = &context.update.person.id;
        let (mut own_table, mut any_table) = (None, None);
        let mut ids = open_tables(&self.repository, &context.update.chat.id).await?;
        if context.update.chat.kind == ChatKind::Private {
            ids.extend(tables_of(&self.repository, person).await?);
        }
        for id in ids {
            let Ok(Some(table)) = self.repository.load_table(&id).await else { continue };
            let turn = table.seat_to_move().filter(|turn| table.seating.has_seat(person, *turn));
            if turn.is_some() {
                return Ok(Some(table));
            }
            let slot =
                if table.seating.is_seated(person) { &mut own_table } else { &mut any_table };
            slot.get_or_insert(table);
        }
        Ok(own_table.or(any_table))
    }
}
