//! Part of a match of cards on every platform: each hand comes to one person's eyes only.

#[cfg(feature = "telegram")]
mod paced;
mod pressed;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

use caravanserai_games::ids::TableId;
use caravanserai_games::rules::Seat;
use caravanserai_store::Store;
use caravanserai_store::memory::MemoryStore;
use caravanserai_table::Table;
use parking_lot::Mutex;
use tracing_subscriber::fmt::MakeWriter;

use crate::stage::memory::{MemoryStage, text};
use crate::stage::web::WebStage;
use crate::stage::{Stage, VisibleMessage, play};

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

#[tokio::test]
async fn legal_cards_are_told_to_their_player_only() {
    let mut stage = MemoryStage::new(store()).await;
    stage.send_group_message("Ann", "/blot").await;
    for who in ["Bek", "Cyd", "Dan"] {
        stage.send_group_message(who, "/join").await;
    }
    stage.send_group_message("Ann", "/begin").await;
    stage.service.wait_until_idle().await;
    let mut named = 0;
    for who in NAMES {
        let update = stage.update(who, false, text("/move zzz"));
        for told in stage.hear(update).await {
            if told.message.text().to_plain().contains("zzz") {
                assert!(told.is_secret(), "{told:?}");
                named += 1;
            }
        }
    }
    assert_eq!(named, 1, "only one is on turn");
}

/// A kuansh out of turn is as irreversible as any move.
#[tokio::test]
async fn a_call_out_of_turn_is_confirmed_too() {
    let mut stage = MemoryStage::new(store()).await;
    stage.send_group_message("Ann", "/blot kuansh_any_time=true").await;
    for who in ["Bek", "Cyd", "Dan"] {
        stage.send_group_message(who, "/join").await;
    }
    stage.send_group_message("Ann", "/begin").await;
    stage.service.wait_until_idle().await;
    let (table, _) = stage.newest_table().await;
    let bidding = table.seat_to_move().unwrap();
    let name = |seat: u8| table.seating.occupant(seat).unwrap().name.clone();
    // The player to the right of the bidder plays against them and is last to call.
    let (bidder, caller) = (name(bidding), name((bidding + 3) % 4));
    stage.send_group_message(&bidder, "/move 8♣").await;
    stage.send_group_message(&caller, "/confirm on").await;
    let bid = stage.newest_table().await.0.history.steps.len();
    for (times, steps) in [(1, bid), (2, bid + 1)] {
        let update = stage.update(&caller, false, text("/move kuansh"));
        let told = stage.hear(update).await;
        assert!(times == 2 || told.iter().all(|it| it.is_secret()), "{told:?}");
        stage.service.wait_until_idle().await;
        assert_eq!(stage.newest_table().await.0.history.steps.len(), steps, "{times}");
    }
}

fn store() -> Arc<dyn Store> {
    Arc::new(MemoryStore::default())
}

/// Whose turn it is, by the last line under the board.
async fn turn(stage: &mut dyn Stage) -> Option<(&'static str, VisibleMessage)> {
    let board =
        stage.visible_messages("Ann").await.into_iter().rev().find(VisibleMessage::is_board)?;
    let line = board.text.lines().last()?;
    let who = NAMES.into_iter().find(|it| line.contains(it))?;
    Some((who, board))
}

/// A marked card under a person's hand: it may be played.
fn card(hand: &VisibleMessage) -> Option<String> {
    let marked = |label: &str| hand.text.contains(&format!("{label}✓"));
    let card = hand.buttons.iter().find(|(label, _)| marked(label));
    card.map(|(_, press)| press.clone())
}

/// The number of a card that may be played, where hands are shown as passing notes.
fn number(note: &VisibleMessage) -> Option<String> {
    let cards = note.text.strip_prefix(HAND)?;
    let marked = cards.split([',', ' ']).collect::<Vec<_>>();
    let at = marked.iter().position(|it| it.contains('✓'))?;
    Some(marked[at.checked_sub(1)?].trim_end_matches(')').to_owned())
}

/// Plays a card from the newest private hand; false if that has none that may be played.
async fn play_from_hand(stage: &mut dyn Stage, who: &str) -> bool {
    let held = stage.private_messages(who).await;
    let hand = held.iter().rev().find(|it| it.text.starts_with(HAND) && !it.buttons.is_empty());
    let Some((hand, press)) = hand.and_then(|it| Some((it, card(it)?))) else { return false };
    stage.press_button(who, hand, &press).await;
    true
}

