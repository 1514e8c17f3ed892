//! `/accept`: accept an invitation or an offer.

use std::sync::Arc;

use super::action::{ButtonData, ExecuteCommand, TableAction, TableSearch, execute};
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use super::spec::CommandSpec;
use caravanserai_table::command::{Command, OfferAnswer};
use caravanserai_table::event::PlayerOffer;
use caravanserai_table::offer_state::ShownOffer;
use caravanserai_table::state::TablePhase;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec::unlisted("accept", |input| {
            input.about_table_or_no(answer(OfferAnswer::Accept), answer(OfferAnswer::Decline))
        })]
    },
    buttons: &[ButtonCode::Table("y", |arguments| decode_answer(arguments, OfferAnswer::Accept))],
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
                Command::AnswerOffer { offer, answer: OfferAnswer::Accept } => {
                    Some(ButtonData::with("y", encode_offer(*offer)))
                }
                _ => None,
            },
            |it| it.fit_to_answer(),
        )
    }],
};

/// Answers the current offer.
pub(super) fn answer(answer: OfferAnswer) -> ExecuteCommand {
    ExecuteCommand(Command::AnswerOffer { offer: None, answer })
}

/// Decodes the button that answers an offer.
pub(super) fn decode_answer(
    arguments: &[&str],
    answer: OfferAnswer,
) -> Option<Arc<dyn TableAction>> {
    match arguments {
        [offer] => Some(execute(Command::AnswerOffer { offer: decode_offer(offer)?, answer })),
        [offer, line] => {
            let line = Some(line.parse().ok()?);
            let offer = Some(ShownOffer { line, ..decode_offer(offer)?? });
            Some(execute(Command::AnswerOffer { offer, answer }))
        }
        _ => None,
    }
}

/// The code of the offer that a button answers; `-` for the current offer.
pub(super) fn encode_offer(shown: Option<ShownOffer>) -> String {
    let Some(ShownOffer { offer, line }) = shown else { return "-".to_owned() };
    let code = match offer {
        PlayerOffer::Draw => "d".to_owned(),
        PlayerOffer::Rematch => "m".to_owned(),
        PlayerOffer::Resign => "r".to_owned(),
        PlayerOffer::Pause => "p".to_owned(),
        PlayerOffer::Resume => "g".to_owned(),
        PlayerOffer::Replace { seat } => format!("s{seat}"),
        PlayerOffer::Takeback { steps } => format!("u{steps}"),
    };
    match line {
        Some(line) => format!("{code}.{line}"),
        None => code,
    }
}

/// Decodes the code of an offer, without the number of its line.
fn decode_offer(text: &str) -> Option<Option<ShownOffer>> {
    let offer = match text {
        "-" => return Some(None),
        "d" => PlayerOffer::Draw,
        "m" => PlayerOffer::Rematch,
        "r" => PlayerOffer::Resign,
        "p" => PlayerOffer::Pause,
        "g" => PlayerOffer::Resume,
        _ if text.starts_with('s') => PlayerOffer::Replace { seat: text[1..].parse().ok()? },
        _ => PlayerOffer::Takeback { steps: text.strip_prefix('u')?.parse().ok()? },
    };
    Some(Some(ShownOffer { offer, line: None }))
}
