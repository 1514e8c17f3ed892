//! What is only read: live updates, pictures, files.

use std::sync::Arc;

use axum::{
    extract::{Path, Query, State},
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;

use super::{Web, bot::gif_size, guard::Me, http::Chat, rates::Deed, refusal::Refusal, stream};

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
