//! Limits that prevent one person or group from crowding out others, and retention times.

pub use caravanserai_games::time_units::{DAY_MS, HOUR_MS, MINUTE_MS};

/// The limits and retention times of a bot.
#[derive(Clone, Debug)]
pub struct BotLimits {
    /// The most open tables in one chat.
    pub tables_per_chat: usize,
    /// The most open tables in one group that one person has opened.
    pub tables_per_opener: usize,
    /// The most open tables of one person.
    pub tables_per_person: usize,
    /// The number of tables that are kept in memory; others are read from their logs when needed.
    pub tables_in_memory: usize,
    /// The most requests of one person per minute, half of which may come at once; 0 for no limit.
    pub requests_per_minute: u32,
    /// The number of messages of others below a board after which it is posted again at the bottom.
    pub other_messages_below_max: u32,
    /// The time without a reaction after which a player is pinged, in milliseconds.
    pub ping_after_ms: u64,
    /// How long a handled update is remembered, in milliseconds.
    pub seen_ttl_ms: u64,
    /// How long a message is remembered after it stopped being a board or its table ended, in
    /// milliseconds: its buttons work for this time.
    pub message_ttl_ms: u64,
    /// How long a review is kept, in milliseconds; later requests make it again.
    pub review_ttl_ms: u64,
    /// How long it is known in a chat which game each person finished there last, in milliseconds.
    pub last_table_ttl_ms: u64,
    /// How long the complete log of an ended table is kept, in milliseconds; after that only its
    /// record is kept, permanently. 0 keeps logs permanently.
    pub archive_after_ms: u64,
    /// The longest interval between checks of deadlines, in milliseconds: other processes add
    /// deadlines too, and the clock may be set.
    pub deadline_poll_ms: u64,
    /// The number of computers that think in parallel; with 0 they think synchronously, on the
    /// calling thread.
    pub thinking_threads: usize,
    /// The target time of an ordinary core for judging one decision of a finished game, in
    /// milliseconds.
    pub judging_ms: u64,
    /// How long it is kept how well a game was played, in milliseconds.
    pub play_quality_ttl_ms: u64,
    /// The longest time to think for one review, in milliseconds.
    pub review_think_max_ms: u64,
    /// The pause between an action and the next action of a computer at tables where people follow
    /// turn by turn, in milliseconds; 0 makes computers reply at once everywhere.
    pub computer_pause_ms: u64,
}

/// How long a person waits for a game to be opened in a chat, in milliseconds: two weeks.
pub const SUBSCRIPTION_TTL_MS: u64 = 14 * DAY_MS;

impl Default for BotLimits {
    fn default() -> Self {
        BotLimits {
            tables_per_chat: 20,
            tables_per_opener: 6,
            tables_per_person: 50,
            tables_in_memory: 10_000,
            requests_per_minute: 240,
            other_messages_below_max: 12,
            ping_after_ms: 2 * MINUTE_MS,
            seen_ttl_ms: 3 * DAY_MS,
            message_ttl_ms: 60 * DAY_MS,
            review_ttl_ms: 180 * DAY_MS,
            last_table_ttl_ms: 180 * DAY_MS,
            archive_after_ms: 7 * DAY_MS,
            deadline_poll_ms: 10_000,
            thinking_threads: 2,
            judging_ms: 5,
            play_quality_ttl_ms: 400 * DAY_MS,
            review_think_max_ms: 15_000,
            computer_pause_ms: 1_200,
        }
    }
}
