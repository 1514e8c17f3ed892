//! `/launch`: open the board in a window of the platform.

use super::action::{
    ActionFuture, ButtonData, ChatAction, Request, TableAction, TableCandidate, TableFit,
    TableRequest, without_arguments,
};
use super::registry::{ButtonCode, CommandFile};
use super::spec::CommandSpec;
use crate::handlers::{Handlers, RequestContext};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || vec![CommandSpec::unlisted("launch", |_| Request::chat(LaunchWindowOfChat))],
    buttons: &[ButtonCode::Table("wl", |arguments| without_arguments(arguments, LaunchWindow))],
    ..CommandFile::EMPTY
};

/// Opens the board of a table in a window of the platform.
#[derive(Clone, Copy, Debug)]
pub struct LaunchWindow;

impl TableAction for LaunchWindow {
    fn button(&self) -> ButtonData {
        ButtonData::new("wl")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_for_all()
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            request
                .handlers
                .page_links
                .launch_window(request.context, Some(&request.guard.release()))
                .await
        })
    }
}

/// Opens the board of the chat's current table.
#[derive(Clone, Copy, Debug)]
pub struct LaunchWindowOfChat;

impl ChatAction for LaunchWindowOfChat {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move { handlers.page_links.launch_current_table(context).await })
    }
}
