//! Views of tables for guests of the web page, and the actions that guests can take there.

use std::sync::Arc;

use crate::commands::action::{Request, TableRef};
use crate::commands::learn::ShowLesson;
use crate::commands::registry::decode_button;
use crate::commands::settings::ChangeSettings;
use crate::delivery::Delivery;
use crate::handlers::Handlers;
use crate::handlers::client_queries::{ClientQueryHandler, can_view};
use crate::repository::{Failure, Repository};
use crate::settings::{Setting, SettingChange, SettingScope, SettingsRequest};
use caravanserai_games::ids::{ChatId, ChatKind, TableId};
use caravanserai_i18n::Lang;
use caravanserai_protocol::guest_service::Guest;
use caravanserai_protocol::{
    Arrival, Chat, EphemeralReply, OwnTables, ParentChats, Person, PictureLayout, StateQuery,
    TableStateView, Update, UpdateKind, ViewerPage, ViewerPageState,
};
use caravanserai_store::{StoreChange, StoreError, next_change};
use caravanserai_table::state::{Location, Table};

/// Whether a guest may press this button at a table: a button of the table, a page of the lessons,
/// or one of the two settings that are shown beside a board.
fn is_allowed_press(callback_data: &str, table: &TableId) -> bool {
    let Some(request) = decode_button(callback_data) else { return false };
    if let Request::Table { table: TableRef::Id(pressed), .. } = &request {
        return pressed == table;
    }
    let change = request.chat_action::<ChangeSettings>().map(|it| &it.request);
    let is_beside_board = matches!(
        change,
        Some(SettingsRequest::Set(SettingChange { scope: SettingScope::Person, setting, .. }))
            if [Setting::MOVE_CONFIRMATION, Setting::PACE].contains(setting)
    );
    is_beside_board || request.chat_action::<ShowLesson>().is_some()
}

/// The chat in which a guest sees a table: the chat where they play it, a chat that the platform
/// has confirmed, or their own private chat with the bot. `None` if they may not see it.
fn guest_chat(table: &Table, guest: &Guest) -> Option<Chat> {
    let person = &guest.person;
    let readable = |it: &Location<'_>| it.reader.is_none_or(|reader| reader == person);
    let plays = table.seating.is_seated(person) || table.setup.opener == *person;
    let own_location = || table.chat_of(person).and_then(|it| table.chats.location_in(it));
    let confirmed =
        || table.chats.locations().find(|it| readable(it) && guest.chats.contains(it.chat));
    let private = || table.chats.locations().find(|it| it.reader == Some(person));
    let location = if plays { own_location().filter(readable) } else { None };
    let location = location.or_else(confirmed).or_else(private)?;
    Some(Chat {
        id: location.chat.clone(),
        kind: if location.reader.is_some() { ChatKind::Private } else { ChatKind::Group },
        title: String::new(),
        locale: None,
        parents: ParentChats::default(),
    })
}

/// Shows tables to guests.
pub(crate) struct GuestTables {
    repository: Arc<Repository>,
    delivery: Arc<Delivery>,
    client_queries: Arc<ClientQueryHandler>,
}

impl GuestTables {
    pub(crate) fn new(
        repository: Arc<Repository>,
        delivery: Arc<Delivery>,
        client_queries: Arc<ClientQueryHandler>,
    ) -> Self {
        Self { repository, delivery, client_queries }
    }

    /// The chat in which a guest sees a table, if they may watch it now.
    fn visible_guest_chat(&self, table: &Table, guest: &Guest) -> Option<Chat> {
        guest_chat(table, guest).filter(|it| can_view(&self.delivery, table, &it.id, &guest.person))
    }

