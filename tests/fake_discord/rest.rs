//! Handles HTTP requests: each is checked against the document, counted and recorded.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, Multipart, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use serde_json::{Value, json};

use super::schema::Report;
use super::spec::{self, Operation};
use super::world::{GuildRec, World, may};
use super::{Call, Failure, Shared, interactions, messages, oauth};

/// The code with which the proxy of Discord lets no request through, with the status 403.
const CLOUDFLARE_BLOCK: u32 = 40333;

/// A file that was uploaded as `files[n]`.
#[derive(Clone, Debug)]
pub struct Upload {
    pub number: u64,
    pub name: String,
    pub kind: String,
    pub bytes: Vec<u8>,
}

/// A request after the checks that need no state.
pub struct Asked {
    pub method: String,
    pub operation: Operation,
    pub query: Vec<(String, String)>,
    pub body: Option<Value>,
    pub files: Vec<Upload>,
}

impl Asked {
    /// The n-th placeholder as an id.
    pub fn id(&self, n: usize) -> u64 {
        self.operation.params.get(n).and_then(|it| it.parse().ok()).unwrap_or_default()
    }

    pub fn word(&self, n: usize) -> &str {
        self.operation.params.get(n).map_or("", String::as_str)
    }

    pub fn asks(&self, name: &str) -> bool {
        self.query.iter().any(|(key, value)| key == name && value == "true")
    }

    pub fn body(&self) -> Value {
        self.body.clone().unwrap_or_else(|| json!({}))
    }
}

/// An answer: status and, unless 204, a body.
pub struct Answer {
    pub status: u16,
    pub body: Value,
    pub headers: Vec<(&'static str, String)>,
}

impl Answer {
    pub fn ok(body: Value) -> Self {
        Answer { status: 200, body, headers: Vec::new() }
    }

    pub fn nothing() -> Self {
        Answer { status: 204, body: Value::Null, headers: Vec::new() }
    }

    /// An error with Discord's code and text.
    pub fn refuse(status: u16, code: u32, message: &str) -> Self {
        let body = json!({"message": message, "code": code});
        Answer { status, body, headers: Vec::new() }
    }

    pub fn invalid(report: &Report) -> Self {
        let body =
            json!({"message": "Invalid Form Body", "code": 50035, "errors": report.errors()});
        Answer { status: 400, body, headers: Vec::new() }
    }

    fn code(&self) -> u64 {
        self.body.get("code").and_then(Value::as_u64).unwrap_or_default()
    }

