//! Acts as people on this Discord.

use std::sync::Arc;

use serde_json::{Value, json};

use super::commands::is_nested;
use super::world::{ChannelKind, InteractionKind, InteractionRec, MessageRec, World, may};
use super::{Channel, Shared};

/// A person of the test.
#[derive(Clone)]
pub struct Actor {
    pub(super) shared: Arc<Shared>,
    /// The snowflake as text.
    pub id: String,
}

impl Actor {
    fn number(&self) -> u64 {
        self.id.parse().expect("ids are made by this server")
    }

    /// Sets the language of this person's client.
    pub fn locale(self, locale: &str) -> Self {
        let id = self.number();
        self.shared.with(|world| {
            world.users.get_mut(&id).expect("it was created before").locale = locale.to_owned();
        });
        self
    }

    /// Sets the display name that is the same in all guilds.
    pub fn global_name(self, name: &str) -> Self {
        let id = self.number();
        self.shared.with(|world| {
            world.users.get_mut(&id).expect("it was created before").global_name =
                Some(name.to_owned());
        });
        self
    }

    /// Sets the name and the permissions this person has in the guild of a channel.
    pub fn member(&self, channel: &Channel, nick: Option<&str>, permissions: u64) {
        let id = self.number();
        self.shared.with(|world| {
            let guild = world.guild_of(channel.number()).expect("only guild channels have members");
            let members = &mut world.guilds.get_mut(&guild).expect("it was created before").members;
            let member = members.get_mut(&id).expect("this person is in the guild");
            member.nick = nick.map(str::to_owned);
            member.permissions = permissions;
        });
    }

    /// The mention of this person in a message.
    pub fn mention(&self) -> String {
        format!("<@{}>", self.id)
    }

    /// Uses a registered slash command; a subcommand is given as `group name`. Values of user
    /// options are ids. Returns the interaction id.
    pub fn slash(&self, channel: &Channel, name: &str, options: &[(&str, &str)]) -> u64 {
        let kind = InteractionKind::Slash;
        self.shared.with(|world| {
            let data = command_data(world, channel, name, options, None);
            world.interact(kind, self.number(), channel.number(), None, data)
        })
    }

    /// Types into an option with autocompletion; waits for the choices of the bot.
    pub async fn autocomplete(
        &self,
        channel: &Channel,
        name: &str,
        option: &str,
        typed: &str,
    ) -> Vec<(String, String)> {
        let kind = InteractionKind::Autocomplete;
        let id = self.shared.with(|world| {
            let data = command_data(world, channel, name, &[(option, typed)], Some(option));
            world.interact(kind, self.number(), channel.number(), None, data)
        });
        let offered = self.shared.wait_for("the choices of an autocompletion", |world| {
            world.interactions.get(&id).and_then(|it| it.choices.clone())
        });
        let pair = |it: &Value| {
            let text = |field: &str| it[field].as_str().unwrap_or_default().to_owned();
            (text("name"), text("value"))
        };
        offered.await.as_array().into_iter().flatten().map(pair).collect()
    }

    /// Presses a button that this person can see. Returns the interaction id.
    pub fn press(&self, channel: &Channel, message: &str, custom_id: &str) -> u64 {
        self.shared.with(|world| {
            let message = world.messages.get(&message.parse().expect("a message id"));
            let message = message.expect("the message is there").clone();
            let user = self.number();
            assert!(
                message.only_for.is_none_or(|it| it == user),
                "the message is only for another person"
            );
            assert!(world.sees(user, message.channel), "this person does not see the channel");
            let there = buttons(&message).any(|it| it["custom_id"] == custom_id);
            assert!(there, "no button {custom_id} under {:?}", message.content);
            self.press_anything(world, channel, &message, custom_id)
        })
    }

    /// Presses the button with this label under the newest message that has one. Returns the
    /// interaction id.
    pub fn press_label(&self, channel: &Channel, label: &str) -> u64 {
        self.shared.with(|world| {
            let user = self.number();
            assert!(world.sees(user, channel.number()), "this person does not see the channel");
            let seen = world.messages_for(user, channel.number());
            let found = seen.into_iter().rev().find_map(|message| {
                let button = buttons(message).find(|it| it["label"] == label)?;
                Some((message.clone(), button["custom_id"].as_str()?.to_owned()))
            });
            let (message, custom_id) = found.unwrap_or_else(|| panic!("no button {label:?}"));
            self.press_anything(world, channel, &message, &custom_id)
        })
    }

