//! Games with computers that have ratings: what counts, what does not, and that a rebuild gives the
//! same again. The ratings are those of the toy game, so that they are known.

use std::sync::Arc;

use caravanserai_bot::repository::{BotLimits, Repository, SystemClock};
use caravanserai_bot::results::projector::ResultProjector;
use caravanserai_bot::results::row_formats;
use caravanserai_bot::results::stored_results::result_key;
use caravanserai_games::GameId;
use caravanserai_games::ids::{ChatId, ChatKind, PersonId, TableId};
use caravanserai_games::search::ComputerLevel;
use caravanserai_results::glicko::GameWeight;
use caravanserai_results::{
    CasualReason, GameOutcome, GameResult, GlickoRating, Rating, RatingList, RatingScope,
    computer_rating, computer_rating_in,
};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Commit, Put, Space, Store};
use caravanserai_table::event::{LOG_FORMAT, computer_id};
use caravanserai_table::state::Table;
use caravanserai_table::{
    Actor, Command, EndReason, Event, EventMeta, FirstMover, TableSetup, apply_external_event,
    decide, open_table, tick,
};

use crate::{register_once, stage};

const ANN: &str = "web:ann";
const HOUR_MS: u64 = 3_600_000;
/// 1 June 2026.
const JUNE_MS: u64 = 1_780_272_000_000;

/// A game of Ann, who begins, against a computer, after these events in the lobby.
fn game(id: &str, level: ComputerLevel, lobby: &[Event]) -> Table {
    table(id, level, lobby, true)
}

fn table(id: &str, level: ComputerLevel, lobby: &[Event], start: bool) -> Table {
    let mut events = vec![
        Event::Seated { person: PersonId(ANN.to_owned()), name: "Ann".to_owned() },
        Event::Seated { person: computer_id(level), name: String::new() },
    ];
    events.extend_from_slice(lobby);
    let meta = EventMeta::received_now(JUNE_MS, "web/1");
    open_table(&TableId(id.to_owned()), setup(), events, start, meta).unwrap().table
}

fn setup() -> TableSetup {
    let (game, _) = register_once();
    TableSetup {
        format: LOG_FORMAT,
        game,
        revision: game.info().revision,
        options: game.info().default_options(),
        seats: 2,
        begin: FirstMover::Opener,
        chat: ChatId("web:room".to_owned()),
        kind: ChatKind::Group,
        seed: [7; 32],
        opener: PersonId(ANN.to_owned()),
        coached: false,
    }
}

pub(crate) fn medium() -> Table {
    game("7k3fx22", ComputerLevel::Medium, &[])
}

pub(crate) fn then(table: &Table, event: Event) -> Table {
    let meta = EventMeta::received_now(JUNE_MS + HOUR_MS, "web/2");
    apply_external_event(table, event, meta).unwrap().table
}

/// The result when Ann and the computer get these points.
fn ended(table: &Table, scores: [i32; 2]) -> GameResult {
    let (scores, reason) = (scores.to_vec(), EndReason::PlayedOut);
    then(table, Event::GameOver { scores, reason }).game_result().unwrap()
}

#[test]
fn a_game_with_a_computer_of_known_rating_counts_half() {
    let table = medium();
    assert!(table.counts_half());
    assert_eq!(table.computer_rating(ComputerLevel::Master), Some(1700));
    assert_eq!(ended(&table, [1, 0]).casual, []);
    let casual = game("7k3fx22", ComputerLevel::Medium, &[Event::RatedSet { rated: false }]);
    assert!(!casual.counts_half());
    assert_eq!(ended(&casual, [1, 0]).casual, [CasualReason::Chosen]);
}

#[test]
fn a_rating_holds_in_its_list_and_by_standard_rules() {
    let (game, _) = register_once();
    let code = game.info().code;
    let rating = |seats, options| {
        let list = RatingList::for_seats(code, seats, false).unwrap();
        computer_rating(&list, options, ComputerLevel::Easy)
    };
    let found = rating(2, "standard").unwrap();
    assert_eq!((found.displayed(), found.deviation()), (1400, 45.0));
    assert_eq!(rating(2, "others"), None);
    assert_eq!(rating(3, "standard"), None);
}

/// Earlier programs started games without the event for computers; `rated on` was for people.
#[test]
fn a_game_that_began_before_computers_had_ratings_does_not_count() {
    for lobby in [&[][..], &[Event::RatedSet { rated: true }]] {
        let waiting = table("7k3fx22", ComputerLevel::Medium, lobby, false);
        let start = Event::Started { order: vec![0, 1], leavers_lose: false, pair_limit: None };
        let old = then(&waiting, start);
        assert_eq!(ended(&old, [1, 0]).casual, [CasualReason::ComputerUnrated]);
        let hinted = then(&old, Event::HintGiven { seat: 0 });
        assert_eq!(ended(&hinted, [1, 0]).casual, [CasualReason::ComputerUnrated]);
        assert!(!hinted.would_count_as_loss_to_computers());
        assert!(game("7k3fx22", ComputerLevel::Medium, lobby).counts_half());
    }
}