    fn too_many(wait_ms: u64, scope: &str) -> Self {
        let seconds = wait_ms as f64 / 1000.0;
        let body = json!({
            "message": "You are being rate limited.", "retry_after": seconds,
            "global": scope == "global",
        });
        let mut headers =
            vec![("retry-after", (wait_ms.div_ceil(1000)).to_string()), scope_header(scope)];
        if scope == "global" {
            headers.push(("x-ratelimit-global", "true".to_owned()));
        }
        Answer { status: 429, body, headers }
    }
}

fn scope_header(scope: &str) -> (&'static str, String) {
    ("x-ratelimit-scope", scope.to_owned())
}

/// Handles every request.
pub async fn handle(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let method = request.method().as_str().to_owned();
    let path = request.uri().path().to_owned();
    let query = read_query(request.uri().query().unwrap_or_default());
    let headers = request.headers().clone();
    let (body, files) = match read_body(request).await {
        Ok(read) => read,
        Err(words) => {
            shared.with(|world| world.violation(format!("{method} {path}: {words}")));
            return respond(Answer::refuse(400, 50109, "The request body contains invalid JSON."));
        }
    };
    let call = Call {
        method: method.clone(),
        path: path.clone(),
        body: body.clone().unwrap_or(Value::Null),
        files: files.iter().map(|it| it.name.clone()).collect(),
        status: 0,
        code: 0,
    };
    let (answer, cut) = shared.with(|world| {
        let failure = world.failures.iter().position(|it| it.concerns(&method, &path));
        let failure = failure.and_then(|at| world.failures.remove(at));
        world.answers_were_lost |= failure.is_some();
        let cut = matches!(failure, Some(Failure::CutAfter { .. } | Failure::CutBefore { .. }));
        let answer = match failure {
            Some(Failure::Answer { status, .. }) => {
                Answer::refuse(status, 0, &format!("{status}: fault on purpose"))
            }
            Some(Failure::Refuse { code, .. }) => {
                let status = if code == CLOUDFLARE_BLOCK { 403 } else { 404 };
                Answer::refuse(status, code, "refused on purpose")
            }
            Some(Failure::TooMany { wait_ms, .. }) => Answer::too_many(wait_ms, "user"),
            Some(Failure::CutBefore { .. }) => Answer::nothing(),
            Some(Failure::CutAfter { .. }) | None => {
                answer(world, &method, &path, query, &headers, body, files)
            }
        };
        world.calls.push(Call { status: answer.status, code: answer.code(), ..call });
        (answer, cut)
    });
    match cut {
        true => broken(),
        false => respond(answer),
    }
}

fn answer(
    world: &mut World,
    method: &str,
    path: &str,
    query: Vec<(String, String)>,
    headers: &HeaderMap,
    body: Option<Value>,
    files: Vec<Upload>,
) -> Answer {
    let place = format!("{method} {path}");
    if (method, path) == ("POST", "/api/v10/oauth2/token") {
        return oauth::token(world, &body.unwrap_or_default());
    }
    let given = headers.get(header::AUTHORIZATION).and_then(|it| it.to_str().ok());
    if (method, path) == ("GET", "/api/v10/users/@me")
        && let Some(answer) = given.and_then(|it| oauth::myself(world, it))
    {
        return answer;
    }
    let known = path.strip_prefix("/api/v10").and_then(|it| spec::operation(method, it));
    let Some(operation) = known else {
        world.violation(format!("{place}: not in the document"));
        return Answer::refuse(404, 0, "404: Not Found");
    };
    if operation.needs_token() && given != Some(&format!("Bot {}", world.token)) {
        return Answer::refuse(401, 0, "401: Unauthorized");
    }
    if headers.get(header::USER_AGENT).is_none() {
        world.violation(format!("{place}: no User-Agent"));
    }
    let bucket = match world.count(&operation) {
        Ok(headers) => headers,
        Err(wait_ms) => return Answer::too_many(wait_ms, "user"),
    };
    let mut report = operation.check_address(&query);
    let in_body = operation.check_body(body.as_ref());
    report.mistakes.extend(in_body.mistakes);
    report.unknown.extend(in_body.unknown);
    if !files.is_empty() && !operation.takes_files() {
        world.violation(format!("{place}: no files are taken here"));
    }
    for name in &report.unknown {
        world.violation(format!("{place}: unknown {name}"));
    }
    let mut answer = if report.mistakes.is_empty() {
        let asked = Asked { method: method.to_owned(), operation, query, body, files };
        dispatch(world, &asked)
    } else {
        Answer::invalid(&report)
    };
    if answer.code() == 50035 {
        world.violation(format!("{place}: refused body: {}", answer.body));
    }
    answer.headers.extend(bucket);
    answer
}

fn dispatch(world: &mut World, asked: &Asked) -> Answer {
    match (asked.method.as_str(), asked.operation.template) {
        ("GET", "/gateway") => Answer::ok(json!({"url": world.gateway_url})),
        ("GET", "/gateway/bot") => Answer::ok(json!({
            "url": world.gateway_url, "shards": 1,
            "session_start_limit": {
                "total": 1000, "remaining": world.starts_left,
                "reset_after": 0, "max_concurrency": 1,
            },
        })),
        ("GET", "/users/@me") => Answer::ok(world.self_json()),
        ("GET", "/users/{user_id}") if world.users.contains_key(&asked.id(0)) => {
            Answer::ok(world.user_json(asked.id(0)))
        }
        ("GET", "/applications/@me" | "/oauth2/applications/@me") => Answer::ok(json!({
            "id": world.app.to_string(), "name": "caravanserai", "icon": null,
            "description": "", "bot_public": true, "bot_require_code_grant": false,
            "verify_key": world.public_key(),
            "interactions_endpoint_url": world.signing.as_ref().map(|it| it.url.clone()),
            // Activities are enabled; the members intent is limited.
            "flags": 1 << 17 | u64::from(world.tells_members) << 15,
            "bot": world.self_json(), "owner": null, "team": null,
            "summary": "", "hook": true,
        })),
        (_, template) if template.starts_with("/applications/{application_id}/commands") => {
            super::commands::handle(world, asked)
        }
        (_, template) if template.starts_with("/interactions") => {
            interactions::callback(world, asked)
        }
        (_, template) if template.starts_with("/webhooks") => interactions::webhook(world, asked),
        (_, template) if template.starts_with("/channels") => messages::handle(world, asked),
        ("GET", "/applications/{application_id}/activity-instances/{instance_id}") => {
            oauth::window(world, asked)
        }
        ("POST", "/users/@me/channels") => messages::open_dm(world, asked),
        ("GET", "/guilds/{guild_id}/members/{user_id}") => member(world, asked),
        ("GET", "/guilds/{guild_id}/audit-logs") => audit_log(world, asked),
        (method, template) => {
            world.violation(format!("{method} {template}: not implemented by this server"));
            Answer::refuse(404, 0, "404: Not Found")
        }
    }
}

/// Returns a page of the audit log of a guild, the newest entry first.
fn audit_log(world: &World, asked: &Asked) -> Answer {
    let guild = asked.id(0);
    let is_seen = |it: &GuildRec| it.bot_in && it.bot_may & may::VIEW_AUDIT_LOG != 0;
    if !world.guilds.get(&guild).is_some_and(is_seen) {
        return Answer::refuse(403, 50013, "Missing Permissions");
    }
    let number = |name: &str| {
        let (_, value) = asked.query.iter().find(|(key, _)| key == name)?;
        value.parse::<u64>().ok()
    };
    let id = |it: &Value| it["id"].as_str().and_then(|it| it.parse::<u64>().ok());
    let target = |it: &Value| it["target_id"].as_str().and_then(|it| it.parse::<u64>().ok());
    let entries = world.audit_log.iter().rev().filter(|(at, _)| *at == guild);
    let entries: Vec<&Value> = entries
        .map(|(_, entry)| entry)
        .filter(|it| number("before").is_none_or(|before| id(it) < Some(before)))
        .filter(|it| number("action_type").is_none_or(|kind| it["action_type"] == kind))
        .filter(|it| number("target_id").is_none_or(|wanted| target(it) == Some(wanted)))
        .take(number("limit").map_or(50, |it| it as usize))
        .collect();
    let user = |it: &&Value| it["user_id"].as_str().and_then(|it| it.parse::<u64>().ok());
    let users: BTreeSet<u64> = entries.iter().filter_map(user).collect();
    let users: Vec<Value> = users.into_iter().map(|it| world.user_json(it)).collect();
    Answer::ok(json!({
        "audit_log_entries": entries, "users": users, "application_commands": [],
        "auto_moderation_rules": [], "guild_scheduled_events": [], "integrations": [],
        "threads": [], "webhooks": [],
    }))
}

/// Describes a member of a guild.
fn member(world: &World, asked: &Asked) -> Answer {
    let (guild, user) = (asked.id(0), asked.id(1));
    match world.guilds.get(&guild).is_some_and(|it| it.members.contains_key(&user)) {
        true => {
            let mut member = world.member_json(guild, user);
            member["user"] = world.user_json(user);
            Answer::ok(member)
        }
        false => Answer::refuse(404, 10007, "Unknown Member"),
    }
}

impl World {
    /// Counts a request in its bucket; returns the headers, or the time to wait.
    fn count(&mut self, operation: &Operation) -> Result<Vec<(&'static str, String)>, u64> {
        let limited = operation.needs_token() || operation.template.starts_with("/webhooks");
        if !limited {
            return Ok(Vec::new());
        }
        let major = operation.params.first().cloned().unwrap_or_default();
        let key = format!("{} {major}", operation.template);
        let (limit, now) = (self.limit, self.now_ms);
        let (began, used) = self.buckets.entry(key.clone()).or_insert((now, 0));
        if now >= *began + limit.window_ms {
            (*began, *used) = (now, 0);
        }
        let left_ms = *began + limit.window_ms - now;
        if *used >= limit.requests {
            return Err(left_ms);
        }
        *used += 1;
        let seconds = left_ms as f64 / 1000.0;
        Ok(vec![
            ("x-ratelimit-limit", limit.requests.to_string()),
            ("x-ratelimit-remaining", (limit.requests - *used).to_string()),
            ("x-ratelimit-reset-after", format!("{seconds:.3}")),
            ("x-ratelimit-reset", format!("{:.3}", (now + left_ms) as f64 / 1000.0)),
            ("x-ratelimit-bucket", format!("{:08x}", key.bytes().map(u32::from).sum::<u32>())),
        ])
    }
}

fn respond(answer: Answer) -> Response {
    let status = StatusCode::from_u16(answer.status).expect("the status is valid");
    let mut builder = Response::builder().status(status);
    for (name, value) in answer.headers {
        builder = builder.header(name, value);
    }
    let body = match answer.status {
        204 => Body::empty(),
        _ => {
            builder = builder.header(header::CONTENT_TYPE, "application/json");
            Body::from(answer.body.to_string())
        }
    };
    builder.body(body).expect("the headers are valid")
}

/// An answer that is cut: the connection is lost in the middle of it.
fn broken() -> Response {
    let pieces = futures::stream::iter([
        Ok(vec![b'{']),
        Err(std::io::Error::from(std::io::ErrorKind::ConnectionReset)),
    ]);
    Response::new(Body::from_stream(pieces))
}

async fn read_body(request: Request) -> Result<(Option<Value>, Vec<Upload>), String> {
    let kind = request.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|it| it.to_str().ok()).unwrap_or_default().to_owned();
    if kind.starts_with("multipart/form-data") {
        let parts = Multipart::from_request(request, &()).await.map_err(|it| it.to_string())?;
        return read_parts(parts).await;
    }
    let bytes = to_bytes(request.into_body(), 1 << 25).await.map_err(|it| it.to_string())?;
    if bytes.is_empty() {
        return Ok((None, Vec::new()));
    }
    if kind.starts_with("application/x-www-form-urlencoded") {
        let text = String::from_utf8(bytes.to_vec()).map_err(|it| it.to_string())?;
        let fields = read_query(&text).into_iter().map(|(name, value)| (name, json!(value)));
        return Ok((Some(Value::Object(fields.collect())), Vec::new()));
    }
    if !kind.starts_with("application/json") {
        return Err(format!("a body of type {kind:?}"));
    }
    let value = serde_json::from_slice(&bytes).map_err(|it| it.to_string())?;
    Ok((Some(value), Vec::new()))
}

