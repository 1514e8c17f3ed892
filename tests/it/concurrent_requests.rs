//! Two simultaneous requests of one person, for every row that is read and later written: both read
//! it before either writes it, in both orders, and both changes are kept.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_protocol::{InlineQueries, InlineResult, Update, UpdateHandler, UpdateKind};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Commit, Space, Store, StoreError, StoreLayer};
use parking_lot::Mutex;
use serde_json::Value;

use crate::linked_accounts::link_code;
use crate::stage::Stage;
use crate::stage::memory::{MemoryStage, text};

/// How often the first of two commits yields to the runtime while it waits for the second.
const TURNS: usize = 20_000;

/// Two commits that wait for each other: those that write a row whose key begins so.
pub struct Meeting {
    space: Space,
    key: String,
    /// Whether the commit that comes second is written first.
    turned: bool,
    /// How many commits have come, and how many of them were written.
    came: AtomicUsize,
    written: AtomicUsize,
}

impl Meeting {
    fn is_of(&self, commit: &Commit) -> bool {
        commit.puts.iter().any(|it| it.space == self.space && it.key.starts_with(&self.key))
    }

    /// Whether both commits have come.
    pub fn have_met(&self) -> bool {
        self.came.load(Ordering::SeqCst) >= 2
    }

    /// Waits for the other commit, and until it is this one's turn.
    async fn turn(&self) {
        let n = self.came.fetch_add(1, Ordering::SeqCst);
        if n > 1 {
            return;
        }
        let is_first = (n == 0) != self.turned;
        for _ in 0..TURNS {
            let both = self.came.load(Ordering::SeqCst) >= 2;
            if both && (is_first || self.written.load(Ordering::SeqCst) > 0) {
                return;
            }
            tokio::task::yield_now().await;
        }
    }
}

/// A store in which two commits wait for each other.
pub struct Pausing {
    store: MemoryStore,
    meeting: Mutex<Option<Arc<Meeting>>>,
}

impl Pausing {
    pub fn new() -> Arc<Self> {
        Arc::new(Pausing { store: MemoryStore::new(), meeting: Mutex::default() })
    }

    /// Makes the next two commits that write such a row wait for each other.
    pub fn meet(&self, space: Space, key: &str, turned: bool) -> Arc<Meeting> {
        let (came, written) = Default::default();
        let meeting = Arc::new(Meeting { space, key: key.into(), turned, came, written });
        *self.meeting.lock() = Some(meeting.clone());
        meeting
    }
}

#[async_trait]
impl StoreLayer for Pausing {
    fn inner(&self) -> &dyn Store {
        &self.store
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        let meeting = self.meeting.lock().clone().filter(|it| it.is_of(&commit));
        let Some(meeting) = meeting else { return self.store.commit(commit).await };
        meeting.turn().await;
        let done = self.store.commit(commit).await;
        meeting.written.fetch_add(1, Ordering::SeqCst);
        done
    }
}

fn press(press: &str) -> UpdateKind {
    UpdateKind::Press { callback_data: press.into(), message: None }
}

/// Ann and Bek at a slow table in the group, all profiles known.
async fn stage() -> (Arc<Pausing>, MemoryStage) {
    let store = Pausing::new();
    let mut stage = MemoryStage::new(store.clone()).await;
    stage.send_group_message("Ann", "/togyz @Bek me 3 days").await;
    stage.send_group_message("Bek", "/accept").await;
    stage.send_private_message("Ann", "/help").await;
    stage.service.wait_until_idle().await;
    (store, stage)
}

/// Handles both updates at once, and asserts that their commits met.
async fn at_once(stage: &MemoryStage, meeting: &Meeting, one: Update, two: Update) {
    let service = &stage.service;
    tokio::join!(service.handle(one), service.handle(two));
    service.wait_until_idle().await;
    assert!(meeting.have_met(), "they did not meet: {}", meeting.key);
}

async fn row(store: &Pausing, space: Space, key: &str) -> Value {
    let bytes = store.get(space, key).await.unwrap();
    bytes.map(|it| serde_json::from_slice(&it).unwrap()).unwrap_or_default()
}

/// Makes an update of Ann.
type Asks = fn(&mut MemoryStage) -> Update;
/// Whether a profile shows that the update was kept.
type Kept = fn(&Value) -> bool;

