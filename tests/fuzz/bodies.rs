//! Sends external request bodies to the HTTP endpoints of the program: the webhook of Telegram, the
//! interactions of Discord, the built-in chat. The update handler does nothing; the servers of the
//! platforms accept every request.

use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use axum::body::Body;
use axum::http::{Request, StatusCode, Uri, header};
use axum::{Json, Router};
use caravanserai_discord as discord;
use caravanserai_platform_shared::PlatformServices;
use caravanserai_protocol::{
    ArgumentSuggestion, ArgumentSuggestions, Chat, EphemeralReply, Person, Update, UpdateHandler,
};
use caravanserai_store::memory::MemoryStore;
use caravanserai_telegram as telegram;
use caravanserai_webchat as web;
use caravanserai_webchat::Webchat;
use ring::signature::{Ed25519KeyPair, KeyPair};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tower::ServiceExt;

/// The name of the thread that runs the endpoints.
const THREAD: &str = "fuzz-endpoints";
const SECRET: &str = "fuzzed";

/// Number of panics on that thread: panics of tasks that are never joined are seen only here.
static PANICS: AtomicUsize = AtomicUsize::new(0);

/// The endpoints with their runtime.
struct Endpoints {
    runtime: Runtime,
    webhook: Router,
    interactions: Router,
    page: Router,
    /// Signs as Discord does.
    key: Ed25519KeyPair,
    /// The token of a person in the built-in chat.
    token: String,
    discord: discord::DiscordPlatform,
}

struct IgnoreUpdates;

#[async_trait]
impl UpdateHandler for IgnoreUpdates {
    async fn handle(&self, _: Update) -> Vec<EphemeralReply> {
        Vec::new()
    }

    fn argument_suggestions(&self) -> Option<&dyn ArgumentSuggestions> {
        Some(self)
    }
}

#[async_trait]
impl ArgumentSuggestions for IgnoreUpdates {
    async fn suggest_arguments(
        &self,
        _: &Chat,
        _: &Person,
        _: &str,
        typed: &str,
    ) -> Vec<ArgumentSuggestion> {
        vec![ArgumentSuggestion { label: typed.to_owned(), value: typed.to_owned() }]
    }
}

/// The answer of the platform servers to any request.
async fn accept_anything(uri: Uri) -> Json<Value> {
    let path = uri.path().to_ascii_lowercase();
    Json(if path.ends_with("/getme") {
        let me = json!({"id": 1, "is_bot": true, "first_name": "Bot", "username": "the_bot",
            "can_join_groups": true, "can_read_all_group_messages": false,
            "supports_inline_queries": true, "has_main_web_app": false,
            "can_connect_to_business": false});
        json!({"ok": true, "result": me})
    } else if path.contains("/bot") {
        json!({"ok": true, "result": true})
    } else {
        json!({"id": "1", "username": "the_bot", "bot": true, "discriminator": "0"})
    })
}

fn telegram_texts() -> telegram::TelegramTexts {
    let said = || "said".to_owned();
    let (envelope, open, not_yours) = (said(), said(), said());
    let (expired, trouble, nothing) = (said(), said(), said());
    telegram::TelegramTexts { envelope, open, not_yours, expired, trouble, nothing }
}

fn discord_texts() -> discord::DiscordTexts {
    let said = || discord::LocalizedText::same_for_all("said");
    discord::DiscordTexts {
        missing_permissions: discord::LocalizedText::same_for_all(discord::PERMISSIONS_PLACEHOLDER),
        external_apps: said(),
        thread_locked: said(),
        unreadable_reply: said(),
        envelope: said(),
        open: said(),
        not_yours: said(),
        expired: said(),
        trouble: said(),
        private: said(),
    }
}

/// Limits that are never reached: rate limits are not tested here.
fn unlimited() -> web::WebchatLimits {
    let much = (u32::MAX, 1);
    web::WebchatLimits {
        say_rate: much,
        say_in_room_rate: much,
        press_rate: much,
        read_rate: much,
        join_rate: much,
        open_room_rate: much,
        open_room_address_rate: much,
        arrive_rate: much,
        arrive_daily_rate: much,
        analysis_rate: much,
        evaluation_rate: much,
        analysis_address_rate: much,
        failed_proof_rate: much,
        ..web::WebchatLimits::default()
    }
}

fn endpoints() -> &'static Endpoints {
    static ENDPOINTS: OnceLock<Endpoints> = OnceLock::new();
    ENDPOINTS.get_or_init(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if std::thread::current().name() == Some(THREAD) {
                PANICS.fetch_add(1, Ordering::SeqCst);
            }
            before(info);
        }));
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).thread_name(THREAD).enable_all().build();
        let runtime = runtime.expect("the runtime starts");
        let opened = runtime.spawn(open_endpoints());
        let (webhook, interactions, page, key, token, discord) =
            runtime.block_on(opened).expect("the endpoints start");
        Endpoints { runtime, webhook, interactions, page, key, token, discord }
    })
}

