//! What an operator relies on: health checks, metrics, and a clean shutdown.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use caravanserai::config::{Config, Environment};
use caravanserai::health::{self, HealthCheck};
use caravanserai::logs;
use caravanserai::metrics::{HELP, Metrics};
use caravanserai::shutdown::shutdown_pair;
use caravanserai::store_identity;
use caravanserai::store_startup::open_store_with_retries;
use caravanserai_platform_shared::backoff::Backoff;
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Commit, OpenError, Put, Space, Store, StoreError};
use parking_lot::Mutex;

/// The recorder of this process, which can be installed once.
static METRICS: LazyLock<Metrics> = LazyLock::new(|| Metrics::install_recorder().unwrap());

#[tokio::test]
async fn health_follows_the_store_and_metrics_are_counted() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let metrics = METRICS.clone();
    assert!(Metrics::install_recorder().is_err());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let health = Arc::new(HealthCheck::new(Arc::clone(&store)));
    let app = health.routes().merge(metrics.routes());
    let (stopper, asked) = shutdown_pair();
    let server = tokio::spawn(async move {
        axum::serve(listener, app).with_graceful_shutdown(async move { asked.wait().await }).await
    });

    let healthz = format!("http://{address}/healthz");
    health::ask_running_bot(&healthz).await.unwrap();
    metrics::counter!("test_of_ops_total", "kind" => "a").increment(3);
    metrics::histogram!("test_of_ops_seconds").record(0.002);
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let page = client.get(format!("http://{address}/metrics")).send().await.unwrap();
    assert!(page.headers()["content-type"].to_str().unwrap().starts_with("text/plain"));
    let page = page.text().await.unwrap();
    assert!(page.contains("test_of_ops_total{kind=\"a\"} 3"), "{page}");
    assert!(page.contains("test_of_ops_seconds_bucket{le=\"0.0025\"} 1"), "{page}");
    assert!(page.contains("caravanserai_build_info{version="), "{page}");
    assert!(page.contains("# HELP caravanserai_build_info The version"), "{page}");
    // Prometheus sees no increase from nothing to one.
    assert!(page.contains("caravanserai_quarantined_inputs_total{kind=\"update\"} "), "{page}");
    assert!(page.contains("\ncaravanserai_decryption_failures_total "), "{page}");

    store.close().await.unwrap();
    assert!(health::ask_running_bot(&healthz).await.is_err());
    // A store that accepts no writes is no reason to restart the bot.
    health::ask_running_bot(&format!("http://{address}/livez")).await.unwrap();
    drop(client);
    stopper.request_stop();
    server.await.unwrap().unwrap();
    assert!(health::ask_running_bot(&healthz).await.is_err());
}

#[tokio::test]
async fn everybody_hears_the_stop_once_and_for_ever() {
    let (stopper, asked) = shutdown_pair();
    assert!(!asked.is_requested());
    let waiting: Vec<_> = (0..3)
        .map(|_| {
            let asked = asked.clone();
            tokio::spawn(async move { asked.wait().await })
        })
        .collect();
    stopper.request_stop();
    for task in waiting {
        task.await.unwrap();
    }
    asked.wait().await;
    assert!(asked.is_requested());
    let (stopper, asked) = shutdown_pair();
    drop(stopper);
    asked.wait().await;
    assert!(asked.is_requested());
}

#[test]
fn health_is_asked_where_the_bot_listens() {
    let url = |pairs: &[(&str, &str)]| {
        let pairs = pairs.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        let environment: Environment = pairs.collect();
        let folder = tempfile::tempdir().unwrap();
        health::health_url(&Config::load(&environment, None, folder.path()).unwrap())
    };
    let on_all = url(&[("HTTP_LISTEN", "0.0.0.0:8080")]);
    assert_eq!(on_all.as_deref(), Some("http://127.0.0.1:8080/healthz"));
    let six = url(&[("HTTP_LISTEN", "[::]:8080")]);
    assert_eq!(six.as_deref(), Some("http://[::1]:8080/healthz"));
    assert_eq!(url(&[]).as_deref(), Some("http://127.0.0.1:8787/healthz"));
    assert_eq!(url(&[("TELEGRAM_TOKEN", "1:a")]), None);
}

