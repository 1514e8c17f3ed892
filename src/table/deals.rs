//! Deals of a game with hidden hands that are over: from then on everybody may see who held what.

use super::fold::{Phase, Table};
use super::steps::Step;
use caravanserai_games::LaidOpen;

/// All deals that are over, in their order, with names by seat on the pictures. The log holds every
/// deal from its beginning: nothing is given of one that is still played.
pub fn laid_open(table: &Table, names: &[String]) -> Vec<LaidOpen> {
    let mut open = Vec::new();
    if !table.game_id().info().hidden {
        return open;
    }
    let Ok(mut game) = table.fresh() else { return open };
    let mut deal: Option<&str> = None;
    for step @ Step { seat, token } in table.steps.iter() {
        if step.play(&mut *game).is_err() {
            return open;
        }
        if seat.is_none() {
            deal = Some(token);
        }
        if let Some(laid) = deal.and_then(|it| game.laid_open(it, false, names)) {
            open.push(laid);
            deal = None;
        }
    }
    if matches!(table.phase, Phase::Over { .. }) {
        open.extend(deal.and_then(|it| game.laid_open(it, true, names)));
    }
    open
}

/// How many they are.
pub fn count(table: &Table) -> usize {
    laid_open(table, &[]).len()
}
