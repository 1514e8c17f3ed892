//! Converts the objects of this server to complete JSON of Discord: clients silently drop events
//! that lack a field.

use serde_json::{Value, json};

use super::world::{ChannelKind, GuildRec, MessageRec, World, may};

/// `2026-09-21T13:33:20.000000+00:00`.
pub fn timestamp(ms: u64) -> String {
    let (days, rest) = (ms / 86_400_000, ms % 86_400_000);
    // Civil date of a day number, by counting from 1 March of year 0.
    let shifted = days as i64 + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 { month_index + 3 } else { month_index - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60);
    let micros = rest % 1000 * 1000;
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}+00:00")
}

fn snowflake_time(id: u64) -> String {
    timestamp((id >> 22) + 1_420_070_400_000)
}

impl World {
    pub fn user_json(&self, id: u64) -> Value {
        let user = &self.users[&id];
        json!({
            "id": id.to_string(), "username": user.name, "global_name": user.global_name,
            "discriminator": "0", "avatar": null, "bot": user.bot, "system": false,
            "banner": null, "accent_color": null, "public_flags": 0, "flags": 0,
            "avatar_decoration_data": null, "collectibles": null, "primary_guild": null,
        })
    }

    /// The bot's own account as it sees itself.
    pub fn self_json(&self) -> Value {
        let mut user = self.user_json(self.bot);
        user["verified"] = json!(true);
        user["mfa_enabled"] = json!(false);
        user["email"] = Value::Null;
        user["locale"] = json!("en-US");
        user
    }

    /// A member without its user.
    pub fn member_json(&self, guild: u64, user: u64) -> Value {
        let member = self.guilds.get(&guild).and_then(|it| it.members.get(&user));
        let is_admin = member.is_some_and(|it| it.permissions & may::MANAGE_GUILD != 0);
        let timeout = self.timeouts.get(&(guild, user));
        let roles: Vec<String> = is_admin.then(|| admins_role(guild)).into_iter().collect();
        json!({
            "nick": member.and_then(|it| it.nick.clone()), "avatar": null, "banner": null,
            "roles": roles, "joined_at": timestamp(1_700_000_000_000), "premium_since": null,
            "deaf": false, "mute": false, "flags": 0, "pending": false,
            "communication_disabled_until": timeout.map(|it| timestamp(*it)),
            "unusual_dm_activity_until": null,
            "avatar_decoration_data": null,
        })
    }

    /// A member as an interaction shows the acting person.
    pub fn acting_member_json(&self, guild: u64, user: u64) -> Value {
        let mut member = self.member_json(guild, user);
        let rec = self.guilds.get(&guild).and_then(|it| it.members.get(&user));
        member["user"] = self.user_json(user);
        member["permissions"] = json!(rec.map_or(0, |it| it.permissions).to_string());
        member
    }

    pub fn channel_json(&self, id: u64) -> Value {
        let channel = &self.channels[&id];
        let last = self.messages.values().rev().find(|it| it.channel == id);
        let last = last.map(|it| it.id.to_string());
        match &channel.kind {
            ChannelKind::Text { guild } => json!({
                "id": id.to_string(), "type": 0, "guild_id": guild.to_string(),
                "name": channel.name, "position": 0, "permission_overwrites": [],
                "topic": null, "nsfw": false, "last_message_id": last, "parent_id": null,
                "rate_limit_per_user": 0, "last_pin_timestamp": null, "flags": 0,
            }),
            ChannelKind::Thread { guild, parent } => json!({
                "id": id.to_string(), "type": 11, "guild_id": guild.to_string(),
                "parent_id": parent.to_string(), "owner_id": self.bot.to_string(),
                "name": channel.name, "last_message_id": last, "rate_limit_per_user": 0,
                "message_count": 0, "member_count": 1, "total_message_sent": 0, "flags": 0,
                "thread_metadata": {
                    "archived": false, "auto_archive_duration": 4320,
                    "locked": self.locked.contains(&id),
                    "archive_timestamp": snowflake_time(id), "invitable": true,
                    "create_timestamp": snowflake_time(id),
                },
            }),
            ChannelKind::Among { users } => json!({
                "id": id.to_string(), "type": 3, "name": channel.name, "last_message_id": last,
                "flags": 0, "icon": null, "owner_id": users[0].to_string(),
                "recipients": users.iter().map(|it| self.user_json(*it)).collect::<Vec<_>>(),
            }),
            ChannelKind::Dm { user } => json!({
                "id": id.to_string(), "type": 1, "last_message_id": last, "flags": 0,
                "last_pin_timestamp": null, "recipients": [self.user_json(*user)],
            }),
        }
    }

