//! A very small client of the WebDriver protocol, for a headless Chromium.
//!
//! fantoccini would bring 22 crates (29 with TLS), eleven of them second versions of crates that
//! are here already, and one under the MPL. It would replace the plain requests below, about 90
//! lines; waiting in the page, touch, emulated screens and the list of complaints would stay.
//!
//! Nothing sleeps: waiting happens inside the page, which looks again after each change.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde_json::{Value, json};
use tempfile::TempDir;

/// How often a driver that ends at once is started again.
const STARTED_MOST: u32 = 5;
/// How often a page that is reloaded is asked the same.
const ASKED_MOST: u32 = 5_000;

/// The key under which the protocol hands out elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
const WAIT_MS: u64 = 20_000;
/// The interval at which a condition is checked, in ms.
const LOOK_MS: u64 = 40;
/// How long a finger stays down for a press, in seconds.
const TAP_S: f64 = 0.06;

/// Special keys of the protocol.
pub mod keys {
    pub const BACKSPACE: &str = "\u{e003}";
    pub const TAB: &str = "\u{e004}";
    pub const ENTER: &str = "\u{e007}";
    pub const ESCAPE: &str = "\u{e00c}";
    pub const END: &str = "\u{e010}";
    pub const HOME: &str = "\u{e011}";
    pub const LEFT: &str = "\u{e012}";
    pub const UP: &str = "\u{e013}";
    pub const RIGHT: &str = "\u{e014}";
    pub const DOWN: &str = "\u{e015}";
    /// Is held down until the other keys are up.
    pub const SHIFT: &str = "\u{e008}";
}

/// A running browser. Ends with the value, also when a test fails.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    client: reqwest::Client,
    _profile: TempDir,
}

