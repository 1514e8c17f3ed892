//! From a scene to the bytes of its picture, on one core. The goal is a board under 4 ms.

use std::hint::black_box;

use caravanserai::games::togyzkumalak::scene::scene;
use caravanserai::games::togyzkumalak::view::{LastMove, Pit, View};
use caravanserai::render::{DEFAULT_THEME, HAND_WIDTH, Renderer, STANDARD_WIDTH};
use caravanserai::rules::Seat;
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

criterion_group!(benches, boards);
criterion_main!(benches);
