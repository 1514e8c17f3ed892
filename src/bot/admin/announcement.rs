//! Writes to the chats whose admins allowed it.
//!
//! Where a server has allowed it, its channels do not decide themselves: one channel gets the
//! message, the one in which people have played last. Threads get it only if it was allowed there.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::audit_log::audit_put;
use super::bans::is_chat_banned;
use super::operator_switches::{OperatorSwitches, read_switches};
use super::{AdminActor, AdminReply, OperatorCommands};
use crate::repository::chat_settings::{ChatSettings, parent_reads};
use crate::repository::outbox_entry::OutboxEntry;
use crate::repository::profiles::ChatProfile;
use crate::repository::stored_rows::{parse_json_or_default, put_json, remove_row};
use crate::repository::{Failure, MINUTE_MS, Repository, keys};
use crate::settings::{ParentKind, Setting};
use caravanserai_games::ids::ChatId;
use caravanserai_games::text::Text;
use caravanserai_protocol::ParentChats;
use caravanserai_protocol::view::View;
use caravanserai_store::{Commit, Expect, Put, Space, StoreQuery, StoreRow};

/// The least time between two messages to all chats, in milliseconds.
const MESSAGE_INTERVAL_MS: u64 = 60 * MINUTE_MS;

/// The longest message, in characters.
const MESSAGE_CHARS_MAX: usize = 1_000;

/// The most chats that are read at once.
const CHATS_PER_PAGE: usize = 200;

/// A message that is not written to all chats yet. Each page of chats is one commit with the
/// progress, so a message that was interrupted goes on where it stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct MessageProgress {
    /// When operators wrote it, in milliseconds since 1970.
    at_ms: u64,
    /// The text.
    text: String,
    /// The key of the last chat that was processed.
    after: String,
    /// The number of chats in whose outbox it is so far.
    chats: usize,
}

impl OperatorCommands {
    /// Writes to all chats that allow it. The messages wait in the outbox behind each chat's
    /// limit of calls, without a sound. A message that was interrupted is finished instead.
    pub(super) async fn announce(
        &self,
        text: &str,
        actor: &AdminActor,
    ) -> Result<AdminReply, Failure> {
        if text.chars().count() > MESSAGE_CHARS_MAX {
            let why = format!("the message is longer than {MESSAGE_CHARS_MAX} characters");
            return Ok(AdminReply::refusal(why));
        }
        if let Some(earlier) = unfinished_message(&self.repository).await? {
            let chats = continue_message(&self.repository).await?;
            return Ok(match earlier.text == text {
                true => AdminReply::line(format!("the message goes to {chats} chats")),
                false => AdminReply::refusal(format!(
                    "an earlier message was interrupted and goes to {chats} chats now; yours was \
                     not sent"
                )),
            });
        }
        let now_ms = self.repository.now_ms();
        let progress =
            MessageProgress { at_ms: now_ms, text: text.to_owned(), ..MessageProgress::default() };
        let reserve = |switches: &mut OperatorSwitches| {
            let next_ms = switches.last_message_ms.saturating_add(MESSAGE_INTERVAL_MS);
            // A time in the future comes from a clock that was ahead.
            let was_sent = (1..=now_ms).contains(&switches.last_message_ms);
            if was_sent && now_ms < next_ms {
                let minutes = (next_ms - now_ms).div_ceil(MINUTE_MS);
                let why = format!("operators wrote a short while ago: again in {minutes} min");
                return Err(AdminReply::refusal(why));
            }
            switches.last_message_ms = now_ms;
            let progress = put_json(Space::Meta, keys::OPERATOR_MESSAGE.to_owned(), &progress);
            Ok(vec![progress, audit_put(&self.repository, actor, ("message", ""), text)])
        };
        let reserved = AdminReply::default();
        let reply = self.change_switches(reserve, reserved.clone()).await?;
        if reply != reserved {
            return Ok(reply);
        }
        let chats = continue_message(&self.repository).await?;
        Ok(AdminReply::line(format!("the message goes to {chats} chats")))
    }
}