/// Keeps what is written.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn logs_are_masked_in_both_formats() {
    for format in ["text", "json"] {
        let environment: Environment = [
            ("TELEGRAM_TOKEN", "123:HUSH-telegram"),
            ("DISCORD_TOKEN", "HUSH.discord"),
            ("LOG_FORMAT", format),
            ("LOG", "warn,quiet=error"),
        ]
        .map(|(name, value)| (name.into(), value.into()))
        .into();
        let folder = tempfile::tempdir().unwrap();
        let config = Config::load(&environment, None, folder.path()).unwrap();
        let kept = Kept::default();
        let writer = kept.clone();
        let logs = logs::build_subscriber(&config, false, move || writer.clone()).unwrap();
        tracing::subscriber::with_default(logs, || {
            tracing::warn!(url = "https://x/bot123:HUSH-telegram/getMe", "failed, HUSH.discord");
            tracing::error!("twice 123%3AHUSH-telegram HUSH-telegram ә");
            tracing::info!("too fine");
            tracing::warn!(target: "quiet", "not asked for");
        });
        let text = String::from_utf8(kept.0.lock().clone()).unwrap();
        assert!(!text.contains("HUSH"), "{text}");
        assert!(text.contains("https://x/bot********/getMe") && text.contains("ә"), "{text}");
        assert_eq!(text.lines().count(), 2, "{text}");
        if format == "json" {
            for line in text.lines() {
                let line: serde_json::Value = serde_json::from_str(line).unwrap();
                assert!(line["level"].is_string() && line["message"].is_string(), "{line}");
            }
        }
    }
}

fn settings(folder: &Path, pairs: &[(&str, String)]) -> Config {
    let data = folder.join("data").display().to_string();
    let mut environment: Environment = [("DATA_DIR".into(), data)].into();
    environment.extend(pairs.iter().map(|(name, value)| ((*name).into(), value.clone())));
    Config::load(&environment, None, folder).unwrap()
}

/// No pauses between tries.
fn at_once() -> Backoff {
    Backoff::new(Duration::ZERO, Duration::ZERO)
}

