//! Serves the manual and the privacy policy as pages in the reader's language.
//!
//! The language is the one in the address (`?lang=ru`), else the first of the browser's languages
//! that the bot speaks. A document that is not translated is shown in the fallback language.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::{
    Router,
    body::Bytes,
    extract::Query,
    http::{HeaderMap, HeaderValue, header},
    response::Response,
    routing::get,
};
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::assets::{HTML, document_template, revalidated_response};
use caravanserai_i18n::{Direction, Document, Lang, webchat_page_word};

#[derive(Deserialize)]
struct DocumentQuery {
    lang: Option<String>,
}

/// A page as it is sent.
struct DocumentPage {
    /// The language in which it is written.
    written: Lang,
    html: Bytes,
    etag: String,
}

/// Builds the routes of the documents. `link_assets` replaces the addresses of the page's files by
/// those with the version.
pub fn router<S: Clone + Send + Sync + 'static>(link_assets: impl Fn(&str) -> String) -> Router<S> {
    Document::ALL.into_iter().fold(Router::new(), |router, document| {
        let page = |lang: &Lang| (*lang, render_page(document, *lang, &link_assets));
        let pages: Arc<[(Lang, DocumentPage)]> = Lang::all().iter().map(page).collect();
        let show = move |Query(query): Query<DocumentQuery>, headers: HeaderMap| async move {
            let reader = reader_language(query.lang.as_deref(), &headers);
            let page = pages.iter().find(|it| it.0 == reader).or(pages.first());
            let (_, page) = page.expect("there is at least one language");
            page.response(&headers)
        };
        router.route(&document_path(document), get(show))
    })
}

impl DocumentPage {
    fn response(&self, headers: &HeaderMap) -> Response {
        let mut response = revalidated_response(HTML, self.html.clone(), &self.etag, headers);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(self.written.code()));
        headers.append(header::VARY, HeaderValue::from_static("accept-language"));
        response
    }
}

/// Chooses the language of a reader.
fn reader_language(chosen: Option<&str>, headers: &HeaderMap) -> Lang {
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|it| it.to_str().ok());
    let accepted = accepted.unwrap_or_default().split(',').filter_map(|it| it.split(';').next());
    chosen
        .into_iter()
        .chain(accepted)
        .find_map(|it| Lang::from_locale(it.trim()))
        .unwrap_or_default()
}

fn document_path(document: Document) -> String {
    format!("/{}", document.name())
}

fn render_page(
    document: Document,
    reader: Lang,
    link_assets: &impl Fn(&str) -> String,
) -> DocumentPage {
    let (written, markdown) = document.text_for(reader);
    let rendered = RenderedMarkdown::new(markdown, reader);
    let direction = match written.direction() {
        Direction::LeftToRight => "ltr",
        Direction::RightToLeft => "rtl",
    };
    let other = match document {
        Document::Manual => Document::Privacy,
        Document::Privacy => Document::Manual,
    };
    let contents = rendered.sections.iter().fold(String::new(), |mut contents, section| {
        let id = &section.id;
        let title = escape_html(&section.title);
        let _ = writeln!(contents, "          <li><a href=\"#{id}\">{title}</a></li>");
        contents
    });
    let word = |key| escape_html(&webchat_page_word(written, key));
    // The texts of the document come last: nothing in them is a placeholder.
    let html = link_assets(&document_template())
        .replace("{lang}", written.code())
        .replace("{dir}", direction)
        .replace("{to_chat}", &word("to_chat"))
        .replace("{other_path}", &link_to(other, reader))
        .replace("{other}", &word(other.name()))
        .replace("{title}", &escape_html(&rendered.title))
        .replace("{contents}", &contents)
        .replace("{body}", &rendered.body);
    let etag = format!("\"{}\"", hex::encode(&Sha256::digest(html.as_bytes())[..8]));
    DocumentPage { written, html: html.into(), etag }
}

/// The address of a document for a reader who has come in this language.
fn link_to(document: Document, reader: Lang) -> String {
    format!("{}?lang={}", document_path(document), reader.code())
}

/// A section of a document.
struct Section {
    id: String,
    title: String,
}

/// A document as HTML.
struct RenderedMarkdown {
    title: String,
    sections: Vec<Section>,
    /// Everything below the title.
    body: String,
}

