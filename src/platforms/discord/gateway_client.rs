//! Runs the gateway connection: shares the shards among processes and reconnects.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::Value;
use serenity::all::{ApplicationId, Client, ClientBuilder, GatewayIntents, HttpBuilder};
use serenity::gateway::GatewayError;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::gateway_events::GatewayHandler;
use super::{DiscordPlatform, DiscordStartError};
use caravanserai_games::time_units::MINUTE_MS;
use caravanserai_platform_shared::backoff::Backoff;
use caravanserai_platform_shared::leader_lease::LeaderLease;
use caravanserai_protocol::UpdateHandler;

/// How long closing the gateway connection may take.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
/// The upper bound of the first, random pause between two tries to reach the gateway.
const RECONNECT_PAUSE_MIN: Duration = Duration::from_secs(1);
/// The longest pause between two tries to reach the gateway, two minutes on average. A refused
/// token is not tried more often: Discord counts these tries, too.
const RECONNECT_PAUSE_MAX: Duration = Duration::from_secs(160);
/// More shards than any bot of this kind has.
const SHARDS_MAX: u32 = 1_024;
/// How long Discord wants between two groups of shards that connect at the same time.
const CONNECT_INTERVAL: Duration = Duration::from_secs(5);
/// A plan is asked for again when a lease was waited for longer than this.
const PLAN_AGE_MAX: Duration = Duration::from_secs(5);
/// With fewer connections left today a warning is logged.
const CONNECTIONS_LOW: u64 = 100;

/// Reported to the operator when Discord does not let the bot know who leaves a server.
const NO_MEMBERS: &str = "Discord does not tell who leaves a server: in the developer portal, \
                          under Bot, switch on Server Members Intent and start me again, or set \
                          DISCORD_MEMBERS=off";

/// How Discord wants the bot to connect.
struct GatewayPlan {
    shards: u32,
    /// How many shards may connect at the same time.
    at_once: u32,
}

/// Why the gateway client has ended.
enum GatewayEnd {
    Stopped,
    Lost,
    /// Discord refuses the intent for member events.
    MembersRefused,
    /// Discord wants another number of shards.
    Resharded,
}

impl DiscordPlatform {
    /// Receives events from the gateway until `stop` is ready; reconnects and resumes as needed.
    /// Several processes share the shards. Every failure, a refused token too, is logged and
    /// retried with growing pauses.
    ///
    /// # Errors
    /// None at present.
    pub async fn run(
        &self,
        handler: Arc<dyn UpdateHandler>,
        stop: impl Future<Output = ()> + Send,
    ) -> Result<(), DiscordStartError> {
        let ended = CancellationToken::new();
        let stopped = async {
            stop.await;
            ended.cancel();
        };
        tokio::join!(self.run_shards(handler, &ended), stopped);
        self.inner.drain_events().await;
        Ok(())
    }

    /// Runs the shards whose leases this process gets, until the end.
    async fn run_shards(&self, handler: Arc<dyn UpdateHandler>, ended: &CancellationToken) {
        let mut pauses = Backoff::new(RECONNECT_PAUSE_MIN, RECONNECT_PAUSE_MAX);
        while !ended.is_cancelled() {
            let asked = ended.run_until_cancelled(self.gateway_plan()).await;
            let GatewayPlan { shards: count, at_once } = match asked {
                None => return,
                Some(Ok(plan)) => plan,
                Some(Err(error)) => {
                    self.inner.gateway.report_problem(&error.to_string());
                    ended.run_until_cancelled(tokio::time::sleep(pauses.next_pause())).await;
                    continue;
                }
            };
            pauses.reset();
            // Ends with the process, or when the number of shards changes.
            let generation = ended.child_token();
            let mut shards = JoinSet::new();
            for shard in 0..count {
                let discord = self.clone();
                let handler = Arc::clone(&handler);
                let generation = generation.clone();
                let wait = tokio::time::sleep(CONNECT_INTERVAL * (shard / at_once));
                shards.spawn(async move {
                    if generation.run_until_cancelled(wait).await.is_some() {
                        discord.run_shard(shard, count, handler, &generation).await;
                    }
                });
            }
            while let Some(done) = shards.join_next().await {
                if let Err(error) = done {
                    tracing::error!(%error, "a Discord shard panicked");
                }
                generation.cancel();
            }
        }
    }

