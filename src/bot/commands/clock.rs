//! `/clock`: choose how much time the players have.

use std::sync::Arc;

use super::action::{
    ActionFuture, ButtonData, ExecuteCommand, Request, TableAction, TableCandidate, TableFit,
    TableRequest,
};
use super::argument;
use super::input::CommandInput;
use super::refusals::RefuseClock;
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use super::spec::{CommandSpec, MenuGroup, Suggestions};
use crate::parsing::new_table::is_filler_word;
use crate::parsing::phrases;
use crate::parsing::trailing_words::words_without_table_codes;
use crate::views::clock_views;
use caravanserai_games::search::ComputerLevel;
use caravanserai_table::clock::TimeControl;
use caravanserai_table::command::Command;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Table),
            arguments: vec![argument::CLOCK],
            suggestions: Suggestions::Clocks,
            ..CommandSpec::understood("clock", parse)
        }]
    },
    buttons: &[
        ButtonCode::Table("ck", |arguments| match arguments {
            [] => Some(Arc::new(ChooseClock(None))),
            [clock] => {
                let command = Command::SetTimeControl(TimeControl::parse(clock)?);
                Some(Arc::new(ChooseClock(Some(command))))
            }
            _ => None,
        }),
        ButtonCode::Table("hl", |arguments| match arguments {
            [level] => {
                let command = Command::SetSubstituteLevel(ComputerLevel::read(level)?);
                Some(Arc::new(ChooseClock(Some(command))))
            }
            _ => None,
        }),
    ],
    table_commands: &[
        TableCommandSpec {
            no_table_key: Some("refuse-none-waiting"),
            ..TableCommandSpec::lobby_setting(|it| match it {
                Command::SetTimeControl(clock) => Some(ButtonData::with("ck", clock.encode())),
                _ => None,
            })
        },
        TableCommandSpec::lobby_setting(|it| match it {
            Command::SetSubstituteLevel(level) => Some(ButtonData::with("hl", level.code())),
            _ => None,
        }),
    ],
};

/// Parses a clock. Without one, the choice of clocks is shown. Other words are refused.
fn parse(input: &CommandInput<'_>) -> Request {
    let words = words_without_table_codes(input.words).join(" ");
    let words = phrases::replace_clock_phrases(&words);
    let from = words.iter().take_while(|it| is_filler_word(it)).count();
    match clock_views::parse_time_control(&words[from..]) {
        Some((clock, used)) if from + used == words.len() => {
            input.about_table(ExecuteCommand(Command::SetTimeControl(clock)))
        }
        _ if words.iter().all(|it| is_filler_word(it)) => input.about_table(ChooseClock(None)),
        _ => Request::chat(RefuseClock),
    }
}

/// Shows the clocks to choose from before the start, after executing a choice if there is one.
#[derive(Clone, Debug)]
pub struct ChooseClock(pub Option<Command>);

impl TableAction for ChooseClock {
    fn button(&self) -> ButtonData {
        match &self.0 {
            None => ButtonData::new("ck"),
            Some(command) => ExecuteCommand(command.clone()).button(),
        }
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_before_start()
    }

    fn no_table_key(&self) -> Option<&'static str> {
        Some("refuse-none-waiting")
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            let TableRequest { handlers, context, guard, .. } = request;
            let page = clock_views::clock_choice_view;
            match self.0.clone() {
                Some(command) => {
                    handlers.command_runner.change_lobby(context, guard, command, page).await
                }
                None => Ok(vec![page(guard.table())]),
            }
        })
    }
}
