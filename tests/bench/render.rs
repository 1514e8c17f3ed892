//! Measures the time from a scene to the bytes of its picture on one core: a board under 4 ms in
//! the median and under 60 KB, a hand under 2 ms; for comparison also the same scene as one SVG.
//! Start-up with all themes under 400 ms.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::hint::black_box;

use caravanserai_games::GameId;
use caravanserai_games::rules::{Entropy, Node, Seat, Viewer};
use caravanserai_games::scene::{LAYER_SEPARATOR, Scene, SceneItem};
use caravanserai_games::search::ThinkBudget;
use caravanserai_games::{blot, thaayam, togyzkumalak};
use caravanserai_render::{
    DEFAULT_THEME, HAND_WIDTH, Renderer, STANDARD_WIDTH, THEMES, standard_width,
};
use criterion::{Criterion, criterion_group, criterion_main};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Arbitrary but reproducible numbers.
struct Lcg(u64);

impl Entropy for Lcg {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }
}

/// The scene of a game after this number of actions, for this viewer.
fn moment(game: GameId, seats: u8, actions: usize, viewer: Viewer) -> Scene {
    let mut entropy = Lcg(7);
    let options = game.info().default_options();
    let mut played =
        game.start_match(&options, seats).expect("the default rules fit this number of seats");
    let mut beginner = game.computer("beginner").expect("every game has this level");
    let mut remaining = actions;
    while remaining > 0 {
        match played.node() {
            Node::Chance => {
                let outcome = played.draw_chance(&mut entropy);
                played.apply_chance(&outcome).expect("a drawn outcome can be applied");
            }
            Node::Act(seat) => {
                let question = played.engine_question(seat).expect("a player is to move");
                let budget = ThinkBudget::OF_LEVEL;
                let thought = beginner.think(&question, &budget, &mut entropy, &mut |_| {});
                let token = thought.expect("the question belongs to this game").action;
                played.apply_action(seat, &token).expect("players act by the rules");
                remaining -= 1;
            }
            Node::Over(_) => break,
        }
    }
    let names = ["Aigerim", "Բագրատ", "Ғани Әбдіқұлов", "Lakshmi"].map(str::to_owned);
    played.scene(viewer, &names, None)
}

/// A scene as one SVG file, without its labels: the SVG renderer is built without text.
fn as_svg(scene: &Scene, width: u32) -> String {
    let files =
        THEMES.iter().find(|it| it.name == DEFAULT_THEME).expect("the default theme exists");
    let drawings: BTreeMap<&str, &str> = files.drawings.iter().copied().collect();
    let height = width * u32::from(scene.height) / u32::from(scene.width);
    let mut defs = BTreeMap::new();
    let mut body = String::new();
    for item in &scene.items {
        let SceneItem::Sprite(sprite) = item else { continue };
        for name in sprite.name.split(LAYER_SEPARATOR) {
            let number = defs.len();
            let (number, _) = defs.entry(name).or_insert_with(|| {
                (
                    number,
                    as_symbol(drawings.get(name).copied().unwrap_or("<svg/>"), number, &drawings),
                )
            });
            let (x, y, turn) = (sprite.at.x, sprite.at.y, sprite.turn);
            let (left, top) = (f64::from(sprite.width) / -2.0, f64::from(sprite.height) / -2.0);
            write!(
                body,
                "<g transform=\"translate({x} {y}) rotate({turn}) translate({left} {top})\">\
                 <use href=\"#d{number}\" width=\"{}\" height=\"{}\"/></g>",
                sprite.width, sprite.height
            )
            .expect("writing to a string never fails");
        }
    }
    let defs: String = defs.into_values().map(|(_, it)| it).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {} {}\"><defs>{defs}</defs>{body}</svg>",
        scene.width, scene.height
    )
}

