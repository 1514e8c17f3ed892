//! Records what reached the devices of each person: messages, edits, notifications, inline results.
//! The record stays when a message is edited or deleted, because people may have seen it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::actors::Person;
use super::world::{Kind, Msg, World};
use super::{BOT_ID, FakeTelegram};

/// Content of the bot that people could see.
#[derive(Clone, Debug)]
pub struct ReceivedContent {
    /// The people who could see it.
    pub who: BTreeSet<i64>,
    /// Texts, and the labels and data of buttons.
    pub words: Vec<String>,
    /// The contents of the picture or file.
    pub media: Option<Vec<u8>>,
}

impl World {
    /// Records the present content of a message of the bot.
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
        self.reached.push(ReceivedContent { who, words, media });
    }

    /// Records content that only one person saw.
    pub fn reaches_only(&mut self, person: i64, shown: &Value) {
        let words = strings(shown);
        self.reached.push(ReceivedContent { who: [person].into(), words, media: None });
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
    /// Everything of the bot that this person could ever see, oldest first.
    pub fn reached(&self, person: &Person) -> Vec<ReceivedContent> {
        self.shared.quiet(|world| {
            let all = world.reached.iter().filter(|it| it.who.contains(&person.id));
            all.cloned().collect()
        })
    }

    /// Removes all ephemeral messages of a chat, and restarts their ids at one.
    pub fn lose_ephemerals(&self, chat: i64) {
        self.shared.change(|world| {
            let chat = world.chat_mut(chat);
            chat.ephemerals.clear();
            chat.next_ephemeral = 1;
        });
    }

    /// Switches the bot's inline mode, which is on by default.
    pub fn inline_mode(&self, on: bool) {
        self.shared.change(|world| world.inline = on);
    }

    /// Whether the bot gets updates of this kind.
    pub fn hears(&self, kind: &str) -> bool {
        self.shared.quiet(|world| world.feed.wants(kind))
    }

    /// Switches on the bot's guest mode, which is off by default.
    pub fn guest_mode(&self) {
        self.shared.change(|world| world.guests = true);
    }
}
