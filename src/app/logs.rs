//! Writes log lines without ever blocking, with secrets masked.
//!
//! A full disk behind the log, a stalled pipe or a closed terminal must not stop a game. So lines
//! wait in a short queue for a writing thread; lines that do not fit or cannot be written are
//! counted (`caravanserai_log_lines_lost_total`) and dropped.
//!
//! `tracing-appender` is not used. Its non-blocking writer counts the lines for which its queue has
//! no room, but not those that cannot be written: it ignores these errors, so that a full disk
//! behind the log would stay unnoticed. It also queues lines of any length. Its rolling files are
//! not needed, because lines go only to the standard error stream.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use anyhow::Context;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::SubscriberInitExt;

use super::config::{Config, LogFormat, SecretMasker};

/// At lower levels the Discord client library logs whole events in its spans: messages of users,
/// and tokens with which any reader could answer them. Its module `ws` logs such events at all
/// levels, when it cannot parse them. The libraries of the stores log whole queries and rows:
/// seeds, hands, codes.
pub const DEPENDENCY_FILTER: &str = "serenity=warn,serenity::gateway::ws=off,tungstenite=warn,\
     tokio_tungstenite=warn,tokio_postgres=info,sled=info";

/// Capacity of the queue, in lines.
const QUEUED_LINES_MAX: usize = 4_096;
/// Longest line, in bytes; longer ones are cut.
const LINE_BYTES_MAX: usize = 16 * 1024;
/// How long the end of the process waits for the last lines.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// Starts logging to the standard error stream.
///
/// # Errors
/// If the filter is invalid or logging was started before.
pub fn start_logging(config: &Config) -> anyhow::Result<LossyLogWriter> {
    let colours = io::stderr().is_terminal();
    let lines = LossyLogWriter::spawn(io::stderr());
    let writer = lines.clone();
    build_subscriber(config, colours, move || writer.clone())?
        .try_init()
        .map_err(|error| anyhow::anyhow!("logs cannot be started: {error}"))?;
    Ok(lines)
}

/// Builds the subscriber that formats log lines as the settings say and masks every secret: the URL
/// of each request to Telegram has the token, and libraries put URLs into their errors.
///
/// # Errors
/// If the filter is invalid.
pub fn build_subscriber<W, M>(
    config: &Config,
    colours: bool,
    writer: M,
) -> anyhow::Result<Box<dyn tracing::Subscriber + Send + Sync>>
where
    W: Write,
    M: Fn() -> W + Send + Sync + 'static,
{
    // The filter for dependencies goes last, so that no setting overrides it.
    let filter = format!("{},{DEPENDENCY_FILTER}", config.log);
    let filter = EnvFilter::try_new(filter).context("LOG is not a valid filter")?;
    let masking = config.secret_masker();
    let masked = move || MaskingWriter { inner: writer(), masking: masking.clone() };
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(masked);
    Ok(match config.log_format {
        LogFormat::Text => Box::new(logs.with_ansi(colours).finish()),
        LogFormat::Json => Box::new(logs.json().flatten_event(true).finish()),
    })
}

/// Masks secrets in lines. Each log line comes in one write.
struct MaskingWriter<W> {
    inner: W,
    masking: SecretMasker,
}

