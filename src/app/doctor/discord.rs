//! Checks Discord: whether the token is valid, and where interactions are sent.

use reqwest::{Client, StatusCode};
use serde_json::Value;

use super::platforms::{clock_finding, send_request};
use super::{DoctorFinding, failed_finding, good_finding, warning_finding};
use crate::config::DiscordConfig;
use crate::interaction_check::{InteractionMismatch, check_interactions};
use caravanserai_discord::DiscordApplication;
use caravanserai_platform_shared::http_body::shorten_for_log;

const DISCORD: &str = "Discord";

/// Checks the token and where Discord sends interactions.
pub(super) async fn examine_discord(
    client: &Client,
    discord: &DiscordConfig,
    found: &mut Vec<DoctorFinding>,
) {
    let url = format!("{}/api/v10/applications/@me", discord.api_url);
    let asked = client.get(url).header("authorization", format!("Bot {}", discord.token.reveal()));
    let answer = match send_request(asked).await {
        Ok(answer) => answer,
        Err(why) => {
            found.push(failed_finding(
                DISCORD,
                format!("{} does not answer: {why}", discord.api_url),
            ));
            return;
        }
    };
    match (answer.status, answer.body["id"].as_str()) {
        (StatusCode::OK, Some(_)) => {
            let name = shorten_for_log(answer.body["name"].as_str().unwrap_or("(no name)"));
            found.push(good_finding(
                DISCORD,
                format!("the token is that of the application {name}"),
            ));
            found.push(interactions_finding(discord, &answer.body));
            found.extend(discord.members.then(|| members_finding(&answer.body)));
            found.extend(user_install_finding(&answer.body));
        }
        (StatusCode::UNAUTHORIZED, _) => found.push(failed_finding(
            DISCORD,
            "DISCORD_TOKEN is refused: in the developer portal press Reset Token under Bot, and \
             copy the new one",
        )),
        (status, _) => {
            let words = format!("{} answers {status}, not as Discord does", discord.api_url);
            found.push(failed_finding(DISCORD, words));
        }
    }
    found.extend(answer.date.map(clock_finding));
}

/// Checks that commands and presses reach the program.
fn interactions_finding(discord: &DiscordConfig, about: &Value) -> DoctorFinding {
    let application = DiscordApplication::from_json(about);
    match check_interactions(&discord.interactions, &application) {
        Ok(()) => match &application.interactions_url {
            Some(to) => {
                good_finding(DISCORD, format!("commands are posted to {}", shorten_for_log(to)))
            }
            None => good_finding(DISCORD, "commands come over the gateway"),
        },
        Err(astray @ InteractionMismatch::NotPosted) => {
            warning_finding(DISCORD, astray.to_string())
        }
        Err(astray) => failed_finding(DISCORD, astray.to_string()),
    }
}

/// Checks that Discord sends the events of members who leave a server.
fn members_finding(about: &Value) -> DoctorFinding {
    match DiscordApplication::from_json(about).has_members_intent {
        true => good_finding(DISCORD, "Discord sends events of members who leave"),
        false => warning_finding(
            DISCORD,
            "DISCORD_MEMBERS is on, but Discord will not tell who leaves a server: in the \
             developer portal, under Bot, switch on Server Members Intent",
        ),
    }
}

/// Warns if people cannot add the bot to their own accounts.
fn user_install_finding(about: &Value) -> Option<DoctorFinding> {
    let has_user_install = DiscordApplication::from_json(about).has_user_install;
    (!has_user_install).then(|| {
        warning_finding(
            DISCORD,
            "people cannot add the bot to their own accounts: in the developer portal, under \
             Installation, switch on User Install",
        )
    })
}
