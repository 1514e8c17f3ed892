//! A line on the terminal that says how far a long match is.

use std::io::{IsTerminal, Write, stderr};
use std::time::Duration;

use super::arena::Progress;
use super::stopwatch::Stopwatch;

/// Width of the bar in characters.
const WIDE: u64 = 24;

/// How often the line is written anew.
const OFTEN: Duration = Duration::from_millis(100);

/// The line. Where standard error is no terminal, nothing is written.
pub struct Bar {
    shows: bool,
    /// Since the match began that is being shown.
    began: Stopwatch,
    written: Option<Duration>,
}

impl Bar {
    /// A line on standard error.
    pub fn on_stderr() -> Self {
        Self { shows: stderr().is_terminal(), began: Stopwatch::start(), written: None }
    }

    /// Shows how far it is.
    pub fn show(&mut self, progress: &Progress<'_>) {
        if progress.done <= 1 {
            *self = Self { began: Stopwatch::start(), written: None, ..*self };
        }
        let spent = self.began.spent();
        let soon = self.written.is_some_and(|written| spent < written + OFTEN);
        if !self.shows || (soon && progress.done < progress.all) {
            return;
        }
        self.written = Some(spent);
        let text = line(progress, spent);
        // A terminal that has gone away does not end a match.
        let _ = write!(stderr(), "\r\x1b[K{text}");
        let _ = stderr().flush();
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if self.shows && self.written.take().is_some() {
            let _ = write!(stderr(), "\r\x1b[K");
            let _ = stderr().flush();
        }
    }
}

fn line(progress: &Progress<'_>, spent: Duration) -> String {
    let Progress { done, all, what, share } = *progress;
    let full = (WIDE * done / all.max(1)).min(WIDE);
    let bar: String = (0..WIDE).map(|n| if n < full { '█' } else { '░' }).collect();
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
        let progress = Progress { done: 25, all: 100, what: "easy against medium", share: 0.125 };
        let text = line(&progress, Duration::from_secs(30));
        assert!(text.ends_with("25/100 easy against medium 12.5 %, 1:30 left"), "{text}");
        assert_eq!(text.chars().filter(|it| *it == '█').count(), 6);
    }
}
