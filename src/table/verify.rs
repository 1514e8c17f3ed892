//! Checks the record of a finished game for `caravanserai verify`: computes its chance and its
//! result again from the published log, and compares the readable part with the log.

use std::fmt::Write as _;

use super::absent_players::AbsenceState;
use super::decide::loss_scores;
use super::event::{EndReason, Event, FirstMover, LogLine};
use super::fair_random::hash_seed;
use super::misplaced_lines::is_line_of_another_table;
use super::seed_commitment::SeedCommitment;
use super::state::{Table, TablePhase};
use super::{decision_builder, lobby_commands, offer_commands};
use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_games::rules::Node;

/// The checks of a record file that is free of contradictions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyReport {
    /// A line for each check, and the verdict.
    pub text: String,
    /// Whether everything was checked that the record of a whole game shows.
    pub is_complete: bool,
}

/// Recomputes every outcome of chance in a record file, and reports the checks.
///
/// The text is a file from the `/record` command: its last part repeats the log, each line after `%
/// `.
///
/// # Errors
/// Describes the first item that is missing, damaged or inconsistent.
pub fn verify_record(text: &str) -> Result<VerifyReport, String> {
    let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix(MARK)).collect();
    let field = |name: &str| {
        let found = lines.iter().find_map(|line| line.strip_prefix(name));
        found.map(str::trim).ok_or_else(|| format!("the file has no line “% {name}…”"))
    };
    let id = TableId(field("table ")?.to_owned());
    let published = field("commitment ")?;
    let at = lines.iter().position(|line| *line == "log").ok_or("the file has no log")?;
    let log = &lines[at + 1..];
    let first = LogLine::parse(log.first().ok_or("the log is empty")?)?;
    let mut table = Table::from_opening(&id, &first)?;
    let mut report = String::new();
    let hash = hash_seed(&table.setup.seed);
    if hash != published {
        return Err(format!("the seed has the SHA-256 {hash}, but {published} was published"));
    }
    let _ = writeln!(report, "commitment: {hash} is the SHA-256 of the seed;");
    let _ = writeln!(report, "    compare it with what the chat showed before the game");
    if table.setup.is_outdated() {
        let played = table.setup.revision;
        let known = table.game_id().info().revision;
        let _ = writeln!(
            report,
            "chance: this game was played by older rules (revision {played}, this program has \
             {known}); its throws and deals are kept, but not recomputed"
        );
    }
    for text in &log[1..] {
        if !is_line_of_another_table(&table, text) {
            check_line(&table, &LogLine::parse(text)?, &mut report)?;
        }
        table.apply_stored_line(text)?;
    }
    if began_without_commitment(&table, &first, log) {
        let _ = writeln!(
            report,
            "start: the game began with the press that opened the table, so nobody could see the \
             hash before"
        );
    }
    for (name, steps) in table.named_substitute_steps() {
        let _ = writeln!(report, "a computer played for {name}: steps {steps}");
    }
    let _ = writeln!(report, "log: {} lines follow from each other", table.version);
    let readable = check_readable_part(&table, text)?;
    let noted = lines[..at].iter().copied();
    let noted: Vec<&str> = noted.filter(|it| !is_about_log(&table, published, it)).collect();
    if readable == ReadablePart::Agrees || !noted.is_empty() {
        check_notes(&table, &noted)?;
    }
    report.push_str(readable.report());
    if names_deleted_people(&table) {
        let _ = writeln!(
            report,
            "chance: a player deleted their account, and chance followed from its id; the throws \
             and deals are kept, but not recomputed"
        );
    }
    let unchecked = unchecked_parts(&table, readable);
    let _ = match unchecked.is_empty() {
        true => writeln!(report, "everything agrees"),
        false => {
            writeln!(report, "what could be checked agrees; not checked: {}", unchecked.join(", "))
        }
    };
    Ok(VerifyReport { text: report, is_complete: unchecked.is_empty() })
}

