//! How many bytes come over the wire to the page: for its first view, heads of answers included,
//! and for each move.

use std::collections::BTreeSet;
use std::io::Write;

use flate2::write::GzDecoder;
use reqwest::{Client, Response};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::whole_game_browser::Program;

/// What one move may cost, board, state and live update together.
const MOVE_MAX: usize = 2_560;

/// A browser that counts.
struct Counting {
    client: Client,
    base: String,
    token: String,
    /// Of bodies, and of heads.
    bytes: usize,
    heads: usize,
    keys: usize,
}

/// The length of the head of an answer.
fn head(answer: &Response) -> usize {
    answer.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum()
}

fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut decoder = GzDecoder::new(Vec::new());
    match decoder.write_all(bytes).and_then(|()| decoder.finish()) {
        Ok(plain) => plain,
        Err(_) => bytes.to_vec(),
    }
}

impl Counting {
    async fn new(base: &str, name: &str) -> Self {
        let client = Client::builder().no_proxy().build().unwrap();
        let body = json!({ "name": name, "locale": "en" });
        let made = client.post(format!("{base}/api/people")).json(&body).send().await.unwrap();
        let made: Value = made.json().await.unwrap();
        let token = made["token"].as_str().unwrap().to_owned();
        Self { client, base: base.to_owned(), token, bytes: 0, heads: 0, keys: 0 }
    }

    async fn ask(&mut self, path: &str) -> Response {
        let request = self.client.get(format!("{}{path}", self.base)).bearer_auth(&self.token);
        let answer = request.header("accept-encoding", "gzip").send().await.unwrap();
        assert!(answer.status().is_success(), "{path}");
        self.heads += head(&answer);
        answer
    }

    async fn get(&mut self, path: &str) -> String {
        let answer = self.ask(path).await;
        let bytes = answer.bytes().await.unwrap();
        self.bytes += bytes.len();
        String::from_utf8(unpacked(&bytes)).unwrap()
    }

    async fn json(&mut self, path: &str) -> Value {
        serde_json::from_str(&self.get(path).await).unwrap()
    }

    async fn post(&mut self, path: &str, mut body: Value) -> Value {
        self.keys += 1;
        body["key"] = json!(format!("k{}", self.keys));
        let request = self.client.post(format!("{}/api/{path}", self.base)).json(&body);
        let answer = request.bearer_auth(&self.token).send().await.unwrap();
        assert!(answer.status().is_success(), "{path}");
        self.heads += head(&answer);
        let answer = answer.bytes().await.unwrap();
        self.bytes += answer.len();
        serde_json::from_slice(&answer).unwrap()
    }
}

/// Live updates as they come.
struct Updates {
    stream: Response,
    plain: GzDecoder<Vec<u8>>,
    bytes: usize,
}

impl Updates {
    async fn until(&mut self, words: &str) {
        while !String::from_utf8_lossy(self.plain.get_ref()).contains(words) {
            let chunk = self.stream.chunk().await.unwrap().expect("the stream goes on");
            self.bytes += chunk.len();
            self.plain.write_all(&chunk).and_then(|()| self.plain.flush()).unwrap();
        }
        self.plain.get_mut().clear();
    }
}

/// Everything that the page names, and what its modules import.
async fn first_view(it: &mut Counting) {
    let page = it.get("/").await;
    let named: BTreeSet<&str> =
        page.split('"').filter(|it| it.starts_with("/web/") && it.contains('.')).collect();
    let folder = named.iter().find(|it| it.ends_with("app.js")).unwrap().replace("app.js", "");
    let mut modules = vec!["app.js".to_owned()];
    let mut known = 0;
    for path in named.iter().filter(|it| !it.ends_with(".js")) {
        it.get(path).await;
    }
    while let Some(name) = modules.get(known).cloned() {
        let text = it.get(&format!("{folder}{name}")).await;
        for import in text.split("from \"./").skip(1).filter_map(|it| it.split('"').next()) {
            if !modules.iter().any(|it| it == import) {
                modules.push(import.to_owned());
            }
        }
        known += 1;
    }
    assert!(known > 10, "{modules:?}");
    it.get(&format!("{folder}words-en.js")).await;
}

async fn drawn(it: &mut Counting, table: &str, since: Option<u64>) -> Value {
    let since = since.map(|it| format!("&since={it}")).unwrap_or_default();
    it.json(&format!("/api/rooms/lobby/tables/{table}?drawn=1&page=0{since}")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_view_and_a_move_are_small_on_the_wire() {
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    let mut ann = Counting::new(&program.base, "Ann").await;
    let mut bek = Counting::new(&program.base, "Bek").await;
    for it in [&mut ann, &mut bek] {
        it.post("rooms", json!({ "name": "lobby" })).await;
    }
    ann.post("rooms/lobby/messages", json!({ "text": "/togyz me" })).await;
    bek.post("rooms/lobby/messages", json!({ "text": "/join" })).await;
    let mut stream = ann.ask("/api/events?after=0").await;
    assert_eq!(stream.headers()["content-encoding"], "gzip");
    let (plain, first) = (GzDecoder::new(Vec::new()), stream.chunk().await.unwrap().unwrap());
    let mut updates = Updates { stream, plain, bytes: 0 };
    updates.plain.write_all(&first).unwrap();
    updates.until("\"alt\"").await;
    let table = ann.json("/api/tables").await["tables"][0]["table"].clone();
    let table = table.as_str().unwrap().to_owned();

    (ann.bytes, ann.heads) = (0, 0);
    first_view(&mut ann).await;
    ann.json("/api/me").await;
    ann.json("/api/rooms/lobby?limit=60").await;
    let mut state = drawn(&mut ann, &table, None).await;
    for sheet in state["picture"]["board"]["sheets"].as_array().unwrap() {
        ann.get(&format!("/art/{}.svg", sheet.as_str().unwrap())).await;
    }
    eprintln!("first view: {} bytes and {} of heads", ann.bytes, ann.heads);
    assert!(ann.bytes + ann.heads < 60 * 1024, "{} {}", ann.bytes, ann.heads);

    let mut costs = Vec::new();
    for n in 0..6 {
        let mover = if n % 2 == 0 { &mut ann } else { &mut bek };
        let own = drawn(mover, &table, None).await;
        let press = own["actions"][n]["press"].as_str().unwrap().to_owned();
        ann.bytes = 0;
        updates.bytes = 0;
        let mover = if n % 2 == 0 { &mut ann } else { &mut bek };
        mover.post("rooms/lobby/press", json!({ "press": press })).await;
        updates.until("\"alt\"").await;
        state = drawn(&mut ann, &table, state["moment"].as_u64()).await;
        costs.push(ann.bytes + updates.bytes);
    }
    eprintln!("moves: {costs:?} bytes");
    assert!(costs.iter().all(|it| *it < MOVE_MAX), "{costs:?}");
}
