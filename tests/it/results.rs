//! Ratings, lists and histories follow from the results of finished games alone: in any order of
//! arrival, by any number of processes, and after every rebuild they are the same.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use caravanserai_bot::repository::hidden_names::HiddenScope;
use caravanserai_bot::repository::{BotLimits, Repository, keys};
use caravanserai_bot::results::projector::ResultProjector;
use caravanserai_bot::results::queries::HistoryFilter;
use caravanserai_bot::results::row_formats;
use caravanserai_bot::results::stored_results::result_key;
use caravanserai_bot::service::TimeSource;
use caravanserai_games::ids::{ChatId, PersonId, TableId};
use caravanserai_games::{GameId, PlayChoice};
use caravanserai_results::{
    CasualReason, GameOutcome, GameResult, Leaver, RatingScope, ResultShare, SeatResult,
};
use caravanserai_store::faulty::{Fault, FaultyStore};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::sled::SledStore;
use caravanserai_store::{Commit, Put, Space, Store, StoreRow};
use serde_json::json;

use crate::postgres;

/// 1 June 2026.
const JUNE_MS: u64 = 1_780_272_000_000;
const HOUR_MS: u64 = 3_600_000;

/// A day after all games. Nobody waits longer than the others need.
struct Later;

#[async_trait]
impl TimeSource for Later {
    fn now_ms(&self) -> u64 {
        JUNE_MS + 200 * 24 * HOUR_MS
    }

    async fn sleep_ms(&self, _ms: u64) {
        tokio::task::yield_now().await;
    }
}

/// A store with the results of finished games, and a projector on it.
struct Bench {
    store: Arc<dyn Store>,
    repository: Arc<Repository>,
    projector: ResultProjector,
}

impl Bench {
    fn new() -> Self {
        Self::on(Arc::new(MemoryStore::new()))
    }

    fn on(store: Arc<dyn Store>) -> Self {
        let chance = Box::new(|bytes: &mut [u8]| bytes.fill(7));
        let clock = Arc::new(Later);
        let repository =
            Arc::new(Repository::new(store.clone(), clock, chance, BotLimits::default()));
        let projector = ResultProjector::new(repository.clone()).with_rebuild_interval(0);
        Bench { store, repository, projector }
    }

    async fn add(&self, results: &[GameResult]) {
        let puts = results.iter().flat_map(|result| {
            let key = result_key(result);
            let mark = Put::new(Space::Meta, row_formats::pending_result(&key), Vec::new());
            [mark, Put::new(Space::Result, key, result.encode())]
        });
        self.store.commit(Commit::from_puts(puts.collect())).await.unwrap();
    }

    async fn project(&self) {
        self.projector.project_pending().await.unwrap();
    }

    /// All computed rows, without the number of the rebuild that wrote them.
    async fn computed(&self) -> Vec<(String, serde_json::Value)> {
        let rows = self.repository.read_all_rows(Space::Rating, "").await.unwrap();
        let value = |(key, bytes): StoreRow| {
            let mut value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
            if let Some(row) = value.as_object_mut() {
                row.remove("epoch");
            }
            (key, value)
        };
        rows.into_iter().map(value).collect()
    }
}

/// Numbers that look random and are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

fn seat(person: u64, score: i32) -> SeatResult {
    SeatResult {
        person: PersonId(format!("web:{person}")),
        name: format!("P{person}"),
        is_computer: false,
        level: None,
        score,
        counts: BTreeMap::new(),
        known_since_ms: Some(1),
        is_absent: false,
    }
}

fn game(n: u64, ended_ms: u64, seats: Vec<SeatResult>) -> GameResult {
    GameResult {
        table: TableId(format!("t{n:05}")),
        game: if seats.len() == 2 { "togyzkumalak" } else { "blot" }.to_owned(),
        options: "-".to_owned(),
        started_ms: ended_ms - HOUR_MS / 2,
        ended_ms,
        chat: format!("web:room{}", n % 2),
        clock: "none".to_owned(),
        end_reason: "played".to_owned(),
        seat_at_fault: None,
        partners: seats.len() == 4,
        rounds: if seats.len() == 4 { vec![vec![20, 6, 20, 6]; 3] } else { Vec::new() },
        seats,
        steps: 100,
        opening: format!("1 2 {n}"),
        leavers: Vec::new(),
        casual: Vec::new(),
        pair_limit: None,
    }
}

/// Gives each seat one of the ways to play of its game.
fn choose_ways_to_play(result: &mut GameResult, n: u64) {
    let groups = GameId::from_code(&result.game).unwrap().play_choices();
    let all: Vec<&PlayChoice> = groups.iter().flat_map(|it| it.choices).collect();
    for (at, seat) in (n as usize..).zip(&mut result.seats) {
        let chosen = all[at % all.len()];
        let success = chosen.success.map(|it| (it.to_owned(), 1));
        seat.counts = success.into_iter().chain([(chosen.count.to_owned(), 2)]).collect();
    }
}

/// The games of eight people in three months: two thirds for two, the others in pairs.
fn three_months() -> Vec<GameResult> {
    let mut numbers = Numbers(42);
    let mut games = Vec::new();
    for n in 0..180 {
        let ended_ms = JUNE_MS + n * 12 * HOUR_MS + numbers.below(60) * 60_000;
        let first = numbers.below(8);
        let score = numbers.below(3) as i32;
        let other = |by: u64| (first + by) % 8;
        let seats = match n % 3 {
            0 => {
                let scores = [score, 1, score, 1];
                (0..4).map(|it| seat(other(it), scores[it as usize])).collect()
            }
            _ => vec![seat(first, score), seat(other(1 + numbers.below(7)), 1)],
        };
        let mut played = game(n, ended_ms, seats);
        choose_ways_to_play(&mut played, n);
        games.push(played);
    }
    games
}

