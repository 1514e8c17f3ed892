//! Checks the platforms: whether the tokens are valid, where updates are sent, and the clock.

use std::time::{Duration, SystemTime};

use reqwest::header::DATE;
use reqwest::{Client, RequestBuilder, StatusCode};
use serde_json::Value;

use super::{DoctorFinding, failed_finding, good_finding, warning_finding};
use crate::config::{Config, TelegramConfig, TelegramMode};
use caravanserai_platform_shared::http_body::{error_cause, read_body, shorten_for_log};

const TELEGRAM: &str = "Telegram";
const CLOCK: &str = "clock";

/// Time limit for one answer.
pub(super) const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// Longest answer, in bytes.
pub(super) const ANSWER_BYTES_MAX: usize = 256 * 1024;
/// A clock that is off by more than this distorts the players' deadlines.
const CLOCK_OFF_MAX: Duration = Duration::from_secs(30);

/// An answer of a platform.
pub(super) struct PlatformAnswer {
    pub(super) status: StatusCode,
    pub(super) body: Value,
    pub(super) date: Option<SystemTime>,
}

/// Checks every platform in the settings.
pub(super) async fn examine(config: &Config) -> Vec<DoctorFinding> {
    let Ok(client) = Client::builder().timeout(ANSWER_TIMEOUT).build() else {
        return vec![failed_finding("network", "no connection can be made from this program")];
    };
    let mut found = Vec::new();
    if let Some(telegram) = &config.telegram {
        examine_telegram(&client, telegram, &mut found).await;
    }
    #[cfg(feature = "discord")]
    if let Some(discord) = &config.discord {
        super::discord::examine_discord(&client, discord, &mut found).await;
    }
    if config.telegram.is_none() && config.discord.is_none() {
        found.push(good_finding("platforms", "only the built-in group chat, which needs no token"));
    }
    found
}

async fn examine_telegram(
    client: &Client,
    telegram: &TelegramConfig,
    found: &mut Vec<DoctorFinding>,
) {
    // The URL has the token, so no finding may contain it.
    let base = format!("{}/bot{}", telegram.api_url, telegram.token.reveal());
    let me = match send_request(client.get(format!("{base}/getMe"))).await {
        Ok(answer) => answer,
        Err(why) => {
            let words = format!("{} does not answer: {why}", telegram.api_url);
            found.push(failed_finding(TELEGRAM, words));
            return;
        }
    };
    let name = me.body["result"]["username"].as_str();
    match (me.status, name) {
        (StatusCode::OK, Some(name)) => {
            found.push(good_finding(
                TELEGRAM,
                format!("the token is that of @{}", shorten_for_log(name)),
            ));
        }
        (StatusCode::UNAUTHORIZED | StatusCode::NOT_FOUND, _) => {
            found.push(failed_finding(
                TELEGRAM,
                "TELEGRAM_TOKEN is refused: copy it again from @BotFather (/mybots, API Token)",
            ));
            return;
        }
        (status, _) => {
            found.push(failed_finding(
                TELEGRAM,
                format!(
                    "{} answers {status}, not as a Bot API server \
                                                does",
                    telegram.api_url
                ),
            ));
            return;
        }
    }
    found.extend(me.date.map(clock_finding));
    if let Ok(answer) = send_request(client.get(format!("{base}/getWebhookInfo"))).await {
        found.push(webhook_finding(telegram, &answer.body["result"]));
    }
    if let Some(chat) = &telegram.picture_chat
        && let Ok(answer) = send_request(client.get(format!("{base}/getChat?chat_id={chat}"))).await
    {
        found.push(picture_chat_finding(chat, &answer.body));
    }
}

fn picture_chat_finding(chat: &str, answer: &Value) -> DoctorFinding {
    match answer["description"].as_str() {
        None => good_finding(
            TELEGRAM,
            "TELEGRAM_PICTURE_CHAT was found; whether the bot may post there is not checked",
        ),
        Some(why) => failed_finding(
            TELEGRAM,
            format!(
                "TELEGRAM_PICTURE_CHAT is {chat}, but the bot is not there: {}; add it as an admin \
                 that may post messages",
                shorten_for_log(why)
            ),
        ),
    }
}

