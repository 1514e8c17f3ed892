//! Generates random codes of new tables, links, guests and challenges.

use super::{Repository, TableGuard};
use crate::parsing::words::{NEW_TABLE_CODE_LENGTH, TABLE_CODE_ALPHABET};
use caravanserai_games::ids::TableId;

/// The number of codes that are tried before giving up.
const CODE_TRIES: usize = 20;

impl Repository {
    /// Reserves a new code that no table in memory has. The commit that opens the table proves that
    /// no table in the store has it, see [`Repository::commit_changes`]; on conflict another code
    /// is drawn. Returns `None` if all drawn codes are in use.
    pub fn reserve_new_table(&self) -> Option<TableGuard> {
        (0..CODE_TRIES).find_map(|_| self.reserve_table(&self.new_table_code()))
    }

    /// Draws a code for a table.
    pub fn new_table_code(&self) -> TableId {
        table_code_from(&mut |bytes| self.fill_random(bytes))
    }

    /// Draws this many random letters for a code.
    pub fn random_letters(&self, length: usize) -> String {
        letters_from(length, &mut |bytes| self.fill_random(bytes))
    }
}

/// Makes the code of a table from random bytes.
pub fn table_code_from(random: &mut dyn FnMut(&mut [u8])) -> TableId {
    loop {
        let code = letters_from(NEW_TABLE_CODE_LENGTH, random);
        // A code with a digit is never mistaken for a typed word.
        if code.bytes().any(|it| it.is_ascii_digit()) {
            return TableId(code);
        }
    }
}

/// Makes code letters from random bytes. Bytes that would favour some letters are skipped.
pub fn letters_from(length: usize, random: &mut dyn FnMut(&mut [u8])) -> String {
    let letters = TABLE_CODE_ALPHABET.len();
    let unbiased_below = 256 - 256 % letters;
    let mut word = String::new();
    while word.len() < length {
        let mut byte = [0];
        random(&mut byte);
        if usize::from(byte[0]) < unbiased_below {
            word.push(char::from(TABLE_CODE_ALPHABET[usize::from(byte[0]) % letters]));
        }
    }
    word
}
