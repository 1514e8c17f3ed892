//! Platform-neutral types and the traits between chat platforms and the bot.
//!
//! A platform adapter turns its native events into an [`Update`] and turns calls of [`Platform`]
//! into calls of its own API. Nothing here knows teloxide, serenity, HTTP or a store. Start reading
//! at [`update`], then [`platform`].

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
pub use update::{
    Chat, CommandOption, Departure, Mention, OptionValue, ParentChats, Person, PersonKind, Update,
    UpdateKind,
};
pub use update_arrival::Arrival;
pub use viewer_page::ViewerPage;
pub use without_media::without_media;
