//! Handles channels and their messages.

use serde_json::{Value, json};

use super::gateway::intent;
use super::rest::{Answer, Asked, Upload};
use super::schema::Report;
use super::shapes::mentioned;
use super::world::{AttachmentRec, ChannelKind, ChannelRec, MessageRec, World, flag, may};

/// Handles all requests below `/channels`.
pub fn handle(world: &mut World, asked: &Asked) -> Answer {
    let channel = asked.id(0);
    let Some(allowed) = world.bot_may(channel) else {
        return Answer::refuse(404, 10003, "Unknown Channel");
    };
    if allowed & may::VIEW_CHANNEL == 0 {
        return Answer::refuse(403, 50001, "Missing Access");
    }
    let reader = match world.channels[&channel].kind {
        ChannelKind::Dm { user } => world.unreachable.get(&user),
        _ => None,
    };
    // A closed direct channel rejects messages; reading it and the typing indicator are allowed.
    let passes = asked.method == "GET" || asked.operation.template.ends_with("/typing");
    if let Some((code, words)) = reader.filter(|_| !passes) {
        return Answer::refuse(if *code < 50_000 { 404 } else { 403 }, *code, words);
    }
    match (asked.method.as_str(), asked.operation.template) {
        ("GET", "/channels/{channel_id}") => Answer::ok(world.channel_json(channel)),
        ("POST", "/channels/{channel_id}/typing") => Answer::nothing(),
        ("POST", "/channels/{channel_id}/messages") => post(world, asked, channel, allowed),
        (method, "/channels/{channel_id}/messages/{message_id}") => {
            let id = asked.id(1);
            let found = world.messages.get(&id).filter(|it| it.channel == channel);
            // An ephemeral message does not belong to the channel.
            let Some(message) = found.filter(|it| it.only_for.is_none()) else {
                return Answer::refuse(404, 10008, "Unknown Message");
            };
            let own = message.author == world.bot;
            match method {
                "GET" => Answer::ok(world.message_json(&world.messages[&id])),
                "PATCH" if !own => {
                    Answer::refuse(403, 50005, "Cannot edit a message authored by another user")
                }
                "DELETE" if !own => Answer::refuse(403, 50013, "Missing Permissions"),
                "PATCH" => edit(world, id, &asked.body(), &asked.files),
                _ => {
                    world.remove_message(id);
                    Answer::nothing()
                }
            }
        }
        (method, template) => {
            world.violation(format!("{method} {template}: not implemented by this server"));
            Answer::refuse(404, 0, "404: Not Found")
        }
    }
}

/// Opens (or finds) the direct channel with a person.
pub fn open_dm(world: &mut World, asked: &Asked) -> Answer {
    let user = asked.body()["recipient_id"].as_str().and_then(|it| it.parse().ok());
    match user.filter(|it| world.users.contains_key(it)) {
        Some(user) => {
            let id = world.dm_with(user);
            Answer::ok(world.channel_json(id))
        }
        None => Answer::refuse(400, 50033, "Invalid Recipient(s)"),
    }
}

fn post(world: &mut World, asked: &Asked, channel: u64, allowed: u64) -> Answer {
    let body = asked.body();
    let thread = matches!(world.channels[&channel].kind, ChannelKind::Thread { .. });
    let needed = if thread { may::SEND_IN_THREADS } else { may::SEND_MESSAGES };
    let files = if asked.files.is_empty() { 0 } else { may::ATTACH_FILES };
    if (needed | files) & !allowed != 0 {
        return Answer::refuse(403, 50013, "Missing Permissions");
    }
    if body["enforce_nonce"] == true
        && let Some(twin) = world.messages.values().find(|it| {
            it.channel == channel && it.nonce.is_some() && it.nonce.as_ref() == body.get("nonce")
        })
    {
        return Answer::ok(world.message_json(twin));
    }
    let reference = body["message_reference"]["message_id"].as_str();
    let reference: Option<u64> = reference.and_then(|it| it.parse().ok());
    if reference.is_some() && allowed & may::READ_HISTORY == 0 {
        let words = "Cannot reply without permission to read message history";
        return Answer::refuse(403, 160_002, words);
    }
    let gone = reference.filter(|it| !world.messages.contains_key(it));
    if gone.is_some() && body["message_reference"]["fail_if_not_exists"] != false {
        let mut report = Report::default();
        let path = ["message_reference".to_owned()];
        report.mistake(&path, "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message");
        return Answer::invalid(&report);
    }
    let mut message = world.blank(channel);
    message.reference = reference.filter(|_| gone.is_none());
    message.nonce = body.get("nonce").filter(|it| !it.is_null()).cloned();
    if let Err(answer) = world.fill(&mut message, &body, &asked.files) {
        return answer;
    }
    message.pinged = world.pinged(&message, &body);
    let id = world.add_message(message);
    Answer::ok(world.message_json(&world.messages[&id]))
}

