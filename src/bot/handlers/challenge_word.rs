//! The word that distinguishes the challenges of one person. It also proves when a challenge was
//! posted, because a client can send any callback data.
//!
//! A word is a random part and a tag: letters that are derived from the secret of the author, the
//! minute and the random part. Only the bot knows the secret. The minute itself is not in the word,
//! which would make the callback data longer: a check computes the tags of all recent minutes.

use crate::repository::{MINUTE_MS, Repository, letters_from};
use caravanserai_table::seed_commitment::DerivedBytes;

/// The length of the random part, which distinguishes the challenges of one minute.
const RANDOM_LENGTH: usize = 2;

/// The length of the tag. A guess opens a lobby in the message, which cannot be pressed again.
const TAG_LENGTH: usize = 6;

/// A word for a challenge that its author posts now.
pub(super) fn new_challenge_word(repository: &Repository, secret: &[u8; 32]) -> String {
    let random_part = repository.random_letters(RANDOM_LENGTH);
    word_of_minute(secret, repository.now_ms() / MINUTE_MS, &random_part)
}

/// Whether this can be the word of a challenge, which has only letters and digits: from any other
/// text the bytes of a tag could be derived like a seed.
pub(super) fn is_challenge_word(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|it| it.is_ascii_alphanumeric())
}

/// Whether the author with this secret has posted the challenge with this word at most so many
/// milliseconds before. Words of earlier versions have no tag.
pub(super) fn was_posted_within(secret: &[u8; 32], word: &str, now_ms: u64, age_ms: u64) -> bool {
    let Some((random_part, _)) = word.split_at_checked(RANDOM_LENGTH) else { return false };
    let first = now_ms.saturating_sub(age_ms).div_ceil(MINUTE_MS);
    // The clock of another process may be ahead.
    let last = now_ms / MINUTE_MS + 1;
    (first..=last).any(|minute| word_of_minute(secret, minute, random_part) == word)
}

fn word_of_minute(secret: &[u8; 32], minute: u64, random_part: &str) -> String {
    let label = format!("posted {minute} {random_part}");
    let mut tag_bytes = DerivedBytes::new(secret, &label);
    let tag = letters_from(TAG_LENGTH, &mut |bytes| tag_bytes.fill(bytes));
    format!("{random_part}{tag}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: [u8; 32] = [7; 32];
    const AGE_MS: u64 = 15 * MINUTE_MS;

    #[test]
    fn a_word_is_recent_for_as_long_as_asked_and_no_longer() {
        let posted_ms = 29_000_000 * MINUTE_MS + 1_234;
        let word = word_of_minute(&SECRET, posted_ms / MINUTE_MS, "bc");
        assert!(is_challenge_word(&word), "{word}");
        let is_recent = |now_ms| was_posted_within(&SECRET, &word, now_ms, AGE_MS);
        assert!(is_recent(posted_ms) && is_recent(posted_ms + AGE_MS - MINUTE_MS));
        assert!(is_recent(posted_ms - MINUTE_MS / 2), "a clock may be behind");
        assert!(!is_recent(posted_ms + AGE_MS));
        assert!(!is_recent(posted_ms + 30 * 24 * 60 * MINUTE_MS));
    }

    #[test]
    fn nobody_else_makes_a_word_that_is_recent() {
        let now_ms = 29_000_000 * MINUTE_MS;
        let word = word_of_minute(&SECRET, now_ms / MINUTE_MS, "bc");
        let is_recent = |word: &str| was_posted_within(&SECRET, word, now_ms, AGE_MS);
        assert!(is_recent(&word));
        assert!(!was_posted_within(&[8; 32], &word, now_ms, AGE_MS));
        // Another random part, the words of earlier versions, and none.
        let other = format!("bd{}", &word[2..]);
        for forged in [&*other, "bcdfgh", "b", "", "жжж"] {
            assert!(!is_recent(forged), "{forged}");
        }
        assert!(!is_challenge_word("posted 29000000 bc") && !is_challenge_word(""));
    }
}
