//! Logs that earlier versions wrote stay readable and give the same tables as they did then.
//!
//! `tests/data/stored/<format>/<name>.log` is a log as it lies in the store, `<name>.txt` what
//! its table is. Once committed, neither changes. `UPDATE_STORED=1` lets the real service play
//! the games below and writes the samples that are missing, for a new format or a new kind of
//! event.

mod timed;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use caravanserai_bot::service::Service;
use caravanserai_bot::views::board_view;
use caravanserai_bot::views::hand_views::HandDelivery;
use caravanserai_games::ids::TableId;
use caravanserai_games::ids::{ChatId, ChatKind, PersonId};
use caravanserai_games::rules::Viewer;
use caravanserai_protocol::{
    Arrival, Chat, Mention, ParentChats, Person, PersonKind, Update, UpdateHandler, UpdateKind,
};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Space, Store};
use caravanserai_table::chat_commands::AttachedChat;
use caravanserai_table::clock::RunningClock;
use caravanserai_table::event::{EndReason, LOG_FORMAT};
use caravanserai_table::{LogLine, Table, TablePhase, TimeControl};
use proptest::prelude::*;

use crate::stage::clock::TestClock;
use crate::stage::memory::service;

/// Why a game ended, in the words of the first samples.
fn reason_meaning(reason: &EndReason) -> String {
    match reason {
        EndReason::PlayedOut => "Played".to_owned(),
        EndReason::LostOnTime(seat) => format!("Late({seat})"),
        EndReason::AbsentPlayer(seat) => format!("Absent({seat})"),
        EndReason::DrawAgreed => "Agreed".to_owned(),
        EndReason::ChatGone => "Vanished".to_owned(),
        other => format!("{other:?}"),
    }
}

/// The offer that waits for an answer, in the words of the first samples.
fn offer_meaning(table: &Table) -> String {
    let pending = table.offers.pending.map(|it| (it.logged_seat(), it.offer));
    format!("{pending:?}").replace("Takeback", "TakeBack")
}

/// The clock that runs, in the words of the first samples.
fn clock_meaning(table: &Table) -> String {
    let Some(clock) = table.running_clock() else { return "None".to_owned() };
    let RunningClock { turn, from_ms, until_ms, refunded_ms, outage_refunded_ms, version } = clock;
    format!(
        "Some(Running {{ turn: {turn:?}, from_ms: {from_ms}, until_ms: {until_ms}, credited_ms: \
         {refunded_ms}, given_ms: {outage_refunded_ms}, version: {version} }})"
    )
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/stored")
}

/// A sample: where it is, its lines, and what its table is.
struct Sample {
    name: String,
    id: TableId,
    lines: Vec<String>,
    summary: String,
}

fn samples() -> Vec<Sample> {
    let mut samples = Vec::new();
    for format in fs::read_dir(folder()).unwrap() {
        for file in fs::read_dir(format.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|it| it == "log") {
                let summary = fs::read_to_string(path.with_extension("txt")).unwrap();
                let id = summary.lines().find_map(|it| it.strip_prefix("table ")).unwrap();
                let text = fs::read_to_string(&path).unwrap();
                let lines = text.split_terminator('\n').map(str::to_owned).collect();
                let name = path.display().to_string();
                samples.push(Sample { name, id: TableId(id.into()), lines, summary });
            }
        }
    }
    samples.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(samples.len() > 10, "there are {} samples", samples.len());
    samples
}

