//! `/stats @friend` and `/history @friend`: the games between two people, their chart, and that
//! only games of the chat are counted.

use std::sync::Arc;

use caravanserai_bot::results::queries::FILTERED_GAMES_MAX;
use caravanserai_bot::results::row_formats::HistoryEntry;
use caravanserai_protocol::UpdateKind;
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Commit, Put, Space, Store};
use serde_json::json;

use crate::rating_pages::{list_changed_game, rename_player};
use crate::stage::memory::MemoryStage;
#[cfg(feature = "telegram")]
use crate::stage::telegram::TelegramStage;
use crate::stage::web::WebStage;
use crate::stage::{Stage, play};

const RESIGNED_GAME: &str = "people Ann Bek
    Ann says /togyz @Bek me
    Bek presses Accept
    Ann presses 1
    Bek presses 1
    Ann says /resign
    2 seconds pass
    Ann says /resign
    everyone sees Ann resigned
    9 seconds pass";

#[tokio::test]
async fn opponent_statistics_have_a_chart_from_the_second_game() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    for (name, has_chart) in [("first", false), ("second", true)] {
        play(name, RESIGNED_GAME, &mut stage).await;
        for person in ["Ann", "Bek"] {
            let opponent = if person == "Ann" { "Bek" } else { "Ann" };
            stage.send_group_message(person, &format!("/stats @{opponent}")).await;
            let told = stage.private_replies(person).await;
            let answer = told.last().expect("an answer");
            assert!(answer.text.contains("You against them"), "{answer:?}");
            assert_eq!(answer.picture, has_chart, "{answer:?}");
        }
    }
    // Those who read boards in words have the numbers in the message.
    play("words", "people Ann Bek\nAnn says /text on", &mut stage).await;
    stage.send_group_message("Ann", "/stats @Bek").await;
    assert!(!stage.private_replies("Ann").await.last().expect("an answer").picture);
}

/// Otherwise a total of the latest games would pass for one of all games.
#[tokio::test]
async fn totals_say_that_older_games_were_not_searched() {
    let store = Arc::new(MemoryStore::new());
    let mut stage = WebStage::new(store.clone()).await;
    play("game", RESIGNED_GAME, &mut stage).await;
    let [ann, bek] = ["Ann", "Bek"].map(|it| stage.account(it));
    let says = "games were searched";
    for n in 0..FILTERED_GAMES_MAX {
        if n == 1 {
            stage.send_group_message("Ann", "/stats @Bek").await;
            let told = stage.private_replies("Ann").await;
            assert!(!told.last().expect("an answer").text.contains(says), "{told:?}");
        }
        list_changed_game(&store, &ann, &format!("older{n}"), |_| {}).await;
    }
    stage.send_group_message("Ann", "/stats @Bek").await;
    let told = stage.private_replies("Ann").await;
    let answer = &told.last().expect("an answer").text;
    assert!(answer.contains("You against them") && answer.contains(says), "{answer}");
    let shown = stage.at("Ann", &format!("people/{bek}")).await;
    assert!(shown["against"]["searched"].as_str().is_some_and(|it| it.contains(says)), "{shown}");
}

/// A platform that no stage has.
const ELSEWHERE: &str = "xx:-5";
const ACCOUNT_ELSEWHERE: &str = "xx:9";

/// Ann has lost to Bek and Cyd here, and to both in a chat of another platform, where they have
/// another name. Cyd is a linked account of a person whose main account is on that platform.
async fn people_who_play_elsewhere(stage: &mut dyn Stage, store: &MemoryStore) {
    let game = RESIGNED_GAME.replacen("Ann Bek", "Ann Bek Cyd\n    Cyd says /help", 1);
    play("game", &game, stage).await;
    let [ann, bek, cyd] = ["Ann", "Bek", "Cyd"].map(|it| stage.account(it));
    for (table, opponent) in [("elsewhere1", &*bek), ("elsewhere2", ACCOUNT_ELSEWHERE)] {
        let elsewhere = |entry: &mut HistoryEntry| {
            rename_player(entry, &bek, opponent, "Real Name");
            ELSEWHERE.clone_into(&mut entry.chat);
        };
        list_changed_game(store, &ann, table, elsewhere).await;
    }
    let against_cyd = |entry: &mut HistoryEntry| {
        rename_player(entry, &bek, ACCOUNT_ELSEWHERE, "Cyd");
    };
    list_changed_game(store, &ann, "here2", against_cyd).await;
    let links = [
        (&*cyd, json!({ "main": ACCOUNT_ELSEWHERE, "accounts": [] })),
        (ACCOUNT_ELSEWHERE, json!({ "main": null, "accounts": [cyd] })),
    ];
    let row = |(account, links): (&str, serde_json::Value)| {
        Put::new(Space::Person, format!("links {account}"), links.to_string().into_bytes())
    };
    store.commit(Commit::from_puts(links.map(row).into())).await.unwrap();
}

