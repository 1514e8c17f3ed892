//! What happened at a table, and its spelling in the log.
//!
//! A line is `<number> <milliseconds> <cause> <event>`, words separated by one space. Words that
//! people chose are percent-escaped. The first line tells the format; old formats are read for
//! ever, and samples of each lie in `tests/data/stored`.

use crate::chat::{PersonId, PlaceId, PlaceKind};
use crate::games::GameId;

/// The spelling of log lines. Goes up when an old reader would not understand a new line.
pub const FORMAT: u16 = 1;

/// The short code of a table: five characters that people can type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId(pub String);

/// One line of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Position in the log, from 0.
    pub number: u64,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// The update that caused it, or what else did.
    pub cause: Cause,
    /// What happened.
    pub event: Event,
}

/// The id of the update that caused an event (`tg/918273`), or `timer`.
pub type Cause = String;

/// What happened at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Somebody opened the table; always the first event.
    Opened(Box<Setup>),
    /// A friend was asked to play: only they may take the free seat.
    Invited {
        /// Known when the platform says who it is.
        person: Option<PersonId>,
        /// Else they are known by the name after `@`.
        username: Option<String>,
        /// What people see.
        name: String,
    },
    /// Somebody sat down on the next free chair.
    Seated {
        /// Who.
        person: PersonId,
        /// What people see.
        name: String,
    },
    /// Somebody stood up before the start.
    Left {
        /// Who.
        person: PersonId,
    },
    /// The variant was changed before the start.
    Varied {
        /// Token of the game's options.
        options: String,
    },
    /// Who begins was settled otherwise before the start.
    Ordered {
        /// The new way.
        begin: Begin,
    },
    /// The game began; chairs in playing order.
    Started {
        /// `order[seat]` is the chair, counted by who sat down first.
        order: Vec<u8>,
    },
    /// A seat acted.
    Stepped {
        /// The seat.
        seat: u8,
        /// Canonical token.
        token: String,
    },
    /// Chance spoke.
    Settled {
        /// Canonical token.
        token: String,
    },
    /// A seat offered something; it stands until it is answered or the game moves on.
    Offered {
        /// The seat.
        seat: u8,
        /// What.
        offer: Offer,
    },
    /// The offer was turned down or withdrawn.
    Declined {
        /// The seat that did so.
        seat: u8,
    },
    /// Moves were taken back: so many steps remain.
    Back {
        /// Steps that remain.
        steps: u32,
    },
    /// The game is over.
    Over {
        /// Points by seat; the highest has won.
        scores: Vec<i32>,
        /// Why.
        reason: Reason,
    },
    /// The table was given up without a result.
    Closed {
        /// Why.
        reason: Reason,
    },
    /// The conversation lives on under another id.
    Moved {
        /// The new id.
        place: PlaceId,
    },
    /// The same people went on at another table.
    Next {
        /// That table.
        table: TableId,
    },
}

/// What is settled when a table opens. Printed for debugging without its seed.
#[derive(Clone, PartialEq, Eq)]
pub struct Setup {
    /// Spelling of this log.
    pub format: u16,
    /// Which game.
    pub game: GameId,
    /// Meaning of its moves.
    pub revision: u16,
    /// Token of the game's options.
    pub options: String,
    /// How many people play.
    pub seats: u8,
    /// Who begins.
    pub begin: Begin,
    /// Where the table stands.
    pub place: PlaceId,
    /// Whether others read along there.
    pub kind: PlaceKind,
    /// All chance comes from this; its hash is published at once, itself only after the end.
    pub seed: [u8; 32],
    /// Who opened it.
    pub opener: PersonId,
}

/// Who makes the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// Drawn by lot (rule R2 of Togyzkumalak: by lot or agreement).
    Lot,
    /// Whoever sat down first.
    Opener,
    /// Whoever sat down next.
    Friend,
}

/// What a player can offer to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// To call it a draw.
    Draw,
    /// To take back until so many steps remain.
    TakeBack {
        /// Steps that remain.
        steps: u32,
    },
    /// After the end: another game with sides exchanged.
    Rematch,
}

/// Why a table ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Played out by the rules.
    Played,
    /// This seat resigned.
    Resigned(u8),
    /// A draw was agreed.
    Agreed,
    /// Given up before the second move.
    Aborted,
    /// The invited friend declined.
    Declined,
    /// Taken away before it began.
    Cancelled,
}

