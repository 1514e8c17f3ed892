//! Learning the network from own games.
//!
//! Generation by generation: the search plays against itself with the judgement it has, first the
//! counted one, then the network of the generation before; every position is noted with the
//! search's score and the game's result; a network is fitted to a mixture of both. The same seed
//! gives the same network on any number of threads.

mod fit;
mod games;

use super::net::TogyzkumalakNet;
use crate::search::SeededRng;

/// How much is learned.
#[derive(Clone, Copy, Debug)]
pub struct TogyzkumalakLearnSettings {
    /// Everything random follows from it.
    pub seed: u64,
    /// How often games are played and a network is fitted.
    pub generations: u32,
    /// Games in a generation.
    pub games: u32,
    /// Positions searched for a move.
    pub nodes: u64,
    /// Passes over the positions in a fitting.
    pub passes: u32,
    /// The share of the search's score in what is fitted, in hundredths; the rest is the result.
    pub trust: u32,
    /// Generations whose games are fitted together.
    pub memory: usize,
    /// Threads to play on.
    pub threads: usize,
}

impl TogyzkumalakLearnSettings {
    /// What the network of the program was learned with.
    pub const STANDARD: TogyzkumalakLearnSettings = TogyzkumalakLearnSettings {
        seed: 1,
        generations: 7,
        games: 9_000,
        nodes: 200,
        passes: 6,
        trust: 60,
        memory: 4,
        threads: 1,
    };
}

/// A position of a game.
#[derive(Clone, Copy, Debug)]
struct Sample {
    rows: [u16; super::net::ACTIVE],
    owners: u8,
    /// The result for the side to move: 0 lost, 1 drawn, 2 won.
    result: u8,
    /// The search's score for the side to move.
    score: i16,
}

/// Learns a network and gives it as bytes. `say` hears how it goes, `keep` gets the network of
/// every generation, so that a long run can be broken off. `from` is the network of the first
/// games; without one they are judged by counting.
pub fn learn(
    settings: &TogyzkumalakLearnSettings,
    from: Option<TogyzkumalakNet>,
    say: &mut dyn FnMut(&str),
    keep: &mut dyn FnMut(&[u8]),
) -> Vec<u8> {
    let mut net = from;
    let mut kept: Vec<Vec<Sample>> = Vec::new();
    for generation in 0..settings.generations {
        let seed = SeededRng::new(settings.seed ^ u64::from(generation) << 32).bits();
        let samples = games::play(settings, net.as_ref(), seed);
        say(&format!("generation {generation}: {} positions", samples.len()));
        // Scores of the counted judgement say little about chances.
        let trust = if net.is_none() { 0.0 } else { settings.trust as f32 / 100.0 };
        if trust > 0.0 && kept.len() >= settings.memory {
            kept.remove(0);
        }
        kept.push(samples);
        let fitted = fit::fit(&kept, trust, settings.passes, seed, say);
        keep(&fitted.write());
        net = Some(fitted);
        if trust == 0.0 {
            kept.clear();
        }
    }
    net.map_or_else(Vec::new, |it| it.write())
}
