//! Blot: random games, secrets, records, what people type.

use caravanserai_games::blot::{AuctionCall, Blot, BlotAction, BlotOptions};
use caravanserai_games::rules::{Entropy, Node, Rules};

use crate::game_conformance::Seeded;

mod bidding;
mod engine;
mod house;
mod properties;
mod record;
mod score;
mod secrets;
mod typed_moves;
mod words;

/// A random match up to so many steps; bids stay low so that most rounds are played.
fn random_game(options: &BlotOptions, seed: u64, steps: usize) -> Blot {
    let mut random = Seeded(seed);
    let mut game = Blot::start(options, 4).unwrap();
    for _ in 0..steps {
        if !step(&mut game, &mut random) {
            break;
        }
    }
    game
}

/// One step; `false` when the match is over.
fn step(game: &mut Blot, random: &mut Seeded) -> bool {
    match game.node() {
        Node::Over(_) => return false,
        Node::Chance => {
            let deal = game.draw_chance(random);
            game.apply_chance(&deal, &mut Vec::new()).unwrap();
        }
        Node::Act(seat) => {
            let action = choose(game, &game.actions(seat), random);
            game.apply_action(seat, &action, &mut Vec::new()).unwrap();
        }
    }
    true
}

/// Mostly passes and low bids.
fn choose(game: &Blot, actions: &[BlotAction], random: &mut Seeded) -> BlotAction {
    let bidding = game.round().is_some_and(|round| round.play().is_none());
    if !bidding {
        return actions[random.below(actions.len() as u32) as usize];
    }
    let mut low: Vec<BlotAction> = actions.to_vec();
    low.sort();
    let among = match random.below(20) {
        0 => low.len(),
        1..8 => low.len().min(8),
        _ => return BlotAction::Call(AuctionCall::Pass),
    };
    low[random.below(among as u32) as usize]
}
