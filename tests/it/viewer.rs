//! The JSON interface of the viewer: a game step by step, its review, and the pages of a course
//! (`src/bot/client_state/state.md`).

use std::collections::BTreeSet;
use std::sync::Arc;

use caravanserai_games::GameId;
use caravanserai_i18n::vocabulary;
use caravanserai_protocol::{ClientQueries, PictureLayout, ViewerPage};
use caravanserai_store::memory::MemoryStore;
use serde_json::Value;

use crate::stage::memory::MemoryStage;
use crate::stage::web::WebStage;
use crate::stage::{Stage, play};
use crate::table_state::{Dealt, FOUR, NAMES, acts_once, people, plays};
use crate::whole_games::Dice;

const WIDE: PictureLayout = PictureLayout::Wide;

async fn table_of(stage: &WebStage, who: &str) -> String {
    let tables = stage.own_tables(who).await;
    tables["tables"][0]["table"].as_str().unwrap().to_owned()
}

/// All steps of a game, part by part.
async fn whole(stage: &WebStage, who: &str, table: &str, seat: Option<u8>) -> (Value, Vec<Value>) {
    let seat = seat.map(|it| format!("&seat={it}")).unwrap_or_default();
    let mut all: Vec<Value> = Vec::new();
    loop {
        let path = format!("{table}/replay?from={}{seat}", all.len());
        let part = stage.state(who, &path, "").await;
        assert_eq!((&part["version"], part["from"].as_u64()), (&1.into(), Some(all.len() as u64)));
        all.extend(part["stood"].as_array().unwrap().iter().cloned());
        if all.len() as u64 > part["steps"].as_u64().unwrap() {
            return (part, all);
        }
    }
}

async fn the_viewer_shows_a_game_step_by_step(opening: &str, joining: &str, seed: u64) {
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    people(&mut stage).await;
    play("opens", &format!("Ann says {opening}\n{joining}"), &mut stage).await;
    let table = table_of(&stage, "Ann").await;
    let before = whole(&stage, "Ann", &table, None).await.1.len();
    let (_, over) = plays(&mut stage, &mut Dice(seed)).await;
    let (about, all) = whole(&stage, "Ann", &table, None).await;
    assert!(all.len() > before);
    assert_eq!((&about["phase"], &about["seats"]), (&over["phase"], &over["seats"]));
    for (n, it) in all.iter().enumerate() {
        assert_eq!(it["step"].as_u64(), Some(n as u64));
        // What chance gave is nobody's doing, and may be a deal.
        assert_eq!(it["seat"].is_null(), it["token"].is_null());
    }
    let shown = all.iter().rev().find(|it| !it["picture"].is_null()).unwrap();
    let state = stage.state("Ann", &table, "?drawn=1").await;
    assert_eq!(shown["picture"]["board"], state["picture"]["board"], "the end is as it stands");
    let path = format!("{table}/replay?upright=1&from={}", all.len() - 1);
    let upright = stage.state("Ann", &path, "").await["stood"][0]["picture"]["board"].clone();
    let state_upright = stage.state("Ann", &table, "?drawn=1&upright=1").await;
    assert_eq!(upright, state_upright["picture"]["board"], "also on an upright screen");
    assert_eq!(all.last().unwrap()["says"][0], state["says"][0]);
    let done = all.iter().filter(|it| !it["token"].is_null()).map(|it| &it["token"]);
    let told = stage.state("Ann", &table, "?since=0").await;
    let last = told["last"].as_array().unwrap().iter().map(|it| &it["token"]);
    let done: Vec<&Value> = done.collect();
    assert!(done.ends_with(&last.collect::<Vec<_>>()));
}

#[tokio::test]
async fn the_viewer_shows_togyzkumalak_step_by_step() {
    the_viewer_shows_a_game_step_by_step("/togyz me", "Bek presses Join", 7).await;
}

#[tokio::test]
async fn the_viewer_shows_thaayam_step_by_step() {
    the_viewer_shows_a_game_step_by_step("/thaayam players=4 pieces=2", FOUR, 8).await;
}

