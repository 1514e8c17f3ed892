//! Measures the time from a button press to the new board, on simulated servers of Telegram and
//! Discord, with the rate limits of Telegram. Run with `cargo bench --bench liveliness`; nine
//! minutes.
//!
//! Targets on two cores: on Discord, right after a start, with one table in a channel and with
//! four, half of the boards within 250 ms and 95 % within 600 ms; on Telegram the first fifteen
//! presses of a minute within 500 ms, steady play at three seconds per move within 3.5 s, and a
//! round of Blot with hidden hands and four people who think two seconds within 2.5 minutes,
//! whether the server supports ephemeral messages or not. A press beside forty people who wait for
//! hints of the strongest level is answered within 60 ms in 99 of 100 cases; `-- hints` measures
//! only that.
#![allow(
    clippy::unwrap_used,
    dead_code,
    unused_imports,
    reason = "the servers are shared with the tests"
)]

#[path = "../fake_discord/mod.rs"]
mod fake_discord;
#[path = "../fake_telegram/mod.rs"]
mod fake_telegram;

use std::sync::Arc;
use std::time::{Duration, Instant};

use caravanserai::command_menus;
use caravanserai_bot::commands::TableCallback;
use caravanserai_bot::commands::make_move::PlayNumberedCard;
use caravanserai_bot::service::{BotLimits, Service, ServiceDeps, SystemClock};
use caravanserai_discord::{self as discord, DiscordPlatform};
use caravanserai_games::rules::Seat;
use caravanserai_i18n::I18n;
use caravanserai_platform_shared::PlatformServices;
use caravanserai_render::Renderer;
use caravanserai_store::Store;
use caravanserai_store::memory::MemoryStore;
use caravanserai_table::command::{Command, MoveChoice};
use caravanserai_table::state::{Table, TablePhase};
use caravanserai_telegram::{self as telegram, TelegramPlatform};
use fake_discord::{Actor, Channel, FakeDiscord};
use fake_telegram::{FakeTelegram, Person, TOKEN};

/// The time that people look at a board before they press.
const LOOK: Duration = Duration::from_millis(600);

fn main() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let only_hints = std::env::args().any(|it| it == "hints");
    let met = runtime.block_on(async {
        let hints = measure_beside_hints().await?;
        if only_hints {
            return Ok(hints);
        }
        let one = measure_discord(1, 30).await?;
        let four = measure_discord(4, 30).await?;
        let (burst, steady) = measure_telegram().await?;
        let (newest, old) = (measure_blot_round(false).await?, measure_blot_round(true).await?);
        anyhow::Ok(hints & one & four & burst & steady & newest & old)
    })?;
    anyhow::ensure!(met, "a floor was missed");
    Ok(())
}

fn service() -> anyhow::Result<Service> {
    service_on(Arc::new(MemoryStore::new()))
}

fn service_on(store: Arc<MemoryStore>) -> anyhow::Result<Service> {
    Ok(Service::new(ServiceDeps {
        store,
        i18n: Arc::new(I18n::new()),
        renderer: Arc::new(Renderer::embedded()?),
        clock: Arc::new(SystemClock),
        randomness: Box::new(|bytes| getrandom::fill(bytes).expect("random bytes")),
        limits: BotLimits { requests_per_minute: 0, ..BotLimits::default() },
        contact: None,
        operator_settings: Default::default(),
    }))
}

/// Prints the times; returns whether the median and the 95th percentile are within these limits.
fn report(what: &str, mut times: Vec<Duration>, half: Duration, most: Duration) -> bool {
    times.sort();
    let at = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)];
    let (p50, p95, max) = (at(50), at(95), at(100));
    println!("{what}: {} acts, p50 {p50:.1?}, p95 {p95:.1?}, max {max:.1?}", times.len());
    p50 <= half && p95 <= most
}

/// The callback data of the first move in these buttons.
fn first_move(buttons: &[Vec<(String, String)>]) -> Option<String> {
    buttons.iter().flatten().find(|it| it.1.starts_with("p.")).map(|it| it.1.clone())
}

