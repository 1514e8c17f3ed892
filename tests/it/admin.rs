//! Commands of operators beyond the conversation scripts: at the same moment as players, by another
//! process, from the command line, and without learning what only players may know.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use caravanserai::config::Config;
use caravanserai::store_commands::run_admin;
use caravanserai_bot::admin::{
    AdminActor, OperatorCommands, OperatorSettings, parse_admin_command,
};
use caravanserai_bot::repository::quarantine::QuarantineInput;
use caravanserai_bot::repository::stored_rows::replaced_head_put;
use caravanserai_bot::repository::{BotLimits, Repository};
use caravanserai_bot::results::projector::ResultProjector;
use caravanserai_bot::service::TimeSource;
use caravanserai_games::rules::Seat;
use caravanserai_protocol::{InlineQueries, UpdateHandler, UpdateKind};
use caravanserai_store::faulty::{Fault, FaultyStore};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::sled::SledStore;
use caravanserai_store::{Commit, Put, Space, Store};
use caravanserai_table::{EndReason, TablePhase};

use crate::concurrent_requests::Pausing;
use crate::stage::clock::TestClock;
use crate::stage::discord::DiscordStage;
use crate::stage::memory::{MemoryStage, counted, limits, text};
use crate::stage::{Stage, play};

const HOUR_MS: u64 = 3_600_000;

/// An entry of the list of what operators did.
const CHANGE: &str = r#"{"at_ms":7,"by":"Ann","action":"drain"}"#;

/// Another process on the store of a stage.
pub fn other_process(stage: &MemoryStage) -> (Arc<Repository>, OperatorCommands) {
    let (store, clock) = (stage.store.clone(), stage.clock.clone());
    let repository = Arc::new(Repository::new(store, clock, counted(900), limits()));
    let commands = OperatorCommands::for_store(repository.clone(), OperatorSettings::default());
    (repository, commands)
}

/// The answer to these words behind `admin`.
pub async fn answer(commands: &OperatorCommands, words: &str) -> String {
    let command = parse_admin_command(words).unwrap();
    let reply = commands.run(command, &AdminActor::command_line()).await.unwrap();
    reply.lines.join("\n")
}

const TIMED: &str = "
people Ann Bek
Ann says /togyz @Bek me 3 min
Bek presses Accept
Ann sees Ann is to move
";

#[tokio::test]
async fn a_concurrent_move_and_freeze_are_ordered() {
    for is_freeze_first in [false, true] {
        let store = Pausing::new();
        let mut stage = MemoryStage::new(store.clone()).await;
        play("timed", TIMED, &mut stage).await;
        let (table, _) = stage.newest_table().await;
        let (_, commands) = other_process(&stage);
        // The boards so far are sent.
        stage.patience(100).await;
        store.meet(Space::Outbox, "mem:group b ", is_freeze_first);
        let moved = stage.update("Ann", false, text("/move 7"));
        let freeze = format!("freeze {}", table.id.0);
        let (replies, frozen) =
            tokio::join!(stage.service.handle(moved), answer(&commands, &freeze));
        assert!(frozen.contains("is frozen: nobody can act"), "{frozen}");
        let (table, log) = stage.newest_table().await;
        assert!(table.is_frozen(), "{log:#?}");
        let is_refused = replies
            .iter()
            .any(|it| it.message.text().to_plain().contains("has stopped this table for now"));
        assert_eq!(table.history.steps.is_empty(), is_refused, "{log:#?}");
        assert_eq!(is_refused, is_freeze_first, "{log:#?}");
    }
}

#[tokio::test]
async fn a_frozen_table_takes_no_time_and_gives_none() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    play("timed", TIMED, &mut stage).await;
    stage.ticks(60_000).await;
    let (table, _) = stage.newest_table().await;
    let left_ms = table.running_clock().unwrap().until_ms - stage.clock.now_ms();
    let (_, commands) = other_process(&stage);
    answer(&commands, &format!("freeze {}", table.id.0)).await;
    for _ in 0..30 {
        stage.ticks(HOUR_MS).await;
    }
    let (table, log) = stage.newest_table().await;
    assert!(table.is_frozen() && table.running_clock().is_none(), "{log:#?}");
    assert_eq!(table.phase, TablePhase::Playing);
    answer(&commands, &format!("unfreeze {}", table.id.0)).await;
    let (table, log) = stage.newest_table().await;
    let clock = table.running_clock().unwrap();
    assert_eq!(clock.until_ms - stage.clock.now_ms(), left_ms, "{log:#?}");
    // From now on it counts as usual.
    for _ in 0..40 {
        stage.ticks(30_000).await;
    }
    let (table, log) = stage.newest_table().await;
    assert!(table.is_late(0), "{log:#?}");
}

