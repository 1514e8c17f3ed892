//! What the admin of a room does with it, and what people do with their own way in.

use axum::{
    Json,
    extract::{Path, State},
};
use serde::Deserialize;
use serde_json::json;

use super::{
    acts,
    body::Body,
    guard::{Me, hash_of},
    http::{Answer, Chat, Ctx, random_hex, the_room},
    now_ms,
    rates::Deed,
    refusal::Refusal,
    state::Discipline,
};
use caravanserai_protocol::Arrival;

/// Nothing.
#[derive(Deserialize)]
pub struct Nothing {}

/// Gives a person a new token: wherever the old one is known, it is of no use any more.
pub async fn sign_out_elsewhere(
    State(web): Chat,
    Me(me): Me,
    Body(Nothing {}): Body<Nothing>,
) -> Answer {
    web.rates.take(&me, Deed::Open)?;
    let token = random_hex::<32>()?;
    let secret = hash_of(&token);
    web.change(move |state| state.change_secret(&me, secret.clone())).await?;
    Ok(Json(json!({ "token": token })))
}

/// Whether a room is closed.
#[derive(Deserialize)]
pub struct Closing {
    closed: bool,
}

/// Closes a room to all who have no invitation, or opens it. Each closing makes a new invitation.
pub async fn set_door(
    State(web): Chat,
    Me(me): Me,
    Path(room): Path<String>,
    Body(it): Body<Closing>,
) -> Answer {
    web.rates.take(&me, Deed::Open)?;
    let room = the_room(&me, &room)?;
    let invite = if it.closed { Some(random_hex::<8>()?) } else { None };
    let words = invite.clone();
    web.change(move |state| state.set_invite(&me, &room, words.clone())).await?;
    Ok(Json(json!({ "invite": invite })))
}

/// What is done about whom.
#[derive(Deserialize)]
pub struct Disciplining {
    person: String,
    act: How,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum How {
    Mute,
    Unmute,
    Remove,
    Allow,
}

/// Keeps somebody silent or out of a room, or no longer.
pub async fn discipline(
    State(ctx): State<Ctx>,
    Me(me): Me,
    Path(room): Path<String>,
    Body(it): Body<Disciplining>,
) -> Answer {
    ctx.web.rates.take(&me, Deed::Ask)?;
    let room = the_room(&me, &room)?;
    if room.starts_with('@') {
        return Err(Refusal::Bad("the private chat has nobody else"));
    }
    let how = match it.act {
        How::Mute => Discipline::Mute,
        How::Unmute => Discipline::Unmute,
        How::Remove => Discipline::Remove,
        How::Allow => Discipline::Allow,
    };
    let person = it.person.trim_start_matches("web:").to_owned();
    let change = ctx.web.change(move |state| {
        state.discipline(&me, &room, &person, how)?;
        let gone = how == Discipline::Remove;
        Ok(gone.then(|| state.went(&me, &room, &person, now_ms())).flatten())
    });
    if let Some(pending) = change.await? {
        acts::hear(&ctx.web, &ctx.listener, pending, Arrival::default()).await?;
    }
    Ok(Json(json!({})))
}
