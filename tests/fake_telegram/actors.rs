//! Acts as people: they write, press buttons and look at their chats.

use serde_json::{Value, json};

use super::FakeTelegram;
use super::limits::utf16;
use super::show;
use super::world::{ANONYMOUS_ADMIN, BOT_ID, BOT_NAME, Callback, Kind, Msg, Standing, User, World};

/// A person. Cheap to clone; the state is in the server.
#[derive(Clone)]
pub struct Person {
    /// Telegram's number of this person.
    pub id: i64,
    pub(super) tg: FakeTelegram,
}

/// A chat, or a topic in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    pub chat: i64,
    pub thread: Option<i64>,
}

impl From<i64> for Spot {
    fn from(chat: i64) -> Self {
        Spot { chat, thread: None }
    }
}

/// The answer to a button press.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pressed {
    /// The notification text; empty if there was none.
    pub text: String,
    /// Whether it was shown as an alert.
    pub alert: bool,
}

/// A message as a person sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct VisibleMessage {
    /// 0 for an ephemeral one.
    pub id: i64,
    /// Set if only one person sees it.
    pub ephemeral: Option<i64>,
    pub thread: Option<i64>,
    pub from_bot: bool,
    /// Text or caption.
    pub text: String,
    pub entities: Vec<Value>,
    /// `photo` or `document`.
    pub media: Option<&'static str>,
    /// Contents of the medium.
    pub bytes: Vec<u8>,
    /// Labels and data of the buttons by row; for buttons that begin a message to the bot, `@ ` and
    /// the text instead of data.
    pub buttons: Vec<Vec<(String, String)>>,
    pub reply_to: Option<i64>,
    pub silent: bool,
    /// Number of edits.
    pub edited: u32,
}

impl Person {
    pub(super) fn new(tg: &FakeTelegram, name: &str, is_bot: bool) -> Self {
        let id = tg.shared.change(|world| {
            let id = 1_000_000 + world.fresh();
            let first = name.to_owned();
            world.users.insert(id, User { id, first, username: None, lang: None, is_bot });
            world.open(id, Kind::Private, name, Standing::Outside);
            world.chat_mut(id).members.insert(id, false);
            id
        });
        Self { id, tg: tg.clone() }
    }

    /// Sets the username.
    #[must_use]
    pub fn username(self, name: &str) -> Self {
        self.set(|user| user.username = Some(name.to_owned()))
    }

    /// Sets the language of their app.
    #[must_use]
    pub fn lang(self, lang: &str) -> Self {
        self.set(|user| user.lang = Some(lang.to_owned()))
    }

    fn set(self, act: impl FnOnce(&mut User)) -> Self {
        self.tg.shared.change(|world| act(world.users.get_mut(&self.id).expect("the user exists")));
        self
    }

    /// Writes a text; commands and `@names` in it become entities. Returns the message id.
    pub fn say(&self, spot: impl Into<Spot>, text: &str) -> i64 {
        let msg = Msg { from: self.id, text: text.into(), ..Msg::default() };
        self.send(spot.into(), msg)
    }

    /// Writes a reply to a message.
    pub fn reply(&self, spot: impl Into<Spot>, to: i64, text: &str) -> i64 {
        let reply_to = Some(to);
        let msg = Msg { from: self.id, text: text.into(), reply_to, ..Msg::default() };
        self.send(spot.into(), msg)
    }

    /// Writes a text that mentions a person by a link, not by `@name`.
    pub fn say_naming(&self, spot: impl Into<Spot>, before: &str, who: &Self, after: &str) -> i64 {
        let name = self.tg.shared.quiet(|world| world.users[&who.id].first.clone());
        let user = self.tg.shared.quiet(|world| show::user(world, who.id));
        let entity = json!({
            "type": "text_mention",
            "offset": utf16(before),
            "length": utf16(&name),
            "user": user,
        });
        let text = format!("{before}{name}{after}");
        let msg = Msg { from: self.id, text, entities: vec![entity], ..Msg::default() };
        self.send(spot.into(), msg)
    }

