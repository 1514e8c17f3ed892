//! Reads and writes positions: the test cases' form, PlayStrategy's and one program's; and the
//! federation's diagrams, which lack the side to move.

use super::super::position::{TogyzkumalakPhase, TogyzkumalakPosition, Variant};
use super::super::view::PITS;
use super::notation_errors::TogyzkumalakPositionFault;

/// A position and how many moves led to it.
pub type NumberedPosition = (TogyzkumalakPosition, u16);

/// A printed diagram: everything but the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// Stones by side.
    pub pits: [[u8; PITS]; 2],
    /// By owner: the pit on the other side.
    pub tuzdyks: [Option<u8>; 2],
    /// By owner.
    pub kazans: [u8; 2],
}

impl Diagram {
    /// The diagram of this position.
    pub fn from_position(position: &TogyzkumalakPosition) -> Self {
        Self { pits: position.pits(), tuzdyks: position.tuzdyks(), kazans: position.kazans() }
    }

    /// Reads `24 | 1 1 5 7 6 18 6 - X | 1 2 20 7 19 X 1 2 - | 42`: the second player's kazan and
    /// pits 9 to 1, the first's pits 1 to 9 and kazan.
    pub fn read(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split('|').map(str::trim).collect();
        let [second_kazan, second, first, first_kazan] = parts[..] else { return None };
        let mut pits = [[0; PITS]; 2];
        let mut tuzdyks = [None; 2];
        for (side, row) in [first, second].into_iter().enumerate() {
            let cells: Vec<&str> = row.split_whitespace().collect();
            if cells.len() != PITS {
                return None;
            }
            for (i, cell) in cells.into_iter().enumerate() {
                let pit = if side == 0 { i } else { PITS - 1 - i };
                pits[side][pit] = read_cell(cell, side, pit, &mut tuzdyks)?;
            }
        }
        let kazans = [read_stones(first_kazan)?, read_stones(second_kazan)?];
        Some(Self { pits, tuzdyks, kazans })
    }

    /// The same form as [`Diagram::read`] takes.
    pub fn write(&self) -> String {
        let cell = |side: usize, pit: usize| {
            if self.tuzdyks[1 - side].is_some_and(|it| usize::from(it) == pit) {
                "X".to_owned()
            } else if self.pits[side][pit] == 0 {
                "-".to_owned()
            } else {
                self.pits[side][pit].to_string()
            }
        };
        let second: Vec<String> = (0..PITS).rev().map(|pit| cell(1, pit)).collect();
        let first: Vec<String> = (0..PITS).map(|pit| cell(0, pit)).collect();
        let [first_kazan, second_kazan] = self.kazans;
        format!("{second_kazan} | {} | {} | {first_kazan}", second.join(" "), first.join(" "))
    }
}

/// Reads a position in any known form. `9,9,.../9,9,... 0 0 f 0` is the form of the test cases
/// and of [`write_position`], `9S,.../9S,... 0 0 S 1` PlayStrategy's, five groups between
/// slashes (pits, pits, kazans, tuzdyks, side) that of a public engine; a diagram of the
/// federation's gets the first player to move, or the second if only that one has stones.
///
/// # Errors
/// The error in the text.
pub fn read_position(
    text: &str,
    variant: Variant,
) -> Result<NumberedPosition, TogyzkumalakPositionFault> {
    let text = text.trim();
    if let Some(diagram) = Diagram::read(text) {
        let Diagram { pits, tuzdyks, kazans } = diagram;
        let only_second = pits[0] == [0; PITS] && pits[1] != [0; PITS];
        let side = u8::from(only_second);
        return place(pits, kazans, tuzdyks, side, false, variant).map(|position| (position, 0));
    }
    let slashes = text.bytes().filter(|b| *b == b'/').count();
    let words: Vec<&str> = text.split_whitespace().collect();
    let read = match (&words[..], slashes) {
        ([groups], 4) => read_engine(groups, variant),
        ([rows, first, second, side @ ("S" | "N"), move_number], 1) => {
            read_playstrategy(rows, [first, second], side, move_number, variant)
        }
        ([rows, first, second, side], 1) => read_case(rows, [first, second], side, "0", variant),
        ([rows, first, second, side, plies], 1) => {
            read_case(rows, [first, second], side, plies, variant)
        }
        _ => None,
    };
    read.unwrap_or_else(|| {
        let short: String = text.chars().take(80).collect();
        Err(TogyzkumalakPositionFault::Unknown(short))
    })
}

