//! Tests that a new game and a new language need only a folder each. They are added to the lists
//! before these are first read, and then pass the tests of all games and languages.
#![allow(clippy::unwrap_used)]
#![allow(dead_code, unused_imports, reason = "each test program uses a part of the shared code")]

mod computers;
#[path = "../it/game_conformance/checks.rs"]
mod conformance_checks;
#[cfg(feature = "discord")]
#[path = "../fake_discord/mod.rs"]
mod fake_discord;
#[cfg(feature = "telegram")]
#[path = "../fake_telegram/mod.rs"]
mod fake_telegram;
mod mood;
mod noughts;
mod play_quality;
#[path = "../it/stage/mod.rs"]
mod stage;
mod wave;

use std::sync::{Arc, Once};

use caravanserai_bot::settings::{Setting, SettingScope};
use caravanserai_bot::{commands, settings};
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::text::Text;
use caravanserai_games::{GameId, RecordHeading};
use caravanserai_i18n::{self as i18n, Direction, I18n, Lang, LanguageFolder, vocabulary};
use caravanserai_render::{DEFAULT_THEME, Renderer, ThemeFiles};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Space, Store};

macro_rules! file {
    ($folder:literal, $name:literal) => {
        ($name, include_str!(concat!("templates/", $folder, "/", $name)))
    };
}

const ENGLISH: LanguageFolder = LanguageFolder {
    code: "en",
    files: &[
        file!("en", "noughts.ftl"),
        file!("en", "noughts-input.toml"),
        file!("en", "mood.ftl"),
    ],
};

const TOYISH: LanguageFolder = LanguageFolder {
    code: "qtz",
    files: &[
        file!("qtz", "language.toml"),
        file!("qtz", "noughts.ftl"),
        file!("qtz", "noughts-input.toml"),
        file!("qtz", "input.toml"),
    ],
};

const DRAWINGS: ThemeFiles<'static> = ThemeFiles {
    name: DEFAULT_THEME,
    colours: "",
    drawings: &[
        ("noughts-board", include_str!("art/noughts-board.svg")),
        ("noughts-cross", include_str!("art/noughts-cross.svg")),
        ("noughts-ring", include_str!("art/noughts-ring.svg")),
    ],
};

/// Adds the game and the language, once for all tests of this program.
fn register_once() -> (GameId, Lang) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        GameId::register(&[noughts::ID]).unwrap();
        i18n::add_languages(&[ENGLISH, TOYISH]).unwrap();
        commands::register(wave::FILES).unwrap();
        settings::register(mood::SETTINGS).unwrap();
    });
    (GameId::from_code("noughts").unwrap(), Lang::from_code("qtz").unwrap())
}

#[test]
fn a_game_is_a_folder() {
    let (game, _) = register_once();
    for seed in 0..50 {
        conformance_checks::conform::<noughts::Noughts>(&noughts::Plain, 2, seed, 9, |_| ());
        conformance_checks::plays_at_a_table(game, "standard", 2, seed);
    }
    assert!(GameId::all().len() > 1 && GameId::all().ends_with(&[game]));
    assert_eq!(game.count_moves(None, None, 3).unwrap(), 504);
    assert_eq!(game.count_moves(None, Some("1 4 2 5 3"), 1).unwrap(), 0, "the game is over");
    let replay = game.read_record("5 1 9", None).unwrap();
    assert_eq!(replay.stills(Viewer::Public).unwrap().len(), 4);
}

#[test]
fn a_game_has_its_command_and_its_words() {
    let (game, lang) = register_once();
    for name in ["noughts", "tictactoe", "toytoy"] {
        let spec = commands::find_command(name).expect(name);
        assert_eq!(spec.game, Some(game), "{name}");
    }
    assert_eq!(commands::find_command("toyhelp").map(|it| it.name), Some("help"));
    let board = game.start_match("standard", 2).unwrap();
    for word in ["middle", "mid", "5"] {
        assert_eq!(board.parse_move(Seat(0), word, vocabulary()).as_deref(), Some("5"), "{word}");
    }
    let i18n = I18n::new();
    let translate = |lang, key: &'static str| i18n.translate_plain(lang, &Text::new(key));
    assert_eq!(translate(Lang::default(), "game-noughts"), "Noughts");
    assert_eq!(translate(lang, "game-noughts"), "Toy");
}

