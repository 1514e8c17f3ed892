//! People with many tables, and with accounts on several platforms: whatever happens to a person
//! happens at each of their tables, and each account is that person everywhere.

use std::sync::Arc;

use caravanserai::chat::{Body, Listener, Mention, Update, Whisper};
use caravanserai::ids::{PersonId, PlaceId, TableId};
use caravanserai::service::Limits;
use caravanserai::store::Space;
use caravanserai::store::memory::MemoryStore;
use caravanserai::table::{Phase, Table};

use crate::stage::Stage;
use crate::stage::memory::{MemoryStage, counted, limits, service_with};

/// More than one page of rows, more than anybody may sit at.
const MANY: usize = 210;

/// Somebody who sits at very many tables is the same person on another platform.
const ELSEWHERE: &str = "tg:7";

async fn stage() -> MemoryStage {
    MemoryStage::new(Arc::new(MemoryStore::new())).await
}

/// A bot with these limits on the same store.
async fn goes_on_with(stage: &mut MemoryStage, limits: Limits, seed: u64) {
    stage.service.kill().await;
    let (store, clock) = (stage.store.clone(), stage.clock.clone());
    stage.service = service_with(store, clock, counted(seed), limits);
    stage.service.add_platform(stage.platform.clone());
    stage.service.start().await.unwrap();
}

/// Ann and Bek play so many slow games, each in a chat of its own.
async fn games(stage: &mut MemoryStage, count: usize) {
    goes_on_with(stage, Limits { tables_per_person: 10_000, ..limits() }, 1).await;
    for n in 0..count {
        stage.group = PlaceId(format!("mem:g{n}"));
        stage.says("Ann", "/togyz @Bek me 3 days").await;
        stage.says("Bek", "/accept").await;
    }
    goes_on_with(stage, limits(), 1_000_000).await;
}

async fn tables(stage: &MemoryStage) -> Vec<(Table, Vec<String>)> {
    let mut tables = Vec::new();
    for (key, _) in stage.store.scan(Space::Head, "", None, 10_000).await.unwrap() {
        let lines = stage.store.log(&key, 0).await.unwrap();
        tables.push((Table::fold(&TableId(key), &lines).unwrap(), lines));
    }
    tables
}

fn said(body: &str) -> Body {
    Body::Text { text: body.into(), mentions: vec![], reply_to: None }
}

/// What an account on another platform does; `name` is its name after `@`.
fn by(stage: &mut MemoryStage, account: &str, place: &str, body: Body) -> Update {
    let private = place.contains('@');
    let mut update = stage.update("Cem", private, body);
    update.person.id = PersonId(account.into());
    update.place.id = PlaceId(place.into());
    update
}

async fn hears(stage: &mut MemoryStage, account: &str, place: &str, body: Body) -> Vec<Whisper> {
    let update = by(stage, account, place, body);
    stage.service.hear(update).await
}

fn words(told: &[Whisper]) -> String {
    told.iter().map(|it| it.message.text().to_plain()).collect::<Vec<_>>().join("\n")
}

/// A code by which whoever gives it becomes that account's person.
async fn code_of(stage: &mut MemoryStage, account: &str) -> String {
    let told = hears(stage, account, "mem:@elsewhere", said("/link")).await;
    let text = words(&told);
    let found = text.split_whitespace().find(|it| it.len() == 11 && it.contains('-'));
    found.unwrap_or_else(|| panic!("{text}")).replace('-', "")
}

/// What Bek is told who makes himself one with another account.
async fn bek_links(stage: &mut MemoryStage, code: &str) -> Vec<Whisper> {
    stage.whispers("Bek", &format!("/link {code}")).await;
    let update =
        stage.update("Bek", true, Body::Press { press: format!("0.{code}"), message: None });
    stage.service.hear(update).await
}

