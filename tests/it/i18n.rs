//! Every language says everything, with the same arguments.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use caravanserai_bot::commands::{ArgumentKind, COMMANDS, MenuGroup, OVERVIEW};
use caravanserai_bot::settings::Setting;
use caravanserai_bot::settings::SettingScope;
use caravanserai_games::GameId;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::text::{Arg, RichSpan, Text};
use caravanserai_i18n::{I18n, Lang, vocabulary, webchat_page_scripts};
use caravanserai_results::CasualReason;
use caravanserai_table::DeclineReason;
use caravanserai_table::event::FirstMover;

use crate::lang;

/// Key → arguments, of all files of a language.
fn messages(lang: Lang) -> BTreeMap<String, BTreeSet<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates").join(lang.code());
    let mut messages = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|it| it != "ftl") {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        let mut key = String::new();
        for line in source.lines().filter(|it| !it.trim_start().starts_with('#')) {
            if let Some((name, _)) = line.split_once(" =").filter(|_| !line.starts_with(' ')) {
                key = name.trim().to_owned();
                let twice = messages.insert(key.clone(), BTreeSet::new());
                assert!(twice.is_none(), "{key} twice in {}", path.display());
            }
            for after in line.split('$').skip(1) {
                let name: String =
                    after.chars().take_while(|it| it.is_ascii_alphanumeric()).collect();
                messages.get_mut(&key).unwrap().insert(name);
            }
        }
    }
    messages
}

#[test]
fn every_language_has_the_same_messages_with_the_same_arguments() {
    let english = messages(Lang::default());
    assert!(english.len() > 100, "only {} messages were found", english.len());
    for lang in Lang::all().iter().copied() {
        let other = messages(lang);
        for (key, arguments) in &english {
            let own = other.get(key).unwrap_or_else(|| panic!("{} lacks {key}", lang.code()));
            assert_eq!(own, arguments, "arguments of {key} in {}", lang.code());
        }
        let more: Vec<_> = other.keys().filter(|it| !english.contains_key(*it)).collect();
        assert!(more.is_empty(), "{} has {more:?}, English has not", lang.code());
    }
}

#[test]
fn no_language_is_a_copy_of_english() {
    let i18n = I18n::new();
    for lang in Lang::all().iter().copied().skip(1) {
        let same: Vec<_> = messages(Lang::default())
            .keys()
            .filter(|key| !key.starts_with("choice-") && !key.ends_with("-name"))
            .filter(|key| {
                let text = Text::new((*key).clone());
                let said = i18n.translate_plain(Lang::default(), &text);
                // Signs alone, such as "{ $page }", are the same everywhere.
                let mut between = said.split('{').map(|it| it.rsplit('}').next().unwrap_or(it));
                let words = between.any(|it| it.chars().any(char::is_alphabetic));
                words && i18n.translate_plain(lang, &text) == said
            })
            .cloned()
            .collect();
        // Signs alone, such as "{ $page }", are the same everywhere.
        assert!(same.len() < 10, "{} says as English does: {same:?}", lang.code());
    }
}

