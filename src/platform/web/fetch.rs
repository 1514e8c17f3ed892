//! What is only read: live updates, pictures, files.

use std::sync::Arc;

use axum::{
    extract::{Path, Query, State},
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;

use super::{
    Web, acts,
    bot::gif_size,
    guard::Me,
    http::{Chat, Ctx, the_room},
    model::Room,
    rates::Deed,
    refusal::Refusal,
    stream,
};
use crate::chat::{Looking, Person, Place};
use crate::ids::TableId;

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
}

/// What this person may know of a table that stands in one of their rooms.
pub async fn table(
    State(ctx): State<Ctx>,
    Me(me): Me,
    Path((room, table)): Path<(String, String)>,
    Query(it): Query<Asking>,
) -> Result<Response, Refusal> {
    ctx.web.rates.take(&me, Deed::Ask)?;
    let (place, person) = who_where(&ctx.web, &me, &the_room(&me, &room)?)?;
    let looking = Looking {
        since: it.since,
        page: it.page.unwrap_or_default(),
        drawn: it.drawn.is_some_and(|it| it != 0),
    };
    let table = TableId(table.to_lowercase());
    ctx.web.hub.looks(&me, &the_room(&me, &room)?, &table.0);
    let state = ctx.listener.state(&place, &person, &table, looking).await;
    Ok(json_text(state.ok_or(Refusal::Absent("table"))?))
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
fn json_text(text: String) -> Response {
    let about = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
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