    pub fn guild_json(&self, id: u64) -> Value {
        let guild: &GuildRec = &self.guilds[&id];
        let of_kind = |thread: bool| -> Vec<Value> {
            let fits = |kind: &ChannelKind| match kind {
                ChannelKind::Text { guild } => *guild == id && !thread,
                ChannelKind::Thread { guild, .. } => *guild == id && thread,
                ChannelKind::Dm { .. } | ChannelKind::Among { .. } => false,
            };
            let ids = self.channels.iter().filter(|(_, it)| fits(&it.kind)).map(|(id, _)| *id);
            ids.map(|it| self.channel_json(it)).collect()
        };
        let mut own = self.member_json(id, self.bot);
        own["user"] = self.user_json(self.bot);
        own["roles"] = json!([bots_role(id)]);
        let admins = role(&admins_role(id), "Admins", may::USUAL | may::MANAGE_GUILD);
        let own_role = role(&bots_role(id), "caravanserai", guild.bot_may);
        let roles = [role(&id.to_string(), "@everyone", may::USUAL), admins, own_role];
        let mut out = json!({
            "id": id.to_string(), "name": guild.name, "icon": null, "icon_hash": null,
            "splash": null, "discovery_splash": null, "owner_id": guild.owner.to_string(),
            "afk_channel_id": null, "afk_timeout": 300, "verification_level": 1,
            "default_message_notifications": 0, "explicit_content_filter": 0,
            "roles": roles, "emojis": [], "features": [], "mfa_level": 0,
            "application_id": null, "system_channel_id": null, "system_channel_flags": 0,
            "rules_channel_id": null, "max_presences": null, "max_members": 500_000,
            "vanity_url_code": null, "description": null, "banner": null, "premium_tier": 0,
            "premium_subscription_count": 0, "preferred_locale": guild.locale,
            "public_updates_channel_id": null, "max_video_channel_users": 25,
            "max_stage_video_channel_users": 50, "nsfw_level": 0, "nsfw": false, "stickers": [],
        });
        let told_on_joining = json!({
            "premium_progress_bar_enabled": false, "safety_alerts_channel_id": null,
            "joined_at": timestamp(1_700_000_000_000), "large": false, "unavailable": false,
            "member_count": guild.members.len() + 1, "voice_states": [], "members": [own],
            "channels": of_kind(false), "threads": of_kind(true), "presences": [],
            "stage_instances": [], "guild_scheduled_events": [], "soundboard_sounds": [],
            "incidents_data": null, "hub_type": null, "home_header": null, "region": "deprecated",
        });
        for (name, value) in told_on_joining.as_object().into_iter().flatten() {
            out[name] = value.clone();
        }
        out
    }

