//! The pictures in the README, made by the program and its page themselves:
//! `README_PICTURES=1 cargo test --test it readme_pictures` writes them to `templates/readme`.

use std::path::{Path, PathBuf};

use caravanserai_games::rules::{Node, Viewer};
use caravanserai_games::togyzkumalak;
use caravanserai_render::{DEFAULT_THEME, Renderer};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, Rgb, RgbImage};
use tempfile::TempDir;

use crate::browser::{come_in, say};
use crate::page_program::Program;
use crate::render::decode;
use crate::render::golden::{TOLERANCE, difference};
use crate::webdriver::Browser;
use crate::whole_game_browser::{board_says, press_where, sow};

/// The beginning of a game from federation records, with a tuzdyk.
const MOVES: [&str; 12] = ["7", "9", "6", "8", "1", "7", "2", "7", "4", "3", "9", "1"];
const NAMES: [&str; 2] = ["Aigerim", "Bagrat"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/readme")
}

/// Where a picture goes, if pictures are wanted.
fn wanted(name: &str) -> Option<PathBuf> {
    std::env::var_os("README_PICTURES")?;
    std::fs::create_dir_all(folder()).unwrap();
    Some(folder().join(name))
}

/// The picture in the README is what the program draws today; or it is written again.
fn shows(name: &str, drawn: &[u8]) {
    if let Some(path) = wanted(name) {
        return std::fs::write(path, drawn).unwrap();
    }
    let stored = std::fs::read(folder().join(name)).unwrap();
    let (worst, at) = difference(&decode(&stored), &decode(drawn));
    assert!(worst <= TOLERANCE, "{name} looks otherwise at {at:?}: README_PICTURES=1 writes it");
}

#[test]
fn the_board_after_a_dozen_moves() {
    let mut game = togyzkumalak::ID.start_match("seed", 2).unwrap();
    for token in MOVES {
        let Node::Act(seat) = game.node() else { panic!("the game goes on") };
        game.apply_action(seat, token).unwrap();
    }
    let scene = game.scene(Viewer::Public, &NAMES.map(str::to_owned), None);
    let png = Renderer::embedded().unwrap().draw(&scene, DEFAULT_THEME, 900);
    assert!(png.len() < 60 * 1024, "{} bytes", png.len());
    shows("board.png", &png);
}

#[test]
fn the_cloth_the_table_and_a_hand() {
    let pictures = [
        ("thaayam.png", "thaayam-sharing", 560),
        ("blot.png", "blot-shown", 800),
        ("hand.png", "blot-hand-follow", 640),
    ];
    let all = crate::render::positions::pictures();
    for (file, name, width) in pictures {
        let (_, scene) = all.iter().find(|(it, _)| *it == name).expect("it is among the stored");
        shows(file, &Renderer::embedded().unwrap().draw(scene, DEFAULT_THEME, width));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_at_their_phones() {
    let Some(path) = wanted("phones.png") else { return };
    let browser = Browser::start().await.expect("a browser is needed for this");
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    let mut tabs = vec![browser.tab().await];
    come_in(&browser, &program.base, NAMES[0]).await;
    tabs.push(browser.new_tab().await);
    come_in(&browser, &program.base, NAMES[1]).await;
    browser.switch(&tabs[0]).await;
    say(&browser, "Who plays a game?").await;
    say(&browser, "/togyz me").await;
    browser.switch(&tabs[1]).await;
    press_where(&browser, "it.dataset.press.startsWith('j.')").await;
    for (n, pit) in MOVES.into_iter().enumerate() {
        browser.switch(&tabs[n % 2]).await;
        board_says(&browser, &format!("{} is to move", NAMES[n % 2])).await;
        sow(&browser, pit).await;
    }
    let mut shots = Vec::new();
    for (tab, colours) in tabs.iter().zip(["light", "dark"]) {
        browser.switch(tab).await;
        browser.screen(400, 720).await;
        browser.colours(colours).await;
        board_says(&browser, &format!("{} is to move", NAMES[0])).await;
        browser.wait("document.querySelector('#side').getAnimations().length === 0").await;
        browser.wait("!document.querySelector('.toast')").await;
        browser.run("document.activeElement.blur()").await;
        let shot = browser.picture().await;
        shots.push(image::load_from_memory(&shot).unwrap().to_rgb8());
    }
    std::fs::write(path, side_by_side(&shots)).unwrap();
}

/// One picture of several of the same height.
fn side_by_side(shots: &[RgbImage]) -> Vec<u8> {
    const GAP: u32 = 16;
    let width = shots.iter().map(|it| it.width() + GAP).sum::<u32>() - GAP;
    let mut all = RgbImage::from_pixel(width, shots[0].height(), Rgb([255; 3]));
    let mut left = 0;
    for shot in shots {
        image::imageops::replace(&mut all, shot, i64::from(left), 0);
        left += shot.width() + GAP;
    }
    let mut png = Vec::new();
    PngEncoder::new_with_quality(&mut png, CompressionType::Best, FilterType::Adaptive)
        .write_image(all.as_raw(), all.width(), all.height(), ExtendedColorType::Rgb8)
        .unwrap();
    png
}
