//! What reached the devices of each person: messages, their changes, notes after presses, offers
//! while typing. It stays on record when the message is changed or deleted, as people remember.

use std::collections::BTreeSet;

use serde_json::Value;

use super::actors::Person;
use super::world::{Kind, Msg, World};
use super::{BOT_ID, FakeTelegram};

/// Something of the bot that people could look at.
#[derive(Clone, Debug)]
pub struct Reached {
    /// Who could.
    pub who: BTreeSet<i64>,
    /// Texts, labels of buttons and what those carry.
    pub words: Vec<String>,
    /// The contents of the picture or file.
    pub media: Option<Vec<u8>>,
}

impl World {
    /// Writes down that a message of the bot stands so now.
    pub fn reaches(&mut self, chat: i64, msg: &Msg) {
        if msg.from != BOT_ID || msg.service.is_some() {
            return;
        }
        let who = match (msg.receiver, self.chat(chat)) {
            (Some(receiver), _) => [receiver].into(),
            (None, chat) if chat.kind == Kind::Private => [chat.id].into(),
            (None, chat) => chat.members.keys().copied().collect(),
        };
        let mut words = vec![msg.text.clone()];
        words.extend(msg.markup.iter().flat_map(strings));
        let file = msg.media.as_ref().and_then(|it| self.files.get(&it.file_id));
        words.extend(file.map(|it| it.name.clone()));
        let media = file.map(|it| it.bytes.clone());
        self.reached.push(Reached { who, words, media });
    }

    /// Writes down that one person was shown this.
    pub fn reaches_only(&mut self, person: i64, shown: &Value) {
        let words = strings(shown);
        self.reached.push(Reached { who: [person].into(), words, media: None });
    }
}

/// Every text in a value.
fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(all) => all.iter().flat_map(strings).collect(),
        Value::Object(all) => all.values().flat_map(strings).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

impl FakeTelegram {
    /// Everything of the bot that this person could ever look at, oldest first.
    pub fn reached(&self, person: &Person) -> Vec<Reached> {
        self.shared.quiet(|world| {
            let all = world.reached.iter().filter(|it| it.who.contains(&person.id));
            all.cloned().collect()
        })
    }

    /// Everybody's apps lose the ephemeral messages of a chat, and the server forgets them: it
    /// counts from one again.
    pub fn lose_ephemerals(&self, chat: i64) {
        self.shared.change(|world| {
            let chat = world.chat_mut(chat);
            chat.ephemerals.clear();
            chat.next_ephemeral = 1;
        });
    }

    /// Switches the bot's inline mode; it is on at first.
    pub fn inline_mode(&self, on: bool) {
        self.shared.change(|world| world.inline = on);
    }

    /// Whether the bot wants to hear of updates of this kind.
    pub fn hears(&self, kind: &str) -> bool {
        self.shared.quiet(|world| world.feed.wants(kind))
    }

    /// Switches the bot's guest mode on; it is off at first.
    pub fn guest_mode(&self) {
        self.shared.change(|world| world.guests = true);
    }
}
