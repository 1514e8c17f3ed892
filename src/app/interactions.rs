//! Whether commands and presses of Discord come to this program: what the settings say beside what
//! the developer portal says.

use super::config::Interactions;
use caravanserai_discord::Application;

/// Why commands and presses come another way than the settings say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Astray {
    /// The key is not that of the token's application: everything posted would be refused.
    #[error(
        "DISCORD_PUBLIC_KEY is that of another application than DISCORD_TOKEN: copy it again from \
         the developer portal (General Information)"
    )]
    ForeignKey,
    /// They are posted, and nobody here takes them.
    #[error(
        "the developer portal has an Interactions Endpoint URL, so no command comes over the \
         gateway: take it out there, or set DISCORD_INTERACTIONS=http"
    )]
    Elsewhere,
    /// They are not posted anywhere. They come over the gateway, so people still play.
    #[error(
        "DISCORD_INTERACTIONS is http, but the developer portal has no Interactions Endpoint URL: \
         until the public address of /discord is written there, commands come over the gateway"
    )]
    Nowhere,
}

/// Compares the settings with what Discord tells of the application.
///
/// # Errors
/// What does not fit together.
pub fn compare(wanted: &Interactions, told: &Application) -> Result<(), Astray> {
    match wanted {
        Interactions::Gateway if told.posts_to.is_some() => Err(Astray::Elsewhere),
        Interactions::Gateway => Ok(()),
        Interactions::Http { public_key: ours } => {
            if told.public_key.as_ref().is_some_and(|it| !it.eq_ignore_ascii_case(ours)) {
                return Err(Astray::ForeignKey);
            }
            if told.posts_to.is_none() { Err(Astray::Nowhere) } else { Ok(()) }
        }
    }
}
