//! Checks that boards open outside of the chat, by requesting the page at its public URL.

use reqwest::header::LOCATION;
use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode, Url};

use super::platforms::{ANSWER_BYTES_MAX, ANSWER_TIMEOUT};
use super::{DoctorFinding, failed_finding, good_finding, warning_finding};
use crate::config::Config;
use crate::health;
use caravanserai_platform_shared::http_body::{error_cause, read_body, shorten_for_log};

const PAGE: &str = "public page";

/// Checks that the page is at `PUBLIC_URL`.
pub(super) async fn examine(config: &Config) -> Vec<DoctorFinding> {
    let Some(url) = &config.public_url else {
        return vec![good_finding(
            PAGE,
            "PUBLIC_URL is not set, so there is no Mini App, no Activity and no link to a board \
             outside of the chat; all games are played in the chat as ever",
        )];
    };
    let mut found = Vec::new();
    if url.starts_with("http://") {
        found.push(warning_finding(
            PAGE,
            format!(
                "{url} is opened on this machine alone, and Telegram and Discord do not take it: \
                 for others set PUBLIC_URL to the https address of a proxy before WEB_LISTEN"
            ),
        ));
    }
    found.push(page_finding(url).await);
    found
}

/// Checks the answer of the page's own health path.
async fn page_finding(url: &str) -> DoctorFinding {
    let client = Client::builder().redirect(Policy::none()).timeout(ANSWER_TIMEOUT).build();
    let Ok(client) = client else {
        return failed_finding(PAGE, "no connection can be made from this program");
    };
    let answer = match client.get(format!("{url}{}", health::HEALTH_PATH)).send().await {
        Ok(answer) => answer,
        Err(error) => return silent_page_finding(url, &error_cause(&error)).await,
    };
    let status = answer.status();
    let leads = answer.headers().get(LOCATION).and_then(|it| it.to_str().ok()).map(shorten_for_log);
    let body = read_body(answer, ANSWER_BYTES_MAX).await.unwrap_or_default();
    let is_unhealthy = |body: &[u8]| {
        [health::PAUSED_BODY, health::FAILING_BODY].map(str::as_bytes).contains(&body)
    };
    match status {
        StatusCode::OK if body == health::HEALTHY_BODY.as_bytes() => {
            good_finding(PAGE, format!("{url} leads to this bot's page: boards open there"))
        }
        StatusCode::SERVICE_UNAVAILABLE if is_unhealthy(&body) => warning_finding(
            PAGE,
            format!("{url} leads to the bot, but its store is in trouble: see /readyz and its log"),
        ),
        StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT => {
            warning_finding(
                PAGE,
                format!(
                    "{url} is a proxy that finds no bot behind it ({status}): fine while the bot \
                     is not running, else let it forward to WEB_LISTEN"
                ),
            )
        }
        status if status.is_redirection() => failed_finding(
            PAGE,
            format!(
                "{url} leads on to {}: set PUBLIC_URL to the address that serves the page itself",
                leads.unwrap_or_else(|| "another address".into())
            ),
        ),
        status => failed_finding(
            PAGE,
            format!(
                "{url} answers {status}, not as this bot's page does: let the proxy forward all \
                 paths of that name to WEB_LISTEN"
            ),
        ),
    }
}

/// The finding when there is no answer.
async fn silent_page_finding(url: &str, why: &str) -> DoctorFinding {
    if let Some(host) = unresolved_host(url).await {
        let words = format!(
            "the name {host} of PUBLIC_URL is not known from here: give it a DNS record (A or \
             AAAA) with the address of your proxy"
        );
        return failed_finding(PAGE, words);
    }
    if why.contains("certificate") {
        let words = format!(
            "the certificate of {url} is not trusted ({why}), so browsers, Telegram and Discord \
             will not open it: get one for that name, for example from Let's Encrypt"
        );
        return failed_finding(PAGE, words);
    }
    let words = format!(
        "{url} does not answer from here ({why}): fine if it opens from elsewhere; if not, start \
         the proxy, and let its port through to it"
    );
    warning_finding(PAGE, words)
}

/// The name of the host, if it cannot be resolved.
async fn unresolved_host(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let host = url.host_str()?;
    let port = url.port_or_known_default()?;
    let found = tokio::net::lookup_host((host.trim_matches(['[', ']']), port)).await;
    let known = found.is_ok_and(|mut all| all.next().is_some());
    (!known).then(|| host.to_owned())
}
