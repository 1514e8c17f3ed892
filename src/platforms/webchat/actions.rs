//! Handles what people do to messages: write, press, dismiss. Each action with a key has its effect
//! once.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State as Shared},
};
use serde::Deserialize;

use super::{
    answers::{EmptyAnswer, RepliesAnswer, SayAnswer},
    auth::AuthenticatedPerson,
    bot_updates,
    json_body::JsonBody,
    mentions,
    model::{
        PendingBotAction, PendingBotUpdate, WebchatLimits, WebchatMessage, WebchatRoom,
        is_valid_key,
    },
    now_ms,
    rate_limits::RateKind,
    refusal::WebchatRefusal,
    routes::{ApiResult, WebchatContext, WebchatHandle, resolve_room},
    state::{RoomData, WebchatState},
};

/// A request to post a message.
#[derive(Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct SayRequest {
    /// The text.
    text: String,
    /// Chosen by the client: the same key acts once.
    key: String,
    /// The id of the message to which it replies.
    reply_to: Option<u64>,
    /// The people who were chosen from the suggestions.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    mentions: Vec<mentions::ChosenMention>,
    /// Whether it is a command for the bot alone, which nobody reads in the room.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    silent: bool,
}

/// Stores a message and delivers it to the bot; a silent or confidential command is only delivered.
pub async fn say_message(
    Shared(ctx): Shared<WebchatContext>,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Path(room): Path<String>,
    JsonBody(it): JsonBody<SayRequest>,
) -> ApiResult<SayAnswer> {
    let (web, arrival) = (&ctx.web, ctx.handler.record_arrival());
    let limits = web.settings.limits.clone();
    let room = resolve_room(&me, &room)?;
    web.rates.check(&me, RateKind::Say)?;
    web.rates.check(&format!("{me} {room}"), RateKind::SayHere)?;
    let text = it.text.trim().to_owned();
    if text.is_empty() || text.chars().count() > limits.text_chars {
        return Err(WebchatRefusal::BadRequest("a message has 1 to 2,000 characters"));
    }
    check_key(&it.key)?;
    if it.silent && !text.starts_with('/') {
        return Err(WebchatRefusal::BadRequest("only a command can be silent"));
    }
    let handler = Arc::clone(&ctx.handler);
    let change = move |state: &mut WebchatState| {
        state.may_write(&me, &room)?;
        let room_data = state.room_of(&me, &room)?;
        let read = parse_text(state, room_data, &text, &it);
        let is_hidden = !room_data.room.is_private() && handler.is_confidential(&read.text);
        if it.silent || is_hidden {
            let bot_update = add_silent_command(state, &me, &room, read, &it.key)?;
            return Ok((None, Some(bot_update)));
        }
        let (id, bot_update) = store_message(state, &me, &room, read, &it, &limits)?;
        Ok((Some(id), bot_update))
    };
    let (id, bot_update) = web.change(change).await?;
    let whispers = match bot_update {
        Some(pending) => bot_updates::deliver_to_bot(web, &ctx.handler, pending, arrival).await?,
        None => Vec::new(),
    };
    Ok(Json(SayAnswer { id, whispers }))
}

/// Stores a message together with its pending update for the bot; a message with a known key is
/// only found.
fn store_message(
    state: &mut WebchatState,
    me: &str,
    room: &str,
    read: mentions::ParsedMentions,
    it: &SayRequest,
    limits: &WebchatLimits,
) -> Result<(u64, Option<PendingBotUpdate>), WebchatRefusal> {
    let room_data = state.room_of(me, room)?;
    let visible = |id: &u64| room_data.message(*id).is_some_and(|it| it.visible_to(me));
    let reply_to = it.reply_to.filter(visible);
    let act = PendingBotAction::Say { text: read.text, named: read.named, reply_to };
    let bot_update = room_data.room.bot.then(|| pending_update(me, &room_data.room, &it.key, act));
    if let Some(id) = room_data.by_key(me, &it.key) {
        let old = room_data.message(id).filter(|it| !it.gone);
        let same = old.is_none_or(|old| old.text.to_plain() == read.shown.to_plain());
        return same.then_some((id, bot_update)).ok_or(WebchatRefusal::KeyReused);
    }
    let name = state.people.get(me).map(|it| it.name.clone()).unwrap_or_default();
    let message = WebchatMessage {
        time_ms: now_ms(),
        author: Some(me.to_owned()),
        name,
        text: read.shown,
        reply_to,
        key: it.key.clone(),
        ..WebchatMessage::default()
    };
    if bot_update.is_none() {
        // Else it depends on the answer of the bot.
        state.note_took_part(me);
    }
    let id = state.post(room, message, limits).ok_or(WebchatRefusal::NotFound("room"))?;
    if let Some(pending) = &bot_update {
        state.add_pending(pending.clone());
    }
    Ok((id, bot_update))
}

