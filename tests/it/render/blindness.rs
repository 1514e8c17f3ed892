//! The theme `contrast` can be read with each kind of colour blindness.
//!
//! How people see who lack one kind of cone is simulated with the matrices of G. M. Machado,
//! M. M. Oliveira and L. A. F. Fernandes, “A physiologically-based model for simulation of color
//! vision deficiency”, IEEE TVCG 15 (2009), severity 1. Differences are those of CIEDE2000
//! (G. Sharma, W. Wu, E. N. Dalal, 2005): 1 can just be seen side by side, 20 at a glance.

use caravanserai_games::scene::{Scene, Sprite};

use super::renderer;

/// The theme that promises it.
const THEME: &str = "contrast";

/// How different colours must be that tell things apart.
const FLOOR: f64 = 20.0;

type Colour = [f64; 3];
type Matrix = [Colour; 3];

const SIGHTS: [(&str, Matrix); 4] = [
    ("no colour blindness", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "protanopia",
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
    ),
    (
        "deuteranopia",
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
    ),
    (
        "tritanopia",
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    ),
];

/// An ink or a spot of a drawing: its name, and where to look, as parts of width and height.
type Spots = &'static [(&'static str, f64, f64)];

/// Drawings that mean different things, and where their colour is, in parts of their width
/// and height. Each must differ from each other one of its line.
const APART: &[(&str, Spots)] = &[
    (
        "pieces",
        &[
            ("thaayam-piece-0", 0.5, 0.2),
            ("thaayam-piece-1", 0.5, 0.2),
            ("thaayam-piece-2", 0.5, 0.2),
            ("thaayam-piece-3", 0.5, 0.2),
        ],
    ),
    (
        "palaces and fortress",
        &[
            ("thaayam-palace-0", 0.5, 0.33),
            ("thaayam-palace-1", 0.5, 0.33),
            ("thaayam-palace-2", 0.5, 0.33),
            ("thaayam-palace-3", 0.5, 0.33),
            ("thaayam-fortress", 0.5, 0.17),
        ],
    ),
    ("marks", &[("togyz-mark-0", 0.5, 0.17), ("togyz-mark-1", 0.5, 0.17)]),
    (
        "tuzdyks",
        &[("togyz-tuzdyk-0", 0.5, 0.2), ("togyz-tuzdyk-1", 0.5, 0.2), ("togyz-pit", 0.5, 0.2)],
    ),
    (
        "suits",
        &[
            ("suit-C", 0.5, 0.5),
            ("suit-D", 0.5, 0.5),
            ("suit-H", 0.5, 0.5),
            ("suit-S", 0.5, 0.5),
            ("card-AC", 0.05, 0.5),
        ],
    ),
    ("whose turn", &[("plate", 0.5, 0.5), ("plate-turn", 0.5, 0.5)]),
    ("whose turn", &[("thaayam-seat", 0.5, 0.2), ("thaayam-seat-turn", 0.5, 0.2)]),
    ("the row on turn", &[("togyz-row-turn", 0.5, 0.017), ("togyz-row-turn", 0.5, 0.5)]),
    ("what may be played", &[("card-AS", 0.85, 0.5), ("card-AS+card-dim", 0.85, 0.5)]),
    ("spent throws", &[("thaayam-throw", 0.32, 0.5), ("thaayam-throw+thaayam-spent", 0.32, 0.5)]),
    ("usable throws", &[("thaayam-throw", 0.5, 0.025), ("thaayam-throw-ready", 0.5, 0.025)]),
    ("the last move's end", &[("togyz-pit+togyz-to", 0.5, 0.035), ("togyz-pit", 0.5, 0.2)]),
    ("the last move's end", &[("thaayam-to", 0.5, 0.047), ("thaayam-to", 0.5, 0.005)]),
    ("the last move's end", &[("thaayam-to", 0.5, 0.005), ("thaayam-board", 0.13, 0.7)]),
    ("a kill", &[("thaayam-hit", 0.5, 0.1), ("thaayam-hit", 0.5, 0.3)]),
];

fn linear(channel: f64) -> f64 {
    if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
}

fn times(matrix: &Matrix, it: Colour) -> Colour {
    matrix.map(|row| row.iter().zip(it).map(|(a, b)| a * b).sum())
}

