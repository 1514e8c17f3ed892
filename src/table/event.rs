//! What happened at a table, and its spelling in the log.
//!
//! A line is `<number> <milliseconds> <cause> <event>`, words separated by one space. Words that
//! people chose are percent-escaped. The first line tells the format; old formats are read for
//! ever, and samples of each lie in `tests/data/stored`.

use super::clock::ClockEvent;
use super::conditional_moves::ConditionalMoves;
use super::event_codec;
use super::locations::AttachedChat;
use super::log_words::{LogWords, escape, join_list};
use super::people::DeclineReason;
use super::seed_commitment::SeedCommitment;
use caravanserai_games::GameId;
use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind, TableId};
use caravanserai_games::search::ComputerLevel;

pub use super::log_words::encode_hex;

/// The spelling of log lines. Goes up when an old reader would not understand a new line. 2: a
/// table may be [`TableSetup::is_coached`].
pub const LOG_FORMAT: u16 = 2;

/// The spelling in which nothing is said beyond what the first programs knew.
pub const LOG_FORMAT_FIRST: u16 = 1;

/// One line of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Position in the log, from 0.
    pub number: u64,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// The update that caused it, or what else did.
    pub cause: EventCause,
    /// What happened.
    pub event: Event,
}

/// The id of the update that caused an event (`tg/918273`), or `timer`.
pub type EventCause = String;

/// What happened at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Somebody opened the table; always the first event.
    Opened(Box<TableSetup>),
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
        /// Who; [`computer_id`] for a computer player.
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
    InviteeIdentified {
        /// Which of those who were asked.
        n: u8,
        /// Who it is.
        person: PersonId,
    },
    /// A friend who was asked does not come: declined, or asked no longer.
    InvitationEnded {
        /// Which of those who were asked.
        n: u8,
    },
    /// Who declined said why.
    DeclineExplained {
        /// What people see of them.
        name: String,
        /// Why.
        why: DeclineReason,
    },
    /// The opener sent somebody away before the start.
    Kicked {
        /// Who.
        person: PersonId,
    },
    /// A computer was taken away before the start.
    ComputerRemoved {
        /// Its chair.
        chair: u8,
    },
    /// Somebody went to another place before the start; whoever sat there comes to theirs.
    PlaceChanged {
        /// The chair that goes.
        chair: u8,
        /// Where to.
        place: u8,
    },
    /// The number of seats was changed before the start.
    SeatCountSet {
        /// How many there are now.
        seats: u8,
    },
    /// The table is to stay open although it has not begun.
    KeptOpen,
    /// Those who were asked and did not answer were called.
    InviteesReminded,
    /// The variant was changed before the start.
    HouseRulesSet {
        /// Token of the game's options.
        options: String,
    },
    /// Who begins was settled otherwise before the start.
    FirstMoverSet {
        /// The new way.
        begin: FirstMover,
    },
    /// Whether hints are given at this table was settled before the start.
    HintsSet {
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
    HintGiven {
        /// The seat.
        seat: u8,
    },
    /// A seat has settled what it plays next, if the other plays something.
    ConditionalMovesSet {
        /// The seat.
        seat: u8,
        /// Tokens of the other and of the own answer.
        plan: ConditionalMoves,
    },
    /// Chance spoke.
    ChanceDrawn {
        /// Canonical token.
        token: String,
    },
    /// A seat offered something; it stands until it is answered or the game moves on.
    OfferMade {
        /// The seat.
        seat: u8,
        /// What.
        offer: PlayerOffer,
    },
    /// A seat agrees to the offer; others have still to answer.
    OfferAgreed {
        /// The seat.
        seat: u8,
    },
    /// Somebody else is to take over a seat; it stands until it is answered.
    SubstituteProposed {
        /// The seat.
        seat: u8,
        /// The seat that proposes it; `None` when the newcomer asks.
        by: Option<u8>,
        /// The newcomer if the platform says who it is; [`computer_id`] for a computer.
        person: Option<PersonId>,
        /// Else they are known by the name after `@`.
        username: Option<String>,
        /// What people see.
        name: String,
    },
    /// The newcomer who was proposed wants to come.
    SubstituteAgreed {
        /// Who it is.
        person: PersonId,
        /// What people see.
        name: String,
    },
    /// Somebody else plays a seat from now on.
    SeatReplaced {
        /// The seat.
        seat: u8,
        /// Who; [`computer_id`] for a computer.
        person: PersonId,
        /// What people see.
        name: String,
    },
    /// The offer was turned down or withdrawn.
    OfferDeclined {
        /// The seat that did so.
        seat: u8,
    },
    /// Moves were taken back: so many steps remain.
    MovesTakenBack {
        /// Steps that remain.
        steps: u32,
    },
    /// The game is over.
    GameOver {
        /// Points by seat; the highest has won.
        scores: Vec<i32>,
        /// Why.
        reason: EndReason,
    },
    /// The table was given up without a result.
    TableClosed {
        /// Why.
        reason: EndReason,
    },
    /// One of its conversations lives on under another id.
    ChatMoved {
        /// The old id; `None` for the home, as the first logs have it.
        from: Option<PlaceId>,
        /// The new id.
        chat: PlaceId,
    },
    /// It stands in another place too from now on.
    Attached(AttachedChat),
    /// It does not stand there any more. If that was the home, another place becomes home.
    Detached {
        /// Which.
        chat: PlaceId,
    },
    /// Whether anybody who knows its code may look on was settled.
    PublicSet {
        /// Whether they may.
        on: bool,
    },
    /// Somebody who plays acts from another of its places than before.
    PlayerChatChanged {
        /// Who.
        person: PersonId,
        /// From where.
        chat: PlaceId,
    },
    /// Two accounts are one person from now on.
    AccountsMerged {
        /// The account that counted as a person until now.
        account: PersonId,
        /// Who it is.
        person: PersonId,
    },
    /// Something about clocks, or about somebody who lets time pass.
    Clock(ClockEvent),
    /// The hash of a seed is shown before the game with that seed begins.
    SeedCommitted(SeedCommitment),
    /// The same people went on at another table.
    ContinuedAt {
        /// That table.
        table: TableId,
    },
    /// The lines before this one that belong to another table were moved to a log of their own,
    /// under this code, see [`super::separate`].
    MisplacedLinesMoved(Option<TableId>),
}

