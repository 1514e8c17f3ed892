//! The drawings of Thaayam and Blot, each in its size.

use std::collections::BTreeSet;

use caravanserai_games::scene::{Scene, Sprite};
use caravanserai_render::{THEMES, Theme};

use super::{renderer, themes};

/// Names with the sizes in units that they are made for. Cards are listed by [`cards`].
pub const SIZES: &[(&str, u16, u16)] = &[
    ("blot-dealer", 60, 60),
    ("blot-hand", 1080, 620),
    ("blot-table", 1080, 760),
    ("blot-trick", 90, 76),
    ("blot-turn", 60, 60),
    ("card-back", 200, 280),
    ("card-dim", 200, 280),
    ("card-slot", 200, 280),
    ("suit-C", 120, 120),
    ("suit-D", 120, 120),
    ("suit-H", 120, 120),
    ("suit-N", 120, 120),
    ("suit-S", 120, 120),
    ("chart-moment", 50, 50),
    ("thaayam-badge", 50, 50),
    ("thaayam-board", 1080, 1130),
    ("thaayam-cloth", 850, 850),
    ("thaayam-die-black", 60, 60),
    ("thaayam-die-white", 60, 60),
    ("thaayam-fortress", 150, 150),
    ("thaayam-from", 150, 150),
    ("thaayam-hit", 120, 120),
    ("thaayam-home", 50, 50),
    ("thaayam-in-hand", 50, 50),
    ("thaayam-palace-0", 150, 150),
    ("thaayam-palace-1", 150, 150),
    ("thaayam-palace-2", 150, 150),
    ("thaayam-palace-3", 150, 150),
    ("thaayam-piece-0", 100, 100),
    ("thaayam-piece-1", 100, 100),
    ("thaayam-piece-2", 100, 100),
    ("thaayam-piece-3", 100, 100),
    ("thaayam-seat", 510, 110),
    ("thaayam-seat-turn", 510, 110),
    ("thaayam-spent", 170, 110),
    ("thaayam-throw", 170, 110),
    ("thaayam-throw-ready", 170, 110),
    ("thaayam-to", 150, 150),
];

pub fn cards() -> impl Iterator<Item = String> {
    let ranks = ["7", "8", "9", "10", "J", "Q", "K", "A"];
    ["C", "D", "H", "S"]
        .into_iter()
        .flat_map(move |suit| ranks.map(|rank| format!("card-{rank}{suit}")))
}

fn sizes() -> Vec<(String, u16, u16)> {
    let listed = SIZES.iter().map(|&(name, width, height)| (name.to_owned(), width, height));
    listed.chain(cards().map(|name| (name, 200, 280))).collect()
}

#[test]
fn every_sprite_of_the_list_shows_something() {
    let renderer = renderer();
    let known: BTreeSet<&str> = renderer.themes().flat_map(Theme::drawings).collect();
    for ((name, width, height), theme) in
        sizes().into_iter().flat_map(|it| themes().map(move |theme| (it.clone(), theme)))
    {
        assert!(known.contains(name.as_str()), "{name} is missing");
        // Black on black shows nothing: each lies on a card too.
        let pixels = |names: &[&'static str], own: bool| {
            let mut scene = Scene::new(width, height);
            let (x, y) = ((width / 2) as i16, (height / 2) as i16);
            for name in names {
                scene.add(Sprite::new(*name, x, y, width, height));
            }
            if own {
                scene.add(Sprite::new(name.clone(), x, y, width, height));
            }
            renderer.pixels(&scene, theme, u32::from(width)).0
        };
        let shown = |below: &[&'static str]| {
            let (with, without) = (pixels(below, true), pixels(below, false));
            with.chunks(4).zip(without.chunks(4)).filter(|(a, b)| a != b).count()
        };
        let shown = shown(&[]).max(shown(&["card-AS"]));
        assert!(
            shown * 100 > usize::from(width) * usize::from(height),
            "{name} in {theme} is almost empty"
        );
    }
}

#[test]
fn drawings_have_the_shape_they_are_listed_with() {
    for files in THEMES {
        for (name, width, height) in sizes() {
            let Some((_, svg)) = files.drawings.iter().find(|it| it.0 == name) else { continue };
            let (_, rest) = svg.split_once("viewBox=\"0 0 ").unwrap();
            let (own, _) = rest.split_once('"').unwrap();
            assert_eq!(own, format!("{width} {height}"), "{name} of {}", files.name);
        }
    }
}