impl Browser {
    /// Starts one, or says that there is none here. Where the tests must be complete (`CI` is
    /// set) that is a failure.
    pub async fn start() -> Option<Browser> {
        let program = std::env::var("CHROMEDRIVER").unwrap_or_else(|_| "chromedriver".into());
        let (driver, port) = match driver(&program) {
            Ok(driver) => driver,
            Err(why) => {
                assert!(std::env::var_os("CI").is_none(), "{program} is needed here: {why}");
                eprintln!("skipped: no {program} on this machine ({why})");
                return None;
            }
        };
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let profile = TempDir::new().unwrap();
        let mut browser =
            Browser { driver, port, session: String::new(), client, _profile: profile };
        let folder = browser._profile.path().display().to_string();
        let args = [
            "--headless".to_owned(),
            "--no-sandbox".into(),
            "--disable-gpu".into(),
            "--disable-dev-shm-usage".into(),
            "--no-first-run".into(),
            "--disable-background-networking".into(),
            "--disable-component-update".into(),
            "--disable-sync".into(),
            "--lang=en".into(),
            "--window-size=1280,900".into(),
            format!("--user-data-dir={folder}"),
        ];
        let options = json!({ "args": args, "prefs": { "intl.accept_languages": "en" } });
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL" },
            "timeouts": { "script": WAIT_MS + 5_000, "pageLoad": 30_000 },
        } } });
        let made = browser.call("POST", "/session", wanted).await;
        browser.session = made["sessionId"].as_str().expect("a session").to_owned();
        Some(browser)
    }

    /// Opens an address in the current tab.
    pub async fn open(&self, url: &str) {
        self.post("/url", json!({ "url": url })).await;
    }

    /// The current tab.
    pub async fn tab(&self) -> String {
        let tab = self.call("GET", &self.path("/window"), Value::Null).await;
        tab.as_str().unwrap().to_owned()
    }

    /// Opens a new tab and goes there.
    pub async fn new_tab(&self) -> String {
        let made = self.post("/window/new", json!({ "type": "tab" })).await;
        let tab = made["handle"].as_str().unwrap().to_owned();
        self.switch(&tab).await;
        tab
    }

    /// Goes to a tab.
    pub async fn switch(&self, tab: &str) {
        self.post("/window", json!({ "handle": tab })).await;
    }

    /// Waits until an element is there that fits a CSS selector.
    pub async fn find(&self, css: &str) -> Element<'_> {
        self.wait(&format!("document.querySelector({})", json!(css))).await;
        let found = self.post("/element", json!({ "using": "css selector", "value": css })).await;
        Element { browser: self, id: found[ELEMENT].as_str().unwrap().to_owned() }
    }

    /// Types into the focused element.
    pub async fn keys(&self, keys: &str) {
        let down = |key: char| json!({ "type": "keyDown", "value": key.to_string() });
        let up = |key: char| json!({ "type": "keyUp", "value": key.to_string() });
        let shift = self::keys::SHIFT.chars().next().filter(|it| keys.starts_with(*it));
        let others = keys.chars().filter(|it| Some(*it) != shift);
        let pressed = others.flat_map(|key| [down(key), up(key)]);
        let held = shift.into_iter().map(down).chain(pressed).chain(shift.into_iter().map(up));
        let actions: Vec<Value> = held.collect();
        let actions =
            json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] });
        self.post("/actions", actions).await;
    }

    /// Runs a script; what it returns is the answer.
    pub async fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", json!({ "script": script, "args": [] })).await
    }

    /// The same where the page is reloaded on the way: a script that waits would be lost with
    /// the old page, so that this asks again and again.
    pub async fn wait_over_reload(&self, expression: &str) {
        let script = format!("try {{ return !!({expression}); }} catch {{ return false; }}");
        for _ in 0..ASKED_MOST {
            if self.run(&script).await == json!(true) {
                return;
            }
        }
        panic!("never came true, though the page was reloaded: {expression}");
    }

    /// Waits until an expression is true in the page, looking again at each change, but not at
    /// each step of what moves: that would keep the page busy.
    pub async fn wait(&self, expression: &str) {
        let script = format!(
            "const done = arguments[0];
             let looked = -Infinity;
             const look = () => {{ try {{ return !!({expression}); }} catch {{ return false; }} }};
             const end = result => {{ watch.disconnect(); clearInterval(again);
                 clearTimeout(late); done(result); }};
             const check = () => {{ if (look()) end(true); }};
             const watch = new MutationObserver(() => {{
                 if (performance.now() - looked < {LOOK_MS}) return;
                 check();
                 looked = performance.now(); }});
             const again = setInterval(check, {LOOK_MS});
             const late = setTimeout(() => end(false), {WAIT_MS});
             watch.observe(document, {{ subtree: true, childList: true, attributes: true,
                 characterData: true }});
             check();"
        );
        let came = self.post("/execute/async", json!({ "script": script, "args": [] })).await;
        if came != json!(true) {
            let page = self
                .run(
                    "return [document.activeElement.outerHTML.slice(0, 200), \
                     document.querySelector('textarea')?.value, document.body.innerText]",
                )
                .await;
            let complaints = self.complaints().await;
            panic!("never came true: {expression}\nthe page says: {page}\n{complaints:?}");
        }
    }

    /// Gives the page the size of a screen, in CSS pixels.
    pub async fn screen(&self, width: u32, height: u32) {
        let params = json!({ "width": width, "height": height, "deviceScaleFactor": 1,
            "mobile": width < 600 });
        self.devtools("Emulation.setDeviceMetricsOverride", params).await;
    }

    /// `light` or `dark`.
    pub async fn colours(&self, scheme: &str) {
        let feature = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": feature })).await;
    }

    /// Emulates a person who prefers reduced motion.
    pub async fn calm(&self) {
        let feature = json!([{ "name": "prefers-reduced-motion", "value": "reduce" }]);
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": feature })).await;
    }

    /// Touches an element with a finger, somewhere where it is seen: nothing is scrolled.
    pub async fn tap(&self, element: &str) {
        let (x, y) = self.spot_of(element).await;
        // The times are those of a finger: the driver lifts it only when the page has answered.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64();
        let down = json!({ "type": "touchStart", "timestamp": now,
            "touchPoints": [{ "x": x, "y": y }] });
        self.devtools("Input.dispatchTouchEvent", down).await;
        let up = json!({ "type": "touchEnd", "timestamp": now + TAP_S, "touchPoints": [] });
        self.devtools("Input.dispatchTouchEvent", up).await;
    }

    /// Lays a finger on an element and lets it rest there.
    pub async fn lay_finger(&self, element: &str) {
        let (x, y) = self.spot_of(element).await;
        let points = json!({ "type": "touchStart", "touchPoints": [{ "x": x, "y": y }] });
        self.devtools("Input.dispatchTouchEvent", points).await;
    }

    /// Takes the finger away again.
    pub async fn lift_finger(&self) {
        let none = json!({ "type": "touchEnd", "touchPoints": [] });
        self.devtools("Input.dispatchTouchEvent", none).await;
    }

    /// Where an element is seen and can be touched.
    async fn spot_of(&self, element: &str) -> (Value, Value) {
        let seen = format!(
            "const it = {element}, box = (it.querySelector('rect') ?? it).getBoundingClientRect();
             for (const down of [0.5, 0.2, 0.8]) for (const across of [0.5, 0.2, 0.8, 0.1]) {{
                 const x = Math.round(box.left + box.width * across);
                 const y = Math.round(box.top + box.height * down);
                 if (it.contains(document.elementFromPoint(x, y))) return [x, y];
             }}
             return [innerWidth, innerHeight, it.outerHTML.slice(0, 300), JSON.stringify(box)];"
        );
        let at = self.run(&seen).await;
        assert!(at[2].is_null(), "it is not seen: {at}");
        (at[0].clone(), at[1].clone())
    }

    /// Keeps a picture of what is seen for people who look at it: `NAME.png` in `SCREENSHOTS_DIR`,
    /// if that is set. Without it nothing is drawn, so a busy machine has no page to wait for.
    pub async fn screenshot(&self, name: &str) {
        if let Some(folder) = std::env::var_os("SCREENSHOTS_DIR") {
            let png = self.picture().await;
            std::fs::write(std::path::Path::new(&folder).join(format!("{name}.png")), png).unwrap();
        }
    }

    /// A PNG of what is seen.
    pub async fn picture(&self) -> Vec<u8> {
        let picture = self.call("GET", &self.path("/screenshot"), Value::Null).await;
        from_base64(picture.as_str().unwrap())
    }

    /// What pages have complained of since the last call: errors and warnings, without what the
    /// browser says by itself about requests that failed.
    pub async fn complaints(&self) -> Vec<String> {
        let log = self.post("/se/log", json!({ "type": "browser" })).await;
        let bad = |it: &&Value| {
            matches!(it["level"].as_str(), Some("SEVERE" | "WARNING")) && it["source"] != "network"
        };
        let log = log.as_array().expect("a list of entries");
        log.iter().filter(bad).map(ToString::to_string).collect()
    }

    /// Asks a page that waits for something itself; `arguments[0]` takes the answer.
    pub async fn ask(&self, script: &str) -> Value {
        self.post("/execute/async", json!({ "script": script, "args": [] })).await
    }

    /// Sends a command of the browser's own protocol.
    pub async fn devtools(&self, cmd: &str, params: Value) -> Value {
        self.post("/goog/cdp/execute", json!({ "cmd": cmd, "params": params })).await
    }

    /// Cuts the browser off from the network, or connects it again.
    pub async fn set_offline(&self, is_offline: bool) {
        let conditions = json!({ "offline": is_offline, "latency": 0, "downloadThroughput": -1,
            "uploadThroughput": -1 });
        self.devtools("Network.enable", json!({})).await;
        self.devtools("Network.emulateNetworkConditions", conditions).await;
    }

    fn path(&self, rest: &str) -> String {
        format!("/session/{}{rest}", self.session)
    }

    async fn post(&self, rest: &str, body: Value) -> Value {
        self.call("POST", &self.path(rest), body).await
    }

    async fn call(&self, method: &str, path: &str, body: Value) -> Value {
        let url = format!("http://127.0.0.1:{}{path}", self.port);
        let request = match method {
            "GET" => self.client.get(url),
            _ => self.client.post(url).json(&body),
        };
        let answer = request.timeout(Duration::from_secs(60)).send().await.expect("the driver");
        let status = answer.status();
        let mut answer: Value = answer.json().await.expect("JSON of the driver");
        assert!(status.is_success(), "{method} {path}: {answer}");
        answer["value"].take()
    }
}

