//! Planted faults by which people gain something: time, a win, another game, a lost change; and
//! faults that show only under heavy load.

use std::collections::{HashMap, HashSet};

use parking_lot::Mutex;

use caravanserai_bot::repository::keys;
use caravanserai_bot::repository::stored_rows::{Deadline, DeadlineKind};
use caravanserai_games::ids::ChatId;
use caravanserai_protocol::{Departure, OutgoingMessage, Update, UpdateKind};
use caravanserai_sim::Call;
use caravanserai_store::{Commit, Put, Space};
use caravanserai_table::event::EndReason;
use caravanserai_table::{ClockEvent, Event, LogLine};

use super::{Fault, Planted, every, without};

/// In Togyzkumalak nothing is left to chance: there the board of a lost game still has its buttons.
const CALLED_OFF: &[&str] = &["calling off what chance", "has buttons []"];

/// Either nothing closes the table, or what closes it is in no list.
const FORGOTTEN: &[&str] = &["forgotten since long", "a deadline fired that there was not"];

const MINUTE_MS: u64 = 60_000;

pub fn faults() -> Vec<Fault> {
    let mut all = time();
    all.extend(ends());
    all.extend(rows());
    all.extend(many());
    all
}

/// Changes the events of each log that a commit goes on with.
fn logs(change: impl Fn(&mut Vec<LogLine>) + Send + Sync + 'static) -> Planted {
    appends(move |_, lines| change(lines))
}

/// Changes the events of each log that a commit goes on with, by the code of the table.
fn appends(change: impl Fn(&str, &mut Vec<LogLine>) + Send + Sync + 'static) -> Planted {
    commits(move |commit| {
        for append in &mut commit.appends {
            let lines: Result<Vec<LogLine>, _> =
                append.lines.iter().map(|it| LogLine::parse(it)).collect();
            let Ok(mut lines) = lines else { continue };
            change(&append.table, &mut lines);
            for (number, line) in (append.expect..).zip(&mut lines) {
                line.number = number;
            }
            append.lines = lines.iter().map(LogLine::encode).collect();
        }
    })
}

fn commits(change: impl Fn(&mut Commit) + Send + Sync + 'static) -> Planted {
    Planted { commit: Some(Box::new(change)), ..Planted::default() }
}

fn starts_vacation(line: &LogLine) -> bool {
    matches!(line.event, Event::Clock(ClockEvent::VacationStarted { .. }))
}

/// Notes each vacation at the first of a person's tables. For the others nothing is written, or
/// only what else happens there.
fn vacations_of_one_table() -> Planted {
    let noted: Mutex<HashMap<String, String>> = Mutex::default();
    commits(move |commit| {
        let mut noted = noted.lock();
        let mut left_out = Vec::new();
        for append in &mut commit.appends {
            let lines = append.lines.iter().map(|it| LogLine::parse(it));
            let mut lines: Vec<LogLine> = lines.collect::<Result<_, _>>().unwrap_or_default();
            let Some(start) = lines.iter().find(|it| starts_vacation(it)) else { continue };
            let first = noted.entry(format!("{:?}", start.event));
            if first.or_insert_with(|| append.table.clone()) == &append.table {
                continue;
            }
            if lines.iter().all(|it| matches!(it.event, Event::Clock(_))) {
                left_out.push(append.table.clone());
                continue;
            }
            lines.retain(|it| !starts_vacation(it));
            for (number, line) in (append.expect..).zip(&mut lines) {
                line.number = number;
            }
            append.lines = lines.iter().map(LogLine::encode).collect();
        }
        commit.appends.retain(|it| !left_out.contains(&it.table));
        commit.puts.retain(|put| !left_out.iter().any(|it| put.key.contains(it)));
    })
}

/// The same, in a world in which people go on vacation often: each tenth text begins one.
fn with_vacations(planted: Planted) -> Planted {
    let now = every(10);
    let update = move |update: &mut Update| {
        if let UpdateKind::Text { text, .. } = &mut update.kind
            && now()
        {
            "/vacation 7".clone_into(text);
        }
    };
    Planted { update: Some(Box::new(update)), ..planted }
}

fn updates(change: impl Fn(&mut Update) + Send + Sync + 'static) -> Planted {
    Planted { update: Some(Box::new(change)), ..Planted::default() }
}

/// Gives the seat whose clock runs so much more, whenever one of these events comes before.
fn refills(after: fn(&Event) -> bool, ms: u64) -> Planted {
    logs(move |lines| {
        let is_meant = lines.iter().any(|it| after(&it.event));
        for line in lines.iter_mut().filter(|_| is_meant) {
            if let Event::Clock(ClockEvent::ClocksChanged(reading)) = &mut line.event {
                reading.running.iter_mut().for_each(|it| it.1 += ms);
                reading.left_ms.iter_mut().for_each(|it| *it += ms);
            }
        }
    })
}

/// Time that nobody has given.
fn time() -> Vec<Fault> {
    let clock = &["the clock of seat"];
    vec![
        Fault::new("each move gives a minute", clock, || {
            refills(|it| matches!(it, Event::Stepped { .. }), MINUTE_MS)
        }),
        Fault::new("a person who returns has a full clock", clock, || {
            refills(
                |it| matches!(it, Event::Clock(ClockEvent::PersonReturned { .. })),
                10 * MINUTE_MS,
            )
        })
        .from(40),
        Fault {
            from: 118,
            ..Fault::new("a person who takes over a seat has a full clock", clock, || {
                refills(|it| matches!(it, Event::SeatReplaced { .. }), 10 * MINUTE_MS)
            })
        },
        Fault::new(
            "a move takes its increment away",
            &["ended its turn with", "the clock of seat"],
            || {
                logs(|lines| {
                    for line in lines {
                        if let Event::Clock(ClockEvent::ClocksChanged(reading)) = &mut line.event {
                            for left in &mut reading.left_ms {
                                *left = left.saturating_sub(3_000);
                            }
                        }
                    }
                })
            },
        )
        .from(36),
    ]
}

