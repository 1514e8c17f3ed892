//! Checks that commands and button presses of Discord reach this program, by comparing the settings
//! with those in the developer portal.

use super::config::DiscordInteractions;
use caravanserai_discord::DiscordApplication;

/// A mismatch between the settings and the developer portal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InteractionMismatch {
    /// The key is not that of the token's application: every posted interaction would be refused.
    #[error(
        "DISCORD_PUBLIC_KEY is that of another application than DISCORD_TOKEN: copy it again from \
         the developer portal (General Information)"
    )]
    WrongPublicKey,
    /// Discord posts interactions, but no route receives them.
    #[error(
        "the developer portal has an Interactions Endpoint URL, so no command comes over the \
         gateway: take it out there, or set DISCORD_INTERACTIONS=http"
    )]
    PostedElsewhere,
    /// Discord posts nothing. Interactions come over the gateway, so players can still play.
    #[error(
        "DISCORD_INTERACTIONS is http, but the developer portal has no Interactions Endpoint URL: \
         until the public address of /discord is written there, commands come over the gateway"
    )]
    NotPosted,
}

/// Compares the settings with Discord's data on the application.
///
/// # Errors
/// The mismatch.
pub fn check_interactions(
    wanted: &DiscordInteractions,
    application: &DiscordApplication,
) -> Result<(), InteractionMismatch> {
    match wanted {
        DiscordInteractions::Gateway if application.interactions_url.is_some() => {
            Err(InteractionMismatch::PostedElsewhere)
        }
        DiscordInteractions::Gateway => Ok(()),
        DiscordInteractions::Http { public_key: ours } => {
            if application.public_key.as_ref().is_some_and(|it| !it.eq_ignore_ascii_case(ours)) {
                return Err(InteractionMismatch::WrongPublicKey);
            }
            if application.interactions_url.is_none() {
                Err(InteractionMismatch::NotPosted)
            } else {
                Ok(())
            }
        }
    }
}