/// The parts of a record that could not be checked.
fn unchecked_parts(table: &Table, readable: ReadablePart) -> Vec<&'static str> {
    let is_outdated = table.setup.is_outdated();
    let parts = [
        (is_outdated || names_deleted_people(table), "the throws and deals"),
        (is_outdated || readable == ReadablePart::NotOver, "the result"),
        (matches!(readable, ReadablePart::NotCompared | ReadablePart::Missing), "the record"),
    ];
    parts.into_iter().filter_map(|(is_unchecked, part)| is_unchecked.then_some(part)).collect()
}

/// The finding about the part of a record file that people read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadablePart {
    /// It tells the same game as the log.
    Agrees,
    /// There is none, although the game is over.
    Missing,
    /// There is none, and the bot would not have written any: the table closed without a result.
    NotNeeded,
    /// There is none, and the log ends before the game does.
    NotOver,
    /// The rules of the game have changed since, so it cannot be compared.
    NotCompared,
}

impl ReadablePart {
    /// The line of the report.
    fn report(self) -> &'static str {
        match self {
            ReadablePart::Agrees => {
                "record: its headers, its moves and its result are those of the log\n"
            }
            ReadablePart::Missing => "record: the file has no readable part, only the log\n",
            ReadablePart::NotNeeded => "",
            ReadablePart::NotOver => {
                "result: the log ends before the end of the game, so it shows no result\n"
            }
            ReadablePart::NotCompared => {
                "record: its readable part is of older rules and was not compared with the log\n"
            }
        }
    }
}

/// Checks that the readable part of the file, which comes before the log, tells the same game.
fn check_readable_part(table: &Table, text: &str) -> Result<ReadablePart, String> {
    let numbered = || (1..).zip(text.lines());
    let log_starts = numbered().find(|(_, line)| *line == LOG_MARK).map_or(0, |it| it.0);
    let is_told = |line: &str| !line.starts_with(MARK) && !line.trim().is_empty();
    let told: Vec<(usize, &str)> = numbered().filter(|it| is_told(it.1)).collect();
    if let Some((number, _)) = told.iter().find(|it| it.0 > log_starts) {
        return Err(format!("line {number} of the file comes after the log, which is its end"));
    }
    let true_record = match table.write_record() {
        Some(_) if told.is_empty() => return Ok(ReadablePart::Missing),
        Some(text) => text,
        None if told.is_empty() && table.is_open() => return Ok(ReadablePart::NotOver),
        None if told.is_empty() => return Ok(ReadablePart::NotNeeded),
        None if table.setup.is_outdated() => return Ok(ReadablePart::NotCompared),
        None => return Err("the file tells a game that has no result by its log".to_owned()),
    };
    let mut wanted = record_items((1..).zip(true_record.lines())).into_iter();
    for (number, item) in record_items(told.into_iter()) {
        let wanted = wanted.next().map_or("the end", |it| it.1);
        if item != wanted {
            return Err(format!(
                "line {number} of the record says {item}, by the log it is {wanted}"
            ));
        }
    }
    match wanted.next() {
        Some((_, item)) => Err(format!("the record ends before {item}, which is in the log")),
        None => Ok(ReadablePart::Agrees),
    }
}

/// The beginning of a line of the log or about it.
const MARK: &str = "% ";

/// The line between the record and the log in a record file.
pub const LOG_MARK: &str = "% log";

/// The parts of a record that are compared, each with the number of its line: the headers, and the
/// words of the moves.
fn record_items<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<(usize, &'a str)> {
    let items = |line: &'a str| match line.starts_with('[') {
        true => vec![line.trim_end()],
        false => line.split_whitespace().collect(),
    };
    lines.flat_map(|(n, line)| items(line).into_iter().map(move |it| (n, it))).collect()
}

/// Whether a line before the log names its table or the hash of its seed.
fn is_about_log(table: &Table, hash: &str, line: &str) -> bool {
    line == format!("table {}", table.id.0) || line == format!("commitment {hash}")
}

