//! The requests. Each checks what it is given, changes the state, and answers when that is kept.

use std::sync::Arc;

use axum::{
    Extension, Json, Router,
    extract::{FromRef, Path, Query, State},
    http::{Extensions, HeaderMap, StatusCode, Version, header},
    middleware,
    routing::{get, post},
};
use serde::Deserialize;
use serde_json::{Value, json};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};

use super::{
    Web, acts, assets,
    body::Body,
    bot::hex,
    deeds, fetch,
    guard::{self, From, Me},
    guests, host,
    hub::Live,
    manage,
    model::{Member, clean_locale, clean_room},
    names, now_ms,
    rates::Deed,
    refusal::Refusal,
    suggest, view,
};
use caravanserai_protocol::{Arrival, Listener};

/// Messages in one answer.
const PAGE_MAX: usize = 200;

/// What every request may use.
#[derive(Clone)]
pub struct Ctx {
    /// The chat.
    pub web: Arc<Web>,
    /// The bot.
    pub listener: Arc<dyn Listener>,
}

impl FromRef<Ctx> for Arc<Web> {
    fn from_ref(ctx: &Ctx) -> Self {
        Arc::clone(&ctx.web)
    }
}

/// An answer in JSON, or why there is none.
pub type Answer = Result<Json<Value>, Refusal>;
/// The chat, as handlers ask for it.
pub type Chat = State<Arc<Web>>;

/// So many streams are compressed at a time: each keeps what it needs for that.
const STREAMS_SHRUNK: usize = 256;

/// What is compressed on its way: words of some length, and live updates, each of which is much
/// like the one before it. Pictures are small already.
fn shrinks(web: &Arc<Web>) -> impl Predicate + use<> {
    let web = Arc::clone(web);
    let few = move |_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions| {
        let kind = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
        let is_stream = kind.is_some_and(|it| it.starts_with("text/event-stream"));
        !is_stream || web.hub.streams() <= STREAMS_SHRUNK
    };
    SizeAbove::new(256).and(NotForContentType::IMAGES).and(few)
}

/// All routes.
pub fn router(web: Arc<Web>, listener: Arc<dyn Listener>) -> Router {
    let ctx = Ctx { web: Arc::clone(&web), listener };
    Router::new()
        .route("/api/people", post(arrive))
        .route("/api/me", get(me).post(rename))
        .route("/api/me/token", post(manage::sign_out_elsewhere))
        .route("/api/rooms", get(rooms).post(join))
        .route("/api/rooms/{room}", get(room))
        .route("/api/rooms/{room}/messages", post(deeds::say))
        .route("/api/rooms/{room}/press", post(deeds::press))
        .route("/api/rooms/{room}/dismiss", post(deeds::dismiss))
        .route("/api/rooms/{room}/typing", post(typing))
        .route("/api/rooms/{room}/bot", post(set_bot))
        .route("/api/rooms/{room}/door", post(manage::set_door))
        .route("/api/rooms/{room}/people", post(manage::discipline))
        .route("/api/rooms/{room}/leave", post(leave))
        .route("/api/rooms/{room}/tables/{table}", get(fetch::table))
        .route("/api/rooms/{room}/tables/{table}/replay", get(fetch::replay))
        .route("/api/rooms/{room}/tables/{table}/review", get(fetch::review))
        .route("/api/rooms/{room}/lessons/{game}/{page}", get(fetch::lesson))
        .route("/api/tables", get(fetch::tables))
        .route("/api/suggest", get(suggest))
        .route("/api/events", get(fetch::events))
        .route("/api/pictures/{name}", get(fetch::picture))
        .route("/api/files/{hash}", get(fetch::file))
        .route("/art/{name}", get(fetch::drawings))
        .nest("/api/guest", guests::router())
        // As a page calls them that is shown through the proxy of a platform.
        .nest("/.proxy/api/guest", guests::router())
        .route("/.proxy/art/{name}", get(fetch::drawings))
        .nest("/api/host", host::router())
        .merge(assets::router())
        .layer(CompressionLayer::new().compress_when(shrinks(&web)))
        .layer(middleware::from_fn_with_state(web, guard::check))
        .with_state(ctx)
}

