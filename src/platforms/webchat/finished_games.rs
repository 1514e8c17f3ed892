//! Lists the finished games of a person and returns their records.

use axum::{
    Json,
    extract::{Path, Query, State},
    response::Response,
};
use serde::{Deserialize, Serialize};

use super::{
    answers::GameRecordAnswer,
    auth::AuthenticatedPerson,
    model::room_name_of,
    rate_limits::RateKind,
    rating_pages::person_in_room,
    read_api::{client_queries, json_response, private_chat_of, room_and_person},
    refusal::WebchatRefusal,
    routes::{ApiResult, WebchatContext, resolve_room},
    view,
};
use caravanserai_games::ids::TableId;
use caravanserai_protocol::{FinishedGame, FinishedGamesQuery};

/// The longest value in a query, in bytes.
const VALUE_BYTES_MAX: usize = 80;

/// Chooses the games that are listed, see [`FinishedGamesQuery`].
#[derive(Deserialize)]
pub struct GamesQuery {
    game: Option<String>,
    against: Option<String>,
    room: Option<String>,
    after: Option<String>,
}

/// A page of games, as it is sent.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GamesPage<'a> {
    /// The games, the latest first.
    games: Vec<ListedGame<'a>>,
    /// Where the next page begins; `None` if there are no older games.
    next: Option<&'a str>,
}

/// A game with the room where it was played: `@` if it was private, `None` if it was played in a
/// chat of another platform.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListedGame<'a> {
    /// The game.
    #[serde(flatten)]
    game: &'a FinishedGame,
    /// The room.
    room: Option<&'a str>,
}

/// Returns a page of this person's finished games, the latest first.
///
/// Games against one person are those of one room that both share: other games may show which
/// account of another platform belongs to the same person.
pub async fn games(
    State(ctx): State<WebchatContext>,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Query(GamesQuery { game, against, room, after }): Query<GamesQuery>,
) -> Result<Response, WebchatRefusal> {
    ctx.web.rates.check(&me, RateKind::Ask)?;
    if [&game, &after].into_iter().flatten().any(|it| it.len() > VALUE_BYTES_MAX) {
        return Err(WebchatRefusal::BadRequest("a game or a page has at most 80 bytes"));
    }
    let (chat_id, person) = private_chat_of(&ctx.web, &me)?;
    let queries = client_queries(&ctx, WebchatRefusal::BotFailed)?;
    let (opponent, chat) = match (against, room) {
        (None, None) => (None, None),
        (Some(against), Some(room)) => {
            let room = resolve_room(&me, &room)?;
            let refusal = WebchatRefusal::NotFound("person in this room");
            let id = against.strip_prefix("web:").ok_or(refusal)?;
            let opponent = person_in_room(&ctx.web, &me, &room, id)?;
            let (chat, _) = room_and_person(&ctx.web, &me, &room)?;
            (Some(opponent.id), Some(chat.id))
        }
        _ => return Err(WebchatRefusal::BadRequest("against and room belong together")),
    };
    let query = FinishedGamesQuery { game, opponent, chat, after };
    let found = queries.finished_games(&chat_id, &person, query).await;
    let found = found.ok_or(WebchatRefusal::BotFailed)?;
    let listed = |game| ListedGame { game, room: room_of_game(game) };
    let games = found.games.iter().map(listed).collect();
    Ok(json_response(&GamesPage { games, next: found.next.as_deref() }))
}

/// Returns the name and the text of the record of one of this person's finished games.
pub async fn record(
    State(ctx): State<WebchatContext>,
    AuthenticatedPerson(me): AuthenticatedPerson,
    Path(table): Path<String>,
) -> ApiResult<GameRecordAnswer> {
    ctx.web.rates.check(&me, RateKind::Fetch)?;
    let (_, person) = private_chat_of(&ctx.web, &me)?;
    let refusal = || WebchatRefusal::NotFound("finished game of yours");
    let queries = client_queries(&ctx, refusal())?;
    let found = queries.game_record(&person, &TableId(table.to_lowercase())).await;
    let found = found.ok_or_else(refusal)?;
    let text = String::from_utf8_lossy(&found.bytes).into_owned();
    Ok(Json(GameRecordAnswer { name: found.name, text }))
}

/// Returns the name of the room where a game was played; that room may be deleted, and another one
/// may have its name.
fn room_of_game(game: &FinishedGame) -> Option<&str> {
    game.chat.as_ref().map_or(Some("@"), |chat| room_name_of(chat).map(view::room_name))
}
