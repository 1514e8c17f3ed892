//! Defines the events of a table and their encoding in the log.
//!
//! A line is `<number> <milliseconds> <cause> <event>`, with words separated by one space. Text
//! that people chose is percent-escaped. The first line states the format. The parser reads all old
//! formats; `tests/data/stored` has samples of each.

use super::chat_commands::AttachedChat;
use super::clock::ClockEvent;
use super::conditional_moves::ConditionalMoves;
use super::event_codec;
use super::log_words::{LogWords, encode_switch, escape, join_list};
use super::people::{DeclineReason, Invitee};
use super::seed_commitment::SeedCommitment;
pub use super::table_setup::TableSetup;
use caravanserai_games::ids::{ChatId, PersonId, TableId};
use caravanserai_games::search::ComputerLevel;
use caravanserai_results::PairLimit;

/// The newest version of the log format. It increases when an old reader would not understand a new
/// line. Version 2: a table may be [`TableSetup::coached`].
pub const LOG_FORMAT: u16 = 2;

/// The mark of a start among three or four people, see [`Event::Started`].
const LEAVERS_LOSE: &str = "leavers-lose";

/// The beginning of the mark of a start with a limit, see [`Event::Started`].
const PAIR_LIMIT_PREFIX: &str = "pair-limit=";

/// The first version of the log format, which the oldest programs can read.
pub const LOG_FORMAT_FIRST: u16 = 1;

/// The number of the events that this program reads. It increases with each new kind of event, and
/// with each new part of one: a program with a smaller number must not run on the same store, so it
/// ends with one sentence. [`LOG_FORMAT`] is of one log and increases only with its first line.
pub const EVENTS_FORMAT: u32 = 1;

/// One line of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// The position in the log, from 0.
    pub number: u64,
    /// The time, in milliseconds since 1970.
    pub at_ms: u64,
    /// The update or other cause of the event.
    pub cause: EventCause,
    /// The event.
    pub event: Event,
}

/// The id of the update that caused an event (`tg/918273`), or [`TIMER_CAUSE`].
pub type EventCause = String;

/// The cause of events that only the passing of time causes.
pub const TIMER_CAUSE: &str = "timer";

/// Whether a cause is the id of an update, which begins with the platform.
pub(super) fn is_update_id(cause: &str) -> bool {
    cause.contains('/')
}