#[test]
fn every_key_in_the_code_is_a_message() {
    let english = messages(Lang::default());
    let mut wanted = BTreeSet::new();
    collect(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut wanted);
    for spec in COMMANDS.iter() {
        wanted.insert(format!("command-{}", spec.name));
        for argument in &spec.arguments {
            wanted.insert(format!("argument-{}", argument.name));
            if let ArgumentKind::Choice(words) = argument.kind {
                wanted.extend(words.iter().map(|it| format!("choice-{it}")));
            }
        }
    }
    for group in MenuGroup::ALL.map(MenuGroup::name) {
        wanted.insert(format!("command-{group}"));
        if COMMANDS.iter().all(|it| it.name != group) {
            wanted.insert(format!("menu-{group}"));
        }
    }
    wanted.insert(format!("menu-{OVERVIEW}"));
    for game in GameId::all() {
        let info = game.info();
        wanted.insert(format!("game-{}", info.code));
        wanted.insert(format!("{}-summary", info.code));
        wanted.insert(format!("chart-{}", info.code));
        wanted.extend(statistics_keys(*game));
        for switch in info.switches {
            let name = format!("switch-{}-{}", info.code, switch.name.replace('_', "-"));
            let values = switch.values.iter();
            wanted.extend(values.map(|it| format!("{name}-{}", it.replace('_', "-"))));
            // The only switch of a game needs no name: its values say it all.
            wanted.extend((info.switches.len() > 1).then_some(name));
        }
        let game =
            game.start_match(&info.default_options(), info.seats.most).expect("it can be played");
        wanted.extend(game.sheets().iter().map(|it| format!("sheet-{}-{it}", info.code)));
        let id = *GameId::all().iter().find(|it| it.info().code == info.code).unwrap();
        wanted.extend(id.parts().iter().map(|it| format!("{}-part-{}", info.code, it.name)));
        for page in id.pages() {
            let key = format!("{}-lesson-{page}", info.code);
            wanted.extend(["", "-ask", "-why"].map(|end| format!("{key}{end}")));
        }
    }
    for level in ComputerLevel::ALL.map(ComputerLevel::code) {
        let keys = [format!("computer-{level}"), format!("level-{level}-about")];
        wanted.extend(keys.into_iter().chain([format!("choice-{level}")]));
    }
    for row in [SettingScope::Person, SettingScope::Chat].into_iter().flat_map(Setting::of_scope) {
        wanted.extend(["", "-about"].map(|end| format!("setting-{}{end}", row.code())));
        let has_text = |it: &&str| (row.definition().value_label)(it).is_none();
        let values = row.values().into_iter().filter(has_text);
        wanted.extend(values.map(|it| format!("value-{}-{it}", row.code())));
    }
    wanted.insert("value-where-elsewhere".to_owned());
    wanted.extend(DeclineReason::ALL.map(|it| format!("why-{}", it.encode())));
    // Where people are, by platform.
    wanted.extend(["tg", "dc", "web"].map(|it| format!("mark-{it}")));
    wanted.extend(CasualReason::ALL.map(|it| format!("casual-{}", it.code())));
    wanted.extend(FirstMover::ALL.map(|it| format!("begin-{}", it.encode())));
    let missing: Vec<_> = wanted.iter().filter(|it| !english.contains_key(*it)).collect();
    assert!(missing.is_empty(), "no message for {missing:?}");
    let unused: Vec<_> = english.keys().filter(|it| !wanted.contains(*it)).collect();
    assert!(unused.is_empty(), "nobody says {unused:?}");
}

/// The keys of the counts, achievements and favourites of a game.
fn statistics_keys(game: GameId) -> impl Iterator<Item = String> {
    let code = game.info().code;
    let counts = game.totals().iter().map(move |it| format!("{code}-count-{it}"));
    let achieved = game.achievements().iter();
    let achieved = achieved.map(move |it| format!("{code}-achieved-{}", it.code));
    let favourites = game.play_choices().iter();
    let favourites = favourites.flat_map(move |it| {
        ["favourites", "favourite"].map(|part| format!("{code}-{part}-{}", it.code))
    });
    counts.chain(achieved.flat_map(|it| [format!("{it}-rule"), it])).chain(favourites)
}

/// How keys of messages begin that are put together in code.
const FAMILIES: [&str; 43] = [
    "board-",
    "bot-",
    "deal-",
    "share-",
    "sketch-",
    "private-",
    "watching-",
    "clock-",
    "away-",
    "absent-",
    "setting-",
    "settings-",
    "plan-",
    "challenge-",
    "why-",
    "value-",
    "done-",
    "right-",
    "coach-",
    "lesson-",
    "solo-",
    "answer-",
    "refuse-",
    "button-",
    "lobby-",
    "over-",
    "closed-",
    "offer-",
    "call-",
    "games-",
    "list-",
    "help-",
    "which-",
    "play-",
    "rules-",
    "options-",
    "hand-",
    "command-",
    "computer-",
    "places-",
    "vacation-",
    "day-",
    "analysis-",
];