/// The start in the form of the test cases.
pub const START_TEXT: &str = "9,9,9,9,9,9,9,9,9/9,9,9,9,9,9,9,9,9 0 0 f 0";

/// The form of the test cases: pits of both sides, kazans, `f`, `s` or `-` with `+` for an extra
/// move, plies.
pub fn write_position(position: &TogyzkumalakPosition, plies: u16) -> String {
    let [first, second] = [0, 1].map(|side| row(position, side));
    let [first_kazan, second_kazan] = position.kazans();
    let side = match (position.is_over(), position.side()) {
        (true, _) => "-",
        (false, 0) => "f",
        (false, _) => "s",
    };
    let extra = if position.phase() == TogyzkumalakPhase::Extra { "+" } else { "" };
    format!("{first}/{second} {first_kazan} {second_kazan} {side}{extra} {plies}")
}

fn row(position: &TogyzkumalakPosition, side: usize) -> String {
    let pits = position.pits();
    let cells = pits[side].iter().enumerate().map(|(pit, stones)| {
        let tuzdyk = position.tuzdyks()[1 - side].is_some_and(|it| usize::from(it) == pit);
        if tuzdyk { "T".to_owned() } else { stones.to_string() }
    });
    cells.collect::<Vec<_>>().join(",")
}

/// PlayStrategy's form: the second player's pits 9 to 1, the first's 1 to 9, kazans, `S` or `N`
/// to move, number of the move pair.
pub fn write_playstrategy(position: &TogyzkumalakPosition, plies: u16) -> String {
    let rows = [1, 0].map(|side: usize| {
        let mut cells: Vec<String> = Vec::new();
        let mut empty = 0;
        for i in 0..PITS {
            let pit = if side == 0 { i } else { PITS - 1 - i };
            let tuzdyk = position.tuzdyks()[1 - side].is_some_and(|it| usize::from(it) == pit);
            let stones = position.pits()[side][pit];
            if stones == 0 && !tuzdyk {
                empty += 1;
                continue;
            }
            if empty > 0 {
                cells.push(empty.to_string());
                empty = 0;
            }
            cells.push(if tuzdyk { "t".to_owned() } else { format!("{stones}S") });
        }
        if empty > 0 {
            cells.push(empty.to_string());
        }
        cells.join(",")
    });
    let [first_kazan, second_kazan] = position.kazans();
    let side = if position.side() == 0 { "S" } else { "N" };
    format!("{} {first_kazan} {second_kazan} {side} {}", rows.join("/"), plies / 2 + 1)
}

type PositionParse = Option<Result<NumberedPosition, TogyzkumalakPositionFault>>;

fn read_case(
    rows: &str,
    kazans: [&str; 2],
    side: &str,
    plies: &str,
    variant: Variant,
) -> PositionParse {
    let (first, second) = rows.split_once('/')?;
    let mut pits = [[0; PITS]; 2];
    let mut tuzdyks = [None; 2];
    for (side, row) in [first, second].into_iter().enumerate() {
        let cells: Vec<&str> = row.split(',').collect();
        if cells.len() != PITS {
            return None;
        }
        for (pit, cell) in cells.into_iter().enumerate() {
            pits[side][pit] = read_cell(cell, side, pit, &mut tuzdyks)?;
        }
    }
    let kazans = [read_stones(kazans[0])?, read_stones(kazans[1])?];
    let plies = plies.parse().ok()?;
    let (side, extra) = match side.strip_suffix('+') {
        Some(side) => (side, true),
        None => (side, false),
    };
    let number = match side {
        "f" | "-" => 0,
        "s" => 1,
        _ => return None,
    };
    Some(match place(pits, kazans, tuzdyks, number, extra, variant) {
        Ok(position) if side == "-" && !position.is_over() => {
            Err(TogyzkumalakPositionFault::NotFinished)
        }
        Err(TogyzkumalakPositionFault::NoStones { .. }) if side == "-" => {
            Err(TogyzkumalakPositionFault::NotFinished)
        }
        placed => placed.map(|position| (position, plies)),
    })
}

