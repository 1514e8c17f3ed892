//! People who want to be told when somebody in their chat wants to play: each is told once.

use serde::{Deserialize, Serialize};

use super::Handlers;
use super::context::{HandlerResult, RequestContext, brief_note};
use crate::repository::row_update::{OptionalRow, StoredRow, TypedRowKey};
use crate::repository::stored_rows::note_put;
use crate::repository::{Failure, SUBSCRIPTION_TTL_MS, keys};
use caravanserai_games::GameId;
use caravanserai_games::ids::{PersonId, PlaceKind};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_store::{Commit, Space};
use caravanserai_table::state::{Table, TablePhase};

/// At most so many people are told of one table.
const NOTIFIED_MAX: usize = 20;

/// Somebody who waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct GameSubscriber {
    /// What people see.
    name: String,
}

impl Handlers {
    /// Begins or ends the waiting for a game; without one it tells which are awaited.
    pub(crate) async fn toggle_game_subscription(
        &self,
        visit: &mut RequestContext<'_>,
        game: Option<GameId>,
    ) -> HandlerResult {
        if visit.update.chat.kind == PlaceKind::Private {
            return Ok(brief_note("refuse-notify-alone"));
        }
        let (chat, person) = (visit.update.chat.id.chat(), &visit.update.person);
        if let Some(game) = game {
            let slot = subscriber_key(keys::game_subscriber(chat, game.info().code, &person.id.0));
            let other = |it: &mut OptionalRow<GameSubscriber>| {
                it.0 = match it.0.take() {
                    Some(_) => None,
                    None => Some(GameSubscriber { name: person.name.clone() }),
                };
            };
            self.repository
                .update_row(slot.with_ttl(visit.now_ms + SUBSCRIPTION_TTL_MS), other)
                .await?;
        }
        let mut keys = Vec::new();
        let mut awaited = Vec::new();
        for game in GameId::all() {
            let code = game.info().code;
            let key = keys::game_subscriber(chat, code, &person.id.0);
            let waits = self.repository.read_value(Space::Meta, &key).await?.is_some();
            let name = Text::new(format!("game-{code}"));
            awaited.extend(waits.then(|| Arg::from(name.clone())));
            let label = match waits {
                true => Text::new("setting-now").with("value", name),
                false => name,
            };
            keys.push(vec![ButtonSpec::new(label, format!("9.{code}"))]);
        }
        let text = match awaited.is_empty() {
            true => Text::new("answer-notify-none"),
            false => Text::new("answer-notify").with("games", Arg::Names(awaited)),
        };
        Ok(vec![View { texts: vec![text], keys, ..View::default() }])
    }

    /// Adds a call to a commit for the people who wait for such a table, if it has open seats. The
    /// commit removes them from the waiting list, and fails if they do not wait any more.
    pub(crate) async fn notify_subscribers(
        &self,
        visit: &RequestContext<'_>,
        table: &Table,
        commit: &mut Commit,
    ) -> Result<(), Failure> {
        let open =
            table.phase == TablePhase::Lobby && table.open_seat_count() > 0 && !table.is_solo();
        let here = &visit.update.chat;
        if !open || here.kind == PlaceKind::Private || visit.place.quiet {
            return Ok(());
        }
        let prefix = keys::game_subscriber(here.id.chat(), table.game_id().info().code, "");
        let mut names = Vec::new();
        for (key, row) in self.repository.read_rows(Space::Meta, &prefix, NOTIFIED_MAX).await? {
            let person = PersonId(keys::last_part(&key).to_owned());
            let profile = self.repository.load_person(&person).await?;
            let asleep = profile.end_of_quiet_hours(visit.now_ms) > visit.now_ms;
            let away = profile.vacation_until(visit.now_ms).is_some();
            if asleep || away || table.setup.opener == person {
                continue;
            }
            let row = StoredRow::read(subscriber_key(key), Some(row));
            row.remove(commit);
            let name = row.value().0.clone().unwrap_or_default().name;
            names.push(Arg::Mention { person: person.0, name });
        }
        if !names.is_empty() {
            let text = Text::new("call-wanted")
                .with("name", Arg::Names(names))
                .with("opener", visit.update.person.name.as_str())
                .with("game", Text::new(format!("game-{}", table.game_id().info().code)))
                .with("table", &*table.id.0);
            let note = View { texts: vec![text], loud: true, ..View::default() };
            commit.puts.push(note_put(&here.id, &visit.update.id, note));
        }
        Ok(())
    }
}

/// The row of a person who waits.
fn subscriber_key(key: String) -> TypedRowKey<OptionalRow<GameSubscriber>> {
    TypedRowKey::optional_row(key)
}
