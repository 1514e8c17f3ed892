//! Records who joins, leaves and returns, and chats that the bot joins, leaves or moves to.

use std::sync::Arc;

use super::table_index::tables_of;
use super::update_committer::UpdateCommitter;
use crate::commands::private::PlayInPrivate;
use crate::delivery::Delivery;
use crate::repository::outbox_entry::OutboxEntry;
use crate::repository::row_update::TypedRowKey;
use crate::repository::stored_rows::{StoredAnswer, put_json};
use crate::repository::{Failure, MINUTE_MS, Repository};
use crate::views::board_view::table_callback_data;
use caravanserai_games::ids::{ChatId, ChatKind, PersonId};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_protocol::{Departure, Update, UpdateKind};
use caravanserai_store::{Put, Space};
use caravanserai_table::Table;

/// How long after a removal was recorded its person is offered to play on, in milliseconds: a
/// platform may report it again later.
const NEW_REMOVAL_MS: u64 = 10 * MINUTE_MS;

/// Records changes of members and chats.
pub(crate) struct MembershipRecorder {
    repository: Arc<Repository>,
    committer: Arc<UpdateCommitter>,
    delivery: Arc<Delivery>,
}

impl MembershipRecorder {
    pub(crate) fn new(
        repository: Arc<Repository>,
        committer: Arc<UpdateCommitter>,
        delivery: Arc<Delivery>,
    ) -> Self {
        Self { repository, committer, delivery }
    }

    /// Records changes of members and chats. Returns whether the update is handled completely. Each
    /// update is recorded once: when it is redelivered, its content may be outdated.
    pub(crate) async fn handle_membership(&self, update: &Update) -> Result<bool, Failure> {
        let chat = &update.chat.id;
        let is_known = match &update.kind {
            UpdateKind::Text { .. } | UpdateKind::Command { .. } | UpdateKind::Press { .. } => {
                return Ok(false);
            }
            UpdateKind::BotAdded => {
                self.repository.membership_reports().record_report(update, None).await?;
                return Ok(false);
            }
            _ if self.committer.stored_answer(update).await?.is_some() => return Ok(true),
            UpdateKind::ChatMoved { to } => {
                self.repository.chats().move_chat(chat, to).await.map(|()| true)?
            }
            UpdateKind::BotRemoved => {
                if let Some(newest) =
                    self.repository.membership_reports().record_report(update, None).await?
                {
                    let sender = &update.person.id;
                    let sender = self.repository.profiles().resolve_person(sender).await?;
                    let chats = self.repository.chats();
                    chats.mark_chat_unreachable(chat, &sender, &newest).await?;
                }
                true
            }
            UpdateKind::ChatDeleted => {
                let is_private = update.chat.kind == ChatKind::Private;
                let reader = is_private.then_some(&update.person.id);
                let chats = self.repository.chats();
                match &update.chat.parents.channel {
                    Some(channel) => chats.delete_thread(chat, channel).await?,
                    None => chats.delete_chat(chat, reader).await?,
                }
                true
            }
            UpdateKind::MemberLeft { who, .. } => {
                self.record_membership_changes(update, std::slice::from_ref(who)).await?
            }
            UpdateKind::MembersJoined { who } => {
                self.record_membership_changes(update, who).await?
            }
        };
        // A person who never wrote to the bot is at no table.
        if is_known {
            let now_ms = self.repository.now_ms();
            let stored = StoredAnswer { at_ms: now_ms, replies: vec![] };
            let row = put_json(Space::Seen, update.id.clone(), &stored);
            self.repository
                .put_all(vec![row.expires_at(now_ms + self.repository.limits().seen_ttl_ms)])
                .await?;
        }
        Ok(true)
    }

    /// Whether this person has ever used the bot: a person who has not is at no table.
    pub(crate) async fn is_known_person(&self, person: &PersonId) -> Result<bool, Failure> {
        Ok(self.repository.read_value(Space::Person, &person.0).await?.is_some())
    }

    /// Records at their tables that these people have left a chat or returned to it. Returns
    /// whether the bot knows any of them.
    async fn record_membership_changes(
        &self,
        update: &Update,
        who: &[PersonId],
    ) -> Result<bool, Failure> {
        let chat = &update.chat.id;
        let mut is_known = false;
        for who in who {
            if !self.is_known_person(who).await? {
                continue;
            }
            is_known = true;
            let newest =
                self.repository.membership_reports().record_report(update, Some(who)).await?;
            let Some(newest) = newest else { continue };
            match &update.kind {
                UpdateKind::MemberLeft { how, .. } => {
                    self.repository
                        .external_events()
                        .record_departure(chat, who, *how, &newest)
                        .await?;
                    if *how == Departure::Removed {
                        self.offer_private_boards(update, who).await?;
                    }
                }
                _ => self.repository.external_events().record_return(chat, who, &newest).await?,
            }
        }
        Ok(is_known)
    }

    /// Offers a removed person, in their private chat, to play on there at the tables of the chat
    /// that wait for them, unless their removal was recorded some time ago.
    async fn offer_private_boards(&self, update: &Update, who: &PersonId) -> Result<(), Failure> {
        let Some(private_chat) = self.delivery.derived_private_chat(who) else { return Ok(()) };
        let stored = self.repository.read_row(TypedRowKey::chat(&private_chat)).await?;
        if stored.value().is_unreachable {
            // They have blocked the bot.
            return Ok(());
        }
        let person = self.repository.profiles().resolve_person(who).await?;
        let now_ms = self.repository.now_ms();
        let mut puts = Vec::new();
        for id in tables_of(&self.repository, &person).await? {
            // A table that cannot be read is reported when it is used.
            let Some(table) = self.repository.load_table(&id).await.ok().flatten() else {
                continue;
            };
            let mut own = table.seating.seats_of(&person);
            let departure = own.find_map(|seat| table.involuntary_departure(seat));
            let was_removed_now =
                departure.is_some_and(|it| it.since_ms.saturating_add(NEW_REMOVAL_MS) > now_ms);
            if table.chats.is_in_chat(update.chat.id.without_topic()) && was_removed_now {
                puts.push(private_board_offer(update, &private_chat, &table));
            }
        }
        self.repository.put_all(puts).await
    }
}

/// The message to a removed person about a table that waits for them.
fn private_board_offer(update: &Update, private_chat: &ChatId, table: &Table) -> Put {
    let text = Text::new("answer-removed-play-on")
        .with("chat", &*update.chat.title)
        .with("table", &*table.id.0);
    let callback_data = table_callback_data(table, &PlayInPrivate);
    let button = ButtonSpec::new(Text::new("button-private"), callback_data);
    let view = View { button_rows: vec![vec![button]], ..View::persistent(vec![text]) };
    OutboxEntry::post(private_chat, &format!("{}/{}", update.id, table.id.0), view).encode()
}
