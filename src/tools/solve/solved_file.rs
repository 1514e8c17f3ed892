//! The files of a solution: a header of text, then all values row after row, little endian. The
//! finished file has 16 bits a value, a checkpoint the 32 bits of the iteration.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use caravanserai_games::GameId;
use caravanserai_games::solving::{
    SolvedTable, SolvedValues, SolvingState, ValuesInMemory, from_16_bits, to_16_bits,
};
use parking_lot::Mutex;
use sha2::{Digest, Sha256};

/// The first line; the number increases when the format changes.
const MARK: &str = "caravanserai-solved 1";
/// Length of the header; it ends with spaces and a newline.
const HEADER: usize = 1_024;
/// Larger tables are read from the file, value by value.
const MEMORY_MAX: usize = 64 << 20;
/// Number of bytes that are read or written at once.
const CHUNK: usize = 1 << 20;

/// The description of a file's contents.
pub struct SolvedHeader {
    /// The game; its revision of the rules is part of the header.
    pub game: GameId,
    /// The amounts that were solved.
    pub amounts: Vec<(&'static str, u64)>,
    /// Number of rows, and of values in a row.
    pub size: usize,
}

impl SolvedHeader {
    /// `pieces=2, away=2`.
    pub fn amounts_text(&self) -> String {
        let all = self.amounts.iter().map(|(name, value)| format!("{name}={value}"));
        all.collect::<Vec<_>>().join(", ")
    }

    /// Checks that a file is about the same.
    ///
    /// # Errors
    /// A sentence that says what it is about.
    pub fn check_same(&self, other: &SolvedHeader, path: &Path) -> anyhow::Result<()> {
        ensure!(
            self.amounts == other.amounts && self.size == other.size,
            "{} is a solution of {}; choose another file or remove it",
            path.display(),
            self.amounts_text()
        );
        Ok(())
    }

