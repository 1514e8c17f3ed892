//! What Discord says: whether the token is its own, and where it sends commands and presses.

use reqwest::{Client, StatusCode};
use serde_json::Value;

use super::platforms::{ask, clock};
use super::{Finding, fine, look, wrong};
use crate::config::Discord;
use crate::interactions::{Astray, compare};
use caravanserai_discord::Application;
use caravanserai_platform_shared::foreign::shortened;

const DISCORD: &str = "Discord";

/// What Discord says of the token, and where it sends commands.
pub(super) async fn discord_says(client: &Client, discord: &Discord, found: &mut Vec<Finding>) {
    let url = format!("{}/api/v10/applications/@me", discord.api_url);
    let asked = client.get(url).header("authorization", format!("Bot {}", discord.token.reveal()));
    let answer = match ask(asked).await {
        Ok(answer) => answer,
        Err(why) => {
            found.push(wrong(DISCORD, format!("{} does not answer: {why}", discord.api_url)));
            return;
        }
    };
    match (answer.status, answer.body["id"].as_str()) {
        (StatusCode::OK, Some(_)) => {
            let name = shortened(answer.body["name"].as_str().unwrap_or("a nameless one"));
            found.push(fine(DISCORD, format!("the token is that of the application {name}")));
            found.push(interactions(discord, &answer.body));
            found.extend(discord.members.then(|| members(&answer.body)));
        }
        (StatusCode::UNAUTHORIZED, _) => found.push(wrong(
            DISCORD,
            "DISCORD_TOKEN is refused: in the developer portal press Reset Token under Bot, and \
             copy the new one",
        )),
        (status, _) => {
            let words = format!("{} answers {status}, not as Discord does", discord.api_url);
            found.push(wrong(DISCORD, words));
        }
    }
    found.extend(answer.date.map(clock));
}

/// Whether commands and presses come to the program.
fn interactions(discord: &Discord, about: &Value) -> Finding {
    let told = Application::of(about);
    match compare(&discord.interactions, &told) {
        Ok(()) => match &told.posts_to {
            Some(to) => fine(DISCORD, format!("commands are posted to {}", shortened(to))),
            None => fine(DISCORD, "commands come over the gateway"),
        },
        Err(astray @ Astray::Nowhere) => look(DISCORD, astray.to_string()),
        Err(astray) => wrong(DISCORD, astray.to_string()),
    }
}

/// Whether Discord will tell who leaves a server.
fn members(about: &Value) -> Finding {
    match Application::of(about).tells_members {
        true => fine(DISCORD, "who leaves a server is told"),
        false => look(
            DISCORD,
            "DISCORD_MEMBERS is on, but Discord will not tell who leaves a server: in the \
             developer portal, under Bot, switch on Server Members Intent",
        ),
    }
}
