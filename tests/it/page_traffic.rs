//! Measures how many bytes the page loads: for its first view, including response headers, and for
//! each move.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use flate2::write::GzDecoder;
use reqwest::{Client, Response};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::page_program::Program;

/// How many requests the first view may need: on a slow network each has to be waited for.
const FIRST_REQUESTS_MAX: usize = 25;

/// What one move may cost, board, state and live update together.
const MOVE_MAX: usize = 2_000;

/// What each further step may cost that a move sets off: forced cards, the count, a new deal. Each
/// is a board of its own.
const FURTHER_MAX: usize = 400;

/// A browser that counts.
struct Counting {
    client: Client,
    base: String,
    token: String,
    /// Of bodies, and of heads.
    bytes: usize,
    heads: usize,
    requests: usize,
    keys: usize,
    /// The state that is known, and its tag.
    known: Option<(String, String)>,
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

/// The new text of pieces of the old one and what stands between them.
fn patched(old: &str, patch: &[Value]) -> String {
    let old: Vec<u16> = old.encode_utf16().collect();
    let piece = |it: &Value| match it.as_str() {
        Some(text) => text.to_owned(),
        None => {
            let [from, length] = [0, 1].map(|n| it[n].as_u64().unwrap() as usize);
            String::from_utf16(&old[from..from + length]).unwrap()
        }
    };
    patch.iter().map(piece).collect()
}

impl Counting {
    async fn new(base: &str, name: &str) -> Self {
        let client = Client::builder().no_proxy().build().unwrap();
        let body = json!({ "name": name, "locale": "en" });
        let made = client.post(format!("{base}/api/people")).json(&body).send().await.unwrap();
        let made: Value = made.json().await.unwrap();
        let token = made["token"].as_str().unwrap().to_owned();
        Self {
            client,
            base: base.to_owned(),
            token,
            bytes: 0,
            heads: 0,
            requests: 0,
            keys: 0,
            known: None,
        }
    }

    async fn ask(&mut self, path: &str) -> Response {
        let request = self.client.get(format!("{}{path}", self.base)).bearer_auth(&self.token);
        let answer = request.header("accept-encoding", "gzip").send().await.unwrap();
        assert!(answer.status().is_success(), "{path}");
        self.heads += head(&answer);
        self.requests += 1;
        answer
    }

    /// The state of a table, of which only what is new comes.
    async fn state(&mut self, table: &str, query: &str) -> Value {
        let tag = self.known.as_ref().map(|it| format!("&known={}", it.0)).unwrap_or_default();
        let path = format!("/api/rooms/lobby/tables/{table}?drawn=1&page=0{query}{tag}");
        let answer = self.ask(&path).await;
        let tag = answer.headers()["etag"].to_str().unwrap().replace(['"', 'W', '/'], "");
        let bytes = answer.bytes().await.unwrap();
        self.bytes += bytes.len();
        let text = String::from_utf8(unpacked(&bytes)).unwrap();
        let told: Value = serde_json::from_str(&text).unwrap();
        let text = match told["patch"].as_array() {
            Some(patch) => patched(&self.known.take().unwrap().1, patch),
            None => text,
        };
        let state = serde_json::from_str(&text).unwrap();
        self.known = Some((tag, text));
        state
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
        let request = request.bearer_auth(&self.token).header("accept-encoding", "gzip");
        let answer = request.send().await.unwrap();
        assert!(answer.status().is_success(), "{path}");
        self.heads += head(&answer);
        let answer = answer.bytes().await.unwrap();
        self.bytes += answer.len();
        serde_json::from_slice(&unpacked(&answer)).unwrap()
    }