/// All that counts about a table, one thing a line.
fn summary(table: &Table) -> String {
    let Table { id, setup, version, history, .. } = table;
    let mut text = format!("table {}\n", id.0);
    let mut say = |name: &str, what: String| writeln!(text, "{name} {what}").unwrap();
    let kind = if setup.kind == ChatKind::Private { "private" } else { "group" };
    say("game", format!("{} {}", setup.game.info().code, setup.options));
    say("place", format!("{} {kind}", table.chats.home().0));
    say("opener", setup.opener.0.clone());
    say("begin", setup.begin.encode().into());
    say("version", version.to_string());
    let phase = match &table.phase {
        TablePhase::Lobby => "lobby".to_owned(),
        TablePhase::Playing => "playing".to_owned(),
        TablePhase::Over { scores, reason } => {
            format!("over {scores:?} {}", reason_meaning(reason))
        }
        TablePhase::Closed { reason } => format!("closed {}", reason_meaning(reason)),
    };
    say("phase", phase);
    for name in table.record_names() {
        say("seat", name);
    }
    say(
        "people",
        table.seating.people().iter().map(|it| it.0.as_str()).collect::<Vec<_>>().join(" "),
    );
    say(
        "invited",
        match table.invitations.invited.as_slice() {
            [] => "-".to_owned(),
            all => all.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(" "),
        },
    );
    say("order", format!("{:?}", table.seating.order));
    say("position", history.position.to_string());
    let steps =
        table.history.steps.iter().map(|it| format!("{}:{}", it.seat.unwrap_or(9), it.token));
    say("steps", steps.collect::<Vec<_>>().join(" "));
    if let (Some(game), Some(turn)) = (&table.game, table.seat_to_move()) {
        let choices = game.choices(caravanserai_games::rules::Seat(turn));
        let choices: Vec<_> = choices.into_iter().map(|it| it.token).collect();
        say("choices", format!("{turn}: {}", choices.join(" ")));
    }
    say("offer", offer_meaning(table));
    say(
        "times",
        format!(
            "{} {} {:?}",
            table.times.opened_ms, table.times.started_ms, table.seating.last_actions_ms
        ),
    );
    let timing = &table.clocks;
    if timing.control != TimeControl::Unlimited {
        say("clock", format!("{} {}", timing.control.encode(), clock_meaning(table)));
        say("left", format!("{:?} {:?}", timing.left_ms, table.away_seats()));
    }
    for at in table.chats.attached.iter() {
        let AttachedChat { chat, kind, attached_by: by, is_watch_only: watches } = at;
        let at = format!("place: {chat:?}, kind: {kind:?}, by: {by:?}, watches: {watches}");
        say("shown", format!("Attached {{ {at} }}"));
    }
    say("next", table.next_table.as_ref().map_or("-".into(), |it| it.0.clone()));
    text
}

#[test]
fn every_log_ever_written_is_still_read_and_means_the_same() {
    for Sample { name, id, lines, summary: expected } in samples() {
        let table = Table::from_log(&id, &lines).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(summary(&table), expected, "{name}");
    }
}

#[test]
fn a_line_that_is_read_is_written_the_same() {
    for Sample { name, lines, .. } in samples() {
        for line in &lines {
            assert_eq!(LogLine::parse(line).unwrap().encode(), *line, "{name}");
        }
    }
}

#[test]
fn the_samples_have_every_event_that_people_can_cause() {
    let samples = samples();
    let lines = samples.iter().flat_map(|it| &it.lines);
    let found: BTreeSet<&str> = lines.map(|it| it.split(' ').nth(3).unwrap()).collect();
    let known = [
        "agree", "at", "attach", "back", "begin", "chance", "clock", "close", "come", "credit",
        "decline", "detach", "dismiss", "excuse", "explain", "extend", "gone", "helper", "hint",
        "hints", "invite", "kick", "late", "meet", "next", "nudge", "offer", "open", "over",
        "pause", "place", "plan", "promise", "propose", "remind", "replace", "resume", "return",
        "runs", "same", "seats", "shift", "sit", "start", "step", "vary",
    ];
    assert_eq!(found, known.into_iter().collect());
}

fn refused(sample: &Sample, old: &str, new: &str) -> String {
    let mut lines = sample.lines.clone();
    assert!(lines[0].contains(old));
    lines[0] = lines[0].replacen(old, new, 1);
    Table::from_log(&sample.id, &lines).expect_err("it is refused")
}

#[test]
fn a_log_of_a_future_program_is_refused_with_a_clear_sentence() {
    for sample in &samples() {
        let own = sample.lines[0].split(' ').find(|it| it.starts_with('v'));
        let format = format!(" open {} ", own.unwrap());
        let why = refused(sample, &format, &format!(" open v{} ", LOG_FORMAT + 1));
        assert!(why.contains("a newer program wrote it"), "{why}");
        let why = refused(sample, " r1 ", " r2 ");
        assert!(why.contains("revision 2 of the rules of "), "{why}");
    }
}

