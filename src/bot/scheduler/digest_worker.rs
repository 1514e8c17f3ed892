//! Sends the weekly digests of chats that want them.
//!
//! The digest of a chat is decided once a week, when it is due, in one commit with the message: so
//! one of several processes sends it, and neither a restart nor a changed setting repeats it. Only
//! chats in which a game has ended recently are examined.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::digest_week::{DELAY_MAX_MS, DueWeek, is_digest_time};
use crate::admin::bans::is_chat_banned;
use crate::repository::chat_settings::ChatSettings;
use crate::repository::outbox_entry::OutboxEntry;
use crate::repository::profiles::ChatProfile;
use crate::repository::stored_rows::{parse_json_or_default, put_json};
use crate::repository::{DAY_MS, Failure, MINUTE_MS, Repository, keys};
use crate::results::projector::ResultProjector;
use crate::settings::{Setting, parse_zone_minutes};
use crate::views::digest_view::digest_view;
use caravanserai_games::ids::ChatId;
use caravanserai_protocol::view::View;
use caravanserai_results::WeekDigest;
use caravanserai_store::{Commit, Expect, Space, StoreQuery};

/// The interval at which digests are looked for, in milliseconds: in all zones the hours begin at
/// multiples of it.
const CHECK_INTERVAL_MS: u64 = 15 * MINUTE_MS;

/// The most chats that are read at once.
const CHATS_PER_PAGE: usize = 200;

/// How long a decision is kept, in milliseconds: until the next one, which begins where it ended.
const MARK_TTL_MS: u64 = 15 * DAY_MS;

/// Sends weekly digests.
pub struct DigestWorker {
    repository: Arc<Repository>,
    projector: Arc<ResultProjector>,
    /// Notified when digests may be due.
    wake: Notify,
    /// The last interval in which all chats were looked at.
    checked: Mutex<Option<u64>>,
}

/// Whether everything that was due has been decided.
enum Decisions {
    /// Everything is decided.
    Complete,
    /// Some digests wait until all games of the week are known.
    Postponed,
}

/// A chat in which a game has ended recently.
struct ActiveChat {
    chat: ChatId,
    settings: ChatSettings,
    /// The row of the last decision.
    mark_row: Option<Vec<u8>>,
}

impl ActiveChat {
    /// The value of a setting in the chat.
    fn value(&self, setting: Setting) -> Option<String> {
        self.settings.setting_value(setting, &self.chat)
    }

    /// The week that has to be decided about now.
    fn due_week(&self, now_ms: u64) -> Option<DueWeek> {
        let zone = self.value(Setting::CHAT_TIME_ZONE);
        let zone_min = zone.and_then(|it| parse_zone_minutes(&it)).unwrap_or_default();
        let last = self.mark_row.as_ref().and_then(|it| serde_json::from_slice(it).ok());
        DueWeek::at(now_ms, zone_min, last)
    }

    fn wants_digest(&self) -> bool {
        let is_on = self.value(Setting::WEEKLY_DIGEST).as_deref() == Some("on");
        // A thread inherits the settings of its channel, and people want one message a week.
        let own = self.settings.own();
        let is_for_thread = own.parents.channel.is_none() || own.is_set(Setting::WEEKLY_DIGEST);
        is_on && is_for_thread && self.settings.group && !self.settings.is_unreachable
    }

    /// The chat or topic in which the digest is sent: one in which games are allowed.
    fn target(&self) -> ChatId {
        self.settings.own().allowed_chats.first().unwrap_or(&self.chat).clone()
    }
}

impl DigestWorker {
    /// Creates a worker that is idle until [`Self::run`].
    pub fn new(repository: Arc<Repository>, projector: Arc<ResultProjector>) -> Self {
        let wake = Notify::new();
        let checked = Mutex::default();
        DigestWorker { repository, projector, wake, checked }
    }

    /// Wakes the worker, because digests may be due.
    pub fn notify(&self) {
        self.wake.notify_one();
    }

    /// Sends the digests that are due, after each [`Self::notify`]. Runs until it is dropped.
    pub async fn run(&self) {
        loop {
            self.wake.notified().await;
            let now_ms = self.repository.now_ms();
            let interval = Some(now_ms / CHECK_INTERVAL_MS);
            if !is_digest_time(now_ms) || *self.checked.lock() == interval {
                continue;
            }
            match self.send_due(now_ms).await {
                Ok(Decisions::Complete) => *self.checked.lock() = interval,
                Ok(Decisions::Postponed) => {}
                Err(failure) => tracing::error!(%failure, "failed to send weekly digests"),
            }
        }
    }