#[derive(Deserialize)]
struct Arriving {
    name: String,
    locale: Option<String>,
}

async fn arrive(
    State(web): Chat,
    Extension(from): Extension<From>,
    headers: HeaderMap,
    Body(it): Body<Arriving>,
) -> Answer {
    let name = names::clean(&it.name)?;
    web.rates.take(&from.0, Deed::Arrive)?;
    let spoken = headers.get(header::ACCEPT_LANGUAGE).and_then(|it| it.to_str().ok());
    let spoken = spoken.and_then(|it| it.split([',', ';']).next()).map(str::to_owned);
    let locale = it.locale.or(spoken).as_deref().and_then(clean_locale);
    let (id, token) = (random_hex::<8>()?, random_hex::<32>()?);
    let member = Member {
        id: id.clone(),
        name: name.clone(),
        locale,
        secret: guard::hash_of(&token),
        seen_ms: now_ms(),
        ..Member::default()
    };
    let (limits, chat) = (web.settings.limits.clone(), Arc::clone(&web));
    let here = move |person: &str| chat.hub.online(person);
    web.change(move |state| state.arrive(member.clone(), &limits, &here)).await?;
    web.note_address(&id, from);
    Ok(Json(json!({ "id": format!("web:{id}"), "token": token, "name": name })))
}

async fn me(State(web): Chat, Me(me): Me) -> Answer {
    let state = web.state();
    let member = state.people.get(&me).ok_or(Refusal::Stranger)?;
    Ok(Json(view::me(member, state.seq)))
}

#[derive(Deserialize)]
struct Renaming {
    name: Option<String>,
    locale: Option<String>,
}

async fn rename(State(web): Chat, Me(me): Me, Body(it): Body<Renaming>) -> Answer {
    web.rates.take(&me, Deed::Open)?;
    let name = it.name.map(|it| names::clean(&it)).transpose()?;
    let bad = Refusal::Bad("a locale looks like kk or pt-BR");
    let locale = it.locale.map(|it| clean_locale(&it).ok_or(bad)).transpose()?;
    let change = web.change(move |state| {
        state.rename(&me, name.clone(), locale.clone())?;
        state.people.get(&me).map(|it| view::me(it, state.seq)).ok_or(Refusal::Stranger)
    });
    Ok(Json(change.await?))
}

async fn rooms(State(web): Chat, Me(me): Me) -> Answer {
    web.rates.take(&me, Deed::Ask)?;
    let state = web.state();
    // A closed room is nobody's business but of those who are in it.
    let open = state.places.values().filter(|it| !it.room.private());
    let mut rooms: Vec<_> = open.filter(|it| it.room.invite.is_none() || it.has(&me)).collect();
    rooms.sort_by_key(|it| std::cmp::Reverse(it.active_ms));
    let rooms = rooms.into_iter().take(PAGE_MAX).map(|it| {
        let people = it.room.people.len();
        json!({ "name": it.room.name, "people": people, "joined": it.has(&me) })
    });
    Ok(Json(json!({ "rooms": rooms.collect::<Vec<_>>() })))
}

#[derive(Deserialize)]
struct Joining {
    name: String,
    invite: Option<String>,
}

async fn join(State(ctx): State<Ctx>, Me(me): Me, Body(it): Body<Joining>) -> Answer {
    let web = &ctx.web;
    let bad = Refusal::Bad("a room's name has 1 to 40 letters, digits, - or _");
    let name = own_room(&me, &it.name).ok_or(bad)?;
    let new = !web.state().places.contains_key(&name);
    web.rates.take(&me, if new { Deed::Open } else { Deed::Ask })?;
    let (limits, who, room) = (web.settings.limits.clone(), me.clone(), name.clone());
    let change =
        web.change(move |state| state.join(&who, &room, it.invite.as_deref(), now_ms(), &limits));
    let heard = change.await?;
    if let Some(pending) = heard {
        acts::hear(web, &ctx.listener, pending, Arrival::default()).await?;
    }
    page(web, &me, &name, &Paging::default()).await
}

#[derive(Default, Deserialize)]
struct Paging {
    before: Option<u64>,
    limit: Option<usize>,
}