#[test]
fn a_log_of_older_rules_is_kept_as_a_record() {
    for sample in &samples() {
        let mut lines = sample.lines.clone();
        lines[0] = lines[0].replacen(" r1 ", " r0 ", 1);
        let (then, now) = (
            Table::from_log(&sample.id, &lines).unwrap(),
            Table::from_log(&sample.id, &sample.lines),
        );
        let now = now.unwrap();
        assert!(then.setup.is_outdated() && then.game.is_none(), "{}", sample.name);
        assert_eq!(
            (&then.phase, &then.history.steps),
            (&now.phase, &now.history.steps),
            "{}",
            sample.name
        );
        assert_eq!(
            (then.record_names(), then.version),
            (now.record_names(), now.version),
            "{}",
            sample.name
        );
        let _board = board_view::home_board_view(&then, HandDelivery::Buttons);
    }
}

/// What is done to a log: which line, and what happens to it.
#[derive(Clone, Debug)]
enum Damage {
    /// A word becomes another.
    Word(usize, String),
    /// A character becomes another.
    Character(usize, char),
    /// The line ends here.
    Cut(usize),
    /// The line is lost; those after it move up with their numbers.
    Lost,
    /// The line comes twice, the second time with the next number.
    Twice,
}

fn damage() -> impl Strategy<Value = Damage> {
    let words = "0 1 2 255 256 -1 4294967295 18446744073709551615 % %zz , 0,0 1,0 0,1,2 step start \
                 back over resigned played draw rematch decline offer vary sit stand close chance \
                 🐪 place attach detach at group private watch play";
    let words: Vec<&str> = words.split(' ').chain([""]).collect();
    prop_oneof![
        4 => (0..8_usize, prop::sample::select(words))
            .prop_map(|(at, word)| Damage::Word(at, word.to_owned())),
        2 => (0..80_usize, any::<char>()).prop_map(|(at, c)| Damage::Character(at, c)),
        1 => (0..80_usize).prop_map(Damage::Cut),
        1 => Just(Damage::Lost),
        1 => Just(Damage::Twice),
    ]
}

fn damaged(lines: &mut Vec<String>, at: usize, damage: &Damage) {
    let at = at % lines.len();
    let line = &mut lines[at];
    match damage {
        Damage::Word(n, new) => {
            let mut words: Vec<&str> = line.split(' ').collect();
            let n = n % words.len();
            words[n] = new;
            *line = words.join(" ");
        }
        Damage::Character(n, new) => {
            let mut all: Vec<char> = line.chars().collect();
            let n = n % all.len().max(1);
            all.splice(n..all.len().min(n + 1), [*new]);
            *line = all.into_iter().collect();
        }
        Damage::Cut(n) => *line = line.chars().take(*n).collect(),
        Damage::Lost => {
            lines.remove(at);
        }
        Damage::Twice => lines.insert(at, lines[at].clone()),
    }
    // Numbers that do not follow are always refused: look behind that door too.
    for (n, line) in lines.iter_mut().enumerate() {
        if let Some((number, rest)) = line.split_once(' ')
            && number.parse::<u64>().is_ok()
        {
            *line = format!("{n} {rest}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400, failure_persistence: None, ..ProptestConfig::default()
    })]
    /// Any changed log is refused, or it gives a table that can be shown.
    #[test]
    fn a_damaged_log_is_refused_or_harmless(
        which in any::<prop::sample::Index>(),
        damages in prop::collection::vec((any::<usize>(), damage()), 1..4),
    ) {
        let samples = samples();
        let sample = which.get(&samples);
        let mut lines = sample.lines.clone();
        for (at, damage) in &damages {
            if !lines.is_empty() {
                damaged(&mut lines, *at, damage);
            }
        }
        if let Ok(table) = Table::from_log(&sample.id, &lines) {
            let viewer = table.setup.opener.clone();
            let shown = (
                board_view::home_board_view(&table, HandDelivery::Buttons),
                board_view::board_text_view(&table, Viewer::Public),
            );
            let ping = board_view::attention_ping(&table);
            let told = (ping, board_view::table_line(&table, &viewer));
            prop_assert!(!shown.0.texts.is_empty() && !shown.1.texts.is_empty());
            prop_assert!(!told.1.key.is_empty());
            prop_assert_eq!(summary(&table.duplicate()), summary(&table));
        }
    }
}

/// People with names as they come.
const AYGUL: (&str, &str) = ("tg:101", "Айгүл Әбдіқызы");
const CAMEL: (&str, &str) = ("tg:202", "Ann 🐪 Lee");
const ARAM: (&str, &str) = ("dc:303", "  Արամ 100% %20 ");
const DINA: (&str, &str) = ("tg:505", "Дина");
const EVE: (&str, &str) = ("tg:606", "Եվա");
const TWIN: (&str, &str) = ("dc:404", "Ann 🐪 Lee");

