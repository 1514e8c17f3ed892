//! `/premove`: decide now what to play if the opponent makes a certain move.

use super::action::{
    ActionFuture, ButtonData, ExecuteCommand, Request, TableAction, TableCandidate, TableFit,
    TableRequest, execute, without_arguments,
};
use super::argument;
use super::argument::ArgumentKind;
use super::input::CommandInput;
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use super::spec::{CommandSpec, MenuGroup, Suggestions};
use crate::handlers::table_requests::conditional_moves_view;
use crate::parsing::trailing_words::words_without_table_codes;
use crate::parsing::words::parse_switch;
use caravanserai_table::command::Command;

/// The argument of the button that drops the decided moves.
const DROP: &str = "off";

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Table),
            arguments: vec![argument::optional("plan", ArgumentKind::Suggested)],
            is_answered_privately: true,
            suggestions: Suggestions::None,
            ..CommandSpec::new("premove", parse)
        }]
    },
    buttons: &[ButtonCode::Table("%", |arguments| match arguments {
        [DROP] => Some(execute(Command::SetConditionalMoves(String::new()))),
        _ => without_arguments(arguments, ShowPremoves),
    })],
    table_commands: &[TableCommandSpec::new(
        |it| match it {
            Command::SetConditionalMoves(moves) if moves.is_empty() => {
                Some(ButtonData::with("%", DROP))
            }
            Command::SetConditionalMoves(_) => Some(ButtonData::new("%")),
            _ => None,
        },
        |it| it.fit_between_turns(),
    )],
};

/// Without words, shows the decided moves; "off" deletes them.
fn parse(input: &CommandInput<'_>) -> Request {
    let words = words_without_table_codes(input.words);
    let moves = match words.as_slice() {
        [] => return input.about_table(ShowPremoves),
        [only] if parse_switch(only) == Some(false) => String::new(),
        words => words.join(" "),
    };
    input.about_table(ExecuteCommand(Command::SetConditionalMoves(moves)))
}

/// Shows the person the moves that they have decided in advance.
#[derive(Clone, Copy, Debug)]
pub struct ShowPremoves;

impl TableAction for ShowPremoves {
    fn button(&self) -> ButtonData {
        ButtonData::new("%")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_between_turns()
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            let person = &request.context.update.person.id;
            Ok(vec![conditional_moves_view(request.guard.table(), person)])
        })
    }
}
