//! Planted faults of what people see, of who acts as whom, and of randomness.

use std::sync::Arc;

use caravanserai_bot::commands::TableCallback;
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::RichSpan;
use caravanserai_protocol::{Attachment, OutgoingMessage, UpdateKind};
use caravanserai_sim::Call;
use caravanserai_store::Commit;
use caravanserai_table::{Event, LogLine};
use parking_lot::Mutex;

use super::{Fault, Planted, every};

/// What was seen last: the code of a table, and something hidden there.
type Seen = Arc<Mutex<Option<(String, String)>>>;

/// A card of a hand, and its table.
fn card(message: &OutgoingMessage) -> Option<(String, String)> {
    message.buttons.iter().flatten().find_map(|it| {
        let mut signs = it.label.chars();
        let is_card = signs.next().is_some_and(|it| "JQKA".contains(it))
            && signs.next().is_some_and(|it| "♠♥♦♣".contains(it));
        let table = TableCallback::decode(&it.callback_data)?.table.0;
        is_card.then(|| (table, it.label.chars().take(2).collect()))
    })
}

/// Puts a card that only one person was shown into the next board of its table.
fn leak(into: impl Fn(&str, &mut OutgoingMessage) + Send + Sync + 'static) -> Planted {
    let seen: Seen = Arc::default();
    let heard = seen.clone();
    let listener = move |person: &PersonId, message: &OutgoingMessage| {
        remember(&heard, message);
        person.clone()
    };
    let call = move |kind: &str, _: &_, message: &mut OutgoingMessage| {
        if kind == "whisper" {
            remember(&seen, message);
        } else if let Some((table, card)) = &*seen.lock()
            && message.nonce.starts_with(&format!("board {table} "))
        {
            into(card, message);
        }
        Call::Made
    };
    let (call, listener) = (Some(Box::new(call) as _), Some(Box::new(listener) as _));
    Planted { call, listener, ..Planted::default() }
}

fn remember(seen: &Seen, message: &OutgoingMessage) {
    if let Some(card) = card(message) {
        *seen.lock() = Some(card);
    }
}

/// Reveals the secret of a table's first line in the next boards, or elsewhere.
fn seed(tell: impl Fn(&str, &mut OutgoingMessage) + Send + Sync + 'static) -> Planted {
    let seen: Seen = Arc::default();
    let opened = seen.clone();
    let commit = move |commit: &mut Commit| {
        for append in &commit.appends {
            let first = append.lines.first().and_then(|it| LogLine::parse(it).ok());
            if let Some(Event::Opened(setup)) = first.map(|it| it.event) {
                *opened.lock() = Some((append.table.clone(), hex::encode(setup.seed)));
            }
        }
    };
    let call = move |_: &str, _: &_, message: &mut OutgoingMessage| {
        if let Some((table, seed)) = &*seen.lock()
            && message.nonce.starts_with(&format!("board {table} "))
        {
            tell(seed, message);
        }
        Call::Made
    };
    let (commit, call) = (Some(Box::new(commit) as _), Some(Box::new(call) as _));
    Planted { commit, call, ..Planted::default() }
}

/// Other events are written than were decided.
fn events(change: impl Fn(&mut Event) -> bool + Send + Sync + 'static) -> Planted {
    let commit = move |commit: &mut Commit| {
        for line in commit.appends.iter_mut().flat_map(|it| &mut it.lines) {
            let Ok(mut read) = LogLine::parse(line) else { continue };
            if change(&mut read.event) {
                *line = read.encode();
            }
        }
    };
    Planted { commit: Some(Box::new(commit)), ..Planted::default() }
}

/// Another person of the same platform.
fn other(person: &PersonId) -> PersonId {
    let (platform, number) = person.0.split_once(':').unwrap_or(("tg", "1"));
    let number: u64 = number.parse().unwrap_or(1);
    PersonId(format!("{platform}:{}", number % 5 + 1))
}

