//! Lists the ratings of a room, and returns the statistics of its people.

use axum::{
    extract::{Path, Query, State},
    response::Response,
};
use serde::{Deserialize, Serialize};

use super::{
    Webchat,
    auth::AuthenticatedPerson,
    bot_updates,
    model::WebchatMember,
    rate_limits::RateKind,
    read_api::{client_queries, json_response, private_chat_of, room_and_person},
    refusal::WebchatRefusal,
    routes::{WebchatContext, resolve_room},
    state::WebchatState,
};
use caravanserai_protocol::{
    Chat, Leaderboard, LeaderboardMonth, LeaderboardPlace, LeaderboardQuery, LeaderboardScope,
    Person,
};

/// The longest code of a list in a query, in bytes.
const CODE_BYTES_MAX: usize = 80;

/// The name of a person's private chat in requests.
const PRIVATE: &str = "@";

/// Chooses the list that is shown, see [`LeaderboardQuery`].
#[derive(Deserialize)]
pub struct RatingsQuery {
    of: Option<String>,
    month: Option<String>,
    list: Option<String>,
    from: Option<usize>,
}

impl RatingsQuery {
    /// Converts to the platform-neutral query.
    fn into_leaderboard_query(self) -> Result<LeaderboardQuery, WebchatRefusal> {
        let scope = match self.of.as_deref() {
            None | Some("room") => LeaderboardScope::Chat,
            Some("all") => LeaderboardScope::Everywhere,
            Some(_) => return Err(WebchatRefusal::BadRequest("lists are of=room or of=all")),
        };
        let month = match self.month {
            None => None,
            Some(month) if month == "now" => Some(LeaderboardMonth::Current),
            Some(month) if is_month(&month) => Some(LeaderboardMonth::Named(month)),
            Some(_) => return Err(WebchatRefusal::BadRequest("a month is now or like 2026-11")),
        };
        if self.list.as_ref().is_some_and(|it| it.len() > CODE_BYTES_MAX) {
            return Err(WebchatRefusal::BadRequest("the code of a list has at most 80 bytes"));
        }
        let from = self.from.unwrap_or_default();
        Ok(LeaderboardQuery { scope, month, list: self.list, from })
    }
}

/// Whether a text is a month such as `2026-11`.
fn is_month(text: &str) -> bool {
    let is_number = |it: &str| it.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('-').is_some_and(|(year, month)| {
        year.len() == 4
            && is_number(year)
            && month.len() == 2
            && is_number(month)
            && month.parse::<u8>().is_ok_and(|it| (1..=12).contains(&it))
    })
}

/// A page of a list, as it is sent.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RatingsPage<'a> {
    /// The list.
    #[serde(flatten)]
    board: &'a Leaderboard,
    /// Its places, the best first.
    places: Vec<RatedPlace<'a>>,
}

/// A place with the id of its person, if their statistics are shown in this room.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RatedPlace<'a> {
    /// The place.
    #[serde(flatten)]
    place: &'a LeaderboardPlace,
    /// The id of the person.
    person: Option<&'a str>,
}

/// Returns a page of a rating list of a room or of all chats.
pub async fn ratings(
    State(ctx): State<WebchatContext>,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Path(room): Path<String>,
    Query(it): Query<RatingsQuery>,
) -> Result<Response, WebchatRefusal> {
    ctx.web.rates.check(&me, RateKind::Ask)?;
    let (chat, reader) = chat_and_reader(&ctx.web, &me, &room)?;
    let query = it.into_leaderboard_query()?;
    let is_everywhere = query.scope == LeaderboardScope::Everywhere;
    let queries = client_queries(&ctx, WebchatRefusal::BotFailed)?;
    let board = queries.leaderboard(&chat, &reader, query).await;
    let board = board.ok_or(WebchatRefusal::BotFailed)?;
    let state = ctx.web.state();
    let people = resolve_room(&me, &room)?;
    let describe = |place| RatedPlace {
        place,
        person: offered_person(&state, &me, &people, place, is_everywhere),
    };
    let places = board.places.iter().map(describe).collect();
    Ok(json_response(&RatingsPage { board: &board, places }))
}

/// Returns the statistics of a person of a room: one's own of all chats, those of others there.
pub async fn person(
    State(ctx): State<WebchatContext>,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Path((room, person)): Path<(String, String)>,
) -> Result<Response, WebchatRefusal> {
    ctx.web.rates.check(&me, RateKind::Ask)?;
    let (chat, reader) = chat_and_reader(&ctx.web, &me, &room)?;
    let of = match person.strip_prefix("web:") {
        Some(own) if own == me => reader.clone(),
        Some(other) => person_in_room(&ctx.web, &me, &resolve_room(&me, &room)?, other)?,
        None => return Err(WebchatRefusal::NotFound("person in this room")),
    };
    let queries = client_queries(&ctx, WebchatRefusal::BotFailed)?;
    let found = queries.person_statistics(&chat, &reader, &of).await;
    Ok(json_response(&found.ok_or(WebchatRefusal::BotFailed)?))
}

/// Returns a room and its reader in the bot's types. The private chat may not exist yet.
fn chat_and_reader(web: &Webchat, me: &str, room: &str) -> Result<(Chat, Person), WebchatRefusal> {
    match room {
        PRIVATE => private_chat_of(web, me),
        room => room_and_person(web, me, &resolve_room(me, room)?),
    }
}

/// Returns another member of a room of this person in the bot's types.
pub fn person_in_room(
    web: &Webchat,
    me: &str,
    room: &str,
    other: &str,
) -> Result<Person, WebchatRefusal> {
    let absent = WebchatRefusal::NotFound("person in this room");
    let state = web.state();
    let room_data = state.rooms.get(room).filter(|it| it.has_person(me)).ok_or(absent.clone())?;
    let member = member_of(&state, room, other).ok_or(absent)?;
    Ok(bot_updates::person_of_member(&room_data.room, member))
}

fn member_of<'a>(state: &'a WebchatState, room: &str, id: &str) -> Option<&'a WebchatMember> {
    state.rooms.get(room).filter(|it| it.has_person(id))?;
    state.people.get(id).map(|it| &**it)
}

/// Returns the id of the person of a place if the reader may see their statistics in this room.
///
/// In the list of all chats a member of the room is offered only under the name that the room
/// knows: another name may come from an account of another platform.
fn offered_person<'a>(
    state: &WebchatState,
    me: &str,
    room: &str,
    place: &'a LeaderboardPlace,
    is_everywhere: bool,
) -> Option<&'a str> {
    let account = place.account.0.as_str();
    let id = account.strip_prefix("web:")?;
    if id == me {
        return Some(account);
    }
    let member = member_of(state, room, id)?;
    (!is_everywhere || member.name == place.name).then_some(account)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_months_of_a_year_are_months() {
        assert!(is_month("2026-11") && is_month("2026-01"));
        for text in ["", "now", "2026", "2026-1", "2026-13", "2026-00", "26-11", "2026-+1", "x"] {
            assert!(!is_month(text), "{text}");
        }
    }
}
