//! Handles HTTP requests: finds the method, reads the parameters in all accepted encodings, checks
//! them against the specification, executes the call and records it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, FromRequest, Multipart, Request as HttpRequest, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde_json::{Map, Value, json};

use super::Shared;
use super::faults::Fault;
use super::feed;
use super::send::Request;
use super::spec::{self, SPEC};
use super::world::{Answer, ApiError, Call, File, TOKEN, Version, World, bad, too_many};
use super::{edit, misc, send, show, via};

/// The routes of the server.
pub fn router(shared: Arc<Shared>) -> Router {
    Router::new().fallback(handle).layer(DefaultBodyLimit::disable()).with_state(shared)
}

/// A parsed call.
struct Parsed {
    params: Map<String, Value>,
    files: BTreeMap<String, File>,
}

async fn handle(State(shared): State<Arc<Shared>>, request: HttpRequest) -> Response {
    let path = request.uri().path().to_owned();
    if let Some(file) = path.strip_prefix(&format!("/file/bot{TOKEN}/files/")) {
        let bytes = shared.quiet(|world| world.files.get(file).map(|it| it.bytes.clone()));
        return bytes
            .map_or_else(|| StatusCode::NOT_FOUND.into_response(), IntoResponse::into_response);
    }
    let Some((token, name)) = path.strip_prefix("/bot").and_then(|it| it.split_once('/')) else {
        return refuse(404, "Not Found");
    };
    if token != TOKEN {
        return match token.split_once(':') {
            Some(_) => refuse(401, "Unauthorized"),
            None => refuse(404, "Not Found"),
        };
    }
    let old = shared.quiet(|world| world.version < Version::V10_2);
    let found = SPEC.method(name).filter(|(it, _)| !(old && spec::NEW_METHODS.contains(it)));
    let Some((method, _)) = found else {
        if SPEC.method(name).is_none() {
            let text = format!("{name} is not a method of the Bot API");
            shared.change(|world| world.violations.push(text));
        }
        return refuse(404, "Not Found: method not found");
    };
    match parse(method, request).await {
        Ok(parsed) => serve(&shared, method, parsed).await,
        Err(error) => {
            shared.change(|world| world.violations.push(format!("{method}: {}", error.text)));
            body(Err(error)).0
        }
    }
}

async fn serve(shared: &Shared, method: &str, parsed: Parsed) -> Response {
    if let Some(error) = shared.change(|world| check(world, method, &parsed)) {
        return finish(shared, method, &parsed, Err(error));
    }
    wait_while_held(shared, method).await;
    let fault = shared.quiet(|world| world.faults.take(method));
    match fault {
        Some(Fault::TooMany(seconds)) => {
            return finish(shared, method, &parsed, Err(too_many(seconds)));
        }
        Some(Fault::Server(code)) => {
            let text = "Internal Server Error".to_owned();
            let error = ApiError { code, text, parameters: None };
            return finish(shared, method, &parsed, Err(error));
        }
        Some(Fault::CutBefore) => {
            note(shared, method, &parsed, Value::Null);
            return cut();
        }
        Some(Fault::Html(code)) => {
            note(shared, method, &parsed, Value::Null);
            return html(code);
        }
        Some(Fault::Huge(megabytes)) => return huge(megabytes),
        Some(Fault::AtOnce) => {
            note(shared, method, &parsed, Value::Null);
            return body(Ok(json!([]))).0;
        }
        Some(Fault::Repeats) => {
            note(shared, method, &parsed, Value::Null);
            let last = shared.quiet(|world| world.feed.last.clone());
            return body(Ok(Value::Array(last.into_iter().collect()))).0;
        }
        Some(Fault::CutAfter) | None => {}
    }
    let answer = match method {
        "getUpdates" => return body(feed::get_updates(shared, &parsed.params).await).0,
        _ => shared.quiet(|world| execute(world, method, &parsed)),
    };
    if fault == Some(Fault::CutAfter) {
        note(shared, method, &parsed, Value::Null);
        return cut();
    }
    finish(shared, method, &parsed, answer)
}

/// Blocks a call while its method is held.
async fn wait_while_held(shared: &Shared, method: &str) {
    let mut changed = shared.changed.subscribe();
    let is_held = |world: &mut World| world.held.as_deref() == Some(method);
    if !shared.quiet(is_held) {
        return;
    }
    shared.change(|world| world.at_door += 1);
    while shared.quiet(is_held) && changed.changed().await.is_ok() {}
    shared.change(|world| world.at_door -= 1);
}

/// Checks the parameters; a server in old mode has already dropped unknown ones.
fn check(world: &mut World, method: &str, parsed: &Parsed) -> Option<ApiError> {
    let files: BTreeSet<String> = parsed.files.keys().cloned().collect();
    let error = SPEC.check_call(method, &parsed.params, &files).err()?;
    world.violations.push(format!("{method}: {error}"));
    Some(bad(format!("violates the specification: {error}")))
}