/// Adds the pending update for the bot of a command that nobody reads.
fn add_silent_command(
    state: &mut WebchatState,
    me: &str,
    room: &str,
    read: mentions::ParsedMentions,
    key: &str,
) -> Result<PendingBotUpdate, WebchatRefusal> {
    let room_data = state.room_of(me, room)?;
    if !room_data.room.bot {
        return Err(WebchatRefusal::NoBot);
    }
    let act = PendingBotAction::Say { text: read.text, named: read.named, reply_to: None };
    let bot_update = pending_update(me, &room_data.room, key, act);
    state.add_pending(bot_update.clone());
    Ok(bot_update)
}

/// Parses the text of a request, with the people who are mentioned in it.
fn parse_text(
    state: &WebchatState,
    room_data: &RoomData,
    text: &str,
    it: &SayRequest,
) -> mentions::ParsedMentions {
    let people = room_data.room.people.iter().filter_map(|id| state.people.get(id));
    let people: Vec<_> = people.map(|it| (it.id.as_str(), it.name.as_str())).collect();
    mentions::parse_mentions(text, &people, &it.mentions)
}

/// A request to press a button.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct PressRequest {
    /// The id of the message with the button.
    message: Option<u64>,
    /// The callback data.
    #[serde(rename = "press")]
    callback_data: String,
    /// Chosen by the client: the same key acts once.
    key: String,
}

/// Delivers a press to the bot and returns the bot's private replies.
pub async fn press(
    Shared(ctx): Shared<WebchatContext>,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Path(room): Path<String>,
    JsonBody(it): JsonBody<PressRequest>,
) -> ApiResult<RepliesAnswer> {
    let (web, arrival) = (&ctx.web, ctx.handler.record_arrival());
    web.rates.check(&me, RateKind::Press)?;
    let room = resolve_room(&me, &room)?;
    check_key(&it.key)?;
    if it.callback_data.is_empty() || it.callback_data.len() > 64 || !it.callback_data.is_ascii() {
        return Err(WebchatRefusal::BadRequest("a button carries 1 to 64 bytes of ASCII"));
    }
    let is_known = |state: &WebchatState| {
        let room_data = state.room_of(&me, &room);
        room_data.is_ok_and(|room| it.message.is_none_or(|id| room.message(id).is_some()))
    };
    web.refresh_unless(is_known).await;
    let room_data = {
        let state = web.state();
        let room_data = state.room_of(&me, &room)?;
        // Presses of buttons that have just been edited away are passed on: the bot explains old
        // boards.
        let fits = |id| {
            let message = room_data.message(id);
            message.is_some_and(|it| it.author.is_none() && it.visible_to(&me))
        };
        if !it.message.is_none_or(fits) {
            return Err(WebchatRefusal::NotFound("message"));
        }
        if !room_data.room.bot {
            return Err(WebchatRefusal::NoBot);
        }
        let now_ms = now_ms();
        if state.is_activity_due(&room, now_ms) {
            let room = room.clone();
            web.change_in_background(move |state| state.note_activity(&room, now_ms));
        }
        Arc::clone(&room_data.room)
    };
    let act = PendingBotAction::Press { callback_data: it.callback_data, message: it.message };
    let pending = pending_update(&me, &room_data, &it.key, act);
    let whispers = bot_updates::deliver_to_bot(web, &ctx.handler, pending, arrival).await?;
    Ok(Json(RepliesAnswer { whispers }))
}

/// A request to dismiss a message.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct DismissRequest {
    /// The id of the message.
    message: u64,
}

/// Removes a message that only this person sees.
pub async fn dismiss(
    Shared(web): WebchatHandle,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Path(room): Path<String>,
    JsonBody(it): JsonBody<DismissRequest>,
) -> ApiResult<EmptyAnswer> {
    web.rates.check(&me, RateKind::Ask)?;
    let room = resolve_room(&me, &room)?;
    let change = web.change(move |state| {
        let room_data = state.room_of(&me, &room)?;
        let mine = |it: &&WebchatMessage| it.only.as_deref() == Some(&*me);
        room_data.message(it.message).filter(mine).ok_or(WebchatRefusal::NotFound("message"))?;
        state.remove(&room, it.message);
        Ok(())
    });
    change.await?;
    Ok(Json(EmptyAnswer {}))
}

/// Creates the update for the bot. Its id contains the client's key, so a repetition is the same
/// update.
fn pending_update(
    me: &str,
    room: &WebchatRoom,
    key: &str,
    act: PendingBotAction,
) -> PendingBotUpdate {
    PendingBotUpdate {
        id: format!("web/{me}/{key}"),
        room: room.name.clone(),
        generation: room.generation,
        person: me.to_owned(),
        act,
        since_ms: now_ms(),
    }
}

fn check_key(key: &str) -> Result<(), WebchatRefusal> {
    let bad = WebchatRefusal::BadRequest("a key has 1 to 64 letters, digits, - or _");
    is_valid_key(key).then_some(()).ok_or(bad)
}
