//! The built-in chat, driven only by its JSON interface.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use async_trait::async_trait;
use caravanserai::command_menus;
use caravanserai_games::ids::PersonId;
use caravanserai_i18n::I18n;
use caravanserai_store::Store;
use caravanserai_webchat::{PublicPage, Webchat, WebchatLimits, WebchatSettings};
use parking_lot::Mutex;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinHandle;

use super::host::Host;
use super::{DONE, LOOK_MS, ReceivedContent, Stage, VisibleMessage, shown};

/// The secret of the host of the bot.
pub const HOST: &str = "only-the-host-knows";

/// A person at the page.
#[derive(Clone)]
struct Someone {
    token: String,
    /// With the prefix `web:`.
    id: String,
}

/// A room of the built-in chat.
pub struct WebStage {
    /// The bot.
    pub host: Host,
    /// Whether every request is sent twice, as after a lost answer.
    pub repeat: bool,
    page: Option<PublicPage>,
    folder: TempDir,
    running: Option<Running>,
    client: Client,
    people: HashMap<String, Someone>,
    names: Vec<String>,
    /// Who has not entered the first room yet: people choose their language before.
    outside: Vec<String>,
    room: String,
    /// The id of the room, see [`Stage::chat`].
    chat: String,
    keys: u64,
    told: HashMap<String, Vec<VisibleMessage>>,
    known: HashMap<String, String>,
    /// Who looked last, and the newest change they were shown.
    looked: Option<(String, u64)>,
    complaints: Vec<String>,
    /// Everything the chat sent to each person, as it came.
    sent: HashMap<String, Arc<Mutex<Vec<Value>>>>,
    /// Who reads the live updates of each person.
    readers: Vec<JoinHandle<()>>,
}

impl Drop for WebStage {
    fn drop(&mut self) {
        self.readers.iter().for_each(JoinHandle::abort);
    }
}

struct Running {
    web: Arc<Webchat>,
    base: String,
    task: JoinHandle<std::io::Result<()>>,
}

impl WebStage {
    /// A bot on this store.
    pub async fn new(store: Arc<dyn Store>) -> Self {
        Self::on(Host::new(store, 1)).await
    }

    /// On this bot, which may speak over other platforms too.
    pub async fn on(host: Host) -> Self {
        Self::with(host, None).await
    }

    /// The same with a public address at which others sign in.
    pub async fn public(host: Host, page: PublicPage) -> Self {
        Self::with(host, Some(page)).await
    }

    async fn with(host: Host, page: Option<PublicPage>) -> Self {
        let mut stage = Self {
            host,
            page,
            repeat: false,
            folder: TempDir::new().unwrap(),
            running: None,
            client: Client::builder().no_proxy().build().unwrap(),
            people: HashMap::new(),
            names: Vec::new(),
            outside: Vec::new(),
            room: "family".to_owned(),
            chat: String::new(),
            keys: 0,
            told: HashMap::new(),
            known: HashMap::new(),
            looked: None,
            complaints: Vec::new(),
            sent: HashMap::new(),
            readers: Vec::new(),
        };
        stage.begin().await;
        stage
    }

    /// Serves the chat as the program does, for people who are faster than people are.
    async fn begin(&mut self) {
        let often = (1_000_000, 1);
        let limits = WebchatLimits {
            say_rate: often,
            say_in_room_rate: often,
            press_rate: often,
            read_rate: often,
            join_rate: often,
            open_room_rate: often,
            open_room_address_rate: often,
            arrive_rate: often,
            arrive_daily_rate: often,
            analysis_rate: often,
            evaluation_rate: often,
            analysis_address_rate: often,
            ..WebchatLimits::default()
        };
        let settings = WebchatSettings {
            files: self.folder.path().to_owned(),
            commands: command_menus::webchat_commands(&I18n::new()),
            page: self.page.clone(),
            operator_secret: Some(HOST.to_owned()),
            limits,
            ..WebchatSettings::default()
        };
        let web = Webchat::open(settings, self.host.store.clone());
        self.host.service.add_platform(web.clone());
        self.host.start().await;
        let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/api", socket.local_addr().unwrap());
        let (server, handler) = (web.clone(), self.host.handler.clone());
        let task = tokio::spawn(async move { server.serve(socket, handler).await });
        self.running = Some(Running { web, base, task });
        for who in self.names.clone() {
            self.follow(&who);
        }
    }

