//! Serves the web page, which is built into the program.

use std::sync::LazyLock;

use axum::{
    Router,
    body::Bytes,
    http::{HeaderMap, StatusCode, Uri, header},
    response::{IntoResponse, Response},
    routing::get,
};
use sha2::{Digest, Sha256};

use super::document_pages;
use caravanserai_i18n::webchat_page_scripts;

/// The path of all files except the pages.
pub const ASSETS_PATH: &str = "/web/";
/// The page of a user who has signed in from another platform.
pub const BOARD_PATH: &str = "/board";

/// The service worker, which keeps the page for use without a connection. It lies beside the page
/// because its scope is only what lies below it.
const WORKER_PATH: &str = "/worker.js";

/// The MIME type of pages.
pub(super) const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

macro_rules! file {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../templates/web/", $name))
    };
}

/// All styles in one file; later ones override earlier ones.
const STYLES: &str = concat!(
    file!("style.css"),
    file!("chat.css"),
    file!("table.css"),
    file!("composer.css"),
    file!("dialogs.css"),
);

/// Path, MIME type and content of each file.
static FILES: [(&str, &str, &str); 34] = [
    ("/", HTML, file!("index.html")),
    (BOARD_PATH, HTML, file!("guest.html")),
    ("/api", HTML, file!("api.html")),
    // One file, because every response has the cost of its headers.
    ("/web/page.css", CSS, STYLES),
    ("/web/paper.css", CSS, file!("paper.css")),
    ("/web/look.css", CSS, file!("look.css")),
    ("/web/guest.css", CSS, file!("guest.css")),
    ("/web/guest.js", JS, file!("guest.js")),
    ("/web/telegram.js", JS, file!("telegram.js")),
    ("/web/discord.js", JS, file!("discord.js")),
    ("/web/app.js", JS, file!("app.js")),
    ("/web/look.js", JS, file!("look.js")),
    ("/web/look-parts.js", JS, file!("look-parts.js")),
    ("/web/looks.js", JS, file!("looks.js")),
    ("/web/marks.js", JS, file!("marks.js")),
    ("/web/replay.js", JS, file!("replay.js")),
    ("/web/board.js", JS, file!("board.js")),
    ("/web/pointing.js", JS, file!("pointing.js")),
    ("/web/picture.js", JS, file!("picture.js")),
    ("/web/tables.js", JS, file!("tables.js")),
    ("/web/frame.js", JS, file!("frame.js")),
    ("/web/api.js", JS, file!("api.js")),
    ("/web/rooms.js", JS, file!("rooms.js")),
    ("/web/messages.js", JS, file!("messages.js")),
    ("/web/composer.js", JS, file!("composer.js")),
    ("/web/dialogs.js", JS, file!("dialogs.js")),
    ("/web/dom.js", JS, file!("dom.js")),
    ("/web/words.js", JS, file!("words.js")),
    ("/web/keys.js", JS, file!("keys.js")),
    ("/web/signals.js", JS, file!("signals.js")),
    ("/web/offline.js", JS, file!("offline.js")),
    ("/web/icon.svg", SVG, file!("icon.svg")),
    ("/web/icon-turn.svg", SVG, file!("icon-turn.svg")),
    (WORKER_PATH, JS, file!("worker/worker.js")),
];

/// The texts of the page, a module for each language.
static PAGE_WORDS: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    webchat_page_scripts()
        .into_iter()
        .map(|(name, text)| (format!("{ASSETS_PATH}{name}"), text))
        .collect()
});

/// The files minified: the code for developers is as large as an image.
static MINIFIED: LazyLock<Vec<String>> =
    LazyLock::new(|| FILES.iter().map(|(_, kind, text)| minify(kind, text)).collect());

/// Removes indentation, comments on lines of their own, and types. Multi-line strings in the
/// modules do not depend on indentation.
fn minify(kind: &str, text: &str) -> String {
    if kind != JS && kind != CSS {
        return text.to_owned();
    }
    let mut lean = String::with_capacity(text.len());
    let mut in_comment = false;
    for line in text.lines().map(str::trim) {
        if in_comment || line.starts_with("/*") && !line.contains("*/ ") {
            in_comment = !line.ends_with("*/");
        } else if !(line.is_empty() || kind == JS && line.starts_with("//")) {
            strip_types(line, &mut lean);
            lean.push('\n');
        }
    }
    lean
}