impl Begin {
    /// Every way, in the order a button goes through them.
    pub const ALL: [Begin; 3] = [Begin::Lot, Begin::Opener, Begin::Friend];

    /// The spelling in logs, buttons and commands.
    pub fn write(self) -> &'static str {
        match self {
            Begin::Lot => "lot",
            Begin::Opener => "me",
            Begin::Friend => "friend",
        }
    }

    /// Reads that spelling.
    pub fn read(text: &str) -> Option<Begin> {
        Self::ALL.into_iter().find(|it| it.write() == text)
    }
}

impl Line {
    /// The line as it is stored.
    pub fn write(&self) -> String {
        let Line { number, at_ms, cause, event } = self;
        format!("{number} {at_ms} {} {}", escape(cause), event.write())
    }

    /// Reads a stored line.
    ///
    /// # Errors
    /// With a sentence when the line is damaged or of a format from the future.
    pub fn read(text: &str) -> Result<Line, String> {
        let mut words = Words::new(text);
        let parsed = (|| {
            let number = words.number()?;
            let at_ms = words.number()?;
            let cause = words.escaped()?;
            let event = Event::read(&mut words)?;
            Some(Line { number, at_ms, cause, event })
        })();
        match parsed {
            Some(line) if words.next().is_none() => Ok(line),
            _ => Err(complaint(text)),
        }
    }
}

/// What is wrong with a line that cannot be read.
fn complaint(text: &str) -> String {
    let mut words = text.split(' ').skip(3);
    let format: Option<u64> = match (words.next(), words.next()) {
        (Some("open"), Some(format)) => format.strip_prefix('v').and_then(|it| it.parse().ok()),
        _ => None,
    };
    match format {
        Some(format) if format > u64::from(FORMAT) => format!(
            "this log is of format {format} and this program knows up to {FORMAT}: a newer \
             program wrote it"
        ),
        _ => format!("a line cannot be read: {:?}", text.chars().take(60).collect::<String>()),
    }
}

impl Event {
    fn write(&self) -> String {
        match self {
            Event::Opened(setup) => setup.write(),
            Event::Invited { person, username, name } => {
                let person = person.as_ref().map_or("-", |it| it.0.as_str());
                let username = username.as_deref().unwrap_or("-");
                format!("invite {} {} {}", escape(person), escape(username), escape(name))
            }
            Event::Seated { person, name } => {
                format!("sit {} {}", escape(&person.0), escape(name))
            }
            Event::Left { person } => format!("stand {}", escape(&person.0)),
            Event::Varied { options } => format!("vary {options}"),
            Event::Ordered { begin } => format!("begin {}", begin.write()),
            Event::Started { order } => format!("start {}", list(order)),
            Event::Stepped { seat, token } => format!("step {seat} {token}"),
            Event::Settled { token } => format!("chance {token}"),
            Event::Offered { seat, offer } => match offer {
                Offer::Draw => format!("offer {seat} draw"),
                Offer::TakeBack { steps } => format!("offer {seat} back {steps}"),
                Offer::Rematch => format!("offer {seat} rematch"),
            },
            Event::Declined { seat } => format!("decline {seat}"),
            Event::Back { steps } => format!("back {steps}"),
            Event::Over { scores, reason } => format!("over {} {}", list(scores), reason.write()),
            Event::Closed { reason } => format!("close {}", reason.write()),
            Event::Moved { place } => format!("place {}", escape(&place.0)),
            Event::Next { table } => format!("next {}", table.0),
        }
    }

