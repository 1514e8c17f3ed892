//! The table of directions: which part of the source may use what.

/// What one part of the source may use besides std and itself.
pub struct Part {
    /// Path of the part under `src`; the longest that fits a file counts.
    pub at: &'static str,
    /// Paths below `crate`; everything under them is allowed too.
    pub ours: &'static [&'static str],
    /// Libraries.
    pub libraries: &'static [&'static str],
}

const fn part(
    at: &'static str,
    ours: &'static [&'static str],
    libraries: &'static [&'static str],
) -> Part {
    Part { at, ours, libraries }
}

/// The names by which tables and everything above them know games, none of them in particular.
pub const ANY_GAME: &str = "games::GameId games::Match games::Heading games::Choice games::Info \
                        games::Held games::Panel games::Switch games::Replay games::StandingLine \
                        games::shorter games::Asked games::Computer games::Refused games::Unasked \
                        games::chances games::Answer games::LaidOpen";

/// Languages and the words that people type in them.
pub const TYPED: &str = "i18n::Lang i18n::vocabulary i18n::vocabulary_of \
                         i18n::in_all_languages i18n::is_said input";

/// Everything on the left may use what stands to the right of it and nothing else.
pub const PARTS: &[Part] = &[
    part("ids", &[], &["serde"]),
    part("input", &[], &["toml"]),
    part("rules", &["input"], &[]),
    part("words", &[], &["serde"]),
    part("scene", &[], &["serde"]),
    part("search", &["rules"], &[]),
    part("games", &["input", "rules", "scene", "words", "search"], &[]),
    part(
        "table",
        &["i18n::vocabulary", "ids", "rules", "words", "search", ANY_GAME],
        &["crc32fast", "flate2", "hmac", "ppmd_rust", "sha2"],
    ),
    // Commands and buttons spell what can be asked of a table, menus list games and languages.
    part(
        "chat",
        &["ids", "rules", "words", "search", "table", ANY_GAME, TYPED],
        &["async_trait", "serde", "thiserror"],
    ),
    part(
        "store",
        &[],
        &[
            "async_trait",
            "crc32fast",
            "futures",
            "rustix",
            "sled",
            "thiserror",
            "time",
            "tokio",
            "tracing",
        ],
    ),
    part("store/backup", &["store"], BACKUP),
    part("store/postgres", &["store"], POSTGRES),
    part(
        "render",
        &["scene"],
        &[
            "ab_glyph_rasterizer",
            "gif",
            "harfrust",
            "image",
            "png",
            "resvg",
            "serde",
            "thiserror",
            "tokio",
            "toml",
            "tracing",
            "unicode_bidi",
        ],
    ),
    part(
        "i18n",
        &["input", "words"],
        &["fluent_bundle", "serde", "serde_json", "toml", "tracing", "unic_langid"],
    ),
    // The only room with a pen.
    part(
        "ledger",
        &["ids", "rules", "words", "table", "chat", "store", "i18n::Lang", "render::DEFAULT_THEME"],
        &[
            "async_trait",
            "futures",
            "metrics",
            "serde",
            "serde_json",
            "thiserror",
            "tokio",
            "tokio_util",
            "tracing",
        ],
    ),
    part(
        "minds",
        &[
            "ids", "rules", "words", "scene", "search", "table", ANY_GAME, "store", "render",
            "i18n", "ledger",
        ],
        &["serde", "tokio", "tracing"],
    ),
    part(
        "post",
        &[
            "ids", "rules", "words", "scene", "table", ANY_GAME, "chat", "store", "render", "i18n",
            "ledger", "minds",
        ],
        &["metrics", "serde", "time", "tokio", "tracing"],
    ),
    part(
        "clockwork",
        &["ids", "chat", "store", "table", "ledger", "minds", "post"],
        &["serde_json", "tokio", "tracing"],
    ),
    part(
        "desk",
        &[
            "ids", "rules", "words", "search", "table", ANY_GAME, "chat", "store", TYPED, "ledger",
            "minds", "post",
        ],
        &["governor", "metrics", "serde", "serde_json", "tokio", "tracing"],
    ),
    // The rooms put together, with one door.
    part(
        "service",
        &["ids", "chat", "clockwork", "desk", "i18n", "ledger", "minds", "post", "render", "store"],
        &["anyhow", "async_trait", "metrics", "tokio", "tracing"],
    ),
    part("platform", &[], &[]),
    part("platform/shared", &["ids", "chat", "words"], SHARED),
    part("platform/web", &["i18n::page_words", "ids", "chat", "words", "store"], WEB),
    part("platform/telegram", &["ids", "chat", "words", "platform::shared"], TELEGRAM),
    part("platform/discord", &["ids", "chat", "words", "platform::shared"], DISCORD),
    part(
        "host/config",
        &["store::address"],
        &["clap", "reqwest", "thiserror", "toml", "tracing_subscriber"],
    ),
];