#[tokio::test]
async fn computers_wait_at_a_frozen_table_and_go_on_afterwards() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    let script = "people Ann\nAnn says /togyz easy me\nAnn has buttons 1 | 9";
    play("computer", script, &mut stage).await;
    let (table, _) = stage.newest_table().await;
    let (_, commands) = other_process(&stage);
    answer(&commands, &format!("freeze {}", table.id.0)).await;
    let moved = "people Ann\nAnn says /move 7\nAnn gets reply has stopped this table for now";
    play("refused", moved, &mut stage).await;
    answer(&commands, &format!("unfreeze {}", table.id.0)).await;
    let moved = "people Ann\nAnn says /move 7\nAnn has buttons 1 | 9";
    play("moved", moved, &mut stage).await;
    stage.patience(100).await;
    let (table, log) = stage.newest_table().await;
    assert!(table.history.steps.len() >= 2, "{log:#?}");
}

#[tokio::test]
async fn a_closed_game_has_no_loser_and_no_rating() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    play("timed", TIMED, &mut stage).await;
    let (table, _) = stage.newest_table().await;
    let (_, commands) = other_process(&stage);
    let code = &table.id.0;
    let asked = answer(&commands, &format!("close {code}")).await;
    assert!(asked.contains(&format!("close {code} yes")), "{asked}");
    assert!(stage.newest_table().await.0.is_open(), "asking closes nothing");
    answer(&commands, &format!("freeze {code}")).await;
    let closed = answer(&commands, &format!("close {code} yes")).await;
    assert!(closed.contains("nobody has lost"), "{closed}");
    let (table, _) = stage.newest_table().await;
    assert_eq!(table.phase, TablePhase::Closed { reason: EndReason::ClosedByOperator });
    assert!(table.game_result().is_none() && !table.is_frozen());
    let results = stage.store.scan(Space::Result, "", None, 9).await.unwrap();
    assert!(results.is_empty());
    let audit = stage.store.scan(Space::Meta, "audit ", None, 9).await.unwrap();
    assert_eq!(audit.len(), 2, "one row for each change");
}

#[tokio::test]
async fn an_operator_learns_no_hand_and_no_seed() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    let script = "people Ann Bek Cyd Dan
        Ann says /blot me
        Bek presses Join
        Cyd presses Join
        Dan presses Join
        everyone sees All seats are taken
        Ann presses ▶ Start";
    play("cards", script, &mut stage).await;
    stage.patience(100).await;
    let (table, _) = stage.newest_table().await;
    let (_, commands) = other_process(&stage);
    let told = answer(&commands, &format!("table {}", table.id.0)).await;
    assert!(told.contains("seat 4: "), "{told}");
    assert!(!told.contains(&hex::encode(table.setup.seed)), "{told}");
    let game = table.game.as_deref().unwrap();
    let words: Vec<&str> = told.split(|c: char| !c.is_alphanumeric()).collect();
    for seat in 0..4 {
        let hand = game.hand(Seat(seat));
        assert!(!hand.is_empty());
        assert!(hand.iter().all(|it| !words.contains(&it.choice.token.as_str())), "{told}");
    }
}

#[tokio::test]
async fn quarantined_inputs_are_listed_with_reasons_that_quote_nothing() {
    let stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    let (repository, commands) = other_process(&stage);
    assert_eq!(answer(&commands, "quarantine").await, "nothing is quarantined");
    let input = QuarantineInput::Update("mem/7".into(), None);
    repository.quarantine(&input, "line 3: it cannot be read: \"3 1763 timer chance 7h8h\"").await;
    let told = answer(&commands, "quarantine").await;
    assert!(told.contains("update mem/7: line 3: it cannot be read"), "{told}");
    assert!(!told.contains("7h8h"), "{told}");
    assert!(answer(&commands, "status").await.contains("quarantined inputs: 1"));
}

