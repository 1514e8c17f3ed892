//! The whole program in one process: all platforms at once, also when one cannot be reached.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use caravanserai::config::Config;
use caravanserai::run;
use caravanserai::shutdown::{Shutdown, ShutdownTrigger, shutdown_pair};
use tempfile::TempDir;
use tokio::task::JoinHandle;

use crate::fake_discord::FakeDiscord;
use crate::fake_discord::signed::Signing;
use crate::fake_telegram::{FakeTelegram, TOKEN};

/// Generous: nothing here should take a second.
const PATIENCE: Duration = Duration::from_secs(30);

struct Running {
    task: JoinHandle<anyhow::Result<()>>,
    stopper: ShutdownTrigger,
    _folder: TempDir,
}

fn start(settings: &[(&str, String)]) -> Running {
    let folder = TempDir::new().unwrap();
    let mut environment: BTreeMap<String, String> = BTreeMap::new();
    let data = folder.path().join("data").display().to_string();
    environment.insert("DATA_DIR".into(), data);
    for (key, value) in settings {
        environment.insert((*key).to_owned(), value.clone());
    }
    let config = Config::load(&environment, None, Path::new(folder.path())).unwrap();
    let (stopper, stop): (ShutdownTrigger, Shutdown) = shutdown_pair();
    let task = tokio::spawn(run::run_bot(config, None, stop));
    Running { task, stopper, _folder: folder }
}

impl Running {
    async fn end(self) {
        self.stopper.request_stop();
        tokio::time::timeout(PATIENCE, self.task).await.unwrap().unwrap().unwrap();
    }
}

/// A port where nobody listens.
async fn nowhere() -> String {
    let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    format!("http://{}", socket.local_addr().unwrap())
}

