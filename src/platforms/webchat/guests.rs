//! Those who have signed in from another platform: they see their tables there as themselves.
//!
//! | request | body or query | answer |
//! | --- | --- | --- |
//! | `POST /api/guest` | `{code}` or `{platform, data, instance?}` | who they are, see below |
//! | `GET /api/guest` | | `{name, lang, theme}` |
//! | `POST /api/guest/out` | `{}` | `{}` |
//! | `GET /api/guest/tables` | | as `/api/tables` |
//! | `GET /api/guest/tables/{table}` | `?since=&page=&drawn=1&known=` | the state of a table |
//! | `GET /api/guest/tables/{table}/replay` | `?from=&seat=` | a game step by step |
//! | `GET /api/guest/tables/{table}/review` | | its review |
//! | `POST /api/guest/tables/{table}/press` | `{press, key}` | `{whispers}` |
//! | `GET /api/guest/tables/{table}/events` | `?since=` | events, see below |
//!
//! Events are `table` with its newest `change`, `gone` (it is not theirs to see) and `stranger`
//! (they are not signed in any more); the last two end the stream.
//!
//! Whoever comes with a code gets a cookie that no script can read. Whoever comes from a window of
//! a platform gets a `token` instead, which the page keeps for as long as it is open: cookies are
//! not kept there. All of it is closed unless the page has a public address.

use std::sync::Arc;
use std::time::Duration;

use axum::{
    Extension, Json, Router,
    extract::{FromRequestParts, Path, Query, State},
    http::{HeaderMap, HeaderValue, header, request::Parts},
    response::sse::{Event, KeepAlive, Sse},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use futures::Stream;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::watch;

use super::{
    Web,
    body::Body,
    fetch::{Asking, Stepping, json_text, private, told},
    guard::{From, bearer, hash_of},
    http::{Answer, Ctx, random_hex},
    hub::Inbox,
    model::good_key,
    rates::Deed,
    refusal::Refusal,
    view,
};
use caravanserai_games::ids::TableId;
use caravanserai_protocol::Look;
use caravanserai_protocol::guests::{Guest, Guests, Proof, Unproven};

/// How often an open stream looks whether its reader is still signed in.
const STILL: Duration = Duration::from_secs(20);
/// The longest proof that is looked at; Telegram's are about a kilobyte.
const PROOF_BYTES_MAX: usize = 8 * 1024;

/// The routes, to be put under `/api/guest`.
pub fn router() -> Router<Ctx> {
    Router::new()
        .route("/", get(me).post(sign_in))
        .route("/out", post(sign_out))
        .route("/tables", get(tables))
        .route("/tables/{table}", get(table))
        .route("/tables/{table}/replay", get(replay))
        .route("/tables/{table}/review", get(review))
        .route("/tables/{table}/press", post(press))
        .route("/tables/{table}/events", get(events))
}

impl Ctx {
    fn guests(&self) -> Result<Arc<dyn Guests>, Refusal> {
        let page = self.web.settings.page.as_ref();
        page.and_then(|_| self.listener.guests()).ok_or(Refusal::Absent("page"))
    }
}

/// What the cookie is called. The longer name is only taken by browsers over https, for this very
/// host and the whole of it.
fn cookie_name(web: &Web) -> &'static str {
    let secure = web.settings.page.as_ref().is_some_and(|it| it.url.starts_with("https:"));
    if secure { "__Host-guest" } else { "guest" }
}

/// The cookie with this value for so long; without one it is taken away.
fn cookie(web: &Web, value: &str, lasts_ms: u64) -> Option<HeaderValue> {
    let name = cookie_name(web);
    let secure = if name.starts_with("__") { "; Secure" } else { "" };
    let age = lasts_ms / 1_000;
    let text = format!("{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{secure}");
    HeaderValue::from_str(&text).ok()
}

fn cookie_of(web: &Web, headers: &HeaderMap) -> Option<String> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
    let pairs = all.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
    let own = pairs.into_iter().find(|(name, _)| *name == cookie_name(web));
    own.map(|(_, value)| value.to_owned()).filter(|it| !it.is_empty())
}

/// Somebody who is signed in.
struct Known {
    guests: Arc<dyn Guests>,
    guest: Guest,
    mark: String,
}

