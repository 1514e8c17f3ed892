//! Whole games of four by random presses on every platform: Thaayam from the first throw to the
//! last piece off, Blot from the first deal to the score that wins.

use std::sync::Arc;
use std::time::Duration;

use caravanserai_bot::commands::TableCallback;
use caravanserai_games::ids::TableId;
use caravanserai_games::rules::Seat;
use caravanserai_store::Store;
use caravanserai_store::memory::MemoryStore;
use caravanserai_table::state::{Table, TablePhase};

use crate::stage::web::WebStage;
use crate::stage::{Stage, VisibleMessage};
use crate::whole_games::{Dice, button, played};

const NAMES: [&str; 4] = ["Ann", "Bek", "Cyd", "Dan"];

/// Nothing takes that long when all works.
const PATIENCE: Duration = Duration::from_secs(30);

struct Game<'a> {
    stage: &'a mut dyn Stage,
    store: Arc<dyn Store>,
    dice: Dice,
    id: TableId,
}

impl<'a> Game<'a> {
    /// Four people sit down at a table that this command opens.
    async fn open(
        stage: &'a mut dyn Stage,
        store: Arc<dyn Store>,
        seed: u64,
        command: &str,
    ) -> Self {
        stage.send_group_message(NAMES[0], command).await;
        let (dice, id) = (Dice(seed), TableId(String::new()));
        let mut game = Game { stage, store, dice, id };
        for who in &NAMES[1..] {
            let (lobby, press) = game.button(who, |press| press.starts_with("j.")).await;
            game.id = TableCallback::decode(&press).expect("it is of a table").table;
            game.stage.press_button(who, &lobby, &press).await;
        }
        if game.table().await.phase == TablePhase::Lobby {
            let (lobby, press) = game.button(NAMES[0], |press| press.starts_with("G.")).await;
            game.stage.press_button(NAMES[0], &lobby, &press).await;
        }
        game
    }

    /// Plays until it is over and gives the table.
    async fn play(mut self, restart_at: usize) -> Table {
        for n in 0.. {
            let table = self.table().await;
            if table.phase != TablePhase::Playing {
                self.is_shown(&table).await;
                return table;
            }
            if n == restart_at {
                self.stage.restart().await;
            }
            let token = self.act(&table).await;
            let after = self.table().await;
            let kept = table.history.steps.len();
            assert!(
                after.history.steps.iter().take(kept).eq(table.history.steps.iter()),
                "nothing is lost"
            );
            let step = after.history.steps.iter().nth(kept).expect("a press does something");
            assert_eq!((step.seat, step.token), (table.seat_to_move(), token.as_str()));
            assert!(n < 5_000, "the game does not end");
        }
        unreachable!("it ends or fails")
    }

    /// The player on turn presses a button, a card of the own hand or one under the board.
    async fn act(&mut self, table: &Table) -> String {
        let turn = table.seat_to_move().expect("the game goes on");
        let who = table.seating.occupant(turn).expect("all sit").name.clone();
        let game = table.game.as_deref().expect("it is on");
        let cards: Vec<String> = game
            .hand(Seat(turn))
            .into_iter()
            .filter(|it| it.legal)
            .map(|it| it.choice.token)
            .collect();
        if cards.is_empty() {
            let fits = |callback_data: &str| played(callback_data, table).filter(|it| it != "undo");
            let (board, _) = self.button(&who, |press| fits(press).is_some()).await;
            let tokens: Vec<(String, String)> = board
                .buttons
                .iter()
                .filter_map(|(_, press)| Some((press.clone(), fits(press)?)))
                .collect();
            let (press, token) = tokens[self.dice.below(tokens.len())].clone();
            self.stage.press_button(&who, &board, &press).await;
            return token;
        }
        let card = cards[self.dice.below(cards.len())].clone();
        let (hand, press) = self.card(&who, &card).await;
        self.stage.press_button(&who, &hand, &press).await;
        card
    }