#[test]
fn after_a_hint_or_a_takeback_only_a_loss_counts() {
    let hinted = then(&medium(), Event::HintGiven { seat: 0 });
    let back = then(&medium(), Event::MovesTakenBack { steps: 0 });
    for (table, reason) in [(hinted, CasualReason::Hints), (back, CasualReason::Takeback)] {
        assert_eq!(table.casual_reasons(), [reason]);
        for scores in [[1, 0], [0, 0]] {
            assert_eq!(ended(&table, scores).casual, [reason]);
        }
        assert_eq!(ended(&table, [0, 1]).casual, []);
    }
    let meant = game("7k3fx22", ComputerLevel::Medium, &[Event::HintsSet { hints: true }]);
    assert_eq!(ended(&meant, [0, 1]).casual, [CasualReason::Hints]);
}

fn ann(now_ms: u64) -> Actor {
    Actor {
        person: PersonId(ANN.to_owned()),
        name: "Ann".to_owned(),
        username: None,
        chat: ChatId("web:room".to_owned()),
        is_admin: false,
        is_chat_admin: false,
        cause: "web/3".to_owned(),
        now_ms,
        received_ms: now_ms,
    }
}

fn refusal_of(table: &Table, command: &Command) -> String {
    decide(table, &ann(JUNE_MS + 2 * HOUR_MS), command).unwrap_err().text.key.to_string()
}

#[test]
fn leaving_after_a_hint_is_a_loss_that_counts() {
    let hinted = then(&medium(), Event::HintGiven { seat: 0 });
    let person = computer_id(ComputerLevel::Easy);
    let left = then(&hinted, Event::SeatReplaced { seat: 0, person, name: String::new() });
    assert_eq!(left.casual_reasons(), [CasualReason::Hints, CasualReason::Substitute]);
    let result = ended(&left, [1, 0]);
    let [leaver] = &result.leavers[..] else { panic!("one has left") };
    assert_eq!(leaver.casual, []);
}

#[test]
fn a_takeback_does_not_make_a_lost_game_one_that_can_be_aborted() {
    assert!(medium().can_be_aborted());
    let back = then(&medium(), Event::MovesTakenBack { steps: 0 });
    assert!(!back.can_be_aborted());
    assert_eq!(refusal_of(&back, &Command::Abort), "refuse-abort-rated");
    let casual = game("7k3fx22", ComputerLevel::Medium, &[Event::RatedSet { rated: false }]);
    assert!(then(&casual, Event::MovesTakenBack { steps: 0 }).can_be_aborted());
}

#[test]
fn an_admin_cannot_make_a_player_lose_to_computers() {
    let day_ms = 24 * HOUR_MS;
    let admin =
        |now_ms| Actor { person: PersonId("web:cem".to_owned()), is_admin: true, ..ann(now_ms) };
    let abort_game = |table: &Table, days: u64| {
        decide(table, &admin(JUNE_MS + days * day_ms), &Command::AbortAbandoned)
    };
    let refused = abort_game(&medium(), 20).unwrap_err().text;
    assert_eq!(refused.key, "refuse-not-abandoned");
    let casual = game("7k3fx22", ComputerLevel::Medium, &[Event::RatedSet { rated: false }]);
    assert!(abort_game(&casual, 20).is_ok());
}

/// Ann cannot help it if the computer does not move.
#[test]
fn a_game_that_waits_for_a_computer_is_not_lost() {
    let second = [Event::FirstMoverSet { begin: FirstMover::Friend }];
    let table = game("7k3fx22", ComputerLevel::Easy, &second);
    let ended = tick(&table, JUNE_MS + 99 * 24 * HOUR_MS).unwrap().table;
    assert!(ended.game_result().is_none());
}

#[test]
fn a_game_that_is_left_alone_for_90_days_is_lost_if_it_counts() {
    let day_ms = 24 * HOUR_MS;
    let counting = medium();
    assert!(tick(&counting, JUNE_MS + 89 * day_ms).is_none());
    let ended = tick(&counting, JUNE_MS + 91 * day_ms).unwrap().table;
    let result = ended.game_result().unwrap();
    assert_eq!(result.casual, []);
    assert!(result.seats[0].score < result.seats[1].score);
    let casual = game("7k3fx22", ComputerLevel::Medium, &[Event::RatedSet { rated: false }]);
    assert!(tick(&casual, JUNE_MS + 89 * day_ms).is_none());
    assert!(tick(&casual, JUNE_MS + 91 * day_ms).unwrap().table.game_result().is_none());
}