#[tokio::test]
async fn a_quarantined_table_takes_no_time_until_any_process_repairs_it() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    play("timed", TIMED, &mut stage).await;
    stage.ticks(60_000).await;
    let (table, _) = stage.newest_table().await;
    let code = &table.id.0;
    let left_ms = table.running_clock().unwrap().until_ms - stage.clock.now_ms();
    let (repository, commands) = other_process(&stage);
    let input = QuarantineInput::Update("mem/7".into(), Some(table.id.clone()));
    for _ in 0..2 {
        repository.quarantine(&input, "a bug: the code panicked").await;
    }
    for _ in 0..5 {
        stage.ticks(HOUR_MS).await;
    }
    let (table, log) = stage.newest_table().await;
    assert!(table.is_frozen() && !table.is_late(0), "{log:#?}");
    let moved = "people Ann\nAnn says /move 7\nAnn gets reply has stopped this table for now";
    play("refused", moved, &mut stage).await;
    let told = answer(&commands, &format!("table {code}")).await;
    assert!(told.contains(&format!("it is frozen by quarantine; to let it go on: repair {code}")));
    // Another process than the one in which the code panicked.
    let (_, commands) = other_process(&stage);
    let told = answer(&commands, "quarantine").await;
    assert!(told.contains(&format!("table {code} is frozen: a bug: the code panicked")), "{told}");
    let told = answer(&commands, &format!("repair {code}")).await;
    assert!(told.contains("it is out of quarantine"), "{told}");
    assert!(!answer(&commands, "quarantine").await.contains(code));
    let (table, log) = stage.newest_table().await;
    let clock = table.running_clock().unwrap();
    assert_eq!(clock.until_ms - stage.clock.now_ms(), left_ms, "{log:#?}");
    play("moved", "people Ann\nAnn says /move 7\nAnn sees Bek is to move", &mut stage).await;
    // What an operator has frozen goes on only when they say so.
    answer(&commands, &format!("freeze {code}")).await;
    repository.quarantine(&input, "a bug: the code panicked").await;
    let told = answer(&commands, &format!("repair {code}")).await;
    assert!(told.contains("it stays frozen") && !told.contains("out of quarantine"), "{told}");
    assert!(stage.newest_table().await.0.is_frozen());
}

#[tokio::test]
async fn a_repair_that_stops_after_the_end_of_the_quarantine_is_in_the_log() {
    let mut is_released = false;
    let store = FaultyStore::with_chooser(MemoryStore::new(), move |commit| {
        if is_released && commit.puts.iter().any(|it| it.space == Space::ChatTable) {
            return Fault::Fail;
        }
        let is_end = |it: &Put| it.key.starts_with("aside table ") && it.value.is_none();
        is_released |= commit.puts.iter().any(is_end);
        Fault::None
    });
    let mut stage = MemoryStage::new(Arc::new(store)).await;
    play("timed", TIMED, &mut stage).await;
    let (table, _) = stage.newest_table().await;
    let input = QuarantineInput::Update("mem/7".into(), Some(table.id.clone()));
    other_process(&stage).0.quarantine(&input, "a bug: the code panicked").await;
    assert!(stage.newest_table().await.0.is_frozen());
    let (_, commands) = other_process(&stage);
    let repair = format!("repair {}", table.id.0);
    let command = parse_admin_command(&repair).unwrap();
    commands.run(command, &AdminActor::command_line()).await.unwrap_err();
    assert!(!stage.newest_table().await.0.is_frozen());
    let log = answer(&commands, "log").await;
    assert!(log.contains(&repair), "{log}");
}

#[tokio::test]
async fn a_repair_restores_the_rows_of_a_table() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    play("timed", TIMED, &mut stage).await;
    stage.patience(100).await;
    let (table, _) = stage.newest_table().await;
    let spaces = [Space::Due, Space::ChatTable, Space::PersonTable, Space::Head];
    let mut before = Vec::new();
    for space in spaces {
        let rows = stage.store.scan(space, "", None, 99).await.unwrap();
        assert!(!rows.is_empty());
        let gone = rows.iter().map(|it| caravanserai_store::Put::remove(space, it.0.clone()));
        let commit = caravanserai_store::Commit::from_puts(gone.collect());
        stage.store.commit(commit).await.unwrap();
        before.push(rows);
    }
    let (_, commands) = other_process(&stage);
    for _ in 0..2 {
        let told = answer(&commands, &format!("repair {}", table.id.0)).await;
        assert!(told.contains("its lists and deadlines are written again"), "{told}");
        for (space, rows) in spaces.iter().zip(&before) {
            assert_eq!(stage.store.scan(*space, "", None, 99).await.unwrap(), *rows);
        }
    }
}

/// Encryption with another key notices by the row that the log it has read was replaced since.
#[tokio::test]
async fn a_repair_keeps_the_mark_of_a_replaced_log() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    play("timed", TIMED, &mut stage).await;
    let (table, log) = stage.newest_table().await;
    let replaced = replaced_head_put(&table, &log);
    stage.store.commit(Commit::from_puts(vec![replaced.clone()])).await.unwrap();
    let (_, commands) = other_process(&stage);
    answer(&commands, &format!("repair {}", table.id.0)).await;
    let head = stage.store.get(Space::Head, &table.id.0).await.unwrap();
    assert_eq!(head, replaced.value);
}

