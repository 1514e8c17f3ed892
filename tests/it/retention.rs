//! A chat that keeps finished games for a limited time: older ones lose their logs and records,
//! their results stay, and all requests about them get a clear answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use caravanserai_bot::repository::{GameRemoval, Repository, SystemClock, keys};
use caravanserai_bot::results::projector::ResultProjector;
use caravanserai_games::ids::{ChatId, TableId};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Commit, Put, Space, Store};

use crate::stage::memory::{MemoryStage, counted, limits};
use crate::stage::{Stage, play};

const MINUTE_MS: u64 = 60_000;
const DAY_MS: u64 = 24 * 60 * MINUTE_MS;

const PEOPLE: &str = "people Ann Bek\n";

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

/// Ann, who is an admin, chooses how long games are kept.
fn keep_for(time: &str) -> String {
    format!(
        "
Ann says /settings chat
Ann presses 🗄 Keep finished games
Ann presses {time}
Ann has private buttons 🗄 Keep finished games: {time}
"
    )
}

async fn plays(stage: &mut MemoryStage, script: &str) {
    play("retention", &format!("{PEOPLE}{script}"), stage).await;
}

/// Lets the bot work until it is so; a minute passes whenever it has nothing to do.
async fn until(stage: &MemoryStage, is_so: impl AsyncFn(&dyn Store) -> bool) {
    for turn in 1..20_000 {
        if is_so(&*stage.store).await {
            return;
        }
        if turn % 20 == 0 {
            stage.clock.pass_ms(MINUTE_MS);
        }
        tokio::task::spawn_blocking(|| ()).await.unwrap();
    }
    panic!("it never came");
}

/// Lets some hours pass, so that all chats are looked at.
async fn hours_pass(stage: &MemoryStage) {
    for _ in 0..300 {
        stage.clock.pass_ms(MINUTE_MS);
        for _ in 0..20 {
            tokio::task::spawn_blocking(|| ()).await.unwrap();
        }
    }
}

async fn has(store: &dyn Store, key: &str) -> bool {
    store.get(Space::Meta, key).await.unwrap().is_some()
}

async fn is_chosen(store: &dyn Store) -> bool {
    has(store, "retention mem:group").await
}

/// The tables that have a log or a record.
async fn kept(store: &dyn Store) -> Vec<TableId> {
    let mut tables = Vec::new();
    for space in [Space::Head, Space::Archive] {
        let rows = store.scan(space, "", None, 99).await.unwrap();
        tables.extend(rows.into_iter().map(|(key, _)| TableId(key)));
    }
    tables
}

/// A finished game in a group.
async fn played() -> (MemoryStage, TableId) {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    plays(&mut stage, GAME).await;
    until(&stage, async |store| {
        store.scan(Space::Meta, "new-result ", None, 1).await.unwrap().is_empty()
    })
    .await;
    let table = kept(&*stage.store).await.pop().expect("a game was played");
    (stage, table)
}

/// A finished game in a group that keeps games for 30 days, after that time.
async fn removed() -> (MemoryStage, TableId) {
    let (mut stage, table) = played().await;
    plays(&mut stage, &keep_for("30 days")).await;
    until(&stage, is_chosen).await;
    stage.clock.pass_ms(31 * DAY_MS);
    let key = keys::removed_game(&table);
    until(&stage, async |store| has(store, &key).await).await;
    (stage, table)
}

async fn answer(stage: &mut MemoryStage, who: &str, text: &str) -> String {
    stage.send_group_message(who, text).await;
    stage.service.wait_until_idle().await;
    stage.private_replies(who).await.last().expect("there is an answer").text.clone()
}

/// The computed rows, without the number of the rebuild.
async fn ratings(store: &dyn Store) -> BTreeMap<String, serde_json::Value> {
    let rows = store.scan(Space::Rating, "", None, 10_000).await.unwrap();
    let row = |(key, value): (String, Vec<u8>)| {
        let mut json: serde_json::Value = serde_json::from_slice(&value).unwrap();
        if let Some(fields) = json.as_object_mut() {
            fields.remove("epoch");
        }
        (key, json)
    };
    rows.into_iter().map(row).collect()
}

fn repository(stage: &MemoryStage) -> Arc<Repository> {
    let clock = stage.clock.clone();
    Arc::new(Repository::new(stage.store.clone(), clock, counted(7), limits()))
}

#[tokio::test]
async fn an_old_game_loses_its_record_and_keeps_its_result() {
    let (mut stage, table) = played().await;
    let before = ratings(&*stage.store).await;
    assert!(before.len() > 4, "{before:?}");
    plays(&mut stage, &keep_for("30 days")).await;
    until(&stage, is_chosen).await;
    stage.clock.pass_ms(29 * DAY_MS);
    hours_pass(&stage).await;
    assert_eq!(kept(&*stage.store).await, std::slice::from_ref(&table), "it is not old yet");
    stage.clock.pass_ms(DAY_MS);
    until(&stage, async |store| kept(store).await.is_empty()).await;
    assert_eq!(stage.store.log_length(&table.0).await.unwrap(), 0);
    assert!(stage.store.scan(Space::Due, "", None, 9).await.unwrap().is_empty());
    assert!(stage.store.scan(Space::Meta, "kept ", None, 9).await.unwrap().is_empty());
    assert_eq!(stage.store.scan(Space::Result, "", None, 9).await.unwrap().len(), 1);

    let repository =
        Arc::new(Repository::new(stage.store.clone(), Arc::new(SystemClock), counted(5), limits()));
    ResultProjector::new(repository).with_rebuild_interval(0).rebuild_all().await.unwrap();
    assert_eq!(ratings(&*stage.store).await, before, "a rebuild gives the same");
}