fn read_playstrategy(
    rows: &str,
    kazans: [&str; 2],
    side: &str,
    move_number: &str,
    variant: Variant,
) -> PositionParse {
    let (second, first) = rows.split_once('/')?;
    let mut pits = [[0; PITS]; 2];
    let mut tuzdyks = [None; 2];
    for (side, row) in [first, second].into_iter().enumerate() {
        let mut i = 0;
        for cell in row.split(',') {
            let pit = if side == 0 { i } else { PITS.checked_sub(1 + i)? };
            if let Some(stones) = cell.strip_suffix(['S', 's']) {
                *pits[side].get_mut(pit)? = read_stones(stones)?;
                i += 1;
            } else if matches!(cell, "t" | "T") {
                tuzdyks[1 - side] = Some(u8::try_from(pit).ok()?);
                i += 1;
            } else {
                i += usize::from(read_stones(cell)?);
            }
        }
        if i != PITS {
            return None;
        }
    }
    let kazans = [read_stones(kazans[0])?, read_stones(kazans[1])?];
    let pairs: u16 = move_number.parse().ok()?;
    let side = u8::from(side == "N");
    let plies = pairs.saturating_sub(1).saturating_mul(2).saturating_add(u16::from(side));
    Some(place(pits, kazans, tuzdyks, side, false, variant).map(|position| (position, plies)))
}

/// `w1,..,w9/b1,..,b9/kw,kb/tw,tb/side`; a tuzdyk is the pit 0 to 8 on the other side or -1.
fn read_engine(groups: &str, variant: Variant) -> PositionParse {
    let groups: Vec<&str> = groups.split('/').collect();
    let [first, second, kazans, tuzdyks, side] = groups[..] else { return None };
    let stones = |group: &str| -> Option<Vec<u8>> { group.split(',').map(read_stones).collect() };
    let pits = [stones(first)?.try_into().ok()?, stones(second)?.try_into().ok()?];
    let kazans = stones(kazans)?.try_into().ok()?;
    let owned: Option<Vec<Option<u8>>> = tuzdyks
        .split(',')
        .map(|pit| if pit == "-1" { Some(None) } else { read_stones(pit).map(Some) })
        .collect();
    let tuzdyks = owned?.try_into().ok()?;
    let side = match side {
        "0" => 0,
        "1" => 1,
        _ => return None,
    };
    Some(place(pits, kazans, tuzdyks, side, false, variant).map(|position| (position, 0)))
}

/// The position of these parts. A side that has no stones is never to move while the other has
/// some: by every variant the other then moves once more or has collected them.
fn place(
    pits: [[u8; PITS]; 2],
    kazans: [u8; 2],
    tuzdyks: [Option<u8>; 2],
    side: u8,
    extra: bool,
    variant: Variant,
) -> Result<TogyzkumalakPosition, TogyzkumalakPositionFault> {
    let position = TogyzkumalakPosition::new(pits, kazans, tuzdyks, side, extra, variant)
        .map_err(TogyzkumalakPositionFault::Impossible)?;
    let has_stones = pits != [[0; PITS]; 2];
    if has_stones && position.phase() == TogyzkumalakPhase::Atsyrau {
        return Err(TogyzkumalakPositionFault::NoStones { side });
    }
    Ok(position)
}

fn read_cell(cell: &str, side: usize, pit: usize, tuzdyks: &mut [Option<u8>; 2]) -> Option<u8> {
    match cell {
        "T" | "t" | "X" | "x" | "Х" | "х" => {
            if tuzdyks[1 - side].is_some() {
                return None;
            }
            tuzdyks[1 - side] = u8::try_from(pit).ok();
            Some(0)
        }
        "-" | "–" => Some(0),
        _ => read_stones(cell),
    }
}

fn read_stones(text: &str) -> Option<u8> {
    let digits = !text.is_empty() && text.len() <= 3 && text.bytes().all(|b| b.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}
