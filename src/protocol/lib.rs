//! The neutral language between platforms and tables.
//!
//! A platform turns what it hears into an [`Update`] and what it is told into its own calls
//! ([`Platform`]). Nothing here knows teloxide, serenity, HTTP or a store.

mod arrival;
pub mod clocks;
pub mod coach;
mod command_names;
pub mod commands;
pub mod course;
pub mod deals;
pub mod done;
pub mod guests;
pub mod hands;
mod heard;
pub mod levels;
pub mod lobby;
mod look;
pub mod looks;
mod manners;
pub mod note;
mod notebook;
pub mod offers;
pub mod opening;
pub mod panels;
mod platform;
mod platform_state;
pub mod posed;
pub mod present;
pub mod press;
mod private_message;
pub mod request;
mod rights;
pub mod settings;
mod shown;
mod sole;
mod table_commands;
mod update;
mod watching;
mod without_media;

pub use arrival::Arrival;
pub use heard::{Heard, Later};
pub use look::Look;
pub use manners::{Commands, Manners};
pub use notebook::{Notebook, NotebookError, Row};
pub use platform::{
    Attachment, Button, Door, HandPriority, Image, Listener, Looking, Offered, Outgoing, Platform,
    SendError, Tone, Whisper, Window,
};
pub use platform_state::{PlatformHealth, PlatformState};
pub use private_message::{PrivateMessage, SingleReader};
pub use rights::needs_admin;
pub use update::{Body, Departure, Mention, Parents, Person, PersonKind, Place, Update};
pub use watching::Watching;
pub use without_media::without_media;
