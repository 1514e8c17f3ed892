//! Serves users who have signed in from another platform: they see their tables as themselves.
//!
//! | request | body or query | answer |
//! | --- | --- | --- |
//! | `POST /api/guest` | `{code, window?}` or `{platform, data, instance?, window?}` | the user |
//! | `GET /api/guest` | | `{name, lang, theme}` |
//! | `POST /api/guest/out` | `{}` | `{}` |
//! | `GET /api/guest/tables` | | as `/api/tables` |
//! | `GET /api/guest/tables/{table}` | `?since=&page=&drawn=1&known=` | the state of a table |
//! | `GET /api/guest/tables/{table}/replay` | `?from=&seat=` | a game step by step |
//! | `GET /api/guest/tables/{table}/review` | | its review |
//! | `POST /api/guest/tables/{table}/press` | `{press, key}` | `{whispers}` |
//! | `GET /api/guest/tables/{table}/events` | `?since=` | events, see below |
//!
//! Events are `table` with its newest `change`, `gone` (the user may not see the table) and
//! `stranger` (the user is no longer signed in); the last two end the stream.
//!
//! A sign-in with a code returns a cookie that no script can read; another one of the same account
//! in the same browser continues its session, as other tabs use it. A sign-in from a window of a
//! platform returns a `token` instead, which the page keeps for as long as it is open: cookies do
//! not persist there. All routes are closed unless the page has a public address.

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
use tokio::sync::watch;

use super::{
    Webchat,
    answers::{EmptyAnswer, GuestAnswer, GuestRepliesAnswer, GuestSignInAnswer, TableChangeEvent},
    auth::{ClientAddress, bearer_token, token_hash},
    json_body::JsonBody,
    model::is_valid_key,
    rate_limits::RateKind,
    read_api::{
        LayoutQuery, ReplayQuery, TableQuery, json_response, table_response, viewer_page_response,
    },
    refusal::WebchatRefusal,
    routes::{ApiResult, WebchatContext, random_hex},
    stream_hub::StreamInbox,
    view,
};
use caravanserai_games::ids::TableId;
use caravanserai_protocol::guest_service::{
    AuthError, Guest, GuestService, SignInMarks, SignInProof,
};
use caravanserai_protocol::{PictureLayout, Unavailable, ViewerPage};

/// How often an open stream checks that its reader is still signed in.
const SIGN_IN_CHECK_EVERY: Duration = Duration::from_secs(20);
/// The longest sign-in proof that is read, in bytes; Telegram's are about a kilobyte.
const PROOF_BYTES_MAX: usize = 8 * 1024;

/// Builds the routes, to be mounted at `/api/guest`.
pub fn router() -> Router<WebchatContext> {
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

impl WebchatContext {
    fn guest_accounts(&self) -> Result<Arc<dyn GuestService>, WebchatRefusal> {
        let page = self.web.settings.page.as_ref();
        page.and_then(|_| self.handler.guest_service()).ok_or(WebchatRefusal::NotFound("page"))
    }
}

/// Returns the name of the cookie. Browsers accept the longer name (with a prefix) only over https,
/// for exactly this host and all its paths.
fn cookie_name(web: &Webchat) -> &'static str {
    let secure = web.settings.page.as_ref().is_some_and(|it| it.url.starts_with("https:"));
    if secure { "__Host-guest" } else { "guest" }
}

/// Builds the cookie with this value and lifetime; an empty value without lifetime deletes it.
fn session_cookie(web: &Webchat, value: &str, lasts_ms: u64) -> Option<HeaderValue> {
    let name = cookie_name(web);
    let secure = if name.starts_with("__") { "; Secure" } else { "" };
    let age = lasts_ms / 1_000;
    let text = format!("{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{secure}");
    HeaderValue::from_str(&text).ok()
}

fn read_session_cookie(web: &Webchat, headers: &HeaderMap) -> Option<String> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
    let pairs = all.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
    let own = pairs.into_iter().find(|(name, _)| *name == cookie_name(web));
    own.map(|(_, value)| value.to_owned()).filter(|it| !it.is_empty())
}

/// A user who is signed in from another platform.
struct SignedInGuest {
    guests: Arc<dyn GuestService>,
    guest: Guest,
    mark: String,
}