/// Changes a message by a PATCH: fields that are not given stay.
pub fn edit(world: &mut World, id: u64, body: &Value, files: &[Upload]) -> Answer {
    let mut message = world.messages[&id].clone();
    if let Err(answer) = world.fill(&mut message, body, files) {
        return answer;
    }
    message.edits += 1;
    message.flags &= !flag::LOADING;
    world.reaches(&message);
    world.messages.insert(id, message);
    if world.messages[&id].only_for.is_none() {
        world.emit_message("MESSAGE_UPDATE", id);
    }
    Answer::ok(world.message_json(&world.messages[&id]))
}

impl World {
    pub fn blank(&mut self, channel: u64) -> MessageRec {
        MessageRec {
            id: self.id(),
            channel,
            author: self.bot,
            content: String::new(),
            attachments: Vec::new(),
            components: json!([]),
            flags: 0,
            only_for: None,
            reference: None,
            mentions_answered: false,
            nonce: None,
            pinged: Vec::new(),
            interaction: None,
            edits: 0,
        }
    }

    pub fn add_message(&mut self, message: MessageRec) -> u64 {
        let id = message.id;
        let public = message.only_for.is_none();
        self.reaches(&message);
        self.messages.insert(id, message);
        if public {
            self.emit_message("MESSAGE_CREATE", id);
        }
        id
    }

    pub fn remove_message(&mut self, id: u64) {
        let Some(message) = self.messages.remove(&id) else { return };
        if message.only_for.is_some() {
            return;
        }
        let mut event = json!({"id": id.to_string(), "channel_id": message.channel.to_string()});
        let needs = match self.guild_of(message.channel) {
            Some(guild) => {
                event["guild_id"] = json!(guild.to_string());
                intent::GUILD_MESSAGES
            }
            None => intent::DIRECT_MESSAGES,
        };
        self.emit("MESSAGE_DELETE", needs, &event);
    }

    pub fn dm_with(&mut self, user: u64) -> u64 {
        let kind_fits =
            |it: &ChannelRec| matches!(it.kind, ChannelKind::Dm { user: owner } if owner == user);
        if let Some((id, _)) = self.channels.iter().find(|(_, it)| kind_fits(it)) {
            return *id;
        }
        let id = self.id();
        let kind = ChannelKind::Dm { user };
        self.channels.insert(id, ChannelRec { kind, name: String::new(), bot_may: may::USUAL });
        id
    }

    /// Fills a message from a body, with the rules that are in no schema.
    pub fn fill(
        &mut self,
        message: &mut MessageRec,
        body: &Value,
        files: &[Upload],
    ) -> Result<(), Answer> {
        let mut report = Report::default();
        if let Some(content) = body.get("content") {
            message.content = content.as_str().unwrap_or_default().to_owned();
            // The document allows 4,000 characters, which only paying users may write; bots may
            // not.
            if message.content.chars().count() > 2000 {
                let words = "Must be 2000 or fewer in length.";
                report.mistake(&["content".to_owned()], "BASE_TYPE_MAX_LENGTH", words);
            }
        }
        if let Some(components) = body.get("components") {
            message.components = components.clone();
            check_components(components, &mut report);
        }
        if let Some(flags) = body.get("flags").and_then(Value::as_u64) {
            message.flags = flags;
        }
        self.attach(message, body, files, &mut report);
        if !report.mistakes.is_empty() {
            return Err(Answer::invalid(&report));
        }
        let bare = message.components.as_array().is_none_or(Vec::is_empty);
        if message.content.is_empty() && message.attachments.is_empty() && bare {
            return Err(Answer::refuse(400, 50006, "Cannot send an empty message"));
        }
        Ok(())
    }

