//! Answers of servers that are not ours: read up to a limit, and never put whole into a log.

use reqwest::Response;

/// The longest foreign text that a log or an error holds, in characters.
pub const LOG_TEXT_MAX: usize = 200;

/// Why the body of an answer was not read.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// It is longer than anything that could be meant.
    #[error("the answer is longer than {0} bytes")]
    TooLong(usize),
    /// The connection failed on the way.
    #[error("{}", error_cause(.0))]
    Lost(reqwest::Error),
}

/// Reads the body of an answer that may have so many bytes; stops reading at the first too many.
///
/// # Errors
/// A longer body, or a connection that fails.
pub async fn read_body(mut answer: Response, most: usize) -> Result<Vec<u8>, BodyError> {
    let declared = answer.content_length().unwrap_or_default();
    if usize::try_from(declared).unwrap_or(usize::MAX) > most {
        return Err(BodyError::TooLong(most));
    }
    let mut body = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(BodyError::Lost)? {
        if body.len() + piece.len() > most {
            return Err(BodyError::TooLong(most));
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

/// The kind and the cause of a failed request. Never its address, which may hold a secret.
pub fn error_cause(error: &reqwest::Error) -> String {
    let kind = if error.is_timeout() { "no answer in time" } else { "connection failed" };
    let mut cause = std::error::Error::source(error);
    // The innermost cause says most.
    while let Some(inner) = cause.and_then(std::error::Error::source) {
        cause = Some(inner);
    }
    shorten_for_log(&cause.map_or_else(|| kind.to_owned(), |it| format!("{kind}: {it}")))
}

/// A foreign text in one line, as long as a log stands it.
pub fn shorten_for_log(text: &str) -> String {
    let mut line: String =
        text.chars().take(LOG_TEXT_MAX).map(|it| if it.is_control() { ' ' } else { it }).collect();
    if text.chars().nth(LOG_TEXT_MAX).is_some() {
        line.pop();
        line.push('…');
    }
    line
}

/// Bytes that are told as hexadecimal digits; `None` where anything else is told.
pub fn decode_hex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    let byte = |pair: &[u8]| {
        let pair = std::str::from_utf8(pair).ok().filter(|it| it.len() == 2)?;
        pair.bytes().all(|it| it.is_ascii_hexdigit()).then(|| u8::from_str_radix(pair, 16).ok())?
    };
    pairs.map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_texts_are_one_short_line() {
        assert_eq!(shorten_for_log("two\nlines"), "two lines");
        let long = shorten_for_log(&"ы".repeat(5_000));
        assert_eq!(long.chars().count(), LOG_TEXT_MAX);
        assert!(long.ends_with("ы…"));
    }
}