#[tokio::test]
async fn late_results_give_the_same_as_results_in_order() {
    let games = three_months();
    let in_order = Bench::new();
    in_order.add(&games).await;
    in_order.project().await;
    let expected = in_order.computed().await;
    assert!(expected.len() > 500, "{} rows", expected.len());

    // Every seventh game comes after all others, the last of them first.
    let late = Bench::new();
    let is_late = |it: &&GameResult| (it.ended_ms / 60_000).is_multiple_of(7);
    let on_time: Vec<_> = games.iter().filter(|it| !is_late(it)).cloned().collect();
    late.add(&on_time).await;
    late.project().await;
    for game in games.iter().filter(is_late).rev() {
        late.add(std::slice::from_ref(game)).await;
        late.project().await;
    }
    assert_eq!(late.computed().await, expected);
}

/// A message that carries a game is no chat: it has no lists, and no game is the first there.
#[tokio::test]
async fn games_in_single_messages_count_as_games_without_a_chat() {
    let bench = Bench::new();
    let in_message = |n: u64| {
        let seats = vec![seat(1, 82), seat(2, 70)];
        GameResult { chat: format!("tg:~m{n}"), ..game(n, JUNE_MS + n * HOUR_MS, seats) }
    };
    bench.add(&[in_message(1), in_message(2)]).await;
    bench.project().await;
    let rows = bench.computed().await;
    let names_message = |(key, row): &&(String, serde_json::Value)| {
        key.contains('~') || row.to_string().contains('~')
    };
    assert_eq!(rows.iter().find(names_message), None);
    let milestone = |n: u64| {
        let key = row_formats::rating_changes(&TableId(format!("t{n:05}")));
        let found = rows.iter().find(|it| it.0 == key).expect("it is rated");
        !found.1["milestone"].is_null()
    };
    assert_eq!([1, 2].map(milestone), [true, false]);
}

#[tokio::test]
async fn a_rebuild_gives_the_same_again() {
    let bench = Bench::new();
    bench.add(&three_months()).await;
    bench.project().await;
    let expected = bench.computed().await;
    bench.projector.rebuild_all().await.unwrap();
    assert_eq!(bench.computed().await, expected);
}

#[tokio::test]
async fn favourites_and_best_wins_are_those_of_the_results() {
    let bench = Bench::new();
    let games = three_months();
    bench.add(&games).await;
    bench.project().await;
    let (results, person) = (bench.repository.results(), PersonId("web:6".to_owned()));
    let records = results.records(&RatingScope::OVERALL, &person).await.unwrap();
    assert_eq!(records.len(), 2, "two games were played");
    for (list, stored) in &records {
        let of_list = games.iter().filter(|it| it.game == list.game());
        let own = |it: &GameResult| it.seats.iter().position(|seat| seat.person == person);
        let own: Vec<_> = of_list.filter_map(|it| Some((it, own(it)?))).collect();
        let groups = GameId::from_code(list.game()).unwrap().play_choices();
        let chosen: Vec<_> =
            groups.iter().flat_map(|it| stored.record.chosen_of(it.choices)).collect();
        let played = own.len() as u32;
        assert_eq!(chosen.iter().map(|it| it.count).sum::<u32>(), 2 * played);
        let won = own.iter().filter(|(it, at)| it.outcome(*at) == GameOutcome::Win).count();
        let successes = match chosen[0].choice.success {
            Some(_) => played,
            None => 2 * won as u32,
        };
        assert_eq!(chosen.iter().map(|it| it.successes).sum::<u32>(), successes);

        let best = stored.record.best_win.as_ref().expect("a game was won");
        let (game, at) = own.iter().find(|(it, _)| it.table == best.table).unwrap();
        assert_eq!(game.outcome(*at), GameOutcome::Win);
        assert_eq!(game.ended_ms, best.at_ms);
    }
    let details = results.play_details(&person, &RatingScope::OVERALL, &records).await.unwrap();
    for (details, (list, stored)) in details.iter().zip(&records) {
        let best = details.best.as_ref().expect("it is in the history");
        assert_eq!(Some(&best.entry.table), stored.record.best_win.as_ref().map(|it| &it.table));
        assert_eq!((&best.entry.list, best.is_removed), (&list.code(), false));
    }
}

/// What luck gave to the side of each seat in an analysed game, in thousandths.
fn shares(luck: [i32; 2]) -> Vec<ResultShare> {
    let share = |(seat, luck)| {
        let (seats, start, result) = (vec![seat, seat + 2], 500, 1000 - 1000 * i32::from(seat));
        let own_mistakes = start + luck - result;
        ResultShare { seats, start, own_mistakes, others_mistakes: 0, luck, result }
    };
    (0..).zip(luck).map(share).collect()
}

