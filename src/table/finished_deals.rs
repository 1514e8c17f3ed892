//! Shows the finished deals of a game with hidden hands: everybody may see all cards of a deal once
//! it is over.

use super::state::Table;
use super::steps::TableStep;
use caravanserai_games::RevealedDeal;

/// Returns all finished deals in order, with names by seat on the pictures. The log has every deal
/// from its beginning, so the result omits the deal that is still played.
pub fn finished_deals(table: &Table, names: &[String]) -> Vec<RevealedDeal> {
    let mut open = Vec::new();
    if !table.game_id().info().hidden {
        return open;
    }
    let Ok(mut game) = table.initial_game() else { return open };
    let mut deal: Option<&str> = None;
    for step @ TableStep { seat, token } in table.history.steps.iter() {
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
    if table.is_over() {
        open.extend(deal.and_then(|it| game.revealed_deal(it, true, names)));
    }
    open
}

/// The number of finished deals.
pub fn finished_deal_count(table: &Table) -> usize {
    finished_deals(table, &[]).len()
}
