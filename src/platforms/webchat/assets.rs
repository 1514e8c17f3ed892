//! Serves the web page, which is built into the program.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use axum::{
    Router,
    body::Bytes,
    extract::Path,
    http::{HeaderMap, StatusCode, Uri, header},
    response::{IntoResponse, Response},
    routing::get,
};
use rust_embed::RustEmbed;
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
/// Browsers read modules and workers as UTF-8 without being asked to.
const JS: &str = "text/javascript";
const SVG: &str = "image/svg+xml";
const PNG: &str = "image/png";
const MANIFEST: &str = "application/manifest+json";

/// Styles that are one file, because every response has the cost of its headers; later ones
/// override earlier ones.
const PAGE_STYLES: [&str; 5] =
    ["style.css", "chat.css", "table.css", "composer.css", "dialogs.css"];

/// The module into which the generated list of languages is put, because every request of the first
/// view costs time.
const WORDS_MODULE: &str = "words.js";

/// The generated list of languages.
const LANGUAGES_MODULE: &str = "languages.js";

/// The icons for home screens that take no SVG, with the paths at which they are served: devices
/// look for the first one there by themselves.
const ICONS: [(&str, &str); 2] =
    [("icon-180.png", "/apple-touch-icon.png"), ("icon-512.png", "/icon-512.png")];

/// The layout of the documents. It is filled in before it is served.
const DOCUMENT_TEMPLATE: &str = "document.html";

/// The folder of the page.
#[derive(RustEmbed)]
#[folder = "../../../templates/web"]
struct PageFolder;

impl PageFolder {
    fn bytes(name: &str) -> Bytes {
        let file = Self::get(name).unwrap_or_else(|| panic!("templates/web/{name} is missing"));
        file.data.into_owned().into()
    }

    fn text(name: &str) -> String {
        String::from_utf8(Self::bytes(name).into()).expect("files of the page are text")
    }
}

/// Returns the layout of the documents.
pub(super) fn document_template() -> String {
    PageFolder::text(DOCUMENT_TEMPLATE)
}

/// A file of the page.
struct Asset {
    path: String,
    kind: &'static str,
    text: String,
}

/// All files, including the generated ones.
static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let is_merged = |name: &str| name == WORDS_MODULE || PAGE_STYLES.contains(&name);
    let is_served = |name: &str| name != DOCUMENT_TEMPLATE && !is_merged(name);
    let files = PageFolder::iter().filter(|it| is_served(it)).filter_map(|name| {
        let kind = mime_type(&name)?;
        // The code for developers is as large as an image.
        Some(Asset { path: asset_path(&name), kind, text: minify(kind, &PageFolder::text(&name)) })
    });
    let styles = PAGE_STYLES.map(PageFolder::text).concat();
    let styles = Asset { path: asset_path("page.css"), kind: CSS, text: minify(CSS, &styles) };
    // The texts of the page, a module for each language, and the list of languages.
    let scripts = webchat_page_scripts();
    let languages = scripts.iter().find(|it| it.0 == LANGUAGES_MODULE);
    let languages = languages.map_or("", |it| it.1.as_str());
    let words = minify(JS, &with_languages(&PageFolder::text(WORDS_MODULE), languages));
    let words = Asset { path: asset_path(WORDS_MODULE), kind: JS, text: words };
    let texts =
        scripts.into_iter().map(|(name, text)| Asset { path: asset_path(&name), kind: JS, text });
    files.chain([styles, words]).chain(texts).collect()
});

/// Returns the MIME type of a file; `None` if it is only for developers.
fn mime_type(name: &str) -> Option<&'static str> {
    match name.rsplit_once('.')?.1 {
        "html" => Some(HTML),
        "css" => Some(CSS),
        "js" => Some(JS),
        "svg" => Some(SVG),
        "webmanifest" => Some(MANIFEST),
        _ => None,
    }
}

/// Returns the path under which a file of the folder is served.
fn asset_path(name: &str) -> String {
    match name {
        "index.html" => "/".to_owned(),
        "guest.html" => BOARD_PATH.to_owned(),
        "api.html" => "/api".to_owned(),
        "worker/worker.js" => WORKER_PATH.to_owned(),
        _ => format!("{ASSETS_PATH}{name}"),
    }
}

/// Puts the list of languages into a module in place of its imports from there.
fn with_languages(module: &str, languages: &str) -> String {
    let source = format!(" from \"./{LANGUAGES_MODULE}\";");
    let lines = module.lines().filter(|it| !it.ends_with(&source));
    let lines: String = lines.flat_map(|it| [it, "\n"]).collect();
    format!("{languages}{lines}")
}

/// The operators of scripts around which no space is served, and braces. No string of a script has
/// one of them with spaces around it.
const OPERATORS: [&str; 12] =
    [" = ", " === ", " !== ", " => ", " && ", " || ", " ?? ", " ? ", " : ", ") {", "{ ", " }"];

