//! Checks the names of people: each must be readable the same way by all, and not imitate
//! another's.

use unicode_normalization::UnicodeNormalization;
use unicode_security::{MixedScript, skeleton};

use super::refusal::WebchatRefusal;
use caravanserai_platform_shared::visible_name::{self, COMBINING_MARKS_MAX};

/// The most characters in a name.
const LETTERS_MAX: usize = 32;
/// The bot's names in its languages.
const BOT_NAMES: [&str; 5] =
    ["caravanserai", "караван-сарай", "караван сарай", "керуен сарай", "bot"];

/// Normalizes a name: folds white space, requires 1 to 32 visible characters.
///
/// # Errors
/// When the name is invisible, mixes alphabets inside a word, could become a link, or is the bot's.
pub fn clean_name(name: &str) -> Result<String, WebchatRefusal> {
    let name: String = name.nfc().filter(|c| *c != '@' && !is_ignorable(*c)).collect();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let length = name.chars().count();
    if !(1..=LETTERS_MAX).contains(&length) || !name.chars().any(is_visible) {
        return Err(WebchatRefusal::InvalidName("a name has 1 to 32 characters that can be seen"));
    }
    if name.chars().any(is_blank) {
        return Err(WebchatRefusal::InvalidName("a name has no characters that cannot be seen"));
    }
    if has_too_many_marks(&name) {
        return Err(WebchatRefusal::InvalidName("a name has at most three marks on one letter"));
    }
    if !name.split(|c: char| !c.is_alphanumeric()).all(|word| word.is_single_script()) {
        return Err(WebchatRefusal::InvalidName("a word of a name has letters of one alphabet"));
    }
    // The page turns these parts of the texts of the bot into links.
    if ["://", "/#/"].iter().any(|it| name.contains(it)) {
        return Err(WebchatRefusal::InvalidName("a name has no links"));
    }
    let looks = lookalike_form(&name);
    if BOT_NAMES.iter().any(|own| lookalike_form(own) == looks) {
        return Err(WebchatRefusal::InvalidName("that is the name of the bot"));
    }
    Ok(name)
}

/// Returns a form that is the same for names that look alike: that of their letters and digits, or
/// of all visible characters where there are none.
pub fn lookalike_form(name: &str) -> String {
    let low: String = name.to_lowercase();
    let looks: String = skeleton(&low).collect();
    let looks = looks.to_lowercase();
    let letters: String = looks.chars().filter(|c| c.is_alphanumeric()).collect();
    match letters.is_empty() {
        true => looks.chars().filter(|c| is_visible(*c)).collect(),
        false => letters,
    }
}

/// Whether a character is typed by accident and has no effect: it is removed.
fn is_ignorable(c: char) -> bool {
    visible_name::is_format(c)
        || matches!(c, '\u{200c}' | '\u{200d}')
        || (c.is_control() && !c.is_whitespace())
}

/// Whether a character is invisible, so that one name could pose as another.
fn is_blank(c: char) -> bool {
    visible_name::is_blank(c)
        || matches!(c, '\u{fe00}'..='\u{fe0e}' | '\u{fffc}' | '\u{fffd}'
            | '\u{e0000}'..='\u{effff}')
}

fn is_visible(c: char) -> bool {
    !c.is_whitespace() && !is_blank(c) && !is_mark(c)
}

/// Whether a character combines with the letter before it.
fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

/// Whether a character is a mark that can be seen over the letter before it, or beside it.
pub fn is_visible_mark(c: char) -> bool {
    is_mark(c) && !is_blank(c) && c != '\u{fe0f}'
}

/// Whether more marks than any language needs are on one letter.
pub fn has_too_many_marks(name: &str) -> bool {
    let mut heap = 0;
    name.nfd().any(|c| {
        heap = if is_mark(c) { heap + 1 } else { 0 };
        heap > COMBINING_MARKS_MAX
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_languages_are_fine() {
        for name in
            ["Ann", "Бек Али", "Әсел", "Անի", "Айгүл 2", "李雷", "さくら花", "Ann-Marie O'Neil"]
        {
            assert_eq!(clean_name(name).as_deref(), Ok(name));
        }
        assert_eq!(clean_name(" Ann\u{200b}  Lee ").as_deref(), Ok("Ann Lee"));
        assert_eq!(clean_name("A🐫").as_deref(), Ok("A🐫"));
    }

    #[test]
    fn invisible_and_confusable_names_are_refused() {
        for name in [
            "",
            " ",
            "\u{34f}",
            "Ann\u{34f}",
            "\u{3164}",
            "\u{2800}\u{2800}",
            "Ann\u{3164}",
            "\u{301}",
            "\u{410}nn",
            "Z\u{301}\u{302}\u{303}\u{304}\u{305}algo",
            "Caravanserai",
            "CARAVANSERAI",
            "Caravan serai",
            "C\u{430}rav\u{430}nserai",
            "Caravanseraı",
        ] {
            assert!(matches!(clean_name(name), Err(WebchatRefusal::InvalidName(_))), "{name:?}");
        }
        for link in ["https://evil.example", "ht@tp://evil.example", "/#/?play=abc", "Ann /#/@"] {
            assert!(matches!(clean_name(link), Err(WebchatRefusal::InvalidName(_))), "{link:?}");
        }
        assert_eq!(clean_name("Ann / #1").as_deref(), Ok("Ann / #1"));
        // Whole names in one alphabet that look like a name in another.
        assert_eq!(lookalike_form("Асе"), lookalike_form("Ace"));
        assert_ne!(lookalike_form("Ann"), lookalike_form("Anna"));
    }

    #[test]
    fn names_without_letters_differ_by_what_is_seen() {
        assert_eq!(clean_name("🐫").as_deref(), Ok("🐫"));
        assert_ne!(lookalike_form("🐫"), lookalike_form("🎲"));
        assert_eq!(lookalike_form("❤"), lookalike_form("❤\u{fe0f}"));
        assert_eq!(lookalike_form("A🐫"), lookalike_form("A🎲"), "letters are what is read");
    }
}