impl FromRequestParts<Ctx> for Known {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, ctx: &Ctx) -> Result<Self, Refusal> {
        let guests = ctx.guests()?;
        let token = bearer(&parts.headers).map(str::to_owned);
        let token = token.or_else(|| cookie_of(&ctx.web, &parts.headers));
        let mark = hash_of(&token.ok_or(Refusal::SignedOut)?);
        let guest = guests.guest(&mark).await.ok_or(Refusal::SignedOut)?;
        Ok(Self { guests, guest, mark })
    }
}

impl Known {
    /// Under which name deeds are counted.
    fn counted(&self) -> String {
        format!("guest {}", self.guest.account.id.0)
    }
}

#[derive(Deserialize)]
struct Signing {
    code: Option<String>,
    platform: Option<String>,
    data: Option<String>,
    instance: Option<String>,
}

impl Signing {
    fn proof(self) -> Result<Proof, Refusal> {
        let fits = |it: &String| !it.is_empty() && it.len() <= PROOF_BYTES_MAX;
        match self {
            Signing { code: Some(code), .. } if fits(&code) => Ok(Proof::Code(code)),
            Signing { platform: Some(platform), data: Some(data), instance, .. } if fits(&data) => {
                Ok(Proof::Client { platform, data, instance: instance.filter(fits) })
            }
            _ => Err(Refusal::Bad("name a code, or a platform and what its client says")),
        }
    }
}

async fn sign_in(
    State(ctx): State<Ctx>,
    Extension(from): Extension<From>,
    headers: HeaderMap,
    Body(it): Body<Signing>,
) -> Result<Response, Refusal> {
    let (web, guests) = (&ctx.web, ctx.guests()?);
    let proof = it.proof()?;
    let by_code = matches!(proof, Proof::Code(_));
    // Codes are not to be found by trying; behind the proxy of a platform are many people.
    let deed = if by_code { Deed::Enter } else { Deed::Ask };
    web.rates.take(&format!("guest from {}", from.0), deed)?;
    let token = random_hex::<32>()?;
    let entered = guests.sign_in(&proof, &hash_of(&token)).await.map_err(|it| match it {
        Unproven::Forged => Refusal::Unproven("unknown"),
        Unproven::Old => Refusal::Unproven("old"),
        Unproven::Unreachable => Refusal::Unreachable,
    })?;
    let guest = &entered.guest;
    let mut told = json!({
        "name": guest.account.name, "lang": guest.lang, "theme": guest.theme,
        "table": entered.table, "key": entered.key,
    });
    if !by_code {
        told["token"] = json!(token);
        return Ok(Json(told).into_response());
    }
    if let Some(before) = cookie_of(web, &headers) {
        // One browser is one person.
        guests.sign_out(&hash_of(&before)).await;
    }
    let cookie = cookie(web, &token, entered.lasts_ms).ok_or(Refusal::Disk)?;
    Ok(([(header::SET_COOKIE, cookie)], Json(told)).into_response())
}

async fn me(it: Known) -> Answer {
    let Guest { account, lang, theme, .. } = &it.guest;
    Ok(Json(json!({ "name": account.name, "lang": lang, "theme": theme })))
}

async fn sign_out(State(ctx): State<Ctx>, it: Known) -> Result<Response, Refusal> {
    it.guests.sign_out(&it.mark).await;
    let cookie = cookie(&ctx.web, "", 0).ok_or(Refusal::Disk)?;
    Ok(([(header::SET_COOKIE, cookie)], Json(json!({}))).into_response())
}

async fn tables(State(ctx): State<Ctx>, it: Known) -> Result<Response, Refusal> {
    ctx.web.rates.take(&it.counted(), Deed::Ask)?;
    Ok(json_text(it.guests.tables(&it.guest).await.ok_or(Refusal::Bot)?))
}

async fn table(
    State(ctx): State<Ctx>,
    it: Known,
    Path(table): Path<String>,
    Query(asking): Query<Asking>,
) -> Result<Response, Refusal> {
    ctx.web.rates.take(&it.counted(), Deed::Ask)?;
    let state = it.guests.sees(&it.guest, &code(&table), asking.looking()).await;
    Ok(told(&ctx.web, &it.counted(), &asking, state.ok_or(Refusal::Absent("table"))?))
}

