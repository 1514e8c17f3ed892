//! Every drawing of Thaayam and Blot side by side, and how a picture of each kind looks.

use caravanserai_games::scene::{Align, Fan, Point, Scene, SceneLabel, Sprite, Trail};
use caravanserai_games::{self as games, GameId};
use caravanserai_games::{blot, thaayam, togyzkumalak};

use super::labels::ratings_chart;
use super::sprites::{SIZES, cards};

/// Everything side by side, and what a game of each kind may look like.
pub fn mocks() -> Vec<(&'static str, Scene)> {
    vec![
        ("sheet-sprites", sheet()),
        ("sheet-cards", card_sheet()),
        ("mock-thaayam", thaayam()),
        ("mock-hand", hand(8)),
        ("mock-hand-odd", hand(5)),
        ("mock-table", table()),
        ("chart-two", chart(2)),
        ("chart-four", chart(4)),
        ("chart-pairs", pairs()),
        ("chart-ratings", ratings_chart()),
        ("chart-review", review(togyzkumalak::ID, 2)),
        ("chart-review-pairs", review(blot::ID, 4)),
        ("chart-review-four", review(thaayam::ID, 4)),
    ]
}

/// A race of so many.
fn chart(seats: u8) -> Scene {
    let names = ["Айгерім", "Բագրատ Տեր-Հովհաննիսյան", "Meena", "🌸 Chen 🌸"].map(str::to_owned);
    let game = if seats == 2 { togyzkumalak::ID } else { thaayam::ID };
    let mut now = game.start_match(&game.info().default_options(), seats).unwrap().chart_sample();
    let values: Vec<Vec<i32>> = (0..130)
        .map(|n| (0..i32::from(seats)).map(|seat| (n * (5 + seat) / 8 - n % 7).max(0)).collect())
        .collect();
    for (line, value) in now.lines.iter_mut().zip(&values[129]) {
        line.value = *value;
    }
    games::chart::chart_scene(&now, &names, &values)
}

/// A match of two pairs.
fn pairs() -> Scene {
    let names = ["Айгерім", "Բագրատ", "Meena", "Chen"].map(str::to_owned);
    let mut now = blot::ID.start_match("standard", 4).unwrap().chart_sample();
    let values = [[0, 0], [42, 0], [42, 36], [60, 85], [131, 92], [148, 220], [301, 227]];
    (now.lines[0].value, now.lines[1].value) = (301, 227);
    games::chart::chart_scene(&now, &names, &values.map(|it| it.to_vec()))
}

/// How likely each side was to win, with the moments that a review names.
fn review(game: GameId, seats: u8) -> Scene {
    let names = ["Айгерім", "Բագրատ Տեր-Հովհաննիսյան", "Meena", "🌸 Chen 🌸"].map(str::to_owned);
    let standing = game.start_match(&game.info().default_options(), seats).unwrap().chart_sample();
    let sides = standing.lines.len() as i32;
    let values: Vec<Vec<i32>> = (0..60)
        .map(|n| {
            let swing = [0, 6, 9, -14, -30, -22, 8, 25, 33, 20, 41, 49][(n / 5) as usize];
            let first = (100 / sides + swing * 2 / sides + n % 3).clamp(0, 100);
            let rest = (100 - first) / (sides - 1);
            (0..sides).map(|side| if side == 0 { first } else { rest }).collect()
        })
        .collect();
    let marks = [(20, 0), (15, 1), (30, 1), (33, 0), (45, 0), (50, 1)];
    games::chances_scene(standing, &names, &values, &marks).0
}

fn sheet() -> Scene {
    let mut scene = Scene::new(1280, 1130);
    let (mut x, mut y, mut line) = (10, 10, 0);
    for &(name, width, height) in SIZES {
        let (width, height) =
            (width / if width > 600 { 4 } else { 1 }, height / if width > 600 { 4 } else { 1 });
        if x + width > 1270 {
            (x, y, line) = (10, y + line + 10, 0);
        }
        scene.add(Sprite::new(
            name,
            (x + width / 2) as i16,
            (y + height / 2) as i16,
            width,
            height,
        ));
        x += width + 10;
        line = line.max(height);
    }
    scene
}