#[test]
fn a_language_is_a_folder_and_falls_back() {
    let (_, lang) = register_once();
    assert_eq!(Lang::from_locale("qtz-AQ"), Some(lang));
    assert_eq!(Lang::find_by_name("Toyish"), Some(lang));
    assert_eq!(lang.direction(), Direction::RightToLeft);
    let i18n = I18n::new();
    let translate = |lang, key: &'static str| i18n.translate_plain(lang, &Text::new(key));
    let russian = Lang::from_code("ru").unwrap();
    assert_eq!(translate(lang, "begin-lot"), translate(russian, "begin-lot"), "first to Russian");
    assert_eq!(translate(lang, "noughts-over"), "The game is over", "then to English");
    let stored = serde_json::to_string(&lang).unwrap();
    assert_eq!(stored, "\"qtz\"");
    assert_eq!(serde_json::from_str::<Lang>(&stored).unwrap(), lang);
    assert_eq!(serde_json::from_str::<Lang>("\"zz\"").unwrap(), Lang::default());
}

#[test]
fn a_game_has_its_drawings() {
    let (game, _) = register_once();
    let shown = game.page_view("board", None, vocabulary(), &[]);
    let scene = shown.unwrap().scene;
    let draw = |renderer: Renderer| renderer.draw_uncached(&scene, DEFAULT_THEME, 300);
    let with = Renderer::embedded_with(&[DRAWINGS]).unwrap();
    assert_ne!(draw(with), draw(Renderer::embedded().unwrap()), "the board is drawn");
}

#[tokio::test]
async fn a_game_is_played_in_a_chat_in_any_language() {
    register_once();
    let script = include_str!("script.txt");
    let store = Arc::new(MemoryStore::default());
    let mut stage = stage::memory::MemoryStage::new(store).await;
    stage::play("toy", script, &mut stage).await;
}

#[tokio::test]
async fn the_play_of_people_is_judged_after_each_game() {
    register_once();
    let store = Arc::new(MemoryStore::default());
    let mut stage = stage::memory::MemoryStage::new(store).await;
    stage::play("play", include_str!("play.txt"), &mut stage).await;
}

#[tokio::test]
async fn a_command_is_a_file() {
    register_once();
    let spec = commands::find_command("wave").expect("it is registered");
    assert_eq!(commands::COMMANDS.last().map(|it| it.name), Some(spec.name), "after all others");
    let store = Arc::new(MemoryStore::default());
    let mut stage = stage::memory::MemoryStage::new(store).await;
    stage::play("wave", include_str!("wave.txt"), &mut stage).await;
}

#[tokio::test]
async fn a_setting_is_a_definition() {
    register_once();
    let mood = Setting::from_code("mood").expect("it is registered");
    for scope in [SettingScope::Person, SettingScope::Chat] {
        assert_eq!(Setting::of_scope(scope).last(), Some(&mood), "after all others");
    }
    let store = Arc::new(MemoryStore::default());
    let mut stage = stage::memory::MemoryStage::new(store.clone()).await;
    stage::play("mood", include_str!("mood.txt"), &mut stage).await;
    for space in [Space::Person, Space::ChatProfile] {
        let rows = store.scan(space, "", None, 100).await.unwrap();
        let has_value = |value: &[u8]| {
            let row = serde_json::from_slice::<serde_json::Value>(value).unwrap_or_default();
            row["values"]["mood"] == "lively"
        };
        assert_eq!(rows.iter().filter(|(_, it)| has_value(it)).count(), 1, "{space:?}");
    }
}
