//! Plays self-play games and collects their positions for training.

use std::sync::atomic::{AtomicU32, Ordering};

use super::super::SELF_PLAY;
use super::super::board::difference;
use super::super::counting_evaluator;
use super::super::net::{SCALE, TogyzkumalakNet, active, owners};
use super::{GameSettings, Sample};
use crate::rules::Entropy;
use crate::search::pvs::{DECIDED, SearchLimits};
use crate::search::{Board, Evaluator, Pvs, SeededRng};
use crate::togyzkumalak::{TogyzkumalakPosition, Variant};

/// Number of plies after which a game counts as a draw; very few games are so long.
const PLIES_MAX: usize = 500;
/// Cache lines of the table of one game, as a power of two: 256 kB.
const TABLE_BITS: u32 = 12;

/// The judge of self-play games: a network, or counting in the first generation.
struct SelfPlayEvaluator<'a>(Option<&'a TogyzkumalakNet>);

impl Evaluator<TogyzkumalakPosition> for SelfPlayEvaluator<'_> {
    fn score(&mut self, board: &TogyzkumalakPosition) -> i32 {
        match self.0 {
            Some(net) => net.score(board),
            None => counting_evaluator::plain(board) * SCALE / 150,
        }
    }
}

/// Plays the games of a generation; returns all positions in the order of the games.
pub(super) fn play(
    settings: &GameSettings,
    net: Option<&TogyzkumalakNet>,
    seed: u64,
) -> Vec<Sample> {
    let next = AtomicU32::new(0);
    let work = || {
        let mut search = Pvs::new(SelfPlayEvaluator(net), SELF_PLAY, TABLE_BITS);
        let mut games = Vec::new();
        loop {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if game >= settings.games {
                return games;
            }
            let mut rng = SeededRng::new(seed ^ u64::from(game) << 20);
            search.forget();
            games.push((game, play_one(&mut search, settings.nodes, &mut rng)));
        }
    };
    let mut games = Vec::new();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..settings.threads.max(1)).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            games.extend(thread.join().expect("a game does not panic"));
        }
    });
    games.sort_by_key(|(game, _)| *game);
    games.into_iter().flat_map(|(_, samples)| samples).collect()
}

fn play_one(
    search: &mut Pvs<SelfPlayEvaluator<'_>>,
    nodes: u64,
    rng: &mut SeededRng,
) -> Vec<Sample> {
    let variant = if rng.below(2) == 0 { Variant::Seed } else { Variant::Short };
    let mut position = TogyzkumalakPosition::start(variant);
    let mut earlier: Vec<u64> = Vec::new();
    let mut samples: Vec<(Sample, u8)> = Vec::new();
    let opening = 2 + rng.below(10) as usize;
    let mut plies = 0;
    let mut drawn = false;
    let mut won = None;
    while !position.is_over() && !drawn && won.is_none() {
        let at_random = plies < opening || rng.below(16) == 0;
        let pit = if at_random {
            position.nth_move(rng.below(u32::from(position.moves_len())) as u8)
        } else {
            let spread = nodes / 2 + u64::from(rng.below(nodes as u32));
            let limits = SearchLimits { depth: 60, nodes: spread, stop: &|| false };
            let moves = u32::from(position.moves());
            let found = search.search(&position, moves, &earlier, &limits, &mut |_| ());
            samples.push((sample(&position, found.score), position.side()));
            if found.score.abs() > DECIDED {
                // The result is proven: the rest of the game adds nothing.
                let ahead = found.score.signum();
                won = Some(if position.side() == 0 { ahead } else { -ahead });
            }
            found.best
        };
        let before = position;
        position.play(pit);
        if position.may_return(&before) {
            earlier.push(before.key());
        } else {
            earlier.clear();
        }
        let key = position.key();
        drawn = earlier.iter().filter(|it| **it == key).count() >= 2 || plies > PLIES_MAX;
        plies += 1;
    }
    let played_out = if drawn { 0 } else { difference(&position).signum() };
    let ahead = won.unwrap_or(played_out);
    let finish = |(mut sample, side): (Sample, u8)| {
        sample.result = (1 + if side == 0 { ahead } else { -ahead }) as u8;
        sample
    };
    samples.into_iter().map(finish).collect()
}

fn sample(position: &TogyzkumalakPosition, score: i32) -> Sample {
    Sample {
        rows: active(position),
        owners: owners(position, usize::from(position.side())) as u8,
        result: 1,
        score: score.clamp(-DECIDED, DECIDED) as i16,
    }
}
