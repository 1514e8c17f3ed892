//! Supports the Activity: our page inside Discord. Identifies the user by the OAuth code that
//! Discord's client gives the page, and the channel by the Activity instance that Discord says the
//! user is in.

use serde_json::Value;

use super::convert::possible_chats;
use super::rest_client::DiscordCallError;
use super::{DiscordInner, DiscordPlatform, DiscordSettings};
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_platform_shared::visible_name::visible_name;
use caravanserai_protocol::guest_service::{AuthError, VerifiedUser};
use caravanserai_protocol::{Person, PersonKind};

/// The name of the command that opens an Activity, as Discord calls it by default.
pub(super) const ENTRY_POINT: &str = "launch";

/// The flag of an application whose Activities are enabled.
const EMBEDDED: u64 = 1 << 17;

/// Whether there is an Activity: the operator has configured it, and Discord has it enabled.
pub(super) fn is_enabled(settings: &DiscordSettings, about: &Value) -> bool {
    let wanted = settings.client_secret.is_some();
    let enabled = about["flags"].as_u64().is_some_and(|it| it & EMBEDDED != 0);
    if wanted && !enabled {
        tracing::warn!(
            "DISCORD_CLIENT_SECRET is set, but Activities are not enabled in the developer portal \
             (Activities, Settings): boards are not opened inside Discord"
        );
    }
    wanted && enabled
}

impl DiscordPlatform {
    /// Returns the host name under which Discord shows our page, if the Activity is enabled.
    pub fn activity_host(&self) -> Option<String> {
        self.inner.activity.then(|| format!("{}.discordsays.com", self.inner.app))
    }
}

impl DiscordInner {
    /// Identifies a user by the OAuth code that Discord's client gave them.
    pub async fn verify_user(
        &self,
        code: &str,
        instance: Option<&str>,
    ) -> Result<VerifiedUser, AuthError> {
        let secret = self.settings.client_secret.as_deref().ok_or(AuthError::Unreachable)?;
        let token = self.rest.exchange_code(self.app, secret, code).await.map_err(auth_error)?;
        let user = self.rest.get_as("/users/@me", &token).await.map_err(auth_error)?;
        let person = parse_person(&user).ok_or(AuthError::Forged)?;
        let chats = match instance {
            Some(instance) => self.activity_chats(instance, &user).await,
            None => Vec::new(),
        };
        Ok(VerifiedUser {
            person,
            table: None,
            chats,
            platform_token: Some(token),
            // Discord exchanges each code once.
            reusable_proof: None,
        })
    }

    /// Returns the chats that may be the channel of an Activity instance, if Discord confirms that
    /// the user is in it.
    async fn activity_chats(&self, instance: &str, user: &Value) -> Vec<ChatId> {
        let plain = |it: char| it.is_ascii_alphanumeric() || it == '-' || it == '_';
        if !instance.chars().all(plain) {
            return Vec::new();
        }
        let path = format!("/applications/{}/activity-instances/{instance}", self.app);
        let Ok(window) = self.rest.get(&path).await else { return Vec::new() };
        let is_there = window["users"].as_array().is_some_and(|it| it.contains(&user["id"]));
        let channel = window["location"]["channel_id"].as_str().and_then(|it| it.parse().ok());
        channel.filter(|_| is_there).map(possible_chats).map(Vec::from).unwrap_or_default()
    }
}

fn auth_error(error: DiscordCallError) -> AuthError {
    match error {
        // Discord does not distinguish used codes from codes that it never issued.
        DiscordCallError::Refused { status: 400, .. } => AuthError::Forged,
        DiscordCallError::Refused { status: 401, .. } => {
            tracing::warn!(%error, "DISCORD_CLIENT_SECRET is refused for an Activity");
            AuthError::Unreachable
        }
        error => {
            tracing::warn!(%error, "failed to verify an Activity user");
            AuthError::Unreachable
        }
    }
}

fn parse_person(user: &Value) -> Option<Person> {
    let id: u64 = user["id"].as_str()?.parse().ok()?;
    let text = |name: &str| user[name].as_str().filter(|it| !it.trim().is_empty());
    let username = text("username").map(str::to_owned);
    Some(Person {
        id: PersonId(format!("dc:{id}")),
        name: text("global_name").and_then(visible_name).or_else(|| username.clone())?,
        username,
        locale: text("locale").map(str::to_owned),
        kind: if user["bot"] == true { PersonKind::Bot } else { PersonKind::Human },
        admin: false,
    })
}
