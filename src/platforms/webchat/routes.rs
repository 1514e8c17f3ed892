//! Handles the requests. Each handler checks its input, changes the state, and answers when the
//! change is durable.

use std::sync::Arc;
use std::time::Instant;

use axum::{
    Extension, Json, Router,
    extract::{FromRef, Path, Query, Request, State},
    http::{Extensions, HeaderMap, StatusCode, Version, header},
    middleware::{self, Next},
    response::Response,
    routing::{get, post},
};
use serde::Deserialize;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};

use super::{
    Webchat, actions, admin_api, analysis,
    answers::{
        EmptyAnswer, ListedRoom, NewPersonAnswer, OwnPerson, RoomListAnswer, RoomPage, RoomView,
        ShownMessage, SuggestionsAnswer, TypingEvent, json_text,
    },
    assets,
    auth::{self, AuthenticatedPerson, ClientAddress, PROXY_PATH},
    bot_updates, display_names, finished_games, guest_api,
    json_body::JsonBody,
    model::{WebchatMember, WebchatMessage, clean_locale, clean_room},
    moderation, now_ms,
    rate_limits::RateKind,
    rating_pages, read_api,
    refusal::WebchatRefusal,
    state::Connections,
    stream_hub::LiveEvent,
    suggestions, view,
};
use caravanserai_protocol::{Arrival, PhaseName, UpdateHandler};

/// The most messages in one response.
const PAGE_MAX: usize = 200;

/// The context of every request.
#[derive(Clone)]
pub struct WebchatContext {
    /// The chat.
    pub web: Arc<Webchat>,
    /// The bot.
    pub handler: Arc<dyn UpdateHandler>,
}

impl FromRef<WebchatContext> for Arc<Webchat> {
    fn from_ref(ctx: &WebchatContext) -> Self {
        Arc::clone(&ctx.web)
    }
}

/// The result of an API request: an answer in JSON or a refusal.
pub type ApiResult<T> = Result<Json<T>, WebchatRefusal>;
/// The chat as an extractor for handlers.
pub type WebchatHandle = State<Arc<Webchat>>;

/// The most streams that are compressed at a time: each needs memory for it.
const COMPRESSED_STREAMS_MAX: usize = 256;

/// Decides which responses are compressed: longer texts, and live updates, each of which resembles
/// the one before. Images are compressed already.
fn is_compressible(web: &Arc<Webchat>) -> impl Predicate + use<> {
    let web = Arc::clone(web);
    let few = move |_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions| {
        let kind = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
        let is_stream = kind.is_some_and(|it| it.starts_with("text/event-stream"));
        !is_stream || web.hub.stream_count() <= COMPRESSED_STREAMS_MAX
    };
    SizeAbove::new(256).and(NotForContentType::IMAGES).and(few)
}

/// Builds all routes.
pub fn router(web: Arc<Webchat>, handler: Arc<dyn UpdateHandler>) -> Router {
    let ctx = WebchatContext { web: Arc::clone(&web), handler };
    Router::new()
        .route("/api/people", post(arrive))
        .route("/api/me", get(me).post(rename))
        .route("/api/me/token", post(moderation::sign_out_elsewhere))
        .route("/api/rooms", get(rooms).post(join))
        .route("/api/rooms/{room}", get(room))
        .route("/api/rooms/{room}/messages", post(actions::say_message))
        .route("/api/rooms/{room}/press", post(actions::press))
        .route("/api/rooms/{room}/dismiss", post(actions::dismiss))
        .route("/api/rooms/{room}/typing", post(typing))
        .route("/api/rooms/{room}/bot", post(set_bot))
        .route("/api/rooms/{room}/door", post(moderation::set_room_closed))
        .route("/api/rooms/{room}/people", post(moderation::moderate))
        .route("/api/rooms/{room}/people/{person}", get(rating_pages::person))
        .route("/api/rooms/{room}/ratings", get(rating_pages::ratings))
        .route("/api/rooms/{room}/leave", post(leave))
        .route("/api/rooms/{room}/tables/{table}", get(read_api::table))
        .route("/api/rooms/{room}/tables/{table}/replay", get(read_api::replay))
        .route("/api/rooms/{room}/tables/{table}/review", get(read_api::review))
        .route("/api/rooms/{room}/lessons/{game}/{page}", get(read_api::lesson))
        .route("/api/tables", get(read_api::tables))
        .route("/api/games", get(finished_games::games))
        .route("/api/games/{table}/record", get(finished_games::record))
        .route("/api/analysis", post(analysis::board))
        .route("/api/analysis/evaluation", post(analysis::evaluation))
        .route("/api/settings", get(read_api::settings))
        .route("/api/suggest", get(suggest))
        .route("/api/events", get(read_api::events))
        .route("/api/pictures/{name}", get(read_api::picture))
        .route("/api/files/{hash}", get(read_api::file))
        .route("/art/{name}", get(read_api::drawings))
        .nest("/api/guest", guest_api::router())
        // The path that a page uses which is shown through a platform's proxy.
        .nest(&format!("{PROXY_PATH}/api/guest"), guest_api::router())
        .route(&format!("{PROXY_PATH}/art/{{name}}"), get(read_api::drawings))
        .nest("/api/host", admin_api::router())
        .merge(assets::router())
        .layer(CompressionLayer::new().compress_when(is_compressible(&web)))
        .layer(middleware::from_fn_with_state(web, auth::check_request))
        .layer(middleware::from_fn(measure_request))
        .with_state(ctx)
}