    /// Records the live updates of a person.
    fn follow(&mut self, who: &str) {
        let request = self.client.get(format!("{}/events?after=0", self.base()));
        let request = request.bearer_auth(&self.people[who].token);
        let sent = self.sent.entry(who.to_owned()).or_default().clone();
        let reader = async move {
            let Ok(mut stream) = request.send().await else { return };
            let mut line = Vec::new();
            while let Ok(Some(more)) = stream.chunk().await {
                for byte in more {
                    if byte != b'\n' {
                        line.push(byte);
                        continue;
                    }
                    let data = line.strip_prefix(b"data: ".as_slice());
                    let data = data.and_then(|it| serde_json::from_slice(it).ok());
                    sent.lock().extend(data);
                    line.clear();
                }
            }
        };
        self.readers.push(tokio::spawn(reader));
    }

    async fn end(&mut self) {
        let Running { web, task, .. } = self.running.take().expect("it was begun");
        web.close();
        task.await.unwrap().unwrap();
    }

    /// Where the page is, without a slash at the end.
    pub fn address(&self) -> &str {
        self.base().trim_end_matches("/api")
    }

    fn base(&self) -> &str {
        &self.running.as_ref().expect("it was begun").base
    }

    async fn get(&self, who: &str, path: &str) -> Value {
        let request = self.client.get(format!("{}/{path}", self.base()));
        let answer = request.bearer_auth(&self.people[who].token).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        let answer: Value = answer.json().await.unwrap();
        if let Some(sent) = self.sent.get(who) {
            sent.lock().push(answer.clone());
        }
        answer
    }

    /// Whether a person may fetch something, and what it is.
    async fn fetch(&self, who: &str, path: &str) -> Option<Vec<u8>> {
        let base = self.base().trim_end_matches("/api");
        let request = self.client.get(format!("{base}{path}"));
        let answer = request.bearer_auth(&self.people[who].token).send().await.unwrap();
        match answer.status().is_success() {
            true => Some(answer.bytes().await.unwrap().to_vec()),
            false => None,
        }
    }

    async fn post(&mut self, who: &str, path: &str, body: Value) -> Value {
        let request = self.client.post(format!("{}/{path}", self.base())).json(&body);
        let request = request.bearer_auth(&self.people[who].token);
        if self.repeat {
            request.try_clone().expect("its body is no stream").send().await.unwrap();
        }
        let answer = request.send().await.unwrap();
        let status = answer.status();
        let answer: Value = answer.json().await.unwrap();
        self.sent.entry(who.to_owned()).or_default().lock().push(answer.clone());
        if status != StatusCode::OK {
            self.complaints.push(format!("{who} {path} {body}: {status} {answer}"));
        }
        answer
    }

    fn key(&mut self) -> String {
        self.keys += 1;
        format!("k{}", self.keys)
    }

    async fn all_enter(&mut self) {
        for name in std::mem::take(&mut self.outside) {
            for room in [self.room.clone(), "@".to_owned()] {
                self.post(&name, "rooms", json!({ "name": room })).await;
            }
            self.learn_chat().await;
        }
    }

    /// Asks for the id of the room, as the host of the bot can.
    async fn learn_chat(&mut self) {
        let request = self.client.get(format!("{}/host", self.base())).bearer_auth(HOST);
        let list: Value = request.send().await.unwrap().json().await.unwrap();
        let rooms = list["rooms"].as_array().unwrap();
        let own = rooms.iter().find(|it| it["name"] == *self.room).expect("people are there");
        self.chat = own["chat"].as_str().unwrap().to_owned();
    }

    /// The host of the bot closes the room: its name is free again.
    pub async fn close_room(&mut self) {
        let body = json!({ "room": self.room });
        let request = self.client.post(format!("{}/host/close", self.base())).json(&body);
        let answer = request.bearer_auth(HOST).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        self.quiet().await;
    }

