//! What people do to messages: write, press, dismiss. Each deed with a key acts once.

use axum::{
    Json,
    extract::{Path, State as Shared},
};
use serde::Deserialize;
use serde_json::json;

use super::{
    acts,
    guard::Me,
    http::{Answer, Body, Chat, Ctx, the_room},
    mentions,
    model::{Act, Limits, Message, Pending, good_key},
    now_ms,
    refusal::Refusal,
    state::State,
    view,
};

/// Something written.
#[derive(Deserialize)]
pub struct Saying {
    text: String,
    key: String,
    reply_to: Option<u64>,
    #[serde(default)]
    mentions: Vec<String>,
}

/// Keeps a message and tells the bot.
pub async fn say(
    Shared(ctx): Shared<Ctx>,
    Me(me): Me,
    Path(room): Path<String>,
    Body(it): Body<Saying>,
) -> Answer {
    let web = &ctx.web;
    let limits = &web.settings.limits;
    web.take(&me, "say", limits.say)?;
    let room = the_room(&me, &room)?;
    let text = it.text.trim();
    if text.is_empty() || text.chars().count() > limits.text_chars {
        return Err(Refusal::Bad("a message has 1 to 2,000 characters"));
    }
    check_key(&it.key)?;
    let (id, heard) = web.change(|state| keep(state, &me, &room, text, &it, limits)).await?;
    let whispers = match heard {
        Some(pending) => acts::hear(web, &ctx.listener, pending).await?,
        None => Vec::new(),
    };
    Ok(Json(json!({ "id": id, "whispers": view::Whispered::all(whispers) })))
}

/// Adds a message with the note that the bot is to hear it; one with a known key is only found.
fn keep(
    state: &mut State,
    me: &str,
    room: &str,
    text: &str,
    it: &Saying,
    limits: &Limits,
) -> Result<(u64, Option<Pending>), Refusal> {
    let place = state.room_of(me, room)?;
    let people = place.room.people.iter().filter_map(|id| state.people.get(id));
    let people: Vec<_> = people.map(|it| (it.id.as_str(), it.name.as_str())).collect();
    let read = mentions::read(text, &people, &it.mentions);
    let visible = |id: &u64| place.messages.get(id).is_some_and(|it| it.visible_to(me));
    let reply_to = it.reply_to.filter(visible);
    let act = Act::Say { text: read.text, named: read.named, reply_to };
    let heard = place.room.bot.then(|| pending(me, room, &it.key, act));
    if let Some(id) = place.by_key(me, &it.key) {
        let old = place.messages.get(&id).filter(|it| !it.gone);
        let same = old.is_none_or(|old| old.text.to_plain() == read.shown.to_plain());
        return same.then_some((id, heard)).ok_or(Refusal::KeyReused);
    }
    let name = state.people.get(me).map(|it| it.name.clone()).unwrap_or_default();
    let message = Message {
        time_ms: now_ms(),
        author: Some(me.to_owned()),
        name,
        text: read.shown,
        reply_to,
        key: it.key.clone(),
        ..Message::default()
    };
    let id = state.post(room, message, &[], limits).ok_or(Refusal::Absent("room"))?;
    if let Some(pending) = &heard {
        state.await_hearing(pending.clone());
    }
    Ok((id, heard))
}

/// A press on a button.
#[derive(Deserialize)]
pub struct Pressing {
    message: u64,
    press: String,
    key: String,
}

/// Tells the bot of a pressed button and answers with what it whispers.
pub async fn press(
    Shared(ctx): Shared<Ctx>,
    Me(me): Me,
    Path(room): Path<String>,
    Body(it): Body<Pressing>,
) -> Answer {
    let web = &ctx.web;
    web.take(&me, "press", web.settings.limits.press)?;
    let room = the_room(&me, &room)?;
    check_key(&it.key)?;
    if it.press.is_empty() || it.press.len() > 64 || !it.press.is_ascii() {
        return Err(Refusal::Bad("a button carries 1 to 64 bytes of ASCII"));
    }
    let seq = {
        let state = web.state();
        let place = state.room_of(&me, &room)?;
        let message = place.messages.get(&it.message);
        // Buttons that have just been edited away are passed on: the bot explains old boards.
        message
            .filter(|it| it.author.is_none() && it.visible_to(&me))
            .ok_or(Refusal::Absent("message"))?;
        if !place.room.bot {
            return Err(Refusal::NoBot);
        }
        state.seq
    };
    web.until_durable(seq).await?;
    let act = Act::Press { press: it.press, message: it.message };
    let pending = pending(&me, &room, &it.key, act);
    let whispers = acts::hear(web, &ctx.listener, pending).await?;
    Ok(Json(json!({ "whispers": view::Whispered::all(whispers) })))
}

/// A message.
#[derive(Deserialize)]
pub struct Choosing {
    message: u64,
}

/// Takes a message away that only this person sees.
pub async fn dismiss(
    Shared(web): Chat,
    Me(me): Me,
    Path(room): Path<String>,
    Body(it): Body<Choosing>,
) -> Answer {
    web.take(&me, "ask", web.settings.limits.ask)?;
    let room = the_room(&me, &room)?;
    let change = web.change(|state| {
        let place = state.room_of(&me, &room)?;
        let mine = |it: &&Message| it.only.as_deref() == Some(&*me);
        place.messages.get(&it.message).filter(mine).ok_or(Refusal::Absent("message"))?;
        state.remove(&room, it.message);
        Ok(())
    });
    change.await?;
    Ok(Json(json!({})))
}

/// What the bot hears: the id is the client's key, so a repetition is the same update.
fn pending(me: &str, room: &str, key: &str, act: Act) -> Pending {
    let id = format!("web/{me}/{key}");
    Pending { id, room: room.to_owned(), person: me.to_owned(), act }
}

fn check_key(key: &str) -> Result<(), Refusal> {
    let bad = Refusal::Bad("a key has 1 to 64 letters, digits, - or _");
    good_key(key).then_some(()).ok_or(bad)
}
