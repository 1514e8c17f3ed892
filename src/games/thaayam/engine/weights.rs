//! Reads and writes the file of weights: the networks in order, without rows that are all 0, every
//! number in 16 bits.

use super::inputs::ROWS;
use super::net::{HIDDEN, Nets, WIDTH};

/// The first bytes of the file; the last one increases when the format changes.
const MARK: &[u8; 8] = b"thaayam1";

/// The resolution of stored numbers.
const STEP: f32 = 1.0 / 4096.0;

impl Nets {
    /// The bytes of a file of weights.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MARK.to_vec();
        for net in &self.0 {
            let used: Vec<usize> = (0..ROWS).filter(|row| is_used(&net.rows[*row])).collect();
            push(&mut bytes, used.len() as i16);
            for row in used {
                push(&mut bytes, row as i16);
                push_all(&mut bytes, &net.rows[row]);
            }
            push_all(&mut bytes, &net.bias);
            net.out.iter().for_each(|out| push_all(&mut bytes, out));
        }
        bytes
    }

    /// Reads what [`Nets::write`] writes.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut numbers = bytes.strip_prefix(MARK)?.chunks_exact(2);
        let mut next = || Some(i16::from_le_bytes(numbers.next()?.try_into().ok()?));
        let mut nets = Self::zero();
        for net in &mut nets.0 {
            for _ in 0..next()? {
                let row = net.rows.get_mut(usize::try_from(next()?).ok()?)?;
                pull_all(&mut next, row)?;
            }
            pull_all(&mut next, &mut net.bias)?;
            for out in &mut net.out {
                pull_all::<HIDDEN>(&mut next, out)?;
            }
        }
        next().is_none().then_some(nets)
    }
}

fn is_used(row: &[f32; WIDTH]) -> bool {
    row.iter().any(|it| it.abs() >= STEP / 2.0)
}

fn push(bytes: &mut Vec<u8>, number: i16) {
    bytes.extend_from_slice(&number.to_le_bytes());
}

fn push_all(bytes: &mut Vec<u8>, numbers: &[f32]) {
    // Numbers beyond the range are clamped.
    numbers.iter().for_each(|it| push(bytes, (it / STEP).round() as i16));
}

fn pull_all<const N: usize>(
    next: &mut impl FnMut() -> Option<i16>,
    numbers: &mut [f32; N],
) -> Option<()> {
    for number in numbers {
        *number = f32::from(next()?) * STEP;
    }
    Some(())
}