/// Only games that an engine has analysed say something about luck, and none of a seat that several
/// people had.
#[tokio::test]
async fn luck_is_that_of_the_analysed_games_of_the_chat() {
    let bench = Bench::new();
    let seats = || (1..5).map(|it| seat(it, 20 + 11 * (it as i32 % 2))).collect();
    let games: Vec<_> = (0..8).map(|n| game(n, JUNE_MS + n * HOUR_MS, seats())).collect();
    bench.add(&games).await;
    bench.project().await;
    let row = |key: String, value: serde_json::Value| {
        Put::new(Space::Meta, key, serde_json::to_vec(&value).unwrap())
    };
    let review = |n: usize, shares: &[ResultShare], shared: &[u8]| {
        let review = json!({ "moments": [], "shares": shares, "shared_seats": shared });
        row(keys::review(&games[n].table), review)
    };
    let judged = |n: usize, shares: &[ResultShare]| {
        let judged = json!({ "seats": [], "shares": shares });
        row(keys::play_quality(&games[n].table), judged)
    };
    let puts = vec![
        review(0, &shares([300, -300]), &[]),
        // Of a game that was judged and reviewed the review counts, which thought longer.
        review(2, &shares([120, -120]), &[]),
        judged(2, &shares([990, -990])),
        // A review of a game that ended early has no luck.
        review(4, &[], &[]),
        judged(4, &shares([-20, 20])),
        // This seat had several players.
        review(6, &shares([500, -500]), &[0]),
        // The other chat.
        review(1, &shares([7, -7]), &[]),
    ];
    bench.store.commit(Commit::from_puts(puts)).await.unwrap();
    let person = PersonId("web:1".to_owned());
    let luck = async |scope: RatingScope| {
        let results = bench.repository.results();
        let records = results.played_records(&scope, &person).await.unwrap();
        let details = results.play_details(&person, &scope, &records).await.unwrap();
        let luck = details[0].luck.expect("cards are luck");
        (luck.games, luck.sum.games, luck.sum.luck, luck.sum.won)
    };
    assert_eq!(luck(RatingScope::of_chat("web:room0")).await, (4, 3, 400, 3000));
    assert_eq!(luck(RatingScope::OVERALL).await, (8, 4, 407, 4000));
    let before = bench.computed().await;
    bench.projector.rebuild_all().await.unwrap();
    assert_eq!(bench.computed().await, before);
    assert_eq!(luck(RatingScope::OVERALL).await, (8, 4, 407, 4000), "a rebuild leaves it");
}

#[tokio::test]
async fn aborted_games_count_only_for_warnings_in_any_order() {
    let mut games = three_months();
    for game in games.iter_mut().step_by(4) {
        game.end_reason = "aborted".to_owned();
        game.seat_at_fault = Some(0);
        game.casual = vec![CasualReason::Aborted];
        game.rounds.clear();
        game.seats.iter_mut().for_each(|it| it.score = 0);
    }
    let in_order = Bench::new();
    in_order.add(&games).await;
    in_order.project().await;
    let expected = in_order.computed().await;
    let is_aborted = |key: &str| {
        let mut aborted = games.iter().step_by(4).map(|it| it.table.0.as_str());
        aborted.any(|it| key.ends_with(it))
    };
    let shown: Vec<&str> =
        expected.iter().map(|it| it.0.as_str()).filter(|it| is_aborted(it)).collect();
    assert!(shown.is_empty(), "{shown:?}");
    let all = |key: &str| key.starts_with("now all ");
    let ended_badly =
        |value: &serde_json::Value| value["record"].to_string().contains(r#""e":"a""#);
    assert!(expected.iter().any(|(key, value)| all(key) && ended_badly(value)));

    in_order.projector.rebuild_all().await.unwrap();
    assert_eq!(in_order.computed().await, expected);
    // The aborted games come after all others, the last of them first.
    let late = Bench::new();
    let (aborted, others): (Vec<_>, Vec<_>) =
        games.iter().cloned().partition(GameResult::is_aborted);
    late.add(&others).await;
    late.project().await;
    for game in aborted.iter().rev() {
        late.add(std::slice::from_ref(game)).await;
        late.project().await;
    }
    assert_eq!(late.computed().await, expected);
}

/// A rebuild takes the results of games that end meanwhile; their players must hear of it as
/// always.
#[tokio::test]
async fn a_rebuild_warns_because_of_results_that_were_not_projected_before() {
    let bench = Bench::new();
    let now_ms = Later.now_ms();
    let lost = |n: u64| game(n, now_ms - (10 - n) * 60_000, vec![seat(1, 0), seat(10 + n, 1)]);
    let short = |n: u64| GameResult { steps: 4, ..lost(n) };
    let warnings = async || {
        let prefix = "guard-notice ";
        bench.repository.count_rows(Space::Meta, prefix).await.unwrap()
    };
    bench.add(&[short(1), short(2), lost(9)]).await;
    bench.project().await;
    assert_eq!(warnings().await, 0);
    // The third short game is known after a later one: its month is computed again.
    bench.add(&[short(3)]).await;
    bench.project().await;
    assert_eq!(warnings().await, 1);
    let notices = bench.repository.read_rows(Space::Meta, "guard-notice ", 9).await.unwrap();
    let gone = notices.into_iter().map(|(key, _)| Put::remove(Space::Meta, key));
    bench.store.commit(Commit::from_puts(gone.collect())).await.unwrap();
    bench.projector.rebuild_all().await.unwrap();
    assert_eq!(warnings().await, 0, "nobody is warned twice");
}

#[tokio::test]
async fn a_rebuild_with_few_records_in_memory_gives_the_same() {
    let bench = Bench::new();
    bench.add(&three_months()).await;
    bench.project().await;
    let expected = bench.computed().await;
    for records in [1, 24, 60] {
        let projector = ResultProjector::new(bench.repository.clone());
        projector.with_records_in_memory(records).rebuild_all().await.unwrap();
        assert_eq!(bench.computed().await, expected, "{records} records in memory");
    }
}

#[tokio::test]
async fn a_rebuild_writes_only_rows_that_change() {
    let bench = Bench::new();
    let games = three_months();
    bench.add(&games).await;
    bench.project().await;
    let written = async || bench.repository.read_all_rows(Space::Rating, "").await.unwrap();
    let before = written().await;
    bench.projector.rebuild_all().await.unwrap();
    // Each record names the rebuild that wrote it.
    assert_eq!(written().await, before);
    // Later results change the rows that an earlier rebuild has left as they were.
    let last = games.last().unwrap().ended_ms;
    bench.add(&[game(900, last + HOUR_MS, vec![seat(1, 2), seat(2, 1)])]).await;
    bench.project().await;
    let expected = bench.computed().await;
    assert_ne!(written().await, before);
    bench.projector.rebuild_all().await.unwrap();
    assert_eq!(bench.computed().await, expected);
}

#[tokio::test]
async fn a_rebuild_that_stops_anywhere_begins_again() {
    let games = three_months();
    let expected = {
        let bench = Bench::new();
        bench.add(&games).await;
        bench.project().await;
        bench.computed().await
    };
    for fault in [Fault::Fail, Fault::AnswerLost, Fault::Conflict] {
        for n in 0..40 {
            // The results of the first half are projected; then the process stops at its nth commit
            // of a rebuild of all.
            let left = Arc::new(AtomicUsize::new(usize::MAX));
            let counted = left.clone();
            let store = FaultyStore::with_chooser(MemoryStore::new(), move |_| {
                let is_last = counted.fetch_sub(1, Ordering::Relaxed) == 0;
                if is_last { fault } else { Fault::None }
            });
            let bench = Bench::on(Arc::new(store));
            bench.add(&games[..90]).await;
            bench.project().await;
            bench.add(&games[90..]).await;
            left.store(n, Ordering::Relaxed);
            let projector = || {
                let projector = ResultProjector::new(bench.repository.clone());
                projector.with_rebuild_interval(0).with_records_in_memory(48)
            };
            let stopped = projector().rebuild_all().await.is_err();
            assert!(!stopped || fault != Fault::Conflict, "{n}");
            projector().collect_and_project().await.unwrap();
            assert_eq!(bench.computed().await, expected, "{fault:?} at {n}");
        }
    }
}

#[tokio::test]
async fn several_processes_rebuild_at_the_same_time() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let (one, other) = (Bench::on(store.clone()), Bench::on(store));
    one.add(&three_months()).await;
    one.project().await;
    let expected = one.computed().await;
    let (a, b) = tokio::join!(one.projector.rebuild_all(), other.projector.rebuild_all());
    a.unwrap();
    b.unwrap();
    assert_eq!(one.computed().await, expected);
}

