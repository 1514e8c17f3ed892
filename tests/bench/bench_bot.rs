//! Provides benchmarks with a bot and tables at which people move at fixed times, and measures the
//! time from the due time of a press to its commit and to the request with its board.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use caravanserai_bot::service::{BotLimits, Service, ServiceDeps, SystemClock};
use caravanserai_games::Match;
use caravanserai_games::ids::{ChatId, ChatKind, MessageId, PersonId};
use caravanserai_games::rules::{Node, Seat};
use caravanserai_games::togyzkumalak;
use caravanserai_i18n::I18n;
use caravanserai_protocol::{
    Capabilities, Chat, OutgoingMessage, ParentChats, Person, PersonKind, Platform, SendError,
    Update, UpdateHandler, UpdateKind,
};
use caravanserai_render::Renderer;
use caravanserai_store::sled::SledStore;
use caravanserai_store::{Space, Store};
use parking_lot::Mutex;
use tokio::task::JoinSet;

/// Number of tables at which moves are made in turn.
pub const TABLES: usize = 1000;
/// How long moves are measured.
const MEASURE: Duration = Duration::from_secs(10);
/// Shorter, so that the games do not end.
const MEASURE_RATE: Duration = Duration::from_millis(1500);

/// A bot with a store in this folder.
pub fn bot(folder: &Path, limits: BotLimits) -> anyhow::Result<(Service, Arc<SledStore>)> {
    let store = Arc::new(SledStore::open(&folder.join("store"))?);
    let service = Service::new(ServiceDeps {
        store: store.clone(),
        i18n: Arc::new(I18n::new()),
        renderer: Arc::new(Renderer::embedded()?),
        clock: Arc::new(SystemClock),
        randomness: Box::new(|bytes| getrandom::fill(bytes).expect("random bytes")),
        limits,
        contact: None,
        operator_settings: Default::default(),
    });
    Ok((service, store))
}

/// A platform that answers every call at once, and measures the time until each awaited board.
#[derive(Default)]
pub struct Instantly {
    calls: AtomicU64,
    waiting: Mutex<HashMap<ChatId, Instant>>,
    times: Mutex<Vec<Duration>>,
}

impl Instantly {
    fn called(&self, chat: &ChatId) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        if let Some(since) = self.waiting.lock().remove(chat) {
            self.times.lock().push(since.elapsed());
        }
    }
}

#[async_trait]
impl Platform for Instantly {
    fn name(&self) -> &'static str {
        "mem"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    fn call_limit_per_minute(&self, _: &ChatId) -> u32 {
        u32::MAX
    }

    async fn post(&self, chat: &ChatId, _: &OutgoingMessage) -> Result<MessageId, SendError> {
        self.called(chat);
        Ok(MessageId(self.calls.load(Ordering::Relaxed).to_string()))
    }

    async fn edit(
        &self,
        chat: &ChatId,
        _: &MessageId,
        _: &OutgoingMessage,
    ) -> Result<(), SendError> {
        self.called(chat);
        Ok(())
    }

    async fn delete(&self, _: &ChatId, _: &MessageId) -> Result<(), SendError> {
        Ok(())
    }
}

/// A running game, as its players know it.
pub struct Seated {
    group: usize,
    code: String,
    game: Box<dyn Match>,
    moves: u64,
    random: u64,
}

impl Seated {
    /// The next move as the press of a button; `None` when the game is over.
    fn press(&mut self) -> Option<Update> {
        let Node::Act(Seat(seat)) = self.game.node() else { return None };
        let choices = self.game.choices(Seat(seat));
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let token = &choices[(self.random >> 33) as usize % choices.len()].token;
        // The lines open, sit, sit and start precede the first move.
        let press = format!("p.{}.{}.{token}", self.code, 3 + self.moves);
        self.game.apply_action(Seat(seat), token).expect("the token is a legal choice");
        self.moves += 1;
        Some(update(
            self.group,
            usize::from(seat),
            UpdateKind::Press { callback_data: press, message: None },
        ))
    }
}

/// A group by its number.
pub fn group(n: usize) -> ChatId {
    ChatId(format!("mem:-100{n:06}"))
}

/// An update of one of two people in a group.
pub fn update(group_number: usize, who: usize, body: UpdateKind) -> Update {
    static UPDATES: AtomicU64 = AtomicU64::new(0);
    let n = UPDATES.fetch_add(1, Ordering::Relaxed);
    let (id, name) = (PersonId(format!("mem:{group_number}{who}")), ["Ann", "Айгүл"][who]);
    let person = Person {
        id,
        name: name.into(),
        username: Some(format!("user{group_number}x{who}")),
        locale: Some("en".into()),
        kind: PersonKind::Human,
        admin: false,
    };
    let title = format!("Family {group_number}");
    let chat = Chat {
        id: group(group_number),
        kind: ChatKind::Group,
        title,
        locale: None,
        parents: ParentChats::default(),
    };
    Update {
        id: format!("mem/{n}"),
        chat,
        person,
        kind: body,
        arrival: caravanserai_protocol::Arrival::default(),
    }
}

/// A bot with its store and platform.
pub struct BenchBot {
    pub service: Service,
    pub store: Arc<SledStore>,
    platform: Arc<Instantly>,
    shown: bool,
    pub folder: tempfile::TempDir,
}

impl BenchBot {
    /// A bot whose boards are drawn and shown, or that has no platform.
    pub async fn open(shown: bool, limits: BotLimits) -> anyhow::Result<BenchBot> {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
        let (service, store) = bot(folder.path(), limits)?;
        let platform = Arc::new(Instantly::default());
        if shown {
            service.add_platform(platform.clone());
        }
        service.start().await?;
        Ok(BenchBot { service, store, platform, shown, folder })
    }

