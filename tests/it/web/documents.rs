//! The manual and the privacy policy as pages.

use std::collections::BTreeSet;

use caravanserai_i18n::{Document, Lang};
use reqwest::header::{ACCEPT_LANGUAGE, ETAG, IF_NONE_MATCH};

use super::*;
use crate::browser::come_in;
use crate::lang;
use crate::webdriver::{Browser, keys};

const PATHS: [&str; 2] = ["/manual", "/privacy"];

async fn fetch(served: &Served, path: &str, accepted: &str) -> Response {
    let client = Client::builder().no_proxy().build().unwrap();
    let request = client.get(format!("{}{path}", served.base)).header(ACCEPT_LANGUAGE, accepted);
    request.send().await.unwrap()
}

/// The values of an attribute in a page.
fn attributes(page: &str, name: &str) -> BTreeSet<String> {
    let start = format!(" {name}=\"");
    let after = page.split(&start).skip(1);
    after.map(|it| it.split('"').next().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn the_documents_are_pages_with_title_and_language() {
    let (_folder, served) = chat().await;
    for (path, title, sentence) in [
        ("/manual", "How to play", "open a table that anyone may join"),
        ("/privacy", "Privacy", "what this bot keeps about you"),
    ] {
        let answer = fetch(&served, path, "en-US,en;q=0.5").await;
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(answer.headers()["content-type"], "text/html; charset=utf-8");
        assert_eq!(answer.headers()["content-language"], "en");
        let page = answer.text().await.unwrap();
        assert!(page.contains("<html lang=\"en\" dir=\"ltr\">"), "{path}");
        assert!(page.contains(&format!("<title>{title} · Caravanserai</title>")), "{path}");
        assert!(page.contains(sentence), "{path}");
        assert_eq!(page.matches("<h1").count(), 1, "{path}");
        assert!(!page.contains("to_chat") && !page.contains("style="), "{path}");
    }
}

#[tokio::test]
async fn every_reader_gets_a_document_in_their_language_or_the_nearest() {
    let (_folder, served) = chat().await;
    for reader in Lang::all().iter().copied() {
        for document in Document::ALL {
            let (written, _) = document.text_for(reader);
            let path = format!("/{}", document.name());
            for (path, accepted) in
                [(path.clone(), reader.code()), (format!("{path}?lang={}", reader.code()), "en")]
            {
                let answer = fetch(&served, &path, accepted).await;
                assert_eq!(answer.headers()["content-language"], written.code(), "{path}");
                let mut varies = answer.headers().get_all("vary").iter();
                assert!(varies.any(|it| it == "accept-language"), "{path}");
                let page = answer.text().await.unwrap();
                assert!(page.contains(&format!("<html lang=\"{}\"", written.code())), "{path}");
            }
        }
    }
}

#[tokio::test]
async fn documents_have_the_page_policy_and_are_revalidated() {
    let (_folder, served) = chat().await;
    let start = fetch(&served, "/", "en").await;
    for path in PATHS {
        let answer = fetch(&served, path, "en").await;
        for name in ["content-security-policy", "x-frame-options", "x-content-type-options"] {
            assert_eq!(answer.headers()[name], start.headers()[name], "{name} of {path}");
        }
        let etag = answer.headers()[ETAG].clone();
        let client = Client::builder().no_proxy().build().unwrap();
        let again = client.get(format!("{}{path}", served.base)).header(IF_NONE_MATCH, etag);
        assert_eq!(again.send().await.unwrap().status(), StatusCode::NOT_MODIFIED);
        let strange = fetch(&served, &format!("{path}?lang=..%2F%22%3E"), "ru").await;
        let (written, _) = Document::Manual.text_for(lang("ru"));
        assert_eq!(strange.headers()["content-language"], written.code());
    }
}

#[tokio::test]
async fn every_link_of_a_document_leads_somewhere() {
    let (_folder, served) = chat().await;
    let mut seen = BTreeSet::new();
    for path in PATHS {
        let page = fetch(&served, path, "en").await.text().await.unwrap();
        let ids = attributes(&page, "id");
        assert_eq!(ids.len(), page.matches(" id=\"").count(), "an id of {path} occurs twice");
        for link in attributes(&page, "href").into_iter().chain(attributes(&page, "src")) {
            match link.strip_prefix('#') {
                Some(id) => assert!(ids.contains(id), "{link} in {path}"),
                None => assert!(link.starts_with('/'), "{link} in {path}"),
            }
            if link.starts_with('/') && seen.insert(link.clone()) {
                let answer = fetch(&served, &link, "en").await;
                assert_eq!(answer.status(), StatusCode::OK, "{link} in {path}");
            }
        }
    }
    assert!(seen.contains("/privacy?lang=en") && seen.contains("/manual?lang=en"), "{seen:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_leads_to_the_documents_in_the_language_chosen_there() {
    let Some(browser) = Browser::start().await else { return };
    let (_folder, served) = chat().await;
    browser.open(&served.base).await;
    let links = |dialog: &str| {
        format!(
            "[...document.querySelectorAll('#{dialog}[open] a[data-document]')]
                .map(it => `${{it.textContent}} ${{it.getAttribute('href')}}`).join()"
        )
    };
    let english = "How to play /manual?lang=en,Privacy /privacy?lang=en";
    browser.wait(&format!("{} === '{english}'", links("welcome"))).await;
    come_in(&browser, &served.base, "Ann").await;
    browser.find("#me-open").await.click().await;
    browser.wait(&format!("{} === '{english}'", links("mine"))).await;
    browser.run("document.querySelector('#mine .languages [lang=ru]').click()").await;
    let russian = "Как играть /manual?lang=ru,Конфиденциальность /privacy?lang=ru";
    browser.wait(&format!("{} === '{russian}'", links("mine"))).await;
    browser.screenshot("document-links").await;
    browser.keys(keys::ESCAPE).await;

    for path in PATHS {
        for (width, height) in [(390, 844), (1280, 800)] {
            browser.open(&format!("{}{path}", served.base)).await;
            browser.screen(width, height).await;
            let fits = "document.documentElement.scrollWidth <= innerWidth";
            browser.wait(&format!("document.querySelector('main h2') && {fits}")).await;
            let styled = "getComputedStyle(document.querySelector('main')).maxWidth !== 'none'";
            browser.wait(styled).await;
            browser.screenshot(&format!("{}-{width}", path.trim_start_matches('/'))).await;
        }
    }
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}