/// Checks the notes before the log: hints, and computers that played for absent players.
fn check_notes(table: &Table, noted: &[&str]) -> Result<(), String> {
    let by_log = table.record_notes();
    if *noted == by_log || table.setup.is_outdated() {
        return Ok(());
    }
    Err(format!("the notes before the log are {noted:?}, by the log they are {by_log:?}"))
}

/// Whether a game started with the press that opened its table, without an earlier commitment.
fn began_without_commitment(table: &Table, first: &LogLine, log: &[&str]) -> bool {
    let starts = |it: &LogLine| matches!(it.event, Event::Started { .. });
    let mut lines = log.iter().filter_map(|it| LogLine::parse(it).ok());
    table.commitments.own.is_none() && lines.find(starts).is_some_and(|it| it.cause == first.cause)
}

/// Checks the commitment of this table. A commitment for the next table is only reported.
fn check_seed_commitment(
    table: &Table,
    number: u64,
    commitment: &SeedCommitment,
    report: &mut String,
) -> Result<(), String> {
    if table.phase != TablePhase::Lobby {
        let next = commitment.table.as_ref().map_or("-", |it| it.0.as_str());
        let hash = &commitment.hash;
        let _ = writeln!(report, "line {number}: table {next} is promised a seed with {hash}");
        return Ok(());
    }
    let hash = hash_seed(&table.setup.seed);
    if commitment.hash != hash {
        return Err(format!("line {number}: {} was promised, not {hash}", commitment.hash));
    }
    let _ = match &commitment.table {
        Some(old) => writeln!(
            report,
            "line {number}: the chat showed this hash with the offer of a rematch at table {}, \
             before anybody accepted",
            old.0
        ),
        None => writeln!(
            report,
            "line {number}: the chat showed this hash with the challenge, before anybody accepted"
        ),
    };
    Ok(())
}

/// Checks the scores at the end of a game: they follow from the position, or from the reason.
fn check_result(
    table: &Table,
    line: &LogLine,
    scores: &[i32],
    reason: EndReason,
) -> Result<(), String> {
    let number = line.number;
    let counted = match reason {
        EndReason::PlayedOut => {
            let game = table.game.as_deref().ok_or("an end before the start")?;
            match game.node() {
                Node::Over(counted) => counted,
                Node::Chance | Node::Act(_) => {
                    return Err(format!("line {number}: the game is not over yet"));
                }
            }
        }
        EndReason::Resigned(seat) if is_caused_by_opponent(table, &line.cause, seat) => {
            return Err(format!("line {number}: another player resigns for seat {seat}"));
        }
        EndReason::LostOnTime(seat) if !was_waited_for(table, seat) => {
            return Err(format!("line {number}: nobody waited for seat {seat}"));
        }
        EndReason::Resigned(seat) | EndReason::LostOnTime(seat) => loss_scores(table, seat),
        EndReason::DrawAgreed
            if !offer_commands::can_draw_be_agreed(
                table,
                person_of_cause(&line.cause).as_ref(),
            ) =>
        {
            return Err(format!("line {number}: the players did not agree to a draw"));
        }
        EndReason::DrawAgreed => vec![0; usize::from(table.setup.seats)],
        _ => return Err(format!("line {number}: a game that ends so has no result")),
    };
    if counted == scores {
        return Ok(());
    }
    Err(format!("line {number}: the result is {counted:?}, the log has {scores:?}"))
}

/// Whether a line was caused by the player of another side than that of this seat, as far as that
/// is known.
fn is_caused_by_opponent(table: &Table, cause: &str, seat: u8) -> bool {
    let Some(person) = person_of_cause(cause) else { return false };
    let mut own = table.seating.seats_of(&person).peekable();
    own.peek().is_some() && own.all(|it| it != seat && !table.setup.are_partners(it, seat))
}