impl FromRequestParts<WebchatContext> for SignedInGuest {
    type Rejection = WebchatRefusal;

    async fn from_request_parts(
        parts: &mut Parts,
        ctx: &WebchatContext,
    ) -> Result<Self, WebchatRefusal> {
        let guests = ctx.guest_accounts()?;
        let token = bearer_token(&parts.headers).map(str::to_owned);
        let token = token.or_else(|| read_session_cookie(&ctx.web, &parts.headers));
        let mark = token_hash(&token.ok_or(WebchatRefusal::SignedOut)?);
        // Before the store is read: each known token has its limit, and unknown ones that of the
        // address. A platform's proxy has many users, so an address may have many valid tokens.
        let rates = &ctx.web.rates;
        let from = parts.extensions.get::<ClientAddress>().map_or("?", |it| it.0.as_str());
        let from = format!("guest tokens from {from}");
        match ctx.web.is_guest_known(&mark) {
            true => rates.check(&format!("guest {mark}"), RateKind::Ask)?,
            false => rates.failed_proofs.check(&from)?,
        }
        let guest = guests.find_guest(&mark).await?;
        ctx.web.note_guest(&mark, guest.is_some());
        let Some(guest) = guest else {
            rates.failed_proofs.record(&from);
            return Err(WebchatRefusal::SignedOut);
        };
        Ok(Self { guests, guest, mark })
    }
}

impl SignedInGuest {
    /// Returns the key under which the user's actions are counted.
    fn rate_key(&self) -> String {
        format!("guest {}", self.guest.account.id.0)
    }
}

/// A request to sign in: with a code, or from the client of a platform.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct SignInRequest {
    /// A code that the person received in private.
    code: Option<String>,
    /// The platform.
    platform: Option<String>,
    /// The data about the person from the platform's client.
    data: Option<String>,
    /// The id of a window shared by several people.
    instance: Option<String>,
    /// A random key of the client's window: with it the same code or data works again.
    window: Option<String>,
}

impl SignInRequest {
    fn into_proof(self) -> Result<SignInProof, WebchatRefusal> {
        let fits = |it: &String| !it.is_empty() && it.len() <= PROOF_BYTES_MAX;
        let mark = |window: Option<String>| window.filter(fits).map(|it| token_hash(&it));
        match self {
            SignInRequest { code: Some(code), window, .. } if fits(&code) => {
                Ok(SignInProof::Code { code, window: mark(window) })
            }
            SignInRequest {
                platform: Some(platform), data: Some(data), instance, window, ..
            } if fits(&data) => {
                let instance = instance.filter(fits);
                Ok(SignInProof::Client { platform, data, instance, window: mark(window) })
            }
            _ => Err(WebchatRefusal::BadRequest(
                "name a code, or a platform and what its client says",
            )),
        }
    }
}

async fn sign_in(
    State(ctx): State<WebchatContext>,
    Extension(from): Extension<ClientAddress>,
    headers: HeaderMap,
    JsonBody(it): JsonBody<SignInRequest>,
) -> Result<Response, WebchatRefusal> {
    let (web, guests) = (&ctx.web, ctx.guest_accounts()?);
    let proof = it.into_proof()?;
    let by_code = matches!(proof, SignInProof::Code { .. });
    // Codes must not be guessable by trying; other proofs are limited less, because a platform's
    // proxy has many users. Few of them fail, and each that does may have cost a call.
    let kind = if by_code { RateKind::Enter } else { RateKind::Ask };
    let key = format!("guest from {}", from.0);
    web.rates.check(&key, kind)?;
    if !by_code {
        web.rates.failed_proofs.check(&key)?;
    }
    let before = read_session_cookie(web, &headers).filter(|_| by_code);
    let new_token = random_hex::<32>()?;
    let (new, current) = (token_hash(&new_token), before.as_deref().map(token_hash));
    let marks = SignInMarks { new: &new, current: current.as_deref() };
    let entered = guests.sign_in(&proof, marks).await.map_err(|it| {
        if !by_code && it != AuthError::Unreachable {
            web.rates.failed_proofs.record(&key);
        }
        auth_refusal(it)
    })?;
    let (token, replaced) = match before {
        Some(before) if entered.is_continued => (before, None),
        _ => (new_token, current),
    };
    web.note_guest(&token_hash(&token), true);
    let response = GuestSignInAnswer {
        guest: guest_answer(&entered.guest),
        key: entered.platform_token,
        table: entered.table,
        token: (!by_code).then(|| token.clone()),
    };
    if !by_code {
        return Ok(Json(response).into_response());
    }
    if let Some(replaced) = replaced {
        // One browser has one user: the earlier one is signed out. If that fails, no browser has
        // their cookie any more all the same.
        let _ = guests.sign_out(&replaced).await;
    }
    let cookie =
        session_cookie(web, &token, entered.lifetime_ms).ok_or(WebchatRefusal::StoreUnavailable)?;
    Ok(([(header::SET_COOKIE, cookie)], Json(response)).into_response())
}