    /// Writes a text that is formatted as a whole, in these ways.
    pub fn say_formatted(&self, spot: impl Into<Spot>, text: &str, kinds: &[&str]) -> i64 {
        let length = utf16(text);
        let around = |kind: &&str| json!({ "type": kind, "offset": 0, "length": length });
        let entities = kinds.iter().map(around).collect();
        let msg = Msg { from: self.id, text: text.into(), entities, ..Msg::default() };
        self.send(spot.into(), msg)
    }

    /// Forwards a text of another person.
    pub fn forward(&self, spot: impl Into<Spot>, author: &Self, text: &str) -> i64 {
        let forwarded_from = Some(author.id);
        let msg = Msg { from: self.id, text: text.into(), forwarded_from, ..Msg::default() };
        self.send(spot.into(), msg)
    }

    /// Writes as an anonymous admin: the sender is the group itself.
    pub fn say_anonymously(&self, spot: impl Into<Spot>, text: &str) -> i64 {
        let spot = spot.into();
        let sender_chat = Some(spot.chat);
        let msg = Msg { from: ANONYMOUS_ADMIN, sender_chat, text: text.into(), ..Msg::default() };
        self.send(spot, msg)
    }

    /// Sends a command that only the bot sees; returns its ephemeral id.
    pub fn command_privately(&self, chat: i64, text: &str) -> i64 {
        let receiver = Some(BOT_ID);
        let msg = Msg { from: self.id, text: text.into(), receiver, ..Msg::default() };
        self.send(chat.into(), msg)
    }

    fn send(&self, spot: Spot, mut msg: Msg) -> i64 {
        msg.thread = spot.thread;
        msg.entities.extend(entities(&msg.text));
        self.tg.shared.change(|world| {
            let is_bot = world.users[&self.id].is_bot;
            let chat = world.chat_mut(spot.chat);
            assert!(chat.members.contains_key(&self.id), "{} is not in this chat", self.id);
            chat.left.remove(&self.id);
            if chat.kind == Kind::Private && chat.bot == Standing::Outside {
                chat.bot = Standing::Member;
            }
            chat.other_bot_spoke |= is_bot;
            let msg = world.put(spot.chat, msg);
            if !is_bot && bot_sees(world, spot.chat, &msg) {
                let chat = world.chat(spot.chat);
                let kind = if chat.kind == Kind::Channel { "channel_post" } else { "message" };
                let body = show::message(world, chat, &msg, true);
                world.feed.push(kind, body);
            }
            if msg.receiver.is_some() { msg.ephemeral.unwrap_or_default() } else { msg.id }
        })
    }

    /// Edits an own message.
    pub fn edits(&self, chat: i64, id: i64, text: &str) {
        self.tg.shared.change(|world| {
            let old = world.chat(chat).messages[&id].clone();
            assert_eq!(old.from, self.id, "only its author can edit a message");
            let (text, entities, edited) = (text.to_owned(), entities(text), old.edited + 1);
            let new = Msg { text, entities, edited, ..old };
            world.chat_mut(chat).messages.insert(id, new.clone());
            if bot_sees(world, chat, &new) {
                let body = show::message(world, world.chat(chat), &new, true);
                world.feed.push("edited_message", body);
            }
        });
    }

    /// Deletes a message; the bot gets no update.
    pub fn deletes(&self, chat: i64, id: i64) {
        self.tg.shared.change(|world| world.chat_mut(chat).messages.remove(&id));
    }

    /// Presses a button, found by its label or data, and waits for the answer.
    pub async fn press(&self, chat: i64, message: i64, button: &str) -> Pressed {
        let query = self.press_only(chat, message, button);
        self.answer_to(&query).await
    }

    /// Presses a button and does not wait; returns the query id.
    pub fn press_only(&self, chat: i64, message: i64, button: &str) -> String {
        let msg = self.tg.shared.quiet(|world| world.chat(chat).messages.get(&message).cloned());
        let msg = msg.unwrap_or_else(|| panic!("no message {message} in {chat}"));
        self.press_on(chat, &msg, &data_of(&msg, button))
    }

    /// Presses a button under an ephemeral message and waits for the answer.
    pub async fn press_ephemeral(&self, chat: i64, id: i64, button: &str) -> Pressed {
        let msg = self.ephemeral(chat, id);
        let query = self.press_on(chat, &msg, &data_of(&msg, button));
        self.answer_to(&query).await
    }

