//! Simulates messages with buttons that people post via the bot in chats that the bot does not
//! know: it gets button presses, never the chat, and can edit the messages by their inline message
//! id.

use serde_json::{Value, json};

use super::edit::{SAME, changed, same};
use super::send::Request;
use super::world::{Answer, ApiError, BOT_ID, Callback, Msg, World, bad};
use super::{Person, Pressed, VisibleMessage, actors, limits, show};

/// Edits such a message; the result is only `true`.
pub fn edit(world: &mut World, req: &Request) -> Answer {
    if !req.get("chat_id").is_null() || !req.get("message_id").is_null() {
        return Err(bad("a message is named in one way"));
    }
    if !req.files.is_empty() || req.get("media").to_string().contains("attach://") {
        // Only stored files or addresses are allowed.
        return Err(bad("MEDIA_EMPTY: new files can't be uploaded into inline messages"));
    }
    let id = req.text("inline_message_id").to_owned();
    let old = world.via.get(&id).cloned().ok_or_else(|| bad("MESSAGE_ID_INVALID"))?;
    let new = changed(world, req, &old)?;
    if same(&old, &new) {
        return Err(bad(SAME));
    }
    world.via.insert(id, Msg { edited: old.edited + 1, ..new });
    Ok(json!(true))
}

/// answerGuestQuery: the answer is posted in the chat where the bot was mentioned.
pub fn answer_guest(world: &mut World, req: &Request) -> Answer {
    let query = req.text("guest_query_id").to_owned();
    match world.summons.get(&query) {
        Some(None) if world.guests => {}
        _ => return Err(bad("guest query is too old or its ID is invalid")),
    }
    let result = req.get("result");
    if !(1..=64).contains(&result["id"].as_str().unwrap_or_default().len()) {
        return Err(bad("RESULT_ID_INVALID"));
    }
    limits::keyboard(&result["reply_markup"])?;
    let id = world.say_via(result)?;
    world.summons.insert(query, Some(id.clone()));
    Ok(json!({ "inline_message_id": id }))
}

impl World {
    /// Posts a result in a chat without the bot.
    fn say_via(&mut self, result: &Value) -> Result<String, ApiError> {
        let text = result["input_message_content"]["message_text"].as_str();
        let text = text.filter(|it| !it.is_empty()).ok_or_else(|| bad("MESSAGE_EMPTY"))?.to_owned();
        let markup = Some(result["reply_markup"].clone()).filter(|it| !it.is_null());
        let id = format!("AgAAAB-{:08}_x", self.fresh());
        let msg = Msg { from: BOT_ID, text, markup, via_bot: true, ..Msg::default() };
        self.via.insert(id.clone(), msg);
        Ok(id)
    }
}

impl Person {
    /// Mentions the bot in a chat where it is not a member. Returns the id by which the bot may
    /// edit its answer.
    pub async fn summons(&self, words: &str) -> String {
        let query = self.says_to_guest(words);
        let look = |tg: &super::FakeTelegram| {
            tg.shared.quiet(|world| world.summons.get(&query).cloned().flatten())
        };
        self.tg.wait_for("the answer to a guest query", look).await
    }

    /// The same without waiting for the answer.
    pub fn says_to_guest(&self, words: &str) -> String {
        self.tg.shared.change(|world| {
            let query = format!("guest-{}", world.fresh());
            world.summons.insert(query.clone(), None);
            let body = json!({
                "message_id": 17,
                "date": 1_780_000_000,
                // The ids of such chats may be equal to those of other chats.
                "chat": { "id": -1_001_000_000_777_i64, "type": "supergroup", "title": "Far away" },
                "from": show::user(world, self.id),
                "text": words,
                "guest_query_id": query,
            });
            world.feed.push("guest_message", body);
            query
        })
    }

    /// Chooses an inline result with buttons in a chat without the bot, where it is posted. Returns
    /// the id by which the bot may edit it.
    pub fn send_inline_result(&self, result: &Value) -> String {
        assert!(!result["reply_markup"].is_null(), "without buttons the bot gets no update");
        self.tg
            .shared
            .change(|world| world.say_via(result).expect("only text results are simulated"))
    }

    /// Deletes such a message.
    pub fn delete_inline_message(&self, id: &str) {
        self.tg.shared.change(|world| world.via.remove(id));
    }

    /// Presses the button of such a message whose label begins with this text, and waits for the
    /// answer.
    pub async fn press_via(&self, id: &str, button: &str) -> Pressed {
        let data = self.tg.shared.quiet(|world| {
            let seen = actors::seen(world, &world.via[id]);
            let mut buttons = seen.buttons.into_iter().flatten();
            let found = buttons.find(|(label, _)| label.starts_with(button));
            found.unwrap_or_else(|| panic!("no button {button}")).1
        });
        self.press_via_with(id, &data).await
    }

    /// Sends callback data from such a message, whether or not it has such a button.
    pub async fn press_via_with(&self, id: &str, data: &str) -> Pressed {
        let query = self.tg.shared.change(|world| {
            let query = format!("{}", 4_000_000_000_000_000 + world.fresh());
            let at_ms = world.now_ms;
            let callback = Callback { from: self.id, chat: 0, at_ms, answer: None };
            world.callbacks.insert(query.clone(), callback);
            let body = json!({
                "id": query,
                "from": show::user(world, self.id),
                "inline_message_id": id,
                "chat_instance": "-7316214417712033",
                "data": data,
            });
            world.feed.push("callback_query", body);
            query
        });
        self.answer_to(&query).await
    }

    /// Waits until such a message contains this text.
    pub async fn awaits_via(&self, id: &str, what: &str) -> VisibleMessage {
        let look = |tg: &super::FakeTelegram| {
            let seen = tg.shared.quiet(|world| actors::seen(world, &world.via[id]));
            Some(seen).filter(|it| it.text.contains(what))
        };
        self.tg.wait_for(what, look).await
    }
}
