//! Builds the texts that players read on demand: the score sheet as players keep it, the last
//! trick, the auction.

use super::caption;
use super::panel::times;
use super::round::Summary;
use super::view::BlotView;
use super::wording;
use crate::text::{Arg, Text};

/// Rounds on one sheet; a longer match shows its last ones.
const ROWS_MAX: usize = 12;

/// Round by round, the points of the viewer's side first; for the public, those of seats 0 and 2.
pub fn score(view: &BlotView) -> Vec<Text> {
    let we = view.own.as_ref().map_or(0, |own| BlotView::team(own.seat));
    let you = 1 - we;
    let mut texts = vec![
        Text::new("blot-sheet-head").with("we", wording::team(we)).with("you", wording::team(you)),
    ];
    if view.sheet.is_empty() {
        texts.push(Text::new("blot-sheet-empty"));
    }
    let skipped = view.sheet.len().saturating_sub(ROWS_MAX);
    for (number, row) in (1i64..).zip(&view.sheet).skip(skipped) {
        texts.push(line(number, row, we, view));
    }
    let target = i64::from(view.options.house().target);
    texts.push(
        Text::new("blot-sheet-total")
            .with("points", i64::from(view.totals[we]))
            .with("others", i64::from(view.totals[you]))
            .with("target", target),
    );
    texts
}

/// Bid and bidder, cards in tens, points besides cards, match points, total.
fn line(number: i64, row: &Summary, we: usize, view: &BlotView) -> Text {
    let contract = &row.played.contract;
    let key = if row.score.made { "blot-sheet-made" } else { "blot-sheet-under" };
    let pair = |values: [u16; 2]| format!("{}:{}", values[we], values[1 - we]);
    let outside = [0, 1].map(|side| u16::from(row.played.melds[side] + row.played.blot[side]));
    let bid = match times(contract, &view.options.house()) {
        1 => wording::bid(contract.bid),
        times => {
            let text = Text::new("blot-sheet-times").with("bid", wording::bid(contract.bid));
            text.with("times", i64::from(times)).into()
        }
    };
    Text::new(key)
        .with("number", number)
        .with("bid", bid)
        .with("name", Arg::Seat(contract.seat))
        .with("cards", pair(row.score.units))
        .with("outside", pair(outside))
        .with("points", pair(row.score.points))
        .with("totals", pair(row.totals))
}

/// The trick before the one on the table.
pub fn last(view: &BlotView) -> Vec<Text> {
    caption::last_trick(view)
}

/// All calls of the auction of this round.
pub fn bids(view: &BlotView) -> Vec<Text> {
    caption::bids(view)
}
