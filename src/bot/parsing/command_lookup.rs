//! Finds commands by their names, other spellings, or the labels of buttons.

use std::sync::LazyLock;

use super::phrases::normalized_words;
use crate::commands::registry::COMMANDS;
use crate::commands::spec::CommandSpec;
use caravanserai_games::GameId;
use caravanserai_games::text::Text;
use caravanserai_games::vocabulary::without_special_letters;
use caravanserai_i18n::translations;

/// The command with this name or alias in any case, also if special letters are replaced by plain
/// ones.
pub fn find_command(name: &str) -> Option<&'static CommandSpec> {
    let name = name.to_lowercase().replace('-', "_");
    let by_name = |name: &str| {
        COMMANDS.iter().find(|it| it.name == name || it.aliases.iter().any(|a| a == name))
    };
    by_name(&name).or_else(|| by_name(&without_special_letters(&name)))
}

/// The game of the first word that is the command of a game.
pub(crate) fn find_named_game(words: &str) -> Option<GameId> {
    words.split_whitespace().find_map(|word| find_command(word)?.game)
}

/// The button labels that people may type behind a slash, with the equivalent commands.
const BUTTON_LABELS: &[(&str, &str)] = &[
    ("button-join", "join"),
    ("button-accept", "accept"),
    ("button-decline", "decline"),
    ("button-cancel", "cancel"),
    ("button-leave", "leave"),
    ("button-start", "begin"),
    ("button-abort", "abort"),
    ("button-take-back", "takeback"),
    ("button-draw", "draw"),
    ("button-resign", "resign"),
    ("button-resend", "board"),
    ("button-rematch", "rematch"),
    ("button-record", "record"),
    ("button-rules", "learn"),
    ("button-learn", "learn"),
    ("button-play", "play"),
    ("button-hand", "hand"),
    ("button-text", "text"),
    ("button-replay", "replay"),
    ("button-chart", "chart"),
    ("button-review", "review"),
    ("button-deals", "deals"),
    ("button-hint", "hint"),
    ("button-options", "options"),
    ("button-remove-player", "kick"),
    ("button-substitutes", "substitute"),
    ("button-private", "private"),
    ("button-stop", "stop"),
    ("button-pause", "pause"),
    ("button-resume", "resume"),
    ("button-claim", "claim"),
    ("button-nudge", "nudge"),
    ("button-remind", "nudge"),
    ("button-back", "back"),
    ("button-watch", "watch"),
    ("button-show-here", "show"),
    ("button-verify", "verify"),
    ("button-settings-mine", "settings"),
    ("button-page", "web"),
];

/// A label as it is typed.
struct ButtonLabel {
    words: Vec<String>,
    /// Whether it ends with a question or exclamation mark.
    ends_with_mark: bool,
    /// The equivalent command.
    command: &'static str,
}

/// The labels with their commands, the longest first.
static NORMALIZED_LABELS: LazyLock<Vec<ButtonLabel>> = LazyLock::new(|| {
    let shown = |(label, command): &(&'static str, &'static str)| {
        let command = *command;
        let to_label = move |it: String| ButtonLabel {
            words: normalized_words(&it),
            ends_with_mark: has_question_or_exclamation_mark(&it),
            command,
        };
        translations(&Text::new(*label)).into_iter().map(to_label)
    };
    let mut labels: Vec<ButtonLabel> = BUTTON_LABELS.iter().flat_map(shown).collect();
    labels.retain(|it| !it.words.is_empty());
    labels.sort_by_key(|it| std::cmp::Reverse(it.words.len()));
    labels
});

/// Whether a text has a question or exclamation mark.
fn has_question_or_exclamation_mark(text: &str) -> bool {
    text.contains(['?', '!', '՞', '՜', '؟', '？', '！'])
}