#[tokio::test]
async fn a_repaired_game_that_is_over_is_listed_among_the_kept_ones() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    let over = "Ann says /resign\n2 seconds pass\nAnn says /resign\neveryone sees Ann resigned";
    play("over", &format!("{TIMED}\n{over}"), &mut stage).await;
    stage.patience(100).await;
    let (table, _) = stage.newest_table().await;
    assert!(!table.is_open());
    let listed = || async { stage.store.scan(Space::Meta, "kept ", None, 9).await.unwrap() };
    let before = listed().await;
    assert_eq!(before.len(), 1, "{before:?}");
    let gone = before.iter().map(|it| Put::remove(Space::Meta, it.0.clone())).collect();
    stage.store.commit(Commit::from_puts(gone)).await.unwrap();
    let (_, commands) = other_process(&stage);
    let told = answer(&commands, &format!("repair {}", table.id.0)).await;
    assert!(told.contains("its game is over"), "{told}");
    assert_eq!(listed().await, before);
}

#[tokio::test]
async fn a_message_to_all_chats_goes_on_after_the_process_stops() {
    const CHATS: usize = 450;
    // The commit that reserves the hour, then pages of chats.
    for stops_at in 0..5 {
        for fault in [Fault::Fail, Fault::AnswerLost] {
            let mut commits = 0;
            let store = FaultyStore::with_chooser(MemoryStore::new(), move |commit| {
                let is_message = commit.puts.iter().any(|it| it.key == "host-message");
                commits += usize::from(is_message);
                if is_message && commits == stops_at + 1 { fault } else { Fault::None }
            });
            let row = |n: usize| {
                Put::new(
                    Space::ChatProfile,
                    format!("mem:chat{n:03}"),
                    r#"{"values":{"news":"on"}}"#,
                )
            };
            let rows = Commit::from_puts((0..CHATS).map(row).collect());
            store.inner().commit(rows).await.unwrap();
            let store: Arc<dyn Store> = Arc::new(store);
            let commands = || {
                let clock = Arc::new(TestClock::new());
                let limits = BotLimits::default();
                let repository = Repository::new(store.clone(), clock, counted(7), limits);
                OperatorCommands::for_store(Arc::new(repository), OperatorSettings::default())
            };
            let message = || parse_admin_command("message Hello").unwrap();
            let actor = AdminActor::command_line();
            let first = commands().run(message(), &actor).await;
            assert!(first.is_err(), "{first:?}");
            // The host tries again.
            let reply = commands().run(message(), &actor).await.unwrap();
            let is_done = stops_at == 4 && fault == Fault::AnswerLost;
            let expected = match is_done {
                true => "operators wrote a short while ago: again in 60 min".to_owned(),
                false => format!("the message goes to {CHATS} chats"),
            };
            assert_eq!(reply.lines, [expected], "{stops_at} {fault:?}");
            let notes = store.scan(Space::Outbox, "mem:chat", None, 999).await.unwrap();
            assert_eq!(notes.len(), CHATS, "each chat once: {stops_at} {fault:?}");
            let again = commands().run(message(), &actor).await.unwrap();
            assert!(again.lines[0].contains("a short while ago"), "{again:?}");
        }
    }
}

