//! The numbers that the bot counts, as Prometheus reads them.

use anyhow::Context;
use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// Upper bounds of the buckets of every histogram, in seconds.
const SECONDS_BUCKETS: [f64; 12] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];
/// From a press until everybody sees what came of it, by platform.
const SEEN: &str = "caravanserai_press_seen_seconds";
/// The same for that: people feel the difference between them.
const SEEN_BUCKETS: [f64; 12] = [0.05, 0.1, 0.15, 0.25, 0.4, 0.6, 1.0, 2.0, 3.5, 7.5, 15.0, 60.0];
/// What is there from the start, so that nobody takes "not yet" for "never".
const FROM_THE_START: [&str; 4] = [
    "caravanserai_clock_steps_total",
    "caravanserai_log_lines_lost_total",
    "caravanserai_panics_total",
    "caravanserai_store_failures_total",
];

/// Everything that is counted with the `metrics` macros. Cheap to clone.
#[derive(Clone)]
pub struct Metrics {
    handle: PrometheusHandle,
}

impl Metrics {
    /// From now on everything counted with the `metrics` macros is kept, once for the process.
    ///
    /// # Errors
    /// If that had been done already.
    pub fn install() -> anyhow::Result<Self> {
        let handle = PrometheusBuilder::new()
            .set_buckets(&SECONDS_BUCKETS)
            .context("the buckets are in order")?
            .set_buckets_for_metric(Matcher::Full(SEEN.to_owned()), &SEEN_BUCKETS)
            .context("the buckets are in order")?
            .install_recorder()
            .context("metrics cannot be started")?;
        metrics::gauge!("caravanserai_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1);
        for name in FROM_THE_START {
            metrics::counter!(name).increment(0);
        }
        Ok(Self { handle })
    }

    /// All numbers in Prometheus' text form.
    pub fn render(&self) -> String {
        self.handle.run_upkeep();
        self.handle.render()
    }

    /// `/metrics` gives the numbers.
    pub fn routes(self) -> Router {
        Router::new().route("/metrics", get(page)).with_state(self)
    }
}

async fn page(State(metrics): State<Metrics>) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, metrics.render()).into_response()
}