/// An element of a page.
pub struct Element<'a> {
    browser: &'a Browser,
    id: String,
}

impl Element<'_> {
    /// Presses the mouse button on it.
    pub async fn click(&self) {
        self.browser.post(&format!("/element/{}/click", self.id), json!({})).await;
    }

    /// Types into it.
    pub async fn type_in(&self, text: &str) {
        let path = format!("/element/{}/value", self.id);
        self.browser.post(&path, json!({ "text": text })).await;
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver ends its browser when asked to; killing it would leave the browser behind.
        if let Ok(mut socket) = TcpStream::connect(("127.0.0.1", self.port)) {
            let _ = socket.set_read_timeout(Some(Duration::from_secs(10)));
            let ask = format!(
                "GET /shutdown HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n",
                self.port
            );
            let _ = socket.write_all(ask.as_bytes());
            let _ = socket.read_to_end(&mut Vec::new());
        } else {
            let _ = self.driver.kill();
        }
        let _ = self.driver.wait();
    }
}

/// A driver, and where it listens. Where another took the port that it had chosen it ends at once:
/// then another one is started.
fn driver(program: &str) -> std::io::Result<(Child, u16)> {
    for _ in 0..STARTED_MOST {
        let mut driver = Command::new(program)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        if let Some(port) = port_of(&mut driver) {
            return Ok((driver, port));
        }
        driver.wait()?;
    }
    panic!("{program} ended {STARTED_MOST} times before it told its port");
}

/// The driver says on which port it listens.
fn port_of(driver: &mut Child) -> Option<u16> {
    let mut lines = BufReader::new(driver.stdout.take().expect("piped")).lines();
    let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let (_, port) = line.split_once("successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    // Its later output must be read, or it would stop at a full pipe.
    std::thread::spawn(move || lines.for_each(drop));
    port
}

fn from_base64(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for four in text.trim_end_matches('=').as_bytes().chunks(4) {
        let bits = four.iter().fold(0u32, |bits, c| bits << 6 | u32::from(value(*c)));
        let bits = bits << (6 * (4 - four.len()));
        bytes.extend(&bits.to_be_bytes()[1..four.len()]);
    }
    bytes
}