/// Games that end or begin without those who play them.
fn ends() -> Vec<Fault> {
    vec![
        Fault::new("a player calls a game off that is lost", CALLED_OFF, || {
            logs(|lines| {
                for line in lines {
                    if let Event::GameOver { reason: EndReason::Resigned(_), .. } = &line.event {
                        line.event = Event::TableClosed { reason: EndReason::Aborted };
                    }
                }
            })
        })
        .from(62),
        Fault::new("a press counts as leaving", &["has been there for", "was acted on"], || {
            let now = every(6);
            updates(move |update| {
                if matches!(update.kind, UpdateKind::Press { .. }) && now() {
                    update.kind = UpdateKind::MemberLeft {
                        who: update.person.id.clone(),
                        how: Departure::Left,
                    };
                }
            })
        })
        .from(27),
        Fault::new(
            "another game begins with a person who has left",
            &["another game began", "has left"],
            || {
                updates(|update| {
                    if matches!(update.kind, UpdateKind::MemberLeft { .. }) {
                        update.kind = UpdateKind::MembersJoined { who: Vec::new() };
                    }
                })
            },
        ),
        Fault {
            days: 40,
            from: 151,
            ..Fault::new(
                "a vacation is not noted when a person sits down",
                &["on vacation until"],
                || {
                    // The bot would note it later, so it is lost there from then on.
                    let unnoted: Mutex<HashSet<String>> = Mutex::default();
                    with_vacations(appends(move |table, lines| {
                        let is_seat = |it: &LogLine| {
                            matches!(it.event, Event::Seated { .. } | Event::SeatReplaced { .. })
                        };
                        let mut unnoted = unnoted.lock();
                        if lines.iter().any(is_seat) && lines.iter().any(starts_vacation) {
                            unnoted.insert(table.to_owned());
                        }
                        if unnoted.contains(table) {
                            lines.retain(|it| !starts_vacation(it));
                        }
                    }))
                },
            )
        },
    ]
}

/// Rows that are written although another request has written them.
fn rows() -> Vec<Fault> {
    vec![
        Fault::new(
            "a profile is written without comparing it",
            &["is written without comparing"],
            || commits(|commit| commit.expect.retain(|it| it.space != Space::Person)),
        ),
        Fault::new(
            "a chat is written without comparing it",
            &["is written without comparing"],
            || commits(|commit| commit.expect.retain(|it| it.space != Space::ChatProfile)),
        ),
        Fault::new("a profile becomes what it was before", &["the setting"], || {
            let before: Mutex<HashMap<String, Vec<Option<Vec<u8>>>>> = Mutex::default();
            let now = every(7);
            commits(move |commit| {
                let mut before = before.lock();
                for put in commit.puts.iter_mut().filter(|it| is_profile(it)) {
                    let old = before.entry(put.key.clone()).or_default();
                    old.push(put.value.clone());
                    if old.len() > 2 && now() {
                        put.value.clone_from(&old[old.len() - 3]);
                    }
                }
            })
        }),
    ]
}

fn is_profile(put: &Put) -> bool {
    put.space == Space::Person && !put.key.contains(' ')
}

/// Faults that need very much of something.
fn many() -> Vec<Fault> {
    vec![
        Fault::new(
            "a new table gets the code of another",
            &["should stand", "was written, and", "acknowledged", "cannot be", "not listed"],
            || {
                let last: Mutex<Option<(String, u64)>> = Mutex::default();
                let now = every(9);
                commits(move |commit| {
                    let mut last = last.lock();
                    for append in &mut commit.appends {
                        let length = append.expect + append.lines.len() as u64;
                        match &*last {
                            Some((code, expect)) if append.expect == 0 && now() => {
                                append.table.clone_from(code);
                                append.expect = *expect;
                            }
                            _ => *last = Some((append.table.clone(), length)),
                        }
                    }
                })
            },
        ),
        Fault {
            days: 40,
            from: 50,
            ..Fault::new(
                "what follows for many tables is done for one",
                &["on vacation until"],
                || with_vacations(vacations_of_one_table()),
            )
        },
        Fault {
            days: 200,
            ..Fault::new("a table that was forgotten stays open", FORGOTTEN, || {
                without(|it| is_due(it, DeadlineKind::Closing))
            })
        },
        labels(),
    ]
}

fn labels() -> Fault {
    Fault::new("a button names another card than it plays", &["the button"], || {
        let call = |_: &str, _: &ChatId, message: &mut OutgoingMessage| {
            let labels: Vec<String> =
                message.buttons.iter().flatten().map(|it| it.label.clone()).collect();
            let turned = labels.iter().skip(1).chain(labels.first());
            let is_hand = labels.iter().any(|it| it.contains(['♠', '♥', '♦', '♣']));
            for (button, label) in message.buttons.iter_mut().flatten().zip(turned) {
                if is_hand {
                    button.label.clone_from(label);
                }
            }
            Call::Made
        };
        Planted { call: Some(Box::new(call)), ..Planted::default() }
    })
}

fn is_due(put: &Put, kind: DeadlineKind) -> bool {
    let due = |value: &Vec<u8>| serde_json::from_slice::<Deadline>(value).ok();
    let found = put.value.as_ref().filter(|_| put.space == Space::Due).and_then(due);
    keys::parse_deadline(&put.key).is_some() && found.is_some_and(|it| it.kind == kind)
}