    /// How many bytes the state of a table has if nothing of it is known.
    async fn whole_state(&self, table: &str, query: &str) -> usize {
        let path = format!("/api/rooms/lobby/tables/{table}?drawn=1&page=0{query}");
        let request = self.client.get(format!("{}{path}", self.base)).bearer_auth(&self.token);
        let answer = request.header("accept-encoding", "gzip").send().await.unwrap();
        answer.bytes().await.unwrap().len()
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

/// People at a table that is being played, the first with live updates.
struct Playing {
    program: Program,
    people: Vec<Counting>,
    table: String,
    updates: Updates,
}

impl Playing {
    async fn new(folder: &Path, opening: &str, count: usize) -> Self {
        let program = Program::start(folder);
        let mut people = Vec::new();
        for name in ["Ann", "Bek", "Cyd", "Dan"].into_iter().take(count) {
            let mut it = Counting::new(&program.base, name).await;
            it.post("rooms", json!({ "name": "lobby" })).await;
            people.push(it);
        }
        people[0].post("rooms/lobby/messages", json!({ "text": opening })).await;
        for it in &mut people[1..] {
            it.post("rooms/lobby/messages", json!({ "text": "/join" })).await;
        }
        if count > 2 {
            let table = people[0].json("/api/tables").await["tables"][0]["table"].clone();
            let press = format!("G.{}", table.as_str().unwrap());
            people[0].post("rooms/lobby/press", json!({ "press": press })).await;
        }
        let mut stream = people[0].ask("/api/events?after=0").await;
        assert_eq!(stream.headers()["content-encoding"], "gzip");
        let (plain, first) = (GzDecoder::new(Vec::new()), stream.chunk().await.unwrap().unwrap());
        let mut updates = Updates { stream, plain, bytes: 0 };
        updates.plain.write_all(&first).unwrap();
        updates.until("\"alt\"").await;
        let table = people[0].json("/api/tables").await["tables"][0]["table"].clone();
        let table = table.as_str().unwrap().to_owned();
        Self { program, people, table, updates }
    }

    /// Some moves: what each cost the first person, their own among them, and of how many steps it
    /// was.
    async fn moves(&mut self, count: usize) -> Vec<(usize, usize)> {
        let mut state = self.people[0].state(&self.table, "").await;
        let mut costs = Vec::new();
        let (mut new, mut whole) = (0, 0);
        for n in 0..count {
            let turn = state["turn"].as_u64().unwrap() as usize;
            let name = state["seats"][turn]["name"].as_str().unwrap();
            let mover = ["Ann", "Bek", "Cyd", "Dan"].iter().position(|it| *it == name).unwrap();
            let own = match mover {
                0 => state.clone(),
                _ => self.people[mover].state(&self.table, "").await,
            };
            let actions = own["actions"].as_array().unwrap();
            let actions: Vec<&Value> = actions.iter().filter(|it| it["token"] != "undo").collect();
            let press = actions[n % actions.len()]["press"].as_str().unwrap().to_owned();
            self.people[0].bytes = 0;
            self.updates.bytes = 0;
            self.people[mover].post("rooms/lobby/press", json!({ "press": press })).await;
            self.updates.until("\"alt\"").await;
            let moment = state["moment"].as_u64().unwrap();
            let (before, query) = (self.people[0].bytes, format!("&since={moment}"));
            state = self.people[0].state(&self.table, &query).await;
            new += self.people[0].bytes - before;
            whole += self.people[0].whole_state(&self.table, &query).await;
            let steps = state["moment"].as_u64().unwrap() - moment;
            costs.push((self.people[0].bytes + self.updates.bytes, steps as usize));
            if state["phase"] != "playing" {
                break;
            }
        }
        let (new, whole) = (new / costs.len(), whole / costs.len());
        eprintln!("the state after a move: {new} bytes on average, as a whole {whole}");
        assert!(new * 3 < whole * 2, "{new} {whole}");
        costs
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_view_is_small_on_the_wire() {
    let folder = TempDir::new().unwrap();
    let mut playing = Playing::new(folder.path(), "/togyz me", 2).await;
    let (table, ann) = (playing.table.clone(), &mut playing.people[0]);
    (ann.bytes, ann.heads, ann.requests) = (0, 0, 0);
    first_view(ann).await;
    ann.json("/api/me").await;
    ann.json("/api/rooms/lobby?limit=60").await;
    let state = ann.state(&table, "").await;
    for sheet in state["picture"]["board"]["sheets"].as_array().unwrap() {
        ann.get(&format!("/art/{}.svg", sheet.as_str().unwrap())).await;
    }
    let Counting { bytes, heads, requests, .. } = ann;
    eprintln!("first view: {bytes} bytes and {heads} of heads in {requests} requests");
    assert!(*requests <= FIRST_REQUESTS_MAX, "{requests}");
    assert!(ann.bytes + ann.heads < 60 * 1024, "{} {}", ann.bytes, ann.heads);
    ann.bytes = 0;
    let replay = ann.json(&format!("/api/rooms/lobby/tables/{table}/replay")).await;
    assert_eq!(replay["stood"].as_array().unwrap().len(), 1);
    drop(playing.program);
}

async fn moves_are_small(opening: &str, people: usize, count: usize) {
    let folder = TempDir::new().unwrap();
    let mut playing = Playing::new(folder.path(), opening, people).await;
    let costs = playing.moves(count).await;
    let most = costs.iter().map(|it| it.0).max().unwrap();
    eprintln!(
        "{opening}: a move costs {} bytes on average, at most {most}: {costs:?}",
        costs.iter().map(|it| it.0).sum::<usize>() / costs.len()
    );
    let small =
        |&(cost, steps): &(usize, usize)| cost < MOVE_MAX + FURTHER_MAX * steps.saturating_sub(1);
    assert!(costs.iter().all(small), "{costs:?}");
    // A part of forty steps.
    let ann = &mut playing.people[0];
    ann.bytes = 0;
    let path = format!("/api/rooms/lobby/tables/{}/replay", playing.table);
    let replay = ann.json(&path).await;
    let steps = replay["stood"].as_array().unwrap().len();
    eprintln!("{opening}: {steps} steps to look back at are {} bytes", ann.bytes);
    assert!(ann.bytes < 1_000 * steps.max(10), "{}", ann.bytes);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_of_stones_is_small_on_the_wire() {
    moves_are_small("/togyz me", 2, 24).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_of_a_race_is_small_on_the_wire() {
    moves_are_small("/thaayam players=2 pieces=4", 2, 40).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_is_small_on_the_wire() {
    moves_are_small("/blot", 4, 48).await;
}
