//! Encodes and parses the data of events in the log: the setup of a table, offers, reasons, chats.

use hex::FromHex;

use super::chat_commands::AttachedChat;
use super::clock::{ClockEvent, ClockSnapshot, TimeControl};
use super::event::{
    EndReason, Event, FirstMover, LOG_FORMAT, LOG_FORMAT_FIRST, PlayerOffer, TableSetup,
};
use super::log_words::{LogWords, encode_switch, escape, join_list};
use super::seed_commitment::SeedCommitment;
use caravanserai_games::GameId;
use caravanserai_games::ids::{ChatId, ChatKind, PersonId, TableId};
use caravanserai_games::search::ComputerLevel;

/// Encodes whether other people read the chat.
fn encode_chat_kind(kind: ChatKind) -> &'static str {
    match kind {
        ChatKind::Group => "group",
        ChatKind::Private => "private",
    }
}

/// Parses that spelling.
fn parse_chat_kind(words: &mut LogWords<'_>) -> Option<ChatKind> {
    match words.next_word()? {
        "group" => Some(ChatKind::Group),
        "private" => Some(ChatKind::Private),
        _ => None,
    }
}

impl PlayerOffer {
    pub(super) fn encode(&self) -> String {
        match self {
            PlayerOffer::Draw => "draw".to_owned(),
            PlayerOffer::Takeback { steps } => format!("back {steps}"),
            PlayerOffer::Rematch => "rematch".to_owned(),
            PlayerOffer::Resign => "resign".to_owned(),
            PlayerOffer::Pause => "pause".to_owned(),
            PlayerOffer::Resume => "resume".to_owned(),
            PlayerOffer::Replace { seat } => format!("replace {seat}"),
        }
    }

    pub(super) fn parse(words: &mut LogWords<'_>) -> Option<PlayerOffer> {
        Some(match words.next_word()? {
            "draw" => PlayerOffer::Draw,
            "back" => PlayerOffer::Takeback { steps: words.next_number()? },
            "rematch" => PlayerOffer::Rematch,
            "resign" => PlayerOffer::Resign,
            "pause" => PlayerOffer::Pause,
            "resume" => PlayerOffer::Resume,
            // [`Event::SubstituteProposed`] makes offers to replace a player.
            _ => return None,
        })
    }
}

impl std::fmt::Debug for TableSetup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let TableSetup { game, options, seats, chat, opener, .. } = self;
        write!(f, "Setup({} {options} {seats} {} {})", game.info().code, chat.0, opener.0)
    }
}

/// The end of the line that opens a coached table.
const COACHED_SUFFIX: &str = "coached";

impl TableSetup {
    /// The oldest format that can express this setup: programs that know no newer format can read
    /// on.
    pub fn required_format(coached: bool) -> u16 {
        if coached { LOG_FORMAT } else { LOG_FORMAT_FIRST }
    }

    pub(super) fn encode(&self) -> String {
        let kind = encode_chat_kind(self.kind);
        format!(
            "open v{} {} r{} {} {} {} {} {kind} {} {}{}",
            self.format,
            self.game.info().code,
            self.revision,
            self.options,
            self.seats,
            self.begin.encode(),
            escape(&self.chat.0),
            hex::encode(self.seed),
            escape(&self.opener.0),
            if self.coached { format!(" {COACHED_SUFFIX}") } else { String::new() },
        )
    }

    pub(super) fn parse(words: &mut LogWords<'_>) -> Option<TableSetup> {
        let format = words.next_word()?.strip_prefix('v')?.parse().ok()?;
        if format > LOG_FORMAT {
            return None;
        }
        Some(TableSetup {
            format,
            game: GameId::from_code(words.next_word()?)?,
            revision: words.next_word()?.strip_prefix('r')?.parse().ok()?,
            options: words.next_plain()?,
            seats: words.next_number()?,
            begin: FirstMover::parse(words.next_word()?)?,
            chat: ChatId(words.next_escaped()?),
            kind: parse_chat_kind(words)?,
            seed: FromHex::from_hex(words.next_word()?).ok()?,
            opener: PersonId(words.next_escaped()?),
            coached: match words.next_word() {
                None => false,
                Some(COACHED_SUFFIX) => true,
                Some(_) => return None,
            },
        })
    }
}

/// The reasons without further data, and their spelling.
const SIMPLE_REASONS: [(EndReason, &str); 10] = [
    (EndReason::PlayedOut, "played"),
    (EndReason::DrawAgreed, "agreed"),
    (EndReason::Aborted, "aborted"),
    (EndReason::Declined, "declined"),
    (EndReason::Cancelled, "cancelled"),
    (EndReason::Expired, "expired"),
    (EndReason::ChatGone, "vanished"),
    (EndReason::Outdated, "outdated"),
    (EndReason::Abandoned, "abandoned"),
    (EndReason::ClosedByOperator, "host"),
];