async fn read_parts(mut parts: Multipart) -> Result<(Option<Value>, Vec<Upload>), String> {
    let (mut body, mut files) = (None, Vec::new());
    while let Some(part) = parts.next_field().await.map_err(|it| it.to_string())? {
        let name = part.name().unwrap_or_default().to_owned();
        if name == "payload_json" {
            let text = part.text().await.map_err(|it| it.to_string())?;
            body = Some(serde_json::from_str(&text).map_err(|it| it.to_string())?);
            continue;
        }
        let number = name.strip_prefix("files[").and_then(|it| it.strip_suffix(']'));
        let Some(number) = number.and_then(|it| it.parse().ok()).filter(|it| *it < 10) else {
            return Err(format!("a part called {name:?}"));
        };
        let file = part.file_name().unwrap_or_default().to_owned();
        let kind = part.content_type().unwrap_or_default().to_owned();
        let bytes = part.bytes().await.map_err(|it| it.to_string())?.to_vec();
        files.push(Upload { number, name: file, kind, bytes });
    }
    Ok((body, files))
}

fn read_query(query: &str) -> Vec<(String, String)> {
    let pairs = query.split('&').filter(|it| !it.is_empty());
    pairs
        .map(|it| {
            let (name, value) = it.split_once('=').unwrap_or((it, ""));
            (name.to_owned(), value.to_owned())
        })
        .collect()
}