    /// Presses a button that has changed since the client received it.
    pub fn press_stale(&self, channel: &Channel, message: &str, custom_id: &str) -> u64 {
        self.shared.with(|world| {
            let message = world.messages.get(&message.parse().expect("a message id"));
            let message = message.expect("the message is there").clone();
            self.press_anything(world, channel, &message, custom_id)
        })
    }

    fn press_anything(
        &self,
        world: &mut World,
        channel: &Channel,
        message: &MessageRec,
        custom_id: &str,
    ) -> u64 {
        let data = json!({"custom_id": custom_id, "component_type": 2, "id": 2});
        let source = Some(message.id);
        world.interact(InteractionKind::Press, self.number(), channel.number(), source, data)
    }

    /// Writes a message, as a reply if another one is given. Returns its id.
    pub fn say(&self, channel: &Channel, text: &str, answers: Option<&str>) -> String {
        self.write(channel, text, (answers, true))
    }

    /// The same with the mention of the other author switched off.
    pub fn reply_without_mention(&self, channel: &Channel, text: &str, answers: &str) -> String {
        self.write(channel, text, (Some(answers), false))
    }

    fn write(
        &self,
        channel: &Channel,
        text: &str,
        (answers, mentions_answered): (Option<&str>, bool),
    ) -> String {
        self.shared.with(|world| {
            let mut message = world.blank(channel.number());
            message.author = self.number();
            message.content = text.to_owned();
            message.mentions_answered = mentions_answered;
            message.reference = answers.map(|it| it.parse().expect("a message id"));
            world.add_message(message).to_string()
        })
    }
}

fn buttons(message: &MessageRec) -> impl Iterator<Item = &Value> {
    let rows = message.components.as_array().into_iter().flatten();
    rows.flat_map(|it| it["components"].as_array().into_iter().flatten())
}

/// The `data` of a slash interaction, checked against what the bot has registered.
fn command_data(
    world: &World,
    channel: &Channel,
    name: &str,
    options: &[(&str, &str)],
    focused: Option<&str>,
) -> Value {
    let (top, nested) = match name.split_once(' ') {
        Some((group, nested)) => (group, Some(nested)),
        None => (name, None),
    };
    let command = world.commands.iter().find(|it| it["name"] == top);
    let command = command.unwrap_or_else(|| panic!("no command /{top} is registered"));
    assert!(world.offers(command, channel.number()), "/{top} is not offered there");
    let options_of = |it: &Value| it["options"].as_array().cloned().unwrap_or_default();
    let mut declared = options_of(command);
    if let Some(nested) = nested {
        let found = declared.iter().find(|it| is_nested(it) && it["name"] == nested);
        declared = options_of(found.unwrap_or_else(|| panic!("/{top} has no subcommand {nested}")));
    }
    assert!(!declared.iter().any(is_nested), "/{name} cannot be used without a subcommand");
    let given = GivenOptions::check(world, channel, (name, &declared), options, focused);
    let list = match nested {
        Some(nested) => json!([{"name": nested, "type": 1, "options": given.list}]),
        None => json!(given.list),
    };
    let mut data = json!({
        "id": command["id"], "name": top, "type": command["type"], "options": list,
    });
    if given.users.as_object().is_some_and(|it| !it.is_empty()) {
        data["resolved"] = json!({"users": given.users, "members": given.members});
    }
    data
}

/// The options of an interaction, and the people among their values.
struct GivenOptions {
    list: Vec<Value>,
    users: Value,
    members: Value,
}

