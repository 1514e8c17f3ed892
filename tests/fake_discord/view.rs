//! Shows tests what people see and what the bot requested.

use serde_json::Value;

use super::world::{AttachmentRec, MessageRec, World, flag};
use super::{Actor, Call, Channel, FakeDiscord, shapes};

/// A message as a person sees it.
#[derive(Clone, Debug)]
pub struct VisibleMessage {
    pub id: String,
    /// The account's name.
    pub author: String,
    /// The text as it was sent, with its markup.
    pub content: String,
    /// The text as clients show it: without markup, mentions as names.
    pub text: String,
    pub files: Vec<AttachmentRec>,
    /// Label and custom id, row by row.
    pub buttons: Vec<Vec<(String, String)>>,
    /// Whether only this person sees it.
    pub ephemeral: bool,
    /// Whether it still shows that the bot is thinking.
    pub loading: bool,
    /// Whether it was sent without notification sound.
    pub silent: bool,
    /// Ids of people it notified.
    pub pinged: Vec<String>,
    /// The message that it replies to.
    pub answers: Option<String>,
    pub edits: u32,
}

impl FakeDiscord {
    /// The messages that a person sees in a channel, oldest first.
    pub fn visible_to(&self, person: &Actor, channel: &Channel) -> Vec<VisibleMessage> {
        let user = person.id.parse().expect("ids are made by this server");
        self.shared.look(|world| {
            let messages = match world.sees(user, channel.number()) {
                true => world.messages_for(user, channel.number()),
                false => Vec::new(),
            };
            messages.into_iter().map(|it| seen(world, it)).collect()
        })
    }

    /// All requests of the bot, in order.
    pub fn calls(&self) -> Vec<Call> {
        self.shared.look(|world| world.calls.clone())
    }

    /// Calls of one method whose path contains this text.
    pub fn calls_to(&self, method: &str, path: &str) -> Vec<Call> {
        let mut calls = self.calls();
        calls.retain(|it| it.method == method && it.path.contains(path));
        calls
    }

    /// Requests that the real service rejects or only tolerates.
    pub fn violations(&self) -> Vec<String> {
        self.shared.look(|world| world.violations.clone())
    }

    /// The slash commands as they are registered now.
    pub fn commands(&self) -> Vec<Value> {
        self.shared.look(|world| world.commands.clone())
    }
}

fn seen(world: &World, message: &MessageRec) -> VisibleMessage {
    let text = |it: &Value, field: &str| it[field].as_str().unwrap_or_default().to_owned();
    let row = |it: &Value| -> Vec<(String, String)> {
        let buttons = it["components"].as_array().into_iter().flatten();
        buttons.map(|it| (text(it, "label"), text(it, "custom_id"))).collect()
    };
    VisibleMessage {
        id: message.id.to_string(),
        author: world.users[&message.author].name.clone(),
        content: message.content.clone(),
        text: shapes::as_read(world, &message.content),
        files: message.attachments.clone(),
        buttons: message.components.as_array().into_iter().flatten().map(row).collect(),
        ephemeral: message.only_for.is_some(),
        loading: message.flags & flag::LOADING != 0,
        silent: message.flags & flag::SILENT != 0,
        pinged: message.pinged.iter().map(u64::to_string).collect(),
        answers: message.reference.map(|it| it.to_string()),
        edits: message.edits,
    }
}