fn card_sheet() -> Scene {
    let mut scene = Scene::new(1680, 1180);
    for (n, card) in cards().enumerate() {
        let (column, row) = ((n % 8) as i16, (n / 8) as i16);
        scene.add(Sprite::new(card, 105 + column * 210, 150 + row * 290, 200, 280));
    }
    scene
}

fn square(name: &str) -> Point {
    let [file, rank] = [0, 1].map(|n| i16::from(name.as_bytes()[n]));
    Point { x: 145 + 150 * (file - 97), y: 865 - 150 * (rank - 49) }
}

fn thaayam() -> Scene {
    let mut scene = Scene::new(1080, 1130);
    scene.add(Sprite::new("thaayam-board", 540, 565, 1080, 1130));
    for (n, at) in ["c1", "e3", "c5", "a3"].map(square).into_iter().enumerate() {
        scene.add(Sprite::new(format!("thaayam-palace-{n}"), at.x, at.y, 150, 150));
    }
    scene.add(Sprite::new("thaayam-fortress", 445, 565, 150, 150));
    let points = ["d1", "e1", "e2"].map(square).to_vec();
    scene.add(Trail { points, width: 9, ink: "path".into(), arrow: true });
    scene.add(Sprite::new("thaayam-from", square("d1").x, square("d1").y, 150, 150));
    scene.add(Sprite::new("thaayam-hit", square("e2").x, square("e2").y, 140, 140));
    scene.add(Sprite::new("thaayam-to", square("e2").x, square("e2").y, 150, 150));
    pieces(&mut scene);
    seats(&mut scene);
    throws(&mut scene);
    scene
}

fn pieces(scene: &mut Scene) {
    let piece = |owner: u8, name: &str, dx: i16, dy: i16, size: u16| {
        let at = square(name);
        Sprite::new(format!("thaayam-piece-{owner}"), at.x + dx, at.y + dy, size, size)
    };
    scene.add(piece(0, "e2", 0, 0, 100));
    for (dx, dy) in [(-35, 0), (35, 0)] {
        scene.add(piece(1, "b5", dx, dy, 70));
    }
    for (dx, dy) in [(-35, 32), (35, 32), (0, -34)] {
        scene.add(piece(2, "b3", dx, dy, 70));
    }
    for (dx, dy) in [(-35, -35), (35, -35), (-35, 35), (35, 35)] {
        scene.add(piece(3, "d4", dx, dy, 70));
    }
    for (owner, dx, dy) in [(0, 0, 44), (1, 44, 0), (2, 0, -44), (3, -44, 0)] {
        for at in ["c1", "c3"] {
            scene.add(piece(owner, at, dx, dy, 60));
        }
    }
    scene.add(piece(0, "d3", 0, 0, 100));
    scene.add(piece(1, "a1", 0, 0, 100));
    scene.add(piece(2, "e5", 0, 0, 100));
    let at = square("c3");
    scene.add(Sprite::new("thaayam-badge", at.x + 24, at.y + 62, 40, 40));
    scene.add(SceneLabel::new("3", at.x + 24, at.y + 62, 30, "count").bold());
}

fn seats(scene: &mut Scene) {
    let names = ["Arun", "Ғани Әбдіқұлов", "Բագրատ", "Lakshmi"];
    for (seat, (x, y)) in [(275, 1060), (805, 1060), (805, 75), (275, 75)].into_iter().enumerate() {
        let (plate, ink) =
            if seat == 0 { ("thaayam-seat-turn", "name-turn") } else { ("thaayam-seat", "name") };
        scene.add(Sprite::new(plate, x, y, 510, 110));
        scene.add(Sprite::new(format!("thaayam-piece-{seat}"), x - 206, y, 76, 76));
        let name =
            SceneLabel::new(names[seat], x - 160, y - 27, 34, ink).bold().aligned(Align::Start);
        scene.add(name.fitted(390));
        for (icon, left, pieces) in
            [("thaayam-in-hand", x - 140, 2 - seat % 3), ("thaayam-home", x + 72, seat / 2)]
        {
            scene.add(Sprite::new(icon, left, y + 23, 32, 32));
            for n in 0..pieces as i16 {
                let name = format!("thaayam-piece-{seat}");
                scene.add(Sprite::new(name, left + 34 + 33 * n, y + 23, 32, 32));
            }
        }
    }
}