async fn room(
    State(web): Chat,
    Me(me): Me,
    Path(room): Path<String>,
    Query(paging): Query<Paging>,
) -> Answer {
    web.rates.take(&me, Deed::Ask)?;
    page(&web, &me, &the_room(&me, &room)?, &paging).await
}

/// A room with its newest messages before a number, oldest first.
async fn page(web: &Web, me: &str, room: &str, paging: &Paging) -> Answer {
    let state = web.state();
    let place = state.room_of(me, room)?;
    let limit = paging.limit.unwrap_or(PAGE_MAX).clamp(1, PAGE_MAX);
    let before = paging.before.unwrap_or(u64::MAX);
    let earlier = place.messages.range(..before).map(|(_, it)| &it.message);
    let mut earlier = earlier.rev().filter(|it| it.visible_to(me) && !it.gone);
    let mut messages: Vec<Value> =
        earlier.by_ref().take(limit).map(|it| view::message(room, it)).collect();
    messages.reverse();
    let more = earlier.next().is_some();
    let mut value = view::room(web, &state, place, me);
    value["messages"] = json!(messages);
    value["more"] = json!(more);
    value["seq"] = json!(state.seq);
    Ok(Json(value))
}

async fn typing(State(web): Chat, Me(me): Me, Path(room): Path<String>) -> Answer {
    web.rates.take(&me, Deed::Ask)?;
    let room = the_room(&me, &room)?;
    let name = {
        let state = web.state();
        state.may_write(&me, &room)?;
        state.people.get(&me).map(|it| it.name.clone()).unwrap_or_default()
    };
    let data = json!({ "room": room, "person": format!("web:{me}"), "name": name }).to_string();
    web.tell(&room, &me, Live { event: "busy", data });
    Ok(Json(json!({})))
}

#[derive(Deserialize)]
struct Presence {
    present: bool,
}

async fn set_bot(
    State(ctx): State<Ctx>,
    Me(me): Me,
    Path(room): Path<String>,
    Body(it): Body<Presence>,
) -> Answer {
    ctx.web.rates.take(&me, Deed::Open)?;
    let room = the_room(&me, &room)?;
    let change = ctx.web.change(move |state| state.set_bot(&me, &room, it.present, now_ms()));
    let heard = change.await?;
    if let Some(pending) = heard {
        acts::hear(&ctx.web, &ctx.listener, pending, Arrival::default()).await?;
    }
    Ok(Json(json!({})))
}

async fn leave(State(ctx): State<Ctx>, Me(me): Me, Path(room): Path<String>) -> Answer {
    ctx.web.rates.take(&me, Deed::Ask)?;
    let room = the_room(&me, &room)?;
    if room.starts_with('@') {
        return Err(Refusal::Bad("the private chat stays; send the bot away instead"));
    }
    let change = ctx.web.change(move |state| {
        state.leave(&me, &room)?;
        Ok(state.went(&me, &room, &me, now_ms()))
    });
    if let Some(pending) = change.await? {
        acts::hear(&ctx.web, &ctx.listener, pending, Arrival::default()).await?;
    }
    Ok(Json(json!({})))
}

#[derive(Deserialize)]
struct Typed {
    room: String,
    text: String,
}

async fn suggest(State(ctx): State<Ctx>, Me(me): Me, Query(it): Query<Typed>) -> Answer {
    ctx.web.rates.take(&me, Deed::Ask)?;
    let room = the_room(&me, &it.room)?;
    let text: String = it.text.chars().take(ctx.web.settings.limits.text_chars).collect();
    let offers = suggest::offers(&ctx.web, &ctx.listener, &me, &room, &text).await?;
    Ok(Json(json!({ "suggestions": offers })))
}

/// The full name of a room that is asked for.
pub fn the_room(me: &str, room: &str) -> Result<String, Refusal> {
    own_room(me, room).ok_or(Refusal::Absent("room for you"))
}

/// The full name of a room: `@` is one's own private chat.
fn own_room(me: &str, room: &str) -> Option<String> {
    if room == "@" { Some(format!("@{me}")) } else { clean_room(room) }
}

/// Letters that nobody guesses.
pub fn random_hex<const N: usize>() -> Result<String, Refusal> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| Refusal::Disk)?;
    Ok(hex(&bytes))
}
