//! How what an event tells is spelled in the log: the setup of a table, offers, reasons, places.

use super::clock::{Control, Reading, Timed};
use super::event::{Begin, Event, FORMAT, FORMAT_PLAIN, Offer, Reason, Setup, hex};
use super::places::Attached;
use super::promise::Promise;
use super::spelling::{Words, escape, list, unhex};
use caravanserai_games::GameId;
use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind, TableId};
use caravanserai_games::search::Level;

/// Whether others read along.
fn write_kind(kind: PlaceKind) -> &'static str {
    match kind {
        PlaceKind::Group => "group",
        PlaceKind::Private => "private",
    }
}

/// Reads that spelling.
fn read_kind(words: &mut Words<'_>) -> Option<PlaceKind> {
    match words.next()? {
        "group" => Some(PlaceKind::Group),
        "private" => Some(PlaceKind::Private),
        _ => None,
    }
}

impl Offer {
    pub(super) fn write(&self) -> String {
        match self {
            Offer::Draw => "draw".to_owned(),
            Offer::TakeBack { steps } => format!("back {steps}"),
            Offer::Rematch => "rematch".to_owned(),
            Offer::Resign => "resign".to_owned(),
            Offer::Pause => "pause".to_owned(),
            Offer::Resume => "resume".to_owned(),
            Offer::Replace { seat } => format!("replace {seat}"),
        }
    }

    pub(super) fn read(words: &mut Words<'_>) -> Option<Offer> {
        Some(match words.next()? {
            "draw" => Offer::Draw,
            "back" => Offer::TakeBack { steps: words.number()? },
            "rematch" => Offer::Rematch,
            "resign" => Offer::Resign,
            "pause" => Offer::Pause,
            "resume" => Offer::Resume,
            // [`Event::Proposed`] makes the other.
            _ => return None,
        })
    }
}

impl std::fmt::Debug for Setup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Setup { game, options, seats, place, opener, .. } = self;
        write!(f, "Setup({} {options} {seats} {} {})", game.info().code, place.0, opener.0)
    }
}

/// How the line ends that opens a coached table.
const COACHED: &str = "coached";

impl Setup {
    /// The oldest spelling that can say this: programs that know no newer one read on.
    pub fn format_of(coached: bool) -> u16 {
        if coached { FORMAT } else { FORMAT_PLAIN }
    }

    pub(super) fn write(&self) -> String {
        let kind = write_kind(self.kind);
        format!(
            "open v{} {} r{} {} {} {} {} {kind} {} {}{}",
            self.format,
            self.game.info().code,
            self.revision,
            self.options,
            self.seats,
            self.begin.write(),
            escape(&self.place.0),
            hex(&self.seed),
            escape(&self.opener.0),
            if self.coached { format!(" {COACHED}") } else { String::new() },
        )
    }

    pub(super) fn read(words: &mut Words<'_>) -> Option<Setup> {
        let format = words.next()?.strip_prefix('v')?.parse().ok()?;
        if format > FORMAT {
            return None;
        }
        Some(Setup {
            format,
            game: GameId::read(words.next()?)?,
            revision: words.next()?.strip_prefix('r')?.parse().ok()?,
            options: words.plain()?,
            seats: words.number()?,
            begin: Begin::read(words.next()?)?,
            place: PlaceId(words.escaped()?),
            kind: read_kind(words)?,
            seed: unhex(words.next()?)?.try_into().ok()?,
            opener: PersonId(words.escaped()?),
            coached: match words.next() {
                None => false,
                Some(COACHED) => true,
                Some(_) => return None,
            },
        })
    }
}

/// Reasons that say all by themselves, and their spelling.
const PLAIN_REASONS: [(Reason, &str); 9] = [
    (Reason::Played, "played"),
    (Reason::Agreed, "agreed"),
    (Reason::Aborted, "aborted"),
    (Reason::Declined, "declined"),
    (Reason::Cancelled, "cancelled"),
    (Reason::Expired, "expired"),
    (Reason::Vanished, "vanished"),
    (Reason::Outdated, "outdated"),
    (Reason::Abandoned, "abandoned"),
];

impl Reason {
    pub(super) fn write(self) -> String {
        match self {
            Reason::Resigned(seat) => return format!("resigned {seat}"),
            Reason::Late(seat) => return format!("late {seat}"),
            Reason::Absent(seat) => return format!("absent {seat}"),
            _ => {}
        }
        let plain = PLAIN_REASONS.iter().find(|(it, _)| *it == self);
        plain.map(|(_, word)| (*word).to_owned()).expect("all other reasons are plain")
    }

    pub(super) fn read(words: &mut Words<'_>) -> Option<Reason> {
        match words.next()? {
            "resigned" => Some(Reason::Resigned(words.number()?)),
            "late" => Some(Reason::Late(words.number()?)),
            "absent" => Some(Reason::Absent(words.number()?)),
            word => PLAIN_REASONS.iter().find(|(_, it)| *it == word).map(|(it, _)| *it),
        }
    }
}

/// What a seat has settled for later: `plan 0 3:7,5:2`, or `plan 0 -`.
pub(super) fn write_plan(event: &Event) -> String {
    let Event::Foreseen { seat, plan } = event else { return String::new() };
    let pairs: Vec<String> = plan.iter().map(|(theirs, own)| format!("{theirs}:{own}")).collect();
    let pairs = if pairs.is_empty() { "-".to_owned() } else { pairs.join(",") };
    format!("plan {seat} {pairs}")
}