fn webhook_finding(telegram: &TelegramConfig, info: &Value) -> DoctorFinding {
    let set = info["url"].as_str().unwrap_or_default();
    let trouble = info["last_error_message"].as_str();
    match &telegram.mode {
        TelegramMode::Polling if set.is_empty() => {
            good_finding(TELEGRAM, "updates are asked for, and no webhook is in the way")
        }
        TelegramMode::Polling => warning_finding(
            TELEGRAM,
            "a webhook is set, but TELEGRAM_WEBHOOK_URL is not: the bot takes it away when it \
             starts; is another program using the same token?",
        ),
        TelegramMode::Webhook { url, .. } if set == url.as_str() => match trouble {
            Some(why) => warning_finding(
                TELEGRAM,
                format!(
                    "Telegram could not push an update: {}. Does your \
                                                 proxy forward it to HTTP_LISTEN?",
                    shorten_for_log(why)
                ),
            ),
            None => good_finding(TELEGRAM, "updates are pushed to TELEGRAM_WEBHOOK_URL"),
        },
        TelegramMode::Webhook { .. } => warning_finding(
            TELEGRAM,
            "updates are not pushed to TELEGRAM_WEBHOOK_URL yet: the bot sets that when it starts",
        ),
    }
}

pub(super) fn clock_finding(theirs: SystemTime) -> DoctorFinding {
    let ours = SystemTime::now();
    let off = match ours.duration_since(theirs) {
        Ok(ahead) => ahead,
        Err(behind) => behind.duration(),
    };
    if off > CLOCK_OFF_MAX {
        return failed_finding(
            CLOCK,
            format!(
                "{} seconds off what the platform says: switch on time synchronisation",
                off.as_secs()
            ),
        );
    }
    good_finding(CLOCK, "right, as far as the platform can say")
}

pub(super) async fn send_request(request: RequestBuilder) -> Result<PlatformAnswer, String> {
    let answer = request.send().await.map_err(|error| error_cause(&error))?;
    let status = answer.status();
    let date = answer.headers().get(DATE).and_then(|it| it.to_str().ok()).and_then(parse_http_date);
    let body = read_body(answer, ANSWER_BYTES_MAX).await.map_err(|error| error.to_string())?;
    Ok(PlatformAnswer { status, body: serde_json::from_slice(&body).unwrap_or_default(), date })
}

/// Parses a time such as `Sun, 22 Nov 2026 04:05:06 GMT`.
fn parse_http_date(text: &str) -> Option<SystemTime> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let [_, day, month, year, clock, "GMT"] = words[..] else { return None };
    let month = MONTHS.iter().position(|it| *it == month)?;
    let month = time::Month::try_from(u8::try_from(month + 1).ok()?).ok()?;
    let date = time::Date::from_calendar_date(year.parse().ok()?, month, day.parse().ok()?).ok()?;
    let mut parts = clock.split(':').map(|it| it.parse::<u8>().ok());
    let hour = parts.next()??;
    let minute = parts.next()??;
    let second = parts.next()??;
    let at = date.with_hms(hour, minute, second.min(59)).ok()?.assume_utc();
    let seconds = u64::try_from(at.unix_timestamp()).ok()?;
    Some(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_an_answer_is_read() {
        let at = parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").expect("it is a time");
        assert_eq!(at, SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777));
        for odd in ["", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 99 Nov 1994 08:49:37 GMT"] {
            assert_eq!(parse_http_date(odd), None, "{odd}");
        }
    }

    #[test]
    fn a_clock_that_is_off_is_wrong() {
        let now = SystemTime::now();
        assert_eq!(clock_finding(now).severity, super::super::FindingSeverity::Good);
        let early = clock_finding(now - Duration::from_secs(600));
        assert_eq!(early.severity, super::super::FindingSeverity::Failed);
        assert_eq!(
            clock_finding(now + Duration::from_secs(600)).severity,
            super::super::FindingSeverity::Failed
        );
    }
}