    /// The button of a card in a person's hand; requests the hand if it is not there.
    async fn card(&mut self, who: &str, card: &str) -> (VisibleMessage, String) {
        let end = format!(".{card}");
        for _ in 0..3 {
            let held = self.stage.private_messages(who).await;
            let found = held.iter().rev().find_map(|hand| {
                let press = hand.buttons.iter().find(|(_, press)| press.ends_with(&end))?;
                Some((hand.clone(), press.1.clone()))
            });
            if let Some(found) = found {
                return found;
            }
            let (board, press) = self.button(who, |press| press.starts_with("i.")).await;
            self.stage.press_button(who, &board, &press).await;
        }
        panic!("{who} is not shown {card}: {:#?}", self.stage.private_messages(who).await)
    }

    /// The newest message for all with a button like that, and what the button carries.
    async fn button(
        &mut self,
        who: &str,
        fits: impl Fn(&str) -> bool + Send,
    ) -> (VisibleMessage, String) {
        button(self.stage, who, PATIENCE, fits).await
    }

    /// Everybody sees that it is over, with a button for the record.
    async fn is_shown(&mut self, table: &Table) {
        assert!(table.is_over(), "{:?}", table.phase);
        let record = format!("c.{}", table.id.0);
        for who in NAMES {
            self.button(who, |press| press == record).await;
        }
        assert_eq!(self.stage.complaints().await, Vec::<String>::new());
    }

    async fn table(&self) -> Table {
        let lines = self.store.read_log(&self.id.0, 0).await.unwrap();
        Table::from_log(&self.id, &lines).unwrap()
    }
}

const THAAYAM: &str = "/thaayam pieces=1";
const BLOT: &str = "/blot target=101";

async fn both(mut stages: [(Box<dyn Stage>, Arc<dyn Store>); 2]) {
    for ((stage, store), (command, seed)) in stages.iter_mut().zip([(THAAYAM, 21), (BLOT, 22)]) {
        stage.people(&NAMES.map(str::to_owned)).await;
        let game = Game::open(stage.as_mut(), store.clone(), seed, command).await;
        let table = game.play(25).await;
        assert!(table.history.steps.len() > 30, "{command}");
    }
}

fn store() -> Arc<dyn Store> {
    Arc::new(MemoryStore::default())
}

#[tokio::test]
async fn games_of_four_in_the_built_in_chat() {
    let stores = [store(), store()];
    let [first, second] = stores.clone();
    both([
        (Box::new(WebStage::new(first.clone()).await), first),
        (Box::new(WebStage::new(second.clone()).await), second),
    ])
    .await;
}

#[cfg(feature = "discord")]
#[tokio::test]
async fn games_of_four_on_discord() {
    use crate::stage::discord::DiscordStage;
    let [first, second] = [store(), store()];
    both([
        (Box::new(DiscordStage::new(first.clone()).await), first),
        (Box::new(DiscordStage::new(second.clone()).await), second),
    ])
    .await;
}

/// With the limits of Telegram in force, as an ordinary member and as an admin of the group.
#[cfg(feature = "telegram")]
#[tokio::test]
async fn games_of_four_on_telegram() {
    use crate::fake_telegram::Standing;
    use crate::stage::telegram::TelegramStage;
    for (command, seed, admin) in [(THAAYAM, 23, false), (BLOT, 24, false), (BLOT, 25, true)] {
        let store = store();
        let mut stage = TelegramStage::new(store.clone()).await;
        stage.people(&NAMES.map(str::to_owned)).await;
        stage.tg.limit_rates();
        if admin {
            stage.tg.set_standing(stage.spot.chat, Standing::Admin);
        }
        Game::open(&mut stage, store, seed, command).await.play(25).await;
        let in_group = |it: &&crate::fake_telegram::Call| {
            let speaks = ["send", "edit"].iter().any(|verb| it.method.starts_with(verb));
            speaks && it.answer["ok"] == true && it.params["chat_id"] == stage.spot.chat
        };
        let times: Vec<u64> = stage.tg.calls().iter().filter(in_group).map(|it| it.at_ms).collect();
        let in_a_minute = (0..times.len())
            .map(|n| times[n..].iter().take_while(|at| **at < times[n] + 60_000).count());
        // As many as Telegram allows. Its first refusals told the bot how many that is.
        let most = in_a_minute.max();
        assert!(most.is_some() && most <= Some(20), "{command}: {} calls, {most:?}", times.len());
    }
}
