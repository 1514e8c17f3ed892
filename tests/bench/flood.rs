//! Measures how a flood of updates affects other people: people move at 1,000 tables, 80 times a
//! second, first alone, then beside each kind of flood. Run with `cargo bench --bench flood`; two
//! minutes.
//!
//! Floor: 99 % of boards are sent within 60 ms after the press, with and without a flood. The
//! limits are the defaults.

#[allow(dead_code)]
mod bench_bot;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use caravanserai_bot::service::{BotLimits, Service};
use caravanserai_games::ids::{ChatId, ChatKind, MessageId, PersonId};
use caravanserai_protocol::{
    Arrival, Capabilities, Chat, EphemeralMessages, Mention, OutgoingMessage, ParentChats, Person,
    PersonKind, Platform, PrivateMessage, SendError, Update, UpdateHandler, UpdateKind,
};
use tokio::task::JoinSet;

use self::bench_bot::{BenchBot, TABLES, quantiles};

/// Updates of a flood per second.
const FLOOD: u64 = 1000;
/// Moves of the other people per second: the most that the platforms allow.
const MOVES: u64 = 80;
const FLOOR: Duration = Duration::from_millis(60);

/// A kind of flood: its name, and its update with this number.
type Flood = (&'static str, fn(u64) -> Update);

const FLOODS: &[Flood] = &[
    ("one person", |n| update_of(n, 0, 0, text_body(n))),
    ("five hundred people of one group", |n| update_of(n, 0, n % 500, text_body(n))),
    ("a thousand groups", |n| update_of(n, n % 1000, n % 1000, text_body(n))),
    ("huge messages and names", |n| huge(n)),
    ("a platform that takes nothing any more", |n| stuck(n)),
];

fn main() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let bench = BenchBot::open(true, BotLimits::default()).await?;
        bench.service.add_platform(Arc::new(Stuck));
        let mut tables = bench.seated(TABLES).await?;
        println!("-- alone");
        let (_, mut worst) = bench.open_loop(&mut tables, MOVES).await?;
        for (name, update) in FLOODS {
            println!("-- beside {name}, {FLOOD} updates a second");
            let over = Arc::new(AtomicBool::new(false));
            let flood = tokio::spawn(flood(bench.service.clone(), *update, Arc::clone(&over)));
            let (_, sent) = bench.open_loop(&mut tables, MOVES).await?;
            over.store(true, Ordering::Relaxed);
            let mut times = flood.await?;
            println!("  the flood itself, {} answers: {}", times.len(), quantiles(&mut times));
            worst = worst.max(sent);
        }
        anyhow::ensure!(worst < FLOOR, "the floor was missed: {worst:?}");
        Ok(())
    })
}

/// Floods the bot until `over` is set; returns the time of each answer. At most 2,000 answers are
/// pending at a time, because a platform has no more connections.
async fn flood(
    service: Service,
    update: fn(u64) -> Update,
    over: Arc<AtomicBool>,
) -> Vec<Duration> {
    let start = Instant::now();
    let (mut tasks, mut times) = (JoinSet::new(), Vec::new());
    for n in 0.. {
        tokio::time::sleep_until((start + Duration::from_millis(n * 1000 / FLOOD)).into()).await;
        if over.load(Ordering::Relaxed) {
            break;
        }
        while tasks.len() >= 2000 {
            times.extend(tasks.join_next().await.into_iter().flatten());
        }
        let service = service.clone();
        tasks.spawn(async move {
            let begun = Instant::now();
            service.handle(update(n)).await;
            begun.elapsed()
        });
    }
    times.extend(tasks.join_all().await);
    times
}

/// Texts of people who flood a chat.
fn text_body(n: u64) -> UpdateKind {
    let text = ["/togyz", "hello?", "/move 3", "/help", "/thaayam me", "👋👋👋", "/games"];
    let text = text[n as usize % text.len()].to_owned();
    UpdateKind::Text { text, mentions: Vec::new(), reply_to: None, is_addressed: false }
}

fn person(who: u64) -> Person {
    Person {
        id: PersonId(format!("mem:flood{who}")),
        name: format!("Flooder {who}"),
        username: Some(format!("flooder{who}")),
        locale: Some("en".into()),
        kind: PersonKind::Human,
        admin: false,
    }
}

fn update_of(n: u64, group: u64, who: u64, body: UpdateKind) -> Update {
    let id = ChatId(format!("mem:-200{group:06}"));
    let chat = Chat {
        id,
        kind: ChatKind::Group,
        title: format!("Flood {group}"),
        locale: None,
        parents: ParentChats::default(),
    };
    // The id contains group and person, so that each flood has new updates.
    Update {
        id: format!("mem/{group}.{who}.{n}.flood"),
        chat,
        person: person(who),
        kind: body,
        arrival: Arrival::default(),
    }
}

/// The longest messages, names and lists of people that the platforms allow.
fn huge(n: u64) -> Update {
    let mentions = (0..100).map(|who| Mention::Known(person(1_000 + who))).collect();
    let text = format!("/togyz {}", "Ы".repeat(4_000));
    let mut update = update_of(
        n,
        2_000,
        2_000 + n % 20,
        UpdateKind::Text { text, mentions, reply_to: None, is_addressed: false },
    );
    update.person.name = "Ұ\u{301}".repeat(256);
    update.chat.title = "🐪".repeat(255);
    update.id.push_str(".huge");
    update
}

/// Updates of people on a platform that hangs.
fn stuck(n: u64) -> Update {
    let mut update = update_of(n, 3_000 + n % 200, 3_000 + n % 200, text_body(n));
    update.chat.id = ChatId(update.chat.id.0.replacen("mem:", "stuck:", 1));
    update.id = update.id.replacen("mem/", "stuck/", 1);
    update
}

/// A platform whose requests never end.
struct Stuck;

#[async_trait]
impl Platform for Stuck {
    fn name(&self) -> &'static str {
        "stuck"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    fn call_limit_per_minute(&self, _: &ChatId) -> u32 {
        u32::MAX
    }

    async fn post(&self, _: &ChatId, _: &OutgoingMessage) -> Result<MessageId, SendError> {
        std::future::pending().await
    }

    async fn edit(&self, _: &ChatId, _: &MessageId, _: &OutgoingMessage) -> Result<(), SendError> {
        std::future::pending().await
    }

    async fn delete(&self, _: &ChatId, _: &MessageId) -> Result<(), SendError> {
        std::future::pending().await
    }

    fn ephemeral_messages(&self) -> Option<&dyn EphemeralMessages> {
        Some(self)
    }
}

#[async_trait]
impl EphemeralMessages for Stuck {
    fn has_ephemeral_buttons(&self, _: &ChatId) -> bool {
        true
    }

    async fn show_ephemeral(
        &self,
        _: &ChatId,
        _: &PersonId,
        _: &str,
        _: &PrivateMessage,
    ) -> Result<(), SendError> {
        std::future::pending().await
    }
}
