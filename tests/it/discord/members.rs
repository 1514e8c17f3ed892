//! People who leave a server and return, delete their account, or only want to be left alone.

use caravanserai_platform_shared::health_reporter::HealthReporter;
use caravanserai_protocol::{Departure, PlatformHealth};
use caravanserai_store::memory::MemoryStore;

use super::*;
use crate::stage::discord::DiscordStage;
use crate::stage::{Stage, play};

/// The membership changes of a person that were reported.
fn goings(heard: &[Update], who: &Actor) -> Vec<&'static str> {
    let id = PersonId(format!("dc:{}", who.id));
    let going = |it: &Update| match &it.kind {
        UpdateKind::MemberLeft { who, how: Departure::Left } if *who == id => "left",
        UpdateKind::MemberLeft { who, .. } if *who == id => "removed",
        UpdateKind::MembersJoined { who } if *who == [id.clone()] => "came",
        _ => "something else",
    };
    heard.iter().map(going).collect()
}

/// The bot comes back and reads the audit log once.
async fn return_bot_and_read(scene: &Scene, channel: &Channel) {
    let reads = |dc: &FakeDiscord| dc.calls_to("GET", "/audit-logs").len();
    let before = reads(&scene.dc);
    scene.dc.return_bot(channel);
    scene.dc.wait_until("the log is read", |dc| reads(dc) == before + 1).await;
    scene.discord.drain().await;
}

#[tokio::test]
async fn member_events_arrive_if_the_operator_enabled_them() {
    let dc = FakeDiscord::start().await;
    dc.tells_members(true);
    let scene = Scene::of(dc, |it| DiscordSettings { members: true, ..it }).await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    scene.dc.leaves(&channel, &bob);
    scene.heard(1).await;
    scene.dc.comes(&channel, &bob);
    let heard = scene.heard(2).await;
    assert_eq!(goings(&heard, &bob), ["left", "came"]);
    assert!(heard.iter().all(|it| it.chat.id == chat(&channel)), "{heard:?}");
    scene.end();
}

#[tokio::test]
async fn a_kicked_member_is_removed_where_the_bot_may_see_the_audit_log() {
    let dc = FakeDiscord::start().await;
    dc.tells_members(true);
    let scene = Scene::of(dc, |it| DiscordSettings { members: true, ..it }).await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    scene.dc.kick(&channel, &bob);
    let mut heard = goings(&scene.heard(2).await, &bob);
    heard.sort_unstable();
    assert_eq!(heard, ["left", "removed"]);
    // Without the permission it looks like leaving, and the bot hears of no ban.
    scene.dc.bot_may_in_guild(&channel, 0);
    scene.dc.ban(&channel, &ann);
    scene.dc.kick(&channel, &ann);
    assert_eq!(goings(&scene.heard(3).await[2..], &ann), ["left"]);
    // With another permission the bot hears of bans.
    scene.dc.bot_may_in_guild(&channel, may::BAN_MEMBERS);
    scene.dc.ban(&channel, &ann);
    assert_eq!(goings(&scene.heard(4).await[3..], &ann), ["removed"]);
    scene.end();
}

#[tokio::test]
async fn member_events_are_requested_only_if_enabled() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    scene.dc.leaves(&channel, &bob);
    // A bot that may see the audit log hears of a ban twice: by the ban, and by the log.
    scene.dc.ban(&channel, &ann);
    assert_eq!(goings(&scene.heard(2).await, &ann), ["removed", "removed"]);
    assert_eq!(scene.dc.intents_refused(), 0);
    scene.end();
}

#[tokio::test]
async fn a_member_in_timeout_is_away_until_it_ends() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    scene.dc.times_out(&channel, &bob, Duration::from_secs(600));
    assert_eq!(goings(&scene.heard(1).await, &bob), ["removed"]);
    scene.dc.ends_timeout(&channel, &bob);
    assert_eq!(goings(&scene.heard(2).await, &bob), ["removed", "came"]);
    // It also ends by itself, which Discord does not report.
    scene.dc.times_out(&channel, &bob, Duration::from_secs(1));
    assert_eq!(goings(&scene.heard(4).await[2..], &bob), ["removed", "came"]);
    // A person who was kicked meanwhile does not come back by that.
    scene.dc.times_out(&channel, &ann, Duration::from_secs(1));
    scene.dc.kick(&channel, &ann);
    let asked = |dc: &FakeDiscord| {
        dc.calls_to("GET", "/members/").last().is_some_and(|it| it.code == 10007)
    };
    scene.dc.wait_until("a question about the member", asked).await;
    scene.discord.drain().await;
    assert_eq!(goings(&scene.heard(6).await[4..], &ann), ["removed", "removed"]);
    scene.end();
}

