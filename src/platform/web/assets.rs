//! The page, built into the program.

use std::sync::LazyLock;

use axum::{
    Router,
    http::header,
    response::{IntoResponse, Response},
    routing::get,
};

use crate::i18n::page_words;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

macro_rules! file {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/templates/web/", $name))
    };
}

/// Address, kind, contents.
const FILES: [(&str, &str, &str); 15] = [
    ("/", HTML, file!("index.html")),
    ("/api", HTML, file!("api.html")),
    ("/web/style.css", CSS, file!("style.css")),
    ("/web/chat.css", CSS, file!("chat.css")),
    ("/web/composer.css", CSS, file!("composer.css")),
    ("/web/dialogs.css", CSS, file!("dialogs.css")),
    ("/web/app.js", JS, file!("app.js")),
    ("/web/frame.js", JS, file!("frame.js")),
    ("/web/api.js", JS, file!("api.js")),
    ("/web/rooms.js", JS, file!("rooms.js")),
    ("/web/messages.js", JS, file!("messages.js")),
    ("/web/composer.js", JS, file!("composer.js")),
    ("/web/dialogs.js", JS, file!("dialogs.js")),
    ("/web/words.js", JS, file!("words.js")),
    ("/web/icon.svg", SVG, file!("icon.svg")),
];

/// What the page says, in all languages.
static PAGE_WORDS: LazyLock<String> = LazyLock::new(page_words);

/// Routes of the page.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let words = get(async || answer(JS, &PAGE_WORDS));
    let router = Router::new().route("/web/languages.js", words);
    FILES.into_iter().fold(router, |router, (path, kind, text)| {
        router.route(path, get(move || async move { answer(kind, text) }))
    })
}

fn answer(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], text).into_response()
}