impl RenderedMarkdown {
    fn new(markdown: &str, reader: Lang) -> Self {
        let events: Vec<Event<'_>> = Parser::new_ext(markdown, Options::ENABLE_TABLES).collect();
        let mut title = String::new();
        let mut sections = Vec::new();
        let mut shown: Vec<Event<'_>> = Vec::with_capacity(events.len());
        let mut is_link_dropped = false;
        let mut rest = events.into_iter();
        while let Some(event) = rest.next() {
            match event {
                Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }) => {
                    let heading = rest.by_ref().take_while(|it| !is_heading_end(it));
                    title = heading.map(|it| plain_text(&it)).collect();
                }
                Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                    let heading: Vec<Event<'_>> =
                        rest.by_ref().take_while(|it| !is_heading_end(it)).collect();
                    let title: String = heading.iter().map(plain_text).collect();
                    let id = heading_id(&title);
                    let named = Some(CowStr::from(id.clone()));
                    shown.push(Event::Start(Tag::Heading { level, id: named, classes, attrs }));
                    shown.extend(heading);
                    shown.push(Event::End(TagEnd::Heading(level)));
                    if level == HeadingLevel::H2 {
                        sections.push(Section { id, title });
                    }
                }
                Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                    match link_target(&dest_url, reader) {
                        Some(target) => {
                            let dest_url = CowStr::from(target);
                            let link = Tag::Link { link_type, dest_url, title, id };
                            shown.push(Event::Start(link));
                        }
                        None => is_link_dropped = true,
                    }
                }
                Event::End(TagEnd::Link) if is_link_dropped => is_link_dropped = false,
                // Wide tables scroll by themselves.
                Event::Start(table @ Tag::Table(_)) => {
                    shown.push(Event::Html("<div class=\"scroll\" tabindex=\"0\">".into()));
                    shown.push(Event::Start(table));
                }
                Event::End(TagEnd::Table) => {
                    shown.push(Event::End(TagEnd::Table));
                    shown.push(Event::Html("</div>\n".into()));
                }
                Event::Html(text) | Event::InlineHtml(text) => shown.push(Event::Text(text)),
                other => shown.push(other),
            }
        }
        let mut body = String::new();
        html::push_html(&mut body, shown.into_iter());
        RenderedMarkdown { title, sections, body }
    }
}

fn is_heading_end(event: &Event<'_>) -> bool {
    matches!(event, Event::End(TagEnd::Heading(_)))
}

fn plain_text(event: &Event<'_>) -> String {
    match event {
        Event::Text(text) | Event::Code(text) => text.to_string(),
        Event::SoftBreak | Event::HardBreak => " ".to_owned(),
        _ => String::new(),
    }
}

/// The anchor of a heading, as GitHub forms it: links inside a document work there and here.
fn heading_id(title: &str) -> String {
    let kept = |it: &char| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_');
    title.to_lowercase().chars().filter(kept).map(|it| if it == ' ' { '-' } else { it }).collect()
}

/// The target of a link of a document on the page. Links to files of the source lead nowhere here.
fn link_target(target: &str, reader: Lang) -> Option<String> {
    if target.starts_with('#') || target.starts_with("https://") {
        return Some(target.to_owned());
    }
    let (file, anchor) = target.split_once('#').map_or((target, None), |it| (it.0, Some(it.1)));
    let name = file.strip_suffix(".md")?;
    let document = Document::ALL.into_iter().find(|it| it.name() == name)?;
    let anchor = anchor.map(|it| format!("#{it}")).unwrap_or_default();
    Some(format!("{}{anchor}", link_to(document, reader)))
}

fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(markdown: &str) -> RenderedMarkdown {
        RenderedMarkdown::new(markdown, Lang::default())
    }

    #[test]
    fn a_document_has_a_title_sections_and_a_body() {
        let page = render("# Title `x`\n\nText.\n\n## First game\n\n- *one*\n- `two`\n");
        assert_eq!(page.title, "Title x");
        let sections: Vec<_> = page.sections.iter().map(|it| (&*it.id, &*it.title)).collect();
        assert_eq!(sections, [("first-game", "First game")]);
        assert_eq!(
            page.body,
            "<p>Text.</p>\n<h2 id=\"first-game\">First game</h2>\n<ul>\n<li><em>one</em></li>\n\
             <li><code>two</code></li>\n</ul>\n"
        );
    }

    #[test]
    fn links_lead_to_pages_and_never_to_files() {
        let body = |target: &str| render(&format!("[there]({target})")).body;
        assert_eq!(body("#a"), "<p><a href=\"#a\">there</a></p>\n");
        assert_eq!(body("privacy.md"), "<p><a href=\"/privacy?lang=en\">there</a></p>\n");
        assert_eq!(body("manual.md#a"), "<p><a href=\"/manual?lang=en#a\">there</a></p>\n");
        assert_eq!(body("https://a.b"), "<p><a href=\"https://a.b\">there</a></p>\n");
        for file in ["../../src/table/presence.md", "../README.md", "javascript:alert(1)"] {
            assert_eq!(body(file), "<p>there</p>\n", "{file}");
        }
    }

    #[test]
    fn markup_in_a_document_is_text() {
        let body = render("a <script>x</script> & b\n\n<div onclick=\"x\">\n").body;
        assert!(!body.contains("<script") && !body.contains("<div"), "{body}");
        assert!(body.contains("&lt;script&gt;x&lt;/script&gt; &amp; b"), "{body}");
    }

    #[test]
    fn the_address_chooses_the_language_and_then_the_browser() {
        let browser = |accepted: &str| {
            let accepted = HeaderValue::from_str(accepted).expect("a header");
            HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, accepted)])
        };
        let chosen = |lang, headers: &HeaderMap| reader_language(lang, headers).code();
        assert_eq!(chosen(None, &HeaderMap::new()), "en");
        assert_eq!(chosen(None, &browser("kk-KZ,ru;q=0.9,en;q=0.8")), "kk");
        assert_eq!(chosen(None, &browser("fr, hy;q=0.5, *;q=0.1")), "hy");
        assert_eq!(chosen(Some("ta"), &browser("ru")), "ta");
        assert_eq!(chosen(Some("nonsense"), &browser("ru")), "ru");
    }
}