    /// The list names the attachments that stay (by id) and new ones (by number of the file);
    /// without a list all stay and all files are added.
    fn attach(
        &mut self,
        message: &mut MessageRec,
        body: &Value,
        files: &[Upload],
        report: &mut Report,
    ) {
        let listed = body.get("attachments").and_then(Value::as_array);
        let mut kept = Vec::new();
        for (number, entry) in listed.into_iter().flatten().enumerate() {
            let id = entry["id"].as_str().and_then(|it| it.parse::<u64>().ok());
            let old = message.attachments.iter().find(|it| Some(it.id) == id);
            if let Some(old) = old {
                let mut old = old.clone();
                if let Some(words) = entry.get("description") {
                    old.description = words.as_str().map(str::to_owned);
                }
                kept.push(old);
            } else if !files.iter().any(|it| Some(it.number) == id) {
                let path = ["attachments".to_owned(), number.to_string()];
                let words = "This attachment does not exist";
                report.mistake(&path, "ATTACHMENT_NOT_FOUND", words);
            }
        }
        if body.get("attachments").is_some() {
            message.attachments = kept;
        }
        for file in files {
            let number = file.number.to_string();
            let entry = listed.and_then(|it| it.iter().find(|it| it["id"] == number.as_str()));
            let text = |name: &str| entry.and_then(|it| it[name].as_str()).map(str::to_owned);
            if file.bytes.len() > 10 << 20 {
                report.mistake(&["files".to_owned()], "BASE_TYPE_MAX_LENGTH", "File too large");
            }
            message.attachments.push(AttachmentRec {
                id: self.id(),
                name: text("filename").unwrap_or_else(|| file.name.clone()),
                description: text("description"),
                kind: file.kind.clone(),
                bytes: file.bytes.clone(),
            });
        }
    }

    /// The people whom a message notifies: those who are mentioned and allowed.
    pub fn pinged(&self, message: &MessageRec, body: &Value) -> Vec<u64> {
        let rule = &body["allowed_mentions"];
        let all = rule.is_null();
        let has = |list: &str, word: &str| {
            rule[list].as_array().is_some_and(|it| it.iter().any(|it| it == word))
        };
        let named = mentioned(&message.content).into_iter();
        let mut heard: Vec<u64> = named
            .filter(|id| all || has("parse", "users") || has("users", &id.to_string()))
            .collect();
        let answered = message.reference.and_then(|it| self.messages.get(&it));
        if let Some(to) = answered
            && (all || rule["replied_user"] == true)
            && !heard.contains(&to.author)
        {
            heard.push(to.author);
        }
        heard
    }
}

/// Checks the rules of buttons that are not in the document.
fn check_components(components: &Value, report: &mut Report) {
    let rows: Vec<&Value> = components.as_array().into_iter().flatten().collect();
    let path = |steps: &[&str]| steps.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    if rows.len() > 5 {
        let words = "Must be 5 or fewer in length.";
        report.mistake(&path(&["components"]), "BASE_TYPE_MAX_LENGTH", words);
    }
    let mut seen: Vec<&str> = Vec::new();
    for (row_number, row) in rows.iter().enumerate() {
        for (number, button) in row["components"].as_array().into_iter().flatten().enumerate() {
            let (row_word, word) = (row_number.to_string(), number.to_string());
            let at = |field| path(&["components", &row_word, "components", &word, field]);
            match button["custom_id"].as_str() {
                None if button["style"] != 5 => {
                    let words = "A custom id is required";
                    report.mistake(&at("custom_id"), "BUTTON_COMPONENT_CUSTOM_ID_REQUIRED", words);
                }
                Some(id) if seen.contains(&id) => {
                    let words = "Component custom id cannot be duplicated";
                    report.mistake(&at("custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", words);
                }
                Some(id) => seen.push(id),
                None => {}
            }
            let label = button["label"].as_str().unwrap_or_default();
            if label.is_empty() && button["emoji"].is_null() {
                let words = "A label or an emoji is required";
                report.mistake(&at("label"), "BUTTON_COMPONENT_INVALID_LABEL", words);
            }
        }
    }
}