    /// Seats two people at a table in each group.
    pub async fn seated(&self, count: usize) -> anyhow::Result<Vec<Seated>> {
        let mut tables = Vec::new();
        for n in 0..count {
            let words = |text: &str| UpdateKind::Text {
                text: text.into(),
                mentions: Vec::new(),
                reply_to: None,
                is_addressed: false,
            };
            self.service.handle(update(n, 0, words("/togyz me"))).await;
            self.service.handle(update(n, 1, words("/join"))).await;
            let prefix = format!("{} ", group(n).0);
            let found = self.store.scan(Space::ChatTable, &prefix, None, 2).await?;
            anyhow::ensure!(found.len() == 1, "one table is open in each group");
            let code = found[0].0[prefix.len()..].to_owned();
            let game = togyzkumalak::ID.start_match("seed", 2).expect("two seats");
            tables.push(Seated { group: n, code, game, moves: 0, random: n as u64 });
        }
        self.service.wait_until_idle().await;
        Ok(tables)
    }

    /// Makes moves at fixed times, whether or not earlier ones are done, and measures each from its
    /// due time. Returns the times within which 99 % were committed, and shown.
    pub async fn open_loop(
        &self,
        tables: &mut [Seated],
        offered: u64,
    ) -> anyhow::Result<(Duration, Duration)> {
        self.platform.times.lock().clear();
        let start = Instant::now();
        let mut tasks = JoinSet::new();
        for n in 0.. {
            let due = start + Duration::from_nanos(n * 1_000_000_000 / offered);
            if due > start + MEASURE {
                break;
            }
            let table = &mut tables[n as usize % TABLES];
            let Some(update) = table.press() else { continue };
            tokio::time::sleep_until(due.into()).await;
            if self.shown {
                let waiting = &self.platform.waiting;
                waiting.lock().insert(update.chat.id.clone(), due);
            }
            let service = self.service.clone();
            tasks.spawn(async move {
                let answers = service.handle(update).await;
                let refused = answers.iter().filter(|it| !it.purpose.is_ack()).count();
                (due.elapsed(), refused)
            });
        }
        let mut times = Vec::new();
        while let Some(done) = tasks.join_next().await {
            let (time, refused) = done?;
            anyhow::ensure!(refused == 0, "a move was refused");
            times.push(time);
        }
        println!("{offered} moves/s offered ({})", load());
        println!("  received to committed: {}", quantiles(&mut times));
        if self.shown {
            self.shown_to_all().await;
            let mut sent = std::mem::take(&mut *self.platform.times.lock());
            println!("  received to request sent: {}", quantiles(&mut sent));
            return Ok((p99(&times), p99(&sent)));
        }
        Ok((p99(&times), Duration::ZERO))
    }

    /// Waits until all awaited boards are shown, but not for other platforms.
    async fn shown_to_all(&self) {
        while !self.platform.waiting.lock().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Makes as many moves as `writers` chats can make, each waiting for its last move; returns the
    /// rate.
    pub async fn closed_loop(
        &self,
        tables: &mut Vec<Seated>,
        writers: usize,
    ) -> anyhow::Result<f64> {
        let mut shares: Vec<Vec<Seated>> = (0..writers).map(|_| Vec::new()).collect();
        for (n, table) in tables.drain(..).enumerate() {
            shares[n % writers].push(table);
        }
        let calls = self.platform.calls.load(Ordering::Relaxed);
        let start = Instant::now();
        let mut tasks = JoinSet::new();
        for mut share in shares {
            let service = self.service.clone();
            tasks.spawn(async move {
                let mut times = Vec::new();
                'measure: loop {
                    let mut any = false;
                    for table in &mut share {
                        if start.elapsed() > MEASURE_RATE {
                            break 'measure;
                        }
                        let Some(update) = table.press() else { continue };
                        let sent = Instant::now();
                        let answers = service.handle(update).await;
                        anyhow::ensure!(answers.iter().all(|it| it.purpose.is_ack()), "a refusal");
                        times.push(sent.elapsed());
                        any = true;
                    }
                    anyhow::ensure!(any, "all games are over");
                }
                Ok((share, times))
            });
        }
        let mut times = Vec::new();
        while let Some(done) = tasks.join_next().await {
            let (share, taken) = done??;
            tables.extend(share);
            times.extend(taken);
        }
        let seconds = start.elapsed().as_secs_f64();
        let rate = times.len() as f64 / seconds;
        let calls = (self.platform.calls.load(Ordering::Relaxed) - calls) as f64 / seconds;
        println!(
            "{writers} chats at once: {rate:.0} moves/s committed, {calls:.0} boards/s shown \
             ({})\n  {}",
            load(),
            quantiles(&mut times)
        );
        self.service.wait_until_idle().await;
        Ok(rate)
    }
}

/// The load of the machine, if the system reports it.
fn load() -> String {
    let loadavg = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    format!("load {}", loadavg.split(' ').next().unwrap_or("unknown"))
}

/// The 99th percentile of sorted times.
fn p99(times: &[Duration]) -> Duration {
    times.get(times.len() * 99 / 100).copied().unwrap_or_default()
}

/// Sorts the times; returns the median, the 99th and 99.9th percentile and the maximum.
pub fn quantiles(times: &mut [Duration]) -> String {
    times.sort();
    let Some(last) = times.len().checked_sub(1) else { return "nothing".into() };
    let at = |part: usize| times[(times.len() * part / 1000).min(last)];
    format!("p50 {:?}, p99 {:?}, p99.9 {:?}, max {:?}", at(500), at(990), at(999), at(1000))
}
