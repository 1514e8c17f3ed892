//! The neutral language between platforms and tables.
//!
//! A platform turns what it hears into an [`Update`] and what it is told into its own calls
//! ([`Platform`]). Nothing here knows teloxide, serenity, HTTP or a store.

mod capabilities;
pub mod guest_service;
mod handle_outcome;
mod kv_store;
mod platform;
mod platform_status;
mod private_message;
mod spectators;
mod update;
mod update_arrival;
pub mod view;
mod viewer_page;
mod without_media;

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