/// Plays at several tables in one channel, each with two people who move as soon as they have
/// looked.
async fn measure_discord(tables: usize, moves: usize) -> anyhow::Result<bool> {
    let dc = Arc::new(FakeDiscord::start().await);
    let people: Vec<Actor> = (0..2 * tables).map(|n| dc.user(&format!("user{n}"))).collect();
    let channel = dc.channel("family", &people.iter().collect::<Vec<_>>());
    let settings = discord::DiscordSettings {
        api_url: Some(dc.api_url()),
        clock: dc.clock(),
        ..discord::DiscordSettings::new(dc.token(), discord::DiscordTexts::default())
    };
    let adapter = DiscordPlatform::connect(settings).await?;
    adapter.register_commands(&command_menus::discord::discord_menu(&I18n::new(), false)).await?;
    let service = service()?;
    service.add_platform(Arc::new(adapter.clone()));
    service.start().await?;
    let (running, handler) = (adapter.clone(), Arc::new(service.clone()));
    let task = tokio::spawn(async move { running.run(handler, std::future::pending()).await });
    dc.connected().await;
    let mut games = tokio::task::JoinSet::new();
    for pair in people.chunks(2) {
        let (dc, channel, pair) = (dc.clone(), channel.clone(), pair.to_vec());
        let board = seat_on_discord(&dc, &channel, &pair).await;
        games.spawn(async move { play_on_discord(&dc, &channel, &pair, &board, moves).await });
    }
    let times = games.join_all().await.into_iter().flatten().collect();
    task.abort();
    service.stop().await?;
    let what = format!("Discord, {tables} in a channel");
    Ok(report(&what, times, Duration::from_millis(250), Duration::from_millis(600)))
}

/// Seats two people; returns the id of their board message.
async fn seat_on_discord(dc: &FakeDiscord, channel: &Channel, pair: &[Actor]) -> String {
    let known = dc.visible_to(&pair[0], channel).len();
    let opened = pair[0].slash(channel, "togyz", &[]);
    dc.answered(opened).await;
    let mut board = None;
    dc.wait_until("a lobby", |dc| {
        let seen = dc.visible_to(&pair[0], channel);
        board = seen.get(known).map(|it| it.id.clone());
        board.is_some()
    })
    .await;
    let board = board.expect("the wait has found it");
    let lobby = dc.visible_to(&pair[1], channel).into_iter().find(|it| it.id == board);
    let buttons = lobby.expect("the lobby is visible").buttons;
    let join = buttons.iter().flatten().find(|it| it.1.starts_with("j.")).expect("a seat is free");
    dc.answered(pair[1].press_stale(channel, &board, &join.1)).await;
    board
}

async fn play_on_discord(
    dc: &FakeDiscord,
    channel: &Channel,
    pair: &[Actor],
    board: &str,
    moves: usize,
) -> Vec<Duration> {
    let look = |dc: &FakeDiscord| {
        let seen = dc.visible_to(&pair[0], channel).into_iter().find(|it| it.id == board)?;
        first_move(&seen.buttons).map(|press| (seen.edits, press, seen.text))
    };
    let mut times = Vec::new();
    let mut who = 0;
    while times.len() < moves {
        let mut seen = None;
        dc.wait_until("a board in play", |dc| {
            seen = look(dc);
            seen.is_some()
        })
        .await;
        let (edits, press, _) = seen.expect("the wait has found it");
        tokio::time::sleep(LOOK).await;
        let began = Instant::now();
        dc.answered(pair[who].press_stale(channel, board, &press)).await;
        let newer = |dc: &FakeDiscord| look(dc).is_none_or(|(now, ..)| now > edits);
        let waited = tokio::time::timeout(LOOK, dc.wait_until("the move", newer)).await;
        // The first player is drawn by lot, so the other person tries next.
        who = 1 - who;
        if waited.is_ok() {
            times.push(began.elapsed());
        }
        if look(dc).is_none() {
            break;
        }
    }
    times
}

/// The bot on a simulated Telegram server with its rate limits. Its tasks end with it.
struct OnTelegram {
    service: Service,
    tasks: [tokio::task::JoinHandle<()>; 2],
}