/// A bot that plays sample games.
struct Author {
    service: Service,
    store: Arc<MemoryStore>,
    clock: Arc<TestClock>,
    chat: Chat,
    updates: u64,
}

type Who = (&'static str, &'static str);

impl Author {
    fn new(chat: &str, kind: ChatKind, seed: u64) -> Self {
        let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(TestClock::new()));
        let id = ChatId(chat.to_owned());
        Author {
            service: service(store.clone(), clock.clone(), seed),
            store,
            clock,
            chat: Chat {
                id,
                kind,
                title: "Отбасы".into(),
                locale: None,
                parents: ParentChats::default(),
            },
            updates: 918_000 + seed,
        }
    }

    fn person(&self, (id, name): Who) -> Person {
        Person {
            id: PersonId(id.into()),
            name: name.into(),
            username: Some(format!("user{}", &id[3..])),
            locale: None,
            kind: PersonKind::Human,
            admin: false,
        }
    }

    async fn hears(&mut self, who: Who, body: UpdateKind) {
        self.clock.pass_ms(6_543);
        self.updates += 3;
        let (chat, person) = (self.chat.clone(), self.person(who));
        let id = format!("{}/{}", chat.id.platform(), self.updates);
        let arrival = Arrival::default();
        self.service.handle(Update { id, chat, person, kind: body, arrival }).await;
        // Computers have answered before anybody says more.
        self.service.wait_until_idle().await;
    }

    async fn says(&mut self, who: Who, text: &str) {
        self.mentions(who, text, vec![]).await;
    }

    async fn mentions(&mut self, who: Who, text: &str, mentions: Vec<Mention>) {
        self.hears(
            who,
            UpdateKind::Text { text: text.into(), mentions, reply_to: None, is_addressed: false },
        )
        .await;
    }

    async fn table(&self) -> Table {
        let heads = self.store.scan(Space::ChatTable, "", None, 10).await.unwrap();
        let code = heads.last().expect("a table is open").0.split(' ').nth(1).unwrap().to_owned();
        let lines = self.store.read_log(&code, 0).await.unwrap();
        Table::from_log(&TableId(code), &lines).unwrap()
    }

    /// Plays so many moves by button, or until the end; always the same ones.
    async fn plays(&mut self, moves: usize, people: [Who; 2]) {
        let table = self.table().await;
        let mut random = 7 + moves as u64;
        for _ in 0..moves {
            let lines = self.store.read_log(&table.id.0, 0).await.unwrap();
            let table = Table::from_log(&table.id, &lines).unwrap();
            let Some(turn) = table.seat_to_move() else { return };
            let person = &table.seating.occupant(turn).unwrap().person.0;
            let who = people.into_iter().find(|it| it.0 == person).unwrap();
            let choices =
                table.game.as_ref().unwrap().choices(caravanserai_games::rules::Seat(turn));
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let choice = &choices[(random >> 33) as usize % choices.len()].token;
            let press = format!("p.{}.{}.{choice}", table.id.0, table.history.position);
            self.hears(who, UpdateKind::Press { callback_data: press, message: None }).await;
        }
    }

    /// Writes what is not there yet: the logs of all tables of this bot.
    async fn writes(&self, name: &str) {
        let heads = self.store.scan(Space::Head, "", None, 10).await.unwrap();
        let mut tables = Vec::new();
        for (code, _) in heads {
            let lines = self.store.read_log(&code, 0).await.unwrap();
            tables.push((Table::from_log(&TableId(code), &lines).unwrap(), lines));
        }
        tables.sort_by_key(|(table, _)| table.times.opened_ms);
        for (n, (table, lines)) in (1..).zip(&tables) {
            let name = if tables.len() > 1 { format!("{name}-{n}") } else { name.to_owned() };
            let folder = folder().join(table.setup.format.to_string());
            fs::create_dir_all(&folder).unwrap();
            let log = folder.join(format!("{name}.log"));
            if !log.exists() {
                fs::write(&log, lines.join("\n") + "\n").unwrap();
                fs::write(log.with_extension("txt"), summary(table)).unwrap();
            }
        }
    }
}

