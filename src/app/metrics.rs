//! Exports the bot's metrics for Prometheus.

use anyhow::Context;
use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use caravanserai_bot::repository::quarantine::QuarantineInput;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// Upper bounds of the buckets of every histogram, in seconds.
const SECONDS_BUCKETS: [f64; 12] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];
/// Time from a button press until everyone at the table sees the result, by platform.
const SEEN_METRIC: &str = "caravanserai_press_to_board_seconds";
/// Time until the server of the page has answered a request.
const HTTP_METRIC: &str = "caravanserai_http_seconds";
/// Finer buckets for [`SEEN_METRIC`], because players feel these differences.
const SEEN_BUCKETS: [f64; 12] = [0.05, 0.1, 0.15, 0.25, 0.4, 0.6, 1.0, 2.0, 3.5, 7.5, 15.0, 60.0];
/// Counters that are exported as zero from the start, to tell "not yet" from "not counted".
const ZERO_COUNTERS: [&str; 5] = [
    "caravanserai_clock_steps_total",
    "caravanserai_decryption_failures_total",
    "caravanserai_log_lines_lost_total",
    "caravanserai_panics_total",
    "caravanserai_store_failures_total",
];

/// The help text of each metric.
pub const HELP: [(&str, &str); 30] = [
    ("caravanserai_accounts_deleted_total", "People whose data was deleted."),
    ("caravanserai_archived_games_total", "Finished games whose log became a record."),
    ("caravanserai_build_info", "The version of the program."),
    ("caravanserai_clock_steps_total", "How often the system clock was stepped."),
    ("caravanserai_commits_total", "Commits to the store caused by what people did."),
    ("caravanserai_update_handling_seconds", "Time until the answer to an update was decided."),
    ("caravanserai_deletion_kept_logs_total", "Logs in which a deleted person is still named."),
    ("caravanserai_disk_free_bytes", "Free bytes on the disk of the data folder."),
    (
        "caravanserai_games_removed_total",
        "Finished games removed because their chat keeps games for a limited time.",
    ),
    (HTTP_METRIC, "Time until the web page's server answered."),
    ("caravanserai_http_requests_total", "Answers of the web page's server, by status class."),
    (
        "caravanserai_last_backup_timestamp_seconds",
        "When `caravanserai backup` last succeeded, in Unix time; 0 if it never has.",
    ),
    ("caravanserai_log_lines_lost_total", "Log lines that could not be written."),
    (
        "caravanserai_oldest_outbox_message_seconds",
        "How long the oldest message waits to be sent to a chat where the bot may write.",
    ),
    (
        "caravanserai_decryption_failures_total",
        "Stored values that could not be decrypted: damaged, moved, or of a missing key.",
    ),
    ("caravanserai_open_tables", "Tables that wait for players or are played at."),
    ("caravanserai_panics_total", "Panics that were caught."),
    ("caravanserai_paused_chats", "Chats with waiting messages that forbid the bot to write."),
    ("caravanserai_people_at_tables", "People with a seat at an open table."),
    (
        "caravanserai_platform_state_timestamp_seconds",
        "Since when a platform is as it is, in Unix time.",
    ),
    ("caravanserai_platform_up", "Whether a platform is served."),
    (
        "caravanserai_reencrypted_values_total",
        "Stored values encrypted again by conversion or rotation.",
    ),
    ("caravanserai_results_rebuilt_total", "Results recomputed by rebuilds of the ratings."),
    (SEEN_METRIC, "Time from a press until the board shows it, by platform."),
    ("caravanserai_sends_total", "Calls to platforms, by outcome."),
    (
        "caravanserai_quarantined_inputs_total",
        "Inputs quarantined because handling them panicked, by kind.",
    ),
    ("caravanserai_store_failures_total", "Failed write checks of the store."),
    ("caravanserai_store_up", "Whether the store takes writes."),
    (
        "caravanserai_outbox_messages",
        "Messages that wait to be sent to chats where the bot may write.",
    ),
    ("caravanserai_updates_total", "Updates received, by platform."),
];

/// Records everything counted with the `metrics` macros. Cheap to clone.
#[derive(Clone)]
pub struct Metrics {
    handle: PrometheusHandle,
}

impl Metrics {
    /// Installs the recorder for the whole process.
    ///
    /// # Errors
    /// If a recorder was installed before.
    pub fn install_recorder() -> anyhow::Result<Self> {
        let handle = PrometheusBuilder::new()
            .set_buckets(&SECONDS_BUCKETS)
            .context("the buckets are in order")?
            .set_buckets_for_metric(Matcher::Full(SEEN_METRIC.to_owned()), &SEEN_BUCKETS)
            .context("the buckets are in order")?
            .install_recorder()
            .context("failed to start metrics")?;
        for (name, help) in HELP {
            describe_metric(name, help);
        }
        metrics::gauge!("caravanserai_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1);
        for name in ZERO_COUNTERS {
            metrics::counter!(name).increment(0);
        }
        for kind in QuarantineInput::KINDS {
            metrics::counter!("caravanserai_quarantined_inputs_total", "kind" => kind).increment(0);
        }
        Ok(Self { handle })
    }

    /// All metrics in the text format of Prometheus.
    pub fn render(&self) -> String {
        self.handle.run_upkeep();
        self.handle.render()
    }

    /// The route `/metrics`.
    pub fn routes(self) -> Router {
        Router::new().route("/metrics", get(render_page)).with_state(self)
    }
}

/// Sets the help text of a metric; the name determines its kind.
fn describe_metric(name: &'static str, help: &'static str) {
    if name.ends_with("_total") {
        metrics::describe_counter!(name, help);
    } else if [SEEN_METRIC, HTTP_METRIC, "caravanserai_update_handling_seconds"].contains(&name) {
        metrics::describe_histogram!(name, help);
    } else {
        metrics::describe_gauge!(name, help);
    }
}

async fn render_page(State(metrics): State<Metrics>) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, metrics.render()).into_response()
}