#[tokio::test]
async fn lists_leave_nothing_out_and_banned_chats_get_no_message() {
    let stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    let (_, commands) = other_process(&stage);
    for n in 0..60 {
        answer(&commands, &format!("ban person tg:{n}")).await;
    }
    let first = answer(&commands, "bans").await;
    assert!(first.ends_with("and more: bans 2") && first.lines().count() == 51, "{first}");
    let second = answer(&commands, "bans 2").await;
    assert_eq!(second.lines().count(), 10, "{second}");
    assert!(second.lines().all(|it| !first.contains(&format!("{it}\n"))), "{first}\n{second}");
    assert_eq!(answer(&commands, "bans 3").await, "there are no more bans");
    assert_eq!(answer(&commands, "reports").await, "nobody was reported");
    // Reports of the guards, newer than what operators did.
    let newest = u64::MAX - stage.clock.now_ms() - 1;
    let report = r#"{"at_ms":7,"by":"guards","action":"report"}"#;
    let reports = (0..1_100)
        .map(|n| Put::new(Space::Meta, format!("audit {:016x} guards", newest - n), report));
    let chats = ["mem:a", "mem:b"];
    let chats = chats.map(|it| Put::new(Space::ChatProfile, it, r#"{"values":{"news":"on"}}"#));
    let rows = Commit::from_puts(reports.chain(chats).collect());
    stage.store.commit(rows).await.unwrap();
    let log = answer(&commands, "log").await;
    assert!(log.lines().count() == 20 && !log.contains("guards"), "{log}");
    // One report that is older than many changes of operators.
    let old = Put::new(Space::Meta, format!("audit {:016x} old", u64::MAX - 1), report);
    let put = |n: u64| Put::new(Space::Meta, format!("audit {:016x} guards", newest - n), CHANGE);
    let changes = (0..1_100).map(put).chain([old]).collect();
    stage.store.commit(Commit::from_puts(changes)).await.unwrap();
    assert!(answer(&commands, "reports").await.ends_with("guards: report"));
    answer(&commands, "ban chat mem:a").await;
    assert_eq!(answer(&commands, "message Hello").await, "the message goes to 1 chats");
}

#[tokio::test]
async fn the_list_of_hidden_names_has_pages() {
    let stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    let (_, commands) = other_process(&stage);
    for n in 0..60 {
        answer(&commands, &format!("hide-name tg:{n} rude")).await;
    }
    let first = answer(&commands, "hidden-names").await;
    assert!(first.ends_with("and more: hidden-names 2") && first.lines().count() == 51, "{first}");
    let second = answer(&commands, "hidden-names 2").await;
    assert_eq!(second.lines().count(), 10, "{second}");
    assert!(second.lines().all(|it| !first.contains(&format!("{it}\n"))), "{first}\n{second}");
    assert_eq!(answer(&commands, "hidden-names 3").await, "there are no more hidden names");
}

#[tokio::test]
async fn the_challenge_of_a_banned_person_cannot_be_accepted() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    play("runs", "people Ann Bek Cyd\nAnn runs the bot", &mut stage).await;
    let offers = stage.service.inline_results(&stage.person("Bek"), "togyz").await;
    let press = offers[0].buttons[0][0].callback_data.clone();
    let ban = "Ann writes privately /admin ban person {Bek}\nAnn gets reply is banned";
    play("bans", &format!("people Ann Bek Cyd\n{ban}"), &mut stage).await;
    let update = stage.press_inline("Cyd", "posted", &press);
    let replies = stage.hear(update).await;
    let words: Vec<String> = replies.iter().map(|it| it.message.text().to_plain()).collect();
    assert!(words.iter().any(|it| it.contains("takes no challenges")), "{words:?}");
    assert!(stage.tables().await.is_empty());
}

#[tokio::test]
async fn a_ban_of_a_channel_or_a_server_counts_in_its_threads() {
    let mut stage = DiscordStage::new(Arc::new(MemoryStore::default())).await;
    play("people", "people Ann Bek\nAnn runs the bot", &mut stage).await;
    let channel = stage.channel.clone().unwrap();
    let server = format!("dc:server-{}", stage.dc.guild_id(&channel).unwrap());
    let channel = stage.chat();
    stage.enter_topic("Evening").await;
    for banned in [channel, server] {
        let script = format!(
            "Ann writes privately /admin ban chat {banned} noise
            Ann gets reply it gets no answers any more
            Bek says /blot
            Bek sees no 3 seats are free"
        );
        play("banned", &script, &mut stage).await;
        assert!(stage.private_replies("Bek").await.is_empty(), "{banned}");
        let script = format!(
            "Ann writes privately /admin unban chat {banned}
            Ann gets reply is not banned any more"
        );
        play("not banned", &script, &mut stage).await;
    }
    play("answered", "Bek says /blot\nBek sees 3 seats are free for anyone", &mut stage).await;
}

#[tokio::test]
async fn the_ban_of_a_server_stops_the_clocks_in_its_threads() {
    let mut stage = DiscordStage::new(Arc::new(MemoryStore::default())).await;
    play("people", "people Ann Bek Cyd\nAnn runs the bot", &mut stage).await;
    let channel = stage.channel.clone().unwrap();
    let server = format!("dc:server-{}", stage.dc.guild_id(&channel).unwrap());
    let script = format!(
        "enter Evening
        Bek says /togyz @Cyd me 1 min
        Cyd presses Accept
        Bek presses 7
        Cyd has buttons 1 | 9
        Ann writes privately /admin ban chat {server}
        Ann gets reply clocks stop
        15 minutes pass
        Ann writes privately /admin unban chat {server}
        Ann gets reply is not banned any more
        Bek says /claim
        Bek gets reply There is nothing to claim
        Cyd presses 7
        Bek has buttons 1 | 9"
    );
    play("server", &script, &mut stage).await;
}

#[tokio::test]
async fn a_ban_of_a_chat_that_was_interrupted_is_completed_by_the_same_command() {
    // Tables change after the ban has begun or ended.
    let is_failing = Arc::new(AtomicBool::new(false));
    let fails = is_failing.clone();
    let store = FaultyStore::with_chooser(MemoryStore::new(), move |commit| {
        let changes_table = !commit.appends.is_empty();
        if fails.load(Ordering::Relaxed) && changes_table { Fault::Fail } else { Fault::None }
    });
    let mut stage = MemoryStage::new(Arc::new(store)).await;
    play("timed", TIMED, &mut stage).await;
    let (_, commands) = other_process(&stage);
    let steps = [("ban", "is banned already", true), ("unban", "is not banned", false)];
    for (word, repeated, is_cut_off) in steps {
        let words = format!("{word} chat {}", stage.chat());
        is_failing.store(true, Ordering::Relaxed);
        let command = parse_admin_command(&words).unwrap();
        commands.run(command, &AdminActor::command_line()).await.unwrap_err();
        is_failing.store(false, Ordering::Relaxed);
        let bans = answer(&commands, "bans").await;
        assert_eq!(bans.contains(&stage.chat()), is_cut_off, "{bans}");
        let told = answer(&commands, &words).await;
        assert!(told.contains(repeated), "{told}");
        let (table, log) = stage.newest_table().await;
        let departures = [0, 1].map(|it| table.involuntary_departure(it).is_some());
        assert_eq!(departures, [is_cut_off; 2], "{log:#?}");
        assert_eq!(table.running_clock().is_none(), is_cut_off, "{log:#?}");
    }
}

#[tokio::test]
async fn nobody_returns_to_a_game_by_joining_a_banned_chat() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    play("timed", TIMED, &mut stage).await;
    let (_, commands) = other_process(&stage);
    let ban = format!("ban chat {}", stage.chat());
    assert!(answer(&commands, &ban).await.contains("clocks stop"));
    let mut joined = stage.update("Ann", false, text("-"));
    joined.kind = UpdateKind::MembersJoined { who: vec![stage.person("Ann").id] };
    stage.hear(joined).await;
    let (table, log) = stage.newest_table().await;
    assert!(table.running_clock().is_none(), "{log:#?}");
    answer(&commands, &format!("un{ban}")).await;
    let (table, log) = stage.newest_table().await;
    assert!(table.running_clock().is_some(), "{log:#?}");
}

