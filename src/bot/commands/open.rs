//! `/open`: the ways to open the own board: in the private chat, on the page, in a window.

use super::action::{
    ActionFuture, ButtonData, TableAction, TableCandidate, TableFit, TableRequest,
    without_arguments,
};
use super::argument;
use super::private::PlayInPrivate;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};
use crate::views::board_view::table_callback_data;
use caravanserai_games::ids::ChatKind;
use caravanserai_games::text::Text;
use caravanserai_protocol::view::{ButtonSpec, View};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Table),
            arguments: vec![argument::TABLE],
            is_answered_privately: true,
            ..CommandSpec::new("open", |input| input.about_table_without_words(ShowWaysToOpen))
        }]
    },
    buttons: &[ButtonCode::Table("op", |arguments| without_arguments(arguments, ShowWaysToOpen))],
    ..CommandFile::EMPTY
};

/// Shows the ways to open the board.
#[derive(Clone, Copy, Debug)]
pub struct ShowWaysToOpen;

impl TableAction for ShowWaysToOpen {
    fn button(&self) -> ButtonData {
        ButtonData::new("op")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_for_all()
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            let TableRequest { handlers, context, guard, .. } = request;
            let table = guard.table();
            let here = &context.update.chat;
            let private = ButtonSpec::new(
                Text::new("button-private"),
                table_callback_data(table, &PlayInPrivate),
            );
            let is_private = here.kind == ChatKind::Private;
            let mut keys: Vec<Vec<ButtonSpec>> = handlers
                .page_links
                .open_board_buttons(context, table)
                .into_iter()
                .map(|it| vec![it])
                .collect();
            keys.extend((!is_private && !table.is_solo()).then(|| vec![private]));
            let key = if keys.is_empty() { "answer-open-here" } else { "answer-open" };
            Ok(vec![View { texts: vec![Text::new(key)], button_rows: keys, ..View::default() }])
        })
    }
}
