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
    /// No token, or one of nobody.
    Stranger,
    /// Only whoever administers the room may.
    NotAdmin,
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
}

impl Refusal {
    fn parts(&self) -> (StatusCode, &'static str, String) {
        match self {
            Refusal::Bad(what) => (StatusCode::BAD_REQUEST, "bad_request", (*what).into()),
            Refusal::Stranger => (
                StatusCode::UNAUTHORIZED,
                "stranger",
                "send the token of POST /api/people as Authorization: Bearer TOKEN".into(),
            ),
            Refusal::NotAdmin => {
                (StatusCode::FORBIDDEN, "not_admin", "only the room's admin may do that".into())
            }
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
            Refusal::Disk => (
                StatusCode::SERVICE_UNAVAILABLE,
                "disk",
                "nothing can be kept at the moment; try again later".into(),
            ),
        }
    }
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