/// Writes missing samples when asked to; otherwise only plays them, which must not fail.
#[tokio::test]
async fn the_games_of_the_samples_can_be_played() {
    for (name, author) in [
        ("whole", whole().await),
        ("resigned", resigned().await),
        ("agreed", agreed().await),
        ("taken-back", taken_back().await),
        ("aborted", aborted().await),
        ("declined", declined().await),
        ("cancelled", cancelled().await),
        ("moved", moved().await),
        ("rematch", rematch().await),
        ("alone", alone().await),
        ("waiting", waiting().await),
        ("several", several().await),
        ("computer", computer().await),
        ("hinted", hinted().await),
        ("coached", coached().await),
        ("brought", brought().await),
        ("timed", timed::timed().await),
        ("claimed", timed::claimed().await),
        ("promised", rematch().await),
    ] {
        if std::env::var_os("UPDATE_STORED").is_some() {
            author.writes(name).await;
        }
    }
}

async fn group(seed: u64, opening: &str) -> Author {
    let mut author = Author::new("tg:-1001234567890", ChatKind::Group, seed);
    author.says(AYGUL, opening).await;
    author.says(CAMEL, "/join").await;
    author
}

async fn whole() -> Author {
    let mut author = group(1_000, "/togyz").await;
    author.plays(1_000, [AYGUL, CAMEL]).await;
    author
}

async fn resigned() -> Author {
    let mut author = group(2_000, "/togyz short second").await;
    author.plays(9, [AYGUL, CAMEL]).await;
    author.says(AYGUL, "/resign").await;
    author.says(AYGUL, "/resign").await;
    author
}

async fn agreed() -> Author {
    let mut author = group(3_000, "/togyz").await;
    author.plays(14, [AYGUL, CAMEL]).await;
    author.says(CAMEL, "/draw").await;
    author.says(AYGUL, "/decline").await;
    author.plays(1, [AYGUL, CAMEL]).await;
    author.says(AYGUL, "/draw").await;
    author.says(CAMEL, "/accept").await;
    author
}

async fn taken_back() -> Author {
    let mut author = group(4_000, "/togyz").await;
    author.plays(5, [AYGUL, CAMEL]).await;
    author.says(CAMEL, "/takeback").await;
    author.says(AYGUL, "/accept").await;
    author.plays(6, [AYGUL, CAMEL]).await;
    author.says(AYGUL, "/takeback").await;
    author
}

async fn aborted() -> Author {
    let mut author = group(5_000, "/togyz").await;
    author.plays(1, [AYGUL, CAMEL]).await;
    author.says(CAMEL, "/abort").await;
    author.says(CAMEL, "/abort").await;
    author
}

async fn declined() -> Author {
    let mut author = Author::new("dc:8888/777", ChatKind::Group, 6_000);
    let friend = Mention::Known(author.person(TWIN));
    author.mentions(ARAM, "/togyz", vec![friend]).await;
    author.says(TWIN, "/decline").await;
    author
}

async fn cancelled() -> Author {
    let mut author = Author::new("tg:-1001234567890/42", ChatKind::Group, 7_000);
    author.says(AYGUL, "/togyz").await;
    let code = author.table().await.id.0;
    for press in [format!("v.{code}.short"), format!("b.{code}.friend"), format!("x.{code}")] {
        author.hears(AYGUL, UpdateKind::Press { callback_data: press, message: None }).await;
    }
    author
}

async fn moved() -> Author {
    let mut author = Author::new("tg:-4321", ChatKind::Group, 8_000);
    author.mentions(AYGUL, "/togyz me", vec![Mention::Username("user202".into())]).await;
    author.says(CAMEL, "/accept").await;
    author.plays(2, [AYGUL, CAMEL]).await;
    let to = ChatId("tg:-1009876543210".into());
    author.hears(AYGUL, UpdateKind::ChatMoved { to: to.clone() }).await;
    author.chat.id = to;
    author.plays(3, [AYGUL, CAMEL]).await;
    author
}

async fn rematch() -> Author {
    let mut author = Author::new("dc:8888/777", ChatKind::Group, 9_000);
    let friend = Mention::Known(author.person(TWIN));
    author.mentions(CAMEL, "/togyz short me", vec![friend]).await;
    author.says(TWIN, "/accept").await;
    author.plays(4, [CAMEL, TWIN]).await;
    author.says(CAMEL, "/resign").await;
    author.says(CAMEL, "/resign").await;
    author.says(TWIN, "/rematch").await;
    author.says(CAMEL, "/rematch").await;
    let heads = author.store.scan(Space::Head, "", None, 10).await.unwrap();
    assert_eq!(heads.len(), 2, "a rematch is another table");
    author.plays(3, [CAMEL, TWIN]).await;
    author
}