/// An event at a table. A new variant, or a new part of one, raises [`EVENTS_FORMAT`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A person opened the table; always the first event.
    Opened(Box<TableSetup>),
    /// A friend was invited: a seat is reserved for them.
    Invited {
        /// The friend's id, if the platform reports it.
        person: Option<PersonId>,
        /// The name after `@`, if the id is not known.
        username: Option<String>,
        /// The displayed name.
        name: String,
    },
    /// A player took the first free seat.
    Seated {
        /// The id of the player; [`computer_id`] for a computer player.
        person: PersonId,
        /// The displayed name.
        name: String,
    },
    /// A player gave up their seat before the start.
    Left {
        /// The player.
        person: PersonId,
    },
    /// The account of a friend who was invited by the name after `@` became known.
    InviteeIdentified {
        /// The index of the invitee.
        n: u8,
        /// The invitee's id.
        person: PersonId,
    },
    /// An invitation ended: the friend declined, or the invitation was withdrawn.
    InvitationEnded {
        /// The index of the invitee.
        n: u8,
    },
    /// A friend who declined gave a reason.
    DeclineExplained {
        /// The friend's displayed name.
        name: String,
        /// The reason.
        why: DeclineReason,
    },
    /// The opener removed a player before the start.
    Kicked {
        /// The removed player.
        person: PersonId,
    },
    /// A computer was removed before the start.
    ComputerRemoved {
        /// The number of the computer among the occupants.
        occupant: u8,
    },
    /// A player moved to another seat before the start; the player who had it moves to theirs.
    SeatChanged {
        /// The number of the player among the occupants.
        occupant: u8,
        /// The new seat.
        seat: u8,
    },
    /// The number of seats was changed before the start.
    SeatCountSet {
        /// The new number of seats.
        seats: u8,
    },
    /// The lobby was extended.
    KeptOpen,
    /// Invited people who had not answered were reminded.
    InviteesReminded,
    /// The house rules were changed before the start.
    HouseRulesSet {
        /// The token of the game's options.
        options: String,
    },
    /// The rule for the first move was changed before the start.
    FirstMoverSet {
        /// The new rule.
        begin: FirstMover,
    },
    /// The use of hints at this table was set before the start.
    HintsSet {
        /// Whether hints are given.
        hints: bool,
    },
    /// Whether the game counts for ratings was set before the start. Programs before version 0.2
    /// cannot read it.
    RatedSet {
        /// Whether it counts.
        rated: bool,
    },
    /// The computers at the table do not keep the game from counting for ratings. It precedes the
    /// start; without it games with computers do not count, as in all earlier logs. Programs before
    /// version 0.2 cannot read it.
    ComputersRated,
    /// No game of this person counts for ratings at this table: they deleted their account and came
    /// back. Programs before version 0.2 cannot read it.
    RatingBlocked {
        /// The person.
        person: PersonId,
    },
    /// Games of this person do not count for ratings until a time, because they aborted too many or
    /// let their time run out. Programs before version 0.2 cannot read it.
    RatingPaused {
        /// The person.
        person: PersonId,
        /// The end of the pause, in milliseconds since 1970.
        until_ms: u64,
    },
    /// A person who gets a seat before the start, or with it, is a guest, see
    /// [`guest_marks`](super::guest_marks). Programs before version 0.2 cannot read it.
    GuestSeated {
        /// The person.
        person: PersonId,
    },
    /// The game started; lists the occupants in playing order.
    Started {
        /// `order[seat]` is the number of the occupant; they are numbered in the order of sitting
        /// down.
        order: Vec<u8>,
        /// Whether nobody wins points by being absent while a computer plays for them, and, among
        /// three or four people, leaving costs only the person who leaves: a person who gives up
        /// their seat without the consent of the others loses, and single players among the others
        /// go on playing for ratings. In logs of earlier programs it is false; programs before
        /// version 0.2 cannot read it.
        leavers_lose: bool,
        /// The limit for the games of a pair that is reached, if that was decided before the game.
        /// In logs of earlier programs it was not, and the limits are applied when the game ends;
        /// programs before version 0.2 cannot read it.
        pair_limit: Option<PairLimit>,
    },
    /// A seat made a step.
    Stepped {
        /// The seat.
        seat: u8,
        /// The canonical token of the step.
        token: String,
    },
    /// A seat received a hint for the move that it has to make.
    HintGiven {
        /// The seat.
        seat: u8,
    },
    /// A seat set its answer to a certain move of another seat.
    ConditionalMovesSet {
        /// The seat.
        seat: u8,
        /// The tokens of the other seat's move and of the own answer.
        plan: ConditionalMoves,
    },
    /// A chance event was drawn.
    ChanceDrawn {
        /// The canonical token of the draw.
        token: String,
    },
    /// A seat made an offer; it is pending until it is answered or the game moves on.
    OfferMade {
        /// The seat.
        seat: u8,
        /// The offer.
        offer: PlayerOffer,
    },
    /// A seat agrees to the offer; others have yet to answer.
    OfferAgreed {
        /// The seat.
        seat: u8,
    },
    /// A substitute for a seat is proposed; the proposal is pending until it is answered.
    SubstituteProposed {
        /// The seat.
        seat: u8,
        /// The seat that proposes it; `None` when the newcomer asks.
        by: Option<u8>,
        /// The newcomer's id if the platform reports it; [`computer_id`] for a computer. Without
        /// it and a username, the newcomer withdraws the request.
        person: Option<PersonId>,
        /// The name after `@`, if the id is not known.
        username: Option<String>,
        /// The displayed name.
        name: String,
    },
    /// The proposed newcomer agrees to come.
    SubstituteAgreed {
        /// The newcomer's id.
        person: PersonId,
        /// The displayed name.
        name: String,
    },
    /// Another player has the seat from now on.
    SeatReplaced {
        /// The seat.
        seat: u8,
        /// The new player; [`computer_id`] for a computer.
        person: PersonId,
        /// The displayed name.
        name: String,
    },
    /// The offer was declined or withdrawn.
    OfferDeclined {
        /// The seat that declined or withdrew it.
        seat: u8,
    },
    /// Moves were taken back.
    MovesTakenBack {
        /// The number of steps that remain.
        steps: u32,
    },
    /// The game ended with a result.
    GameOver {
        /// The points by seat; the highest number wins.
        scores: Vec<i32>,
        /// The reason.
        reason: EndReason,
    },
    /// The table was closed without a result.
    TableClosed {
        /// The reason.
        reason: EndReason,
    },
    /// One of the table's chats continues under another id.
    ChatMoved {
        /// The old id; `None` for the home chat, as in the first logs.
        from: Option<ChatId>,
        /// The new id.
        chat: ChatId,
    },
    /// The table was attached to one more chat.
    Attached(AttachedChat),
    /// The table was detached from a chat. If that was the home, another chat becomes home.
    Detached {
        /// The detached chat.
        chat: ChatId,
    },
    /// Watching by everybody who knows the code was allowed or forbidden.
    PublicSet {
        /// Whether it is allowed.
        on: bool,
    },
    /// A player now acts from another of the table's chats than before.
    PlayerChatChanged {
        /// The player.
        person: PersonId,
        /// The chat.
        chat: ChatId,
    },
    /// Two accounts belong to one person from now on.
    AccountsMerged {
        /// The account that counted as a person of its own until now.
        account: PersonId,
        /// The person to whom both accounts belong.
        person: PersonId,
    },
    /// An event about clocks, or about a player who lets time pass.
    Clock(ClockEvent),
    /// The hash of a seed is published before the game with that seed starts.
    SeedCommitted(SeedCommitment),
    /// The same people continued at another table.
    ContinuedAt {
        /// That table.
        table: TableId,
    },
    /// The preceding lines that belong to another table were moved to a log of their own, under
    /// this code, see [`super::misplaced_lines`].
    MisplacedLinesMoved(Option<TableId>),
}

