//! Checks the chance of a finished game from its published log, for `caravanserai verify`.

use std::fmt::Write as _;

use super::event::{EndReason, Event, FirstMover, LogLine};
use super::fair_random::hash_seed;
use super::misplaced_lines::is_line_of_another_table;
use super::seed_commitment::SeedCommitment;
use super::state::{Table, TablePhase};
use super::{decision_builder, lobby_commands};
use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_games::rules::Node;

/// Recomputes every outcome of chance in a record file, and reports the checks.
///
/// The text is a file from the `/record` command: its last part repeats the log, each line after `%
/// `.
///
/// # Errors
/// Describes the first item that is missing, damaged or inconsistent.
pub fn verify_record(text: &str) -> Result<String, String> {
    let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("% ")).collect();
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
        let (played, known) = (table.setup.revision, table.game_id().info().revision);
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
    for (seat, steps) in table.substitute_steps() {
        let name = table.record_names().get(usize::from(seat)).cloned().unwrap_or_default();
        let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
        let _ = writeln!(report, "a computer played for {name}: steps {}", steps.join(" "));
    }
    let _ = writeln!(report, "log: {} lines follow from each other", table.version);
    if check_readable_part(&table, text)? {
        let _ = writeln!(report, "record: its moves and its result are those of the log");
    }
    let is_replaced = names_deleted_people(&table);
    if is_replaced {
        let _ = writeln!(
            report,
            "chance: a player deleted their account, and chance followed from its id; the throws \
             and deals are kept, but not recomputed"
        );
    }
    let all = match table.setup.is_outdated() || is_replaced {
        true => "everything that could be checked",
        false => "everything",
    };
    let _ = writeln!(report, "{all} agrees");
    Ok(report)
}

/// Checks that the readable part of the file, which stands before the log, tells the same game.
/// `false` if there is no such part.
fn check_readable_part(table: &Table, text: &str) -> Result<bool, String> {
    let Some(true_record) = table.write_record(String::new(), String::new()) else {
        return Ok(false);
    };
    let told: Vec<&str> = text.lines().take_while(|it| !it.starts_with("% ")).collect();
    if told.iter().all(|it| it.trim().is_empty()) {
        return Ok(false);
    }
    let true_header = |name: &str| true_record.lines().find(|it| it.starts_with(name));
    for (number, line) in (1..).zip(&told) {
        let telling = TELLING_HEADERS.iter().find(|it| line.starts_with(**it));
        if let Some(wanted) = telling.and_then(|it| true_header(it)).filter(|it| it != line) {
            return Err(format!(
                "line {number} of the record says {line}, by the log it is {wanted}"
            ));
        }
    }
    let mut wanted = move_words(true_record.lines()).into_iter();
    for (number, word) in move_words(told.into_iter()) {
        let wanted = wanted.next().map_or("the end", |it| it.1);
        if word != wanted {
            return Err(format!(
                "line {number} of the record says {word}, by the log it is {wanted}"
            ));
        }
    }
    match wanted.next() {
        Some((_, word)) => Err(format!("the record ends before {word}, which is in the log")),
        None => Ok(true),
    }
}

/// The words of the moves in a record, each with the number of its line.
fn move_words<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<(usize, &'a str)> {
    let numbered = (1..).zip(lines).filter(|(_, line)| !line.starts_with('['));
    numbered.flat_map(|(n, line)| line.split_whitespace().map(move |it| (n, it))).collect()
}

/// The headers of records that say by which rules a game was played, and how it ended; others,
/// such as names, are not compared.
const TELLING_HEADERS: [&str; 3] = ["[Options ", "[Result ", "[Variant "];

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

/// Checks the scores of a game that was played to its end.
fn check_result(table: &Table, number: u64, scores: &[i32]) -> Result<(), String> {
    let game = table.game.as_deref().ok_or("an end before the start")?;
    match game.node() {
        Node::Over(counted) if counted == scores => Ok(()),
        Node::Over(counted) => {
            Err(format!("line {number}: the result is {counted:?}, the log has {scores:?}"))
        }
        Node::Chance | Node::Act(_) => Err(format!("line {number}: the game is not over yet")),
    }
}

/// Whether chance depended on the id of an account that was deleted since.
fn names_deleted_people(table: &Table) -> bool {
    table.seating.people_entropy().iter().any(|it| PersonId(it.clone()).is_deleted())
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
        Event::GameOver { scores, reason: EndReason::PlayedOut } if !table.setup.is_outdated() => {
            check_result(table, number, scores)?;
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
        | Event::PlaceChanged { .. }
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