#[tokio::test]
async fn the_viewer_shows_blot_with_the_hands_at_each_step() {
    let opening = format!("Ann says /blot target=301\n{FOUR}Ann presses ▶ Start");
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    people(&mut stage).await;
    play("opens", &opening, &mut stage).await;
    let table = table_of(&stage, "Ann").await;
    let hands = async |stage: &WebStage, who: &str, seat: Option<u8>| {
        let (about, all) = whole(stage, who, &table, seat).await;
        let hands = all.iter().map(|it| it["picture"]["hand"].is_object()).collect::<Vec<_>>();
        (about["hand"].clone(), hands)
    };
    let mut dice = Dice(9);
    // Into the second deal.
    let mut deals = 0;
    while deals < 2 {
        acts_once(&mut stage, &table, &mut dice).await;
        let (_, all) = whole(&stage, "Ann", &table, None).await;
        deals = all.iter().skip(1).filter(|it| it["seat"].is_null()).count();
    }
    let (_, all) = whole(&stage, "Ann", &table, None).await;
    let second = all.iter().rposition(|it| it["seat"].is_null()).unwrap();
    let (seat, own) = hands(&stage, "Ann", None).await;
    let own_seat = seat.as_u64().unwrap() as u8;
    assert!(own[second], "one's own hand is seen as soon as it is dealt");
    let (_, other) = hands(&stage, "Ann", Some((own_seat + 1) % 4)).await;
    assert!(other[..second].iter().filter(|it| **it).count() > 30, "the first deal is over");
    assert!(!other[second..].iter().any(|it| *it), "the second is not");
    // Spectators see no hand before it is over.
    stage.people(&["Eve".to_owned()]).await;
    play("comes", "Eve says good evening", &mut stage).await;
    let (_, watched) = hands(&stage, "Eve", Some(own_seat)).await;
    assert!(!watched[second..].iter().any(|it| *it));
    let _ = plays(&mut stage, &mut dice).await;
    let (_, all) = hands(&stage, "Eve", Some(own_seat)).await;
    assert!(all[second], "now everybody sees what was held");
}

#[tokio::test]
async fn exchanged_unseen_cards_change_nothing_in_the_viewer() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    let dealt = Dealt::at(&mut stage).await;
    let id = dealt.id.clone();
    let chat = stage.group_or_private(None);
    for (n, who) in NAMES.into_iter().chain(["Eve"]).enumerate() {
        let (bot, others) = dealt.otherwise(dealt.seat_of(who), n as u64).await;
        let person = stage.person(who);
        for seat in [None, Some(0), Some(1), Some(2), Some(3), Some(200)] {
            let look = ViewerPage::Replay { table: id.clone(), from: 0, seat };
            let one = stage.service.viewer_page(&chat, &person, look.clone(), WIDE).await.unwrap();
            let other = bot.viewer_page(&chat, &person, look, WIDE).await.unwrap();
            assert!(one.is_some());
            assert_eq!(one, other, "{who} learns something of {others:?} by seat {seat:?}");
        }
        let look = ViewerPage::Review { table: id.clone(), step: None };
        let page = stage.service.viewer_page(&chat, &person, look, WIDE).await;
        assert_eq!(page, Ok(None), "it runs");
    }
    let (elsewhere, eve) = (stage.group_or_private(Some("Eve")), stage.person("Eve"));
    let look = ViewerPage::replay(id);
    assert_eq!(stage.service.viewer_page(&elsewhere, &eve, look, WIDE).await, Ok(None));
}

