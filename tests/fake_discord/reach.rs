//! Records what each person could see: messages of the bot, edits, autocompletion choices. The
//! record stays when a message is edited or deleted, because people may have seen it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::world::{ChannelKind, MessageRec, World};
use super::{Actor, FakeDiscord};

/// Content of the bot that people could see.
#[derive(Clone, Debug)]
pub struct ReceivedContent {
    who: BTreeSet<u64>,
    /// Texts, alternative texts, labels and data of buttons, names of files.
    pub words: Vec<String>,
    /// Contents of pictures and files.
    pub media: Vec<Vec<u8>>,
}

impl World {
    /// Records the present content of a message.
    pub fn reaches(&mut self, message: &MessageRec) {
        if message.author != self.bot {
            return;
        }
        let guild = self.guild_of(message.channel).and_then(|it| self.guilds.get(&it));
        let kind = self.channels.get(&message.channel).map(|it| &it.kind);
        let who: BTreeSet<u64> = match (message.only_for, guild, kind) {
            (Some(only), _, _) => [only].into(),
            (None, Some(guild), _) => guild.members.keys().copied().collect(),
            (None, None, Some(ChannelKind::Dm { user })) => [*user].into(),
            (None, None, Some(ChannelKind::Among { users })) => users.iter().copied().collect(),
            (None, None, _) => BTreeSet::new(),
        };
        let mut words = vec![message.content.clone()];
        words.extend(strings(&message.components));
        for file in &message.attachments {
            words.push(file.name.clone());
            words.extend(file.description.clone());
        }
        let media = message.attachments.iter().map(|it| it.bytes.clone()).collect();
        self.reached.push(ReceivedContent { who, words, media });
    }

    /// Records choices that a person was offered.
    pub fn reaches_only(&mut self, user: u64, offered: &Value) {
        let words = strings(offered);
        self.reached.push(ReceivedContent { who: [user].into(), words, media: Vec::new() });
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

impl FakeDiscord {
    /// Everything of the bot that this person could ever see, oldest first.
    pub fn reached(&self, person: &Actor) -> Vec<ReceivedContent> {
        let user: u64 = person.id.parse().expect("ids are made by this server");
        self.shared.look(|world| {
            let all = world.reached.iter().filter(|it| it.who.contains(&user));
            all.cloned().collect()
        })
    }
}