/// Asserts that of these ways to change a profile any two at the same moment are both kept, unless
/// one of them is the `exempt` one.
async fn each_two_are_kept(
    (space, key): (Space, &str),
    ways: &[(&str, Asks, Kept)],
    exempt: Option<&str>,
) {
    for turned in [false, true] {
        for (n, (first, one, kept)) in ways.iter().enumerate() {
            for (second, two, kept_too) in &ways[n + 1..] {
                let (store, mut stage) = stage().await;
                let meeting = store.meet(space, key, turned);
                let (one, two) = (one(&mut stage), two(&mut stage));
                at_once(&stage, &meeting, one, two).await;
                let profile = row(&store, space, key).await;
                let both = kept(&profile) && kept_too(&profile);
                let is_exempt = exempt.is_some_and(|it| [*first, *second].contains(&it));
                assert!(both || is_exempt, "{first} and {second}, {turned}: {profile}");
            }
        }
    }
}

fn alone(stage: &mut MemoryStage, body: UpdateKind) -> Update {
    stage.update("Ann", true, body)
}

fn in_group(stage: &mut MemoryStage, body: UpdateKind) -> Update {
    stage.update("Ann", false, body)
}

/// Any update tells the name of its person.
fn renamed(stage: &mut MemoryStage) -> Update {
    let mut update = alone(stage, text("/help"));
    update.person.name = "Anna".into();
    update
}

/// Any update tells the title of its chat.
fn retitled(stage: &mut MemoryStage) -> Update {
    let mut update = in_group(stage, press("S.ru"));
    update.chat.title = "Friends".into();
    update
}

#[tokio::test]
async fn two_settings_of_one_person_are_both_kept() {
    let ways: [(&str, Asks, Kept); 5] = [
        ("language", |it| alone(it, press("s.ru")), |it| it["lang"] == "ru"),
        ("theme", |it| alone(it, press("T.night")), |it| it["theme"] == "night"),
        ("press", |it| alone(it, press("Q.on")), |it| it["confirm"] == true),
        (
            "vacation",
            |it| alone(it, text("/vacation 30")),
            |it| it["vacations"].as_array().unwrap().len() == 1,
        ),
        ("name", renamed, |it| it["name"] == "Anna"),
    ];
    each_two_are_kept((Space::Person, "mem:Ann"), &ways, None).await;
}

#[tokio::test]
async fn two_changes_of_one_chat_are_both_kept() {
    let ways: [(&str, Asks, Kept); 5] = [
        ("language", |it| in_group(it, press("S.ru")), |it| it["lang"] == "ru"),
        ("theme", |it| in_group(it, press("U.night")), |it| it["theme"] == "night"),
        ("a clock", |it| in_group(it, text("/togyz 5+3")), |it| it["clock"] == "game-300-3"),
        ("the bot removed", |it| in_group(it, UpdateKind::BotRemoved), |it| it["gone"] == true),
        ("the title", retitled, |it| it["title"] == "Friends"),
    ];
    // Any update after the bot was removed shows that it is there again.
    let exempt = Some("the bot removed");
    each_two_are_kept((Space::ChatProfile, "mem:group"), &ways, exempt).await;
}

#[tokio::test]
async fn an_account_is_linked_while_settings_change() {
    for turned in [false, true] {
        let (store, mut stage) = stage().await;
        let other = |stage: &mut MemoryStage, body: UpdateKind| {
            let mut update = stage.update("Cem", true, body);
            update.person.id = PersonId("tg:7".into());
            update.chat.id = ChatId("mem:@Cem".into());
            update
        };
        stage.send_private_message("Ann", "/link").await;
        let told = stage.private_replies("Ann").await.last().unwrap().text.clone();
        let code = link_code(&told);
        let asked = other(&mut stage, text(&format!("/link {code}")));
        stage.service.handle(asked).await;
        let sure = other(&mut stage, press(&format!("0.{code}")));
        let meeting = store.meet(Space::Person, "mem:Ann", turned);
        let setting = stage.update("Ann", true, press("s.ru"));
        at_once(&stage, &meeting, sure, setting).await;
        let links = row(&store, Space::Person, "links mem:Ann").await;
        assert_eq!(links["accounts"][0], "tg:7", "{turned}");
        let profile = row(&store, Space::Person, "mem:Ann").await;
        assert_eq!(profile["lang"], "ru", "{turned}: {profile}");
    }
}

/// Otherwise the account would be linked in the middle of a rated game.
#[tokio::test]
async fn of_a_link_and_the_beginning_of_a_rated_game_one_comes_first() {
    for turned in [false, true] {
        let store = Pausing::new();
        let mut stage = MemoryStage::new(store.clone()).await;
        stage.send_group_message("Ann", "/togyz me").await;
        let mut ask = stage.update("Cem", true, text("/link"));
        ask.person.id = PersonId("tg:7".into());
        ask.chat.id = ChatId("mem:@Cem".into());
        let told = stage.service.handle(ask).await;
        let told: Vec<String> = told.iter().map(|it| it.message.text().to_plain()).collect();
        let code = link_code(&told.join("\n"));
        stage.send_private_message("Bek", &format!("/link {code}")).await;
        let link = stage.update("Bek", true, press(&format!("0.{code}")));
        let join = stage.update("Bek", false, text("/join"));
        let meeting = store.meet(Space::Seen, "mem/", turned);
        at_once(&stage, &meeting, link, join).await;
        let is_linked = row(&store, Space::Person, "links mem:Bek").await["main"] == "tg:7";
        let (table, _) = stage.newest_table().await;
        let people: Vec<String> = table.seating.people().iter().map(|it| it.0.clone()).collect();
        let expected = if is_linked { vec!["mem:Ann"] } else { vec!["mem:Ann", "mem:Bek"] };
        assert_eq!(people, expected, "{turned}");
    }
}