    /// Presses a button of an ephemeral message whose keyboard has changed since the app received
    /// it.
    pub async fn press_ephemeral_stale(&self, chat: i64, id: i64, data: &str) -> Pressed {
        let query = self.press_on(chat, &self.ephemeral(chat, id), data);
        self.answer_to(&query).await
    }

    /// An ephemeral message to this person.
    fn ephemeral(&self, chat: i64, id: i64) -> Msg {
        let msg = self.tg.shared.quiet(|world| world.chat(chat).ephemerals.get(&id).cloned());
        let msg = msg.unwrap_or_else(|| panic!("no ephemeral message {id} in {chat}"));
        assert_eq!(msg.receiver, Some(self.id), "only its receiver can see it");
        msg
    }

    /// Presses a button of a keyboard that has changed since the app received it.
    pub async fn press_stale(&self, chat: i64, message: i64, data: &str) -> Pressed {
        let msg = self.tg.shared.quiet(|world| world.chat(chat).messages.get(&message).cloned());
        let msg = msg.unwrap_or(Msg { id: message, from: BOT_ID, ..Msg::default() });
        let query = self.press_on(chat, &msg, data);
        self.answer_to(&query).await
    }

    fn press_on(&self, chat: i64, msg: &Msg, data: &str) -> String {
        self.tg.shared.change(|world| {
            let id = format!("{}", 4_000_000_000_000_000 + world.fresh());
            let at_ms = world.now_ms;
            let callback = Callback { from: self.id, chat, at_ms, answer: None };
            world.callbacks.insert(id.clone(), callback);
            let body = json!({
                "id": id,
                "from": show::user(world, self.id),
                "message": show::message(world, world.chat(chat), msg, true),
                "chat_instance": format!("{}", chat.unsigned_abs() * 7),
                "data": data,
            });
            world.feed.push("callback_query", body);
            id
        })
    }

    /// Waits for the answer to a press.
    pub async fn answer_to(&self, query: &str) -> Pressed {
        let answer = self.tg.wait_for("the answer to a press", |tg| {
            tg.shared.quiet(|world| world.callbacks[query].answer.clone())
        });
        let answer = answer.await;
        Pressed {
            text: answer["text"].as_str().unwrap_or_default().to_owned(),
            alert: answer["show_alert"].as_bool().unwrap_or_default(),
        }
    }

    /// Types `@bot query` and waits for the results.
    pub async fn inline(&self, query: &str) -> Vec<Value> {
        self.types(query).await["results"].as_array().cloned().unwrap_or_default()
    }

    /// Chooses an inline result: it is posted in the chat via the bot. Returns the message id.
    pub fn choose(&self, spot: impl Into<Spot>, result: &Value) -> i64 {
        let text = result["input_message_content"]["message_text"].as_str();
        let text = text.expect("only text results are simulated").to_owned();
        self.send(spot.into(), Msg { from: self.id, text, via_bot: true, ..Msg::default() })
    }

    /// Types `@bot query` and waits for the whole answer.
    pub async fn types(&self, query: &str) -> Value {
        let id = self.tg.shared.change(|world| {
            let id = world.fresh().to_string();
            world.inlines.insert(id.clone(), (self.id, None));
            let from = show::user(world, self.id);
            let body = json!({ "id": id, "from": from, "query": query, "offset": "" });
            world.feed.push("inline_query", body);
            id
        });
        let answer = self.tg.wait_for("the answer to an inline query", |tg| {
            tg.shared.quiet(|world| world.inlines[&id].1.clone())
        });
        answer.await
    }

    /// Everything in a chat that this person sees, oldest first, ephemeral messages last.
    pub fn sees(&self, chat: i64) -> Vec<VisibleMessage> {
        self.tg.seen(chat, Some(self.id))
    }

    /// Waits until this person sees a matching message; returns the newest one.
    pub async fn awaits(
        &self,
        chat: i64,
        what: &str,
        fits: impl Fn(&VisibleMessage) -> bool,
    ) -> VisibleMessage {
        let look = |_: &FakeTelegram| self.sees(chat).into_iter().rev().find(|it| fits(it));
        self.tg.wait_for(what, look).await
    }
}

impl FakeTelegram {
    /// The messages that everybody in a chat sees.
    pub fn messages(&self, chat: i64) -> Vec<VisibleMessage> {
        self.seen(chat, None)
    }