impl OnTelegram {
    async fn start(tg: &FakeTelegram, store: Arc<MemoryStore>) -> anyhow::Result<Self> {
        let i18n = Arc::new(I18n::new());
        let settings = telegram::TelegramSettings {
            token: TOKEN.to_owned(),
            api_url: tg.url(),
            app: None,
            picture_chat: None,
            press_patience: Duration::from_secs(2),
            texts_for: command_menus::phrasebook(&i18n),
            shared: PlatformServices::for_single_process("tg"),
        };
        let adapter = TelegramPlatform::connect(settings).await?;
        let service = service_on(store)?;
        service.add_platform(adapter.clone());
        service.start().await?;
        let handler = Arc::new(service.clone());
        let poll = tokio::spawn(async move {
            let _ = adapter.poll(handler, std::future::pending()).await;
        });
        tg.limit_rates();
        let server = tg.clone();
        let time = tokio::spawn(async move {
            // The server's clock runs in real time.
            let mut ticks = tokio::time::interval(Duration::from_millis(20));
            loop {
                ticks.tick().await;
                server.advance(20);
            }
        });
        Ok(Self { service, tasks: [poll, time] })
    }

    async fn stop(self) -> anyhow::Result<()> {
        self.tasks.iter().for_each(tokio::task::JoinHandle::abort);
        self.service.stop().await
    }
}

/// Opens a table by a command of the first person; the others take seats.
async fn seat_on_telegram(chat: i64, people: &[Person], command: &str) {
    people[0].say(chat, command);
    for guest in &people[1..] {
        let button = |it: &fake_telegram::VisibleMessage| {
            it.buttons.iter().flatten().find(|button| button.1.starts_with("j.")).cloned()
        };
        let lobby = guest.awaits(chat, "a free seat", |it| button(it).is_some()).await;
        tokio::time::sleep(LOOK).await;
        guest.press_stale(chat, lobby.id, &button(&lobby).expect("the wait has found it").1).await;
    }
}

/// Measures fifteen presses in a minute, then steady play.
async fn measure_telegram() -> anyhow::Result<(bool, bool)> {
    let tg = FakeTelegram::start().await;
    let people = [tg.user("Ann"), tg.user("Bek")];
    let chat = tg.supergroup("Family", &people.iter().collect::<Vec<_>>());
    let bot = OnTelegram::start(&tg, Arc::new(MemoryStore::new())).await?;
    seat_on_telegram(chat, &people, "/togyz").await;
    tokio::time::sleep(Duration::from_secs(61)).await;
    let quick = play_on_telegram(&tg, chat, &people, 15, Duration::from_secs(1)).await;
    let half = Duration::from_millis(500);
    let burst = report("Telegram, the first fifteen of a minute", quick, half, half);
    // The rate limit is used up after fast play; steady play is measured after a rest.
    tokio::time::sleep(Duration::from_secs(61)).await;
    let slow = play_on_telegram(&tg, chat, &people, 20, Duration::from_secs(3)).await;
    let most = Duration::from_millis(3_500);
    let steady = report("Telegram, a move each three seconds", slow, most, most);
    bot.stop().await?;
    Ok((burst, steady))
}

/// The time that people think about a card.
const THINK: Duration = Duration::from_secs(2);
const ROUND_MOST: Duration = Duration::from_secs(150);

/// Four people play a round of Blot from the first bid to the next deal; each acts when they see
/// that they are to move and have thought.
async fn measure_blot_round(is_old: bool) -> anyhow::Result<bool> {
    let tg = FakeTelegram::start().await;
    if is_old {
        tg.old();
    }
    let people = ["Ann", "Bek", "Cyd", "Dan"].map(|name| tg.user(name));
    let chat = tg.supergroup("Family", &people.iter().collect::<Vec<_>>());
    let store = Arc::new(MemoryStore::new());
    let bot = OnTelegram::start(&tg, store.clone()).await?;
    seat_on_telegram(chat, &people, "/blot").await;
    let start = |it: &fake_telegram::VisibleMessage| {
        it.buttons.iter().flatten().find(|button| button.1.starts_with("G.")).cloned()
    };
    let lobby = people[0].awaits(chat, "the start", |it| start(it).is_some()).await;
    tokio::time::sleep(LOOK).await;
    people[0].press_stale(chat, lobby.id, &start(&lobby).expect("the wait has found it").1).await;
    let round = Round { tg: &tg, chat, people: &people, store };
    let first = round.table().await;
    let deals = |table: &Table| table.history.steps.iter().filter(|it| it.seat.is_none()).count();
    let (began, mut times) = (Instant::now(), Vec::new());
    loop {
        let table = round.table().await;
        if deals(&table) > deals(&first) || table.phase != TablePhase::Playing {
            break;
        }
        times.push(round.act(&table).await);
    }
    let took = began.elapsed();
    bot.stop().await?;
    let server = if is_old { "an old server" } else { "the newest server" };
    let what = format!("Telegram, a round of Blot on {server} in {took:.0?}, turn to card");
    let _ = report(&what, times, THINK, THINK);
    Ok(took <= ROUND_MOST)
}