    /// Asks Discord how to connect. The adapter asks first because the client library reads
    /// responses of any length.
    async fn gateway_plan(&self) -> Result<GatewayPlan, DiscordStartError> {
        let said = self.inner.rest.get("/gateway/bot").await?;
        let limit = &said["session_start_limit"];
        match limit["remaining"].as_u64() {
            // Discord takes the token away from a bot that connects more often than it may.
            Some(0) => {
                let minutes = limit["reset_after"].as_u64().unwrap_or_default() / MINUTE_MS;
                return Err(DiscordStartError::Unreachable(format!(
                    "Discord lets the bot connect again in {minutes} minutes: it has connected too \
                     often today"
                )));
            }
            Some(left @ 1..CONNECTIONS_LOW) => {
                tracing::warn!(left, "few connections to Discord's gateway are left today");
            }
            Some(_) | None => {}
        }
        let number = |it: &Value| it.as_u64().and_then(|it| u32::try_from(it).ok());
        let at_once = number(&limit["max_concurrency"]).filter(|it| *it > 0).unwrap_or(1);
        let has_address = said["url"].as_str().is_some_and(|it| it.starts_with("ws"));
        let shards = number(&said["shards"]).filter(|it| (1..=SHARDS_MAX).contains(it));
        match shards.filter(|_| has_address) {
            Some(shards) => Ok(GatewayPlan { shards, at_once }),
            None => {
                Err(DiscordStartError::Unreachable("no address of a gateway was given".to_owned()))
            }
        }
    }

    /// Runs one shard whenever this process holds its lease, until the end.
    async fn run_shard(
        &self,
        shard: u32,
        count: u32,
        handler: Arc<dyn UpdateHandler>,
        ended: &CancellationToken,
    ) {
        let app = self.inner.app;
        let lease = LeaderLease::new(&self.inner.rows, format!("shard dc/{app} {shard}/{count}"));
        let mut pauses = Backoff::new(RECONNECT_PAUSE_MIN, RECONNECT_PAUSE_MAX);
        let mut lived = false;
        while let Some(is_plan_new) = ended.run_until_cancelled(self.acquire_shard(&lease)).await {
            let lost = CancellationToken::new();
            let life = async {
                let life = lease.run_while_held(ended.cancelled()).await;
                if life.is_none() {
                    tracing::info!(shard, "lost the lease of a shard to another process");
                }
                lost.cancel();
            };
            let again = std::mem::replace(&mut lived, true);
            let listening = async {
                let done = match again || !is_plan_new {
                    true => self.gateway_plan().await.map(|it| it.shards),
                    false => Ok(count),
                };
                let done = match done {
                    Ok(now) if now != count => Ok(GatewayEnd::Resharded),
                    Ok(_) => self.run_client(shard, count, Arc::clone(&handler), &lost).await,
                    Err(error) => Err(error),
                };
                lost.cancel();
                done
            };
            let (done, ()) = tokio::join!(listening, async {
                tokio::select! {
                    () = life => {}
                    () = lost.cancelled() => {}
                }
            });
            if self.inner.connected.swap(false, Ordering::Relaxed) {
                pauses.reset();
            }
            match done {
                Ok(GatewayEnd::Resharded) => break,
                Ok(GatewayEnd::Stopped) => continue,
                Ok(GatewayEnd::MembersRefused) => {
                    self.inner.members.store(false, Ordering::Relaxed);
                    self.inner.gateway.report_degraded(NO_MEMBERS);
                }
                Ok(GatewayEnd::Lost) => {
                    self.inner.gateway.report_problem("the connection to Discord ended")
                }
                Err(error) => self.inner.gateway.report_problem(&error.to_string()),
            }
            ended.run_until_cancelled(tokio::time::sleep(pauses.next_pause())).await;
        }
        lease.release().await;
    }

    /// Waits for the lease of a shard. Returns whether it was free at once: otherwise Discord may
    /// want another number of shards by now.
    async fn acquire_shard(&self, lease: &LeaderLease) -> bool {
        let acquired = tokio::time::timeout(PLAN_AGE_MAX, lease.acquire(&self.inner.gateway)).await;
        if acquired.is_err() {
            lease.acquire(&self.inner.gateway).await;
        }
        acquired.is_ok()
    }

    /// Runs the gateway client once; it reconnects by itself as long as it can.
    async fn run_client(
        &self,
        shard: u32,
        count: u32,
        handler: Arc<dyn UpdateHandler>,
        stop: &CancellationToken,
    ) -> Result<GatewayEnd, DiscordStartError> {
        let asks_for_members = self.inner.members.load(Ordering::Relaxed);
        let client = stop.run_until_cancelled(self.build_client(handler, asks_for_members)).await;
        let Some(client) = client else { return Ok(GatewayEnd::Stopped) };
        let mut client = client?;
        let shards = Arc::clone(&client.shard_manager);
        tokio::select! {
            ended = client.start_shard(shard, count) => match ended {
                Ok(()) => Ok(GatewayEnd::Lost),
                Err(serenity::Error::Gateway(GatewayError::DisallowedGatewayIntents))
                    if asks_for_members =>
                {
                    Ok(GatewayEnd::MembersRefused)
                }
                Err(error) => Err(gateway_error(&error)),
            },
            () = stop.cancelled() => {
                // On a broken connection the close handshake never completes.
                let goodbye = shards.shutdown_all();
                let _ = tokio::time::timeout(CLOSE_TIMEOUT, goodbye).await;
                Ok(GatewayEnd::Stopped)
            }
        }
    }

