//! Reads responses of foreign servers up to a limit and shortens their texts for logs.

use reqwest::Response;

/// The longest foreign text in a log or an error, in characters.
pub const LOG_TEXT_MAX: usize = 200;

/// Why a response body was not read.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// The body is longer than any valid response.
    #[error("the response is longer than {0} bytes")]
    TooLong(usize),
    /// The connection failed while the body was read.
    #[error("{}", error_cause(.0))]
    Lost(reqwest::Error),
}

/// Reads a response body of at most `most` bytes; stops reading at the first byte beyond.
///
/// # Errors
/// A longer body, or a connection that fails.
pub async fn read_body(mut response: Response, max_bytes: usize) -> Result<Vec<u8>, BodyError> {
    let declared = response.content_length().unwrap_or_default();
    if usize::try_from(declared).unwrap_or(usize::MAX) > max_bytes {
        return Err(BodyError::TooLong(max_bytes));
    }
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(BodyError::Lost)? {
        if body.len() + piece.len() > max_bytes {
            return Err(BodyError::TooLong(max_bytes));
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

/// Returns the kind and the cause of a failed request. Never its address, which may contain a
/// secret.
pub fn error_cause(error: &reqwest::Error) -> String {
    let kind = if error.is_timeout() { "timed out" } else { "connection failed" };
    let mut cause = std::error::Error::source(error);
    // The innermost cause is the most specific one.
    while let Some(inner) = cause.and_then(std::error::Error::source) {
        cause = Some(inner);
    }
    shorten_for_log(&cause.map_or_else(|| kind.to_owned(), |it| format!("{kind}: {it}")))
}

/// Makes a foreign text one line of at most [`LOG_TEXT_MAX`] characters.
pub fn shorten_for_log(text: &str) -> String {
    let mut line: String =
        text.chars().take(LOG_TEXT_MAX).map(|it| if it.is_control() { ' ' } else { it }).collect();
    if text.chars().nth(LOG_TEXT_MAX).is_some() {
        line.pop();
        line.push('…');
    }
    line
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
