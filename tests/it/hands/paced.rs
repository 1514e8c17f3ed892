//! Hands and boards stay current where four people play fast and the server limits calls.

use caravanserai_bot::commands::TableCallback;
use caravanserai_bot::commands::make_move::PlayNumberedCard;
use caravanserai_table::state::TablePhase;

use super::*;
use crate::fake_telegram::Person;
use crate::stage::telegram::TelegramStage;

/// How often the test looks whether a hand is current, in milliseconds.
const LOOK_MS: u64 = 500;

/// How often people who wait look whether they can act, in milliseconds.
const GLANCE_MS: u64 = 100;

/// How long people think about a card, in milliseconds.
const THINK_MS: u64 = 2_000;

/// How long people wait before they ask for their hand again, in milliseconds.
const ASK_AGAIN_MS: u64 = 3_000;

/// What was measured in a deal.
#[derive(Debug, Default)]
struct Measured {
    turns: u64,
    /// Turns in which the player to move was shown their hand before they played.
    shown: u64,
    /// How often the player to move had to ask for their hand, and got a picture.
    asked: u64,
    pictures: u64,
    /// The longest time in which the player to move saw no current hand, and no current board.
    stale_ms: u64,
    board_ms: u64,
}

/// Four people who see their hands; the bot is a plain member of the group.
struct Four {
    stage: TelegramStage,
    store: Arc<dyn Store>,
    id: TableId,
}

impl Four {
    async fn new() -> Self {
        let store = store();
        let mut stage = TelegramStage::new(store.clone()).await;
        people(&mut stage).await;
        play("seated", SEATED, &mut stage).await;
        for who in NAMES {
            play("asked", &format!("{who} presses My hand\n{who} gets picture {HAND}"), &mut stage)
                .await;
        }
        let board = stage
            .visible_messages("Ann")
            .await
            .into_iter()
            .rev()
            .find(VisibleMessage::is_board)
            .unwrap();
        let id = board.buttons.iter().find_map(|it| it.1.strip_prefix("i.")).unwrap();
        let id = TableId(id.to_owned());
        stage.pass_ms(120_000).await;
        Four { stage, store, id }
    }

    /// Four people who have just sat down, with the limits on, and have not seen their hands.
    async fn just_seated() -> Self {
        let store = store();
        let mut stage = TelegramStage::new(store.clone()).await;
        people(&mut stage).await;
        stage.tg.limit_rates();
        play("seated", SEATED, &mut stage).await;
        let board = stage
            .visible_messages("Ann")
            .await
            .into_iter()
            .rev()
            .find(VisibleMessage::is_board)
            .unwrap();
        let id = board.buttons.iter().find_map(|it| it.1.strip_prefix("i.")).unwrap();
        let id = TableId(id.to_owned());
        Four { stage, store, id }
    }

    async fn table(&self) -> Table {
        Table::from_log(&self.id, &self.store.read_log(&self.id.0, 0).await.unwrap()).unwrap()
    }

    /// How presses at this position begin.
    fn at(&self, table: &Table) -> String {
        format!("p.{}.{}.", table.id.0, table.history.position)
    }

    /// The private message with a person's hand, if it is of this position.
    fn hand(&self, person: &Person, table: &Table) -> Option<i64> {
        let mut seen = person.sees(self.stage.spot.chat);
        seen.retain(|it| {
            it.media.is_some()
                && it.buttons.iter().flatten().any(|it| it.1.starts_with(&self.at(table)))
        });
        seen.into_iter().find_map(|it| it.ephemeral)
    }

    /// The board, and whether it is of this position.
    fn board(&self, person: &Person, table: &Table) -> (i64, bool) {
        let hand = format!("i.{}", table.id.0);
        let own = |it: &crate::fake_telegram::VisibleMessage| {
            it.ephemeral.is_none() && it.buttons.iter().flatten().any(|it| it.1 == hand)
        };
        let seen = person.sees(self.stage.spot.chat).into_iter().rev().find(own);
        let seen = seen.expect("the board stands in the group");
        let turn = table.seat_to_move().and_then(|it| table.seating.occupant(it));
        let name = turn.map(|it| it.name.clone()).unwrap_or_default();
        (seen.id, seen.text.lines().last().is_some_and(|it| it.contains(&name)))
    }