    async fn build_client(
        &self,
        handler: Arc<dyn UpdateHandler>,
        asks_for_members: bool,
    ) -> Result<Client, DiscordStartError> {
        let inner = &self.inner;
        let settings = &inner.settings;
        // serenity requests only the address of the gateway. Its rate limiter stays off: with it,
        // an address set here is ignored.
        let mut http = HttpBuilder::new(&settings.token)
            .client(inner.rest.client())
            .application_id(ApplicationId::new(inner.app))
            .ratelimiter_disabled(true);
        if let Some(url) = &settings.api_url {
            http = http.proxy(url);
        }
        // None of these intents is privileged.
        let mut intents = GatewayIntents::GUILDS
            | GatewayIntents::GUILD_MODERATION
            | GatewayIntents::GUILD_MESSAGES
            | GatewayIntents::DIRECT_MESSAGES;
        // This intent is privileged.
        intents.set(GatewayIntents::GUILD_MEMBERS, asks_for_members);
        let handler = GatewayHandler { inner: Arc::clone(inner), handler };
        let client = ClientBuilder::new_with_http(http.build(), intents)
            .raw_event_handler(handler)
            .await
            .map_err(|it| gateway_error(&it))?;
        // Without an answer about the address of the gateway, serenity uses Discord's own.
        let gateway = client.ws_url.lock().await.clone();
        if settings.api_url.is_some() && gateway.contains("gateway.discord.gg") {
            return Err(DiscordStartError::Unreachable(
                "no address of a gateway was given".to_owned(),
            ));
        }
        Ok(client)
    }
}

/// Describes in our own words why the gateway client ended; its own words go to the log only.
fn gateway_error(error: &serenity::Error) -> DiscordStartError {
    tracing::info!(cause = %error, "the client of Discord's gateway ended");
    let unreachable = |why: &str| DiscordStartError::Unreachable(why.to_owned());
    let refused = |why: &str| DiscordStartError::Refused(why.to_owned());
    match error {
        serenity::Error::Gateway(
            GatewayError::InvalidAuthentication | GatewayError::NoAuthentication,
        ) => DiscordStartError::BadToken,
        serenity::Error::Gateway(GatewayError::DisallowedGatewayIntents) => {
            refused("the bot requests events that are not enabled for it in the developer portal")
        }
        serenity::Error::Gateway(GatewayError::InvalidGatewayIntents) => {
            refused("it does not know the events that this version of the bot requests")
        }
        serenity::Error::Gateway(
            GatewayError::InvalidShardData | GatewayError::OverloadedShard,
        ) => refused("the bot is in too many servers for this number of connections"),
        serenity::Error::Gateway(GatewayError::ReconnectFailure) => {
            unreachable("the connection to its gateway broke and could not be restored")
        }
        serenity::Error::Gateway(_) => unreachable("the connection to its gateway broke"),
        serenity::Error::Tungstenite(_) | serenity::Error::Io(_) => {
            unreachable("the connection to its gateway failed")
        }
        serenity::Error::Http(_) => unreachable("its gateway has given no address"),
        _ => unreachable("its gateway sent something that cannot be read"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_read_why_the_gateway_is_away_in_our_own_words() {
        let all = [
            GatewayError::BuildingUrl,
            GatewayError::Closed(None),
            GatewayError::ExpectedHello,
            GatewayError::HeartbeatFailed,
            GatewayError::InvalidAuthentication,
            GatewayError::InvalidHandshake,
            GatewayError::InvalidShardData,
            GatewayError::NoAuthentication,
            GatewayError::NoSessionId,
            GatewayError::OverloadedShard,
            GatewayError::ReconnectFailure,
            GatewayError::InvalidGatewayIntents,
            GatewayError::DisallowedGatewayIntents,
        ];
        for cause in all {
            let words = cause.to_string();
            let shown = gateway_error(&serenity::Error::Gateway(cause)).to_string();
            assert!(!shown.contains(&words), "{shown}");
            assert!(shown.contains("Discord"), "{shown}");
        }
        let shown = gateway_error(&serenity::Error::Other("Expected value Map")).to_string();
        assert!(!shown.contains("Expected value"), "{shown}");
    }
}
