//! Why a request is refused, as people and scripts are told.

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::json;

/// A refusal. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The request cannot be understood; what is wrong with it.
    Bad(&'static str),
    /// The same, with what exactly is wrong.
    Json(String),
    /// The body has too many bytes.
    Big,
    /// The body took too long to arrive.
    Slow,
    /// The name cannot be read, or not by everybody in the same way; why.
    Name(&'static str),
    /// Somebody in the room has a name that looks the same.
    Alike,
    /// No token, or one of nobody.
    Stranger,
    /// Nobody is signed in here from another platform.
    SignedOut,
    /// What somebody shows to sign in is `unknown`, or too `old`.
    Unproven(&'static str),
    /// The platform that could say who somebody is does not answer.
    Unreachable,
    /// Only whoever administers the room may.
    NotAdmin,
    /// The room is closed; an invitation is needed.
    ByInvitation,
    /// The room's admin does not want this person back.
    Removed,
    /// The room's admin does not let this person write.
    Muted,
    /// The host does not want whoever has this address.
    Banned,
    /// Not a member of this room, or there is no such thing for this person.
    Absent(&'static str),
    /// The bot is not in this room.
    NoBot,
    /// This key was used for something else.
    KeyReused,
    /// Too much at once: not before so many milliseconds.
    Wait(u64),
    /// Nothing more fits; what.
    Full(&'static str),
    /// The disk refuses.
    Disk,
    /// The bot broke down over this; it may be tried again.
    Bot,
}

impl Refusal {
    fn parts(&self) -> (StatusCode, &'static str, String) {
        match self {
            Refusal::Bad(what) => (StatusCode::BAD_REQUEST, "bad_request", (*what).into()),
            Refusal::Json(what) => {
                (StatusCode::BAD_REQUEST, "bad_request", format!("the JSON does not fit: {what}"))
            }
            Refusal::Big => {
                (StatusCode::PAYLOAD_TOO_LARGE, "too_big", "a request has at most 32 KB".into())
            }
            Refusal::Slow => {
                (StatusCode::REQUEST_TIMEOUT, "too_slow", "the request did not arrive".into())
            }
            Refusal::Name(why) => (StatusCode::BAD_REQUEST, "bad_name", (*why).into()),
            Refusal::Stranger => stranger(),
            Refusal::Alike => (
                StatusCode::CONFLICT,
                "name_alike",
                "somebody in the room has a name that looks the same: take another one".into(),
            ),
            Refusal::SignedOut => signed_out(),
            Refusal::Unproven(why) => {
                forbidden(why, "this does not let you in: ask for a new link")
            }
            Refusal::Unreachable => unreachable(),
            Refusal::NotAdmin => forbidden("not_admin", "only the room's admin may do that"),
            Refusal::ByInvitation => {
                forbidden("by_invitation", "this room is closed: ask somebody in it for its link")
            }
            Refusal::Removed => forbidden("removed", "the room's admin does not let you back in"),
            Refusal::Muted => {
                forbidden("muted", "the room's admin does not let you write here; you may play on")
            }
            Refusal::Banned => forbidden("banned", "the host of this chat does not let you in"),
            Refusal::Absent(what) => (StatusCode::NOT_FOUND, "absent", format!("no such {what}")),
            Refusal::NoBot => (StatusCode::CONFLICT, "no_bot", "the bot is not here".into()),
            Refusal::KeyReused => (
                StatusCode::CONFLICT,
                "key_reused",
                "this key belongs to another message: take a new one".into(),
            ),
            Refusal::Wait(ms) => (
                StatusCode::TOO_MANY_REQUESTS,
                "too_fast",
                format!("a little slower please: again in {} s", ms.div_ceil(1_000)),
            ),
            Refusal::Full(what) => {
                (StatusCode::SERVICE_UNAVAILABLE, "full", format!("there are enough {what}"))
            }
            Refusal::Bot => (
                StatusCode::INTERNAL_SERVER_ERROR,
                "bot_failed",
                "the bot could not answer this; it has been noted".into(),
            ),
            Refusal::Disk => (
                StatusCode::SERVICE_UNAVAILABLE,
                "disk",
                "nothing can be kept at the moment; try again later".into(),
            ),
        }
    }
}

fn stranger() -> (StatusCode, &'static str, String) {
    let say = "send the token of POST /api/people as Authorization: Bearer TOKEN";
    (StatusCode::UNAUTHORIZED, "stranger", say.into())
}

fn signed_out() -> (StatusCode, &'static str, String) {
    let say = "nobody is signed in here: open the board again from your chat";
    (StatusCode::UNAUTHORIZED, "signed_out", say.into())
}

fn unreachable() -> (StatusCode, &'static str, String) {
    let say = "the platform does not answer at the moment; try again later";
    (StatusCode::SERVICE_UNAVAILABLE, "unreachable", say.into())
}

fn forbidden(error: &'static str, say: &str) -> (StatusCode, &'static str, String) {
    (StatusCode::FORBIDDEN, error, say.into())
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, error, say) = self.parts();
        let mut body = json!({ "error": error, "say": say });
        let mut wait = None;
        if let Refusal::Wait(ms) = self {
            body["wait_ms"] = json!(ms);
            wait = HeaderValue::from_str(&ms.div_ceil(1_000).to_string()).ok();
        }
        let mut answer = (status, Json(body)).into_response();
        if let Some(wait) = wait {
            answer.headers_mut().insert(header::RETRY_AFTER, wait);
        }
        answer
    }
}
