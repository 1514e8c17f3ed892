//! `/join`: take a seat at a table that waits for players.

use super::action::{ButtonData, ExecuteCommand, RequestOrigin, TableFit, execute};
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use super::spec::CommandSpec;
use crate::handlers::RequestContext;
use caravanserai_games::text::Text;
use caravanserai_table::Refusal;
use caravanserai_table::command::Command;
use caravanserai_table::state::{Table, TablePhase};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec::unlisted("join", |input| {
            input.about_table_or_no(
                ExecuteCommand(Command::Join),
                ExecuteCommand(Command::DeclineInvitation),
            )
        })]
    },
    buttons: &[
        // Buttons of earlier versions have no settings.
        ButtonCode::Table("j", |arguments| match arguments {
            [] => Some(execute(Command::Join)),
            [settings] => {
                Some(execute(Command::TakeSeat { seat: None, settings: settings.parse().ok()? }))
            }
            _ => None,
        }),
        ButtonCode::Table("J", |arguments| match arguments {
            [seat] => Some(execute(Command::Sit { seat: seat.parse().ok()? })),
            [seat, settings] => Some(execute(Command::TakeSeat {
                seat: Some(seat.parse().ok()?),
                settings: settings.parse().ok()?,
            })),
            _ => None,
        }),
    ],
    table_commands: &[
        TableCommandSpec {
            no_table_key: Some("refuse-nothing-to-join"),
            resolve: refuse_late_join,
            ..TableCommandSpec::new(
                |it| (*it == Command::Join).then(|| ButtonData::new("j")),
                |it| {
                    let agrees = it.table.is_yet_to_confirm(it.person);
                    let comes = !it.is_seated;
                    TableFit::likely_or_possible(agrees || (comes && !it.is_playing), comes)
                },
            )
        },
        TableCommandSpec::new(
            |it| match it {
                Command::Sit { seat } => Some(ButtonData::with("J", seat)),
                _ => None,
            },
            |it| it.fit_in_lobby(),
        ),
        TableCommandSpec {
            resolve: refuse_late_join,
            ..TableCommandSpec::new(
                |it| match it {
                    Command::TakeSeat { seat: None, settings } => {
                        Some(ButtonData::with("j", settings))
                    }
                    Command::TakeSeat { seat: Some(seat), settings } => {
                        Some(ButtonData::with("J", format!("{seat}.{settings}")))
                    }
                    _ => None,
                },
                |it| it.fit_in_lobby(),
            )
        },
    ],
};

/// Refuses a late press for the last seat. To ask for a seat in a running game there is another
/// button.
fn refuse_late_join(
    command: Command,
    table: &Table,
    _context: &RequestContext<'_>,
    origin: RequestOrigin,
) -> Result<Command, Refusal> {
    if table.phase == TablePhase::Playing && origin == RequestOrigin::Pressed {
        let text = Text::new("refuse-already-started");
        return Err(Refusal { text, is_stale: true });
    }
    Ok(command)
}
