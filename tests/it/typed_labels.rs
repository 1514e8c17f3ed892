//! The bot understands what it shows: every label, choice, level, theme, name of a language and
//! command word of every language is typed back to it, with and without special letters.

use caravanserai_bot::commands::new_game::OpenTable;
use caravanserai_bot::commands::settings::ChangeSettings;
use caravanserai_bot::commands::theme::THEMES;
use caravanserai_bot::commands::{COMMANDS, Request, find_command};
use caravanserai_bot::parsing::{NewTable, parse_request};
use caravanserai_bot::settings::{Setting, SettingScope, SettingsReply, SettingsRequest};
use caravanserai_bot::views::clock_views;
use caravanserai_games::GameId;
use caravanserai_games::ids::ChatKind;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::text::Text;
use caravanserai_games::vocabulary::{SPELLING_BYTES_MAX, WordLists, without_special_letters};
use caravanserai_i18n::{I18n, Lang, vocabulary};
use caravanserai_protocol::UpdateKind;
use caravanserai_table::clock::TimeControl;
use caravanserai_table::command::Command;
use caravanserai_table::event::FirstMover;

/// What a text asks for in a group.
fn asked(text: &str) -> Option<Request> {
    let body = UpdateKind::Text {
        text: text.to_owned(),
        mentions: Vec::new(),
        reply_to: None,
        is_addressed: false,
    };
    parse_request(&body, ChatKind::Group)
}

/// The table that a text opens.
fn opened(text: &str) -> Option<NewTable> {
    Some(asked(text)?.chat_action::<OpenTable>()?.0.clone())
}

/// The setting that a text changes outside the page of settings.
fn setting(text: &str) -> Option<SettingsRequest> {
    let change = asked(text)?.chat_action::<ChangeSettings>()?.clone();
    assert!(change.reply == SettingsReply::Message && change.chat.is_none(), "{change:?}");
    Some(change.request)
}

/// The same text as it is typed: as shown, in small letters, on a keyboard that lacks some.
fn spellings(text: &str) -> [String; 3] {
    [text.to_owned(), text.to_lowercase(), without_special_letters(text)]
}

fn shown(i18n: &I18n, lang: Lang, key: impl Into<String>) -> String {
    i18n.translate_plain(lang, &Text::new(key.into()))
}

/// Does something for every language.
fn everywhere(check: impl Fn(&I18n, Lang)) {
    let i18n = I18n::new();
    Lang::all().iter().for_each(|lang| check(&i18n, *lang));
}

#[test]
fn no_spelling_is_longer_than_what_is_looked_for() {
    let games = GameId::all().iter().map(|game| vocabulary().game_words(game.info().code));
    let is_short = |words: &WordLists, list: &str| {
        let mut spellings = words.list(list).flat_map(|(_, spellings)| spellings);
        spellings.all(|it| it.len() <= SPELLING_BYTES_MAX)
    };
    for words in std::iter::once(&vocabulary().general).chain(games) {
        assert!(words.lists().all(|list| is_short(words, list)));
    }
}

#[test]
fn every_level_and_first_player_is_understood_as_shown() {
    everywhere(|i18n, lang| {
        let game = GameId::all()[0].info().command;
        for level in ComputerLevel::ALL {
            for key in [format!("choice-{}", level.code()), format!("computer-{}", level.code())] {
                for said in spellings(&shown(i18n, lang, key)) {
                    let Some(NewTable { computers, .. }) = opened(&format!("/{game} {said}"))
                    else {
                        panic!("{said} of {}", lang.code());
                    };
                    assert_eq!(computers, Some(vec![level]), "{said} of {}", lang.code());
                }
            }
        }
        for begin in FirstMover::ALL {
            let name = format!("begin-{}", begin.encode());
            let label = Text::new("button-begin").with("begin", Text::new(name.clone()));
            let choice = shown(i18n, lang, format!("choice-{}", begin.encode()));
            for shown in [shown(i18n, lang, name), i18n.translate_plain(lang, &label), choice] {
                for said in spellings(&shown) {
                    let Some(NewTable { begin: read, .. }) = opened(&format!("/{game} {said}"))
                    else {
                        panic!("{said} of {}", lang.code());
                    };
                    assert_eq!(read, Some(begin), "{said} of {}", lang.code());
                }
            }
        }
        for said in spellings(&shown(i18n, lang, "choice-computer")) {
            let Some(NewTable { computers, .. }) = opened(&format!("/{game} {said}")) else {
                panic!("{said} of {}", lang.code());
            };
            assert_eq!(computers, Some(vec![]), "{said} of {}", lang.code());
        }
    });
}

#[test]
fn every_clock_is_understood_as_shown() {
    everywhere(|i18n, lang| {
        for control in TimeControl::PRESETS {
            let name = clock_views::time_control_text(control);
            let label = Text::new("button-clock").with("clock", name.clone());
            for shown in [name, label].map(|it| i18n.translate_plain(lang, &it)) {
                for said in spellings(&shown) {
                    let text = format!("/clock {said}");
                    let wanted = Some(&Command::SetTimeControl(control));
                    let request = asked(&text).expect("a command");
                    assert_eq!(request.table_command(), wanted, "{text} of {}", lang.code());
                }
            }
        }
    });
}