struct Round<'a> {
    tg: &'a FakeTelegram,
    chat: i64,
    people: &'a [Person; 4],
    store: Arc<MemoryStore>,
}

impl Round<'_> {
    async fn table(&self) -> Table {
        let lobby = self.tg.messages(self.chat).into_iter();
        let codes = lobby.flat_map(|it| it.buttons).flatten();
        let code =
            codes.filter_map(|it| TableCallback::decode(&it.1)).map(|it| it.table).next_back();
        let id = code.expect("the chat has a table");
        let lines = self.store.read_log(&id.0, 0).await.expect("the store is in memory");
        Table::from_log(&id, &lines).expect("the log is valid")
    }

    /// The player to move sees it, thinks and plays; returns the time without the thinking. A
    /// player without a hand message requests it, and requests it again after a while.
    async fn act(&self, table: &Table) -> Duration {
        let turn = table.seat_to_move().expect("a seat is to move");
        let name = &table.seating.occupant(turn).expect("all seats are taken").name;
        let nth = ["Ann", "Bek", "Cyd", "Dan"].iter().position(|it| it == name);
        let person = &self.people[nth.expect("the player is one of the four")];
        let hand = table.game.as_deref().expect("the game runs").hand(Seat(turn));
        let legal_card = hand.iter().position(|it| it.legal);
        let (began, mut requested) = (Instant::now(), None::<Instant>);
        loop {
            let seen = person.sees(self.chat);
            let has_hand = legal_card.is_none() || requested.is_some() || seen.iter().any(is_own);
            if let Some((message, press)) =
                has_hand.then(|| button_to_press(table, &seen, legal_card)).flatten()
            {
                let waited = began.elapsed();
                tokio::time::sleep(THINK).await;
                let pressing = Instant::now();
                let answer = match message.ephemeral {
                    Some(id) => person.press_ephemeral(self.chat, id, &press).await,
                    None => person.press_stale(self.chat, message.id, &press).await,
                };
                if answer.text.starts_with('✓') {
                    return waited + pressing.elapsed();
                }
            }
            let overdue = requested.is_none_or(|it| it.elapsed() > Duration::from_secs(3));
            let hand = format!("i.{}", table.id.0);
            let button = seen.iter().find(|it| it.buttons.iter().flatten().any(|it| it.1 == hand));
            if let (Some(board), true, true) = (button, overdue, legal_card.is_some()) {
                person.press_stale(self.chat, board.id, &hand).await;
                requested = Some(Instant::now());
                continue;
            }
            let mut changes = self.tg.changes();
            let _ = tokio::time::timeout(Duration::from_millis(500), changes.changed()).await;
        }
    }
}

/// Whether it is an ephemeral message with buttons.
fn is_own(message: &fake_telegram::VisibleMessage) -> bool {
    message.ephemeral.is_some() && !message.buttons.is_empty()
}

/// The button to press at this position: the first legal card, in the hand or by its number under
/// the board; the lowest bid if there is no bid yet, else pass.
fn button_to_press(
    table: &Table,
    seen: &[fake_telegram::VisibleMessage],
    legal_card: Option<usize>,
) -> Option<(fake_telegram::VisibleMessage, String)> {
    let has_bid = table.history.steps.iter().any(|it| it.seat.is_some() && it.token != "pass");
    let fits = |callback_data: &str| {
        let Some(press) = TableCallback::decode(callback_data).filter(|it| it.table == table.id)
        else {
            return false;
        };
        if let Some(PlayNumberedCard { position, n }) = press.action.downcast_ref() {
            return *position == table.history.position
                && legal_card.is_some_and(|legal_card| legal_card + 1 == usize::from(*n));
        }
        match press.action.command() {
            Some(Command::Move { position: Some(at), choice: MoveChoice::Token(token) }) => {
                let card = legal_card.and_then(|n| {
                    let game = table.game.as_deref()?;
                    game.hand(Seat(table.seat_to_move()?)).into_iter().nth(n)
                });
                *at == table.history.position
                    && match card {
                        Some(card) => card.choice.token == *token,
                        None => (token == "pass") == has_bid,
                    }
            }
            _ => false,
        }
    };
    seen.iter().rev().find_map(|message| {
        let press = message.buttons.iter().flatten().find(|it| fits(&it.1))?;
        Some((message.clone(), press.1.clone()))
    })
}