fn execute(world: &mut World, method: &str, parsed: &Parsed) -> Answer {
    let mut params = parsed.params.clone();
    if method.starts_with("send") {
        let newer = spec::NEW_FIELDS.iter().filter(|(_, since)| world.version < *since);
        newer.for_each(|(name, _)| drop(params.remove(*name)));
    }
    let req = Request { method, params: &params, files: &parsed.files };
    if let Some(why) = misplaced(world, &req) {
        world.violations.push(format!("{method}: {why}"));
        return Err(bad("BUTTON_TYPE_INVALID"));
    }
    let counted = method.starts_with("send") || method.starts_with("edit");
    if counted
        && method != "sendChatAction"
        && let Some(chat) = req.get("chat_id").as_i64()
    {
        world.rate(chat).map_err(too_many)?;
    }
    let answer = match method {
        "getMe" => Ok(show::me(world)),
        "setWebhook" | "deleteWebhook" | "getWebhookInfo" => feed::webhook(world, method, &params),
        "sendMessage" | "sendPhoto" | "sendDocument" | "sendAnimation" => send::send(world, &req),
        "editMessageText"
        | "editMessageCaption"
        | "editMessageMedia"
        | "editMessageReplyMarkup" => edit::edit(world, &req),
        "deleteMessage" => edit::delete(world, &req),
        "deleteMessages" => edit::delete_many(world, &req),
        "deleteEphemeralMessage" => edit::delete_ephemeral(world, &req),
        "editEphemeralMessageText"
        | "editEphemeralMessageCaption"
        | "editEphemeralMessageMedia"
        | "editEphemeralMessageReplyMarkup" => edit::edit_ephemeral(world, &req),
        "answerCallbackQuery" => misc::answer_press(world, &req),
        "answerInlineQuery" => misc::answer_inline(world, &req),
        "answerGuestQuery" => via::answer_guest(world, &req),
        "setMyCommands" | "getMyCommands" | "deleteMyCommands" => misc::menus(world, &req),
        "setMyDescription" | "getMyDescription" => {
            misc::descriptions(world, &req, "description", 512)
        }
        "setMyShortDescription" | "getMyShortDescription" => {
            misc::descriptions(world, &req, "short_description", 120)
        }
        "getChat"
        | "getChatMember"
        | "getChatAdministrators"
        | "getChatMemberCount"
        | "leaveChat"
        | "sendChatAction"
        | "pinChatMessage"
        | "unpinChatMessage" => misc::chats(world, &req),
        "getFile" => misc::file(world, &req),
        other => Err(bad(format!("{other} is not simulated"))),
    };
    if let Ok(result) = &answer
        && let Err(error) = SPEC.check_result(method, result)
    {
        world.violations.push(format!("the test server's own answer to {method}: {error}"));
    }
    if let Err(error) = &answer
        && (error.text.ends_with("is not simulated") || avoidable(&error.text))
    {
        world.violations.push(format!("{method}: {}", error.text));
    }
    answer
}

/// A button in the call that is not allowed there: inline buttons need inline mode, and `web_app`
/// buttons need a private chat with the bot (InlineKeyboardButton, `web_app`).
fn misplaced(world: &World, req: &Request) -> Option<&'static str> {
    let has = |start: &str| {
        let with_buttons = ["reply_markup", "results", "result"];
        with_buttons.iter().any(|it| names(req.get(it)).any(|name| name.starts_with(start)))
    };
    let private = req.get("chat_id").as_i64().is_some_and(|chat| chat > 0);
    if !world.inline && has("switch_inline_query") {
        Some("an inline button while inline mode is off")
    } else if !private && has("web_app") {
        Some("a button that opens an app outside a private chat")
    } else {
        None
    }
}

/// The names of all fields in a value, at any depth.
fn names(value: &Value) -> Box<dyn Iterator<Item = &String> + '_> {
    match value {
        Value::Object(fields) => {
            Box::new(fields.iter().flat_map(|(name, it)| std::iter::once(name).chain(names(it))))
        }
        Value::Array(values) => Box::new(values.iter().flat_map(names)),
        _ => Box::new(std::iter::empty()),
    }
}

/// Whether a bot that respects the limits never gets this error.
fn avoidable(text: &str) -> bool {
    [
        "message is too long",
        "message text is empty",
        "caption is too long",
        "MESSAGE_TOO_LONG",
        "BUTTON_DATA_INVALID",
        "ENTITY_BOUNDS_INVALID",
        "ENTITY_DATE_INVALID",
        "Invalid date-time format",
        "Can't find field",
        "markup is too long",
        "inline keyboard button",
        "invalid button style",
        "too big for a photo",
        "PHOTO_INVALID_DIMENSIONS",
        "IMAGE_PROCESS_FAILED",
        "file must be non-empty",
        "BOT_COMMAND",
        "RESULTS_TOO_MUCH",
        "RESULT_ID_",
        "wrong file identifier",
        "secret token contains",
    ]
    .iter()
    .any(|it| text.contains(it))
}

