//! Implements the other methods: answers to callback and inline queries, commands, chats, files.

use serde_json::{Value, json};

use super::limits::{self, utf16};
use super::send::Request;
use super::show;
use super::world::{Answer, ApiError, BOT_ID, Kind, Standing, World, bad};

/// The time in which a callback query can be answered.
const PRESS_MS: u64 = 15_000;

/// answerCallbackQuery.
pub fn answer_press(world: &mut World, req: &Request) -> Answer {
    if utf16(req.text("text")) > 200 {
        return Err(bad("MESSAGE_TOO_LONG"));
    }
    let now = world.now_ms;
    let press = world.callbacks.get_mut(req.text("callback_query_id"));
    match press.filter(|it| it.answer.is_none() && it.at_ms + PRESS_MS >= now) {
        Some(press) => {
            press.answer = Some(Value::Object(req.params.clone()));
            let presser = press.from;
            world.reaches_only(presser, req.get("text"));
        }
        None => {
            return Err(bad(
                "query is too old and response timeout expired or query ID is invalid",
            ));
        }
    }
    Ok(json!(true))
}

/// answerInlineQuery.
pub fn answer_inline(world: &mut World, req: &Request) -> Answer {
    if req.list("results").len() > 50 {
        return Err(bad("RESULTS_TOO_MUCH"));
    }
    let results = req.list("results");
    let mut ids: Vec<&str> = results.iter().filter_map(|it| it["id"].as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.len() < results.len() {
        return Err(bad("RESULT_ID_DUPLICATE"));
    }
    if ids.iter().any(|it| !(1..=64).contains(&it.len())) {
        return Err(bad("RESULT_ID_INVALID"));
    }
    for result in &results {
        limits::keyboard(&result["reply_markup"])?;
    }
    match world.inlines.get_mut(req.text("inline_query_id")) {
        Some((asker, answer)) if answer.is_none() => {
            *answer = Some(Value::Object(req.params.clone()));
            let asker = *asker;
            // A result that the server caches for all may be shown to other people.
            let personal = req.get("is_personal") == &json!(true);
            if !results.is_empty() && (!personal || req.get("cache_time") != &json!(0)) {
                world.violations.push("answerInlineQuery: personal results are cached".to_owned());
            }
            world.reaches_only(asker, &json!([req.get("results"), req.get("button")]));
        }
        _ => {
            return Err(bad(
                "query is too old and response timeout expired or query ID is invalid",
            ));
        }
    }
    Ok(json!(true))
}

/// setMyCommands, getMyCommands, deleteMyCommands.
pub fn menus(world: &mut World, req: &Request) -> Answer {
    let scope = match req.get("scope") {
        Value::Null => json!({ "type": "default" }).to_string(),
        other => other.to_string(),
    };
    let lang = req.text("language_code").to_owned();
    if !(lang.is_empty() || lang.len() == 2) {
        return Err(bad("language_code is invalid"));
    }
    let key = (scope, lang);
    match req.method {
        "getMyCommands" => Ok(world.menus.get(&key).cloned().unwrap_or_else(|| json!([]))),
        "deleteMyCommands" => {
            world.menus.remove(&key);
            Ok(json!(true))
        }
        _ => {
            let commands = req.list("commands");
            commands.iter().try_for_each(command)?;
            if commands.len() > 100 {
                return Err(bad("BOT_COMMANDS_TOO_MUCH"));
            }
            world.menus.insert(key, Value::Array(commands));
            Ok(json!(true))
        }
    }
}

/// setMyDescription, getMyDescription, setMyShortDescription, getMyShortDescription. A language
/// without its own text has the text for all languages.
pub fn descriptions(world: &mut World, req: &Request, field: &str, max: usize) -> Answer {
    let lang = req.text("language_code").to_owned();
    if !(lang.is_empty() || lang.len() == 2) {
        return Err(bad("language_code is invalid"));
    }
    let key = (field.to_owned(), lang);
    if req.method.starts_with("get") {
        let common = (field.to_owned(), String::new());
        let found = world.descriptions.get(&key).or_else(|| world.descriptions.get(&common));
        return Ok(json!({ field: found.cloned().unwrap_or_default() }));
    }
    let text = req.text(field).to_owned();
    if utf16(&text) > max {
        return Err(bad("BOT_DESCRIPTION_TOO_LONG"));
    }
    world.descriptions.insert(key, text);
    Ok(json!(true))
}

fn command(command: &Value) -> Result<(), ApiError> {
    let name = command["command"].as_str().unwrap_or_default();
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !(1..=32).contains(&name.len()) || !name.chars().all(letters) {
        return Err(bad("BOT_COMMAND_INVALID"));
    }
    let text = utf16(command["description"].as_str().unwrap_or_default());
    match (1..=256).contains(&text) {
        true => Ok(()),
        false => Err(bad("BOT_COMMAND_DESCRIPTION_INVALID")),
    }
}

/// getChat, getChatMember, getChatAdministrators, getChatMemberCount, leaveChat,
/// sendChatAction, pinChatMessage, unpinChatMessage.
pub fn chats(world: &mut World, req: &Request) -> Answer {
    let id = world.speak(req.get("chat_id"))?;
    let chat = world.chat(id);
    match req.method {
        "getChat" => {
            let mut out = show::chat(world, chat);
            out["accent_color_id"] = json!(0);
            out["max_reaction_count"] = json!(11);
            out["accepted_gift_types"] = json!({
                "unlimited_gifts": false,
                "limited_gifts": false,
                "unique_gifts": false,
                "premium_subscription": false,
                "gifts_from_channels": false,
            });
            Ok(out)
        }
        "getChatMember" => {
            let person = req.get("user_id").as_i64().unwrap_or_default();
            match world.users.contains_key(&person) {
                true => Ok(show::member(world, chat, person)),
                false => Err(bad("user not found")),
            }
        }
        "getChatAdministrators" if chat.kind == Kind::Private => {
            Err(bad("there are no administrators in the private chat"))
        }
        "getChatAdministrators" => {
            let admins = chat.members.iter().filter(|(_, admin)| **admin).map(|(id, _)| *id);
            let own = (chat.bot == Standing::Admin).then_some(BOT_ID);
            Ok(admins.chain(own).map(|id| show::member(world, chat, id)).collect())
        }
        "getChatMemberCount" => Ok(json!(chat.members.len() + 1)),
        "leaveChat" => {
            world.chat_mut(id).bot = Standing::Outside;
            Ok(json!(true))
        }
        "pinChatMessage" | "unpinChatMessage"
            if chat.bot != Standing::Admin && chat.kind != Kind::Private =>
        {
            Err(bad("not enough rights to manage pinned messages in the chat"))
        }
        _ => Ok(json!(true)),
    }
}

/// getFile.
pub fn file(world: &World, req: &Request) -> Answer {
    let id = req.text("file_id");
    let file = world.files.get(id).ok_or_else(|| bad("invalid file_id"))?;
    Ok(json!({
        "file_id": id,
        "file_unique_id": format!("u{id}"),
        "file_size": file.bytes.len(),
        "file_path": format!("files/{id}"),
    }))
}