    /// Decides about all chats whose digest is due at this time. While ratings are computed again,
    /// histories may lack games, so the decisions wait as long as they can.
    ///
    /// # Errors
    /// The last failure, when something about a chat could not be read or written. All others are
    /// decided about, and the next call decides about the rest.
    async fn send_due(&self, now_ms: u64) -> Result<Decisions, Failure> {
        // Games that ended just now, or before a restart, belong to the week, too.
        self.projector.project_pending().await?;
        let is_incomplete = self.projector.has_open_work().await?;
        let mut after = String::new();
        let mut failed = None;
        let mut decisions = Decisions::Complete;
        loop {
            let prefix = keys::ACTIVE_CHAT_PREFIX;
            let rows = self
                .repository
                .read_rows_after(Space::Meta, prefix, &after, CHATS_PER_PAGE)
                .await?;
            let Some((last, _)) = rows.last() else { return failed.map_or(Ok(decisions), Err) };
            after.clone_from(last);
            let chats = rows.iter().filter_map(|(key, _)| key.strip_prefix(prefix));
            let chat_ids = chats.map(|it| ChatId(it.to_owned())).collect();
            for chat in self.load_chats(chat_ids, &mut failed).await {
                let Some(week) = chat.due_week(now_ms) else { continue };
                if is_incomplete && week.can_wait(now_ms) {
                    decisions = Decisions::Postponed;
                    continue;
                }
                if let Err(failure) = self.decide(&chat, week, now_ms).await {
                    failed = Some(failure);
                }
                // Presses must not wait for all chats.
                tokio::task::yield_now().await;
            }
        }
    }

    /// Reads these chats. Those that cannot be read are left out, with the last failure.
    async fn load_chats(
        &self,
        chat_ids: Vec<ChatId>,
        failed: &mut Option<Failure>,
    ) -> Vec<ActiveChat> {
        if let Ok(chats) = self.read_chats(chat_ids.clone()).await {
            return chats;
        }
        // One row that cannot be read must not keep the digests of the others away.
        let mut found = Vec::new();
        for chat in chat_ids {
            match self.read_chats(vec![chat]).await {
                Ok(chats) => found.extend(chats),
                Err(failure) => *failed = Some(failure),
            }
        }
        found
    }

    /// Reads the settings of these chats and the last decisions about them.
    async fn read_chats(&self, chats: Vec<ChatId>) -> Result<Vec<ActiveChat>, Failure> {
        let queries = chats.iter().flat_map(|it| {
            [
                StoreQuery::value_of(Space::ChatProfile, it.without_topic()),
                StoreQuery::value_of(Space::Meta, keys::digest_mark(it.without_topic())),
            ]
        });
        let queries: Vec<StoreQuery> = queries.collect();
        let mut answers = self.repository.read_many(&queries).await?.into_iter();
        let mut found = Vec::with_capacity(chats.len());
        for chat in chats {
            let (Some(profile), Some(mark)) = (answers.next(), answers.next()) else { break };
            let own_profile: ChatProfile = parse_json_or_default(profile.value()?);
            let settings = self.repository.profiles().resolve_settings(own_profile).await?;
            found.push(ActiveChat { chat, settings, mark_row: mark.value()? });
        }
        Ok(found)
    }

    /// Stores the decision about a week of a chat, with the digest if it gets one.
    async fn decide(&self, chat: &ActiveChat, week: DueWeek, now_ms: u64) -> Result<(), Failure> {
        let key = keys::digest_mark(chat.chat.without_topic());
        let mark = put_json(Space::Meta, key.clone(), &week.mark).expires_at(now_ms + MARK_TTL_MS);
        let mut commit = Commit::from_puts(vec![mark]);
        commit.expect.push(Expect { space: Space::Meta, key, value: chat.mark_row.clone() });
        if let Some(view) = self.digest_of(chat, week).await? {
            let name = format!("digest-{}", week.mark.monday);
            let note = OutboxEntry::post(&chat.target(), &name, view).encode();
            // A digest that cannot be sent for a day is left out.
            commit.puts.push(note.expires_at(week.mark.until_ms + DELAY_MAX_MS));
        }
        // After a conflict another process has decided.
        self.repository.commit_rows(commit).await.map(drop)
    }

    /// The digest of a week for a chat; `None` if the chat wants none or nothing was played.
    async fn digest_of(&self, chat: &ActiveChat, week: DueWeek) -> Result<Option<View>, Failure> {
        if !chat.wants_digest() || self.is_closed(chat).await? {
            return Ok(None);
        }
        let span_ms = (week.from_ms, week.mark.until_ms);
        let games =
            self.repository.results().games_of_chat(chat.chat.without_topic(), span_ms).await?;
        Ok(WeekDigest::of_games(&games).map(|it| digest_view(&it, &chat.chat)))
    }

    /// Whether the bot may not write to a chat at the moment.
    async fn is_closed(&self, chat: &ActiveChat) -> Result<bool, Failure> {
        let forbidden = keys::send_forbidden(&chat.target());
        let parents = &chat.settings.own().parents;
        Ok(self.repository.read_value(Space::Meta, &forbidden).await?.is_some()
            || is_chat_banned(&self.repository, &chat.chat, parents).await?)
    }
}
