//! Planted faults of the disk and of stored rows.

use caravanserai_store::{Commit, Put, Space};

use super::{Fault, Planted, every, without};

/// What the disk does with what was acknowledged.
fn disk(does: impl Fn(&mut Option<Commit>) + Send + Sync + 'static) -> Planted {
    Planted { written: Some(Box::new(does)), ..Planted::default() }
}

/// Does something to each twentieth commit with new lines.
fn to_lines(does: impl Fn(&mut Vec<String>) + Send + Sync + 'static) -> Planted {
    let now = every(20);
    disk(move |commit| {
        for append in commit.iter_mut().flat_map(|it| &mut it.appends) {
            if !append.lines.is_empty() && now() {
                does(&mut append.lines);
            }
        }
    })
}

/// Whether this takes a row of a space away.
fn cuts(space: Space) -> impl Fn(&Put) -> bool {
    move |it| it.space == space && it.value.is_none()
}

/// Whether this keeps a row of a space.
fn keeps(space: Space) -> impl Fn(&Put) -> bool {
    move |it| it.space == space && it.value.is_some()
}

pub fn faults() -> Vec<Fault> {
    let mut all = written();
    all.extend(kept());
    all
}

/// What was acknowledged is not what is written.
fn written() -> Vec<Fault> {
    vec![
        Fault::new(
            "an acknowledged commit is not written",
            &["acknowledged", "stood before"],
            || {
                let now = every(40);
                disk(move |commit| {
                    if now() {
                        *commit = None;
                    }
                })
            },
        ),
        Fault::new(
            "a disk forgets what was written before a kill",
            &["acknowledged", "waited for", "a call of version"],
            || Planted { forgotten: 3, ..Planted::default() },
        ),
        Fault::new("a line of a log is lost", &["acknowledged"], || {
            to_lines(|lines| drop(lines.pop()))
        }),
        Fault::new("a line of a log is written twice", &["acknowledged"], || {
            to_lines(|lines| lines.extend(lines.last().cloned()))
        }),
        Fault::new("a digit of a line is turned", &["acknowledged"], || {
            to_lines(|lines| {
                let turned = |it: &mut String| *it = it.replacen('1', "2", 1);
                lines.iter_mut().for_each(turned);
            })
        }),
        Fault::new("a row is torn", &["acknowledged"], || {
            let now = every(60);
            disk(move |commit| {
                let rows = commit.iter_mut().flat_map(|it| &mut it.puts);
                for value in rows.filter_map(|it| it.value.as_mut()) {
                    if value.len() > 8 && now() {
                        value.truncate(value.len() / 2);
                    }
                }
            })
        }),
    ]
}

/// What belongs into a commit is not in it.
fn kept() -> Vec<Fault> {
    vec![
        Fault::new("the id of an update is not kept", &["acted twice"], || {
            let commit = |commit: &mut Commit| {
                commit.puts.retain(|it| it.space != Space::Seen);
                commit.expect.retain(|it| it.space != Space::Seen);
            };
            Planted { commit: Some(Box::new(commit)), ..Planted::default() }
        }),
        Fault::new("what is to be sent is not kept", &["version"], || {
            let now = every(20);
            let lost = keeps(Space::Outbox);
            without(move |it| lost(it) && now())
        }),
        Fault::new(
            "what was sent is never crossed out",
            &["waits to be said", "stands twice"],
            || without(cuts(Space::Outbox)),
        ),
        Fault::new("it is not kept which message is the board", &["board", "stands twice"], || {
            without(keeps(Space::Board))
        }),
        Fault::new("a table is not listed in its place", &["is open and not listed"], || {
            without(keeps(Space::ChatTable))
        }),
        Fault::new(
            "a table that ended stays listed for people",
            &["is listed and not open"],
            || without(cuts(Space::PersonTable)),
        ),
        Fault::new("nothing is ever swept away", &["should have been swept away"], || Planted {
            never_sweeps: true,
            ..Planted::default()
        }),
        Fault {
            replicas: 2,
            ..Fault::new(
                "every process may speak to every chat at once",
                &["stands twice", "times a minute", "live boards", "board"],
                || Planted { lease: Some(true), ..Planted::default() },
            )
        },
    ]
}