/// The rule for the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstMover {
    /// Drawn by lot (rule R2 of Togyzkumalak: by lot or agreement).
    Lot,
    /// The player who sat down first.
    Opener,
    /// The player who sat down next; with more than two seats, the player after the opener.
    Friend,
}

/// An offer that a player can make to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerOffer {
    /// To agree on a draw.
    Draw,
    /// To take back moves until this many steps remain.
    Takeback {
        /// The number of steps that remain.
        steps: u32,
    },
    /// To play another game with sides exchanged, after the end.
    Rematch,
    /// To resign the game together with the partner.
    Resign,
    /// To pause all clocks.
    Pause,
    /// To resume all clocks.
    Resume,
    /// To let another player take over a seat.
    Replace {
        /// The seat.
        seat: u8,
    },
}

/// The reason why a table ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// The game was played out by its rules.
    PlayedOut,
    /// This seat resigned.
    Resigned(u8),
    /// This seat ran out of time, and the waiting player claimed victory.
    LostOnTime(u8),
    /// This seat ran out of time, and the waiting player aborted the game.
    AbsentPlayer(u8),
    /// The players agreed on a draw.
    DrawAgreed,
    /// The players agreed to abort the game. In logs of programs before version 0.2 one player may
    /// have aborted it alone.
    Aborted,
    /// This seat aborted the game before the second move. Programs before version 0.2 cannot
    /// read it.
    AbortedBy(u8),
    /// The invited friend declined.
    Declined,
    /// The table was cancelled before it started.
    Cancelled,
    /// Nobody started the game in time.
    Expired,
    /// The table's chat was deleted.
    ChatGone,
    /// The rules of the game have changed since it started.
    Outdated,
    /// Nothing happened for a long time.
    Abandoned,
    /// The operator aborted the game, or closed the lobby. Programs before version 0.2 cannot read
    /// it.
    ClosedByOperator,
}

