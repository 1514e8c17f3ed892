//! Shows and evaluates positions that a person analyses. Nothing of it is stored.

use axum::{Extension, extract::State, response::Response};
use serde::Deserialize;

use super::{
    auth::{AuthenticatedPerson, ClientAddress},
    json_body::JsonBody,
    rate_limits::RateKind,
    read_api::{client_queries, json_response, private_chat_of},
    refusal::WebchatRefusal,
    routes::WebchatContext,
};
use caravanserai_protocol::{AnalysisQuery, AnalysisRefusal, AnalysisStart, PictureLayout};

/// The longest code of a game, house rules or value, in bytes.
const VALUE_BYTES_MAX: usize = 120;
/// The longest written position, in bytes.
const POSITION_BYTES_MAX: usize = 400;
/// The most steps of a line: more than nearly all games have that people play to their end.
const STEPS_MAX: usize = 400;
/// The most parts of a position.
const PARTS_MAX: usize = 60;

/// The position that is analysed, see [`AnalysisQuery`]: `setup` comes before `position`, without
/// either it is the beginning of the game.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct AnalysisRequest {
    /// The code of the game.
    game: String,
    /// Its house rules in record notation; the usual ones without it.
    options: Option<String>,
    /// The position in writing.
    position: Option<String>,
    /// The values of the parts of a position that is being set up.
    setup: Option<Vec<String>>,
    /// The actions and outcomes of chance since then, in record notation.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    steps: Vec<String>,
    /// The seat whose side is at the bottom.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    below: u8,
    /// Whether the picture is for an upright screen.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    upright: bool,
}

impl AnalysisRequest {
    /// Converts to the platform-neutral query.
    ///
    /// # Errors
    /// When a part is longer than any real one.
    fn into_query(self) -> Result<AnalysisQuery, WebchatRefusal> {
        let is_long = |it: &String| it.len() > VALUE_BYTES_MAX;
        let mut values = self.steps.iter().chain(self.setup.iter().flatten());
        let is_too_long = is_long(&self.game)
            || self.options.as_ref().is_some_and(is_long)
            || values.any(is_long)
            || self.position.as_ref().is_some_and(|it| it.len() > POSITION_BYTES_MAX)
            || self.setup.as_ref().is_some_and(|it| it.len() > PARTS_MAX);
        if is_too_long {
            return Err(WebchatRefusal::BadRequest("a position has at most 400 bytes"));
        }
        if self.steps.len() > STEPS_MAX {
            return Err(WebchatRefusal::BadRequest("a line has at most 400 steps"));
        }
        let start = match (self.setup, self.position) {
            (Some(values), _) => AnalysisStart::Setup(values),
            (None, Some(text)) => AnalysisStart::Position(text),
            (None, None) => AnalysisStart::Beginning,
        };
        let layout = if self.upright { PictureLayout::Upright } else { PictureLayout::Wide };
        let AnalysisRequest { game, options, steps, below, .. } = self;
        Ok(AnalysisQuery { game, options, start, steps, below, layout })
    }
}

/// Returns a position with what can be done there.
pub async fn board(
    State(ctx): State<WebchatContext>,
    Extension(from): Extension<ClientAddress>,
    AuthenticatedPerson(me): AuthenticatedPerson,
    JsonBody(it): JsonBody<AnalysisRequest>,
) -> Result<Response, WebchatRefusal> {
    ctx.web.rates.check(&me, RateKind::Analyse)?;
    ctx.web.rates.check(&from.0, RateKind::AnalyseAt)?;
    let query = it.into_query()?;
    let (chat, person) = private_chat_of(&ctx.web, &me)?;
    let queries = client_queries(&ctx, WebchatRefusal::BotFailed)?;
    let board = queries.analysis_board(&chat, &person, query).await;
    Ok(json_response(&board.ok_or(WebchatRefusal::BotFailed)?.map_err(refused)?))
}

/// Returns the evaluation of a position.
pub async fn evaluation(
    State(ctx): State<WebchatContext>,
    Extension(from): Extension<ClientAddress>,
    AuthenticatedPerson(me): AuthenticatedPerson,
    JsonBody(it): JsonBody<AnalysisRequest>,
) -> Result<Response, WebchatRefusal> {
    ctx.web.rates.check(&me, RateKind::Evaluate)?;
    ctx.web.rates.check(&from.0, RateKind::AnalyseAt)?;
    let query = it.into_query()?;
    let (chat, person) = private_chat_of(&ctx.web, &me)?;
    let queries = client_queries(&ctx, WebchatRefusal::BotFailed)?;
    let found = queries.evaluate_position(&chat, &person, query).await;
    Ok(json_response(&found.ok_or(WebchatRefusal::BotFailed)?.map_err(refused)?))
}

fn refused(AnalysisRefusal(say): AnalysisRefusal) -> WebchatRefusal {
    WebchatRefusal::Impossible(say)
}