#[tokio::test]
async fn several_processes_project_each_result_once() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let (one, other) = (Bench::on(store.clone()), Bench::on(store));
    let alone = Bench::new();
    for games in three_months().chunks(17) {
        one.add(games).await;
        alone.add(games).await;
        let (a, b) =
            tokio::join!(one.projector.project_pending(), other.projector.project_pending());
        a.unwrap();
        b.unwrap();
        alone.project().await;
    }
    assert_eq!(one.computed().await, alone.computed().await);
}

#[tokio::test]
async fn results_that_disappear_leave_nothing_behind_after_a_rebuild() {
    let games = three_months();
    let (kept, removed) = games.split_at(120);
    let expected = Bench::new();
    expected.add(kept).await;
    expected.project().await;

    let bench = Bench::new();
    bench.add(&games).await;
    bench.project().await;
    let puts = removed.iter().map(|it| Put::remove(Space::Result, result_key(it))).collect();
    bench.store.commit(Commit::from_puts(puts)).await.unwrap();
    bench.projector.rebuild_all().await.unwrap();
    let is_record = |(key, _): &(String, serde_json::Value)| {
        key.starts_with("now ") || key.starts_with("top ") || key.starts_with("old ")
    };
    let records: Vec<_> = bench.computed().await.into_iter().filter(is_record).collect();
    let wanted: Vec<_> = expected.computed().await.into_iter().filter(is_record).collect();
    assert_eq!(records, wanted);
}

/// A game of three; the second one has left, and another person plays at that seat.
fn left_race() -> GameResult {
    let mut left = game(1, JUNE_MS, vec![seat(1, 2), seat(9, 1), seat(2, 0)]);
    left.game = "thaayam".to_owned();
    let name = "P3".to_owned();
    left.leavers = vec![Leaver { name, ..Leaver::new(1, PersonId("web:3".to_owned())) }];
    left
}

#[tokio::test]
async fn a_player_who_leaves_loses_and_others_play_on_for_ratings() {
    let bench = Bench::new();
    bench.add(&[left_race()]).await;
    bench.project().await;
    let results = bench.repository.results();
    let record = async |person: &str| {
        let person = PersonId(person.to_owned());
        let mut found = results.records(&RatingScope::OVERALL, &person).await.unwrap();
        found.pop().unwrap().1.record
    };
    let leaver = record("web:3").await;
    assert_eq!((leaver.losses, leaver.rated_games), (1, 1));
    let winner = record("web:1").await;
    assert_eq!((winner.wins, winner.rated_games), (1, 1));
    assert!(winner.displayed_rating() > 1500);
    assert!(leaver.displayed_rating() < record("web:2").await.displayed_rating());
    let newcomer = record("web:9").await;
    assert_eq!((newcomer.games, newcomer.rated_games, newcomer.displayed_rating()), (1, 0, 1500));
    let computed = bench.computed().await;
    bench.projector.rebuild_all().await.unwrap();
    assert_eq!(bench.computed().await, computed);
}

/// Otherwise a player who is rated as the winner would have lost in their record and history.
#[tokio::test]
async fn the_first_of_those_who_stay_has_won_though_another_finished_before() {
    let bench = Bench::new();
    let mut left = left_race();
    left.seats[1].score = 5;
    bench.add(&[left]).await;
    bench.project().await;
    let results = bench.repository.results();
    let outcome = async |person: &str| {
        let person = PersonId(person.to_owned());
        let records = results.records(&RatingScope::OVERALL, &person).await.unwrap();
        let record = &records[0].1.record;
        let entry = results.history(&person, 0, 1).await.unwrap().entries.remove(0);
        (entry.outcome, record.wins, record.losses, entry.rating.after > entry.rating.before)
    };
    assert_eq!(outcome("web:1").await, (GameOutcome::Win, 1, 0, true));
    assert_eq!(outcome("web:2").await.0, GameOutcome::Loss);
    assert_eq!(outcome("web:3").await, (GameOutcome::Loss, 0, 1, false));
    // The person who took the seat over has won the game that they played.
    assert_eq!(outcome("web:9").await, (GameOutcome::Win, 1, 0, false));
    let person = PersonId("web:9".to_owned());
    let entries = results.history(&person, 0, 1).await.unwrap().entries;
    assert_eq!(entries[0].casual, [CasualReason::Substitute]);
    let computed = bench.computed().await;
    bench.projector.rebuild_all().await.unwrap();
    assert_eq!(bench.computed().await, computed);
}