fn auth_refusal(error: AuthError) -> WebchatRefusal {
    match error {
        AuthError::Forged => WebchatRefusal::Unproven("unknown"),
        AuthError::Expired => WebchatRefusal::Unproven("old"),
        AuthError::Unreachable => WebchatRefusal::Unreachable,
    }
}

async fn me(it: SignedInGuest) -> ApiResult<GuestAnswer> {
    Ok(Json(guest_answer(&it.guest)))
}

fn guest_answer(guest: &Guest) -> GuestAnswer {
    let Guest { account, lang, theme, .. } = guest;
    GuestAnswer { lang: lang.clone(), name: account.name.clone(), theme: theme.clone() }
}

async fn sign_out(
    State(ctx): State<WebchatContext>,
    it: SignedInGuest,
) -> Result<Response, WebchatRefusal> {
    it.guests.sign_out(&it.mark).await?;
    let cookie = session_cookie(&ctx.web, "", 0).ok_or(WebchatRefusal::StoreUnavailable)?;
    Ok(([(header::SET_COOKIE, cookie)], Json(EmptyAnswer {})).into_response())
}

async fn tables(
    State(ctx): State<WebchatContext>,
    it: SignedInGuest,
) -> Result<Response, WebchatRefusal> {
    ctx.web.rates.check(&it.rate_key(), RateKind::Ask)?;
    let tables = it.guests.guest_tables(&it.guest).await;
    Ok(json_response(&tables.ok_or(WebchatRefusal::BotFailed)?))
}

async fn table(
    State(ctx): State<WebchatContext>,
    it: SignedInGuest,
    Path(table): Path<String>,
    Query(asking): Query<TableQuery>,
) -> Result<Response, WebchatRefusal> {
    ctx.web.rates.check(&it.rate_key(), RateKind::Ask)?;
    let query = asking.to_state_query();
    let state = it.guests.guest_table(&it.guest, &table_id(&table), query).await?;
    let state = state.ok_or(WebchatRefusal::NotFound("table"))?;
    Ok(table_response(&ctx.web, &it.rate_key(), &asking, &state))
}

async fn replay(
    State(ctx): State<WebchatContext>,
    it: SignedInGuest,
    Path(table): Path<String>,
    Query(steps): Query<ReplayQuery>,
    Query(layout): Query<LayoutQuery>,
    headers: HeaderMap,
) -> Result<Response, WebchatRefusal> {
    let look = steps.to_look(table_id(&table));
    show(&ctx, &it, (look, layout.to_layout()), &headers).await
}

async fn review(
    State(ctx): State<WebchatContext>,
    it: SignedInGuest,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Result<Response, WebchatRefusal> {
    let look = ViewerPage::Review { table: table_id(&table), step: None };
    show(&ctx, &it, (look, PictureLayout::Wide), &headers).await
}

/// Returns a page to view, unless the client has it already.
async fn show(
    ctx: &WebchatContext,
    it: &SignedInGuest,
    (look, layout): (ViewerPage, PictureLayout),
    headers: &HeaderMap,
) -> Result<Response, WebchatRefusal> {
    ctx.web.rates.check(&it.rate_key(), RateKind::Fetch)?;
    let shown = it.guests.guest_page(&it.guest, look, layout).await?;
    Ok(viewer_page_response(&shown.ok_or(WebchatRefusal::NotFound("table"))?, headers))
}

/// A request to press a button of a table.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GuestPressRequest {
    /// The callback data.
    #[serde(rename = "press")]
    callback_data: String,
    /// Chosen by the client: the same key acts once.
    key: String,
}

