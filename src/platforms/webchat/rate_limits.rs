//! Limits how often people may act, by a monotonic clock.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use parking_lot::Mutex;

use super::{auth::ClientAddress, model::WebchatLimits, refusal::WebchatRefusal};

/// The rate limiter of one kind of action, by person or address.
type KeyedLimiter = RateLimiter<String, HashMapStateStore<String>, DefaultClock>;

/// How many times the actions of one address those of its IPv6 network may be: a provider gives a
/// household or a rented machine up to 65,536 networks that count as addresses.
const NETWORK_SHARES: u32 = 4;

/// A kind of action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateKind {
    /// Posting a message.
    Say,
    /// Posting a message in one room.
    SayHere,
    /// Pressing a button.
    Press,
    /// Read-only requests.
    Ask,
    /// Joining or leaving a room.
    Join,
    /// Creating a room, and other rare actions.
    Open,
    /// Creating a room from an address.
    OpenFrom,
    /// Fetching an image or a file.
    Fetch,
    /// Creating a person from an address.
    Arrive,
    /// The same, in the long run.
    ArriveDaily,
    /// Signing in with a code from an address.
    Enter,
    /// Showing a position on the analysis board.
    Analyse,
    /// Having a position evaluated.
    Evaluate,
    /// Either of them, from an address.
    AnalyseAt,
}

/// The rate limiters of all kinds of actions.
pub struct WebchatRateLimits {
    say: KeyedLimiter,
    say_here: KeyedLimiter,
    press: KeyedLimiter,
    ask: KeyedLimiter,
    join: KeyedLimiter,
    open: KeyedLimiter,
    open_from: KeyedLimiter,
    fetch: KeyedLimiter,
    arrive: KeyedLimiter,
    arrive_daily: KeyedLimiter,
    enter: KeyedLimiter,
    analyse: KeyedLimiter,
    evaluate: KeyedLimiter,
    analyse_at: KeyedLimiter,
    /// Limits of IPv6 networks, for rare actions.
    network_open_from: KeyedLimiter,
    network_arrive: KeyedLimiter,
    network_arrive_daily: KeyedLimiter,
    clock: DefaultClock,
    /// Proofs of platforms' clients and tokens of guests that were refused, by address.
    pub failed_proofs: FailureLimit,
}

/// Limits an action of which only failures count: a shared address has many successes.
pub struct FailureLimit {
    burst: u32,
    every: Duration,
    /// When the last failure is forgotten.
    until: Mutex<HashMap<String, <DefaultClock as Clock>::Instant>>,
    clock: DefaultClock,
}

impl FailureLimit {
    /// Creates a limit from `(burst, every_ms)`: so many failures at once, one more after each
    /// period.
    fn new((burst, every_ms): (u32, u64)) -> Self {
        let every = Duration::from_millis(every_ms.max(1));
        let clock = DefaultClock::default();
        Self { burst: burst.max(1), every, until: Mutex::default(), clock }
    }

    /// Checks whether another failure would still be allowed.
    ///
    /// # Errors
    /// The time to wait.
    pub fn check(&self, who: &str) -> Result<(), WebchatRefusal> {
        let until = self.until.lock().get(who).copied();
        let ahead = until.map(|it| it.duration_since(self.clock.now()));
        let wait = ahead.unwrap_or_default().saturating_sub(self.every * (self.burst - 1));
        match u64::try_from(wait.as_millis()).unwrap_or(u64::MAX) {
            0 => Ok(()),
            wait_ms => Err(WebchatRefusal::RateLimited(wait_ms)),
        }
    }

    /// Counts a failure. Failures at the same time beyond the limit delay nobody any further.
    pub fn record(&self, who: &str) {
        let now = self.clock.now();
        let mut until = self.until.lock();
        let until = until.entry(who.to_owned()).or_insert(now);
        *until = ((*until).max(now) + self.every).min(now + self.every * self.burst);
    }

    fn remove_idle(&self) {
        let now = self.clock.now();
        let mut until = self.until.lock();
        until.retain(|_, it| *it > now);
        until.shrink_to_fit();
    }
}

impl WebchatRateLimits {
    /// Creates limiters without any recorded action.
    pub fn new(limits: &WebchatLimits) -> Self {
        Self {
            say: new_limiter(limits.say_rate),
            say_here: new_limiter(limits.say_in_room_rate),
            press: new_limiter(limits.press_rate),
            ask: new_limiter(limits.read_rate),
            join: new_limiter(limits.join_rate),
            open: new_limiter(limits.open_room_rate),
            open_from: new_limiter(limits.open_room_address_rate),
            fetch: new_limiter(limits.read_rate),
            arrive: new_limiter(limits.arrive_rate),
            arrive_daily: new_limiter(limits.arrive_daily_rate),
            enter: new_limiter(limits.sign_in_rate),
            analyse: new_limiter(limits.analysis_rate),
            evaluate: new_limiter(limits.evaluation_rate),
            analyse_at: new_limiter(limits.analysis_address_rate),
            network_open_from: new_limiter(network_rate(limits.open_room_address_rate)),
            network_arrive: new_limiter(network_rate(limits.arrive_rate)),
            network_arrive_daily: new_limiter(network_rate(limits.arrive_daily_rate)),
            clock: DefaultClock::default(),
            failed_proofs: FailureLimit::new(limits.failed_proof_rate),
        }
    }

    /// Counts one action.
    ///
    /// # Errors
    /// The time to wait; the action is not counted then.
    pub fn check(&self, who: &str, kind: RateKind) -> Result<(), WebchatRefusal> {
        self.take(self.limiter_of(kind), who)
    }

