//! Replaces phrases of buttons and menus by keywords, so that people can type them in every
//! language.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use parking_lot::Mutex;

use crate::views::clock_views;
use caravanserai_games::GameId;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::text::Text;
use caravanserai_games::vocabulary::{is_word_char, without_special_letters};
use caravanserai_i18n::translations;
use caravanserai_table::clock::TimeControl;
use caravanserai_table::event::FirstMover;
use caravanserai_table::people::computer_name;

/// A phrase in words as people read it, and the keyword with the same meaning.
type TypedPhrase = (Vec<String>, String);

/// The phrases of a game, the longest first.
type TypedPhrases = &'static [TypedPhrase];

/// The phrases by the code of the game. They never change, so they are built once.
static GAME_PHRASES: LazyLock<Mutex<BTreeMap<&'static str, TypedPhrases>>> =
    LazyLock::new(Mutex::default);

/// The words of a text without punctuation, in lowercase and with plain letters that any keyboard
/// has.
pub fn normalized_words(text: &str) -> Vec<String> {
    let bare = |word: &str| {
        let word = word.trim_matches(|c: char| !is_word_char(c) && !"@#=_-".contains(c));
        without_special_letters(word.trim_end_matches(['-', '=']).trim_start_matches('-'))
    };
    text.split_whitespace().map(bare).filter(|it| !it.is_empty()).collect()
}

/// The words behind the command that opens a table of this game, with phrases replaced by the
/// keywords that [`super::new_table`] parses.
pub(crate) fn replace_game_phrases(rest: &str, game: GameId) -> Vec<String> {
    replace_phrases(rest, game_phrases(game))
}

/// The words behind the command for themes, with phrases replaced by keywords that
/// [`crate::commands::theme`] parses.
pub(crate) fn replace_theme_phrases(rest: &str) -> Vec<String> {
    replace_phrases(rest, &THEME_PHRASES)
}

/// The words behind the command for clocks, with the names of clocks replaced by keywords that
/// [`clock_views::parse_time_control`] parses.
pub(crate) fn replace_clock_phrases(rest: &str) -> Vec<String> {
    replace_phrases(rest, &CLOCK_PHRASES)
}

static CLOCK_PHRASES: LazyLock<Vec<TypedPhrase>> = LazyLock::new(|| {
    let mut phrases = Vec::new();
    add_clock_phrases(&mut |text, means| {
        let shown = translations(&text).into_iter();
        phrases.extend(shown.map(|it| (normalized_words(&it), means.to_owned())));
    });
    phrases.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len()));
    phrases
});

static THEME_PHRASES: LazyLock<Vec<TypedPhrase>> = LazyLock::new(|| {
    let means = crate::commands::theme::THEMES.iter().chain(&["chat", "me"]);
    let shown = means.flat_map(|means| {
        let shown = translations(&Text::new(format!("choice-{means}"))).into_iter();
        shown.map(|it| (normalized_words(&it), (*means).to_owned()))
    });
    let mut phrases: Vec<TypedPhrase> = shown.collect();
    phrases.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len()));
    phrases
});

fn replace_phrases(rest: &str, phrases: &[TypedPhrase]) -> Vec<String> {
    let words = normalized_words(rest);
    let mut read = Vec::with_capacity(words.len());
    let mut left = words.as_slice();
    while let [first, others @ ..] = left {
        match phrases.iter().find(|(phrase, _)| left.starts_with(phrase)) {
            Some((phrase, means)) => {
                read.push(means.clone());
                left = &left[phrase.len()..];
            }
            None => {
                read.push(first.clone());
                left = others;
            }
        }
    }
    read
}

fn game_phrases(game: GameId) -> TypedPhrases {
    let mut known = GAME_PHRASES.lock();
    known.entry(game.info().code).or_insert_with(|| build_game_phrases(game).leak())
}

fn build_game_phrases(game: GameId) -> Vec<TypedPhrase> {
    let mut phrases = Vec::new();
    let mut add = |text: Text, means: &str| {
        let shown = translations(&text).into_iter();
        phrases.extend(shown.map(|it| (normalized_words(&it), means.to_owned())));
    };
    for level in ComputerLevel::ALL {
        add(Text::new(format!("choice-{}", level.code())), level.code());
        add(computer_name(level, None), level.code());
    }
    for begin in FirstMover::ALL.map(FirstMover::encode) {
        let name = Text::new(format!("begin-{begin}"));
        add(Text::new("button-begin").with("begin", name.clone()), begin);
        add(name, begin);
        add(Text::new(format!("choice-{begin}")), begin);
    }
    add(Text::new("choice-computer"), "computer");
    for (rule, means) in [("on", "hints=on"), ("off", "hints=off")] {
        let rule = Text::new(format!("lobby-hints-{rule}"));
        add(Text::new("button-hints").with("rule", rule), means);
    }
    add_clock_phrases(&mut add);
    for seats in game.info().seats.range() {
        add(Text::new("button-seats").with("count", seats), &format!("players={seats}"));
    }
    add_house_rule_phrases(game, &mut add);
    phrases.retain(|(phrase, _)| !phrase.is_empty());
    phrases.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len()));
    phrases
}

fn add_clock_phrases(add: &mut dyn FnMut(Text, &str)) {
    for control in TimeControl::PRESETS {
        let name = clock_views::time_control_text(control);
        let means = format!("clock={}", control.encode());
        add(Text::new("button-clock").with("clock", name.clone()), &means);
        add(name, &means);
    }
}

fn add_house_rule_phrases(game: GameId, add: &mut dyn FnMut(Text, &str)) {
    let info = game.info();
    let only = info.switches.len() == 1;
    for switch in info.switches {
        let name = Text::new(info.switch_key(switch));
        for value in switch.values {
            let said = Text::new(info.switch_value_key(switch, value));
            let means = format!("{}={value}", switch.name);
            if only {
                add(Text::new("button-variant").with("variant", said.clone()), &means);
                add(Text::new(format!("choice-{value}")), &means);
                add(said, &means);
            } else {
                let setting = Text::new("options-setting").with("name", name.clone());
                add(setting.with("value", said), &means);
            }
        }
    }
}