/// String literals in the code that look like keys of messages.
fn collect(folder: &Path, keys: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, keys);
            continue;
        }
        // What was learned lies beside what learned it.
        if path.extension().is_none_or(|it| it != "rs") {
            continue;
        }
        // Names of sprites and of what is learned look like keys.
        let draws = ["render", "scene.rs", "hand_scene.rs", "upright_scene.rs", "engine"];
        if path.components().any(|it| draws.iter().any(|draws| it.as_os_str() == *draws)) {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        for literal in source.split('"').skip(1).step_by(2) {
            let of_game = |it: &GameId| {
                literal.strip_prefix(it.info().code).is_some_and(|rest| rest.starts_with('-'))
            };
            let is_key = (FAMILIES.iter().any(|it| literal.starts_with(it))
                || GameId::all().iter().any(of_game))
                && !literal.ends_with('-')
                && literal.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-');
            if is_key {
                keys.insert(literal.to_owned());
            }
        }
    }
}

#[test]
fn an_unknown_house_rule_is_answered_with_the_ones_that_exist() {
    let i18n = I18n::new();
    for game in GameId::all() {
        let info = game.info();
        let refused = game.start_match("no such rule", info.seats.most).err().unwrap();
        let text = info.start_refusal(&refused);
        for lang in Lang::all().iter().copied() {
            let said = i18n.translate_plain(lang, &text);
            let first = match info.switches {
                [only] => info.switch_value_key(only, only.values[0]),
                all => info.switch_key(&all[0]),
            };
            let first = i18n.translate_plain(lang, &Text::new(first));
            assert!(said.contains(&first), "{first} in {said}");
            assert!(!said.contains("switch-"), "{}: {said}", lang.code());
        }
    }
}

/// On Discord no command answers an offer: only the buttons of its board do.
#[test]
fn a_waiting_offer_is_answered_by_its_buttons() {
    let i18n = I18n::new();
    for lang in Lang::all().iter().copied() {
        let say = |key: &'static str| i18n.translate_plain(lang, &Text::new(key));
        let said = say("refuse-answer-first");
        for button in ["button-accept", "button-decline"].map(say) {
            assert!(said.contains(&button), "{}: {button} is not in {said}", lang.code());
        }
        assert!(said.ends_with("/board") && !said.contains("/accept"), "{said}");
    }
}

#[test]
fn counts_choose_the_plural_form_of_the_language() {
    let i18n = I18n::new();
    let said = |lang, count: i64| {
        i18n.translate_plain(lang, &Text::new("games-more").with("count", count))
    };
    let forms = |lang, counts: [i64; 3]| {
        let said = counts.map(|count| said(lang, count).replace(&count.to_string(), ""));
        said.into_iter().collect::<BTreeSet<_>>().len()
    };
    assert_eq!(forms(lang("ru"), [1, 2, 5]), 3);
    assert_eq!(forms(Lang::default(), [1, 2, 5]), 2);
}

#[test]
fn chosen_names_are_never_taken_for_markup() {
    let i18n = I18n::new();
    let name = "<b>{ $x }</b> \u{e000}0\u{e001}";
    let text = Text::new("offer-draw").with("name", name);
    assert!(i18n.translate_plain(Lang::default(), &text).contains(name));
    assert!(
        !i18n.translate(Lang::default(), &text).0.iter().any(|it| matches!(it, RichSpan::Bold(_)))
    );
    let mention = Arg::Mention { person: "tg:1".into(), name: "Ann".into() };
    let said = i18n.translate(Lang::default(), &Text::new("offer-draw").with("name", mention));
    assert!(
        said.0.iter().any(|it| matches!(it, RichSpan::Mention { person, .. } if person == "tg:1"))
    );
}