/// The points of the winner came from the person who left, not from who played on there.
#[tokio::test]
async fn a_player_who_left_is_in_the_histories_of_the_others_and_in_their_own() {
    let bench = Bench::new();
    bench.add(&[left_race()]).await;
    bench.project().await;
    let players = async |person: &str| {
        let person = PersonId(person.to_owned());
        let page = bench.repository.results().history(&person, 0, 9).await.unwrap();
        let players = page.entries[0].players.iter();
        players.map(|it| it.person.0.clone()).collect::<Vec<_>>()
    };
    for person in ["web:1", "web:2", "web:3"] {
        assert_eq!(players(person).await, ["web:1", "web:3", "web:2"], "{person}");
    }
    assert_eq!(players("web:9").await, ["web:1", "web:9", "web:2"]);
}

#[tokio::test]
async fn a_player_who_leaves_an_earlier_game_loses_and_others_play_casually() {
    let bench = Bench::new();
    let mut left = left_race();
    left.casual = vec![CasualReason::Substitute];
    bench.add(&[left]).await;
    bench.project().await;
    let results = bench.repository.results();
    let record = async |person: &str| {
        let person = PersonId(person.to_owned());
        let mut found = results.records(&RatingScope::OVERALL, &person).await.unwrap();
        found.pop().unwrap().1.record
    };
    let leaver = record("web:3").await;
    assert_eq!((leaver.losses, leaver.rated_games), (1, 1));
    assert!(leaver.displayed_rating() < 1500);
    let winner = record("web:1").await;
    assert_eq!((winner.wins, winner.rated_games, winner.displayed_rating()), (1, 0, 1500));
}

#[tokio::test]
async fn a_player_of_another_game_is_no_new_player() {
    let of_unknown_age = |mut result: GameResult| {
        result.seats.iter_mut().for_each(|it| it.known_since_ms = None);
        result
    };
    let seats = (1..5).map(|it| seat(it, (it % 2) as i32)).collect();
    let first = of_unknown_age(game(1, JUNE_MS, seats));
    let later_ms = JUNE_MS + 60 * 24 * HOUR_MS;
    let mut short = of_unknown_age(game(2, later_ms, vec![seat(1, 2), seat(7, 1)]));
    short.steps = 8;
    let person = PersonId("web:1".to_owned());
    let casual = async |bench: &Bench| {
        let history = bench.repository.results().history(&person, 0, 1).await.unwrap();
        history.entries[0].casual.clone()
    };
    let in_order = Bench::new();
    in_order.add(&[first.clone(), short.clone()]).await;
    in_order.project().await;
    assert_eq!(casual(&in_order).await, []);
    // The first game becomes known after the other one has been counted.
    let late = Bench::new();
    late.add(&[short]).await;
    late.project().await;
    assert_eq!(casual(&late).await, [CasualReason::NewAccount]);
    late.add(&[first]).await;
    late.project().await;
    assert_eq!(casual(&late).await, []);
    assert_eq!(late.computed().await, in_order.computed().await);
}

#[tokio::test]
async fn linked_accounts_share_their_games_after_they_are_linked() {
    let games = three_months();
    let bench = Bench::new();
    bench.add(&games).await;
    bench.project().await;
    // Account 7 now belongs to person 6.
    let [account, person] = ["web:7", "web:6"].map(|it| PersonId(it.to_owned()));
    let links = serde_json::json!({ "main": person, "accounts": [] }).to_string();
    let key = format!("links {}", account.0);
    let mut puts = vec![Put::new(Space::Person, key, links.into_bytes())];
    let results = bench.repository.results();
    let first_ms = results.first_game_ms(&[&account, &person]).await.unwrap().unwrap();
    puts.extend(results.recompute_puts(&account, first_ms).await.unwrap());
    bench.store.commit(Commit::from_puts(puts)).await.unwrap();
    bench.project().await;
    assert!(results.records(&RatingScope::OVERALL, &account).await.unwrap().is_empty());
    let plays =
        |it: &&GameResult, person: &PersonId| it.seats.iter().any(|it| it.person == *person);
    let of_both = games.iter().filter(|it| plays(it, &account) || plays(it, &person)).count();
    let listed = results.history(&person, 0, games.len()).await.unwrap().entries.len();
    // A game that one person plays against themselves is nobody's.
    let alone = games.iter().filter(|it| plays(it, &account) && plays(it, &person)).count();
    assert_eq!(listed, of_both - alone);
}

