//! What people do to messages: write, press, dismiss. Each deed with a key acts once.

use axum::{
    Json,
    extract::{Path, State as Shared},
};
use serde::Deserialize;
use serde_json::json;

use super::{
    acts,
    body::Body,
    guard::Me,
    http::{Answer, Chat, Ctx, the_room},
    mentions,
    model::{Act, Limits, Message, Pending, good_key},
    now_ms,
    rates::Deed,
    refusal::Refusal,
    state::State,
    view,
};

/// Something written.
#[derive(Clone, Deserialize)]
pub struct Saying {
    text: String,
    key: String,
    reply_to: Option<u64>,
    #[serde(default)]
    mentions: Vec<mentions::Chosen>,
}

/// Keeps a message and tells the bot.
pub async fn say(
    Shared(ctx): Shared<Ctx>,
    Me(me): Me,
    Path(room): Path<String>,
    Body(it): Body<Saying>,
) -> Answer {
    let (web, arrival) = (&ctx.web, ctx.listener.arrival());
    let limits = web.settings.limits.clone();
    let room = the_room(&me, &room)?;
    web.rates.take(&me, Deed::Say)?;
    web.rates.take(&format!("{me} {room}"), Deed::SayHere)?;
    let text = it.text.trim().to_owned();
    if text.is_empty() || text.chars().count() > limits.text_chars {
        return Err(Refusal::Bad("a message has 1 to 2,000 characters"));
    }
    check_key(&it.key)?;
    let change = move |state: &mut State| keep(state, &me, &room, &text, &it, &limits);
    let (id, heard) = web.change(change).await?;
    let whispers = match heard {
        Some(pending) => acts::hear(web, &ctx.listener, pending, arrival).await?,
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
    state.may_write(me, room)?;
    let place = state.room_of(me, room)?;
    let people = place.room.people.iter().filter_map(|id| state.people.get(id));
    let people: Vec<_> = people.map(|it| (it.id.as_str(), it.name.as_str())).collect();
    let read = mentions::read(text, &people, &it.mentions);
    let visible = |id: &u64| place.message(*id).is_some_and(|it| it.visible_to(me));
    let reply_to = it.reply_to.filter(visible);
    let act = Act::Say { text: read.text, named: read.named, reply_to };
    let heard = place.room.bot.then(|| pending(me, room, &it.key, act));
    if let Some(id) = place.by_key(me, &it.key) {
        let old = place.message(id).filter(|it| !it.gone);
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
    state.took_part(me);
    let id = state.post(room, message, limits).ok_or(Refusal::Absent("room"))?;
    if let Some(pending) = &heard {
        state.await_hearing(pending.clone());
    }
    Ok((id, heard))
}

/// A press on a button.
#[derive(Deserialize)]
pub struct Pressing {
    message: Option<u64>,
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
    let (web, arrival) = (&ctx.web, ctx.listener.arrival());
    web.rates.take(&me, Deed::Press)?;
    let room = the_room(&me, &room)?;
    check_key(&it.key)?;
    if it.press.is_empty() || it.press.len() > 64 || !it.press.is_ascii() {
        return Err(Refusal::Bad("a button carries 1 to 64 bytes of ASCII"));
    }
    {
        let state = web.state();
        let place = state.room_of(&me, &room)?;
        // Buttons that have just been edited away are passed on: the bot explains old boards.
        let fits = |id| {
            let message = place.message(id);
            message.is_some_and(|it| it.author.is_none() && it.visible_to(&me))
        };
        if !it.message.is_none_or(fits) {
            return Err(Refusal::Absent("message"));
        }
        if !place.room.bot {
            return Err(Refusal::NoBot);
        }
        if state.people.get(&me).is_some_and(|it| !it.took_part) {
            let me = me.clone();
            web.change_lazily(move |state| state.took_part(&me));
        }
    }
    let act = Act::Press { press: it.press, message: it.message };
    let pending = pending(&me, &room, &it.key, act);
    let whispers = acts::hear(web, &ctx.listener, pending, arrival).await?;
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
    web.rates.take(&me, Deed::Ask)?;
    let room = the_room(&me, &room)?;
    let change = web.change(move |state| {
        let place = state.room_of(&me, &room)?;
        let mine = |it: &&Message| it.only.as_deref() == Some(&*me);
        place.message(it.message).filter(mine).ok_or(Refusal::Absent("message"))?;
        state.remove(&room, it.message);
        Ok(())
    });
    change.await?;
    Ok(Json(json!({})))
}

/// What the bot hears: the id is the client's key, so a repetition is the same update.
fn pending(me: &str, room: &str, key: &str, act: Act) -> Pending {
    let id = format!("web/{me}/{key}");
    Pending { id, room: room.to_owned(), person: me.to_owned(), act, since_ms: now_ms() }
}

fn check_key(key: &str) -> Result<(), Refusal> {
    let bad = Refusal::Bad("a key has 1 to 64 letters, digits, - or _");
    good_key(key).then_some(()).ok_or(bad)
}
