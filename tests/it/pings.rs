//! Pings: the settings of a person apply to every kind of ping.

use std::sync::Arc;

use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Commit, Put, Space};

use crate::stage::memory::MemoryStage;
use crate::stage::play;

const MINUTE_MS: u64 = 60_000;

/// The kind of call, a script that leads to it, the minutes until Bek is called, and how the call
/// begins.
const KINDS: [(&str, &str, u64, &str); 4] = [
    (
        "a turn",
        "Ann says /togyz @Bek me
         Bek presses Accept
         Ann presses 7
         Bek sees Bek is to move",
        3,
        "Bek, it’s your turn",
    ),
    (
        "a nudge",
        "Ann says /togyz @Bek me no clock
         Bek presses Accept
         Ann presses 7
         Bek sees Bek is to move
         Ann says /nudge",
        0,
        "Bek, your table is waiting",
    ),
    (
        "an invitation",
        "Ann says /thaayam @Bek
         6 minutes pass
         Ann presses ⚙ Settings
         Ann presses 🔔 Nudge
         Ann gets reply They have been nudged",
        0,
        "Bek, you’re invited",
    ),
    (
        "a lobby that closes",
        "Bek says /togyz
         Bek sees is waiting",
        23 * 60 + 1,
        "Bek, table",
    ),
];

/// A bot that knows these settings of Bek.
async fn stage(settings: &str) -> MemoryStage {
    let stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    let row = Put::new(Space::Person, "mem:Bek", settings);
    stage.store.commit(Commit::from_puts(vec![row])).await.unwrap();
    stage
}

/// Whether a message that begins with this text was posted.
fn is_posted(stage: &MemoryStage, text: &str) -> bool {
    stage.platform.calls().iter().any(|(kind, _, said)| *kind == "post" && said.starts_with(text))
}

/// Plays a script and lets the minutes pass; also whether Bek was called then.
async fn called(settings: &str, (script, minutes, text): (&str, u64, &str)) -> (MemoryStage, bool) {
    let mut stage = stage(settings).await;
    play("begins", &format!("people Ann Bek Cyd\n{script}"), &mut stage).await;
    stage.ticks(0).await;
    for _ in 0..minutes.min(3) {
        stage.ticks(minutes * MINUTE_MS / minutes.min(3)).await;
    }
    let said = is_posted(&stage, text);
    (stage, said)
}

/// Bek is called two minutes after he last acted. If his turn ends a few seconds later, the call
/// would be deleted before he could follow it.
#[tokio::test]
async fn nobody_is_called_in_the_last_seconds_of_a_turn() {
    for (clock, is_called) in [("2 min", false), ("3 min", true), ("1 day", false)] {
        let mut stage = stage("{}").await;
        let script = format!(
            "people Ann Bek\nAnn says /togyz @Bek me {clock}\nBek presses Accept\n\
             Ann presses 7\nBek sees Bek is to move"
        );
        play("begins", &script, &mut stage).await;
        stage.ticks(0).await;
        for _ in 0..15 {
            stage.ticks(10_000).await;
        }
        assert_eq!(is_posted(&stage, "Bek, it’s your turn"), is_called, "{clock}");
    }
}

