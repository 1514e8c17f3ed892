//! Parses the text of a record; keeps the line of every claim.

use super::super::position::Variant;
use super::moves::NotatedMove;
use super::notation_errors::{TogyzkumalakRecordError, TogyzkumalakRecordFault};
use super::position::{Diagram, read_position};
use crate::rules::Token;

/// The form of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Moves such as `76` or `7`, without any sign of another form.
    #[default]
    Plain,
    /// Numbered moves with a diagram every ten.
    Federation,
    /// Headers in brackets, `76(10)`, `{zero}`.
    PlayOk,
    /// `g1d2`.
    PlayStrategy,
}

impl Form {
    /// The variant that records of this form use unless they name another one.
    pub fn variant(self) -> Variant {
        match self {
            Form::Plain | Form::Federation => Variant::Seed,
            Form::PlayOk | Form::PlayStrategy => Variant::Short,
        }
    }
}

/// A result as a record states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatedResult {
    /// The first player has won.
    First,
    /// The second player has won.
    Second,
    /// A draw.
    Draw,
    /// Unknown, unfinished or not played.
    Open,
    /// Stones of the first and the second player.
    Score(u8, u8),
}

impl StatedResult {
    /// Reads `1-0`, `0,5-0,5`, `1/2-1/2`, `*`, `+/-`, `82-80` and similar results.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim_end_matches([',', ';', '.']).replace(['–', '—', ':'], "-");
        let text = text.replace("1/2", "½").replace(',', ".");
        match text.as_str() {
            "1-0" | "1.0-0.0" | "+/-" | "+--" | "+-" => return Some(StatedResult::First),
            "0-1" | "0.0-1.0" | "-/+" | "--+" | "-+" => return Some(StatedResult::Second),
            "½-½" | "½" | "0.5-0.5" | ".5-.5" | "=" | "=-=" => return Some(StatedResult::Draw),
            "*" | "-" | "+" | "-/-" | "--" | "---" | "0-0" => return Some(StatedResult::Open),
            _ => {}
        }
        let (first, second) = text.split_once('-')?;
        let stones = |text: &str| -> Option<u8> {
            let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            if digits { text.parse().ok().filter(|n| *n <= 162) } else { None }
        };
        let first = stones(first)?;
        let second = stones(second)?;
        // A lower sum is no final score but perhaps a move such as "7-6".
        (first.max(second) >= 81).then_some(StatedResult::Score(first, second))
    }
}

/// One claim of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The number before a move, which counts the moves of the first player.
    Number(u32),
    /// A move.
    Move(NotatedMove),
    /// The board at this point.
    Diagram(Diagram),
    /// The result of the game.
    Result(StatedResult),
}

/// One game of a record with the line of every claim; the first line is 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParsedGame {
    /// The form of its moves.
    pub form: Form,
    /// Headers such as `White`, in their order.
    pub headers: Vec<(String, String)>,
    /// The lines of the headers.
    pub header_lines: Vec<usize>,
    /// The written position at the beginning, with its line.
    pub start: Option<(usize, String)>,
    /// Moves, diagrams and results in their order.
    pub claims: Vec<(usize, Claim)>,
}

impl ParsedGame {
    /// The value of a header, ignoring case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The variant that a header names.
    ///
    /// # Errors
    /// The header names no known variant.
    pub fn stated_variant(&self) -> Result<Option<Variant>, TogyzkumalakRecordError> {
        let Some(value) = self.header("Variant") else { return Ok(None) };
        let variant = Variant::read(&value.to_ascii_lowercase());
        let unknown = || TogyzkumalakRecordFault::UnknownVariant(value.to_owned());
        let line = self.line_of_header("Variant");
        variant.map(Some).ok_or_else(|| TogyzkumalakRecordError { line, kind: unknown() })
    }

    /// The line of a header, ignoring case.
    pub fn line_of_header(&self, name: &str) -> usize {
        let at = self.headers.iter().position(|(key, _)| key.eq_ignore_ascii_case(name));
        at.and_then(|it| self.header_lines.get(it)).copied().unwrap_or(1)
    }

    fn has_moves(&self) -> bool {
        self.claims.iter().any(|(_, claim)| matches!(claim, Claim::Move(_)))
    }

    fn is_begun(&self) -> bool {
        !self.claims.is_empty()
    }

    /// Whether the result is the last claim, so that a move would belong to another game.
    fn is_closed(&self) -> bool {
        let last = self.claims.last().map(|(_, claim)| claim);
        matches!(last, Some(Claim::Result(outcome)) if *outcome != StatedResult::Open)
    }
}