/// One act of the player on turn: a card by the private hand, by what is offered while typing, or
/// by a number under the board; else a pass there. Tells whether it was a card.
async fn act(stage: &mut dyn Stage, typing: bool) -> bool {
    let Some((who, board)) = turn(stage).await else { panic!("nobody is on turn") };
    let find = |fits: &dyn Fn(&str, &str) -> bool| {
        let found = board.buttons.iter().find(|(label, press)| fits(label, press));
        found.map(|(_, press)| press.clone())
    };
    if let Some(pass) = find(&|label, _| label == "pass") {
        stage.press_button(who, &board, &pass).await;
        return false;
    }
    if play_from_hand(stage, who).await {
        return true;
    }
    if let Some(words) = find(&|_, press| press.starts_with("@ ")).filter(|_| typing) {
        let offered = stage.inline_suggestions(who, words.trim_start_matches("@ ")).await;
        return stage.choose_suggestion(who, &offered[0]).await;
    }
    if let Some(ask) = find(&|label, _| label.contains("My hand")) {
        stage.press_button(who, &board, &ask).await;
    }
    if play_from_hand(stage, who).await {
        return true;
    }
    // The board may have been given numbers only then.
    let Some((_, board)) = turn(stage).await else { panic!("nobody is on turn") };
    let find = |fits: &dyn Fn(&str, &str) -> bool| {
        let found = board.buttons.iter().find(|(label, press)| fits(label, press));
        found.map(|(_, press)| press.clone())
    };
    let told = stage.private_replies(who).await;
    let number = told.iter().rev().find(|it| it.text.starts_with(HAND)).and_then(number);
    let slot = number.and_then(|n| find(&|label, _| label == n));
    let only = find(&|_, press| press.starts_with("p."));
    let press = slot.clone().or(only).unwrap_or_else(|| panic!("{who} can do nothing: {board:#?}"));
    stage.press_button(who, &board, &press).await;
    slot.is_some()
}

/// Every hand in words and every picture was seen by one person, or by all.
async fn nobody_saw_another_hand(stage: &mut dyn Stage) {
    let name = stage.name();
    let seen = stage.received_content_by_person().await;
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
            play("asked", &format!("{who} presses My hand\n{who} gets reply {HAND}"), stage).await;
        }
    }
    let (bidder, _) = turn(stage).await.expect("a player bids first");
    play("bid", &format!("{bidder} presses 8♣"), stage).await;
    let mut cards = 0;
    for _ in 0..ACTS {
        cards += usize::from(act(stage, typing).await);
    }
    assert!(cards >= 9, "{}: only {cards} cards were played", stage.name());
    play("after", "restart\nAnn presses My hand", stage).await;
    nobody_saw_another_hand(stage).await;
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

/// Cards that nobody but their owner has seen, by name of the owner. Eights, nines and tens are
/// spoken of as bids, so they are left out.
async fn unseen(store: &dyn Store, id: &TableId) -> (usize, BTreeMap<String, Vec<String>>) {
    let lines = store.read_log(&id.0, 0).await.unwrap();
    let table = Table::from_log(id, &lines).unwrap();
    let deals = table.history.steps.iter().filter(|it| it.seat.is_none()).count();
    let game = table.game.as_deref().expect("it is dealt");
    let mut unseen = BTreeMap::new();
    for seat in 0..4 {
        let tokens = game.hand(Seat(seat)).into_iter().map(|it| it.choice.token);
        let clear = tokens.filter(|it| it.starts_with(['7', 'J', 'Q', 'K', 'A']));
        unseen.insert(table.seating.occupant(seat).unwrap().name.clone(), clear.collect());
    }
    (deals, unseen)
}

/// A card as it is written in buttons and as people read it.
fn spellings(token: &str) -> [String; 2] {
    let (rank, suit) = token.split_at(token.len() - 1);
    let sign = ["♣", "♦", "♥", "♠"]["CDHS".find(suit).expect("a suit")];
    [token.to_owned(), format!("{rank}{sign}")]
}

/// Plays one deal and looks after every act at all that came to each person since the last: no
/// unseen card of anybody else is in it, and none is in what the program logs.
async fn no_card_is_named_to_others(stage: &mut dyn Stage, store: &dyn Store, log: &Logged) {
    play("seated", SEATED, stage).await;
    let board = stage
        .visible_messages("Ann")
        .await
        .into_iter()
        .rev()
        .find(VisibleMessage::is_board)
        .unwrap();
    let press = board.buttons.iter().find_map(|(_, it)| it.strip_prefix("i."));
    let id = TableId(press.expect("the hand of this table").to_owned());
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut looked = 0;
    loop {
        let (deals, unseen) = unseen(store, &id).await;
        if deals > 1 {
            break;
        }
        for (who, all) in stage.received_content_by_person().await {
            let from = known.insert(who.clone(), all.len()).unwrap_or_default();
            let others = unseen.iter().filter(|(owner, _)| **owner != who);
            let cards: Vec<&String> = others.flat_map(|(_, cards)| cards).collect();
            for words in all[from..].iter().flat_map(|it| &it.words) {
                for spelling in cards.iter().flat_map(|it| spellings(it)) {
                    assert!(!words.contains(&spelling), "{who} reads {spelling}: {words}");
                    looked += 1;
                }
            }
        }
        let said = log.take();
        for spelling in unseen.values().flatten().flat_map(|it| spellings(it)) {
            assert!(!said.contains(&spelling), "the log names {spelling}: {said}");
        }
        act(stage, false).await;
    }
    assert!(looked > 1_000, "{looked}");
}