/// What is settled when a table opens. Printed for debugging without its seed.
#[derive(Clone, PartialEq, Eq)]
pub struct TableSetup {
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
    pub begin: FirstMover,
    /// Where the table stands.
    pub chat: PlaceId,
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
pub enum FirstMover {
    /// Drawn by lot (rule R2 of Togyzkumalak: by lot or agreement).
    Lot,
    /// Whoever sat down first.
    Opener,
    /// Whoever sat down next; with more than two seats, whoever sits after the opener.
    Friend,
}

/// What a player can offer to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerOffer {
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
pub enum EndReason {
    /// Played out by the rules.
    PlayedOut,
    /// This seat resigned.
    Resigned(u8),
    /// The time of this seat had run out, and whoever waited took the win.
    LostOnTime(u8),
    /// The time of this seat had run out, and whoever waited called the game off.
    OpponentAbsent(u8),
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
    ChatGone,
    /// The rules of the game have changed since it began.
    Outdated,
    /// Nothing happened for a long time.
    Abandoned,
}

/// Who sits where a computer of this level plays: no platform has such a person.
pub fn computer_id(level: ComputerLevel) -> PersonId {
    PersonId(format!("{COMPUTER_ID_PREFIX}:{}", level.code()))
}

/// How the id of every computer begins. The first logs have it alone.
const COMPUTER_ID_PREFIX: &str = "computer";

/// How strong the computer plays that has this id; `None` for people.
pub fn computer_level(person: &PersonId) -> Option<ComputerLevel> {
    match person.0.strip_prefix(COMPUTER_ID_PREFIX)? {
        "" => Some(DEFAULT_LEVEL),
        level => ComputerLevel::read(level.strip_prefix(':')?),
    }
}

/// How strong a computer plays if nobody said it.
pub const DEFAULT_LEVEL: ComputerLevel = ComputerLevel::Medium;

impl FirstMover {
    /// Every way, in the order a button goes through them.
    pub const ALL: [FirstMover; 3] = [FirstMover::Lot, FirstMover::Opener, FirstMover::Friend];

    /// The spelling in logs, buttons and commands.
    pub fn encode(self) -> &'static str {
        match self {
            FirstMover::Lot => "lot",
            FirstMover::Opener => "me",
            FirstMover::Friend => "friend",
        }
    }

    /// Reads that spelling.
    pub fn parse(text: &str) -> Option<FirstMover> {
        Self::ALL.into_iter().find(|it| it.encode() == text)
    }
}

impl EndReason {
    /// The seat that it is about; the first one where it is about none.
    pub(super) fn affected_seat(self) -> u8 {
        match self {
            EndReason::Resigned(seat)
            | EndReason::LostOnTime(seat)
            | EndReason::OpponentAbsent(seat) => seat,
            _ => 0,
        }
    }
}

