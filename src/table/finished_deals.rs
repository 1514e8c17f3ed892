//! Deals of a game with hidden hands that are over: from then on everybody may see who held what.

use super::state::{Table, TablePhase};
use super::steps::TableStep;
use caravanserai_games::RevealedDeal;

/// All deals that are over, in their order, with names by seat on the pictures. The log holds every
/// deal from its beginning: nothing is given of one that is still played.
pub fn finished_deals(table: &Table, names: &[String]) -> Vec<RevealedDeal> {
    let mut open = Vec::new();
    if !table.game_id().info().hidden {
        return open;
    }
    let Ok(mut game) = table.initial_game() else { return open };
    let mut deal: Option<&str> = None;
    for step @ TableStep { seat, token } in table.steps.iter() {
        if step.apply_to(&mut *game).is_err() {
            return open;
        }
        if seat.is_none() {
            deal = Some(token);
        }
        if let Some(laid) = deal.and_then(|it| game.revealed_deal(it, false, names)) {
            open.push(laid);
            deal = None;
        }
    }
    if matches!(table.phase, TablePhase::Over { .. }) {
        open.extend(deal.and_then(|it| game.revealed_deal(it, true, names)));
    }
    open
}

/// How many they are.
pub fn finished_deal_count(table: &Table) -> usize {
    finished_deals(table, &[]).len()
}
