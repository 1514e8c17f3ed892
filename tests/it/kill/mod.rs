//! Kills the real program between any two steps of a game, and asks it to stop.

mod failing_disk;
mod hosting;
pub mod program;
mod tools;

use std::collections::HashSet;
use std::path::Path;

use caravanserai_games::Match;
use caravanserai_games::ids::TableId;
use caravanserai_games::rules::{Node, Seat};
use caravanserai_games::togyzkumalak;
use caravanserai_store::sled::SledStore;
use caravanserai_store::{Space, Store};
use caravanserai_table::{Event, LogLine, Table};
use serde_json::{Value, json};
use tempfile::TempDir;

use program::{Program, Someone, sit_down, with_button};

/// How often the program is killed; `KILL_ROUNDS` for a long run.
const ROUNDS: u64 = 12;
/// Most requests that are answered before a kill.
const ANSWERED_MAX: u64 = 8;

/// Numbers without a pattern, the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % n
    }
}

/// A move on its way to the bot.
#[derive(Clone)]
struct Deed {
    who: usize,
    path: &'static str,
    body: Value,
    token: String,
    seat: Seat,
}

/// A game between two people, as they remember it.
struct Game {
    people: [Someone; 2],
    /// The board as it must be.
    board: Box<dyn Match>,
    random: Random,
    /// Code of the table.
    table: String,
    /// Moves that were made, with their keys.
    made: Vec<(Deed, String)>,
    typed: usize,
}

impl Game {
    /// The lobby with a game that Ann begins.
    async fn begin(bot: &Program, seed: u64) -> Game {
        let (people, table) = sit_down(bot, "Бек 🐪").await;
        let board = togyzkumalak::ID.start_match("seed", 2).unwrap();
        Game { people, board, random: Random(seed), table, made: Vec::new(), typed: 1 }
    }

    /// A legal move, by button, as a command or as an answer to the board.
    async fn next(&mut self) -> Option<Deed> {
        let Node::Act(seat) = self.board.node() else { return None };
        let choices = self.board.choices(seat);
        let token = choices[self.random.below(choices.len() as u64) as usize].token.clone();
        let who = seat.index();
        let messages = self.people[who].lobby().await.0;
        let begin = format!("p.{}.", self.table);
        let board = with_button(&messages, &begin).pop().expect("a board stands").0;
        // The bot knows for sure that a board is its own once it has edited it. Until then it
        // may be between posting it and remembering that, and words are not for it.
        let known = messages.iter().any(|it| it["id"] == board && it["edited"] == true);
        let key = format!("k{}", self.made.len());
        // Open, sit, sit and start are the lines before the first move.
        let press = format!("p.{}.{}.{token}", self.table, 3 + self.made.len());
        let (path, body) = match self.random.below(3) {
            0 => ("rooms/lobby/messages", json!({ "text": format!("/move {token}"), "key": key })),
            1 if known => {
                ("rooms/lobby/messages", json!({ "text": token, "reply_to": board, "key": key }))
            }
            _ => ("rooms/lobby/press", json!({ "message": board, "press": press, "key": key })),
        };
        if path.ends_with("press") {
            let press = body["press"].as_str().unwrap_or_default();
            self.people[who].until(|it| with_button(it, press).pop()).await;
            self.people[who].look_at_the_board().await;
        }
        Some(Deed { who, path, body, token, seat })
    }

    /// Whether it was answered.
    async fn ask(&self, deed: &Deed) -> bool {
        let answer = self.people[deed.who].ask(deed.path, &deed.body).await;
        println!("{} asks {} -> {answer:?}", deed.who, deed.body);
        // A legal move that nobody made before is not commented.
        // But for what it did.
        let commented = |it: &Value| it["passing"] == false;
        let whispers = answer.as_ref().and_then(|it| it["whispers"].as_array());
        assert!(!whispers.into_iter().flatten().any(commented), "{} {answer:?}", deed.body);
        answer.is_some()
    }

    fn made(&mut self, deed: Deed) {
        self.board.apply_action(deed.seat, &deed.token).unwrap();
        let key = deed.body["key"].as_str().unwrap().to_owned();
        self.typed += usize::from(deed.path.ends_with("messages"));
        self.made.push((deed, key));
    }

    /// Both see one board, of the newest position, and nothing twice.
    async fn is_shown(&self) {
        let begin = format!("p.{}.", self.table);
        let Node::Act(seat) = self.board.node() else {
            // The last board has no moves. A bot that was killed over the last one says so now.
            let is_over =
                |messages: &[Value]| with_button(messages, &begin).is_empty().then_some(());
            return self.people[0].until(is_over).await;
        };
        let choices = self.board.choices(seat).into_iter().map(|it| it.token);
        let choices: Vec<String> = choices.collect();
        for person in &self.people {
            let newest = |messages: &[Value]| {
                // While it is posted again the old one is still there for a moment.
                let [(_, presses)] = &with_button(messages, &begin)[..] else { return None };
                let mut parts = presses[0].split('.').skip(2);
                let position: usize = parts.next()?.parse().ok()?;
                let shown: Vec<&str> =
                    presses.iter().filter_map(|it| it.split('.').nth(3)).collect();
                (position == 3 + self.made.len()).then(|| assert_eq!(shown, choices))
            };
            person.until(newest).await;
            let messages = person.lobby().await.0;
            let typed = messages.iter().filter(|it| it["bot"] == false).count();
            assert_eq!(typed, self.typed, "every message was said once");
            let ids: HashSet<u64> = messages.iter().map(|it| it["id"].as_u64().unwrap()).collect();
            assert_eq!(ids.len(), messages.len());
            let of_bot = messages.iter().filter(|it| it["bot"] == true).count();
            assert_eq!(of_bot, 1, "the bot has one message here: the board");
        }
    }
}