impl LogLine {
    /// The line as it is stored.
    pub fn encode(&self) -> String {
        let LogLine { number, at_ms, cause, event } = self;
        format!("{number} {at_ms} {} {}", escape(cause), event.encode())
    }

    /// Reads a stored line.
    ///
    /// # Errors
    /// With a sentence when the line is damaged or of a format from the future.
    pub fn parse(text: &str) -> Result<LogLine, String> {
        let mut words = LogWords::new(text);
        let parsed = (|| {
            let number = words.next_number()?;
            let at_ms = words.next_number()?;
            let cause = words.next_escaped()?;
            let event = Event::parse(&mut words)?;
            Some(LogLine { number, at_ms, cause, event })
        })();
        match parsed {
            Some(line) if words.next_word().is_none() => Ok(line),
            _ => Err(describe_bad_line(text)),
        }
    }
}

/// A line with [`Event::Stepped`], read without copying: nearly all lines of a long log are such.
pub(super) struct StepLogLine<'a> {
    pub(super) number: u64,
    pub(super) at_ms: u64,
    pub(super) seat: u8,
    pub(super) token: &'a str,
}

impl<'a> StepLogLine<'a> {
    /// `None` for every other line, those that cannot be read included.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let mut words = LogWords::new(text);
        let (number, at_ms) = (words.next_number()?, words.next_number()?);
        let cause = words.next_word()?;
        if words.next_word()? != "step" || cause.contains('%') {
            return None;
        }
        let step =
            StepLogLine { number, at_ms, seat: words.next_number()?, token: words.next_word()? };
        words.next_word().is_none().then_some(step)
    }
}

/// What is wrong with a line that cannot be read.
fn describe_bad_line(text: &str) -> String {
    let mut words = text.split(' ').skip(3);
    let format: Option<u64> = match (words.next(), words.next()) {
        (Some("open"), Some(format)) => format.strip_prefix('v').and_then(|it| it.parse().ok()),
        _ => None,
    };
    match format {
        Some(format) if format > u64::from(LOG_FORMAT) => format!(
            "this log is of format {format} and this program knows up to {LOG_FORMAT}: a newer \
             program wrote it"
        ),
        _ => format!("a line cannot be read: {:?}", text.chars().take(60).collect::<String>()),
    }
}

impl Event {
    fn encode(&self) -> String {
        match self {
            Event::Opened(setup) => setup.encode(),
            Event::Invited { person, username, name } => {
                let person = person.as_ref().map_or("-", |it| it.0.as_str());
                let username = username.as_deref().unwrap_or("-");
                format!("invite {} {} {}", escape(person), escape(username), escape(name))
            }
            Event::Seated { person, name } => {
                format!("sit {} {}", escape(&person.0), escape(name))
            }
            Event::Left { person } => format!("stand {}", escape(&person.0)),
            Event::InviteeIdentified { n, person } => format!("meet {n} {}", escape(&person.0)),
            Event::InvitationEnded { n } => format!("excuse {n}"),
            Event::DeclineExplained { name, why } => {
                format!("explain {} {}", why.encode(), escape(name))
            }
            Event::Kicked { person } => format!("kick {}", escape(&person.0)),
            Event::ComputerRemoved { chair } => format!("dismiss {chair}"),
            Event::PlaceChanged { chair, place } => format!("shift {chair} {place}"),
            Event::SeatCountSet { seats } => format!("seats {seats}"),
            Event::KeptOpen => "extend".to_owned(),
            Event::InviteesReminded => "remind".to_owned(),
            Event::HouseRulesSet { options } => format!("vary {options}"),
            Event::FirstMoverSet { begin } => format!("begin {}", begin.encode()),
            Event::HintsSet { hints } => format!("hints {}", if *hints { "on" } else { "off" }),
            Event::Started { order } => format!("start {}", join_list(order)),
            Event::HintGiven { seat } => format!("hint {seat}"),
            Event::ConditionalMovesSet { .. } => event_codec::encode_conditional_moves(self),
            Event::Stepped { seat, token } => format!("step {seat} {token}"),
            Event::ChanceDrawn { token } => format!("chance {token}"),
            Event::OfferMade { seat, offer } => format!("offer {seat} {}", offer.encode()),
            Event::OfferAgreed { seat } => format!("agree {seat}"),
            Event::SubstituteProposed { seat, by, person, username, name } => {
                let by = by.map_or_else(|| "-".to_owned(), |it| it.to_string());
                let person = escape(person.as_ref().map_or("-", |it| it.0.as_str()));
                let username = escape(username.as_deref().unwrap_or("-"));
                format!("propose {seat} {by} {person} {username} {}", escape(name))
            }
            Event::SubstituteAgreed { person, name } => {
                format!("come {} {}", escape(&person.0), escape(name))
            }
            Event::SeatReplaced { seat, person, name } => {
                format!("replace {seat} {} {}", escape(&person.0), escape(name))
            }
            Event::OfferDeclined { seat } => format!("decline {seat}"),
            Event::MovesTakenBack { steps } => format!("back {steps}"),
            Event::GameOver { scores, reason } => {
                format!("over {} {}", join_list(scores), reason.encode())
            }
            Event::TableClosed { reason } => format!("close {}", reason.encode()),
            Event::ChatMoved { .. }
            | Event::Attached(_)
            | Event::Detached { .. }
            | Event::PublicSet { .. }
            | Event::PlayerChatChanged { .. }
            | Event::AccountsMerged { .. }
            | Event::MisplacedLinesMoved(_) => event_codec::encode_location_event(self),
            Event::Clock(timed) => event_codec::encode_clock_event(timed),
            Event::SeedCommitted(promise) => event_codec::encode_seed_commitment(promise),
            Event::ContinuedAt { table } => format!("next {}", table.0),
        }
    }

