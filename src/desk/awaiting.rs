//! People who want to be told when somebody in their chat wants to play: each is told once.

use serde::{Deserialize, Serialize};

use super::Desk;
use super::visit::{Notes, Visit, brief};
use crate::chat::note::{Key, Note};
use crate::games::GameId;
use crate::ids::{PersonId, PlaceKind};
use crate::ledger::rows::{cut, note_put, parse, put};
use crate::ledger::{DAY_MS, Failure, keys};
use crate::store::{Put, Space};
use crate::table::fold::{Phase, Table};
use crate::words::{Arg, Text};

/// How long somebody waits, in milliseconds: two weeks.
const WAITS_MS: u64 = 14 * DAY_MS;

/// At most so many people are told of one table.
const TOLD: usize = 20;

/// Somebody who waits.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
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
            let key = keys::awaiting(chat, game.info().code, &person.id.0);
            let waits = self.ledger.value(Space::Meta, &key).await?.is_some();
            let row = match waits {
                true => cut(Space::Meta, key),
                false => {
                    let row = Awaiting { name: person.name.clone() };
                    put(Space::Meta, key, &row).until(visit.now_ms + WAITS_MS)
                }
            };
            self.ledger.keep(vec![row]).await?;
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

    /// What tells those who wait for such a table that it is open, if anybody may sit down there.
    pub(super) async fn tells_awaiting(
        &self,
        visit: &Visit<'_>,
        table: &Table,
    ) -> Result<Vec<Put>, Failure> {
        let open = table.phase == Phase::Lobby && table.open_seats() > 0 && !table.is_solo();
        let here = &visit.update.place;
        if !open || here.kind == PlaceKind::Private || visit.place.quiet {
            return Ok(Vec::new());
        }
        let prefix = keys::awaiting(here.id.chat(), table.game_id().info().code, "");
        let (mut puts, mut names) = (Vec::new(), Vec::new());
        for (key, row) in self.ledger.rows(Space::Meta, &prefix, TOLD).await? {
            let person = PersonId(keys::tail(&key).to_owned());
            let profile = self.ledger.person(&person).await?;
            let asleep = profile.awake_from(visit.now_ms) > visit.now_ms;
            let away = profile.vacation(visit.now_ms).is_some();
            if asleep || away || table.setup.opener == person {
                continue;
            }
            let Awaiting { name } = parse(Some(row));
            names.push(Arg::Mention { person: person.0, name });
            puts.push(cut(Space::Meta, key));
        }
        if !names.is_empty() {
            let text = Text::new("call-wanted")
                .with("name", Arg::Names(names))
                .with("opener", visit.update.person.name.as_str())
                .with("game", Text::new(format!("game-{}", table.game_id().info().code)))
                .with("table", &*table.id.0);
            let note = Note { texts: vec![text], loud: true, ..Note::default() };
            puts.push(note_put(&here.id, &visit.update.id, note));
        }
        Ok(puts)
    }
}