async fn play_on_telegram(
    tg: &FakeTelegram,
    chat: i64,
    people: &[Person; 2],
    moves: usize,
    each: Duration,
) -> Vec<Duration> {
    let look = || {
        let seen = people[0].sees(chat).into_iter().rev().find(|it| it.media.is_some())?;
        Some((seen.edited, seen.id, first_move(&seen.buttons)?))
    };
    let mut times = Vec::new();
    let mut who = 0;
    while times.len() < moves {
        let Some((edited, board, press)) = look() else { break };
        let began = Instant::now();
        let answer = people[who].press_stale(chat, board, &press).await;
        who = 1 - who;
        if !answer.text.starts_with('✓') {
            continue;
        }
        tg.wait_until("the move", |_| look().is_none_or(|(now, ..)| now != edited)).await;
        times.push(began.elapsed());
        tokio::time::sleep(each.saturating_sub(began.elapsed())).await;
    }
    times
}

/// The number of people who request hints of the strongest level, each in their private chat.
const ASKING: usize = 40;
/// The number of presses of others that are measured meanwhile.
const PRESSES: usize = 300;
/// The limit for 99 of 100 presses beside the hints.
const BESIDE_MOST: Duration = Duration::from_millis(60);

/// Measures the time from a press to its answer while forty other people wait for hints.
async fn measure_beside_hints() -> anyhow::Result<bool> {
    let tg = FakeTelegram::start().await;
    let people = [tg.user("Ann"), tg.user("Bek")];
    let chat = tg.supergroup("Family", &people.iter().collect::<Vec<_>>());
    let asking: Vec<Person> = (0..ASKING).map(|n| tg.user(&format!("Asker{n}"))).collect();
    let bot = OnTelegram::start(&tg, Arc::new(MemoryStore::new())).await?;
    seat_on_telegram(chat, &people, "/togyz").await;
    for person in &asking {
        person.say(person.id, "/togyz me computer master");
    }
    for person in &asking {
        person.awaits(person.id, "a board", |it| first_move(&it.buttons).is_some()).await;
    }
    let mut asks = tokio::task::JoinSet::new();
    for person in asking.clone() {
        asks.spawn(ask_for_hints(tg.clone(), person));
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let board = people[0].sees(chat).into_iter().rev().find(|it| it.media.is_some());
    let board = board.expect("the board is visible").id;
    let mut times = Vec::new();
    for n in 0..PRESSES {
        // A press for another table is refused, and nothing is drawn.
        let began = Instant::now();
        let answer = people[n % 2].press_stale(chat, board, "p.zzzzz.1.7").await;
        times.push(began.elapsed());
        anyhow::ensure!(!answer.text.is_empty(), "a press was not answered");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // Checks that the load was there.
    anyhow::ensure!(asks.try_join_next().is_none(), "a person got no hint for half a minute");
    let given: usize = asking.iter().map(hints_of).sum();
    anyhow::ensure!(given > 0, "no person got a hint");
    asks.shutdown().await;
    bot.stop().await?;
    times.sort();
    let p99 = times[times.len() * 99 / 100];
    let what = format!(
        "Telegram, a press beside {ASKING} people who ask a master, {given} hints, p99 {p99:.1?}"
    );
    let _ = report(&what, times, BESIDE_MOST, BESIDE_MOST);
    Ok(p99 <= BESIDE_MOST)
}

/// Requests the next hint as soon as the last one came, endlessly.
async fn ask_for_hints(tg: FakeTelegram, person: Person) {
    loop {
        let known = hints_of(&person);
        person.say(person.id, "/hint");
        tg.wait_until("a hint", |_| hints_of(&person) > known).await;
    }
}

/// The number of hints that a person sees in their private chat.
fn hints_of(person: &Person) -> usize {
    person.sees(person.id).iter().filter(|it| it.text.contains("would play")).count()
}
