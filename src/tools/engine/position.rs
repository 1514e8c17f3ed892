//! The position of a session: a game, or one seat's knowledge of a game.

use std::cell::OnceCell;

use caravanserai_games::rules::{Entropy, Node, Seat, Viewer};
use caravanserai_games::text::{Arg, Text};
use caravanserai_games::{EngineQuestion, GameId, Match, SeatKnowledge, SeatLimits};
use caravanserai_i18n::{I18n, Lang};

/// Renders texts in English. The texts are loaded at the first use.
#[derive(Default)]
pub struct EnglishTexts(OnceCell<I18n>);

impl EnglishTexts {
    fn translate(&self, text: Text) -> String {
        let text =
            text.with_seat_names(&|seat| Arg::Plain(format!("seat {}", u16::from(seat) + 1)));
        self.0.get_or_init(I18n::new).translate_plain(Lang::default(), &text)
    }
}

/// A position as given on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionSpec {
    /// The start of a game, and all steps since.
    Start(Vec<String>),
    /// A position, and all steps since.
    Position(String, Vec<String>),
    /// A seat's knowledge of a game, and the calls and actions since.
    Seen(String, Vec<String>),
}

/// The position of a session.
pub enum EnginePosition {
    /// A game with complete information.
    Game(Box<dyn Match>),
    /// The knowledge of one seat.
    Seat(SeatKnowledge),
}

impl EnginePosition {
    /// The start of a game.
    pub fn start_of(game: GameId, options: &str, seats: u8) -> Result<Self, String> {
        let limits = game.info().seats;
        if !limits.contains(seats) {
            let SeatLimits { fewest, most } = limits;
            return Err(format!("{} is played on {fewest} to {most} seats", game.info().code));
        }
        let refused =
            format!("{options} are not house rules of {} on {seats} seats", game.info().code);
        game.start_match(options, seats).map(EnginePosition::Game).map_err(|_| refused)
    }

    /// Builds a position from a line.
    ///
    /// # Errors
    /// A sentence about the first impossible step.
    pub fn from_spec(
        game: GameId,
        options: &str,
        seats: u8,
        given: &PositionSpec,
        english: &EnglishTexts,
    ) -> Result<Self, String> {
        let (mut table, moves) = match given {
            PositionSpec::Seen(text, moves) => {
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                let seen = game.seat_knowledge(options, text, &moves).map_err(|it| it.to_string());
                return seen.map(EnginePosition::Seat);
            }
            PositionSpec::Start(moves) => match Self::start_of(game, options, seats)? {
                EnginePosition::Game(table) => (table, moves),
                EnginePosition::Seat(_) => return Err("a game begins with everything".to_owned()),
            },
            PositionSpec::Position(text, moves) => (
                game.match_from_position(options, seats, text).map_err(|it| it.to_string())?,
                moves,
            ),
        };
        for (number, token) in (1..).zip(moves) {
            let why = |it| format!("move {number} ({token}): {it}");
            play_token(table.as_mut(), token, english).map_err(why)?;
        }
        Ok(EnginePosition::Game(table))
    }

    /// The question for the seat on turn.
    ///
    /// # Errors
    /// When no seat is on turn.
    pub fn computer_question(&self) -> Result<EngineQuestion, String> {
        let no_seat_to_move = "no seat is on turn".to_owned();
        match self {
            EnginePosition::Seat(seen) => {
                let tokens = seen.question.tokens();
                let all: Vec<&str> = tokens.iter().map(String::as_str).collect();
                seen.question.restricted_to(&all).ok_or(no_seat_to_move)
            }
            EnginePosition::Game(table) => match table.node() {
                Node::Act(seat) => table.engine_question(seat).ok_or(no_seat_to_move),
                Node::Chance => Err("an outcome of chance is awaited".to_owned()),
                Node::Over(_) => Err("the game is over".to_owned()),
            },
        }
    }

    /// The seat on turn, or the other state of the game.
    pub fn state_text(&self) -> String {
        let seat = |seat: Seat| format!("turn {}", seat.0 + 1);
        match self {
            EnginePosition::Seat(seen) => seat(seen.question.seat()),
            EnginePosition::Game(table) => match table.node() {
                Node::Act(turn) => seat(turn),
                Node::Chance => "chance".to_owned(),
                Node::Over(scores) => {
                    let scores: Vec<String> = scores.iter().map(i32::to_string).collect();
                    format!("over {}", scores.join(" "))
                }
            },
        }
    }

    /// Draws an outcome of chance that is possible now.
    ///
    /// # Errors
    /// When no outcome of chance is awaited.
    pub fn draw_chance(&self, entropy: &mut dyn Entropy) -> Result<String, String> {
        match self {
            EnginePosition::Game(table) if table.node() == Node::Chance => {
                Ok(table.draw_chance(entropy))
            }
            EnginePosition::Game(_) | EnginePosition::Seat(_) => {
                Err("no outcome of chance is awaited".to_owned())
            }
        }
    }

    /// The board in English, as the seat on turn sees it.
    pub fn board_lines(&self, english: &EnglishTexts) -> Vec<String> {
        let texts = match self {
            EnginePosition::Seat(seen) => seen.board.clone(),
            EnginePosition::Game(table) => {
                let viewer = match table.node() {
                    Node::Act(seat) => Viewer::Seat(seat),
                    Node::Chance | Node::Over(_) => Viewer::Public,
                };
                table.board_text(viewer)
            }
        };
        let translated = texts.into_iter().map(|text| english.translate(text));
        translated.flat_map(|it| it.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
    }
}

/// Plays an action or an outcome of chance, after the forced actions before it.
fn play_token(table: &mut dyn Match, token: &str, english: &EnglishTexts) -> Result<(), String> {
    loop {
        let refused = match table.node() {
            Node::Over(_) => return Err("the game is over".to_owned()),
            Node::Chance => {
                return table
                    .apply_chance(token)
                    .map_err(|_| "this cannot come up here".to_owned());
            }
            Node::Act(turn) => match table.apply_action(turn, token) {
                Ok(()) => return Ok(()),
                Err(illegal) => (turn, illegal),
            },
        };
        // Out of turn, where the house rules allow it.
        let others = (0..8).map(Seat).filter(|seat| *seat != refused.0);
        for seat in others {
            if table
                .engine_question(seat)
                .is_some_and(|it| it.tokens().iter().any(|it| it == token))
            {
                return table.apply_action(seat, token).map_err(|it| it.to_string());
            }
        }
        let only = || match table.engine_question(refused.0)?.tokens().as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        };
        let Some(forced) = table.forced_action().or_else(only) else {
            let (turn, illegal) = refused;
            return Err(english.translate(table.explain_refusal(turn, token, illegal)));
        };
        table.apply_action(refused.0, &forced).map_err(|it| it.to_string())?;
    }
}
