//! What happened at a table, and its spelling in the log.
//!
//! A line is `<number> <milliseconds> <cause> <event>`, words separated by one space. Words that
//! people chose are percent-escaped. The first line tells the format; old formats are read for
//! ever, and samples of each lie in `tests/data/stored`.

use super::clock::Timed;
use super::people::Why;
use super::places::Attached;
use super::plans::Plan;
use super::promise::Promise;
use super::spelling::{Words, escape, list};
use super::written;
use caravanserai_games::GameId;
use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind, TableId};
use caravanserai_games::search::Level;

pub use super::spelling::hex;

/// The spelling of log lines. Goes up when an old reader would not understand a new line. 2: a
/// table may be [`Setup::coached`].
pub const FORMAT: u16 = 2;

/// The spelling in which nothing is said beyond what the first programs knew.
pub const FORMAT_PLAIN: u16 = 1;

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
    /// A friend was asked to play: a seat is kept for them.
    Invited {
        /// Known when the platform says who it is.
        person: Option<PersonId>,
        /// Else they are known by the name after `@`.
        username: Option<String>,
        /// What people see.
        name: String,
    },
    /// Somebody sat down on the first free place.
    Seated {
        /// Who; [`computer`] for a computer player.
        person: PersonId,
        /// What people see.
        name: String,
    },
    /// Somebody stood up before the start.
    Left {
        /// Who.
        person: PersonId,
    },
    /// It turned out who the friend is that was asked by the name after `@`.
    Met {
        /// Which of those who were asked.
        n: u8,
        /// Who it is.
        person: PersonId,
    },
    /// A friend who was asked does not come: declined, or asked no longer.
    Excused {
        /// Which of those who were asked.
        n: u8,
    },
    /// Who declined said why.
    Explained {
        /// What people see of them.
        name: String,
        /// Why.
        why: Why,
    },
    /// The opener sent somebody away before the start.
    Kicked {
        /// Who.
        person: PersonId,
    },
    /// A computer was taken away before the start.
    Dismissed {
        /// Its chair.
        chair: u8,
    },
    /// Somebody went to another place before the start; whoever sat there comes to theirs.
    Shifted {
        /// The chair that goes.
        chair: u8,
        /// Where to.
        place: u8,
    },
    /// The number of seats was changed before the start.
    Sized {
        /// How many there are now.
        seats: u8,
    },
    /// The table is to stay open although it has not begun.
    Extended,
    /// Those who were asked and did not answer were called.
    Reminded,
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
    /// Whether hints are given at this table was settled before the start.
    Ruled {
        /// Whether they are.
        hints: bool,
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
    /// A seat was given a hint for the move that it has to make.
    Hinted {
        /// The seat.
        seat: u8,
    },
    /// A seat has settled what it plays next, if the other plays something.
    Foreseen {
        /// The seat.
        seat: u8,
        /// Tokens of the other and of the own answer.
        plan: Plan,
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
    /// A seat agrees to the offer; others have still to answer.
    Agreed {
        /// The seat.
        seat: u8,
    },
    /// Somebody else is to take over a seat; it stands until it is answered.
    Proposed {
        /// The seat.
        seat: u8,
        /// The seat that proposes it; `None` when the newcomer asks.
        by: Option<u8>,
        /// The newcomer if the platform says who it is; [`computer`] for a computer.
        person: Option<PersonId>,
        /// Else they are known by the name after `@`.
        username: Option<String>,
        /// What people see.
        name: String,
    },
    /// The newcomer who was proposed wants to come.
    Welcomed {
        /// Who it is.
        person: PersonId,
        /// What people see.
        name: String,
    },
    /// Somebody else plays a seat from now on.
    Replaced {
        /// The seat.
        seat: u8,
        /// Who; [`computer`] for a computer.
        person: PersonId,
        /// What people see.
        name: String,
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
    /// One of its conversations lives on under another id.
    Moved {
        /// The old id; `None` for the home, as the first logs have it.
        from: Option<PlaceId>,
        /// The new id.
        place: PlaceId,
    },
    /// It stands in another place too from now on.
    Attached(Attached),
    /// It does not stand there any more. If that was the home, another place becomes home.
    Detached {
        /// Which.
        place: PlaceId,
    },
    /// Whether anybody who knows its code may look on was settled.
    Public {
        /// Whether they may.
        on: bool,
    },
    /// Somebody who plays acts from another of its places than before.
    Came {
        /// Who.
        person: PersonId,
        /// From where.
        place: PlaceId,
    },
    /// Two accounts are one person from now on.
    Same {
        /// The account that counted as a person until now.
        account: PersonId,
        /// Who it is.
        person: PersonId,
    },
    /// Something about clocks, or about somebody who lets time pass.
    Time(Timed),
    /// The hash of a seed is shown before the game with that seed begins.
    Promised(Promise),
    /// The same people went on at another table.
    Next {
        /// That table.
        table: TableId,
    },
    /// The lines before this one that belong to another table were moved to a log of their own,
    /// under this code, see [`super::separate`].
    Parted(Option<TableId>),
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
    /// How many play.
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
    /// Whether it is the opener's first game: the bot says what is worth seeing, and everything
    /// may be taken back.
    pub coached: bool,
}

/// Who makes the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// Drawn by lot (rule R2 of Togyzkumalak: by lot or agreement).
    Lot,
    /// Whoever sat down first.
    Opener,
    /// Whoever sat down next; with more than two seats, whoever sits after the opener.
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
    /// To give up the game together with the partner.
    Resign,
    /// That all clocks stand for a while.
    Pause,
    /// That they go on.
    Resume,
    /// That somebody else takes over a seat.
    Replace {
        /// The seat.
        seat: u8,
    },
}

/// Why a table ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Played out by the rules.
    Played,
    /// This seat resigned.
    Resigned(u8),
    /// The time of this seat had run out, and whoever waited took the win.
    Late(u8),
    /// The time of this seat had run out, and whoever waited called the game off.
    Absent(u8),
    /// A draw was agreed.
    Agreed,
    /// Given up before the second move.
    Aborted,
    /// The invited friend declined.
    Declined,
    /// Taken away before it began.
    Cancelled,
    /// Nobody began it in time.
    Expired,
    /// The place where it stood is no more.
    Vanished,
    /// The rules of the game have changed since it began.
    Outdated,
    /// Nothing happened for a long time.
    Abandoned,
}