#[tokio::test]
async fn a_player_who_is_removed_from_a_banned_chat_does_not_return_with_it() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    play("timed", TIMED, &mut stage).await;
    let (_, commands) = other_process(&stage);
    let ban = format!("ban chat {}", stage.chat());
    assert!(answer(&commands, &ban).await.contains("clocks stop"));
    let (table, _) = stage.newest_table().await;
    let turn = table.seat_to_move().unwrap();
    let removed = table.seating.occupant(turn).unwrap().person.clone();
    let mut report = stage.update("Ann", false, text("-"));
    report.kind =
        UpdateKind::MemberLeft { who: removed, how: caravanserai_protocol::Departure::Removed };
    stage.hear(report).await;
    answer(&commands, &format!("un{ban}")).await;
    let (table, log) = stage.newest_table().await;
    assert!(table.running_clock().is_none(), "nobody sees the board there: {log:#?}");
}

/// Settings with this data folder.
fn config(folder: &Path) -> Config {
    let pairs = [("DATA_DIR", folder.to_str().unwrap()), ("HOSTS", "telegram:7")];
    let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Config::load(&pairs.into(), None, folder).unwrap()
}

#[tokio::test]
async fn the_command_line_works_on_a_store_that_no_bot_has() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path());
    let run = async |words: &str| {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        run_admin(&config, &words).await.map_err(|it| format!("{it:#}"))
    };
    assert!(run("status").await.unwrap_err().contains("holds no store"));
    let bot = SledStore::open(&folder.path().join("store")).unwrap();
    let busy = run("status").await.unwrap_err();
    assert!(busy.contains("write /admin to it in a private chat"), "{busy}");
    bot.close().await.unwrap();
    drop(bot);
    let status = run("status").await.unwrap();
    assert!(status.contains("tables: 0 open") && status.contains("encryption: off"), "{status}");
    assert!(run("dance").await.unwrap_err().contains("there is no “dance”"));
    let operator = run("ban person telegram:7").await.unwrap_err();
    assert!(operator.contains("an operator cannot be banned"), "{operator}");
    assert!(run("ban person telegram:8 insults").await.unwrap().contains("tg:8 is banned"));
    assert!(run("ban person tg:8").await.unwrap().contains("is banned already"));
    assert!(run("bans").await.unwrap().contains("insults"));
    assert!(run("drain").await.unwrap().contains("no new games begin from now on"));
    assert!(run("freeze abcdefg").await.unwrap_err().contains("there is no table"));
    let log = run("log").await.unwrap();
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 2, "{log}");
    assert!(lines[0].ends_with("command line: drain"), "the newest first: {log}");
    assert!(lines[1].ends_with("command line: ban person tg:8 insults"), "{log}");
}

const FINISHED: &str = "
people Ann Bek
Ann runs the bot
Ann says /togyz @Bek me
Bek presses Accept
Ann presses 7
Bek presses 7
Ann presses 🏳
2 seconds pass
Ann presses 🏳
everyone sees Ann resigned
";

