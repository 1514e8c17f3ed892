//! `/accept`: accept an invitation or an offer.

use std::sync::Arc;

use super::action::{ButtonData, ExecuteCommand, TableAction, TableSearch, execute};
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use super::spec::CommandSpec;
use caravanserai_table::command::Command;
use caravanserai_table::event::PlayerOffer;
use caravanserai_table::state::TablePhase;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec::unlisted("accept", |input| {
            input.about_table_or_no(answer(true), answer(false))
        })]
    },
    buttons: &[ButtonCode::Table("y", |arguments| decode_answer(arguments, true))],
    table_commands: &[TableCommandSpec {
        no_table_key: Some("refuse-nothing-offered"),
        // A rematch is offered after the game has ended.
        search: TableSearch::OpenOrLastFinished,
        resolve: |command, table, _, _| {
            Ok(match (&command, &table.phase) {
                (Command::AnswerOffer { offer: None, .. }, TablePhase::Lobby) => Command::Join,
                _ => command,
            })
        },
        ..TableCommandSpec::new(
            |it| match it {
                Command::AnswerOffer { offer, accept: true } => {
                    Some(ButtonData::with("y", encode_offer(*offer)))
                }
                _ => None,
            },
            |it| it.fit_to_answer(),
        )
    }],
};

/// Answers the current offer.
pub(super) fn answer(accept: bool) -> ExecuteCommand {
    ExecuteCommand(Command::AnswerOffer { offer: None, accept })
}

/// Decodes the button that answers an offer.
pub(super) fn decode_answer(arguments: &[&str], accept: bool) -> Option<Arc<dyn TableAction>> {
    match arguments {
        [offer] => Some(execute(Command::AnswerOffer { offer: decode_offer(offer)?, accept })),
        _ => None,
    }
}

/// The code of the offer that a button answers; `-` for the current offer.
pub(super) fn encode_offer(offer: Option<PlayerOffer>) -> String {
    match offer {
        None => "-".into(),
        Some(PlayerOffer::Draw) => "d".into(),
        Some(PlayerOffer::Rematch) => "m".into(),
        Some(PlayerOffer::Resign) => "r".into(),
        Some(PlayerOffer::Pause) => "p".into(),
        Some(PlayerOffer::Resume) => "g".into(),
        Some(PlayerOffer::Replace { seat }) => format!("s{seat}"),
        Some(PlayerOffer::Takeback { steps }) => format!("u{steps}"),
    }
}

fn decode_offer(text: &str) -> Option<Option<PlayerOffer>> {
    Some(match text {
        "-" => None,
        "d" => Some(PlayerOffer::Draw),
        "m" => Some(PlayerOffer::Rematch),
        "r" => Some(PlayerOffer::Resign),
        "p" => Some(PlayerOffer::Pause),
        "g" => Some(PlayerOffer::Resume),
        _ if text.starts_with('s') => Some(PlayerOffer::Replace { seat: text[1..].parse().ok()? }),
        _ => Some(PlayerOffer::Takeback { steps: text.strip_prefix('u')?.parse().ok()? }),
    })
}