#[tokio::test]
async fn a_timeout_by_automod_stops_no_clock() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    scene.dc.automod_times_out(&channel, &bob);
    scene.dc.ban(&channel, &ann);
    scene.heard(2).await;
    scene.discord.drain().await;
    assert_eq!(goings(&scene.heard(2).await, &ann), ["removed", "removed"]);
    scene.end();
}

#[tokio::test]
async fn a_lock_is_reported_when_discord_describes_the_server_again() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let thread = scene.dc.thread(&channel, "evening");
    scene.dc.lock_thread_unseen(&thread, true);
    scene.dc.return_bot(&channel);
    let locked = &scene.heard(1).await[0];
    assert!(matches!(locked.kind, UpdateKind::BotRemoved), "{locked:?}");
    assert_eq!(locked.chat.id, chat(&thread));
    scene.dc.lock_thread_unseen(&thread, false);
    scene.dc.return_bot(&channel);
    let unlocked = &scene.heard(2).await[1];
    assert!(matches!(unlocked.kind, UpdateKind::BotAdded), "{unlocked:?}");
    assert_eq!(unlocked.chat.id, chat(&thread));
    scene.end();
}

/// A table for two with a minute each, in a thread; Bek is to move.
const TIMED: &str = "
people Ann Bek
enter Tournament
Ann says /togyz @Bek me 1 min
Bek presses Accept
Ann presses 7
Bek has buttons 1 | 9
";

#[tokio::test]
async fn nobody_wins_by_putting_the_opponent_in_timeout() {
    let mut stage = DiscordStage::new(Arc::new(MemoryStore::default())).await;
    play("begin", TIMED, &mut stage).await;
    let here = stage.channel.clone().expect("people are there");
    stage.dc.times_out(&here, &stage.people["Bek"], Duration::from_secs(600));
    stage.host.handler.heard_beginning(&format!("dc/gone/{}/", here.id)).await;
    stage.pass_ms(90_000).await;
    let claimed = "Ann says /claim\nAnn sees no ran out of time";
    play("claimed", claimed, &mut stage).await;
    stage.dc.ends_timeout(&here, &stage.people["Bek"]);
    play("on", "Bek presses 7\nAnn has buttons 1 | 9", &mut stage).await;
}

#[tokio::test]
async fn nobody_wins_by_locking_the_thread() {
    let mut stage = DiscordStage::new(Arc::new(MemoryStore::default())).await;
    play("begin", TIMED, &mut stage).await;
    let here = stage.channel.clone().expect("people are there");
    let moderator = may::USUAL | may::MANAGE_GUILD | may::MANAGE_THREADS;
    stage.people["Ann"].member(&here, None, moderator);
    stage.dc.lock_thread(&here, true);
    stage.host.handler.heard_beginning(&format!("dc/gone/{}/", here.id)).await;
    stage.pass_ms(90_000).await;
    // What a moderator does there would start the clock again.
    let id = stage.people["Ann"].slash(&here, "games", &[]);
    stage.dc.answered(id).await;
    play("claimed", "Ann gets reply This thread is locked", &mut stage).await;
    stage.pass_ms(90_000).await;
    stage.dc.lock_thread(&here, false);
    let on = "Bek presses 7\nAnn has buttons 1 | 9\nAnn sees no ran out of time";
    play("on", on, &mut stage).await;
}

#[tokio::test]
async fn nobody_ends_a_game_by_deleting_the_thread() {
    let mut stage = DiscordStage::new(Arc::new(MemoryStore::default())).await;
    play("come", "people Ann Bek", &mut stage).await;
    let main = stage.channel.clone().expect("people are there");
    let thread = stage.dc.thread(&main, "evening");
    stage.channel = Some(thread.clone());
    let begin = "Ann says /togyz @Bek me 1 min\nBek presses Accept\nAnn presses 7\n\
                 Bek has buttons 1 | 9";
    play("begin", begin, &mut stage).await;
    stage.channel = Some(main);
    stage.dc.delete_channel(&thread);
    stage.host.handler.heard_beginning(&format!("dc/gone/{}/", thread.id)).await;
    play("on", "Bek presses 7\nAnn has buttons 1 | 9", &mut stage).await;
}

