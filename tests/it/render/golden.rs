//! Pictures look as the stored ones in `tests/data/golden` do.

use caravanserai_games::scene::Scene;
use caravanserai_games::togyzkumalak::scene::scene;
use caravanserai_render::DEFAULT_THEME;
use image::RgbImage;

use super::positions::{NAMES, pictures, start};
use super::{decode, folder, renderer, themes};

/// Pictures that are stored, in the first theme.
const GOLDEN: [&str; 28] = [
    "start",
    "first-move",
    "tabiya",
    "heaps",
    "majority",
    "draw",
    "extra",
    "names",
    "lesson-tuzdyk",
    "lesson-end",
    "thaayam-sharing",
    "thaayam-crowded",
    "thaayam-ten",
    "thaayam-won",
    "thaayam-lesson-kill",
    "chart-togyz",
    "chart-thaayam",
    "scripts",
    "blot-auction",
    "blot-kaput",
    "blot-announced",
    "blot-shown",
    "blot-names",
    "blot-over",
    "blot-hand-follow",
    "blot-hand-auction",
    "blot-hand-courts",
    "blot-lesson-trick",
];

/// Those of them that are stored in the other themes too.
const IN_ALL: [&str; 10] = [
    "tabiya",
    "majority",
    "draw",
    "chart-thaayam",
    "thaayam-sharing",
    "thaayam-crowded",
    "thaayam-won",
    "blot-shown",
    "blot-over",
    "blot-hand-follow",
];

/// All that is stored: theme, name, scene.
pub fn golden() -> Vec<(&'static str, &'static str, Scene)> {
    let all = pictures()
        .into_iter()
        .flat_map(|(name, scene)| themes().map(move |theme| (theme, name, scene.clone())));
    all.filter(|(theme, name, _)| {
        GOLDEN.contains(name) && (*theme == DEFAULT_THEME || IN_ALL.contains(name))
    })
    .collect()
}

/// Their width in pixels: small, but a stone can be seen.
const GOLDEN_WIDTH: u32 = 270;

/// Side of the squares that are compared, in pixels.
const SQUARE: u32 = 6;

/// How far the mean colour of a square may be from the stored one, in 255ths: rounding of
/// another processor stays below, a stone or a digit more is far above.
pub const TOLERANCE: u32 = 8;

/// The square in which two pictures differ most, and by how much.
pub fn difference(a: &RgbImage, b: &RgbImage) -> (u32, (u32, u32)) {
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
    for (theme, name, scene) in golden() {
        let png = renderer.draw(&scene, theme, GOLDEN_WIDTH);
        let file = folder("tests/data/golden").join(theme).join(format!("{name}.png"));
        if update {
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, &*png).unwrap();
        }
        let (gap, chat) = difference(&decode(&std::fs::read(&file).unwrap()), &decode(&png));
        assert!(gap <= TOLERANCE, "{name} in {theme} differs by {gap} near {chat:?}");
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