impl EndReason {
    /// The word for a reason, without its seat.
    pub(super) fn word(self) -> &'static str {
        match self {
            EndReason::Resigned(_) => "resigned",
            EndReason::LostOnTime(_) => "late",
            EndReason::AbsentPlayer(_) => "absent",
            EndReason::AbortedBy(_) => "aborted",
            _ => {
                let plain = SIMPLE_REASONS.iter().find(|(it, _)| *it == self);
                plain.map(|(_, word)| *word).expect("all other reasons are plain")
            }
        }
    }

    pub(super) fn encode(self) -> String {
        match self.seat_at_fault() {
            Some(seat) => format!("{} {seat}", self.word()),
            None => self.word().to_owned(),
        }
    }

    pub(super) fn parse(words: &mut LogWords<'_>) -> Option<EndReason> {
        match words.next_word()? {
            "resigned" => Some(EndReason::Resigned(words.next_number()?)),
            "late" => Some(EndReason::LostOnTime(words.next_number()?)),
            "absent" => Some(EndReason::AbsentPlayer(words.next_number()?)),
            "aborted" => Some(match words.next_word() {
                Some(seat) => EndReason::AbortedBy(seat.parse().ok()?),
                None => EndReason::Aborted,
            }),
            word => SIMPLE_REASONS.iter().find(|(_, it)| *it == word).map(|(it, _)| *it),
        }
    }
}

/// Encodes conditional moves: `plan 0 3:7,5:2`, or `plan 0 -`.
pub(super) fn encode_conditional_moves(event: &Event) -> String {
    let Event::ConditionalMovesSet { seat, plan } = event else { return String::new() };
    let pairs: Vec<String> = plan.iter().map(|(theirs, own)| format!("{theirs}:{own}")).collect();
    let pairs = if pairs.is_empty() { "-".to_owned() } else { pairs.join(",") };
    format!("plan {seat} {pairs}")
}

/// Parses that spelling.
pub(super) fn parse_conditional_moves(words: &mut LogWords<'_>) -> Option<Event> {
    let seat = words.next_number()?;
    let pairs = words.next_word()?;
    let pair = |it: &str| {
        let (theirs, own) = it.split_once(':')?;
        Some((theirs.to_owned(), own.to_owned()))
    };
    let plan = match pairs {
        "-" => Some(Vec::new()),
        pairs => pairs.split(',').map(pair).collect(),
    };
    Some(Event::ConditionalMovesSet { seat, plan: plan? })
}

/// Encodes an event about the chats of a table; `None` for any other event.
pub(super) fn encode_location_event(event: &Event) -> String {
    match event {
        Event::ChatMoved { from: None, chat } => format!("place {}", escape(&chat.0)),
        Event::ChatMoved { from: Some(from), chat } => {
            format!("place {} {}", escape(&chat.0), escape(&from.0))
        }
        Event::Attached(AttachedChat { chat, kind, attached_by: by, is_watch_only: watches }) => {
            let kind = encode_chat_kind(*kind);
            let how = if *watches { "watch" } else { "play" };
            format!("attach {} {kind} {how} {}", escape(&chat.0), escape(&by.0))
        }
        Event::Detached { chat } => format!("detach {}", escape(&chat.0)),
        Event::PublicSet { on } => format!("public {}", encode_switch(*on)),
        Event::PlayerChatChanged { person, chat } => {
            format!("at {} {}", escape(&person.0), escape(&chat.0))
        }
        Event::AccountsMerged { account, person } => {
            format!("same {} {}", escape(&account.0), escape(&person.0))
        }
        Event::MisplacedLinesMoved(table) => {
            format!("parted {}", table.as_ref().map_or("-", |it| it.0.as_str()))
        }
        _ => String::new(),
    }
}

/// Encodes whose games do not count for ratings.
pub(super) fn encode_rating_mark(event: &Event) -> String {
    match event {
        Event::RatingBlocked { person } => format!("unrated {}", escape(&person.0)),
        Event::RatingPaused { person, until_ms } => {
            format!("unrated-until {} {until_ms}", escape(&person.0))
        }
        Event::GuestSeated { person } => format!("guest {}", escape(&person.0)),
        _ => String::new(),
    }
}

/// Parses what [`encode_rating_mark`] has written.
pub(super) fn parse_rating_mark(kind: &str, words: &mut LogWords<'_>) -> Option<Event> {
    let person = PersonId(words.next_escaped()?);
    Some(match kind {
        "unrated" => Event::RatingBlocked { person },
        "unrated-until" => Event::RatingPaused { person, until_ms: words.next_number()? },
        "guest" => Event::GuestSeated { person },
        _ => return None,
    })
}

/// Encodes a seed commitment: `promise 7k3fx <hash>`, or `promise - <hash>`.
pub(super) fn encode_seed_commitment(commitment: &SeedCommitment) -> String {
    let table = commitment.table.as_ref().map_or("-", |it| it.0.as_str());
    format!("promise {table} {}", commitment.hash)
}

fn parse_seed_commitment(words: &mut LogWords<'_>) -> Option<Event> {
    let table = words.next_plain()?;
    let table = (table != "-").then_some(TableId(table));
    Some(Event::SeedCommitted(SeedCommitment { table, hash: words.next_plain()? }))
}

