//! The hands of deals that are over, to be looked through one after the other.

use super::note::{Key, Note, Picture};
use super::panels::leaves;
use super::present::{named, press};
use super::press::Ask;
use caravanserai_games::LaidOpen;
use caravanserai_games::words::{Arg, Text};
use caravanserai_table::deals;
use caravanserai_table::fold::Table;

/// The button that leads to the last of them, if there is one.
pub(super) fn key(table: &Table) -> Option<Key> {
    let any = deals::count(table) > 0;
    any.then(|| Key::new(Text::new("button-deals"), press(table, Ask::Deal { n: 0 })))
}

/// Who held what in a deal that is over, counted from 1; the last one for 0.
pub fn note(table: &Table, n: u8) -> Note {
    let open = deals::laid_open(table, &[]);
    let count = u8::try_from(open.len()).unwrap_or(u8::MAX);
    let n = if n == 0 { count } else { n.min(count) };
    let Some(laid) = picked(open, n) else {
        return Note::brief(Text::new("refuse-no-deals"));
    };
    let title = Text::new("deal-title")
        .with("table", &*table.id.0)
        .with("number", Arg::Number(n.into()))
        .with("count", Arg::Number(count.into()));
    let texts = [title].into_iter().chain(laid.hands).chain(laid.result).collect();
    let turn = |page: u8| press(table, Ask::Deal { n: page + 1 });
    let keys = leaves(n - 1, count, turn).into_iter().collect();
    let picture = Some(Picture::Deal { table: table.id.0.clone(), n });
    named(table, Note { texts, picture, keys, ..Note::default() })
}

/// One of these, counted from 1.
pub fn picked(mut open: Vec<LaidOpen>, n: u8) -> Option<LaidOpen> {
    let at = usize::from(n).checked_sub(1).filter(|at| *at < open.len())?;
    Some(open.swap_remove(at))
}