    fn parse(words: &mut LogWords<'_>) -> Option<Event> {
        Some(match words.next_word()? {
            "step" => Event::Stepped { seat: words.next_number()?, token: words.next_plain()? },
            "chance" => Event::ChanceDrawn { token: words.next_plain()? },
            "open" => Event::Opened(Box::new(TableSetup::parse(words)?)),
            "invite" => Event::Invited {
                person: words.next_optional()?.map(PersonId),
                username: words.next_optional()?,
                name: words.next_escaped()?,
            },
            "sit" => Event::Seated {
                person: PersonId(words.next_escaped()?),
                name: words.next_escaped()?,
            },
            "stand" => Event::Left { person: PersonId(words.next_escaped()?) },
            "meet" => Event::InviteeIdentified {
                n: words.next_number()?,
                person: PersonId(words.next_escaped()?),
            },
            "excuse" => Event::InvitationEnded { n: words.next_number()? },
            "explain" => Event::DeclineExplained {
                why: DeclineReason::parse(words.next_word()?)?,
                name: words.next_escaped()?,
            },
            "kick" => Event::Kicked { person: PersonId(words.next_escaped()?) },
            "dismiss" => Event::ComputerRemoved { chair: words.next_number()? },
            "shift" => {
                Event::PlaceChanged { chair: words.next_number()?, place: words.next_number()? }
            }
            "seats" => Event::SeatCountSet { seats: words.next_number()? },
            "extend" => Event::KeptOpen,
            "remind" => Event::InviteesReminded,
            "vary" => Event::HouseRulesSet { options: words.next_plain()? },
            "begin" => Event::FirstMoverSet { begin: FirstMover::parse(words.next_word()?)? },
            "hints" => match words.next_word()? {
                "on" => Event::HintsSet { hints: true },
                "off" => Event::HintsSet { hints: false },
                _ => return None,
            },
            "start" => Event::Started { order: words.next_list()? },
            "plan" => event_codec::parse_conditional_moves(words)?,
            "hint" => Event::HintGiven { seat: words.next_number()? },
            "offer" => {
                Event::OfferMade { seat: words.next_number()?, offer: PlayerOffer::parse(words)? }
            }
            "agree" => Event::OfferAgreed { seat: words.next_number()? },
            "propose" => parse_proposed(words)?,
            "come" => Event::SubstituteAgreed {
                person: PersonId(words.next_escaped()?),
                name: words.next_escaped()?,
            },
            "replace" => Event::SeatReplaced {
                seat: words.next_number()?,
                person: PersonId(words.next_escaped()?),
                name: words.next_escaped()?,
            },
            "decline" => Event::OfferDeclined { seat: words.next_number()? },
            "back" => Event::MovesTakenBack { steps: words.next_number()? },
            "over" => {
                Event::GameOver { scores: words.next_list()?, reason: EndReason::parse(words)? }
            }
            "close" => Event::TableClosed { reason: EndReason::parse(words)? },
            "next" => Event::ContinuedAt { table: TableId(words.next_plain()?) },
            kind => return event_codec::parse_clock_or_location_event(kind, words),
        })
    }
}

/// Who is to take over which seat, and who wants it.
fn parse_proposed(words: &mut LogWords<'_>) -> Option<Event> {
    Some(Event::SubstituteProposed {
        seat: words.next_number()?,
        by: match words.next_word()? {
            "-" => None,
            by => Some(by.parse().ok()?),
        },
        person: words.next_optional()?.map(PersonId),
        username: words.next_optional()?,
        name: words.next_escaped()?,
    })
}
