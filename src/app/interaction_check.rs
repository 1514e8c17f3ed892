//! Whether commands and presses of Discord come to this program: what the settings say beside what
//! the developer portal says.

use super::config::DiscordInteractions;
use caravanserai_discord::DiscordApplication;

/// Why commands and presses come another way than the settings say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InteractionMismatch {
    /// The key is not that of the token's application: everything posted would be refused.
    #[error(
        "DISCORD_PUBLIC_KEY is that of another application than DISCORD_TOKEN: copy it again from \
         the developer portal (General Information)"
    )]
    WrongPublicKey,
    /// They are posted, and nobody here takes them.
    #[error(
        "the developer portal has an Interactions Endpoint URL, so no command comes over the \
         gateway: take it out there, or set DISCORD_INTERACTIONS=http"
    )]
    PostedElsewhere,
    /// They are not posted anywhere. They come over the gateway, so people still play.
    #[error(
        "DISCORD_INTERACTIONS is http, but the developer portal has no Interactions Endpoint URL: \
         until the public address of /discord is written there, commands come over the gateway"
    )]
    NotPosted,
}

/// Compares the settings with what Discord tells of the application.
///
/// # Errors
/// What does not fit together.
pub fn check_interactions(
    wanted: &DiscordInteractions,
    told: &DiscordApplication,
) -> Result<(), InteractionMismatch> {
    match wanted {
        DiscordInteractions::Gateway if told.interactions_url.is_some() => {
            Err(InteractionMismatch::PostedElsewhere)
        }
        DiscordInteractions::Gateway => Ok(()),
        DiscordInteractions::Http { public_key: ours } => {
            if told.public_key.as_ref().is_some_and(|it| !it.eq_ignore_ascii_case(ours)) {
                return Err(InteractionMismatch::WrongPublicKey);
            }
            if told.interactions_url.is_none() {
                Err(InteractionMismatch::NotPosted)
            } else {
                Ok(())
            }
        }
    }
}
