//! The neutral language between platforms and tables.
//!
//! A platform turns what it hears into an [`Update`] and what it is told into its own calls
//! ([`Platform`]). Nothing here knows teloxide, serenity, HTTP or a store.

pub mod ack;
mod admin_rights;
pub mod board_view;
pub mod callback_data;
mod capabilities;
pub mod clock_views;
pub mod coach_views;
mod command_lookup;
pub mod commands;
pub mod computer_views;
pub mod course_views;
pub mod deal_views;
pub mod guest_service;
pub mod hand_views;
mod handle_outcome;
mod inline_board;
pub mod inline_challenge;
mod kv_store;
pub mod lobby_view;
pub mod new_table;
pub mod panel_views;
pub mod pending_offers;
mod phrases;
mod platform;
mod platform_status;
mod private_message;
pub mod request_parser;
pub mod settings;
mod spectators;
mod table_command_parser;
pub mod themes;
mod update;
mod update_arrival;
pub mod view;
mod viewer_page;
mod without_media;

pub use admin_rights::needs_admin;
pub use capabilities::{Capabilities, CommandStyle};
pub use handle_outcome::{DeferredOutcome, HandleOutcome};
pub use kv_store::{KeyValueEntry, KeyValueError, KeyValueStore};
pub use platform::{
    AppLink, Attachment, Button, ButtonTone, EphemeralReply, HandPriority, Image, InlineResult,
    InviteLink, OutgoingMessage, Platform, SendError, StateQuery, UpdateHandler,
};
pub use platform_status::{PlatformHealth, PlatformStatus};
pub use private_message::{PrivateMessage, SingleReader};
pub use spectators::SpectatorCount;
pub use update::{Chat, Departure, Mention, ParentChats, Person, PersonKind, Update, UpdateKind};
pub use update_arrival::Arrival;
pub use viewer_page::ViewerPage;
pub use without_media::without_media;
