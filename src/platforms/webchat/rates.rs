//! How often somebody may do something, by time that never jumps.

use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use super::{model::Limits, refusal::Refusal};

/// For one kind of deed, who did how much.
type Limiter = RateLimiter<String, HashMapStateStore<String>, DefaultClock>;

/// A kind of deed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Writing.
    Say,
    /// Writing in one room.
    SayHere,
    /// Pressing a button.
    Press,
    /// Anything that only looks.
    Ask,
    /// Opening rooms, and other rare things.
    Open,
    /// Fetching a picture or a file.
    Fetch,
    /// Coming from an address.
    Arrive,
    /// Signing in with a code from an address.
    Enter,
}

/// For each kind of deed, who did how much of late.
pub struct Rates {
    say: Limiter,
    say_here: Limiter,
    press: Limiter,
    ask: Limiter,
    open: Limiter,
    fetch: Limiter,
    arrive: Limiter,
    enter: Limiter,
    clock: DefaultClock,
}

impl Rates {
    /// Nobody did anything yet.
    pub fn new(limits: &Limits) -> Self {
        Self {
            say: limiter(limits.say),
            say_here: limiter(limits.say_here),
            press: limiter(limits.press),
            ask: limiter(limits.ask),
            open: limiter(limits.open),
            fetch: limiter(limits.ask),
            arrive: limiter(limits.arrive),
            enter: limiter(limits.enter),
            clock: DefaultClock::default(),
        }
    }

    /// Takes one deed.
    ///
    /// # Errors
    /// How long to wait; nothing is taken then.
    pub fn take(&self, who: &str, deed: Deed) -> Result<(), Refusal> {
        let taken = self.of(deed).check_key(&who.to_owned());
        taken.map_err(|not_yet| {
            let wait = not_yet.wait_time_from(self.clock.now());
            Refusal::Wait(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX).max(1))
        })
    }

    /// Forgets whoever is at rest.
    pub fn tidy(&self) {
        for limiter in [
            &self.say,
            &self.say_here,
            &self.press,
            &self.ask,
            &self.open,
            &self.fetch,
            &self.arrive,
            &self.enter,
        ] {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }

    fn of(&self, deed: Deed) -> &Limiter {
        match deed {
            Deed::Say => &self.say,
            Deed::SayHere => &self.say_here,
            Deed::Press => &self.press,
            Deed::Ask => &self.ask,
            Deed::Open => &self.open,
            Deed::Fetch => &self.fetch,
            Deed::Arrive => &self.arrive,
            Deed::Enter => &self.enter,
        }
    }
}

/// `(burst, every_ms)`: so many at once, one more after each period.
fn limiter((burst, every_ms): (u32, u64)) -> Limiter {
    let every = Duration::from_millis(every_ms.max(1));
    let quota = Quota::with_period(every).expect("the period is not zero");
    RateLimiter::hashmap(quota.allow_burst(NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_allowed_and_then_one_each_period() {
        let rates = Rates::new(&Limits { say: (2, 3_600_000), ..Limits::default() });
        assert!(rates.take("a", Deed::Say).is_ok());
        assert!(rates.take("a", Deed::Say).is_ok());
        let Err(Refusal::Wait(ms)) = rates.take("a", Deed::Say) else { panic!("too much") };
        assert!((3_000_000..=3_600_000).contains(&ms), "{ms}");
        assert!(rates.take("a", Deed::Press).is_ok() && rates.take("b", Deed::Say).is_ok());
        rates.tidy();
        assert!(rates.take("a", Deed::Say).is_err());
    }
}