/// The account that caused a line. The causes of some platforms name none: then it is unknown.
fn person_of_cause(cause: &str) -> Option<PersonId> {
    let mut parts = cause.split('/');
    let platform = parts.next()?;
    let account = parts.next()?;
    let _ = parts.next()?;
    Some(PersonId(format!("{platform}:{account}")))
}

/// Whether the others had reason to wait for this seat: it is its turn, or its player is absent.
fn was_waited_for(table: &Table, seat: u8) -> bool {
    table.seat_to_move() == Some(seat) || table.clocks.absence(seat) != AbsenceState::default()
}

/// Whether chance depended on the id of an account that was deleted since: of a player, or of the
/// linked account from which they took their seat, which the id of the update names.
fn names_deleted_people(table: &Table) -> bool {
    let entropy = table.seating.people_entropy();
    let mut ids = entropy.iter().flat_map(|it| it.split([' ', '/']));
    ids.any(|it| PersonId(it.to_owned()).is_deleted())
}

fn check_line(table: &Table, line: &LogLine, report: &mut String) -> Result<(), String> {
    let number = line.number;
    match &line.event {
        // Reported once for all of them.
        Event::Started { .. } | Event::ChanceDrawn { .. } if names_deleted_people(table) => {}
        Event::Started { order, .. } if table.setup.begin == FirstMover::Lot => {
            let drawn = lobby_commands::start_order(table);
            if drawn != *order {
                return Err(format!("line {number}: the lot is {drawn:?}, the log has {order:?}"));
            }
            let _ = writeln!(report, "line {number}: the lot is {order:?}, as recomputed");
        }
        // Reported once for all of them.
        Event::ChanceDrawn { .. } if table.setup.is_outdated() => {}
        Event::ChanceDrawn { token } => {
            let game = table.game.as_deref().ok_or("chance before the start")?;
            let drawn = game.draw_chance(&mut decision_builder::next_draw(table));
            if drawn != *token {
                return Err(format!("line {number}: chance gave {drawn}, the log has {token}"));
            }
            let _ = writeln!(report, "line {number}: chance gave {token}, as recomputed");
        }
        Event::GameOver { scores, reason } if !table.setup.is_outdated() => {
            check_result(table, line, scores, *reason)?;
        }
        Event::SeedCommitted(commitment) => {
            check_seed_commitment(table, number, commitment, report)?
        }
        Event::Opened(_)
        | Event::Invited { .. }
        | Event::Seated { .. }
        | Event::Left { .. }
        | Event::InviteeIdentified { .. }
        | Event::InvitationEnded { .. }
        | Event::DeclineExplained { .. }
        | Event::Kicked { .. }
        | Event::ComputerRemoved { .. }
        | Event::SeatChanged { .. }
        | Event::SeatCountSet { .. }
        | Event::KeptOpen
        | Event::InviteesReminded
        | Event::HouseRulesSet { .. }
        | Event::FirstMoverSet { .. }
        | Event::HintsSet { .. }
        | Event::RatedSet { .. }
        | Event::ComputersRated
        | Event::RatingBlocked { .. }
        | Event::RatingPaused { .. }
        | Event::GuestSeated { .. }
        | Event::Started { .. }
        | Event::HintGiven { .. }
        | Event::ConditionalMovesSet { .. }
        | Event::Stepped { .. }
        | Event::OfferMade { .. }
        | Event::OfferAgreed { .. }
        | Event::SubstituteProposed { .. }
        | Event::SubstituteAgreed { .. }
        | Event::SeatReplaced { .. }
        | Event::OfferDeclined { .. }
        | Event::MovesTakenBack { .. }
        | Event::GameOver { .. }
        | Event::TableClosed { .. }
        | Event::ChatMoved { .. }
        | Event::Attached(_)
        | Event::Detached { .. }
        | Event::PlayerChatChanged { .. }
        | Event::PublicSet { .. }
        | Event::AccountsMerged { .. }
        | Event::Clock(_)
        | Event::ContinuedAt { .. }
        | Event::MisplacedLinesMoved(_) => {}
    }
    Ok(())
}
