//! Displayed names that an admin has hidden: nobody in the chat is shown them, in new and earlier
//! games, while stored logs and other chats stay as they were.

use std::sync::Arc;

use caravanserai_bot::repository::Repository;
use caravanserai_bot::repository::hidden_names::{HiddenScope, HideOutcome};
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Commit, Put, Space};
use caravanserai_table::verify;

use crate::stage::memory::{MemoryStage, counted, limits, text};
use crate::stage::{Stage, play};

const PEOPLE: &str = "people Ann Zaphod Cyd\n";

const GAME: &str = "
Ann says /togyz @Zaphod me
Zaphod presses Accept
Ann presses 7
Zaphod presses 7
Ann presses 🏳
2 seconds pass
Ann presses 🏳
everyone sees Ann resigned
";

const HIDE: &str = "
Ann says /hidename @Zaphod rude words
Ann gets reply also in earlier games
";

async fn plays(stage: &mut MemoryStage, script: &str) {
    play("hidden names", &format!("{PEOPLE}{script}"), stage).await;
}

/// A finished game in the group, whose result is computed.
async fn played() -> MemoryStage {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    plays(&mut stage, GAME).await;
    wait_for_results(&stage).await;
    stage
}

async fn wait_for_results(stage: &MemoryStage) {
    for _ in 0..20_000 {
        if stage.store.scan(Space::Meta, "new-result ", None, 1).await.unwrap().is_empty() {
            return;
        }
        tokio::task::spawn_blocking(|| ()).await.unwrap();
    }
    panic!("the result was never computed");
}

async fn answer(stage: &mut MemoryStage, who: &str, text: &str) -> String {
    stage.send_group_message(who, text).await;
    stage.service.wait_until_idle().await;
    stage.private_replies(who).await.last().expect("there is an answer").text.clone()
}

/// The name as a word: ids of accounts contain it, too.
fn names_zaphod(text: &str) -> bool {
    text.split_whitespace().any(|it| it.trim_matches(|c: char| !c.is_alphabetic()) == "Zaphod")
}

fn repository(stage: &MemoryStage) -> Arc<Repository> {
    Arc::new(Repository::new(stage.store.clone(), stage.clock.clone(), counted(7), limits()))
}

#[tokio::test]
async fn a_hidden_name_is_in_no_list_history_or_record_of_the_chat() {
    let mut stage = played().await;
    let (table, log) = stage.newest_table().await;
    assert!(names_zaphod(&answer(&mut stage, "Ann", "/history").await));
    plays(&mut stage, HIDE).await;
    for command in ["/history", "/stats @Zaphod", "/history togyz @Zaphod"] {
        let told = answer(&mut stage, "Ann", command).await;
        assert!(!names_zaphod(&told) && told.contains("Player "), "{command}: {told}");
    }
    // The game was too short to count in the list.
    assert!(!names_zaphod(&answer(&mut stage, "Ann", "/top").await));
    let record = format!("/record {}", table.id.0);
    stage.send_group_message("Cyd", &record).await;
    stage.patience(200).await;
    let mut media = stage.received_content("Cyd").await.into_iter().flat_map(|it| it.media);
    let text = media.rfind(|it| it.starts_with(b"[")).expect("a record was posted");
    let text = String::from_utf8(text).unwrap();
    assert!(!names_zaphod(&text), "{text}");
    assert!(verify::verify_record(&text).is_ok(), "the record can still be checked");
    let (_, after) = stage.newest_table().await;
    assert_eq!(after, log, "the stored log does not change");
}

/// Otherwise the neutral name of one chat would be in the lists of all others, for good.
#[tokio::test]
async fn records_keep_a_name_that_is_hidden_at_the_end() {
    let mut stage = played().await;
    plays(&mut stage, HIDE).await;
    plays(&mut stage, &GAME.replace("Zaphod presses Accept", "Zaphod says /accept")).await;
    wait_for_results(&stage).await;
    let records = stage.store.scan(Space::Rating, "now ", None, 99).await.unwrap();
    let rows: Vec<String> =
        records.iter().map(|it| String::from_utf8_lossy(&it.1).into_owned()).collect();
    assert!(rows.iter().any(|it| it.contains("\"Zaphod\"")), "{rows:?}");
    assert!(rows.iter().all(|it| !it.contains("Player ")), "{rows:?}");
}

#[tokio::test]
async fn other_chats_show_the_name() {
    let mut stage = played().await;
    plays(&mut stage, HIDE).await;
    stage.group = ChatId("mem:other".into());
    plays(&mut stage, &GAME.replace("everyone sees Ann resigned", "Cyd sees Zaphod")).await;
}