const GAMES_OF_THE_CHAT: &str = "Ann says /stats @Bek
    Ann gets reply You against them: won 0, drawn 0, lost 1
    Ann presses 📜 Our games
    Ann gets reply My games against Bek, page 1
    Ann says /history @Bek
    Ann gets reply Togyzkumalak: won 0, drawn 0, lost 1
    Ann says /stats @Cyd
    Ann gets reply You against them: won 0, drawn 0, lost 1
    Ann presses 📜 Our games
    Ann gets reply My games against Cyd, page 1
    Ann says /history togyz @Cyd
    Ann gets reply Togyzkumalak: won 0, drawn 0, lost 1";

/// Checks what Ann learns about people who play elsewhere, too.
async fn shows_only_games_of_the_chat(stage: &mut dyn Stage, store: &MemoryStore) {
    people_who_play_elsewhere(stage, store).await;
    play("games of the chat", GAMES_OF_THE_CHAT, stage).await;
    let told = stage.private_replies("Ann").await;
    let statistics = told.iter().filter(|it| it.text.contains("You against them"));
    assert!(statistics.clone().count() > 1 && statistics.clone().all(|it| !it.picture), "{told:?}");
    for (message, secret) in told.iter().flat_map(|it| [(it, "Real Name"), (it, "xx:")]) {
        assert!(!format!("{message:?}").contains(secret), "{message:?}");
    }
    // All games of one's own are listed, with all opponents.
    play("own", "Ann says /history\nAnn gets reply lost to Real Name", stage).await;
}

#[tokio::test]
async fn head_to_head_shows_no_games_of_other_chats() {
    let store = Arc::new(MemoryStore::new());
    shows_only_games_of_the_chat(&mut MemoryStage::new(store.clone()).await, &store).await;
    let store = Arc::new(MemoryStore::new());
    shows_only_games_of_the_chat(&mut WebStage::new(store.clone()).await, &store).await;
    #[cfg(feature = "telegram")]
    {
        let store = Arc::new(MemoryStore::new());
        shows_only_games_of_the_chat(&mut TelegramStage::new(store.clone()).await, &store).await;
    }
}

#[tokio::test]
async fn a_forged_button_names_no_other_chat() {
    let store = Arc::new(MemoryStore::new());
    let mut stage = MemoryStage::new(store.clone()).await;
    people_who_play_elsewhere(&mut stage, &store).await;
    let bek = stage.account("Bek");
    let mut press = async |data: &str, is_private: bool| {
        let kind = UpdateKind::Press { callback_data: data.to_owned(), message: None };
        let update = stage.update("Ann", is_private, kind);
        let replies = stage.hear(update).await;
        replies.iter().map(|it| it.message.text().to_plain()).collect::<String>()
    };
    // In a group it is the group in which the button was pressed.
    for data in [format!("hi.0.@{ELSEWHERE}.{bek}"), format!("hi.0..{bek}")] {
        let shown = press(&data, false).await;
        assert!(shown.contains("Togyzkumalak: won 0, drawn 0, lost 1"), "{data}: {shown}");
        assert!(!shown.contains("Real Name"), "{data}: {shown}");
    }
    for chat in [ELSEWHERE, "mem:other", "mem:@Ann", ""] {
        let data = format!("hi.0.@{chat}.{bek}");
        let shown = press(&data, true).await;
        assert!(shown.contains("ask in a group that you share"), "{data}: {shown}");
    }
    // Who has an account elsewhere is not found out by guessing it.
    for is_private in [false, true] {
        let shown = press(&format!("hi.0..{ACCOUNT_ELSEWHERE}"), is_private).await;
        assert!(shown.contains("button is too old"), "{shown}");
    }
    // The chat of a page without an opponent is no filter.
    assert!(press(&format!("hi.0.@{ELSEWHERE}."), true).await.contains("Real Name"));
}

/// Where private answers arrive in the private chat, their buttons name the group.
#[cfg(feature = "telegram")]
#[tokio::test]
async fn a_private_page_shows_games_of_the_readers_group() {
    let store = Arc::new(MemoryStore::new());
    let mut stage = TelegramStage::new(store.clone()).await;
    people_who_play_elsewhere(&mut stage, &store).await;
    play("private", "Ann writes privately /rules togyz\nAnn gets reply 1 of 14", &mut stage).await;
    let (chat, bek) = (stage.chat(), stage.account("Bek"));
    let here = stage.private_replies("Ann").await.pop().unwrap();
    assert!(here.id.starts_with('p'), "{here:?}");
    let cases = [
        (format!("hi.0.@{chat}.{bek}"), "My games against Bek, page 1"),
        (format!("hi.0.@tg:-999.{bek}"), "ask in a group that you share"),
        (format!("hi.0..{bek}"), "ask in a group that you share"),
    ];
    for (data, answer) in cases {
        stage.press_button("Ann", &here, &data).await;
        let shown = stage.private_replies("Ann").await.pop().unwrap();
        assert!(shown.text.contains(answer), "{data}: {shown:?}");
        assert!(!shown.text.contains("Real Name"), "{data}: {shown:?}");
    }
}