/// These put the parts together and may use everything, unless the table above says otherwise.
pub const ASSEMBLY: &[&str] = &["build", "host", "tools", "main", "lib"];

pub const BACKUP: &[&str] =
    &["async_trait", "base64", "crc32fast", "sha2", "thiserror", "tokio", "tracing"];
pub const POSTGRES: &[&str] = &[
    "async_trait",
    "deadpool_postgres",
    "rustls",
    "rustls_native_certs",
    "sha2",
    "tokio",
    "tokio_postgres",
    "tokio_rustls",
    "tracing",
];
pub const WEB: &[&str] = &[
    "async_trait",
    "axum",
    "base64",
    "futures",
    "getrandom",
    "governor",
    "hyper",
    "hyper_util",
    "rlimit",
    "rpds",
    "serde",
    "serde_json",
    "sha2",
    "subtle",
    "time",
    "tokio",
    "tokio_io_timeout",
    "tower",
    "tower_http",
    "tracing",
    "unicode_normalization",
    "unicode_security",
];
pub const SHARED: &[&str] = &[
    "async_trait",
    "quick_cache",
    "reqwest",
    "serde",
    "serde_json",
    "thiserror",
    "tokio",
    "tokio_util",
    "tracing",
];
pub const TELEGRAM: &[&str] = &[
    "async_trait",
    "axum",
    "base64",
    "futures",
    "hmac",
    "quick_cache",
    "reqwest",
    "ring",
    "serde",
    "serde_json",
    "sha2",
    "subtle",
    "teloxide",
    "thiserror",
    "tokio",
    "tokio_util",
    "tracing",
];
pub const DISCORD: &[&str] = &[
    "async_trait",
    "axum",
    "quick_cache",
    "reqwest",
    "ring",
    "serde",
    "serde_json",
    "serenity",
    "sha2",
    "thiserror",
    "tokio",
    "tokio_util",
    "tracing",
];

/// Files of a game's folder that show it: only they may use words and scenes, and the rules may
/// not use them.
pub const SHOWING: &[(&str, &[&str])] = &[
    ("in_words", &["words", "rules"]),
    ("caption", &["words", "rules"]),
    ("sheet", &["words", "rules"]),
    ("sketch", &["words", "rules"]),
    ("laid", &["scene", "words", "rules", "games::LaidOpen"]),
    ("scene", &["scene", "rules"]),
    ("hand", &["scene", "rules"]),
    ("advice", &["words", "rules"]),
    ("lesson", &["words", "rules", "input", "games::course"]),
    ("pack", &["scene", "words", "rules", "games", "search"]),
];

/// The folder of a game's computer players: they use the rules and the view and show nothing; only
/// the pack knows them.
pub const ENGINE: &str = "engine";

/// Where the clock, the environment and randomness may be asked for.
pub const EDGES: &[&str] = &[
    "build.rs",
    "host/config/mod.rs",
    "host/notebook.rs",
    "host/doctor/platforms.rs",
    "host/pulse.rs",
    "host/run.rs",
    "host/starting.rs",
    "host/store_identity.rs",
    "host/supervise.rs",
    "main.rs",
    "platform/discord/interactions.rs",
    "platform/discord/mod.rs",
    "platform/shared/memory_book.rs",
    "platform/shared/state.rs",
    "platform/shared/talk.rs",
    "platform/telegram/memory.rs",
    "platform/telegram/mod.rs",
    "platform/telegram/api.rs",
    "platform/telegram/intake.rs",
    "platform/telegram/send.rs",
    "platform/web/doors.rs",
    "platform/web/files.rs",
    "platform/web/http.rs",
    "platform/web/hub.rs",
    "platform/web/mod.rs",
    "platform/web/stream.rs",
    "platform/web/upkeep.rs",
    "ledger/clock.rs",
    "store/clock.rs",
    "store/lease.rs",
    "store/sled/mark.rs",
    "store/sled/room.rs",
    "tools/stopwatch.rs",
];

/// The crates besides the one that everything is put together in, by their folders.
pub const GROUND: &str = "core";
pub const PICTURES: &str = "render";
