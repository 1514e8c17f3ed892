//! Measures how long people on a slow line wait for the page in a real browser: 400 kbit/s and 400
//! ms for each request, an empty cache. Run with `cargo bench --bench slow_line`; half a minute,
//! needs chromium and chromedriver. With `SHOW_REQUESTS` set it lists the requests of a first view.
//!
//! Target: the first board within 4 s of its address, for a person who has been here before.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    dead_code,
    reason = "the program and the client of the browser are shared with the tests"
)]

#[path = "../it/page_program.rs"]
mod page_program;
#[path = "../it/webdriver.rs"]
mod webdriver;

use std::time::{Duration, Instant};

use serde_json::json;

use self::page_program::Program;
use self::webdriver::{Browser, keys};

/// Runs with a browser of their own; the median is reported.
const RUNS: usize = 5;
/// Bytes in a second, in both directions.
const BYTES_PER_SECOND: u32 = 400_000 / 8;
/// The least time of each request, in milliseconds.
const LATENCY_MS: u32 = 400;

const LOBBY: &str = "document.querySelector('#room-name').textContent === 'lobby'";
const BOARD: &str = "(table => !table.hidden && table.querySelector('.background-layer'))\
                     (document.querySelector('#table'))";

/// Removes what the page keeps for use without a connection.
const FORGET: &str = "const done = arguments[0];
    const forget = async () => {
        const workers = await navigator.serviceWorker.getRegistrations();
        await Promise.all(workers.map(it => it.unregister()));
        const kept = await caches.keys();
        await Promise.all(kept.map(it => caches.delete(it)));
    };
    forget().then(() => done(true), it => done(String(it)))";

/// The waits of one person, in the order of [`NAMES`].
type Waits = [Duration; 4];

const NAMES: [&str; 4] = [
    "from the address to the question for a name",
    "from the name to the lobby",
    "from a command to the first board",
    "from the address of a table to its board, with an empty cache, by a known person",
];

fn main() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(measure())
}

async fn measure() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let program = Program::start(folder.path());
    let mut runs: Vec<Waits> = Vec::new();
    for number in 0..RUNS {
        let browser = Browser::start().await;
        let browser = browser.ok_or_else(|| anyhow::anyhow!("chromedriver is needed"))?;
        runs.push(visit(&browser, &program.base, number).await?);
    }
    println!("{BYTES_PER_SECOND} bytes/s, {LATENCY_MS} ms for each request, {RUNS} runs");
    for (n, name) in NAMES.iter().enumerate() {
        let mut waits: Vec<f64> = runs.iter().map(|it| it[n].as_secs_f64()).collect();
        waits.sort_by(f64::total_cmp);
        let (median, most) = (waits[RUNS / 2], waits[RUNS - 1]);
        println!("{name}: median {median:.2} s, at most {most:.2} s");
    }
    Ok(())
}

/// Prints when each request of the first view began and ended, if that is wanted.
async fn print_requests(browser: &Browser, number: usize) {
    if number > 0 || std::env::var_os("SHOW_REQUESTS").is_none() {
        return;
    }
    let script = "return performance.getEntriesByType('resource').map(it =>
        `${Math.round(it.startTime)} to ${Math.round(it.responseEnd)} ms, \
        ${it.encodedBodySize} bytes: ${it.name.replace(location.origin, '')}`)";
    let lines = browser.run(script).await;
    for line in lines.as_array().into_iter().flatten() {
        println!("{}", line.as_str().unwrap_or_default());
    }
}

/// Enters as a new person, plays a computer, and comes back to the table with an empty cache.
async fn visit(browser: &Browser, address: &str, number: usize) -> anyhow::Result<Waits> {
    browser.devtools("Network.enable", json!({})).await;
    let line = json!({ "offline": false, "latency": LATENCY_MS,
        "downloadThroughput": BYTES_PER_SECOND, "uploadThroughput": BYTES_PER_SECOND });
    browser.devtools("Network.emulateNetworkConditions", line).await;

    let began = Instant::now();
    browser.open(&format!("{address}/")).await;
    browser.wait("document.querySelector('#welcome[open] #welcome-name')").await;
    let welcome = began.elapsed();
    print_requests(browser, number).await;

    browser.find("#welcome[open] #welcome-name").await.type_in(&format!("Ann{number}")).await;
    let began = Instant::now();
    browser.keys(keys::ENTER).await;
    browser.wait(LOBBY).await;
    let lobby = began.elapsed();

    browser.find("#text").await.type_in("/togyz computer beginner").await;
    browser.keys(keys::ESCAPE).await;
    let began = Instant::now();
    browser.keys(keys::ENTER).await;
    browser.wait(BOARD).await;
    let first_board = began.elapsed();

    let table = browser.run("return location.href").await;
    let table = table.as_str().ok_or_else(|| anyhow::anyhow!("the page has no address"))?;
    browser.ask(FORGET).await;
    browser.open("about:blank").await;
    browser.devtools("Network.clearBrowserCache", json!({})).await;
    let began = Instant::now();
    browser.open(table).await;
    browser.wait(BOARD).await;
    Ok([welcome, lobby, first_board, began.elapsed()])
}
