//! Blot: random games, secrets, records, what people type.

use caravanserai::games::blot::{Action, Blot, Options};
use caravanserai::rules::{Entropy, Node, Rules};

use crate::conform::Seeded;

mod guess;
mod properties;

/// A random match up to so many steps; bids stay low so that most rounds are played.
fn random_game(options: &Options, seed: u64, steps: usize) -> Blot {
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
            let deal = game.draw(random);
            game.settle(&deal, &mut Vec::new()).unwrap();
        }
        Node::Act(seat) => {
            let action = choose(game, &game.actions(seat), random);
            game.act(seat, &action, &mut Vec::new()).unwrap();
        }
    }
    true
}

/// Mostly passes and low bids.
fn choose(game: &Blot, actions: &[Action], random: &mut Seeded) -> Action {
    let bidding = game.round().is_some_and(|round| round.play().is_none());
    if !bidding {
        return actions[random.below(actions.len() as u32) as usize];
    }
    let mut low: Vec<Action> = actions.to_vec();
    low.sort();
    match random.below(3) {
        0 => low[random.below(low.len().min(8) as u32) as usize],
        1 => low[random.below(low.len() as u32) as usize],
        _ => *actions
            .iter()
            .find(|it| matches!(it, Action::Call(c) if *c == caravanserai::games::blot::Call::Pass))
            .unwrap(),
    }
}