#[tokio::test]
async fn two_presses_of_a_switch_turn_it_twice() {
    for turned in [false, true] {
        let (store, mut stage) = stage().await;
        let key = "awaiting mem:group togyzkumalak mem:Ann";
        let meeting = store.meet(Space::Meta, key, turned);
        let [one, two] = [0, 1].map(|_| stage.update("Ann", false, press("9.togyzkumalak")));
        at_once(&stage, &meeting, one, two).await;
        assert_eq!(store.get(Space::Meta, key).await.unwrap(), None);
    }
}

#[tokio::test]
async fn two_requests_for_a_link_code_leave_one_code() {
    for turned in [false, true] {
        let (store, mut stage) = stage().await;
        let meeting = store.meet(Space::Meta, "linking-of mem:Ann", turned);
        let [one, two] = [0, 1].map(|_| stage.update("Ann", true, text("/link")));
        at_once(&stage, &meeting, one, two).await;
        let codes = store.scan(Space::Meta, "linking ", None, 9).await.unwrap();
        assert_eq!(codes.len(), 1, "{codes:?}");
    }
}

#[tokio::test]
async fn two_requests_to_sign_out_both_count() {
    for turned in [false, true] {
        let (store, mut stage) = stage().await;
        let key = "guests-of mem:Ann";
        let meeting = store.meet(Space::Meta, key, turned);
        let [one, two] = [0, 1].map(|_| stage.update("Ann", true, text("/web off")));
        at_once(&stage, &meeting, one, two).await;
        assert_eq!(row(&store, Space::Meta, key).await, 2);
    }
}

#[tokio::test]
async fn an_inline_challenge_sent_from_two_devices_is_one_challenge() {
    for turned in [false, true] {
        let (store, stage) = stage().await;
        let meeting = store.meet(Space::Meta, "posing mem:Ann", turned);
        let ann = stage.person("Ann");
        let offers = || stage.service.inline_results(&ann, "togyz");
        let (one, two) = tokio::join!(offers(), offers());
        assert!(meeting.came.load(Ordering::SeqCst) >= 2);
        // Each device shows its own hash; the challenge is one.
        let titles =
            |all: &[InlineResult]| all.iter().map(|it| it.title.clone()).collect::<Vec<_>>();
        assert!(!one.is_empty() && titles(&one) == titles(&two), "{one:?} {two:?}");
        let codes = store.scan(Space::Meta, "posed ", None, 9).await.unwrap();
        assert_eq!(codes.len(), 1, "{codes:?}");
    }
}

#[tokio::test]
async fn two_concurrent_exports_give_one_archive() {
    for turned in [false, true] {
        let (store, mut stage) = stage().await;
        let meeting = store.meet(Space::Meta, "exported ", turned);
        let one = stage.update("Ann", true, text("/account export"));
        let two = stage.update("Ann", true, text("/account export"));
        let service = &stage.service;
        let (one, two) = tokio::join!(service.handle(one), service.handle(two));
        assert!(meeting.have_met());
        let told = one.iter().chain(&two).map(|it| it.message.text().to_plain());
        let told: Vec<String> = told.collect();
        assert_eq!(told.iter().filter(|it| it.contains("account.json")).count(), 1, "{told:?}");
        assert_eq!(told.iter().filter(|it| it.contains("again in 10 min")).count(), 1, "{told:?}");
    }
}

#[tokio::test]
async fn concurrent_requests_respect_the_limit_of_open_tables() {
    for turned in [false, true] {
        let (store, mut stage) = stage().await;
        // Six tables of one person may be open in a group.
        for _ in 0..4 {
            stage.send_group_message("Ann", "/togyz").await;
        }
        assert_eq!(stage.tables().await.len(), 5);
        let meeting = store.meet(Space::Meta, "seated mem:Ann", turned);
        let one = stage.update("Ann", false, text("/togyz"));
        let two = stage.update("Ann", false, text("/togyz"));
        at_once(&stage, &meeting, one, two).await;
        assert_eq!(stage.tables().await.len(), 6);
    }
}
