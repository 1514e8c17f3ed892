//! `/analysis`: everything about the last game: analysis, replay, chart, record, hands, fair play.

use super::action::{
    ActionFuture, ButtonData, TableAction, TableRequest, TableSearch, without_arguments,
};
use super::argument;
use super::chart::ShowChart;
use super::record::ShowRecord;
use super::registry::{ButtonCode, CommandFile};
use super::replay::SendReplay;
use super::review::RequestReview;
use super::spec::{CommandSpec, MenuGroup};
use super::verify::ShowFairness;
use crate::views::board_view::table_callback_data;
use crate::views::deal_views;
use caravanserai_games::text::Text;
use caravanserai_protocol::view::{ButtonSpec, View};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Analysis),
            arguments: vec![argument::TABLE],
            is_answered_privately: true,
            ..CommandSpec::new("analysis", |input| input.about_table_without_words(ShowAnalysis))
        }]
    },
    buttons: &[ButtonCode::Table("an", |arguments| without_arguments(arguments, ShowAnalysis))],
    ..CommandFile::EMPTY
};

/// Shows what can be looked at after a game.
#[derive(Clone, Copy, Debug)]
pub struct ShowAnalysis;

impl TableAction for ShowAnalysis {
    fn button(&self) -> ButtonData {
        ButtonData::new("an")
    }

    fn search(&self) -> TableSearch {
        TableSearch::LastFinished
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            let table = request.guard.table();
            let button = |label: &'static str, action: &dyn TableAction| {
                ButtonSpec::new(Text::new(label), table_callback_data(table, action))
            };
            let mut keys = vec![
                button("button-review", &RequestReview),
                button("button-replay", &SendReplay),
                button("button-chart", &ShowChart),
                button("button-record", &ShowRecord),
                button("button-verify", &ShowFairness),
            ];
            keys.extend(deal_views::last_deal_button(table));
            let keys = keys.chunks(2).map(<[ButtonSpec]>::to_vec).collect();
            let text = Text::new("answer-analysis").with("table", &*table.id.0);
            Ok(vec![View { texts: vec![text], button_rows: keys, ..View::default() }])
        })
    }
}