    /// The host of the bot bans a person, whom the page forgets by that.
    pub async fn ban(&mut self, who: &str) {
        let body = json!({ "person": self.people[who].id });
        let request = self.client.post(format!("{}/host/ban", self.base())).json(&body);
        let answer = request.bearer_auth(HOST).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
    }

    /// A person enters the room, which is created if needed.
    pub async fn enters(&mut self, who: &str) {
        self.outside.retain(|it| it != who);
        for room in [self.room.clone(), "@".to_owned()] {
            self.post(who, "rooms", json!({ "name": room })).await;
        }
        self.learn_chat().await;
        self.quiet().await;
    }

    async fn set_bot(&mut self, present: bool) {
        let (first, path) = (self.names[0].clone(), format!("rooms/{}/bot", self.room));
        self.post(&first, &path, json!({ "present": present })).await;
        self.quiet().await;
    }

    /// Only invited people come into the room from now on.
    pub async fn closes(&mut self) {
        let (first, path) = (self.names[0].clone(), format!("rooms/{}/door", self.room));
        self.post(&first, &path, json!({ "closed": true })).await;
        self.quiet().await;
    }

    /// Writes in a room; `@Name~2` is chosen from the suggestions.
    async fn write(&mut self, who: &str, room: &str, text: &str, reply_to: Option<u64>) {
        self.all_enter().await;
        let key = self.key();
        let named = text.split(' ').filter_map(|it| it.strip_prefix('@'));
        let named: Vec<String> = named.map(str::to_owned).collect();
        let mut text = text.to_owned();
        let mut mentions = Vec::new();
        for name in named {
            if let Some(person) = self.people.get(&name) {
                mentions.push(person.id.clone());
                text = text.replace(&format!("@{name}"), &format!("@{}", shown(&name)));
            }
        }
        let body = json!({ "text": text, "key": key, "reply_to": reply_to, "mentions": mentions });
        let answer = self.post(who, &format!("rooms/{room}/messages"), body).await;
        self.hear_whispers(who, &answer);
        self.quiet().await;
    }

    /// Private answers that do not stay are shown at once.
    fn hear_whispers(&mut self, who: &str, answer: &Value) {
        for whisper in answer["whispers"].as_array().into_iter().flatten() {
            if whisper["id"].is_null() {
                let text = whisper["text"].as_str().unwrap_or_default().to_owned();
                let id = if whisper["passing"] == true { DONE } else { "note" };
                let told = VisibleMessage { id: id.to_owned(), text, ..VisibleMessage::default() };
                self.told.entry(who.to_owned()).or_default().push(told);
            }
        }
    }

    /// The state of a table in the first room for a person, with this query.
    pub async fn state(&self, who: &str, table: &str, query: &str) -> Value {
        self.get(who, &format!("rooms/{}/tables/{table}{query}", self.room)).await
    }

    /// The same in their private chat with the bot.
    pub async fn private_state(&self, who: &str, table: &str) -> Value {
        self.get(who, &format!("rooms/@/tables/{table}")).await
    }

    /// The answer to a person at an address of the first room.
    pub async fn at(&self, who: &str, path: &str) -> Value {
        self.get(who, &format!("rooms/{}/{path}", self.room)).await
    }

    /// The messages of the first room as a person sees them.
    pub async fn messages(&self, who: &str) -> Vec<Value> {
        let page = self.get(who, &format!("rooms/{}?limit=200", self.room)).await;
        page["messages"].as_array().cloned().unwrap_or_default()
    }

    /// The tables of a person.
    pub async fn own_tables(&self, who: &str) -> Value {
        self.get(who, "tables").await
    }

    /// The response to this person at an address.
    pub async fn own(&self, who: &str, path: &str) -> Value {
        self.get(who, path).await
    }

    /// The error status of a person's request.
    pub async fn refused(&self, who: &str, path: &str) -> u16 {
        let request = self.client.get(format!("{}/{path}", self.base()));
        let answer = request.bearer_auth(&self.people[who].token).send().await.unwrap();
        answer.status().as_u16()
    }

