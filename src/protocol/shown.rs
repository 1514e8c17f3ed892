//! Whatever stands on buttons and in menus is understood when it is typed, in every language.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::clocks;
use caravanserai_games::GameId;
use caravanserai_games::input::{in_word, loose};
use caravanserai_games::search::Level;
use caravanserai_games::words::Text;
use caravanserai_i18n::in_all_languages;
use caravanserai_table::clock::Control;
use caravanserai_table::event::Begin;
use caravanserai_table::people::computer_called;

/// Words as they stand somewhere, and the one word that means the same to the program.
type Phrase = (Vec<String>, String);

/// The phrases of a game, the longest first.
type Phrases = &'static [Phrase];

/// By the code of the game: they never change, so they are made once and kept.
static PHRASES: LazyLock<Mutex<BTreeMap<&'static str, Phrases>>> = LazyLock::new(Mutex::default);

/// The words of a text without what only decorates them, in small letters as any keyboard has them.
pub fn words(text: &str) -> Vec<String> {
    let bare = |word: &str| {
        let word = word.trim_matches(|c: char| !in_word(c) && !"@#=_-".contains(c));
        loose(word.trim_end_matches(['-', '=']).trim_start_matches('-'))
    };
    text.split_whitespace().map(bare).filter(|it| !it.is_empty()).collect()
}

/// What follows the command that opens a table of this game, in words that [`super::opening`]
/// reads: phrases as they are shown become the words of the program.
pub(super) fn read(rest: &str, game: GameId) -> Vec<String> {
    replaced(rest, phrases(game))
}

/// What follows the command for a theme, in words that [`super::looks`] reads.
pub(super) fn read_looks(rest: &str) -> Vec<String> {
    replaced(rest, &LOOKS)
}

static LOOKS: LazyLock<Vec<Phrase>> = LazyLock::new(|| {
    let means = super::looks::THEMES.iter().chain(&["chat", "me"]);
    let shown = means.flat_map(|means| {
        let shown = in_all_languages(&Text::new(format!("choice-{means}"))).into_iter();
        shown.map(|it| (words(&it), (*means).to_owned()))
    });
    let mut phrases: Vec<Phrase> = shown.collect();
    phrases.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len()));
    phrases
});

fn replaced(rest: &str, phrases: &[Phrase]) -> Vec<String> {
    let words = words(rest);
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

fn phrases(game: GameId) -> Phrases {
    let mut known = PHRASES.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(game.info().code).or_insert_with(|| made(game).leak())
}

fn made(game: GameId) -> Vec<Phrase> {
    let mut phrases = Vec::new();
    let mut add = |text: Text, means: &str| {
        let shown = in_all_languages(&text).into_iter();
        phrases.extend(shown.map(|it| (words(&it), means.to_owned())));
    };
    for level in Level::ALL {
        add(Text::new(format!("choice-{}", level.code())), level.code());
        add(computer_called(level, None), level.code());
    }
    for begin in Begin::ALL.map(Begin::write) {
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
    for control in Control::OFFERED {
        let (name, means) = (clocks::named(control), format!("clock={}", control.write()));
        add(Text::new("button-clock").with("clock", name.clone()), &means);
        add(name, &means);
    }
    let (fewest, most) = game.info().seats;
    for seats in fewest..=most {
        add(Text::new("button-seats").with("count", seats), &format!("players={seats}"));
    }
    house_rules(game, &mut add);
    phrases.retain(|(phrase, _)| !phrase.is_empty());
    phrases.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len()));
    phrases
}

fn house_rules(game: GameId, add: &mut dyn FnMut(Text, &str)) {
    let info = game.info();
    let only = info.switches.len() == 1;
    for switch in info.switches {
        let key = format!("switch-{}-{}", info.code, switch.name.replace('_', "-"));
        for value in switch.values {
            let said = Text::new(format!("{key}-{}", value.replace('_', "-")));
            let means = format!("{}={value}", switch.name);
            if only {
                add(Text::new("button-variant").with("variant", said.clone()), &means);
                add(Text::new(format!("choice-{value}")), &means);
                add(said, &means);
            } else {
                let setting = Text::new("options-setting").with("name", Text::new(key.clone()));
                add(setting.with("value", said), &means);
            }
        }
    }
}
