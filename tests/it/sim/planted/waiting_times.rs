//! Planted faults of slow games: vacations, reminders, deadlines on boards.

use caravanserai_bot::repository::keys;
use caravanserai_bot::repository::outbox_entry::PingTask;
use caravanserai_bot::repository::outbox_key::OutboxKey;
use caravanserai_bot::repository::stored_rows::{Deadline, DeadlineKind};
use caravanserai_games::ids::ChatId;
use caravanserai_games::text::{RichSpan, Text};
use caravanserai_protocol::{OutgoingMessage, Update, UpdateKind};
use caravanserai_sim::Call;
use caravanserai_store::{Commit, Put, Space};

use super::{Fault, Planted};

const DAY_MS: u64 = 86_400_000;

pub fn faults() -> Vec<Fault> {
    let late =
        |from, name, found_by, plant| Fault { days: 40, from, ..Fault::new(name, found_by, plant) };
    let fault = |name, found_by, plant| late(8, name, found_by, plant);
    vec![
        fault("the player to move is reminded with every move", &["was reminded"], || {
            commits(|commit| {
                let calls: Vec<Put> = commit.puts.iter().filter_map(called_at_once).collect();
                commit.puts.extend(calls);
            })
        }),
        late(26, "a vacation is written down as two days shorter", &["deadline", "says"], || {
            commits(|commit| in_log(commit, "vacation", 2, |ms| ms - 2 * DAY_MS))
        }),
        late(
            21,
            "a slow clock is written down with half its time",
            &["says", "deadline", "ran out"],
            || commits(|commit| in_log(commit, "runs", 2, |ms| ms - DAY_MS / 2)),
        ),
        late(21, "boards name the deadline a day late", &["says"], || {
            let call = |_: &str, _: &ChatId, message: &mut OutgoingMessage| {
                for span in &mut message.text.0 {
                    if let RichSpan::Time { at_ms, .. } = span {
                        *at_ms += DAY_MS;
                    }
                }
                Call::Made
            };
            Planted { call: Some(Box::new(call)), ..Planted::default() }
        }),
        late(12, "nobody hears who leaves a chat", &["has left"], || {
            hears(|body| matches!(body, UpdateKind::MemberLeft { .. }))
        }),
        late(28, "nobody hears who comes back to a chat", &["has come back"], || {
            hears(|body| matches!(body, UpdateKind::MembersJoined { .. }))
        }),
    ]
}

fn commits(change: impl Fn(&mut Commit) + Send + Sync + 'static) -> Planted {
    Planted { commit: Some(Box::new(change)), ..Planted::default() }
}

/// A bot to which such updates say nothing.
fn hears(is_unheard: impl Fn(&UpdateKind) -> bool + Send + Sync + 'static) -> Planted {
    let update = move |update: &mut Update| {
        if is_unheard(&update.kind) {
            update.kind = UpdateKind::MembersJoined { who: Vec::new() };
        }
    };
    Planted { update: Some(Box::new(update)), ..Planted::default() }
}

/// The call of the player on turn, when only its time is being noted.
fn called_at_once(put: &Put) -> Option<Put> {
    let value = put.value.as_ref().filter(|_| put.space == Space::Due)?;
    let due: Deadline = serde_json::from_slice(value).ok()?;
    let (_, table) = keys::parse_deadline(&put.key)?;
    let text = Text::new("call-turn-until").with("name", "x").with("table", &*table.0);
    let task =
        PingTask { text: Some(text), version: due.version, turn: None, purpose: due.purpose };
    let key = OutboxKey::ping(&ChatId("tg:-100".into()), &table, due.version).encode();
    let value = serde_json::to_vec(&task).ok()?;
    (due.kind == DeadlineKind::Ping).then(|| Put::new(Space::Outbox, key, value))
}

/// Changes a moment in lines of this kind: the word so far behind its name.
fn in_log(commit: &mut Commit, kind: &str, behind: usize, change: impl Fn(u64) -> u64) {
    for line in commit.appends.iter_mut().flat_map(|it| &mut it.lines) {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let Some(at) = words.iter().position(|it| it == kind) else { continue };
        let Some(word) = words.get_mut(at + behind) else { continue };
        let Ok(ms) = word.parse::<u64>() else { continue };
        *word = change(ms).to_string();
        *line = words.join(" ");
    }
}