async fn alone() -> Author {
    let mut author = Author::new("dc:@303", ChatKind::Private, 10_000);
    let both = UpdateKind::Press { callback_data: "o.togyzkumalak.both".into(), message: None };
    author.hears(ARAM, both).await;
    author.plays(7, [ARAM, ARAM]).await;
    author
}

async fn waiting() -> Author {
    let mut author = Author::new("web:отбасы", ChatKind::Group, 11_000);
    author.says(ARAM, "/togyz").await;
    author
}

/// Everything that can happen before and around a game of several.
async fn several() -> Author {
    let mut author = Author::new("tg:-1001234567890", ChatKind::Group, 12_000);
    let friends = vec![Mention::Username("user202".into()), Mention::Known(author.person(DINA))];
    author.mentions(AYGUL, "/thaayam me", friends).await;
    let code = author.table().await.id.0;
    let press = |letter: &str| UpdateKind::Press {
        callback_data: format!("{letter}.{code}"),
        message: None,
    };
    author.hears(AYGUL, press("R")).await;
    author.says(DINA, "/decline").await;
    let seats = UpdateKind::Press { callback_data: format!("N.{code}.4"), message: None };
    author.hears(AYGUL, seats).await;
    author.says(CAMEL, "/join").await;
    author.says(EVE, "/join").await;
    let eve = Mention::Known(author.person(EVE));
    author.mentions(AYGUL, "/kick", vec![eve.clone()]).await;
    let sit = UpdateKind::Press { callback_data: format!("J.{code}.3"), message: None };
    author.hears(CAMEL, sit).await;
    for letter in ["C", "D", "E", "C", "C"] {
        author.hears(AYGUL, press(letter)).await;
    }
    author.plays(4, [AYGUL, CAMEL]).await;
    author.mentions(CAMEL, "/substitute", vec![eve]).await;
    author.says(AYGUL, "/accept").await;
    author.says(EVE, "/accept").await;
    author.plays(4, [AYGUL, EVE]).await;
    author
}

async fn computer() -> Author {
    let mut author = Author::new("dc:8888/777", ChatKind::Group, 13_000);
    author.says(TWIN, "/togyz computer").await;
    author.plays(5, [TWIN, TWIN]).await;
    author.says(TWIN, "/takeback").await;
    author.plays(2, [TWIN, TWIN]).await;
    author
}

/// The first game of a person: everything is taken back.
async fn coached() -> Author {
    let mut author = Author::new("dc:8888/777", ChatKind::Group, 15_000);
    let first = UpdateKind::Press { callback_data: "o.togyzkumalak.coached".into(), message: None };
    author.hears(ARAM, first).await;
    author.plays(3, [ARAM, ARAM]).await;
    author.says(ARAM, "/takeback").await;
    author.plays(1, [ARAM, ARAM]).await;
    author
}

/// Computers of several levels, hints, and the rule about them.
async fn hinted() -> Author {
    let mut author = Author::new("dc:8888/777", ChatKind::Group, 14_000);
    author.says(TWIN, "/thaayam me hints=off easy master").await;
    author.says(TWIN, "/resign").await;
    author.says(TWIN, "/resign").await;
    author.says(TWIN, "/togyz me beginner").await;
    author.says(TWIN, "/hint").await;
    author.plays(2, [TWIN, TWIN]).await;
    author.says(TWIN, "/hint").await;
    author.says(TWIN, "/hint").await;
    author
}

/// A table that was brought elsewhere, is played from there, and is taken away again.
async fn brought() -> Author {
    let mut author = group(15_000, "/togyz").await;
    let (home, code) = (author.chat.id.clone(), author.table().await.id.0);
    author.chat.id = ChatId("dc:8888/777".into());
    author.says(ARAM, &format!("/bring {code}")).await;
    author.plays(2, [AYGUL, CAMEL]).await;
    author.says(ARAM, "/stop").await;
    author.says(ARAM, &format!("/watch {code}")).await;
    author.chat.id = home;
    author.plays(1, [AYGUL, CAMEL]).await;
    author
}
