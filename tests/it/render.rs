//! Pictures: stored references, contrast, size, strange scenes.
//!
//! After a change that is meant to change pictures, look at them and store new references:
//! `UPDATE_GOLDEN=1 cargo test --test it render`. With `PICTURES=<folder>` the tests also leave
//! every picture there in three widths, for looking at.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use caravanserai::games::togyzkumalak::lesson::{LESSONS, lesson};
use caravanserai::games::togyzkumalak::scene::scene;
use caravanserai::games::togyzkumalak::view::{End, LastMove, Pit, View};
use caravanserai::render::{DEFAULT_THEME, Renderer, STANDARD_WIDTH};
use caravanserai::rules::Seat;
use caravanserai::scene::{Align, Item, Label, Point, Scene, Sprite, Trail};
use image::{ImageFormat, RgbImage, RgbaImage};

const NAMES: [&str; 2] = ["Aigerim", "Բագրատ"];

fn start() -> View {
    View {
        variant: Default::default(),
        pits: [[9; 9]; 2],
        kazans: [0, 0],
        tuzdyks: [None, None],
        turn: Some(Seat(0)),
        extra: false,
        plies: 0,
        last: None,
        end: None,
    }
}

fn last(seat: u8, from: u8, stones: u8, to: (u8, u8), captured: u8) -> Option<LastMove> {
    Some(LastMove {
        seat: Seat(seat),
        from: from - 1,
        stones,
        to: Pit { side: Seat(to.0), index: to.1 - 1 },
        captured,
        tuzdyk: false,
        through: [0, 0],
    })
}

/// The positions that are looked at, with the names they are stored under.
fn pictures() -> Vec<(&'static str, Scene)> {
    let first_move = View {
        pits: [[9, 9, 9, 9, 9, 9, 1, 10, 10], [10, 10, 10, 10, 10, 0, 9, 9, 9]],
        kazans: [10, 0],
        turn: Some(Seat(1)),
        plies: 1,
        last: last(0, 7, 9, (1, 6), 10),
        ..start()
    };
    let tabiya = View {
        pits: [[1, 2, 20, 7, 19, 0, 1, 2, 0], [0, 0, 6, 18, 6, 7, 5, 1, 1]],
        kazans: [42, 24],
        tuzdyks: [Some(0), Some(5)],
        turn: Some(Seat(0)),
        plies: 20,
        last: last(1, 2, 1, (1, 3), 0),
        ..start()
    };
    let heaps = View {
        pits: [[0, 1, 2, 48, 12, 3, 4, 16, 5], [6, 7, 8, 0, 24, 11, 1, 13, 1]],
        kazans: [0, 0],
        turn: Some(Seat(0)),
        plies: 31,
        last: last(1, 7, 19, (1, 7), 0),
        ..start()
    };
    let majority = View {
        pits: [[1, 0, 3, 0, 2, 0, 1, 2, 0], [1, 1, 5, 7, 0, 6, 6, 0, 0]],
        kazans: [84, 43],
        tuzdyks: [Some(4), Some(1)],
        turn: None,
        plies: 120,
        last: last(0, 9, 2, (1, 1), 8),
        end: Some(End::Majority),
        ..start()
    };
    let draw = View {
        pits: [[0; 9]; 2],
        kazans: [81, 81],
        tuzdyks: [Some(2), Some(6)],
        turn: None,
        plies: 140,
        last: last(1, 9, 1, (0, 1), 0),
        end: Some(End::Atsyrau { collected: 13 }),
        ..start()
    };
    let extra = View {
        pits: [[0; 9], [0, 4, 0, 0, 0, 2, 3, 4, 3]],
        kazans: [71, 75],
        tuzdyks: [None, Some(3)],
        turn: Some(Seat(1)),
        extra: true,
        plies: 110,
        last: last(1, 9, 4, (0, 3), 4),
        ..start()
    };
    // More stones than there are: the largest picture that could be asked for.
    let full = View {
        pits: [[255; 9], [48; 9]],
        kazans: [255, 162],
        turn: Some(Seat(1)),
        extra: true,
        plies: 99,
        last: last(0, 5, 48, (1, 9), 48),
        ..start()
    };
    let long = ["Абылайхан Құнанбайұлы Жолдасбеков", "🌸 Mihranuhi Ter-Hovhannisyan 🌸"];
    let mut pictures = vec![
        ("start", scene(&start(), NAMES)),
        ("first-move", scene(&first_move, NAMES)),
        ("tabiya", scene(&tabiya, ["Ғани Әбдіқұлов", "Արամ"])),
        ("heaps", scene(&heaps, NAMES)),
        ("majority", scene(&majority, NAMES)),
        ("draw", scene(&draw, NAMES)),
        ("extra", scene(&extra, ["🌸🌸🌸", "李雷"])),
        ("names", scene(&tabiya, long)),
        ("full", scene(&full, NAMES)),
    ];
    let names = ["lesson-1", "lesson-2", "lesson-3", "lesson-4", "lesson-5", "lesson-6"];
    for (number, name) in (1..=LESSONS).zip(names) {
        pictures.push((name, lesson(number).unwrap().scene));
    }
    pictures
}

