//! `/options`: show and change the house rules of a table.

use std::sync::Arc;

use super::action::{
    ActionFuture, ButtonData, TableAction, TableCandidate, TableFit, TableRequest, execute,
};
use super::argument;
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use super::spec::{CommandSpec, MenuGroup};
use crate::views::panel_views;
use caravanserai_table::command::Command;
use caravanserai_table::state::Table;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Table),
            arguments: vec![argument::TABLE],
            ..CommandSpec::understood("options", |input| {
                input.about_table_without_words(ShowOptions { page: 0 })
            })
        }]
    },
    buttons: &[
        ButtonCode::Table("e", |arguments| match arguments {
            [page] => Some(Arc::new(ShowOptions { page: page.parse().ok()? })),
            _ => None,
        }),
        ButtonCode::Table("V", |arguments| match arguments {
            [page, rule] => {
                let page = page.parse().ok()?;
                let rule = (*rule).to_owned();
                Some(Arc::new(SetOption { page, rule }))
            }
            _ => None,
        }),
        ButtonCode::Table("v", |arguments| match arguments {
            [rules] => Some(execute(Command::SetHouseRule((*rules).to_owned()))),
            _ => None,
        }),
    ],
    table_commands: &[TableCommandSpec::lobby_setting(|it| match it {
        Command::SetHouseRule(rules) => Some(ButtonData::with("v", rules)),
        _ => None,
    })],
};

/// Shows a page of the house rules.
#[derive(Clone, Copy, Debug)]
pub struct ShowOptions {
    /// The page, from 0.
    pub page: u8,
}

impl TableAction for ShowOptions {
    fn button(&self) -> ButtonData {
        ButtonData::with("e", self.page)
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_for_all()
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(
            async move { Ok(vec![panel_views::options_view(request.guard.table(), self.page)]) },
        )
    }
}

/// Changes a house rule and shows the page again.
#[derive(Clone, Debug)]
pub struct SetOption {
    /// The page, from 0.
    pub page: u8,
    /// The rule with its value, such as `pieces=2`.
    pub rule: String,
}

impl TableAction for SetOption {
    fn button(&self) -> ButtonData {
        ButtonData::with("V", format!("{}.{}", self.page, self.rule))
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_before_start()
    }

    fn no_table_key(&self) -> Option<&'static str> {
        Some("refuse-none-waiting")
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            let TableRequest { handlers, context, guard, .. } = request;
            let command = Command::SetHouseRule(self.rule.clone());
            let page = self.page;
            let view = move |it: &Table| panel_views::options_view(it, page);
            handlers.command_runner.change_lobby(context, guard, command, view).await
        })
    }
}
