//! Shows the progress of a long match on the terminal.

use std::io::{IsTerminal, Write, stderr};
use std::time::Duration;

use super::arena::ArenaProgress;
use super::stopwatch::Stopwatch;

/// Width of the bar, in characters.
const BAR_WIDTH: u64 = 24;

/// Interval between updates of the line.
const REFRESH_INTERVAL: Duration = Duration::from_millis(100);

/// The progress line. Writes nothing if standard error is not a terminal.
pub struct ProgressBar {
    is_shown: bool,
    /// Runs since the current match began.
    began: Stopwatch,
    last_written: Option<Duration>,
}

impl ProgressBar {
    /// A progress line on standard error.
    pub fn on_stderr() -> Self {
        Self { is_shown: stderr().is_terminal(), began: Stopwatch::start(), last_written: None }
    }

    /// Updates the line.
    pub fn show(&mut self, progress: &ArenaProgress<'_>) {
        if progress.played <= 1 {
            *self = Self { began: Stopwatch::start(), last_written: None, ..*self };
        }
        let spent = self.began.elapsed();
        let soon = self.last_written.is_some_and(|written| spent < written + REFRESH_INTERVAL);
        if !self.is_shown || (soon && progress.played < progress.total) {
            return;
        }
        self.last_written = Some(spent);
        let text = progress_line(progress, spent);
        // A closed terminal does not end a match.
        let _ = write!(stderr(), "\r\x1b[K{text}");
        let _ = stderr().flush();
    }

    /// Removes the line.
    pub fn clear(&mut self) {
        if self.is_shown && self.last_written.take().is_some() {
            let _ = write!(stderr(), "\r\x1b[K");
            let _ = stderr().flush();
        }
    }
}

fn progress_line(progress: &ArenaProgress<'_>, spent: Duration) -> String {
    let ArenaProgress { played: done, total: all, label: what, share } = *progress;
    let full = (BAR_WIDTH * done / all.max(1)).min(BAR_WIDTH);
    let bar: String = (0..BAR_WIDTH).map(|n| if n < full { '█' } else { '░' }).collect();
    let left = spent.as_secs_f64() / done.max(1) as f64 * all.saturating_sub(done) as f64;
    let left = left as u64;
    let percent = 100.0 * share;
    format!("{bar} {done}/{all} {what} {percent:.1} %, {}:{:02} left", left / 60, left % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_tells_what_is_left() {
        let progress =
            ArenaProgress { played: 25, total: 100, label: "easy against medium", share: 0.125 };
        let text = progress_line(&progress, Duration::from_secs(30));
        assert!(text.ends_with("25/100 easy against medium 12.5 %, 1:30 left"), "{text}");
        assert_eq!(text.chars().filter(|it| *it == '█').count(), 6);
    }
}
