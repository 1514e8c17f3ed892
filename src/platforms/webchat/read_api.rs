//! What is only read: live updates, pictures, files.

use std::sync::Arc;

use axum::{
    extract::{Path, Query, State},
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;

use super::{
    Webchat, assets,
    auth::AuthenticatedPerson,
    bot_updates, delta, event_stream,
    model::WebchatRoom,
    platform::gif_size,
    rate_limits::RateKind,
    refusal::WebchatRefusal,
    routes::{WebchatContext, WebchatHandle, resolve_room},
};
use caravanserai_games::ids::TableId;
use caravanserai_protocol::{Chat, Person, StateQuery, ViewerPage};

const JSON: &str = "application/json";

/// Where to begin, and whether to go on.
#[derive(Deserialize)]
pub struct EventsQuery {
    after: Option<u64>,
    once: Option<u8>,
}

/// Live updates.
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

/// What is asked of a table, see [`StateQuery`].
#[derive(Deserialize)]
pub struct TableQuery {
    since: Option<u64>,
    page: Option<u8>,
    drawn: Option<u8>,
    known: Option<String>,
}

impl TableQuery {
    /// The same in the words of no platform.
    pub fn to_state_query(&self) -> StateQuery {
        StateQuery {
            since: self.since,
            page: self.page,
            with_board: self.drawn.is_some_and(|it| it != 0),
        }
    }
}

/// What this person may know of a table that stands in one of their rooms.
pub async fn table(
    State(ctx): State<WebchatContext>,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Path((room, table)): Path<(String, String)>,
    Query(it): Query<TableQuery>,
) -> Result<Response, WebchatRefusal> {
    ctx.web.rates.check(&me, RateKind::Ask)?;
    let room = resolve_room(&me, &room)?;
    let (place, person) = room_and_person(&ctx.web, &me, &room)?;
    let table = TableId(table.to_lowercase());
    ctx.web.note_viewed_board(&me, &room, &table.0);
    let state = ctx.listener.table_state_json(&place, &person, &table, it.to_state_query()).await;
    Ok(table_response(&ctx.web, &me, &it, state.ok_or(WebchatRefusal::NotFound("table"))?))
}

/// The state of a table for somebody: of what they have already only what is new.
pub fn table_response(web: &Webchat, who: &str, asking: &TableQuery, state: String) -> Response {
    let (told, tag) = web.known.encode_for(who, asking.known.as_deref(), state);
    ([(header::ETAG, format!("\"{tag}\""))], json_response(told)).into_response()
}

/// What is asked of a game step by step, see [`ViewerPage::Replay`].
#[derive(Deserialize)]
pub struct ReplayQuery {
    from: Option<u32>,
    seat: Option<u8>,
}

impl ReplayQuery {
    /// The same in the words of no platform.
    pub fn to_look(&self, table: TableId) -> ViewerPage {
        ViewerPage::Replay { table, from: self.from.unwrap_or_default(), seat: self.seat }
    }
}

/// A game that stands in one of this person's rooms, step by step.
pub async fn replay(
    State(ctx): State<WebchatContext>,
    me: AuthenticatedPerson,
    Path((room, table)): Path<(String, String)>,
    Query(it): Query<ReplayQuery>,
    headers: HeaderMap,
) -> Result<Response, WebchatRefusal> {
    show_look(&ctx, me, &room, it.to_look(TableId(table.to_lowercase())), &headers).await
}

/// The review of a game that stands in one of this person's rooms.
pub async fn review(
    State(ctx): State<WebchatContext>,
    me: AuthenticatedPerson,
    Path((room, table)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, WebchatRefusal> {
    let look = ViewerPage::Review { table: TableId(table.to_lowercase()), step: None };
    show_look(&ctx, me, &room, look, &headers).await
}

/// The move that was tried on a page of a course.
#[derive(Deserialize)]
pub struct LessonQuery {
    tried: Option<String>,
}

/// A page of a course, as it looks to this person in one of their rooms.
pub async fn lesson(
    State(ctx): State<WebchatContext>,
    me: AuthenticatedPerson,
    Path((room, game, page)): Path<(String, String, String)>,
    Query(it): Query<LessonQuery>,
    headers: HeaderMap,
) -> Result<Response, WebchatRefusal> {
    show_look(&ctx, me, &room, ViewerPage::Lesson { game, page, tried: it.tried }, &headers).await
}

/// Something to be looked at, unless whoever asks has it already.
async fn show_look(
    ctx: &WebchatContext,
    AuthenticatedPerson(me): AuthenticatedPerson,
    room: &str,
    look: ViewerPage,
    headers: &HeaderMap,
) -> Result<Response, WebchatRefusal> {
    ctx.web.rates.check(&me, RateKind::Fetch)?;
    let (place, person) = room_and_person(&ctx.web, &me, &resolve_room(&me, room)?)?;
    let shown = ctx.listener.viewer_page_json(&place, &person, look).await;
    Ok(private_response(
        shown.ok_or(WebchatRefusal::NotFound("table or page to be looked at"))?,
        headers,
    ))
}

/// What one person alone may see, unless they have it already.
pub fn private_response(text: String, headers: &HeaderMap) -> Response {
    let tag = format!("\"{}\"", delta::text_tag(&text));
    let mut answer = assets::revalidated_response(JSON, text.into(), &tag, headers);
    let about = answer.headers_mut();
    about.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    // Two people of one browser must not get what the other one sees.
    about.insert(header::VARY, HeaderValue::from_static("authorization, cookie"));
    answer
}

/// The open tables of this person, those that wait for them first.
pub async fn tables(
    State(ctx): State<WebchatContext>,
    AuthenticatedPerson(me): AuthenticatedPerson,
) -> Result<Response, WebchatRefusal> {
    ctx.web.rates.check(&me, RateKind::Ask)?;
    let (place, person) = {
        let state = ctx.web.state();
        let member = state.people.get(&me).ok_or(WebchatRefusal::UnknownToken)?;
        // Their private chat, whether they have looked into it or not.
        let room = WebchatRoom { name: format!("@{me}"), ..WebchatRoom::default() };
        (bot_updates::place_of_room(&room, member), bot_updates::person_of_member(&room, member))
    };
    let tables = ctx.listener.own_tables_json(&place, &person).await;
    Ok(json_response(tables.ok_or(WebchatRefusal::BotFailed)?))
}

/// A person in one of their rooms, as the bot knows both.
fn room_and_person(web: &Webchat, me: &str, room: &str) -> Result<(Chat, Person), WebchatRefusal> {
    let state = web.state();
    let room = &state.room_of(me, room)?.room;
    let member = state.people.get(me).ok_or(WebchatRefusal::UnknownToken)?;
    Ok((bot_updates::place_of_room(room, member), bot_updates::person_of_member(room, member)))
}

/// JSON that is already text, of this very moment.
pub fn json_response(text: String) -> Response {
    let about = [(header::CONTENT_TYPE, JSON), (header::CACHE_CONTROL, "no-store")];
    (about, text).into_response()
}

/// Drawings that boards are made of. Everybody may see them, and what has a name never changes.
pub async fn drawings(
    State(ctx): State<WebchatContext>,
    Path(name): Path<String>,
) -> Result<Response, WebchatRefusal> {
    let sheet = name.strip_suffix(".svg").and_then(|it| ctx.listener.sprite_sheet(it));
    let sheet = sheet.ok_or(WebchatRefusal::NotFound("drawing"))?;
    let kept = "public, max-age=31536000, immutable";
    let about = [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, kept)];
    Ok((about, sheet).into_response())
}

/// A picture that some message shows this person.
pub async fn picture(
    State(web): WebchatHandle,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Path(name): Path<String>,
) -> Result<Response, WebchatRefusal> {
    let hash = name.strip_suffix(".png").ok_or(WebchatRefusal::NotFound("picture"))?;
    let (_, bytes) = load_blob(&web, &me, hash).await?;
    let kept = "private, max-age=31536000, immutable";
    // Two people of one browser must not get each other's private pictures from its cache.
    let headers = [
        (header::CONTENT_TYPE, "image/png"),
        (header::CACHE_CONTROL, kept),
        (header::VARY, "authorization"),
    ];
    Ok((headers, bytes).into_response())
}

/// A file that some message shows this person.
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
    let (files, hash) = (Arc::clone(&web.files), hash.to_owned());
    let bytes = tokio::task::spawn_blocking(move || files.read(&hash)).await;
    let bytes = bytes
        .map_err(|_| WebchatRefusal::StoreUnavailable)?
        .map_err(|_| WebchatRefusal::StoreUnavailable)?;
    Ok((label, bytes.ok_or(WebchatRefusal::NotFound("picture or file"))?))
}
