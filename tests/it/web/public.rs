//! A public page under attack: half-open connections, endless bodies, slow readers.

use std::time::Duration;

use caravanserai_webchat::connections::ConnectionLimits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::*;
use crate::web_bot::settings;

fn address(served: &Served) -> String {
    served.base.trim_start_matches("http://").to_owned()
}

/// Sends bytes and gives what comes back until the end, or until `until` was seen.
async fn raw(served: &Served, bytes: &[u8], until: &str) -> String {
    let mut stream = TcpStream::connect(address(served)).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut told = Vec::new();
    let mut piece = [0; 4096];
    while !String::from_utf8_lossy(&told).contains(until) {
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => break,
            Ok(count) => told.extend_from_slice(&piece[..count]),
        }
    }
    String::from_utf8_lossy(&told).into_owned()
}

async fn with_door(door: ConnectionLimits) -> (TempDir, Served) {
    let folder = TempDir::new().unwrap();
    let limits = WebchatLimits { connections: door, ..WebchatLimits::default() };
    let served = Served::start(folder.path(), limits).await;
    (folder, served)
}

#[tokio::test]
async fn connections_that_say_nothing_shut_out_nobody() {
    let (_folder, served) =
        with_door(ConnectionLimits { connections: 24, ..ConnectionLimits::default() }).await;
    let ann = Someone::enter(&served, "Ann").await;
    let mut stream = ann.try_get("events").await;
    let mut idle = Vec::new();
    for n in 0..100 {
        let mut one = TcpStream::connect(address(&served)).await.unwrap();
        if n % 2 == 0 {
            one.write_all(b"GET /api/me HTTP/1.1\r\nHost: localhost\r\nX-Slow: ").await.unwrap();
        }
        idle.push(one);
    }
    let bob = Someone::enter(&served, "Bob").await;
    bob.say("is anybody here?", "k1").await;
    // Ann's stream was at work all the time.
    let mut told = String::new();
    while !told.contains("is anybody here?") {
        told.push_str(&String::from_utf8_lossy(&stream.chunk().await.unwrap().unwrap()));
    }
}

#[tokio::test]
async fn an_unfinished_request_head_is_disconnected() {
    let head_timeout = Duration::from_millis(100);
    let (_folder, served) =
        with_door(ConnectionLimits { head_timeout, ..ConnectionLimits::default() }).await;
    // Read to the end: the server ends it.
    raw(&served, b"GET / HTTP/1.1\r\nHost: local", "nothing like this").await;
    raw(&served, b"", "nothing like this").await;
    // One that rests between two requests, too.
    let rest = raw(&served, b"GET /api HTTP/1.1\r\nHost: localhost\r\n\r\n", "no such text").await;
    assert!(rest.starts_with("HTTP/1.1 200"), "{rest}");
}

