//! Where pictures and files are forbidden, what would have been one is said in words.

use super::Outgoing;
use caravanserai_games::words::Span;

/// A message without its picture and file: what the picture shows and what stands in the file
/// follow as words.
pub fn without_media(message: &Outgoing) -> Outgoing {
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
