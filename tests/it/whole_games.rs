//! Whole games of random moves, made by pressing buttons on each platform while things go wrong:
//! updates come twice, calls fail, the bot restarts. Nothing may be lost or done twice.

use std::sync::Arc;
use std::time::Duration;

use caravanserai_bot::commands::TableCallback;
use caravanserai_games::ids::TableId;
use caravanserai_store::Store;
use caravanserai_store::memory::MemoryStore;
use caravanserai_table::command::{Command, MoveChoice};
use caravanserai_table::state::{Table, TablePhase};

#[cfg(feature = "discord")]
use crate::fake_discord::Failure;
#[cfg(feature = "telegram")]
use crate::fake_telegram::Fault;
#[cfg(feature = "discord")]
use crate::stage::discord::DiscordStage;
#[cfg(feature = "telegram")]
use crate::stage::telegram::TelegramStage;
use crate::stage::web::WebStage;
use crate::stage::{Stage, VisibleMessage};

/// How many games are played in a row: pictures are drawn slowly in tests.
fn games() -> usize {
    if std::env::var_os("RUN_SLOW_TESTS").is_some() { 4 } else { 1 }
}

/// The seed of an evening; `SEED` repeats or varies it.
fn seed(usual: u64) -> u64 {
    let given = std::env::var("SEED").ok().and_then(|it| it.parse().ok());
    let seed = given.unwrap_or(usual);
    eprintln!("SEED={seed}");
    seed
}

/// Nothing takes that long when all works.
const PATIENCE: Duration = Duration::from_secs(20);

/// Numbers by chance, the same for the same seed: splitmix64.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % n as u64).expect("below the size of an index")
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// A stage where something can be made to go wrong.
trait Rough: Stage {
    /// Every update comes twice from now on, and the platform's limits are in force.
    fn switch_on(&mut self);
    /// One of the next calls fails.
    fn go_wrong(&mut self, dice: &mut Dice);
}

impl Rough for WebStage {
    fn switch_on(&mut self) {
        self.repeat = true;
    }

    fn go_wrong(&mut self, _: &mut Dice) {}
}

#[cfg(feature = "telegram")]
impl Rough for TelegramStage {
    fn switch_on(&mut self) {
        self.tg.deliver_twice();
        self.tg.limit_rates();
    }

    fn go_wrong(&mut self, dice: &mut Dice) {
        let method = dice.pick(&["editMessageMedia", "editMessageMedia", "sendPhoto"]);
        let server = Fault::Server(dice.pick(&[500, 502, 504]));
        let faults = [Fault::TooMany(3), server, Fault::CutBefore, Fault::CutAfter];
        self.tg.fail_next(1, Some(method), dice.pick(&faults));
    }
}

#[cfg(feature = "discord")]
impl Rough for DiscordStage {
    fn switch_on(&mut self) {
        self.dc.duplicates(true);
        self.dc.limit(5, Duration::from_secs(5));
    }

    fn go_wrong(&mut self, dice: &mut Dice) {
        let (method, path) = ("PATCH", "/messages/");
        let failure = match dice.below(4) {
            0 => Failure::Answer { method, path, status: dice.pick(&[500, 502, 503]) },
            1 => Failure::TooMany { method, path, wait_ms: 1_500 },
            2 => Failure::CutBefore { method, path },
            _ => Failure::CutAfter { method, path },
        };
        self.dc.fail(failure);
    }
}

/// Plays games on a stage.
struct Evening<S> {
    stage: S,
    store: Arc<dyn Store>,
    dice: Dice,
}

impl<S: Rough> Evening<S> {
    async fn begin(mut stage: S, store: Arc<dyn Store>, seed: u64) -> Self {
        stage.people(&["Ann".to_owned(), "Bek".to_owned()]).await;
        stage.switch_on();
        Self { stage, store, dice: Dice(seed) }
    }

    async fn play(&mut self) {
        for _ in 0..games() {
            let played = tokio::time::timeout(PATIENCE * 5, self.game()).await;
            assert!(played.is_ok(), "a game never ended");
        }
        assert_eq!(self.stage.complaints().await, Vec::<String>::new());
    }

    /// One game from the challenge to the result.
    async fn game(&mut self) {
        let (opener, friend) = self.dice.pick(&[("Ann", "Bek"), ("Bek", "Ann")]);
        let variant = self.dice.pick(&["", " short"]);
        self.stage.send_group_message(opener, &format!("/togyz @{friend}{variant}")).await;
        let (message, press) = self.button(friend, |press| press.starts_with("j.")).await;
        let id = TableCallback::decode(&press).expect("it is of a table").table;
        self.stage.press_button(friend, &message, &press).await;
        let mut made = Vec::new();
        let restart_at = self.dice.below(40);
        loop {
            let table = self.table(&id).await;
            let tokens: Vec<&str> = table.history.steps.iter().map(|it| it.token).collect();
            assert_eq!(tokens, made, "each move once, and no other");
            if table.phase != TablePhase::Playing {
                self.is_shown(&table).await;
                return;
            }
            if made.len() == restart_at {
                self.stage.restart().await;
            }
            made.push(self.make_a_move(&table).await);
        }
    }