    /// The messages that a person sees in a chat.
    pub fn visible_to(&self, person: &Person, chat: i64) -> Vec<VisibleMessage> {
        person.sees(chat)
    }

    fn seen(&self, chat: i64, person: Option<i64>) -> Vec<VisibleMessage> {
        self.shared.quiet(|world| {
            let chat = world.chat(chat);
            let own =
                |it: &&Msg| person.is_some() && (it.receiver == person || Some(it.from) == person);
            let all = chat.messages.values().chain(chat.ephemerals.values().filter(own));
            all.filter(|it| it.service.is_none()).map(|it| seen(world, it)).collect()
        })
    }
}

pub(super) fn seen(world: &World, msg: &Msg) -> VisibleMessage {
    let rows = msg.markup.as_ref().and_then(|it| it["inline_keyboard"].as_array());
    let word = |button: &Value, name: &str| button[name].as_str().unwrap_or_default().to_owned();
    let row = |row: &Value| {
        let buttons = row.as_array().into_iter().flatten();
        let data = |it: &Value| match it["switch_inline_query_current_chat"].as_str() {
            Some(words) => format!("@ {words}"),
            None => word(it, "callback_data"),
        };
        buttons.map(|it| (word(it, "text"), data(it))).collect()
    };
    let media = msg.media.as_ref();
    VisibleMessage {
        id: msg.id,
        ephemeral: msg.ephemeral,
        thread: msg.thread,
        from_bot: msg.from == BOT_ID,
        text: msg.text.clone(),
        entities: msg.entities.clone(),
        media: media.map(|it| it.kind),
        bytes: media.map(|it| world.files[&it.file_id].bytes.clone()).unwrap_or_default(),
        buttons: rows.map(|rows| rows.iter().map(row).collect()).unwrap_or_default(),
        reply_to: msg.reply_to,
        silent: msg.silent,
        edited: msg.edited,
    }
}

fn data_of(msg: &Msg, button: &str) -> String {
    let rows = msg.markup.as_ref().map(|it| it["inline_keyboard"].clone()).unwrap_or_default();
    let buttons = rows.as_array().cloned().unwrap_or_default();
    let mut buttons = buttons.iter().filter_map(Value::as_array).flatten();
    let found = buttons.find(|it| it["text"] == button || it["callback_data"] == button);
    let data = found.and_then(|it| it["callback_data"].as_str());
    data.unwrap_or_else(|| panic!("no button {button} in {rows}")).to_owned()
}

/// The entities of commands and usernames, as apps mark them.
fn entities(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let name: String = word
            .char_indices()
            .take_while(|(n, c)| {
                c.is_ascii_alphanumeric() || "_/@".contains(*c) && (*n == 0 || *c != '/')
            })
            .map(|(_, c)| c)
            .collect();
        let kind = match name.chars().next() {
            Some('/') if name.len() > 1 => Some("bot_command"),
            Some('@') if name.len() > 3 => Some("mention"),
            _ => None,
        };
        if let Some(kind) = kind {
            found.push(json!({ "type": kind, "offset": at, "length": utf16(&name) }));
        }
        at += utf16(word);
    }
    found
}

/// Whether the bot gets an update for a message: privacy mode hides most messages of groups.
fn bot_sees(world: &World, chat: i64, msg: &Msg) -> bool {
    let chat = world.chat(chat);
    if !matches!(chat.bot, Standing::Member | Standing::Admin | Standing::Muted | Standing::NoMedia)
    {
        return false;
    }
    let all = !world.privacy || chat.bot == Standing::Admin || chat.kind == Kind::Private;
    if all || msg.service.is_some() || msg.via_bot || msg.receiver == Some(BOT_ID) {
        return true;
    }
    let to_bot = msg.reply_to.and_then(|id| chat.messages.get(&id));
    if to_bot.is_some_and(|it| it.from == BOT_ID) {
        return true;
    }
    let command = msg.text.strip_prefix('/').and_then(|it| it.split_whitespace().next());
    match command.map(|it| it.split_once('@')) {
        Some(Some((_, name))) => name.eq_ignore_ascii_case(BOT_NAME),
        Some(None) => !chat.other_bot_spoke,
        None => false,
    }
}