async fn replay(
    State(ctx): State<Ctx>,
    it: Known,
    Path(table): Path<String>,
    Query(steps): Query<Stepping>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    show(&ctx, &it, steps.of(code(&table)), &headers).await
}

async fn review(
    State(ctx): State<Ctx>,
    it: Known,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    show(&ctx, &it, Look::Review { table: code(&table), step: None }, &headers).await
}

/// Something to be looked at, unless the guest has it already.
async fn show(ctx: &Ctx, it: &Known, look: Look, headers: &HeaderMap) -> Result<Response, Refusal> {
    ctx.web.rates.take(&it.counted(), Deed::Fetch)?;
    let shown = it.guests.shows(&it.guest, look).await;
    Ok(private(shown.ok_or(Refusal::Absent("table"))?, headers))
}

#[derive(Deserialize)]
struct Pressing {
    press: String,
    key: String,
}

async fn press(
    State(ctx): State<Ctx>,
    it: Known,
    Path(table): Path<String>,
    Body(pressed): Body<Pressing>,
) -> Answer {
    ctx.web.rates.take(&it.counted(), Deed::Press)?;
    let Pressing { press, key } = pressed;
    if !good_key(&key) || press.is_empty() || press.len() > 64 || !press.is_ascii() {
        return Err(Refusal::Bad("a press has 1 to 64 bytes of ASCII and a key"));
    }
    let Known { guests, guest, .. } = it;
    // It runs to its end even if whoever pressed has gone.
    let done = tokio::spawn(async move { guests.press(&guest, &code(&table), &press, &key).await });
    let whispers = done.await.map_err(|_| Refusal::Bot)?.ok_or(Refusal::Absent("button"))?;
    Ok(Json(json!({ "whispers": view::for_guest(&whispers) })))
}

#[derive(Deserialize)]
struct Since {
    since: Option<u64>,
}

/// An open stream of one table.
struct Watching {
    web: Arc<Web>,
    it: Known,
    inbox: Arc<Inbox>,
    table: TableId,
    since: Option<u64>,
    closing: watch::Receiver<bool>,
    ended: bool,
}

async fn events(
    State(ctx): State<Ctx>,
    it: Known,
    Path(table): Path<String>,
    Query(Since { since }): Query<Since>,
) -> Result<Sse<impl Stream<Item = Result<Event, axum::Error>>>, Refusal> {
    let web = &ctx.web;
    web.rates.take(&it.counted(), Deed::Ask)?;
    let most = web.settings.limits.streams;
    let (inbox, _) = web.hub.open(&it.counted(), most).ok_or(Refusal::Wait(5_000))?;
    let (table, closing) = (code(&table), web.closing.subscribe());
    let web = Arc::clone(web);
    let watching = Watching { web, it, inbox, table, since, closing, ended: false };
    let stream = futures::stream::unfold(watching, |mut watching| async move {
        let event = watching.next().await?;
        Some((event, watching))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}

impl Watching {
    /// The next change; when there will be none any more, that is told once.
    async fn next(&mut self) -> Option<Result<Event, axum::Error>> {
        while !self.ended && !*self.closing.borrow() {
            let Known { guests, guest, mark } = &self.it;
            let changed = guests.changed(guest, &self.table, self.since);
            tokio::select! {
                changed = tokio::time::timeout(STILL, changed) => match changed {
                    Ok(Some(change)) => {
                        self.since = Some(change);
                        let told = json!({ "table": self.table.0, "change": change });
                        return Some(Event::default().event("table").json_data(told));
                    }
                    Ok(None) => self.ended = true,
                    Err(_) => {}
                },
                _ = self.closing.changed() => return None,
            }
            // Signed out meanwhile, here or everywhere?
            let why = if guests.guest(mark).await.is_none() { "stranger" } else { "gone" };
            self.ended |= why == "stranger";
            if self.ended {
                return Some(Ok(Event::default().event(why).data("{}")));
            }
        }
        None
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.web.hub.close(&self.it.counted(), &self.inbox);
    }
}

fn code(table: &str) -> TableId {
    TableId(table.to_lowercase())
}