#[tokio::test]
async fn a_changed_platform_name_stays_hidden() {
    let mut stage = played().await;
    plays(&mut stage, HIDE).await;
    let mut update = stage.update("Zaphod", false, text("/togyz"));
    update.person.name = "Worse".to_owned();
    stage.hear(update).await;
    let then = "
everyone sees Player
Cyd sees no Worse
Ann says /hidename @Zaphod off
Ann gets reply is no longer hidden here
";
    plays(&mut stage, then).await;
    let mut update = stage.update("Zaphod", false, text("/thaayam"));
    update.person.name = "Kind".to_owned();
    stage.hear(update).await;
    plays(&mut stage, "\neveryone sees Kind\n").await;
}

#[tokio::test]
async fn a_person_is_notified_once_with_the_reason() {
    let mut stage = played().await;
    plays(&mut stage, HIDE).await;
    let told = answer(&mut stage, "Zaphod", "/me").await;
    assert!(told.contains("hidden your name") && told.contains("rude words"), "{told}");
    let told = answer(&mut stage, "Zaphod", "/me").await;
    assert!(!told.contains("hidden your name"), "{told}");
}

/// The shown name is the same each time, another one in another chat, and tells nothing about the
/// account to people who do not know the key of the store.
#[tokio::test]
async fn substitute_names_are_stable_and_differ_between_chats() {
    let stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    let (repository, person) = (repository(&stage), PersonId("mem:Zaphod".into()));
    let audit = || Put::new(Space::Meta, "audit test", Vec::new());
    let hide = async |chat: &str| {
        let scope = HiddenScope::Chat(chat);
        let outcome = repository.hide_name(scope, &person, "", audit()).await.unwrap();
        let HideOutcome::Hidden(shown) = outcome else { panic!("{outcome:?}") };
        assert_eq!(repository.show_name(scope, &person, audit()).await.unwrap(), Some(true));
        shown
    };
    let first = hide("mem:group").await;
    assert_eq!(hide("mem:group").await, first);
    assert_ne!(hide("mem:other").await, first);
    let elsewhere = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    let other = self::repository(&elsewhere);
    let mut random = [0; 9];
    other.fill_random(&mut random);
    let scope = HiddenScope::Chat("mem:group");
    let outcome = other.hide_name(scope, &person, "", audit()).await.unwrap();
    assert_ne!(outcome, HideOutcome::Hidden(first), "another store has another key");
}

#[tokio::test]
async fn another_process_sees_a_hidden_name_at_once() {
    let stage = played().await;
    let (one, other) = (repository(&stage), repository(&stage));
    let (table, _) = stage.newest_table().await;
    let names = async |it: &Arc<Repository>| {
        it.load_table(&table.id).await.unwrap().unwrap().record_names()
    };
    assert!(names(&other).await.contains(&"Zaphod".to_owned()));
    let person = PersonId("mem:Zaphod".into());
    let audit = || Put::new(Space::Meta, "audit test", Vec::new());
    let scope = HiddenScope::Chat("mem:group");
    let outcome = one.hide_name(scope, &person, "", audit()).await.unwrap();
    let HideOutcome::Hidden(shown) = outcome else { panic!("{outcome:?}") };
    assert!(names(&other).await.contains(&shown));
    assert_eq!(one.show_name(scope, &person, audit()).await.unwrap(), Some(true));
    assert!(names(&other).await.contains(&"Zaphod".to_owned()));
}

#[tokio::test]
async fn hiding_a_name_again_hides_it_for_accounts_that_an_earlier_version_has_linked_since() {
    let stage = played().await;
    let repository = repository(&stage);
    let person = PersonId("mem:Zaphod".into());
    let audit = || Put::new(Space::Meta, "audit test", Vec::new());
    let scope = HiddenScope::Chat("mem:group");
    let outcome = repository.hide_name(scope, &person, "", audit()).await.unwrap();
    let HideOutcome::Hidden(shown) = outcome else { panic!("{outcome:?}") };
    let row = |key: &str, json: &str| Put::new(Space::Person, key, json);
    let linked = vec![
        row("links mem:Zaphod", r#"{"main":null,"accounts":["tg:4217"]}"#),
        row("links tg:4217", r#"{"main":"mem:Zaphod","accounts":[]}"#),
    ];
    stage.store.commit(Commit::from_puts(linked)).await.unwrap();
    let outcome = repository.hide_name(scope, &person, "", audit()).await.unwrap();
    assert_eq!(outcome, HideOutcome::Hidden(shown.clone()));
    let names = repository.hidden_names().await.unwrap();
    assert_eq!(names.shown_name("mem:group", &PersonId("tg:4217".into())), Some(&*shown));
    let outcome = repository.hide_name(scope, &person, "", audit()).await.unwrap();
    assert_eq!(outcome, HideOutcome::AlreadyHidden(shown));
}
