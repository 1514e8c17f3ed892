//! People who want to be told when somebody in their chat wants to play: each is told once.

use serde::{Deserialize, Serialize};

use super::Desk;
use super::visit::{Notes, Visit, brief};
use crate::ledger::changes::{Slot, Small, Stored};
use crate::ledger::rows::note_put;
use crate::ledger::{AWAITED_MS, Failure, keys};
use caravanserai_games::GameId;
use caravanserai_games::ids::{PersonId, PlaceKind};
use caravanserai_games::words::{Arg, Text};
use caravanserai_protocol::note::{Key, Note};
use caravanserai_store::{Commit, Space};
use caravanserai_table::fold::{Phase, Table};

/// At most so many people are told of one table.
const TOLD: usize = 20;

/// Somebody who waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Awaiting {
    /// What people see.
    name: String,
}

impl Desk {
    /// Begins or ends the waiting for a game; without one it tells which are awaited.
    pub(super) async fn await_game(&self, visit: &mut Visit<'_>, game: Option<GameId>) -> Notes {
        if visit.update.place.kind == PlaceKind::Private {
            return Ok(brief("refuse-notify-alone"));
        }
        let (chat, person) = (visit.update.place.id.chat(), &visit.update.person);
        if let Some(game) = game {
            let slot = waiting(keys::awaiting(chat, game.info().code, &person.id.0));
            let other = |it: &mut Small<Awaiting>| {
                it.0 = match it.0.take() {
                    Some(_) => None,
                    None => Some(Awaiting { name: person.name.clone() }),
                };
            };
            self.ledger.change(slot.until(visit.now_ms + AWAITED_MS), other).await?;
        }
        let mut keys = Vec::new();
        let mut awaited = Vec::new();
        for game in GameId::all() {
            let code = game.info().code;
            let key = keys::awaiting(chat, code, &person.id.0);
            let waits = self.ledger.value(Space::Meta, &key).await?.is_some();
            let name = Text::new(format!("game-{code}"));
            awaited.extend(waits.then(|| Arg::from(name.clone())));
            let label = match waits {
                true => Text::new("setting-now").with("value", name),
                false => name,
            };
            keys.push(vec![Key::new(label, format!("9.{code}"))]);
        }
        let text = match awaited.is_empty() {
            true => Text::new("answer-notify-none"),
            false => Text::new("answer-notify").with("games", Arg::Names(awaited)),
        };
        Ok(vec![Note { texts: vec![text], keys, ..Note::default() }])
    }

    /// Adds a call to a commit for the people who wait for such a table, if it has open seats. The
    /// commit removes them from the waiting list, and fails if they do not wait any more.
    pub(super) async fn tell_awaiting(
        &self,
        visit: &Visit<'_>,
        table: &Table,
        commit: &mut Commit,
    ) -> Result<(), Failure> {
        let open = table.phase == Phase::Lobby && table.open_seats() > 0 && !table.is_solo();
        let here = &visit.update.place;
        if !open || here.kind == PlaceKind::Private || visit.place.quiet {
            return Ok(());
        }
        let prefix = keys::awaiting(here.id.chat(), table.game_id().info().code, "");
        let mut names = Vec::new();
        for (key, row) in self.ledger.rows(Space::Meta, &prefix, TOLD).await? {
            let person = PersonId(keys::tail(&key).to_owned());
            let profile = self.ledger.person(&person).await?;
            let asleep = profile.awake_from(visit.now_ms) > visit.now_ms;
            let away = profile.vacation(visit.now_ms).is_some();
            if asleep || away || table.setup.opener == person {
                continue;
            }
            let row = Stored::read(waiting(key), Some(row));
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
            let note = Note { texts: vec![text], loud: true, ..Note::default() };
            commit.puts.push(note_put(&here.id, &visit.update.id, note));
        }
        Ok(())
    }
}

/// The row of a person who waits.
fn waiting(key: String) -> Slot<Small<Awaiting>> {
    Slot::small(key)
}