/// The game counts for the person who gave up their seat, and for nobody else.
#[tokio::test]
async fn the_rated_loss_of_a_player_who_left_is_in_their_history() {
    let bench = Bench::new();
    let mut left = game(1, JUNE_MS, vec![seat(9, 0), seat(2, 1)]);
    left.casual = vec![CasualReason::Substitute];
    let (person, name) = (PersonId("web:1".to_owned()), "P1".to_owned());
    left.leavers.push(Leaver { name, ..Leaver::new(0, person) });
    let table = left.table.clone();
    bench.add(&[left]).await;
    bench.project().await;
    let results = bench.repository.results();
    let entry = async |person: &str| {
        let page = results.history(&PersonId(person.to_owned()), 0, 1).await.unwrap();
        page.entries.into_iter().next().unwrap()
    };
    let lost = entry("web:1").await;
    assert_eq!((lost.outcome, &lost.casual[..]), (GameOutcome::Loss, &[][..]));
    assert!(lost.rating.after < lost.rating.before);
    for person in ["web:2", "web:9"] {
        assert_eq!(entry(person).await.casual, [CasualReason::Substitute], "{person}");
    }
    let row =
        bench.repository.read_value(Space::Rating, &row_formats::rating_changes(&table)).await;
    let ratings: row_formats::GameRatings = serde_json::from_slice(&row.unwrap().unwrap()).unwrap();
    assert_eq!(ratings.leavers, [(0, lost.rating)]);
    assert_eq!(ratings.casual, [CasualReason::Substitute]);
    let computed = bench.computed().await;
    bench.projector.rebuild_all().await.unwrap();
    assert_eq!(bench.computed().await, computed);
}

/// A game between them is older than all games that are in a record while they are linked.
#[tokio::test]
async fn games_between_linked_accounts_count_again_after_they_are_unlinked() {
    let first = game(1, JUNE_MS, vec![seat(7, 1), seat(6, 0)]);
    let later = game(3, JUNE_MS + 60 * 24 * HOUR_MS, vec![seat(6, 1), seat(1, 0)]);
    let games = [first, later];
    let bench = Bench::new();
    bench.add(&games).await;
    bench.project().await;
    let apart = bench.computed().await;
    let [account, person] = ["web:7", "web:6"].map(|it| PersonId(it.to_owned()));
    let results = bench.repository.results();
    let link_rows = |main: Option<&PersonId>, accounts: &[&PersonId]| {
        let row = |owner: &PersonId, links: serde_json::Value| {
            let key = format!("links {}", owner.0);
            Put::new(Space::Person, key, links.to_string().into_bytes())
        };
        let none: [&PersonId; 0] = [];
        [
            row(&account, json!({ "main": main, "accounts": none })),
            row(&person, json!({ "main": null, "accounts": accounts })),
        ]
    };
    let first_ms = results.first_game_ms(&[&account, &person]).await.unwrap().unwrap();
    let mut puts = results.recompute_puts(&account, first_ms).await.unwrap();
    puts.extend(link_rows(Some(&person), &[&account]));
    bench.store.commit(Commit::from_puts(puts)).await.unwrap();
    bench.project().await;
    assert!(results.records(&RatingScope::OVERALL, &account).await.unwrap().is_empty());
    let mut puts = results.recompute_puts(&person, first_ms).await.unwrap();
    puts.extend(link_rows(None, &[]));
    bench.store.commit(Commit::from_puts(puts)).await.unwrap();
    bench.project().await;
    assert_eq!(bench.computed().await, apart);
}

/// Otherwise a player whose games always end late could delay deletions without end.
#[tokio::test]
async fn a_late_result_does_not_delay_requests_for_new_ratings() {
    let bench = Bench::new();
    let projector = ResultProjector::new(bench.repository.clone()).with_rebuild_interval(HOUR_MS);
    let bench = Bench { projector, ..bench };
    let games = three_months();
    bench.add(&[&games[..100], &games[101..]].concat()).await;
    bench.project().await;
    // The request begins earlier than the late result.
    let person = PersonId("web:7".into());
    let results = bench.repository.results();
    let first_ms = results.first_game_ms(&[&person]).await.unwrap().unwrap();
    let puts = results.recompute_puts(&person, first_ms).await.unwrap();
    bench.store.commit(Commit::from_puts(puts)).await.unwrap();
    bench.add(&games[100..101]).await;
    bench.project().await;
    for prefix in [row_formats::RECOMPUTE_PREFIX, row_formats::PENDING_PREFIX] {
        let waiting = bench.repository.read_all_rows(Space::Meta, prefix).await.unwrap();
        assert!(waiting.is_empty(), "{prefix}");
    }
    let in_order = Bench::new();
    in_order.add(&games).await;
    in_order.project().await;
    assert_eq!(bench.computed().await, in_order.computed().await);
}

/// The clock of the process that stored it was ahead.
#[tokio::test]
async fn a_rebuild_leaves_a_result_of_the_future_for_its_time() {
    let bench = Bench::new();
    bench.add(&three_months()).await;
    bench.project().await;
    let computed = bench.computed().await;
    let future = game(999, Later.now_ms() + HOUR_MS, vec![seat(1, 1), seat(2, 0)]);
    bench.add(&[future]).await;
    bench.projector.rebuild_all().await.unwrap();
    assert_eq!(bench.computed().await, computed);
    let prefix = row_formats::PENDING_PREFIX;
    let waiting = bench.repository.read_all_rows(Space::Meta, prefix).await.unwrap();
    assert_eq!(waiting.len(), 1);
}

#[tokio::test]
async fn a_history_is_listed_again_for_those_who_requested_it_alone() {
    let bench = Bench::new();
    bench.add(&three_months()).await;
    bench.project().await;
    let results = bench.repository.results();
    let [linked, other] = ["web:7", "web:1"].map(|it| PersonId(it.to_owned()));
    let puts = results.recompute_puts(&linked, JUNE_MS).await.unwrap();
    bench.store.commit(Commit::from_puts(puts)).await.unwrap();
    assert!(results.is_listing_again(&linked).await.unwrap());
    assert!(!results.is_listing_again(&other).await.unwrap());
    bench.project().await;
    assert!(!results.is_listing_again(&linked).await.unwrap());
}