/// What the program logs, for a test to read.
#[derive(Clone, Default)]
struct Logged(Arc<Mutex<Vec<u8>>>);

impl Logged {
    fn take(&self) -> String {
        String::from_utf8(std::mem::take(&mut *self.0.lock())).unwrap()
    }
}

impl io::Write for Logged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Logged {
    type Writer = Logged;

    fn make_writer(&'a self) -> Logged {
        self.clone()
    }
}

/// From now on this thread logs everything of ours into a value.
fn logged() -> (Logged, tracing::subscriber::DefaultGuard) {
    let log = Logged::default();
    let filter = tracing_subscriber::EnvFilter::new("caravanserai=trace");
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(log.clone())
        .with_ansi(false)
        // “TRACE” holds a card.
        .with_level(false);
    (log, tracing::subscriber::set_default(subscriber.finish()))
}

/// Bids with two presses and passes until cards are played, then plays one card with two presses.
async fn a_card_wants_two_presses(stage: &mut dyn Stage, store: &dyn Store) {
    play("seated", SEATED, stage).await;
    // When all pass it is dealt again, without end.
    let (bidder, _) = turn(stage).await.expect("a player bids first");
    let bid = format!("{bidder} presses 8♣\n");
    let asked = format!("{bidder} says /confirm on\n{bid}{bidder} gets reply again within\n");
    play("bid", &format!("{asked}{bid}{bidder} says /confirm off"), stage).await;
    let board = stage
        .visible_messages("Ann")
        .await
        .into_iter()
        .rev()
        .find(VisibleMessage::is_board)
        .unwrap();
    let press = board.buttons.iter().find_map(|(_, it)| it.strip_prefix("i."));
    let id = TableId(press.expect("the hand of this table").to_owned());
    let steps = async || {
        let table = Table::from_log(&id, &store.read_log(&id.0, 0).await.unwrap()).unwrap();
        let turn = table.seat_to_move().expect("the game is on");
        let held = table.game.as_deref().unwrap().hand(Seat(turn));
        let playing = held.iter().any(|it| it.legal);
        (playing, table.seating.occupant(turn).unwrap().name.clone(), table.history.steps.len())
    };
    while !steps().await.0 {
        act(stage, false).await;
    }
    let (_, who, before) = steps().await;
    play("asks", &format!("{who} says /confirm on\n{who} gets reply ask you to confirm"), stage)
        .await;
    act(stage, false).await;
    assert_eq!(steps().await.2, before, "the first press plays nothing");
    play("asked", &format!("{who} gets reply again within"), stage).await;
    act(stage, false).await;
    assert_eq!(steps().await.2, before + 1);
    play("enough", &format!("{who} says /confirm off\n{who} gets reply played at once"), stage)
        .await;
}

#[tokio::test]
async fn a_confirmation_before_each_card_can_be_switched_on() {
    let store = store();
    let mut stage = WebStage::new(store.clone()).await;
    people(&mut stage).await;
    a_card_wants_two_presses(&mut stage, &*store).await;
}

#[cfg(feature = "telegram")]
#[tokio::test]
async fn numbers_under_the_board_are_asked_back_too() {
    let store = store();
    let mut stage = crate::stage::telegram::TelegramStage::new(store.clone()).await;
    people(&mut stage).await;
    stage.tg.old();
    stage.restart().await;
    a_card_wants_two_presses(&mut stage, &*store).await;
}

#[tokio::test]
async fn no_unseen_card_is_named_on_the_bare_platform() {
    let (log, _guard) = logged();
    let store = store();
    let mut stage = MemoryStage::new(store.clone()).await;
    people(&mut stage).await;
    no_card_is_named_to_others(&mut stage, &*store, &log).await;
}

#[tokio::test]
async fn no_unseen_card_is_named_on_the_page() {
    let (log, _guard) = logged();
    let store = store();
    let mut stage = WebStage::new(store.clone()).await;
    people(&mut stage).await;
    no_card_is_named_to_others(&mut stage, &*store, &log).await;
}

#[cfg(feature = "discord")]
#[tokio::test]
async fn no_unseen_card_is_named_on_discord() {
    let (log, _guard) = logged();
    let store = store();
    let mut stage = crate::stage::discord::DiscordStage::new(store.clone()).await;
    people(&mut stage).await;
    no_card_is_named_to_others(&mut stage, &*store, &log).await;
}

#[cfg(feature = "telegram")]
#[tokio::test]
async fn no_unseen_card_is_named_on_telegram() {
    for old in [false, true] {
        let (log, _guard) = logged();
        let store = store();
        let mut stage = crate::stage::telegram::TelegramStage::new(store.clone()).await;
        people(&mut stage).await;
        if old {
            stage.tg.old();
            stage.restart().await;
        }
        no_card_is_named_to_others(&mut stage, &*store, &log).await;
    }
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
    async fn hands_on_bot_api_10_2_are_shown_to_their_owners_only() {
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