async fn press(
    State(ctx): State<WebchatContext>,
    it: SignedInGuest,
    Path(table): Path<String>,
    JsonBody(pressed): JsonBody<GuestPressRequest>,
) -> ApiResult<GuestRepliesAnswer> {
    ctx.web.rates.check(&it.rate_key(), RateKind::Press)?;
    let GuestPressRequest { callback_data, key } = pressed;
    if !is_valid_key(&key)
        || callback_data.is_empty()
        || callback_data.len() > 64
        || !callback_data.is_ascii()
    {
        return Err(WebchatRefusal::BadRequest("a press has 1 to 64 bytes of ASCII and a key"));
    }
    let SignedInGuest { guests, guest, .. } = it;
    // Runs to its end even if the client has disconnected.
    let done = tokio::spawn(async move {
        guests.press_button(&guest, &table_id(&table), &callback_data, &key).await
    });
    let replies = done
        .await
        .map_err(|_| WebchatRefusal::BotFailed)?
        .ok_or(WebchatRefusal::NotFound("button"))?;
    Ok(Json(GuestRepliesAnswer { whispers: view::guest_reply_views(&replies) }))
}

#[derive(Deserialize)]
struct EventsSince {
    since: Option<u64>,
}

/// An open stream of one table.
struct GuestStream {
    web: Arc<Webchat>,
    it: SignedInGuest,
    inbox: Arc<StreamInbox>,
    table: TableId,
    since: Option<u64>,
    closing: watch::Receiver<bool>,
    ended: bool,
}

async fn events(
    State(ctx): State<WebchatContext>,
    it: SignedInGuest,
    Path(table): Path<String>,
    Query(EventsSince { since }): Query<EventsSince>,
) -> Result<Sse<impl Stream<Item = Result<Event, axum::Error>>>, WebchatRefusal> {
    let web = &ctx.web;
    web.rates.check(&it.rate_key(), RateKind::Ask)?;
    let (inbox, _) = web.hub.open(&it.rate_key(), web.settings.limits.streams);
    let (table, closing) = (table_id(&table), web.closing.subscribe());
    let web = Arc::clone(web);
    let watching = GuestStream { web, it, inbox, table, since, closing, ended: false };
    let stream = futures::stream::unfold(watching, |mut watching| async move {
        let event = watching.next().await?;
        Some((event, watching))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}

impl GuestStream {
    /// Returns the next change; when there will be no more, reports that once. Ends without a
    /// report when the bot cannot read this now, or newer streams of the user have replaced this
    /// one: the page opens another stream after a pause, which grows up to some seconds.
    async fn next(&mut self) -> Option<Result<Event, axum::Error>> {
        while !self.ended && !*self.closing.borrow() && !self.inbox.is_replaced() {
            let SignedInGuest { guests, guest, mark } = &self.it;
            let changed = guests.wait_for_change(guest, &self.table, self.since);
            tokio::select! {
                changed = tokio::time::timeout(SIGN_IN_CHECK_EVERY, changed) => match changed {
                    Ok(Ok(Some(change))) => {
                        self.since = Some(change);
                        let table = self.table.0.clone();
                        let response = TableChangeEvent { change, table };
                        return Some(Event::default().event("table").json_data(response));
                    }
                    Ok(Ok(None)) => self.ended = true,
                    Ok(Err(Unavailable)) => return None,
                    Err(_) => {}
                },
                () = self.inbox.news.notified() => continue,
                _ = self.closing.changed() => return None,
            }
            // Find out whether the user was signed out meanwhile, here or everywhere.
            let why = match guests.find_guest(mark).await {
                Ok(Some(_)) => "gone",
                Ok(None) => "stranger",
                Err(Unavailable) => return None,
            };
            self.ended |= why == "stranger";
            if self.ended {
                return Some(Ok(Event::default().event(why).data("{}")));
            }
        }
        None
    }
}

impl Drop for GuestStream {
    fn drop(&mut self) {
        self.web.hub.close(&self.it.rate_key(), &self.inbox);
    }
}

fn table_id(table: &str) -> TableId {
    TableId(table.to_lowercase())
}
