//! Buttons before the start that seat computers and choose how strong they play.

use std::sync::Arc;

use super::action::{
    ActionFuture, ButtonData, ExecuteCommand, TableAction, TableCandidate, TableFit, TableRequest,
    execute, without_arguments,
};
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use crate::views::computer_views;
use caravanserai_games::search::ComputerLevel;
use caravanserai_table::command::Command;
use caravanserai_table::event::DEFAULT_LEVEL;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    buttons: &[
        ButtonCode::Table("O", |arguments| match arguments {
            [] => Some(Arc::new(ShowComputers)),
            ["-", level] => {
                let level = ComputerLevel::read(level)?;
                Some(Arc::new(ChooseComputer { seat: None, level }))
            }
            [seat, level] => {
                let seat = Some(seat.parse().ok()?);
                let level = ComputerLevel::read(level)?;
                Some(Arc::new(ChooseComputer { seat, level }))
            }
            _ => None,
        }),
        ButtonCode::Table("C", |arguments| match arguments {
            [] => Some(execute(Command::AddComputer(DEFAULT_LEVEL))),
            [level] => Some(execute(Command::AddComputer(ComputerLevel::read(level)?))),
            _ => None,
        }),
        ButtonCode::Table("D", |arguments| {
            without_arguments(arguments, ExecuteCommand(Command::RemoveComputer))
        }),
    ],
    table_commands: &[
        TableCommandSpec::new(
            |it| match it {
                Command::AddComputer(level) => Some(ButtonData::with("C", level.code())),
                _ => None,
            },
            |it| it.fit_in_lobby(),
        ),
        TableCommandSpec::new(
            |it| match it {
                Command::ChangeComputerLevel { seat, level } => {
                    Some(ButtonData::with("O", format!("{seat}.{}", level.code())))
                }
                _ => None,
            },
            |it| it.fit_in_lobby(),
        ),
        TableCommandSpec::lobby_setting(|it| {
            (*it == Command::RemoveComputer).then(|| ButtonData::new("D"))
        }),
    ],
    ..CommandFile::EMPTY
};

/// Shows the computers to choose from.
#[derive(Clone, Copy, Debug)]
pub struct ShowComputers;

impl TableAction for ShowComputers {
    fn button(&self) -> ButtonData {
        ButtonData::new("O")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_before_start()
    }

    fn no_table_key(&self) -> Option<&'static str> {
        Some("refuse-none-waiting")
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move { Ok(vec![computer_views::computers_view(request.guard.table())]) })
    }
}

/// Seats a computer of a level, or changes the level of one, and shows the choice again.
#[derive(Clone, Copy, Debug)]
pub struct ChooseComputer {
    /// The seat of the computer whose level changes, from 0; `None` for a new computer.
    pub seat: Option<u8>,
    /// The level at which it plays.
    pub level: ComputerLevel,
}

impl TableAction for ChooseComputer {
    fn button(&self) -> ButtonData {
        let seat = self.seat.map_or_else(|| "-".to_owned(), |it| it.to_string());
        ButtonData::with("O", format!("{seat}.{}", self.level.code()))
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_before_start()
    }

    fn no_table_key(&self) -> Option<&'static str> {
        ShowComputers.no_table_key()
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            let TableRequest { handlers, context, guard, .. } = request;
            let level = self.level;
            let command = match self.seat {
                None => Command::AddComputer(level),
                Some(seat) => Command::ChangeComputerLevel { seat, level },
            };
            handlers
                .command_runner
                .change_lobby(context, guard, command, computer_views::computers_view)
                .await
        })
    }
}
