//! Handles read-only requests: live updates, images, files.

use std::sync::Arc;

use axum::{
    extract::{Path, Query, State},
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};

use super::{
    Webchat,
    answers::json_text,
    assets,
    auth::AuthenticatedPerson,
    bot_updates, delta, event_stream,
    model::WebchatRoom,
    platform::gif_size,
    rate_limits::RateKind,
    refusal::WebchatRefusal,
    routes::{WebchatContext, WebchatHandle, resolve_room},
};
use caravanserai_games::ids::TableId;
use caravanserai_protocol::{
    Chat, ClientQueries, Person, PictureLayout, PictureRequest, StateQuery, TableStateView,
    ViewerPage, ViewerPageState,
};

/// The longest code of a table that is looked for, in bytes: people who view a board are kept in
/// memory with it.
const TABLE_CODE_BYTES_MAX: usize = 64;

const JSON: &str = "application/json";

/// The start of a stream, and whether it goes on.
#[derive(Deserialize)]
pub struct EventsQuery {
    after: Option<u64>,
    once: Option<u8>,
}

/// Streams live updates.
pub async fn events(
    State(web): WebchatHandle,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Query(it): Query<EventsQuery>,
    headers: HeaderMap,
) -> Result<Response, WebchatRefusal> {
    web.rates.check(&me, RateKind::Ask)?;
    let last = headers.get("last-event-id").and_then(|it| it.to_str().ok()?.parse().ok());
    let once = it.once.is_some_and(|it| it != 0);
    Ok(event_stream::open_stream(&web, me, last.or(it.after), once).await?.into_response())
}

/// The query of a table's state, see [`StateQuery`].
#[derive(Deserialize)]
pub struct TableQuery {
    since: Option<u64>,
    page: Option<u8>,
    drawn: Option<u8>,
    upright: Option<u8>,
    known: Option<String>,
}

impl TableQuery {
    /// Converts to the platform-neutral query.
    pub fn to_state_query(&self) -> StateQuery {
        let is_set = |it: Option<u8>| it.is_some_and(|it| it != 0);
        let picture = match (is_set(self.drawn), is_set(self.upright)) {
            (true, true) => PictureRequest::DrawUpright,
            (is_drawn, _) => PictureRequest::draw_if(is_drawn),
        };
        StateQuery { since: self.since, page: self.page, picture }
    }
}

/// Returns the state of a table in one of the person's rooms, as far as they may see it.
pub async fn table(
    State(ctx): State<WebchatContext>,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Path((room, table)): Path<(String, String)>,
    Query(it): Query<TableQuery>,
) -> Result<Response, WebchatRefusal> {
    ctx.web.rates.check(&me, RateKind::Ask)?;
    let room = resolve_room(&me, &room)?;
    ctx.web.refresh_unless(|state| state.room_of(&me, &room).is_ok()).await;
    let (chat, person) = room_and_person(&ctx.web, &me, &room)?;
    if table.len() > TABLE_CODE_BYTES_MAX {
        return Err(WebchatRefusal::NotFound("table"));
    }
    let table = TableId(table.to_lowercase());
    ctx.web.note_viewed_board(&me, &room, &table.0);
    let queries = client_queries(&ctx, WebchatRefusal::NotFound("table"))?;
    let state = queries.table_state(&chat, &person, &table, it.to_state_query()).await?;
    Ok(table_response(&ctx.web, &me, &it, &state.ok_or(WebchatRefusal::NotFound("table"))?))
}

/// Returns the part of the bot that tells the state of tables, or this refusal.
pub fn client_queries(
    ctx: &WebchatContext,
    refusal: WebchatRefusal,
) -> Result<&dyn ClientQueries, WebchatRefusal> {
    ctx.handler.client_queries().ok_or(refusal)
}

/// Returns the state of a table, or its difference to the state that the client already has.
pub fn table_response(
    web: &Webchat,
    who: &str,
    asking: &TableQuery,
    state: &TableStateView,
) -> Response {
    let (told, tag) = web.known.encode_for(who, asking.known.as_deref(), json_text(state));
    ([(header::ETAG, format!("\"{tag}\""))], uncached_response(told)).into_response()
}

/// The layout of the boards of a page.
#[derive(Deserialize)]
pub struct LayoutQuery {
    upright: Option<u8>,
}

impl LayoutQuery {
    /// Converts to the platform-neutral layout.
    pub fn to_layout(&self) -> PictureLayout {
        match self.upright {
            None | Some(0) => PictureLayout::Wide,
            Some(_) => PictureLayout::Upright,
        }
    }
}

