//! `/decline`: decline an invitation or an offer.

use std::sync::Arc;

use super::accept::{answer, decode_answer, encode_offer};
use super::action::{
    ActionFuture, ButtonData, Request, TableAction, TableCandidate, TableFit, TableRequest,
    TableSearch, execute,
};
use super::input::CommandInput;
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use super::spec::CommandSpec;
use crate::parsing::trailing_words::TrailingWords;
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::Text;
use caravanserai_table::Refusal;
use caravanserai_table::command::{Command, OfferAnswer, OfferKind};
use caravanserai_table::people::DeclineReason;
use caravanserai_table::state::{Table, TablePhase};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || vec![CommandSpec::unlisted("decline", parse)],
    buttons: &[
        ButtonCode::Table("k", |arguments| decode_answer(arguments, OfferAnswer::Decline)),
        ButtonCode::Table("n", |arguments| match arguments {
            [] => Some(execute(Command::DeclineInvitation)),
            [reason] => Some(execute(Command::ExplainDecline(DeclineReason::parse(reason)?))),
            _ => None,
        }),
    ],
    table_commands: &[
        TableCommandSpec {
            no_table_key: Some("refuse-nothing-offered"),
            search: TableSearch::OpenOrLastFinished,
            resolve: |command, table, _, _| {
                Ok(match (&command, &table.phase) {
                    (Command::AnswerOffer { offer: None, .. }, TablePhase::Lobby) => {
                        Command::DeclineInvitation
                    }
                    _ => command,
                })
            },
            ..TableCommandSpec::new(
                |it| match it {
                    Command::AnswerOffer { offer, answer: OfferAnswer::Decline } => {
                        Some(ButtonData::with("k", encode_offer(*offer)))
                    }
                    _ => None,
                },
                |it| it.fit_to_answer(),
            )
        },
        TableCommandSpec {
            no_table_key: Some("refuse-nothing-offered"),
            ..TableCommandSpec::new(
                |it| (*it == Command::DeclineInvitation).then(|| ButtonData::new("n")),
                |it| it.fit_to_answer(),
            )
        },
        TableCommandSpec::new(
            |it| match it {
                Command::ExplainDecline(reason) => Some(ButtonData::with("n", reason.encode())),
                _ => None,
            },
            |_| TableFit::NoMatch,
        ),
    ],
};

fn parse(input: &CommandInput<'_>) -> Request {
    match input.trailing_words() {
        // "No" to declining may mean yes.
        TrailingWords::No => input.refuse_words(&TrailingWords::Words("no".to_owned())),
        _ => input.about_table_without_words(answer(OfferAnswer::Decline)),
    }
}

/// Declines the current offer if it is of this kind.
#[derive(Clone, Copy, Debug)]
pub struct DeclineOffer(pub OfferKind);

impl TableAction for DeclineOffer {
    fn button(&self) -> ButtonData {
        answer(OfferAnswer::Decline).button()
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        match candidate.table.offers.pending_kind().is_some_and(|it| self.0.matches(it)) {
            true => candidate.fit_to_answer(),
            false => TableFit::NoMatch,
        }
    }

    fn search(&self) -> TableSearch {
        match self.0 {
            OfferKind::Rematch => TableSearch::OpenOrLastFinished,
            OfferKind::Draw | OfferKind::Takeback | OfferKind::Pause | OfferKind::Resume => {
                TableSearch::Open
            }
        }
    }

    fn no_table_key(&self) -> Option<&'static str> {
        Some("refuse-nothing-offered")
    }

    fn for_table(&self, table: &Table, _person: &PersonId) -> Option<Arc<dyn TableAction>> {
        let offer = table.offers.shown();
        Some(execute(Command::AnswerOffer { offer, answer: OfferAnswer::Decline }))
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            let TableRequest { handlers, context, guard, origin } = request;
            let offer = guard.table().offers.shown().filter(|it| self.0.matches(it.offer));
            let command = match offer {
                Some(_) => Ok(Command::AnswerOffer { offer, answer: OfferAnswer::Decline }),
                None => Err(Refusal::new(Text::new("refuse-nothing-offered"))),
            };
            handlers.execute_or_refuse(context, guard, command, origin).await
        })
    }
}
