//! Personal data: every row is declared, an export contains what belongs to the person, and after a
//! deletion nothing names the person, while the games of the others stay as they were.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use caravanserai_bot::admin::bans::is_person_banned;
use caravanserai_bot::commands::TableCallback;
use caravanserai_bot::delivery::account_stores::AccountStoreOpener;
use caravanserai_bot::personal_data::parts::declaration_of;
use caravanserai_bot::personal_data::{
    KnownDeletions, RepeatedDeletions, announce_postponed, postpone_deletions, repeat_deletions,
};
use caravanserai_bot::repository::{
    DeletedAccount, Failure, Repository, SystemClock, TimeSource, keys,
};
use caravanserai_bot::results::projector::ResultProjector;
use caravanserai_bot::results::row_formats::{self, HistoryEntry};
use caravanserai_games::ids::PersonId;
use caravanserai_protocol::{InlineQueries, UpdateKind};
use caravanserai_results::{CasualReason, JudgedGame, JudgedSeat, result_shares};
use caravanserai_store::encrypted::key_file::{KEY_BYTES, StoreKeys};
use caravanserai_store::encrypted::{
    EncryptedStore, OpenPurpose, ReencryptOutcome, open_encrypted,
};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{
    Append, Commit, Expect, Put, Space, Store, StoreAnswer, StoreError, StoreLayer, StoreQuery,
    StoreRow, StoredItem, backup,
};
use caravanserai_table::archive;
use caravanserai_webchat::{StoredAccounts, stored_people};
use parking_lot::Mutex;
use serde_json::json;
use tempfile::TempDir;
use tokio::sync::watch;

use crate::admin::{answer, other_process};
use crate::stage::clock::TestClock;
#[cfg(feature = "discord")]
use crate::stage::discord::DiscordStage;
use crate::stage::memory::{MemoryStage, counted, limits};
#[cfg(feature = "telegram")]
use crate::stage::telegram::TelegramStage;
use crate::stage::web::WebStage;
use crate::stage::{Stage, play};
use crate::web_bot::{self, Served};

const MINUTE_MS: u64 = 60_000;
const DAY_MS: u64 = 24 * 60 * MINUTE_MS;

/// Remembers the keys of all rows ever written, and can fail.
#[derive(Default)]
struct Watched {
    store: MemoryStore,
    keys: Mutex<BTreeSet<(Space, String)>>,
    /// How many logs were read, and how often records were listed.
    log_reads: AtomicUsize,
    /// The table whose log makes the program panic.
    panics: Mutex<Option<String>>,
    /// The table whose log cannot be read.
    unreadable: Mutex<Option<String>>,
    /// How many more reads of logs fail because the store is away.
    away: AtomicUsize,
    /// Written before records are listed for the next time.
    before_records: Mutex<Option<Commit>>,
    /// Each so-many-th commit about a deletion fails, if it is not 0.
    fails_each: AtomicUsize,
    deletion_commits: AtomicUsize,
}

#[async_trait]
impl StoreLayer for Watched {
    fn inner(&self) -> &dyn Store {
        &self.store
    }

    async fn read(&self, reads: &[StoreQuery]) -> Result<Vec<StoreAnswer>, StoreError> {
        let is_list =
            |it: &&StoreQuery| matches!(it, StoreQuery::Scan { space: Space::Archive, .. });
        if reads.iter().any(|it| is_list(&it)) {
            let before = self.before_records.lock().take();
            if let Some(before) = before {
                self.store.commit(before).await?;
            }
        }
        let (broken, unreadable) = (self.panics.lock().clone(), self.unreadable.lock().clone());
        for read in reads {
            if let StoreQuery::Log { table, .. } = read {
                assert_ne!(broken.as_ref(), Some(table), "made to panic");
                if unreadable.as_ref() == Some(table) {
                    return Err(StoreError::Damaged("a line cannot be decrypted".to_owned()));
                }
            }
        }
        let reads_log = reads.iter().any(|it| matches!(it, StoreQuery::Log { .. }));
        let is_away = |left: usize| left.checked_sub(1);
        if reads_log
            && self.away.fetch_update(Ordering::Relaxed, Ordering::Relaxed, is_away).is_ok()
        {
            return Err(StoreError::Failed("the store is away".to_owned()));
        }
        let is_log = |it: &&StoreQuery| matches!(it, StoreQuery::Log { .. }) || is_list(it);
        self.log_reads.fetch_add(reads.iter().filter(is_log).count(), Ordering::Relaxed);
        self.store.read(reads).await
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        let is_deletion = commit.puts.iter().any(|it| it.key.starts_with("deletion "));
        let each = self.fails_each.load(Ordering::Relaxed);
        if is_deletion && each > 0 {
            let n = self.deletion_commits.fetch_add(1, Ordering::Relaxed);
            if n % each == each - 1 {
                return Err(StoreError::Failed("the process stops here".to_owned()));
            }
        }
        let keys = commit.puts.iter().map(|it| (it.space, it.key.clone()));
        self.keys.lock().extend(keys);
        self.store.commit(commit).await
    }
}

impl Watched {
    fn undeclared(&self) -> Vec<(Space, String)> {
        let keys = self.keys.lock();
        keys.iter().filter(|(space, key)| declaration_of(*space, key).is_none()).cloned().collect()
    }
}

/// Conversation scripts by name; all if no names are given.
fn scripts(names: &[&str]) -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/scripts");
    let mut scripts = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if names.is_empty() || names.contains(&&*name) {
            scripts.push((name, std::fs::read_to_string(path).unwrap()));
        }
    }
    scripts
}

#[tokio::test]
async fn every_row_that_conversations_write_is_declared() {
    for (name, script) in scripts(&[]) {
        let store = Arc::new(Watched::default());
        let mut stage = MemoryStage::new(store.clone()).await;
        play(&name, &script, &mut stage).await;
        assert_eq!(store.undeclared(), [], "{name}");
    }
}

#[tokio::test]
async fn every_row_that_platforms_write_is_declared() {
    for (name, script) in scripts(&["hands", "private-hands", "topics", "settings", "ratings"]) {
        let store = Arc::new(Watched::default());
        play(&name, &script, &mut WebStage::new(store.clone()).await).await;
        assert_eq!(store.undeclared(), [], "{name} in the built-in chat");
        #[cfg(feature = "telegram")]
        {
            let store = Arc::new(Watched::default());
            play(&name, &script, &mut TelegramStage::new(store.clone()).await).await;
            assert_eq!(store.undeclared(), [], "{name} on Telegram");
        }
    }
}

/// Games of all three kinds in which Zaphod plays and loses. The name is planted: nothing else
/// contains it.
const GAMES: &str = "
people Ann Bek Cyd Zaphod
Ann says /togyz @Zaphod me
Zaphod presses Accept
Ann presses 1
Zaphod presses 1
Zaphod says /resign
2 seconds pass
Zaphod says /resign
everyone sees Zaphod resigned
Bek says /thaayam @Zaphod me
Zaphod presses Accept
Zaphod says /resign
2 seconds pass
Zaphod says /resign
Ann says /blot me
Bek presses Join
Cyd presses Join
Zaphod presses Join
everyone sees All seats are taken
Ann presses ▶ Start
Zaphod says /resign
2 seconds pass
Zaphod says /resign
everyone sees Zaphod wants to resign
Bek says /accept
everyone sees partner’s consent
Ann says /togyz @Bek me
Bek presses Accept
Ann presses 1
Bek presses 1
Ann says /resign
2 seconds pass
Ann says /resign
everyone sees Ann resigned
Zaphod says /togyz @Cyd
Cyd presses Decline
Zaphod says /notify togyz
Zaphod writes privately /togyz computer
Zaphod says /block @Cyd
Ann says /block @Zaphod
";

/// Lets the bot work until it is so; a minute passes whenever it has nothing to do.
async fn until(stage: &MemoryStage, is_so: impl AsyncFn(&dyn Store) -> bool) {
    until_in(&*stage.store, &stage.clock, is_so).await;
}

/// The same for a bot on this store with this clock.
async fn until_in(store: &dyn Store, clock: &TestClock, is_so: impl AsyncFn(&dyn Store) -> bool) {
    for turn in 1..20_000 {
        if is_so(store).await {
            return;
        }
        if turn % 20 == 0 {
            clock.pass_ms(MINUTE_MS);
        }
        tokio::task::spawn_blocking(|| ()).await.unwrap();
    }
    panic!("it never came");
}