/// Waits until the bot has computed ratings.
pub async fn wait_for_ratings(stage: &MemoryStage) {
    for turn in 1..20_000 {
        let waiting = stage.store.scan(Space::Meta, "new-result ", None, 1).await.unwrap();
        let records = stage.store.scan(Space::Rating, "now ", None, 1).await.unwrap();
        if waiting.is_empty() && !records.is_empty() {
            return;
        }
        if turn % 20 == 0 {
            stage.clock.pass_ms(60_000);
        }
        tokio::task::spawn_blocking(|| ()).await.unwrap();
    }
    panic!("no ratings were computed");
}

#[tokio::test]
async fn a_running_bot_computes_all_ratings_again() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    play("finished", FINISHED, &mut stage).await;
    wait_for_ratings(&stage).await;
    // What a program with a fault may have lost: ratings and results, but not the logs.
    let mut lost = Vec::new();
    for space in [Space::Rating, Space::Result] {
        let rows = stage.store.scan(space, "", None, 999).await.unwrap();
        lost.extend(rows.into_iter().map(|(key, _)| Put::remove(space, key)));
    }
    stage.store.commit(Commit::from_puts(lost)).await.unwrap();
    let asked = "people Ann Bek
        Bek writes privately /admin results rebuild
        Bek gets reply I don’t know /admin
        Ann writes privately /admin results rebuild
        Ann gets reply begins within a minute";
    play("asked", asked, &mut stage).await;
    wait_for_ratings(&stage).await;
    assert_eq!(stage.store.scan(Space::Result, "", None, 9).await.unwrap().len(), 1);
}

#[tokio::test]
async fn the_status_shows_that_ratings_are_computed_again() {
    let stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    // No bot works on this store.
    let store = Arc::new(MemoryStore::new());
    let clock = stage.clock.clone();
    let repository = Arc::new(Repository::new(store, clock, counted(7), limits()));
    let commands = OperatorCommands::for_store(repository.clone(), OperatorSettings::default());
    let projector = ResultProjector::new(repository);
    projector.collect_and_project().await.unwrap();
    let status = async || answer(&commands, "status").await;
    assert!(status().await.contains("ratings: up to date"));
    assert!(answer(&commands, "results rebuild").await.contains("begins within a minute"));
    assert!(answer(&commands, "results rebuild").await.contains("already"));
    assert!(status().await.contains("ratings: results are read from logs; then all are computed"));
    projector.collect_and_project().await.unwrap();
    assert!(status().await.contains("ratings: up to date"));
    let log = answer(&commands, "log").await;
    assert_eq!(log.matches("results rebuild").count(), 1, "{log}");
}

#[tokio::test]
async fn the_data_of_a_chat_is_deleted_and_results_stay() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    play("finished", FINISHED, &mut stage).await;
    wait_for_ratings(&stage).await;
    let finished = stage.newest_table().await.0.id;
    let opens = "people Ann Bek\nAnn says /togyz @Bek me\nBek presses Accept";
    play("opens another", opens, &mut stage).await;
    let (_, commands) = other_process(&stage);
    let asked = answer(&commands, "delete chat mem:group").await;
    assert!(asked.contains("delete chat mem:group yes"), "{asked}");
    let unknown = answer(&commands, "delete chat mem:elsewhere yes").await;
    assert!(unknown.contains("no chat mem:elsewhere is known"), "{unknown}");
    let store = stage.store.clone();
    let is_there =
        async |space, key: &str| !store.scan(space, key, None, 1).await.unwrap().is_empty();
    assert!(!is_there(Space::Meta, "deletion-chat ").await, "asking deletes nothing");
    let done = answer(&commands, "delete chat mem:group yes").await;
    assert!(done.contains("will be deleted within minutes"), "{done}");
    let again = answer(&commands, "delete chat mem:group yes").await;
    assert!(again.contains("is being deleted"), "{again}");
    for turn in 1..20_000 {
        if !is_there(Space::Meta, "deletion-chat ").await {
            break;
        }
        if turn % 20 == 0 {
            stage.clock.pass_ms(60_000);
        }
        tokio::task::spawn_blocking(|| ()).await.unwrap();
    }
    let gone = [
        (Space::Meta, "deletion-chat "),
        (Space::ChatProfile, "mem:group"),
        (Space::Meta, "kept mem:group "),
        (Space::Meta, "played mem:group"),
        (Space::Head, ""),
        (Space::Archive, ""),
    ];
    for (space, key) in gone {
        assert!(!is_there(space, key).await, "{space:?} {key}");
    }
    assert_eq!(stage.store.scan(Space::Result, "", None, 9).await.unwrap().len(), 1);
    let log = answer(&commands, "log").await;
    assert_eq!(log.matches("delete chat mem:group").count(), 1, "{log}");
    let record = format!("people Ann Bek\nAnn says /record {}", finished.0);
    let record = format!("{record}\nAnn gets reply the data of its chat was deleted");
    play("record", &record, &mut stage).await;
}

