//! Checks every request before it is handled, and finds the person of a token.
//!
//! Tokens travel in a header that no foreign page can set, so a forged request has no person. The
//! checks of `Host` and `Origin` keep foreign pages from reaching a bot on this machine at all,
//! also under a name that they have pointed at it (DNS rebinding).

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::Arc,
};

use axum::{
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};

use super::{
    Webchat,
    assets::{self, BOARD_PATH, is_activity},
    connections::PeerAddress,
    json_body, now_ms,
    rate_limits::RateKind,
    refusal::WebchatRefusal,
    routes::WebchatContext,
};

const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors ";

/// The path before that of a request which comes through a platform's proxy.
pub const PROXY_PATH: &str = "/.proxy";

/// The address of a client, or the part of it that a household shares.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClientAddress(pub String);

impl ClientAddress {
    /// Returns the IPv6 network of the address, as far as it goes to one customer.
    pub fn network(&self) -> Option<String> {
        let (network, _) = self.0.strip_suffix("::/64")?.rsplit_once(':')?;
        Some(format!("{network}::/48"))
    }
}

/// Refuses foreign hosts and origins, too large requests and banned addresses, and adds the headers
/// that every response needs.
pub async fn check_request(
    State(web): State<Arc<Webchat>>,
    mut request: Request,
    next: Next,
) -> Response {
    let from = client_address(&web, &request);
    let path = request.uri().path();
    let path = path.strip_prefix(PROXY_PATH).unwrap_or(path);
    let asks = path.starts_with("/api/");
    let part = path.starts_with(assets::ASSETS_PATH);
    let is_operator_api = path.starts_with("/api/host");
    let framed = allowed_frames(&web, &request);
    let mut answer = match refusal_reason(&web, request.headers()) {
        Some(why) => (StatusCode::FORBIDDEN, why).into_response(),
        None if json_body::is_too_large(request.headers()) => {
            WebchatRefusal::BodyTooLarge.into_response()
        }
        None if asks && !is_operator_api && web.is_banned(&from) => {
            WebchatRefusal::Banned.into_response()
        }
        None if asks && web.wait_until_loaded().await.is_err() => {
            WebchatRefusal::StoreUnavailable.into_response()
        }
        None => {
            request.extensions_mut().insert(from);
            next.run(request).await
        }
    };
    let headers = answer.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Resources of a page follow the page's policy; there are many of them, and these headers are
    // long.
    if !part {
        add_page_headers(headers, framed.as_deref());
    }
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    answer
}

/// Adds the page's policies: what it may load, and who may show it in a frame.
fn add_page_headers(headers: &mut HeaderMap, framed: Option<&str>) {
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    let policy = format!("{CONTENT_POLICY}{}", framed.unwrap_or("'none'"));
    let policy = HeaderValue::from_str(&policy).expect("policy sources have no control characters");
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    if framed.is_none() {
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    }
}

/// Returns the platform pages that may show this one in a frame: only for the board page, and only
/// if users can sign in.
fn allowed_frames(web: &Webchat, request: &Request) -> Option<String> {
    let page = web.settings.page.as_ref().filter(|it| !it.frames.is_empty())?;
    let uri = request.uri();
    (uri.path() == BOARD_PATH || is_activity(uri)).then(|| page.frames.join(" "))
}

fn client_address(web: &Webchat, request: &Request) -> ClientAddress {
    let Some(PeerAddress(peer)) = request.extensions().get::<PeerAddress>() else {
        return ClientAddress("?".into());
    };
    let trusted = |it: &IpAddr| web.settings.proxies.contains(*it);
    let mut address = peer.to_canonical();
    let headers = request.headers().get_all("x-forwarded-for").iter();
    let forwarded = headers.filter_map(|it| it.to_str().ok()).flat_map(|it| it.split(','));
    let forwarded: Vec<Option<IpAddr>> = forwarded.map(|it| it.trim().parse().ok()).collect();
    // Each proxy appends the address it saw; a client can forge the entries before that.
    for before in forwarded.into_iter().rev() {
        match before {
            Some(before) if trusted(&address) => address = before.to_canonical(),
            Some(_) | None => break,
        }
    }
    ClientAddress(address_prefix(address))
}

