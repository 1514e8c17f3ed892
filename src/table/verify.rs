//! Checks the chance of a finished game from its published log, for `caravanserai verify`.

use std::fmt::Write as _;

use super::event::{Begin, Event, Line};
use super::fair::commitment;
use super::fold::{Phase, Table};
use super::promise::Promise;
use super::{lobby, run};
use caravanserai_games::ids::TableId;

/// Recomputes every outcome of chance in a record file and tells what was checked.
///
/// The text is a file that `/record` gave: its last part repeats the log, each line after `% `.
///
/// # Errors
/// One sentence about the first thing that is missing, damaged or does not agree.
pub fn verify(text: &str) -> Result<String, String> {
    let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("% ")).collect();
    let field = |name: &str| {
        let found = lines.iter().find_map(|line| line.strip_prefix(name));
        found.map(str::trim).ok_or_else(|| format!("the file has no line “% {name}…”"))
    };
    let id = TableId(field("table ")?.to_owned());
    let published = field("commitment ")?;
    let at = lines.iter().position(|line| *line == "log").ok_or("the file has no log")?;
    let log = &lines[at + 1..];
    let first = Line::read(log.first().ok_or("the log is empty")?)?;
    let mut table = Table::opened(&id, &first)?;
    let mut report = String::new();
    let hash = commitment(&table.setup.seed);
    if hash != published {
        return Err(format!("the seed has the SHA-256 {hash}, but {published} was published"));
    }
    let _ = writeln!(report, "commitment: {hash} is the SHA-256 of the seed;");
    let _ = writeln!(report, "    compare it with what the chat showed before the game");
    if table.outdated {
        let (played, known) = (table.setup.revision, table.game_id().info().revision);
        let _ = writeln!(
            report,
            "chance: this game was played by older rules (revision {played}, this program has \
             {known}); its throws and deals are kept, but not recomputed"
        );
    }
    for text in &log[1..] {
        if !table.passes_over(text) {
            check(&table, &Line::read(text)?, &mut report)?;
        }
        table.read_on(text)?;
    }
    if began_at_once(&table, &first, log) {
        let _ = writeln!(
            report,
            "start: the game began with the press that opened the table, so nobody could see the \
             hash before"
        );
    }
    for (seat, steps) in table.stood_in() {
        let name = table.names().get(usize::from(seat)).cloned().unwrap_or_default();
        let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
        let _ = writeln!(report, "a computer played for {name}: steps {}", steps.join(" "));
    }
    let _ = writeln!(report, "log: {} lines follow from each other", table.version);
    let all = if table.outdated { "everything that could be checked" } else { "everything" };
    let _ = writeln!(report, "{all} agrees");
    Ok(report)
}

/// Whether a game began with the press that opened its table, without an earlier promise.
fn began_at_once(table: &Table, first: &Line, log: &[&str]) -> bool {
    let starts = |it: &Line| matches!(it.event, Event::Started { .. });
    let mut lines = log.iter().filter_map(|it| Line::read(it).ok());
    table.promised.is_none() && lines.find(starts).is_some_and(|it| it.cause == first.cause)
}

/// Checks the promised hash of this table. A promise of the next table is only reported.
fn check_promise(
    table: &Table,
    number: u64,
    promise: &Promise,
    report: &mut String,
) -> Result<(), String> {
    if table.phase != Phase::Lobby {
        let next = promise.table.as_ref().map_or("-", |it| it.0.as_str());
        let hash = &promise.hash;
        let _ = writeln!(report, "line {number}: table {next} is promised a seed with {hash}");
        return Ok(());
    }
    let hash = commitment(&table.setup.seed);
    if promise.hash != hash {
        return Err(format!("line {number}: {} was promised, not {hash}", promise.hash));
    }
    let _ = match &promise.table {
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

fn check(table: &Table, line: &Line, report: &mut String) -> Result<(), String> {
    let number = line.number;
    match &line.event {
        Event::Started { order } if table.begin() == Begin::Lot => {
            let drawn = lobby::starting(table);
            if drawn != line.event {
                return Err(format!("line {number}: the lot is {drawn:?}, the log has {order:?}"));
            }
            let _ = writeln!(report, "line {number}: the lot is {order:?}, as recomputed");
        }
        // Told once for all of them.
        Event::Settled { .. } if table.outdated => {}
        Event::Settled { token } => {
            let game = table.game.as_deref().ok_or("chance before the start")?;
            let drawn = game.draw(&mut run::draw(table));
            if drawn != *token {
                return Err(format!("line {number}: chance gave {drawn}, the log has {token}"));
            }
            let _ = writeln!(report, "line {number}: chance gave {token}, as recomputed");
        }
        Event::Promised(promise) => check_promise(table, number, promise, report)?,
        Event::Opened(_)
        | Event::Invited { .. }
        | Event::Seated { .. }
        | Event::Left { .. }
        | Event::Met { .. }
        | Event::Excused { .. }
        | Event::Explained { .. }
        | Event::Kicked { .. }
        | Event::Dismissed { .. }
        | Event::Shifted { .. }
        | Event::Sized { .. }
        | Event::Extended
        | Event::Reminded
        | Event::Varied { .. }
        | Event::Ordered { .. }
        | Event::Ruled { .. }
        | Event::Started { .. }
        | Event::Hinted { .. }
        | Event::Foreseen { .. }
        | Event::Stepped { .. }
        | Event::Offered { .. }
        | Event::Agreed { .. }
        | Event::Proposed { .. }
        | Event::Welcomed { .. }
        | Event::Replaced { .. }
        | Event::Declined { .. }
        | Event::Back { .. }
        | Event::Over { .. }
        | Event::Closed { .. }
        | Event::Moved { .. }
        | Event::Attached(_)
        | Event::Detached { .. }
        | Event::Came { .. }
        | Event::Public { .. }
        | Event::Same { .. }
        | Event::Time(_)
        | Event::Next { .. }
        | Event::Parted(_) => {}
    }
    Ok(())
}