/// Who sits where a computer of this level plays: no platform has such a person.
pub fn computer(level: Level) -> PersonId {
    PersonId(format!("{COMPUTER}:{}", level.code()))
}

/// How the id of every computer begins. The first logs have it alone.
const COMPUTER: &str = "computer";

/// How strong the computer plays that has this id; `None` for people.
pub fn level_of(person: &PersonId) -> Option<Level> {
    match person.0.strip_prefix(COMPUTER)? {
        "" => Some(DEFAULT_LEVEL),
        level => Level::read(level.strip_prefix(':')?),
    }
}

/// How strong a computer plays if nobody said it.
pub const DEFAULT_LEVEL: Level = Level::Medium;

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

impl Reason {
    /// The seat that it is about; the first one where it is about none.
    pub(super) fn seat(self) -> u8 {
        match self {
            Reason::Resigned(seat) | Reason::Late(seat) | Reason::Absent(seat) => seat,
            _ => 0,
        }
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

/// A line with [`Event::Stepped`], read without copying: nearly all lines of a long log are such.
pub(super) struct StepLine<'a> {
    pub(super) number: u64,
    pub(super) at_ms: u64,
    pub(super) seat: u8,
    pub(super) token: &'a str,
}

impl<'a> StepLine<'a> {
    /// `None` for every other line, those that cannot be read included.
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let mut words = Words::new(text);
        let (number, at_ms) = (words.number()?, words.number()?);
        let cause = words.next()?;
        if words.next()? != "step" || cause.contains('%') {
            return None;
        }
        let step = StepLine { number, at_ms, seat: words.number()?, token: words.next()? };
        words.next().is_none().then_some(step)
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
            Event::Met { n, person } => format!("meet {n} {}", escape(&person.0)),
            Event::Excused { n } => format!("excuse {n}"),
            Event::Explained { name, why } => format!("explain {} {}", why.write(), escape(name)),
            Event::Kicked { person } => format!("kick {}", escape(&person.0)),
            Event::Dismissed { chair } => format!("dismiss {chair}"),
            Event::Shifted { chair, place } => format!("shift {chair} {place}"),
            Event::Sized { seats } => format!("seats {seats}"),
            Event::Extended => "extend".to_owned(),
            Event::Reminded => "remind".to_owned(),
            Event::Varied { options } => format!("vary {options}"),
            Event::Ordered { begin } => format!("begin {}", begin.write()),
            Event::Ruled { hints } => format!("hints {}", if *hints { "on" } else { "off" }),
            Event::Started { order } => format!("start {}", list(order)),
            Event::Hinted { seat } => format!("hint {seat}"),
            Event::Foreseen { .. } => written::write_plan(self),
            Event::Stepped { seat, token } => format!("step {seat} {token}"),
            Event::Settled { token } => format!("chance {token}"),
            Event::Offered { seat, offer } => format!("offer {seat} {}", offer.write()),
            Event::Agreed { seat } => format!("agree {seat}"),
            Event::Proposed { seat, by, person, username, name } => {
                let by = by.map_or_else(|| "-".to_owned(), |it| it.to_string());
                let person = escape(person.as_ref().map_or("-", |it| it.0.as_str()));
                let username = escape(username.as_deref().unwrap_or("-"));
                format!("propose {seat} {by} {person} {username} {}", escape(name))
            }
            Event::Welcomed { person, name } => {
                format!("come {} {}", escape(&person.0), escape(name))
            }
            Event::Replaced { seat, person, name } => {
                format!("replace {seat} {} {}", escape(&person.0), escape(name))
            }
            Event::Declined { seat } => format!("decline {seat}"),
            Event::Back { steps } => format!("back {steps}"),
            Event::Over { scores, reason } => format!("over {} {}", list(scores), reason.write()),
            Event::Closed { reason } => format!("close {}", reason.write()),
            Event::Moved { .. }
            | Event::Attached(_)
            | Event::Detached { .. }
            | Event::Public { .. }
            | Event::Came { .. }
            | Event::Same { .. }
            | Event::Parted(_) => written::write_place(self),
            Event::Time(timed) => written::write_timed(timed),
            Event::Promised(promise) => written::write_promise(promise),
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
            "meet" => Event::Met { n: words.number()?, person: PersonId(words.escaped()?) },
            "excuse" => Event::Excused { n: words.number()? },
            "explain" => {
                Event::Explained { why: Why::read(words.next()?)?, name: words.escaped()? }
            }
            "kick" => Event::Kicked { person: PersonId(words.escaped()?) },
            "dismiss" => Event::Dismissed { chair: words.number()? },
            "shift" => Event::Shifted { chair: words.number()?, place: words.number()? },
            "seats" => Event::Sized { seats: words.number()? },
            "extend" => Event::Extended,
            "remind" => Event::Reminded,
            "vary" => Event::Varied { options: words.plain()? },
            "begin" => Event::Ordered { begin: Begin::read(words.next()?)? },
            "hints" => match words.next()? {
                "on" => Event::Ruled { hints: true },
                "off" => Event::Ruled { hints: false },
                _ => return None,
            },
            "start" => Event::Started { order: words.list()? },
            "plan" => written::read_plan(words)?,
            "hint" => Event::Hinted { seat: words.number()? },
            "offer" => Event::Offered { seat: words.number()?, offer: Offer::read(words)? },
            "agree" => Event::Agreed { seat: words.number()? },
            "propose" => read_proposed(words)?,
            "come" => {
                Event::Welcomed { person: PersonId(words.escaped()?), name: words.escaped()? }
            }
            "replace" => Event::Replaced {
                seat: words.number()?,
                person: PersonId(words.escaped()?),
                name: words.escaped()?,
            },
            "decline" => Event::Declined { seat: words.number()? },
            "back" => Event::Back { steps: words.number()? },
            "over" => Event::Over { scores: words.list()?, reason: Reason::read(words)? },
            "close" => Event::Closed { reason: Reason::read(words)? },
            "next" => Event::Next { table: TableId(words.plain()?) },
            kind => return written::read_other(kind, words),
        })
    }
}

/// Who is to take over which seat, and who wants it.
fn read_proposed(words: &mut Words<'_>) -> Option<Event> {
    Some(Event::Proposed {
        seat: words.number()?,
        by: match words.next()? {
            "-" => None,
            by => Some(by.parse().ok()?),
        },
        person: words.optional()?.map(PersonId),
        username: words.optional()?,
        name: words.escaped()?,
    })
}