/// Plays until a kill, which comes while a move is on its way; then starts the bot again. Without
/// a kill when the game is over.
async fn round(game: &mut Game, bot: Program, folder: &Path) -> (Program, bool) {
    for _ in 0..game.random.below(ANSWERED_MAX) {
        let Some(deed) = game.next().await else { break };
        assert!(game.ask(&deed).await, "nobody killed it yet");
        game.made(deed);
    }
    let Some(deed) = game.next().await else { return (bot, false) };
    let (person, asked) = (game.people[deed.who].clone(), deed.clone());
    let asking = tokio::spawn(async move { person.ask(asked.path, &asked.body).await.is_some() });
    // How far the move comes until the kill: so long as it takes to look a few times.
    for _ in 0..game.random.below(30) {
        game.people[1 - deed.who].look().await;
    }
    bot.kill();
    let answered = asking.await.unwrap();
    println!("killed while {} asks {}, answered: {answered}", deed.who, deed.body);
    let bot = Program::start(folder);
    game.people.iter_mut().for_each(|it| it.at(&bot));
    // Without an answer one asks again; with one it must not matter.
    if !answered || game.random.below(2) == 0 {
        assert!(game.ask(&deed).await);
    }
    game.made(deed);
    (bot, true)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_bot_loses_nothing_answered_and_repeats_nothing() {
    let seed = std::env::var("KILL_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(20_261_121);
    println!("KILL_SEED={seed}");
    let rounds = std::env::var("KILL_ROUNDS").ok().and_then(|it| it.parse().ok());
    let rounds = rounds.unwrap_or(ROUNDS);
    let mut kills = 0;
    for game in 0.. {
        if kills >= rounds {
            break;
        }
        println!("game {game}, {kills} kills so far");
        kills += killed_while_played(seed + game, rounds - kills).await;
    }
}

/// Plays one game in a folder of its own until it is over, or so many kills are done. How many
/// were.
async fn killed_while_played(seed: u64, most: u64) -> u64 {
    let folder = TempDir::new().unwrap();
    let mut bot = Program::start(folder.path());
    let mut game = Game::begin(&bot, seed).await;
    let mut kills = 0;
    while kills < most {
        println!("{kills} kills, {} moves made", game.made.len());
        let (next, killed) = round(&mut game, bot, folder.path()).await;
        bot = next;
        if !killed {
            break;
        }
        kills += 1;
        if kills.is_multiple_of(3) {
            game.is_shown().await;
        }
    }
    game.is_shown().await;
    let (ended, log) = bot.stop().await;
    assert_eq!(ended.code(), Some(0), "{log}");
    check_store(&game, folder.path()).await;
    kills
}

/// The store contains what people saw, each move once.
async fn check_store(game: &Game, folder: &Path) {
    let store = SledStore::open(&folder.join("data/store")).unwrap();
    let lines = store.read_log(&game.table, 0).await.unwrap();
    let table = Table::from_log(&TableId(game.table.clone()), &lines).unwrap();
    let steps: Vec<_> =
        table.history.steps.iter().map(|it| (it.seat, it.token.to_owned())).collect();
    let made = game.made.iter().map(|(deed, _)| (Some(deed.seat.0), deed.token.clone()));
    assert_eq!(steps, made.collect::<Vec<_>>());
    let is_move = |line: &LogLine| matches!(line.event, Event::Stepped { .. });
    let read = lines.iter().map(|it| LogLine::parse(it).unwrap());
    let causes: Vec<String> = read.filter(is_move).map(|it| it.cause).collect();
    let id = |deed: &Deed| game.people[deed.who].id.trim_start_matches("web:").to_owned();
    let keys = game.made.iter().map(|(deed, key)| format!("web/{}/{key}", id(deed)));
    assert_eq!(causes, keys.collect::<Vec<_>>(), "each move has its own cause");
    let waiting = store.scan(Space::Outbox, "", None, 10).await.unwrap();
    assert!(waiting.is_empty(), "everything decided was said: {waiting:?}");
    let heads = store.scan(Space::Head, "", None, 10).await.unwrap();
    assert_eq!(heads.len(), 1, "one table was opened");
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bot_that_is_asked_to_stop_finishes_what_is_decided() {
    let folder = TempDir::new().unwrap();
    let bot = Program::start(folder.path());
    let mut game = Game::begin(&bot, 7).await;
    let seq = game.people[0].lobby().await.1;
    let mut streams = Vec::new();
    for person in &game.people {
        streams.push(person.events(seq).await);
    }
    for _ in 0..3 {
        let deed = game.next().await.unwrap();
        assert!(game.ask(&deed).await);
        game.made(deed);
    }
    let (ended, log) = bot.stop().await;
    assert_eq!(ended.code(), Some(0), "{log}");
    assert!(log.contains("stopping") && !log.contains(" ERROR "), "{log}");
    for mut stream in streams {
        let mut shown = String::new();
        // The stream may be cut at the end, but it ends.
        while let Ok(Some(piece)) = stream.chunk().await {
            shown.push_str(&String::from_utf8_lossy(&piece));
        }
        assert!(shown.contains("ready"), "{shown}");
    }
    check_store(&game, folder.path()).await;
    let bot = Program::start(folder.path());
    game.people.iter_mut().for_each(|it| it.at(&bot));
    game.is_shown().await;
}