/// Encodes an event about time.
pub(super) fn encode_clock_event(event: &ClockEvent) -> String {
    match event {
        ClockEvent::ControlSet(control) => format!("clock {}", control.encode()),
        ClockEvent::SubstituteLevelSet(level) => format!("helper {}", level.code()),
        ClockEvent::WholeTurnsTimed => "whole-turns".to_owned(),
        ClockEvent::ClocksChanged(ClockSnapshot { running: Some((seat, until_ms)), left_ms }) => {
            format!("runs {seat} {until_ms} {}", join_list(left_ms))
        }
        ClockEvent::ClocksChanged(ClockSnapshot { running: None, left_ms }) => {
            format!("runs - - {}", join_list(left_ms))
        }
        ClockEvent::Refunded { ms } => format!("credit {ms}"),
        ClockEvent::Paused => "pause".to_owned(),
        ClockEvent::Resumed => "resume".to_owned(),
        ClockEvent::Frozen => "freeze".to_owned(),
        ClockEvent::Unfrozen => "unfreeze".to_owned(),
        ClockEvent::TimeRanOut { seat } => format!("late {seat}"),
        ClockEvent::PersonLeft { person } => format!("gone {}", escape(&person.0)),
        ClockEvent::PersonReturned { seat } => format!("return {seat}"),
        ClockEvent::Nudged { seat } => format!("nudge {seat}"),
        ClockEvent::VacationStarted { person, until_ms } => {
            format!("vacation {} {until_ms}", escape(&person.0))
        }
        ClockEvent::VacationEnded { person } => format!("home {}", escape(&person.0)),
    }
}

/// Parses that spelling.
fn parse_clock_event(kind: &str, words: &mut LogWords<'_>) -> Option<ClockEvent> {
    Some(match kind {
        "clock" => ClockEvent::ControlSet(TimeControl::parse(words.next_word()?)?),
        "helper" => ClockEvent::SubstituteLevelSet(ComputerLevel::read(words.next_word()?)?),
        "whole-turns" => ClockEvent::WholeTurnsTimed,
        "runs" => {
            let running = match (words.next_word()?, words.next_word()?) {
                ("-", "-") => None,
                (seat, until_ms) => Some((seat.parse().ok()?, until_ms.parse().ok()?)),
            };
            ClockEvent::ClocksChanged(ClockSnapshot { running, left_ms: words.next_list()? })
        }
        "credit" => ClockEvent::Refunded { ms: words.next_number()? },
        "pause" => ClockEvent::Paused,
        "resume" => ClockEvent::Resumed,
        "freeze" => ClockEvent::Frozen,
        "unfreeze" => ClockEvent::Unfrozen,
        "late" => ClockEvent::TimeRanOut { seat: words.next_number()? },
        "gone" => ClockEvent::PersonLeft { person: PersonId(words.next_escaped()?) },
        "return" => ClockEvent::PersonReturned { seat: words.next_number()? },
        "nudge" => ClockEvent::Nudged { seat: words.next_number()? },
        "vacation" => {
            let person = PersonId(words.next_escaped()?);
            ClockEvent::VacationStarted { person, until_ms: words.next_number()? }
        }
        "home" => ClockEvent::VacationEnded { person: PersonId(words.next_escaped()?) },
        _ => return None,
    })
}

/// Parses an event about chats or time.
pub(super) fn parse_clock_or_location_event(kind: &str, words: &mut LogWords<'_>) -> Option<Event> {
    match kind {
        "place" | "attach" | "detach" | "public" | "at" | "same" | "parted" => {
            parse_location_event(kind, words)
        }
        "promise" => parse_seed_commitment(words),
        _ => parse_clock_event(kind, words).map(Event::Clock),
    }
}

/// Parses that spelling.
fn parse_location_event(kind: &str, words: &mut LogWords<'_>) -> Option<Event> {
    Some(match kind {
        "place" => {
            let chat = ChatId(words.next_escaped()?);
            Event::ChatMoved { from: words.next_escaped_at_end()?.map(ChatId), chat }
        }
        "attach" => Event::Attached(AttachedChat {
            chat: ChatId(words.next_escaped()?),
            kind: parse_chat_kind(words)?,
            is_watch_only: match words.next_word()? {
                "play" => false,
                "watch" => true,
                _ => return None,
            },
            attached_by: PersonId(words.next_escaped()?),
        }),
        "detach" => Event::Detached { chat: ChatId(words.next_escaped()?) },
        "public" => Event::PublicSet { on: words.next_switch()? },
        "at" => Event::PlayerChatChanged {
            person: PersonId(words.next_escaped()?),
            chat: ChatId(words.next_escaped()?),
        },
        "same" => {
            let account = PersonId(words.next_escaped()?);
            let person = PersonId(words.next_escaped()?);
            Event::AccountsMerged { account, person }
        }
        "parted" => Event::MisplacedLinesMoved(words.next_optional()?.map(TableId)),
        _ => return None,
    })
}