/// Splits a text behind the slash into its command and the rest. A command is recognized by its
/// name, the label of an equivalent button, or another spelling. The longest label counts: the
/// label of *Replay* may begin with another word for *Rematch*.
pub fn split_command(text: &str) -> Option<(&'static CommandSpec, &str)> {
    let text = text.trim();
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let own_name = COMMANDS.iter().find(|it| it.name == name.to_lowercase());
    if let Some(spec) = own_name
        && rest.is_empty()
    {
        return Some((spec, ""));
    }
    let least = if own_name.is_some() { 2 } else { 1 };
    split_command_by_alias(text)
        .or_else(|| split_command_by_label(text, least))
        .or_else(|| find_command(name).map(|spec| (spec, rest.trim())))
}

/// The words of a text, each with the byte offset of its end.
fn words_with_ends(text: &str) -> Vec<(String, usize)> {
    let mut found: Vec<(String, usize)> = Vec::new();
    let mut end = 0;
    for chunk in text.split_inclusive(char::is_whitespace) {
        end += chunk.len();
        found.extend(normalized_words(chunk).pop().map(|word| (word, end)));
    }
    found
}

/// The command of the longest label with at least `least` words that the text begins with.
fn split_command_by_label(text: &str, least: usize) -> Option<(&'static CommandSpec, &str)> {
    let typed_words = words_with_ends(text);
    let begins = |label: &&ButtonLabel| {
        let fits = label.words.len() >= least && label.words.len() <= typed_words.len();
        let has_mark = typed_words
            .get(label.words.len() - 1)
            .is_some_and(|(_, end)| has_question_or_exclamation_mark(&text[..*end]));
        fits && label.ends_with_mark == has_mark
            && label.words.iter().zip(&typed_words).all(|(a, (b, _))| a == b)
    };
    let label = NORMALIZED_LABELS.iter().find(begins)?;
    let (_, end) = typed_words[label.words.len() - 1];
    Some((find_command(label.command)?, text[end..].trim()))
}

/// The command of an alias of several words, which vocabulary lists join by underscores.
fn split_command_by_alias(text: &str) -> Option<(&'static CommandSpec, &str)> {
    const WORDS_MAX: usize = 4;
    let ends: Vec<usize> = text
        .split_inclusive(char::is_whitespace)
        .scan(0, |end, chunk| {
            *end += chunk.len();
            Some(*end)
        })
        .take(WORDS_MAX)
        .collect();
    ends.into_iter().skip(1).rev().find_map(|end| {
        let name = text[..end].split_whitespace().collect::<Vec<_>>().join("_");
        Some((find_command(&name)?, text[end..].trim()))
    })
}

/// The command that was probably meant: its name or an alias differs by one wrong, missing, extra
/// or swapped letter.
pub fn suggest_command(name: &str) -> Option<&'static CommandSpec> {
    let name = name.to_lowercase();
    let close = |known: &str| known.chars().count() >= 4 && is_one_edit_apart(known, &name);
    COMMANDS.iter().find(|it| close(it.name) || it.aliases.iter().any(|alias| close(alias)))
}

/// Whether one insertion, deletion, replacement or swap of neighbours turns `a` into `b`.
pub(crate) fn is_one_edit_apart(a: &str, b: &str) -> bool {
    // Long words are rejected by their length, without decoding them for each known word.
    if a.len().abs_diff(b.len()) > char::MAX.len_utf8() {
        return false;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let a = &a[same..];
    let b = &b[same..];
    let swapped = a.len() >= 2 && a.len() == b.len() && a[0] == b[1] && a[1] == b[0];
    a.get(1..) == b.get(1..)
        || a.get(1..) == Some(b)
        || Some(a) == b.get(1..)
        || (swapped && a[2..] == b[2..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_letter_is_understood() {
        for (typed, meant) in [("togys", "togyz"), ("boadr", "board"), ("halp", "help")] {
            assert_eq!(suggest_command(typed).map(|it| it.name), Some(meant), "{typed}");
        }
        assert!(suggest_command("poll").is_none());
    }
}