async fn parse(method: &str, request: HttpRequest) -> Result<Parsed, ApiError> {
    let kind = request.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|it| it.to_str().ok()).unwrap_or_default().to_owned();
    let query = request.uri().query().unwrap_or_default().to_owned();
    let mut out = Parsed { params: Map::new(), files: BTreeMap::new() };
    form(method, query.as_bytes(), &mut out);
    if kind.starts_with("multipart/form-data") {
        parts(method, request, &mut out).await?;
        return Ok(out);
    }
    let bytes = axum::body::to_bytes(request.into_body(), 64 << 20).await.unwrap_or_default();
    if kind.starts_with("application/json") && !bytes.is_empty() {
        let object: Map<String, Value> = serde_json::from_slice(&bytes)
            .map_err(|_| bad("can't parse parameters JSON object"))?;
        out.params.extend(object.into_iter().filter(|(_, value)| !value.is_null()));
    } else if kind.starts_with("application/x-www-form-urlencoded") {
        form(method, &bytes, &mut out);
    }
    Ok(out)
}

fn typed(method: &str, name: &str, text: &str) -> Value {
    let kind = SPEC.methods[method].fields.get(name);
    kind.map_or_else(|| Value::from(text), |kind| spec::from_form(kind, text))
}

fn form(method: &str, bytes: &[u8], out: &mut Parsed) {
    let pairs =
        std::str::from_utf8(bytes).unwrap_or_default().split('&').filter(|it| !it.is_empty());
    for pair in pairs {
        let (name, text) = pair.split_once('=').unwrap_or((pair, ""));
        let (name, text) = (unescape(name), unescape(text));
        let value = typed(method, &name, &text);
        out.params.insert(name, value);
    }
}

fn unescape(text: &str) -> String {
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [bytes.next().unwrap_or(b'0'), bytes.next().unwrap_or(b'0')];
                let digits = std::str::from_utf8(&digits).unwrap_or("3f").to_owned();
                u8::from_str_radix(&digits, 16).unwrap_or(b'?')
            }
            other => other,
        });
    }
    String::from_utf8_lossy(&out).into_owned()
}

async fn parts(method: &str, request: HttpRequest, out: &mut Parsed) -> Result<(), ApiError> {
    let broken = || bad("can't parse multipart body");
    let mut form = Multipart::from_request(request, &()).await.map_err(|_| broken())?;
    while let Some(field) = form.next_field().await.map_err(|_| broken())? {
        let name = field.name().unwrap_or_default().to_owned();
        let file_name = field.file_name().map(str::to_owned);
        let bytes: Bytes = field.bytes().await.map_err(|_| broken())?;
        match file_name {
            Some(file_name) => {
                let file = File { name: file_name, bytes: bytes.to_vec(), size: (0, 0) };
                if SPEC.methods[method].fields.contains_key(&name) {
                    out.params.insert(name.clone(), format!("attach://{name}").into());
                }
                out.files.insert(name, file);
            }
            None => {
                let value = typed(method, &name, &String::from_utf8_lossy(&bytes));
                out.params.insert(name, value);
            }
        }
    }
    Ok(())
}

fn note(shared: &Shared, method: &str, parsed: &Parsed, answer: Value) {
    shared.change(|world| {
        let at_ms = world.now_ms;
        world.calls.push(Call {
            method: method.to_owned(),
            params: Value::Object(parsed.params.clone()),
            files: parsed.files.keys().cloned().collect(),
            answer,
            at_ms,
        });
    });
}

fn finish(shared: &Shared, method: &str, parsed: &Parsed, answer: Answer) -> Response {
    let (response, value) = body(answer);
    note(shared, method, parsed, value);
    response
}

fn body(answer: Answer) -> (Response, Value) {
    let (code, value) = match answer {
        Ok(result) => (200, json!({ "ok": true, "result": result })),
        Err(error) => {
            let mut value =
                json!({ "ok": false, "error_code": error.code, "description": error.text });
            if let Some(parameters) = error.parameters {
                value["parameters"] = parameters;
            }
            (error.code, value)
        }
    };
    let status = StatusCode::from_u16(code).expect("the code is a valid HTTP status");
    ((status, Json(value.clone())).into_response(), value)
}

fn refuse(code: u16, text: &str) -> Response {
    body(Err(ApiError { code, text: text.to_owned(), parameters: None })).0
}

/// An answer that is cut: the client sees a lost connection.
fn cut() -> Response {
    let broken = std::io::Error::new(std::io::ErrorKind::ConnectionReset, "cut by the test");
    let stream = futures::stream::iter([Ok(Bytes::from_static(b"{")), Err(broken)]);
    Response::new(Body::from_stream(stream))
}

/// The answer of a proxy.
fn html(code: u16) -> Response {
    let status = StatusCode::from_u16(code).expect("the code is a valid HTTP status");
    let page = "<html><body>Please sign in to this network.</body></html>".repeat(50);
    (status, [(header::CONTENT_TYPE, "text/html")], page).into_response()
}

/// A huge answer without a length header.
fn huge(megabytes: usize) -> Response {
    let piece = Bytes::from(vec![b'x'; 1 << 20]);
    let begin = Bytes::from_static(b"{\"ok\":true,\"result\":\"");
    let pieces = std::iter::once(begin).chain(std::iter::repeat_n(piece, megabytes));
    let stream = futures::stream::iter(pieces.map(Ok::<_, std::io::Error>));
    Response::new(Body::from_stream(stream))
}
