//! Trains the network by self-play.
//!
//! In every generation the search plays against itself, first with the counting evaluation, then
//! with the network of the generation before. Every position is stored with the search's score and
//! the game's result, and a network is fitted to a mixture of both. The same seed gives the same
//! network on any number of threads.

mod fit;
mod games;

use super::net::TogyzkumalakNet;
use crate::search::SeededRng;

/// The settings of training.
#[derive(Clone, Copy, Debug)]
pub struct TogyzkumalakLearnSettings {
    /// The seed of all random numbers.
    pub seed: u64,
    /// Number of the first generations: games are played and a network is fitted in each.
    pub generations: u32,
    /// Number of games in each of these.
    pub games: u32,
    /// Number of positions that are searched for a move.
    pub nodes: u64,
    /// Number of generations after these, whose games are more and deeper.
    pub deep_generations: u32,
    /// Number of games in such a generation.
    pub deep_games: u32,
    /// Number of positions that are searched for a move of such a game.
    pub deep_nodes: u64,
    /// Number of passes over the positions of a generation.
    pub passes: u32,
    /// The share of the search's score in the target, in hundredths; the rest is the result.
    pub trust: u32,
    /// Number of generations whose games are used together.
    pub memory: usize,
    /// Number of threads.
    pub threads: usize,
}

impl TogyzkumalakLearnSettings {
    /// The settings that made the shipped network.
    pub const STANDARD: TogyzkumalakLearnSettings = TogyzkumalakLearnSettings {
        seed: 1,
        generations: 7,
        games: 9_000,
        nodes: 200,
        deep_generations: 5,
        deep_games: 30_000,
        deep_nodes: 400,
        passes: 8,
        trust: 60,
        memory: 6,
        threads: 1,
    };
}

/// How the games of one generation are played.
struct GameSettings {
    /// Number of games.
    games: u32,
    /// Number of positions that are searched for a move.
    nodes: u64,
    /// Number of threads.
    threads: usize,
}

impl TogyzkumalakLearnSettings {
    fn games_of(&self, generation: u32) -> GameSettings {
        let (games, nodes) = match generation < self.generations {
            true => (self.games, self.nodes),
            false => (self.deep_games, self.deep_nodes),
        };
        GameSettings { games, nodes, threads: self.threads }
    }
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

/// Trains a network and returns it as bytes. `report` receives progress lines; `keep` gets the
/// network of every generation, so that a long run can be stopped early. `from` is the network of
/// the first games; without one, they use the counting evaluation.
pub fn learn(
    settings: &TogyzkumalakLearnSettings,
    from: Option<TogyzkumalakNet>,
    report: &mut dyn FnMut(&str),
    keep: &mut dyn FnMut(&[u8]),
) -> Vec<u8> {
    let mut net = from;
    let mut samples_by_generation: Vec<Vec<Sample>> = Vec::new();
    for generation in 0..settings.generations + settings.deep_generations {
        let seed = SeededRng::new(settings.seed ^ u64::from(generation) << 32).bits();
        let samples = games::play(&settings.games_of(generation), net.as_ref(), seed);
        report(&format!("generation {generation}: {} positions", samples.len()));
        // Scores of the counting evaluation say little about the chance to win.
        let trust = if net.is_none() { 0.0 } else { settings.trust as f32 / 100.0 };
        if trust > 0.0 && samples_by_generation.len() >= settings.memory {
            samples_by_generation.remove(0);
        }
        samples_by_generation.push(samples);
        let fitted = fit::fit(&samples_by_generation, trust, settings.passes, seed, report);
        keep(&fitted.write());
        net = Some(fitted);
        if trust == 0.0 {
            samples_by_generation.clear();
        }
    }
    net.map_or_else(Vec::new, |it| it.write())
}