pub fn faults() -> Vec<Fault> {
    let mut all = shown();
    all.extend(overheard());
    all.extend(elsewhere());
    all.extend(acted());
    all
}

/// Hidden things that reach eyes.
fn shown() -> Vec<Fault> {
    vec![
        Fault::new("a hidden card is in a caption", &["was shown to"], || {
            leak(|card, message| message.text.0.push(RichSpan::Plain(card.to_owned())))
        }),
        Fault::new("a hidden card is in an alternative text", &["was shown to"], || {
            leak(|card, message| {
                message.image.iter_mut().for_each(|it| it.alt.push_str(card));
            })
        }),
        Fault::new("a hidden card is in the name of a file", &["was shown to"], || {
            leak(|card, message| {
                message.file = Some(Attachment::document(card.to_owned(), Arc::default()));
            })
        }),
        Fault::new("a hidden card is in a nonce", &["was shown to"], || {
            leak(|card, message| message.nonce.push_str(card))
        }),
        Fault::new("a hidden card is on a button", &["was shown to"], || {
            leak(|card, message| {
                let buttons = message.buttons.iter_mut().flatten();
                buttons.for_each(|it| it.label.push_str(card));
            })
        }),
        Fault::new("a hand is shown to another person", &["was shown to", "was sent to"], || {
            let listener = |person: &PersonId, message: &OutgoingMessage| {
                if card(message).is_some() { other(person) } else { person.clone() }
            };
            Planted { listener: Some(Box::new(listener)), ..Planted::default() }
        }),
        Fault::new("a refusal is sent to another person", &["was sent to"], || {
            let now = every(30);
            let listener = move |person: &PersonId, message: &OutgoingMessage| {
                if message.buttons.is_empty() && now() { other(person) } else { person.clone() }
            };
            Planted { listener: Some(Box::new(listener)), ..Planted::default() }
        }),
        Fault {
            without: Vec::new(),
            ..Fault::new(
                "a viewer is taken for another person",
                &["was shown to", "was sent to", "looks at"],
                || Planted { looker: Some(Box::new(other)), ..Planted::default() },
            )
        },
        Fault::new("the seed of a table is shown before its end", &["the seed of table"], || {
            seed(|seed, message| message.text.0.push(RichSpan::Plain(seed.to_owned())))
        }),
    ]
}

/// Hidden things in what the operator can read.
fn overheard() -> Vec<Fault> {
    vec![
        Fault::new("a hidden card is logged", &["was shown to readers of logs"], || {
            leak(|card, message| tracing::warn!(card, nonce = message.nonce, "shown"))
        }),
        Fault::new("the seed of a table is logged", &["the seed of table"], || {
            seed(|seed, _| tracing::info!("seed {seed}"))
        }),
        Fault::new("a hidden card is counted by name", &["was shown to readers of logs"], || {
            leak(|card, message| {
                let (card, nonce) = (card.to_owned(), message.nonce.clone());
                metrics::counter!("cards", "card" => card, "board" => nonce).increment(1);
            })
        }),
    ]
}

/// Whether an update is a press of a button whose callback data begins like this.
fn presses(update: &caravanserai_protocol::Update, start: &str) -> bool {
    let UpdateKind::Press { callback_data, .. } = &update.kind else { return false };
    callback_data.starts_with(start)
}

/// A person who presses yes is taken for another.
fn another_agrees() -> Fault {
    let found_by = &["agreed for seat", "said yes for", "without the word of"];
    let plant = || {
        let update = |update: &mut caravanserai_protocol::Update| {
            if presses(update, "y.") {
                update.person.id = other(&update.person.id);
            }
        };
        Planted { update: Some(Box::new(update)), ..Planted::default() }
    };
    Fault { from: 103, ..Fault::new("a yes counts as that of another person", found_by, plant) }
}