    fn read(words: &mut Words<'_>) -> Option<Event> {
        Some(match words.next()? {
            "step" => Event::Stepped { seat: words.number()?, token: words.plain()? },
            "chance" => Event::Settled { token: words.plain()? },
            "open" => Event::Opened(Box::new(Setup::read(words)?)),
            "invite" => Event::Invited {
                person: words.optional()?.map(PersonId),
                username: words.optional()?,
                name: words.escaped()?,
            },
            "sit" => Event::Seated { person: PersonId(words.escaped()?), name: words.escaped()? },
            "stand" => Event::Left { person: PersonId(words.escaped()?) },
            "vary" => Event::Varied { options: words.plain()? },
            "begin" => Event::Ordered { begin: Begin::read(words.next()?)? },
            "start" => Event::Started { order: words.list()? },
            "offer" => {
                let seat = words.number()?;
                let offer = match words.next()? {
                    "draw" => Offer::Draw,
                    "back" => Offer::TakeBack { steps: words.number()? },
                    "rematch" => Offer::Rematch,
                    _ => return None,
                };
                Event::Offered { seat, offer }
            }
            "decline" => Event::Declined { seat: words.number()? },
            "back" => Event::Back { steps: words.number()? },
            "over" => Event::Over { scores: words.list()?, reason: Reason::read(words)? },
            "close" => Event::Closed { reason: Reason::read(words)? },
            "place" => Event::Moved { place: PlaceId(words.escaped()?) },
            "next" => Event::Next { table: TableId(words.plain()?) },
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

impl Setup {
    fn write(&self) -> String {
        let kind = match self.kind {
            PlaceKind::Group => "group",
            PlaceKind::Private => "private",
        };
        format!(
            "open v{} {} r{} {} {} {} {} {kind} {} {}",
            self.format,
            self.game.info().code,
            self.revision,
            self.options,
            self.seats,
            self.begin.write(),
            escape(&self.place.0),
            hex(&self.seed),
            escape(&self.opener.0),
        )
    }

    fn read(words: &mut Words<'_>) -> Option<Setup> {
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
            kind: match words.next()? {
                "group" => PlaceKind::Group,
                "private" => PlaceKind::Private,
                _ => return None,
            },
            seed: unhex(words.next()?)?.try_into().ok()?,
            opener: PersonId(words.escaped()?),
        })
    }
}

impl Reason {
    fn write(self) -> String {
        match self {
            Reason::Played => "played".into(),
            Reason::Resigned(seat) => format!("resigned {seat}"),
            Reason::Agreed => "agreed".into(),
            Reason::Aborted => "aborted".into(),
            Reason::Declined => "declined".into(),
            Reason::Cancelled => "cancelled".into(),
        }
    }

    fn read(words: &mut Words<'_>) -> Option<Reason> {
        Some(match words.next()? {
            "played" => Reason::Played,
            "resigned" => Reason::Resigned(words.number()?),
            "agreed" => Reason::Agreed,
            "aborted" => Reason::Aborted,
            "declined" => Reason::Declined,
            "cancelled" => Reason::Cancelled,
            _ => return None,
        })
    }
}

/// The words of a line, one after another.
struct Words<'a>(std::str::Split<'a, char>);

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Self {
        Words(text.split(' '))
    }

    fn next(&mut self) -> Option<&'a str> {
        self.0.next()
    }

    fn number<N: std::str::FromStr>(&mut self) -> Option<N> {
        self.next()?.parse().ok()
    }

    fn plain(&mut self) -> Option<String> {
        self.next().map(str::to_owned)
    }

    fn escaped(&mut self) -> Option<String> {
        unescape(self.next()?)
    }

    fn optional(&mut self) -> Option<Option<String>> {
        let word = self.escaped()?;
        Some((word != "-").then_some(word))
    }

    fn list<N: std::str::FromStr>(&mut self) -> Option<Vec<N>> {
        self.next()?.split(',').map(|it| it.parse().ok()).collect()
    }
}

fn list<N: ToString>(items: &[N]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// Escapes what would break a line into wrong words. An empty word becomes `%`.
fn escape(text: &str) -> String {
    if text.is_empty() {
        return "%".into();
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '%' || c.is_whitespace() || c.is_control() {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                escaped.push_str(&format!("%{byte:02x}"));
            }
        } else {
            escaped.push(c);
        }
    }
    escaped
}

fn unescape(text: &str) -> Option<String> {
    if text == "%" {
        return Some(String::new());
    }
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first == b'%' {
            let code = std::str::from_utf8(after.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(code, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_people_choose_survive_the_log() {
        for text in ["", "-", "%", "Айгүл Б.", "a b%20\n\tc", "🐪", "\u{a0}x"] {
            let escaped = escape(text);
            assert!(!escaped.contains(char::is_whitespace), "{escaped:?}");
            assert_eq!(unescape(&escaped).as_deref(), Some(text));
        }
    }
}
