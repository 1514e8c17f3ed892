//! Three real programs on one PostgreSQL, under play on all platforms: people press and type,
//! whatever is posted goes to each program in turn, programs are killed with -9 and replaced, the
//! primary is killed and its standby promoted. In the end nothing that was acknowledged is lost,
//! nothing happened twice, and each board shows the newest position.
//!
//! A short run belongs to the suite; `RUN_SLOW_TESTS` makes it long, `KILLS` says how long.

mod replica_set;
mod rooms;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use caravanserai_games::ids::TableId;
use caravanserai_games::rules::Seat;
use caravanserai_store::postgres::{PostgresSettings, PostgresStore};
use caravanserai_store::{Space, Store};
use caravanserai_table::event::{Event, LogLine};
use caravanserai_table::state::{Table, TablePhase};
use tokio::task::JoinSet;
use tokio::time::{Duration, Instant, sleep, timeout};

use crate::postgres::cluster::{self, Cluster};
use crate::whole_games::Dice;
use replica_set::{REPLICAS, ReplicaSet};
use rooms::{Answer, Group, Guild, Lobby, NAMES, Room};

/// Moves between two deaths.
const MOVES: usize = 20;
/// The longest time for which a game may make no progress.
const STILL_MAX: Duration = Duration::from_secs(120);
/// How long boards may take to be right once nobody plays: a dead program's chats are its own for
/// half a minute, and Telegram stands few calls in a minute.
const SHOWN_MAX: Duration = Duration::from_secs(180);

/// What all players share.
struct Play {
    store: PostgresStore,
    done: AtomicBool,
    made: AtomicUsize,
    unanswered: AtomicUsize,
}

/// What one pair of people has played: by table, each move that they know was made.
type Made = BTreeMap<TableId, Vec<(u8, String)>>;