    /// The player on turn presses a button; sometimes twice, sometimes the other presses too.
    async fn make_a_move(&mut self, table: &Table) -> String {
        let turn = table.seat_to_move().expect("the game goes on");
        let name = |seat: u8| table.seating.occupant(seat).expect("both sit").name.clone();
        let (who, other) = (name(turn), name(1 - turn));
        let choice = |callback_data: &str| played(callback_data, table);
        let (message, _) = self.button(&who, |press| choice(press).is_some()).await;
        let moves = message.buttons.iter().filter(|(_, it)| choice(it).is_some());
        let moves: Vec<&String> = moves.map(|(_, press)| press).collect();
        let press = self.dice.pick(&moves);
        if self.dice.one_in(4) {
            self.stage.go_wrong(&mut self.dice);
        }
        if self.dice.one_in(15) {
            self.stage.press_button(&other, &message, press).await;
        }
        self.stage.press_button(&who, &message, press).await;
        if self.dice.one_in(15) {
            self.stage.press_button(&who, &message, press).await;
        }
        choice(press).expect("it was chosen because it is a move")
    }

    /// The newest message with a button like that, and what the button carries.
    async fn button(
        &mut self,
        who: &str,
        fits: impl Fn(&str) -> bool + Send,
    ) -> (VisibleMessage, String) {
        button(&mut self.stage, who, PATIENCE, fits).await
    }

    /// The board shows the result that the log has.
    async fn is_shown(&mut self, table: &Table) {
        let TablePhase::Over { scores, .. } = &table.phase else {
            panic!("the game has no result: {:?}", table.phase);
        };
        for who in ["Ann", "Bek"] {
            let record = format!("c.{}", table.id.0);
            let (message, _) = self.button(who, |press| press == record).await;
            // The winner's number is beside the winner.
            let (more, fewer) = (scores[0].max(scores[1]), scores[0].min(scores[1]));
            let result = format!("{more} : {fewer}");
            assert!(message.text.contains(&result), "{result} is not in {}", message.text);
        }
    }

    async fn table(&self, id: &TableId) -> Table {
        let lines = self.store.read_log(&id.0, 0).await.unwrap();
        Table::from_log(id, &lines).unwrap()
    }
}

/// Waits for the newest message for all with a button like that, and gives what it carries.
///
/// # Panics
/// When nothing like that comes in time.
pub async fn button(
    stage: &mut dyn Stage,
    who: &str,
    patience: Duration,
    fits: impl Fn(&str) -> bool + Send,
) -> (VisibleMessage, String) {
    let look = async {
        loop {
            let seen = stage.visible_messages(who).await;
            let found = seen.iter().rev().find_map(|message| {
                let button = message.buttons.iter().find(|(_, press)| fits(press))?;
                Some((message.clone(), button.1.clone()))
            });
            match found {
                Some(found) => return found,
                None => stage.wait_for_change().await,
            }
        }
    };
    let found = tokio::time::timeout(patience, look).await;
    match found {
        Ok(found) => found,
        Err(_) => panic!("no such button; {who} sees {:#?}", stage.visible_messages(who).await),
    }
}

/// The move a button makes at this table now.
pub fn played(press: &str, table: &Table) -> Option<String> {
    let press = TableCallback::decode(press).filter(|it| it.table == table.id)?;
    match press.action.command() {
        Some(Command::Move { position: Some(at), choice: MoveChoice::Token(token) })
            if *at == table.history.position =>
        {
            Some(token.clone())
        }
        _ => None,
    }
}

fn store() -> Arc<dyn Store> {
    Arc::new(MemoryStore::default())
}

#[tokio::test]
async fn whole_games_in_the_built_in_chat() {
    let store = store();
    let stage = WebStage::new(store.clone()).await;
    Evening::begin(stage, store, seed(11)).await.play().await;
}

#[cfg(feature = "discord")]
#[tokio::test]
async fn whole_games_on_discord() {
    let store = store();
    let stage = DiscordStage::new(store.clone()).await;
    Evening::begin(stage, store, seed(12)).await.play().await;
}

#[cfg(feature = "telegram")]
#[tokio::test]
async fn whole_games_on_telegram() {
    let store = store();
    let stage = TelegramStage::new(store.clone()).await;
    let mut evening = Evening::begin(stage, store, seed(13)).await;
    evening.play().await;
    let stage = evening.stage;
    let in_group = |it: &&crate::fake_telegram::Call| {
        let speaks = ["send", "edit", "delete"].iter().any(|verb| it.method.starts_with(verb));
        speaks && it.answer["ok"] == true && it.params["chat_id"] == stage.spot.chat
    };
    let times: Vec<u64> = stage.tg.calls().iter().filter(in_group).map(|it| it.at_ms).collect();
    let most = (0..times.len())
        .map(|n| times[n..].iter().take_while(|at| **at < times[n] + 60_000).count());
    assert!(times.len() > 30, "{} calls", times.len());
    // As many as Telegram allows. Its first refusals told the bot how many that is.
    assert!(most.clone().max() <= Some(20), "calls in a minute: {:?}", most.max());
}
