//! The requests. Each checks what it is given, changes the state, and answers when that is kept.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::{
        DefaultBodyLimit, FromRef, FromRequest, Path, Query, Request, State,
        rejection::JsonRejection,
    },
    http::{HeaderMap, header},
    middleware,
    routing::{get, post},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{
    Live, Web, acts, assets,
    bot::hex,
    deeds, fetch,
    guard::{self, Me},
    model::{Member, clean_locale, clean_name, clean_room},
    now_ms,
    refusal::Refusal,
    suggest, view,
};
use crate::chat::Listener;

const BODY_BYTES_MAX: usize = 32 * 1024;
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

/// All routes.
pub fn router(web: Arc<Web>, listener: Arc<dyn Listener>) -> Router {
    let ctx = Ctx { web: Arc::clone(&web), listener };
    Router::new()
        .route("/api/people", post(arrive))
        .route("/api/me", get(me).post(rename))
        .route("/api/rooms", get(rooms).post(join))
        .route("/api/rooms/{room}", get(room))
        .route("/api/rooms/{room}/messages", post(deeds::say))
        .route("/api/rooms/{room}/press", post(deeds::press))
        .route("/api/rooms/{room}/dismiss", post(deeds::dismiss))
        .route("/api/rooms/{room}/typing", post(typing))
        .route("/api/rooms/{room}/bot", post(set_bot))
        .route("/api/rooms/{room}/leave", post(leave))
        .route("/api/suggest", get(suggest))
        .route("/api/events", get(fetch::events))
        .route("/api/pictures/{name}", get(fetch::picture))
        .route("/api/files/{hash}", get(fetch::file))
        .merge(assets::router())
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(middleware::from_fn_with_state(web, guard::check))
        .with_state(ctx)
}

/// A JSON body whose errors are answered like all others.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(body)) => Ok(Body(body)),
            Err(JsonRejection::MissingJsonContentType(_)) => {
                Err(Refusal::Bad("send JSON with Content-Type: application/json"))
            }
            Err(_) => Err(Refusal::Bad("this is not the JSON that belongs here")),
        }
    }
}

#[derive(Deserialize)]
struct Arriving {
    name: String,
    locale: Option<String>,
}

async fn arrive(State(web): Chat, headers: HeaderMap, Body(it): Body<Arriving>) -> Answer {
    web.take("", "arrive", web.settings.limits.arrive)?;
    let name = clean_name(&it.name).ok_or(Refusal::Bad("a name has 1 to 32 characters"))?;
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
        rooms: vec![],
        changed: 0,
    };
    web.change(|state| state.arrive(member, &web.settings.limits)).await?;
    Ok(Json(json!({ "id": format!("web:{id}"), "token": token, "name": name })))
}

async fn me(State(web): Chat, Me(me): Me) -> Answer {
    let (value, seq) = {
        let state = web.state();
        let member = state.people.get(&me).ok_or(Refusal::Stranger)?;
        (view::me(member, state.seq), state.seq)
    };
    web.until_durable(seq).await?;
    Ok(Json(value))
}

#[derive(Deserialize)]
struct Renaming {
    name: Option<String>,
    locale: Option<String>,
}

async fn rename(State(web): Chat, Me(me): Me, Body(it): Body<Renaming>) -> Answer {
    web.take(&me, "open", web.settings.limits.open)?;
    let bad = Refusal::Bad("a name has 1 to 32 characters");
    let name = it.name.map(|it| clean_name(&it).ok_or(bad)).transpose()?;
    let bad = Refusal::Bad("a locale looks like kk or pt-BR");
    let locale = it.locale.map(|it| clean_locale(&it).ok_or(bad)).transpose()?;
    let change = web.change(|state| {
        state.rename(&me, name, locale);
        state.people.get(&me).map(|it| view::me(it, state.seq)).ok_or(Refusal::Stranger)
    });
    Ok(Json(change.await?))
}

