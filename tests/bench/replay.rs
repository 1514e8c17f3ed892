//! Measures replays and charts on one core: a replay of 150 plies under 1.5 s and 3 MB.

use std::hint::black_box;

use caravanserai_games::rules::{Entropy, Node, Viewer};
use caravanserai_games::search::ThinkBudget;
use caravanserai_games::{GameId, GameReplay, shorten_stills};
use caravanserai_games::{blot, thaayam, togyzkumalak};
use caravanserai_render::{DEFAULT_THEME, Renderer, animation_width, standard_width};
use criterion::{Criterion, criterion_group, criterion_main};

/// Random numbers from a seed.
struct Seeded(u64);

impl Entropy for Seeded {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((self.0 >> 33) % u64::from(n.max(1))) as u32
    }
}

/// A game of this number of moves, played by the lowest level.
fn played(game: GameId, seats: u8, moves: usize) -> GameReplay {
    let start = game
        .start_match(&game.info().default_options(), seats)
        .expect("the default rules fit this number of seats");
    let mut beginner = game.computer("beginner").expect("every game has this level");
    for seed in 1.. {
        let (mut now, mut entropy) = (start.clone_box(), Seeded(seed));
        let mut steps = Vec::new();
        while steps.len() < moves {
            let (seat, token) = match now.node() {
                Node::Over(_) => break,
                Node::Chance => (None, now.draw_chance(&mut entropy)),
                Node::Act(seat) => {
                    let mut choose = || {
                        let question = now.engine_question(seat).expect("the seat is to move");
                        let budget = ThinkBudget::OF_LEVEL;
                        let thought = beginner.think(&question, &budget, &mut entropy, &mut |_| {});
                        thought.expect("the question belongs to this game").action
                    };
                    (Some(seat), now.forced_action().unwrap_or_else(&mut choose))
                }
            };
            let result = match seat {
                Some(seat) => now.apply_action(seat, &token),
                None => now.apply_chance(&token),
            };
            result.expect("the step is legal");
            steps.push((seat, token));
        }
        if steps.len() == moves {
            let names = ["Aigerim", "Բագրատ", "Meena", "Chen"].map(str::to_owned);
            let names = names.into_iter().take(usize::from(seats)).collect();
            return GameReplay { start, names, result: None, steps };
        }
    }
    unreachable!("some game is long enough")
}

/// Measures a replay of 150 plies (target: under 1.5 s and 3 MB), and the chart of such a game.
fn replays(c: &mut Criterion) {
    let renderer = Renderer::embedded().expect("the embedded theme is valid");
    let games = [
        ("togyzkumalak", togyzkumalak::ID, 2, 150),
        ("thaayam", thaayam::ID, 4, 400),
        ("blot", blot::ID, 4, 600),
    ];
    let mut group = c.benchmark_group("replay");
    group.sample_size(10);
    for (name, game, seats, moves) in games {
        let replay = played(game, seats, moves);
        let stills = shorten_stills(replay.stills(Viewer::Public).expect("the steps are legal"));
        let width = animation_width(&stills[0].scene, stills.len());
        let animate = || renderer.animate(&stills, DEFAULT_THEME, width, |_| ());
        let size = animate().len();
        let pictures = stills.len();
        group.bench_function(format!("{name}/{pictures} pictures/{size} bytes"), |b| {
            b.iter(|| black_box(animate()));
        });
        group.bench_function(format!("{name}/from steps to scenes"), |b| {
            b.iter(|| replay.stills(Viewer::Public));
        });
        let chart = replay.chart().expect("the steps are legal");
        let draw = || renderer.draw_uncached(&chart, DEFAULT_THEME, standard_width(&chart));
        let size = draw().len();
        group.bench_function(format!("chart/{name}/{size} bytes"), |b| {
            b.iter(|| black_box(draw()));
        });
    }
}

criterion_group!(benches, replays);
criterion_main!(benches);
