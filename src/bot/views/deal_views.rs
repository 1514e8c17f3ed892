//! Builds the view of the hands of finished deals, one page for each deal.

use crate::commands::deals::ShowDeal;
use crate::views::board_view::{table_callback_data, with_player_names};
use crate::views::panel_views::page_buttons;
use caravanserai_games::RevealedDeal;
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::{ButtonSpec, PictureRef, View};
use caravanserai_table::finished_deals;
use caravanserai_table::state::Table;

/// The button that opens the last finished deal, if there is one.
pub(crate) fn last_deal_button(table: &Table) -> Option<ButtonSpec> {
    let has_deals = finished_deals::finished_deal_count(table) > 0;
    has_deals.then(|| {
        ButtonSpec::new(Text::new("button-deals"), table_callback_data(table, &ShowDeal { n: 0 }))
    })
}

/// The hands of a finished deal, counted from 1; 0 means the last one.
pub fn deal_view(table: &Table, n: u8) -> View {
    let deals = finished_deals::finished_deals(table, &[]);
    let count = u8::try_from(deals.len()).unwrap_or(u8::MAX);
    let n = if n == 0 { count } else { n.min(count) };
    let Some(deal) = select_deal(deals, n) else {
        return View::brief(Text::new("refuse-no-deals"));
    };
    let title = Text::new("deal-title")
        .with("table", &*table.id.0)
        .with("number", Arg::Number(n.into()))
        .with("count", Arg::Number(count.into()));
    let texts = [title].into_iter().chain(deal.hands).chain(deal.result).collect();
    let turn = |page: u8| table_callback_data(table, &ShowDeal { n: page + 1 });
    let keys = page_buttons(n - 1, count, turn).into_iter().collect();
    let picture = Some(PictureRef::Deal { table: table.id.0.clone(), n });
    with_player_names(table, View { texts, picture, button_rows: keys, ..View::default() })
}

/// The deal with this number, counted from 1.
pub fn select_deal(mut deals: Vec<RevealedDeal>, n: u8) -> Option<RevealedDeal> {
    let at = usize::from(n).checked_sub(1).filter(|at| *at < deals.len())?;
    Some(deals.swap_remove(at))
}