/// CIE L*a*b* (D65) of a pixel as a person with this sight sees it.
fn lab(pixel: [u8; 3], sight: &Matrix) -> Colour {
    let seen = times(sight, pixel.map(|it| linear(f64::from(it) / 255.0)));
    let xyz = times(
        &[
            [0.4124564, 0.3575761, 0.1804375],
            [0.2126729, 0.7151522, 0.0721750],
            [0.0193339, 0.1191920, 0.9503041],
        ],
        seen.map(|it| it.clamp(0.0, 1.0)),
    );
    let white = [0.95047, 1.0, 1.08883];
    let [x, y, z] = [0, 1, 2].map(|n| {
        let it: f64 = xyz[n] / white[n];
        if it > 0.008856 { it.cbrt() } else { 7.787 * it + 16.0 / 116.0 }
    });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// CIEDE2000 with all weights 1.
fn difference([l1, a1, b1]: Colour, [l2, a2, b2]: Colour) -> f64 {
    let part = |it: f64| (it.powi(7) / (it.powi(7) + 25f64.powi(7))).sqrt();
    let g = 1.5 - 0.5 * part((a1.hypot(b1) + a2.hypot(b2)) / 2.0);
    let hue = |a: f64, b: f64| {
        if a == 0.0 && b == 0.0 { 0.0 } else { b.atan2(a).to_degrees().rem_euclid(360.0) }
    };
    let (c1, c2) = ((a1 * g).hypot(b1), (a2 * g).hypot(b2));
    let (h1, h2) = (hue(a1 * g, b1), hue(a2 * g, b2));
    let grey = c1 * c2 == 0.0;
    let turn = if grey { 0.0 } else { (h2 - h1 + 540.0).rem_euclid(360.0) - 180.0 };
    let dh = 2.0 * (c1 * c2).sqrt() * (turn / 2.0).to_radians().sin();
    let (l, c) = ((l1 + l2) / 2.0, (c1 + c2) / 2.0);
    let h = if grey { h1 + h2 } else { (h1 + turn / 2.0).rem_euclid(360.0) };
    let cos = |degrees: f64| degrees.to_radians().cos();
    let t = 1.0 - 0.17 * cos(h - 30.0) + 0.24 * cos(2.0 * h) + 0.32 * cos(3.0 * h + 6.0)
        - 0.2 * cos(4.0 * h - 63.0);
    let far = (l - 50.0).powi(2);
    let sl = 1.0 + 0.015 * far / (20.0 + far).sqrt();
    let (sc, sh) = (1.0 + 0.045 * c, 1.0 + 0.015 * c * t);
    let around = 30.0 * (-((h - 275.0) / 25.0).powi(2)).exp();
    let rt = -2.0 * part(c) * (2.0 * around).to_radians().sin();
    let (l, c, h) = ((l2 - l1) / sl, (c2 - c1) / sc, dh / sh);
    (l * l + c * c + h * h + rt * c * h).sqrt()
}

/// The colour of a drawing at a chat, as the theme draws it.
fn colour(name: &'static str, x: f64, y: f64) -> [u8; 3] {
    let side = 200;
    let mut scene = Scene::new(side, side);
    scene.add(Sprite::new(name, side as i16 / 2, side as i16 / 2, side, side));
    let (pixels, width, _) = renderer().pixels(&scene, THEME, u32::from(side));
    let [x, y] = [x, y].map(|part| (part * f64::from(side)) as usize);
    let at = 4 * (y * width as usize + x);
    [pixels[at], pixels[at + 1], pixels[at + 2]]
}

#[test]
fn different_meanings_look_different_to_everybody() {
    for (sight, matrix) in &SIGHTS {
        for (what, drawings) in APART {
            for (n, a) in drawings.iter().enumerate() {
                for b in &drawings[n + 1..] {
                    let [one, other] = [a, b].map(|&(name, x, y)| colour(name, x, y));
                    let gap = difference(lab(one, matrix), lab(other, matrix));
                    assert!(
                        gap >= FLOOR,
                        "{what} with {sight}: {a:?} {one:?} and {b:?} {other:?}: {gap:.1}"
                    );
                }
            }
        }
    }
}

#[test]
fn differences_are_those_of_the_paper() {
    // Pairs 1, 7, 20 and 25 of the test data of Sharma, Wu and Dalal.
    let pairs = [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.3669),
        ([50.0, 2.5, 0.0], [58.0, 24.0, 15.0], 19.4535),
        ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
    ];
    for (a, b, expected) in pairs {
        let found = difference(a, b);
        assert!((found - expected).abs() < 0.0001, "{a:?} {b:?}: {found}");
    }
}