    /// Counts one action of an address, and one of its network if networks are limited, too.
    ///
    /// # Errors
    /// The time to wait.
    pub fn check_address(
        &self,
        from: &ClientAddress,
        kind: RateKind,
    ) -> Result<(), WebchatRefusal> {
        self.check(&from.0, kind)?;
        let limiter = match kind {
            RateKind::OpenFrom => &self.network_open_from,
            RateKind::Arrive => &self.network_arrive,
            RateKind::ArriveDaily => &self.network_arrive_daily,
            RateKind::Say
            | RateKind::SayHere
            | RateKind::Press
            | RateKind::Ask
            | RateKind::Join
            | RateKind::Open
            | RateKind::Fetch
            | RateKind::Enter
            | RateKind::Analyse
            | RateKind::Evaluate
            | RateKind::AnalyseAt => return Ok(()),
        };
        from.network().map_or(Ok(()), |network| self.take(limiter, &network))
    }

    fn take(&self, limiter: &KeyedLimiter, who: &str) -> Result<(), WebchatRefusal> {
        let taken = limiter.check_key(&who.to_owned());
        taken.map_err(|not_yet| {
            let wait = not_yet.wait_time_from(self.clock.now());
            WebchatRefusal::RateLimited(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX).max(1))
        })
    }

    /// Forgets keys without recent actions.
    pub fn remove_idle(&self) {
        for limiter in [
            &self.say,
            &self.say_here,
            &self.press,
            &self.ask,
            &self.join,
            &self.open,
            &self.open_from,
            &self.fetch,
            &self.arrive,
            &self.arrive_daily,
            &self.enter,
            &self.analyse,
            &self.evaluate,
            &self.analyse_at,
            &self.network_open_from,
            &self.network_arrive,
            &self.network_arrive_daily,
        ] {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
        self.failed_proofs.remove_idle();
    }

    fn limiter_of(&self, kind: RateKind) -> &KeyedLimiter {
        match kind {
            RateKind::Say => &self.say,
            RateKind::SayHere => &self.say_here,
            RateKind::Press => &self.press,
            RateKind::Ask => &self.ask,
            RateKind::Join => &self.join,
            RateKind::Open => &self.open,
            RateKind::OpenFrom => &self.open_from,
            RateKind::Fetch => &self.fetch,
            RateKind::Arrive => &self.arrive,
            RateKind::ArriveDaily => &self.arrive_daily,
            RateKind::Enter => &self.enter,
            RateKind::Analyse => &self.analyse,
            RateKind::Evaluate => &self.evaluate,
            RateKind::AnalyseAt => &self.analyse_at,
        }
    }
}

/// Returns the rate of a network from that of one address.
fn network_rate((burst, every_ms): (u32, u64)) -> (u32, u64) {
    (burst.saturating_mul(NETWORK_SHARES), every_ms / u64::from(NETWORK_SHARES))
}

/// Creates a limiter from `(burst, every_ms)`: the burst at once, one more after each period.
fn new_limiter((burst, every_ms): (u32, u64)) -> KeyedLimiter {
    let every = Duration::from_millis(every_ms.max(1));
    let quota = Quota::with_period(every).expect("the period is not zero");
    RateLimiter::hashmap(quota.allow_burst(NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN)))
}

#[cfg(test)]
mod tests {
    use super::super::auth::address_prefix;
    use super::*;

    #[test]
    fn a_burst_is_allowed_and_then_one_each_period() {
        let rates = WebchatRateLimits::new(&WebchatLimits {
            say_rate: (2, 3_600_000),
            ..WebchatLimits::default()
        });
        assert!(rates.check("a", RateKind::Say).is_ok());
        assert!(rates.check("a", RateKind::Say).is_ok());
        let Err(WebchatRefusal::RateLimited(ms)) = rates.check("a", RateKind::Say) else {
            panic!("too much")
        };
        assert!((3_000_000..=3_600_000).contains(&ms), "{ms}");
        assert!(
            rates.check("a", RateKind::Press).is_ok() && rates.check("b", RateKind::Say).is_ok()
        );
        rates.remove_idle();
        assert!(rates.check("a", RateKind::Say).is_err());
    }
    #[test]
    fn the_addresses_of_one_network_share_a_limit() {
        let arrive_rate = (1, 3_600_000);
        let rates =
            WebchatRateLimits::new(&WebchatLimits { arrive_rate, ..WebchatLimits::default() });
        let arrive = |address: &str| {
            let from = ClientAddress(address_prefix(address.parse().expect("an address")));
            rates.check_address(&from, RateKind::Arrive).is_ok()
        };
        let own: Vec<bool> = (0..6).map(|n| arrive(&format!("2001:db8:7:{n}::1"))).collect();
        assert_eq!(own, [true, true, true, true, false, false]);
        assert!(arrive("2001:db8:8:1::1"), "another network");
        assert!((0..6).all(|n| arrive(&format!("10.0.0.{n}"))), "IPv4 addresses are few");
    }

    #[test]
    fn only_failures_are_counted_where_only_they_are_limited() {
        let limit = FailureLimit::new((2, 3_600_000));
        limit.record("a");
        assert!(limit.check("a").is_ok());
        limit.record("a");
        let Err(WebchatRefusal::RateLimited(ms)) = limit.check("a") else { panic!("too much") };
        assert!((3_000_000..=3_600_000).contains(&ms), "{ms}");
        limit.remove_idle();
        assert!(limit.check("a").is_err() && limit.check("b").is_ok());
    }
}