async fn rooms(State(web): Chat, Me(me): Me) -> Answer {
    web.take(&me, "ask", web.settings.limits.ask)?;
    let state = web.state();
    let mut rooms: Vec<_> = state.places.values().filter(|it| !it.room.private()).collect();
    rooms.sort_by_key(|it| std::cmp::Reverse(it.room.active_ms));
    let rooms = rooms.into_iter().take(PAGE_MAX).map(|it| {
        let people = it.room.people.len();
        json!({ "name": it.room.name, "people": people, "joined": it.has(&me) })
    });
    Ok(Json(json!({ "rooms": rooms.collect::<Vec<_>>() })))
}

#[derive(Deserialize)]
struct Naming {
    name: String,
}

async fn join(State(ctx): State<Ctx>, Me(me): Me, Body(it): Body<Naming>) -> Answer {
    let web = &ctx.web;
    let bad = Refusal::Bad("a room's name has 1 to 40 letters, digits, - or _");
    let name = own_room(&me, &it.name).ok_or(bad)?;
    let limits = &web.settings.limits;
    let new = !web.state().places.contains_key(&name);
    web.take(&me, if new { "open" } else { "ask" }, if new { limits.open } else { limits.ask })?;
    let heard = web.change(|state| state.join(&me, &name, now_ms(), limits)).await?;
    if let Some(pending) = heard {
        acts::hear(web, &ctx.listener, pending).await?;
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
    web.take(&me, "ask", web.settings.limits.ask)?;
    page(&web, &me, &the_room(&me, &room)?, &paging).await
}

/// A room with its newest messages before a number, oldest first.
async fn page(web: &Web, me: &str, room: &str, paging: &Paging) -> Answer {
    let (value, seq) = {
        let state = web.state();
        let place = state.room_of(me, room)?;
        let limit = paging.limit.unwrap_or(PAGE_MAX).clamp(1, PAGE_MAX);
        let before = paging.before.unwrap_or(u64::MAX);
        let earlier = place.messages.range(..before).map(|(_, it)| it);
        let mut earlier = earlier.rev().filter(|it| it.visible_to(me) && !it.gone);
        let mut messages: Vec<Value> =
            earlier.by_ref().take(limit).map(|it| view::message(room, it)).collect();
        messages.reverse();
        let more = earlier.next().is_some();
        let mut value = view::room(web, &state, place, me);
        value["messages"] = json!(messages);
        value["more"] = json!(more);
        value["seq"] = json!(state.seq);
        (value, state.seq)
    };
    web.until_durable(seq).await?;
    Ok(Json(value))
}

async fn typing(State(web): Chat, Me(me): Me, Path(room): Path<String>) -> Answer {
    web.take(&me, "ask", web.settings.limits.ask)?;
    let room = the_room(&me, &room)?;
    let name = {
        let state = web.state();
        state.room_of(&me, &room)?;
        state.people.get(&me).map(|it| it.name.clone()).unwrap_or_default()
    };
    let data = json!({ "room": room, "person": format!("web:{me}"), "name": name }).to_string();
    web.tell(Live { room, from: me, event: "busy", data });
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
    ctx.web.take(&me, "open", ctx.web.settings.limits.open)?;
    let room = the_room(&me, &room)?;
    let heard = ctx.web.change(|state| state.set_bot(&me, &room, it.present)).await?;
    if let Some(pending) = heard {
        acts::hear(&ctx.web, &ctx.listener, pending).await?;
    }
    Ok(Json(json!({})))
}

async fn leave(State(web): Chat, Me(me): Me, Path(room): Path<String>) -> Answer {
    web.take(&me, "ask", web.settings.limits.ask)?;
    let room = the_room(&me, &room)?;
    if room.starts_with('@') {
        return Err(Refusal::Bad("the private chat stays; send the bot away instead"));
    }
    web.change(|state| state.leave(&me, &room)).await?;
    Ok(Json(json!({})))
}

#[derive(Deserialize)]
struct Typed {
    room: String,
    text: String,
}

async fn suggest(State(ctx): State<Ctx>, Me(me): Me, Query(it): Query<Typed>) -> Answer {
    ctx.web.take(&me, "ask", ctx.web.settings.limits.ask)?;
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

fn random_hex<const N: usize>() -> Result<String, Refusal> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| Refusal::Disk)?;
    Ok(hex(&bytes))
}