#[tokio::test]
async fn a_kick_during_an_outage_is_reported_when_discord_describes_the_server() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    // Nothing is asked where nobody has used the bot.
    scene.dc.return_bot(&channel);
    ann.slash(&channel, "move", &[("pit", "1")]);
    scene.heard(1).await;
    assert!(scene.dc.calls_to("GET", "/audit-logs").is_empty());
    scene.advance(Duration::from_secs(60));
    scene.dc.kick_unseen(&channel, &bob);
    // She was kicked, too, and has come back already.
    scene.dc.kick_unseen(&channel, &ann);
    scene.dc.comes(&channel, &ann);
    scene.dc.return_bot(&channel);
    let heard = scene.heard(3).await;
    let about = |who: &Actor| -> Vec<Update> {
        let id = PersonId(format!("dc:{}", who.id));
        let is_own = |it: &&Update| match &it.kind {
            UpdateKind::MemberLeft { who, .. } => *who == id,
            UpdateKind::MembersJoined { who } => who.contains(&id),
            _ => false,
        };
        heard.iter().filter(is_own).cloned().collect()
    };
    assert_eq!(goings(&about(&bob), &bob), ["removed"]);
    assert_eq!(goings(&about(&ann), &ann), ["came"]);
    // Entries that were read are not read again.
    scene.discord.drain().await;
    return_bot_and_read(&scene, &channel).await;
    assert_eq!(scene.heard(3).await.len(), 3);
    scene.end();
}

#[tokio::test]
async fn what_happened_before_the_bot_was_used_is_not_read_from_the_audit_log() {
    // The clock of the bot begins with its process, as in production.
    let dc = FakeDiscord::start().await;
    let scene = Scene::of(dc, |it| DiscordSettings { clock: Arc::new(|| 0), ..it }).await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    scene.dc.kick_unseen(&channel, &bob);
    ann.slash(&channel, "move", &[("pit", "1")]);
    scene.heard(1).await;
    scene.discord.drain().await;
    return_bot_and_read(&scene, &channel).await;
    assert!(scene.dc.calls_to("GET", "/members/").is_empty());
    assert_eq!(scene.heard(1).await.len(), 1);
    scene.end();
}

#[tokio::test]
async fn a_kick_before_many_other_entries_is_reported() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    ann.slash(&channel, "move", &[("pit", "1")]);
    scene.heard(1).await;
    scene.discord.drain().await;
    scene.dc.kick_unseen(&channel, &bob);
    scene.dc.prune_messages_unseen(&channel, 1_500);
    scene.dc.return_bot(&channel);
    assert_eq!(goings(&scene.heard(2).await[1..], &bob), ["removed"]);
    // All of that was read.
    scene.discord.drain().await;
    return_bot_and_read(&scene, &channel).await;
    assert_eq!(scene.dc.calls_to("GET", "/members/").len(), 1);
    scene.end();
}

#[tokio::test]
async fn an_audit_log_that_the_bot_may_not_see_is_not_read() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    ann.slash(&channel, "move", &[("pit", "1")]);
    scene.heard(1).await;
    scene.discord.drain().await;
    scene.dc.bot_may_in_guild(&channel, 0);
    scene.dc.kick_unseen(&channel, &bob);
    scene.dc.remove_bot(&channel);
    scene.heard(2).await;
    scene.dc.return_bot(&channel);
    let back = &scene.heard(3).await[2];
    assert!(matches!(back.kind, UpdateKind::BotAdded), "{back:?}");
    scene.discord.drain().await;
    assert!(scene.dc.calls_to("GET", "/audit-logs").is_empty());
    // Once it may see the log, it reads what happened meanwhile.
    scene.dc.bot_may_in_guild(&channel, may::VIEW_AUDIT_LOG);
    scene.dc.return_bot(&channel);
    assert_eq!(goings(&scene.heard(4).await[3..], &bob), ["removed"]);
    scene.end();
}

#[tokio::test]
async fn entries_that_arrived_long_before_an_outage_are_not_read_again() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    ann.slash(&channel, "move", &[("pit", "1")]);
    scene.heard(1).await;
    scene.discord.drain().await;
    return_bot_and_read(&scene, &channel).await;
    for bans in 1..=2 {
        scene.advance(Duration::from_secs(3_600));
        scene.dc.ban(&channel, &bob);
        // A ban is reported twice, see above.
        scene.heard(1 + 2 * bans).await;
        scene.discord.drain().await;
    }
    return_bot_and_read(&scene, &channel).await;
    assert_eq!(scene.dc.calls_to("GET", "/members/").len(), 1, "for the last ban only");
    scene.end();
}

#[tokio::test]
async fn a_player_who_locks_the_thread_keeps_their_clock_running() {
    let mut stage = DiscordStage::new(Arc::new(MemoryStore::default())).await;
    play("begin", TIMED, &mut stage).await;
    let here = stage.channel.clone().expect("people are there");
    let moderator = may::USUAL | may::MANAGE_GUILD | may::MANAGE_THREADS;
    stage.people["Bek"].member(&here, None, moderator);
    stage.dc.lock_thread_by(&stage.people["Bek"].clone(), &here);
    stage.host.handler.heard_beginning(&format!("dc/gone/{}/", here.id)).await;
    play("time", "62 seconds pass", &mut stage).await;
    stage.dc.lock_thread(&here, false);
    let late = "Ann says /board\neveryone sees Time is up for Bek\n\
                Ann presses 🏆 Claim victory\neveryone sees Bek ran out of time";
    play("late", late, &mut stage).await;
}

