//! Defines the fuzz targets: one for every parser of external input, and comparisons of fast rules
//! with slow models.
//!
//! Each target accepts any bytes; it must not panic, and must not accept a value that it cannot
//! write again. `cargo fuzz` runs them endlessly; the tests run them on the inputs in `seeds` and
//! variations of them.

mod bodies;
mod models;

use caravanserai::config::{Config, Environment};
use caravanserai_bot::commands as list;
use caravanserai_bot::commands::TableCallback;
use caravanserai_bot::parsing::request_parser;
use caravanserai_games::ids::{ChatKind, MessageId, TableId};
use caravanserai_games::rules::{Entropy, Node, Seat};
use caravanserai_games::togyzkumalak::Variant;
use caravanserai_games::togyzkumalak::notation::{read_position, write_position};
use caravanserai_games::{GameId, Match, SeatLimits};
use caravanserai_i18n::vocabulary;
use caravanserai_protocol::UpdateKind;
use caravanserai_store::backup::{BackupIdentities, open_backup};
use caravanserai_table::{LogLine, Table, archive};

pub use bodies::{interactions, page, webhook};
pub use models::{cards, sowing};

/// A target by name.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[
    ("commands", commands),
    ("typed", typed),
    ("presses", presses),
    ("lines", lines),
    ("archives", archives),
    ("records", records),
    ("positions", positions),
    ("settings", settings),
    ("backups", backups),
    ("sowing", sowing),
    ("cards", cards),
    ("webhook", webhook),
    ("interactions", interactions),
    ("page", page),
];

/// Chance that is read from the bytes. After their end it counts up from 0, so that repeated throws
/// change.
struct Bytes<'a>(&'a [u8], u32);

impl Entropy for Bytes<'_> {
    fn below(&mut self, n: u32) -> u32 {
        if let Some((first, rest)) = self.0.split_first() {
            self.0 = rest;
            return u32::from(*first) % n;
        }
        self.1 = self.1.wrapping_add(1);
        self.1 % n
    }
}

fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

/// Texts of a chat: commands, replies to boards, messages to the bot.
pub fn commands(data: &[u8]) {
    let text = text(data);
    let board = MessageId("1".to_owned());
    for reply_to in [None, Some(board)] {
        let body = UpdateKind::Text {
            text: text.clone(),
            mentions: Vec::new(),
            reply_to,
            is_addressed: false,
        };
        for kind in [ChatKind::Group, ChatKind::Private] {
            request_parser::parse_request(&body, kind);
        }
    }
    if let Some((spec, rest)) = list::split_command(&text) {
        assert!(list::find_command(spec.name).is_some() && text.trim_end().ends_with(rest));
    }
    list::suggest_command(&text);
}

/// Typed moves, in games that are played on with the moves that are understood.
pub fn typed(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let game = GameId::all()[usize::from(*first) % GameId::all().len()];
    let Some(mut play) = start_game(game, rest) else {
        return;
    };
    for words in text(rest).split('\n').take(40) {
        let Some(seat) = after_chance(&mut *play, words.as_bytes()) else {
            return;
        };
        if let Some(token) = play.parse_move(seat, words, vocabulary()) {
            let is_choice = play.choices(seat).iter().any(|it| it.token == token);
            // Series of moves are understood too, although no button has them.
            match play.apply_action(seat, &token) {
                Ok(()) => {}
                Err(refused) => {
                    assert!(!is_choice, "{token} is a choice but was refused");
                    play.explain_refusal(seat, &token, refused);
                }
            }
        }
    }
}

fn start_game(game: GameId, data: &[u8]) -> Option<Box<dyn Match>> {
    let SeatLimits { fewest, most } = game.info().seats;
    let seats = fewest + data.first().copied().unwrap_or(0) % (1 + most - fewest);
    game.start_match(&game.info().default_options(), seats).ok()
}

/// Plays all outcomes of chance. Returns the seat to move; `None` when the game is over.
fn after_chance(play: &mut dyn Match, data: &[u8]) -> Option<Seat> {
    let mut chance = Bytes(data, 0);
    loop {
        match play.node() {
            Node::Over(_) => return None,
            Node::Act(seat) => return Some(seat),
            Node::Chance => {
                let token = play.draw_chance(&mut chance);
                play.apply_chance(&token).expect("a drawn outcome can be applied");
            }
        }
    }
}