    /// The status and the answer to a question of a person that changes nothing.
    pub async fn asks(&self, who: &str, path: &str, body: &Value) -> (StatusCode, Value) {
        let request = self.client.post(format!("{}/{path}", self.base())).json(body);
        let answer = request.bearer_auth(&self.people[who].token).send().await.unwrap();
        (answer.status(), answer.json().await.unwrap())
    }

    /// Performs an action that a state offers, as a person's program.
    pub async fn acts(&mut self, who: &str, press: &str) {
        let body = json!({ "press": press, "key": self.key() });
        self.post(who, &format!("rooms/{}/press", self.room), body).await;
        self.quiet().await;
    }

    /// Waits until all is said.
    pub async fn quiet(&mut self) {
        self.host.quiet(|ms| self.host.clock.pass_ms(ms)).await;
    }

    /// The messages that a person sees in a room; private ones are added to their private replies.
    async fn look(&mut self, who: &str, room: &str) -> Vec<VisibleMessage> {
        let page = self.get(who, &format!("rooms/{room}?limit=200")).await;
        let seq = page["seq"].as_u64().unwrap();
        let newest = self.looked.take().filter(|(it, _)| it == who).map_or(seq, |it| it.1.min(seq));
        self.looked = Some((who.to_owned(), newest));
        let mut all = Vec::new();
        for message in page["messages"].as_array().into_iter().flatten() {
            let it = seen(room, message);
            if message["only"] != true {
                all.push(it);
                continue;
            }
            let before = self.known.insert(format!("{who} {}", it.id), it.text.clone());
            if before.is_none_or(|before| before != it.text) {
                self.told.entry(who.to_owned()).or_default().push(it);
            }
        }
        all
    }

    async fn look_everywhere(&mut self, who: &str) -> Vec<VisibleMessage> {
        self.all_enter().await;
        self.quiet().await;
        self.looked = None;
        let room = self.room.clone();
        let mut all = self.look(who, &room).await;
        all.extend(self.look(who, "@").await);
        all
    }
}

fn seen(room: &str, message: &Value) -> VisibleMessage {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let rows = message["buttons"].as_array().into_iter().flatten();
    let buttons = rows.flat_map(|row| row.as_array().into_iter().flatten());
    VisibleMessage {
        id: format!("{room}/{}", message["id"]),
        text: word(&message["text"]),
        buttons: buttons.map(|it| (word(&it["label"]), word(&it["press"]))).collect(),
        picture: !message["image"].is_null(),
    }
}

