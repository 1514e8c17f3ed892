//! Hints for a first game: the possible effects of the throws. No search: only the effect of one
//! throw.

use super::board::{FORTRESS, HAND, PALACES, square_name};
use super::position::square_of;
use super::turn::ThrowUse;
use super::view::{ThaayamView, ThaayamViewStage};
use crate::rules::Seat;
use crate::text::Text;

/// The first of these that a throw can do: kill, enter, come home, reach shelter.
pub fn advice(view: &ThaayamView, seat: Seat) -> Vec<Text> {
    if view.turn != Some(seat) {
        return Vec::new();
    }
    let turn = match &view.stage {
        ThaayamViewStage::Cup => return vec![Text::new("thaayam-coach-throw")],
        ThaayamViewStage::Sharing(turn) => turn,
        ThaayamViewStage::Throwing | ThaayamViewStage::Over => return Vec::new(),
    };
    let plays = turn.plays();
    let plays = plays.as_slice();
    if plays.is_empty() {
        return vec![Text::new("thaayam-coach-done")];
    }
    let path = view.colour(seat).path();
    let square = |step: i8| square_of(path, step);
    let named = |key: &'static str, play: &ThrowUse, to: i8| {
        let text = Text::new(key).with("throw", play.throw);
        let name = |step: i8| square(step).map(square_name).unwrap_or_default();
        text.with("from", name(play.from)).with("to", name(to))
    };
    let target = |play: &ThrowUse| turn.target(*play);
    let kills = |play: &&ThrowUse| {
        turn.after(**play).is_some_and(|it| it.hits().count_ones() > turn.hits().count_ones())
    };
    let home = |play: &&ThrowUse| target(play) == Some(FORTRESS);
    let shelter =
        |play: &&ThrowUse| target(play).and_then(square).is_some_and(|it| PALACES.contains(&it));
    let found = |key: &'static str, play: Option<&ThrowUse>| {
        let play = play?;
        Some(named(key, play, target(play)?))
    };
    let text = found("thaayam-coach-kill", plays.iter().find(kills))
        .or_else(|| {
            let enters = plays.iter().any(|it| it.from == HAND);
            enters.then(|| Text::new("thaayam-coach-enter"))
        })
        .or_else(|| found("thaayam-coach-home", plays.iter().find(home)))
        .or_else(|| found("thaayam-coach-shelter", plays.iter().find(shelter)))
        .unwrap_or_else(|| Text::new("thaayam-coach-run"));
    vec![text]
}
