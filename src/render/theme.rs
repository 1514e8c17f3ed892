//! A theme: drawings and colours from a folder of `templates/art`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use resvg::usvg::{Options, Tree};
use serde::Deserialize;

/// Files whose names begin so are no drawings: they hold shapes that several drawings share.
pub const PARTS: &str = "parts/";

/// The looks of everything.
pub struct Theme {
    /// The name of its folder.
    pub name: String,
    /// What lies under everything; also what the colours are mixed with when 256 are chosen.
    pub ground: [u8; 3],
    inks: BTreeMap<String, Ink>,
    drawings: BTreeMap<String, Tree>,
    /// For each palette the beginnings of names of drawings that are seen with no other.
    palettes: Vec<Vec<String>>,
}

/// The colour of a role of labels and trails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ink {
    /// Red, green, blue, opacity.
    pub colour: [u8; 4],
}

/// Why a theme cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ThemeError {
    /// There is not one theme.
    #[error("no theme was given")]
    None,
    /// `theme.toml` is missing or does not say what it should.
    #[error("theme {theme}: {reason}")]
    Colours {
        /// Which one.
        theme: String,
        /// What is wrong.
        reason: String,
    },
    /// A drawing is not an SVG picture.
    #[error("theme {theme}, drawing {drawing}: {source}")]
    Drawing {
        /// Which theme.
        theme: String,
        /// Which file.
        drawing: String,
        /// What is wrong.
        source: resvg::usvg::Error,
    },
}

/// The files of a theme that is part of the program.
pub struct Embedded {
    /// The name of the folder.
    pub name: &'static str,
    /// The contents of `theme.toml`.
    pub colours: &'static str,
    /// Names (paths without `.svg`) and contents of the drawings and of the [`PARTS`].
    pub drawings: &'static [(&'static str, &'static str)],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Colours {
    ground: String,
    #[serde(default)]
    palettes: BTreeMap<String, Vec<String>>,
    ink: BTreeMap<String, String>,
}

impl Theme {
    /// A theme that is part of the program.
    ///
    /// # Errors
    /// When a file does not say what it should.
    pub fn embedded(files: &Embedded) -> Result<Self, ThemeError> {
        Self::read(files.name, files.colours, files.drawings.iter().copied())
    }

    /// Reads a theme from the contents of its files.
    ///
    /// # Errors
    /// When a file does not say what it should.
    pub fn read<'a>(
        name: &str,
        colours: &str,
        drawings: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, ThemeError> {
        let wrong = |reason: String| ThemeError::Colours { theme: name.to_owned(), reason };
        let colours: Colours = toml::from_str(colours).map_err(|error| wrong(error.to_string()))?;
        let read = |text: &str| {
            colour(text).ok_or_else(|| wrong(format!("{text:?} is not a colour like #aabbcc")))
        };
        let [r, g, b, _] = read(&colours.ground)?;
        let mut inks = BTreeMap::new();
        for (role, text) in &colours.ink {
            inks.insert(role.clone(), Ink { colour: read(text)? });
        }
        let options = Options::default();
        let mut trees = BTreeMap::new();
        let (parts, drawings): (Vec<_>, Vec<_>) =
            drawings.partition(|(name, _)| name.starts_with(PARTS));
        for (drawing, svg) in drawings {
            let whole = with_parts(svg, &parts);
            let tree = Tree::from_str(&whole, &options).map_err(|source| ThemeError::Drawing {
                theme: name.to_owned(),
                drawing: drawing.to_owned(),
                source,
            })?;
            trees.insert(drawing.to_owned(), tree);
        }
        let palettes = colours.palettes.into_values().collect();
        Ok(Self { name: name.to_owned(), ground: [r, g, b], inks, drawings: trees, palettes })
    }

    /// How many palettes its pictures need: one at least.
    pub(super) fn palettes(&self) -> usize {
        self.palettes.len().max(1)
    }

    /// The only palette with which a drawing is seen; `None` when it is seen with all of them.
    pub(super) fn palette_of(&self, drawing: &str) -> Option<usize> {
        let owns = |beginnings: &Vec<String>| beginnings.iter().any(|it| drawing.starts_with(it));
        self.palettes.iter().position(owns)
    }

