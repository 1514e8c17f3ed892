//! All integration tests in one binary: one link, one place to look.
#![allow(clippy::unwrap_used)]

use caravanserai_games::GameId;
use caravanserai_games::ids::{ChatId, ChatKind, PersonId};
use caravanserai_i18n::Lang;
use caravanserai_table::event::LOG_FORMAT;
use caravanserai_table::{FirstMover, TableSetup};

/// The language with this code.
fn lang(code: &str) -> Lang {
    Lang::from_code(code).expect(code)
}

/// A table of a group for so many, by the usual rules.
fn setup(game: GameId, seats: u8, opener: PersonId) -> TableSetup {
    TableSetup {
        format: LOG_FORMAT,
        game,
        revision: game.info().revision,
        options: game.info().default_options(),
        seats,
        begin: FirstMover::Opener,
        chat: ChatId("mem:g".into()),
        kind: ChatKind::Group,
        seed: [7; 32],
        opener,
        coached: false,
    }
}

mod abandoned;
mod accessibility;
mod achievements;
mod adapter_message_limits;
mod admin;
#[cfg(unix)]
mod admin_socket;
mod analysis;
#[cfg(all(feature = "telegram", feature = "discord"))]
mod app;
mod archive;
mod archiving;
mod arena;
mod backup;
#[cfg(unix)]
mod backup_unit;
mod blocks;
mod blot;
mod browser;
mod cases;
mod clocks;
mod computers;
mod concurrent_requests;
mod config;
mod contact;
mod course;
mod crash;
mod dead_process;
mod deferred_replies;
mod dependencies;
mod deploy_files;
mod digest;
#[cfg(feature = "discord")]
mod discord;
#[cfg(all(feature = "telegram", feature = "discord"))]
mod doctor;
mod encrypted_backup;
mod engine_protocol;
#[cfg(feature = "discord")]
#[path = "../fake_discord/mod.rs"]
mod fake_discord;
#[cfg(feature = "discord")]
mod fake_discord_checks;
#[cfg(feature = "telegram")]
#[path = "../fake_telegram/mod.rs"]
mod fake_telegram;
#[cfg(feature = "telegram")]
mod fake_telegram_checks;
mod fault_handling;
mod finished_seats;
mod first_game_tips;
mod forged_callback_data;
mod four_browsers;
mod four_players;
mod fuzz;
#[path = "../fuzz/lib.rs"]
mod fuzz_targets;
mod game_conformance;
#[cfg(all(feature = "telegram", feature = "discord"))]
mod guests;
mod hands;
mod head_to_head;
mod hidden_names;
mod hosting;
mod i18n;
mod keyboard;
mod keyed_lists;
#[cfg(unix)]
mod kill;
mod learn;
mod lesson_page;
mod linked_accounts;
mod missing_permissions;
mod month;
mod notifications_browser;
mod old_logs;
mod ordinary_talk;
mod outages;
mod own_games;
mod pace;
mod page_changes;
mod page_games;
mod page_links;
mod page_lobby;
mod page_memory;
mod page_program;
mod page_sheets;
mod page_status;
mod page_traffic;
mod personal_data;
mod picture_parity;
mod pings;
mod platform_rows;
mod postgres;
#[path = "../power/mod.rs"]
mod power;
mod presence;
mod press_latency;
mod ranking;
mod rated_computers;
mod rating_pages;
mod readme_pictures;
mod refusal_reasons;
mod rejected_messages;
mod render;
mod replay;
#[cfg(all(unix, feature = "telegram", feature = "discord"))]
mod replicas;
mod results;
mod retention;
mod reviews;
mod scripts;
mod seating;
mod seed_commitments;
#[cfg(feature = "discord")]
mod server_settings;
mod service;
mod several_chats;
mod sim;
mod source_checks;
mod spectators;
mod stage;
mod store;
mod stored_presses;
mod switching_browser;
mod table_codes;
mod table_state;
mod tables;
#[cfg(feature = "telegram")]
mod telegram;
mod test_computers;
mod thaayam;
mod togyzkumalak;
mod translations;
mod typed_labels;
mod undo_limit;
mod unsaved;
mod verified_records;
mod viewer;
mod viewer_browser;
mod viewer_state;
mod web;
mod web_bot;
mod webdriver;
mod whole_game_browser;
mod whole_games;