/// Counts requests and measures how long they take; a stream counts until it begins.
async fn measure_request(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let answer = next.run(request).await;
    let class = match answer.status().as_u16() / 100 {
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        5 => "5xx",
        _ => "1xx",
    };
    metrics::counter!("caravanserai_http_requests_total", "class" => class).increment(1);
    metrics::histogram!("caravanserai_http_seconds").record(started.elapsed());
    answer
}

/// A request of a new person.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct ArriveRequest {
    /// The name.
    name: String,
    /// The language of the browser.
    locale: Option<String>,
    /// The token of the person: 64 digits of a random number, `0-9a-f`; without it the server makes
    /// one. A request with the token of a person creates nobody.
    token: Option<String>,
}

async fn arrive(
    State(web): WebchatHandle,
    Extension(from): Extension<ClientAddress>,
    headers: HeaderMap,
    JsonBody(it): JsonBody<ArriveRequest>,
) -> ApiResult<NewPersonAnswer> {
    let name = display_names::clean_name(&it.name)?;
    web.rates.check_address(&from, RateKind::Arrive)?;
    web.rates.check_address(&from, RateKind::ArriveDaily)?;
    let spoken = headers.get(header::ACCEPT_LANGUAGE).and_then(|it| it.to_str().ok());
    let spoken = spoken.and_then(|it| it.split([',', ';']).next()).map(str::to_owned);
    let locale = it.locale.or(spoken).as_deref().and_then(clean_locale);
    let (id, token) = (random_hex::<8>()?, moderation::chosen_or_new_token(it.token)?);
    let member = WebchatMember {
        id,
        name: name.clone(),
        locale,
        secret: auth::token_hash(&token),
        seen_ms: now_ms(),
        ..WebchatMember::default()
    };
    let (limits, chat) = (web.settings.limits.clone(), Arc::clone(&web));
    let here = move |person: &str| chat.hub.is_online(person);
    let id = web.change(move |state| state.add_person(member.clone(), &limits, &here)).await?;
    web.note_client_address(&id, from);
    Ok(Json(NewPersonAnswer { id: format!("web:{id}"), name, token }))
}

async fn me(
    State(web): WebchatHandle,
    AuthenticatedPerson(me): AuthenticatedPerson,
) -> ApiResult<OwnPerson> {
    let state = web.state();
    let member = state.people.get(&me).ok_or(WebchatRefusal::UnknownToken)?;
    Ok(Json(view::own_person(member, state.seq)))
}

/// A request to change the name or the language.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct RenameRequest {
    /// The new name.
    name: Option<String>,
    /// The new language.
    locale: Option<String>,
}

async fn rename(
    State(web): WebchatHandle,
    AuthenticatedPerson(me): AuthenticatedPerson,
    JsonBody(it): JsonBody<RenameRequest>,
) -> ApiResult<OwnPerson> {
    web.rates.check(&me, RateKind::Open)?;
    let name = it.name.map(|it| display_names::clean_name(&it)).transpose()?;
    let bad = WebchatRefusal::BadRequest("a locale looks like kk or pt-BR");
    let locale = it.locale.map(|it| clean_locale(&it).ok_or(bad)).transpose()?;
    let change = web.change(move |state| {
        state.rename(&me, name.clone(), locale.clone())?;
        state
            .people
            .get(&me)
            .map(|it| view::own_person(it, state.seq))
            .ok_or(WebchatRefusal::UnknownToken)
    });
    Ok(Json(change.await?))
}