/// Callback data of buttons: what can be parsed is encoded in the same way again.
pub fn presses(data: &[u8]) {
    let press = text(data);
    if let Some(read) = TableCallback::decode(&press) {
        let written = read.encode();
        let again = TableCallback::decode(&written).expect("a written value can be read");
        assert_eq!(again.encode(), written);
    }
    let body = UpdateKind::Press { callback_data: press, message: None };
    request_parser::parse_request(&body, ChatKind::Group);
}

/// Lines of logs, one by one and as a table.
pub fn lines(data: &[u8]) {
    let lines: Vec<String> = text(data).split('\n').map(str::to_owned).collect();
    for line in &lines {
        if let Ok(read) = LogLine::parse(line) {
            let written = read.encode();
            let again = LogLine::parse(&written).expect("a written value can be read");
            assert_eq!(again.encode(), written);
        }
    }
    // A table of these lines, or an error.
    let _ = Table::from_log(&TableId("fuzzed".to_owned()), &lines);
}

/// Records of finished tables: unpacked from any bytes, and packed from any lines.
pub fn archives(data: &[u8]) {
    if let Ok(lines) = archive::unpack(data) {
        let _ = Table::from_log(&TableId("fuzzed".to_owned()), &lines);
    }
    let lines: Vec<String> = text(data).split('\n').map(str::to_owned).collect();
    let packed = archive::pack(&lines);
    let again = archive::unpack(&packed).expect("a packed record can be unpacked");
    // A record keeps times to the second and does not keep causes.
    let event = |line: &String| {
        let mut words = line.splitn(4, ' ');
        let (number, at, _) = (words.next()?, words.next()?, words.next()?);
        at.parse::<u64>().ok()?;
        Some(format!("{number} {}", words.next()?))
    };
    let events = |lines: &[String]| -> Vec<String> {
        lines.iter().map(|it| event(it).unwrap_or_else(|| it.clone())).collect()
    };
    assert_eq!(events(&again), events(&lines), "a record has the events of the log");
}

/// Records of games, in all formats that games read.
pub fn records(data: &[u8]) {
    let text = text(data);
    for game in GameId::all() {
        let _ = game.read_record(&text, None);
        let _ = game.print_record(&text, None);
    }
}

/// Written positions of all games; positions of Togyzkumalak that can be read are written in the
/// same way again.
pub fn positions(data: &[u8]) {
    let text = text(data);
    for game in GameId::all() {
        let info = game.info();
        let options = info.default_options();
        let _ = game.match_from_position(&options, info.seats.fewest, &text);
        let (position, moves) = text.split_once(" moves ").unwrap_or((&text, ""));
        let moves: Vec<&str> = moves.split(' ').filter(|it| !it.is_empty()).collect();
        let _ = game.seat_knowledge(&options, position, &moves);
    }
    for variant in Variant::ALL {
        if let Ok(read) = read_position(&text, variant) {
            let written = write_position(&read.0, read.1);
            let again = read_position(&written, variant).expect("a written value can be read");
            assert_eq!(again.0, read.0, "{written}");
        }
    }
}

/// A settings file; its description must not contain secrets.
pub fn settings(data: &[u8]) {
    let folder = std::env::temp_dir().join(format!("caravanserai-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder can be created");
    let file = folder.join("caravanserai.toml");
    std::fs::write(&file, data).expect("the temporary file can be written");
    if let Ok(config) = Config::load(&Environment::new(), Some(&file), &folder) {
        let described = config.describe();
        for secret in config.secrets() {
            assert!(secret.reveal().len() < 6 || !described.contains(secret.reveal()));
        }
    }
}

/// Opens the seeds that were encrypted with the program `age`, and nothing else.
pub const IDENTITY: &str =
    "AGE-SECRET-KEY-1FT4X4F65ARF33LHFZYL7GED8WKQFF4E94SY2PP0PS8CY82U7VFDQ8J5M60";

/// A backup file, encrypted or not.
pub fn backups(data: &[u8]) {
    let runtime =
        tokio::runtime::Builder::new_current_thread().build().expect("the runtime starts");
    let identities = BackupIdentities::parse(IDENTITY).expect("the identity is one");
    runtime.block_on(async {
        // With an identity only encrypted backups are opened, without one only others.
        for identities in [None, Some(&identities)] {
            if let Ok(mut reader) = open_backup(data, identities).await {
                while let Ok(Some(_)) = reader.next().await {}
            }
        }
    });
}
