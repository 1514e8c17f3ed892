//! `/launch`: open the board in a window of the platform.

use async_trait::async_trait;

use super::action::{
    ButtonData, ChatAction, Request, TableAction, TableCandidate, TableFit, TableRequest,
    without_arguments,
};
use super::registry::{ButtonCode, CommandFile};
use super::spec::CommandSpec;
use crate::handlers::{HandlerResult, Handlers, RequestContext};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || vec![CommandSpec::unlisted("launch", |_| Request::chat(LaunchWindowOfChat))],
    buttons: &[ButtonCode::Table("wl", |arguments| without_arguments(arguments, LaunchWindow))],
    ..CommandFile::EMPTY
};

/// Opens the board of a table in a window of the platform.
#[derive(Clone, Copy, Debug)]
pub struct LaunchWindow;

#[async_trait]
impl TableAction for LaunchWindow {
    fn button(&self) -> ButtonData {
        ButtonData::new("wl")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_for_all()
    }

    async fn run(&self, request: TableRequest<'_, '_>) -> HandlerResult {
        request
            .handlers
            .page_links
            .launch_window(request.context, Some(&request.guard.release()))
            .await
    }
}

/// Opens the board of the chat's current table.
#[derive(Clone, Copy, Debug)]
pub struct LaunchWindowOfChat;

#[async_trait]
impl ChatAction for LaunchWindowOfChat {
    async fn run(&self, handlers: &Handlers, context: &mut RequestContext<'_>) -> HandlerResult {
        handlers.page_links.launch_current_table(context).await
    }
}
