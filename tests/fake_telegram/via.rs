//! Messages with buttons that people say via the bot, in chats that the bot does not know: it is
//! told of presses, never of the chat, and can edit them by a number of their own.

use serde_json::{Value, json};

use super::edit::{SAME, changed, same};
use super::send::Request;
use super::world::{Answer, BOT_ID, Callback, Msg, World, bad};
use super::{Person, Pressed, Seen, actors, show};

/// An edit of such a message: the answer is only that it is done.
pub fn edit(world: &mut World, req: &Request) -> Answer {
    if !req.get("chat_id").is_null() || !req.get("message_id").is_null() {
        return Err(bad("a message is named in one way"));
    }
    if !req.files.is_empty() || req.get("media").to_string().contains("attach://") {
        // Only what is on the server already, or an address.
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

impl Person {
    /// Chooses something with buttons that was offered while typing, in some chat without the bot:
    /// it is said there. Gives the number by which the bot may edit it.
    pub fn poses(&self, result: &Value) -> String {
        let text = result["input_message_content"]["message_text"].as_str();
        let text = text.expect("only words are simulated").to_owned();
        let markup = Some(result["reply_markup"].clone()).filter(|it| !it.is_null());
        assert!(markup.is_some(), "without buttons the bot never hears of it");
        self.tg.shared.change(|world| {
            let id = format!("AgAAAB-{:08}_x", world.fresh());
            let via_bot = true;
            world
                .via
                .insert(id.clone(), Msg { from: BOT_ID, text, markup, via_bot, ..Msg::default() });
            id
        })
    }

    /// Takes such a message away again.
    pub fn unposes(&self, id: &str) {
        self.tg.shared.change(|world| world.via.remove(id));
    }

    /// Presses the button under such a message whose label begins so, and waits for the answer.
    pub async fn press_via(&self, id: &str, button: &str) -> Pressed {
        let query = self.tg.shared.change(|world| {
            let seen = actors::seen(world, &world.via[id]);
            let mut buttons = seen.buttons.into_iter().flatten();
            let found = buttons.find(|(label, _)| label.starts_with(button));
            let (_, data) = found.unwrap_or_else(|| panic!("no button {button}"));
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

    /// Waits until such a message contains this.
    pub async fn awaits_via(&self, id: &str, what: &str) -> Seen {
        let look = |tg: &super::FakeTelegram| {
            let seen = tg.shared.quiet(|world| actors::seen(world, &world.via[id]));
            Some(seen).filter(|it| it.text.contains(what))
        };
        self.tg.wait_for(what, look).await
    }
}
