//! The themes of pictures, and the buttons that turn boards, put them into words, or have computers
//! take their turns one by one.

use super::note::Key;
use super::request::{Scope, said, scope_of};
use super::settings::{Change, Row, Wish};
use caravanserai_games::ids::PlaceKind;
use caravanserai_games::words::Text;

/// The themes that can be chosen, the usual one first. Their names have the keys `choice-<theme>`.
pub const THEMES: &[&str] = &["wood", "night", "contrast", "print"];

/// The theme that a word means, in any of our languages.
pub fn theme(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let known = said("theme", &word).unwrap_or(&word);
    THEMES.iter().copied().find(|it| *it == known)
}

/// What follows `/theme`.
pub(super) fn read_theme(rest: &str, kind: PlaceKind) -> Wish {
    let mut scope = Scope::Person;
    let (mut found, mut foreign, mut denied) = (None, false, false);
    for word in &super::shown::read_looks(rest) {
        match scope_of(word, kind) {
            Some(other) => scope = other,
            None => {
                found = found.or(theme(word));
                foreign |= theme(word).is_none();
                denied |= said("refusal", word).is_some();
            }
        }
    }
    match found {
        _ if denied => Wish::Foreign(Row::Theme),
        Some(theme) => Wish::Set(Change { scope, row: Row::Theme, value: theme.to_owned() }),
        None if foreign => Wish::Foreign(Row::Theme),
        None => Wish::Choices(scope, Row::Theme),
    }
}

/// What follows `/pace`: `calm` or `quick`, in any of our languages.
pub(super) fn read_pace(rest: &str) -> Wish {
    let (scope, row) = (Scope::Person, Row::Pace);
    match said("pace", rest) {
        Some(value) => Wish::Set(Change { scope, row, value: value.to_owned() }),
        None => Wish::Choices(scope, row),
    }
}

/// The name of a theme.
pub fn name(theme: &str) -> Text {
    Text::new(format!("choice-{theme}"))
}

/// The themes as buttons for the reader.
pub fn keys() -> Vec<Vec<Key>> {
    let own = |theme: &&str| Key::new(name(theme), format!("T.{theme}"));
    THEMES.chunks(2).map(|pair| pair.iter().map(own).collect()).collect()
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
        let chosen = |scope, theme: &str| {
            Wish::Set(Change { scope, row: Row::Theme, value: theme.to_owned() })
        };
        for (said, expected) in [
            ("", Wish::Choices(Scope::Person, Row::Theme)),
            ("Ночь", chosen(Scope::Person, "night")),
            ("chat print", chosen(Scope::Chat, "print")),
            ("հակադիր", chosen(Scope::Person, "contrast")),
            ("pink", Wish::Foreign(Row::Theme)),
            ("not night", Wish::Foreign(Row::Theme)),
        ] {
            assert_eq!(read_theme(said, PlaceKind::Group), expected, "{said}");
        }
    }
}
