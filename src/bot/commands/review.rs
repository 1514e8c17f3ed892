//! `/review`: show the turning points of a game.

use std::sync::Arc;

use super::action::{ActionFuture, ButtonData, TableAction, TableRequest, TableSearch};
use super::argument;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Analysis),
            arguments: vec![argument::TABLE],
            ..CommandSpec::understood("review", |input| {
                input.about_table_without_words(RequestReview)
            })
        }]
    },
    buttons: &[ButtonCode::Table("Z", |arguments| match arguments {
        [] => Some(Arc::new(RequestReview)),
        [LUCK_ARGUMENT] => Some(Arc::new(ShowLuck)),
        [n] => Some(Arc::new(ShowReviewedMove { n: n.parse().ok()? })),
        _ => None,
    })],
    ..CommandFile::EMPTY
};

/// The argument of the button that tells about luck.
const LUCK_ARGUMENT: &str = "luck";

/// Posts the turning points of the game.
#[derive(Clone, Copy, Debug)]
pub struct RequestReview;

impl TableAction for RequestReview {
    fn button(&self) -> ButtonData {
        ButtonData::new("Z")
    }

    fn search(&self) -> TableSearch {
        TableSearch::LastFinished
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            request.handlers.replays.request_review(request.context, request.guard).await
        })
    }
}

/// Shows one of the moves of a review.
#[derive(Clone, Copy, Debug)]
pub struct ShowReviewedMove {
    /// The number of the move in the review, from 1.
    pub n: u8,
}

impl TableAction for ShowReviewedMove {
    fn button(&self) -> ButtonData {
        ButtonData::with("Z", self.n)
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            request.handlers.replays.review_moment_views(request.guard.table(), self.n).await
        })
    }
}

/// Shows how much of the result came from luck and how much from play.
#[derive(Clone, Copy, Debug)]
pub struct ShowLuck;

impl TableAction for ShowLuck {
    fn button(&self) -> ButtonData {
        ButtonData::with("Z", LUCK_ARGUMENT)
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move { request.handlers.replays.luck_views(request.guard.table()).await })
    }
}
