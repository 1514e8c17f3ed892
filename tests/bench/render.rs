//! From a scene to the bytes of its picture, on one core. The goal is a board under 4 ms.

use std::hint::black_box;

use caravanserai::games::togyzkumalak::scene::scene;
use caravanserai::games::togyzkumalak::view::{LastMove, Pit, View};
use caravanserai::games::{GameId, Replay, shorter};
use caravanserai::render::{DEFAULT_THEME, HAND_WIDTH, Renderer, STANDARD_WIDTH};
use caravanserai::render::{film_width, standard_width};
use caravanserai::rules::{Entropy, Node, Seat, Viewer};
use caravanserai::scene::{Fan, Point, Scene, Sprite};
use criterion::{Criterion, criterion_group, criterion_main};

fn board(pits: [[u8; 9]; 2], kazans: [u8; 2], tuzdyks: [Option<u8>; 2]) -> View {
    let to = Pit { side: Seat(1), index: 5 };
    let last = LastMove {
        seat: Seat(0),
        from: 6,
        stones: 9,
        to,
        captured: 10,
        tuzdyk: false,
        through: [0, 0],
    };
    let turn = Some(Seat(1));
    View {
        variant: Default::default(),
        pits,
        kazans,
        tuzdyks,
        turn,
        extra: false,
        plies: 1,
        last: Some(last),
        end: None,
    }
}

fn boards(c: &mut Criterion) {
    let renderer = Renderer::embedded().expect("the templates are part of the program");
    let opening = [[9, 9, 9, 9, 9, 9, 1, 10, 10], [10, 10, 10, 10, 10, 0, 9, 9, 9]];
    let middle = [[1, 2, 20, 7, 19, 0, 1, 2, 0], [0, 0, 6, 18, 6, 7, 5, 1, 1]];
    let views = [
        ("opening", board(opening, [10, 0], [None; 2])),
        ("middle", board(middle, [42, 24], [Some(0), Some(5)])),
    ];
    for (name, view) in views {
        let scene = scene(&view, ["Aigerim", "Բագրատ"]);
        let size = renderer.draw_anew(&scene, DEFAULT_THEME, STANDARD_WIDTH).len();
        c.bench_function(&format!("board/{name}/{size} bytes"), |b| {
            b.iter(|| renderer.draw_anew(black_box(&scene), DEFAULT_THEME, STANDARD_WIDTH));
        });
        c.bench_function(&format!("board/{name}/pixels only"), |b| {
            b.iter(|| renderer.pixels(black_box(&scene), DEFAULT_THEME, STANDARD_WIDTH));
        });
        c.bench_function(&format!("board/{name}/seen before"), |b| {
            b.iter(|| renderer.draw(black_box(&scene), DEFAULT_THEME, STANDARD_WIDTH));
        });
    }
    hands(c, &renderer);
    replays(c, &renderer);
    c.bench_function("start-up with all themes", |b| b.iter(Renderer::embedded));
}

/// Eight cards in a fan, three of which may be played. The goal is under 2 ms.
fn hands(c: &mut Criterion, renderer: &Renderer) {
    let mut scene = Scene::new(1080, 620);
    scene.add(Sprite::new("blot-hand", 540, 310, 1080, 620));
    let fan = Fan { middle: Point { x: 540, y: 384 }, radius: 1000, size: (200, 280) };
    let cards = ["JH", "9H", "AH", "KS", "QS", "10D", "7D", "8C"];
    for (n, card) in (0..8).zip(cards) {
        let (veil, raised) = if n < 3 { ("", 34) } else { ("+card-dim", 0) };
        scene.add(fan.card(format!("card-{card}{veil}"), n, 8, raised));
    }
    for width in [HAND_WIDTH, STANDARD_WIDTH] {
        let size = renderer.draw_anew(&scene, DEFAULT_THEME, width).len();
        c.bench_function(&format!("hand/{width}/{size} bytes"), |b| {
            b.iter(|| renderer.draw_anew(black_box(&scene), DEFAULT_THEME, width));
        });
    }
    c.bench_function("hand/pixels only", |b| {
        b.iter(|| renderer.pixels(black_box(&scene), DEFAULT_THEME, STANDARD_WIDTH));
    });
}

/// Plays anything, from a seed.
struct Seeded(u64);

impl Entropy for Seeded {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((self.0 >> 33) % u64::from(n.max(1))) as u32
    }
}

/// A game of so many moves, played by the simple computer players.
fn played(game: GameId, seats: u8, moves: usize) -> Replay {
    let start = game.open(&game.info().default_options(), seats).expect("the usual rules");
    for seed in 1.. {
        let (mut now, mut entropy) = (start.copy(), Seeded(seed));
        let mut steps = Vec::new();
        while steps.len() < moves {
            let (seat, token) = match now.node() {
                Node::Over(_) => break,
                Node::Chance => (None, now.draw(&mut entropy)),
                Node::Act(seat) => {
                    let simple = || now.simple(seat, &mut entropy).expect("it may act");
                    (Some(seat), now.forced().unwrap_or_else(simple))
                }
            };
            let taken = match seat {
                Some(seat) => now.act(seat, &token),
                None => now.settle(&token),
            };
            taken.expect("a legal step");
            steps.push((seat, token));
        }
        if steps.len() == moves {
            let names = ["Aigerim", "Բագրատ", "Meena", "Chen"].map(str::to_owned);
            let names = names.into_iter().take(usize::from(seats)).collect();
            return Replay { start, names, result: None, steps };
        }
    }
    unreachable!("some game is long enough")
}

/// A replay of 150 plies: the goal is under 1.5 s and 3 MB. And the chart of such a game.
fn replays(c: &mut Criterion, renderer: &Renderer) {
    let games = [
        ("togyzkumalak", GameId::Togyzkumalak, 2, 150),
        ("thaayam", GameId::Thaayam, 4, 400),
        ("blot", GameId::Blot, 4, 600),
    ];
    let mut group = c.benchmark_group("replay");
    group.sample_size(10);
    for (name, game, seats, moves) in games {
        let replay = played(game, seats, moves);
        let stills = shorter(replay.stills(Viewer::Public).expect("it was played"));
        let width = film_width(&stills[0].scene, stills.len());
        let animate = || renderer.animate(&stills, DEFAULT_THEME, width, |_| ());
        let size = animate().len();
        let pictures = stills.len();
        group.bench_function(format!("{name}/{pictures} pictures/{size} bytes"), |b| {
            b.iter(|| black_box(animate()));
        });
        group.bench_function(format!("{name}/from steps to scenes"), |b| {
            b.iter(|| replay.stills(Viewer::Public));
        });
        let chart = replay.chart().expect("it was played");
        let draw = || renderer.draw_anew(&chart, DEFAULT_THEME, standard_width(&chart));
        let size = draw().len();
        group.bench_function(format!("chart/{name}/{size} bytes"), |b| {
            b.iter(|| black_box(draw()));
        });
    }
}

criterion_group!(benches, boards);
criterion_main!(benches);