/// Removes JSDoc types from a line; they are only for the type checker.
fn strip_types(line: &str, lean: &mut String) {
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("/** @") {
        lean.push_str(before);
        rest = after.split_once("*/").map_or("", |it| it.1.trim_start());
    }
    lean.push_str(rest);
}

/// Iterates over all files, including the generated ones.
fn files() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let files = FILES.iter().zip(MINIFIED.iter()).map(|(it, text)| (it.0, it.1, text.as_str()));
    files.chain(PAGE_WORDS.iter().map(|(path, text)| (path.as_str(), JS, text.as_str())))
}

/// Builds the routes of the page. The pages refer to all other files by paths that change with
/// every version, so that a browser fetches nothing twice; the files also exist under their plain
/// names.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let version = assets_version();
    let named = format!("\"{ASSETS_PATH}{version}/");
    let link_assets = |page: &str| page.replace(&format!("\"{ASSETS_PATH}"), &named);
    let (mut pages, mut board) = (Vec::new(), Bytes::new());
    let mut router = document_pages::router(link_assets);
    for (path, kind, text) in files() {
        let page = kind == HTML;
        let text: Bytes = match path {
            _ if page => link_assets(text).into(),
            WORKER_PATH => format!("{}{text}", service_worker(&version)).into(),
            _ => Bytes::from_static(text.as_bytes()),
        };
        if let Some(name) = path.strip_prefix(ASSETS_PATH) {
            let body = text.clone();
            let path = format!("{ASSETS_PATH}{version}/{name}");
            router =
                router.route(&path, get(move || async move { immutable_response(kind, body) }));
        }
        if path == BOARD_PATH {
            board.clone_from(&text);
        }
        pages.push((path, kind, text));
    }
    for (path, kind, text) in pages {
        let (mark, board) = (format!("\"{version}\""), board.clone());
        let shown = move |uri: Uri, headers: HeaderMap| async move {
            let text = if path == "/" && is_activity(&uri) { board } else { text };
            revalidated_response(kind, text, &mark, &headers)
        };
        router = router.route(path, get(shown));
    }
    router
}

/// Whether Discord opens this URL as an Activity: it opens the start page and adds the id of its
/// frame.
pub fn is_activity(uri: &Uri) -> bool {
    let names = |query: &str| query.split('&').any(|it| it.starts_with("frame_id="));
    uri.path() == "/" && uri.query().is_some_and(names)
}

/// Builds the service worker with this version and the list of the page's files in every language.
fn service_worker(version: &str) -> String {
    let named = files().filter_map(|it| it.0.strip_prefix(ASSETS_PATH));
    let common = named.filter(|it| !it.starts_with("words-"));
    let all: Vec<String> = common.map(|it| format!("{ASSETS_PATH}{version}/{it}")).collect();
    format!("const VERSION = {:?};\nconst FILES = {:?};\n", version, all)
}

/// Returns the hash of all files together.
fn assets_version() -> String {
    let mut all = Sha256::new();
    for (path, _, text) in files() {
        all.update(path);
        all.update(text);
    }
    hex::encode(&all.finalize()[..8])
}

/// Returns a response for a file whose path contains its version.
fn immutable_response(kind: &'static str, text: Bytes) -> Response {
    let kept = "public, max-age=31536000, immutable";
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, kept)], text).into_response()
}

/// Returns a response for a file that the browser must revalidate each time.
pub(super) fn revalidated_response(
    kind: &'static str,
    text: Bytes,
    mark: &str,
    headers: &HeaderMap,
) -> Response {
    let about = [(header::ETAG, mark), (header::CACHE_CONTROL, "no-cache")];
    let known = headers.get(header::IF_NONE_MATCH).and_then(|it| it.to_str().ok());
    let same = |it: &str| it.trim().trim_start_matches("W/") == mark;
    if known.is_some_and(|it| it.split(',').any(same)) {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    (about, [(header::CONTENT_TYPE, kind)], text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_types_stay_at_home() {
        let text = "// What for.\n\n/**\n * @param {string} a\n */\nfunction f(a) {\n  \
                    /** @type {Key[]} */\n  const b = /** @type {Key[]} */ (a); // so\n  \
                    return g(/** @type {X} */ a, /** @type {Y} */ b);\n}\n\
                    /** @type {X} */ (a).b = 1;\n";
        let wanted = "function f(a) {\nconst b = (a); // so\nreturn g(a, b);\n}\n(a).b = 1;\n";
        assert_eq!(minify(JS, text), wanted);
        assert_eq!(minify(CSS, "/* a\nb */\n  p {}\n"), "p {}\n");
    }
}
