//! Planted faults of clocks and of due tasks.

use caravanserai_bot::repository::keys;
use caravanserai_bot::repository::stored_rows::Deadline;
use caravanserai_store::{Commit, Put, Space};

use super::{Fault, Planted, without};

const HOUR_MS: u64 = 3_600_000;

pub fn faults() -> Vec<Fault> {
    vec![
        Fault::new("the clock is a year ahead for a minute", &["fired at"], || {
            let ahead = |ms: u64| if ms / 60_000 % 20 == 7 { ms + 365 * 24 * HOUR_MS } else { ms };
            Planted { wall: Some(Box::new(ahead)), ..Planted::default() }
        }),
        Fault {
            from: 5,
            ..Fault::new(
                "the clock on the wall is slow",
                // Times in logs that are an hour early can lie in an outage that was over long ago.
                &["is due since", "was not met", "swept away", "while nothing could be kept"],
                || Planted { wall: Some(Box::new(|ms| ms - HOUR_MS)), ..Planted::default() },
            )
        },
        Fault::new("a deadline is not kept", &["is not listed", "was not met"], || {
            without(|it| is_due(it, "tick"))
        }),
        Fault::new(
            "a deadline that was met stays",
            &["is due since", "deadlines", "at the same moment"],
            || without(|it| it.space == Space::Due && it.value.is_none()),
        ),
        Fault::new("a deadline stands twice", &["deadlines"], || {
            let commit = |commit: &mut Commit| {
                let again: Vec<Put> = commit.puts.iter().filter_map(an_hour_later).collect();
                commit.puts.extend(again);
            };
            Planted { commit: Some(Box::new(commit)), ..Planted::default() }
        }),
        Fault::new(
            "nobody gets what is due",
            &["is due since", "was not met", "is waited for"],
            || Planted { claims_nothing: true, ..Planted::default() },
        ),
        Fault::new(
            "a computer that did not answer is not asked again",
            &["a computer is waited for"],
            || without(|it| is_due(it, "think")),
        ),
        Fault {
            from: 77,
            ..Fault::new(
                "clocks run while nothing can be kept",
                &["while nothing could be kept", "who could object"],
                always_well,
            )
        },
        Fault::new(
            "a clock stands still while calls are counted",
            &["swept away", "version", "waits", "board"],
            || Planted { steady: Some(Box::new(|_, _| 1)), ..Planted::default() },
        ),
    ]
}

/// It always looks as if a moment ago all had been well.
fn always_well() -> Planted {
    let commit = |commit: &mut Commit| {
        let all = commit.puts.iter_mut();
        for put in all.filter(|it| it.key == keys::LAST_ALIVE && it.value.is_some()) {
            put.value = Some(b"9000000000000".to_vec());
        }
    };
    Planted { commit: Some(Box::new(commit)), ..Planted::default() }
}

fn is_due(put: &Put, kind: &str) -> bool {
    put.space == Space::Due && put.value.is_some() && put.key.ends_with(kind)
}

/// The same deadline once more, an hour later.
fn an_hour_later(put: &Put) -> Option<Put> {
    let value = put.value.as_ref().filter(|_| put.space == Space::Due)?;
    let (at_ms, table) = keys::parse_deadline(&put.key)?;
    let due: Deadline = serde_json::from_slice(value).ok()?;
    Some(due.put(at_ms + HOUR_MS, &table))
}
