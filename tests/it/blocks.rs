//! People who block each other never come to one table, whichever way they take; a game that runs
//! goes on.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use caravanserai_bot::commands::find_command;
use caravanserai_games::ids::PersonId;
use caravanserai_protocol::{EphemeralReply, InlineQueries, UpdateHandler, UpdateKind};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Commit, Put, Space, Store, StoreError, StoreLayer};
use caravanserai_table::TablePhase;

use crate::stage::memory::{MemoryStage, text};
use crate::stage::{Stage, play};

/// An account of Bek on another platform.
const ELSEWHERE: &str = "tg:7";

async fn stage() -> MemoryStage {
    MemoryStage::new(Arc::new(MemoryStore::new())).await
}

fn words(replies: &[EphemeralReply]) -> String {
    replies.iter().map(|it| it.message.text().to_plain()).collect::<Vec<_>>().join("\n")
}

/// Handles a message from one of Bek's accounts, and gives the answers to it.
async fn answers_to(stage: &mut MemoryStage, account: &str, kind: UpdateKind) -> String {
    let mut update = stage.update("Bek", false, kind);
    update.person.id = PersonId(account.into());
    update.person.username = None;
    words(&stage.service.handle(update).await)
}

async fn put(store: &dyn Store, puts: Vec<(&str, &str)>) {
    let put = |(key, value): (&str, &str)| Put::new(Space::Person, key, value);
    store.commit(Commit::from_puts(puts.into_iter().map(put).collect())).await.unwrap();
}