#[tokio::test]
async fn a_vacation_and_a_link_reach_every_table_however_many_there_are() {
    let mut stage = stage().await;
    games(&mut stage, MANY).await;
    stage.whispers("Bek", "/vacation 5").await;
    stage.service.settled().await;
    let all = tables(&stage).await;
    assert_eq!(all.len(), MANY);
    for (table, lines) in &all {
        assert!(lines.iter().any(|it| it.contains(" vacation mem:Bek ")), "{:?}", table.id);
    }
    let code = code_of(&mut stage, ELSEWHERE).await;
    bek_links(&mut stage, &code).await;
    stage.service.settled().await;
    for (table, _) in tables(&stage).await {
        let people: Vec<_> = table.people().iter().map(|it| it.0.clone()).collect();
        assert!(people.contains(&ELSEWHERE.to_owned()), "{:?}: {people:?}", table.id);
        assert!(!people.contains(&"mem:Bek".to_owned()), "{:?}", table.id);
    }
}

#[tokio::test]
async fn sitting_down_is_limited_whoever_presses_and_by_whichever_account() {
    let mut stage = stage().await;
    let most = limits().tables_per_person;
    games(&mut stage, most).await;
    stage.group = PlaceId("mem:more".into());
    stage.says("Dan", "/togyz").await;
    let lobby =
        tables(&stage).await.into_iter().find(|(it, _)| it.phase == Phase::Lobby).unwrap().0;
    let update = stage.update("Bek", false, said("/join"));
    let told = words(&stage.service.hear(update).await);
    assert!(told.contains("/games") && told.contains(&most.to_string()), "{told}");
    // By another account of the same person it is no different.
    let code = code_of(&mut stage, ELSEWHERE).await;
    bek_links(&mut stage, &code).await;
    let told = words(&hears(&mut stage, ELSEWHERE, "mem:more", said("/join")).await);
    assert!(told.contains("/games"), "{told}");
    let now = tables(&stage).await.into_iter().find(|(it, _)| it.id == lobby.id).unwrap().0;
    assert_eq!(now.people().len(), 1);
    // A game that is over makes room.
    stage.group = PlaceId("mem:g0".into());
    for _ in 0..2 {
        stage.says("Ann", "/resign").await;
    }
    let told = hears(&mut stage, ELSEWHERE, "mem:more", said("/join")).await;
    let now = tables(&stage).await.into_iter().find(|(it, _)| it.id == lobby.id).unwrap().0;
    assert_eq!(now.people().len(), 2, "{}", words(&told));
    // A rematch would seat both of them again: whoever asks is told who has no seat left.
    stage.group = PlaceId("mem:g0".into());
    stage.says("Ann", "/rematch").await;
    let told = words(&hears(&mut stage, ELSEWHERE, "mem:g0", said("/rematch")).await);
    assert!(told.contains(&most.to_string()), "{told}");
}

/// Bek, who is the same person as an account elsewhere, is asked by a name that nobody knew.
#[tokio::test]
async fn a_linked_person_accepts_by_the_name_of_the_account_that_was_asked() {
    let mut stage = stage().await;
    let code = code_of(&mut stage, ELSEWHERE).await;
    bek_links(&mut stage, &code).await;
    let mut ask = stage.update("Ann", false, said("/togyz me"));
    if let Body::Text { mentions, .. } = &mut ask.body {
        mentions.push(Mention::Username("newname".into()));
    }
    stage.service.hear(ask).await;
    // Somebody on another platform has the same name there.
    let mut other = by(&mut stage, "dc:5", "mem:group", said("/accept"));
    other.person.username = Some("newname".into());
    stage.service.hear(other).await;
    assert_eq!(tables(&stage).await[0].0.people().len(), 1, "it is another's name");
    let mut own = stage.update("Bek", false, said("/accept"));
    own.person.username = Some("NewName".into());
    let told = stage.service.hear(own).await;
    let table = tables(&stage).await.remove(0).0;
    let people: Vec<_> = table.people().iter().map(|it| it.0.clone()).collect();
    assert!(people.contains(&ELSEWHERE.to_owned()), "{people:?} {}", words(&told));
}