/// Removes indentation, ends of lines that separate nothing, spaces around operators of scripts,
/// comments on lines of their own, and types. Multi-line strings in the modules and pages without
/// preformatted text do not depend on indentation.
fn minify(kind: &str, text: &str) -> String {
    if kind == HTML && !text.contains("<pre") {
        return text.lines().flat_map(|it| [it.trim_start(), "\n"]).collect();
    }
    if kind != JS && kind != CSS {
        return text.to_owned();
    }
    let mut lean = String::with_capacity(text.len());
    let mut in_comment = false;
    for line in text.lines().map(str::trim) {
        if in_comment || line.starts_with("/*") && !line.contains("*/ ") {
            in_comment = !line.ends_with("*/");
        } else if !(line.is_empty() || kind == JS && line.starts_with("//")) {
            match kind {
                JS => strip_types(&without_spaces(line), &mut lean),
                _ => lean.push_str(&without_style_spaces(line)),
            }
            // A comment at the end of a line ends with it.
            let is_joined = lean.ends_with(['{', ',', '(', '[', ';']) && !line.contains("//");
            if !is_joined {
                lean.push('\n');
            }
        }
    }
    lean
}

/// Removes the spaces around the operators of a line, and those after commas if it has neither a
/// string nor a part of one.
fn without_spaces(line: &str) -> String {
    let lean =
        OPERATORS.iter().fold(line.to_owned(), |line, it| line.replace(it, &it.replace(' ', "")));
    match line.contains(['"', '\'', '`', '<']) {
        true => lean,
        false => lean.replace(", ", ","),
    }
}

/// Removes the spaces after colons and commas and before blocks from a line of a style sheet,
/// unless it has a string.
fn without_style_spaces(line: &str) -> String {
    match line.contains(['"', '\'']) {
        true => line.to_owned(),
        false => line.replace(": ", ":").replace(", ", ",").replace(" {", "{"),
    }
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

/// Builds the routes of the page. The pages refer to all other files by paths that change with
/// every version, so that a browser fetches nothing twice; the files also exist under their plain
/// names.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let version = assets_version();
    let named = format!("\"{ASSETS_PATH}{version}/");
    let link_assets = |page: &str| page.replace(&format!("\"{ASSETS_PATH}"), &named);
    let mut pages = Vec::new();
    let mut board = Bytes::new();
    let mut router = document_pages::router(link_assets).merge(other_versions());
    for Asset { path, kind, text } in ASSETS.iter() {
        let path = path.as_str();
        let kind = *kind;
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
    for (name, path) in ICONS {
        let icon = PageFolder::bytes(name);
        let shown = move || async move {
            let about = [(header::CONTENT_TYPE, PNG), (header::CACHE_CONTROL, "max-age=86400")];
            (about, icon).into_response()
        };
        router = router.route(path, get(shown));
    }
    for (path, kind, text) in pages {
        let mark = format!("\"{version}\"");
        let board = board.clone();
        let shown = move |uri: Uri, headers: HeaderMap| async move {
            let text = if path == "/" && is_activity(&uri) { board } else { text };
            revalidated_response(kind, text, &mark, &headers)
        };
        router = router.route(path, get(shown));
    }
    router
}

/// Serves the current files under the paths of other versions: a page that is open during an
/// upgrade still loads some, and beside a replica of another version any page does. Nothing may
/// keep such an answer, because the path belongs to another content.
fn other_versions<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let named = ASSETS.iter().filter_map(|it| Some((it.path.strip_prefix(ASSETS_PATH)?, it)));
    let named: Arc<HashMap<&str, &Asset>> = Arc::new(named.collect());
    let current = move |Path((_, name)): Path<(String, String)>| async move {
        let Some(asset) = named.get(name.as_str()) else {
            return StatusCode::NOT_FOUND.into_response();
        };
        let about = [(header::CONTENT_TYPE, asset.kind), (header::CACHE_CONTROL, "no-store")];
        (about, Bytes::from_static(asset.text.as_bytes())).into_response()
    };
    Router::new().route(&format!("{ASSETS_PATH}{{version}}/{{name}}"), get(current))
}

/// Whether Discord opens this URL as an Activity: it opens the start page and adds the id of its
/// frame.
pub fn is_activity(uri: &Uri) -> bool {
    let names = |query: &str| query.split('&').any(|it| it.starts_with("frame_id="));
    uri.path() == "/" && uri.query().is_some_and(names)
}

/// Builds the service worker with this version and the list of the page's files in every language.
fn service_worker(version: &str) -> String {
    let named = ASSETS.iter().filter_map(|it| it.path.strip_prefix(ASSETS_PATH));
    let common = named.filter(|it| !it.starts_with("words-"));
    let all: Vec<String> = common.map(|it| format!("{ASSETS_PATH}{version}/{it}")).collect();
    format!("const VERSION = {:?};\nconst FILES = {:?};\n", version, all)
}