#[tokio::test]
async fn a_person_who_wants_no_calls_gets_none_of_any_kind() {
    for (kind, script, minutes, text) in KINDS {
        let (_, said) = called("{}", (script, minutes, text)).await;
        assert!(said, "{kind} calls people who have set nothing");
        let (_, said) = called(r#"{"calls":"never"}"#, (script, minutes, text)).await;
        assert!(!said, "{kind} calls people who want no calls");
    }
}

/// The tests begin at noon UTC, and so do the quiet hours of Bek. A call that waits is posted once
/// when they end; the end of a lobby that has closed meanwhile is not announced.
#[tokio::test]
async fn calls_wait_until_quiet_hours_end() {
    let night = r#"{"night":{"from":22,"to":7},"zone_min":600}"#;
    for (kind, script, minutes, _) in &KINDS[..3] {
        // A nudge and the call for the turn are one call in the morning.
        let text = "Bek, ";
        let (mut stage, said) = called(night, (*script, *minutes, text)).await;
        assert!(!said, "{kind} calls in the night");
        // From a quarter to seven to a quarter past.
        stage.ticks((8 * 60 + 39 - minutes) * MINUTE_MS).await;
        assert!(!is_posted(&stage, text), "{kind} calls in the night");
        for _ in 0..45 {
            stage.ticks(MINUTE_MS).await;
        }
        let times = stage.platform.calls();
        let times = times.iter().filter(|it| it.0 == "post" && it.2.starts_with(text)).count();
        assert_eq!(times, 1, "{kind} comes in the morning");
    }
    let late = r#"{"night":{"from":22,"to":7},"zone_min":720}"#;
    let (_, script, minutes, text) = KINDS[3];
    let (mut stage, said) = called(late, (script, minutes, text)).await;
    stage.ticks(50 * MINUTE_MS).await;
    assert!(!said && !is_posted(&stage, text), "it is eleven in the evening");
}

/// The kind of call, the script that leads to it, what happens in the night of Bek, the hours until
/// then and until he wakes, and how the call begins.
const NIGHTS: [(&str, &str, &str, [u64; 2], &str); 3] = [
    (
        "a reminder at half of the time",
        "Ann says /togyz @Bek me 1 day
         Bek presses Accept
         Ann presses 7
         Bek sees Bek is to move",
        "Ann says /if 1 2
         Ann gets reply 1 → 2",
        [15, 4],
        "Bek, it’s your turn",
    ),
    (
        "a nudge",
        "Ann says /togyz @Bek me 3 days
         Bek presses Accept
         Ann presses 7
         Bek sees Bek is to move
         723 minutes pass
         Ann says /nudge",
        "Ann says /if 1 2
         Ann gets reply 1 → 2",
        [1, 6],
        "Bek, your table is waiting",
    ),
    (
        "an invitation",
        "Ann says /thaayam @Bek players=4
         723 minutes pass
         Ann presses ⚙ Settings
         Ann presses 🔔 Nudge
         Ann gets reply They have been nudged",
        "Cyd says /join",
        [1, 6],
        "Bek, you’re invited",
    ),
];

/// A stage on which this script was played, and after these hours, in the night of Bek, another.
async fn in_the_night(script: &str, hours: u64, at_night: &str) -> MemoryStage {
    let mut stage = stage(r#"{"night":{"from":0,"to":7}}"#).await;
    play("begins", &format!("people Ann Bek Cyd\n{script}"), &mut stage).await;
    pass_hours(&mut stage, hours).await;
    play("at night", &format!("people Ann Bek Cyd\n{at_night}"), &mut stage).await;
    stage
}

async fn pass_hours(stage: &mut MemoryStage, hours: u64) {
    for _ in 0..hours {
        stage.ticks(60 * MINUTE_MS).await;
    }
}

/// The tests begin at noon UTC, and Bek sleeps from midnight to seven.
#[tokio::test]
async fn what_happens_at_a_table_at_night_cancels_no_call() {
    for (kind, script, at_night, [until_h, wakes_h], text) in NIGHTS {
        let mut stage = in_the_night(script, until_h, at_night).await;
        assert!(!is_posted(&stage, text), "{kind} calls in the night");
        pass_hours(&mut stage, wakes_h).await;
        let calls = stage.platform.calls();
        let times = calls.iter().filter(|it| it.0 == "post" && it.2.starts_with(text)).count();
        assert_eq!(times, 1, "{kind} comes in the morning: {calls:?}");
    }
}

/// A reminder that waits is for the turn in which it was due, and an invitation for the lobby.
#[tokio::test]
async fn what_is_over_at_night_calls_nobody_in_the_morning() {
    let moves = "Bek presses 1\nAnn sees Ann is to move\nAnn presses 3\nBek sees Bek is to move";
    for (call, at_night) in [(0, moves), (2, "Ann says /cancel\neveryone sees was closed")] {
        let (kind, script, _, [until_h, wakes_h], text) = NIGHTS[call];
        let mut stage = in_the_night(script, until_h, at_night).await;
        pass_hours(&mut stage, wakes_h).await;
        assert!(!is_posted(&stage, text), "{kind} is over");
    }
}

/// Bek asks for a draw in the evening, and Ann answers after he woke: his time runs meanwhile.
#[tokio::test]
async fn an_offer_of_the_player_who_sleeps_keeps_their_reminder() {
    let (_, script, _, [until_h, wakes_h], text) = NIGHTS[0];
    let mut stage = in_the_night(script, until_h, "Bek says /draw").await;
    pass_hours(&mut stage, wakes_h).await;
    assert!(is_posted(&stage, text), "his clock runs, although Ann has not answered");
    play("declines", "people Ann Bek Cyd\nAnn presses Decline", &mut stage).await;
    stage.ticks(10 * MINUTE_MS).await;
    let calls = stage.platform.calls();
    let times = calls.iter().filter(|it| it.0 == "post" && it.2.starts_with(text)).count();
    assert_eq!(times, 1, "the reminder comes once: {calls:?}");
}

#[tokio::test]
async fn an_offer_calls_only_the_players_who_want_calls() {
    for (never, called) in [("Bek", "Cyd"), ("Cyd", "Bek")] {
        let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
        let row = Put::new(Space::Person, format!("mem:{never}"), r#"{"calls":"never"}"#);
        stage.store.commit(Commit::from_puts(vec![row])).await.unwrap();
        let script = "people Ann Bek Cyd
                      Ann says /thaayam @Bek @Cyd 1 day me
                      Bek presses Accept
                      Cyd presses Accept
                      Ann says /pause
                      everyone sees Ann would like a pause";
        play("asks", script, &mut stage).await;
        stage.ticks(3 * MINUTE_MS).await;
        let calls = stage.platform.calls();
        let pause = |it: &&(&str, _, String)| it.2.contains("pause") && it.2.contains("(table");
        let said: Vec<&String> = calls.iter().filter(pause).map(|it| &it.2).collect();
        assert!(!said.is_empty(), "{never} wants no calls, {called} does: {calls:?}");
        assert!(said.iter().all(|it| it.contains(called) && !it.contains(never)), "{said:?}");
    }
}

/// How many messages were posted that begin with this text.
fn posted(stage: &MemoryStage, text: &str) -> usize {
    let calls = stage.platform.calls();
    calls.iter().filter(|it| it.0 == "post" && it.2.starts_with(text)).count()
}

/// The tests begin at noon UTC. Ann reminds two friends in the night.
#[tokio::test]
async fn each_sleeper_is_called_once_at_the_end_of_their_own_night() {
    let mut stage = stage(r#"{"night":{"from":0,"to":7}}"#).await;
    let row = Put::new(Space::Person, "mem:Cyd", r#"{"night":{"from":0,"to":9}}"#);
    stage.store.commit(Commit::from_puts(vec![row])).await.unwrap();
    let script = "people Ann Bek Cyd
         Ann says /thaayam @Bek @Cyd players=4
         723 minutes pass
         Ann presses ⚙ Settings
         Ann presses 🔔 Nudge
         Ann gets reply They have been nudged";
    play("begins", script, &mut stage).await;
    let called = |stage: &MemoryStage| ["Bek, ", "Cyd, "].map(|it| posted(stage, it));
    for (hours, expected) in [(6, [0, 0]), (1, [1, 0]), (1, [1, 0]), (2, [1, 1]), (3, [1, 1])] {
        pass_hours(&mut stage, hours).await;
        assert_eq!(called(&stage), expected);
    }
}

/// The invitation of one, and the settings to which another has to agree.
#[tokio::test]
async fn two_calls_at_the_end_of_the_same_night_both_come() {
    let night = r#"{"night":{"from":0,"to":7}}"#;
    let mut stage = stage(night).await;
    let row = Put::new(Space::Person, "mem:Cyd", night);
    stage.store.commit(Commit::from_puts(vec![row])).await.unwrap();
    let script = "people Ann Bek Cyd
         Ann says /thaayam @Bek players=3
         Cyd says /join
         723 minutes pass
         Ann presses ⚙ Settings
         Ann presses 🔔 Nudge
         Ann gets reply They have been nudged
         Ann says /clock 1 day";
    play("begins", script, &mut stage).await;
    pass_hours(&mut stage, 6).await;
    for _ in 0..70 {
        stage.ticks(MINUTE_MS).await;
    }
    assert_eq!(["Bek, you’re invited", "Cyd, "].map(|it| posted(&stage, it)), [1, 1]);
}