/// The message that is not written to all chats yet.
async fn unfinished_message(repository: &Repository) -> Result<Option<MessageProgress>, Failure> {
    let row = repository.read_value(Space::Meta, keys::OPERATOR_MESSAGE).await?;
    Ok(row.map(|it| parse_json_or_default(Some(it))))
}

/// Puts a message that is not written to all chats yet into the outbox of each further chat that
/// allows it. Returns the number of all chats to which it goes; 0 if there is no such message.
/// Several processes may do so at the same time: of each page one commit succeeds.
///
/// # Errors
/// When the store fails. The next call goes on where this one stopped.
pub(crate) async fn continue_message(repository: &Repository) -> Result<usize, Failure> {
    if unfinished_message(repository).await?.is_none() {
        return Ok(0);
    }
    let servers = ServerChannels::load(repository).await?;
    let mut chats = 0;
    while let Some(row) = repository.read_value(Space::Meta, keys::OPERATOR_MESSAGE).await? {
        let progress: MessageProgress = parse_json_or_default(Some(row.clone()));
        let rows = repository
            .read_rows_after(Space::ChatProfile, "", &progress.after, CHATS_PER_PAGE)
            .await?;
        let key = keys::OPERATOR_MESSAGE.to_owned();
        let expect = vec![Expect::equals(Space::Meta, key.clone(), row)];
        chats = progress.chats;
        let puts = match rows.last().map(|it| it.0.clone()) {
            None => vec![remove_row(Space::Meta, key)],
            Some(after) => {
                let mut puts = message_notes(repository, &progress, rows, &servers).await?;
                chats += puts.len();
                puts.push(put_json(
                    Space::Meta,
                    key,
                    &MessageProgress { after, chats, ..progress },
                ));
                puts
            }
        };
        // After a conflict another process has done this page.
        let commit = Commit { expect, ..Commit::from_puts(puts) };
        repository.commit_rows(commit).await.map(drop)?;
    }
    Ok(chats)
}

/// The message for those of these chats that allow it and are not banned.
async fn message_notes(
    repository: &Repository,
    progress: &MessageProgress,
    rows: Vec<StoreRow>,
    servers: &ServerChannels,
) -> Result<Vec<Put>, Failure> {
    let text = Text::new("answer-host-message").with("text", progress.text.as_str());
    let view = View::persistent(vec![text]);
    let name = format!("host-{:x}", progress.at_ms);
    let (_, switches) = read_switches(repository).await?;
    let mut notes = Vec::new();
    for chat in load_chats(repository, rows).await? {
        if !chat.gets_message(servers) {
            continue;
        }
        if !switches.has_bans || !chat.is_banned(repository).await? {
            notes.push(OutboxEntry::post(chat.target(), &name, view.clone()).encode());
        }
    }
    Ok(notes)
}

/// A chat with its settings and inherited ones. Servers have rows, too.
struct LoadedChat {
    chat: ChatId,
    settings: ChatSettings,
}

impl LoadedChat {
    /// Whether operators may write there, by a setting of the chat or of a parent.
    fn allows_message(&self) -> bool {
        let value = self.settings.setting_value(Setting::HOST_MESSAGES, &self.chat);
        value.as_deref() == Some("on") && !self.settings.is_unreachable
    }

    /// The parent that allows or forbids it; `None` if the chat decides itself.
    fn deciding_parent(&self) -> Option<ParentKind> {
        self.settings.inherited_from_parent(Setting::HOST_MESSAGES)
    }

    fn gets_message(&self, servers: &ServerChannels) -> bool {
        if !self.allows_message() || servers.0.contains_key(&self.chat) {
            return false;
        }
        match self.deciding_parent() {
            None => true,
            Some(ParentKind::Channel) => false,
            Some(ParentKind::Server) => servers.has_chosen(&self.chat, &self.settings.parents),
        }
    }