fn throws(scene: &mut Scene) {
    for (n, white) in [1, 4, 0, 2].into_iter().enumerate() {
        let y = 195 + 121 * n as i16;
        let name = if n == 1 { "thaayam-throw-ready" } else { "thaayam-throw" };
        scene.add(Sprite::new(name, 975, y, 170, 110));
        for die in 0..4 {
            let name = if die < white { "thaayam-die-white" } else { "thaayam-die-black" };
            scene.add(Sprite::new(name, 923 + 42 * (die % 2), y - 21 + 42 * (die / 2), 38, 38));
        }
        let value = if white == 0 { 8 } else { white };
        scene.add(SceneLabel::new(value.to_string(), 1024, y, 66, "score").bold());
        if n == 0 {
            scene.add(Sprite::new("thaayam-spent", 975, y, 170, 110));
        }
    }
}

fn hand(count: u8) -> Scene {
    let mut scene = Scene::new(1080, 620);
    scene.add(Sprite::new("blot-hand", 540, 310, 1080, 620));
    let fan = Fan { middle: Point { x: 540, y: 384 }, radius: 1000, size: (200, 280) };
    let cards =
        ["card-JH", "card-9H", "card-AH", "card-KS", "card-QS", "card-10D", "card-7D", "card-8C"];
    for (n, card) in (0..count).zip(cards) {
        let legal = n < 3;
        let (veil, raised) = if legal { ("", 34) } else { ("+card-dim", 0) };
        scene.add(fan.card(format!("{card}{veil}"), n, count, raised));
    }
    scene.add(Sprite::new("suit-H", 110, 110, 80, 80));
    scene.add(SceneLabel::new("16", 190, 110, 60, "score").bold());
    for (n, card) in ["card-QC", "card-8H", "card-AC"].into_iter().enumerate() {
        scene.add(Sprite::new(card, 800 + 85 * n as i16, 110, 80, 112));
    }
    scene
}

fn table() -> Scene {
    let mut scene = Scene::new(1080, 760);
    scene.add(Sprite::new("blot-table", 540, 380, 1080, 760));
    for (card, x, y) in [
        ("card-QD", 540, 490),
        ("card-10S", 730, 380),
        ("card-KC", 540, 270),
        ("card-AH", 350, 380),
    ] {
        scene.add(Sprite::new(card, x, y, 143, 200));
    }
    scene.add(Sprite::new("card-slot", 900, 380, 143, 200));
    for (n, (x, y)) in [(540, 700), (905, 560), (540, 60), (175, 560)].into_iter().enumerate() {
        let (plate, ink) = if n == 0 { ("plate-turn", "name-turn") } else { ("plate", "name") };
        scene.add(Sprite::new(plate, x, y, 328, 52));
        scene.add(SceneLabel::new("Բագրատ", x, y, 30, ink).bold().fitted(264));
    }
    scene.add(Sprite::new("blot-dealer", 730, 700, 56, 56));
    scene.add(Sprite::new("blot-turn", 540, 640, 48, 48).turned(180));
    scene.add(Sprite::new("blot-trick", 130, 170, 90, 76));
    scene.add(Sprite::new("card-back", 940, 180, 100, 140).turned(12));
    for (n, suit) in ["suit-C", "suit-D", "suit-H", "suit-S", "suit-N"].into_iter().enumerate() {
        scene.add(Sprite::new(suit, 250 + 70 * n as i16, 120, 60, 60));
    }
    scene
}
