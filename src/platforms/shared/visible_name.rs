//! Cleans names of accounts: characters that cannot be seen, or that turn the direction of the text
//! around, would hide whose turn it is or disturb the words beside the name.

use unicode_normalization::char::is_combining_mark;

/// The most combining marks on one letter; more would cover the lines above and below.
pub const COMBINING_MARKS_MAX: usize = 3;

/// A name without invisible and direction-changing characters, on one line; `None` if nothing
/// remains that can be seen. Emoji of several parts and letters that need joiners stay whole.
pub fn visible_name(name: &str) -> Option<String> {
    let mut marks = 0;
    let kept = name.chars().filter(|c| {
        marks = if is_combining_mark(*c) { marks + 1 } else { 0 };
        marks <= COMBINING_MARKS_MAX && !is_format(*c) && !is_blank(*c)
    });
    let kept: String = kept.map(|c| if c.is_control() { ' ' } else { c }).collect();
    let name = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_visible = |c: char| !c.is_whitespace() && !is_joiner(c) && !is_combining_mark(c);
    name.chars().any(is_visible).then_some(name)
}

/// Whether a character joins or separates the letters around it, or chooses the look of an emoji.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
}

/// Whether a character has no effect of its own, or only on the direction of the text.
pub fn is_format(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Whether a character is a letter or a sign that cannot be seen.
pub fn is_blank(c: char) -> bool {
    matches!(c, '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{e000}'..='\u{f8ff}' | '\u{1d159}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{f0000}'..='\u{10ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visible_characters_stay() {
        for name in ["Ann", "Бек Али", "Անի", "ক্ষমা", "ക്‍ഷ", "👨‍👩‍👧 Bob", "❤️", "دانش‌آموز"]
        {
            assert_eq!(visible_name(name).as_deref(), Some(name));
        }
    }

    #[test]
    fn invisible_characters_are_removed() {
        assert_eq!(visible_name(" Ann\u{202e}\n\tB\u{3164} "), Some("Ann B".to_owned()));
        assert_eq!(
            visible_name("Z\u{301}\u{302}\u{303}\u{304}\u{305}"),
            visible_name("Z\u{301}\u{302}\u{303}")
        );
        for name in ["", "\u{3164}", "\u{202e}\u{2066}", "\u{200d}", "\u{301}", "\u{2800}\u{2800}"]
        {
            assert_eq!(visible_name(name), None, "{name:?}");
        }
    }
}
