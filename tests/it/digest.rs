//! The weekly digest of a group: off by default, one silent message for each week with games,
//! despite restarts, delays and changed settings.

use std::sync::Arc;

use caravanserai_bot::results::row_formats::{self, ProjectionState};
use caravanserai_bot::service::Service;
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_protocol::SendError;
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Commit, Put, Space, Store};

use crate::concurrent_requests::Pausing;
use crate::stage::memory::{MemoryStage, service};
use crate::stage::{Stage, VisibleMessage, play};

const MINUTE_MS: u64 = 60_000;
const HOUR_MS: u64 = 60 * MINUTE_MS;
const DAY_MS: u64 = 24 * HOUR_MS;

/// Monday, 23 November 2026, 9:00 UTC: two days after the stages begin.
const MONDAY_MS: u64 = 1_795_424_400_000;

/// How often a test looks whether a week was decided about.
const TURNS: usize = 200_000;

const TITLE: &str = "The week in this chat";

const PEOPLE: &str = "people Ann Bek Cyd\n";

const TURN_ON: &str = "
Ann says /settings chat
Ann presses 📅 Weekly digest
Ann presses on
Ann has private buttons 📅 Weekly digest: on
";

const GAME: &str = "
Ann says /togyz @Bek me
Bek presses Accept
Ann presses 7
Bek presses 7
Ann presses 🏳
2 seconds pass
Ann presses 🏳
everyone sees Ann resigned
";

/// Plays these scripts, one after the other, among the same people.
async fn plays(stage: &mut dyn Stage, scripts: &[&str]) {
    play("digest", &format!("{PEOPLE}{}", scripts.concat()), stage).await;
}

/// A group in which a game was played in the week before [`MONDAY_MS`].
async fn played(store: Arc<dyn Store>, setup: &[&str]) -> MemoryStage {
    let mut stage = MemoryStage::new(store).await;
    plays(&mut stage, setup).await;
    plays(&mut stage, &[GAME]).await;
    until_marked(&stage, "played mem:group", |_| true).await;
    stage
}

fn store() -> Arc<dyn Store> {
    Arc::new(MemoryStore::default())
}