#[test]
fn every_house_rule_is_understood_by_its_button_label() {
    everywhere(|i18n, lang| {
        for game in GameId::all() {
            let info = game.info();
            for switch in info.switches {
                let key = format!("switch-{}-{}", info.code, switch.name.replace('_', "-"));
                for value in switch.values {
                    let said = Text::new(format!("{key}-{}", value.replace('_', "-")));
                    let label = match info.switches.len() {
                        1 => Text::new("button-variant").with("variant", said),
                        _ => Text::new("options-setting")
                            .with("name", Text::new(key.clone()))
                            .with("value", said),
                    };
                    let setting = format!("{}={value}", switch.name);
                    let wanted = info.set_switch(&info.default_options(), &setting);
                    for said in spellings(&i18n.translate_plain(lang, &label)) {
                        let text = format!("/{} {said}", info.command);
                        let Some(opening) = opened(&text) else {
                            panic!("{text} of {}: {:?}", lang.code(), asked(&text));
                        };
                        let rules = opening.rules_token(&info.default_options());
                        assert_eq!(Some(rules), wanted, "{text} of {}", lang.code());
                    }
                }
            }
        }
    });
}

#[test]
fn hints_are_given_or_not_as_it_is_shown_and_said() {
    let hints = |said: &str| match opened(&format!("/{} {said}", GameId::all()[0].info().command)) {
        Some(NewTable { hints, .. }) => hints,
        other => panic!("{said}: {other:?}"),
    };
    everywhere(|i18n, lang| {
        for (rule, wanted) in [("lobby-hints-on", true), ("lobby-hints-off", false)] {
            let label = Text::new("button-hints").with("rule", Text::new(rule));
            for said in spellings(&i18n.translate_plain(lang, &label)) {
                assert_eq!(hints(&said), Some(wanted), "{said} of {}", lang.code());
            }
        }
    });
    for said in [
        "no hints",
        "without hints",
        "hints off",
        "без подсказки",
        "без подсказок",
        "подсказки нет",
        "кеңес жоқ",
        "кеңессіз",
        "առանց հուշումներ",
        "առանց հուշումների",
    ] {
        for said in spellings(said) {
            assert_eq!(hints(&said), Some(false), "{said}");
        }
    }
}

#[test]
fn every_theme_scope_and_name_of_a_language_is_understood() {
    everywhere(|i18n, lang| {
        let chat = shown(i18n, lang, "choice-chat");
        for theme in THEMES {
            for said in spellings(&shown(i18n, lang, format!("choice-{theme}"))) {
                for (text, whose) in [
                    (format!("/theme {said}"), SettingScope::Person),
                    (format!("/theme {said} {chat}"), SettingScope::Chat),
                ] {
                    assert_eq!(
                        setting(&text),
                        Some(SettingsRequest::set(whose, Setting::THEME, theme)),
                        "{text}"
                    );
                }
            }
        }
        for said in spellings(&lang.display_name()).into_iter().chain(spellings(lang.own_name())) {
            let wanted = SettingsRequest::set(SettingScope::Person, Setting::LANGUAGE, lang.code());
            assert_eq!(setting(&format!("/language {said}")), Some(wanted), "{said}");
        }
        for (word, value) in [("choice-on", "twice"), ("choice-off", "once")] {
            for said in spellings(&shown(i18n, lang, word)) {
                let wanted =
                    SettingsRequest::set(SettingScope::Person, Setting::MOVE_CONFIRMATION, value);
                assert_eq!(setting(&format!("/confirm {said}")), Some(wanted));
            }
        }
    });
    for (said, code) in [
        ("английский", "en"),
        ("ағылшынша", "en"),
        ("орысша", "ru"),
        ("казакша", "kk"),
        ("ռուսերեն", "ru"),
        ("армянский", "hy"),
        ("kyrgyz", "ky"),
        ("Tamil", "ta"),
    ] {
        assert_eq!(Lang::find_by_name(said), Lang::from_code(code), "{said}");
    }
}

#[test]
fn every_command_word_is_found_on_every_keyboard() {
    for spec in COMMANDS.iter() {
        for alias in spec.aliases {
            for said in spellings(alias).into_iter().chain([alias.replace('_', "-")]) {
                assert_eq!(find_command(&said).map(|it| it.name), Some(spec.name), "/{said}");
            }
        }
    }
    for said in ["тил", "кенес", "кол", "тогызкумалак", "журис", "ОТЫРУ", "журуш", "коргоол"]
    {
        assert!(find_command(said).is_some(), "/{said}");
    }
    assert!(find_command("தாயம்").is_some(), "Tamil words end with a dot that is no letter");
}

/// What a text asks for, as it is described to developers.
fn described(text: &str) -> String {
    format!("{:?}", asked(text))
}

#[test]
fn a_label_of_a_button_behind_a_slash_does_what_the_button_does() {
    everywhere(|i18n, lang| {
        for (label, command) in [
            ("button-take-back", "/takeback"),
            ("button-resign", "/resign"),
            ("button-rules", "/rules"),
            ("button-learn", "/rules"),
            ("button-hint", "/hint"),
            ("button-draw", "/draw"),
            ("button-abort", "/abort"),
            ("button-join", "/join"),
            ("button-record", "/record"),
        ] {
            for said in spellings(&shown(i18n, lang, label)) {
                let words = said.trim_start_matches(|c: char| !c.is_alphanumeric());
                assert_eq!(described(&format!("/{words}")), described(command), "/{words}");
            }
        }
    });
}

#[test]
fn only_the_beginning_of_an_endless_message_is_parsed() {
    let says = |text: String| {
        let kind = UpdateKind::Text { text, mentions: vec![], reply_to: None, is_addressed: false };
        format!("{:?}", parse_request(&kind, ChatKind::Private))
    };
    let begins = format!("/togyz {}", "Ы".repeat(493));
    assert_eq!(says(format!("{begins}{}", "Ы".repeat(3_000))), says(begins.clone()));
    assert_ne!(says(begins), says("/togyz".to_owned()));
}
