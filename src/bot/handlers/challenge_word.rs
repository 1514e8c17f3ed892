//! The word that distinguishes the challenges of one person, and the tables that they share. It
//! also proves when it was posted, and on which terms, because a client can send any callback data.
//!
//! A word is a random part, two letters of the minute and a tag: letters that are derived from the
//! secret of the author, the minute, the random part and the terms. Only the bot knows the secret.
//! The whole minute would make the callback data longer; instead, a check computes the tags of all
//! minutes with these two letters.

use crate::parsing::words::TABLE_CODE_ALPHABET;
use crate::repository::{DAY_MS, MINUTE_MS, Repository, letters_from};
use caravanserai_table::rematch::REMATCH_START_MS;
use caravanserai_table::seed_commitment::DerivedBytes;

/// How long a posted challenge can be accepted, in milliseconds: a month.
pub(super) const CHALLENGE_TTL_MS: u64 = 30 * DAY_MS;

/// The length of the random part, which distinguishes the challenges of one minute.
const RANDOM_LENGTH: usize = 2;

/// The letters of the minute.
const MINUTE_LENGTH: usize = 2;

/// The length of the tag: too long to be guessed while a challenge can be accepted.
const TAG_LENGTH: usize = 6;

/// The length of a word.
const WORD_LENGTH: usize = RANDOM_LENGTH + MINUTE_LENGTH + TAG_LENGTH;

/// The lengths of the words that earlier versions posted; those of the first versions have none.
/// They prove no terms.
const EARLIER_LENGTHS: [usize; 3] = [0, 6, 8];

/// The terms of a challenge to any game with its usual rules.
pub(super) const ANY_GAME_TERMS: &str = "any game";

/// Whether the person who posted a challenge is still expected to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChallengeAge {
    /// It was posted a short time ago.
    Recent,
    /// It was posted long ago, or nothing proves when or on which terms.
    Old,
}

/// Makes the words of the challenges that an author can post now.
pub(super) struct ChallengeWords {
    /// The secret of the author, which is never printed.
    secret: [u8; 32],
    minute: u64,
    random_part: String,
}

impl ChallengeWords {
    pub(super) fn new(repository: &Repository, secret: [u8; 32]) -> Self {
        let random_part = repository.random_letters(RANDOM_LENGTH);
        Self { secret, minute: repository.now_ms() / MINUTE_MS, random_part }
    }

    /// The secret of the author.
    pub(super) fn secret(&self) -> &[u8; 32] {
        &self.secret
    }

    /// The word of a challenge on these terms.
    pub(super) fn word(&self, terms: &str) -> String {
        word_of_minute(&self.secret, self.minute, &self.random_part, terms)
    }
}

/// The age of a challenge with this word, if its author with this secret can have posted it on
/// these terms; `None` if the word or the terms were changed. Challenges of earlier versions count
/// as old, so that no game begins before its author has seen the terms.
pub(super) fn challenge_age(
    secret: Option<&[u8; 32]>,
    word: &str,
    terms: &str,
    now_ms: u64,
) -> Option<ChallengeAge> {
    if EARLIER_LENGTHS.contains(&word.len()) {
        return has_letters_of_words(word).then_some(ChallengeAge::Old);
    }
    let posted_ms = posted_ms(secret?, word, terms, now_ms)?;
    let is_recent = posted_ms >= now_ms.saturating_sub(REMATCH_START_MS);
    Some(if is_recent { ChallengeAge::Recent } else { ChallengeAge::Old })
}

/// When the author with this secret posted this word on these terms, to the minute; `None` if they
/// did not, or too long ago.
pub(super) fn posted_ms(secret: &[u8; 32], word: &str, terms: &str, now_ms: u64) -> Option<u64> {
    if !has_letters_of_words(word) || word.len() != WORD_LENGTH {
        return None;
    }
    let (random_part, rest) = word.split_at_checked(RANDOM_LENGTH)?;
    let (minute_part, _) = rest.split_at_checked(MINUTE_LENGTH)?;
    let first = now_ms.saturating_sub(CHALLENGE_TTL_MS) / MINUTE_MS;
    // The clock of another process may be ahead.
    let last = now_ms / MINUTE_MS + 1;
    let posted = (first..=last)
        .rev()
        .filter(|minute| minute_letters(*minute) == minute_part.as_bytes())
        .find(|minute| word_of_minute(secret, *minute, random_part, terms) == word)?;
    Some(posted * MINUTE_MS)
}