#[test]
fn locales_of_platforms_give_languages() {
    for (locale, lang) in [
        ("ru", Some(lang("ru"))),
        ("kk_KZ", Some(lang("kk"))),
        ("en-US", Some(Lang::default())),
        ("hy", Some(lang("hy"))),
        ("ky-KG", Some(lang("ky"))),
        ("ta-IN", Some(lang("ta"))),
        ("ta_LK", Some(lang("ta"))),
        // Whom we do not speak to in their own language most likely read this one.
        ("uz", Some(lang("ru"))),
        ("uz-Latn-UZ", Some(lang("ru"))),
        ("kaa", Some(lang("kk"))),
        ("de", None),
        ("", None),
    ] {
        assert_eq!(Lang::from_locale(locale), lang, "{locale}");
    }
    assert_eq!(Lang::find_by_name("қазақша"), Some(lang("kk")));
    assert_eq!(Lang::find_by_name("Armenian"), Some(lang("hy")));
    assert_eq!(Lang::find_by_name("тамильский"), Some(lang("ta")));
    assert_eq!(Lang::find_by_name("кыргызский"), Some(lang("ky")));
    assert_eq!(Lang::find_by_name("xy"), None);
}

#[test]
fn missing_texts_fall_back_to_the_nearest_language() {
    let chain = |code| lang(code).fallback_chain().map(Lang::code).collect::<Vec<_>>();
    assert_eq!(chain("ky"), ["ky", "kk", "ru", "en"]);
    assert_eq!(chain("kk"), ["kk", "ru", "en"]);
    assert_eq!(chain("ta"), ["ta", "en", "en"]);
}

#[test]
fn an_unreviewed_language_is_marked_and_understood() {
    let young: Vec<&str> =
        Lang::all().iter().filter(|it| it.is_unreviewed()).map(|it| it.code()).collect();
    assert_eq!(young, ["ky", "ta"]);
    for lang in Lang::all().iter().copied() {
        assert_eq!(lang.display_name().contains('🌱'), lang.is_unreviewed(), "{}", lang.code());
        assert_eq!(Lang::find_by_name(&lang.display_name()), Some(lang));
    }
}

#[test]
fn every_ending_that_a_sentence_asks_for_is_there() {
    for lang in Lang::all() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates").join(lang.code());
        let file = std::fs::read_to_string(folder.join("endings.toml")).unwrap_or_default();
        let endings: toml::Table = file.parse().unwrap();
        let cases = endings.get("cases").and_then(toml::Value::as_table);
        let cases: Vec<&String> = cases.into_iter().flat_map(toml::Table::keys).collect();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let source = std::fs::read_to_string(&path).unwrap();
            for asked in source.split("CASE(").skip(1).filter(|it| it.starts_with('$')) {
                let case = asked.split('"').nth(1).unwrap();
                assert!(cases.iter().any(|it| *it == case), "{case} in {}", path.display());
            }
        }
    }
}

#[test]
fn name_endings_follow_mentions_and_stay_within_bold_text() {
    let i18n = I18n::new();
    let said = |code, name: Arg| {
        i18n.translate(lang(code), &Text::new("togyzkumalak-turn").with("name", name))
    };
    let mention = Arg::Mention { person: "tg:1".into(), name: "Արամ".into() };
    let spans = said("hy", mention).0;
    let at = spans.iter().position(|it| matches!(it, RichSpan::Mention { .. })).unwrap();
    assert_eq!(spans[at + 1], RichSpan::Bold("ը".into()));
    assert!(said("hy", "Անի".into()).0.contains(&RichSpan::Bold("Անին".into())));
    // The last of several takes it; what is put together of words ends as its last word does.
    let two = Arg::Names(vec!["Անի".into(), "Արամ".into()]);
    assert!(said("hy", two).to_plain().contains("Անի և Արամը"));
    let made = Text::new("blot-team").with("first", "Արամ").with("second", "Անի");
    assert!(said("hy", made.into()).to_plain().contains("Արամ և Անին"));
    let turn = Text::new("done-turn").with("name", "Айгүл 🌸");
    assert!(
        i18n.translate_plain(lang("ky"), &turn).contains("Айгүл 🌸-дүн"),
        "a sign is no letter"
    );
}