/// Lets time pass until the deletion of a chat with this row has ended.
async fn wait_for_chat_deletion(stage: &mut MemoryStage, key: &str) {
    for _ in 0..2_000 {
        if stage.store.get(Space::Meta, key).await.unwrap().is_none() {
            return;
        }
        stage.ticks(60_000).await;
    }
}

/// A Telegram group leaves its finished games under its earlier id when it becomes a supergroup.
#[tokio::test]
async fn the_games_of_a_group_that_became_a_supergroup_are_deleted_with_it() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    play("finished", FINISHED, &mut stage).await;
    wait_for_ratings(&stage).await;
    let moved = vec![
        Put::new(Space::Meta, "became mem:group", "mem:between"),
        Put::new(Space::Meta, "became mem:between", "mem:supergroup"),
        Put::new(Space::Meta, "became mem:other", "mem:elsewhere"),
    ];
    stage.store.commit(Commit::from_puts(moved)).await.unwrap();
    let (_, commands) = other_process(&stage);
    let asked = answer(&commands, "delete chat mem:supergroup").await;
    assert!(asked.contains("under earlier ids: mem:between, mem:group\n"), "{asked}");
    let done = answer(&commands, "delete chat mem:supergroup yes").await;
    assert!(done.contains("will be deleted within minutes"), "{done}");
    wait_for_chat_deletion(&mut stage, "deletion-chat mem:supergroup").await;
    let store = stage.store.clone();
    let gone = [
        (Space::Meta, "deletion-chat "),
        (Space::Meta, "kept "),
        (Space::Meta, "played mem:group"),
        (Space::Head, ""),
        (Space::Archive, ""),
    ];
    for (space, key) in gone {
        let left = store.scan(space, key, None, 1).await.unwrap();
        assert!(left.is_empty(), "{space:?} {left:?}");
    }
    // The results stay, and so does the chat to which they belong.
    assert_eq!(store.scan(Space::Result, "", None, 9).await.unwrap().len(), 1);
    assert!(store.get(Space::Meta, "became mem:group").await.unwrap().is_some());
    let again = answer(&commands, "delete chat mem:supergroup yes").await;
    assert!(again.contains("no chat mem:supergroup is known"), "{again}");
}

/// A table that opened meanwhile would lose some of its rows.
#[tokio::test]
async fn no_table_opens_while_the_rows_of_a_chat_are_removed() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    play("finished", FINISHED, &mut stage).await;
    let begins = "people Ann Bek\nAnn says /togyz @Bek me\nBek presses Accept";
    play("begins", begins, &mut stage).await;
    let key = "deletion-chat mem:group";
    let removing = Put::new(Space::Meta, key, r#"{"step":"rows","after":""}"#);
    stage.store.commit(Commit::from_puts(vec![removing])).await.unwrap();
    let refused =
        "people Ann Bek\nAnn says /blot me\nAnn gets reply is deleting the data of this chat";
    play("refused", refused, &mut stage).await;
    wait_for_chat_deletion(&mut stage, key).await;
    let store = stage.store.clone();
    for (space, key) in [(Space::Meta, key), (Space::Meta, "kept mem:group "), (Space::Head, "")] {
        let left = store.scan(space, key, None, 1).await.unwrap();
        assert!(left.is_empty(), "{space:?} {left:?}");
    }
    let opens = "people Ann Bek\nAnn says /blot me\neveryone sees Ann";
    play("opens", opens, &mut stage).await;
}

/// Threads of a channel are chats of their own.
#[tokio::test]
async fn the_data_of_a_channel_is_deleted_with_that_of_its_threads() {
    let store = Arc::new(MemoryStore::new());
    let thread = r#"{"parents":{"channel":"dc:7"}}"#;
    let rows = vec![
        Put::new(Space::ChatProfile, "dc:7", "{}"),
        Put::new(Space::ChatProfile, "dc:71", thread),
        Put::new(Space::ChatProfile, "dc:9", "{}"),
    ];
    store.commit(Commit::from_puts(rows)).await.unwrap();
    let clock = Arc::new(TestClock::new());
    let repository = Arc::new(Repository::new(store.clone(), clock, counted(7), limits()));
    let commands = OperatorCommands::for_store(repository, OperatorSettings::default());
    let asked = answer(&commands, "delete chat dc:7").await;
    assert!(asked.contains("With the chats inside it: dc:71"), "{asked}");
    answer(&commands, "delete chat dc:7 yes").await;
    let rows = store.scan(Space::Meta, "deletion-chat ", None, 9).await.unwrap();
    let requested: Vec<&str> = rows.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(requested, ["deletion-chat dc:7", "deletion-chat dc:71"]);
}
