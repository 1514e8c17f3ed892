//! `/show`: show a table of another chat in this chat too.

use super::action::{
    ActionFuture, ButtonData, TableAccess, TableAction, TableCandidate, TableFit, TableRequest,
    without_arguments,
};
use super::argument;
use super::argument::ArgumentKind;
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use super::spec::{CommandSpec, MenuGroup, Suggestions};
use super::stop::StopShowing;
use caravanserai_games::text::Text;
use caravanserai_table::command::Command;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Table),
            arguments: vec![argument::required("table", ArgumentKind::Suggested)],
            suggestions: Suggestions::OwnTables,
            ..CommandSpec::new("show", |input| {
                input.about_table_without_words(ShowTableHere { is_watch_only: false })
            })
        }]
    },
    buttons: &[
        ButtonCode::Table("6", |arguments| {
            without_arguments(arguments, ShowTableHere { is_watch_only: false })
        }),
        ButtonCode::Table("7", |arguments| {
            without_arguments(arguments, ShowTableHere { is_watch_only: true })
        }),
    ],
    table_commands: &[
        TableCommandSpec::new(
            |it| match it {
                Command::Attach(chat) => Some(show_here(chat.is_watch_only).button()),
                _ => None,
            },
            |_| TableFit::NoMatch,
        ),
        TableCommandSpec::new(
            |it| matches!(it, Command::Detach(_)).then(|| StopShowing.button()),
            |_| TableFit::NoMatch,
        ),
    ],
};

fn show_here(is_watch_only: bool) -> ShowTableHere {
    ShowTableHere { is_watch_only }
}

/// Shows a table in this chat too.
#[derive(Clone, Copy, Debug)]
pub struct ShowTableHere {
    /// Whether people here can only watch.
    pub is_watch_only: bool,
}

impl TableAction for ShowTableHere {
    fn button(&self) -> ButtonData {
        ButtonData::new(if self.is_watch_only { "7" } else { "6" })
    }

    /// The table of another chat is named by its code.
    fn fit(&self, _candidate: &TableCandidate<'_>) -> TableFit {
        TableFit::NoMatch
    }

    fn no_table_text(&self, _any_here: bool) -> Text {
        let command = if self.is_watch_only { "watch" } else { "show" };
        Text::new("refuse-which-code").with("command", command)
    }

    fn access(&self) -> TableAccess {
        TableAccess::AnyoneWithCode
    }

    /// An admin may decide that people only watch where a table is shown to play.
    fn needs_admin(&self) -> bool {
        self.is_watch_only
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            request
                .handlers
                .locations
                .attach_table(request.context, request.guard, self.is_watch_only)
                .await
        })
    }
}
