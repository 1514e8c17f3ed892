//! Chats that forbid pictures and files: what would have been one is said in words.

use super::api::CallError;
use crate::chat::Outgoing;
use crate::words::Span;

/// Whether the chat forbids this kind of medium, but not words.
pub(super) fn media_forbidden(error: &CallError) -> bool {
    const KINDS: [&str; 9] = [
        "not enough rights to send photos",
        "not enough rights to send media",
        "not enough rights to send documents",
        "not enough rights to send files",
        "not enough rights to send animations",
        "CHAT_SEND_PHOTOS_FORBIDDEN",
        "CHAT_SEND_MEDIA_FORBIDDEN",
        "CHAT_SEND_DOCS_FORBIDDEN",
        "CHAT_SEND_GIFS_FORBIDDEN",
    ];
    error.code().is_some_and(|code| code == 400 || code == 403)
        && KINDS.iter().any(|it| error.says(it))
}

/// The same without picture and file: what the picture shows and what stands in the file follow
/// as words.
pub(super) fn without_media(message: &Outgoing) -> Outgoing {
    let mut bare = message.clone();
    let mut add = |span: fn(String) -> Span, words: &str| {
        if !words.trim().is_empty() {
            if !bare.text.is_empty() {
                bare.text.0.push(Span::Plain("\n\n".to_owned()));
            }
            bare.text.0.push(span(words.to_owned()));
        }
    };
    if let Some(image) = &message.image {
        add(Span::Plain, &image.alt);
    }
    if let Some(file) = &message.file {
        // What a moving picture tells stands in its caption.
        match std::str::from_utf8(&file.bytes) {
            _ if file.animation.is_some() => {}
            Ok(words) => add(Span::Code, words.trim_end()),
            Err(_) => add(Span::Plain, &file.name),
        }
    }
    Outgoing { image: None, file: None, ..bare }
}