#[tokio::test]
async fn all_requests_about_a_removed_game_say_why_it_is_gone() {
    let (mut stage, table) = removed().await;
    for command in ["replay", "record", "chart", "text"] {
        let told = answer(&mut stage, "Bek", &format!("/{command} {}", table.0)).await;
        assert!(told.contains("keeps finished games for 30 days"), "/{command}: {told}");
    }
    let told = answer(&mut stage, "Bek", "/replay").await;
    assert!(told.contains("keeps finished games for 30 days"), "the last game: {told}");
    let history = answer(&mut stage, "Bek", "/history").await;
    assert!(history.contains("no longer kept"), "{history}");
    assert!(history.contains("Ann"), "the result stays: {history}");
}

#[tokio::test]
async fn games_are_kept_for_good_unless_the_chat_chooses_otherwise() {
    let (stage, table) = played().await;
    stage.clock.pass_ms(800 * DAY_MS);
    hours_pass(&stage).await;
    assert_eq!(kept(&*stage.store).await, [table]);
}

#[tokio::test]
async fn a_choice_that_is_taken_back_within_a_day_removes_nothing() {
    let (mut stage, table) = played().await;
    stage.clock.pass_ms(100 * DAY_MS);
    plays(&mut stage, &keep_for("30 days")).await;
    until(&stage, is_chosen).await;
    hours_pass(&stage).await;
    plays(&mut stage, &keep_for("for good")).await;
    until(&stage, async |store| !is_chosen(store).await).await;
    stage.clock.pass_ms(40 * DAY_MS);
    hours_pass(&stage).await;
    assert_eq!(kept(&*stage.store).await, [table]);
}

#[tokio::test]
async fn games_that_ended_before_there_was_a_list_are_removed_too() {
    let (mut stage, table) = played().await;
    let rows = stage.store.scan(Space::Meta, "kept ", None, 9).await.unwrap();
    assert_eq!(rows.len(), 1, "{rows:?}");
    let unlisted = rows.into_iter().map(|(key, _)| Put::remove(Space::Meta, key)).collect();
    stage.store.commit(Commit::from_puts(unlisted)).await.unwrap();
    stage.clock.pass_ms(100 * DAY_MS);
    until(&stage, async |store| store.get(Space::Archive, &table.0).await.unwrap().is_some()).await;
    plays(&mut stage, &keep_for("90 days")).await;
    until(&stage, is_chosen).await;
    stage.clock.pass_ms(DAY_MS);
    until(&stage, async |store| kept(store).await.is_empty()).await;
}

#[tokio::test]
async fn games_of_other_chats_stay() {
    let (mut stage, old) = played().await;
    let group = std::mem::replace(&mut stage.group, ChatId("mem:other".into()));
    plays(&mut stage, GAME).await;
    stage.group = group;
    plays(&mut stage, &keep_for("30 days")).await;
    until(&stage, is_chosen).await;
    stage.clock.pass_ms(31 * DAY_MS);
    let key = keys::removed_game(&old);
    until(&stage, async |store| has(store, &key).await).await;
    hours_pass(&stage).await;
    let left = kept(&*stage.store).await;
    assert_eq!(left.len(), 1, "{left:?}");
    assert_ne!(left, [old]);
}

#[tokio::test]
async fn one_process_removes_a_game_and_repetition_is_harmless() {
    for is_archived in [false, true] {
        let (stage, table) = played().await;
        if is_archived {
            stage.clock.pass_ms(7 * DAY_MS + 1);
            until(&stage, async |store| {
                store.get(Space::Archive, &table.0).await.unwrap().is_some()
            })
            .await;
        }
        stage.service.kill_for_test().await;
        let listed = stage.store.scan(Space::Meta, "kept ", None, 9).await.unwrap();
        let listed = listed[0].0.clone();
        let (one, other) = (repository(&stage), repository(&stage));
        let now_ms = one.now_ms();
        let remove = async |it: &Arc<Repository>, before_ms: u64| {
            it.kept_games().remove_game(&listed, "30", before_ms).await.unwrap()
        };
        let both = tokio::join!(remove(&one, now_ms), remove(&other, now_ms));
        let removed = [both.0, both.1].iter().filter(|it| **it == GameRemoval::Removed).count();
        assert_eq!(removed, 1, "{both:?}");
        assert_eq!(remove(&one, now_ms).await, GameRemoval::OnlyUnlisted);
        assert!(kept(&*stage.store).await.is_empty());
        assert!(has(&*stage.store, &keys::removed_game(&table)).await);
    }
}

#[tokio::test]
async fn a_game_is_removed_whose_listed_second_is_the_last_one_to_remove() {
    let (stage, _) = played().await;
    stage.service.kill_for_test().await;
    let listed = stage.store.scan(Space::Meta, "kept ", None, 9).await.unwrap();
    let key = &listed[0].0;
    let (_, ended_ms, _) = keys::parse_kept_game(key).unwrap();
    let removal = repository(&stage).kept_games().remove_game(key, "30", ended_ms).await.unwrap();
    assert_eq!(removal, GameRemoval::Removed);
}
