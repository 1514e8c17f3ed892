//! Records who joins, leaves and returns, and chats that the bot joins, leaves or moves to.

use std::sync::Arc;

use super::update_committer::UpdateCommitter;
use crate::repository::stored_rows::{StoredAnswer, put_json};
use crate::repository::{Failure, Repository};
use caravanserai_games::ids::PersonId;
use caravanserai_protocol::{Update, UpdateKind};
use caravanserai_store::Space;

/// Records changes of members and chats.
pub(crate) struct MembershipRecorder {
    repository: Arc<Repository>,
    committer: Arc<UpdateCommitter>,
}

impl MembershipRecorder {
    pub(crate) fn new(repository: Arc<Repository>, committer: Arc<UpdateCommitter>) -> Self {
        Self { repository, committer }
    }

    /// Records changes of members and chats. Returns whether the update is handled completely. Each
    /// update is recorded once: when it is redelivered, its content may be outdated.
    pub(crate) async fn handle_membership(&self, update: &Update) -> Result<bool, Failure> {
        let place = &update.chat.id;
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
                self.repository.chats().move_place(place, to).await.map(|()| true)?
            }
            UpdateKind::BotRemoved => {
                if let Some(newest) =
                    self.repository.membership_reports().record_report(update, None).await?
                {
                    self.repository.chats().mark_place_unreachable(place, &newest).await?;
                }
                true
            }
            UpdateKind::ChatDeleted => {
                self.repository.chats().delete_place(place).await.map(|()| true)?
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
            let stored = StoredAnswer { at_ms: now_ms, notes: vec![] };
            let row = put_json(Space::Seen, update.id.clone(), &stored);
            self.repository
                .put_all(vec![row.expires_at(now_ms + self.repository.limits().seen_ttl_ms)])
                .await?;
        }
        Ok(true)
    }

    /// Records at their tables that these people have left a chat or returned to it. Returns
    /// whether the bot knows any of them.
    async fn record_membership_changes(
        &self,
        update: &Update,
        who: &[PersonId],
    ) -> Result<bool, Failure> {
        let place = &update.chat.id;
        let mut is_known = false;
        for who in who {
            if self.repository.read_value(Space::Person, &who.0).await?.is_none() {
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
                        .record_departure(place, who, *how, &newest)
                        .await?;
                }
                _ => self.repository.external_events().record_return(place, who, &newest).await?,
            }
        }
        Ok(is_known)
    }
}