async fn opens_a_table_on_discord(dc: &FakeDiscord) {
    tokio::time::timeout(PATIENCE, dc.connected()).await.unwrap();
    let ann = dc.user("ann");
    let channel = dc.channel("games", &[&ann]);
    ann.slash(&channel, "togyz", &[]);
    let is_open = |dc: &FakeDiscord| {
        dc.visible_to(&ann, &channel).iter().any(|it| it.text.contains("is waiting"))
    };
    dc.wait_until("a table", is_open).await;
    assert_eq!(dc.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn one_process_serves_every_platform_at_once() {
    let (tg, dc) = (FakeTelegram::start().await, FakeDiscord::start().await);
    let running = start(&[
        ("TELEGRAM_TOKEN", TOKEN.to_owned()),
        ("TELEGRAM_API_URL", tg.url()),
        ("DISCORD_TOKEN", dc.token()),
        ("DISCORD_API_URL", dc.api_url()),
        ("WEB", "on".to_owned()),
        ("WEB_LISTEN", "127.0.0.1:0".to_owned()),
    ]);
    opens_a_table_on_discord(&dc).await;
    let ann = tg.user("Ann");
    let group = tg.supergroup("Family", &[&ann]);
    ann.say(group, "/togyz");
    let is_open =
        |tg: &FakeTelegram| tg.visible_to(&ann, group).iter().any(|it| it.text.contains("waiting"));
    tg.wait_until("a table", is_open).await;
    assert_eq!(tg.violations(), Vec::<String>::new());
    running.end().await;
}

#[tokio::test]
async fn a_platform_that_cannot_be_reached_does_not_keep_the_others() {
    let dc = FakeDiscord::start().await;
    let running = start(&[
        ("TELEGRAM_TOKEN", TOKEN.to_owned()),
        ("TELEGRAM_API_URL", nowhere().await),
        ("DISCORD_TOKEN", dc.token()),
        ("DISCORD_API_URL", dc.api_url()),
    ]);
    opens_a_table_on_discord(&dc).await;
    running.end().await;
}

/// The settings of a bot to which this Discord posts commands and presses.
async fn posted_to(dc: &FakeDiscord) -> (u16, Vec<(&'static str, String)>) {
    let port = free_port().await;
    let signing = Signing::new(&format!("http://127.0.0.1:{port}/discord"), 7);
    dc.post_interactions(&signing);
    let settings = vec![
        ("DISCORD_TOKEN", dc.token()),
        ("DISCORD_API_URL", dc.api_url()),
        ("DISCORD_INTERACTIONS", "http".to_owned()),
        ("DISCORD_PUBLIC_KEY", signing.public_key()),
        ("HTTP_LISTEN", format!("127.0.0.1:{port}")),
    ];
    (port, settings)
}

#[tokio::test]
async fn discord_commands_arrive_by_http_and_texts_by_the_gateway() {
    let dc = FakeDiscord::start().await;
    let (port, settings) = posted_to(&dc).await;
    let running = start(&settings);
    opens_a_table_on_discord(&dc).await;
    let page = tokio::time::timeout(PATIENCE, readiness(port, "dc-gateway")).await.unwrap();
    assert_eq!(platform(&page, "dc")["state"], "serving", "{page:#}");
    let ann = dc.user("ann");
    let private = dc.dm(&ann);
    ann.say(&private, "/rules", None);
    dc.wait_until("the rules", |dc| dc.visible_to(&ann, &private).len() > 1).await;
    running.end().await;
}

#[tokio::test]
async fn a_key_of_another_application_stops_the_start_with_a_sentence() {
    let dc = FakeDiscord::start().await;
    let (_, mut settings) = posted_to(&dc).await;
    settings[3].1 = "02".repeat(32);
    let ended = tokio::time::timeout(PATIENCE, start(&settings).task).await.unwrap().unwrap();
    let said = format!("{:#}", ended.unwrap_err());
    assert!(said.contains("DISCORD_PUBLIC_KEY is that of another application"), "{said}");
    // Without the setting, commands that go elsewhere are reported instead of missed.
    let ended = tokio::time::timeout(PATIENCE, start(&settings[..2]).task).await.unwrap().unwrap();
    let said = format!("{:#}", ended.unwrap_err());
    assert!(said.contains("set DISCORD_INTERACTIONS=http"), "{said}");
}

/// What `/readyz` says of a platform, once it says that the other is served.
async fn readiness(port: u16, served: &str) -> serde_json::Value {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let url = format!("http://127.0.0.1:{port}/readyz");
    loop {
        if let Ok(answer) = client.get(&url).send().await {
            let page: serde_json::Value = answer.json().await.unwrap();
            if platform(&page, served)["state"] == "serving" {
                return page;
            }
        }
        tokio::task::yield_now().await;
    }
}

fn platform<'a>(page: &'a serde_json::Value, name: &str) -> &'a serde_json::Value {
    let all = page["platforms"].as_array().unwrap();
    all.iter().find(|it| it["name"] == name).unwrap()
}

async fn free_port() -> u16 {
    let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    socket.local_addr().unwrap().port()
}

#[tokio::test]
async fn a_wrong_token_is_reported_and_the_other_platform_runs() {
    let (tg, dc) = (FakeTelegram::start().await, FakeDiscord::start().await);
    let port = free_port().await;
    let running = start(&[
        ("TELEGRAM_TOKEN", "700000001:another-token".to_owned()),
        ("TELEGRAM_API_URL", tg.url()),
        ("DISCORD_TOKEN", dc.token()),
        ("DISCORD_API_URL", dc.api_url()),
        ("HTTP_LISTEN", format!("127.0.0.1:{port}")),
    ]);
    opens_a_table_on_discord(&dc).await;
    let page = tokio::time::timeout(PATIENCE, readiness(port, "dc")).await.unwrap();
    assert_eq!(page["ready"], true, "{page:#}");
    assert_eq!(page["store"]["accepts_writes"], true, "{page:#}");
    let telegram = platform(&page, "tg");
    assert_eq!(telegram["state"], "failing", "{page:#}");
    let why = telegram["problem"].as_str().unwrap();
    assert!(why.contains("TELEGRAM_TOKEN") && !why.contains("another-token"), "{why}");
    running.end().await;
}

#[tokio::test]
async fn a_chat_whose_port_is_taken_leaves_the_other_platforms_alone() {
    let dc = FakeDiscord::start().await;
    let taken = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = free_port().await;
    let running = start(&[
        ("WEB", "on".to_owned()),
        ("WEB_LISTEN", taken.local_addr().unwrap().to_string()),
        ("DISCORD_TOKEN", dc.token()),
        ("DISCORD_API_URL", dc.api_url()),
        ("HTTP_LISTEN", format!("127.0.0.1:{port}")),
    ]);
    opens_a_table_on_discord(&dc).await;
    let page = tokio::time::timeout(PATIENCE, readiness(port, "dc")).await.unwrap();
    let web = platform(&page, "web");
    assert_eq!(web["state"], "failing", "{page:#}");
    assert!(web["problem"].as_str().unwrap().contains("WEB_LISTEN"), "{page:#}");
    running.end().await;
}

#[tokio::test]
async fn a_chat_whose_port_is_taken_alone_ends_with_a_sentence() {
    let taken = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let running = start(&[("WEB_LISTEN", taken.local_addr().unwrap().to_string())]);
    let ended = tokio::time::timeout(PATIENCE, running.task).await.unwrap().unwrap();
    let said = format!("{:#}", ended.unwrap_err());
    assert!(said.contains("WEB_LISTEN: cannot listen on 127.0.0.1"), "{said}");
}

#[cfg(unix)]
#[tokio::test]
async fn the_data_folder_is_made_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let running = start(&[("WEB_LISTEN", "127.0.0.1:0".to_owned())]);
    let folder = running._folder.path().join("data");
    while !folder.join("store").exists() {
        tokio::task::yield_now().await;
    }
    let mode = std::fs::metadata(&folder).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700, "{mode:o}");
    running.end().await;
}

#[tokio::test]
async fn a_wrong_token_alone_stops_the_start_with_a_sentence() {
    let tg = FakeTelegram::start().await;
    let running = start(&[
        ("TELEGRAM_TOKEN", "700000001:another-token".to_owned()),
        ("TELEGRAM_API_URL", tg.url()),
    ]);
    let ended = tokio::time::timeout(PATIENCE, running.task).await.unwrap().unwrap();
    let said = format!("{:#}", ended.unwrap_err());
    assert!(said.contains("TELEGRAM_TOKEN") && !said.contains("another-token"), "{said}");
}
