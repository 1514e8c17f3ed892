//! Handles the requests of a room's admin, and people's requests for a new token.

use axum::{
    Json,
    extract::{Path, State},
};
use serde::Deserialize;

use super::{
    answers::{EmptyAnswer, RoomInvitationAnswer, TokenAnswer},
    auth::{AuthenticatedPerson, token_hash},
    bot_updates,
    json_body::JsonBody,
    now_ms,
    rate_limits::RateKind,
    refusal::WebchatRefusal,
    routes::{ApiResult, WebchatContext, WebchatHandle, random_hex, resolve_room},
    state::ModerationAction,
};
use caravanserai_protocol::Arrival;

/// The number of characters of a token.
const TOKEN_CHARS: usize = 64;

/// A request to sign out everywhere else.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct NewTokenRequest {
    /// The new token: 64 digits of a random number, `0-9a-f`; without it the server makes one.
    token: Option<String>,
}

/// Gives a person a new token; the old one is invalid from then on. A client that chooses the token
/// can store it before it asks: then a lost answer loses nothing.
pub async fn sign_out_elsewhere(
    State(web): WebchatHandle,
    AuthenticatedPerson(me): AuthenticatedPerson,
    JsonBody(it): JsonBody<NewTokenRequest>,
) -> ApiResult<TokenAnswer> {
    web.rates.check(&me, RateKind::Open)?;
    let token = chosen_or_new_token(it.token)?;
    let secret = token_hash(&token);
    web.change(move |state| state.change_secret(&me, secret.clone())).await?;
    Ok(Json(TokenAnswer { token }))
}

/// Returns the token that a client has chosen, or makes one.
///
/// # Errors
/// When the chosen token does not have the form of a token, or there is no randomness.
pub fn chosen_or_new_token(chosen: Option<String>) -> Result<String, WebchatRefusal> {
    let is_digit = |it: u8| it.is_ascii_digit() || matches!(it, b'a'..=b'f');
    match chosen {
        Some(it) if it.len() == TOKEN_CHARS && it.bytes().all(is_digit) => Ok(it),
        Some(_) => Err(WebchatRefusal::BadRequest("a token has 64 digits of 0-9a-f")),
        None => random_hex::<32>(),
    }
}

/// A request to close or open a room.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoomAccessRequest {
    /// Whether an invitation is needed from now on.
    closed: bool,
}

/// Closes a room to people without an invitation, or opens it. Each closing creates a new
/// invitation.
pub async fn set_room_closed(
    State(web): WebchatHandle,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Path(room): Path<String>,
    JsonBody(it): JsonBody<RoomAccessRequest>,
) -> ApiResult<RoomInvitationAnswer> {
    web.rates.check(&me, RateKind::Open)?;
    let room = resolve_room(&me, &room)?;
    let invite = if it.closed { Some(random_hex::<8>()?) } else { None };
    let words = invite.clone();
    web.change(move |state| state.set_invite(&me, &room, words.clone())).await?;
    Ok(Json(RoomInvitationAnswer { invite }))
}

/// A request to moderate a person.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ModerationRequest {
    /// The id of the person.
    person: String,
    act: ModerationAction,
}

/// Mutes or removes a person, or takes that back. The invitation of a closed room changes when a
/// person is removed.
pub async fn moderate(
    State(ctx): State<WebchatContext>,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Path(room): Path<String>,
    JsonBody(it): JsonBody<ModerationRequest>,
) -> ApiResult<EmptyAnswer> {
    ctx.web.rates.check(&me, RateKind::Ask)?;
    let room = resolve_room(&me, &room)?;
    if room.starts_with('@') {
        return Err(WebchatRefusal::BadRequest("the private chat has nobody else"));
    }
    let ModerationRequest { person, act: action } = it;
    let person = person.trim_start_matches("web:").to_owned();
    let invite = random_hex::<8>()?;
    let change = ctx.web.change(move |state| {
        state.moderate(&me, &room, &person, action)?;
        if action != ModerationAction::Remove {
            return Ok(None);
        }
        state.renew_invite(&me, &room, invite.clone())?;
        Ok(state.pending_departure(&me, &room, &person, now_ms()))
    });
    if let Some(pending) = change.await? {
        bot_updates::deliver_to_bot(&ctx.web, &ctx.handler, pending, Arrival::default()).await?;
    }
    Ok(Json(EmptyAnswer {}))
}