    /// The lines that every file of this solution begins with.
    fn lines(&self) -> String {
        let info = self.game.info();
        format!(
            "{MARK}\ngame={}\nrevision={}\namounts={}\nsize={}\n",
            info.code,
            info.revision,
            self.amounts_text(),
            self.size
        )
    }
}

/// The rest of a header.
struct FileTail {
    bits: usize,
    checksum: String,
    /// Of a checkpoint: the numbers of [`SolvingState`].
    numbers: Vec<u64>,
}

/// Writes the finished file and renames it, so that readers never see an incomplete one.
///
/// # Errors
/// Why it cannot be written.
pub fn write_solved(header: &SolvedHeader, values: &[f32], path: &Path) -> anyhow::Result<()> {
    let values = values.iter().map(|it| to_16_bits(*it).to_le_bytes());
    write_file(header, 16, &[], values, path)
}

/// Writes a checkpoint in the same way.
///
/// # Errors
/// Why it cannot be written.
pub fn write_checkpoint(
    header: &SolvedHeader,
    state: &SolvingState,
    path: &Path,
) -> anyhow::Result<()> {
    let numbers = [
        u64::from(state.sweeps),
        state.updated as u64,
        u64::from(state.change.to_bits()),
        u64::from(state.last_change.to_bits()),
    ];
    write_file(header, 32, &numbers, state.values.iter().map(|it| it.to_le_bytes()), path)
}

fn write_file<const N: usize>(
    header: &SolvedHeader,
    bits: usize,
    numbers: &[u64],
    values: impl Iterator<Item = [u8; N]>,
    path: &Path,
) -> anyhow::Result<()> {
    let partial = path.with_added_extension("partial");
    let write = || -> std::io::Result<()> {
        let mut file = BufWriter::with_capacity(CHUNK, File::create(&partial)?);
        file.write_all(&[b' '; HEADER])?;
        let mut checksum = Sha256::new();
        let mut chunk = Vec::with_capacity(CHUNK);
        for value in values {
            chunk.extend_from_slice(&value);
            if chunk.len() >= CHUNK {
                checksum.update(&chunk);
                file.write_all(&chunk)?;
                chunk.clear();
            }
        }
        checksum.update(&chunk);
        file.write_all(&chunk)?;
        file.seek(SeekFrom::Start(0))?;
        let mut text = header.lines();
        let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
        let sum = hex::encode(checksum.finalize());
        let _ = write!(text, "bits={bits}\nstate={}\nsha256={sum}\n", numbers.join(" "));
        file.write_all(text.as_bytes())?;
        file.seek(SeekFrom::Start(HEADER as u64 - 1))?;
        file.write_all(b"\n")?;
        file.into_inner()?.sync_all()?;
        std::fs::rename(&partial, path)
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Reads a checkpoint of this solution.
///
/// # Errors
/// When it cannot be read, is damaged or belongs to something else.
pub fn read_checkpoint(header: &SolvedHeader, path: &Path) -> anyhow::Result<SolvingState> {
    let (found, tail, file) = open(header.game, &header.amounts, path)?;
    found.check_same(header, path)?;
    let [sweeps, updated, change, last_change] = tail.numbers[..] else {
        bail!("{} is no checkpoint", path.display());
    };
    let mut values = Vec::with_capacity(header.size * header.size);
    read_values(file, &tail, path, |bytes: [u8; 4]| values.push(f32::from_le_bytes(bytes)))?;
    ensure!(values.len() == header.size * header.size, "{} is damaged", path.display());
    let float = |bits: u64| f32::from_bits(u32::try_from(bits).unwrap_or(u32::MAX));
    Ok(SolvingState {
        values,
        sweeps: u32::try_from(sweeps).unwrap_or(u32::MAX),
        updated: usize::try_from(updated).unwrap_or(usize::MAX),
        change: float(change),
        last_change: float(last_change),
    })
}

/// Reads all values of a finished file.
///
/// # Errors
/// When it cannot be read, is damaged or belongs to another game or revision of the rules.
pub fn read_solved(game: GameId, path: &Path) -> anyhow::Result<(SolvedHeader, Vec<f32>)> {
    let (header, tail, file) = open_finished(game, path)?;
    let mut values = Vec::with_capacity(header.size * header.size);
    read_values(file, &tail, path, |bytes: [u8; 2]| {
        values.push(from_16_bits(u16::from_le_bytes(bytes)));
    })?;
    ensure!(values.len() == header.size * header.size, "{} is damaged", path.display());
    Ok((header, values))
}

/// Opens a finished file: small ones are read, of large ones values are read when they are needed.
///
/// # Errors
/// When it cannot be read, is damaged or belongs to another game or revision of the rules.
pub fn open_solved(game: GameId, path: &Path) -> anyhow::Result<(SolvedHeader, SolvedTable)> {
    let (header, tail, file) = open_finished(game, path)?;
    let size = header.size;
    let count = header.size * header.size;
    let mut values = Vec::new();
    let in_memory = count * 2 <= MEMORY_MAX;
    let mut found = 0usize;
    read_values(file, &tail, path, |bytes: [u8; 2]| {
        found += 1;
        if in_memory {
            values.push(u16::from_le_bytes(bytes));
        }
    })?;
    ensure!(found == count, "{} is damaged", path.display());
    let amounts = header.amounts.iter().map(|it| it.1).collect();
    let values: Arc<dyn SolvedValues> = if in_memory {
        Arc::new(ValuesInMemory { size, values })
    } else {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        Arc::new(ValuesOnDisk { size, file: Mutex::new(file) })
    };
    Ok((header, SolvedTable { amounts, values }))
}

fn open_finished(
    game: GameId,
    path: &Path,
) -> anyhow::Result<(SolvedHeader, FileTail, BufReader<File>)> {
    let info = game.solving().with_context(|| format!("{} cannot be solved", game.info().code))?;
    let opened = open(game, &info.amounts, path)?;
    ensure!(opened.1.bits == 16, "{} is not finished", path.display());
    Ok(opened)
}

/// The values of a large file.
struct ValuesOnDisk {
    size: usize,
    file: Mutex<File>,
}

impl SolvedValues for ValuesOnDisk {
    fn value(&self, row: usize, column: usize) -> Option<f32> {
        let at = row.checked_mul(self.size)?.checked_add(column)?;
        let mut bytes = [0; 2];
        let mut file = self.file.lock();
        file.seek(SeekFrom::Start((HEADER + 2 * at) as u64)).ok()?;
        file.read_exact(&mut bytes).ok()?;
        (row < self.size && column < self.size).then(|| from_16_bits(u16::from_le_bytes(bytes)))
    }
}

/// Reads a header; `names` are those of the amounts.
fn open(
    game: GameId,
    names: &[(&'static str, u64)],
    path: &Path,
) -> anyhow::Result<(SolvedHeader, FileTail, BufReader<File>)> {
    let cannot = || format!("cannot read {}", path.display());
    let mut file = BufReader::with_capacity(CHUNK, File::open(path).with_context(cannot)?);
    let mut bytes = vec![0; HEADER];
    file.read_exact(&mut bytes).with_context(cannot)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let field = |name: &str| {
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        value.unwrap_or_default().to_owned()
    };
    let amounts: Option<Vec<(&'static str, u64)>> = field("amounts")
        .split(", ")
        .map(|part| {
            let (name, value) = part.split_once('=')?;
            let known = names.iter().find(|it| it.0 == name)?;
            Some((known.0, value.parse().ok()?))
        })
        .collect();
    let (Some(amounts), Ok(size), Ok(bits)) =
        (amounts, field("size").parse(), field("bits").parse())
    else {
        bail!("{} is no solution of {}", path.display(), game.info().code);
    };
    let header = SolvedHeader { game, amounts, size };
    ensure!(
        text.starts_with(&header.lines()),
        "{} is of another game, of other rules or of another version",
        path.display()
    );
    let numbers = field("state").split_whitespace().filter_map(|it| it.parse().ok()).collect();
    Ok((header, FileTail { bits, checksum: field("sha256"), numbers }, file))
}

/// Reads all values and compares the checksum.
fn read_values<const N: usize>(
    mut file: impl Read,
    tail: &FileTail,
    path: &Path,
    mut each: impl FnMut([u8; N]),
) -> anyhow::Result<()> {
    ensure!(tail.bits == 8 * N, "{} has values of {} bits", path.display(), tail.bits);
    let mut checksum = Sha256::new();
    let mut bytes = Vec::with_capacity(CHUNK);
    loop {
        bytes.clear();
        let mut chunk = (&mut file).take(CHUNK as u64);
        chunk.read_to_end(&mut bytes).with_context(|| format!("cannot read {}", path.display()))?;
        checksum.update(&bytes);
        bytes.as_chunks::<N>().0.iter().for_each(|it| each(*it));
        if bytes.len() < CHUNK {
            break;
        }
    }
    let is_intact = hex::encode(checksum.finalize()) == tail.checksum;
    ensure!(is_intact, "{} is damaged: its checksum differs", path.display());
    Ok(())
}
