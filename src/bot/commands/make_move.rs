//! `/move`: make a move, and the buttons that make or list moves.

use std::sync::Arc;

use super::action::{
    ActionFuture, ButtonData, Request, TableAction, TableCandidate, TableFit, TableRequest, execute,
};
use super::argument;
use super::argument::ArgumentKind;
use super::input::CommandInput;
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use super::spec::{CommandSpec, Suggestions};
use crate::handlers::private_hand::NumberedCardPress;
use crate::parsing::request_parser::typed_move;
use crate::parsing::trailing_words::words_without_table_codes;
use caravanserai_games::ids::PersonId;
use caravanserai_games::rules::Seat;
use caravanserai_i18n::vocabulary;
use caravanserai_table::command::{Command, MoveChoice};
use caravanserai_table::state::Table;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            arguments: vec![argument::required("move", ArgumentKind::Suggested)],
            suggestions: Suggestions::Moves,
            ..CommandSpec::new("move", parse)
        }]
    },
    buttons: &[
        ButtonCode::Table("p", |arguments| match arguments {
            [position, token] => {
                let choice = MoveChoice::Token((*token).to_owned());
                Some(execute(Command::Move { position: Some(position.parse().ok()?), choice }))
            }
            _ => None,
        }),
        ButtonCode::Table("z", |arguments| match arguments {
            [position, n] => Some(Arc::new(PlayNumberedCard {
                position: position.parse().ok()?,
                n: n.parse().ok()?,
            })),
            _ => None,
        }),
        ButtonCode::Table("f", |arguments| match arguments {
            [page] => Some(Arc::new(ShowMoreMoves { page: page.parse().ok()? })),
            _ => None,
        }),
    ],
    table_commands: &[TableCommandSpec::new(encode_move, |it| it.fit_for_turn())],
};

fn encode_move(command: &Command) -> Option<ButtonData> {
    let Command::Move { position, choice } = command else { return None };
    let position = position.map_or_else(|| "-".to_owned(), |it| it.to_string());
    let (MoveChoice::Token(word) | MoveChoice::Typed(word)) = choice;
    Some(ButtonData::with("p", format!("{position}.{word}")))
}

/// Parses a typed move, or `14.3`: the position and the place of a card in the hand, as suggested
/// while typing.
fn parse(input: &CommandInput<'_>) -> Request {
    let words = words_without_table_codes(input.words);
    if let [only] = words.as_slice()
        && let Some((position, n)) = only.split_once('.')
        && let (Ok(position), Ok(n)) = (position.parse(), n.parse())
    {
        return input.about_table(PlayNumberedCard { position, n });
    }
    input.about_table(typed_move(&words.join(" ")))
}

/// The button of a typed move at a table: the token of the move that the table understands. The
/// table itself refuses a move that it does not understand.
pub(super) fn exact_move(
    command: &Command,
    table: &Table,
    person: &PersonId,
) -> Option<Arc<dyn TableAction>> {
    let Command::Move { position: None, choice: MoveChoice::Typed(words) } = command else {
        return None;
    };
    let seat = table.seat_to_move().or_else(|| table.seating.seats_of(person).next());
    let parse = |seat| table.game.as_deref()?.parse_move(Seat(seat), words, vocabulary());
    let token = seat.and_then(parse).unwrap_or_else(|| "-".into());
    let choice = MoveChoice::Token(token);
    Some(execute(Command::Move { position: Some(table.history.position), choice }))
}

/// Plays the card at a place of the player's hand.
#[derive(Clone, Copy, Debug)]
pub struct PlayNumberedCard {
    /// The position in which the player saw the hand.
    pub position: u64,
    /// The place of the card, from 1.
    pub n: u8,
}

impl TableAction for PlayNumberedCard {
    fn button(&self) -> ButtonData {
        ButtonData::with("z", format!("{}.{}", self.position, self.n))
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_for_turn()
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            let TableRequest { handlers, context, guard, origin } = request;
            let number = (self.position, self.n);
            let hands = &handlers.hands;
            match hands.resolve_numbered_card(context, guard.table(), number, origin).await? {
                NumberedCardPress::Card(command) => {
                    handlers.execute_or_refuse(context, guard, command, origin).await
                }
                NumberedCardPress::Unknown(hand) => Ok(vec![*hand]),
            }
        })
    }
}

/// Shows more of the legal moves.
#[derive(Clone, Copy, Debug)]
pub struct ShowMoreMoves {
    /// The page, from 1: page 0 is under the board.
    pub page: u8,
}

impl TableAction for ShowMoreMoves {
    fn button(&self) -> ButtonData {
        ButtonData::with("f", self.page)
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_for_turn()
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            request.handlers.hands.further_choices(request.context, request.guard, self.page).await
        })
    }
}
