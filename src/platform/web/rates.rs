//! How often somebody may do something.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

/// Remembered pairs; beyond this, those at rest are forgotten.
const PAIRS_MAX: usize = 4_096;

/// For each person and kind of deed, the moment at which all they did is paid off.
#[derive(Default)]
pub struct Rates {
    paid: HashMap<(String, &'static str), Instant>,
}

impl Rates {
    /// Takes one deed. `(burst, every_ms)`: so many at once, one more after each period.
    ///
    /// # Errors
    /// How many milliseconds to wait; nothing is taken then.
    pub fn take(
        &mut self,
        who: &str,
        what: &'static str,
        (burst, every_ms): (u32, u64),
        now: Instant,
    ) -> Result<(), u64> {
        if self.paid.len() > PAIRS_MAX {
            self.paid.retain(|_, paid| *paid > now);
        }
        let every = Duration::from_millis(every_ms);
        let paid = self.paid.entry((who.to_owned(), what)).or_insert(now);
        let next = (*paid).max(now) + every;
        let most = now + every * burst;
        if next > most {
            let wait = (next - most).as_millis();
            return Err(u64::try_from(wait).unwrap_or(u64::MAX).max(1));
        }
        *paid = next;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_allowed_and_then_one_each_period() {
        let mut rates = Rates::default();
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        assert!(rates.take("a", "say", (2, 100), at(0)).is_ok());
        assert!(rates.take("a", "say", (2, 100), at(0)).is_ok());
        assert_eq!(rates.take("a", "say", (2, 100), at(0)), Err(100));
        assert!(rates.take("b", "say", (2, 100), at(0)).is_ok());
        assert!(rates.take("a", "say", (2, 100), at(100)).is_ok());
        assert_eq!(rates.take("a", "say", (2, 100), at(150)), Err(50));
    }
}