#[tokio::test]
async fn a_store_that_is_away_at_the_start_is_waited_for() {
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let folder = tempfile::tempdir().unwrap();
    let config = settings(folder.path(), &[("HTTP_LISTEN", address.to_string())]);
    let (_stopper, stop) = shutdown_pair();
    let there = Arc::new(AtomicBool::new(false));
    let is_there = Arc::clone(&there);
    let open = move || {
        let is_there = is_there.load(Ordering::SeqCst);
        async move {
            tokio::task::yield_now().await;
            match is_there {
                true => Ok(Arc::new(MemoryStore::new()) as Arc<dyn Store>),
                false => Err(OpenError::Retryable("nobody answers".into())),
            }
        }
    };
    let metrics = METRICS.clone();
    let waiting = tokio::spawn(async move {
        open_store_with_retries(&config, Some(&metrics), &stop, at_once(), open).await
    });
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let ask = async |path: &str| loop {
        if let Ok(answer) = client.get(format!("http://{address}{path}")).send().await {
            return (answer.status().as_u16(), answer.text().await.unwrap());
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(ask("/healthz").await.0, 200);
    assert_eq!(ask("/livez").await.0, 200);
    let (status, page) = ask("/readyz").await;
    assert_eq!(status, 503);
    assert!(page.contains("nobody answers"), "{page}");
    // The bot is not down, its store is: there is an alert for each.
    let (status, page) = ask("/metrics").await;
    assert_eq!(status, 200);
    assert!(page.contains("caravanserai_build_info{") && page.contains("caravanserai_store_up "));
    there.store(true, Ordering::SeqCst);
    assert!(waiting.await.unwrap().unwrap().is_some());
    // The port is free for the bot itself.
    tokio::net::TcpListener::bind(address).await.unwrap();
}

#[tokio::test]
async fn a_lasting_error_ends_the_start_and_a_stop_ends_the_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let config = settings(folder.path(), &[("TELEGRAM_TOKEN", "1:a".into())]);
    let (stopper, stop) = shutdown_pair();
    let damaged = || async { Err::<(), _>(StoreError::Failed("it is damaged".into()).into()) };
    let ended = open_store_with_retries(&config, None, &stop, at_once(), damaged).await;
    assert!(ended.err().unwrap().to_string().contains("it is damaged"));
    let away = || {
        stopper.request_stop();
        async { Err::<(), _>(OpenError::Retryable("nobody answers".into())) }
    };
    let stopped = open_store_with_retries(&config, None, &stop, at_once(), away).await;
    assert!(stopped.unwrap().is_none());
}

#[tokio::test]
async fn an_empty_store_that_was_not_empty_before_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let config = settings(folder.path(), &[]);
    std::fs::create_dir(&config.data_dir).unwrap();
    let store = MemoryStore::new();
    store_identity::verify_store_identity(&config, &store).await.unwrap();
    store_identity::verify_store_identity(&config, &store).await.unwrap();
    let vanished = MemoryStore::new();
    for _ in 0..2 {
        let refused = store_identity::verify_store_identity(&config, &vanished).await.unwrap_err();
        assert!(matches!(refused, OpenError::Permanent(_)));
        let words = refused.to_string();
        assert!(words.contains("is empty and was not before"), "{words}");
        assert!(words.contains("caravanserai restore") && words.contains("store-id"), "{words}");
    }
    // A store that was restored, or written by an earlier program, is not empty.
    let restored = MemoryStore::new();
    restored
        .commit(Commit::from_puts(vec![Put::new(Space::ChatProfile, "tg:1", "{}")]))
        .await
        .unwrap();
    store_identity::verify_store_identity(&config, &restored).await.unwrap();
    // Without the file an empty store is accepted.
    std::fs::remove_file(config.data_dir.join("store-id")).unwrap();
    store_identity::verify_store_identity(&config, &vanished).await.unwrap();
}

#[tokio::test]
async fn another_store_than_before_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let config = settings(folder.path(), &[]);
    std::fs::create_dir(&config.data_dir).unwrap();
    let file = config.data_dir.join("store-id");
    let (store, other) = (MemoryStore::new(), MemoryStore::new());
    store_identity::verify_store_identity(&config, &store).await.unwrap();
    let id = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    store_identity::verify_store_identity(&config, &other).await.unwrap();
    assert_ne!(std::fs::read_to_string(&file).unwrap(), id);
    let refused = store_identity::verify_store_identity(&config, &store).await.unwrap_err();
    assert!(matches!(refused, OpenError::Permanent(_)));
    let words = refused.to_string();
    assert!(
        words.contains("is another store than before") && words.contains("store-id"),
        "{words}"
    );
    // A file that a power cut left without its text names no store.
    std::fs::write(&file, "").unwrap();
    store_identity::verify_store_identity(&config, &store).await.unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), id);
}

#[test]
fn every_metric_has_a_help_text() {
    let mut found = Vec::new();
    for file in crate::source_checks::files_under("src") {
        for kind in ["counter!(\"", "gauge!(\"", "histogram!(\""] {
            let used = file.text.split(kind).skip(1);
            found.extend(used.map(|it| it.split('"').next().unwrap().to_owned()));
        }
    }
    assert!(found.len() > 10, "{found:?}");
    for name in found {
        assert!(HELP.iter().any(|(it, _)| *it == name), "{name} has no help text");
    }
}