#[test]
fn a_word_that_is_typed_means_one_thing_in_its_list() {
    let rooms = GameId::all().iter().map(|it| vocabulary().game_words(it.info().code));
    for words in rooms.chain([&vocabulary().general]) {
        for list in words.lists() {
            let mut meanings: BTreeMap<&str, &str> = BTreeMap::new();
            // The text around the others may be an ending as well.
            for (meaning, spellings) in words.list(list).filter(|it| it.0 != "ending") {
                for spelling in spellings {
                    assert_eq!(spelling.to_lowercase(), *spelling);
                    let before = meanings.insert(spelling, meaning).unwrap_or(meaning);
                    assert_eq!(before, meaning, "{spelling} in {list}");
                }
            }
        }
    }
}

#[test]
fn every_word_that_is_typed_is_one_that_is_listened_to() {
    let general = &vocabulary().general;
    let commands: Vec<&str> = COMMANDS.iter().map(|it| it.name).collect();
    assert!(general.list("command").all(|(name, _)| commands.contains(&name)));
    assert!(general.list("level").all(|(level, _)| ComputerLevel::read(level).is_some()));
    assert!(general.list("begin").all(|(begin, _)| FirstMover::parse(begin).is_some()));
    let known = [
        "begin", "clock", "command", "help", "level", "opening", "pace", "refusal", "results",
        "scope", "seats", "switch", "theme", "vacation",
    ];
    assert!(general.lists().all(|list| known.contains(&list)));
}

/// What a language's page says, with the plural forms of what counts.
fn page(lang: Lang, file: &str) -> toml::Table {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates").join(lang.code());
    std::fs::read_to_string(folder.join(file)).unwrap().parse().unwrap()
}

#[test]
fn every_language_has_the_same_words_for_the_page() {
    let files = [
        "page.toml",
        "page-analysis.toml",
        "page-games.toml",
        "page-guest.toml",
        "page-history.toml",
        "page-lobby.toml",
        "page-ratings.toml",
        "page-rooms.toml",
        "page-shortcuts.toml",
    ];
    let all = Lang::all().iter().flat_map(|lang| files.map(|file| (*lang, file)));
    for (lang, file) in all {
        let (english, own) = (page(Lang::default(), file), page(lang, file));
        for (key, text) in &english {
            let said = own.get(key).unwrap_or_else(|| panic!("{} lacks {key}", lang.code()));
            assert_eq!(said.is_table(), text.is_table(), "{key} in {}", lang.code());
            assert!(said.is_str() || said.get("other").is_some(), "{key} in {}", lang.code());
        }
        assert_eq!(own.len(), english.len(), "{} says more than English", lang.code());
    }
    let all = files.map(|file| page(Lang::default(), file));
    let keys: Vec<&String> = all.iter().flat_map(|it| it.keys()).collect();
    let distinct: BTreeSet<&&String> = keys.iter().collect();
    assert_eq!(distinct.len(), keys.len(), "a text is in two files");
    let module: String = webchat_page_scripts().into_iter().map(|(_, text)| text).collect();
    assert!(module.contains("export const WORDS") && module.contains("\"few\""));
}

#[test]
fn right_to_left_names_do_not_reorder_numbers() {
    let i18n = I18n::new();
    let score = |first: &str, second: &str| {
        Text::new("blot-score")
            .with("first", first)
            .with("points", 82i64)
            .with("second", second)
            .with("others", 80i64)
    };
    for lang in Lang::all() {
        let said = i18n.translate_plain(*lang, &score("שרה", "علي"));
        assert!(
            said.contains("\u{2068}שרה\u{2069}") && said.contains("\u{2068}علي\u{2069}"),
            "{said}"
        );
        assert!(!i18n.translate_plain(*lang, &score("Ann", "Бек")).contains('\u{2068}'));
    }
    let call = Arg::Mention { person: "web:1".into(), name: "שרה".into() };
    let said = i18n
        .translate(Lang::default(), &Text::new("call-turn").with("name", call).with("table", "a1"));
    assert!(said.to_plain().starts_with("\u{2068}שרה\u{2069}, "), "{}", said.to_plain());
}
