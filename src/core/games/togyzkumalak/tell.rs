//! What happened, in words.

use super::caption::{captured, ended, through};
use super::rules::Fact;
use super::view::Pit;
use crate::rules::Seat;
use crate::words::{Arg, Text};

/// A fact as a sentence.
pub fn tell(fact: &Fact) -> Text {
    match *fact {
        Fact::Sown { seat, from, stones, to, .. } => {
            let own = to.side == seat;
            let key = if own { "togyzkumalak-moved-own" } else { "togyzkumalak-moved-other" };
            let text = Text::new(key)
                .with("name", Arg::Seat(seat.0))
                .with("from", pit_number(from))
                .with("stones", stones)
                .with("to", pit_number(to.index));
            if own { text } else { text.with("other", Arg::Seat(to.side.0)) }
        }
        Fact::Through { owner, stones } => through(owner, stones),
        Fact::Captured { seat, stones, .. } => captured(seat, stones),
        Fact::Tuzdyk { seat, pit } => at("togyzkumalak-tuzdyk", seat, pit),
        Fact::ExtraMove { seat } => {
            Text::new("togyzkumalak-turn-extra").with("name", Arg::Seat(seat.0))
        }
        Fact::Collected { seat, stones } => Text::new("togyzkumalak-collected")
            .with("name", Arg::Seat(seat.0))
            .with("stones", stones),
        Fact::Ended { end, scores } => ended(end, scores),
    }
}

/// The number of a pit as people count.
pub(super) fn pit_number(pit: u8) -> Arg {
    Arg::Number(i64::from(pit) + 1)
}

/// Something that a player does to a pit of the other's.
pub(super) fn at(key: &'static str, seat: Seat, pit: Pit) -> Text {
    Text::new(key)
        .with("name", Arg::Seat(seat.0))
        .with("pit", pit_number(pit.index))
        .with("other", Arg::Seat(pit.side.0))
}