/// Pictures that are stored, with their width in pixels: small, but a stone can be seen.
const GOLDEN: [&str; 10] = [
    "start",
    "first-move",
    "tabiya",
    "heaps",
    "majority",
    "draw",
    "extra",
    "names",
    "lesson-4",
    "lesson-6",
];
const GOLDEN_WIDTH: u32 = 270;

/// Side of the squares that are compared, in pixels.
const SQUARE: u32 = 6;

/// How far the mean colour of a square may be from the stored one, in 255ths: rounding of
/// another processor stays below, a stone or a digit more is far above.
const TOLERANCE: u32 = 8;

/// One for all tests: choosing the colours of a theme takes a moment.
fn renderer() -> Arc<Renderer> {
    static ONE: OnceLock<Arc<Renderer>> = OnceLock::new();
    Arc::clone(ONE.get_or_init(|| Arc::new(Renderer::embedded().unwrap())))
}

fn decode(png: &[u8]) -> RgbImage {
    image::load_from_memory_with_format(png, ImageFormat::Png).unwrap().to_rgb8()
}

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The square in which two pictures differ most, and by how much.
fn difference(a: &RgbImage, b: &RgbImage) -> (u32, (u32, u32)) {
    assert_eq!(a.dimensions(), b.dimensions());
    let (width, height) = a.dimensions();
    let mut worst = (0, (0, 0));
    for top in (0..height).step_by(SQUARE as usize) {
        for left in (0..width).step_by(SQUARE as usize) {
            let (right, bottom) = ((left + SQUARE).min(width), (top + SQUARE).min(height));
            let mut gaps = [0i64; 3];
            for (x, y) in (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y))) {
                for (n, gap) in gaps.iter_mut().enumerate() {
                    *gap += i64::from(a.get_pixel(x, y)[n]) - i64::from(b.get_pixel(x, y)[n]);
                }
            }
            let size = i64::from((right - left) * (bottom - top));
            let gap = gaps.iter().map(|gap| gap.abs() / size).max().unwrap() as u32;
            worst = worst.max((gap, (left, top)));
        }
    }
    worst
}

#[test]
fn pictures_look_as_stored() {
    let renderer = renderer();
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    for (name, scene) in pictures().into_iter().filter(|(name, _)| GOLDEN.contains(name)) {
        let png = renderer.draw(&scene, DEFAULT_THEME, GOLDEN_WIDTH);
        let file = folder("tests/data/golden").join(format!("{name}.png"));
        if update {
            std::fs::write(&file, &*png).unwrap();
        }
        let (gap, place) = difference(&decode(&std::fs::read(&file).unwrap()), &decode(&png));
        assert!(gap <= TOLERANCE, "{name} differs by {gap} near {place:?}");
    }
}

#[test]
fn the_comparison_sees_one_stone() {
    let renderer = renderer();
    let mut other = start();
    other.pits[0][3] = 8;
    let [a, b] = [start(), other]
        .map(|view| decode(&renderer.draw(&scene(&view, NAMES), DEFAULT_THEME, GOLDEN_WIDTH)));
    assert!(difference(&a, &b).0 > 2 * TOLERANCE);
}

#[test]
fn pictures_are_small_files() {
    let renderer = renderer();
    for (name, scene) in pictures() {
        let bytes = renderer.draw(&scene, DEFAULT_THEME, STANDARD_WIDTH).len();
        assert!(bytes < 60 * 1024, "{name} has {bytes} bytes");
    }
}

