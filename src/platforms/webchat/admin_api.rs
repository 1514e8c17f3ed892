//! Lets the operator of the bot list people and rooms, close rooms, and ban people.
//!
//! Everything under `/api/host` requires the setting `WEB_HOST_SECRET` as a bearer token; without
//! that setting these routes do not exist.
//!
//! | request | body | answer |
//! | --- | --- | --- |
//! | `GET /api/host` | | `{people, rooms, bans}` |
//! | `POST /api/host/ban` | `{person}` or `{address}`, and `{days?}` | `{address}`, see below |
//! | `POST /api/host/unban` | `{address}` | `{}` |
//! | `POST /api/host/close` | `{room}` | `{}` |
//!
//! The `chat` of a room is the id by which the bot knows it, as in `/admin ban chat`.
//!
//! A ban deletes the person and blocks their address, if it is known: for seven days, unless the
//! request contains another number. The address of this machine is never blocked. If this process
//! does not know the address, the status is 202: another process may block it.

use std::net::IpAddr;

use axum::{
    Json, Router,
    extract::{FromRequestParts, State},
    http::{StatusCode, header, request::Parts},
    routing::{get, post},
};
use caravanserai_games::time_units::{DAY_MS, MINUTE_MS};
use serde::Deserialize;
use serde_json::{Value, json};
use subtle::ConstantTimeEq;

use super::{
    auth::{ClientAddress, address_prefix, is_local_address},
    bot_updates,
    json_body::JsonBody,
    model::{PendingBan, PendingBotAction, PendingBotUpdate, clean_room},
    now_ms,
    refusal::WebchatRefusal,
    routes::{ApiResult, WebchatContext, WebchatHandle},
};

/// The length of a ban without `days` in the request.
const DEFAULT_BAN_DAYS: u64 = 7;
/// How long other processes may block the address of a banned person, in milliseconds.
const PENDING_BAN_MS: u64 = 10 * MINUTE_MS;

/// Builds the routes, to be mounted at `/api/host`.
pub fn router() -> Router<WebchatContext> {
    Router::new()
        .route("/", get(list))
        .route("/ban", post(ban))
        .route("/unban", post(unban))
        .route("/close", post(close))
}

/// The operator, authenticated by the secret.
struct OperatorAuth;

impl FromRequestParts<WebchatContext> for OperatorAuth {
    type Rejection = WebchatRefusal;

    async fn from_request_parts(
        parts: &mut Parts,
        ctx: &WebchatContext,
    ) -> Result<Self, WebchatRefusal> {
        let wanted =
            ctx.web.settings.operator_secret.as_deref().ok_or(WebchatRefusal::NotFound("page"))?;
        let from = parts.extensions.get::<ClientAddress>().map_or("?", |it| it.0.as_str());
        // Limits attempts to guess the secret; the operator is limited as well.
        ctx.web.rates.check(&format!("host {from}"), super::rate_limits::RateKind::Ask)?;
        let given = parts.headers.get(header::AUTHORIZATION).and_then(|it| it.to_str().ok());
        let given = given.and_then(|it| it.strip_prefix("Bearer ")).unwrap_or_default();
        let same: bool = given.as_bytes().ct_eq(wanted.as_bytes()).into();
        if same { Ok(Self) } else { Err(WebchatRefusal::UnknownToken) }
    }
}

async fn list(_: OperatorAuth, State(web): WebchatHandle) -> ApiResult<Value> {
    let state = web.state();
    let person = |id: &String| {
        let it = state.people.get(id)?;
        let address = web.client_address_of(id).map(|it| it.0);
        let here = web.hub.is_online(id);
        Some(json!({ "id": format!("web:{id}"), "name": it.name, "seen_ms": it.seen_ms,
            "took_part": it.took_part, "here": here, "address": address, "rooms": it.rooms }))
    };
    let mut people: Vec<&String> = state.people.keys().collect();
    people.sort_unstable();
    let people: Vec<Value> = people.into_iter().filter_map(person).collect();
    let rooms = state.rooms.values().filter(|it| !it.room.is_private());
    let rooms = rooms.map(|it| {
        json!({ "name": it.room.name, "chat": it.room.chat_id(), "people": it.room.people.len(),
            "active_ms": it.active_ms, "messages": it.messages.size(),
            "closed": it.room.invite.is_some() })
    });
    let bans = state.bans.iter().map(|(it, until)| json!({ "address": it, "until_ms": until }));
    Ok(Json(json!({
        "people": people,
        "rooms": rooms.collect::<Vec<_>>(),
        "bans": bans.collect::<Vec<_>>(),
    })))
}