#[tokio::test]
async fn a_bot_that_is_added_again_reports_the_channels_with_tables() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let thread = scene.dc.thread(&channel, "evening");
    scene.dc.remove_bot(&channel);
    let removed = scene.heard(2).await;
    assert!(removed.iter().all(|it| matches!(it.kind, UpdateKind::BotRemoved)), "{removed:?}");
    scene.dc.return_bot(&channel);
    let heard = scene.heard(4).await;
    let back = &heard[2..];
    assert!(back.iter().all(|it| matches!(it.kind, UpdateKind::BotAdded)), "{back:?}");
    let in_thread = back.iter().find(|it| it.chat.id == chat(&thread)).expect("the thread");
    assert_eq!(in_thread.chat.parents.channel, Some(chat(&channel)));
    // Discord describes the server again after an outage, which is no return.
    scene.dc.return_bot(&channel);
    ann.slash(&channel, "move", &[("pit", "1")]);
    assert_eq!(command_of(&scene.heard(5).await[4]), "/move 1");
    scene.end();
}

#[tokio::test]
async fn a_return_is_reported_later_if_the_tables_cannot_be_read() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    scene.dc.remove_bot(&channel);
    scene.heard(1).await;
    *scene.script.unreadable.lock() = 1;
    scene.dc.return_bot(&channel);
    soon("a failure", async || *scene.script.unreadable.lock() == 0).await;
    scene.discord.drain().await;
    scene.dc.return_bot(&channel);
    let back = &scene.heard(2).await[1];
    assert!(matches!(back.kind, UpdateKind::BotAdded), "{back:?}");
    scene.end();
}

#[tokio::test]
async fn people_whom_the_bot_does_not_know_are_not_reported_for_every_channel() {
    let dc = FakeDiscord::start().await;
    dc.tells_members(true);
    let scene = Scene::of(dc, |it| DiscordSettings { members: true, ..it }).await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    scene.script.strangers.lock().push(PersonId(format!("dc:{}", bob.id)));
    scene.dc.leaves(&channel, &bob);
    scene.dc.comes(&channel, &bob);
    scene.dc.leaves(&channel, &ann);
    assert_eq!(goings(&scene.heard(1).await, &ann), ["left"]);
    scene.end();
}

#[tokio::test]
async fn a_missing_members_intent_is_reported_and_the_bot_runs() {
    let (dc, state) = (FakeDiscord::start().await, HealthReporter::new("dc"));
    let reporter = state.clone();
    let scene = Scene::of(dc, |it| {
        let shared = PlatformServices { reporter, ..it.shared.clone() };
        DiscordSettings { members: true, shared, ..it }
    })
    .await;
    assert_eq!(scene.dc.intents_refused(), 1, "it is asked for once");
    let mut state = state.subscribe();
    let serves = state.wait_for(|it| it.health == PlatformHealth::Serving);
    let now = tokio::time::timeout(Duration::from_secs(20), serves).await.unwrap().unwrap().clone();
    assert!(now.missing.contains("switch on Server Members Intent"), "{now:?}");
    assert!(now.missing.contains("DISCORD_MEMBERS=off"), "{now:?}");
    let bob = scene.dc.user("bob");
    let channel = scene.dc.channel("games", &[&bob]);
    scene.dc.leaves(&channel, &bob);
    scene.dc.ban(&channel, &bob);
    assert_eq!(goings(&scene.heard(2).await, &bob), ["removed", "removed"]);
    scene.end();
}

#[tokio::test]
async fn a_deleted_account_is_gone_and_closed_direct_messages_are_not() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    for (who, expected) in [(&ann, SendError::ChatGone), (&bob, SendError::NotAllowed)] {
        let person = PersonId(format!("dc:{}", who.id));
        let direct = scene.discord.private_chat(&person).await.expect("it opens");
        let board_there = scene.discord.post(&direct, &board("move 1")).await.expect("posted");
        match expected {
            SendError::ChatGone => scene.dc.deletes_account(who),
            _ => scene.dc.shuts_direct(who),
        }
        let posted = scene.discord.post(&direct, &saying("x")).await;
        assert_eq!(posted, Err(expected.clone()));
        let edited = scene.discord.edit(&direct, &board_there, &board("move 2")).await;
        assert_eq!(edited, Err(expected));
    }
    // A channel of many is not deleted when an unknown person leaves.
    let channel = scene.dc.channel("games", &[&ann]);
    scene.dc.fail(Failure::Refuse { method: "POST", path: "/messages", code: 10013 });
    let refused = scene.discord.post(&chat(&channel), &saying("x")).await;
    assert!(matches!(refused, Err(SendError::Refused(_))), "{refused:?}");
    scene.end();
}