/// Whether a text has no other characters than words.
fn has_letters_of_words(word: &str) -> bool {
    word.bytes().all(|it| TABLE_CODE_ALPHABET.contains(&it))
}

fn word_of_minute(secret: &[u8; 32], minute: u64, random_part: &str, terms: &str) -> String {
    let label = format!("terms {minute} {random_part} {terms}");
    let mut tag_bytes = DerivedBytes::new(secret, &label);
    let tag = letters_from(TAG_LENGTH, &mut |bytes| tag_bytes.fill(bytes));
    let minute_part: String = minute_letters(minute).map(char::from).iter().collect();
    format!("{random_part}{minute_part}{tag}")
}

/// The letters of a minute, which are those of other minutes, too.
fn minute_letters(minute: u64) -> [u8; MINUTE_LENGTH] {
    let letters = TABLE_CODE_ALPHABET.len() as u64;
    let letter = |it: u64| TABLE_CODE_ALPHABET[(it % letters) as usize];
    [letter(minute / letters), letter(minute)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: [u8; 32] = [7; 32];
    const TERMS: &str = "a game.clock=turn-86400";
    const POSTED_MS: u64 = 29_000_000 * MINUTE_MS + 1_234;

    fn word() -> String {
        word_of_minute(&SECRET, POSTED_MS / MINUTE_MS, "bc", TERMS)
    }

    #[test]
    fn a_word_is_recent_for_a_quarter_of_an_hour_and_old_for_a_month() {
        let word = word();
        assert_eq!(word.len(), WORD_LENGTH, "{word}");
        let age = |now_ms| challenge_age(Some(&SECRET), &word, TERMS, now_ms);
        let recent = Some(ChallengeAge::Recent);
        let old = Some(ChallengeAge::Old);
        for (now_ms, expected) in [
            (POSTED_MS, recent),
            (POSTED_MS + REMATCH_START_MS - MINUTE_MS, recent),
            // A clock may be behind.
            (POSTED_MS - MINUTE_MS / 2, recent),
            (POSTED_MS + REMATCH_START_MS, old),
            (POSTED_MS + CHALLENGE_TTL_MS - MINUTE_MS, old),
            (POSTED_MS + CHALLENGE_TTL_MS + MINUTE_MS, None),
        ] {
            assert_eq!(age(now_ms), expected, "{now_ms}");
        }
    }

    #[test]
    fn nobody_else_makes_a_word_and_nobody_changes_its_terms() {
        let word = word();
        let age = |word: &str, terms: &str| challenge_age(Some(&SECRET), word, terms, POSTED_MS);
        assert_eq!(age(&word, TERMS), Some(ChallengeAge::Recent));
        for terms in ["a game.clock=turn-10", "a game.", "another game.clock=turn-86400", ""] {
            assert_eq!(age(&word, terms), None, "{terms}");
        }
        assert_eq!(challenge_age(Some(&[8; 32]), &word, TERMS, POSTED_MS), None);
        assert_eq!(challenge_age(None, &word, TERMS, POSTED_MS), None);
        let random = &word[..2];
        let minute = &word[2..4];
        let tag = &word[4..];
        let other = if random == "bd" { "bf" } else { "bd" };
        for forged in [
            format!("{other}{minute}{tag}"),
            format!("{random}22{tag}x"),
            format!("{random}{minute}"),
            format!("{random} 1 {minute}{tag}"),
            "жжж".to_owned(),
            "жжжж".to_owned(),
        ] {
            assert_eq!(age(&forged, TERMS), None, "{forged}");
        }
    }

    #[test]
    fn a_challenge_of_an_earlier_version_is_old() {
        for word in ["", "bcdfgh", "bcdfghjk"] {
            let age = challenge_age(Some(&SECRET), word, TERMS, POSTED_MS);
            assert_eq!(age, Some(ChallengeAge::Old), "{word}");
            assert_eq!(challenge_age(None, word, TERMS, POSTED_MS), Some(ChallengeAge::Old));
        }
    }
}