#[tokio::test]
async fn a_review_shows_the_played_and_the_better_move() {
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    people(&mut stage).await;
    play("opens", "Ann says /togyz me\nBek presses Join", &mut stage).await;
    let table = table_of(&stage, "Ann").await;
    let path = format!("{table}/review");
    assert_eq!(stage.refused("Ann", &format!("rooms/family/tables/{path}")).await, 404);
    let mut dice = Dice(3);
    for _ in 0..24 {
        acts_once(&mut stage, &table, &mut dice).await;
    }
    play("ends", "Bek says /resign\nBek says /resign", &mut stage).await;
    let none = stage.state("Ann", &path, "").await;
    assert!(none["chart"].is_null() && none["moments"].as_array().unwrap().is_empty());
    play("asks", "Ann says /review\neveryone sees turning points", &mut stage).await;
    let told = stage.state("Bek", &path, "").await;
    assert!(told["chart"]["items"].as_array().unwrap().len() > 5);
    let moments = told["moments"].as_array().unwrap();
    // A slow machine may find none in the time that a review has; `viewer_browser` looks at some.
    let (_, all) = whole(&stage, "Bek", &table, None).await;
    for it in moments {
        let step = it["step"].as_u64().unwrap() as usize;
        assert!(it["badge"].is_array() && it["says"].as_array().unwrap().len() >= 2);
        assert_eq!(it["seat"], all[step + 1]["seat"], "they moved then");
        for mark in ["played", "better"] {
            assert_eq!(it[mark]["at"].as_array().unwrap().len(), 5, "{mark}");
        }
        assert_ne!(it["played"], it["better"]);
        let line = it["line"].as_array().unwrap();
        assert_eq!(line[0]["seat"], it["seat"]);
        assert_ne!(line[0]["token"], all[step + 1]["token"]);
        assert!(line.iter().all(|it| it["picture"]["board"].is_object()));
    }
    // What a message shows, it names.
    let shown = stage.messages("Ann").await;
    let look = format!("tables/{table}/review");
    assert!(shown.iter().any(|it| it["look"] == look.as_str()), "{shown:?}");
}

#[test]
fn answers_that_are_on_the_board_can_be_touched_there() {
    let mut count = 0;
    for game in GameId::all() {
        for page in game.pages() {
            let lesson = game.lesson(page, vocabulary()).unwrap();
            let touches = game.touch_spots(page, vocabulary());
            let shown = game.page_view(page, None, vocabulary(), &[]).unwrap().scene;
            let answers = lesson.answers.iter().map(|it| &it.token);
            let known: BTreeSet<&String> =
                answers.chain(lesson.moves.iter().map(|it| &it.token)).collect();
            let touched: BTreeSet<&String> = touches.iter().map(|it| &it.action).collect();
            assert!(touched.is_subset(&known), "{game:?} {page}: {touched:?} {known:?}");
            // Each answer to a question, or none: a board that shows the right one alone tells it.
            let is_asked = !lesson.answers.is_empty() && !touches.is_empty();
            assert!(!is_asked || touched == known, "{game:?} {page}: {touched:?} {known:?}");
            for it in &touches {
                let (x, y) = (it.at.at.x, it.at.at.y);
                assert!((0..shown.width as i16).contains(&x), "{game:?} {page}");
                assert!((0..shown.height as i16).contains(&y), "{game:?} {page}");
            }
            count += usize::from(!touches.is_empty());
        }
    }
    assert!(count >= 15, "{count} pages can be touched");
}

#[tokio::test]
async fn a_page_of_a_course_is_shown_with_what_can_be_touched() {
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    people(&mut stage).await;
    play("asks", "Ann says /rules togyz\nAnn gets reply stones", &mut stage).await;
    let page = stage.at("Ann", "lessons/togyzkumalak/try-capture").await;
    assert_eq!(page["spots"].as_array().unwrap().len(), 9);
    let tried = stage.at("Ann", "lessons/togyzkumalak/try-capture?tried=7").await;
    assert_ne!(page["picture"]["board"], tried["picture"]["board"]);
    assert_eq!(tried["spots"].as_array().unwrap().len(), 0);
    for nothing in ["lessons/chess/1", "lessons/blot/nothing", "lessons/togyzkumalak/sow?tried=99"]
    {
        let path = format!("rooms/family/{nothing}");
        assert_eq!(stage.refused("Ann", &path).await, 404, "{nothing}");
    }
}