/// Returns the id of a computer player of this level: no platform has such a person.
pub fn computer_id(level: ComputerLevel) -> PersonId {
    PersonId(format!("{COMPUTER_ID_PREFIX}:{}", level.code()))
}

/// The prefix of all computer ids. The first logs have the prefix alone.
const COMPUTER_ID_PREFIX: &str = "computer";

/// Returns the level of the computer with this id; `None` for people.
pub fn computer_level(person: &PersonId) -> Option<ComputerLevel> {
    match person.0.strip_prefix(COMPUTER_ID_PREFIX)? {
        "" => Some(DEFAULT_LEVEL),
        level => ComputerLevel::read(level.strip_prefix(':')?),
    }
}

/// The level of a computer where none is given.
pub const DEFAULT_LEVEL: ComputerLevel = ComputerLevel::Medium;

impl FirstMover {
    /// All rules for the first move, in the order in which a button cycles through them.
    pub const ALL: [FirstMover; 3] = [FirstMover::Lot, FirstMover::Opener, FirstMover::Friend];

    /// Returns the spelling in logs, buttons and commands.
    pub fn encode(self) -> &'static str {
        match self {
            FirstMover::Lot => "lot",
            FirstMover::Opener => "me",
            FirstMover::Friend => "friend",
        }
    }

    /// Parses that spelling.
    pub fn parse(text: &str) -> Option<FirstMover> {
        Self::ALL.into_iter().find(|it| it.encode() == text)
    }
}

impl EndReason {
    /// The seat that ended the game at its own expense.
    pub(super) fn seat_at_fault(self) -> Option<u8> {
        match self {
            EndReason::Resigned(seat)
            | EndReason::LostOnTime(seat)
            | EndReason::AbortedBy(seat)
            | EndReason::AbsentPlayer(seat) => Some(seat),
            EndReason::PlayedOut
            | EndReason::DrawAgreed
            | EndReason::Aborted
            | EndReason::Declined
            | EndReason::Cancelled
            | EndReason::Expired
            | EndReason::ChatGone
            | EndReason::Outdated
            | EndReason::Abandoned
            | EndReason::ClosedByOperator => None,
        }
    }
}

impl LogLine {
    /// Encodes the line for storage.
    pub fn encode(&self) -> String {
        let LogLine { number, at_ms, cause, event } = self;
        format!("{number} {at_ms} {} {}", escape(cause), event.encode())
    }

    /// Parses a stored line.
    ///
    /// # Errors
    /// Returns a description when the line is damaged or has a newer format.
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

/// A line with [`Event::Stepped`], parsed without copying: most lines of a long log are such.
pub(super) struct StepLogLine<'a> {
    pub(super) number: u64,
    pub(super) at_ms: u64,
    pub(super) seat: u8,
    pub(super) token: &'a str,
}

impl<'a> StepLogLine<'a> {
    /// Parses a step line; `None` for all other lines, including damaged ones.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let mut words = LogWords::new(text);
        let number = words.next_number()?;
        let at_ms = words.next_number()?;
        let cause = words.next_word()?;
        if words.next_word()? != "step" || cause.contains('%') {
            return None;
        }
        let step =
            StepLogLine { number, at_ms, seat: words.next_number()?, token: words.next_word()? };
        words.next_word().is_none().then_some(step)
    }
}

