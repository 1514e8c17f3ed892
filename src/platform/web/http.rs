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
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{
    Live, Web, acts, assets,
    bot::hex,
    guard::{self, Me},
    mentions,
    model::{Act, Member, Message, Pending, clean_locale, clean_name, clean_room, good_key},
    now_ms,
    refusal::Refusal,
    stream, suggest, view,
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

type Answer = Result<Json<Value>, Refusal>;
type Chat = State<Arc<Web>>;

/// All routes.
pub fn router(web: Arc<Web>, listener: Arc<dyn Listener>) -> Router {
    let ctx = Ctx { web: Arc::clone(&web), listener };
    Router::new()
        .route("/api/people", post(arrive))
        .route("/api/me", get(me).post(rename))
        .route("/api/rooms", get(rooms).post(join))
        .route("/api/rooms/{room}", get(room))
        .route("/api/rooms/{room}/messages", post(say))
        .route("/api/rooms/{room}/press", post(press))
        .route("/api/rooms/{room}/dismiss", post(dismiss))
        .route("/api/rooms/{room}/typing", post(typing))
        .route("/api/rooms/{room}/bot", post(set_bot))
        .route("/api/rooms/{room}/leave", post(leave))
        .route("/api/suggest", get(suggest))
        .route("/api/events", get(events))
        .route("/api/pictures/{name}", get(picture))
        .route("/api/files/{hash}", get(file))
        .merge(assets::router())
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(middleware::from_fn_with_state(web, guard::check))
        .with_state(ctx)
}

/// A JSON body whose errors are answered like all others.
struct Body<T>(T);

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

#[derive(Deserialize)]
struct Saying {
    text: String,
    key: String,
    reply_to: Option<u64>,
    #[serde(default)]
    mentions: Vec<String>,
}

async fn say(
    State(ctx): State<Ctx>,
    Me(me): Me,
    Path(room): Path<String>,
    Body(it): Body<Saying>,
) -> Answer {
    let web = &ctx.web;
    let limits = &web.settings.limits;
    web.take(&me, "say", limits.say)?;
    let room = the_room(&me, &room)?;
    let text = it.text.trim();
    if text.is_empty() || text.chars().count() > limits.text_chars {
        return Err(Refusal::Bad("a message has 1 to 2,000 characters"));
    }
    check_key(&it.key)?;
    let (id, heard) = web
        .change(|state| {
            let place = state.room_of(&me, &room)?;
            let people = place.room.people.iter().filter_map(|id| state.people.get(id));
            let people: Vec<_> = people.map(|it| (it.id.as_str(), it.name.as_str())).collect();
            let read = mentions::read(text, &people, &it.mentions);
            let bot = place.room.bot;
            let act = Act::Say { text: read.text, named: read.named, reply_to: it.reply_to };
            let pending = pending(&me, &room, &it.key, act);
            if let Some(id) = place.by_key(&me, &it.key) {
                let old = place.messages.get(&id).filter(|it| !it.gone);
                let same = old.is_none_or(|old| old.text.to_plain() == read.shown.to_plain());
                return if same {
                    Ok((id, bot.then_some(pending)))
                } else {
                    Err(Refusal::KeyReused)
                };
            }
            let name = state.people.get(&me).map(|it| it.name.clone()).unwrap_or_default();
            let message = Message {
                time_ms: now_ms(),
                author: Some(me.clone()),
                name,
                text: read.shown,
                reply_to: it.reply_to,
                key: it.key.clone(),
                ..Message::default()
            };
            let id = state.post(&room, message, &[], limits).ok_or(Refusal::Absent("room"))?;
            if bot {
                state.await_hearing(pending.clone());
            }
            Ok((id, bot.then_some(pending)))
        })
        .await?;
    let whispers = match heard {
        Some(pending) => acts::hear(web, &ctx.listener, pending).await?,
        None => Vec::new(),
    };
    Ok(Json(json!({ "id": id, "whispers": view::Whispered::all(whispers) })))
}

#[derive(Deserialize)]
struct Pressing {
    message: u64,
    press: String,
    key: String,
}

async fn press(
    State(ctx): State<Ctx>,
    Me(me): Me,
    Path(room): Path<String>,
    Body(it): Body<Pressing>,
) -> Answer {
    let web = &ctx.web;
    web.take(&me, "press", web.settings.limits.press)?;
    let room = the_room(&me, &room)?;
    check_key(&it.key)?;
    if it.press.is_empty() || it.press.len() > 64 || !it.press.is_ascii() {
        return Err(Refusal::Bad("a button carries 1 to 64 bytes of ASCII"));
    }
    let seq = {
        let state = web.state();
        let place = state.room_of(&me, &room)?;
        let message = place.messages.get(&it.message);
        // Buttons that have just been edited away are passed on: the bot explains old boards.
        message
            .filter(|it| it.author.is_none() && it.visible_to(&me))
            .ok_or(Refusal::Absent("message"))?;
        if !place.room.bot {
            return Err(Refusal::NoBot);
        }
        state.seq
    };
    web.until_durable(seq).await?;
    let act = Act::Press { press: it.press, message: it.message };
    let pending = pending(&me, &room, &it.key, act);
    let whispers = acts::hear(web, &ctx.listener, pending).await?;
    Ok(Json(json!({ "whispers": view::Whispered::all(whispers) })))
}

#[derive(Deserialize)]
struct Choosing {
    message: u64,
}

async fn dismiss(
    State(web): Chat,
    Me(me): Me,
    Path(room): Path<String>,
    Body(it): Body<Choosing>,
) -> Answer {
    web.take(&me, "ask", web.settings.limits.ask)?;
    let room = the_room(&me, &room)?;
    let change = web.change(|state| {
        let place = state.room_of(&me, &room)?;
        let mine = |it: &&Message| it.only.as_deref() == Some(&*me);
        place.messages.get(&it.message).filter(mine).ok_or(Refusal::Absent("message"))?;
        state.remove(&room, it.message);
        Ok(())
    });
    change.await?;
    Ok(Json(json!({})))
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

#[derive(Deserialize)]
struct Watching {
    after: Option<u64>,
    once: Option<u8>,
}

async fn events(
    State(web): Chat,
    Me(me): Me,
    Query(it): Query<Watching>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    web.take(&me, "ask", web.settings.limits.ask)?;
    let last = headers.get("last-event-id").and_then(|it| it.to_str().ok()?.parse().ok());
    let once = it.once.is_some_and(|it| it != 0);
    Ok(stream::open(&web, me, last.or(it.after), once)?.into_response())
}

async fn picture(
    State(web): Chat,
    Me(me): Me,
    Path(name): Path<String>,
) -> Result<Response, Refusal> {
    let hash = name.strip_suffix(".png").ok_or(Refusal::Absent("picture"))?;
    let (_, bytes) = fetch(&web, &me, hash).await?;
    let kept = "private, max-age=31536000, immutable";
    let headers = [(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, kept)];
    Ok((headers, bytes).into_response())
}

async fn file(State(web): Chat, Me(me): Me, Path(hash): Path<String>) -> Result<Response, Refusal> {
    let (name, bytes) = fetch(&web, &me, &hash).await?;
    let safe = |c: char| if c.is_ascii_alphanumeric() || ".-_".contains(c) { c } else { '_' };
    let name: String = name.chars().map(safe).collect();
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    Ok((headers, bytes).into_response())
}

async fn fetch(web: &Arc<Web>, me: &str, hash: &str) -> Result<(String, Vec<u8>), Refusal> {
    let (label, seq) = {
        let state = web.state();
        let blob = state.may_fetch(me, hash).ok_or(Refusal::Absent("picture or file"))?;
        (blob.label.clone(), state.seq)
    };
    web.until_durable(seq).await?;
    let (web, hash) = (Arc::clone(web), hash.to_owned());
    let bytes = tokio::task::spawn_blocking(move || web.disk.blob(&hash)).await;
    let bytes = bytes.map_err(|_| Refusal::Disk)?.map_err(|_| Refusal::Disk)?;
    Ok((label, bytes.ok_or(Refusal::Absent("picture or file"))?))
}

/// What the bot hears: the id is the client's key, so a repetition is the same update.
fn pending(me: &str, room: &str, key: &str, act: Act) -> Pending {
    let id = format!("web/{me}/{key}");
    Pending { id, room: room.to_owned(), person: me.to_owned(), act }
}

fn the_room(me: &str, room: &str) -> Result<String, Refusal> {
    own_room(me, room).ok_or(Refusal::Absent("room for you"))
}

/// The full name of a room: `@` is one's own private chat.
fn own_room(me: &str, room: &str) -> Option<String> {
    if room == "@" { Some(format!("@{me}")) } else { clean_room(room) }
}

fn check_key(key: &str) -> Result<(), Refusal> {
    let bad = Refusal::Bad("a key has 1 to 64 letters, digits, - or _");
    good_key(key).then_some(()).ok_or(bad)
}

fn random_hex<const N: usize>() -> Result<String, Refusal> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| Refusal::Disk)?;
    Ok(hex(&bytes))
}
