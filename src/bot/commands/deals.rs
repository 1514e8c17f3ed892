//! `/deals`: show all hands of a deal that is over.

use std::sync::Arc;

use super::action::{
    ActionFuture, ButtonData, TableAction, TableCandidate, TableFit, TableRequest, TableSearch,
};
use super::argument;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};
use crate::views::deal_views;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Analysis),
            arguments: vec![argument::TABLE],
            is_answered_privately: true,
            ..CommandSpec::understood("deals", |input| {
                input.about_table_without_words(ShowDeal { n: 0 })
            })
        }]
    },
    buttons: &[ButtonCode::Table("hd", |arguments| match arguments {
        [] => Some(Arc::new(ShowDeal { n: 0 })),
        [n] => Some(Arc::new(ShowDeal { n: n.parse().ok()? })),
        _ => None,
    })],
    ..CommandFile::EMPTY
};

/// Shows the hands of a finished deal.
#[derive(Clone, Copy, Debug)]
pub struct ShowDeal {
    /// The number of the deal, from 1; 0 for the last one.
    pub n: u8,
}

impl TableAction for ShowDeal {
    fn button(&self) -> ButtonData {
        match self.n {
            0 => ButtonData::new("hd"),
            n => ButtonData::with("hd", n),
        }
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        let TableCandidate { is_seated, is_playing, has_hands, .. } = *candidate;
        let is_possible = is_playing && has_hands;
        TableFit::likely_or_possible(is_seated && is_possible, is_possible)
    }

    fn search(&self) -> TableSearch {
        TableSearch::OpenOrLastFinished
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move { Ok(vec![deal_views::deal_view(request.guard.table(), self.n)]) })
    }
}
