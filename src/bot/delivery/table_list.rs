//! Shows the list of a person's tables, those that wait for their move first. Their private chat
//! has one message with the list, which is kept up to date for a limited time.

use std::cmp::Reverse;

use super::Delivery;
use super::board_message::SendContext;
use super::send_worker::CallOutcome;
use crate::commands::board::ShowBoard;
use crate::commands::games::OWN_TABLES_CODE;
use crate::repository::outbox_entry::OutboxEntry;
use crate::repository::outbox_key::{OutboxKey, OutboxSubject};
use crate::repository::stored_rows::{parse_json_or_default, put_json, remove_row};
use crate::repository::{DAY_MS, Failure, keys};
use crate::views::board_view;
use caravanserai_games::ids::{ChatId, PersonId, TableId};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::ReplyForm;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_store::{Put, Space, StoreQuery};
use caravanserai_table::state::{Location, Table};

/// The slot of the list: a new list replaces the old one.
const LIST_SLOT: &str = "games";

/// The most tables in a list, and the most buttons.
const LISTED_MAX: usize = 15;
const BUTTONS_MAX: usize = 4;

/// How long a list is kept up to date after the person requested it, in milliseconds.
const LIST_TTL_MS: u64 = 3 * DAY_MS;

impl Delivery {
    /// The list of a person's tables for a chat; `is_private` if nobody else reads there.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn table_list_view(
        &self,
        person: &PersonId,
        chat: &ChatId,
        is_private: bool,
    ) -> Result<View, Failure> {
        let slot = is_private.then(|| LIST_SLOT.to_owned());
        let refresh = ButtonSpec::new(Text::new("button-refresh"), OWN_TABLES_CODE);
        let rows =
            self.repository.read_all_rows(Space::PersonTable, &format!("{} ", person.0)).await?;
        let mut tables = Vec::new();
        for (key, _) in rows {
            let id = TableId(keys::last_part(&key).to_owned());
            let Ok(Some(table)) = self.repository.load_table(&id).await else { continue };
            let is_your_turn = table
                .seat_to_move()
                .is_some_and(|it| table.seating.seats_of(person).any(|seat| seat == it));
            tables.push((!is_your_turn, Reverse(table.times.last_event_ms), table));
        }
        tables.sort_by_key(|it| (it.0, it.1));
        if tables.is_empty() {
            let texts = vec![Text::new("games-none")];
            let keys = if is_private { vec![vec![refresh]] } else { Vec::new() };
            let form = ReplyForm::toast_if(!is_private);
            return Ok(View { texts, button_rows: keys, slot, form, ..View::default() });
        }
        let mut texts = vec![Text::new("games-title")];
        let mut keys = Vec::new();
        for (_, _, table) in tables.iter().take(LISTED_MAX) {
            let line = self
                .count_spectators(table)
                .await?
                .append_to(board_view::table_line(table, person));
            texts.push(match self.board_link(table, chat, person).await? {
                Some(link) => Text::new("list-linked").with("line", line).with("link", link),
                None => line,
            });
            if table.chats.location_in(chat).is_some() && keys.len() < BUTTONS_MAX {
                let callback_data = board_view::table_callback_data(table, &ShowBoard);
                keys.push(vec![ButtonSpec::new(
                    Arg::Plain(format!("⬇ {}", table.id.0)),
                    callback_data,
                )]);
            }
        }
        if tables.len() > LISTED_MAX {
            let hidden_count = (tables.len() - LISTED_MAX) as i64;
            texts.push(Text::new("games-more").with("count", hidden_count));
        }
        if is_private {
            keys.push(vec![refresh]);
        }
        Ok(View { texts, button_rows: keys, slot, ..View::default() })
    }

    /// A link that opens a board of this table for a person: in this chat if the table is shown
    /// here, else where they play, else on any platform that has such links.
    async fn board_link(
        &self,
        table: &Table,
        here: &ChatId,
        person: &PersonId,
    ) -> Result<Option<String>, Failure> {
        let reads = |it: &Location<'_>| it.reader.is_none_or(|reader| reader == person);
        let own_chat =
            table.chats.location_in(here).map(|it| it.chat).or_else(|| table.chat_of(person));
        let others = table.chats.locations().filter(reads).map(|it| it.chat);
        for chat in own_chat.into_iter().chain(others) {
            // Only an absolute link can be opened from outside of the page.
            let is_whole =
                |link: &String| !link.starts_with('/') || here.platform() == chat.platform();
            if let Some(link) = self.board_url(table, chat).await?.filter(is_whole) {
                return Ok(Some(link));
            }
        }
        Ok(None)
    }

    /// The row that stores where a person's list is shown; `None` if their platform shows a list
    /// anyway.
    pub fn table_list_put(&self, person: &PersonId, chat: &ChatId) -> Option<Put> {
        if self.capabilities(chat).shows_table_list {
            return None;
        }
        let until_ms = self.repository.now_ms() + LIST_TTL_MS;
        Some(put_json(Space::Meta, keys::table_list(person), &chat.0).expires_at(until_ms))
    }

    /// The outbox entries that refresh the lists of the players of a table.
    pub(super) async fn refresh_lists_puts(&self, table: &Table) -> Result<Vec<Put>, Failure> {
        let people = table.seating.people();
        let reads: Vec<StoreQuery> = people
            .iter()
            .map(|it| StoreQuery::value_of(Space::Meta, keys::table_list(it)))
            .collect();
        let mut puts = Vec::new();
        for (person, found) in people.iter().zip(self.repository.read_many(&reads).await?) {
            let chat: Option<String> = parse_json_or_default(found.value()?);
            let entry = |chat| OutboxEntry::table_list(&ChatId(chat), person).encode();
            puts.extend(chat.map(entry));
        }
        Ok(puts)
    }

    /// The chats whose lists these entries refresh.
    pub(super) fn refreshed_list_chats(puts: &[Put]) -> Vec<ChatId> {
        let entries = puts.iter().filter(|it| it.space == Space::Outbox);
        let keys = entries.filter_map(|it| OutboxKey::parse(&it.key));
        let lists = keys.filter(|it| matches!(it.subject(), OutboxSubject::TableList(_)));
        lists.map(|it| it.chat().clone()).collect()
    }
}

impl SendContext<'_> {
    /// Updates a person's list.
    pub(super) async fn show_table_list(self, person: &PersonId) -> Result<CallOutcome, Failure> {
        let SendContext { delivery, chat, .. } = self;
        let view = delivery.table_list_view(person, chat, true).await?;
        let reader =
            delivery.repository.profiles().load_person(person).await?.display_prefs(self.profile);
        let nonce = format!("list {}", person.0);
        let message = delivery.message_renderer.render_private(&view, &reader, nonce, None).await?;
        let account =
            delivery.repository.profiles().account_on_platform(person, chat.platform()).await?;
        let shown = self.counted(self.show_ephemeral(&account, LIST_SLOT, &message)).await;
        Ok(match shown {
            Ok(()) => CallOutcome::no_call(),
            Err(error) if error.is_transient() => CallOutcome::without_rows(Err(error)),
            // The list can no longer be shown there.
            Err(_) => CallOutcome::with_rows(
                Ok(()),
                vec![remove_row(Space::Meta, keys::table_list(person))],
            ),
        })
    }
}
