//! Checks that nothing hidden is in the log or in the names of metrics.

use std::fmt::{Debug, Write as _};
use std::sync::Arc;

use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};
use tracing::Subscriber;
use tracing::field::{Field, Visit};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use super::secrets;
use super::world::World;

/// Runs `work` and checks that nothing hidden is logged or counted meanwhile.
pub fn by<T>(world: &Arc<World>, work: impl FnOnce() -> T) -> T {
    let logs = tracing_subscriber::registry().with(Logs(world.clone()));
    let counts = Counts(world.clone());
    tracing::subscriber::with_default(logs, || metrics::with_local_recorder(&counts, work))
}

struct Logs(Arc<World>);

impl<S: Subscriber> Layer<S> for Logs {
    fn on_event(&self, event: &tracing::Event<'_>, _context: Context<'_, S>) {
        let mut line = Text(event.metadata().target().to_owned());
        event.record(&mut line);
        self.0.count("lines logged");
        secrets::overheard(&self.0, &line.0);
    }
}

/// All fields of an event, as text.
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {}={value:?}", field.name()).expect("writing to a string never fails");
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        write!(self.0, " {}={value}", field.name()).expect("writing to a string never fails");
    }
}

struct Counts(Arc<World>);

impl Counts {
    fn check_key(&self, key: &Key) {
        let mut text = key.name().to_owned();
        for label in key.labels() {
            text.extend([" ", label.key(), "=", label.value()]);
        }
        secrets::overheard(&self.0, &text);
    }
}

impl Recorder for Counts {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        self.check_key(key);
        Counter::noop()
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        self.check_key(key);
        Gauge::noop()
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        self.check_key(key);
        Histogram::noop()
    }
}
