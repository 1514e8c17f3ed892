//! The board that the page draws looks as the picture of it does.

use image::imageops::{FilterType, crop_imm, resize};
use image::{ImageFormat, RgbImage};
use serde_json::Value;
use tempfile::TempDir;

use crate::browser::{come_in, say};
use crate::page_program::Program;
use crate::webdriver::Browser;

/// How much the two may differ: letters are of another font where the machine has not ours, edges
/// fall between pixels, and a picture has 255 colours. Mean of all channels, and the part of all
/// pixels that differ in one by more than [`SEEN_METRIC`], in thousandths.
const MEAN: f64 = 10.0;
const SEEN: u8 = 72;
const SEEN_PART: usize = 50;

/// The reader is to move, and nothing is animated.
const MINE: &str = "document.querySelector('#table:not([hidden]):not(.moving)') \
    && document.querySelector('#table .spot, #table .key[data-press^=\"p.\"]')";

fn decoded(png: &[u8]) -> RgbImage {
    image::load_from_memory_with_format(png, ImageFormat::Png).unwrap().to_rgb8()
}

/// What the page shows in a frame, without what glows. A browser moves a drawing to whole pixels
/// by rules of its own: what lies a pixel beside the frame is another of its looks.
async fn drawn(browser: &Browser, frame: &str) -> Vec<RgbImage> {
    let bare = "for (const it of document.querySelectorAll('.spots')) it.style.display = 'none';
        const svg = document.querySelector('#FRAME svg'), box = svg.getBoundingClientRect();
        const [, , wide, high] = svg.getAttribute('viewBox').split(' ').map(Number);
        const scale = Math.min(box.width / wide, box.height / high);
        const standing = { xMidYMin: 0, xMidYMax: 1 }[svg.getAttribute('preserveAspectRatio')];
        return [box.left + (box.width - wide * scale) / 2,
            box.top + (box.height - high * scale) * (standing ?? 0.5), wide * scale, high * scale]";
    let at = browser.run(&bare.replace("FRAME", frame)).await;
    let at: Vec<u32> =
        at.as_array().unwrap().iter().map(|it| it.as_f64().unwrap().round() as u32).collect();
    let seen = decoded(&browser.picture().await);
    let beside = (0..9).map(|n| (at[0] + n % 3 - 1, at[1] + n / 3 - 1));
    beside.map(|(x, y)| crop_imm(&seen, x, y, at[2], at[3]).to_image()).collect()
}

/// The newest picture of the room that is for all, or for this person alone.
async fn sent(browser: &Browser, base: &str, only: bool) -> RgbImage {
    let me = browser.run("return sessionStorage.getItem('me')").await;
    let me: Value = serde_json::from_str(me.as_str().unwrap()).unwrap();
    let token = me["token"].as_str().unwrap();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let get = async |path: &str| {
        let request = client.get(format!("{base}{path}")).bearer_auth(token);
        request.send().await.unwrap().bytes().await.unwrap()
    };
    let room: Value = serde_json::from_slice(&get("/api/rooms/lobby").await).unwrap();
    let mut boards = room["messages"].as_array().unwrap().iter();
    let board = boards.rfind(|it| it["only"] == only && !it["image"].is_null()).unwrap();
    decoded(&get(board["image"]["src"].as_str().unwrap()).await)
}

/// The mean difference, and how many thousandths of the pixels differ visibly.
fn differ(one: &RgbImage, other: &RgbImage) -> (f64, usize) {
    let (mut sum, mut seen) = (0u64, 0);
    for (a, b) in one.pixels().zip(other.pixels()) {
        let apart = [0, 1, 2].map(|n| a.0[n].abs_diff(b.0[n]));
        sum += apart.iter().map(|it| u64::from(*it)).sum::<u64>();
        seen += usize::from(apart.iter().any(|it| *it > SEEN));
    }
    let pixels = one.pixels().len();
    (sum as f64 / (3 * pixels) as f64, 1000 * seen / pixels)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_living_board_looks_as_its_picture_does() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    come_in(&browser, &program.base, "Ann").await;
    browser.calm().await;
    browser.screen(1280, 800).await;
    // The table of cards is turned to each person's side on the page alone; the hand is the same.
    let games = [
        ("/togyz computer", 660, "table-board", false),
        ("/thaayam computer", 1130, "table-board", false),
        ("/blot computer", 620, "table-hand", true),
    ];
    for (command, high, frame, only) in games {
        say(&browser, command).await;
        let shape = format!("document.querySelector('#{frame} svg').getAttribute('viewBox')");
        browser.wait(&format!("{MINE} && {shape} === '0 0 1080 {high}'")).await;
        let page = drawn(&browser, frame).await;
        let picture = sent(&browser, &program.base, only).await;
        let (width, height) = page[0].dimensions();
        let picture = resize(&picture, width, height, FilterType::Triangle);
        let apart = page.iter().map(|it| differ(it, &picture));
        let (mean, seen) = apart.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        eprintln!("{command}: mean difference {mean:.2}, {seen} ‰ of the pixels seen");
        assert!(mean < MEAN && seen < SEEN_PART, "{command}: {mean} {seen}");
    }
}