impl Play {
    /// The table as the store has it; `None` if there is none. The store may be away for a while.
    async fn table(&self, id: &TableId) -> Option<Table> {
        let begun = Instant::now();
        loop {
            match self.store.read_log(&id.0, 0).await {
                Ok(lines) if lines.is_empty() => return None,
                Ok(lines) => return Some(Table::from_log(id, &lines).unwrap()),
                Err(error) => assert!(begun.elapsed() < STILL_MAX, "{error}"),
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    fn over(&self) -> bool {
        self.done.load(Ordering::Relaxed)
    }

    /// Opens a table and has the other one join, however often it takes.
    async fn open(&self, room: &dyn Room, made: &Made) -> Option<TableId> {
        let begun = Instant::now();
        while !self.over() {
            assert!(begun.elapsed() < STILL_MAX, "{}: no table", room.name());
            room.says(0, "/togyz").await;
            for _ in 0..40 {
                let boards = room.boards().await;
                let mut joins = boards.iter().flatten().filter_map(|it| it.strip_prefix("j."));
                let table_of = |it: &str| TableId(it.split('.').next().unwrap_or(it).to_owned());
                let Some(button) = joins.rfind(|it| !made.contains_key(&table_of(it))) else {
                    sleep(Duration::from_millis(100)).await;
                    continue;
                };
                let id = table_of(button);
                room.presses(1, &format!("j.{button}")).await;
                if self.table(&id).await.is_some_and(|it| it.phase == TablePhase::Playing) {
                    return Some(id);
                }
            }
        }
        None
    }

    /// Plays one game after another until it is enough.
    async fn evening(&self, room: Arc<dyn Room>, seed: u64) -> (Arc<dyn Room>, Made) {
        let (mut dice, mut made) = (Dice(seed), Made::new());
        while let Some(id) = self.open(&*room, &made).await {
            let moves = self.game(&*room, &id, &mut dice).await;
            made.insert(id, moves);
            if self.over() {
                break;
            }
        }
        (room, made)
    }

    async fn game(&self, room: &dyn Room, id: &TableId, dice: &mut Dice) -> Vec<(u8, String)> {
        let mut made = Vec::new();
        let mut wanted: Option<String> = None;
        let mut since = Instant::now();
        loop {
            let table = self.table(id).await.unwrap();
            // An attempt without an answer may be committed while it is made again.
            if let Some(late) = wanted.clone()
                && let Some((turn, token)) = steps(&table).get(made.len()).cloned()
                && token == late
            {
                made.push((turn, token));
                self.made.fetch_add(1, Ordering::Relaxed);
                (wanted, since) = (None, Instant::now());
            }
            assert_eq!(steps(&table), made, "{}: each move once, and no other", room.name());
            let (Some(turn), false) = (table.seat_to_move(), self.over() && wanted.is_none())
            else {
                return made;
            };
            assert!(since.elapsed() < STILL_MAX, "{}: nothing is taken", room.name());
            let choices = table.game.as_deref().unwrap().choices(Seat(turn));
            let token = wanted.take();
            let token = token.unwrap_or_else(|| choices[dice.below(choices.len())].token.clone());
            let name = &table.seating.occupant(turn).unwrap().name;
            let who = NAMES.iter().position(|it| it == name).unwrap();
            let answer = if dice.one_in(3) {
                room.says(who, &format!("/move {token}")).await
            } else {
                let press = format!("p.{}.{}.{token}", id.0, table.history.position);
                room.presses(who, &press).await
            };
            let after = self.table(id).await.unwrap();
            if after.history.steps.len() > made.len() {
                made.push((turn, token));
                self.made.fetch_add(1, Ordering::Relaxed);
                since = Instant::now();
            } else {
                assert_ne!(answer, Answer::Done, "{}: told so, and it is lost", room.name());
                self.unanswered.fetch_add(1, Ordering::Relaxed);
                wanted = Some(token);
            }
        }
    }

    /// Waits until so many more moves were made.
    async fn until_made(&self, more: usize, playing: &mut JoinSet<(Arc<dyn Room>, Made)>) {
        let goal = self.made.load(Ordering::Relaxed) + more;
        while self.made.load(Ordering::Relaxed) < goal {
            if let Some(ended) = playing.try_join_next() {
                ended.expect("a player is content");
                panic!("nobody stops before it is enough");
            }
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Every table of a room is in the store as its people know it, and shown as it is.
    async fn check(&self, room: &dyn Room, made: &Made) -> usize {
        let begun = Instant::now();
        for (id, moves) in made {
            let table = self.table(id).await.unwrap();
            assert_eq!(steps(&table), *moves, "{} {}", room.name(), id.0);
            loop {
                let boards = room.boards().await;
                let own: Vec<_> = boards.into_iter().filter(|it| is_of(it, id)).collect();
                if own.iter().any(|it| is_newest(it, &table)) {
                    if own.len() == 1 {
                        break;
                    }
                    let late = begun.elapsed() > SHOWN_MAX;
                    assert!(!late, "{}: one board each: {own:?}", room.name());
                    sleep(Duration::from_millis(100)).await;
                    continue;
                }
                let late = begun.elapsed() > SHOWN_MAX;
                assert!(!late, "{}: {own:?} is not {}", room.name(), table.history.position);
                sleep(Duration::from_millis(100)).await;
            }
        }
        made.values().map(Vec::len).sum()
    }
}

fn steps(table: &Table) -> Vec<(u8, String)> {
    let steps = table.history.steps.iter();
    steps.map(|it| (it.seat.expect("nothing by chance"), it.token.to_owned())).collect()
}

/// Whether a board is of this table.
fn is_of(board: &[String], id: &TableId) -> bool {
    board.iter().any(|it| it.split('.').nth(1) == Some(&id.0))
}

/// Whether a board offers what can be done at the table as it is.
fn is_newest(board: &[String], table: &Table) -> bool {
    let begin = format!("p.{}.{}.", table.id.0, table.history.position);
    match table.seat_to_move() {
        Some(turn) => {
            let choices = table.game.as_deref().unwrap().choices(Seat(turn));
            let shown = board.iter().filter_map(|it| it.strip_prefix(&begin));
            shown.eq(choices.iter().map(|it| it.token.as_str()))
        }
        None => !board.iter().any(|it| it.starts_with("p.")),
    }
}

fn deaths() -> usize {
    let given = std::env::var("KILLS").ok().and_then(|it| it.parse().ok());
    let long = std::env::var_os("RUN_SLOW_TESTS").is_some();
    given.unwrap_or(if long { 30 } else { REPLICAS })
}

/// A primary and a standby that has everything the primary acknowledged.
async fn pair() -> (Cluster, Cluster, String) {
    let (primary, standby) = tokio::task::block_in_place(|| {
        let primary = Cluster::start(&[]);
        let standby = primary.standby(&[]);
        (primary, standby)
    });
    let direct = primary.url("postgres");
    cluster::ask(&direct, "ALTER SYSTEM SET synchronous_standby_names = '*'").await;
    cluster::ask(&direct, "SELECT pg_reload_conf()").await;
    let ask = "SELECT sync_state FROM pg_stat_replication";
    while cluster::first_word(&cluster::ask(&direct, ask).await).as_deref() != Some("sync") {
        sleep(Duration::from_millis(50)).await;
    }
    let both = format!("postgres://caravanserai@{},{}/postgres", primary.host(), standby.host());
    (primary, standby, both)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_replicas_and_a_killed_primary_lose_and_repeat_nothing() {
    if !cluster::is_there() {
        return;
    }
    let (mut primary, standby, url) = pair().await;
    let mut replica_set = ReplicaSet::start(&url).await;
    let store = PostgresStore::open(&url, PostgresSettings::default()).await.unwrap();
    let (done, made, unanswered) = Default::default();
    let play = Arc::new(Play { store, done, made, unanswered });
    let rooms: Vec<Arc<dyn Room>> = vec![
        Arc::new(Group::new(&replica_set)),
        Arc::new(Group::new(&replica_set)),
        Arc::new(Guild::new(&replica_set)),
        Arc::new(Guild::new(&replica_set)),
        Arc::new(Lobby::new(&replica_set).await),
    ];
    let mut playing = JoinSet::new();
    for (seed, room) in (20_261_122..).zip(rooms) {
        let play = play.clone();
        playing.spawn(async move { play.evening(room, seed).await });
    }
    for death in 0..deaths() {
        play.until_made(MOVES, &mut playing).await;
        replica_set.replace_one().await;
        eprintln!("death {}: {} moves", death + 1, play.made.load(Ordering::Relaxed));
    }
    play.until_made(MOVES, &mut playing).await;
    let killed = Instant::now();
    tokio::task::block_in_place(|| {
        primary.kill();
        standby.promote();
    });
    play.until_made(1, &mut playing).await;
    eprintln!("played again {:?} after the primary died", killed.elapsed());
    play.until_made(2 * MOVES, &mut playing).await;
    play.done.store(true, Ordering::Relaxed);
    let mut total = 0;
    let evenings = timeout(STILL_MAX, playing.join_all()).await.expect("the last moves end");
    let ended = Instant::now();
    for (room, made) in &evenings {
        total += play.check(&**room, made).await;
    }
    eprintln!("{total} moves; all boards right after {:?}", ended.elapsed());
    eprintln!("{} tries came to nothing", play.unanswered.load(Ordering::Relaxed));
    nothing_is_left(&play.store).await;
    words_are_heard(&replica_set).await;
    assert_eq!(replica_set.tg.violations(), Vec::<String>::new());
    assert_eq!(replica_set.dc.violations(), Vec::<String>::new());
    for log in replica_set.end().await {
        assert!(!log.contains("panicked"), "{log}");
    }
}

/// What people type on Discord comes over the gateway: the program that had it is dead, and another
/// one has it by now.
async fn words_are_heard(replica_set: &ReplicaSet) {
    let (cyd, begun) = (replica_set.dc.user("cyd"), Instant::now());
    let private = replica_set.dc.dm(&cyd);
    let is_answered =
        || replica_set.dc.visible_to(&cyd, &private).iter().any(|it| it.author == "caravanserai");
    while !is_answered() {
        assert!(begun.elapsed() < SHOWN_MAX, "nobody is at the gateway");
        cyd.say(&private, "/rules", None);
        for _ in 0..30 {
            if !is_answered() {
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// All that was decided was said, and no two lines have one cause.
async fn nothing_is_left(store: &PostgresStore) {
    let begun = Instant::now();
    loop {
        let waiting = store.scan(Space::Outbox, "", None, 10).await.unwrap();
        if waiting.is_empty() {
            break;
        }
        assert!(begun.elapsed() < SHOWN_MAX, "it was never said: {waiting:?}");
        sleep(Duration::from_millis(200)).await;
    }
    let mut causes = std::collections::BTreeSet::new();
    for (table, _) in store.scan(Space::Head, "", None, 1_000).await.unwrap() {
        for line in store.read_log(&table, 0).await.unwrap() {
            let line = LogLine::parse(&line).unwrap();
            if let Event::Stepped { .. } = line.event {
                assert!(causes.insert(line.cause.clone()), "twice: {}", line.cause);
            }
        }
    }
    assert!(!causes.is_empty());
}
