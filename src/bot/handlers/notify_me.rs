//! Notifies people when another person in their chat wants to play, once each.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::context::{HandlerResult, RequestContext, brief_views};
use crate::repository::outbox_entry::OutboxEntry;
use crate::repository::row_update::{OptionalRow, StoredRow, TypedRowKey};
use crate::repository::{Failure, Repository, SUBSCRIPTION_TTL_MS, keys};
use caravanserai_games::GameId;
use caravanserai_games::ids::{ChatKind, PersonId};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::Notification;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_store::{Commit, Space};
use caravanserai_table::state::{Table, TablePhase};

/// The most people that are notified of one table.
const NOTIFIED_MAX: usize = 20;

/// The most people of whom that many are chosen: those who sleep or are away are not called.
const SUBSCRIBERS_MAX: usize = 200;

/// A person who waits for a table of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct GameSubscriber {
    /// Their name.
    name: String,
}

/// Keeps who wants to be notified of tables.
pub(crate) struct GameSubscriptions {
    repository: Arc<Repository>,
}

impl GameSubscriptions {
    pub(crate) fn new(repository: Arc<Repository>) -> Self {
        Self { repository }
    }

    /// Turns the notifications for a game on or off and shows the current choice; without a game it
    /// only shows the choice.
    pub(crate) async fn toggle_game_subscription(
        &self,
        context: &mut RequestContext<'_>,
        game: Option<GameId>,
    ) -> HandlerResult {
        if context.update.chat.kind == ChatKind::Private {
            return Ok(brief_views("refuse-notify-alone"));
        }
        let chat = context.update.chat.id.without_topic();
        let person = &context.update.person;
        if let Some(game) = game {
            let row = subscriber_key(keys::game_subscriber(chat, game.info().code, &person.id.0));
            let toggle = |it: &mut OptionalRow<GameSubscriber>| {
                it.0 = match it.0.take() {
                    Some(_) => None,
                    None => Some(GameSubscriber { name: person.name.clone() }),
                };
            };
            self.repository
                .update_row(row.with_ttl(context.now_ms + SUBSCRIPTION_TTL_MS), toggle)
                .await?;
        }
        let mut keys = Vec::new();
        let mut chosen = Vec::new();
        for game in GameId::all() {
            let code = game.info().code;
            let key = keys::game_subscriber(chat, code, &person.id.0);
            let is_chosen = self.repository.read_value(Space::Meta, &key).await?.is_some();
            let name = Text::new(format!("game-{code}"));
            chosen.extend(is_chosen.then(|| Arg::from(name.clone())));
            let label = match is_chosen {
                true => Text::new("setting-now").with("value", name),
                false => name,
            };
            keys.push(vec![ButtonSpec::new(label, format!("9.{code}"))]);
        }
        let text = match chosen.is_empty() {
            true => Text::new("answer-notify-none"),
            false => Text::new("answer-notify").with("games", Arg::Names(chosen)),
        };
        Ok(vec![View { texts: vec![text], button_rows: keys, ..View::default() }])
    }

    /// Adds a notification to a commit for the people who wait for such a table, if it has open
    /// seats. The commit removes them from the waiting list, and fails if they do not wait any
    /// more.
    pub(crate) async fn notify_subscribers(
        &self,
        context: &RequestContext<'_>,
        table: &Table,
        commit: &mut Commit,
    ) -> Result<(), Failure> {
        let has_open_seats =
            table.phase == TablePhase::Lobby && table.open_seat_count() > 0 && !table.is_solo();
        let here = &context.update.chat;
        if !has_open_seats || here.kind == ChatKind::Private || context.chat_settings.is_silent {
            return Ok(());
        }
        let prefix =
            keys::game_subscriber(here.id.without_topic(), table.game_id().info().code, "");
        let mut seated = table.seating.people();
        seated.push(&table.setup.opener);
        let hidden = self.repository.hidden_names().await?;
        let mut names = Vec::new();
        for (key, row) in self.repository.read_rows(Space::Meta, &prefix, SUBSCRIBERS_MAX).await? {
            if names.len() == NOTIFIED_MAX {
                break;
            }
            let person = PersonId(keys::last_part(&key).to_owned());
            let profile = self.repository.profiles().load_person(&person).await?;
            let asleep = profile.end_of_quiet_hours(context.now_ms) > context.now_ms;
            let away = profile.vacation_until(context.now_ms).is_some();
            if asleep || away || table.setup.opener == person {
                continue;
            }
            if self.repository.block_lists().is_separated(&person, &seated).await? {
                continue;
            }
            let row = StoredRow::read(subscriber_key(key), Some(row));
            row.remove(commit);
            let mut name = row.value().0.clone().unwrap_or_default().name;
            hidden.replace(here.id.without_topic(), &person, &mut name);
            names.push(Arg::Mention { person: person.0, name });
        }
        if !names.is_empty() {
            let text = Text::new("call-wanted")
                .with("name", Arg::Names(names))
                .with("opener", context.update.person.name.as_str())
                .with("game", table.game_id().info().name_text())
                .with("table", &*table.id.0);
            let notification = Notification::Audible;
            let view = View { texts: vec![text], notification, ..View::default() };
            let note = OutboxEntry::post(&here.id, &context.update.id, view);
            commit.puts.push(note.encode());
        }
        Ok(())
    }
}

/// The row of a person who waits for a game.
fn subscriber_key(key: String) -> TypedRowKey<OptionalRow<GameSubscriber>> {
    TypedRowKey::optional_row(key)
}