#[test]
fn pictures_can_be_left_for_looking() {
    let Some(folder) = std::env::var_os("PICTURES") else { return };
    let renderer = renderer();
    for (name, scene) in pictures() {
        for width in [320, 640, STANDARD_WIDTH, 1280] {
            let png = renderer.draw(&scene, DEFAULT_THEME, width);
            std::fs::write(Path::new(&folder).join(format!("{name}-{width}.png")), &*png).unwrap();
        }
    }
}

#[test]
fn the_theme_has_what_the_games_need_and_nothing_else() {
    let renderer = renderer();
    let (mut sprites, mut inks) = (BTreeSet::new(), BTreeSet::new());
    for item in pictures().into_iter().flat_map(|(_, scene)| scene.items) {
        match item {
            Item::Sprite(sprite) => sprites.insert(sprite.name.to_string()),
            Item::Label(label) => inks.insert(label.ink.to_string()),
            Item::Trail(trail) => inks.insert(trail.ink.to_string()),
        };
    }
    for theme in renderer.themes() {
        let path = folder("templates/art").join(&theme.name);
        let files = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        let files: BTreeSet<String> = files
            .filter(|file| file.extension().is_some_and(|ending| ending == "svg"))
            .map(|file| file.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        let drawings: BTreeSet<String> = theme.drawings().map(str::to_owned).collect();
        assert_eq!(drawings, files, "the list in src/render/art.rs and the folder");
        assert_eq!(drawings, sprites, "what there is and what is used");
        let colours: BTreeSet<String> = theme.inks().map(|(role, _)| role.to_owned()).collect();
        assert_eq!(colours, inks, "the colours there are and those that are used");
    }
}

/// Relative luminance as the accessibility guidelines (WCAG 2) define it.
fn luminance(pixel: &[u8]) -> f64 {
    let linear = |n: usize| {
        let channel = f64::from(pixel[n]) / 255.0;
        if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(0) + 0.7152 * linear(1) + 0.0722 * linear(2)
}

/// Contrast of a label's strokes with what is below them, from two drawn pictures.
fn contrast(with: &[u8], without: &[u8]) -> Option<f64> {
    let gap = |n: usize| {
        let at = n * 4;
        (0..3).map(|c| u32::from(with[at + c].abs_diff(without[at + c]))).sum::<u32>()
    };
    let strongest = (0..with.len() / 4).map(gap).max().filter(|&gap| gap > 0)?;
    // Whole strokes only, not their soft edges.
    (0..with.len() / 4)
        .filter(|&n| gap(n) * 10 >= strongest * 9)
        .map(|n| {
            let [a, b] = [with, without].map(|pixels| luminance(&pixels[n * 4..]) + 0.05);
            if a > b { a / b } else { b / a }
        })
        .min_by(f64::total_cmp)
}

#[test]
fn words_and_digits_stand_out() {
    let renderer = renderer();
    for (name, scene) in pictures().into_iter().filter(|(name, _)| GOLDEN.contains(name)) {
        let mut bare = scene.clone();
        bare.items.retain(|item| !matches!(item, Item::Label(_)));
        let (without, _, _) = renderer.pixels(&bare, DEFAULT_THEME, 400);
        let labels: Vec<&Label> = scene.items.iter().filter_map(label).collect();
        let roles: BTreeSet<&str> = labels.iter().map(|label| label.ink.as_ref()).collect();
        for role in roles {
            let mut some = scene.clone();
            some.items.retain(|item| label(item).is_none_or(|label| label.ink == role));
            let (with, _, _) = renderer.pixels(&some, DEFAULT_THEME, 400);
            // What steps back at the end of a game need not be read quickly.
            let floor = if scene_is_over(&scene) { 3.0 } else { 4.5 };
            if let Some(contrast) = contrast(&with, &without) {
                assert!(contrast >= floor, "{name}: {role} has a contrast of {contrast:.2}");
            }
        }
    }
}

fn label(item: &Item) -> Option<&Label> {
    match item {
        Item::Label(label) => Some(label),
        Item::Sprite(_) | Item::Trail(_) => None,
    }
}

fn scene_is_over(scene: &Scene) -> bool {
    scene.items.iter().any(|item| matches!(item, Item::Sprite(sprite) if sprite.name == "veil"))
}

#[test]
fn the_colours_of_the_theme_keep_the_picture() {
    let renderer = renderer();
    for (name, scene) in pictures().into_iter().filter(|(name, _)| GOLDEN.contains(name)) {
        let (pixels, width, height) = renderer.pixels(&scene, DEFAULT_THEME, 640);
        let pixels = RgbaImage::from_raw(width, height, pixels).unwrap();
        let full = image::DynamicImage::from(pixels).to_rgb8();
        let drawn = decode(&renderer.draw(&scene, DEFAULT_THEME, 640));
        let gaps = full.as_raw().iter().zip(drawn.as_raw()).map(|(a, b)| a.abs_diff(*b));
        let mean = gaps.map(f64::from).sum::<f64>() / full.as_raw().len() as f64;
        assert!(mean < 2.0, "{name}: {mean:.2} of 255 away at the mean");
    }
}

#[test]
fn strange_scenes_are_drawn_all_the_same() {
    let renderer = renderer();
    let mut strange = Scene::new(0, u16::MAX);
    strange.add(Sprite::new("stone", i16::MAX, i16::MIN, u16::MAX, 1));
    strange.add(Sprite::new("", 0, 0, 0, 0));
    let mut scene = Scene::new(60, 40);
    for turn in [i16::MIN, -1, 90, i16::MAX] {
        scene.add(Sprite::new("no-such-thing", 30, 20, 20, 20).turned(turn));
    }
    scene.add(Label::new("\u{0}\u{202e}🌸\u{300}", 0, 0, u16::MAX, "no-such-ink").fitted(1));
    scene.add(Label::new("x".repeat(5_000), -5, -5, 9, "count").aligned(Align::End));
    scene.add(Label::new("", 0, 0, 0, "").bold());
    for points in [vec![], vec![(1, 1)], vec![(1, 1); 3], vec![(i16::MIN, 0), (i16::MAX, 9)]] {
        let points: Vec<Point> = points.into_iter().map(|(x, y)| Point { x, y }).collect();
        for (width, arrow) in [(0, true), (u16::MAX, false)] {
            scene.add(Trail { points: points.clone(), width, ink: "path".into(), arrow });
        }
    }
    for scene in [strange, scene] {
        for width in [0, 64, u32::MAX] {
            if scene.width > 0 || width < 1_000 {
                let png = renderer.draw(&scene, "no-such-theme", width);
                assert!(decode(&png).width() >= 16);
            }
        }
    }
}

#[test]
fn what_was_drawn_before_does_not_shine_through() {
    let renderer = Renderer::embedded().unwrap();
    let fill = |name: &'static str, x, y, width, height| {
        let mut scene = Scene::new(81, 61);
        scene.add(Sprite::new(name, x, y, width, height));
        scene
    };
    let scenes = [
        Scene::new(81, 61),
        fill("togyz-board", 40, 30, 81, 61),
        fill("togyz-board", 41, 31, 81, 61),
        fill("stone", 40, 30, 81, 61),
    ];
    let fresh = |scene| Renderer::embedded().unwrap().draw_anew(scene, DEFAULT_THEME, 162);
    for scene in &scenes {
        renderer.draw_anew(&self::scene(&start(), NAMES), DEFAULT_THEME, 162);
        assert_eq!(renderer.draw_anew(scene, DEFAULT_THEME, 162), fresh(scene));
    }
}

#[test]
fn a_missing_sprite_leaves_a_grey_place() {
    let mut scene = Scene::new(60, 40);
    scene.add(Sprite::new("no-such-thing", 30, 20, 20, 20));
    let (pixels, width, _) = renderer().pixels(&scene, DEFAULT_THEME, 60);
    let middle = (20 * width as usize + 30) * 4;
    assert_eq!(pixels[middle..middle + 4], [200, 200, 200, 255]);
}

#[tokio::test]
async fn many_at_once_get_the_same_picture() {
    let renderer = renderer();
    let scene = scene(&start(), NAMES);
    let draw = || renderer.draw_async(scene.clone(), DEFAULT_THEME.to_owned(), 320);
    let all = futures::future::join_all((0..8).map(|_| draw())).await;
    let alone = renderer.draw_anew(&scene, DEFAULT_THEME, 320);
    assert!(all.iter().all(|png| **png == alone));
}