#[tokio::test]
async fn the_games_of_a_week_do_not_show_the_hidden_name_of_a_player_who_left() {
    let bench = Bench::new();
    let mut left = left_race();
    left.leavers[0].name = "Insult".to_owned();
    let (person, chat) = (left.leavers[0].person.clone(), left.chat.clone());
    bench.add(&[left]).await;
    bench.project().await;
    let audit = Put::new(Space::Meta, "audit test", Vec::new());
    let scope = HiddenScope::Chat(&chat);
    bench.repository.hide_name(scope, &person, "", audit).await.unwrap();
    let span_ms = (JUNE_MS - HOUR_MS, JUNE_MS + HOUR_MS);
    let games = bench.repository.results().games_of_chat(&chat, span_ms).await.unwrap();
    let [week] = &games[..] else { panic!("{games:?}") };
    assert!(week.result.leavers[0].name.starts_with("Player "), "{week:?}");
}

#[tokio::test]
async fn ratings_that_have_become_uncertain_are_listed_after_the_certain_ones() {
    let now_ms = Later.now_ms();
    let mut games = Vec::new();
    for n in 0..60 {
        // Two people who stopped long ago, one of them the best of all, and two who still play.
        let stopped_ms = now_ms - 600 * 24 * HOUR_MS + n * 12 * HOUR_MS;
        let best = if n % 5 == 0 { 0 } else { 2 };
        games.push(game(n, stopped_ms, vec![seat(1, best), seat(2, 1)]));
        let recent_ms = now_ms - (61 - n) * 12 * HOUR_MS;
        let score = if n % 2 == 0 { 0 } else { 2 };
        games.push(game(100 + n, recent_ms, vec![seat(3, score), seat(4, 1)]));
    }
    let bench = Bench::new();
    bench.add(&games).await;
    bench.project().await;
    let computed = bench.computed().await;
    let first = computed.iter().find(|(key, _)| key.starts_with("top all ")).unwrap();
    assert_eq!(first.1["person"], "web:1", "the best row was certain when it was written");
    let (results, scope) = (bench.repository.results(), RatingScope::OVERALL);
    let lists = results.lists(&scope, "", 10).await.unwrap();
    let [(_, places)] = &lists[..] else { panic!("one list") };
    let marks: Vec<bool> = places.iter().map(|it| it.is_provisional).collect();
    assert_eq!(marks, [false, false, true, true]);
    assert_eq!(places[2].person.0, "web:1");
    for place in places {
        let records = results.records(&scope, &place.person).await.unwrap();
        assert_eq!(records[0].1.record.is_provisional(now_ms), place.is_provisional);
    }
    // Fewer places are the first of these.
    for limit in 1..4 {
        let fewer = results.lists(&scope, "", limit).await.unwrap();
        assert_eq!(fewer[0].1, places[..limit]);
    }
}

/// The first places of Blot are not kept by not playing.
#[tokio::test]
async fn ratings_of_pairs_become_uncertain_without_games_too() {
    let now_ms = Later.now_ms();
    let four = |people: [u64; 4]| people.map(|it| seat(it, 1)).to_vec();
    let mut games = Vec::new();
    for n in 0..60 {
        // Four people who stopped long ago, two of them the best of all, and four who still play.
        let stopped_ms = now_ms - 700 * 24 * HOUR_MS + n * 12 * HOUR_MS;
        let people = if n % 5 == 0 { [2, 1, 4, 3] } else { [1, 2, 3, 4] };
        games.push(game(n, stopped_ms, four(people)));
        let recent_ms = now_ms - (61 - n) * 12 * HOUR_MS;
        let people = if n % 2 == 0 { [5, 6, 7, 8] } else { [6, 5, 8, 7] };
        games.push(game(100 + n, recent_ms, four(people)));
    }
    let bench = Bench::new();
    bench.add(&games).await;
    bench.project().await;
    let was_certain = |(key, row): &(String, serde_json::Value)| {
        key.starts_with("top all blot.pairs f") && row["person"] == "web:1"
    };
    assert!(bench.computed().await.iter().any(was_certain));
    let results = bench.repository.results();
    let lists = results.lists(&RatingScope::OVERALL, "", 10).await.unwrap();
    let [(_, places)] = &lists[..] else { panic!("one list") };
    let marks: Vec<bool> = places.iter().map(|it| it.is_provisional).collect();
    assert_eq!(marks, [false, false, false, false, true, true, true, true]);
    let best = places.iter().max_by_key(|it| it.rating).unwrap();
    assert!(["web:1", "web:3"].contains(&best.person.0.as_str()), "{places:?}");
    assert!(places[4].rating == best.rating, "{places:?}");
}

#[tokio::test]
async fn a_person_has_the_same_place_in_a_list_however_low_it_is() {
    let bench = Bench::new();
    let pair = |n: u64| game(n, JUNE_MS + n * HOUR_MS, vec![seat(n, 1), seat(100 + n, 0)]);
    bench.add(&(0..15).map(pair).collect::<Vec<_>>()).await;
    bench.project().await;
    let (results, scope) = (bench.repository.results(), RatingScope::OVERALL);
    let lists = results.lists(&scope, "", 99).await.unwrap();
    let [(list, places)] = &lists[..] else { panic!("one list") };
    assert_eq!(places.len(), 30);
    for (rank, place) in (1..).zip(places) {
        let found = results.leaderboard_entry(&scope, "", list, &place.person).await.unwrap();
        assert_eq!(found, Some((Some(rank), place.clone())));
    }
    let stranger = PersonId("web:999".to_owned());
    assert_eq!(results.leaderboard_entry(&scope, "", list, &stranger).await.unwrap(), None);
}

