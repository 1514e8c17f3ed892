//! Handles first responses to interactions and the later requests with their tokens.

use serde_json::{Value, json};

use super::messages;
use super::rest::{Answer, Asked};
use super::schema::Report;
use super::world::{InteractionKind, World, flag};

/// The time in which a first response is accepted.
pub const FIRST_ANSWER_MS: u64 = 3_000;
/// The most follow-up messages where the bot is only installed by a person.
const FOLLOW_UPS: usize = 5;
/// The lifetime of a token.
pub const TOKEN_MS: u64 = 15 * 60_000;

/// `POST /interactions/{id}/{token}/callback`.
pub fn callback(world: &mut World, asked: &Asked) -> Answer {
    let (id, token) = (asked.id(0), asked.word(1));
    let now = world.now_ms;
    let body = asked.body();
    let kind = body["type"].as_u64().unwrap_or_default();
    let Some(found) = world.interactions.get(&id).filter(|it| it.token == token) else {
        return Answer::refuse(404, 10062, "Unknown interaction");
    };
    if found.answered.is_some() {
        if !world.answers_were_lost {
            world.violation(format!("interaction {id} was answered twice"));
        }
        return Answer::refuse(400, 40060, "Interaction has already been acknowledged.");
    }
    if now > found.created_ms + FIRST_ANSWER_MS {
        return Answer::refuse(404, 10062, "Unknown interaction");
    }
    let fits = match found.kind {
        InteractionKind::Slash => matches!(kind, 4 | 5 | 12),
        InteractionKind::Press => matches!(kind, 4..=7 | 12),
        InteractionKind::Autocomplete => kind == 8,
    };
    if !fits {
        let mut report = Report::default();
        let words = format!("Callback type {kind} does not answer this interaction");
        report.mistake(&["type".to_owned()], "BASE_TYPE_CHOICES", words);
        return Answer::invalid(&report);
    }
    let source = found.source;
    let original = match kind {
        4 | 5 => match answer_message(world, id, &body, asked, kind == 5) {
            Ok(message) => Some(message),
            Err(answer) => return answer,
        },
        6 => source,
        7 => {
            let Some(source) = source.filter(|it| world.messages.contains_key(it)) else {
                return Answer::refuse(404, 10008, "Unknown Message");
            };
            let answer = messages::edit(world, source, &body["data"], &asked.files);
            if answer.status != 200 {
                return answer;
            }
            Some(source)
        }
        _ => None,
    };
    let record = world.interactions.get_mut(&id).expect("it was found above");
    record.answered = Some(kind);
    record.original = original;
    if kind == 8 {
        record.choices = Some(body["data"]["choices"].clone());
        let user = record.user;
        world.reaches_only(user, &body["data"]["choices"]);
    }
    if asked.asks("with_response") {
        return Answer::ok(about(world, id, original));
    }
    Answer::nothing()
}

/// The description of an interaction in a response.
fn about(world: &World, id: u64, original: Option<u64>) -> Value {
    let mut about = json!({"id": id.to_string(), "type": 2});
    if let Some(original) = original {
        about["response_message_id"] = json!(original.to_string());
        let flags = world.messages.get(&original).map_or(0, |it| it.flags);
        about["response_message_ephemeral"] = json!(flags & flag::EPHEMERAL != 0);
        about["response_message_loading"] = json!(flags & flag::LOADING != 0);
    }
    json!({"interaction": about})
}

/// Makes the message of a first response or of a follow-up.
fn answer_message(
    world: &mut World,
    interaction: u64,
    body: &Value,
    asked: &Asked,
    deferred: bool,
) -> Result<u64, Answer> {
    let data = if body["data"].is_null() { json!({}) } else { body["data"].clone() };
    let (user, channel) = {
        let record = &world.interactions[&interaction];
        (record.user, record.channel)
    };
    let mut message = world.blank(channel);
    message.interaction = Some(interaction);
    let flags = data["flags"].as_u64().unwrap_or_default();
    if deferred {
        message.flags = flags & flag::EPHEMERAL | flag::LOADING;
    } else {
        world.fill(&mut message, &data, &asked.files)?;
    }
    if world.hides_answers(channel, user) {
        message.flags |= flag::EPHEMERAL;
    }
    if message.flags & flag::EPHEMERAL != 0 {
        message.only_for = Some(user);
    }
    message.pinged = world.pinged(&message, &data);
    Ok(world.add_message(message))
}

/// Handles all requests below `/webhooks/{application}/{token}`.
pub fn webhook(world: &mut World, asked: &Asked) -> Answer {
    let (app, token) = (asked.id(0), asked.word(1));
    let found = world.interactions.values().find(|it| it.token == token);
    let alive = found.filter(|it| {
        app == world.app && it.answered.is_some() && world.now_ms < it.created_ms + TOKEN_MS
    });
    let Some(record) = alive else {
        return Answer::refuse(404, 10015, "Unknown Webhook");
    };
    let (id, original) = (record.id, record.original);
    if asked.operation.template == "/webhooks/{webhook_id}/{webhook_token}" {
        let of_it = world.messages.values().filter(|it| it.interaction == Some(id));
        let more = of_it.filter(|it| Some(it.id) != original).count();
        if world.is_foreign(world.interactions[&id].channel) && more >= FOLLOW_UPS {
            let words = "This interaction has reached the maximum number of follow up messages";
            return Answer::refuse(400, 40094, words);
        }
        let is_loading =
            |it: u64| world.messages.get(&it).is_some_and(|it| it.flags & flag::LOADING != 0);
        if let Some(original) = original.filter(|it| is_loading(*it)) {
            // Directly after a deferred message this request edits it.
            return edit_response(world, original, asked);
        }
        let body = json!({"data": asked.body()});
        return match answer_message(world, id, &body, asked, false) {
            Ok(message) => Answer::ok(world.message_json(&world.messages[&message])),
            Err(answer) => answer,
        };
    }
    let wanted = match asked.operation.template.ends_with("@original") {
        true => original,
        false => Some(asked.id(2)),
    };
    let own = |it: &u64| {
        let message = world.messages.get(it);
        message.is_some_and(|it| it.interaction == Some(id) || original == Some(it.id))
    };
    let Some(target) = wanted.filter(own) else {
        return Answer::refuse(404, 10008, "Unknown Message");
    };
    match asked.method.as_str() {
        "GET" => Answer::ok(world.message_json(&world.messages[&target])),
        "PATCH" => edit_response(world, target, asked),
        _ => {
            world.remove_message(target);
            Answer::nothing()
        }
    }
}

/// Edits a message of an interaction. Its visibility cannot be changed later.
fn edit_response(world: &mut World, target: u64, asked: &Asked) -> Answer {
    let answer = messages::edit(world, target, &asked.body(), &asked.files);
    if let Some(message) = world.messages.get_mut(&target)
        && message.only_for.is_some()
    {
        message.flags |= flag::EPHEMERAL;
    }
    answer
}