    /// Plays a deal. Each player waits for half of the time of a turn, then asks for their hand if
    /// it is not current.
    async fn deal(&mut self, turn_ms: u64) -> Measured {
        let mut measured = Measured::default();
        let [mut hand_since, mut board_since] = [self.stage.now_ms(); 2];
        loop {
            let table = self.table().await;
            let deals = table.history.steps.iter().filter(|it| it.seat.is_none()).count();
            if deals > 1 || table.phase != TablePhase::Playing {
                return measured;
            }
            let seat = table.seat_to_move().expect("the deal goes on");
            let person = self.stage.people[&table.seating.occupant(seat).unwrap().name].clone();
            let began = self.stage.now_ms();
            let mut asked = false;
            for look in 1..=turn_ms / LOOK_MS {
                self.stage.run_until(began + look * LOOK_MS).await;
                let now = self.stage.now_ms();
                let (board, is_current) = self.board(&person, &table);
                if is_current {
                    board_since = now;
                }
                if !asked && 2 * look * LOOK_MS > turn_ms && self.hand(&person, &table).is_none() {
                    asked = true;
                    measured.asked += 1;
                    let press = format!("i.{}", self.id.0);
                    let told = person.press_stale(self.stage.spot.chat, board, &press).await;
                    self.stage.run_until(now).await;
                    let picture = self.hand(&person, &table).is_some();
                    assert!(picture || told.text.starts_with(HAND), "{told:?}");
                    measured.pictures += u64::from(picture);
                }
                if self.hand(&person, &table).is_some() {
                    hand_since = now;
                }
                measured.stale_ms = measured.stale_ms.max(now - hand_since);
                measured.board_ms = measured.board_ms.max(now - board_since);
            }
            measured.turns += 1;
            measured.shown += u64::from(self.hand(&person, &table).is_some());
            self.act(&table, &person).await;
        }
    }

    /// What the player to move presses: the first bid, a pass, or the first legal card.
    fn press(&self, table: &Table) -> String {
        let seat = table.seat_to_move().expect("the deal goes on");
        let tokens = table.game.as_deref().unwrap().choices(Seat(seat));
        let spoken = table.history.steps.iter().any(|it| it.seat.is_some());
        let token = match tokens.iter().find(|it| it.token == "pass") {
            Some(pass) if spoken => &pass.token,
            _ => &tokens.iter().find(|it| it.token != "pass").unwrap().token,
        };
        format!("{}{token}", self.at(table))
    }

    /// Acts from the hand if it is current, else under the board.
    async fn act(&mut self, table: &Table, person: &Person) {
        let (press, chat) = (self.press(table), self.stage.spot.chat);
        let (board, _) = self.board(person, table);
        let told = match self.hand(person, table) {
            Some(hand) => person.press_ephemeral_stale(chat, hand, &press).await,
            None => person.press_stale(chat, board, &press).await,
        };
        assert!(told.text.starts_with('✓'), "{press}: {told:?}");
    }
}

/// How people who act as soon as they can know that they are on turn and what they hold.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Habit {
    /// They wait until their hand shows it, and ask for nothing.
    Wait,
    /// They ask for their hand at once and again and again, and play by numbers where that is
    /// sooner.
    Ask,
}

impl Four {
    /// Plays a deal in which everybody acts as soon as they see the position and have thought.
    /// Returns how long each of them waited to see it.
    async fn hurried_deal(&mut self, habit: Habit) -> Vec<u64> {
        let mut waits = Vec::new();
        loop {
            let table = self.table().await;
            let deals = table.history.steps.iter().filter(|it| it.seat.is_none()).count();
            if deals > 1 || table.phase != TablePhase::Playing {
                return waits;
            }
            waits.push(self.hurried_turn(&table, habit).await);
        }
    }

    async fn hurried_turn(&self, table: &Table, habit: Habit) -> u64 {
        let seat = table.seat_to_move().expect("the deal goes on");
        let person = self.stage.people[&table.seating.occupant(seat).unwrap().name].clone();
        let (chat, began) = (self.stage.spot.chat, self.stage.now_ms());
        let mut asked = None;
        loop {
            if let Some((message, press)) = self.offered(&person, table, habit, asked.is_some()) {
                let waited = self.stage.now_ms() - began;
                self.stage.run_until(self.stage.now_ms() + THINK_MS).await;
                let told = match message.ephemeral {
                    Some(id) => person.press_ephemeral_stale(chat, id, &press).await,
                    None => person.press_stale(chat, message.id, &press).await,
                };
                assert!(told.text.starts_with('✓'), "{press}: {told:?}");
                return waited;
            }
            let now_ms = self.stage.now_ms();
            if habit == Habit::Ask && asked.is_none_or(|it| it + ASK_AGAIN_MS <= now_ms) {
                let (board, _) = self.board(&person, table);
                person.press_stale(chat, board, &format!("i.{}", self.id.0)).await;
                asked = Some(now_ms);
            }
            self.stage.run_until(now_ms + GLANCE_MS).await;
        }
    }

