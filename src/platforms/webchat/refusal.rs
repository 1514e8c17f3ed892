//! Lists why requests are refused, with texts for people and codes for scripts.

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use super::answers::RefusalAnswer;
use caravanserai_protocol::Unavailable;

/// A refused request, which has changed nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WebchatRefusal {
    /// The request is invalid; contains the reason.
    BadRequest(&'static str),
    /// The JSON is invalid; contains the exact reason.
    InvalidJson(String),
    /// The action is not possible; contains the reason in the person's language.
    Impossible(String),
    /// The body has too many bytes.
    BodyTooLarge,
    /// The body took too long to arrive.
    BodyTooSlow,
    /// The name is unreadable or ambiguous; contains the reason.
    InvalidName(&'static str),
    /// Another member of the room has a name that looks the same.
    LookalikeName,
    /// The token is missing or unknown.
    UnknownToken,
    /// No user of another platform is signed in.
    SignedOut,
    /// The sign-in proof is `unknown`, or too `old`.
    Unproven(&'static str),
    /// The platform that could identify the user does not answer.
    Unreachable,
    /// Only the admin of the room may do this.
    NotAdmin,
    /// The room is closed; an invitation is needed.
    ByInvitation,
    /// The room's admin has removed this person.
    Removed,
    /// The room's admin has muted this person.
    Muted,
    /// The operator has banned this address.
    Banned,
    /// The person is not a member of this room, or the item does not exist for them.
    NotFound(&'static str),
    /// The bot is not in this room.
    NoBot,
    /// This key was used for another action.
    KeyReused,
    /// Too many actions; contains the milliseconds to wait.
    RateLimited(u64),
    /// A limit is reached; contains what is full.
    Full(&'static str),
    /// The person is in as many rooms as they may be.
    TooManyOwnRooms,
    /// The store does not accept writes.
    StoreUnavailable,
    /// The bot failed to handle this; the request may be repeated.
    BotFailed,
    /// The bot cannot read this at the moment; the request may be repeated.
    Unavailable,
}

impl From<Unavailable> for WebchatRefusal {
    fn from(Unavailable: Unavailable) -> Self {
        WebchatRefusal::Unavailable
    }
}

impl WebchatRefusal {
    fn to_parts(&self) -> (StatusCode, &'static str, String) {
        match self {
            WebchatRefusal::BadRequest(what) => {
                (StatusCode::BAD_REQUEST, "bad_request", (*what).into())
            }
            WebchatRefusal::InvalidJson(what) => {
                (StatusCode::BAD_REQUEST, "bad_request", format!("the JSON does not fit: {what}"))
            }
            WebchatRefusal::Impossible(why) => impossible(why),
            WebchatRefusal::BodyTooLarge => {
                (StatusCode::PAYLOAD_TOO_LARGE, "too_big", "a request has at most 32 KB".into())
            }
            WebchatRefusal::BodyTooSlow => {
                (StatusCode::REQUEST_TIMEOUT, "too_slow", "the request did not arrive".into())
            }
            WebchatRefusal::InvalidName(why) => {
                (StatusCode::BAD_REQUEST, "bad_name", (*why).into())
            }
            WebchatRefusal::UnknownToken => unknown_token(),
            WebchatRefusal::LookalikeName => (
                StatusCode::CONFLICT,
                "name_alike",
                "someone in the room has a name that looks the same: take another one".into(),
            ),
            WebchatRefusal::SignedOut => signed_out(),
            WebchatRefusal::Unproven(why) => {
                forbidden(why, "this does not let you in: open the page again from your chat")
            }
            WebchatRefusal::Unreachable => unreachable(),
            WebchatRefusal::NotAdmin => forbidden("not_admin", "only the room's admin may do that"),
            WebchatRefusal::ByInvitation => {
                forbidden("by_invitation", "this room is closed: ask someone in it for its link")
            }
            WebchatRefusal::Removed => {
                forbidden("removed", "the room's admin does not let you back in")
            }
            WebchatRefusal::Muted => {
                forbidden("muted", "the room's admin does not let you write here; you may play on")
            }
            WebchatRefusal::Banned => {
                forbidden("banned", "the operator of this chat does not let you in")
            }
            WebchatRefusal::NotFound(what) => {
                (StatusCode::NOT_FOUND, "absent", format!("no such {what}"))
            }
            WebchatRefusal::NoBot => (StatusCode::CONFLICT, "no_bot", "the bot is not here".into()),
            WebchatRefusal::KeyReused => (
                StatusCode::CONFLICT,
                "key_reused",
                "this key belongs to another message: take a new one".into(),
            ),
            WebchatRefusal::RateLimited(ms) => (
                StatusCode::TOO_MANY_REQUESTS,
                "too_fast",
                format!("a little slower please: again in {} s", ms.div_ceil(1_000)),
            ),
            WebchatRefusal::Full(what) => full(what),
            WebchatRefusal::TooManyOwnRooms => too_many_own_rooms(),
            WebchatRefusal::BotFailed => bot_failed(),
            WebchatRefusal::Unavailable => unavailable(),
            WebchatRefusal::StoreUnavailable => (
                StatusCode::SERVICE_UNAVAILABLE,
                "disk",
                "nothing can be kept at the moment; try again later".into(),
            ),
        }
    }
}

fn full(what: &str) -> (StatusCode, &'static str, String) {
    let say = format!("the maximum number of {what} is reached");
    (StatusCode::SERVICE_UNAVAILABLE, "full", say)
}

fn too_many_own_rooms() -> (StatusCode, &'static str, String) {
    let say = "You are in the maximum number of rooms. Leave one first.";
    (StatusCode::CONFLICT, "many_rooms", say.into())
}

fn impossible(why: &str) -> (StatusCode, &'static str, String) {
    (StatusCode::UNPROCESSABLE_ENTITY, "impossible", why.to_owned())
}

fn unknown_token() -> (StatusCode, &'static str, String) {
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

fn bot_failed() -> (StatusCode, &'static str, String) {
    let say = "the bot could not answer this; it has been noted";
    (StatusCode::INTERNAL_SERVER_ERROR, "bot_failed", say.into())
}

fn unavailable() -> (StatusCode, &'static str, String) {
    let say = "this cannot be read at the moment; try again later";
    (StatusCode::SERVICE_UNAVAILABLE, "unavailable", say.into())
}

fn forbidden(error: &'static str, say: &str) -> (StatusCode, &'static str, String) {
    (StatusCode::FORBIDDEN, error, say.into())
}

impl IntoResponse for WebchatRefusal {
    fn into_response(self) -> Response {
        let (status, error, say) = self.to_parts();
        let wait_ms = if let WebchatRefusal::RateLimited(ms) = self { Some(ms) } else { None };
        let wait =
            wait_ms.and_then(|ms| HeaderValue::from_str(&ms.div_ceil(1_000).to_string()).ok());
        let mut answer = (status, Json(RefusalAnswer { error, say, wait_ms })).into_response();
        if let Some(wait) = wait {
            answer.headers_mut().insert(header::RETRY_AFTER, wait);
        }
        answer
    }
}