/// Reduces an address to its household: a household has very many IPv6 addresses.
pub fn address_prefix(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(it) => it.to_string(),
        IpAddr::V6(it) => {
            let [a, b, c, d, ..] = it.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

/// Whether the address is this machine: banning it would ban everybody behind a local proxy.
pub fn is_local_address(address: &str) -> bool {
    [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)]
        .into_iter()
        .any(|it| address_prefix(it) == address)
}

fn refusal_reason(web: &Webchat, headers: &HeaderMap) -> Option<&'static str> {
    let text = |name| headers.get(name).and_then(|it: &HeaderValue| it.to_str().ok());
    let Some(host) = text(header::HOST) else { return Some("no host named") };
    if headers.get_all(header::HOST).iter().count() > 1 {
        // A proxy before the bot may have read the other one.
        return Some("several hosts named");
    }
    if !is_known_host(host, &web.settings.hosts) {
        return Some("this name is not one of ours: add it to the setting WEB_HOSTS");
    }
    if headers.contains_key(header::ORIGIN) {
        let origin = text(header::ORIGIN).and_then(|it| it.split_once("://"));
        // A proxy may have put another name into `Host` than the page has.
        let stand_in = web.settings.page.as_ref().and_then(|it| it.stand_in.get());
        let ours = |name: &str| {
            name.eq_ignore_ascii_case(host)
                || is_own_name(without_port(name), &web.settings.hosts)
                || stand_in.is_some_and(|it| it.eq_ignore_ascii_case(name))
        };
        if origin.is_none_or(|(_, name)| !ours(name)) {
            return Some("requests of other pages are not answered");
        }
    }
    None
}

fn is_known_host(host: &str, ours: &[String]) -> bool {
    let host = host.to_ascii_lowercase();
    let name = without_port(&host);
    // A name can be pointed at another machine; an IP address cannot.
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().is_ok();
    let local = name == "localhost" || name.ends_with(".localhost");
    address || local || is_own_name(name, ours)
}

fn is_own_name(name: &str, ours: &[String]) -> bool {
    ours.iter().any(|it| it.eq_ignore_ascii_case(name))
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

/// The authenticated person of a request.
pub struct AuthenticatedPerson(pub String);

impl FromRequestParts<WebchatContext> for AuthenticatedPerson {
    type Rejection = WebchatRefusal;

    async fn from_request_parts(
        parts: &mut Parts,
        ctx: &WebchatContext,
    ) -> Result<Self, WebchatRefusal> {
        let token = bearer_token(&parts.headers).ok_or(WebchatRefusal::UnknownToken)?;
        // Looked up by hash, so the time of the look-up reveals nothing about a token.
        let secret = token_hash(token);
        let from = parts.extensions.get::<ClientAddress>().cloned();
        let known = ctx.web.state().person_of(&secret).map(str::to_owned);
        let person = match known {
            Some(person) => person,
            None => person_known_elsewhere(&ctx.web, from.as_ref(), &secret).await?,
        };
        if let Some(from) = from {
            ctx.web.note_client_address(&person, from);
        }
        let now_ms = now_ms();
        if ctx.web.state().is_sighting_due(&person, now_ms) {
            let who = person.clone();
            ctx.web.change_in_background(move |state| state.note_seen(&who, now_ms));
        }
        Ok(AuthenticatedPerson(person))
    }
}

/// Returns the person of a token that another process of this chat may have given a moment ago. A
/// token counts as unknown only after the changes of the others were loaded.
async fn person_known_elsewhere(
    web: &Webchat,
    from: Option<&ClientAddress>,
    secret: &str,
) -> Result<String, WebchatRefusal> {
    if !web.store.is_shared() {
        return Err(WebchatRefusal::UnknownToken);
    }
    if let Some(from) = from {
        web.rates.check(&from.0, RateKind::Ask)?;
    }
    if !web.refresh().await {
        return Err(WebchatRefusal::StoreUnavailable);
    }
    web.state().person_of(secret).map(str::to_owned).ok_or(WebchatRefusal::UnknownToken)
}

/// Returns the token of a request.
pub fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token)
}

/// Returns the stored form of a token.
pub fn token_hash(token: &str) -> String {
    hex::encode(Sha256::digest(token.trim().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_local_names_are_known_and_others_must_be_listed() {
        for host in ["127.0.0.1:8787", "[::1]:8787", "localhost", "chat.localhost:1", "10.0.0.7"] {
            assert!(is_known_host(host, &[]), "{host}");
        }
        assert!(!is_known_host("evil.example:8787", &[]));
        assert!(!is_known_host("localhost.evil.example", &[]));
        assert!(is_known_host("Play.Example:443", &["play.example".into()]));
    }
}