async fn open_endpoints()
-> (Router, Router, Router, Ed25519KeyPair, String, discord::DiscordPlatform) {
    let listener: Arc<dyn UpdateHandler> = Arc::new(IgnoreUpdates);
    let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}", socket.local_addr().expect("the socket is bound"));
    let server = axum::serve(socket, Router::new().fallback(accept_anything)).into_future();
    tokio::spawn(server);

    let tg = telegram::TelegramPlatform::connect(telegram::TelegramSettings {
        token: "1:fuzzed".to_owned(),
        api_url: url.clone(),
        app: None,
        picture_chat: None,
        press_patience: Duration::from_secs(2),
        texts_for: Arc::new(|_| telegram_texts()),
        shared: PlatformServices::for_single_process("tg"),
    });
    let tg = tg.await.expect("the server accepts every request");
    let webhook = tg.webhook_routes(Arc::clone(&listener), "/", SECRET);

    let settings = discord::DiscordSettings::new("fuzzed", discord_texts());
    let dc = discord::DiscordPlatform::connect(discord::DiscordSettings {
        api_url: Some(url),
        ..settings
    });
    let dc = dc.await.expect("the server accepts every request");
    let key = Ed25519KeyPair::from_seed_unchecked(&[7; 32]).expect("32 bytes are a seed");
    let public = hex::encode(key.public_key());
    let public = discord::PublicKey::parse(&public).expect("the key is valid");
    let interactions = dc.interaction_routes(Arc::clone(&listener), "/", public);

    let store = Arc::new(MemoryStore::default());
    let settings = web::WebchatSettings { limits: unlimited(), ..web::WebchatSettings::default() };
    let page = Webchat::open(settings, store).router(listener);
    let (_, arrived) = request_page(&page, "POST", "/api/people", None, br#"{"name":"Ann"}"#).await;
    let arrived: Value = serde_json::from_slice(&arrived).expect("the answer is JSON");
    let token = arrived["token"].as_str().expect("people get a token").to_owned();
    for room in ["one", "two"] {
        let body = json!({"name": room}).to_string();
        request_page(&page, "POST", "/api/rooms", Some(&token), body.as_bytes()).await;
    }
    (webhook, interactions, page, key, token, dc)
}

/// The answer of the built-in chat to a request.
async fn request_page(
    page: &Router,
    method: &str,
    path: &str,
    token: Option<&str>,
    body: &[u8],
) -> (StatusCode, Vec<u8>) {
    let mut request = Request::builder().method(method).uri(path).header(header::HOST, "localhost");
    request = request.header(header::CONTENT_TYPE, "application/json");
    if let Some(token) = token {
        request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
    }
    let Ok(request) = request.body(Body::from(body.to_vec())) else {
        return (StatusCode::BAD_REQUEST, Vec::new());
    };
    let answer = page.clone().oneshot(request).await.unwrap_or_else(|never| match never {});
    let status = answer.status();
    let is_endless = answer
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|it| it.to_str().is_ok_and(|it| it.starts_with("text/event-stream")));
    if is_endless {
        return (status, Vec::new());
    }
    let body = axum::body::to_bytes(answer.into_body(), usize::MAX).await;
    (status, body.unwrap_or_default().to_vec())
}

/// Runs a request on the endpoints' thread and detects panics there.
fn run_on_endpoints<T: Send + 'static>(
    request_future: impl Future<Output = T> + Send + 'static,
) -> T {
    let panics = PANICS.load(Ordering::SeqCst);
    let answer = endpoints().runtime.block_on(endpoints().runtime.spawn(request_future));
    assert_eq!(PANICS.load(Ordering::SeqCst), panics, "a request caused a panic");
    answer.expect("the request is answered")
}

/// Updates that Telegram posts to the webhook.
pub fn webhook(data: &[u8]) {
    let body = data.to_vec();
    let status = run_on_endpoints(async move {
        let request = Request::post("/").header("X-Telegram-Bot-Api-Secret-Token", SECRET);
        let request = request.body(Body::from(body)).expect("the request is valid");
        let answer = endpoints().webhook.clone().oneshot(request).await;
        answer.unwrap_or_else(|never| match never {}).status()
    });
    let is_json = serde_json::from_slice::<Value>(data).is_ok();
    let expected = if is_json { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    assert_eq!(status, expected, "otherwise Telegram redelivers it endlessly");
}

/// Interactions that Discord posts, with its signature.
pub fn interactions(data: &[u8]) {
    let body = data.to_vec();
    let status = run_on_endpoints(async move {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let signed = [now.to_string().as_bytes(), &body].concat();
        let signature = endpoints().key.sign(&signed);
        let signature = hex::encode(signature);
        let request = Request::post("/")
            .header("X-Signature-Ed25519", signature)
            .header("X-Signature-Timestamp", now.to_string())
            .body(Body::from(body))
            .expect("the request is valid");
        let answer = endpoints().interactions.clone().oneshot(request).await;
        endpoints().discord.drain().await;
        answer.unwrap_or_else(|never| match never {}).status()
    });
    assert!(!status.is_server_error() && status != StatusCode::UNAUTHORIZED, "{status}");
}

/// Requests of a known person to the built-in chat: method and path in the first line, then the
/// body.
pub fn page(data: &[u8]) {
    let end = data.iter().position(|it| *it == b'\n').unwrap_or(data.len());
    let (line, body) =
        (super::text(&data[..end]), data.get(end + 1..).unwrap_or_default().to_vec());
    let (method, path) = line.split_once(' ').unwrap_or(("POST", &line));
    let (method, path) = (method.to_owned(), path.to_owned());
    // Unlimited new rooms and people reach a limit, which is a valid answer.
    let opens = matches!(path.split('?').next(), Some("/api/rooms" | "/api/people"));
    let (status, _) = run_on_endpoints(async move {
        let endpoints = endpoints();
        request_page(&endpoints.page, &method, &path, Some(&endpoints.token), &body).await
    });
    let is_full = opens && status == StatusCode::SERVICE_UNAVAILABLE;
    assert!(!status.is_server_error() || is_full, "{status}");
}