/// A store with results, and what is computed from them.
struct Bench {
    store: Arc<MemoryStore>,
    repository: Arc<Repository>,
    projector: ResultProjector,
}

impl Bench {
    fn new() -> Self {
        let store = Arc::new(MemoryStore::new());
        let chance = Box::new(|bytes: &mut [u8]| bytes.fill(7));
        let (clock, limits) = (Arc::new(SystemClock), BotLimits::default());
        let repository = Arc::new(Repository::new(store.clone(), clock, chance, limits));
        let projector = ResultProjector::new(repository.clone()).with_rebuild_interval(0);
        Bench { store, repository, projector }
    }

    async fn add(&self, result: &GameResult) {
        let key = result_key(result);
        let mark = Put::new(Space::Meta, row_formats::pending_result(&key), Vec::new());
        let puts = vec![mark, Put::new(Space::Result, key, result.encode())];
        self.store.commit(Commit::from_puts(puts)).await.unwrap();
        self.projector.project_pending().await.unwrap();
    }

    /// The number of Ann's rated games, and her displayed rating.
    async fn rated_games(&self) -> (u32, i32) {
        let person = PersonId(ANN.to_owned());
        let results = self.repository.results();
        let found = results.records(&RatingScope::OVERALL, &person).await.unwrap();
        let [(_, stored)] = &found[..] else { panic!("one list") };
        (stored.record.rated_games, stored.record.displayed_rating())
    }

    /// Why this game did not count for Ann.
    async fn reasons(&self, table: &TableId) -> Vec<CasualReason> {
        let person = PersonId(ANN.to_owned());
        let history = self.repository.results().history(&person, 0, 99).await.unwrap();
        history.entries.into_iter().find(|it| it.table == *table).unwrap().casual
    }

    /// All computed rows, without the number of the rebuild that wrote them.
    async fn computed(&self) -> Vec<(String, serde_json::Value)> {
        let mut all = Vec::new();
        for (key, bytes) in self.repository.read_all_rows(Space::Rating, "").await.unwrap() {
            let mut value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
            value.as_object_mut().map(|it| it.remove("epoch"));
            all.push((key, value));
        }
        all
    }
}

/// The result of a game of its own opening at a table of its own, so many hours after the first.
fn result(n: u64, level: ComputerLevel, scores: [i32; 2]) -> GameResult {
    let mut result = ended(&game(&format!("7k3fx{n:02}"), level, &[]), scores);
    result.ended_ms += n * HOUR_MS;
    result.opening = format!("5 {n}");
    result
}

#[tokio::test]
async fn rating_changes_against_computers_are_halved() {
    let bench = Bench::new();
    let won = result(1, ComputerLevel::Medium, [1, 0]);
    bench.add(&won).await;
    let rating = computer_rating_in(&won, "medium").unwrap();
    let Rating::Glicko(computer) = rating else { panic!("{rating:?}") };
    let after = |weight| GlickoRating::NEW.after_game(computer, GameOutcome::Win, weight).rating;
    let [half, full] = [GameWeight::Half, GameWeight::Full].map(after);
    assert!((half - 1500.0 - (full - 1500.0) / 2.0).abs() < 1e-6);
    let expected = (1, half.round() as i32);
    assert_eq!(bench.rated_games().await, expected);
    // What does not count.
    let mut again = result(2, ComputerLevel::Medium, [1, 0]);
    again.opening.clone_from(&won.opening);
    let mut guest = result(3, ComputerLevel::Medium, [1, 0]);
    guest.casual = vec![CasualReason::Guest];
    let mut others = result(4, ComputerLevel::Medium, [1, 0]);
    others.options = "others".to_owned();
    let reasons = [CasualReason::Farming, CasualReason::Guest, CasualReason::ComputerUnrated];
    for (casual, reason) in [again, guest, others].iter().zip(reasons) {
        bench.add(casual).await;
        assert_eq!(bench.reasons(&casual.table).await, [reason]);
    }
    assert_eq!(bench.rated_games().await, expected);
}

#[tokio::test]
async fn a_rebuild_of_games_with_computers_gives_the_same_again() {
    let bench = Bench::new();
    for n in 0..30 {
        let level = ComputerLevel::ALL[n as usize % 5];
        bench.add(&result(n, level, [[1, 0], [0, 1], [0, 0]][n as usize % 3])).await;
    }
    assert_eq!(bench.rated_games().await.0, 30);
    let expected = bench.computed().await;
    bench.projector.rebuild_all().await.unwrap();
    assert_eq!(bench.computed().await, expected);
}

#[tokio::test]
async fn a_game_with_a_computer_is_played_and_rated_in_a_chat() {
    register_once();
    let store = Arc::new(MemoryStore::default());
    let mut stage = stage::memory::MemoryStage::new(store).await;
    stage::play("computer", include_str!("computer.txt"), &mut stage).await;
}