#[tokio::test]
async fn a_history_is_searched_page_by_page_and_by_game() {
    let bench = Bench::new();
    bench.add(&three_months()).await;
    bench.project().await;
    let (results, person) = (bench.repository.results(), PersonId("web:6".into()));
    let all = results.history(&person, 0, 1_000).await.unwrap().entries;
    for game in [None, Some("togyzkumalak"), Some("blot"), Some("thaayam")] {
        let wanted = all.iter().filter(|it| game.is_none_or(|game| it.game == game));
        let wanted: Vec<&TableId> = wanted.map(|it| &it.table).collect();
        let game_id = game.and_then(GameId::from_code);
        let filter = HistoryFilter { game: game_id, ..HistoryFilter::default() };
        let (mut found, mut after) = (Vec::new(), None::<String>);
        loop {
            let page = results.search_history(&person, &filter, after.as_deref(), 7).await.unwrap();
            assert!(page.entries.len() == 7 || page.next.is_none(), "{game:?}");
            // There is no page without games but the first one.
            assert!(!page.entries.is_empty() || after.is_none(), "{game:?}");
            found.extend(page.entries.into_iter().map(|it| it.table));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(found.iter().collect::<Vec<_>>(), wanted, "{game:?}");
    }
    assert!(all.len() > 20, "{}", all.len());
}

#[tokio::test]
async fn a_chat_keeps_its_lists_when_it_gets_another_id() {
    let bench = Bench::new();
    let games = three_months();
    bench.add(&games[..150]).await;
    bench.project().await;
    let old = RatingScope::of_chat("web:room1");
    let lists = async |scope: &RatingScope| bench.repository.results().lists(scope, "", 99).await;
    let before = lists(&old).await.unwrap();
    assert!(!before.is_empty());
    let (from, to) = (ChatId("web:room1".into()), ChatId("web:super".into()));
    for _ in 0..2 {
        bench.repository.chats().move_chat(&from, &to).await.unwrap();
        bench.project().await;
        assert_eq!(lists(&old).await.unwrap(), []);
        assert_eq!(lists(&RatingScope::of_chat(&to.0)).await.unwrap(), before);
    }
    // A game of the time before, which arrives late, counts for the new id, and a rebuild agrees.
    bench.add(&games[150..]).await;
    bench.project().await;
    assert_eq!(lists(&old).await.unwrap(), []);
    let computed = bench.computed().await;
    bench.projector.rebuild_all().await.unwrap();
    assert_eq!(bench.computed().await, computed);
}

#[tokio::test]
async fn the_seasons_of_a_chat_are_the_months_with_rated_games_there() {
    let bench = Bench::new();
    let mut games = three_months();
    // In July nobody plays in the first room.
    let july = JUNE_MS + 30 * 24 * HOUR_MS..JUNE_MS + 61 * 24 * HOUR_MS;
    games.retain(|it| it.chat != "web:room0" || !july.contains(&it.ended_ms));
    bench.add(&games).await;
    bench.project().await;
    let results = bench.repository.results();
    let seasons = async |scope: RatingScope| {
        let found = results.seasons(&scope).await.unwrap();
        found.into_iter().map(|it| it.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(seasons(RatingScope::OVERALL).await, ["2026-06", "2026-07", "2026-08"]);
    assert_eq!(seasons(RatingScope::of_chat("web:room0")).await, ["2026-06", "2026-08"]);
    assert_eq!(seasons(RatingScope::of_chat("web:room")).await, [""; 0]);
}

#[tokio::test]
async fn a_history_can_be_limited_to_a_game_and_an_opponent() {
    let bench = Bench::new();
    let games = three_months();
    bench.add(&games).await;
    bench.project().await;
    let [own, other] = ["web:1", "web:2"].map(|it| PersonId(it.to_owned()));
    let results = bench.repository.results();
    let of = async |game: Option<&str>, opponent: Option<&PersonId>| {
        let game = game.and_then(GameId::from_code);
        let opponent = opponent.cloned();
        let filter = HistoryFilter { game, opponent, ..HistoryFilter::default() };
        let (found, has_older) = results.filter_latest(&own, &filter).await.unwrap();
        assert!(!has_older);
        found.into_iter().map(|it| it.table.0).collect::<Vec<_>>()
    };
    let seats = |it: &GameResult| {
        let seat = |person: &PersonId| it.seats.iter().position(|it| it.person == *person);
        Some((seat(&own)?, seat(&other)?))
    };
    let is_against = |it: &&GameResult| {
        seats(it).is_some_and(|(own, other)| it.seats.len() == 2 || own % 2 != other % 2)
    };
    let tables = |wanted: &dyn Fn(&&GameResult) -> bool| {
        games.iter().rev().filter(wanted).map(|it| it.table.0.clone()).collect::<Vec<_>>()
    };
    let expected = tables(&is_against);
    assert!(expected.len() > 5, "{expected:?}");
    assert_eq!(of(None, Some(&other)).await, expected);
    let in_pairs = tables(&|it| is_against(it) && it.game == "blot");
    assert_eq!(of(Some("blot"), Some(&other)).await, in_pairs);
    assert_ne!(in_pairs, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sled_and_postgres_compute_the_same_as_memory() {
    let games = three_months();
    let memory = Bench::new();
    memory.add(&games).await;
    memory.project().await;
    let expected = memory.computed().await;
    let folder = tempfile::TempDir::new().unwrap();
    let sled: Arc<dyn Store> = Arc::new(SledStore::open(&folder.path().join("data")).unwrap());
    for store in [Some(sled), postgres::empty().await].into_iter().flatten() {
        let bench = Bench::on(store);
        bench.add(&games).await;
        bench.project().await;
        assert_eq!(bench.computed().await, expected);
        bench.projector.rebuild_all().await.unwrap();
        assert_eq!(bench.computed().await, expected, "after a rebuild");
        bench.store.close().await.unwrap();
    }
}