/// A drawing as a symbol whose ids do not collide with those of others.
fn as_symbol(svg: &str, number: usize, drawings: &BTreeMap<&str, &str>) -> String {
    let mut svg = svg.to_owned();
    for (name, part) in drawings.iter().filter(|(name, _)| name.starts_with("parts/")) {
        let file = format!("\"{name}.svg#");
        if svg.contains(&file) {
            let inside = part.find("<defs").and_then(|it| part.get(it..part.rfind("</svg>")?));
            let root = svg.find('>').map_or(0, |it| it + 1);
            svg = svg.replace(&file, "\"#");
            svg.insert_str(root, inside.unwrap_or_default());
        }
    }
    let prefix = format!("d{number}-");
    for before in ["id=\"", "href=\"#", "url(#"] {
        svg = svg.replace(before, &format!("{before}{prefix}"));
    }
    svg = svg.replacen("<svg", &format!("<symbol id=\"d{number}\""), 1);
    match svg.rfind("</svg>") {
        Some(end) => svg[..end].to_owned() + "</symbol>",
        None => svg.replace("/>", "></symbol>"),
    }
}

fn drawn_as_svg(svg: &str) -> Vec<u8> {
    let tree = Tree::from_str(svg, &Options::default()).expect("the SVG is valid");
    let (width, height) = (tree.size().width() as u32, tree.size().height() as u32);
    let mut pixmap = Pixmap::new(width, height).expect("the picture has a size");
    resvg::render(&tree, Transform::identity(), &mut pixmap.as_mut());
    pixmap.encode_png().expect("the picture can be encoded")
}

fn pictures(c: &mut Criterion) {
    let renderer = Renderer::embedded().expect("the templates are part of the program");
    let (public, own) = (Viewer::Public, Viewer::Seat(Seat(0)));
    let moments = [
        ("board/togyzkumalak/opening", moment(togyzkumalak::ID, 2, 1, public)),
        ("board/togyzkumalak/middle", moment(togyzkumalak::ID, 2, 30, public)),
        ("board/thaayam/opening", moment(thaayam::ID, 4, 8, public)),
        ("board/thaayam/middle", moment(thaayam::ID, 4, 90, public)),
        ("board/thaayam/turned", moment(thaayam::ID, 4, 90, Viewer::Seat(Seat(1)))),
        ("board/blot/auction", moment(blot::ID, 4, 2, public)),
        ("board/blot/trick", moment(blot::ID, 4, 14, public)),
        ("hand/blot/eight cards", moment(blot::ID, 4, 1, own)),
        ("hand/blot/trick", moment(blot::ID, 4, 14, own)),
    ];
    for (name, scene) in &moments {
        let width = if name.starts_with("hand") { HAND_WIDTH } else { standard_width(scene) };
        let size = renderer.draw_uncached(scene, DEFAULT_THEME, width).len();
        c.bench_function(&format!("{name}/{width} px, {size} bytes"), |b| {
            b.iter(|| renderer.draw_uncached(black_box(scene), DEFAULT_THEME, width));
        });
        c.bench_function(&format!("{name}/pixels only"), |b| {
            b.iter(|| renderer.pixels(black_box(scene), DEFAULT_THEME, width));
        });
        let svg = as_svg(scene, width);
        let size = drawn_as_svg(&svg).len();
        c.bench_function(&format!("{name}/as one SVG without words, {size} bytes"), |b| {
            b.iter(|| drawn_as_svg(black_box(&svg)));
        });
    }
    for theme in renderer.themes().map(|it| &it.name) {
        let (_, scene) = &moments[3];
        let width = standard_width(scene);
        let size = renderer.draw_uncached(scene, theme, width).len();
        c.bench_function(&format!("theme/{theme}/{size} bytes"), |b| {
            b.iter(|| renderer.draw_uncached(black_box(scene), theme, width));
        });
    }
    c.bench_function("seen before", |b| {
        b.iter(|| renderer.draw(black_box(&moments[1].1), DEFAULT_THEME, STANDARD_WIDTH));
    });
}

fn starting(c: &mut Criterion) {
    c.bench_function("start-up with all themes", |b| b.iter(Renderer::embedded));
    c.bench_function("start-up and the colours of all themes", |b| {
        b.iter(|| {
            let renderer = Renderer::embedded().expect("the templates are part of the program");
            renderer.themes().for_each(|it| renderer.warm_up(&it.name));
        });
    });
}

criterion_group!(benches, pictures, starting);
criterion_main!(benches);