async fn has_deletion(store: &dyn Store) -> bool {
    !store.scan(Space::Meta, "deletion ", None, 1).await.unwrap().is_empty()
}

/// Zaphod deletes the account with both presses.
async fn request_deletion(stage: &mut MemoryStage) {
    let script = "Zaphod writes privately /account delete
        Zaphod gets reply In a week I delete
        Zaphod presses Delete it in a week
        Zaphod gets reply will be deleted on";
    play("deletion", script, stage).await;
}

/// Whether copies in answers have expired, and were removed.
async fn answers_are_gone(store: &dyn Store) -> bool {
    !all_text(store).await.iter().any(|it| it.starts_with("seen "))
}

/// Everything that a store contains, as text: rows, records and logs.
async fn all_text(store: &dyn Store) -> Vec<String> {
    let mut snapshot = store.snapshot().await.unwrap();
    let mut all = Vec::new();
    loop {
        let items = snapshot.next_items().await.unwrap();
        if items.is_empty() {
            return all;
        }
        for item in items {
            all.push(match item {
                StoredItem::Row { space: Space::Archive, key, value, .. } => {
                    format!("record {key} {}", archive::unpack(&value).unwrap().join("\n"))
                }
                StoredItem::Row { space, key, value, .. } => {
                    format!("{} {key} {}", space.name(), String::from_utf8_lossy(&value))
                }
                StoredItem::Line { table, line, .. } => format!("log {table} {line}"),
                StoredItem::Damaged(it) => panic!("{it:?}"),
            });
        }
    }
}

async fn assert_named_nowhere(store: &dyn Store) {
    let text = all_text(store).await;
    let named: Vec<&String> =
        text.iter().filter(|it| it.to_lowercase().contains("zaphod")).collect();
    assert!(named.is_empty(), "{named:#?}");
    let mut file = Vec::new();
    let mut snapshot = store.snapshot().await.unwrap();
    backup::write(&mut *snapshot, &mut file, &mut |_| {}).await.unwrap();
    assert!(!String::from_utf8_lossy(&file).to_lowercase().contains("zaphod"));
}

/// The computed rows of the others, without what only identifies an opponent.
async fn records_of_others(store: &dyn Store) -> BTreeMap<String, serde_json::Value> {
    let rows = store.scan(Space::Rating, "", None, 10_000).await.unwrap();
    let is_record =
        |(key, _): &StoreRow| ["now ", "old ", "top "].iter().any(|it| key.starts_with(it));
    let others = rows
        .into_iter()
        .filter(is_record)
        .filter(|(key, _)| !key.contains("Zaphod") && !key.contains("deleted:"));
    others.map(|(key, value)| (key, comparable(&value))).collect()
}

fn comparable(value: &[u8]) -> serde_json::Value {
    let mut json: serde_json::Value = serde_json::from_slice(value).unwrap();
    remove_opponents(&mut json);
    json
}

