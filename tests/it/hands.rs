//! Part of a match of cards on every platform: each hand comes to one person's eyes only.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use caravanserai::store::Store;
use caravanserai::store::memory::MemoryStore;

use crate::stage::memory::MemoryStage;
use crate::stage::web::WebStage;
use crate::stage::{Seen, Stage, play};

const NAMES: [&str; 4] = ["Ann", "Bek", "Cyd", "Dan"];
const SEATED: &str = "
Ann says /blot
Bek presses Join
Cyd presses Join
Dan presses Join
Ann presses ▶ Start
";
/// How a hand begins, in words.
const HAND: &str = "Your hand:";
/// What is done before the scan: bids, then cards.
const ACTS: usize = 16;

fn store() -> Arc<dyn Store> {
    Arc::new(MemoryStore::default())
}

/// Whose turn it is, by the last line under the board.
async fn turn(stage: &mut dyn Stage) -> Option<(&'static str, Seen)> {
    let board = stage.seen("Ann").await.into_iter().rev().find(Seen::is_board)?;
    let line = board.text.lines().last()?;
    let who = NAMES.into_iter().find(|it| line.contains(it))?;
    Some((who, board))
}

/// A button under somebody's hand that may be pressed now: a card that is marked, or the last
/// one of the auction, which passes.
fn choice(hand: &Seen) -> Option<String> {
    let marked = |label: &str| hand.text.contains(&format!("{label}✓"));
    let card = hand.buttons.iter().find(|(label, _)| marked(label));
    let bids = hand.buttons.iter().filter(|(_, press)| press.starts_with("p."));
    card.or(bids.last()).map(|(_, press)| press.clone())
}

/// The number of a card that may be played, where hands are shown as passing notes.
fn number(note: &Seen) -> Option<String> {
    let cards = note.text.strip_prefix(HAND)?;
    let marked = cards.split([',', ' ']).collect::<Vec<_>>();
    let at = marked.iter().position(|it| it.contains('✓'))?;
    Some(marked[at.checked_sub(1)?].trim_end_matches(')').to_owned())
}

/// One act of whoever is on turn: by the private hand, by what is offered while typing, by a
/// number under the board, or by a bid there.
async fn act(stage: &mut dyn Stage, typing: bool) {
    let Some((who, board)) = turn(stage).await else { panic!("nobody is on turn") };
    let held = stage.held(who).await;
    let hand = held.iter().rev().find(|it| it.text.starts_with(HAND) && !it.buttons.is_empty());
    if let Some((hand, press)) = hand.and_then(|it| Some((it.clone(), choice(it)?))) {
        return stage.presses(who, &hand, &press).await;
    }
    let label = |words: &str| board.buttons.iter().find(|(label, _)| label.contains(words));
    if let Some((_, words)) = board.buttons.iter().find(|(_, press)| press.starts_with("@ "))
        && typing
    {
        let offered = stage.types(who, words.trim_start_matches("@ ")).await;
        if let Some(first) = offered.first() {
            assert!(stage.chooses(who, first).await);
            return;
        }
    }
    if let Some((_, ask)) = label("My hand") {
        stage.presses(who, &board, ask).await;
    }
    let told = stage.told(who).await;
    let note = told.iter().rev().find(|it| it.text.starts_with(HAND)).and_then(number);
    let slot = note.and_then(|n| board.buttons.iter().find(|(label, _)| *label == n));
    let bid = board.buttons.iter().rfind(|(_, press)| press.starts_with("p."));
    let (_, press) = slot.or(bid).expect("something can be done");
    stage.presses(who, &board, press).await;
}

/// Every hand in words and every picture was seen by one person, or by all.
async fn nobody_saw_another_hand(stage: &mut dyn Stage) {
    let name = stage.name();
    let seen = stage.seen_by_all().await;
    let mut hands: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let mut pictures: BTreeMap<Vec<u8>, BTreeSet<&str>> = BTreeMap::new();
    for (who, all) in &seen {
        for it in all {
            let said = it.words.iter().filter_map(|it| it.find(HAND).map(|at| it[at..].to_owned()));
            said.for_each(|it| {
                hands.entry(it).or_default().insert(who);
            });
            let media = it.media.iter().cloned();
            media.for_each(|it| {
                pictures.entry(it).or_default().insert(who);
            });
        }
    }
    let owners: BTreeSet<&str> = hands.values().flatten().copied().collect();
    assert_eq!(owners.len(), 4, "{name}: everybody saw a hand");
    for (hand, who) in &hands {
        assert_eq!(who.len(), 1, "{name}: {who:?} saw {hand}");
    }
    for (picture, who) in &pictures {
        let (count, bytes) = (who.len(), picture.len());
        assert!([1, 4].contains(&count), "{name}: {who:?} saw a picture of {bytes} bytes");
    }
}

async fn a_round(stage: &mut dyn Stage, asks: bool, typing: bool) {
    play("seated", SEATED, stage).await;
    if asks {
        for who in NAMES {
            play("asked", &format!("{who} presses My hand\n{who} is told {HAND}"), stage).await;
        }
    }
    for _ in 0..ACTS {
        act(stage, typing).await;
    }
    play("after", "restart\nAnn presses My hand", stage).await;
    nobody_saw_another_hand(stage).await;
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

async fn people(stage: &mut dyn Stage) {
    stage.people(&NAMES.map(str::to_owned)).await;
}

#[tokio::test]
async fn hands_on_the_bare_platform_are_their_owners_alone() {
    let mut stage = MemoryStage::new(store()).await;
    people(&mut stage).await;
    a_round(&mut stage, false, false).await;
}

#[tokio::test]
async fn hands_on_the_page_are_their_owners_alone() {
    let mut stage = WebStage::new(store()).await;
    people(&mut stage).await;
    a_round(&mut stage, false, false).await;
}

#[cfg(feature = "discord")]
#[tokio::test]
async fn hands_on_discord_are_their_owners_alone() {
    let mut stage = crate::stage::discord::DiscordStage::new(store()).await;
    people(&mut stage).await;
    a_round(&mut stage, true, false).await;
}

#[cfg(feature = "telegram")]
mod telegram {
    use super::*;
    use crate::fake_telegram::{Standing, Version};
    use crate::stage::telegram::TelegramStage;

    #[tokio::test]
    async fn hands_on_telegram_are_their_owners_alone() {
        let mut stage = TelegramStage::new(store()).await;
        people(&mut stage).await;
        a_round(&mut stage, true, false).await;
    }

    #[tokio::test]
    async fn an_admin_on_telegram_deals_without_being_asked() {
        let mut stage = TelegramStage::new(store()).await;
        people(&mut stage).await;
        stage.tg.set_standing(stage.spot.chat, Standing::Admin);
        stage.tg.limit_rates();
        a_round(&mut stage, false, false).await;
    }

    #[tokio::test]
    async fn hands_on_a_server_of_the_version_between_are_their_owners_alone() {
        let mut stage = TelegramStage::new(store()).await;
        stage.tg.set_version(Version::V10_2);
        people(&mut stage).await;
        a_round(&mut stage, true, false).await;
    }

    #[tokio::test]
    async fn on_an_old_server_cards_are_played_by_numbers_or_while_typing() {
        for typing in [false, true] {
            let mut stage = TelegramStage::new(store()).await;
            stage.tg.old();
            people(&mut stage).await;
            stage.restart().await;
            a_round(&mut stage, true, typing).await;
        }
    }
}