async fn rooms(
    State(web): WebchatHandle,
    AuthenticatedPerson(me): AuthenticatedPerson,
) -> ApiResult<RoomListAnswer> {
    web.rates.check(&me, RateKind::Ask)?;
    let state = web.state();
    // Closed rooms are listed only for their members.
    let open = state.rooms.values().filter(|it| !it.room.is_private());
    let mut rooms: Vec<_> =
        open.filter(|it| it.room.invite.is_none() || it.has_person(&me)).collect();
    rooms.sort_by_key(|it| std::cmp::Reverse(it.active_ms));
    let rooms = rooms.into_iter().take(PAGE_MAX).map(|it| ListedRoom {
        joined: it.has_person(&me),
        name: it.room.name.clone(),
        people: it.room.people.len(),
    });
    Ok(Json(RoomListAnswer { rooms: rooms.collect() }))
}

/// A request to join a room, or to create it.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct JoinRequest {
    /// The name of the room.
    name: String,
    /// The code of the invitation, if the room is closed.
    invite: Option<String>,
}

async fn join(
    State(ctx): State<WebchatContext>,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Extension(from): Extension<ClientAddress>,
    JsonBody(it): JsonBody<JoinRequest>,
) -> ApiResult<RoomPage> {
    let web = &ctx.web;
    let bad = WebchatRefusal::BadRequest("a room's name has 1 to 40 letters, digits, - or _");
    let name = own_room(&me, &it.name).ok_or(bad)?;
    let (new, kind) = match web.state().rooms.get(&name) {
        None => (true, RateKind::Open),
        Some(it) if it.has_person(&me) => (false, RateKind::Ask),
        Some(_) => (false, RateKind::Join),
    };
    web.rates.check(&me, kind)?;
    if new && !name.starts_with('@') {
        web.rates.check_address(&from, RateKind::OpenFrom)?;
    }
    let (limits, who, room) = (web.settings.limits.clone(), me.clone(), name.clone());
    let (chat, invite) = (Arc::clone(web), it.invite);
    let change = web.change(move |state| {
        if state.room_of(&who, &room).is_err() {
            // If the person may not join, this changes nothing either.
            let connections = Connections {
                is_online: &|it| chat.hub.is_online(it),
                address_of: &|it| chat.client_address_of(it),
            };
            state.make_room_for(&who, &room, now_ms(), &limits, &connections);
        }
        state.join(&who, &room, invite.as_deref(), now_ms(), &limits)
    });
    let bot_update = change.await?;
    if let Some(pending) = bot_update {
        bot_updates::deliver_to_bot(web, &ctx.handler, pending, Arrival::default()).await?;
    }
    page(web, &me, &name, &PageQuery::default()).await
}

#[derive(Default, Deserialize)]
struct PageQuery {
    before: Option<u64>,
    limit: Option<usize>,
}

async fn room(
    State(web): WebchatHandle,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Path(room): Path<String>,
    Query(paging): Query<PageQuery>,
) -> ApiResult<RoomPage> {
    web.rates.check(&me, RateKind::Ask)?;
    page(&web, &me, &resolve_room(&me, &room)?, &paging).await
}

/// Returns a room with its newest messages before an id, oldest first.
async fn page(web: &Webchat, me: &str, room: &str, paging: &PageQuery) -> ApiResult<RoomPage> {
    let state = web.state();
    let room_data = state.room_of(me, room)?;
    let limit = paging.limit.unwrap_or(PAGE_MAX).clamp(1, PAGE_MAX);
    let before = paging.before.unwrap_or(u64::MAX);
    let earlier = room_data.messages.range(..before).map(|(_, it)| &it.message);
    let mut earlier = earlier.rev().filter(|it| it.visible_to(me) && !it.gone).peekable();
    let to_json = |it: &WebchatMessage| view::shown_message(room, it);
    let mut messages: Vec<ShownMessage> = earlier.by_ref().take(limit).map(to_json).collect();
    messages.reverse();
    let more = earlier.peek().is_some();
    let boards = paging.before.is_none().then(|| {
        // People play for weeks on boards that are older than the newest messages, and look at
        // their last game when they come back.
        let mut is_last = true;
        let mut boards: Vec<ShownMessage> = earlier
            .filter(|it| {
                shows_open_table(it) || shows_finished_game(it, me) && std::mem::take(&mut is_last)
            })
            .map(to_json)
            .collect();
        boards.reverse();
        boards
    });
    let room = RoomView { seq: state.seq, ..view::room_view(web, &state, room_data, me) };
    Ok(Json(RoomPage { boards, messages, more, room }))
}

