//! What is only read: live updates, pictures, files.

use std::sync::Arc;

use axum::{
    extract::{Path, Query, State},
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;

use super::{
    Web, acts, assets,
    bot::gif_size,
    guard::Me,
    http::{Chat, Ctx, the_room},
    known,
    model::Room,
    rates::Deed,
    refusal::Refusal,
    stream,
};
use caravanserai_games::ids::TableId;
use caravanserai_protocol::{Look, Looking, Person, Place};

const JSON: &str = "application/json";

/// Where to begin, and whether to go on.
#[derive(Deserialize)]
pub struct Watching {
    after: Option<u64>,
    once: Option<u8>,
}

/// Live updates.
pub async fn events(
    State(web): Chat,
    Me(me): Me,
    Query(it): Query<Watching>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    web.rates.take(&me, Deed::Ask)?;
    let last = headers.get("last-event-id").and_then(|it| it.to_str().ok()?.parse().ok());
    let once = it.once.is_some_and(|it| it != 0);
    Ok(stream::open(&web, me, last.or(it.after), once).await?.into_response())
}

/// What is asked of a table, see [`Looking`].
#[derive(Deserialize)]
pub struct Asking {
    since: Option<u64>,
    page: Option<u8>,
    drawn: Option<u8>,
    known: Option<String>,
}

impl Asking {
    /// The same in the words of no platform.
    pub fn looking(&self) -> Looking {
        Looking { since: self.since, page: self.page, drawn: self.drawn.is_some_and(|it| it != 0) }
    }
}

/// What this person may know of a table that stands in one of their rooms.
pub async fn table(
    State(ctx): State<Ctx>,
    Me(me): Me,
    Path((room, table)): Path<(String, String)>,
    Query(it): Query<Asking>,
) -> Result<Response, Refusal> {
    ctx.web.rates.take(&me, Deed::Ask)?;
    let room = the_room(&me, &room)?;
    let (place, person) = who_where(&ctx.web, &me, &room)?;
    let table = TableId(table.to_lowercase());
    ctx.web.looks(&me, &room, &table.0);
    let state = ctx.listener.state(&place, &person, &table, it.looking()).await;
    Ok(told(&ctx.web, &me, &it, state.ok_or(Refusal::Absent("table"))?))
}

/// The state of a table for somebody: of what they have already only what is new.
pub fn told(web: &Web, who: &str, asking: &Asking, state: String) -> Response {
    let (told, tag) = web.known.tell(who, asking.known.as_deref(), state);
    ([(header::ETAG, format!("\"{tag}\""))], json_text(told)).into_response()
}

/// What is asked of a game step by step, see [`Look::Replay`].
#[derive(Deserialize)]
pub struct Stepping {
    from: Option<u32>,
    seat: Option<u8>,
}

impl Stepping {
    /// The same in the words of no platform.
    pub fn of(&self, table: TableId) -> Look {
        Look::Replay { table, from: self.from.unwrap_or_default(), seat: self.seat }
    }
}

/// A game that stands in one of this person's rooms, step by step.
pub async fn replay(
    State(ctx): State<Ctx>,
    me: Me,
    Path((room, table)): Path<(String, String)>,
    Query(it): Query<Stepping>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    show(&ctx, me, &room, it.of(TableId(table.to_lowercase())), &headers).await
}

/// The review of a game that stands in one of this person's rooms.
pub async fn review(
    State(ctx): State<Ctx>,
    me: Me,
    Path((room, table)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let look = Look::Review { table: TableId(table.to_lowercase()), step: None };
    show(&ctx, me, &room, look, &headers).await
}

/// The move that was tried on a page of a course.
#[derive(Deserialize)]
pub struct Trying {
    tried: Option<String>,
}

/// A page of a course, as it looks to this person in one of their rooms.
pub async fn lesson(
    State(ctx): State<Ctx>,
    me: Me,
    Path((room, game, page)): Path<(String, String, String)>,
    Query(it): Query<Trying>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    show(&ctx, me, &room, Look::Lesson { game, page, tried: it.tried }, &headers).await
}

/// Something to be looked at, unless whoever asks has it already.
async fn show(
    ctx: &Ctx,
    Me(me): Me,
    room: &str,
    look: Look,
    headers: &HeaderMap,
) -> Result<Response, Refusal> {
    ctx.web.rates.take(&me, Deed::Fetch)?;
    let (place, person) = who_where(&ctx.web, &me, &the_room(&me, room)?)?;
    let shown = ctx.listener.show(&place, &person, look).await;
    Ok(private(shown.ok_or(Refusal::Absent("table or page to be looked at"))?, headers))
}

/// What one person alone may see, unless they have it already.
pub fn private(text: String, headers: &HeaderMap) -> Response {
    let tag = format!("\"{}\"", known::tag(&text));
    let mut answer = assets::checked(JSON, text.into(), &tag, headers);
    let about = answer.headers_mut();
    about.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    // Two people of one browser must not get what the other one sees.
    about.insert(header::VARY, HeaderValue::from_static("authorization, cookie"));
    answer
}

/// The open tables of this person, those that wait for them first.
pub async fn tables(State(ctx): State<Ctx>, Me(me): Me) -> Result<Response, Refusal> {
    ctx.web.rates.take(&me, Deed::Ask)?;
    let (place, person) = {
        let state = ctx.web.state();
        let member = state.people.get(&me).ok_or(Refusal::Stranger)?;
        // Their private chat, whether they have looked into it or not.
        let room = Room { name: format!("@{me}"), ..Room::default() };
        (acts::place(&room, member), acts::person(&room, member))
    };
    let tables = ctx.listener.own_tables(&place, &person).await;
    Ok(json_text(tables.ok_or(Refusal::Bot)?))
}

/// A person in one of their rooms, as the bot knows both.
fn who_where(web: &Web, me: &str, room: &str) -> Result<(Place, Person), Refusal> {
    let state = web.state();
    let room = &state.room_of(me, room)?.room;
    let member = state.people.get(me).ok_or(Refusal::Stranger)?;
    Ok((acts::place(room, member), acts::person(room, member)))
}

/// JSON that is already text, of this very moment.
pub fn json_text(text: String) -> Response {
    let about = [(header::CONTENT_TYPE, JSON), (header::CACHE_CONTROL, "no-store")];
    (about, text).into_response()
}

/// Drawings that boards are made of. Everybody may see them, and what has a name never changes.
pub async fn drawings(
    State(ctx): State<Ctx>,
    Path(name): Path<String>,
) -> Result<Response, Refusal> {
    let sheet = name.strip_suffix(".svg").and_then(|it| ctx.listener.drawings(it));
    let sheet = sheet.ok_or(Refusal::Absent("drawing"))?;
    let kept = "public, max-age=31536000, immutable";
    let about = [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, kept)];
    Ok((about, sheet).into_response())
}

/// A picture that some message shows this person.
pub async fn picture(
    State(web): Chat,
    Me(me): Me,
    Path(name): Path<String>,
) -> Result<Response, Refusal> {
    let hash = name.strip_suffix(".png").ok_or(Refusal::Absent("picture"))?;
    let (_, bytes) = fetch(&web, &me, hash).await?;
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
    State(web): Chat,
    Me(me): Me,
    Path(hash): Path<String>,
) -> Result<Response, Refusal> {
    let (name, bytes) = fetch(&web, &me, &hash).await?;
    let safe = |c: char| if c.is_ascii_alphanumeric() || ".-_".contains(c) { c } else { '_' };
    let name: String = name.chars().map(safe).collect();
    let kind = if gif_size(&bytes).is_some() { "image/gif" } else { "application/octet-stream" };
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    Ok((headers, bytes).into_response())
}

async fn fetch(web: &Arc<Web>, me: &str, hash: &str) -> Result<(String, Vec<u8>), Refusal> {
    web.rates.take(me, Deed::Fetch)?;
    let label = {
        let state = web.state();
        let blob = state.may_fetch(me, hash).ok_or(Refusal::Absent("picture or file"))?;
        blob.label.clone()
    };
    let (files, hash) = (Arc::clone(&web.files), hash.to_owned());
    let bytes = tokio::task::spawn_blocking(move || files.read(&hash)).await;
    let bytes = bytes.map_err(|_| Refusal::Disk)?.map_err(|_| Refusal::Disk)?;
    Ok((label, bytes.ok_or(Refusal::Absent("picture or file"))?))
}
