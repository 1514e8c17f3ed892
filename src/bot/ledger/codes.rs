//! Draws random codes: of new tables, links, guests and challenges.

use super::{Held, Ledger};
use caravanserai_games::ids::TableId;
use caravanserai_protocol::request::{CODE_LETTERS, NEW_CODE_LENGTH};

/// How many codes are drawn before giving up.
const TRIES: usize = 20;

impl Ledger {
    /// Reserves a new code that no table in memory has. The commit that opens the table proves
    /// that no table in the store has it, see [`Ledger::enter`]; on conflict another one is drawn.
    /// `None` if all that were drawn are in use.
    pub fn hold_new(&self) -> Option<Held> {
        (0..TRIES).find_map(|_| self.reserve(&self.new_code()))
    }

    /// Draws a code for a table.
    pub fn new_code(&self) -> TableId {
        code_of(&mut |bytes| self.random(bytes))
    }

    /// Draws so many random letters of codes.
    pub fn word(&self, length: usize) -> String {
        word_of(length, &mut |bytes| self.random(bytes))
    }
}

/// Makes the code of a table from random bytes.
pub fn code_of(random: &mut dyn FnMut(&mut [u8])) -> TableId {
    loop {
        let code = word_of(NEW_CODE_LENGTH, random);
        // A code with a digit is never mistaken for a typed word.
        if code.bytes().any(|it| it.is_ascii_digit()) {
            return TableId(code);
        }
    }
}

/// Makes letters of codes from random bytes, without the bytes that would favour some letters.
fn word_of(length: usize, random: &mut dyn FnMut(&mut [u8])) -> String {
    let letters = CODE_LETTERS.len();
    let fair = 256 - 256 % letters;
    let mut word = String::new();
    while word.len() < length {
        let mut byte = [0];
        random(&mut byte);
        if usize::from(byte[0]) < fair {
            word.push(char::from(CODE_LETTERS[usize::from(byte[0]) % letters]));
        }
    }
    word
}