/// What happens where the bot is no member.
fn elsewhere() -> Vec<Fault> {
    let accepted = || {
        let update = |update: &mut caravanserai_protocol::Update| {
            if presses(update, "!.") {
                update.person.id = other(&update.person.id);
            }
        };
        Planted { update: Some(Box::new(update)), ..Planted::default() }
    };
    let stays = || {
        let call = |kind: &str, chat: &caravanserai_games::ids::ChatId, _: &mut OutgoingMessage| {
            let is_only = kind == "edit" && chat.0.contains(":~");
            if is_only { Call::Pretended } else { Call::Made }
        };
        Planted { call: Some(Box::new(call)), ..Planted::default() }
    };
    let found = [
        Fault::new("an inline challenge never becomes a board", &["there is no board"], stays),
        Fault::new("the accepting person is taken for another", &["opened what"], accepted),
    ];
    found.into_iter().map(|it| Fault { without: Vec::new(), ..it }).collect()
}

/// What was done is not what was asked for, or by whom.
fn acted() -> Vec<Fault> {
    vec![
        Fault::new(
            "a person acts for another",
            &["which is another's", "is said to be in", "was seated by"],
            || {
                let update = |update: &mut caravanserai_protocol::Update| {
                    if matches!(update.kind, UpdateKind::Press { .. }) {
                        update.person.id = other(&update.person.id);
                    }
                };
                Planted { update: Some(Box::new(update)), ..Planted::default() }
            },
        ),
        another_agrees(),
        Fault::new(
            "everybody may do what admins may",
            &["nobody who may", "table of others", "took a table from"],
            || {
                let update =
                    |update: &mut caravanserai_protocol::Update| update.person.admin = true;
                Planted { update: Some(Box::new(update)), ..Planted::default() }
            },
        ),
        Fault::new("an update gets another id", &["nobody sent it"], || {
            let update = |update: &mut caravanserai_protocol::Update| update.id.push('x');
            Planted { update: Some(Box::new(update)), ..Planted::default() }
        }),
        Fault {
            from: 112,
            ..Fault::new(
                "a place that is deleted is taken for one that sent the bot away",
                &["no more"],
                sent_away,
            )
        },
        Fault::new("a throw is altered", &["table"], || {
            events(|event| match event {
                Event::ChanceDrawn { token } => {
                    let digit = |it: char| it.to_digit(10).map(|it| (it % 6 + 1).to_string());
                    let turned = token.chars().map(|it| digit(it).unwrap_or(it.to_string()));
                    *token = turned.collect();
                    true
                }
                _ => false,
            })
        }),
        Fault::new("another move is written than was made", &["table"], || {
            let now = every(9);
            events(move |event| match event {
                Event::Stepped { token, .. } if token.len() == 1 && now() => {
                    let digit = token.parse::<u8>().unwrap_or(1);
                    *token = (digit % 9 + 1).to_string();
                    true
                }
                _ => false,
            })
        }),
        Fault::new("a deadline is met by nobody's time", &["fired"], by_nobody),
    ]
}

/// Moves that nobody made: their time is said to have come.
fn by_nobody() -> Planted {
    let now = every(15);
    let commit = move |commit: &mut Commit| {
        for line in commit.appends.iter_mut().flat_map(|it| &mut it.lines) {
            let Ok(mut read) = LogLine::parse(line) else { continue };
            if matches!(read.event, Event::Stepped { .. }) && now() {
                read.cause = "timer".to_owned();
                *line = read.encode();
            }
        }
    };
    Planted { commit: Some(Box::new(commit)), ..Planted::default() }
}

/// Nobody hears that a chat is deleted, only that the bot is not there.
fn sent_away() -> Planted {
    let update = |update: &mut caravanserai_protocol::Update| {
        if matches!(update.kind, UpdateKind::ChatDeleted) {
            update.kind = UpdateKind::BotRemoved;
        }
    };
    Planted { update: Some(Box::new(update)), ..Planted::default() }
}