    /// A message as everybody receives it.
    pub fn message_json(&self, message: &MessageRec) -> Value {
        let attachments: Vec<Value> = message
            .attachments
            .iter()
            .map(|it| {
                let url = format!("https://cdn.invalid/{}/{}", it.id, it.name);
                json!({
                    "id": it.id.to_string(), "filename": it.name, "size": it.bytes.len(),
                    "url": url, "proxy_url": url, "content_type": it.kind,
                    "description": it.description, "width": null, "height": null, "flags": 0,
                    "ephemeral": message.only_for.is_some(),
                })
            })
            .collect();
        let answered = message.reference.filter(|_| message.mentions_answered);
        let answered = answered.and_then(|it| self.messages.get(&it)).map(|it| it.author);
        let mut named = mentioned(&message.content);
        named.extend(answered.filter(|it| !named.contains(it)));
        let mentions: Vec<Value> = named
            .into_iter()
            .filter(|id| self.users.contains_key(id))
            .map(|id| self.user_json(id))
            .collect();
        let mut out = json!({
            "id": message.id.to_string(), "channel_id": message.channel.to_string(),
            "author": self.user_json(message.author), "content": message.content,
            "timestamp": snowflake_time(message.id), "tts": false, "mention_everyone": false,
            "edited_timestamp": (message.edits > 0).then(|| timestamp(self.now_ms)),
            "mentions": mentions, "mention_roles": [], "attachments": attachments,
            "embeds": [], "pinned": false, "type": if message.reference.is_some() { 19 } else { 0 },
            "flags": message.flags, "components": message.components,
        });
        if let Some(nonce) = &message.nonce {
            out["nonce"] = nonce.clone();
        }
        if let Some(to) = message.reference {
            out["message_reference"] = json!({
                "type": 0, "message_id": to.to_string(), "channel_id": message.channel.to_string(),
            });
            let original = self.messages.get(&to).map(|it| {
                let mut plain = it.clone();
                plain.reference = None;
                self.message_json(&plain)
            });
            out["referenced_message"] = json!(original);
        }
        out
    }

    /// A message as the gateway sends it.
    pub fn message_event(&self, message: &MessageRec) -> Value {
        let mut out = self.message_json(message);
        if let Some(guild) = self.guild_of(message.channel) {
            out["guild_id"] = json!(guild.to_string());
            if message.author != self.bot {
                out["member"] = self.member_json(guild, message.author);
            }
        }
        out
    }
}

/// The id of the role of the people who manage a guild.
fn admins_role(guild: u64) -> String {
    (guild + 1).to_string()
}

/// The id of the role of the bot.
fn bots_role(guild: u64) -> String {
    (guild + 2).to_string()
}

fn role(id: &str, name: &str, permissions: u64) -> Value {
    json!({
        "id": id, "name": name, "color": 0, "hoist": false, "icon": null,
        "unicode_emoji": null, "position": 0, "permissions": permissions.to_string(),
        "managed": false, "mentionable": false, "flags": 0,
        "colors": {"primary_color": 0, "secondary_color": null, "tertiary_color": null},
    })
}

/// People who are mentioned by `<@id>` outside of code.
pub fn mentioned(content: &str) -> Vec<u64> {
    let mut found = Vec::new();
    for piece in content.split("<@").skip(1) {
        let digits = piece.strip_prefix('!').unwrap_or(piece);
        if let Some((id, _)) = digits.split_once('>')
            && let Ok(id) = id.parse::<u64>()
            && !found.contains(&id)
        {
            found.push(id);
        }
    }
    found
}

/// The text that a client shows for markdown, as far as bots use it.
pub fn as_read(world: &World, content: &str) -> String {
    let (mut out, mut rest) = (String::new(), content);
    while let Some(letter) = rest.chars().next() {
        let mut taken = letter.len_utf8();
        let named = rest.strip_prefix("<@").and_then(|it| it.split_once('>'));
        let command = rest.strip_prefix("</").and_then(|it| it.split_once('>'));
        let command = command.and_then(|(it, _)| it.split_once(':'));
        match (letter, named, command) {
            ('\\', ..) if rest[1..].starts_with(|it: char| it.is_ascii_punctuation()) => {
                out.push_str(&rest[1..2]);
                taken = 2;
            }
            ('<', Some((id, _)), _) if id.parse::<u64>().is_ok() => {
                let user = id.parse().ok().and_then(|id| world.users.get(&id));
                let name = user.map(|it| it.global_name.as_ref().unwrap_or(&it.name).clone());
                out.push('@');
                out.push_str(&name.unwrap_or_else(|| "unknown-user".to_owned()));
                taken = "<@>".len() + id.len();
            }
            ('<', _, Some((name, id))) if id.parse::<u64>().is_ok() => {
                out.push('/');
                out.push_str(name);
                taken = "</:>".len() + name.len() + id.len();
            }
            ('*', ..) if rest.starts_with("**") => taken = 2,
            ('`', ..) => {}
            _ => out.push(letter),
        }
        rest = &rest[taken..];
    }
    out
}
