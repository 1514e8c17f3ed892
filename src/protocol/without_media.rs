//! Text fallback for chats that forbid pictures and files.

use super::OutgoingMessage;
use caravanserai_games::text::RichSpan;

/// A message without its picture and file: the alternative text and the content of the file follow
/// as text.
pub fn without_media(message: &OutgoingMessage) -> OutgoingMessage {
    let mut bare = message.clone();
    let mut add = |span: fn(String) -> RichSpan, words: &str| {
        if !words.trim().is_empty() {
            if !bare.text.is_empty() {
                bare.text.0.push(RichSpan::Plain("\n\n".to_owned()));
            }
            bare.text.0.push(span(words.to_owned()));
        }
    };
    if let Some(image) = &message.image {
        add(RichSpan::Plain, &image.alt);
    }
    if let Some(file) = &message.file {
        // The caption of an animation describes it.
        match std::str::from_utf8(&file.bytes) {
            _ if file.animation.is_some() => {}
            Ok(words) => add(RichSpan::Code, words.trim_end()),
            Err(_) => add(RichSpan::Plain, &file.name),
        }
    }
    OutgoingMessage { image: None, file: None, ..bare }
}