/// Parses a record of one game or several. A header after moves, or a move after a result, begins
/// the next game.
///
/// # Errors
/// At the first word that does not belong to a record.
pub fn read_games(text: &str) -> Result<Vec<ParsedGame>, TogyzkumalakRecordError> {
    let mut games = Vec::new();
    let mut game = ParsedGame::default();
    let mut in_comment = false;
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let number = index + 1;
        let line = line.trim();
        // Such lines have other contents, for example a log, with braces of their own.
        if !in_comment && line.starts_with(['#', '%']) {
            continue;
        }
        if let Some(header) = read_header(line).filter(|_| !in_comment) {
            read_in_header(&mut game, &mut games, number, header);
        } else {
            let line = strip_comments(line, &mut in_comment);
            read_line(&mut game, &mut games, number, line.trim())?;
        }
    }
    if in_comment {
        let line = text.lines().count().max(1);
        return Err(TogyzkumalakRecordError { line, kind: TogyzkumalakRecordFault::OpenComment });
    }
    if game.is_begun() || !game.headers.is_empty() || game.start.is_some() {
        games.push(finish(game));
    }
    Ok(games)
}

fn read_in_header(
    game: &mut ParsedGame,
    games: &mut Vec<ParsedGame>,
    line: usize,
    header: (&str, &str),
) {
    if game.is_begun() {
        games.push(finish(std::mem::take(game)));
    }
    let (key, value) = header;
    if matches!(key.to_ascii_lowercase().as_str(), "fen" | "position") {
        game.start = Some((line, value.to_owned()));
    }
    game.headers.push((key.to_owned(), value.to_owned()));
    game.header_lines.push(line);
}

fn read_line(
    game: &mut ParsedGame,
    games: &mut Vec<ParsedGame>,
    line: usize,
    text: &str,
) -> Result<(), TogyzkumalakRecordError> {
    if text.contains('|') {
        let diagram = Diagram::read(text)
            .ok_or(TogyzkumalakRecordError { line, kind: TogyzkumalakRecordFault::BadDiagram })?;
        game.claims.push((line, Claim::Diagram(diagram)));
        game.form = if game.form == Form::Plain { Form::Federation } else { game.form };
        return Ok(());
    }
    if !game.has_moves() && text.contains('/') && read_position(text, Variant::Seed).is_ok() {
        game.start = Some((line, text.to_owned()));
        return Ok(());
    }
    for word in text.split_whitespace() {
        read_word(game, games, line, word)?;
    }
    Ok(())
}

fn read_word(
    game: &mut ParsedGame,
    games: &mut Vec<ParsedGame>,
    line: usize,
    word: &str,
) -> Result<(), TogyzkumalakRecordError> {
    if let Some(outcome) = StatedResult::read(word) {
        game.claims.push((line, Claim::Result(outcome)));
        return Ok(());
    }
    let (number, word) = split_number(word);
    if let Some(number) = number {
        if game.is_closed() {
            games.push(finish(std::mem::take(game)));
        }
        game.claims.push((line, Claim::Number(number)));
    }
    for part in word.split([',', ';']).filter(|part| !part.is_empty()) {
        if matches!(part, "..." | "…" | "e.p.") || part.starts_with('$') {
            continue;
        }
        let written = NotatedMove::read(part).ok_or_else(|| {
            let short: String = part.chars().take(40).collect();
            TogyzkumalakRecordError { line, kind: TogyzkumalakRecordFault::NoMove(short) }
        })?;
        if game.is_closed() {
            games.push(finish(std::mem::take(game)));
        }
        if written.side.is_some() {
            game.form = Form::PlayStrategy;
        } else if written.count.is_some() && game.form == Form::Plain {
            game.form = Form::PlayOk;
        }
        game.claims.push((line, Claim::Move(written)));
    }
    Ok(())
}

/// Splits the number of a move from a word: `5.`, `5...`, `5.76`.
fn split_number(word: &str) -> (Option<u32>, &str) {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &word[..word.len() - rest.len()];
    if digits.is_empty() || !rest.starts_with(['.', '…']) {
        return (None, word);
    }
    (Some(digits.parse().unwrap_or(u32::MAX)), rest.trim_start_matches(['.', '…']))
}

fn finish(mut game: ParsedGame) -> ParsedGame {
    if game.form == Form::Plain && !game.headers.is_empty() {
        let site = game.header("Site").unwrap_or_default().to_ascii_lowercase();
        game.form = if site.contains("playok") || game.header("TimeControl").is_some() {
            Form::PlayOk
        } else if site.contains("playstrategy") {
            Form::PlayStrategy
        } else {
            Form::Federation
        };
    }
    game
}

fn read_header(line: &str) -> Option<(&str, &str)> {
    let inside = line.strip_prefix('[')?.strip_suffix(']')?;
    let (key, value) = inside.split_once(char::is_whitespace)?;
    Some((key, value.trim().trim_matches('"')))
}

/// The line without comments in braces; a comment may run over several lines.
fn strip_comments(line: &str, in_comment: &mut bool) -> String {
    let mut without_comments = String::with_capacity(line.len());
    for c in line.chars() {
        match (c, *in_comment) {
            ('{', false) => *in_comment = true,
            ('}', true) => {
                *in_comment = false;
                without_comments.push(' ');
            }
            (c, false) => without_comments.push(c),
            (_, true) => {}
        }
    }
    without_comments
}
