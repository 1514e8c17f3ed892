//! Pictures: stored references, contrast, size, strange scenes.
//!
//! After a change that is meant to change pictures, look at them and store new references:
//! `UPDATE_GOLDEN=1 cargo test --test it render`. With `PICTURES=<folder>` the tests also leave
//! every picture there in four widths, for looking at.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod blindness;
mod blot;
mod contrast;
pub mod golden;
mod labels;
mod mocks;
pub mod positions;
mod sprites;
mod thaayam;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use caravanserai_games::scene::{
    Align, LAYER_SEPARATOR, Point, Scene, SceneItem, SceneLabel, Sprite, Trail,
};
use caravanserai_games::togyzkumalak::scene::scene;
use caravanserai_render::{
    DEFAULT_THEME, HAND_WIDTH, Renderer, STANDARD_WIDTH, THEMES, standard_width,
};
use image::{ImageFormat, RgbImage, RgbaImage};

use golden::golden;
use mocks::mocks;
use positions::{NAMES, pictures, start};

/// One for all tests: choosing the colours of a theme takes a moment.
pub fn renderer() -> Arc<Renderer> {
    static ONE: OnceLock<Arc<Renderer>> = OnceLock::new();
    Arc::clone(ONE.get_or_init(|| Arc::new(Renderer::embedded().unwrap())))
}

/// Widths in which pictures are looked at.
const WIDTHS: [u32; 4] = [320, 640, STANDARD_WIDTH, 1280];

/// The names of all themes.
fn themes() -> impl Iterator<Item = &'static str> {
    THEMES.iter().map(|files| files.name)
}

pub fn decode(png: &[u8]) -> RgbImage {
    image::load_from_memory_with_format(png, ImageFormat::Png).unwrap().to_rgb8()
}

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[test]
fn pictures_are_small_files() {
    let renderer = renderer();
    let rest =
        pictures().into_iter().chain(mocks().into_iter().filter(|it| it.0.starts_with("mock-")));
    let rest = rest.map(|(name, scene)| (DEFAULT_THEME, name, scene));
    for (theme, name, scene) in golden().into_iter().chain(rest) {
        let hand = name.starts_with("mock-hand") || name.starts_with("blot-hand");
        let width = if hand { HAND_WIDTH } else { standard_width(&scene) };
        let bytes = renderer.draw(&scene, theme, width).len();
        // A lesson is read, not played: it is drawn once, with many cards side by side.
        let most = if name.contains("lesson") { 72 } else { 60 };
        assert!(bytes < most * 1024, "{name} in {theme} has {bytes} bytes");
    }
}

#[test]
fn the_themes_are_seen_side_by_side_with_their_names() {
    use caravanserai_bot::commands::theme::{THEMES, theme_name};
    use caravanserai_games::GameId;
    use caravanserai_i18n::{I18n, Lang, vocabulary};
    let (renderer, i18n) = (renderer(), I18n::new());
    let game = GameId::all()[0];
    let scene = game.page_view(game.pages()[0], None, vocabulary(), &[]).unwrap().scene;
    for lang in Lang::all() {
        let name = |it: &&str| ((*it).to_owned(), i18n.translate_plain(*lang, &theme_name(it)));
        let names: Vec<_> = THEMES.iter().map(name).collect();
        let png = renderer.themes_side_by_side(&scene, &names);
        if let Some(folder) = std::env::var_os("PICTURES") {
            let file = format!("themes-{}.png", lang.code());
            std::fs::write(Path::new(&folder).join(file), &*png).unwrap();
        }
        assert!(png.len() < 300 * 1024, "{} bytes", png.len());
        let picture = decode(&png);
        let (width, height) = (picture.width() / 2, picture.height() / 2);
        let parts: BTreeSet<Vec<u8>> = [(0, 0), (1, 0), (0, 1), (1, 1)]
            .into_iter()
            .map(|(x, y)| {
                let part =
                    image::imageops::crop_imm(&picture, x * width, y * height, width, height);
                part.to_image().into_raw()
            })
            .collect();
        assert_eq!(parts.len(), THEMES.len(), "each looks different");
    }
}

#[test]
fn pictures_can_be_left_for_looking() {
    let Some(folder) = std::env::var_os("PICTURES") else { return };
    let renderer = renderer();
    for (name, scene) in pictures().into_iter().chain(mocks()) {
        for (theme, width) in themes().flat_map(|it| WIDTHS.map(|width| (it, width))) {
            let png = renderer.draw(&scene, theme, width);
            let file = format!("{theme}-{name}-{width}.png");
            std::fs::write(Path::new(&folder).join(file), &*png).unwrap();
        }
    }
}