/// Every text in a value.
fn strings(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(text.clone()),
        Value::Array(all) => all.iter().for_each(|it| strings(it, into)),
        Value::Object(all) => all.values().for_each(|it| strings(it, into)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Room and number of a message.
fn address(message: &VisibleMessage) -> (String, u64) {
    let (room, id) = message.id.split_once('/').expect("made by `seen`");
    (room.to_owned(), id.parse().unwrap())
}

#[async_trait]
impl Stage for WebStage {
    fn name(&self) -> &'static str {
        "web"
    }

    async fn people(&mut self, names: &[String]) {
        self.names = names.to_vec();
        for name in names {
            let body = json!({ "name": shown(name), "locale": "en" });
            let request = self.client.post(format!("{}/people", self.base())).json(&body);
            let made: Value = request.send().await.unwrap().json().await.unwrap();
            let word = |key: &str| made[key].as_str().unwrap().to_owned();
            let person = Someone { token: word("token"), id: word("id") };
            self.outside.push(name.clone());
            self.people.insert(name.clone(), person);
            self.follow(name);
        }
    }

    async fn set_locale(&mut self, who: &str, locale: &str) {
        self.post(who, "me", json!({ "locale": locale })).await;
    }

    async fn enter_topic(&mut self, topic: &str) {
        self.room = topic.to_lowercase();
        for who in self.names.clone() {
            self.post(&who, "rooms", json!({ "name": self.room })).await;
        }
        self.learn_chat().await;
    }

    async fn send_group_message(&mut self, who: &str, text: &str) {
        let room = self.room.clone();
        self.write(who, &room, text, None).await;
    }

    async fn send_private_message(&mut self, who: &str, text: &str) {
        self.write(who, "@", text, None).await;
    }

    async fn reply_to_message(&mut self, who: &str, message: &VisibleMessage, text: &str) {
        let (room, id) = address(message);
        self.write(who, &room, text, Some(id)).await;
    }

    async fn press_button(&mut self, who: &str, message: &VisibleMessage, press: &str) {
        self.pass_ms(LOOK_MS).await;
        let (room, id) = address(message);
        let body = json!({ "message": id, "press": press, "key": self.key() });
        let answer = self.post(who, &format!("rooms/{room}/press"), body).await;
        self.hear_whispers(who, &answer);
        self.quiet().await;
    }

    async fn visible_messages(&mut self, who: &str) -> Vec<VisibleMessage> {
        self.look_everywhere(who).await
    }

    async fn private_replies(&mut self, who: &str) -> Vec<VisibleMessage> {
        self.look_everywhere(who).await;
        self.told.get(who).cloned().unwrap_or_default()
    }

    async fn private_messages(&mut self, who: &str) -> Vec<VisibleMessage> {
        self.all_enter().await;
        self.quiet().await;
        let mut all = Vec::new();
        for room in ["@".to_owned(), self.room.clone()] {
            let page = self.get(who, &format!("rooms/{room}?limit=200")).await;
            let messages = page["messages"].as_array().into_iter().flatten();
            let own = messages.filter(|it| it["only"] == true && it["gone"] != true);
            all.extend(own.map(|it| seen(&room, it)));
        }
        all
    }

    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// What was sent to the page of this person. Pictures that no message shows any more cannot
    /// be fetched again: their names are among the words.
    async fn received_content(&mut self, who: &str) -> Vec<ReceivedContent> {
        self.look_everywhere(who).await;
        let sent = self.sent.get(who).map(|it| it.lock().clone()).unwrap_or_default();
        let (mut all, mut fetched) = (Vec::new(), HashSet::new());
        for value in sent {
            let mut reached = ReceivedContent::default();
            strings(&value, &mut reached.words);
            let sources = reached.words.iter().filter(|it| it.starts_with("/api/"));
            let sources: Vec<String> =
                sources.filter(|it| fetched.insert((*it).clone())).cloned().collect();
            for source in sources {
                reached.media.extend(self.fetch(who, &source).await);
            }
            all.push(reached);
        }
        all
    }

    async fn wait_for_change(&mut self) {
        let (who, seq) = self.looked.clone().expect("somebody looked before");
        let request = self.client.get(format!("{}/events?after={seq}", self.base()));
        let request = request.bearer_auth(&self.people[&who].token);
        let mut stream = request.send().await.unwrap();
        let mut heard = String::new();
        // Only what changes for good carries an event id.
        while !heard.lines().any(|it| it.starts_with("id:")) {
            let more = stream.chunk().await.unwrap().expect("the stream stays open");
            heard.push_str(&String::from_utf8_lossy(&more));
        }
    }

    fn account(&self, who: &str) -> String {
        self.people[who].id.clone()
    }

    fn chat(&self) -> String {
        self.chat.clone()
    }

    async fn make_operator(&mut self, who: &str) {
        let account = self.account(who);
        self.host.hosts.push(PersonId(account));
        self.restart().await;
    }

    async fn restart(&mut self) {
        self.quiet().await;
        self.end().await;
        self.host.renew().await;
        self.begin().await;
    }

    async fn leave_group(&mut self, who: &str) {
        let path = format!("rooms/{}/leave", self.room);
        self.post(who, &path, json!({})).await;
        self.quiet().await;
    }

    async fn remove_bot(&mut self) {
        self.set_bot(false).await;
    }

    async fn add_bot(&mut self) {
        self.set_bot(true).await;
    }

    async fn delete_message(&mut self, _: &VisibleMessage) {
        panic!("nobody can delete a message of the bot here");
    }

    async fn pass_ms(&mut self, ms: u64) {
        self.host.clock.pass_ms(ms);
    }

    async fn complaints(&mut self) -> Vec<String> {
        self.quiet().await;
        std::mem::take(&mut self.complaints)
    }
}
