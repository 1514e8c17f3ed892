//! `/hand`: show a player their hand.

use super::action::{
    ActionFuture, ButtonData, TableAction, TableCandidate, TableFit, TableRequest,
    without_arguments,
};
use super::argument;
use super::registry::{ButtonCode, CommandFile};
use super::spec::CommandSpec;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            arguments: vec![argument::TABLE],
            is_answered_privately: true,
            in_short_menu: true,
            ..CommandSpec::new("hand", |input| input.about_table_without_words(ShowHand))
        }]
    },
    buttons: &[ButtonCode::Table("i", |arguments| without_arguments(arguments, ShowHand))],
    ..CommandFile::EMPTY
};

/// Shows a player their hand.
#[derive(Clone, Copy, Debug)]
pub struct ShowHand;

impl TableAction for ShowHand {
    fn button(&self) -> ButtonData {
        ButtonData::new("i")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        let TableCandidate { is_seated, is_playing, has_hands, .. } = *candidate;
        let plays = is_seated && is_playing;
        TableFit::likely_or_possible(plays && has_hands, plays)
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            let hands = &request.handlers.hands;
            Ok(hands.own_hand_views(request.context, request.guard.table()).await)
        })
    }
}