#[test]
fn themes_have_what_the_games_need_and_nothing_else() {
    let renderer = renderer();
    let (mut sprites, mut inks) = (BTreeSet::new(), BTreeSet::new());
    for item in pictures().into_iter().chain(mocks()).flat_map(|(_, scene)| scene.items) {
        match item {
            SceneItem::Sprite(sprite) => {
                sprites.extend(sprite.name.split(LAYER_SEPARATOR).map(str::to_owned));
                continue;
            }
            SceneItem::Label(label) => inks.insert(label.ink.to_string()),
            SceneItem::Trail(trail) => inks.insert(trail.ink.to_string()),
        };
    }
    for theme in renderer.themes() {
        let drawings: BTreeSet<String> = theme.drawings().map(str::to_owned).collect();
        assert_eq!(drawings, sprites, "what there is and what is used");
        let colours: BTreeSet<String> = theme.inks().map(|(role, _)| role.to_owned()).collect();
        assert_eq!(colours, inks, "the colours there are and those that are used");
    }
}

#[test]
fn the_list_of_drawings_is_what_is_in_the_folders() {
    for files in THEMES {
        let path = folder("templates/art").join(files.name);
        let mut found = BTreeSet::new();
        for part in ["", "parts/"] {
            let Ok(entries) = std::fs::read_dir(path.join(part)) else { continue };
            let entries = entries.map(|entry| entry.unwrap().path());
            let drawings = entries.filter(|it| it.extension().is_some_and(|it| it == "svg"));
            let name = |it: PathBuf| format!("{part}{}", it.file_stem().unwrap().to_str().unwrap());
            found.extend(drawings.map(name));
        }
        let listed: BTreeSet<String> =
            files.drawings.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(
            listed, found,
            "the list in src/render/builtin_themes.rs and the folder {}",
            files.name
        );
    }
}

/// A colour that no lent drawing has any more would be a line without meaning.
#[test]
fn every_line_of_a_recolouring_recolours_something() {
    let lent = |name: &str| THEMES.iter().find(|it| it.name == name).unwrap();
    for files in THEMES {
        let settings: toml::Table = files.colours.parse().unwrap();
        let Some(base) = settings.get("base") else { continue };
        let base = lent(base.as_str().unwrap());
        let parts: String =
            base.drawings.iter().filter(|it| it.0.contains('/')).map(|it| it.1).collect();
        let own: BTreeSet<&str> = files.drawings.iter().map(|it| it.0).collect();
        for (names, colours) in settings["recolour"].as_table().unwrap() {
            let (start, end) = names.split_once('*').unwrap_or((names, ""));
            let drawn: String = base
                .drawings
                .iter()
                .filter(|it| it.0.starts_with(start) && it.0.ends_with(end) && !own.contains(it.0))
                .map(|it| it.1)
                .chain([parts.as_str()])
                .collect();
            for from in colours.as_table().unwrap().keys() {
                assert!(drawn.contains(from.as_str()), "{}: {names} has no {from}", files.name);
            }
        }
    }
}

#[test]
fn the_colours_of_the_theme_keep_the_picture() {
    let renderer = renderer();
    let mocks = mocks().into_iter().filter(|(name, _)| name.starts_with("mock-"));
    let mocks = mocks.map(|(name, scene)| (DEFAULT_THEME, name, scene));
    for (theme, name, scene) in golden().into_iter().chain(mocks) {
        let (pixels, width, height) = renderer.pixels(&scene, theme, 640);
        let pixels = RgbaImage::from_raw(width, height, pixels).unwrap();
        let full = image::DynamicImage::from(pixels).to_rgb8();
        let drawn = decode(&renderer.draw(&scene, theme, 640));
        let gaps = full.as_raw().iter().zip(drawn.as_raw()).map(|(a, b)| a.abs_diff(*b));
        let mean = gaps.map(f64::from).sum::<f64>() / full.as_raw().len() as f64;
        assert!(mean < 2.0, "{name} in {theme}: {mean:.2} of 255 away at the mean");
    }
}

#[test]
fn strange_scenes_are_drawn_all_the_same() {
    let renderer = renderer();
    let mut strange = Scene::new(0, u16::MAX);
    strange.add(Sprite::new("stone", i16::MAX, i16::MIN, u16::MAX, 1));
    strange.add(Sprite::new("", 0, 0, 0, 0));
    let mut scene = Scene::new(60, 9);
    for turn in [i16::MIN, -1, 90, i16::MAX] {
        scene.add(Sprite::new("no-such-thing", 30, 20, 20, 20).turned(turn));
    }
    scene.add(SceneLabel::new("\u{0}\u{202e}🌸\u{300}", 0, 0, u16::MAX, "no-such-ink").fitted(1));
    scene.add(SceneLabel::new("x".repeat(5_000), -5, -5, 9, "count").aligned(Align::End));
    scene.add(SceneLabel::new("", 0, 0, 0, "").bold());
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
fn earlier_drawings_do_not_show_through() {
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
    let boards = ["start", "majority"]
        .map(|wanted| pictures().into_iter().find(|(name, _)| *name == wanted).unwrap().1);
    for scene in &scenes {
        let [a, b] = boards.each_ref().map(|before| {
            renderer.draw_uncached(before, DEFAULT_THEME, 162);
            renderer.draw_uncached(scene, DEFAULT_THEME, 162)
        });
        assert_eq!(a, b);
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
    let alone = renderer.draw_uncached(&scene, DEFAULT_THEME, 320);
    assert!(all.iter().all(|png| **png == alone));
}