    /// The chat or topic in which the message is sent: one in which games are allowed.
    fn target(&self) -> &ChatId {
        self.settings.own().allowed_chats.first().unwrap_or(&self.chat)
    }

    async fn is_banned(&self, repository: &Repository) -> Result<bool, Failure> {
        is_chat_banned(repository, &self.chat, &self.settings.own().parents).await
    }
}

/// The chats of these rows, with inherited settings.
async fn load_chats(
    repository: &Repository,
    rows: Vec<StoreRow>,
) -> Result<Vec<LoadedChat>, Failure> {
    let profile = |(key, value)| (ChatId(key), parse_json_or_default(Some(value)));
    let profiles: Vec<(ChatId, ChatProfile)> = rows.into_iter().map(profile).collect();
    let reads: Vec<StoreQuery> =
        profiles.iter().flat_map(|(_, it)| parent_reads(&it.parents)).collect();
    let mut found = repository.read_many(&reads).await?.into_iter();
    let mut chats = Vec::with_capacity(profiles.len());
    for (chat, profile) in profiles {
        let parents = found.by_ref().take(parent_reads(&profile.parents).len());
        let parents = parents.map(|it| it.value()).collect::<Result<Vec<_>, _>>()?;
        let settings = repository.profiles().resolve_settings_with(profile, Some(parents)).await?;
        chats.push(LoadedChat { chat, settings });
    }
    Ok(chats)
}

/// The channel of each known server that gets a message which the server allows; `None` if there
/// is none.
#[derive(Debug, Default)]
struct ServerChannels(BTreeMap<ChatId, Option<(ChannelRank, ChatId)>>);

/// How well a channel suits a message to its server; the greatest one gets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ChannelRank {
    /// Whether tables are allowed there.
    allows_tables: bool,
    /// The day on which a game ended there, if that is not long ago.
    played_day: u64,
    /// Whether it is no thread.
    is_channel: bool,
}

impl ServerChannels {
    /// Chooses among all channels that the store knows.
    async fn load(repository: &Repository) -> Result<Self, Failure> {
        let (_, switches) = read_switches(repository).await?;
        let mut servers = Self::default();
        let mut after = String::new();
        loop {
            let read = repository.read_rows_after(Space::ChatProfile, "", &after, CHATS_PER_PAGE);
            let rows = read.await?;
            let Some((last, _)) = rows.last() else { return Ok(servers) };
            after.clone_from(last);
            for chat in load_chats(repository, rows).await? {
                let Some(server) = chat.settings.parents.server.clone() else { continue };
                let chosen = servers.0.entry(server).or_default();
                if !chat.allows_message()
                    || chat.deciding_parent() != Some(ParentKind::Server)
                    || (switches.has_bans && chat.is_banned(repository).await?)
                {
                    continue;
                }
                let rank = rank_channel(repository, &chat).await?;
                if chosen.as_ref().is_none_or(|it| it.0 < rank) {
                    *chosen = Some((rank, chat.chat));
                }
            }
        }
    }

    /// Whether the message goes to this channel with these parents.
    fn has_chosen(&self, chat: &ChatId, parents: &ParentChats) -> bool {
        let server = parents.server.as_ref().and_then(|it| self.0.get(it));
        server.and_then(Option::as_ref).is_some_and(|it| it.1 == *chat)
    }
}

async fn rank_channel(repository: &Repository, chat: &LoadedChat) -> Result<ChannelRank, Failure> {
    let key = keys::active_chat(chat.chat.without_topic());
    let played = repository.read_value(Space::Meta, &key).await?;
    Ok(ChannelRank {
        allows_tables: chat.settings.allows_tables_in(&chat.chat),
        played_day: parse_json_or_default(played),
        is_channel: chat.settings.parents.channel.is_none(),
    })
}