/// Whether a message is the board of a table that is not over.
fn shows_open_table(message: &WebchatMessage) -> bool {
    let phase = message.board.as_ref().map(|it| it.phase);
    matches!(phase, Some(PhaseName::Lobby | PhaseName::Playing))
}

/// Whether a message is the board of a finished game of this person.
fn shows_finished_game(message: &WebchatMessage, person: &str) -> bool {
    let own = format!("web:{person}");
    message.board.as_ref().is_some_and(|it| {
        it.phase == PhaseName::Over && it.players.iter().any(|player| player.0 == own)
    })
}

async fn typing(
    State(web): WebchatHandle,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Path(room): Path<String>,
) -> ApiResult<EmptyAnswer> {
    web.rates.check(&me, RateKind::Ask)?;
    let room = resolve_room(&me, &room)?;
    let name = {
        let state = web.state();
        state.may_write(&me, &room)?;
        state.people.get(&me).map(|it| it.name.clone()).unwrap_or_default()
    };
    let typing = TypingEvent { name, person: format!("web:{me}"), room: room.clone() };
    let data = json_text(&typing);
    web.send_live_event(&room, &me, LiveEvent { event: "busy", data });
    Ok(Json(EmptyAnswer {}))
}

/// A request to add the bot to a room, or to remove it.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BotPresenceRequest {
    /// Whether the bot is in the room from now on.
    present: bool,
}

async fn set_bot(
    State(ctx): State<WebchatContext>,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Path(room): Path<String>,
    JsonBody(it): JsonBody<BotPresenceRequest>,
) -> ApiResult<EmptyAnswer> {
    ctx.web.rates.check(&me, RateKind::Open)?;
    let room = resolve_room(&me, &room)?;
    let change = ctx.web.change(move |state| state.set_bot(&me, &room, it.present, now_ms()));
    let bot_update = change.await?;
    if let Some(pending) = bot_update {
        bot_updates::deliver_to_bot(&ctx.web, &ctx.handler, pending, Arrival::default()).await?;
    }
    Ok(Json(EmptyAnswer {}))
}

async fn leave(
    State(ctx): State<WebchatContext>,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Path(room): Path<String>,
) -> ApiResult<EmptyAnswer> {
    ctx.web.rates.check(&me, RateKind::Join)?;
    let room = resolve_room(&me, &room)?;
    if room.starts_with('@') {
        return Err(WebchatRefusal::BadRequest(
            "the private chat stays; send the bot away instead",
        ));
    }
    let change = ctx.web.change(move |state| {
        state.leave(&me, &room, now_ms())?;
        Ok(state.pending_departure(&me, &room, &me, now_ms()))
    });
    if let Some(pending) = change.await? {
        bot_updates::deliver_to_bot(&ctx.web, &ctx.handler, pending, Arrival::default()).await?;
    }
    Ok(Json(EmptyAnswer {}))
}

#[derive(Deserialize)]
struct SuggestQuery {
    room: String,
    text: String,
}

async fn suggest(
    State(ctx): State<WebchatContext>,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Query(it): Query<SuggestQuery>,
) -> ApiResult<SuggestionsAnswer> {
    ctx.web.rates.check(&me, RateKind::Ask)?;
    let room = resolve_room(&me, &it.room)?;
    let text: String = it.text.chars().take(ctx.web.settings.limits.text_chars).collect();
    let suggestions = suggestions::suggest(&ctx.web, &ctx.handler, &me, &room, &text).await?;
    Ok(Json(SuggestionsAnswer { suggestions }))
}

/// Returns the full name of a requested room.
pub fn resolve_room(me: &str, room: &str) -> Result<String, WebchatRefusal> {
    own_room(me, room).ok_or(WebchatRefusal::NotFound("room for you"))
}

/// Returns the full name of a room: `@` is the person's own private chat.
fn own_room(me: &str, room: &str) -> Option<String> {
    if room == "@" { Some(format!("@{me}")) } else { clean_room(room) }
}

/// Creates a random hexadecimal text that cannot be guessed.
pub fn random_hex<const N: usize>() -> Result<String, WebchatRefusal> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| WebchatRefusal::StoreUnavailable)?;
    Ok(hex::encode(bytes))
}
