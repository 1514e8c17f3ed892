//! `/watch`: watch a table in this chat; `/watch on` and `/watch off` allow and forbid others to
//! watch the person's own table.

use super::action::{ButtonData, ExecuteCommand, Request, decode_switch};
use super::argument;
use super::argument::ArgumentKind;
use super::input::CommandInput;
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use super::show::ShowTableHere;
use super::spec::{CommandSpec, MenuGroup, Suggestions};
use crate::parsing::trailing_words::{TrailingWords, parse_switch_words};
use caravanserai_table::command::Command;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Table),
            arguments: vec![argument::required("table", ArgumentKind::Suggested)],
            suggestions: Suggestions::OwnTables,
            ..CommandSpec::new("watch", parse)
        }]
    },
    buttons: &[ButtonCode::Table("pu", |arguments| decode_switch(arguments, Command::SetPublic))],
    table_commands: &[TableCommandSpec::new(
        |it| match it {
            Command::SetPublic(on) => Some(ButtonData::switch("pu", *on)),
            _ => None,
        },
        |it| it.fit_for_seated(),
    )],
};

fn parse(input: &CommandInput<'_>) -> Request {
    match (input.trailing_words_without_mentions(), parse_switch_words(input.words)) {
        (TrailingWords::No, _) => input.refuse_words(&TrailingWords::No),
        (_, Ok(Some(on))) => input.about_table(ExecuteCommand(Command::SetPublic(on))),
        (_, Ok(None)) => input.about_table(ShowTableHere { is_watch_only: true }),
        (_, Err(words)) => input.refuse_words(&words),
    }
}