/// Links Bek with an account on another platform.
async fn link(store: &dyn Store) {
    let main = (format!("links {ELSEWHERE}"), r#"{"main":"mem:Bek","accounts":[]}"#);
    let of_main = format!(r#"{{"main":null,"accounts":["{ELSEWHERE}"]}}"#);
    put(store, vec![("links mem:Bek", of_main.as_str()), (main.0.as_str(), main.1)]).await;
}

async fn unlink(store: &dyn Store) {
    let none = r#"{"main":null,"accounts":[]}"#;
    put(store, vec![("links mem:Bek", none), (&format!("links {ELSEWHERE}"), none)]).await;
}

const REFUSED: &str = "no seat for you";

#[tokio::test]
async fn a_block_is_about_the_person_with_all_accounts() {
    let mut stage = stage().await;
    link(&*stage.store).await;
    play("blocks", "people Ann Bek\nAnn says /block @Bek\nAnn says /togyz", &mut stage).await;
    let told = answers_to(&mut stage, ELSEWHERE, text("/join")).await;
    assert!(told.contains(REFUSED), "{told}");
    // An account that is unlinked stays blocked.
    unlink(&*stage.store).await;
    let told = answers_to(&mut stage, ELSEWHERE, text("/join")).await;
    assert!(told.contains(REFUSED), "{told}");
    let script = "Ann says /block\nAnn gets reply Blocked people: 1\nAnn presses Unblock
        Ann gets reply is not blocked any more";
    play("unblocks", script, &mut stage).await;
    let told = answers_to(&mut stage, ELSEWHERE, text("/join")).await;
    assert!(!told.contains(REFUSED), "{told}");
    assert_eq!(stage.newest_table().await.0.seating.people().len(), 2);
}

#[tokio::test]
async fn a_block_from_before_accounts_were_linked_is_about_all_of_them() {
    let mut stage = stage().await;
    // Bek blocks Ann with his other account, before it is linked.
    play("people", "people Ann Bek\nAnn writes privately /help\nAnn says /togyz", &mut stage).await;
    let row = vec![Put::new(Space::Meta, format!("block {ELSEWHERE} mem:Ann"), "{}")];
    stage.store.commit(Commit::from_puts(row)).await.unwrap();
    link(&*stage.store).await;
    let script = "Bek presses Join\nBek gets reply You have blocked
        Bek says /togyz @Ann\nBek gets reply You have blocked
        Ann says /togyz @Bek\nAnn gets reply takes no challenges
        Bek says /block\nBek gets reply Blocked people: 1
        Bek says /unblock @Ann\nBek gets reply is not blocked any more
        Ann says /togyz @Bek\nBek presses Accept";
    play("linked", script, &mut stage).await;
}

#[tokio::test]
async fn a_blocked_person_cannot_accept_an_inline_challenge() {
    let mut stage = stage().await;
    play("blocks", "people Ann Bek Cyd\nAnn says /block @Bek\nCyd says /block @Ann", &mut stage)
        .await;
    let offers = stage.service.inline_results(&stage.person("Ann"), "togyz").await;
    let press = offers[0].buttons[0][0].callback_data.clone();
    for (who, answer) in [("Bek", REFUSED), ("Cyd", "You have blocked Ann")] {
        let update = stage.press_inline(who, "posted", &press);
        let told = words(&stage.hear(update).await);
        assert!(told.contains(answer), "{who}: {told}");
    }
    assert!(stage.tables().await.is_empty());
}

#[tokio::test]
async fn a_blocked_person_reads_nothing_of_it() {
    let mut stage = stage().await;
    let script = "people Ann Bek Cyd
        Ann says /block @Bek
        Bek says /togyz @Ann
        Bek gets reply takes no challenges
        Ann says /togyz
        Bek presses Join
        Bek gets reply no seat for you
        Cyd presses Join
        Bek says /substitute @Ann
        Bek gets reply no seat for you
        Ann says /unblock @Bek
        Bek says /block
        Bek gets reply You have blocked nobody";
    play("nothing", script, &mut stage).await;
    let seen = stage.received_content_by_person().await;
    let read = |who: &str| {
        let words = seen[who].iter().flat_map(|it| &it.words).map(|it| it.to_lowercase());
        words.filter(|it| it.contains("block") && !it.contains("nobody")).collect::<Vec<_>>()
    };
    assert!(!read("Ann").is_empty());
    assert_eq!(read("Bek"), [""; 0]);
    assert_eq!(read("Cyd"), [""; 0]);
}

#[tokio::test]
async fn silence_gives_no_seat_to_a_blocked_person() {
    let mut stage = stage().await;
    let script = "people Ann Bek Cyd
        Ann says /togyz @Bek me
        Bek presses Accept
        Ann presses 7
        Bek presses 7
        Cyd says /substitute @Ann
        everyone sees Cyd would like to substitute for Ann
        Bek says /accept
        everyone sees ✓ Bek
        Bek says /block @Cyd
        Bek gets reply is blocked
        1441 minutes pass";
    play("silence", script, &mut stage).await;
    for _ in 0..200 {
        if stage.newest_table().await.0.offers.pending.is_none() {
            break;
        }
        stage.ticks(10_000).await;
    }
    let (table, _) = stage.newest_table().await;
    assert_eq!(table.offers.pending, None, "the offer has ended");
    assert_eq!(table.phase, TablePhase::Playing);
    let people: Vec<&str> = table.seating.people().iter().map(|it| it.0.as_str()).collect();
    assert_eq!(people, ["mem:Ann", "mem:Bek"]);
    play("goes on", "Ann presses 1\nBek sees Bek is to move", &mut stage).await;
}

/// As the bot understands texts, without the mentions: the built-in chat shows none of these.
#[tokio::test]
async fn no_spelling_of_block_is_shown_in_a_room() {
    let stage = stage().await;
    let service = &stage.service;
    let spellings = ["block", "unblock"].into_iter().flat_map(|name| {
        let spec = find_command(name).expect("a command");
        std::iter::once(name).chain(spec.aliases.iter().map(String::as_str))
    });
    for spelling in spellings {
        let upper = spelling.to_uppercase();
        for name in [spelling, &upper] {
            for text in [format!("/{name}"), format!("/ {name} now"), format!("/{name}\u{a0}x\n")] {
                assert!(service.is_confidential(&text), "{text:?}");
            }
        }
    }
    assert!(service.is_confidential("/unblok"), "almost a command");
    for text in ["block", "/clock", "/blot", "/me", "/", "I block you"] {
        assert!(!service.is_confidential(text), "{text:?}");
    }
}

#[tokio::test]
async fn a_list_has_an_end() {
    let mut stage = stage().await;
    let row = |n: usize| {
        let key = format!("block mem:Ann mem:p{n:03}");
        Put::new(Space::Meta, key, format!(r#"{{"name":"P{n:03}"}}"#))
    };
    stage.store.commit(Commit::from_puts((0..200).map(row).collect())).await.unwrap();
    let script = "people Ann Bek
        Ann says /block @Bek
        Ann gets reply 200 people already
        Ann writes privately /block
        Ann gets reply Blocked people: 200
        Ann has private buttons Unblock P000 | Unblock P007 | Next
        Ann presses Next
        Ann has private buttons Unblock P008 | Unblock P015 | Next | ◂
        Ann presses Unblock P009
        Ann gets reply P009 is not blocked any more
        Ann says /block @Bek
        Ann gets reply Bek is blocked
        Ann says /block @Ann
        Ann gets reply can’t block yourself
        Ann says /block @nobody_at_all
        Ann gets reply I don’t know @nobody_at_all";
    play("full", script, &mut stage).await;
}

/// Stores a block right before the first commit that gives a person a seat beside another one.
struct BlocksMeanwhile {
    store: MemoryStore,
    is_armed: AtomicBool,
}

#[async_trait]
impl StoreLayer for BlocksMeanwhile {
    fn inner(&self) -> &dyn Store {
        &self.store
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        let is_join = commit.appends.iter().flat_map(|it| &it.lines).any(|it| it.contains(" sit "));
        if is_join && self.is_armed.swap(false, Ordering::SeqCst) {
            let row = Put::new(Space::Meta, "block mem:Ann mem:Bek", r#"{"name":"Bek"}"#);
            self.store.commit(Commit::from_puts(vec![row])).await?;
        }
        self.store.commit(commit).await
    }
}

#[tokio::test]
async fn a_block_in_the_same_moment_as_a_seat_is_found() {
    let is_armed = AtomicBool::new(false);
    let store = Arc::new(BlocksMeanwhile { store: MemoryStore::new(), is_armed });
    let mut stage = MemoryStage::new(store.clone()).await;
    play("opens", "people Ann Bek\nAnn says /togyz\nBek writes privately /help", &mut stage).await;
    store.is_armed.store(true, Ordering::SeqCst);
    let join = "Bek presses Join\nBek gets reply no seat for you at this table";
    play("joins", join, &mut stage).await;
    assert!(!store.is_armed.load(Ordering::SeqCst), "the commit came");
    assert_eq!(stage.newest_table().await.0.seating.people().len(), 1);
}

/// Parts of the answers when a block keeps people apart.
const REFUSALS: [&str; 5] = [
    "no seat for you",
    "so nothing has changed here",
    "can’t start again",
    "takes no challenges",
    "can’t take this seat",
];

const PEOPLE: [&str; 4] = ["Ann", "Bek", "Cyd", "Dan"];

/// A number below `most`, from a generator with this state.
fn draw(state: &mut u64, most: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % most
}

/// The pairs of people who sit at the same open table, with its code.
async fn pairs(stage: &MemoryStage) -> BTreeSet<(String, String, String)> {
    let mut pairs = BTreeSet::new();
    for (table, _) in stage.tables().await {
        for a in table.seating.people() {
            let others = table.seating.people().into_iter().filter(|it| *it > a);
            pairs.extend(others.map(|b| (table.id.0.clone(), a.0.clone(), b.0.clone())));
        }
    }
    pairs
}

/// A person and a command; most commands are refused at any one moment.
fn next_action(state: &mut u64) -> (&'static str, String) {
    let who = PEOPLE[draw(state, 4)];
    let [friend, third] = [PEOPLE[draw(state, 4)], PEOPLE[draw(state, 4)]];
    let action = match draw(state, 18) {
        0 => "/togyz".to_owned(),
        1 => "/thaayam".to_owned(),
        2 | 3 => format!("/togyz @{friend}"),
        4 => format!("/thaayam @{friend} @{third}"),
        5..=8 => "/join".to_owned(),
        9 | 10 => "/accept".to_owned(),
        11 => format!("/substitute @{friend}"),
        12 => "/resign".to_owned(),
        13 => "/rematch".to_owned(),
        14 => "/begin".to_owned(),
        15 => "/cancel".to_owned(),
        16 => format!("/block @{friend}"),
        _ => format!("/unblock @{friend}"),
    };
    (who, action)
}

#[tokio::test]
async fn no_sequence_of_actions_seats_a_blocked_pair_at_one_table() {
    let (mut seated, mut refused) = (0, 0);
    for seed in 1..=24 {
        let (mut stage, mut state) = (stage().await, seed);
        let mut blocked: BTreeSet<(String, String)> = BTreeSet::new();
        let mut before = pairs(&stage).await;
        let mut history = Vec::new();
        for _ in 0..50 {
            let (who, action) = next_action(&mut state);
            history.push(format!("{who} {action}"));
            let known = stage.private_replies(who).await.len();
            // To resign takes a second message.
            let times = if action == "/resign" { 2 } else { 1 };
            for _ in 0..times {
                stage.pass_ms(2_000).await;
                stage.send_group_message(who, &action).await;
            }
            let told = stage.private_replies(who).await;
            let texts = told.iter().skip(known).map(|it| &it.text);
            let is_refusal = |it: &&String| REFUSALS.iter().any(|words| it.contains(words));
            refused += texts.filter(is_refusal).count();
            let after = pairs(&stage).await;
            for (table, a, b) in after.difference(&before) {
                seated += 1;
                let is_blocked = blocked.contains(&(a.clone(), b.clone()))
                    || blocked.contains(&(b.clone(), a.clone()));
                assert!(!is_blocked, "{a} and {b} at {table}, seed {seed}: {history:#?}");
            }
            assert!(
                before.difference(&after).all(|_| !action.starts_with("/block")),
                "a block parts nobody, seed {seed}: {history:#?}"
            );
            before = after;
            let pair = |of: &str| (format!("mem:{who}"), format!("mem:{of}"));
            match action.split_once(" @") {
                Some(("/block", of)) if of != who => drop(blocked.insert(pair(of))),
                Some(("/unblock", of)) => drop(blocked.remove(&pair(of))),
                _ => {}
            }
        }
    }
    assert!(seated > 20 && refused > 20, "{seated} seated, {refused} refused");
}

#[tokio::test]
async fn the_others_at_a_table_are_not_told_who_blocks_whom() {
    let mut stage = stage().await;
    let script = "people Ann Bek Cyd Dan Eve
        Ann says /blot me
        Bek presses Join
        Cyd presses Join
        Dan presses Join
        everyone sees All seats are taken
        Ann presses ▶ Start
        Bek says /block @Eve
        Bek gets reply is blocked
        Ann says /substitute @Eve
        Ann gets reply takes no challenges
        Dan says /resign
        2 seconds pass
        Dan says /resign
        everyone sees Dan wants to resign
        Bek says /accept
        everyone sees partner’s consent
        Cyd says /block @Ann
        Cyd gets reply is blocked
        Dan says /rematch
        Dan gets reply The same players can’t start again
        Ann says /rematch
        Ann gets reply The same players can’t start again
        Cyd says /rematch
        Cyd gets reply You have blocked Ann
        Cyd says /unblock @Ann
        Cyd gets reply is not blocked any more
        Dan says /rematch
        everyone sees Dan wants to play again";
    play("plays", script, &mut stage).await;
    let seen = stage.received_content_by_person().await;
    let reads = |who: &str| {
        let mut words = seen[who].iter().flat_map(|it| &it.words);
        words.any(|it| it.to_lowercase().contains("block"))
    };
    for who in ["Ann", "Dan", "Eve"] {
        assert!(!reads(who), "{who}");
    }
}