    /// The colour of a role; a readable grey when the theme does not name it.
    pub fn ink(&self, role: &str) -> Ink {
        self.inks.get(role).copied().unwrap_or_else(|| {
            tracing::debug!(role, theme = self.name, "the theme has no such ink");
            Ink { colour: [128, 128, 128, 255] }
        })
    }

    /// The roles that have a colour.
    pub fn inks(&self) -> impl Iterator<Item = (&str, Ink)> {
        self.inks.iter().map(|(role, &ink)| (role.as_str(), ink))
    }

    /// The names of all drawings.
    pub fn drawings(&self) -> impl Iterator<Item = &str> {
        self.drawings.keys().map(String::as_str)
    }

    /// The drawing of a sprite.
    pub(super) fn drawing(&self, name: &str) -> Option<&Tree> {
        self.drawings.get(name)
    }
}

/// Puts what a drawing borrows by `<use href="parts/name.svg#id"/>` into it: the SVG renderer does
/// not look into other files, browsers and drawing programs do.
fn with_parts<'a>(svg: &'a str, parts: &[(&str, &str)]) -> Cow<'a, str> {
    let mut whole = Cow::Borrowed(svg);
    for (name, part) in parts {
        let file = format!("\"{name}.svg#");
        let (Some(place), true) = (root_inside(&whole), whole.contains(&file)) else { continue };
        let borrowed = root_inside(part).and_then(|start| part.get(start..part.rfind("</svg>")?));
        let (head, tail) = whole.split_at(place);
        let tail = tail.replace(&file, "\"#");
        whole = Cow::Owned([head, borrowed.unwrap_or_default(), &tail].concat());
    }
    whole
}

/// Where the contents of the outermost element begin.
fn root_inside(svg: &str) -> Option<usize> {
    let root = svg.find("<svg")?;
    svg[root..].find('>').map(|end| root + end + 1)
}

/// Reads `#rrggbb` or `#rrggbbaa`.
fn colour(text: &str) -> Option<[u8; 4]> {
    let digits = text.strip_prefix('#')?;
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let value = u32::from_str_radix(digits, 16).ok()?;
    match digits.len() {
        6 => Some((value << 8 | 0xff).to_be_bytes()),
        8 => Some(value.to_be_bytes()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_with_and_without_opacity() {
        assert_eq!(colour("#102030"), Some([16, 32, 48, 255]));
        assert_eq!(colour("#10203040"), Some([16, 32, 48, 64]));
        assert_eq!(colour("102030"), None);
        assert_eq!(colour("#12345"), None);
        assert_eq!(colour("#+12345"), None);
    }
    fn reason(colours: &str, svg: &str) -> String {
        match Theme::read("t", colours, [("stone", svg)].into_iter()) {
            Ok(_) => String::from("none"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn drawings_borrow_parts() {
        let part = r#"<svg xmlns="x"><defs><path id="a"/></defs></svg>"#;
        let parts = [("parts/p", part), ("parts/q", "")];
        let borrow = r#"<svg xmlns="x"><use href="parts/p.svg#a"/></svg>"#;
        let whole = r##"<svg xmlns="x"><defs><path id="a"/></defs><use href="#a"/></svg>"##;
        assert_eq!(with_parts(borrow, &parts), whole);
        assert_eq!(with_parts("<svg/>", &parts), "<svg/>");
        let unknown = r#"<svg><use href="parts/none.svg#a"/></svg>"#;
        assert_eq!(with_parts(unknown, &parts), unknown);
    }

    #[test]
    fn a_theme_that_cannot_be_used_says_why() {
        let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>"#;
        let good = "ground = \"#102030\"\n[ink]\ncount = \"#ffffff80\"\n";
        assert_eq!(reason(good, svg), "none");
        assert!(reason(good, "<svg").starts_with("theme t, drawing stone: "));
        let bad = good.replace("#ffffff80", "white");
        assert_eq!(reason(&bad, svg), "theme t: \"white\" is not a colour like #aabbcc");
        assert!(reason("ground = 1", svg).starts_with("theme t: "));
    }
}