/// Waits until a mark fits.
async fn until_marked(stage: &MemoryStage, key: &str, fits: impl Fn(&str) -> bool) {
    for _ in 0..TURNS {
        let row = stage.store.get(Space::Meta, key).await.unwrap();
        if row.is_some_and(|it| fits(&String::from_utf8_lossy(&it))) {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("{key} was not written");
}

/// Lets time pass until a minute after this moment, and waits until the week that was due then is
/// decided about.
async fn pass_until_due(stage: &mut MemoryStage, at_ms: u64) {
    let now_ms = stage.clock.until(at_ms + 60_000);
    assert!(now_ms <= at_ms, "the moment is over");
    decided(stage, at_ms).await;
}

/// Waits until the week is decided about that was due at this time, and all is sent.
async fn decided(stage: &MemoryStage, due_ms: u64) {
    until_marked(stage, "digest mem:group", |it| it.contains(&due_ms.to_string())).await;
    stage.service.wait_until_idle().await;
}

fn digests(stage: &MemoryStage) -> Vec<VisibleMessage> {
    let mut messages = stage.platform.messages(&stage.group);
    messages.retain(|it| it.text.contains(TITLE));
    messages
}

/// The number of posted digests, including deleted ones.
fn posts(stage: &MemoryStage) -> usize {
    let calls = stage.platform.calls();
    calls.iter().filter(|(kind, _, text)| *kind == "post" && text.contains(TITLE)).count()
}

#[tokio::test]
async fn only_weeks_with_games_have_a_digest() {
    let mut stage = played(store(), &[TURN_ON]).await;
    pass_until_due(&mut stage, MONDAY_MS).await;
    let [digest] = &digests(&stage)[..] else { panic!("one digest") };
    assert!(digest.text.contains("Games: 1, players: 2 (Togyzkumalak – 1)"), "{}", digest.text);
    assert!(digest.text.lines().count() <= 8, "{}", digest.text);
    pass_until_due(&mut stage, MONDAY_MS + 7 * DAY_MS).await;
    assert_eq!(posts(&stage), 1);
    // Another week with a game has another digest, with that game alone.
    plays(&mut stage, &[GAME]).await;
    pass_until_due(&mut stage, MONDAY_MS + 14 * DAY_MS).await;
    assert_eq!(posts(&stage), 2);
    let last = digests(&stage).pop().expect("there are two");
    assert!(last.text.contains("Games: 1, players: 2"), "{}", last.text);
}

#[tokio::test]
async fn a_group_that_did_not_ask_for_it_gets_none() {
    let mut stage = played(store(), &[]).await;
    pass_until_due(&mut stage, MONDAY_MS).await;
    assert_eq!(posts(&stage), 0);
    // Who turns it on afterwards gets the next one.
    plays(&mut stage, &[TURN_ON]).await;
    stage.ticks(HOUR_MS).await;
    assert_eq!(posts(&stage), 0);
}

#[tokio::test]
async fn games_of_other_chats_do_not_count() {
    let mut stage = played(store(), &[TURN_ON]).await;
    let group = std::mem::replace(&mut stage.group, ChatId("mem:other".into()));
    plays(&mut stage, &[GAME]).await;
    stage.group = group;
    pass_until_due(&mut stage, MONDAY_MS).await;
    assert!(digests(&stage)[0].text.contains("Games: 1,"), "{:?}", digests(&stage));
    until_marked(&stage, "digest mem:other", |_| true).await;
    assert_eq!(posts(&stage), 1, "the other chat did not ask for it");
}

#[tokio::test]
async fn a_digest_is_sent_up_to_a_day_late() {
    for (late_ms, expected) in [(DAY_MS - 60_000, 1), (DAY_MS, 0)] {
        let mut stage = played(store(), &[TURN_ON]).await;
        stage.service.wait_until_idle().await;
        stage.service.kill_for_test().await;
        stage.clock.until(MONDAY_MS + late_ms);
        stage.restart().await;
        match expected {
            0 => stage.ticks(HOUR_MS).await,
            _ => decided(&stage, MONDAY_MS).await,
        }
        assert_eq!(posts(&stage), expected, "{late_ms} ms late");
    }
}

/// Histories lack games until then.
#[tokio::test]
async fn a_digest_waits_for_ratings_that_are_to_be_computed_again() {
    let mut stage = played(store(), &[TURN_ON]).await;
    stage.service.wait_until_idle().await;
    stage.clock.until(MONDAY_MS - MINUTE_MS);
    stage.service.wait_until_idle().await;
    // A person has linked an account just after the ratings were computed again.
    let read = stage.store.get(Space::Meta, row_formats::PROJECTION_STATE).await.unwrap();
    let mut state: ProjectionState = serde_json::from_slice(&read.unwrap()).unwrap();
    state.rebuilt_ms = MONDAY_MS - MINUTE_MS;
    let state = serde_json::to_vec(&state).unwrap();
    let request = row_formats::recompute_request("mem:Zoe");
    let puts = vec![
        Put::new(Space::Meta, row_formats::PROJECTION_STATE, state),
        Put::new(Space::Meta, request, MONDAY_MS.to_string()),
    ];
    stage.store.commit(Commit::from_puts(puts)).await.unwrap();
    for _ in 0..3 {
        stage.ticks(MINUTE_MS).await;
    }
    let mark = stage.store.get(Space::Meta, "digest mem:group").await.unwrap();
    assert!(mark.is_none() && posts(&stage) == 0, "{mark:?}");
    for _ in 0..10 {
        stage.ticks(MINUTE_MS).await;
    }
    decided(&stage, MONDAY_MS).await;
    assert_eq!(posts(&stage), 1);
}

#[tokio::test]
async fn no_restart_setting_or_time_zone_repeats_a_digest() {
    const EAST: &str = "
Ann says /settings chat
Ann presses 🕰 Time of the chat
Ann presses UTC+12
Ann has private buttons 🕰 Time of the chat: UTC+12
";
    const WEST: &str = "
Ann says /settings chat
Ann presses 🕰 Time of the chat
Ann presses UTC−8
Ann has private buttons 🕰 Time of the chat: UTC−8
Ann presses 📅 Weekly digest
Ann presses off
Ann presses 📅 Weekly digest
Ann presses on
Ann has private buttons 📅 Weekly digest: on
";
    let mut stage = played(store(), &[TURN_ON, EAST]).await;
    let due_ms = MONDAY_MS - 12 * HOUR_MS;
    stage.clock.until(due_ms - 1);
    stage.ticks(0).await;
    assert_eq!(posts(&stage), 0, "it is not nine yet");
    pass_until_due(&mut stage, due_ms).await;
    assert_eq!(posts(&stage), 1);
    plays(&mut stage, &[WEST]).await;
    for _ in 0..24 {
        stage.restart().await;
        stage.ticks(HOUR_MS).await;
    }
    assert_eq!(posts(&stage), 1);
}

/// Another process on the store of the stage, in the same chats.
async fn another(stage: &MemoryStage) -> Service {
    let other = service(stage.store.clone(), stage.clock.clone(), 500);
    other.add_platform(stage.platform.clone());
    other.start().await.unwrap();
    other
}

#[tokio::test]
async fn one_of_two_processes_sends_the_digest() {
    for turned in [false, true] {
        let store = Pausing::new();
        let mut stage = played(store.clone(), &[TURN_ON]).await;
        let other = another(&stage).await;
        let meeting = store.meet(Space::Meta, "digest mem:group", turned);
        pass_until_due(&mut stage, MONDAY_MS).await;
        for _ in 0..TURNS {
            if meeting.have_met() {
                break;
            }
            tokio::task::yield_now().await;
        }
        assert!(meeting.have_met(), "only one process decided");
        stage.ticks(60_000).await;
        stage.service.wait_until_idle().await;
        other.wait_until_idle().await;
        assert_eq!(posts(&stage), 1);
    }
}

#[tokio::test]
async fn a_digest_that_cannot_be_sent_for_a_day_is_left_out() {
    let stage = played(store(), &[TURN_ON]).await;
    stage.service.wait_until_idle().await;
    let down = || SendError::Temporary("it is down".into());
    stage.platform.fail_with(std::iter::repeat_with(down).take(1_000));
    stage.clock.until(MONDAY_MS + 60_000);
    until_marked(&stage, "digest mem:group", |_| true).await;
    let waiting = || async { stage.store.scan(Space::Outbox, "", None, 9).await.unwrap() };
    assert_eq!(waiting().await.len(), 1);
    stage.clock.until(MONDAY_MS + DAY_MS + 60_000);
    for _ in 0..TURNS {
        if waiting().await.is_empty() {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("the outbox never becomes empty");
}

/// The digest of a chat has only the games of that chat. A deleted account is counted without its
/// name.
#[tokio::test]
async fn a_digest_names_no_deleted_account() {
    let mut stage = played(store(), &[TURN_ON]).await;
    let results = stage.store.scan(Space::Result, "", None, 9).await.unwrap();
    let (key, value) = &results[0];
    let gone = PersonId::deleted("abcdefghijklmnop").0;
    let replaced = String::from_utf8_lossy(value).replace("mem:Bek", &gone).replace("Bek", "");
    let put = caravanserai_store::Put::new(Space::Result, key.clone(), replaced.into_bytes());
    stage.store.commit(caravanserai_store::Commit::from_puts(vec![put])).await.unwrap();
    pass_until_due(&mut stage, MONDAY_MS).await;
    let digest = digests(&stage).pop().expect("there is one");
    assert!(digest.text.contains("Games: 1, players: 2"), "{}", digest.text);
    assert!(!digest.text.contains("Bek") && !digest.text.contains('⭐'), "{}", digest.text);
}

/// From Saturday noon until Monday after nine.
const MONDAY: &str = "
2710 minutes pass
everyone sees The week in this chat
";

#[cfg(feature = "telegram")]
#[tokio::test]
async fn telegram_makes_no_sound() {
    let mut stage = crate::stage::telegram::TelegramStage::new(store()).await;
    plays(&mut stage, &[TURN_ON, GAME, MONDAY]).await;
    let seen = stage.people["Cyd"].sees(stage.spot.chat);
    let digest = seen.iter().rfind(|it| it.text.contains(TITLE)).expect("there is one");
    assert!(digest.silent, "{digest:?}");
}

#[cfg(feature = "discord")]
#[tokio::test]
async fn discord_makes_no_sound_and_pings_nobody() {
    let mut stage = crate::stage::discord::DiscordStage::new(store()).await;
    plays(&mut stage, &[TURN_ON, GAME, MONDAY]).await;
    let channel = stage.channel.clone().expect("people are there");
    let seen = stage.dc.visible_to(&stage.people["Cyd"], &channel);
    let digest = seen.iter().rfind(|it| it.text.contains(TITLE)).expect("there is one");
    assert!(digest.silent && digest.pinged.is_empty(), "{digest:?}");
}
