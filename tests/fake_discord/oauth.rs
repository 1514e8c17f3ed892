//! Handles OAuth codes and tokens of people, as an Activity gets them, and the instances of
//! Activities. Discord's document does not describe the token endpoint: it follows RFC 6749, 4.1.3.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::rest::{Answer, Asked};
use super::world::World;
use super::{Actor, Channel, FakeDiscord};

/// The secret of the application.
pub const CLIENT_SECRET: &str = "fake-client-secret";
/// The lifetime of a code.
const CODE_MS: u64 = 60_000;

/// The grants.
#[derive(Default)]
pub struct Grants {
    /// Codes, with the person and the expiry.
    codes: BTreeMap<String, (u64, u64)>,
    /// Tokens, with the person.
    tokens: BTreeMap<String, u64>,
    /// Instances of the Activity, with the channel and the people.
    windows: BTreeMap<String, (u64, Vec<u64>)>,
}

impl FakeDiscord {
    /// A person opens the Activity and grants it a code.
    pub fn grants(&self, person: &Actor) -> String {
        let user = person.id.parse().expect("ids are made by this server");
        self.shared.with(|world| {
            let code = format!("code{}", world.id());
            let until_ms = world.now_ms + CODE_MS;
            world.grants.codes.insert(code.clone(), (user, until_ms));
            code
        })
    }

    /// Opens an instance of the Activity in a channel, with these people.
    pub fn opens_window(&self, channel: &Channel, people: &[&Actor]) -> String {
        let people = people.iter().map(|it| it.id.parse().expect("ids are made by this server"));
        let window = (channel.number(), people.collect());
        self.shared.with(|world| {
            let id = format!("i-{}-gc", world.id());
            world.grants.windows.insert(id.clone(), window);
            id
        })
    }
}

/// `POST /oauth2/token`; the fields of the form.
pub fn token(world: &mut World, form: &Value) -> Answer {
    let text = |name: &str| form[name].as_str().unwrap_or_default();
    let refuse = |status, error: &str| Answer {
        status,
        body: json!({"error": error, "error_description": "fault"}),
        headers: Vec::new(),
    };
    if text("client_id") != world.app.to_string() || text("client_secret") != CLIENT_SECRET {
        return refuse(401, "invalid_client");
    }
    if text("grant_type") != "authorization_code" {
        return refuse(400, "unsupported_grant_type");
    }
    let now_ms = world.now_ms;
    // A code is valid once.
    let granted = world.grants.codes.remove(text("code"));
    let Some((user, _)) = granted.filter(|(_, until_ms)| now_ms < *until_ms) else {
        return refuse(400, "invalid_grant");
    };
    let token = format!("token{}", world.id());
    world.grants.tokens.insert(token.clone(), user);
    Answer::ok(json!({
        "access_token": token, "token_type": "Bearer", "expires_in": 604_800,
        "refresh_token": "unused", "scope": "identify",
    }))
}

/// `GET /users/@me` with the token of a person.
pub fn myself(world: &World, authorization: &str) -> Option<Answer> {
    let token = authorization.strip_prefix("Bearer ")?;
    Some(match world.grants.tokens.get(token) {
        Some(user) => {
            let mut about = world.user_json(*user);
            about["locale"] = json!(world.users[user].locale);
            Answer::ok(about)
        }
        None => Answer::refuse(401, 0, "401: Unauthorized"),
    })
}

/// `GET /applications/{application_id}/activity-instances/{instance_id}`.
pub fn window(world: &World, asked: &Asked) -> Answer {
    let Some((channel, people)) = world.grants.windows.get(asked.word(1)) else {
        return Answer::refuse(404, 10_065, "Unknown activity instance");
    };
    let people: Vec<String> = people.iter().map(ToString::to_string).collect();
    Answer::ok(json!({
        "application_id": world.app.to_string(), "instance_id": asked.word(1),
        "launch_id": "1", "users": people,
        "location": {
            "id": format!("gc-{channel}"), "kind": "gc", "channel_id": channel.to_string(),
            "guild_id": world.guild_of(*channel).map(|it| it.to_string()),
        },
    }))
}