#[derive(Deserialize)]
struct BanRequest {
    person: Option<String>,
    address: Option<String>,
    days: Option<u64>,
}

async fn ban(
    _: OperatorAuth,
    State(ctx): State<WebchatContext>,
    JsonBody(it): JsonBody<BanRequest>,
) -> Result<(StatusCode, Json<Value>), WebchatRefusal> {
    let person = it.person.map(|it| it.trim_start_matches("web:").to_owned());
    let named = it.address.map(|it| normalize_address(&it)).transpose()?;
    let known = named.or_else(|| ctx.web.client_address_of(person.as_deref()?).map(|it| it.0));
    let is_unknown = known.is_none();
    let address = known.filter(|it| !is_local_address(it));
    if person.is_none() && address.is_none() {
        return Err(WebchatRefusal::BadRequest("name a person or an address"));
    }
    let until_ms =
        now_ms().saturating_add(it.days.unwrap_or(DEFAULT_BAN_DAYS).saturating_mul(DAY_MS));
    let kept_out = address.clone();
    let banned = person.clone();
    let change = ctx.web.change(move |state| {
        if let Some(person) = &person
            && !state.forget_person(person, "", now_ms())
        {
            return Err(WebchatRefusal::NotFound("person"));
        }
        if let Some(person) = person.as_ref().filter(|_| is_unknown) {
            let pending = PendingBan { until_ms, expires_ms: now_ms() + PENDING_BAN_MS };
            state.add_pending_ban(person, pending);
        }
        if let Some(address) = &kept_out {
            state.ban(address, Some(until_ms));
        }
        Ok(())
    });
    change.await?;
    let is_theirs = |it: &PendingBotUpdate| match &it.act {
        PendingBotAction::Left { who } => Some(who) == banned.as_ref(),
        PendingBotAction::Closed => Some(&it.person) == banned.as_ref(),
        _ => false,
    };
    bot_updates::deliver_waiting(&ctx.web, &ctx.handler, is_theirs).await;
    let status = if is_unknown { StatusCode::ACCEPTED } else { StatusCode::OK };
    Ok((status, Json(json!({ "address": address }))))
}

#[derive(Deserialize)]
struct UnbanRequest {
    address: Option<String>,
}

async fn unban(
    _: OperatorAuth,
    State(web): WebchatHandle,
    JsonBody(it): JsonBody<UnbanRequest>,
) -> ApiResult<Value> {
    let Some(address) = it.address else {
        return Err(WebchatRefusal::BadRequest("name an address of the list of bans"));
    };
    let address = normalize_address(&address)?;
    web.change(move |state| {
        state.ban(&address, None);
        Ok(())
    })
    .await?;
    Ok(Json(json!({})))
}

#[derive(Deserialize)]
struct CloseRoomRequest {
    room: String,
}

async fn close(
    _: OperatorAuth,
    State(ctx): State<WebchatContext>,
    JsonBody(it): JsonBody<CloseRoomRequest>,
) -> ApiResult<Value> {
    let room = clean_room(&it.room).ok_or(WebchatRefusal::NotFound("room"))?;
    let closed = room.clone();
    let change = ctx.web.change(move |state| match state.close_room(&room, now_ms()) {
        true => Ok(()),
        false => Err(WebchatRefusal::NotFound("room")),
    });
    change.await?;
    // At once: the clocks of its games must not run out meanwhile.
    let is_closing =
        |it: &PendingBotUpdate| it.room == closed && matches!(it.act, PendingBotAction::Closed);
    bot_updates::deliver_waiting(&ctx.web, &ctx.handler, is_closing).await;
    Ok(Json(json!({})))
}

/// Returns an address in stored form: the address itself, or a household as the list shows it.
fn normalize_address(text: &str) -> Result<String, WebchatRefusal> {
    let bad = WebchatRefusal::BadRequest("an address looks like 192.0.2.7 or 2001:db8::1");
    let plain = text.trim().trim_end_matches("/64");
    plain.parse::<IpAddr>().map(address_prefix).map_err(|_| bad)
}
