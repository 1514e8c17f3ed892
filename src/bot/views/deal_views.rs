//! Builds the view of the hands of deals that are over, one page for each deal.

use crate::commands::deals::ShowDeal;
use crate::views::board_view::{table_callback_data, with_player_names};
use crate::views::panel_views::page_buttons;
use caravanserai_games::RevealedDeal;
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::{ButtonSpec, PictureRef, View};
use caravanserai_table::finished_deals;
use caravanserai_table::state::Table;

/// The button that leads to the last of them, if there is one.
pub(crate) fn last_deal_button(table: &Table) -> Option<ButtonSpec> {
    let any = finished_deals::finished_deal_count(table) > 0;
    any.then(|| {
        ButtonSpec::new(Text::new("button-deals"), table_callback_data(table, &ShowDeal { n: 0 }))
    })
}

/// Who held what in a deal that is over, counted from 1; the last one for 0.
pub fn deal_view(table: &Table, n: u8) -> View {
    let open = finished_deals::finished_deals(table, &[]);
    let count = u8::try_from(open.len()).unwrap_or(u8::MAX);
    let n = if n == 0 { count } else { n.min(count) };
    let Some(laid) = select_deal(open, n) else {
        return View::brief(Text::new("refuse-no-deals"));
    };
    let title = Text::new("deal-title")
        .with("table", &*table.id.0)
        .with("number", Arg::Number(n.into()))
        .with("count", Arg::Number(count.into()));
    let texts = [title].into_iter().chain(laid.hands).chain(laid.result).collect();
    let turn = |page: u8| table_callback_data(table, &ShowDeal { n: page + 1 });
    let keys = page_buttons(n - 1, count, turn).into_iter().collect();
    let picture = Some(PictureRef::Deal { table: table.id.0.clone(), n });
    with_player_names(table, View { texts, picture, keys, ..View::default() })
}

/// One of these, counted from 1.
pub fn select_deal(mut open: Vec<RevealedDeal>, n: u8) -> Option<RevealedDeal> {
    let at = usize::from(n).checked_sub(1).filter(|at| *at < open.len())?;
    Some(open.swap_remove(at))
}