/// The query of a replay, see [`ViewerPage::Replay`].
#[derive(Deserialize)]
pub struct ReplayQuery {
    from: Option<u32>,
    seat: Option<u8>,
}

impl ReplayQuery {
    /// Converts to the platform-neutral page.
    pub fn to_look(&self, table: TableId) -> ViewerPage {
        ViewerPage::Replay { table, from: self.from.unwrap_or_default(), seat: self.seat }
    }
}

/// Returns the replay of a game in one of this person's rooms, step by step.
pub async fn replay(
    State(ctx): State<WebchatContext>,
    me: AuthenticatedPerson,
    Path((room, table)): Path<(String, String)>,
    Query(it): Query<ReplayQuery>,
    Query(layout): Query<LayoutQuery>,
    headers: HeaderMap,
) -> Result<Response, WebchatRefusal> {
    let look = it.to_look(TableId(table.to_lowercase()));
    show_look(&ctx, me, &room, look, layout.to_layout(), &headers).await
}

/// Returns the review of a game in one of this person's rooms.
pub async fn review(
    State(ctx): State<WebchatContext>,
    me: AuthenticatedPerson,
    Path((room, table)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, WebchatRefusal> {
    let look = ViewerPage::Review { table: TableId(table.to_lowercase()), step: None };
    show_look(&ctx, me, &room, look, PictureLayout::Wide, &headers).await
}

/// The move that was tried on a page of a course.
#[derive(Deserialize)]
pub struct LessonQuery {
    tried: Option<String>,
}

/// Returns a page of a course in one of this person's rooms.
pub async fn lesson(
    State(ctx): State<WebchatContext>,
    me: AuthenticatedPerson,
    Path((room, game, page)): Path<(String, String, String)>,
    Query(it): Query<LessonQuery>,
    Query(layout): Query<LayoutQuery>,
    headers: HeaderMap,
) -> Result<Response, WebchatRefusal> {
    let look = ViewerPage::Lesson { game, page, tried: it.tried };
    show_look(&ctx, me, &room, look, layout.to_layout(), &headers).await
}

/// Returns a page to view, unless the client has it already.
async fn show_look(
    ctx: &WebchatContext,
    AuthenticatedPerson(me): AuthenticatedPerson,
    room: &str,
    look: ViewerPage,
    layout: PictureLayout,
    headers: &HeaderMap,
) -> Result<Response, WebchatRefusal> {
    ctx.web.rates.check(&me, RateKind::Fetch)?;
    let (chat, person) = room_and_person(&ctx.web, &me, &resolve_room(&me, room)?)?;
    let refusal = || WebchatRefusal::NotFound("table or page to be looked at");
    let queries = client_queries(ctx, refusal())?;
    let shown = queries.viewer_page(&chat, &person, look, layout).await?;
    let shown = shown.ok_or_else(refusal)?;
    Ok(viewer_page_response(&shown, headers))
}

/// Returns a page that only one person may see, unless the client has it already.
pub fn viewer_page_response(page: &ViewerPageState, headers: &HeaderMap) -> Response {
    let text = json_text(page);
    let tag = format!("\"{}\"", delta::text_tag(&text));
    let mut answer = assets::revalidated_response(JSON, text.into(), &tag, headers);
    let about = answer.headers_mut();
    about.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    // Two people who use the same browser must not get each other's data.
    about.insert(header::VARY, HeaderValue::from_static("authorization, cookie"));
    answer
}

/// Returns the open tables of this person; tables where it is their turn come first.
pub async fn tables(
    State(ctx): State<WebchatContext>,
    AuthenticatedPerson(me): AuthenticatedPerson,
) -> Result<Response, WebchatRefusal> {
    ctx.web.rates.check(&me, RateKind::Ask)?;
    let (chat, person) = private_chat_of(&ctx.web, &me)?;
    let queries = client_queries(&ctx, WebchatRefusal::BotFailed)?;
    let tables = queries.own_tables(&chat, &person).await;
    Ok(json_response(&tables.ok_or(WebchatRefusal::BotFailed)?))
}

/// Returns the person's own settings, with the presses that change them in the private chat.
pub async fn settings(
    State(ctx): State<WebchatContext>,
    AuthenticatedPerson(me): AuthenticatedPerson,
) -> Result<Response, WebchatRefusal> {
    ctx.web.rates.check(&me, RateKind::Ask)?;
    let (chat, person) = private_chat_of(&ctx.web, &me)?;
    let queries = client_queries(&ctx, WebchatRefusal::BotFailed)?;
    let settings = queries.own_settings(&chat, &person).await;
    Ok(json_response(&settings.ok_or(WebchatRefusal::BotFailed)?))
}

/// The private chat of a person with the bot, whether it exists yet or not.
pub fn private_chat_of(web: &Webchat, me: &str) -> Result<(Chat, Person), WebchatRefusal> {
    let state = web.state();
    let member = state.people.get(me).ok_or(WebchatRefusal::UnknownToken)?;
    let room = WebchatRoom { name: format!("@{me}"), ..WebchatRoom::default() };
    Ok((bot_updates::chat_from_room(&room, member), bot_updates::person_of_member(&room, member)))
}

/// Returns a person and one of their rooms in the bot's types.
pub fn room_and_person(
    web: &Webchat,
    me: &str,
    room: &str,
) -> Result<(Chat, Person), WebchatRefusal> {
    let state = web.state();
    let room = &state.room_of(me, room)?.room;
    let member = state.people.get(me).ok_or(WebchatRefusal::UnknownToken)?;
    Ok((bot_updates::chat_from_room(room, member), bot_updates::person_of_member(room, member)))
}

/// Returns an uncached response with this as JSON.
pub fn json_response(value: &impl Serialize) -> Response {
    uncached_response(json_text(value))
}

/// Returns an uncached response from text that is already JSON.
fn uncached_response(text: String) -> Response {
    let about = [(header::CONTENT_TYPE, JSON), (header::CACHE_CONTROL, "no-store")];
    (about, text).into_response()
}

/// Returns drawings of board parts. They are public, and the content of a name never changes.
pub async fn drawings(
    State(ctx): State<WebchatContext>,
    Path(name): Path<String>,
) -> Result<Response, WebchatRefusal> {
    let queries = client_queries(&ctx, WebchatRefusal::NotFound("drawing"))?;
    let sheet = name.strip_suffix(".svg").and_then(|it| queries.sprite_sheet(it));
    let sheet = sheet.ok_or(WebchatRefusal::NotFound("drawing"))?;
    let kept = "public, max-age=31536000, immutable";
    let about = [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, kept)];
    Ok((about, sheet).into_response())
}

/// Returns an image from a message that this person may see.
pub async fn picture(
    State(web): WebchatHandle,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Path(name): Path<String>,
) -> Result<Response, WebchatRefusal> {
    let hash = name.strip_suffix(".png").ok_or(WebchatRefusal::NotFound("picture"))?;
    let (_, bytes) = load_blob(&web, &me, hash).await?;
    let kept = "private, max-age=31536000, immutable";
    // Two people who use the same browser must not get each other's private images from its cache.
    let headers = [
        (header::CONTENT_TYPE, "image/png"),
        (header::CACHE_CONTROL, kept),
        (header::VARY, "authorization"),
    ];
    Ok((headers, bytes).into_response())
}

/// Returns a file from a message that this person may see.
pub async fn file(
    State(web): WebchatHandle,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Path(hash): Path<String>,
) -> Result<Response, WebchatRefusal> {
    let (name, bytes) = load_blob(&web, &me, &hash).await?;
    let safe = |c: char| if c.is_ascii_alphanumeric() || ".-_".contains(c) { c } else { '_' };
    let name: String = name.chars().map(safe).collect();
    let kind = if gif_size(&bytes).is_some() { "image/gif" } else { "application/octet-stream" };
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    Ok((headers, bytes).into_response())
}

async fn load_blob(
    web: &Arc<Webchat>,
    me: &str,
    hash: &str,
) -> Result<(String, Vec<u8>), WebchatRefusal> {
    web.rates.check(me, RateKind::Fetch)?;
    let label = {
        let state = web.state();
        let blob = state.may_fetch(me, hash).ok_or(WebchatRefusal::NotFound("picture or file"))?;
        blob.label.clone()
    };
    let files = Arc::clone(&web.files);
    let hash = hash.to_owned();
    let bytes = tokio::task::spawn_blocking(move || files.read(&hash)).await;
    let bytes = bytes
        .map_err(|_| WebchatRefusal::StoreUnavailable)?
        .map_err(|_| WebchatRefusal::StoreUnavailable)?;
    Ok((label, bytes.ok_or(WebchatRefusal::NotFound("picture or file"))?))
}
