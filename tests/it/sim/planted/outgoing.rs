//! Planted faults of outgoing calls: not made, made twice, or made too often.

use std::collections::HashMap;

use parking_lot::Mutex;

use caravanserai_games::time_units::DAY_MS;
use caravanserai_protocol::OutgoingMessage;
use caravanserai_sim::{Call, SimFeature};
use caravanserai_store::{Commit, Space};

use super::{Fault, Planted, every};

/// What becomes of calls of one kind.
fn calls(kind: &'static str, often: u64, becomes: Call) -> Planted {
    let now = every(often);
    changed(move |which, _| if which == kind && now() { becomes } else { Call::Made })
}

/// What becomes of calls, and of what they carry.
fn changed(does: impl Fn(&str, &mut OutgoingMessage) -> Call + Send + Sync + 'static) -> Planted {
    let call = move |kind: &str, _: &_, message: &mut OutgoingMessage| does(kind, message);
    Planted { call: Some(Box::new(call)), ..Planted::default() }
}

/// Edits show something of the edit before.
fn lagging(
    old: impl Fn(&OutgoingMessage, &mut OutgoingMessage) + Send + Sync + 'static,
) -> Planted {
    let last: Mutex<HashMap<String, OutgoingMessage>> = Mutex::default();
    changed(move |kind, message| {
        if kind != "whisper" && message.nonce.starts_with("board ") {
            let mut last = last.lock();
            if let Some(before) = last.insert(message.nonce.clone(), message.clone()) {
                old(&before, message);
            }
        }
        Call::Made
    })
}

/// The end of a pause is not stored, and it lasts longer than the world: seen after the next start.
fn never_ending_pauses() -> Planted {
    let commit = |commit: &mut Commit| {
        commit.puts.retain(|it| {
            let is_mark = ["mute ", "send-pause "].iter().any(|mark| it.key.starts_with(mark));
            !(it.space == Space::Meta && it.value.is_none() && is_mark)
        });
        let pauses = commit.puts.iter_mut().filter(|it| it.key.starts_with("send-pause "));
        for value in pauses.filter_map(|it| it.value.as_mut()) {
            let mut pause: serde_json::Value = serde_json::from_slice(value).unwrap();
            let until_ms = pause["until_ms"].as_u64().unwrap();
            pause["until_ms"] = (until_ms + 30 * DAY_MS).into();
            *value = serde_json::to_vec(&pause).unwrap();
        }
    };
    Planted { commit: Some(Box::new(commit)), ..Planted::default() }
}

pub fn faults() -> Vec<Fault> {
    vec![
        Fault::new("the newest edit is dropped", &["version", "drawn"], || {
            calls("edit", 5, Call::Pretended)
        }),
        Fault::new("a post is dropped", &["there is no board", "board"], || {
            calls("post", 3, Call::Pretended)
        }),
        Fault::new("a post is made twice", &["stands twice", "live boards", "board"], || {
            calls("post", 3, Call::Doubled)
        }),
        Fault::new("an old board is not taken away", &["two live boards"], || {
            calls("delete", 1, Call::Pretended)
        }),
        Fault::new("a new text stands under an older picture", &["is drawn otherwise"], || {
            lagging(|before, message| message.image.clone_from(&before.image))
        }),
        Fault::new("a new picture stands over an older text", &["says"], || {
            lagging(|before, message| message.text.clone_from(&before.text))
        }),
        Fault::new("a new board has the buttons of the one before", &["has buttons"], || {
            lagging(|before, message| message.buttons.clone_from(&before.buttons))
        }),
        Fault {
            without: vec![SimFeature::Linked, SimFeature::Viewers],
            from: 78,
            ..Fault::new("a budget is three times too wide", &["times a minute"], || Planted {
                wider: 3,
                ..Planted::default()
            })
        },
        Fault {
            without: vec![SimFeature::Linked, SimFeature::Viewers],
            from: 150,
            ..Fault::new(
                "a place is never spoken to again",
                &["version", "waits", "board"],
                never_ending_pauses,
            )
        },
    ]
}