#[tokio::test]
async fn a_body_that_is_too_big_is_refused_before_it_comes() {
    let (_folder, served) = chat().await;
    let head = "POST /api/people HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    let huge = format!("{head}Content-Length: 10000000000\r\n\r\n{{");
    let told = raw(&served, huge.as_bytes(), "too_big").await;
    assert!(told.starts_with("HTTP/1.1 413"), "{told}");
    // One that says nothing of its length is refused when it is too long.
    let mut chunked = format!("{head}Transfer-Encoding: chunked\r\n\r\n").into_bytes();
    for _ in 0..10 {
        chunked.extend(b"1000\r\n");
        chunked.extend([b' '; 4096]);
        chunked.extend(b"\r\n");
    }
    let told = raw(&served, &chunked, "too_big").await;
    assert!(told.starts_with("HTTP/1.1 413"), "{told}");
}

#[tokio::test]
async fn request_errors_name_the_cause() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    let body = json!({ "key": "k1" });
    let (status, answer) = ann.try_post("rooms/lobby/messages", body).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(answer["say"].as_str().unwrap().contains("missing field `text`"), "{answer}");
}

#[tokio::test]
async fn only_trusted_proxies_may_forward_client_addresses() {
    let folder = TempDir::new().unwrap();
    let trusting = caravanserai_webchat::WebchatSettings {
        proxies: caravanserai_webchat::TrustedProxies::parse("127.0.0.1").unwrap(),
        limits: WebchatLimits { arrive_rate: (1, 3_600_000), ..WebchatLimits::default() },
        ..settings(folder.path())
    };
    let store = Arc::new(caravanserai_store::memory::MemoryStore::new());
    let bot = Arc::new(Bot::default());
    let served = Served::start_on(store, trusting, bot, "127.0.0.1:0").await;
    let arrive = async |forwarded: &str| {
        let client = Client::builder().no_proxy().build().unwrap();
        let request = client.post(format!("{}/api/people", served.base));
        let request = request.header("x-forwarded-for", forwarded).json(&json!({ "name": "Ann" }));
        request.send().await.unwrap().status()
    };
    assert_eq!(arrive("192.0.2.1").await, StatusCode::OK);
    assert_eq!(arrive("192.0.2.1").await, StatusCode::TOO_MANY_REQUESTS);
    // Addresses before the one that the proxy added are made up.
    assert_eq!(arrive("198.51.100.7, 192.0.2.1").await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(arrive("192.0.2.2").await, StatusCode::OK);
    assert_eq!(arrive("2001:db8::1").await, StatusCode::OK);
    assert_eq!(arrive("2001:db8::2").await, StatusCode::TOO_MANY_REQUESTS, "one household");
}

#[tokio::test]
async fn the_page_is_fetched_once_and_in_few_bytes() {
    let (_folder, served) = chat().await;
    let client = Client::builder().no_proxy().build().unwrap();
    let get = async |path: &str, header: (&'static str, &str)| {
        let request = client.get(format!("{}{path}", served.base)).header(header.0, header.1);
        request.send().await.unwrap()
    };
    let page = get("/", ("accept-encoding", "gzip")).await;
    assert_eq!(page.headers()["content-encoding"], "gzip");
    assert_eq!(page.headers()["cache-control"], "no-cache");
    let mark = page.headers()["etag"].to_str().unwrap().to_owned();
    assert_eq!(get("/", ("if-none-match", &mark)).await.status(), StatusCode::NOT_MODIFIED);
    let text = get("/", ("accept", "*/*")).await.text().await.unwrap();
    let from = text.find("/web/").unwrap();
    let script = text[from..].split('"').find(|it| it.ends_with("app.js")).unwrap();
    assert_ne!(script, "/web/app.js");
    let script = get(script, ("accept", "*/*")).await;
    assert!(script.headers()["cache-control"].to_str().unwrap().contains("immutable"));
    assert_eq!(
        get("/web/app.js", ("accept", "*/*")).await.text().await.unwrap(),
        script.text().await.unwrap()
    );
}

#[tokio::test]
async fn a_page_of_another_version_still_gets_its_parts() {
    let (_folder, served) = chat().await;
    let client = Client::builder().no_proxy().build().unwrap();
    let get = async |path: &str| client.get(format!("{}{path}", served.base)).send().await.unwrap();
    for name in ["words-rooms-ru.js", "games.js", "clocks.css"] {
        let answer = get(&format!("/web/0123456789ab/{name}")).await;
        assert_eq!(answer.status(), StatusCode::OK, "{name}");
        // The next version may have another file under that path.
        assert_eq!(answer.headers()["cache-control"], "no-store", "{name}");
        let current = get(&format!("/web/{name}")).await;
        assert_eq!(answer.headers()["content-type"], current.headers()["content-type"]);
        assert_eq!(answer.text().await.unwrap(), current.text().await.unwrap(), "{name}");
    }
    assert_eq!(get("/web/0123456789ab/none.js").await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn one_person_cannot_wipe_a_room() {
    let folder = TempDir::new().unwrap();
    let often = (1_000, 1);
    let limits = WebchatLimits {
        messages: 10,
        say_rate: often,
        say_in_room_rate: often,
        read_rate: often,
        ..WebchatLimits::default()
    };
    let served = Served::start(folder.path(), limits).await;
    let ann = Someone::enter(&served, "Ann").await;
    let eve = Someone::enter(&served, "Eve").await;
    ann.say("/togyz", "k1").await;
    ann.say("good luck", "k2").await;
    for n in 0..30 {
        eve.say(&format!("spam {n}"), &format!("k{n}")).await;
    }
    let texts = ann.texts().await;
    assert_eq!(texts.len(), 11);
    assert!(
        texts[0] == "/togyz" && texts[1].starts_with("Togyzkumalak") && texts[2] == "good luck"
    );
    let limits = WebchatLimits { say_in_room_rate: (3, 3_600_000), ..WebchatLimits::default() };
    let folder = TempDir::new().unwrap();
    let served = Served::start(folder.path(), limits).await;
    let eve = Someone::enter(&served, "Eve").await;
    for n in 0..3 {
        eve.say("spam", &format!("k{n}")).await;
    }
    let more = json!({ "text": "spam", "key": "k9" });
    let refused = eve.try_post("rooms/lobby/messages", more.clone()).await;
    assert_eq!(refused.0, StatusCode::TOO_MANY_REQUESTS);
    eve.post("rooms", json!({ "name": "other" })).await;
    eve.post("rooms/other/messages", more).await;
}

#[tokio::test]
async fn a_private_chat_opens_with_its_first_message() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    let id = PersonId(format!("web:{}", ann.id.trim_start_matches("web:")));
    let chat_id = served.web.private_chat(&id).await.unwrap();
    served.web.post(&chat_id, &say("your own board")).await.unwrap();
    let told = ann.messages("@").await;
    assert_eq!(told.last().unwrap()["text"], "your own board");
    // The bot does not write to a person who sent it away from there.
    ann.post("rooms/@/bot", json!({ "present": false })).await;
    assert_eq!(served.web.private_chat(&id).await, Err(SendError::NotAllowed));
}

#[tokio::test]
async fn behind_a_proxy_the_page_has_a_name_of_its_own() {
    let folder = TempDir::new().unwrap();
    let settings = caravanserai_webchat::WebchatSettings {
        files: folder.path().to_owned(),
        hosts: vec!["play.example.org".to_owned()],
        ..Default::default()
    };
    let store = Arc::new(caravanserai_store::memory::MemoryStore::new());
    let web = caravanserai_webchat::Webchat::open(settings, store);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let router = web.router(std::sync::Arc::new(crate::web_bot::Bot::default()));
    let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let ask = async |host: Option<&str>, origin: &str| {
        let mut request = client.get(format!("{base}/api")).header("origin", origin);
        if let Some(host) = host {
            request = request.header("host", host);
        }
        let answer = request.send().await.unwrap();
        (answer.status(), answer.text().await.unwrap())
    };
    let page = "https://play.example.org";
    assert_eq!(ask(Some("play.example.org"), page).await.0, StatusCode::OK);
    assert_eq!(ask(None, page).await.0, StatusCode::OK, "the proxy names its own Host");
    for other in ["http://evil.example", "http://127.0.0.1:1", "http://localhost:9"] {
        assert_eq!(ask(None, other).await.0, StatusCode::FORBIDDEN, "{other}");
    }
    let (status, why) = ask(Some("other.example.org"), page).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    assert!(why.contains("WEB_HOSTS"), "{why}");
    serving.abort();
}