impl GivenOptions {
    /// Checks options against what a command or subcommand declares.
    fn check(
        world: &World,
        channel: &Channel,
        (name, declared): (&str, &[Value]),
        options: &[(&str, &str)],
        focused: Option<&str>,
    ) -> Self {
        if focused.is_none() {
            let lacking = declared.iter().find(|it| {
                it["required"] == true && !options.iter().any(|(given, _)| it["name"] == *given)
            });
            assert!(lacking.is_none(), "the client would not send /{name} without {lacking:?}");
        }
        let (mut list, mut users, mut members) = (Vec::new(), json!({}), json!({}));
        for (option, value) in options {
            let known = declared.iter().find(|it| it["name"] == *option);
            let known = known.unwrap_or_else(|| panic!("/{name} has no option {option}"));
            let mut entry = json!({"name": option, "type": known["type"], "value": value});
            if focused == Some(*option) {
                entry["focused"] = json!(true);
            }
            if known["type"] == 6 {
                let id = value.parse().expect("the value of a user option is an id");
                users[*value] = world.user_json(id);
                if let Some(guild) = world.guild_of(channel.number()) {
                    let mut member = world.member_json(guild, id);
                    member["permissions"] = json!(may::USUAL.to_string());
                    members[*value] = member;
                }
            }
            if let Some(choices) = known["choices"].as_array().filter(|it| !it.is_empty()) {
                let offered = choices.iter().any(|it| it["value"] == *value);
                assert!(offered, "/{name} {option} offers no {value}");
            }
            list.push(entry);
        }
        GivenOptions { list, users, members }
    }
}

impl World {
    /// Makes an interaction and sends it to the bot.
    fn interact(
        &mut self,
        kind: InteractionKind,
        user: u64,
        channel: u64,
        source: Option<u64>,
        data: Value,
    ) -> u64 {
        let id = self.id();
        let token = format!("aW50ZXJhY3Rpb246{id}");
        let guild = self.guild_of(channel);
        let mut event = json!({
            "id": id.to_string(), "application_id": self.app.to_string(), "type": kind as u8,
            "data": data, "token": token, "version": 1, "channel_id": channel.to_string(),
            "channel": self.partial_channel(channel), "locale": self.users[&user].locale,
            "app_permissions": self.bot_may(channel).unwrap_or_default().to_string(),
            "entitlements": [], "attachment_size_limit": 10_485_760,
            "context": self.context(channel),
            "authorizing_integration_owners": {"0": guild.unwrap_or_default().to_string()},
        });
        if self.is_foreign(channel) {
            event["authorizing_integration_owners"] = json!({"1": user.to_string()});
        }
        match guild {
            Some(guild) => {
                let locale = self.guilds[&guild].locale.clone();
                event["guild_id"] = json!(guild.to_string());
                event["guild_locale"] = json!(locale);
                event["guild"] = json!({"id": guild.to_string(), "locale": locale, "features": []});
                event["member"] = self.acting_member_json(guild, user);
            }
            None => event["user"] = self.user_json(user),
        }
        if let Some(message) = source.and_then(|it| self.messages.get(&it)) {
            event["message"] = self.message_json(message);
        }
        let record = InteractionRec {
            id,
            token,
            kind,
            user,
            channel,
            created_ms: self.now_ms,
            answered: None,
            original: None,
            source,
            choices: None,
        };
        self.interactions.insert(id, record);
        match &self.signing {
            Some(signing) => signing.tell(&event),
            None => self.emit("INTERACTION_CREATE", 0, &event),
        }
        id
    }

    /// The context of an interaction: guild, private chat with the bot, or other private chat.
    fn context(&self, channel: u64) -> u64 {
        match self.channels[&channel].kind {
            ChannelKind::Text { .. } | ChannelKind::Thread { .. } => 0,
            ChannelKind::Dm { .. } => 1,
            ChannelKind::Among { .. } => 2,
        }
    }

    /// Whether a command is available here: it must allow the context and the kind of installation.
    fn offers(&self, command: &Value, channel: u64) -> bool {
        let has = |field: &str, value: u64| {
            let set = command[field].as_array();
            set.is_none_or(|it| it.iter().any(|it| it.as_u64() == Some(value)))
        };
        let way = u64::from(self.is_foreign(channel));
        has("contexts", self.context(channel)) && has("integration_types", way)
    }

    fn partial_channel(&self, channel: u64) -> Value {
        let mut out = self.channel_json(channel);
        let kind = &self.channels[&channel].kind;
        if !matches!(kind, ChannelKind::Dm { .. } | ChannelKind::Among { .. }) {
            out["permissions"] = json!(may::USUAL.to_string());
        }
        out
    }
}
