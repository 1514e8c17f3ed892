//! How people want to see boards: the theme of pictures, whose side is below, pictures or words,
//! how quickly computers go on.

use super::note::Key;
use super::request::{Scope, read_switch, said, scope_of};
use crate::ids::PlaceKind;
use crate::words::Text;

/// What somebody wants of the looks of boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looks {
    /// Another theme, or the choice of themes.
    Theme {
        /// Which, if one was named that there is.
        theme: Option<&'static str>,
        /// Whether something was named that is no theme.
        foreign: bool,
        /// For whom.
        scope: Scope,
    },
    /// Whether private boards have their reader's side below.
    Turned(bool),
    /// Whether private boards are told in words.
    Words(bool),
    /// Whether computers they play alone answer at once; `None` asks how it is.
    Quick(Option<bool>),
}

/// The themes that can be chosen, the usual one first. Their names have the keys `choice-<theme>`.
pub const THEMES: &[&str] = &["wood", "night", "contrast", "print"];

/// The theme that a word means, in any of our languages.
pub fn theme(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let known = said("theme", &word).unwrap_or(&word);
    THEMES.iter().copied().find(|it| *it == known)
}

/// What follows `/theme`.
pub(super) fn read_theme(rest: &str, kind: PlaceKind) -> Looks {
    let mut scope = Scope::Person;
    let (mut found, mut foreign) = (None, false);
    for word in &super::shown::read_looks(rest) {
        match scope_of(word, kind) {
            Some(other) => scope = other,
            None => {
                found = found.or(theme(word));
                foreign |= theme(word).is_none();
            }
        }
    }
    Looks::Theme { theme: found, foreign: foreign && found.is_none(), scope }
}

/// What follows `/pace`: `calm` or `quick`, in any of our languages.
pub(super) fn read_pace(rest: &str) -> Looks {
    let quick = |word: &str| said("pace", word).map(|it| it == "quick");
    Looks::Quick(rest.split_whitespace().find_map(quick))
}

/// What a button of [`keys`], [`turned_key`], [`words_key`] or [`pace_key`] asks.
pub(super) fn read_press(letter: &str, value: &str) -> Option<Looks> {
    let chosen = |scope| Looks::Theme { theme: theme(value), foreign: false, scope };
    Some(match letter {
        "T" => chosen(Scope::Person),
        "U" => chosen(Scope::Chat),
        "F" => Looks::Turned(read_switch(value)?),
        "X" => Looks::Words(read_switch(value)?),
        "y" => Looks::Quick(Some(read_switch(value)?)),
        _ => return None,
    })
}

/// The name of a theme.
pub fn name(theme: &str) -> Text {
    Text::new(format!("choice-{theme}"))
}

/// The themes as buttons, for the reader and, if they may choose for it, for the chat.
pub fn keys(for_chat: bool) -> Vec<Vec<Key>> {
    let own = |theme: &&str| Key::new(name(theme), format!("T.{theme}"));
    let shared = |theme: &&str| {
        let label = Text::new("button-for-chat").with("language", name(theme));
        Key::new(label, format!("U.{theme}"))
    };
    let mut rows: Vec<Vec<Key>> =
        THEMES.chunks(2).map(|pair| pair.iter().map(own).collect()).collect();
    if for_chat {
        rows.extend(THEMES.chunks(2).map(|pair| pair.iter().map(shared).collect::<Vec<_>>()));
    }
    rows
}

/// The button that turns private boards to their reader or back.
pub fn turned_key(turned: bool) -> Key {
    let (label, press) =
        if turned { ("button-turned-off", "F.off") } else { ("button-turned-on", "F.on") };
    Key::new(Text::new(label), press)
}

/// The button that makes private boards words or pictures.
pub fn words_key(words: bool) -> Key {
    let (label, press) =
        if words { ("button-words-off", "X.off") } else { ("button-words-on", "X.on") };
    Key::new(Text::new(label), press)
}

/// The button that has computers answer at once, or take turn after turn.
pub fn pace_key(quick: bool) -> Key {
    let (label, press) =
        if quick { ("button-pace-calm", "y.off") } else { ("button-pace-quick", "y.on") };
    Key::new(Text::new(label), press)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn themes_are_found_by_their_names_and_for_whom() {
        let chosen = |theme, foreign, scope| Looks::Theme { theme, foreign, scope };
        for (said, expected) in [
            ("", chosen(None, false, Scope::Person)),
            ("Ночь", chosen(Some("night"), false, Scope::Person)),
            ("chat print", chosen(Some("print"), false, Scope::Chat)),
            ("հակադիր", chosen(Some("contrast"), false, Scope::Person)),
            ("pink", chosen(None, true, Scope::Person)),
        ] {
            assert_eq!(read_theme(said, PlaceKind::Group), expected, "{said}");
        }
    }

    #[test]
    fn buttons_say_what_they_do() {
        let press = |key: Key| {
            let (letter, value) = key.press.split_once('.').expect("a letter and a value");
            read_press(letter, value)
        };
        assert_eq!(press(turned_key(true)), Some(Looks::Turned(false)));
        assert_eq!(press(words_key(false)), Some(Looks::Words(true)));
        assert_eq!(press(pace_key(true)), Some(Looks::Quick(Some(false))));
        let presses: Vec<_> = keys(true).into_iter().flatten().filter_map(press).collect();
        assert_eq!(presses.len(), 2 * THEMES.len());
    }
}