/// The length of the version of the page's files, in bytes: enough to tell versions apart, and each
/// answer names it.
const VERSION_BYTES: usize = 6;

/// Returns the hash of all files together.
fn assets_version() -> String {
    let mut all = Sha256::new();
    for asset in ASSETS.iter() {
        all.update(&asset.path);
        all.update(&asset.text);
    }
    hex::encode(&all.finalize()[..VERSION_BYTES])
}

/// Returns a response for a file whose path contains its version.
fn immutable_response(kind: &'static str, text: Bytes) -> Response {
    let kept = "max-age=31536000, immutable";
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
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn comments_and_types_stay_at_home() {
        let text = "// What for.\n\n/**\n * @param {string} a\n */\nfunction f(a) {\n  \
                    /** @type {Key[]} */\n  const b = /** @type {Key[]} */ (a); // so\n  \
                    return g(/** @type {X} */ a, /** @type {Y} */ b);\n}\n\
                    /** @type {X} */ (a).b = 1;\n";
        let wanted = "function f(a){const b=(a); // so\nreturn g(a,b);}\n(a).b=1;";
        assert_eq!(minify(JS, text), wanted);
        assert_eq!(minify(CSS, "/* a\nb */\n  p {}\n"), "p{}\n");
        let style = "a, b {\n  c: 0.5em calc(0.1em + 10.5px);\n  d: \"e, f\";\n}";
        assert_eq!(minify(CSS, style), "a,b{c:0.5em calc(0.1em + 10.5px);d: \"e, f\";}\n");
        assert_eq!(minify(HTML, "<p>\n  a\n</p>\n"), "<p>\na\n</p>\n");
        assert_eq!(minify(HTML, "<pre>\n  a\n</pre>\n"), "<pre>\n  a\n</pre>\n");
    }

    /// The names of the modules that a module imports in its first lines.
    fn static_imports(name: &str) -> BTreeSet<String> {
        let text = PageFolder::text(name);
        let names =
            text.lines().filter_map(|line| line.split_once(" from \"./")?.1.split('"').next());
        names.filter(|it| *it != LANGUAGES_MODULE).map(str::to_owned).collect()
    }

    /// A browser learns of a module from the module that imports it. The page names the long ones,
    /// and those that others import; the short ones come while these load.
    #[test]
    fn the_page_names_modules_that_its_first_view_needs() {
        let page = PageFolder::text("index.html");
        let named = page.split("<link rel=\"modulepreload\" href=\"/web/").skip(1);
        let named: BTreeSet<&str> = named.filter_map(|it| it.split('"').next()).collect();
        let mut needed = BTreeSet::new();
        let direct = static_imports("app.js");
        let mut waiting = direct.clone();
        while let Some(name) = waiting.pop_first() {
            waiting.extend(static_imports(&name).into_iter().filter(|it| !needed.contains(it)));
            needed.insert(name);
        }
        let needed: BTreeSet<&str> = needed.iter().map(String::as_str).collect();
        let direct: BTreeSet<&str> = direct.iter().map(String::as_str).collect();
        assert!(named.is_subset(&needed), "{named:?}");
        assert!(needed.difference(&direct).all(|it| named.contains(it)), "{named:?}");
    }

    #[test]
    fn no_string_of_a_script_has_an_operator_with_spaces() {
        for name in PageFolder::iter().filter(|it| it.ends_with(".js")) {
            let text = PageFolder::text(&name);
            let code = text.lines().map(str::trim).filter(|it| !it.starts_with(['/', '*']));
            for line in code {
                for before in OPERATORS.iter().filter_map(|it| line.split_once(it)).map(|it| it.0) {
                    assert!(before.matches('"').count() % 2 == 0, "{name}: {line}");
                }
            }
        }
    }

    #[test]
    fn icons_have_the_size_in_their_names() {
        for (name, _) in ICONS {
            let bytes = PageFolder::bytes(name);
            assert!(bytes.starts_with(b"\x89PNG"), "{name}");
            let [width, height] =
                [16_usize, 20].map(|at| u16::from_be_bytes([bytes[at + 2], bytes[at + 3]]));
            assert_eq!(name, format!("icon-{width}.png"));
            assert_eq!(width, height, "{name}");
        }
    }

    #[test]
    fn the_list_of_languages_is_in_the_module_that_imports_it() {
        let module = "import { a } from \"./a.js\";\n\
                      import { B } from \"./languages.js\";\n\
                      export { B } from \"./languages.js\";\nB(a);\n";
        let wanted = "export const B = 1;\nimport { a } from \"./a.js\";\nB(a);\n";
        assert_eq!(with_languages(module, "export const B = 1;\n"), wanted);
        let words = ASSETS.iter().find(|it| it.path == "/web/words.js").unwrap();
        assert!(words.text.contains("export const LANGUAGES={"));
        assert!(!words.text.contains("languages.js"));
    }
}
