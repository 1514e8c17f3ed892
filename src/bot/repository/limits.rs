//! Limits that keep one person or group from crowding out the others, and how long things last.

/// What a bot allows and keeps.
#[derive(Clone, Debug)]
pub struct BotLimits {
    /// Open tables in one place.
    pub tables_per_place: usize,
    /// Open tables in one group that one person has opened.
    pub tables_per_opener: usize,
    /// Open tables of one person.
    pub tables_per_person: usize,
    /// Tables kept in memory; the others are read from their logs when needed.
    pub tables_in_memory: usize,
    /// What one person may ask for in a minute, of which half at once; 0 for no limit.
    pub requests_per_minute: u32,
    /// How many foreign messages may stand below a board before it is posted anew.
    pub foreign_messages_below_max: u32,
    /// How long somebody may be silent before they are called, in milliseconds.
    pub call_after_ms: u64,
    /// How long an update is remembered as seen, in milliseconds.
    pub seen_ttl_ms: u64,
    /// How long a message is remembered that is no board any more, or whose table has ended, in
    /// milliseconds: so long its buttons are understood.
    pub message_ttl_ms: u64,
    /// How long a review is kept, in milliseconds; then it is made anew for whoever asks.
    pub review_ttl_ms: u64,
    /// How long the log of a table that ended is kept as it is, in milliseconds; then only its
    /// record is kept, for good. 0 keeps logs for good.
    pub archive_after_ms: u64,
    /// How often deadlines are looked at, whatever happens, in milliseconds: other processes add to
    /// them too, and the clock may be set.
    pub deadline_poll_ms: u64,
    /// How many computers think at a time; with 0 they think at once, on the thread that asks.
    pub thinking_threads: usize,
    /// How long the thinking for one review takes at most, in milliseconds.
    pub review_think_max_ms: u64,
    /// How long what was done stands before a computer does the next thing, where people follow
    /// it turn by turn, in milliseconds; 0 lets them answer at once everywhere.
    pub computer_pause_ms: u64,
}

/// A day, in milliseconds.
pub const DAY_MS: u64 = 24 * 3_600_000;

/// How long a person waits for a game to be opened in a chat, in milliseconds: two weeks.
pub const SUBSCRIPTION_TTL_MS: u64 = 14 * DAY_MS;

impl Default for BotLimits {
    fn default() -> Self {
        BotLimits {
            tables_per_place: 20,
            tables_per_opener: 6,
            tables_per_person: 50,
            tables_in_memory: 10_000,
            requests_per_minute: 240,
            foreign_messages_below_max: 12,
            call_after_ms: 2 * 60_000,
            seen_ttl_ms: 3 * DAY_MS,
            message_ttl_ms: 60 * DAY_MS,
            review_ttl_ms: 180 * DAY_MS,
            archive_after_ms: 7 * DAY_MS,
            deadline_poll_ms: 10_000,
            thinking_threads: 2,
            review_think_max_ms: 15_000,
            computer_pause_ms: 1_200,
        }
    }
}