    /// A button of this position for the player to move, and the message under which it is.
    fn offered(
        &self,
        person: &Person,
        table: &Table,
        habit: Habit,
        knows_numbers: bool,
    ) -> Option<(crate::fake_telegram::VisibleMessage, String)> {
        let press = self.press(table);
        let hand = table.game.as_deref().unwrap().hand(Seat(table.seat_to_move()?));
        let card = hand.iter().position(|it| it.legal);
        let fits = |message: &crate::fake_telegram::VisibleMessage, it: &str| {
            if it == press {
                return message.ephemeral.is_some() || habit == Habit::Ask;
            }
            let callback = TableCallback::decode(it);
            let action = callback.as_ref().and_then(|it| it.action.downcast_ref());
            let Some(PlayNumberedCard { position, n }) = action else { return false };
            knows_numbers
                && *position == table.history.position
                && card == usize::from(*n).checked_sub(1)
        };
        person.sees(self.stage.spot.chat).into_iter().rev().find_map(|message| {
            let mut buttons = message.buttons.iter().flatten();
            let found = buttons.find(|it| fits(&message, &it.1))?.1.clone();
            Some((message, found))
        })
    }
}

#[tokio::test]
async fn no_player_to_move_waits_long_for_their_hand_in_a_hurried_deal() {
    // How long the player to move waits at most, and how long the deal takes.
    for (habit, wait_ms, deal_ms) in [(Habit::Wait, 10_000, 180_000), (Habit::Ask, 6_000, 170_000)]
    {
        let mut four = match habit {
            Habit::Wait => Four::new().await,
            Habit::Ask => Four::just_seated().await,
        };
        four.stage.tg.limit_rates();
        let began = four.stage.now_ms();
        let waits = four.hurried_deal(habit).await;
        let took_ms = four.stage.now_ms() - began;
        let told = format!("{habit:?}: {} turns in {took_ms} ms, waits {waits:?}", waits.len());
        println!("{told}");
        assert!(waits.iter().all(|it| *it <= wait_ms) && took_ms <= deal_ms, "{told}");
        let refused = |it: &crate::fake_telegram::Call| it.answer["error_code"] == 429;
        let refused: Vec<_> = four.stage.tg.calls().into_iter().filter(refused).collect();
        assert!(refused.is_empty(), "{refused:#?}");
        assert_eq!(four.stage.complaints().await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn the_hand_of_the_player_to_move_is_current_within_limits() {
    // How long a turn is; at least how many percent of turns show the hand, and of requests get a
    // picture; at most how long the hand and the board are out of date.
    let bounds = [
        (4_000, 75, 45, 12_000, 18_000),
        (3_000, 60, 40, 14_000, 20_000),
        (2_000, 40, 20, 16_000, 18_000),
    ];
    // All pictures are drawn once before, so that no order of calls depends on how long that takes.
    Four::new().await.deal(bounds[0].0).await;
    for (turn_ms, shown, pictures, stale_ms, board_ms) in bounds {
        let mut four = Four::new().await;
        four.stage.tg.limit_rates();
        let measured = four.deal(turn_ms).await;
        let told = format!("{turn_ms} ms a move: {measured:?}");
        println!("{told}");
        assert!(100 * measured.shown >= shown * measured.turns, "{told}");
        assert!(100 * measured.pictures >= pictures * measured.asked, "{told}");
        assert!(measured.stale_ms <= stale_ms && measured.board_ms <= board_ms, "{told}");
        let refused = |it: &crate::fake_telegram::Call| it.answer["error_code"] == 429;
        let refused = four.stage.tg.calls().into_iter().filter(refused).count();
        assert!(refused <= 2, "{refused} calls were too many; {told}");
        assert_eq!(four.stage.complaints().await, Vec::<String>::new());
    }
}

/// Bids are pressed under the board, and the hand still shows those of the auction.
#[tokio::test]
async fn an_old_button_of_a_hand_brings_the_hand_as_it_is_now() {
    let mut four = Four::new().await;
    let chat = four.stage.spot.chat;
    let first = four.table().await;
    let who = first.seating.occupant(first.seat_to_move().unwrap()).unwrap().name.clone();
    let person = four.stage.people[&who].clone();
    let old = format!("{}pass", four.at(&first));
    let hand = four.hand(&person, &first).expect("it was shown");
    for _ in 0..4 {
        let table = four.table().await;
        let (seat, press) = (table.seat_to_move().unwrap(), four.press(&table));
        let person = four.stage.people[&table.seating.occupant(seat).unwrap().name].clone();
        let (board, _) = four.board(&person, &table);
        let told = person.press_stale(chat, board, &press).await;
        assert!(told.text.starts_with('✓'), "{press}: {told:?}");
    }
    let table = four.table().await;
    let told = person.press_ephemeral_stale(chat, hand, &old).await;
    assert!(told.text.starts_with("That board is from"), "{told:?}");
    let now_ms = four.stage.now_ms();
    four.stage.run_until(now_ms).await;
    assert!(four.hand(&person, &table).is_some(), "{:#?}", person.sees(chat));
    assert_eq!(four.stage.complaints().await, Vec::<String>::new());
}