#[tokio::test]
async fn whoever_is_linked_after_a_game_plays_its_rematch() {
    let mut stage = stage().await;
    for (who, text) in [("Ann", "/togyz @Bek me"), ("Bek", "/accept"), ("Ann", "/move 7")] {
        stage.says(who, text).await;
    }
    for _ in 0..2 {
        stage.says("Bek", "/resign").await;
    }
    let code = code_of(&mut stage, ELSEWHERE).await;
    bek_links(&mut stage, &code).await;
    stage.says("Ann", "/rematch").await;
    stage.says("Bek", "/rematch").await;
    let all = tables(&stage).await;
    assert_eq!(all.len(), 2, "{:?}", all.last());
    let next = all.iter().find(|(it, _)| it.is_open()).unwrap();
    let people: Vec<_> = next.0.people().iter().map(|it| it.0.clone()).collect();
    assert!(people.contains(&ELSEWHERE.to_owned()), "{people:?}");
}

/// Bek's account takes a seat in the very moment in which it becomes another person's.
#[tokio::test]
async fn nobody_sits_down_as_who_they_were_while_they_are_linked() {
    for joins_first in [false, true] {
        let mut stage = stage().await;
        stage.says("Ann", "/togyz").await;
        let code = code_of(&mut stage, ELSEWHERE).await;
        stage.whispers("Bek", &format!("/link {code}")).await;
        let press = Body::Press { press: format!("0.{code}"), message: None };
        let (link, join) =
            (stage.update("Bek", true, press), stage.update("Bek", false, said("/join")));
        let service = stage.service.clone();
        match joins_first {
            true => tokio::join!(service.hear(join), service.hear(link)),
            false => tokio::join!(service.hear(link), service.hear(join)),
        };
        stage.service.settled().await;
        stage.says("Bek", "/join").await;
        let table = tables(&stage).await.remove(0).0;
        let people: Vec<_> = table.people().iter().map(|it| it.0.clone()).collect();
        assert_eq!(people, ["mem:Ann", ELSEWHERE], "{joins_first}");
    }
}

/// Dan asks for a seat; before it is his he cannot become the one who sits there already.
#[tokio::test]
async fn a_newcomer_is_not_linked_with_somebody_who_sits_there() {
    let mut stage = stage().await;
    for (who, text) in [("Ann", "/togyz @Bek me"), ("Bek", "/accept"), ("Ann", "/move 7")] {
        stage.says(who, text).await;
    }
    hears(&mut stage, ELSEWHERE, "mem:group", said("/join")).await;
    let table = tables(&stage).await.remove(0).0;
    let newcomer = table.newcomer.clone().unwrap();
    assert_eq!(newcomer.who.person, Some(PersonId(ELSEWHERE.into())));
    let code = code_of(&mut stage, ELSEWHERE).await;
    let told = words(&bek_links(&mut stage, &code).await);
    assert!(told.contains(&table.id.0), "{told}");
}

#[tokio::test]
async fn a_press_of_a_guest_says_nothing_of_the_chat() {
    let mut stage = stage().await;
    stage.says("Ann", "/togyz @Bek me").await;
    stage.remove_bot().await;
    let gone = |bytes: Option<Vec<u8>>| {
        let profile: serde_json::Value = serde_json::from_slice(&bytes.unwrap()).unwrap();
        profile["gone"] == true
    };
    assert!(gone(stage.store.get(Space::Place, "mem:group").await.unwrap()));
    let mut press = stage.update("Ann", false, said("/board"));
    press.id = Update::id_of_guest(&press.person.id, "1");
    stage.service.hear(press).await;
    assert!(gone(stage.store.get(Space::Place, "mem:group").await.unwrap()));
}

#[tokio::test]
async fn who_waits_for_a_game_waits_in_the_chat_that_moved() {
    let mut stage = stage().await;
    stage.says("Cem", "/notify togyz").await;
    let to = PlaceId("mem:super".into());
    let update = stage.update("Ann", false, Body::Moved { to: to.clone() });
    stage.service.hear(update).await;
    let waiting = stage.store.scan(Space::Meta, "awaiting ", None, 9).await.unwrap();
    assert_eq!(waiting.len(), 1);
    assert_eq!(waiting[0].0, "awaiting mem:super togyzkumalak mem:Cem");
    stage.group = to;
    stage.says("Ann", "/togyz").await;
    let seen = stage.seen("Cem").await;
    assert!(seen.iter().any(|it| it.text.contains("Cem")), "{seen:?}");
}
