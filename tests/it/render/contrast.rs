//! Words and digits can be read: their contrast is measured in drawn pictures.

use std::collections::BTreeSet;

use caravanserai_games::scene::{Scene, SceneItem, SceneLabel};

use super::golden::golden;
use super::renderer;

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
    for (theme, name, scene) in golden() {
        let mut bare = scene.clone();
        bare.items.retain(|item| !matches!(item, SceneItem::Label(_)));
        let (without, _, _) = renderer.pixels(&bare, theme, 400);
        let labels: Vec<&SceneLabel> = scene.items.iter().filter_map(label).collect();
        let roles: BTreeSet<&str> = labels.iter().map(|label| label.ink.as_ref()).collect();
        for role in roles {
            let mut some = scene.clone();
            some.items.retain(|item| label(item).is_none_or(|label| label.ink == role));
            let (with, _, _) = renderer.pixels(&some, theme, 400);
            // What steps back at the end of a game need not be read quickly.
            let floor = if scene_is_over(&scene) { 3.0 } else { 4.5 };
            if let Some(contrast) = contrast(&with, &without) {
                assert!(
                    contrast >= floor,
                    "{name} in {theme}: {role} has a contrast of {contrast:.2}"
                );
            }
        }
    }
}

fn label(item: &SceneItem) -> Option<&SceneLabel> {
    match item {
        SceneItem::Label(label) => Some(label),
        SceneItem::Sprite(_) | SceneItem::Trail(_) => None,
    }
}

fn scene_is_over(scene: &Scene) -> bool {
    scene
        .items
        .iter()
        .any(|item| matches!(item, SceneItem::Sprite(sprite) if sprite.name == "veil"))
}