/// Describes the damage in a line that cannot be parsed.
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
    /// The invitation of a person to a seat of the table.
    pub fn invitation(invitee: Invitee) -> Self {
        let Invitee { person, username, name } = invitee;
        Event::Invited { person, username, name }
    }

    /// The events by which a newcomer withdraws the request for a seat. The line that ends it names
    /// the seat, as if its player had refused, so the request is made that of nobody before.
    pub(super) fn request_withdrawal(seat: u8) -> [Self; 2] {
        let by = None;
        let person = None;
        let username = None;
        let name = String::new();
        let nobody_asks = Event::SubstituteProposed { seat, by, person, username, name };
        [nobody_asks, Event::OfferDeclined { seat }]
    }

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
            Event::ComputerRemoved { occupant } => format!("dismiss {occupant}"),
            Event::SeatChanged { occupant, seat } => format!("shift {occupant} {seat}"),
            Event::SeatCountSet { seats } => format!("seats {seats}"),
            Event::KeptOpen => "extend".to_owned(),
            Event::InviteesReminded => "remind".to_owned(),
            Event::HouseRulesSet { options } => format!("vary {options}"),
            Event::FirstMoverSet { begin } => format!("begin {}", begin.encode()),
            Event::HintsSet { hints } => format!("hints {}", encode_switch(*hints)),
            Event::RatedSet { rated } => format!("rated {}", encode_switch(*rated)),
            Event::ComputersRated => "computers-rated".to_owned(),
            Event::RatingBlocked { .. }
            | Event::RatingPaused { .. }
            | Event::GuestSeated { .. } => event_codec::encode_rating_mark(self),
            Event::Started { order, leavers_lose, pair_limit } => {
                encode_start(order, *leavers_lose, *pair_limit)
            }
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
            Event::SeedCommitted(commitment) => event_codec::encode_seed_commitment(commitment),
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
            "dismiss" => Event::ComputerRemoved { occupant: words.next_number()? },
            "shift" => {
                Event::SeatChanged { occupant: words.next_number()?, seat: words.next_number()? }
            }
            "seats" => Event::SeatCountSet { seats: words.next_number()? },
            "extend" => Event::KeptOpen,
            "remind" => Event::InviteesReminded,
            "vary" => Event::HouseRulesSet { options: words.next_plain()? },
            "begin" => Event::FirstMoverSet { begin: FirstMover::parse(words.next_word()?)? },
            "hints" => Event::HintsSet { hints: words.next_switch()? },
            "rated" => Event::RatedSet { rated: words.next_switch()? },
            "computers-rated" => Event::ComputersRated,
            kind @ ("unrated" | "unrated-until" | "guest") => {
                event_codec::parse_rating_mark(kind, words)?
            }
            "start" => parse_start(words)?,
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

/// Encodes the start of a game: the order, then the marks.
fn encode_start(order: &[u8], leavers_lose: bool, pair_limit: Option<PairLimit>) -> String {
    let mut text = format!("start {}", join_list(order));
    if leavers_lose {
        text.push(' ');
        text.push_str(LEAVERS_LOSE);
    }
    if let Some(limit) = pair_limit {
        text.push(' ');
        text.push_str(PAIR_LIMIT_PREFIX);
        text.push_str(limit.code());
    }
    text
}

/// Parses the start of a game: the order, then the marks.
fn parse_start(words: &mut LogWords<'_>) -> Option<Event> {
    let order = words.next_list()?;
    let mut mark = words.next_word();
    let leavers_lose = mark == Some(LEAVERS_LOSE);
    if leavers_lose {
        mark = words.next_word();
    }
    let pair_limit = match mark {
        None => None,
        Some(word) => Some(PairLimit::parse(word.strip_prefix(PAIR_LIMIT_PREFIX)?)?),
    };
    Some(Event::Started { order, leavers_lose, pair_limit })
}

/// Parses a proposed substitute: the seat, the newcomer and the proposer.
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