    /// The state of a table for a guest.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn guest_state(
        &self,
        guest: &Guest,
        table: &TableId,
        query: StateQuery,
    ) -> Result<Option<TableStateView>, Failure> {
        let Some(table) = self.repository.load_table(table).await? else { return Ok(None) };
        let Some(chat) = self.visible_guest_chat(&table, guest) else { return Ok(None) };
        self.client_queries.state_of_table(&table, &chat, &guest.account, query).await
    }

    /// A replay or review of a table for a guest.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn guest_view(
        &self,
        guest: &Guest,
        page: ViewerPage,
        layout: PictureLayout,
    ) -> Result<Option<ViewerPageState>, Failure> {
        let (ViewerPage::Replay { table, .. } | ViewerPage::Review { table, .. }) = &page else {
            return Ok(None);
        };
        let Some(table) = self.repository.load_table(table).await? else { return Ok(None) };
        let Some(chat) = self.visible_guest_chat(&table, guest) else { return Ok(None) };
        self.client_queries.load_viewer_page(&chat, &guest.account, page, layout).await
    }

    /// The open tables of a guest.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn guest_tables(&self, guest: &Guest) -> Result<OwnTables, Failure> {
        let lang = Lang::from_locale(&guest.lang).unwrap_or_default();
        self.client_queries.describe_own_tables(&guest.person, lang).await
    }

    /// Waits until the version of a table differs from `since`, and returns the new version.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn wait_for_guest_change(
        &self,
        guest: &Guest,
        id: &TableId,
        since: Option<u64>,
    ) -> Result<Option<u64>, Failure> {
        // Subscribing before the first read ensures that no change is missed.
        let mut changes = self.repository.store().subscribe_changes();
        loop {
            let Some(table) = self.repository.load_table(id).await? else { return Ok(None) };
            if self.visible_guest_chat(&table, guest).is_none() {
                return Ok(None);
            }
            if since != Some(table.version) {
                return Ok(Some(table.version));
            }
            let is_about_table = |topic: &str| {
                let chat_id = topic.strip_prefix("place ").and_then(|it| it.split(' ').next());
                chat_id.is_some_and(|it| table.chats.ids().any(|chat| chat.0 == it))
            };
            loop {
                match next_change(&mut changes).await {
                    Some(StoreChange::Topic(topic)) if !is_about_table(&topic) => {}
                    Some(StoreChange::Topic(_) | StoreChange::All) => break,
                    None => {
                        let why = "changes are no longer reported".to_owned();
                        return Err(StoreError::Failed(why).into());
                    }
                }
            }
        }
    }

    /// The update of a button press of a guest at a table; `None` if the button is not allowed
    /// there.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn press_update(
        &self,
        guest: &Guest,
        table: &TableId,
        callback_data: &str,
        key: &str,
        arrival: Arrival,
    ) -> Result<Option<Update>, Failure> {
        if !is_allowed_press(callback_data, table) {
            return Ok(None);
        }
        let Some(table) = self.repository.load_table(table).await? else { return Ok(None) };
        let Some(chat) = self.visible_guest_chat(&table, guest) else { return Ok(None) };
        Ok(Some(Update {
            id: Update::guest_update_id(&guest.account.id, key),
            chat,
            person: guest.account.clone(),
            kind: UpdateKind::Press { callback_data: callback_data.to_owned(), message: None },
            arrival,
        }))
    }
}

impl Handlers {
    /// Handles a button press of a guest at a table. Returns `None` if the button is not allowed
    /// there.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn guest_press(
        self: &Arc<Self>,
        guest: &Guest,
        table: &TableId,
        callback_data: &str,
        key: &str,
        arrival: Arrival,
    ) -> Result<Option<Vec<EphemeralReply>>, Failure> {
        let update =
            self.guest_tables.press_update(guest, table, callback_data, key, arrival).await?;
        let Some(update) = update else { return Ok(None) };
        let outcome = self.answer(&update).await;
        drop(update);
        Ok(Some(outcome.complete().await.replies))
    }

    /// Answers a press of a guest while the store is unavailable.
    pub async fn answer_guest_unsaved(&self, guest: &Guest, key: &str) -> Vec<EphemeralReply> {
        let person = Person { locale: Some(guest.lang.clone()), ..guest.account.clone() };
        let chat = Chat {
            id: ChatId(person.id.0.clone()),
            kind: ChatKind::Private,
            title: String::new(),
            locale: None,
            parents: ParentChats::default(),
        };
        let id = Update::guest_update_id(&person.id, key);
        let body = UpdateKind::Press { callback_data: String::new(), message: None };
        let arrival = Arrival::default();
        self.refuse_unsaved(&Update { id, chat, person, kind: body, arrival }).await.replies
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_press_buttons_of_their_table_lessons_and_settings_beside_a_board() {
        let table = TableId("7k3fx".to_owned());
        let allowed = ["t.7k3fx", "hs.7k3fx.on", "q.togyzkumalak.0", "+.m.press.twice"];
        let of_earlier_versions = ["Q.on", "Q.off", "y.on", "y.off", "L.7k3fx.on", "L.7k3fx.off"];
        for callback_data in allowed.into_iter().chain(of_earlier_versions) {
            assert!(is_allowed_press(callback_data, &table), "{callback_data} is refused");
        }
        let of_another_table = ["t.other", "L.other.on"];
        let of_other_settings =
            ["s.ru", "S.ru", "T.night", "U.print", "F.on", "X.on", "+.m.theme.print"];
        for callback_data in
            of_another_table.into_iter().chain(of_other_settings).chain(["unknown"])
        {
            assert!(!is_allowed_press(callback_data, &table), "{callback_data} is allowed");
        }
    }
}