impl<W: Write> Write for MaskingWriter<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        self.inner.write_all(self.masking.mask(&text).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Queues lines; never waits and never fails. Cheap to clone.
#[derive(Clone)]
pub struct LossyLogWriter {
    lines: SyncSender<LogWriterMessage>,
}

/// A message to the writing thread.
enum LogWriterMessage {
    Line(Vec<u8>),
    /// Reply when all earlier lines are written.
    Flush(SyncSender<()>),
}

impl LossyLogWriter {
    /// A writer whose lines are written to `out`.
    pub fn spawn(out: impl Write + Send + 'static) -> Self {
        let (lines, messages) = sync_channel(QUEUED_LINES_MAX);
        let thread = std::thread::Builder::new().name("log".to_owned());
        // If the thread cannot start, the queue has no reader and every line counts as lost.
        let _ = thread.spawn(move || write_lines(out, &messages));
        Self { lines }
    }

    /// Waits until all queued lines are written, at most a second.
    pub fn flush_with_timeout(&self) {
        let (done, wait) = sync_channel(1);
        if self.lines.try_send(LogWriterMessage::Flush(done)).is_ok() {
            let _ = wait.recv_timeout(FLUSH_TIMEOUT);
        }
    }
}

impl Write for LossyLogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut kept = line[..line.len().min(LINE_BYTES_MAX)].to_vec();
        if kept.len() < line.len() {
            kept.extend_from_slice("…\n".as_bytes());
        }
        if self.lines.try_send(LogWriterMessage::Line(kept)).is_err() {
            count_lost_line();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_lines(mut out: impl Write, messages: &Receiver<LogWriterMessage>) {
    while let Ok(message) = messages.recv() {
        match message {
            LogWriterMessage::Line(line) => {
                if out.write_all(&line).and_then(|()| out.flush()).is_err() {
                    count_lost_line();
                }
            }
            LogWriterMessage::Flush(done) => {
                let _ = done.try_send(());
            }
        }
    }
}

fn count_lost_line() {
    metrics::counter!("caravanserai_log_lines_lost_total").increment(1);
}

/// Counts panics and logs their places, in one short line each.
pub fn count_panics() {
    std::panic::set_hook(Box::new(|panic| {
        metrics::counter!("caravanserai_panics_total").increment(1);
        let message = describe_panic(panic);
        tracing::error!("{message}");
    }));
}

/// Prints panics to the standard error stream, for commands that write no log.
pub fn print_panics() {
    std::panic::set_hook(Box::new(|panic| print_stderr(describe_panic(panic))));
}

fn describe_panic(panic: &std::panic::PanicHookInfo<'_>) -> String {
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    panic_message(&place, panic.payload_as_str().unwrap_or("no message"))
}

/// Formats a panic for the operator. sled panics where it cannot read its files; that is not a bug,
/// and its own message does not help.
fn panic_message(place: &str, message: &str) -> String {
    /// Longest message of a panic, in characters.
    const MESSAGE_CHARS_MAX: usize = 200;
    if place.contains("/sled-0.") || place.contains("\\sled-0.") {
        return "a file of the store cannot be read or written: look at the disk; if the store is \
                reported as damaged then, save what is whole with `caravanserai store salvage`"
            .to_owned();
    }
    let message: String = message.chars().take(MESSAGE_CHARS_MAX).collect();
    format!("a bug, please report it: panicked at {place}: {message:?}")
}

/// Prints a line to the standard error stream; ignores failures.
pub fn print_stderr(line: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints a text to the standard output stream. A closed pipe, as after `head`, is not an error.
///
/// # Errors
/// When writing fails for another reason, such as a full disk.
pub fn print_stdout(text: impl std::fmt::Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match write!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parking_lot::Mutex;

    use super::*;

    /// A disk without free space.
    struct FullDisk;

    impl Write for FullDisk {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(io::ErrorKind::StorageFull.into())
        }
    }

    /// A pipe without a reader.
    struct StuckPipe(Arc<Mutex<()>>);

    impl Write for StuckPipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            drop(self.0.lock());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Collects what is logged.
    #[derive(Clone, Default)]
    struct Collected(Arc<Mutex<Vec<u8>>>);

    impl Write for Collected {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_event_of_discord_that_cannot_be_parsed_is_not_logged_with_its_token() {
        let log = Collected::default();
        let writer = log.clone();
        let filter = EnvFilter::new(format!("trace,{DEPENDENCY_FILTER}"));
        let logs = tracing_subscriber::fmt().with_env_filter(filter);
        let subscriber = logs.with_writer(move || writer.clone()).finish();
        tracing::subscriber::with_default(subscriber, || {
            let payload = r#"{"token":"aW50ZXJhY3Rpb24"}"#;
            tracing::warn!(target: "serenity::gateway::ws", "Err deserializing text: {payload}");
            tracing::warn!(target: "serenity::gateway::shard", "Err heartbeating");
        });
        let text = String::from_utf8_lossy(&log.0.lock()).into_owned();
        assert!(text.contains("Err heartbeating"), "{text}");
        assert!(!text.contains("aW50ZXJhY3Rpb24"), "{text}");
    }

    /// Their queries and rows contain seeds, hands and codes.
    #[test]
    fn the_libraries_of_the_stores_log_no_rows_at_any_level() {
        let log = Collected::default();
        let writer = log.clone();
        let filter = EnvFilter::new(format!("trace,{DEPENDENCY_FILTER}"));
        let logs = tracing_subscriber::fmt().with_env_filter(filter);
        let subscriber = logs.with_writer(move || writer.clone()).finish();
        tracing::subscriber::with_default(subscriber, || {
            let rows = "open v1 blot seed 2884a541";
            tracing::debug!(target: "tokio_postgres::query", "executing statement with {rows}");
            tracing::trace!(target: "sled::tree", "applying batch {rows}");
            tracing::info!(target: "sled::db", "recovered");
        });
        let text = String::from_utf8_lossy(&log.0.lock()).into_owned();
        assert!(text.contains("recovered") && !text.contains("seed"), "{text}");
    }

    #[test]
    fn a_panic_is_told_in_one_sentence() {
        let sled = "registry/src/index/sled-0.34.7/src/pagecache/mod.rs:3:5";
        let message = panic_message(sled, "assertion failed: a == b\nleft: 1");
        assert!(
            message.contains("look at the disk") && !message.contains("assertion"),
            "{message}"
        );
        let message = panic_message("src/table/state.rs:1:2", &"words\n".repeat(100));
        assert!(message.contains("state.rs:1:2") && !message.contains('\n'), "{message}");
        assert!(message.chars().count() < 350, "{message}");
    }

    #[test]
    fn a_full_disk_and_a_stuck_pipe_hold_nobody_up() {
        let mut full = LossyLogWriter::spawn(FullDisk);
        assert_eq!(full.write(b"line\n").expect("never fails"), 5);
        full.flush_with_timeout();
        let gate = Arc::new(Mutex::new(()));
        let guard = gate.lock();
        let mut stuck = LossyLogWriter::spawn(StuckPipe(Arc::clone(&gate)));
        // More than the queue can take: the rest is lost, and no call blocks.
        for _ in 0..2 * QUEUED_LINES_MAX {
            assert_eq!(stuck.write(b"line\n").expect("never fails"), 5);
        }
        drop(guard);
    }

    #[test]
    fn lines_arrive_in_order_and_long_ones_are_cut() {
        #[derive(Clone, Default)]
        struct CapturedLog(Arc<Mutex<Vec<u8>>>);
        impl Write for CapturedLog {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.lock().write(bytes)
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let kept = CapturedLog::default();
        let mut lines = LossyLogWriter::spawn(kept.clone());
        for line in ["one\n", "two\n"] {
            lines.write_all(line.as_bytes()).expect("never fails");
        }
        lines.write_all(&vec![b'x'; LINE_BYTES_MAX + 1]).expect("never fails");
        lines.flush_with_timeout();
        let text = kept.0.lock().clone();
        assert!(text.starts_with(b"one\ntwo\nxxx") && text.ends_with("x…\n".as_bytes()));
        assert!(text.len() < LINE_BYTES_MAX + 20);
    }
}