/// Reads that spelling.
pub(super) fn read_plan(words: &mut Words<'_>) -> Option<Event> {
    let seat = words.number()?;
    let pairs = words.next()?;
    let pair = |it: &str| {
        let (theirs, own) = it.split_once(':')?;
        Some((theirs.to_owned(), own.to_owned()))
    };
    let plan = match pairs {
        "-" => Some(Vec::new()),
        pairs => pairs.split(',').map(pair).collect(),
    };
    Some(Event::Foreseen { seat, plan: plan? })
}

/// An event about the places of a table; nothing for any other.
pub(super) fn write_place(event: &Event) -> String {
    match event {
        Event::Moved { from: None, place } => format!("place {}", escape(&place.0)),
        Event::Moved { from: Some(from), place } => {
            format!("place {} {}", escape(&place.0), escape(&from.0))
        }
        Event::Attached(Attached { place, kind, by, watches }) => {
            let (kind, how) = (write_kind(*kind), if *watches { "watch" } else { "play" });
            format!("attach {} {kind} {how} {}", escape(&place.0), escape(&by.0))
        }
        Event::Detached { place } => format!("detach {}", escape(&place.0)),
        Event::Public { on } => format!("public {}", if *on { "on" } else { "off" }),
        Event::Came { person, place } => {
            format!("at {} {}", escape(&person.0), escape(&place.0))
        }
        Event::Same { account, person } => {
            format!("same {} {}", escape(&account.0), escape(&person.0))
        }
        Event::Parted(table) => {
            format!("parted {}", table.as_ref().map_or("-", |it| it.0.as_str()))
        }
        _ => String::new(),
    }
}

/// A promise: `promise 7k3fx <hash>`, or `promise - <hash>`.
pub(super) fn write_promise(promise: &Promise) -> String {
    let table = promise.table.as_ref().map_or("-", |it| it.0.as_str());
    format!("promise {table} {}", promise.hash)
}

fn read_promise(words: &mut Words<'_>) -> Option<Event> {
    let table = words.plain()?;
    let table = (table != "-").then_some(TableId(table));
    Some(Event::Promised(Promise { table, hash: words.plain()? }))
}

/// An event about time.
pub(super) fn write_timed(event: &Timed) -> String {
    match event {
        Timed::Settled(control) => format!("clock {}", control.write()),
        Timed::Helper(level) => format!("helper {}", level.code()),
        Timed::Runs(Reading { running: Some((seat, until_ms)), left_ms }) => {
            format!("runs {seat} {until_ms} {}", list(left_ms))
        }
        Timed::Runs(Reading { running: None, left_ms }) => format!("runs - - {}", list(left_ms)),
        Timed::Credited { ms } => format!("credit {ms}"),
        Timed::Paused => "pause".to_owned(),
        Timed::Resumed => "resume".to_owned(),
        Timed::Late { seat } => format!("late {seat}"),
        Timed::Gone { person } => format!("gone {}", escape(&person.0)),
        Timed::Returned { seat } => format!("return {seat}"),
        Timed::Nudged { seat } => format!("nudge {seat}"),
        Timed::Vacation { person, until_ms } => {
            format!("vacation {} {until_ms}", escape(&person.0))
        }
        Timed::Home { person } => format!("home {}", escape(&person.0)),
    }
}

/// Reads that spelling.
fn read_timed(kind: &str, words: &mut Words<'_>) -> Option<Timed> {
    Some(match kind {
        "clock" => Timed::Settled(Control::read(words.next()?)?),
        "helper" => Timed::Helper(Level::read(words.next()?)?),
        "runs" => {
            let running = match (words.next()?, words.next()?) {
                ("-", "-") => None,
                (seat, until_ms) => Some((seat.parse().ok()?, until_ms.parse().ok()?)),
            };
            Timed::Runs(Reading { running, left_ms: words.list()? })
        }
        "credit" => Timed::Credited { ms: words.number()? },
        "pause" => Timed::Paused,
        "resume" => Timed::Resumed,
        "late" => Timed::Late { seat: words.number()? },
        "gone" => Timed::Gone { person: PersonId(words.escaped()?) },
        "return" => Timed::Returned { seat: words.number()? },
        "nudge" => Timed::Nudged { seat: words.number()? },
        "vacation" => {
            let person = PersonId(words.escaped()?);
            Timed::Vacation { person, until_ms: words.number()? }
        }
        "home" => Timed::Home { person: PersonId(words.escaped()?) },
        _ => return None,
    })
}

/// Reads what is about places or about time.
pub(super) fn read_other(kind: &str, words: &mut Words<'_>) -> Option<Event> {
    match kind {
        "place" | "attach" | "detach" | "public" | "at" | "same" | "parted" => {
            read_place(kind, words)
        }
        "promise" => read_promise(words),
        _ => read_timed(kind, words).map(Event::Time),
    }
}

/// Reads that spelling.
fn read_place(kind: &str, words: &mut Words<'_>) -> Option<Event> {
    Some(match kind {
        "place" => {
            let place = PlaceId(words.escaped()?);
            Event::Moved { from: words.last_escaped()?.map(PlaceId), place }
        }
        "attach" => Event::Attached(Attached {
            place: PlaceId(words.escaped()?),
            kind: read_kind(words)?,
            watches: match words.next()? {
                "play" => false,
                "watch" => true,
                _ => return None,
            },
            by: PersonId(words.escaped()?),
        }),
        "detach" => Event::Detached { place: PlaceId(words.escaped()?) },
        "public" => match words.next()? {
            "on" => Event::Public { on: true },
            "off" => Event::Public { on: false },
            _ => return None,
        },
        "at" => {
            Event::Came { person: PersonId(words.escaped()?), place: PlaceId(words.escaped()?) }
        }
        "same" => {
            let (account, person) = (PersonId(words.escaped()?), PersonId(words.escaped()?));
            Event::Same { account, person }
        }
        "parted" => Event::Parted(words.optional()?.map(TableId)),
        _ => return None,
    })
}