fn remove_opponents(json: &mut serde_json::Value) {
    match json {
        serde_json::Value::Object(fields) => {
            fields.retain(|key, _| !["epoch", "pairs", "o", "opponents"].contains(&key.as_str()));
            fields.values_mut().for_each(remove_opponents);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(remove_opponents),
        _ => {}
    }
}

async fn ratings(store: &dyn Store) -> Vec<(String, serde_json::Value)> {
    let rows = store.scan(Space::Rating, "", None, 10_000).await.unwrap();
    let value = |(key, value): StoreRow| {
        let mut json: serde_json::Value = serde_json::from_slice(&value).unwrap();
        if let Some(fields) = json.as_object_mut() {
            fields.remove("epoch");
        }
        (key, json)
    };
    rows.into_iter().map(value).collect()
}

#[tokio::test]
async fn deletion_removes_a_person_and_keeps_ratings_of_others() {
    let store = Arc::new(Watched::default());
    store.fails_each.store(3, Ordering::Relaxed);
    let mut stage = MemoryStage::new(store.clone()).await;
    play("games", GAMES, &mut stage).await;
    until(&stage, async |store| {
        store.scan(Space::Meta, "new-result ", None, 1).await.unwrap().is_empty()
    })
    .await;
    let before = records_of_others(&*store).await;
    assert!(before.len() > 8, "{before:?}");
    request_deletion(&mut stage).await;
    // The first attempt to store a request may have failed, as any other.
    stage.clock.pass_ms(6 * DAY_MS);
    until(&stage, async |_| true).await;
    let text = all_text(&*store).await;
    assert!(text.iter().any(|it| it.contains("Zaphod")), "a week is left");
    for row in ["meta block mem:Ann mem:Zaphod", "meta block mem:Zaphod mem:Cyd"] {
        assert!(text.iter().any(|it| it.starts_with(row)), "{row}");
    }
    stage.clock.pass_ms(DAY_MS + MINUTE_MS);
    until(&stage, async |store| !has_deletion(store).await).await;
    assert_eq!(records_of_others(&*store).await, before);
    // Copies expire: answers after three days, messages after two months.
    stage.clock.pass_ms(61 * DAY_MS);
    until(&stage, answers_are_gone).await;
    assert_named_nowhere(&*store).await;

    let expected = ratings(&*store).await;
    let inner: Arc<dyn Store> = store.clone();
    let repository = Arc::new(Repository::new(inner, Arc::new(SystemClock), counted(5), limits()));
    let projector = ResultProjector::new(repository).with_rebuild_interval(0);
    projector.rebuild_all().await.unwrap();
    assert_eq!(ratings(&*store).await, expected, "a rebuild gives the same");
    assert_eq!(store.undeclared(), []);
}

/// What is stored about a person is theirs, whether they are banned or not.
async fn banned_person_requests_deletion(stage: &mut MemoryStage) {
    let asked = "people Ann Zaphod
        Zaphod writes privately /account delete
        Zaphod gets reply In a week I delete";
    play("asked", asked, stage).await;
    let press = stage
        .private_messages("Zaphod")
        .await
        .pop()
        .unwrap()
        .press("🗑 Delete it in a week")
        .to_owned();
    let body = UpdateKind::Press { callback_data: press, message: None };
    let update = stage.update("Zaphod", true, body);
    assert!(!stage.hear(update).await.is_empty());
    assert!(has_deletion(&*stage.store).await);
}

/// The account of this person on another platform, which was linked with the one of the stage.
fn linked_rows() -> Vec<Put> {
    let row = |key: &str, json: &str| Put::new(Space::Person, key, json);
    vec![
        row("links mem:Zaphod", r#"{"main":null,"accounts":["tg:4217"]}"#),
        row("links tg:4217", r#"{"main":"mem:Zaphod","accounts":[]}"#),
        row("tg:4217", r#"{"name":"Zaphod T","username":"zaphod_t"}"#),
        row("@tg:zaphod_t", "tg:4217"),
    ]
}

#[tokio::test]
async fn a_ban_outlasts_the_deletion_for_all_linked_accounts() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    let banned = "people Ann Zaphod
        Ann runs the bot
        Ann writes privately /admin ban person {Zaphod} Zaphod insults others
        Ann gets reply is banned";
    play("banned", banned, &mut stage).await;
    stage.store.commit(Commit::from_puts(linked_rows())).await.unwrap();
    banned_person_requests_deletion(&mut stage).await;
    stage.clock.pass_ms(7 * DAY_MS + MINUTE_MS);
    until(&stage, async |store| !has_deletion(store).await).await;
    let store = stage.store.clone();
    let repository = Repository::new(store, stage.clock.clone(), counted(5), limits());
    for account in ["mem:Zaphod", "tg:4217"] {
        let account = PersonId(account.to_owned());
        assert!(is_person_banned(&repository, [&account]).await.unwrap(), "{account:?}");
    }
    stage.clock.pass_ms(61 * DAY_MS);
    until(&stage, answers_are_gone).await;
    assert_named_nowhere(&*stage.store).await;
}

/// Lets the deletion of the second person begin, which waits for the end of their game.
async fn wait_for_own_game(stage: &mut MemoryStage) {
    request_deletion(stage).await;
    stage.clock.pass_ms(7 * DAY_MS + MINUTE_MS);
    until(stage, async |store| {
        let rows = store.scan(Space::Meta, "deletion ", None, 1).await.unwrap();
        String::from_utf8_lossy(&rows[0].1).contains("\"not_before_ms\":1")
    })
    .await;
}

#[tokio::test]
async fn a_ban_during_the_deletion_is_one_of_all_accounts() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    let script = "people Ann Bek Zaphod
        Ann runs the bot
        Bek says /togyz @Zaphod me
        Zaphod presses Accept
        Bek presses 1";
    play("game", script, &mut stage).await;
    stage.store.commit(Commit::from_puts(linked_rows())).await.unwrap();
    wait_for_own_game(&mut stage).await;
    let bans = "people Ann Bek Zaphod
        Ann writes privately /admin ban person tg:4217 Zaphod insults others
        Ann gets reply is banned";
    play("bans", bans, &mut stage).await;
    let repository =
        Repository::new(stage.store.clone(), stage.clock.clone(), counted(5), limits());
    for account in ["mem:Zaphod", "tg:4217"] {
        let account = PersonId(account.to_owned());
        assert!(is_person_banned(&repository, [&account]).await.unwrap(), "{account:?}");
    }
    let unbans = "people Ann Bek Zaphod
        Ann writes privately /admin unban person tg:4217
        Ann gets reply is not banned any more";
    play("unbans", unbans, &mut stage).await;
    for account in ["mem:Zaphod", "tg:4217"] {
        let account = PersonId(account.to_owned());
        assert!(!is_person_banned(&repository, [&account]).await.unwrap(), "{account:?}");
    }
}

#[tokio::test]
async fn a_ban_outlasts_the_deletion_of_the_account() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    let banned = "people Ann Zaphod
        Ann runs the bot
        Ann writes privately /admin ban person {Zaphod} Zaphod insults others
        Ann gets reply is banned";
    play("banned", banned, &mut stage).await;
    banned_person_requests_deletion(&mut stage).await;
    stage.clock.pass_ms(7 * DAY_MS + MINUTE_MS);
    until(&stage, async |store| !has_deletion(store).await).await;
    stage.clock.pass_ms(61 * DAY_MS);
    until(&stage, answers_are_gone).await;
    assert_named_nowhere(&*stage.store).await;
    let bans = stage.store.scan(Space::Meta, "ban-person ", None, 9).await.unwrap();
    let [(key, _)] = &bans[..] else { panic!("{bans:?}") };
    let tag = &key["ban-person ".len()..][..8];
    let back = format!(
        "people Ann Zaphod
        Ann gets reply is banned
        Zaphod writes privately /help
        Zaphod gets reply doesn’t let you use it any more
        Zaphod writes privately /help
        nobody gets a reply
        Ann writes privately /admin bans
        Ann gets reply person #{tag}
        Ann writes privately /admin unban person #{tag}
        Ann gets reply is not banned any more"
    );
    play("back", &back, &mut stage).await;
}

#[tokio::test]
async fn a_running_game_is_left_and_waited_for() {
    let store = Arc::new(Watched::default());
    let mut stage = MemoryStage::new(store.clone()).await;
    let script = "people Ann Zaphod
        Ann says /togyz @Zaphod me
        Zaphod presses Accept
        Ann presses 1";
    play("game", script, &mut stage).await;
    wait_for_own_game(&mut stage).await;
    let (table, _) = stage.newest_table().await;
    assert!(table.is_open() && table.is_away(1), "Ann is not robbed of her game");
    // Who comes back meanwhile begins nothing that the deletion would end.
    let back = "Zaphod says /togyz me
        Zaphod gets reply Your account is being deleted";
    play("back", back, &mut stage).await;
    assert_eq!(stage.newest_table().await.0.id, table.id);
    play("end", "Ann says /resign\n2 seconds pass\nAnn says /resign", &mut stage).await;
    until(&stage, async |store| !has_deletion(store).await).await;
    stage.clock.pass_ms(61 * DAY_MS);
    until(&stage, answers_are_gone).await;
    assert_named_nowhere(&*store).await;
}

/// A game in which Zaphod has no seat, but is named.
const DECLINED: &str = "people Ann Bek Cyd Zaphod
    Ann says /thaayam me @Zaphod @Bek
    Zaphod presses Decline
    everyone sees One seat is free
    Cyd presses Join
    Bek presses Accept
    Ann has no button Join";

/// Zaphod has no seat there: others who play on cannot keep the account.
#[tokio::test]
async fn a_declined_invitation_does_not_delay_a_deletion() {
    let store = Arc::new(Watched::default());
    let mut stage = MemoryStage::new(store.clone()).await;
    play("game", DECLINED, &mut stage).await;
    request_deletion(&mut stage).await;
    stage.clock.pass_ms(7 * DAY_MS + MINUTE_MS);
    until(&stage, async |store| !has_deletion(store).await).await;
    let (table, log) = stage.newest_table().await;
    assert!(table.is_open() && table.seating.people().len() == 3, "{log:#?}");
    assert!(!log.iter().any(|it| it.to_lowercase().contains("zaphod")), "{log:#?}");
    let steps = log.len();
    let on = "people Ann Bek Cyd
        Ann says /resign
        2 seconds pass
        Ann says /resign
        everyone sees substitutes for Ann";
    play("on", on, &mut stage).await;
    assert!(stage.newest_table().await.1.len() > steps, "the game goes on");
    stage.clock.pass_ms(61 * DAY_MS);
    until(&stage, answers_are_gone).await;
    assert_named_nowhere(&*store).await;
}

/// A store that holds back the commits by which a key rotation replaces logs.
#[derive(Default)]
struct SlowRotation {
    store: MemoryStore,
    is_held: watch::Sender<bool>,
    may_go_on: watch::Sender<bool>,
}

#[async_trait]
impl StoreLayer for SlowRotation {
    fn inner(&self) -> &dyn Store {
        &self.store
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        let is_of_head = |it: &Expect| it.space == Space::Head;
        if !commit.rewrites.is_empty() && commit.expect.iter().any(is_of_head) {
            self.is_held.send_replace(true);
            self.may_go_on.subscribe().wait_for(|it| *it).await.expect("the test ends later");
        }
        self.store.commit(commit).await
    }
}

/// This store, encrypted with the last of these keys.
async fn encrypted(inner: &Arc<SlowRotation>, keys: &[u8]) -> Arc<EncryptedStore> {
    let line = |it: &u8| format!("{it} {}\n", STANDARD.encode([*it; KEY_BYTES]));
    let keys = StoreKeys::parse(&keys.iter().map(line).collect::<String>()).unwrap();
    let opened = open_encrypted(inner.clone(), Some(&keys), OpenPurpose::Write).await.unwrap();
    opened.encrypted.unwrap()
}

#[tokio::test]
async fn a_key_rotation_does_not_bring_a_deleted_person_back() {
    let below = Arc::new(SlowRotation::default());
    let mut stage = MemoryStage::new(encrypted(&below, &[1]).await).await;
    play("game", DECLINED, &mut stage).await;
    request_deletion(&mut stage).await;
    stage.service.kill_for_test().await;
    let store = encrypted(&below, &[1, 2]).await;
    stage.store = store.clone();
    stage.restart().await;
    // The head has the new key already, as after an earlier pass of the rotation.
    let (id, head) = stage.store.scan(Space::Head, "", None, 1).await.unwrap().remove(0);
    stage.store.commit(Commit::from_puts(vec![Put::new(Space::Head, id, head)])).await.unwrap();
    let rotation = tokio::spawn(async move { store.reencrypt(&mut |_| ()).await });
    below.is_held.subscribe().wait_for(|it| *it).await.unwrap();
    stage.clock.pass_ms(7 * DAY_MS + MINUTE_MS);
    until(&stage, async |store| !has_deletion(store).await).await;
    let names_zaphod = async |stage: &MemoryStage| {
        let (table, log) = stage.newest_table().await;
        assert!(table.is_open());
        log.iter().any(|it| it.to_lowercase().contains("zaphod"))
    };
    assert!(!names_zaphod(&stage).await);
    below.may_go_on.send_replace(true);
    assert_eq!(rotation.await.unwrap().unwrap(), ReencryptOutcome::Complete);
    assert!(!names_zaphod(&stage).await, "the rotation has written the lines of before");
}

#[tokio::test]
async fn an_invitation_ends_with_the_account() {
    let store = Arc::new(Watched::default());
    let mut stage = MemoryStage::new(store.clone()).await;
    play("people", "people Ann Bek Zaphod\nZaphod says /account", &mut stage).await;
    request_deletion(&mut stage).await;
    stage.clock.pass_ms(7 * DAY_MS - MINUTE_MS);
    let invited = "people Ann Bek Zaphod
        Ann says /thaayam me @Zaphod @Bek
        everyone sees Zaphod";
    play("invited", invited, &mut stage).await;
    stage.clock.pass_ms(2 * MINUTE_MS);
    until(&stage, async |store| !has_deletion(store).await).await;
    let (table, log) = stage.newest_table().await;
    assert!(table.is_open() && table.open_seat_count() == 1, "{log:#?}");
    assert!(!log.iter().any(|it| it.to_lowercase().contains("zaphod")), "{log:#?}");
    let joined = "people Ann Bek Cyd
        Cyd presses Join
        Bek presses Accept
        Ann has no button Join";
    play("joined", joined, &mut stage).await;
}

/// A finished game of Ann and Bek.
const FINISHED: &str = "people Ann Bek
    Ann says /togyz @Bek me
    Bek presses Accept
    Ann presses 1
    Bek presses 1
    Ann says /resign
    2 seconds pass
    Ann says /resign
    everyone sees Ann resigned";

/// Results are replaced by then, and ratings are computed again: nothing reads the logs once more.
#[tokio::test]
async fn nobody_names_a_person_whose_data_is_being_deleted() {
    let store = Arc::new(Watched::default());
    let mut stage = MemoryStage::new(store.clone()).await;
    play("finished", &FINISHED.replace("Bek", "Zaphod"), &mut stage).await;
    let offers = stage.service.inline_results(&stage.person("Zaphod"), "togyz").await;
    let press = offers[0].buttons[0][0].callback_data.clone();
    request_deletion(&mut stage).await;
    stage.clock.pass_ms(7 * DAY_MS + MINUTE_MS);
    until(&stage, async |store| {
        let rows = store.scan(Space::Meta, "deletion ", None, 1).await.unwrap();
        String::from_utf8_lossy(&rows[0].1).contains("\"part\":\"answer-data-ratings\"")
    })
    .await;
    let tables = stage.tables().await.len();
    let named = "people Ann Bek Zaphod
        Ann says /togyz @Zaphod
        Ann gets reply takes no challenges
        Ann says /thaayam me @Zaphod @Bek
        Ann gets reply takes no challenges";
    play("named", named, &mut stage).await;
    let accepts = stage.press_inline("Bek", "posted", &press);
    let replies = stage.hear(accepts).await;
    let said = replies[0].message.text().to_plain();
    assert!(said.contains("takes no challenges"), "{said}");
    let offers = stage.service.inline_results(&stage.person("Zaphod"), "togyz").await;
    assert!(offers.is_empty(), "{offers:?}");
    assert_eq!(stage.tables().await.len(), tables);
    assert!(has_deletion(&*store).await, "it goes on");
    until(&stage, async |store| !has_deletion(store).await).await;
    stage.clock.pass_ms(61 * DAY_MS);
    until(&stage, answers_are_gone).await;
    assert_named_nowhere(&*store).await;
}

/// Requests that are due.
fn due_requests(people: impl IntoIterator<Item = String>) -> Commit {
    let request = |person| Put::new(Space::Meta, format!("deletion {person}"), r#"{"due_ms":1}"#);
    Commit::from_puts(people.into_iter().map(request).collect())
}

#[tokio::test]
async fn deletions_that_are_due_together_read_each_log_once() {
    const TABLES: usize = 60;
    let store = Arc::new(Watched::default());
    let mut stage = MemoryStage::new(store.clone()).await;
    play("finished", FINISHED, &mut stage).await;
    let (table, log) = stage.newest_table().await;
    let head = store.store.get(Space::Head, &table.id.0).await.unwrap().unwrap();
    for n in 1..TABLES {
        let id = format!("copy{n:03}");
        let put = Put::new(Space::Head, id.clone(), head.clone());
        let appends = vec![Append::new(id, 0, log.clone())];
        let commit = Commit { appends, ..Commit::from_puts(vec![put]) };
        store.store.commit(commit).await.unwrap();
    }
    let people = (0..25).map(|n| format!("mem:Person{n}"));
    store.store.commit(due_requests(people)).await.unwrap();
    let before = store.log_reads.load(Ordering::Relaxed);
    until(&stage, async |store| !has_deletion(store).await).await;
    let reads = store.log_reads.load(Ordering::Relaxed) - before;
    assert!((TABLES..6 * TABLES).contains(&reads), "{reads}");

    // One that waits for a game looks at that game alone.
    let game = "people Cyd Zaphod
        Cyd says /togyz @Zaphod me
        Zaphod presses Accept
        Cyd presses 1";
    play("game", game, &mut stage).await;
    store.store.commit(due_requests(["mem:Zaphod".to_owned()])).await.unwrap();
    until(&stage, async |store| {
        let rows = store.scan(Space::Meta, "deletion ", None, 1).await.unwrap();
        String::from_utf8_lossy(&rows[0].1).contains("open_tables\":[\"")
    })
    .await;
    let before = store.log_reads.load(Ordering::Relaxed);
    for _ in 0..12 {
        stage.ticks(10 * MINUTE_MS).await;
    }
    let reads = store.log_reads.load(Ordering::Relaxed) - before;
    assert!(reads < TABLES, "{reads}");
    play("end", "Cyd says /resign\n2 seconds pass\nCyd says /resign", &mut stage).await;
    until(&stage, async |store| !has_deletion(store).await).await;
}

#[tokio::test]
async fn a_table_that_makes_the_code_panic_stops_no_deletion() {
    let store = Arc::new(Watched::default());
    let mut stage = MemoryStage::new(store.clone()).await;
    play("finished", FINISHED, &mut stage).await;
    let broken = stage.newest_table().await.0.id.0;
    play("people", "people Ann Zaphod\nZaphod says /account", &mut stage).await;
    *store.panics.lock() = Some(broken.clone());
    let people = ["mem:Ann", "mem:Zaphod"].map(str::to_owned);
    store.store.commit(due_requests(people)).await.unwrap();
    until(&stage, async |store| !has_deletion(store).await).await;
    for person in ["mem:Ann", "mem:Zaphod"] {
        assert!(store.store.get(Space::Person, person).await.unwrap().is_none(), "{person}");
    }
    *store.panics.lock() = None;
    let log = store.store.read_log(&broken, 0).await.unwrap();
    assert!(log.iter().any(|it| it.contains("mem:Ann")), "it stays for repair: {log:#?}");
}

#[tokio::test]
async fn a_log_that_cannot_be_read_stops_no_deletion() {
    let store = Arc::new(Watched::default());
    let mut stage = MemoryStage::new(store.clone()).await;
    play("finished", FINISHED, &mut stage).await;
    let broken = stage.newest_table().await.0.id.0;
    play("another", &FINISHED.replace("Ann", "Zaphod"), &mut stage).await;
    let intact = stage.newest_table().await.0.id.0;
    *store.unreadable.lock() = Some(broken.clone());
    let people = ["mem:Ann", "mem:Zaphod"].map(str::to_owned);
    store.store.commit(due_requests(people)).await.unwrap();
    until(&stage, async |store| !has_deletion(store).await).await;
    let log = store.store.read_log(&intact, 0).await.unwrap();
    assert!(!log.iter().any(|it| it.contains("Zaphod")), "{log:#?}");
    let log = store.store.read_log(&broken, 0).await.unwrap();
    assert!(log.iter().any(|it| it.contains("mem:Ann")), "it stays for repair: {log:#?}");
    // Once it can be read, its result does not bring the person back.
    *store.unreadable.lock() = None;
    let inner: Arc<dyn Store> = store.clone();
    let repository = Arc::new(Repository::new(inner, Arc::new(SystemClock), counted(5), limits()));
    ResultProjector::new(repository).with_rebuild_interval(0).rebuild_all().await.unwrap();
    for space in [Space::Result, Space::Rating] {
        for (key, row) in store.store.scan(space, "", None, usize::MAX).await.unwrap() {
            let row = String::from_utf8(row).unwrap();
            assert!(!format!("{key} {row}").contains("mem:Ann"), "{key} {row}");
        }
    }
}

#[tokio::test]
async fn a_log_that_cannot_be_read_stops_no_pass_over_all_logs() {
    let store = Arc::new(Watched::default());
    let mut stage = MemoryStage::new(store.clone()).await;
    play("finished", FINISHED, &mut stage).await;
    let broken = stage.newest_table().await.0.id.0;
    play("another", FINISHED, &mut stage).await;
    let own = Repository::new(stage.store.clone(), stage.clock.clone(), counted(5), limits());
    let progress = [
        keys::TTL_BACKFILL,
        keys::LOG_SEPARATION,
        keys::KEPT_GAMES_BACKFILL,
        row_formats::COLLECTION_STATE,
    ];
    let mut removed = progress.map(|key| Put::remove(Space::Meta, key)).to_vec();
    let results = async || store.store.scan(Space::Result, "", None, 9).await.unwrap();
    removed.extend(results().await.into_iter().map(|(key, _)| Put::remove(Space::Result, key)));
    store.store.commit(Commit::from_puts(removed)).await.unwrap();
    *store.unreadable.lock() = Some(broken);
    while !own.kept_games().list_next_page().await.unwrap() {}
    while !own.log_separation().separate_next_page().await.unwrap() {}
    while !own.ttl_backfill().process_next_page().await.unwrap() {}
    until(&stage, async |_| own.results().are_collected().await.unwrap()).await;
    assert_eq!(results().await.len(), 1, "the result of the other game is collected");
}

/// Which game a person finished last in a chat is known for 180 days, as the privacy policy says.
#[tokio::test]
async fn last_games_that_an_earlier_version_noted_expire() {
    let stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    let own = Repository::new(stage.store.clone(), stage.clock.clone(), counted(5), limits());
    let row = |key: &str| Put::new(Space::Meta, key, "7k3fx");
    let earlier = r#"{"list":4,"after":"","archives":true,"abandons":true}"#;
    let mut commit = Commit::from_puts(vec![row("last mem:g"), row("last mem:g mem:Ann")]);
    commit.puts.push(row("last backup 7"));
    commit.puts.push(Put::new(Space::Meta, keys::TTL_BACKFILL, earlier));
    stage.store.commit(commit).await.unwrap();
    while !own.ttl_backfill().process_next_page().await.unwrap() {}
    let left_after = async |days: u64| {
        let now_ms = own.now_ms() + days * DAY_MS;
        stage.store.remove_expired(now_ms, 99).await.unwrap();
        let left = stage.store.scan(Space::Meta, "last ", None, 9).await.unwrap();
        left.into_iter().map(|(key, _)| key).collect::<Vec<_>>()
    };
    let all = ["last backup 7", "last mem:g", "last mem:g mem:Ann"];
    assert_eq!(left_after(179).await, all);
    assert_eq!(left_after(181).await, ["last backup 7"]);
}

#[tokio::test]
async fn logs_that_cannot_be_read_for_a_moment_are_read_again() {
    let store = Arc::new(Watched::default());
    let mut stage = MemoryStage::new(store.clone()).await;
    play("finished", &FINISHED.replace("Bek", "Zaphod"), &mut stage).await;
    let table = stage.newest_table().await.0.id.0;
    store.store.commit(due_requests(["mem:Zaphod".to_owned()])).await.unwrap();
    store.away.store(2, Ordering::Relaxed);
    until(&stage, async |store| !has_deletion(store).await).await;
    assert_eq!(store.away.load(Ordering::Relaxed), 0);
    let log = store.store.read_log(&table, 0).await.unwrap();
    assert!(!log.iter().any(|it| it.contains("Zaphod")), "{log:#?}");
}

/// Neither comes back, so nobody waits for the end of their game.
#[tokio::test]
async fn a_game_ends_when_the_accounts_of_all_its_players_are_deleted() {
    let store = Arc::new(Watched::default());
    let mut stage = MemoryStage::new(store.clone()).await;
    let game = "people Ann Bek\nAnn says /togyz @Bek me\nBek presses Accept\nAnn presses 1";
    play("game", game, &mut stage).await;
    let id = stage.newest_table().await.0.id;
    let people = ["mem:Ann", "mem:Bek"].map(str::to_owned);
    store.store.commit(due_requests(people)).await.unwrap();
    for _ in 0..12 {
        stage.ticks(10 * MINUTE_MS).await;
    }
    until(&stage, async |store| !has_deletion(store).await).await;
    // Nothing is kept of a table that was closed without a result.
    let log = store.store.read_log(&id.0, 0).await.unwrap();
    assert!(log.is_empty(), "{log:#?}");
}

/// A person acts at an old table after the logs were read and before the records are.
#[tokio::test]
async fn a_log_that_is_restored_during_a_pass_is_replaced() {
    let store = Arc::new(Watched::default());
    let mut stage = MemoryStage::new(store.clone()).await;
    let finished = FINISHED.replace("Bek", "Zaphod");
    play("finished", &finished, &mut stage).await;
    let (table, _) = stage.newest_table().await;
    let id = table.id.0;
    let head = store.store.get(Space::Head, &id).await.unwrap().unwrap();
    stage.clock.pass_ms(8 * DAY_MS);
    until(&stage, async |store| store.scan(Space::Head, "", None, 1).await.unwrap().is_empty())
        .await;
    let record = store.store.get(Space::Archive, &id).await.unwrap().unwrap();
    let puts = vec![
        Put::remove(Space::Archive, id.clone()),
        Put::new(Space::Head, id.clone(), head),
        Put::new(Space::Meta, format!("restored {id}"), ""),
    ];
    let appends = vec![Append::new(id.clone(), 0, archive::unpack(&record).unwrap())];
    let restored = Commit { appends, ..Commit::from_puts(puts) };
    *store.before_records.lock() = Some(restored);
    store.store.commit(due_requests(["mem:Zaphod".to_owned()])).await.unwrap();
    until(&stage, async |store| !has_deletion(store).await).await;
    assert!(store.before_records.lock().is_none(), "it was restored meanwhile");
    let record = store.store.get(Space::Archive, &id).await.unwrap().unwrap();
    let lines = archive::unpack(&record).unwrap();
    assert!(!lines.iter().any(|it| it.contains("Zaphod")), "{lines:#?}");
}

#[tokio::test]
async fn a_person_who_comes_back_plays_casual_games_for_90_days() {
    let store = Arc::new(Watched::default());
    let mut stage = MemoryStage::new(store.clone()).await;
    play("people", "people Ann Zaphod", &mut stage).await;
    request_deletion(&mut stage).await;
    stage.clock.pass_ms(7 * DAY_MS + MINUTE_MS);
    until(&stage, async |store| !has_deletion(store).await).await;
    let game = "Ann says /togyz @Zaphod me\nZaphod presses Accept";
    play("game", game, &mut stage).await;
    let (table, _) = stage.newest_table().await;
    assert_eq!(table.casual_reasons(), [CasualReason::DeletedAccount]);
    stage.clock.pass_ms(90 * DAY_MS);
    play("later", "Ann says /togyz @Zaphod me\nZaphod presses Accept", &mut stage).await;
    let (table, _) = stage.newest_table().await;
    assert_eq!(table.casual_reasons(), []);
}

#[tokio::test]
async fn after_a_deletion_the_same_name_can_be_hidden_again() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    let hidden = "people Ann Zaphod
        Zaphod says /account
        Ann says /hidename @Zaphod rude words
        Ann gets reply also in earlier games";
    play("hidden", hidden, &mut stage).await;
    request_deletion(&mut stage).await;
    stage.clock.pass_ms(7 * DAY_MS + MINUTE_MS);
    until(&stage, async |store| !has_deletion(store).await).await;
    let back = "people Ann Zaphod\nZaphod says /togyz\neveryone sees Zaphod";
    play("back", back, &mut stage).await;
    stage.send_group_message("Ann", "/hidename @Zaphod rude words").await;
    stage.service.wait_until_idle().await;
    let told = stage.private_replies("Ann").await.pop().unwrap().text;
    assert!(told.contains("also in earlier games"), "{told}");
    let rows = stage.store.scan(Space::Meta, "hidden-name ", None, 9).await.unwrap();
    assert_eq!(rows.len(), 1, "the name stays hidden after a restart");
}

#[tokio::test]
async fn linked_accounts_are_deleted_together_and_stay_linked() {
    let store = Arc::new(Watched::default());
    let mut stage = MemoryStage::new(store.clone()).await;
    play("people", "people Ann Zaphod\nZaphod says /account", &mut stage).await;
    store.store.commit(Commit::from_puts(linked_rows())).await.unwrap();
    request_deletion(&mut stage).await;
    stage.clock.pass_ms(7 * DAY_MS + MINUTE_MS);
    until(&stage, async |store| !has_deletion(store).await).await;
    stage.clock.pass_ms(61 * DAY_MS);
    until(&stage, answers_are_gone).await;
    assert_named_nowhere(&*store).await;
    let text = all_text(&*store).await;
    assert!(!text.iter().any(|it| it.contains("4217")));
    let links = store.scan(Space::Person, "links deleted:", None, 9).await.unwrap();
    assert_eq!(links.len(), 1, "ratings need to know that both ids were one person");
}

/// Earlier versions unlinked accounts also while their deletion waited.
#[tokio::test]
async fn a_deletion_takes_nothing_of_an_account_that_was_unlinked_since() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    play("people", "people Ann Zaphod\nZaphod says /account", &mut stage).await;
    let request = r#"{"due_ms":1,"places":["tg:4217"]}"#;
    let rows = vec![
        Put::new(Space::Person, "tg:4217", r#"{"name":"Dee"}"#),
        Put::new(Space::Meta, "deletion mem:Zaphod", request),
    ];
    stage.store.commit(Commit::from_puts(rows)).await.unwrap();
    stage.clock.pass_ms(MINUTE_MS);
    until(&stage, async |store| !has_deletion(store).await).await;
    let gone = stage.store.get(Space::Person, "mem:Zaphod").await.unwrap();
    assert_eq!(gone, None, "the deletion was done");
    assert!(stage.store.get(Space::Person, "tg:4217").await.unwrap().is_some());
}

#[tokio::test]
async fn any_number_of_requests_that_wait_keeps_no_deletion_from_being_done() {
    const OWN: &str = "deletion mem:Zaphod";
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    play("people", "people Ann Zaphod\nZaphod says /account", &mut stage).await;
    let later =
        |n: usize| Put::new(Space::Meta, format!("deletion dc:{n}"), r#"{"due_ms":9000000000000}"#);
    let mut rows: Vec<Put> = (0..1_001).map(later).collect();
    rows.push(Put::new(Space::Meta, OWN, r#"{"due_ms":1}"#));
    for page in rows.chunks(100) {
        stage.store.commit(Commit::from_puts(page.to_vec())).await.unwrap();
    }
    stage.clock.pass_ms(MINUTE_MS);
    until(&stage, async |store| store.get(Space::Meta, OWN).await.unwrap().is_none()).await;
}

/// After the restore of an old backup the clock seems to have jumped by days.
#[tokio::test]
async fn a_repeated_deletion_begins_while_the_clock_is_in_doubt() {
    const OWN: &str = "deletion mem:Zaphod";
    const OTHER: &str = "deletion mem:Bek";
    const WAITING: &str = r#"{"due_ms":1}"#;
    let began_ms = TestClock::new().now_ms();
    let store = Arc::new(MemoryStore::new());
    let rows = vec![
        Put::new(Space::Meta, keys::LAST_ALIVE, (began_ms - 3 * DAY_MS).to_string()),
        Put::new(Space::Meta, OTHER, WAITING),
        Put::new(Space::Meta, OWN, r#"{"due_ms":1,"is_repeated":true}"#),
    ];
    store.commit(Commit::from_puts(rows)).await.unwrap();
    let stage = MemoryStage::new(store).await;
    let has_begun = async |store: &dyn Store| {
        let row = store.get(Space::Meta, OWN).await.unwrap().unwrap_or_default();
        row.is_empty() || String::from_utf8(row).unwrap().contains(r#""started":{"#)
    };
    until(&stage, has_begun).await;
    assert!(stage.clock.now_ms() - began_ms < 10 * MINUTE_MS, "the clock is still in doubt");
    let other = stage.store.get(Space::Meta, OTHER).await.unwrap().unwrap();
    assert_eq!(other, WAITING.as_bytes(), "it can still be cancelled");
}

#[tokio::test]
async fn a_deletion_that_a_restore_has_postponed_is_announced() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    play("people", "people Ann Zaphod\nZaphod writes privately /account", &mut stage).await;
    request_deletion(&mut stage).await;
    stage.clock.pass_ms(6 * DAY_MS);
    let own = Repository::new(stage.store.clone(), stage.clock.clone(), counted(5), limits());
    let people = postpone_deletions(&own).await.unwrap();
    assert_eq!(people, [PersonId("mem:Zaphod".into())]);
    assert_eq!(announce_postponed(&own, &people).await.unwrap(), 1);
    until(&stage, async |store| {
        store.scan(Space::Meta, "guard-notice ", None, 1).await.unwrap().is_empty()
    })
    .await;
    let told = "people Ann Zaphod
        Zaphod sees I was restored from a backup
        Zaphod writes privately /account
        Zaphod presses Keep my account
        Zaphod gets reply Your account stays";
    play("told", told, &mut stage).await;
    assert!(!has_deletion(&*stage.store).await);
}

/// They may let the bot write to them before the day of the deletion.
#[tokio::test]
async fn a_notice_of_a_deletion_waits_for_a_person_who_cannot_be_written_to() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    play("people", "people Ann Zaphod\nZaphod writes privately /account", &mut stage).await;
    let person = PersonId("mem:Zaphod".into());
    stage.platform.forbid_private_messages(person.clone());
    let (_, commands) = other_process(&stage);
    answer(&commands, "delete person mem:Zaphod yes").await;
    let notices = async |store: &dyn Store| {
        let rows = store.scan(Space::Meta, "guard-notice ", None, 9).await.unwrap();
        let text = |(_, value)| String::from_utf8(value).unwrap();
        rows.into_iter().map(text).collect::<Vec<String>>()
    };
    until(&stage, async |store| {
        notices(store).await.iter().all(|it| !it.contains(r#""retry_ms":0"#))
    })
    .await;
    assert_eq!(notices(&*stage.store).await.len(), 1, "it was tried, and waits");
    stage.platform.permit_private_messages(&person);
    until(&stage, async |store| notices(store).await.is_empty()).await;
    let told = "people Ann Zaphod\nZaphod sees has requested that your account be deleted";
    play("told", told, &mut stage).await;
}

#[tokio::test]
async fn a_second_deletion_works_as_the_first() {
    let store = Arc::new(Watched::default());
    let mut stage = MemoryStage::new(store.clone()).await;
    for _ in 0..2 {
        let game = "people Ann Zaphod
            Ann says /togyz @Zaphod me
            Zaphod presses Accept
            Ann presses 1
            Zaphod presses 1
            Ann says /resign
            2 seconds pass
            Ann says /resign";
        play("game", game, &mut stage).await;
        request_deletion(&mut stage).await;
        stage.clock.pass_ms(7 * DAY_MS + MINUTE_MS);
        until(&stage, async |store| !has_deletion(store).await).await;
    }
    stage.clock.pass_ms(61 * DAY_MS);
    until(&stage, answers_are_gone).await;
    assert_named_nowhere(&*store).await;
}

#[tokio::test]
async fn a_button_of_another_person_deletes_nothing() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    play("ask", "people Ann Bek\nAnn writes privately /account delete", &mut stage).await;
    let asked = stage.private_replies("Ann").await.pop().unwrap();
    let press = asked.press("🗑").to_owned();
    let kind = UpdateKind::Press { callback_data: press, message: None };
    let update = stage.update("Bek", true, kind);
    let replies = stage.hear(update).await;
    let said = replies[0].message.text().to_plain();
    assert!(said.contains("another person"), "{said}");
    assert!(!has_deletion(&*stage.store).await);
}

/// Stores what the decisions of all seats have cost in the last game of a person; returns its
/// table.
async fn judge_last_game(store: &dyn Store, person: &str) -> String {
    let prefix = row_formats::history_prefix(&PersonId(person.to_owned()));
    let (_, row) = store.scan(Space::Rating, &prefix, None, 1).await.unwrap().remove(0);
    let entry: HistoryEntry = serde_json::from_slice(&row).unwrap();
    let seat = |seat: u8| {
        let cost = if seat == entry.seat { 61 } else { 999 };
        JudgedSeat { seat, rounds: 3, decisions: 20, cost }
    };
    let shares = result_shares(&[vec![0, 2], vec![1, 3]], &[40, 120], &[31, 20, 31, 20]);
    let judged = JudgedGame { seats: (0..4).map(seat).collect(), shares };
    let row = serde_json::to_vec(&judged).unwrap();
    let row = Put::new(Space::Meta, keys::play_quality(&entry.table), row);
    store.commit(Commit::from_puts(vec![row])).await.unwrap();
    entry.table.0
}

#[tokio::test]
async fn an_export_contains_own_data_and_only_names_of_others() {
    let store = Arc::new(Watched::default());
    let mut stage = MemoryStage::new(store.clone()).await;
    play("games", GAMES, &mut stage).await;
    let table = judge_last_game(&*store, "mem:Zaphod").await;
    let own_chat = Put::new(Space::ChatProfile, "mem:@Zaphod", r#"{"title":"mine"}"#);
    Store::commit(&*store, Commit::from_puts(vec![own_chat])).await.unwrap();
    play("export", "Zaphod writes privately /account export", &mut stage).await;
    let is_zip = |it: &Vec<u8>| it.starts_with(b"PK");
    let mut media = stage.received_content("Zaphod").await.into_iter().flat_map(|it| it.media);
    let file = media.rfind(is_zip).expect("a file comes");
    let mut zip = zip::ZipArchive::new(Cursor::new(file)).unwrap();
    let names: Vec<String> = zip.file_names().map(|it| it.unwrap().into_owned()).collect();
    assert!(names.iter().filter(|it| it.starts_with("games/")).count() >= 3, "{names:?}");
    let mut read = |name: &str| {
        let mut text = String::new();
        zip.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        text
    };
    let json: serde_json::Value = serde_json::from_str(&read("account.json")).unwrap();
    assert_eq!(json["accounts"][0], "mem:Zaphod");
    assert_eq!(json["profiles"][0]["row"]["username"], "zaphod");
    assert_eq!(json["games"].as_array().unwrap().len(), 3);
    assert_eq!(json["game_files"][0]["games"], 3);
    let private = json["private_chats"].as_array().unwrap();
    assert_eq!(private.len(), 1);
    assert_eq!(private[0]["chat"], "mem:@Zaphod");
    let scoped = json["scoped_ratings"].as_array().unwrap();
    let in_chat = |it: &&serde_json::Value| it["chat"] == "mem:group" && it["month"].is_null();
    let lists = json["ratings"].as_array().unwrap().len();
    assert_eq!(scoped.iter().filter(in_chat).count(), lists);
    assert!(scoped.iter().any(|it| it["chat"].is_null() && it["month"].is_string()));
    let judged = json["play_quality"].as_array().unwrap();
    assert_eq!(judged.len(), 1, "the numbers of the others are theirs");
    // Luck is that of the whole side: 42 hundredths, whichever seat of it Zaphod had.
    let luck = judged[0]["luck"].as_i64().unwrap();
    assert_eq!(luck.abs(), 420);
    for (field, value) in [("cost", 61), ("rounds", 3), ("decisions", 20)] {
        assert_eq!(judged[0][field], value, "{field}");
    }
    assert_eq!(judged[0]["table"], *table);
    assert_eq!(json["subscriptions"][0]["game"], "togyzkumalak");
    let blocked = json["blocked"].as_array().unwrap();
    assert_eq!(blocked.len(), 1, "who has blocked Zaphod is not told");
    assert_eq!(blocked[0]["name"], "Cyd");
    let readme = read("README.txt");
    assert!(readme.contains("until you delete your account"));
    assert!(readme.contains("Play quality"), "{readme}");
    assert!(!readme.contains("do not fit"), "{readme}");
    for name in names {
        let text = read(&name);
        assert!(!text.contains("mem:Ann") && !text.contains("mem:Bek"), "{name}: {text}");
    }
    for who in ["Ann", "Bek", "Cyd"] {
        let seen = stage.received_content(who).await;
        assert!(!seen.iter().flat_map(|it| &it.media).any(is_zip), "{who} sees the file");
    }
    // A button of a table is no button of an account.
    assert!(TableCallback::decode("ac.export").is_none());
}

#[tokio::test]
async fn an_export_contains_a_ban() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    let script = "people Ann Zaphod
        Ann runs the bot
        Ann writes privately /admin ban person {Zaphod} Zaphod insults others
        Ann gets reply is banned
        Zaphod writes privately /account export";
    play("banned", script, &mut stage).await;
    let mut media = stage.received_content("Zaphod").await.into_iter().flat_map(|it| it.media);
    let file = media.rfind(|it| it.starts_with(b"PK")).expect("a file comes");
    let mut zip = zip::ZipArchive::new(Cursor::new(file)).unwrap();
    let mut text = String::new();
    zip.by_name("account.json").unwrap().read_to_string(&mut text).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["bans"][0]["reason"], "Zaphod insults others");
}

/// The id of the private chat does not follow from that of the account there.
#[cfg(feature = "discord")]
#[tokio::test]
async fn a_private_chat_on_discord_goes_with_its_reader() {
    let mut stage = DiscordStage::new(Arc::new(MemoryStore::new())).await;
    let script = "people Ann Zaphod
        Zaphod writes privately /account
        Zaphod gets reply Link your accounts
        Zaphod says /account delete
        Zaphod gets reply In a week I delete
        Zaphod presses Delete it in a week
        Zaphod gets reply will be deleted on";
    play("asked elsewhere", script, &mut stage).await;
    let store = stage.host.store.clone();
    let chat = format!("dc:{}", stage.dc.dm(&stage.people["Zaphod"]).id);
    assert!(store.get(Space::ChatProfile, &chat).await.unwrap().is_some(), "the chat was used");
    let account = stage.account("Zaphod");
    store.commit(due_requests([account.clone()])).await.unwrap();
    for _ in 0..200 {
        if !has_deletion(&*store).await {
            break;
        }
        stage.pass_ms(MINUTE_MS).await;
        stage.quiet().await;
    }
    assert!(!has_deletion(&*store).await, "it never came");
    let text = all_text(&*store).await;
    let left = text.iter().filter(|it| !it.starts_with("seen "));
    let left: Vec<&String> =
        left.filter(|it| it.contains(&chat) || it.contains(&account)).collect();
    assert!(left.is_empty(), "{left:#?}");
}

/// A page on which Zaphod has written something, of a process of its own.
struct PageOfZaphod {
    served: Served,
    account: String,
    token: String,
    _folder: TempDir,
}

impl PageOfZaphod {
    async fn new(store: Arc<dyn Store>) -> Self {
        let folder = TempDir::new().unwrap();
        let settings = web_bot::settings(folder.path());
        let served = Served::start_on(store.clone(), settings, Arc::default(), "127.0.0.1:0").await;
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let made = client.post(format!("{}/api/people", served.base));
        let made = made.json(&json!({ "name": "Zaphod", "locale": "en" })).send().await.unwrap();
        let made: serde_json::Value = made.json().await.unwrap();
        let word = |key: &str| made[key].as_str().unwrap().to_owned();
        let (account, token) = (word("id"), word("token"));
        let rooms = [
            ("rooms", json!({ "name": "lobby" })),
            ("rooms/lobby/messages", json!({ "text": "I am Zaphod", "key": "k1" })),
        ];
        for (path, body) in rooms {
            let request = client.post(format!("{}/api/{path}", served.base)).bearer_auth(&token);
            let answer = request.json(&body).send().await.unwrap();
            assert!(answer.status().is_success(), "{path}: {answer:?}");
        }
        let chat = json!({ "title": "Zaphod", "reader": account });
        let rows = vec![
            Put::new(Space::Person, account.clone(), r#"{"name":"Zaphod"}"#),
            Put::new(Space::ChatProfile, account.replace(':', ":@"), chat.to_string()),
        ];
        store.commit(Commit::from_puts(rows)).await.unwrap();
        PageOfZaphod { served, account, token, _folder: folder }
    }

    /// The status of the answer to Zaphod, who asks the page who he is.
    async fn status(&self) -> u16 {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = client.get(format!("{}/api/me", self.served.base));
        request.bearer_auth(&self.token).send().await.unwrap().status().as_u16()
    }
}

#[tokio::test]
async fn a_deletion_waits_for_the_page_that_stores_the_person() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    let page = PageOfZaphod::new(stage.store.clone()).await;
    stage.store.commit(due_requests([page.account.clone()])).await.unwrap();
    until(&stage, async |store| {
        let rows = store.scan(Space::Meta, "deletion ", None, 1).await.unwrap();
        String::from_utf8_lossy(&rows[0].1).contains("\"part\":\"answer-data-chat\"")
    })
    .await;
    for _ in 0..10 {
        stage.ticks(MINUTE_MS).await;
    }
    assert!(has_deletion(&*stage.store).await, "the process without a page has done nothing");
    assert_eq!(page.status().await, 200);
    stage.service.add_platform(page.served.web.clone());
    until(&stage, async |store| !has_deletion(store).await).await;
    assert_eq!(page.status().await, 401);
    assert_named_nowhere(&*stage.store).await;
}

#[tokio::test]
async fn a_process_without_a_page_deletes_what_the_page_stores() {
    let stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    let page = PageOfZaphod::new(stage.store.clone()).await;
    let chat = stage.store.clone();
    let open: AccountStoreOpener = Arc::new(move || Arc::new(StoredAccounts::new(chat.clone())));
    stage.service.add_account_store("web", open);
    stage.store.commit(due_requests([page.account.clone()])).await.unwrap();
    until(&stage, async |store| !has_deletion(store).await).await;
    assert_named_nowhere(&*stage.store).await;
    // The page of the other process follows.
    for _ in 0..1_000 {
        if page.status().await == 401 {
            return;
        }
    }
    panic!("the token still signs in");
}

/// Nobody can ever sign in as this person again, so nobody else could delete what is left.
#[tokio::test]
async fn a_person_whom_the_page_forgets_is_deleted_a_week_later() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let mut stage = WebStage::new(store.clone()).await;
    let script = "people Ann Zaphod
        Zaphod writes privately /account
        Zaphod gets reply Link your accounts";
    play("account", script, &mut stage).await;
    let id = stage.account("Zaphod").trim_start_matches("web:").to_owned();
    assert!(all_text(&*store).await.iter().any(|it| it.contains(&id)));
    stage.ban("Zaphod").await;
    let clock = stage.host.clock.clone();
    until_in(&*store, &clock, has_deletion).await;
    clock.pass_ms(6 * DAY_MS);
    for _ in 0..1_000 {
        tokio::task::yield_now().await;
    }
    assert!(has_deletion(&*store).await, "a day is left");
    clock.pass_ms(DAY_MS);
    until_in(&*store, &clock, async |store| !has_deletion(store).await).await;
    clock.pass_ms(61 * DAY_MS);
    until_in(&*store, &clock, answers_are_gone).await;
    assert_named_nowhere(&*store).await;
    let text = all_text(&*store).await;
    // The keys that changed in the last ten minutes expire by the clock of the page.
    let left = text.iter().filter(|it| !it.starts_with("chat f/"));
    let left: Vec<&String> = left.filter(|it| it.contains(&id)).collect();
    assert!(left.is_empty(), "{left:#?}");
}

/// A copy of the rows that say who there is: what a backup of this moment contains.
async fn backed_up(stage: &MemoryStage) -> Repository {
    let copy = Arc::new(MemoryStore::new());
    for space in [Space::Person, Space::Meta] {
        let rows = stage.store.scan(space, "", None, 9_999).await.unwrap();
        let puts = rows.into_iter().map(|(key, value)| Put::new(space, key, value));
        copy.commit(Commit::from_puts(puts.collect())).await.unwrap();
    }
    Repository::new(copy, stage.clock.clone(), counted(3), limits())
}

/// The accounts of the built-in chat in a store.
async fn chat_people(repository: &Repository) -> Vec<PersonId> {
    stored_people(&**repository.store()).await.unwrap()
}

/// A copy of a backup that has neither profiles nor requests.
async fn without_profiles(backup: &Repository, clock: &Arc<TestClock>) -> Repository {
    let copy = Arc::new(MemoryStore::new());
    let mut rows = backup.read_all_rows(Space::Meta, "").await.unwrap();
    rows.retain(|(key, _)| !key.starts_with("deletion "));
    let puts = rows.into_iter().map(|(key, value)| Put::new(Space::Meta, key, value));
    copy.commit(Commit::from_puts(puts.collect())).await.unwrap();
    Repository::new(copy, clock.clone(), counted(4), limits())
}

/// Repeats deletions as after a restore.
async fn repeat_done(
    repository: &Repository,
    deleted: &[DeletedAccount],
    chat_people: Vec<PersonId>,
) -> Result<RepeatedDeletions, Failure> {
    repeat_deletions(repository, deleted, KnownDeletions::Done, chat_people).await
}

#[tokio::test]
async fn deletions_are_repeated_in_a_store_of_the_time_before_them() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    play("people", "people Ann Bek Zaphod\nZaphod says /account\nAnn says /account", &mut stage)
        .await;
    stage.store.commit(Commit::from_puts(linked_rows())).await.unwrap();
    let own = Repository::new(stage.store.clone(), stage.clock.clone(), counted(5), limits());
    let before_the_key = backed_up(&stage).await;
    // Earlier versions make it when it is needed first.
    let no_key = vec![Put::remove(Space::Meta, keys::PERSONAL_DATA_KEY)];
    before_the_key.put_all(no_key).await.unwrap();
    assert!(own.deleted_accounts().await.unwrap().is_empty());
    let before = backed_up(&stage).await;
    request_deletion(&mut stage).await;
    stage.clock.pass_ms(7 * DAY_MS + MINUTE_MS);
    until(&stage, async |store| !has_deletion(store).await).await;
    let deleted = own.deleted_accounts().await.unwrap();
    assert_eq!(deleted.len(), 2, "both linked accounts");
    assert!(deleted.iter().all(|it| !it.hash.contains("4217")));

    let people = |people| RepeatedDeletions { people, ..RepeatedDeletions::default() };
    for _ in 0..2 {
        assert_eq!(repeat_done(&before, &deleted, Vec::new()).await.unwrap(), people(1));
        let requests = before.read_all_rows(Space::Meta, "deletion ").await.unwrap();
        let [(key, request)] = &requests[..] else { panic!("{requests:?}") };
        let request: serde_json::Value = serde_json::from_slice(request).unwrap();
        assert_eq!(key, "deletion mem:Zaphod");
        assert!(request["due_ms"].as_u64().unwrap() <= before.now_ms());
    }
    // A person without a profile in the backup may have played, or be in the built-in chat.
    let bare = without_profiles(&before, &stage.clock).await;
    let hash = bare.keyed_hash("web:1").await.unwrap();
    let on_page = DeletedAccount { hash, ..deleted[0].clone() };
    let all: Vec<DeletedAccount> = deleted.iter().cloned().chain([on_page]).collect();
    let missing = RepeatedDeletions { missing: 3, ..RepeatedDeletions::default() };
    assert_eq!(repeat_done(&bare, &all, chat_people(&bare).await).await.unwrap(), missing);
    let table = Put::new(Space::PersonTable, "mem:Zaphod 7k3fx", "");
    bare.put_all(vec![table, Put::new(Space::Webchat, "p/1", "{}")]).await.unwrap();
    let found = RepeatedDeletions { missing: 1, ..people(2) };
    assert_eq!(repeat_done(&bare, &all, chat_people(&bare).await).await.unwrap(), found);
    // One of the accounts alone must not delete the other one.
    let one = &deleted[..1];
    let linked = RepeatedDeletions { linked: 1, ..RepeatedDeletions::default() };
    assert_eq!(repeat_done(&before, one, Vec::new()).await.unwrap(), linked);
    let unknown = RepeatedDeletions { unknown: 2, ..RepeatedDeletions::default() };
    assert_eq!(repeat_done(&before_the_key, &deleted, Vec::new()).await.unwrap(), unknown);
    // A person who comes back after the deletion is in later backups, which know of it.
    play("back", "people Ann Zaphod\nZaphod says /account", &mut stage).await;
    let later = backed_up(&stage).await;
    assert_eq!(repeat_done(&later, &deleted, Vec::new()).await.unwrap(), people(0));
    // In a salvaged store, rows of before may be back.
    let known = later.deleted_accounts().await.unwrap();
    let repeated = repeat_deletions(&later, &known, KnownDeletions::Repeated, Vec::new());
    assert_eq!(repeated.await.unwrap().people, 1);
    stage.clock.pass_ms(90 * DAY_MS);
    assert_eq!(repeat_done(&before, &deleted, Vec::new()).await.unwrap(), people(0));
}
